//! A program that runs emitted modules at given points, and the interpreter at the same points.

use std::fmt::Write;

use eomgen::internals::emit::{EmittedFunction, Field, Module, Shape, names};
use eomgen::internals::ir::interpret::{Evaluator, Failure, Host, Jet};
use eomgen::internals::ir::{ExternFunction, Group, Interface, Program, Slot};

use super::functions::jet;

/// Values of everything that a module reads.
#[derive(Clone, Debug)]
pub struct Point {
    pub time: f64,
    pub state: Vec<f64>,
    pub params: Vec<f64>,
    pub inputs: Vec<f64>,
    pub extra: Vec<f64>,
}

impl Point {
    /// Numbers from a generator that all tests share: in (-3, 3), every seventh a small integer.
    pub fn random(module: &Module, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut numbers =
            |count: usize| -> Vec<f64> { (0..count).map(|_| random.number()).collect() };
        Self {
            time: 0.25,
            state: numbers(module.state.len()),
            params: numbers(module.params.len()),
            inputs: numbers(module.inputs.len()),
            extra: numbers(64),
        }
    }
}

/// A linear congruential generator (Knuth's MMIX constants), so that failures can be repeated.
pub struct Random(pub u64);

impl Random {
    /// The next number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn number(&mut self) -> f64 {
        let fine = self.below(6_000_000) as f64 / 1e6 - 3.0;
        if self.below(7) == 0 {
            fine.trunc()
        } else {
            fine
        }
    }
}

/// The interpreter's surroundings at a point.
struct Here<'a> {
    module: &'a Module,
    point: &'a Point,
}

impl Host for Here<'_> {
    fn slot(&self, slot: Slot) -> f64 {
        let index = slot.index as usize;
        let groups = self.module.groups;
        match slot.group {
            group if group == groups.time => self.point.time,
            group if group == groups.state => self.point.state[index],
            group if group == groups.params => self.point.params[index],
            group if group == groups.inputs => self.point.inputs[index],
            _ => self.point.extra[index],
        }
    }

    fn call(&self, function: u32, args: &[f64]) -> Jet {
        let (value, gradient, hessian) = jet(function as usize, args);
        Jet {
            value,
            gradient,
            hessian,
        }
    }
}

/// What the interpreter says of a function at a point, as the driver would print it.
pub fn expected(module: &Module, function: &EmittedFunction, point: &Point) -> String {
    let program = Program {
        graph: module.graph.clone(),
        interface: Interface {
            groups: Vec::<Group>::new(),
            functions: Vec::<ExternFunction>::new(),
        },
        functions: Vec::new(),
    };
    let here = Here { module, point };
    match Evaluator::new(&program, &function.body).run(&here) {
        Ok(outputs) => outputs
            .iter()
            .map(|&x| word(x))
            .collect::<Vec<_>>()
            .join(" "),
        Err(Failure::Singular { condition, .. }) => format!("singular {condition}"),
        // The condition that the text has beside those of the module.
        Err(Failure::NotFinite) => format!("singular {}", module.conditions.len()),
        Err(Failure::Routine { .. }) => format!("singular {}", function.routine_condition.unwrap()),
    }
}

/// A number's bits; all that are not numbers are one.
fn word(x: f64) -> String {
    if x.is_nan() {
        "NaN".into()
    } else {
        format!("{:016x}", x.to_bits())
    }
}

const PRELUDE: &str = "
#[path = \"functions.rs\"]
mod functions;

