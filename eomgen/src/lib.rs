//! eomgen: equations of motion from a model text, as Rust.
//!
//! In a build script, a [`Builder`] writes the module; in place of one stands the attribute of the crate `eomgen-macros`. A program calls
//! [`derive()`], [`check`], [`eval`] or an [`evaluator`], [`verify_source`], [`document`], [`exposition()`] and [`difference`], each with
//! [`options`]; what is wrong with a model comes back as [`diagnostics`]. The feature `testing` adds snapshots of equations.
//!
//! Everything else is private. See `docs/architecture.md` for the way through the modules.

// Errors are values, and results depend on nothing but the model: see `clippy.toml` for the reasons one by one.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::dbg_macro,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

#[cfg_attr(
    not(feature = "cli"),
    allow(
        dead_code,
        unused_imports,
        reason = "the command line reads arguments, too"
    )
)]
mod attribute;
#[allow(
    dead_code,
    reason = "the engine's stages keep what cannot happen, and may not be there"
)]
mod bug;
#[cfg_attr(
    not(feature = "derive"),
    allow(
        dead_code,
        unused_imports,
        reason = "the engine finds quantities by name"
    )
)]
mod catalogue;
mod diag;
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "models and generated files are read here"
    )
)]
mod files;
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "names the functions of doubles, which the interpreter calls; folding is exact"
    )
)]
mod function;
#[cfg_attr(
    not(feature = "cli"),
    allow(
        dead_code,
        unused_imports,
        reason = "the command line looks at files by their first line"
    )
)]
mod header;
#[cfg_attr(
    not(feature = "derive"),
    allow(
        dead_code,
        unused_imports,
        reason = "a model is read as a whole where it is derived"
    )
)]
mod input;
mod library;
#[cfg_attr(
    not(feature = "derive"),
    allow(
        dead_code,
        unused_imports,
        reason = "the engine reads what the front end has resolved"
    )
)]
mod model;
mod request;
mod span;
mod syntax;
mod visible;

pub use input::{
    Derived, Failure, MethodInfo, PartText, QuantityEntry, QuantityInfo, QuantityPlace, Source,
    methods, quantities,
};

/// The one gate: its items are there if the condition holds. `rustfmt` looks into a macro of this name and form, and into no other.
macro_rules! cfg_if {
    (if #[cfg($condition:meta)] { $($item:item)* }) => {
        $(#[cfg($condition)] $item)*
    };
}

// All that needs the algebra engine, or what comes of it.
cfg_if! {
    if #[cfg(feature = "derive")] {
    mod assemble;
    mod builder;
    mod elim;
    mod emit;
    mod explain;
    mod facts;
    mod field;
    mod form;
    mod identify;
    #[cfg_attr(
        not(test),
        expect(
            clippy::disallowed_methods,
            clippy::disallowed_types,
            reason = "the session, the cache, and files that are written or locked"
        )
    )]
#[cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "child processes and git are for the command line")
)]
    mod host;
    #[cfg_attr(
        not(feature = "cli"),
        allow(dead_code, unused_imports, reason = "motions are for the command line")
    )]
    mod ir;
    mod lower;
    #[cfg_attr(
        not(feature = "cli"),
        allow(dead_code, unused_imports, reason = "motions are for the command line")
    )]
    mod machine;
    mod manifold;
    mod mech;
    mod notation;
    #[cfg_attr(
        not(feature = "cli"),
        allow(dead_code, unused_imports, reason = "motions are for the command line")
    )]
    mod pipeline;
    mod plan;
    mod program;
    mod show;
    mod solve;
    mod stage;
    mod survey;
    mod sym;
    mod textbook;
    mod verify;

    #[cfg(feature = "testing")]
    pub mod testing;

    pub use builder::{BuildError, Builder};
    pub use pipeline::{
        Certificate, Change, CheckReport, Deviation, Difference, Extent, Fate, Likeness, Mark, Motion, Origin, Refusal, Standing, EvalInput, EvalOutput, EvalState, Evaluator,
        FunctionResult, ModuleDifference, Numbers, Outcome, Rates, Side, StartChange, StartReport, Term, TextReport, check,
        check_source, derive, derive_source, difference, document, eval, eval_source, evaluator,
        evaluator_source, exposition, module_difference, verify_source,
    };

    /// Stages of a derivation, which tests take one by one; [`internals`](crate::internals) shows them.
    #[doc(hidden)]
    #[allow(missing_docs)]
    pub mod stages {
        #[cfg(feature = "cli")]
        pub use crate::cli::main;


        pub mod emit {
            pub use crate::emit::{
                Block, Condition, Constant, EmittedFunction, ExtraArgument, Field, IndexEnum, Math,
                Module, Shape, UserFunction, emit,
            };
            pub mod names {
                pub use crate::emit::names::{identifier, snake};
            }
        }
        pub mod host {
            pub use crate::host::with_session;
            pub mod cache {
                pub use crate::host::cache::{Cache, Key, Limits};
            }
            pub mod lock {
                pub use crate::host::lock::{Patience, UserLock, name, path_from_env};
            }
            pub mod queue {
                pub use crate::host::queue::Turn;
            }
        }
        pub mod pipeline {
            pub use crate::pipeline::{Agreement, Claim, Verdict, compare, entries, mutate_source};
            pub mod exposition {
                pub use crate::pipeline::exposition::Exposition;
            }
        }
        pub mod elim {
            pub use crate::elim::{Matrix, determinant, echelon, identity, solve};
        }
        pub mod explain {
            pub use crate::explain::names;
        }
        pub mod ir {
            pub use crate::ir::{
                Binary, Check, Comparison, ExternFunction, Function, Graph, Group, Interface, Op,
                Options, Part, Prepared, Prints, Program, Rational, RoutineKind, Slot, Unary,
                Value, optimise, optimise_with, schedule, verify,
            };
            pub mod field {
                pub use crate::ir::field::{Points, evaluate};
            }
            pub mod interpret {
                pub use crate::ir::interpret::{Evaluator, Failure, Host, Jet};
            }
        }
        pub mod lower {
            pub use crate::lower::Lowering;
        }
        pub mod notation {
            pub use crate::notation::{Line, Math, Namer, Names, layout, text};
        }
        pub mod show {
            pub use crate::show::WIDTH;
        }
        pub mod solve {
            pub use crate::solve::{
                Candidate, EliminationContext, Ordering, Plan, Presumed, SolveError, SymmetricSystem,
                Unknown, UnknownKind, Variant, Verdict, best, best_of, eliminate, residual,
            };
            pub mod inertia {
                pub use crate::solve::inertia::{
                    Arithmetic, Inertia, Joint, Share, Tensor, Vector, difference, seen_from,
                    unfelt,
                };
            }
        }
        pub mod sym {
            pub use crate::sym::{Algebra, Class, Expr, Kernel, Var};
        }
        pub mod verify {
            pub mod compare {
                pub use crate::verify::compare::Verdict;
            }
            pub mod number {
                pub use crate::verify::number::{Algebra, Elementary, EvalError, Modular, Number};
            }
            pub mod proof {
                pub use crate::verify::proof::{ComparedBy, Proof, Request};
            }
            pub mod text {
                pub use crate::verify::text::{Unreadable, read};
                pub mod run {
                    pub use crate::verify::text::run::{Given, Jet, literals, outputs, run};
                }
                pub mod tree {
                    pub use crate::verify::text::tree::{Module, Step};
                }
            }
        }
    }
}
}

