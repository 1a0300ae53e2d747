//! Plain text with mathematics in two dimensions.

use super::{WIDTH, methods_line, refusals};
use crate::notation::{Definition, Line, Math, layout, one_line, width};
use crate::pipeline::exposition::{Block, Exposition, Piece, Prose, Table};

/// Columns that equations are indented by.
const INDENT: usize = 4;
/// Columns between those of a table.
const GAP: usize = 2;

pub(super) fn write(shown: &Exposition) -> String {
    let mut page = Page { out: String::new() };
    page.heading(&shown.title, '=');
    for paragraph in &shown.description {
        page.paragraph(&plain(paragraph));
    }
    if let Some(line) = methods_line(shown) {
        page.paragraph(&line);
    }
    for section in &shown.sections {
        page.out.push('\n');
        page.heading(&section.title.replace('`', ""), '-');
        for block in &section.blocks {
            page.block(block);
        }
    }
    let refused = refusals(shown);
    if !refused.is_empty() {
        page.out.push('\n');
        page.heading("Formulations that do not apply", '-');
        for line in refused {
            page.item(&line);
        }
    }
    page.out
}

/// A sentence in one line.
fn plain(prose: &Prose) -> String {
    let piece = |p: &Piece| match p {
        Piece::Words(text) | Piece::Code(text) => text.clone(),
        Piece::Math(m) => one_line(m),
    };
    prose.iter().map(piece).collect()
}

/// In two dimensions; what no row can hold goes on as words do.
fn rows_of(m: &Math) -> Vec<String> {
    let rows = layout(m, WIDTH - INDENT);
    if rows.iter().all(|row| width(row) <= WIDTH - INDENT) {
        rows
    } else {
        filled(&one_line(m), WIDTH - INDENT)
    }
}

struct Page {
    out: String,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn heading(&mut self, title: &str, rule: char) {
        for line in filled(title, WIDTH) {
            self.line(&line);
        }
        self.line(&rule.to_string().repeat(width(title).min(WIDTH)));
    }

    fn paragraph(&mut self, text: &str) {
        self.out.push('\n');
        for line in filled(text, WIDTH) {
            self.line(&line);
        }
    }

    fn item(&mut self, text: &str) {
        for (i, line) in filled(text, WIDTH - 2).iter().enumerate() {
            let mark = if i == 0 { "- " } else { "  " };
            self.line(&format!("{mark}{line}"));
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(prose) => self.paragraph(&plain(prose)),
            Block::List(items) => {
                self.out.push('\n');
                for item in items {
                    self.item(&plain(item));
                }
            }
            Block::Equations(lines, named) => self.equations(lines, named),
            Block::Table(table) => self.table(table),
        }
    }

    fn equations(&mut self, lines: &[Line], named: &[Definition]) {
        self.out.push('\n');
        let drawn: Vec<Vec<String>> = lines.iter().map(|l| rows_of(&l.math)).collect();
        // Short equations stand close together.
        let close = drawn.iter().all(|d| d.len() == 1) && lines.iter().all(|l| l.label.is_none());
        for (i, (line, rows)) in lines.iter().zip(&drawn).enumerate() {
            if i > 0 && !close {
                self.out.push('\n');
            }
            if let Some(label) = &line.label {
                self.line(&format!("  {label}:"));
            }
            self.rows(rows);
            if let Some(scaling) = line.scaling(one_line) {
                self.line(&format!("      ({scaling})"));
            }
        }
        if !named.is_empty() {
            self.paragraph("where");
            for d in named {
                self.out.push('\n');
                let math = Math::equation(Math::Symbol(d.name.clone()), d.value.clone());
                self.rows(&rows_of(&math));
            }
        }
    }

    fn rows(&mut self, rows: &[String]) {
        for row in rows {
            self.line(&format!("{}{row}", " ".repeat(INDENT)));
        }
    }

    /// Columns side by side; cells that are too wide go on below.
    fn table(&mut self, table: &Table) {
        let header: Vec<String> = table.columns.iter().map(plain).collect();
        let rows: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|r| r.iter().map(plain).collect())
            .collect();
        let columns = header.len();
        let natural = |j: usize| {
            let cells = rows.iter().filter_map(|r| r.get(j)).chain(header.get(j));
            cells.map(|c| width(c)).max().unwrap_or(0)
        };
        let mut wide: Vec<usize> = (0..columns).map(natural).collect();
        let room = WIDTH.saturating_sub(2 + GAP * columns.saturating_sub(1));
        while wide.iter().sum::<usize>() > room {
            let most = wide.iter().copied().max().unwrap_or(0);
            match wide.iter_mut().find(|w| **w == most && most > 1) {
                Some(w) => *w -= 1,
                None => break,
            }
        }
        self.out.push('\n');
        self.row(&header, &wide);
        let rule: Vec<String> = wide.iter().map(|w| "─".repeat(*w)).collect();
        self.row(&rule, &wide);
        for row in &rows {
            self.row(row, &wide);
        }
    }

    fn row(&mut self, cells: &[String], wide: &[usize]) {
        let filled: Vec<Vec<String>> = cells.iter().zip(wide).map(|(c, w)| filled(c, *w)).collect();
        let tall = filled.iter().map(Vec::len).max().unwrap_or(0);
        for i in 0..tall {
            let mut line = String::from("  ");
            for (lines, w) in filled.iter().zip(wide) {
                let text = lines.get(i).map_or("", String::as_str);
                line.push_str(text);
                line.push_str(&" ".repeat(w.saturating_sub(width(text)) + GAP));
            }
            self.line(&line);
        }
    }
}

/// Words in lines of at most that many columns; a word that is longer is cut.
fn filled(text: &str, wide: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > wide {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if width(&line) + width(c.encode_utf8(&mut [0; 4])) > wide && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn lines_are_filled_and_long_words_cut() {
        assert_eq!(filled("a bc def", 4), ["a bc", "def"]);
        assert_eq!(filled("abcdef g", 4), ["abcd", "ef g"]);
        assert_eq!(filled("", 4), [""]);
    }
}
