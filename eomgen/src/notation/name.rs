//! What becomes of a model's names: letters, subscripts, styles.

use super::Math;
use std::collections::{BTreeMap, BTreeSet};

/// How the letters of a symbol stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// One letter, slanted.
    Italic,
    /// Several letters, and constants of mathematics.
    Upright,
    /// A vector.
    Bold,
    /// A vector of length 1, with a hat.
    Unit,
}

/// A name, and how it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// In the model's spelling; what a definition of the symbol is looked up by.
    pub name: String,
    /// The letters without subscripts.
    pub letters: String,
    /// Their style.
    pub style: Style,
    /// Subscripts, in order.
    pub subscripts: Vec<String>,
}

/// Names of Greek letters with the letters.
const GREEK: [(&str, &str); 38] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("vartheta", "ϑ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("varphi", "ϕ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Upsilon", "Υ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("partial", "∂"),
];

/// The Greek letter of that name.
fn greek(name: &str) -> Option<&'static str> {
    GREEK.iter().find(|(n, _)| *n == name).map(|(_, c)| *c)
}

/// The LaTeX command of a Greek letter.
pub(super) fn command(letter: &str) -> Option<&'static str> {
    match letter {
        "ε" => Some("varepsilon"),
        "φ" => Some("varphi"),
        "ϕ" => Some("phi"),
        _ => GREEK.iter().find(|(_, c)| *c == letter).map(|(n, _)| *n),
    }
}

impl Symbol {
    /// A name by the general rules.
    pub fn of(name: &str) -> Self {
        let reaction = name.strip_prefix("reaction(");
        if let Some(row) = reaction.and_then(|rest| rest.strip_suffix(')')) {
            // The reaction that loads depend on is the row's multiplier.
            return Self {
                name: name.into(),
                ..Self::of(&format!("lambda[{row}]"))
            };
        }
        let (path, subscripts) = bracketed(name);
        let mut places: Vec<&str> = path.split('.').collect();
        let own = places.pop().unwrap_or(name);
        let (letters, mut all) = parts(own);
        all.extend(subscripts);
        all.extend(places.iter().map(|place| place.to_string()));
        let style = match (name, letters.chars().count()) {
            ("pi", _) | (_, 2..) => Style::Upright,
            _ => Style::Italic,
        };
        Self {
            name: name.into(),
            letters,
            style,
            subscripts: all,
        }
    }

    /// A name that is written as the model says: `φ_f` is a letter with a subscript. Indices and places of the name remain.
    pub fn shown(name: &str, text: &str) -> Self {
        let general = Self::of(name);
        let (path, indices) = bracketed(name);
        let places = path.split('.').rev().skip(1).map(str::to_string);
        let mut pieces = text.split('_').filter(|piece| !piece.is_empty());
        let letters = pieces.next().unwrap_or(text).to_string();
        let mut subscripts: Vec<String> = pieces.map(str::to_string).collect();
        subscripts.extend(indices);
        subscripts.extend(places);
        let style = match letters.chars().count() {
            1 => Style::Italic,
            _ => general.style.max(Style::Upright),
        };
        Self {
            name: name.into(),
            letters,
            style,
            subscripts,
        }
    }

    /// A name as it stands in the model.
    pub fn verbatim(name: &str) -> Self {
        Self {
            name: name.into(),
            letters: name.into(),
            style: Style::Upright,
            subscripts: Vec::new(),
        }
    }

    /// Letters with subscripts that no name of a model stands for.
    pub fn new(letters: &str, style: Style, subscripts: &[&str]) -> Self {
        let mut name = letters.to_string();
        for s in subscripts {
            name.push('_');
            name.push_str(s);
        }
        Self {
            name,
            letters: letters.into(),
            style,
            subscripts: subscripts.iter().map(|s| s.to_string()).collect(),
        }
    }

    /// Whether the two cannot be told apart on paper.
    pub fn looks_like(&self, other: &Self) -> bool {
        self.looks() == other.looks()
    }

