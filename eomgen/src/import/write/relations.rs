//! What holds between links beside their joints: gravity, couplings, limits. Knows no format.

use super::super::decimal::Decimal;
use super::super::robot::{Equality, Law, Robot, Triple, is_zero};
use super::super::turn::{Axis, Turn, along};
use super::phrase;
use super::scope::Scope;

/// The statement of gravity, where there is any.
pub fn gravity(robot: &Robot) -> Option<String> {
    let earth: Triple = [Decimal::zero(), Decimal::zero(), Decimal::of_double(-9.81)];
    let value = robot.gravity.as_ref().unwrap_or(&earth);
    if is_zero(value) {
        return None;
    }
    let text = match along(value) {
        Some((axis, negative)) => {
            let sign = if negative { "-" } else { "" };
            let size = value[axis.index()].abs();
            format!("{sign}{}", phrase::scaled(&size, &phrase::basis("N", axis)))
        }
        None => phrase::components(value, "N"),
    };
    Some(format!("gravity: {text}"))
}

/// Couplings as constraints.
pub fn all(robot: &Robot, scope: &mut Scope) -> Vec<String> {
    robot
        .equalities
        .iter()
        .flat_map(|equality| lines(equality, robot, scope))
        .collect()
}

fn lines(equality: &Equality, robot: &Robot, scope: &mut Scope) -> Vec<String> {
    let named = |scope: &mut Scope, otherwise: String| {
        let wanted = if equality.name.is_empty() {
            otherwise
        } else {
            equality.name.clone()
        };
        scope.names.own(&wanted)
    };
    match &equality.law {
        Law::Joint {
            follower,
            leader,
            coefficients,
        } => {
            let Some(left) = scope.coordinate(*follower).map(str::to_owned) else {
                return Vec::new();
            };
            let leader_place = *leader;
            let leader = leader.and_then(|leader| scope.coordinate(leader).map(str::to_owned));
            // The polynomial is between distances from the values of reference.
            let from = |place: (usize, usize), name: &str| match robot.joint(place) {
                Some(joint) if !joint.reference.is_zero() => {
                    let sign = if joint.reference.is_negative() {
                        '+'
                    } else {
                        '-'
                    };
                    let size = joint.said(&joint.reference.abs());
                    (format!("{name} {sign} {size}"), true)
                }
                _ => (name.to_owned(), false),
            };
            let leader = leader.map(|name| match leader_place.map(|place| from(place, &name)) {
                Some((text, true)) => format!("({text})"),
                _ => name,
            });
            let (left, _) = from(*follower, &left);
            let right = polynomial(coefficients, leader.as_deref());
            let bare = scope
                .coordinate(*follower)
                .unwrap_or_default()
                .replace('.', "_");
            let name = named(scope, format!("{bare}_follows"));
            vec![format!("constraint {name}: {left} = {right}")]
        }
        Law::Connect(ends) => {
            let [(one, p), (other, q)] = ends.as_ref();
            let name = named(scope, "connect".to_owned());
            let p = phrase::place(&scope.point(*one), p, &scope.frame(*one));
            let q = phrase::place(&scope.point(*other), q, &scope.frame(*other));
            vec![format!("constraint {name}: {p} = {q}")]
        }
        Law::Weld(ends) => {
            let otherwise = format!("{}_weld", robot.links[ends[0].0].name);
            let name = named(scope, otherwise);
            weld(&name, ends, scope)
        }
    }
}

