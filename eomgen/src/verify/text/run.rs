//! Evaluation of a generated function's steps in any arithmetic. Every step has a value or the reason why it has none; only
//! what the result needs counts, so that a branch that is not taken, or the size of a divisor in an arithmetic without order,
//! does no harm. Knows nothing of mechanics.

use super::routines;
use super::tree::{Function, Module, Step, StepId, Test};
use crate::verify::linear;
use crate::verify::number::{EvalError, Number, UserFunction};

/// What a user's function returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Jet<N> {
    /// The value.
    pub value: N,
    /// The partial derivatives.
    pub gradient: Vec<N>,
    /// The second partial derivatives.
    pub hessian: Vec<Vec<N>>,
}

impl<N: Number> Jet<N> {
    /// What a user's function returns with derivatives up to an order.
    pub fn of(function: &UserFunction, order: u8, arguments: &[N]) -> Result<Self, EvalError> {
        let all = |least: u8| 0..if order < least { 0 } else { arguments.len() };
        let slope = |i| N::user_function(&function.by(i), arguments);
        let row = |i: usize| {
            let slope = |j| N::user_function(&function.by(i).by(j), arguments);
            (0..arguments.len()).map(slope).collect()
        };
        Ok(Self {
            value: N::user_function(function, arguments)?,
            gradient: all(1).map(slope).collect::<Result<_, _>>()?,
            hessian: all(2).map(row).collect::<Result<_, _>>()?,
        })
    }
}

/// Supplies the user's functions: index in the order of the trait, arguments.
pub type Calls<'a, N> = dyn Fn(usize, &[N]) -> Result<Jet<N>, EvalError> + 'a;

/// The arguments of a generated function.
pub struct Given<'a, N> {
    /// Time.
    pub t: &'a N,
    /// The state.
    pub state: &'a [N],
    /// Arrays of the function's own.
    pub extra: &'a [Vec<N>],
    /// Parameters.
    pub params: &'a [N],
    /// Inputs.
    pub inputs: &'a [N],
    /// The user's functions.
    pub functions: &'a Calls<'a, N>,
    /// The module's literals, see [`literals`].
    pub literals: &'a [Result<N, EvalError>],
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<N> {
    /// A number.
    Number(N),
    /// What a routine returns.
    List(Vec<N>),
    /// What a user's function returns.
    Jet(Box<Jet<N>>),
    /// Why there is nothing.
    Error(EvalError),
}

/// A module's literals in an arithmetic.
pub fn literals<N: Number>(module: &Module) -> Vec<Result<N, EvalError>> {
    let read = |literal: &super::literal::Literal| N::rational(&literal.value);
    module.literals.iter().map(read).collect()
}

/// Evaluates all steps of a function.
pub fn run<N: Number>(function: &Function, given: &Given<'_, N>) -> Vec<Outcome<N>> {
    let mut values = Vec::with_capacity(function.steps.len());
    for step in &function.steps {
        let outcome = evaluate(step, &values, given);
        values.push(outcome);
    }
    values
}

/// Evaluates the steps that these need; the others have no value.
pub fn run_for<N: Number>(
    function: &Function,
    given: &Given<'_, N>,
    wanted: impl IntoIterator<Item = StepId>,
) -> Vec<Outcome<N>> {
    let needed = function.needed_for(wanted);
    let mut values = Vec::with_capacity(function.steps.len());
    for (step, needed) in function.steps.iter().zip(needed) {
        let outcome = if needed {
            evaluate(step, &values, given)
        } else {
            Outcome::Error(EvalError::Unsupported(
                "a step that nothing asked for".into(),
            ))
        };
        values.push(outcome);
    }
    values
}

