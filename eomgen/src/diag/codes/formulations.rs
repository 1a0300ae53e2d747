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
    // Balances of momentum and reactions in them: E0540 to E0559.
    E0540 "balances of momentum of an energy" {
        what: "The Newton-Euler equations, or a reaction that is found from them, are asked for in a model with a `kinetic` energy.",
        why: "A balance of momentum belongs to a particle or body at a place. A kinetic energy that is stated as such has neither, only coordinates.",
        example: "model rod\nparam J : kg*m^2 > 0\ncoord theta : rad\nkinetic T = J*theta'^2/2",
        fix: "State bodies, or take a formulation that starts from energies, such as `lagrange`:",
        corrected: "model rod\nparam J : kg*m^2 > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\nbody W: frame B, mass 0, center O, inertia [0, 0, J]",
    }
    E0541 "a reaction along a free motion" {
        what: "The direction of a declared reaction between two points or bodies is one in which the definitions let them move against one another.",
        why: "A reaction does no virtual work. Along a motion that is free a joint transmits no force; if a stated constraint holds it, the force is that constraint's.",
        example: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nreaction p: force on P along N.x, opposite on Q",
        fix: "Name a direction that the definitions hold, or ask for the reaction of the constraint that holds it:",
        corrected: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nconstraint rod: x - y = 1 [m]\nreaction p: force on P along N.y\noutput push = reaction(rod)",
    }
    E0542 "forces on points that are not determined by a constraint alone" {
        what: "`reaction(c, P)` is asked of a constraint that is stated in coordinates, and the bodies move in more directions than there are coordinates.",
        why: "A generalized force on a coordinate is the same for many sets of forces on the bodies, which differ by reactions of the definitions. Only where partial velocities of the bodies form a square invertible matrix is there one set.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nbody A: frame B, mass m, center P, inertia [0, 0, m*l^2]\nconstraint drive: theta = 1 [rad/s]*t\noutput force = reaction(drive, P)",
        fix: "State the constraint by points and frames, or ask for its generalized force:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nbody A: frame B, mass m, center P, inertia [0, 0, m*l^2]\nconstraint drive: theta = 1 [rad/s]*t\noutput torque = reaction(drive)",
    }
    E0543 "a constraint that does not act there" {
        what: "`reaction(c, P)` or `reaction(c, B)` names a point or frame on which the constraint applies no force or torque.",
        why: "A constraint acts at the points whose places or velocities it is stated with, and on the frames whose directions or angular velocities stand in it.",
        example: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nconstraint rod: distance(P, Q) = 1 [m]\noutput force = reaction(rod, O)",
        fix: "Name one of the points or frames that the message lists:",
        corrected: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nconstraint rod: distance(P, Q) = 1 [m]\noutput force = reaction(rod, P)",
    }
    E0544 "a declared reaction that is not determined" {
        what: "A declared reaction acts along the same lines as those that are declared before it.",
        why: "Two reactions that hold the same thing share their force in a way that rigid bodies leave open (static indeterminacy).",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction p: force on P along B.x\nreaction q: force on P along -B.x",
        fix: "Leave one of them out:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction p: force on P along B.x",
    }
    E0545 "a declared reaction on nothing that has mass" {
        what: "A declared reaction between two points or frames names one that belongs to no particle and no rigid body.",
        why: "Its value is found from the balances of the bodies at its ends. A point or frame without mass has no balance of its own.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\npoint Q = O + l/2*B.x\nreaction p: force on Q along B.x",
        fix: "Name the points of particles, or points that are fixed in rigid bodies; what holds a definition is asked for by `reaction NAME at P: v`:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\npoint Q = O + l/2*B.x\nreaction p at Q: B.x",
    }
    E0546 "balances too long to be written out" {
        what: "The budget of simplification was spent on the balances of momentum.",
        why: "Forces on coordinates, and on points and frames without mass, are told from those on bodies by solving linear equations, which grow long for large models.",
        example: "",
        fix: "State such loads by points and frames of bodies, or choose another formulation.",
        corrected: "",
    }
}

#[cfg(all(test, feature = "derive"))]
mod tests {
    use super::CODES;
    use crate::pipeline::{DeriveOptions, Failure, evaluator};

    #[test]
    fn the_balances_refuse_the_examples_and_take_the_corrections() {
        let options = DeriveOptions {
            method: Some("newton-euler".to_owned()),
            ..DeriveOptions::default()
        };
        for entry in CODES.iter().filter(|entry| entry.code >= "E0540") {
            let found = match evaluator("m", entry.example, &options) {
                _ if entry.example.is_empty() => continue,
                Err(Failure::Diagnostics(list)) => list.iter().map(|d| d.code).collect(),
                Err(Failure::Message(message)) => panic!("{}: {message}", entry.code),
                Ok(_) => Vec::new(),
            };
            assert_eq!(found, [entry.code]);
            assert!(
                evaluator("m", entry.corrected, &options).is_ok(),
                "{}",
                entry.code
            );
        }
    }

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
