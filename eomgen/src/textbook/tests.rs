//! Expressions against what a reader would write by hand, and random ones against themselves.

use super::*;
use crate::model::system::Sign;
use crate::notation::{Symbol, text};
use crate::sym::Class;

const EFFORT: Effort = Effort {
    terms: 300,
    steps: 500,
    work: usize::MAX,
};

fn session(test: impl FnOnce() + Send + 'static) {
    crate::host::with_session(test).unwrap();
}

struct Machine {
    alg: Algebra,
    m: Expr,
    l: Expr,
    a: Expr,
    b: Expr,
    u: Expr,
    v: Expr,
    du: Expr,
}

fn machine() -> Machine {
    let mut alg = Algebra::new(None);
    let [m, l] = ["m", "l"].map(|n| alg.base(n, Class::Parameter, Some(Sign::Positive)));
    let [a, b] = ["a", "b"].map(|n| alg.base(n, Class::Coordinate, None));
    let [u, v] = ["u", "v"].map(|n| alg.base(n, Class::Speed, None));
    let du = alg.base("du", Class::Acceleration, None);
    let [m, l, a, b, u, v, du] = [m, l, a, b, u, v, du].map(|v| alg.var(v));
    Machine {
        alg,
        m,
        l,
        a,
        b,
        u,
        v,
        du,
    }
}

#[test]
fn expressions_are_as_one_writes_them() {
    session(|| {
        let mut k = machine();
        let (sa, ca) = k.alg.sin_cos(&k.a);
        let (sb, cb) = k.alg.sin_cos(&k.b);
        let cases = [
            (&ca * &cb + &sa * &sb, "cos(a - b)"),
            (&sa * &ca, "sin(a)*cos(a)"),
            (sa.powi(2) + ca.powi(2), "1"),
            (&k.m * &k.a + &k.l * &k.a, "a*(m + l)"),
            (
                k.a.powi(2) + Expr::int(2) * &k.a * &k.b + k.b.powi(2),
                "(a + b)^2",
            ),
            (
                k.a.powi(2) - Expr::int(2) * &k.a * &k.b + k.b.powi(2) + k.u.powi(2),
                "u^2 + (a - b)^2",
            ),
            (
                (&k.a + &k.b - &k.u).powi(2) + (&k.m - &k.v).powi(2),
                "(m - v)^2 + (a + b - u)^2",
            ),
            (
                &k.l * (Expr::int(2) * &k.a + &k.m).powi(2) - &k.l * k.b.powi(2),
                "l*(m + 2*a + b)*(m + 2*a - b)",
            ),
            (&k.m * &k.l * &sa / (&k.l * &ca), "m*tan(a)"),
            (&k.u / &k.l - &k.v / &k.l, "(u - v)/l"),
            (&ca * &cb, "cos(a)*cos(b)"),
        ];
        for (e, wanted) in cases {
            let printed = Printed::expression(&k.alg, &e, EFFORT).unwrap();
            assert_eq!(printed.text(&k.alg, &Forms::new(EFFORT)), wanted);
        }
    });
}

#[test]
fn equations_lose_what_cannot_vanish() {
    session(|| {
        let mut k = machine();
        let (sa, _) = k.alg.sin_cos(&k.a);
        let e = &k.m * k.l.powi(2) * &k.du - &k.m * &k.l * &sa * k.u.powi(2);
        let printed = Printed::equation(&k.alg, &e, Right::Forces, &mut EFFORT.clone()).unwrap();
        assert_eq!(
            printed.text(&k.alg, &Forms::new(EFFORT)),
            "l*du - sin(a)*u^2"
        );
        let mut symbol = |v| Math::Symbol(Symbol::verbatim(&k.alg.info(v).name));
        let divisor = printed.divisor(&k.alg, &mut symbol).unwrap();
        assert_eq!(text(&divisor), "m*l");
        // Nothing is known of the sign of a coordinate.
        let e = &k.a * &k.du + &k.a * &k.u;
        let printed = Printed::equation(&k.alg, &e, Right::Forces, &mut EFFORT.clone()).unwrap();
        assert_eq!(printed.divisor(&k.alg, &mut symbol), None);
        assert_eq!(printed.text(&k.alg, &Forms::new(EFFORT)), "a*du + a*u");
    });
}

