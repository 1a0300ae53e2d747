//! WP section IV.C in all twelve coordinates with the ten constraints (i) to (x).
//!
//! The constraints (ii) and (iv), `theta1 = theta2 = 0`, are not put into the equations: sines and cosines of the nutations stay where
//! they are, and vanish or are 1 on the constraints. By hand, with `theta' = 0`, a wheel turns by
//! `(0, psi' + phi' sin theta, phi' cos theta)` in the axes that follow precession and nutation, where its inertia is
//! `m' a^2 (1/2, 1, 1/2)`. So there is, beside what WP 64 has, `m' a^2 (sin theta1 + sin theta2)` in the coefficient of the other
//! acceleration and `m' a^2 (s1^2/2 + s2^2/2 - 2 s2 l/a)` in that of phi'' in its own row.

use super::sheet::Sheet;
use eomgen::options::Route;

const MODEL: &str = "e5_wheel_axle_full";

/// All rates but the privileged psi1' and phi1'.
const DEPENDENT: [&str; 10] = [
    "x1'", "y1'", "z1'", "theta1'", "x2'", "y2'", "z2'", "phi2'", "theta2'", "psi2'",
];

fn sheet(method: &str) -> Sheet {
    Sheet::new(MODEL, method).eliminating(&DEPENDENT)
}

/// WP 64, first row times a, and what vanishes with the nutations.
const FIRST: [&str; 2] = [
    "a*(2*a*(M + m_rim)*psi1'' - l*(M + m_rim)*phi1'') + m_rim*a^2*(sin(theta1) + sin(theta2))*phi1''",
    "a*2*M*g*sin(alpha)*cos(phi1)",
];
/// WP 64, second row times -1, and what vanishes with the nutations.
const SECOND: [&str; 2] = [
    "-(a*l*(M + m_rim)*psi1'' - (M*l^2 + m_rim*l^2 + m_rim*a^2)*phi1'') \
     + m_rim*a^2*(sin(theta1) + sin(theta2))*psi1'' \
     + m_rim*a^2*(sin(theta1)^2/2 + sin(theta2)^2/2 - 2*sin(theta2)*l/a)*phi1''",
    "-M*g*l*sin(alpha)*cos(phi1)",
];

fn equations(sheet: Sheet) -> Sheet {
    sheet
        .equation("psi1''", FIRST[0], FIRST[1])
        .equation("phi1''", SECOND[0], SECOND[1])
        .no_equation("psi1''", FIRST[0], "-a*2*M*g*sin(alpha)*cos(phi1)")
        .no_equation("phi1''", SECOND[0], "M*g*l*sin(alpha)*cos(phi1)")
}

/// WP 64 by Wang and Pao's three methods.
#[test]
fn three_methods() {
    for route in Route::ALL {
        equations(sheet("jourdain").route(route)).check();
    }
}

/// The same by others.
#[test]
fn other_methods() {
    for method in ["kane", "gibbs-appell", "maggi"] {
        equations(sheet(method)).check();
    }
}

/// The constraints (i) to (x), differentiated to velocities: D; and C of `q' = C (phi1', psi1')`.
#[test]
fn matrices() {
    Sheet::new(MODEL, "jourdain")
        .eliminating(&DEPENDENT)
        .matrix(
            "privileged_constraint_matrix",
            &[
                // x1  y1   z1   phi1 theta1 psi1           x2   y2   z2   phi2  theta2 psi2
                &["0", "0", "1", "0", "0", "0", "0", "0", "0", "0", "0", "0"],
                &["0", "0", "0", "0", "1", "0", "0", "0", "0", "0", "0", "0"],
                &["0", "0", "0", "0", "0", "0", "0", "0", "1", "0", "0", "0"],
                &["0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "1", "0"],
                &["0", "0", "0", "1", "0", "0", "0", "0", "0", "-1", "0", "0"],
                &[
                    "1",
                    "0",
                    "0",
                    "0",
                    "0",
                    "-a*cos(phi1)",
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                ],
                &[
                    "0",
                    "1",
                    "0",
                    "0",
                    "0",
                    "-a*sin(phi1)",
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                ],
                &[
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                    "1",
                    "0",
                    "0",
                    "0",
                    "0",
                    "-a*cos(phi1)",
                ],
                &[
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                    "0",
                    "1",
                    "0",
                    "0",
                    "0",
                    "-a*sin(phi1)",
                ],
                &["0", "0", "0", "l", "0", "-a", "0", "0", "0", "0", "0", "a"],
            ],
        )
        .matrix(
            "privileged_matrix",
            &[
                &["0", "a*cos(phi1)"],
                &["0", "a*sin(phi1)"],
                &["0", "0"],
                &["1", "0"],
                &["0", "0"],
                &["0", "1"],
                &["-l*cos(phi1)", "a*cos(phi1)"],
                &["-l*sin(phi1)", "a*sin(phi1)"],
                &["0", "0"],
                &["1", "0"],
                &["0", "0"],
                &["-l/a", "1"],
            ],
        )
        .not("privileged_matrix", "11", "0", "l/a")
        .check();
}

/// The normal forces: gravity is `-M g cos(alpha)` along the normal (the source prints its sign turned).
#[test]
fn normal_forces() {
    for method in ["lagrange", "kane"] {
        sheet(method)
            .entry("multipliers", "height1", "M*g*cos(alpha)")
            .entry("multipliers", "height2", "M*g*cos(alpha)")
            .not("multipliers", "height1", "", "-M*g*cos(alpha)")
            .check();
    }
}

/// With twelve coordinates the heights and the second precession are cyclic as well; the nutations stand in the mass matrix.
#[test]
fn cyclic_coordinates() {
    equations(sheet("appell-reduced"))
        .labelled(
            "quadratures",
            &["x1'", "y1'", "z1'", "x2'", "y2'", "z2'", "phi2'", "psi2'"],
        )
        .entry("quadratures", "x2'", "cos(phi1)*(a*psi1' - l*phi1')")
        .entry("quadratures", "phi2'", "phi1'")
        .entry("quadratures", "psi2'", "psi1' - l*phi1'/a")
        .not("quadratures", "psi2'", "", "psi1' + l*phi1'/a")
        .check();
}
