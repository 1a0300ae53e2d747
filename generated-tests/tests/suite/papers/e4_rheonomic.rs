//! OR 5.1, 6.5, 6.10-6.11, 7.2-7.5: a rod whose length r(t), and a blade whose side velocity e(t), are prescribed.
//!
//! By hand, with `w = theta'` and `v2.e2 = e`: `v2 = (u1 + r') e1 + e e2`, `v1 = u1 e1 + (e - r w) e2`, hence
//!
//! ```text
//! a1 = (u1' - w (e - r w)) e1 + (e' - r' w - r w' + u1 w) e2
//! a2 = (u1' + r'' - e w) e1   + (e' + (u1 + r') w) e2
//! ```
//!
//! Kane's equations by u1 and w, and the projections on the directions that blade and rod forbid:
//!
//! ```text
//! (m1 + m2) u1' + m1 r w^2 - (m1 + m2) e w + m2 r'' = 0        r w' = e' - r' w + u1 w
//! mu = m2 (e' + (u1 + r') w)                                   lambda1 = m2 a2.e1 = m1 m2/(m1 + m2) (r'' - r w^2)
//! ```

use super::sheet::Sheet;

/// With r as a coordinate that a row holds, and both heights.
const SIX: &str = "e4_sleigh_rheonomic";
/// With the rod's length written into the second particle's place, and three quasi-velocities.
const SPEEDS: &str = "e4_sleigh_rheonomic_speeds";

const LENGTH: &str = "(l + eps*sin(w*t))";
const LENGTH_RATE: &str = "(eps*w*cos(w*t))";
const LENGTH_ACCELERATION: &str = "(-eps*w^2*sin(w*t))";
const SIDE: &str = "(e0*cos(w2*t))";
const SIDE_RATE: &str = "(-e0*w2*sin(w2*t))";

/// Puts the prescribed functions in: `R`, `R1`, `R2` for r, r', r'' and `E`, `E1` for e, e'.
fn prescribed(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(match &*word {
            "R" => LENGTH,
            "R1" => LENGTH_RATE,
            "R2" => LENGTH_ACCELERATION,
            "E" => SIDE,
            "E1" => SIDE_RATE,
            other => other,
        });
        word.clear();
        out.push(c);
    }
    out
}

/// The reactions of section 7 with time.
#[test]
fn reactions() {
    let blade = prescribed("m2*(E1 + (x'*cos(theta) + y'*sin(theta) + R1)*theta')");
    let rod = prescribed("m1*m2/(m1 + m2)*(R2 - r*theta'^2)");
    let wrong = prescribed("m2*(E1 + (x'*cos(theta) + y'*sin(theta) - R1)*theta')");
    for method in [
        "newton-euler",
        "lagrange",
        "maggi",
        "boltzmann-hamel",
        "kane",
        "jourdain",
        "udwadia-kalaba",
    ] {
        Sheet::new(SIX, method)
            .entry("multipliers", "rod", &rod)
            .entry("multipliers", "floor1", "m1*g")
            .entry("multipliers", "floor2", "m2*g")
            .entry("multipliers", "blade", &blade)
            .not("multipliers", "blade", "", &wrong)
            .check();
    }
}

/// The equations of motion in u1 and theta', and the blade's force.
#[test]
fn equations() {
    let first = prescribed("(m1 + m2)*u1' + m1*R*u2^2 - (m1 + m2)*E*u2 + m2*R2");
    let second = prescribed("-m1*R*(E1 - R1*u2 - R*u2' + u1*u2)");
    let force = prescribed("m2*(E1 + (u1 + R1)*u2)");
    let wrong = prescribed("(m1 + m2)*u1' + m1*R*u2^2 + (m1 + m2)*E*u2 + m2*R2");
    let wrong_force = prescribed("m2*(E1 + (u1 - R1)*u2)");
    for method in [
        "gibbs-appell",
        "kane",
        "maggi",
        "boltzmann-hamel",
        "jourdain",
    ] {
        Sheet::new(SPEEDS, method)
            .equation("u1'", &first, "0")
            .equation("u2'", &second, "0")
            .vector("multipliers", &[&force])
            .no_equation("u1'", &wrong, "0")
            .not("multipliers", "blade", "", &wrong_force)
            .check();
    }
}

/// OR 6.10 with its time terms. `u3 = r theta' - x' sin theta + y' cos theta` depends on time by r, so that beside the coefficients of
/// the sleigh with a rigid rod there is `gamma^3_20 = dJ_theta3/dt = r'`; nothing in J or in j is left of it elsewhere, since the velocity
/// of the second particle along the rod is no quasi-velocity. With `Tbar = 1/2 m1 (u1^2 + (u3 - r u2)^2) + 1/2 m2 ((u1 + r')^2 + u3^2)`
/// the row of u3 is `m1 (e' - r' u2 - r u2') + m2 e' + u2 dTbar/du1 = mu`.
#[test]
fn boltzmann_hamel() {
    let length = prescribed("R");
    let rate = prescribed("R1");
    let force = prescribed("m1*(E1 - R1*u2 - R*u2') + m2*E1 + u2*(m1*u1 + m2*(u1 + R1))");
    let wrong = prescribed("-R1");
    Sheet::new(SPEEDS, "boltzmann-hamel")
        .matrix(
            "quasi_velocity_matrix",
            &[
                &["cos(theta)", "sin(theta)", "0"],
                &["0", "0", "1"],
                &["-sin(theta)", "cos(theta)", &length],
            ],
        )
        .vector("quasi_velocity_drift", &["0", "0", "0"])
        .matrix(
            "transposition_coefficients",
            &[
                &["0", "0", "0", "0", "0", "-1", "0", "1", "0"],
                &["0", "0", "0", "0", "0", "0", "0", "0", "0"],
                &["0", "-1", "0", "1", "0", "0", "0", "0", "0"],
            ],
        )
        .matrix(
            "transposition_drift",
            &[&["0", "0", "0"], &["0", "0", "0"], &["0", &rate, "0"]],
        )
        .vector("constraint_reactions_in_quasi_velocities", &[&force])
        .not("transposition_drift", "2", "1", &wrong)
        .not("transposition_drift", "2", "1", "0")
        .check();
}
