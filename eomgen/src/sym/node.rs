//! A readable tree of an expression, in the model's order: what printing, lowering and sign
//! analysis walk. The engine's own term order never leaves this module.

use super::expr::{self, Expr, Var};
use super::{Algebra, Class};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use symbolica::atom::{AtomCore, AtomView};

/// A sum of products of powers.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An exact number.
    Number(BigRational),
    /// A pool symbol.
    Var(Var),
    /// At least two terms.
    Sum(Vec<Node>),
    /// `coefficient * base^exponent * ...`; bases are variables or sums.
    Product(BigRational, Vec<(Node, i32)>),
}

impl Node {
    /// The numerical factor.
    pub fn coefficient(&self) -> BigRational {
        match self {
            Node::Number(n) => n.clone(),
            Node::Product(c, _) => c.clone(),
            _ => BigRational::one(),
        }
    }

    /// Whether a minus sign stands in front.
    pub fn is_negative(&self) -> bool {
        self.coefficient().is_negative()
    }

    /// The same with the opposite sign.
    pub fn negated(&self) -> Node {
        match self {
            Node::Number(n) => Node::Number(-n),
            Node::Product(c, f) if (-c).is_one() && f.len() == 1 && f[0].1 == 1 => f[0].0.clone(),
            Node::Product(c, f) => Node::Product(-c, f.clone()),
            other => Node::Product(-BigRational::one(), vec![(other.clone(), 1)]),
        }
    }

    /// Adds the symbols that stand in it.
    pub fn variables(&self, found: &mut Vec<Var>) {
        match self {
            Self::Number(_) => {}
            Self::Var(v) => found.push(*v),
            Self::Sum(terms) => terms.iter().for_each(|t| t.variables(found)),
            Self::Product(_, factors) => factors.iter().for_each(|f| f.0.variables(found)),
        }
    }

    /// Number of terms, factors and numbers.
    pub fn size(&self) -> usize {
        match self {
            Node::Number(_) | Node::Var(_) => 1,
            Node::Sum(t) => t.iter().map(Node::size).sum(),
            Node::Product(_, f) => {
                f.iter()
                    .map(|(b, e)| b.size() + usize::from(*e != 1))
                    .sum::<usize>()
                    + 1
            }
        }
    }
}

impl Algebra {
    /// The expression as a tree in the model's order.
    pub fn node(&self, e: &Expr) -> Node {
        self.view(e.0.as_atom_view())
    }

    fn view(&self, v: AtomView<'_>) -> Node {
        match v {
            AtomView::Num(_) => Node::Number(self.rational_of(v)),
            // What is not in the pool is noted by `lookup`.
            AtomView::Var(x) => self
                .lookup(x.get_symbol())
                .map_or(Node::Number(BigRational::zero()), Node::Var),
            AtomView::Add(a) => {
                let mut terms: Vec<(Key, Node)> = a
                    .iter()
                    .map(|t| self.view(t))
                    .map(|t| (self.term_key(&t), t))
                    .collect();
                terms.sort_by(|(a, _), (b, _)| compare_keys(a, b));
                Node::Sum(terms.into_iter().map(|(_, t)| t).collect())
            }
            AtomView::Mul(m) => self.product(m.iter().map(|f| self.view(f)).collect()),
            AtomView::Pow(p) => {
                let (b, e) = p.get_base_exp();
                let exponent = expr::exponent(e).unwrap_or_else(|| {
                    self.witness
                        .note(format!("a power with the exponent `{e}`"));
                    1
                });
                self.product(vec![Node::Product(
                    BigRational::one(),
                    vec![(self.view(b), exponent)],
                )])
            }
            // They are pool symbols.
            AtomView::Fun(_) => {
                self.witness.note("a function made by the engine itself");
                Node::Number(BigRational::zero())
            }
        }
    }

    fn pow(&self, b: &BigRational, e: i32) -> BigRational {
        if e < 0 && b.is_zero() {
            self.witness.note("a negative power of the number 0");
            BigRational::zero()
        } else {
            num_traits::Pow::pow(b, e)
        }
    }

