//! How long derivations take, and the accelerations of compiled modules; `cargo bench -p generated-tests`.
//!
//! The operation counts of the modules are printed first: time follows them.

#[path = "batch/mod.rs"]
mod batch;

use divan::{Bencher, black_box};
use generated_tests::harness::derived;
use generated_tests::known;
use generated_tests::modules::Compiled;
use generated_tests::refreshing::{GENERATED, Generated, fresh};
use generated_tests::states;

const LARGE: [&str; 3] = ["pend_abs_20", "ur5", "panda7"];

const MODULES: [&str; 8] = [
    "e4_sleigh_kane",
    "disc",
    "pend_abs_5",
    "pend_abs_10",
    "pend_abs_20",
    "pend_rel_5",
    "ur5",
    "panda7",
];

fn origin(module: &str) -> Option<&'static Generated> {
    GENERATED.iter().find(|g| g.module == module)
}

fn main() {
    for module in MODULES {
        let evaluator = origin(module).and_then(|g| derived(g.model, g.method).ok());
        let costs = evaluator.map(|e| e.costs()).unwrap_or_default();
        for (function, cost) in costs.iter().filter(|(f, _)| f == "accelerations") {
            println!("{module}: {function} take {} operations", cost.total());
        }
    }
    divan::main();
}

/// From the model's text to the module's text, by Kane's method.
#[divan::bench(args = LARGE, sample_count = 5)]
fn derivation(module: &str) -> Result<String, String> {
    let of = origin(module).ok_or_else(|| format!("no module {module}"))?;
    fresh(of)
}

/// One call of `accelerations` in a compiled module.
#[divan::bench(args = MODULES)]
fn accelerations(bencher: Bencher, module: &str) {
    let Ok((compiled, (t, state, inputs))) = place(module) else {
        panic!("{module} has no reference state");
    };
    bencher.bench(|| {
        compiled.call(
            "accelerations",
            black_box(t),
            black_box(&state),
            black_box(&inputs),
        )
    });
}

/// What a function is called with: time, state and inputs.
type Arguments = (f64, Vec<f64>, Vec<f64>);

/// A module, and the first state of its reference.
fn place(module: &str) -> Result<(&'static Compiled, Arguments), String> {
    let compiled = Compiled::named(module)?;
    let of = origin(module).ok_or_else(|| format!("no module {module}"))?;
    let (reference, _) = known::reference(of.model)?;
    let state = reference.states.first().ok_or("no states")?;
    let entries = compiled
        .state
        .iter()
        .map(|n| states::entry(&reference, state, n));
    let inputs = compiled
        .inputs
        .iter()
        .map(|n| states::input(&reference, state, n));
    let state_array = entries.collect::<Result<_, _>>()?;
    Ok((
        compiled,
        (state.t, state_array, inputs.collect::<Result<_, _>>()?),
    ))
}
