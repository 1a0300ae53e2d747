//! Which conditions each output checks: those on what it divides by, and on the arguments of its functions.

use super::activity::{self, Need};
use super::conditions::{Condition, bare};
use super::outputs::Output;
use super::solved::Presuming;
use super::writer::{Writer, forms};
use super::{poles, rounding};
use crate::ir::{Binary, Check, Comparison, Function, Graph, Op, Unary, Value};
use crate::lower::DomainKind;
use crate::model::system::Sign;
use crate::sym::Expr;
use crate::textbook::Forms;
use std::collections::{BTreeMap, BTreeSet};

/// Turns recorded divisors into conditions and attaches them to the outputs that divide by them.
pub(super) fn collect(
    w: &mut Writer<'_>,
    certified: &[Expr],
    presuming: Option<&Presuming>,
    outputs: &mut [Output],
) {
    let mut at = 0;
    let forms = forms();
    // Lowering a scale may record further divisors.
    while at < w.low.divisors.len() {
        let (e, value) = w.low.divisors[at].clone();
        at += 1;
        let known = certified.iter().any(|c| *c == e || *c == -&e);
        if known || w.c.alg.is_nonzero(&e) {
            continue;
        }
        w.conditions.multiplied_out |= w.c.alg.is_closed() && w.c.alg.hides_powers(&e);
        let text = format!("{} = 0", w.readable_among(&e, &forms));
        // Where a pivot that vanishes with it stands for it already, that is checked.
        let known = w.conditions.list.iter_mut().find(|c| c.text == text);
        let guards = [value, bare(&w.low.graph, value)];
        if let Some(known) = known.filter(|c| c.value.is_some_and(|v| v.0 != value)) {
            known.guards.extend(guards);
            continue;
        }
        let scale = rounding::scale(w, value);
        let note = w.c.speeds.blindness(&w.c.alg, w.c.system, &e);
        let note = note.unwrap_or_default();
        let condition = Condition::new(value, scale, text, &note, guards.to_vec());
        w.conditions.add(condition);
        factors_that_vanish(w, value, &guards);
    }
    poles::widen(w, outputs);
    let domains = collect_domains(w, &forms);
    let by_routine = made_by_routines(&w.low.graph);
    for o in outputs.iter_mut() {
        let roots = [o.body.outputs.as_slice(), &o.needs].concat();
        o.body.checks = checks_for(w, &roots, &domains, &by_routine);
    }
    if let Some(presuming) = presuming {
        add_quick(w, presuming, outputs, (&domains, &by_routine));
    }
    // What only a branch needs says so, and is no danger elsewhere.
    let roots: Vec<Value> = outputs
        .iter()
        .flat_map(|o| o.body.outputs.clone())
        .collect();
    for check in checks_for(w, &roots, &domains, &by_routine) {
        if let Some(c) = w.conditions.list.get_mut(check.condition as usize)
            && c.value.is_some_and(|v| v.0 != check.value)
        {
            c.value = Some((check.value, check.scale));
            c.note = "in a branch of an `if`, if it is taken".to_string();
        }
    }
    drop_unused(&mut w.conditions.list, outputs, false);
}

/// Gives what depends on the accelerations the same values by quicker ones.
fn add_quick(
    w: &mut Writer<'_>,
    presuming: &Presuming,
    outputs: &mut [Output],
    (domains, by_routine): (&[(Value, u32)], &[bool]),
) {
    let roots: Vec<Value> = outputs
        .iter()
        .flat_map(|o| o.body.outputs.iter().copied())
        .collect();
    let moved = w.low.graph.replaced(&presuming.quick, &roots);
    let new = |v: &Value| moved.get(v).copied().unwrap_or(*v);
    for o in outputs.iter_mut() {
        let values: Vec<Value> = o.body.outputs.iter().map(new).collect();
        if values == o.body.outputs {
            continue;
        }
        let needs = o.needs.iter().copied();
        let roots: Vec<Value> = values.iter().copied().chain(needs).collect();
        o.quick = Some(Function {
            name: o.body.name.clone(),
            checks: checks_for(w, &roots, domains, by_routine),
            outputs: values,
        });
    }
}

