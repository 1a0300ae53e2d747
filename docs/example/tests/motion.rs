//! The sleigh moves as it must.

use sleigh_example::checked::{self, Inputs, Model, Params, State};
use sleigh_example::drive::drive;

fn params(drag: f64) -> Params {
    Params {
        drag,
        ..Params::default()
    }
}

fn motion(drag: f64, thrust: f64, start: State, seconds: f64) -> Vec<(f64, State)> {
    drive(params(drag), Inputs { thrust }, start, seconds).unwrap()
}

/// Without engine and drag the equations are solved by u1 = V tanh(V t / l), u2 = W / cosh(V t / l) with V = W l sqrt(m1 / (m1 + m2)):
/// a sleigh that stands still but for its turning at t = 0. It turns on by W times the Gudermannian of V t / l over V / l.
#[test]
fn the_free_sleigh_follows_the_closed_form() {
    let p = params(0.0);
    let turning = 3.0;
    let start = State {
        u2: turning,
        ..State::default()
    };
    let speed = turning * p.l * (p.m1 / (p.m1 + p.m2)).sqrt();
    let path = motion(0.0, 0.0, start, 4.0);
    assert!(path.len() > 20, "{} steps", path.len());
    for (t, state) in path {
        let phase = speed * t / p.l;
        let gudermannian = 2.0 * (phase / 2.0).tanh().atan();
        let expected = [
            speed * phase.tanh(),
            turning / phase.cosh(),
            turning * p.l / speed * gudermannian,
        ];
        for (computed, exact) in [state.u1, state.u2, state.theta].into_iter().zip(expected) {
            assert!(
                (computed - exact).abs() < 1e-10,
                "at {t}: {computed}, not {exact}"
            );
        }
    }
}

/// On a straight course (m1 + m2) u1' = thrust - drag u1: an exponential approach to thrust / drag.
#[test]
fn on_a_straight_course_the_engine_works_against_the_drag() {
    let (drag, thrust, heading) = (0.4_f64, 0.6, 0.7_f64);
    let p = params(drag);
    let start = State {
        theta: heading,
        ..State::default()
    };
    let time = (p.m1 + p.m2) / drag;
    for (t, state) in motion(drag, thrust, start, 10.0) {
        let decay = (-t / time).exp();
        let way = thrust / drag * (t - time * (1.0 - decay));
        assert!((state.u1 - thrust / drag * (1.0 - decay)).abs() < 1e-10);
        assert!((state.x - way * heading.cos()).abs() < 1e-9);
        assert!((state.y - way * heading.sin()).abs() < 1e-9);
        assert!((state.theta, state.u2) == (heading, 0.0));
    }
}

fn turning() -> State {
    State {
        x: 0.3,
        y: -0.2,
        theta: 0.5,
        u1: -0.8,
        u2: 2.5,
    }
}

#[test]
fn the_blade_does_not_slip() {
    let p = params(0.4);
    let model = Model::new(&p);
    let inputs = Inputs { thrust: 0.6 };
    for (t, state) in motion(0.4, 0.6, turning(), 5.0) {
        let [x, y, theta, ..] = model.derivative(t, &state.to_array(), &inputs);
        // Of the rear mass at (x, y) - l (cos theta, sin theta), across the rod.
        let (sin, cos) = state.theta.sin_cos();
        let across = -(x + p.l * sin * theta) * sin + (y - p.l * cos * theta) * cos;
        assert!(across.abs() < 1e-14, "{across}");
        let [residual] = model.constraint_residuals(t, &state.to_array(), &inputs);
        assert!(residual.abs() < 1e-14, "{residual}");
    }
}

/// Kinetic energy of the two masses from their velocities.
fn energy(state: &State, p: &Params) -> f64 {
    let forward = state.u1 * state.u1;
    let sideways = (p.l * state.u2).powi(2);
    0.5 * p.m1 * (forward + sideways) + 0.5 * p.m2 * forward
}

#[test]
fn the_free_sleigh_keeps_its_energy() {
    let p = params(0.0);
    let model = Model::new(&p);
    let path = motion(0.0, 0.0, turning(), 5.0);
    let first = energy(&path[0].1, &p);
    let last = path[path.len() - 1].1;
    assert!((last.u2 - turning().u2).abs() > 1.0, "it hardly moves");
    for (t, state) in path {
        let computed = model.kinetic_energy(t, &state.to_array(), &Inputs { thrust: 0.0 });
        assert!(
            (computed - first).abs() < 1e-11 * first,
            "at {t}: {computed}, not {first}"
        );
        assert!((energy(&state, &p) - first).abs() < 1e-11 * first);
    }
}

/// Engine and ice change the energy by their powers, the constraint not at all.
#[test]
fn energy_changes_by_the_power_of_engine_and_drag() {
    let (drag, thrust) = (0.4, 0.6);
    let p = params(drag);
    let inputs = Inputs { thrust };
    for (t, state) in motion(drag, thrust, turning(), 5.0) {
        let [_, _, _, u1_rate, u2_rate] = checked::derivative(t, &state.to_array(), &p, &inputs);
        let rate = (p.m1 + p.m2) * state.u1 * u1_rate + p.m1 * p.l * p.l * state.u2 * u2_rate;
        let power = (thrust - drag * state.u1) * state.u1;
        assert!((rate - power).abs() < 1e-13 * (1.0 + power.abs()));
    }
}

/// The same text in both modules: the same numbers to the last bit.
#[cfg(feature = "derive")]
#[test]
fn both_ways_agree() {
    use sleigh_example::sleigh;
    let p = params(0.4);
    let other = sleigh::Params {
        m1: p.m1,
        m2: p.m2,
        l: p.l,
        drag: p.drag,
    };
    assert_eq!(other, sleigh::Params::default());
    let (derived_model, model) = (sleigh::Model::new(&other), Model::new(&p));
    for (t, state) in motion(0.4, 0.6, turning(), 5.0) {
        let state = state.to_array();
        let derived = sleigh::derivative(t, &state, &other, &sleigh::Inputs { thrust: 0.6 });
        let committed = checked::derivative(t, &state, &p, &Inputs { thrust: 0.6 });
        assert_eq!(derived, committed);
        let derived = derived_model.multipliers(t, &state, &sleigh::Inputs { thrust: 0.6 });
        let committed = model.multipliers(t, &state, &Inputs { thrust: 0.6 });
        assert_eq!(derived, committed);
    }
}
