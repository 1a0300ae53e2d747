//! The same program with rows computed alike: from the same instructions in the same order, numbers and signs of their own aside.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::Signed;

use super::form::{Form, Forms, Kind};
use super::seek::{Found, Operand, Rows};
use super::{Branches, Row};
use crate::ir::optimise::with_functions;
use crate::ir::{Binary, Graph, Op, Program, Unary, Value};

/// A sum of more terms is summed in two halves.
const CHAIN: usize = 6;
/// How many neighbours a processor takes at once.
const WIDTH: usize = 4;
/// Operations that have to be saved beyond those for the values that are brought to branches or read of them.
const LEAST: usize = 60;
/// Twice the operations that such a value costs where there are enough branches for a processor, and where there are fewer.
const MANY: usize = 3;
const FEW: usize = 10;
/// Most places in arrays that a loop over branches may read and write: beyond 250 of them, LLVM no longer tells them apart and makes no vector
/// instructions.
const REACH: usize = 240;

/// Writes rows alike, if that is worth it.
pub fn align(program: &Program, forms: &Forms<'_>, rows: Rows) -> Option<(Program, Branches)> {
    let mut plan = Plan::new(forms, rows);
    plan.settle();
    if plan.kept.iter().all(|kept| !kept) {
        return None;
    }
    plan.signs();
    let mut writing = Writing::new(&plan);
    for &value in &forms.order {
        writing.value(value);
    }
    let Writing {
        mut graph,
        map,
        rows,
        ..
    } = writing;
    let angles = angles(&graph, &rows);
    let branches = Branches { rows, angles };
    let program = with_functions(program, std::mem::take(&mut graph), |graph, value| {
        map[value.index()].unwrap_or_else(|| {
            graph
                .witness()
                .note(format!("{value} is needed and was not written"));
            graph.zero()
        })
    });
    Some((program, branches))
}

/// The angles of sines and cosines that are brought to rows.
fn angles(graph: &Graph, rows: &[Row]) -> Vec<Vec<Value>> {
    let mut of_rows = vec![false; graph.len()];
    for value in rows.iter().flat_map(|row| &row.values) {
        of_rows[value.index()] = true;
    }
    for value in graph.values() {
        of_rows[value.index()] |= graph.op(value).operands().any(|o| of_rows[o.index()]);
    }
    let angle = |value: &Value| match *graph.op(*value) {
        Op::Unary(Unary::Sin | Unary::Cos, angle) if !of_rows[angle.index()] => Some(angle),
        _ => None,
    };
    let mut found: Vec<Vec<Value>> = Vec::new();
    let mut taken: BTreeSet<Value> = BTreeSet::new();
    for operand in rows.iter().flat_map(|row| &row.operands) {
        let angles: Option<Vec<Value>> = operand.iter().map(angle).collect();
        let Some(angles) = angles else { continue };
        let distinct: BTreeSet<Value> = angles.iter().copied().collect();
        if distinct.len() == angles.len() && distinct.is_disjoint(&taken) {
            taken.extend(distinct);
            found.push(angles);
        }
    }
    found
}

/// Which rows there are, in which blocks, and with which signs.
struct Plan<'f, 'p> {
    forms: &'f Forms<'p>,
    rows: Rows,
    /// Rows that are computed side by side.
    kept: Vec<bool>,
    /// How often a value goes from branches to what is of none, and back: for each family, by the value's index; -1: not of its branches.
    stages: Vec<Vec<i32>>,
    /// Whether a row's values are the opposites of what is computed, for each branch.
    opposite: Vec<Vec<bool>>,
    /// The sums in which rows are summed before branches are.
    partial: BTreeMap<Value, Vec<usize>>,
}

impl<'f, 'p> Plan<'f, 'p> {
    fn new(forms: &'f Forms<'p>, rows: Rows) -> Self {
        let kept = rows.rows.iter().map(|row| !row.operands.is_empty());
        let leaf = |row: &Found| {
            let form = row.values.first().and_then(|v| forms.of(*v));
            form.is_none_or(|form| form.kind == Kind::Leaf)
        };
        let kept = kept
            .zip(&rows.rows)
            .map(|(kept, row)| kept && !leaf(row))
            .collect();
        Self {
            forms,
            kept,
            stages: Vec::new(),
            opposite: rows
                .rows
                .iter()
                .map(|row| vec![false; row.values.len()])
                .collect(),
            rows,
            partial: BTreeMap::new(),
        }
    }

