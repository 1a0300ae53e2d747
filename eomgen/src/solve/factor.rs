//! Symmetric elimination and back-substitution.
//!
//! A **1x1 pivot** `d` with row `r` takes `l_i = r_i/d` and leaves `A_ij - l_i r_j`, `b_i - l_i b`; later `x = (b - sum r_j x_j)/d`.
//!
//! A **2x2 pivot** pairs an unknown `x` (diagonal `d`, row `r`) with a row `p` that has nothing on its diagonal. Divided by its
//! coefficient `c` for `x`, row `p` reads `x = b_p - sum p_j x_j`, and row `x` then gives the multiplier. With `w = r - d p` this leaves
//!
//! ```text
//! A_ij - (w_i p_j + p_i r_j),    b_i - (w_i b_p + p_i b_x)
//! ```
//!
//! which divides by nothing but `c`, a number. (On the diagonal the bracket is `p_i (w_i + r_i)`.) A row without such a coefficient
//! is paired all the same where no other pivot is left, with `c` as the condition. So elimination stops early only if all that is
//! left is zero: it is complete over the field of functions of the state.

use std::collections::{BTreeMap, BTreeSet};

use super::certain::Certain;
use super::context::{Calc, EliminationContext};
use super::error::SolveError;
use super::matrix::Matrix;
use super::order::{self, Block, Ordering};
use super::plan::{Pivot, Plan};
use super::price::{Tally, Weight, weight};
use super::queue::Queue;
use super::substitute::{self, Divisor, Step, Term};
use super::system::{SymmetricSystem, UnknownKind};
use super::zero::ZeroTest;
use crate::ir::{Equals, Graph, Value};

mod pair;
mod turn;

/// Eliminates the unknowns of `system` in an order of the rule `ordering`, and computes the unknowns `wanted` and what they need.
///
/// Parts of the system that have nothing to do with each other are solved by themselves, and those without a wanted unknown not at all.
/// `nonzero` says whether a value is **not** identically zero. It must be right both ways: what it calls zero is dropped.
pub fn eliminate(
    graph: &mut Graph,
    system: &SymmetricSystem,
    wanted: &[usize],
    ordering: Ordering,
    nonzero: &dyn Fn(&Graph, Value) -> bool,
) -> Result<Plan, SolveError> {
    let context = EliminationContext::exact(nonzero);
    eliminate_within(graph, system, wanted, ordering, &context, usize::MAX).map(|(plan, _)| plan)
}

/// As [`eliminate`], but gives up after `budget` updates of entries; also returns how many there were.
pub(super) fn eliminate_within(
    graph: &mut Graph,
    system: &SymmetricSystem,
    wanted: &[usize],
    ordering: Ordering,
    context: &EliminationContext<'_>,
    budget: usize,
) -> Result<(Plan, usize), SolveError> {
    check_shape(system, wanted)?;
    if let Some(presumed) = context.presumed {
        presumed.relied.borrow_mut().clear();
    }
    let mut factor = Factor::new(graph, system, context);
    // One for all parts: a machine may fall apart into thousands.
    let mut queue = Queue::new(ordering, system, factor.rhs.len(), context);
    for component in factor.matrix.components() {
        if component.iter().any(|i| wanted.contains(i)) {
            factor.eliminate(&mut queue, &component, budget)?;
        }
    }
    factor.check_determined(wanted)?;
    let updates = factor.updates;
    let solution: Vec<_> = (0..system.rhs.len())
        .map(|k| factor.solve(k, wanted))
        .collect();
    let consistency = factor.consistency();
    let relied = context.presumed.map(|presumed| presumed.relied.take());
    let mut plan = Plan {
        order: ordering,
        presumed: relied.into_iter().flatten().collect(),
        solution,
        pivots: factor.pivots,
        cost: Default::default(),
        open: factor.open,
        consistency,
    };
    plan.cost = graph.count(&plan.roots(wanted));
    Ok((plan, updates))
}

