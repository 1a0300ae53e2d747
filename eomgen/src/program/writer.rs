//! What writes instructions: mechanics with its algebra, the graph that expressions are lowered to, and the conditions met on the way.
//! Knows nothing of what is written.

use super::conditions::{Condition, Conditions, shortened};
use crate::explain::readable;
use crate::form::Context;
use crate::ir::{RoutineKind, Slot, Sphere, Value};
use crate::lower::Lowering;
use crate::mech::mechanics::Mechanics;
use crate::mech::still::Still;
use crate::plan::group;
use crate::sym::{Expr, Var};
use crate::textbook::{Effort, Forms, statement};
use std::ops::Range;
use std::sync::Arc;

/// What the text of a condition is worth.
const OF_CONDITION: Effort = Effort {
    terms: 60,
    steps: 100,
    work: usize::MAX,
};

/// The tools of a derivation.
pub(super) struct Writer<'a> {
    pub c: Context<'a>,
    pub low: Lowering,
    pub conditions: Conditions,
}

impl<'a> Writer<'a> {
    /// With the inputs of the program, and the rates as functions of the state.
    pub fn new(c: Context<'a>) -> Self {
        let mut w = Self {
            low: Lowering::new(c.system.functions.len()),
            c,
            conditions: Conditions::default(),
        };
        w.declare_spheres();
        bind_given(&mut w.low, &w.c);
        w.bind_motion();
        w
    }

    /// Tells the graph of the quaternions that constraints keep at length 1.
    fn declare_spheres(&mut self) {
        let mechanics = self.mechanics();
        let (system, speeds) = (mechanics.system, &mechanics.speeds);
        let n = system.coords.len();
        let rate = |coordinate: usize| {
            let mut state = speeds.independent.iter();
            let at = state.position(|s| speeds.speeds[*s].coordinate == Some(coordinate));
            at.map(|at| slot(group::STATE, n + at))
        };
        for coords in system.unit_quaternions() {
            let parts = coords.map(|c| slot(group::STATE, c));
            let rates = match coords.map(rate) {
                [Some(a), Some(b), Some(c), Some(d)] => Some([a, b, c, d]),
                _ => None,
            };
            self.low.graph.declare_sphere(Sphere { parts, rates });
        }
    }

    /// The inputs that a state of the machine determines, each with what it is of time, parameters, coordinates and rates.
    pub fn inputs_of_a_state(&self) -> Vec<(Slot, Expr)> {
        let mechanics = self.mechanics();
        let (vars, speeds) = (&mechanics.vars, &mechanics.speeds);
        let n = vars.coords.len();
        let of = |vars: &[Var], group: u8| -> Vec<(Slot, Expr)> {
            let each = vars.iter().enumerate();
            each.map(|(i, v)| (slot(group, i), self.c.alg.var(*v)))
                .collect()
        };
        let mut known = of(&[vars.time], group::TIME);
        known.extend(of(&vars.params, group::PARAMS));
        known.extend(of(&vars.coords, group::STATE));
        let own = speeds.independent.iter().enumerate();
        known.extend(own.map(|(i, s)| {
            let definition = speeds.speeds[*s].definition.clone();
            (slot(group::STATE, n + i), definition)
        }));
        known
    }

    /// Where the states of first order begin in the state: after the speeds.
    pub fn first_state(&self) -> usize {
        self.c.system.coords.len() + self.c.speeds.independent.len()
    }

    fn bind_motion(&mut self) {
        let mechanics = self.mechanics();
        let (system, speeds) = (mechanics.system, &mechanics.speeds);
        let n = system.coords.len();
        for (i, s) in speeds.independent.iter().enumerate() {
            let var = speeds.speeds[*s].var;
            if !self.low.is_bound(var) {
                let value = self.low.graph.input(slot(group::STATE, n + i));
                self.low.bind(var, value);
            }
        }
        let first = self.first_state();
        for (i, v) in mechanics.vars.states.iter().enumerate() {
            let value = self.low.graph.input(slot(group::STATE, first + i));
            self.low.bind(*v, value);
        }
        for (i, rate) in speeds.motion.rate_values.iter().enumerate() {
            let var = mechanics.vars.rates[i];
            if !self.low.is_bound(var) {
                let value = self.lower(rate);
                let name = format!("{}_dot", system.coords[i].meta.name);
                self.low.graph.name(value, &name);
                self.low.bind(var, value);
            }
        }
        for (v, e) in mechanics.spins.iter().flat_map(|spins| &spins.definitions) {
            let value = self.lower(e);
            let name = self.c.alg.info(*v).name.clone();
            self.low.graph.name(value, &name);
            self.low.bind(*v, value);
        }
        for (s, e) in &speeds.motion.declared {
            if let Some(speed) = speeds.speeds.iter().find(|x| x.declared == Some(*s)) {
                self.bind(speed.var, e);
            }
        }
    }

    /// Writes something where coordinates stand still: with zeros in the place of what is zero. Nothing stays bound to what symbols mean there.
    pub fn standing<T>(&mut self, still: &Still, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.low.scope();
        if !still.is_empty() {
            self.low.forget();
            bind_given(&mut self.low, &self.c);
            let zero = self.low.graph.zero();
            still.symbols().for_each(|v| self.low.bind(v, zero));
            self.bind_motion();
        }
        let written = write(self);
        self.low.leave(outer);
        written
    }

