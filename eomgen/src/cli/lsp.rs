//! `eomgen lsp`

use super::console::Problem;
use crate::lsp;

/// Serves an editor on standard input and output.
pub(super) fn run() -> Result<(), Problem> {
    // What needs the algebra engine runs in this same program, beside the server.
    let engine = std::env::current_exe().ok().map(|program| lsp::Engine {
        program,
        arguments: ["check", "-", "--json"].map(str::to_owned).to_vec(),
    });
    lsp::run(engine).map_err(Problem::Failed)
}
