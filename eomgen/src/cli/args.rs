//! The arguments, declared for clap.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::console::Problem;
use super::terms;
use crate::pipeline::{
    self, DeriveOptions, Document, Fix, Inverse, Plan, Prefer, Route, Scalar, Variant,
    VerifyOptions,
};
use crate::show::Format;

/// Derives equations of motion from a model text and writes them as Rust.
#[derive(Debug, Parser)]
#[command(
    name = "eomgen",
    version,
    long_version = terms::LONG_VERSION,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 success, 1 a problem with the model, the derivation or a file, 2 usage."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Derive the equations of motion and write them as a Rust module
    #[command(
        after_help = "Examples:\n  eomgen derive sleigh.eom -o src/sleigh.rs                         write the module\n  eomgen derive sleigh.eom --method gibbs-appell --emit equations   read the equations\n  eomgen derive sleigh.eom -o src/sleigh.rs --check                 fail if the file is not up to date\n  eomgen derive arm.eom --fix all --batch -o src/arm.rs             numbers for parameters, many states at once"
    )]
    Derive(DeriveArgs),
    /// Show the derivation as a dynamicist would write it: text, Markdown, LaTeX, HTML or JSON
    Show(ShowArgs),
    /// Check a model: diagnostics, degrees of freedom, constraint ranks, independent speeds
    #[command(
        after_help = "Examples:\n  eomgen check sleigh.eom          errors, degrees of freedom, constraints\n  eomgen check sleigh.eom --json   the same for programs"
    )]
    Check(CheckArgs),
    /// Format models in place
    #[command(
        after_help = "Examples:\n  eomgen fmt models/*.eom           format in place\n  eomgen fmt --check models/*.eom   fail if one is not formatted"
    )]
    Fmt(FmtArgs),
    /// Say which equations differ between two models, generated modules, or revisions
    #[cfg(feature = "derive")]
    Diff(DiffArgs),
    /// Evaluate the derived equations at one state and print the results as JSON
    #[command(
        after_help = "Examples:\n  eomgen eval sleigh.eom --state state.json   all outputs at one state"
    )]
    Eval(EvalArgs),
    /// Prove that generated code says what the model says
    #[command(
        after_help = "Examples:\n  eomgen verify sleigh.eom                        derive by every formulation and prove each\n  eomgen verify sleigh.eom --file src/sleigh.rs   prove a file that is there"
    )]
    Verify(VerifyArgs),
    /// Write the files that the attributes of a package name
    #[command(
        after_help = "Examples:\n  eomgen prepare           write the files that #[derive_eom(generated = ...)] names\n  eomgen prepare --check   fail if one is missing or out of date"
    )]
    Prepare(PrepareArgs),
    /// List the formulations that --method takes, and the quantities that --output adds
    #[command(after_help = "Examples:\n  eomgen methods   formulations, and what --output takes")]
    Methods(MethodsArgs),
    /// Explain a diagnostic code such as E0001
    #[command(
        after_help = "Examples:\n  eomgen explain E0001   what an error means, with an example"
    )]
    Explain(ExplainArgs),
    /// Write a small working model with comments, to start from
    #[command(
        after_help = "Examples:\n  eomgen new crane              crane.eom in this folder\n  eomgen new models/crane.eom   in another one"
    )]
    New(NewArgs),
    /// Print the script that completes arguments in a shell
    #[command(
        after_help = "Examples:\n  eomgen completions bash > ~/.local/share/bash-completion/completions/eomgen\n  eomgen completions fish > ~/.config/fish/completions/eomgen.fish\n  eomgen completions zsh > ~/.zfunc/_eomgen"
    )]
    Completions(CompletionsArgs),
    /// Print a page of the manual, or write all pages
    #[command(
        after_help = "Examples:\n  eomgen man derive | man -l -\n  eomgen man -o ~/.local/share/man/man1"
    )]
    Man(ManArgs),
    /// Say where derived code is kept for the attribute macro, and how much of it; or remove it
    #[cfg(feature = "derive")]
    #[command(
        after_help = "Examples:\n  eomgen cache           where it is, and how large\n  eomgen cache --clear   remove it"
    )]
    Cache(CacheArgs),
    /// Derives for the other commands, which run it as a child process.
    #[command(name = super::worker::SUBCOMMAND, hide = true)]
    Worker,
}

#[cfg(feature = "derive")]
#[derive(Debug, Args)]
pub(super) struct CacheArgs {
    /// Remove everything that is kept
    #[arg(long)]
    pub(super) clear: bool,
}

