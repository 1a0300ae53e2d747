//! E0420 to E0439: conditions, energies, springs, and the other things that loads are made of.

super::codes! {
    E0420 "an invalid condition" {
        what: "An `if` is not of the form `if CONDITION then a else b`, its condition contains no comparison, or a comparison appears outside a condition.",
        why: "A condition consists of comparisons with `<`, `<=`, `>` and `>=`, joined by `and`, `or` and `not`. Equality is not available, because two computed quantities are hardly ever equal. An `if` inside a larger expression needs parentheses, so that its end is clear.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: (if x == 0 then 0 else -k*x)*N.x",
        fix: "Compare with `<`, `<=`, `>` or `>=`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: (if x <= 0 then 0 else -k*x)*N.x",
    }
    E0421 "an incomplete spring or damper" {
        what: "A `spring` or `damper` lacks a clause, has one twice, or has clauses that exclude each other.",
        why: "A spring has a `stiffness` or a law, `tension`; between points it may have a `length`, on a coordinate a `rest` position. A damper has only `damping`. Both act between two different points, or on something that depends on the coordinates. Between points that cannot move, from a point to itself, and on a constant they do nothing, which is a warning.",
        example: "model line\nparam m : kg > 0\nparam k, c\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspring s: from O to P, damping 2*c",
        fix: "Add the missing clause:",
        corrected: "model line\nparam m : kg > 0\nparam k, c\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspring s: from O to P, stiffness k, damping 2*c",
    }
    E0422 "an energy with an argument that is not allowed" {
        what: "A `kinetic` energy, a `potential` or a `dissipation` contains a quantity that it may not depend on.",
        why: "A potential may depend on coordinates, time, inputs and parameters; a dissipation also on the rates; a kinetic energy on coordinates, rates and time, but not on inputs, whose rates are unknown. None may contain accelerations. One that depends on nothing that moves has no effect, which is a warning.",
        example: "model line\nparam m : kg > 0\nparam c : N*s/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\npotential V = c*x*x'",
        fix: "State a force that depends on the velocity as `force`, `generalized` or `dissipation`:",
        corrected: "model line\nparam m : kg > 0\nparam c : N*s/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ndissipation D = c*x'^2/2",
    }
}
