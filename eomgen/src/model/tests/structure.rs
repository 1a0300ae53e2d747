//! What statements resolve to: frames, points, bodies, loads, assumptions, order.

use super::{messages, system};
use crate::function::Elementary;
use crate::model::System;
use crate::model::system::{
    FrameId, LoadKind, Orientation, PointId, Quantity, Rational, Scalar, Sign, Vector,
};

/// A frame's name, its parent's name, and how it is turned, in words.
fn frames(system: &System) -> Vec<String> {
    let turns = system.frames.iter().skip(1).map(|frame| {
        let (parent, orientation) = frame.orientation.as_ref().unwrap();
        let how = match orientation {
            Orientation::Simple { axis, angle } => {
                format!("{axis:?} {}", system.scalar_text(angle))
            }
            Orientation::AxisAngle { axis, angle } => {
                let axis = axis.each_ref().map(|c| system.scalar_text(c)).join(", ");
                format!("({axis}) {}", system.scalar_text(angle))
            }
            Orientation::Quaternion { parts, .. } => {
                parts.each_ref().map(|c| system.scalar_text(c)).join(", ")
            }
            Orientation::Matrix { rows } => {
                let row = |r: &[Scalar; 3]| r.each_ref().map(|c| system.scalar_text(c)).join(", ");
                rows.each_ref().map(row).join("; ")
            }
        };
        let parent = &system.frames[parent.index()].meta.name;
        format!("{} in {parent}: {how}", frame.meta.name)
    });
    turns.collect()
}

const ANGLES: &str = "model angles\nparam m : kg\nparam k : 1\ncoord a, b, c : rad\n\
    point P = O + (sin(a + b + c)*1 [m])*N.x\nparticle A: mass m at P\n";

fn check_frames(lines: &str, expected: &[&str]) {
    let text = format!("{ANGLES}{lines}\n");
    assert_eq!(frames(&system(&text)), expected, "{lines}");
}

#[test]
fn a_joint_at_an_angle_is_one_turn() {
    let mounted = "frame F = rotate(N, 30 [deg], N.z)\nframe B = rotate(F, a, F.z)";
    check_frames(
        mounted,
        &["F in N: Z 30*(pi/180)", "B in N: Z 30*(pi/180) + a"],
    );
    check_frames(
        "frame F = rotate(N, a, N.z)\nframe B = rotate(F, k, F.z)\nframe C = rotate(B, -0.5, B.z)",
        &["F in N: Z a", "B in N: Z a + k", "C in N: Z a + k - 0.5"],
    );
    // Not about another axis, nor by two coordinates, nor where the axes between are spoken of.
    check_frames(
        "frame F = rotate(N, k, N.z)\nframe B = rotate(F, a, F.x)",
        &["F in N: Z k", "B in F: X a"],
    );
    check_frames(
        "frame F = rotate(N, a, N.z)\nframe B = rotate(F, b, F.z)",
        &["F in N: Z a", "B in F: Z b"],
    );
    for use_of in [
        "point Q = O + (1 [m])*F.x",
        "body W: frame F, mass m, center P, inertia [1 [kg*m^2]]",
        "output w = angvel(B, F)",
        "constraint pin: P = O in F",
        "torque on F: (1 [N*m])*N.z",
    ] {
        check_frames(
            &format!("{mounted}\n{use_of}"),
            &["F in N: Z 30*(pi/180)", "B in F: Z a"],
        );
    }
}

#[test]
fn simple_turns() {
    check_frames("frame B = rotate(N, a, N.y)", &["B in N: Y a"]);
    check_frames("frame B = rotate(N, a, B.z)", &["B in N: Z a"]);
    check_frames("frame B = rotate(N, a, -N.z)", &["B in N: Z -a"]);
    check_frames("frame B = rotate(N, a, -3*N.z + N.z)", &["B in N: Z -a"]);
    check_frames(
        "let up = -N.y\nframe B = rotate(N, a, up)",
        &["B in N: Y -a"],
    );
    check_frames(
        "frame B = rotate(N, 30 [deg], N.x)",
        &["B in N: X 30*(pi/180)"],
    );
}

