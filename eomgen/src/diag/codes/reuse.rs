//! E04xx: counted names, blocks and parts.

super::codes! {
    E0400 "no such element" {
        what: "A family of names has no element with this index.",
        why: "Every element is declared: by `theta[1..n]`, by a statement in a `for`, or alone. An index just outside is most often a base case that is missing, such as the point `P[0]` from which a chain starts.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[3]*N.x + x[1]*N.y + x[2]*N.z\nparticle A: mass m at P",
        fix: "Use an index that is declared, or declare the element:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[1]*N.x + x[2]*N.y\nparticle A: mass m at P",
    }
    E0401 "a name without elements is counted" {
        what: "An index stands behind a name that is declared without one.",
        why: "Only a name that is declared with indices has elements.",
        example: "model chain\nparam m : kg > 0\ncoord x : m\npoint P = O + x[1]*N.x\nparticle A: mass m at P",
        fix: "Take the index away, or declare a family:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..1] : m\npoint P = O + x[1]*N.x\nparticle A: mass m at P",
    }
    E0402 "an index is missing" {
        what: "A family of names is mentioned as a whole, or with too few indices.",
        why: "Only its elements stand for something.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x*N.x\nparticle A: mass m at P",
        fix: "Say which element is meant:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[1]*N.x + x[2]*N.y\nparticle A: mass m at P",
    }
    E0403 "not a whole number that is known beforehand" {
        what: "An index, the end of a range or the value of a `const` is not a whole number, depends on something that is known only later, or is too large or negative.",
        why: "Families and loops are written out before anything else happens, so their counts are made of numbers, `const`s and the variables of loops, with `+ - * / ^`.",
        example: "model chain\nparam m : kg > 0\nparam k\ncoord x[1..2] : m\npoint P = O + x[k]*N.x + x[1]*N.y + x[2]*N.z\nparticle A: mass m at P",
        fix: "Count with a `const`:",
        corrected: "model chain\nconst k = 1\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[k]*N.x + x[2]*N.y\nparticle A: mass m at P",
    }
    E0404 "an element is declared twice" {
        what: "The same element of a family is declared more than once, or its name is declared both with and without indices.",
        why: "In a loop this happens when the index does not contain the loop's variable.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[1] = O + x[i]*N.x\n}\nparticle A: mass m at P[1]",
        fix: "Declare each element once:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0405 "the name of a counter is taken" {
        what: "A `const` or the variable of a loop or sum has the name of something else.",
        why: "Counters are replaced by their values wherever their name stands; a name that also means something else would be lost without a word.",
        example: "model chain\nparam m : kg > 0\nparam i : kg\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
        fix: "Choose another name:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0406 "a block is not closed, not opened, or too deep" {
        what: "A `{` has no `}`, a `}` no `{`, or more than 16 blocks stand inside each other.",
        why: "The statements of a loop stand between `for i in 1..n {` and a `}`.",
        example: "model chain\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x",
        fix: "Close the block on a line of its own:",
        corrected: "model chain\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\n}",
    }
    E0407 "the model becomes too large" {
        what: "Written out, the loops, families, sums and parts of the model are more than 10 000 statements, or more than 400 000 pieces of expressions, or a sum has more than 1000 terms.",
        why: "The equations of such a model could not be derived in any reasonable time, and most often a count is wrong.",
        example: "model chain\ncoord x[1..1000000000] : m",
        fix: "Use a smaller count:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..10] : m\nlet s = sum(i in 1..10, x[i])\npoint P = O + s*N.x\nparticle A: mass m at P",
    }
    E0408 "a constant cannot be set" {
        what: "A constant that is set from outside (`--set n=20`) is not declared by a `const`, or its value is not a whole number.",
        why: "Only what a model declares by `const` is chosen before the derivation; parameters get their values when the generated code runs.",
        example: "",
        fix: "Set one of the constants that the model declares, to a whole number.",
        corrected: "model chain\nconst n = 3\nparam m : kg > 0\ncoord x[1..n] : m\nfor i in 1..n {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0409 "a statement in the wrong place" {
        what: "A statement that is about a whole file stands in a loop, or one that is about the whole machine in a part: `model`, `part`, `const` and `needs` in a loop, `gravity` in a part, `needs` in a model.",
        why: "A part may be used several times in one machine, which has one gravity; and a model has nothing around it from which to need something.",
        example: "model chain\nparam m : kg > 0\ncoord x : m\nneeds point P\nparticle A: mass m at P",
        fix: "Move the statement to where it holds for everything:",
        corrected: "model chain\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P",
    }
    E0410 "a part's file cannot be read" {
        what: "The file that a `use` names does not exist or cannot be read.",
        why: "Paths are relative to the folder of the file in which the `use` stands; of a text from standard input, to the current folder.",
        example: "model robot\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nuse \"no/such/leg.eom\" as left(hip = P)",
        fix: "Correct the path, or put the file there.",
        corrected: "",
    }
    E0411 "parts use each other in a circle, or too deeply" {
        what: "A part uses itself, directly or through others, or more than 16 parts stand inside each other.",
        why: "Such a machine would have infinitely many parts.",
        example: "",
        fix: "Take one of the `use` statements away.",
        corrected: "",
    }
    E0412 "the file that is used is no part" {
        what: "A `use` names the file of a whole model.",
        why: "A part begins with `part NAME` and states by `needs` what it is fastened to.",
        example: "",
        fix: "Begin the file with `part` in place of `model`, take `gravity` out, and state by `needs` what comes from outside.",
        corrected: "",
    }
    E0413 "a wrong argument for a part" {
        what: "An argument of a `use` has a name that the part does not offer, is given twice, or is not of the kind that the part needs.",
        why: "A `use` gives what the part states by `needs`, and may give values to its parameters and constants and initial values to its coordinates.",
        example: "",
        fix: "Give what the message lists.",
        corrected: "",
    }
    E0414 "a part lacks what it needs" {
        what: "A `use` does not give something that the part states by `needs`.",
        why: "A part knows nothing of what is outside, so it must be told.",
        example: "",
        fix: "Add the argument, as in `use \"leg.eom\" as left(hip = P)`.",
        corrected: "",
    }
    E0415 "a part mentions a name of the model around it" {
        what: "In a part there is a name that is declared only outside of it.",
        why: "A part may be used in any model, so it sees its own names alone, and `N`, `O`, `t` and `pi`.",
        example: "",
        fix: "State by `needs` what comes from outside and give it in the `use`.",
        corrected: "",
    }
    E0416 "a range where one element is declared" {
        what: "A range such as `[1..n]` stands behind a name whose statement declares one thing.",
        why: "Only `param`, `coord`, `input`, `function` and `needs` may declare a whole family at once; what else there is differs from element to element.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P[1..2] = O + x[1]*N.x + x[2]*N.y\nparticle A: mass m at P[1]",
        fix: "Write a loop:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0417 "a list of values has the wrong length" {
        what: "The values in brackets are not as many as the elements of the family.",
        why: "Each element gets the value at its place in the list.",
        example: "model chain\nparam m[1..3] = [1, 2] : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m[1] + m[2] + m[3] at P",
        fix: "Give one value for each, or one without brackets for all:",
        corrected: "model chain\nparam m[1..3] = [1, 2, 2] : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m[1] + m[2] + m[3] at P",
    }
    E0418 "a part by itself" {
        what: "The file describes a part, not a whole model.",
        why: "Equations of motion are those of a whole machine; a part is fastened to something that only the model around it knows.",
        example: "part leg\nneeds point hip\nparam m : kg > 0\nparticle A: mass m at hip",
        fix: "Use it in a model, as in `use \"leg.eom\" as left(hip = P)`, and check that.",
        corrected: "",
    }
}
