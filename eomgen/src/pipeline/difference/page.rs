//! The difference of two models as a page that is read in a review: at most a screen of it unless everything is asked for.

use super::{Change, Difference, Fate, Likeness, MOTION, Term, is_single, labelled};
use crate::explain::Mark;
use crate::notation::{lines, one_line};

/// How much is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What fits on a screen; long changes are summed up.
    Screen,
    /// Every term.
    Full,
}

/// Lines of a screen.
const SCREEN: usize = 40;
/// Terms of a statement that are listed where not all are.
const FEW: usize = 3;
/// Widest line.
const WIDE: usize = 100;

/// How much is said of statements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// All terms.
    Terms,
    /// The terms of statements of few.
    Short,
    /// One line for each part.
    Parts,
}

impl Difference {
    /// As text; the last line ends with a line end.
    pub fn page(&self, extent: Extent) -> String {
        let details = [Detail::Terms, Detail::Short, Detail::Parts];
        let mut pages = details.into_iter().map(|detail| self.lines(detail, extent));
        let mut page = pages.next().unwrap_or_default();
        if extent == Extent::Screen {
            while page.len() > SCREEN {
                let Some(shorter) = pages.next() else { break };
                page = shorter;
            }
        }
        page.join("\n") + "\n"
    }

    /// Whether a change follows from what is said beside it: equations are for other unknowns, or in other coordinates.
    fn follows(&self, change: &Change) -> bool {
        let declared = super::declarations::PARTS.contains(&change.part);
        let replaced = change.part == MOTION && self.other_unknowns().is_some();
        let same = self.likeness == Likeness::SameMotion;
        same && (replaced || (!declared && !self.measured.is_empty()))
    }

    fn lines(&self, detail: Detail, extent: Extent) -> Vec<String> {
        let mut out = self.heading();
        let mut summed = false;
        let unknowns = self.other_unknowns();
        let mut part = "";
        for change in &self.changes {
            if extent == Extent::Screen && self.follows(change) {
                summed = true;
                continue;
            }
            if part != change.part {
                part = change.part;
                let convention = if part == MOTION {
                    " (left side = 0)"
                } else {
                    ""
                };
                out.push(format!("{part}{convention}"));
                if detail == Detail::Parts && self.is_long(part) {
                    out.push(self.part(part));
                    summed = true;
                }
            }
            if detail == Detail::Parts && self.is_long(part) {
                continue;
            }
            summed |= self.change(&mut out, change, detail);
        }
        if let Some((old, new)) = unknowns {
            let list = |labels: Vec<&str>| {
                let all = labels.into_iter().map(|l| labelled(&self.names, MOTION, l));
                all.collect::<Vec<_>>().join(", ")
            };
            let text = format!("{}; they were for {}", list(new), list(old));
            out.extend(filled("The equations of motion are for ", &text));
        }
        self.accelerations(&mut out);
        if !self.conditions.is_empty() {
            out.push("Singular conditions".into());
            for (mark, text) in &self.conditions {
                out.push(format!("  {}   {}", sign(*mark), shortened(text)));
            }
        }
        if !self.equal.is_empty() && !self.is_none() {
            out.extend(filled("Unchanged: ", &self.unchanged()));
        }
        if summed {
            out.push("(--full lists every term)".into());
        }
        out
    }

    /// What the difference amounts to.
    fn heading(&self) -> Vec<String> {
        let motion = |states: usize| format!("the accelerations agree at {states} states");
        let states = self.motion.as_ref().map(|m| m.states).unwrap_or_default();
        let mut out = match self.likeness {
            Likeness::SameText => vec!["the same text".to_owned()],
            Likeness::SameEquations => filled("the same equations: ", &self.unchanged()),
            Likeness::SameMotion => vec![format!("the same motion: {}", motion(states))],
            Likeness::OtherEnergies => {
                vec!["the same equations of motion, with other energies".to_owned()]
            }
            Likeness::Different => Vec::new(),
        };
        for (old, new) in &self.renamed {
            out.push(format!("Renamed: {old} is now {new}"));
        }
        for (name, value) in &self.measured {
            let how = if self.found {
                "has another meaning"
            } else {
                "compared with"
            };
            out.push(format!("Coordinate {name}: {how}, {name} = {value}"));
        }
        out
    }

    /// A statement; whether something was left out.
    fn change(&self, out: &mut Vec<String>, change: &Change, detail: Detail) -> bool {
        let label = labelled(&self.names, change.part, &change.label);
        if super::declarations::PARTS.contains(&change.part) {
            for (mark, said, fate) in [
                (Mark::Removed, &change.old, Fate::New),
                (Mark::Added, &change.new, Fate::Gone),
            ] {
                if change.fate != fate {
                    let text = format!("  {}   {} {said}", sign(mark), change.label);
                    out.push(text.trim_end().to_owned());
                }
            }
            return false;
        }
        let fate = match change.fate {
            Fate::Changed => "",
            Fate::New => " (new)",
            Fate::Gone => " (gone)",
        };
        let head = format!("  {label}{fate}");
        let rows: Vec<String> = change.terms.iter().flat_map(written).collect();
        let long = rows.iter().map(|r| r.chars().count()).sum::<usize>() > FEW * WIDE;
        let few = detail == Detail::Terms || (change.terms.len() <= FEW && !long);
        if change.terms.is_empty() || !few {
            let all = summary(change.count, &change.shared, &change.unknowns);
            let text = if label.is_empty() {
                format!("    {all}")
            } else {
                format!("{head}: {all}")
            };
            out.extend(filled_after(&text));
            return !change.terms.is_empty();
        }
        if !head.trim().is_empty() {
            out.push(head);
        }
        out.extend(rows);
        false
    }

