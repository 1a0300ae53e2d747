//! Large bodies in parts: the time that rustc takes for one function grows faster than its length, so a long one is a sequence of
//! private functions.
//!
//! A part ends where few values are needed later; these are handed on in an array. The limits are numbers of operations and
//! nothing else, so a body falls into the same parts everywhere. What is computed, and in which order, does not change.

use std::collections::{BTreeMap, BTreeSet};

use super::Writing;
use super::branches::Abreast;
use crate::emit::arrangement::{long, whole};
use crate::emit::error::EmitError;
use crate::emit::expr::Expr;
use crate::emit::module::Shape;
use crate::emit::tree::{Block, Target, Value as Expression};
use crate::ir::{Cost, Graph, Op, Value};

/// One of the private functions.
#[derive(PartialEq)]
pub struct Part {
    /// Its statements, without what it reads of arguments and earlier parts.
    pub block: Block,
    /// What it reads of the array of values that are handed on: name and place.
    pub carried: Vec<(String, usize)>,
    /// The names in it.
    names: BTreeSet<String>,
}

impl Part {
    fn new(block: Block, mut carried: Vec<(String, usize)>) -> Self {
        let names = block.names();
        carried.retain(|(name, _)| names.contains(name));
        Self {
            block,
            carried,
            names,
        }
    }

    /// Whether a name stands in it.
    pub fn uses(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// The parts of a body that is being written.
#[derive(Default)]
pub(super) struct Parts {
    /// The positions in the order of values after which a part ends.
    cuts: BTreeSet<usize>,
    /// The last position at which each value is used.
    last: BTreeMap<Value, usize>,
    /// How far the order has been written.
    position: usize,
    /// The values on their way, and their places in the array.
    carried: BTreeMap<Value, usize>,
    /// What the current part may read.
    readable: Vec<(String, usize)>,
    /// Places of the array.
    pub(super) places: usize,
    free: BTreeSet<usize>,
    pub(super) done: Vec<Part>,
    /// What the array is called.
    pub(super) work: String,
}

/// When a body is written in parts.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Whether it calls other functions.
    pub(super) calls: bool,
    /// Whether outputs are written to an array as soon as they are known.
    pub(super) fills: bool,
    /// Operations up to which it is written as a whole.
    pub(super) whole: usize,
    /// Operations of a long function.
    pub(super) long: usize,
}

/// Brings what a call or a routine yields right behind it.
pub(super) fn gathered(graph: &Graph, order: Vec<Value>) -> Vec<Value> {
    let of = |value: Value| match *graph.op(value) {
        Op::Jet { call, .. } => Some(call),
        Op::Element { routine, .. } => Some(routine),
        _ => None,
    };
    let mut yields: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for &value in &order {
        if let Some(compound) = of(value) {
            yields.entry(compound).or_default().push(value);
        }
    }
    let mut gathered = Vec::with_capacity(order.len());
    for value in order {
        if of(value).is_none() {
            gathered.push(value);
            gathered.extend(yields.remove(&value).unwrap_or_default());
        }
    }
    gathered
}

impl Parts {
    /// The parts of a long body; `None` if it is written as a whole. The first roots are those of the checks; other functions are
    /// called after these, and what they return is not handed on before.
    /// A part has from a third to two thirds of the operations of a long function.
    pub(super) fn of(
        graph: &Graph,
        order: &[Value],
        roots: &[Value],
        checks: usize,
        limits: Limits,
        abreast: &Abreast<'_>,
    ) -> Option<Self> {
        let Limits {
            calls,
            fills,
            whole,
            long,
        } = limits;
        let (least, most) = (long / 3, long - long / 3);
        let cost = |value: Value| {
            let cost = Cost::of(graph.op(value));
            // Equal branches are written once.
            if abreast.is_repeated(value) {
                0
            } else {
                cost.total() + cost.calls + cost.routines
            }
        };
        let total: usize = order.iter().map(|&value| cost(value)).sum();
        if total <= whole {
            return None;
        }
        let mut last: BTreeMap<Value, usize> = BTreeMap::new();
        for (position, &value) in order.iter().enumerate() {
            for operand in graph.op(value).operands() {
                last.insert(operand, position);
            }
        }
        let places = order.iter().enumerate();
        let places: BTreeMap<Value, usize> = places.map(|(position, &v)| (v, position)).collect();
        let place = |root: &Value| places.get(root).copied().unwrap_or(0);
        // What is not written to an array at once is read at the end; a check's value is read with its scale, when all checks before are made.
        let mut latest = 0;
        let waiting = if fills { checks } else { roots.len() };
        for (index, root) in roots.iter().enumerate().take(waiting) {
            latest = latest.max(place(root));
            let next = roots.get(index + 1).map_or(0, place);
            let end = last.entry(*root).or_default();
            *end = (*end).max(latest.max(next) + 1);
        }
        let first = roots.get(..checks).unwrap_or_default();
        let from = first.iter().map(place).max().filter(|_| calls);
        // How many values are on their way after each position.
        let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
        let mut live = 0_usize;
        let mut cuts = BTreeSet::new();
        let (mut done, mut part) = (0, 0);
        let mut best: Option<(usize, usize)> = None;
        for (position, &value) in order.iter().enumerate() {
            let end = last.get(&value).filter(|end| **end > position);
            if let Some(&end) = end.filter(|_| cost(value) > 0) {
                live += 1;
                *ends.entry(end).or_default() += 1;
            }
            live = live.saturating_sub(ends.remove(&position).unwrap_or(0));
            part += cost(value);
            done += cost(value);
            let compound = matches!(graph.op(value), Op::Call { .. } | Op::Routine { .. });
            let inside = order
                .get(position + 1)
                .is_some_and(|&next| matches!(graph.op(next), Op::Jet { .. } | Op::Element { .. }));
            let early = from.is_some_and(|from| position <= from);
            if part >= least
                && !early
                && !compound
                && !inside
                && best.is_none_or(|(fewest, _)| live <= fewest)
            {
                best = Some((live, position));
            }
            if part >= most {
                if let Some((_, cut)) = best.take() {
                    cuts.insert(cut);
                    part = order
                        .iter()
                        .take(position + 1)
                        .skip(cut + 1)
                        .map(|&v| cost(v))
                        .sum();
                }
                // What is left is not worth another part.
                if total - done < least / 2 {
                    break;
                }
            }
        }
        // One long piece that ends nowhere has no parts.
        (!cuts.is_empty()).then(|| Self {
            cuts,
            last,
            ..Self::default()
        })
    }
}

impl Writing<'_> {
    /// Ends a part if one ends after the value that was just written.
    pub(super) fn pass(&mut self) -> Result<(), EmitError> {
        let Some(parts) = &mut self.parts else {
            return Ok(());
        };
        let position = parts.position;
        parts.position += 1;
        if parts.cuts.contains(&position) {
            self.cut(position)
        } else {
            Ok(())
        }
    }

