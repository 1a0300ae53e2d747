//! Instructions: what a node of the [`Graph`](super::Graph) can be.

use std::fmt;
use std::sync::Arc;

pub use crate::function::Comparison;
use crate::function::Elementary;

pub use num_rational::BigRational as Rational;

/// A node of a [`Graph`](super::Graph): index into its arena. Operands always have smaller ids than their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(super) u32);

impl Value {
    /// Position in the graph's arena; for dense tables of [`Graph::len`](super::Graph::len) entries.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// An input: entry `index` of group `group` of the program's [`Interface`](super::Interface).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Index into [`Interface::groups`](super::Interface::groups).
    pub group: u8,
    /// Index into [`Group::entries`](super::Group::entries).
    pub index: u32,
}

/// Operations on one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// `-x`
    Neg,
    /// An elementary function of one argument.
    Of(Elementary),
}

/// Operations on two numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// `a + b`; operands ordered by id.
    Add,
    /// `a - b`
    Sub,
    /// `a * b`; operands ordered by id.
    Mul,
    /// `a / b`
    Div,
    /// An elementary function of two arguments; the operands of the lesser and the greater are ordered by id.
    Of(Elementary),
}

/// Functions under their own names, to be written and matched like variants.
macro_rules! functions {
    ($($operation:ident($($plain:ident)*): $($function:ident)*;)*) => {$(
        #[allow(non_upper_case_globals, missing_docs)]
        impl $operation {
            $(pub const $function: Self = Self::Of(Elementary::$function);)*
        }

        impl fmt::Debug for $operation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Of(function) => function.fmt(f),
                    $(Self::$plain => f.write_str(stringify!($plain)),)*
                }
            }
        }
    )*};
}
functions! {
    Unary(Neg): Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sqrt Exp Ln Abs Sign;
    Binary(Add Sub Mul Div): Atan2 Min Max Pow;
}

impl Unary {
    /// The word for it in listings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Neg => "neg",
            Self::Of(function) => function.row().name,
        }
    }
}

impl Binary {
    /// Whether the operands may be exchanged (and therefore are kept ordered by id).
    pub fn commutes(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::Min | Self::Max)
    }

    /// The word for it in listings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::Of(function) => function.row().name,
        }
    }
}

/// Which entry of a user function's jet (its value and partial derivatives at one point).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The value.
    Value,
    /// The partial derivative with respect to this argument.
    Gradient(u32),
    /// The second partial derivative with respect to these arguments, sorted: first <= second.
    Hessian(u32, u32),
}

impl Part {
    /// The order of derivative: 0, 1 or 2.
    pub fn order(self) -> u8 {
        match self {
            Self::Value => 0,
            Self::Gradient(_) => 1,
            Self::Hessian(..) => 2,
        }
    }
}

/// A numerical routine: linear algebra whose branches depend on the numbers, which straight-line code cannot express.
/// `routine` states the algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoutineKind {
    /// The `x` of least norm with `a x = b`, for any rank of `a`.
    /// Operands: `a` (`rows` x `cols`, row-major), then `b` (`rows`). Results: `x` (`cols`).
    MinimumNorm {
        /// Number of equations.
        rows: u32,
        /// Number of unknowns.
        cols: u32,
    },
    /// `M q'' = F + A^T lambda`, `A q'' = b`: `q''` and the multipliers of least norm, for `A` of any rank and `M` symmetric and
    /// positive definite on the null space of `A` (it may be singular elsewhere).
    /// Operands: `M` (`n` x `n`), `F` (`n`), `A` (`m` x `n`), `b` (`m`), row-major. Results: `q''` (`n`), `lambda` (`m`).
    Constrained {
        /// Number of accelerations.
        n: u32,
        /// Number of constraint rows.
        m: u32,
    },
}

impl RoutineKind {
    /// How many operands it takes.
    pub fn operands(self) -> usize {
        match self {
            Self::MinimumNorm { rows, cols } => {
                let (rows, cols) = (rows as usize, cols as usize);
                rows * cols + rows
            }
            Self::Constrained { n, m } => {
                let (n, m) = (n as usize, m as usize);
                n * n + n + m * n + m
            }
        }
    }

