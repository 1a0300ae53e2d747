//! What `check` says of a machine, taken at its word: constants of the motion are written into the model as outputs whose rates must
//! vanish, equations of rows and rates as outputs that must vanish, dependencies as factors of the oracle's rows, degrees of freedom as
//! the oracle's rank.

use super::oracle::Expected;
use super::trial::{Case, Sample, Verdict, code, eval_input, message, source};
use eomgen::options::DeriveOptions;
use serde_json::Value;

/// A statement of the report that can be evaluated.
struct Said {
    what: String,
    expression: String,
    /// Its rate is 0, or itself.
    constant: bool,
}

/// A dependent row and what it is made of: rows and the numbers of their factors in the list of what is evaluated.
struct Dependency {
    row: String,
    shares: Vec<(String, usize)>,
}

#[derive(Default)]
struct Reading {
    said: Vec<Said>,
    factors: Vec<String>,
    dependencies: Vec<Dependency>,
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// A formula with the values of the entries that it names; `None` where one of them is too long to be printed.
fn formula(value: &Value, key: &str) -> Option<String> {
    let mut formula = text(value, key)?.to_owned();
    for part in list(value, "where") {
        let name = text(part, "name")?;
        if formula.contains(name) {
            formula = formula.replace(name, &format!("({})", text(part, "value")?));
        }
    }
    Some(formula)
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

impl Reading {
    fn say(&mut self, what: &str, expression: Option<String>, constant: bool) {
        let Some(expression) = expression else { return };
        let expression = expression.strip_suffix(" = 0").unwrap_or(&expression);
        self.said.push(Said {
            what: what.to_owned(),
            expression: expression.to_owned(),
            constant,
        });
    }

    fn of(report: &Value) -> Self {
        let mut out = Self::default();
        for kept in list(report, "conserved") {
            let name = text(kept, "name").unwrap_or_default();
            let what = format!("conserved {name}");
            out.say(&what, formula(kept, "formula"), true);
        }
        for cyclic in list(report, "cyclic") {
            if cyclic.get("conserved") == Some(&Value::Bool(true)) {
                let name = text(cyclic, "coordinate").unwrap_or_default();
                let what = format!("momentum of {name}");
                out.say(&what, formula(cyclic, "momentum"), true);
            }
        }
        for found in list(report, "integrable_combinations") {
            out.say("integrable combination", formula(found, "relation"), false);
            out.say("integral", formula(found, "integral"), true);
        }
        for inverse in list(report, "inverse_kinematics") {
            if let Some((q, rate)) = text(inverse, "coordinate").zip(formula(inverse, "rate")) {
                let difference = format!("({rate}) - {q}'");
                out.say(&format!("rate of {q}"), Some(difference), false);
            }
        }
        for row in list(report, "constraints")
            .iter()
            .flat_map(|c| list(c, "rows"))
        {
            let name = text(row, "name").unwrap_or_default();
            out.say(&format!("row {name}"), formula(row, "equation"), false);
            let shares = list(row, "combination").iter();
            let shares: Option<Vec<_>> = shares
                .map(|share| Some((text(share, "row")?.to_owned(), text(share, "factor")?)))
                .collect();
            if let Some(shares) = shares.filter(|s| !s.is_empty()) {
                let shares = shares.into_iter().map(|(row, factor)| {
                    out.factors.push(factor.to_owned());
                    (row, out.factors.len() - 1)
                });
                let shares = shares.collect();
                out.dependencies.push(Dependency {
                    row: name.to_owned(),
                    shares,
                });
            }
        }
        out
    }

    /// The model's text with outputs for all of it, `zeroK` and `factorK`.
    fn extended(&self, model: &str) -> String {
        let mut model = model.to_owned();
        for (k, said) in self.said.iter().enumerate() {
            let prime = if said.constant { "'" } else { "" };
            model += &format!("let said{k} = {}\n", said.expression);
            model += &format!("output zero{k} = said{k}{prime}\n");
        }
        for (k, factor) in self.factors.iter().enumerate() {
            model += &format!("output factor{k} = {factor}\n");
        }
        model
    }
}

/// The size of what a rate or an equation consists of.
fn size(motion: &Expected) -> f64 {
    let lists = [&motion.accelerations, &motion.rates, &motion.force];
    let largest = lists
        .into_iter()
        .flatten()
        .fold(1.0_f64, |m, x| m.max(x.abs()));
    largest.max(motion.kinetic).max(motion.potential.abs())
}

/// A row of the oracle by name.
fn row<'m>(motion: &'m Expected, name: &str) -> Option<&'m [f64]> {
    let place = motion.multipliers.iter().position(|(n, _)| n == name)?;
    Some(&motion.rows[place])
}

