//! Two models held against each other, entry by entry, in one session: what the older one states is translated into the symbols of the newer
//! one, where equality is decided exactly. How either is written does not matter, nor which names it has.

use super::claims::{Agreement, Obstacle, stated};
use super::entries::Entries;
use crate::explain::{self, Changed, in_state};
use crate::form::{Context, Layout, Quantities, Space, Table};
use crate::manifold::{self, State};
use crate::model::System;
use crate::model::system::{ConstraintRelation, FrameId, Quantity, Scalar};
use crate::notation::Names;
use crate::program::posed::Posed;
use crate::program::{ExpressionForm, Settings};
use crate::sym::{Expr, Translation};
use std::collections::BTreeMap;

/// What is compared: a title for people, and an output or one of the parts below; in the order in which a reviewer reads.
pub const PARTS: [(&str, &str); 7] = [
    ("Speeds", SPEEDS),
    ("Kinematics", "rates"),
    ("Constraints", CONSTRAINTS),
    ("Kinetic energy", "kinetic_energy"),
    ("Potential energy", "potential_energy"),
    ("Equations of motion", EQUATIONS),
    ("Outputs", OUTPUTS),
];

/// Left sides less right sides of the equations of motion.
const EQUATIONS: &str = super::entries::EQUATIONS;
/// Left sides less right sides of the constraints as declared.
const CONSTRAINTS: &str = "constraints";
/// Definitions of the declared speeds.
const SPEEDS: &str = "speeds";
/// What the model declares as outputs.
const OUTPUTS: &str = "outputs";

/// A statement of two models, or of one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// The second half of one of [`PARTS`].
    pub part: &'static str,
    /// Which entry, by its name in the newer model: `theta1''`, the constraint's row, the speed; empty for a scalar.
    pub label: String,
    /// Whether the older model states it.
    pub was: bool,
    /// Whether the newer model states it.
    pub is: bool,
    /// Whether the two are the same.
    pub agreement: Agreement,
    /// What differs; `None` where nothing does, or where that is too long to be told.
    pub changed: Option<Changed>,
}

/// Names of the older model with those of the newer one that they became.
pub type Renaming = BTreeMap<String, String>;

/// What came of comparing two models.
#[derive(Clone, Debug)]
pub struct Contrasts {
    /// What was renamed.
    pub renamed: Renaming,
    /// All statements.
    pub list: Vec<Contrast>,
    /// States of the older model that satisfy its constraints.
    pub states: Vec<State>,
    /// How the names of both models are written; what was renamed has its newer name only.
    pub names: Names,
    /// Coordinates that are measured in another way, as far as the energies show it: in the newer model's coordinates.
    pub remeasured: Option<Vec<(String, String)>>,
}

/// Which of two models cannot be derived, and why.
#[derive(Clone, Debug, PartialEq)]
pub enum Unstated {
    /// The older one.
    Old(Obstacle),
    /// The newer one.
    New(Obstacle),
}

/// What a model states, in the algebra in which it was derived.
struct Stated<'s> {
    c: Context<'s>,
    statements: Vec<(&'static str, String, Expr)>,
}

impl<'s> Stated<'s> {
    fn new(
        system: &'s System,
        settings: &Settings<'_>,
        form: ExpressionForm,
    ) -> Result<Self, Obstacle> {
        let (mut c, posed) = stated(system, settings, form)?;
        let statements = all(&mut c, &posed)?;
        Ok(Self { c, statements })
    }
}

