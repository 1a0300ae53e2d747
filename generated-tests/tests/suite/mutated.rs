//! Models that somebody, or some fault, has changed: they are derived, or refused with a code, in little time. Nothing else may happen.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use eomgen::internals::input::read_source;
use eomgen::options::DeriveOptions;
use eomgen::{Failure, Source, derive_source, methods};

/// A tenth of this optimised.
const LONGEST: Duration = Duration::from_secs(100);

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// What words are replaced by, beside other words of the same model.
const WORDS: [&str; 34] = [
    "0", "1", "-1", "2", "1e300", "1e-300", "999", "0.5", "sqrt", "sin", "cos", "abs", "exp", "ln",
    "min", "norm", "dot", "cross", "vel", "acc", "N.x", "N.z", "O", "t", "pi", "+", "-", "*", "/",
    "^2", "^-1", "^(1/3)", "'", "''",
];

/// Lines that are added.
const LINES: [&str; 12] = [
    "constraint added: 0 = 0",
    "constraint added: t = 1",
    "param added = 1e300",
    "coord added",
    "coord added = 1 : m > 0",
    "output added = t^1000",
    "output added = 1/sin(t)",
    "gravity: 0*N.x",
    "assume t > 0",
    "speed added = 1",
    "let added = 1/0",
    "kinetic added = t^2",
];

/// Pieces of a line: words, numbers, and single signs.
fn pieces(line: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let mut word = false;
    for c in line.chars() {
        let is_part = c.is_alphanumeric() || c == '_' || c == '.';
        match list.last_mut() {
            Some(last) if word && is_part => last.push(c),
            _ => list.push(c.to_string()),
        }
        word = is_part;
    }
    list
}

/// A model with one to four changes.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text
        .lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .map(str::to_owned)
        .collect();
    for _ in 0..=random.below(4) {
        let at = random.below(lines.len());
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => {
                let line = lines[at].clone();
                lines.insert(at, line);
            }
            2 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            3 => lines.push((*random.of(&LINES)).to_owned()),
            _ => {
                let mut own = pieces(&lines[at]);
                let other = pieces(&lines[random.below(lines.len())].clone());
                if own.is_empty() || other.is_empty() {
                    continue;
                }
                let place = random.below(own.len());
                let word = if random.below(2) == 0 {
                    (*random.of(&WORDS)).to_owned()
                } else {
                    random.of(&other).clone()
                };
                if random.below(3) == 0 {
                    own.insert(place, word);
                } else {
                    own[place] = word;
                }
                lines[at] = own.concat();
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n") + "\n"
}

/// Derives changed models, as many of those that the front end lets pass as are asked for.
fn derive_changed(seed: u64, count: usize) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    let mut models: Vec<String> = Vec::new();
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    names.sort();
    for path in names
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "eom"))
    {
        let text = std::fs::read_to_string(path).unwrap();
        // Large ones take longer than they teach.
        if text.len() < 1500 && !text.contains("use \"") {
            models.push(text);
        }
    }
    assert!(models.len() > 30, "{} models", models.len());
    let mut random = Random(seed);
    let (mut tried, mut derived) = (0, 0);
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    while derived < count {
        tried += 1;
        assert!(tried < 200 * count + 200, "{derived} of {tried} pass");
        let text = mutated(random.of(&models[..]).as_str(), &mut random);
        let method = random.of(&methods()).name;
        let source = Source::new("changed.eom", &text);
        if let Err(failure) = read_source(&source, &[]) {
            assert!(
                matches!(failure, Failure::Diagnostics(_)),
                "{failure:?}\n{text}"
            );
            continue;
        }
        derived += 1;
        let options = DeriveOptions {
            method: Some(method.to_owned()),
            ..DeriveOptions::default()
        };
        let start = Instant::now();
        match derive_source(&source, &options) {
            Ok(_) => *refused.entry("derived").or_default() += 1,
            Err(Failure::Diagnostics(list)) => {
                let first = list.iter().find(|d| d.code.starts_with('E'));
                *refused.entry(first.map_or("none", |d| d.code)).or_default() += 1;
            }
            Err(Failure::Message(message)) => panic!("{method}: {message}\n{text}"),
        }
        let time = start.elapsed();
        assert!(time < LONGEST, "{method} takes {time:?}:\n{text}");
    }
    println!("{tried} tried, {derived} pass the front end: {refused:?}");
    assert!(
        refused.get("derived").is_some_and(|n| 3 * n > count),
        "{refused:?}"
    );
    assert!(!refused.contains_key("E0399"), "{refused:?}");
}

#[test]
fn a_few_changed_models_are_derived_or_refused() {
    derive_changed(1, 12);
}

#[test]
#[ignore = "minutes: cargo test -p generated-tests --test suite mutated -- --ignored"]
fn many_changed_models_are_derived_or_refused() {
    derive_changed(2, 400);
}
