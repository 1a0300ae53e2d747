//! Outputs that a motion adds to a model: inputs, what is followed, events, places of points and frames.

use super::unknown;
use super::{EventRequest, MotionRequest};
use crate::machine::Direction;
use crate::machine::scene::{self, Body, Drawn, Line, Scene};
use crate::model::System;
use crate::model::system::{
    Axis, DrawnShape, FrameId, Meta, Output, PointId, Quantity, Scalar, Vector,
};
use crate::span::Span;

/// What was added, by the names of the outputs.
#[derive(Default)]
pub(super) struct Added {
    /// Inputs that are expressions, each with its place among the inputs.
    pub inputs: Vec<(usize, String)>,
    /// Inputs that are tables: place, times, values.
    pub tables: Vec<(usize, Vec<f64>, Vec<f64>)>,
    /// Expressions that are followed.
    pub watched: Vec<(String, String)>,
    /// Events, in the order of the request.
    pub events: Vec<String>,
    /// Positions and axes.
    pub places: Vec<String>,
    /// Masses and inertias.
    pub inertias: Vec<String>,
    /// Sizes of drawings.
    pub sizes: Vec<String>,
    /// What is drawn, but for its tapes.
    pub scene: Scene,
    pub request: MotionRequest,
}

/// An expression in the scope of a model.
pub(super) fn scalar(
    system: &System,
    label: &str,
    text: &str,
    complaints: &mut Vec<String>,
) -> Option<Scalar> {
    match crate::model::parse_scalar(system, text) {
        Ok(scalar) => Some(scalar),
        Err(list) => {
            let errors = list.into_iter().map(|d| match d.help {
                Some(help) => format!("{label} = {text}: {}; {help}", d.title),
                None => format!("{label} = {text}: {}", d.title),
            });
            complaints.extend(errors);
            None
        }
    }
}

impl Added {
    /// Adds what is asked for to the model's outputs.
    pub(super) fn to(
        system: &mut System,
        request: &MotionRequest,
        complaints: &mut Vec<String>,
    ) -> Self {
        let mut added = Self {
            request: request.clone(),
            ..Self::default()
        };
        let plain = system.clone();
        let mut parsed = |label: &str, text: &str| scalar(&plain, label, text, complaints);
        let mut outputs = Vec::new();
        let mut add = |name: String, value: Scalar| {
            outputs.push((name.clone(), Quantity::Scalar(value)));
            name
        };
        let metas = plain.coords.iter().map(|c| &c.meta);
        let metas = metas.chain(plain.states.iter().map(|s| &s.meta));
        let metas = metas.chain(plain.inputs.iter().map(|i| &i.meta));
        let metas = metas.chain(plain.outputs.iter().map(|o| &o.meta));
        // These have columns already.
        let known: Vec<&str> = metas.map(|m| m.name.as_str()).collect();
        let unknown = |text: &&String| !known.contains(&text.as_str());
        let followed = if request.slopes {
            "--outputs"
        } else {
            "--plot"
        };
        for (at, text) in request.watch.iter().filter(unknown).enumerate() {
            if let Some(value) = parsed(followed, text) {
                let name = add(format!("watched {at}"), value);
                added.watched.push((name, text.clone()));
            }
        }
        for (at, event) in request.events.iter().enumerate() {
            if let Some(value) = parsed("event", &event.expression) {
                added.events.push(add(format!("event {at}"), value));
            }
        }
        for event in &plain.events {
            let name = &event.meta.name;
            let direction = match (event.rising, event.falling) {
                (true, true) => Direction::Both,
                (true, false) => Direction::Rising,
                _ => Direction::Falling,
            };
            added.events.push(add(
                format!("event of the model {name}"),
                event.value.clone(),
            ));
            added.request.events.push(EventRequest {
                text: name.clone(),
                expression: name.clone(),
                direction,
                ends: request.ending.contains(name),
            });
        }
        let mut inputs = Vec::new();
        for (name, text) in &request.inputs {
            if let Some(value) = parsed(name, text) {
                inputs.push((name, add(format!("input {name}"), value)));
            }
        }
        added.place_inputs(&plain, inputs, complaints);
        let events: Vec<&str> = plain.events.iter().map(|e| e.meta.name.as_str()).collect();
        for name in request
            .ending
            .iter()
            .filter(|n| !events.contains(&n.as_str()))
        {
            complaints.push(format!(
                "--until {name}: {}, nor a condition such as `x > 0`",
                super::unknown("event", name, &events)
            ));
        }
        if request.scene {
            added.draw(&plain, &mut outputs);
        }
        let meta = |name| Meta {
            name,
            shown: None,
            unit: None,
            docs: String::new(),
            span: Span::default(),
        };
        let outputs = outputs.into_iter().map(|(name, value)| Output {
            meta: meta(name),
            value,
        });
        system.outputs.extend(outputs);
        added
    }

