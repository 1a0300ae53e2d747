//! Operating points and linear models in symbols, held against the numbers of the same commands and against formulas of textbooks: every formula is
//! evaluated as an output of the model that it came from.
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::operating::Bench;

/// A model on a bench.
struct Machine {
    bench: Bench,
    model: String,
}

impl Machine {
    fn new(model: &str) -> Self {
        Self {
            bench: Bench::new(&[("m.eom", model)]),
            model: model.to_owned(),
        }
    }

    /// A model of the collection.
    fn of(name: &str) -> Self {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
        Self::new(&fs::read_to_string(models.join(name)).unwrap())
    }

    /// The values of formulas at a state.
    fn values(&self, formulas: &[String], state: &Value) -> Vec<f64> {
        let mut text = self.model.clone();
        for (k, formula) in formulas.iter().enumerate() {
            text.push_str(&format!("\noutput formula_{k} = {formula}"));
        }
        fs::write(self.bench.path("with.eom"), text).unwrap();
        fs::write(self.bench.path("state.json"), state.to_string()).unwrap();
        let found = self
            .bench
            .json(&["eval", "with.eom", "--state", "state.json"]);
        let value = |k: usize| found["outputs"][format!("formula_{k}")].as_f64().unwrap();
        (0..formulas.len()).map(value).collect()
    }

    /// Every entry of the linear model at a point in symbols is the number that stands there, and none is missing; how many there are.
    fn entries_are_numbers(&self, more: &[&str]) -> usize {
        let all = ["linearize", "m.eom", "--symbolic", "--format", "json"];
        let found = self.bench.json(&[&all[..], more].concat());
        assert_eq!(found["no_symbols_because"], Value::Null, "{found}");
        let names = |key: &str| -> Vec<String> {
            let list = found[key].as_array().unwrap().iter();
            list.map(|n| n.as_str().unwrap().to_owned()).collect()
        };
        let (states, inputs) = (names("states"), names("inputs"));
        let symbols = found["symbols"].as_array().unwrap();
        let texts = symbols
            .iter()
            .map(|s| s["value"].as_str().unwrap().to_owned());
        let texts: Vec<String> = texts.collect();
        let values = self.values(&texts, &found["point"]);
        let mut named = std::collections::BTreeMap::new();
        for (symbol, value) in symbols.iter().zip(values) {
            let key = |name: &str| symbol[name].as_str().unwrap().to_owned();
            named.insert((key("derivative of"), key("by")), value);
        }
        let number = |matrix: &str, i: usize, j: usize| found[matrix][i][j].as_f64().unwrap();
        let mut count = 0;
        for (i, row) in states.iter().enumerate() {
            let rate = match row.ends_with('\'') {
                true => format!("({row})'"),
                false => format!("{row}'"),
            };
            let of_a = states
                .iter()
                .enumerate()
                .map(|(j, name)| (name, number("A", i, j)));
            let of_b = inputs
                .iter()
                .enumerate()
                .map(|(j, name)| (name, number("B", i, j)));
            for (column, expected) in of_a.chain(of_b) {
                let value = named.remove(&(rate.clone(), column.clone())).unwrap_or(0.0);
                let off = (value - expected).abs();
                assert!(
                    off <= 1e-9 * expected.abs().max(1.0),
                    "{rate} by {column}: {value} for {expected}"
                );
                count += usize::from(value != 0.0);
            }
        }
        assert!(named.is_empty(), "{named:?}");
        count
    }

    /// What is said of operating points.
    fn said(&self, more: &[&str]) -> Value {
        let all = ["equilibria", "m.eom", "--equations", "--json"];
        let found = self.bench.json(&[&all[..], more].concat());
        assert_eq!(found["no_equations_because"], Value::Null, "{found}");
        found
    }

    /// The solutions as equations: what is on the left and what on the right.
    fn solutions(&self, more: &[&str]) -> Vec<Vec<(String, String)>> {
        let found = self.said(more);
        let sides = |line: &Value| {
            let (left, right) = line.as_str().unwrap().split_once(" = ").unwrap();
            (left.to_owned(), right.to_owned())
        };
        let solutions = found["solutions"].as_array().unwrap().iter();
        solutions
            .map(|s| s.as_array().unwrap().iter().map(sides).collect())
            .collect()
    }
}

const CART: &str = "model cart
param M = 2, m = 0.3 : kg > 0
param l = 0.7 : m > 0
param g = 9.81 : m/s^2
coord x : m
coord theta : rad
input F : N
point A = O + x*N.x
frame B = rotate(N, theta, N.y)
point P = A + l*B.z
particle cart: mass M at A
particle bob: mass m at P
gravity: -g*N.z
force on A: F*N.x
";

/// A bead on a hoop that is turned at a constant rate (H. Goldstein, Classical Mechanics, 3rd ed., exercise 2.18).
const HOOP: &str = "model hoop
param m = 0.2 : kg > 0
param R = 0.5 : m > 0
param w = 6 : 1/s > 0
param g = 9.81 : m/s^2 > 0
coord psi, theta : rad
frame H = rotate(N, psi, N.z)
frame B = rotate(H, theta, H.y)
point P = O - R*B.z
particle bead: mass m at P
gravity: -g*N.z
constraint turned: psi' = w
";