#[derive(Debug, Args)]
pub(super) struct DeriveArgs {
    /// The model's file, or - for standard input
    pub(super) model: PathBuf,
    /// Where to write the code; standard output if left out or -
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) options: OptionArgs,
    /// Source of sines, square roots and the like in the generated code
    #[arg(long, value_enum, default_value_t = MathArg::Std)]
    pub(super) math: MathArg,
    /// Write sums with products as one operation with one rounding, mul_add: for processors that have it
    #[arg(long)]
    pub(super) fma: bool,
    /// What the generated code computes with
    #[arg(long, value_name = "TYPE", default_value = "f64", value_parser = scalars())]
    pub(super) scalar: String,
    /// Add functions of many states at once, column by column, which compilers turn into vector instructions
    #[arg(long)]
    pub(super) batch: bool,
    /// What to write: the module, or a text with the equations or the geometry of the derivation
    #[arg(long, value_enum, default_value_t = EmitArg::Rust)]
    pub(super) emit: EmitArg,
    /// Write the table of plans for the accelerations that were compared, in place of the module
    #[arg(long, conflicts_with = "emit")]
    pub(super) explain_plan: bool,
    /// Write nothing; fail if FILE is not what would be written
    #[arg(long, requires = "output")]
    pub(super) check: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  eomgen show sleigh.eom\n  eomgen show sleigh.eom --method all --format html -o sleigh.html"
)]
pub(super) struct ShowArgs {
    /// The model's file, or - for standard input
    pub(super) model: PathBuf,
    /// Formulation, or all that apply; the generator chooses if left out
    #[arg(long, value_name = "NAME", value_parser = method_names_or_all())]
    pub(super) method: Option<String>,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats())]
    pub(super) format: String,
    /// Where to write; standard output if left out or -
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) options: SharedArgs,
}

/// Options that `derive` and `eval` share.
#[derive(Debug, Args)]
pub(super) struct OptionArgs {
    /// Formulation; the generator chooses if left out
    #[arg(long, value_name = "NAME", value_parser = method_names())]
    pub(super) method: Option<String>,
    #[command(flatten)]
    pub(super) shared: SharedArgs,
}

/// Options that those who derive share, the formulation apart.
#[derive(Debug, Args)]
pub(super) struct SharedArgs {
    /// Equations written out in full, as a list of definitions, or by size
    #[arg(long, value_enum, default_value_t = FormArg::Auto)]
    pub(super) form: FormArg,
    /// Rate or speed to eliminate, such as "x'"; may be repeated
    #[arg(long, value_name = "RATE")]
    pub(super) dependent: Vec<String>,
    /// Generalized inverse of udwadia-kalaba; the accelerations do not depend on it
    #[arg(long, value_name = "NAME", value_parser = inverses())]
    pub(super) inverse: Option<String>,
    /// Way of jourdain: Wang and Pao's method I, II or III
    #[arg(long, value_name = "NAME", value_parser = routes())]
    pub(super) route: Option<String>,
    /// Which system is eliminated for the accelerations: of the independent speeds, with multipliers, or of all bodies
    #[arg(long, value_name = "NAME", value_parser = plans())]
    pub(super) plan: Option<String>,
    /// What the plan that is chosen has least of: operations, or estimated time
    #[arg(long, value_name = "NAME", value_parser = preferences())]
    pub(super) prefer: Option<String>,
    /// Quantity to add to the module, see `eomgen methods`; may be repeated, or separated by commas
    #[arg(
        long = "output",
        id = "quantities",
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub(super) outputs: Vec<String>,
    /// Derivatives of an output to add, such as accelerations:q,v; groups are q, v, inputs, params, t, or single names
    #[arg(long = "jacobian", id = "jacobians", value_name = "OUTPUT:GROUP,...")]
    pub(super) jacobians: Vec<String>,
    #[command(flatten)]
    pub(super) set: SetArgs,
}

/// Constants that are chosen outside the model.
#[derive(Debug, Args)]
pub(super) struct SetArgs {
    /// Value of a `const` of the model, in place of the one stated there; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = constant)]
    pub(super) set: Vec<(String, i64)>,
    /// Parameter that becomes a number, such as g=9.81, or all for the model's defaults; may be repeated
    #[arg(long, value_name = "NAME=VALUE|all", value_parser = fixed)]
    pub(super) fix: Vec<String>,
}

impl SetArgs {
    /// What becomes a number.
    pub(super) fn fix(&self) -> Result<Fix, Problem> {
        let mut fix = Fix::default();
        for text in &self.fix {
            fix.add(text).map_err(Problem::Usage)?;
        }
        Ok(fix)
    }
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The model's file, or - for standard input
    pub(super) model: PathBuf,
    #[command(flatten)]
    pub(super) set: SetArgs,
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
    pub(super) options: OptionArgs,
}

