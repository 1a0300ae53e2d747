//! What values are made of, as hashes, and a program renumbered by them. The numbers of values decide in which order the operands of
//! a sum or a product stand, in which order values are computed and which of two equal choices is taken; a derivation hands them
//! out in the order in which it comes across things. By content, a change of a model moves what changed and nothing else.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Binary, Graph, Op, Program, Slot, Unary, Value};

/// The same program, its values in the order of their content; what nothing needs is left out. `tags` says what kind of thing an input
/// is (its unit, say); those that it leaves out count by their group.
pub fn canonical(program: &Program, tags: &BTreeMap<Slot, u64>) -> Program {
    let old = &program.graph;
    let mut order = super::optimise::live(program);
    let places = places(old, tags, &order);
    order.sort_by_key(|value| places.get(value));
    let mut graph = Graph::new();
    let mut map: BTreeMap<Value, Value> = BTreeMap::new();
    for value in order {
        let op = old.op(value).map(|operand| moved(&graph, &map, operand));
        let place = graph.intern(op);
        map.insert(value, place);
        if let Some(name) = old.name_of(value) {
            graph.name(place, name);
        }
    }
    super::optimise::with_functions(program, graph, |graph, value| moved(graph, &map, value))
}

/// Where `value` went in `graph`.
fn moved(graph: &Graph, map: &BTreeMap<Value, Value>, value: Value) -> Value {
    map.get(&value).copied().unwrap_or_else(|| {
        graph
            .witness()
            .note(format!("{value} is used before its definition"));
        graph.zero()
    })
}

/// What values are sorted by: nested operations, so that operands come first; inputs that go into it, those declared first before
/// others; what is done with them; and the number it had.
type Place = (usize, Reverse<u128>, u64, Value);

fn places(graph: &Graph, tags: &BTreeMap<Slot, u64>, order: &[Value]) -> BTreeMap<Value, Place> {
    let slots: BTreeSet<Slot> = order.iter().filter_map(|v| slot(graph.op(*v))).collect();
    let bits: BTreeMap<Slot, u128> = slots
        .into_iter()
        .enumerate()
        .map(|(rank, slot)| (slot, 1_u128.rotate_right(1) >> rank.min(127)))
        .collect();
    let mut content = Content::new(graph, tags.clone());
    let mut places: BTreeMap<Value, Place> = BTreeMap::new();
    for &value in order {
        let op = graph.op(value);
        let own = slot(op).and_then(|slot| bits.get(&slot));
        let mut inputs = own.copied().unwrap_or(0);
        let mut height = 0;
        for operand in op.operands() {
            if let Some(place) = places.get(&operand) {
                height = height.max(place.0 + 1);
                inputs |= place.1.0;
            }
        }
        let hash = content.of(value, DEEPEST);
        places.insert(value, (height, Reverse(inputs), hash, value));
    }
    places
}

fn slot(op: &Op) -> Option<Slot> {
    match op {
        Op::Input(slot) => Some(*slot),
        _ => None,
    }
}

/// Operations down to which content is told apart: what changes deeper down renames nothing.
pub const DEEPEST: usize = 3;

/// Hashes by value and depth; looked up and never listed.
type Known = FxHashMap<(Value, usize), u64>;

/// Hashes of what values are made of: operations, numbers, and kinds of inputs. Neither the order of terms and factors matters nor
/// what inputs are called and where they are declared, and nothing that lies deeper than a few operations.
#[derive(Clone, Debug)]
pub struct Content<'g> {
    graph: &'g Graph,
    tags: BTreeMap<Slot, u64>,
    known: Known,
    sums: Known,
    products: Known,
}

impl<'g> Content<'g> {
    /// Nothing is computed yet. For `tags` see [`canonical`].
    pub fn new(graph: &'g Graph, tags: BTreeMap<Slot, u64>) -> Self {
        Self {
            graph,
            tags,
            known: Known::default(),
            sums: Known::default(),
            products: Known::default(),
        }
    }

    /// Three letters that belong to what a value is made of, down to a depth.
    pub fn code(&mut self, value: Value, depth: usize) -> String {
        // No vowels: these are no words.
        const LETTERS: [char; 20] = [
            'b', 'c', 'd', 'f', 'g', 'h', 'j', 'k', 'l', 'm', 'n', 'p', 'q', 'r', 's', 't', 'v',
            'w', 'x', 'z',
        ];
        let mut rest = self.of(value, depth);
        let mut code = String::new();
        for _ in 0..3 {
            let digit = (rest % LETTERS.len() as u64) as usize;
            rest /= LETTERS.len() as u64;
            code.extend(LETTERS.get(digit));
        }
        code
    }

