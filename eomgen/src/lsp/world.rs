//! The files that an editor has open, those that they use, and what is found of each model. Knows the front end; nothing of requests and
//! answers.

use super::engine::{Facts, Job};
use super::names::{Declaration, File, Kind, Mention, Role};
use super::place::folder;
use super::position::Text;
use crate::diag::{Diagnostic, Severity};
use crate::files::{self, Parts};
use crate::input::{Failure, Source, read_source};
use crate::library;
use crate::model::System;
use crate::model::expand::{join, shipped};
use crate::span::Span;
use crate::syntax::parse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Most files that are looked at for who uses a part.
const MOST_FILES: usize = 300;
/// Most models for which a part is checked.
const MOST_USERS: usize = 8;

/// What is found of a model with its parts.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    /// By [`Span::file`].
    pub(super) files: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// As of the last text that had no errors.
    pub(super) system: Option<Rc<System>>,
}

/// A declared name of a file; that of a counted variable belongs to a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) within: Option<Span>,
}

/// All that the server knows.
#[derive(Debug, Default)]
pub(super) struct World {
    /// The folders that the editor works in.
    pub(super) folders: Vec<PathBuf>,
    open: BTreeMap<String, Rc<File>>,
    /// Files that are read from the disk, or why they cannot be.
    read: BTreeMap<String, Result<Rc<File>, String>>,
    analyses: BTreeMap<String, Rc<Analysis>>,
    /// Rust files that are open, for the models in their attributes.
    pub(super) rust: BTreeMap<String, Text>,
    /// What the engine last said of a model; the text may have changed since.
    pub(super) facts: BTreeMap<String, Facts>,
}

impl World {
    /// The editor's text of a file.
    pub(super) fn set(&mut self, path: &str, text: Text) {
        let file = Rc::new(File::new(path, text));
        self.open.insert(path.to_owned(), file);
        self.read.remove(path);
    }

    /// The disk has the text from now on.
    pub(super) fn close(&mut self, path: &str) {
        self.open.remove(path);
        self.analyses.remove(path);
        self.read.remove(path);
        self.facts.remove(path);
        self.rust.remove(path);
    }

    /// Files on the disk may have changed.
    pub(super) fn forget_disk(&mut self) {
        self.read.clear();
    }

    pub(super) fn is_open(&self, path: &str) -> bool {
        self.open.contains_key(path)
    }

    pub(super) fn open_paths(&self) -> Vec<String> {
        self.open.keys().cloned().collect()
    }

    /// A file that is open.
    pub(super) fn opened(&self, path: &str) -> Option<Rc<File>> {
        self.open.get(path).cloned()
    }

    /// A file, open or not.
    pub(super) fn file(&mut self, path: &str) -> Option<Rc<File>> {
        self.part("", path).ok()
    }

    /// A file for the model or part at `user`, or why it is not there.
    fn part(&mut self, user: &str, path: &str) -> Result<Rc<File>, String> {
        if let Some(file) = self.open.get(path) {
            return Ok(Rc::clone(file));
        }
        if let Some(known) = self.read.get(path) {
            return known.clone();
        }
        let further = self.folders.iter().map(PathBuf::as_path);
        let text = if let Some(name) = shipped(path) {
            library::text(name)
        } else if user.is_empty() {
            files::read_part(path)
        } else {
            Parts::of(user, further, "open its folder in the editor").read(path)
        };
        let file = text.map(|text| Rc::new(File::new(path, Text::new(text))));
        self.read.insert(path.to_owned(), file.clone());
        file
    }

    /// Reads and checks a model again.
    pub(super) fn analyse(&mut self, path: &str) -> Option<Rc<Analysis>> {
        let file = self.file(path)?;
        let text = file.text.as_str().to_owned();
        if file.is_part() {
            // On its own it is neither right nor wrong beyond its syntax; models that use it are checked with it.
            let analysis = Rc::new(Analysis {
                files: vec![path.to_owned()],
                diagnostics: parse(&text).diagnostics,
                system: None,
            });
            self.analyses.insert(path.to_owned(), Rc::clone(&analysis));
            return Some(analysis);
        }
        let source = Source::gather(path, &text, |part| {
            Ok(self.part(path, part)?.text.as_str().to_owned())
        });
        let files = std::iter::once(path.to_owned())
            .chain(source.parts.iter().map(|part| part.path.clone()));
        let before = self.analyses.get(path).and_then(|old| old.system.clone());
        let (system, diagnostics) = match read_source(&source, &[]) {
            Ok((system, diagnostics)) => (Some(Rc::new(system)), diagnostics),
            Err(Failure::Diagnostics(diagnostics)) => (before, diagnostics),
            Err(Failure::Message(_)) => (before, Vec::new()),
        };
        let analysis = Rc::new(Analysis {
            files: files.collect(),
            diagnostics,
            system,
        });
        self.analyses.insert(path.to_owned(), Rc::clone(&analysis));
        Some(analysis)
    }

    /// What the engine is given of a model, if it is open and has no errors.
    pub(super) fn job(&mut self, path: &str) -> Option<Job> {
        let file = self.opened(path)?;
        let analysis = self.analysis(path)?;
        let wrong = |d: &Diagnostic| d.severity == Severity::Error;
        if analysis.diagnostics.iter().any(wrong) {
            return None;
        }
        Some(Job {
            path: path.to_owned(),
            text: file.text.as_str().to_owned(),
            folder: PathBuf::from(folder(path)),
            further: self.folders.clone(),
        })
    }

