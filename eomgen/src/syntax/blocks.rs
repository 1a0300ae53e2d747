//! The statements between braces: which block each belongs to, and braces that have no partner.

use super::ast::{Item, ItemKind};
use super::limits::MAX_BLOCKS;
use super::messages::Messages;
use super::token::{Kind, Token};
use crate::diag::{Diagnostic, codes::reuse as codes};
use crate::span::Span;

/// The blocks that are open, outermost first.
#[derive(Default)]
pub(super) struct Blocks {
    open: Vec<Block>,
    /// Heads without a brace, whose closing braces are no further error.
    headless: usize,
}

struct Block {
    /// The statement that opened it; none if that cannot be read, and then its statements are dropped.
    head: Option<Item>,
    brace: Span,
    items: Vec<Item>,
}

impl Blocks {
    /// Adds a statement where it belongs; opens a block if it is the head of one.
    pub(super) fn add(&mut self, item: Item, file: &mut Vec<Item>, found: &mut Messages) {
        let inside = !self.open.is_empty();
        if inside && let Some(word) = outside_only(&item.kind) {
            found.add(|| {
                let title = format!("`{word}` is not allowed inside a `for`");
                Diagnostic::error(codes::E0409, title, item.span, "inside a block")
                    .help("write it before the loop")
            });
            return;
        }
        if !matches!(item.kind, ItemKind::For { .. }) {
            self.list(file).push(item);
            return;
        }
        let deep = self.open.len() >= MAX_BLOCKS;
        if deep {
            found.add(|| {
                let title = format!("more than {MAX_BLOCKS} nested blocks");
                Diagnostic::error(codes::E0406, title, item.span, "one block too many")
                    .help("loop over one index instead of several")
            });
        }
        self.open.push(Block {
            brace: item.span,
            head: Some(item).filter(|_| !deep),
            items: Vec::new(),
        });
    }

    fn list<'a>(&'a mut self, file: &'a mut Vec<Item>) -> &'a mut Vec<Item> {
        match self.open.last_mut() {
            Some(block) => &mut block.items,
            None => file,
        }
    }

    /// Takes note of a head that cannot be read.
    pub(super) fn unreadable(&mut self, keyword: &str, tokens: &[Token], span: Span) {
        if keyword != "for" {
            return;
        }
        match tokens.last().map(|last| last.kind) {
            Some(Kind::OpenBrace) => self.drop_block(span),
            _ => self.headless += 1,
        }
    }

    fn drop_block(&mut self, brace: Span) {
        self.open.push(Block {
            head: None,
            brace,
            items: Vec::new(),
        });
    }

    /// Reads a statement that is a brace; false if it is something else.
    pub(super) fn brace(
        &mut self,
        tokens: &[Token],
        span: Span,
        file: &mut Vec<Item>,
        found: &mut Messages,
    ) -> bool {
        match tokens {
            [brace] if brace.kind == Kind::OpenBrace && self.headless > 0 => {
                self.headless -= 1;
                self.drop_block(span);
                true
            }
            [brace] if brace.kind == Kind::CloseBrace => {
                match self.open.pop() {
                    Some(block) => self.close(block, Some(span), file),
                    None if self.headless > 0 => self.headless -= 1,
                    None => found.add(|| {
                        let title = "there is no open block here";
                        Diagnostic::error(codes::E0406, title, span, "closes nothing")
                            .help("remove the `}`, or begin the block with `for i in 1..n {`")
                            .write("")
                    }),
                }
                true
            }
            _ => false,
        }
    }

    fn close(&mut self, block: Block, brace: Option<Span>, file: &mut Vec<Item>) {
        let Some(mut item) = block.head else {
            return;
        };
        if let ItemKind::For { body, .. } = &mut item.kind {
            *body = block.items;
        }
        if let Some(brace) = brace {
            item.span = item.span.to(brace);
        }
        self.list(file).push(item);
    }

    /// Closes what is open at the end of the text.
    pub(super) fn finish(mut self, file: &mut Vec<Item>, found: &mut Messages) {
        while let Some(block) = self.open.pop() {
            let brace = block.brace;
            found.add(|| {
                let title = "this block is never closed by `}`";
                Diagnostic::error(codes::E0406, title, brace, "opened here")
                    .help("write a `}` on its own line after its last statement")
            });
            self.close(block, None, file);
        }
    }
}

/// The keyword of a statement that is about the whole file.
fn outside_only(kind: &ItemKind) -> Option<&'static str> {
    match kind {
        ItemKind::Model(_) => Some("model"),
        ItemKind::Part(_) => Some("part"),
        ItemKind::Const(_) => Some("const"),
        ItemKind::Needs { .. } => Some("needs"),
        _ => None,
    }
}
