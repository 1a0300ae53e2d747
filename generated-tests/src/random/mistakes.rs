//! Models with mistakes: a machine's text with a word or a line changed. Such a text is a model still, or it is refused with messages that
//! point into it; nothing else may happen.

use super::draw::Dice;
use super::machine::Machine;
use super::trial::{Verdict, source};
use eomgen::diagnostics::{Diagnostic, Severity, codes, render_sources};
use eomgen::options::Fix;
use eomgen::{Failure, Source};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many texts are read for a machine.
const TEXTS: usize = 40;
/// Of those that are models, how many are looked at by `check`.
const CHECKED: usize = 2;

/// Words and signs that change the sense of a text.
const PIECES: [&str; 48] = [
    "0",
    "1",
    "-",
    "+",
    "*",
    "/",
    "^",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "'",
    "''",
    ".x",
    "[m]",
    "[kg]",
    "[rad]",
    "1e400",
    "t",
    "pi",
    "N",
    "O",
    "N.x",
    "vel(O)",
    "norm",
    "dot",
    "angvel",
    "reaction",
    "if",
    "then",
    "else",
    "and",
    "in",
    "at",
    "about",
    "opposite on",
    "param",
    "coord",
    "const",
    "\"",
    "{",
    "}",
    "!=",
    "<",
    "%",
];

/// What a text consists of: words, numbers and signs, and the room between them.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| {
        if c.is_alphanumeric() || c == '_' || c == '.' {
            0
        } else if c == ' ' {
            1
        } else {
            2
        }
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (i, c) in text.char_indices() {
        let now = kind(c);
        if before.is_some_and(|b| b != now || now == 2) {
            found.push(&text[start..i]);
            start = i;
        }
        before = Some(now);
    }
    found.push(&text[start..]);
    found
}

/// The text with a mistake.
fn spoilt(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = dice.below(lines.len());
    match dice.below(8) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[dice.below(lines.len())]),
        2 => {
            let other = dice.below(lines.len());
            lines.swap(at, other);
        }
        _ => {
            let all = pieces(text);
            let mut own = all.clone();
            let place = dice.below(own.len());
            match dice.below(4) {
                0 => {
                    own.remove(place);
                }
                1 => own.insert(place, dice.one::<&str>(&PIECES)),
                2 => own[place] = dice.one::<&str>(&PIECES),
                // A word of the same text, which is a name as often as not.
                _ => own[place] = dice.one::<&str>(&all),
            }
            return own.concat();
        }
    }
    lines.join("\n") + "\n"
}

/// What is wrong with a message.
fn complaint(source: &Source, d: &Diagnostic) -> Option<String> {
    let said = format!("{} {}", d.code, d.title);
    if codes::find(d.code).is_none() {
        return Some(format!("a code that nobody explains: {said}"));
    }
    if d.code == "E0399" {
        return Some(format!("an internal error: {said}"));
    }
    let Some(label) = d.labels.first() else {
        return (d.severity == Severity::Error).then(|| format!("no place: {said}"));
    };
    let span = label.span;
    let text = match span.file {
        0 => source.text.as_str(),
        n => match source.parts.get(n as usize - 1).map(|p| &p.text) {
            Some(Ok(text)) => text.as_str(),
            _ => return Some(format!("a place in no file: {said}")),
        },
    };
    let (start, end) = (span.start as usize, span.end as usize);
    let inside = start <= end && text.get(start..end).is_some();
    (!inside).then(|| format!("a place outside of the text: {said}"))
}

/// What messages say, if all are as they should be.
fn read(source: &Source, list: &[Diagnostic], met: &mut BTreeSet<String>) -> Result<(), String> {
    met.extend(list.iter().map(|d| d.code.to_owned()));
    if let Some(text) = list.iter().find_map(|d| complaint(source, d)) {
        return Err(text);
    }
    let rendered = render_sources(&source.sources(), list, false);
    if list.is_empty() || !rendered.is_empty() {
        Ok(())
    } else {
        Err("messages without text".into())
    }
}

/// What comes of a text, by the front end or by `check`.
fn outcome(source: &Source, whole: bool, met: &mut BTreeSet<String>) -> Result<bool, String> {
    let found = catch_unwind(AssertUnwindSafe(|| {
        if whole {
            let report = eomgen::check_source(source, &[], &Fix::default());
            report.map(|_| Vec::new())
        } else {
            eomgen::internals::input::read_source(source, &[]).map(|(_, list)| list)
        }
    }));
    match found {
        Err(_) => Err("a panic".into()),
        Ok(Ok(list)) => read(source, &list, met).map(|()| true),
        Ok(Err(Failure::Message(text))) => Err(format!("a message without a place: {text}")),
        Ok(Err(Failure::Diagnostics(list))) => {
            let error = |d: &Diagnostic| d.severity == Severity::Error;
            if !list.iter().any(error) {
                return Err("refused without an error".into());
            }
            read(source, &list, met).map(|()| false)
        }
    }
}

/// Texts of a machine with mistakes; the codes of their messages are added to those met.
pub fn spoiled(machine: &Machine, seed: u64, met: &mut BTreeSet<String>) -> Verdict {
    let mut dice = Dice::new(seed ^ 0x0bad);
    let good = source(machine);
    let mut checked = 0;
    for _ in 0..TEXTS {
        let mut bad = good.clone();
        bad.text = spoilt(&good.text, &mut dice);
        let mut result = outcome(&bad, false, met);
        if result == Ok(true) && checked < CHECKED {
            checked += 1;
            result = outcome(&bad, true, met);
        }
        if let Err(what) = result {
            return Verdict::Wrong(format!("{what}\n{}", bad.text));
        }
    }
    Verdict::Agree
}

/// Functions of a parameter and a value of it at which they have none.
const OUTSIDE: [(&str, &str); 7] = [
    ("sqrt(none)", "-1"),
    ("ln(none)", "0"),
    ("asin(none)", "2"),
    ("acos(none)", "-3"),
    ("acosh(none)", "1/2"),
    ("none^(1/3)", "-8"),
    ("atanh(none)", "1"),
];

/// A machine with an output that has no value at the default of a parameter: a model as long as the parameter may be another, and refused where
/// parameters are numbers.
pub fn undefined(machine: &Machine, seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0xd0a1);
    let (output, value) = dice.one::<(&str, &str)>(&OUTSIDE);
    let mut fixed = Fix::default();
    if dice.below(2) == 0 {
        fixed.all = true;
    } else if fixed.add(&format!("none={value}")).is_err() {
        // A quotient is no number of the command line.
        fixed.all = true;
    }
    let good = source(machine);
    let mut bad = good.clone();
    bad.text = format!(
        "{}\nparam none = {value}\noutput without_value = {output}\n",
        good.text.trim_end()
    );
    let open = eomgen::check_source(&bad, &[], &Fix::default()).is_ok();
    let number = |d: &Diagnostic| d.severity == Severity::Error && d.code == "E0109";
    let refused = match eomgen::check_source(&bad, &[], &fixed) {
        Err(Failure::Diagnostics(list)) => list.iter().any(number),
        _ => false,
    };
    // A machine that is no model itself, or whose parameters cannot all be fixed, has another message first.
    let is_model = |fix: &Fix| eomgen::check_source(&good, &[], fix).is_ok();
    let own = Fix {
        all: fixed.all,
        ..Fix::default()
    };
    if (open || !is_model(&Fix::default())) && (refused || !is_model(&own)) {
        return Verdict::Agree;
    }
    let what = if open { "not refused" } else { "no model" };
    Verdict::Wrong(format!("{what}\n{}", bad.text))
}
