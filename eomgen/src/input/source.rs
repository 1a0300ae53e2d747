//! A model's text with the texts of the parts that it uses.

use crate::diag::Sources;
use crate::library;
use crate::model::expand::{PartText, Surroundings, join, shipped};
use crate::syntax;
use crate::syntax::ast::{Item, ItemKind};

/// Most files of one model.
const MOST_FILES: usize = 200;
/// Most bytes of all of them together.
const MOST_BYTES: usize = 16 << 20;

/// What a model is read from. All of it is there before anything is derived; nothing is read later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
pub struct Source {
    /// The model's path, as messages show it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The files that it uses, directly or through others, in the order in which they are first named.
    pub parts: Vec<PartText>,
}

impl Source {
    /// A model in one file.
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            parts: Vec::new(),
        }
    }

    /// A model with all files that it uses. `read` yields the text at a path, or says why there is none.
    pub fn gather(
        name: &str,
        text: &str,
        mut read: impl FnMut(&str) -> Result<String, String>,
    ) -> Self {
        let mut source = Self::new(name, text);
        let mut bytes = text.len();
        let mut wanted = used(name, text);
        let mut next = 0;
        while let Some(path) = wanted.get(next).cloned() {
            next += 1;
            if source.parts.iter().any(|part| part.path == path) {
                continue;
            }
            let full = source.parts.len() >= MOST_FILES || bytes > MOST_BYTES;
            let text = if full {
                Err("the model has too many files".to_owned())
            } else {
                let text = match shipped(&path) {
                    Some(name) => library::text(name),
                    None => read(&path),
                };
                text.and_then(|text| {
                    // Messages show lines of it, which are nobody's business if it is something else.
                    if syntax::begins_model(&text) {
                        Ok(text)
                    } else {
                        Err("it is neither a part nor a model".to_owned())
                    }
                })
            };
            if let Ok(text) = &text {
                bytes += text.len();
                wanted.extend(used(&path, text));
            }
            source.parts.push(PartText { path, text });
            if full {
                break;
            }
        }
        source
    }

    /// The paths of the parts that are files: not those of the library.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let paths = self.parts.iter().map(|part| part.path.as_str());
        paths.filter(|path| shipped(path).is_none())
    }

    /// Whether a text begins as a model does.
    pub fn is_model(text: &str) -> bool {
        syntax::begins_model(text)
    }

    /// For showing messages.
    pub fn sources(&self) -> Sources<'_> {
        let mut sources = Sources::new(&self.name, &self.text);
        for part in &self.parts {
            let text = part.text.as_deref().unwrap_or("");
            sources.add(&part.path, text);
        }
        sources
    }

    /// Everything that the result depends on, as one text: the model's own if it uses no parts.
    pub fn whole_text(&self) -> String {
        let mut whole = self.text.clone();
        for part in &self.parts {
            whole.push_str("\n// part\n");
            whole.push_str(part.text.as_deref().unwrap_or(""));
        }
        whole
    }

    /// What the model's text does not say itself.
    pub(super) fn around<'a>(&'a self, set: &'a [(String, i64)]) -> Surroundings<'a> {
        Surroundings {
            path: &self.name,
            parts: &self.parts,
            set,
        }
    }
}

/// The paths of the parts that a file uses, in order.
fn used(name: &str, text: &str) -> Vec<String> {
    let file = syntax::parse(text).file;
    let mut paths = Vec::new();
    let mut lists: Vec<std::slice::Iter<Item>> = vec![file.items.iter()];
    while let Some(list) = lists.last_mut() {
        let Some(item) = list.next() else {
            lists.pop();
            continue;
        };
        match &item.kind {
            ItemKind::Use { path, .. } => {
                let path = join(name, &path.text);
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
            ItemKind::For { body, .. } => lists.push(body.iter()),
            _ => {}
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn files_are_gathered_once_and_in_order() {
        let mut asked = Vec::new();
        let text = "model m\nuse \"p/a.eom\" as a\nfor i in 1..2 {\nuse \"b.eom\" as b[i]\n}\nuse \"./p/a.eom\" as c";
        let source = Source::gather("d/m.eom", text, |path| {
            asked.push(path.to_owned());
            match path {
                "d/p/a.eom" => Ok("part a\nuse \"../b.eom\" as b\nuse \"x.eom\" as x".to_owned()),
                "d/b.eom" => Ok("part b\nuse \"p/a.eom\" as a".to_owned()),
                _ => Err("missing".to_owned()),
            }
        });
        assert_eq!(asked, ["d/p/a.eom", "d/b.eom", "d/p/x.eom"]);
        assert_eq!(source.parts.len(), 3);
        assert!(source.whole_text().contains("part b"));
        assert_eq!(Source::new("m", text).whole_text(), text);
    }

    #[test]
    fn what_is_no_part_is_not_kept() {
        let text = "model m\nuse \"shadow\" as a";
        for (there, is_part) in [
            ("root:$6$secret:19000:0:99999:7:::\n", false),
            ("// a key\nKEY=secret", false),
            ("// a leg\npart leg\n", true),
            ("prat leg\n", true),
            ("\n", true),
        ] {
            let source = Source::gather("m.eom", text, |_| Ok(there.to_owned()));
            assert_eq!(source.parts[0].text.is_ok(), is_part, "{there}");
            assert!(!source.whole_text().contains("secret"));
        }
    }
}