    /// What mechanics makes of the model.
    pub fn mechanics(&self) -> Arc<Mechanics<'a>> {
        self.c.mechanics.clone()
    }

    /// The value of an expression.
    pub fn lower(&mut self, e: &Expr) -> Value {
        self.low.lower(&self.c.alg, e)
    }

    /// The values of several expressions.
    pub fn lower_all<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) -> Vec<Value> {
        self.low.lower_all(&self.c.alg, list)
    }

    /// The values of a matrix by rows.
    pub fn lower_rows(&mut self, rows: &[Vec<Expr>]) -> Vec<Vec<Value>> {
        rows.iter().map(|row| self.lower_all(row)).collect()
    }

    /// The values of symbols.
    pub fn values_of(&mut self, symbols: impl IntoIterator<Item = Var>) -> Vec<Value> {
        let value = |v| self.low.lower(&self.c.alg, &self.c.alg.var(v));
        symbols.into_iter().map(value).collect()
    }

    /// `sum + e x`
    pub fn add_product(&mut self, sum: Value, e: &Expr, x: Value) -> Value {
        if e.is_literal_zero() {
            return sum;
        }
        let e = self.lower(e);
        let product = self.low.graph.mul(e, x);
        self.low.graph.add(sum, product)
    }

    /// `sum - e x`
    pub fn less_product(&mut self, sum: Value, e: &Expr, x: Value) -> Value {
        if e.is_literal_zero() {
            return sum;
        }
        let e = self.lower(e);
        let product = self.low.graph.mul(e, x);
        self.low.graph.sub(sum, product)
    }

    /// Gives a symbol its value, unless it has one.
    pub fn bind(&mut self, v: Var, e: &Expr) {
        if !self.low.is_bound(v) {
            let value = self.lower(e);
            self.low.bind(v, value);
        }
    }

    /// The same with a value.
    pub fn bind_value(&mut self, v: Var, value: Value) {
        if !self.low.is_bound(v) {
            self.low.bind(v, value);
        }
    }

    /// Elements of what a routine returns.
    pub fn routine(
        &mut self,
        kind: RoutineKind,
        operands: &[Value],
        elements: Range<usize>,
    ) -> Vec<Value> {
        let graph = &mut self.low.graph;
        let routine = graph.routine(kind, operands);
        let element = |i| graph.element(routine, i as u32);
        elements.map(element).collect()
    }

    /// A pivot that must not vanish.
    pub fn pivot_condition(
        &mut self,
        value: Value,
        scale: Option<Value>,
        text: String,
        note: &str,
    ) {
        let graph = &self.low.graph;
        if graph.as_rational(value).is_none() {
            let guards = vec![value, super::conditions::bare(graph, value)];
            let condition = Condition::new(value, scale, text, note, guards);
            self.conditions.add(condition);
        }
    }

    /// A value that must not vanish, relative to a scale, for divisors to do their work.
    pub fn condition_for(
        &mut self,
        value: Value,
        divisors: Vec<Value>,
        scale: Option<Value>,
        text: String,
        note: &str,
    ) {
        let condition = Condition::new(value, scale, text, note, divisors);
        self.conditions.add(condition);
    }

    /// Factors that were divided by on the way, and that no result divides by.
    pub fn cancelled(&mut self, factors: &[Expr]) {
        for f in factors {
            let text = shortened(format!("{} = 0", self.readable(f)));
            if !self.conditions.cancelled.contains(&text) {
                self.conditions.cancelled.push(text);
            }
        }
    }

    /// An expression with short definitions written out, in the model's notation.
    pub fn readable(&mut self, e: &Expr) -> String {
        self.readable_among(e, &forms())
    }

    /// The same of one of many that may be alike.
    pub fn readable_among(&mut self, e: &Expr, forms: &Forms) -> String {
        let e = readable(&mut self.c.alg, e);
        let plain = self.c.alg.text(&e);
        match statement(&self.c.alg, &e, forms) {
            Some(printed) if printed.len() <= plain.len() => printed,
            _ => plain,
        }
    }
}

/// For the forms of conditions.
pub(super) fn forms() -> Forms {
    Forms::new(OF_CONDITION)
}

/// The names of the constraint rows.
pub(super) fn row_names(c: &Context<'_>) -> Vec<String> {
    let rows = c.constraints.rows.iter();
    rows.map(|r| r.name.clone()).collect()
}

/// An input of the program.
pub(super) fn slot(group: u8, index: usize) -> Slot {
    Slot {
        group,
        index: index as u32,
    }
}

/// Binds time, parameters, inputs and coordinates.
pub(super) fn bind_given(low: &mut Lowering, c: &Context<'_>) {
    let vars = &c.vars;
    let groups: [(u8, &[Var]); 4] = [
        (group::TIME, &[vars.time]),
        (group::PARAMS, &vars.params),
        (group::INPUTS, &vars.inputs),
        (group::STATE, &vars.coords),
    ];
    for (group, list) in groups {
        for (i, v) in list.iter().enumerate() {
            let value = low.graph.input(slot(group, i));
            low.bind(*v, value);
        }
    }
}
