//! Random edits: the text that is put together from changes is the text that the editor has, with the same messages.

use super::super::position::Text;
use super::super::publish::Published;
use super::super::world::World;
use super::models;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use std::collections::BTreeSet;

/// Numbers that are the same every time (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// The text as a list of UTF-16 units, which is how an editor sees it.
fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// The unit at a place by counting, without what is tested.
fn place(units: &[u16], at: usize) -> Position {
    let before = &units[..at];
    let ends = |i: &usize| {
        before[*i] == u16::from(b'\n')
            || before[*i] == u16::from(b'\r') && units.get(i + 1) != Some(&u16::from(b'\n'))
    };
    let breaks: Vec<usize> = (0..before.len()).filter(ends).collect();
    let start = breaks.last().map_or(0, |last| last + 1);
    Position::new(breaks.len() as u32, (at - start) as u32)
}

const PIECES: [&str; 12] = [
    "",
    "𝜃",
    "\n",
    "x",
    " + ",
    "(",
    "]",
    "é",
    "param p : m\n",
    "\"",
    "\r\n",
    "let a = 1",
];

#[test]
fn changes_add_up_to_the_text() {
    let mut random = Random(7);
    for (path, model) in models().into_iter().step_by(12) {
        let mut editor = units(&model);
        let mut text = Text::new(model);
        let mut world = World::default();
        let mut published = Published::default();
        let changed = BTreeSet::from([path.clone()]);
        let mut last = std::collections::BTreeMap::new();
        for step in 0..60 {
            let mut from = random.below(editor.len());
            let mut to = (from + random.below(6)).min(editor.len());
            // An editor does not cut letters, nor between a carriage return and its line feed.
            let inside = |at: usize, units: &[u16]| {
                units.get(at).is_some_and(|u| (0xDC00..0xE000).contains(u))
                    || at > 0
                        && units[at - 1] == u16::from(b'\r')
                        && units.get(at) == Some(&u16::from(b'\n'))
            };
            while inside(from, &editor) {
                from -= 1;
            }
            while inside(to, &editor) {
                to += 1;
            }
            let piece = PIECES[random.below(PIECES.len())];
            let range = Range::new(place(&editor, from), place(&editor, to));
            text = text.changed(&TextDocumentContentChangeEvent {
                range: Some(range),
                range_length: None,
                text: piece.to_owned(),
            });
            editor.splice(from..to, units(piece));
            assert_eq!(units(text.as_str()), editor, "{path}, step {step}");
            world.set(&path, text.clone());
            for sent in published.refresh(&mut world, &changed) {
                last.insert(sent.uri.as_str().to_owned(), sent.diagnostics);
            }
        }
        // A server that sees the last text only has the same messages.
        let mut fresh = World::default();
        fresh.set(&path, text);
        let sent = Published::default().refresh(&mut fresh, &changed);
        for params in sent {
            let before = last.remove(params.uri.as_str()).unwrap_or_default();
            assert_eq!(before, params.diagnostics, "{path}");
        }
    }
}
