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
mod inertias;
mod joints;
mod places;
mod skeleton;
mod vectors;

use crate::form::{Context, Space};
use crate::ir::{Graph, Prepared, Prints, Twins, Value};
use crate::lower::Lowering;
use crate::solve::inertia::Share;
use crate::solve::{Calc, SymmetricSystem};
use axes::Axes;
use inertias::Inertias;
use skeleton::Skeleton;

/// One way to write the equations.
pub(super) struct Stated {
    /// How tables call it.
    pub name: String,
    /// Whether the unknown accelerations are what s' adds to those at s' = 0.
    pub shifted: bool,
    /// Whether behind s' stand the accelerations, then as many reactions in the same order.
    pub paired: bool,
    /// The equations; the first unknowns are s'.
    pub system: SymmetricSystem,
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

/// All the ways, and the positions of s' in each; `None` if gravity or the loads cannot be written. Each of `rows` adds a constraint: the
/// coefficients of s' and the right-hand side.
pub(super) fn build(
    c: &mut Context<'_>,
    low: &mut Lowering,
    known: &Known<'_>,
    space: Space,
    rows: &[(Vec<Value>, Value)],
) -> Option<(Vec<Stated>, Vec<usize>)> {
    let mut skeleton = Skeleton::new(c, low, known.prepared, space)?;
    skeleton.join_turns(&mut Calc {
        graph: &mut low.graph,
        twins: Some(Twins::new(known.prints)),
    });
    let mut list: Vec<Stated> = Vec::new();
    let mut large = false;
    let mut state = |share: Option<Share>, axes: Axes, shifted: bool, twice: bool| {
        // Of the others each was the best of some robot arm, by little, and of no chain.
        let usual = matches!(share, None | Some(Share::First))
            && (axes != Axes::Inertial || !shifted)
            && !twice;
        if large && !usual {
            return;
        }
        let graph: &mut Graph = &mut low.graph;
        let twins = Some(Twins::new(known.prints));
        let mut calc = Calc { graph, twins };
        let inertias = match share {
            Some(share) => Inertias::moved(&mut calc, &skeleton, share),
            None => Inertias::given(&mut calc, &skeleton),
        };
        let mut system = build::system(
            &mut calc,
            &skeleton,
            &inertias,
            (axes, shifted, twice),
            rows,
            known.positive,
        );
        // The caller has made sure that M is positive definite.
        system.definite = true;
        large |= system.len() > known.large;
        let same = |other: &Stated| {
            other.system.rhs == system.rhs && other.system.entries().eq(system.entries())
        };
        if list.iter().any(same) {
            return;
        }
        let place = match share {
            None => "inertia as given",
            Some(Share::First) => "inertia moved",
            Some(Share::Second) => "inertia moved otherwise",
            Some(Share::Axial) => "inertia moved axially",
        };
        let from = if shifted { ", from s' = 0" } else { "" };
        let turned = if twice { ", points turned" } else { "" };
        list.push(Stated {
            name: format!("Newton-Euler equations, {place}, {axes}{turned}{from}"),
            shifted,
            paired: !twice,
            system,
        });
    };
    for share in [
        Some(Share::First),
        None,
        Some(Share::Axial),
        Some(Share::Second),
    ] {
        for axes in [Axes::Own, Axes::Parallel, Axes::Inertial] {
            for shifted in [false, true] {
                state(share, axes, shifted, false);
            }
        }
    }
    for share in [Share::First, Share::Axial, Share::Second] {
        for shifted in [false, true] {
            state(Some(share), Axes::Own, shifted, true);
        }
    }
    Some((list, (0..skeleton.speeds.len()).collect()))
}
