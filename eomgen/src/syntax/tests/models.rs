//! The worked examples of the language's description.

use super::clean;
use crate::syntax::ast::{Defined, Definition, ExprKind, ItemKind, Quantities};
use crate::syntax::format;

pub(super) const SLEIGH: &str = r#"//! E4: Chaplygin sleigh of two particles. O'Reilly et al., eqs 2.1-2.27.
model sleigh

param m1, m2 : kg > 0        /// masses
param l : m > 0              /// length of the massless rod
coord x, y : m
coord theta : rad

frame B = rotate(N, theta, N.z)        // N is the inertial frame, O its origin
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2

speed u1 = dot(vel(P1), B.x)
speed u2 = theta'
constraint blade: dot(vel(P2), B.y) = 0
"#;

pub(super) const APPELL: &str = r#"//! E1: Appell's particle with the same constraint stated twice. Udwadia 1996, eqs 32-43.
model appell
param M : kg > 0
coord x, y, z : m
function Fx(x, y, z), Fy(x, y, z), Fz(x, y, z) : N/kg      // supplied by the caller of the generated code
point P = O + x*N.x + y*N.y + z*N.z
particle A: mass M at P
force on P: M*(Fx*N.x + Fy*N.y + Fz*N.z)
constraint c1: x'^2 + y'^2 - z'^2 = 0
constraint c2: 2*x'^2 + 2*y'^2 - 2*z'^2 = 0
"#;

pub(super) const NONIDEAL: &str = r#"//! E3: nonlinear, non-ideal. Udwadia & Kalaba 2002, eqs 39'-42.
model appell_nonideal
param alpha, a0
coord x, y, z
function Fx(x,y,z,t), Fy(x,y,z,t), Fz(x,y,z,t), g(x,y,z,t)
point P = O + x*N.x + y*N.y + z*N.z
particle A: mass 1 at P
force on P: Fx*N.x + Fy*N.y + Fz*N.z
constraint c: x'^2 + y'^2 - z'^2 = 2*alpha*g
nonideal on P: -a0 * norm(vel(P)) * vel(P)                // virtual work of the constraint force: the vector C
"#;

pub(super) const AXLE: &str = r#"//! E5: two wheels on an axle, rolling down an incline. Wang & Pao 2003, eqs 57-67.
model wheel_axle
param M, m_rim : kg > 0
param a, l : m > 0
param g : m/s^2
param alpha : rad
coord x1, y1, x2, y2 : m
coord phi, psi1, psi2 : rad
frame H  = rotate(N, phi, N.z)                            // heading, shared by both wheels
frame W1 = rotate(H, psi1, H.y)
frame W2 = rotate(H, psi2, H.y)
point C1 = O + x1*N.x + y1*N.y + a*N.z
point C2 = O + x2*N.x + y2*N.y + a*N.z
body wheel1: frame W1, mass M, center C1, inertia [m_rim*a^2/2, m_rim*a^2, m_rim*a^2/2]
body wheel2: frame W2, mass M, center C2, inertia [m_rim*a^2/2, m_rim*a^2, m_rim*a^2/2]
gravity: g*sin(alpha)*N.x - g*cos(alpha)*N.z
constraint roll1: vel(C1) = a*psi1'*H.x                   // a vector constraint stands for its components; 0 = 0 drops out
constraint roll2: vel(C2) = a*psi2'*H.x
constraint axle:  C2 - C1 = l*H.y                         // six scalar equations of rank five: dependent is allowed
privileged psi1', phi'
"#;

/// Every kind of statement in one file.
pub(super) const TOUR: &str = r#"//! A tour of the language.
//!
//! Not a sensible machine.
model tour

