//! OR 2.1-2.27: the sleigh of two particles by six formulations.
//!
//! By hand: `u1 = v1.e1`, `u2 = theta'`, `u3 = v2.e2`, `e1' = theta' e2`, `e2' = -theta' e1`, so that
//! `v1 = u1 e1 + (u3 - l u2) e2` and `v2 = u1 e1 + u3 e2`. With `s = sin theta`, `c = cos theta` the quasi-velocities and their
//! inverse are
//!
//! ```text
//! J = [  c  s  0 ]        H = [ c   l s  -s ]
//!     [  0  0  1 ]            [ s  -l c   c ]
//!     [ -s  c  l ]            [ 0   1     0 ]
//! ```

use super::sheet::Sheet;
use eomgen::options::Route;

/// In coordinates x, y, theta with the speeds u1, u2.
const MODEL: &str = "e4_sleigh";
/// The same with u3 named, which the blade makes 0.
const SPEEDS: &str = "e4_sleigh_speeds";
/// With the forces in the rod and from the floor as declared reactions. Not among the models: their proof knows no reactions between two
/// points.
const REACTIONS: &str = "../tests/suite/papers/sleigh_reactions";
/// In six Cartesian coordinates, with rod, floor and blade as constraints.
const CARTESIAN: &str = "e4_sleigh_cartesian";

/// OR 2.10-2.11 in six Cartesian coordinates: `m1 x1'' = p cos theta`, `m1 y1'' = p sin theta`, `m2 x2'' = -p cos theta - mu sin theta`,
/// `m2 y2'' = -p sin theta + mu cos theta`, `N1 = m1 g`, `N2 = m2 g`. Here `e1 = (P2 - P1)/l`, the multiplier of the rod is -p,
/// and the rod would also pull out of the plane if the particles left it.
#[test]
fn newton_euler() {
    for method in ["newton-euler", "lagrange"] {
        Sheet::new(CARTESIAN, method)
            .equation("x1''", "m1*x1''", "-lambda[rod]*(x2 - x1)/norm(P2 - P1)")
            .equation("y1''", "m1*y1''", "-lambda[rod]*(y2 - y1)/norm(P2 - P1)")
            .equation(
                "z1''",
                "m1*z1''",
                "-m1*g + lambda[floor1] - lambda[rod]*(z2 - z1)/norm(P2 - P1)",
            )
            .equation(
                "x2''",
                "m2*x2''",
                "lambda[rod]*(x2 - x1)/norm(P2 - P1) - lambda[blade]*(y2 - y1)/l",
            )
            .equation(
                "y2''",
                "m2*y2''",
                "lambda[rod]*(y2 - y1)/norm(P2 - P1) + lambda[blade]*(x2 - x1)/l",
            )
            .equation(
                "z2''",
                "m2*z2''",
                "-m2*g + lambda[floor2] + lambda[rod]*(z2 - z1)/norm(P2 - P1)",
            )
            .no_equation(
                "x2''",
                "m2*x2''",
                "lambda[rod]*(x2 - x1)/norm(P2 - P1) + lambda[blade]*(y2 - y1)/l",
            )
            .no_equation("x1''", "m1*x1''", "lambda[rod]*(x2 - x1)/norm(P2 - P1)")
            .check();
    }
}

/// OR 2.10-2.11 in x, y, theta, all reactions unknown: `M q'' - (reactions) = (loads) - (terms free of q'')`, then the blade's row. The
/// balances of the second particle are taken along e1 and e2, where `a2 = a1 + l theta'' e2 - l theta'^2 e1`; `cos theta` times the first of them
/// less `sin theta` times the second is the balance along x that the source prints.
#[test]
fn newton_euler_with_reactions() {
    Sheet::new(REACTIONS, "newton-euler")
        .matrix(
            "balance_matrix",
            &[
                // x'', y'', theta'', mu, p, N1, N2
                &["m1", "0", "0", "0", "-cos(theta)", "0", "0"],
                &["0", "m1", "0", "0", "-sin(theta)", "0", "0"],
                &["0", "0", "0", "0", "0", "-1", "0"],
                &["m2*cos(theta)", "m2*sin(theta)", "0", "0", "1", "0", "0"],
                &[
                    "-m2*sin(theta)",
                    "m2*cos(theta)",
                    "m2*l",
                    "-1",
                    "0",
                    "0",
                    "0",
                ],
                &["0", "0", "0", "0", "0", "0", "-1"],
                &["-sin(theta)", "cos(theta)", "l", "0", "0", "0", "0"],
            ],
        )
        .vector(
            "balance_rhs",
            &[
                "0",
                "0",
                "-m1*g",
                "m2*l*theta'^2",
                "0",
                "-m2*g",
                "theta'*(x'*cos(theta) + y'*sin(theta))",
            ],
        )
        .not("balance_matrix", "0", "4", "cos(theta)")
        .not("balance_matrix", "3", "4", "-1")
        .not("balance_rhs", "3", "", "-m2*l*theta'^2")
        .check();
}

