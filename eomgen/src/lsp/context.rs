//! What a place in a text asks for: where the cursor stands in its statement. Knows words and signs, also of statements that are not
//! finished.

use super::functions::{self, Wanted};
use super::names::File;
use crate::syntax::marks::{Mark, MarkKind};

/// What may be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The beginning of a statement.
    Statement,
    /// A unit.
    Unit,
    /// A name that is being declared: nothing is proposed.
    NewName,
    /// The path of a part.
    Path,
    /// Behind `NAME.`, with the names before the point.
    Field(Vec<String>),
    /// An argument of a part, with the name that it gets.
    Argument(String),
    /// A value, or words of the statement, whose keyword is here.
    Value(Wanted, String),
    /// A comment, where nothing is proposed.
    Comment,
}

/// A call around a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    /// Which argument the place is in, from 0.
    pub(super) argument: usize,
}

/// The tokens of the statement before a byte; what touches it is a word that is being written and not among them.
fn before(file: &File, offset: usize) -> Vec<Mark> {
    let text = file.text.as_str();
    let end = |mark: &Mark| mark.span.end as usize;
    let written = |mark: &&Mark| {
        !mark.is_comment()
            && (end(mark) < offset || end(mark) == offset && mark.kind != MarkKind::Name)
    };
    let all: Vec<Mark> = file.marks.iter().filter(written).copied().collect();
    let start = all.iter().rposition(|mark| mark.first).unwrap_or(0);
    let mut own = all[start..].to_vec();
    // A new line begins a statement unless the one before is unfinished.
    if let Some(last) = own.last() {
        let between = text.get(end(last)..offset).unwrap_or("");
        let goes_on = depth(&own, text) > 0
            || matches!(last.kind, MarkKind::Comma | MarkKind::Colon)
            || last.kind == MarkKind::Sign && last.text(text) != "'";
        let new_line = between.contains(['\n', '\r']) && !goes_on;
        let in_block = last.text(text) == "{" && own[0].text(text) == "for";
        if new_line || in_block || last.text(text) == "}" {
            own.clear();
        }
    }
    own
}

fn depth(marks: &[Mark], text: &str) -> i32 {
    let step = |mark: &Mark| match (mark.kind, mark.text(text)) {
        (MarkKind::Open, "(" | "[") => 1,
        (MarkKind::Close, ")" | "]") => -1,
        _ => 0,
    };
    marks.iter().map(step).sum()
}

/// What a place asks for.
pub(super) fn place(file: &File, offset: usize) -> Place {
    let text = file.text.as_str();
    let inside =
        |mark: &&Mark| (mark.span.start as usize) < offset && offset <= mark.span.end as usize;
    let around = file.marks.iter().find(inside);
    if around.is_some_and(Mark::is_comment) {
        return Place::Comment;
    }
    let own = before(file, offset);
    let Some(first) = own.first() else {
        return Place::Statement;
    };
    let keyword = first.text(text).to_owned();
    if around.is_some_and(|mark| mark.kind == MarkKind::Text) {
        return if keyword == "use" {
            Place::Path
        } else {
            Place::Comment
        };
    }
    let words: Vec<&str> = own.iter().map(|mark| mark.text(text)).collect();
    if words.last() == Some(&".") {
        return Place::Field(names_before(&words[..words.len() - 1]));
    }
    if in_unit(&own, &words, &keyword) {
        return Place::Unit;
    }
    let call = call_in(&own, text);
    if keyword == "use" {
        return match (words.iter().rposition(|word| *word == "as"), &call) {
            (Some(at), Some(_)) if matches!(words.last(), Some(&"(" | &",")) => {
                Place::Argument(words.get(at + 1).copied().unwrap_or("").to_owned())
            }
            (Some(_), Some(_)) => Place::Value(Wanted::Any, keyword),
            _ => Place::NewName,
        };
    }
    if own.len() == 1
        && !matches!(
            keyword.as_str(),
            "gravity"
                | "force"
                | "torque"
                | "nonideal"
                | "generalized"
                | "privileged"
                | "assume"
                | "initial"
                | "needs"
        )
    {
        return Place::NewName;
    }
    Place::Value(wanted(&words, &keyword, call.as_ref()), keyword)
}

