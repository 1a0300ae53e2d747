//! The same machine stated in three ways shows the same equations, character by character.
#![cfg(feature = "pipeline")]

use eomgen::{Source, options::DeriveOptions};
use generated_tests::memo;

/// Equations of motion, constraints and kinematics as they are printed.
fn page(name: &str, text: &str) -> String {
    let source = Source::new(name, text);
    let evaluator = memo::evaluator(&source, &DeriveOptions::default());
    let evaluator = evaluator.unwrap_or_else(|f| panic!("{text}\n{f:?}"));
    let doc = evaluator.documentation();
    let lines = doc
        .equations
        .iter()
        .chain(&doc.constraints)
        .chain(&doc.kinematics);
    let lines: Vec<String> = lines.map(ToString::to_string).collect();
    lines.join("\n")
}

fn same(name: &str, head: &str, ways: [&str; 3]) {
    let pages = ways.map(|way| page(name, &format!("model {name}\n{head}\n{way}\n")));
    assert!(!pages[0].is_empty());
    for other in &pages[1..] {
        assert_eq!(pages[0], *other);
    }
}

#[test]
fn double_pendulum() {
    same(
        "double_pendulum",
        "param m1, m2 : kg > 0\nparam l1, l2 : m > 0\nparam g : m/s^2\ncoord a, b : rad\ngravity: -g*N.y",
        [
            "frame A = rotate(N, a, N.z)\nframe B = rotate(N, b, N.z)\npoint P = O - l1*A.y\npoint Q = P - l2*B.y\nparticle p1: mass m1 at P\nparticle p2: mass m2 at Q",
            "frame A = rotate(N, a, N.z)\nframe B = rotate(A, b - a, A.z)\npoint P = O - l1*A.y\npoint Q = P - l2*B.y\nparticle p1: mass m1 at P\nparticle p2: mass m2 at Q",
            "point P = O + l1*sin(a)*N.x - l1*cos(a)*N.y\npoint Q = O + (l1*sin(a) + l2*sin(b))*N.x - (l1*cos(a) + l2*cos(b))*N.y\nparticle p1: mass m1 at P\nparticle p2: mass m2 at Q",
        ],
    );
}

#[test]
fn heavy_top() {
    same(
        "heavy_top",
        "param m, l, I1, I3 > 0\nparam g\ncoord psi, theta, phi : rad\ngravity: -g*N.z",
        [
            "frame B = rotate_body(N, zxz, psi, theta, phi)\npoint C = O + l*B.z\nbody top: frame B, mass m, center C, inertia [I1, I1, I3]",
            "frame A = rotate(N, psi, N.z)\nframe D = rotate(A, theta, A.x)\nframe B = rotate(D, phi, D.z)\npoint C = O + l*B.z\nbody top: frame B, mass m, center C, inertia [I1, I1, I3]",
            "frame D = rotate_body(N, zx, psi, theta)\nframe B = rotate(D, phi, D.z)\npoint C = O + l*D.z\nbody top: frame B, mass m, center C, inertia [I1, I1, I3]",
        ],
    );
}

#[test]
fn cart_and_pole() {
    same(
        "cart_and_pole",
        "param M, m, l, J, g > 0\ncoord x\ncoord th : rad\ninput F\ngravity: -g*N.y",
        [
            "frame B = rotate(N, th, N.z)\npoint C = O + x*N.x\npoint G = C - l*B.y\nparticle cart: mass M at C\nbody pole: frame B, mass m, center G, inertia [0, 0, J]\nforce on C: F*N.x",
            "frame B = rotate(N, th, N.z)\npoint C = O + x*N.x\npoint G = C + l*sin(th)*N.x - l*cos(th)*N.y\nparticle cart: mass M at C\nbody pole: frame B, mass m, center G, inertia [0, 0, J]\nforce on C: F*N.x",
            "frame B = rotate(N, th, N.z)\npoint C = O + x*N.x\npoint G = C - l*B.y\nparticle cart: mass M at C\nbody pole: frame B, mass m, center G, inertia [0, 0, J]\ngeneralized x: F",
        ],
    );
}

