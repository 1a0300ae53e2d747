//! From attributes to the files that they name.

use std::path::{Component, Path, PathBuf};

use super::attributes::Found;
use super::place::Place;
use crate::attribute::arguments::Given;
use crate::header;
use crate::host;
use crate::request::Request;

/// A committed file.
#[derive(Clone, Debug)]
pub struct Committed {
    /// The attribute that names it; the first of several that say the same.
    pub place: Place,
    /// What belongs into it.
    pub request: Request,
    /// Where it is.
    pub path: PathBuf,
    /// The same for messages.
    pub name: String,
    /// What it holds now, if it exists.
    pub existing: Option<String>,
}

/// What there is to do.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The files, in the order of their attributes.
    pub files: Vec<Committed>,
    /// How many attributes name no file: they derive when they are expanded.
    pub expanded: usize,
    /// What cannot be done, with places.
    pub problems: Vec<String>,
}

/// What is to be done for the attributes.
pub fn plan(found: &[Found]) -> Plan {
    let mut plan = Plan::default();
    let mut all: Vec<Committed> = Vec::new();
    for one in found {
        match &one.arguments {
            Err(errors) => {
                let text = errors.iter().map(|(at, text)| format!("{at}: {text}"));
                plan.problems.extend(text);
            }
            Ok(arguments) => match &arguments.generated {
                None => plan.expanded += 1,
                Some(given) => match committed(one, given, arguments.request(&one.root)) {
                    Ok(file) => all.push(file),
                    Err(reason) => plan.problems.push(format!("{}: {reason}", one.place)),
                },
            },
        }
    }
    let sources: Vec<PathBuf> = found
        .iter()
        .map(|one| resolved(&host::absolute(&one.place.file)))
        .collect();
    let models: Vec<PathBuf> = all.iter().flat_map(|file| file.request.files()).collect();
    let models: Vec<PathBuf> = models.iter().map(|path| resolved(path)).collect();
    for (index, file) in all.iter().enumerate() {
        let (before, after) = all.split_at(index);
        if before.iter().any(|one| same(one, file)) {
            continue;
        }
        let reason = if sources.contains(&file.path) {
            "holds an attribute: it cannot be the generated file".to_owned()
        } else if models.contains(&file.path) {
            "is a model: it cannot be the generated file".to_owned()
        } else if let Some(other) = before.iter().find(|one| differ(one, file)) {
            let there = &other.place;
            format!("is also named at {there}, for another model or with different options")
        } else if after.iter().any(|one| differ(one, file)) {
            // Told at the other one.
            continue;
        } else if file.existing.as_deref().is_some_and(foreign) {
            "was not written by eomgen and is not overwritten: move it away, or choose another name"
                .to_owned()
        } else {
            plan.files.push(file.clone());
            continue;
        };
        let text = format!("{}: {} {reason}", file.place, file.name);
        plan.problems.push(text);
    }
    plan
}

fn committed(
    found: &Found,
    given: &Given,
    request: Result<Request, host::FileError>,
) -> Result<Committed, String> {
    let request = request.map_err(|error| error.to_string())?;
    let path = resolved(&found.root.join(&given.value));
    let name = host::shown(&path).display().to_string();
    if !path.starts_with(resolved(&found.root)) {
        return Err(format!(
            "{name} lies outside of the package: generated files are written inside it"
        ));
    }
    let existing = if path.exists() {
        let text = host::read_code(&path);
        Some(text.map_err(|reason| format!("cannot read {name}: {reason}"))?)
    } else {
        None
    };
    Ok(Committed {
        place: found.place.clone(),
        request,
        path,
        name,
        existing,
    })
}

/// Whether the text is not of this generator's making. Conflicts of a version control system may stand in the header.
fn foreign(text: &str) -> bool {
    !text.trim().is_empty() && !text.lines().take(8).any(header::begins)
}

/// Whether the same code belongs into the same file.
fn same(one: &Committed, other: &Committed) -> bool {
    one.path == other.path && !differ(one, other)
}

/// Whether different code belongs into the same file.
fn differ(one: &Committed, other: &Committed) -> bool {
    let stem = |file: &Committed| {
        let name = Path::new(&file.request.source().name);
        name.file_name().map(std::ffi::OsStr::to_owned)
    };
    let text = |file: &Committed| file.request.source().whole_text();
    let options = |file: &Committed| file.request.options().pairs();
    one.path == other.path
        && (options(one) != options(other) || text(one) != text(other) || stem(one) != stem(other))
}

/// One spelling of a path for each file, whether it exists or not.
fn resolved(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    let mut rest = Vec::new();
    let mut above = plain.as_path();
    loop {
        if let Ok(real) = above.canonicalize() {
            return rest.iter().rev().fold(real, |path, name| path.join(name));
        }
        match (above.parent(), above.file_name()) {
            (Some(parent), Some(name)) => {
                rest.push(name);
                above = parent;
            }
            _ => return plain,
        }
    }
}
