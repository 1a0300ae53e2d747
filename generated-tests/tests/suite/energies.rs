//! Energies, springs, choices and further functions by every formulation, checked by differences of energies and Gauss's
//! principle.
#![cfg(feature = "pipeline")]

use generated_tests::oracle::{Settings, check};

fn good(text: &str) {
    checked(text, &Settings::default());
}

fn checked(text: &str, settings: &Settings) {
    if let Err(complaint) = check(text, settings) {
        panic!("{complaint}");
    }
}

mod stated {
    use super::*;

    #[test]
    fn energies_without_bodies() {
        good(
            "model m
param m, M > 0
param l, g
coord x, theta
kinetic T = (M + m)*x'^2/2 + m*l*x'*theta'*cos(theta) + m*l^2*theta'^2/2
potential V = -m*g*l*cos(theta)
dissipation D = 0.3*x'^2/2 + 0.1*(theta' - x')^4
output E = T + V
output P = D
",
        );
    }

    #[test]
    fn energies_beside_bodies_loads_and_inputs() {
        good(
            "model m
param m > 0
param k
input h
coord x, y, phi
frame B = rotate(N, phi, N.z)
point P = O + x*N.x + y*N.y
point Q = P + 0.4*B.x
particle A: mass m at P
gravity: -9.81*N.y
kinetic T1 = 0.5*dot(vel(Q), vel(Q)) + 0.1*phi'^2
kinetic T2 = 0.2*(1 + x^2)*x'^2
potential V1 = k*(x - h)^2/2 + 0.3*x*y*sin(phi)
potential V2 = t*x^3
dissipation D = h^2*dot(vel(Q), vel(Q))/2
force on Q: -0.2*norm(vel(Q))*vel(Q)
generalized y: -y
",
        );
    }

