//! E00xx: reading the text.

super::codes! {
    E0001 "no `model` statement" {
        what: "The file does not say which model it describes.",
        why: "The name becomes the name of the generated module and appears in its documentation.",
        example: "param m : kg > 0",
        fix: "Begin the file with `model` and a name:",
        corrected: "model pendulum\nparam m : kg > 0",
    }
    E0002 "more than one `model` statement" {
        what: "The file has a second `model` statement.",
        why: "One file describes one model; two names would leave open what the generated module is called.",
        example: "model pendulum\nmodel cart",
        fix: "Keep one of them and move the other model to a file of its own:",
        corrected: "model pendulum",
    }
    E0003 "unknown statement" {
        what: "A line begins with a word that no statement begins with.",
        why: "Every statement begins with a keyword such as `param`, `coord`, `let` or `constraint`; a line that continues the one above must follow an operator or a comma, or be inside brackets.",
        example: "model pendulum\nparm m : kg > 0",
        fix: "Write one of the keywords, or end the line above with the operator:",
        corrected: "model pendulum\nparam m : kg > 0",
    }
    E0004 "unexpected text" {
        what: "The statement cannot continue with the text at this position.",
        why: "Each kind of statement has a fixed shape; the help line shows an example of it.",
        example: "model pendulum\nparam m kg",
        fix: "Compare the line with the example in the message:",
        corrected: "model pendulum\nparam m : kg",
    }
    E0005 "a bracket is not closed" {
        what: "A `(` or `[` is not closed before the statement ends.",
        why: "A statement continues over line ends as long as a bracket is open, until a line begins a new statement.",
        example: "model pendulum\nparam a\nlet r = 2*(a + 1",
        fix: "Close the bracket, or remove it:",
        corrected: "model pendulum\nparam a\nlet r = 2*(a + 1)",
    }
    E0006 "a character that the language does not use" {
        what: "The text contains a character that is not part of the language, such as `;`, `#`, a typographic minus or a quotation mark.",
        why: "It often comes from a word processor or from another language.",
        example: "model pendulum\nparam a, b\nlet r = a − b",
        fix: "Use the plain character named in the message:",
        corrected: "model pendulum\nparam a, b\nlet r = a - b",
    }
    E0007 "not a number" {
        what: "Digits are followed by something that does not belong to a number, or the number is too long or too large.",
        why: "Numbers are written `1`, `1.5`, `.5`, `1e-3` or `2.5e3`, with at most 100 characters and an exponent of at most 400; a product always has its `*`.",
        example: "model pendulum\nparam x\nlet r = 2x + 1.",
        fix: "Write the product with `*`, and a digit after the point:",
        corrected: "model pendulum\nparam x\nlet r = 2*x + 1.0",
    }
    E0008 "an expression is nested too deeply" {
        what: "An expression has more than 256 levels: brackets in brackets, or a sum or product of very many terms.",
        why: "Such an expression would be unreadable in the generated code too, and the limit keeps every later stage safe.",
        fix: "Give parts of it names with `let` and combine the names.",
        corrected: "model sums\nparam a, b, c, d\nlet first = a + b\nlet second = c + d\nlet whole = first + second",
    }
    E0010 "the file is too large" {
        what: "The file has more than 2 MiB (2097152 bytes).",
        why: "No model comes near this size; the limit keeps a wrong file from exhausting the memory.",
        fix: "Check that this is the file you meant.",
        corrected: "model pendulum",
    }
    E0011 "further messages are not shown" {
        what: "There are more messages than are useful at once.",
        why: "Most of them usually disappear with the first ones.",
        fix: "Fix the errors shown and run again.",
        corrected: "model pendulum",
    }
    E0012 "not a unit" {
        what: "A unit is not a product of powers of unit names.",
        why: "Units appear after `:` and in square brackets directly after a number, and have their own name space: `kg*m^2/s^2`, `1/s`, `m^(1/2)`, `1`.",
        example: "model pendulum\nparam c : 2*N",
        fix: "Write names with `*`, `/` and constant powers, and no other numbers:",
        corrected: "model pendulum\nparam c : N",
    }
    E0013 "`=` and `==` confused" {
        what: "`=` is used where `==` is meant, or vice versa.",
        why: "`=` gives a name its value or states a constraint; `==` compares, in `assume`.",
        example: "model pendulum\ncoord x, y\nconstraint c: x == y",
        fix: "Constraints and definitions have one `=`, assumptions two:",
        corrected: "model pendulum\ncoord x, y\nconstraint c: x = y",
    }
    E0014 "a reserved word used as a name" {
        what: "`if`, `then`, `else`, `and`, `or` and `not` cannot be names.",
        why: "They are reserved for conditional expressions. All other keywords may be used as names.",
        example: "model pendulum\nparam then",
        fix: "Choose another name:",
        corrected: "model pendulum\nparam after",
    }
    E0015 "a doc comment that documents nothing" {
        what: "A `///` comment has no statement after it or on its line, or a `//!` comment is not at the top of the file.",
        why: "Doc comments reach the generated code; this one would be lost.",
        example: "model pendulum\n/// the end",
        fix: "Move it to what it describes, or make it a plain comment with `//`:",
        corrected: "model pendulum\n// the end",
    }
    E0016 "a name is too long" {
        what: "A name has more than 200 bytes.",
        why: "Names appear in the generated code unchanged, where nobody could read this one.",
        fix: "Choose a shorter name and describe it in a `///` comment.",
        corrected: "model pendulum\nparam m /// the mass of the bob with its cap",
    }
}
