//! The arguments of `eomgen equilibria` and `eomgen linearize`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::motion::GivenArgs;
use crate::catalogue::asked::split;

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
    /// Print what has to hold as equations, and their solutions where there are formulas for them
    #[arg(long, conflicts_with = "along")]
    pub(in crate::cli) equations: bool,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// Which point is linearized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum At {
    /// The operating point that is found from the start.
    Nearest,
    /// The start itself, which has to be one.
    Start,
    /// The steady motion that is found from the start: what moves there keeps turning.
    Steady,
    /// The one that is found from these values, `theta = pi`.
    Values(Vec<String>),
    /// The one that is found from the state of a file.
    File(PathBuf),
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.trim() {
            "nearest" => Self::Nearest,
            "start" => Self::Start,
            "steady" => Self::Steady,
            values if values.contains('=') => {
                let list = split(values).into_iter().map(str::to_owned);
                Self::Values(list.filter(|value| !value.is_empty()).collect())
            }
            file if file.ends_with(".json") => Self::File(file.into()),
            other => {
                return Err(format!(
                    "`{other}` is no point: write nearest, start, steady, values such as 'theta = pi', or a file such as state.json"
                ));
            }
        })
    }
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
    /// Which point: the nearest to the start, the start itself, a steady motion in which what moves at the start keeps turning, or the nearest to
    /// values such as 'theta = pi' or to the state of a file
    #[arg(
        long,
        value_name = "nearest|start|steady|VALUES|FILE.json",
        default_value = "nearest"
    )]
    pub(in crate::cli) at: At,
    /// Print the linear model in symbols too, where it is short
    #[arg(long, conflicts_with_all = ["eigenvalues_along", "root_locus", "bode", "lqr"])]
    pub(in crate::cli) symbolic: bool,
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
    /// Picture of what goes along, or of the frequency response; as a page with the numbers beside it, FILE.html
    #[arg(short = 'o', long, value_name = "FILE.svg")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Replace files even if eomgen did not write them
    #[arg(long)]
    pub(in crate::cli) force: bool,
}
