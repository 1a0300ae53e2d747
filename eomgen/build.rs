//! A fingerprint of the generator's own text, for the keys of its cache (docs/decisions/0013-cache.md).

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // A folder stands for all files in it, new ones included.
    for watched in ["src", "Cargo.toml", "build.rs"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let mut files = BTreeSet::from(["Cargo.toml".to_owned()]);
    collect(&root, "src", &mut files)?;
    // The standard hasher differs between versions of Rust; another fingerprint for the same text costs one derivation.
    let mut hasher = DefaultHasher::new();
    for name in &files {
        let mut bytes = fs::read(root.join(name))?;
        // Line ends are as the checkout made them.
        bytes.retain(|b| *b != b'\r');
        for part in [name.as_bytes(), &bytes] {
            hasher.write_u64(part.len() as u64);
            hasher.write(part);
        }
    }
    println!(
        "cargo::rustc-env=EOMGEN_FINGERPRINT={:016x}",
        hasher.finish()
    );
    Ok(())
}

/// The files in a folder and its folders, as paths with slashes, so that all systems sort and name them alike.
fn collect(root: &Path, folder: &str, files: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(root, &name, files)?;
        } else {
            files.insert(name);
        }
    }
    Ok(())
}
