//! Reactions: those that the model declares, and where the formulation has them as unknowns, all of them.

use super::Output;
use super::forces::Multipliers;
use crate::diag::Diagnostic;
use crate::facts::Fact;
use crate::form::balances::Unknown;
use crate::form::joints::Balance;
use crate::ir::Value;
use crate::mech::reactions;
use crate::program::accelerations::coupling::lack_of;
use crate::program::solved::Solved;
use crate::program::writer::Writer;

/// Declared reactions: what the balance conjugate to each lacks. Their symbols have their values from here on.
pub(super) fn declared(
    solved: &Solved,
    w: &mut Writer<'_>,
    multipliers: &Multipliers,
) -> Result<Vec<Output>, Vec<Diagnostic>> {
    let joints = w.c.joints(solved.posed.formulated.balances.as_ref())?;
    let names = w.c.system.joints.iter().map(|joint| &joint.meta.name);
    let pairs = names.zip(&joints).filter_map(|(name, held)| {
        let along = held.along.clone()?;
        Some((name.clone(), along))
    });
    let pairs = Fact::DeclaredReactions(pairs.collect());
    let mut list = Vec::new();
    for (i, held) in joints.iter().enumerate() {
        let value = lacking(solved, w, &held.balance, multipliers);
        w.bind_value(w.c.vars.joints[i], value);
        let meta = &w.c.system.joints[i].meta;
        let docs = if meta.docs.is_empty() {
            format!("Reaction `{}` of the model.", meta.name)
        } else {
            meta.docs.clone()
        };
        let output = Output::scalar(w, &meta.name, &docs, value);
        let output = output.renamed(format!("output_{}", meta.name));
        let output = output.with(Fact::Output(meta.name.clone()));
        list.push(match held.along {
            Some(_) => output.with(pairs.clone()),
            None => output,
        });
    }
    Ok(list)
}

/// What a balance lacks, by a formula where accelerations and multipliers have one.
fn lacking(solved: &Solved, w: &mut Writer<'_>, b: &Balance, multipliers: &Multipliers) -> Value {
    let none = Vec::new();
    let formula = if b.multipliers.is_empty() {
        Some(&none)
    } else {
        multipliers.closed.as_ref()
    };
    if let Some((qdd, lambda)) = solved.closed.as_ref().zip(formula) {
        let sum = lack_of(&mut w.c, b, qdd, lambda);
        let sum = w.c.alg.simplify(&sum);
        return w.lower(&sum);
    }
    let force = w.lower(&b.force);
    let mut sum = w.low.graph.neg(force);
    for (e, q) in b.mass.iter().zip(&solved.accelerations) {
        sum = w.add_product(sum, e, *q);
    }
    for (e, l) in b.multipliers.iter().zip(&multipliers.values) {
        sum = w.less_product(sum, e, *l);
    }
    sum
}

/// All reactions, where the formulation has them as unknowns.
pub(super) fn all(
    solved: &Solved,
    w: &mut Writer<'_>,
    multipliers: &Multipliers,
) -> Option<Output> {
    let b = solved.posed.formulated.balances.as_ref()?;
    let mechanics = w.mechanics();
    let rows = mechanics.constraints.rows.iter();
    let mut labels: Vec<String> = rows.map(|r| format!("reaction({})", r.name)).collect();
    let joints = mechanics.system.joints.iter();
    labels.extend(joints.map(|joint| joint.meta.name.clone()));
    let mut values = multipliers.values.clone();
    values.extend(w.values_of(mechanics.vars.joints.iter().copied()));
    for u in &b.generated {
        labels.push(u.name.clone());
        values.push(lacking(solved, w, &u.balance, multipliers));
    }
    if values.is_empty() {
        return None;
    }
    let about = b.generated.iter();
    let about: Vec<String> = about.map(|u| format!("`{}`: {}", u.name, u.text)).collect();
    let mut docs = "All reactions.".to_string();
    if !about.is_empty() {
        docs = format!("{docs} {}.", about.join("; "));
    }
    if let Some(open) = undetermined(w) {
        docs = format!("{docs} {open}");
    }
    let output = Output::array(w, "reactions", &docs, labels, values);
    let pairs = |list: &[Unknown]| {
        let list = list.iter();
        list.map(|u| (u.name.clone(), u.along.clone())).collect()
    };
    let output = output.with(Fact::GeneratedReactions(pairs(&b.generated)));
    Some(if b.declared.is_empty() {
        output
    } else {
        output.with(Fact::DeclaredReactions(pairs(&b.declared)))
    })
}

/// Which reactions the equations do not determine.
fn undetermined(w: &Writer<'_>) -> Option<String> {
    let rows = &w.c.constraints;
    let open: Vec<String> = (0..rows.rows.len())
        .filter(|i| !reactions::is_unique(&w.c.alg, rows, *i))
        .map(|i| format!("`reaction({})`", rows.rows[i].name))
        .collect();
    (!open.is_empty()).then(|| {
        format!(
            "Not determined by the equations, because constraints are redundant: {}; the minimum-norm values are given, and the forces on the bodies follow from these.",
            open.join(", ")
        )
    })
}
