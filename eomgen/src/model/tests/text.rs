//! Expressions as text, and text as expressions in the scope of a system.

use super::system;
use crate::diag;
use crate::model::system::{Comparison, Condition, CoordId, Quantity, Rational, Scalar};
use crate::model::{System, parse_scalar};

fn scope() -> System {
    system(
        "model scope\nparam a, b : m\ncoord x, y : m\ninput F : N\nfunction h(x, y, t) : m\n\
         let r = sqrt(x^2 + y^2)\nlet d = x*N.x + y*N.y\nframe B = rotate(N, x/a, N.z)\n\
         point P = O + d\nparticle A: mass 1 [kg] at P\nspeed u = x'\n",
    )
}

#[test]
fn text_reads_back_as_the_same_expression() {
    let s = scope();
    for text in [
        "a + b - (x - y)",
        "a - (b + x)",
        "-x^2",
        "(-x)^2",
        "x^y^2",
        "(x^y)^2",
        "x^(-2)",
        "x^(a*b)",
        "-(a*b)",
        "-a*b",
        "a*-b",
        "a - -b",
        "a/(b*x)",
        "a/b*x",
        "a/(b/x)",
        "a*(b + x)",
        "(a + b)/2.5",
        "x'^2 + x''*u'",
        "r' + h + h(a, b, 0)",
        "sin(x)*atan2(x, y)^2",
        "min(a, b) - max(x, F)",
        "pi*t",
        "dot(vel(P), N.x)",
        "dot(acc(P, B), cross(N.x, angvel(B)))",
        "norm(dt(d, B) - 2*(P - O))",
        "dot(angacc(B, N), -d)",
        "dot(a*(N.x + N.y), 1/b*B.z)",
        "dot((a + b)*N.x, -(a*N.x))",
    ] {
        let scalar = parse_scalar(&s, text).unwrap();
        let written = s.scalar_text(&scalar);
        // `angacc(B, N)` is written `angacc(B)`; otherwise text comes back letter by letter.
        assert_eq!(written, text.replace(", N)", ")"), "{text}");
        assert_eq!(parse_scalar(&s, &written), Ok(scalar), "{text}");
    }
}

#[test]
fn what_has_no_letters_of_its_own() {
    let s = scope();
    for (text, expected) in [
        ("mag(d)", "norm(d)"),
        ("log(x)", "ln(x)"),
        ("dot(d/a, N.x)", "dot(1/a*d, N.x)"),
        ("min(a, b, x)", "min(min(a, b), x)"),
        ("h(x, y, t)", "h"),
        ("30 [deg]", "30*(pi/180)"),
        ("5 [mm]", "0.005"),
        ("(x)", "x"),
        ("dot(vel(A), N.x)", "dot(vel(P), N.x)"),
        ("3 [rev/min]", "3*(pi/30)"),
        ("1 [rev]", "1*(2*pi)"),
        ("1 [N*m/deg]", "1*(180/pi)"),
    ] {
        let scalar = parse_scalar(&s, text).unwrap();
        assert_eq!(s.scalar_text(&scalar), expected);
    }
    let third = Scalar::Number(Rational::new(1.into(), 3.into()));
    let x = || Box::new(Scalar::Coord(CoordId(0)));
    let power = Scalar::Pow(Box::new(third.clone()), x());
    assert_eq!(s.scalar_text(&power), "(1/3)^x");
    let minus = Scalar::Number(Rational::from_integer((-2).into()));
    assert_eq!(s.scalar_text(&Scalar::Pow(Box::new(minus), x())), "(-2)^x");
    let case = Scalar::If {
        condition: Box::new(Condition::Compare(
            Comparison::Less,
            Scalar::Coord(CoordId(0)),
            Scalar::Time,
        )),
        then: Box::new(third),
        other: x(),
    };
    assert_eq!(s.scalar_text(&case), "(if x < t then 1/3 else x)");
    let Quantity::Vector(d) = &s.lets[1].value else {
        panic!("{:?}", s.lets);
    };
    assert_eq!(s.vector_text(d), "x*N.x + y*N.y");
}

#[test]
fn expressions_in_the_scope_of_a_system() {
    let s = scope();
    // Units are not checked: any formula may stand in for a function.
    assert!(parse_scalar(&s, "x*y + t").is_ok());
    for (text, code) in [
        ("x*yy", "E0101"),
        ("d", "E0104"),
        ("P", "E0104"),
        ("x + d", "E0105"),
        ("sin(x, y)", "E0107"),
        ("a'", "E0108"),
        ("x +", "E0004"),
        ("x/0", "E0109"),
    ] {
        let found = parse_scalar(&s, text).unwrap_err();
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        let shown = diag::render("expression", text, &found, false);
        assert_eq!(codes, [code], "{shown}");
    }
}
