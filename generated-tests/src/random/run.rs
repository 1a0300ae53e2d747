//! Many machines, one after the other: drawn, derived, compiled in groups, run beside the oracle, written down.

use super::differences;
use super::language;
use super::machine::{Machine, Statement};
use super::mistakes;
use super::record::{Judged, Record};
use super::report;
use super::trial::{Case, Sample, Verdict, eval_input, message, source};
use crate::running::{self, Job, Polynomial, Ran};
use eomgen::options::{Scalar, VerifyOptions};
use eomgen::{Failure, Standing, verify_source};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Instant;

/// Seconds that a derivation may take.
const SECONDS: f64 = 10.0;
/// MiB that it may take.
const MEBIBYTES: f64 = 1024.0;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first seed.
    pub seed: u64,
    /// How many.
    pub count: u64,
    /// Where compiled modules go.
    pub folder: PathBuf,
    /// How many modules are compiled at once.
    pub group: u64,
    /// Whether modules are compiled; otherwise only `eval` is asked.
    pub compile: bool,
    /// Whether modules are also called with arguments that are no numbers.
    pub probes: bool,
    /// Whether time and memory are measured: only where nothing else is derived at the same time.
    pub measured: bool,
}

/// A case after its derivation.
struct Derived {
    case: Case,
    module: Option<String>,
    verdicts: Vec<(&'static str, Verdict)>,
    codes: BTreeSet<String>,
    seconds: f64,
    mebibytes: f64,
}

/// A line of what the system says of this process, in MiB.
fn memory(line: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix(line));
    let kib = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

/// Starts the count of the most memory anew, where the system can, and tells what the process holds: in a long run that grows, by what the
/// oracle and other machines left.
fn held() -> f64 {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    memory("VmRSS:")
}

/// The processor time of this process so far in seconds, where the system tells it: a derivation that waits for another
/// process's turn with the algebra engine is not slow.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = |k: usize| fields.split_whitespace().nth(k)?.parse::<f64>().ok();
    // User and system time, in hundredths of a second on every Linux.
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn errors_and_notes(failure: &Failure, codes: &mut BTreeSet<String>) {
    if let Failure::Diagnostics(list) = failure {
        codes.extend(list.iter().map(|d| d.code.to_string()));
    }
}

/// Derives a case, and asks whatever its seed is due for.
fn derive(case: Case, plan: &Plan) -> Derived {
    let source = source(&case.machine);
    let seed = case.seed;
    let before = held();
    let start = (Instant::now(), processor_seconds());
    let result = eomgen::derive_source(&source, &case.options);
    let elapsed = start.0.elapsed().as_secs_f64();
    let seconds = match (start.1, processor_seconds()) {
        (Some(from), Some(to)) => elapsed.min(to - from),
        _ => elapsed,
    };
    let mebibytes = memory("VmHWM:") - before;
    let mut derived = Derived {
        module: None,
        verdicts: Vec::new(),
        codes: BTreeSet::new(),
        seconds,
        mebibytes,
        case,
    };
    if plan.measured && (seconds > SECONDS || mebibytes > MEBIBYTES) {
        let text = format!("{seconds:.1} s, {mebibytes:.0} MiB");
        derived.verdicts.push(("speed", Verdict::Wrong(text)));
    } else if seconds > SECONDS / 2.0 || mebibytes > MEBIBYTES / 2.0 {
        eprintln!("seed {seed}: {seconds:.1} s, {mebibytes:.0} MiB");
    }
    match result {
        Ok(out) => {
            derived
                .codes
                .extend(out.warnings.iter().map(|d| d.code.to_string()));
            derived.module = Some(out.code);
        }
        Err(failure) => {
            errors_and_notes(&failure, &mut derived.codes);
            let verdict = derived.case.refused(&failure);
            derived.verdicts.push(("derive", verdict));
            return derived;
        }
    }
    if seed.is_multiple_of(3) || !plan.compile {
        let verdicts = derived.case.evaluated();
        derived
            .verdicts
            .extend(verdicts.into_iter().map(|v| ("eval", v)));
    }
    if seed % 5 == 1 {
        derived.verdicts.push(("same bytes", again(&derived)));
    }
    if seed % 7 == 2 {
        derived.verdicts.push(("format", formatted(&derived)));
    }
    if seed % 8 == 5 {
        let verdict = mistakes::spoiled(&derived.case.machine, seed, &mut derived.codes);
        derived.verdicts.push(("mistakes", verdict));
    }
    if seed % 16 == 6 {
        let verdict = mistakes::undefined(&derived.case.machine, seed);
        derived.verdicts.push(("outside", verdict));
    }
    if seed % 6 == 4 {
        let verdict = report::reported(&derived.case);
        derived.verdicts.push(("check", verdict));
    }
    // Functions of many states, and of numbers of any type, have no proof yet.
    let options = &derived.case.options;
    if seed % 4 == 3 && !options.batch && options.scalar == Scalar::F64 {
        derived.verdicts.push(("verify", verified(&derived)));
    }
    derived
}

fn again(derived: &Derived) -> Verdict {
    match eomgen::derive_source(&source(&derived.case.machine), &derived.case.options) {
        Ok(out) if Some(&out.code) == derived.module.as_ref() => Verdict::Agree,
        Ok(_) => Verdict::Wrong("other bytes the second time".into()),
        Err(f) => Verdict::Wrong(format!("refused the second time: {}", message(&f))),
    }
}

/// A module without its header, which has the hash of the text.
fn body(module: &str) -> String {
    let lines = module.lines().filter(|l| !l.starts_with("// "));
    lines.collect::<Vec<_>>().join("\n")
}

fn formatted(derived: &Derived) -> Verdict {
    let mut source = source(&derived.case.machine);
    let Some(text) = canonical(&source.text) else {
        return Verdict::Wrong("the formatter refuses it".into());
    };
    if canonical(&text).as_ref() != Some(&text) {
        return Verdict::Wrong("formatting twice changes it".into());
    }
    source.text = text;
    match (
        eomgen::derive_source(&source, &derived.case.options),
        &derived.module,
    ) {
        (Ok(out), Some(module)) if body(&out.code) == body(module) => Verdict::Agree,
        (Ok(_), _) => Verdict::Wrong("another module after formatting".into()),
        (Err(f), _) => Verdict::Wrong(format!("refused after formatting: {}", message(&f))),
    }
}

fn canonical(text: &str) -> Option<String> {
    eomgen::internals::syntax::format(text).ok()
}

fn verified(derived: &Derived) -> Verdict {
    let Some(module) = &derived.module else {
        return Verdict::Agree;
    };
    let options = VerifyOptions {
        file: Some(("machine.rs".into(), module.clone())),
        ..VerifyOptions::default()
    };
    match verify_source(&source(&derived.case.machine), &options) {
        Ok(certificate) if certificate.standing() == Standing::Verified => Verdict::Agree,
        // Where no state meets the constraints, there is nothing to check at.
        Ok(_) if !derived.case.solvable() => Verdict::Singular,
        Ok(certificate) if certificate.standing() == Standing::NotProven => {
            Verdict::Unclear(certificate.to_string())
        }
        Ok(certificate) => Verdict::Wrong(format!("not verified: {certificate}")),
        Err(f) => Verdict::Wrong(format!("verify: {}", message(&f))),
    }
}

fn sample_of(case: &Case, sample: &Sample) -> running::Sample {
    let input = eval_input(&case.oracle, &sample.state);
    let mut state: Vec<(String, f64)> = input.q.into_iter().collect();
    state.extend(case.oracle.speeds(&sample.state).unwrap_or_default());
    running::Sample {
        t: input.t,
        state,
        inputs: input.inputs.into_iter().collect(),
        ..running::Sample::default()
    }
}

fn job(derived: &Derived) -> Option<Job> {
    let case = &derived.case;
    let functions = case.oracle.model.statements.iter().filter_map(|s| match s {
        Statement::Function { name, terms, .. } => Some(Polynomial {
            name: name.clone(),
            terms: terms.clone(),
        }),
        _ => None,
    });
    let module = derived.module.clone()?;
    let mut samples: Vec<_> = case.samples.iter().map(|s| sample_of(case, s)).collect();
    if let Some(base) = differentiated(case) {
        samples.extend(differences::around(&module, case, &samples[base]));
    }
    Some(Job {
        module,
        samples,
        functions: functions.collect(),
    })
}

/// The sample at which derivatives are compared with differences, if the options ask for derivatives.
fn differentiated(case: &Case) -> Option<usize> {
    let asked = !case.options.jacobians.is_empty()
        || case.options.outputs.iter().any(|o| o == "linearization");
    let regular = |s: &Sample| s.expected.is_ok() && !s.special;
    asked.then(|| case.samples.iter().position(regular))?
}

/// Compiles and runs a group.
fn run_group(group: &mut [Derived], plan: &Plan) -> Result<(), String> {
    let with_modules: Vec<usize> = (0..group.len())
        .filter(|i| group[*i].module.is_some())
        .collect();
    let jobs: Vec<Job> = with_modules
        .iter()
        .filter_map(|i| job(&group[*i]))
        .collect();
    let settings = running::Settings {
        probes: plan.probes,
        ..running::Settings::new(&plan.folder)
    };
    let results = running::run(&jobs, &settings)?;
    for (i, ran) in with_modules.iter().zip(results) {
        let derived = &mut group[*i];
        let verdicts = judge(&derived.case, &ran);
        derived.verdicts.extend(verdicts);
    }
    let texts: Vec<&str> = jobs.iter().map(|j| j.module.as_str()).collect();
    for place in running::unformatted(&texts, &plan.folder)? {
        let text = "rustfmt would change the module".to_owned();
        let derived = &mut group[with_modules[place]];
        derived.verdicts.push(("rustfmt", Verdict::Wrong(text)));
    }
    Ok(())
}

fn judge(case: &Case, ran: &Ran) -> Vec<(&'static str, Verdict)> {
    let run = match ran {
        Ran::Values(run) => run,
        Ran::Refused(text) => return vec![("rustc", Verdict::Wrong(text.clone()))],
        Ran::Crashed(text) => return vec![("module", Verdict::Wrong(format!("crashed: {text}")))],
        Ran::Unusable(text) => {
            return vec![("module", Verdict::Unclear(format!("cannot be run: {text}")))];
        }
    };
    let mut verdicts = Vec::new();
    for i in 0..case.samples.len() {
        verdicts.push(("module", case.compiled(i, run)));
    }
    if let Some(base) = differentiated(case) {
        let verdict = differences::compare(run, base, case.samples.len());
        verdicts.push(("derivatives", verdict));
    }
    for v in &run.violations {
        // At a state where the oracle has no numbers either, nothing can be promised of functions that do not check.
        if v.kind == running::Kind::NotFinite
            && case
                .samples
                .get(v.sample)
                .is_none_or(|s| s.special || s.expected.is_err())
        {
            continue;
        }
        let text = format!("{:?} {}: {}", v.kind, v.function, v.text);
        verdicts.push(("promises", Verdict::Wrong(text)));
    }
    verdicts
}

/// All texts of a machine.
fn text(machine: &Machine) -> String {
    let files = machine.files().into_iter().map(|(_, text)| text);
    files.chain([machine.text()]).collect()
}

/// Writes down what became of machines.
struct Writer {
    vocabulary: BTreeSet<String>,
}

impl Writer {
    fn record(&self, derived: &Derived) -> Record {
        let case = &derived.case;
        let method = case.options.method.clone();
        let features = case.machine.features.iter().map(|f| (*f).to_owned());
        let verdicts = derived.verdicts.iter();
        Record {
            seed: case.seed,
            method: method.unwrap_or_else(|| "default".into()),
            features: features.collect(),
            words: language::used(&text(&case.machine), &self.vocabulary),
            codes: derived.codes.clone(),
            verdicts: verdicts.map(|(check, v)| Judged::new(check, v)).collect(),
            seconds: derived.seconds,
            mebibytes: derived.mebibytes,
        }
    }
}

/// A machine that the oracle cannot follow: a fault of the draw or of the oracle.
fn unknown(seed: u64, why: String) -> Record {
    Record {
        seed,
        method: "none".into(),
        features: Vec::new(),
        words: BTreeSet::new(),
        codes: BTreeSet::new(),
        verdicts: vec![Judged::new("oracle", &Verdict::Unclear(why))],
        seconds: 0.0,
        mebibytes: 0.0,
    }
}

/// Machines of a group, those among them that the oracle cannot follow already written down.
#[derive(Default)]
struct Group {
    derived: Vec<Derived>,
    records: Vec<Record>,
}

/// Runs machines but for those of these seeds, and tells of each group as it is done; goes on while it is told to.
///
/// # Errors
/// Where the compiler cannot be run.
pub fn run(
    plan: &Plan,
    done: &BTreeSet<u64>,
    mut tell: impl FnMut(Vec<Record>) -> Result<bool, String>,
) -> Result<(), String> {
    let writer = Writer {
        vocabulary: language::vocabulary(),
    };
    let (send, receive) = mpsc::sync_channel::<Group>(2);
    std::thread::scope(|scope| -> Result<(), String> {
        let deriving = move || {
            let mut group = Group::default();
            let seeds = plan.seed..plan.seed + plan.count;
            for seed in seeds.filter(|seed| !done.contains(seed)) {
                match Case::new(seed) {
                    Ok(case) => group.derived.push(derive(case, plan)),
                    Err(text) => group.records.push(unknown(seed, text)),
                }
                let full = group.derived.len() as u64 >= plan.group;
                if full && send.send(std::mem::take(&mut group)).is_err() {
                    return;
                }
            }
            let _ = send.send(group);
        };
        // Deep expressions need a deep stack, as in the program.
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, deriving)
            .map_err(|e| e.to_string())?;
        for mut group in receive {
            if plan.compile {
                run_group(&mut group.derived, plan)?;
            }
            let records = group.derived.iter().map(|d| writer.record(d));
            group.records.extend(records);
            if !tell(group.records)? {
                break;
            }
        }
        Ok(())
    })
}

/// What is wrong with one machine by these options, if anything: the checks and what they say.
pub fn faults(case: Case, plan: &Plan) -> Vec<(String, String)> {
    let mut group = vec![derive(case, plan)];
    if plan.compile
        && let Err(text) = run_group(&mut group, plan)
    {
        return vec![("compiler".into(), text)];
    }
    let wrong = group[0].verdicts.iter().filter_map(|(check, v)| match v {
        Verdict::Wrong(text) => Some(((*check).to_owned(), text.clone())),
        _ => None,
    });
    wrong.collect()
}
