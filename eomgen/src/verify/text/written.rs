//! A file beside the text that this version writes for the same model and options: which items say something else. Layout, line ends and
//! comments that somebody added don't count; every token does, and so do documentation and the comments that are written. Knows nothing
//! of what the text computes.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, File, Item};

use crate::header::{self, Header};

/// An item that is not what would be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// Its line in the file; 1 where it has none.
    pub line: usize,
    /// What is different.
    pub text: String,
}

/// How many are told.
const TOLD: usize = 8;

/// What differs, in the order of the file; a last entry counts what is not told.
///
/// # Errors
/// Why the file cannot be compared.
pub fn deviations(file: &str, written: &str) -> Result<Vec<Deviation>, String> {
    let (file, written) = (plain(file), plain(written));
    if file == written {
        return Ok(Vec::new());
    }
    let parsed = |text: &str| syn::parse_file(text).map_err(|e| format!("it is not Rust: {e}"));
    let (found, wanted) = (parsed(&file)?, parsed(&written)?);
    let mut list = headers(&file, &written);
    list.extend(items(&file, &found, &wanted));
    list.extend(comments(&file, &written));
    list.sort_by_key(|deviation| deviation.line);
    let more = list.len().saturating_sub(TOLD);
    list.truncate(TOLD);
    if more > 0 {
        list.push(Deviation {
            line: 1,
            text: format!("{more} more differences"),
        });
    }
    Ok(list)
}

fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n")
}

fn headers(file: &str, written: &str) -> Vec<Deviation> {
    // A second one says something else of the same text to whoever reads that.
    let mut others = file
        .lines()
        .enumerate()
        .filter(|(_, line)| header::begins(line));
    let second = others.nth(1).map(|(index, _)| index + 1);
    if Header::parse(file) == Header::parse(written) && second.is_none() {
        return Vec::new();
    }
    let text = "the header is not the one that eomgen writes".to_owned();
    let line = second.unwrap_or(1);
    vec![Deviation { line, text }]
}

/// The items by what they are; several of a kind keep their order.
fn by_name(file: &File) -> BTreeMap<(String, usize), (usize, &Item)> {
    let mut map = BTreeMap::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (place, item) in file.items.iter().enumerate() {
        let name = name_of(item);
        let count = seen.entry(name.clone()).or_default();
        map.insert((name, *count), (place, item));
        *count += 1;
    }
    map
}

fn name_of(item: &Item) -> String {
    match item {
        Item::Fn(of) => format!("fn {}", of.sig.ident),
        Item::Const(of) => format!("const {}", of.ident),
        Item::Struct(of) => format!("struct {}", of.ident),
        Item::Enum(of) => format!("enum {}", of.ident),
        Item::Trait(of) => format!("trait {}", of.ident),
        Item::Type(of) => format!("type {}", of.ident),
        Item::Impl(of) => {
            let on = spaced(of.self_ty.to_token_stream());
            match &of.trait_ {
                Some((_, path, _)) => format!("impl {} for {on}", spaced(path.to_token_stream())),
                None => format!("impl {on}"),
            }
        }
        other => shortened(&spaced(other.to_token_stream())),
    }
}

fn spaced(tokens: TokenStream) -> String {
    tokens.to_string().replace(' ', "")
}

