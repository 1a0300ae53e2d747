//! Turns about one axis, one after the other: a joint that is mounted at an angle. Where nothing is said in the axes between them they are one
//! turn by the sum of the angles, and whatever is carried from the one frame to the other passes no constant rotation on its way.
//!
//! Knows how frames hang on one another and what names them; nothing of the algebra.

use std::collections::BTreeSet;

use num_traits::Signed;

use super::system::{
    Action, Carrier, ConstraintRelation, CoordId, DrawnShape, FrameId, Joint, LetId, LoadKind,
    Orientation, Quantity, Scalar, Site, System, Vector,
};
use super::walk::{Part, each_part, scalars_of};
use crate::function::Elementary;

/// Joins turns of which one is by a constant angle, and says of each coordinate at which one its joint is mounted.
pub(super) fn join(system: &mut System) {
    join_frames(system);
    let angles = Angles::of(system);
    for (coordinate, angle) in system.coords.iter_mut().zip(angles.of) {
        coordinate.mount = match angle {
            Use::By(mount) => mount,
            Use::None | Use::Several => None,
        };
    }
}

/// How sines of a coordinate are taken.
#[derive(Clone, PartialEq)]
enum Use {
    None,
    /// Of its sum with this and of nothing else.
    By(Option<Scalar>),
    Several,
}

/// How those of each coordinate are.
struct Angles {
    of: Vec<Use>,
    /// `let`s that have been looked through.
    seen: BTreeSet<LetId>,
}

impl Angles {
    fn of(system: &mut System) -> Self {
        let mut angles = Self {
            of: vec![Use::None; system.coords.len()],
            seen: BTreeSet::new(),
        };
        for frame in &system.frames {
            let angle = match &frame.orientation {
                Some((_, Orientation::Simple { angle, .. })) => angle,
                Some((_, Orientation::AxisAngle { angle, .. })) => {
                    angles.several(system, angle);
                    continue;
                }
                _ => continue,
            };
            let parted = Parted::of(angle);
            match parted.and_then(|p| Some((p.coordinate?, p.constant))) {
                Some(((coordinate, false), mount)) => angles.note(coordinate, Use::By(mount)),
                Some(((coordinate, true), mount)) => {
                    let mount = mount.map(negative);
                    angles.note(coordinate, Use::By(mount));
                }
                None => angles.several(system, angle),
            }
        }
        let mut others: Vec<Scalar> = Vec::new();
        each_part(system, &mut |part| {
            if let Part::Scalar(Scalar::Call(
                Elementary::Sin | Elementary::Cos | Elementary::Tan,
                args,
            )) = part
            {
                others.extend(args.iter().cloned());
            }
        });
        others
            .iter()
            .for_each(|angle| angles.several(system, angle));
        angles
    }

    fn note(&mut self, coordinate: CoordId, by: Use) {
        if let Some(known) = self.of.get_mut(coordinate.index()) {
            if *known == Use::None {
                *known = by;
            } else if *known != by {
                *known = Use::Several;
            }
        }
    }

    /// Every coordinate of an angle has sines that are taken in some other way.
    fn several(&mut self, system: &System, angle: &Scalar) {
        scalars_of(&mut angle.clone(), &mut |part| match part {
            Scalar::Coord(coordinate) => self.note(*coordinate, Use::Several),
            Scalar::Let(id) if self.seen.insert(*id) => {
                if let Some(Quantity::Scalar(value)) = system.lets.get(id.index()).map(|l| &l.value)
                {
                    self.several(system, value);
                }
            }
            _ => {}
        });
    }
}

/// A coordinate, or its negative, and a constant.
struct Parted {
    coordinate: Option<(CoordId, bool)>,
    constant: Option<Scalar>,
}

impl Parted {
    fn of(angle: &Scalar) -> Option<Self> {
        Some(match angle {
            Scalar::Coord(id) => Self {
                coordinate: Some((*id, false)),
                constant: None,
            },
            angle if is_constant(angle) => Self {
                coordinate: None,
                constant: Some(angle.clone()),
            },
            Scalar::Neg(a) => Self::of(a)?.opposite(),
            Scalar::Add(a, b) => Self::of(a)?.and(Self::of(b)?)?,
            Scalar::Sub(a, b) => Self::of(a)?.and(Self::of(b)?.opposite())?,
            _ => return None,
        })
    }

    fn opposite(self) -> Self {
        Self {
            coordinate: self.coordinate.map(|(id, less)| (id, !less)),
            constant: self.constant.map(negative),
        }
    }

