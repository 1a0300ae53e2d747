//! The page on the Boltzmann-Hamel equations.

use super::*;

/// The gammas of the page: `gamma^1_23 = -1`, `gamma^3_12 = -1`, antisymmetric, and no others.
#[test]
fn the_sleighs_transposition_coefficients() {
    page(&sleigh_with_slip("u3 = 0"), "boltzmann-hamel", |p| {
        let table = p.table("transposition_coefficients");
        assert_eq!(table.rows, ["u1", "u2", "u3"]);
        assert_eq!(table.columns[5], "u2 u3");
        p.table_is(
            Space::SpeedRates,
            "transposition_coefficients",
            &[
                &["0", "0", "0", "0", "0", "-1", "0", "1", "0"],
                &["0", "0", "0", "0", "0", "0", "0", "0", "0"],
                &["0", "-1", "0", "1", "0", "0", "0", "0", "0"],
            ],
        );
        let none: &[&str] = &["0", "0", "0"];
        p.table_is(
            Space::SpeedRates,
            "transposition_drift",
            &[none, none, none],
        );
    });
}

/// O'Reilly et al. 2.22.
#[test]
fn the_sleigh() {
    for text in [sleigh_with_slip("u3 = 0"), sleigh(BLADE)] {
        page(&text, "boltzmann-hamel", |p| {
            p.equations_are(&["(m1 + m2)*u1' + m1*l*u2^2", "m1*l^2*u2' - m1*l*u1*u2"]);
            p.table_is(
                Space::SpeedRates,
                "constraint_reactions_in_quasi_velocities",
                &[&["(m1 + m2)*u1*u2 - m1*l*u2'"]],
            );
        });
    }
}

/// A constraint that says `u3 = e(t)` (O'Reilly et al. 6.10): u3 is kept until after the differentiation.
#[test]
fn a_blade_that_moves() {
    page(
        &sleigh_with_slip("u3 = e0*sin(w*t)"),
        "boltzmann-hamel",
        |p| {
            p.equations_are(&[
                "(m1 + m2)*(u1' - e0*sin(w*t)*u2) + m1*l*u2^2",
                "m1*l^2*u2' - m1*l*(u1*u2 + e0*w*cos(w*t))",
            ]);
            let table = p.table("constraint_reactions_in_quasi_velocities");
            assert_eq!(table.rows, ["blade"]);
            // The speed itself is the quasi-velocity, and its matrix has no drift.
            p.table_is(
                Space::Accelerations,
                "quasi_velocity_drift",
                &[&["0"], &["0"], &["0"]],
            );
            p.table_is(
                Space::SpeedRates,
                "constraint_reactions_in_quasi_velocities",
                &[&["(m1 + m2)*(u1*u2 + e0*w*cos(w*t)) - m1*l*u2'"]],
            );
        },
    );
}

/// The same constraint without a speed of that name: the quasi-velocity is the row's velocity form, and is 0.
#[test]
fn a_blade_that_moves_without_a_speed() {
    let text = sleigh("constraint blade: dot(vel(P2), B.y) = e0*sin(w*t)");
    page(&text, "boltzmann-hamel", |p| {
        p.table_is(
            Space::Accelerations,
            "quasi_velocity_drift",
            &[&["0"], &["0"], &["-e0*sin(w*t)"]],
        );
        // dj_3/dt does not enter; the coefficients of the sleigh turn j_3 into gamma^1_20.
        p.table_is(
            Space::SpeedRates,
            "transposition_drift",
            &[
                &["0", "-e0*sin(w*t)", "0"],
                &["0", "0", "0"],
                &["0", "0", "0"],
            ],
        );
        p.equations_are(&[
            "(m1 + m2)*(u1' - e0*sin(w*t)*u2) + m1*l*u2^2",
            "m1*l^2*u2' - m1*l*(u1*u2 + e0*w*cos(w*t))",
        ]);
        p.table_is(
            Space::SpeedRates,
            "constraint_reactions_in_quasi_velocities",
            &[&["(m1 + m2)*(u1*u2 + e0*w*cos(w*t)) - m1*l*u2'"]],
        );
    });
}

/// Components along axes that turn as time prescribes: there is no other coefficient than those of time, and they give the
/// acceleration `u1' - W u2`, `u2' + W u1`.
#[test]
fn axes_that_turn() {
    let text = "model turning\nparam m : kg > 0\nparam W : rad/s\ncoord x, y : m\nframe R = rotate(N, W*t, N.z)\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u1 = dot(vel(P), R.x)\nspeed u2 = dot(vel(P), R.y)";
    page(text, "boltzmann-hamel", |p| {
        let none: &[&str] = &["0", "0", "0", "0"];
        p.table_is(
            Space::SpeedRates,
            "transposition_coefficients",
            &[none, none],
        );
        p.table_is(
            Space::SpeedRates,
            "transposition_drift",
            &[&["0", "W"], &["-W", "0"]],
        );
        p.equations_are(&["m*(u1' - W*u2)", "m*(u2' + W*u1)"]);
    });
}

/// The same velocities of a particle whose coordinates turn with the axes: J is the identity, and j depends on the coordinates.
#[test]
fn coordinates_that_turn() {
    let text = "model turning\nparam m : kg > 0\nparam W : rad/s\ncoord x, y : m\nframe R = rotate(N, W*t, N.z)\npoint P = O + x*R.x + y*R.y\nparticle A: mass m at P\nspeed u1 = dot(vel(P), R.x)\nspeed u2 = dot(vel(P), R.y)";
    page(text, "boltzmann-hamel", |p| {
        p.table_is(
            Space::Accelerations,
            "quasi_velocity_drift",
            &[&["-W*y"], &["W*x"]],
        );
        p.table_is(
            Space::SpeedRates,
            "transposition_drift",
            &[&["0", "W"], &["-W", "0"]],
        );
        p.equations_are(&["m*(u1' - W*u2)", "m*(u2' + W*u1)"]);
    });
}

/// Euler's equations: the quasi-velocities of a body are its angular velocity, `gamma^3_12 = 1` and so on by turns, so that
/// row 1 has `w2 I3 w3 - w3 I2 w2`.
#[test]
fn eulers_equations() {
    let text = "model top\nparam I1, I2, I3 : kg*m^2 > 0\ncoord a, b, c : rad\nframe B = rotate_body(N, zxz, a, b, c)\nbody top: frame B, mass 1 [kg], center O, inertia [I1, I2, I3]\nspeed w1 = dot(angvel(B), B.x)\nspeed w2 = dot(angvel(B), B.y)\nspeed w3 = dot(angvel(B), B.z)";
    page(text, "boltzmann-hamel", |p| {
        p.table_is(
            Space::SpeedRates,
            "transposition_coefficients",
            &[
                &["0", "0", "0", "0", "0", "1", "0", "-1", "0"],
                &["0", "0", "-1", "0", "0", "0", "1", "0", "0"],
                &["0", "1", "0", "-1", "0", "0", "0", "0", "0"],
            ],
        );
        p.equations_are(&[
            "I1*w1' - (I2 - I3)*w2*w3",
            "I2*w2' - (I3 - I1)*w3*w1",
            "I3*w3' - (I1 - I2)*w1*w2",
        ]);
    });
}
