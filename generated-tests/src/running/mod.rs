//! Generated modules as their users run them: many of them compiled as one program by `rustc`, their functions evaluated at given states.
//!
//! [`run`] knows a module's interface and nothing of mechanics: what the numbers should be is its caller's business. What a module promises
//! of itself is held here: variants agree with the plain function, results of many states with those of one, and no function that can
//! fail returns numbers that are none.

mod compile;
mod driver;
mod outline;
mod slots;
mod transcript;

use slots::Slots;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A module to compile, and where to evaluate it.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// Rust text as eomgen writes it.
    pub module: String,
    /// Where.
    pub samples: Vec<Sample>,
    /// The model's user functions.
    pub functions: Vec<Polynomial>,
}

/// A state, by the model's names.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The time.
    pub t: f64,
    /// Every entry of the state as `StateIndex::NAMES` names it: coordinates, independent speeds or rates. There may be more.
    pub state: Vec<(String, f64)>,
    /// Parameters in place of default values. There may be more than the module has.
    pub params: Vec<(String, f64)>,
    /// Every input. There may be more.
    pub inputs: Vec<(String, f64)>,
    /// Other arguments by name, such as the accelerations of residuals, matrices row by row. `function.argument` comes before
    /// `argument`; what is missing is filled with [`filler`].
    pub arrays: Vec<(String, Vec<f64>)>,
}

/// A user function as a polynomial: factors, and one exponent for each argument (0 where there are fewer).
#[derive(Clone, Debug, Default)]
pub struct Polynomial {
    /// The model's name.
    pub name: String,
    /// Factors and exponents.
    pub terms: Vec<(f64, Vec<u32>)>,
}

/// What a function returns: a number, a vector or a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Number,
    /// As many.
    Vector(usize),
    /// Rows and columns.
    Matrix(usize, usize),
}

impl Shape {
    /// How many numbers there are.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::Number => 1,
            Self::Vector(length) => length,
            Self::Matrix(rows, columns) => rows * columns,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// A condition that a function reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// Its index.
    pub condition: usize,
    /// Its text in the module.
    pub text: String,
    /// The divisor relative to its scale.
    pub closeness: f64,
}

/// What one function gave at one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The function.
    pub function: String,
    /// Its numbers, row by row, or the condition that failed. A function that cannot fail is always `Ok`.
    pub outcome: Result<Vec<f64>, Failed>,
    /// What the numbers are.
    pub shape: Shape,
}

/// The names in a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// Entries of the state.
    pub state: Vec<String>,
    /// Entries of `accelerations` and `rates`.
    pub coordinates: Vec<String>,
    /// Entries of `speed_rates`.
    pub speeds: Vec<String>,
    /// Entries of `multipliers`.
    pub constraints: Vec<String>,
    /// Those of other index enums, by the enum.
    pub others: Vec<(String, Vec<String>)>,
    /// The conditions under which functions fail.
    pub conditions: Vec<String>,
    /// The lines of `FACTS`.
    pub facts: Vec<String>,
}

/// What a module broke of its promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What a function of the model gives without checks, or called with parameters, differs in some bit; where products are fused
    /// (`--fma`), by more than the tolerance.
    Variant,
    /// A function for many states differs from that for one by more than the tolerance, or fails elsewhere.
    Batch,
    /// The results of a state depend on its place among others, or on the function for many states.
    Places,
    /// A function returned a number that is not finite, at a sample.
    NotFinite,
    /// A function that can fail returned a number that is not finite as `Ok`, when one of its arguments was not finite or beyond all
    /// bounds.
    Probe,
}

/// A promise that a module broke: the first case of each kind and function.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Which.
    pub kind: Kind,
    /// The function; `f(unchecked)` and `f(free)` are that of the model without checks, and that which takes parameters.
    pub function: String,
    /// At which sample first.
    pub sample: usize,
    /// How many cases there are.
    pub count: usize,
    /// The first.
    pub text: String,
}

/// What a module gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The names of states, coordinates, ...
    pub names: Names,
    /// By sample, every function of the model in the module's order.
    pub samples: Vec<Vec<Value>>,
    /// What is wrong whatever the numbers should be.
    pub violations: Vec<Violation>,
}

