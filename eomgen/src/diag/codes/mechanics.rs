//! E03xx: what only shows when positions are differentiated and constraints are compared. Mistakes that
//! the model's own checks find first have the model's codes here too. N03xx: notes; W03xx: warnings.

super::codes! {
    E0302 "a division by zero" {
        what: "A denominator is zero at every state, although it does not look so.",
        why: "No value could be computed. What is written as `/0` is found earlier (E0109); this one shows only when the names in it are replaced by what they stand for.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nlet a = x - y\nlet b = y - x\nforce on P: 1 [N*m]/(a + b)*N.x",
        fix: "Divide by something that is not always zero; what vanishes at some states is allowed and is listed in the generated code:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nlet a = x - y\nlet b = y - x\nforce on P: 1 [N*m]/(a - b)*N.x",
    }
    E0306 "an inertia that is not constant in its body" {
        what: "The inertia is stated about a point, or in axes, that do not keep their place in the body.",
        why: "The inertia tensor is given by constants. They mean something only about a point and in axes that move with the body.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord theta : rad\nparam J : kg*m^2 > 0\nframe B = rotate(N, theta, N.z)\nbody W: frame B, mass m, center P, inertia [J, J, J] about O",
        fix: "State it about the mass centre (without `about`), or about another point of the body:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord theta : rad\nparam J : kg*m^2 > 0\nframe B = rotate(N, theta, N.z)\nbody W: frame B, mass m, center P, inertia [J, J, J]",
    }
    E0307 "a speed that is no generalized speed" {
        what: "The definition of a speed is not a sum of rates with factors that depend on coordinates and time, or no rate is left in it.",
        why: "The speeds take the place of the rates in the state, so the rates have to follow from them by solving linear equations.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u = dot(vel(P) - vel(P), N.x)",
        fix: "Define it by a component of a velocity, or by another combination of rates:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u = dot(vel(P), N.x)",
    }
    E0308 "speeds that depend on one another" {
        what: "A speed is a combination of the speeds declared before it, or there are more speeds than coordinates.",
        why: "There are as many independent speeds as coordinates. A further one has no place in the state.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u1 = x' + y'\nspeed u2 = 2*x' + 2*y'",
        fix: "Let it measure another direction, or make it an `output`:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nspeed u1 = x' + y'\nspeed u2 = x' - y'",
    }
    E0309 "a choice of independent velocities that does not work" {
        what: "The velocities named by `privileged`, or those named as dependent when deriving, do not fit the constraints: there are too many or too few, one is not a speed of the model, or the constraints tie them to one another.",
        why: "The privileged velocities are a complete set of independent ones: as many as degrees of freedom, and the constraints have to give all others from them.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'\nprivileged x', y'",
        fix: "Name as many velocities as the motion has degrees of freedom, or leave the choice out:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'\nprivileged x'",
    }
    E0310 "a constraint that is always satisfied" {
        what: "Both sides of a constraint are equal at every state, whatever is inserted: it reads 0 = 0. Of a vector constraint this is said only if all three components do.",
        why: "It restricts nothing. Mostly something else was meant.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint place: P - O = x*N.x + y*N.y",
        fix: "Constrain something that can be otherwise:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint place: P - O = x*N.x + x*N.y",
    }
    E0311 "a constraint that constrains nothing" {
        what: "No coordinate and no rate is left in a constraint once everything is inserted, and it is not satisfied by itself either.",
        why: "No motion can make it true.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint height: dot(P - O, N.z) = 1 [m]",
        fix: "Constrain something that can move:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint height: dot(P - O, N.y) = 1 [m]",
    }
    E0313 "constraints that contradict one another" {
        what: "A constraint fixes the same velocities as others do, but differs from them by something that is not zero.",
        why: "No motion meets all of them.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint left: x = 0\nconstraint right: x = 1 [m]",
        fix: "Remove one, or make them agree:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint left: x = 0\nconstraint right: y = 1 [m]",
    }
    E0320 "motion that nothing determines" {
        what: "There is a way to change the coordinates that moves no mass and that no constraint forbids.",
        why: "The equations of motion would not determine the accelerations, at any state. A massless part is allowed as long as constraints tie it to something with mass.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord z : m\npoint Q = P + z*N.z",
        fix: "Give the part a mass or an inertia, tie it by a constraint, or remove the coordinate:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ncoord z : m\npoint Q = P + z*N.z\nparticle D: mass m at Q",
    }
    E0399 "an internal inconsistency" {
        what: "The generator found its own work contradictory and stopped before it wrote anything.",
        why: "This is a mistake in the generator and not in the model.",
        example: "",
        fix: "Please report it with the model.",
        corrected: "",
    }
    N0314 "a constraint that depends on others" {
        what: "A constraint fixes only what others fix already. This is a note: such models are derived, with the multipliers of smallest norm.",
        why: "Closed mechanisms often come with more equations than are needed. The motion does not feel it, but the multipliers are not unique. If the note adds where the constraints agree, they contradict one another everywhere else, which the generated code cannot see.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'\nconstraint again: 2*y' = 4*x'",
        fix: "Nothing has to be done; leave the constraint out if each multiplier matters:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: y' = 2*x'",
    }
    N0316 "a constraint that depends on others where they hold" {
        what: "A constraint fixes only what others fix already, but only at states where all of them hold: elsewhere its derivatives are others. This is a note: such models are derived.",
        why: "Formulas that divide by the determinant of the constraints would fail wherever the constraints hold. Where the row depends on the others at every state that was found to satisfy them, it is left out of the equations of motion (it must hold at the start, and its residual is still an output); where it does at some, all rows are kept and their rank is found at run time. With the default parameters a machine may move that is stuck, or cannot be put together, with any others, such as a coupler on three equal cranks: then the rows are chosen for the default parameters, and the message says so.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: x = y\nconstraint again: (x + y)*(x - y) = 0",
        fix: "Nothing has to be done; leave the constraint out if each multiplier matters:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint rail: x = y",
    }
    N0317 "a constraint that holds no acceleration" {
        what: "All derivatives of a constraint vanish where it holds, as those of a square or of `cos(q) = 1` do.",
        why: "Constraints act on the motion through their derivatives. This one has none where it holds, so nothing in the equations of motion keeps it.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint flat: (y - 2*x)^2 = 0",
        fix: "State it by a quantity that passes through zero:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint flat: y - 2*x = 0",
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
