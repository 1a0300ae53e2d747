//! Random machines through eomgen, beside an oracle.

use generated_tests::random::trial::{Verdict, trial};
use std::collections::BTreeMap;

fn main() {
    let mut seed = 1;
    let mut count = 100;
    let mut show = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(a) = arguments.next() {
        let mut number = || arguments.next().and_then(|v| v.parse().ok()).unwrap_or(1);
        match a.as_str() {
            "--seed" => seed = number(),
            "--count" => count = number(),
            "--show" => show = true,
            _ => eprintln!("--seed S --count N"),
        }
    }
    let mut table: BTreeMap<String, usize> = BTreeMap::new();
    for s in seed..seed + count {
        let start = std::time::Instant::now();
        if show {
            println!("{}", generated_tests::random::draw::machine(s).text());
        }
        let (machine, trial) = trial(s);
        let time = start.elapsed().as_secs_f64();
        if show {
            println!("{}\n{:?}", machine.text(), trial.options);
        }
        for v in &trial.verdicts {
            let key = match v {
                Verdict::Wrong(w) => {
                    println!("seed {s}: {w}");
                    "wrong".into()
                }
                Verdict::Unclear(w) => {
                    println!("seed {s}: unclear {w}");
                    "unclear".into()
                }
                Verdict::Refused(code) => format!("refused {code}"),
                other => format!("{other:?}"),
            };
            *table.entry(key).or_default() += 1;
        }
        if time > 5.0 {
            println!("seed {s}: {time:.1} s");
        }
    }
    println!("{table:#?}");
}
