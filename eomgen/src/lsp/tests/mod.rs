//! The features on real models, and the server as an editor meets it.

mod edits;
mod features;
mod fixes;
mod protocol;

use std::path::{Path, PathBuf};

/// The models that everything is tried on, with their texts.
fn models() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in crate::files::models_below(&folder(), 1, 1000) {
        let text = std::fs::read_to_string(&file).unwrap();
        found.push((super::world::shown(&file), text));
    }
    assert!(found.len() > 50, "{} models only", found.len());
    found
}

fn folder() -> PathBuf {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    models.canonicalize().unwrap()
}

/// The place of the first or, with `nth`, a later occurrence of a piece of text.
fn find(text: &str, piece: &str, nth: usize) -> lsp_types::Position {
    let (at, _) = text.match_indices(piece).nth(nth).unwrap();
    super::position::Text::new(text.to_owned()).position(at)
}
