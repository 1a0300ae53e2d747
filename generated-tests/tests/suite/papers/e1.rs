//! U96 32-43: Appell's particle, whose constraint is nonlinear in the velocities and stated twice.
//!
//! The source halves the constraint rows and writes everything per unit of mass. The model states the rows whole and has a mass M:
//! its A is twice the source's, its forces are M times, and so its multipliers are M/2 times the source's.

use super::sheet::Sheet;
use eomgen::options::Inverse;

const MODEL: &str = "e1_appell";

/// The formulations that take constraints which are nonlinear in the velocities.
const METHODS: [&str; 6] = [
    "newton-euler",
    "lagrange",
    "gibbs-appell",
    "kane",
    "udwadia-kalaba",
    "explicit-gibbs-appell",
];

/// U96 36: `r'' = F - (x'Fx + y'Fy - z'Fz)/(x'^2 + y'^2 + z'^2) (x', y', -z')`
const ACCELERATIONS: [&str; 3] = [
    "Fx - (x'*Fx + y'*Fy - z'*Fz)/(x'^2 + y'^2 + z'^2)*x'",
    "Fy - (x'*Fx + y'*Fy - z'*Fz)/(x'^2 + y'^2 + z'^2)*y'",
    "Fz + (x'*Fx + y'*Fy - z'*Fz)/(x'^2 + y'^2 + z'^2)*z'",
];

/// M times the second term of U96 36: the force of the constraints, which is unique.
const FORCE: [&str; 3] = [
    "-M*(x'*Fx + y'*Fy - z'*Fz)/(x'^2 + y'^2 + z'^2)*x'",
    "-M*(x'*Fx + y'*Fy - z'*Fz)/(x'^2 + y'^2 + z'^2)*y'",
    "M*(x'*Fx + y'*Fy - z'*Fz)/(x'^2 + y'^2 + z'^2)*z'",
];

/// U96 34-35, A twice that of the source.
#[test]
fn constraints() {
    Sheet::new(MODEL, "udwadia-kalaba")
        .matrix(
            "constraint_matrix",
            &[&["2*x'", "2*y'", "-2*z'"], &["4*x'", "4*y'", "-4*z'"]],
        )
        .vector("constraint_rhs", &["0", "0"])
        .matrix(
            "mass_matrix",
            &[&["M", "0", "0"], &["0", "M", "0"], &["0", "0", "M"]],
        )
        .vector("forcing", &["M*Fx", "M*Fy", "M*Fz"])
        .not("constraint_matrix", "c1", "z", "2*z'")
        .check();
}

/// U96 36, by every formulation that applies.
#[test]
fn accelerations() {
    for method in METHODS {
        Sheet::new(MODEL, method)
            .vector("accelerations", &ACCELERATIONS)
            .not(
                "accelerations",
                "z",
                "",
                "Fz - (x'*Fx + y'*Fy - z'*Fz)/(x'^2 + y'^2 + z'^2)*z'",
            )
            .not(
                "accelerations",
                "x",
                "",
                "Fx - (x'*Fx + y'*Fy + z'*Fz)/(x'^2 + y'^2 + z'^2)*x'",
            )
            // The same over one denominator.
            .prints(
                "accelerations",
                "x",
                "",
                "(Fx*y'^2 + Fx*z'^2 - Fy*x'*y' + Fz*x'*z')/(x'^2 + y'^2 + z'^2)",
            )
            .check();
    }
}

/// U96 36 with each of the generalized inverses.
#[test]
fn every_inverse() {
    for inverse in Inverse::ALL {
        Sheet::new(MODEL, "udwadia-kalaba")
            .inverse(inverse)
            .vector("accelerations", &ACCELERATIONS)
            .vector("ideal_constraint_forces", &FORCE)
            .check();
    }
}

/// U96 41-43. G = A M^-1 A^T is `u^2/M (2, 4)^T (2, 4)` with `u^2 = x'^2 + y'^2 + z'^2`, of rank one; its Moore-Penrose inverse is
/// `M/(400 u^2) (2, 4)^T (2, 4)`. With b = 0 the multipliers of least norm are `-G^+ A a = -M (v.F)/(20 u^2) (2, 4)`,
/// where `v.F = x'Fx + y'Fy - z'Fz`; in the source's scale `-(v.F)/(5 u^2) (1, 2)`. What may be added is
/// `(1 - G^+ G) w = 1/5 [4 -2; -2 1] w`, and A^T of it vanishes.
#[test]
fn multipliers() {
    for method in ["lagrange", "udwadia-kalaba"] {
        Sheet::new(MODEL, method)
            .vector(
                "multipliers",
                &[
                    "-M*(x'*Fx + y'*Fy - z'*Fz)/(10*(x'^2 + y'^2 + z'^2))",
                    "-M*(x'*Fx + y'*Fy - z'*Fz)/(5*(x'^2 + y'^2 + z'^2))",
                ],
            )
            .vector("ideal_constraint_forces", &FORCE)
            .not(
                "multipliers",
                "c2",
                "",
                "M*(x'*Fx + y'*Fy - z'*Fz)/(5*(x'^2 + y'^2 + z'^2))",
            )
            // Not those of a single row.
            .not(
                "multipliers",
                "c1",
                "",
                "-M*(x'*Fx + y'*Fy - z'*Fz)/(2*(x'^2 + y'^2 + z'^2))",
            )
            .check();
    }
}

