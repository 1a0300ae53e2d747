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

/// Letters and subscripts of a name without brackets and dots.
fn parts(name: &str) -> (String, Vec<String>) {
    let mut pieces = name.split('_').filter(|piece| !piece.is_empty());
    let first = pieces.next().unwrap_or(name);
    let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let (stem, digits) = if stem.is_empty() {
        (first, "")
    } else {
        first.split_at(stem.len())
    };
    let mut subscripts: Vec<String> = Vec::new();
    let mut letters = greek(stem).unwrap_or(stem).to_string();
    let mut chars = stem.chars();
    let lead = chars.next();
    let axes = chars.as_str();
    let is_axes = (1..=3).contains(&axes.len()) && axes.chars().all(|c| "xyz".contains(c));
    if let Some(lead) = lead
        && is_axes
        && greek(stem).is_none()
        && !"xyz".contains(lead)
    {
        letters = lead.to_string();
        subscripts.push(axes.into());
    }
    if !digits.is_empty() {
        subscripts.push(digits.into());
    }
    subscripts.extend(pieces.map(str::to_string));
    (letters, subscripts)
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
    let letter = stem.chars().count() == 1 || greek(stem).is_some();
    if letter || primes > 0 {
        Subscript::Name(Symbol::of(bare), primes)
    } else {
        Subscript::Words
    }
}

/// The names of one model: those that would look alike are written as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    verbatim: BTreeSet<String>,
    known: BTreeSet<String>,
    letters: BTreeSet<String>,
    looks: BTreeSet<(String, String)>,
}

impl Names {
    /// From all names that appear together.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut by_looks: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        let mut letters = BTreeSet::new();
        let mut known = BTreeSet::new();
        for name in names {
            let symbol = Symbol::of(name);
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
            verbatim: alike.flatten().collect(),
            known,
            letters,
            looks,
        }
    }

    /// How a name is written.
    pub fn symbol(&self, name: &str) -> Symbol {
        if self.verbatim.contains(name) {
            Symbol::verbatim(name)
        } else {
            Symbol::of(name)
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
