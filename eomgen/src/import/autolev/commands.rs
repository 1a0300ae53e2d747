//! Autolev's commands, `SIMPROT(..)` and the like. Knows what each says of the machine.

use super::super::findings::Findings;
use super::facts::{Facts, Load, Turn, Turned, TwoPoints};
use super::tree::{Expr, Kind, Sign};
use crate::diag::codes::import::{E0603, E0607};
use crate::span::Span;

/// Commands that change nothing that is not said elsewhere.
const IDLE: [&str; 30] = [
    "angvel",
    "angacc",
    "kindiffs",
    "a2pts",
    "a1pt",
    "v1pt",
    "v1pts",
    "explicit",
    "expand",
    "factor",
    "arrange",
    "zee",
    "express",
    "ke",
    "fr",
    "frstar",
    "units",
    "nicheck",
    "check",
    "evaluate",
    "coef",
    "include",
    "exclude",
    "rhs",
    "d",
    "dt",
    "linearize",
    "unitvec",
    "mass",
    "cm",
];

/// Takes one.
pub fn take(
    facts: &mut Facts,
    name: &str,
    arguments: &[Expr],
    span: Span,
    findings: &mut Findings,
) {
    match name {
        "simprot" => simprot(facts, arguments, span, findings),
        "dircos" => dircos(facts, arguments, span, findings),
        "v2pts" | "v2pt" => two_points(facts, arguments, span, findings),
        "force" | "torque" => load(facts, name == "torque", arguments, span, findings),
        "gravity" => {
            let Some((vector, names)) = arguments.split_first() else {
                wants(name, "GRAVITY(-g*N2>)", span, findings);
                return;
            };
            let names = names.iter().map(|argument| match &argument.kind {
                Kind::Name(name, 0) => name.clone(),
                _ => String::new(),
            });
            let names: Vec<String> = names.collect();
            for name in &names {
                if !(facts.points.contains_key(name) || facts.frames.contains_key(name)) {
                    facts.unknown(name, span, "a body or particle", findings);
                }
            }
            if facts.gravity.is_some() {
                findings.error(E0603, "a second `GRAVITY`", span, "one is read", "add the two vectors");
                return;
            }
            facts.gravity = Some((vector.clone(), names, span));
        }
        "constrain" => constrain(facts, arguments, span, findings),
        "kane" => {
            facts.kane = true;
            facts.vanish.extend(arguments.iter().flat_map(names));
        }
        "solve" | "solvedt" => {
            let unknown = arguments.iter().skip(1).flat_map(|argument| {
                let mut all = Vec::new();
                rates(argument, &mut all);
                all
            });
            facts.solved.extend(unknown);
        }
        name if IDLE.contains(&name) => {}
        _ => findings.error(
            E0603,
            format!("`{name}(..)` is not read"),
            span,
            "a command that may change the motion",
            "write what it says by `SIMPROT`, `DIRCOS`, `P_A_B> = ..`, `FORCE_P> = ..`, or remove it and add it to the model",
        ),
    }
}

fn rates(expr: &Expr, all: &mut Vec<String>) {
    if let Kind::Name(name, 1) = &expr.kind {
        all.push(name.clone());
    }
    for part in expr.parts() {
        rates(part, all);
    }
}

/// Plain names in an argument, also in a list.
fn names(expr: &Expr) -> Vec<String> {
    match &expr.kind {
        Kind::Name(name, 0) => vec![name.clone()],
        Kind::Matrix(rows) => rows.iter().flatten().flat_map(names).collect(),
        _ => Vec::new(),
    }
}

fn wants(name: &str, example: &str, span: Span, findings: &mut Findings) {
    findings.error(
        E0607,
        format!("`{name}` with other arguments than it takes"),
        span,
        "here",
        format!("write it as `{example}`"),
    );
}

