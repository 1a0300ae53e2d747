//! The worked examples, against what their sources describe.

use super::system;
use crate::model::System;
use crate::model::system::{
    Axis, ConstraintRelation, CoordId, FrameId, LoadKind, Orientation, ParamId, PointId, Rational,
    Scalar, Sign, SpeedId, Vector,
};

fn boxed<T>(value: T) -> Box<T> {
    Box::new(value)
}

fn coord(i: u32) -> Scalar {
    Scalar::Coord(CoordId(i))
}

fn rate(i: u32) -> Scalar {
    Scalar::Rate(boxed(coord(i)))
}

fn param(i: u32) -> Scalar {
    Scalar::Param(ParamId(i))
}

fn number(n: i64) -> Scalar {
    Scalar::Number(Rational::from_integer(n.into()))
}

fn mul(a: Scalar, b: Scalar) -> Scalar {
    Scalar::Mul(boxed(a), boxed(b))
}

fn scale(s: Scalar, v: Vector) -> Vector {
    Vector::Scale(boxed(s), boxed(v))
}

fn plus(a: Vector, b: Vector) -> Vector {
    Vector::Add(boxed(a), boxed(b))
}

const fn basis(frame: u32, axis: Axis) -> Vector {
    Vector::Basis(FrameId(frame), axis)
}

fn velocity(point: u32) -> Vector {
    Vector::Velocity {
        point: PointId(point),
        frame: FrameId(0),
    }
}

/// Names with their units, in order.
fn quantities(system: &System) -> Vec<(&str, &str)> {
    let params = system.params.iter().map(|p| &p.meta);
    let coords = system.coords.iter().map(|c| &c.meta);
    let functions = system.functions.iter().map(|f| &f.meta);
    let speeds = system.speeds.iter().map(|s| &s.meta);
    params
        .chain(coords)
        .chain(functions)
        .chain(speeds)
        .map(|meta| (meta.name.as_str(), meta.unit.as_deref().unwrap_or("?")))
        .collect()
}

#[test]
fn e1_appell_with_the_constraint_twice() {
    let s = system(include_str!("models/appell.eom"));
    assert_eq!(s.name, "appell");
    assert!(s.docs.contains("Udwadia 1996"));
    assert_eq!(
        quantities(&s),
        [
            ("M", "kg"),
            ("x", "m"),
            ("y", "m"),
            ("z", "m"),
            ("Fx", "N/kg"),
            ("Fy", "N/kg"),
            ("Fz", "N/kg"),
        ]
    );
    assert_eq!(s.params[0].sign, Some(Sign::Positive));
    for function in &s.functions {
        assert_eq!(function.args, [coord(0), coord(1), coord(2)]);
        assert_eq!(function.arg_names, ["x", "y", "z"]);
    }
    let along = |i, axis| scale(coord(i), basis(0, axis));
    let place = plus(
        plus(along(0, Axis::X), along(1, Axis::Y)),
        along(2, Axis::Z),
    );
    assert_eq!(s.points[1].offset, Some((PointId(0), place)));
    assert_eq!(s.bodies[0].mass, param(0));
    assert_eq!(
        (s.bodies[0].center, &s.bodies[0].rigid),
        (PointId(1), &None)
    );
    let LoadKind::Force { point, vector } = &s.loads[0].kind else {
        panic!("{:?}", s.loads);
    };
    assert_eq!(*point, PointId(1));
    assert_eq!(s.vector_text(vector), "M*(Fx*N.x + Fy*N.y + Fz*N.z)");
    let square = |i| Scalar::Pow(boxed(rate(i)), boxed(number(2)));
    let add = |a, b| Scalar::Add(boxed(a), boxed(b));
    let lhs = Scalar::Sub(boxed(add(square(0), square(1))), boxed(square(2)));
    let rhs = number(0);
    assert_eq!(
        s.constraints[0].relation,
        ConstraintRelation::Scalar { lhs, rhs }
    );
    assert_eq!(s.constraints[1].meta.name, "c2");
    assert_eq!(s.constraints[1].meta.unit.as_deref(), Some("m^2/s^2"));
}

#[test]
fn e2_appell_with_a_moving_constraint() {
    let s = system(include_str!("models/appell_rheonomic.eom"));
    let function = &s.functions[0];
    assert_eq!(function.args, [coord(0), coord(1), coord(2), Scalar::Time]);
    assert_eq!(function.arg_names, ["x", "y", "z", "t"]);
    let ConstraintRelation::Scalar { rhs, .. } = &s.constraints[0].relation else {
        panic!("{:?}", s.constraints);
    };
    assert_eq!(s.scalar_text(rhs), "2*a*h");
    // -g*N.z is (-g)*N.z: unary minus binds tighter than the product.
    let down = scale(Scalar::Neg(boxed(param(2))), basis(0, Axis::Z));
    assert_eq!(s.gravity, Some(down));
}

#[test]
fn e3_nonideal_in_any_units() {
    let s = system(include_str!("models/appell_nonideal.eom"));
    // The model names no units; these follow from a mass of 1 kg and places in m.
    assert_eq!(
        quantities(&s),
        [
            ("alpha", "?"),
            ("a0", "kg/m"),
            ("x", "m"),
            ("y", "m"),
            ("z", "m"),
            ("Fx", "kg*m/s^2"),
            ("Fy", "kg*m/s^2"),
            ("Fz", "kg*m/s^2"),
            ("g", "?"),
        ]
    );
    assert_eq!(s.bodies[0].mass, number(1));
    let LoadKind::Force { point, vector } = &s.nonideal[0].kind else {
        panic!("{:?}", s.nonideal);
    };
    assert_eq!(*point, PointId(1));
    let factor = mul(
        Scalar::Neg(boxed(param(1))),
        Scalar::Norm(boxed(velocity(1))),
    );
    assert_eq!(*vector, scale(factor, velocity(1)));
    assert_eq!(s.loads.len(), 1);
}