/// What eliminating these pairs leaves: the system of the other unknowns, in their order. Each pair is an unknown and a row without a diagonal
/// entry that holds it with a coefficient that never vanishes, and the pairs are taken in the order given; nothing is divided by that could
/// vanish, and nothing is substituted back.
///
/// Pairing every acceleration with its kinematic row, from the leaves of a tree to its root, leaves the mass matrix and the forcing: the
/// composite-rigid-body algorithm (Walker & Orin 1982).
pub fn condense(
    graph: &mut Graph,
    system: &SymmetricSystem,
    pairs: &[(usize, usize)],
    context: &EliminationContext<'_>,
) -> Result<SymmetricSystem, SolveError> {
    check_shape(system, &[])?;
    let mut factor = Factor::new(graph, system, context);
    let mut kept = vec![true; system.len()];
    for &(x, row) in pairs {
        let coefficient = factor.matrix.get(x, row);
        let sound = coefficient.is_some_and(|c| context.pairs(factor.calc.graph, c));
        if !sound || factor.matrix.get(row, row).is_some() {
            let name = system.unknowns[x].name.clone();
            return Err(SolveError::Uncertain { name });
        }
        factor.pair(x, row);
        factor.steps.clear();
        kept[x] = false;
        kept[row] = false;
    }
    let kept: Vec<usize> = (0..system.len()).filter(|i| kept[*i]).collect();
    let mut left = SymmetricSystem::new(kept.iter().map(|i| system.unknowns[*i].clone()).collect());
    for (k, &i) in kept.iter().enumerate() {
        if let Some(value) = factor.matrix.get(i, i) {
            left.set(k, k, value);
        }
        for (&j, &value) in factor.matrix.row(i).range(i..) {
            if let Ok(l) = kept.binary_search(&j) {
                left.set(k, l, value);
            }
        }
        for side in 0..factor.rhs.len() {
            left.set_rhs(side, k, factor.rhs[side][i]);
        }
    }
    Ok(left)
}

fn check_shape(system: &SymmetricSystem, wanted: &[usize]) -> Result<(), SolveError> {
    let unknowns = system.len();
    let shape = |part: &str, found| {
        Err(SolveError::Shape {
            unknowns,
            part: part.to_owned(),
            found,
        })
    };
    if let Some((_, j, _)) = system.entries().find(|entry| entry.1 >= unknowns) {
        return shape("matrix an entry in column", j);
    }
    if let Some(side) = system.rhs.iter().find(|side| side.len() != unknowns) {
        return shape("right-hand side a length of", side.len());
    }
    match wanted.iter().find(|&&i| i >= unknowns) {
        Some(&i) => shape("list of wanted unknowns the number", i),
        None => Ok(()),
    }
}

/// How many pivots are looked at for one that cannot vanish.
const LOOK: usize = 32;

/// A pivot with what is known of it.
struct Choice {
    block: Block,
    /// What must not vanish; `None` for a 2x2 block whose coefficient never does.
    condition: Option<Value>,
    tied: bool,
    certain: bool,
}

struct Factor<'a> {
    calc: Calc<'a>,
    certain: Certain<'a>,
    context: &'a EliminationContext<'a>,
    system: &'a SymmetricSystem,
    zero: ZeroTest<'a>,
    matrix: Matrix,
    rhs: Vec<Vec<Value>>,
    steps: Vec<Step>,
    pivots: Vec<Pivot>,
    open: Vec<usize>,
    updates: usize,
    /// Of multipliers whose pivots are checked, what others of their kind have taken from them.
    shares: BTreeMap<usize, Shares>,
}

/// What multipliers whose pivots are checked have taken from the diagonal of another one.
struct Shares {
    /// The entry as it would be without, when they last took some.
    scale: Value,
    /// What was left then.
    after: Value,
    sum: Value,
}

impl<'a> Factor<'a> {
    fn new(
        graph: &'a mut Graph,
        system: &'a SymmetricSystem,
        context: &'a EliminationContext<'a>,
    ) -> Self {
        let mut zero = ZeroTest::new(context.nonzero);
        let equals = context.prints.map(|prints| {
            let mut equals = Equals::new(prints);
            let entries = system.entries().map(|(_, _, value)| value);
            let roots: Vec<Value> = entries
                .chain(system.rhs.iter().flatten().copied())
                .collect();
            equals.learn(graph, &roots);
            equals
        });
        let mut matrix = Matrix::new(system.len());
        for (i, j, value) in system.entries() {
            matrix.put(i, j, zero.keep(graph, value));
        }
        let calc = Calc { graph, equals };
        let mut factor = Self {
            certain: Certain::new(system, context, &calc),
            calc,
            context,
            system,
            zero,
            matrix,
            rhs: system.rhs.clone(),
            steps: Vec::new(),
            pivots: Vec::new(),
            open: Vec::new(),
            updates: 0,
            shares: BTreeMap::new(),
        };
        for k in 0..factor.rhs.len() {
            for i in 0..system.len() {
                let value = factor.rhs[k][i];
                factor.set_rhs(k, i, value);
            }
        }
        factor
    }

