//! `initial`: where a motion starts, for coordinates, their rates, speeds and states. Equations know nothing of it.

use std::collections::BTreeMap;

use super::Builder;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::resolve::{Typed, Value};
use crate::model::system::{Rational, Scalar};
use crate::span::Span;
use crate::syntax::ast::{Expr, InitialValue};
use crate::syntax::print;

/// What has an initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Coordinate(usize),
    Rate(usize),
    Speed(usize),
    State(usize),
}

/// The initial values of a model.
#[derive(Default)]
pub(super) struct Starts {
    /// Where each was stated.
    stated: BTreeMap<Of, Span>,
    /// The numbers of coordinates.
    numbers: BTreeMap<usize, Span>,
    speeds: BTreeMap<usize, Rational>,
}

impl Starts {
    /// Where the number of a coordinate stands.
    pub fn number_of(&self, i: usize) -> Option<Span> {
        self.numbers.get(&i).copied()
    }

    /// That of a declared speed.
    pub fn of_speed(&self, i: usize) -> Option<Rational> {
        self.speeds.get(&i).cloned()
    }
}

impl Builder<'_> {
    /// `initial q = 0.3, q' = 2 [rad/s]`
    pub(super) fn initial(&mut self, values: &[InitialValue]) {
        for InitialValue { of, value } in values {
            // A coordinate that is mentioned nowhere else is used by nothing.
            let used = self.scope.used.clone();
            let typed = self.scope.expr(of);
            self.scope.used = used;
            let Some(typed) = typed else { continue };
            let Some(thing) = self.started(of, &typed) else {
                continue;
            };
            let name = print::expression(of);
            let before = self.stated(thing);
            if let Some(before) = before {
                let title = format!("`{name}` has two initial values");
                let wrong = Diagnostic::error(codes::INITIAL, title, of.span, "stated again");
                let wrong = wrong.label(before, "first stated here");
                self.scope.report(wrong.help("leave one of them out"));
                continue;
            }
            self.starts.stated.insert(thing, of.span);
            let help =
                "state a number here; `eomgen simulate --initial` takes expressions in parameters";
            let Some(number) = self.number(&name, value, &typed.dim, ["an initial value", help])
            else {
                continue;
            };
            match thing {
                Of::Coordinate(i) => {
                    self.coords[i].initial = Some(number);
                    self.starts.numbers.insert(i, value.span);
                }
                Of::Rate(i) => self.coords[i].initial_rate = Some(number),
                Of::State(i) => self.states[i].initial = Some(number),
                Of::Speed(i) => {
                    self.starts.speeds.insert(i, number);
                }
            }
        }
    }

    /// The value of `x'` is that of a speed declared as `x'`, which is what the state holds.
    pub(super) fn initial_rates_of_speeds(&mut self) {
        for i in 0..self.scope.speeds.len() {
            let Some(Scalar::Rate(inner)) = self.scope.speeds[i].as_ref().map(|s| &s.value) else {
                continue;
            };
            let Scalar::Coord(id) = **inner else { continue };
            let coordinate = id.index();
            let Some(rate) = self.coords[coordinate].initial_rate.clone() else {
                continue;
            };
            let stated = &self.starts.stated;
            match (stated.get(&Of::Speed(i)), stated.get(&Of::Rate(coordinate))) {
                (Some(own), Some(of_rate)) if self.starts.of_speed(i) != Some(rate.clone()) => {
                    let name = &self.declared.speeds[i].name.text;
                    let title = format!("`{name}` has two initial values");
                    let label = "the rate that it is has one, too";
                    let wrong = Diagnostic::error(codes::INITIAL, title, *own, label);
                    let wrong = wrong.label(*of_rate, "stated here");
                    self.scope.report(wrong.help("leave one of them out"));
                }
                _ => {
                    self.starts.speeds.insert(i, rate);
                    self.coords[coordinate].initial_rate = None;
                }
            }
        }
    }

    /// Where it has got an initial value before.
    fn stated(&self, thing: Of) -> Option<Span> {
        let own = match thing {
            Of::Coordinate(i) => self.declared.coords[i].value.map(|v| v.span),
            Of::State(i) => self.declared.states[i].value.map(|v| v.span),
            _ => None,
        };
        own.or_else(|| self.starts.stated.get(&thing).copied())
    }

    /// What it is that starts somewhere; said if it is nothing that does.
    fn started(&mut self, of: &Expr, typed: &Typed<Value>) -> Option<Of> {
        let help = match &typed.value {
            Value::Scalar(Scalar::Coord(id)) => return Some(Of::Coordinate(id.index())),
            Value::Scalar(Scalar::State(id)) => return Some(Of::State(id.index())),
            Value::Scalar(Scalar::Speed(id)) => return Some(Of::Speed(id.index())),
            Value::Scalar(Scalar::Rate(inner)) => match &**inner {
                Scalar::Coord(id) => return Some(Of::Rate(id.index())),
                Scalar::State(_) => {
                    "the rate of a state has a statement of its own: `rate i = ...`".to_owned()
                }
                _ => "accelerations and the rates of speeds follow from the equations of motion"
                    .to_owned(),
            },
            Value::Scalar(Scalar::Param(_)) => {
                let name = print::expression(of);
                format!("a parameter has a value in its declaration: `param {name} = 1`")
            }
            Value::Scalar(Scalar::Input(_)) => {
                let name = print::expression(of);
                format!(
                    "inputs are supplied at every evaluation, as by `eomgen simulate --input {name}=1`"
                )
            }
            Value::Scalar(Scalar::Time) => {
                "time is supplied at every evaluation; leave it out here".to_owned()
            }
            Value::Scalar(_) => {
                "give it a name with `speed`, or state the coordinates and rates in it".to_owned()
            }
            _ => "state the coordinates and speeds by which it is placed and moves".to_owned(),
        };
        let title = "an initial value belongs to a coordinate, the rate of one, a speed or a state";
        let wrong = Diagnostic::error(codes::INITIAL, title, typed.span, "this is none of them");
        self.scope.report(wrong.help(help));
        None
    }
}
