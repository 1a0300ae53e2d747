//! Collects the page from what mechanics makes of a model.

use super::page::{
    Body, Condition, Conserved, Constraint, Coordinate, Integrable, Kind, Load, Page,
    Row as PageRow, Rule, Speed, StateRate,
};
use super::{conserved, formula, integrable};
use crate::diag::Diagnostic;
use crate::form::{Context, Space};
use crate::mech::constraints::{Level, Rank, Row};
use crate::model::System;
use crate::model::system::{self, EnergyKind, FrameId, LoadKind};
use crate::span::Span;
use crate::sym::Expr;

/// The page on a model, and remarks. `c` is the model as it is presented; `sequenced` the same in sequenced form,
/// where expressions can be differentiated again and again.
/// `written` gives the text of a statement.
pub fn survey(
    c: &mut Context<'_>,
    sequenced: Option<&mut Context<'_>>,
    written: &dyn Fn(Span) -> Option<String>,
) -> (Page, Vec<Diagnostic>) {
    let (rows, motion) = match sequenced {
        Some(s) => (integrable::examine(s), conserved::examine(s)),
        None => (integrable::examine(c), conserved::examine(c)),
    };
    let system = c.system;
    let rank = c.constraints.independent.len();
    let n = system.coords.len();
    let configuration_degrees_of_freedom = rows.restrictions.map(|k| n.saturating_sub(k));
    let mut conserved = motion.conserved;
    let combined = rows.combinations.iter();
    let combined = combined.map(|k| (k.rows.join(", "), &k.integral));
    let all = c.constraints.rows.iter().zip(&rows.integrals);
    let single = all.map(|(row, integral)| (row.name.clone(), integral));
    conserved.extend(combined.chain(single).filter_map(|(name, integral)| {
        Some(Conserved {
            kind: "constraint",
            name,
            formula: Some(integral.clone()?),
        })
    }));
    let notes = remarks(c, &rows);
    let (bodies, total_mass) = bodies(c);
    let page = Page {
        model: system.name.clone(),
        docs: system.docs.clone(),
        coordinates: coordinates(system),
        states: states(system),
        speeds: speeds(c),
        rule: rule(c),
        inverse: inverse(c),
        conditions: conditions(c),
        bodies,
        total_mass,
        loads: loads(c, written),
        constraints: constraints(c, &rows, written),
        combinations: rows.combinations,
        rank,
        rank_varies: c.constraints.rank_where_they_hold == Rank::Varies,
        degrees_of_freedom: n - rank,
        configuration_degrees_of_freedom,
        cyclic: motion.cyclic,
        conserved,
        energy: motion.energy,
    };
    (page, notes)
}

fn coordinates(system: &System) -> Vec<Coordinate> {
    system
        .coords
        .iter()
        .map(|c| Coordinate {
            name: c.meta.name.clone(),
            unit: c.meta.unit.clone(),
            docs: c.meta.docs.clone(),
        })
        .collect()
}

fn states(system: &System) -> Vec<StateRate> {
    let states = system.states.iter().map(|s| StateRate {
        name: s.meta.name.clone(),
        unit: s.meta.unit.clone(),
        docs: s.meta.docs.clone(),
        rate: system.scalar_text(&s.rate),
    });
    states.collect()
}

fn speeds(c: &mut Context<'_>) -> Vec<Speed> {
    let list = c.speeds.speeds.clone();
    list.iter()
        .enumerate()
        .map(|(i, s)| {
            let declared = s.declared.map(|d| &c.system.speeds[d].meta);
            let coord = s.coordinate.map(|q| &c.system.coords[q].meta);
            let unit = match (declared, coord) {
                (Some(m), _) => m.unit.clone(),
                (None, Some(m)) => m.unit.as_deref().map(rate_unit),
                (None, None) => None,
            };
            let defined = s.declared.is_some() || s.row.is_some();
            Speed {
                name: s.name.clone(),
                unit,
                docs: declared.map_or_else(String::new, |m| m.docs.clone()),
                definition: defined.then(|| formula::whole(&mut c.alg, &s.definition)),
                independent: c.speeds.independent.contains(&i),
            }
        })
        .collect()
}