    /// What was found of a model when it was last read.
    pub(super) fn analysis(&self, path: &str) -> Option<Rc<Analysis>> {
        self.analyses.get(path).cloned()
    }

    /// The checked model to which a file belongs, and the prefix of the file's names in it (`left.`).
    pub(super) fn system_of(&self, path: &str) -> Option<(Rc<System>, String)> {
        if let Some(own) = self.analyses.get(path)
            && let Some(system) = &own.system
        {
            return Some((Rc::clone(system), String::new()));
        }
        for (root, analysis) in &self.analyses {
            let Some(system) = &analysis.system else {
                continue;
            };
            let part = self.open.get(root).and_then(|file| {
                let used =
                    |d: &&Declaration| d.path.as_deref().is_some_and(|p| join(root, p) == path);
                file.declarations.iter().find(used).cloned()
            });
            if let Some(part) = part {
                return Some((Rc::clone(system), format!("{}.", part.name)));
            }
        }
        None
    }

    /// The models that are checked where a file changes: itself, or those that use it.
    pub(super) fn models_of(&mut self, path: &str) -> Vec<String> {
        let Some(file) = self.file(path) else {
            return Vec::new();
        };
        let open: Vec<String> = self.open.keys().cloned().collect();
        let mut users: Vec<String> = open
            .into_iter()
            .filter(|other| self.is_model_with(other, path))
            .collect();
        if users.is_empty() && file.is_part() {
            let near = self.neighbours(path);
            users = near
                .into_iter()
                .filter(|other| self.is_model_with(other, path))
                .take(MOST_USERS)
                .collect();
        }
        users
    }

    /// Whether a file is a model that is, or uses, another.
    fn is_model_with(&mut self, model: &str, path: &str) -> bool {
        self.file(model).is_some_and(|file| !file.is_part())
            && (model == path || self.uses(model, path))
    }

    /// Whether a file uses another, by itself or through others.
    fn uses(&mut self, user: &str, path: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut next = vec![user.to_owned()];
        while let Some(at) = next.pop() {
            if !seen.insert(at.clone()) || seen.len() > MOST_FILES {
                continue;
            }
            let Some(file) = self.file(&at) else {
                continue;
            };
            for part in file.parts() {
                let full = join(&at, part);
                if full == path {
                    return true;
                }
                next.push(full);
            }
        }
        false
    }

    /// The files that may use another: those that are open, those beside it and one folder up, and those of the editor's folders.
    pub(super) fn neighbours(&mut self, path: &str) -> Vec<String> {
        let mut found: Vec<String> = self.open.keys().cloned().collect();
        let own = folder(path).to_owned();
        let places = [own.clone(), folder(&own).to_owned()];
        let near = places
            .iter()
            .filter(|place| !place.is_empty())
            .map(|place| (PathBuf::from(place), 0));
        let all = near.chain(self.folders.iter().map(|place| (place.clone(), 4)));
        for (place, depth) in all {
            for file in files::models_below(&place, depth, MOST_FILES) {
                let name = shown(&file);
                if !found.contains(&name) && found.len() < MOST_FILES {
                    found.push(name);
                }
            }
        }
        found
    }

    /// What a name at a place stands for.
    pub(super) fn symbol(&mut self, file: &Rc<File>, mention: &Mention) -> Option<Symbol> {
        if matches!(mention.role, Role::Unit | Role::Path) {
            return None;
        }
        if mention.through.is_empty() {
            let declared = file.declared(&mention.name, Some(mention.span))?;
            return Some(symbol(&file.path, declared));
        }
        let inner = self.inside(file, &mention.through)?;
        let declared = inner.declared(&mention.name, None)?;
        Some(symbol(&inner.path, declared))
    }

    /// The file that is reached through parts.
    pub(super) fn inside(&mut self, file: &Rc<File>, through: &[String]) -> Option<Rc<File>> {
        let mut at = Rc::clone(file);
        for name in through {
            let declared = at.declared(name, None)?;
            let path = declared
                .path
                .as_deref()
                .filter(|_| declared.kind == Kind::Part)?;
            let full = join(&at.path, path);
            at = self.part(&at.path.clone(), &full).ok()?;
        }
        Some(at)
    }

    /// Where a symbol is declared.
    pub(super) fn declarations(&mut self, symbol: &Symbol) -> Vec<Declaration> {
        let Some(file) = self.file(&symbol.path) else {
            return Vec::new();
        };
        let same = |d: &&Declaration| d.within == symbol.within;
        file.named(&symbol.name).filter(same).cloned().collect()
    }

    /// All places where a symbol is named, its declarations among them, file by file.
    pub(super) fn mentions(&mut self, symbol: &Symbol) -> Vec<(Rc<File>, Vec<Span>)> {
        let mut all = vec![symbol.path.clone()];
        if symbol.within.is_none() {
            for near in self.neighbours(&symbol.path) {
                if !all.contains(&near) && self.uses(&near, &symbol.path) {
                    all.push(near);
                }
            }
        }
        let mut found = Vec::new();
        for path in all {
            let Some(file) = self.file(&path) else {
                continue;
            };
            let named = file.mentions.iter().filter(|m| m.name == symbol.name);
            let spans: Vec<Span> = named
                .filter(|m| self.symbol(&file, m).as_ref() == Some(symbol))
                .map(|m| m.span)
                .collect();
            if !spans.is_empty() {
                found.push((file, spans));
            }
        }
        found
    }
}

fn symbol(path: &str, declared: &Declaration) -> Symbol {
    Symbol {
        path: path.to_owned(),
        name: declared.name.clone(),
        within: declared.within,
    }
}

/// A path with `/` between folders.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}
