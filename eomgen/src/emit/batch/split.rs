//! A function taken apart for many states at once.
//!
//! What a processor does on several numbers side by side is plain arithmetic. So the function becomes a chain of stages: a part of
//! plain arithmetic, then the sines and cosines of some of its results, then the calls that have to be made state by state
//! (functions of the user's, exponentials and their like), then the next part. A value that a later stage reads is kept in a column
//! of its own; a value is worked out in the earliest stage that reads it, no sooner. What depends on the parameters alone, single
//! parameters included, is read from the model.
//!
//! The checks become one number, 1 where all of them hold and 0 elsewhere.

use std::collections::BTreeMap;

/// Cycles from which on a function is a call and no instruction of the processor.
const CALL: u32 = 40;

use crate::emit::module::{Math, Module, Scalar};
use crate::ir::{Binary, Comparison, Function, Graph, Op, Prepared, Rational, Slot, Unary, Value};

/// Input groups of the parts, besides the module's own.
pub const CONSTANTS: u8 = 200;
/// Sines.
pub const SINES: u8 = 201;
/// Cosines.
pub const COSINES: u8 = 202;
/// Results of earlier stages.
pub const KNOWN: u8 = 203;

/// A function in stages.
#[derive(Debug)]
pub struct Split {
    /// What depends on the parameters alone, in the order of the entries of [`CONSTANTS`]: values of the module's graph.
    pub constants: Vec<Value>,
    /// The stages in their order.
    pub stages: Vec<Stage>,
    /// How many angles there are.
    pub angles: usize,
    /// How many columns of results of earlier stages.
    pub known: usize,
    /// Whether some state can be one that the checks refuse.
    pub checked: bool,
}

/// Arithmetic, then what is not arithmetic.
#[derive(Debug)]
pub struct Stage {
    /// The arithmetic.
    pub arithmetic: Part,
    /// The angles whose sines and cosines come next: where each is found.
    pub angles: Vec<Slot>,
    /// What is called state by state.
    pub calls: Part,
}

/// Outputs in a graph of their own, and where they go.
#[derive(Debug, Default)]
pub struct Part {
    /// The expressions.
    pub graph: Graph,
    /// The outputs.
    pub outputs: Vec<Value>,
    /// Where each goes.
    pub to: Vec<Place>,
}

/// Where an output of a part goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A column for later stages.
    Known(usize),
    /// An output of the function.
    Out(usize),
    /// Whether the checks hold.
    Sound,
}

/// Results of more entries are not written side by side: compilers give up such loops, which then take longer than one state after the other. Of 49 entries they take
/// 0.4 of that, of 228 entries 1.3 (`-O`, 512-bit vectors).
pub const WIDEST: usize = 100;

/// The stages of a function; `None` if it goes state by state: it needs a numerical routine, or has too many results.
pub fn split(module: &Module, function: &Function) -> Option<Split> {
    if function.outputs.len() > WIDEST {
        return None;
    }
    let mut graph = module.graph.clone();
    let sound = soundness(&mut graph, function, module.scalar);
    let mut roots = function.outputs.clone();
    roots.extend(sound);
    let order = graph.live(&roots);
    let is_routine = |&v: &Value| matches!(graph.op(v), Op::Routine { .. });
    if order.iter().any(is_routine) {
        return None;
    }
    let mut taking = Taking::new(graph, order, module);
    let last = taking.classify(&roots);
    let mut stages: Vec<Stage> = (0..=last).map(|stage| taking.stage(stage, last)).collect();
    let places = (0..function.outputs.len()).map(Place::Out);
    let places: Vec<Place> = places.chain(sound.map(|_| Place::Sound)).collect();
    let outputs = taking.part(&roots, places, Some(last));
    if let Some(stage) = stages.last_mut() {
        stage.arithmetic = outputs;
    }
    let constants = std::mem::take(&mut taking.constants);
    Some(Split {
        constants,
        stages,
        angles: taking.angles.len(),
        known: taking.slots.len(),
        checked: sound.is_some(),
    })
}

/// 1 where all checks hold, 0 elsewhere; `None` if they hold everywhere.
fn soundness(graph: &mut Graph, function: &Function, scalar: Scalar) -> Option<Value> {
    // As in the module's own `check`.
    let parts = if scalar == Scalar::F32 {
        2000
    } else {
        1_000_000_000
    };
    let tolerance = Rational::new(1.into(), parts.into());
    let tolerance = graph.rational(&tolerance);
    let (zero, one) = (graph.zero(), graph.one());
    let mut sound = one;
    for check in &function.checks {
        let size = graph.unary(Unary::Abs, check.value);
        let scale = check.scale.unwrap_or(zero);
        let scale = graph.unary(Unary::Abs, scale);
        let least = graph.mul(tolerance, scale);
        sound = graph.select(Comparison::Greater, size, least, sound, zero);
    }
    (sound != one).then_some(sound)
}

