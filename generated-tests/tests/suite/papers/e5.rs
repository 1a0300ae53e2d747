//! WP 57-67: two wheels on an axle on an incline, in the seven coordinates x1, y1, psi1, x2, y2, psi2, phi.
//!
//! The source's equations 64 are those of psi1' and phi' divided by a and by -1. Its D has one misprint: the 1 in the fourth row stands
//! under x2, it belongs under y2.
//!
//! By hand: a wheel turns by `omega = psi' j' + phi' k` with j' along the axle, and has the inertia
//! `m' a^2 (1/2, 1, 1/2)` in i', j', k. So `alpha = -phi' psi' i' + psi'' j' + phi'' k`, `omega x I.omega = -m' a^2/2 phi' psi' i'`, and
//!
//! ```text
//! 1/2 alpha.I.alpha + alpha.(omega x I.omega) + 1/2 omega^2 (omega.I.omega)
//!     = m' a^2/2 [ psi''^2 + phi''^2/2 + 3/2 phi'^2 psi'^2 + (phi'^2 + psi'^2)(psi'^2 + phi'^2/2) ]
//! ```

use super::sheet::Sheet;
use eomgen::options::Route;

/// The five rows of the source.
const ROWS: &str = "e5_wheel_axle_rows";
/// The rows from the geometry of rolling and of the axle, one of them dependent; coordinates in another order.
const GEOMETRY: &str = "e5_wheel_axle";

/// WP 64, its first row times a and its second times -1.
const FIRST: [&str; 2] = [
    "a*(2*a*(M + m_rim)*psi1'' - l*(M + m_rim)*phi'')",
    "a*2*M*g*sin(alpha)*cos(phi)",
];
const SECOND: [&str; 2] = [
    "-(a*l*(M + m_rim)*psi1'' - (M*l^2 + m_rim*l^2 + m_rim*a^2)*phi'')",
    "-M*g*l*sin(alpha)*cos(phi)",
];

/// WP 64 with one sign turned.
const WRONG: [&str; 2] = [
    "a*(2*a*(M + m_rim)*psi1'' + l*(M + m_rim)*phi'')",
    "a*2*M*g*sin(alpha)*cos(phi)",
];

fn equations(sheet: Sheet) -> Sheet {
    sheet
        .equation("psi1''", FIRST[0], FIRST[1])
        .equation("phi''", SECOND[0], SECOND[1])
        .no_equation("psi1''", WRONG[0], WRONG[1])
        .no_equation("phi''", SECOND[0], "M*g*l*sin(alpha)*cos(phi)")
}

/// WP 65: D and d = 0, and C and c = 0 of `q' = C Y` with the privileged velocities psi1', phi'.
#[test]
fn matrices() {
    Sheet::new(ROWS, "jourdain")
        .matrix(
            "privileged_constraint_matrix",
            &[
                &["1", "0", "-a*cos(phi)", "0", "0", "0", "0"],
                &["0", "1", "-a*sin(phi)", "0", "0", "0", "0"],
                &["0", "0", "0", "1", "0", "-a*cos(phi)", "0"],
                &["0", "0", "0", "0", "1", "-a*sin(phi)", "0"],
                &["0", "0", "-a", "0", "0", "a", "l"],
            ],
        )
        .matrix(
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
        )
        .vector("privileged_drift", &["0", "0", "0", "0", "0", "0", "0"])
        // As printed.
        .not("privileged_constraint_matrix", "3", "3", "1")
        .not("privileged_matrix", "5", "1", "l/a")
        .check();
}

/// WP 64 by the variational equation (I), by Appell's equation in coordinates (II) and in quasi-velocities (III).
#[test]
fn three_methods() {
    for model in [ROWS, GEOMETRY] {
        for route in Route::ALL {
            equations(Sheet::new(model, "jourdain").route(route)).check();
        }
    }
}

/// The same by the formulations that they agree with.
#[test]
fn other_methods() {
    for method in ["kane", "gibbs-appell", "maggi", "boltzmann-hamel"] {
        for model in [ROWS, GEOMETRY] {
            equations(Sheet::new(model, method)).check();
        }
    }
}

/// What 64 makes of the motion: phi' is constant, and `psi1'' = M g sin(alpha) cos(phi)/(a (M + m'))`.
#[test]
fn motion() {
    for method in [
        "newton-euler",
        "lagrange",
        "kane",
        "jourdain",
        "udwadia-kalaba",
    ] {
        for model in [ROWS, GEOMETRY] {
            Sheet::new(model, method)
                .entry("accelerations", "phi''", "0")
                .entry(
                    "accelerations",
                    "psi1''",
                    "M*g*sin(alpha)*cos(phi)/(a*(M + m_rim))",
                )
                .entry(
                    "accelerations",
                    "psi2''",
                    "M*g*sin(alpha)*cos(phi)/(a*(M + m_rim))",
                )
                .not(
                    "accelerations",
                    "psi1''",
                    "",
                    "M*g*sin(alpha)*cos(phi)/(a*M)",
                )
                .check();
        }
    }
}

