//! Names that the language takes, each given once, and the table of those that had to change. Knows nothing of machines.

use std::collections::BTreeSet;

use crate::syntax;

/// What cannot be a name in a model, or would be hard to read as one.
const TAKEN: [&str; 20] = [
    "N", "O", "t", "pi", "if", "then", "else", "and", "or", "not", "in", "at", "on", "to", "about",
    "along", "through", "from", "opposite", "rate",
];
/// Most characters of a name.
const LONGEST: usize = 80;

/// The names of one file.
#[derive(Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// As the source says, and as the model does.
    pub renamed: Vec<(String, String)>,
}

impl Names {
    /// A name of the source: as it is, if the language takes it and nothing else has it.
    pub fn given(&mut self, wanted: &str) -> String {
        let name = self.own(wanted);
        if name != wanted {
            self.renamed.push((wanted.to_owned(), name.clone()));
        }
        name
    }

    /// A name of a thing that has none in the source.
    pub fn own(&mut self, wanted: &str) -> String {
        let name = clean(wanted);
        let free = |name: &str| !TAKEN.contains(&name) && !self.taken.contains(name);
        let name = if free(&name) {
            name
        } else {
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            numbered.into_iter().find(|name| free(name)).unwrap_or(name)
        };
        self.taken.insert(name.clone());
        name
    }

    /// Whether a name is free as it is.
    pub fn is_free(&self, wanted: &str) -> bool {
        clean(wanted) == wanted && !TAKEN.contains(&wanted) && !self.taken.contains(wanted)
    }
}

/// The nearest text that is a name.
pub fn clean(wanted: &str) -> String {
    let takes = |c: char| {
        c == '_'
            || c.is_ascii_alphanumeric()
            || !c.is_ascii() && {
                let line = format!("model a{c}\n");
                syntax::format(&line).is_ok_and(|same| same == line)
            }
    };
    let mut name: String = wanted
        .chars()
        .take(LONGEST)
        .map(|c| if takes(c) { c } else { '_' })
        .collect();
    let begins = |c: char| c == '_' || c.is_alphabetic();
    if !name.chars().next().is_some_and(begins) {
        name.insert(0, '_');
    }
    if name.chars().all(|c| c == '_') {
        name.push('x');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_or_named_in_the_table() {
        let mut names = Names::default();
        for (wanted, expected) in [
            ("arm", "arm"),
            ("arm", "arm_2"),
            ("N", "N_2"),
            ("in", "in_2"),
            ("2f-85 base", "_2f_85_base"),
            ("a.b", "a_b"),
            ("été", "été"),
            ("", "_x"),
            ("x\u{202e}y", "x_y"),
        ] {
            assert_eq!(names.given(wanted), expected, "{wanted}");
        }
        assert_eq!(names.renamed.len(), 7);
        assert!(!names.is_free("arm") && names.is_free("leg") && !names.is_free("a b"));
    }
}
