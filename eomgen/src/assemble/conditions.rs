//! The conditions under which outputs fail: every divisor in the program that is not certain to be
//! nonzero, every pivot, every argument outside of its function's domain, every use of a rank-revealing routine.

use super::activity::{self, Need};
use super::{Output, Work};
use crate::explain::readable;
use crate::ir::{Binary, Check, Comparison, Graph, Op, RoutineKind, Unary, Value};
use crate::lower::DomainKind;
use crate::model::system::Sign;
use crate::sym::Expr;
use std::collections::{BTreeMap, BTreeSet};

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// `sin(theta) = 0`
    pub text: String,
    /// What it means.
    pub note: String,
    /// The value that must not vanish and what it is compared with; `None` for routines.
    pub value: Option<(Value, Option<Value>)>,
    /// The divisors that this condition speaks for.
    pub guards: Vec<Value>,
}

impl Work<'_> {
    /// A pivot that must not vanish.
    pub(super) fn pivot_condition(
        &mut self,
        value: Value,
        scale: Option<Value>,
        text: String,
        note: &str,
    ) {
        if self.low.graph.as_rational(value).is_none() {
            let divisor = bare(&self.low.graph, value);
            self.condition_on(value, || (text, note.into(), scale), &[value, divisor]);
        }
    }

    /// A value that must not vanish for a divisor not to. The divisor serves all branches of what is chosen by it.
    pub(super) fn divisor_condition(
        &mut self,
        value: Value,
        divisor: Value,
        text: String,
        note: &str,
    ) {
        self.condition_on(value, || (text, note.into(), None), &[divisor]);
        self.decided.push(value);
    }

    /// A value that must not vanish, relative to a scale, for a divisor to do its work.
    pub(super) fn condition_for(
        &mut self,
        value: Value,
        divisor: Value,
        scale: Option<Value>,
        text: String,
        note: &str,
    ) {
        self.condition_on(value, || (text, note.into(), scale), &[divisor]);
    }

    /// Factors of a determinant that speak for all pivots of its elimination.
    pub(super) fn determinant_conditions(&mut self, factors: &[Expr], pivots: &[Value]) {
        for f in factors {
            let value = self.low.lower(&self.c.alg, f);
            let scale = self.low.scale(&self.c.alg, f);
            let text = format!("{} = 0", self.readable(f));
            let note = "the mass matrix is singular there".to_string();
            self.condition_on(value, || (text, note, scale), pivots);
        }
    }

    /// Adds guards to the condition on a value, which is made if there is none.
    fn condition_on(
        &mut self,
        value: Value,
        new: impl FnOnce() -> (String, String, Option<Value>),
        guards: &[Value],
    ) {
        let known = |c: &&mut Condition| c.value.is_some_and(|v| v.0 == value);
        if let Some(c) = self.conditions.iter_mut().find(known) {
            c.guards.extend(guards);
            return;
        }
        let (text, note, scale) = new();
        self.conditions.push(Condition {
            text,
            note,
            value: Some((value, scale)),
            guards: guards.to_vec(),
        });
    }

    /// The number of a routine's condition.
    pub(super) fn routine_condition(&mut self, kind: RoutineKind) -> u32 {
        let (text, note) = match kind {
            RoutineKind::Constrained { .. } => (
                "the constraints contradict one another, or the mass matrix is singular on their null space",
                "found by a rank-revealing elimination at run time",
            ),
            RoutineKind::MinimumNorm { .. } => (
                "linear equations of minimum norm contradict one another",
                "found at run time, where a step onto the constraints or their multipliers are sought",
            ),
        };
        if let Some(i) = self.conditions.iter().position(|c| c.text == text) {
            return i as u32;
        }
        self.conditions.push(Condition {
            text: text.into(),
            note: note.into(),
            value: None,
            guards: Vec::new(),
        });
        (self.conditions.len() - 1) as u32
    }

    /// Turns recorded divisors into conditions and attaches them to the outputs that divide by them.
    pub(super) fn collect_conditions(&mut self, outputs: &mut [Output]) {
        let certified: Vec<Expr> = self
            .solution
            .as_ref()
            .map(|s| s.certified.clone())
            .unwrap_or_default();
        let mut at = 0;
        // Lowering a scale may record further divisors.
        while at < self.low.divisors.len() {
            let (e, value) = self.low.divisors[at].clone();
            at += 1;
            let known = certified.iter().any(|c| *c == e || *c == -&e);
            if known || self.c.alg.is_nonzero(&e) {
                continue;
            }
            let scale = self.low.scale(&self.c.alg, &e);
            let text = format!("{} = 0", self.readable(&e));
            let note = self.c.speeds.blindness(&self.c.alg, self.c.system, &e);
            self.condition_on(value, || (text, note.unwrap_or_default(), scale), &[value]);
        }
        let domains = self.collect_domains();
        for o in outputs.iter_mut() {
            let roots = [o.body.outputs.as_slice(), &o.needs].concat();
            o.body.checks = self.checks_for(&roots, &domains);
        }
        // What only a branch needs says so, and is no danger elsewhere.
        let roots: Vec<Value> = outputs
            .iter()
            .flat_map(|o| o.body.outputs.clone())
            .collect();
        for check in self.checks_for(&roots, &domains) {
            if let Some(c) = self.conditions.get_mut(check.condition as usize)
                && c.value.is_some_and(|v| v.0 != check.value)
            {
                c.value = Some((check.value, check.scale));
                c.note = "in a branch of an `if`, where that counts".to_string();
            }
        }
    }

    /// Conditions for arguments that may leave the domain of their function: the value of the
    /// application with the number of its condition. What is checked is 0 outside of the domain.
    fn collect_domains(&mut self) -> Vec<(Value, u32)> {
        let mut list: Vec<(Value, u32)> = Vec::new();
        for d in self.low.domains.clone() {
            let alg = &mut self.c.alg;
            let certain = match d.kind {
                DomainKind::NonNegative => alg.is_nonnegative(&d.argument),
                DomainKind::Positive => matches!(alg.sign(&d.argument), Some(Sign::Positive)),
                DomainKind::UnitInterval | DomainKind::InsideUnit | DomainKind::AboveOne => false,
            };
            if certain || self.low.graph.as_rational(d.value).is_some() {
                continue;
            }
            let shown = self.readable(&d.argument);
            let text = match d.kind {
                DomainKind::NonNegative => format!("{shown} < 0"),
                DomainKind::Positive => format!("{shown} <= 0"),
                DomainKind::UnitInterval => format!("abs({shown}) > 1"),
                DomainKind::InsideUnit => format!("abs({shown}) >= 1"),
                DomainKind::AboveOne => format!("{shown} < 1"),
            };
            let known = self.conditions.iter().position(|c| c.text == text);
            let at = known.unwrap_or(self.conditions.len());
            if known.is_none() {
                let graph = &mut self.low.graph;
                let (zero, one) = (graph.zero(), graph.one());
                let value = match d.kind {
                    DomainKind::NonNegative => {
                        graph.select(Comparison::Less, d.value, zero, zero, one)
                    }
                    DomainKind::Positive => graph.binary(Binary::Max, d.value, zero),
                    DomainKind::UnitInterval => {
                        let size = graph.unary(Unary::Abs, d.value);
                        graph.select(Comparison::Greater, size, one, zero, one)
                    }
                    DomainKind::InsideUnit => {
                        let size = graph.unary(Unary::Abs, d.value);
                        let rest = graph.sub(one, size);
                        graph.binary(Binary::Max, rest, zero)
                    }
                    DomainKind::AboveOne => graph.select(Comparison::Less, d.value, one, zero, one),
                };
                self.conditions.push(Condition {
                    text,
                    note: "outside of the domain of a root, power, logarithm, arc or area function"
                        .into(),
                    value: Some((value, None)),
                    guards: Vec::new(),
                });
            }
            list.push((d.result, at as u32));
        }
        list
    }

    /// An expression with short definitions written out, in the model's notation.
    pub(super) fn readable(&mut self, e: &Expr) -> String {
        let e = readable(&mut self.c.alg, e);
        self.c.alg.text(&e)
    }

    /// How far every condition is from failing: 0 fails. `None` if no condition has a value.
    pub(super) fn closeness(&mut self) -> Option<(Vec<String>, Vec<Value>)> {
        let with_value: Vec<(String, Value, Option<Value>)> = self
            .conditions
            .iter()
            .filter_map(|c| c.value.map(|(v, s)| (c.text.clone(), v, s)))
            .collect();
        if with_value.is_empty() {
            return None;
        }
        let g = &mut self.low.graph;
        let zero = g.zero();
        let (mut labels, mut values) = (Vec::new(), Vec::new());
        for (text, v, scale) in with_value {
            let size = g.unary(Unary::Abs, v);
            labels.push(text);
            values.push(match scale {
                None => size,
                Some(s) => {
                    let s = g.unary(Unary::Abs, s);
                    let ratio = g.div(size, s);
                    g.select(Comparison::Greater, s, zero, ratio, zero)
                }
            });
        }
        Some((labels, values))
    }

    fn checks_for(&mut self, roots: &[Value], domains: &[(Value, u32)]) -> Vec<Check> {
        let graph = &mut self.low.graph;
        let needs = activity::needs(graph, roots);
        let mut below: BTreeMap<Value, Need> = BTreeMap::new();
        for (v, need) in &needs {
            let Op::Binary(Binary::Div, _, d) = graph.op(*v) else {
                continue;
            };
            for factor in factors(graph, &[*d]) {
                let both = match below.get(&factor) {
                    Some(known) => known.or(*need, graph),
                    None => *need,
                };
                below.insert(factor, both);
            }
        }
        let either =
            |graph: &mut Graph, list: Vec<Need>| list.into_iter().reduce(|a, b| a.or(b, graph));
        let mut checks: Vec<(bool, Check)> = Vec::new();
        for (i, c) in self.conditions.iter().enumerate() {
            let Some((value, scale)) = c.value else {
                continue;
            };
            let results = domains.iter().filter(|(_, at)| *at == i as u32);
            let applies = results.filter_map(|(result, _)| needs.get(result).copied());
            let applies = either(graph, applies.collect());
            let divides = c.guards.iter().filter_map(|g| below.get(g).copied());
            let divides = either(graph, divides.collect());
            let need = match (applies, divides) {
                (Some(a), Some(b)) => a.or(b, graph),
                (Some(need), None) | (None, Some(need)) => need,
                (None, None) => continue,
            };
            let need = if self.decided.contains(&value) {
                Need::Always
            } else {
                need
            };
            let check = Check {
                value: need.guard(value, graph),
                scale: scale.map(|s| need.guard(s, graph)),
                condition: i as u32,
            };
            checks.push((applies.is_none(), check));
        }
        // Domains first: what is divided by may be no number outside of them.
        checks.sort_by_key(|c| c.0);
        checks.into_iter().map(|c| c.1).collect()
    }
}

/// What is divided by where the quotient by a value is folded: signs and numbers move to the numerator.
fn bare(graph: &Graph, value: Value) -> Value {
    let mut at = value;
    loop {
        at = match *graph.op(at) {
            Op::Unary(Unary::Neg, a) => a,
            Op::Binary(Binary::Mul, a, b) if graph.as_rational(a).is_some() => b,
            Op::Binary(Binary::Mul, a, b) if graph.as_rational(b).is_some() => a,
            _ => return at,
        };
    }
}

/// The denominators and the factors they are products of.
fn factors(graph: &Graph, denominators: &[Value]) -> BTreeSet<Value> {
    let mut set = BTreeSet::new();
    let mut stack: Vec<Value> = denominators.to_vec();
    while let Some(v) = stack.pop() {
        if !set.insert(v) {
            continue;
        }
        match graph.op(v) {
            Op::Binary(Binary::Mul, a, b) => stack.extend([*a, *b]),
            Op::Unary(Unary::Neg, a) => stack.push(*a),
            _ => {}
        }
    }
    set
}
