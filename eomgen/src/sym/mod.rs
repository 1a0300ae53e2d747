//! Expressions, definitions, derivatives, simplification, exact tests for zero. The only module
//! that names the algebra engine. Knows nothing of mechanics: a pool symbol has a name, a class
//! that decides where it is printed, and a meaning that decides its derivative.
//!
//! Every expression is a rational function of pool symbols. Sines, roots, user functions and
//! definitions are pool symbols too, so the engine sees rational functions only, its symbols are
//! always `x0, x1, ...` in that order, and its results do not depend on what was derived before.

mod assumptions;
mod circle;
mod dependence;
mod derive;
mod expr;
mod factors;
mod kernel;
mod node;
mod normal;
mod poly;
mod powers;
mod print;
mod sampled;
mod sign;
mod simplify;
mod size;
#[cfg(test)]
mod tests;
mod translation;
mod zero;

pub use crate::function::Elementary as Kernel;
pub use derive::{Derivation, Summed};
pub use expr::{Expr, Var};
pub use node::Node;
pub use normal::Vanishing;
pub use print::{rounded_number, typed_number};
pub use translation::Translation;

use zero::{Key, POINTS};

use crate::bug::{Bug, Witness};
use crate::field::Extended;
use crate::function::Elementary;
use crate::model::system::Sign;
use indexmap::IndexSet;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeMap;
use std::sync::Arc;
use symbolica::atom::{Atom, AtomCore, AtomView, Symbol};
use symbolica::symbol;

/// Where a symbol stands in products and sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A constant of the model.
    Parameter,
    /// Supplied at each evaluation.
    Input,
    /// Value or derivative of a user function.
    Function,
    /// Time.
    Time,
    /// A coordinate.
    Coordinate,
    /// sin, cos, sqrt, ...
    Kernel,
    /// A named expression.
    Definition,
    /// A speed or rate.
    Speed,
    /// An unknown force.
    Multiplier,
    /// A speed's or rate's rate.
    Acceleration,
}

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Itself.
    Base,
    /// The circle number.
    Pi,
    /// A known function of expressions.
    Kernel(Elementary, Vec<Expr>),
    /// The value or a partial derivative of a user function.
    Jet {
        /// Number of the function, in the order of declaration.
        function: u32,
        /// Positions of the arguments that it is differentiated by, ascending, repeated as often; empty for the value.
        partials: Vec<u32>,
        /// The arguments, one for each of the function's.
        args: Vec<Expr>,
    },
    /// A definition.
    Definition(Expr),
}

/// All that is known of a symbol.
#[derive(Clone, Debug)]
pub struct Info {
    /// Text in listings, such as `theta'` or `sin(theta)`.
    pub name: String,
    /// Where it is printed.
    pub class: Class,
    /// What it stands for.
    pub meaning: Meaning,
    /// Its sign if known.
    pub sign: Option<Sign>,
    /// Its values at the test points of the prime field; `None` where a division by zero fell.
    points: [Option<Extended>; POINTS],
    /// Whether there is a square root in it.
    rooted: bool,
    /// Whether it is a polynomial in base symbols, sines and cosines of such, written as one.
    entire: bool,
    /// The base symbols that it depends on, in pool order.
    bases: Arc<[Var]>,
    /// How many definitions before it have its name.
    pub namesakes: u32,
}

/// Leaves above which expressions get names once the budget of a closed derivation is spent.
const FALLBACK_THRESHOLD: usize = 3;
/// Leaves of an expression that gets or keeps a name in closed form, where that is not simplified any more.
const LONG: usize = 200;
/// Leaves beyond which an expression in closed form counts as work, whether it is simplified or not.
const HUGE: usize = 10_000;

/// Limits on symbolic work, counted so that results do not depend on the machine.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Terms of an expanded numerator or denominator.
    pub terms: usize,
    /// Terms of a polynomial that is still factored.
    pub factor_terms: usize,
    /// Terms handled in a whole derivation.
    pub work: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            terms: 3000,
            factor_terms: 120,
            work: 4_000_000,
        }
    }
}

