use super::*;
use crate::field::Residue;
use crate::ir::field::evaluate_at;
use crate::ir::interpret::Evaluator;
use crate::ir::testing::{Build, Point, program, read};
use crate::ir::{Binary, Function, Program, RoutineKind, Slot, Unary};

fn leaf(graph: &mut Graph, index: u32) -> Value {
    graph.input(Slot { group: 0, index })
}

fn run(program: &Program, outputs: &[Value], at: [f64; 5]) -> Result<Vec<f64>, String> {
    let function = Function {
        name: String::new(),
        outputs: outputs.to_vec(),
        checks: Vec::new(),
    };
    let mut evaluator = Evaluator::new(program, &function);
    evaluator.run(&Point(at)).map_err(|f| f.to_string())
}

/// Both directions against central differences of fourth order.
fn held_against_differences(program: &mut Program, roots: &[Value], at: [f64; 5], leaves: &[u32]) {
    let inputs: Vec<Value> = leaves
        .iter()
        .map(|i| leaf(&mut program.graph, *i))
        .collect();
    let h = 1e-3;
    let mut expected = vec![0.0; roots.len() * leaves.len()];
    for (k, leaf) in leaves.iter().enumerate() {
        let there = |steps: f64| {
            let mut moved = at;
            moved[*leaf as usize] += steps * h;
            run(program, roots, moved).unwrap()
        };
        let (a, b, c, d) = (there(-2.0), there(-1.0), there(1.0), there(2.0));
        for i in 0..roots.len() {
            let slope = (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h);
            expected[i * leaves.len() + k] = slope;
        }
    }
    let base = program.graph.clone();
    let live = base.live(roots);
    let active = active(&base, &live, &inputs);
    let smooth = !live
        .iter()
        .any(|v| matches!(base.op(*v), Op::Routine { .. }));
    let mut forward = base.clone();
    let entries = forward::sweep(
        &mut Sweep::new(&mut forward),
        &live,
        &active,
        roots,
        &inputs,
    )
    .unwrap();
    let mut found = vec![(forward, entries)];
    if smooth {
        let mut reverse = base.clone();
        let entries =
            reverse::sweep(&mut Sweep::new(&mut reverse), &active, roots, &inputs).unwrap();
        found.push((reverse, entries));
    }
    for (graph, entries) in found {
        let program = Program {
            graph,
            interface: program.interface.clone(),
            functions: Vec::new(),
        };
        let values = run(&program, &entries, at).unwrap();
        for (value, expected) in values.iter().zip(&expected) {
            let scale = expected.abs().max(1.0);
            assert!(
                (value - expected).abs() < 1e-8 * scale,
                "{value} for {expected}"
            );
        }
    }
}

#[test]
fn every_instruction_has_the_slope_of_its_values() {
    let at = [0.3, -0.7, 1.9, 2.4, 0.6];
    for text in [
        "(neg a)",
        "(sin (* a b))",
        "(cos (* a b))",
        "(tan (+ a b))",
        "(asin (* a b))",
        "(acos (* a b))",
        "(atan (* c b))",
        "(sinh (* a c))",
        "(cosh (* a b))",
        "(tanh (* a c))",
        "(asinh (* b c))",
        "(acosh (* c d))",
        "(atanh (* a b))",
        "(sqrt (* c d))",
        "(exp (* a b))",
        "(ln (* c d))",
        "(abs (* b c))",
        "(* (sign b) c)",
        "(- (* a a) (* b c))",
        "(/ (* a b) (+ c (* d d)))",
        "(atan2 (* a b) (- c d))",
        "(^ c 5/2)",
        "(^ c 1/3)",
        "(^ c -2/3)",
        "(^ c (* a b))",
        "(min (* a b) (* c d))",
        "(max (* a b) (* c d))",
        "(< a b (* c d) (* c b))",
        "(> a b (* c d) (* c b))",
        "(F (* a c) (+ b d))",
        "(/ (sin a) (+ 2 (cos (+ a (sin a)))))",
    ] {
        let mut program = program(Build::Folded, &[text]);
        let roots = program.functions[0].outputs.clone();
        held_against_differences(&mut program, &roots, at, &[0, 1, 2, 3, 4]);
    }
}

