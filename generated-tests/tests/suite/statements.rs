//! What `check` says of a model is true: quantities that it calls constant, and relations between rates that it says follow, are made outputs
//! of the model, and differentiated along motions from the states of the references.
#![cfg(feature = "pipeline")]

use eomgen::options::DeriveOptions;
use eomgen::{EvalInput, Evaluator, Source, check};
use generated_tests::harness::eval_input;
use generated_tests::known;
use generated_tests::memo;
use generated_tests::oracle::is_thorough;
use generated_tests::reference::model_text;
use serde_json::Value;
use std::fmt::Write;

/// Formulas that are constant, and that are zero.
fn claims(name: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let report = check(name, text).unwrap_or_else(|f| panic!("{name}: {f:?}"));
    let json = report.to_json();
    let list = |key: &str, member: &str| -> Vec<String> {
        let items = json[key].as_array().into_iter().flatten();
        let texts = items.filter_map(|v: &Value| v[member].as_str().map(str::to_owned));
        texts.collect()
    };
    let relations = list("integrable_combinations", "relation").into_iter();
    let zero = relations.map(|r| r.strip_suffix(" = 0").unwrap_or(&r).to_owned());
    (list("conserved", "formula"), zero.collect())
}

/// The state a moment later or earlier on the same motion.
fn moved(input: &EvalInput, accelerations: &[(String, f64)], h: f64) -> EvalInput {
    let mut other = input.clone();
    other.t += h;
    let rates = input.qdot.clone().unwrap();
    for (name, a) in accelerations {
        let v = rates[name];
        *other.q.get_mut(name).unwrap() += h * v + h * h / 2.0 * a;
        *other.qdot.as_mut().unwrap().get_mut(name).unwrap() += h * a;
    }
    other
}

fn outputs(evaluator: &Evaluator, input: &EvalInput, at: &str) -> Vec<(String, f64)> {
    let found = evaluator
        .eval(input)
        .unwrap_or_else(|f| panic!("{at}: {f:?}"));
    let claimed = found
        .outputs
        .into_iter()
        .filter(|o| o.0.starts_with("claimed_"));
    claimed.map(|(name, v)| (name, v[0])).collect()
}

/// How many claims were held against motions.
fn hold(name: &str, text: &str, states: &[EvalInput]) -> usize {
    let (constant, zero) = claims(name, text);
    if constant.is_empty() && zero.is_empty() {
        return 0;
    }
    let mut text = format!("{}\n", text.trim_end());
    for (i, e) in constant.iter().enumerate() {
        writeln!(text, "output claimed_constant{i} = {e}").unwrap();
    }
    for (i, e) in zero.iter().enumerate() {
        writeln!(text, "output claimed_zero{i} = {e}").unwrap();
    }
    let source = Source::new(name, &text);
    let evaluator = memo::evaluator(&source, &DeriveOptions::default())
        .unwrap_or_else(|f| panic!("{text}: {f:?}"));
    for state in states {
        let at = format!("{name}, {state:?}");
        let now = evaluator
            .eval(state)
            .unwrap_or_else(|f| panic!("{at}: {f:?}"));
        let h = 1e-5;
        let here = outputs(&evaluator, state, &at);
        let later = outputs(&evaluator, &moved(state, &now.qddot, h), &at);
        let before = outputs(&evaluator, &moved(state, &now.qddot, -h), &at);
        for ((o, y), ((_, b), (_, a))) in here.iter().zip(before.iter().zip(&later)) {
            if o.starts_with("claimed_zero") {
                assert!(y.abs() < 1e-9, "{o} is {y}: {zero:?}, {at}");
            } else {
                let slope = (a - b) / (2.0 * h);
                assert!(
                    slope.abs() < 1e-4 * (1.0 + y.abs()),
                    "{o} changes by {slope}: {constant:?}, {at}"
                );
            }
        }
    }
    constant.len() + zero.len()
}