    /// The kept row and the branch of a value.
    fn place(&self, value: Value) -> Option<(usize, usize)> {
        self.rows.of[value.index()].filter(|(row, _)| self.kept[*row])
    }

    /// The kept row that an operand is.
    fn row_of(&self, operand: &Operand) -> Option<usize> {
        self.rows.row(&operand.values).filter(|row| self.kept[*row])
    }

    /// Drops rows that stand in each other's way, and those that are not worth it.
    fn settle(&mut self) {
        loop {
            self.count_stages();
            let dropped = self.crossed() + self.lone();
            if dropped > 0 {
                continue;
            }
            self.sums();
            if !self.poor() {
                return;
            }
        }
    }

    fn count_stages(&mut self) {
        let widths = self.rows.widths.len();
        let size = self.forms.graph.len();
        self.stages = vec![vec![-1; size]; widths];
        for &value in &self.forms.order {
            let place = self.place(value);
            for family in 0..widths {
                let own = place.filter(|(row, _)| self.rows.rows[*row].family == family);
                let mut stage = if own.is_some() { 0 } else { -1 };
                let mut look = |of: Value, within: bool| {
                    let reached = self.stages[family][of.index()];
                    let step = i32::from(own.is_some() && !within && reached >= 0);
                    stage = stage.max(reached + step);
                };
                match own {
                    Some((row, branch)) => {
                        for operand in &self.rows.rows[row].operands {
                            let within = self.row_of(operand).is_some();
                            if let Some(of) = operand.values.get(branch) {
                                look(*of, within);
                            }
                        }
                    }
                    None => {
                        let form = self.forms.of(value);
                        for term in form.map_or(&[][..], |form| &form.terms) {
                            look(term.value, false);
                        }
                    }
                }
                self.stages[family][value.index()] = stage;
            }
        }
    }

    /// Drops rows whose values are of different stages.
    fn crossed(&mut self) -> usize {
        let together = |row: usize| {
            let found = &self.rows.rows[row];
            let stages = &self.stages[found.family];
            let mut all = found.values.iter().map(|v| stages[v.index()]);
            let first = all.next();
            all.all(|stage| Some(stage) == first)
        };
        // Where one goes astray, all that read it do; they are told by what it reads.
        let astray = |row: &usize| {
            let operands = self.rows.rows[*row].operands.iter();
            let mut reads = operands.filter_map(|o| self.row_of(o));
            !together(*row) && reads.all(together)
        };
        let rows = (0..self.kept.len()).filter(|row| self.kept[*row]);
        let rows: Vec<usize> = rows.filter(astray).collect();
        let dropped = rows.len();
        for row in rows {
            self.kept[row] = false;
        }
        dropped
    }

    /// Drops rows that neither read rows nor are read by any.
    fn lone(&mut self) -> usize {
        let mut linked = vec![false; self.kept.len()];
        for (row, found) in self.rows.rows.iter().enumerate() {
            if !self.kept[row] {
                continue;
            }
            for operand in &found.operands {
                if let Some(of) = self.row_of(operand) {
                    linked[of] = true;
                    linked[row] = true;
                }
            }
        }
        let mut dropped = 0;
        for (kept, linked) in self.kept.iter_mut().zip(&linked) {
            if *kept && !linked {
                *kept = false;
                dropped += 1;
            }
        }
        dropped
    }

    /// Finds the sums over branches of several values of each.
    fn sums(&mut self) {
        self.partial.clear();
        for &value in &self.forms.order {
            let form = self.forms.of(value).filter(|form| form.kind == Kind::Sum);
            let Some(form) = form.filter(|_| self.place(value).is_none()) else {
                continue;
            };
            let whole = self.whole(form);
            if whole.len() > 1 {
                self.partial.insert(value, whole);
            }
        }
    }

