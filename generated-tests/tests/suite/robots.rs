//! Whole machines: floating bases, loops and redundant rows, against numbers from elsewhere, with the operations that their accelerations take.
#![cfg(feature = "pipeline")]

use eomgen::options::DeriveOptions;
use eomgen::{EvalInput, Evaluator, Source, evaluator_source};
use generated_tests::oracle::is_thorough;
use serde_json::Value;
use std::path::PathBuf;

/// Differences of accelerations, relative to the largest of a state.
const TOLERANCE: f64 = 1e-11;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("robots")
        .join(name)
}

fn evaluator(model: &str) -> Evaluator {
    let path = path(&format!("{model}.eom"));
    let text = std::fs::read_to_string(&path).unwrap();
    let read = eomgen::internals::files::read_part;
    let source = Source::gather(&path.display().to_string(), &text, read);
    evaluator_source(&source, &DeriveOptions::default()).unwrap()
}

fn reference(name: &str) -> Value {
    let text = std::fs::read_to_string(path(&format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap().iter();
    list.map(|x| x.as_f64().unwrap()).collect()
}

fn names(value: &Value) -> Vec<String> {
    let list = value.as_array().unwrap().iter();
    list.map(|x| x.as_str().unwrap().to_owned()).collect()
}

/// The worst difference between lists of the same names.
fn off(found: &[(String, f64)], names: &[String], expected: &[f64]) -> f64 {
    assert_eq!(names.len(), expected.len());
    let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let each = names.iter().zip(expected).map(|(name, expected)| {
        let value = found.iter().find(|(n, _)| n == name);
        let value = value
            .unwrap_or_else(|| panic!("no {name} among {found:?}"))
            .1;
        (value - expected).abs() / size
    });
    each.fold(0.0, f64::max)
}

/// Operations of one evaluation of a function.
fn operations(evaluator: &Evaluator, function: &str) -> usize {
    let costs = evaluator.costs();
    let cost = costs.iter().find(|(name, _)| name == function);
    cost.map(|(_, cost)| cost.total()).unwrap()
}

/// A machine whose rates are those of the coordinates, `most` operations for its accelerations.
fn check(model: &str, numbers_of: &str, most: usize) -> Evaluator {
    let (evaluator, reference) = (self::evaluator(model), reference(numbers_of));
    let coordinates = names(&reference["coordinates"]);
    let mut worst: f64 = 0.0;
    for state in reference["states"].as_array().unwrap() {
        let by_name = |key: &str| {
            let values = numbers(&state[key]).into_iter();
            coordinates.iter().cloned().zip(values).collect()
        };
        let inputs = state["inputs"].as_object().unwrap().iter();
        let input = EvalInput {
            q: by_name("q"),
            qdot: Some(by_name("qd")),
            inputs: inputs
                .map(|(name, x)| (name.clone(), x.as_f64().unwrap()))
                .collect(),
            ..EvalInput::default()
        };
        let found = evaluator.eval(&input).unwrap();
        worst = worst.max(off(&found.qddot, &coordinates, &numbers(&state["qdd"])));
    }
    let count = operations(&evaluator, "accelerations");
    println!("{model}: {count} operations, off by {worst:.0e}");
    assert!(worst < TOLERANCE, "{model}: {worst:e}");
    assert!(
        count <= most,
        "{model}: {count} operations, {most} promised"
    );
    evaluator
}

/// The same of a machine whose rows are eliminated by a plan: conditions are on single rows then.
fn check_planned(model: &str, most: usize) {
    let conditions = check(model, model, most).conditions();
    let rows = conditions
        .iter()
        .filter(|c| c.contains("depends on the others"));
    assert!(rows.count() > 0, "{model}: {conditions:#?}");
}

/// An arm on the ground: joints `q[1]` and so on in the order of the reference, each with an input.
fn check_arm(model: &str, most: usize) {
    let (evaluator, reference) = (evaluator(model), reference(model));
    let mut worst: f64 = 0.0;
    for state in reference["states"].as_array().unwrap() {
        let [q, qd, tau, qdd] = ["q", "qd", "tau", "qdd"].map(|key| numbers(&state[key]));
        let list = |name: &str| -> Vec<String> {
            let each = (1..=q.len()).map(|i| format!("{name}[{i}]"));
            each.collect()
        };
        let joints = list("q");
        let input = EvalInput {
            qdot: Some(joints.iter().cloned().zip(qd).collect()),
            inputs: list("tau").into_iter().zip(tau).collect(),
            q: joints.iter().cloned().zip(q.clone()).collect(),
            ..EvalInput::default()
        };
        let found = evaluator.eval(&input).unwrap();
        worst = worst.max(off(&found.qddot, &joints, &qdd));
    }
    let count = operations(&evaluator, "accelerations");
    println!("{model}: {count} operations, off by {worst:.0e}");
    assert!(worst < TOLERANCE, "{model}: {worst:e}");
    assert!(
        count <= most,
        "{model}: {count} operations, {most} promised"
    );
}

/// A robot on a floating base: speeds in body axes, a quaternion with the scalar part last.
fn check_robot(model: &str, most: usize) {
    let (evaluator, reference) = (evaluator(model), reference(model));
    let mut worst: f64 = 0.0;
    for state in reference["states"].as_array().unwrap() {
        let [q, qd, tau, qdd] = ["q", "qd", "tau", "qdd"].map(|key| numbers(&state[key]));
        let joints = q.len() - 7;
        let joint = |i: usize| format!("q[{}]", i + 1);
        let mut coordinates: Vec<String> = ["px", "py", "pz", "e1", "e2", "e3", "e0"]
            .map(String::from)
            .to_vec();
        coordinates.extend((0..joints).map(joint));
        let mut rates = base_rates(&q, &qd);
        rates.extend(&qd[6..]);
        let loads = ["f[1]", "f[2]", "f[3]", "w[1]", "w[2]", "w[3]"].map(String::from);
        let torques = (0..joints).map(|i| format!("tau[{}]", i + 1));
        let mut speeds: Vec<String> = ["vx", "vy", "vz", "wx", "wy", "wz"]
            .map(String::from)
            .to_vec();
        speeds.extend((0..joints).map(|i| format!("{}'", joint(i))));
        let input = EvalInput {
            q: coordinates.iter().cloned().zip(q).collect(),
            qdot: Some(coordinates.iter().cloned().zip(rates).collect()),
            inputs: loads.into_iter().chain(torques).zip(tau).collect(),
            ..EvalInput::default()
        };
        let found = evaluator.eval(&input).unwrap();
        worst = worst.max(off(&found.speeds_dot, &speeds, &qdd));
    }
    let count = operations(&evaluator, "speed_rates");
    println!("{model}: {count} operations, off by {worst:.0e}");
    assert!(worst < TOLERANCE, "{model}: {worst:e}");
    assert!(
        count <= most,
        "{model}: {count} operations, {most} promised"
    );
}

/// Rates of place and quaternion from velocity and angular velocity in body axes: `p' = R v`, `e' = 1/2 e w`.
fn base_rates(q: &[f64], qd: &[f64]) -> Vec<f64> {
    let [x, y, z, a] = [q[3], q[4], q[5], q[6]];
    let (v, w) = (&qd[..3], &qd[3..6]);
    let turned = |i: usize| {
        let u = [x, y, z];
        let cross = |p: [f64; 3], r: [f64; 3]| {
            [
                p[1] * r[2] - p[2] * r[1],
                p[2] * r[0] - p[0] * r[2],
                p[0] * r[1] - p[1] * r[0],
            ]
        };
        let v = [v[0], v[1], v[2]];
        let t = cross(u, v).map(|x| 2.0 * x);
        v[i] + a * t[i] + cross(u, t)[i]
    };
    vec![
        turned(0),
        turned(1),
        turned(2),
        0.5 * (a * w[0] + y * w[2] - z * w[1]),
        0.5 * (a * w[1] + z * w[0] - x * w[2]),
        0.5 * (a * w[2] + x * w[1] - y * w[0]),
        -0.5 * (x * w[0] + y * w[1] + z * w[2]),
    ]
}

#[test]
fn quaternions_are_kinematics() {
    check("free_two_hinges_quat", "free_two_hinges_quat", 782);
    check("free_two_hinges_quat_speeds", "free_two_hinges_quat", 838);
}

#[test]
fn angles_are_kinematics_where_their_rates_have_no_inertia() {
    check("free_two_hinges_euler", "free_two_hinges_euler", 780);
}

#[test]
fn arms() {
    // CasADi's best programs take 1448 and 2328.
    check_arm("kinova", 787);
    if is_thorough() {
        check_arm("tiago", 1_866);
    }
}

/// Two legs of five links each on a torso, in the plane, by angles between neighbours.
#[test]
fn biped_in_flight() {
    // A person's program by articulated bodies takes 1013.
    check("biped", "biped", 620);
}

#[test]
fn loops_in_a_row() {
    // Some 95 operations for each loop, and no routine that finds the rank.
    check_planned("ladder_uneven_2", 200);
    check_planned("ladder_uneven_4", 400);
    if is_thorough() {
        check_planned("ladder_uneven_8", 800);
    }
    // Equal rods, which are drawn towards a dead centre.
    check_planned("ladder_32", 3_150);
}

#[test]
fn rows_that_depend_on_one_another() {
    check_planned("wagon_flat", 130);
    // A chassis that can tilt, by angles: its four heights hold it upright.
    check_planned("wagon_tilt", 220);
}

/// As many speeds as degrees of freedom, which give all rates: the rows go as early as a person would take them.
#[test]
fn rows_beside_declared_speeds() {
    // A person's program takes 127, and 2062 for the platform.
    check("wagon_flat_speeds", "wagon_flat", 130);
    if is_thorough() {
        check("stewart_quat_speeds", "stewart_quat", 3_400);
    }
}

#[test]
fn platform_on_six_legs() {
    if is_thorough() {
        check_planned("stewart_quat", 2_450);
    }
    // Euler angles: singular where yaw and roll turn about one axis, and nowhere else.
    let conditions = check("stewart", "stewart", 2_450).conditions();
    let of_angles = |c: &&String| c.contains("sin(") || c.contains("cos(");
    let poles: Vec<&String> = conditions.iter().filter(of_angles).collect();
    assert_eq!(poles, ["cos(pitch) = 0"]);
}

/// Loops of two legs on a floating base: each is closed before the rest of the machine is looked at.
#[test]
#[ignore = "a machine of 30 freedoms: half a minute"]
fn loops_of_legs() {
    // CasADi's program, by eleven more recursions, takes 22181.
    check_robot("cassie_ff", 10_600);
}

#[test]
fn quadruped() {
    // CasADi's best program takes 3836, for the same outputs.
    if is_thorough() {
        check_robot("a1_ff", 3_210);
    }
    // Placed by angles that are quarter turns to twelve digits.
    check_robot("anymal_c_ff", 4_250);
}
