//! Tests of the algebra on identities known from textbooks. Each runs in a session: without a licence key
//! the engine serves one thread at a time.

use super::*;

fn session(test: impl FnOnce() + Send + 'static) {
    crate::host::with_session(test).unwrap();
}

fn setup() -> (Algebra, Expr, Expr, Expr, Expr) {
    let mut a = Algebra::new(None);
    let m1 = a.base("m1", Class::Parameter, Some(Sign::Positive));
    let m2 = a.base("m2", Class::Parameter, Some(Sign::Positive));
    let th = a.base("theta", Class::Coordinate, None);
    let u = a.base("u", Class::Speed, None);
    let e = |v| a.var(v);
    let (m1, m2, th, u) = (e(m1), e(m2), e(th), e(u));
    (a, m1, m2, th, u)
}

#[test]
fn pythagoras_reduces() {
    session(|| {
        let (mut a, m1, m2, th, _) = setup();
        let (s, c) = a.sin_cos(&th);
        let e = &m1 * s.powi(2) + &m1 * c.powi(2) + &m2;
        assert_eq!(a.simplify(&e), &m1 + &m2);
        let f = (Expr::one() - c.powi(2)) / &s;
        assert_eq!(a.simplify(&f), s);
        let g = &m1 + &m2 - &m2 * c.powi(2);
        assert!(a.is_nonzero(&g));
        assert!(!a.is_nonzero(&s));
    });
}

#[test]
fn divisors_of_one_value_are_written_in_one_way() {
    session(|| {
        let (mut a, m1, m2, th, u) = setup();
        let (s, c) = a.sin_cos(&th);
        // m1 + m2 sin^2, as it is, multiplied out by the other circle, and with the opposite sign.
        let short = &m1 + &m2 * s.powi(2);
        let long = &m1 + &m2 - &m2 * c.powi(2);
        let before = [&u / &short, &s / &long, Expr::one() / (-&long), &u / &m1];
        let mut list = before.clone();
        a.unify_divisors(&mut list);
        let mut found: Vec<Expr> = list.iter().flat_map(|e| a.divisors(e)).collect();
        found.dedup();
        assert_eq!(found, [short, m1]);
        for (x, y) in before.iter().zip(&list) {
            assert!(a.equal(x, y));
        }
    });
}

#[test]
fn root_of_square_stays() {
    session(|| {
        let (mut a, _, _, th, _) = setup();
        let r = a.apply(Kernel::Sqrt, vec![th.powi(2)]);
        assert_ne!(r, th);
        assert_eq!(a.text(&r), "sqrt(theta^2)");
        let sq = &r * &r;
        assert_eq!(a.simplify(&sq), th.powi(2));
    });
}

#[test]
fn derivative_goes_through_definitions() {
    session(|| {
        let mut a = Algebra::new(Some(1));
        let x = a.base("x", Class::Coordinate, None);
        let xe = a.var(x);
        let (s, _) = a.sin_cos(&xe);
        let v = a.define("v", &s * &xe + Expr::one());
        let w = a.define("w", v.powi(2) * &xe);
        let d = a.partial(&w, x);
        let flat = a.inline(&d);
        // w = (x sin x + 1)^2 x, w' = 2 (x sin x + 1)(sin x + x cos x) x + (x sin x + 1)^2
        let (s, c) = a.sin_cos(&xe);
        let k = &xe * &s + Expr::one();
        let expect = Expr::int(2) * &k * (&s + &xe * &c) * &xe + k.powi(2);
        assert!(a.equal(&flat, &expect));
        assert!(!a.equal(&flat, &k));
    });
}

