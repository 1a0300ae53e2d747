//! What a function gives: numbers, a model, or nothing but what it puts into arrays; and whether it can fail.

use quote::ToTokens;
use syn::{Expr, Lit, Type};

use super::tree::Shape;

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// Numbers.
    Numbers(Shape),
    /// The model.
    Model,
    /// Nothing: what it computes is put into arrays that it is handed.
    Nothing,
}

/// The function whose statements are read: what it returns, and whether in a `Result`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) of: Returned,
    pub(super) checked: bool,
}

/// The shape of a result and whether it comes in a `Result`.
pub(super) fn returned(output: &syn::ReturnType) -> Option<Frame> {
    let syn::ReturnType::Type(_, of) = output else {
        return Some(Frame {
            of: Returned::Nothing,
            checked: false,
        });
    };
    if let Type::Path(path) = &**of
        && let Some(last) = path.path.segments.last().filter(|s| s.ident == "Result")
        && let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
    {
        let mut arguments = arguments.args.iter();
        let (Some(syn::GenericArgument::Type(of)), Some(error), None) =
            (arguments.next(), arguments.next(), arguments.next())
        else {
            return None;
        };
        let is_ours = error.to_token_stream().to_string() == "Singular";
        let nothing = matches!(of, Type::Tuple(tuple) if tuple.elems.is_empty());
        let of = if nothing {
            Returned::Nothing
        } else {
            Returned::Numbers(shape(of)?)
        };
        return is_ours.then_some(Frame { of, checked: true });
    }
    let of = match &**of {
        Type::Path(path) if path.path.is_ident("Self") => Returned::Model,
        other => Returned::Numbers(shape(other)?),
    };
    Some(Frame { of, checked: false })
}

pub(super) fn shape(of: &Type) -> Option<Shape> {
    if is_f64(of) {
        return Some(Shape::Scalar);
    }
    let Type::Array(outer) = of else {
        return None;
    };
    let length = whole(&outer.len)?;
    match &*outer.elem {
        inner if is_f64(inner) => Some(Shape::Array(length)),
        Type::Array(inner) if is_f64(&inner.elem) => {
            Some(Shape::Matrix(length, whole(&inner.len)?))
        }
        _ => None,
    }
}

/// Whether a type is that of numbers.
pub(super) fn is_f64(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.is_ident("f64"))
}

/// A whole number.
pub(super) fn whole(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => int.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The array of `a[1]` or `a[0][1]`, the first of two indices, and the last one; `number` knows those that are not written out.
pub(super) fn indices(
    outer: &syn::ExprIndex,
    number: impl Fn(&Expr) -> Option<usize>,
) -> Option<(&Expr, Option<usize>, usize)> {
    let at = |index: &Expr| whole(index).or_else(|| number(index));
    let last = at(&outer.index)?;
    match &*outer.expr {
        Expr::Index(inner) => Some((&inner.expr, Some(at(&inner.index)?), last)),
        other => Some((other, None, last)),
    }
}
