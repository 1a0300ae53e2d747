//! Words as one would type them into a shell.

/// The words with spaces between them, those in quotes that a shell would take apart or rewrite.
pub fn line(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    // Double quotes are understood by all shells in use; what they leave alive is escaped as in `sh`.
    let mut out = String::from("\"");
    for c in word.chars() {
        if "\"\\$`".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn what_a_shell_would_change_is_quoted() {
        let words = ["eomgen", "a b.eom", "x'", "u[1]'", "$n", ""].map(str::to_owned);
        assert_eq!(line(&words), r#"eomgen "a b.eom" "x'" "u[1]'" "\$n" """#);
    }
}