#[test]
fn turns_about_given_axes_are_normalised_exactly() {
    // 3-4-5: the length is rational.
    check_frames(
        "frame B = rotate(N, a, 3*N.x + 4*N.z)",
        &["B in N: (0.6, 0, 0.8) a"],
    );
    check_frames(
        "frame B = rotate(N, a, N.x - 2*N.y)",
        &["B in N: (1/sqrt(5), -2/sqrt(5), 0) a"],
    );
    check_frames(
        "frame B = rotate(N, a, N.x/2 + N.y/2 + N.z/2)",
        &["B in N: (0.5/sqrt(0.75), 0.5/sqrt(0.75), 0.5/sqrt(0.75)) a"],
    );
    check_frames(
        "frame B = rotate(N, a, N.x + k*N.y)",
        &["B in N: (1/sqrt(1^2 + k^2), k/sqrt(1^2 + k^2), 0) a"],
    );
    let text = format!("{ANGLES}frame B = rotate(N, a, N.x + N.z)\n");
    let s = system(&text);
    let Some((_, Orientation::AxisAngle { axis, .. })) = &s.frames[1].orientation else {
        panic!("{:?}", s.frames);
    };
    let two = Scalar::Number(Rational::from_integer(2.into()));
    let one = Box::new(Scalar::Number(Rational::from_integer(1.into())));
    let root = Box::new(Scalar::Call(Elementary::Sqrt, vec![two]));
    assert_eq!(axis[0], Scalar::Div(one, root));
}

#[test]
fn sequences_become_hidden_frames() {
    check_frames(
        "frame B = rotate_body(N, zxz, a, b, c)",
        &["B#1 in N: Z a", "B#2 in B#1: X b", "B in B#2: Z c"],
    );
    // Turning about the axes of N by a, then b, then c is turning about own axes by c, b, a.
    check_frames(
        "frame B = rotate_space(N, xyz, a, b, c)",
        &["B#1 in N: Z c", "B#2 in B#1: Y b", "B in B#2: X a"],
    );
    check_frames("frame B = rotate_body(N, y, a)", &["B in N: Y a"]);
}

#[test]
fn direction_cosines_keep_their_places() {
    check_frames(
        "frame B = matrix(N, [cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1])",
        &["B in N: cos(a), -sin(a), 0; sin(a), cos(a), 0; 0, 0, 1"],
    );
    // A turn by the angle of the 3-4-5 triangle is exactly orthonormal.
    check_frames(
        "frame B = matrix(N, [3/5, -0.8, 0], [4/5, 0.6, 0], [0, 0, 1])",
        &["B in N: 3/5, -0.8, 0; 4/5, 0.6, 0; 0, 0, 1"],
    );
}

#[test]
fn rotations_in_decimals_are_taken_for_what_they_are() {
    let codes = |line: &str| -> Vec<&str> {
        let text = format!("{ANGLES}{line}\n");
        let (_, found) = super::messages(&text);
        let codes = found.iter().map(|d| d.code);
        codes.filter(|c| matches!(*c, "N0127" | "E0111")).collect()
    };
    // Told, and changed.
    assert_eq!(
        codes("frame B = rotate(N, a + 1.5707963267948, N.z)"),
        ["N0127"]
    );
    let twice = "frame B = rotate_body(N, zx, -3.14159265358979, 1.57079632679)";
    assert_eq!(codes(twice), ["N0127", "N0127"]);
    // Told, and left.
    assert_eq!(codes("frame B = rotate(N, 1.5708, N.z)"), ["N0127"]);
    // Exact, or nothing of the kind.
    assert_eq!(codes("frame B = rotate(N, 90 [deg] + a, N.z)"), [""; 0]);
    assert_eq!(codes("frame B = rotate(N, 0.5235987755983, N.z)"), [""; 0]);
    // A sixth of a turn in six digits; in three; left-handed.
    let digits = "[0.500000, -0.866025, 0], [0.866025, 0.500000, 0], [0, 0, 1]";
    assert_eq!(codes(&format!("frame B = matrix(N, {digits})")), ["N0127"]);
    let few = "[0.5, -0.866, 0], [0.866, 0.5, 0], [0, 0, 1]";
    assert_eq!(codes(&format!("frame B = matrix(N, {few})")), ["E0111"]);
    let left = "[0.500000, 0.866025, 0], [0.866025, -0.500000, 0], [0, 0, 1]";
    assert_eq!(codes(&format!("frame B = matrix(N, {left})")), ["E0111"]);
}

