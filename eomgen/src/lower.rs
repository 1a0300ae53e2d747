//! From expressions to instructions: the one bridge between `sym` and `ir`. Knows nothing of mechanics.

use crate::function::{self, Elementary};
use crate::ir::{Binary, Comparison, Graph, Part, Unary, Value};
use crate::sym::{Algebra, Expr, Meaning, Node, Var};
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;

/// Builds a graph from expressions.
pub struct Lowering {
    /// The graph so far.
    pub graph: Graph,
    bound: FxHashMap<Var, Value>,
    /// Highest derivative order asked of each user function.
    pub jet_orders: Vec<u8>,
    /// Every expression that something is divided by, with its value, in order of first use.
    pub divisors: Vec<(Expr, Value)>,
    /// Every argument of a function that is not defined everywhere, in order of first use.
    pub domains: Vec<Domain>,
}

/// What was said and recorded at some time.
pub struct Outer {
    bound: FxHashMap<Var, Value>,
    divisors: usize,
    domains: usize,
}

/// Where a function of one application is defined.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The argument.
    pub argument: Expr,
    /// Its value.
    pub value: Value,
    /// What it has to be.
    pub kind: DomainKind,
    /// The value of the application.
    pub result: Value,
}

/// What an argument has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainKind {
    /// Not negative: roots, powers with positive exponents that are not whole.
    NonNegative,
    /// Positive: logarithms, other powers.
    Positive,
    /// From -1 to 1: arc sine and cosine.
    UnitInterval,
    /// Between -1 and 1: area tangent.
    InsideUnit,
    /// 1 or more: area cosine.
    AboveOne,
}

impl Lowering {
    /// An empty graph for a model with `functions` user functions.
    pub fn new(functions: usize) -> Self {
        Self {
            graph: Graph::new(),
            bound: FxHashMap::default(),
            jet_orders: vec![0; functions],
            divisors: Vec::new(),
            domains: Vec::new(),
        }
    }

    /// What has been said and recorded so far, to [return](Self::leave) to.
    pub fn scope(&self) -> Outer {
        Outer {
            bound: self.bound.clone(),
            divisors: self.divisors.len(),
            domains: self.domains.len(),
        }
    }

    /// Forgets what has been said and recorded since. The instructions stay.
    pub fn leave(&mut self, outer: Outer) {
        self.bound = outer.bound;
        self.divisors.truncate(outer.divisors);
        self.domains.truncate(outer.domains);
    }

    /// Forgets what symbols are, to say it anew.
    pub fn forget(&mut self) {
        self.bound.clear();
    }

    /// Says what a base symbol is.
    pub fn bind(&mut self, v: Var, value: Value) {
        self.bound.insert(v, value);
    }

    /// Whether a symbol has a value.
    pub fn is_bound(&self, v: Var) -> bool {
        self.bound.contains_key(&v)
    }

    /// The value of an expression.
    pub fn lower(&mut self, alg: &Algebra, e: &Expr) -> Value {
        self.node(alg, &alg.node(e))
    }

