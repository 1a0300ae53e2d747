//! The intermediate representation from outside: programs written by hand, and random ones.
//!
//! Each `ir/*.ir` is a program, then sections `=== command` with what the command says of it:
//!
//! - `verify`: `ok`, or the violations;
//! - `print`, `optimise`, `optimise reciprocals`: the resulting program;
//! - `schedule f`: the values of function `f` in order;
//! - `count f`: its operations, before and after optimising;
//! - `run f 0.0=3 0.1=4`: its outputs at these inputs, or why there are none; where the program is optimised they must be the same. Every user function is x^2 y.
//!
//! `EOMGEN_BLESS=1 cargo test` writes the sections anew; read them before committing.
#![cfg(feature = "derive")]

use std::fmt::Write;
use std::path::Path;

use super::program_text;
use eomgen::internals::ir::interpret::{Evaluator, Host, Jet};
use eomgen::internals::ir::{
    Binary, Check, Comparison, ExternFunction, Function, Graph, Group, Interface, Op, Options,
    Part, Program, Rational, RoutineKind, Slot, Unary, Value, field, optimise, optimise_with,
    schedule, verify,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Inputs by slot.
struct Inputs(Vec<(Slot, f64)>);

impl Host for Inputs {
    fn slot(&self, slot: Slot) -> f64 {
        let found = self.0.iter().find(|(other, _)| *other == slot);
        found.map_or(f64::NAN, |(_, number)| *number)
    }

    fn call(&self, _: u32, args: &[f64]) -> Jet {
        let [x, y] = [args[0], args[1]];
        Jet {
            value: x * x * y,
            gradient: vec![2.0 * x * y, x * x],
            hessian: vec![2.0 * y, 2.0 * x, 2.0 * x, 0.0],
        }
    }
}

fn function<'p>(program: &'p Program, name: Option<&str>) -> &'p Function {
    let named = |f: &&Function| Some(f.name.as_str()) == name;
    let found = program.functions.iter().find(named);
    found.unwrap_or_else(|| panic!("no function {name:?}"))
}

fn run(program: &Program, name: Option<&str>, inputs: &[&str]) -> String {
    let inputs = inputs.iter().map(|input| {
        let (slot, number) = input.split_once('=').expect("slot=number");
        let (group, index) = slot.split_once('.').expect("group.index");
        let (group, index) = (group.parse().expect("group"), index.parse().expect("index"));
        (Slot { group, index }, number.parse().expect("number"))
    });
    let host = Inputs(inputs.collect());
    let better = optimise(program);
    if verify(program).is_ok() {
        let after = Evaluator::new(&better, function(&better, name)).run(&host);
        let before = Evaluator::new(program, function(program, name)).run(&host);
        if let (Ok(before), Ok(after)) = (before, after) {
            assert!(equal(&before, &after), "{before:?} became {after:?}");
        }
    }
    match Evaluator::new(program, function(program, name)).run(&host) {
        Ok(outputs) => outputs.iter().map(|x| format!("{x}\n")).collect(),
        Err(failure) => format!("{failure}\n"),
    }
}

fn answer(program: &Program, command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    let name = words.get(1).copied();
    match words[0] {
        "verify" => match verify(program) {
            Ok(()) => "ok\n".into(),
            Err(found) => found.iter().map(|v| format!("{v}\n")).collect(),
        },
        "print" => program_text::print(program),
        "optimise" => {
            let options = Options {
                reciprocals: (name == Some("reciprocals")).then_some(2),
                ..Options::default()
            };
            program_text::print(&optimise_with(program, &options))
        }
        "schedule" => {
            let order = schedule(&program.graph, &function(program, name).roots());
            let order: Vec<String> = order.iter().map(Value::to_string).collect();
            format!("{}\n", order.join(" "))
        }
        "count" => {
            let cost = |p: &Program| p.graph.count(&function(p, name).roots());
            format!("{}\n{}\n", cost(program), cost(&optimise(program)))
        }
        "run" => run(program, name, &words[2..]),
        other => panic!("{other}?"),
    }
}

/// The text with every section answered anew.
fn answered(text: &str) -> String {
    let mut sections = text.split("\n=== ");
    let source = sections.next().unwrap_or_default();
    let program = program_text::parse(source).unwrap_or_else(|error| panic!("{error:?}"));
    let mut out = source.to_owned();
    for section in sections {
        let command = section.lines().next().unwrap_or_default();
        let _ = write!(out, "\n=== {command}\n{}", answer(&program, command));
    }
    out
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/ir");
    let entries = std::fs::read_dir(folder).expect("the folder of cases");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a case").path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let before = std::fs::read_to_string(&path).expect("a case");
        let after = answered(&before);
        if std::env::var_os("EOMGEN_BLESS").is_some() {
            std::fs::write(&path, &after).expect("a case");
        } else {
            assert_eq!(before, after, "{}", path.display());
        }
    }
}

