//! The arguments of `eomgen import`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How the root of the tree is fastened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum BaseName {
    /// The root link is the ground
    Fixed,
    /// It moves freely; its attitude is a quaternion, and its velocities are in its own axes
    FreeQuaternion,
    /// It moves freely; its attitude is yaw, pitch and roll
    FreeEuler,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ImportArgs {
    /// The robot's file, URDF or MJCF, or one of Autolev; - for standard input
    pub(in crate::cli) robot: PathBuf,
    /// File to write the model to; standard output by default. Parts go to files beside it
    #[arg(short = 'o', long, value_name = "FILE.eom")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// How the root link is fastened (URDF; fixed by default)
    #[arg(long, value_name = "HOW")]
    pub(in crate::cli) base: Option<BaseName>,
    /// Hold joints at a value, such as 'finger*=0' or 'elbow=30 [deg]'; may be repeated
    #[arg(long, value_name = "PATTERN=VALUE")]
    pub(in crate::cli) lock: Vec<String>,
    /// Round numbers to so many significant digits
    #[arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u8).range(1..=17))]
    pub(in crate::cli) decimals: Option<u8>,
    /// Keep angles as the decimals that they are; otherwise 1.5708 is a right angle
    #[arg(long)]
    pub(in crate::cli) keep_angles: bool,
    /// Write everything into one file, also limbs that are equal but for numbers
    #[arg(long)]
    pub(in crate::cli) one_file: bool,
    /// Replace files that are there already
    #[arg(long)]
    pub(in crate::cli) force: bool,
}