fn items(text: &str, found: &File, wanted: &File) -> Vec<Deviation> {
    let mut list = Vec::new();
    if let Some(text) = difference(&of_attributes(&found.attrs), &of_attributes(&wanted.attrs)) {
        let text = format!("the module's documentation: {text}");
        list.push(Deviation { line: 1, text });
    }
    let (old, new) = (by_name(found), by_name(wanted));
    for (key, (_, item)) in &old {
        let line = line_of(text, item);
        let name = &key.0;
        match new.get(key) {
            None => list.push(Deviation {
                line,
                text: format!("`{name}` is not an item that eomgen writes for this model"),
            }),
            Some((_, other)) => {
                let pair = (spelled(item), spelled(other));
                if let Some(what) = difference(&pair.0, &pair.1) {
                    let text = format!("`{name}` {what}");
                    list.push(Deviation { line, text });
                }
            }
        }
    }
    for (key, _) in new.iter().filter(|(key, _)| !old.contains_key(key)) {
        let text = format!("`{}` is missing", key.0);
        list.push(Deviation { line: 1, text });
    }
    let in_order = |map: &BTreeMap<(String, usize), (usize, &Item)>| {
        let mut places: Vec<_> = map.iter().map(|(key, (place, _))| (*place, key)).collect();
        places.sort();
        places.into_iter().map(|(_, key)| key.clone()).collect()
    };
    let orders: [Vec<(String, usize)>; 2] = [in_order(&old), in_order(&new)];
    if list.is_empty() && orders[0] != orders[1] {
        let text = "the items are not in the order in which they are written".to_owned();
        list.push(Deviation { line: 1, text });
    }
    list
}

/// Where the text of an item begins, as far as a search for its name tells.
fn line_of(text: &str, item: &Item) -> usize {
    let head = match item {
        Item::Impl(of) => {
            let on = of.self_ty.to_token_stream().to_string();
            return place(text, |line| {
                line.starts_with("impl") && line.contains(on.as_str())
            });
        }
        other => name_of(other),
    };
    place(text, |line| {
        let at = line.find(&head);
        at.is_some_and(|at| {
            let after = line[at + head.len()..].chars().next();
            !line.starts_with("//") && !after.is_some_and(|c| c == '_' || c.is_alphanumeric())
        })
    })
}

fn place(text: &str, is: impl Fn(&str) -> bool) -> usize {
    text.lines().position(is).map_or(1, |at| at + 1)
}

fn of_attributes(list: &[Attribute]) -> Vec<String> {
    let mut words = Vec::new();
    for attribute in list {
        spell(attribute.to_token_stream(), &mut words);
    }
    words
}

fn spelled(item: &Item) -> Vec<String> {
    let mut words = Vec::new();
    spell(item.to_token_stream(), &mut words);
    words
}

/// The tokens one after the other, without what a formatter adds or takes away.
fn spell(tokens: TokenStream, out: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_doc = false;
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                out.push(open.to_owned());
                spell(group.stream(), out);
                // The comma of `(x,)` is no matter of layout, nor is it where a list has several.
                let is_call = at > 0 && matches!(trees[at - 1], TokenTree::Ident(_));
                let commas = commas(&group.stream());
                let is_tuple = group.delimiter() == Delimiter::Parenthesis && !is_call;
                if out.last().is_some_and(|word| word == ",") && !(is_tuple && commas == 1) {
                    out.pop();
                }
                out.push(close.to_owned());
            }
            TokenTree::Ident(ident) => {
                is_doc = at == 0 && ident == "doc";
                out.push(ident.to_string());
            }
            // Two signs that belong together are told from two that don't.
            TokenTree::Punct(punct) => {
                let mut word = punct.as_char().to_string();
                if punct.spacing() == proc_macro2::Spacing::Joint {
                    word.push('\u{2060}');
                }
                out.push(word);
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                match syn::parse_str(&text) {
                    // In documentation only the words count.
                    Ok(syn::Lit::Str(string)) if is_doc => {
                        let value = string.value();
                        out.extend(value.split_whitespace().map(str::to_owned));
                        out.push("\n".to_owned());
                    }
                    Ok(syn::Lit::Str(string)) => out.push(format!("{:?}", string.value())),
                    _ => out.push(text),
                }
            }
        }
    }
}

fn commas(tokens: &TokenStream) -> usize {
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
    tokens.clone().into_iter().filter(is_comma).count()
}