/// Origins that coincide, and axes that are at right angles where they should be.
fn weld(name: &str, ends: &[(usize, Triple, Turn); 2], scope: &mut Scope) -> Vec<String> {
    let [(one, p, turn), (other, q, _)] = ends;
    let p = phrase::place(&scope.point(*one), p, &scope.frame(*one));
    let q = phrase::place(&scope.point(*other), q, &scope.frame(*other));
    let first = scope.frame(*other);
    let mut second = scope.frame(*one);
    let mut lines = Vec::new();
    if *turn != Turn::None {
        let text = phrase::turned(turn, &second);
        second = scope.names.own(&format!("{name}_axes"));
        lines.push(format!("frame {second} = {text}"));
    }
    lines.push(format!("constraint {name}: {p} = {q}"));
    for (a, b) in [(Axis::X, Axis::Y), (Axis::Y, Axis::Z), (Axis::Z, Axis::X)] {
        let row = format!("{name}_{}{}", a.letter(), b.letter());
        let row = scope.names.own(&row);
        let (a, b) = (phrase::basis(&first, a), phrase::basis(&second, b));
        lines.push(format!("constraint {row}: dot({a}, {b}) = 0"));
    }
    lines
}

/// `0.1 + 2*q - q^2`
fn polynomial(coefficients: &[Decimal], variable: Option<&str>) -> String {
    let mut sum = String::new();
    for (power, number) in coefficients.iter().enumerate() {
        if number.is_zero() {
            continue;
        }
        let text = match (power, variable) {
            (0, _) => number.abs().text(),
            (_, None) => continue,
            (1, Some(name)) => phrase::scaled(&number.abs(), name),
            (_, Some(name)) => phrase::scaled(&number.abs(), &format!("{name}^{power}")),
        };
        phrase::term(&mut sum, number.is_negative(), &text);
    }
    if sum.is_empty() { "0".to_owned() } else { sum }
}

/// Motors: each an input, and the load that it makes.
pub fn motors(robot: &Robot, scope: &mut Scope) -> Vec<String> {
    let mut lines = Vec::new();
    for motor in &robot.motors {
        let (Some(name), Some(joint)) = (
            scope.coordinate(motor.joint).map(str::to_owned),
            robot.joint(motor.joint),
        ) else {
            continue;
        };
        let input = if scope.names.is_free(&motor.name) {
            scope.names.given(&motor.name)
        } else {
            let input = scope.names.own(&format!("u_{}", motor.name));
            scope
                .names
                .renamed
                .push((format!("{} (motor)", motor.name), input.clone()));
            input
        };
        let range = motor
            .range
            .as_ref()
            .map_or_else(String::new, |(low, high)| {
                format!("  /// {} to {}", low.text(), high.text())
            });
        lines.push(format!("input {input}{range}"));
        let gear = &motor.gear;
        let square = gear.times(gear);
        let terms = [
            (gear.times(&motor.gain), input),
            (gear.times(&motor.bias[0]), String::new()),
            (square.times(&motor.bias[1]), name.clone()),
            (square.times(&motor.bias[2]), format!("{name}'")),
        ];
        let mut sum = String::new();
        for (factor, what) in terms.iter().filter(|(factor, _)| !factor.is_zero()) {
            let text = if what.is_empty() {
                factor.abs().text()
            } else {
                phrase::scaled(&factor.abs(), what)
            };
            phrase::term(&mut sum, factor.is_negative(), &text);
        }
        let word = if joint.turns() == Some(true) {
            "torque"
        } else {
            "force"
        };
        if !sum.is_empty() {
            lines.push(format!("{word} on {name}: {sum}"));
        }
    }
    lines
}

/// Bounds of coordinates as assumptions, but for joints of which they are stated elsewhere. Bounds that would state a sign are left to the
/// documentation: what the equations divide by beyond them is to be checked there, too.
pub fn limits(robot: &Robot, scope: &Scope, said: impl Fn((usize, usize)) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (place, joint) in robot.joints() {
        if said(place) {
            continue;
        }
        let Some(name) = scope.coordinate(place) else {
            continue;
        };
        if let Some(low) = joint.range.0.as_ref().filter(|low| low.is_negative()) {
            lines.push(format!(
                "assume {name} >= {}",
                joint.bound(low, robot.exact)
            ));
        }
        let positive = |high: &&Decimal| !high.is_negative() && !high.is_zero();
        if let Some(high) = joint.range.1.as_ref().filter(positive) {
            lines.push(format!(
                "assume {name} <= {}",
                joint.bound(high, robot.exact)
            ));
        }
    }
    lines
}
