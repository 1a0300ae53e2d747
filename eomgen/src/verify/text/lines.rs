//! Where the functions of a Rust text and their statements stand. The parser keeps no positions, so they are counted here, by
//! brackets, strings and comments alone.

/// The lines of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// The line of `fn NAME`.
    pub(super) head: u32,
    /// The first line of each statement of the body, in order; the last one may be an expression.
    pub(super) statements: Vec<u32>,
}

/// The functions of a text that have a name, those of implementations included, in order: name and lines.
pub(super) fn of(text: &str) -> Vec<(String, Lines)> {
    let mut counter = Counter {
        line: 1,
        ..Counter::default()
    };
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '/' && chars.peek() == Some(&'/') {
            while chars.next_if(|c| *c != '\n').is_some() {}
        } else if c == '_' || c.is_alphanumeric() {
            counter.begin_statement();
            counter.word.push(c);
        } else {
            counter.end_word();
            if !c.is_whitespace() && c != '}' {
                counter.begin_statement();
            }
            match c {
                '"' => counter.skip_string(&mut chars),
                c => counter.separator(c),
            }
        }
    }
    counter.list
}

/// Where a text is being read.
#[derive(Default)]
struct Counter {
    list: Vec<(String, Lines)>,
    line: u32,
    /// Open brackets.
    depth: usize,
    /// Those around the last function: none, or an implementation's.
    base: usize,
    word: String,
    last_word: String,
    /// A function's name was read, and its body not yet.
    pending: bool,
    /// Inside of a body.
    inside: bool,
    /// The next character that says anything begins a statement.
    waiting: bool,
}

impl Counter {
    fn begin_statement(&mut self) {
        if self.inside
            && self.depth == self.base + 1
            && std::mem::take(&mut self.waiting)
            && let Some((_, lines)) = self.list.last_mut()
        {
            lines.statements.push(self.line);
        }
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        if self.last_word == "fn" && self.depth <= 1 && !self.inside {
            let lines = Lines {
                head: self.line,
                statements: Vec::new(),
            };
            self.list.push((word.clone(), lines));
            self.base = self.depth;
            self.pending = true;
        }
        self.last_word = word;
    }

    fn separator(&mut self, c: char) {
        match c {
            '\n' => self.line += 1,
            '{' | '(' | '[' => {
                self.depth += 1;
                let opens = c == '{' && self.depth == self.base + 1;
                if opens && std::mem::take(&mut self.pending) {
                    (self.inside, self.waiting) = (true, true);
                }
            }
            '}' | ')' | ']' => {
                if c == '}' && self.depth == self.base + 1 {
                    self.inside = false;
                }
                self.depth = self.depth.saturating_sub(1);
            }
            ';' if self.depth == self.base => self.pending = false,
            ';' if self.depth == self.base + 1 => self.waiting = true,
            _ => {}
        }
    }

    fn skip_string(&mut self, chars: &mut impl Iterator<Item = char>) {
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                // What is escaped ends nothing; a line may.
                '\\' => self.line += u32::from(chars.next() == Some('\n')),
                '\n' => self.line += 1,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_found_where_they_start() {
        let text = "//! fn no()\n/// fn { no\npub fn one(\n    a: [f64; 2],\n) -> f64 {\n    let b = a[0];\n\n    // c; d\n    let e = if b < 0.0 {\n        1.0\n    } else {\n        2.0\n    };\n    b\n        + e\n}\n\nimpl S {\n    fn own() {\n        1;\n    }\n}\nconst X: &str = \"fn no() {\\\"\";\nfn two() -> f64 { 1.0 }\n";
        let found = of(text);
        let names: Vec<&str> = found.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(names, ["one", "own", "two"]);
        assert_eq!(found[0].1.head, 3);
        assert_eq!(found[0].1.statements, [6, 9, 14]);
        assert_eq!(found[1].1.statements, [20]);
        assert_eq!(found[2].1.statements, [24]);
    }
}
