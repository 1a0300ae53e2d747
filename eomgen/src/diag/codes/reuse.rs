//! E04xx: counted names, blocks and parts.

super::codes! {
    E0400 "an element that does not exist" {
        what: "A family of names has no element with this index.",
        why: "Every element is declared: by `theta[1..n]`, by a statement in a `for`, or individually. If the index is just out of range, often the base case is missing, such as the point `P[0]` at the start of a chain.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[3]*N.x + x[1]*N.y + x[2]*N.z\nparticle A: mass m at P",
        fix: "Use an index that is declared, or declare the element:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[1]*N.x + x[2]*N.y\nparticle A: mass m at P",
    }
    E0401 "an index on a name without elements" {
        what: "A name that was declared without an index is used with one.",
        why: "Only a name that is declared with indices has elements.",
        example: "model chain\nparam m : kg > 0\ncoord x : m\npoint P = O + x[1]*N.x\nparticle A: mass m at P",
        fix: "Remove the index, or declare a family:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..1] : m\npoint P = O + x[1]*N.x\nparticle A: mass m at P",
    }
    E0402 "an index is missing" {
        what: "A family of names is used as a whole, or with too few indices.",
        why: "Only its elements have values.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x*N.x\nparticle A: mass m at P",
        fix: "Say which element you mean:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[1]*N.x + x[2]*N.y\nparticle A: mass m at P",
    }
    E0403 "not a known integer" {
        what: "An index, the end of a range or the value of a `const` is not an integer, depends on something that is known only later, or is too large or negative.",
        why: "Families and loops are expanded before anything else happens, so their counts consist of numbers, `const`s and loop variables, with `+ - * / ^`.",
        example: "model chain\nparam m : kg > 0\nparam k\ncoord x[1..2] : m\npoint P = O + x[k]*N.x + x[1]*N.y + x[2]*N.z\nparticle A: mass m at P",
        fix: "Count with a `const`:",
        corrected: "model chain\nconst k = 1\nparam m : kg > 0\ncoord x[1..2] : m\npoint P = O + x[k]*N.x + x[2]*N.y\nparticle A: mass m at P",
    }
    E0404 "an element is declared twice" {
        what: "The same element of a family is declared more than once, or its name is declared both with and without indices.",
        why: "In a loop this happens if the index does not contain the loop variable.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[1] = O + x[i]*N.x\n}\nparticle A: mass m at P[1]",
        fix: "Declare each element once:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0405 "a counter with a name that is taken" {
        what: "A `const` or the variable of a loop or sum has the name of something else.",
        why: "Counters are replaced by their values wherever their name appears; the other meaning of the name would be lost silently.",
        example: "model chain\nparam m : kg > 0\nparam i : kg\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
        fix: "Choose another name:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0406 "a block is not closed, not opened, or too deep" {
        what: "A `{` has no `}`, a `}` no `{`, or more than 16 blocks are nested.",
        why: "The statements of a loop are enclosed in `for i in 1..n {` and `}`.",
        example: "model chain\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x",
        fix: "Close the block on a line of its own:",
        corrected: "model chain\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\n}",
    }
    E0407 "a model that is too large" {
        what: "With loops, families, sums and parts expanded, the model has more than 10 000 statements, or more than 400 000 nodes in its expressions, or a sum has more than 1000 terms; or a value has more than 20 000 nodes, or a power above 1000, once the names in it are written out.",
        why: "The equations of such a model could not be derived in reasonable time, and usually a count is wrong.",
        example: "model chain\ncoord x[1..1000000000] : m",
        fix: "Use a smaller count:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..10] : m\nlet s = sum(i in 1..10, x[i])\npoint P = O + s*N.x\nparticle A: mass m at P",
    }
    E0408 "a constant that cannot be set" {
        what: "A constant set from outside (`--set n=20`) is not declared by a `const`, or its value is not an integer.",
        why: "Only the `const`s of a model are chosen before the derivation; parameters get their values when the generated code runs.",
        fix: "Set one of the constants that the model declares, to an integer.",
        corrected: "model chain\nconst n = 3\nparam m : kg > 0\ncoord x[1..n] : m\nfor i in 1..n {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0409 "a statement in the wrong place" {
        what: "A statement about a whole file appears in a loop (`model`, `part`, `const`, `needs`), a statement about the whole mechanism in a part (`gravity`), or `needs` in a model.",
        why: "A part may be used several times in one mechanism, which has one gravity; and a model has no surroundings from which it could need something.",
        example: "model chain\nparam m : kg > 0\ncoord x : m\nneeds point P\nparticle A: mass m at P",
        fix: "Move the statement to where it applies to everything:",
        corrected: "model chain\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P",
    }
    E0410 "the file of a part cannot be read" {
        what: "The file that a `use` names does not exist, cannot be read, lies outside of the folders that the model may read from, or is no model text.",
        why: "Paths are relative to the folder of the file that contains the `use`; for a text from standard input, to the current folder. Paths that begin with `std/` are those of the library of parts. Other parts lie in the folder of the model or below it, links resolved; for an attribute or a build script, anywhere in the package; and in folders that `--include DIR` names.",
        example: "model robot\nparam m : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nuse \"no/such/leg.eom\" as left(hip = P)",
        fix: "Correct the path, create the file, or name its folder with `--include`.",
    }
    E0411 "parts use each other in a circle, or too deeply" {
        what: "A part uses itself, directly or through others, or more than 16 parts are nested.",
        why: "Such a mechanism would have infinitely many parts.",
        fix: "Remove one of the `use` statements.",
    }
    E0412 "the file named by `use` is not a part" {
        what: "A `use` names the file of a complete model.",
        why: "A part begins with `part NAME` and states with `needs` what it is attached to.",
        fix: "Begin the file with `part` instead of `model`, remove `gravity`, and state with `needs` what comes from outside.",
    }
    E0413 "a wrong argument for a part" {
        what: "An argument of a `use` has a name that the part does not have, is given twice, or is not of the kind that the part needs.",
        why: "A `use` supplies what the part states with `needs`, and may set its parameters and constants and the initial values of its coordinates.",
        fix: "Give one of the arguments that the message lists.",
    }
    E0414 "a part lacks an argument" {
        what: "A `use` does not supply something that the part states with `needs`.",
        why: "A part knows nothing about its surroundings, so everything from outside must be passed to it.",
        fix: "Add the argument, as in `use \"leg.eom\" as left(hip = P)`.",
    }
    E0415 "a part uses a name of the surrounding model" {
        what: "A part contains a name that is declared only outside it.",
        why: "A part may be used in any model, so it can use only its own names, and `N`, `O`, `t` and `pi`.",
        fix: "State with `needs` what comes from outside, and pass it in the `use`.",
    }
    E0416 "a range in a statement that declares one element" {
        what: "A range such as `[1..n]` follows a name whose statement declares a single element.",
        why: "Only `param`, `coord`, `input`, `function` and `needs` can declare a whole family at once; the other declarations differ from element to element.",
        example: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\npoint P[1..2] = O + x[1]*N.x + x[2]*N.y\nparticle A: mass m at P[1]",
        fix: "Write a loop:",
        corrected: "model chain\nparam m : kg > 0\ncoord x[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}",
    }
    E0417 "a list of values has the wrong length" {
        what: "The number of values in brackets is not the number of elements of the family.",
        why: "Each element gets the value at its position in the list.",
        example: "model chain\nparam m[1..3] = [1, 2] : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m[1] + m[2] + m[3] at P",
        fix: "Give one value per element, or a single one without brackets for all:",
        corrected: "model chain\nparam m[1..3] = [1, 2, 2] : kg > 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m[1] + m[2] + m[3] at P",
    }
    E0418 "a part on its own" {
        what: "The file describes a part, not a complete model.",
        why: "Equations of motion belong to a complete mechanism; a part is attached to something that only the surrounding model knows.",
        example: "part leg\nneeds point hip\nparam m : kg > 0\nparticle A: mass m at hip",
        fix: "Use it in a model, as in `use \"leg.eom\" as left(hip = P)`, and check that model.",
    }
}