/// What they come to: `mu = m2 u1 u2`, `p = m1 m2/(m1 + m2) l theta'^2`, `N1 = m1 g`, `N2 = m2 g`.
#[test]
fn reactions() {
    Sheet::new(REACTIONS, "newton-euler")
        .vector(
            "reactions",
            &[
                "m2*(x'*cos(theta) + y'*sin(theta))*theta'",
                "m1*m2/(m1 + m2)*l*theta'^2",
                "m1*g",
                "m2*g",
            ],
        )
        .not("reactions", "1", "", "-m1*m2/(m1 + m2)*l*theta'^2")
        .check();
}

/// OR 2.12-2.14: T, the blade's row, and Lagrange's equations of the first kind.
#[test]
fn lagrange() {
    Sheet::new(MODEL, "lagrange")
        .scalar(
            "kinetic_energy",
            "(m1 + m2)/2*(x'^2 + y'^2) + m2*l*theta'*(y'*cos(theta) - x'*sin(theta)) + m2*l^2*theta'^2/2",
        )
        .matrix("constraint_matrix", &[&["-sin(theta)", "cos(theta)", "l"]])
        .vector("constraint_rhs", &["theta'*(x'*cos(theta) + y'*sin(theta))"])
        .equation(
            "x''",
            "(m1 + m2)*x'' - m2*l*(theta''*sin(theta) + theta'^2*cos(theta))",
            "-lambda[blade]*sin(theta)",
        )
        .equation(
            "y''",
            "(m1 + m2)*y'' + m2*l*(theta''*cos(theta) - theta'^2*sin(theta))",
            "lambda[blade]*cos(theta)",
        )
        .equation(
            "theta''",
            "m2*l*(l*theta'' - x''*sin(theta) + y''*cos(theta))",
            "lambda[blade]*l",
        )
        .no_equation(
            "x''",
            "(m1 + m2)*x'' - m2*l*(theta''*sin(theta) - theta'^2*cos(theta))",
            "-lambda[blade]*sin(theta)",
        )
        .no_equation(
            "theta''",
            "m2*l*(l*theta'' - x''*sin(theta) + y''*cos(theta))",
            "-lambda[blade]*l",
        )
        .not("constraint_rhs", "blade", "", "-theta'*(x'*cos(theta) + y'*sin(theta))")
        .check();
}

/// OR 2.15-2.17. E are the first two columns of H. With Lagrange's left sides `L` of 2.14 the rows are `c L_x + s L_y` and
/// `l s L_x - l c L_y + L_theta`, and the third column of H gives the blade's force, `-s L_x + c L_y`. (OR prints this last row
/// after using the second one.)
#[test]
fn maggi() {
    Sheet::new(SPEEDS, "maggi")
        .matrix(
            "maggi_matrix",
            &[
                &["cos(theta)", "l*sin(theta)"],
                &["sin(theta)", "-l*cos(theta)"],
                &["0", "1"],
            ],
        )
        .equation(
            "u1'",
            "(m1 + m2)*(x''*cos(theta) + y''*sin(theta)) - m2*l*theta'^2",
            "0",
        )
        .equation("u2'", "m1*l*(x''*sin(theta) - y''*cos(theta))", "0")
        .vector(
            "maggi_multipliers",
            &["(m1 + m2)*(y''*cos(theta) - x''*sin(theta)) + m2*l*theta''"],
        )
        .vector("multipliers", &["m2*u1*u2"])
        .not("maggi_matrix", "1", "1", "l*cos(theta)")
        .no_equation(
            "u1'",
            "(m1 + m2)*(x''*cos(theta) + y''*sin(theta)) + m2*l*theta'^2",
            "0",
        )
        .not(
            "maggi_multipliers",
            "0",
            "",
            "(m1 + m2)*(y''*cos(theta) - x''*sin(theta)) - m2*l*theta''",
        )
        .check();
}