/// The unit of a rate.
fn rate_unit(unit: &str) -> String {
    match unit {
        "1" => "1/s".to_string(),
        unit => format!("{unit}/s"),
    }
}

fn rule(c: &Context<'_>) -> Rule {
    if c.constraints.rows.is_empty() {
        Rule::Free
    } else if c.speeds.reduced {
        let chosen = c.speeds.independent.iter();
        let declared = chosen
            .clone()
            .all(|i| c.speeds.speeds[*i].declared.is_some())
            && chosen.count() == c.system.speeds.len()
            && !c.system.speeds.is_empty();
        match (c.system.privileged.is_empty(), declared) {
            (false, _) => Rule::Privileged,
            (true, true) => Rule::Declared,
            (true, false) => Rule::CertainlyNonzero,
        }
    } else if c.constraints.has_accelerations() {
        Rule::Accelerations
    } else if !c.constraints.is_linear() {
        Rule::Nonlinear
    } else if c.constraints.rank_where_they_hold == Rank::Varies {
        Rule::RankVaries
    } else {
        Rule::NoGoodChart
    }
}

fn inverse(c: &mut Context<'_>) -> Vec<(String, Option<String>)> {
    let motion = c.speeds.motion.clone();
    let mut list = Vec::new();
    for (q, value) in c.system.coords.iter().zip(&motion.rate_values) {
        let text = formula::text(&mut c.alg, value);
        if text.as_deref() != Some(&format!("{}'", q.meta.name)) {
            list.push((q.meta.name.clone(), text));
        }
    }
    list
}

fn conditions(c: &mut Context<'_>) -> Vec<Condition> {
    let list = c.speeds.conditions.clone();
    list.iter()
        .map(|(e, _)| {
            let note = c.speeds.blindness(&c.alg, c.system, e);
            let vanishes = formula::unsigned(&mut c.alg, e);
            let vanishes = vanishes.unwrap_or_else(|| formula::whole(&mut c.alg, e));
            Condition {
                equation: format!("{vanishes} = 0"),
                meaning: note.map_or_else(
                    || "the speeds fail".to_string(),
                    |n| n.strip_suffix(" there").unwrap_or(&n).to_string(),
                ),
            }
        })
        .collect()
}

fn bodies(c: &mut Context<'_>) -> (Vec<Body>, Option<String>) {
    let masses = c.masses.clone();
    let system = c.system;
    let alg = &mut c.alg;
    let list = masses
        .iter()
        .zip(&system.bodies)
        .map(|(m, b)| Body {
            name: m.name.clone(),
            docs: b.meta.docs.clone(),
            mass: formula::whole(alg, &m.mass),
            center: system.points[m.center.index()].meta.name.clone(),
            frame: m
                .rotation
                .as_ref()
                .map(|(f, _)| system.frames[f.index()].meta.name.clone()),
            inertia: m.rotation.as_ref().map_or_else(Vec::new, |(_, t)| {
                [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]
                    .iter()
                    .map(|(i, j)| formula::whole(alg, &t[*i][*j]))
                    .collect()
            }),
        })
        .collect();
    let total: Expr = masses.iter().map(|m| m.mass.clone()).sum();
    let total = (!masses.is_empty()).then(|| formula::whole(alg, &total));
    (list, total)
}