#[test]
fn dependence_is_known_through_definitions_and_kernels() {
    session(|| {
        let mut a = Algebra::new(Some(1));
        let [x, y, z] = ["x", "y", "z"].map(|name| a.base(name, Class::Coordinate, None));
        let [xe, ye, ze] = [x, y, z].map(|v| a.var(v));
        let (s, _) = a.sin_cos(&(&xe + &ye));
        let v = a.define("v", &s * &xe + Expr::one());
        let w = a.define("w", v.powi(2) * &ze);
        let of = |a: &Algebra, e: &Expr| [x, y, z].map(|b| a.depends(e, &|v| v == b));
        assert_eq!(of(&a, &v), [true, true, false]);
        assert_eq!(of(&a, &w), [true, true, true]);
        assert!(a.partial(&v, z).is_literal_zero());
        // By a symbol that is a definition: what is differentiated is the place where it stands.
        let inner = a.as_var(&v).unwrap();
        let by_definition = a.partial(&w, inner);
        let by_definition = a.inline(&by_definition);
        let expect = a.inline(&(Expr::int(2) * &v * &ze));
        assert!(a.equal(&by_definition, &expect));
        for (b, e) in [(x, &xe), (y, &ye), (z, &ze)] {
            let d = a.partial(&w, b);
            assert!(!d.is_literal_zero(), "{}", a.text(e));
        }
    });
}

#[test]
fn angles_resolve() {
    session(|| {
        let (mut a, _, _, th, _) = setup();
        let pi = a.pi();
        let (s, c) = a.sin_cos(&(&th + pi.clone() / Expr::int(2)));
        let (s0, c0) = a.sin_cos(&th);
        assert_eq!(s, c0);
        assert_eq!(c, -s0.clone());
        let (s2, _) = a.sin_cos(&(Expr::int(2) * &th));
        assert!(a.equal(&s2, &(Expr::int(2) * s0 * c0)));
        let (s6, _) = a.sin_cos(&(pi / Expr::int(6)));
        assert_eq!(s6, Expr::one() / Expr::int(2));
    });
}

#[test]
fn text_is_in_model_order() {
    session(|| {
        let (mut a, m1, m2, th, u) = setup();
        let (s, _) = a.sin_cos(&th);
        let e = &u * &u * &m1 * &s - &m2 / (&m1 + &m2);
        assert_eq!(a.text(&e), "m1*sin(theta)*u^2 - m2/(m1 + m2)");
    });
}

/// sin(k pi/12) where it is known in square roots of 2 and 3: the table of every textbook.
#[test]
fn sines_of_twelfths() {
    session(|| {
        let mut a = Algebra::new(None);
        let pi = a.pi();
        let two = a.apply(Kernel::Sqrt, vec![Expr::int(2)]);
        let three = a.apply(Kernel::Sqrt, vec![Expr::int(3)]);
        let half = Expr::one() / Expr::int(2);
        let table = [
            (0, Expr::zero()),
            (2, half.clone()),
            (3, &two * &half),
            (4, &three * &half),
            (6, Expr::one()),
            (8, &three * &half),
            (9, &two * &half),
            (10, half.clone()),
            (12, Expr::zero()),
            (14, -&half),
            (15, -(&two * &half)),
            (18, Expr::int(-1)),
            (21, -(&two * &half)),
            (26, half.clone()),
            (-2, -&half),
            (-6, Expr::int(-1)),
            (-16, &three * &half),
        ];
        for (k, sine) in table {
            let (s, c) = a.sin_cos(&(&pi * Expr::int(k) / Expr::int(12)));
            assert_eq!(s, sine, "{k}");
            // The cosine is the sine a quarter turn on.
            let (next, _) = a.sin_cos(&(&pi * Expr::int(k + 6) / Expr::int(12)));
            assert_eq!(c, next, "{k}");
        }
    });
}

#[test]
fn roots_of_squares_of_known_sign() {
    session(|| {
        let mut a = Algebra::new(None);
        let p = a.base("p", Class::Parameter, Some(Sign::Positive));
        let n = a.base("n", Class::Parameter, Some(Sign::Negative));
        let x = a.base("x", Class::Coordinate, None);
        let (p, n, x) = (a.var(p), a.var(n), a.var(x));
        for (inside, text) in [
            (p.powi(2) * x.powi(2) * Expr::int(4), "2*p*sqrt(x^2)"),
            (p.powi(3) / Expr::int(9), "p*sqrt(p)/3"),
            (Expr::int(8) * p.powi(4), "p^2*sqrt(8)"),
            (n.powi(2), "sqrt(n^2)"),
            (&p / x.powi(2), "sqrt(p/x^2)"),
        ] {
            let root = a.apply(Kernel::Sqrt, vec![inside.clone()]);
            assert_eq!(a.text(&root), text);
            // Roots of quotients are not resolved again; that costs terms, not truth.
            if !text.contains('/') {
                let square = &root * &root;
                assert_eq!(a.simplify(&square), a.simplify(&inside));
            }
        }
    });
}

