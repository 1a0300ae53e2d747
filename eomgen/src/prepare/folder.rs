//! Where the files of modules are, by the rules of the compiler.

use std::path::{Path, PathBuf};

/// Where the files of a file's modules are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Folder {
    /// What paths of `#[path]` count from.
    pub(super) path: PathBuf,
    /// The folder in it for files at their usual places: that of `a.rs` is `a`.
    pub(super) within: Option<String>,
}

impl Folder {
    /// That of the root file of a target, of `mod.rs`, and of files whose path is stated.
    pub(super) fn plain(path: PathBuf) -> Self {
        Self { path, within: None }
    }

    /// That of a module in braces.
    pub(super) fn inline(&self, name: &str) -> Self {
        Self::plain(self.usual_folder().join(name))
    }

    /// The file of a module whose path is stated.
    pub(super) fn stated(&self, path: &str) -> (PathBuf, Self) {
        let file = self.path.join(path);
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        (file, Self::plain(folder))
    }

    /// Where the file of a module may be.
    pub(super) fn usual(&self, name: &str) -> [(PathBuf, Self); 2] {
        let folder = self.usual_folder();
        let inner = folder.join(name);
        let flat = Self {
            path: folder.clone(),
            within: Some(name.to_owned()),
        };
        let file = folder.join(format!("{name}.rs"));
        [(file, flat), (inner.join("mod.rs"), Self::plain(inner))]
    }

    fn usual_folder(&self) -> PathBuf {
        match &self.within {
            Some(name) => self.path.join(name),
            None => self.path.clone(),
        }
    }
}
