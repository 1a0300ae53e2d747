//! Files that a description names, read by whoever imports it. Knows nothing of what is in them.

use std::cell::RefCell;

/// How a file is read by its path, relative to the folder of the description.
type Read<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// The files, each read once and numbered from 1 for the places of messages.
pub struct Beside<'a> {
    read: Box<Read<'a>>,
    files: RefCell<Vec<(String, String)>>,
}

impl<'a> Beside<'a> {
    /// By a function that reads one.
    pub fn new(read: impl Fn(&str) -> Result<String, String> + 'a) -> Self {
        Self {
            read: Box::new(read),
            files: RefCell::default(),
        }
    }

    /// The number and the text of a file.
    pub fn file(&self, path: &str) -> Result<(u32, String), String> {
        let known = self
            .files
            .borrow()
            .iter()
            .position(|(name, _)| name == path);
        if let Some(at) = known {
            return Ok((at as u32 + 1, self.files.borrow()[at].1.clone()));
        }
        let text = (self.read)(path)?;
        let mut files = self.files.borrow_mut();
        files.push((path.to_owned(), text.clone()));
        Ok((files.len() as u32, text))
    }

    /// All that were read: names and texts.
    pub fn into_files(self) -> Vec<(String, String)> {
        self.files.into_inner()
    }
}
