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
// A part of the library says nothing of what only the rest of it uses.
#![cfg_attr(
    not(all(feature = "derive", feature = "cli")),
    allow(dead_code, unused_imports)
)]

#[cfg(feature = "derive")]
mod assemble;
mod attribute;
mod bug;
#[cfg(feature = "derive")]
mod builder;
mod catalogue;
#[cfg(feature = "cli")]
mod cli;
mod diag;
#[cfg(feature = "derive")]
mod elim;
mod emit;
#[cfg(feature = "derive")]
mod explain;
#[cfg(feature = "derive")]
mod facts;
#[cfg(feature = "derive")]
mod field;
#[cfg(feature = "derive")]
mod form;
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "names the functions of doubles, which the interpreter calls; folding is exact"
    )
)]
mod function;
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "the module through which files, clocks and the environment are reached"
    )
)]
#[cfg_attr(
    all(not(test), any(feature = "derive", feature = "cli")),
    expect(clippy::disallowed_types, reason = "files that are written or locked")
)]
mod host;
#[cfg(feature = "derive")]
mod ir;
#[cfg(feature = "derive")]
mod lower;
#[cfg(feature = "derive")]
mod manifold;
#[cfg(feature = "derive")]
mod mech;
mod model;
#[cfg(any(feature = "derive", feature = "cli"))]
mod notation;
mod pipeline;
#[cfg(feature = "derive")]
mod plan;
#[cfg(feature = "cli")]
mod prepare;
mod request;
#[cfg(any(feature = "derive", feature = "cli"))]
mod show;
#[cfg(feature = "derive")]
mod solve;
mod span;
#[cfg(any(feature = "derive", feature = "cli"))]
mod survey;
#[cfg(feature = "derive")]
mod sym;
mod syntax;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "derive")]
mod verify;

pub use pipeline::{
    Derived, Failure, MethodInfo, PartText, QuantityEntry, QuantityInfo, Source, derive,
    derive_source, methods, quantities,
};
#[cfg(feature = "derive")]
pub use {
    builder::{BuildError, Builder},
    pipeline::{
        Certificate, Change, CheckReport, Difference, EvalInput, EvalOutput, EvalState, Evaluator,
        FunctionResult, ModuleDifference, Numbers, Outcome, Rates, Side, Term, TextReport, check,
        check_source, difference, document, eval, eval_source, evaluator, evaluator_source,
        exposition, module_difference, verify_source,
    },
};

/// What can be chosen outside a model.
pub mod options {
    pub use crate::pipeline::{
        DeriveOptions, Document, Fix, Form, Inverse, Math, Plan, Prefer, Route, Scalar, Variant,
        VerifyOptions,
    };
    #[cfg(any(feature = "derive", feature = "cli"))]
    pub use crate::show::Format;
}

/// What is wrong with a model, and how to show it.
pub mod diagnostics {
    pub use crate::diag::{Diagnostic, Label, Severity, Sources, codes, render, render_sources};
    #[cfg(any(feature = "derive", feature = "cli"))]
    pub use crate::diag::{sources_to_json, to_json};
    pub use crate::span::Span;
}

/// What the program, the attribute macro and the tests of this workspace reach into. This is no interface: all of it may change at any
/// time.
#[doc(hidden)]
#[allow(missing_docs)]
pub mod internals {
    #[cfg(feature = "cli")]
    pub use crate::cli::main;

    /// The attribute's expansion, for the macro crate.
    pub mod attribute {
        pub use crate::attribute::expand;
    }
    pub mod catalogue {
        pub use crate::catalogue::{GENERAL, METHODS, OUTPUTS};
    }
    pub mod emit {
        #[cfg(feature = "derive")]
        pub use crate::emit::{
            Block, Condition, Constant, EmittedFunction, ExtraArgument, Field, IndexEnum, Math,
            Module, Shape, UserFunction, emit,
        };
        pub use crate::emit::{Stale, body_hash, check_fresh};
        pub mod header {
            pub use crate::emit::header::{Header, VERSION, body_hash, check_fresh, input_hash};
        }
        pub mod names {
            pub use crate::emit::names::{identifier, snake};
        }
    }
    pub mod function {
        pub use crate::function::{Comparison, Elementary, TABLE};
    }
    pub mod host {
        #[cfg(feature = "derive")]
        pub use crate::host::with_session;
        pub use crate::host::{package_root, read_part};
        #[cfg(feature = "derive")]
        pub mod cache {
            pub use crate::host::cache::{Cache, Key, Limits};
        }
        #[cfg(feature = "derive")]
        pub mod lock {
            pub use crate::host::lock::{Patience, UserLock, path_from_env};
        }
        #[cfg(feature = "derive")]
        pub mod queue {
            pub use crate::host::queue::Turn;
        }
    }
    pub mod model {
        pub use crate::model::{System, parse_scalar};
        pub mod system {
            pub use crate::model::system::{
                Action, Axis, Comparison, Condition, ConstraintRelation, EnergyKind, FrameId, Load,
                LoadKind, Orientation, Param, PointId, Quantity, Rational, Scalar, Sign, Site,
                Vector,
            };
        }
    }
    pub mod pipeline {
        #[cfg(feature = "derive")]
        pub use crate::pipeline::{Agreement, Claim, Verdict, compare, entries, mutate_source};
        pub use crate::pipeline::{read, read_source};
        #[cfg(feature = "derive")]
        pub mod exposition {
            pub use crate::pipeline::exposition::Exposition;
        }
    }
    pub mod request {
        pub use crate::request::Request;
    }
    pub mod syntax {
        pub use crate::syntax::{format, parse};
    }
    #[cfg(feature = "derive")]
    pub use stages::*;

    /// Stages of a derivation, which tests take one by one.
    #[cfg(feature = "derive")]
    mod stages {
        pub mod elim {
            pub use crate::elim::{Matrix, determinant, echelon, solve};
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
            pub use crate::notation::{Line, Math, Namer, Names, layout};
        }
        pub mod show {
            pub use crate::show::WIDTH;
        }
        pub mod solve {
            pub use crate::solve::{
                Candidate, EliminationContext, Ordering, Plan, SolveError, SymmetricSystem,
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
                pub use crate::verify::proof::{ComparedBy, Request};
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
