//! Documentation as lines of Markdown that rustdoc and clippy take without a warning.

use super::layout::width;
use super::module::{Block, Condition, Field};
use crate::ir::Cost;

/// Widest line of documentation.
const WIDE: usize = 92;

/// Blocks as lines, an empty one between two blocks.
pub fn blocks(blocks: &[Block]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for block in blocks {
        let block = match block {
            Block::Text(text) => paragraph(text),
            Block::Heading(text) => vec![format!("# {}", words(text))],
            Block::Math(lines) => fenced(lines),
            Block::List(items) => items.iter().flat_map(|item| list_item(item)).collect(),
        };
        separate(&mut lines);
        lines.extend(block);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// An empty line, unless there is one or nothing yet.
pub fn separate(lines: &mut Vec<String>) {
    if lines.last().is_some_and(|line| !line.is_empty()) {
        lines.push(String::new());
    }
}

/// A doc comment of the model's: plain text, escaped; `fallback` if there is none.
pub fn plain(text: &str, fallback: &str) -> Vec<String> {
    let text = words(text);
    if text.is_empty() {
        return wrap(fallback, "");
    }
    wrap(&escape(&text), "")
}

/// What a field is, with its unit.
pub fn field(field: &Field) -> Vec<String> {
    let name = code(&field.name);
    let unit = match field.unit.as_deref().map(str::trim) {
        None | Some("") => String::new(),
        Some("1") => " (dimensionless)".to_owned(),
        Some(unit) => format!(" ({})", code(unit)),
    };
    let docs = words(&field.docs);
    if docs.is_empty() {
        return wrap(&format!("{name}{unit}"), "");
    }
    let (docs, stop) = match docs.strip_suffix('.') {
        Some(docs) => (docs, "."),
        None => (docs.as_str(), ""),
    };
    wrap(&format!("{}{unit}{stop}", escape(docs)), "")
}

/// A condition as an item of a list.
pub fn condition(condition: &Condition) -> Vec<String> {
    let note = words(&condition.note);
    let gap = if note.is_empty() { "" } else { ": " };
    list_item(&format!("{}{gap}{}", code(&condition.text), escape(&note)))
}

/// Text in back-quotes.
pub fn code(text: &str) -> String {
    format!("`{}`", words(text).replace('`', "'"))
}

/// A list item, its further lines indented.
pub fn list_item(text: &str) -> Vec<String> {
    wrap(&format!("- {}", words(text)), "  ")
}

fn fenced(lines: &[String]) -> Vec<String> {
    let body = lines.iter().flat_map(|text| text.lines());
    let body = body.map(|line| line.trim_end().replace('\t', "    ").replace("```", "'''"));
    let fence = |text: &str| std::iter::once(text.to_owned());
    fence("```text").chain(body).chain(fence("```")).collect()
}

/// Markdown as it was written, if it has lines of its own; else wrapped. An unnamed fence is made
/// one of text, and indented lines are not left to be taken for code.
fn paragraph(text: &str) -> Vec<String> {
    let text = text.trim().replace('\t', "    ");
    let marked = ["- ", "* ", "+ ", "|", "#", ">", "```"];
    if !text.contains('\n') && !marked.iter().any(|mark| text.starts_with(mark)) {
        return wrap(&words(&text), "");
    }
    let mut fence = false;
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim_end();
        if line.trim_start().starts_with("```") {
            let opens = !fence && line.trim_start() == "```";
            fence = !fence;
            lines.push(if opens {
                format!("{line}text")
            } else {
                line.to_owned()
            });
        } else if !fence && line.starts_with("    ") && lines.last().is_none_or(String::is_empty) {
            lines.push(line.trim_start().to_owned());
        } else {
            lines.push(line.to_owned());
        }
    }
    if fence {
        lines.push("```".to_owned());
    }
    lines
}

/// Fills lines at white space; further lines begin with `indent`, and never with what Markdown
/// would take for the start of something.
fn wrap(text: &str, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut line, mut wide) = (String::new(), 0);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let starts = word
            .chars()
            .next()
            .is_some_and(|c| "-+*#>|=`~".contains(c) || c.is_numeric());
        let own = width(word);
        if line.is_empty() {
            line.push_str(word);
            wide = own;
        } else if wide + 1 + own > WIDE && !starts {
            lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
            wide = width(indent) + own;
        } else {
            line.push(' ');
            line.push_str(word);
            wide += 1 + own;
        }
    }
    lines.push(line);
    lines
}

/// The words of a text with single spaces between them: no line ends, no tabs.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plain text as Markdown: what would become a link, a tag, emphasis or a list is escaped; what
/// stands in back-quotes stays, and addresses become links.
pub fn escape(text: &str) -> String {
    let paired = text.matches('`').count().is_multiple_of(2);
    let mut out = String::new();
    let mut quoted = false;
    for (position, word) in text.split(' ').enumerate() {
        if position > 0 {
            out.push(' ');
        }
        let address = word.starts_with("https://") || word.starts_with("http://");
        if address && !quoted {
            let end = word.trim_end_matches(['.', ',', ')', ';']).len();
            let (address, rest) = word.split_at(end);
            out.push_str(&format!("<{address}>{rest}"));
            continue;
        }
        let list = position == 0 && (["-", "+", "#"].contains(&word) || is_numeral(word));
        for (place, c) in word.chars().enumerate() {
            let last = place + 1 == word.chars().count();
            match c {
                '`' if paired => quoted = !quoted,
                '`' | '[' | ']' | '<' | '*' | '\\' | '~' | '|' if !quoted => out.push('\\'),
                '_' if !quoted && (place == 0 || last) => out.push('\\'),
                '#' | '>' | '+' | '-' if !quoted && list && place == 0 => out.push('\\'),
                '.' | ')' if !quoted && list && last => out.push('\\'),
                _ => {}
            }
            out.push(c);
        }
    }
    out
}

