//! An article for pdflatex with nothing but standard packages.

use super::{methods_line, refusals};
use crate::notation::{Definition, Line, Math, latex, latex_rows, latex_text, one_line, width};
use crate::pipeline::exposition::{Block, Exposition, Piece, Prose, Table};

/// Columns of Unicode after which a row of an equation is broken.
const WIDE: usize = 76;
/// Width of a line of the page, in columns of Unicode: from which a table is given columns of fixed width.
const LINE: usize = 84;

const HEAD: &str = r"\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{amsmath}
\providecommand{\gt}{>}
\providecommand{\lt}{<}
\usepackage{longtable}
\usepackage{array}
\usepackage[margin=22mm]{geometry}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\setlength{\parskip}{1ex plus 0.5ex}
\setcounter{secnumdepth}{0}
\setlength{\emergencystretch}{3em}
";

pub(super) fn write(shown: &Exposition) -> String {
    let mut out = String::from(HEAD);
    out.push_str(&format!(
        "\\title{{{}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n",
        latex_text(&shown.title)
    ));
    let mut paragraph = |text: String| out.push_str(&format!("\n{text}\n"));
    for p in &shown.description {
        paragraph(prose(p));
    }
    if let Some(line) = methods_line(shown) {
        paragraph(latex_text(&line));
    }
    for section in &shown.sections {
        paragraph(format!(
            "\\section{{{}}}",
            latex_text(&section.title.replace('`', ""))
        ));
        for block in &section.blocks {
            paragraph(of(block));
        }
    }
    let refused = refusals(shown);
    if !refused.is_empty() {
        paragraph("\\section{Formulations that do not apply}".into());
        paragraph(items(refused.iter().map(|r| latex_text(r))));
    }
    paragraph("\\end{document}".into());
    out
}

fn items(list: impl Iterator<Item = String>) -> String {
    let list: Vec<String> = list.map(|item| format!("\\item {{}}{item}")).collect();
    format!("\\begin{{itemize}}\n{}\n\\end{{itemize}}", list.join("\n"))
}

fn of(block: &Block) -> String {
    match block {
        Block::Paragraph(p) => prose(p),
        Block::List(list) => items(list.iter().map(prose)),
        Block::Equations(lines, named) => equations(lines, named),
        Block::Table(t) => table(t),
    }
}

/// One row as a display; many rows each as one, so that they go on over the end of a page.
fn display(m: &Math) -> String {
    let text = latex_rows(m, WIDE);
    match text
        .strip_prefix("\\begin{aligned}\n")
        .and_then(|t| t.strip_suffix("\n\\end{aligned}"))
    {
        Some(rows) => format!("\\begin{{align*}}\n{rows}\n\\end{{align*}}"),
        None => format!("\\begin{{equation*}}\n{text}\n\\end{{equation*}}"),
    }
}

fn equations(lines: &[Line], named: &[Definition]) -> String {
    let mut parts = Vec::new();
    for line in lines {
        if let Some(label) = &line.label {
            parts.push(format!("\\textit{{{}}}:", latex_text(label)));
        }
        parts.push(display(&line.math));
        if let Some(scaling) = line.scaling(|m| format!("${}$", latex(m))) {
            parts.push(format!("({scaling})"));
        }
    }
    if !named.is_empty() {
        parts.push("where".into());
        for d in named {
            let math = Math::equation(Math::Symbol(d.name.clone()), d.value.clone());
            parts.push(display(&math));
        }
    }
    parts.join("\n")
}

fn prose(p: &Prose) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Words(text) => latex_text(text),
        Piece::Math(m) => format!("${}$", latex(m)),
        Piece::Code(text) => format!("\\texttt{{{}}}", latex_text(text)),
    };
    p.iter().map(piece).collect()
}

/// Columns of an expression when it is written in one line.
fn columns(p: &Prose) -> usize {
    let piece = |piece: &Piece| match piece {
        Piece::Words(text) => width(text),
        Piece::Code(text) => width(text) * 5 / 4,
        Piece::Math(m) => width(&one_line(m)),
    };
    p.iter().map(piece).sum()
}

/// Cells with mathematics that fits in no line are broken into rows.
fn cell(p: &Prose, wide: usize) -> String {
    match p.as_slice() {
        [Piece::Math(m)] if columns(p) > wide => {
            let rows = latex_rows(m, wide.max(24));
            format!("$\\displaystyle {rows}$")
        }
        _ => prose(p),
    }
}

fn table(t: &Table) -> String {
    let n = t.columns.len();
    let natural = |j: usize| {
        let cells = t
            .rows
            .iter()
            .filter_map(|r| r.get(j))
            .chain(t.columns.get(j));
        cells.map(columns).max().unwrap_or(0).max(1)
    };
    let mut wide: Vec<usize> = (0..n).map(natural).collect();
    let fits = wide.iter().sum::<usize>() + 3 * n <= LINE;
    while wide.iter().sum::<usize>() + 3 * n > LINE {
        let most = wide.iter().copied().max().unwrap_or(0);
        match wide.iter_mut().find(|w| **w == most && most > 4) {
            Some(w) => *w -= 1,
            None => break,
        }
    }
    let spec: String = if fits {
        "l".repeat(n)
    } else {
        let column = |w: &usize| {
            format!(
                ">{{\\raggedright\\arraybackslash}}p{{{:.3}\\linewidth}}",
                *w as f64 / LINE as f64
            )
        };
        wide.iter().map(column).collect()
    };
    let row = |cells: &[Prose]| {
        let cells = cells.iter().zip(&wide).map(|(c, w)| cell(c, *w));
        format!("{} \\\\", cells.collect::<Vec<_>>().join(" & "))
    };
    let mut out = format!(
        "\\begin{{longtable}}[l]{{{spec}}}\n{} \\hline\n",
        row(&t.columns)
    );
    for r in &t.rows {
        out.push_str(&row(r));
        out.push('\n');
    }
    out.push_str("\\end{longtable}");
    out
}
