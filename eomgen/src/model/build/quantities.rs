//! Parameters, coordinates, inputs and functions: units, defaults, signs.

use super::collect::{Quantity, has_unit};
use super::states::Unfinished;
use super::{Builder, meta, sign_of};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::names::Thing;
use crate::model::number::{number_text, pi_approximation};
use crate::model::resolve::{FunctionFacts, Typed, exact, is_zero, rational};
use crate::model::system::{
    Assumption, Coord, CoordId, Function, Input, Meta, Param, ParamId, Rational, Scalar, Sign,
    StateId,
};
use crate::model::units::{DimExpr, si_text};
use crate::span::Span;
use crate::syntax::ast::{Expr, Ident, Item, Relation, UnitExpr};
use crate::syntax::print;
use num_traits::{Signed, Zero};

impl Builder<'_> {
    /// Makes the entries of all quantities and functions, with their declared units.
    pub(super) fn declare_quantities(&mut self) {
        for quantity in self.declared.params.clone() {
            let (meta, dim) = self.quantity_meta(&quantity);
            self.scope.params.push(dim);
            self.params.push(Param {
                meta,
                sign: None,
                default: None,
            });
        }
        for quantity in self.declared.coords.clone() {
            let (meta, dim) = self.quantity_meta(&quantity);
            self.scope.coords.push(dim);
            self.scope.used.push(false);
            self.coords.push(Coord {
                meta,
                sign: None,
                initial: None,
                initial_rate: None,
                mount: None,
            });
        }
        for quantity in self.declared.states.clone() {
            let (meta, dim) = self.quantity_meta(&quantity);
            self.scope.states.push(dim);
            self.states.push(Unfinished {
                meta,
                initial: None,
                sign: None,
                rate: None,
            });
        }
        for quantity in self.declared.inputs.clone() {
            let (meta, dim) = self.quantity_meta(&quantity);
            self.scope.inputs.push(dim);
            self.inputs.push(Input { meta });
            if let Some(value) = quantity.value {
                self.scope.report(Diagnostic::error_with_help(
                    codes::DEFAULT,
                    format!("the input `{}` has a default", quantity.name.text),
                    value.span,
                    "inputs are supplied at every evaluation",
                    "use `param` for a fixed value",
                ));
            }
        }
        for function in self.declared.functions.clone() {
            let name = &function.signature.name;
            let (meta, dim) = self.declared_meta(name, function.unit, function.item);
            self.scope.functions.push(dim);
            self.functions.push(Some(Function {
                meta,
                args: Vec::new(),
                arg_names: Vec::new(),
            }));
        }
    }

    /// Data of a quantity with its unit, and the dimension of that.
    fn quantity_meta(&mut self, quantity: &Quantity<'_>) -> (Meta, DimExpr) {
        let (meta, dim) = self.declared_meta(quantity.name, quantity.unit, quantity.item);
        let shown = quantity.shown.map(|shown| shown.text.clone());
        (Meta { shown, ..meta }, dim)
    }

    /// Data of a declaration with its unit, and the dimension of that.
    fn declared_meta(
        &mut self,
        name: &Ident,
        unit: Option<&UnitExpr>,
        item: &Item,
    ) -> (Meta, DimExpr) {
        let (unit, dim) = self.declared_unit(name, unit);
        let meta = Meta {
            unit,
            ..meta(name, item)
        };
        (meta, dim)
    }

    /// The text and dimension of a declared unit, which has to be of SI size.
    fn declared_unit(
        &mut self,
        name: &Ident,
        unit: Option<&UnitExpr>,
    ) -> (Option<String>, DimExpr) {
        let Some(written) = unit else {
            return (None, self.scope.solver.unknown(Some(&name.text)));
        };
        // A line that declares several names gets one message about its unit.
        let known = self.scope.diagnostics.len();
        let Some(unit) = self.scope.unit(written) else {
            self.once(known);
            return (None, self.scope.unknown_dim());
        };
        if !unit.is_si() {
            let text = print::unit(written);
            self.scope.report(Diagnostic::error_with_help(
                codes::UNIT_NOT_SI,
                format!("quantities are in SI units, not in {text}"),
                written.span,
                "not a coherent SI unit",
                format!(
                    "declare it `: {}`; numbers may be written in {text}, such as `5 [{text}]`",
                    si_text(written)
                ),
            ));
            self.once(known);
        }
        (Some(print::unit(written)), unit.dim.into())
    }

    /// Drops the messages since `start` that were already there before.
    fn once(&mut self, start: usize) {
        let new = self.scope.diagnostics.split_off(start);
        for diagnostic in new {
            if !self.scope.diagnostics.contains(&diagnostic) {
                self.scope.report(diagnostic);
            }
        }
    }

    /// Arguments of a function: coordinates, speeds, parameters, inputs or time.
    pub(super) fn function(&mut self, index: usize) {
        let signature = self.declared.functions[index].signature;
        let args: Vec<_> = signature.args.iter().map(|a| self.argument(a)).collect();
        let Some(args) = args.into_iter().collect::<Option<Vec<_>>>() else {
            return;
        };
        let names: Vec<_> = signature.args.iter().map(|a| a.text.clone()).collect();
        if let Some(Some(function)) = self.functions.get_mut(index) {
            function.args = args.iter().map(|a| a.value.clone()).collect();
            function.arg_names.clone_from(&names);
        }
        if let Some(facts) = self.scope.function_args.get_mut(index) {
            *facts = Some(FunctionFacts { args, names });
        }
    }

    fn argument(&mut self, name: &Ident) -> Option<Typed<Scalar>> {
        let plain = |thing| {
            matches!(
                thing,
                Thing::Coord(_)
                    | Thing::Speed(_)
                    | Thing::State(_)
                    | Thing::Param(_)
                    | Thing::Input(_)
                    | Thing::Time
            )
        };
        match self.scope.names.get(&name.text).map(|s| s.thing) {
            Some(thing) if plain(thing) => {
                let typed = self.scope.name(&name.text, name.span)?;
                match &typed.value {
                    crate::model::resolve::Value::Scalar(s) => Some(typed.with(s.clone())),
                    _ => None,
                }
            }
            _ => {
                let nouns = [
                    "a coordinate, speed, state, parameter, input or `t`",
                    "argument",
                ];
                self.scope.misnamed(&name.text, name.span, nouns, plain)
            }
        }
    }

    /// Defaults, initial values and signs, once everything that they may mention is known.
    pub(super) fn defaults_and_signs(&mut self) {
        for (i, quantity) in self.declared.params.clone().into_iter().enumerate() {
            let dim = self.scope.params[i].clone();
            let value = self.default_value(&quantity, &dim, "a default");
            self.params[i].default = value;
            self.stated_sign(&quantity, Scalar::Param(ParamId(i as u32)), &dim);
        }
        for (i, quantity) in self.declared.coords.clone().into_iter().enumerate() {
            let dim = self.scope.coords[i].clone();
            let value = self.default_value(&quantity, &dim, "an initial value");
            if value.is_some() {
                self.coords[i].initial = value;
            }
            self.stated_sign(&quantity, Scalar::Coord(CoordId(i as u32)), &dim);
        }
        for (i, quantity) in self.declared.states.clone().into_iter().enumerate() {
            let dim = self.scope.states[i].clone();
            let value = self.default_value(&quantity, &dim, "an initial value");
            if value.is_some() {
                self.states[i].initial = value;
            }
            self.stated_sign(&quantity, Scalar::State(StateId(i as u32)), &dim);
        }
    }

    /// A default: a number, in the declared unit unless it has one.
    fn default_value(
        &mut self,
        quantity: &Quantity,
        dim: &DimExpr,
        what: &str,
    ) -> Option<Rational> {
        let help = "use `let` for a value that follows from others";
        self.number(&quantity.name.text, quantity.value?, dim, [what, help])
    }

    /// A number that something of this unit has, in that unit unless it has one of its own. With what it is called, and what helps
    /// if it is none.
    pub(super) fn number(
        &mut self,
        name: &str,
        expr: &Expr,
        dim: &DimExpr,
        [what, help]: [&str; 2],
    ) -> Option<Rational> {
        let typed = self.scope.scalar(expr, what)?;
        if has_unit(expr) && !self.scope.equate(&typed.dim, dim, expr.span) {
            let clash = Diagnostic::error(
                codes::UNIT_CLASH,
                format!(
                    "`{name}` is {}, its value is not",
                    self.scope.unit_phrase(dim)
                ),
                expr.span,
                format!("this is {}", self.scope.unit_phrase(&typed.dim)),
            );
            let clash = self.scope.explain_units(clash, &[dim]);
            self.scope.report(clash);
        }
        let value = approximate(&typed.value);
        if value.is_none() {
            self.scope.report(Diagnostic::error_with_help(
                codes::DEFAULT,
                format!("the value of `{name}` is not a number"),
                expr.span,
                "only numbers, `pi` and `+ - * / ^` are allowed here",
                help,
            ));
        }
        value
    }

    /// `> 0` after a declaration.
    fn stated_sign(&mut self, quantity: &Quantity, scalar: Scalar, dim: &DimExpr) {
        let Some((relation, bound)) = quantity.assume else {
            return;
        };
        let known = self.scope.diagnostics.len();
        let side = Typed::new(scalar, dim.clone(), Default::default(), quantity.name.span);
        let right = self.scope.scalar(bound, "a bound");
        if let Some(right) = right {
            let text = format!(
                "{} {} {}",
                quantity.name.text,
                relation.text(),
                print::expression(bound)
            );
            self.assume_sides(side, *relation, right, bound.span, text);
        }
        self.once(known);
    }

    /// `assume lhs > rhs`
    pub(super) fn assume(&mut self, lhs: &Expr, relation: Relation, rhs: &Expr, span: Span) {
        let left = self.scope.scalar(lhs, "a side of an assumption");
        let right = self.scope.scalar(rhs, "a side of an assumption");
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let text = format!(
            "{} {} {}",
            print::expression(lhs),
            relation.text(),
            print::expression(rhs)
        );
        self.assume_sides(left, relation, right, span, text);
    }

    fn assume_sides(
        &mut self,
        left: Typed<Scalar>,
        relation: Relation,
        right: Typed<Scalar>,
        span: Span,
        text: String,
    ) {
        let content = left.content.plus(right.content);
        let help = "the sign of a reaction follows from the motion; make it an output";
        if self
            .scope
            .refuse_reaction(content, span, "an assumption", help)
        {
            return;
        }
        let Some(sign) = sign_of(relation) else {
            self.scope.report(Diagnostic::error_with_help(codes::ASSUME, "an equation cannot be assumed", span, "assumptions are inequalities", "use `constraint` for an equation between coordinates, and a number for a fixed value"));
            return;
        };
        let plain = |s: &Typed<Scalar>| s.content.is_constant() && exact(&s.value).is_some();
        // In a model that names no units a bare bound says nothing about them.
        let bare = self.scope.unit_free && plain(&right) && self.scope.is_plain(&right.dim);
        if !bare {
            let title = "the sides of an assumption have different units";
            self.scope.same_unit(&left, &right, right.span, title);
        }
        if plain(&left) && plain(&right) {
            self.scope.report(Diagnostic::error(
                codes::ASSUME,
                "an assumption that contains only numbers",
                span,
                "nothing in it can vary",
            ));
            return;
        }
        let (value, sign) = against_zero(left.value, sign, right.value);
        let (known, value, quantity, started) = match value {
            Scalar::Param(id) => {
                let (p, declared) = (&mut self.params[id.index()], &self.declared.params);
                (&mut p.sign, &p.default, declared[id.index()], None)
            }
            Scalar::Coord(id) => {
                let (q, declared) = (&mut self.coords[id.index()], &self.declared.coords);
                let started = self.starts.number_of(id.index());
                (&mut q.sign, &q.initial, declared[id.index()], started)
            }
            value => {
                let state = match &value {
                    Scalar::State(id) => Some(id.index()),
                    _ => None,
                };
                self.assumptions.push(Assumption {
                    value,
                    sign,
                    span,
                    text,
                });
                let Some(index) = state else { return };
                let (i, declared) = (&mut self.states[index], &self.declared.states);
                (&mut i.sign, &i.initial, declared[index], None)
            }
        };
        *known = merge(*known, sign);
        let stated = quantity.value.map(|v| v.span).or(started);
        let value = value.as_ref().zip(stated);
        let wrong = conflict(&quantity, *known, value, span);
        self.scope.diagnostics.extend(wrong);
    }
}