/// Conditions on coordinates that a divisor has as factors, where configuration constraints determine them.
fn factors_that_vanish(w: &mut Writer<'_>, divisor: Value, guards: &[Value]) {
    for found in rounding::vanishing(w, divisor) {
        let (value, scale) = (found.value, Some(found.scale));
        let of_own = |c: &&mut Condition| c.value.is_some_and(|v| v.0 == value);
        if let Some(known) = w.conditions.list.iter_mut().find(of_own) {
            known.value = Some((value, scale));
            known.guards.extend(guards);
            continue;
        }
        let text = format!("{} = 0", w.c.system.coords[found.coordinate].meta.name);
        let condition = Condition::new(value, scale, text, "", guards.to_vec());
        w.conditions.add(condition);
    }
}

/// Leaves out the conditions on values that no output checks: what was divided by on the way to a result may have cancelled, or another condition
/// speaks for it. Those without a value are of routines; they go where `all` that is unused does.
pub(super) fn drop_unused(conditions: &mut Vec<Condition>, outputs: &mut [Output], all: bool) {
    let bodies = outputs
        .iter()
        .flat_map(|o| [Some(&o.body), o.quick.as_ref()]);
    let checked = bodies.flatten().flat_map(|body| &body.checks);
    let mut checked: BTreeSet<u32> = checked.map(|check| check.condition).collect();
    checked.extend(outputs.iter().filter_map(|o| o.routine_condition));
    let mut places: BTreeMap<u32, u32> = BTreeMap::new();
    let mut at = 0;
    conditions.retain(|condition| {
        let keep = condition.value.is_none() && !all || checked.contains(&at);
        if keep {
            places.insert(at, places.len() as u32);
        }
        at += 1;
        keep
    });
    let moved = |index: &mut u32| {
        if let Some(place) = places.get(index) {
            *index = *place;
        }
    };
    for o in outputs {
        let bodies = [Some(&mut o.body), o.quick.as_mut()].into_iter().flatten();
        let checks = bodies.flat_map(|body| &mut body.checks);
        let checks = checks.map(|check| &mut check.condition);
        checks.chain(&mut o.routine_condition).for_each(moved);
    }
}

