//! The numbers of a module or of `eval`, and their comparison with those of the oracle.

use super::catalogue::Claim;
use super::machine::Statement;
use super::oracle::{Expected, Oracle};
use super::trial::Verdict;
use crate::running::{Evaluated, Value};
use eomgen::EvalOutput;

/// Numbers by names.
type Named = Vec<(String, f64)>;

/// What was found at a state. What is not there is not compared.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// q''
    pub accelerations: Option<Named>,
    /// q'
    pub rates: Option<Named>,
    /// u'
    pub speed_rates: Option<Named>,
    /// lambda
    pub multipliers: Option<Named>,
    /// Ideal and non-ideal constraint forces together.
    pub forces: Option<Named>,
    /// T
    pub kinetic: Option<f64>,
    /// V
    pub potential: Option<f64>,
    /// S
    pub gibbs: Option<f64>,
    /// Outputs and declared reactions.
    pub outputs: Vec<(String, Vec<f64>)>,
    /// A and b by rows.
    pub rows: Option<Vec<(String, Vec<f64>, f64)>>,
    /// M of the coordinates, row by row.
    pub mass: Option<Vec<f64>>,
    /// F of the coordinates.
    pub force: Option<Vec<f64>>,
    /// Quantities of the catalogue, by what they are defined to be.
    pub claims: Vec<Claim>,
    /// The same with what they should be nearby.
    pub nearby: Vec<Claim>,
    /// Functions that refused the state, and why.
    pub refused: Vec<String>,
    /// What the state is made of, besides coordinates.
    pub speeds: Vec<String>,
}

fn zipped(names: &[String], values: &[f64]) -> Named {
    names.iter().cloned().zip(values.iter().copied()).collect()
}

fn added(mut a: Named, b: &[(String, f64)]) -> Named {
    for (name, value) in &mut a {
        if let Some((_, other)) = b.iter().find(|(n, _)| n == name) {
            *value += other;
        }
    }
    a
}

impl Found {
    /// By `eval`.
    pub fn evaluated(out: EvalOutput) -> Self {
        Self {
            accelerations: Some(out.qddot),
            speed_rates: Some(out.speeds_dot),
            multipliers: Some(out.multipliers),
            forces: Some(added(out.ideal_force, &out.nonideal_force)),
            kinetic: out.kinetic_energy,
            potential: out.potential_energy,
            gibbs: out.gibbs,
            outputs: out.outputs,
            ..Self::default()
        }
    }

    /// By a compiled module.
    pub fn compiled(run: &Evaluated, sample: usize) -> Self {
        let names = &run.names;
        let mut found = Self {
            speeds: names
                .state
                .iter()
                .filter(|n| !names.coordinates.contains(n))
                .cloned()
                .collect(),
            ..Self::default()
        };
        let mut get = |function: &str| -> Option<Vec<f64>> {
            let value: &Value = run.value(sample, function)?;
            match &value.outcome {
                Ok(numbers) => Some(numbers.clone()),
                Err(failed) => {
                    let text = format!("{function}: {} ({:e})", failed.text, failed.closeness);
                    found.refused.push(text);
                    None
                }
            }
        };
        let by = |names: &[String], values: Option<Vec<f64>>| values.map(|v| zipped(names, &v));
        let accelerations = by(&names.coordinates, get("accelerations"));
        let rates = by(&names.coordinates, get("rates"));
        let speed_rates = by(&names.speeds, get("speed_rates"));
        let multipliers = by(&names.constraints, get("multipliers"));
        let ideal = by(&names.coordinates, get("ideal_constraint_forces"));
        let nonideal = by(&names.coordinates, get("nonideal_constraint_forces"));
        let forces = ideal.map(|i| added(i, &nonideal.unwrap_or_default()));
        let one = |v: Option<Vec<f64>>| v.and_then(|v| v.first().copied());
        let (kinetic, potential) = (one(get("kinetic_energy")), one(get("potential_energy")));
        let gibbs = one(get("gibbs_function"));
        let matrix = get("constraint_matrix");
        let right = get("constraint_rhs");
        let mass = get("coordinate_mass_matrix");
        let force = get("coordinate_forcing");
        let mut outputs = Vec::new();
        for fact in &names.facts {
            let Some((functions, rest)) = fact.split_once(':') else {
                continue;
            };
            if let Some((key, of)) = rest.split_once('=')
                && key.trim() == "output"
                && let Some(numbers) = get(functions.trim())
            {
                outputs.push((of.trim().to_owned(), numbers));
            }
        }
        let rows = matrix.zip(right).map(|(matrix, right)| {
            let columns = names.coordinates.len();
            let rows = names.constraints.iter().zip(matrix.chunks(columns));
            let row = |((n, row), b): ((&String, &[f64]), &f64)| (n.clone(), row.to_vec(), *b);
            rows.zip(&right).map(row).collect()
        });
        // `get` is used up; what it noted stays.
        let refused = std::mem::take(&mut found.refused);
        Self {
            accelerations,
            rates,
            speed_rates,
            multipliers,
            forces,
            kinetic,
            potential,
            gibbs,
            outputs,
            rows,
            mass,
            force,
            claims: Vec::new(),
            nearby: Vec::new(),
            refused,
            speeds: found.speeds,
        }
    }
}

