/// Why a batch is not complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BatchError {
    /// A column is not as long as the first column of the states. Nothing was written.
    Length {
        /// The length of the first column of the states.
        expected: usize,
        /// The length of the column at fault.
        found: usize,
    },
    /// The first of the states at which the formulas fail. The results of all of these are NaN, those of all others are there.
    Singular {
        /// Which state.
        index: usize,
        /// What fails there.
        singular: Singular,
    },
}

impl core::fmt::Display for BatchError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length { expected, found } => {
                write!(f, "a column of {found} entries for {expected} states")
            }
            Self::Singular { index, singular } => write!(f, "state {index}: {singular}"),
        }
    }
}

impl core::error::Error for BatchError {}
