//! Scopes: the predeclared one, and that of a finished system.

use super::{BodyFacts, FunctionFacts, Resolver, Typed};
use crate::model::content::Content;
use crate::model::names::{Names, Thing};
use crate::model::system::{
    CoordId, FrameId, FunctionId, InputId, LetId, ParamId, PointId, Scalar, SpeedId, StateId,
    System,
};
use crate::model::units::DimExpr;
use crate::span::Span;

impl Resolver {
    /// Only what is predeclared.
    pub fn new(unit_free: bool) -> Self {
        Resolver {
            names: Names::new(),
            unit_free,
            frames: vec![Some(FrameId(0))],
            frame_facts: vec![("N".to_string(), Content::CONSTANT)],
            points: vec![Some(PointId(0))],
            point_facts: vec![("O".to_string(), Content::CONSTANT)],
            ..Resolver::default()
        }
    }

    /// The scope of a finished system. Units and contents are not looked at.
    pub fn of(system: &System) -> Self {
        let mut scope = Resolver::new(true);
        scope.muted = true;
        let names = &mut scope.names;
        for (i, param) in (0..).zip(&system.params) {
            names.add(&param.meta.name, None, Thing::Param(ParamId(i)));
            scope.params.push(DimExpr::none());
        }
        for (i, coord) in (0..).zip(&system.coords) {
            names.add(&coord.meta.name, None, Thing::Coord(CoordId(i)));
            scope.coords.push(DimExpr::none());
            scope.used.push(true);
        }
        for (i, state) in (0..).zip(&system.states) {
            names.add(&state.meta.name, None, Thing::State(StateId(i)));
            scope.states.push(DimExpr::none());
        }
        for (i, input) in (0..).zip(&system.inputs) {
            names.add(&input.meta.name, None, Thing::Input(InputId(i)));
            scope.inputs.push(DimExpr::none());
        }
        for (i, function) in (0..).zip(&system.functions) {
            names.add(&function.meta.name, None, Thing::Function(FunctionId(i)));
            scope.functions.push(DimExpr::none());
            scope.function_args.push(Some(FunctionFacts {
                args: function.args.iter().cloned().map(plain).collect(),
                names: function.arg_names.clone(),
            }));
        }
        for (i, named) in (0..).zip(&system.lets) {
            names.add(&named.meta.name, None, Thing::Let(LetId(i)));
            scope.lets.push(Some(plain(named.value.clone())));
        }
        for (i, speed) in (0..).zip(&system.speeds) {
            names.add(&speed.meta.name, None, Thing::Speed(SpeedId(i)));
            scope.speeds.push(Some(plain(Scalar::Speed(SpeedId(i)))));
        }
        for (i, frame) in (0..).zip(&system.frames).skip(1) {
            names.add(&frame.meta.name, None, Thing::Frame(i as usize));
            scope.frames.push(Some(FrameId(i)));
            let name = frame.meta.name.clone();
            scope.frame_facts.push((name, Content::CONSTANT));
        }
        for (i, point) in (0..).zip(&system.points).skip(1) {
            names.add(&point.meta.name, None, Thing::Point(i as usize));
            scope.points.push(Some(PointId(i)));
            let name = point.meta.name.clone();
            scope.point_facts.push((name, Content::CONSTANT));
        }
        for (i, body) in system.bodies.iter().enumerate() {
            let thing = Thing::Body(i, body.rigid.is_some());
            names.add(&body.meta.name, None, thing);
            scope.masses.push(Some(body.mass.clone()));
            scope.bodies.push(BodyFacts {
                center: Some(body.center),
                frame: body.rigid.as_ref().map(|r| r.frame),
            });
        }
        scope
    }
}

/// Without facts.
fn plain<V>(value: V) -> Typed<V> {
    Typed::new(value, DimExpr::none(), Content::CONSTANT, Span::default())
}
