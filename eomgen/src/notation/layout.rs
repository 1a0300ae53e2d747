//! An expression as a block of Unicode in two dimensions: built-up fractions and roots, tall parentheses.

use super::unicode::{columns, one_line, superscript, symbol, takes_exponent, width};
use super::{Binding, Math};

/// Lines of the same width, and the line on which what stands beside it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The lines, filled up with blanks.
    pub lines: Vec<String>,
    /// Columns of each line.
    pub width: usize,
    /// Index of the line of the equals sign, of the bar of a fraction.
    pub baseline: usize,
}

impl Layout {
    /// One line.
    pub fn line(text: String) -> Self {
        let width = width(&text);
        Self {
            lines: vec![text],
            width,
            baseline: 0,
        }
    }

    /// An expression in one block, however wide.
    pub fn of(m: &Math) -> Self {
        Self::bound(m, Binding::Loose)
    }

    /// Lines above the one of the baseline, and below.
    fn heights(&self) -> (usize, usize) {
        (self.baseline, self.lines.len() - 1 - self.baseline)
    }

    /// Two blocks on one baseline.
    pub(super) fn beside(&self, right: &Self) -> Self {
        let (up, down) = self.heights();
        let (up2, down2) = right.heights();
        let (above, below) = (up.max(up2), down.max(down2));
        let blank = |n: usize| " ".repeat(n);
        let row = |block: &Self, i: usize| {
            let at = (i + block.baseline).checked_sub(above);
            let line = at.and_then(|at| block.lines.get(at));
            line.cloned().unwrap_or_else(|| blank(block.width))
        };
        Self {
            lines: (0..=above + below)
                .map(|i| format!("{}{}", row(self, i), row(right, i)))
                .collect(),
            width: self.width + right.width,
            baseline: above,
        }
    }

    pub(super) fn with(&self, text: &str) -> Self {
        self.beside(&Self::line(text.into()))
    }

    fn centred(&self, wide: usize) -> Vec<String> {
        let left = (wide - self.width) / 2;
        let right = wide - self.width - left;
        let line = |l: &String| format!("{}{l}{}", " ".repeat(left), " ".repeat(right));
        self.lines.iter().map(line).collect()
    }

    fn fraction(above: &Self, below: &Self) -> Self {
        let wide = above.width.max(below.width);
        let mut lines = above.centred(wide);
        let baseline = lines.len();
        lines.push("─".repeat(wide));
        lines.extend(below.centred(wide));
        Self {
            lines,
            width: wide,
            baseline,
        }
    }

    /// Between brackets of its height: those for one line, and those that are built of a top, a middle and a bottom.
    fn between(&self, one: [&str; 2], left: [&str; 3], right: [&str; 3]) -> Self {
        let n = self.lines.len();
        if n == 1 {
            return Self::line(format!("{}{}{}", one[0], self.lines[0], one[1]));
        }
        let part = |i: usize, of: [&str; 3]| match i {
            0 => of[0].to_string(),
            i if i + 1 == n => of[2].to_string(),
            _ => of[1].to_string(),
        };
        let side = |of: [&str; 3]| Self {
            lines: (0..n).map(|i| part(i, of)).collect(),
            width: width(of[0]),
            baseline: self.baseline,
        };
        side(left).beside(self).beside(&side(right))
    }

    pub(super) fn parentheses(&self) -> Self {
        self.between(["(", ")"], ["⎛", "⎜", "⎝"], ["⎞", "⎟", "⎠"])
    }

    fn bound(m: &Math, least: Binding) -> Self {
        let block = Self::plain(m);
        // A built-up fraction holds together by itself.
        let own = match m {
            Math::Quotient(..) => Binding::Power,
            _ => m.binding(),
        };
        if own < least {
            block.parentheses()
        } else {
            block
        }
    }

    fn plain(m: &Math) -> Self {
        match m {
            Math::Number(_) | Math::Symbol(_) | Math::Dotted(..) | Math::Text(_) => {
                Self::line(one_line(m))
            }
            Math::Negative(inner) => {
                Self::line("−".into()).beside(&Self::bound(inner, Binding::Product))
            }
            Math::Sum(terms) => {
                let mut out = Self::line(String::new());
                for (i, term) in terms.iter().enumerate() {
                    let (minus, term) = term.signed();
                    out = out.with(match (i, minus) {
                        (0, false) => "",
                        (0, true) => "−",
                        (_, false) => " + ",
                        (_, true) => " − ",
                    });
                    out = out.beside(&Self::bound(term, Binding::Product));
                }
                out
            }
            Math::Product(factors) => {
                let mut out = Self::line(String::new());
                for (i, factor) in factors.iter().enumerate() {
                    let gap = if i == 0 { "" } else { " " };
                    out = out.with(gap).beside(&Self::bound(factor, Binding::Power));
                }
                out
            }
            Math::Quotient(above, below) => Self::fraction(&Self::of(above), &Self::of(below)),
            Math::Power(base, exponent) => Self::power(base, exponent),
            Math::Root(inner) => Self::root(&Self::of(inner)),
            Math::Function(name, arguments) => {
                let inside = Self::list(arguments);
                if name.name == "abs" {
                    inside.between(["|", "|"], ["│"; 3], ["│"; 3])
                } else {
                    Self::line(symbol(name, 0)).beside(&inside.parentheses())
                }
            }
            Math::Choice(condition, then, other) => {
                let first = Self::of(then).with("  if ").beside(&Self::of(condition));
                let second = Self::of(other).with("  otherwise");
                let wide = first.width.max(second.width);
                let filled = |b: &Self| {
                    let line = |l: &String| format!("{l}{}", " ".repeat(wide - b.width));
                    b.lines.iter().map(line).collect::<Vec<_>>()
                };
                let mut lines = filled(&first);
                let baseline = lines.len();
                lines.push(" ".repeat(wide));
                lines.extend(filled(&second));
                let n = lines.len();
                let brace = |i: usize| match i {
                    0 => "⎧ ",
                    i if i == baseline => "⎨ ",
                    i if i + 1 == n => "⎩ ",
                    _ => "⎪ ",
                };
                Self {
                    lines: lines
                        .iter()
                        .enumerate()
                        .map(|(i, l)| format!("{}{l}", brace(i)))
                        .collect(),
                    width: wide + 2,
                    baseline,
                }
            }
            Math::Matrix(rows) => Self::matrix(rows),
            Math::Relation(left, relation, right) => Self::of(left)
                .with(&format!(" {} ", relation.sign()))
                .beside(&Self::of(right)),
        }
    }

