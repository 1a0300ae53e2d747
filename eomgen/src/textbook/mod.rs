//! Expressions as books print them: sums of angles where products of sines are, like terms over parameters together, squares and common
//! factors taken out, each acceleration and each product of rates once, and terms in the order of the books. Whatever comes of it is compared
//! with the expression that it came from. Knows the classes of symbols, and nothing else of mechanics.
//!
//! The steps: an expression is multiplied out, and the sines and cosines of each of its terms become a sum of waves over whole combinations of
//! the angles, a form in which equal things are equal ([`fourier`]). Each such sum has several spellings, by sums of angles or by products;
//! the shortest is taken, ties alike in the whole expression ([`factor`]). The result is a polynomial again, which is written with as few
//! names and numbers as a bounded search finds ([`factor`], [`equation`]).

mod atom;
mod atoms;
mod changes;
mod equation;
mod factor;
mod forms;
mod fourier;
mod polynomial;
mod spread;
mod spreading;
mod squares;
mod statement;
mod sum;
#[cfg(test)]
mod tests;
mod write;

pub use changes::{Changes, Mark};
pub use forms::Forms;
pub use statement::{function, statement};

use crate::notation::Math;
use crate::sym::{Algebra, Expr, Node, Var};
use atom::Role;
use atoms::Atoms;
use equation::Divisor;
use factor::Factoring;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;
use spreading::Spreading;
use std::cell::RefCell;
use std::rc::Rc;
use sum::{Sum, Term};
use write::Writer;

/// How much work an expression is worth.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Terms, multiplied out, up to which it is printed in this way.
    pub terms: usize,
    /// Polynomials within it that are looked at in more than one way.
    pub steps: usize,
    /// Terms of these, all together.
    pub work: usize,
}

/// Expressions of one derivation as they are printed, each worked out once.
pub struct Press {
    effort: Effort,
    known: RefCell<FxHashMap<Expr, Option<Rc<Printed>>>>,
}

impl Press {
    /// Without expressions.
    pub fn new(effort: Effort) -> Self {
        Self {
            effort,
            known: RefCell::default(),
        }
    }

    /// [`Printed::expression`].
    pub fn expression(&self, alg: &Algebra, e: &Expr) -> Option<Rc<Printed>> {
        if let Some(known) = self.known.borrow().get(e) {
            return known.clone();
        }
        let printed = Printed::expression(alg, e, self.effort).map(Rc::new);
        self.known.borrow_mut().insert(e.clone(), printed.clone());
        printed
    }
}

/// What stands on the right of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Unknown forces.
    Forces,
    /// All but the accelerations, in an equation of motion.
    Rest,
    /// All but the accelerations, in a row of A q'' = b, whose sign means nothing.
    RowRest,
}

/// An expression as a book prints it.
pub struct Printed {
    atoms: Atoms,
    sum: Sum,
    divisor: Option<Divisor>,
    /// Whether an equation's sign means nothing: that of a row of A q'' = b.
    unsigned: bool,
}

impl Printed {
    /// [`Printed::expression`], where it has the form of one that was printed before in that form.
    pub fn expression_among(alg: &Algebra, e: &Expr, forms: &Forms) -> Option<Self> {
        let mut effort = forms.effort;
        Self::new(alg, e, &mut effort, |factoring, spread| {
            Some((forms.expression(factoring, spread)?, None))
        })
    }

    /// An expression, its value as it is. `None` where that is too long.
    pub fn expression(alg: &Algebra, e: &Expr, mut effort: Effort) -> Option<Self> {
        Self::new(alg, e, &mut effort, |factoring, spread| {
            Some((equation::expression(factoring, spread)?, None))
        })
    }

    /// What is zero by an equation of motion: common factors that cannot vanish are left out. The work that it takes is taken from the effort, so that
    /// many equations share it.
    pub fn equation(alg: &Algebra, e: &Expr, right: Right, effort: &mut Effort) -> Option<Self> {
        let printed = Self::new(alg, e, effort, |factoring, spread| {
            let (sum, divisor) = equation::equation(factoring, spread, right)?;
            Some((sum, Some(divisor)))
        })?;
        Some(Self {
            unsigned: right == Right::RowRest,
            ..printed
        })
    }

