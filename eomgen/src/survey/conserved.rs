//! Cyclic coordinates, and quantities that evidently keep their value along every motion.
//!
//! With `p = dT/dq'` the equations read `p' = dT/dq + Q + C + A^T lambda`: the momentum of a coordinate is
//! conserved if all four vanish for it. And `h = q' p - T + V` changes by
//! `h' = -dT/dt + (Q + dV/dq) q' + C q' + lambda^T A q'`, so that it is conserved if time does not
//! stand in T, if the loads have a potential (beside what does no work) and if the constraints do no work.
//! Each is decided exactly; what needs an identity that is not known is left out.

use super::page::{Conserved, Cyclic};
use super::words;
use crate::form::{Context, Space};
use crate::mech::constraints::{Level, Row};
use crate::model::system::{Energy, EnergyKind};
use crate::sym::{Algebra, Expr, Var};

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

/// Examines energy and momenta.
pub(super) fn examine(c: &mut Context<'_>) -> Findings {
    let kinetic = c.kinetic_energy(Space::Rates);
    let Ok((force, nonideal, coupling)) = c.forces(Space::Rates) else {
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
    let rows: Vec<Row> = c
        .constraints
        .independent
        .iter()
        .map(|i| c.constraints.rows[*i].clone())
        .collect();
    let (coords, rates, time, inputs) = (
        c.vars.coords.clone(),
        c.vars.rates.clone(),
        c.vars.time,
        c.vars.inputs.clone(),
    );
    let names: Vec<String> = c
        .system
        .coords
        .iter()
        .map(|q| q.meta.name.clone())
        .collect();
    let alg = &mut c.alg;
    let loads = split(alg, force, &rates, &inputs);
    let mut found = Findings::default();

    let momenta: Vec<Expr> = rates.iter().map(|r| alg.partial(&kinetic, *r)).collect();
    let by_time = alg.partial(&kinetic, time);
    let mut why = Vec::new();
    if !alg.is_zero(&by_time) {
        why.push("the kinetic energy depends on time".to_string());
    }
    if let Some(reason) = no_potential(
        alg,
        &loads,
        potential.is_some(),
        &coords,
        &rates,
        time,
        &inputs,
    ) {
        why.push(reason);
    }
    let power: Expr = nonideal
        .iter()
        .zip(&rates)
        .map(|(e, r)| e * alg.var(*r))
        .sum();
    if !alg.is_zero(&power) {
        why.push("the non-ideal forces do work".to_string());
    }
    for row in &rows {
        if !does_no_work(alg, row, &rates) {
            why.push(format!("constraint `{}` does work", row.name));
        }
    }
    if why.is_empty() {
        found
            .conserved
            .push(energy(alg, &kinetic, &momenta, potential.as_ref(), &rates));
    } else {
        found.energy = Some(why.join("; "));
    }

    for (k, name) in names.iter().enumerate() {
        let slope = alg.partial(&kinetic, coords[k]);
        let still = match &loads.at_rest {
            Some(list) => list[k].clone(),
            None => loads.whole[k].clone(),
        };
        if !alg.is_zero(&slope) || !alg.is_zero(&still) || alg.is_zero(&momenta[k]) {
            continue;
        }
        let mut because = Vec::new();
        if !alg.is_zero(&loads.whole[k]) {
            because.push("a load acts along it".to_string());
        }
        if !alg.is_zero(&nonideal[k]) {
            because.push("a non-ideal force acts along it".to_string());
        }
        let held: Vec<String> = rows
            .iter()
            .filter(|r| !alg.is_zero(&r.a[k]))
            .map(|r| format!("`{}`", r.name))
            .collect();
        if !held.is_empty() {
            let plural = if held.len() == 1 { "" } else { "s" };
            because.push(format!(
                "affected by constraint{plural} {}",
                held.join(", ")
            ));
        }
        let momentum = words::text(alg, &momenta[k]);
        if because.is_empty() {
            found.conserved.push(Conserved {
                kind: "momentum",
                name: format!("p_{name}"),
                formula: momentum.clone(),
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

/// Whether all loads follow from a potential that is free of time and inputs.
fn has_potential(c: &Context<'_>) -> bool {
    let dissipates = |e: &Energy| e.kind == EnergyKind::Dissipation;
    if !c.system.loads.is_empty() || c.system.energies.iter().any(dissipates) {
        return false;
    }
    let vars = &c.vars;
    let changes = |v| v == vars.time || vars.inputs.contains(&v);
    c.energies
        .as_ref()
        .is_none_or(|e| !c.alg.depends(&e.potential, &changes))
}

/// The part of the forces that is free of rates and inputs, if the rest is linear in them.
fn split(alg: &mut Algebra, whole: Vec<Expr>, rates: &[Var], inputs: &[Var]) -> Loads {
    let mut at_rest = Vec::new();
    let mut linear = true;
    for e in &whole {
        let mut still = e.clone();
        for r in rates.iter().chain(inputs) {
            let slope = alg.partial(e, *r);
            if alg.is_zero(&slope) {
                continue;
            }
            for s in rates.iter().chain(inputs) {
                let second = alg.partial(&slope, *s);
                linear &= alg.is_zero(&second);
            }
            still = still - slope * alg.var(*r);
        }
        at_rest.push(still);
    }
    Loads {
        whole,
        at_rest: linear.then_some(at_rest),
    }
}

/// Why the loads have no potential that is free of time; `None` if they have one.
fn no_potential(
    alg: &mut Algebra,
    loads: &Loads,
    known: bool,
    coords: &[Var],
    rates: &[Var],
    time: Var,
    inputs: &[Var],
) -> Option<String> {
    if known {
        return None;
    }
    let power: Expr = loads
        .whole
        .iter()
        .zip(rates)
        .map(|(e, r)| e * alg.var(*r))
        .sum();
    if alg.is_zero(&power) {
        return None;
    }
    for i in inputs {
        let d = alg.partial(&power, *i);
        if !alg.is_zero(&d) {
            return Some(format!("input `{}` does work", alg.info(*i).name));
        }
    }
    let d = alg.partial(&power, time);
    if !alg.is_zero(&d) {
        return Some("a load depends on time".into());
    }
    let Some(at_rest) = &loads.at_rest else {
        return Some("a load depends on velocities".into());
    };
    let moving: Expr = loads
        .whole
        .iter()
        .zip(at_rest)
        .zip(rates)
        .map(|((e, s), r)| (e - s) * alg.var(*r))
        .sum();
    if !alg.is_zero(&moving) {
        return Some("a load that depends on velocities does work".into());
    }
    for (i, a) in at_rest.iter().enumerate() {
        for (j, b) in at_rest.iter().enumerate().skip(i + 1) {
            let curl = alg.partial(a, coords[j]) - alg.partial(b, coords[i]);
            if !alg.is_zero(&curl) {
                return Some("the loads have no potential".into());
            }
        }
    }
    None
}

/// Whether the force of a constraint does no work: `a q'` is a multiple of what is zero.
fn does_no_work(alg: &mut Algebra, row: &Row, rates: &[Var]) -> bool {
    let power: Expr = row.a.iter().zip(rates).map(|(a, r)| a * alg.var(*r)).sum();
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

fn energy(
    alg: &mut Algebra,
    kinetic: &Expr,
    momenta: &[Expr],
    potential: Option<&Expr>,
    rates: &[Var],
) -> Conserved {
    let sum: Expr = momenta
        .iter()
        .zip(rates)
        .map(|(p, r)| p * alg.var(*r))
        .sum();
    let twice = &sum - Expr::int(2) * kinetic;
    let homogeneous = alg.is_zero(&twice);
    let formula = potential.and_then(|v| {
        let (t, v) = (words::flat(alg, &(&sum - kinetic))?, words::flat(alg, v)?);
        // The first term of a sum in V carries the sign that joins it.
        let joined = words::sum(&words::shortest(alg, &t), &words::shortest(alg, &v));
        (joined.chars().count() <= words::LONGEST).then_some(joined)
    });
    if homogeneous {
        Conserved {
            kind: "energy",
            name: "T + V".into(),
            formula,
        }
    } else {
        Conserved {
            kind: "Jacobi integral",
            name: "T2 - T0 + V".into(),
            formula,
        }
    }
}
