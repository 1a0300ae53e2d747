//! Simplification with counted budgets: one quotient, reduced on every circle and root, in the
//! cheapest of a bounded set of equivalent forms, factored.
//!
//! The rules: (1) the value never changes; (2) no form is chosen that has more terms than the one it
//! replaces; (3) nothing here cancels a factor whose vanishing has not been recorded by the caller
//! before (elimination records pivots, see `elim`); (4) a spent budget leaves the expression alone.

use super::expr::{self, Expr};
use super::poly::{Poly, Quotient, homogeneous, reduce_circle, weight};
use super::size::terms_when_expanded;
use super::{Algebra, Var, leaves};
use num_traits::Signed;
use symbolica::atom::{AtomCore, AtomView};
use symbolica::poly::factor::Factorize;

/// In expressions of more symbols and numbers no angle is looked for that cancels: one that does is met before they grow so long.
const TURNED: usize = 60;

/// A form that was found, and what finding it counted in the budget.
pub(super) struct Simplified {
    form: Expr,
    work: usize,
}

impl Algebra {
    /// The simplest form found within the budget.
    pub fn simplify(&mut self, e: &Expr) -> Expr {
        match e.0.as_atom_view() {
            AtomView::Num(_) | AtomView::Var(_) => return e.clone(),
            _ => {}
        }
        // The budget is spent as if the form were found anew: what is found does not depend on what was asked before.
        if let Some(known) = self.simplified.get(e)
            && self.work.saturating_add(known.work) <= self.budget.work
        {
            self.work += known.work;
            return known.form.clone();
        }
        let before = self.work;
        let form = self.simplest(e).filter(|form| self.is_sound(e, form));
        if let Some(form) = &form
            && self.work <= self.budget.work
        {
            let known = Simplified {
                form: form.clone(),
                work: self.work - before,
            };
            self.simplified.insert(e.clone(), known);
        }
        form.unwrap_or_else(|| {
            self.spent += 1;
            e.clone()
        })
    }

    /// The expression without an angle whose sines and cosines cancel: `r cos^2 s + r sin^2 s` is `r`. `None` if there is none, and where nothing gets
    /// shorter.
    pub(super) fn turned_back(&mut self, e: &Expr) -> Option<Expr> {
        if leaves(e.0.as_atom_view()) > TURNED {
            return None;
        }
        let mut squared = Vec::new();
        self.collect_squared(e.0.as_atom_view(), &mut squared);
        let sine = |v: &Var| self.circle_with(*v).filter(|(s, _)| s == v);
        let circles: Vec<(Var, Var)> = squared.iter().filter_map(sine).collect();
        let gone =
            |circle: &(Var, Var)| squared.contains(&circle.1) && self.stays_turned(e, *circle);
        if !circles.iter().any(gone) {
            return None;
        }
        let simple = self.simplify(e);
        let left = self.variables(&simple);
        let is_gone = |(s, c): &(Var, Var)| !left.contains(s) && !left.contains(c);
        let shorter = leaves(simple.0.as_atom_view()) < leaves(e.0.as_atom_view());
        (shorter && circles.iter().any(is_gone)).then_some(simple)
    }

    /// The symbols of which a square stands in an expression.
    fn collect_squared(&self, v: AtomView<'_>, found: &mut Vec<Var>) {
        match v {
            AtomView::Num(_) | AtomView::Fun(_) | AtomView::Var(_) => {}
            AtomView::Pow(p) => {
                let (base, exponent) = p.get_base_exp();
                match base {
                    AtomView::Var(x) if expr::exponent(exponent) == Some(2) => {
                        found.extend(self.lookup(x.get_symbol()));
                    }
                    _ => self.collect_squared(base, found),
                }
            }
            AtomView::Mul(m) => m.iter().for_each(|f| self.collect_squared(f, found)),
            AtomView::Add(a) => a.iter().for_each(|t| self.collect_squared(t, found)),
        }
    }

    /// Whether a form has the value of what it is made from, at one point: a mistake here would be one in every formulation alike. Forms
    /// with roots are spared, whose signs follow from assumptions that the point need not meet.
    fn is_sound(&self, e: &Expr, form: &Expr) -> bool {
        let sound = self.is_rooted(e) || self.sample(e) == self.sample(form);
        debug_assert!(sound, "a form differs from what it is made from");
        sound
    }

    /// `None` where the budget does not allow for it.
    fn simplest(&mut self, e: &Expr) -> Option<Expr> {
        if self.is_zero(e) {
            return Some(Expr::zero());
        }
        let terms = terms_when_expanded(e.0.as_atom_view(), &self.units);
        self.work = self.work.saturating_add(terms.min(self.budget.terms + 1));
        if terms > self.budget.terms || self.work > self.budget.work {
            return None;
        }
        let q = self.quotient(e);
        let q = self.reduce(q);
        if q.num.is_zero() {
            return Some(Expr::zero());
        }
        Some(self.factored(&q))
    }

