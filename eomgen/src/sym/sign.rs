//! What can be said of an expression's sign from the declared assumptions.

use super::expr::Expr;
use super::node::Node;
use super::{Algebra, Meaning};
use crate::model::system::Sign;
use num_traits::{Signed, Zero};

/// Expressions up to this size are written out and simplified to learn their sign.
const SMALL: usize = 400;

impl Algebra {
    /// The sign of an expression, if the assumptions settle it.
    pub fn sign(&self, e: &Expr) -> Option<Sign> {
        sharper(self.node_sign(&self.node(e)), || {
            self.assumed(e).or_else(|| self.sign_of_constant(e))
        })
    }

    fn assumed(&self, e: &Expr) -> Option<Sign> {
        for (a, sign) in self.assumptions.candidates(self.sample(e)) {
            if a == e || self.is_zero(&(a - e)) {
                return Some(*sign);
            }
            if self.is_zero(&(a + e)) {
                return Some(flip(*sign));
            }
        }
        None
    }

    /// The sign of a quantity that equals the one or the other.
    pub(super) fn sign_of_either(&self, a: &Expr, b: &Expr) -> Option<Sign> {
        use Sign::{Negative, NonNegative, NonPositive, NonZero, Positive};
        let of = |e: &Expr| {
            if e.is_literal_zero() {
                Some(None)
            } else {
                self.sign(e).map(Some)
            }
        };
        match (of(a)?, of(b)?) {
            (Some(a), Some(b)) if a == b => Some(a),
            (Some(Positive | NonNegative) | None, Some(Positive | NonNegative) | None) => {
                Some(NonNegative)
            }
            (Some(Negative | NonPositive) | None, Some(Negative | NonPositive) | None) => {
                Some(NonPositive)
            }
            (Some(Positive | Negative | NonZero), Some(Positive | Negative | NonZero)) => {
                Some(NonZero)
            }
            _ => None,
        }
    }

    fn node_sign(&self, n: &Node) -> Option<Sign> {
        match n {
            Node::Number(r) if r.is_zero() => None,
            Node::Number(r) => Some(if r.is_positive() {
                Sign::Positive
            } else {
                Sign::Negative
            }),
            Node::Var(v) => {
                let info = self.info(*v);
                info.sign.or_else(|| match &info.meaning {
                    Meaning::Definition(d) => self.sign(&d.clone()),
                    _ if self.assumptions.is_empty() => None,
                    _ => self.assumed(&self.var(*v)),
                })
            }
            Node::Sum(terms) => {
                let mut total: Option<Sign> = None;
                for (i, t) in terms.iter().enumerate() {
                    let s = self.node_sign(t)?;
                    total = Some(if i == 0 { s } else { sum(total?, s)? });
                }
                total
            }
            Node::Product(c, factors) => {
                let mut s = if c.is_positive() {
                    Sign::Positive
                } else {
                    Sign::Negative
                };
                for (b, e) in factors {
                    let f = match self.base_sign(b) {
                        known if e % 2 == 0 => match known {
                            Some(Sign::Positive | Sign::Negative | Sign::NonZero) => Sign::Positive,
                            _ if *e < 0 => Sign::Positive,
                            _ => Sign::NonNegative,
                        },
                        known => known?,
                    };
                    s = product(s, f)?;
                }
                Some(s)
            }
        }
    }

    fn base_sign(&self, b: &Node) -> Option<Sign> {
        sharper(self.node_sign(b), || match b {
            Node::Sum(_) => {
                let sum = self.expr_of(b);
                self.assumed(&sum).or_else(|| self.sign_of_constant(&sum))
            }
            _ => None,
        })
    }

    /// Whether the expression is certain not to vanish under the assumptions (where it is defined).
    pub fn is_nonzero(&mut self, e: &Expr) -> bool {
        if let Some(known) = self.nonzero.get(e) {
            return *known;
        }
        let found = !self.changes_sign(e) && self.never_vanishes(e);
        self.nonzero.insert(e.clone(), found);
        found
    }

    fn never_vanishes(&mut self, e: &Expr) -> bool {
        let strict =
            |s: Option<Sign>| matches!(s, Some(Sign::Positive | Sign::Negative | Sign::NonZero));
        if strict(self.sign(e)) {
            return true;
        }
        if self.inlined_size(e, SMALL) >= SMALL {
            return false;
        }
        let e = self.inline(e);
        let simple = self.simplify(&e);
        if strict(self.sign(&simple)) {
            return true;
        }
        let factors = match self.node(&simple) {
            Node::Product(_, f) => f,
            other => vec![(other, 1)],
        };
        // A reciprocal has no zero where it is defined.
        factors.iter().all(|(b, e)| {
            *e < 0 || strict(self.base_sign(b)) || {
                let base = self.expr_of(b);
                self.circle_forms(&base)
                    .iter()
                    .any(|f| strict(self.sign(f)))
            }
        })
    }

    /// Whether the expression is certain not to be negative.
    pub fn is_nonnegative(&mut self, e: &Expr) -> bool {
        let good = |s: Option<Sign>| matches!(s, Some(Sign::Positive | Sign::NonNegative));
        if e.is_literal_zero() || good(self.sign(e)) {
            return true;
        }
        if self.is_somewhere_negative(e) || self.inlined_size(e, SMALL) >= SMALL {
            return false;
        }
        let e = self.inline(e);
        let simple = self.simplify(&e);
        good(self.sign(&simple))
            || self
                .circle_forms(&simple)
                .iter()
                .any(|f| good(self.sign(f)))
    }
}

