//! `eomgen lsp`

use super::console::Problem;
use crate::lsp;

/// Serves an editor on standard input and output.
pub(super) fn run() -> Result<(), Problem> {
    lsp::run().map_err(Problem::Failed)
}
