//! The formulations that project on admissible velocities (Maggi, Boltzmann-Hamel, Jourdain by three ways, reduced Appell): checked by
//! Gauss's principle on models with dependent rows, time in the constraints, non-ideal constraints, given energies and loads that
//! depend on reactions; and the identities that their own quantities obey.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, Evaluator,
    options::{DeriveOptions, Form, Route, Variant},
};
use generated_tests::compare::{TOLERANCE, error};
use generated_tests::harness::{derived_with, eval_input};
use generated_tests::known;
use generated_tests::oracle::{Settings, check, is_thorough};
use generated_tests::reference::model_text;
use std::sync::Arc;

const METHODS: [&str; 4] = ["maggi", "boltzmann-hamel", "jourdain", "appell-reduced"];

fn checked(text: &str, settings: Settings) {
    let methods = METHODS.to_vec();
    if let Err(complaint) = check(
        text,
        &Settings {
            methods,
            ..settings
        },
    ) {
        panic!("{complaint}");
    }
}

macro_rules! models {
    ($($model:ident: $settings:expr;)*) => {$(
        #[test]
        fn $model() {
            checked(&model_text(stringify!($model)).unwrap(), $settings);
        }
    )*};
}

mod by_gauss {
    use super::*;

    fn as_it_is() -> Settings {
        Settings::default()
    }

    models! {
        energy_elastic_pendulum: as_it_is();
        four_bar: Settings { spread: 0.2, ..as_it_is() };
        knife_edge_incline: as_it_is();
        ladder_friction: as_it_is();
        parallelogram: Settings { spread: 0.3, ..as_it_is() };
        rolling_disc: Settings { spread: 0.2, ..as_it_is() };
        turntable_quaternion: as_it_is();
    }

    /// `v^T Qc = v^T C` under a linear constraint that time moves.
    #[test]
    fn a_blade_that_moves_and_brakes() {
        let text = model_text("e4_sleigh").unwrap();
        let text = text.replace(
            "coord x, y",
            "param k : kg/s\nfunction s(t) : m/s\ncoord x, y",
        );
        let text = text.replace(
            "dot(vel(P2), B.y) = 0",
            "dot(vel(P2), B.y) = s(t)*(1 + x/l)",
        );
        let brake = "nonideal on P2: -k*vel(P2) + k*x'*B.y";
        checked(
            &format!("{text}{brake}\n"),
            Settings {
                functions: vec![("s", "sin(2*t) + 3/10")],
                ..as_it_is()
            },
        );
    }
}

/// A kinetic energy whose inertia depends on a rate that a constraint prescribes, by itself and together with a coordinate.
#[test]
fn an_energy_that_is_not_quadratic() {
    for held in ["y' = s(t)", "y' = s(t) + x'*x/(1 [m])"] {
        let text = format!(
            "model heavy
param m : kg > 0
param k : kg*s^2/m^2 > 0
function s(t) : m/s
coord x, y : m
point P = O + x*N.x + y*N.y
particle A: mass m at P
force on P: -3 [N/m]*x*N.x
kinetic more = k*x'^2*y'^2/2 + k*x'^4/12
constraint held: {held}
"
        );
        checked(
            &text,
            Settings {
                functions: vec![("s", "sin(2*t) + 3/2")],
                ..Settings::default()
            },
        );
    }
}

/// A model by a method with these quantities.
fn derived(
    model: &str,
    method: &str,
    form: Form,
    route: Route,
    outputs: &[&str],
) -> Arc<Evaluator> {
    let options = DeriveOptions {
        method: Some(method.to_owned()),
        form,
        variant: Variant {
            route,
            ..Variant::default()
        },
        outputs: outputs.iter().map(|o| (*o).to_string()).collect(),
        ..DeriveOptions::default()
    };
    derived_with(model, &options).unwrap()
}

/// The states of a model's reference, which satisfy its constraints.
fn states(model: &str) -> Vec<EvalInput> {
    let (reference, _) = known::reference(model).unwrap();
    let states = reference.states.iter().take(3);
    states.map(|s| eval_input(&reference, s)).collect()
}

/// The numbers of a function of the module.
fn numbers(evaluator: &Evaluator, input: &EvalInput, function: &str) -> Vec<f64> {
    let all = evaluator.functions(input).unwrap();
    let found = all.into_iter().find(|(name, _)| name == function);
    found.unwrap_or_else(|| panic!("no {function}")).1.unwrap()
}

fn close(what: &str, found: &[f64], wanted: &[f64]) {
    let off = error(found, wanted);
    assert!(
        off <= TOLERANCE,
        "{what} is off by {off:e}: {found:?}, {wanted:?}"
    );
}

/// Rows of a matrix.
fn rows(flat: &[f64], columns: usize) -> Vec<&[f64]> {
    flat.chunks(columns).collect()
}

fn product(a: &[f64], inner: usize, b: &[f64], columns: usize) -> Vec<f64> {
    let entry = |row: &[f64], j: usize| -> f64 {
        let terms = row.iter().enumerate();
        terms.map(|(k, x)| x * b[k * columns + j]).sum()
    };
    let rows = a.chunks(inner);
    rows.flat_map(|row| (0..columns).map(move |j| entry(row, j)).collect::<Vec<_>>())
        .collect()
}