/// Constraints in the words of the report have the multipliers that they have in those of the model: the same sign, the same scale.
fn rewritten(case: &Case, report: &Value, samples: &[&Sample]) -> Option<String> {
    let fix = &case.options.fix;
    if fix.all || !fix.values.is_empty() {
        // A fixed parameter is printed as a number, without its unit.
        return None;
    }
    let mut source = source(&case.machine);
    let mut names = Vec::new();
    let rows = list(report, "constraints").iter();
    for row in rows.flat_map(|c| list(c, "rows")) {
        let (Some(name), Some(equation)) = (text(row, "name"), formula(row, "equation")) else {
            continue;
        };
        let head = format!("constraint {name}: ");
        let line = |line: &str| {
            if line.starts_with(&head) {
                names.push(name.to_owned());
                format!("{head}{equation}\n")
            } else {
                format!("{line}\n")
            }
        };
        source.text = source.text.lines().map(line).collect();
    }
    if names.is_empty() {
        return None;
    }
    let evaluator = match eomgen::evaluator_source(&source, &DeriveOptions::default()) {
        Ok(evaluator) => evaluator,
        // A row in coordinates no longer says at which points its forces act, which a reaction of the model may ask for.
        Err(failure) if code(&failure) == "E0542" => return None,
        // A row of hundreds of terms in coordinates, of vectors that are short, is longer than the language takes.
        Err(failure) if code(&failure) == "E0008" => return None,
        Err(failure) => return Some(format!("rows as printed: {}", message(&failure))),
    };
    for sample in samples {
        let (Ok(motion), Some(near)) = (&sample.expected, &sample.nearby) else {
            continue;
        };
        let Ok(found) = evaluator.eval(&eval_input(&case.oracle, &sample.state)) else {
            continue;
        };
        let size = |list: &[(String, f64)]| list.iter().fold(1.0_f64, |m, (_, x)| m.max(x.abs()));
        let allowed = 1e-7 * size(&motion.multipliers);
        for name in &names {
            let get = |list: &[(String, f64)]| {
                let found = list.iter().find(|(n, _)| n == name);
                found.map(|(_, value)| *value)
            };
            let Some(has) = get(&found.multipliers) else {
                continue;
            };
            let (wanted, nearby) = (get(&motion.multipliers)?, get(&near.multipliers)?);
            if (wanted - nearby).abs() < allowed && (has - wanted).abs() > allowed {
                return Some(format!("{name} as printed: {has} in place of {wanted}"));
            }
        }
    }
    None
}

/// What `check` says of a case, beside numbers.
pub fn reported(case: &Case) -> Verdict {
    let mut source = source(&case.machine);
    let report = match eomgen::check_source(&source, &[], &case.options.fix) {
        Ok(report) => report.to_json(),
        Err(failure) if !case.solvable() => {
            let _ = failure;
            return Verdict::Singular;
        }
        Err(failure) => return Verdict::Wrong(format!("check: {}", message(&failure))),
    };
    let regular = |s: &&Sample| !s.special && s.nearby.is_some() && s.expected.is_ok();
    let samples: Vec<&Sample> = case.samples.iter().filter(regular).collect();
    for sample in &samples {
        let Ok(motion) = &sample.expected else {
            continue;
        };
        let count = |key: &str| report.get(key).and_then(Value::as_u64);
        let rank = count("rank").map(|r| r as usize);
        let varies = report.get("rank_varies") == Some(&Value::Bool(true));
        let right = |rank: usize| rank == motion.rank || varies && rank > motion.rank;
        if !rank.is_some_and(right) {
            let text = format!("rank {rank:?} in place of {}", motion.rank);
            return Verdict::Wrong(text);
        }
        let free = count("degrees_of_freedom").map(|f| f as usize);
        if free.map(|f| f + rank.unwrap_or(0)) != Some(motion.accelerations.len()) {
            return Verdict::Wrong(
                "degrees of freedom and rank do not make the coordinates".into(),
            );
        }
    }
    if let Some(complaint) = rewritten(case, &report, &samples) {
        return Verdict::Wrong(complaint);
    }
    let reading = Reading::of(&report);
    source.text = reading.extended(&source.text);
    let evaluator = match eomgen::evaluator_source(&source, &DeriveOptions::default()) {
        Ok(evaluator) => evaluator,
        Err(failure) => return Verdict::Unclear(format!("the report: {}", message(&failure))),
    };
    for sample in samples {
        let Ok(motion) = &sample.expected else {
            continue;
        };
        let Ok(found) = evaluator.eval(&eval_input(&case.oracle, &sample.state)) else {
            continue;
        };
        let output = |name: String| {
            let found = found.outputs.iter().find(|(n, _)| *n == name);
            found.and_then(|(_, v)| v.first().copied())
        };
        let size = size(motion);
        for (k, said) in reading.said.iter().enumerate() {
            let value = output(format!("zero{k}")).unwrap_or(f64::NAN);
            if value.is_nan() || value.abs() > 1e-8 * size {
                let text = format!("{}: {} gives {value}", said.what, said.expression);
                return Verdict::Wrong(text);
            }
        }
        for dependency in &reading.dependencies {
            let Some(wanted) = row(motion, &dependency.row) else {
                return Verdict::Wrong(format!("a row {} that is none", dependency.row));
            };
            let mut sum = vec![0.0; wanted.len()];
            let mut largest = 1.0_f64;
            for (of, factor) in &dependency.shares {
                let factor = output(format!("factor{factor}")).unwrap_or(f64::NAN);
                let Some(own) = row(motion, of) else {
                    return Verdict::Wrong(format!("a row {of} that is none"));
                };
                largest = largest.max(factor.abs());
                sum.iter_mut().zip(own).for_each(|(s, x)| *s += factor * x);
            }
            let mut left: Vec<f64> = sum.iter().zip(wanted).map(|(s, w)| s - w).collect();
            case.oracle.leave_out_norms(&sample.state, &mut left);
            let off = |x: &f64| x.is_nan() || x.abs() >= 1e-8 * largest;
            if left.iter().any(off) {
                let text = format!("dependency of {}: {sum:?}, {wanted:?}", dependency.row);
                return Verdict::Wrong(text);
            }
        }
    }
    Verdict::Agree
}