    fn place_inputs(
        &mut self,
        system: &System,
        inputs: Vec<(&String, String)>,
        complaints: &mut Vec<String>,
    ) {
        let known: Vec<&str> = system.inputs.iter().map(|i| i.meta.name.as_str()).collect();
        let mut place = |name: &str| {
            let found = known.iter().position(|k| *k == name);
            if found.is_none() {
                complaints.push(unknown("input", name, &known));
            }
            found
        };
        for (name, output) in inputs {
            self.inputs.extend(place(name).map(|i| (i, output)));
        }
        for (name, times, values) in &self.request.tables {
            let found = place(name).map(|i| (i, times.clone(), values.clone()));
            self.tables.extend(found);
        }
    }

    /// Places of points and frames, masses and inertias.
    fn draw(&mut self, system: &System, outputs: &mut Vec<(String, Quantity)>) {
        let mut add = |list: &mut Vec<String>, name: String, value: Quantity| {
            outputs.push((name.clone(), value));
            list.push(name);
        };
        self.scene.points = system.points.iter().map(|p| p.meta.name.clone()).collect();
        self.scene.frames = system.frames.iter().map(|f| f.meta.name.clone()).collect();
        for (i, point) in system.points.iter().enumerate().skip(1) {
            let to = PointId(i as u32);
            let from = PointId(0);
            let value = Quantity::Vector(Vector::Between { from, to });
            add(&mut self.places, format!("point {i}"), value);
            if let Some((base, offset)) = &point.offset {
                self.scene.lines.push(Line {
                    from: base.index(),
                    to: i,
                    frame: rigid_in(system, offset),
                });
            }
        }
        for i in 1..system.frames.len() {
            for axis in Axis::ALL {
                let value = Quantity::Vector(Vector::Basis(FrameId(i as u32), axis));
                add(
                    &mut self.places,
                    format!("frame {i} {}", axis.text()),
                    value,
                );
            }
        }
        self.draw_more(system, &mut add);
        for (i, body) in system.bodies.iter().enumerate() {
            let rigid = body.rigid.as_ref();
            self.scene.bodies.push(Body {
                name: body.meta.name.clone(),
                center: body.center.index(),
                frame: rigid.map(|r| r.axes.index()),
            });
            let mut numbers = vec![body.mass.clone()];
            match rigid {
                Some(r) => numbers.extend(r.inertia.iter().cloned()),
                None => numbers.extend((0..6).map(|_| Scalar::whole(0))),
            }
            for axis in Axis::ALL {
                let offset = rigid.filter(|r| r.about != body.center).map(|r| {
                    let (from, to) = (r.about, body.center);
                    Vector::Between { from, to }.dot(Vector::Basis(r.axes, axis))
                });
                numbers.push(offset.unwrap_or_else(|| Scalar::whole(0)));
            }
            for (k, number) in numbers.into_iter().enumerate() {
                let name = format!("body {i} {k}");
                add(&mut self.inertias, name, Quantity::Scalar(number));
            }
        }
        if let Some(gravity) = &system.gravity {
            let up = Quantity::Vector(Vector::Neg(Box::new(gravity.clone())));
            add(&mut self.inertias, "up".to_owned(), up);
        }
    }
}

