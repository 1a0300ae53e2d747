//! Reads model text and other files; errors of files.
//!
//! Whatever a path names, what is read is bounded: regular files only, and never more than a limit. A device or a pipe has no end
//! that could be waited for.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Most bytes of a model's file.
pub const MOST_OF_MODEL: u64 = 2 << 20;
/// Most bytes of any other text: generated modules, documents, states, source files.
pub const MOST_OF_TEXT: u64 = 64 << 20;
/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read {name}: {source}")]
    Read {
        /// The path, or `standard input`.
        name: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The text is not UTF-8.
    #[error("{name} is not UTF-8 text: the first bad byte is number {offset}")]
    NotText {
        /// The path, or `standard input`.
        name: String,
        /// Position of the first byte that is not part of a character, counted from 0.
        offset: usize,
    },
    /// The text is something else than a model. Nothing of it is shown: whoever chose the path need not be who may read the file.
    #[error("{name} is not a model: it does not begin with a statement such as `model pendulum`")]
    NotModel {
        /// The path.
        name: String,
    },
    /// Writing failed; the file is as it was.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// A model as read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
pub struct ModelText {
    /// What messages and headers call it: the path as given, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Reads a model from a path, or from standard input for `-`. A byte order mark is taken off.
pub fn read_model(path: &Path) -> Result<ModelText, FileError> {
    read_named(path, MOST_OF_MODEL)
}

/// Reads a text of so many bytes at most, as [`read_model`].
pub fn read_named(path: &Path, most: u64) -> Result<ModelText, FileError> {
    let from_stdin = path == Path::new("-");
    let name = if from_stdin {
        "<stdin>".to_string()
    } else {
        path.display().to_string()
    };
    let bytes = if from_stdin {
        bounded(io::stdin().lock(), most)
    } else {
        read_bytes(path, most)
    };
    let bytes = bytes.map_err(|source| FileError::Read {
        name: name.clone(),
        source,
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => {
            let text = match text.strip_prefix('\u{feff}') {
                Some(rest) => rest.to_string(),
                None => text,
            };
            Ok(ModelText { name, text })
        }
        Err(error) => Err(FileError::NotText {
            offset: error.utf8_error().valid_up_to(),
            name,
        }),
    }
}

/// All bytes of a regular file, unless there are more than `most`.
fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Before it is opened, since opening may do something to a device, and after, since the name may belong to another file by then.
    regular(&fs::metadata(path)?)?;
    let file = open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    if metadata.len() > most {
        return Err(too_large(most));
    }
    bounded(file, most)
}

fn regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a folder",
        ));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(())
}

/// Opens a file to be read, without waiting for whoever writes to a pipe.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(all(unix, feature = "derive"))]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options.open(path)
}

fn bounded(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large(most));
    }
    Ok(bytes)
}

fn too_large(most: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("it has more than {most} bytes"),
    )
}

/// Reads a file that a model uses. The error says why in a few words.
pub fn read_part(path: &str) -> Result<String, String> {
    read_plain(Path::new(path), MOST_OF_MODEL)
}

/// Reads a generated module or a source file. The error says why in a few words.
pub fn read_code(path: &Path) -> Result<String, String> {
    read_plain(path, MOST_OF_TEXT)
}

fn read_plain(path: &Path, most: u64) -> Result<String, String> {
    let bytes = read_bytes(path, most).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => error.to_string(),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    })
}

/// A path as messages show it: from the current folder on, where that is above it. It can be read under this name.
pub fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    // A file of the name `-` keeps its folder: alone it would be standard input.
    let inside = inside.filter(|path| path != Path::new("-"));
    inside.unwrap_or_else(|| path.to_path_buf())
}

/// Whether a path is called a model, links resolved. A text without any such name (standard input) is.
pub fn is_called_model(path: &Path) -> bool {
    match path.canonicalize() {
        Ok(path) => path.extension().is_some_and(|end| end == "eom"),
        Err(_) => true,
    }
}

/// A folder as part of a path: the current one has no name there.
pub fn nonempty(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// The files that a model may use: those in its folder and below, and those in further folders. Where a link leads decides, not
/// where it lies.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Resolved.
    folders: Vec<PathBuf>,
    /// What to do about a file elsewhere.
    remedy: &'static str,
}