    /// Products multiplied out, if that stays within the budget.
    pub fn expanded(&self, e: &Expr) -> Expr {
        if terms_when_expanded(e.0.as_atom_view(), &self.units) > self.budget.terms {
            e.clone()
        } else {
            e.expand()
        }
    }

    /// The chosen form on every circle, cancelled.
    fn reduce(&mut self, q: Quotient) -> Quotient {
        let mut q = Quotient {
            num: self.reduce_roots(&q.num),
            den: self.reduce_roots(&q.den),
        };
        for other in self.rationalised(&q) {
            self.work = self.work.saturating_add(effort(&other.num, &other.den));
            q = better(q, cancel(other.num, other.den));
        }
        let circles = self.circle_positions(&q.num);
        // The canonical form first: it finds cancellations that need the relation.
        let canonical = |p: &Poly| {
            circles
                .iter()
                .fold(p.clone(), |p, c| reduce_circle(&p, *c, true))
        };
        let (cn, cd) = (canonical(&q.num), canonical(&q.den));
        if cn.is_zero() {
            return Quotient {
                num: cn,
                den: q.den,
            };
        }
        if !cd.is_zero() {
            self.work = self.work.saturating_add(effort(&cn, &cd));
            q = better(q, cancel(cn.clone(), cd.clone()));
        }
        if q.num.nterms() + q.den.nterms() > 400 {
            return q;
        }
        // A power of the sine of a difference of angles is one on all circles at once, and none on any by itself.
        if circles.len() > 1 && !cd.is_zero() {
            let even = |canonical: &Poly, p: &Poly| {
                let form = circles
                    .iter()
                    .fold(canonical.clone(), |p, c| homogeneous(&p, *c));
                let is_short = form.nterms() < MANY.min(p.nterms());
                (is_short && is_product_of_sums(&form)).then_some(form)
            };
            let (num, den) = (even(&cn, &q.num), even(&cd, &q.den));
            if num.is_some() || den.is_some() {
                // Both as they were: a factor that has been cancelled is missing in one as in the other.
                let num = num.unwrap_or(cn);
                let den = den.unwrap_or(cd);
                self.work = self.work.saturating_add(effort(&num, &den));
                q = better(q, cancel(num, den));
            }
        }
        for _ in 0..2 {
            let before = score(&q);
            for c in &circles {
                let (nums, dens) = (forms(&q.num, *c), forms(&q.den, *c));
                let mut tried = Vec::new();
                for (i, n) in nums.iter().enumerate() {
                    for (j, d) in dens.iter().enumerate() {
                        if (i, j) == (0, 0) || d.is_zero() || self.work > self.budget.work {
                            continue;
                        }
                        self.work = self.work.saturating_add(effort(n, d));
                        // A polynomial without the circle's symbols is the same in all forms.
                        if !tried.contains(&(n, d)) {
                            tried.push((n, d));
                            q = better(q, cancel(n.clone(), d.clone()));
                        }
                    }
                }
            }
            if score(&q) >= before {
                break;
            }
        }
        q
    }

    /// Other forms of an expression on each circle (for sign tests).
    pub(super) fn circle_forms(&mut self, e: &Expr) -> Vec<Expr> {
        if terms_when_expanded(e.0.as_atom_view(), &self.units) > self.budget.terms {
            return Vec::new();
        }
        let q = self.quotient(e);
        let circles = self.circle_positions(&q.num);
        let mut forms = vec![q.num.clone()];
        for c in circles.iter().take(4) {
            let more: Vec<Poly> = forms
                .iter()
                .flat_map(|p| [reduce_circle(p, *c, true), reduce_circle(p, *c, false)])
                .collect();
            forms.extend(more);
        }
        forms
            .iter()
            .map(|p| Expr(p.to_expression()) / Expr(q.den.to_expression()))
            .collect()
    }

