//! Random machines through eomgen, beside an oracle that shares nothing with it.
//!
//! `random-machines --seed S --count N [--log FILE] [--until-wrong] [--no-compile] [--no-probes] [--no-limits] [--show] [--reduce] [--folder DIR]`
//! draws and tries them; with `--log`, what the file has is not tried again. `random-machines --table FILE...` adds logs up.

use generated_tests::random::record::{Record, Tally};
use generated_tests::random::reduce::reduce;
use generated_tests::random::run::{Plan, run};
use generated_tests::random::trial::Case;
use generated_tests::random::{choice, draw, draw::Dice, language};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: random-machines [--seed S] [--count N] [--log FILE] [--until-wrong] [--group N] [--folder DIR] [--no-compile] [--no-probes] [--no-limits] [--show] [--reduce]
       random-machines --table FILE...";

struct Asked {
    plan: Plan,
    log: Option<PathBuf>,
    tables: Vec<PathBuf>,
    until_wrong: bool,
    show: bool,
    reduce: bool,
}

impl Asked {
    fn new() -> Self {
        let folder = format!("random-machines-{}", std::process::id());
        Self {
            plan: Plan {
                seed: 1,
                count: 100,
                folder: std::env::temp_dir().join(folder),
                group: 40,
                compile: true,
                probes: true,
                measured: true,
            },
            log: None,
            tables: Vec::new(),
            until_wrong: false,
            show: false,
            reduce: false,
        }
    }
}

fn arguments() -> Result<Asked, String> {
    let mut asked = Asked::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(a) = arguments.next() {
        let mut value = || arguments.next().ok_or(USAGE);
        let number = |text: String| text.parse::<u64>().map_err(|_| USAGE);
        match a.as_str() {
            "--seed" => asked.plan.seed = number(value()?)?,
            "--count" => asked.plan.count = number(value()?)?,
            "--group" => asked.plan.group = number(value()?)?,
            "--folder" => asked.plan.folder = value()?.into(),
            "--log" => asked.log = Some(value()?.into()),
            "--table" => asked.tables.extend(arguments.by_ref().map(PathBuf::from)),
            "--until-wrong" => asked.until_wrong = true,
            "--no-compile" => asked.plan.compile = false,
            "--no-limits" => asked.plan.measured = false,
            "--no-probes" => asked.plan.probes = false,
            "--show" => asked.show = true,
            "--reduce" => asked.reduce = true,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(asked)
}

/// The options of a seed, as they were drawn.
fn options(seed: u64) -> eomgen::options::DeriveOptions {
    choice::options(&mut Dice::new(seed ^ 0x5eed), &draw::machine(seed))
}

fn first_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().take(40).collect();
    let text: String = lines.join(" | ");
    text.chars().take(4000).collect()
}

fn report(tally: &Tally) {
    print!("{}", Tally::table("by feature", &tally.features));
    print!("{}", Tally::table("by method", &tally.methods));
    print!("{}", Tally::table("by check", &tally.checks));
    let seeds = (tally.seeds.first(), tally.seeds.last());
    if let (Some(first), Some(last)) = seeds {
        println!("machines: {}, seeds {first} to {last}", tally.seeds.len());
    }
    println!(
        "slowest: {:.2} s (seed {})",
        tally.slowest.0, tally.slowest.1
    );
    println!(
        "largest: {:.0} MiB (seed {})",
        tally.largest.0, tally.largest.1
    );
    print!("{}", language::shares(&tally.words, &tally.codes));
    println!(
        "wrong: {}, unclear: {}",
        tally.wrong.len(),
        tally.unclear.len()
    );
}

/// What a log says.
fn read(log: &Path, tally: &mut Tally) -> Result<(), String> {
    let text = fs::read_to_string(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let records = text.lines().filter_map(Record::read);
    records.for_each(|r| tally.add(&r));
    Ok(())
}

fn write(log: &Path, records: &[Record]) -> Result<(), String> {
    let failed = |e| format!("{}: {e}", log.display());
    let mut file = (OpenOptions::new().create(true).append(true))
        .open(log)
        .map_err(failed)?;
    let lines: Vec<String> = records.iter().map(|r| r.line() + "\n").collect();
    file.write_all(lines.concat().as_bytes()).map_err(failed)
}

fn tell(record: &Record) {
    for v in &record.verdicts {
        if v.is_wrong() {
            let text = first_lines(&v.text);
            println!("WRONG seed {}, {}: {text}", record.seed, v.check);
        } else if v.word == "unclear" {
            let text = first_lines(&v.text);
            println!("unclear seed {}, {}: {text}", record.seed, v.check);
        }
    }
}

/// Tries what the log does not have.
fn try_all(asked: &Asked, tally: &mut Tally) -> Result<(), String> {
    if let Some(log) = asked.log.as_ref().filter(|log| log.exists()) {
        read(log, tally)?;
    }
    let done: BTreeSet<u64> = tally.seeds.clone();
    run(&asked.plan, &done, |records| {
        if let Some(log) = &asked.log {
            write(log, &records)?;
        }
        for record in &records {
            tell(record);
            tally.add(record);
        }
        eprintln!(
            "{} machines, {} wrong",
            tally.seeds.len(),
            tally.wrong.len()
        );
        Ok(!asked.until_wrong || tally.wrong.is_empty())
    })
}

fn show(plan: &Plan) {
    for seed in plan.seed..plan.seed + plan.count {
        let machine = draw::machine(seed);
        println!("// seed {seed}: {:?}\n{}", options(seed), machine.text());
        for (name, text) in machine.files() {
            println!("// {name}\n{text}");
        }
        match Case::new(seed) {
            Ok(case) => (case.samples.iter())
                .for_each(|s| println!("// special: {}, {:?}", s.special, s.state)),
            Err(text) => println!("// {text}"),
        }
    }
}

fn main() -> ExitCode {
    let asked = match arguments() {
        Ok(asked) => asked,
        Err(usage) => {
            eprintln!("{usage}");
            return ExitCode::from(2);
        }
    };
    if asked.show {
        show(&asked.plan);
    }
    let mut tally = Tally::default();
    let result = if asked.tables.is_empty() {
        try_all(&asked, &mut tally)
    } else {
        asked
            .tables
            .iter()
            .try_for_each(|log| read(log, &mut tally))
    };
    if let Err(text) = result {
        eprintln!("{text}");
        return ExitCode::FAILURE;
    }
    report(&tally);
    if asked.reduce {
        let seeds: BTreeSet<u64> = tally.wrong.iter().map(|(s, _, _)| *s).collect();
        for seed in seeds {
            let (machine, chosen) = reduce(&draw::machine(seed), seed, &options(seed), &asked.plan);
            println!(
                "// reduced from seed {seed}: {chosen:?}\n{}",
                machine.text()
            );
        }
    }
    if tally.wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
