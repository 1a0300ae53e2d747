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

/// The functions at the top level of a text that have a name, in order: name and lines.
pub(super) fn of(text: &str) -> Vec<(String, Lines)> {
    let mut list: Vec<(String, Lines)> = Vec::new();
    let mut depth = 0_usize;
    let mut line = 1;
    // Inside a function at this depth, waiting for the start of a statement or not.
    let mut body: Option<usize> = None;
    let mut waiting = false;
    let mut word = String::new();
    let mut words: [String; 2] = Default::default();
    let mut chars = text.chars().peekable();
    let mut pending: Option<usize> = None;
    while let Some(c) = chars.next() {
        if c == '/' && chars.peek() == Some(&'/') {
            while chars.next_if(|c| *c != '\n').is_some() {}
            continue;
        }
        let begins = !c.is_whitespace() && c != '}';
        if body == Some(depth) && waiting && begins {
            if let Some((_, lines)) = list.last_mut() {
                lines.statements.push(line);
            }
            waiting = false;
        }
        if c == '_' || c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words = [std::mem::take(&mut words[1]), std::mem::take(&mut word)];
            if words[0] == "fn" && depth == 0 {
                let lines = Lines {
                    head: line,
                    statements: Vec::new(),
                };
                list.push((words[1].clone(), lines));
                pending = Some(list.len());
            }
        }
        match c {
            '\n' => line += 1,
            '"' => {
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        // What is escaped ends nothing; a line may.
                        '\\' => line += u32::from(chars.next() == Some('\n')),
                        '\n' => line += 1,
                        _ => {}
                    }
                }
            }
            '{' | '(' | '[' => {
                depth += 1;
                if c == '{' && depth == 1 && pending.take().is_some() {
                    body = Some(depth);
                    waiting = true;
                }
            }
            '}' | ')' | ']' => {
                if body == Some(depth) && c == '}' {
                    body = None;
                    waiting = false;
                }
                depth = depth.saturating_sub(1);
            }
            ';' if body == Some(depth) => waiting = true,
            _ => {}
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_found_where_they_start() {
        let text = "//! fn no()\n/// fn { no\npub fn one(\n    a: [f64; 2],\n) -> f64 {\n    let b = a[0];\n\n    // c; d\n    let e = if b < 0.0 {\n        1.0\n    } else {\n        2.0\n    };\n    b\n        + e\n}\n\nimpl S {\n    fn no() { 1; }\n}\nconst X: &str = \"fn no() {\\\"\";\nfn two() -> f64 { 1.0 }\n";
        let found = of(text);
        let names: Vec<&str> = found.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(found[0].1.head, 3);
        assert_eq!(found[0].1.statements, [6, 9, 14]);
        assert_eq!(found[1].1.statements, [22]);
    }
}
