//! Every scalar expression of a system, one after the other, to be looked at or changed.

use super::system::{
    Condition, ConstraintRelation, DrawnShape, LoadKind, Orientation, Quantity, Scalar, System,
    Vector,
};

/// Calls `f` with every scalar of the system, the parts of one before the whole.
pub(super) fn each_scalar(system: &mut System, f: &mut dyn FnMut(&mut Scalar)) {
    for function in &mut system.functions {
        list(&mut function.args, f);
    }
    for one in &mut system.lets {
        quantity(&mut one.value, f);
    }
    of_geometry(system, f);
    of_loads(system, f);
    for speed in &mut system.speeds {
        scalars_of(&mut speed.value, f);
    }
    for state in &mut system.states {
        scalars_of(&mut state.rate, f);
    }
    for constraint in &mut system.constraints {
        match &mut constraint.relation {
            ConstraintRelation::Scalar { lhs, rhs } => {
                scalars_of(lhs, f);
                scalars_of(rhs, f);
            }
            ConstraintRelation::Vector { lhs, rhs, .. } => {
                scalars_in(lhs, f);
                scalars_in(rhs, f);
            }
        }
    }
    for joint in &mut system.joints {
        scalars_in(&mut joint.direction, f);
    }
    for (value, _) in &mut system.privileged {
        scalars_of(value, f);
    }
    for assumption in &mut system.assumptions {
        scalars_of(&mut assumption.value, f);
    }
    for output in &mut system.outputs {
        quantity(&mut output.value, f);
    }
    for event in &mut system.events {
        scalars_of(&mut event.value, f);
    }
    for drawing in &mut system.drawings {
        match &mut drawing.shape {
            DrawnShape::Box { sizes, .. } | DrawnShape::Sphere { sizes, .. } => list(sizes, f),
            DrawnShape::Cylinder { sizes, along, .. } => {
                list(sizes, f);
                scalars_in(along, f);
            }
            DrawnShape::Line(_) => {}
        }
    }
}

/// Frames, points and bodies.
fn of_geometry(system: &mut System, f: &mut dyn FnMut(&mut Scalar)) {
    for frame in &mut system.frames {
        if let Some((_, orientation)) = &mut frame.orientation {
            of_orientation(orientation, f);
        }
    }
    for point in &mut system.points {
        if let Some((_, offset)) = &mut point.offset {
            scalars_in(offset, f);
        }
    }
    for body in &mut system.bodies {
        scalars_of(&mut body.mass, f);
        if let Some(rigid) = &mut body.rigid {
            list(&mut rigid.inertia, f);
        }
    }
}

/// Gravity, loads and energies.
fn of_loads(system: &mut System, f: &mut dyn FnMut(&mut Scalar)) {
    if let Some(gravity) = &mut system.gravity {
        scalars_in(gravity, f);
    }
    for load in system.loads.iter_mut().chain(&mut system.nonideal) {
        match &mut load.kind {
            LoadKind::Force { vector, .. } | LoadKind::Torque { vector, .. } => {
                scalars_in(vector, f);
            }
            LoadKind::Generalized { value, .. } => scalars_of(value, f),
        }
    }
    for energy in &mut system.energies {
        scalars_of(&mut energy.value, f);
    }
}

fn list(scalars: &mut [Scalar], f: &mut dyn FnMut(&mut Scalar)) {
    for scalar in scalars {
        scalars_of(scalar, f);
    }
}

fn quantity(value: &mut Quantity, f: &mut dyn FnMut(&mut Scalar)) {
    match value {
        Quantity::Scalar(scalar) => scalars_of(scalar, f),
        Quantity::Vector(vector) => scalars_in(vector, f),
    }
}

fn of_orientation(orientation: &mut Orientation, f: &mut dyn FnMut(&mut Scalar)) {
    match orientation {
        Orientation::Simple { angle, .. } => scalars_of(angle, f),
        Orientation::AxisAngle { axis, angle } => {
            list(axis, f);
            scalars_of(angle, f);
        }
        Orientation::Matrix { rows } => rows.iter_mut().for_each(|row| list(row, f)),
        Orientation::Quaternion { parts, .. } => list(parts, f),
    }
}

/// Calls `f` with the parts of a scalar, then with itself.
pub(super) fn scalars_of(scalar: &mut Scalar, f: &mut dyn FnMut(&mut Scalar)) {
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
        Scalar::Rate(a) | Scalar::Neg(a) => scalars_of(a, f),
        Scalar::Add(a, b)
        | Scalar::Sub(a, b)
        | Scalar::Mul(a, b)
        | Scalar::Div(a, b)
        | Scalar::Pow(a, b) => {
            scalars_of(a, f);
            scalars_of(b, f);
        }
        Scalar::Dot(a, b) => {
            scalars_in(a, f);
            scalars_in(b, f);
        }
        Scalar::Norm(a) => scalars_in(a, f),
        Scalar::If {
            condition,
            then,
            other,
        } => {
            scalars_asked(condition, f);
            scalars_of(then, f);
            scalars_of(other, f);
        }
    }
    f(scalar);
}

fn scalars_asked(condition: &mut Condition, f: &mut dyn FnMut(&mut Scalar)) {
    match condition {
        Condition::Compare(_, a, b) => {
            scalars_of(a, f);
            scalars_of(b, f);
        }
        Condition::And(a, b) | Condition::Or(a, b) => {
            scalars_asked(a, f);
            scalars_asked(b, f);
        }
        Condition::Not(a) => scalars_asked(a, f),
    }
}

fn scalars_in(vector: &mut Vector, f: &mut dyn FnMut(&mut Scalar)) {
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
        Vector::Neg(a) => scalars_in(a, f),
        Vector::Add(a, b) | Vector::Sub(a, b) | Vector::Cross(a, b) => {
            scalars_in(a, f);
            scalars_in(b, f);
        }
        Vector::Scale(a, b) => {
            scalars_of(a, f);
            scalars_in(b, f);
        }
        Vector::Derivative { vector, .. } => scalars_in(vector, f),
    }
}
