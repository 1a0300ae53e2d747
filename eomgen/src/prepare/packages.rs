//! Which packages there are, and where their source files begin.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::host::{self, cargo};

/// A package, as far as its source files matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its folder.
    pub root: PathBuf,
    /// The files to begin with: the roots of its targets.
    pub files: Vec<PathBuf>,
    /// Whether the modules that they declare belong to it.
    pub whole: bool,
}

/// The packages at a path: a `Cargo.toml`, or a folder in a package or workspace. That of a workspace stands for all members, one in a
/// member for this one. A file `.rs` stands for itself alone.
///
/// # Errors
/// When there is nothing of that kind, or cargo cannot tell.
pub fn packages(path: &Path) -> Result<Vec<Package>, String> {
    let shown = path.display();
    if path.extension().is_some_and(|end| end == "rs") {
        if !path.is_file() {
            return Err(format!("the file {shown} does not exist"));
        }
        let file = whole(path);
        let manifest = file.parent().and_then(nearest);
        let manifest = manifest.ok_or_else(|| format!("{shown} does not belong to a package"))?;
        return Ok(vec![Package {
            root: folder(&manifest),
            files: vec![file],
            whole: false,
        }]);
    }
    let manifest = if path.is_dir() {
        let found = nearest(&whole(path));
        found.ok_or_else(|| format!("there is no Cargo.toml in {shown} or above"))?
    } else if path.file_name().is_some_and(|name| name == "Cargo.toml") && path.is_file() {
        whole(path)
    } else {
        return Err(format!(
            "{shown} is not a folder, a Cargo.toml or an .rs file"
        ));
    };
    let said = cargo::metadata(&manifest).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!(
            "cannot run {}: the program does not exist; it is needed to list the packages in {shown}",
            Path::new(&cargo::program()).display()
        ),
        _ => format!("cannot run cargo: {error}"),
    })?;
    if !said.status.success() {
        let reason = String::from_utf8_lossy(&said.stderr);
        return Err(format!(
            "cargo cannot read the packages in {shown}:\n{}",
            reason.trim_end()
        ));
    }
    listed(&String::from_utf8_lossy(&said.stdout), &manifest)
        .ok_or_else(|| format!("cannot interpret cargo's description of the packages in {shown}"))
}

/// The `Cargo.toml` in a folder or above it.
fn nearest(folder: &Path) -> Option<PathBuf> {
    let manifests = folder.ancestors().map(|above| above.join("Cargo.toml"));
    manifests.into_iter().find(|path| path.is_file())
}

/// The whole of a path, symbolic links resolved.
fn whole(path: &Path) -> PathBuf {
    let resolved = path.canonicalize();
    resolved.unwrap_or_else(|_| host::absolute(&path.to_string_lossy()))
}

fn folder(manifest: &Path) -> PathBuf {
    manifest.parent().map(Path::to_path_buf).unwrap_or_default()
}

/// From the output of `cargo metadata --no-deps`.
fn listed(text: &str, manifest: &Path) -> Option<Vec<Package>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let top = whole(Path::new(value["workspace_root"].as_str()?));
    let mut all = Vec::new();
    for package in value["packages"].as_array()? {
        let root = folder(&whole(Path::new(package["manifest_path"].as_str()?)));
        let mut files = Vec::new();
        for target in package["targets"].as_array()? {
            let file = PathBuf::from(target["src_path"].as_str()?);
            if !files.contains(&file) {
                files.push(file);
            }
        }
        all.push(Package {
            root,
            files,
            whole: true,
        });
    }
    all.sort_by(|one, other| one.root.cmp(&other.root));
    let asked = folder(manifest);
    if asked != top {
        all.retain(|package| package.root == asked);
    }
    Some(all)
}