impl Evaluated {
    /// What a function gave at a sample.
    #[must_use]
    pub fn value(&self, sample: usize, function: &str) -> Option<&Value> {
        let values = self.samples.get(sample)?;
        values.iter().find(|v| v.function == function)
    }
}

/// What became of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// The compiler's first messages about the module.
    Refused(String),
    /// It was evaluated.
    Values(Evaluated),
    /// It panicked, ended the program, or did not end.
    Crashed(String),
    /// The job lacks something: a value of the state, a function.
    Unusable(String),
}

/// How modules are compiled and run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the files go; those of a former run are overwritten. No two runs at once may have the same.
    pub folder: PathBuf,
    /// The compiler's level of optimization, 0 to 3.
    pub optimization: u8,
    /// Whether warnings of modules are errors.
    pub deny_warnings: bool,
    /// Whether modules must also pass `clippy::all`.
    pub lint: bool,
    /// Whether functions are also called with arguments that are not finite or beyond all bounds ([`Kind::Probe`]).
    pub probes: bool,
    /// The greatest difference of results that may differ by rounding, relative to the largest: those of many states from those of one
    /// (sines of their own), and with fused products those without checks. `None`: 1e-9 for `f64`, 1e-3 for `f32`.
    pub tolerance: Option<f64>,
    /// How many modules are compiled together.
    pub modules_in_a_program: usize,
    /// How long a program may run.
    pub patience: Duration,
    /// How long the compiler may take for one.
    pub compiler_patience: Duration,
}

impl Settings {
    /// What is usual, in this folder.
    #[must_use]
    pub fn new(folder: impl AsRef<Path>) -> Self {
        Self {
            folder: folder.as_ref().to_owned(),
            optimization: 0,
            deny_warnings: true,
            lint: false,
            probes: true,
            tolerance: None,
            modules_in_a_program: 50,
            patience: Duration::from_secs(120),
            compiler_patience: Duration::from_secs(600),
        }
    }
}

/// The numbers of arguments that a sample does not give.
#[must_use]
pub fn filler(index: usize) -> f64 {
    // Of both signs, and no two alike.
    0.37 - 0.61 * index as f64 + 0.23 * (index as f64) * (index % 3) as f64
}

/// What a module asks of its callers, by the names of its own text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Entries of the state, by the model's names.
    pub state: Vec<String>,
    /// Fields of `Params`.
    pub params: Vec<String>,
    /// Whether these have default values.
    pub defaults: bool,
    /// Fields of `Inputs`. A [`Sample`] may use these names, or the model's.
    pub inputs: Vec<String>,
    /// User functions and how many arguments each has.
    pub functions: Vec<(String, usize)>,
    /// Other arguments, as `function.argument`, and their shapes.
    pub arrays: Vec<(String, Shape)>,
}

/// Reads what a module asks of its callers.
///
/// # Errors
/// If the text is no module that eomgen writes.
pub fn asked(module: &str) -> Result<Asked, String> {
    let outline = outline::outline(module)?;
    let arrays = outline.functions.iter().flat_map(|function| {
        function
            .arguments
            .iter()
            .filter_map(|argument| match argument {
                outline::Argument::Extra(name, shape) => {
                    Some((format!("{}.{name}", function.name), *shape))
                }
                _ => None,
            })
    });
    Ok(Asked {
        arrays: arrays.collect(),
        state: outline.names.state,
        params: outline.params,
        defaults: outline.defaults,
        inputs: outline.inputs,
        functions: outline
            .supplied
            .into_iter()
            .map(|f| (f.name, f.arguments))
            .collect(),
    })
}

/// A job that is compiled.
struct Ready {
    outline: outline::Outline,
    slots: Slots,
    driver: String,
    /// Its samples as lines.
    samples: String,
}

