//! The tree-sitter grammar of eom: generates the parser, and loads it for the tests. Knows nothing of what the language means.

use std::path::{Path, PathBuf};
use tree_sitter::{Language, Parser, Tree};
use tree_sitter_loader::{CompileConfig, Loader};

/// The folder of the grammar.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Writes `src/parser.c` and what belongs to it from `grammar.js`, below a folder.
///
/// # Errors
/// What is wrong with the grammar.
pub fn generate(into: &Path) -> Result<(), String> {
    let mut found = Vec::new();
    tree_sitter_generate::generate_parser_in_directory(
        folder(),
        Some(into.to_path_buf()),
        None::<PathBuf>,
        tree_sitter::LANGUAGE_VERSION,
        None,
        Some("native"),
        true,
        tree_sitter_generate::OptLevel::default(),
        &mut found,
    )
    .map_err(|error| error.to_string())
}

/// Compiles the parser that lies in the repository and loads it.
///
/// # Errors
/// What the C compiler says.
pub fn language() -> Result<Language, String> {
    let libraries = folder().join("check/target/parser");
    std::fs::create_dir_all(&libraries).map_err(|error| error.to_string())?;
    let src = folder().join("src");
    Loader::with_parser_lib_path(libraries)
        .load_language_at_path(CompileConfig::new(&src, None, None))
        .map_err(|error| error.to_string())
}

/// Reads a text.
///
/// # Errors
/// That the parser is of another version.
pub fn parse(language: &Language, text: &str) -> Result<Tree, String> {
    let mut parser = Parser::new();
    parser.set_language(language).map_err(|e| e.to_string())?;
    parser.parse(text, None).ok_or_else(|| "no tree".to_owned())
}
