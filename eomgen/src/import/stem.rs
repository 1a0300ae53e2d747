//! What names of equal things have in common: `FL_hip` and `FR_hip` are `hip` of `FL` and `FR`. Knows words alone.

/// Words of limbs, and what the limb is called that has them.
const LIMBS: [(&str, &[&str]); 3] = [
    ("finger", &["finger", "thumb", "knuckle", "phalanx"]),
    (
        "leg",
        &[
            "leg", "hip", "thigh", "calf", "knee", "shank", "haa", "hfe", "kfe", "ankle", "foot",
        ],
    ),
    ("arm", &["arm", "shoulder", "elbow", "wrist", "gripper"]),
];

/// Whether a word ends between two characters.
fn ends(before: Option<char>, after: Option<char>, next: Option<char>) -> bool {
    let (Some(a), Some(b)) = (before, after) else {
        return true;
    };
    let lower = |c: Option<char>| c.is_some_and(char::is_lowercase);
    !a.is_alphanumeric()
        || !b.is_alphanumeric()
        || a.is_ascii_digit() != b.is_ascii_digit()
        || b.is_uppercase() && (a.is_lowercase() || lower(next))
}

fn ends_at(name: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| name.get(at)).copied();
    ends(before, name.get(at).copied(), name.get(at + 1).copied())
}

/// The words in which names differ, if each differs in one place from the others.
pub fn tags(names: &[&str]) -> Option<Vec<String>> {
    let names: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let shortest = names.iter().map(Vec::len).min()?;
    let mut prefix = (0..shortest)
        .take_while(|i| names.iter().all(|name| name[*i] == names[0][*i]))
        .count();
    let rest = shortest - prefix;
    let from_end = |name: &Vec<char>, i: usize| name[name.len() - 1 - i];
    let mut suffix = (0..rest)
        .take_while(|i| {
            names
                .iter()
                .all(|name| from_end(name, *i) == from_end(&names[0], *i))
        })
        .count();
    while prefix > 0 && !names.iter().all(|name| ends_at(name, prefix)) {
        prefix -= 1;
    }
    while suffix > 0 && !names.iter().all(|name| ends_at(name, name.len() - suffix)) {
        suffix -= 1;
    }
    let tags: Vec<String> = names
        .iter()
        .map(|name| name[prefix..name.len() - suffix].iter().collect())
        .collect();
    let mut sorted = tags.clone();
    sorted.sort();
    sorted.dedup();
    let fine =
        |tag: &String| !tag.is_empty() && tag.chars().all(|c| c.is_alphanumeric() || c == '_');
    (sorted.len() == tags.len() && tags.iter().all(fine)).then_some(tags)
}

/// What is left of names without their words, if it is the same for all.
pub fn common(names: &[&str], tags: &[String]) -> Option<String> {
    if names.iter().all(|name| name.is_empty()) {
        return Some(String::new());
    }
    let mut stems = names.iter().zip(tags).map(|(name, tag)| without(name, tag));
    let first = stems.next()??;
    stems
        .all(|stem| stem.as_ref() == Some(&first))
        .then(|| digits_last(&first))
}

/// A name without a word in it, and without the sign that joined it.
fn without(name: &str, tag: &str) -> Option<String> {
    let name: Vec<char> = name.chars().collect();
    let tag: Vec<char> = tag.chars().collect();
    let joins = |c: Option<&char>| c.is_some_and(|c| !c.is_alphanumeric());
    for start in 0..=name.len().checked_sub(tag.len())? {
        let end = start + tag.len();
        if name[start..end] != tag[..] || !ends_at(&name, start) || !ends_at(&name, end) {
            continue;
        }
        let (start, end) = if joins(name.get(end)) {
            (start, end + 1)
        } else if joins(start.checked_sub(1).and_then(|at| name.get(at))) {
            (start - 1, end)
        } else {
            (start, end)
        };
        let stem: String = name[..start].iter().chain(&name[end..]).collect();
        return (!stem.is_empty()).then_some(stem);
    }
    None
}

/// `1_link` is no name, `link_1` is.
fn digits_last(name: &str) -> String {
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    let rest = name[digits.len()..].trim_start_matches(|c: char| !c.is_alphanumeric());
    if digits.is_empty() || rest.is_empty() {
        name.to_owned()
    } else {
        format!("{rest}_{digits}")
    }
}

/// What a limb with these links is called.
pub fn part(names: &[&str]) -> String {
    let words = |name: &str| -> Vec<String> {
        name.split(|c: char| !c.is_alphabetic())
            .map(str::to_lowercase)
            .collect()
    };
    let all: Vec<String> = names.iter().flat_map(|name| words(name)).collect();
    let known = LIMBS.iter().map(|(limb, signs)| {
        let count = all
            .iter()
            .filter(|word| signs.contains(&word.as_str()))
            .count();
        (count, *limb)
    });
    // The first of equals: fingers have hands and arms, not the other way round.
    let best = known.fold(
        (0, "limb"),
        |best, it| if it.0 > best.0 { it } else { best },
    );
    best.1.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_a_word() {
        let found = |names: &[&str]| tags(names).map(|tags| tags.join(" "));
        assert_eq!(
            found(&["FL_hip", "FR_hip", "RL_hip"]).as_deref(),
            Some("FL FR RL")
        );
        assert_eq!(
            found(&["arm_left_1_link", "arm_right_1_link"]).as_deref(),
            Some("left right")
        );
        assert_eq!(
            found(&["LShoulderPitch", "RShoulderPitch"]).as_deref(),
            Some("L R")
        );
        assert_eq!(
            found(&["finger1_link", "finger2_link"]).as_deref(),
            Some("1 2")
        );
        assert_eq!(found(&["left_arm", "left_arm"]), None);
        assert_eq!(found(&["arm", "arm_2"]), None);
    }

    #[test]
    fn stems_are_what_is_left() {
        let tags = ["left".to_owned(), "right".to_owned()];
        let stem = |a, b| common(&[a, b], &tags);
        assert_eq!(
            stem("arm_left_1_link", "arm_right_1_link").as_deref(),
            Some("arm_1_link")
        );
        assert_eq!(
            stem("left_1_link", "right_1_link").as_deref(),
            Some("link_1")
        );
        assert_eq!(stem("leftmost", "rightmost"), None);
        assert_eq!(stem("left_a", "right_b"), None);
        assert_eq!(part(&["hip", "thigh", "calf"]), "leg");
        assert_eq!(part(&["x"]), "limb");
    }
}