/// Compares two models. Of several ways to pair their names that is taken under which most is the same. If none is a gain, then one that is
/// likely by itself, as the flag beside it says, or that leaves nothing to differ.
///
/// # Errors
/// What is wrong with one of the models.
pub fn contrast(
    old: &System,
    new: &System,
    settings: &Settings<'_>,
    form: ExpressionForm,
    renamings: &[(Renaming, bool)],
) -> Result<Contrasts, Unstated> {
    let mut old = Stated::new(old, settings, form).map_err(Unstated::Old)?;
    let mut new = Stated::new(new, settings, form).map_err(Unstated::New)?;
    let states = {
        let values = old.c.values();
        manifold::states(&old.c.alg, &values, &old.c.constraints)
    };
    let none = Renaming::new();
    let mut best = (paired(&old, &mut new, &none), &none);
    for (renaming, likely) in renamings {
        let pairs = paired(&old, &mut new, renaming);
        let differing = |pairs: &[Pair]| {
            let differing = pairs.iter().filter(|p| p.agreement == Agreement::Different);
            differing.count()
        };
        let (left, least) = (differing(&pairs), differing(&best.0));
        let first = best.1.is_empty();
        if left < least || (left == least && first && (*likely || left == 0)) {
            best = (pairs, renaming);
        }
    }
    let (pairs, renamed) = best;
    let names = explain::names_of(&[new.c.system, &by_new_names(old.c.system, renamed)]);
    let zero = Expr::zero();
    let list = pairs.into_iter().map(|p| {
        let differs = p.agreement == Agreement::Different;
        let (was, is) = (
            p.old.as_ref().unwrap_or(&zero),
            p.new.as_ref().unwrap_or(&zero),
        );
        let changed = differs.then(|| explain::changed(&mut new.c.alg, &names, was, is));
        Contrast {
            part: p.part,
            label: p.label,
            was: p.old.is_some(),
            is: p.new.is_some(),
            agreement: p.agreement,
            changed: changed.flatten(),
        }
    });
    let list: Vec<Contrast> = list.collect();
    let moved = list
        .iter()
        .any(|s| s.agreement == Agreement::Different && s.part == "kinetic_energy");
    let remeasured = moved.then(|| remeasured(&mut old, &mut new, renamed));
    Ok(Contrasts {
        renamed: renamed.clone(),
        states,
        remeasured: remeasured.flatten(),
        list,
        names,
    })
}

/// The older model's quantities by the names that they have now.
fn by_new_names(old: &System, names: &Renaming) -> System {
    let mut system = old.clone();
    let metas = [
        system
            .params
            .iter_mut()
            .map(|p| &mut p.meta)
            .collect::<Vec<_>>(),
        system.coords.iter_mut().map(|c| &mut c.meta).collect(),
        system.states.iter_mut().map(|s| &mut s.meta).collect(),
        system.inputs.iter_mut().map(|i| &mut i.meta).collect(),
        system.functions.iter_mut().map(|f| &mut f.meta).collect(),
        system.speeds.iter_mut().map(|s| &mut s.meta).collect(),
        system.joints.iter_mut().map(|j| &mut j.meta).collect(),
    ];
    for meta in metas.into_iter().flatten() {
        if let Some(name) = names.get(&meta.name) {
            meta.name.clone_from(name);
        }
    }
    system
}

/// A statement of both models in the newer one's algebra.
struct Pair {
    part: &'static str,
    label: String,
    old: Option<Expr>,
    new: Option<Expr>,
    agreement: Agreement,
}

