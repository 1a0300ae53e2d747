//! The order of statements has no meaning, wherever rows read 0 = 0 and drop out: multipliers, friction by them, prescribed forces,
//! forces at points and declared reactions against a solution by hand.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, EvalOutput, evaluator,
    options::{DeriveOptions, Form},
};

const METHODS: [&str; 5] = [
    "newton-euler",
    "lagrange",
    "kane",
    "udwadia-kalaba",
    "boltzmann-hamel",
];

const FIXED: &str = "
param m = 2, mb = 1, mc = 3 : kg > 0
param g = 10 : m/s^2
param mu = 0.25 : 1
param F = 7, C = 3 : N
coord x, y, s, w, p : m
coord h = 1 : m
point P = O + x*N.a + y*N.b
point Q = P + s*N.n
point R = O + w*N.a
point S = O + p*N.a + h*N.n
particle A: mass m at Q
particle B: mass mb at R
particle K: mass mc at S
gravity: -g*N.n
force on Q: F*N.b
force on R: -mu*reaction(hold)*N.a
nonideal on Q: C*N.a
reaction up at P: N.n
reaction under at R: N.n
reaction none at S: N.n
output held = reaction(hold)
output along = reaction(flat.a)
output across = reaction(flat.b)
output nothing = reaction(flat.n)
output lift = reaction(rest.n)
output on_R = reaction(flat, R)
";

/// A component of each vector equation drops out: along `n` of the first, along `b` of the last.
const ROWS: [&str; 3] = [
    "constraint flat: vel(P) = vel(R)\n",
    "constraint hold: s = 0\n",
    "constraint rest: S = O + 1 [m]*N.n\n",
];

const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// With the directions a, b and n along these axes.
fn text(order: [usize; 3], axes: [&str; 3]) -> String {
    let rows: String = order.iter().map(|i| ROWS[*i]).collect();
    let mut text = format!("model order{FIXED}{rows}");
    for (name, axis) in ["a", "b", "n"].iter().zip(axes) {
        for owner in ["N", "flat", "rest"] {
            text = text.replace(&format!("{owner}.{name}"), &format!("{owner}.{axis}"));
        }
    }
    text
}

fn outcome(text: &str, method: &str, form: Form) -> EvalOutput {
    let options = DeriveOptions {
        method: Some(method.into()),
        form,
        ..DeriveOptions::default()
    };
    let state = [
        ("x", 0.1, 0.5),
        ("y", 0.0, 0.0),
        ("s", 0.0, 0.0),
        ("w", 0.3, 0.5),
        ("p", 0.0, 0.0),
        ("h", 1.0, 0.0),
    ];
    let own = |(name, q, v): (&str, f64, f64)| ((name.to_string(), q), (name.to_string(), v));
    let (q, qdot) = state.into_iter().map(own).unzip();
    let input = EvalInput {
        q,
        qdot: Some(qdot),
        ..EvalInput::default()
    };
    let found = evaluator("order.eom", text, &options).and_then(|e| e.eval(&input));
    found.unwrap_or_else(|f| panic!("{method} {form:?}: {f:?}\n{text}"))
}

/// `m g` holds A up; friction `mu m g` and the prescribed force C decelerate A and B together:
/// `(m + mb) x'' = C - mu m g`; the row along `a` bears what this takes of A beside C, the row along `b` bears F.
fn holds(text: &str, axes: [&str; 3], found: &EvalOutput) {
    let (m, mb, mc, g, mu, f, c) = (2.0, 1.0, 3.0, 10.0, 0.25, 7.0, 3.0);
    let acceleration = (c - mu * m * g) / (m + mb);
    let along = m * acceleration - c;
    let at = |axis: &str| ["x", "y", "z"].iter().position(|a| *a == axis).unwrap();
    let mut on_r = [0.0; 3];
    on_r[at(axes[0])] = -along;
    on_r[at(axes[1])] = f;
    let wanted: [(&str, Vec<f64>); 9] = [
        ("held", vec![m * g]),
        ("along", vec![along]),
        ("across", vec![-f]),
        ("nothing", vec![0.0]),
        ("lift", vec![mc * g]),
        ("on_R", on_r.to_vec()),
        ("up", vec![m * g]),
        ("under", vec![mb * g]),
        ("none", vec![0.0]),
    ];
    for (name, wanted) in wanted {
        let value = found.outputs.iter().find(|o| o.0 == name);
        let value = &value.unwrap_or_else(|| panic!("no {name}")).1;
        let close = value
            .iter()
            .zip(&wanted)
            .all(|(v, w)| (v - w).abs() < 1e-10);
        assert!(
            close,
            "{name} is {value:?}, should be {wanted:?}, in\n{text}"
        );
    }
    let x = found.qddot.iter().find(|q| q.0 == "x").map(|q| q.1);
    assert!(
        x.is_some_and(|x| (x - acceleration).abs() < 1e-12),
        "{text}"
    );
}

/// Every order with another axis for the direction that drops out, by one formulation after the other.
#[test]
fn rows_are_found_by_name_in_every_order() {
    let axes = [["x", "y", "z"], ["y", "z", "x"], ["z", "x", "y"]];
    for (i, order) in ORDERS.into_iter().enumerate() {
        for (j, axes) in axes.into_iter().enumerate() {
            let text = text(order, axes);
            let form = if (i + j) % 2 == 0 {
                Form::Closed
            } else {
                Form::Staged
            };
            let method = METHODS[(i * axes.len() + j) % METHODS.len()];
            holds(&text, axes, &outcome(&text, method, form));
        }
    }
}

/// All formulations and forms, in the order in which the rows that drop out come first.
#[test]
fn rows_are_found_by_name_by_every_formulation() {
    let axes = ["x", "y", "z"];
    let text = text([0, 2, 1], axes);
    for method in METHODS {
        for form in [Form::Closed, Form::Staged] {
            holds(&text, axes, &outcome(&text, method, form));
        }
    }
}
