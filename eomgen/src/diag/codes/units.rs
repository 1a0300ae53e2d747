//! E02xx: units.

super::codes! {
    E0201 "two quantities with different units" {
        what: "Quantities that are added, compared, equated or given for each other have different units.",
        why: "Units are followed through every expression. Plain numbers are dimensionless, 0 fits any unit, angles are dimensionless; a unit that is not declared is worked out from the equations, and the message shows where.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x + 1",
        fix: "Correct the expression, or give the number its unit:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x + 1 [m]",
    }
    E0202 "a quantity in the wrong unit for what it is" {
        what: "A force is not in N, a torque not in N*m, gravity not in m/s^2, a mass not in kg, a moment of inertia not in kg*m^2, a place not in m, or a generalized force times the rate of its coordinate is not a power.",
        why: "What a quantity is for settles its unit. In a model that names no units nothing of this is checked.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: -9.81*N.z",
        fix: "Correct the expression, or give the number its unit:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z",
    }
    E0203 "an argument that is not dimensionless" {
        what: "The argument of a function such as `sin` or `exp`, an angle or a direction cosine has a unit.",
        why: "These are functions of numbers; angles count as numbers.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = sin(x)",
        fix: "Divide by a reference quantity:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam l : m\noutput s = sin(x/l)",
    }
    E0204 "an exponent that does not go with units" {
        what: "An exponent has a unit, or a quantity with a unit is raised to a power that is not a number.",
        why: "The unit of such a power would depend on values that are known only when the model runs.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam n : 1\noutput s = x^n",
        fix: "Divide by a reference quantity first:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam n : 1\noutput s = (x/(1 [m]))^n",
    }
    E0205 "a unit that does not exist" {
        what: "A unit name is not known, or a fractional power of a unit has no exact size in SI.",
        why: "Units are those of SI with their prefixes, and `g`, `min`, `h`, `bar`, `deg`, `rev`, `rpm`. A product is written with `*`.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam T : Nm",
        fix: "Write the unit that was meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam T : N*m",
    }
    E0206 "a quantity declared in a unit that is not of SI size" {
        what: "A declaration states a unit such as `mm` or `deg` after the `:`.",
        why: "Quantities are in SI units in the generated code, so that no factor is hidden anywhere. Numbers in a model may carry any unit and are converted exactly.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam r = 5 : mm",
        fix: "Declare the SI unit and put the other on the number:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam r = 5 [mm] : m",
    }
}