    /// The hash of a value down to a depth; a sum of many terms counts as one operation, and so does a product.
    fn of(&mut self, value: Value, depth: usize) -> u64 {
        if let Some(&known) = self.known.get(&(value, depth)) {
            return known;
        }
        let graph = self.graph;
        let op = graph.op(value);
        let kind = kind(op);
        let hash = match op {
            Op::Constant(number) => mixed(kind, text(&number.to_string())),
            Op::Input(slot) => {
                let tag = self.tags.get(slot).copied().unwrap_or(0);
                mixed(kind, mixed(u64::from(slot.group), tag))
            }
            _ if depth == 0 => mixed(kind, 0),
            Op::Binary(Binary::Add | Binary::Sub, ..) | Op::Unary(Unary::Neg, _) => {
                mixed(text("sum"), self.terms(value, depth))
            }
            Op::Binary(Binary::Mul, ..) => mixed(text("product"), self.factors(value, depth)),
            Op::Binary(Binary::Min | Binary::Max, a, b) => {
                let both = self.of(*a, depth - 1).wrapping_add(self.of(*b, depth - 1));
                mixed(kind, both)
            }
            _ => {
                let operands: Vec<Value> = op.operands().collect();
                let mut hash = kind;
                for operand in operands {
                    hash = mixed(hash, self.of(operand, depth - 1));
                }
                hash
            }
        };
        self.known.insert((value, depth), hash);
        hash
    }

    /// The terms of a sum, whatever their order; with `a - b` the negative of `b - a`.
    fn terms(&mut self, value: Value, depth: usize) -> u64 {
        self.chain(
            value,
            depth,
            |content| &mut content.sums,
            |op| match *op {
                Op::Binary(Binary::Add, a, b) => Some([(a, false), (b, false)].to_vec()),
                Op::Binary(Binary::Sub, a, b) => Some([(a, false), (b, true)].to_vec()),
                Op::Unary(Unary::Neg, a) => Some([(a, true)].to_vec()),
                _ => None,
            },
        )
    }

    /// The factors of a product, whatever their order.
    fn factors(&mut self, value: Value, depth: usize) -> u64 {
        self.chain(
            value,
            depth,
            |content| &mut content.products,
            |op| match *op {
                Op::Binary(Binary::Mul, a, b) => Some([(a, false), (b, false)].to_vec()),
                _ => None,
            },
        )
    }

    /// The sum of the hashes of all links of a chain. On a stack of its own: chains can be very long.
    fn chain(
        &mut self,
        value: Value,
        depth: usize,
        table: fn(&mut Self) -> &mut Known,
        links: fn(&Op) -> Option<Links>,
    ) -> u64 {
        let graph = self.graph;
        let mut stack = vec![(value, false)];
        while let Some((at, entered)) = stack.pop() {
            if table(self).contains_key(&(at, depth)) {
                continue;
            }
            let hash = match links(graph.op(at)) {
                None => mixed(self.of(at, depth - 1), 1),
                Some(links) if !entered => {
                    stack.push((at, true));
                    stack.extend(links.iter().map(|link| (link.0, false)));
                    continue;
                }
                Some(links) => links.iter().fold(0_u64, |sum, (link, negative)| {
                    let hash = table(self).get(&(*link, depth)).copied().unwrap_or(0);
                    if *negative {
                        sum.wrapping_sub(hash)
                    } else {
                        sum.wrapping_add(hash)
                    }
                }),
            };
            table(self).insert((at, depth), hash);
        }
        table(self).get(&(value, depth)).copied().unwrap_or(0)
    }
}

/// Links of a chain, and whether they are subtracted.
type Links = Vec<(Value, bool)>;

/// What an operation is, without its operands.
fn kind(op: &Op) -> u64 {
    match op {
        Op::Constant(_) => text("number"),
        Op::Pi => text("pi"),
        Op::Input(_) => text("input"),
        Op::Unary(op, _) => text(&format!("{op:?}")),
        Op::Binary(op, ..) => text(&format!("{op:?}")),
        Op::Select { test, .. } => text(&format!("{test:?}")),
        Op::Call { function, .. } => mixed(text("call"), u64::from(*function)),
        Op::Jet { part, .. } => text(&format!("{part:?}")),
        Op::Routine { kind, .. } => text(&format!("{kind:?}")),
        Op::Element { index, .. } => mixed(text("element"), u64::from(*index)),
    }
}

/// The hash of a text: FNV-1a.
pub fn text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The finaliser of SplitMix64, of two numbers.
fn mixed(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(23) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
