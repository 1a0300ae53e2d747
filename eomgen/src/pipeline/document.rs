//! Derivations as plain text: the equations with the quantities asked for, or the representative particle.

use super::DEFAULT_METHOD;
use super::derivation::{Extra, assembled_with};
use super::module::assumptions;
use super::{DeriveOptions, Derived, Document, Failure, Prefer, Source, read_fixed};
use crate::explain::Section;
use crate::host::with_stack;
use crate::model::System;
use crate::notation::{Line, aligned};
use crate::program::Assembled;

/// Widest line of running text.
const WIDE: usize = 100;

/// Derives and writes a document.
pub fn document(
    source: &Source,
    options: &DeriveOptions,
    kind: Document,
) -> Result<Derived, Failure> {
    let (system, mut warnings) = read_fixed(source, &options.set, &options.fix)?;
    let copies = &system.copies;
    let result = with_stack(|| -> Result<_, Failure> {
        let extra = match kind {
            Document::Geometry => Extra::Geometry,
            Document::Equations | Document::Plans => Extra::Nothing,
        };
        let found = assembled_with(&system, options, extra)?;
        let method = options.method.as_deref().unwrap_or(DEFAULT_METHOD);
        let text = match kind {
            Document::Equations => equations(&system, method, &found),
            Document::Geometry => geometry(&system, &found),
            Document::Plans => plans(&system, options, &found),
        };
        Ok((text, found.notes))
    })?;
    let (code, notes) =
        result.map_err(|failure| failure.explained(copies).after(warnings.clone()))?;
    warnings.extend(copies.explain(notes));
    Ok(Derived {
        code,
        warnings,
        longest: None,
    })
}

fn equations(system: &System, method: &str, a: &Assembled) -> String {
    let d = &a.documentation;
    let mut page = Page::new(&format!(
        "Equations of motion of {} ({method})",
        system.name
    ));
    page.text(&system.docs);
    page.listing("Equations", &d.equations);
    page.listing("Accelerations", &d.accelerations);
    page.listing("States", &d.states);
    page.listing("Speeds", &d.speeds);
    page.listing("Kinematics", &d.kinematics);
    page.listing("Constraints", &d.constraints);
    for section in d.quantities.iter().chain(&d.standard) {
        page.section(section);
    }
    let mut remarks = d.remarks.clone();
    let assumed = assumptions(system);
    if !assumed.is_empty() {
        remarks.push(format!("Assumed: {}.", assumed.join(", ")));
    }
    if !a.cancelled.is_empty() {
        remarks.push(format!(
            "Cancelled during the derivation, which therefore does not cover: {}.",
            a.cancelled.join("; ")
        ));
    }
    page.part("Remarks", &remarks, &[]);
    page.conditions(a);
    page.out
}

fn geometry(system: &System, a: &Assembled) -> String {
    let mut page = Page::new(&format!("The representative particle of {}", system.name));
    page.text("After Casey, as in O'Reilly et al., sections 3-7.");
    for part in &a.documentation.geometry {
        page.part(&part.title, &part.text, &aligned(&part.lines));
    }
    page.conditions(a);
    page.out
}

/// The table of plans, the cheapest first, and those without a count last.
fn plans(system: &System, options: &DeriveOptions, a: &Assembled) -> String {
    let mut page = Page::new(&format!("Plans for the accelerations of {}", system.name));
    let method = options.method.as_deref().unwrap_or(DEFAULT_METHOD);
    page.text(&format!(
        "By {method}, with --plan {}{}.",
        options.plan.name(),
        match options.prefer {
            Prefer::Operations => " --prefer operations",
            Prefer::Time => "",
        }
    ));
    let timed = options.criterion() == Prefer::Time;
    if timed {
        page.text("Of the plans that take at most a tenth longer than the quickest, the one with the fewest operations is chosen.");
    }
    let mut rows: Vec<_> = a.plans.iter().collect();
    rows.sort_by_key(|row| {
        let cost = row.cost.map_or(usize::MAX, |cost| cost.total());
        (row.cost.is_none(), row.time.filter(|_| timed), cost)
    });
    let lines: Vec<String> = rows
        .into_iter()
        .map(|row| {
            let count = row
                .cost
                .map_or("-".to_owned(), |cost| cost.total().to_string());
            let mark = if row.chosen { '*' } else { ' ' };
            let lost = match row.growth {
                None => String::new(),
                Some(tenths) if tenths == u32::MAX => "all".into(),
                Some(tenths) => format!("{}.{}", tenths / 10, tenths % 10),
            };
            let path = row.path.map_or(String::new(), |path| path.to_string());
            let time = row.time.map_or(String::new(), |time| time.to_string());
            format!(
                "{mark} {count:>7}  {path:>6}  {time:>6}  {lost:>5}  {:<78}  {}",
                row.id.to_string(),
                row.note
            )
            .trim_end()
            .to_owned()
        })
        .collect();
    let worst = a.plans.iter().filter_map(|row| row.growth).max();
    let worst = worst.filter(|tenths| *tenths != u32::MAX).map(|tenths| {
        format!(
            "The worst plan loses {}.{} decimal digits compared with the reference plan, at random states; one that loses more than two is chosen only where constraint rows would be left to a routine otherwise, and with an error below 1e-12.",
            tenths / 10,
            tenths % 10
        )
    });
    let mut remarks: Vec<String> = worst.into_iter().collect();
    remarks.extend(
        a.untried
            .map(|why| format!("The Newton-Euler equations were not tried: {why}.")),
    );
    if !a.plans.iter().any(|row| row.chosen) {
        remarks.push(format!(
            "Chosen, without a comparison of operations: {}.",
            a.route
        ));
    }
    remarks.extend(presuming(options, a));
    page.part(
        "Operations, critical path in cycles, estimated cycles, digits lost, plan, remark (* chosen)",
        &remarks,
        &lines,
    );
    page.out
}

