//! The arguments, declared for clap.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::include::Include;
use super::terms;

mod derive;
mod diff;
mod import;
mod motion;
mod operating;
mod options;
mod show;
mod verify;

pub(super) use derive::DeriveArgs;
pub(super) use diff::DiffArgs;
pub(super) use import::{BaseName, ImportArgs};
pub(super) use motion::{AssembleArgs, GivenArgs, HowArgs, SimulateArgs, SolverName, ViewArgs};
pub(super) use operating::{At, EquilibriaArgs, LinearizeArgs, PointArgs, TableFormat};
use options::{OfModel, OptionArgs, WithoutCode};
pub(super) use show::ShowArgs;
pub(super) use verify::VerifyArgs;

/// Derives equations of motion from a model text and writes them as Rust.
#[derive(Debug, Parser)]
#[command(
    name = "eomgen",
    version,
    long_version = terms::LONG_VERSION,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 success, 1 an error in the model, the derivation or a file, 2 a usage error."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Derive the equations of motion and write them as a Rust module
    #[command(
        after_help = "Examples:\n  eomgen derive sleigh.eom -o src/sleigh.rs                         write the module\n  eomgen derive sleigh.eom --method gibbs-appell --emit equations   read the equations\n  eomgen derive sleigh.eom -o src/sleigh.rs --check                 fail if the file is not up to date\n  eomgen derive arm.eom --fix all --batch -o src/arm.rs             fixed parameters, batch functions"
    )]
    Derive(DeriveArgs),
    /// Show the derivation as a dynamicist would write it: text, Markdown, LaTeX, HTML or JSON
    Show(ShowArgs),
    /// Check a model: diagnostics, degrees of freedom, constraint ranks, independent speeds
    #[command(
        after_help = "Examples:\n  eomgen check sleigh.eom          errors, degrees of freedom, constraints\n  eomgen check sleigh.eom --json   the same for programs"
    )]
    Check(CheckArgs),
    /// Show which inertial parameters the motion depends on, and how the others are grouped with them
    #[command(
        after_help = "Examples:\n  eomgen parameters arm.eom          base parameters, and what is grouped with each\n  eomgen parameters arm.eom --json   the same for programs"
    )]
    Parameters(CheckArgs),
    /// Format models in place
    #[command(
        after_help = "Examples:\n  eomgen fmt models/*.eom           format in place\n  eomgen fmt --check models/*.eom   fail if any is not formatted"
    )]
    Fmt(FmtArgs),
    /// Show which equations differ between two models, generated modules, or revisions
    Diff(DiffArgs),
    /// Evaluate the derived equations at one state and print the results as JSON
    #[command(
        after_help = "Examples:\n  eomgen eval sleigh.eom --state state.json   all outputs at one state"
    )]
    Eval(EvalArgs),
    /// Find the nearest state that satisfies the constraints
    #[command(
        after_help = "Examples:\n  eomgen assemble four_bar.eom                               from the model's initial values\n  eomgen assemble four_bar.eom --hold 'q1 = 30 [deg]' --json   with the crank held, as a state for eval and simulate"
    )]
    Assemble(AssembleArgs),
    /// Find equilibria and steady motions, one or all, or along a quantity
    #[command(
        after_help = "Examples:\n  eomgen equilibria pendulum.eom --starts 50                      all that 50 starts lead to\n  eomgen equilibria crane.eom --hold 'x = 1' --free F             the force that holds it there\n  eomgen equilibria disc.eom --steady 'x, th' --hold \"th' = 5\"     a steady motion\n  eomgen equilibria hoop.eom --steady phi --along \"phi' = 0..10 in 11\""
    )]
    Equilibria(EquilibriaArgs),
    /// Linear model at an operating point: matrices, modes, regulators, frequency responses
    #[command(
        after_help = "Examples:\n  eomgen linearize crane.eom                                     matrices and modes\n  eomgen linearize crane.eom --outputs 'x, theta' --format json  for other programs\n  eomgen linearize crane.eom --lqr --weight 'theta = 100' --gain gain.json\n  eomgen linearize bicycle.eom --steady 'x, rear, front' --eigenvalues-along \"x' = 0..10 in 101\" -o run.svg"
    )]
    Linearize(LinearizeArgs),
    /// Let the machine move: integrate, audit, plot, draw
    #[command(
        after_help = "Examples:\n  eomgen simulate pendulum.eom --duration 10 -o run.csv            rows for other programs\n  eomgen simulate pendulum.eom --duration 10 -o run.html           the machine in 3-D, in a browser\n  eomgen simulate crane.eom --input 'F = 3*sin(t)' --until 'x > 2'   an input, and an end\n  eomgen simulate pendulum.eom --plot 'theta; energy' -o run.svg   plots"
    )]
    Simulate(SimulateArgs),
    /// Show the machine in a browser, and follow the file as it is edited
    #[command(
        after_help = "Examples:\n  eomgen view four_bar.eom                    prints the address of the page; Ctrl-C ends it\n  eomgen view crane.eom --input 'F = 3*sin(t)' --duration 20"
    )]
    View(ViewArgs),
    /// Verify that generated code computes what the model says
    #[command(
        after_help = "Examples:\n  eomgen verify sleigh.eom                        derive with every formulation and verify each\n  eomgen verify sleigh.eom --file src/sleigh.rs   verify an existing file"
    )]
    Verify(VerifyArgs),
    /// Write the generated files named by the attributes of a package
    #[command(
        after_help = "Examples:\n  eomgen prepare           write the files that #[derive_eom(generated = ...)] names\n  eomgen prepare --check   fail if any is missing or out of date"
    )]
    Prepare(PrepareArgs),
    /// List the formulations for --method and the quantities for --output
    #[command(after_help = "Examples:\n  eomgen methods   formulations and quantities")]
    Methods(MethodsArgs),
    /// Explain a diagnostic code such as E0001
    #[command(
        after_help = "Examples:\n  eomgen explain E0001   what an error means, with an example"
    )]
    Explain(ExplainArgs),
    /// Write a robot from another format as a model: URDF, or MJCF of MuJoCo
    #[command(
        after_help = "Examples:\n  eomgen import arm.urdf -o arm.eom                           an arm on the ground\n  eomgen import dog.urdf -o dog.eom --base free-quaternion    a body that moves freely\n  eomgen import hand.urdf -o hand.eom --lock 'finger*=0'      joints that do not move\n  eomgen import humanoid.xml -o humanoid.eom                  a model of MuJoCo\n  eomgen import machine.al -o machine.eom                     a file of Autolev"
    )]
    Import(ImportArgs),
    /// Write a small, commented model to start from
    #[command(
        after_help = "Examples:\n  eomgen new crane              crane.eom in this folder\n  eomgen new models/crane.eom   in another one"
    )]
    New(NewArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Examples:\n  eomgen completions bash > ~/.local/share/bash-completion/completions/eomgen\n  eomgen completions fish > ~/.config/fish/completions/eomgen.fish\n  eomgen completions zsh > ~/.zfunc/_eomgen"
    )]
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them
    #[command(
        after_help = "Examples:\n  eomgen man derive | man -l -\n  eomgen man -o ~/.local/share/man/man1"
    )]
    Man(ManArgs),
    /// Serve an editor: the language server, on standard input and output
    #[command(after_help = "Examples:\n  eomgen lsp   started by the editor, not by hand")]
    Lsp,
    /// Show the location and size of the cache of derived code, or clear it
    #[command(
        after_help = "Examples:\n  eomgen cache           location and size\n  eomgen cache --clear   empty it"
    )]
    Cache(CacheArgs),
    /// Derives for the other commands, which run it as a child process.
    #[command(name = super::worker::SUBCOMMAND, hide = true)]
    Worker,
}

