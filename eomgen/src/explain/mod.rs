//! What a reader is told of a derivation: equations, kinematics, quantities and remarks as mathematics and prose, made from the expressions
//! themselves. Knows what was formulated and what was solved; knows nothing of instructions, and nothing of the formats it is written in.

mod changed;
mod equations;
mod mathematics;
mod operating;
mod particle;
mod quantities;
mod remarks;
mod shown;

pub use crate::textbook::Mark;
pub use changed::{Changed, changed};
pub use equations::{MultiplierSymbols, in_state, rows_in, speed_rate};
pub use mathematics::{names, names_of, readable};
pub use operating::{Known, Steady, conditions, linear_model};
pub use particle::Part;
pub use quantities::{Section, about, docs, section};
pub use remarks::common_zero;
pub use shown::{Attribution, Exposed, Source};

use crate::diag::Diagnostic;
use crate::form::solution::Solution;
use crate::form::{Context, Formulated, Quantities};
use crate::notation::Line;
use crate::sym::Expr;
use mathematics::Reader;

/// Equations of more unknowns than this are not stated unless something needs them.
pub const STATED: usize = 24;

/// Lines by subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Documentation {
    /// `(m1 + m2)*u1' + m1*l*u2^2 = 0`
    pub equations: Vec<Line>,
    /// Whether long parts of these have names.
    pub in_parts: bool,
    /// `u1' = -m1*l*u2^2/(m1 + m2)`; empty where expressions have names.
    pub accelerations: Vec<Line>,
    /// `x' = u1*cos(theta) + ...`
    pub kinematics: Vec<Line>,
    /// Constraint rows as equations.
    pub constraints: Vec<Line>,
    /// Definitions of declared speeds.
    pub speeds: Vec<Line>,
    /// `i' = (v - R*i)/L`, of the states of first order.
    pub states: Vec<Line>,
    /// Sentences about what was done, formulas in back quotes.
    pub remarks: Vec<String>,
    /// `method`
    pub method: String,
    /// Quantities asked for by name.
    pub quantities: Vec<Section>,
    /// Those that were asked for though every module has them; for documents, not for the module.
    pub standard: Vec<Section>,
    /// The representative particle, where it was requested.
    pub geometry: Vec<Part>,
    /// What is shown of the derivation, where that was requested.
    pub exposed: Option<Exposed>,
}

/// What was formulated and solved, as far as a reader is told of it.
pub struct Found<'a> {
    /// The formulation by its name.
    pub method: &'static str,
    /// What it states.
    pub formulated: &'a Formulated,
    /// Whether its equations are there; for models of many speeds they are not.
    pub stated: bool,
    /// Their solution in closed form.
    pub solution: Option<&'a Solution>,
    /// q'' in closed form.
    pub accelerations: Option<&'a [Expr]>,
    /// Rows whose multipliers enter loads.
    pub coupled: Vec<usize>,
    /// What there is to say of the outputs.
    pub remarks: &'a [String],
    /// How the accelerations are computed.
    pub plan: &'a str,
    /// What quantities asked for by name share.
    pub quantities: &'a mut Quantities,
    /// Symbols of the multipliers of all rows.
    pub multipliers: &'a MultiplierSymbols,
}

/// What is explained beside the equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The representative particle.
    pub particle: bool,
    /// The derivation for `show`.
    pub shown: bool,
}

/// A derivation that is being explained.
struct Derivation<'a, 's> {
    reader: Reader<'a, 's>,
    found: Found<'a>,
    /// Longest line that is written in full, in characters of the model's notation.
    longest: usize,
    /// Whether equations name parts of themselves.
    parts: bool,
}

/// Longest line in a module.
const LINE: usize = 800;
/// Longest line in what is shown.
const SHOWN_LINE: usize = 3000;

/// The documentation of a derivation. Whatever is beside the equations has a budget of symbolic work of its own.
///
/// # Errors
/// What is wrong with the model's loads.
pub fn document(
    c: &mut Context<'_>,
    found: Found<'_>,
    wanted: Wanted,
) -> Result<Documentation, Vec<Diagnostic>> {
    let mut derivation = Derivation {
        reader: Reader::new(c),
        found,
        longest: if wanted.shown { SHOWN_LINE } else { LINE },
        parts: false,
    };
    let mut d = derivation.document();
    d.states = derivation.states()?;
    let work = derivation.reader.c.alg.restart_work(0);
    if wanted.particle {
        d.geometry = derivation.particle()?;
    }
    if wanted.shown {
        d.exposed = Some(derivation.shown()?);
    }
    derivation.reader.c.alg.restart_work(work);
    Ok(d)
}

impl Derivation<'_, '_> {
    fn document(&mut self) -> Documentation {
        let mut d = Documentation {
            method: self.found.method.into(),
            speeds: self.speeds(),
            constraints: self.constraints(),
            ..Documentation::default()
        };
        if self.found.stated {
            d.equations = self.equations();
            d.in_parts = self.parts;
        }
        if self.reader.c.alg.is_closed() {
            d.kinematics = self.kinematics();
            d.accelerations = self.accelerations();
        }
        d.remarks = self.remarks();
        d
    }
}