#[test]
fn routines_change_with_their_operands() {
    let at = [0.3, -0.7, 1.9, 2.4, 0.6];
    let mut p = program(Build::Folded, &["a"]);
    let g = &mut p.graph;
    let mut r = |text: &str| read(g, Build::Folded, text);
    // M, F, A, b with entries that all change.
    let entries = [
        "(+ 3 (* a a))",
        "(* a b)",
        "0",
        "(* a b)",
        "(+ 4 (* c c))",
        "(sin d)",
        "0",
        "(sin d)",
        "5",
        "(* c d)",
        "(cos a)",
        "b",
        "1",
        "(* a c)",
        "(sin b)",
        "(* d d)",
        "e",
        "b",
        "(+ a e)",
        "(* b c)",
    ];
    let operands: Vec<Value> = entries.iter().map(|t| r(t)).collect();
    let solved = g.routine(RoutineKind::Constrained { n: 3, m: 2 }, &operands);
    let roots: Vec<Value> = (0..5).map(|i| g.element(solved, i)).collect();
    held_against_differences(&mut p, &roots, at, &[0, 1, 2, 3, 4]);
    // More unknowns than equations, so that the null space counts.
    let g = &mut p.graph;
    let mut r = |text: &str| read(g, Build::Folded, text);
    let entries = [
        "a", "(* b c)", "1", "(sin d)", "c", "(* a d)", "(+ a b)", "e",
    ];
    let operands: Vec<Value> = entries.iter().map(|t| r(t)).collect();
    let solved = g.routine(RoutineKind::MinimumNorm { rows: 2, cols: 3 }, &operands);
    let roots: Vec<Value> = (0..3).map(|i| g.element(solved, i)).collect();
    held_against_differences(&mut p, &roots, at, &[0, 1, 2, 3, 4]);
    // Two rows that say the same: rank 1 wherever the leaves are.
    let g = &mut p.graph;
    let mut r = |text: &str| read(g, Build::Folded, text);
    let entries = ["a", "b", "(* 2 a)", "(* 2 b)", "c", "(* 2 c)"];
    let operands: Vec<Value> = entries.iter().map(|t| r(t)).collect();
    let solved = g.routine(RoutineKind::MinimumNorm { rows: 2, cols: 2 }, &operands);
    let roots: Vec<Value> = (0..2).map(|i| g.element(solved, i)).collect();
    held_against_differences(&mut p, &roots, at, &[0, 1, 2]);
}

/// A residue and its derivatives in two directions.
type Dual = (Residue, [Residue; 2]);

