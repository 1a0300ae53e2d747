//! One line of Unicode.

use super::name::{Subscript, subscript};
use super::{Binding, Math, Style, Symbol};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The whole in one line: `(m₁ + m₂) u̇₁ + m₁ l u₂² = 0`.
pub fn one_line(m: &Math) -> String {
    write(m, Binding::Loose)
}

fn write(m: &Math, least: Binding) -> String {
    let text = plain(m);
    if m.binding() < least {
        format!("({text})")
    } else {
        text
    }
}

fn plain(m: &Math) -> String {
    match m {
        Math::Number(digits) => digits.clone(),
        Math::Symbol(s) => symbol(s, 0),
        Math::Dotted(s, dots) => symbol(s, *dots),
        Math::Negative(inner) => format!("−{}", write(inner, Binding::Product)),
        Math::Sum(terms) => {
            let mut out = String::new();
            for (i, term) in terms.iter().enumerate() {
                let (minus, term) = term.signed();
                out.push_str(match (i, minus) {
                    (0, false) => "",
                    (0, true) => "−",
                    (_, false) => " + ",
                    (_, true) => " − ",
                });
                out.push_str(&write(term, Binding::Product));
            }
            out
        }
        Math::Product(factors) => {
            let factor = |f: &Math| match f {
                Math::Quotient(..) => format!("({})", plain(f)),
                _ => write(f, Binding::Power),
            };
            factors.iter().map(factor).collect::<Vec<_>>().join(" ")
        }
        Math::Quotient(above, below) => {
            let above = match **above {
                Math::Quotient(..) => format!("({})", plain(above)),
                _ => write(above, Binding::Product),
            };
            format!("{above}/{}", write(below, Binding::Power))
        }
        Math::Power(base, exponent) => power(base, exponent),
        Math::Root(inner) => format!("√{}", write(inner, Binding::Atom)),
        Math::Function(name, arguments) => match (name.name.as_str(), arguments.as_slice()) {
            ("abs", [inner]) => format!("|{}|", plain(inner)),
            _ => format!("{}({})", symbol(name, 0), list(arguments)),
        },
        Math::Choice(condition, then, other) => format!(
            "{} if {}, else {}",
            plain(then),
            plain(condition),
            plain(other)
        ),
        Math::Matrix(rows) => {
            if rows.iter().all(|row| row.len() == 1) {
                format!(
                    "({})",
                    rows.iter().map(|r| list(r)).collect::<Vec<_>>().join(", ")
                )
            } else {
                format!(
                    "[{}]",
                    rows.iter().map(|r| list(r)).collect::<Vec<_>>().join("; ")
                )
            }
        }
        Math::Relation(left, relation, right) => {
            format!("{} {} {}", plain(left), relation.sign(), plain(right))
        }
        Math::Text(words) => words.clone(),
    }
}

fn list(entries: &[Math]) -> String {
    entries.iter().map(plain).collect::<Vec<_>>().join(", ")
}

fn power(base: &Math, exponent: &Math) -> String {
    let raised = superscript(exponent);
    if let (Math::Function(name, arguments), Some(up)) = (base, &raised)
        && arguments.len() == 1
        && takes_exponent(&name.name)
        && !up.starts_with('⁻')
    {
        return format!("{}{up}({})", symbol(name, 0), list(arguments));
    }
    let below = write(base, Binding::Atom);
    match raised {
        Some(up) => format!("{below}{up}"),
        None => format!("{below}^{}", write(exponent, Binding::Atom)),
    }
}

/// Functions whose powers are written behind their names: `sin²(θ)`.
pub(super) fn takes_exponent(name: &str) -> bool {
    matches!(name, "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh")
}

/// A whole number as a superscript.
pub(super) fn superscript(exponent: &Math) -> Option<String> {
    let (minus, digits) = match exponent.signed() {
        (minus, Math::Number(digits)) => (minus, digits),
        _ => return None,
    };
    let mut out = String::from(if minus { "⁻" } else { "" });
    for c in digits.chars() {
        let at = c.to_digit(10)? as usize;
        out.push(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][at]);
    }
    Some(out)
}

/// A symbol with dots and subscripts.
pub(super) fn symbol(s: &Symbol, dots: usize) -> String {
    let mut out = match (s.letters.chars().count(), dots) {
        (1, 1..=3) => dotted(&s.letters, dots),
        _ => format!("{}{}", s.letters, "′".repeat(dots)),
    };
    if s.style == Style::Unit {
        out = composed(&s.letters, '\u{302}');
    }
    let mut digits = false;
    for sub in &s.subscripts {
        match subscript(sub) {
            Subscript::Digits => {
                out.push_str(if digits { "," } else { "" });
                out.extend(sub.chars().map(lowered));
                digits = true;
                continue;
            }
            Subscript::Words => out.push_str(&format!("_{sub}")),
            Subscript::Name(name, dots) => out.push_str(&format!("_{}", symbol(&name, dots))),
        }
        digits = false;
    }
    out
}

fn lowered(c: char) -> char {
    match c.to_digit(10) {
        Some(d) => ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'][d as usize],
        None => c,
    }
}

fn dotted(letter: &str, dots: usize) -> String {
    match dots {
        1 => composed(letter, '\u{307}'),
        2 => composed(letter, '\u{308}'),
        _ => composed(letter, '\u{20db}'),
    }
}

/// A letter with a mark above it, as one character where Unicode has that.
fn composed(letter: &str, mark: char) -> String {
    const DOT: [(&str, &str); 2] = [
        (
            "abcdefghmnoprstwxyzABCDEFGHIMNOPRSTWXYZ",
            "ȧḃċḋėḟġḣṁṅȯṗṙṡṫẇẋẏżȦḂĊḊĖḞĠḢİṀṄȮṖṘṠṪẆẊẎŻ",
        ),
        ("", ""),
    ];
    const TWO: (&str, &str) = ("aehiotuwxyAEHIOUWXY", "äëḧïöẗüẅẍÿÄËḦÏÖÜẄẌŸ");
    const HAT: (&str, &str) = ("aceghijosuwyzACEGHIJOSUWYZ", "âĉêĝĥîĵôŝûŵŷẑÂĈÊĜĤÎĴÔŜÛŴŶẐ");
    let (plain, marked) = match mark {
        '\u{307}' => DOT[0],
        '\u{308}' => TWO,
        '\u{302}' => HAT,
        _ => DOT[1],
    };
    let found = plain
        .chars()
        .zip(marked.chars())
        .find(|(c, _)| letter.chars().eq([*c]));
    match found {
        Some((_, c)) => c.to_string(),
        None => format!("{letter}{mark}"),
    }
}

/// Columns of one character.
pub(super) fn columns(c: char) -> usize {
    UnicodeWidthChar::width(c).unwrap_or(0)
}