#[test]
fn a_cart_pole_has_the_textbook_entries() {
    let machine = Machine::new(CART);
    assert_eq!(machine.entries_are_numbers(&[]), 6);
    assert_eq!(machine.entries_are_numbers(&["--at", "theta = pi"]), 6);
    let text = machine.bench.printed(&["linearize", "m.eom", "--symbolic"]);
    assert!(text.contains("g (M + m)/(M l)"), "{text}");
    let from_file =
        machine
            .bench
            .json(&["equilibria", "m.eom", "--json", "--initial", "theta = 3"]);
    fs::write(
        machine.bench.path("down.json"),
        from_file["points"][0]["state"].to_string(),
    )
    .unwrap();
    assert_eq!(machine.entries_are_numbers(&["--at", "down.json"]), 6);
}

#[test]
fn entries_in_symbols_are_the_numbers_of_the_linear_model() {
    for (name, more) in [
        ("double_pendulum.eom", &[][..]),
        ("furuta.eom", &[][..]),
        ("acrobot.eom", &["--at", "q1 = pi/2"][..]),
    ] {
        let machine = Machine::of(name);
        assert!(machine.entries_are_numbers(more) > 4, "{name}");
    }
}

/// A steady motion: the rates that do not vanish stay in the entries.
#[test]
fn a_steady_motion_keeps_its_rates() {
    let turned = "model turned
param m = 0.2 : kg > 0
param R = 0.5 : m > 0
param J = 0.3 : kg*m^2 > 0
param g = 9.81 : m/s^2 > 0
coord psi, theta : rad
frame H = rotate(N, psi, N.z)
frame B = rotate(H, theta, H.y)
point P = O - R*B.z
body arm: frame H, mass 1 [kg], center O, inertia [0, 0, J]
particle bead: mass m at P
gravity: -g*N.z
initial psi' = 6, theta = 0.99
";
    let machine = Machine::new(turned);
    let at = ["--at", "steady", "--hold", "psi'"];
    assert!(machine.entries_are_numbers(&at) >= 4);
    // Out of its place it is no operating point: only one that turns is.
    let text = machine.bench.printed(&[
        "equilibria",
        "m.eom",
        "--steady",
        "psi",
        "--hold",
        "psi'",
        "--equations",
    ]);
    assert!(text.contains("What has to hold:"), "{text}");
}

#[test]
fn a_bead_on_a_turning_hoop_has_four_places() {
    let machine = Machine::new(HOOP);
    let solutions = machine.solutions(&["--steady", "psi"]);
    let right: Vec<String> = solutions
        .iter()
        .flatten()
        .filter(|(left, _)| left == "theta")
        .map(|(_, right)| right.clone())
        .collect();
    let state = serde_json::json!({ "q": { "psi": 0.0, "theta": 0.3 }, "qdot": { "psi": 6.0, "theta": 0.0 } });
    let mut found = machine.values(&right, &state);
    found.sort_by(f64::total_cmp);
    // cos(theta) = g/(R w^2), and both ends of the vertical.
    let aside = 1.0;
    let mut expected = [0.0, std::f64::consts::PI, aside, -aside];
    expected.sort_by(f64::total_cmp);
    assert_eq!(found.len(), 4, "{right:?}");
    for (found, expected) in found.iter().zip(expected) {
        let off = match expected.abs() == aside {
            true => (0.5 * 36.0 * cosine(*found) - 9.81).abs(),
            false => (found - expected).abs(),
        };
        assert!(off < 1e-12, "{found}");
    }
}

/// By its series: the platform's is another on every platform.
fn cosine(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..20 {
        term *= -x * x / f64::from(2 * k * (2 * k - 1));
        sum += term;
    }
    sum
}

#[test]
fn what_is_free_is_solved_for() {
    let held = "model held
param m = 1.5 : kg > 0
param l = 0.4 : m > 0
param g = 9.81 : m/s^2 > 0
coord theta : rad
input tau : N*m
frame B = rotate(N, theta, -N.y)
point P = O - l*B.z
particle bob: mass m at P
gravity: -g*N.z
generalized theta: tau
";
    let machine = Machine::new(held);
    let solutions = machine.solutions(&["--hold", "theta = 30 [deg]", "--free", "tau"]);
    assert_eq!(solutions.len(), 1);
    assert_eq!(solutions[0][0].0, "tau");
    let state = serde_json::json!({ "q": { "theta": 0.5 }, "qdot": { "theta": 0.0 }, "inputs": { "tau": 0.0 } });
    let found = machine.values(
        &[solutions[0][0].1.clone(), "m*g*l*sin(theta)".into()],
        &state,
    );
    assert!((found[0] - found[1]).abs() < 1e-14, "{found:?}");
    // With the torque given there are two angles.
    let solutions = machine.solutions(&["--input", "tau = 3"]);
    assert_eq!(solutions.len(), 2, "{solutions:?}");
    // Which there are as long as the torque can be borne.
    let found = machine.said(&["--input", "tau = 3"]);
    for needs in found["provided"].as_array().unwrap() {
        assert_eq!(*needs, serde_json::json!(["abs(tau/(m*l*g)) <= 1"]));
    }
}

