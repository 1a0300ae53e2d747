//! One HTML file: MathML, the style within, no references to elsewhere. Formulations are switched by radio buttons and style alone; a few
//! lines of script show what a symbol means where the browser does not.

use super::{meaning, methods_line, refusals};
use crate::notation::{Definition, Line, Math, Symbol, Titles, escape, mathml, mathml_rows};
use crate::pipeline::exposition::{Block, Exposition, Piece, Prose, Section, Table};

/// Columns of Unicode after which a row of an equation is broken.
const WIDE: usize = 84;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub(super) fn write(shown: &Exposition) -> String {
    let titles = |s: &Symbol| meaning(shown, s);
    let page = Page {
        titles: &titles,
        out: String::new(),
    };
    page.whole(shown)
}

struct Page<'a> {
    titles: &'a Titles<'a>,
    out: String,
}

/// A word that may stand in an `id`.
fn word(text: &str) -> String {
    text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_")
}

impl Page<'_> {
    fn whole(mut self, shown: &Exposition) -> String {
        self.head(shown);
        self.header(shown);
        self.out.push_str("<main>\n");
        // The equations come first; the table of contents follows them on a phone, and stands beside them on a screen.
        let first = shown
            .sections
            .iter()
            .take_while(|s| s.id.starts_with("equations-"))
            .count();
        let (equations, rest) = shown.sections.split_at(first);
        for section in equations {
            self.section(section);
        }
        self.contents(shown);
        for section in rest {
            self.section(section);
        }
        self.symbols(shown);
        self.refused(shown);
        self.out.push_str(&format!("</main>\n<div id=\"tip\" role=\"status\"></div>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"));
        self.out
    }

    /// Everything in front of what is seen, with a switch for each of several formulations.
    fn head(&mut self, shown: &Exposition) {
        let title = escape(&shown.title);
        let switched = if shown.methods.len() > 1 {
            &shown.methods[..]
        } else {
            &[]
        };
        self.out.push_str(&format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{STYLE}"
        ));
        for m in switched {
            let m = word(&m.name);
            self.out.push_str(&format!(
                "@media screen {{ #m-{m}:checked ~ * [data-method]:not([data-method=\"{m}\"]) {{ display: none }} }}\n#m-{m}:checked ~ header label[for=\"m-{m}\"] {{ background: var(--ink); color: var(--paper) }}\n"
            ));
        }
        self.out.push_str("</style>\n</head>\n<body>\n");
        for (i, m) in switched.iter().enumerate() {
            let checked = if i == 0 { " checked" } else { "" };
            let m = word(&m.name);
            self.out.push_str(&format!(
                "<input type=\"radio\" name=\"m\" class=\"switch\" id=\"m-{m}\"{checked}>\n"
            ));
        }
    }

    fn header(&mut self, shown: &Exposition) {
        let title = escape(&shown.title);
        self.out.push_str(&format!("<header>\n<h1>{title}</h1>\n"));
        for p in &shown.description {
            self.paragraph(p);
        }
        if let Some(line) = methods_line(shown) {
            self.out.push_str(&format!(
                "<p class=\"methods\" aria-label=\"{}\">",
                escape(&line)
            ));
            for m in &shown.methods {
                let id = word(&m.name);
                self.out.push_str(&format!(
                    "<label for=\"m-{id}\" title=\"{}\">{}</label> ",
                    escape(&m.equation),
                    escape(&m.name)
                ));
            }
            self.out.push_str("</p>\n");
        }
        self.out.push_str("</header>\n");
    }

    fn refused(&mut self, shown: &Exposition) {
        let refused = refusals(shown);
        if refused.is_empty() {
            return;
        }
        self.out
            .push_str("<section id=\"refused\">\n<h2>Formulations that do not apply</h2>\n<ul>\n");
        for line in refused {
            self.out.push_str(&format!("<li>{}</li>\n", escape(&line)));
        }
        self.out.push_str("</ul>\n</section>\n");
    }

    fn contents(&mut self, shown: &Exposition) {
        self.out
            .push_str("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ul>\n");
        for s in &shown.sections {
            let method = data(s);
            self.out.push_str(&format!(
                "<li{method}><a href=\"#{}\">{}</a></li>\n",
                word(&s.id),
                escape(&s.title.replace('`', ""))
            ));
        }
        self.out
            .push_str("<li><a href=\"#symbols\">Symbols</a></li>\n</ul>\n</nav>\n");
    }

    fn section(&mut self, s: &Section) {
        self.out.push_str(&format!(
            "<section id=\"{}\"{}>\n<h2>{}</h2>\n",
            word(&s.id),
            data(s),
            escape(&s.title.replace('`', ""))
        ));
        for block in &s.blocks {
            self.block(block);
        }
        self.out.push_str("</section>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(p) => self.paragraph(p),
            Block::List(items) => {
                self.out.push_str("<ul>\n");
                for item in items {
                    let text = self.prose(item);
                    self.out.push_str(&format!("<li>{text}</li>\n"));
                }
                self.out.push_str("</ul>\n");
            }
            Block::Equations(lines, named) => self.equations(lines, named),
            Block::Table(t) => self.table(t),
        }
    }

    fn paragraph(&mut self, p: &Prose) {
        let text = self.prose(p);
        self.out.push_str(&format!("<p>{text}</p>\n"));
    }

    fn prose(&self, p: &Prose) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(text) => escape(text),
            Piece::Code(text) => format!("<code>{}</code>", escape(text)),
            Piece::Math(m) => mathml(m, self.titles),
        };
        p.iter().map(piece).collect()
    }

    fn display(&mut self, m: &Math) {
        let text = mathml_rows(m, WIDE, self.titles);
        self.out
            .push_str(&format!("<div class=\"eq\">{text}</div>\n"));
    }

    fn equations(&mut self, lines: &[Line], named: &[Definition]) {
        for line in lines {
            if let Some(label) = &line.label {
                self.out
                    .push_str(&format!("<p class=\"label\">{}:</p>\n", escape(label)));
            }
            self.display(&line.math);
            if let Some(scaling) = line.scaling(|m| mathml(m, self.titles)) {
                self.out
                    .push_str(&format!("<p class=\"label\">({scaling})</p>\n"));
            }
        }
        if !named.is_empty() {
            self.out.push_str("<p>where</p>\n");
            for d in named {
                self.display(&Math::equation(
                    Math::Symbol(d.name.clone()),
                    d.value.clone(),
                ));
            }
        }
    }

    fn table(&mut self, t: &Table) {
        self.out
            .push_str("<div class=\"wide\"><table>\n<thead><tr>");
        for c in &t.columns {
            let text = self.prose(c);
            self.out.push_str(&format!("<th>{text}</th>"));
        }
        self.out.push_str("</tr></thead>\n<tbody>\n");
        for row in &t.rows {
            self.out.push_str("<tr>");
            for cell in row {
                let text = self.prose(cell);
                self.out.push_str(&format!("<td>{text}</td>"));
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</tbody>\n</table></div>\n");
    }

    fn symbols(&mut self, shown: &Exposition) {
        self.out.push_str("<section id=\"symbols\">\n<h2>Symbols</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>symbol</th><th>in the model</th><th>what it is</th><th>unit</th></tr></thead>\n<tbody>\n");
        for e in &shown.symbols {
            let symbol = mathml(&Math::Symbol(e.symbol.clone()), self.titles);
            let what = if e.meaning.is_empty() {
                e.kind.to_string()
            } else {
                format!("{}: {}", e.kind, e.meaning)
            };
            self.out.push_str(&format!(
                "<tr><td>{symbol}</td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
                escape(&e.symbol.name),
                escape(&what),
                escape(e.unit.as_deref().unwrap_or(""))
            ));
        }
        self.out.push_str("</tbody>\n</table></div>\n</section>\n");
    }
}

/// The formulation that a section belongs to, for the switch.
fn data(s: &Section) -> String {
    match &s.method {
        Some(m) => format!(" data-method=\"{}\"", word(m)),
        None => String::new(),
    }
}