/// `1.` or `1)`, with which a numbered list begins.
fn is_numeral(word: &str) -> bool {
    let digits = word.trim_end_matches(['.', ')']);
    digits.len() + 1 == word.len() && digits.chars().all(|c| c.is_ascii_digit())
}

/// `9 (+ 3, * 5, / 1), 1 call`, leaving out what is zero.
pub fn cost(cost: &Cost) -> String {
    let kinds = [
        (cost.add, "+"),
        (cost.sub + cost.neg, "-"),
        (cost.mul, "*"),
        (cost.div, "/"),
        (cost.trig, "sin/cos/tan"),
        (cost.other, "other"),
    ];
    let kinds = kinds.iter().filter(|kind| kind.0 > 0);
    let kinds: Vec<String> = kinds
        .map(|(count, name)| format!("{name} {count}"))
        .collect();
    let mut text = cost.total().to_string();
    if !kinds.is_empty() {
        text.push_str(&format!(" ({})", kinds.join(", ")));
    }
    for (count, one, many) in [
        (cost.calls, "call", "calls"),
        (cost.routines, "routine", "routines"),
    ] {
        match count {
            0 => {}
            1 => text.push_str(&format!(", 1 {one}")),
            _ => text.push_str(&format!(", {count} {many}")),
        }
    }
    text
}

/// A text whose comments show every character that is in them: those that end a line, turn the direction of writing or have no width are
/// spelled by their number, as rustc refuses the one kind and a reader would not see the other.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if !line.is_ascii() || line.contains(|c: char| c.is_control() && c != '\n') {
            let is_comment = line.trim_start().starts_with("//");
            out.extend(line.chars().map(|c| {
                if is_comment && is_invisible(c) {
                    format!("U+{:04X}", c as u32)
                } else {
                    c.to_string()
                }
            }));
        } else {
            out.push_str(line);
        }
    }
    out
}

/// Controls, marks of direction and joints.
fn is_invisible(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(docs: &str, unit: Option<&str>) -> Field {
        Field {
            name: "m1".into(),
            unit: unit.map(Into::into),
            docs: docs.into(),
            default: None,
        }
    }

    #[test]
    fn fields_say_what_they_are_and_their_unit() {
        let table = [
            (named("masses", Some("kg")), "masses (`kg`)"),
            (
                named("Total mass.", Some("kg*m^2")),
                "Total mass (`kg*m^2`).",
            ),
            (named("", Some("kg")), "`m1` (`kg`)"),
            (named("", None), "`m1`"),
            (named("ratio", Some("1")), "ratio (dimensionless)"),
            (
                named("in [m/s] <fast>, m*g*l", None),
                "in \\[m/s\\] \\<fast>, m\\*g\\*l",
            ),
            (named("as `m[1]` says", None), "as `m[1]` says"),
            (named("a ` alone", None), "a \\` alone"),
            (named("1. first", None), "1\\. first"),
            (named("- minus", None), "\\- minus"),
            (
                named("see https://example.org/a_b.", None),
                "see <https://example.org/a_b>.",
            ),
            (named("two\n   lines", None), "two lines"),
        ];
        for (of, text) in table {
            assert_eq!(field(&of), [text]);
        }
    }

    #[test]
    fn blocks_are_apart_and_never_code_to_run() {
        let found = blocks(&[
            Block::Heading("Equations".into()),
            Block::Math(vec!["x'' = 0".into(), "  ```\ty'' = 0  ".into()]),
            Block::List(vec!["one\n  thing".into(), "another".into()]),
            Block::Text("A\n\n    let x = 1;\n\n```\nlet y;\n```".into()),
        ]);
        let expected = "# Equations\n\n```text\nx'' = 0\n  '''    y'' = 0\n```\n\n- one thing\n- another\n\n\
                        A\n\nlet x = 1;\n\n```text\nlet y;\n```";
        assert_eq!(found.join("\n"), expected);
    }

    #[test]
    fn long_paragraphs_wrap_without_starting_a_list() {
        let text = format!("{} - 1. # and so on", "word ".repeat(18));
        let lines = blocks(&[Block::Text(text)]);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with("word - 1. #"), "{lines:?}");
        assert_eq!(lines[1], "and so on");
        let item = list_item(&"word ".repeat(30));
        assert!(item[0].starts_with("- word") && item[1].starts_with("  word"));
    }

    #[test]
    fn comments_show_what_is_in_them() {
        let text = "// a\u{202e}b\u{7}\n/// é\u{200b}\tx\nlet s = \"\u{202e}\";\n";
        let expected = "// aU+202EbU+0007\n/// éU+200B\tx\nlet s = \"\u{202e}\";\n";
        assert_eq!(visible(text), expected);
    }
}
