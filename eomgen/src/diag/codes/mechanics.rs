//! E03xx: what only shows when positions are differentiated and constraints are compared. Mistakes that
//! the model's own checks find first have the model's codes here too. N03xx: notes; W03xx: warnings.

super::codes! {
    E0302 "a division by zero" {
        what: "A denominator is identically zero, although it does not look so.",
        why: "There is no value. A literal `/0` is found earlier (E0109); this one shows only when the names are replaced by their definitions.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nlet a = x - y\nlet b = y - x\nforce on P: 1 [N*m]/(a + b)*N.x",
        fix: "Divide by something that is not identically zero; a denominator that vanishes at some states is allowed and listed in the generated code:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nlet a = x - y\nlet b = y - x\nforce on P: 1 [N*m]/(a - b)*N.x",
    }
    E0306 "an inertia that is not constant in its body" {
        what: "The inertia is stated about a point, or in axes, that are not fixed in the body.",
        why: "The inertia tensor is given by constants, which are meaningful only about a point and in axes fixed in the body.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord theta : rad\nparam J : kg*m^2 > 0\nframe B = rotate(N, theta, N.z)\nbody W: frame B, mass m, center P, inertia [J, J, J] about O",
        fix: "State it about the mass centre (without `about`), or about another point of the body:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord theta : rad\nparam J : kg*m^2 > 0\nframe B = rotate(N, theta, N.z)\nbody W: frame B, mass m, center P, inertia [J, J, J]",
    }
    E0307 "a speed that is not a generalized speed" {
        what: "The definition of a speed is not a linear combination of rates with coefficients in coordinates and time, or contains no rate after simplification.",
        why: "The speeds replace the rates in the state, so the rates must follow from them by linear equations.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u = dot(vel(P) - vel(P), N.x)",
        fix: "Define it as a component of a velocity, or as another combination of rates:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u = dot(vel(P), N.x)",
    }
    E0308 "speeds that are linearly dependent" {
        what: "A speed is a linear combination of the speeds declared before it, or there are more speeds than coordinates.",
        why: "There are only as many independent speeds as coordinates. Another one has no place in the state.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u1 = x' + y'\nspeed u2 = 2*x' + 2*y'",
        fix: "Choose an independent combination, or make it an `output`:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u1 = x' + y'\nspeed u2 = x' - y'",
    }
    E0309 "an invalid choice of independent velocities" {
        what: "The velocities given by `privileged`, or those given by `--dependent`, do not fit the constraints: there are too many or too few, one is not a speed of the model, or the constraints relate them to each other. Or the declared speeds do not determine the rates at any state that satisfies the constraints, which fix some of them there.",
        why: "The privileged velocities are a complete set of independent ones: as many as degrees of freedom, and the constraints must determine all others from them.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'\nprivileged x', y'",
        fix: "Name as many velocities as the motion has degrees of freedom, or omit the choice:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'\nprivileged x'",
    }
    E0310 "a constraint that is always satisfied" {
        what: "Both sides of a constraint are identically equal: it reads 0 = 0. For a vector constraint this is reported only if it holds for all three components.",
        why: "It restricts nothing, and probably something else was meant.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint place: P - O = x*N.x + y*N.y",
        fix: "Constrain something that can vary:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint place: P - O = x*N.x + x*N.y",
    }
    E0311 "a constraint that constrains nothing" {
        what: "After substitution, no coordinate or rate remains in a constraint, and it is not satisfied identically either.",
        why: "No motion can satisfy it.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint height: dot(P - O, N.z) = 1 [m]",
        fix: "Constrain something that can move:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint height: dot(P - O, N.y) = 1 [m]",
    }
    E0313 "constraints that contradict one another" {
        what: "A constraint determines the same velocities as others do, but with a nonzero difference.",
        why: "No motion satisfies all of them.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint left: x = 0\nconstraint right: x = 1 [m]",
        fix: "Remove one, or make them agree:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint left: x = 0\nconstraint right: y = 1 [m]",
    }
    E0320 "an undetermined motion" {
        what: "There is a motion of the coordinates that moves no mass and violates no constraint.",
        why: "The equations of motion would not determine the accelerations at any state. A massless part is allowed as long as constraints connect it to something with mass.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord z : m\npoint Q = P + z*N.z",
        fix: "Give the part a mass or an inertia, connect it by a constraint, or remove the coordinate:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord z : m\npoint Q = P + z*N.z\nparticle D: mass m at Q",
    }
    E0399 "an internal inconsistency" {
        what: "The generator found a contradiction in its own results and stopped before writing anything.",
        why: "This is an error in eomgen, not in the model.",
        fix: "Please report it with the model.",
    }
    N0314 "a redundant constraint" {
        what: "A constraint determines only what others determine already. This is a note: such models are derived, with the minimum-norm multipliers.",
        why: "Closed mechanisms often have more equations than necessary. The motion is not affected, but the multipliers are not unique. If the note states a condition under which the constraints agree, they contradict one another everywhere else, which the generated code cannot detect.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'\nconstraint again: 2*y' = 4*x'",
        fix: "No action is needed; remove the constraint if you need unique multipliers:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'",
    }
    N0316 "a constraint that is redundant where the constraints hold" {
        what: "A constraint determines only what others determine already, but only at states where all of them hold: elsewhere its derivatives differ. This is a note: such models are derived.",
        why: "Formulas that divide by the determinant of the constraints would fail wherever the constraints hold. If the row is redundant at every state that was found to satisfy the constraints, the accelerations are found without it (it must hold initially, its residual is still an output, and the multipliers are those of minimum norm of all rows); if it is redundant at some states only, all rows are kept and their rank is determined at run time. Some mechanisms can move with the default parameters but lock, or cannot be assembled, with any others, such as a coupler on three equal cranks: then the rows are chosen for the default parameters, and the message says so.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: x = y\nconstraint again: (x + y)*(x - y) = 0",
        fix: "No action is needed; remove the constraint if you need unique multipliers:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: x = y",
    }
    N0317 "a constraint that has no effect on the accelerations" {
        what: "All derivatives of a constraint vanish where it holds, as for a square or for `cos(q) = 1`.",
        why: "Constraints act on the motion through their derivatives. The derivatives of this one vanish where it holds, so nothing in the equations of motion enforces it.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint flat: (y - 2*x)^2 = 0",
        fix: "State it with an expression that changes sign:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint flat: y - 2*x = 0",
    }
    N0318 "an initial value that is none of the state's" {
        what: "`initial` gives a value to a rate or a speed that the state does not hold: other speeds are declared or privileged, or constraints make it follow from others. This is a note.",
        why: "`State::initial` of the generated code holds the values of the state's entries. `eomgen simulate` and `assemble` start from all initial values.",
        example: "model line\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspeed v = 2*x'\ninitial x' = 1",
        fix: "State the value of the state's own speed:",
        corrected: "model line\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspeed v = 2*x'\ninitial v = 2",
    }
}

#[cfg(all(test, feature = "derive"))]
mod tests {
    use super::{CODES, E0399};
    use crate::pipeline::{Failure, check};

    #[test]
    fn examples_get_their_code_and_corrections_none() {
        for entry in CODES.iter().filter(|entry| entry.code != E0399) {
            let codes = |text| match check(entry.code, text) {
                Ok(report) => (true, report.warnings),
                Err(Failure::Diagnostics(list)) => (false, list),
                Err(Failure::Message(message)) => panic!("{}: {message}", entry.code),
            };
            let (ok, found) = codes(entry.example);
            assert_eq!(ok, !entry.code.starts_with('E'), "{}", entry.code);
            let found: Vec<_> = found.iter().map(|d| d.code).collect();
            assert!(found.contains(&entry.code), "{}: {found:?}", entry.code);
            let errors = found.iter().filter(|c| c.starts_with("E03")).count();
            assert_eq!(errors, usize::from(!ok), "{}: {found:?}", entry.code);
            let (ok, mut found) = codes(entry.corrected);
            // Many of them have velocity constraints that can be integrated.
            found.retain(|d| d.code != "N0480");
            assert!(ok && found.is_empty(), "{}: {found:?}", entry.code);
        }
    }
}