#[test]
fn signs_follow_from_assumptions() {
    session(|| {
        let mut a = Algebra::new(None);
        let p = a.base("p", Class::Parameter, Some(Sign::Positive));
        let w = a.base("w", Class::Parameter, Some(Sign::NonNegative));
        let n = a.base("n", Class::Parameter, Some(Sign::Negative));
        let z = a.base("z", Class::Parameter, Some(Sign::NonZero));
        let x = a.base("x", Class::Coordinate, None);
        let [p, w, n, z, x] = [p, w, n, z, x].map(|v| a.var(v));
        for (e, sign) in [
            (&p + &w, Some(Sign::Positive)),
            (&p - &n, Some(Sign::Positive)),
            (&p + &n, None),
            (&w * &n, Some(Sign::NonPositive)),
            (&p * &n * &z.powi(2), Some(Sign::Negative)),
            (z.powi(3), Some(Sign::NonZero)),
            (x.powi(2), Some(Sign::NonNegative)),
            (x.powi(2) + &p, Some(Sign::Positive)),
            (&w * &x, None),
            (-(&w * x.powi(2)), Some(Sign::NonPositive)),
        ] {
            assert_eq!(a.sign(&e), sign, "{}", a.text(&e));
        }
        assert!(a.is_nonzero(&(&p * &z / &n)));
        assert!(!a.is_nonzero(&(&p * &x)));
        a.assume(&x - Expr::int(2), Sign::NonZero);
        assert!(a.is_nonzero(&(&p * (Expr::int(2) - &x))));
    });
}

#[test]
fn an_assumption_is_found_among_many_in_any_form() {
    session(|| {
        let mut a = Algebra::new(None);
        let symbols: Vec<Expr> = (0..40)
            .map(|k| {
                let v = a.base(&format!("x{k}"), Class::Coordinate, None);
                a.var(v)
            })
            .collect();
        let signs = [Sign::Positive, Sign::Negative, Sign::NonNegative];
        for (k, x) in symbols.iter().enumerate() {
            a.assume(
                x.powi(2) + x * Expr::int(2) - Expr::int(k as i64),
                signs[k % 3],
            );
        }
        for (k, x) in symbols.iter().enumerate() {
            let number = Expr::int(1 + k as i64);
            let factored = (x + Expr::one()).powi(2) - &number;
            assert_eq!(a.sign(&factored), Some(signs[k % 3]), "{k}");
            let opposite = [Sign::Negative, Sign::Positive, Sign::NonPositive][k % 3];
            assert_eq!(
                a.sign(&(number - (x + Expr::one()).powi(2))),
                Some(opposite),
                "{k}"
            );
            assert_eq!(
                a.sign(&(x.powi(2) + x * Expr::int(2) - Expr::int(50))),
                None,
                "{k}"
            );
        }
    });
}

/// Terms that share a kernel stay together: the slopes are the same expressions, not only equal ones.
#[test]
fn the_slopes_of_a_sum_are_those_of_its_terms() {
    session(|| {
        let mut a = Algebra::new(Some(2));
        let symbols: Vec<Var> = (0..12)
            .map(|k| a.base(&format!("q{k}"), Class::Coordinate, None))
            .collect();
        let m = a.base("m", Class::Parameter, Some(Sign::Positive));
        let mut sum = Expr::zero();
        for pair in symbols.windows(2) {
            let gap = a.var(pair[0]) - a.var(pair[1]);
            let gap = a.define("gap", gap);
            let length = a.apply(Kernel::Sqrt, vec![gap.powi(2) + Expr::one()]);
            sum = sum + a.var(m) * &length + length.powi(2);
        }
        let summed = Summed::new(&a, sum.clone());
        for v in symbols.iter().chain([&m]) {
            let whole = a.partial(&sum, *v);
            assert!(!whole.is_literal_zero());
            assert_eq!(summed.partial(&mut a, *v), whole, "{}", a.info(*v).name);
        }
        let other = a.base("other", Class::Coordinate, None);
        assert!(summed.partial(&mut a, other).is_literal_zero());
    });
}

