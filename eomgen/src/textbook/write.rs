//! A printed expression as mathematics, and as an expression of the algebra, with which it is compared.

use super::atom::Atom;
use super::atoms::{Angle, Atoms, Kind};
use super::sum::{Sum, Term};
use crate::notation::{Math, Symbol};
use crate::sym::{Algebra, Class, Expr, Var, rounded_number};
use num_traits::Signed;

/// Writes printed expressions with the names of a model.
pub(super) struct Writer<'a> {
    pub alg: &'a Algebra,
    pub atoms: &'a Atoms,
    pub symbol: &'a mut dyn FnMut(Var) -> Math,
}

impl Writer<'_> {
    pub(super) fn sum(&mut self, sum: &Sum) -> Math {
        self.terms(&sum.terms)
    }

    pub(super) fn terms(&mut self, terms: &[Term]) -> Math {
        let terms = terms.iter().map(|t| self.term(t));
        Math::sum(terms.collect())
    }

    fn term(&mut self, t: &Term) -> Math {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        match rounded_number(&t.coefficient.abs()) {
            Math::Quotient(numerator, denominator) => {
                above.extend(Some(*numerator).filter(|n| !n.is_one()));
                below.push(*denominator);
            }
            size => above.extend(Some(size).filter(|n| !n.is_one())),
        }
        // Numbers, constants and places, then sums, then sines and cosines, then rates.
        let atoms = self.atoms;
        let early = |a: Atom| atoms.class(a) <= Class::Coordinate;
        for (atom, e) in t
            .powers
            .0
            .iter()
            .filter(|f| early(f.0) && !atoms.is_unit(f.0))
        {
            let list = if *e > 0 { &mut above } else { &mut below };
            list.push(self.power(*atom, e.unsigned_abs()));
        }
        for (sum, e) in &t.factors {
            let base = self.sum(sum);
            above.push(raised(base, *e));
        }
        let mut late: Vec<(Atom, i32)> =
            t.powers.0.iter().filter(|f| !early(f.0)).copied().collect();
        late.sort_by_key(|f| atoms.order(f.0));
        for (atom, e) in &late {
            let list = if *e > 0 { &mut above } else { &mut below };
            list.push(self.power(*atom, e.unsigned_abs()));
        }
        let above = Math::product(above);
        let all = if below.is_empty() {
            above
        } else {
            Math::Quotient(Box::new(above), Box::new(Math::product(below)))
        };
        if t.is_negative() { all.negated() } else { all }
    }

    pub(super) fn power(&mut self, atom: Atom, e: u32) -> Math {
        let base = match self.atoms.kind(atom).clone() {
            Kind::Symbol(v) => (self.symbol)(v),
            Kind::Sine(a) => self.function("sin", &a),
            Kind::Cosine(a) => self.function("cos", &a),
            Kind::Tangent(a) => self.function("tan", &a),
            Kind::Sum(sum) => self.sum(&sum),
            Kind::Unit(_) => Math::integer(1),
        };
        raised(base, e)
    }

    fn function(&mut self, name: &str, angle: &Angle) -> Math {
        // What is added comes before what is subtracted.
        let mut parts = angle.clone();
        parts.sort_by_key(|(base, k)| (*k < 0, *base));
        let terms = parts.iter().map(|(base, k)| {
            let base = &self.atoms.bases()[*base as usize].angle;
            let angle = self.alg.math(&self.alg.node(base), self.symbol);
            let size = match k.unsigned_abs() {
                1 => angle,
                n => Math::integer(n.into()).times(angle),
            };
            if *k < 0 { size.negated() } else { size }
        });
        let terms: Vec<Math> = terms.collect();
        Math::Function(Symbol::verbatim(name), vec![Math::sum(terms)])
    }
}

fn raised(base: Math, e: u32) -> Math {
    match e {
        1 => base,
        e => Math::Power(Box::new(base), Box::new(Math::integer(e.into()))),
    }
}

/// The value of a printed expression in the algebra.
pub(super) fn value(alg: &Algebra, atoms: &Atoms, sum: &Sum) -> Expr {
    sum.terms.iter().map(|t| term_value(alg, atoms, t)).sum()
}

fn term_value(alg: &Algebra, atoms: &Atoms, t: &Term) -> Expr {
    let mut product = Expr::rational(&t.coefficient);
    for (atom, e) in &t.powers.0 {
        product = product * atom_value(alg, atoms, *atom).powi(*e);
    }
    for (sum, e) in &t.factors {
        product = product * value(alg, atoms, sum).powi(*e as i32);
    }
    product
}

pub(super) fn atom_value(alg: &Algebra, atoms: &Atoms, atom: Atom) -> Expr {
    match atoms.kind(atom) {
        Kind::Symbol(v) => alg.var(*v),
        Kind::Sine(a) => circular(alg, atoms, a).0,
        Kind::Cosine(a) => circular(alg, atoms, a).1,
        Kind::Tangent(a) => {
            let (s, c) = circular(alg, atoms, a);
            s / c
        }
        Kind::Sum(sum) => value(alg, atoms, sum),
        Kind::Unit(place) => alg.units().get(*place).cloned().unwrap_or_else(Expr::one),
    }
}

/// Sine and cosine of a combination of angles, by the addition theorems. Those of the multiples of one angle are multiplied out: each step of the
/// theorems writes what it is given twice.
fn circular(alg: &Algebra, atoms: &Atoms, angle: &Angle) -> (Expr, Expr) {
    let added = |(s, c): (Expr, Expr), (bs, bc): (&Expr, &Expr)| {
        let sine = &s * bc + &c * bs;
        (sine, &c * bc - &s * bs)
    };
    let mut whole = (Expr::zero(), Expr::one());
    for (base, k) in angle {
        let base = &atoms.bases()[*base as usize];
        let (bs, bc) = (alg.var(base.sine), alg.var(base.cosine));
        let bs = if *k < 0 { -bs } else { bs };
        let mut multiple = (bs.clone(), bc.clone());
        for _ in 1..k.abs() {
            let (s, c) = added(multiple, (&bs, &bc));
            multiple = (s.expand(), c.expand());
        }
        whole = added(whole, (&multiple.0, &multiple.1));
    }
    whole
}
