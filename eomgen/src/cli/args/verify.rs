//! The arguments of `eomgen verify`.

use std::path::PathBuf;

use clap::Args;

use super::options::{FormArg, SetArgs};
use super::values::{
    inverses, method_names_or_all, plan, plans, prefer, preferences, routes, variant,
};
use crate::cli::console::Problem;
use crate::pipeline::{DeriveOptions, VerifyOptions};

#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyArgs {
    /// The model's file, or - for standard input
    pub(in crate::cli) model: PathBuf,
    /// Generated file to verify; by default the code is derived
    #[arg(long, value_name = "FILE.rs", conflicts_with_all = ["method", "form", "dependent", "inverse", "route", "plan", "prefer", "quantities", "set", "fix"])]
    pub(in crate::cli) file: Option<PathBuf>,
    /// Formulation to derive with, or all; may be repeated
    #[arg(long, value_name = "NAME", default_value = "all", value_parser = method_names_or_all())]
    pub(in crate::cli) method: Vec<String>,
    /// Equations written out in full (closed), as a sequence of definitions (staged), or chosen by size
    #[arg(long, value_enum, default_value_t = FormArg::Auto)]
    pub(in crate::cli) form: FormArg,
    /// Rate or speed to eliminate, such as "x'"; may be repeated
    #[arg(long, value_name = "RATE")]
    pub(in crate::cli) dependent: Vec<String>,
    /// Generalized inverse of udwadia-kalaba
    #[arg(long, value_name = "NAME", value_parser = inverses())]
    pub(in crate::cli) inverse: Option<String>,
    /// Derivation used by jourdain: Wang and Pao's method I, II or III
    #[arg(long, value_name = "NAME", value_parser = routes())]
    pub(in crate::cli) route: Option<String>,
    /// System to eliminate for the accelerations: in the independent speeds (reduced), with multipliers (bordered), or of all bodies (newton-euler)
    #[arg(long, value_name = "NAME", value_parser = plans())]
    pub(in crate::cli) plan: Option<String>,
    /// Criterion for the choice of plan: fewest operations, or least estimated time
    #[arg(long, value_name = "NAME", value_parser = preferences())]
    pub(in crate::cli) prefer: Option<String>,
    /// Quantity to add to the modules and check, see `eomgen methods`; may be repeated, or separated by commas
    #[arg(
        long = "output",
        id = "quantities",
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub(in crate::cli) outputs: Vec<String>,
    /// Derivatives of an output to add, such as accelerations:q,v; groups are q, v, inputs, params, t, or single names
    #[arg(long = "jacobian", id = "jacobians", value_name = "OUTPUT:GROUP,...")]
    pub(in crate::cli) jacobians: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) set: SetArgs,
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
            derive: DeriveOptions {
                method: None,
                form: self.form.into(),
                dependent: self.dependent.clone(),
                set: self.set.set.clone(),
                fix: self.set.fix()?,
                variant: variant(self.inverse.as_deref(), self.route.as_deref()),
                plan: plan(self.plan.as_deref()),
                prefer: prefer(self.prefer.as_deref()),
                outputs: self.outputs.clone(),
                jacobians: self.jacobians.clone(),
                ..DeriveOptions::default()
            },
            file,
            states: usize::from(self.states),
            seed: self.seed,
        })
    }
}
