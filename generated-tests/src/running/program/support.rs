//! The part of the program that no module needs a line of: reads states, calls, compares, prints. The library includes this file as text.

use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// What a function gave: numbers, or the condition that failed and how close it was.
pub type Got = Result<Vec<f64>, (usize, f64)>;

/// What a function gave for many states.
pub struct Many {
    /// The index of the function for one state.
    pub of: usize,
    pub name: &'static str,
    /// Each entry of the result for all states.
    pub out: Vec<Vec<f64>>,
    /// The first state that failed, and its condition.
    pub error: Option<(usize, usize)>,
}

/// The columns of times and inputs.
#[derive(Clone, Copy, PartialEq)]
pub enum Columns {
    /// An entry for each state.
    Whole,
    /// One entry for all states.
    Single,
    /// Two times, which is the wrong number.
    Short,
}

/// What is in a result before it is written.
pub const UNTOUCHED: f64 = 7.0;

/// An error that names no state.
pub const LENGTH: (usize, usize) = (usize::MAX, usize::MAX);

pub fn times<N: Copy>(column: Vec<N>, columns: Columns) -> Vec<N> {
    match columns {
        Columns::Whole => column,
        Columns::Single => column[..1].to_vec(),
        Columns::Short => column[..2].to_vec(),
    }
}

pub fn given<N: Copy>(column: Vec<N>, columns: Columns) -> Vec<N> {
    if columns == Columns::Single { column[..1].to_vec() } else { column }
}

/// A module and the functions that call it.
pub struct Driver {
    pub id: usize,
    /// The functions, and whether each returns a `Result`.
    pub names: &'static [(&'static str, bool)],
    /// Where parameters begin, inputs, and all other arguments.
    pub params: usize,
    pub inputs: usize,
    pub others: usize,
    pub defaults: fn() -> Vec<f64>,
    pub plain: fn(&[f64], &mut Vec<Got>),
    pub variants: fn(&[f64], &mut Vec<(usize, &'static str, Got)>),
    pub many: Option<fn(&[Vec<f64>], Columns, &mut Vec<Many>)>,
    /// The greatest difference of results that may differ by rounding, relative to the largest.
    pub tolerance: f64,
    /// Products are fused with sums, where they have no other use: a function that asks for less may round otherwise.
    pub fused: bool,
}

/// The number of states of a batch: whole blocks of both sizes, and a remainder, for both types of numbers.
const BATCH: usize = 77;

/// Sums of this size, where all else is of the size of 1, are rounding errors of zero.
const NOTHING: f64 = 1e-3;

/// Numbers that no function may turn into a result that is not a number.
const PROBES: [f64; 5] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200, -1e200];

pub fn sure(values: &[f64]) -> Got {
    Ok(values.to_vec())
}

pub fn sure32(values: &[f32]) -> Got {
    Ok(values.iter().map(|x| f64::from(*x)).collect())
}

pub fn take<const K: usize>(x: &[f64]) -> [f64; K] {
    let mut out = [0.0; K];
    out.copy_from_slice(&x[..K]);
    out
}

pub fn take32<const K: usize>(x: &[f64]) -> [f32; K] {
    let mut out = [0.0; K];
    out.iter_mut().zip(x).for_each(|(o, x)| *o = *x as f32);
    out
}

/// A polynomial with its gradient and its Hessian.
pub fn jet(terms: &[(f64, &[u32])], x: &[f64]) -> (f64, Vec<f64>, Vec<Vec<f64>>) {
    let n = x.len();
    let (mut value, mut gradient, mut hessian) = (0.0, vec![0.0; n], vec![vec![0.0; n]; n]);
    // The factor and the exponents of a derivative.
    let along = |(factor, exponents): &(f64, Vec<u32>), i: usize| {
        let mut lower = exponents.clone();
        lower[i] = lower[i].saturating_sub(1);
        (factor * f64::from(exponents[i]), lower)
    };
    let at = |(factor, exponents): &(f64, Vec<u32>)| {
        if *factor == 0.0 {
            return 0.0;
        }
        let powers = x.iter().zip(exponents).filter(|(_, e)| **e > 0);
        powers.fold(*factor, |product, (x, e)| (0..*e).fold(product, |product, _| product * x))
    };
    for (factor, exponents) in terms {
        let mut exponents = exponents.to_vec();
        exponents.resize(n, 0);
        let term = (*factor, exponents);
        value += at(&term);
        for i in 0..n {
            let first = along(&term, i);
            gradient[i] += at(&first);
            for j in 0..n {
                hessian[i][j] += at(&along(&first, j));
            }
        }
    }
    (value, gradient, hessian)
}

fn bits(x: f64) -> String {
    format!("{:x}", x.to_bits())
}

/// The same to the last bit; all that are not numbers are one.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |w, x| w.max(x.abs()))
}

