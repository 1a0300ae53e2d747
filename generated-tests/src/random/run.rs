//! Many machines, one after the other: drawn, derived, compiled in groups, run beside the oracle, counted.

use super::differences;
use super::machine::{Machine, Statement, keywords};
use super::report;
use super::trial::{Case, Sample, Verdict, eval_input, message, source};
use crate::running::{self, Job, Polynomial, Ran};
use eomgen::options::{Scalar, VerifyOptions};
use eomgen::{Failure, Standing, verify_source};
use std::collections::{BTreeMap, BTreeSet};
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

/// What has been counted.
#[derive(Default)]
pub struct Tally {
    /// Verdicts by method.
    pub methods: BTreeMap<String, BTreeMap<String, usize>>,
    /// Verdicts by feature.
    pub features: BTreeMap<String, BTreeMap<String, usize>>,
    /// Verdicts by what was asked: module, eval, verify, ...
    pub checks: BTreeMap<String, BTreeMap<String, usize>>,
    /// Codes of messages.
    pub codes: BTreeSet<String>,
    /// Words of the language.
    pub words: BTreeSet<String>,
    /// What is wrong: seed, check, what.
    pub wrong: Vec<(u64, String, String)>,
    /// What cannot be said: seed, check, why.
    pub unclear: Vec<(u64, String, String)>,
    /// Machines.
    pub machines: usize,
    /// The longest derivation: seconds, seed.
    pub slowest: (f64, u64),
    /// The one with the most memory: MiB, seed.
    pub largest: (f64, u64),
}

fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Agree => "agree".into(),
        Verdict::Refused(code) => format!("refused {code}"),
        Verdict::Singular => "singular".into(),
        Verdict::Unclear(_) => "unclear".into(),
        Verdict::Wrong(_) => "wrong".into(),
    }
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
        Ok(certificate) if certificate.standing() == Standing::NotProven => {
            Verdict::Unclear(certificate.to_string())
        }
        // Where no state meets the constraints, there is nothing to check at.
        Ok(_) if !derived.case.solvable() => Verdict::Singular,
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

/// The words of the language that a machine uses: keywords, functions, ways to turn.
fn words(machine: &Machine) -> BTreeSet<String> {
    let mut words: BTreeSet<String> = keywords(machine).keys().map(|k| (*k).to_owned()).collect();
    let text = machine.text();
    let bytes = text.as_bytes();
    let mut start = None;
    for (i, c) in text.char_indices() {
        if c.is_ascii_alphabetic() || c == '_' {
            start.get_or_insert(i);
        } else if !c.is_ascii_digit() {
            if let Some(s) = start
                && bytes[i] == b'('
            {
                words.insert(text[s..i].to_owned());
            }
            start = None;
        }
    }
    for clause in [
        "opposite on",
        "about",
        "in",
        "then",
        "and",
        "or",
        "not",
        "stiffness",
        "tension",
    ] {
        if text.contains(&format!(" {clause} ")) {
            words.insert(clause.to_owned());
        }
    }
    words
}

impl Tally {
    fn add(&mut self, derived: &Derived) {
        self.machines += 1;
        let case = &derived.case;
        let method = case
            .options
            .method
            .clone()
            .unwrap_or_else(|| "default".into());
        for (check, verdict) in &derived.verdicts {
            let word = word(verdict);
            let count = |table: &mut BTreeMap<String, BTreeMap<String, usize>>, key: &str| {
                let row = table.entry(key.to_owned()).or_default();
                *row.entry(word.clone()).or_default() += 1;
            };
            count(&mut self.checks, check);
            count(&mut self.methods, &method);
            for feature in &case.machine.features {
                count(&mut self.features, feature);
            }
            match verdict {
                Verdict::Wrong(text) => {
                    self.wrong.push((case.seed, (*check).into(), text.clone()));
                }
                Verdict::Unclear(text) => {
                    self.unclear
                        .push((case.seed, (*check).into(), text.clone()));
                }
                _ => {}
            }
        }
        self.codes.extend(derived.codes.iter().cloned());
        self.words.extend(words(&case.machine));
        if derived.seconds > self.slowest.0 {
            self.slowest = (derived.seconds, case.seed);
        }
        if derived.mebibytes > self.largest.0 {
            self.largest = (derived.mebibytes, case.seed);
        }
    }

    /// A table of verdicts.
    pub fn table(&self, title: &str, rows: &BTreeMap<String, BTreeMap<String, usize>>) -> String {
        let mut text = format!("{title}\n");
        for (key, counts) in rows {
            let counts: Vec<_> = counts.iter().map(|(w, n)| format!("{w} {n}")).collect();
            text += &format!("  {key:34} {}\n", counts.join(", "));
        }
        text
    }
}

/// Runs machines, and tells of each group as it is done.
///
/// # Errors
/// Where the compiler cannot be run.
pub fn run(plan: &Plan, mut tell: impl FnMut(&Tally)) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let (send, receive) = mpsc::sync_channel::<Vec<Derived>>(2);
    std::thread::scope(|scope| -> Result<(), String> {
        let deriving = move || {
            let mut group = Vec::new();
            for seed in plan.seed..plan.seed + plan.count {
                match Case::new(seed) {
                    Ok(case) => group.push(derive(case, plan)),
                    Err(text) => eprintln!("seed {seed}: the oracle cannot follow: {text}"),
                }
                let full = group.len() as u64 >= plan.group;
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
                run_group(&mut group, plan)?;
            }
            group.iter().for_each(|d| tally.add(d));
            tell(&tally);
        }
        Ok(())
    })?;
    Ok(tally)
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
