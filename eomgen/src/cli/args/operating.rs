//! The arguments of `eomgen equilibria` and `eomgen linearize`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::motion::GivenArgs;

/// What is asked of an operating point.
#[derive(Debug, Args)]
pub(in crate::cli) struct PointArgs {
    /// Coordinate, speed, input or parameter that keeps its value, with a value or without; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(in crate::cli) hold: Vec<String>,
    /// Inputs that are unknown, separated by commas; may be repeated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) free: Vec<String>,
    /// Coordinates that may turn at constant rates, separated by commas; may be repeated
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) steady: Vec<String>,
    /// Number of starts: the given one, and others at random
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub(in crate::cli) starts: usize,
    /// Where random starts begin
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(in crate::cli) seed: u64,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct EquilibriaArgs {
    #[command(flatten)]
    pub(in crate::cli) given: GivenArgs,
    #[command(flatten)]
    pub(in crate::cli) point: PointArgs,
    /// Follow the point along a quantity, through folds, such as 'k = 0..10 in 11'
    #[arg(long, value_name = "RANGE", conflicts_with = "starts")]
    pub(in crate::cli) along: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Which point is linearized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum AtName {
    /// The operating point that is found from the start
    Nearest,
    /// The start itself, which has to be one
    Start,
}

/// How a linear model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TableFormat {
    /// For reading
    Text,
    /// For programs
    Json,
    /// Tables
    Markdown,
    /// Arrays of NumPy
    Numpy,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct LinearizeArgs {
    #[command(flatten)]
    pub(in crate::cli) given: GivenArgs,
    #[command(flatten)]
    pub(in crate::cli) point: PointArgs,
    /// Which point: the operating point that is found from the start, or the start itself
    #[arg(long, value_name = "WHICH", default_value = "nearest")]
    pub(in crate::cli) at: AtName,
    /// With several starts: which of the points that equilibria lists
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(in crate::cli) number: usize,
    /// Inputs of the model, separated by commas; by default all that follow no expression in the state
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) inputs: Vec<String>,
    /// Outputs: expressions separated by commas
    #[arg(long, value_name = "EXPRESSIONS")]
    pub(in crate::cli) outputs: Option<String>,
    /// Parameters by which the eigenvalues are differentiated, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) derivatives: Vec<String>,
    /// How the model is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(in crate::cli) format: TableFormat,
    /// Eigenvalues along a quantity, as a table, such as 'k = 0..10 in 101'
    #[arg(long, value_name = "RANGE", conflicts_with_all = ["root_locus", "bode", "lqr", "derivatives"])]
    pub(in crate::cli) eigenvalues_along: Option<String>,
    /// The same, drawn in the complex plane
    #[arg(long, value_name = "RANGE", conflicts_with_all = ["bode", "lqr", "derivatives"])]
    pub(in crate::cli) root_locus: Option<String>,
    /// Frequency response as a table: from an input to an output, such as 'F -> x'
    #[arg(long, value_name = "PAIR", conflicts_with_all = ["lqr", "derivatives"])]
    pub(in crate::cli) bode: Option<String>,
    /// Angular frequencies of --bode, in rad/s
    #[arg(long, value_name = "RANGE", default_value = "0.1..100 in 201")]
    pub(in crate::cli) frequencies: String,
    /// Linear-quadratic regulator
    #[arg(long, conflicts_with = "derivatives")]
    pub(in crate::cli) lqr: bool,
    /// Weight of a state or an input, such as 'theta = 100'; those not named have 1; may be repeated
    #[arg(long, value_name = "NAME=WEIGHT", requires = "lqr")]
    pub(in crate::cli) weight: Vec<String>,
    /// File for the regulator's gain, for simulate --feedback
    #[arg(long, value_name = "FILE.json", requires = "lqr")]
    pub(in crate::cli) gain: Option<PathBuf>,
    /// Picture of what goes along, or of the frequency response
    #[arg(short = 'o', long, value_name = "FILE.svg")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Replace files even if eomgen did not write them
    #[arg(long)]
    pub(in crate::cli) force: bool,
}
