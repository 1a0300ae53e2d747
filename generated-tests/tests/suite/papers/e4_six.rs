//! OR section 7: the sleigh in six coordinates x, y, theta, r, z1, z2 with four constraints, whose multipliers are the force of the
//! rod (compression positive, lambda1 = -p), the normal forces and the blade's force.
//!
//! By hand, with `u1 = v1.e1 = x' cos theta + y' sin theta`, `l theta' = x' sin theta - y' cos theta` on the blade, and the motion of
//! 2.26: `p = m1 m2 l theta'^2/(m1 + m2)`, `mu = m2 u1 theta'`.

use super::sheet::Sheet;

const MODEL: &str = "e4_sleigh_six";

/// Lagrange's equations (7.2-7.5 with a rod of constant length): T has `v2 = v1 + r' e1 + r theta' e2`.
#[test]
fn lagrange() {
    Sheet::new(MODEL, "lagrange")
        .equation(
            "x''",
            "(m1 + m2)*x'' + m2*((r'' - r*theta'^2)*cos(theta) - (r*theta'' + 2*r'*theta')*sin(theta))",
            "-lambda[blade]*sin(theta)",
        )
        .equation(
            "y''",
            "(m1 + m2)*y'' + m2*((r'' - r*theta'^2)*sin(theta) + (r*theta'' + 2*r'*theta')*cos(theta))",
            "lambda[blade]*cos(theta)",
        )
        .equation(
            "theta''",
            "m2*r*(r*theta'' + 2*r'*theta' - x''*sin(theta) + y''*cos(theta))",
            "lambda[blade]*r",
        )
        .equation(
            "r''",
            "m2*(x''*cos(theta) + y''*sin(theta) + r'' - r*theta'^2)",
            "lambda[rod]",
        )
        .equation("z1''", "m1*z1'' + m1*g", "lambda[floor1]")
        .equation("z2''", "m2*z2'' + m2*g", "lambda[floor2]")
        .no_equation(
            "r''",
            "m2*(x''*cos(theta) + y''*sin(theta) + r'' - r*theta'^2)",
            "-lambda[rod]",
        )
        .no_equation(
            "theta''",
            "m2*r*(r*theta'' - 2*r'*theta' - x''*sin(theta) + y''*cos(theta))",
            "lambda[blade]*r",
        )
        .check();
}

/// The four reactions, by every formulation. The rod's length is r, which its row makes l.
#[test]
fn reactions() {
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
            .entry("multipliers", "rod", "-m1*m2/(m1 + m2)*r*theta'^2")
            .entry("multipliers", "floor1", "m1*g")
            .entry("multipliers", "floor2", "m2*g")
            .entry(
                "multipliers",
                "blade",
                "m2*(x'*cos(theta) + y'*sin(theta))*theta'",
            )
            .not("multipliers", "rod", "", "m1*m2/(m1 + m2)*r*theta'^2")
            .not("multipliers", "floor2", "", "m1*g")
            .not(
                "multipliers",
                "blade",
                "",
                "m2*(x'*cos(theta) - y'*sin(theta))*theta'",
            )
            .check();
    }
}
