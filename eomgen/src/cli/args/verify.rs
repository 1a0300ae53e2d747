//! The arguments of `eomgen verify`.

use std::path::PathBuf;

use clap::Args;

use super::options::{OptionArgs, WithoutMethod, method_names_or_all};
use crate::cli::console::Problem;
use crate::cli::include::Include;
use crate::pipeline::VerifyOptions;

#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyArgs {
    /// The model's file, or - for standard input
    pub(in crate::cli) model: PathBuf,
    /// Generated file to verify; by default the code is derived
    #[arg(long, value_name = "FILE.rs", conflicts_with_all = ["method", "form", "dependent", "inverse", "route", "plan", "prefer", "output", "set", "fix"])]
    pub(in crate::cli) file: Option<PathBuf>,
    /// Formulation to derive with, or all; may be repeated
    #[arg(long, value_name = "NAME", default_value = "all", value_parser = method_names_or_all())]
    pub(in crate::cli) method: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) options: OptionArgs<WithoutMethod>,
    #[command(flatten)]
    pub(in crate::cli) include: Include,
    /// Number of random states
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub(in crate::cli) states: u16,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(in crate::cli) seed: u64,
    /// Print the certificate as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

impl VerifyArgs {
    /// The library's options, given the file's text.
    pub(in crate::cli) fn options(
        &self,
        file: Option<(String, String)>,
    ) -> Result<VerifyOptions, Problem> {
        let all = self.method.iter().any(|method| method == "all");
        Ok(VerifyOptions {
            methods: if all { Vec::new() } else { self.method.clone() },
            derive: self.options.options()?,
            file,
            states: usize::from(self.states),
            seed: self.seed,
        })
    }
}