const BOTH: [Form; 2] = [Form::Closed, Form::Staged];

/// Wang & Pao's methods I, II and III agree, entry by entry of `M Y' = f`.
#[test]
fn three_ways_of_jourdain() {
    for (i, model) in [
        "e4_sleigh_rheonomic",
        "e5_wheel_axle",
        "disc",
        "e4_sleigh_cartesian",
    ]
    .into_iter()
    .enumerate()
    {
        for (k, form) in BOTH.into_iter().enumerate() {
            // One form each, unless there is time.
            if i % BOTH.len() != k && !is_thorough() {
                continue;
            }
            let by = |route| derived(model, "jourdain", form, route, &[]);
            let [first, others @ ..] = Route::ALL.map(by);
            for input in states(model) {
                for function in ["mass_matrix", "forcing", "derivative", "multipliers"] {
                    let wanted = numbers(&first, &input, function);
                    for other in &others {
                        let what = format!("{model}, {form:?}: {function}");
                        close(&what, &numbers(other, &input, function), &wanted);
                    }
                }
            }
        }
    }
}

/// `A^T mu` is the force of the constraints, where other rows depend on these too.
#[test]
fn multipliers_of_independent_rows_make_the_whole_force() {
    let own = [
        ("maggi", "maggi_multipliers"),
        (
            "boltzmann-hamel",
            "constraint_reactions_in_quasi_velocities",
        ),
    ];
    // With the first rows of each, which are independent.
    let models = [
        ("e4_sleigh", 1),
        ("e4_sleigh_rheonomic", 4),
        ("e4_sleigh_six", 4),
        ("e5_wheel_axle", 5),
        ("e5_wheel_axle_full", 10),
        ("disc", 2),
    ];
    for (method, output) in own {
        for (model, independent) in models {
            let evaluator = derived(model, method, Form::Staged, Route::default(), &[output]);
            for input in states(model) {
                let a = numbers(&evaluator, &input, "constraint_matrix");
                let force = numbers(&evaluator, &input, "ideal_constraint_forces");
                let mu = numbers(&evaluator, &input, output);
                let n = force.len();
                assert_eq!(mu.len(), independent, "{model}");
                let found = product(&mu, independent, &a[..n * independent], n);
                close(&format!("{model}, {method}: A^T mu"), &found, &force);
            }
        }
    }
}

/// `H J = 1`, the rows of J that belong to constraints are theirs, and `D C = 0`, `D c + d = 0`.
#[test]
fn admissible_velocities() {
    for model in ["e4_sleigh_rheonomic", "e5_wheel_axle", "disc"] {
        let quasi = [
            "quasi_velocity_matrix",
            "inverse_quasi_velocity_matrix",
            "maggi_matrix",
            "maggi_drift",
        ];
        let maggi = derived(model, "maggi", Form::Staged, Route::default(), &quasi);
        let own = [
            "privileged_constraint_matrix",
            "privileged_constraint_drift",
            "privileged_matrix",
            "privileged_drift",
        ];
        let jourdain = derived(model, "jourdain", Form::Staged, Route::default(), &own);
        for input in states(model) {
            let [j, h, e, e0] = quasi.map(|name| numbers(&maggi, &input, name));
            let [d, d0, c, c0] = own.map(|name| numbers(&jourdain, &input, name));
            let n = e0.len();
            let one: Vec<f64> = (0..n * n)
                .map(|k| f64::from(u8::from(k / n == k % n)))
                .collect();
            close(&format!("{model}: H J"), &product(&h, n, &j, n), &one);
            let held = d0.len();
            close(&format!("{model}: J of rows"), &j[(n - held) * n..], &d);
            let free = n - held;
            let columns: Vec<f64> = rows(&h, n)
                .iter()
                .flat_map(|row| row[..free].to_vec())
                .collect();
            close(&format!("{model}: E of H"), &e, &columns);
            close(&format!("{model}: C"), &c, &e);
            close(&format!("{model}: c"), &c0, &e0);
            close(
                &format!("{model}: D C"),
                &product(&d, n, &c, free),
                &vec![0.0; held * free],
            );
            let gap: Vec<f64> = product(&d, n, &c0, 1)
                .iter()
                .zip(&d0)
                .map(|(a, b)| a + b)
                .collect();
            close(&format!("{model}: D c + d"), &gap, &vec![0.0; held]);
        }
    }
}

