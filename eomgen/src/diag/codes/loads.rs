//! E0420 to E0439: conditions, energies, springs, and the other things that loads are made of.

super::codes! {
    E0420 "a condition that cannot be read" {
        what: "An `if` is not of the form `if CONDITION then a else b`, its condition compares nothing, or a comparison stands outside of a condition.",
        why: "A condition is made of comparisons by `<`, `<=`, `>` and `>=`, joined by `and`, `or` and `not`. Equality is not asked for: two computed quantities are hardly ever equal. An `if` within a larger expression stands in parentheses, so that its end is seen.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: (if x == 0 then 0 else -k*x)*N.x",
        fix: "Compare by `<`, `<=`, `>` or `>=`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: (if x <= 0 then 0 else -k*x)*N.x",
    }
    E0421 "a spring or damper that is not described" {
        what: "A `spring` or `damper` lacks what it needs, states something twice, or states what does not go together.",
        why: "A spring has a `stiffness` or a law, `tension`; between points it may have a `length`, on a coordinate a `rest` position. A damper has `damping` only. It acts between two different points, or on something that depends on the coordinates.",
        example: "model line\nparam m : kg > 0\nparam k, c\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspring s: from O to P, damping 2*c",
        fix: "State what is missing:",
        corrected: "model line\nparam m : kg > 0\nparam k, c\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspring s: from O to P, stiffness k, damping 2*c",
    }
    E0422 "an energy that depends on what it may not" {
        what: "A `kinetic` energy, a `potential` or a `dissipation` contains something that it cannot be differentiated by.",
        why: "A potential depends on coordinates, time, inputs and parameters; a dissipation also on the rates; a kinetic energy on coordinates, rates and time, but not on inputs, whose rates are not known. None contains accelerations.",
        example: "model line\nparam m : kg > 0\nparam c : N*s/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\npotential V = c*x*x'",
        fix: "State a force that depends on the velocity as `force`, `generalized` or `dissipation`:",
        corrected: "model line\nparam m : kg > 0\nparam c : N*s/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ndissipation D = c*x'^2/2",
    }
}
