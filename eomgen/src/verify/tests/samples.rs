//! States that are drawn for every model of the test suite: which arithmetic it takes, that the state meets the constraints, and the
//! identities that hold for every machine.

use super::*;
use crate::verify::identities::identities;
use crate::verify::number::Decimal;
use crate::verify::states::{self, SolvedState};

/// Models that are not algebraic (tanh, conditions, thirds of a turn), or whose loops are not closed in the field.
const DIGITS: [&str; 8] = [
    "energy_hunt_crossley",
    "incline_block",
    "ladder_friction",
    "ladder_with_friction",
    "parallelogram",
    "rod_on_ring",
    "three_rrr",
    "tree",
];

fn names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .filter_map(|e| {
            Some(
                e.unwrap()
                    .file_name()
                    .to_str()?
                    .strip_suffix(".eom")?
                    .into(),
            )
        })
        .collect();
    names.sort();
    names
}

fn broken<N: Number>(machine: &Machine<'_>, points: &[SolvedState<N>]) -> Vec<&'static str> {
    let mut list = Vec::new();
    for point in points {
        let all = identities(machine, point).unwrap();
        assert!(all.len() >= 6);
        list.extend(all.iter().filter(|i| !i.holds).map(|i| i.name));
    }
    list
}

#[test]
fn every_model_has_states_and_keeps_the_identities() {
    for name in names() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
        let text = std::fs::read_to_string(folder.join(format!("{name}.eom"))).unwrap();
        if text.lines().any(|l| l.starts_with("use ")) {
            continue;
        }
        let system = read(&text);
        let machine = Machine::new(&system, 1).unwrap();
        match states::in_field(&machine, 1, 1) {
            Ok(points) => {
                assert!(!DIGITS.contains(&name.as_str()), "{name}");
                assert_eq!(points.len(), 1);
                assert_eq!(broken(&machine, &points), [""; 0], "{name}");
            }
            Err(why) => {
                assert!(DIGITS.contains(&name.as_str()), "{name}: {why}");
                let points = states::with_digits(&machine, 1, 1).unwrap();
                assert_eq!(points.len(), 1);
                assert_eq!(broken(&machine, &points), [""; 0], "{name}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_states() {
    let system = system("four_bar");
    let draw = |seed| {
        let machine = Machine::new(&system, seed).unwrap();
        let points = states::in_field(&machine, 2, seed).unwrap();
        let accelerations = points.iter().map(|p| p.dynamics.accelerations.clone());
        accelerations.collect()
    };
    let first: Vec<Vec<Modular>> = draw(3);
    assert_eq!(first.len(), 2);
    assert_ne!(first[0], first[1]);
    assert_eq!(first, draw(3));
    assert_ne!(first, draw(4));
}

/// In the field and among real numbers, what is wrong is seen.
#[test]
fn wrong_numbers_break_identities() {
    fn spoil<N: Number>(machine: &Machine<'_>, point: &SolvedState<N>) {
        type Spoil<N> = (&'static str, fn(&mut Dynamics<N>));
        let list: [Spoil<N>; 5] = [
            ("A q'' = b", |t| {
                t.accelerations[2] = t.accelerations[2].add(&N::int(1));
            }),
            ("the virtual power of Qi is zero where A v = 0", |t| {
                t.ideal_forces[2] = t.ideal_forces[2].add(&N::int(1));
            }),
            ("Gauss: v.(M q'' + h - Q - C) = 0 where A v = 0", |t| {
                t.applied[2] = t.applied[2].add(&N::int(1));
            }),
            ("M is symmetric", |t| {
                t.mass[0][2] = t.mass[0][2].add(&N::int(1));
            }),
            ("Lagrange: dp/dt - dT/dq = M q'' + h", |t| {
                t.velocity_terms[0] = t.velocity_terms[0].neg();
            }),
        ];
        for (name, spoil) in list {
            let mut wrong = point.clone();
            spoil(&mut wrong.dynamics);
            assert!(broken(machine, &[wrong]).contains(&name), "{name}");
        }
    }
    let system = system("e4_sleigh");
    let machine = Machine::new(&system, 2).unwrap();
    let field = states::in_field(&machine, 1, 2).unwrap();
    spoil::<Modular>(&machine, &field[0]);
    let digits = states::with_digits(&machine, 1, 2).unwrap();
    spoil::<Decimal>(&machine, &digits[0]);
    // A mass that would let energy grow out of nothing is seen among real numbers only.
    let mut wrong = digits[0].clone();
    for row in &mut wrong.dynamics.mass {
        for e in row {
            *e = e.neg();
        }
    }
    assert!(broken(&machine, &[wrong]).contains(&"M is positive definite where A v = 0 (pivots)"));
}

/// In a parallelogram a row depends on the others where the loops are closed, and only there.
#[test]
fn a_parallelogram_moves() {
    let system = system("parallelogram");
    let machine = Machine::new(&system, 1).unwrap();
    let points = states::with_digits(&machine, 2, 1).unwrap();
    for point in &points {
        assert_eq!(
            crate::verify::linear::rank(&point.dynamics.constraint_matrix).unwrap(),
            5
        );
        assert!(
            point
                .state
                .rates
                .iter()
                .any(|v| !v.is_below(&Decimal::int(1), -10))
        );
    }
}

/// What is known of accidents for machines of several sizes.
#[test]
fn accidents_are_unlikely() {
    for (name, least) in [
        ("e4_sleigh", -40),
        ("double_pendulum", -40),
        ("e1_appell", -40),
        ("panda7", -40),
        ("pend_abs_20", -35),
        ("e5_wheel_axle_full", -20),
    ] {
        let system = system(name);
        let machine = Machine::new(&system, 1).unwrap();
        let points = states::in_field(&machine, 1, 1).unwrap();
        let log = crate::verify::states::chance(&machine, &points[0].state, 0.0).unwrap();
        assert!(log <= least, "{name}: {log}");
        // Not better than a polynomial of the first degree.
        assert!(log >= -57, "{name}: {log}");
    }
}

/// Thousands of names, each made of the one before, and a chain of many points: nothing is nested deeply.
#[test]
fn long_chains_of_names() {
    use std::fmt::Write as _;
    let mut text = String::from("model long\nparam m : kg > 0\ncoord x : m\nlet a0 = x\n");
    for i in 1..4000 {
        writeln!(text, "let a{i} = a{} + x", i - 1).unwrap();
    }
    text.push_str("point P0 = O + x*N.x\n");
    for i in 1..1500 {
        writeln!(text, "point P{i} = P{} + x*N.x", i - 1).unwrap();
    }
    text.push_str("particle A: mass m at P1499\noutput y = a3999\n");
    let system = read(&text);
    let machine = Machine::new(&system, 1).unwrap();
    let points = states::in_field(&machine, 1, 1).unwrap();
    let point = &points[0];
    let x = point.state.q[0];
    let output = point.dynamics.outputs[0].1.clone().unwrap();
    assert_eq!(output, [Modular::int(4000).mul(&x)]);
    let factor = Modular::int(1500 * 1500);
    assert_eq!(
        point.dynamics.mass[0][0],
        factor.mul(&point.state.params[0])
    );
}

/// Moments and products of inertia near the edge of what a body can have: states far from the given values keep to it.
#[test]
fn tensors_are_those_of_bodies_however_far_they_are_drawn() {
    let system = read(
        "model block
param m = 2 > 0
param a = 1.39, b = 1.64, c = 1.08 > 0
param d = 0.6, e = -0.6, f = 0.5
coord q
frame B = rotate(N, q, N.z)
body W: frame B, mass m, center O, inertia [a, b, c, d, e, f]",
    );
    let machine = Machine::new(&system, 1).unwrap();
    let mut refused = 0;
    for seed in 0..60 {
        let Ok(far) = states::far(&machine, seed) else {
            refused += 1;
            continue;
        };
        let j = machine.inertias(&far.state).unwrap()[0]
            .each_ref()
            .map(|row| row.each_ref().map(Decimal::to_f64));
        let j = nalgebra::Matrix3::from_fn(|i, k| j[i][k]);
        let values = j.symmetric_eigenvalues();
        assert!(values.min() > 0.0, "{seed}: {values}");
    }
    assert!(refused < 30, "{refused}");
}
