//! Motions as `eomgen simulate` computes them, beside those that the oracle's accelerations make: another mechanics, another integrator.
#![cfg(feature = "pipeline")]

use crate::motion::integrated_to;
use eomgen::Source;
use eomgen::internals::input::read;
use eomgen::options::DeriveOptions;
use eomgen::simulation::{GivenState, Kind, MotionRequest, Settings, chosen, machine_source, run};
use generated_tests::oracle::{Oracle, State};
use generated_tests::reference::model_text;
use num_traits::ToPrimitive;

/// Names and values.
type Named<'a> = &'a [(&'a str, f64)];

/// A motion of `seconds` from near these coordinates and rates, the others as in the model or at rest; compares coordinates and rates of
/// coordinates at its end, to `tolerance` of the largest.
fn beside(text: &str, q: Named<'_>, rates: Named<'_>, seconds: f64, tolerance: f64) {
    let (system, _) = read(text).unwrap_or_else(|f| panic!("{f:?}"));
    let default = |p: &eomgen::internals::model::system::Param| p.default.as_ref()?.to_f64();
    let params: Vec<f64> = system.params.iter().map(|p| default(p).unwrap()).collect();
    let names: Vec<String> = system.coords.iter().map(|c| c.meta.name.clone()).collect();
    let inputs: Vec<String> = system.inputs.iter().map(|i| i.meta.name.clone()).collect();
    let value = |list: Named<'_>, name: &str| list.iter().find(|(n, _)| *n == name).map(|x| x.1);
    let initial = system.coords.iter().map(|c| {
        let own = c.initial.as_ref().and_then(ToPrimitive::to_f64);
        value(q, &c.meta.name).or(own).unwrap_or(0.0)
    });
    let guess = State {
        t: 0.0,
        q: initial.collect(),
        qd: names
            .iter()
            .map(|n| value(rates, n).unwrap_or(0.0))
            .collect(),
        inputs: vec![0.0; inputs.len()],
    };
    let oracle = Oracle {
        system,
        params,
        functions: Vec::new(),
    };
    let start = oracle.settle(&guess).expect("a consistent start");

    let n = names.len();
    let derivative = |t: f64, y: &[f64]| {
        let (q, qd) = y.split_at(n);
        let state = State {
            t,
            q: q.to_vec(),
            qd: qd.to_vec(),
            inputs: start.inputs.clone(),
        };
        [qd, &oracle.expected(&state).accelerations].concat()
    };
    let begin = [start.q.as_slice(), &start.qd].concat();
    let expected = integrated_to(derivative, (0.0, seconds), &begin, 1e-10);
    let expected = expected.last().unwrap().1.clone();

    let request = MotionRequest {
        inputs: inputs.iter().map(|i| (i.clone(), "0".to_owned())).collect(),
        watch: names.iter().map(|name| format!("{name}'")).collect(),
        ..MotionRequest::default()
    };
    let source = Source::new("machine.eom", text);
    let machine = machine_source(&source, &DeriveOptions::default(), &request);
    let (machine, _) = machine.unwrap_or_else(|f| panic!("{f:?}"));
    let named = |values: &[f64]| names.iter().cloned().zip(values.iter().copied()).collect();
    let given = GivenState {
        q: named(&start.q),
        rates: named(&start.qd),
        ..GivenState::default()
    };
    let settings = Settings {
        duration: seconds,
        step: seconds,
        rtol: 1e-11,
        atol: 1e-12,
        solver: Default::default(),
        stabilize: Default::default(),
        most_steps: 1_000_000,
    };
    let given = chosen(&machine, &given).unwrap();
    let motion = run(&machine, &given, &settings, &mut |_| true).unwrap();
    assert_eq!(motion.failure, None);
    let columns = motion
        .record
        .columns
        .iter()
        .map(|c| (c.kind, c.name.as_str()));
    let last = motion.record.rows.last().unwrap();
    let found: Vec<((Kind, &str), f64)> = columns.zip(last.iter().copied()).collect();
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let travelled = begin.iter().zip(&expected).map(|(a, b)| (a - b).abs());
    assert!(travelled.fold(0.0, f64::max) > 0.05, "nothing moves");
    for (i, name) in names.iter().enumerate() {
        let rate = format!("{name}'");
        for (name, expected) in [(name, expected[i]), (&rate, expected[n + i])] {
            let x = found.iter().find(|((_, n), _)| n == name).map(|x| x.1);
            let x = x.unwrap_or_else(|| panic!("no column {name}"));
            let off = (x - expected).abs();
            assert!(
                off <= tolerance * scale,
                "{name}: {x} for {expected}, off by {off:e}"
            );
        }
    }
}

fn of(model: &str) -> String {
    model_text(model).unwrap()
}

#[test]
fn a_double_pendulum() {
    let (q, rates) = ([("theta1", 2.0)], [("theta2", 2.0)]);
    beside(&of("double_pendulum"), &q, &rates, 5.0, 1e-7);
}

#[test]
fn foucaults_pendulum() {
    beside(&of("foucault"), &[("x", 1.0)], &[], 60.0, 1e-8);
}

#[test]
fn a_spinning_top() {
    beside(&of("spinning_top"), &[], &[("psi", 60.0)], 2.0, 1e-8);
}

#[test]
fn a_rolling_disc() {
    let rates = [("q1", 0.4), ("q2", 0.2), ("q3", 6.0)];
    beside(&of("rolling_disc"), &[("q2", 0.3)], &rates, 2.0, 1e-8);
}

#[test]
fn a_tippe_top() {
    beside(&of("tippe_top"), &[], &[("phi", 150.0)], 0.2, 1e-6);
}

#[test]
fn a_rattleback() {
    beside(&of("rattleback"), &[], &[("alpha", -5.0)], 0.4, 1e-7);
}

#[test]
fn a_governor() {
    let q = [("alpha", 0.6), ("beta", 0.62)];
    beside(&of("watt_governor"), &q, &[("psi", 6.0)], 2.0, 1e-8);
}

#[test]
fn a_slider_crank_over_its_dead_centres() {
    beside(&of("slider_crank"), &[], &[("q1", 20.0)], 2.0, 1e-8);
}

#[test]
fn a_bicycle() {
    let rates = [("lean", 0.3), ("rear", -16.0), ("front", -14.0), ("x", 5.0)];
    beside(&of("whipple_bicycle"), &[], &rates, 0.3, 1e-7);
}

#[test]
fn a_snakeboard_in_its_gait() {
    let gait = "
param w = 2 : rad/s
constraint turn: psi = 0.7*sin(w*t)
constraint steer: phif = 0.5*sin(w*t)
constraint counter: phib = -0.5*sin(w*t)
";
    let text = of("snakeboard").replace("phif = 0.4, phib = -0.3", "phif, phib") + gait;
    let rates = [("psi", 1.4), ("phif", 1.0), ("phib", -1.0)];
    beside(&text, &[], &rates, 5.0, 1e-8);
}
