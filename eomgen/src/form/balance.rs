//! The balance conjugate to one reaction. Knows nothing of how it is found.

use crate::sym::Expr;

/// The balance conjugate to one declared reaction.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Coefficients of q''.
    pub mass: Vec<Expr>,
    /// Loads and velocity terms.
    pub force: Expr,
    /// Coefficients of the multipliers, one per constraint row.
    pub multipliers: Vec<Expr>,
}