    /// The rows of which a sum has all values, of one family: that of the most.
    fn whole(&self, form: &Form) -> Vec<usize> {
        let mut met: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for term in &form.terms {
            if let Some((row, branch)) = self.place(term.value) {
                met.entry(row).or_default().push(branch);
            }
        }
        let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (row, mut branches) in met {
            let found = &self.rows.rows[row];
            branches.sort_unstable();
            if branches.iter().copied().eq(0..found.values.len()) {
                families.entry(found.family).or_default().push(row);
            }
        }
        let most = families.into_values().max_by_key(Vec::len);
        most.unwrap_or_default()
    }

    /// Drops the families that are not worth it; whether there was one.
    fn poor(&mut self) -> bool {
        let mut found = false;
        for family in 0..self.rows.widths.len() {
            let rows = self.rows.rows.iter().zip(&self.kept);
            let any = rows
                .into_iter()
                .any(|(row, kept)| *kept && row.family == family);
            if any && !self.is_worth(family) {
                found = true;
                for (row, of) in self.rows.rows.iter().enumerate() {
                    self.kept[row] &= of.family != family;
                }
            }
        }
        found
    }

    /// Whether branches save more than it costs to bring values to them and to read values of them.
    fn is_worth(&self, family: usize) -> bool {
        let width = self.rows.widths[family];
        let mut operations = 0;
        let mut moved: BTreeSet<&[Value]> = BTreeSet::new();
        for (row, of) in self.rows.rows.iter().enumerate() {
            if !self.kept[row] || of.family != family {
                continue;
            }
            let form = of.values.first().and_then(|v| self.forms.of(*v));
            operations += form.map_or(0, Form::operations);
            let brought =
                |o: &&Operand| self.row_of(o).is_none() && !self.same(o) && !self.is_number(o);
            let operands = of.operands.iter().filter(brought);
            moved.extend(operands.map(|operand| operand.values.as_slice()));
        }
        let (read, within) = self.read(family);
        operations += within;
        if moved.len() + read / width > REACH {
            return false;
        }
        let values = moved.len() * width + read;
        // Of so many neighbours all but one cost nothing.
        let together = width.min(WIDTH);
        let saved = operations * width * (together - 1) / together;
        let price = if width < WIDTH { FEW } else { MANY };
        2 * saved >= 2 * LEAST + values * price
    }

    /// How many values of a family's rows are read by what is of none; and how many operations of such sums are done in each branch.
    fn read(&self, family: usize) -> (usize, usize) {
        let own = |row: usize| self.rows.rows[row].family == family;
        let mut seen = BTreeSet::new();
        let (mut sums, mut operations) = (0, 0);
        for &value in &self.forms.order {
            let form = self.forms.of(value);
            let Some(form) = form.filter(|_| self.place(value).is_none()) else {
                continue;
            };
            let summed = self
                .partial
                .get(&value)
                .filter(|rows| rows.iter().all(|row| own(*row)));
            for term in &form.terms {
                let place = self.place(term.value).filter(|(row, _)| own(*row));
                let is_summed = |row| summed.is_some_and(|rows| rows.contains(&row));
                if place.is_some_and(|(row, _)| !is_summed(row)) {
                    seen.insert(term.value);
                }
            }
            if let Some(rows) = summed {
                sums += self.rows.widths[family];
                operations += rows.len() - 1;
            }
        }
        (sums + seen.len(), operations)
    }

    /// Chooses of which values the opposites are computed, so that rows differ in as few signs as can be.
    fn signs(&mut self) {
        let order: Vec<usize> = (0..self.kept.len()).filter(|row| self.kept[*row]).collect();
        let free = self.free();
        for row in self.sorted(&order) {
            self.opposite[row] = self.signs_of(row, &free);
            self.turn(row, &free);
        }
    }

