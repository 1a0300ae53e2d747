//! MathML, as browsers draw it (MathML Core).

use super::name::{Subscript, subscript};
use super::rows::{Piece, rows};
use super::unicode::{superscript, takes_exponent};
use super::{Binding, Math, Style, Symbol};

/// What a symbol's hover text is; `None` for none.
pub type Titles<'a> = dyn Fn(&Symbol) -> Option<String> + 'a;

/// Text within an element or a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// An element `math` within a line.
pub fn mathml(m: &Math, titles: &Titles<'_>) -> String {
    format!("<math>{}</math>", Writer { titles }.plain(m))
}

/// An element `math` of its own, in rows of at most `wide` columns of Unicode.
pub fn mathml_rows(m: &Math, wide: usize, titles: &Titles<'_>) -> String {
    let writer = Writer { titles };
    let list = rows(m, wide);
    if list.len() == 1 {
        return format!("<math display=\"block\">{}</math>", writer.plain(m));
    }
    let mut out =
        String::from("<math display=\"block\"><mtable displaystyle=\"true\" class=\"rows\">");
    for row in &list {
        let indent = if row.continued {
            "<mspace width=\"2em\"/>"
        } else {
            ""
        };
        out.push_str(&format!(
            "<mtr><mtd class=\"l\"><mrow>{}</mrow></mtd><mtd class=\"r\"><mrow>{indent}{}</mrow></mtd></mtr>",
            writer.pieces(&row.before),
            writer.pieces(&row.after)
        ));
    }
    out.push_str("</mtable></math>");
    out
}

struct Writer<'a> {
    titles: &'a Titles<'a>,
}

fn sign(text: &str) -> String {
    format!("<mo>{}</mo>", escape(text))
}

const TIMES: &str = "<mo lspace=\"0\" rspace=\"0.17em\">\u{2062}</mo>";