    fn product(&self, parts: Vec<Node>) -> Node {
        let mut c = BigRational::one();
        // Most numbers here are 1, for which no fraction need be reduced.
        let mut scale = |n: BigRational| {
            if c.is_one() {
                c = n;
            } else if !n.is_one() {
                c *= n;
            }
        };
        let mut factors: Vec<(Node, i32)> = Vec::new();
        for p in parts {
            match p {
                Node::Number(n) => scale(n),
                Node::Product(k, f) => {
                    scale(k);
                    for (b, e) in f {
                        match b {
                            Node::Product(k2, inner) => {
                                scale(self.pow(&k2, e));
                                factors.extend(inner.into_iter().map(|(b2, e2)| (b2, e2 * e)));
                            }
                            Node::Number(n) => scale(self.pow(&n, e)),
                            b => factors.push((b, e)),
                        }
                    }
                }
                other => factors.push((other, 1)),
            }
        }
        if factors.len() > 1 {
            let keyed = factors.into_iter().map(|f| (self.factor_key(&f.0), f));
            let mut keyed: Vec<_> = keyed.collect();
            keyed.sort_by(|(a, _), (b, _)| compare_keys(a, b));
            factors = keyed.into_iter().map(|(_, f)| f).collect();
        }
        if factors.is_empty() {
            return Node::Number(c);
        }
        if c.is_one() && factors.len() == 1 && factors[0].1 == 1 {
            return factors.remove(0).0;
        }
        Node::Product(c, factors)
    }

    /// Where a symbol stands in a product: by its class, then as it was made.
    pub fn rank(&self, v: Var) -> (u8, u32) {
        let class = match self.info(v).class {
            Class::Parameter => 0,
            Class::Input => 1,
            Class::Function => 2,
            Class::Time => 3,
            Class::Coordinate => 4,
            Class::Kernel => 5,
            Class::Definition => 6,
            Class::Speed => 7,
            Class::Multiplier => 8,
            Class::Acceleration => ACCELERATION,
        };
        (class, v.0)
    }

    /// Factors in reading order: `m*g*l*sin(theta)*u1`; a sum stands by its latest symbol, after single symbols.
    fn factor_key(&self, n: &Node) -> Key {
        match n {
            Node::Var(v) => {
                let (c, i) = self.rank(*v);
                vec![(c, i, 1)]
            }
            Node::Sum(terms) => {
                let top = terms.iter().map(|t| self.top(t)).max().unwrap_or(0);
                let mut key = vec![(top, u32::MAX, 1)];
                key.extend(terms.first().map(|t| self.plain_key(t)).unwrap_or_default());
                key
            }
            _ => Vec::new(),
        }
    }

    /// The highest class in a term's key.
    fn top(&self, n: &Node) -> u8 {
        match n {
            Node::Number(_) => LAST,
            Node::Var(v) => self.rank(*v).0,
            Node::Sum(terms) => terms.iter().map(|t| self.top(t)).max().unwrap_or(0),
            Node::Product(_, f) => f.iter().map(|(b, _)| self.top(b)).max().unwrap_or(0),
        }
    }

    /// The factors of a term, in order.
    fn plain_key(&self, n: &Node) -> Key {
        match n {
            Node::Number(_) => vec![(LAST, 0, 0)],
            Node::Var(_) | Node::Sum(_) => self.factor_key(n),
            Node::Product(_, f) => f
                .iter()
                .flat_map(|(b, e)| {
                    let mut k = self.factor_key(b);
                    if let Some(first) = k.first_mut() {
                        first.2 = *e;
                    }
                    k
                })
                .collect(),
        }
    }

    /// Terms in reading order: those with accelerations first, then those with unknown forces, then
    /// by their factors; plain numbers last.
    fn term_key(&self, n: &Node) -> Key {
        let mut key = self.plain_key(n);
        let lead = key
            .iter()
            .filter(|k| (ACCELERATION..=ACCELERATION + 1).contains(&(k.0 + 1)) && k.0 != LAST)
            .map(|k| (k.0, k.1))
            .max();
        let front = match lead {
            Some((ACCELERATION, i)) => (0, i, 0),
            Some((_, i)) => (1, i, 0),
            None => (2, 0, 0),
        };
        key.insert(0, front);
        key
    }
}

/// (class, pool index, exponent) of each factor.
type Key = Vec<(u8, u32, i32)>;
/// Class number of accelerations; unknown forces come just before.
const ACCELERATION: u8 = 9;
/// Class number of plain numbers.
const LAST: u8 = 200;

fn compare_keys(a: &[(u8, u32, i32)], b: &[(u8, u32, i32)]) -> Ordering {
    for (x, y) in a.iter().zip(b) {
        let o = x.0.cmp(&y.0).then(x.1.cmp(&y.1)).then(y.2.cmp(&x.2));
        if o != Ordering::Equal {
            return o;
        }
    }
    a.len().cmp(&b.len())
}