/// `exp(4) - 1` and `pi - 3` vanish for no state; what rounding may have left of nothing has no sign.
#[test]
fn constants_have_signs() {
    session(|| {
        let mut a = Algebra::new(None);
        let x = a.base("x", Class::Coordinate, None);
        let x = a.var(x);
        let exp = a.apply(Elementary::Exp, vec![Expr::int(4)]);
        let ln = a.apply(Elementary::Ln, vec![Expr::int(10)]);
        let back = a.apply(Elementary::Exp, vec![ln.clone()]);
        let pi = a.pi();
        assert_eq!(a.sign(&(&exp - Expr::one())), Some(Sign::Positive));
        assert_eq!(a.sign(&(Expr::int(3) - &pi)), Some(Sign::Negative));
        assert_eq!(a.sign(&(back - Expr::int(10))), None);
        assert_eq!(a.sign(&(&pi - &x)), None);
        assert!(a.is_nonzero(&((&exp - Expr::int(50)) * x.powi(2).powi(-1))));
        assert!(!a.is_nonzero(&((&exp - Expr::int(50)) * &x)));
    });
}

/// What takes both signs at states drawn at random vanishes somewhere, but for poles, jumps, and what is assumed not to vanish.
#[test]
fn states_drawn_at_random_disprove() {
    session(|| {
        let mut a = Algebra::new(None);
        let p = a.base("p", Class::Parameter, Some(Sign::Positive));
        let z = a.base("z", Class::Parameter, Some(Sign::NonZero));
        let x = a.base("x", Class::Coordinate, None);
        let y = a.base("y", Class::Coordinate, None);
        let [p, z, x, y] = [p, z, x, y].map(|v| a.var(v));
        let (s, c) = a.sin_cos(&x);
        assert!(a.changes_sign(&(&x * &y + &p)));
        assert!(a.changes_sign(&(&s + &c * &x)));
        assert!(a.is_somewhere_negative(&x));
        for certain in [
            Expr::one() / &x,
            (&p + x.powi(2)) / &c,
            (&s * &s + &c * &c) / &s,
            &z + &z * x.powi(2),
        ] {
            assert!(a.is_nonzero(&certain), "{}", a.text(&certain));
        }
        let name = a.name("d", &x * &y - &p);
        assert!(a.changes_sign(&name));
        a.certify(&name, Sign::NonZero);
        assert!(a.is_nonzero(&(&name * &p)));
        // Of a unit quaternion 2 e0^2 - 2 is never positive.
        let e = ["e0", "e1", "e2", "e3"]
            .map(|name| a.base(name, Class::Coordinate, None))
            .map(|v| a.var(v));
        let norm = e.iter().fold(Expr::zero(), |sum, e| sum + e.powi(2));
        a.declare_unit(norm);
        assert!(a.changes_sign(&(&e[0] * &e[1] - &e[2] * &e[3])));
        assert!(!a.is_somewhere_negative(&(Expr::int(1) - e[0].powi(2))));
        assert!(!a.changes_sign(&(Expr::int(2) - e[0].powi(2) - e[1].powi(2))));
    });
}

#[test]
fn sines_of_sums_and_multiples() {
    session(|| {
        let mut a = Algebra::new(None);
        let x = a.base("x", Class::Coordinate, None);
        let y = a.base("y", Class::Coordinate, None);
        let (x, y) = (a.var(x), a.var(y));
        let (sx, cx) = a.sin_cos(&x);
        let (sy, cy) = a.sin_cos(&y);
        let (s, c) = a.sin_cos(&(&x - &y));
        assert!(a.equal(&s, &(&sx * &cy - &cx * &sy)));
        assert!(a.equal(&c, &(&cx * &cy + &sx * &sy)));
        let (s3, c3) = a.sin_cos(&(Expr::int(-3) * &x));
        assert!(a.equal(&s3, &(Expr::int(4) * sx.powi(3) - Expr::int(3) * &sx)));
        assert!(a.equal(&c3, &(Expr::int(4) * cx.powi(3) - Expr::int(3) * &cx)));
    });
}

