//! `equilibria` and `linearize` as their users meet them, against canonical matrices and closed forms of the literature.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder to work in.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new(models: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in models {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eomgen"));
        command.args(arguments).current_dir(self.folder.path());
        command.output().unwrap()
    }

    pub(crate) fn printed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.printed(arguments)).unwrap()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

fn model(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    models.join(name).to_str().unwrap().to_owned()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    let rows = value.as_array().unwrap().iter();
    let row = |r: &Value| {
        r.as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect()
    };
    rows.map(row).collect()
}

/// Real and imaginary part.
type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn over(a: Complex, b: Complex) -> Complex {
    let size = b.0 * b.0 + b.1 * b.1;
    let product = times(a, (b.0, -b.1));
    (product.0 / size, product.1 / size)
}

fn eigenvalue(value: &Value) -> Complex {
    (value["re"].as_f64().unwrap(), value["im"].as_f64().unwrap())
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    let off = (found - expected).abs();
    assert!(
        off <= tolerance * (1.0 + expected.abs()),
        "{found} is not {expected}: off by {off:e}"
    );
}

/// J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463 (2007) 1955-1982: the canonical matrices of the benchmark
/// bicycle, `M q'' + v C1 q' + (g K0 + v^2 K2) q = 0` with q the lean and steer angles.
const M: [[f64; 2]; 2] = [
    [80.81722, 2.31941332208709],
    [2.31941332208709, 0.29784188199686],
];
const C1: [[f64; 2]; 2] = [
    [0.0, 33.86641391492494],
    [-0.85035641456978, 1.68540397397560],
];
const K0: [[f64; 2]; 2] = [
    [-80.95, -2.59951685249872],
    [-2.59951685249872, -0.80329488458618],
];
const K2: [[f64; 2]; 2] = [[0.0, 76.59734589573222], [0.0, 2.65431523794604]];
const G: f64 = 9.81;

/// The coefficients of `det(M s^2 + v C1 s + g K0 + v^2 K2)`, from s^0 on.
fn quartic(v: f64) -> [f64; 5] {
    let entry = |i: usize, j: usize| [G * K0[i][j] + v * v * K2[i][j], v * C1[i][j], M[i][j]];
    let mut sum = [0.0; 5];
    for (a, b, sign) in [
        (entry(0, 0), entry(1, 1), 1.0),
        (entry(0, 1), entry(1, 0), -1.0),
    ] {
        for i in 0..3 {
            for j in 0..3 {
                sum[i + j] += sign * a[i] * b[j];
            }
        }
    }
    sum
}

/// The root of a polynomial that Newton's method leads to.
fn root(polynomial: &[f64; 5], start: Complex) -> Complex {
    let mut s = start;
    for _ in 0..20 {
        let (mut value, mut slope) = ((0.0, 0.0), (0.0, 0.0));
        for c in polynomial.iter().rev() {
            slope = times(slope, s);
            slope = (slope.0 + value.0, slope.1 + value.1);
            value = times(value, s);
            value.0 += c;
        }
        let step = over(value, slope);
        s = (s.0 - step.0, s.1 - step.1);
    }
    s
}

const UPRIGHT: [&str; 8] = [
    "--steady",
    "x, rear, front",
    "--hold",
    "lean",
    "--hold",
    "steer",
    "--hold",
    "yaw",
];

