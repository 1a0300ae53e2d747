//! The language server without the rest of the program, as `eomgen lsp` runs it: builds in seconds, for tests with editors
//! (`editors/test.sh`).

use std::process::ExitCode;

fn main() -> ExitCode {
    match eomgen::language_server::run(None) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