/// Numbers under the same names.
#[derive(Default)]
struct Comparison {
    complaint: Option<String>,
    unsure: bool,
    /// By how much accelerations and rates change nearby, relative to their size: nothing that is made of them is surer than they are.
    motion: f64,
    /// Sizes below this are zero but for the rounding errors of the terms.
    floor: f64,
}

impl Comparison {
    /// Compares a group; what the oracle says nearby tells how sure its numbers are.
    fn group(&mut self, what: &str, found: &[f64], wanted: &[f64], nearby: &[f64]) {
        if self.complaint.is_some() {
            return;
        }
        if found.len() != wanted.len() {
            self.complaint = Some(format!("{what}: {found:?} in place of {wanted:?}"));
            return;
        }
        let scale = wanted.iter().fold(0.0_f64, |s, w| s.max(w.abs()));
        let mut moved = 0.0_f64;
        for (w, n) in wanted.iter().zip(nearby) {
            moved = moved.max((w - n).abs());
        }
        moved = moved.max(self.motion * scale);
        if moved > 1e-6 * scale.max(1.0) {
            self.unsure = true;
            return;
        }
        let allowed = 1e-9 * scale.max(1e-3).max(self.floor) + 1e3 * moved;
        for (f, w) in found.iter().zip(wanted) {
            let error = (f - w).abs();
            // Where digits are lost, a state is refused if more than this is.
            if error > allowed && error <= 1e-6 * scale {
                self.unsure = true;
            } else if error.is_nan() || error > allowed {
                self.complaint = Some(format!("{what}: {found:?} in place of {wanted:?}"));
                return;
            }
        }
    }

    /// Compares a group by names.
    fn named(
        &mut self,
        what: &str,
        names: &[String],
        found: &Option<Named>,
        wanted: &[f64],
        nearby: &[f64],
    ) {
        let Some(found) = found else { return };
        let pick = |n: &String| found.iter().find(|(f, _)| f == n).map(|(_, v)| *v);
        match names.iter().map(pick).collect::<Option<Vec<_>>>() {
            Some(found) => self.group(what, &found, wanted, nearby),
            None => self.complaint = Some(format!("{what}: names {found:?}")),
        }
    }
}

fn size(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |s, x| s.max(x.abs()))
}

/// The largest term of `M q'' - F`.
fn of_terms(of: &Expected) -> f64 {
    let rows = of.mass.iter();
    let products = rows.flat_map(|row| row.iter().zip(&of.accelerations).map(|(m, a)| m * a));
    size(&products.chain(of.force.iter().copied()).collect::<Vec<_>>())
}

/// The largest change relative to the largest number, or to 1 where all are small.
fn change(here: &[f64], near: &[f64]) -> f64 {
    let pairs = here.iter().zip(near);
    let moved = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    moved / size(here).max(1.0)
}