/// The names before a point: `leg[2].` is `leg`.
fn names_before(words: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = words.len();
    loop {
        let mut open = 0;
        while at > 0 && (open > 0 || words[at - 1] == "]") {
            match words[at - 1] {
                "]" => open += 1,
                "[" => open -= 1,
                _ => {}
            }
            at -= 1;
        }
        if at == 0 {
            break;
        }
        names.push(words[at - 1].to_owned());
        if at < 2 || words[at - 2] != "." {
            break;
        }
        at -= 2;
    }
    names.reverse();
    names
}

/// Whether a unit stands here: behind the `:` of a quantity, or in brackets behind a number.
fn in_unit(own: &[Mark], words: &[&str], keyword: &str) -> bool {
    if let Some(open) = words.iter().rposition(|word| *word == "[")
        && !words[open..].contains(&"]")
        && open > 0
        && own[open - 1].kind == MarkKind::Number
    {
        return true;
    }
    let quantity = matches!(keyword, "param" | "coord" | "input" | "function");
    let colon = words.iter().rposition(|word| *word == ":");
    let relation = |word: &&str| matches!(*word, ">" | "<" | ">=" | "<=" | "!=");
    quantity && colon.is_some_and(|at| !words[at..].iter().any(relation))
}

/// The innermost call that is open at a byte.
pub(super) fn call(file: &File, offset: usize) -> Option<Call> {
    let text = file.text.as_str();
    let mut own = before(file, offset);
    own.retain(|mark| mark.span.end as usize <= offset);
    call_in(&own, text)
}

fn call_in(own: &[Mark], text: &str) -> Option<Call> {
    let mut depth = 0;
    let mut argument = 0;
    for (at, mark) in own.iter().enumerate().rev() {
        match (mark.kind, mark.text(text)) {
            (MarkKind::Close, _) => depth += 1,
            (MarkKind::Open, _) if depth > 0 => depth -= 1,
            (MarkKind::Open, "(") => {
                let name = own.get(at.checked_sub(1)?)?;
                if name.kind == MarkKind::Name || name.text(text) == "]" {
                    let name = name.text(text).to_owned();
                    return Some(Call { name, argument });
                }
                argument = 0;
            }
            // A list is one argument.
            (MarkKind::Open, _) => argument = 0,
            (MarkKind::Comma, _) if depth == 0 => argument += 1,
            _ => {}
        }
    }
    None
}

/// The kind that is expected, by the call around the place or by the word before it.
fn wanted(words: &[&str], keyword: &str, call: Option<&Call>) -> Wanted {
    if let Some(call) = call {
        let function = functions::find(&call.name);
        let arguments = function.map(|f| f.arguments).unwrap_or_default();
        let at = call.argument.min(arguments.len().saturating_sub(1));
        return arguments
            .get(at)
            .map_or(Wanted::Scalar, |(_, wanted)| *wanted);
    }
    match (keyword, words.last().copied().unwrap_or("")) {
        ("torque", "on") => Wanted::Frame,
        (_, "at" | "on" | "center" | "centre" | "about" | "from" | "to" | "through") => {
            Wanted::Point
        }
        (_, "in" | "frame") => Wanted::Frame,
        ("group", _) => Wanted::Mass,
        (_, "along") => Wanted::Vector,
        ("force" | "torque" | "gravity" | "nonideal", ":") => Wanted::Vector,
        ("point", "=") => Wanted::Point,
        (_, "mass" | "stiffness" | "length" | "rest" | "damping" | "tension") => Wanted::Scalar,
        (
            "speed" | "kinetic" | "potential" | "dissipation" | "generalized" | "assume"
            | "initial",
            _,
        ) => Wanted::Scalar,
        _ => Wanted::Any,
    }
}
