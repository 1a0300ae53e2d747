//! Equal branches side by side: a loop over the branches in place of the same statements for each of them, which compilers turn into vector
//! instructions and a reader reads once.

use std::collections::{BTreeMap, BTreeSet};

use super::Writing;
use crate::emit::error::EmitError;
use crate::emit::expr::Expr;
use crate::emit::tree::{Block, Call, Target, Value as Expression};
use crate::ir::{Branches, Graph, Op, Row, Unary, Value};

/// Blocks of fewer rows are written branch by branch.
const FEW: usize = 6;
/// Branches are filled up to a multiple of so many: compilers make vector instructions of loops of four, not of two or three, and four numbers take a
/// processor no longer than two.
const LANES: usize = 4;

/// What is written in one piece.
#[derive(Clone)]
enum Piece<'m> {
    /// Rows in a loop over branches.
    Rows(Vec<&'m Row>),
    /// The sines and cosines of angles, one of each branch.
    Angles(&'m [Value]),
}

impl Piece<'_> {
    /// The values that it computes, of those that are there.
    fn values(&self, graph: &Graph, there: &BTreeSet<Value>) -> Vec<Value> {
        match self {
            Self::Rows(rows) => rows
                .iter()
                .flat_map(|row| row.values.iter().copied())
                .collect(),
            Self::Angles(angles) => {
                let of = |function| angles.iter().map(move |angle| Op::Unary(function, *angle));
                let both = of(Unary::Sin).chain(of(Unary::Cos));
                let found = both.filter_map(|op| graph.find(&op));
                found.filter(|value| there.contains(value)).collect()
            }
        }
    }
}

/// The rows that a function computes side by side.
#[derive(Default)]
pub(super) struct Abreast<'m> {
    /// What is written in one piece each.
    blocks: Vec<Piece<'m>>,
    /// The block of each value.
    of: BTreeMap<Value, usize>,
    /// The values of rows that are read elsewhere.
    read: BTreeSet<Value>,
    /// The values of all branches but the first.
    repeated: BTreeSet<Value>,
    /// Which blocks are written.
    written: BTreeSet<usize>,
    /// Where values can be read, one of each branch: an array, and their place in it.
    arrays: BTreeMap<Vec<Value>, (String, String)>,
    /// What the number of a branch is called.
    number: Option<String>,
}

impl<'m> Abreast<'m> {
    /// The rows of which a function computes all values, and the order of its values with those of a block one after the other.
    pub(super) fn of(
        graph: &Graph,
        branches: &'m Branches,
        order: &[Value],
        roots: &[Value],
        sines: bool,
    ) -> (Self, Option<Vec<Value>>) {
        let rows = &branches.rows;
        let mut this = Self::default();
        let there: BTreeSet<Value> = order.iter().copied().collect();
        let mut kept: Vec<&Row> = rows
            .iter()
            .filter(|row| row.values.iter().all(|v| there.contains(v)))
            .collect();
        let stages = settled(graph, order, &mut kept);
        let mut blocks: BTreeMap<(usize, i32), Vec<&Row>> = BTreeMap::new();
        for (row, stage) in kept.into_iter().zip(stages) {
            blocks.entry((row.family, stage)).or_default().push(row);
        }
        let blocks = blocks.into_values().filter(|rows| rows.len() >= FEW);
        this.blocks.extend(blocks.map(Piece::Rows));
        if this.blocks.is_empty() {
            return (this, None);
        }
        if sines {
            let angles = branches.angles.iter().map(|angles| Piece::Angles(angles));
            let whole = angles.filter(|piece| {
                let Piece::Angles(angles) = piece else {
                    return false;
                };
                let values = piece.values(graph, &there);
                angles.iter().all(|angle| {
                    let reads = |v: &Value| graph.op(*v).operand(0) == Some(*angle);
                    values.iter().any(reads)
                })
            });
            this.blocks.extend(whole);
        }
        for (block, piece) in this.blocks.iter().enumerate() {
            let values = piece.values(graph, &there);
            this.of.extend(values.into_iter().map(|v| (v, block)));
            if let Piece::Rows(rows) = piece {
                let others = rows.iter().flat_map(|row| row.values.iter().skip(1));
                this.repeated.extend(others.copied());
            }
        }
        this.read = roots.iter().copied().collect();
        for &value in order {
            for operand in graph.op(value).operands() {
                if this.of.get(&operand) != this.of.get(&value) {
                    this.read.insert(operand);
                }
            }
        }
        match this.sorted(graph, order, &there) {
            Some(order) => (this, Some(order)),
            None => (Self::default(), None),
        }
    }

