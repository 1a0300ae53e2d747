//! "Did you mean": the known word nearest to an unknown one.

/// Words longer than this are never compared; nobody mistypes them.
const LONGEST: usize = 40;

/// The candidate that is close enough to be what was meant: one slip in short words, two in longer ones
/// (letters swapped, missing, added or wrong, also in capitals), the first of equals.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let allowed = match letters.len() {
        0..=1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .map(|candidate| (distance(&letters, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= allowed && *distance < candidate.chars().count()
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance, blind to capitals unless they are the only difference.
fn distance(word: &[char], candidate: &str) -> usize {
    let fold = |c: &char| c.to_lowercase().next().unwrap_or(*c);
    let a: Vec<char> = word.iter().map(fold).collect();
    let b: Vec<char> = candidate.chars().map(|c| fold(&c)).collect();
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let check = |word: &str, expect: Option<&str>| {
            let known = ["param", "coord", "point", "let", "x1"];
            assert_eq!(closest(word, known), expect, "{word}");
        };
        check("parm", Some("param"));
        check("prama", Some("param"));
        check("Param", Some("param"));
        check("cord", Some("coord"));
        check("piont", Some("point"));
        check("lte", Some("let"));
        check("X1", Some("x1"));
        check("y", None);
        check("frame", None);
        check("", None);
        check(&"p".repeat(1_000_000), None);
    }
}