#[cfg(feature = "derive")]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  eomgen diff old.eom new.eom
  eomgen diff HEAD~1:models/sleigh.eom models/sleigh.eom
  eomgen diff --git main models/sleigh.eom --method lagrange
  eomgen diff old.rs new.rs

Exit codes: 0 the same up to algebra, 1 different, 2 usage, or a problem with one of the two.
Called with the seven arguments of a git external diff, it exits with 0 in both cases, as git asks.")]
pub(super) struct DiffArgs {
    /// The older and the newer: models (.eom), generated modules (.rs), or REV:path of a git repository
    #[arg(required = true, num_args = 1..=9, value_name = "FILE")]
    pub(super) files: Vec<String>,
    /// Revision to compare with what is in the working tree
    #[arg(long, value_name = "REV")]
    pub(super) git: Option<String>,
    #[command(flatten)]
    pub(super) options: OptionArgs,
    /// Print the difference as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct MethodsArgs {
    /// Print the lists as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// The model's file, or - for standard input
    pub(super) model: PathBuf,
    /// Generated file to check; without it the code is derived
    #[arg(long, value_name = "FILE.rs", conflicts_with_all = ["method", "form", "dependent", "inverse", "route", "plan", "quantities", "set", "fix"])]
    pub(super) file: Option<PathBuf>,
    /// Formulation to derive by, or all; may be repeated
    #[arg(long, value_name = "NAME", default_value = "all", value_parser = method_names_or_all())]
    pub(super) method: Vec<String>,
    /// Equations written out in full, as a list of definitions, or by size
    #[arg(long, value_enum, default_value_t = FormArg::Auto)]
    pub(super) form: FormArg,
    /// Rate or speed to eliminate, such as "x'"; may be repeated
    #[arg(long, value_name = "RATE")]
    pub(super) dependent: Vec<String>,
    /// Generalized inverse of udwadia-kalaba
    #[arg(long, value_name = "NAME", value_parser = inverses())]
    pub(super) inverse: Option<String>,
    /// Way of jourdain: Wang and Pao's method I, II or III
    #[arg(long, value_name = "NAME", value_parser = routes())]
    pub(super) route: Option<String>,
    /// Which system is eliminated for the accelerations: of the independent speeds, with multipliers, or of all bodies
    #[arg(long, value_name = "NAME", value_parser = plans())]
    pub(super) plan: Option<String>,
    /// What the plan that is chosen has least of: operations, or estimated time
    #[arg(long, value_name = "NAME", value_parser = preferences())]
    pub(super) prefer: Option<String>,
    /// Quantity to add to the modules and check, see `eomgen methods`; may be repeated, or separated by commas
    #[arg(
        long = "output",
        id = "quantities",
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub(super) outputs: Vec<String>,
    /// Derivatives of an output to add, such as accelerations:q,v; groups are q, v, inputs, params, t, or single names
    #[arg(long = "jacobian", id = "jacobians", value_name = "OUTPUT:GROUP,...")]
    pub(super) jacobians: Vec<String>,
    #[command(flatten)]
    pub(super) set: SetArgs,
    /// Number of random states
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) states: u16,
    /// What the random numbers start from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// Print the certificate as JSON
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
    /// The model's name or the path of its file, with or without .eom
    pub(super) name: String,
    /// Print the model and write no file
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
    /// The command to print the page of; the program's own page if left out
    #[arg(conflicts_with = "out")]
    pub(super) command: Option<String>,
    /// Folder for the pages of all commands
    #[arg(short = 'o', long, value_name = "FOLDER")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormArg {
    Auto,
    Closed,
    Staged,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EmitArg {
    /// The Rust module
    Rust,
    /// Equations, kinematics, constraints and the quantities asked for
    Equations,
    /// The representative particle: its bases, and which projection each formulation is
    Geometry,
}

