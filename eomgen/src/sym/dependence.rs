//! What an expression depends on, through definitions and kernels.

use super::expr::{Expr, Var};
use super::{Algebra, Meaning};
use rustc_hash::FxHashMap;
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
        // Chains define much that depends on what one operand depends on: its list is shared.
        let lists = variables.iter().map(|v| &self.info(*v).bases);
        let longest = lists.clone().max_by_key(|list| list.len());
        let covers = |list: &[Var]| list.iter().all(|v| longest.is_some_and(|l| holds(l, *v)));
        match longest {
            None => Arc::from([]),
            Some(longest) if lists.clone().all(|list| covers(list)) => longest.clone(),
            Some(_) => {
                let mut all: Vec<Var> = lists.flat_map(|list| list.iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            }
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

/// Whether a sorted list holds a symbol.
fn holds(list: &[Var], v: Var) -> bool {
    list.binary_search(&v).is_ok()
}
