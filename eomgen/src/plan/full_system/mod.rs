//! The full Newton-Euler system: balances of momentum in accelerations of points and frames, the speeds' rates, and the reactions of the
//! kinematic rows that tie them together. Symmetric and sparse; its elimination in a good order is cheaper than any condensed mass
//! matrix for long chains.
//!
//! Rows, for a frame and for a point (`r` a part of its offset from its base, fixed in the frame F):
//!
//! ```text
//! alpha - R alpha_parent - axis s'                      = bias
//! a - R a_base - sum alpha_F x r - (rate of r) s'       = bias
//! ```
//!
//! and, for inertia of a frame about one of its points, with mass m at the point, first moment h and second moment I:
//!
//! ```text
//! m a + alpha x h                 = -omega x (omega x h) + forces
//! I alpha + h x a                 = -omega x I omega     + torques
//! ```
//!
//! Gravity acts as an acceleration of the base. There is a choice of components ([`Axes`]) and of where the inertia is
//! put ([`Inertias`]); which is cheapest depends on the model, so all are offered.

mod axes;
mod build;
mod choice;
mod inertias;
mod joints;
mod parts;
mod places;
mod skeleton;
mod slopes;
mod unified;
mod vectors;

use super::facts::ValueFacts;
use crate::ir::{Equals, Graph, Value};
use crate::solve::inertia::Share;
use crate::solve::{Calc, SymmetricSystem};
pub(super) use choice::Change;
pub use choice::Choice;
use inertias::Inertias;
pub(super) use parts::Part;
pub(crate) use skeleton::{Skeleton, Ties};
pub(crate) use slopes::{Leaves, Slopes};

/// Systems of more unknowns than this are stated in few ways, and eliminated in few orders.
pub(super) const LARGE: usize = 250;

/// Constraints that are rows of the system.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// Coefficients of s' and right-hand sides.
    pub list: &'a [(Vec<Value>, Value)],
    /// Whether it is checked at run time that they do not depend on one another, and they are eliminated when all that they hold is gone.
    pub checked: bool,
    /// Whether their multipliers are asked for.
    pub asked: bool,
}

impl Rows<'_> {
    pub const NONE: Self = Self {
        list: &[],
        checked: false,
        asked: false,
    };

    /// How many multipliers are asked for: of these rows, which are the last unknowns.
    pub fn multipliers(&self) -> usize {
        if self.asked { self.list.len() } else { 0 }
    }
}

/// One way to write the equations.
pub(crate) struct Stated {
    /// Whether the unknown accelerations are what s' adds to those at s' = 0.
    pub shifted: bool,
    /// Whether rows are in the accelerations of points and frames.
    pub tied: bool,
    /// Whether behind s' stand the accelerations, then as many reactions in the same order.
    pub paired: bool,
    /// What it is a choice of; `None` for other equations than these.
    pub choice: Option<Choice>,
    /// The equations; the first unknowns are s'.
    pub system: SymmetricSystem,
}

impl Stated {
    /// Whether the equations are the same.
    pub fn is(&self, other: &SymmetricSystem) -> bool {
        self.system.rhs == other.rhs && self.system.entries().eq(other.entries())
    }

    /// The same with rows like any others.
    pub fn unchecked(&self) -> Self {
        Self {
            choice: self.choice.clone(),
            system: self.system.unchecked(),
            ..*self
        }
    }
}

/// All the ways, and what they are made of.
pub(crate) struct FullSystem {
    pub ways: Vec<Stated>,
    pub skeleton: Skeleton,
}

impl FullSystem {
    /// Writes the equations down, with these constraints.
    pub fn state(
        mut skeleton: Skeleton,
        graph: &mut Graph,
        facts: &ValueFacts,
        rows: Rows<'_>,
    ) -> Self {
        skeleton.join_turns(&mut Calc {
            graph,
            equals: Some(Equals::new(&facts.prints)),
        });
        let mut ways: Vec<Stated> = Vec::new();
        let mut large = false;
        for choice in Choice::all(skeleton.frames.len(), skeleton.has_ties()) {
            if large && !choice.is_usual() {
                continue;
            }
            let Some(way) = state(&skeleton, graph, facts, rows, choice) else {
                continue;
            };
            large |= way.system.len() > LARGE;
            if !ways.iter().any(|other| other.is(&way.system)) {
                ways.push(way);
            }
        }
        Self { ways, skeleton }
    }

    /// Whether fewer plans are tried of it, since each takes its time.
    pub fn is_large(&self) -> bool {
        self.ways.iter().any(|way| way.system.len() > LARGE)
    }

    /// Whether there are ways with rows in accelerations.
    pub fn has_ties(&self) -> bool {
        self.ways.iter().any(|way| way.tied)
    }

    /// How many speeds' rates are unknowns.
    pub fn speeds(&self) -> usize {
        self.skeleton.speeds.len()
    }
}

impl Choice {
    /// Whether it is one for a machine of so many frames.
    pub(super) fn fits(&self, s: &Skeleton) -> bool {
        self.frames.len() == s.frames.len()
    }
}

/// The equations by one choice; `None` where a part cannot be condensed.
pub(super) fn state(
    s: &Skeleton,
    graph: &mut Graph,
    facts: &ValueFacts,
    rows: Rows<'_>,
    choice: Choice,
) -> Option<Stated> {
    let equals = Some(Equals::new(&facts.prints));
    let calc = &mut Calc { graph, equals };
    let shares: Vec<Option<Share>> = choice.frames.iter().map(|f| f.share).collect();
    let inertias = Inertias::moved(calc, s, &shares);
    let mut system = build::system(calc, s, &inertias, &choice, rows.list, facts)?;
    calc.equals = Some(Equals::new(&facts.prints));
    let equal = unified::firsts(calc, &system.values());
    system.replace(&equal);
    system.definite = s.definite;
    if rows.checked {
        system.checked = rows.list.len();
    }
    let plain = |f: &choice::Frame| !f.twice && !f.condensed;
    Some(Stated {
        shifted: choice.shifted,
        tied: choice.tied,
        paired: choice.frames.iter().all(plain),
        choice: Some(choice),
        system,
    })
}
