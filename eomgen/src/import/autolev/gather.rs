//! Statements of an Autolev file, one by one, as facts of the machine. Knows which statement says what, and nothing of what follows.

use std::collections::BTreeMap;

use super::super::findings::Findings;
use super::commands;
use super::facts::{Facts, Load, Place, Scalar, Thing, Turn, Turned, Word, element, twice};
use super::tree::{Declared, Expr, How, Kind, Statement, Target, What};
use crate::diag::codes::import::{E0603, E0607};
use crate::span::Span;

/// Gathers the statements.
pub fn gather(statements: &[Statement], findings: &mut Findings) -> Facts {
    let mut facts = Facts::default();
    // Declarations first: names of vectors are made of them.
    for (line, statement) in statements.iter().enumerate() {
        if let What::Declare(word, names) = &statement.kind {
            declare(&mut facts, word, names, line, statement, findings);
        }
    }
    for statement in statements {
        take(&mut facts, statement, findings);
    }
    masses_are_constants(&mut facts);
    spinning(&mut facts);
    heights(&facts, findings);
    facts
}

/// Most names of expressions that are made of one another, one by one.
const HIGHEST: usize = 60;

/// Refuses names of expressions that are made of themselves, or of too many others one by one.
fn heights(facts: &Facts, findings: &mut Findings) {
    let mut known = BTreeMap::new();
    for (name, primes) in &facts.value_order {
        let value = &facts.values[&(name.clone(), *primes)];
        if *primes == 0 && height(facts, name, &mut Vec::new(), &mut known).is_none() {
            findings.error(
                E0607,
                format!("`{name}` is made of itself, or of too long a chain of names"),
                value.span,
                "follow the names from here",
                "state one of them without the others",
            );
            return;
        }
    }
    let names = facts
        .vectors
        .iter()
        .filter(|(name, _)| !facts.is_kinematic(name));
    for (name, value) in names {
        if height(facts, &format!("{name}>"), &mut Vec::new(), &mut known).is_none() {
            findings.error(
                E0607,
                format!("`{name}>` is made of itself, or of too long a chain of names"),
                value.span,
                "follow the names from here",
                "state one of them without the others",
            );
            return;
        }
    }
}

/// How many names stand on one another below this one.
fn height(
    facts: &Facts,
    name: &str,
    path: &mut Vec<String>,
    known: &mut BTreeMap<String, usize>,
) -> Option<usize> {
    if let Some(found) = known.get(name) {
        return Some(*found);
    }
    if path.len() > HIGHEST || path.iter().any(|there| there == name) {
        return None;
    }
    let value = match name.strip_suffix('>') {
        Some(vector) => facts
            .vectors
            .get(vector)
            .filter(|_| !facts.is_kinematic(vector)),
        None => facts.values.get(&(name.to_owned(), 0)),
    };
    let mut most = 0;
    if let Some(value) = value {
        path.push(name.to_owned());
        let mut names = Vec::new();
        inside(value, &mut names);
        for other in names {
            most = most.max(1 + height(facts, &other, path, known)?);
        }
        path.pop();
    }
    if most > HIGHEST {
        return None;
    }
    known.insert(name.to_owned(), most);
    Some(most)
}

/// Names that may stand for expressions.
fn inside(expr: &Expr, all: &mut Vec<String>) {
    match &expr.kind {
        Kind::Name(name, 0) => all.push(name.clone()),
        Kind::Element(name, indices) => all.extend(element(name, indices)),
        Kind::Vector(name) => all.push(format!("{name}>")),
        _ => {}
    }
    for part in expr.parts() {
        inside(part, all);
    }
}