#[test]
fn parents_come_first_and_otherwise_the_order_is_kept() {
    check_frames(
        "frame C = rotate(B, c, B.x)\nframe D = rotate(N, a, N.x)\nframe B = rotate(N, b, N.y)",
        &["B in N: Y b", "C in B: X c", "D in N: X a"],
    );
    let s = system(&format!(
        "{ANGLES}point S = R + 1 [m]*N.x\npoint Q = P + r\npoint R = Q - r\nlet r = 2*d\n\
         let d = 1 [m]*N.z\n"
    ));
    let names: Vec<_> = s.points.iter().map(|p| p.meta.name.as_str()).collect();
    assert_eq!(names, ["O", "P", "Q", "R", "S"]);
    assert_eq!(s.points[4].offset.as_ref().unwrap().0, PointId(3));
    // Values keep the order of declaration.
    let lets: Vec<_> = s.lets.iter().map(|l| l.meta.name.as_str()).collect();
    assert_eq!(lets, ["r", "d"]);
    assert_eq!(s.lets[0].meta.unit.as_deref(), Some("m"));
}

#[test]
fn order_of_declaration_does_not_change_the_meaning() {
    let head = "model pendulum\n";
    let lines = [
        "param m : kg > 0",
        "param l : m",
        "coord q : rad",
        "let r = l*B.x",
        "frame B = rotate(N, q, N.z)",
        "point P = O + r",
        "particle A: mass m at P",
        "speed u = q'",
        "output v = dot(vel(A), B.y)*w",
        "let w = u + 1 [rad/s]",
        "constraint c: w = f(q, t)",
        "function f(q, t) : rad/s",
    ];
    let forward = system(&format!("{head}{}\n", lines.join("\n")));
    let backward: Vec<_> = lines.iter().rev().copied().collect();
    let backward = system(&format!("{head}{}\n", backward.join("\n")));
    let describe = |s: &System| {
        let value = |q: &Quantity| match q {
            Quantity::Scalar(x) => s.scalar_text(x),
            Quantity::Vector(v) => s.vector_text(v),
        };
        let mut all = frames(s);
        let offset = s.points[1].offset.as_ref().unwrap();
        all.push(s.vector_text(&offset.1));
        all.push(value(&s.outputs[0].value));
        all.push(s.scalar_text(&s.speeds[0].value));
        all.push(format!("{:?}", s.outputs[0].meta.unit));
        let mut lets: Vec<_> = s.lets.iter().map(|l| value(&l.value)).collect();
        lets.sort();
        all.extend(lets);
        all
    };
    assert_eq!(describe(&forward), describe(&backward));
}

const BODIES: &str = "model bodies\nparam m, k : kg > 0\nparam J : kg*m^2\nparam l : m\n\
    coord q, p : rad\ncoord x : m\ninput T : N*m\nframe B = rotate(N, q, N.z)\n\
    frame C = rotate(B, 0.5, B.x)\npoint G = O + x*N.x\npoint H = G + l*(B.x + 2*C.y)\n\
    frame D = rotate(N, p, N.z)\nparticle A: mass m at H\n";

