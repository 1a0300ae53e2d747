//! Which names of a model may have become which of another one's.

use crate::diag::suggest;
use crate::model::System;
use crate::model::system::{Meta, Rational};
use crate::program::Renaming;
use std::collections::BTreeMap;

/// Pairs of lists of this many names are tried in every order.
const PERMUTED: usize = 3;
/// Ways that are tried at most.
const MOST: usize = 40;

/// A name that only one of the models has.
struct Lone<'a> {
    name: &'a str,
    value: Option<&'a Rational>,
}

/// Names of one kind and unit.
type Groups<'a> = BTreeMap<(&'static str, Option<String>), Vec<Lone<'a>>>;

/// Ways in which names may have changed, the likeliest first, and whether each is likely by itself: within a kind and unit, names that are gone
/// became names that are new, of the same values.
pub(super) fn renamings(old: &System, new: &System) -> Vec<(Renaming, bool)> {
    let (was, is) = (named(old), named(new));
    let (gone, come) = (lone(&was, &is), lone(&is, &was));
    let mut groups: Vec<Vec<Renaming>> = Vec::new();
    for (kind, from) in &gone {
        if let Some(to) = come.get(kind) {
            groups.push(ways(from, to));
        }
    }
    let first = |groups: &[Vec<Renaming>]| -> Renaming {
        let all = groups.iter().filter_map(|g| g.first());
        all.flat_map(|r| r.clone()).collect()
    };
    let mut list = vec![first(&groups)];
    for (k, group) in groups.iter().enumerate() {
        for other in &group[1..] {
            let mut all = first(&groups);
            all.retain(|name, _| !group[0].contains_key(name));
            all.extend(other.clone());
            list.push(all);
        }
        // Each alone: the others may be new indeed.
        if groups.len() > 1 {
            list.extend(groups[k].first().cloned());
        }
    }
    list.retain(|r| !r.is_empty());
    list.truncate(MOST);
    let value = |of: &[(&'static str, &Meta, Option<&Rational>)], name: &str| {
        let found = of.iter().find(|o| o.1.name == name);
        found.and_then(|o| o.2.cloned())
    };
    let likely = |r: &Renaming| {
        r.iter().all(|(from, to)| {
            let from = value(&was, from);
            from.is_some() && from == value(&is, to)
        })
    };
    let list = list.into_iter().map(|r| {
        let likely = likely(&r);
        (r, likely)
    });
    list.collect()
}

/// Ways to pair the names of a group.
fn ways(from: &[Lone<'_>], to: &[Lone<'_>]) -> Vec<Renaming> {
    let paired = |pairs: Vec<(&Lone<'_>, &Lone<'_>)>| -> Renaming {
        let pairs = pairs.into_iter();
        pairs
            .map(|(a, b)| (a.name.to_owned(), b.name.to_owned()))
            .collect()
    };
    let mut list = vec![paired(alike(from, to))];
    if from.len() == to.len() {
        list.push(paired(from.iter().zip(to).collect()));
        if from.len() <= PERMUTED {
            for order in orders(from.len()) {
                let pairs = from.iter().zip(order.iter().map(|i| &to[*i]));
                list.push(paired(pairs.collect()));
            }
        }
    } else if from.len() <= PERMUTED && to.len() <= PERMUTED {
        let (short, long) = (from.len().min(to.len()), from.len().max(to.len()));
        for order in orders(long) {
            let pairs = (0..short).map(|i| {
                if from.len() < to.len() {
                    (&from[i], &to[order[i]])
                } else {
                    (&from[order[i]], &to[i])
                }
            });
            list.push(paired(pairs.collect()));
        }
    }
    let mut known = Vec::new();
    for way in list {
        if !known.contains(&way) {
            known.push(way);
        }
    }
    known
}

/// Names with the same value or nearly the same letters first, the rest in order.
fn alike<'l, 'a>(from: &'l [Lone<'a>], to: &'l [Lone<'a>]) -> Vec<(&'l Lone<'a>, &'l Lone<'a>)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    type Test = fn(&Lone<'_>, &Lone<'_>) -> bool;
    let tests: [Test; 4] = [
        |a, b| a.value.is_some() && a.value == b.value,
        |a, b| suggest::closest(a.name, [b.name]).is_some(),
        |a, b| a.name.starts_with(b.name) || b.name.starts_with(a.name),
        |_, _| true,
    ];
    for test in tests {
        for (i, a) in from.iter().enumerate() {
            if pairs.iter().any(|p| p.0 == i) {
                continue;
            }
            let free = |j: &usize| pairs.iter().all(|p| p.1 != *j);
            let found = (0..to.len()).filter(free).find(|j| test(a, &to[*j]));
            pairs.extend(found.map(|j| (i, j)));
        }
    }
    pairs.into_iter().map(|(i, j)| (&from[i], &to[j])).collect()
}

/// All orders of a few things.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut list = vec![Vec::new()];
    for _ in 0..n {
        let longer = list.iter().flat_map(|order: &Vec<usize>| {
            let rest = (0..n).filter(|k| !order.contains(k));
            rest.map(|k| [order.as_slice(), &[k]].concat())
        });
        list = longer.collect();
    }
    list
}

/// Everything that has a name which texts use.
fn named(system: &System) -> Vec<(&'static str, &Meta, Option<&Rational>)> {
    let params = system.params.iter();
    let mut list: Vec<(&'static str, &Meta, Option<&Rational>)> = params
        .map(|p| ("parameter", &p.meta, p.default.as_ref()))
        .collect();
    let coords = system.coords.iter();
    list.extend(coords.map(|c| ("coordinate", &c.meta, c.initial.as_ref())));
    let states = system.states.iter();
    list.extend(states.map(|s| ("state", &s.meta, s.initial.as_ref())));
    let plain = [
        (
            "input",
            system.inputs.iter().map(|i| &i.meta).collect::<Vec<_>>(),
        ),
        (
            "function",
            system.functions.iter().map(|f| &f.meta).collect(),
        ),
        ("speed", system.speeds.iter().map(|s| &s.meta).collect()),
        (
            "constraint",
            system.constraints.iter().map(|c| &c.meta).collect(),
        ),
        ("output", system.outputs.iter().map(|o| &o.meta).collect()),
        ("reaction", system.joints.iter().map(|j| &j.meta).collect()),
    ];
    for (kind, metas) in plain {
        list.extend(metas.into_iter().map(|m| (kind, m, None)));
    }
    list
}

fn lone<'a>(
    of: &[(&'static str, &'a Meta, Option<&'a Rational>)],
    other: &[(&'static str, &Meta, Option<&Rational>)],
) -> Groups<'a> {
    let mut groups = Groups::new();
    for (kind, meta, value) in of {
        if other.iter().any(|o| o.0 == *kind && o.1.name == meta.name) {
            continue;
        }
        let group = groups.entry((kind, meta.unit.clone())).or_default();
        group.push(Lone {
            name: &meta.name,
            value: *value,
        });
    }
    groups
}
