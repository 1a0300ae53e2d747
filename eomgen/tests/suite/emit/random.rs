//! Modules of random instructions with names of all lengths.

use eomgen::internals::emit::{
    Condition, EmittedFunction, ExtraArgument, IndexEnum, Module, Shape, UserFunction,
};
use eomgen::internals::ir::{
    Binary, Check, Comparison, Function, Graph, Part, Rational, RoutineKind, Unary, Value,
};

use super::driver::Random;
use super::samples::{field, input};

const WORDS: [&str; 24] = [
    "x",
    "y",
    "theta",
    "q1",
    "q2",
    "M",
    "m1",
    "v_P2_x",
    "omega",
    "p",
    "out",
    "f",
    "position",
    "angle_of_the_first_link",
    "velocity_of_the_centre_of_mass",
    "check",
    "φ",
    "k_spring",
    "damping_coefficient",
    "type",
    "u",
    "x'",
    "H",
    "a_rather_long_name_for_one_quantity",
];

/// Different names out of the list.
fn pick(random: &mut Random, count: usize) -> Vec<String> {
    let mut words: Vec<&str> = WORDS.to_vec();
    (0..count)
        .map(|_| words.remove(random.below(words.len())).to_owned())
        .collect()
}

/// The module of a seed.
pub fn module(seed: u64) -> Module {
    let mut random = Random(seed * 7919 + 17);
    let mut graph = Graph::new();
    let sizes = [4 + random.below(5), 3 + random.below(5), random.below(3)];
    let names = pick(&mut random, sizes.iter().sum());
    let (state, rest) = names.split_at(sizes[0]);
    let (params, inputs) = rest.split_at(sizes[1]);
    let arity = 1 + random.below(5);
    let functions_trait: Vec<UserFunction> = (0..3_u8)
        .map(|order| UserFunction {
            unit: None,
            name: ["h", "Force", "a_long_name_of_a_user_function"][order as usize].into(),
            args: (0..arity).map(|i| format!("argument_{i}")).collect(),
            docs: String::new(),
            order,
        })
        .collect();
    let mut pool: Vec<Value> = vec![input(&mut graph, 0, 0)];
    for (group, size) in [(1, sizes[0]), (2, sizes[1]), (3, sizes[2]), (9, 2)] {
        pool.extend((0..size as u32).map(|index| input(&mut graph, group, index)));
    }
    for number in [2, -3, 7] {
        pool.push(graph.integer(number));
        pool.push(graph.rational(&Rational::new(number.into(), 10.into())));
    }
    pool.push(graph.pi());
    let calls = seed % 2 == 1;
    for step in 0..60 + random.below(80) {
        let value = instruction(
            &mut random,
            &mut graph,
            &pool,
            arity,
            calls && step % 20 == 0,
        );
        pool.extend(value);
        if random.below(12) == 0 {
            let name = WORDS[random.below(WORDS.len())];
            let last = pool[pool.len() - 1];
            graph.name(last, &format!("{name}_{}", random.below(9)));
        }
    }
    let functions = (0..4)
        .map(|index| function(&mut random, index, &pool))
        .collect();
    let conditions = ["x = 0", "det(A) = 0", "no solution"].map(|text| Condition {
        text: text.into(),
        note: String::new(),
    });
    let fields = |names: &[String]| {
        names
            .iter()
            .map(|name| field(name, "m", ""))
            .collect::<Vec<_>>()
    };
    Module {
        name: format!("random_{seed}"),
        source_name: "random.eom".into(),
        params: fields(params),
        inputs: fields(inputs),
        state: fields(state),
        indices: vec![IndexEnum {
            name: "StateIndex".into(),
            docs: String::new(),
            entries: fields(state),
        }],
        functions_trait: if calls { functions_trait } else { Vec::new() },
        conditions: conditions.to_vec(),
        graph,
        functions,
        ..Module::default()
    }
}