    /// How many values it yields, each reached by an [`Op::Element`].
    pub fn results(self) -> usize {
        match self {
            Self::MinimumNorm { cols, .. } => cols as usize,
            Self::Constrained { n, m } => n as usize + m as usize,
        }
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// An exact number in lowest terms; rounded once, when emitted or evaluated. Behind a pointer, so that the other instructions, of which there
    /// may be millions, are half as long.
    Constant(Arc<Rational>),
    /// The circle constant. Not a [`Op::Constant`], so that it stays exact.
    Pi,
    /// An input.
    Input(Slot),
    /// A function of one value.
    Unary(Unary, Value),
    /// A function of two values.
    Binary(Binary, Value, Value),
    /// `if left test right { then } else { other }`. Both branches are computed; neither may trap.
    Select {
        /// The comparison.
        test: Comparison,
        /// Its left side.
        left: Value,
        /// Its right side.
        right: Value,
        /// Taken if it holds.
        then: Value,
        /// Taken if it does not (also when a side is NaN).
        other: Value,
    },
    /// A call of a user function: yields a jet, which only [`Op::Jet`] may read.
    Call {
        /// Index into [`Interface::functions`](super::Interface::functions).
        function: u32,
        /// The arguments.
        args: Box<[Value]>,
    },
    /// One entry of a jet.
    Jet {
        /// The [`Op::Call`].
        call: Value,
        /// Which entry.
        part: Part,
    },
    /// A numerical routine: yields several values, which only [`Op::Element`] may read.
    Routine {
        /// Which, and its sizes.
        kind: RoutineKind,
        /// Its operands, in the order that [`RoutineKind`] states.
        operands: Box<[Value]>,
    },
    /// One result of a routine.
    Element {
        /// The [`Op::Routine`].
        routine: Value,
        /// Which result.
        index: u32,
    },
}

impl Op {
    /// Operand `position`, in the order in which they are written; `None` past the last.
    pub fn operand(&self, position: usize) -> Option<Value> {
        self.operands().nth(position)
    }

    /// All operands in order.
    pub fn operands(&self) -> impl Iterator<Item = Value> + '_ {
        const NONE: Value = Value(0);
        let (few, count, many): ([Value; 4], usize, &[Value]) = match self {
            Self::Constant(_) | Self::Pi | Self::Input(_) => ([NONE; 4], 0, &[]),
            Self::Unary(_, a) => ([*a, NONE, NONE, NONE], 1, &[]),
            Self::Binary(_, a, b) => ([*a, *b, NONE, NONE], 2, &[]),
            Self::Select {
                left,
                right,
                then,
                other,
                ..
            } => ([*left, *right, *then, *other], 4, &[]),
            Self::Jet { call: a, .. } | Self::Element { routine: a, .. } => {
                ([*a, NONE, NONE, NONE], 1, &[])
            }
            Self::Call { args: many, .. } | Self::Routine { operands: many, .. } => {
                ([NONE; 4], 0, many)
            }
        };
        few.into_iter().take(count).chain(many.iter().copied())
    }

    /// The same instruction with every operand replaced.
    #[must_use]
    pub fn map(&self, mut f: impl FnMut(Value) -> Value) -> Self {
        match self {
            Self::Constant(_) | Self::Pi | Self::Input(_) => self.clone(),
            Self::Unary(op, a) => Self::Unary(*op, f(*a)),
            Self::Binary(op, a, b) => Self::Binary(*op, f(*a), f(*b)),
            Self::Select {
                test,
                left,
                right,
                then,
                other,
            } => Self::Select {
                test: *test,
                left: f(*left),
                right: f(*right),
                then: f(*then),
                other: f(*other),
            },
            Self::Call { function, args } => Self::Call {
                function: *function,
                args: args.iter().map(|&a| f(a)).collect(),
            },
            Self::Jet { call, part } => Self::Jet {
                call: f(*call),
                part: *part,
            },
            Self::Routine { kind, operands } => Self::Routine {
                kind: *kind,
                operands: operands.iter().map(|&a| f(a)).collect(),
            },
            Self::Element { routine, index } => Self::Element {
                routine: f(*routine),
                index: *index,
            },
        }
    }

    /// Whether it is a number; calls and routines are not.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Self::Call { .. } | Self::Routine { .. })
    }

    /// Whether it takes no operation to have it: constants and inputs.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Constant(_) | Self::Pi | Self::Input(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_half_of_a_cache_line() {
        assert!(size_of::<Op>() <= 32, "{} bytes", size_of::<Op>());
    }
}
