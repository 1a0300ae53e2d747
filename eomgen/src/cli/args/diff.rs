//! The arguments of `eomgen diff`.

use clap::Args;

use super::options::{OptionArgs, WithoutCode};
use crate::cli::include::Include;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  eomgen diff old.eom new.eom
  eomgen diff HEAD~1:models/sleigh.eom models/sleigh.eom
  eomgen diff --git main models/sleigh.eom --method lagrange
  eomgen diff old.eom new.eom --where 'q2 = old.q2 - old.q1'   a coordinate is measured in another way
  eomgen diff old.rs new.rs

Exit codes: 0 the same text or equations, 1 different, 2 a usage error or an error in one of the files,
3 other equations for the same motion, 4 the same equations of motion with other energies.
When called with the seven arguments of a git external diff, it exits with 0 unless there is an error, as git requires.")]
pub(in crate::cli) struct DiffArgs {
    /// The old and the new version: models (.eom), generated modules (.rs), or REV:path in a git repository
    #[arg(required = true, num_args = 1..=9, value_name = "FILE")]
    pub(in crate::cli) files: Vec<String>,
    /// Revision to compare with the working tree
    #[arg(long, value_name = "REV")]
    pub(in crate::cli) git: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) options: OptionArgs<WithoutCode>,
    #[command(flatten)]
    pub(in crate::cli) include: Include,
    /// What a coordinate of the newer model is by those of the older one: `q2 = old.q2 - old.q1`
    #[arg(long = "where", value_name = "EQUATION")]
    pub(in crate::cli) measured: Vec<String>,
    /// List every term that differs, however many there are
    #[arg(long)]
    pub(in crate::cli) full: bool,
    /// Print the difference as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
