//! LaTeX, for `amsmath` and for what code hosts render between `$$`.

use super::name::{Subscript, command, subscript};
use super::rows::{Piece, rows};
use super::unicode::{superscript, takes_exponent};
use super::{Binding, Math, Relation, Style, Symbol};

/// An expression or equation in one row.
pub fn latex(m: &Math) -> String {
    write(m, Binding::Loose)
}

/// The same in a row, or in an `aligned` of several where it takes more than `wide` columns of Unicode.
pub fn latex_rows(m: &Math, wide: usize) -> String {
    let list = rows(m, wide);
    if list.len() == 1 {
        return latex(m);
    }
    let mut out = String::from("\\begin{aligned}\n");
    for (i, row) in list.iter().enumerate() {
        let gap = if row.continued { "\\quad " } else { "" };
        let end = if i + 1 == list.len() { "" } else { " \\\\" };
        out.push_str(&format!(
            "{}&{gap}{}{end}\n",
            pieces(&row.before),
            pieces(&row.after)
        ));
    }
    out.push_str("\\end{aligned}");
    out
}

fn pieces(list: &[Piece]) -> String {
    let piece = |p: &Piece| match p {
        Piece::Math(m) => latex(m),
        Piece::Grouped(m) => format!("\\left({}\\right)", latex(m)),
        Piece::Sign(sign) => match *sign {
            "·" => "\\cdot".into(),
            "−" => "-".into(),
            "≤" => "\\le".into(),
            "≥" => "\\ge".into(),
            "≠" => "\\ne".into(),
            "<" => "\\lt".into(),
            ">" => "\\gt".into(),
            other => other.to_string(),
        },
        Piece::Minus => "-".into(),
    };
    // A sign that begins a row stands between two terms all the same.
    let first = match list.first() {
        Some(Piece::Sign("+" | "−")) => "{}",
        _ => "",
    };
    format!(
        "{first}{}",
        list.iter().map(piece).collect::<Vec<_>>().join(" ")
    )
}

/// Words outside mathematics.
pub fn latex_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '_' | '%' | '&' | '#' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '\'' => out.push_str("\\textquotesingle{}"),
            '"' => out.push_str("\\textquotedbl{}"),
            '−' => out.push_str("$-$"),
            '·' => out.push_str("$\\cdot$"),
            '…' => out.push_str("\\dots{}"),
            '–' => out.push_str("--"),
            '°' => out.push_str("$^\\circ$"),
            '“' => out.push_str("``"),
            '”' => out.push_str("\'\'"),
            c if c.is_ascii() => out.push(c),
            // Letters that inputenc knows with the font encoding T1; others are named where they are Greek.
            c if ('\u{a1}'..='\u{ff}').contains(&c)
                || "ąĄćĆčČďĎęĘěĚğĞıłŁńŃňŇőŐřŘśŚşŞšŠťŤűŰůŮźŹżŻžŽœŒ".contains(c) =>
            {
                out.push(c)
            }
            c => match command(c.to_string().as_str()) {
                Some(name) => out.push_str(&format!("$\\{name}$")),
                None => out.push('?'),
            },
        }
    }
    out
}

fn write(m: &Math, least: Binding) -> String {
    let text = plain(m);
    let own = match m {
        Math::Quotient(..) => Binding::Power,
        _ => m.binding(),
    };
    if own < least {
        format!("\\left({text}\\right)")
    } else {
        text
    }
}

fn plain(m: &Math) -> String {
    match m {
        Math::Number(digits) => digits.clone(),
        Math::Symbol(s) => symbol(s, 0),
        Math::Dotted(s, dots) => symbol(s, *dots),
        Math::Negative(inner) => format!("-{}", write(inner, Binding::Product)),
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
                out.push_str(&write(term, Binding::Product));
            }
            out
        }
        Math::Product(factors) => product(factors),
        Math::Quotient(above, below) => format!("\\frac{{{}}}{{{}}}", plain(above), plain(below)),
        Math::Power(base, exponent) => power(base, exponent),
        Math::Root(inner) => format!("\\sqrt{{{}}}", plain(inner)),
        Math::Function(name, arguments) => match (name.name.as_str(), arguments.as_slice()) {
            ("abs", [inner]) => format!("\\left\\lvert {}\\right\\rvert", plain(inner)),
            _ => format!("{}{}", function(name), bracketed(arguments)),
        },
        Math::Choice(condition, then, other) => format!(
            "\\begin{{cases}}{} & \\text{{if }} {} \\\\ {} & \\text{{otherwise}}\\end{{cases}}",
            plain(then),
            plain(condition),
            plain(other)
        ),
        Math::Matrix(list) => {
            let row = |row: &Vec<Math>| row.iter().map(plain).collect::<Vec<_>>().join(" & ");
            let body = list.iter().map(row).collect::<Vec<_>>().join(" \\\\ ");
            format!("\\begin{{bmatrix}}{body}\\end{{bmatrix}}")
        }
        Math::Relation(left, relation, right) => {
            let sign = match relation {
                Relation::Equal => "=",
                Relation::Less => "\\lt",
                Relation::LessEqual => "\\le",
                Relation::Greater => "\\gt",
                Relation::GreaterEqual => "\\ge",
                Relation::Unequal => "\\ne",
            };
            format!("{} {sign} {}", plain(left), plain(right))
        }
        Math::Text(words) => format!("\\text{{{}}}", latex_text(words)),
    }
}

