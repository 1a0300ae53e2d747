//! Derivatives of the elementary functions, for numbers with derivatives by several variables and for series in time alike.

use super::{Algebra, Elementary, EvalError};

/// The partial derivatives of a function by its arguments. The exponent of a power is taken as fixed.
pub(in crate::verify) fn derivatives<A: Algebra>(
    function: Elementary,
    x: &[A],
    value: impl Fn() -> Result<A, EvalError>,
) -> Result<Vec<A>, EvalError> {
    use Elementary as E;
    let one = A::int(1);
    let of = |f: Elementary| A::elementary(f, x);
    let square = || value().map(|v| v.mul(&v));
    let cathetus = |y: &A| A::elementary(E::Sqrt, &[one.sub(&y.mul(y))]);
    Ok(match (function, x) {
        (E::Sqrt, _) => vec![one.div(&value()?.mul(&A::int(2)))?],
        (E::Sin, _) => vec![of(E::Cos)?],
        (E::Cos, _) => vec![of(E::Sin)?.neg()],
        (E::Tan, _) => vec![one.add(&square()?)],
        (E::Asin, [y]) => vec![one.div(&cathetus(y)?)?],
        (E::Acos, [y]) => vec![one.div(&cathetus(y)?)?.neg()],
        (E::Atan, [y]) => vec![one.div(&one.add(&y.mul(y)))?],
        (E::Atan2, [y, x]) => {
            let square = x.mul(x).add(&y.mul(y));
            vec![x.div(&square)?, y.neg().div(&square)?]
        }
        (E::Sinh, _) => vec![of(E::Cosh)?],
        (E::Cosh, _) => vec![of(E::Sinh)?],
        (E::Tanh, _) => vec![one.sub(&square()?)],
        (E::Exp, _) => vec![value()?],
        (E::Ln, [y]) => vec![one.div(y)?],
        (E::Pow, [y, p]) => {
            let less = A::elementary(E::Pow, &[y.clone(), p.sub(&one)])?;
            vec![p.mul(&less)]
        }
        _ => {
            let why = format!("the derivative of {function:?}");
            return Err(EvalError::Unsupported(why));
        }
    })
}