    /// The products with a number that one sum reads: their numbers take any sign.
    fn free(&self) -> Vec<bool> {
        let mut readers = vec![0_usize; self.kept.len()];
        for &value in &self.forms.order {
            let form = self.forms.of(value);
            for term in form.map_or(&[][..], |form| &form.terms) {
                if let Some((row, 0)) = self.place(term.value) {
                    readers[row] += 1;
                }
            }
        }
        let rows = self.rows.rows.iter().zip(readers);
        rows.map(|(found, readers)| {
            let form = found.values.first().and_then(|v| self.forms.of(*v));
            let is_product = form.is_some_and(|form| form.kind == Kind::Product);
            is_product && readers == 1 && found.operands.iter().any(|o| self.is_number(o))
        })
        .collect()
    }

    fn is_number(&self, operand: &Operand) -> bool {
        let number = |v: &Value| matches!(self.forms.graph.op(*v), Op::Constant(_));
        operand.values.iter().all(number)
    }

    /// Whether a term can be had with either sign.
    fn is_free(&self, operand: &Operand, free: &[bool]) -> bool {
        self.is_number(operand) || self.row_of(operand).is_some_and(|row| free[row])
    }

    /// Turns the free products of a sum to where the sum's signs are the same in all branches.
    fn turn(&mut self, row: usize, free: &[bool]) {
        let found = &self.rows.rows[row];
        let form = found.values.first().and_then(|v| self.forms.of(*v));
        if form.is_none_or(|form| form.kind != Kind::Sum) {
            return;
        }
        let opposite = &self.opposite[row];
        let mut turns = Vec::new();
        for operand in &found.operands {
            let Some(of) = self.row_of(operand).filter(|of| free[*of]) else {
                continue;
            };
            for branch in 1..opposite.len() {
                let wanted = self.turned(operand, 0) != (opposite[branch] != opposite[0]);
                if self.turned(operand, branch) != wanted {
                    turns.push((of, branch));
                }
            }
        }
        for (of, branch) in turns {
            self.opposite[of][branch] = !self.opposite[of][branch];
        }
    }

    /// Rows, each after those that it reads.
    fn sorted(&self, rows: &[usize]) -> Vec<usize> {
        let mut done = vec![false; self.kept.len()];
        let mut sorted = Vec::new();
        for &row in rows {
            let mut stack = vec![(row, false)];
            while let Some((row, entered)) = stack.pop() {
                if done[row] {
                    continue;
                }
                if entered {
                    done[row] = true;
                    sorted.push(row);
                    continue;
                }
                stack.push((row, true));
                let operands = self.rows.rows[row].operands.iter();
                stack.extend(
                    operands
                        .filter_map(|o| self.row_of(o))
                        .map(|of| (of, false)),
                );
            }
        }
        sorted
    }

    fn signs_of(&self, row: usize, free: &[bool]) -> Vec<bool> {
        let found = &self.rows.rows[row];
        let form = found.values.first().and_then(|v| self.forms.of(*v));
        let kind = form.map_or(Kind::Leaf, |form| form.kind);
        let width = found.values.len();
        // A sum of opposites alone is the opposite of a sum.
        let all = kind == Kind::Sum && found.operands.iter().all(|o| self.turned(o, 0));
        (0..width)
            .map(|branch| match kind {
                Kind::Sum => {
                    let fixed = found.operands.iter().filter(|o| !self.is_free(o, free));
                    let fixed: Vec<&Operand> = fixed.collect();
                    let differ = |o: &&&Operand| self.turned(o, branch) != self.turned(o, 0);
                    let turned = fixed.iter().filter(differ).count();
                    all != (2 * turned > fixed.len())
                }
                _ => {
                    let factors = found.operands.iter();
                    factors.filter(|o| self.turned(o, branch)).count() % 2 == 1
                }
            })
            .collect()
    }

    /// Whether the opposite of what is computed for an operand is meant, numbers by their size.
    fn turned(&self, operand: &Operand, branch: usize) -> bool {
        let negative = operand.negative.get(branch).copied().unwrap_or(false);
        let Some(value) = operand.values.get(branch) else {
            return negative;
        };
        match (self.forms.graph.op(*value), self.row_of(operand)) {
            (Op::Constant(x), _) if !self.same(operand) => negative != x.is_negative(),
            (_, Some(row)) => negative != self.opposite[row][branch],
            _ => negative,
        }
    }

