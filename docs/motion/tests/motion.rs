//! Both integrators, the controller and the sweep against what mechanics says.

use motion_example::trolley::{Inputs, Model, Params, STATES, State, StateIndex};
use motion_example::{control, dense, steps, sweep};

const STILL: Inputs = Inputs { F: 0.0 };

/// The load aside, at rest, on the rope.
fn start(model: &Model, aside: f64) -> [f64; STATES] {
    let guess = State {
        x: aside,
        ..State::default()
    };
    let found = model.assemble(0.0, &guess, &[StateIndex::S, StateIndex::X], &STILL);
    found.unwrap().to_array()
}

fn energy(model: &Model, state: &[f64; STATES]) -> f64 {
    let kinetic = model.kinetic_energy(0.0, state, &STILL);
    kinetic + model.potential_energy(0.0, state, &STILL)
}

fn off(model: &Model, state: &[f64; STATES]) -> f64 {
    let [position] = model.constraint_residuals(0.0, state, &STILL);
    let [velocity] = model.velocity_residuals(0.0, state, &STILL);
    position.abs().max(velocity.abs())
}

/// Small swings: `w^2 = g/l (M + m)/M`.
fn half_period(p: &Params) -> f64 {
    core::f64::consts::PI / (p.g / p.l * (p.M + p.m) / p.M).sqrt()
}

#[test]
fn a_start_is_assembled_on_the_rope() {
    let p = Params::default();
    let model = Model::new(&p);
    let found = State::from_array(&start(&model, 0.48));
    assert!((found.z + 0.64).abs() < 1e-10 && found.x == 0.48);
    let guess = State {
        x: 1.0,
        ..State::default()
    };
    let error = model.assemble(0.0, &guess, &[StateIndex::S, StateIndex::X], &STILL);
    assert_eq!(
        error.unwrap_err().to_string().split(':').next(),
        Some("no state nearby satisfies rope")
    );
}

#[test]
fn ode_solvers_keeps_energy_rope_and_time() {
    let p = Params::default();
    let model = Model::new(&p);
    let rows = dense::motion(&model, STILL, start(&model, 0.3), 20.0).unwrap();
    assert_eq!(rows.len(), 2001);
    let first = energy(&model, &rows[0].1);
    for (row, (_, state)) in rows.iter().enumerate() {
        // Between steps the integrator interpolates.
        let (far, away) = if row % 10 == 0 {
            (1e-6, 1e-12)
        } else {
            (1e-5, 1e-5)
        };
        let stray = (energy(&model, state) - first).abs();
        assert!(stray < far, "{row}: {stray:e}");
        assert!(off(&model, state) < away, "{row}: {:e}", off(&model, state));
    }
    // Nothing pushes along x but projections, by what was off.
    for (_, state) in &rows {
        assert!((p.M * state[0] + p.m * state[1] - p.m * 0.3).abs() < 1e-6);
    }
    let rows = dense::motion(&model, STILL, start(&model, 0.004), 10.0).unwrap();
    let times = dense::passages(&model, &STILL, &rows);
    for (i, time) in times.iter().enumerate() {
        assert!((time / half_period(&p) - (i as f64 + 0.5)).abs() < 1e-3);
    }
    assert!(times.len() >= 11);
}

#[test]
fn diffsol_finds_the_same_motion() {
    let model = Model::new(&Params::default());
    let start = start(&model, 0.3);
    let rows = dense::motion(&model, STILL, start, 10.0).unwrap();
    let times: Vec<f64> = rows.iter().map(|(t, _)| *t).skip(1).collect();
    let motion = steps::motion(&model, STILL, start, &times).unwrap();
    assert_eq!(motion.rows.len(), times.len());
    for (found, (_, expected)) in motion.rows.iter().zip(&rows[1..]) {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
    let passages = dense::passages(&model, &STILL, &rows);
    assert_eq!(motion.passages.len(), passages.len());
    for (a, b) in motion.passages.iter().zip(&passages) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
    let last = motion.last.first_chunk().unwrap();
    assert!(off(&model, last) < 1e-9);
}

#[test]
fn the_controller_takes_the_load_to_its_place() {
    let p = Params::default();
    let model = Model::new(&p);
    let hanging = sweep::hanging(&model, p.l).unwrap();
    let end = control::drive(&model, hanging, 1.0, 20.0).unwrap();
    assert!(
        (end.s - 1.0).abs() < 1e-3 && (end.x - 1.0).abs() < 1e-3,
        "{end:?}"
    );
    assert!(end.x_dot.abs() < 1e-3 && off(&model, &end.to_array()) < 1e-12);
}

#[test]
fn a_sweep_gives_what_one_after_the_other_gives() {
    let lengths: Vec<f64> = (0..16).map(|i| 0.4 + 0.05 * f64::from(i)).collect();
    let found = sweep::missing(&lengths, 1.0, 3.0);
    for (length, found) in lengths.iter().zip(found) {
        let alone = sweep::missing(&[*length], 1.0, 3.0);
        assert_eq!(alone, [found]);
        assert!(found.unwrap() < 0.5);
    }
}