/// The symbols of one derivation and the operations on their expressions.
pub struct Algebra {
    infos: Vec<Info>,
    symbols: Vec<Symbol>,
    of_symbol: FxHashMap<Symbol, Var>,
    of_meaning: FxHashMap<Meaning, Var>,
    /// the first of the symbols without poles that has these values, or their negatives
    of_value: FxHashMap<Key, Var>,
    /// sine and cosine symbols of each base angle, in order of first use
    circles: Vec<(Var, Var)>,
    /// the angles at which joints are mounted, by their coordinates
    mounts: FxHashMap<Var, Expr>,
    /// expressions of declared sign
    assumptions: assumptions::Assumptions,
    /// Squares of magnitudes that do not look like it, multiplied out.
    squares: IndexSet<Expr, FxBuildHasher>,
    /// definitions whose sign was derived
    certified: Vec<(Var, Sign)>,
    /// expressions that are 1 at every state
    units: Vec<Expr>,
    /// `None`: definitions are written out (closed form); `Some(n)`: expressions of more than n leaves get a name.
    threshold: Option<usize>,
    budget: Budget,
    /// how often a budget was spent
    spent: usize,
    /// Whether the derivation is dropped once the budget of work is spent.
    stops_at_limit: bool,
    /// terms handled so far
    work: usize,
    jet_names: Vec<(String, Vec<String>)>,
    /// values at further test points, as far as they were asked for
    further: zero::Further,
    /// how many definitions have a name
    namesakes: FxHashMap<String, u32>,
    /// values at states drawn at random, as far as they were asked for
    sampled: sampled::Sampled,
    /// which expressions are certain not to vanish, while assumptions are the same
    nonzero: FxHashMap<Expr, bool>,
    /// what simplification made of expressions, while circles and units are the same
    simplified: FxHashMap<Expr, simplify::Simplified>,
    /// what cannot happen and did
    witness: Witness,
}

impl Algebra {
    /// An empty pool. `threshold` as in [`Algebra::define`].
    pub fn new(threshold: Option<usize>) -> Self {
        // The engine would log remarks such as "0^0" to standard output, which is for generated code.
        symbolica::GLOBAL_SETTINGS
            .initialize_tracing
            .store(false, std::sync::atomic::Ordering::Relaxed);
        Self {
            infos: Vec::new(),
            symbols: Vec::new(),
            of_symbol: FxHashMap::default(),
            of_meaning: FxHashMap::default(),
            of_value: FxHashMap::default(),
            circles: Vec::new(),
            mounts: FxHashMap::default(),
            assumptions: assumptions::Assumptions::default(),
            squares: IndexSet::default(),
            certified: Vec::new(),
            units: Vec::new(),
            threshold,
            budget: Budget::default(),
            spent: 0,
            stops_at_limit: false,
            work: 0,
            jet_names: Vec::new(),
            further: zero::Further::default(),
            namesakes: FxHashMap::default(),
            sampled: sampled::Sampled::default(),
            nonzero: FxHashMap::default(),
            simplified: FxHashMap::default(),
            witness: Witness::default(),
        }
    }

    /// Whether everything so far went as it must: where it did not, no expression of this algebra is to be used. Ask at the end of
    /// each stage.
    pub fn check(&self) -> Result<(), Bug> {
        self.witness.check()
    }

    /// Whether definitions are written out.
    pub fn is_closed(&self) -> bool {
        self.threshold.is_none()
    }

