//! The canonical layout.

use crate::syntax::format;

#[test]
fn spacing_is_canonical() {
    let check = |text: &str, expect: &str| {
        let expect = format!("model m\n{expect}\n");
        assert_eq!(format(&format!("model m\n{text}")).unwrap(), expect);
    };
    check("  param   m1=1.3,m2:kg>0", "param m1 = 1.3, m2 : kg > 0");
    check("coord x:m", "coord x : m");
    check("let r=a*b+ -c ^ -2 / d", "let r = a*b + -c^-2/d");
    check("let r = - x ^ 2", "let r = -x^2");
    check("let r = 9.81[m / s ^ 2]*x ' '", "let r = 9.81 [m/s^2]*x''");
    check(
        "let r = f ( a,b )-[ a,- b ] . x",
        "let r = f(a, b) - [a, -b].x",
    );
    check("let r = ( a+b )*( -c )", "let r = (a + b)*(-c)");
    check(
        "function f ( x,y ),g(x):N / kg",
        "function f(x, y), g(x) : N/kg",
    );
    check("group S :A,B , C", "group S: A, B, C");
    check("particle A :mass -( m )at P", "particle A: mass -(m) at P");
    check(
        "body W:inertia[1,2,3]about P in F",
        "body W: inertia [1, 2, 3] about P in F",
    );
    check("force on P,opposite on Q:v", "force on P, opposite on Q: v");
    check("gravity :-g*N.z", "gravity: -g*N.z");
    check("constraint c:x'^2=0 in B", "constraint c: x'^2 = 0 in B");
    check("assume x'!=0", "assume x' != 0");
    check("privileged x',y'", "privileged x', y'");
    check("param m : m ^ ( 1 / 2 ) / s", "param m : m^(1/2)/s");
    check("param c : m^( - 1 )", "param c : m^(-1)");
}

#[test]
fn lines_and_comments_keep_their_places() {
    let text = "\u{feff}\n\n//! top\r\n\r\n\r\n// plain  \nmodel m // here\n\n\n\n\
                param a : kg /// short\nparam longer, names : kg   // other\nparam b\nparam c // apart\n\n\
                param dd /// block\n      /// before\nbody W: frame B, // one\n  inertia [\n1,   // Ixx\n\n\n// own\n2,\n3\n] \
                about P\n\n//// four\n// end";
    let expect = "//! top\n\n// plain\nmodel m  // here\n\n\
                  param a : kg              /// short\nparam longer, names : kg  // other\nparam b\nparam c  // apart\n\n\
                  param dd  /// block\n/// before\nbody W: frame B,  // one\n    inertia [\n    1,  // Ixx\n\n    // own\n    2,\n    3\n] \
                  about P\n\n//// four\n// end\n";
    assert_eq!(format(text).unwrap(), expect);
    assert_eq!(format(expect).unwrap(), expect);
}

#[test]
fn a_very_long_line_does_not_push_the_others() {
    let long = format!("let r = {}", vec!["abcdefgh"; 20].join(" + "));
    let text = format!("model m\nparam a // x\n{long} // y\nparam bb // z\n");
    let expect = format!("model m\nparam a   // x\n{long}  // y\nparam bb  // z\n");
    assert_eq!(format(&text).unwrap(), expect);
}

#[test]
fn errors_are_not_formatted() {
    assert_eq!(format("model m\nparm a").unwrap_err()[0].code, "E0003");
    assert!(format("model m\n/// lost").is_ok());
}

#[test]
fn examples_in_canonical_form() {
    for (name, text) in super::models::ALL {
        insta::assert_snapshot!(format!("format_{name}"), format(text).unwrap());
    }
}
