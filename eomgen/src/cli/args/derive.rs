//! The arguments of `eomgen derive`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::options::{MathArg, OptionArgs};
use super::values::scalars;
use crate::cli::console::Problem;
use crate::pipeline::{DeriveOptions, Document, Scalar};

#[derive(Debug, Args)]
pub(in crate::cli) struct DeriveArgs {
    /// The model's file, or - for standard input
    pub(in crate::cli) model: PathBuf,
    /// Output file; - or no option means standard output
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) options: OptionArgs,
    /// Source of sines, square roots and the like in the generated code
    #[arg(long, value_enum, default_value_t = MathArg::Std)]
    pub(in crate::cli) math: MathArg,
    /// Write a*b + c as mul_add, with one rounding; for processors with fused multiply-add
    #[arg(long)]
    pub(in crate::cli) fma: bool,
    /// Number type of the generated code
    #[arg(long, value_name = "TYPE", default_value = "f64", value_parser = scalars())]
    pub(in crate::cli) scalar: String,
    /// Add functions that evaluate many states at once, in columns, with vector instructions
    #[arg(long)]
    pub(in crate::cli) batch: bool,
    /// What to write: the module, or a text with the equations or the geometry of the derivation
    #[arg(long, value_enum, default_value_t = EmitArg::Rust)]
    pub(in crate::cli) emit: EmitArg,
    /// Instead of the module, write the table of plans that were compared for the accelerations
    #[arg(long, conflicts_with = "emit")]
    pub(in crate::cli) explain_plan: bool,
    /// Write nothing; fail if FILE is not what would be written
    #[arg(long, requires = "output")]
    pub(in crate::cli) check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EmitArg {
    /// The Rust module
    Rust,
    /// Equations, kinematics, constraints and the requested quantities
    Equations,
    /// The representative particle: its bases, and the projection that each formulation uses
    Geometry,
}

impl EmitArg {
    /// The document that is asked for, if not the module.
    pub(in crate::cli) fn document(self) -> Option<Document> {
        match self {
            Self::Rust => None,
            Self::Equations => Some(Document::Equations),
            Self::Geometry => Some(Document::Geometry),
        }
    }
}

impl DeriveArgs {
    /// The library's options.
    pub(in crate::cli) fn derive(&self) -> Result<DeriveOptions, Problem> {
        let scalar = Scalar::ALL.into_iter().find(|s| s.name() == self.scalar);
        Ok(DeriveOptions {
            scalar: scalar.unwrap_or_default(),
            batch: self.batch,
            fma: self.fma,
            ..self.options.with_math(self.math)?
        })
    }
}
