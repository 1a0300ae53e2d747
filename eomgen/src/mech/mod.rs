//! Mechanics: positions, velocities, accelerations, partial velocities, inertia, loads, and the
//! constraints in the form `A q'' = b`. Knows nothing of formulations, of solving or of Rust text.

mod attitude;
pub mod choice;
mod completion;
pub(crate) mod constant;
pub mod constraints;
pub mod declared;
pub mod definite;
pub mod directions;
pub mod energies;
pub mod inverse;
pub mod kinematics;
mod loaded;
pub mod mass;
pub mod mechanics;
pub mod mixed;
pub mod motion;
pub mod partials;
pub mod quaternion;
pub mod rate;
pub mod reactions;
pub mod recursion;
pub mod rotation;
mod row;
pub mod speed;
pub mod speeds;
pub mod spins;
mod starts;
pub mod still;
pub mod support;
pub mod turned;
pub mod value;
pub mod variation;
pub mod vars;
pub mod vec3;
pub mod wrench;

use crate::bug::Bug;
use crate::diag::Diagnostic;
use crate::span::Span;

/// An error whose position in the text is not known yet.
#[derive(Clone, Debug)]
pub struct Fault {
    code: &'static str,
    title: String,
    label: String,
    help: String,
}

impl Fault {
    /// A fault with its text.
    pub fn new(code: &'static str, title: &str, label: &str, help: &str) -> Self {
        Self {
            code,
            title: title.into(),
            label: label.into(),
            help: help.into(),
        }
    }

    /// Something that cannot happen with a checked model.
    #[track_caller]
    pub fn internal(what: &str) -> Self {
        Self::new(
            "E0399",
            &Bug::new(what).to_string(),
            "while deriving this",
            "please report this with the model",
        )
    }

    /// As a diagnostic at a position in the text.
    pub fn at(self, span: Span) -> Diagnostic {
        Diagnostic::error(self.code, self.title, span, self.label).help(self.help)
    }
}
