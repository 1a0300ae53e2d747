//! One generalized speed. Knows nothing of which of them are independent.

use crate::sym::{Expr, Var};

/// One generalized speed.
#[derive(Clone, Debug)]
pub struct Speed {
    /// `u1`, or `x'` for a rate.
    pub name: String,
    /// Its symbol.
    pub var: Var,
    /// The symbol of its rate.
    pub dot: Var,
    /// Its definition in terms of q, q', t.
    pub definition: Expr,
    /// Index into `System::speeds`; `None` for a default speed.
    pub declared: Option<usize>,
    /// The coordinate of which it is the rate.
    pub coordinate: Option<usize>,
    /// The row of whose residual it is the rate: see [`completion`](super::completion).
    pub row: Option<usize>,
}