    fn cut(&mut self, position: usize) -> Result<(), EmitError> {
        let Some(mut parts) = self.parts.take() else {
            return Ok(());
        };
        let is_needed = |value: &Value| parts.last.get(value).is_some_and(|end| *end > position);
        // What is neither on its way nor written since was not needed any more.
        let mut there = std::mem::take(&mut self.recent);
        there.extend(parts.carried.keys());
        there.sort_unstable();
        there.dedup();
        let mut needed = Vec::new();
        for value in there.into_iter().filter(is_needed) {
            let everywhere = matches!(
                self.graph.op(value),
                Op::Constant(_) | Op::Pi | Op::Input(_) | Op::Call { .. } | Op::Routine { .. }
            );
            if !everywhere && !self.fields.contains(&value) {
                needed.push(value);
            }
        }
        for &value in &needed {
            if !self.texts.contains_key(&value) {
                self.name(value)?;
            }
        }
        let over: Vec<Value> = parts
            .carried
            .keys()
            .copied()
            .filter(|value| needed.binary_search(value).is_err())
            .collect();
        for value in over {
            parts.free.extend(parts.carried.remove(&value));
        }
        for value in needed {
            if parts.carried.contains_key(&value) {
                continue;
            }
            let place = parts.free.pop_first().unwrap_or_else(|| {
                parts.places += 1;
                parts.places - 1
            });
            parts.carried.insert(value, place);
            let target = Target::Entry {
                array: parts.work.clone(),
                place: format!("[{place}]"),
            };
            let value = Expression::Expression(self.operand(value)?);
            self.block.put(target, value);
        }
        self.abreast.pass();
        let block = std::mem::take(&mut self.block);
        let mut readable = Vec::new();
        for (&value, &place) in &parts.carried {
            readable.push((self.operand(value)?.to_string(), place));
        }
        readable.sort_by_key(|entry| entry.1);
        let was = std::mem::replace(&mut parts.readable, readable);
        parts.done.push(Part::new(block, was));
        self.parts = Some(parts);
        Ok(())
    }

