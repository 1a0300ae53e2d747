//! Sums with a product in them as one operation, `mul_add`.

use super::{Expr, LIST};
use crate::emit::layout::{Pieces, width};
use crate::emit::module::{Math, Scalar, Style};

impl Expr {
    /// `a + b` or `a - b` with one rounding, if that is asked for and one of the two is a product.
    pub(super) fn fused(a: &Self, b: &Self, minus: bool, style: Style) -> Option<Self> {
        if !style.fma {
            return None;
        }
        let negative = |e: &Self| match &e.negative {
            Some(text) => text.clone(),
            None => Self::negation(e, style.scalar).text,
        };
        let (product, x, addend) = match (&a.factors, &b.factors) {
            (_, Some(factors)) if !minus => (factors, &factors[0], a.text.clone()),
            (_, Some(factors)) => (factors, &factors[2], a.text.clone()),
            (Some(factors), None) if minus => (factors, &factors[0], negative(b)),
            (Some(factors), None) => (factors, &factors[0], b.text.clone()),
            (None, None) => return None,
        };
        let function = match style.math {
            Math::Libm if style.scalar == Scalar::F32 => "libm::fmaf".to_owned(),
            Math::Libm => "libm::fma".to_owned(),
            _ => format!("{}::mul_add", style.scalar.type_name()),
        };
        let list = format!("{x}, {}, {addend}", product[1]);
        // `function` is a path: its arguments are broken as those of a call.
        let plain = a.depth <= 1 && b.depth <= 1;
        let arguments = vec![x.clone(), product[1].clone(), addend];
        let pieces = plain.then(|| Box::new(Pieces::Call(function.clone(), arguments, "")));
        Some(Self {
            pieces,
            depth: 1 + a.depth.max(b.depth),
            crowded: width(&list) > LIST || a.crowded || b.crowded,
            ..Self::atom(format!("{function}({list})")).reading(&[a, b])
        })
    }
}
