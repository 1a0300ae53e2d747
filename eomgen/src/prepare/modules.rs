//! The module tree of a package, from the root files of its targets on.

use std::collections::BTreeSet;
use std::path::Path;

use super::attributes::{self, Found};
use super::folder::Folder;
use super::packages::Package;
use super::place::Place;
use crate::host;

/// What a package's source files hold.
#[derive(Debug, Default)]
pub struct Walk {
    /// The attributes, in the order in which they are met.
    pub found: Vec<Found>,
    /// What could not be read, each with its place.
    pub problems: Vec<String>,
}

/// Reads the source files of a package. Modules under any condition are among them; files that are not there are left to the
/// compiler, for a committed file may be one of them.
pub fn walk(package: &Package) -> Walk {
    let mut walk = Walk::default();
    let mut seen = BTreeSet::new();
    for root in &package.files {
        let folder = root.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut open = vec![(root.clone(), Folder::plain(folder))];
        while let Some((path, folder)) = open.pop() {
            // A file in two places of the tree has other modules there, but the same attributes.
            let path = path.canonicalize().unwrap_or(path);
            let folder = Folder {
                path: folder.path.canonicalize().unwrap_or(folder.path),
                ..folder
            };
            let known = seen.iter().any(|(file, _)| *file == path);
            if !seen.insert((path.clone(), folder.clone())) {
                continue;
            }
            let name = host::shown(&path).display().to_string();
            let contents = match parse(&path, &name) {
                Ok(source) => attributes::read(&source, &name, package.root.clone(), folder),
                Err(problem) => {
                    if !known {
                        walk.problems.push(problem);
                    }
                    continue;
                }
            };
            if !known {
                walk.found.extend(contents.found);
            }
            if package.whole {
                for places in contents.modules.into_iter().rev() {
                    open.extend(places.into_iter().rev().filter(|(file, _)| file.is_file()));
                }
            }
        }
    }
    walk
}

fn parse(path: &Path, name: &str) -> Result<syn::File, String> {
    let text = host::read_code(path);
    let text = text.map_err(|reason| format!("cannot read {name}: {reason}"))?;
    syn::parse_file(&text).map_err(|error| {
        let place = Place::new(name, error.span());
        format!("{place}: this is not Rust: {error}")
    })
}
