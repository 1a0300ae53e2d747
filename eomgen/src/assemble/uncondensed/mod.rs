//! The uncondensed equations: balances of momentum in accelerations of points and frames, the speeds' rates, and the reactions of the
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
mod vectors;

use crate::form::{Context, Space};
use crate::ir::{Graph, Prepared, Prints, Twins, Value};
use crate::lower::Lowering;
use crate::solve::inertia::Share;
use crate::solve::{Calc, SymmetricSystem};
pub(super) use choice::{Change, Choice};
use inertias::Inertias;
pub(super) use parts::Part;
pub(super) use skeleton::Skeleton;

/// One way to write the equations.
#[derive(Clone)]
pub(super) struct Stated {
    /// How tables call it.
    pub name: String,
    /// Whether the unknown accelerations are what s' adds to those at s' = 0.
    pub shifted: bool,
    /// Whether behind s' stand the accelerations, then as many reactions in the same order.
    pub paired: bool,
    /// What it is a choice of; `None` where it is none.
    pub choice: Option<Choice>,
    /// The equations; the first unknowns are s'.
    pub system: SymmetricSystem,
}

impl Stated {
    /// Whether the equations are the same.
    pub fn is(&self, other: &SymmetricSystem) -> bool {
        self.system.rhs == other.rhs && self.system.entries().eq(other.entries())
    }
}

/// What is known of values.
pub(super) struct Known<'a> {
    /// What depends on parameters alone.
    pub prepared: &'a Prepared,
    /// Points at which equal values are recognised.
    pub prints: &'a Prints,
    /// Whether the form of a value shows that it is positive.
    pub positive: &'a dyn Fn(&Graph, Value) -> bool,
    /// Systems of more unknowns than this are stated in few ways.
    pub large: usize,
}

/// All the ways, and what they are made of; `None` if gravity or the loads cannot be written. Each of `rows` adds a constraint: the
/// coefficients of s' and the right-hand side.
pub(super) fn build(
    c: &mut Context<'_>,
    low: &mut Lowering,
    known: &Known<'_>,
    space: Space,
    rows: &[(Vec<Value>, Value)],
) -> Option<(Vec<Stated>, Skeleton)> {
    let mut skeleton = Skeleton::new(c, low, known.prepared, space)?;
    skeleton.join_turns(&mut Calc {
        graph: &mut low.graph,
        twins: Some(Twins::new(known.prints)),
    });
    let mut list: Vec<Stated> = Vec::new();
    let mut large = false;
    for choice in Choice::all(skeleton.frames.len()) {
        if large && !choice.is_usual() {
            continue;
        }
        let Some(way) = state(&skeleton, &mut low.graph, known, rows, choice) else {
            continue;
        };
        large |= way.system.len() > known.large;
        if !list.iter().any(|other| other.is(&way.system)) {
            list.push(way);
        }
    }
    Some((list, skeleton))
}

/// The equations by one choice; `None` where a part cannot be condensed.
pub(super) fn state(
    s: &Skeleton,
    graph: &mut Graph,
    known: &Known<'_>,
    rows: &[(Vec<Value>, Value)],
    choice: Choice,
) -> Option<Stated> {
    let twins = Some(Twins::new(known.prints));
    let mut calc = Calc { graph, twins };
    let shares: Vec<Option<Share>> = choice.frames.iter().map(|f| f.share).collect();
    let inertias = Inertias::moved(&mut calc, s, &shares);
    let prints = known.prints;
    let (calc, positive) = (&mut calc, known.positive);
    let mut system = build::system(calc, s, &inertias, &choice, rows, prints, positive)?;
    // The caller has made sure that M is positive definite.
    system.definite = true;
    let plain = |f: &choice::Frame| !f.twice && !f.condensed;
    Some(Stated {
        name: format!("Newton-Euler equations, {choice}"),
        shifted: choice.shifted,
        paired: choice.frames.iter().all(plain),
        choice: Some(choice),
        system,
    })
}