fn loads(c: &mut Context<'_>, written: &dyn Fn(Span) -> Option<String>) -> Vec<Load> {
    let system = c.system;
    let mut list = Vec::new();
    if system.gravity.is_some() {
        list.push(Load {
            kind: "gravity".into(),
            on: "all bodies".into(),
            docs: String::new(),
            written: gravity(c),
            continues: false,
        });
    }
    let all = system.loads.iter().map(|l| (l, ""));
    let mut before: Option<Span> = None;
    for (load, prefix) in all.chain(system.nonideal.iter().map(|l| (l, "nonideal "))) {
        let (kind, on) = match &load.kind {
            LoadKind::Force { point, .. } => ("force", &system.points[point.index()].meta),
            LoadKind::Torque { frame, .. } => ("torque", &system.frames[frame.index()].meta),
            LoadKind::Generalized { coord, .. } => {
                ("generalized", &system.coords[coord.index()].meta)
            }
        };
        list.push(Load {
            kind: format!("{prefix}{kind}"),
            on: on.name.clone(),
            docs: load.docs.clone(),
            written: written(load.span),
            continues: before == Some(load.span),
        });
        before = Some(load.span);
    }
    let mut told: Vec<Span> = Vec::new();
    for e in &system.energies {
        // A spring with a damper is one statement.
        if told.contains(&e.span) {
            continue;
        }
        told.push(e.span);
        let kind = match e.kind {
            EnergyKind::Kinetic => "kinetic",
            EnergyKind::Potential => "potential",
            EnergyKind::Dissipation => "dissipation",
        };
        list.push(Load {
            kind: kind.into(),
            on: e.name.clone(),
            docs: e.docs.clone(),
            written: written(e.span),
            continues: false,
        });
    }
    list
}

/// The acceleration of free fall, as a sum of basis vectors of `N`.
fn gravity(c: &mut Context<'_>) -> Option<String> {
    let vector = c.gravity(Space::Accelerations).ok()??;
    let (alg, _, k, _) = c.parts(Space::Accelerations);
    let parts = k.components(alg, &vector, FrameId(0), "gravity");
    let mut text = "0".to_string();
    for (e, axis) in parts.iter().zip(["N.x", "N.y", "N.z"]) {
        let part = match formula::text(alg, e)?.as_str() {
            "0" => continue,
            "1" => axis.to_string(),
            "-1" => format!("-{axis}"),
            e if e.contains(" + ") || e.contains(" - ") => format!("({e})*{axis}"),
            e => format!("{e}*{axis}"),
        };
        text = formula::sum(&text, &part);
    }
    Some(text)
}

fn constraints(
    c: &mut Context<'_>,
    found: &integrable::Findings,
    written: &dyn Fn(Span) -> Option<String>,
) -> Vec<Constraint> {
    let all = c.constraints.rows.clone();
    let independent = c.constraints.independent.clone();
    let time = c.vars.time;
    let mut list = Vec::new();
    for statement in &c.system.constraints {
        let name = &statement.meta.name;
        let mine: Vec<usize> = (0..all.len())
            .filter(|i| belongs(statement, &all[*i]))
            .collect();
        let Some(first) = mine.first() else { continue };
        let rheonomic = mine
            .iter()
            .any(|i| c.alg.depends(&all[*i].residual, &|v| v == time));
        let linear = mine.iter().all(|i| all[*i].linear);
        let affine = mine.iter().any(|i| !c.alg.is_zero(&all[*i].velocity_bias));
        let level = all[*first].level;
        let kind = match level {
            Level::Position if rheonomic => Kind::Rheonomic,
            Level::Position => Kind::Scleronomic,
            Level::Acceleration => Kind::Acceleration,
            Level::Velocity if !linear => Kind::Nonlinear,
            Level::Velocity => kind_of(&mine, found, &all),
        };
        let rows = mine
            .iter()
            .map(|i| page_row(c, *i, found.rows[*i]))
            .collect();
        list.push(Constraint {
            name: name.clone(),
            docs: statement.meta.docs.clone(),
            written: written(statement.meta.span),
            kind,
            level: match level {
                Level::Position => "position",
                Level::Velocity => "velocity",
                Level::Acceleration => "acceleration",
            },
            form: match (linear, affine) {
                (false, _) => "nonlinear",
                (true, true) => "affine",
                (true, false) => "linear",
            },
            rheonomic,
            rows,
            rank: mine.iter().filter(|i| independent.contains(i)).count(),
        });
    }
    list
}