/// A function that is being taken apart.
struct Taking {
    graph: Graph,
    /// What is needed, operands first.
    order: Vec<Value>,
    math: Math,
    /// Which values of the module depend on parameters alone.
    uniform: Vec<bool>,
    /// How many stages must come before a value is known.
    level: Vec<usize>,
    /// The first stage that reads a value.
    need: Vec<usize>,
    /// Values that a later stage or a call reads.
    kept: Vec<bool>,
    /// Uniform values that stages read.
    constants: Vec<Value>,
    /// Angles in order.
    angles: BTreeMap<Value, usize>,
    /// Columns in order.
    slots: BTreeMap<Value, usize>,
}

impl Taking {
    fn new(graph: Graph, order: Vec<Value>, module: &Module) -> Self {
        let count = graph.len();
        let of = Prepared::new(&[module.groups.params]);
        // What the checks compare with is none of the module's values: nobody prepares it.
        let own = |v: Value| v.index() < module.graph.len();
        let uniform = graph.values().map(|v| own(v) && of.is(&graph, v)).collect();
        Self {
            graph,
            order,
            math: module.math,
            uniform,
            level: vec![0; count],
            need: vec![usize::MAX; count],
            kept: vec![false; count],
            constants: Vec::new(),
            angles: BTreeMap::new(),
            slots: BTreeMap::new(),
        }
    }

    /// Whether a value is not plain arithmetic: a stage ends before it.
    fn is_called(&self, value: Value) -> bool {
        match self.graph.op(value) {
            Op::Unary(Unary::Sqrt, _) => self.math == Math::Libm,
            Op::Unary(Unary::Of(function), _) | Op::Binary(Binary::Of(function), ..) => {
                function.row().cycles >= CALL
            }
            Op::Call { .. } | Op::Jet { .. } => true,
            _ => false,
        }
    }

    /// The angle, if a value is a sine or cosine of one that varies.
    fn angle(&self, value: Value) -> Option<Value> {
        match *self.graph.op(value) {
            Op::Unary(Unary::Sin | Unary::Cos, angle) if !self.uniform[value.index()] => {
                Some(angle)
            }
            _ => None,
        }
    }

    /// Finds levels and needs; the last stage.
    fn classify(&mut self, roots: &[Value]) -> usize {
        for &value in &self.order {
            if self.uniform[value.index()] {
                continue;
            }
            let before = self.graph.op(value).operands();
            let before = before.map(|v| self.level[v.index()]).max().unwrap_or(0);
            let is_jet = matches!(self.graph.op(value), Op::Jet { .. });
            let ends = self.is_called(value) && !is_jet;
            self.level[value.index()] = before + usize::from(ends);
        }
        let last = self.order.iter().map(|v| self.level[v.index()]).max();
        let last = last.unwrap_or(0);
        for root in roots {
            self.need[root.index()] = last;
        }
        for &value in self.order.iter().rev() {
            if self.uniform[value.index()] {
                continue;
            }
            let called = self.is_called(value);
            let reads = if called {
                self.level[value.index()].saturating_sub(1)
            } else {
                self.need[value.index()]
            };
            for operand in self.graph.op(value).operands() {
                let need = &mut self.need[operand.index()];
                *need = reads.min(*need);
                self.kept[operand.index()] |= called;
            }
        }
        // Kept for a stage later than the one that works it out.
        let of_roots = roots.iter().map(|&root| (root, last));
        let of_users = self.order.iter().filter(|v| !self.is_called(**v));
        let of_users = of_users.filter(|v| !self.uniform[v.index()]);
        let of_users = of_users.flat_map(|&v| {
            let stage = self.need[v.index()];
            self.graph.op(v).operands().map(move |o| (o, stage))
        });
        let late: Vec<Value> = of_roots
            .chain(of_users)
            .filter(|(v, stage)| self.need[v.index()] < *stage)
            .map(|(v, _)| v)
            .collect();
        for value in late {
            self.kept[value.index()] = true;
        }
        last
    }

    /// Whether a value is worked out by the arithmetic of a stage.
    fn is_arithmetic(&self, value: Value) -> bool {
        !self.uniform[value.index()] && !self.graph.op(value).is_free() && !self.is_called(value)
    }