fn describe(got: &Got) -> String {
    match got {
        Ok(values) => format!("{values:?}"),
        Err((condition, closeness)) => format!("condition {condition} (closeness {closeness:e})"),
    }
}

/// Notes of a module, one of each kind for each function.
struct Notes {
    lines: Vec<(String, String, usize)>,
}

impl Notes {
    fn add(&mut self, kind: &str, function: &str, sample: usize, text: impl FnOnce() -> String) {
        let head = format!("X {kind} {function}");
        match self.lines.iter_mut().find(|(h, ..)| *h == head) {
            Some((_, _, count)) => *count += 1,
            None => self.lines.push((head, format!("{sample} {}", text()), 1)),
        }
    }
}

/// A sample with the module's own parameters where none are given.
fn filled(driver: &Driver, given: &[Option<f64>], defaults: &[f64]) -> Vec<f64> {
    let at = |(slot, x): (usize, &Option<f64>)| {
        let default = || defaults.get(slot.wrapping_sub(driver.params)).copied();
        x.or_else(default).unwrap_or(f64::NAN)
    };
    given.iter().enumerate().map(at).collect()
}

/// All functions at one sample, and their variants.
fn sample(driver: &Driver, number: usize, x: &[f64], notes: &mut Notes) -> Vec<Got> {
    let mut plain = Vec::new();
    (driver.plain)(x, &mut plain);
    let mut variants = Vec::new();
    (driver.variants)(x, &mut variants);
    for (of, name, got) in &variants {
        let agree = match (&plain[*of], got) {
            (Ok(a), Ok(b)) => {
                let rounded = driver.fused;
                // What cancels, such as a residual, is as exact as what it is made of.
                let size = if rounded { driver.tolerance * largest(a).max(NOTHING) } else { 0.0 };
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b) || rounded && (a - b).abs() <= size)
            }
            (Err(a), Err(b)) => a.0 == b.0 && same(a.1, b.1),
            // Without its checks a function that fails has some result or other.
            (Err(_), Ok(_)) => name.ends_with("(unchecked)"),
            (Ok(_), Err(_)) => false,
        };
        if !agree {
            notes.add("variant", name, number, || {
                format!("{} is not {}", describe(got), describe(&plain[*of]))
            });
        }
    }
    for ((name, _), got) in driver.names.iter().zip(&plain) {
        if got.as_ref().is_ok_and(|v| v.iter().any(|x| !x.is_finite())) {
            notes.add("nonfinite", name, number, || describe(got));
        }
    }
    plain
}

/// Samples as many states at once, with the parameters of the first.
fn many(driver: &Driver, samples: &[Vec<f64>], notes: &mut Notes) {
    let Some(call) = driver.many else { return };
    let Some(first) = samples.first() else { return };
    let params = driver.params..driver.inputs;
    let alike = |x: &&Vec<f64>| {
        let pairs = x[params.clone()].iter().zip(&first[params.clone()]);
        pairs.into_iter().all(|(a, b)| same(*a, *b))
    };
    let alike: Vec<Vec<f64>> = samples.iter().filter(alike).cloned().collect();
    compare_many(driver, call, Columns::Whole, &alike, notes);
    let mut together = alike.clone();
    for x in &mut together {
        x[0] = first[0];
        x[driver.inputs..driver.others].copy_from_slice(&first[driver.inputs..driver.others]);
    }
    compare_many(driver, call, Columns::Single, &together, notes);
    let mut found = Vec::new();
    call(&repeated(&alike), Columns::Short, &mut found);
    for many in &found {
        if many.error != Some(LENGTH) {
            notes.add("batch", many.name, 0, || format!("two times for {BATCH} states: {:?}", many.error));
        }
        if many.out.iter().flatten().any(|x| *x != UNTOUCHED) {
            notes.add("batch", many.name, 0, || "wrote results although a length is wrong".to_owned());
        }
    }
}

fn repeated(samples: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..BATCH).map(|k| samples[k % samples.len()].clone()).collect()
}

