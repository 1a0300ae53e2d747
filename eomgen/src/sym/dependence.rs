//! What an expression depends on, through definitions and kernels.

use super::expr::{Expr, Var};
use super::{Algebra, Meaning};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

impl Algebra {
    /// The base symbols that the meaning of a symbol depends on, in pool order: known from its birth, since meanings never change.
    pub(super) fn bases_of(&self, v: Var, meaning: &Meaning) -> Arc<[Var]> {
        let variables: Vec<Var> = match meaning {
            Meaning::Base => return Arc::from([v]),
            Meaning::Pi => Vec::new(),
            Meaning::Definition(e) => self.variables(e),
            Meaning::Kernel(_, args) | Meaning::Jet { args, .. } => {
                args.iter().flat_map(|e| self.variables(e)).collect()
            }
        };
        let lists = variables.iter().map(|v| &self.info(*v).bases);
        let Some(longest) = lists.clone().max_by_key(|list| list.len()) else {
            return Arc::from([]);
        };
        let mut all: Cow<'_, [Var]> = Cow::Borrowed(longest);
        for list in lists.filter(|list| !Arc::ptr_eq(list, longest)) {
            if !list.iter().all(|v| holds(&all, *v)) {
                all = Cow::Owned(merged(&all, list));
            }
        }
        match all {
            // Chains define much that depends on what one operand depends on: its list is shared.
            Cow::Borrowed(_) => longest.clone(),
            Cow::Owned(all) => all.into(),
        }
    }

    /// The base symbols that an expression depends on, in pool order.
    pub fn bases(&self, e: &Expr) -> Vec<Var> {
        let variables = self.variables(e);
        let lists = variables.iter().map(|v| &self.info(*v).bases);
        let mut all: Vec<Var> = lists.flat_map(|list| list.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a symbol depends on a base symbol. Of other symbols nothing is known: it may.
    pub(super) fn may_depend(&self, v: Var, on: Var) -> bool {
        self.info(on).meaning != Meaning::Base || holds(&self.info(v).bases, on)
    }

    /// Whether the expression, looked through definitions and kernels, contains a symbol for which `test` holds.
    pub fn depends(&self, e: &Expr, test: &dyn Fn(Var) -> bool) -> bool {
        let mut seen = FxHashMap::default();
        self.depends_inner(e, test, &mut seen)
    }

    fn depends_inner(
        &self,
        e: &Expr,
        test: &dyn Fn(Var) -> bool,
        seen: &mut FxHashMap<Var, bool>,
    ) -> bool {
        for v in self.variables(e) {
            let known = seen.get(&v).copied();
            let hit = match known {
                Some(h) => h,
                None => {
                    let h = test(v)
                        || match self.info(v).meaning.clone() {
                            Meaning::Base | Meaning::Pi => false,
                            Meaning::Definition(d) => self.depends_inner(&d, test, seen),
                            Meaning::Kernel(_, args) | Meaning::Jet { args, .. } => {
                                args.iter().any(|a| self.depends_inner(a, test, seen))
                            }
                        };
                    seen.insert(v, h);
                    h
                }
            };
            if hit {
                return true;
            }
        }
        false
    }
}

/// What is in either of two sorted lists, sorted.
fn merged(a: &[Var], b: &[Var]) -> Vec<Var> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => *x.min(y),
            (Some(x), None) | (None, Some(x)) => *x,
            (None, None) => return all,
        };
        a.next_if_eq(&next);
        b.next_if_eq(&next);
        all.push(next);
    }
}

/// Whether a sorted list holds a symbol.
fn holds(list: &[Var], v: Var) -> bool {
    list.binary_search(&v).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_lists_are_merged() {
        let list = |numbers: &[u32]| numbers.iter().map(|n| Var(*n)).collect::<Vec<Var>>();
        let [a, b] = [list(&[1, 3, 5]), list(&[0, 3, 4, 7])];
        assert_eq!(merged(&a, &b), list(&[0, 1, 3, 4, 5, 7]));
        assert_eq!(merged(&b, &a), merged(&a, &b));
        assert_eq!(merged(&a, &[]), a);
    }
}
