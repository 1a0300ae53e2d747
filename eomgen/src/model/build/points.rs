//! Points.

use super::{Builder, meta};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::resolve::Value;
use crate::model::system::{Point, PointId, Vector};
use crate::span::Span;

impl Builder<'_> {
    /// `point P = O + x*N.x`
    pub(super) fn point(&mut self, index: usize) {
        let decl = self.declared.points[index];
        let Some(typed) = self.scope.expr(decl.value) else {
            return;
        };
        let (base, offset) = match &typed.value {
            Value::Point(base, offset) => (*base, offset.clone().unwrap_or(Vector::Zero)),
            other => {
                let wrong = Diagnostic::error(
                    codes::WRONG_KIND,
                    format!(
                        "`{}` has to be a point, not {}",
                        decl.name.text,
                        other.text()
                    ),
                    typed.span,
                    format!("this is {}", other.text()),
                );
                self.scope.report(match other {
                    Value::Vector(_) => {
                        wrong.help("say where the vector starts: `O + x*N.x + y*N.y`")
                    }
                    _ => wrong.help("a point is another point plus a vector: `O + x*N.x`"),
                });
                return;
            }
        };
        self.check_position(
            typed.content,
            typed.span,
            &format!("the point `{}`", decl.name.text),
        );
        let id = PointId(self.points.len() as u32);
        self.points.push(Point {
            meta: meta(decl.name, decl.item),
            offset: Some((base, offset)),
        });
        let name = decl.name.text.clone();
        self.scope
            .point_facts
            .push((name, position_only(typed.content)));
        // The origin is the first of all.
        self.scope.points[index + 1] = Some(id);
    }

    /// Positions and orientations depend on coordinates, parameters and time alone.
    pub(super) fn check_position(&mut self, content: Content, span: Span, what: &str) {
        if content.order.is_some_and(|o| o > 0) {
            self.scope.report(
                Diagnostic::error(
                    codes::POSITION,
                    format!("{what} depends on a rate or speed"),
                    span,
                    "a rate or speed is mentioned here",
                )
                .help("places depend on coordinates, parameters and time; state relations between rates with `constraint`"),
            );
        }
        let help = "places depend on coordinates, parameters and time; reactions stand in loads and outputs";
        self.scope.refuse_reaction(content, span, what, help);
        if content.input {
            self.scope.report(
                Diagnostic::error(
                    codes::POSITION,
                    format!("{what} depends on an input"),
                    span,
                    "the rates of an input are not known",
                )
                .help("declare a `function` of time instead: its rates are asked for"),
            );
        }
    }
}

/// After a message about a place its users are taken to depend on coordinates only.
pub(super) fn position_only(content: Content) -> Content {
    Content {
        order: content.order.map(|_| 0),
        speed: false,
        input: false,
        degree: Some(0),
        reactions: Some(0),
        joint: false,
        ..content
    }
}