/// `sqrt(x^2)` is `x` at about half of the places, whatever field they are taken from.
#[test]
fn roots_of_squares_are_not_the_quantities() {
    session(|| {
        for threshold in [None, Some(3)] {
            let mut a = Algebra::new(threshold);
            for k in 0..12 {
                let x = a.base(&format!("x{k}"), Class::Coordinate, None);
                let x = a.var(x);
                let root = a.apply(Kernel::Sqrt, vec![x.powi(2)]);
                assert!(!a.is_zero(&(&root - &x)), "{k}");
                assert!(!a.is_zero(&(&root + &x)), "{k}");
                assert!(a.is_zero(&(root.powi(2) - x.powi(2))), "{k}");
            }
            let three = a.apply(Kernel::Sqrt, vec![Expr::int(3)]);
            assert!(a.is_zero(&(three.powi(2) - Expr::int(3))));
            assert!(!a.is_zero(&(three + Expr::int(1))));
        }
    });
}

/// Powers of the sine of a difference of two angles are powers on both circles at once.
#[test]
fn powers_of_a_sine_of_a_difference_are_powers() {
    session(|| {
        let (mut a, _, _, th, u) = setup();
        let ph = a.base("phi", Class::Coordinate, None);
        let ph = a.var(ph);
        let (s, c) = a.sin_cos(&th);
        let (t, d) = a.sin_cos(&ph);
        let sine = &s * &d - &c * &t;
        for k in 2..=7 {
            let q = a.quotient(&sine.powi(k).expand());
            let circles = a.circle_positions(&q.num);
            let reduce = |p, c: &(usize, usize)| poly::reduce_circle(&p, *c, true);
            let reduced = circles.iter().fold(q.num, reduce);
            let e = Expr(symbolica::atom::AtomCore::expand(&reduced.to_expression()));
            assert_eq!(a.factors(&e), std::slice::from_ref(&sine), "{k}");
            let found = a.simplify(&(&u / &e));
            assert!(a.equal(&found, &(&u / sine.powi(k))));
        }
    });
}

/// `sin(q)` is made of `sin(q + c)` where that is the angle of a joint, so that one relation holds between all sines of q.
#[test]
fn sines_of_a_mounted_coordinate_are_those_of_the_sum() {
    session(|| {
        let (mut a, k, ..) = setup();
        let v = a.base("psi", Class::Coordinate, None);
        let q = a.var(v);
        let mount = k;
        a.mount(v, &mount);
        let (s, c) = a.sin_cos(&(&q + &mount));
        assert!(a.as_var(&s).is_some() && a.as_var(&c).is_some());
        let (ms, mc) = a.sin_cos(&mount);
        let (own_s, own_c) = a.sin_cos(&q);
        assert!(a.equal(&own_s, &(&s * &mc - &c * &ms)));
        assert!(a.equal(&own_c, &(&c * &mc + &s * &ms)));
        let (double, _) = a.sin_cos(&(Expr::int(2) * &q));
        assert!(a.equal(&double, &(Expr::int(2) * &own_s * &own_c)));
        let (opposite, _) = a.sin_cos(&-&(&q + &mount));
        assert!(a.equal(&opposite, &-&s));
        // A right angle is exact, and no mount.
        let w = a.base("chi", Class::Coordinate, None);
        let quarter = a.pi() / Expr::int(2);
        a.mount(w, &quarter);
        let w = a.var(w);
        let (s, _) = a.sin_cos(&(&w + &quarter));
        let (_, c) = a.sin_cos(&w);
        assert!(a.as_var(&c).is_some() && a.equal(&s, &c));
    });
}