fn compare_many(
    driver: &Driver,
    call: fn(&[Vec<f64>], Columns, &mut Vec<Many>),
    columns: Columns,
    samples: &[Vec<f64>],
    notes: &mut Notes,
) {
    let single = |x: &Vec<f64>| {
        let mut plain = Vec::new();
        (driver.plain)(x, &mut plain);
        plain
    };
    let singles: Vec<Vec<Got>> = samples.iter().map(single).collect();
    let mut found = Vec::new();
    call(&repeated(samples), columns, &mut found);
    for many in &found {
        let Some(count) = many.out.first().map(Vec::len) else { continue };
        let sample = |k: usize| k % samples.len();
        let wanted: Vec<&Got> = (0..count).map(|k| &singles[sample(k)][many.of]).collect();
        // All functions and places give the same; the first function decides. Fused, each function rounds in its own way.
        let model = found.iter().find(|m| m.of == many.of && !driver.fused).unwrap_or(many);
        let fails = wanted.iter().enumerate();
        let error = fails.filter_map(|(k, got)| Some((k, got.as_ref().err()?.0))).next();
        if error != many.error {
            notes.add("batch", many.name, 0, || {
                format!("fails {:?}, one by one {error:?} (state, condition)", many.error)
            });
        }
        let scale = wanted.iter().map(|got| got.as_ref().map_or(0.0, |v| largest(v))).filter(|x| x.is_finite()).fold(0.0, f64::max);
        for (k, got) in wanted.iter().enumerate() {
            for (entry, column) in many.out.iter().enumerate() {
                let (x, other) = (column[k], model.out[entry][sample(k)]);
                let agree = match got {
                    Ok(values) => same(values[entry], x) || (values[entry] - x).abs() <= driver.tolerance * scale.max(NOTHING),
                    Err(_) => x.is_nan(),
                };
                if !agree {
                    notes.add("batch", many.name, sample(k), || {
                        format!("entry {entry}: {x:?}, one by one {}", describe(got))
                    });
                }
                if !same(x, other) {
                    notes.add("places", many.name, sample(k), || {
                        format!("entry {entry} of state {k}: {x:?}, elsewhere {other:?}")
                    });
                }
            }
        }
    }
}

/// Every argument in turn as none that a function can use: no function that can fail returns what is not finite.
fn probes(driver: &Driver, x: &[f64], notes: &mut Notes) {
    let mut got = Vec::new();
    for slot in 0..x.len() {
        for probe in PROBES {
            let mut x = x.to_vec();
            x[slot] = probe;
            got.clear();
            (driver.plain)(&x, &mut got);
            for ((name, fallible), got) in driver.names.iter().zip(&got) {
                if *fallible && got.as_ref().is_ok_and(|v| v.iter().any(|x| !x.is_finite())) {
                    notes.add("probe", name, slot, || format!("{probe:?} gives {}", describe(got)));
                }
            }
        }
    }
}

static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs something, and prints how it panicked if it did.
fn guarded(number: usize, work: impl FnOnce()) -> bool {
    let done = catch_unwind(AssertUnwindSafe(work)).is_ok();
    if !done {
        println!("P {number} {}", PANIC.lock().map(|m| m.replace('\n', " ")).unwrap_or_default());
    }
    done
}

fn job(driver: &Driver, samples: &[Vec<Option<f64>>], probing: bool) {
    let mut notes = Notes { lines: Vec::new() };
    let mut xs = Vec::new();
    let mut whole = guarded(0, || {
        let defaults = (driver.defaults)();
        xs = samples.iter().map(|given| filled(driver, given, &defaults)).collect();
    });
    for (number, x) in xs.iter().enumerate() {
        whole &= guarded(number, || {
            let mut text = format!("S {number}\n");
            for got in sample(driver, number, x, &mut notes) {
                match got {
                    Ok(values) => {
                        text.push('O');
                        values.iter().for_each(|x| {
                            text.push(' ');
                            text.push_str(&bits(*x));
                        });
                        text.push('\n');
                    }
                    Err((condition, closeness)) => {
                        let _ = writeln!(text, "F {condition} {}", bits(closeness));
                    }
                }
            }
            print!("{text}");
        });
    }
    if whole {
        whole &= guarded(xs.len(), || many(driver, &xs, &mut notes));
    }
    if let (true, true, Some(x)) = (whole, probing, xs.first()) {
        guarded(xs.len(), || probes(driver, x, &mut notes));
    }
    for (head, text, count) in &notes.lines {
        println!("{head} {count} {text}");
    }
}

/// The arguments: the file of samples, `probe` or not.
pub fn main(drivers: &[Driver]) {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut message) = PANIC.lock() {
            *message = info.to_string();
        }
    }));
    let arguments: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&arguments[1]).unwrap();
    let probing = arguments[2] == "probe";
    let mut jobs: Vec<(usize, Vec<Vec<Option<f64>>>)> = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        match words.next() {
            Some("J") => jobs.push((words.next().unwrap().parse().unwrap(), Vec::new())),
            _ => {
                let number = |word: &str| u64::from_str_radix(word, 16).ok().map(f64::from_bits);
                jobs.last_mut().unwrap().1.push(words.map(number).collect());
            }
        }
    }
    for (id, samples) in &jobs {
        let Some(driver) = drivers.iter().find(|d| d.id == *id) else { continue };
        println!("J {id}");
        let _ = std::io::stdout().flush();
        job(driver, samples, probing);
        println!("E {id}");
        let _ = std::io::stdout().flush();
    }
}
