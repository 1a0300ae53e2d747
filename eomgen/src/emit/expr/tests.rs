//! How operands go together, with every kind of scalar and of mathematics.

use super::*;

fn add(a: &Expr, b: &Expr) -> Expr {
    Expr::binary(Binary::Add, a, b, Math::Std)
}
fn sub(a: &Expr, b: &Expr) -> Expr {
    Expr::binary(Binary::Sub, a, b, Math::Std)
}
fn mul(a: &Expr, b: &Expr) -> Expr {
    Expr::binary(Binary::Mul, a, b, Math::Std)
}
fn div(a: &Expr, b: &Expr) -> Expr {
    Expr::binary(Binary::Div, a, b, Math::Std)
}
fn neg(a: &Expr) -> Expr {
    Expr::unary(Unary::Neg, a, Math::Std)
}

#[test]
fn parentheses_stand_where_the_order_needs_them() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(Expr::atom);
    let two = Expr::number(2.0, Scalar::F64);
    let minus = Expr::number(-0.5, Scalar::F64);
    let table = [
        (add(&add(&a, &b), &c), "a + b + c"),
        (add(&a, &add(&b, &c)), "b + c + a"),
        (add(&add(&a, &b), &add(&c, &d)), "a + b + (c + d)"),
        (sub(&a, &sub(&b, &c)), "a - (b - c)"),
        (sub(&a, &add(&b, &c)), "a - (b + c)"),
        (sub(&sub(&a, &b), &c), "a - b - c"),
        (mul(&a, &mul(&b, &c)), "b * c * a"),
        (mul(&mul(&a, &b), &mul(&c, &d)), "a * b * (c * d)"),
        (mul(&add(&a, &b), &c), "(a + b) * c"),
        (mul(&a, &div(&b, &c)), "a * (b / c)"),
        (mul(&div(&a, &b), &c), "(a / b) * c"),
        (div(&mul(&a, &b), &mul(&c, &d)), "a * b / (c * d)"),
        (div(&div(&a, &b), &c), "(a / b) / c"),
        (div(&a, &div(&b, &c)), "a / (b / c)"),
        (div(&neg(&mul(&a, &b)), &add(&c, &d)), "-(a * b) / (c + d)"),
        (neg(&div(&a, &b)), "-(a / b)"),
        (neg(&neg(&a)), "-(-a)"),
        (mul(&a, &neg(&b)), "a * -b"),
        (sub(&a, &neg(&b)), "a - -b"),
        (mul(&a, &two), "2.0 * a"),
        (mul(&mul(&a, &b), &two), "2.0 * (a * b)"),
        (add(&a, &minus), "a - 0.5"),
        (add(&minus, &a), "a - 0.5"),
        (sub(&a, &minus), "a + 0.5"),
        (add(&a, &mul(&minus, &b)), "a - 0.5 * b"),
        (add(&mul(&minus, &b), &a), "a - 0.5 * b"),
        (sub(&a, &mul(&minus, &b)), "a + 0.5 * b"),
        (
            add(&mul(&minus, &a), &mul(&minus, &b)),
            "-0.5 * a - 0.5 * b",
        ),
        (mul(&Expr::given("p.m"), &a), "p.m * a"),
        (mul(&a, &Expr::given("p.m")), "p.m * a"),
    ];
    for (expr, text) in table {
        assert_eq!(expr.text(), text);
    }
}

#[test]
fn methods_bind_to_what_they_are_given() {
    let [a, b] = ["a", "b"].map(Expr::atom);
    let sin = |e: &Expr| Expr::unary(Unary::Sin, e, Math::Std).to_string();
    assert_eq!(sin(&a), "a.sin()");
    assert_eq!(sin(&add(&a, &b)), "(a + b).sin()");
    assert_eq!(sin(&neg(&a)), "(-a).sin()");
    assert_eq!(sin(&Expr::number(2.0, Scalar::F64)), "2.0_f64.sin()");
    assert_eq!(sin(&Expr::number(-2.0, Scalar::F64)), "(-2.0_f64).sin()");
    assert_eq!(
        neg(&Expr::unary(Unary::Sin, &a, Math::Std)).text(),
        "-a.sin()"
    );
    let ln = Expr::unary(Unary::Ln, &add(&a, &b), Math::Libm);
    assert_eq!(ln.text(), "libm::log(a + b)");
    let power = Expr::binary(Binary::Pow, &a, &b, Math::Std);
    assert_eq!(power.text(), "a.powf(b)");
    let least = Expr::binary(Binary::Min, &a, &add(&a, &b), Math::Libm);
    assert_eq!(least.text(), "a.min(a + b)");
    assert!(!least.fits_into(Some(Binary::Max)) && least.fits_into(Some(Binary::Add)));
}