/// Conditions for arguments that may leave the domain of their function: the value of the
/// application with the number of its condition. What is checked is 0 outside of the domain.
fn collect_domains(w: &mut Writer<'_>, forms: &Forms) -> Vec<(Value, u32)> {
    let mut list: Vec<(Value, u32)> = Vec::new();
    for d in w.low.domains.clone() {
        let alg = &mut w.c.alg;
        let certain = match d.kind {
            DomainKind::NonNegative => alg.is_nonnegative(&d.argument),
            DomainKind::Positive => matches!(alg.sign(&d.argument), Some(Sign::Positive)),
            DomainKind::UnitInterval | DomainKind::InsideUnit | DomainKind::AboveOne => false,
        };
        if certain || w.low.graph.as_rational(d.value).is_some() {
            continue;
        }
        let shown = w.readable_among(&d.argument, forms);
        let text = match d.kind {
            DomainKind::NonNegative => format!("{shown} < 0"),
            DomainKind::Positive => format!("{shown} <= 0"),
            DomainKind::UnitInterval => format!("abs({shown}) > 1"),
            DomainKind::InsideUnit => format!("abs({shown}) >= 1"),
            DomainKind::AboveOne => format!("{shown} < 1"),
        };
        let known = w.conditions.list.iter().position(|c| c.text == text);
        let at = known.unwrap_or(w.conditions.list.len());
        if known.is_none() {
            let graph = &mut w.low.graph;
            let (zero, one) = (graph.zero(), graph.one());
            let value = match d.kind {
                DomainKind::NonNegative => graph.select(Comparison::Less, d.value, zero, zero, one),
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
            w.conditions.list.push(Condition {
                text,
                note: "outside the domain of a root, power, logarithm, inverse trigonometric or inverse hyperbolic function"
                    .into(),
                value: Some((value, None)),
                guards: Vec::new(),
            });
        }
        list.push((d.result, at as u32));
    }
    list
}

/// How far every condition is from failing: 0 fails. `None` if no condition has a value.
pub(super) fn closeness(w: &mut Writer<'_>) -> Option<(Vec<String>, Vec<Value>)> {
    let with_value: Vec<(String, Value, Option<Value>)> = w
        .conditions
        .list
        .iter()
        .filter_map(|c| c.value.map(|(v, s)| (c.text.clone(), v, s)))
        .collect();
    if with_value.is_empty() {
        return None;
    }
    let g = &mut w.low.graph;
    let zero = g.zero();
    let (mut labels, mut values) = (Vec::new(), Vec::new());
    for (text, v, scale) in with_value {
        let size = g.unary(Unary::Abs, v);
        labels.push(text);
        // What nothing cancels in is compared with 0, and with nothing here.
        let scale = scale.filter(|s| *s != zero);
        values.push(match scale {
            None => size,
            Some(s) => {
                let s = g.unary(Unary::Abs, s);
                let ratio = g.div(size, s);
                // What is no number because a divisor before it vanishes is as close as can be, and so is what is nothing of nothing.
                let measured = if g.as_rational(ratio).is_some() {
                    s
                } else {
                    ratio
                };
                g.select(Comparison::Greater, measured, zero, ratio, zero)
            }
        });
    }
    Some((labels, values))
}

fn checks_for(
    w: &mut Writer<'_>,
    roots: &[Value],
    domains: &[(Value, u32)],
    by_routine: &[bool],
) -> Vec<Check> {
    let graph = &mut w.low.graph;
    let needs = activity::needs(graph, roots);
    let mut below: BTreeMap<Value, Need> = BTreeMap::new();
    for (v, need) in &needs {
        let used = match graph.op(*v) {
            Op::Binary(Binary::Div, _, d) => factors(graph, &[*d]),
            Op::Routine { .. } => BTreeSet::from([*v]),
            _ => continue,
        };
        for guarded in used {
            let both = match below.get(&guarded) {
                Some(known) => known.or(*need, graph),
                None => *need,
            };
            below.insert(guarded, both);
        }
    }
    let either =
        |graph: &mut Graph, list: Vec<Need>| list.into_iter().reduce(|a, b| a.or(b, graph));
    let mut results: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
    for (result, at) in domains {
        results.entry(*at).or_default().push(*result);
    }
    let mut checks: Vec<((bool, bool), Check)> = Vec::new();
    for (i, c) in w.conditions.list.iter().enumerate() {
        let Some((value, scale)) = c.value else {
            continue;
        };
        let results = results.get(&(i as u32)).into_iter().flatten();
        let applies = results.filter_map(|result| needs.get(result).copied());
        let applies = either(graph, applies.collect());
        let divides = c.guards.iter().filter_map(|g| below.get(g).copied());
        let divides = either(graph, divides.collect());
        let need = match (applies, divides) {
            (Some(a), Some(b)) => a.or(b, graph),
            (Some(need), None) | (None, Some(need)) => need,
            (None, None) => continue,
        };
        let need = if w.conditions.decided.contains(&value) {
            Need::Always
        } else {
            need
        };
        let check = Check {
            value: need.guard(value, graph),
            scale: scale.map(|s| need.guard(s, graph)),
            condition: i as u32,
        };
        let last = by_routine.get(value.index()) == Some(&true);
        checks.push(((last, applies.is_none()), check));
    }
    // Domains first: what is divided by may be no number outside of them. And nothing is said of a routine whose operands may be none.
    checks.sort_by_key(|c| c.0);
    checks.into_iter().map(|c| c.1).collect()
}

/// Whether each value of a graph is made of what a numerical routine returns; nothing of a graph without routines.
fn made_by_routines(graph: &Graph) -> Vec<bool> {
    let is_routine = |v: Value| matches!(graph.op(v), Op::Routine { .. });
    if !graph.values().any(is_routine) {
        return Vec::new();
    }
    let mut made: Vec<bool> = Vec::with_capacity(graph.len());
    for value in graph.values() {
        let mut operands = graph.op(value).operands();
        made.push(is_routine(value) || operands.any(|v| made[v.index()]));
    }
    made
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
