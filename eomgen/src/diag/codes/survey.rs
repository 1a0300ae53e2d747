//! 048x: what is found out about constraints as a whole.

super::codes! {
    N0480 "a velocity constraint that is integrable" {
        what: "A constraint is stated for velocities, but it can be integrated: it keeps some function of the coordinates (and time) constant. This is a note of `check`: such models are derived.",
        why: "Such a constraint restricts the configuration and not only the velocities; its constant of integration is determined by the initial state. Stated at configuration level it has a residual that reveals drift, and coordinates can be eliminated. This was decided by Frobenius' theorem, in exact arithmetic.",
        example: "model wheel\nparam m : kg > 0\nparam a : m > 0\ncoord x : m\ncoord theta : rad\nframe B = rotate(N, theta, N.y)\npoint C = O + x*N.x\nbody W: frame B, mass m, center C, inertia [m*a^2/4, m*a^2/2, m*a^2/4]\nconstraint roll: x' = a*theta'",
        fix: "No action is needed; if the constant is known, you can state the constraint at configuration level:",
        corrected: "model wheel\nparam m : kg > 0\nparam a : m > 0\ncoord x : m\ncoord theta : rad\nframe B = rotate(N, theta, N.y)\npoint C = O + x*N.x\nbody W: frame B, mass m, center C, inertia [m*a^2/4, m*a^2/2, m*a^2/4]\nconstraint roll: x = a*theta",
    }
    N0481 "an integrable combination of velocity constraints" {
        what: "None of several velocity constraints can be integrated by itself, but a combination of them can. This is a note of `check`: such models are derived.",
        why: "The configuration then has fewer degrees of freedom than the constraints suggest. The message shows the combination and, if it is short, the quantity that remains constant. This was decided from the closure of the admissible directions under Lie brackets, in exact arithmetic.",
        example: "model axle\nparam m : kg > 0\nparam a, l : m > 0\ncoord x, y : m\ncoord phi, p1, p2 : rad\nframe B = rotate(N, phi, N.z)\nframe W1 = rotate(B, p1, B.y)\nframe W2 = rotate(B, p2, B.y)\npoint C1 = O + x*N.x + y*N.y\npoint C2 = C1 + l*B.y\nbody L: frame W1, mass m, center C1, inertia [m*a^2/4, m*a^2/2, m*a^2/4]\nbody R: frame W2, mass m, center C2, inertia [m*a^2/4, m*a^2/2, m*a^2/4]\nconstraint left: vel(C1) = a*p1'*B.x\nconstraint right: dot(vel(C2), B.x) = a*p2'",
        fix: "No action is needed; if the constant is known, you can state the combination at configuration level instead of one of the constraints:",
        corrected: "model axle\nparam m : kg > 0\nparam a, l : m > 0\ncoord x, y : m\ncoord phi, p1, p2 : rad\nframe B = rotate(N, phi, N.z)\nframe W1 = rotate(B, p1, B.y)\nframe W2 = rotate(B, p2, B.y)\npoint C1 = O + x*N.x + y*N.y\npoint C2 = C1 + l*B.y\nbody L: frame W1, mass m, center C1, inertia [m*a^2/4, m*a^2/2, m*a^2/4]\nbody R: frame W2, mass m, center C2, inertia [m*a^2/4, m*a^2/2, m*a^2/4]\nconstraint left: vel(C1) = a*p1'*B.x\nconstraint turn: l*phi = a*(p1 - p2)",
    }
    W0482 "constraints that agree only for some values of parameters" {
        what: "A constraint determines the same rates as others do, and differs from them by something that vanishes only for some values of parameters or functions.",
        why: "For other values no motion satisfies all of them. The generated code cannot detect this: it computes the accelerations from the constraints declared first.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nparam a, b : m\nconstraint left: x = a\nconstraint right: x = b",
        fix: "Remove one, or make them agree:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nparam a, b : m\nconstraint left: x = a\nconstraint right: y = b",
    }
    W0483 "position constraints for which no solution was found" {
        what: "There are more position constraints than independent directions that they restrict, and a search found no configuration that satisfies all of them.",
        why: "Closed mechanisms may have such constraints if their lengths fit. If they do not, no configuration satisfies all constraints, and the rates do not reveal it. The search starts at a few configurations, with random parameters and with the defaults; it is not a proof.",
        example: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nparam a, b : m > 0\nconstraint pin: P = O\nconstraint rod: (x - a)^2 + (y - b)^2 = 9*(a^2 + b^2)",
        fix: "Remove the excess constraint, or give values with which the mechanism can be assembled:",
        corrected: "model plane\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nparam a, b : m > 0\nconstraint rod: (x - a)^2 + (y - b)^2 = 9*(a^2 + b^2)",
    }
}

#[cfg(all(test, feature = "derive"))]
mod tests {
    use super::CODES;
    use crate::pipeline::check;

    #[test]
    fn examples_get_their_code_and_corrections_none() {
        for entry in CODES {
            let codes = |text| -> Vec<&str> {
                let report = check(entry.code, text).unwrap();
                report.warnings.iter().map(|d| d.code).collect()
            };
            assert!(codes(entry.example).contains(&entry.code), "{}", entry.code);
            assert!(
                !codes(entry.corrected).contains(&entry.code),
                "{}",
                entry.code
            );
        }
    }
}