#[test]
fn other_scalars_have_their_own_numbers_and_functions() {
    let [a, b] = ["a", "b"].map(Expr::atom);
    let style = |math, scalar| Style {
        math,
        scalar,
        ..Style::default()
    };
    let single = style(Math::Std, Scalar::F32);
    let number = Expr::number(-0.1, Scalar::F32);
    assert_eq!(
        Expr::unary(Unary::Sin, &number, single).text(),
        "(-0.1_f32).sin()"
    );
    let libm = style(Math::Libm, Scalar::F32);
    assert_eq!(Expr::unary(Unary::Ln, &a, libm).text(), "libm::logf(a)");
    assert_eq!(
        Expr::binary(Binary::Pow, &a, &b, libm).text(),
        "libm::powf(a, b)"
    );
    let generic = style(Math::Libm, Scalar::Generic);
    let minus = Expr::number(-0.5, Scalar::Generic);
    let sum = Expr::binary(Binary::Add, &a, &minus, generic);
    assert_eq!(sum.text(), "a - T::from_f64(0.5)");
    let product = Expr::binary(Binary::Mul, &a, &minus, generic);
    assert_eq!(product.text(), "T::from_f64(-0.5) * a");
    assert_eq!(
        Expr::unary(Unary::Neg, &minus, generic).text(),
        "T::from_f64(0.5)"
    );
    assert_eq!(
        Expr::unary(Unary::Sign, &sum, generic).text(),
        "(a - T::from_f64(0.5)).sign()"
    );
    assert_eq!(minus.annotation(Scalar::Generic), None);
    assert_eq!(number.annotation(Scalar::F32), Some("f32"));
}

#[test]
fn sines_of_the_module_are_pairs() {
    let a = Expr::atom("a");
    let sin = Expr::unary(Unary::Sin, &a, Math::Inline);
    assert_eq!(sin.text(), "sincos(a).0");
    assert_eq!(neg(&sin).text(), "-sincos(a).0");
    assert_eq!(
        Expr::unary(Unary::Cos, &a, Math::Inline).text(),
        "sincos(a).1"
    );
    assert_eq!(Expr::sin_cos(&a, Math::Inline).text(), "sincos(a)");
    assert_eq!(Expr::unary(Unary::Tan, &a, Math::Inline).text(), "a.tan()");
    let generic = Style {
        math: Math::Inline,
        scalar: Scalar::Generic,
        ..Style::default()
    };
    assert_eq!(Expr::unary(Unary::Sin, &a, generic).text(), "a.sin()");
}

#[test]
fn sums_with_products_are_fused_where_asked_for() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(Expr::atom);
    let style = Style {
        fma: true,
        ..Style::default()
    };
    let plus = |x: &Expr, y: &Expr| Expr::binary(Binary::Add, x, y, style);
    let minus = |x: &Expr, y: &Expr| Expr::binary(Binary::Sub, x, y, style);
    let half = Expr::number(-0.5, Scalar::F64);
    let table = [
        (plus(&mul(&a, &b), &c), "f64::mul_add(a, b, c)"),
        (plus(&c, &mul(&a, &b)), "f64::mul_add(a, b, c)"),
        (minus(&mul(&a, &b), &c), "f64::mul_add(a, b, -c)"),
        (minus(&c, &mul(&a, &b)), "f64::mul_add(-a, b, c)"),
        (
            minus(&mul(&a, &b), &mul(&c, &d)),
            "f64::mul_add(-c, d, a * b)",
        ),
        (
            plus(&mul(&a, &b), &mul(&c, &d)),
            "f64::mul_add(c, d, a * b)",
        ),
        (minus(&c, &mul(&half, &b)), "f64::mul_add(0.5, b, c)"),
        (minus(&mul(&a, &b), &half), "f64::mul_add(a, b, 0.5)"),
        (
            minus(&d, &mul(&mul(&a, &b), &c)),
            "f64::mul_add(-(a * b), c, d)",
        ),
        (
            minus(&mul(&a, &b), &add(&c, &d)),
            "f64::mul_add(a, b, -(c + d))",
        ),
        (
            plus(&add(&a, &b), &mul(&neg(&c), &d)),
            "f64::mul_add(-c, d, a + b)",
        ),
        (minus(&a, &mul(&neg(&c), &d)), "f64::mul_add(-(-c), d, a)"),
        (plus(&a, &b), "a + b"),
        (minus(&a, &div(&b, &c)), "a - b / c"),
    ];
    for (expr, text) in table {
        assert_eq!(expr.text(), text);
    }
    let libm = Style {
        math: Math::Libm,
        ..style
    };
    let sum = Expr::binary(Binary::Add, &mul(&a, &b), &c, libm);
    assert_eq!(sum.text(), "libm::fma(a, b, c)");
}

#[test]
fn chains_are_not_deep() {
    let [a, b, c] = ["a", "b", "c"].map(Expr::atom);
    assert_eq!(a.depth, 0);
    assert_eq!(mul(&mul(&a, &b), &c).depth, 1);
    assert_eq!(neg(&mul(&a, &b)).depth, 1);
    assert_eq!(add(&mul(&a, &b), &mul(&b, &c)).depth, 2);
    assert_eq!(div(&neg(&mul(&a, &b)), &add(&b, &c)).depth, 2);
    assert!(
        Expr::number(2.0, Scalar::F64).is_atom() && neg(&a).is_atom() && !add(&a, &b).is_atom()
    );
}
