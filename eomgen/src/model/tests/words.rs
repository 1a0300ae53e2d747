//! What newcomers write: places where names are expected, components, loads on coordinates, motions that are given. Each means what the same
//! machine means at length.

use super::{messages, system};
use crate::diag::{self, Severity};

/// The system of a text without places in it.
fn meaning(text: &str) -> String {
    let shown = format!("{:#?}", system(text));
    let places = ["span", "start", "end", "file", "copy"];
    let kept = shown.lines().filter(|line| {
        let word = line.trim().split(':').next().unwrap_or_default();
        !places.contains(&word)
    });
    kept.filter(|line| line.trim() != "},")
        .collect::<Vec<_>>()
        .join("\n")
}

/// The second text means what the first does, but for these names.
fn same(long: &str, short: &str, names: &[(&str, &str)]) {
    let mut found = meaning(short);
    for (made, written) in names {
        found = found.replace(&format!("\"{made}\""), &format!("\"{written}\""));
    }
    let wanted = meaning(long);
    for (a, b) in wanted.lines().zip(found.lines()) {
        assert_eq!(a, b, "{short}");
    }
    assert_eq!(wanted.lines().count(), found.lines().count(), "{short}");
}

const PLANE: &str = "model plane\nparam m, M : kg > 0\nparam l, a : m\nparam J, K : kg*m^2\nparam k : N/m\n\
    input F : N\ninput tau : N*m\ncoord x, y : m\ncoord q, p : rad\n";

fn pair(long: &str, short: &str, names: &[(&str, &str)]) {
    same(&format!("{PLANE}{long}"), &format!("{PLANE}{short}"), names);
}

#[test]
fn places_stand_where_names_do() {
    pair(
        "point A1 = O + x*N.x + y*N.y\nparticle A: mass m at A1\nframe B = rotate(N, q, N.z)\nframe K1 = rotate(B, p, B.z)\n\
         point G = A1 + l*B.x\nbody W: frame K1, mass M, center G, inertia [0, 0, J]\npoint Q = A1 + a*B.x\n\
         force on Q: F*N.x\npoint S = O + l*N.y\nspring s: from S to A1, stiffness k\n",
        "particle A: mass m at O + x*N.x + y*N.y\nframe B = rotate(N, q, N.z)\n\
         body W: frame rotate(B, p, B.z), mass M, center A + l*B.x, inertia [0, 0, J]\n\
         force on A + a*B.x: F*N.x\nspring s: from O + l*N.y to A, stiffness k\n",
        &[
            ("A.at", "A1"),
            ("W.frame", "K1"),
            ("W.center", "G"),
            ("A.force", "Q"),
            ("s.from", "S"),
        ],
    );
}

#[test]
fn a_body_is_placed_along_its_own_axes() {
    for frame in ["rotate(N, q, N.z)", "B"] {
        pair(
            "frame B = rotate(N, q, N.z)\nframe K1 = rotate(N, q, N.z)\npoint G = O + x*N.x + y*N.y - l/2*K1.y\n\
             body W: frame K1, mass M, center G, inertia [0, 0, J]\npoint Q = W + p*l*W.x\nparticle A: mass m at Q\n"
                .replace(
                    if frame == "B" { "frame K1 = rotate(N, q, N.z)\n" } else { "?" },
                    "",
                )
                .replace("K1", if frame == "B" { "B" } else { "K1" })
                .as_str(),
            &format!(
                "frame B = rotate(N, q, N.z)\nbody W: center O + x*N.x + y*N.y - l/2*W.y, frame {frame}, mass M, inertia J\n\
                 particle A: mass m at W + p*l*W.x\n"
            ),
            &[("W.frame", "K1"), ("W.center", "G"), ("A.at", "Q")],
        );
    }
}

#[test]
fn places_in_loops_and_twice_at_one_point_have_names_of_their_own() {
    let text = "model chain\nconst n = 2\nparam m : kg\nparam l : m\ncoord q[1..n] : rad\ninput F : N\nfor i in 1..n {\n\
        particle A[i]: mass m at O + l*cos(q[i])*N.x\nforce on A[i] + l*N.x: F*N.y\nforce on A[i] - l*N.x: F*N.y\n}\n";
    let names: Vec<String> = system(text)
        .points
        .into_iter()
        .map(|p| p.meta.name)
        .collect();
    let wanted = [
        "O",
        "A[1].at",
        "A[1].force",
        "A[1].force_2",
        "A[2].at",
        "A[2].force",
        "A[2].force_2",
    ];
    assert_eq!(names, wanted);
}