#[test]
fn inertia_about_other_points_and_in_other_frames() {
    let s = system(&format!(
        "{BODIES}body W: inertia [J, J, J, 0, -J/4, 0] about H in C, mass 2*k, center G, frame B\n\
         body V: frame C, mass m, center A, inertia [J, J, J]\n"
    ));
    let w = s.bodies[1].rigid.as_ref().unwrap();
    assert_eq!((w.frame, w.axes), (FrameId(1), FrameId(2)));
    assert_eq!((s.bodies[1].center, w.about), (PointId(1), PointId(2)));
    let entries = w.inertia.each_ref().map(|i| s.scalar_text(i));
    assert_eq!(entries, ["J", "J", "J", "0", "-J/4", "0"]);
    // A particle's name stands for its point.
    let v = s.bodies[2].rigid.as_ref().unwrap();
    assert_eq!((s.bodies[2].center, v.about), (PointId(2), PointId(2)));
    assert_eq!((v.frame, v.axes), (FrameId(2), FrameId(2)));
}

#[test]
fn loads_and_their_opposites() {
    let s = system(&format!(
        "{BODIES}body W: frame B, mass m, center G, inertia [J, J, J]\n\
         torque on W, opposite on D: T*N.z\nforce on A, opposite on O: 2 [N]*B.x  /// a string\n\
         nonideal torque on D: -T*N.z\ngeneralized q: -T\nforce on W: 0\n"
    ));
    let vector = |v: &Vector| s.vector_text(v);
    let found: Vec<_> = s
        .loads
        .iter()
        .map(|load| match &load.kind {
            LoadKind::Force { point, vector: v } => {
                format!("force {} {}", s.points[point.index()].meta.name, vector(v))
            }
            LoadKind::Torque { frame, vector: v } => {
                format!("torque {} {}", s.frames[frame.index()].meta.name, vector(v))
            }
            LoadKind::Generalized { coord, value } => format!(
                "generalized {} {}",
                s.coords[coord.index()].meta.name,
                s.scalar_text(value)
            ),
        })
        .collect();
    assert_eq!(
        found,
        [
            "torque B T*N.z",
            "torque D -(T*N.z)",
            "force H 2*B.x",
            "force O -(2*B.x)",
            "generalized q -T",
            "force G 0",
        ]
    );
    assert_eq!(s.loads[2].docs, "a string");
    assert_eq!(s.nonideal.len(), 1);
    let frame = FrameId(3);
    assert!(matches!(&s.nonideal[0].kind, LoadKind::Torque { frame: f, .. } if *f == frame));
}

#[test]
fn signs_come_from_declarations_and_assumptions() {
    let s = system(
        "model signs\nparam a : m > 0\nparam b, c : m\nparam d : m >= 0\nparam e = 3 : m > 2 [m]\n\
         coord x = 0.1, y = 5 [cm] : m\nassume b != 0\nassume 0 > c\nassume d != 0\n\
         assume x' != 0\nassume x >= 0\nassume y < a\npoint P = O + x*N.x + y*N.y\n\
         particle A: mass 1 [kg] at P\n",
    );
    let signs: Vec<_> = s.params.iter().map(|p| p.sign).collect();
    assert_eq!(
        signs,
        [
            Some(Sign::Positive),
            Some(Sign::NonZero),
            Some(Sign::Negative),
            // >= 0 and != 0.
            Some(Sign::Positive),
            None,
        ]
    );
    assert_eq!(s.coords[0].sign, Some(Sign::NonNegative));
    let initial = |n: i64, d: i64| Some(Rational::new(n.into(), d.into()));
    assert_eq!(s.coords[0].initial, initial(1, 10));
    assert_eq!(s.coords[1].initial, initial(1, 20));
    assert_eq!(s.params[4].default, initial(3, 1));
    let assumed: Vec<_> = s
        .assumptions
        .iter()
        .map(|a| (s.scalar_text(&a.value), a.sign, a.text.as_str()))
        .collect();
    assert_eq!(
        assumed,
        [
            ("e - 2".to_string(), Sign::Positive, "e > 2 [m]"),
            ("x'".to_string(), Sign::NonZero, "x' != 0"),
            ("y - a".to_string(), Sign::Negative, "y < a"),
        ]
    );
}