/// What is said of the plan that is followed first, where there are two.
fn presuming(options: &DeriveOptions, a: &Assembled) -> Option<String> {
    let presumed = a.presumed.as_ref()?;
    let price = a.price(options.criterion());
    let cycles = match price.cycles {
        0 => String::new(),
        cycles => format!(" and some {cycles} cycles"),
    };
    let still = match presumed.still.as_slice() {
        [] => String::new(),
        still => format!(" and the constraints keep {} unchanged", still.join(", ")),
    };
    Some(format!(
        "Where pivots do not vanish that seldom do{still}, another plan is followed, of {} operations{cycles}: {}.",
        price.operations, presumed.plan
    ))
}

struct Page {
    out: String,
}

impl Page {
    fn new(title: &str) -> Self {
        let rule = "=".repeat(title.chars().count());
        Self {
            out: format!("{title}\n{rule}\n"),
        }
    }

    fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.out.push('\n');
            for line in text.trim().lines() {
                self.filled(line, "", "");
            }
        }
    }

    /// A heading with sentences and formulas, unless there is neither.
    fn part(&mut self, title: &str, sentences: &[String], lines: &[String]) {
        if sentences.is_empty() && lines.is_empty() {
            return;
        }
        let rule = "-".repeat(title.chars().count());
        self.out.push_str(&format!("\n{title}\n{rule}\n"));
        for sentence in sentences {
            self.filled(sentence, "- ", "  ");
        }
        if !sentences.is_empty() && !lines.is_empty() {
            self.out.push('\n');
        }
        for line in lines {
            self.out.push_str(&format!("  {line}\n"));
        }
    }

    fn listing(&mut self, title: &str, lines: &[Line]) {
        let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
        self.part(title, &[], &lines);
    }

    fn section(&mut self, s: &Section) {
        let title = format!("{} ({})", s.name, s.symbol);
        let text = [s.docs.clone(), format!("Source: {}.", s.source)];
        self.part(&title, &text, &aligned(&s.lines));
    }

    fn conditions(&mut self, a: &Assembled) {
        let list = a.conditions.iter();
        let lines: Vec<String> = list
            .map(|c| match c.note.as_str() {
                "" => c.text.clone(),
                note => format!("{}: {note}", c.text),
            })
            .collect();
        if lines.is_empty() {
            self.part(
                "Singular",
                &["nowhere under the assumptions".to_string()],
                &[],
            )
        } else {
            self.part("Singular where", &lines, &[])
        }
    }

    /// Text filled to the width of a page.
    fn filled(&mut self, text: &str, first: &str, further: &str) {
        let mut line = first.to_string();
        let mut empty = true;
        for word in text.split_whitespace() {
            if !empty && line.chars().count() + 1 + word.chars().count() > WIDE {
                self.out.push_str(line.trim_end());
                self.out.push('\n');
                line = further.to_string();
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn long_sentences_are_filled() {
        let mut page = Page::new("T");
        page.part("Part", &["word ".repeat(30)], &["a = b".into()]);
        let lines: Vec<&str> = page.out.lines().collect();
        assert_eq!(lines[..4], ["T", "=", "", "Part"]);
        assert!(lines[5].starts_with("- word") && lines[5].len() <= 100);
        assert!(lines[6].starts_with("  word"));
        assert_eq!(lines.last(), Some(&"  a = b"));
    }
}
