//! Characters that a reader does not see, or that do something else than be seen: controls (a terminal obeys them), marks that turn the
//! direction of writing (a text reads otherwise than it is), and those without a width.

/// Whether a character is none of those that are seen, and no line end or tab.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text in which such characters are spelled by their number.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_invisible(c) {
            out.push_str(&format!("U+{:04X}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_is_not_seen_is_spelled() {
        assert_eq!(
            visible("a\u{1b}[2J\u{202e}b\u{7f}\u{9b}"),
            "aU+001B[2JU+202EbU+007FU+009B"
        );
        assert_eq!(visible("θ̇ − é\n\tx"), "θ̇ − é\n\tx");
    }
}
