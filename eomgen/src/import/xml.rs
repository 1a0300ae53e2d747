//! Elements and attributes of a description, with their places. Knows nothing of what they mean.
//!
//! A document type declaration is refused, and with it every entity that a file could declare: nothing expands, nothing is fetched.

use roxmltree::{Document, Node, ParsingOptions};

use super::decimal::Decimal;
use super::findings::{Findings, span};
use crate::diag::Diagnostic;
use crate::diag::codes::import::{E0600, E0601};
use crate::span::Span;

/// Most elements, attributes and pieces of text of a file.
const MOST_NODES: u32 = 2_000_000;
/// Most elements inside each other.
const DEEPEST: usize = 200;

/// Reads a file's text, or says where it is no XML.
pub fn read(text: &str) -> Result<Document<'_>, Diagnostic> {
    let at = too_deep(text);
    if let Some(at) = at {
        return Err(Diagnostic::error_with_help(
            E0600,
            format!("elements are nested more than {DEEPEST} deep"),
            Span::new(at, at + 1),
            "here",
            "this is no description of a machine",
        ));
    }
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| unreadable(text, &error))
}

/// Where elements are nested too deep for a reader that goes down one call for each. Tags are counted as they stand, comments
/// and quoted text included: a file that is wrong in this count is wrong by far.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth: usize = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['<', '>']) {
        let place = at + found;
        at = place + 1;
        let next = bytes.get(at).copied().unwrap_or(b' ');
        if bytes[place] == b'<' {
            if text[place..].starts_with("<!--") {
                at = text[place..]
                    .find("-->")
                    .map_or(text.len(), |end| place + end + 3);
            } else if next == b'/' {
                depth = depth.saturating_sub(1);
            } else if next != b'!' && next != b'?' {
                depth += 1;
            }
        } else if place > 0 && bytes[place - 1] == b'/' {
            depth = depth.saturating_sub(1);
        }
        if depth > DEEPEST {
            return Some(place);
        }
    }
    None
}

fn unreadable(text: &str, error: &roxmltree::Error) -> Diagnostic {
    let place = error.pos();
    let line_start = text
        .split_inclusive('\n')
        .take((place.row as usize).saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let inside: usize = text[line_start..]
        .chars()
        .take((place.col as usize).saturating_sub(1))
        .map(char::len_utf8)
        .sum();
    let at = (line_start + inside).min(text.len());
    let said = error.to_string();
    let said = said.split(" at ").next().unwrap_or_default().to_owned();
    let (title, help) = match error {
        roxmltree::Error::DtdDetected => (
            "a document type declaration is not read".to_owned(),
            "remove `<!DOCTYPE ..>`, and write out the entities that it declares",
        ),
        roxmltree::Error::NodesLimitReached => (
            format!("there are more than {MOST_NODES} elements and attributes"),
            "this is no description of a machine",
        ),
        _ => (
            format!("this is not XML: {said}"),
            "the file has to be well-formed; a browser or `xmllint` shows the place, too",
        ),
    };
    Diagnostic::error_with_help(E0600, title, Span::new(at, at), "here", help)
}

/// The place of an element: its opening tag.
pub fn place(node: Node) -> Span {
    let range = node.range();
    let text = &node.document().input_text()[range.clone()];
    let end = text.find('>').map_or(text.len(), |end| end + 1);
    span(range.start..range.start + end)
}

/// The elements of this name inside.
pub fn children<'a, 'i>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children()
        .filter(move |child| child.has_tag_name(name))
}

/// The first element of this name inside.
pub fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// All elements inside.
pub fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// The place of an attribute's value.
pub fn value_place(node: Node, name: &str) -> Span {
    node.attribute_node(name)
        .map_or_else(|| place(node), |attribute| span(attribute.range_value()))
}

/// An attribute that has to be there.
pub fn required<'a>(node: Node<'a, '_>, name: &str, findings: &mut Findings) -> Option<&'a str> {
    let found = node.attribute(name);
    if found.is_none() {
        let tag = node.tag_name().name();
        findings.error(
            E0601,
            format!("`{tag}` has no attribute `{name}`"),
            place(node),
            "it is missing here",
            format!("add `{name}=\"..\"`"),
        );
    }
    found
}

/// Numbers of an attribute, as many as there are.
pub fn numbers(node: Node, name: &str, findings: &mut Findings) -> Option<Vec<Decimal>> {
    let text = node.attribute(name)?;
    numbers_of(text, name, value_place(node, name), findings)
}

/// Numbers of the text of an attribute.
pub fn numbers_of(
    text: &str,
    name: &str,
    at: Span,
    findings: &mut Findings,
) -> Option<Vec<Decimal>> {
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        match Decimal::read(word) {
            Ok(number) => found.push(number),
            Err(why) => {
                let help = if word.contains("${") || word.contains("$(") {
                    "this is a template of xacro: run `xacro FILE` first and import what it prints"
                } else {
                    "write a decimal such as `0.5` or `1e-3`"
                };
                let title = format!("`{word}` is {}", why.said());
                findings.error(E0601, title, at, format!("in `{name}`"), help);
                return None;
            }
        }
    }
    Some(found)
}

/// So many numbers of an attribute; `None` where it is missing or wrong.
pub fn exactly<const N: usize>(
    node: Node,
    name: &str,
    findings: &mut Findings,
) -> Option<[Decimal; N]> {
    let found = numbers(node, name, findings)?;
    match <[Decimal; N]>::try_from(found) {
        Ok(array) => Some(array),
        Err(found) => {
            let expected = if N == 1 {
                "one number".to_owned()
            } else {
                format!("{N} numbers")
            };
            findings.error(
                E0601,
                format!("`{name}` has {} numbers in place of {N}", found.len()),
                value_place(node, name),
                format!("expected {expected}"),
                format!("write {expected}, separated by spaces"),
            );
            None
        }
    }
}

/// One number of an attribute.
pub fn number(node: Node, name: &str, findings: &mut Findings) -> Option<Decimal> {
    exactly::<1>(node, name, findings).map(|[number]| number)
}

/// The comments before the root element and directly in it before its first element, without rules of signs.
pub fn comments(document: &Document) -> Vec<String> {
    let before = document.root().children();
    let inside = document.root_element().children();
    let leading = |nodes: roxmltree::Children| -> Vec<String> {
        nodes
            .take_while(|node| !node.is_element())
            .filter(Node::is_comment)
            .filter_map(|node| node.text().map(str::to_owned))
            .collect()
    };
    let mut all = leading(before);
    all.extend(leading(inside));
    let is_rule = |line: &str| !line.chars().any(char::is_alphanumeric);
    all.iter()
        .flat_map(|comment| comment.lines())
        .map(|line| {
            line.trim()
                .trim_matches(['|', '=', '*', '#', '-'])
                .trim()
                .to_owned()
        })
        .filter(|line| !is_rule(line))
        .take(12)
        .collect()
}
