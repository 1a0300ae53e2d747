//! Equal branches of random machines of arithmetic, each with numbers, signs and an order of its own.

use super::aligned;
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::{Binary, Function, Graph, Interface, Op, Program, Rational, Slot, Unary, Value};

/// Pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn number(&mut self) -> f64 {
        self.below(1000) as f64 / 500.0 - 1.0 + 0.0005
    }
}

struct Point(Vec<Vec<f64>>);

impl Host for Point {
    fn slot(&self, slot: Slot) -> f64 {
        self.0[slot.group as usize][slot.index as usize]
    }

    fn call(&self, _: u32, _: &[f64]) -> Jet {
        Jet::default()
    }
}

/// Inputs of each branch.
const OWN: usize = 4;
/// Inputs that all have.
const COMMON: usize = 3;

/// The steps of a branch: what is done with which two of the values before.
type Recipe = Vec<(usize, usize, usize)>;

fn recipe(dice: &mut Dice, length: usize, first: usize) -> Recipe {
    let mut steps = Vec::new();
    for k in 0..length {
        let recent = |dice: &mut Dice| {
            let n = first + k;
            n - 1 - dice.below(n.min(9))
        };
        let (a, b) = (recent(dice), recent(dice));
        steps.push((dice.below(5), a, b));
    }
    steps
}

/// A branch by its recipe; numbers have signs of its own, and what can be said the other way round is, now and then.
fn branch(
    g: &mut Graph,
    dice: &mut Dice,
    recipe: &Recipe,
    given: &[Value],
    mirrored: bool,
) -> Vec<Value> {
    let mut values = given.to_vec();
    for (k, (what, a, b)) in recipe.iter().enumerate() {
        let (a, b) = (values[*a], values[*b]);
        let swapped = dice.below(2) == 1;
        let value = match what {
            0 => {
                // Nearly the same in all branches, and none of two steps.
                let size = 3000 + 100 * k as i64 + dice.below(20) as i64;
                let signed = if mirrored && k % 3 == 0 { -size } else { size };
                let number = g.rational(&Rational::new(signed.into(), 1000.into()));
                let term = g.intern(Op::Binary(Binary::Mul, number, a));
                match (mirrored && k % 3 == 0, swapped) {
                    // a mirrored number with the sign that makes up for it, or without
                    (true, true) => g.intern(Op::Binary(Binary::Sub, b, term)),
                    _ => g.intern(Op::Binary(Binary::Add, b, term)),
                }
            }
            1 => g.intern(Op::Binary(Binary::Mul, a, b)),
            2 => g.intern(Op::Binary(Binary::Sub, a, b)),
            3 if mirrored && swapped => {
                let opposite = g.intern(Op::Unary(Unary::Neg, a));
                g.intern(Op::Binary(Binary::Sub, b, opposite))
            }
            3 => g.intern(Op::Binary(Binary::Add, a, b)),
            _ => {
                let square = g.intern(Op::Binary(Binary::Mul, b, b));
                let one = g.one();
                let divisor = g.intern(Op::Binary(Binary::Add, square, one));
                g.intern(Op::Binary(Binary::Div, a, divisor))
            }
        };
        values.push(value);
    }
    values.split_off(given.len())
}

/// Branches on a base: their way in, what the base makes of it, their way out.
fn machine(seed: u64, branches: usize) -> Program {
    let mut dice = Dice(seed);
    let mut g = Graph::new();
    let input = |g: &mut Graph, group: u8, index: usize| {
        let index = index as u32;
        g.input(Slot { group, index })
    };
    let common: Vec<Value> = (0..COMMON).map(|k| input(&mut g, 0, k)).collect();
    let first = recipe(&mut dice, 40, OWN + 2 + COMMON);
    let second = recipe(&mut dice, 25, OWN + 3);
    let mut ends = Vec::new();
    let mut owns = Vec::new();
    for k in 0..branches {
        let mut own: Vec<Value> = common.clone();
        own.extend((0..OWN).map(|i| input(&mut g, 1, k * OWN + i)));
        let angle = own[COMMON];
        own.extend([Unary::Sin, Unary::Cos].map(|f| g.intern(Op::Unary(f, angle))));
        let values = branch(&mut g, &mut dice, &first, &own, k % 2 == 1);
        ends.push(values.iter().rev().take(3).copied().collect::<Vec<_>>());
        owns.push(own);
    }
    let mut base = common[0];
    for end in ends.iter().flatten() {
        base = g.intern(Op::Binary(Binary::Add, base, *end));
    }
    let mut outputs = vec![base];
    for (k, own) in owns.iter().enumerate() {
        let mut given = own[COMMON..COMMON + OWN].to_vec();
        given.extend([base, ends[k][0], ends[k][1]]);
        let values = branch(&mut g, &mut dice, &second, &given, k % 2 == 1);
        outputs.extend(values.iter().rev().take(2));
    }
    program(g, outputs)
}

/// One function with these outputs.
fn program(graph: Graph, outputs: Vec<Value>) -> Program {
    Program {
        graph,
        interface: Interface::default(),
        functions: vec![Function {
            name: "f".into(),
            outputs,
            checks: Vec::new(),
        }],
    }
}

fn values(program: &Program, point: &Point) -> Vec<f64> {
    let function = &program.functions[0];
    Evaluator::new(program, function).run(point).unwrap()
}

