//! Random machines through eomgen, beside an oracle that shares nothing with it.
//!
//! `random-machines --seed S --count N [--no-compile] [--no-probes] [--no-limits] [--show] [--reduce] [--folder DIR]`

use generated_tests::random::reduce::reduce;
use generated_tests::random::run::{Plan, Tally, run};
use generated_tests::random::trial::Case;
use generated_tests::random::{choice, draw, draw::Dice};
use std::process::ExitCode;

const USAGE: &str = "usage: random-machines [--seed S] [--count N] [--group N] [--folder DIR] [--no-compile] [--no-probes] [--no-limits] [--show] [--reduce]";

struct Asked {
    plan: Plan,
    show: bool,
    reduce: bool,
}

fn arguments() -> Result<Asked, String> {
    let mut asked = Asked {
        plan: Plan {
            seed: 1,
            count: 100,
            folder: std::env::temp_dir().join(format!("random-machines-{}", std::process::id())),
            group: 40,
            compile: true,
            probes: true,
            measured: true,
        },
        show: false,
        reduce: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(a) = arguments.next() {
        let mut value = || arguments.next().ok_or(USAGE);
        let number = |text: String| text.parse::<u64>().map_err(|_| USAGE);
        match a.as_str() {
            "--seed" => asked.plan.seed = number(value()?)?,
            "--count" => asked.plan.count = number(value()?)?,
            "--group" => asked.plan.group = number(value()?)?,
            "--folder" => asked.plan.folder = value()?.into(),
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
    print!("{}", tally.table("by feature", &tally.features));
    print!("{}", tally.table("by method", &tally.methods));
    print!("{}", tally.table("by check", &tally.checks));
    println!("machines: {}", tally.machines);
    println!(
        "slowest: {:.2} s (seed {})",
        tally.slowest.0, tally.slowest.1
    );
    println!(
        "largest: {:.0} MiB (seed {})",
        tally.largest.0, tally.largest.1
    );
    println!("words of the language: {:?}", tally.words);
    println!("codes: {:?}", tally.codes);
    println!(
        "wrong: {}, unclear: {}",
        tally.wrong.len(),
        tally.unclear.len()
    );
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
        for seed in asked.plan.seed..asked.plan.seed + asked.plan.count {
            let machine = draw::machine(seed);
            println!("// seed {seed}: {:?}\n{}", options(seed), machine.text());
            for (name, text) in machine.files() {
                println!("// {name}\n{text}");
            }
            match Case::new(seed) {
                Ok(case) => case
                    .samples
                    .iter()
                    .for_each(|s| println!("// special: {}, {:?}", s.special, s.state)),
                Err(text) => println!("// {text}"),
            }
        }
    }
    let mut told = (0, 0);
    let result = run(&asked.plan, |tally| {
        for (seed, check, text) in &tally.wrong[told.0..] {
            println!("WRONG seed {seed}, {check}: {}", first_lines(text));
        }
        for (seed, check, text) in &tally.unclear[told.1..] {
            println!("unclear seed {seed}, {check}: {}", first_lines(text));
        }
        told = (tally.wrong.len(), tally.unclear.len());
        eprintln!("{} machines, {} wrong", tally.machines, tally.wrong.len());
    });
    let tally = match result {
        Ok(tally) => tally,
        Err(text) => {
            eprintln!("{text}");
            return ExitCode::FAILURE;
        }
    };
    report(&tally);
    if asked.reduce {
        let mut seeds: Vec<u64> = tally.wrong.iter().map(|(s, _, _)| *s).collect();
        seeds.dedup();
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