#[test]
fn the_benchmark_bicycle_has_the_eigenvalues_of_its_canonical_matrices() {
    let bench = Bench::new(&[]);
    let bicycle = model("whipple_bicycle.eom");
    let along = [
        "--eigenvalues-along",
        "x' = 0..10 in 11",
        "--format",
        "json",
    ];
    let found = bench.json(&[&["linearize", &bicycle], &UPRIGHT[..], &along].concat());
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 11);
    for (k, row) in rows.iter().enumerate() {
        let v = row["value"].as_f64().unwrap();
        close(v, k as f64, 1e-15);
        let polynomial = quartic(v);
        let mut roots: Vec<Complex> = Vec::new();
        let mut zeros = 0;
        for value in row["eigenvalues"].as_array().unwrap() {
            let s = eigenvalue(value);
            if s == (0.0, 0.0) {
                // The forward speed, which may be chosen.
                zeros += 1;
                continue;
            }
            let expected = root(&polynomial, s);
            let off = (s.0 - expected.0).hypot(s.1 - expected.1);
            assert!(
                off < 1e-12 * (1.0 + s.0.hypot(s.1)),
                "v = {v}: {s:?} is off by {off:e}"
            );
            assert!(
                roots.iter().all(|r| (r.0 - s.0).hypot(r.1 - s.1) > 1e-3),
                "{s:?} twice"
            );
            roots.push(expected);
        }
        assert_eq!((roots.len(), zeros), (4, 1), "v = {v}");
    }
}