    /// The values of several expressions.
    pub fn lower_all<'e>(
        &mut self,
        alg: &Algebra,
        list: impl IntoIterator<Item = &'e Expr>,
    ) -> Vec<Value> {
        list.into_iter().map(|e| self.lower(alg, e)).collect()
    }

    fn node(&mut self, alg: &Algebra, n: &Node) -> Value {
        match n {
            Node::Number(r) => self.graph.rational(r),
            Node::Var(v) => self.var(alg, *v),
            Node::Sum(terms) => {
                let mut sum: Option<Value> = None;
                for t in terms {
                    let v = self.node(alg, t);
                    sum = Some(match sum {
                        None => v,
                        Some(s) => self.graph.add(s, v),
                    });
                }
                sum.unwrap_or_else(|| self.graph.zero())
            }
            Node::Product(c, factors) => self.product(alg, c, factors),
        }
    }

    fn product(&mut self, alg: &Algebra, c: &BigRational, factors: &[(Node, i32)]) -> Value {
        let magnitude = c.abs();
        let mut top: Option<Value> = (!magnitude.is_one()).then(|| self.graph.rational(&magnitude));
        let mut bottom: Option<Value> = None;
        for (b, e) in factors {
            if alg.is_unit_node(b) {
                continue;
            }
            let base = self.node(alg, b);
            let power = self.graph.powi(base, e.abs());
            if *e < 0 && !self.divisors.iter().any(|(_, v)| *v == base) {
                self.divisors.push((alg.expr_of(b), base));
            }
            let side = if *e > 0 { &mut top } else { &mut bottom };
            *side = Some(match *side {
                None => power,
                Some(v) => self.graph.mul(v, power),
            });
        }
        let top = top.unwrap_or_else(|| self.graph.one());
        let value = match bottom {
            None => top,
            Some(d) => self.graph.div(top, d),
        };
        if c.is_negative() {
            self.graph.neg(value)
        } else {
            value
        }
    }

    fn var(&mut self, alg: &Algebra, v: Var) -> Value {
        if let Some(value) = self.bound.get(&v) {
            return *value;
        }
        let info = alg.info(v);
        let value = match &info.meaning {
            Meaning::Pi => self.graph.pi(),
            Meaning::Base => {
                let witness = self.graph.witness();
                witness.note(format!("`{}` has no value", info.name));
                self.graph.zero()
            }
            Meaning::Definition(d) => {
                let value = self.lower(alg, d);
                self.graph.name(value, &info.name);
                value
            }
            Meaning::Kernel(k, args) => {
                let values = self.arguments(alg, *k, args);
                let value = self.kernel(*k, &values);
                if let Some(kind) = domain(alg, *k, args) {
                    self.domains.push(Domain {
                        argument: args[0].clone(),
                        value: values[0],
                        kind,
                        result: value,
                    });
                }
                if k.is_choice() {
                    self.graph.name(value, "choice");
                } else {
                    self.graph.name(value, &kernel_name(&info.name));
                }
                value
            }
            Meaning::Jet {
                function,
                partials,
                args,
            } => {
                let order = partials.len().min(2) as u8;
                if let Some(o) = self.jet_orders.get_mut(*function as usize) {
                    *o = (*o).max(order);
                }
                let values = self.lower_all(alg, args);
                let call = self.graph.call(*function, &values);
                let part = match partials.as_slice() {
                    [] => Part::Value,
                    [i] => Part::Gradient(*i),
                    [i, j, ..] => Part::Hessian(*i, *j),
                };
                let value = self.graph.jet(call, part);
                self.graph.name(value, &info.name);
                value
            }
        };
        self.bound.insert(v, value);
        value
    }

    /// The arguments of a function.
    fn arguments(&mut self, alg: &Algebra, k: Elementary, args: &[Expr]) -> Vec<Value> {
        let mut values = self.lower_all(alg, args);
        if k == Elementary::Sqrt && alg.is_hidden_square(&args[0]) {
            // Where it vanishes rounding may leave it below. What is no number stays so.
            let (zero, square) = (self.graph.zero(), values[0]);
            values[0] = self
                .graph
                .select(Comparison::Less, square, zero, zero, square);
        }
        values
    }

    fn kernel(&mut self, k: Elementary, a: &[Value]) -> Value {
        match (k.row().test, a) {
            (None, [x]) => self.graph.unary(Unary::Of(k), *x),
            (None, [x, y]) => self.graph.binary(Binary::Of(k), *x, *y),
            (Some(test), [l, r, t, o]) => self.graph.select(test, *l, *r, *t, *o),
            _ => {
                let count = a.len();
                self.graph
                    .witness()
                    .note(format!("{k:?} of {count} arguments"));
                self.graph.zero()
            }
        }
    }
}

/// Where a function is defined, if that is not everywhere. The argument comes first.
fn domain(alg: &Algebra, k: Elementary, args: &[Expr]) -> Option<DomainKind> {
    match k.row().domain {
        function::Domain::Everywhere => None,
        function::Domain::NonNegative => Some(DomainKind::NonNegative),
        function::Domain::Positive => Some(DomainKind::Positive),
        function::Domain::UnitInterval => Some(DomainKind::UnitInterval),
        function::Domain::InsideUnit => Some(DomainKind::InsideUnit),
        function::Domain::AboveOne => Some(DomainKind::AboveOne),
        function::Domain::OfPower => match alg.as_number(args.get(1)?) {
            Some(e) if e.is_positive() => Some(DomainKind::NonNegative),
            _ => Some(DomainKind::Positive),
        },
    }
}

/// `sin(theta)` as `sin_theta`.
fn kernel_name(text: &str) -> String {
    text.replace(['(', ')', ',', ' '], "_")
        .trim_end_matches('_')
        .to_string()
}