/// Frames of which nothing but an angular velocity is stated get angles of their own: one where that is along an axis, else Euler parameters.
fn spinning(facts: &mut Facts) {
    let turned = |facts: &Facts, name: &str| {
        facts
            .turns
            .iter()
            .any(|turn| turn.child == name || turn.parent == name)
    };
    let known: Vec<(String, Expr)> = facts
        .vectors
        .iter()
        .filter(|(name, _)| name.starts_with("w_"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    for (name, value) in known {
        let Some((child, parent)) = facts.two_frames_of(&name, "w_") else {
            continue;
        };
        if child == facts.newtonian || turned(facts, &child) {
            continue;
        }
        let Some((frame, parts)) = super::speeds::components(facts, &value) else {
            continue;
        };
        let moving: Vec<usize> = (0..3).filter(|axis| !parts[*axis].is_number("0")).collect();
        let span = facts.frames[&child].span;
        let own = |facts: &mut Facts, end: &str| {
            let name = format!("{child}_{end}");
            facts.scalars.push(Scalar {
                spelled: name.clone(),
                name: name.clone(),
                word: Word::Variable,
                primes: 1,
                sign: None,
                span,
                line: usize::MAX,
            });
            Expr::new(Kind::Name(name, 0), span)
        };
        let turn = match moving[..] {
            [axis] if frame == child || frame == parent => {
                Turn::Axis(axis as i32 + 1, own(facts, "angle"))
            }
            [_, _, _] if frame == child || frame == parent => {
                let ends = ["e1", "e2", "e3", "e4"];
                Turn::Euler(ends.map(|end| own(facts, end)).into())
            }
            _ => continue,
        };
        facts.turns.push(Turned {
            parent,
            child,
            turn,
            span,
        });
    }
}

/// `MASS A = MA` declares MA where nothing else does, and so do inertias.
fn masses_are_constants(facts: &mut Facts) {
    let masses = facts.masses.values();
    let all = masses.chain(facts.inertias.values().flat_map(|(_, entries, _)| entries));
    let mut found: Vec<(String, Span)> = Vec::new();
    let mut values: Vec<&Expr> = all.collect();
    values.sort_by_key(|value| value.span);
    for value in values {
        plain_names(value, &mut found);
    }
    for (name, span) in found {
        let known = facts.scalar(&name).is_some()
            || facts.values.contains_key(&(name.clone(), 0))
            || name == "t"
            || name == "pi";
        if !known {
            facts.scalars.push(Scalar {
                spelled: name.clone(),
                name,
                word: Word::Constant,
                primes: 0,
                sign: None,
                span,
                line: usize::MAX,
            });
        }
    }
}

fn plain_names(expr: &Expr, all: &mut Vec<(String, Span)>) {
    if let Some(name) = expr.plain() {
        all.push((name.to_owned(), expr.span));
    }
    for part in expr.parts() {
        plain_names(part, all);
    }
}

fn declare(
    facts: &mut Facts,
    word: &str,
    names: &[Declared],
    line: usize,
    statement: &Statement,
    findings: &mut Findings,
) {
    for declared in names {
        let name = declared.name.to_ascii_lowercase();
        let thing = |spelled: String, heavy| Thing {
            spelled,
            span: declared.span,
            comment: statement.comment.clone().filter(|_| names.len() == 1),
            heavy,
        };
        let centre = |facts: &mut Facts| {
            let origin = format!("{name}o");
            facts
                .points
                .insert(origin.clone(), thing(format!("{}o", declared.name), false));
            facts.point_order.push(origin);
        };
        let twice = |findings: &mut Findings| {
            findings.error(
                E0607,
                format!("`{}` is declared twice", declared.name),
                declared.span,
                "it has this name already; small and capital letters are the same",
                "give it another name",
            );
        };
        let scalar = match word {
            "newtonian" | "frame" | "body" => {
                if facts
                    .frames
                    .insert(name.clone(), thing(declared.name.clone(), word == "body"))
                    .is_some()
                {
                    twice(findings);
                    continue;
                }
                facts.frame_order.push(name.clone());
                centre(facts);
                if word == "newtonian" {
                    if !facts.newtonian.is_empty() {
                        twice(findings);
                    }
                    facts.newtonian.clone_from(&name);
                }
                continue;
            }
            "point" | "particle" => {
                let old = facts.points.insert(
                    name.clone(),
                    thing(declared.name.clone(), word == "particle"),
                );
                match old {
                    // `POINTS AO` says again what `BODIES A` says.
                    Some(_) if name.ends_with('o') && word == "point" => {}
                    Some(_) => twice(findings),
                    None => facts.point_order.push(name.clone()),
                }
                continue;
            }
            "constant" => Word::Constant,
            "specified" => Word::Specified,
            "variable" => Word::Variable,
            "motion" => Word::Motion,
            _ => {
                findings.error(
                    E0603,
                    "imaginary numbers are not read",
                    declared.span,
                    "a model has real quantities alone",
                    "remove the line, and what uses it",
                );
                continue;
            }
        };
        if name == "t" || name == "pi" {
            findings.error(
                E0607,
                format!("`{}` is taken", declared.name),
                declared.span,
                "time is `T`, and `PI` a number",
                "give it another name",
            );
            continue;
        }
        // `VARIABLES U{2}` and `MOTIONVARIABLES' U{2}'` may both be there.
        match facts.scalars.iter_mut().find(|scalar| scalar.name == name) {
            Some(old) => {
                if old.word == Word::Constant || scalar == Word::Constant {
                    twice(findings);
                }
                old.primes = old.primes.max(declared.primes);
                if scalar == Word::Motion {
                    old.word = scalar;
                }
            }
            None => facts.scalars.push(Scalar {
                name: name.clone(),
                spelled: declared.name.clone(),
                word: scalar,
                primes: declared.primes,
                sign: declared.sign,
                span: declared.span,
                line,
            }),
        }
        if let Some(comment) = &statement.comment {
            facts.comments.insert(line, comment.clone());
        }
        if let Some(value) = &declared.value {
            facts.set((name, 0), value.clone(), findings);
        }
    }
}

fn take(facts: &mut Facts, statement: &Statement, findings: &mut Findings) {
    match &statement.kind {
        What::Declare(..) | What::Idle => {}
        What::Mass(all) => {
            for (name, mass, span) in all {
                if !(facts.points.contains_key(name) || facts.frames.contains_key(name)) {
                    facts.unknown(name, *span, "a body or particle", findings);
                }
                facts.masses.insert(name.clone(), mass.clone());
            }
        }
        What::Inertia(name, frame, entries) => {
            let span = statement.span;
            if !(entries.len() == 3 || entries.len() == 6) {
                findings.error(
                    E0607,
                    format!("the inertia of `{name}` has {} entries", entries.len()),
                    span,
                    "3 or 6 are wanted",
                    "write the moments I11, I22, I33 and, if there are any, the products I12, I23, I31",
                );
            }
            for name in [Some(name), frame.as_ref()].into_iter().flatten() {
                if !facts.frames.contains_key(name) {
                    facts.unknown(name, span, "a body", findings);
                }
            }
            facts
                .inertias
                .insert(name.clone(), (frame.clone(), entries.clone(), span));
        }
        What::Input(all) => facts.given.extend(all.iter().cloned()),
        What::Units(all) => facts.units.extend(all.iter().cloned()),
        What::Output(all) => facts.outputs.extend(all.iter().cloned()),
        What::Call(name, arguments) => {
            commands::take(facts, name, arguments, statement.span, findings)
        }
        What::Assign(target, how, value) => {
            assign(facts, target, *how, value, statement.span, findings)
        }
    }
}

/// A sum of what was there and what is added.
fn added(old: Option<&Expr>, how: How, value: &Expr) -> Expr {
    use super::tree::Sign;
    match (how, old) {
        (How::Is, _) | (How::Add, None) => value.clone(),
        (How::Add, Some(old)) => Expr::join(Sign::Plus, old.clone(), value.clone()),
        (How::Subtract, Some(old)) => Expr::join(Sign::Minus, old.clone(), value.clone()),
        (How::Subtract, None) => Expr::new(Kind::Negative(Box::new(value.clone())), value.span),
    }
}

fn assign(
    facts: &mut Facts,
    target: &Target,
    how: How,
    value: &Expr,
    span: Span,
    findings: &mut Findings,
) {
    match target {
        Target::Dyadic => findings.error(
            E0603,
            "dyadics are not read",
            span,
            "an assignment to a dyadic",
            "write `INERTIA A, I11, I22, I33, I12, I23, I31`",
        ),
        Target::Element(name, indices) => {
            let Some(name) = element(name, indices) else {
                findings.error(
                    E0603,
                    "an index that is no number",
                    span,
                    "here",
                    "write a number",
                );
                return;
            };
            facts.set((name, 0), value.clone(), findings);
        }
        Target::Scalar(name, primes) => {
            if *primes == 0
                && let Some((parent, child)) = facts.two_frames(name)
            {
                match &value.kind {
                    Kind::Matrix(rows) if rows.len() == 3 && rows.iter().all(|row| row.len() == 3) => {
                        let entries = rows.iter().flatten().cloned().collect();
                        facts.turns.push(Turned { parent, child, turn: Turn::Cosines(entries), span });
                    }
                    _ => findings.error(E0603, "direction cosines that are no matrix", span, "here", "write three rows of three, `[a, b, c; ..; ..]`, or use `SIMPROT` or `DIRCOS`"),
                }
                return;
            }
            let old = facts.values.get(&(name.clone(), *primes));
            let sum = added(old, how, value);
            if how != How::Is {
                facts.values.remove(&(name.clone(), *primes));
                facts
                    .value_order
                    .retain(|key| *key != (name.clone(), *primes));
            }
            facts.set((name.clone(), *primes), sum, findings);
        }
        Target::Vector(name) => {
            if let Some((from, to)) = facts.two_points_of(name, "p_") {
                facts.places.push(Place {
                    from,
                    to,
                    vector: value.clone(),
                    span,
                });
                return;
            }
            for (prefix, torque) in [("force_", false), ("torque_", true)] {
                if let Some(on) = name.strip_prefix(prefix) {
                    let known = if torque {
                        facts.frames.contains_key(on)
                    } else {
                        facts.points.contains_key(on)
                    };
                    if !known {
                        facts.unknown(
                            on,
                            span,
                            if torque { "a body or frame" } else { "a point" },
                            findings,
                        );
                        return;
                    }
                    let vector = match how {
                        How::Subtract => {
                            Expr::new(Kind::Negative(Box::new(value.clone())), value.span)
                        }
                        _ => value.clone(),
                    };
                    if how == How::Is {
                        facts.loads.retain(|load| {
                            load.torque != torque || load.on != on || load.opposite.is_some()
                        });
                    }
                    facts.loads.push(Load {
                        torque,
                        on: on.to_owned(),
                        opposite: None,
                        vector,
                        span,
                    });
                    return;
                }
            }
            let old = facts.vectors.get(name).cloned();
            let itself = |part: &Expr| part.kind == Kind::Vector(name.clone());
            let fresh = added(old.as_ref(), how, value);
            let fresh = match &old {
                Some(old) if how == How::Is && value.any(&itself) => {
                    value.mapped(&|part| if itself(&part) { old.clone() } else { part })
                }
                Some(_) if how == How::Is && !facts.is_kinematic(name) => {
                    twice(name, ">", span, findings);
                    return;
                }
                _ => fresh,
            };
            facts.vectors.insert(name.clone(), fresh);
        }
    }
}