/// OR 2.18-2.22. J depends on theta alone, so that `gamma^M_KN` is the two-form of `dJ_M/dtheta` on the columns of H:
/// `gamma^1_32 = -gamma^1_23 = 1`, `gamma^3_21 = -gamma^3_12 = 1`, the others 0. With
/// `Tbar = 1/2 (m1 + m2) u1^2 + 1/2 m1 (u3 - l u2)^2 + 1/2 m2 u3^2` and then `u3 = 0`:
///
/// ```text
/// K = 1:  (m1 + m2) u1' - u2 dTbar/du3                 = 0
/// K = 2:  -m1 l (u3' - l u2') - u3 dTbar/du1 + u1 dTbar/du3 = 0
/// K = 3:  m1 (u3' - l u2') + m2 u3' + u2 dTbar/du1     = mu
/// ```
#[test]
fn boltzmann_hamel() {
    Sheet::new(SPEEDS, "boltzmann-hamel")
        .matrix(
            "quasi_velocity_matrix",
            &[
                &["cos(theta)", "sin(theta)", "0"],
                &["0", "0", "1"],
                &["-sin(theta)", "cos(theta)", "l"],
            ],
        )
        .matrix(
            "inverse_quasi_velocity_matrix",
            &[
                &["cos(theta)", "l*sin(theta)", "-sin(theta)"],
                &["sin(theta)", "-l*cos(theta)", "cos(theta)"],
                &["0", "1", "0"],
            ],
        )
        // Columns 11 12 13 21 22 23 31 32 33.
        .matrix(
            "transposition_coefficients",
            &[
                &["0", "0", "0", "0", "0", "-1", "0", "1", "0"],
                &["0", "0", "0", "0", "0", "0", "0", "0", "0"],
                &["0", "-1", "0", "1", "0", "0", "0", "0", "0"],
            ],
        )
        .equation("u1'", "(m1 + m2)*u1' + m1*l*u2^2", "0")
        .equation("u2'", "m1*l^2*u2' - m1*l*u1*u2", "0")
        .vector(
            "constraint_reactions_in_quasi_velocities",
            &["-m1*l*u2' + (m1 + m2)*u1*u2"],
        )
        .not("transposition_coefficients", "0", "5", "1")
        .no_equation("u1'", "(m1 + m2)*u1' - m1*l*u2^2", "0")
        // What the misprint in OR 6.10, dTbar/dq for dT/dq, would give.
        .no_equation("u2'", "m1*l^2*u2' - (m1 + m2)*l*u1*u2", "0")
        .not(
            "constraint_reactions_in_quasi_velocities",
            "0",
            "",
            "m1*l*u2' + (m1 + m2)*u1*u2",
        )
        .check();
}

/// OR 2.19: the kinetic energy in quasi-velocities, with u3 = 0.
#[test]
fn kinetic_energy() {
    for model in [MODEL, SPEEDS] {
        Sheet::new(model, "gibbs-appell")
            .scalar("kinetic_energy", "(m1 + m2)/2*u1^2 + m1*l^2/2*u2^2")
            .check();
    }
}

/// OR 2.23-2.26: S with the constraint imposed, and its derivatives.
#[test]
fn gibbs_appell() {
    for model in [MODEL, SPEEDS] {
        Sheet::new(model, "gibbs-appell")
            .scalar(
                "gibbs_function",
                "m1/2*((u1' + l*u2^2)^2 + (u1*u2 - l*u2')^2) + m2/2*(u1'^2 + (u1*u2)^2)",
            )
            .equation("u1'", "(m1 + m2)*u1' + m1*l*u2^2", "0")
            .equation("u2'", "m1*l^2*u2' - m1*l*u1*u2", "0")
            .not(
                "gibbs_function",
                "",
                "",
                "m1/2*((u1' + l*u2^2)^2 + (u1*u2 + l*u2')^2) + m2/2*(u1'^2 + (u1*u2)^2)",
            )
            .no_equation("u2'", "m1*l^2*u2' + m1*l*u1*u2", "0")
            .check();
    }
}

