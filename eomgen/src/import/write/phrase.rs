//! Vectors, sums and orientations as the language writes them. Knows names and numbers alone.

use super::super::decimal::Decimal;
use super::super::robot::Triple;
use super::super::turn::{Angle, Axis, Turn, along};

/// `P + [a, b, c] in B`, or the few terms that there are.
pub fn place(point: &str, at: &Triple, frame: &str) -> String {
    format!("{point}{}", offset(at, frame))
}

/// What is added to a point: ` + 0.1*B.x - 0.2*B.z`; nothing for no displacement.
pub fn offset(at: &Triple, frame: &str) -> String {
    if at.iter().all(|number| !number.is_zero()) {
        return format!(" + {}", components(at, frame));
    }
    let terms = Axis::ALL
        .into_iter()
        .filter(|axis| !at[axis.index()].is_zero());
    terms
        .map(|axis| {
            let number = &at[axis.index()];
            format!(
                "{}{}",
                sign(number),
                scaled(&number.abs(), &basis(frame, axis))
            )
        })
        .collect()
}

fn sign(number: &Decimal) -> &'static str {
    if number.is_negative() { " - " } else { " + " }
}

/// `[a, b, c] in B`
pub fn components(at: &Triple, frame: &str) -> String {
    let [x, y, z] = at.each_ref().map(Decimal::text);
    format!("[{x}, {y}, {z}] in {frame}")
}

/// `B.x`
pub fn basis(frame: &str, axis: Axis) -> String {
    format!("{frame}.{}", axis.letter())
}

/// A vector with a factor, which may be 1.
pub fn scaled(factor: &Decimal, what: &str) -> String {
    if factor.is_one() {
        what.to_owned()
    } else {
        format!("{}*{what}", factor.text())
    }
}

/// A sum of basis vectors, for a direction: `B.z`, `-B.x`, `0.6*B.x + 0.8*B.z`.
pub fn direction(vector: &Triple, frame: &str) -> String {
    // What stands for several numbers stays a factor.
    let one =
        |number: &Decimal| number.abs().rounded(1).is_one() || number.text().parse::<f64>().is_ok();
    if let Some((axis, negative)) = along(vector)
        && one(&vector[axis.index()])
    {
        let sign = if negative { "-" } else { "" };
        return format!("{sign}{}", basis(frame, axis));
    }
    let mut text = String::new();
    for axis in Axis::ALL {
        let number = &vector[axis.index()];
        if number.is_zero() {
            continue;
        }
        let joined = match (text.is_empty(), number.is_negative()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text += joined;
        text += &scaled(&number.abs(), &basis(frame, axis));
    }
    text
}

/// A displacement by a scalar along an axis: `q*B.x`, `q*unit(0.6*B.x + 0.8*B.z)`.
pub fn along_axis(scalar: &str, axis: &Triple, frame: &str) -> String {
    let direction = direction(axis, frame);
    let plain = along(axis).is_some() && !direction.contains('*');
    match (plain, direction.strip_prefix('-')) {
        (true, Some(bare)) => format!(" - {scalar}*{bare}"),
        (true, None) => format!(" + {scalar}*{direction}"),
        _ => format!(" + {scalar}*unit({direction})"),
    }
}

/// A frame that is turned from another one.
pub fn turned(turn: &Turn, parent: &str) -> String {
    match turn {
        Turn::None => parent.to_owned(),
        Turn::Body(steps) if steps.len() == 1 => {
            let (axis, angle) = &steps[0];
            rotate(parent, &angle.text(), &basis(parent, *axis))
        }
        Turn::Space(steps) => sequence("rotate_space", steps, parent),
        Turn::Body(steps) => sequence("rotate_body", steps, parent),
        Turn::About(angle, axis) => rotate(parent, &angle.text(), &direction(axis, parent)),
        Turn::Rodrigues(vector, w) => {
            let part = |number: &Decimal| {
                if number.is_zero() {
                    "0".to_owned()
                } else if number == w {
                    "1".to_owned()
                } else if -number == *w {
                    "-1".to_owned()
                } else if w.is_one() {
                    number.text()
                } else {
                    format!("{}/{}", number.text(), w.text())
                }
            };
            let [x, y, z] = vector.each_ref().map(part);
            format!("rodrigues({parent}, {x}, {y}, {z})")
        }
    }
}

/// `rotate(B, angle, B.z)`
pub fn rotate(parent: &str, angle: &str, axis: &str) -> String {
    format!("rotate({parent}, {angle}, {axis})")
}

fn sequence(word: &str, steps: &[(Axis, Angle)], parent: &str) -> String {
    let letters: String = steps.iter().map(|(axis, _)| axis.letter()).collect();
    let angles: Vec<String> = steps.iter().map(|(_, angle)| angle.text()).collect();
    format!("{word}({parent}, {letters}, {})", angles.join(", "))
}

/// `q + 90 [deg]`
pub fn shifted(coordinate: &str, by: &Angle) -> String {
    let sign = if by.is_negative() { "-" } else { "+" };
    format!("{coordinate} {sign} {}", by.abs().text())
}

/// A sum less a number, which may be 0.
pub fn less(sum: &str, number: &Decimal) -> String {
    if number.is_zero() {
        return sum.to_owned();
    }
    let sign = if number.is_negative() { "+" } else { "-" };
    format!("{sum} {sign} {}", number.abs().text())
}

/// `- c*q'`, a term of a sum that begins or goes on.
pub fn term(sum: &mut String, negative: bool, text: &str) {
    let joined = match (sum.is_empty(), negative) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    };
    sum.push_str(joined);
    sum.push_str(text);
}