    /// Whether a part is summed up where each has one line: equations of which many differ.
    fn is_long(&self, part: &str) -> bool {
        let here = self.changes.iter().filter(|c| c.part == part);
        let lines = here.map(|c| 1 + c.terms.len()).sum::<usize>();
        lines > SCREEN / 8
    }

    /// All changes of a part in one line.
    fn part(&self, part: &str) -> String {
        let here: Vec<&Change> = self.changes.iter().filter(|c| c.part == part).collect();
        if super::declarations::PARTS.contains(&part) {
            let names: Vec<&str> = here.iter().map(|c| c.label.as_str()).collect();
            return filled_after(&format!("  {}", names.join(", "))).join("\n");
        }
        let labels = here.iter().map(|c| labelled(&self.names, part, &c.label));
        let labels: Vec<String> = labels.filter(|l| !l.is_empty()).collect();
        let count = here.iter().map(|c| c.count).sum::<Option<usize>>();
        let mut shared = here.first().map(|c| c.shared.clone()).unwrap_or_default();
        shared.retain(|s| here.iter().all(|c| c.shared.contains(s)));
        let all = summary(count, &shared, &[]);
        let text = if labels.is_empty() {
            format!("  {all}")
        } else {
            format!("  {}: {all}", labels.join(", "))
        };
        filled_after(&text).join("\n")
    }

    fn accelerations(&self, out: &mut Vec<String>) {
        let Some(motion) = &self.motion else {
            return;
        };
        if motion.different.is_empty() {
            if self.likeness != Likeness::SameMotion {
                out.push(format!(
                    "Accelerations: the same at {} states",
                    motion.states
                ));
            }
            return;
        }
        let written = |list: &[String]| {
            let each = list.iter().map(|c| format!("{c}''"));
            let each = each.map(|c| one_line(&self.names.quantity(&c)));
            each.collect::<Vec<_>>().join(", ")
        };
        let different = written(&motion.different);
        let verb = if motion.different.len() == 1 {
            "changes"
        } else {
            "change"
        };
        let mut text = format!("{different} {verb}");
        if !motion.same.is_empty() {
            text.push_str(&format!("; unchanged: {}", written(&motion.same)));
        }
        out.extend(filled("Accelerations: ", &text));
    }

    /// What is equal, by name.
    fn unchanged(&self) -> String {
        let parts = self.equal.iter().filter_map(|(part, labels)| {
            let title = part.to_lowercase();
            if is_single(labels) {
                return Some(title);
            }
            // The sides and components of a constraint count as one.
            let own = |l: &String| match l.split_once(", ") {
                Some((name, _)) => name.to_owned(),
                None => labelled(&self.names, part, l),
            };
            let all = labels.iter().map(own);
            let mut all: Vec<String> = all.collect();
            all.dedup();
            let changed = |l: &String| {
                let mut here = self.changes.iter().filter(|c| c.part == *part);
                here.any(|c| c.label.split_once(", ").is_some_and(|(name, _)| name == l))
            };
            all.retain(|l| !changed(l));
            if all.len() > SCREEN / 4 {
                let rest = all.len() - SCREEN / 5;
                all.truncate(SCREEN / 5);
                all.push(format!("and {rest} more"));
            }
            (!all.is_empty()).then(|| format!("{title} ({})", all.join(", ")))
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// The beginning of a condition that is longer than a line: which one it is.
fn shortened(text: &str) -> String {
    let first: String = text.chars().take(WIDE - 10).collect();
    match (first.len() < text.len(), first.rfind(' ')) {
        (true, Some(at)) => format!("{} ...", &first[..at]),
        _ => first,
    }
}

fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Removed => "−",
        Mark::Added => "+",
    }
}

/// What a change amounts to, where its terms are not listed.
fn summary(
    count: Option<usize>,
    shared: &[crate::notation::Math],
    unknowns: &[(crate::notation::Math, usize)],
) -> String {
    let mut text = match count {
        None => "changes in too many terms to be listed".to_owned(),
        Some(1) => "1 term changes".to_owned(),
        Some(n) => format!("{} terms change", grouped(n)),
    };
    if !shared.is_empty() {
        let names: Vec<String> = shared.iter().map(one_line).collect();
        let verb = if count == Some(1) {
            "it contains"
        } else {
            "all contain"
        };
        text.push_str(&format!("; {verb} {}", names.join(" or ")));
    }
    if !unknowns.is_empty() {
        let each = unknowns.iter();
        let each = each.map(|(m, n)| format!("{} ({})", one_line(m), grouped(*n)));
        let list: Vec<String> = each.collect();
        text.push_str(&format!("; in coefficients of {}", list.join(", ")));
    }
    text
}

/// `12,345`
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A term behind its mark: the mark and a minus sign of the term are apart.
fn written(term: &Term) -> Vec<String> {
    let rows = lines(&term.math, WIDE).into_iter().enumerate();
    let rows = rows.map(|(i, row)| match (i, row.strip_prefix('−')) {
        (0, Some(rest)) => format!("    {}   − {rest}", sign(term.mark)),
        (0, None) => format!("    {}   {row}", sign(term.mark)),
        _ => format!("        {row}"),
    });
    rows.collect()
}

fn filled(head: &str, text: &str) -> Vec<String> {
    filled_after(&format!("{head}{text}"))
}

/// Broken between words; what follows is indented.
fn filled_after(text: &str) -> Vec<String> {
    let own = text.len() - text.trim_start().len();
    let mut lines = Vec::new();
    let mut line = " ".repeat(own);
    for word in text.split_whitespace() {
        let wide = line.chars().count() + word.chars().count() > WIDE;
        if wide && !line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
            line = " ".repeat(own + 4);
        }
        line.push_str(word);
        line.push(' ');
    }
    lines.push(line.trim_end().to_owned());
    lines
}