#[derive(Debug, Args)]
pub(super) struct CacheArgs {
    /// Remove all entries
    #[arg(long)]
    pub(super) clear: bool,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The model's file, or - for standard input
    pub(super) model: PathBuf,
    #[command(flatten)]
    pub(super) options: OptionArgs<OfModel>,
    #[command(flatten)]
    pub(super) include: Include,
    /// Print the report and the diagnostics as JSON on standard output
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Change nothing; fail if a file is not formatted
    #[arg(long)]
    pub(super) check: bool,
    /// The models' files, or - to format standard input to standard output
    #[arg(required = true, value_name = "MODEL")]
    pub(super) models: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// The model's file, or - for standard input
    pub(super) model: PathBuf,
    /// JSON file with the state, or - for standard input
    #[arg(long, value_name = "FILE.json")]
    pub(super) state: PathBuf,
    #[command(flatten)]
    pub(super) include: Include,
    #[command(flatten)]
    pub(super) options: OptionArgs<WithoutCode>,
}

#[derive(Debug, Args)]
pub(super) struct MethodsArgs {
    /// Print the lists as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct PrepareArgs {
    /// Folder of a package or workspace, a Cargo.toml, or one source file
    #[arg(default_value = ".")]
    pub(super) path: PathBuf,
    /// Write nothing; fail if a file is missing or is not what would be written
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The code, as shown in brackets after `error`
    pub(super) code: String,
}

#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// Name of the model or path of its file, with or without .eom
    pub(super) name: String,
    /// Print the model instead of writing a file
    #[arg(long)]
    pub(super) stdout: bool,
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command whose page to print; by default the page of the program itself
    #[arg(conflicts_with = "out")]
    pub(super) command: Option<String>,
    /// Folder in which to write the pages of all commands
    #[arg(short = 'o', long, value_name = "FOLDER")]
    pub(super) out: Option<PathBuf>,
    /// Replace files there even if eomgen did not write them
    #[arg(long, requires = "out")]
    pub(super) force: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{self, DeriveOptions, Document, Fix, Plan, Prefer, Scalar, Variant};
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_of_derive_arrives() {
        let line = "eomgen derive a.eom -o a.rs --method kane --form staged --dependent x' \
                    --dependent u3 --math libm --fma --scalar f32 --batch --set n=20 --fix g=9.81 --inverse one-four --route II --plan bordered --prefer operations \
                    --output a,b --output c --only d,e --jacobian a:q,v --jacobian b:t --emit equations --check";
        let Command::Derive(args) = Cli::parse_from(line.split_whitespace()).command else {
            panic!("not derive");
        };
        assert_eq!(args.out, Some(PathBuf::from("a.rs")));
        assert!(args.check);
        assert_eq!(args.emit.document(), Some(Document::Equations));
        let expect = DeriveOptions {
            method: Some("kane".into()),
            form: input::Form::Staged,
            dependent: vec!["x'".into(), "u3".into()],
            math: input::Math::Libm,
            fma: true,
            scalar: Scalar::F32,
            batch: true,
            set: vec![("n".into(), 20)],
            fix: {
                let mut fix = Fix::default();
                fix.add("g=9.81").unwrap();
                fix
            },
            variant: Variant::named(Some("one-four"), Some("II")).unwrap(),
            plan: Plan::Bordered,
            prefer: Prefer::Operations,
            outputs: vec!["a".into(), "b".into(), "c".into()],
            only: vec!["d".into(), "e".into()],
            jacobians: vec!["a:q,v".into(), "b:t".into()],
        };
        assert_eq!(args.options.options().ok(), Some(expect));
    }
}
