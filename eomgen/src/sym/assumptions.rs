//! Expressions of declared sign, found by their values: a machine of a thousand springs has a thousand lengths that are squares.

use super::Expr;
use crate::field::Extended;
use crate::model::system::Sign;
use rustc_hash::FxHashMap;

/// The expressions in the order in which they were declared.
#[derive(Default)]
pub(super) struct Assumptions {
    list: Vec<(Expr, Sign)>,
    /// By the value at a test point, up to sign: what is equal, or opposite, is there. Looked up only, never iterated.
    alike: FxHashMap<Extended, Vec<usize>>,
    /// Those without a value there.
    open: Vec<usize>,
}

impl Assumptions {
    /// Declares a sign; with the expression's value at the test point.
    pub(super) fn push(&mut self, e: Expr, sign: Sign, value: Option<Extended>) {
        let place = self.list.len();
        match value {
            Some(value) => self.alike.entry(mirrored(value)).or_default().push(place),
            None => self.open.push(place),
        }
        self.list.push((e, sign));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, (Expr, Sign)> {
        self.list.iter()
    }

    /// Those that what has this value may equal, or be the opposite of, in their order.
    pub(super) fn candidates(
        &self,
        value: Option<Extended>,
    ) -> impl Iterator<Item = &(Expr, Sign)> {
        let mut places = match value {
            Some(value) => {
                let alike = self.alike.get(&mirrored(value));
                let alike = alike.into_iter().flatten();
                alike.chain(&self.open).copied().collect()
            }
            None => (0..self.list.len()).collect::<Vec<usize>>(),
        };
        places.sort_unstable();
        places.into_iter().filter_map(|place| self.list.get(place))
    }
}

/// The lesser of a value and its opposite.
fn mirrored(value: Extended) -> Extended {
    value.min(-value)
}
