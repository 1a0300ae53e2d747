//! What cannot happen, as an error that names itself.
//!
//! A [`Bug`] says what was found and where in eomgen's own source. It becomes the diagnostic E0399, which asks for a report, and nothing is
//! written. Code that returns a `Result` returns it. Arithmetic, where a `Result` in every line would bury the mathematics, keeps a [`Witness`]
//! instead: it notes the bug, goes on with any value, and whoever ends the stage asks the witness and refuses the result. Knows nothing of
//! models.

use std::fmt;
use std::panic::Location;
use std::sync::OnceLock;

/// Something that cannot happen and did: a defect of eomgen, not of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    place: &'static Location<'static>,
    what: String,
}

impl Bug {
    /// What was found, in a sentence without its full stop. The place is the caller's.
    #[track_caller]
    #[cold]
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            place: Location::caller(),
            what: what.into(),
        }
    }

    /// `sym/node.rs:93`
    pub fn place(&self) -> String {
        let file = self.place.file().replace('\\', "/");
        let within = file.rsplit_once("src/").map_or(&*file, |(_, rest)| rest);
        format!("{within}:{}", self.place.line())
    }
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal error at {}: {}", self.place(), self.what)
    }
}

impl std::error::Error for Bug {}

/// Keeps the first bug that is noted, until somebody asks.
#[derive(Clone, Debug, Default)]
pub struct Witness(OnceLock<Bug>);

impl Witness {
    /// Notes what cannot happen; the first note stays.
    #[track_caller]
    #[cold]
    pub fn note(&self, what: impl Into<String>) {
        self.keep(Bug::new(what));
    }

    /// Notes a bug found elsewhere.
    #[cold]
    pub fn keep(&self, bug: Bug) {
        // A full cell holds an earlier bug, which says more: later ones may follow from it.
        let _ = self.0.set(bug);
    }

    /// `Err` if something was noted.
    pub fn check(&self) -> Result<(), Bug> {
        self.0.get().cloned().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_names_its_place() {
        let bug = Bug::new("two is three");
        assert_eq!(
            bug.to_string(),
            format!("internal error at bug.rs:{}: two is three", line!() - 3)
        );
    }

    #[test]
    fn a_witness_keeps_the_first() {
        let witness = Witness::default();
        assert_eq!(witness.check(), Ok(()));
        witness.note("first");
        witness.note("second");
        let bug = witness.check().unwrap_err();
        assert!(bug.to_string().ends_with("first"), "{bug}");
        assert!(bug.place().starts_with("bug.rs:"), "{bug}");
    }
}
