//! Generalized speeds in terms of rates, from kinematic equations and from velocities that are written with them. Knows linear algebra
//! of the simplest kind, no numbers and no text.

use std::collections::BTreeMap;

use super::super::findings::Findings;
use super::classes::Class;
use super::facts::{Facts, Turn};
use super::placing::{Placing, Where};
use super::tree::{Expr, Kind, Sign};
use crate::diag::codes::import::E0607;
use crate::span::Span;

/// What is known of the speeds.
pub type Speeds = BTreeMap<String, Expr>;

/// An equation: something kinematic, and the same with speeds.
struct Equation {
    kinematic: Expr,
    written: Expr,
    /// Whether it is of a point that is where its velocity leads it: of such only speeds that nothing else determines.
    led: bool,
}

fn zero(span: Span) -> Expr {
    Expr::whole(0, span)
}

fn plus(left: Expr, right: Expr) -> Expr {
    match (left.is_number("0"), right.is_number("0")) {
        (true, _) => right,
        (_, true) => left,
        _ => Expr::join(Sign::Plus, left, right),
    }
}

fn minus(left: Expr, right: Expr) -> Expr {
    match (left.is_number("0"), right.is_number("0")) {
        (_, true) => left,
        (true, _) => negative(right),
        _ => Expr::join(Sign::Minus, left, right),
    }
}

fn negative(expr: Expr) -> Expr {
    if expr.is_number("0") {
        return expr;
    }
    let span = expr.span;
    match expr.kind {
        Kind::Negative(inner) => *inner,
        _ => Expr::new(Kind::Negative(Box::new(expr)), span),
    }
}

fn times(left: Expr, right: Expr) -> Expr {
    if left.is_number("0") || right.is_number("1") {
        return left;
    }
    if right.is_number("0") || left.is_number("1") {
        return right;
    }
    Expr::join(Sign::Times, left, right)
}

fn over(left: Expr, right: Expr) -> Expr {
    if right.is_number("1") || left.is_number("0") {
        return left;
    }
    match &right.kind {
        Kind::Negative(inner) => return negative(over(left, (**inner).clone())),
        Kind::Binary(Sign::Over, above, below) => {
            return over(times((**below).clone(), left), (**above).clone());
        }
        _ => {}
    }
    Expr::join(Sign::Over, left, right)
}

/// `expr` as `factor*speed + rest`, if it is linear in the speed.
fn linear(expr: &Expr, speed: &str) -> Option<(Expr, Expr)> {
    let has = |expr: &Expr| expr.any(&|part| part.kind == Kind::Name(speed.to_owned(), 0));
    if !has(expr) {
        return Some((zero(expr.span), expr.clone()));
    }
    match &expr.kind {
        Kind::Name(..) => Some((Expr::whole(1, expr.span), zero(expr.span))),
        Kind::Negative(inner) => {
            let (factor, rest) = linear(inner, speed)?;
            Some((negative(factor), negative(rest)))
        }
        Kind::Binary(sign @ (Sign::Plus | Sign::Minus), left, right) => {
            let (a, b) = linear(left, speed)?;
            let (c, d) = linear(right, speed)?;
            Some(if *sign == Sign::Plus {
                (plus(a, c), plus(b, d))
            } else {
                (minus(a, c), minus(b, d))
            })
        }
        Kind::Binary(Sign::Times, left, right) if !has(left) => {
            let (factor, rest) = linear(right, speed)?;
            Some((
                times((**left).clone(), factor),
                times((**left).clone(), rest),
            ))
        }
        Kind::Binary(Sign::Times, left, right) if !has(right) => {
            let (factor, rest) = linear(left, speed)?;
            Some((
                times(factor, (**right).clone()),
                times(rest, (**right).clone()),
            ))
        }
        Kind::Binary(Sign::Over, left, right) if !has(right) => {
            let (factor, rest) = linear(left, speed)?;
            Some((
                over(factor, (**right).clone()),
                over(rest, (**right).clone()),
            ))
        }
        _ => None,
    }
}

/// A vector by components in one frame.
pub fn components(facts: &Facts, vector: &Expr) -> Option<(String, [Expr; 3])> {
    let mut frame = None;
    let mut parts = [zero(vector.span), zero(vector.span), zero(vector.span)];
    split(
        facts,
        vector,
        &Expr::whole(1, vector.span),
        false,
        &mut frame,
        &mut parts,
    )?;
    Some((frame?, parts))
}

