//! Texts of Autolev that are read, and what is said of those that are not.

use super::super::findings::Findings;
use super::{is_autolev, read};
use crate::diag::codes::import::{E0603, E0606, E0607};

/// A pendulum with these lines at its end.
fn pendulum(lines: &str) -> String {
    format!(
        "NEWTONIAN N\nBODIES A\nCONSTANTS L, M, I, G\nVARIABLES Q', F\nMOTIONVARIABLES' U'\nMASS A = M\nINERTIA A, 0, 0, I\nSIMPROT(N, A, 3, Q)\nP_NO_AO> = L*A1>\nQ' = U\n{lines}\n"
    )
}

fn text(file: &str) -> String {
    let mut findings = Findings::default();
    let found = read("a.al", file, &mut findings);
    found.unwrap_or_else(|| panic!("{:#?}", findings.wrong))
}

#[test]
fn what_is_autolev() {
    assert!(is_autolev("% a\n  newtonian n\n") && is_autolev("NewtonianFrame A"));
    assert!(!is_autolev("model a\n") && !is_autolev("password"));
}

#[test]
fn lines_are_written_as_people_write_them() {
    for (lines, expected) in [
        ("", "speed U = Q'"),
        (
            "",
            "body A: frame rotate(N, Q, N.z), mass M, center O + L*A.x, inertia [0, 0, I]",
        ),
        ("GRAVITY(G*N1>)", "gravity: G*N.x"),
        ("DEGREES OFF", "speed U = Q'"),
        // A vector between points is none of the points of a sum.
        (
            "PARTICLES R\nMASS R = M\nP_NO_R> = P_NO_AO> - L*A2>",
            "particle R: mass M at O + (A - O) - L*A.y",
        ),
        // What is shown and needed besides goes by two names.
        (
            "K = KE(A)\nE = K + L\nOUTPUT K, E",
            "output output_k = k\noutput e = k + L",
        ),
        (
            "H> = MOMENTUM(ANGULAR, NO)\nOUTPUT DOT(H>, N3>)",
            "let h = angmom(A, O)",
        ),
        (
            "P> = MOMENTUM(LINEAR)\nOUTPUT MAG(P>)",
            "let p = momentum(A)",
        ),
        // Nothing but an angular velocity: an angle of its own, or Euler parameters.
        (
            "BODIES B\nMASS B = M\nINERTIA B, 0, 0, I\nP_AO_BO> = 0>\nMOTIONVARIABLES' W'\nW_B_A> = W*B3>",
            "body B: frame rotate(A, b_angle, A.z)",
        ),
        (
            "BODIES B\nMASS B = M\nINERTIA B, I, I, I\nP_AO_BO> = 0>\nMOTIONVARIABLES' W{3}'\nW_B_N> = W1*B1> + W2*B2> + W3*B3>",
            "speed W1, W2, W3 = angvel(B) in B",
        ),
        // Three speeds of a point that nothing else determines.
        (
            "PARTICLES R\nMASS R = M\nMOTIONVARIABLES' V{3}'\nV_R_N> = V1*N1> + V2*N2> + V3*N3>",
            "speed V1, V2, V3 = vel(R) in N",
        ),
        ("TORQUE(N/A, F*N3>)", "torque on A: F*N.z"),
        ("TORQUE(A/N, F*N3>)", "torque on A: -(F*N.z)"),
        ("TORQUE_A> = F*A3>", "torque on A: F*A.z"),
        ("FORCE_AO> += -F*A2>", "force on A: -F*A.y"),
        (
            "FORCE(AO, UNITVEC(A1> + N1>)*F)",
            "force on A: unit(A.x + N.x)*F",
        ),
        ("INPUT L = 50 cm", "param L = 0.5, M, I, G"),
        ("INPUT Q = 30 DEG, U = 1", "initial U = 1"),
        ("INPUT Q = -30 DEG", "coord Q = -30 [deg]"),
        ("UNITS Q = DEG\nINPUT Q = 30", "coord Q = 30 [deg]"),
        ("FORCE_AO> = L^2*F/(L + M)*A2>", "L^2*F/(L + M)*A.y"),
        ("FORCE_AO> = -(F - L)^2*A2>", "-(F - L)^2*A.y"),
        (
            "FORCE_AO> = F*(-2)*A2> - (F - L)*A1>",
            "F*(-2)*A.y - (F - L)*A.x",
        ),
        (
            "CONSTANTS C+, D-\nFORCE_AO> = C*A1> + D*A2>",
            "param C > 0\nparam D < 0",
        ),
        (
            "SPECIFIED Z''\nPOINTS P\nPARTICLES R\nMASS R = M\nP_NO_R> = Z*N3>",
            "function Z(t)",
        ),
        (
            "SPECIFIED Z''\nZ = SIN(T)\nPARTICLES R\nMASS R = M\nP_NO_R> = Z*N3>",
            "let Z = sin(t)",
        ),
        (
            "VARIABLES X'\nX' = -X + F\nFORCE_AO> = X*A2>",
            "rate X = -X + F",
        ),
        (
            "DEPENDENT[1] = DOT(V_AO_N>, N1>)\nCONSTRAIN(DEPENDENT[U])",
            "constraint dependent_1: dot(vel(A), N.x) = 0",
        ),
        (
            "HEIGHT = DOT(P_NO_AO>, N1>)\nDEPENDENT[1] = DT(HEIGHT)\nCONSTRAIN(DEPENDENT[U])",
            "constraint height_is_0: dot(A - O, N.x) = 0",
        ),
        ("E = KE()\nOUTPUT T, Q DEG, E", "output e = kinetic(A)"),
        (
            "VARIABLES W\nFORCE_AO> = W*SIN(T)*A2>\nINPUT W = 2",
            "param W = 2",
        ),
        ("PARTICLES R\nMASS R = MR\nP_NO_R> = -L*A1>", "param mr\n"),
        (
            "FRAMES B\nDIRCOS(A, B, SPACE312, F, 0, L)\nTORQUE_A> = B1>",
            "frame B = rotate_space(A, zxy, F, 0, L)",
        ),
        (
            "FRAMES B\nSIMPROT(B, A, -2, L)\nTORQUE_A> = B1>",
            "frame B = rotate(A, -L, -A.y)",
        ),
        (
            "FRAMES B\nA_B = [1, 0, 0; 0, COS(L), -SIN(L); 0, SIN(L), COS(L)]\nTORQUE_A> = B1>",
            "frame B = matrix(A, [1, 0, 0], [0, cos(L), -sin(L)], [0, sin(L), cos(L)])",
        ),
    ] {
        let text = text(&pendulum(lines));
        assert!(text.contains(expected), "{lines}\n{text}");
    }
}