/// Compiles modules together and evaluates all their functions. The result has an entry for each job.
///
/// # Errors
/// If the compiler cannot be run, or files cannot be written.
pub fn run(jobs: &[Job], settings: &Settings) -> Result<Vec<Ran>, String> {
    let mut ran: BTreeMap<usize, Ran> = BTreeMap::new();
    let mut ready: BTreeMap<usize, Ready> = BTreeMap::new();
    for (id, job) in jobs.iter().enumerate() {
        match prepare(id, job, settings) {
            Ok(one) => {
                ready.insert(id, one);
            }
            Err(result) => {
                ran.insert(id, *result);
            }
        }
    }
    let units: Vec<compile::Unit<'_>> = ready
        .iter()
        .map(|(id, one)| compile::Unit {
            id: *id,
            module: &jobs[*id].module,
            driver: one.driver.clone(),
        })
        .collect();
    let compiled = compile::compile(&units, settings)?;
    let refused = compiled.refused.into_iter();
    ran.extend(refused.map(|(id, why)| (id, Ran::Refused(why))));
    let readers: BTreeMap<usize, transcript::Job<'_>> = ready
        .iter()
        .map(|(id, one)| {
            let job = transcript::Job {
                outline: &one.outline,
                slots: &one.slots,
                samples: &one.samples,
            };
            (*id, job)
        })
        .collect();
    for (program, ids) in &compiled.programs {
        let program = std::path::absolute(program).map_err(|e| e.to_string())?;
        transcript::run(&program, ids, &readers, settings, &mut ran)?;
    }
    (0..jobs.len())
        .map(|id| {
            ran.remove(&id)
                .ok_or_else(|| format!("nothing became of job {id}"))
        })
        .collect()
}

/// Reads a module and writes what calls it.
fn prepare(id: usize, job: &Job, settings: &Settings) -> Result<Ready, Box<Ran>> {
    let unusable = |why| Box::new(Ran::Unusable(why));
    let outline = outline::outline(&job.module).map_err(|why| {
        // What is no Rust, the compiler explains better.
        let refused = compile::alone(&job.module, settings).map(Ran::Refused);
        Box::new(refused.unwrap_or(Ran::Unusable(why)))
    })?;
    let slots = Slots::of(&outline);
    let mut samples = format!("J {id}\n");
    for sample in &job.samples {
        samples.push('S');
        for number in slots.numbers(&outline, sample).map_err(unusable)? {
            match number {
                Some(number) => {
                    let _ = write!(samples, " {:x}", number.to_bits());
                }
                None => samples.push_str(" -"),
            }
        }
        samples.push('\n');
    }
    let usual = match outline.number {
        outline::Number::F32 => 1e-3,
        _ => 1e-9,
    };
    let tolerance = settings.tolerance.unwrap_or(usual);
    let driver =
        driver::driver(id, &outline, &slots, &job.functions, tolerance).map_err(unusable)?;
    Ok(Ready {
        outline,
        slots,
        driver,
        samples,
    })
}

/// A program of the toolchain that runs the tests.
fn tool(name: &str) -> PathBuf {
    match std::env::var_os("RUSTC") {
        Some(rustc) => Path::new(&rustc).with_file_name(name),
        None => PathBuf::from(name),
    }
}

/// Which of these modules `rustfmt` would lay out differently.
///
/// # Errors
/// If `rustfmt` cannot be run, or files cannot be written.
pub fn unformatted(modules: &[&str], folder: &Path) -> Result<Vec<usize>, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found = Vec::new();
    let name = |id: usize| format!("f{id}.rs");
    let ids: Vec<usize> = (0..modules.len()).collect();
    // A command line holds so many names.
    for ids in ids.chunks(500) {
        for id in ids {
            std::fs::write(folder.join(name(*id)), modules[*id])
                .map_err(|e| format!("{}: {e}", name(*id)))?;
        }
        let output = Command::new(tool("rustfmt"))
            .args(["--check", "--edition", "2024", "-l"])
            .args(ids.iter().map(|id| name(*id)))
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("rustfmt: {e}"))?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let named = |id: &&usize| {
            let name = name(**id);
            let mut places = said.match_indices(&name);
            places.any(|(at, _)| !said[..at].ends_with(char::is_alphanumeric))
        };
        let before = found.len();
        found.extend(ids.iter().filter(named));
        if found.len() == before && !output.status.success() {
            return Err(format!("rustfmt: {said}"));
        }
    }
    Ok(found)
}
