//! Formulations that do not apply to a model, and what they remark on.

super::codes! {
    E0500 "a formulation for constraints linear in the velocities" {
        what: "The formulation asked for is stated for constraints that are linear in the velocities, and one of the model's is not.",
        why: "Maggi's equations, the Boltzmann-Hamel equations, and Wang and Pao's ways start from admissible velocities `q' = E(q,t) e + e0(q,t)`. Under a nonlinear constraint no such E exists.",
        example: "model appell\nparam m : kg > 0\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z\nconstraint c: x'^2 + y'^2 = z'^2",
        fix: "Take a formulation in the accelerations, such as `kane`, `gibbs-appell`, `lagrange` or `udwadia-kalaba`, or state a constraint that is linear in the velocities:",
        corrected: "model slope\nparam m : kg > 0\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z\nconstraint c: x' + y' = z'",
    }
    E0501 "a formulation that does not take constraints on accelerations" {
        what: "The formulation asked for is stated for constraints that are linear in the velocities, and one of the model's is stated for the accelerations.",
        why: "Such a constraint leaves all velocities admissible at every instant, so that there is nothing to choose independent velocities from.",
        example: "model lift\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x'' + 2*y'' = 4 [m/s^2]",
        fix: "Take `kane`, `gibbs-appell`, `lagrange` or `udwadia-kalaba`, or state what the velocities are:",
        corrected: "model lift\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x' + 2*y' = 4 [m/s^2]*t",
    }
    N0502 "no coordinate is cyclic" {
        what: "The reduced Appell equations were asked for, and every coordinate enters the equations or has a rate that is a speed of the state.",
        why: "A cyclic coordinate is one whose rate follows from the others by a constraint and that appears nowhere else, so that it can be found by quadrature afterwards. Without one the reduced equations are the whole system.",
        example: "",
        fix: "Nothing needs to be done; `--method jourdain` gives the same equations without the remark.",
        corrected: "",
    }
    // Charts, generalized inverses, multipliers: E0520 to E0539.
    E0520 "a chart that the constraints do not allow" {
        what: "The rates named by `--dependent` for the explicit Gibbs-Appell equation are not rates of coordinates, are more than the independent constraint rows, or cannot be solved for at any state.",
        why: "The equation eliminates as many accelerations of coordinates as there are independent rows; the columns of A that belong to them must have full rank. A declared speed is no column of A.",
        example: "",
        fix: "Name rates of coordinates, one for each independent row, or none: a chart is then chosen.",
        corrected: "",
    }
    E0521 "loads that depend on reactions in an equation without multipliers" {
        what: "The model has loads that depend on reactions, such as Coulomb friction, and the explicit Gibbs-Appell equation was asked for.",
        why: "The equation is the projection on the motions that the constraints allow, on which constraint forces do no work and drop out. A load that depends on a reaction does not drop out, and the multiplier in it remains unknown.",
        example: "",
        fix: "Use a formulation that keeps the multipliers where loads depend on them: `lagrange`, `udwadia-kalaba`, `kane` or `gibbs-appell`.",
        corrected: "",
    }
    E0522 "a quantity of a chart where no chart is fixed" {
        what: "A quantity of the explicit Gibbs-Appell equation was asked for, such as R, where the equation has no fixed chart, or the model no constraints.",
        why: "Where the rank of the constraints varies, or where there are too many charts to list, the program finds one at every state by pivoting: the size of R changes with it.",
        example: "",
        fix: "Name a chart with `--dependent` if the rank does not vary, or leave the output out.",
        corrected: "",
    }
    E0523 "a family of multipliers where they are unique" {
        what: "`multiplier_family` was asked for of a model whose constraint rows are independent, or depend on one another only at some states.",
        why: "Multipliers are unique where the rows are independent. Where they are not, multipliers may be changed by any vector of the null space of `A^T`; a basis of it is a quantity of the model only if the same rows depend at all states.",
        example: "",
        fix: "Leave the output out; `multipliers` are those of least norm in any case.",
        corrected: "",
    }
    E0524 "a generalized inverse that cannot be taken" {
        what: "The Moore-Penrose or a {1,4}-inverse of `A M^-1/2` was asked for, or the `generalized_inverse` itself, where the mass matrix of the coordinates is singular, or where loads depend on reactions; or the inverse as a formula where the rank of the constraints varies.",
        why: "`M^-1/2` exists only of a regular M. Loads that depend on reactions act by other directions than the rows of A, for which a symmetric inverse says nothing. Where the rank varies the entries of an inverse jump.",
        example: "",
        fix: "Use `--inverse one`, which solves the bordered system where M is singular, or `--method lagrange`.",
        corrected: "",
    }
}

#[cfg(all(test, feature = "derive"))]
mod tests {
    use super::CODES;
    use crate::pipeline::{DeriveOptions, Failure, evaluator};

    #[test]
    fn the_formulations_refuse_the_examples_and_take_the_corrections() {
        for entry in CODES.iter().filter(|entry| entry.code <= "E0501") {
            for method in ["maggi", "boltzmann-hamel"] {
                let options = DeriveOptions {
                    method: Some(method.to_owned()),
                    ..DeriveOptions::default()
                };
                let found = match evaluator("m", entry.example, &options) {
                    Err(Failure::Diagnostics(list)) => list.iter().map(|d| d.code).collect(),
                    Err(Failure::Message(message)) => panic!("{}: {message}", entry.code),
                    Ok(_) => Vec::new(),
                };
                assert_eq!(found, [entry.code], "{method}");
                assert!(
                    evaluator("m", entry.corrected, &options).is_ok(),
                    "{method}"
                );
            }
        }
    }
}
