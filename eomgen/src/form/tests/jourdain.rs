//! The page on Jourdain's equation.

use super::*;

/// The sleigh by each of the three ways.
#[test]
fn the_sleigh_by_three_ways() {
    for route in Route::ALL {
        page_by(&sleigh(BLADE), "jourdain", route, |p| {
            p.equations_are(&["(m1 + m2)*u1' + m1*l*u2^2", "m1*l^2*u2' - m1*l*u1*u2"]);
        });
        let text = sleigh(&format!("{BLADE}\nprivileged theta', x'"));
        let text = text.replace("speed u1 = dot(vel(P1), B.x)\nspeed u2 = theta'\n", "");
        page_by(&text, "jourdain", route, |p| {
            // D q' + d = 0, and C for Y = (x', theta').
            p.table_is(
                Space::Accelerations,
                "privileged_constraint_matrix",
                &[&["-sin(theta)", "cos(theta)", "l"]],
            );
            p.table_is(
                Space::Accelerations,
                "privileged_constraint_drift",
                &[&["0"]],
            );
            p.table_is(
                Space::SpeedRates,
                "privileged_matrix",
                &[
                    &["1", "0"],
                    &["sin(theta)/cos(theta)", "-l/cos(theta)"],
                    &["0", "1"],
                ],
            );
        });
    }
}

/// Wang & Pao 64, with C of the page.
#[test]
fn the_wheels_by_three_ways() {
    for route in Route::ALL {
        page_by(WHEELS, "jourdain", route, |p| {
            p.table_is(
                Space::SpeedRates,
                "privileged_matrix",
                &[
                    &["a*cos(phi)", "0"],
                    &["a*sin(phi)", "0"],
                    &["1", "0"],
                    &["a*cos(phi)", "-l*cos(phi)"],
                    &["a*sin(phi)", "-l*sin(phi)"],
                    &["1", "-l/a"],
                    &["0", "1"],
                ],
            );
            p.equations_are(&[
                "a*(2*a*(M + m_rim)*psi1'' - l*(M + m_rim)*phi'' - 2*M*g*sin(alpha)*cos(phi))",
                "-(a*l*(M + m_rim)*psi1'' - (M*l^2 + m_rim*l^2 + m_rim*a^2)*phi'' - M*g*l*sin(alpha)*cos(phi))",
            ]);
        });
    }
}

/// What time prescribes is c, and its rate enters the equations.
#[test]
fn a_blade_that_moves_by_three_ways() {
    for route in Route::ALL {
        let text = sleigh("constraint blade: dot(vel(P2), B.y) = e0*sin(w*t)");
        page_by(&text, "jourdain", route, |p| {
            p.table_is(
                Space::Accelerations,
                "privileged_constraint_drift",
                &[&["-e0*sin(w*t)"]],
            );
            p.table_is(
                Space::SpeedRates,
                "privileged_drift",
                &[
                    &["-e0*sin(w*t)*sin(theta)"],
                    &["e0*sin(w*t)*cos(theta)"],
                    &["0"],
                ],
            );
            p.equations_are(&[
                "(m1 + m2)*(u1' - e0*sin(w*t)*u2) + m1*l*u2^2",
                "m1*l^2*u2' - m1*l*(u1*u2 + e0*w*cos(w*t))",
            ]);
        });
    }
}

/// A kinetic energy that is given as such adds to what bodies have: `T = 1/2 J theta'^2`.
#[test]
fn an_energy_that_is_given() {
    for route in Route::ALL {
        let text = sleigh(&format!(
            "param J : kg*m^2 > 0\nkinetic spin = J*theta'^2/2\n{BLADE}\nnonideal on P2: -k*u1*B.x"
        ));
        page_by(&text, "jourdain", route, |p| {
            p.equations_are(&[
                "(m1 + m2)*u1' + m1*l*u2^2 + k*u1",
                "(m1*l^2 + J)*u2' - m1*l*u1*u2",
            ]);
        });
    }
}