#[test]
fn rates_may_stand_for_speeds() {
    let file = "motionvariables' q{2}''\nconstants l, m, g\nnewtonian n\nframes a\npoints pn\nparticles p\n\
        theta = atan(q2/q1)\nsimprot(n, a, 3, theta)\np_pn_p> = q1*n1> + q2*n2>\nmass p = m\nv_pn_n> = 0>\nv_p_n> = dt(p_pn_p>, n)\n\
        f_v[1] = dot(express(v_p_n>, a), a1>)\ngravity(g*n1>)\ndependent[1] = f_v[1]\nconstrain(dependent[q1'])\n";
    let text = text(file);
    assert!(
        text.contains("coord q1, q2\n") && text.contains("privileged q2'\n"),
        "{text}"
    );
}

#[test]
fn speeds_are_found_one_by_one() {
    let file = "newtonian n\nparticles p\nconstants m\nvariables x', y'\nmotionvariables' u', v'\nmass p = m\np_no_p> = x*n1> + y*n2>\ny' = 2*v - x*u\nx' = -u/m\n";
    let text = text(file);
    assert!(text.contains("speed u = -m*x'\n"), "{text}");
    assert!(text.contains("speed v = (y' + x*"), "{text}");
}

#[test]
fn what_is_wrong_is_said_at_its_place() {
    for (lines, code, place) in [
        ("FORCE_P> = A1>", E0607, "FORCE_P> = A1>"),
        ("SIMPROT(N, B, 3, Q)", E0607, "B"),
        ("SIMPROT(N, A, 4, Q)", E0607, "4"),
        ("SIMPROT(N, A, 1, F)", E0607, "SIMPROT(N, A, 1, F)"),
        (
            "FRAMES B\nDIRCOS(N, B, BODY113, Q, F, F)",
            E0603,
            "DIRCOS(N, B, BODY113, Q, F, F)",
        ),
        ("FORCE_AO> = X*A1>", E0607, "X"),
        ("FORCE_AO> = SINC(F)*A1>", E0603, "SINC(F)"),
        ("FORCE_AO> = F*A1", E0607, "A1"),
        ("FORCE_AO> = F*C1>", E0607, "C1>"),
        ("FORCE_AO> = (F*A1>", E0606, ""),
        ("FORCE_AO> = F A1>", E0606, "A1>"),
        ("IMAGINARY J", E0603, "J"),
        ("I_A_AO>> = 3*A1>*A1>", E0603, "I_A_AO>> = 3*A1>*A1>"),
        ("A.ROTATEZ(N, Q)", E0603, "A"),
        ("UNITSYSTEM SLUG, FOOT, SEC", E0603, "SLUG"),
        ("INPUT L = 3 FURLONG", E0603, "L = 3"),
        ("DEGREES ON", E0603, "DEGREES"),
        ("ROLL(A, N)", E0603, "ROLL(A, N)"),
        ("CONSTANTS L", E0607, "L"),
        ("MOTIONVARIABLES' W'\nW_A_N> = W*A3> + W*N1>", E0607, "W"),
        ("W_A_N> = 2*U*A3>", E0607, "2*U*A3>"),
        ("V_AO_N> = L*U*A1>", E0607, "L*U*A1>"),
        ("BODIES B\nMASS B = M", E0607, "B"),
        ("INERTIA A, I", E0607, "INERTIA A, I"),
        ("P_NO_AO> = L*A2>", E0607, "P_NO_AO> = L*A2>"),
        ("CONSTRAIN(DEPENDENT[U])", E0607, "CONSTRAIN(DEPENDENT[U])"),
        ("L = 3 +", E0606, ""),
        ("A1 = B1 + 1\nB1 = 2*A1", E0607, "B1 + 1"),
        ("A1> = 2*B1>\nV> = W>\nW> = -V>", E0607, "W>"),
    ] {
        let file = pendulum(lines);
        let mut findings = Findings::default();
        let found = read("a.al", &file, &mut findings);
        assert!(found.is_none(), "{lines}: {found:?}");
        let wrong = findings.wrong.iter().find(|wrong| {
            let span = wrong.labels[0].span;
            let at = file.get(span.start as usize..span.end as usize);
            wrong.code == code && (place.is_empty() || at == Some(place))
        });
        assert!(wrong.is_some(), "{lines}: {:#?}", findings.wrong);
        assert!(
            findings.wrong.iter().all(|wrong| wrong.help.is_some()),
            "{lines}"
        );
    }
}

