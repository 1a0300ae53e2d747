/// Why a batch has no results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BatchError {
    /// A column is not as long as the first column of the states. Nothing was written.
    Length {
        /// The length of the first column of the states.
        expected: usize,
        /// The length of the column at fault.
        found: usize,
    },
}

impl core::fmt::Display for BatchError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self::Length { expected, found } = self;
        write!(f, "a column of {found} entries for {expected} states")
    }
}

impl core::error::Error for BatchError {}