#[test]
fn aligned_programs_compute_the_same() {
    let mut met = 0;
    for seed in 0..60 {
        let branches = 2 + seed as usize % 5;
        let program = machine(seed, branches);
        let Some((other, found)) = aligned(&program, &[]) else {
            continue;
        };
        assert_eq!(other.graph.check(), Ok(()), "seed {seed}");
        met += usize::from(branches >= 4 && found.rows.len() >= 30);
        let mut dice = Dice(seed + 1000);
        for _ in 0..4 {
            let mut group = |n: usize| (0..n).map(|_| dice.number()).collect::<Vec<f64>>();
            let point = Point(vec![group(COMMON), group(branches * OWN)]);
            let (old, new) = (values(&program, &point), values(&other, &point));
            let scale = old.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            for (old, new) in old.iter().zip(&new) {
                let off = (old - new).abs();
                assert!(off <= 1e-9 * scale, "seed {seed}: {old} and {new}");
            }
        }
    }
    // Most of the machines have rows for most of what branches do; few branches are worth it less often.
    assert!(met >= 30, "{met} of 36");
}

/// What a row says of itself is what the instructions are: each value is its instruction with the operands of its branch.
#[test]
fn rows_are_what_the_graph_says() {
    for seed in 0..30 {
        let Some((program, found)) = aligned(&machine(seed, 4), &[]) else {
            continue;
        };
        let mut known = std::collections::BTreeSet::new();
        for row in &found.rows {
            assert!(row.values.len() > 1);
            for (branch, value) in row.values.iter().enumerate() {
                let [a, b] = [&row.operands[0][branch], &row.operands[1][branch]];
                let forwards = Op::Binary(row.op, *a, *b);
                let backwards = Op::Binary(row.op, *b, *a);
                let op = program.graph.op(*value);
                assert!(
                    *op == forwards || row.op.commutes() && *op == backwards,
                    "{op:?}"
                );
                assert!(known.insert(*value), "seed {seed}: {value} is in two rows");
            }
        }
    }
}

/// Two terms of a branch whose numbers tell which is which, in any order.
#[test]
fn numbers_tell_terms_apart() {
    let sizes = [2.0, 3.0, 5.0];
    let others = [5.01, 2.02, 2.97];
    let found = super::size::pairs(&sizes, &others, |_, _| true);
    assert_eq!(found, [Some(1), Some(2), Some(0)]);
    let found = super::size::pairs(&sizes, &others, |i, j| (i, j) != (2, 0));
    assert_eq!(found, [Some(1), Some(2), None]);
}

/// Legs that read `b - a` and `a - b`, and values of the base that two of four legs share.
#[test]
fn what_is_said_otherwise_is_the_same() {
    let mut g = Graph::new();
    let input = |g: &mut Graph, group: u8, index: u32| g.input(Slot { group, index });
    let base: Vec<Value> = (0..3).map(|k| input(&mut g, 0, k)).collect();
    let mut outputs = Vec::new();
    for leg in 0..4 {
        let own: Vec<Value> = (0..4).map(|k| input(&mut g, 1, 4 * leg + k)).collect();
        let mut op = |op: Binary, a: Value, b: Value| g.intern(Op::Binary(op, a, b));
        // Of the base: the same for the first two and for the last two.
        let of_base = match leg {
            0 | 1 => op(Binary::Sub, base[0], base[1]),
            _ => op(Binary::Sub, base[1], base[2]),
        };
        let mut last = own[0];
        for step in 0..15 {
            let (a, b) = (own[step % 4], own[(step + 1) % 4]);
            // A difference, read twice; half of the legs have its opposite, and once itself.
            let difference = op(Binary::Sub, last, b);
            let opposite = op(Binary::Sub, b, last);
            let shifted = op(Binary::Add, difference, base[2]);
            let product = match leg % 2 {
                0 => op(Binary::Mul, difference, a),
                _ => op(Binary::Mul, opposite, a),
            };
            let turned = match leg % 2 {
                0 => op(Binary::Add, shifted, product),
                _ => op(Binary::Sub, shifted, product),
            };
            let square = op(Binary::Mul, turned, b);
            last = op(Binary::Add, square, of_base);
            outputs.push(last);
        }
    }
    let program = self::program(g, outputs);
    let (other, found) = aligned(&program, &[]).expect("four legs");
    assert!(found.rows.len() >= 50, "{}", found.rows.len());
    let mut dice = Dice(7);
    let mut group = |n: usize| (0..n).map(|_| dice.number()).collect::<Vec<f64>>();
    let point = Point(vec![group(3), group(16)]);
    for (old, new) in values(&program, &point).iter().zip(values(&other, &point)) {
        assert!(
            (old - new).abs() <= 1e-9 * old.abs().max(1.0),
            "{old} and {new}"
        );
    }
}

/// A program without equal branches is left as it is.
#[test]
fn what_has_no_branches_has_no_rows() {
    let mut g = Graph::new();
    let x: Vec<Value> = (0..6)
        .map(|index| g.input(Slot { group: 0, index }))
        .collect();
    let mut dice = Dice(5);
    let chain = recipe(&mut dice, 80, 6);
    let outputs = branch(&mut g, &mut dice, &chain, &x, false);
    let program = self::program(g, outputs[78..].to_vec());
    assert!(aligned(&program, &[]).is_none());
}