/// Two frames as the first arguments.
fn frames(facts: &Facts, arguments: &[Expr], findings: &mut Findings) -> Option<(String, String)> {
    let mut found = Vec::new();
    for argument in arguments.iter().take(2) {
        let name = argument.plain().unwrap_or_default();
        if !facts.frames.contains_key(name) {
            facts.unknown(name, argument.span, "a frame or body", findings);
            return None;
        }
        found.push(name.to_owned());
    }
    let [parent, child] = <[String; 2]>::try_from(found).ok()?;
    Some((parent, child))
}

/// `SIMPROT(N, A, 3, q)`
fn simprot(facts: &mut Facts, arguments: &[Expr], span: Span, findings: &mut Findings) {
    let [_, _, axis, angle] = arguments else {
        wants("simprot", "SIMPROT(N, A, 3, q)", span, findings);
        return;
    };
    let Some((parent, child)) = frames(facts, arguments, findings) else {
        return;
    };
    let about = |expr: &Expr| match &expr.kind {
        Kind::Number(text) => text
            .parse::<i32>()
            .ok()
            .filter(|axis| (1..=3).contains(axis)),
        _ => None,
    };
    let number = match &axis.kind {
        Kind::Negative(inner) => about(inner).map(|axis| -axis),
        _ => about(axis),
    };
    let turn = match number {
        Some(axis) => Turn::Axis(axis, angle.clone()),
        None if axis.any(&|part| matches!(part.kind, Kind::Vector(_))) => {
            Turn::About(axis.clone(), angle.clone())
        }
        None => {
            wants("simprot", "SIMPROT(N, A, 3, q)", axis.span, findings);
            return;
        }
    };
    facts.turns.push(Turned {
        parent,
        child,
        turn,
        span,
    });
}

/// `DIRCOS(N, A, BODY123, a, b, c)`
fn dircos(facts: &mut Facts, arguments: &[Expr], span: Span, findings: &mut Findings) {
    let example = "DIRCOS(N, A, BODY123, q1, q2, q3)";
    if arguments.len() < 3 {
        wants("dircos", example, span, findings);
        return;
    }
    let Some((parent, child)) = frames(facts, arguments, findings) else {
        return;
    };
    let rest = &arguments[3..];
    let word = arguments[2].plain().unwrap_or_default();
    let axes = |text: &str| -> Option<[u8; 3]> {
        let digits: Vec<u8> = text.bytes().map(|c| c.wrapping_sub(b'0')).collect();
        let digits = <[u8; 3]>::try_from(digits).ok()?;
        let right = digits.iter().all(|axis| (1..=3).contains(axis))
            && digits[0] != digits[1]
            && digits[1] != digits[2];
        right.then_some(digits)
    };
    let space = word.strip_prefix("space").and_then(axes);
    let body = word.strip_prefix("body").and_then(axes);
    let turn = match (space.or(body), word, rest.len()) {
        (Some(axes), _, 3) => Turn::Angles(space.is_some(), axes, rest.to_vec()),
        (None, "euler", 4) => Turn::Euler(rest.to_vec()),
        (None, "rodrigues", 3) => Turn::Rodrigues(rest.to_vec()),
        _ if arguments.len() == 11 => Turn::Cosines(arguments[2..].to_vec()),
        _ => {
            findings.error(
                E0603,
                "an orientation that is not read",
                span,
                "here",
                "the kinds are BODY and SPACE with three digits and three angles, EULER with four parameters, RODRIGUES with three, and nine direction cosines",
            );
            return;
        }
    };
    facts.turns.push(Turned {
        parent,
        child,
        turn,
        span,
    });
}