    /// The order of values in which each block is in one piece; `None` if there is none.
    fn sorted(
        &self,
        graph: &Graph,
        order: &[Value],
        there: &BTreeSet<Value>,
    ) -> Option<Vec<Value>> {
        /// What is put in order.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        enum Item {
            Value(Value),
            Block(usize),
        }
        let item = |value: Value| {
            self.of
                .get(&value)
                .map_or(Item::Value(value), |b| Item::Block(*b))
        };
        let members = |block: usize| {
            let piece = self.blocks.get(block);
            piece.map_or(Vec::new(), |piece| piece.values(graph, there))
        };
        let needs = |of: Item| -> Vec<Item> {
            let values: Vec<Value> = match of {
                Item::Value(value) => vec![value],
                Item::Block(block) => members(block),
            };
            let operands = values
                .into_iter()
                .flat_map(|v| graph.op(v).operands().collect::<Vec<_>>());
            let operands = operands.filter(|v| there.contains(v)).map(item);
            operands.filter(|other| *other != of).collect()
        };
        let mut entered: BTreeSet<Item> = BTreeSet::new();
        let mut done: BTreeSet<Item> = BTreeSet::new();
        let mut sorted = Vec::with_capacity(order.len());
        for &value in order {
            let mut stack = vec![(item(value), false)];
            while let Some((at, left)) = stack.pop() {
                if left {
                    done.insert(at);
                    match at {
                        Item::Value(value) => sorted.push(value),
                        Item::Block(block) => sorted.extend(members(block)),
                    }
                } else if !done.contains(&at) {
                    if !entered.insert(at) {
                        return None;
                    }
                    stack.push((at, true));
                    let next = needs(at).into_iter().rev();
                    stack.extend(next.filter(|n| !done.contains(n)).map(|n| (n, false)));
                }
            }
        }
        Some(sorted)
    }

    /// Whether a value is written with that of the first branch.
    pub(super) fn is_repeated(&self, value: Value) -> bool {
        self.repeated.contains(&value)
    }

    /// Whether two values are written together.
    pub(super) fn together(&self, a: Value, b: Value) -> bool {
        self.of
            .get(&a)
            .is_some_and(|block| self.of.get(&b) == Some(block))
    }

    /// Arrays are read in the part that makes them.
    pub(super) fn pass(&mut self) {
        self.arrays.clear();
    }
}

/// Drops rows whose values cannot be computed together, and counts how often each goes from branches to what is of none and back.
fn settled(graph: &Graph, order: &[Value], rows: &mut Vec<&Row>) -> Vec<i32> {
    loop {
        let places = Places::of(rows);
        let stages = places.stages(graph, order);
        let stage = |row: &Row, value: &Value| {
            let of = stages.get(value);
            of.and_then(|s| s.get(row.family).copied())
        };
        let together = |row: &Row| {
            let first = row.values.first().and_then(|v| stage(row, v));
            row.values.iter().all(|v| stage(row, v) == first)
        };
        // Where one goes astray, all that read it do; they are told by what it reads.
        let kept = rows.iter().copied().filter(|row| {
            let [a, b] = &row.operands;
            let mut reads = [a, b].into_iter().filter_map(|o| places.row(row, o));
            let astray = !together(row) && reads.all(together);
            !astray && (a.first() != b.first() || a == b)
        });
        let kept: Vec<&Row> = kept.collect();
        if kept.len() == rows.len() {
            let first = |row: &&Row| row.values.first().and_then(|v| stage(row, v)).unwrap_or(0);
            return rows.iter().map(first).collect();
        }
        *rows = kept;
    }
}

/// The row and the branch of each value.
struct Places<'r> {
    families: usize,
    of: BTreeMap<Value, (&'r Row, usize)>,
}

impl<'r> Places<'r> {
    fn of(rows: &[&'r Row]) -> Self {
        let branches = |row: &'r Row| {
            row.values
                .iter()
                .enumerate()
                .map(move |(b, v)| (*v, (row, b)))
        };
        Self {
            families: rows.iter().map(|row| row.family + 1).max().unwrap_or(0),
            of: rows.iter().flat_map(|row| branches(row)).collect(),
        }
    }