impl Parts {
    /// For the model of this name.
    pub fn of<'a>(
        model: &str,
        further: impl IntoIterator<Item = &'a Path>,
        remedy: &'static str,
    ) -> Self {
        let model = Path::new(model);
        let mut resolved: Vec<PathBuf> = Vec::new();
        let mut add = |folder: Option<&Path>| {
            if let Some(Ok(folder)) = folder.map(|folder| nonempty(folder).canonicalize())
                && !resolved.contains(&folder)
            {
                resolved.push(folder);
            }
        };
        add(model.parent());
        add(model.canonicalize().ok().as_deref().and_then(Path::parent));
        further.into_iter().for_each(|folder| add(Some(folder)));
        Self {
            folders: resolved,
            remedy,
        }
    }

    /// Reads one. The error says why in a few words.
    pub fn read(&self, path: &str) -> Result<String, String> {
        let real = Path::new(path)
            .canonicalize()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => "there is no such file".to_string(),
                _ => error.to_string(),
            })?;
        if !self.folders.iter().any(|folder| real.starts_with(folder)) {
            return Err(format!(
                "it lies outside of the model's folder: {}",
                self.remedy
            ));
        }
        read_plain(&real, MOST_OF_MODEL)
    }
}

/// Whether there is a file at this place, be it through a link.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// The models in a folder and so many folders deep below it, in order, so many at most. Hidden folders are none of them.
#[allow(dead_code, reason = "for editors")]
pub fn models_below(folder: &Path, depth: usize, most: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut next = vec![(folder.to_path_buf(), depth)];
    // Folders count as well: there may be many without a model.
    let mut seen = 0;
    while let Some((folder, depth)) = next.pop() {
        seen += 1;
        if found.len() >= most || seen > 8 * most {
            break;
        }
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let hidden = path
                .file_name()
                .is_none_or(|name| name.to_string_lossy().starts_with('.'));
            if path.extension().is_some_and(|end| end == "eom") && path.is_file() {
                found.push(path);
            } else if depth > 0 && !hidden && path.is_dir() && !path.is_symlink() {
                next.push((path, depth - 1));
            }
        }
    }
    found.truncate(most);
    found
}

/// The folder of the crate that is being compiled or whose build script runs, as Cargo tells.
pub fn package_root() -> Option<PathBuf> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR");
    root.filter(|root| !root.is_empty()).map(PathBuf::from)
}

/// The whole of a path that counts from the current folder, whether there is such a file or not.
pub fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_text_or_an_error_that_says_where_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.eom");
        fs::write(&path, b"model m\xff").unwrap();
        match read_model(&path) {
            Err(FileError::NotText { offset, .. }) => assert_eq!(offset, 7),
            other => panic!("{other:?}"),
        }
        fs::write(&path, "\u{feff}model m").unwrap();
        assert_eq!(read_model(&path).unwrap().text, "model m");
        let missing = read_model(&folder.path().join("none.eom")).unwrap_err();
        assert!(missing.to_string().contains("none.eom"), "{missing}");
    }

    #[test]
    fn what_has_no_end_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("long.eom");
        File::create(&long)
            .unwrap()
            .set_len(MOST_OF_MODEL + 1)
            .unwrap();
        let said = read_model(&long).unwrap_err().to_string();
        assert!(said.contains("more than 2097152 bytes"), "{said}");
        assert!(read_named(&long, MOST_OF_TEXT).is_ok());
        assert!(
            read_model(folder.path())
                .unwrap_err()
                .to_string()
                .contains("a folder")
        );
        #[cfg(unix)]
        {
            let said = read_model(Path::new("/dev/zero")).unwrap_err().to_string();
            assert!(said.contains("not a regular file"), "{said}");
        }
        assert!(bounded(io::repeat(0), 1000).is_err());
    }

    #[test]
    fn parts_come_from_below_the_model_or_from_where_the_user_says() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, text) in [("a/p/in.eom", "in"), ("b/out.eom", "out"), ("a/m.eom", "m")] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), text).unwrap();
        }
        let model = at("a/m.eom").display().to_string();
        let read = |further: &[PathBuf], name: &str| {
            let further = further.iter().map(PathBuf::as_path);
            let parts = Parts::of(&model, further, "ask for it");
            parts.read(&at(name).display().to_string())
        };
        assert_eq!(read(&[], "a/p/in.eom"), Ok("in".to_owned()));
        let outside = "it lies outside of the model's folder: ask for it".to_owned();
        assert_eq!(read(&[], "b/out.eom"), Err(outside.clone()));
        assert_eq!(read(&[], "a/../b/out.eom"), Err(outside.clone()));
        assert_eq!(read(&[at("b")], "b/out.eom"), Ok("out".to_owned()));
        assert_eq!(
            read(&[], "a/none.eom"),
            Err("there is no such file".to_owned())
        );
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("b/out.eom"), at("a/link.eom")).unwrap();
            assert_eq!(read(&[], "a/link.eom"), Err(outside));
            assert_eq!(read(&[at("b")], "a/link.eom"), Ok("out".to_owned()));
        }
    }
}