// What editors ask.
cfg_if! {
    if #[cfg(feature = "lsp")] {
    mod lsp;

    /// The server, for the program and for measurements.
    #[doc(hidden)]
    pub mod language_server {
        pub use crate::lsp::{Engine, grammar, run, serve, serve_with};
    }
}
}

// What reads descriptions of machines in other formats.
cfg_if! {
    if #[cfg(feature = "import")] {
    mod import;

    /// The importer, for the program and for measurements.
    #[doc(hidden)]
    pub mod importer {
        pub use crate::import::{Base, Imported, Lock, Refusal, Settings, import};
    }
}
}

// What belongs to the program.
cfg_if! {
    if #[cfg(feature = "cli")] {
    mod cli;
    mod linear;
    mod operating;
    mod picture;
    mod prepare;
    mod simulate;

    /// Motions, for tests and measurements.
    #[doc(hidden)]
    pub mod simulation {
        pub use crate::machine::{Machine, Mechanism};
        pub use crate::pipeline::{MotionRequest, machine_source};
        pub use crate::simulate::{GivenState, Kind, Settings, chosen, run};
    }
}
}

/// What can be chosen outside a model.
pub mod options {
    pub use crate::input::{
        DeriveOptions, Document, Fix, Form, Inverse, Math, Plan, Prefer, Route, Scalar, Variant,
        VerifyOptions,
    };
    #[cfg(feature = "derive")]
    pub use crate::show::Format;
}

/// What is wrong with a model, and how to show it.
pub mod diagnostics {
    #[cfg(feature = "derive")]
    pub use crate::diag::json::{sources_to_json, to_json};
    pub use crate::diag::{Diagnostic, Label, Severity, Sources, codes, render, render_sources};
    pub use crate::span::Span;
}

/// What the program, the attribute macro and the tests of this workspace reach into. This is no interface: all of it may change at any
/// time.
#[doc(hidden)]
#[allow(missing_docs)]
pub mod internals {
    #[cfg(feature = "derive")]
    pub use crate::stages::*;

    pub mod attribute {
        pub use crate::attribute::expand;
    }
    pub mod catalogue {
        pub use crate::catalogue::{GENERAL, METHODS, OUTPUTS};
    }
    pub mod files {
        pub use crate::files::{package_root, read_part};
    }
    pub mod function {
        pub use crate::function::{Comparison, Elementary, TABLE};
    }
    pub mod header {
        pub use crate::header::{Header, Stale, VERSION, body_hash, check_fresh, input_hash};
    }
    pub mod input {
        pub use crate::input::{read, read_source};
    }
    pub mod library {
        pub use crate::library::all;
    }
    pub mod model {
        pub use crate::model::{System, functions, parse_scalar};
        pub mod system {
            pub use crate::model::system::{
                Action, Axis, Comparison, Condition, ConstraintRelation, EnergyKind, FrameId, Load,
                LoadKind, Orientation, Param, PointId, Quantity, Rational, Scalar, Sign, Site,
                Vector,
            };
        }
    }
    pub mod request {
        pub use crate::request::Request;
    }
    pub mod syntax {
        pub use crate::syntax::{format, parse};
    }
}