/// A row with the independent ones that it is a combination of.
fn page_row(c: &mut Context<'_>, i: usize, integrable: Option<Integrable>) -> PageRow {
    let mechanics = c.mechanics.clone();
    let constraints = &mechanics.constraints;
    let row = &constraints.rows[i];
    let independent = constraints.independent.contains(&i);
    let mut combination = Vec::new();
    let factors = constraints.combination.get(i).into_iter().flatten();
    for (k, e) in constraints.independent.iter().zip(factors) {
        if !independent && !c.alg.is_zero(e) {
            let text = formula::text(&mut c.alg, e);
            combination.push((constraints.rows[*k].name.clone(), text));
        }
    }
    // With the signs of the statement: the multiplier's sign and the factors of combinations are read off it.
    let (name, coords) = (&row.name, &c.system.coords);
    let entry = |j: usize| format!("constraint_matrix[{name}, {}]", coords[j].meta.name);
    let is_linear = row.linear && row.level == Level::Velocity;
    let rates = if is_linear {
        c.vars.rates.clone()
    } else {
        Vec::new()
    };
    let rest = format!("rest[{name}]");
    let equation = formula::collected(&mut c.alg, &row.residual, &rates, &entry, &rest);
    PageRow {
        name: row.name.clone(),
        equation: format!("{} = 0", equation.text),
        parts: equation.parts,
        independent,
        combination,
        integrable,
    }
}

/// Whether a row is one of a constraint's.
fn belongs(statement: &system::Constraint, row: &Row) -> bool {
    let name = &statement.meta.name;
    row.name
        .strip_prefix(name.as_str())
        .is_some_and(|rest| ["", ".x", ".y", ".z"].contains(&rest))
        && row.span == statement.meta.span
}

fn kind_of(mine: &[usize], found: &integrable::Findings, all: &[Row]) -> Kind {
    let findings: Vec<Integrable> = mine.iter().filter_map(|i| found.rows[*i]).collect();
    let whole = |w: &Integrable| matches!(w, Integrable::Alone | Integrable::WithOthers);
    let combined = |i: &usize| {
        found.combinations.iter().any(|k| {
            k.rows
                .iter()
                .all(|r| mine.iter().any(|j| all[*j].name == *r))
                && k.rows.contains(&all[*i].name)
        })
    };
    if findings.iter().all(whole) {
        Kind::Integrable
    } else if findings.contains(&Integrable::Unknown) {
        Kind::Undecided
    } else if findings.iter().any(whole) || mine.iter().any(combined) {
        Kind::PartlyIntegrable
    } else {
        Kind::Nonholonomic
    }
}

/// Notes on rows and combinations that can be integrated.
fn remarks(c: &Context<'_>, found: &integrable::Findings) -> Vec<Diagnostic> {
    let note =
        |code, title: String, span, label: &str| Diagnostic::remark(code, title, span, label);
    let mut notes = Vec::new();
    for (i, integrable) in found.rows.iter().enumerate() {
        let row = &c.constraints.rows[i];
        if !c.constraints.independent.contains(&i) {
            continue;
        }
        let (how, label) = match integrable {
            Some(Integrable::Alone) => (
                "is integrable",
                "this restricts the configuration, not only the rates",
            ),
            Some(Integrable::WithOthers) => (
                "is integrable when the other constraints hold",
                "together with the others this restricts the configuration, not only the rates",
            ),
            _ => continue,
        };
        let mut d = note(
            "N0480",
            format!("constraint `{}` {how}", row.name),
            row.span,
            label,
        )
        .help("if you know the constant of integration, state it as a position constraint; then drift can be detected and removed");
        if let Some(integral) = &found.integrals[i] {
            d = d.note(format!("it says that {integral} is constant"));
        }
        notes.push(d);
    }
    for k in &found.combinations {
        let rows: Vec<&Row> = c
            .constraints
            .rows
            .iter()
            .filter(|r| k.rows.contains(&r.name))
            .collect();
        let Some(first) = rows.first() else { continue };
        let names: Vec<String> = k.rows.iter().map(|r| format!("`{r}`")).collect();
        let mut d = note(
            "N0481",
            format!("a combination of {} is integrable", names.join(", ")),
            first.span,
            "together they restrict the configuration, not only the rates",
        );
        for row in rows.iter().skip(1) {
            if d.labels.iter().all(|l| l.span != row.span) {
                d = d.label(row.span, "and this one");
            }
        }
        if let Some(relation) = &k.relation {
            d = d.note(format!("they imply {relation}"));
        }
        if let Some(integral) = &k.integral {
            d = d.note(format!("so that {integral} is constant"));
        }
        notes.push(d);
    }
    notes
}