    /// What was written since the last part ended, with what it reads.
    pub(super) fn last_part(&mut self) -> Option<Part> {
        let readable = std::mem::take(&mut self.parts.as_mut()?.readable);
        Some(Part::new(std::mem::take(&mut self.block), readable))
    }

    /// The parts of a body, if it is long.
    pub(super) fn parts_of(&self, order: &[Value], roots: &[Value], calls: bool) -> Option<Parts> {
        let gathered = gathered(self.graph, order.to_vec());
        let checks = roots.len().saturating_sub(self.function.body.outputs.len());
        let limits = Limits {
            calls,
            fills: self.fills(),
            whole: whole(self.module),
            long: long(self.module),
        };
        let mut parts = Parts::of(self.graph, &gathered, roots, checks, limits, &self.abreast)?;
        // What is written in one piece is not taken apart.
        let end = |cut: &usize| {
            let mut cut = *cut;
            while let (Some(one), Some(next)) = (gathered.get(cut), gathered.get(cut + 1))
                && self.abreast.together(*one, *next)
            {
                cut += 1;
            }
            cut
        };
        parts.cuts = parts.cuts.iter().map(end).collect();
        parts.cuts.retain(|cut| cut + 1 < gathered.len());
        (!parts.cuts.is_empty()).then_some(parts)
    }

    /// Divides a body into parts, if there are any; gives the order of its values.
    pub(super) fn divide(&mut self, parts: Option<Parts>, order: Vec<Value>) -> Vec<Value> {
        let Some(parts) = parts else { return order };
        let work = self.scope.claim("work");
        self.out = self.fills().then(|| self.scope.claim("out"));
        for (index, &value) in self.function.body.outputs.iter().enumerate() {
            self.unfilled.entry(value).or_default().push(index);
        }
        self.parts = Some(Parts { work, ..parts });
        gathered(self.graph, order)
    }

    /// Writes the outputs of a long body, each as soon as it is known.
    pub(super) fn filled(
        &mut self,
        order: &mut impl Iterator<Item = Value>,
        done: &mut BTreeSet<Value>,
    ) -> Result<(), EmitError> {
        let function = self.function;
        let Some(out) = self.out.clone() else {
            for (index, &value) in function.body.outputs.iter().enumerate() {
                self.label = self.temporaries_of(index);
                self.steps(Some(value), order, done)?;
                let expression = self.operand(value)?;
                let is_atom = expression.is_atom();
                self.tail(expression);
                // Perhaps the last thing that was read of the array.
                self.returns_variable |= !self.fallible && is_atom;
            }
            return Ok(());
        };
        // What is there without a statement of this body: inputs, and what calls return.
        for &value in &function.body.outputs {
            if done.contains(&value) {
                self.fill(value)?;
            }
        }
        for (index, &value) in function.body.outputs.iter().enumerate() {
            self.label = self.temporaries_of(index);
            self.steps(Some(value), order, done)?;
        }
        let out = Expr::variable(out);
        if self.fallible {
            self.success(out);
        } else {
            self.block.put(Target::Result, Expression::Expression(out));
        }
        Ok(())
    }

    /// Writes an output to all of its places, once: what waits would have to be handed on by every part.
    pub(super) fn fill(&mut self, value: Value) -> Result<(), EmitError> {
        let Some(out) = self.out.clone() else {
            return Ok(());
        };
        let Some(places) = self.unfilled.remove(&value) else {
            return Ok(());
        };
        if self.graph.is_zero(value) {
            return Ok(());
        }
        let expression = self.operand(value)?;
        for place in places {
            self.comment(place);
            self.fill_entry(&out, place, expression.clone());
        }
        Ok(())
    }

    /// Whether the result is an array that parts fill.
    pub(super) fn fills(&self) -> bool {
        self.function.output != Shape::Scalar
    }
}
