//! `let`, `speed` and `output`: named values.

use super::{Builder, meta};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::resolve::{Typed, Value};
use crate::model::system::{Output, Quantity};
use crate::syntax::ast::{Expr, Ident, Item};

impl Builder<'_> {
    /// `let r = ...`
    pub(super) fn named_value(&mut self, index: usize) {
        let value = self.declared.lets[index].value;
        let value = self.quantity(value, "a `let`");
        self.scope.lets[index] = value;
    }

    /// A scalar or a vector.
    fn quantity(&mut self, expr: &Expr, what: &str) -> Option<Typed<Quantity>> {
        let typed = self.scope.expr(expr)?;
        match &typed.value {
            Value::Scalar(s) => Some(typed.with(Quantity::Scalar(s.clone()))),
            Value::Vector(v) => Some(typed.with(Quantity::Vector(v.clone()))),
            other => {
                let wrong = Diagnostic::error(
                    codes::WRONG_KIND,
                    format!("{what} is a scalar or a vector, not {}", other.text()),
                    typed.span,
                    format!("this is {}", other.text()),
                );
                self.scope.refuse(match other {
                    Value::Point(..) => wrong.help(
                        "declare a point with `point P = ...`; its position vector is `P - O`",
                    ),
                    _ => wrong.help("declare a frame with `frame B = rotate(...)`"),
                })
            }
        }
    }

    /// `speed u1 = ...`: linear in the rates of the coordinates.
    pub(super) fn speed(&mut self, index: usize) {
        let decl = self.declared.speeds[index];
        let Some(typed) = self.scope.scalar(decl.value, "a speed") else {
            return;
        };
        let content = typed.content;
        let name = &decl.name.text;
        let refuse = |title: String, label: &str, help: &str| {
            Some(Diagnostic::error(codes::SPEED, title, typed.span, label).help(help))
        };
        let help = "speeds are linear in the rates of the coordinates; reactions are allowed in loads and outputs";
        let what = format!("the speed `{name}`");
        let wrong = if self.scope.refuse_reaction(content, typed.span, &what, help) {
            None
        } else if content.speed {
            refuse(
                format!("the speed `{name}` is defined by another speed"),
                "this contains a declared speed",
                "define each speed by rates such as `x'` or components such as `dot(vel(P), B.x)`",
            )
        } else if content.order.is_some_and(|o| o > 1) {
            refuse(
                format!("the speed `{name}` depends on accelerations"),
                "this contains an acceleration",
                "speeds are linear in the rates of the coordinates",
            )
        } else if content.order != Some(1) {
            refuse(
                format!("the speed `{name}` contains no rate"),
                "no rate of a coordinate here",
                "a speed is linear in rates such as `x'`; use `let` for other values",
            )
        } else if content.input {
            refuse(
                format!("the speed `{name}` depends on {}", content.external()),
                "the equations would need its rate",
                "speeds are sums of rates times functions of coordinates and time; declare a `function` of time in place of an input",
            )
        } else if content.degree != Some(1) {
            refuse(
                format!("the speed `{name}` is not linear in the rates"),
                "not linear as written",
                "speeds are sums of rates times functions of coordinates and time",
            )
        } else {
            None
        };
        self.scope.diagnostics.extend(wrong);
        // Also a wrong one is known by its unit, so that its uses are checked.
        self.scope.speeds[index] = Some(typed);
    }

    /// `output height = ...`
    pub(super) fn output(&mut self, name: &Ident, value: &Expr, item: &Item) {
        let Some(typed) = self.quantity(value, "an output") else {
            return;
        };
        if typed.content.order.is_some_and(|o| o > 2) {
            self.scope.report(Diagnostic::error_with_help(
                codes::PRIME,
                format!("the output `{}` needs a third derivative", name.text),
                typed.span,
                "coordinates have rates up to the second here",
                "outputs may contain accelerations but not their rates",
            ));
        }
        let output = Output {
            meta: meta(name, item),
            value: typed.value,
        };
        self.outputs.push((output, typed.dim));
    }
}
