//! E02xx: units.

super::codes! {
    E0201 "two quantities with different units" {
        what: "Quantities that are added, compared, equated or passed for one another have different units.",
        why: "Units are checked in every expression. Plain numbers and angles are dimensionless, 0 fits any unit; a unit that is not declared is inferred from the equations, and the message shows where.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x + 1",
        fix: "Correct the expression, or give the number its unit:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x + 1 [m]",
    }
    E0202 "a quantity whose unit does not fit its role" {
        what: "A force is not in N, a torque not in N*m, gravity not in m/s^2, a mass not in kg, a moment of inertia not in kg*m^2, a position not in m, or a generalized force times the rate of its coordinate is not a power.",
        why: "The role of a quantity determines its unit. In a model that names no units, none of this is checked.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: -9.81*N.z",
        fix: "Correct the expression, or give the number its unit:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z",
    }
    E0203 "an argument that is not dimensionless" {
        what: "The argument of a function such as `sin` or `exp`, an angle or a direction cosine has a unit.",
        why: "These are functions of pure numbers; angles count as pure numbers.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = sin(x)",
        fix: "Divide by a reference quantity:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam l : m\noutput s = sin(x/l)",
    }
    E0204 "an exponent that conflicts with units" {
        what: "An exponent has a unit, or a quantity with a unit is raised to a power that is not a number.",
        why: "The unit of such a power would depend on values that are known only when the model runs.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam n : 1\noutput s = x^n",
        fix: "Divide by a reference quantity first:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam n : 1\noutput s = (x/(1 [m]))^n",
    }
    E0205 "an unknown unit" {
        what: "A unit name is unknown, or a fractional power of a unit is not an exact multiple of an SI unit.",
        why: "Units are those of SI with their prefixes, and `g`, `min`, `h`, `bar`, `deg`, `rev`, `rpm`. A product is written with `*`.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam T : Nm",
        fix: "Write the unit that you meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam T : N*m",
    }
    E0206 "a declaration in a unit that is not coherent SI" {
        what: "A declaration states a unit such as `mm` or `deg` after the `:`.",
        why: "Quantities in the generated code are in SI units, so that no conversion factor is hidden. Numbers in a model may have any unit and are converted exactly.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam r = 5 : mm",
        fix: "Declare the SI unit and put the other unit on the number:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam r = 5 [mm] : m",
    }
}
