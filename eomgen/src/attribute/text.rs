//! From the text of generated code to tokens.

use std::str::FromStr;

use proc_macro2::{Group, LexError, Literal, Span, TokenStream, TokenTree};

/// The tokens of generated code, with documentation on separate lines. It is given as attributes, which the compiler takes for
/// the same: the lexer with which rust-analyzer serves macros takes `/// a` for documentation that begins with a slash.
pub(super) fn tokens(code: &str) -> Result<TokenStream, LexError> {
    let mut text = String::with_capacity(code.len() + code.len() / 4);
    for line in code.lines() {
        let start = line.trim_start();
        let inner = start.strip_prefix("//!").map(|docs| ("# !", docs));
        let outer = start.strip_prefix("///").map(|docs| ("#", docs));
        match inner.or(outer.filter(|(_, docs)| !docs.starts_with('/'))) {
            Some((mark, docs)) => {
                text.push_str(&format!("{mark}[doc = {}]", Literal::string(docs)));
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    TokenStream::from_str(&text).map(placed)
}

/// All tokens at the place of the attribute. The compiler puts them there by itself; rust-analyzer takes their places in the text for
/// places in the user's file, and fails on those beyond its end when asked for a definition.
fn placed(stream: TokenStream) -> TokenStream {
    let here = Span::call_site();
    let place = |mut tree: TokenTree| {
        if let TokenTree::Group(group) = &tree {
            tree = Group::new(group.delimiter(), placed(group.stream())).into();
        }
        tree.set_span(here);
        tree
    };
    stream.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_reads_as_the_compiler_reads_it() {
        let code = "//! # The \"model\" \\ \r\n//!\n// no documentation\n/// `m` \u{3b8}\npub fn f() -> f64 {\n    //// none\n    \
            /// of `x`\n    let x = 1.0 / 2.0; // half\n    x\n}\n";
        let plain = TokenStream::from_str(code).unwrap().to_string();
        assert_eq!(tokens(code).unwrap().to_string(), plain);
        assert!(plain.matches("doc").count() == 4, "{plain}");
        assert!(tokens("fn f( {").is_err());
    }
}
