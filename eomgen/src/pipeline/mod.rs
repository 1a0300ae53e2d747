//! From model text to results: the one interface that the command line, the macro and tests use.
//!
//! Every function here may wait for a [session](crate::host::session) and runs the algebra inside one.

mod certificate;
mod derivation;
mod difference;
mod document;
mod evaluate;
pub mod exposition;
mod formula;
mod held;
mod json;
mod module;
mod module_difference;
mod motion;
mod operating;
mod output;
mod parameters;
mod read_state;
mod reading;
mod report;
mod state;
mod symbols;
mod verify;

pub use crate::explain::Mark;
pub use crate::input::{
    DEFAULT_METHOD, DeriveOptions, Derived, Document, Failure, Fix, Form, Inverse, Math,
    MethodInfo, Prefer, Route, Scalar, Source, VerifyOptions, methods, read_fixed,
};
pub use crate::verify::text::written::Deviation;
pub use derivation::{check, check_source, derive, derive_source};
pub use difference::{Change, Difference, Extent, Fate, Likeness, Motion, Side, Term, difference};
pub use document::document;
pub use evaluate::{Evaluator, FunctionResult, eval, eval_source, evaluator, evaluator_source};
pub use exposition::exposition;
pub use module_difference::{ModuleDifference, Outcome, module_difference};
pub use motion::{EventRequest, MotionRequest, StartChange, StartReport, machine_source};
pub use operating::{OperatingReport, OperatingRequest, Said, operating_source};
pub use output::{EvalOutput, Numbers};
pub use parameters::parameters_source;
pub use report::CheckReport;
pub use state::{EvalInput, EvalState, Rates};
pub use symbols::{Agreement, Claim, Verdict, compare, entries};
pub use verify::{
    Certificate, Origin, Refusal, Standing, TextReport, mutate_source, verify_source,
};

use crate::diag::Copies;
use crate::diag::Diagnostic;
use crate::host::SessionError;

impl Failure {
    /// Saying which copies of the text the messages are about.
    fn explained(self, copies: &Copies) -> Self {
        match self {
            Self::Diagnostics(errors) => Self::Diagnostics(copies.explain(errors)),
            message => message,
        }
    }

    /// With the warnings that were found before it.
    fn after(self, mut warnings: Vec<Diagnostic>) -> Self {
        match self {
            Self::Diagnostics(errors) => {
                // A coordinate that appears nowhere is one that nothing determines.
                let place = |d: &Diagnostic| d.labels.first().map(|l| l.span);
                warnings.retain(|w| {
                    w.code != "E0150"
                        || !errors
                            .iter()
                            .any(|e| e.code == "E0320" && place(e) == place(w))
                });
                warnings.extend(errors);
                Self::Diagnostics(warnings)
            }
            message => message,
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Message(error.to_string())
    }
}