    /// A bead on a hoop that turns as given, and a charge in a magnetic field: terms linear in the rates.
    #[test]
    fn linear_terms_and_time() {
        good(
            "model m
param m > 0
param w, q
coord x, y, z
kinetic T = m*((x' - w*y)^2 + (y' + w*x)^2 + z'^2)/2 + q*sin(t)*(x*y' - y*x')/2 + t*z'
potential V = x^2*y^2 + z^4/4
",
        );
    }

    /// The momentum of a relativistic particle is not linear in its velocity.
    #[test]
    fn no_polynomial_in_the_rates() {
        checked(
            "model m
param m, c > 0
param k
coord x, y
kinetic T = -m*c^2*sqrt(1 - (x'^2 + y'^2)/c^2)
potential V = k*(x^2 + 2*y^2)/2
",
            &Settings {
                params: vec![("c", 3.0)],
                ..Settings::default()
            },
        );
    }

    #[test]
    fn under_constraints() {
        good(
            "model m
param m > 0
coord x, y, z, phi
kinetic T = m*(x'^2 + y'^2 + z'^2)/2 + 0.3*phi'^2
potential V = 9.81*m*z
constraint blade: x'*sin(phi) = y'*cos(phi)
constraint bowl: z = (x^2 + y^2)/2
constraint twice: 2*z = x^2 + y^2
",
        );
        good(
            "model m
param m > 0
coord x, y, z
kinetic T = m*(x'^2 + y'^2 + z'^2)/2 + 0.1*x*y'^2*z'^2
potential V = 9.81*m*z
constraint c: x'^2 + y'^2 - z'^2 = 0.2*t
nonideal generalized x: -x'
",
        );
    }

    #[test]
    fn in_declared_speeds() {
        good(
            "model m
param J, K > 0
coord psi, theta, phi
let wx = psi'*sin(theta)*sin(phi) + theta'*cos(phi)
let wy = psi'*sin(theta)*cos(phi) - theta'*sin(phi)
let wz = psi'*cos(theta) + phi'
speed u1 = wx + t
speed u2 = wy
speed u3 = wz
kinetic T = J*(wx^2 + wy^2)/2 + K*wz^2/2 + 0.2*t*u1
potential V = 2*cos(theta)
dissipation D = 0.1*(u1^2 + u2^2)
constraint c: u3 = 0.3*u1
",
        );
    }

    /// Without any certainty about the sign of T.
    #[test]
    fn of_unknown_sign() {
        checked(
            "model m
param a, b
coord x, y
kinetic T = a*x'^2/2 + b*x'*y'*cos(x) + a*b*y'^2*(2 + sin(x*y))
potential V = x*y
",
            &Settings::default(),
        );
    }
}

mod springs {
    use super::*;

    #[test]
    fn between_points() {
        good(
            "model m
param k, c, l
input s
coord x, y, a
frame B = rotate(N, a, N.x)
point P = O + x*N.x + y*N.y
point Q = O + 2*N.x + 1*B.y + sin(t)*N.z
point R = P + 0.4*B.z
particle A: mass 1.3 at P
particle C: mass 0.6 at R
spring s1: from P to Q, stiffness k, length l*(1 + s), damping c*(1 + x^2)
spring s2: from O to R, stiffness k*cos(t)
spring s3: from A to Q, tension 0.3*(distance(P, Q) - 1)^3 + 0.1*distance(P, Q)'
damper d: from O to C, damping 2*c
",
        );
    }

    #[test]
    fn on_coordinates() {
        good(
            "model m
param k, c
input s
coord x, y
coord a, b
kinetic T = x'^2 + y'^2/2 + a'^2/3 + b'^2/5
spring s1: on b - a, stiffness k, rest 0.2*t, damping c
spring s2: on x, stiffness 2*k, rest s
spring s3: on y, tension y^3 + 0.1*y'*abs(y')
spring s4: on x*y, stiffness k
damper d: on x - 2*y, damping c
",
        );
    }
}

mod choices {
    use super::*;

    const FORCES: &str = "coord x, y
point P = O + x*N.x + y*N.y
particle A: mass 1.2 at P
";

    #[test]
    fn in_loads_outputs_and_potentials() {
        for about in [-0.4, 0.5, 1.6] {
            checked(
                &format!(
                    "model m
param k
{FORCES}force on P: if x < 0 and y' >= 0 then -k*x*N.x else 0
force on P: (if not (x > 0 or y > 0) then 2*N.x + x*N.y else y*N.z - 3*N.y)
potential V = if x > 0.4 then k*(x - 0.4)^2/2 else if x < -0.4 then k*(x + 0.4)^4 else 0
dissipation D = if x' > 0 then x'^2 else 2*x'^2
let law = if t < 0.4 then t^2 else 0.8*t - 0.16
output a = law'
output b = 1 + (if sqrt(x^2) < 0.5 then x else 0.5)*y
output c = step(x) + clamp(y, -0.3, 0.3) + hypot(x, 2*y)
"
                ),
                &Settings {
                    about: vec![("x", about)],
                    ..Settings::default()
                },
            );
        }
    }

    #[test]
    fn in_constraints_speeds_and_kinetic_energy() {
        for about in [-0.5, 0.5] {
            checked(
                "model m
coord x, y, z
kinetic T = (if x < 0 then 1 + x^2 else 1 + 2*x^2)*x'^2/2 + y'^2/2 + z'^2
speed u = x' + (if x < 0 then 0 else x^2)*y'
constraint c: y = if x < 0 then x^2 else x^3
",
                &Settings {
                    about: vec![("x", about)],
                    spread: 0.3,
                    ..Settings::default()
                },
            );
        }
    }

    /// What the branch that does not count has no value for does no harm.
    #[test]
    fn of_branches_without_value() {
        for about in [-0.6, 0.6] {
            checked(
                &format!(
                    "model m
{FORCES}force on P: (if x > 0.01 then sqrt(x) + ln(x) + x^0.7 + acos(x/2) else 0)*N.x
potential V = if x > 0 then y*x^2.5 else 0
generalized y: if x > 0 then 1/max(x, 0) else 2
output a = if x > 0 then asin(x)^2 else 1/(x - abs(x))
"
                ),
                &Settings {
                    about: vec![("x", about)],
                    spread: 0.3,
                    ..Settings::default()
                },
            );
        }
    }
}

mod functions {
    use super::*;

    /// All functions with their first and second derivatives, which outputs of lets and potentials need.
    #[test]
    fn with_their_derivatives() {
        good(
            "model m
coord x, y
point P = O + x*N.x + y*N.y
particle A: mass 1.2 at P
let f1 = asinh(x) + acosh(2 + x) + atanh(x*y/2)
let f2 = hypot(x, y - 2) + clamp(x, -5, 0.1) + step(x - 9)
let f3 = (2 + x)^2.5 + 2^x + (2 + x)^y + (3 + x)^-1.5
let f4 = asin(x/3) + acos(y/3) + atan(x*y) + atan2(y, 2 + x)
let f5 = sinh(x) + cosh(y) + tanh(x*y) + exp(-x) + ln(2 + x) + sqrt(2 + x) + tan(x)
output a = f1''
output b = f2''
output c = f3''
output d = f4''
output e = f5''
output f = distance(P, O)
output g = unit(P - O + 3*N.z)
potential V = f1 + f3 + f4 + f5 + f2
",
        );
    }

    #[test]
    fn of_bodies() {
        good(
            "model m
param J > 0
coord x, y, a, b
frame B = rotate(N, a, N.z)
frame C = rotate(B, b, B.x)
point G = O + x*N.x + y*B.y
point S = G + 0.4*C.z
particle A: mass 0.7 at S
body W: frame C, mass 1.1, center G, inertia [J, 2*J, 2.5*J, 0.01, 0, 0.02] about S in B2
frame B2 = rotate(C, 0.3, C.y)
gravity: -9.81*N.y
output k = kinetic(W) + 2*kinetic(A)
output p = momentum(W) - momentum(A)
output l = angmom(W) + angmom(A, O) - angmom(W, S)
let T = kinetic(W)
output power = T'
output torque = dt(angmom(W, O), N)
",
        );
    }
}

/// Air drag and regularised friction have a value at rest.
#[test]
fn velocities_may_vanish() {
    use eomgen::{
        EvalInput, evaluator,
        options::{DeriveOptions, Form},
    };
    let text = "model m
coord x, y
point P = O + x*N.x + y*N.y
particle A: mass 2 at P
dissipation D = 0.1*norm(vel(P))^3
force on P: -0.3*norm(vel(P))*vel(P) - 2*tanh(x'/0.01)*N.x + 4*N.y
";
    for method in ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"] {
        for form in [Form::Closed, Form::Staged] {
            let options = DeriveOptions {
                method: Some(method.to_string()),
                form,
                ..DeriveOptions::default()
            };
            let e = evaluator("m.eom", text, &options).unwrap_or_else(|f| panic!("{f:?}"));
            let zero = || {
                ["x", "y"]
                    .into_iter()
                    .map(|n| (n.to_string(), 0.0))
                    .collect()
            };
            let input = EvalInput {
                q: zero(),
                qdot: Some(zero()),
                ..EvalInput::default()
            };
            let out = e
                .eval(&input)
                .unwrap_or_else(|f| panic!("{method} {form:?} {f:?}"));
            let found: Vec<f64> = out.qddot.iter().map(|x| x.1).collect();
            assert_eq!(found, [0.0, 2.0], "{method} {form:?}");
        }
    }
}

/// A rotor without mass, a particle without mass, and a mass on frames without any.
#[test]
fn bodies_may_lack_mass() {
    good(
        "model m
param J > 0
coord x, a, b
frame B = rotate(N, a, N.z)
frame C = rotate(B, b, B.x)
point P = O + x*N.x
point Q = P + 0.5*C.y
body rotor: frame C, mass 0, center O, inertia [J, J, 2*J]
particle marker: mass 0 at Q
particle tip: mass 0.7 at P
force on marker: -2*vel(Q) + 3*C.x
torque on C, opposite on N: -0.1*angvel(C)
spring s: from marker to O, stiffness 2, length 0.3
output p = momentum(marker)
output h = angmom(rotor, P)
",
    );
}

/// A rocket that loses mass: the kinetic energy of the moment, and the momentum of what leaves as a force.
#[test]
fn variable_mass_by_energies() {
    good(
        "model m
param w, k
coord z
let mass = 3 - 0.4*t
kinetic T = mass*z'^2/2
potential V = 9.81*mass*z
generalized z: mass'*(z' - w)
",
    );
}
