//! The algebra held against numbers: expressions are built at random together with their values and derivatives, worked
//! out beside the algebra, and must keep both through simplification, definitions, substitution and lowering.
#![cfg(feature = "derive")]

use eomgen::internals::elim::{self, Matrix};
use eomgen::internals::host::with_session;
use eomgen::internals::ir::interpret::{Evaluator, Host, Jet};
use eomgen::internals::ir::{Function, Interface, Program, Slot};
use eomgen::internals::lower::Lowering;
use eomgen::internals::model::system::Sign;
use eomgen::internals::sym::{Algebra, Class, Expr, Kernel, Var};
use std::collections::BTreeMap;

/// A value and its derivative by x.
#[derive(Clone, Copy, Debug)]
struct Dual(f64, f64);

impl Dual {
    fn map(self, f: f64, slope: f64) -> Self {
        Dual(f, slope * self.1)
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// Symbols x, y and a positive parameter m, and where they are.
struct Place {
    vars: [Var; 3],
    at: [f64; 3],
}

impl Place {
    fn new(alg: &mut Algebra, at: [f64; 3]) -> Self {
        let m = alg.base("m", Class::Parameter, Some(Sign::Positive));
        let x = alg.base("x", Class::Coordinate, None);
        let y = alg.base("y", Class::Coordinate, None);
        Self {
            vars: [x, y, m],
            at,
        }
    }

    fn value(&self, alg: &Algebra, e: &Expr) -> f64 {
        let mut low = Lowering::new(0);
        for (i, v) in self.vars.iter().enumerate() {
            let slot = Slot {
                group: 0,
                index: i as u32,
            };
            let value = low.graph.input(slot);
            low.bind(*v, value);
        }
        let value = low.lower(alg, e);
        let f = Function {
            name: "f".into(),
            outputs: vec![value],
            checks: Vec::new(),
        };
        let program = Program {
            graph: low.graph,
            interface: Interface::default(),
            functions: Vec::new(),
        };
        Evaluator::new(&program, &f).run(self).unwrap()[0]
    }
}

impl Host for Place {
    fn slot(&self, slot: Slot) -> f64 {
        self.at[slot.index as usize]
    }
    fn call(&self, _function: u32, _args: &[f64]) -> Jet {
        unreachable!("no functions here")
    }
}

/// An expression that is defined everywhere, with its value at the place.
fn expression(alg: &mut Algebra, r: &mut Random, p: &Place, depth: u32) -> (Expr, Dual) {
    if depth == 0 || r.below(8) == 0 {
        return match r.below(5) {
            0 => (alg.var(p.vars[0]), Dual(p.at[0], 1.0)),
            1 => (alg.var(p.vars[1]), Dual(p.at[1], 0.0)),
            2 => (alg.var(p.vars[2]), Dual(p.at[2], 0.0)),
            3 => {
                let (n, d) = (r.below(9) as i64 - 4, 1 + r.below(4) as i64);
                (Expr::int(n) / Expr::int(d), Dual(n as f64 / d as f64, 0.0))
            }
            _ => {
                let k = r.below(25) as i64 - 12;
                let value = std::f64::consts::PI * k as f64 / 12.0;
                (alg.pi() * Expr::int(k) / Expr::int(12), Dual(value, 0.0))
            }
        };
    }
    let (a, u) = expression(alg, r, p, depth - 1);
    let one = Expr::one();
    let apply = |alg: &mut Algebra, k: Kernel, a: &Expr| alg.apply(k, vec![a.clone()]);
    // 1 + a^2, which has no zero.
    let safe = |e: &Expr, u: Dual| {
        (
            Expr::one() + e.powi(2),
            Dual(1.0 + u.0 * u.0, 2.0 * u.0 * u.1),
        )
    };
    match r.below(20) {
        kind @ 0..=7 => {
            let (b, v) = expression(alg, r, p, depth - 1);
            match kind {
                0 | 1 => (a + b, Dual(u.0 + v.0, u.1 + v.1)),
                2 => (a - b, Dual(u.0 - v.0, u.1 - v.1)),
                3 | 4 => (a * b, Dual(u.0 * v.0, u.1 * v.0 + u.0 * v.1)),
                5 => {
                    let (d, w) = safe(&b, v);
                    (
                        a / d,
                        Dual(u.0 / w.0, (u.1 * w.0 - u.0 * w.1) / (w.0 * w.0)),
                    )
                }
                6 => {
                    let (d, w) = safe(&b, v);
                    let n = w.0 * w.0 + u.0 * u.0;
                    let angle = alg.apply(Kernel::Atan2, vec![a, d]);
                    (angle, Dual(u.0.atan2(w.0), (u.1 * w.0 - u.0 * w.1) / n))
                }
                _ => {
                    let (base, w) = safe(&a, u);
                    let soft = apply(alg, Kernel::Tanh, &b);
                    let t = v.0.tanh();
                    let (e, de) = (t, (1.0 - t * t) * v.1);
                    let f = w.0.powf(e);
                    let power = alg.apply(Kernel::Pow, vec![base, soft]);
                    (power, Dual(f, f * (de * w.0.ln() + e * w.1 / w.0)))
                }
            }
        }
        8 | 9 => (apply(alg, Kernel::Sin, &a), u.map(u.0.sin(), u.0.cos())),
        10 | 11 => (apply(alg, Kernel::Cos, &a), u.map(u.0.cos(), -u.0.sin())),
        12 => {
            let (d, w) = safe(&a, u);
            (
                apply(alg, Kernel::Sqrt, &d),
                w.map(w.0.sqrt(), 0.5 / w.0.sqrt()),
            )
        }
        13 => {
            // sqrt(m^2 a^4 4/9)
            let inner = alg.var(p.vars[2]).powi(2) * a.powi(4) * Expr::int(4) / Expr::int(9);
            let f = p.at[2] * u.0 * u.0 * 2.0 / 3.0;
            (
                apply(alg, Kernel::Sqrt, &inner),
                u.map(f, p.at[2] * u.0 * 4.0 / 3.0),
            )
        }
        14 => {
            let (d, w) = safe(&a, u);
            (apply(alg, Kernel::Ln, &d), w.map(w.0.ln(), 1.0 / w.0))
        }
        15 => {
            let t = apply(alg, Kernel::Tanh, &a);
            let w = u.map(u.0.tanh(), 1.0 - u.0.tanh().powi(2));
            let half = t / Expr::int(2);
            let w = Dual(w.0 / 2.0, w.1 / 2.0);
            let slope = 1.0 / (1.0 - w.0 * w.0).sqrt();
            match r.below(4) {
                0 => (apply(alg, Kernel::Asin, &half), w.map(w.0.asin(), slope)),
                1 => (apply(alg, Kernel::Acos, &half), w.map(w.0.acos(), -slope)),
                2 => (
                    apply(alg, Kernel::Tan, &half),
                    w.map(w.0.tan(), 1.0 + w.0.tan().powi(2)),
                ),
                _ => (apply(alg, Kernel::Exp, &half), w.map(w.0.exp(), w.0.exp())),
            }
        }
        16 => (
            apply(alg, Kernel::Atan, &a),
            u.map(u.0.atan(), 1.0 / (1.0 + u.0 * u.0)),
        ),
        17 => {
            let t = apply(alg, Kernel::Tanh, &a);
            let w = u.map(u.0.tanh(), 1.0 - u.0.tanh().powi(2));
            match r.below(3) {
                0 => (apply(alg, Kernel::Sinh, &t), w.map(w.0.sinh(), w.0.cosh())),
                1 => (apply(alg, Kernel::Cosh, &t), w.map(w.0.cosh(), w.0.sinh())),
                _ => {
                    let sign = if w.0 > 0.0 {
                        1.0
                    } else if w.0 < 0.0 {
                        -1.0
                    } else {
                        0.0
                    };
                    let size = apply(alg, Kernel::Abs, &t);
                    let s = apply(alg, Kernel::Sign, &t);
                    (size + s, Dual(w.0.abs() + sign, sign * w.1))
                }
            }
        }
        18 => {
            let n = r.below(4) as i32 + 1;
            (
                a.powi(n),
                u.map(u.0.powi(n), f64::from(n) * u.0.powi(n - 1)),
            )
        }
        _ => {
            // Against a number that nothing else hits.
            let edge = Expr::int(37) / Expr::int(101);
            let e = 37.0 / 101.0;
            match r.below(3) {
                0 => (
                    alg.apply(Kernel::Min, vec![a, edge]),
                    if u.0 <= e { u } else { Dual(e, 0.0) },
                ),
                1 => (
                    alg.apply(Kernel::Max, vec![edge, a]),
                    if u.0 > e { u } else { Dual(e, 0.0) },
                ),
                _ => {
                    let twice = &a + &a;
                    let e2 = alg.apply(Kernel::ChoiceLess, vec![a, edge, twice, one]);
                    (
                        e2,
                        if u.0 < e {
                            Dual(2.0 * u.0, 2.0 * u.1)
                        } else {
                            Dual(1.0, 0.0)
                        },
                    )
                }
            }
        }
    }
}

fn close(what: &str, seed: u64, text: &str, found: f64, wanted: f64) {
    let scale = wanted.abs().max(1.0);
    assert!(
        (found - wanted).abs() <= 1e-8 * scale,
        "{what}, {seed}: {found} != {wanted} for {text}"
    );
}

/// A third, unless everything is asked for.
fn rounds(all: u64) -> u64 {
    if crate::is_thorough() { all } else { all / 3 }
}

#[test]
fn nothing_changes_the_value_of_an_expression() {
    with_session(|| {
        for seed in 0..rounds(300) {
            for threshold in [None, Some(2)] {
                let mut alg = Algebra::new(threshold);
                let p = Place::new(&mut alg, [0.37, -0.83, 1.21]);
                let mut r = Random(seed);
                let (e, u) = expression(&mut alg, &mut r, &p, 4);
                if u.0.abs() > 1e6 || u.1.abs() > 1e6 {
                    continue;
                }
                let text = alg.text(&e);
                close("as built", seed, &text, p.value(&alg, &e), u.0);
                let named = alg.define("named", &e * Expr::int(1));
                close("defined", seed, &text, p.value(&alg, &named), u.0);
                let flat = alg.inline(&named);
                close("written out", seed, &text, p.value(&alg, &flat), u.0);
                let simple = alg.simplify(&e);
                close("simplified", seed, &text, p.value(&alg, &simple), u.0);
                assert!(
                    // A root squared is not always known to be its argument.
                    text.contains("sqrt") || alg.equal(&simple, &e),
                    "{seed}: {text} became {}",
                    alg.text(&simple)
                );
                let wide = alg.expanded(&e);
                close("expanded", seed, &text, p.value(&alg, &wide), u.0);
                let back = alg.expr_of(&alg.node(&e));
                close("as a tree", seed, &text, p.value(&alg, &back), u.0);
                for whole in [&named, &simple] {
                    let slope = alg.partial(whole, p.vars[0]);
                    close("derivative", seed, &text, p.value(&alg, &slope), u.1);
                }
                if alg.is_zero(&e) {
                    close("zero", seed, &text, u.0, 0.0);
                }
                match alg.sign(&simple) {
                    Some(Sign::Positive) => assert!(u.0 > 0.0, "{seed}: {text}"),
                    Some(Sign::Negative) => assert!(u.0 < 0.0, "{seed}: {text}"),
                    Some(Sign::NonNegative) => assert!(u.0 >= 0.0, "{seed}: {text}"),
                    Some(Sign::NonPositive) => assert!(u.0 <= 0.0, "{seed}: {text}"),
                    Some(Sign::NonZero) => assert!(u.0 != 0.0, "{seed}: {text}"),
                    None => {}
                }
            }
        }
    })
    .unwrap();
}

#[test]
fn substitution_is_evaluation_elsewhere() {
    with_session(|| {
        for seed in 0..rounds(150) {
            for threshold in [None, Some(2)] {
                let mut alg = Algebra::new(threshold);
                let here = [0.37, -0.83, 1.21];
                let p = Place::new(&mut alg, here);
                let (e, _) = expression(&mut alg, &mut Random(seed), &p, 4);
                // x -> y*m - 1/3
                let new = alg.var(p.vars[1]) * alg.var(p.vars[2]) - Expr::one() / Expr::int(3);
                let there = [here[1] * here[2] - 1.0 / 3.0, here[1], here[2]];
                let moved = Place {
                    vars: p.vars,
                    at: there,
                };
                let (_, u) = expression(&mut alg, &mut Random(seed), &moved, 4);
                if u.0.abs() > 1e6 {
                    continue;
                }
                let text = alg.text(&e);
                let named = alg.define("named", e.clone());
                let map = BTreeMap::from([(p.vars[0], new.clone())]);
                let kept = alg.restrict(&named, &map, &mut Default::default());
                close("restricted", seed, &text, p.value(&alg, &kept), u.0);
                let x = p.vars[0];
                let with = |v| (v == x).then(|| new.clone());
                let flat = alg.substitute(&named, &with, &mut Default::default());
                close("substituted", seed, &text, p.value(&alg, &flat), u.0);
            }
        }
    })
    .unwrap();
}

#[test]
fn the_same_expression_is_the_same_text_whatever_came_before() {
    let run = |noise: u64| {
        with_session(move || {
            let mut before = Algebra::new(None);
            let q = Place::new(&mut before, [0.1, 0.2, 0.3]);
            for seed in 0..noise {
                expression(&mut before, &mut Random(1000 + seed), &q, 3);
            }
            let mut list = Vec::new();
            for seed in 0..60 {
                let mut alg = Algebra::new(None);
                let p = Place::new(&mut alg, [0.37, -0.83, 1.21]);
                let (e, _) = expression(&mut alg, &mut Random(seed), &p, 3);
                let simple = alg.simplify(&e);
                list.push(alg.text(&simple));
            }
            list
        })
        .unwrap()
    };
    assert_eq!(run(0), run(40));
}

#[test]
fn a_spent_budget_leaves_the_value_alone() {
    with_session(|| {
        for seed in 0..rounds(40) {
            let mut alg = Algebra::new(None);
            let p = Place::new(&mut alg, [0.37, -0.83, 1.21]);
            alg.limit_work(30);
            let (e, u) = expression(&mut alg, &mut Random(seed), &p, 4);
            if u.0.abs() > 1e6 {
                continue;
            }
            let simple = alg.simplify(&e);
            let text = alg.text(&e);
            close("simplified", seed, &text, p.value(&alg, &simple), u.0);
        }
    })
    .unwrap();
}

/// Entries that are numbers, symbols and small sums.
fn matrix(alg: &Algebra, p: &Place, r: &mut Random, n: usize, k: usize) -> Matrix {
    let entry = |r: &mut Random| match r.below(5) {
        0 | 1 => Expr::zero(),
        2 => Expr::int(r.below(7) as i64 - 3),
        3 => alg.var(p.vars[r.below(3) as usize]),
        _ => alg.var(p.vars[r.below(2) as usize]) + Expr::int(r.below(5) as i64 - 2),
    };
    (0..n).map(|_| (0..k).map(|_| entry(r)).collect()).collect()
}

/// Leibniz's formula.
fn leibniz(m: &Matrix) -> Expr {
    fn rec(m: &Matrix, row: usize, used: &mut Vec<usize>) -> Expr {
        if row == m.len() {
            let n = used.len();
            let crossed = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let odd = crossed.filter(|(i, j)| used[*i] > used[*j]).count() % 2 == 1;
            let product = used
                .iter()
                .enumerate()
                .fold(Expr::one(), |e, (i, j)| e * &m[i][*j]);
            return if odd { -product } else { product };
        }
        let mut sum = Expr::zero();
        for j in 0..m.len() {
            if !used.contains(&j) {
                used.push(j);
                sum = sum + rec(m, row + 1, used);
                used.pop();
            }
        }
        sum
    }
    rec(m, 0, &mut Vec::new())
}

/// A rotation, and what a quaternion's rates are of its angular velocity and its growth, are inverted by their transposes.
#[test]
fn orthogonal_rows_are_solved_by_transposition() {
    with_session(|| {
        for threshold in [None, Some(2)] {
            let mut alg = Algebra::new(threshold);
            let p = Place::new(&mut alg, [0.37, -0.83, 1.21]);
            let [px, py, pz] = p.vars.map(|v| alg.var(v));
            let (s, c) = alg.sin_cos(&px);
            let (t, d) = alg.sin_cos(&py);
            let rotation: Matrix = vec![
                vec![c.clone(), -&s * &d, &s * &t],
                vec![s.clone(), &c * &d, -&c * &t],
                vec![Expr::zero(), t, d],
            ];
            let identity = elim::identity(3);
            let solved = elim::solve(&mut alg, &rotation, &identity).unwrap();
            assert!(solved.pivots.is_empty());
            for (i, row) in solved.x.iter().enumerate() {
                for (j, e) in row.iter().enumerate() {
                    assert!(alg.equal(e, &rotation[j][i]));
                }
            }
            let one = Expr::one();
            let [x, y, z] = [&px, &py, &pz];
            let rates: Matrix = vec![
                vec![-x, one.clone(), z.clone(), -y],
                vec![-y, -z, one.clone(), x.clone()],
                vec![-z, y.clone(), -x, one.clone()],
                vec![one, x.clone(), y.clone(), z.clone()],
            ];
            let identity = elim::identity(4);
            let solved = elim::solve(&mut alg, &rates, &identity).unwrap();
            let square = Expr::one() + x * x + y * y + z * z;
            let product = solved.pivots.iter().fold(Expr::one(), |e, f| e * f);
            assert!(alg.equal(&product, &(&square * &square)));
            for (i, row) in solved.x.iter().enumerate() {
                for (j, e) in row.iter().enumerate() {
                    assert!(alg.equal(e, &(&rates[j][i] / &square)));
                }
            }
        }
    })
    .unwrap();
}

#[test]
fn solutions_solve_and_pivots_make_up_the_determinant() {
    with_session(|| {
        let (mut solved, mut refused) = (0, 0);
        for seed in 0..rounds(250) {
            for threshold in [None, Some(2)] {
                let mut alg = Algebra::new(threshold);
                let p = Place::new(&mut alg, [0.37, -0.83, 1.21]);
                let mut r = Random(seed);
                let n = 1 + r.below(5) as usize;
                let a = matrix(&alg, &p, &mut r, n, n);
                let b = matrix(&alg, &p, &mut r, n, 2);
                let d = leibniz(&a);
                let own = elim::determinant(&mut alg, &a);
                let own = alg.inline(&own);
                assert!(alg.equal(&own, &d), "{seed}: determinant of {a:?}");
                let order: Vec<usize> = (0..n).collect();
                let rank = elim::echelon(&alg, &a, &order).rank();
                assert_eq!(rank == n, !alg.is_zero(&d), "{seed}: rank of {a:?}");
                match elim::solve(&mut alg, &a, &b) {
                    None => {
                        refused += 1;
                        assert!(
                            alg.is_zero(&d) || alg.spent() > 0,
                            "{seed}: {a:?} is not singular"
                        );
                    }
                    Some(s) => {
                        solved += 1;
                        assert!(!alg.is_zero(&d));
                        for i in 0..n {
                            for c in 0..2 {
                                let left: Expr = (0..n).map(|j| &a[i][j] * &s.x[j][c]).sum();
                                assert!(alg.equal(&left, &b[i][c]), "{seed}: row {i} of {a:?}");
                            }
                        }
                        let product = s.pivots.iter().fold(Expr::one(), |e, f| e * f);
                        let ratio = alg.inline(&(product / &d));
                        let ratio = alg.simplify(&ratio);
                        assert!(
                            alg.as_number(&ratio).is_some(),
                            "{seed}: {}",
                            alg.text(&ratio)
                        );
                    }
                }
            }
        }
        assert!(solved > 100 && refused > 50, "{solved} {refused}");
    })
    .unwrap();
}