/// Printed at all means proven equal.
#[test]
fn random_expressions_are_printed() {
    session(|| {
        let mut k = machine();
        let (sa, ca) = k.alg.sin_cos(&k.a);
        let (sb, cb) = k.alg.sin_cos(&k.b);
        let leaves = [&k.m, &k.l, &k.a, &k.u, &k.v, &k.du, &sa, &ca, &sb, &cb];
        let mut state = 7u64;
        let mut draw = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % n
        };
        for _ in 0..200 {
            let mut e = Expr::int(draw(5) as i64 - 2);
            for _ in 0..2 + draw(4) {
                let mut term = Expr::int(draw(7) as i64 - 3);
                for _ in 0..1 + draw(4) {
                    let leaf = leaves[draw(leaves.len() as u64) as usize];
                    let other = leaves[draw(leaves.len() as u64) as usize];
                    term = match draw(6) {
                        0 => term / (leaf.powi(2) + other.powi(2) + Expr::one()),
                        1 => term * (leaf + other),
                        2 => term / &k.l,
                        _ => term * leaf,
                    };
                }
                e = e + term;
            }
            // Nothing is left to print of a sum that cancels.
            if e == Expr::zero() {
                continue;
            }
            let printed = Printed::expression(&k.alg, &e, EFFORT);
            assert!(printed.is_some(), "{}", k.alg.text(&e));
        }
    });
}

/// Multiples of several angles: the addition theorems write each of their terms twice for each step.
#[test]
fn high_multiples_of_angles_have_short_values() {
    session(|| {
        let mut k = machine();
        let ((sa, ca), (sb, cb)) = (k.alg.sin_cos(&k.a), k.alg.sin_cos(&k.b));
        let mut atoms = Atoms::new(&k.alg, &[&(&sa * &sb)]);
        let mut value = |angle: Vec<(u32, i32)>| {
            let wave = atoms.circular(super::atoms::Kind::Sine(angle));
            super::write::atom_value(&k.alg, &atoms, wave)
        };
        let (high, turned) = (value(vec![(0, 12), (1, 11)]), value(vec![(0, 2), (1, 2)]));
        assert!(k.alg.size(&high) < 1000, "{}", k.alg.size(&high));
        // sin(2 (a + b)) = 2 sin(a + b) cos(a + b)
        let (s, c) = (&sa * &cb + &ca * &sb, &ca * &cb - &sa * &sb);
        assert!(k.alg.equal(&turned, &(Expr::int(2) * s * c)));
    });
}

#[test]
fn what_differs_in_its_symbols_alone_has_one_form() {
    session(|| {
        let mut alg = Algebra::new(None);
        let mut named = |name: String| {
            let v = alg.base(&name, Class::Coordinate, None);
            alg.var(v)
        };
        let places: Vec<[Expr; 2]> = (0..4)
            .map(|i| [named(format!("x{i}")), named(format!("y{i}"))])
            .collect();
        let forms = Forms::new(EFFORT);
        let mut texts = Vec::new();
        for pair in places.windows(2) {
            let e = (&pair[1][0] - &pair[0][0]).powi(2) + (&pair[1][1] - &pair[0][1]).powi(2);
            texts.push(statement(&alg, &e, &forms).unwrap());
        }
        assert_eq!(texts[0], "(x0 - x1)^2 + (y0 - y1)^2");
        assert_eq!(texts[2], "(x2 - x3)^2 + (y2 - y3)^2");
        assert_eq!(forms.len(), 1);
        // Sines of two angles are no symbols.
        for i in 0..2 {
            let (sine, _) = alg.sin_cos(&places[i][0]);
            let text = statement(&alg, &sine, &forms);
            assert_eq!(text, Some(format!("sin(x{i})")));
        }
        assert_eq!(forms.len(), 1);
        // Of a number more, another.
        let e = Expr::int(3) * &places[0][0] + &places[0][1];
        assert!(statement(&alg, &e, &forms).is_some());
        assert_eq!(forms.len(), 2);
    });
}
