//! `event` and `drawing`: what a motion notes and what a picture shows.

use super::{Builder, meta};
use crate::diag::{Diagnostic, suggest};
use crate::model::codes;
use crate::model::resolve::Typed;
use crate::model::system::{Drawing, DrawnShape, Event, PointId, Scalar};
use crate::model::units::Dim;
use crate::span::Span;
use crate::syntax::ast::{self, EventDirection, Expr, Ident, Item, Ref};

/// The colours that a drawing can have, and what they are on a screen.
const COLORS: [(&str, &str); 12] = [
    ("black", "#1f2937"),
    ("gray", "#6b7280"),
    ("white", "#f8fafc"),
    ("red", "#dc2626"),
    ("orange", "#ea580c"),
    ("yellow", "#eab308"),
    ("green", "#16a34a"),
    ("teal", "#0d9488"),
    ("blue", "#2563eb"),
    ("purple", "#9333ea"),
    ("pink", "#db2777"),
    ("brown", "#92400e"),
];

impl Builder<'_> {
    /// `event top: theta' falling`
    pub(super) fn event(&mut self, event: &ast::Event, item: &Item) {
        let Some(typed) = self.scope.scalar(&event.value, "an event") else {
            return;
        };
        if typed.content.order.is_some_and(|order| order > 2) {
            self.scope.report(Diagnostic::error_with_help(
                codes::PRIME,
                format!("the event `{}` needs a third derivative", event.name.text),
                typed.span,
                "coordinates have rates up to the second here",
                "events may contain accelerations but not their rates",
            ));
        }
        if typed.content.is_constant() {
            self.scope.report(Diagnostic::error_with_help(
                codes::NOT_CONSTANT,
                format!("the event `{}` never happens", event.name.text),
                typed.span,
                "this does not change",
                "an event is where an expression in time, coordinates or speeds passes through 0",
            ));
        }
        self.events.push(Event {
            meta: meta(&event.name, item),
            value: typed.value,
            rising: event.direction != Some(EventDirection::Falling),
            falling: event.direction != Some(EventDirection::Rising),
        });
    }

    /// `drawing hull: box [a, b, c] at G in B, color orange`
    pub(super) fn drawing(&mut self, drawing: &ast::Drawing, item: &Item) {
        let color = drawing.color.as_ref();
        let color = color.map(|color| self.color(color));
        let shape = match &drawing.shape {
            ast::DrawnShape::Box { sizes, at, frame } => {
                let sizes = self.sizes(sizes, 3, "a box has three sizes", drawing.name.span);
                let at = self.place(at);
                let frame = self.scope.frame_named(&frame.text, frame.span);
                let (Some(sizes), Some(at), Some(frame)) = (sizes, at, frame) else {
                    return;
                };
                DrawnShape::Box { sizes, at, frame }
            }
            ast::DrawnShape::Cylinder { sizes, at, along } => {
                let title = "a cylinder has a radius and a height";
                let sizes = self.sizes(sizes, 2, title, drawing.name.span);
                let at = self.place(at);
                let along = self.scope.vector(along, "the axis of a cylinder");
                let (Some(sizes), Some(at), Some(along)) = (sizes, at, along) else {
                    return;
                };
                self.scope
                    .check_position(along.content, along.span, "a drawing");
                let along = along.value;
                DrawnShape::Cylinder { sizes, at, along }
            }
            ast::DrawnShape::Sphere { sizes, at } => {
                let sizes = self.sizes(sizes, 1, "a sphere has a radius", drawing.name.span);
                let (Some(sizes), Some(at)) = (sizes, self.place(at)) else {
                    return;
                };
                DrawnShape::Sphere { sizes, at }
            }
            ast::DrawnShape::Line(points) => {
                let found: Vec<Option<PointId>> = points.iter().map(|p| self.place(p)).collect();
                let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() else {
                    return;
                };
                if found.len() < 2 {
                    self.scope.report(Diagnostic::error_with_help(
                        codes::DRAWING,
                        "a line through one point",
                        drawing.name.span,
                        "no line",
                        "name at least two points: `line through P, Q`",
                    ));
                }
                DrawnShape::Line(found)
            }
        };
        self.drawings.push(Drawing {
            meta: meta(&drawing.name, item),
            shape,
            color: color.flatten(),
        });
    }

    fn place(&mut self, at: &Ref) -> Option<PointId> {
        self.scope.point_named(&at.text, at.span)
    }

    fn color(&mut self, color: &Ident) -> Option<String> {
        if let Some((_, screen)) = COLORS.iter().find(|(name, _)| *name == color.text) {
            return Some((*screen).to_owned());
        }
        let names = COLORS.iter().map(|(name, _)| *name);
        let near = suggest::closest(&color.text, names.clone());
        let all = names.collect::<Vec<_>>().join(", ");
        let help = match near {
            Some(near) => format!("did you mean `{near}`? The colours are {all}"),
            None => format!("the colours are {all}"),
        };
        let title = format!("unknown colour `{}`", color.text);
        let error = Diagnostic::error(codes::DRAWING, title, color.span, "no colour of a drawing");
        let error = error.help(help);
        self.scope.refuse(match near {
            Some(near) => error.write(near),
            None => error,
        })
    }

    /// As many constant lengths.
    fn sizes(
        &mut self,
        sizes: &[Expr],
        count: usize,
        title: &str,
        span: Span,
    ) -> Option<Vec<Scalar>> {
        if sizes.len() != count {
            let label = format!("this has {}", sizes.len());
            let help = "`box [a, b, c]`, lengths along the axes; `cylinder [r, h]`, radius and height; `sphere [r]`, radius";
            let wrong = Diagnostic::error(codes::DRAWING, title, span, label);
            return self.scope.refuse(wrong.help(help));
        }
        let sizes = sizes.iter().map(|size| self.size(size));
        sizes.collect::<Vec<_>>().into_iter().collect()
    }

    fn size(&mut self, size: &Expr) -> Option<Scalar> {
        let typed: Typed<Scalar> = self.scope.scalar(size, "a size")?;
        if !typed.content.is_constant() {
            self.scope.report(Diagnostic::error_with_help(
                codes::NOT_CONSTANT,
                "a size has to be constant",
                typed.span,
                "this varies",
                "only numbers and parameters are allowed here",
            ));
        }
        let value = typed.value.clone();
        let fits = self
            .scope
            .require(&typed, Dim::length(), "a size", Some(&value));
        fits.then_some(value)
    }
}