#[test]
fn constants_of_the_models_are_constant() {
    let folder = generated_tests::reference::model_path("disc");
    let files = std::fs::read_dir(folder.parent().unwrap()).unwrap();
    let mut names: Vec<String> = files
        .filter_map(|f| {
            f.ok()?
                .file_name()
                .into_string()
                .ok()?
                .strip_suffix(".eom")
                .map(str::to_owned)
        })
        .collect();
    names.sort();
    let mut count = 0;
    for (i, name) in names.iter().enumerate() {
        // One in eight, unless everything is asked for.
        let Ok((reference, _)) = known::reference(name) else {
            continue;
        };
        let text = model_text(name).unwrap();
        let apart = text.contains("\nuse ") || reference.coordinates.len() > 9;
        if apart || !is_thorough() && i % 8 != 7 {
            continue;
        }
        let states: Vec<EvalInput> = reference
            .states
            .iter()
            .take(2)
            .map(|s| eval_input(&reference, s))
            .collect();
        count += hold(name, &text, &states);
    }
    assert!(count > 3, "{count}");
}

/// An axle with two wheels on a plane, in more coordinates than it needs; all that rolls is stated, and both heights.
const AXLE: &str = "model axle
param r = 0.2, b = 0.35
coord x, y
coord z = 0.2
coord yaw, pitch, roll
coord s1, s2
frame B = rotate_body(N, zyx, yaw, pitch, roll)
point R = O + x*N.x + y*N.y + z*N.z
body axle: frame B, mass 4, center R, inertia [0.35, 0.02, 0.36]
point W1 = R + b*B.y
point W2 = R - b*B.y
frame V1 = rotate(B, s1, B.y)
frame V2 = rotate(B, s2, B.y)
body wheel1: frame V1, mass 1.6, center W1, inertia [0.017, 0.033, 0.017]
body wheel2: frame V2, mass 1.6, center W2, inertia [0.017, 0.033, 0.017]
gravity: -9.81*N.z
";
const ROLLS: [&str; 2] = [
    "constraint roll1: vel_at(wheel1, W1 - r*N.z) = 0\nconstraint roll2: vel_at(wheel2, W2 - r*N.z) = 0\n",
    "constraint height1: dot(W1 - O, N.z) = r\nconstraint height2: dot(W2 - O, N.z) = r\n",
];

/// Both orders of the statements: rolling first, and heights first.
fn axles() -> [String; 2] {
    let [rolls, heights] = ROLLS;
    [[rolls, heights], [heights, rolls]].map(|order| format!("{AXLE}{}", order.concat()))
}

/// Upright, at a heading, moving ahead at `v` and turning at `w`.
fn upright(pitch: f64, yaw: f64, v: f64, w: f64, tilting: f64) -> EvalInput {
    let (r, b) = (0.2, 0.35);
    let named = |list: &[(&str, f64)]| list.iter().map(|(n, x)| ((*n).to_owned(), *x)).collect();
    // Wheel 1 is on the left: its centre moves at v - b w, and its angular velocity about the axle is that speed over r.
    let (s1, s2) = ((v - b * w) / r - tilting, (v + b * w) / r - tilting);
    EvalInput {
        q: named(&[
            ("x", 0.3),
            ("y", -0.2),
            ("z", r),
            ("yaw", yaw),
            ("pitch", pitch),
            ("roll", 0.0),
            ("s1", 0.4),
            ("s2", -0.7),
        ]),
        qdot: Some(named(&[
            ("x", v * yaw.cos()),
            ("y", v * yaw.sin()),
            ("z", 0.0),
            ("yaw", w),
            ("pitch", tilting),
            ("roll", 0.0),
            ("s1", s1),
            ("s2", s2),
        ])),
        ..EvalInput::default()
    }
}

