//! Which inputs belong to which of equal branches, and which values are equal in form.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::Signed;
use rustc_hash::FxHashMap;

use super::form::{Form, Forms, Kind, Term};
use super::size::{of_input, pairs, sizes};
use crate::ir::{Op, Value};

/// Most branches that are looked for side by side.
const WIDEST: usize = 64;
/// Inputs times values beyond which nothing is sought.
const MOST: usize = 400_000_000;
/// Deepest nesting that is followed from a pair of values.
const DEEPEST: usize = 200;

/// A row of values of equal form.
#[derive(Clone, Debug)]
pub struct Found {
    /// One of each branch.
    pub values: Vec<Value>,
    /// Of which branches: those of one family are of one machine part repeated.
    pub family: usize,
    /// What they read, in the order of the first one's terms; of each term the values of all branches.
    pub operands: Vec<Operand>,
}

/// A term of all values of a row.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Whether its opposite is meant, for each branch.
    pub negative: Vec<bool>,
    /// What it is, for each branch.
    pub values: Vec<Value>,
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// In the order in which they were found.
    pub rows: Vec<Found>,
    /// Row and branch by the value's index.
    pub of: Vec<Option<(usize, usize)>>,
    /// Branches of each family.
    pub widths: Vec<usize>,
}

impl Rows {
    /// The row that these values are, each in its branch.
    pub fn row(&self, values: &[Value]) -> Option<usize> {
        let (row, _) = self.of.get(values.first()?.index()).copied()??;
        let found = self.rows.get(row)?;
        (found.values == values).then_some(row)
    }
}

/// The inputs of each branch.
type Branches = Vec<BTreeSet<usize>>;

/// Branches that may be equal.
struct Candidate {
    /// Operations of all but one.
    saved: usize,
    branches: Branches,
    /// Values of equal form, one of each branch, to start from.
    seeds: Vec<Vec<Value>>,
}

impl Candidate {
    /// Whether some of these inputs are its own.
    fn meets(&self, own: &Branches) -> bool {
        let mut inputs = own.iter().flatten();
        inputs.any(|input| self.branches.iter().any(|branch| branch.contains(input)))
    }

    /// Takes values with their inputs in, if each of them goes to another branch.
    fn join(&mut self, values: &[Value], own: &Branches, saved: usize) {
        let Some(order) = order_in(own, &self.branches) else {
            return;
        };
        self.saved += saved;
        let mut ordered = vec![None; order.len()];
        for (from, to) in order.into_iter().enumerate() {
            ordered[to] = values.get(from).copied();
            self.branches[to].extend(&own[from]);
        }
        self.seeds.push(ordered.into_iter().flatten().collect());
    }
}

/// The rows of a program, if it has equal branches.
pub fn rows(forms: &Forms<'_>) -> Option<Rows> {
    let mut search = Search::new(forms)?;
    let families = search.families();
    if families.is_empty() {
        return None;
    }
    search.place(&families);
    search.shape(|search, value| !search.is_of_any(value));
    search.measure();
    for (family, candidate) in families.iter().enumerate() {
        for seed in &candidate.seeds {
            search.unify(seed, family, 0);
        }
    }
    search.measure();
    search.sweep();
    Some(search.rows)
}

/// What is known of values while branches are sought.
struct Search<'f, 'p> {
    forms: &'f Forms<'p>,
    /// Values that differ in signs, numbers and inputs alone have the same number.
    shape: Vec<u32>,
    /// The inputs of a value, as bits.
    support: Vec<Vec<u64>>,
    /// Family and branch of an input.
    branch: Vec<Option<(usize, usize)>>,
    /// Longest way to an input.
    depth: Vec<u32>,
    inputs: FxHashMap<Value, usize>,
    /// By the value's index.
    sizes: Vec<f64>,
    rows: Rows,
}