fn split(
    facts: &Facts,
    vector: &Expr,
    factor: &Expr,
    minus_sign: bool,
    frame: &mut Option<String>,
    parts: &mut [Expr; 3],
) -> Option<()> {
    let vectorial = |expr: &Expr| expr.any(&|part| matches!(part.kind, Kind::Vector(_)));
    match &vector.kind {
        Kind::Vector(name) if name == "0" => Some(()),
        Kind::Vector(name) => {
            let (of, axis) = facts.axis(name)?;
            if frame.get_or_insert_with(|| of.clone()) != &of {
                return None;
            }
            let old = parts[axis].clone();
            parts[axis] = if minus_sign {
                minus(old, factor.clone())
            } else {
                plus(old, factor.clone())
            };
            Some(())
        }
        Kind::Negative(inner) => split(facts, inner, factor, !minus_sign, frame, parts),
        Kind::Binary(Sign::Plus, left, right) => {
            split(facts, left, factor, minus_sign, frame, parts)?;
            split(facts, right, factor, minus_sign, frame, parts)
        }
        Kind::Binary(Sign::Minus, left, right) => {
            split(facts, left, factor, minus_sign, frame, parts)?;
            split(facts, right, factor, !minus_sign, frame, parts)
        }
        Kind::Binary(Sign::Times, left, right) => {
            let (scalar, vector) = if vectorial(right) {
                (left, right)
            } else {
                (right, left)
            };
            split(
                facts,
                vector,
                &times(factor.clone(), (**scalar).clone()),
                minus_sign,
                frame,
                parts,
            )
        }
        Kind::Binary(Sign::Over, left, right) => split(
            facts,
            left,
            &over(factor.clone(), (**right).clone()),
            minus_sign,
            frame,
            parts,
        ),
        Kind::Call(name, arguments) if name == "vector" && arguments.len() == 4 => {
            let of = arguments[0].plain()?.to_owned();
            if frame.get_or_insert_with(|| of.clone()) != &of {
                return None;
            }
            for (axis, value) in arguments[1..].iter().enumerate() {
                let value = times(factor.clone(), value.clone());
                let old = parts[axis].clone();
                parts[axis] = if minus_sign {
                    minus(old, value)
                } else {
                    plus(old, value)
                };
            }
            Some(())
        }
        Kind::Call(name, arguments)
            if (name == "express" || name == "explicit") && !arguments.is_empty() =>
        {
            split(facts, &arguments[0], factor, minus_sign, frame, parts)
        }
        _ => None,
    }
}

/// A kinematic vector along an axis; the rate of the angle where a frame turns about just that.
fn along(placing: &Placing, kinematic: Kind, frame: &str, axis: usize, span: Span) -> Expr {
    if let Kind::Turning(of, seen) = &kinematic
        && let Some(oriented) = placing.frame(of)
        && let Turn::Axis(about, angle) = &oriented.turn
        && about.unsigned_abs() as usize == axis + 1
        && oriented.parent == *seen
        && (frame == of || frame == seen)
        && let Some(name) = angle.plain()
    {
        let rate = Expr::new(Kind::Name(name.to_owned(), 1), span);
        return if *about < 0 { negative(rate) } else { rate };
    }
    let unit = Expr::new(Kind::Vector(format!("{frame}{}", axis + 1)), span);
    Expr::new(
        Kind::Call("dot".to_owned(), vec![Expr::new(kinematic, span), unit]),
        span,
    )
}

fn equations(facts: &Facts, placing: &Placing, classes: &BTreeMap<String, Class>) -> Vec<Equation> {
    let mut all = Vec::new();
    for key in &facts.value_order {
        let value = &facts.values[key];
        let class = classes.get(&key.0);
        if key.1 == 1 && class == Some(&Class::Coord) {
            all.push(Equation {
                kinematic: Expr::new(Kind::Name(key.0.clone(), 1), value.span),
                written: value.clone(),
                led: false,
            });
        }
    }
    for (name, value) in &facts.vectors {
        let turning = facts
            .two_frames_of(name, "w_")
            .filter(|(of, seen)| placing.has_frame(facts, of) && placing.has_frame(facts, seen));
        let moving = facts
            .of_point(name, "v_")
            .filter(|(point, seen)| *seen == facts.newtonian && placing.point(point).is_some());
        let led = moving.as_ref().is_some_and(|(point, _)| {
            let place = placing.point(point).map(|point| &point.place);
            matches!(place, Some(Where::Led(_)))
        });
        let kinematic = match (turning, moving) {
            (Some((of, seen)), _) => Kind::Turning(of, seen),
            (None, Some((point, _))) => Kind::Moving(point),
            _ => continue,
        };
        let Some((frame, parts)) = components(facts, value) else {
            continue;
        };
        for (axis, part) in parts.into_iter().enumerate() {
            all.push(Equation {
                kinematic: along(placing, kinematic.clone(), &frame, axis, value.span),
                written: part,
                led,
            });
        }
    }
    all
}

