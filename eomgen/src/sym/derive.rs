//! Derivatives by the chain rule through kernels, user functions and definitions; the engine
//! differentiates each small right-hand side.

use super::expr::{Expr, Var};
use super::{Algebra, Meaning};
use crate::function::Elementary;
use crate::function::derivative::{Application, Arithmetic, Derivative};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use symbolica::atom::{AtomCore, AtomView};

/// A direction in which to differentiate: the derivative of some symbols is given (all other base
/// symbols are constant). Remembers what it has differentiated.
#[derive(Clone, Debug)]
pub struct Derivation {
    seeds: Arc<BTreeMap<Var, Expr>>,
    memo: FxHashMap<Var, Expr>,
    suffix: String,
    /// The one symbol that is not constant, if there is just one.
    only: Option<Var>,
}

impl Derivation {
    /// Total derivative along `seeds`; `suffix` ends the names of new definitions (`v_x` -> `v_x_dot`).
    pub fn along(seeds: impl Into<Arc<BTreeMap<Var, Expr>>>, suffix: &str) -> Self {
        let seeds = seeds.into();
        let mut varying = seeds.keys().copied();
        let only = varying.next().filter(|_| varying.next().is_none());
        Self {
            seeds,
            memo: FxHashMap::default(),
            suffix: suffix.to_string(),
            only,
        }
    }

    /// Partial derivative with respect to one symbol.
    pub fn partial(v: Var, suffix: &str) -> Self {
        Self::along(BTreeMap::from([(v, Expr::one())]), suffix)
    }
}

/// A sum that is differentiated with respect to many symbols. Of a long one, each derivative is that of the terms that depend on its symbol.
pub struct Summed {
    whole: Expr,
    terms: Vec<Expr>,
    /// By what they depend on. Looked up only, never iterated.
    of: FxHashMap<Var, Vec<usize>>,
}

impl Summed {
    /// An expression as a sum.
    pub fn new(alg: &Algebra, whole: Expr) -> Self {
        let terms: Vec<Expr> = match whole.0.as_atom_view() {
            AtomView::Add(sum) => sum.iter().map(|term| Expr(term.to_owned())).collect(),
            _ => Vec::new(),
        };
        let mut of: FxHashMap<Var, Vec<usize>> = FxHashMap::default();
        for (place, term) in terms.iter().enumerate() {
            for v in alg.bases(term) {
                of.entry(v).or_default().push(place);
            }
        }
        Self { whole, terms, of }
    }

    /// [`Algebra::partial`] of it.
    pub fn partial(&self, alg: &mut Algebra, v: Var) -> Expr {
        match self.of.get(&v) {
            Some(own) if own.len() < self.terms.len() => {
                let own: Expr = own.iter().map(|place| self.terms[*place].clone()).sum();
                alg.partial(&own, v)
            }
            _ => alg.partial(&self.whole, v),
        }
    }
}

impl Algebra {
    /// Differentiates an expression.
    pub fn derivative(&mut self, e: &Expr, d: &mut Derivation) -> Expr {
        let mut sum = Expr::zero();
        for v in self.variables(e) {
            let dv = self.var_derivative(v, d);
            if !dv.is_literal_zero() {
                sum = sum + Expr(e.0.derivative(self.symbol_of(v))) * dv;
            }
        }
        sum
    }

    /// Partial derivative with respect to a symbol, through definitions.
    pub fn partial(&mut self, e: &Expr, v: Var) -> Expr {
        let mut within = self.variables(e).into_iter();
        if !within.any(|x| x == v || self.may_depend(x, v)) {
            return Expr::zero();
        }
        let suffix = format!("_{}", self.info(v).name);
        self.derivative(e, &mut Derivation::partial(v, &suffix))
    }

    fn var_derivative(&mut self, v: Var, d: &mut Derivation) -> Expr {
        if let Some(s) = d.seeds.get(&v) {
            return s.clone();
        }
        if d.only.is_some_and(|only| !self.may_depend(v, only)) {
            return Expr::zero();
        }
        if let Some(m) = d.memo.get(&v) {
            return m.clone();
        }
        let r = match self.info(v).meaning.clone() {
            Meaning::Base | Meaning::Pi => Expr::zero(),
            Meaning::Definition(def) => {
                let e = self.derivative(&def, d);
                let name = format!("{}{}", self.info(v).name, d.suffix);
                self.define_again(&name, e)
            }
            Meaning::Kernel(k, args) => self.kernel_derivative(v, k, &args, d),
            Meaning::Jet {
                function,
                partials,
                args,
            } => {
                let mut sum = Expr::zero();
                for (i, a) in args.iter().enumerate() {
                    let da = self.derivative(a, d);
                    if !da.is_literal_zero() {
                        let mut p = partials.clone();
                        p.push(i as u32);
                        p.sort_unstable();
                        sum = sum + self.jet(function, p, args.clone()) * da;
                    }
                }
                sum
            }
        };
        d.memo.insert(v, r.clone());
        r
    }

