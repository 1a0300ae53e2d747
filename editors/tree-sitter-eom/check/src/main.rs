//! `cargo run` generates the parser anew, `cargo run -- FILE...` shows the trees of files.

use std::process::ExitCode;
use tree_sitter_eom_check::{folder, generate, language, parse};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let done = if files.is_empty() {
        generate(&folder().join("src"))
    } else {
        show(&files)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn show(files: &[String]) -> Result<(), String> {
    let language = language()?;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        println!("{}", parse(&language, &text)?.root_node().to_sexp());
    }
    Ok(())
}