/// Whether a function refuses a state whatever its numbers there: a divisor that it checks is exactly 0. Formulas go on with another
/// number then, as where the root of a pivot below 0 would be. The same holds where it follows another function.
pub fn is_refused<N: Number>(function: &Function, values: &[Outcome<N>]) -> bool {
    let margin = function.guarded.iter().map(|(margin, _)| *margin);
    let mut margin = margin.filter_map(|margin| number(values, margin).ok());
    if margin.any(|margin| N::int(0).is_less(margin).is_ok_and(|is_left| !is_left)) {
        return true;
    }
    let divisors = function.checks.iter().map(|check| check.divisor);
    let mut divisors = divisors.filter_map(|divisor| number(values, divisor).ok());
    divisors.any(Number::is_zero)
}

/// The entries of a function's result.
///
/// # Errors
/// Why one has no value.
pub fn outputs<N: Number>(function: &Function, values: &[Outcome<N>]) -> Result<Vec<N>, EvalError> {
    let places = function.outputs.iter();
    places
        .map(|(place, _)| number(values, *place).cloned())
        .collect()
}

/// The number at a step.
///
/// # Errors
/// Why there is none.
pub fn number<N>(values: &[Outcome<N>], place: StepId) -> Result<&N, EvalError> {
    match values.get(place as usize) {
        Some(Outcome::Number(number)) => Ok(number),
        Some(Outcome::Error(error)) => Err(error.clone()),
        _ => Err(malformed()),
    }
}

/// Steps that were read are well formed; others are nobody's.
fn malformed() -> EvalError {
    EvalError::Singular("a step of the text that is no number".into())
}

/// Evaluates one step, given the values of the earlier ones.
pub fn evaluate<N: Number>(step: &Step, values: &[Outcome<N>], given: &Given<'_, N>) -> Outcome<N> {
    match value(step, values, given) {
        Ok(outcome) => outcome,
        Err(error) => Outcome::Error(error),
    }
}

fn value<N: Number>(
    step: &Step,
    values: &[Outcome<N>],
    given: &Given<'_, N>,
) -> Result<Outcome<N>, EvalError> {
    let at = |place: &StepId| number(values, *place);
    let entry = |list: &[N], index: u32| list.get(index as usize).cloned().ok_or_else(malformed);
    let number = match step {
        Step::Literal(index) => match given.literals.get(*index as usize) {
            Some(literal) => literal.clone()?,
            None => return Err(malformed()),
        },
        Step::Pi => N::pi(),
        Step::Time => given.t.clone(),
        Step::State(index) => entry(given.state, *index)?,
        Step::Extra(array, index) => {
            let array = given.extra.get(*array as usize).ok_or_else(malformed)?;
            entry(array, *index)?
        }
        Step::Param(index) => entry(given.params, *index)?,
        Step::Input(index) => entry(given.inputs, *index)?,
        Step::Negative(a) => at(a)?.neg(),
        Step::Sum(a, b) => at(a)?.add(at(b)?),
        Step::Difference(a, b) => at(a)?.sub(at(b)?),
        Step::Product(a, b) => at(a)?.mul(at(b)?),
        Step::Quotient(a, b) => at(a)?.div(at(b)?)?,
        Step::Function(f, a) => at(a)?.function(*f)?,
        Step::Function2(f, a, b) => N::elementary(*f, &[at(a)?.clone(), at(b)?.clone()])?,
        Step::Asinh(a) => at(a)?.asinh()?,
        Step::Acosh(a) => at(a)?.acosh()?,
        Step::Atanh(a) => at(a)?.atanh()?,
        Step::Abs(a) => abs(at(a)?)?,
        Step::Sign(a) => sign(at(a)?)?,
        Step::Min(a, b) => at(a)?.less_of(at(b)?)?,
        Step::Max(a, b) => {
            // max (a, b) = -min (-a, -b)
            at(a)?.neg().less_of(&at(b)?.neg())?.neg()
        }
        Step::Power(a, exponent) => at(a)?.powi(i64::from(*exponent))?,
        Step::Select(test, [a, b, c, d]) => {
            at(if holds(*test, at(a)?, at(b)?)? { c } else { d })?.clone()
        }
        Step::Call {
            function,
            arguments,
        } => {
            let arguments = arguments.iter().map(|a| at(a).cloned());
            let arguments = arguments.collect::<Result<Vec<N>, _>>()?;
            let jet = (given.functions)(*function as usize, &arguments)?;
            return Ok(Outcome::Jet(Box::new(jet)));
        }
        Step::Value(call) => jet(values, *call)?.value.clone(),
        Step::Gradient(call, i) => entry(&jet(values, *call)?.gradient, *i)?,
        Step::Hessian(call, i, j) => {
            let row = jet(values, *call)?.hessian.get(*i as usize);
            entry(row.ok_or_else(malformed)?, *j)?
        }
        Step::MinimumNorm {
            rows,
            columns,
            operands,
        } => {
            let operands = all(values, operands)?;
            return minimum_norm(&operands, *rows, *columns);
        }
        Step::Constrained { n, m, operands } => {
            return constrained(&all(values, operands)?, *n, *m);
        }
        Step::Element(routine, index) => match values.get(*routine as usize) {
            Some(Outcome::List(list)) => entry(list, *index)?,
            Some(Outcome::Error(error)) => return Err(error.clone()),
            _ => return Err(malformed()),
        },
    };
    Ok(Outcome::Number(number))
}

