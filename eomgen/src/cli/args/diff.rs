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
  eomgen diff old.rs new.rs

Exit codes: 0 equal up to algebra, 1 different, 2 a usage error or an error in one of the files.
When called with the seven arguments of a git external diff, it exits with 0 in the first two cases, as git requires.")]
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
    /// Print the difference as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