/// `ir` uses nothing of this crate but itself and the prime field.
#[test]
fn knows_nothing_of_the_rest() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ir")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let source = std::fs::read_to_string(&path).expect("a source file");
            for edge in source.split("crate::").skip(1) {
                assert!(
                    ["ir", "field", "function", "bug"]
                        .iter()
                        .any(|module| edge.starts_with(module)),
                    "{}: crate::{edge:.20}",
                    path.display()
                );
            }
        }
    }
    assert!(files > 10);
}

/// How to make one more instruction from those before it.
#[derive(Clone, Debug)]
struct Step {
    kind: u8,
    operands: [prop::sample::Index; 4],
    number: (i8, u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = any::<prop::sample::Index>;
    let operands = [index(), index(), index(), index()];
    let step = (0_u8..64, operands, (any::<i8>(), 1_u8..12));
    let step = step.prop_map(|(kind, operands, number)| Step {
        kind,
        operands,
        number,
    });
    prop::collection::vec(step, 1..60)
}

const FUNCTIONS: [Unary; 15] = [
    Unary::Neg,
    Unary::Sin,
    Unary::Cos,
    Unary::Tan,
    Unary::Asin,
    Unary::Acos,
    Unary::Atan,
    Unary::Sinh,
    Unary::Cosh,
    Unary::Tanh,
    Unary::Sqrt,
    Unary::Exp,
    Unary::Ln,
    Unary::Abs,
    Unary::Sign,
];

fn instruction(g: &mut Graph, step: &Step, numbers: &[Value]) -> Op {
    let operand = |k: usize| numbers[step.operands[k].index(numbers.len())];
    let [a, b] = [operand(0), operand(1)];
    let binary = |op| Op::Binary(op, a, b);
    match step.kind {
        0..4 => {
            let (n, d) = step.number;
            Op::Constant(Rational::new(n.into(), d.into()).into())
        }
        4 => Op::Pi,
        5..14 => binary(Binary::Add),
        14..24 => binary(Binary::Sub),
        // Few operands, so that opposite differences meet.
        24..28 => Op::Binary(
            Binary::Sub,
            numbers[step.operands[0].index(2)],
            numbers[step.operands[1].index(2)],
        ),
        28..34 => binary(Binary::Mul),
        34..38 => binary(Binary::Div),
        38 => binary(Binary::Min),
        39 => binary(Binary::Max),
        40 => binary(Binary::Atan2),
        41 => {
            let exponent = g.integer(i64::from(step.number.0 % 5));
            Op::Binary(Binary::Pow, a, exponent)
        }
        42..45 => Op::Select {
            test: [Comparison::Less, Comparison::GreaterEqual][usize::from(step.kind % 2)],
            left: a,
            right: b,
            then: operand(2),
            other: operand(3),
        },
        45 => {
            let call = g.call(0, &[a, b]);
            let parts = [Part::Value, Part::Gradient(1), Part::Hessian(0, 1)];
            let part = parts[usize::from(step.number.1) % 3];
            Op::Jet { call, part }
        }
        46 => {
            let kind = RoutineKind::MinimumNorm { rows: 1, cols: 2 };
            let routine = g.routine(kind, &[a, b, operand(2)]);
            let index = u32::from(step.number.1 % 2);
            Op::Element { routine, index }
        }
        47..56 => Op::Unary(Unary::Neg, a),
        kind => {
            let choice = usize::from(kind) + usize::from(step.number.1);
            Op::Unary(FUNCTIONS[choice % FUNCTIONS.len()], a)
        }
    }
}

/// Two functions over a random graph, built folded or as it stands.
fn build(steps: &[Step], folded: bool) -> Program {
    let mut graph = Graph::new();
    let inputs = (0..4).map(|index| graph.input(Slot { group: 0, index }));
    let mut numbers: Vec<Value> = inputs.collect();
    for step in steps {
        let op = instruction(&mut graph, step, &numbers);
        let value = if folded {
            graph.fold(&op)
        } else {
            graph.intern(op)
        };
        numbers.push(value);
    }
    let last = numbers.len() - 1;
    let check = Check {
        value: numbers[last / 2],
        scale: Some(numbers[last / 3]),
        condition: 1,
    };
    let function = |name: &str, outputs: Vec<Value>, checks| Function {
        name: name.into(),
        outputs,
        checks,
    };
    let outputs: Vec<Value> = numbers.iter().rev().step_by(3).copied().collect();
    Program {
        functions: vec![
            function("all", outputs, Vec::new()),
            function("last", vec![numbers[last]], vec![check]),
        ],
        interface: Interface {
            groups: vec![Group {
                name: "inputs".into(),
                entries: ["a", "b", "c", "d"].map(String::from).to_vec(),
            }],
            functions: vec![ExternFunction {
                name: "F".into(),
                arity: 2,
                order: 2,
            }],
        },
        graph,
    }
}

/// Equal as numbers, zeros of either sign and what is not a number included.
fn equal(left: &[f64], right: &[f64]) -> bool {
    let same = |(x, y): (&f64, &f64)| x == y || x.is_nan() && y.is_nan();
    left.len() == right.len() && left.iter().zip(right).all(same)
}

/// The same cases everywhere, unless `PROPTEST_RNG_SEED` and `PROPTEST_CASES` say otherwise.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 250;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config.failure_persistence = None;
    config.max_global_rejects = config.cases * 4;
    config
}