/// A pendulum on a joint that is mounted at an angle, which nothing else speaks of: the angle is that of the sum less the mount.
#[test]
fn a_mounted_angle_is_solved_for() {
    let text = "model mounted
param m = 1.5 : kg > 0
param l = 0.4 : m > 0
param g = 9.81 : m/s^2 > 0
param W = 7 : N
param mount = 0.4 : rad
coord theta : rad
input tau : N*m
frame F = rotate(N, mount, -N.y)
frame B = rotate(F, theta, F.y)
point P = O - l*B.z
particle bob: mass m at P
gravity: -g*N.z
generalized theta: tau
";
    let pushed = format!("{text}force on P: W*N.x\n");
    let given = ["--input", "tau = 1.2"];
    let state = serde_json::json!({ "q": { "theta": 0.0 }, "qdot": { "theta": 0.0 }, "inputs": { "tau": 1.2 } });
    // The turn is about -N.y by the mount and back by theta.
    for (model, push) in [(text, "0"), (&pushed, "W")] {
        let machine = Machine::new(model);
        let found = machine.said(&given);
        let solutions = machine.solutions(&given);
        assert_eq!(solutions.len(), 2, "{found}");
        for (_, angle) in solutions.iter().flatten() {
            let left =
                format!("tau + m*g*l*sin(mount - ({angle})) - {push}*l*cos(mount - ({angle}))");
            let left = machine.values(&[left], &state)[0];
            assert!(left.abs() < 1e-12, "{angle}: {left}");
        }
    }
}

/// A pendulum that a constant side force and its weight hold, against the angle of their sum; and what has no solution at all.
#[test]
fn a_sine_and_a_cosine_are_solved_for() {
    let held = |moment: &str| {
        format!(
            "model held
param m = 1.5 : kg > 0
param l = 0.4 : m > 0
param g = 9.81 : m/s^2 > 0
param W = 7 : N
coord theta : rad
input tau : N*m
frame B = rotate(N, theta, -N.y)
point P = O - l*B.z
particle bob: mass m at P
gravity: -g*N.z
force on P: W*N.x
generalized theta: {moment}
"
        )
    };
    let machine = Machine::new(&held("tau"));
    let given = ["--input", "tau = 1.2"];
    let found = machine.said(&given);
    let solutions = machine.solutions(&given);
    assert_eq!(solutions.len(), 2, "{found}");
    let state = serde_json::json!({ "q": { "theta": 0.0 }, "qdot": { "theta": 0.0 }, "inputs": { "tau": 1.2 } });
    for (_, angle) in solutions.iter().flatten() {
        let left = format!("m*g*l*sin({angle}) - W*l*cos({angle}) - tau");
        let left = machine.values(&[left], &state)[0];
        assert!(left.abs() < 1e-12, "{angle}: {left}");
    }
    let needs = found["provided"].to_string();
    assert!(needs.contains("<= 1"), "{needs}");
    // A torque that no angle balances: the equations are said, and no solution.
    let machine = Machine::new(&held("3*m*g*l"));
    let output = machine
        .bench
        .run(&["equilibria", "m.eom", "--fix", "W=0", "--equations"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("What has to hold") && !text.contains("Solutions"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_said_in_symbols_is_told() {
    let machine = Machine::of("four_bar.eom");
    let text = machine.bench.printed(&["linearize", "m.eom", "--symbolic"]);
    assert!(text.contains("no linear model in symbols: "), "{text}");
    let output = machine
        .bench
        .run(&["linearize", "m.eom", "--at", "somewhere"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("write nearest, start, steady"), "{said}");
}

/// A picture as a page has the numbers beside it.
#[test]
fn a_page_has_the_picture_and_its_numbers() {
    let machine = Machine::new(CART);
    machine.bench.printed(&[
        "linearize",
        "m.eom",
        "--bode",
        "F -> theta",
        "-o",
        "bode.html",
    ]);
    let page = fs::read_to_string(machine.bench.path("bode.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>\n") && page.contains("<svg "));
    assert!(page.contains("<th>phase [deg]</th>"));
    assert_eq!(page.matches("<tr>").count(), 1 + 201);
    // It may be written again.
    machine.bench.printed(&[
        "linearize",
        "m.eom",
        "--root-locus",
        "l = 0.5..1 in 5",
        "-o",
        "bode.html",
    ]);
}

/// An input that follows the state is no symbol of the model, and what has to hold is said even where no point is found.
#[test]
fn equations_are_those_of_the_model() {
    let machine = Machine::new(CART);
    let follows = [
        "equilibria",
        "m.eom",
        "--equations",
        "--input",
        "F = -theta",
    ];
    let text = machine.bench.printed(&follows);
    assert!(
        text.starts_with("no equations in symbols: inputs follow"),
        "{text}"
    );
    let nowhere = [
        "equilibria",
        "m.eom",
        "--equations",
        "--hold",
        "theta = 0.2",
    ];
    let output = machine.bench.run(&nowhere);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("g sin("), "{text}");
}