    /// How it looks, without its name: what must not be the same for two names.
    pub(crate) fn looks(&self) -> (String, String) {
        (self.letters.clone(), self.subscripts.join(","))
    }
}

/// A name without its brackets, and what stood in them: `link[2].theta` has the parts `link.theta` and `2`, which goes with its part.
fn bracketed(name: &str) -> (String, Vec<String>) {
    let mut path = String::new();
    let mut indices = Vec::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        path.push_str(before);
        let (inside, behind) = closed(after);
        // An index within a path stays with its place; one at the end is the name's own.
        if behind.is_empty() || behind.starts_with('[') {
            indices.push(inside.replace(' ', ""));
        } else {
            path.push_str(&inside.replace(' ', ""));
        }
        rest = behind;
    }
    path.push_str(rest);
    (path, indices)
}

/// What stands before the bracket that closes one opened before the text, and what follows it.
fn closed(text: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return (&text[..at], &text[at + 1..]),
            ']' => depth -= 1,
            _ => {}
        }
    }
    (text, "")
}

/// Short names of Greek letters that are common in models.
const SHORT: [(&str, &str); 11] = [
    ("th", "θ"),
    ("ph", "φ"),
    ("ps", "ψ"),
    ("om", "ω"),
    ("al", "α"),
    ("be", "β"),
    ("ga", "γ"),
    ("gam", "γ"),
    ("eps", "ε"),
    ("lam", "λ"),
    ("sig", "σ"),
];

/// The Greek letter of that short name.
fn short(name: &str) -> Option<&'static str> {
    SHORT.iter().find(|(n, _)| *n == name).map(|(_, c)| *c)
}

/// Letters and subscripts of a name without brackets and dots.
fn parts(name: &str) -> (String, Vec<String>) {
    let mut pieces = name.split('_').filter(|piece| !piece.is_empty());
    let first = pieces.next().unwrap_or(name);
    let (letters, own) = lettered(first);
    let mut subscripts: Vec<String> = own.into_iter().collect();
    subscripts.extend(pieces.map(str::to_string));
    (letters, subscripts)
}

/// A letter and what stands below it: `th1`, `phif`, `J1z`, `lc1`, `kx`, `mW`; a word and its digits otherwise.
fn lettered(piece: &str) -> (String, Vec<String>) {
    let stem = piece.trim_end_matches(|c: char| c.is_ascii_digit());
    let (stem, digits) = match stem {
        "" => (piece, ""),
        stem => (stem, &piece[stem.len()..]),
    };
    let below = |text: &str| -> Vec<String> {
        let all = [text, digits].into_iter().filter(|t| !t.is_empty());
        all.map(str::to_string).collect()
    };
    if let Some(letter) = greek(stem).or_else(|| short(stem)) {
        return (letter.to_string(), below(""));
    }
    let mut chars = stem.chars();
    let Some(lead) = chars.next() else {
        return (piece.to_string(), Vec::new());
    };
    let rest = chars.as_str();
    let axes = (1..=3).contains(&rest.len()) && rest.chars().all(|c| "xyz".contains(c));
    if axes && "xyz".contains(lead) {
        return (stem.to_string(), below(""));
    }
    if axes {
        return (lead.to_string(), below(rest));
    }
    // `J1z`: one index of figures and letters.
    let figures = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (index, letters) = rest.split_at(figures);
    if lead.is_alphabetic() && figures > 0 && letters.len() <= 2 && is_word(letters) {
        return (lead.to_string(), vec![format!("{index}{letters}{digits}")]);
    }
    // `phif`, `tauR`: a Greek letter's name, and a letter or what begins with a capital behind it.
    let named = GREEK
        .iter()
        .filter_map(|(name, letter)| Some((stem.strip_prefix(name)?, *letter)));
    let longest = named.min_by_key(|(rest, _)| rest.len());
    if let Some((rest, letter)) = longest
        && stem.len() - rest.len() > 2
        && is_word(rest)
        && (rest.len() == 1 || (rest.len() <= 3 && rest.starts_with(|c: char| c.is_uppercase())))
    {
        return (letter.to_string(), below(rest));
    }
    // `lc1`, `mW`: a letter and another one.
    if rest.len() == 1 && lead.is_alphabetic() && is_word(rest) && !is_function(stem) {
        let index = format!("{rest}{digits}");
        return (lead.to_string(), vec![index]);
    }
    (stem.to_string(), below(""))
}

fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

/// Two letters that are a name of their own.
fn is_function(stem: &str) -> bool {
    matches!(stem, "ln" | "pi" | "dt" | "or" | "up" | "to" | "in" | "on")
}

/// What a subscript is.
pub(super) enum Subscript {
    /// Digits, with commas perhaps.
    Digits,
    /// Words.
    Words,
    /// A name of its own, with dots: `theta`, `x'`, `u1`.
    Name(Symbol, usize),
}

/// A piece of a name as a subscript: Greek letters are letters there too, single letters keep their digits below them, primes are dots.
pub(super) fn subscript(piece: &str) -> Subscript {
    if !piece.is_empty() && piece.chars().all(|c| c.is_ascii_digit() || c == ',') {
        return Subscript::Digits;
    }
    let bare = piece.trim_end_matches('\'');
    let stem = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let primes = piece.len() - bare.len();
    let letter = stem.chars().count() == 1 || greek(stem).or_else(|| short(stem)).is_some();
    if letter || primes > 0 {
        Subscript::Name(Symbol::of(bare), primes)
    } else {
        Subscript::Words
    }
}

/// The names of one model: those that would look alike are written as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Names that the model writes in its own way.
    own: BTreeMap<String, String>,
    verbatim: BTreeSet<String>,
    known: BTreeSet<String>,
    letters: BTreeSet<String>,
    looks: BTreeSet<(String, String)>,
}

impl Names {
    /// From all names that appear together.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::shown(names.into_iter().map(|name| (name, None)))
    }

    /// The same, where the model may say how a name is written.
    pub fn shown<'a>(names: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> Self {
        let mut own = BTreeMap::new();
        let mut by_looks: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        let mut letters = BTreeSet::new();
        let mut known = BTreeSet::new();
        for (name, shown) in names {
            let symbol = match shown {
                Some(text) => Symbol::shown(name, text),
                None => Symbol::of(name),
            };
            own.extend(shown.map(|text| (name.to_string(), text.to_string())));
            letters.insert(symbol.letters.clone());
            known.insert(name.to_string());
            by_looks
                .entry(symbol.looks())
                .or_default()
                .insert(name.into());
        }
        let looks = by_looks.keys().cloned().collect();
        let alike = by_looks.into_values().filter(|set| set.len() > 1);
        Self {
            own,
            verbatim: alike.flatten().collect(),
            known,
            letters,
            looks,
        }
    }

    /// How a name is written.
    pub fn symbol(&self, name: &str) -> Symbol {
        match self.own.get(name) {
            _ if self.verbatim.contains(name) => Symbol::verbatim(name),
            Some(text) => Symbol::shown(name, text),
            None => Symbol::of(name),
        }
    }

    /// A quantity by its name: primes at its end are time derivatives.
    pub fn quantity(&self, name: &str) -> Math {
        let stem = name.trim_end_matches('\'');
        let symbol = self.symbol(stem);
        match name.len() - stem.len() {
            0 => Math::Symbol(symbol),
            primes => Math::Dotted(symbol, primes),
        }
    }

    /// Whether this is one of the names.
    pub fn has(&self, name: &str) -> bool {
        self.known.contains(name)
    }

    /// Whether a name of the model is written with these letters, subscripts apart.
    pub fn has_letters(&self, letters: &str) -> bool {
        self.letters.contains(letters)
    }

    /// Whether a name of the model looks like this symbol.
    pub fn has_looks(&self, symbol: &Symbol) -> bool {
        self.looks.contains(&symbol.looks())
    }
}