/// WP 60-63: the forces along the privileged velocities, and how wheels move and turn with them: `v1 = a psi1' i'`, `v2 = (a psi1' - l phi') i'`,
/// `omega1 = psi1' j' + phi' k`, `omega2 = (psi1' - l phi'/a) j' + phi' k`.
#[test]
fn projections() {
    Sheet::new(ROWS, "jourdain")
        .vector(
            "generalized_forces_in_speeds",
            &["2*M*g*a*sin(alpha)*cos(phi)", "-M*g*l*sin(alpha)*cos(phi)"],
        )
        .matrix(
            "partial_velocities",
            &[
                &["a*cos(phi)", "0"],
                &["a*sin(phi)", "0"],
                &["0", "0"],
                &["a*cos(phi)", "-l*cos(phi)"],
                &["a*sin(phi)", "-l*sin(phi)"],
                &["0", "0"],
            ],
        )
        .matrix(
            "partial_angular_velocities",
            &[
                &["-sin(phi)", "0"],
                &["cos(phi)", "0"],
                &["0", "1"],
                &["-sin(phi)", "l/a*sin(phi)"],
                &["cos(phi)", "-l/a*cos(phi)"],
                &["0", "1"],
            ],
        )
        .not("partial_angular_velocities", "4", "1", "l/a*cos(phi)")
        .not(
            "generalized_forces_in_speeds",
            "1",
            "",
            "M*g*l*sin(alpha)*cos(phi)",
        )
        .check();
}

/// S of both wheels with the constraints imposed: `x1''^2 + y1''^2 = a^2 (psi1''^2 + phi'^2 psi1'^2)`, and likewise for the second wheel
/// with `a psi2' = a psi1' - l phi'`.
#[test]
fn gibbs_function() {
    let wheel = |spin: &str, spin_rate: &str| {
        format!(
            "M*a^2/2*(({spin_rate})^2 + phi'^2*({spin})^2) + m_rim*a^2/2*(({spin_rate})^2 + phi''^2/2 \
             + 3/2*phi'^2*({spin})^2 + (phi'^2 + ({spin})^2)*(({spin})^2 + phi'^2/2))"
        )
    };
    let first = wheel("psi1'", "psi1''");
    let second = wheel("psi1' - l*phi'/a", "psi1'' - l*phi''/a");
    let wrong = wheel("psi1' + l*phi'/a", "psi1'' + l*phi''/a");
    for model in [ROWS, GEOMETRY] {
        Sheet::new(model, "gibbs-appell")
            .scalar("gibbs_function", &format!("{first} + {second}"))
            .not("gibbs_function", "", "", &format!("{first} + {wrong}"))
            .check();
    }
}

/// Forces of the constraints by the balances of each wheel (WP 3): `lambda_1 = M x1'' - M g sin(alpha)` and so on, and the axle's from
/// the spin of the second wheel, `m' a^2 phi'' = l lambda_5` for the heading. Since `phi'' = 0` the axle carries nothing.
#[test]
fn forces() {
    Sheet::new(ROWS, "lagrange")
        .equation("x1''", "M*x1'' - M*g*sin(alpha)", "lambda[roll1_x]")
        .equation("y1''", "M*y1''", "lambda[roll1_y]")
        .equation(
            "psi1''",
            "m_rim*a^2*psi1''",
            "-a*cos(phi)*lambda[roll1_x] - a*sin(phi)*lambda[roll1_y] - a*lambda[axle]",
        )
        .equation("x2''", "M*x2'' - M*g*sin(alpha)", "lambda[roll2_x]")
        .equation("y2''", "M*y2''", "lambda[roll2_y]")
        .equation(
            "psi2''",
            "m_rim*a^2*psi2''",
            "-a*cos(phi)*lambda[roll2_x] - a*sin(phi)*lambda[roll2_y] + a*lambda[axle]",
        )
        .equation("phi''", "m_rim*a^2*phi''", "l*lambda[axle]")
        .entry("multipliers", "axle", "0")
        .entry(
            "multipliers",
            "roll1_x",
            "M*(M*g*sin(alpha)*cos(phi)^2/(M + m_rim) - a*sin(phi)*phi'*psi1') - M*g*sin(alpha)",
        )
        .no_equation("phi''", "m_rim*a^2*phi''", "-l*lambda[axle]")
        .check();
}

/// WP 3 and 48: the balances of each wheel along the normal, and the forces from the plane that they hold as unknowns. (The source prints the
/// impressed force along the normal with the wrong sign.)
#[test]
fn newton_euler() {
    Sheet::new(ROWS, "newton-euler")
        .entry("balance_rhs", "wheel1: force along N.x", "M*g*sin(alpha)")
        .entry("balance_rhs", "wheel1: force along N.z", "-M*g*cos(alpha)")
        .entry("reactions", "reaction_wheel1_z", "M*g*cos(alpha)")
        .entry("reactions", "reaction_wheel2_z", "M*g*cos(alpha)")
        .entry(
            "reactions",
            "reaction(roll1_x)",
            "M*(M*g*sin(alpha)*cos(phi)^2/(M + m_rim) - a*sin(phi)*phi'*psi1') - M*g*sin(alpha)",
        )
        .not("reactions", "reaction_wheel1_z", "", "-M*g*cos(alpha)")
        .check();
}

/// WP III.C: x1, y1, x2, y2 and psi2 stand neither in C nor in the equations. Their rates are quadratures, and psi1, phi and their rates a
/// system by themselves.
#[test]
fn cyclic_coordinates() {
    for model in [ROWS, GEOMETRY] {
        equations(Sheet::new(model, "appell-reduced"))
            .vector(
                "quadratures",
                &[
                    "a*cos(phi)*psi1'",
                    "a*sin(phi)*psi1'",
                    "cos(phi)*(a*psi1' - l*phi')",
                    "sin(phi)*(a*psi1' - l*phi')",
                    "psi1' - l*phi'/a",
                ],
            )
            .labelled("quadratures", &["x1'", "y1'", "x2'", "y2'", "psi2'"])
            .not("quadratures", "psi2'", "", "psi1' + l*phi'/a")
            .check();
    }
    Sheet::new(ROWS, "appell-reduced")
        .labelled("reduced_derivative", &["psi1'", "phi'", "psi1''", "phi''"])
        .entry("reduced_derivative", "psi1'", "psi1'")
        .entry("reduced_derivative", "phi'", "phi'")
        .check();
}
