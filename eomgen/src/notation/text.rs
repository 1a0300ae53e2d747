//! The model's own notation: text that the language reads again.

use super::{Binding, Math};

/// The whole as text: `(m1 + m2)*u1' + m1*l*u2^2 = 0`.
pub fn text(m: &Math) -> String {
    match m {
        Math::Number(digits) => digits.clone(),
        Math::Symbol(s) => s.name.clone(),
        Math::Dotted(s, dots) => format!("{}{}", s.name, "'".repeat(*dots)),
        Math::Negative(inner) => format!("-{}", bound(inner, Binding::Product)),
        Math::Sum(terms) => {
            let mut out = String::new();
            for (i, term) in terms.iter().enumerate() {
                let (minus, term) = term.signed();
                out.push_str(match (i, minus) {
                    (0, false) => "",
                    (0, true) => "-",
                    (_, false) => " + ",
                    (_, true) => " - ",
                });
                out.push_str(&bound(term, Binding::Product));
            }
            out
        }
        Math::Product(factors) => product(factors),
        Math::Quotient(above, below) => format!(
            "{}/{}",
            bound(above, Binding::Product),
            bound(below, Binding::Power)
        ),
        Math::Power(base, exponent) => match exponent.signed().1 {
            Math::Number(_) => format!("{}^{}", bound(base, Binding::Atom), text(exponent)),
            _ => format!("pow({}, {})", text(base), text(exponent)),
        },
        Math::Root(inner) => format!("sqrt({})", text(inner)),
        Math::Function(name, arguments) => format!("{}({})", name.name, list(arguments)),
        Math::Choice(condition, then, other) => format!(
            "(if {} then {} else {})",
            text(condition),
            text(then),
            text(other)
        ),
        Math::Matrix(rows) => {
            let rows: Vec<String> = rows.iter().map(|row| list(row)).collect();
            format!("({})", rows.join(", "))
        }
        Math::Relation(left, relation, right) => {
            format!("{} {} {}", text(left), relation.text(), text(right))
        }
        Math::Text(words) => words.clone(),
    }
}

fn list(entries: &[Math]) -> String {
    entries.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// In parentheses if it holds together less than it has to. A choice has its own.
fn bound(m: &Math, least: Binding) -> String {
    if m.binding() < least && !matches!(m, Math::Choice(..)) {
        format!("({})", text(m))
    } else {
        text(m)
    }
}

/// A quotient goes on as it is, `a/b*x'`; only in front of a multiplier it stands in parentheses where it has blanks.
fn product(factors: &[Math]) -> String {
    let multiplier =
        matches!(factors.last(), Some(Math::Symbol(s)) if s.name.starts_with("lambda["));
    let factor = |f: &Math| match f {
        Math::Quotient(..) => {
            let quotient = text(f);
            if multiplier && quotient.contains(' ') {
                format!("({quotient})")
            } else {
                quotient
            }
        }
        _ => bound(f, Binding::Power),
    };
    factors.iter().map(factor).collect::<Vec<_>>().join("*")
}