param m1 = 1.3, m2 = 2.5e3 [g], k : kg > 0    /// masses
param alpha != 0
coord x = 0.1, y : m
coord q >= 0
input F, tau : N
function Fx(x, y, t), g(x) : N/kg
let r = sqrt(x^2 + y^2)
/// A frame that turns with `q`.
frame B = rotate(N, q, N.z)
point P = O + x*N.x
particle A: mass m1 at P
body W: frame B, mass m2, centre P,
    inertia [1, 2, 3, 0, -k*r^2, 0] about P in B
gravity: -9.81 [m/s^2]*N.z
force on P: F*N.x
force on P, opposite on O: -k*r*B.x
torque on B: tau*N.z
torque on W, opposite on B: tau*N.z
generalized x: -k*x
nonideal on P: -vel(P)
nonideal torque on B: -angvel(B)
nonideal generalized x: -x'
kinetic T = m1*x'^2/2
potential V = if x < 0 and not (y > 0 or y' < 0)
    then k*x^2/2
    else 0
dissipation D = k*x'^2
spring s: from O to P, stiffness k,
    length 2*x, damping k
damper d: on q - 2*x, damping k
speed u1 = dot(vel(P), B.x)
constraint roll: vel(P) = r*q'*B.x in B
privileged x', q'
assume x' != 0
assume m1 < m2
output height = dot(P - O, N.z)
"#;

/// All of them, with names.
pub(super) const ALL: &[(&str, &str)] = &[
    ("sleigh", SLEIGH),
    ("appell", APPELL),
    ("appell_nonideal", NONIDEAL),
    ("wheel_axle", AXLE),
    ("tour", TOUR),
];

#[test]
fn examples_parse_and_are_formatted_stably() {
    for (name, text) in ALL {
        let file = clean(text);
        assert!(matches!(&file.items[0].kind, ItemKind::Model(model) if model.text == *name));
        let formatted = format(text).unwrap();
        assert_eq!(format(&formatted).unwrap(), formatted, "{name}");
        assert_eq!(
            super::trees::without_spans(&clean(&formatted)),
            super::trees::without_spans(&file),
            "{name}"
        );
    }
}

#[test]
fn sleigh_is_read_as_written() {
    let file = clean(SLEIGH);
    assert_eq!(
        file.docs,
        "E4: Chaplygin sleigh of two particles. O'Reilly et al., eqs 2.1-2.27."
    );
    assert_eq!(file.items.len(), 13);
    let ItemKind::Quantities(Quantities {
        names,
        unit,
        assume,
        ..
    }) = &file.items[1].kind
    else {
        panic!("{:?}", file.items[1]);
    };
    assert_eq!(file.items[1].docs, "masses");
    let names: Vec<_> = names
        .iter()
        .map(|declared| declared.name.text.as_str())
        .collect();
    assert_eq!(names, ["m1", "m2"]);
    assert_eq!(unit.as_ref().unwrap().factors[0].0.text, "kg");
    assert!(assume.is_some());
    let ItemKind::Define(Definition {
        what: Defined::Speed,
        value,
        ..
    }) = &file.items[11].kind
    else {
        panic!("{:?}", file.items[11]);
    };
    assert!(
        matches!(&value.kind, ExprKind::Prime(inner) if inner.kind == ExprKind::Name("theta".into()))
    );
    let span = file.items[12].span;
    let written = &SLEIGH[span.start as usize..span.end as usize];
    assert_eq!(written, "constraint blade: dot(vel(P2), B.y) = 0");
}

#[test]
fn docs_reach_their_statement() {
    let file = clean(TOUR);
    assert_eq!(
        file.docs,
        "A tour of the language.\n\nNot a sensible machine."
    );
    let documented: Vec<_> = file
        .items
        .iter()
        .filter(|item| !item.docs.is_empty())
        .collect();
    assert_eq!(documented.len(), 2);
    assert_eq!(documented[0].docs, "masses");
    assert!(matches!(
        &documented[1].kind,
        ItemKind::Define(Definition {
            what: Defined::Frame,
            ..
        })
    ));
    assert_eq!(documented[1].docs, "A frame that turns with `q`.");
}
