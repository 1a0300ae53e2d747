//! Documentation as lines of Markdown that rustdoc and clippy take without a warning.

use super::layout::width;
use super::module::{Block, Condition, Field};
use crate::ir::Cost;
use crate::visible;

/// Widest line of documentation.
const WIDE: usize = 92;

/// Blocks as lines, an empty one between two blocks.
pub fn blocks(blocks: &[Block]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for block in blocks {
        let block = match block {
            Block::Text(text) => paragraph(text),
            Block::Words(text) => own_words(text),
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

/// What a model says in its own words: its lines, paragraphs and lists of `-` and `*`; all else that Markdown knows is text.
fn own_words(text: &str) -> Vec<String> {
    if !text.trim().contains('\n') {
        return wrap(&escape(&words(text)), "");
    }
    let mut lines: Vec<String> = Vec::new();
    let mut indent = "";
    for line in text.trim().lines() {
        let line = words(line);
        let item = line.strip_prefix("- ").or(line.strip_prefix("* "));
        if line.is_empty() {
            indent = "";
            separate(&mut lines);
        } else if let Some(item) = item {
            indent = "  ";
            lines.push(format!("- {}", escape(item)));
        } else {
            lines.push(format!("{indent}{}", escape(&line)));
        }
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
            .is_some_and(|c| "-+*#<>|=`~_".contains(c) || c.is_numeric());
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

/// A line of plain text as Markdown: what would become a link, a tag, an entity, emphasis, a list, a quotation, code or a heading is escaped; what
/// stands in single back-quotes stays, and addresses become links.
pub fn escape(text: &str) -> String {
    // Two at once would begin a fence where a line is broken.
    let paired = text.matches('`').count().is_multiple_of(2) && !text.contains("``");
    let mut out = String::new();
    let mut quoted = false;
    for (position, word) in text.split(' ').enumerate() {
        if position > 0 {
            out.push(' ');
        }
        // `(https://example.org)`
        let start = word.find("https://").or(word.find("http://")).unwrap_or(0);
        let (before, from) = word.split_at(start);
        let linked = address(from).filter(|_| !quoted && !before.contains('`'));
        if let Some((address, rest)) = linked {
            out.push_str(&format!("{}<{address}>{}", escape(before), escape(rest)));
            continue;
        }
        let begins = position == 0 && begins_block(word);
        let characters: Vec<char> = word.chars().collect();
        let is_part = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
        for (place, &c) in characters.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|i| characters.get(i));
            let after = characters.get(place + 1);
            match c {
                '`' if paired => quoted = !quoted,
                '`' | '[' | ']' | '<' | '*' | '\\' | '~' | '|' if !quoted => out.push('\\'),
                '_' if !(quoted || is_part(before) && is_part(after)) => out.push('\\'),
                '&' if !quoted && after.is_some() => out.push('\\'),
                '#' | '>' | '+' | '-' | '=' if !quoted && begins && place == 0 => out.push('\\'),
                '.' | ')' if !quoted && begins && after.is_none() => out.push('\\'),
                _ => {}
            }
            out.push(c);
        }
    }
    out
}

/// Whether a line that begins with this word is no plain paragraph: a list, a heading, a line under one, a quotation.
fn begins_block(word: &str) -> bool {
    let only = |c: char| word.chars().all(|other| other == c);
    word.starts_with('>') || ['-', '+', '#', '='].into_iter().any(only) || is_numeral(word)
}

/// An address and what follows it in a word: characters that addresses have, and no others.
fn address(word: &str) -> Option<(&str, &str)> {
    let host = word
        .strip_prefix("https://")
        .or(word.strip_prefix("http://"))?;
    let end = word.trim_end_matches(['.', ',', ')', ';']).len();
    let known = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'()*+,;=%".contains(c);
    let is_address = host.starts_with(|c: char| c.is_ascii_alphanumeric());
    (is_address && word.chars().all(known)).then(|| word.split_at(end))
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
        if line.trim_start().starts_with("//") {
            out.push_str(&visible::visible(line));
        } else {
            out.push_str(line);
        }
    }
    out
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
            (named("> quoted", None), "\\> quoted"),
            (named("--- ruled", None), "\\--- ruled"),
            (named("== =", None), "\\== ="),
            (named("-9.81, >= 0", None), "-9.81, >= 0"),
            (named("~~~ rust", None), "\\~\\~\\~ rust"),
            (named("```rust ` x", None), "\\`\\`\\`rust \\` x"),
            (
                named("a_b (_c_) &lt; & d", None),
                "a_b (\\_c\\_) \\&lt; & d",
            ),
            (
                named("https://a><script>b</script>", None),
                "https://a>\\<script>b\\</script>",
            ),
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
    fn the_words_of_a_model_are_text() {
        let found = blocks(&[Block::Words(
            "A sledge.\n~~~\nassert!(false);\n~~~\n\n    panic!();\n\n> ```\n\n- ```rust\n  go();\n* <b>b</b>\n1. ```\n===\n| a |"
                .into(),
        )]);
        let expected = "A sledge.\n\\~\\~\\~\nassert!(false);\n\\~\\~\\~\n\npanic!();\n\n\\> \\`\\`\\`\n\n- \\`\\`\\`rust\n  go();\n\
                        - \\<b>b\\</b>\n  1\\. \\`\\`\\`\n  \\===\n  \\| a \\|";
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
