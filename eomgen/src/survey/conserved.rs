//! Cyclic coordinates, and quantities that evidently keep their value along every motion.
//!
//! With `p = dT/dq'` the equations read `p' = dT/dq + Q + C + A^T lambda`: the momentum of a coordinate is
//! conserved if all four vanish for it. And `h = q' p - T + V` changes by
//! `h' = -dT/dt + (Q + dV/dq) q' + C q' + lambda^T A q'`, so that it is conserved if time does not
//! stand in T, if the loads have a potential (beside what does no work) and if the constraints do no work.
//! Each is decided exactly; what needs an identity that is not known is left out.

use super::formula;
use super::page::{Conserved, Cyclic};
use crate::form::{Context, Space};
use crate::mech::constraints::{Level, Row};
use crate::mech::vars::Vars;
use crate::model::system::{Energy, EnergyKind};
use crate::sym::{Algebra, Expr, Summed, Var};
use std::collections::BTreeSet;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Cyclic coordinates.
    pub(super) cyclic: Vec<Cyclic>,
    /// Conserved quantities.
    pub(super) conserved: Vec<Conserved>,
    /// Why neither energy nor Jacobi integral is among them.
    pub(super) energy: Option<String>,
}

/// The loads, split.
struct Loads {
    /// Generalized active forces.
    whole: Vec<Expr>,
    /// Their part free of rates and inputs; `None` if they are not a sum of such a part and one linear in these.
    at_rest: Option<Vec<Expr>>,
}

/// What stands in the equations `p' = dT/dq + Q + C + A^T lambda`.
struct Terms<'m> {
    vars: &'m Vars,
    rows: Vec<&'m Row>,
    kinetic: Expr,
    potential: Option<Expr>,
    loads: Loads,
    nonideal: Vec<Expr>,
    momenta: Vec<Expr>,
}

/// Examines energy and momenta.
pub(super) fn examine(c: &mut Context<'_>) -> Findings {
    let mechanics = c.mechanics.clone();
    let kinetic = c.kinetic_energy(Space::Accelerations);
    let Ok((force, nonideal, coupling)) = c.forces(Space::Accelerations) else {
        return Findings::default();
    };
    if coupling.is_some() {
        return Findings {
            energy: Some("a load depends on the reaction of a constraint".into()),
            ..Findings::default()
        };
    }
    let potential = if has_potential(c) {
        c.potential_energy().ok().flatten()
    } else {
        None
    };
    let alg = &mut c.alg;
    let vars = &mechanics.vars;
    let constraints = &mechanics.constraints;
    let rows = constraints.independent.iter();
    let by_rates = Summed::new(alg, kinetic.clone());
    let terms = Terms {
        vars,
        rows: rows.map(|i| &constraints.rows[*i]).collect(),
        potential,
        loads: split(alg, force, &vars.rates, &vars.external()),
        nonideal,
        momenta: vars
            .rates
            .iter()
            .map(|r| by_rates.partial(alg, *r))
            .collect(),
        kinetic,
    };
    let mut found = Findings::default();
    let why = terms.work(alg);
    if why.is_empty() {
        found.conserved.push(terms.energy(alg));
    } else {
        found.energy = Some(why.join("; "));
    }
    for (k, coordinate) in mechanics.system.coords.iter().enumerate() {
        let name = &coordinate.meta.name;
        let Some(because) = terms.change_of_momentum(alg, k) else {
            continue;
        };
        let coords = &mechanics.system.coords;
        let entry = |j: usize| format!("coordinate_mass_matrix[{name}, {}]", coords[j].meta.name);
        let momentum = &terms.momenta[k];
        let rest = format!("rest[{name}]");
        let momentum = formula::collected(alg, momentum, &vars.rates, &entry, &rest);
        if because.is_empty() {
            found.conserved.push(Conserved {
                kind: "momentum",
                name: format!("p_{name}"),
                formula: Some(momentum.text.clone()),
            });
        }
        found.cyclic.push(Cyclic {
            name: name.clone(),
            momentum,
            because: (!because.is_empty()).then(|| because.join("; ")),
        });
    }
    found
}

/// `f.q'`
fn power<'e>(alg: &Algebra, force: impl IntoIterator<Item = &'e Expr>, rates: &[Var]) -> Expr {
    let terms = force.into_iter().zip(rates);
    terms.map(|(f, r)| f * alg.var(*r)).sum()
}