    fn and(self, other: Self) -> Option<Self> {
        if self.coordinate.is_some() && other.coordinate.is_some() {
            return None;
        }
        let constant = match (self.constant, other.constant) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Some(Self {
            coordinate: self.coordinate.or(other.coordinate),
            constant,
        })
    }
}

fn negative(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Neg(a) => *a,
        Scalar::Number(x) => Scalar::Number(-x),
        other => Scalar::Neg(Box::new(other)),
    }
}

fn join_frames(system: &mut System) {
    let named = named(system);
    // Parents come before their children, so that a chain ends in one turn.
    for child in 0..system.frames.len() {
        let Some((parent, Orientation::Simple { axis, angle })) = &system.frames[child].orientation
        else {
            continue;
        };
        let between = &system.frames[parent.index()].orientation;
        let Some((
            from,
            Orientation::Simple {
                axis: same,
                angle: first,
            },
        )) = between
        else {
            continue;
        };
        let mounted = is_constant(first) || is_constant(angle);
        if axis != same || named[parent.index()] || !mounted {
            continue;
        }
        let whole = Orientation::Simple {
            axis: *axis,
            angle: sum(first, angle),
        };
        let from = *from;
        system.frames[child].orientation = Some((from, whole));
    }
}

/// The sum of two angles, as a person writes it.
fn sum(first: &Scalar, angle: &Scalar) -> Scalar {
    match angle {
        Scalar::Neg(less) => first.clone() - (**less).clone(),
        Scalar::Number(x) if x.is_negative() => first.clone() - Scalar::Number(-x.clone()),
        _ => first.clone() + angle.clone(),
    }
}

/// Whether an angle is one of a mount.
fn is_constant(angle: &Scalar) -> bool {
    match angle {
        Scalar::Number(_) | Scalar::Pi | Scalar::Param(_) => true,
        Scalar::Neg(a) => is_constant(a),
        Scalar::Add(a, b) | Scalar::Sub(a, b) | Scalar::Mul(a, b) | Scalar::Div(a, b) => {
            is_constant(a) && is_constant(b)
        }
        _ => false,
    }
}

/// Frames whose axes, motion or torques anything speaks of, other than frames that hang on them.
fn named(system: &mut System) -> Vec<bool> {
    let mut named = vec![false; system.frames.len()];
    let mut note = |frame: FrameId| {
        if let Some(known) = named.get_mut(frame.index()) {
            *known = true;
        }
    };
    note(FrameId(0));
    for rigid in system.bodies.iter().filter_map(|b| b.rigid.as_ref()) {
        note(rigid.frame);
        note(rigid.axes);
    }
    for load in system.loads.iter().chain(&system.nonideal) {
        if let LoadKind::Torque { frame, .. } = load.kind {
            note(frame);
        }
    }
    for constraint in &system.constraints {
        if let ConstraintRelation::Vector { frame, .. } = constraint.relation {
            note(frame);
        }
    }
    for drawing in &system.drawings {
        if let DrawnShape::Box { frame, .. } = drawing.shape {
            note(frame);
        }
    }
    system
        .joints
        .iter()
        .for_each(|joint| of_joint(joint, &mut note));
    each_part(system, &mut |part| {
        if let Part::Vector(vector) = part {
            of_vector(vector, &mut note);
        }
    });
    named
}

fn of_joint(joint: &Joint, note: &mut impl FnMut(FrameId)) {
    of_site(joint.site, note);
    if let Action::Pair { on, opposite } = joint.action {
        let (site, other) = opposite.map_or((None, None), |(site, other)| (Some(site), other));
        if let Some(site) = site {
            of_site(site, note);
        }
        let carriers = on.into_iter().chain(other);
        carriers.for_each(|Carrier { frame, .. }| note(frame));
    }
}

fn of_site(site: Site, note: &mut impl FnMut(FrameId)) {
    if let Site::Frame(frame) = site {
        note(frame);
    }
}

fn of_vector(vector: &Vector, note: &mut impl FnMut(FrameId)) {
    match vector {
        Vector::Basis(frame, _)
        | Vector::Velocity { frame, .. }
        | Vector::Acceleration { frame, .. }
        | Vector::Derivative { frame, .. } => note(*frame),
        Vector::AngularVelocity { frame, within }
        | Vector::AngularAcceleration { frame, within } => {
            note(*frame);
            note(*within);
        }
        Vector::ReactionOn { site, .. } => of_site(*site, note),
        _ => {}
    }
}