/// Values made of random ones, the later of which are the likelier.
fn instruction(
    random: &mut Random,
    graph: &mut Graph,
    pool: &[Value],
    arity: usize,
    special: bool,
) -> Vec<Value> {
    let mut any = || {
        let recent = random.below(2) == 0;
        let from = if recent {
            pool.len().saturating_sub(8)
        } else {
            0
        };
        pool[from + random.below(pool.len() - from)]
    };
    let [a, b, c, d] = [any(), any(), any(), any()];
    let many: Vec<Value> = (0..16).map(|_| any()).collect();
    if special {
        return match random.below(3) {
            0 => {
                let function = random.below(3) as u32;
                let call = graph.call(function, &many[..arity]);
                let last = arity as u32 - 1;
                let parts = [Part::Value, Part::Gradient(last), Part::Hessian(0, last)];
                let parts = &parts[..=function as usize];
                parts.iter().map(|&part| graph.jet(call, part)).collect()
            }
            1 => {
                let routine =
                    graph.routine(RoutineKind::MinimumNorm { rows: 2, cols: 3 }, &many[..8]);
                (0..3).map(|index| graph.element(routine, index)).collect()
            }
            _ => {
                // A diagonal mass matrix, mostly definite.
                let squares: Vec<Value> = many[..2].iter().map(|&v| graph.mul(v, v)).collect();
                let zero = graph.zero();
                let mut operands = vec![squares[0], zero, zero, squares[1]];
                operands.extend(&many[2..7]);
                let routine = graph.routine(RoutineKind::Constrained { n: 2, m: 1 }, &operands);
                (0..3).map(|index| graph.element(routine, index)).collect()
            }
        };
    }
    let unary = [
        Unary::Neg,
        Unary::Sin,
        Unary::Cos,
        Unary::Sqrt,
        Unary::Abs,
        Unary::Sign,
        Unary::Atan,
    ];
    let binary = [Binary::Atan2, Binary::Min, Binary::Max, Binary::Pow];
    let tests = [Comparison::Less, Comparison::LessEqual, Comparison::Greater];
    vec![match random.below(24) {
        0..=4 => graph.add(a, b),
        5..=8 => graph.sub(a, b),
        9..=15 => graph.mul(a, b),
        // A division by the number 0 is the verifier's to refuse.
        16 | 17 if !graph.is_zero(b) => graph.div(a, b),
        16 | 17 => a,
        18..=20 => graph.unary(unary[random.below(unary.len())], a),
        21 | 22 => graph.binary(binary[random.below(binary.len())], a, b),
        _ => graph.select(tests[random.below(3)], a, b, c, d),
    }]
}

fn function(random: &mut Random, index: usize, pool: &[Value]) -> EmittedFunction {
    let output = match index {
        0 => Shape::Scalar,
        1 => Shape::Array(1 + random.below(8)),
        2 => Shape::Matrix(1 + random.below(4), 1 + random.below(4)),
        _ => Shape::Array(2),
    };
    let mut late = || pool[pool.len() / 3 + random.below(pool.len() - pool.len() / 3)];
    let outputs: Vec<Value> = (0..output.len()).map(|_| late()).collect();
    let checks = (0..index as u32 % 3).map(|condition| Check {
        value: late(),
        scale: (condition == 1).then(&mut late),
        condition,
    });
    let checks = checks.collect();
    EmittedFunction {
        name: ["scalar", "accelerations", "mass_matrix", "pair"][index].into(),
        output,
        output_labels: match index {
            1 => (0..output.len()).map(|i| format!("q{i}''")).collect(),
            _ => Vec::new(),
        },
        body: Function {
            name: String::new(),
            outputs,
            checks,
        },
        extra_args: vec![ExtraArgument {
            name: "given".into(),
            group: 9,
            length: 2,
            fields: Vec::new(),
        }],
        routine_condition: Some(2),
        ..EmittedFunction::default()
    }
}
