//! Every expression of a system, one after the other, to be looked at or changed.

use super::system::{
    Condition, ConstraintRelation, DrawnShape, LoadKind, Orientation, Quantity, Scalar, System,
    Vector,
};

/// An expression, or a part of one.
pub(super) enum Part<'a> {
    Scalar(&'a mut Scalar),
    Vector(&'a mut Vector),
}

/// What is called with each of them.
type Visit<'f> = &'f mut dyn FnMut(Part<'_>);

/// Calls `f` with every scalar of the system, the parts of one before the whole.
pub(super) fn each_scalar(system: &mut System, f: &mut dyn FnMut(&mut Scalar)) {
    each_part(system, &mut |part| {
        if let Part::Scalar(scalar) = part {
            f(scalar);
        }
    });
}

/// Calls `f` with the parts of a scalar that are scalars, then with itself.
pub(super) fn scalars_of(scalar: &mut Scalar, f: &mut dyn FnMut(&mut Scalar)) {
    parts_of(scalar, &mut |part| {
        if let Part::Scalar(scalar) = part {
            f(scalar);
        }
    });
}

/// Calls `f` with every scalar and vector of the system, the parts of one before the whole.
pub(super) fn each_part(system: &mut System, f: Visit<'_>) {
    for mount in system.coords.iter_mut().filter_map(|c| c.mount.as_mut()) {
        parts_of(mount, f);
    }
    for function in &mut system.functions {
        list(&mut function.args, f);
    }
    for one in &mut system.lets {
        quantity(&mut one.value, f);
    }
    of_geometry(system, f);
    of_loads(system, f);
    for speed in &mut system.speeds {
        parts_of(&mut speed.value, f);
    }
    for state in &mut system.states {
        parts_of(&mut state.rate, f);
    }
    for constraint in &mut system.constraints {
        match &mut constraint.relation {
            ConstraintRelation::Scalar { lhs, rhs } => {
                parts_of(lhs, f);
                parts_of(rhs, f);
            }
            ConstraintRelation::Vector { lhs, rhs, .. } => {
                parts_in(lhs, f);
                parts_in(rhs, f);
            }
        }
    }
    for joint in &mut system.joints {
        parts_in(&mut joint.direction, f);
    }
    for (value, _) in &mut system.privileged {
        parts_of(value, f);
    }
    for assumption in &mut system.assumptions {
        parts_of(&mut assumption.value, f);
    }
    for output in &mut system.outputs {
        quantity(&mut output.value, f);
    }
    for event in &mut system.events {
        parts_of(&mut event.value, f);
    }
    for drawing in &mut system.drawings {
        match &mut drawing.shape {
            DrawnShape::Box { sizes, .. } | DrawnShape::Sphere { sizes, .. } => list(sizes, f),
            DrawnShape::Cylinder { sizes, along, .. } => {
                list(sizes, f);
                parts_in(along, f);
            }
            DrawnShape::Line(_) => {}
        }
    }
}

/// Frames, points and bodies.
fn of_geometry(system: &mut System, f: Visit<'_>) {
    for frame in &mut system.frames {
        if let Some((_, orientation)) = &mut frame.orientation {
            of_orientation(orientation, f);
        }
    }
    for point in &mut system.points {
        if let Some((_, offset)) = &mut point.offset {
            parts_in(offset, f);
        }
    }
    for body in &mut system.bodies {
        parts_of(&mut body.mass, f);
        if let Some(rigid) = &mut body.rigid {
            list(&mut rigid.inertia, f);
        }
    }
}

/// Gravity, loads and energies.
fn of_loads(system: &mut System, f: Visit<'_>) {
    if let Some(gravity) = &mut system.gravity {
        parts_in(gravity, f);
    }
    for load in system.loads.iter_mut().chain(&mut system.nonideal) {
        match &mut load.kind {
            LoadKind::Force { vector, .. } | LoadKind::Torque { vector, .. } => {
                parts_in(vector, f);
            }
            LoadKind::Generalized { value, .. } => parts_of(value, f),
        }
    }
    for energy in &mut system.energies {
        parts_of(&mut energy.value, f);
    }
}

fn list(scalars: &mut [Scalar], f: Visit<'_>) {
    for scalar in scalars {
        parts_of(scalar, f);
    }
}

fn quantity(value: &mut Quantity, f: Visit<'_>) {
    match value {
        Quantity::Scalar(scalar) => parts_of(scalar, f),
        Quantity::Vector(vector) => parts_in(vector, f),
    }
}

fn of_orientation(orientation: &mut Orientation, f: Visit<'_>) {
    match orientation {
        Orientation::Simple { angle, .. } => parts_of(angle, f),
        Orientation::AxisAngle { axis, angle } => {
            list(axis, f);
            parts_of(angle, f);
        }
        Orientation::Matrix { rows } => rows.iter_mut().for_each(|row| list(row, f)),
        Orientation::Quaternion { parts, .. } => list(parts, f),
    }
}

/// Calls `f` with the parts of a scalar, then with itself.
fn parts_of(scalar: &mut Scalar, f: Visit<'_>) {
    match scalar {
        Scalar::Number(_)
        | Scalar::Pi
        | Scalar::Time
        | Scalar::Param(_)
        | Scalar::Coord(_)
        | Scalar::Speed(_)
        | Scalar::State(_)
        | Scalar::Input(_)
        | Scalar::Let(_)
        | Scalar::Reaction { .. }
        | Scalar::Joint(_)
        | Scalar::Kinetic(_) => {}
        Scalar::Function { args, .. } | Scalar::Call(_, args) => list(args, f),
        Scalar::Rate(a) | Scalar::Neg(a) => parts_of(a, f),
        Scalar::Add(a, b)
        | Scalar::Sub(a, b)
        | Scalar::Mul(a, b)
        | Scalar::Div(a, b)
        | Scalar::Pow(a, b) => {
            parts_of(a, f);
            parts_of(b, f);
        }
        Scalar::Dot(a, b) => {
            parts_in(a, f);
            parts_in(b, f);
        }
        Scalar::Norm(a) => parts_in(a, f),
        Scalar::If {
            condition,
            then,
            other,
        } => {
            parts_asked(condition, f);
            parts_of(then, f);
            parts_of(other, f);
        }
    }
    f(Part::Scalar(scalar));
}

fn parts_asked(condition: &mut Condition, f: Visit<'_>) {
    match condition {
        Condition::Compare(_, a, b) => {
            parts_of(a, f);
            parts_of(b, f);
        }
        Condition::And(a, b) | Condition::Or(a, b) => {
            parts_asked(a, f);
            parts_asked(b, f);
        }
        Condition::Not(a) => parts_asked(a, f),
    }
}

fn parts_in(vector: &mut Vector, f: Visit<'_>) {
    match vector {
        Vector::Zero
        | Vector::Basis(..)
        | Vector::Let(_)
        | Vector::Reaction(_)
        | Vector::ReactionOn { .. }
        | Vector::Between { .. }
        | Vector::Velocity { .. }
        | Vector::Acceleration { .. }
        | Vector::AngularVelocity { .. }
        | Vector::AngularAcceleration { .. }
        | Vector::Momentum(_)
        | Vector::AngularMomentum { .. } => {}
        Vector::Neg(a) => parts_in(a, f),
        Vector::Add(a, b) | Vector::Sub(a, b) | Vector::Cross(a, b) => {
            parts_in(a, f);
            parts_in(b, f);
        }
        Vector::Scale(a, b) => {
            parts_of(a, f);
            parts_in(b, f);
        }
        Vector::Derivative { vector, .. } => parts_in(vector, f),
    }
    f(Part::Vector(vector));
}
