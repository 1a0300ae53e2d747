//! Equal branches: values that are computed alike from different inputs, such as those of a machine's legs, found by their form alone.
//!
//! [`aligned`] rewrites what such values are computed by, so that they come from the same instructions in the same order, with numbers of
//! their own; then a branch's instructions can be written once, for all branches side by side. Values of equal branches may differ in sign:
//! the left leg's moment is the right leg's turned round. What is computed then is one of both, and the sign is taken where it is read.
//!
//! 1. [`spread`]: numbers before sums are brought into them, where that takes no operations.
//! 2. [`form`]: sums, products and quotients of what is not of the same kind, so that the order of terms does not matter;
//!    [`share`]: sums that are there already, up to their sign.
//! 3. [`seek`]: which inputs belong to which branch, and rows: a value of each branch, equal in form; [`size`]: what tells terms apart.
//! 4. [`align`]: the same program, rows computed alike.

mod align;
mod form;
mod seek;
mod share;
mod size;
mod spread;
#[cfg(test)]
mod tests;

use super::{Binary, Program, Value};

/// Values of equal form, one of each branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// One of each branch.
    pub values: Vec<Value>,
    /// The instruction.
    pub op: Binary,
    /// What it is done with in each branch: the values of a row, the same for all, numbers, or whatever is to be brought there.
    pub operands: [Vec<Value>; 2],
    /// Which branches: those of one machine part repeated.
    pub family: usize,
}

/// Rows of equal branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// Rows, each after those that it reads.
    pub rows: Vec<Row>,
    /// Angles whose sines or cosines rows read, one of each branch; they do not depend on rows.
    pub angles: Vec<Vec<Value>>,
}

/// The same program with equal branches computed alike, and what their rows are. Values that depend on the groups `given` alone belong to
/// no branch: they are there already.
pub fn aligned(program: &Program, given: &[u8]) -> Option<(Program, Branches)> {
    let spread = spread::spread(program, given);
    let program = spread.as_ref().unwrap_or(program);
    let mut forms = form::Forms::new(program, given);
    share::share(&mut forms, program);
    let rows = seek::rows(&forms)?;
    align::align(program, &forms, rows)
}
