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
