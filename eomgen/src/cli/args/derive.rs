//! The arguments of `eomgen derive`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::options::{All, OptionArgs};
use crate::cli::include::Include;
use crate::pipeline::Document;

#[derive(Debug, Args)]
pub(in crate::cli) struct DeriveArgs {
    /// The model's file, or - for standard input
    pub(in crate::cli) model: PathBuf,
    /// Output file; - or no option means standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) options: OptionArgs<All>,
    #[command(flatten)]
    pub(in crate::cli) include: Include,
    /// What to write: the module, or a text with the equations or the geometry of the derivation
    #[arg(long, value_enum, default_value_t = EmitArg::Rust)]
    pub(in crate::cli) emit: EmitArg,
    /// Instead of the module, write the table of plans that were compared for the accelerations
    #[arg(long, conflicts_with = "emit")]
    pub(in crate::cli) explain_plan: bool,
    /// Replace the output file even if eomgen did not write it
    #[arg(long, requires = "out")]
    pub(in crate::cli) force: bool,
    /// Write nothing; fail if FILE is not what would be written
    #[arg(long, requires = "out")]
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
    /// The document that is requested, if not the module.
    pub(in crate::cli) fn document(self) -> Option<Document> {
        match self {
            Self::Rust => None,
            Self::Equations => Some(Document::Equations),
            Self::Geometry => Some(Document::Geometry),
        }
    }
}
