//! Shortest forms that have been found before: expressions that differ in their symbols alone, each in the place of the same one in reading order,
//! have the same form. Nets and ladders have many such conditions.

use super::Effort;
use super::atom::Role;
use super::equation;
use super::factor::Factoring;
use super::spread::Spread;
use super::sum::Sum;
use crate::sym::Class;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// All that a form follows from, but for how much work it is worth: the expression in numbered symbols, and what is asked of each of these.
type Key = (Spread, Vec<(usize, Role, Class, bool)>);

/// A form, and the work that was left when it was found.
type Found = (Option<Sum>, usize);

/// Forms of expressions that are worth the same effort.
pub struct Forms {
    pub(super) effort: Effort,
    known: RefCell<FxHashMap<Key, Found>>,
}

impl Forms {
    /// Without any.
    pub fn new(effort: Effort) -> Self {
        Self {
            effort,
            known: RefCell::default(),
        }
    }

    /// The shortest form of an expression.
    pub(super) fn expression(&self, factoring: &mut Factoring<'_>, spread: &Spread) -> Option<Sum> {
        let measures = factoring.atoms.measures(factoring.alg);
        let plain = measures.filter(|_| factoring.alg.units().is_empty());
        let Some(measures) = plain else {
            return equation::expression(factoring, spread);
        };
        let key = (spread.clone(), measures);
        if let Some((form, left)) = self.known.borrow().get(&key) {
            factoring.leave(*left);
            return form.clone();
        }
        let form = equation::expression(factoring, spread);
        let found = (form.clone(), factoring.left());
        self.known.borrow_mut().insert(key, found);
        form
    }

    /// How many forms were worked out.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.known.borrow().len()
    }
}