/// All statements, those that only the older model has after the others of their part.
fn paired(old: &Stated<'_>, new: &mut Stated<'_>, names: &Renaming) -> Vec<Pair> {
    let rename = |text: &str| renamed(text, names);
    let mut translation = Translation::new(&old.c.alg, &mut new.c.alg, &rename);
    let mut was: Vec<(&'static str, String, Option<Expr>)> = Vec::new();
    for (part, label, e) in &old.statements {
        let e = translation.expression(e, &mut new.c.alg);
        was.push((part, rename(label), Some(e)));
    }
    let mut list = Vec::new();
    for (part, label, e) in &new.statements {
        let before = was.iter_mut().find(|w| w.0 == *part && w.1 == *label);
        let before = before.and_then(|w| w.2.take());
        let agreement = match &before {
            Some(before) => agreement(&mut new.c, before, e),
            None => Agreement::Different,
        };
        list.push(Pair {
            part,
            label: label.clone(),
            old: before,
            new: Some(e.clone()),
            agreement,
        });
    }
    for (part, label, old) in was.into_iter().filter(|w| w.2.is_some()) {
        list.push(Pair {
            part,
            label,
            old,
            new: None,
            agreement: Agreement::Different,
        });
    }
    list.sort_by_key(|p| PARTS.iter().position(|(_, part)| *part == p.part));
    list
}

/// Whether two expressions are the same, be it only where the dependent rates are what the constraints make them.
fn agreement(c: &mut Context<'_>, a: &Expr, b: &Expr) -> Agreement {
    if c.alg.equal(a, b) {
        return Agreement::Equal;
    }
    let (in_a, in_b) = (in_state(c, a), in_state(c, b));
    if (in_a == *a && in_b == *b) || !c.alg.equal(&in_a, &in_b) {
        Agreement::Different
    } else if c.speeds.reduced {
        Agreement::EqualWhereConstraintsHold
    } else {
        Agreement::Equal
    }
}

/// A text with other names: words of it, or what they are the first part of.
fn renamed(text: &str, names: &Renaming) -> String {
    if names.is_empty() {
        return text.to_owned();
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        out.push_str(before);
        match (names.get(word), word.rsplit_once('.')) {
            (Some(name), _) => out.push_str(name),
            (None, Some((owner, axis))) if names.contains_key(owner) => {
                out.push_str(&format!("{}.{axis}", names[owner]));
            }
            _ => out.push_str(word),
        }
        rest = after;
    }
    out + rest
}

/// Ways in which the newer model's coordinates may be those of the older one: `old = new + sum of others`, tried on the energies.
fn remeasured(
    old: &mut Stated<'_>,
    new: &mut Stated<'_>,
    names: &Renaming,
) -> Option<Vec<(String, String)>> {
    let (was, is) = (old.c.system, new.c.system);
    let of_new = |name: &str| {
        let name = names.get(name).map_or(name, String::as_str);
        is.coords.iter().position(|c| c.meta.name == name)
    };
    let places: Option<Vec<usize>> = was.coords.iter().map(|c| of_new(&c.meta.name)).collect();
    let places = places.filter(|p| p.len() == is.coords.len())?;
    let energies = |s: &mut Stated<'_>| -> Option<[Expr; 2]> {
        let kinetic = s.c.kinetic_energy(Space::Accelerations);
        Some([kinetic, s.c.potential_energy().ok()??])
    };
    let (before, after) = (energies(old)?, energies(new)?);
    for way in ways(was) {
        let rename = |text: &str| renamed(text, names);
        let mut translation = Translation::new(&old.c.alg, &mut new.c.alg, &rename);
        for (i, others) in &way {
            let sum = |list: &[crate::sym::Var], alg: &crate::sym::Algebra| -> Expr {
                let own = alg.var(list[places[*i]]);
                let rest = others.iter();
                let rest = rest.map(|(j, sign)| Expr::int(*sign) * alg.var(list[places[*j]]));
                own + rest.sum::<Expr>()
            };
            let q = sum(&new.c.vars.coords, &new.c.alg);
            let rate = sum(&new.c.vars.rates, &new.c.alg);
            translation.put(old.c.vars.coords[*i], q);
            translation.put(old.c.vars.rates[*i], rate);
        }
        let mut same = before.iter().zip(&after).all(|(b, a)| {
            let b = translation.expression(b, &mut new.c.alg);
            new.c.alg.equal(&b, a)
        });
        same &= !way.is_empty();
        if same {
            return Some(inverse(&way, was, is, &places));
        }
    }
    None
}

/// A coordinate of the older model as `new + sum of (other, sign)`.
type Way = Vec<(usize, Vec<(usize, i64)>)>;

/// Absolute for relative, relative for absolute, of all coordinates of a unit or of one.
fn ways(system: &System) -> Vec<Way> {
    let n = system.coords.len();
    let unit = |i: usize| &system.coords[i].meta.unit;
    let mut ways = Vec::new();
    for first in 0..n {
        if (0..first).any(|i| unit(i) == unit(first)) {
            continue;
        }
        let alike: Vec<usize> = (0..n).filter(|i| unit(*i) == unit(first)).collect();
        let pairs = alike.windows(2);
        ways.push(pairs.map(|p| (p[1], vec![(p[0], -1)])).collect());
        let earlier = |k: usize| alike[..k].iter().map(|i| (*i, 1)).collect();
        ways.push((1..alike.len()).map(|k| (alike[k], earlier(k))).collect());
    }
    for i in 0..n {
        for j in (0..n).filter(|j| *j != i && unit(*j) == unit(i)) {
            ways.push(vec![(i, vec![(j, 1)])]);
            ways.push(vec![(i, vec![(j, -1)])]);
        }
    }
    ways
}