impl<'f, 'p> Search<'f, 'p> {
    fn new(forms: &'f Forms<'p>) -> Option<Self> {
        let graph = forms.graph;
        let mut inputs = FxHashMap::default();
        for &value in &forms.order {
            if is_input(forms, value) {
                let next = inputs.len();
                inputs.insert(value, next);
            }
        }
        if inputs.len() * forms.order.len() > MOST {
            return None;
        }
        let words = inputs.len().div_ceil(64);
        let mut this = Self {
            forms,
            shape: vec![0; graph.len()],
            support: vec![Vec::new(); graph.len()],
            branch: vec![None; inputs.len()],
            depth: vec![0; graph.len()],
            inputs,
            sizes: vec![1.0; graph.len()],
            rows: Rows {
                of: vec![None; graph.len()],
                ..Rows::default()
            },
        };
        for &value in &forms.order {
            let mut support = vec![0; words];
            let mut depth = 0;
            if let Some(&at) = this.inputs.get(&value)
                && let Some(word) = support.get_mut(at / 64)
            {
                *word |= 1 << (at % 64);
            }
            let terms = forms.of(value).map_or(&[][..], |form| &form.terms);
            for term in terms {
                let at = term.value.index();
                for (word, more) in support.iter_mut().zip(&this.support[at]) {
                    *word |= more;
                }
                depth = depth.max(this.depth[at] + 1);
            }
            this.support[value.index()] = support;
            this.depth[value.index()] = depth;
        }
        this.shape(|_, _| false);
        Some(this)
    }

    /// Numbers the shapes of values. What is common to all branches is of one shape, however it is made: it is brought to them.
    fn shape(&mut self, is_common: fn(&Self, Value) -> bool) {
        let forms = self.forms;
        let mut known: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        for &value in &forms.order {
            let next = known.len() as u32 + 1;
            let is_common = !forms.is_number(value) && is_common(self, value);
            let key = if is_common {
                (COMMON, Vec::new())
            } else {
                // A sum within a sum is a part of it where it is read once, which need not be so in all branches.
                let form = written_out(forms, value, |_| true);
                let terms = form.as_ref().map_or(&[][..], |form| &form.terms);
                let mut shapes: Vec<u32> = (terms.iter())
                    .map(|term| self.shape[term.value.index()])
                    .collect();
                let kind = forms.of(value).map_or(Kind::Leaf, |form| form.kind);
                if matches!(kind, Kind::Sum | Kind::Product) {
                    shapes.sort_unstable();
                }
                (code(forms, value), shapes)
            };
            self.shape[value.index()] = *known.entry(key).or_insert(next);
        }
    }

    /// The inputs that each of some values has and no other of them; `None` if one has none.
    fn own(&self, values: &[Value]) -> Option<Branches> {
        let words = self.support.get(values.first()?.index())?.len();
        let (mut met, mut shared) = (vec![0; words], vec![0; words]);
        for value in values {
            let support = self.support[value.index()].iter();
            for ((word, met), shared) in support.zip(&mut met).zip(&mut shared) {
                *shared |= *met & word;
                *met |= word;
            }
        }
        let own = values.iter().map(|value| {
            let support = self.support[value.index()].iter().zip(&shared);
            let set: BTreeSet<usize> = bits(support.map(|(word, shared)| word & !shared)).collect();
            (!set.is_empty()).then_some(set)
        });
        own.collect()
    }

    /// Families of equal branches, those of most operations first; no input is in two of them.
    fn families(&self) -> Vec<Candidate> {
        let list = self.classes();
        let widths: BTreeSet<usize> = list.iter().map(|(values, _)| values.len()).collect();
        let mut candidates: Vec<Candidate> = Vec::new();
        for width in widths {
            let mut families: Vec<Candidate> = Vec::new();
            for (values, own) in list.iter().filter(|(values, _)| values.len() == width) {
                let others = values.iter().skip(1).filter_map(|v| self.forms.of(*v));
                let saved = others.map(Form::operations).sum();
                let mut met = families.iter_mut().filter(|family| family.meets(own));
                match (met.next(), met.next()) {
                    (None, _) => families.push(Candidate {
                        saved,
                        branches: own.clone(),
                        seeds: vec![values.clone()],
                    }),
                    (Some(family), None) => family.join(values, own, saved),
                    _ => {}
                }
            }
            candidates.extend(families);
        }
        candidates.sort_by_key(|family| {
            let width = family.branches.len();
            (std::cmp::Reverse(family.saved), std::cmp::Reverse(width))
        });
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        candidates.retain(|family| {
            let mut inputs = family.branches.iter().flatten();
            let free = family.saved >= LEAST && inputs.all(|input| !taken.contains(input));
            if free {
                taken.extend(family.branches.iter().flatten());
            }
            free
        });
        candidates
    }