/// OR 2.27; by Wang and Pao's three ways the same.
#[test]
fn kane() {
    let sheets = [
        Sheet::new(MODEL, "kane"),
        Sheet::new(MODEL, "jourdain").route(Route::Variational),
        Sheet::new(MODEL, "jourdain").route(Route::Coordinates),
        Sheet::new(MODEL, "jourdain").route(Route::QuasiVelocities),
    ];
    for sheet in sheets {
        sheet
            .equation("u1'", "m1*(u1' + l*u2^2) + m2*u1'", "0")
            .equation("u2'", "-m1*l*(u1*u2 - l*u2')", "0")
            .no_equation("u1'", "m1*(u1' - l*u2^2) + m2*u1'", "0")
            .check();
    }
}

/// The partial velocities of OR 2.27, e1 and -l e2 of the first particle, e1 and 0 of the second, by their components in N; nothing drives
/// the sleigh.
#[test]
fn partial_velocities() {
    Sheet::new(MODEL, "kane")
        .matrix(
            "partial_velocities",
            &[
                &["cos(theta)", "l*sin(theta)"],
                &["sin(theta)", "-l*cos(theta)"],
                &["0", "0"],
                &["cos(theta)", "0"],
                &["sin(theta)", "0"],
                &["0", "0"],
            ],
        )
        .vector("generalized_forces_in_speeds", &["0", "0"])
        .not("partial_velocities", "1", "1", "l*cos(theta)")
        .check();
}

/// What stands in 2.14 beside accelerations: `h = -m2 l theta'^2 (cos theta, sin theta, 0)`.
#[test]
fn velocity_terms() {
    Sheet::new(MODEL, "lagrange")
        .vector(
            "velocity_terms",
            &[
                "-m2*l*theta'^2*cos(theta)",
                "-m2*l*theta'^2*sin(theta)",
                "0",
            ],
        )
        .vector("applied_forces", &["0", "0", "0"])
        .not("velocity_terms", "x", "", "m2*l*theta'^2*cos(theta)")
        .check();
}

/// UK98 37 in the curvilinear coordinates of the sleigh, theta eliminated. The blade's row is `A = [-s c l]` with `b = u1 theta'`, so that
/// `R = (-s/l, c/l)` and `d = u1 theta'/l`. With `Mii = (m1 + m2) 1`, `Mie = m2 l (-s, c)^T`, `Mee = m2 l^2`, all of `R^T Mee R`, `Mie R` and
/// `R^T Mei` are `m2 (-s, c)^T (-s, c)`, and `R^T Mee - Mie` vanishes. There is `Fi = m2 l theta'^2 (c, s)` and `Fe = 0`.
#[test]
fn explicit_gibbs_appell() {
    Sheet::new(MODEL, "explicit-gibbs-appell")
        .matrix("explicit_reduction", &[&["-sin(theta)/l", "cos(theta)/l"]])
        .vector("explicit_drift", &["u1*u2/l"])
        .matrix(
            "explicit_matrix",
            &[
                &["m1 + m2 - m2*sin(theta)^2", "m2*sin(theta)*cos(theta)"],
                &["m2*sin(theta)*cos(theta)", "m1 + m2 - m2*cos(theta)^2"],
            ],
        )
        .vector(
            "explicit_rhs",
            &["m2*l*u2^2*cos(theta)", "m2*l*u2^2*sin(theta)"],
        )
        .not("explicit_reduction", "0", "0", "sin(theta)/l")
        .not("explicit_matrix", "0", "0", "m1 + m2 + m2*sin(theta)^2")
        .check();
}

/// The motion and the blade's force, `mu = m2 u1 u2`, by every formulation.
#[test]
fn blade() {
    for method in [
        "newton-euler",
        "lagrange",
        "maggi",
        "boltzmann-hamel",
        "gibbs-appell",
        "kane",
        "jourdain",
        "udwadia-kalaba",
        "explicit-gibbs-appell",
    ] {
        Sheet::new(MODEL, method)
            .entry("speed_rates", "u1'", "-m1*l*u2^2/(m1 + m2)")
            .entry("speed_rates", "u2'", "u1*u2/l")
            .vector("multipliers", &["m2*u1*u2"])
            .vector(
                "ideal_constraint_forces",
                &["-m2*u1*u2*sin(theta)", "m2*u1*u2*cos(theta)", "m2*u1*u2*l"],
            )
            .not("multipliers", "blade", "", "-m2*u1*u2")
            .not("speed_rates", "u1'", "", "m1*l*u2^2/(m1 + m2)")
            .check();
    }
}