    /// Eliminates a part of the system. The queue is empty before and after: every block is of unknowns of one part.
    fn eliminate(
        &mut self,
        queue: &mut Queue<'_>,
        component: &[usize],
        budget: usize,
    ) -> Result<(), SolveError> {
        let first_checked = self.system.first_checked();
        let (before, last): (Vec<usize>, Vec<usize>) =
            component.iter().partition(|i| **i < first_checked);
        let mut left: BTreeSet<usize> = before.into_iter().collect();
        let mut waiting: Vec<usize> = last;
        queue.refresh(self.calc.graph, &self.matrix, component);
        while !left.is_empty() {
            let Some(choice) = self.choose(queue, &left) else {
                break;
            };
            let block = choice.block;
            if self.context.certain_only && !choice.certain {
                let name = self.system.unknowns[block.x].name.clone();
                return Err(SolveError::Uncertain { name });
            }
            let mut touched = match self.turn(block) {
                Some(turn) => {
                    for (x, row) in turn.pairs {
                        let row = Some(row);
                        let block = Block { x, row };
                        let tied = self.is_tied(block);
                        self.take(
                            queue,
                            &mut left,
                            &Choice {
                                block,
                                tied,
                                ..choice
                            },
                        );
                    }
                    self.eliminate_turn(&turn)
                }
                None => {
                    self.take(queue, &mut left, &choice);
                    match block.row {
                        None => self.single(block.x),
                        Some(p) => self.pair(block.x, p),
                    }
                }
            };
            self.updates += touched.len() * (touched.len() + 1) / 2;
            if !waiting.is_empty() {
                touched.extend(self.eliminate_ready(&mut waiting));
            }
            queue.refresh(self.calc.graph, &self.matrix, &touched);
            self.certain.forget(&touched);
            if self.updates > budget {
                return Err(SolveError::Budget { updates: budget });
            }
        }
        self.open.extend(left);
        for row in waiting {
            if self.eliminate_checked(row).is_none() {
                self.open.push(row);
            }
        }
        Ok(())
    }

    /// Eliminates of the multipliers that are left, whose pivots are checked, those of which all that their rows hold is gone: a loop is closed
    /// before the rest of the machine is looked at. Returns the rows that changed.
    fn eliminate_ready(&mut self, waiting: &mut Vec<usize>) -> Vec<usize> {
        let mut touched = Vec::new();
        for row in waiting.clone() {
            if self.certain.admits(&mut self.calc, self.context, row)
                && let Some(changed) = self.eliminate_checked(row)
            {
                waiting.retain(|other| *other != row);
                self.certain.take_checked(row);
                touched.extend(changed);
            }
        }
        touched
    }

    /// Eliminates a multiplier whose pivot is checked; `None` where it has none. Returns the rows that changed.
    fn eliminate_checked(&mut self, row: usize) -> Option<Vec<usize>> {
        let value = self.matrix.get(row, row)?;
        let scale = self.scale(row, value);
        self.pivots.push(Pivot {
            kind: self.system.unknowns[row].kind,
            unknowns: vec![row],
            value: Some(value),
            tied: false,
            certain: true,
            checked: Some(scale),
        });
        self.updates += self.matrix.degree(row);
        let limit = self.system.first_checked();
        let others: Vec<usize> = self.matrix.row(row).range(limit..).map(|e| *e.0).collect();
        let before: Vec<Option<Value>> = others.iter().map(|i| self.matrix.get(*i, *i)).collect();
        let touched = self.single(row);
        for (i, before) in others.into_iter().zip(before) {
            if let (Some(before), Some(after)) = (before, self.matrix.get(i, i)) {
                self.record_share(i, before, after);
            }
        }
        Some(touched)
    }

    /// Records what the multiplier that was eliminated last has taken from the diagonal of another one.
    fn record_share(&mut self, row: usize, before: Value, after: Value) {
        let zero = self.calc.graph.zero();
        let own = match self.steps.last() {
            Some(Step::Single { terms, .. }) => terms.iter().find(|term| term.j == row).copied(),
            _ => None,
        };
        let share = own.map_or(zero, |own| self.calc.mul(own.scaled, own.entry));
        let scale = self.scale(row, before);
        let known = self.shares.get(&row).map_or(zero, |of| of.sum);
        let sum = self.calc.add(known, share);
        self.shares.insert(row, Shares { scale, after, sum });
    }

