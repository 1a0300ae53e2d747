/// A state at, or too close to, one where a function's formulas fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular {
    /// Which condition, an index into [`CONDITIONS`].
    pub condition: usize,
    /// How close: the divisor at fault, relative to its scale. 0 is singular.
    pub closeness: f64,
}

impl core::fmt::Display for Singular {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let condition = CONDITIONS.get(self.condition).unwrap_or(&"unknown");
        write!(f, "singular: {condition} (closeness {:e})", self.closeness)
    }
}

impl core::error::Error for Singular {}