    /// The row that an operand of a row is, if it is one of the same family.
    fn row(&self, row: &Row, operand: &[Value]) -> Option<&'r Row> {
        let (of, _) = self.of.get(operand.first()?)?;
        (of.values == operand && of.family == row.family).then_some(*of)
    }

    /// How often each value goes from the branches of a family to what is of none and back; -1 for what does not depend on them.
    fn stages(&self, graph: &Graph, order: &[Value]) -> BTreeMap<Value, Vec<i32>> {
        let mut stages: BTreeMap<Value, Vec<i32>> = BTreeMap::new();
        for &value in order {
            let mut own = vec![-1; self.families];
            let place = self.of.get(&value);
            if let Some((row, _)) = place {
                own[row.family] = 0;
            }
            let mut look = |of: Value, within: bool| {
                let reached = stages.get(&of).into_iter().flatten();
                for (family, (own, reached)) in own.iter_mut().zip(reached).enumerate() {
                    let back = place.is_some_and(|(row, _)| row.family == family) && !within;
                    *own = (*own).max(reached + i32::from(back && *reached >= 0));
                }
            };
            match place {
                Some((row, branch)) => {
                    for operand in &row.operands {
                        let within = self.row(row, operand).is_some();
                        operand
                            .get(*branch)
                            .into_iter()
                            .for_each(|of| look(*of, within));
                    }
                }
                None => graph.op(value).operands().for_each(|of| look(of, false)),
            }
            stages.insert(value, own);
        }
        stages
    }
}

/// Places for so many branches.
fn lanes(width: usize) -> usize {
    width.next_multiple_of(LANES)
}

/// The values of all branches, from the first again until all places are taken.
fn filled(values: &[Value]) -> impl Iterator<Item = Value> {
    values.iter().copied().cycle().take(lanes(values.len()))
}