    /// What the pivot of a multiplier is compared with. What is left of the diagonal of these multipliers is semidefinite: an entry is compared with what
    /// it would be had no other of their rows been taken from it.
    fn scale(&mut self, row: usize, now: Value) -> Value {
        match self.shares.get(&row) {
            None => now,
            Some(of) if of.after == now => of.scale,
            Some(of) => {
                let sum = of.sum;
                self.calc.add(now, sum)
            }
        }
    }

    /// Records a pivot; its members are left no more.
    fn take(&mut self, queue: &mut Queue<'_>, left: &mut BTreeSet<usize>, choice: &Choice) {
        let block = choice.block;
        if let Some(coefficient) = block.row.and_then(|row| self.matrix.get(block.x, row)) {
            // What is taken not to vanish is recorded.
            self.context.is_never_zero(self.calc.graph, coefficient);
        }
        let mut unknowns: Vec<usize> = [Some(block.x), block.row].into_iter().flatten().collect();
        for &i in &unknowns {
            left.remove(&i);
            queue.remove(i);
        }
        self.certain
            .eliminate(&mut self.calc, self.context, &unknowns);
        let kind = |i: usize| self.system.unknowns[i].kind;
        unknowns.sort_by_key(|&i| kind(i) == UnknownKind::Reaction);
        self.pivots.push(Pivot {
            kind: kind(unknowns[0]),
            unknowns,
            value: choice.condition,
            tied: choice.tied,
            certain: choice.certain,
            checked: None,
        });
    }

    /// The next pivot: the first in the order; where it must not vanish, of the first few the first that cannot.
    fn choose(&mut self, queue: &Queue<'_>, left: &BTreeSet<usize>) -> Option<Choice> {
        let mut fallback = None;
        let look = if self.context.certain_only { LOOK } else { 1 };
        for block in queue.firsts(look) {
            let choice = self.assess(block);
            if choice.certain {
                return Some(choice);
            }
            fallback = fallback.or(Some(choice));
        }
        if self.context.certain_only && fallback.is_some() {
            // What holds the outermost bodies may have to go before them.
            let mut above = queue
                .above(LOOK)
                .into_iter()
                .map(|block| self.assess(block));
            if let Some(certain) = above.find(|choice| choice.certain) {
                return Some(certain);
            }
        }
        fallback.or_else(|| {
            let (block, value) = order::last_resort(
                &self.matrix,
                left.iter().copied(),
                self.system.first_checked(),
            )?;
            Some(Choice {
                block,
                condition: Some(value),
                tied: true,
                certain: self.context.is_never_zero(self.calc.graph, value),
            })
        })
    }

    fn assess(&mut self, block: Block) -> Choice {
        let tied = self.is_tied(block);
        if block.row.is_some() {
            return Choice {
                block,
                condition: None,
                tied,
                certain: true,
            };
        }
        let condition = self.matrix.get(block.x, block.x);
        let context = self.context;
        let certain = condition.is_some_and(|v| context.is_certain(self.calc.graph, v))
            || self
                .certain
                .proves(&mut self.calc, self.context, block.x, tied)
            || condition.is_some_and(|v| context.is_never_zero(self.calc.graph, v));
        Choice {
            block,
            condition,
            tied,
            certain,
        }
    }

    /// Whether a row of a reaction that is left, beside the pivot's own, holds the unknown.
    fn is_tied(&self, block: Block) -> bool {
        let mut others = self.matrix.row(block.x).keys();
        let limit = self.system.first_checked();
        others.any(|&j| {
            let row = self.system.unknowns[j].kind == UnknownKind::Reaction;
            row && j < limit && Some(j) != block.row
        })
    }

    /// Eliminates `p` by its diagonal entry; returns the rows that changed.
    fn single(&mut self, p: usize) -> Vec<usize> {
        let (diagonal, row) = self.matrix.take(p);
        let pivot = self.there(diagonal, p);
        let pivot = Divisor::new(&mut self.calc, self.context, pivot);
        let terms: Vec<Term> = row
            .into_iter()
            .map(|(j, entry)| Term {
                j,
                entry,
                scaled: pivot.under(&mut self.calc, entry),
            })
            .collect();
        for (n, first) in terms.iter().enumerate() {
            for second in &terms[n..] {
                let product = self.cheaper_product(first, second);
                self.subtract(first.j, second.j, product);
            }
        }
        for k in 0..self.rhs.len() {
            let b = self.rhs[k][p];
            for term in &terms {
                // r_i = 1 or -1: b/d is there for back-substitution, and its product is free.
                let product = if self.weight(term.entry) == Weight::Unit {
                    let quotient = pivot.under(&mut self.calc, b);
                    self.calc.mul(term.entry, quotient)
                } else {
                    self.calc.mul(term.scaled, b)
                };
                self.subtract_rhs(k, term.j, product);
            }
        }
        let touched = terms.iter().map(|term| term.j).collect();
        self.steps.push(Step::Single { p, pivot, terms });
        touched
    }