    /// Values of one shape that have inputs of their own, with these; the larger parts of branches first: they say what belongs together.
    fn classes(&self) -> Vec<(Vec<Value>, Branches)> {
        let mut classes: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
        for &value in &self.forms.order {
            let form = self.forms.of(value);
            if form.is_some_and(|form| form.kind != Kind::Leaf) {
                let class = classes.entry(self.shape[value.index()]);
                class.or_default().push(value);
            }
        }
        let mut list: Vec<(Vec<Value>, Branches)> = Vec::new();
        for values in classes.into_values() {
            if (2..=WIDEST).contains(&values.len())
                && let Some(own) = self.own(&values)
            {
                list.push((values, own));
            }
        }
        list.sort_by_key(|(values, own)| {
            let size: usize = own.iter().map(BTreeSet::len).sum();
            (std::cmp::Reverse(size / own.len()), values.first().copied())
        });
        list
    }

    /// Notes which inputs are of which branch.
    fn place(&mut self, families: &[Candidate]) {
        for (at, family) in families.iter().enumerate() {
            self.rows.widths.push(family.branches.len());
            for (branch, inputs) in family.branches.iter().enumerate() {
                for input in inputs {
                    self.branch[*input] = Some((at, branch));
                }
            }
        }
    }

    /// Makes rows of these values, of a value of each branch, and of all that they are made of, as far as that is equal in form.
    fn unify(&mut self, values: &[Value], family: usize, depth: usize) {
        let Some(&first) = values.first() else { return };
        let distinct: BTreeSet<Value> = values.iter().copied().collect();
        let placed = values.iter().any(|v| self.rows.of[v.index()].is_some());
        let is_number = |v: &Value| self.forms.is_number(*v);
        if placed
            || distinct.len() < values.len()
            || values.iter().any(is_number)
            || depth > DEEPEST
        {
            return;
        }
        if values
            .iter()
            .any(|v| self.shape[v.index()] != self.shape[first.index()])
        {
            return;
        }
        if let Some(&input) = self.inputs.get(&first) {
            let fits = values.iter().enumerate().all(|(branch, v)| {
                let of = self.inputs.get(v).and_then(|input| self.branch.get(*input));
                of.copied().flatten() == Some((family, branch))
            });
            if fits && self.branch[input].is_some() {
                self.add(values, family, Vec::new());
            }
            return;
        }
        let mut of_branches = values.iter().enumerate();
        if !of_branches.all(|(branch, v)| self.is_of(*v, family, branch)) {
            return;
        }
        let Some(matched) = self.matched(values) else {
            return;
        };
        for operand in &matched {
            self.unify(&operand.values, family, depth + 1);
        }
        // What was found below may tell alike terms apart.
        let Some(matched) = self.matched(values) else {
            return;
        };
        self.add(values, family, matched);
    }

    fn sizes_of(&self, values: &[Value]) -> Vec<f64> {
        values.iter().map(|v| self.sizes[v.index()]).collect()
    }

    /// Whether a value depends on what a branch has of its own.
    fn is_of(&self, value: Value, family: usize, branch: usize) -> bool {
        let mut inputs = bits(self.support[value.index()].iter().copied());
        inputs.any(|input| self.branch[input] == Some((family, branch)))
    }