/// The family of all multipliers (U96 42-43): what `(1 - G^+ G) w = (2 w1 - w2)/5 (2, -1)` spans. A basis has no scale; that row c2 is twice
/// row c1 is written `2 c1 - c2 = 0`.
#[test]
fn family_of_multipliers() {
    Sheet::new(MODEL, "lagrange")
        .matrix("multiplier_family", &[&["2"], &["-1"]])
        .not("multiplier_family", "0", "0", "-2")
        .check();
}

/// What stands between 32 and 36: the acceleration without constraints, `G = A M^-1 A^T`, and the projectors of scaled accelerations. M is a
/// multiple of the unit matrix, so that these are `v v^T/u^2` and 1 less it, with `v = (x', y', -z')`.
#[test]
fn geometry() {
    Sheet::new(MODEL, "udwadia-kalaba")
        .vector("unconstrained_accelerations", &["Fx", "Fy", "Fz"])
        .matrix(
            "constraint_gram_matrix",
            &[
                &["4*(x'^2 + y'^2 + z'^2)/M", "8*(x'^2 + y'^2 + z'^2)/M"],
                &["8*(x'^2 + y'^2 + z'^2)/M", "16*(x'^2 + y'^2 + z'^2)/M"],
            ],
        )
        .matrix(
            "normal_projector",
            &[
                &[
                    "x'^2/(x'^2 + y'^2 + z'^2)",
                    "x'*y'/(x'^2 + y'^2 + z'^2)",
                    "-x'*z'/(x'^2 + y'^2 + z'^2)",
                ],
                &[
                    "x'*y'/(x'^2 + y'^2 + z'^2)",
                    "y'^2/(x'^2 + y'^2 + z'^2)",
                    "-y'*z'/(x'^2 + y'^2 + z'^2)",
                ],
                &[
                    "-x'*z'/(x'^2 + y'^2 + z'^2)",
                    "-y'*z'/(x'^2 + y'^2 + z'^2)",
                    "z'^2/(x'^2 + y'^2 + z'^2)",
                ],
            ],
        )
        .entry_at(
            "tangent_projector",
            "0",
            "0",
            "1 - x'^2/(x'^2 + y'^2 + z'^2)",
        )
        .entry_at("tangent_projector", "0", "2", "x'*z'/(x'^2 + y'^2 + z'^2)")
        .not("tangent_projector", "0", "2", "-x'*z'/(x'^2 + y'^2 + z'^2)")
        .check();
}

/// U96 30-33: Lagrange's equations of the first kind.
#[test]
fn first_kind() {
    Sheet::new(MODEL, "lagrange")
        .equation("x''", "M*x''", "M*Fx + 2*x'*lambda[c1] + 4*x'*lambda[c2]")
        .equation("y''", "M*y''", "M*Fy + 2*y'*lambda[c1] + 4*y'*lambda[c2]")
        .equation("z''", "M*z''", "M*Fz - 2*z'*lambda[c1] - 4*z'*lambda[c2]")
        .no_equation("z''", "M*z''", "M*Fz - 2*z'*lambda[c1] + 4*z'*lambda[c2]")
        .check();
}

/// U96 37-40 with the x column for Ae. The source's A is half of the model's, which R and d do not notice; its equations are per unit of
/// mass. (It drops the dots off the diagonal of 39.) What 27 is the derivative of is half of `q''^T M q''` without x''.
#[test]
fn explicit_gibbs_appell() {
    Sheet::new(MODEL, "explicit-gibbs-appell")
        .eliminating(&["x'"])
        .matrix("chart_matrix", &[&["2*x'"], &["4*x'"]])
        .matrix(
            "chart_complement",
            &[&["2*y'", "-2*z'"], &["4*y'", "-4*z'"]],
        )
        .matrix("explicit_reduction", &[&["y'/x'", "-z'/x'"]])
        .vector("explicit_drift", &["0"])
        .matrix(
            "explicit_matrix",
            &[
                &["M*(1 + y'^2/x'^2)", "-M*y'*z'/x'^2"],
                &["-M*y'*z'/x'^2", "M*(1 + z'^2/x'^2)"],
            ],
        )
        .vector("explicit_rhs", &["M*(Fy - Fx*y'/x')", "M*(Fz + Fx*z'/x')"])
        .scalar(
            "explicit_gibbs_function",
            "M/2*(((z'*z'' - y'*y'')/x')^2 + y''^2 + z''^2)",
        )
        .vector("accelerations", &ACCELERATIONS)
        .not("explicit_reduction", "0", "1", "z'/x'")
        .not("explicit_matrix", "0", "1", "M*y'*z'/x'^2")
        .not("explicit_rhs", "1", "", "M*(Fz - Fx*z'/x')")
        .not(
            "explicit_gibbs_function",
            "",
            "",
            "M/2*(((z'*z'' + y'*y'')/x')^2 + y''^2 + z''^2)",
        )
        .check();
}
