//! Formulations that do not apply to a model, and what they remark on.

super::codes! {
    E0500 "a formulation for constraints linear in the velocities only" {
        what: "The requested formulation requires constraints that are linear in the velocities, and the model has one that is not.",
        why: "Maggi's equations, the Boltzmann-Hamel equations and Wang and Pao's derivations start from admissible velocities `q' = E(q,t) e + e0(q,t)`. Under a nonlinear constraint no such E exists.",
        example: "model appell\nparam m : kg > 0\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z\nconstraint c: x'^2 + y'^2 = z'^2",
        fix: "Use one of the formulations that the message names, such as `kane`, `newton-euler` or `explicit-gibbs-appell`, or state a constraint that is linear in the velocities:",
        corrected: "model slope\nparam m : kg > 0\ncoord x, y, z : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z\nconstraint c: x' + y' = z'",
    }
    E0501 "a formulation that does not support constraints on accelerations" {
        what: "The requested formulation requires constraints that are linear in the velocities, and the model has one that is stated for the accelerations.",
        why: "Such a constraint does not restrict the velocities at any instant, so it does not determine dependent velocities.",
        example: "model lift\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x'' + 2*y'' = 4 [m/s^2]",
        fix: "Use one of the formulations that the message names, such as `kane` or `newton-euler`, or state the constraint at velocity level:",
        corrected: "model lift\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x' + 2*y' = 4 [m/s^2]*t",
    }
    N0502 "no coordinate is cyclic" {
        what: "The reduced Appell equations were requested, but every coordinate appears in the equations or has a rate that is a speed of the state.",
        why: "A cyclic coordinate is one whose rate follows from the others by a constraint and that appears nowhere else, so that it can be found afterwards by quadrature. Without one, the reduced equations are those of the whole system.",
        fix: "No action is needed; `--method jourdain` gives the same equations without this note.",
    }
    // Charts, generalized inverses, multipliers: E0520 to E0539.
    E0520 "a choice of dependent accelerations that the constraints do not allow" {
        what: "The rates given by `--dependent` for the explicit Gibbs-Appell equation are not rates of coordinates, are more than the independent constraint rows, or cannot be solved for at any state.",
        why: "The equation eliminates as many accelerations of coordinates as there are independent rows; the corresponding columns of A must have full rank. A declared speed does not correspond to a column of A.",
        fix: "Name rates of coordinates, one for each independent row, or omit the option: eomgen then makes a choice.",
    }
    E0521 "loads that depend on reactions in an equation without multipliers" {
        what: "The explicit Gibbs-Appell equation was requested for a model with loads that depend on reactions, such as Coulomb friction.",
        why: "The equation is projected on the motions that the constraints allow, so that constraint forces drop out. A load that depends on a reaction does not drop out, and the multiplier in it remains unknown.",
        fix: "Use one of the formulations that the message names, which solve for the multipliers: all others, where the constraints are linear in the velocities.",
    }
    E0522 "an output that needs a fixed choice of dependent accelerations" {
        what: "An output of the explicit Gibbs-Appell equation was requested, such as R, but the equation has no fixed choice of dependent accelerations, or the model has no constraints.",
        why: "If the rank of the constraints varies, or if there are too many choices to list, the module makes the choice at every state by pivoting, and the size of R changes with it.",
        fix: "If the rank does not vary, fix the choice with `--dependent`; otherwise omit the output.",
    }
    E0523 "a family of multipliers that are unique" {
        what: "`multiplier_family` was requested for a model whose constraint rows are independent, or are dependent only at some states.",
        why: "Multipliers are unique if the rows are independent. Otherwise any vector in the null space of `A^T` may be added; a basis of this null space can be an output only if the same rows are dependent at all states.",
        fix: "Omit the output; `multipliers` are those of minimum norm in any case.",
    }
    E0524 "a generalized inverse that does not exist" {
        what: "The Moore-Penrose or a {1,4}-inverse of `A M^-1/2`, or the output `generalized_inverse`, was requested, but the mass matrix of the coordinates is singular, or loads depend on reactions; or the inverse was requested as a formula and the rank of the constraints varies.",
        why: "`M^-1/2` exists only if M is nonsingular. Loads that depend on reactions act along directions other than the rows of A, to which a symmetric inverse does not apply. If the rank varies, the entries of the inverse are discontinuous.",
        fix: "Use `--inverse one`, which solves the bordered system if M is singular, or `--method lagrange`.",
    }
    // Balances of momentum and reactions in them: E0540 to E0559.
    E0540 "momentum balances for a stated energy" {
        what: "The Newton-Euler equations, or a reaction found from them, were requested for a model with a `kinetic` energy.",
        why: "A momentum balance belongs to a particle or body. A kinetic energy stated as a function of the coordinates has neither.",
        example: "model rod\nparam J : kg*m^2 > 0\ncoord theta : rad\nkinetic T = J*theta'^2/2",
        fix: "State bodies, or use a formulation that starts from energies, such as `lagrange`:",
        corrected: "model rod\nparam J : kg*m^2 > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\nbody W: frame B, mass 0, center O, inertia [0, 0, J]",
    }
    E0541 "a reaction along a direction of free motion" {
        what: "A declared reaction between two points or bodies has a direction in which their definitions allow relative motion.",
        why: "A reaction does no virtual work. A joint transmits no force along a direction of free motion; if a stated constraint prevents the motion, the force belongs to that constraint.",
        example: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nreaction p: force on P along N.x, opposite on Q",
        fix: "Name a direction in which the definitions allow no relative motion, or ask for the reaction of the constraint:",
        corrected: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nconstraint rod: x - y = 1 [m]\nreaction p: force on P along N.y\noutput push = reaction(rod)",
    }
    E0542 "point forces that the constraint does not determine" {
        what: "`reaction(c, P)` was requested for a constraint stated in coordinates, and the bodies have more directions than there are coordinates.",
        why: "Many sets of forces on the bodies, which differ by joint reactions, have the same generalized force on a coordinate. The forces are unique only if the partial velocities of the bodies form a square invertible matrix.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nbody A: frame B, mass m, center P, inertia [0, 0, m*l^2]\nconstraint drive: theta = 1 [rad/s]*t\noutput force = reaction(drive, P)",
        fix: "State the constraint with points and frames, or ask for its generalized force:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nbody A: frame B, mass m, center P, inertia [0, 0, m*l^2]\nconstraint drive: theta = 1 [rad/s]*t\noutput torque = reaction(drive)",
    }
    E0543 "a constraint that does not act there" {
        what: "`reaction(c, P)` or `reaction(c, B)` names a point or frame on which the constraint applies no force or torque.",
        why: "A constraint acts at the points whose positions or velocities it contains, and on the frames whose directions or angular velocities it contains.",
        example: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nconstraint rod: distance(P, Q) = 1 [m]\noutput force = reaction(rod, O)",
        fix: "Name one of the points or frames that the message lists:",
        corrected: "model two\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle C: mass m at Q\nconstraint rod: distance(P, Q) = 1 [m]\noutput force = reaction(rod, P)",
    }
    E0544 "a declared reaction that is not determined" {
        what: "A declared reaction has the same line of action as previously declared ones.",
        why: "How such reactions share their force is statically indeterminate for rigid bodies.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction p: force on P along B.x\nreaction q: force on P along -B.x",
        fix: "Remove one of them:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction p: force on P along B.x",
    }
    E0545 "a declared reaction on a massless point or frame" {
        what: "A declared reaction between two points or frames names one that belongs to no particle and no rigid body.",
        why: "The value of the reaction follows from the momentum balances of the bodies at its ends. A massless point or frame has no momentum balance.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\npoint Q = O + l/2*B.x\nreaction p: force on Q along B.x",
        fix: "Name points of particles, or points fixed in rigid bodies; to get the force that keeps a point in its defined position, write `reaction NAME at P: v`:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\npoint Q = O + l/2*B.x\nreaction p at Q: B.x",
    }
    E0546 "momentum balances too long to be written out" {
        what: "The simplification of the momentum balances exceeded its budget.",
        why: "To separate forces on coordinates and on massless points and frames from those on bodies, linear equations must be solved symbolically. They become long where coordinates enter in long expressions, as in contacts of curved surfaces and closed loops, and not only in large models.",
        fix: "State such loads with points and frames of bodies, or choose another formulation.",
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