/// `left SIGN right` as a value and its sign.
fn against_zero(left: Scalar, sign: Sign, right: Scalar) -> (Scalar, Sign) {
    if is_zero(&right) {
        (left, sign)
    } else if is_zero(&left) {
        (right, opposite(sign))
    } else {
        (left - right, sign)
    }
}

/// A number with pi to 50 decimals.
fn approximate(scalar: &Scalar) -> Option<Rational> {
    rational(scalar, &|leaf| {
        matches!(leaf, Scalar::Pi).then(pi_approximation)
    })
}

fn opposite(sign: Sign) -> Sign {
    match sign {
        Sign::Positive => Sign::Negative,
        Sign::NonNegative => Sign::NonPositive,
        Sign::Negative => Sign::Positive,
        Sign::NonPositive => Sign::NonNegative,
        Sign::NonZero => Sign::NonZero,
    }
}

/// Whether negative values, zero and positive values are allowed.
fn allowed(sign: Sign) -> [bool; 3] {
    match sign {
        Sign::Positive => [false, false, true],
        Sign::NonNegative => [false, true, true],
        Sign::Negative => [true, false, false],
        Sign::NonPositive => [true, true, false],
        Sign::NonZero => [true, false, true],
    }
}

/// Both at once; `None` if nothing, or only zero, satisfies both.
fn merge(known: Option<Sign>, new: Sign) -> Option<Sign> {
    let Some(known) = known else {
        return Some(new);
    };
    let (a, b) = (allowed(known), allowed(new));
    let both = [a[0] && b[0], a[1] && b[1], a[2] && b[2]];
    [
        Sign::Positive,
        Sign::NonNegative,
        Sign::Negative,
        Sign::NonPositive,
        Sign::NonZero,
    ]
    .into_iter()
    .find(|sign| allowed(*sign) == both)
}

/// A message if the assumptions contradict each other or the default.
fn conflict(
    quantity: &Quantity,
    sign: Option<Sign>,
    value: Option<(&Rational, Span)>,
    span: Span,
) -> Option<Diagnostic> {
    let name = &quantity.name.text;
    let Some(sign) = sign else {
        let title = format!("the assumptions about `{name}` leave no value or only 0");
        let wrong = Diagnostic::error(codes::ASSUME, title, span, "contradicts an earlier one");
        let bound = quantity.assume.map_or(quantity.name.span, |(_, b)| b.span);
        return Some(wrong.label(bound, format!("the earlier assumption about `{name}`")));
    };
    let (value, stated) = value?;
    let [negative, zero, positive] = allowed(sign);
    let fine = (value.is_negative() && negative)
        || (value.is_zero() && zero)
        || (value.is_positive() && positive);
    (!fine).then(|| {
        Diagnostic::error(
            codes::DEFAULT,
            format!("the value of `{name}` violates its assumptions"),
            stated,
            format!("the value is {}", number_text(value)),
        )
        .label(span, "assumed here")
    })
}