    fn same(&self, operand: &Operand) -> bool {
        operand.values.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The family of a row.
    fn family(&self, row: usize) -> usize {
        self.rows.rows[row].family
    }
}

/// The program as it is written anew.
struct Writing<'a, 'f, 'p> {
    plan: &'a Plan<'f, 'p>,
    graph: Graph,
    /// What each value became.
    map: Vec<Option<Value>>,
    /// What is computed for each row; the values themselves or their opposites.
    computed: Vec<Option<Vec<Value>>>,
    rows: Vec<Row>,
    /// What is a row already.
    known: BTreeMap<Value, usize>,
}

/// A term of a sum that is written: its sign, and what it is in each branch.
type Terms = Vec<(Vec<bool>, Vec<Value>)>;

impl<'a, 'f, 'p> Writing<'a, 'f, 'p> {
    fn new(plan: &'a Plan<'f, 'p>) -> Self {
        let mut graph = Graph::new();
        for sphere in plan.forms.graph.spheres() {
            graph.declare_sphere(*sphere);
        }
        Self {
            plan,
            graph,
            map: vec![None; plan.forms.graph.len()],
            computed: vec![None; plan.kept.len()],
            rows: Vec::new(),
            known: BTreeMap::new(),
        }
    }

    /// Writes a value with all that it needs.
    fn value(&mut self, value: Value) {
        let mut stack = vec![(value, false)];
        while let Some((value, entered)) = stack.pop() {
            if self.map[value.index()].is_some() {
                continue;
            }
            let needs = self.needs(value);
            if entered || needs.iter().all(|v| self.map[v.index()].is_some()) {
                self.write(value);
            } else {
                stack.push((value, true));
                stack.extend(needs.into_iter().rev().map(|v| (v, false)));
            }
        }
    }

    /// What has to be there before a value is.
    fn needs(&self, value: Value) -> Vec<Value> {
        let terms = |value: Value| -> Vec<Value> {
            match self
                .plan
                .forms
                .of(value)
                .filter(|form| !form.terms.is_empty())
            {
                Some(form) => form.terms.iter().map(|term| term.value).collect(),
                None => self.plan.forms.graph.op(value).operands().collect(),
            }
        };
        match self.plan.place(value) {
            Some((row, _)) => {
                let values = &self.plan.rows.rows[row].values;
                values.iter().flat_map(|v| terms(*v)).collect()
            }
            None => terms(value),
        }
    }

    fn write(&mut self, value: Value) {
        if let Some((row, _)) = self.plan.place(value) {
            return self.write_row(row);
        }
        let forms = self.plan.forms;
        let new = match self.plan.partial.get(&value) {
            Some(rows) => self.summed(value, rows),
            None => match self.again(value) {
                Some(new) => new,
                None => return,
            },
        };
        self.written(value, new);
        if let Some(name) = forms.graph.name_of(value) {
            self.graph.name(new, name);
        }
    }

    /// Notes what a value became, and with it those that are the same or its opposite.
    fn written(&mut self, value: Value, new: Value) {
        self.map[value.index()] = Some(new);
        let forms = self.plan.forms;
        for (other, opposite) in forms.alike.get(&value).map_or(&[][..], Vec::as_slice) {
            let new = if *opposite { self.graph.neg(new) } else { new };
            self.map[other.index()] = Some(new);
        }
    }

    /// The same instruction of what its operands became; what stands inside of a sum or a product is written with it.
    fn again(&mut self, value: Value) -> Option<Value> {
        let old = self.plan.forms.graph;
        let mut stack = vec![(value, false)];
        let mut inner: BTreeMap<Value, Value> = BTreeMap::new();
        while let Some((v, entered)) = stack.pop() {
            if inner.contains_key(&v) {
                continue;
            }
            let is_there = v != value && self.map[v.index()].is_some();
            if is_there {
                continue;
            }
            if !entered {
                stack.push((v, true));
                stack.extend(old.op(v).operands().map(|o| (o, false)));
                continue;
            }
            let at = |o: Value| inner.get(&o).copied().or(self.map[o.index()]);
            let op = old.op(v).map(|o| at(o).unwrap_or(o));
            let new = self.graph.fold(&op);
            inner.insert(v, new);
        }
        inner.get(&value).copied()
    }

