//! Rust names from model names and hints.
//!
//! The rules, in order (docs/generated-code.md repeats them for users):
//!
//! 0. Letters that Unicode holds equivalent are one (form NFKC): rustc takes names that differ only in how they are composed for the same, and
//!    warns of letters that exist for compatibility.
//! 1. Greek letters are spelled out (`θ` is `theta`) and subscript digits become digits: rustc
//!    warns of look-alike letters in a way that only a whole crate can silence.
//! 2. Primes become `_dot`, `_ddot`, `_dddot`; anything else that no identifier may hold, `_`.
//! 3. A name that Rust keeps for itself gets a trailing `_`.
//! 4. A name that is taken in its scope gets a trailing `_`, then `_2`, `_3`, ...
//!
//! Fields, arguments and locals that stand for a model's quantity otherwise keep its spelling;
//! temporaries are lower-cased, variants are in camel case.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;

/// Words that no identifier may be: strict and reserved keywords of every edition, and the
/// prelude's patterns, which a `let` would match instead of binding.
const KEYWORDS: &[&str] = &[
    "Err", "None", "Ok", "Self", "Some", "abstract", "as", "async", "await", "become", "box",
    "break", "const", "continue", "crate", "do", "dyn", "else", "enum", "extern", "false", "final",
    "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut",
    "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// The model's spelling as an identifier (rules 0 to 3).
pub fn identifier(name: &str) -> String {
    let mut out = String::new();
    // Subscript digits part from what stands before them as plain ones do.
    let mut chars = name.nfkc().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let mut order = 1;
                while chars.next_if_eq(&'\'').is_some() {
                    order += 1;
                }
                push_separator(&mut out);
                out.push_str(&"d".repeat(order));
                out.push_str("ot");
            }
            '₀'..='₉' => {
                let digit = (c as u32 - '₀' as u32) as u8;
                out.push((b'0' + digit) as char);
            }
            // `theta[1]` becomes `theta_1`: its `[` parts, its `]` ends nothing that is not parted anyway.
            ']' => {}
            _ => match greek(c) {
                Some(spelled) => out.push_str(&spelled),
                None if c == '_' || unicode_ident::is_xid_continue(c) => out.push(c),
                None => push_separator(&mut out),
            },
        }
    }
    let out = match out.chars().next() {
        None => "unnamed".to_owned(),
        Some('_') if out.chars().all(|c| c == '_') => "unnamed".to_owned(),
        Some(first) if first == '_' || unicode_ident::is_xid_start(first) => out,
        Some(_) => format!("_{out}"),
    };
    if KEYWORDS.binary_search(&out.as_str()).is_ok() {
        return out + "_";
    }
    out
}

/// A name in snake case, for temporaries: `v_P2_x` is `v_p2_x`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in identifier(name).chars().flat_map(char::to_lowercase) {
        if c == '_' {
            push_separator(&mut out);
        } else {
            out.push(c);
        }
    }
    let out = match out.trim_end_matches('_') {
        "" => "unnamed",
        trimmed => trimmed,
    };
    identifier(out)
}

/// A name in camel case, for the variants of index enums: `x_dot` is `XDot`, `M` stays `M`.
pub fn camel(name: &str) -> String {
    let mut out = String::new();
    for word in identifier(name).split('_').filter(|word| !word.is_empty()) {
        let digits = |c: Option<char>| c.is_some_and(char::is_numeric);
        if digits(out.chars().next_back()) && digits(word.chars().next()) {
            out.push('_');
        }
        let mut chars = word.chars();
        out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        out.extend(chars);
    }
    if out.chars().next().is_some_and(unicode_ident::is_xid_start) {
        identifier(&out)
    } else {
        format!("N{out}")
    }
}

/// Whether rustc's `non_camel_case_types` lint accepts the identifier.
pub fn is_camel(ident: &str) -> bool {
    let has_case = |c: char| c.to_lowercase().ne(c.to_uppercase());
    let chars: Vec<char> = ident.trim_matches('_').chars().collect();
    let parted = |pair: &[char]| match pair {
        [a, '_'] => has_case(*a) || *a == '_',
        ['_', b] => has_case(*b),
        _ => false,
    };
    !chars.first().is_some_and(|c| c.is_lowercase()) && !chars.windows(2).any(parted)
}

/// Whether rustc's `non_snake_case` lint accepts the identifier.
pub fn is_snake(ident: &str) -> bool {
    let trimmed = ident.trim_start_matches('_');
    !trimmed.contains("__") && !trimmed.chars().any(char::is_uppercase)
}

/// One scope: hands out every name once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    used: BTreeSet<String>,
    /// Of stems with numbers the first number that may be free: no name is ever given back.
    next: BTreeMap<String, u64>,
}

