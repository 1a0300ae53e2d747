//! Functions that follow a quick plan where what it presumes holds, and a plan that presumes nothing elsewhere: one function looks at the margin, two
//! private ones compute, and whatever needs the same values calls the first.

use std::collections::BTreeSet;

use super::arrangement::{Arrangement, Share, is_fallible, roots, uses_routines};
use super::layout::Writer;
use super::module::{EmittedFunction, Guarded, Module, Presumed, Shape};
use super::names::snake;
use crate::ir::{Function, Op, Value, schedule_from};

/// The functions of which one looks at the margin.
const LOOKING: [&str; 2] = ["accelerations", "speed_rates"];

/// The module with one function that looks at the margin, and quick bodies for those that it serves. All others keep theirs.
pub fn with_guard(module: Module) -> Module {
    let found = LOOKING.iter().filter_map(|name| guarded_by(&module, name));
    let mut found: Vec<(usize, Module)> = found.collect();
    // Of those that serve as many functions the first.
    found.sort_by_key(|(served, _)| std::cmp::Reverse(*served));
    match found.into_iter().next() {
        Some((_, module)) => module,
        None => module,
    }
}

/// The module in which a function looks at the margin, and how many functions are quick then.
fn guarded_by(module: &Module, name: &str) -> Option<(usize, Module)> {
    let presumed = module.presumed.as_ref()?;
    let index = module.functions.iter().position(|f| f.name == name)?;
    let looking = &module.functions[index];
    let (quick, Shape::Array(length)) = (looking.quick.clone()?, looking.output) else {
        return None;
    };
    let parts = parts(module, looking, (quick, length), presumed);
    let [usual, safe] = [0, 1].map(|k| parts[k].name.clone());
    let usual_outputs = parts[0].body.outputs.clone();
    let certain: Vec<Function> = module.functions.iter().map(|f| f.body.clone()).collect();
    let failing: Vec<Vec<u32>> = (module.functions.iter())
        .map(|f| failing(module, f))
        .collect();
    let mut module = module.clone();
    for (function, failing) in module.functions.iter_mut().zip(failing) {
        if let Some(quick) = function
            .quick
            .take()
            .filter(|quick| *quick != function.body)
        {
            function.body = quick;
            function.inherited = failing;
        }
    }
    module.functions[index].guarded = Some(Guarded { usual, safe });
    module.functions.extend(parts);
    let theirs = own_values(&module, &usual_outputs, &certain);
    let served = settle(
        &mut module,
        theirs.chain(presumed.solved.iter().copied()),
        &certain,
    );
    module.presumed = None;
    Some((served, module))
}

/// The conditions under which a function fails.
fn failing(module: &Module, function: &EmittedFunction) -> Vec<u32> {
    let routine = function.routine_condition;
    let routine = routine.filter(|_| uses_routines(&module.graph, function));
    let checks = function.body.checks.iter().map(|check| check.condition);
    checks.chain(routine).collect()
}

/// The functions between which one decides: the usual one, with the margin, and the safe one.
fn parts(
    module: &Module,
    looking: &EmittedFunction,
    (quick, length): (Function, usize),
    presumed: &Presumed,
) -> [EmittedFunction; 2] {
    let name = &looking.name;
    let [usual, safe] = ["usual", "safe"].map(|word| free_name(module, &format!("{name}_{word}")));
    let mut outputs = quick.outputs;
    outputs.push(presumed.margin);
    // What the one can refuse the other must be able to.
    let fallible = is_fallible(module, looking);
    let checks = if fallible { quick.checks } else { Vec::new() };
    let mut labels = looking.output_labels.clone();
    labels.push("margin".to_owned());
    let own = |text: &str| vec![format!("{text} [`Self::{name}`].").as_str().into()];
    let usually = match presumed.still.as_slice() {
        [] => {
            "By divisors that seldom vanish, with the margin by which none does: part of".to_owned()
        }
        still => format!(
            "By divisors that seldom vanish, where the constraints keep {} as {}, with a margin that is positive while all that is so: part of",
            listed(still),
            if still.len() == 1 {
                "it is"
            } else {
                "they are"
            }
        ),
    };
    let elsewhere = match presumed.still.len() {
        0 => "Where one of those divisors is small: part of",
        1 => "Where one of those divisors is small or that coordinate is not kept: part of",
        _ => "Where one of those divisors is small or those coordinates are not kept: part of",
    };
    [
        EmittedFunction {
            name: usual,
            docs: own(&usually),
            output: Shape::Array(length + 1),
            output_labels: labels,
            body: Function {
                outputs,
                checks,
                ..Function::default()
            },
            callers: vec![name.clone()],
            ..EmittedFunction::default()
        },
        EmittedFunction {
            name: safe,
            docs: own(elsewhere),
            callers: vec![name.clone()],
            quick: None,
            ..looking.clone()
        },
    ]
}

