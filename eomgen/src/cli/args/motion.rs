//! The arguments of `eomgen assemble` and `eomgen simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::options::{OfMotion, OptionArgs};
use crate::cli::include::Include;

/// The model, and what is given beside it.
#[derive(Debug, Args)]
pub(in crate::cli) struct GivenArgs {
    /// The model's file, or - for standard input
    pub(in crate::cli) model: PathBuf,
    /// JSON file with a state, as for eval; what it leaves out has the model's values
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) state: Option<PathBuf>,
    /// Value of a parameter, such as 'l = 20 [cm]'; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(in crate::cli) param: Vec<String>,
    /// Value of a coordinate, speed or state at the start, such as 'theta = 30 [deg]'; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(in crate::cli) initial: Vec<String>,
    /// An input: an expression in time, coordinates and speeds, or a CSV file with times and values; may be repeated
    #[arg(long, value_name = "NAME=EXPRESSION")]
    pub(in crate::cli) input: Vec<String>,
    /// A function of the model, as an expression in its arguments; may be repeated
    #[arg(long, value_name = "NAME=EXPRESSION")]
    pub(in crate::cli) function: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) include: Include,
    #[command(flatten)]
    pub(in crate::cli) options: OptionArgs<OfMotion>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AssembleArgs {
    #[command(flatten)]
    pub(in crate::cli) given: GivenArgs,
    /// Coordinate or speed that keeps its value, with a value or without; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(in crate::cli) hold: Vec<String>,
    /// Print the state as JSON, for --state
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Integrators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SolverName {
    /// Explicit, and implicit while the motion is stiff
    Auto,
    /// Verner, order 9
    Explicit,
    /// Kvaerno, order 5, for stiff motions
    Implicit,
}

/// How a motion is computed, and what is followed.
#[derive(Debug, Args)]
pub(in crate::cli) struct HowArgs {
    /// For how long, in s
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = positive)]
    pub(in crate::cli) duration: f64,
    /// Time between rows, in s; a thousandth of the duration by default
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub(in crate::cli) step: Option<f64>,
    /// The integrator
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(in crate::cli) solver: SolverName,
    /// Relative tolerance of a step
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-8, value_parser = positive)]
    pub(in crate::cli) rtol: f64,
    /// Absolute tolerance of a step
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-10, value_parser = positive)]
    pub(in crate::cli) atol: f64,
    /// Against drift from the constraints: projection, baumgarte(a,b) or none
    #[arg(long, value_name = "HOW", default_value = "projection")]
    pub(in crate::cli) stabilize: String,
    /// Condition at which the motion ends, such as 'theta > 90 [deg]', or the name of an event of the model; may be repeated
    #[arg(long, value_name = "CONDITION")]
    pub(in crate::cli) until: Vec<String>,
    /// Expression whose zeros are noted, or a condition; may be repeated
    #[arg(long, value_name = "EXPRESSION")]
    pub(in crate::cli) event: Vec<String>,
    /// What is plotted and written: expressions in a plot are separated by ',', plots by ';'
    #[arg(long, value_name = "EXPRESSIONS")]
    pub(in crate::cli) plot: Option<String>,
    /// Steps after which the integrator gives up
    #[arg(long, value_name = "COUNT", default_value_t = 10_000_000)]
    pub(in crate::cli) max_steps: usize,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SimulateArgs {
    #[command(flatten)]
    pub(in crate::cli) given: GivenArgs,
    #[command(flatten)]
    pub(in crate::cli) how: HowArgs,
    /// Run for several values of a parameter, such as 'l = 1..2 in 11'
    #[arg(long, value_name = "RANGE")]
    pub(in crate::cli) sweep: Option<String>,
    /// Close the loop with the gain that linearize wrote
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) feedback: Option<PathBuf>,
    /// Take the motion from a CSV or JSON file that simulate wrote
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) replay: Option<PathBuf>,
    /// Output file: .csv, .json, .svg or .html; - or no option means CSV on standard output; may be repeated
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(in crate::cli) out: Vec<PathBuf>,
    /// Replace the output file even if eomgen did not write it
    #[arg(long, requires = "out")]
    pub(in crate::cli) force: bool,
    /// In .svg files, draw the machine in motion in place of plots
    #[arg(long)]
    pub(in crate::cli) animate: bool,
    /// No report of the audit
    #[arg(long)]
    pub(in crate::cli) quiet: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ViewArgs {
    #[command(flatten)]
    pub(in crate::cli) given: GivenArgs,
    #[command(flatten)]
    pub(in crate::cli) how: HowArgs,
    /// Port on the loopback address; 0 takes one that is free
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(in crate::cli) port: u16,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("a positive number is expected".to_owned()),
    }
}