fn abs<N: Number>(x: &N) -> Result<N, EvalError> {
    if !x.is_zero() && x.is_less(&N::int(0))? {
        Ok(x.neg())
    } else {
        Ok(x.clone())
    }
}

fn sign<N: Number>(x: &N) -> Result<N, EvalError> {
    Ok(N::int(if x.is_zero() {
        0
    } else if x.is_less(&N::int(0))? {
        -1
    } else {
        1
    }))
}

/// Operands: the matrix row by row, then the right-hand side.
fn minimum_norm<N: Number>(
    operands: &[N],
    rows: usize,
    columns: usize,
) -> Result<Outcome<N>, EvalError> {
    let parts = operands.split_at_checked(rows * columns);
    let (a, b) = parts.ok_or_else(malformed)?;
    let a = routines::matrix(a, rows, columns);
    Ok(Outcome::List(linear::minimum_norm(&a, b, columns)?))
}

/// Operands: M and F, A and b, matrices row by row.
fn constrained<N: Number>(operands: &[N], n: usize, m: usize) -> Result<Outcome<N>, EvalError> {
    let parts = operands.split_at_checked(n * n).and_then(|(mass, rest)| {
        let (force, rest) = rest.split_at_checked(n)?;
        let (a, b) = rest.split_at_checked(n * m)?;
        Some((mass, force, a, b))
    });
    let (mass, force, a, b) = parts.ok_or_else(malformed)?;
    let (mass, a) = (routines::matrix(mass, n, n), routines::matrix(a, m, n));
    let (mut list, lambda) = routines::constrained(&mass, force, &a, b)?;
    list.extend(lambda);
    Ok(Outcome::List(list))
}

/// Whether a comparison holds.
///
/// # Errors
/// Where the arithmetic has no order, or cannot tell.
pub fn holds<N: Number>(test: Test, a: &N, b: &N) -> Result<bool, EvalError> {
    Ok(match test {
        Test::Less => a.is_less(b)?,
        Test::LessEqual => !b.is_less(a)?,
        Test::Greater => b.is_less(a)?,
        Test::GreaterEqual => !a.is_less(b)?,
    })
}

fn jet<N>(values: &[Outcome<N>], place: StepId) -> Result<&Jet<N>, EvalError> {
    match values.get(place as usize) {
        Some(Outcome::Jet(jet)) => Ok(jet),
        Some(Outcome::Error(error)) => Err(error.clone()),
        _ => Err(malformed()),
    }
}

fn all<N: Clone>(values: &[Outcome<N>], places: &[StepId]) -> Result<Vec<N>, EvalError> {
    let places = places.iter();
    places
        .map(|place| number(values, *place).cloned())
        .collect()
}