#[test]
fn the_wheels_of_an_axle_tell_its_heading() {
    let states = [
        upright(0.3, 0.8, 1.2, 0.7, 0.4),
        upright(-0.6, -2.0, 0.4, -1.3, -0.2),
    ];
    for text in axles() {
        let (constant, zero) = claims("axle", &text);
        assert_eq!(zero.len(), 1, "{zero:?}");
        assert!(
            zero[0].contains("yaw'"),
            "r (s1' - s2') + 2 b yaw' = 0 by hand: {zero:?}"
        );
        assert!(constant.iter().any(|c| c.contains("yaw")), "{constant:?}");
        assert!(hold("axle", &text, &states) > 1);
    }
}

/// What the wheels of a wagon say of its heading and steering, without a name of the derivation in it.
#[test]
fn the_wheels_of_a_wagon_tell_its_heading_and_its_steering() {
    let path = |kind: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/robots/wagon_flat");
        format!("{folder}.{kind}")
    };
    let text = std::fs::read_to_string(path("eom")).unwrap();
    let numbers = std::fs::read_to_string(path("json")).unwrap();
    let numbers: Value = serde_json::from_str(&numbers).unwrap();
    let names = numbers["coordinates"].as_array().unwrap();
    let named = |values: &Value| {
        let each = names.iter().zip(values.as_array().unwrap());
        each.map(|(name, x)| (name.as_str().unwrap().to_owned(), x.as_f64().unwrap()))
            .collect()
    };
    let state = |state: &Value| {
        let inputs = state["inputs"].as_object().unwrap().iter();
        EvalInput {
            q: named(&state["q"]),
            qdot: Some(named(&state["qd"])),
            inputs: inputs
                .map(|(name, x)| (name.clone(), x.as_f64().unwrap()))
                .collect(),
            ..EvalInput::default()
        }
    };
    let states = numbers["states"].as_array().unwrap().iter();
    let states: Vec<EvalInput> = states.take(3).map(state).collect();
    // By hand: r (s1' - s2') + 2 b yaw' = 0, and the same of the front wheels with yaw' + steer'.
    let zero = claims("wagon_flat", &text).1;
    assert_eq!(zero.len(), 2, "{zero:?}");
    assert_eq!(zero[0], "r*(s1' - s2')/(2*b) + yaw'");
    assert!(zero[1].contains("steer'"), "{zero:?}");
    assert!(hold("wagon_flat", &text, &states) > 1);
}

#[test]
fn multipliers_of_the_axle_are_of_minimum_norm() {
    for text in axles() {
        let evaluator =
            memo::evaluator(&Source::new("axle", &text), &DeriveOptions::default()).unwrap();
        for state in [
            upright(0.3, 0.8, 1.2, 0.7, 0.4),
            upright(-0.6, -2.0, 0.4, -1.3, -0.2),
        ] {
            let found = evaluator.eval(&state).unwrap_or_else(|f| panic!("{f:?}"));
            let of = |name: &str| {
                found
                    .multipliers
                    .iter()
                    .find(|m| m.0 == name)
                    .expect(name)
                    .1
            };
            // A height and the third component of rolling have the same rate: each carries half. Together they carry the weight.
            let mut weight = 0.0;
            for (height, rolls) in [("height1", "roll1.z"), ("height2", "roll2.z")] {
                assert!(
                    (of(height).abs() - of(rolls).abs()).abs() < 1e-9,
                    "{:?}",
                    found.multipliers
                );
                weight += 2.0 * of(height).abs();
            }
            assert!((weight - 9.81 * 7.2).abs() < 1e-9, "{weight}");
            // Sideways both wheels say the same.
            let yaw: f64 = state.q["yaw"];
            let side = |wheel: &str| {
                of(&format!("{wheel}.y")) * yaw.cos() - of(&format!("{wheel}.x")) * yaw.sin()
            };
            assert!(
                (side("roll1") - side("roll2")).abs() < 1e-9,
                "{:?}",
                found.multipliers
            );
        }
    }
}
