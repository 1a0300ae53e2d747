/// That no state near the guess satisfies the constraints with what is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unassembled {
    /// The row that is farthest from holding, an index into [`Constraint::NAMES`].
    pub constraint: usize,
    /// What it leaves.
    pub residual: f64,
    /// Where the search came to rest.
    pub state: [f64; STATES],
}

impl core::fmt::Display for Unassembled {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let row = Constraint::NAMES.get(self.constraint).unwrap_or(&"a row");
        write!(
            f,
            "no state nearby satisfies {row}: it leaves {:e}",
            self.residual
        )
    }
}

impl core::error::Error for Unassembled {}