    /// What is computed for an operand in each branch, with the signs in which it is meant.
    fn operand(&mut self, operand: &Operand) -> (Vec<bool>, Vec<Value>) {
        let plan = self.plan;
        let width = operand.values.len();
        let turned = (0..width).map(|b| plan.turned(operand, b)).collect();
        let row = plan
            .row_of(operand)
            .and_then(|row| self.computed[row].clone());
        let values = match row {
            Some(values) => values,
            None => {
                let old = plan.forms.graph;
                let same = plan.same(operand);
                let new = operand.values.iter().map(|v| match old.op(*v) {
                    Op::Constant(x) if !same => self.graph.rational(&x.abs()),
                    _ => self.map[v.index()].unwrap_or_else(|| self.graph.zero()),
                });
                new.collect()
            }
        };
        (turned, values)
    }

    fn write_row(&mut self, row: usize) {
        let plan = self.plan;
        let found = &plan.rows.rows[row];
        let form = found.values.first().and_then(|v| plan.forms.of(*v));
        let kind = form.map_or(Kind::Leaf, |form| form.kind);
        let family = plan.family(row);
        let operands: Vec<_> = found.operands.iter().map(|o| self.operand(o)).collect();
        let opposite = &plan.opposite[row];
        let values = match kind {
            Kind::Sum => self.sum(operands, opposite, family).0,
            Kind::Product => {
                let mut operands = operands;
                let parity = |branch: usize| {
                    let turned = operands.iter().filter(|(turned, _)| turned[branch]).count();
                    turned % 2 == 1
                };
                let wrong: Vec<bool> = (0..opposite.len())
                    .map(|b| parity(b) != opposite[b])
                    .collect();
                if wrong.contains(&true) {
                    let is_number = found.operands.iter().position(|o| plan.is_number(o));
                    if let Some((_, numbers)) = is_number.and_then(|at| operands.get_mut(at)) {
                        self.negate(numbers, &wrong);
                    }
                }
                let mut factors = operands.into_iter().map(|(_, values)| values);
                let first = factors.next().unwrap_or_default();
                factors.fold(first, |all, next| {
                    self.instruct(Binary::Mul, &all, &next, family)
                })
            }
            _ => match operands.as_slice() {
                [(_, a), (_, b)] => self.instruct(Binary::Div, a, b, family),
                _ => Vec::new(),
            },
        };
        for (branch, (old, new)) in found.values.iter().zip(&values).enumerate() {
            let whole = if opposite[branch] {
                self.graph.neg(*new)
            } else {
                *new
            };
            self.written(*old, whole);
            if let Some(name) = plan.forms.graph.name_of(*old)
                && !opposite[branch]
            {
                self.graph.name(*new, name);
            }
        }
        self.computed[row] = Some(values);
    }

    /// A sum in each branch, with the signs of the first; what is turned in some branches only is multiplied by their signs.
    fn sum(&mut self, terms: Terms, opposite: &[bool], family: usize) -> (Vec<Value>, bool) {
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for (turned, values) in terms {
            let signs: Vec<bool> = turned.iter().zip(opposite).map(|(t, o)| t != o).collect();
            let first = signs.first().copied().unwrap_or(false);
            let differ: Vec<bool> = signs.iter().map(|s| *s != first).collect();
            let mut values = values;
            let is_number = |v: &Value| matches!(self.graph.op(*v), Op::Constant(_));
            if differ.contains(&true) && values.iter().all(is_number) {
                self.negate(&mut values, &differ);
            } else if differ.contains(&true) {
                let signs = differ
                    .iter()
                    .map(|d| self.graph.integer(if *d { -1 } else { 1 }));
                let signs: Vec<Value> = signs.collect();
                values = self.instruct(Binary::Mul, &signs, &values, family);
            }
            if first { &mut minus } else { &mut plus }.push(values);
        }
        if plus.is_empty() {
            return (self.added(&minus, family), true);
        }
        let plus = self.added(&plus, family);
        if minus.is_empty() {
            return (plus, false);
        }
        if minus.len() <= CHAIN {
            let less =
                |all: Vec<Value>, next: &Vec<Value>| self.instruct(Binary::Sub, &all, next, family);
            return (minus.iter().fold(plus, less), false);
        }
        let minus = self.added(&minus, family);
        (self.instruct(Binary::Sub, &plus, &minus, family), false)
    }

