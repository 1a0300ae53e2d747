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
    /// Where to write the code; standard output if left out or -
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) options: OptionArgs,
    /// Source of sines, square roots and the like in the generated code
    #[arg(long, value_enum, default_value_t = MathArg::Std)]
    pub(in crate::cli) math: MathArg,
    /// Write sums with products as one operation with one rounding, mul_add: for processors that have it
    #[arg(long)]
    pub(in crate::cli) fma: bool,
    /// What the generated code computes with
    #[arg(long, value_name = "TYPE", default_value = "f64", value_parser = scalars())]
    pub(in crate::cli) scalar: String,
    /// Add functions of many states at once, column by column, which compilers turn into vector instructions
    #[arg(long)]
    pub(in crate::cli) batch: bool,
    /// What to write: the module, or a text with the equations or the geometry of the derivation
    #[arg(long, value_enum, default_value_t = EmitArg::Rust)]
    pub(in crate::cli) emit: EmitArg,
    /// Write the table of plans for the accelerations that were compared, in place of the module
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
    /// Equations, kinematics, constraints and the quantities asked for
    Equations,
    /// The representative particle: its bases, and which projection each formulation is
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
