//! Machines that nobody wrote: drawn from a seed, evaluated beside an oracle that shares nothing with the library. The program
//! `random-machines` goes on where this stops, and compiles the modules too.

use generated_tests::random::trial::{Case, Verdict};

/// What is wrong with the machines of these seeds, by `eval`.
fn wrong(seeds: impl Iterator<Item = u64>) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut agreed = 0;
    for seed in seeds {
        match Case::new(seed) {
            Ok(case) => {
                for verdict in case.evaluated() {
                    match verdict {
                        Verdict::Agree => agreed += 1,
                        Verdict::Wrong(text) => complaints.push(format!("seed {seed}: {text}")),
                        _ => {}
                    }
                }
            }
            Err(text) => complaints.push(format!("seed {seed}: the oracle cannot follow: {text}")),
        }
    }
    assert!(agreed > 0);
    complaints
}

#[test]
fn a_hundred_random_machines_move_as_the_oracle_says() {
    let complaints = wrong(0..100);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