/// Where each definition holds the one before twice and none can be simplified, the tenth would have a thousand times the size of the first.
#[test]
fn what_is_too_long_to_be_simplified_gets_a_name() {
    session(|| {
        let mut a = Algebra::new(None);
        let bases: Vec<Expr> = (0..24)
            .map(|k| {
                let v = a.base(&format!("x{k}"), Class::Coordinate, None);
                a.var(v)
            })
            .collect();
        // Twelve factors of two terms, ten times over: 40,960 terms when multiplied out.
        let product = |k: i64| {
            let factors = bases.chunks(2).map(|b| &b[0] + Expr::int(k) * &b[1]);
            factors.fold(Expr::one(), |p, f| p * f)
        };
        let mut e = (1..=10).fold(Expr::zero(), |sum, k| sum + product(k));
        for k in 0..20 {
            e = a.define(&format!("step{k}"), &e * (&e + &bases[k]));
            assert!(k > 0 || a.as_var(&e).is_some());
            assert!(a.node(&e).size() < 1000, "step {k}");
        }
        assert!(a.is_closed());
    });
}

/// `(m1 sin - m2 cos)^2` is a square in no form in which one of the two has no squares; nor are its powers.
#[test]
fn powers_of_a_sum_of_sine_and_cosine_are_powers() {
    session(|| {
        let (mut a, m1, m2, th, u) = setup();
        let (s, c) = a.sin_cos(&th);
        let sum = &m1 * &s - &m2 * &c;
        for k in 2..=6 {
            // As elimination leaves it: without squares of the sine.
            let (q, circle) = {
                let q = a.quotient(&sum.powi(k).expand());
                let circle = a.circle_positions(&q.num)[0];
                (q, circle)
            };
            let reduced = poly::reduce_circle(&q.num, circle, true);
            let e = Expr(symbolica::atom::AtomCore::expand(&reduced.to_expression()));
            let found = a.simplify(&(&u / &e));
            assert_eq!(
                a.factors(&e),
                std::slice::from_ref(&sum),
                "{k}: {}",
                a.text(&found)
            );
            assert!(a.equal(&found, &(&u / sum.powi(k))));
        }
        // With terms that keep it from being one, the shorter form stays.
        let e = &m1 + &m2 * s.powi(2);
        assert_eq!(a.simplify(&e), e);
    });
}

#[test]
fn what_is_turned_and_turned_back_is_what_it_was() {
    session(|| {
        let mut a = Algebra::new(Some(2));
        let [th, ph, u] = ["theta", "phi", "u"].map(|name| {
            let v = a.base(name, Class::Coordinate, None);
            a.var(v)
        });
        let (s, c) = a.sin_cos(&th);
        let (_, other) = a.sin_cos(&ph);
        let part = a.define("part", &u * &other + &u.powi(2));
        let x = a.define("x", &c * &part - &s * &u);
        let y = a.define("y", &s * &part + &c * &u);
        assert_eq!(a.define("back", &c * &x + &s * &y), part);
        assert_eq!(a.define("minus", &s * &x - &c * &y), -&u);
        // The same with a quotient that can be taken out: what is known has no poles.
        let smuggled = (&x * &c * &part + &y * &s * &part) / &part;
        assert_eq!(a.define("quotient", smuggled), part);
        // What has poles is not put in place of anything: where they are can be seen from it as it is written.
        let pole = a.define("pole", &u / (&part + &c));
        let sum = &part + &c;
        let again = (&u * &part + &u * &c) / &(&sum * &sum);
        assert!(a.equal(&again, &pole));
        assert_ne!(a.define("again", again), pole);
        // Nor is what is written with something else that cancels: it would come back where it was taken out.
        let twice = u.powi(2) * &other;
        let hidden = &twice + &(&(&th + &Expr::one()) * &u) - &th * &u;
        let hidden = a.define("hidden", hidden);
        let plain = a.define("plain", &twice + &u);
        assert_ne!(plain, hidden);
        assert!(a.equal(&plain, &hidden));
        // An angle whose sines and cosines cancel is gone, whatever else there is.
        let circle = &pole * &c.powi(2) + &pole * &s.powi(2) + &twice * &u;
        let short = a.define("short", circle);
        let expected = a.define("expected", &pole + &twice * &u);
        assert_eq!(short, expected);
        // Nor are roots: with one sign of theirs an equation may hold that does not hold with the other.
        let root = a.apply(Kernel::Sqrt, vec![th.powi(2)]);
        assert_ne!(a.define("root", &root + &u * &part), part);
    });
}
