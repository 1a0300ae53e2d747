//! `--include`: where parts may come from, besides the folder of the model.

use std::path::PathBuf;

use clap::Args;

use crate::host::Parts;

/// The folders.
#[derive(Debug, Default, Args)]
pub(super) struct Include {
    /// Folder from which the model may use parts, besides its own; may be repeated
    #[arg(long = "include", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

impl Include {
    /// The files that this model may use.
    pub(super) fn parts(&self, model: &str) -> Parts {
        let further = self.folders.iter().map(PathBuf::as_path);
        Parts::of(
            model,
            further,
            "`--include DIR` allows parts of another one",
        )
    }
}