    /// Whether a value depends on what any branch has of its own.
    fn is_of_any(&self, value: Value) -> bool {
        let mut inputs = bits(self.support[value.index()].iter().copied());
        inputs.any(|input| self.branch[input].is_some())
    }

    /// The sizes of values, those inputs being equal that are known to correspond to one another.
    fn measure(&mut self) {
        let sizes = sizes(self.forms, |value| {
            let Some(&input) = self.inputs.get(&value) else {
                return of_input(value.index());
            };
            match self.rows.of[value.index()] {
                Some((row, _)) => of_input(row + self.inputs.len()),
                None if self.branch[input].is_some() => 1.0,
                None => of_input(input),
            }
        });
        self.sizes = sizes;
    }

    fn add(&mut self, values: &[Value], family: usize, operands: Vec<Operand>) {
        if values.iter().any(|v| self.rows.of[v.index()].is_some()) {
            return;
        }
        let row = self.rows.rows.len();
        for (branch, value) in values.iter().enumerate() {
            self.rows.of[value.index()] = Some((row, branch));
        }
        self.rows.rows.push(Found {
            values: values.to_vec(),
            family,
            operands,
        });
    }

    /// The terms of values of equal form, those of each branch in the order of the first.
    fn matched(&self, values: &[Value]) -> Option<Vec<Operand>> {
        let forms = values.iter().map(|v| self.forms.of(*v).cloned());
        let forms = forms.collect::<Option<Vec<_>>>()?;
        self.matched_forms(&forms).or_else(|| {
            let forms = values.iter().map(|v| self.expanded(*v));
            self.matched_forms(&forms.collect::<Option<Vec<_>>>()?)
        })
    }

    /// A form in which sums within a sum are written out that only this branch has: another reads them once, and they are part of it there.
    fn expanded(&self, value: Value) -> Option<Form> {
        written_out(self.forms, value, |inner| {
            self.rows.of[inner.index()].is_none() && self.is_of_any(inner)
        })
    }

    fn matched_forms(&self, forms: &[Form]) -> Option<Vec<Operand>> {
        let (first, rest) = forms.split_first()?;
        if rest
            .iter()
            .any(|f| f.kind != first.kind || f.terms.len() != first.terms.len())
        {
            return None;
        }
        let mut operands: Vec<Operand> = (first.terms.iter())
            .map(|term| Operand {
                negative: vec![term.negative],
                values: vec![term.value],
            })
            .collect();
        for form in rest {
            let mut places: Vec<Option<Term>> = vec![None; operands.len()];
            if matches!(first.kind, Kind::Quotient | Kind::Leaf) {
                places = form.terms.iter().copied().map(Some).collect();
            }
            let mut left = form.terms.clone();
            // Those that are certain first, so that none is taken for another.
            for certainty in 0..4 {
                let open: Vec<usize> = (0..places.len())
                    .filter(|at| places[*at].is_none())
                    .collect();
                if open.is_empty() {
                    break;
                }
                let wanted: Vec<Value> = open
                    .iter()
                    .filter_map(|at| operands[*at].values.first().copied())
                    .collect();
                let there: Vec<Value> = left.iter().map(|term| term.value).collect();
                let found = pairs(&self.sizes_of(&wanted), &self.sizes_of(&there), |i, j| {
                    self.alike(wanted[i], there[j], certainty)
                });
                let mut taken = BTreeSet::new();
                for (at, found) in open.into_iter().zip(found) {
                    if let Some(found) = found {
                        places[at] = left.get(found).copied();
                        taken.insert(found);
                    }
                }
                for at in taken.into_iter().rev() {
                    left.remove(at);
                }
            }
            for (operand, place) in operands.iter_mut().zip(places) {
                let term = place?;
                operand.negative.push(term.negative);
                operand.values.push(term.value);
            }
        }
        Some(operands)
    }

