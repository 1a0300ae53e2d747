//! UK02 39'-42: a constraint whose force does the work of `C = -a0 u^2/|u| (x', y', z')`, with `u^2 = x'^2 + y'^2 + z'^2`.
//!
//! The particle has unit mass. With the source's row, half of the model's, `A = (x', y', -z')` and `A^+ = (x', y', -z')^T/u^2`.

use super::sheet::Sheet;
use eomgen::options::Inverse;

const MODEL: &str = "e3_appell_nonideal";

/// UK02 41, ideal part: `A^+ (b - A a)`, `(alpha g' - x'Fx - y'Fy + z'Fz)/u^2 (x', y', -z')`
const IDEAL: [&str; 3] = [
    "(alpha*(g_x*x' + g_y*y' + g_z*z' + g_t) - x'*Fx - y'*Fy + z'*Fz)/(x'^2 + y'^2 + z'^2)*x'",
    "(alpha*(g_x*x' + g_y*y' + g_z*z' + g_t) - x'*Fx - y'*Fy + z'*Fz)/(x'^2 + y'^2 + z'^2)*y'",
    "-(alpha*(g_x*x' + g_y*y' + g_z*z' + g_t) - x'*Fx - y'*Fy + z'*Fz)/(x'^2 + y'^2 + z'^2)*z'",
];

/// UK02 42, non-ideal part: `(I - A^+ A) C`, `-(a0/|u|) (2 x' z'^2, 2 y' z'^2, 2 z' (x'^2 + y'^2))`
const NONIDEAL: [&str; 3] = [
    "-a0/sqrt(x'^2 + y'^2 + z'^2)*2*x'*z'^2",
    "-a0/sqrt(x'^2 + y'^2 + z'^2)*2*y'*z'^2",
    "-a0/sqrt(x'^2 + y'^2 + z'^2)*2*z'*(x'^2 + y'^2)",
];

const METHODS: [&str; 6] = [
    "newton-euler",
    "lagrange",
    "gibbs-appell",
    "kane",
    "udwadia-kalaba",
    "explicit-gibbs-appell",
];

/// UK02 40, A and b twice those of the source.
#[test]
fn constraint() {
    Sheet::new(MODEL, "udwadia-kalaba")
        .matrix("constraint_matrix", &[&["2*x'", "2*y'", "-2*z'"]])
        .vector(
            "constraint_rhs",
            &["2*alpha*(g_x*x' + g_y*y' + g_z*z' + g_t)"],
        )
        .not(
            "constraint_rhs",
            "c",
            "",
            "-2*alpha*(g_x*x' + g_y*y' + g_z*z' + g_t)",
        )
        .check();
}

/// UK02 40-41: C, and the projectors `A^+ A` and `I - A^+ A` that part it (43-46); M is the unit matrix.
#[test]
fn virtual_work() {
    Sheet::new(MODEL, "udwadia-kalaba")
        .vector(
            "nonideal_vector",
            &[
                "-a0*sqrt(x'^2 + y'^2 + z'^2)*x'",
                "-a0*sqrt(x'^2 + y'^2 + z'^2)*y'",
                "-a0*sqrt(x'^2 + y'^2 + z'^2)*z'",
            ],
        )
        .matrix("scaled_constraint_matrix", &[&["2*x'", "2*y'", "-2*z'"]])
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
            "1",
            "1",
            "(x'^2 + z'^2)/(x'^2 + y'^2 + z'^2)",
        )
        .entry_at("tangent_projector", "1", "2", "y'*z'/(x'^2 + y'^2 + z'^2)")
        .not("tangent_projector", "1", "2", "-y'*z'/(x'^2 + y'^2 + z'^2)")
        .not("nonideal_vector", "z", "", "a0*sqrt(x'^2 + y'^2 + z'^2)*z'")
        .check();
}

/// UK02 41-42: both parts of the constraint force on their own.
#[test]
fn parts_of_the_force() {
    for method in ["udwadia-kalaba", "lagrange", "kane"] {
        Sheet::new(MODEL, method)
            .vector("ideal_constraint_forces", &IDEAL)
            .vector("nonideal_constraint_forces", &NONIDEAL)
            .not("ideal_constraint_forces", "z", "", IDEAL[0])
            .not(
                "nonideal_constraint_forces",
                "z",
                "",
                "a0/sqrt(x'^2 + y'^2 + z'^2)*2*z'*(x'^2 + y'^2)",
            )
            // The non-ideal part is not C.
            .not(
                "nonideal_constraint_forces",
                "x",
                "",
                "-a0*sqrt(x'^2 + y'^2 + z'^2)*x'",
            )
            .check();
    }
}

/// UK02 42: the impressed force and both parts, by every formulation and every inverse.
#[test]
fn accelerations() {
    let whole = |i: usize| {
        let force = ["Fx", "Fy", "Fz"][i];
        format!("{force} + {} + {}", IDEAL[i], NONIDEAL[i])
    };
    let whole = [0, 1, 2].map(whole);
    let whole = [&*whole[0], &*whole[1], &*whole[2]];
    let wrong = format!("Fx + {} - ({})", IDEAL[0], NONIDEAL[0]);
    let methods = METHODS.map(|method| Sheet::new(MODEL, method));
    let inverses = Inverse::ALL.map(|i| Sheet::new(MODEL, "udwadia-kalaba").inverse(i));
    for sheet in methods.into_iter().chain(inverses) {
        sheet
            .vector("accelerations", &whole)
            .not("accelerations", "x", "", &wrong)
            .check();
    }
}

/// The explicit form (UK98 18) with F + C in the place of F and the x column for Ae: `R = (y'/x', -z'/x')`, `d = alpha g'/x'`. C is along
/// the velocity, so that what it adds by y' and by -R^T x' cancels in the first row and doubles in the second.
#[test]
fn explicit_gibbs_appell() {
    Sheet::new(MODEL, "explicit-gibbs-appell")
        .eliminating(&["x'"])
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
                "Fy - Fx*y'/x' + alpha*(g_x*x' + g_y*y' + g_z*z' + g_t)*y'/x'^2",
                "Fz + Fx*z'/x' - alpha*(g_x*x' + g_y*y' + g_z*z' + g_t)*z'/x'^2 - 2*a0*sqrt(x'^2 + y'^2 + z'^2)*z'",
            ],
        )
        .not(
            "explicit_rhs",
            "1",
            "",
            "Fz + Fx*z'/x' - alpha*(g_x*x' + g_y*y' + g_z*z' + g_t)*z'/x'^2 + 2*a0*sqrt(x'^2 + y'^2 + z'^2)*z'",
        )
        .check();
}
