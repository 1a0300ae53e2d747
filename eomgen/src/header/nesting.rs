//! Texts that nobody could read: brackets within brackets, or statements, of a depth or length that no generator writes. Whoever reads Rust by recursion
//! has to know beforehand.

use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree, token_stream};

/// Brackets within brackets.
const DEEPEST: usize = 100;

/// Words of a statement, or of an entry of a list: what is in brackets counts for itself.
const LONGEST: usize = 1000;

/// A bracket that is open.
struct Open {
    rest: std::iter::Peekable<token_stream::IntoIter>,
    length: usize,
    /// What comes next belongs to an attribute.
    is_attribute: bool,
}

/// Whether a text is too deep to be read. One that is no Rust is not: that is found by whoever reads it.
#[must_use]
pub fn is_too_deep(text: &str) -> bool {
    TokenStream::from_str(text).is_ok_and(are_too_deep)
}

/// The same of tokens.
pub(super) fn are_too_deep(tokens: TokenStream) -> bool {
    let open = |tokens: TokenStream| Open {
        rest: tokens.into_iter().peekable(),
        length: 0,
        is_attribute: false,
    };
    let mut stack = vec![open(tokens)];
    while let Some(last) = stack.last_mut() {
        let Some(token) = last.rest.next() else {
            stack.pop();
            continue;
        };
        // Attributes stand one after the other.
        let is_attribute = match &token {
            TokenTree::Punct(p) if p.as_char() == '#' => true,
            TokenTree::Punct(p) if p.as_char() == '!' => last.is_attribute,
            _ => false,
        };
        let of_attribute = last.is_attribute && matches!(token, TokenTree::Group(_));
        if !is_attribute && !of_attribute {
            last.length += 1;
        }
        last.is_attribute = is_attribute;
        if last.length > LONGEST {
            return true;
        }
        match token {
            TokenTree::Punct(p) if matches!(p.as_char(), ';' | ',') => last.length = 0,
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace && ends_statement(last.rest.peek()) {
                    last.length = 0;
                }
                stack.push(open(group.stream()));
            }
            _ => {}
        }
        if stack.len() > DEEPEST {
            return true;
        }
    }
    false
}

/// Whether what comes behind a closing brace is another statement or item.
fn ends_statement(next: Option<&TokenTree>) -> bool {
    match next {
        None => true,
        Some(TokenTree::Ident(word)) => word != "else" && word != "as",
        Some(TokenTree::Punct(p)) => p.as_char() == '#',
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_too_deep;

    #[test]
    fn depth_and_length_have_limits() {
        for (start, end) in [("(", ")"), ("[", "]"), ("{", "}")] {
            let nested = |n| format!("fn f() {{ x = {}1{}; }}", start.repeat(n), end.repeat(n));
            assert!(!is_too_deep(&nested(50)));
            assert!(is_too_deep(&nested(200_000)));
        }
        for part in [
            "-",
            "1+",
            "|x|",
            "if a {1} else ",
            "{1}+",
            "#[a]-",
            "&",
            "a::",
            "a.b().",
            "# -",
        ] {
            let long = |n| format!("fn f() {{ x = {}1; }}", part.repeat(n));
            assert!(!is_too_deep(&long(30)), "{part}");
            assert!(is_too_deep(&long(100_000)), "{part}");
        }
        let ends = |part: &str| format!("fn f() {{ x = a{}; }}", part.repeat(100_000));
        for part in ["[1]", "?", "(1)", ".b"] {
            assert!(is_too_deep(&ends(part)), "{part}");
        }
        let item = "#[inline]\n/// Words.\nfn f(a: f64) -> f64 { let b = a; b + 1.0 }\n";
        assert!(!is_too_deep(&item.repeat(1000)));
        assert!(!is_too_deep(&"//! Words.\n".repeat(5000)));
        assert!(!is_too_deep(&format!(
            "const X: [f64; 9] = [{}];",
            "1.0, ".repeat(5000)
        )));
        assert!(!is_too_deep("{{{"));
    }
}