/// `V2PTS(N, B, P, Q)`
fn two_points(facts: &mut Facts, arguments: &[Expr], span: Span, findings: &mut Findings) {
    let [_, _, known, point] = arguments else {
        wants("v2pts", "V2PTS(N, B, P, Q)", span, findings);
        return;
    };
    let Some((frame, body)) = frames(facts, arguments, findings) else {
        return;
    };
    for point in [known, point] {
        let name = point.plain().unwrap_or_default();
        if !facts.points.contains_key(name) {
            facts.unknown(name, point.span, "a point", findings);
            return;
        }
    }
    if frame != facts.newtonian {
        return;
    }
    let known = known.plain().unwrap_or_default().to_owned();
    let point = point.plain().unwrap_or_default().to_owned();
    facts.two_points.insert(point, TwoPoints { body, known });
}

/// `FORCE(P, v>)`, `FORCE(P/Q, v>)`: on Q, and the opposite on P.
fn load(facts: &mut Facts, torque: bool, arguments: &[Expr], span: Span, findings: &mut Findings) {
    let word = if torque { "torque" } else { "force" };
    let [on, vector] = arguments else {
        let example = if torque {
            "TORQUE(A/B, T*A3>)"
        } else {
            "FORCE(P/Q, F*N1>)"
        };
        wants(word, example, span, findings);
        return;
    };
    let (opposite, on) = match &on.kind {
        Kind::Binary(Sign::Over, left, right) => (left.plain(), right.plain()),
        _ => (None, on.plain()),
    };
    let on = on.unwrap_or_default().to_owned();
    for name in [Some(on.as_str()), opposite].into_iter().flatten() {
        let known = if torque {
            facts.frames.contains_key(name)
        } else {
            facts.points.contains_key(name)
        };
        if !known {
            facts.unknown(
                name,
                span,
                if torque { "a body or frame" } else { "a point" },
                findings,
            );
            return;
        }
    }
    let opposite = opposite.map(str::to_owned);
    facts.loads.push(Load {
        torque,
        on,
        opposite,
        vector: vector.clone(),
        span,
    });
}

/// `CONSTRAIN(DEPENDENT[u3, u4])`, `CONSTRAIN(AUXILIARY[u5])`
fn constrain(facts: &mut Facts, arguments: &[Expr], span: Span, findings: &mut Findings) {
    for argument in arguments {
        let Kind::Element(name, speeds) = &argument.kind else {
            wants("constrain", "CONSTRAIN(DEPENDENT[u3, u4])", span, findings);
            return;
        };
        let names = speeds.iter().filter_map(|speed| match &speed.kind {
            Kind::Name(name, _) => Some(name.clone()),
            _ => None,
        });
        let names: Vec<String> = names.collect();
        match name.as_str() {
            "dependent" | "auxiliary" => rows(facts, name, &names, span, findings),
            _ => wants("constrain", "CONSTRAIN(DEPENDENT[u3, u4])", span, findings),
        }
    }
}

/// The equations that are imposed. Speeds that are 0 on every motion are there for the sake of a force.
fn rows(facts: &mut Facts, name: &str, speeds: &[String], span: Span, findings: &mut Findings) {
    let prefix = format!("{name}_");
    let keys = facts
        .value_order
        .iter()
        .filter(|(key, _)| key.starts_with(&prefix));
    let keys: Vec<String> = keys.map(|(key, _)| key.clone()).collect();
    let mut zero = Vec::new();
    for key in &keys {
        let value = facts.values.get(&(key.clone(), 0)).and_then(Expr::plain);
        match value.filter(|value| name == "auxiliary" && speeds.iter().any(|speed| speed == value))
        {
            Some(value) => zero.push(value.to_owned()),
            None if facts.dependents.iter().any(|(there, _)| there == key) => {}
            None => facts.dependents.push((key.clone(), span)),
        }
    }
    if keys.is_empty() {
        findings.error(
            E0607,
            "`CONSTRAIN` without an equation",
            span,
            "nothing is assigned to its rows above",
            format!("write `{}[1] = ..` first", name.to_uppercase()),
        );
    }
    let dependent = speeds.iter().filter(|speed| !zero.contains(speed)).cloned();
    facts.dependent_speeds.extend(dependent);
    facts.vanish.extend(zero);
}