    fn list(entries: &[Math]) -> Self {
        let mut out = Self::line(String::new());
        for (i, entry) in entries.iter().enumerate() {
            out = out
                .with(if i == 0 { "" } else { ", " })
                .beside(&Self::of(entry));
        }
        out
    }

    fn power(base: &Math, exponent: &Math) -> Self {
        let up = superscript(exponent);
        if let (Math::Function(name, arguments), Some(up)) = (base, &up)
            && arguments.len() == 1
            && takes_exponent(&name.name)
            && !up.starts_with('⁻')
        {
            let inside = Self::list(arguments).parentheses();
            return Self::line(format!("{}{up}", symbol(name, 0))).beside(&inside);
        }
        let below = match base {
            Math::Quotient(..) => Self::of(base).parentheses(),
            _ => Self::bound(base, Binding::Atom),
        };
        let raised = match up {
            Some(up) if below.lines.len() == 1 => return below.with(&up),
            Some(up) => Self::line(up),
            None => Self::of(exponent),
        };
        // The exponent's last line is one above the base's first, or on it where the base is tall.
        let overlap = usize::from(below.lines.len() > 1);
        let lift = raised.lines.len() - overlap;
        let mut lines = Vec::new();
        for i in 0..lift + below.lines.len() {
            let left = i.checked_sub(lift).map(|i| below.lines[i].clone());
            let left = left.unwrap_or_else(|| " ".repeat(below.width));
            let right = raised.lines.get(i).cloned();
            let right = right.unwrap_or_else(|| " ".repeat(raised.width));
            lines.push(format!("{left}{right}"));
        }
        Self {
            lines,
            width: below.width + raised.width,
            baseline: lift + below.baseline,
        }
    }

    /// √ with a bar over all of it; over one symbol or number without.
    fn root(inner: &Self) -> Self {
        let n = inner.lines.len();
        if n == 1 && inner.lines[0].chars().map(columns).sum::<usize>() <= 2 {
            return Self::line(format!("√{}", inner.lines[0]));
        }
        let mut lines = vec![format!(" {}", "_".repeat(inner.width))];
        for (i, line) in inner.lines.iter().enumerate() {
            let side = match (n, i + 1 == n) {
                (1, _) => "√",
                (_, true) => "⎷",
                _ => "│",
            };
            lines.push(format!("{side}{line}"));
        }
        Self {
            lines,
            width: inner.width + 1,
            baseline: inner.baseline + 1,
        }
    }

    fn matrix(rows: &[Vec<Math>]) -> Self {
        let blocks: Vec<Vec<Self>> = rows
            .iter()
            .map(|row| row.iter().map(Self::of).collect())
            .collect();
        let columns = blocks.iter().map(Vec::len).max().unwrap_or(0);
        let wide: Vec<usize> = (0..columns)
            .map(|j| {
                blocks
                    .iter()
                    .filter_map(|row| row.get(j))
                    .map(|b| b.width)
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let tall = blocks.iter().flatten().any(|b| b.lines.len() > 1);
        let mut lines = Vec::new();
        for (i, row) in blocks.iter().enumerate() {
            let mut line = Self::line(String::new());
            for (j, block) in row.iter().enumerate() {
                let gap = if j == 0 { "" } else { "  " };
                let centred = Self {
                    lines: block.centred(wide[j]),
                    width: wide[j],
                    baseline: block.baseline,
                };
                line = line.with(gap).beside(&centred);
            }
            if i > 0 && tall {
                lines.push(" ".repeat(line.width));
            }
            lines.extend(line.lines);
        }
        let n = lines.len();
        let all = Self {
            width: lines.first().map_or(0, |l| width(l)),
            lines,
            baseline: n.saturating_sub(1) / 2,
        };
        all.between(["[", "]"], ["⎡", "⎢", "⎣"], ["⎤", "⎥", "⎦"])
    }
}