/// The first place where two spellings part.
fn difference(found: &[String], wanted: &[String]) -> Option<String> {
    if found == wanted {
        return None;
    }
    let same = found.iter().zip(wanted).take_while(|(a, b)| a == b).count();
    let around = |list: &[String]| {
        let from = same.saturating_sub(3);
        let words: Vec<&str> = list.iter().skip(from).take(7).map(String::as_str).collect();
        let text = words.join(" ").replace('\u{2060}', "").replace('\n', " ");
        shortened(text.trim())
    };
    Some(format!(
        "says `{}` where eomgen writes `{}`",
        around(found),
        around(wanted)
    ))
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(70).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

/// Written comments that the file does not have, in their order.
fn comments(file: &str, written: &str) -> Vec<Deviation> {
    let found = comments_of(file);
    let mut rest = found.iter();
    let mut list = Vec::new();
    for wanted in comments_of(written) {
        if !rest.any(|comment| *comment == wanted) {
            let text = format!("the comment `//{}` is missing", shortened(&wanted));
            list.push(Deviation { line: 1, text });
            break;
        }
    }
    list
}

/// The comments of lines, not those that document, without the header's.
fn comments_of(text: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => drop(chars.next()),
                        _ => {}
                    }
                }
            }
            '/' if chars.peek() == Some(&'/') => {
                chars.next();
                let mut comment = String::new();
                while let Some(c) = chars.next_if(|c| *c != '\n') {
                    comment.push(c);
                }
                if !comment.starts_with(['/', '!']) {
                    list.push(comment.trim_end().to_owned());
                }
            }
            _ => {}
        }
    }
    list.drain(..list.len().min(3));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// one\n// two\n// three\n//! A module.\n\n/// Mass, in `kg`.\npub const M: f64 = 2.0;\n\n/// Twice.\n#[must_use]\npub fn f(a: f64, b: [f64; 2]) -> (f64, f64) {\n    // the sum\n    (a + b[0], b[1])\n}\n";

    fn told(file: &str) -> Vec<String> {
        let list = deviations(file, TEXT).unwrap();
        list.into_iter().map(|d| d.text).collect()
    }

    #[test]
    fn layout_and_comments_of_others_do_not_count() {
        for same in [
            TEXT.replace('\n', "\r\n"),
            TEXT.replace("    (a", "    // mine\n    (a"),
            TEXT.replace(
                "(a: f64, b: [f64; 2])",
                "(\n    a: f64,\n    b: [f64; 2],\n)",
            ),
            TEXT.replace("/// Twice.", "///   Twice."),
            format!("\u{feff}{TEXT}"),
        ] {
            assert_eq!(told(&same), [""; 0], "{same}");
        }
    }

    #[test]
    fn everything_else_does() {
        for (from, to) in [
            ("a + b", "a - b"),
            ("a + b", "b + a"),
            ("2.0", "2.00"),
            ("[f64; 2]", "[f64; 3]"),
            ("// the sum", "// the difference"),
            ("// the sum\n", "\n"),
            ("kg", "lb"),
            ("A module", "Another module"),
            ("#[must_use]\n", ""),
            ("pub const", "const"),
            ("(a + b[0], b[1])", "(a + b[0], b[1],)"),
            ("pub const M: f64 = 2.0;", ""),
            ("pub fn f", "#[cfg(any())]\npub fn f"),
            ("/// Twice", "mod other;\n/// Twice"),
        ] {
            let other = TEXT.replacen(from, to, 1);
            assert_ne!(other, TEXT);
            let is_layout = to.ends_with("b[1],)");
            assert_eq!(told(&other).is_empty(), is_layout, "{from} {to}");
        }
    }

    #[test]
    fn the_place_is_told() {
        let other = TEXT.replace("a + b", "a * b");
        let list = deviations(&other, TEXT).unwrap();
        assert_eq!(
            list,
            [Deviation {
                line: 11,
                text: "`fn f` says `{ ( a * b [ 0` where eomgen writes `{ ( a + b [ 0`".into()
            }]
        );
    }
}