impl Writer<'_> {
    fn pieces(&self, list: &[Piece]) -> String {
        let piece = |p: &Piece| match p {
            Piece::Math(m) => self.plain(m),
            Piece::Grouped(m) => parentheses(&self.plain(m)),
            Piece::Sign(text) => format!("<mo form=\"infix\">{}</mo>", escape(text)),
            Piece::Minus => "<mo form=\"prefix\">−</mo>".into(),
        };
        list.iter().map(piece).collect()
    }

    fn write(&self, m: &Math, least: Binding) -> String {
        let text = self.plain(m);
        let own = match m {
            Math::Quotient(..) => Binding::Power,
            _ => m.binding(),
        };
        if own < least {
            parentheses(&text)
        } else {
            text
        }
    }

    fn plain(&self, m: &Math) -> String {
        match m {
            Math::Number(digits) => format!("<mn>{digits}</mn>"),
            Math::Symbol(s) => self.symbol(s, 0, None),
            Math::Dotted(s, dots) => self.symbol(s, *dots, None),
            Math::Negative(inner) => {
                format!(
                    "<mrow><mo form=\"prefix\">−</mo>{}</mrow>",
                    self.write(inner, Binding::Product)
                )
            }
            Math::Sum(terms) => {
                let mut out = String::from("<mrow>");
                for (i, term) in terms.iter().enumerate() {
                    let (minus, term) = term.signed();
                    out.push_str(match (i, minus) {
                        (0, false) => "",
                        (0, true) => "<mo form=\"prefix\">−</mo>",
                        (_, false) => "<mo form=\"infix\">+</mo>",
                        (_, true) => "<mo form=\"infix\">−</mo>",
                    });
                    out.push_str(&self.write(term, Binding::Product));
                }
                out + "</mrow>"
            }
            Math::Product(factors) => {
                let mut out = String::from("<mrow>");
                for (i, factor) in factors.iter().enumerate() {
                    let number = matches!(factor, Math::Number(_))
                        || matches!(factor, Math::Power(b, _) if matches!(**b, Math::Number(_)));
                    out.push_str(match (i, number) {
                        (0, _) => "",
                        (_, true) => "<mo>·</mo>",
                        (_, false) => TIMES,
                    });
                    out.push_str(&self.write(factor, Binding::Power));
                }
                out + "</mrow>"
            }
            Math::Quotient(above, below) => {
                format!("<mfrac>{}{}</mfrac>", self.plain(above), self.plain(below))
            }
            Math::Power(base, exponent) => self.power(base, exponent),
            Math::Root(inner) => format!("<msqrt>{}</msqrt>", self.plain(inner)),
            Math::Function(name, arguments) => match (name.name.as_str(), arguments.as_slice()) {
                ("abs", [inner]) => format!(
                    "<mrow><mo form=\"prefix\" stretchy=\"true\">|</mo>{}<mo form=\"postfix\" stretchy=\"true\">|</mo></mrow>",
                    self.plain(inner)
                ),
                _ => format!(
                    "<mrow>{}{}</mrow>",
                    self.symbol(name, 0, None),
                    self.bracketed(arguments)
                ),
            },
            Math::Choice(condition, then, other) => format!(
                "<mrow><mo form=\"prefix\" stretchy=\"true\">{{</mo><mtable class=\"cases\"><mtr><mtd>{}</mtd><mtd><mtext>if </mtext>{}</mtd></mtr><mtr><mtd>{}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>",
                self.plain(then),
                self.plain(condition),
                self.plain(other)
            ),
            Math::Matrix(list) => {
                let entry = |e: &Math| format!("<mtd>{}</mtd>", self.plain(e));
                let row = |r: &Vec<Math>| {
                    format!("<mtr>{}</mtr>", r.iter().map(entry).collect::<String>())
                };
                let body: String = list.iter().map(row).collect();
                format!(
                    "<mrow><mo form=\"prefix\" stretchy=\"true\">[</mo><mtable>{body}</mtable><mo form=\"postfix\" stretchy=\"true\">]</mo></mrow>"
                )
            }
            Math::Relation(left, relation, right) => format!(
                "<mrow>{}{}{}</mrow>",
                self.plain(left),
                sign(relation.sign()),
                self.plain(right)
            ),
            Math::Text(words) => format!("<mtext>{}</mtext>", escape(words)),
        }
    }

    fn bracketed(&self, arguments: &[Math]) -> String {
        let list: Vec<String> = arguments.iter().map(|a| self.plain(a)).collect();
        let list = list.join("<mo separator=\"true\">,</mo>");
        match arguments {
            [Math::Symbol(_) | Math::Dotted(..)] => {
                format!("<mo lspace=\"0\" rspace=\"0.1em\">\u{2061}</mo>{list}")
            }
            _ => format!("<mo>\u{2061}</mo>{}", parentheses(&list)),
        }
    }

    fn power(&self, base: &Math, exponent: &Math) -> String {
        let up = self.plain(exponent);
        match base {
            Math::Function(name, arguments)
                if arguments.len() == 1
                    && takes_exponent(&name.name)
                    && superscript(exponent).is_some_and(|up| !up.starts_with('⁻')) =>
            {
                let raised = self.symbol(name, 0, Some(&up));
                format!("<mrow>{raised}{}</mrow>", self.bracketed(arguments))
            }
            Math::Symbol(s) => self.symbol(s, 0, Some(&up)),
            Math::Dotted(s, dots) => self.symbol(s, *dots, Some(&up)),
            Math::Quotient(..) | Math::Power(..) => {
                format!("<msup>{}{up}</msup>", parentheses(&self.plain(base)))
            }
            _ => format!("<msup>{}{up}</msup>", self.write(base, Binding::Atom)),
        }
    }

    fn symbol(&self, s: &Symbol, dots: usize, up: Option<&str>) -> String {
        let title = (self.titles)(s).map(|t| format!(" title=\"{}\"", escape(&t)));
        let title = title.unwrap_or_default();
        let (open, letters) = match (s.style, s.letters.chars().count()) {
            (Style::Italic, 1) => ("<mi>", s.letters.clone()),
            (Style::Bold | Style::Unit, 1) => {
                ("<mi mathvariant=\"normal\" class=\"v\">", s.letters.clone())
            }
            (Style::Bold | Style::Unit, _) => ("<mi class=\"v\">", s.letters.clone()),
            (_, 1) => ("<mi mathvariant=\"normal\">", s.letters.clone()),
            _ => ("<mi>", s.letters.clone()),
        };
        let base = format!("{open}{}</mi>", escape(&letters));
        let mark = match (dots, s.style) {
            (0, Style::Unit) => Some("^"),
            (0, _) => None,
            (dots, _) => Some(["", ".", "..", "..."][dots.min(3)]),
        };
        // Accents proper sink into the letter where the font has no table of mathematics; full stops, heavy, are seen.
        let base = match mark {
            None => base,
            Some("^") => format!("<mover accent=\"true\">{base}<mo>^</mo></mover>"),
            Some(dots) => {
                format!("<mover>{base}<mo class=\"d\" stretchy=\"false\">{dots}</mo></mover>")
            }
        };
        let piece = |text: &String| match subscript(text) {
            Subscript::Digits => format!("<mn>{text}</mn>"),
            Subscript::Words => format!("<mi>{}</mi>", escape(text)),
            Subscript::Name(name, dots) => self.symbol(&name, dots, None),
        };
        let subs: Vec<String> = s.subscripts.iter().map(piece).collect();
        let subs = format!(
            "<mrow>{}</mrow>",
            subs.join("<mo separator=\"true\">,</mo>")
        );
        let whole = match (s.subscripts.is_empty(), up) {
            (true, None) => base,
            (true, Some(up)) => format!("<msup>{base}{up}</msup>"),
            (false, None) => format!("<msub>{base}{subs}</msub>"),
            (false, Some(up)) => format!("<msubsup>{base}{subs}{up}</msubsup>"),
        };
        if title.is_empty() {
            whole
        } else {
            format!("<mrow{title}>{whole}</mrow>")
        }
    }
}

fn parentheses(inner: &str) -> String {
    format!(
        "<mrow><mo form=\"prefix\" stretchy=\"true\">(</mo>{inner}<mo form=\"postfix\" stretchy=\"true\">)</mo></mrow>"
    )
}
