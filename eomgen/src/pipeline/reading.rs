//! Mathematics and symbols within the documentation of a generated module: one line of Unicode for each equation, broken at its terms, so
//! that a line of the text changes only where the mathematics does.

use crate::emit;
use crate::model::System;
use crate::model::system::Meta;
use crate::notation::{Line, Math, Namer, Names, lines, one_line, width};

/// Columns of a line of mathematics.
const WIDE: usize = 88;

/// A line of the documentation in the mathematics of a reader, behind its label; what is none stays as it is.
pub(super) fn written(line: &Line) -> Vec<String> {
    if !line.is_formula() {
        return vec![line.to_string()];
    }
    let label = line
        .label
        .as_ref()
        .map_or(String::new(), |label| format!("{label}: "));
    let ahead = width(&label);
    let rows = lines(&line.math, WIDE.saturating_sub(ahead));
    let row = |(i, row): (usize, String)| match i {
        0 => format!("{label}{row}"),
        _ => format!("{}{row}", " ".repeat(ahead)),
    };
    let mut rows: Vec<String> = rows.into_iter().enumerate().map(row).collect();
    if let Some(scaling) = line.scaling(one_line) {
        rows.push(format!("    ({scaling})"));
    }
    rows
}

/// Equations, with names for what no line can hold, and what these stand for.
pub(super) fn equations(names: &Names, lines: &[Line]) -> Vec<String> {
    let mut namer = Namer::in_lines(names, WIDE);
    let (mut rows, mut definitions) = (Vec::new(), Vec::new());
    namer.meet(lines.iter().filter(|l| l.is_formula()).map(|l| &l.math));
    for line in lines {
        let mut line = line.clone();
        if line.is_formula() {
            let (short, new) = namer.shorten(&line.math);
            line.math = short;
            line.divisor = line.divisor.map(|d| namer.with_lengths(&d));
            definitions.extend(new);
        }
        rows.extend(written(&line));
    }
    for d in definitions {
        let line = Line::equation(Math::Symbol(d.name), d.value);
        rows.extend(written(&line));
    }
    rows
}

/// What every symbol is called in the code, means, and is measured in.
pub(super) fn symbols(system: &System, names: &Names) -> Vec<String> {
    let metas = [
        system.coords.iter().map(|c| &c.meta).collect::<Vec<_>>(),
        system.speeds.iter().map(|s| &s.meta).collect(),
        system.params.iter().map(|p| &p.meta).collect(),
        system.states.iter().map(|s| &s.meta).collect(),
        system.inputs.iter().map(|i| &i.meta).collect(),
        system.functions.iter().map(|f| &f.meta).collect(),
    ];
    let entry = |m: &Meta| {
        let symbol = one_line(&Math::Symbol(names.symbol(&m.name)));
        let mut text = format!("{}, `{}`", emit::plain_markdown(&symbol), m.name);
        let docs = m.docs.split_whitespace().collect::<Vec<_>>().join(" ");
        if !docs.is_empty() {
            text.push_str(&format!(
                ": {}",
                emit::plain_markdown(docs.trim_end_matches('.'))
            ));
        }
        match m.unit.as_deref() {
            None => {}
            Some("1") => text.push_str(" (dimensionless)"),
            Some(unit) => text.push_str(&format!(" (`{unit}`)")),
        }
        text
    };
    metas.iter().flatten().map(|m| entry(m)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse;

    #[test]
    fn equations_keep_their_labels_and_other_lines_their_words() {
        let line = |text: &str| Line::from(parse(text).unwrap());
        assert_eq!(
            written(&line("l*theta' - x' = 0").labelled("blade")),
            ["blade: l θ\u{307} − ẋ = 0"]
        );
        let words = "(long; see mass_matrix and forcing)";
        assert_eq!(written(&Line::words(words)), [words]);
        let long = (1..30)
            .map(|i| format!("a{i}*b{i}"))
            .collect::<Vec<_>>()
            .join(" + ");
        let rows = written(&line(&format!("{long} = 0")).labelled("row"));
        assert!(
            rows.len() > 2 && rows.iter().all(|r| width(r) <= WIDE),
            "{rows:?}"
        );
        assert!(rows[1].starts_with("         + a"), "{rows:?}");
    }
}