    /// Whether two values of different branches may be the same in both: certainly (0), up to their numbers (2), in form (3).
    fn alike(&self, a: Value, b: Value, certainty: usize) -> bool {
        let graph = self.forms.graph;
        match (graph.op(a), graph.op(b)) {
            (Op::Constant(a), Op::Constant(b)) => certainty >= 2 || a.abs() == b.abs(),
            _ if a == b => true,
            _ if self.forms.is_number(a) && self.forms.is_number(b) => certainty >= 2,
            _ if self.forms.is_number(a) || self.forms.is_number(b) => false,
            _ => match (self.rows.of[a.index()], self.rows.of[b.index()]) {
                (Some((a, _)), Some((b, _))) => a == b,
                (None, None) => {
                    certainty >= 1 && self.shape[a.index()] == self.shape[b.index()] && {
                        // Inputs that are read by all are themselves and no others.
                        certainty >= 3 || !self.inputs.contains_key(&a)
                    }
                }
                _ => false,
            },
        }
    }

    /// Goes on from the rows that are there to what is made of them, from the inputs up.
    fn sweep(&mut self) {
        let mut by_depth: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
        for &value in &self.forms.order {
            by_depth
                .entry(self.depth[value.index()])
                .or_default()
                .push(value);
        }
        for values in by_depth.into_values() {
            for exact in [true, false] {
                self.level(&values, exact);
            }
        }
        // Equal values need not be equally deep.
        let order = self.forms.order.clone();
        for _ in 0..AGAIN {
            let before = self.rows.rows.len();
            self.level(&order, false);
            if self.rows.rows.len() == before {
                break;
            }
        }
    }

    fn level(&mut self, values: &[Value], exact: bool) {
        let mut alike: BTreeMap<(usize, Kind, Vec<Key>), OfBranches> = BTreeMap::new();
        for &value in values {
            let Some(form) = self.expanded(value) else {
                continue;
            };
            if form.kind == Kind::Leaf && form.terms.is_empty()
                || self.rows.of[value.index()].is_some()
            {
                continue;
            }
            let mut places = BTreeSet::new();
            for term in &form.terms {
                if let Some((row, branch)) = self.rows.of[term.value.index()]
                    && let Some(row) = self.rows.rows.get(row)
                {
                    places.insert((row.family, branch));
                }
            }
            let [(family, branch)] = places.into_iter().collect::<Vec<_>>()[..] else {
                continue;
            };
            let mut keys: Vec<Key> = form
                .terms
                .iter()
                .map(|t| self.key(t.value, exact))
                .collect();
            if form.kind == Kind::Leaf {
                keys.push(Key::Shape(code(self.forms, value)));
            } else if form.kind != Kind::Quotient {
                keys.sort();
            }
            let branches = alike.entry((family, form.kind, keys)).or_default();
            branches.entry(branch).or_default().push(value);
        }
        for ((family, ..), branches) in alike {
            let width = self.rows.widths.get(family).copied().unwrap_or(0);
            if branches.len() != width {
                continue;
            }
            let mut branches = branches.into_values();
            let Some(first) = branches.next() else {
                continue;
            };
            let mut rows: Vec<Vec<Value>> = first.iter().map(|v| vec![*v]).collect();
            for others in branches {
                let found = pairs(&self.sizes_of(&first), &self.sizes_of(&others), |_, _| true);
                for (row, found) in rows.iter_mut().zip(found) {
                    row.extend(found.and_then(|at| others.get(at)));
                }
            }
            for row in rows.iter().filter(|row| row.len() == width) {
                self.joined(row, family);
            }
        }
    }

    /// A row, with what its terms need to be rows too.
    fn joined(&mut self, values: &[Value], family: usize) {
        let distinct: BTreeSet<Value> = values.iter().copied().collect();
        if distinct.len() < values.len() {
            return;
        }
        let Some(matched) = self.matched(values) else {
            return;
        };
        for operand in &matched {
            self.unify(&operand.values, family, 0);
        }
        if let Some(matched) = self.matched(values) {
            self.add(values, family, matched);
        }
    }