impl Terms<'_> {
    /// What changes the energy.
    fn work(&self, alg: &mut Algebra) -> Vec<String> {
        let rates = &self.vars.rates;
        let mut why = Vec::new();
        let by_time = alg.partial(&self.kinetic, self.vars.time);
        if !alg.is_zero(&by_time) {
            why.push("the kinetic energy depends on time".to_string());
        }
        if self.potential.is_none() {
            why.extend(no_potential(alg, &self.loads, self.vars));
        }
        let nonideal = power(alg, &self.nonideal, rates);
        if !alg.is_zero(&nonideal) {
            why.push("the non-ideal forces do work".to_string());
        }
        for row in &self.rows {
            if !does_no_work(alg, row, rates) {
                why.push(format!("constraint `{}` does work", row.name));
            }
        }
        why
    }

    /// What changes the momentum of a cyclic coordinate; `None` of one that is not cyclic.
    fn change_of_momentum(&self, alg: &mut Algebra, k: usize) -> Option<Vec<String>> {
        let slope = alg.partial(&self.kinetic, self.vars.coords[k]);
        let whole = &self.loads.whole;
        let still = &self.loads.at_rest.as_ref().unwrap_or(whole)[k];
        if !alg.is_zero(&slope) || !alg.is_zero(still) || alg.is_zero(&self.momenta[k]) {
            return None;
        }
        let mut because = Vec::new();
        if !alg.is_zero(&whole[k]) {
            because.push("a load acts along it".to_string());
        }
        if !alg.is_zero(&self.nonideal[k]) {
            because.push("a non-ideal force acts along it".to_string());
        }
        let rows = self.rows.iter().filter(|r| !alg.is_zero(&r.a[k]));
        let held: Vec<String> = rows.map(|r| format!("`{}`", r.name)).collect();
        if !held.is_empty() {
            let plural = if held.len() == 1 { "" } else { "s" };
            because.push(format!(
                "affected by constraint{plural} {}",
                held.join(", ")
            ));
        }
        Some(because)
    }

    /// The energy or the Jacobi integral.
    fn energy(&self, alg: &mut Algebra) -> Conserved {
        let sum = power(alg, &self.momenta, &self.vars.rates);
        let twice = &sum - Expr::int(2) * &self.kinetic;
        let homogeneous = alg.is_zero(&twice);
        let formula = self.potential.as_ref().and_then(|v| {
            let t = formula::flat(alg, &(&sum - &self.kinetic))?;
            let v = formula::flat(alg, v)?;
            // The first term of a sum in V has the sign that joins it.
            let joined = formula::sum(&formula::shortest(alg, &t), &formula::shortest(alg, &v));
            (joined.chars().count() <= formula::LONGEST).then_some(joined)
        });
        let (kind, name) = if homogeneous {
            ("energy", "T + V")
        } else {
            ("Jacobi integral", "T2 - T0 + V")
        };
        Conserved {
            kind,
            name: name.into(),
            formula,
        }
    }
}

/// Whether all loads follow from a potential that is free of time and inputs.
fn has_potential(c: &Context<'_>) -> bool {
    let dissipates = |e: &Energy| e.kind == EnergyKind::Dissipation;
    if !c.system.loads.is_empty() || c.system.energies.iter().any(dissipates) {
        return false;
    }
    let vars = &c.vars;
    let changes = |v| v == vars.time || vars.is_external(v);
    c.energies
        .as_ref()
        .is_none_or(|e| !c.alg.depends(&e.potential, &changes))
}

/// The part of the forces that is free of rates and inputs, if the rest is linear in them.
fn split(alg: &mut Algebra, whole: Vec<Expr>, rates: &[Var], inputs: &[Var]) -> Loads {
    let mut at_rest = Vec::new();
    let mut linear = true;
    let varying: BTreeSet<Var> = rates.iter().chain(inputs).copied().collect();
    let within = |alg: &Algebra, e: &Expr| {
        let mut symbols = alg.bases(e);
        symbols.retain(|v| varying.contains(v));
        symbols
    };
    for e in &whole {
        let mut still = e.clone();
        for r in within(alg, e) {
            let slope = alg.partial(e, r);
            if alg.is_zero(&slope) {
                continue;
            }
            for s in within(alg, &slope) {
                let second = alg.partial(&slope, s);
                linear &= alg.is_zero(&second);
            }
            still = still - slope * alg.var(r);
        }
        at_rest.push(still);
    }
    Loads {
        whole,
        at_rest: linear.then_some(at_rest),
    }
}

/// Why the loads have no potential that is free of time; `None` if they have one.
fn no_potential(alg: &mut Algebra, loads: &Loads, vars: &Vars) -> Option<String> {
    let power_of = |alg: &Algebra, force: &[Expr]| power(alg, force, &vars.rates);
    let power = power_of(alg, &loads.whole);
    if alg.is_zero(&power) {
        return None;
    }
    for i in &vars.external() {
        let d = alg.partial(&power, *i);
        if !alg.is_zero(&d) {
            let kind = if vars.inputs.contains(i) {
                "input"
            } else {
                "state"
            };
            return Some(format!("{kind} `{}` does work", alg.info(*i).name));
        }
    }
    let d = alg.partial(&power, vars.time);
    if !alg.is_zero(&d) {
        return Some("a load depends on time".into());
    }
    let Some(at_rest) = &loads.at_rest else {
        return Some("a load depends on velocities".into());
    };
    let parts = loads.whole.iter().zip(at_rest);
    let moving: Vec<Expr> = parts.map(|(e, s)| e - s).collect();
    let moving = power_of(alg, &moving);
    if !alg.is_zero(&moving) {
        return Some("a load that depends on velocities does work".into());
    }
    // Of each coordinate, the forces that depend on it.
    let mut moved: Vec<Vec<usize>> = vec![Vec::new(); at_rest.len()];
    for (i, force) in at_rest.iter().enumerate() {
        for (j, _) in vars.coordinates_among(&alg.bases(force)) {
            moved[j].push(i);
            moved[i].push(j);
        }
    }
    for (i, a) in at_rest.iter().enumerate() {
        let mut others = std::mem::take(&mut moved[i]);
        others.retain(|j| *j > i);
        others.sort_unstable();
        others.dedup();
        for j in others {
            let b = &at_rest[j];
            let curl = alg.partial(a, vars.coords[j]) - alg.partial(b, vars.coords[i]);
            if !alg.is_zero(&curl) {
                return Some("the loads have no potential".into());
            }
        }
    }
    None
}

/// Whether the force of a constraint does no work: `a q'` is a multiple of what is zero.
fn does_no_work(alg: &mut Algebra, row: &Row, rates: &[Var]) -> bool {
    let power = power(alg, &row.a, rates);
    if row.level == Level::Acceleration {
        return alg.is_zero(&power);
    }
    if row.linear {
        return alg.is_zero(&row.velocity_bias);
    }
    // Euler: a homogeneous function of degree d has d times itself here.
    (1..=6).any(|d| {
        let gap = &power - Expr::int(d) * &row.velocity;
        alg.is_zero(&gap)
    })
}