    fn kernel_derivative(
        &mut self,
        v: Var,
        k: Elementary,
        args: &[Expr],
        d: &mut Derivation,
    ) -> Expr {
        let (first, second) = match args {
            [left, right, then, other] => {
                // Branch by branch: the branch that does not count may have no value.
                let (then, other) = (self.derivative(then, d), self.derivative(other, d));
                return self.apply(k, vec![left.clone(), right.clone(), then, other]);
            }
            [first, second] => (first, second),
            [first] => (first, first),
            _ => {
                self.witness
                    .note(format!("{k:?} of {} arguments", args.len()));
                return Expr::zero();
            }
        };
        let value = self.var(v);
        let mut sum = Expr::zero();
        for (i, argument) in args.iter().enumerate() {
            let change = self.derivative(argument, d);
            if change.is_literal_zero() {
                continue;
            }
            let slope = match k.row().derivative {
                Derivative::Partials(partials) => match partials.get(i) {
                    Some(partial) => {
                        let at = Application {
                            arguments: [first, second],
                            value: &value,
                        };
                        let slope = partial.term.evaluate(self, &at);
                        if partial.negative { -slope } else { slope }
                    }
                    None => Expr::zero(),
                },
                Derivative::OfTheTaken(test) => {
                    // At equality the first.
                    let taken = [Expr::int(i64::from(i == 0)), Expr::int(i64::from(i == 1))];
                    let [then, other] = taken;
                    let choice = Elementary::choice(test.or_equal());
                    self.apply(choice, vec![first.clone(), second.clone(), then, other])
                }
                Derivative::OfTheBranch => {
                    self.witness
                        .note(format!("{k:?} of {} arguments", args.len()));
                    Expr::zero()
                }
            };
            sum = sum + slope * change;
        }
        sum
    }
}

impl Arithmetic for Algebra {
    type Number = Expr;

    fn one(&mut self) -> Expr {
        Expr::one()
    }

    fn half(&mut self) -> Expr {
        Expr::one() / Expr::int(2)
    }

    fn add(&mut self, a: &Expr, b: &Expr) -> Expr {
        a + b
    }

    fn sub(&mut self, a: &Expr, b: &Expr) -> Expr {
        a - b
    }

    fn mul(&mut self, a: &Expr, b: &Expr) -> Expr {
        a * b
    }

    fn reciprocal(&mut self, a: &Expr) -> Expr {
        Expr::one() / a
    }

    fn pole(&mut self, a: &Expr) -> Expr {
        Expr::one() / a
    }

    fn apply(&mut self, function: Elementary, a: &Expr) -> Expr {
        match function {
            // What stands in these is as simple as it gets.
            Elementary::Sin => self.sin_cos(a).0,
            Elementary::Cos => self.sin_cos(a).1,
            Elementary::Sqrt => self.sqrt(a),
            _ => Algebra::apply(self, function, vec![a.clone()]),
        }
    }

    fn lower_power(&mut self, base: &Expr, exponent: &Expr, _: &Expr) -> Expr {
        Algebra::apply(
            self,
            Elementary::Pow,
            vec![base.clone(), exponent - Expr::one()],
        )
    }
}

impl Algebra {
    /// The expression with base symbols replaced, definitions kept as definitions (restricted ones get new names).
    pub fn restrict(
        &mut self,
        e: &Expr,
        with: &BTreeMap<Var, Expr>,
        memo: &mut FxHashMap<Var, Expr>,
    ) -> Expr {
        let mut map: BTreeMap<Var, Expr> = BTreeMap::new();
        for v in self.variables(e) {
            let new = match (with.get(&v), memo.get(&v)) {
                (Some(n), _) | (None, Some(n)) => n.clone(),
                (None, None) => {
                    let n = match self.info(v).meaning.clone() {
                        Meaning::Definition(d) => {
                            let r = self.restrict(&d, with, memo);
                            if r == d {
                                self.var(v)
                            } else {
                                let name = format!("{}_0", self.info(v).name.clone());
                                self.define_again(&name, r)
                            }
                        }
                        Meaning::Kernel(k, args) => {
                            let new: Vec<Expr> =
                                args.iter().map(|a| self.restrict(a, with, memo)).collect();
                            if new == args {
                                self.var(v)
                            } else {
                                self.apply(k, new)
                            }
                        }
                        Meaning::Jet {
                            function,
                            partials,
                            args,
                        } => {
                            let new: Vec<Expr> =
                                args.iter().map(|a| self.restrict(a, with, memo)).collect();
                            if new == args {
                                self.var(v)
                            } else {
                                self.jet(function, partials, new)
                            }
                        }
                        _ => self.var(v),
                    };
                    memo.insert(v, n.clone());
                    n
                }
            };
            map.insert(v, new);
        }
        self.replace(e, &map)
    }
}