#[test]
fn components_are_sums() {
    pair(
        "point P = O + (x*N.x + y*N.y)\nparticle A: mass m at P\nframe B = rotate(N, q, N.z)\nframe C = rotate(N, p, N.z)\n\
         body W: frame C, mass m, center P, inertia [J, J, K]\nforce on P: ((F*B.x + -2*F*B.y) + (k*x)*B.z)\ntorque on B: tau*B.z\n\
         output e = vel(P)\nspeed u1 = dot(angvel(W), W.x) + x'\n"
            .replace("output e = vel(P)\nspeed u1 = dot(angvel(W), W.x) + x'\n", "")
            .as_str(),
        "point P = O + [x, y, 0] in N\nparticle A: mass m at P\nframe B = rotate(N, q, N.z)\nframe C = rotate(N, p, N.z)\n\
         body W: frame C, mass m, center P, inertia [[J, 0, 0], [0, J, 0], [0, 0, K]]\nforce on P: [F, -2*F, k*x] in B\ntorque on B: tau*B.z\n",
        &[],
    );
}

#[test]
fn three_speeds_are_components() {
    let free = "model top\nparam m : kg\nparam J : kg*m^2\ncoord a, b, c : rad\nframe L = rotate_body(N, zxz, a, b, c)\n\
        body T: frame L, mass m, center O, inertia [J, J, J]\n";
    same(
        &format!(
            "{free}speed u1 = dot(angvel(L), L.x)\nspeed u2 = dot(angvel(L), L.y)\nspeed u3 = dot(angvel(L), L.z)\n"
        ),
        &format!("{free}speed u1, u2, u3 = angvel(L) in L\n"),
        &[],
    );
}

#[test]
fn loads_on_coordinates_and_torques_in_a_plane() {
    let base = "frame B = rotate(N, q, N.z)\nframe C = rotate(B, p, B.z)\npoint P = O + x*N.x + y*N.y\n\
        body V: frame B, mass m, center P, inertia [0, 0, J]\nbody W: frame C, mass m, center O, inertia [0, 0, K]\n";
    pair(
        &format!(
            "{base}generalized x: F\ngeneralized q: tau\ntorque on W, opposite on V: tau*N.z\ntorque on C: 2*tau*N.z\n"
        ),
        &format!(
            "{base}force on x: F\ntorque on q: tau\ntorque on W, opposite on V: tau\ntorque on C: 2*tau\n"
        ),
        &[],
    );
    pair(
        base,
        &base.replace("[0, 0, J]", "J").replace("[0, 0, K]", "K"),
        &[],
    );
}

#[test]
fn a_motion_is_a_constraint() {
    let base = "point P = O + x*N.x + y*N.y\nparticle A: mass m at P\nframe B = rotate(N, q, N.z)\nframe C = rotate(N, p, N.z)\n\
        body V: frame B, mass m, center O, inertia [J]\nbody W: frame C, mass m, center O, inertia [K]\n";
    pair(
        &format!("{base}constraint c: q = sin(2 [rad/s]*t)\noutput e = reaction(c)\n"),
        &format!("{base}motion q = sin(2 [rad/s]*t)\noutput e = reaction(q.motion)\n"),
        &[("q.motion", "c")],
    );
}

#[test]
fn a_motion_is_given_once() {
    let (codes, text) =
        told("motion q = 1\nmotion q = 2*t\nmotion p = 1\nfor i in 1..2 {\nmotion p = 2\n}\n");
    // The copies of a loop are one message.
    assert_eq!(codes, ["E0102"; 2], "{text}");
    assert!(text.contains("the motion of `q` is given twice"), "{text}");
    assert!(!text.contains("choose another name"), "{text}");
}