#[test]
fn a_file_in_which_nothing_moves_is_refused() {
    for file in [
        "NEWTONIAN N\n",
        "% a\n  NEWTONIAN N\nBODIES A\nMASS A = 1\n",
        "NEWTONIAN N\nCONSTANTS L\nPOINTS P\nP_NO_P> = L*N1>\n",
    ] {
        let mut findings = Findings::default();
        assert_eq!(read("a.al", file, &mut findings), None, "{file}");
        assert_eq!(findings.wrong.len(), 1, "{:#?}", findings.wrong);
        assert_eq!(findings.wrong[0].code, E0607);
    }
    let mut findings = Findings::default();
    read("a.al", "% a\n  NEWTONIAN N\n", &mut findings);
    let place = findings.wrong[0].labels[0].span;
    assert_eq!((place.start, place.end), (6, 17));
}

#[test]
fn every_beginning_of_a_file_is_read_or_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated-tests/imported");
    for name in ["pendula.al", "satellite.al", "disc.al"] {
        let file = std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
        for at in (0..file.len())
            .step_by(3)
            .filter(|at| file.is_char_boundary(*at))
        {
            let mut findings = Findings::default();
            let found = read(name, &file[..at], &mut findings);
            assert_eq!(found.is_none(), !findings.wrong.is_empty(), "{name} {at}");
        }
    }
}

/// Values of speeds by rates where they are coupled, at one state: what is written for them, evaluated as the text stands.
#[test]
fn coupled_speeds_follow_from_all_their_equations() {
    let file = "NEWTONIAN N\nFRAMES A, B\nPARTICLES P, R\nCONSTANTS M, L\nVARIABLES Q1', Q2'\nMOTIONVARIABLES' U1', U2'\nSIMPROT(N, A, 3, Q1)\nSIMPROT(N, B, 3, Q2)\nMASS P=M, R=M\nP_NO_P> = L*A1>\nP_P_R> = L*B1>\nQ1' = U1 + U2\nQ2' = U1 - 3*U2\n";
    let found = text(file);
    // u1 = (3 q1' + q2')/4, u2 = (q1' - q2')/4
    for expected in [
        "speed U1 = Q1' - (Q2' - Q1')/(-1 - 3)",
        "speed U2 = (Q2' - Q1')/(-1 - 3)",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
}

#[test]
fn what_has_no_mass_is_told() {
    let mut findings = Findings::default();
    let none = "NEWTONIAN N\nBODIES A\nVARIABLES Q1'\nSIMPROT(N, A, 3, Q1)\nP_NO_AO> = A1>\n";
    assert_eq!(read("a.al", none, &mut findings), None);
    assert_eq!(findings.wrong[0].code, E0607);
    assert_eq!(findings.wrong[0].title, "nothing in this file has a mass");
    let mut findings = Findings::default();
    assert!(read("a.al", &pendulum("BODIES B\nPARTICLES R"), &mut findings).is_some());
    let left = findings.left_lines();
    let told = "masses of what is declared without one: B, R";
    assert!(left.iter().any(|line| line == told), "{left:?}");
}