#[test]
fn elastic_pendulum() {
    same(
        "elastic_pendulum",
        "param m, k, l, g > 0\ncoord x\ncoord th : rad\nassume l + x > 0\ngravity: -g*N.y",
        [
            "frame B = rotate(N, th, N.z)\npoint P = O - (l + x)*B.y\nparticle bob: mass m at P\nforce on P: k*x*B.y",
            "point P = O + (l + x)*sin(th)*N.x - (l + x)*cos(th)*N.y\nparticle bob: mass m at P\npotential spring = k*x^2/2",
            "frame B = rotate(N, th, N.z)\npoint P = O - l*B.y - x*B.y\nparticle bob: mass m at P\ngeneralized x: -k*x",
        ],
    );
}

#[test]
fn two_links() {
    same(
        "two_links",
        "param m1, m2, l1, l2, J1, J2, g > 0\ncoord a, b : rad\ninput t1, t2\ngravity: -g*N.y",
        [
            "frame A = rotate(N, a, N.z)\nframe B = rotate(A, b, A.z)\npoint P = O + l1*A.x\npoint G = O + l1/2*A.x\npoint H = P + l2/2*B.x\nbody u: frame A, mass m1, center G, inertia [0, 0, J1]\nbody v: frame B, mass m2, center H, inertia [0, 0, J2]\ntorque on A: t1*N.z\ntorque on B, opposite on A: t2*N.z",
            "frame A = rotate(N, a, N.z)\nframe B = rotate(N, a + b, N.z)\npoint P = O + l1*A.x\npoint G = O + l1/2*A.x\npoint H = P + l2/2*B.x\nbody u: frame A, mass m1, center G, inertia [0, 0, J1]\nbody v: frame B, mass m2, center H, inertia [0, 0, J2]\ngeneralized a: t1\ngeneralized b: t2",
            "frame A = rotate(N, a, N.z)\nframe B = rotate(A, b, N.z)\npoint G = O + l1/2*cos(a)*N.x + l1/2*sin(a)*N.y\npoint H = O + (l1*cos(a) + l2/2*cos(a + b))*N.x + (l1*sin(a) + l2/2*sin(a + b))*N.y\nbody u: frame A, mass m1, center G, inertia [0, 0, J1]\nbody v: frame B, mass m2, center H, inertia [0, 0, J2]\ntorque on A: (t1 - t2)*N.z\ntorque on B: t2*N.z",
        ],
    );
}

#[test]
fn bead_on_a_hoop() {
    same(
        "bead_on_a_hoop",
        "param m, R, w, g > 0\ncoord th : rad\ngravity: -g*N.z",
        [
            "frame H = rotate(N, w*t, N.z)\nframe B = rotate(H, th, H.y)\npoint P = O - R*B.z\nparticle bead: mass m at P",
            "frame B = rotate_body(N, zy, w*t, th)\npoint P = O - R*B.z\nparticle bead: mass m at P",
            "point P = O - R*sin(th)*cos(w*t)*N.x - R*sin(th)*sin(w*t)*N.y - R*cos(th)*N.z\nparticle bead: mass m at P",
        ],
    );
}