    /// Does something with definitions written out, within the budgets of a whole derivation.
    pub fn in_closed_form<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (threshold, spent) = (self.threshold.take(), self.spent);
        let result = work(self);
        self.threshold = threshold;
        self.spent = spent;
        result
    }

    /// Does something with names for all steps, if it is not done so anyway.
    pub fn in_sequenced_form<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let threshold = self.threshold;
        self.threshold = Some(threshold.unwrap_or(FALLBACK_THRESHOLD));
        let result = work(self);
        self.threshold = threshold;
        result
    }

    /// Whether a closed form has given up since this was what had been spent: what is not written out does not grow without bound.
    pub fn gave_up(&self, spent: usize) -> bool {
        self.is_closed() && self.spent > spent
    }

    /// How often a simplification gave up because its budget was spent.
    pub fn spent(&self) -> usize {
        self.spent
    }

    /// Terms handled so far by simplification.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Goes on counting terms from `work`; the count so far. What is done between two such calls does not count for the rest.
    pub fn restart_work(&mut self, work: usize) -> usize {
        std::mem::replace(&mut self.work, work)
    }

    /// Limits the terms that simplification may handle in the whole derivation.
    pub fn limit_work(&mut self, work: usize) {
        self.budget.work = work;
    }

    /// Says that what is derived beyond the limit is of no use: those who ask [`is_of_no_use`](Self::is_of_no_use) may stop there.
    pub fn stop_at_limit(&mut self) {
        self.stops_at_limit = true;
    }

    /// Whether the limit has been reached of a derivation that is dropped then.
    pub fn is_of_no_use(&self) -> bool {
        self.stops_at_limit && self.is_exhausted()
    }

    /// Whether that limit has been reached.
    pub fn is_exhausted(&self) -> bool {
        self.work > self.budget.work
    }

    /// A new base symbol.
    pub fn base(&mut self, name: &str, class: Class, sign: Option<Sign>) -> Var {
        self.push(name.to_string(), class, Meaning::Base, sign)
    }

    /// Names a user function and its arguments, for listings; functions are numbered in this order.
    pub fn declare_function(&mut self, name: &str, args: &[String]) {
        self.jet_names.push((name.to_string(), args.to_vec()));
    }

    /// The circle number.
    pub fn pi(&mut self) -> Expr {
        let v = match self.of_meaning.get(&Meaning::Pi) {
            Some(v) => *v,
            None => self.push(
                "pi".into(),
                Class::Parameter,
                Meaning::Pi,
                Some(Sign::Positive),
            ),
        };
        self.var(v)
    }

    fn push(&mut self, name: String, class: Class, meaning: Meaning, sign: Option<Sign>) -> Var {
        let v = Var(self.infos.len() as u32);
        let s = symbol!(format!("eomgen::x{}", v.0));
        if meaning != Meaning::Base {
            self.of_meaning.insert(meaning.clone(), v);
        }
        let namesakes = match meaning {
            Meaning::Definition(_) => {
                let count = self.namesakes.entry(name.clone()).or_default();
                *count += 1;
                *count - 1
            }
            _ => 0,
        };
        let (rooted, entire) = (self.has_roots(&meaning), self.is_entire(&meaning));
        let points = std::array::from_fn(|i| self.value(v, &meaning, i, &|e| self.at(e, i)));
        if entire
            && !rooted
            && let Some((_, key)) = zero::key(points)
        {
            self.of_value.entry(key).or_insert(v);
        }
        let info = Info {
            namesakes,
            points,
            rooted,
            entire,
            bases: self.bases_of(v, &meaning),
            name,
            class,
            meaning,
            sign,
        };
        self.infos.push(info);
        self.symbols.push(s);
        self.of_symbol.insert(s, v);
        v
    }

    /// How many symbols there are.
    #[cfg(test)]
    pub fn symbols(&self) -> usize {
        self.infos.len()
    }

    /// What is known of a symbol.
    pub fn info(&self, v: Var) -> &Info {
        &self.infos[v.0 as usize]
    }

    /// The symbol as an expression.
    pub fn var(&self, v: Var) -> Expr {
        Expr(Atom::var(self.symbols[v.0 as usize]))
    }

    fn symbol_of(&self, v: Var) -> Symbol {
        self.symbols[v.0 as usize]
    }

    fn lookup(&self, s: Symbol) -> Option<Var> {
        let found = self.of_symbol.get(&s).copied();
        if found.is_none() {
            self.witness
                .note("a symbol that belongs to another algebra");
        }
        found
    }

    /// A number of the engine.
    fn rational_of(&self, number: AtomView<'_>) -> BigRational {
        expr::to_rational(number).unwrap_or_else(|| {
            self.witness
                .note(format!("`{number}` is not a rational number"));
            BigRational::zero()
        })
    }

    /// If the expression is a single symbol: which.
    pub fn as_var(&self, e: &Expr) -> Option<Var> {
        match e.0.as_atom_view() {
            AtomView::Var(v) => self.lookup(v.get_symbol()),
            _ => None,
        }
    }

    /// If the expression is a number: which.
    pub fn as_number(&self, e: &Expr) -> Option<BigRational> {
        match e.0.as_atom_view() {
            v @ AtomView::Num(_) => Some(self.rational_of(v)),
            _ => None,
        }
    }

    /// The symbols of an expression (not those inside definitions and kernels), in pool order.
    pub fn variables(&self, e: &Expr) -> Vec<Var> {
        let mut found = Vec::new();
        self.collect_variables(e.0.as_atom_view(), &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect_variables(&self, v: AtomView<'_>, found: &mut Vec<Var>) {
        match v {
            AtomView::Num(_) | AtomView::Fun(_) => {}
            AtomView::Var(x) => {
                if let Some(v) = self.lookup(x.get_symbol())
                    && found.last() != Some(&v)
                {
                    found.push(v);
                }
            }
            AtomView::Pow(p) => self.collect_variables(p.get_base_exp().0, found),
            AtomView::Mul(m) => m.iter().for_each(|f| self.collect_variables(f, found)),
            AtomView::Add(a) => a.iter().for_each(|t| self.collect_variables(t, found)),
        }
    }

    /// Gives the expression a name if it is large and the form is sequenced, unless it is certified to be 0, 1, -1, or, up to the sign, a
    /// symbol without poles: a vector that is turned into other axes and back is the same symbol again. In expanded form the expression is
    /// simplified and returned.
    pub fn define(&mut self, name: &str, e: Expr) -> Expr {
        self.defined(name, e, true)
    }

    fn defined(&mut self, name: &str, e: Expr, looked_up: bool) -> Expr {
        if self.is_zero(&e) {
            return Expr::zero();
        }
        let limit = match self.threshold {
            Some(limit) => limit,
            None if !self.is_exhausted() => {
                // Differentiating an expression of this size and testing it for zero is work too, and nobody reads a closed form made of them.
                let size = leaves(e.0.as_atom_view());
                if size > HUGE {
                    self.work = self.work.saturating_add(size);
                }
                let spent = self.spent;
                let simple = self.simplify(&e);
                // What is too long to be simplified would be written out in the next, and that in the one after it.
                if self.spent == spent || leaves(simple.0.as_atom_view()) <= LONG {
                    return simple;
                }
                LONG
            }
            // The budget is gone: names keep what follows from growing without bound.
            None => FALLBACK_THRESHOLD,
        };
        if leaves(e.0.as_atom_view()) <= limit {
            return e;
        }
        for c in [1, -1] {
            if self.is_integer(&e, c) {
                return Expr::int(c);
            }
        }
        let e = match self.turned_back(&e) {
            Some(short) if leaves(short.0.as_atom_view()) <= limit => return short,
            Some(short) => short,
            None => e,
        };
        let known = if looked_up { self.known_as(&e) } else { None };
        known.unwrap_or_else(|| self.name(name, e))
    }

    /// As [`define`](Self::define), for what has come of a definition: in closed form that has a name because it is long, so what is still long
    /// keeps one. Without it, each long expression would be written out in the next. It is not looked up: what has its value may be written at
    /// greater length, and what comes of substitutions is written out in the end.
    pub(in crate::sym) fn define_again(&mut self, name: &str, e: Expr) -> Expr {
        let e = self.defined(name, e, false);
        if self.is_closed() && self.size(&e) > LONG {
            return self.name(name, e);
        }
        e
    }

    /// Gives the expression a name whatever its size.
    pub fn name(&mut self, name: &str, e: Expr) -> Expr {
        if self.as_var(&e).is_some() || self.as_number(&e).is_some() {
            return e;
        }
        let meaning = Meaning::Definition(e.clone());
        if let Some(v) = self.of_meaning.get(&meaning) {
            return self.var(*v);
        }
        let v = self.push(name.to_string(), Class::Definition, meaning, None);
        self.var(v)
    }

    /// Declares the sign of an expression.
    pub fn assume(&mut self, e: Expr, sign: Sign) {
        let e = self.simplify(&e);
        self.nonzero.clear();
        let value = self.sample(&e);
        self.assumptions.push(e, sign, value);
    }

    /// Declares an expression to be the square of a magnitude, where that cannot be seen from how it looks once it is multiplied out. What is known
    /// then is the sign of what stays under the root.
    pub fn assume_square(&mut self, e: &Expr) {
        let strict = matches!(self.sign(e), Some(Sign::Positive));
        let (_, inside) = self.under_root(e);
        if !self.is_nonnegative(&inside) {
            let sign = if strict {
                Sign::Positive
            } else {
                Sign::NonNegative
            };
            self.assume(inside.clone(), sign);
            self.squares.insert(inside);
        }
    }

    /// Whether an expression was declared to be a square. What a model assumes to be positive is none: where it is not, its root is no number.
    pub fn is_hidden_square(&self, e: &Expr) -> bool {
        self.squares.contains(e) && matches!(self.node(e), Node::Sum(_) | Node::Product(..))
    }

    /// Remembers the sign of what was derived: of a definition with its symbol, of anything else as an assumption. Base symbols
    /// keep the sign that the model gives them.
    pub fn certify(&mut self, e: &Expr, sign: Sign) {
        match self.as_var(e) {
            Some(v) if matches!(self.info(v).meaning, Meaning::Definition(_)) => {
                self.nonzero.clear();
                self.certified.push((v, sign));
                self.infos[v.0 as usize].sign = Some(sign);
            }
            Some(_) => {}
            None => self.assume(e.clone(), sign),
        }
    }

    /// Says that an expression is 1 at every state, though not identically: it keeps its place in derivatives, and is 1
    /// where values are computed.
    pub fn declare_unit(&mut self, e: Expr) {
        if !self.is_unit(&e) {
            self.assume(e.clone(), Sign::Positive);
            self.units.push(e);
            self.nonzero.clear();
            self.simplified.clear();
        }
    }

    /// What has been declared to be 1 at every state.
    pub fn units(&self) -> &[Expr] {
        &self.units
    }

    /// Whether an expression has been declared to be 1 at every state.
    pub fn is_unit(&self, e: &Expr) -> bool {
        self.units.iter().any(|u| self.equal(u, e))
    }

    /// The same of a node.
    pub fn is_unit_node(&self, n: &Node) -> bool {
        // Most nodes are told apart by their symbols, which is cheap.
        let mut symbols = Vec::new();
        n.variables(&mut symbols);
        symbols.sort_unstable();
        symbols.dedup();
        let mut alike = self.units.iter().filter(|u| self.variables(u) == symbols);
        alike.next().is_some() && self.is_unit(&self.expr_of(n))
    }

    /// The value or a partial derivative of user function `function`.
    pub fn jet(&mut self, function: u32, partials: Vec<u32>, args: Vec<Expr>) -> Expr {
        let meaning = Meaning::Jet {
            function,
            partials: partials.clone(),
            args: args.clone(),
        };
        if let Some(v) = self.of_meaning.get(&meaning) {
            return self.var(*v);
        }
        let known = self.jet_names.get(function as usize).cloned();
        let (name, arg_names) = known.unwrap_or_else(|| {
            self.witness
                .note(format!("user function {function} was never declared"));
            Default::default()
        });
        let suffix: String = partials
            .iter()
            .map(|p| {
                format!(
                    "_{}",
                    arg_names
                        .get(*p as usize)
                        .cloned()
                        .unwrap_or_else(|| p.to_string())
                )
            })
            .collect();
        let standard = args
            .iter()
            .zip(&arg_names)
            .all(|(a, n)| self.as_var(a).is_some_and(|v| self.info(v).name == *n));
        let call = if standard {
            String::new()
        } else {
            format!(
                "({})",
                args.iter()
                    .map(|a| self.text(a))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        };
        let v = self.push(
            format!("{name}{suffix}{call}"),
            Class::Function,
            meaning,
            None,
        );
        self.var(v)
    }

    /// How many numbers and symbols the expression has as it stands.
    pub fn size(&self, e: &Expr) -> usize {
        leaves(e.0.as_atom_view())
    }

    /// How many numbers and symbols the expression has with all definitions written out; stops counting at `limit`.
    pub fn inlined_size(&self, e: &Expr, limit: usize) -> usize {
        let mut memo = FxHashMap::default();
        self.inlined_size_of(e, limit, &mut memo)
    }

    fn inlined_size_of(&self, e: &Expr, limit: usize, memo: &mut FxHashMap<Var, usize>) -> usize {
        let mut size = leaves(e.0.as_atom_view());
        let vars = self.variables(e);
        if vars
            .iter()
            .all(|v| !matches!(self.info(*v).meaning, Meaning::Definition(_)))
        {
            return size;
        }
        for v in vars {
            if let Meaning::Definition(d) = &self.info(v).meaning {
                let inner = match memo.get(&v) {
                    Some(s) => *s,
                    None => {
                        let s = self.inlined_size_of(&d.clone(), limit, memo);
                        memo.insert(v, s);
                        s
                    }
                };
                // Occurrences are bounded by the leaves; one each is the usual case.
                size = size.saturating_add(inner);
            }
            if size > limit {
                return limit;
            }
        }
        size
    }

    /// The expression with all definitions written out, simplified; `None` if it had `most` symbols and numbers or more before that.
    pub fn written_out(&mut self, e: &Expr, most: usize) -> Option<Expr> {
        if self.inlined_size(e, most) >= most {
            return None;
        }
        let e = self.inline(e);
        Some(self.simplify(&e))
    }

    /// The expression with all definitions written out.
    pub fn inline(&mut self, e: &Expr) -> Expr {
        let mut memo = FxHashMap::default();
        self.substitute(e, &|_| None, &mut memo)
    }

    /// Replaces symbols (inside kernels and definitions too; definitions are written out).
    pub fn substitute(
        &mut self,
        e: &Expr,
        with: &dyn Fn(Var) -> Option<Expr>,
        memo: &mut FxHashMap<Var, Expr>,
    ) -> Expr {
        let mut pairs = BTreeMap::new();
        for v in self.variables(e) {
            let new = match memo.get(&v) {
                Some(n) => n.clone(),
                None => {
                    let n = self.substituted_var(v, with, memo);
                    memo.insert(v, n.clone());
                    n
                }
            };
            pairs.insert(v, new);
        }
        self.replace(e, &pairs)
    }

    /// Replaces symbols at the surface of an expression.
    fn replace(&self, e: &Expr, with: &BTreeMap<Var, Expr>) -> Expr {
        let map: FxHashMap<Symbol, Atom> = with
            .iter()
            .filter(|(v, new)| self.as_var(new) != Some(**v))
            .map(|(v, new)| (self.symbol_of(*v), new.0.clone()))
            .collect();
        if map.is_empty() {
            return e.clone();
        }
        Expr(e.0.replace_map(|view, _, out| {
            if let AtomView::Var(x) = view
                && let Some(a) = map.get(&x.get_symbol())
            {
                **out = a.clone();
            }
        }))
    }

    fn substituted_var(
        &mut self,
        v: Var,
        with: &dyn Fn(Var) -> Option<Expr>,
        memo: &mut FxHashMap<Var, Expr>,
    ) -> Expr {
        if let Some(e) = with(v) {
            return e;
        }
        match self.info(v).meaning.clone() {
            Meaning::Base | Meaning::Pi => self.var(v),
            Meaning::Definition(d) => self.substitute(&d, with, memo),
            Meaning::Kernel(k, args) => {
                let new: Vec<Expr> = args
                    .iter()
                    .map(|a| self.substitute(a, with, memo))
                    .collect();
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
                let new: Vec<Expr> = args
                    .iter()
                    .map(|a| self.substitute(a, with, memo))
                    .collect();
                if new == args {
                    self.var(v)
                } else {
                    self.jet(function, partials, new)
                }
            }
        }
    }
}

fn leaves(v: AtomView<'_>) -> usize {
    match v {
        AtomView::Num(_) | AtomView::Var(_) | AtomView::Fun(_) => 1,
        AtomView::Add(a) => a.iter().map(leaves).sum(),
        AtomView::Mul(m) => m.iter().map(leaves).sum(),
        AtomView::Pow(p) => leaves(p.get_base_exp().0) + 1,
    }
}