    /// The opposites of numbers in some branches.
    fn negate(&mut self, numbers: &mut [Value], which: &[bool]) {
        for (number, _) in numbers.iter_mut().zip(which).filter(|(_, turn)| **turn) {
            if let Op::Constant(x) = self.graph.op(*number) {
                let opposite = -x.as_ref();
                *number = self.graph.rational(&opposite);
            }
        }
    }

    fn added(&mut self, terms: &[Vec<Value>], family: usize) -> Vec<Value> {
        if terms.len() > CHAIN {
            let (a, b) = terms.split_at(terms.len() / 2);
            let (a, b) = (self.added(a, family), self.added(b, family));
            return self.instruct(Binary::Add, &a, &b, family);
        }
        let mut terms = terms.iter();
        let first = terms.next().cloned().unwrap_or_default();
        terms.fold(first, |all, next| {
            self.instruct(Binary::Add, &all, next, family)
        })
    }

    /// One instruction in each branch.
    fn instruct(&mut self, op: Binary, a: &[Value], b: &[Value], family: usize) -> Vec<Value> {
        let pairs = a.iter().zip(b);
        let values: Vec<Value> = pairs
            .map(|(a, b)| self.graph.intern(Op::Binary(op, *a, *b)))
            .collect();
        let mut distinct = values.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let is_new = values.iter().all(|v| !self.known.contains_key(v));
        if distinct.len() == values.len() && is_new {
            for value in &values {
                self.known.insert(*value, self.rows.len());
            }
            self.rows.push(Row {
                values: values.clone(),
                op,
                operands: [a.to_vec(), b.to_vec()],
                family,
            });
        }
        values
    }

    /// A sum of which some rows are summed in each branch first.
    fn summed(&mut self, value: Value, rows: &[usize]) -> Value {
        let plan = self.plan;
        let terms = plan
            .forms
            .of(value)
            .map(|form| form.terms.clone())
            .unwrap_or_default();
        let mut parts: Terms = Vec::new();
        let mut family = 0;
        for &row in rows {
            let found = &plan.rows.rows[row];
            let negative = found.values.iter().map(|v| {
                let term = terms.iter().find(|term| term.value == *v);
                term.is_some_and(|term| term.negative)
            });
            let turned = negative
                .zip(&plan.opposite[row])
                .map(|(n, o)| n != *o)
                .collect();
            parts.push((turned, self.computed[row].clone().unwrap_or_default()));
            family = plan.family(row);
        }
        let width = parts.first().map_or(0, |(turned, _)| turned.len());
        let opposite: Vec<bool> = (0..width)
            .map(|branch| {
                let turned = parts.iter().filter(|(t, _)| t[branch] != t[0]).count();
                2 * turned > parts.len()
            })
            .collect();
        let (sums, all_turned) = self.sum(parts, &opposite, family);
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for (sum, opposite) in sums.into_iter().zip(opposite) {
            if opposite != all_turned {
                &mut minus
            } else {
                &mut plus
            }
            .push(sum);
        }
        for term in terms {
            let summed = plan
                .place(term.value)
                .is_some_and(|(row, _)| rows.contains(&row));
            if !summed {
                let new = self.map[term.value.index()].unwrap_or_else(|| self.graph.zero());
                if term.negative { &mut minus } else { &mut plus }.push(new);
            }
        }
        let add = |graph: &mut Graph, list: Vec<Value>| {
            let mut list = list.into_iter();
            let first = list.next();
            first.map(|first| list.fold(first, |all, next| graph.add(all, next)))
        };
        match (add(&mut self.graph, plus), add(&mut self.graph, minus)) {
            (Some(plus), Some(minus)) => self.graph.sub(plus, minus),
            (Some(plus), None) => plus,
            (None, Some(minus)) => self.graph.neg(minus),
            (None, None) => self.graph.zero(),
        }
    }
}