#[test]
fn furuta() {
    same(
        "furuta",
        "param m, L, l, Ja, J1, J3, g > 0\ncoord a, b : rad\ngravity: -g*N.z",
        [
            "frame A = rotate(N, a, N.z)\nframe B = rotate(A, b, A.x)\npoint E = O + L*A.x\npoint C = E - l*B.z\nbody arm: frame A, mass 0, center O, inertia [0, 0, Ja]\nbody rod: frame B, mass m, center C, inertia [J1, J1, J3]",
            "frame A = rotate(N, a, N.z)\nframe B = rotate_body(N, zx, a, b)\npoint C = O + L*A.x - l*B.z\nbody arm: frame A, mass 0, center O, inertia [0, 0, Ja]\nbody rod: frame B, mass m, center C, inertia [J1, J1, J3]",
            "frame A = rotate(N, a, N.z)\nframe B = rotate(A, b, A.x)\npoint C = O + L*A.x + l*sin(b)*A.y - l*cos(b)*A.z\nbody arm: frame A, mass 0, center O, inertia [0, 0, Ja]\nbody rod: frame B, mass m, center C, inertia [J1, J1, J3]",
        ],
    );
}

#[test]
fn four_bar() {
    let links = "body u: frame A, mass m, center P, inertia [0, 0, J]\nbody v: frame B, mass m, center Q, inertia [0, 0, J]\nprivileged a'";
    same(
        "four_bar",
        "param l1, l2, l3, l4, m, J > 0\ncoord a = 1, b = -0.8, c = -1.5 : rad",
        [
            &format!(
                "frame A = rotate(N, a, N.z)\nframe B = rotate(A, b, N.z)\nframe C = rotate(B, c, N.z)\npoint P = O + l1*N.x + l2*A.x\npoint Q = P + l3*B.x\npoint R = Q + l4*C.x\nconstraint loop: R = O\n{links}"
            ),
            &format!(
                "frame A = rotate(N, a, N.z)\nframe B = rotate(N, a + b, N.z)\nframe C = rotate(N, a + b + c, N.z)\npoint P = O + l1*N.x + l2*A.x\npoint Q = P + l3*B.x\npoint R = Q + l4*C.x\nconstraint loop: R = O\n{links}"
            ),
            &format!(
                "frame A = rotate(N, a, N.z)\nframe B = rotate(A, b, A.z)\nframe C = rotate(N, c + b + a, N.z)\npoint P = O + l2*A.x + l1*N.x\npoint Q = P + l3*B.x\npoint R = O + l1*N.x + l2*A.x + l3*B.x + l4*C.x\nconstraint loop: R = O\n{links}"
            ),
        ],
    );
}

#[test]
fn knife_edge() {
    same(
        "knife_edge",
        "param m, J > 0\ncoord x, y\ncoord th : rad\ninput F",
        [
            "frame B = rotate(N, th, N.z)\npoint P = O + x*N.x + y*N.y\nbody blade: frame B, mass m, center P, inertia [0, 0, J]\nforce on P: F*B.x\nconstraint edge: dot(vel(P), B.y) = 0",
            "frame B = rotate(N, th, N.z)\npoint P = O + x*N.x + y*N.y\nbody blade: frame B, mass m, center P, inertia [0, 0, J]\nforce on P: F*cos(th)*N.x + F*sin(th)*N.y\nconstraint edge: y'*cos(th) - x'*sin(th) = 0",
            "frame B = rotate(N, th, N.z)\npoint P = O + x*N.x + y*N.y\nbody blade: frame B, mass m, center P, inertia [0, 0, J]\ngeneralized x: F*cos(th)\ngeneralized y: F*sin(th)\nconstraint edge: dot(vel(P), B.y) = 0",
        ],
    );
}

#[test]
fn spherical_pendulum() {
    same(
        "spherical_pendulum",
        "param m, l, g > 0\ncoord ph, th : rad\ngravity: -g*N.z",
        [
            "frame B = rotate_body(N, zy, ph, th)\npoint P = O - l*B.z\nparticle bob: mass m at P",
            "frame A = rotate(N, ph, N.z)\nframe B = rotate(A, th, A.y)\npoint P = O - l*B.z\nparticle bob: mass m at P",
            "point P = O - l*sin(th)*cos(ph)*N.x - l*sin(th)*sin(ph)*N.y - l*cos(th)*N.z\nparticle bob: mass m at P",
        ],
    );
}