/// The values of a graph of field operations by dual numbers, written against the definitions and not the module's rules.
fn dual(graph: &Graph, value: Value, at: &dyn Fn(u32) -> Dual) -> Option<Dual> {
    let zip = |x: [Residue; 2], y: [Residue; 2], f: &dyn Fn(Residue, Residue) -> Residue| {
        [f(x[0], y[0]), f(x[1], y[1])]
    };
    Some(match graph.op(value) {
        Op::Constant(c) => (Residue::from_rational(c)?, [Residue::ZERO; 2]),
        Op::Input(slot) => at(slot.index),
        Op::Unary(Unary::Neg, a) => {
            let (x, d) = dual(graph, *a, at)?;
            (-x, d.map(|d| -d))
        }
        Op::Binary(op, a, b) => {
            let ((x, dx), (y, dy)) = (dual(graph, *a, at)?, dual(graph, *b, at)?);
            match op {
                Binary::Add => (x + y, zip(dx, dy, &|a, b| a + b)),
                Binary::Sub => (x - y, zip(dx, dy, &|a, b| a - b)),
                Binary::Mul => (x * y, zip(dx, dy, &|a, b| a * y + x * b)),
                Binary::Div => {
                    let r = y.inverse()?;
                    (x * r, zip(dx, dy, &|a, b| (a * y - x * b) * r * r))
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

#[test]
fn rational_functions_agree_with_dual_numbers_exactly() {
    let mut graph = Graph::new();
    let (mut x, mut y) = (leaf(&mut graph, 0), leaf(&mut graph, 1));
    let leaves = [x, y];
    for k in 1..7 {
        let number = graph.integer(k);
        let product = graph.mul(x, y);
        let sum = graph.add(product, number);
        let quotient = graph.div(x, sum);
        let square = graph.mul(quotient, quotient);
        (x, y) = (graph.sub(square, y), graph.add(quotient, sum));
    }
    let found = jacobian(&mut graph, &[x, y], &leaves).unwrap();
    assert!(found.poles.is_empty());
    for seed in [3_u64, 17, 1 << 40] {
        let input = |i: u32| Residue::from_integer((seed as i64) + 7 * i64::from(i));
        let at = |i: u32| {
            let direction = |k: u32| Residue::from_integer(i64::from(i == k));
            (input(i), [direction(0), direction(1)])
        };
        let values = evaluate_at(&graph, &found.entries, 1, |slot| input(slot.index)).unwrap();
        let rows = [x, y].map(|root| dual(&graph, root, &at).unwrap().1);
        assert_eq!(values, rows.concat());
    }
}

#[test]
fn what_vanishes_identically_is_zero() {
    let mut graph = Graph::new();
    let mut r = |text: &str| read(&mut graph, Build::Raw, text);
    let constant = r("(+ (* (sin a) (sin a)) (* (cos a) (cos a)))");
    let other = r("(- (* (+ a b) (+ a b)) (* a a))");
    let leaves = [0, 1, 2].map(|i| leaf(&mut graph, i));
    let zero = graph.zero();
    let found = jacobian(&mut graph, &[constant, other], &leaves).unwrap();
    assert_eq!(&found.entries[..3], [zero; 3]);
    assert_eq!(found.entries[5], zero);
    assert!(found.entries[3] != zero && found.entries[4] != zero);
}

#[test]
fn the_cheaper_direction_is_taken() {
    let mut graph = Graph::new();
    let inputs: Vec<Value> = (0..12).map(|i| leaf(&mut graph, i)).collect();
    // One function of many numbers, a chain of products.
    let mut product = graph.one();
    for x in &inputs {
        let s = graph.unary(Unary::Sin, *x);
        let sum = graph.add(product, s);
        product = graph.mul(sum, *x);
    }
    let found = jacobian(&mut graph, &[product], &inputs).unwrap();
    assert_eq!(found.direction, Direction::Reverse);
    // At most four times the function (Griewank & Walther 2008, 4.6), sines and cosines alike.
    let whole = graph.count(&found.entries).total();
    assert!(whole <= 4 * graph.count(&[product]).total(), "{whole}");
    // Many functions of one number.
    let t = inputs[0];
    let roots: Vec<Value> = (1..12)
        .map(|k| {
            let k = graph.integer(k);
            let turned = graph.mul(k, t);
            graph.unary(Unary::Sin, turned)
        })
        .collect();
    let found = jacobian(&mut graph, &roots, &[t]).unwrap();
    assert_eq!(found.direction, Direction::Forward);
}

#[test]
fn poles_of_derivatives_are_on_record_and_jets_end() {
    let mut graph = Graph::new();
    let root = read(&mut graph, Build::Folded, "(+ (sqrt a) (/ 1 b))");
    let leaves = [0, 1].map(|i| leaf(&mut graph, i));
    let found = jacobian(&mut graph, &[root], &leaves).unwrap();
    let sqrt = read(&mut graph, Build::Folded, "(sqrt a)");
    let pole = Pole {
        divisor: sqrt,
        of: sqrt,
    };
    assert_eq!(found.poles, [pole]);
    let call = graph.call(0, &leaves);
    let second = graph.jet(call, crate::ir::Part::Hessian(0, 1));
    let refused = jacobian(&mut graph, &[second], &leaves);
    assert_eq!(
        refused.unwrap_err(),
        Obstacle::ThirdDerivative { function: 0 }
    );
    assert_eq!(
        jacobian(&mut graph, &[call], &leaves).unwrap_err(),
        Obstacle::NotANumber
    );
}