#[test]
fn defaults_in_degrees_are_as_exact_as_doubles() {
    let s = system(
        "model defaults\nparam m = 1.3, k = 2 : kg\ncoord q = -30 [deg] : rad\n\
         point P = O + (sin(q)*1 [m])*N.x\nparticle A: mass m at P\n",
    );
    let exact = -std::f64::consts::FRAC_PI_6;
    let initial = s.coords[0].initial.clone().unwrap();
    let float = num_traits::ToPrimitive::to_f64(&initial).unwrap();
    assert!((float - exact).abs() <= f64::EPSILON * 0.5);
    assert_eq!(
        s.params[0].default,
        Some(Rational::new(13.into(), 10.into()))
    );
}

#[test]
fn constraints_of_points_and_in_frames() {
    let s = system(&format!(
        "{BODIES}constraint meet: G = H + l*B.z in B\nconstraint still: vel(G, B) = 0\n\
         constraint held: 0 = C.x - D.x\nspeed u = x'\nconstraint drive: u = 0\n"
    ));
    let sides: Vec<_> = s
        .constraints
        .iter()
        .map(|c| match &c.relation {
            crate::model::system::ConstraintRelation::Scalar { lhs, rhs } => {
                format!("{} = {}", s.scalar_text(lhs), s.scalar_text(rhs))
            }
            crate::model::system::ConstraintRelation::Vector { lhs, rhs, frame } => format!(
                "{} = {} in {}",
                s.vector_text(lhs),
                s.vector_text(rhs),
                s.frames[frame.index()].meta.name
            ),
        })
        .collect();
    assert_eq!(
        sides,
        [
            "G - H = l*B.z in B",
            "vel(G, B) = 0 in N",
            "0 = C.x - D.x in N",
            "u = 0",
        ]
    );
}

#[test]
fn keywords_of_rust_and_unicode_names_are_names() {
    let s = system(
        "model fn\nparam μ, type : kg\ncoord θ : rad\ncoord loop : m\n\
         frame Б = rotate(N, θ, N.z)\npoint P = O + loop*Б.x\nparticle self: mass μ + type at P\n",
    );
    assert_eq!(s.params[1].meta.name, "type");
    assert_eq!(s.scalar_text(&s.bodies[0].mass), "μ + type");
}

#[test]
fn names_of_functions_may_be_names_of_other_things() {
    let s = system(
        "model names\nparam m : kg\ncoord x : m\nlet dot = dot(vel(P), N.x)\npoint P = O + x*N.x\n\
         particle A: mass m at P\noutput exp = 2*dot\n",
    );
    assert_eq!(s.lets[0].meta.unit.as_deref(), Some("m/s"));
}

#[test]
fn docs_and_spans_point_at_the_declaration() {
    let text = "//! A slider.\nmodel slider\nparam m : kg   /// its mass\n/// its place\n\
        coord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n";
    let s = system(text);
    assert_eq!(s.docs, "A slider.");
    assert_eq!(s.params[0].meta.docs, "its mass");
    assert_eq!(s.coords[0].meta.docs, "its place");
    let span = s.coords[0].meta.span;
    assert_eq!(&text[span.start as usize..span.end as usize], "x");
}

#[test]
fn failed_declarations_are_told_once() {
    // Everything else stands on B, which does not stand.
    let (system, found) = messages(
        "model once\nparam m : kg\ncoord q : rad\nframe B = rotate(A, q, A.z)\n\
         frame C = rotate(B, 1, B.x)\npoint P = O + 1 [m]*C.x\nlet r = P - O\n\
         particle K: mass m at P\nforce on K: 1 [N]*B.x\nspeed u = dot(vel(P), B.x)\n\
         constraint c: u = dot(r, C.y)\noutput e = dot(dt(r, C), angvel(C))*u'\n",
    );
    assert!(system.is_none());
    let titles: Vec<_> = found.iter().map(|d| d.title.as_str()).collect();
    assert_eq!(titles, ["unknown frame `A`"]);
}
