//! Sine and cosine of one angle, computed together: one reduction of the angle serves both, which compilers find by themselves only
//! where no check stands between the two.

use super::Writing;
use crate::emit::error::EmitError;
use crate::emit::expr::Expr;
use crate::emit::module::Scalar;
use crate::ir::{Op, Unary, Value};

/// The sine and the cosine of an angle.
pub(super) struct Pair {
    angle: Value,
    sine: Value,
    cosine: Value,
}

impl Writing<'_> {
    /// The pair that a value belongs to, where the function needs both. The trait of generic modules has no such function.
    pub(super) fn pair(&self, value: Value) -> Option<Pair> {
        let Op::Unary(own @ (Unary::Sin | Unary::Cos), angle) = *self.graph.op(value) else {
            return None;
        };
        if self.module.scalar == Scalar::Generic {
            return None;
        }
        let other = match own {
            Unary::Sin => Unary::Cos,
            _ => Unary::Sin,
        };
        let other = self.graph.find(&Op::Unary(other, angle))?;
        self.uses.get(&other)?;
        // One that is there already, from a call or prepared, leaves the other by itself.
        let is_there = |value: Value| self.written.contains_key(&value);
        if is_there(other) && !is_there(value) {
            return None;
        }
        let (sine, cosine) = match own {
            Unary::Sin => (value, other),
            _ => (other, value),
        };
        Some(Pair {
            angle,
            sine,
            cosine,
        })
    }

    /// `let (sin_theta, cos_theta) = theta.sin_cos();`, once.
    pub(super) fn sin_cos(&mut self, pair: Pair) -> Result<(), EmitError> {
        let Pair {
            angle,
            sine,
            cosine,
        } = pair;
        if self.written.contains_key(&sine) {
            return Ok(());
        }
        let style = self.module.style();
        let mut written = self.operand(angle)?;
        let mut both = Expr::sin_cos(&written, style);
        let plain = both.is_plain() && written.fits_into(None);
        if !written.is_atom() && !plain {
            self.name(angle)?;
            written = self.operand(angle)?;
            both = Expr::sin_cos(&written, style);
        }
        let [sin, cos] = [sine, cosine].map(|value| self.scope.temporary(value, &self.label));
        self.block.set(format!("({sin}, {cos})"), both);
        for (value, name, function) in [(sine, sin, Unary::Sin), (cosine, cos, Unary::Cos)] {
            let alone = Expr::unary(function, &written, style);
            self.texts.insert(value, alone.to_string());
            self.put(value, Expr::variable(name));
        }
        Ok(())
    }
}