    /// Numerator over denominator. A minus sign in front goes into a sum whose signs are even, if there is one.
    fn factored(&self, q: &Quotient) -> Expr {
        let mut top = self.factors_of(&q.num);
        let mut bottom = self.factors_of(&q.den);
        let mut negative = false;
        for f in top.iter_mut().chain(&mut bottom) {
            let (minus, terms) = self.minus_signs(&f.0);
            if 2 * minus > terms {
                f.0 = (-&f.0).expand();
                negative ^= f.1 % 2 == 1;
            }
        }
        for f in &mut bottom {
            if self.leads_negative(&f.0) {
                f.0 = (-&f.0).expand();
                negative ^= f.1 % 2 == 1;
            }
        }
        let balanced = |s: &Self, f: &(Expr, usize)| {
            let (minus, terms) = s.minus_signs(&f.0);
            terms > 1 && 2 * minus == terms && f.1 % 2 == 1
        };
        if let Some(at) = top.iter().position(|f| balanced(self, f)) {
            // One balanced sum takes the sign; without a sign to take it shows its first term positive if it can.
            if negative {
                top[at].0 = (-&top[at].0).expand();
                negative = false;
            }
        }
        let product = |list: &[(Expr, usize)]| {
            list.iter()
                .fold(Expr::one(), |p, (e, k)| p * e.powi(*k as i32))
        };
        let value = product(&top) / product(&bottom);
        if negative { -value } else { value }
    }

    fn factors_of(&self, p: &Poly) -> Vec<(Expr, usize)> {
        if p.nterms() > self.budget.factor_terms {
            return vec![(self.content_split(p), 1)];
        }
        p.factor()
            .into_iter()
            .map(|(f, k)| (Expr(f.to_expression()), k))
            .collect()
    }

    /// How many of an expression's terms carry a minus sign, and how many there are.
    fn minus_signs(&self, e: &Expr) -> (usize, usize) {
        match e.0.as_atom_view() {
            AtomView::Add(sum) => {
                let minus = sum.iter().filter(|t| self.is_negative(*t)).count();
                (minus, sum.get_nargs())
            }
            term => (usize::from(self.is_negative(term)), 1),
        }
    }

    /// Whether a minus sign stands in front of a term.
    fn is_negative(&self, term: AtomView<'_>) -> bool {
        match term {
            AtomView::Num(_) => self.rational_of(term).is_negative(),
            AtomView::Mul(m) => m.iter().filter(|f| self.is_negative(*f)).count() % 2 == 1,
            _ => false,
        }
    }

    /// Only the monomial content taken out.
    fn content_split(&self, p: &Poly) -> Expr {
        let mut low: Vec<u16> = vec![u16::MAX; p.nvars()];
        for t in p {
            for (l, e) in low.iter_mut().zip(t.exponents) {
                *l = (*l).min(*e);
            }
        }
        let content = p.monomial(1.into(), low);
        match p.try_div(&content) {
            Some(rest) => Expr(content.to_expression()) * Expr(rest.to_expression()),
            None => Expr(p.to_expression()),
        }
    }

    fn leads_negative(&self, e: &Expr) -> bool {
        match self.node(e) {
            super::Node::Sum(t) => {
                let minus = t.iter().filter(|t| t.is_negative()).count();
                2 * minus == t.len() && t.first().is_some_and(super::Node::is_negative)
            }
            _ => false,
        }
    }
}

/// A polynomial and what it is on a circle: without squares of the sine, without those of the cosine, and in powers of one degree, where that has
/// fewest terms and is a product of sums.
fn forms(p: &Poly, circle: (usize, usize)) -> Vec<Poly> {
    let cosines = reduce_circle(p, circle, true);
    let even = homogeneous(&cosines, circle);
    let mut forms = vec![p.clone(), cosines, reduce_circle(p, circle, false)];
    let terms = even.nterms();
    if terms < MANY && forms.iter().all(|f| terms < f.nterms()) && is_product_of_sums(&even) {
        forms.push(even);
    }
    forms
}

/// Terms from which on no factors are looked for on a circle.
const MANY: usize = 60;

fn is_product_of_sums(p: &Poly) -> bool {
    let factors = p.factor().into_iter();
    let sums = factors.filter(|(f, _)| f.nterms() > 1);
    sums.map(|(_, k)| k).sum::<usize>() > 1
}

fn cancel(num: Poly, den: Poly) -> Quotient {
    let g = num.gcd(&den);
    if g.is_one() {
        return Quotient { num, den };
    }
    match (num.try_div(&g), den.try_div(&g)) {
        (Some(n), Some(d)) => Quotient { num: n, den: d },
        _ => Quotient { num, den },
    }
}

/// What a cancellation counts in the budget.
fn effort(num: &Poly, den: &Poly) -> usize {
    num.nterms() * den.nterms().min(50) + num.nterms() + den.nterms()
}

fn score(q: &Quotient) -> (usize, u64) {
    let (n, d) = (weight(&q.num), weight(&q.den));
    (n.0 + 2 * d.0, n.1 + 2 * d.1)
}

fn better(a: Quotient, b: Quotient) -> Quotient {
    if score(&b) < score(&a) { b } else { a }
}
