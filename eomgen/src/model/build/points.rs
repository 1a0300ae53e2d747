//! Points.

use super::{Builder, meta};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::resolve::Value;
use crate::model::system::Vector;

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
        self.scope.check_position(
            typed.content,
            typed.span,
            &format!("the point `{}`", decl.name.text),
        );
        let id = self
            .scope
            .add_point(meta(decl.name, decl.item), base, offset, typed.content);
        // The origin is the first of all.
        self.scope.points[index + 1] = id;
    }
}