/// Whether a sum or product is exactly 0 here: its sign is not kept, and quotients and angles show it.
fn meets_zero(program: &Program, host: &Inputs) -> bool {
    let arithmetic = |value: &Value| matches!(program.graph.op(*value), Op::Binary(..));
    let everything = Function {
        name: "everything".into(),
        outputs: program.graph.values().filter(arithmetic).collect(),
        checks: Vec::new(),
    };
    let values = Evaluator::new(program, &everything).run(host);
    values.is_ok_and(|values| values.contains(&0.0))
}

proptest! {
    #![proptest_config(config())]

    /// Where the graph as it stands has a value, the folded one has the same.
    #[test]
    fn folding_keeps_field_values(steps in steps()) {
        let (raw, folded) = (build(&steps, false), build(&steps, true));
        for (raw_f, folded_f) in raw.functions.iter().zip(&folded.functions) {
            for (left, right) in raw_f.outputs.iter().zip(&folded_f.outputs) {
                for seed in 0..2 {
                    if let Some(left) = field::evaluate(&raw.graph, &[*left], seed) {
                        prop_assert_eq!(Some(left), field::evaluate(&folded.graph, &[*right], seed));
                    }
                }
            }
        }
    }

    /// Optimising changes no number, not even by rounding, and no cost for the worse.
    #[test]
    fn optimising_keeps_numbers(steps in steps(), at in prop::array::uniform4(-3.0_f64..3.0)) {
        let before = build(&steps, true);
        prop_assume!(verify(&before).is_ok());
        let after = optimise(&before);
        prop_assert_eq!(verify(&after), Ok(()));
        let slots = (0..4).map(|index| Slot { group: 0, index });
        let host = Inputs(slots.zip(at).collect());
        prop_assume!(!meets_zero(&before, &host));
        for (old, new) in before.functions.iter().zip(&after.functions) {
            let count = |p: &Program, f: &Function| p.graph.count(&f.roots()).total();
            prop_assert!(count(&after, new) <= count(&before, old));
            let left = Evaluator::new(&before, old).run(&host);
            let right = Evaluator::new(&after, new).run(&host);
            match (left, right) {
                (Ok(left), Ok(right)) => {
                    prop_assert!(equal(&left, &right), "{:?} became {:?}", left, right);
                }
                (left, right) => prop_assert_eq!(left.is_err(), right.is_err()),
            }
        }
    }

    /// Reciprocals and common factors change rounding, but not what is computed.
    #[test]
    fn what_is_asked_for_keeps_field_values(steps in steps(), factors in any::<bool>(), often in 1_usize..4) {
        let before = build(&steps, true);
        prop_assume!(verify(&before).is_ok());
        let options = Options { factors, reciprocals: Some(often), given: vec![], angles: false, first: vec![] };
        let after = optimise_with(&before, &options);
        prop_assert_eq!(verify(&after), Ok(()));
        for (old, new) in before.functions.iter().zip(&after.functions) {
            for (left, right) in old.outputs.iter().zip(&new.outputs) {
                let left = field::evaluate(&before.graph, &[*left], 1);
                prop_assert_eq!(left, field::evaluate(&after.graph, &[*right], 1));
            }
        }
    }

    #[test]
    fn text_reads_back(steps in steps(), folded in any::<bool>()) {
        let printed = program_text::print(&build(&steps, folded));
        let read = program_text::parse(&printed);
        prop_assert_eq!(read.map(|program| program_text::print(&program)), Ok(printed));
    }

    /// Every value once, after its operands, and no more than is needed.
    #[test]
    fn schedules_are_orders(steps in steps()) {
        let program = build(&steps, true);
        let roots = program.functions[0].roots();
        let order = schedule(&program.graph, &roots);
        let mut done = vec![false; program.graph.len()];
        for &value in &order {
            let mut operands = program.graph.op(value).operands();
            prop_assert!(operands.all(|operand| done[operand.index()]));
            prop_assert!(!done[value.index()]);
            done[value.index()] = true;
        }
        let mut sorted = order;
        sorted.sort_unstable();
        prop_assert_eq!(sorted, program.graph.live(&roots));
    }
}
