//! A text that is composed of pieces of files: what `include` puts in, and what `replicate` writes out. Knows where each piece comes from.

use std::ops::Range;

use roxmltree::{Document, Node};

use super::super::beside::Beside;
use super::super::findings::Findings;
use super::super::xml;
use crate::diag::Diagnostic;
use crate::diag::codes::import::{E0602, E0603};
use crate::span::Span;

/// How deep files include files.
const DEEPEST: usize = 20;
/// Most bytes of a text that is composed.
const MOST_BYTES: usize = 1 << 26;

/// A piece of a file, or what is put between pieces.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    file: u32,
    start: u32,
    /// Whether it stands in the file as it is.
    written: bool,
}

/// The whole text.
#[derive(Clone, Debug, Default)]
pub struct Composed {
    pieces: Vec<Piece>,
    text: String,
}

impl Composed {
    /// A file with everything that it includes.
    pub fn read(beside: &Beside, file: u32, text: &str) -> Result<Self, Diagnostic> {
        let mut all = Self::default();
        all.gather(beside, file, text, false, 0)?;
        Ok(all)
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn push(&mut self, piece: Piece) {
        self.text.push_str(&piece.text);
        if !piece.text.is_empty() {
            self.pieces.push(piece);
        }
    }

    /// Adds a text that stands in no file, at a place of one that it is owed to.
    pub fn put(&mut self, text: &str, at: Span) {
        self.push(Piece {
            text: text.to_owned(),
            file: at.file,
            start: at.start,
            written: false,
        });
    }

    /// Adds a range of another such text.
    pub fn copy(&mut self, from: &Composed, range: Range<usize>) {
        let mut at = 0;
        for piece in &from.pieces {
            let (start, end) = (range.start.max(at), range.end.min(at + piece.text.len()));
            if start < end {
                let inside = start - at..end - at;
                let moved = if piece.written {
                    inside.start as u32
                } else {
                    0
                };
                self.push(Piece {
                    text: piece.text[inside].to_owned(),
                    start: piece.start + moved,
                    ..piece.clone()
                });
            }
            at += piece.text.len();
        }
    }

    /// A place in the text as a place in its file.
    pub fn place(&self, span: Span) -> Span {
        let mut at = 0;
        for piece in &self.pieces {
            let length = piece.text.len() as u32;
            if span.start < at + length || at + length == self.text.len() as u32 {
                let inside = span.start.saturating_sub(at);
                let start = piece.start + if piece.written { inside } else { 0 };
                let length = (span.end - span.start).min(length.saturating_sub(inside));
                let end = start + if piece.written { length } else { 1 };
                return Span {
                    file: piece.file,
                    start,
                    end,
                    ..span
                };
            }
            at += length;
        }
        span
    }

    /// The pieces of a file, of an included one what is inside its root.
    fn gather(
        &mut self,
        beside: &Beside,
        file: u32,
        text: &str,
        inner: bool,
        depth: usize,
    ) -> Result<(), Diagnostic> {
        let document = xml::read(text).map_err(|error| in_file(error, file))?;
        let root = document.root_element();
        let whole = if inner { inside(root) } else { 0..text.len() };
        let mut at = whole.start;
        let piece = |range: Range<usize>| Piece {
            text: text[range.clone()].to_owned(),
            file,
            start: range.start as u32,
            written: true,
        };
        for node in includes(&document) {
            let range = node.range();
            self.push(piece(at..range.start));
            at = range.end;
            let span = xml::place(node);
            let refuse = |code, title: String, help: &str| {
                let error = Diagnostic::error_with_help(code, title, span, "included here", help);
                Err(in_file(error, file))
            };
            let Some(path) = node.attribute("file") else {
                let help = "write `<include file=\"parts.xml\"/>`";
                return refuse(E0602, "an `include` without a file".to_owned(), help);
            };
            if depth >= DEEPEST || self.text.len() > MOST_BYTES {
                let help = "a file must not include itself";
                return refuse(E0603, "files include files without end".to_owned(), help);
            }
            match beside.file(path) {
                Ok((number, text)) => self.gather(beside, number, &text, true, depth + 1)?,
                Err(why) => {
                    let help = "included files lie in the folder of the description or below it";
                    return refuse(E0602, format!("cannot read {path}: {why}"), help);
                }
            }
        }
        self.push(piece(at..whole.end));
        Ok(())
    }

    /// Messages about the text as messages about its files.
    pub fn told(&self, findings: &mut Findings) {
        findings.placed(&|span| self.place(span));
    }
}

/// What is between the tags of an element.
pub fn inside(node: Node) -> Range<usize> {
    match (node.first_child(), node.last_child()) {
        (Some(first), Some(last)) => first.range().start..last.range().end,
        _ => {
            let end = node.range().end;
            end..end
        }
    }
}

fn includes<'a, 'i>(document: &'a Document<'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    let all = document.descendants();
    all.filter(|node| node.has_tag_name("include"))
}

/// A message about one of several files.
fn in_file(mut error: Diagnostic, file: u32) -> Diagnostic {
    for label in &mut error.labels {
        label.span.file = file;
    }
    error
}