    fn stage(&mut self, stage: usize, last: usize) -> Stage {
        let order = self.order.clone();
        let is_kept = |this: &Self, v: Value| {
            this.is_arithmetic(v) && this.kept[v.index()] && this.need[v.index()] == stage
        };
        // The last stage's arithmetic ends with the outputs, and keeps nothing.
        let kept = order
            .iter()
            .copied()
            .filter(|&v| stage < last && is_kept(self, v));
        let kept: Vec<Value> = kept.collect();
        let places = kept.iter().map(|&v| Place::Known(self.slot(v))).collect();
        let arithmetic = self.part(&kept, places, Some(stage));
        let mut angles = Vec::new();
        let mut called = Vec::new();
        for value in order {
            let next = self.level[value.index()] == stage + 1;
            if !next || self.uniform[value.index()] || !self.is_called(value) {
                continue;
            }
            match (self.angle(value), self.graph.op(value)) {
                (Some(angle), _) => {
                    let count = self.angles.len();
                    if let std::collections::btree_map::Entry::Vacant(free) =
                        self.angles.entry(angle)
                    {
                        free.insert(count);
                        angles.push(self.column(angle));
                    }
                }
                (None, Op::Call { .. }) => {}
                (None, _) => called.push(value),
            }
        }
        let places = called.iter().map(|&v| Place::Known(self.slot(v))).collect();
        let calls = self.part(&called, places, None);
        Stage {
            arithmetic,
            angles,
            calls,
        }
    }

    /// The column of a value that is kept.
    fn slot(&mut self, value: Value) -> usize {
        let count = self.slots.len();
        *self.slots.entry(value).or_insert(count)
    }

    /// Where a stage finds an angle.
    fn column(&mut self, angle: Value) -> Slot {
        match self.graph.op(angle) {
            Op::Input(slot) => *slot,
            _ => self.read(angle),
        }
    }

    /// How a value that is known already is read.
    fn read(&mut self, value: Value) -> Slot {
        let slot = |group, index: usize| Slot {
            group,
            index: index as u32,
        };
        if self.uniform[value.index()] {
            let found = self.constants.iter().position(|&v| v == value);
            let index = found.unwrap_or_else(|| {
                self.constants.push(value);
                self.constants.len() - 1
            });
            return slot(CONSTANTS, index);
        }
        if let Some(&index) = self.angle(value).and_then(|angle| self.angles.get(&angle)) {
            let cosine = matches!(self.graph.op(value), Op::Unary(Unary::Cos, _));
            return slot(if cosine { COSINES } else { SINES }, index);
        }
        let index = self.slot(value);
        slot(KNOWN, index)
    }

    /// Outputs with all that a stage works out for them; without a stage, the calls themselves.
    fn part(&mut self, outputs: &[Value], to: Vec<Place>, stage: Option<usize>) -> Part {
        let own = |this: &Self, value: Value| match stage {
            Some(stage) => this.is_arithmetic(value) && this.need[value.index()] == stage,
            None => outputs.contains(&value) || matches!(this.graph.op(value), Op::Call { .. }),
        };
        self.build(outputs, to, own)
    }

    fn build(
        &mut self,
        outputs: &[Value],
        to: Vec<Place>,
        own: impl Fn(&Self, Value) -> bool,
    ) -> Part {
        let mut wanted = vec![false; self.graph.len()];
        for output in outputs {
            wanted[output.index()] = true;
        }
        let order = self.order.clone();
        for &value in order.iter().rev() {
            if wanted[value.index()] && own(self, value) {
                for operand in self.graph.op(value).operands() {
                    wanted[operand.index()] = true;
                }
            }
        }
        let mut graph = Graph::new();
        let mut copies: BTreeMap<Value, Value> = BTreeMap::new();
        for value in order {
            if !wanted[value.index()] {
                continue;
            }
            let op = self.graph.op(value).clone();
            let given = match &op {
                Op::Input(_) => !self.uniform[value.index()],
                op => op.is_free(),
            };
            let copy = if given || own(self, value) {
                // Operands come before their users, so they are there.
                graph.intern(op.map(|v| copies.get(&v).copied().unwrap_or(v)))
            } else {
                let slot = self.read(value);
                graph.input(slot)
            };
            if let Some(name) = self.graph.name_of(value) {
                graph.name(copy, name);
            }
            copies.insert(value, copy);
        }
        let outputs = outputs.iter().filter_map(|v| copies.get(v).copied());
        Part {
            outputs: outputs.collect(),
            graph,
            to,
        }
    }
}