#[test]
fn e4_the_sleigh() {
    let s = system(include_str!("models/sleigh.eom"));
    assert_eq!(
        quantities(&s),
        [
            ("m1", "kg"),
            ("m2", "kg"),
            ("l", "m"),
            ("x", "m"),
            ("y", "m"),
            ("theta", "rad"),
            ("u1", "m/s"),
            ("u2", "rad/s"),
        ]
    );
    assert_eq!(s.params[1].meta.docs, "masses");
    assert_eq!(s.params[2].meta.docs, "length of the massless rod");
    let turn = Orientation::Simple {
        axis: Axis::Z,
        angle: coord(2),
    };
    assert_eq!(s.frames[0].meta.name, "N");
    assert_eq!(s.frames[0].orientation, None);
    assert_eq!(s.frames[1].orientation, Some((FrameId(0), turn)));
    assert_eq!(
        s.points[2].offset,
        Some((PointId(1), scale(param(2), basis(1, Axis::X))))
    );
    let names: Vec<_> = s.bodies.iter().map(|b| b.meta.name.as_str()).collect();
    assert_eq!(names, ["A", "C"]);
    assert_eq!(s.bodies[1].center, PointId(2));
    let along = Scalar::Dot(boxed(velocity(1)), boxed(basis(1, Axis::X)));
    assert_eq!(s.speeds[0].value, along);
    assert_eq!(s.speeds[1].value, rate(2));
    let across = Scalar::Dot(boxed(velocity(2)), boxed(basis(1, Axis::Y)));
    assert_eq!(
        s.constraints[0].relation,
        ConstraintRelation::Scalar {
            lhs: across,
            rhs: number(0)
        }
    );
    assert!(s.privileged.is_empty());
}

#[test]
fn e5_wheels_on_an_axle() {
    let s = system(include_str!("models/wheel_axle.eom"));
    let frames: Vec<_> = s.frames.iter().map(|f| f.meta.name.as_str()).collect();
    assert_eq!(frames, ["N", "H", "W1", "W2"]);
    for (frame, parent, axis, angle) in [
        (1, 0, Axis::Z, coord(4)),
        (2, 1, Axis::Y, coord(5)),
        (3, 1, Axis::Y, coord(6)),
    ] {
        let turn = Orientation::Simple { axis, angle };
        assert_eq!(s.frames[frame].orientation, Some((FrameId(parent), turn)));
    }
    let rigid = s.bodies[1].rigid.as_ref().unwrap();
    assert_eq!(
        (rigid.frame, rigid.axes, rigid.about, s.bodies[1].center),
        (FrameId(3), FrameId(3), PointId(2), PointId(2))
    );
    let entries: Vec<_> = rigid.inertia.iter().map(|i| s.scalar_text(i)).collect();
    let rim = ["m_rim*a^2/2", "m_rim*a^2", "m_rim*a^2/2", "0", "0", "0"];
    assert_eq!(entries, rim);
    let gravity = s.gravity.as_ref().unwrap();
    assert_eq!(
        s.vector_text(gravity),
        "g*sin(alpha)*N.x - g*cos(alpha)*N.z"
    );
    let ConstraintRelation::Vector { lhs, rhs, frame } = &s.constraints[2].relation else {
        panic!("{:?}", s.constraints);
    };
    let between = Vector::Between {
        from: PointId(1),
        to: PointId(2),
    };
    assert_eq!((lhs, *frame), (&between, FrameId(0)));
    // l is the fourth parameter: M, m_rim, a, l.
    assert_eq!(*rhs, scale(param(3), basis(1, Axis::Y)));
    let ConstraintRelation::Vector { lhs, rhs, .. } = &s.constraints[1].relation else {
        panic!("{:?}", s.constraints);
    };
    assert_eq!(*lhs, velocity(2));
    assert_eq!(*rhs, scale(mul(param(2), rate(6)), basis(1, Axis::X)));
    let privileged: Vec<_> = s.privileged.iter().map(|(p, _)| p.clone()).collect();
    assert_eq!(privileged, [rate(5), rate(4)]);
    assert_eq!(s.constraints[2].meta.unit.as_deref(), Some("m"));
}

#[test]
fn declared_speeds_in_constraints_and_privileged() {
    let text = "model sleigh_quasi\nparam m, l\ncoord x, y, theta\n\
        frame B = rotate(N, theta, N.z)\npoint P = O + x*N.x + y*N.y\npoint Q = P + l*B.x\n\
        particle A: mass m at Q\nspeed u1 = dot(vel(P), B.x)\nspeed u2 = theta'\n\
        speed u3 = dot(vel(Q), B.y)\nconstraint blade: u3 = 0\nprivileged u1, theta'\n";
    let s = system(text);
    let lhs = Scalar::Speed(SpeedId(2));
    let rhs = number(0);
    assert_eq!(
        s.constraints[0].relation,
        ConstraintRelation::Scalar { lhs, rhs }
    );
    let privileged: Vec<_> = s.privileged.iter().map(|(p, _)| p.clone()).collect();
    assert_eq!(privileged, [Scalar::Speed(SpeedId(0)), rate(2)]);
}
