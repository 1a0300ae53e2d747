//! Quantities asked for by name as text: one section each, entry by entry.

use super::conditions::READABLE;
use super::{Presentation, Settings, Work};
use crate::catalogue;
use crate::form::Table;
use crate::sym::Expr;

/// A quantity as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its name in the catalogue.
    pub name: String,
    /// How the sources write it.
    pub symbol: String,
    /// What it is, with what is peculiar to the model.
    pub docs: String,
    /// Where it is defined: `Udwadia & Kalaba 2002, 43-46`.
    pub source: String,
    /// `tangent_projector[x, y] = ...`, the equals signs below each other; empty in staged presentation.
    pub lines: Vec<String>,
}

/// Longest entry that is printed in full.
const LONGEST: usize = 400;
/// Shown for longer ones.
const LONG: &str = "(long; see the code)";

impl Work<'_> {
    /// A quantity as a section.
    pub(super) fn section(&mut self, table: &Table) -> Section {
        let about = catalogue::output(table.name);
        let docs = about.map_or("", |q| q.docs);
        let lines = match self.presentation {
            Presentation::Closed => self.entry_lines(table),
            Presentation::Staged => Vec::new(),
        };
        Section {
            name: table.name.to_string(),
            symbol: about.map_or("", |q| q.symbol).to_string(),
            docs: match table.note.as_str() {
                "" => docs.to_string(),
                note => format!("{docs} {note}"),
            },
            source: about.map_or(String::new(), |q| catalogue::citation(q.source)),
            lines,
        }
    }

    /// An expression with its definitions written out, unless that is long.
    pub(super) fn in_full(&mut self, e: &Expr) -> Option<String> {
        if self.c.alg.inlined_size(e, READABLE) >= READABLE {
            return None;
        }
        let text = self.readable(e);
        (text.len() <= LONGEST).then_some(text)
    }

    /// The entries that are not zero.
    fn entry_lines(&mut self, table: &Table) -> Vec<String> {
        let labels = table.labels();
        let mut lines: Vec<(String, String)> = Vec::new();
        let scalar = table.rows.is_empty() && table.entries.len() == 1;
        for (label, e) in labels.iter().zip(&table.entries) {
            if self.c.alg.is_zero(e) {
                continue;
            }
            let text = self.in_full(e).unwrap_or_else(|| LONG.to_string());
            let left = if scalar {
                table.name.to_string()
            } else {
                format!("{}[{label}]", table.name)
            };
            lines.push((left, text));
        }
        let zeros = table.entries.len() - lines.len();
        let rest = match (lines.is_empty(), zeros) {
            (_, 0) => None,
            (true, _) => Some(format!("{} = 0", table.name)),
            (false, 1) => Some("the other entry is 0".to_string()),
            (false, _) => Some("the other entries are 0".to_string()),
        };
        let mut lines = aligned(&lines);
        lines.extend(rest);
        lines
    }

    /// What every module has and was asked for all the same, as far as it has a closed form.
    pub(super) fn standard_sections(&mut self, settings: &Settings<'_>) -> Vec<Section> {
        if self.presentation != Presentation::Closed {
            return Vec::new();
        }
        let kept = (self.solution.clone(), self.closed.clone());
        let mut list = Vec::new();
        for name in settings.standard {
            if let Ok(Some(table)) = self.entries(settings, name) {
                list.push(self.section(&table));
            }
        }
        (self.solution, self.closed) = kept;
        list
    }
}

/// `left = right`, the equals signs below each other.
pub(super) fn aligned(lines: &[(String, String)]) -> Vec<String> {
    let wide = lines.iter().map(|(l, _)| l.chars().count()).max();
    let wide = wide.unwrap_or(0);
    let line = |(left, right): &(String, String)| format!("{left:<wide$} = {right}");
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn equals_signs_stand_below_each_other() {
        let line = |l: &str, r: &str| (l.to_string(), r.to_string());
        let list = [line("m[x, x]", "1"), line("m[theta, x]", "a + b")];
        assert_eq!(aligned(&list), ["m[x, x]     = 1", "m[theta, x] = a + b"]);
        assert!(aligned(&[]).is_empty());
    }
}
