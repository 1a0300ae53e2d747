//! UK98 28-33: a constraint that is nonlinear in the velocities and moves with time, under gravity. The source halves the row.

use super::sheet::Sheet;
use eomgen::options::Inverse;

const MODEL: &str = "e2_appell_rheonomic";

const METHODS: [&str; 6] = [
    "newton-euler",
    "lagrange",
    "gibbs-appell",
    "kane",
    "udwadia-kalaba",
    "explicit-gibbs-appell",
];

/// UK98 32: `r'' = (0, 0, -g) + [alpha (h_x x' + h_y y' + h_z z' + h_t) - z' g]/(x'^2 + y'^2 + z'^2) (x', y', -z')`
const ACCELERATIONS: [&str; 3] = [
    "(alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - z'*g)/(x'^2 + y'^2 + z'^2)*x'",
    "(alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - z'*g)/(x'^2 + y'^2 + z'^2)*y'",
    "-g - (alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - z'*g)/(x'^2 + y'^2 + z'^2)*z'",
];

/// UK98 29-31, A and b twice those of the source; a = (0, 0, -g).
#[test]
fn constraint() {
    Sheet::new(MODEL, "udwadia-kalaba")
        .matrix("constraint_matrix", &[&["2*x'", "2*y'", "-2*z'"]])
        .vector(
            "constraint_rhs",
            &["2*alpha*(h_x*x' + h_y*y' + h_z*z' + h_t)"],
        )
        .vector("forcing", &["0", "0", "-g"])
        .vector("unconstrained_accelerations", &["0", "0", "-g"])
        .not(
            "constraint_rhs",
            "c",
            "",
            "2*alpha*(h_x*x' + h_y*y' + h_z*z' - h_t)",
        )
        .not("forcing", "z", "", "g")
        .check();
}

/// UK98 32.
#[test]
fn accelerations() {
    for method in METHODS {
        Sheet::new(MODEL, method)
            .vector("accelerations", &ACCELERATIONS)
            .not(
                "accelerations",
                "y",
                "",
                "(alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) + z'*g)/(x'^2 + y'^2 + z'^2)*y'",
            )
            .not(
                "accelerations",
                "z",
                "",
                "-g + (alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - z'*g)/(x'^2 + y'^2 + z'^2)*z'",
            )
            .check();
    }
    for inverse in Inverse::ALL {
        Sheet::new(MODEL, "udwadia-kalaba")
            .inverse(inverse)
            .vector("accelerations", &ACCELERATIONS)
            .check();
    }
}

/// The multiplier is half of the bracket of UK98 32, since the row is twice the source's; with unit mass.
#[test]
fn multiplier() {
    Sheet::new(MODEL, "lagrange")
        .vector(
            "multipliers",
            &["(alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) - z'*g)/(2*(x'^2 + y'^2 + z'^2))"],
        )
        .not(
            "multipliers",
            "c",
            "",
            "(alpha*(h_x*x' + h_y*y' + h_z*z' + h_t) + z'*g)/(2*(x'^2 + y'^2 + z'^2))",
        )
        .check();
}

/// UK98 33: the x column is Ae, so that `R = (y'/x', -z'/x')` and `d = alpha (h_x x' + h_y y' + h_z z' + h_t)/x'`.
#[test]
fn explicit_gibbs_appell() {
    Sheet::new(MODEL, "explicit-gibbs-appell")
        .eliminating(&["x'"])
        .matrix("explicit_reduction", &[&["y'/x'", "-z'/x'"]])
        .vector(
            "explicit_drift",
            &["alpha*(h_x*x' + h_y*y' + h_z*z' + h_t)/x'"],
        )
        .matrix(
            "explicit_matrix",
            &[
                &["1 + y'^2/x'^2", "-y'*z'/x'^2"],
                &["-y'*z'/x'^2", "1 + z'^2/x'^2"],
            ],
        )
        .vector(
            "explicit_rhs",
            &[
                "alpha*(h_x*x' + h_y*y' + h_z*z' + h_t)*y'/x'^2",
                "-g - alpha*(h_x*x' + h_y*y' + h_z*z' + h_t)*z'/x'^2",
            ],
        )
        .vector("accelerations", &ACCELERATIONS)
        .not(
            "explicit_rhs",
            "1",
            "",
            "-g + alpha*(h_x*x' + h_y*y' + h_z*z' + h_t)*z'/x'^2",
        )
        .not("explicit_matrix", "1", "1", "1 - z'^2/x'^2")
        .check();
}
