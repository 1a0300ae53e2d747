//! A generated module as plain data: its items, and its functions as numbered steps. Knows nothing of mechanics
//! nor of what a number is.

use std::collections::BTreeMap;

use super::literal::{Literal, Precision};
use crate::emit::{Assembly, Sampling};
use crate::facts::Facts;
use crate::verify::number::Elementary;

/// Number of a step of a function.
pub type StepId = u32;

/// One step of a function; operands are earlier steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A number, an index into [`Module::literals`].
    Literal(u32),
    /// Half a turn.
    Pi,
    /// The time.
    Time,
    /// An entry of the state.
    State(u32),
    /// An entry of an array of the function's own.
    Extra(u32, u32),
    /// A parameter.
    Param(u32),
    /// An input.
    Input(u32),
    /// `-a`
    Negative(StepId),
    /// `a + b`
    Sum(StepId, StepId),
    /// `a - b`
    Difference(StepId, StepId),
    /// `a * b`
    Product(StepId, StepId),
    /// `a / b`
    Quotient(StepId, StepId),
    /// A function of one number.
    Function(Elementary, StepId),
    /// A function of two numbers.
    Function2(Elementary, StepId, StepId),
    /// Inverse hyperbolic sine.
    Asinh(StepId),
    /// Inverse hyperbolic cosine.
    Acosh(StepId),
    /// Inverse hyperbolic tangent.
    Atanh(StepId),
    /// Magnitude.
    Abs(StepId),
    /// -1, 0 or 1.
    Sign(StepId),
    /// The lesser of two.
    Min(StepId, StepId),
    /// The greater of two.
    Max(StepId, StepId),
    /// A power with a whole exponent.
    Power(StepId, i32),
    /// `if a test b { c } else { d }`
    Select(Test, [StepId; 4]),
    /// A call of a user's function.
    Call {
        /// Index into [`Module::user_functions`].
        function: u32,
        /// Its arguments.
        arguments: Vec<StepId>,
    },
    /// The value that a call returns.
    Value(StepId),
    /// A partial derivative that a call returns.
    Gradient(StepId, u32),
    /// A second partial derivative that a call returns.
    Hessian(StepId, u32, u32),
    /// `minimum_norm::<rows, columns>`; operands row by row, then the right-hand side.
    MinimumNorm {
        /// Number of equations.
        rows: usize,
        /// Number of unknowns.
        columns: usize,
        /// Matrix row by row, right-hand side.
        operands: Vec<StepId>,
    },
    /// `constrained::<n, m>`; operands M, F, A, b.
    Constrained {
        /// Number of accelerations.
        n: usize,
        /// Number of rows.
        m: usize,
        /// M and F, A and b, matrices row by row.
        operands: Vec<StepId>,
    },
    /// An entry of what a routine returns: first the accelerations, then the multipliers.
    Element(StepId, u32),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// The shape of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Scalar,
    /// A vector.
    Array(usize),
    /// Rows by columns.
    Matrix(usize, usize),
}

impl Shape {
    /// Number of entries.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Array(n) => n,
            Self::Matrix(r, c) => r * c,
        }
    }

    /// Whether it has no entries.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// A statement `check(condition, divisor, scale)?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Which condition.
    pub condition: u32,
    /// What must not vanish.
    pub divisor: StepId,
    /// What it is compared with.
    pub scale: StepId,
    /// Line of the file.
    pub line: u32,
}

/// A generated function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Line of the file.
    pub line: u32,
    /// Names and lengths of the arrays of its own.
    pub extra: Vec<(String, usize)>,
    /// Whether it returns a `Result`.
    pub checked: bool,
    /// The steps in the order of the text.
    pub steps: Vec<Step>,
    /// The line of each step.
    pub lines: Vec<u32>,
    /// What is checked.
    pub checks: Vec<Check>,
    /// The condition by which it refuses results that are not finite.
    pub finite: Option<u32>,
    /// Conditions reported where a routine fails: the routine's step and the condition.
    pub routines: Vec<(StepId, u32)>,
    /// Shape of the result.
    pub shape: Shape,
    /// Its entries row by row, each with the line where it is set.
    pub outputs: Vec<(StepId, u32)>,
    /// If it follows another function where a margin is gone: the margin, and the other one's name.
    pub guarded: Option<(StepId, String)>,
    /// Of a private function that another one follows the name of that one, which it stands for.
    pub part_of: Option<String>,
}

/// A struct of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// Identifiers in order.
    pub names: Vec<String>,
    /// Default values, where there is an `impl Default`: indices into [`Module::literals`]; all zero where it is derived.
    pub defaults: Option<Vec<u32>>,
    /// Whether `Default` is derived.
    pub derives_default: bool,
}

/// An enum whose variants index an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Its variants.
    pub variants: Vec<String>,
    /// The model's names for them.
    pub names: Vec<String>,
}

/// A method of the trait of user functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFunction {
    /// Its name.
    pub name: String,
    /// Number of arguments.
    pub arguments: usize,
    /// Highest order of the derivatives that it returns: 0, 1 or 2.
    pub order: u8,
}

