//! Cargo: what it tells build scripts and hears from them, and what it knows of packages.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder that cargo tells build scripts of (`CARGO_MANIFEST_DIR`, `OUT_DIR`), if it does.
pub fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Says the lines to cargo, which reads the standard output of build scripts.
pub fn tell(lines: &str) {
    // Without cargo at the other end there is nobody to miss it.
    let _ = std::io::stdout().lock().write_all(lines.as_bytes());
}

/// The program: the one that runs us, if it does.
pub fn program() -> OsString {
    std::env::var_os("CARGO")
        .filter(|value| !value.is_empty())
        .unwrap_or_else(|| "cargo".into())
}

/// What `cargo metadata` says of the packages around a `Cargo.toml`, without those that they depend on. Needs no network.
pub fn metadata(manifest: &Path) -> io::Result<Output> {
    let mut command = Command::new(program());
    command
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .arg("--manifest-path")
        .arg(manifest)
        .stdin(Stdio::null());
    // Which toolchain is right depends on the folder.
    if let Some(folder) = manifest.parent() {
        command.current_dir(folder);
    }
    command.output()
}
