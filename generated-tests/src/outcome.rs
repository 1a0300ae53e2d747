//! One face for generated functions that can fail and those that cannot.

use std::fmt::Debug;

/// What a generated function returns: a value, or a result with one.
pub trait Outcome {
    /// The value's type.
    type Value;
    /// The value, or the failure as text.
    ///
    /// # Errors
    /// If the function failed.
    fn outcome(self) -> Result<Self::Value, String>;
}

impl Outcome for f64 {
    type Value = f64;
    fn outcome(self) -> Result<f64, String> {
        Ok(self)
    }
}

impl<T, const N: usize> Outcome for [T; N] {
    type Value = [T; N];
    fn outcome(self) -> Result<[T; N], String> {
        Ok(self)
    }
}

impl<T, E: Debug> Outcome for Result<T, E> {
    type Value = T;
    fn outcome(self) -> Result<T, String> {
        self.map_err(|e| format!("{e:?}"))
    }
}

/// Numbers, vectors and matrices as lists, row by row.
pub trait Flat {
    /// The list.
    fn flat(self) -> Vec<f64>;
}

impl Flat for f64 {
    fn flat(self) -> Vec<f64> {
        vec![self]
    }
}

impl<const N: usize> Flat for [f64; N] {
    fn flat(self) -> Vec<f64> {
        self.to_vec()
    }
}

impl<const R: usize, const C: usize> Flat for [[f64; C]; R] {
    fn flat(self) -> Vec<f64> {
        self.concat()
    }
}
