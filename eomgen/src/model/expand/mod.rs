//! From the tree as written to a flat one: every declared name and every reference a plain identifier. Knows names and
//! indices, nothing of what they stand for.

use crate::diag::Diagnostic;
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{Expr, Name, NameIndex, Ref, SourceFile, UnitExpr};
use crate::syntax::{print, visit};

/// What cannot be made flat: nothing has elements.
pub fn check(file: &SourceFile) -> Vec<Diagnostic> {
    let mut found = Found(Vec::new());
    for item in &file.items {
        visit::item(&mut item.clone(), &mut found);
    }
    found.0
}

struct Found(Vec<Diagnostic>);

impl Found {
    fn refuse(&mut self, name: String, span: Span) {
        let title = format!("`{name}` has no elements");
        self.0.push(Diagnostic::error(
            codes::WRONG_KIND,
            title,
            span,
            "cannot be counted",
        ));
    }
}

impl visit::Rewrite for Found {
    fn name(&mut self, name: &mut Name) {
        if let Some(NameIndex::At(index) | NameIndex::Range(index, _)) = name.indices.first() {
            self.refuse(print::name(name), index.span);
        }
    }

    fn reference(&mut self, reference: &mut Ref) {
        if !reference.path.is_empty() {
            self.refuse(print::reference(reference), reference.whole());
        }
    }

    fn expr(&mut self, _: &mut Expr) {}

    fn unit(&mut self, _: &mut UnitExpr) {}
}