/// What is seen, or where that leaves zero open, what is assumed.
fn sharper(seen: Option<Sign>, assumed: impl FnOnce() -> Option<Sign>) -> Option<Sign> {
    use Sign::{Negative, NonNegative, NonPositive, NonZero, Positive};
    match seen {
        Some(Positive | Negative) => seen,
        None => assumed(),
        Some(open) => match (open, assumed()) {
            (NonNegative, Some(NonZero)) => Some(Positive),
            (NonPositive, Some(NonZero)) => Some(Negative),
            (_, Some(strict @ (Positive | Negative))) => Some(strict),
            _ => seen,
        },
    }
}

fn flip(s: Sign) -> Sign {
    match s {
        Sign::Positive => Sign::Negative,
        Sign::Negative => Sign::Positive,
        Sign::NonNegative => Sign::NonPositive,
        Sign::NonPositive => Sign::NonNegative,
        Sign::NonZero => Sign::NonZero,
    }
}

fn product(a: Sign, b: Sign) -> Option<Sign> {
    use Sign::{Negative, NonNegative, NonPositive, NonZero, Positive};
    Some(match (a, b) {
        (Positive, x) | (x, Positive) => x,
        (Negative, x) | (x, Negative) => flip(x),
        (NonZero, NonZero) => NonZero,
        (NonNegative, NonNegative) | (NonPositive, NonPositive) => NonNegative,
        (NonNegative, NonPositive) | (NonPositive, NonNegative) => NonPositive,
        _ => return None,
    })
}

fn sum(a: Sign, b: Sign) -> Option<Sign> {
    use Sign::{Negative, NonNegative, NonPositive, Positive};
    match (a, b) {
        (Positive, Positive | NonNegative) | (NonNegative, Positive) => Some(Positive),
        (Negative, Negative | NonPositive) | (NonPositive, Negative) => Some(Negative),
        (NonNegative, NonNegative) => Some(NonNegative),
        (NonPositive, NonPositive) => Some(NonPositive),
        _ => None,
    }
}

impl Algebra {
    /// The factors of a simplified expression, numbers left out, each to the first power; those of
    /// its denominator too.
    pub fn factors(&mut self, e: &Expr) -> Vec<Expr> {
        if self.inlined_size(e, SMALL) >= SMALL {
            return vec![e.clone()];
        }
        let flat = self.inline(e);
        let simple = self.simplify(&flat);
        match self.node(&simple) {
            Node::Number(_) => Vec::new(),
            Node::Product(_, f) => f.iter().map(|(b, _)| self.expr_of(b)).collect(),
            _ => vec![simple],
        }
    }

    /// The distinct bases of negative powers anywhere in an expression.
    pub fn divisors(&self, e: &Expr) -> Vec<Expr> {
        let mut list = Vec::new();
        self.collect_divisors(&self.node(e), &mut list);
        list
    }

    /// Writes divisors that are equal in value, or opposite, in one way: the shortest there is among them.
    pub fn unify_divisors(&self, list: &mut [Expr]) {
        let mut kinds: Vec<Expr> = Vec::new();
        let mut all: Vec<Expr> = list.iter().flat_map(|e| self.divisors(e)).collect();
        all.sort_by_key(|d| self.node(d).size());
        let mut changes: Vec<(Expr, Expr)> = Vec::new();
        for d in all {
            if changes.iter().any(|(from, _)| *from == d) || kinds.contains(&d) {
                continue;
            }
            let known = kinds.iter().find_map(|k| match () {
                () if self.equal(k, &d) => Some(k.clone()),
                () if self.is_zero(&(k + &d)) => Some(-k),
                () => None,
            });
            match known {
                Some(k) => changes.push((d, k)),
                None => kinds.push(d),
            }
        }
        if changes.is_empty() {
            return;
        }
        for e in list {
            *e = self.with_divisors(&self.node(e), &changes);
        }
    }

    fn with_divisors(&self, n: &Node, changes: &[(Expr, Expr)]) -> Expr {
        match n {
            Node::Number(_) | Node::Var(_) => self.expr_of(n),
            Node::Sum(terms) => terms.iter().map(|t| self.with_divisors(t, changes)).sum(),
            Node::Product(c, factors) => {
                let start = self.expr_of(&Node::Number(c.clone()));
                factors.iter().fold(start, |product, (b, e)| {
                    let base = self.expr_of(b);
                    let change = changes.iter().find(|(from, _)| *e < 0 && *from == base);
                    let base = match change {
                        Some((_, to)) => to.clone(),
                        None => self.with_divisors(b, changes),
                    };
                    product * base.powi(*e)
                })
            }
        }
    }

    fn collect_divisors(&self, n: &Node, list: &mut Vec<Expr>) {
        match n {
            Node::Number(_) | Node::Var(_) => {}
            Node::Sum(t) => t.iter().for_each(|t| self.collect_divisors(t, list)),
            Node::Product(_, f) => {
                for (b, e) in f {
                    if *e < 0 {
                        let d = self.expr_of(b);
                        if !list.contains(&d) {
                            list.push(d);
                        }
                    }
                    self.collect_divisors(b, list);
                }
            }
        }
    }
}
