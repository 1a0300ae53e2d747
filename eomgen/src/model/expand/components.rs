//! Vectors by their components: `[a, b, c] in B`, and the speeds that are components of a vector. Knows how these are written at length, nothing of
//! what they mean.

use crate::diag::Diagnostic;
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{
    BinaryOp, Defined, Definition, Expr, ExprKind, Ident, Item, ItemKind, Name, Ref,
};

/// The basis vectors.
const AXES: [&str; 3] = ["x", "y", "z"];

/// `B.x`
fn basis(frame: &Ref, axis: &str) -> Expr {
    let span = frame.whole();
    let field = Ident {
        text: axis.to_owned(),
        span,
    };
    let kind = ExprKind::Field(Box::new(frame.expr()), field);
    Expr { kind, span }
}

/// Whether it is 0 as written.
fn is_zero(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Number { text, unit: None } if text == "0")
}

/// `a*B.x + b*B.y + c*B.z`, without the terms that are 0 as written.
pub(super) fn vector(items: Vec<Expr>, frame: &Ref, span: Span) -> Result<Expr, Box<Diagnostic>> {
    if items.len() != AXES.len() {
        let title = format!("{} components do not make a vector", items.len());
        let error = Diagnostic::error(codes::WRONG_KIND, title, span, "three are needed")
            .help("write `[a, b, c] in B` for `a*B.x + b*B.y + c*B.z`");
        return Err(Box::new(error));
    }
    let term = |(item, axis): (Expr, &str)| {
        let span = item.span;
        let bare = matches!(
            item.kind,
            ExprKind::Name(_) | ExprKind::Number { .. } | ExprKind::Neg(_) | ExprKind::Paren(_)
        ) || matches!(
            item.kind,
            ExprKind::Binary(BinaryOp::Mul | BinaryOp::Div, ..)
        );
        let item = if bare {
            item
        } else {
            let kind = ExprKind::Paren(Box::new(item));
            Expr { kind, span }
        };
        let kind = ExprKind::Binary(BinaryOp::Mul, Box::new(item), Box::new(basis(frame, axis)));
        Expr { kind, span }
    };
    let plus = |left: Expr, right: Expr| {
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(left), Box::new(right));
        Expr { kind, span }
    };
    let zero = items.first().cloned();
    let terms = std::iter::zip(items, AXES).filter(|(item, _)| !is_zero(item));
    let sum = terms.map(term).reduce(plus);
    let all_zero = zero.map(|zero| term((zero, "x")));
    let inner = Box::new(sum.or(all_zero).unwrap_or(Expr {
        kind: ExprKind::Error,
        span,
    }));
    let kind = ExprKind::Paren(inner);
    Ok(Expr { kind, span })
}

/// `speed u1 = dot(v, B.x)` and its two neighbours for `speed u1, u2, u3 = v in B`.
pub(super) fn speeds(item: &Item) -> Vec<Item> {
    let ItemKind::Speeds {
        names,
        value,
        frame,
    } = &item.kind
    else {
        return Vec::new();
    };
    // Of `a; b; c` each has its own.
    let docs: Vec<&str> = item.docs.split(';').map(str::trim).collect();
    let one_each = docs.len() == names.len() && !item.docs.contains('\n');
    let all = std::iter::zip(names, AXES).enumerate();
    let one = |(at, (name, axis)): (usize, (&Name, &str))| {
        let dot = Ident {
            text: "dot".to_owned(),
            span: value.span,
        };
        let args = vec![value.clone(), basis(frame, axis)];
        let value = Expr {
            kind: ExprKind::Call(dot.into(), args),
            span: value.span,
        };
        let docs = docs.get(at).filter(|_| one_each);
        Item {
            kind: ItemKind::Define(Definition {
                what: Defined::Speed,
                name: name.clone(),
                value,
            }),
            docs: docs.map_or_else(|| item.docs.clone(), |own| (*own).to_owned()),
            span: item.span,
        }
    };
    all.map(one).collect()
}