    fn key(&self, value: Value, exact: bool) -> Key {
        match self.forms.graph.op(value) {
            Op::Constant(x) if exact => Key::Number(x.abs()),
            Op::Constant(_) => Key::Any,
            _ if self.forms.is_number(value) && exact => Key::Same(value),
            _ if self.forms.is_number(value) => Key::Any,
            _ => match self.rows.of[value.index()] {
                Some((row, _)) => Key::Row(row),
                None if exact => Key::Same(value),
                None => Key::Shape(self.shape[value.index()]),
            },
        }
    }
}

/// Values of each branch.
type OfBranches = BTreeMap<usize, Vec<Value>>;

/// What a term is to those that compare it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(crate::ir::Rational),
    Any,
    Row(usize),
    Same(Value),
    Shape(u32),
}

/// The code of what all branches read.
const COMMON: u32 = 7;

/// Most terms of a sum that is written out.
const LONGEST: usize = 40;

/// How often all values are gone through after that.
const AGAIN: usize = 20;

/// Operations that equal branches must save at least.
const LEAST: usize = 60;

fn is_input(forms: &Forms<'_>, value: Value) -> bool {
    matches!(forms.graph.op(value), Op::Input(_)) && !forms.given[value.index()]
}

/// The places of the bits that are set.
fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, word)| {
        let set = (0..64).filter(move |bit| word >> bit & 1 == 1);
        set.map(move |bit| at * 64 + bit)
    })
}

/// A form in which sums within a sum are written out.
fn written_out(forms: &Forms<'_>, value: Value, is_part: impl Fn(Value) -> bool) -> Option<Form> {
    let form = forms.of(value)?;
    if form.kind != Kind::Sum {
        return Some(form.clone());
    }
    let mut terms = Vec::new();
    let mut stack: Vec<Term> = form.terms.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        let inner = forms.of(term.value);
        let inner = inner.filter(|inner| inner.kind == Kind::Sum && is_part(term.value));
        match inner {
            Some(inner) if terms.len() + stack.len() < LONGEST => {
                stack.extend(inner.terms.iter().rev().map(|t| Term {
                    negative: t.negative != term.negative,
                    value: t.value,
                }));
            }
            _ => terms.push(term),
        }
    }
    Some(Form {
        kind: Kind::Sum,
        terms,
    })
}

/// A number for what an instruction does, whatever its operands are; inputs of one group are alike.
fn code(forms: &Forms<'_>, value: Value) -> u32 {
    let kind = forms.of(value).map_or(Kind::Leaf, |form| form.kind);
    match (kind, forms.graph.op(value)) {
        (Kind::Sum, _) => 1,
        (Kind::Product, _) => 2,
        (Kind::Quotient, _) => 3,
        _ if forms.is_number(value) => 4,
        (_, Op::Input(slot)) => 16 + u32::from(slot.group),
        (_, Op::Unary(op, _)) => 1000 + unary(*op),
        (_, Op::Binary(op, ..)) => 2000 + binary(*op),
        // Never alike.
        _ => 1_000_000 + value.0,
    }
}

fn unary(op: crate::ir::Unary) -> u32 {
    match op {
        crate::ir::Unary::Neg => 0,
        crate::ir::Unary::Of(function) => 1 + function as u32,
    }
}

fn binary(op: crate::ir::Binary) -> u32 {
    match op {
        crate::ir::Binary::Of(function) => 10 + function as u32,
        _ => 0,
    }
}

/// Which branch of a family each of these sets belongs to, if they go to different ones.
fn order_in(own: &Branches, family: &Branches) -> Option<Vec<usize>> {
    let mut order = Vec::new();
    for set in own {
        let met = family.iter().enumerate();
        let met = met.filter(|(_, branch)| set.iter().any(|input| branch.contains(input)));
        let [(branch, _)] = met.collect::<Vec<_>>()[..] else {
            return None;
        };
        if order.contains(&branch) {
            return None;
        }
        order.push(branch);
    }
    Some(order)
}