/// `a`, `b` and `c`.
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What the usual plan alone is made of. A part of it in another function is as good as its results there: the opposite of one, say.
fn own_values(
    module: &Module,
    usual: &[Value],
    certain: &[Function],
) -> impl Iterator<Item = Value> + use<> {
    let roots: Vec<Value> = certain.iter().flat_map(Function::roots).collect();
    let others: BTreeSet<Value> = module.graph.live(&roots).into_iter().collect();
    let plan = module.graph.live(usual).into_iter();
    plan.filter(move |value| !others.contains(value))
}

/// Gives those functions their own bodies back that would compute quick values without a look at the margin. How many are quick.
fn settle(module: &mut Module, quick: impl Iterator<Item = Value>, certain: &[Function]) -> usize {
    let worked_out =
        |v: &Value| !matches!(module.graph.op(*v), Op::Constant(_) | Op::Pi | Op::Input(_));
    let solved: BTreeSet<Value> = quick.filter(worked_out).collect();
    loop {
        let arrangement = Arrangement::of(module);
        let each = module.functions.iter().zip(&arrangement.functions);
        let mut each = each.zip(certain);
        let blind = each.position(|((function, share), certain)| {
            function.guarded.is_none()
                && function.body != *certain
                && computes(module, function, share, &solved)
        });
        let Some(blind) = blind else { break };
        module.functions[blind].body = certain[blind].clone();
        module.functions[blind].inherited.clear();
    }
    let each = module.functions.iter().zip(certain);
    each.filter(|(function, certain)| function.body != **certain)
        .count()
}

/// Whether a function computes one of these values itself.
fn computes(
    module: &Module,
    function: &EmittedFunction,
    share: &Share,
    values: &BTreeSet<Value>,
) -> bool {
    let supplied = share.calls.iter().flat_map(|call| call.supplies.keys());
    let roots = roots(&share.checks, &function.body.outputs);
    let own = schedule_from(&module.graph, &roots, supplied.copied());
    own.iter().any(|value| values.contains(value))
}

/// A name that no function has.
fn free_name(module: &Module, wanted: &str) -> String {
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    let taken = |name: &String| module.functions.iter().any(|f| f.name == *name);
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// Writes the body of a function that looks at the margin: `arguments` are what both others take.
pub fn body(
    module: &Module,
    looking: &EmittedFunction,
    guarded: &Guarded,
    arguments: &[String],
    out: &mut Writer,
) {
    let fails = |name: &str| (module.function(name)).is_some_and(|f| is_fallible(module, f));
    let results = snake(&looking.name);
    let end = if fails(&guarded.usual) { "?;" } else { ";" };
    out.apply_with(
        &format!("let [{results} @ .., margin] ="),
        &format!("self.{}", guarded.usual),
        arguments,
        end,
    );
    let zero = module.scalar.literal(0.0);
    let fallible = fails(&guarded.safe);
    let finish = |out: &mut Writer| {
        let condition = module.conditions.len().saturating_sub(1);
        out.line(&format!("finite::<CHECKED>({condition}, &{results})?;"));
        out.line(&format!("Ok({results})"));
    };
    out.open(&format!("if margin > {zero} {{"));
    if fallible {
        finish(out);
    } else {
        out.line(&results);
    }
    out.close("} else {");
    out.indent();
    let safe = format!("self.{}", guarded.safe);
    if fallible {
        out.apply_with(&format!("let {results} ="), &safe, arguments, "?;");
        finish(out);
    } else {
        out.statement(&safe, arguments, "");
    }
    out.close("}");
}