#[test]
fn a_rate_is_a_coordinate_with_a_constraint() {
    let rest = "point P = O + x*T.x + y*T.y\nparticle A: mass m at P\nframe B = rotate(T, q, T.z)\nframe C = rotate(T, p, T.z)\n\
        body V: frame B, mass m, center O, inertia [J]\nbody W: frame C, mass m, center O, inertia [K]\n";
    pair(
        &format!(
            "function Om(t) : rad/s\ncoord psi\nconstraint c: psi' = 2*Om(t)\nframe T = rotate(N, psi, N.z)\n{rest}"
        ),
        &format!("function Om(t) : rad/s\nframe T = rotate(N, rate 2*Om(t), N.z)\n{rest}"),
        &[("T.angle", "psi"), ("T.rate", "c")],
    );
    let (codes, text) = told(
        "output e = rate\nframe E = rotate(N, rate x, N.z)\nparam rate : rad\nframe H = rotate(N, rate*2, N.z)\n",
    );
    assert_eq!(codes, ["E0201"], "{text}");
}

/// The codes and the whole text of the messages.
fn told(lines: &str) -> (Vec<&'static str>, String) {
    let base = "frame B = rotate(N, q, N.z)\nframe D = rotate(B, p, B.x)\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\n\
        body V: frame B, mass m, center P, inertia [0, 0, J]\n";
    let text = format!("{PLANE}{base}{lines}");
    let (_, found) = messages(&text);
    let codes = found.iter().map(|d| d.code).collect();
    (codes, diag::render("m.eom", &text, &found, false))
}

fn says(table: &[(&str, &str, &str)]) {
    for (lines, code, help) in table {
        let (codes, text) = told(lines);
        assert_eq!(codes, [*code], "{lines}\n{text}");
        assert!(text.contains(help), "{lines}\n{text}");
    }
}

#[test]
fn factors_side_by_side_lack_their_sign() {
    says(&[
        ("output e = x' cos(q)\n", "E0004", "write `x'*cos(q)`"),
        ("output e = 2 x\n", "E0004", "write `2*x`"),
        (
            "output e = (x + y) (x - y)\n",
            "E0004",
            "write `(x + y)*(x - y)`",
        ),
        ("output e = sqrt(x' y')\n", "E0004", "write `x'*y'`"),
        ("force on P: F N.x\n", "E0004", "write `F*N.x`"),
        ("output e = k x^2/2\n", "E0004", "write `k*x`"),
        ("output e = m vel(P)\n", "E0004", "write `m*vel(P)`"),
        (
            "output e = (k (x))\n",
            "E0104",
            "a product is written `k*(...)`",
        ),
        (
            "output e = sin q\n",
            "E0004",
            "a function has parentheses, as in `sin(x)`",
        ),
    ]);
}

#[test]
fn plain_numbers_lack_their_unit() {
    says(&[
        (
            "spring s: from O to P, stiffness k, length 1\n",
            "E0202",
            "write `1 [m]`",
        ),
        (
            "damper d: on q, damping 0.1\n",
            "E0202",
            "write `0.1 [N*m*s/rad]`",
        ),
        (
            "damper d: from O to P, damping 3\n",
            "E0202",
            "write `3 [N*s/m]`",
        ),
        ("constraint c: x^2 + y^2 = 1\n", "E0201", "write `1 [m^2]`"),
        ("constraint c: 2 = x\n", "E0201", "write `2 [m]`"),
        (
            "constraint c: distance(O, P) = 1.5\n",
            "E0201",
            "write `1.5 [m]`",
        ),
        ("generalized x: 3\n", "E0202", "write `3 [N]`"),
        ("force on x: 3\n", "E0202", "write `3 [N]`"),
        ("particle C: mass 2 at P\n", "E0202", "write `2 [kg]`"),
        ("output e = x + 1\n", "E0201", "write `1 [m]`"),
        ("output e = max(x, 1)\n", "E0201", "write `1 [m]`"),
        (
            "output e = if x < 1 then 1 else 2\n",
            "E0201",
            "write `1 [m]`",
        ),
    ]);
}