/// The newer coordinates by the older ones, in the model's language: `("q2", "old.q2 - old.q1")`.
fn inverse(way: &Way, was: &System, is: &System, places: &[usize]) -> Vec<(String, String)> {
    // Row i: the newer coordinate i by the older ones. The system is triangular up to order, with ones on its diagonal.
    let n = was.coords.len();
    let mut rows: Vec<Vec<i64>> = (0..n)
        .map(|i| (0..n).map(|j| i64::from(i == j)).collect())
        .collect();
    for _ in 0..n {
        for (i, others) in way {
            let mut row: Vec<i64> = (0..n).map(|j| i64::from(j == *i)).collect();
            for (j, sign) in others {
                let other = rows[*j].clone();
                row.iter_mut().zip(&other).for_each(|(x, y)| *x -= sign * y);
            }
            rows[*i] = row;
        }
    }
    let text = |row: &[i64]| {
        let mut out = String::new();
        let terms = row.iter().enumerate().filter(|(_, k)| **k != 0);
        let mut terms: Vec<(usize, i64)> = terms.map(|(j, k)| (j, *k)).collect();
        terms.sort_by_key(|(j, k)| (*k < 0, std::cmp::Reverse(*j)));
        for (at, (j, k)) in terms.into_iter().enumerate() {
            out.push_str(match (at, k < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            if k.abs() != 1 {
                out.push_str(&format!("{}*", k.abs()));
            }
            out.push_str(&format!("old.{}", was.coords[j].meta.name));
        }
        out
    };
    let moved = (0..n).filter(|i| way.iter().any(|(k, _)| k == i));
    moved
        .map(|i| (is.coords[places[i]].meta.name.clone(), text(&rows[i])))
        .collect()
}

/// All entries of all parts.
fn all(c: &mut Context<'_>, posed: &Posed) -> Result<Vec<(&'static str, String, Expr)>, Obstacle> {
    let mut quantities = Quantities::default();
    let mut entries = Entries::new(posed, &mut quantities);
    let mut list = Vec::new();
    for (_, part) in PARTS {
        match part {
            CONSTRAINTS | SPEEDS | OUTPUTS => {
                let declared = declared(c, part)?;
                list.extend(declared.into_iter().map(|(label, e)| (part, label, e)));
            }
            _ => {
                if let Some(table) = entries.table(c, part)? {
                    let labels = labels(&table).into_iter().zip(table.entries);
                    list.extend(labels.map(|(label, e)| (part, label, e)));
                }
            }
        }
    }
    Ok(list)
}

/// Expressions of the model itself.
fn declared(c: &mut Context<'_>, part: &str) -> Result<Vec<(String, Expr)>, Obstacle> {
    let system = c.system;
    let vector = |name: &str, v| (name.to_owned(), Quantity::Vector(v));
    let mut wanted: Vec<(String, Quantity, FrameId)> = Vec::new();
    match part {
        SPEEDS => {
            for s in &system.speeds {
                let value = Quantity::Scalar(s.value.clone());
                wanted.push((s.meta.name.clone(), value, FrameId(0)));
            }
        }
        OUTPUTS => {
            for o in &system.outputs {
                wanted.push((o.meta.name.clone(), o.value.clone(), FrameId(0)));
            }
        }
        _ => {
            for c in &system.constraints {
                let name = &c.meta.name;
                match &c.relation {
                    ConstraintRelation::Scalar { lhs, rhs } => {
                        let gap = Scalar::Sub(Box::new(lhs.clone()), Box::new(rhs.clone()));
                        wanted.push((name.clone(), Quantity::Scalar(gap), FrameId(0)));
                    }
                    ConstraintRelation::Vector { lhs, rhs, frame } => {
                        for (side, v) in [("left", lhs), ("right", rhs)] {
                            let (name, v) = vector(&format!("{name}, {side} side"), v.clone());
                            wanted.push((name, v, *frame));
                        }
                    }
                }
            }
        }
    }
    let mut list = Vec::new();
    for (name, value, frame) in wanted {
        let (alg, values, k, _) = c.parts(Space::Accelerations);
        let found = match &value {
            Quantity::Scalar(s) => values.scalar(alg, k, s).map(|e| vec![(name.clone(), e)]),
            Quantity::Vector(v) => values.vector(alg, k, v).map(|v| {
                let parts = k.components(alg, &v, frame, &name);
                let axes = ["x", "y", "z"].into_iter().zip(parts);
                axes.map(|(axis, e)| (format!("{name}.{axis}"), e))
                    .collect()
            }),
        };
        list.extend(found.map_err(|fault| {
            Obstacle::Diagnostics(vec![fault.at(crate::span::Span::default())])
        })?);
    }
    Ok(list)
}

fn labels(table: &Table) -> Vec<String> {
    match table.layout {
        Layout::Scalar => vec![String::new()],
        _ => table.labels(),
    }
}