/// The speeds in terms of rates; those that nothing determines are among the findings.
pub fn solve(
    facts: &Facts,
    placing: &Placing,
    classes: &BTreeMap<String, Class>,
    findings: &mut Findings,
) -> Speeds {
    let mut speeds = Speeds::new();
    let is = |name: &str| classes.get(name) == Some(&Class::Speed);
    let mut open: Vec<&str> = Vec::new();
    for scalar in facts.scalars.iter().filter(|scalar| is(&scalar.name)) {
        match facts.values.get(&(scalar.name.clone(), 0)) {
            Some(value) => {
                speeds.insert(scalar.name.clone(), kinematic(facts, value, 0));
            }
            None => open.push(&scalar.name),
        }
    }
    let mut equations = equations(facts, placing, classes);
    loop {
        let mut found = None;
        // Those of points that are led by their velocities last.
        let order = || equations.iter().enumerate();
        let all = order()
            .filter(|(_, e)| !e.led)
            .chain(order().filter(|(_, e)| e.led));
        for (at, equation) in all {
            let written = known(&equation.written, &speeds, classes);
            let inside: Vec<&str> = open
                .iter()
                .copied()
                .filter(|speed| {
                    written.any(&|part| part.kind == Kind::Name((*speed).to_owned(), 0))
                })
                .collect();
            let [speed] = inside[..] else { continue };
            let Some((factor, rest)) = linear(&written, speed) else {
                continue;
            };
            let value = over(minus(equation.kinematic.clone(), rest), factor);
            found = Some((at, speed.to_owned(), value));
            break;
        }
        // Several in one equation: one of them by the others, which follow from the rest.
        let found = found.or_else(|| coupled(&equations, &open, &speeds, classes));
        let Some((at, speed, value)) = found else {
            break;
        };
        equations.remove(at);
        open.retain(|name| *name != speed);
        speeds.insert(speed, value);
    }
    resolve(&mut speeds, classes);
    for name in open {
        let Some(scalar) = facts.scalar(name) else {
            continue;
        };
        findings.error(
            E0607,
            format!("what the speed `{}` is does not follow", scalar.spelled),
            scalar.span,
            "no equation has it as the only unknown",
            "write the rate of a coordinate with it, `Q1' = U1`, or an angular velocity or velocity by its components in one frame, `W_A_N> = U1*A1> + U2*A2> + U3*A3>`",
        );
    }
    speeds
}

/// Puts speeds by rates in place of those that others were expressed by.
fn resolve(speeds: &mut Speeds, classes: &BTreeMap<String, Class>) {
    let left = |value: &Expr| {
        let open = |name: &str| classes.get(name) == Some(&Class::Speed);
        value.any(&|part| matches!(&part.kind, Kind::Name(name, 0) if open(name)))
    };
    for _ in 0..speeds.len() {
        if !speeds.values().any(left) {
            break;
        }
        let all = speeds.clone();
        for value in speeds.values_mut() {
            *value = known(value, &all, classes);
        }
    }
}

/// An equation of several unknown speeds, solved for one of them.
fn coupled(
    equations: &[Equation],
    open: &[&str],
    speeds: &Speeds,
    classes: &BTreeMap<String, Class>,
) -> Option<(usize, String, Expr)> {
    let stated = equations
        .iter()
        .enumerate()
        .filter(|(_, equation)| !equation.led);
    let mut stated = stated;
    stated.find_map(|(at, equation)| {
        let written = known(&equation.written, speeds, classes);
        open.iter().find_map(|speed| {
            let (factor, rest) = linear(&written, speed)?;
            if factor.is_number("0") {
                return None;
            }
            let value = over(minus(equation.kinematic.clone(), rest), factor);
            Some((at, (*speed).to_owned(), value))
        })
    })
}

/// With speeds that are known in place of their names, and without those that vanish.
fn known(expr: &Expr, speeds: &Speeds, classes: &BTreeMap<String, Class>) -> Expr {
    expr.mapped(&|part| {
        let Kind::Name(name, 0) = &part.kind else {
            return part;
        };
        if classes.get(name) == Some(&Class::Zero) {
            return zero(part.span);
        }
        match speeds.get(name) {
            Some(value) => value.clone(),
            None => part,
        }
    })
}

/// An expression of `W_A_N>` and `V_P_N>` as the orientations and places say.
fn kinematic(facts: &Facts, expr: &Expr, depth: usize) -> Expr {
    expr.mapped(&|part| {
        let Kind::Vector(name) = &part.kind else {
            return part;
        };
        if let Some((of, seen)) = facts.two_frames_of(name, "w_") {
            return Expr::new(Kind::Turning(of, seen), part.span);
        }
        if let Some((point, seen)) = facts.of_point(name, "v_")
            && seen == facts.newtonian
        {
            return Expr::new(Kind::Moving(point), part.span);
        }
        match facts.vectors.get(name) {
            Some(value) if depth < 20 => kinematic(facts, value, depth + 1),
            _ => part,
        }
    })
}

/// Coordinates that are Euler parameters.
pub fn quaternions(placing: &Placing) -> Vec<[String; 4]> {
    let mut all = Vec::new();
    for frame in &placing.frames {
        if let Turn::Euler(entries) = &frame.turn {
            let names: Vec<String> = entries
                .iter()
                .filter_map(|entry| entry.plain().map(str::to_owned))
                .collect();
            all.extend(<[String; 4]>::try_from(names).ok());
        }
    }
    all
}

/// Whether the velocity of a point, in all directions, is what defines speeds.
pub fn defines(speeds: &Speeds, point: &str) -> bool {
    let components = speeds.values().filter(|value| match &value.kind {
        Kind::Call(name, arguments) if name == "dot" => {
            matches!(arguments.first().map(|of| &of.kind), Some(Kind::Moving(of)) if of == point)
        }
        _ => false,
    });
    components.count() == 3
}
