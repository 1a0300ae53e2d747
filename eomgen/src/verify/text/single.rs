//! A text for `f32` as one for `f64`: the types, and the functions of `libm` whose names end in `f`. Lines stay where they are. What its
//! literals stand for is a matter of [`literal`](super::literal).

/// The text with other types.
pub fn doubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        match word {
            "f32" => out.push_str("f64"),
            word if out.ends_with("libm::") => out.push_str(word.strip_suffix('f').unwrap_or(word)),
            word => out.push_str(word),
        }
        let between = behind.find(is_part).unwrap_or(behind.len());
        let (gap, next) = behind.split_at(between);
        out.push_str(gap);
        rest = next;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::doubled;

    #[test]
    fn types_and_functions_are_those_of_doubles() {
        let text = "fn sf32(x: f32) -> [f32; 2] {\n    [libm::atan2f(x, 1.0_f32), f32::mul_add(x, x, libm::powf(x, df))]\n}";
        let expected = "fn sf32(x: f64) -> [f64; 2] {\n    [libm::atan2(x, 1.0_f32), f64::mul_add(x, x, libm::pow(x, df))]\n}";
        assert_eq!(doubled(text), expected);
        assert_eq!(doubled(""), "");
    }
}
