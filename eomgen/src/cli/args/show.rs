//! The arguments of `eomgen show`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::options::{OptionArgs, WithoutMethod, method_names_or_all};
use crate::cli::console::Problem;
use crate::cli::include::Include;
use crate::pipeline::DeriveOptions;
use crate::show::Format;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  eomgen show sleigh.eom\n  eomgen show sleigh.eom --method all --format html -o sleigh.html"
)]
pub(in crate::cli) struct ShowArgs {
    /// The model's file, or - for standard input
    pub(in crate::cli) model: PathBuf,
    /// Formulation, or all that apply; chosen automatically by default
    #[arg(long, value_name = "NAME", value_parser = method_names_or_all())]
    pub(in crate::cli) method: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = PossibleValuesParser::new(Format::ALL.map(Format::name)))]
    pub(in crate::cli) format: String,
    /// Output file; - or no option means standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Replace the output file even if eomgen did not write it
    #[arg(long, requires = "out")]
    pub(in crate::cli) force: bool,
    #[command(flatten)]
    pub(in crate::cli) include: Include,
    #[command(flatten)]
    pub(in crate::cli) options: OptionArgs<WithoutMethod>,
}

impl ShowArgs {
    /// The library's options, and whether all formulations are requested.
    pub(in crate::cli) fn derive(&self) -> Result<(DeriveOptions, bool), Problem> {
        let all = self.method.as_deref() == Some("all");
        let options = DeriveOptions {
            method: self.method.clone().filter(|_| !all),
            ..self.options.options()?
        };
        Ok((options, all))
    }
}