    /// An entry that an elimination rests on.
    fn there(&self, entry: Option<Value>, unknown: usize) -> Value {
        entry.unwrap_or_else(|| {
            let name = &self.system.unknowns[unknown].name;
            let witness = self.calc.graph.witness();
            witness.note(format!("the pivot on `{name}` is not there"));
            self.calc.graph.one()
        })
    }

    /// `l_i r_j`, which is `r_i l_j`.
    fn cheaper_product(&mut self, i: &Term, j: &Term) -> Value {
        let price = |scaled, entry| {
            let mut tally = Tally::default();
            tally.product(self.weight(scaled), self.weight(entry));
            tally.0
        };
        if price(j.scaled, i.entry) < price(i.scaled, j.entry) {
            self.calc.mul(i.entry, j.scaled)
        } else {
            self.calc.mul(i.scaled, j.entry)
        }
    }

    fn weight(&self, value: Value) -> Weight {
        weight(self.context, self.calc.graph, Some(value))
    }

    fn subtract(&mut self, i: usize, j: usize, amount: Value) {
        if self.calc.graph.is_zero(amount) {
            return;
        }
        let old = self.matrix.get(i, j).unwrap_or(self.calc.graph.zero());
        let new = self.calc.sub(old, amount);
        self.matrix.put(i, j, self.zero.keep(self.calc.graph, new));
    }

    fn subtract_rhs(&mut self, k: usize, i: usize, amount: Value) {
        let value = self.calc.sub(self.rhs[k][i], amount);
        self.set_rhs(k, i, value);
    }

    fn set_rhs(&mut self, k: usize, i: usize, value: Value) {
        let value = self.zero.keep(self.calc.graph, value);
        self.rhs[k][i] = value.unwrap_or(self.calc.graph.zero());
    }

    /// Fails if an unknown that is wanted takes part in a null vector.
    fn check_determined(&mut self, wanted: &[usize]) -> Result<(), SolveError> {
        let (size, zero, one) = (
            self.system.len(),
            self.calc.graph.zero(),
            self.calc.graph.one(),
        );
        let mut undetermined = BTreeSet::new();
        for open in self.open.clone() {
            let mut null = vec![None; size];
            null[open] = Some(one);
            let null = self.substitute(&vec![zero; size], null, &vec![true; size]);
            for (i, value) in null.into_iter().enumerate() {
                if value.is_some_and(|value| self.zero.keep(self.calc.graph, value).is_some()) {
                    undetermined.insert(i);
                }
            }
        }
        if !wanted.iter().any(|i| undetermined.contains(i)) {
            return Ok(());
        }
        let unknowns: Vec<usize> = undetermined.into_iter().collect();
        let name = |&i: &usize| self.system.unknowns[i].name.clone();
        Err(SolveError::Undetermined {
            names: unknowns.iter().map(name).collect(),
            unknowns,
        })
    }

    /// What is left of the right-hand sides in the rows that are left.
    fn consistency(&self) -> Vec<Value> {
        let left = self
            .rhs
            .iter()
            .flat_map(|side| self.open.iter().map(|&i| side[i]));
        left.filter(|&value| !self.calc.graph.is_zero(value))
            .collect()
    }

    fn solve(&mut self, k: usize, wanted: &[usize]) -> Vec<Option<Value>> {
        let mut needed = vec![false; self.system.len()];
        for &i in wanted {
            needed[i] = true;
        }
        substitute::mark_needed(self.calc.graph, &self.steps, &mut needed);
        let rhs = self.rhs[k].clone();
        self.substitute(&rhs, vec![None; self.system.len()], &needed)
    }

    /// The unknowns `needed`; open unknowns are as in `values`, or 0.
    fn substitute(
        &mut self,
        rhs: &[Value],
        mut values: Vec<Option<Value>>,
        needed: &[bool],
    ) -> Vec<Option<Value>> {
        let zero = self.calc.graph.zero();
        for &i in &self.open {
            values[i] = values[i].or(needed[i].then_some(zero));
        }
        substitute::back(
            &mut self.calc,
            self.context,
            &self.steps,
            rhs,
            &mut values,
            needed,
        );
        values
    }
}