impl Names {
    /// A scope in which `reserved` are taken already.
    pub fn reserving<'a>(reserved: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            used: reserved.into_iter().map(str::to_owned).collect(),
            next: BTreeMap::new(),
        }
    }

    /// Takes `wanted` if it is free, else the first free name of rule 4.
    pub fn claim(&mut self, wanted: &str) -> String {
        if self.used.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let stem = wanted.trim_end_matches('_');
        let first = format!("{stem}_");
        if self.used.insert(first.clone()) {
            return first;
        }
        let next = self.next.entry(stem.to_owned()).or_insert(2);
        loop {
            let name = format!("{stem}_{next}");
            *next += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Whether a name is taken.
    pub fn contains(&self, name: &str) -> bool {
        self.used.contains(name)
    }
}

fn push_separator(out: &mut String) {
    if !out.ends_with('_') {
        out.push('_');
    }
}

/// The English name of a Greek letter, capitalised like the letter.
fn greek(c: char) -> Option<String> {
    const LETTERS: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
        "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon",
        "phi", "chi", "psi", "omega",
    ];
    let (letter, capital) = match c {
        'α'..='ω' => (c as usize - 'α' as usize, false),
        'Α'..='Ω' => (c as usize - 'Α' as usize, true),
        'µ' => (11, false),
        'ϑ' => (7, false),
        'ϕ' => (21, false),
        'ϵ' => (4, false),
        'ϱ' => (16, false),
        'ϖ' => (15, false),
        'ϰ' => (9, false),
        _ => return None,
    };
    let name = LETTERS.get(letter)?;
    if !capital {
        return Some((*name).to_owned());
    }
    let mut chars = name.chars();
    let first = chars.next()?.to_ascii_uppercase();
    Some(std::iter::once(first).chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_and_no_identifiers() {
        assert!(KEYWORDS.is_sorted());
        for word in KEYWORDS {
            assert_eq!(identifier(word), format!("{word}_"));
            if !["Err", "None", "Ok", "Some"].contains(word) && *word != "gen" {
                assert!(syn::parse_str::<syn::Ident>(word).is_err(), "{word}");
            }
        }
    }

    #[test]
    fn names_follow_the_rules() {
        let table = [
            // model, identifier, snake, camel
            ("theta", "theta", "theta", "Theta"),
            ("m1", "m1", "m1", "M1"),
            ("M", "M", "m", "M"),
            ("x'", "x_dot", "x_dot", "XDot"),
            ("x''", "x_ddot", "x_ddot", "XDdot"),
            ("v_P2_x", "v_P2_x", "v_p2_x", "VP2X"),
            ("θ", "theta", "theta", "Theta"),
            ("Ω₂", "Omega2", "omega2", "Omega2"),
            ("type", "type_", "type_", "Type"),
            ("self", "self_", "self_", "Self_"),
            ("roll1.x", "roll1_x", "roll1_x", "Roll1X"),
            ("theta[1]", "theta_1", "theta_1", "Theta1"),
            ("theta[1]''", "theta_1_ddot", "theta_1_ddot", "Theta1Ddot"),
            ("P[2][10]", "P_2_10", "p_2_10", "P2_10"),
            ("leg[2].foot.x", "leg_2_foot_x", "leg_2_foot_x", "Leg2FootX"),
            ("q1_2", "q1_2", "q1_2", "Q1_2"),
            ("x y", "x_y", "x_y", "XY"),
            ("2nd", "_2nd", "_2nd", "N2nd"),
            ("", "unnamed", "unnamed", "Unnamed"),
            ("__", "unnamed", "unnamed", "Unnamed"),
            ("größe", "größe", "größe", "Größe"),
            // The same letters, composed otherwise, and letters for compatibility.
            ("gro\u{308}ße", "größe", "größe", "Größe"),
            ("e\u{301}", "\u{e9}", "\u{e9}", "\u{c9}"),
            ("\u{212a}", "K", "k", "K"),
            ("\u{2126}", "Omega", "omega", "Omega"),
            ("\u{1d465}", "x", "x", "X"),
            ("ok", "ok", "ok", "Ok_"),
            ("x__y", "x__y", "x_y", "XY"),
        ];
        for (model, plain, lower, camelled) in table {
            assert_eq!(identifier(model), plain, "{model}");
            assert_eq!(snake(model), lower, "{model}");
            assert_eq!(camel(model), camelled, "{model}");
            for name in [plain, lower, camelled] {
                assert!(syn::parse_str::<syn::Ident>(name).is_ok(), "{name}");
            }
            assert!(is_snake(lower), "{lower}");
        }
        for (name, is) in [
            ("Q1_2", true),
            ("X", true),
            ("Self_", true),
            ("X_2", false),
            ("X__", true),
            ("x", false),
            ("A_b", false),
        ] {
            assert_eq!(is_camel(name), is, "{name}");
        }
        assert!(!is_snake("M") && !is_snake("v_P2_x") && !is_snake("x__y"));
    }

    #[test]
    fn a_scope_hands_out_every_name_once() {
        let mut names = Names::reserving(["t"]);
        assert_eq!(names.claim("x"), "x");
        assert_eq!(names.claim("t"), "t_");
        assert_eq!(names.claim("t"), "t_2");
        assert_eq!(names.claim("t_"), "t_3");
        assert!(names.contains("t_3") && !names.contains("t_4"));
    }
}