impl EmitArg {
    /// The document that is asked for, if not the module.
    pub(super) fn document(self) -> Option<Document> {
        match self {
            Self::Rust => None,
            Self::Equations => Some(Document::Equations),
            Self::Geometry => Some(Document::Geometry),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MathArg {
    Std,
    Libm,
    Inline,
}

impl From<FormArg> for pipeline::Form {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Auto => Self::Auto,
            FormArg::Closed => Self::Closed,
            FormArg::Staged => Self::Staged,
        }
    }
}

impl From<MathArg> for pipeline::Math {
    fn from(math: MathArg) -> Self {
        match math {
            MathArg::Std => Self::Std,
            MathArg::Libm => Self::Libm,
            MathArg::Inline => Self::Inline,
        }
    }
}

impl VerifyArgs {
    /// The library's options, given the file's text.
    pub(super) fn options(&self, file: Option<(String, String)>) -> Result<VerifyOptions, Problem> {
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

impl DeriveArgs {
    /// The library's options.
    pub(super) fn derive(&self) -> Result<DeriveOptions, Problem> {
        let scalar = Scalar::ALL.into_iter().find(|s| s.name() == self.scalar);
        Ok(DeriveOptions {
            scalar: scalar.unwrap_or_default(),
            batch: self.batch,
            fma: self.fma,
            ..self.options.with_math(self.math)?
        })
    }
}

impl OptionArgs {
    /// The library's options.
    pub(super) fn with_math(&self, math: MathArg) -> Result<DeriveOptions, Problem> {
        Ok(DeriveOptions {
            math: math.into(),
            ..self.shared.by(self.method.clone())?
        })
    }
}

impl ShowArgs {
    /// The library's options, and whether all formulations are asked for.
    pub(super) fn derive(&self) -> Result<(DeriveOptions, bool), Problem> {
        let all = self.method.as_deref() == Some("all");
        let method = self.method.clone().filter(|_| !all);
        Ok((self.options.by(method)?, all))
    }
}

impl SharedArgs {
    /// The library's options with a formulation.
    fn by(&self, method: Option<String>) -> Result<DeriveOptions, Problem> {
        Ok(DeriveOptions {
            method,
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
        })
    }
}

fn constant(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("write the constant and its value, as in n=20")?;
    let value = value.trim();
    let number = value
        .parse()
        .map_err(|_| format!("the value of a constant is a whole number, not '{value}'"))?;
    Ok((name.trim().to_string(), number))
}

/// What may stand behind `--fix`.
fn fixed(text: &str) -> Result<String, String> {
    Fix::default().add(text).map(|()| text.to_owned())
}

/// The variant by the names that the parser has let through.
fn variant(inverse: Option<&str>, route: Option<&str>) -> Variant {
    Variant::named(inverse, route).unwrap_or_default()
}

fn scalars() -> PossibleValuesParser {
    PossibleValuesParser::new(Scalar::ALL.map(Scalar::name))
}

/// The plan by the name that the parser has let through.
fn plan(name: Option<&str>) -> Plan {
    let named = |plan: &Plan| Some(plan.name()) == name;
    Plan::ALL.into_iter().find(named).unwrap_or_default()
}

fn plans() -> PossibleValuesParser {
    PossibleValuesParser::new(Plan::ALL.map(Plan::name))
}

/// The preference by the name that the parser has let through.
fn prefer(name: Option<&str>) -> Prefer {
    let named = |prefer: &Prefer| Some(prefer.name()) == name;
    Prefer::ALL.into_iter().find(named).unwrap_or_default()
}

fn preferences() -> PossibleValuesParser {
    PossibleValuesParser::new(Prefer::ALL.map(Prefer::name))
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
}

fn inverses() -> PossibleValuesParser {
    PossibleValuesParser::new(Inverse::ALL.map(Inverse::name))
}

fn routes() -> PossibleValuesParser {
    PossibleValuesParser::new(Route::ALL.map(Route::name))
}

fn method_names_or_all() -> PossibleValuesParser {
    let names = pipeline::methods().into_iter().map(|method| method.name);
    PossibleValuesParser::new(std::iter::once("all").chain(names))
}

fn method_names() -> PossibleValuesParser {
    PossibleValuesParser::new(pipeline::methods().into_iter().map(|method| method.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_of_derive_arrives() {
        let line = "eomgen derive a.eom -o a.rs --method kane --form staged --dependent x' \
                    --dependent u3 --math libm --fma --scalar f32 --batch --set n=20 --fix g=9.81 --inverse one-four --route II --plan bordered --prefer time \
                    --output a,b --output c --jacobian a:q,v --jacobian b:t --emit equations --check";
        let Command::Derive(args) = Cli::parse_from(line.split_whitespace()).command else {
            panic!("not derive");
        };
        assert_eq!(args.output, Some(PathBuf::from("a.rs")));
        assert!(args.check);
        assert_eq!(args.emit.document(), Some(Document::Equations));
        let expect = DeriveOptions {
            method: Some("kane".into()),
            form: pipeline::Form::Staged,
            dependent: vec!["x'".into(), "u3".into()],
            math: pipeline::Math::Libm,
            fma: true,
            scalar: Scalar::F32,
            batch: true,
            set: vec![("n".into(), 20)],
            fix: {
                let mut fix = Fix::default();
                fix.add("g=9.81").unwrap();
                fix
            },
            variant: variant(Some("one-four"), Some("II")),
            plan: Plan::Bordered,
            prefer: Prefer::Time,
            outputs: vec!["a".into(), "b".into(), "c".into()],
            jacobians: vec!["a:q,v".into(), "b:t".into()],
        };
        assert_eq!(args.derive().ok(), Some(expect));
    }
}