/// A generated module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Whether it was one for numbers of any type, which is read as one for `f64`.
    pub is_generic: bool,
    /// What it says of its functions; nothing in files of versions that did not.
    pub facts: Facts,
    /// `usize` constants.
    pub constants: Vec<(String, usize)>,
    /// `Params`.
    pub params: Fields,
    /// `Inputs`.
    pub inputs: Fields,
    /// `State`.
    pub state: Fields,
    /// `Model`.
    pub model: Fields,
    /// Index enums.
    pub indices: Vec<Index>,
    /// The trait of user functions.
    pub user_functions: Vec<UserFunction>,
    /// Texts of the conditions.
    pub conditions: Vec<String>,
    /// The value of `SINGULAR_TOLERANCE`, an index into the literals.
    pub tolerance: Option<u32>,
    /// What numbers are rounded to.
    pub precision: Precision,
    /// All numbers.
    pub literals: Vec<Literal>,
    /// Functions in order.
    pub functions: Vec<Function>,
    /// Of the functions of many states, by name, the functions of one that they repeat.
    pub of_many: BTreeMap<String, String>,
    /// The rows that `assemble` satisfies, if there is that function.
    pub assembly: Option<Assembly>,
    /// The size of what `discretized` returns, if there is that function.
    pub sampling: Option<Sampling>,
    /// Names of the fixed items that it holds, whose text is the library's.
    pub fixed: Vec<String>,
}

impl Module {
    /// A function by name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// Of a function of many states the function of one that it repeats.
    #[must_use]
    pub fn one_of(&self, function: &Function) -> Option<&Function> {
        let name = self.of_many.get(&function.name)?;
        self.function(name)
    }

    /// Whether a function gives derivatives of another one: it has its name followed by what is differentiated by, and the facts do not say
    /// that it is an output of the model, whose name may look the same.
    #[must_use]
    pub fn is_derivative(&self, name: &str) -> bool {
        let parts = name.match_indices("_wrt_");
        let mut bases = parts.map(|(at, _)| &name[..at]);
        bases.any(|base| self.function(base).is_some()) && self.facts.of(name).next().is_none()
    }

    /// An index enum by name.
    #[must_use]
    pub fn index(&self, name: &str) -> Option<&Index> {
        self.indices.iter().find(|index| index.name == name)
    }

    /// A constant by name.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<usize> {
        let found = self.constants.iter().find(|constant| constant.0 == name);
        found.map(|constant| constant.1)
    }

    /// Whether a function uses a literal that stands for a rounded number.
    #[must_use]
    pub fn is_rounded(&self, function: &Function) -> bool {
        let rounded = |index: u32| {
            let literal = self.literals.get(index as usize);
            literal.is_some_and(|literal| !literal.is_exact())
        };
        function.steps.iter().any(|step| match step {
            Step::Literal(index) => rounded(*index),
            _ => false,
        })
    }
}

impl Step {
    /// Hands every step that it uses to `visit`, which may change it.
    pub fn places(&mut self, mut visit: impl FnMut(&mut StepId)) {
        match self {
            Self::Literal(_)
            | Self::Pi
            | Self::Time
            | Self::State(_)
            | Self::Extra(..)
            | Self::Param(_)
            | Self::Input(_) => {}
            Self::Negative(a)
            | Self::Function(_, a)
            | Self::Asinh(a)
            | Self::Acosh(a)
            | Self::Atanh(a)
            | Self::Abs(a)
            | Self::Sign(a)
            | Self::Power(a, _)
            | Self::Value(a)
            | Self::Gradient(a, _)
            | Self::Hessian(a, ..)
            | Self::Element(a, _) => visit(a),
            Self::Sum(a, b)
            | Self::Difference(a, b)
            | Self::Product(a, b)
            | Self::Quotient(a, b)
            | Self::Function2(_, a, b)
            | Self::Min(a, b)
            | Self::Max(a, b) => {
                visit(a);
                visit(b);
            }
            Self::Select(_, all) => all.iter_mut().for_each(visit),
            Self::Call { arguments, .. } => arguments.iter_mut().for_each(visit),
            Self::MinimumNorm { operands, .. } | Self::Constrained { operands, .. } => {
                operands.iter_mut().for_each(visit);
            }
        }
    }

    /// The steps that it uses.
    #[must_use]
    pub fn operands(&self) -> Vec<StepId> {
        let mut list = Vec::new();
        self.clone().places(|place| list.push(*place));
        list
    }
}

impl Function {
    /// Which steps some of them are made of, these included.
    #[must_use]
    pub fn needed_for(&self, wanted: impl IntoIterator<Item = StepId>) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        let mark = |needed: &mut [bool], place: StepId| {
            if let Some(mark) = needed.get_mut(place as usize) {
                *mark = true;
            }
        };
        for place in wanted {
            mark(&mut needed, place);
        }
        for (at, step) in self.steps.iter().enumerate().rev() {
            if needed.get(at) == Some(&true) {
                for operand in step.operands() {
                    mark(&mut needed, operand);
                }
            }
        }
        needed
    }

    /// The line where an entry of the result is set.
    #[must_use]
    pub fn line_of_output(&self, index: usize) -> u32 {
        self.outputs.get(index).map_or(self.line, |output| output.1)
    }

    /// The steps that its checks measure, and its margin.
    pub fn measured(&self) -> impl Iterator<Item = StepId> {
        let margin = self.guarded.iter().map(|(margin, _)| *margin);
        let checks = self.checks.iter().flat_map(|c| [c.divisor, c.scale]);
        checks.chain(margin)
    }

    /// The function whose results are asked of it.
    #[must_use]
    pub fn means(&self) -> &str {
        self.part_of.as_deref().unwrap_or(&self.name)
    }
}