/// The matrices themselves, by torques on lean and steer: `B = M^-1`, and A for two speeds. The paper's vertical points down, so that its
/// steer angle has the other sign.
#[test]
fn the_benchmark_bicycle_has_its_canonical_matrices() {
    let text = fs::read_to_string(model("whipple_bicycle.eom")).unwrap();
    let with = format!(
        "{text}\ninput lean_torque, steer_torque : N*m\ngeneralized lean: lean_torque\ngeneralized steer: steer_torque\n"
    );
    let bench = Bench::new(&[("bicycle.eom", &with)]);
    let at = |v: &str| {
        let speed = ["--hold", v, "--format", "json"];
        bench.json(&[&["linearize", "bicycle.eom"], &UPRIGHT[..], &speed].concat())
    };
    let of = |found: &Value, matrix_of: &str, columns: [&str; 2]| -> [[f64; 2]; 2] {
        let place = |list: &str, name: &str| {
            let list = found[list].as_array().unwrap();
            list.iter().position(|n| n == name).unwrap()
        };
        let m = matrix(&found[matrix_of]);
        let list = if matrix_of == "B" { "inputs" } else { "states" };
        ["lean'", "steer'"].map(|r| columns.map(|c| m[place("states", r)][place(list, c)]))
    };
    let sign = |i: usize, j: usize| if i == j { 1.0 } else { -1.0 };
    let product = |a: &[[f64; 2]; 2], b: &[[f64; 2]; 2]| -> [[f64; 2]; 2] {
        [0, 1].map(|i| [0, 1].map(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
    };
    let (still, moving) = (at("x' = 0"), at("x' = 1"));
    let inverse = of(&still, "B", ["lean_torque", "steer_torque"]);
    let unit = product(
        &M.map(|r| r),
        &[0, 1].map(|i| [0, 1].map(|j| sign(i, j) * inverse[i][j])),
    );
    for i in 0..2 {
        for j in 0..2 {
            close(unit[i][j], f64::from(i == j), 1e-12);
        }
    }
    let own = |found: &Value, columns: [&str; 2]| {
        let a = of(found, "A", columns);
        product(&M, &[0, 1].map(|i| [0, 1].map(|j| -sign(i, j) * a[i][j])))
    };
    let k_still = own(&still, ["lean", "steer"]);
    let k_moving = own(&moving, ["lean", "steer"]);
    let c = own(&moving, ["lean'", "steer'"]);
    for i in 0..2 {
        for j in 0..2 {
            close(k_still[i][j], G * K0[i][j], 1e-12);
            close(k_moving[i][j], G * K0[i][j] + K2[i][j], 1e-12);
            close(c[i][j], C1[i][j], 1e-12);
        }
    }
}

const CART: &str = "model cart\nparam M = 2, m = 0.3 : kg > 0\nparam l = 0.7 : m > 0\nparam g = 9.81 : m/s^2\ncoord x : m\ncoord theta : rad\ninput F : N\n\
    point A = O + x*N.x\nframe B = rotate(N, theta, -N.y)\npoint P = A + l*B.z\nparticle cart: mass M at A\nparticle bob: mass m at P\n\
    gravity: -g*N.z\nforce on A: F*N.x\n";

/// K. J. Astrom, R. M. Murray, Feedback Systems (2008), without friction and inertia of the bob: the cart feels -m g/M of the angle, and the pole falls with
/// (M + m) g/(M l); a force pushes with 1/M and -1/(M l). The angle is to the other side here.
#[test]
fn an_upright_cart_pole() {
    let bench = Bench::new(&[("cart.eom", CART)]);
    let found = bench.json(&[
        "linearize",
        "cart.eom",
        "--outputs",
        "x + l*sin(theta), theta",
        "--format",
        "json",
    ]);
    let (a, b, c) = (
        matrix(&found["A"]),
        matrix(&found["B"]),
        matrix(&found["C"]),
    );
    let (big, m, l) = (2.0, 0.3, 0.7);
    let fall = (big + m) * G / (big * l);
    let side = a[2][1].signum();
    close(a[2][1], side * m * G / big, 1e-14);
    close(a[3][1], fall, 1e-14);
    close(b[2][0], 1.0 / big, 1e-14);
    close(b[3][0], side / (big * l), 1e-14);
    assert_eq!(c[1], [0.0, 1.0, 0.0, 0.0]);
    close(c[0][1], l, 1e-14);
    let modes = found["modes"].as_array().unwrap();
    close(eigenvalue(&modes[0]["eigenvalue"]).0, fall.sqrt(), 1e-13);
    assert!(modes.iter().all(|m| m["controllable"] == true));
    assert_eq!(modes.len(), 4);
    // The angle alone says nothing of where the cart is.
    let blind = bench.json(&[
        "linearize",
        "cart.eom",
        "--outputs",
        "theta",
        "--format",
        "json",
    ]);
    assert!(
        blind["modes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|m| m["observable"] == false)
    );
}

#[test]
fn a_regulator_keeps_the_pole_upright_in_a_motion() {
    let bench = Bench::new(&[("cart.eom", CART)]);
    let lqr = [
        "linearize",
        "cart.eom",
        "--lqr",
        "--weight",
        "x = 1",
        "--weight",
        "F = 0.1",
    ];
    let told = bench.printed(&[&lqr[..], &["--gain", "gain.json"]].concat());
    assert!(told.contains("closed loop"), "{told}");
    let motion = [
        "simulate",
        "cart.eom",
        "--feedback",
        "gain.json",
        "--initial",
        "theta = 0.2",
        "--duration",
        "12",
        "--step",
        "12",
        "--quiet",
    ];
    let rows = bench.printed(&motion);
    let last: Vec<f64> = rows
        .lines()
        .last()
        .unwrap()
        .split(',')
        .map(|x| x.parse().unwrap())
        .collect();
    assert!(last[1].abs() < 1e-3 && last[2].abs() < 1e-3, "{rows}");
    let twice = bench.refused(&[&motion[..], &["--input", "F = 1"]].concat());
    assert!(twice.contains("follows this gain"), "{twice}");
}

/// J. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic Systems (1972): a thin disc that rolls upright is stable from v^2 = g r/3 on; beside it
/// s^2 = 4 g/(5 r) (1 - 3 v^2/(g r)).
#[test]
fn a_rolling_disc_wobbles_from_its_critical_speed_on() {
    let bench = Bench::new(&[]);
    let disc = model("disc.eom");
    let r = 0.4;
    let critical = (G * r / 3.0f64).sqrt() / r;
    for factor in [0.5, 0.99, 1.01, 2.0] {
        let speed = format!("th' = {}", factor * critical);
        let hold = [
            "--hold", &speed, "--hold", "psi", "--hold", "phi", "--steady", "x, th", "--format",
            "json",
        ];
        let found = bench.json(&[&["linearize", &disc], &hold[..]].concat());
        let s = eigenvalue(&found["modes"][0]["eigenvalue"]);
        let square = 4.0 * G / (5.0 * r) * (1.0 - factor * factor);
        if square > 0.0 {
            close(s.0, square.sqrt(), 1e-11);
        } else {
            assert_eq!(s.0, 0.0);
            close(s.1, (-square).sqrt(), 1e-11);
        }
    }
}

/// L. A. Pars (1965): the arms stand at cos alpha = (m + M) g/(m l w^2), from w^2 = (m + M) g/(m l) on.
#[test]
fn watts_governor_opens_from_its_limit_on() {
    let bench = Bench::new(&[]);
    let governor = model("watt_governor.eom");
    let (m, big, l) = (0.8, 1.6, 0.4);
    let limit = ((m + big) * G / (m * l)).sqrt();
    for factor in [1.02, 1.1, 1.2] {
        let speed = format!("psi' = {}", factor * limit);
        let found = bench.json(&[
            "equilibria",
            &governor,
            "--steady",
            "psi",
            "--hold",
            &speed,
            "--json",
        ]);
        let angle = found["points"][0]["state"]["q"]["alpha"].as_f64().unwrap();
        close(angle.cos(), 1.0 / (factor * factor), 1e-12);
        // The links carry the collar: 2 lambda cos alpha = M g, along links whose rows are distances.
        let force = found["points"][0]["multipliers"]["link1"].as_f64().unwrap();
        close(force.abs(), big * G / (2.0 * angle.cos()), 1e-10);
    }
    // Below, the governor is closed: its links are one line, of which the rows say the same twice.
    let speed = format!("psi' = {}", 0.98 * limit);
    let below = ["equilibria", &governor, "--steady", "psi", "--hold", &speed];
    let closed = bench.json(&[&below[..], &["--json"]].concat());
    let point = &closed["points"][0];
    assert!(point["state"]["q"]["alpha"].as_f64().unwrap().abs() < 1e-3);
    close(point["state"]["q"]["z"].as_f64().unwrap(), 2.0 * l, 1e-6);
    assert_eq!(point["stability"], "unknown");
    let why = point["no_linear_model_because"].as_str().unwrap();
    assert!(why.contains("the point is singular"), "{why}");
}

/// B. S. Cazzolato, Z. Prime, J. Control Science and Engineering (2011), eqs 35-38, hanging and upright, with the dampings.
#[test]
fn furutas_published_linear_models() {
    let bench = Bench::new(&[]);
    let (m1, m2, arm, l1, l2, j1, j2) = (0.3, 0.075, 0.278, 0.15, 0.148, 0.0248, 0.00386);
    let (b1, b2) = (1e-4, 2.8e-4);
    // The pendulum's inertia about its own axis turns with the arm where it hangs or stands.
    let own = 0.0001;
    let (a0, p0) = (j1 + own + m1 * l1 * l1 + m2 * arm * arm, j2 + m2 * l2 * l2);
    let coupling: f64 = m2 * arm * l2;
    let det = a0 * p0 - coupling * coupling;
    for (start, up) in [("theta2 = 3", 1.0), ("theta2 = 0.1", -1.0)] {
        let furuta = model("furuta.eom");
        let found = bench.json(&["linearize", &furuta, "--initial", start, "--format", "json"]);
        let (a, b) = (matrix(&found["A"]), matrix(&found["B"]));
        // Which way the angles turn decides the sign of what couples them.
        let side = b[2][1].signum();
        close(a[2][1], side * up * G * m2 * m2 * l2 * l2 * arm / det, 1e-9);
        close(a[2][2], -b1 * p0 / det, 1e-9);
        close(a[2][3], -side * b2 * coupling / det, 1e-9);
        close(a[3][1], up * G * m2 * l2 * a0 / det, 1e-9);
        close(a[3][2], -side * b1 * coupling / det, 1e-9);
        close(a[3][3], -b2 * a0 / det, 1e-9);
        close(b[2][0], p0 / det, 1e-9);
        close(b[3][1], a0 / det, 1e-9);
    }
}

const PENDULUM: &str = "model pendulum\nparam m = 1.5 : kg > 0\nparam l = 0.4 : m > 0\nparam g = 9.81 : m/s^2\ncoord theta : rad\ninput tau : N*m\n\
    frame B = rotate(N, theta, -N.y)\npoint P = O - l*B.z\nparticle bob: mass m at P\ngravity: -g*N.z\ngeneralized theta: tau\n";

/// sin theta = tau/(m g l): two equilibria for each torque, which meet at m g l.
#[test]
fn a_family_goes_through_its_fold() {
    let bench = Bench::new(&[("pendulum.eom", PENDULUM)]);
    let found = bench.json(&[
        "equilibria",
        "pendulum.eom",
        "--along",
        "tau = 0..8 in 9",
        "--json",
    ]);
    let points = found["points"].as_array().unwrap();
    let most = 1.5 * G * 0.4;
    let folds: Vec<&Value> = points
        .iter()
        .filter(|p| p["along"]["fold"] == true)
        .collect();
    assert_eq!(folds.len(), 1, "{points:?}");
    close(folds[0]["along"]["value"].as_f64().unwrap(), most, 1e-9);
    // 0 to 5 up, and down again on the other branch.
    assert_eq!(points.len(), 13);
    for point in points.iter().filter(|p| p["along"]["fold"] == false) {
        let tau = point["along"]["value"].as_f64().unwrap();
        let theta = point["state"]["q"]["theta"].as_f64().unwrap();
        close(most * theta.sin(), tau, 1e-11);
        let expected = if theta.cos() > 0.0 {
            "undecided"
        } else {
            "unstable"
        };
        assert_eq!(point["stability"], expected);
    }
}

#[test]
fn many_starts_find_both_equilibria_once() {
    let bench = Bench::new(&[("pendulum.eom", PENDULUM)]);
    let search = [
        "equilibria",
        "pendulum.eom",
        "--starts",
        "30",
        "--seed",
        "4",
        "--json",
    ];
    let found = bench.json(&search);
    let points = found["points"].as_array().unwrap();
    let mut heights: Vec<f64> = points
        .iter()
        .map(|p| p["state"]["q"]["theta"].as_f64().unwrap().cos())
        .collect();
    heights.sort_by(f64::total_cmp);
    assert_eq!(heights.len(), 2);
    close(heights[0], -1.0, 1e-12);
    close(heights[1], 1.0, 1e-12);
    assert_eq!(bench.printed(&search), bench.printed(&search));
}

#[test]
fn a_free_input_holds_the_pendulum() {
    let bench = Bench::new(&[("pendulum.eom", PENDULUM)]);
    let found = bench.json(&[
        "equilibria",
        "pendulum.eom",
        "--hold",
        "theta = 30 [deg]",
        "--free",
        "tau",
        "--json",
    ]);
    let torque = found["points"][0]["state"]["inputs"]["tau"]
        .as_f64()
        .unwrap();
    close(torque, 0.5 * 1.5 * G * 0.4, 1e-12);
    let none = bench.refused(&["equilibria", "pendulum.eom", "--hold", "theta = 30 [deg]"]);
    assert!(
        none.contains("`(theta')' = 0` is left with") && none.contains("--free"),
        "{none}"
    );
}

/// A frequency sqrt(g/l) changes by w/(2 g) with g; the response of theta to tau is 1/(m l^2 (w0^2 - w^2)).
/// A motor by its voltage: the current is a state like the speed. Steady, `k w + R i = v` and `k i = c w`.
#[test]
fn the_current_of_a_motor_belongs_to_its_model() {
    let text = "model motor\nparam J = 0.02 : kg*m^2 > 0\nparam c = 0.003 : N*m*s/rad\nparam k = 0.05 : N*m/A\n\
                param R = 1.2 : ohm > 0\nparam L = 0.03 : H > 0\ncoord q : rad\ninput v : V\n\
                frame B = rotate(N, q, N.z)\nbody rotor: frame B, mass 1 [kg], center O, inertia [0, 0, J]\n\
                state i = 0 : A\nrate i = (v - R*i - k*q')/L\ntorque on rotor: (k*i - c*q')*N.z\n";
    let bench = Bench::new(&[("motor.eom", text)]);
    let (j, c, k, r, l, v) = (0.02, 0.003, 0.05, 1.2, 0.03, 6.0);
    let speed = k * v / (k * k + r * c);
    let steady = ["equilibria", "motor.eom", "--steady", "q", "--input", "v=6"];
    let found = bench.json(&[&steady[..], &["--json"]].concat());
    let state = &found["points"][0]["state"];
    close(state["qdot"]["q"].as_f64().unwrap(), speed, 1e-12);
    let current = c * speed / k;
    close(state["states"]["i"].as_f64().unwrap(), current, 1e-12);
    // As a voltage that is sought, with the current held.
    let held = bench.json(&[
        "equilibria",
        "motor.eom",
        "--steady",
        "q",
        "--hold",
        &format!("i = {current}"),
        "--free",
        "v",
        "--json",
    ]);
    let found = held["points"][0]["state"]["inputs"]["v"].as_f64().unwrap();
    close(found, v, 1e-12);
    let model = bench.json(&["linearize", "motor.eom", "--format", "json"]);
    assert_eq!(model["states"], serde_json::json!(["q", "q'", "i"]));
    let expected = [[0.0, 1.0, 0.0], [0.0, -c / j, k / j], [0.0, -k / l, -r / l]];
    for (row, wanted) in matrix(&model["A"]).iter().zip(expected) {
        for (x, w) in row.iter().zip(wanted) {
            close(*x, w, 1e-13);
        }
    }
    close(matrix(&model["B"])[2][0], 1.0 / l, 1e-13);
    // Units are those of what is given.
    for wrong in ["i = 1 [m]", "q' = -2 [rad]", "v = 3 [A]"] {
        let said = bench.refused(&["equilibria", "motor.eom", "--hold", wrong]);
        assert!(said.contains("is due") && said.contains(wrong), "{said}");
    }
    // Nothing accelerates the rotor while the current is held at 1 A without a way for it to turn.
    let none = bench.refused(&["equilibria", "motor.eom", "--hold", "i = 1 [A]"]);
    assert!(none.contains("no operating point was found"), "{none}");
}

#[test]
fn derivatives_and_responses_of_a_pendulum() {
    let bench = Bench::new(&[("pendulum.eom", PENDULUM)]);
    let found = bench.json(&[
        "linearize",
        "pendulum.eom",
        "--derivatives",
        "g, l",
        "--format",
        "json",
    ]);
    let w = (G / 0.4f64).sqrt();
    let mode = &found["modes"][0];
    close(eigenvalue(&mode["eigenvalue"]).1, w, 1e-14);
    close(eigenvalue(&mode["derivatives"]["g"]).1, w / (2.0 * G), 1e-8);
    close(eigenvalue(&mode["derivatives"]["l"]).1, -w / 0.8, 1e-8);
    let bode = [
        "linearize",
        "pendulum.eom",
        "--bode",
        "tau -> theta",
        "--frequencies",
        "1..2 in 2",
        "-o",
        "bode.svg",
    ];
    let table = bench.printed(&bode);
    let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    close(
        row[1].parse().unwrap(),
        1.0 / (1.5 * 0.16 * (w * w - 1.0)),
        1e-8,
    );
    assert!(
        fs::read_to_string(bench.path("bode.svg"))
            .unwrap()
            .contains("</svg>")
    );
}

/// An input that follows the state closes its loop: tau = -k theta adds k/(m l^2) to the square of the frequency.
#[test]
fn inputs_that_follow_the_state_close_their_loops() {
    let bench = Bench::new(&[("pendulum.eom", PENDULUM)]);
    let spring = ["--input", "tau = -6*theta", "--format", "json"];
    let found = bench.json(&[&["linearize", "pendulum.eom"], &spring[..]].concat());
    let square = G / 0.4 + 6.0 / (1.5 * 0.16);
    close(
        eigenvalue(&found["modes"][0]["eigenvalue"]).1,
        square.sqrt(),
        1e-14,
    );
    assert_eq!(found["inputs"].as_array().unwrap().len(), 0);
    let none = bench.refused(
        &[
            &["linearize", "pendulum.eom", "--inputs", "tau"],
            &spring[..],
        ]
        .concat(),
    );
    assert!(none.contains("no input of the linear model"), "{none}");
}

/// A heavy top, upright and still, by quaternions: no eigenvalues for the direction along the quaternion. Its fall is m g l/A in the square.
#[test]
fn a_quaternion_has_three_directions() {
    let bench = Bench::new(&[]);
    let top = model("top_quaternion.eom");
    let found = bench.json(&["linearize", &top, "--format", "json"]);
    assert_eq!(found["states"].as_array().unwrap().len(), 6);
    assert_eq!(found["dependent"], serde_json::json!(["e0"]));
    let s = eigenvalue(&found["modes"][0]["eigenvalue"]);
    close(s.0, (0.5 * 0.06 * G / 0.003f64).sqrt(), 1e-13);
}

/// A Delta robot (R. Clavel 1988) with springs at its arms: nine coordinates with three constraints, three freedoms, and no zeros beside their
/// eigenvalues. With `g_i` the gradients of the arms' angles by the place of the platform, `sum_i I g_i g_i^T + M` is its inertia and `sum_i k g_i g_i^T` its
/// stiffness, where the springs are at rest.
#[test]
fn a_delta_robot_has_six_eigenvalues() {
    let mut text = String::from(
        "model delta
param M = 0.8, m = 0.3 : kg > 0
param I = 0.02 : kg*m^2 > 0
param k = 5 : N*m
param R = 0.2, r = 0.05, L = 0.25, l = 0.55 : m > 0
param rest = 0.4 : rad
coord x, y : m
coord z = -0.55 : m
point P = O + x*N.x + y*N.y + z*N.z
particle platform: mass M at P
",
    );
    for (i, angle) in [0, 120, 240].into_iter().enumerate() {
        text.push_str(&format!(
            "coord a{i} = 0.4 : rad
frame F{i} = rotate(N, {angle} [deg], N.z)
frame U{i} = rotate(F{i}, a{i}, F{i}.y)
point B{i} = O + R*F{i}.x
point E{i} = B{i} + L*U{i}.x
body arm{i}: frame U{i}, mass m, center B{i}, inertia [0, I, 0]
generalized a{i}: -k*(a{i} - rest)
constraint rod{i}: norm(P + r*F{i}.x - E{i}) = l
"
        ));
    }
    let bench = Bench::new(&[("delta.eom", &text)]);
    let found = bench.json(&["linearize", "delta.eom", "--format", "json"]);
    assert_eq!(found["states"].as_array().unwrap().len(), 6);
    let (base, platform, arm, rod) = (0.2, 0.05, 0.25, 0.55);
    let (mass, inertia, stiffness) = (0.8, 0.02, 5.0);
    let (sine, cosine) = (0.4_f64.sin(), 0.4_f64.cos());
    // From the elbow to the platform's corner, outward and upward; the arm turns downward.
    let out = platform - base - arm * cosine;
    let up = -f64::sqrt(rod * rod - out * out);
    let per = out * (-arm * sine) + up * (-arm * cosine);
    let modes = [1.5 * (out / per).powi(2), 3.0 * (up / per).powi(2)];
    let [aside, along] = modes.map(|s| (stiffness * s / (mass + inertia * s)).sqrt());
    let mut expected = [aside, aside, aside, aside, along, along];
    expected.sort_by(f64::total_cmp);
    let list = found["modes"].as_array().unwrap().iter();
    let values: Vec<Complex> = list.map(|mode| eigenvalue(&mode["eigenvalue"])).collect();
    assert_eq!(values.len(), 6);
    let mut sizes: Vec<f64> = values.iter().map(|(_, im)| im.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    for (found, expected) in sizes.iter().zip(expected) {
        close(*found, expected, 1e-7);
    }
    for (re, _) in values {
        assert!(re.abs() < 1e-7, "{re}");
    }
}

#[test]
fn formats_and_messages() {
    let bench = Bench::new(&[("pendulum.eom", PENDULUM)]);
    let numpy = bench.printed(&["linearize", "pendulum.eom", "--format", "numpy"]);
    assert!(
        numpy.contains("A = np.array([\n    [0.0, 1.0],\n"),
        "{numpy}"
    );
    let markdown = bench.printed(&["linearize", "pendulum.eom", "--format", "markdown"]);
    assert!(
        markdown.contains("| A | theta | theta' |\n|---|---|---|\n"),
        "{markdown}"
    );
    let several = bench.refused(&[
        "equilibria",
        "pendulum.eom",
        "--hold",
        "thet = 1",
        "--free",
        "theta",
        "--steady",
        "tau",
    ]);
    for part in [
        "did you mean \"theta\"?",
        "only inputs are freed",
        "only coordinates turn",
    ] {
        assert!(several.contains(part), "{several}");
    }
    let away = bench.refused(&[
        "linearize",
        "pendulum.eom",
        "--at",
        "start",
        "--initial",
        "theta = 0.3",
    ]);
    assert!(away.contains("the start is no operating point"), "{away}");
    fs::write(bench.path("own.svg"), "<svg/>").unwrap();
    let mine = bench.refused(&[
        "linearize",
        "pendulum.eom",
        "--bode",
        "tau -> theta",
        "-o",
        "own.svg",
    ]);
    assert!(mine.contains("was not written by eomgen"), "{mine}");
    let weight = bench.refused(&[
        "linearize",
        "pendulum.eom",
        "--lqr",
        "--weight",
        "tau = 0",
        "--weight",
        "y = 1",
    ]);
    assert!(
        weight.contains("has no \"y\"") && weight.contains("positive"),
        "{weight}"
    );
    let timed = PENDULUM.replace(
        "generalized theta: tau",
        "generalized theta: tau + 1 [N*m/s]*t",
    );
    fs::write(bench.path("timed.eom"), timed).unwrap();
    let timed = bench.refused(&["equilibria", "timed.eom"]);
    assert!(timed.contains("depends on time"), "{timed}");
    let idle = PENDULUM.replace(
        "generalized theta: tau",
        "generalized theta: tau*sin(theta)",
    );
    fs::write(bench.path("idle.eom"), idle).unwrap();
    let output = bench.run(&["linearize", "idle.eom"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("\"tau\" acts on nothing"), "{said}");
}

/// The words of a command, as a shell takes them apart.
fn words(line: &str) -> Vec<String> {
    let (mut list, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars().chain([' ']) {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, ' ') if word.is_empty() => {}
            (None, ' ') => list.push(std::mem::take(&mut word)),
            (_, c) => word.push(c),
        }
    }
    list
}

/// The page of the book prints what the program prints.
#[test]
fn the_page_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/linear.md");
    let page = fs::read_to_string(page).unwrap();
    let bench = Bench::new(&[]);
    fs::copy(model("whipple_bicycle.eom"), bench.path("bicycle.eom")).unwrap();
    let mut count = 0;
    for fence in page.split("```").skip(1).step_by(2) {
        let (kind, text) = fence.split_once('\n').unwrap();
        if kind == "eom" {
            let name = text.lines().next().unwrap().strip_prefix("model ").unwrap();
            fs::write(bench.path(&format!("{name}.eom")), text).unwrap();
            continue;
        }
        // What functions return is no command.
        let Some(text) = text.strip_prefix("$ ") else {
            assert!(text.starts_with("linearization_reduced("), "{text}");
            continue;
        };
        let (command, expected) = text.split_once('\n').unwrap();
        let words = words(command);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let output = bench.run(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let found = if expected.starts_with("error: ") {
            &said
        } else {
            &printed
        };
        if !arguments.contains(&"run.html") {
            // Of a long answer its end.
            match expected.strip_prefix("...\n") {
                Some(end) => assert!(found.ends_with(end), "{command}\n{found}{said}"),
                None => assert_eq!(found, expected, "{command}\n{said}"),
            }
        }
        count += 1;
    }
    assert_eq!(count, 10);
}