/// Factors side by side: with a dot between numbers that would run together, and a thin space where names of several letters or functions
/// without parentheses would.
fn product(factors: &[Math]) -> String {
    let mut out = String::new();
    for (i, factor) in factors.iter().enumerate() {
        let text = write(factor, Binding::Power);
        let digit = text.starts_with(|c: char| c.is_ascii_digit());
        let apart = i > 0 && (stands_apart(factor) || stands_apart(&factors[i - 1]));
        out.push_str(match (i, digit, apart) {
            (0, ..) => "",
            (_, true, _) => " \\cdot ",
            (_, _, true) => " \\, ",
            _ => " ",
        });
        out.push_str(&text);
    }
    out
}

fn stands_apart(factor: &Math) -> bool {
    match factor {
        Math::Symbol(s) | Math::Dotted(s, _) => {
            s.style == Style::Upright && command(&s.letters).is_none()
        }
        Math::Function(name, _) => name.name != "abs",
        Math::Power(base, _) => stands_apart(base),
        _ => false,
    }
}

fn power(base: &Math, exponent: &Math) -> String {
    let up = plain(exponent);
    if let Math::Function(name, arguments) = base
        && arguments.len() == 1
        && takes_exponent(&name.name)
        && superscript(exponent).is_some_and(|up| !up.starts_with('⁻'))
    {
        return format!("{}^{{{up}}}{}", function(name), bracketed(arguments));
    }
    let below = match base {
        Math::Quotient(..) | Math::Power(..) => format!("\\left({}\\right)", plain(base)),
        _ => write(base, Binding::Atom),
    };
    format!("{below}^{{{up}}}")
}

fn bracketed(arguments: &[Math]) -> String {
    let list = arguments.iter().map(plain).collect::<Vec<_>>().join(", ");
    match arguments {
        [Math::Symbol(_) | Math::Dotted(..)] => format!(" {list}"),
        _ => format!("\\left({list}\\right)"),
    }
}

fn function(name: &Symbol) -> String {
    match name.name.as_str() {
        known @ ("sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "exp" | "ln" | "min"
        | "max") => {
            format!("\\{known}")
        }
        arc @ ("asin" | "acos" | "atan") => format!("\\arc{}", &arc[1..]),
        other @ ("asinh" | "acosh" | "atanh" | "atan2" | "sign") => {
            format!("\\operatorname{{{other}}}")
        }
        _ => symbol(name, 0),
    }
}

fn symbol(s: &Symbol, dots: usize) -> String {
    let letters = match (command(&s.letters), s.style) {
        (Some(name), _) => format!("\\{name}"),
        (None, Style::Upright) => format!("\\mathrm{{{}}}", plain_letters(&s.letters)),
        (None, Style::Bold) => format!("\\mathbf{{{}}}", plain_letters(&s.letters)),
        (None, _) => plain_letters(&s.letters),
    };
    let letters = match (s.style, command(&s.letters)) {
        (Style::Bold, Some(name)) => format!("\\boldsymbol{{\\{name}}}"),
        (Style::Unit, _) => format!("\\hat{{\\mathbf{{{}}}}}", plain_letters(&s.letters)),
        _ => letters,
    };
    let letters = match dots {
        0 => letters,
        1 => format!("\\dot{{{letters}}}"),
        2 => format!("\\ddot{{{letters}}}"),
        n => format!("{letters}^{{({n})}}"),
    };
    if s.subscripts.is_empty() {
        return letters;
    }
    let sub = |text: &String| match subscript(text) {
        Subscript::Digits => text.clone(),
        Subscript::Words => format!("\\mathrm{{{}}}", plain_letters(text)),
        Subscript::Name(name, dots) => symbol(&name, dots),
    };
    let list: Vec<String> = s.subscripts.iter().map(sub).collect();
    format!("{letters}_{{{}}}", list.join(","))
}

fn plain_letters(text: &str) -> String {
    text.replace('_', "\\_").replace('#', "\\#")
}