/// The transposition coefficients against differences of J in the model's own directions:
/// `gamma^M_KN = sum_LP H_LK H_PN (dJ_LM/dq_P - dJ_PM/dq_L)`.
#[test]
fn transposition_coefficients_by_differences() {
    let own = [
        "transposition_coefficients",
        "quasi_velocity_matrix",
        "inverse_quasi_velocity_matrix",
    ];
    for model in ["e4_sleigh_speeds", "disc", "e5_wheel_axle_rows"] {
        let evaluator = derived(
            model,
            "boltzmann-hamel",
            Form::Staged,
            Route::default(),
            &own,
        );
        for input in states(model) {
            let [gamma, j, h] = own.map(|name| numbers(&evaluator, &input, name));
            let names: Vec<String> = input.q.keys().cloned().collect();
            let n = names.len();
            let order: Vec<String> = evaluator
                .state(&input)
                .unwrap()
                .into_iter()
                .take(n)
                .map(|s| s.0)
                .collect();
            assert_eq!(j.len(), n * n);
            // By Richardson's rule from two steps.
            let slope = |p: usize| -> Vec<f64> {
                let at = |by: f64| {
                    let mut input = input.clone();
                    input.q[order[p].as_str()] += by;
                    numbers(&evaluator, &input, "quasi_velocity_matrix")
                };
                let centred = |step: f64| -> Vec<f64> {
                    let (plus, minus) = (at(step), at(-step));
                    plus.iter()
                        .zip(&minus)
                        .map(|(a, b)| (a - b) / (2.0 * step))
                        .collect()
                };
                let (wide, narrow) = (centred(2e-3), centred(1e-3));
                wide.iter()
                    .zip(&narrow)
                    .map(|(w, s)| (4.0 * s - w) / 3.0)
                    .collect()
            };
            let slopes: Vec<Vec<f64>> = (0..n).map(slope).collect();
            for m in 0..n {
                for k in 0..n {
                    for v in 0..n {
                        let mut wanted = 0.0;
                        for l in 0..n {
                            for p in 0..n {
                                let curl = slopes[p][m * n + l] - slopes[l][m * n + p];
                                wanted += h[l * n + k] * h[p * n + v] * curl;
                            }
                        }
                        let found = gamma[m * n * n + k * n + v];
                        assert!(
                            (found - wanted).abs() < 1e-8,
                            "{model}: gamma^{m}_{k}{v} = {found}, {wanted}"
                        );
                        assert_eq!(found, -gamma[m * n * n + v * n + k]);
                    }
                }
            }
        }
    }
}

/// The reduced system and the quadratures are the whole derivative, and no cyclic entry of the state is read.
#[test]
fn reduced_systems() {
    let models = [
        ("e4_sleigh", vec!["x", "y"]),
        ("e5_wheel_axle", vec!["x1", "y1", "x2", "y2", "psi2"]),
        ("e5_wheel_axle_rows", vec!["x1", "y1", "x2", "y2", "psi2"]),
    ];
    for (model, cyclic) in models {
        for form in BOTH {
            let evaluator = derived(model, "appell-reduced", form, Route::default(), &[]);
            let told = evaluator.documentation().remarks.join("\n");
            let list: Vec<String> = cyclic.iter().map(|name| format!("`{name}`")).collect();
            assert!(
                told.contains(&format!("Cyclic coordinates: {}.", list.join(", "))),
                "{told}"
            );
            for input in states(model) {
                let whole = numbers(&evaluator, &input, "derivative");
                let names: Vec<String> = evaluator
                    .state(&input)
                    .unwrap()
                    .into_iter()
                    .map(|s| s.0)
                    .collect();
                let part = |inside: bool| -> Vec<f64> {
                    let entries = names.iter().zip(&whole);
                    let chosen =
                        entries.filter(|(name, _)| cyclic.contains(&name.as_str()) == inside);
                    chosen.map(|(_, x)| *x).collect()
                };
                let reduced = numbers(&evaluator, &input, "reduced_derivative");
                let quadratures = numbers(&evaluator, &input, "quadratures");
                close(model, &reduced, &part(false));
                close(model, &quadratures, &part(true));
                let mut elsewhere = input.clone();
                for name in &cyclic {
                    elsewhere.q[*name] += 1.7;
                }
                assert_eq!(
                    numbers(&evaluator, &elsewhere, "reduced_derivative"),
                    reduced
                );
                assert_eq!(numbers(&evaluator, &elsewhere, "quadratures"), quadratures);
            }
        }
    }
}

/// Where the mass matrix can be singular, or rates cannot be solved for, the formulations say so.
#[test]
fn singular_states_are_reported() {
    for method in METHODS {
        for form in BOTH {
            let options = DeriveOptions {
                method: Some(method.to_owned()),
                form,
                dependent: vec!["y'".into()],
                ..DeriveOptions::default()
            };
            let text = model_text("e4_sleigh").unwrap();
            let text = text.lines().filter(|l| !l.starts_with("speed"));
            let text: Vec<&str> = text.collect();
            let evaluator = eomgen::evaluator("m", &text.join("\n"), &options).unwrap();
            assert!(
                evaluator
                    .conditions()
                    .iter()
                    .any(|c| c.contains("cos(theta) = 0")),
                "{method}: {:?}",
                evaluator.conditions()
            );
            let mut input = states("e4_sleigh").remove(0);
            input.q["theta"] = std::f64::consts::FRAC_PI_2;
            let all = evaluator.functions(&input).unwrap();
            let (_, found) = all
                .iter()
                .find(|(name, _)| name == "accelerations")
                .unwrap();
            assert!(found.is_err(), "{method}: {found:?}");
        }
    }
}
