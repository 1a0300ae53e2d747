//! The table of options of a derivation: the one list behind the command line, the attribute, the builder of build scripts and the
//! header of generated files.

use super::METHODS;
use super::choices::{Form, Inverse, Math, Plan, Prefer, Route, Scalar};

/// What the value of an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// The name of a formulation.
    Method,
    /// One of these words; the other is the default.
    Word(&'static [&'static str], &'static str),
    /// Nothing, or `true` and `false`.
    Flag,
    /// Names of rates or speeds.
    Rates,
    /// Names of quantities.
    Quantities,
    /// Names of functions of the module.
    Functions,
    /// Derivatives: `accelerations:q,v`.
    Derivatives,
    /// Constants with their values.
    Constants,
    /// Parameters with their values.
    Parameters,
}

/// What an option is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The model itself.
    Model,
    /// The formulation.
    Method,
    /// The equations.
    Equations,
    /// The code that is written.
    Code,
}

/// An option of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeriveOption {
    /// Its name: `--plan`, `plan = ...`, `.plan(...)`.
    pub name: &'static str,
    /// What it is about.
    pub about: About,
    /// What its value is.
    pub takes: Takes,
    /// One line of help.
    pub help: &'static str,
    /// How one writes it in the attribute.
    pub example: &'static str,
}

impl DeriveOption {
    /// The words that it takes, if only some are known.
    pub fn words(&self) -> Option<Vec<&'static str>> {
        match self.takes {
            Takes::Method => Some(METHODS.iter().map(|method| method.name).collect()),
            Takes::Word(words, _) => Some(words.to_vec()),
            _ => None,
        }
    }

    /// Whether it may be given several times.
    pub fn repeats(&self) -> bool {
        !matches!(self.takes, Takes::Method | Takes::Word(..) | Takes::Flag)
    }
}

/// All options, in the order in which they are listed.
pub const OPTIONS: &[DeriveOption] = &[
    DeriveOption {
        name: "method",
        about: About::Method,
        takes: Takes::Method,
        help: "Formulation; chosen automatically by default",
        example: "method = \"kane\"",
    },
    DeriveOption {
        name: "form",
        about: About::Equations,
        takes: Takes::Word(Form::WORDS, "auto"),
        help: "Equations written out in full (closed), as a sequence of definitions (staged), or chosen by size",
        example: "form = \"closed\"",
    },
    DeriveOption {
        name: "dependent",
        about: About::Equations,
        takes: Takes::Rates,
        help: "Rate or speed to eliminate, such as \"x'\"; may be repeated",
        example: "dependent = [\"x'\", \"u3\"]",
    },
    DeriveOption {
        name: "set",
        about: About::Model,
        takes: Takes::Constants,
        help: "Value that replaces the one of a `const` in the model; may be repeated",
        example: "set(n = 20, left.n = 2)",
    },
    DeriveOption {
        name: "fix",
        about: About::Model,
        takes: Takes::Parameters,
        help: "Parameter to replace by a number, such as g=9.81, or all to use the model's defaults; may be repeated",
        example: "fix(g = 9.81, left.m = 2)",
    },
    DeriveOption {
        name: "inverse",
        about: About::Equations,
        takes: Takes::Word(Inverse::WORDS, "one"),
        help: "Generalized inverse of udwadia-kalaba; the accelerations do not depend on it",
        example: "inverse = \"one\"",
    },
    DeriveOption {
        name: "route",
        about: About::Equations,
        takes: Takes::Word(Route::WORDS, "I"),
        help: "Derivation used by jourdain: Wang and Pao's method I, II or III",
        example: "route = \"II\"",
    },
    DeriveOption {
        name: "plan",
        about: About::Equations,
        takes: Takes::Word(Plan::WORDS, "auto"),
        help: "System to eliminate for the accelerations: in the independent speeds (reduced), with multipliers (bordered), or of all bodies (newton-euler)",
        example: "plan = \"reduced\"",
    },
    DeriveOption {
        name: "prefer",
        about: About::Equations,
        takes: Takes::Word(Prefer::WORDS, "time"),
        help: "Criterion for the choice of plan: least estimated time, or fewest operations",
        example: "prefer = \"operations\"",
    },
    DeriveOption {
        name: "output",
        about: About::Equations,
        takes: Takes::Quantities,
        help: "Quantity to add to the module, see `eomgen methods`, or standard for all that need no further derivation; may be repeated, or separated by commas",
        example: "output = [\"tangent_projector\", \"gibbs_function\"]",
    },
    DeriveOption {
        name: "only",
        about: About::Equations,
        takes: Takes::Functions,
        help: "Function to keep of those that a module has by default, the model's own outputs among them; may be repeated, or separated by commas",
        example: "only = [\"accelerations\", \"derivative\"]",
    },
    DeriveOption {
        name: "jacobian",
        about: About::Equations,
        takes: Takes::Derivatives,
        help: "Derivatives of an output to add, such as accelerations:q,v; groups are q, v, inputs, params, t, or single names",
        example: "jacobian = [\"accelerations:q,v\", \"rates:q\"]",
    },
    DeriveOption {
        name: "math",
        about: About::Code,
        takes: Takes::Word(Math::WORDS, "auto"),
        help: "Source of sines, square roots and the like in the generated code",
        example: "math = \"libm\"",
    },
    DeriveOption {
        name: "fma",
        about: About::Code,
        takes: Takes::Flag,
        help: "Write a*b + c as mul_add, with one rounding; for processors with fused multiply-add",
        example: "fma = true",
    },
    DeriveOption {
        name: "scalar",
        about: About::Code,
        takes: Takes::Word(Scalar::WORDS, "f64"),
        help: "Number type of the generated code",
        example: "scalar = \"f32\"",
    },
    DeriveOption {
        name: "batch",
        about: About::Code,
        takes: Takes::Flag,
        help: "Add functions that evaluate many states at once, in columns, with vector instructions",
        example: "batch = true",
    },
];

/// The option of that name.
pub fn find(name: &str) -> Option<&'static DeriveOption> {
    OPTIONS.iter().find(|option| option.name == name)
}
