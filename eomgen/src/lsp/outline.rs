//! The statements of a file as an outline, what of it folds, and where the equations are offered. Knows the tree as written.

use super::names::File;
use crate::span::Span;
use crate::syntax::ast::{Item, ItemKind, Name};
use crate::syntax::marks::MarkKind;
use crate::syntax::visit::{self, Piece};
use lsp_types::{
    CodeLens, Command, DocumentSymbol, FoldingRange, FoldingRangeKind, Range, SymbolKind,
};

/// The command that shows the equations of a model; editors define it.
pub(super) const SHOW: &str = "eomgen.show";

/// One entry for each declared name.
pub(super) fn symbols(file: &File) -> Vec<DocumentSymbol> {
    file.tree
        .items
        .iter()
        .flat_map(|item| of(file, item))
        .collect()
}

fn of(file: &File, item: &Item) -> Vec<DocumentSymbol> {
    match &item.kind {
        ItemKind::For { variable, body, .. } => {
            let last = body
                .last()
                .map_or(item.span, |last| item.span.to(last.span));
            let name = format!("for {}", variable.text);
            let inner: Vec<_> = body.iter().flat_map(|item| of(file, item)).collect();
            let mut one = symbol(file, name, SymbolKind::NAMESPACE, last, variable.span, "");
            one.children = Some(inner);
            vec![one]
        }
        ItemKind::Model(name) | ItemKind::Part(name) => {
            let text = name.text.clone();
            let docs = &file.tree.docs;
            vec![symbol(
                file,
                text,
                SymbolKind::MODULE,
                item.span,
                name.span,
                docs,
            )]
        }
        ItemKind::Gravity(_) => {
            let name = "gravity".to_owned();
            vec![symbol(
                file,
                name,
                SymbolKind::EVENT,
                item.span,
                item.span,
                &item.docs,
            )]
        }
        kind => {
            let shown = shape(kind);
            let names = visit::pieces(item)
                .into_iter()
                .filter_map(|piece| match piece {
                    Piece::Name(name) => Some(name),
                    _ => None,
                });
            let one = |name: &Name| {
                let text = name.text.clone();
                symbol(file, text, shown, item.span, name.span, &item.docs)
            };
            names.map(one).collect()
        }
    }
}

fn shape(kind: &ItemKind) -> SymbolKind {
    match kind {
        ItemKind::Quantities(_) => SymbolKind::VARIABLE,
        ItemKind::Const(_) => SymbolKind::CONSTANT,
        ItemKind::Function { .. } => SymbolKind::FUNCTION,
        ItemKind::Particle { .. } | ItemKind::Body { .. } | ItemKind::Group { .. } => {
            SymbolKind::CLASS
        }
        ItemKind::Constraint(_) => SymbolKind::INTERFACE,
        ItemKind::Use { .. } => SymbolKind::PACKAGE,
        ItemKind::Needs { .. } => SymbolKind::TYPE_PARAMETER,
        _ => SymbolKind::FIELD,
    }
}

#[allow(deprecated, reason = "a field that has no default")]
fn symbol(
    file: &File,
    name: String,
    kind: SymbolKind,
    whole: Span,
    own: Span,
    docs: &str,
) -> DocumentSymbol {
    let detail = docs.lines().next().unwrap_or("").to_owned();
    DocumentSymbol {
        name,
        detail: (!detail.is_empty()).then_some(detail),
        kind,
        tags: None,
        deprecated: None,
        range: file.text.range(whole),
        selection_range: file.text.range(own),
        children: None,
    }
}

/// Loops, statements of several lines, and runs of comments.
pub(super) fn folds(file: &File) -> Vec<FoldingRange> {
    let fold = |range: Range, kind| FoldingRange {
        start_line: range.start.line,
        end_line: range.end.line,
        kind,
        ..FoldingRange::default()
    };
    let mut found = Vec::new();
    let mut lists = vec![&file.tree.items];
    while let Some(items) = lists.pop() {
        for item in items {
            let mut span = item.span;
            if let ItemKind::For { body, .. } = &item.kind {
                span = body.last().map_or(span, |last| span.to(last.span));
                lists.push(body);
            }
            found.push(fold(file.text.range(span), None));
        }
    }
    let mut run: Option<Range> = None;
    for mark in &file.marks {
        let range = file.text.range(mark.span);
        let comment = matches!(mark.kind, MarkKind::Comment | MarkKind::Doc);
        match &mut run {
            Some(run) if comment && range.start.line == run.end.line + 1 => run.end = range.end,
            _ => {
                let kind = Some(FoldingRangeKind::Comment);
                found.extend(run.take().map(|run| fold(run, kind)));
                run = comment.then_some(range);
            }
        }
    }
    found.extend(run.map(|run| fold(run, Some(FoldingRangeKind::Comment))));
    found.retain(|fold| fold.start_line < fold.end_line);
    found.sort_by_key(|fold| (fold.start_line, fold.end_line));
    found
}

/// "Equations of motion" at the model's name.
pub(super) fn lenses(file: &File, uri: &str) -> Vec<CodeLens> {
    let models = file.tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Model(_) => Some(item.span),
        _ => None,
    });
    models
        .map(|span| CodeLens {
            range: file.text.range(span),
            command: Some(Command {
                title: "equations of motion".to_owned(),
                command: SHOW.to_owned(),
                arguments: Some(vec![uri.into()]),
            }),
            data: None,
        })
        .collect()
}