impl Writing<'_> {
    /// Writes the block of a value, if it belongs to one that is not written yet; whether it belongs to one.
    pub(super) fn abreast(&mut self, value: Value) -> Result<bool, EmitError> {
        let Some(&block) = self.abreast.of.get(&value) else {
            return Ok(false);
        };
        if self.abreast.written.insert(block) {
            match self.abreast.blocks.get(block).cloned() {
                Some(Piece::Rows(rows)) => self.side_by_side(&rows)?,
                Some(Piece::Angles(angles)) => self.sines(angles)?,
                None => {}
            }
        }
        Ok(true)
    }

    fn side_by_side(&mut self, rows: &[&Row]) -> Result<(), EmitError> {
        let width = rows.first().map_or(0, |row| row.values.len());
        let number = match &self.abreast.number {
            Some(number) => number.clone(),
            None => self.scope.claim("k"),
        };
        self.abreast.number = Some(number.clone());
        let table = self.table(rows)?;
        let given = match table.is_empty() {
            true => String::new(),
            false => self.scope.claim("given"),
        };
        let results = self.scope.claim("alike");
        // How each operand is written within the loop, by its values.
        let mut written: BTreeMap<Vec<Value>, Expr> = BTreeMap::new();
        let mut entries = Vec::new();
        for (place, values) in table.iter().enumerate() {
            for value in filled(values) {
                entries.push(self.operand(value)?);
            }
            let entry = Expr::variable(&given).entry(&format!("[{place}][{number}]"));
            written.insert(values.clone(), entry);
        }
        for (values, (array, place)) in &self.abreast.arrays {
            let entry = Expr::variable(array).entry(&format!("{place}[{number}]"));
            written.entry(values.clone()).or_insert(entry);
        }
        let outside = self.written.clone();
        let before = std::mem::take(&mut self.block);
        self.depth += 1;
        let mut kept: Vec<&Row> = Vec::new();
        for row in rows {
            let value = self.one_of(row, &mut written, &outside)?;
            if row.values.iter().any(|v| self.abreast.read.contains(v)) {
                let target = Target::Entry {
                    array: results.clone(),
                    place: format!("[{}][{number}]", kept.len()),
                };
                self.block.put(target, Expression::Expression(value));
                kept.push(row);
            }
        }
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.block, before);
        self.loop_of(
            inner,
            (given, entries),
            (&results, kept.len()),
            (number, width),
        );
        self.written = outside;
        for value in rows.iter().flat_map(|row| &row.values) {
            self.texts.remove(value);
        }
        for (place, row) in kept.into_iter().enumerate() {
            for (branch, value) in row.values.iter().enumerate() {
                let entry = Expr::variable(&results).entry(&format!("[{place}][{branch}]"));
                self.put(*value, entry);
            }
            let known = (results.clone(), format!("[{place}]"));
            self.abreast.arrays.insert(row.values.clone(), known);
        }
        Ok(())
    }

    /// What a row is in a loop: the value of the first branch stands for all. `written`: how rows and what is brought to them are written
    /// there; `outside`: how everything else is.
    fn one_of(
        &mut self,
        row: &Row,
        written: &mut BTreeMap<Vec<Value>, Expr>,
        outside: &BTreeMap<Value, Expr>,
    ) -> Result<Expr, EmitError> {
        let Some(&first) = row.values.first() else {
            return Err(self.not_a_number());
        };
        for operand in &row.operands {
            let Some(one) = operand.first() else { continue };
            let inside = written.get(operand).or_else(|| outside.get(one));
            if let Some(inside) = inside.cloned() {
                self.written.insert(*one, inside);
            }
        }
        let composed = self.composed(first)?;
        self.put(first, composed);
        if self.needs_name(first) {
            self.name(first)?;
        }
        for values in row.operands.iter().chain([&row.values]) {
            let own = values.first().and_then(|one| self.written.get(one));
            let own = own.filter(|_| written.contains_key(values) || *values == row.values);
            if let Some(own) = own.cloned() {
                written.insert(values.clone(), own);
            }
        }
        self.operand(first)
    }

    /// `sin_cos(&angles, &mut sines, &mut cosines);`
    fn sines(&mut self, angles: &[Value]) -> Result<(), EmitError> {
        let mut entries = Vec::new();
        for angle in filled(angles) {
            if !self.operand(angle)?.is_atom() {
                self.name(angle)?;
            }
            entries.push(self.operand(angle)?);
        }
        let names = ["angles", "sines", "cosines"].map(|name| self.scope.claim(name));
        let [list, sines, cosines] = &names;
        let zero = self.module.scalar.literal(0.0);
        self.block
            .put(Target::variable(list), Expression::Array(entries, None));
        for array in [sines, cosines] {
            self.block.set(
                array,
                Expr::atom(format!("[{zero}; {}]", lanes(angles.len()))),
            );
        }
        let passed = vec![
            Expr::variable(list).borrowed(),
            Expr::lent(sines),
            Expr::lent(cosines),
        ];
        let call = Expression::Call(Call::new("sin_cos", passed));
        self.block.put(Target::Nothing, call);
        for (function, array) in [(Unary::Sin, sines), (Unary::Cos, cosines)] {
            let values = angles
                .iter()
                .map(|angle| self.graph.find(&Op::Unary(function, *angle)));
            let values: Option<Vec<Value>> = values.collect();
            for (branch, angle) in angles.iter().enumerate() {
                if let Some(value) = self.graph.find(&Op::Unary(function, *angle)) {
                    self.put(value, Expr::variable(array).entry(&format!("[{branch}]")));
                }
            }
            if let Some(values) = values {
                self.abreast
                    .arrays
                    .insert(values, (array.clone(), String::new()));
            }
        }
        Ok(())
    }

    fn loop_of(
        &mut self,
        inner: Block,
        (given, entries): (String, Vec<Expr>),
        (results, count): (&str, usize),
        (number, width): (String, usize),
    ) {
        let zero = self.module.scalar.literal(0.0);
        let lanes = lanes(width);
        let filled = if lanes > width {
            format!(", repeated to fill {lanes} places, which processors compute at once")
        } else {
            String::new()
        };
        self.block
            .comment(format!("{width} equal branches side by side{filled}"));
        if !entries.is_empty() {
            let array = Expression::Array(entries, Some(lanes));
            self.block.put(Target::variable(given), array);
        }
        self.block
            .set(results, Expr::atom(format!("[[{zero}; {lanes}]; {count}]")));
        self.block.each(number, lanes, inner);
    }

    /// What is brought to branches: numbers and values of their own. Whatever is read within the loop has a name before it.
    fn table(&mut self, rows: &[&Row]) -> Result<Vec<Vec<Value>>, EmitError> {
        let own: BTreeSet<&Vec<Value>> = rows.iter().map(|row| &row.values).collect();
        let mut table: Vec<Vec<Value>> = Vec::new();
        let mut known: BTreeSet<Vec<Value>> = BTreeSet::new();
        for operand in rows.iter().flat_map(|row| &row.operands) {
            if own.contains(operand) || self.abreast.arrays.contains_key(operand) {
                continue;
            }
            if !known.insert(operand.clone()) {
                continue;
            }
            for value in operand {
                let is_number = matches!(self.graph.op(*value), Op::Constant(_) | Op::Pi);
                let is_atom = self.operand(*value)?.is_atom();
                if !is_number && !is_atom {
                    self.name(*value)?;
                }
            }
            if operand.windows(2).any(|pair| pair[0] != pair[1]) {
                table.push(operand.clone());
            }
        }
        Ok(table)
    }
}
