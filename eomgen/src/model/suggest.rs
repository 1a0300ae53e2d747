//! Near-miss suggestions by edit distance.

/// Edits (insertion, deletion, substitution, swap of neighbours) from one name to another; a
/// change of case alone costs nothing.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let substituted = previous[j] + usize::from(a[i] != b[j]);
            let mut best = substituted.min(previous[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = previous;
        previous = row;
    }
    previous.last().copied().unwrap_or(0)
}

/// The candidate nearest to `name`, the first of equals; `None` if none is near: at most a third
/// of the letters may differ, and one has to remain.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let edits = distance(name, candidate);
        let longer = length.max(candidate.chars().count());
        let near = edits <= longer.div_ceil(3) && edits < length.max(1);
        if near && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, edits) in [
            ("theta", "theta", 0),
            ("theta", "Theta", 0),
            ("theta", "tehta", 1),
            ("theta", "teta", 1),
            ("psi1", "psi2", 1),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }

    #[test]
    fn only_near_names_are_suggested() {
        let names = ["theta", "psi1", "x", "m1"];
        for (name, expected) in [
            ("teta", Some("theta")),
            ("psi", Some("psi1")),
            ("X", Some("x")),
            ("y", None),
            ("m2", Some("m1")),
            ("velocity", None),
        ] {
            assert_eq!(nearest(name, names.iter().copied()), expected, "{name}");
        }
    }
}