    fn new(
        alg: &Algebra,
        e: &Expr,
        effort: &mut Effort,
        print: impl Fn(&mut Factoring<'_>, &spread::Spread) -> Option<(Sum, Option<Divisor>)>,
    ) -> Option<Self> {
        let mut atoms = Atoms::new(alg, &[e]);
        let node = alg.node(e);
        let mut spreading = Spreading {
            alg,
            atoms: &mut atoms,
            most: effort.terms,
            divisors: Vec::new(),
        };
        let spread = spreading.spread(&node)?;
        let common = spreading.over_common_divisors(&spread);
        let mut found: Option<(Sum, Option<Divisor>)> = None;
        for spread in [Some(spread), common].iter().flatten() {
            let mut factoring = Factoring::new(alg, &mut atoms, *effort);
            let printed = print(&mut factoring, spread);
            effort.work = factoring.left();
            let (sum, divisor) = printed?;
            if found.as_ref().is_none_or(|f| sum.size() < f.0.size()) {
                found = Some((sum, divisor));
            }
        }
        let (sum, divisor) = found?;
        let printed = Self {
            atoms,
            sum,
            divisor,
            unsigned: false,
        };
        printed.is(alg, e, &node).then_some(printed)
    }

    /// Whether its value is that of the expression that it came from: what is 1 at every state is 1 in both.
    fn is(&self, alg: &Algebra, e: &Expr, node: &Node) -> bool {
        let mut value = write::value(alg, &self.atoms, &self.sum);
        if let Some(d) = &self.divisor {
            value = value * self.divisor_value(alg, d);
        }
        if alg.equal(&value, e) {
            return true;
        }
        let bare = without_units(alg, node);
        alg.equal(&value, &alg.expr_of(&bare))
    }

    fn divisor_value(&self, alg: &Algebra, d: &Divisor) -> Expr {
        let mut product = Expr::rational(&d.number);
        for (atom, e) in &d.powers.0 {
            product = product * write::atom_value(alg, &self.atoms, *atom).powi(*e);
        }
        for (sum, e) in &d.sums {
            product = product * sum.powi(*e);
        }
        product
    }

    /// Names and numbers in it.
    pub fn leaves(&self) -> usize {
        self.sum.leaves()
    }

    /// As mathematics.
    pub fn math(&self, alg: &Algebra, symbol: &mut dyn FnMut(Var) -> Math) -> Math {
        self.writer(alg, symbol).sum(&self.sum)
    }

    /// Both sides of an equation: which terms stand on the right, with the opposite sign.
    pub fn sides(
        &self,
        alg: &Algebra,
        right: Right,
        symbol: &mut dyn FnMut(Var) -> Math,
    ) -> (Math, Math) {
        let is_right = |t: &&Term| match right {
            Right::Forces => t.role(&self.atoms) == Role::Multiplier,
            Right::Rest | Right::RowRest => t.role(&self.atoms) != Role::Acceleration,
        };
        let (right, left): (Vec<&Term>, Vec<&Term>) = self.sum.terms.iter().partition(is_right);
        let opposite = |t: &Term| Term {
            coefficient: -t.coefficient.clone(),
            ..t.clone()
        };
        let left: Vec<Term> = left.into_iter().cloned().collect();
        let right: Vec<Term> = right.into_iter().map(opposite).collect();
        let mut writer = self.writer(alg, symbol);
        (writer.terms(&left), writer.terms(&right))
    }

    fn writer<'a>(
        &'a self,
        alg: &'a Algebra,
        symbol: &'a mut dyn FnMut(Var) -> Math,
    ) -> Writer<'a> {
        Writer {
            alg,
            atoms: &self.atoms,
            symbol,
        }
    }

    /// What the equation was divided by, unless that is 1.
    pub fn divisor(&self, alg: &Algebra, symbol: &mut dyn FnMut(Var) -> Math) -> Option<Math> {
        let d = self.divisor.as_ref()?;
        let number = if self.unsigned {
            d.number.abs()
        } else {
            d.number.clone()
        };
        let powers = d.powers.only(|a| !self.atoms.is_unit(a));
        let sums = || d.sums.iter().filter(|s| !alg.is_unit(&s.0));
        if number.is_one() && powers.is_one() && sums().next().is_none() {
            return None;
        }
        let mut all = Vec::new();
        for (e, k) in sums() {
            let base = alg.math(&alg.node(e), symbol);
            all.push((base, *k));
        }
        let term = Term {
            coefficient: number,
            powers,
            factors: Vec::new(),
        };
        let mut math = self.writer(alg, symbol).terms(&[term]);
        for (base, k) in all {
            let power = match k {
                1 => base,
                k => Math::Power(Box::new(base), Box::new(Math::integer(k.into()))),
            };
            math = math.times(power);
        }
        Some(math)
    }
}

/// A tree with 1 for what is 1 at every state.
fn without_units(alg: &Algebra, n: &Node) -> Node {
    if alg.is_unit_node(n) {
        return Node::Number(One::one());
    }
    match n {
        Node::Number(_) | Node::Var(_) => n.clone(),
        Node::Sum(terms) => Node::Sum(terms.iter().map(|t| without_units(alg, t)).collect()),
        Node::Product(c, factors) => {
            let factors = factors.iter();
            let factors = factors.map(|(b, e)| (without_units(alg, b), *e));
            Node::Product(c.clone(), factors.collect())
        }
    }
}