/// Everything that was found, beside the oracle.
pub fn compare(oracle: &Oracle, found: &Found, wanted: &Expected, near: &Expected) -> Verdict {
    let names = &oracle.model.coordinates;
    let mut c = Comparison::default();
    c.named(
        "accelerations",
        names,
        &found.accelerations,
        &wanted.accelerations,
        &near.accelerations,
    );
    // Where these hang on the last digits of the state, so does all that follows.
    if c.unsure {
        return Verdict::Unclear("ill-conditioned".into());
    }
    c.named("rates", names, &found.rates, &wanted.rates, &near.rates);
    c.motion =
        change(&wanted.accelerations, &near.accelerations).max(change(&wanted.rates, &near.rates));
    let fastest = size(&wanted.rates);
    c.floor = 1e-3 * size(&wanted.accelerations).max(fastest * fastest);
    compare_speed_rates(&mut c, found, wanted, near);
    // They are what is left of `M q'' - F`: next to where a mass matrix is singular that of terms thousands of times as large.
    let plain = c.floor;
    let of_rest = 1e-2 * of_terms(wanted);
    c.floor = plain.max(of_rest);
    compare_multipliers(&mut c, found, wanted, near);
    c.floor = plain;
    // What is left of large forces that cancel.
    let forces = wanted.multipliers.iter().map(|(_, w)| w.abs());
    c.floor = c.floor.max(1e-6 * forces.fold(0.0, f64::max));
    compare_rows(&mut c, found, wanted, near);
    // How rotations go on where a quaternion is no unit is a convention; so are forces along that direction.
    let quaternion = wanted.multipliers.iter().any(|(n, _)| n.ends_with(".norm"));
    if !quaternion {
        let total = |e: &Expected| -> Vec<f64> {
            let pairs = e.ideal.iter().zip(&e.prescribed);
            pairs.map(|(a, b)| a + b).collect()
        };
        let forces = (total(wanted), total(near));
        let plain = c.floor;
        c.floor = plain.max(of_rest);
        c.named(
            "constraint forces",
            names,
            &found.forces,
            &forces.0,
            &forces.1,
        );
        c.floor = plain;
        let flat = |e: &Expected| e.mass.concat();
        if let Some(mass) = &found.mass {
            c.group("coordinate mass matrix", mass, &flat(wanted), &flat(near));
        }
        if let Some(force) = &found.force {
            c.group("coordinate forcing", force, &wanted.force, &near.force);
        }
    }
    for (claim, nearby) in found.claims.iter().zip(&found.nearby) {
        c.group(&claim.what, &claim.found, &claim.wanted, &nearby.wanted);
    }
    compare_values(&mut c, oracle, found, wanted, near);
    match c {
        Comparison {
            complaint: Some(text),
            ..
        } => Verdict::Wrong(text),
        Comparison { unsure: true, .. } => Verdict::Unclear("ill-conditioned".into()),
        _ => Verdict::Agree,
    }
}

fn compare_speed_rates(c: &mut Comparison, found: &Found, wanted: &Expected, near: &Expected) {
    let Some(list) = &found.speed_rates else {
        return;
    };
    let scale = wanted
        .accelerations
        .iter()
        .fold(0.0_f64, |s, a| s.max(a.abs()));
    for (name, rate) in &wanted.speed_rates {
        if let Some((_, f)) = list.iter().find(|(n, _)| n == name) {
            let near = near.speed_rates.get(name).copied().unwrap_or(*rate);
            c.group(
                &format!("{name}'"),
                &[*f, scale],
                &[*rate, scale],
                &[near, scale],
            );
        }
    }
}

fn compare_multipliers(c: &mut Comparison, found: &Found, wanted: &Expected, near: &Expected) {
    let Some(list) = &found.multipliers else {
        return;
    };
    // Rows that say nothing are left out by eomgen; the oracle gives them zero.
    let mut triples = Vec::new();
    let plain = |(name, _): &&(String, f64)| !name.ends_with(".norm");
    for (name, w) in wanted.multipliers.iter().filter(plain) {
        let n = near.multipliers.iter().find(|(m, _)| m == name);
        let f = list.iter().find(|(m, _)| m == name);
        match f {
            Some((_, f)) => triples.push((*f, *w, n.map_or(*w, |(_, n)| *n))),
            None if w.abs() < 1e-30 => {}
            None => {
                c.complaint = Some(format!("no multiplier of {name}"));
                return;
            }
        }
    }
    let column = |pick: fn(&(f64, f64, f64)) -> f64| triples.iter().map(pick).collect::<Vec<_>>();
    c.group(
        "multipliers",
        &column(|t| t.0),
        &column(|t| t.1),
        &column(|t| t.2),
    );
}