fn word(x: f64) -> String {
    if x.is_nan() { \"NaN\".into() } else { format!(\"{:016x}\", x.to_bits()) }
}

fn show(outputs: &[f64]) {
    println!(\"{}\", outputs.iter().map(|&x| word(x)).collect::<Vec<_>>().join(\" \"));
}
";

/// The text of a program that prints every function of every module at each of its points.
pub fn driver(cases: &[(&Module, Vec<Point>)]) -> String {
    let mut text = PRELUDE.to_owned();
    let (mut calls, mut batches) = (String::new(), String::new());
    for (module, points) in cases {
        let file = &module.name;
        let _ = writeln!(
            text,
            "#[path = \"{file}.rs\"]\nmod {file};\nmod run_{file} {{"
        );
        let _ = writeln!(text, "use super::{file} as module;\nuse super::show;");
        text.push_str(&given(module));
        text.push_str("pub fn run() {\n");
        for point in points {
            text.push_str(&at_point(module, point));
        }
        text.push_str("}\npub fn batches() {\n");
        text.push_str(&batch_calls(module, points));
        text.push_str("}\n}\n");
        let _ = writeln!(calls, "    run_{file}::run();");
        let _ = writeln!(batches, "    run_{file}::batches();");
    }
    let _ = writeln!(text, "fn main() {{\n{calls}{batches}}}");
    text
}

/// What the driver must print.
pub fn transcript(cases: &[(&Module, Vec<Point>)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (module, points) in cases {
        let file = &module.name;
        for point in points {
            for function in &module.functions {
                let said = expected(module, function, point);
                lines.push(format!("{file} {}: {said}", function.name));
                // Without its checks a function that fails has some result or other.
                if is_fallible(module, function) && !said.starts_with("singular") {
                    lines.push(format!("{file} {} unchecked: {said}", function.name));
                }
            }
        }
    }
    lines
}

/// The functions of a module that are written for many states, with the length of their results.
fn batches(module: &Module) -> impl Iterator<Item = (&EmittedFunction, usize)> {
    let wanted = module.functions.iter();
    let wanted = wanted.filter(|f| module.batch.contains(&f.name) && f.extra_args.is_empty());
    let with_length = wanted.map(|f| (f, f.output.len()));
    with_length.filter(|(_, length)| *length > 0)
}

/// The points with the parameters of the first, which a batch has in common.
fn together(points: &[Point]) -> Vec<Point> {
    let params = &points[0].params;
    let point = |point: &Point| Point {
        params: params.clone(),
        ..point.clone()
    };
    points.iter().map(point).collect()
}

/// What the driver must print of functions of many states.
pub fn batch_transcript(cases: &[(&Module, Vec<Point>)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (module, points) in cases {
        let points = together(points);
        for (function, length) in batches(module) {
            let said: Vec<String> = points
                .iter()
                .map(|p| expected(module, function, p))
                .collect();
            let failed = |said: &String| said.starts_with("singular");
            let first = said.iter().position(failed);
            let head = format!("{} {}", module.name, function.name);
            lines.push(match first.map(|index| (index, &said[index])) {
                Some((index, said)) => format!("{head} batch: {index} {said}"),
                None => format!("{head} batch: ok"),
            });
            lines.extend(said.iter().map(|said| {
                if failed(said) {
                    vec!["NaN"; length].join(" ")
                } else {
                    said.clone()
                }
            }));
        }
    }
    lines
}

/// Calls functions of many states, all points at once.
fn batch_calls(module: &Module, points: &[Point]) -> String {
    let points = together(points);
    let count = points.len();
    let columns = |of: &dyn Fn(&Point) -> Vec<f64>| {
        let rows: Vec<Vec<f64>> = points.iter().map(of).collect();
        let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
        let columns = (0..rows[0].len()).map(column);
        columns
            .map(|c| format!("&{c:?}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut text = String::new();
    for (function, length) in batches(module) {
        let name = &function.name;
        let pairs = module.params.iter().zip(&points[0].params);
        let pairs: Vec<String> = pairs
            .map(|(field, value)| format!("{}: {value:?}", names::identifier(&field.name)))
            .collect();
        let params = format!("module::Params {{ {} }}", pairs.join(", "));
        let mut rest = String::new();
        if !module.inputs.is_empty() {
            let _ = write!(rest, ", &[{}]", columns(&|p| p.inputs.clone()));
        }
        if !module.functions_trait.is_empty() {
            rest.push_str(", &Given");
        }
        let states = columns(&|p| p.state.clone());
        let file = &module.name;
        let failed = if is_fallible(module, function) {
            "Err(module::BatchError::Singular { index, singular }) => println!(\"{} singular {}\", index, singular.condition),"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "{{ let mut all = [[0.0; {count}]; {length}];\nlet mut out = all.each_mut().map(|c| &mut c[..]);\n\
             print!(\"{file} {name} batch: \");\n\
             match module::{name}_batch(&module::Model::new(&{params}), &[{:?}], &[{states}]{rest}, &mut out) {{\nOk(()) => println!(\"ok\"),\n{failed}\n\
             #[allow(unreachable_patterns)]\nerror => println!(\"{{:?}}\", error),\n}}\n\
             for k in 0..{count} {{ show(&all.map(|c| c[k])); }} }}",
            points[0].time,
        );
    }
    text
}

fn is_fallible(module: &Module, function: &EmittedFunction) -> bool {
    let live = module.graph.live(&function.body.roots());
    let routine = |&v: &_| {
        matches!(
            module.graph.op(v),
            eomgen::internals::ir::Op::Routine { .. }
        )
    };
    !function.body.checks.is_empty() || live.iter().any(routine)
}

/// The user functions as an implementation of the module's trait.
fn given(module: &Module) -> String {
    let mut text = String::new();
    if module.functions_trait.is_empty() {
        return text;
    }
    text.push_str("struct Given;\n#[allow(unused_imports)]\nuse module::*;\nimpl module::Functions for Given {\n");
    for (number, function) in module.functions_trait.iter().enumerate() {
        let args: Vec<String> = (0..function.args.len()).map(|i| format!("a{i}")).collect();
        let typed: String = args.iter().map(|arg| format!(", {arg}: f64")).collect();
        let arity = args.len();
        let returned = match function.order {
            0 => "f64".to_owned(),
            order => format!("Jet{order}<{arity}>"),
        };
        let (value, gradient) = ("value", "gradient: gradient.try_into().unwrap()");
        let result = match function.order {
            0 => value.to_owned(),
            1 => format!("Jet1 {{ value, {gradient} }}"),
            _ => format!(
                "Jet2 {{ value, {gradient}, hessian: std::array::from_fn(|i| \
                 std::array::from_fn(|j| hessian[i * {arity} + j])) }}"
            ),
        };
        let _ = writeln!(
            text,
            "fn {}(&self{typed}) -> {returned} {{\n#[allow(unused_variables)]\n\
             let (value, gradient, hessian) = super::functions::jet({number}, &[{}]);\n{result}\n}}",
            names::identifier(&function.name),
            args.join(", "),
        );
    }
    text.push_str("}\n");
    text
}

fn at_point(module: &Module, point: &Point) -> String {
    let array = |numbers: &[f64]| format!("{numbers:?}");
    let literal = |name: &str, fields: &[Field], values: &[f64]| {
        let pairs = fields.iter().zip(values);
        let pairs: Vec<String> = pairs
            .map(|(field, value)| format!("{}: {value:?}", names::identifier(&field.name)))
            .collect();
        format!("module::{name} {{ {} }}", pairs.join(", "))
    };
    let mut text = String::from("{\n");
    let _ = writeln!(text, "let state = {};", array(&point.state));
    let _ = writeln!(
        text,
        "let p = {};",
        literal("Params", &module.params, &point.params)
    );
    text.push_str("let model = module::Model::new(&p);\n");
    if module.functions.iter().any(|f| is_fallible(module, f)) {
        text.push_str("let unchecked = module::Model::unchecked(&p);\n");
    }
    let mut rest = String::new();
    if !module.inputs.is_empty() {
        let _ = writeln!(
            text,
            "let inputs = {};",
            literal("Inputs", &module.inputs, &point.inputs)
        );
        rest.push_str(", &inputs");
    }
    if !module.functions_trait.is_empty() {
        rest.push_str(", &Given");
    }
    for function in &module.functions {
        let name = &function.name;
        let extra: String = function
            .extra_args
            .iter()
            .map(|extra| format!(", &{}", array(&point.extra[..extra.length])))
            .collect();
        let args = format!("{:?}, &state{extra}{rest}", point.time);
        let flat = match function.output {
            Shape::Scalar => "&[value]",
            Shape::Array(_) => "&value",
            Shape::Matrix(..) => "value.as_flattened()",
        };
        let file = names::snake(&module.name);
        let _ = writeln!(text, "print!(\"{file} {name}: \");");
        if is_fallible(module, function) {
            let _ = writeln!(
                text,
                "let checked = model.{name}({args});\nlet value = unchecked.{name}({args}).unwrap();\n\
                 match checked {{\nOk(checked) => {{ {{ let value = checked; show({flat}) }} \
                 print!(\"{file} {name} unchecked: \"); show({flat}) }}\n\
                 Err(error) => println!(\"singular {{}}\", error.condition),\n}}"
            );
        } else {
            let _ = writeln!(text, "let value = model.{name}({args});\nshow({flat});");
        }
    }
    text.push_str("}\n");
    text
}
