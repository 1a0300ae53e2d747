//! Codes of motions.

use super::codes;

codes! {
    E0590 "a parameter without a value" {
        what: "A motion was asked for, but a parameter has no default in the model and no value was given.",
        why: "A motion is computed in numbers, and every parameter takes part in it.",
        fix: "Give it a default in the model, as here, or a value with `--param`.",
        corrected: "model bead\nparam m = 0.1 : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P",
    }
    E0591 "an input without a value" {
        what: "A motion was asked for, but nothing says what an input is.",
        why: "An input acts at every moment. It is an expression in time, coordinates and speeds, or a table of times and values.",
        fix: "Say what it is with `--input`: `--input 'F = 3*sin(2*t)'`, `--input 'F = -k*x'`, `--input F=force.csv`, or `--input 'F = 0'`.",
    }
    E0592 "a function without an expression" {
        what: "A motion was asked for, but nothing says what a `function` of the model is.",
        why: "Whoever calls the generated code supplies it. A motion needs it as an expression in the function's arguments, from which its derivatives follow.",
        fix: "Say what it is with `--function`: `--function 'h = 0.1*sin(x)'`.",
    }
    E0593 "a drawing that cannot be drawn" {
        what: "A `drawing` has too many or too few sizes or points, or a colour that is not known.",
        why: "A box has three lengths, a cylinder a radius and a height, a sphere a radius; a line goes through two points or more. The colours are a dozen names.",
        example: "model bead\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ndrawing bead: box [0.1 [m], 0.1 [m]] at P in N, color oragne",
        fix: "Give each size, and a colour of the list:",
        corrected: "model bead\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ndrawing bead: box [0.1 [m], 0.1 [m], 0.1 [m]] at P in N, color orange",
    }
}