impl Added {
    /// What the model asks to be drawn.
    fn draw_more(
        &mut self,
        system: &System,
        add: &mut impl FnMut(&mut Vec<String>, String, Quantity),
    ) {
        let mut axes = 0;
        for (i, drawing) in system.drawings.iter().enumerate() {
            let (shape, sizes) = match &drawing.shape {
                DrawnShape::Box { sizes, at, frame } => {
                    let (center, frame) = (at.index(), frame.index());
                    (scene::DrawnShape::Box { center, frame }, sizes.as_slice())
                }
                DrawnShape::Cylinder { sizes, at, along } => {
                    let name = format!("axis of drawing {i}");
                    add(&mut self.places, name, Quantity::Vector(along.clone()));
                    axes += 1;
                    let (center, axis) = (at.index(), axes - 1);
                    (
                        scene::DrawnShape::Cylinder { center, axis },
                        sizes.as_slice(),
                    )
                }
                DrawnShape::Sphere { sizes, at } => {
                    let center = at.index();
                    (scene::DrawnShape::Sphere { center }, sizes.as_slice())
                }
                DrawnShape::Line(points) => {
                    let through = points.iter().map(|p| p.index()).collect();
                    (scene::DrawnShape::Line { through }, &[][..])
                }
            };
            for (k, size) in sizes.iter().enumerate() {
                let name = format!("size {i} {k}");
                add(&mut self.sizes, name, Quantity::Scalar(size.clone()));
            }
            self.scene.drawings.push(Drawn {
                name: drawing.meta.name.clone(),
                color: drawing.color.clone(),
                shape,
            });
        }
    }
}

/// The frame in which a vector does not change, if the model says so.
fn rigid_in(system: &System, vector: &Vector) -> Option<usize> {
    let mut frames = Vec::new();
    let constant = gather(system, vector, &mut frames);
    frames.sort_unstable();
    frames.dedup();
    match frames.as_slice() {
        [only] if constant => Some(*only),
        _ => None,
    }
}

/// Notes the frames of a vector, and says whether its components are constant.
fn gather(system: &System, vector: &Vector, frames: &mut Vec<usize>) -> bool {
    match vector {
        Vector::Zero => true,
        Vector::Basis(frame, _) => {
            frames.push(frame.index());
            true
        }
        Vector::Let(l) => match &system.lets[l.index()].value {
            Quantity::Vector(v) => gather(system, v, frames),
            Quantity::Scalar(_) => false,
        },
        Vector::Neg(a) => gather(system, a, frames),
        Vector::Add(a, b) | Vector::Sub(a, b) => {
            gather(system, a, frames) & gather(system, b, frames)
        }
        Vector::Scale(s, v) => is_constant(system, s) & gather(system, v, frames),
        _ => false,
    }
}

fn is_constant(system: &System, s: &Scalar) -> bool {
    let both = |a: &Scalar, b: &Scalar| is_constant(system, a) && is_constant(system, b);
    match s {
        Scalar::Number(_) | Scalar::Pi | Scalar::Param(_) => true,
        Scalar::Let(l) => match &system.lets[l.index()].value {
            Quantity::Scalar(s) => is_constant(system, s),
            Quantity::Vector(_) => false,
        },
        Scalar::Neg(a) => is_constant(system, a),
        Scalar::Add(a, b)
        | Scalar::Sub(a, b)
        | Scalar::Mul(a, b)
        | Scalar::Div(a, b)
        | Scalar::Pow(a, b) => both(a, b),
        Scalar::Call(_, args) => args.iter().all(|a| is_constant(system, a)),
        _ => false,
    }
}