#[test]
fn words_of_other_programs() {
    says(&[
        (
            "constraint c: x = y\noutput e = lambda(c)\n",
            "E0101",
            "`reaction(c)`",
        ),
        ("output e = norm(speed(P))\n", "E0101", "`vel(P)`"),
        ("output e = norm(velocity(P))\n", "E0101", "`vel(P)`"),
        (
            "output e = norm(ang_vel_in(B, N))\n",
            "E0101",
            "`angvel(B, N)`",
        ),
        ("output e = inner(N.x, B.x)\n", "E0101", "`dot(N.x, B.x)`"),
        ("output e = kinetic_energy(V)\n", "E0101", "`kinetic(V)`"),
        ("output e = norm(position(P))\n", "E0101", "`P - O`"),
        (
            "frame E = rotate(N, zxz, q, p, q)\n",
            "E0110",
            "`rotate_body(N, zxz, q, p, q)`",
        ),
        (
            "frame E = rotate(N, 321, q, p, q)\n",
            "E0110",
            "`rotate_body(N, zyx, q, p, q)`",
        ),
        (
            "frame E = euler(N, zxz, q, p, q)\n",
            "E0110",
            "did you mean `rotate_body(",
        ),
        (
            "frame E = rotat(N, q, N.z)\n",
            "E0110",
            "did you mean `rotate(",
        ),
        ("friction on P: 0.3\n", "E0003", "friction is a force"),
        ("motor on B: tau\n", "E0003", "a motor is a load"),
        (
            "revolute on B: q\n",
            "E0003",
            "a joint is stated by what it leaves free",
        ),
    ]);
}

#[test]
fn new_forms_that_are_wrong() {
    says(&[
        (
            "output e = dot([x, y] in N, N.x)\n",
            "E0104",
            "`[a, b, c] in B`",
        ),
        (
            "body W: frame B, mass m, center P, inertia [[J, 0, 0], [0, J, J], [0, 0, K]]\n",
            "E0113",
            "not symmetric",
        ),
        (
            "body W: frame B, mass m, center P, inertia [[J, 0], [0, J]]\n",
            "E0113",
            "three rows of three",
        ),
        (
            "body W: frame D, mass m, center P, inertia J\n",
            "E0113",
            "not clear about which axis",
        ),
        ("torque on D: tau\n", "E0104", "give it a direction"),
        (
            "particle C: mass m at x*N.x\n",
            "E0104",
            "`C.at` has to be a point, not a vector",
        ),
        ("force on O + x'*1 [s]*N.x: F*N.x\n", "E0112", "`O.force`"),
        (
            "speed u1, u2 = vel(P) in N\n",
            "E0004",
            "a vector has three components",
        ),
        ("speed u1, u2, u3 = vel(P)\n", "E0004", "in B`"),
        ("force on x: F*N.x\n", "E0104", "has to be a scalar"),
    ]);
}

#[test]
fn what_happens_to_do_nothing_is_a_warning() {
    for lines in [
        "potential V = m*9.81 [m/s^2]*l\n",
        "spring s: from O to O + l*N.x, stiffness k\n",
    ] {
        let (system, found) = messages(&format!(
            "{PLANE}point P = O + x*N.x + y*N.y + 1 [m]*q*N.z + 1 [m]*p*N.z\nparticle A: mass m at P\n{lines}"
        ));
        assert!(system.is_some(), "{lines}: {found:?}");
        let severities: Vec<_> = found.iter().map(|d| d.severity).collect();
        assert_eq!(severities, [Severity::Warning], "{lines}: {found:?}");
    }
    system(
        "model chain\nconst n = 2\nparam m : kg\nparam l : m\ncoord q[1..n] : rad\nfor i in 1..n {\nframe B[i] = rotate(N, q[i], N.z)\n\
         particle A[i]: mass m at O + sum(j in 1..i-1, l*B[j].x) + l/2*B[i].x\n}\n",
    );
}

#[test]
fn what_a_broken_statement_declares_is_not_missed() {
    let (_, found) = messages(
        "model line\nparam m : kg\nparam k : N/m\ncoord x, y : m\npoint P = O + x*N.x\nparticle A: mass m m at P\n",
    );
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["E0004"]);
    let (_, found) = messages(
        "model line\nparam m : kg\ncoord x y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nforce on Q: x*N.x\n",
    );
    assert_eq!(
        found.iter().map(|d| d.code).collect::<Vec<_>>(),
        ["E0004", "E0101"]
    );
}

#[test]
fn several_slips_are_told_in_one_run() {
    let (codes, text) = told(
        "output e1 = x' cos(q)\nspring s: from O to P, stiffness k, length 1\noutput e2 = lambda(c)\n\
         constraint c: x^2 + y^2 = 1\nframe E = rotate(N, zxz, q, p, q)\nfriction on P: 0.3\n\
         body W: frame D, mass m, center P, inertia J\n",
    );
    let wanted = [
        "E0003", "E0004", "E0101", "E0110", "E0113", "E0201", "E0202",
    ];
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, wanted, "{text}");
}
