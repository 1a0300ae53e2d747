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
