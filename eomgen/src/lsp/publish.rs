//! Which messages an editor has of which file, and which it gets now. Several models may have messages on one part. Knows nothing of
//! connections.

use super::diagnostics;
use super::engine::Report;
use super::place;
use super::rust;
use super::world::World;
use lsp_types::{Diagnostic, PublishDiagnosticsParams};
use std::collections::{BTreeMap, BTreeSet};

/// What was found and what was sent.
#[derive(Debug, Default)]
pub(super) struct Published {
    /// Model by model, the messages of its files.
    found: BTreeMap<String, BTreeMap<String, Vec<Diagnostic>>>,
    /// The same, of what the engine says.
    later: BTreeMap<String, BTreeMap<String, Vec<Diagnostic>>>,
    /// File by file.
    sent: BTreeMap<String, Vec<Diagnostic>>,
}

impl Published {
    /// Checks every model that these files belong to, and returns what changes for the editor.
    pub(super) fn refresh(
        &mut self,
        world: &mut World,
        changed: &BTreeSet<String>,
    ) -> Vec<PublishDiagnosticsParams> {
        let mut models = BTreeSet::new();
        for path in changed {
            // A file that has become a part, or is closed, is no model any more.
            self.found.remove(path);
            self.later.remove(path);
            if rust::is_rust(path) {
                if let Some(text) = world.rust.get(path) {
                    let own = BTreeMap::from([(path.clone(), rust::messages(path, text))]);
                    self.found.insert(path.clone(), own);
                }
                continue;
            }
            models.extend(world.models_of(path));
            if world.is_open(path) {
                models.insert(path.clone());
            }
        }
        for model in models {
            let Some(analysis) = world.analyse(&model) else {
                continue;
            };
            let found = diagnostics::of(world, &analysis);
            self.later.remove(&model);
            self.found.insert(model, found);
        }
        self.changes()
    }

    /// Takes note of what the engine has found of a model; returns what changes for the editor, and whether hints do.
    pub(super) fn report(
        &mut self,
        world: &mut World,
        report: Report,
    ) -> (Vec<PublishDiagnosticsParams>, bool) {
        let path = &report.path;
        let said = report.facts();
        let hints = world.facts.get(path) != said.as_ref();
        match said {
            Some(said) => world.facts.insert(path.clone(), said),
            None => world.facts.remove(path),
        };
        let known: Vec<&Diagnostic> = self
            .found
            .get(path)
            .into_iter()
            .flat_map(BTreeMap::values)
            .flatten()
            .collect();
        if !world.is_open(path) {
            // It was asked for its freedom alone.
            return (Vec::new(), hints);
        }
        let mut later = diagnostics::of_report(world, path, &report.found);
        for messages in later.values_mut() {
            // What the front end has said already is in its own words there.
            messages.retain(|new| {
                !known
                    .iter()
                    .any(|old| old.code == new.code && old.range == new.range)
            });
        }
        self.later.insert(path.clone(), later);
        (self.changes(), hints)
    }

    /// The files whose messages are others than those that were sent.
    fn changes(&mut self) -> Vec<PublishDiagnosticsParams> {
        let mut now: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        for files in self.found.values().chain(self.later.values()) {
            for (path, messages) in files {
                let all = now.entry(path.clone()).or_default();
                for message in messages {
                    if !all.contains(message) {
                        all.push(message.clone());
                    }
                }
            }
        }
        for path in self.sent.keys() {
            now.entry(path.clone()).or_default();
        }
        let mut changes = Vec::new();
        for (path, messages) in now {
            // A file that nobody has heard of is right until it is wrong.
            let before = self.sent.get(&path);
            if before == Some(&messages) {
                continue;
            }
            if let Some(uri) = place::uri(&path) {
                changes.push(PublishDiagnosticsParams::new(uri, messages.clone(), None));
            }
            self.sent.insert(path, messages);
        }
        changes
    }
}
