//! Reactions: those that the model declares, and where the formulation has them as unknowns, all of them.

use super::super::Work;
use super::super::forces::Multipliers;
use super::Output;
use crate::diag::Diagnostic;
use crate::facts::Fact;
use crate::form::joints::Balance;
use crate::ir::Value;
use crate::mech::reactions;

/// Declared reactions: what the balance conjugate to each lacks. Their symbols have their values from here on.
pub(super) fn declared(
    w: &mut Work<'_>,
    multipliers: &Multipliers,
) -> Result<Vec<Output>, Vec<Diagnostic>> {
    let balances = w.c.joints(w.formulated.balances.as_ref())?;
    let mut list = Vec::new();
    for (i, balance) in balances.iter().enumerate() {
        let value = lacking(w, balance, multipliers);
        let var = w.c.vars.joints[i];
        if !w.low.is_bound(var) {
            w.low.bind(var, value);
        }
        let meta = &w.c.system.joints[i].meta;
        let docs = if meta.docs.is_empty() {
            format!("Reaction `{}` of the model.", meta.name)
        } else {
            meta.docs.clone()
        };
        let output = w.scalar(&meta.name, &docs, value);
        let output = output.renamed(format!("output_{}", meta.name));
        list.push(output.with(Fact::Output(meta.name.clone())));
    }
    Ok(list)
}

/// What a balance lacks, by a formula where accelerations and multipliers have one.
fn lacking(w: &mut Work<'_>, b: &Balance, multipliers: &Multipliers) -> Value {
    let formula = match &multipliers.closed {
        _ if b.multipliers.is_empty() => Some(Vec::new()),
        closed => closed.clone(),
    };
    if let Some((qdd, lambda)) = w.closed.clone().zip(formula) {
        let sum = w.lack_of(b, &qdd, &lambda);
        let sum = w.c.alg.simplify(&sum);
        return w.low.lower(&w.c.alg, &sum);
    }
    let sum = w.low.lower(&w.c.alg, &b.force);
    let mut sum = w.low.graph.neg(sum);
    let accelerations = b.mass.iter().zip(w.qdd.clone());
    for (e, q) in accelerations.filter(|(e, _)| !e.is_literal_zero()) {
        let m = w.low.lower(&w.c.alg, e);
        let t = w.low.graph.mul(m, q);
        sum = w.low.graph.add(sum, t);
    }
    let columns = b.multipliers.iter().zip(&multipliers.values);
    for (e, l) in columns.filter(|(e, _)| !e.is_literal_zero()) {
        let p = w.low.lower(&w.c.alg, e);
        let t = w.low.graph.mul(p, *l);
        sum = w.low.graph.sub(sum, t);
    }
    sum
}

/// All reactions, where the formulation has them as unknowns.
pub(super) fn all(w: &mut Work<'_>, multipliers: &Multipliers) -> Option<Output> {
    let b = w.formulated.balances.clone()?;
    let rows = w.c.constraints.rows.iter();
    let mut labels: Vec<String> = rows.map(|r| format!("reaction({})", r.name)).collect();
    let mut values = multipliers.values.clone();
    for (joint, v) in w.c.system.joints.iter().zip(w.c.vars.joints.clone()) {
        let e = w.c.alg.var(v);
        labels.push(joint.meta.name.clone());
        values.push(w.low.lower(&w.c.alg, &e));
    }
    for u in &b.generated {
        labels.push(u.name.clone());
        values.push(lacking(w, &u.balance, multipliers));
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
    let generated = b.generated.iter().map(|u| u.name.clone());
    let output = w.array("reactions", &docs, labels, values);
    Some(output.with(Fact::GeneratedReactions(generated.collect())))
}

/// Which reactions the equations do not determine.
fn undetermined(w: &Work<'_>) -> Option<String> {
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