fn compare_rows(c: &mut Comparison, found: &Found, wanted: &Expected, near: &Expected) {
    let Some(rows) = &found.rows else { return };
    for (name, row, right) in rows {
        let place = wanted.multipliers.iter().position(|(n, _)| n == name);
        let Some(r) = place else {
            c.complaint = Some(format!("a row {name} that the model does not have"));
            return;
        };
        if name.ends_with(".norm") {
            continue;
        }
        c.group(
            &format!("row {name}"),
            &without_norms(wanted, row, *right),
            &without_norms(wanted, &wanted.rows[r], wanted.right[r]),
            &without_norms(near, &near.rows[r], near.right[r]),
        );
    }
}

/// A row with its right-hand side, less its share of the rows of quaternions: how a rotation goes on where they have another length is a
/// convention.
fn without_norms(of: &Expected, row: &[f64], right: f64) -> Vec<f64> {
    let mut whole = row.to_vec();
    whole.push(right);
    for (r, (name, _)) in of.multipliers.iter().enumerate() {
        if !name.ends_with(".norm") {
            continue;
        }
        let norm = &of.rows[r];
        let square: f64 = norm.iter().map(|x| x * x).sum();
        let share = row.iter().zip(norm).map(|(a, b)| a * b).sum::<f64>() / square;
        let norm = norm.iter().chain([&of.right[r]]);
        whole
            .iter_mut()
            .zip(norm)
            .for_each(|(w, n)| *w -= share * n);
    }
    whole
}

/// Whether this is the root of what rounding leaves of zero, where terms have a size.
fn is_root_of_nothing(found: &[f64], wanted: &[f64], size: f64) -> bool {
    match (found, wanted) {
        ([found], [wanted]) => {
            wanted.abs() < 1e-9 && *found >= 0.0 && found * found <= 1e-14 * size * size
        }
        _ => false,
    }
}

/// Whether an output is made of a length, by its own words or those of a `let`.
fn is_length(oracle: &Oracle, output: &str) -> bool {
    let measures = |text: &str| {
        let lengths = ["mag(", "norm(", "distance(", "hypot(", "sqrt("];
        lengths.iter().any(|word| text.contains(word))
    };
    let statements = &oracle.model.statements;
    let own = statements.iter().find_map(|s| match s {
        Statement::Output { name, value } if name == output => Some(value.to_string()),
        _ => None,
    });
    own.is_some_and(|own| {
        measures(&own)
            || statements.iter().any(|s| match s {
                Statement::Let { name, value, .. } => {
                    own.contains(name.as_str()) && measures(&value.to_string())
                }
                _ => false,
            })
    })
}

fn compare_values(
    c: &mut Comparison,
    oracle: &Oracle,
    found: &Found,
    wanted: &Expected,
    near: &Expected,
) {
    let scalars = [
        ("T", found.kinetic, Some(wanted.kinetic), Some(near.kinetic)),
        (
            "V",
            found.potential,
            Some(wanted.potential),
            Some(near.potential),
        ),
        ("S", found.gibbs, wanted.gibbs, near.gibbs),
    ];
    for (what, f, w, n) in scalars {
        if let (Some(f), Some(w), Some(n)) = (f, w, n) {
            c.group(what, &[f], &[w], &[n]);
        }
    }
    for (name, w) in &wanted.outputs {
        let near = near.outputs.get(name).unwrap_or(w);
        match found.outputs.iter().find(|(n, _)| n == name) {
            // A length by the law of cosines that is nothing beside its terms is known to half their digits.
            Some((_, f))
                if is_length(oracle, name)
                    && is_root_of_nothing(f, w, size(&wanted.rates).max(1.0)) => {}
            Some((_, f)) => c.group(&format!("output {name}"), f, w, near),
            None if c.complaint.is_none() => {
                c.complaint = Some(format!("output {name} is missing"));
            }
            None => {}
        }
    }
}
