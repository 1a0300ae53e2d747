//! Quantities of points and frames, momenta, and the terms that controllers take, against closed formulas of textbooks and hand calculation; that `verify`
//! proves them with all kinds of speeds, and notices what is wrong; what is said of names that a model does not have.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// The page's model, and what it shows of the module.
fn page() -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/kinematics.md");
    let page = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let model = page.split("```eom\n").nth(1).unwrap();
    let shown = page.split("```text\njacobian(Tip)").nth(1).unwrap();
    let of = |text: &str| text.split("```").next().unwrap().to_owned();
    (of(model), format!("jacobian(Tip){}", of(shown)))
}

struct Bench(tempfile::TempDir);

impl Bench {
    fn new(model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.eom"), model).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Exit code, standard output, standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eomgen"));
        let output = command.args(arguments).current_dir(self.0.path()).output();
        let output = output.unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code().unwrap(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    /// The quantities at a state.
    fn outputs(&self, state: &Value, names: &str) -> Value {
        fs::write(self.path("s.json"), state.to_string()).unwrap();
        let (code, out, err) = self.run(&["eval", "m.eom", "--state", "s.json", "--output", names]);
        assert_eq!(code, 0, "{err}");
        serde_json::from_str::<Value>(&out).unwrap()["outputs"].clone()
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

fn close(what: &str, found: &Value, wanted: &[f64]) {
    let found = numbers(found);
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (a, b) in found.iter().zip(wanted) {
        assert!(
            (a - b).abs() <= 1e-12 * (1.0 + b.abs()),
            "{what}: {found:?}, {wanted:?}"
        );
    }
}

/// Siciliano, Sciavicco, Villani & Oriolo (2009), 3.1 and 7.3.2: Jacobian, C of Christoffel's symbols and g of the two-link planar arm; the inertia at the tip
/// (Khatib 1987) is `J^-T M J^-1` of the square Jacobian.
#[test]
fn a_planar_arm_has_the_terms_of_the_textbook() {
    let bench = Bench::new(&page().0);
    let (m1, m2, i1, i2, l1, l2, c1, c2, g) = (3.0, 2.0, 0.2, 0.1, 1.0, 0.8, 0.5, 0.3, 9.81);
    let (q1, q2, u1, u2) = (0.3_f64, 0.8_f64, -0.7_f64, 1.1_f64);
    let state = json!({"q": {"q1": q1, "q2": q2}, "qdot": {"q1": u1, "q2": u2}, "inputs": {"tau1": 0, "tau2": 0}});
    let names = "position(Tip),velocity(Tip),jacobian(Tip),jacobian_bias(Tip),rotation(B2),angular_velocity(lower),angular_jacobian(B2),pose(B2,Tip),coriolis_matrix,\
                 gravity_vector,mobility(Tip),operational_space_inertia(Tip),mass_center,linear_momentum,centroidal_momentum";
    let out = bench.outputs(&state, names);
    let (s1, k1) = q1.sin_cos();
    let (s12, k12) = (q1 + q2).sin_cos();
    let (x, y) = (l1 * k1 + l2 * k12, l1 * s1 + l2 * s12);
    close("position", &out["position_of_Tip"], &[x, y, 0.0]);
    let j = [[-y, -l2 * s12], [x, l2 * k12]];
    let flat = [j[0][0], j[0][1], j[1][0], j[1][1], 0.0, 0.0];
    close("jacobian", &out["jacobian_of_Tip"], &flat);
    let v = [
        j[0][0] * u1 + j[0][1] * u2,
        j[1][0] * u1 + j[1][1] * u2,
        0.0,
    ];
    close("velocity", &out["velocity_of_Tip"], &v);
    let w = u1 + u2;
    let centripetal = |a: f64, b: f64| -l1 * u1 * u1 * a - l2 * w * w * b;
    let bias = [centripetal(k1, k12), centripetal(s1, s12), 0.0];
    close("bias", &out["jacobian_bias_of_Tip"], &bias);
    close(
        "rotation",
        &out["rotation_of_B2"],
        &[k12, -s12, 0.0, s12, k12, 0.0, 0.0, 0.0, 1.0],
    );
    close(
        "angular velocity",
        &out["angular_velocity_of_lower"],
        &[0.0, 0.0, w],
    );
    close(
        "angular jacobian",
        &out["angular_jacobian_of_B2"],
        &[0.0, 0.0, 0.0, 0.0, 1.0, 1.0],
    );
    let pose = [
        k12, -s12, 0.0, x, s12, k12, 0.0, y, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    close("pose", &out["pose_of_B2_Tip"], &pose);
    let h = -m2 * l1 * c2 * q2.sin();
    close("C", &out["coriolis_matrix"], &[h * u2, h * w, -h * u1, 0.0]);
    let far = m2 * c2 * g * k12;
    close(
        "g",
        &out["gravity_vector"],
        &[(m1 * c1 + m2 * l1) * g * k1 + far, far],
    );
    // M^-1 by cofactors, then J M^-1 J^T and its inverse.
    let coupling = i2 + m2 * (c2 * c2 + l1 * c2 * q2.cos());
    let own = i2 + m2 * c2 * c2;
    let first = i1 + m1 * c1 * c1 + i2 + m2 * (l1 * l1 + c2 * c2 + 2.0 * l1 * c2 * q2.cos());
    let det = first * own - coupling * coupling;
    let inverse = [[own / det, -coupling / det], [-coupling / det, first / det]];
    let entry = |a: usize, b: usize| {
        let mut sum = 0.0;
        for k in 0..2 {
            for l in 0..2 {
                sum += j[a][k] * inverse[k][l] * j[b][l];
            }
        }
        sum
    };
    let (a, b, d) = (entry(0, 0), entry(0, 1), entry(1, 1));
    close(
        "mobility",
        &out["mobility_of_Tip"],
        &[a, b, 0.0, b, d, 0.0, 0.0, 0.0, 0.0],
    );
    let det = a * d - b * b;
    let wanted = [
        d / det,
        -b / det,
        0.0,
        -b / det,
        a / det,
        0.0,
        0.0,
        0.0,
        0.0,
    ];
    close("inertia", &out["operational_space_inertia_of_Tip"], &wanted);
    // Two bodies about their centre: the reduced mass on their distance.
    let upper = ([c1 * k1, c1 * s1], [-c1 * u1 * s1, c1 * u1 * k1]);
    let lower = (
        [l1 * k1 + c2 * k12, l1 * s1 + c2 * s12],
        [-l1 * u1 * s1 - c2 * w * s12, l1 * u1 * k1 + c2 * w * k12],
    );
    let both = |of: &dyn Fn(usize) -> (f64, f64)| {
        [0, 1].map(|i| {
            let (a, b) = of(i);
            m1 * a + m2 * b
        })
    };
    let moment = both(&|i| (upper.0[i], lower.0[i]));
    let p = both(&|i| (upper.1[i], lower.1[i]));
    let total = m1 + m2;
    close(
        "mass centre",
        &out["mass_center"],
        &[moment[0] / total, moment[1] / total, 0.0],
    );
    close("momentum", &out["linear_momentum"], &[p[0], p[1], 0.0]);
    let apart = [lower.0[0] - upper.0[0], lower.0[1] - upper.0[1]];
    let away = [lower.1[0] - upper.1[0], lower.1[1] - upper.1[1]];
    let spin = m1 * m2 / total * (apart[0] * away[1] - apart[1] * away[0]) + i1 * u1 + i2 * w;
    let wanted = [0.0, 0.0, spin, p[0], p[1], 0.0];
    close("centroidal momentum", &out["centroidal_momentum"], &wanted);
}

#[test]
fn the_page_shows_what_the_module_says() {
    let (model, shown) = page();
    let bench = Bench::new(&model);
    let names = "jacobian(Tip),coriolis_matrix";
    let (code, out, err) = bench.run(&["derive", "m.eom", "--output", names]);
    assert_eq!(code, 0, "{err}");
    assert!(shown.lines().count() > 5);
    for line in shown.lines() {
        assert!(out.contains(&format!("//! {line}\n")), "{line}");
    }
}

/// A sledge of which one speed is eliminated, a loop, a quaternion, and a disc that rolls.
const MACHINES: [(&str, &str); 4] = [
    (
        "e4_sleigh",
        "jacobian(P2),jacobian_bias(P2),position(P2),velocity(A),rotation(B)",
    ),
    ("four_bar", ""),
    ("disc_quaternion", ""),
    ("rolling_disc", ""),
];

const OF_MACHINES: &str = "mass_center,mass_center_velocity,mass_center_jacobian,mass_center_jacobian_bias,linear_momentum,angular_momentum,centroidal_momentum,\
                           centroidal_momentum_matrix,centroidal_momentum_bias,coriolis_matrix,gravity_vector";

#[test]
fn they_are_proven_with_speeds_of_every_kind() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    for (name, places) in MACHINES {
        let model = fs::read_to_string(models.join(format!("{name}.eom"))).unwrap();
        let bench = Bench::new(&model);
        let names = [OF_MACHINES, places].join(",");
        let names = names.trim_end_matches(',');
        let (code, out, err) =
            bench.run(&["verify", "m.eom", "--method", "kane", "--output", names]);
        assert_eq!(code, 0, "{name}: {out}{err}");
    }
}

#[test]
fn what_moves_with_time_has_momenta_and_no_coriolis_matrix() {
    let path = "../generated-tests/models/foucault.eom";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let bench = Bench::new(&fs::read_to_string(path).unwrap());
    let names = "jacobian(bob),jacobian_bias(bob),centroidal_momentum_bias,gravity_vector";
    let (code, out, err) = bench.run(&["verify", "m.eom", "--method", "kane", "--output", names]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, _, err) = bench.run(&["derive", "m.eom", "--output", "coriolis_matrix"]);
    assert_eq!(code, 1);
    assert!(err.contains("E0588"), "{err}");
}

/// A sign that is changed in a generated function shows.
#[test]
fn a_changed_sign_is_noticed() {
    let bench = Bench::new(&page().0);
    let names =
        "jacobian(Tip),jacobian_bias(Tip),coriolis_matrix,gravity_vector,centroidal_momentum";
    let arguments = ["derive", "m.eom", "--output", names, "-o", "m.rs"];
    assert_eq!(bench.run(&arguments).0, 0);
    let text = fs::read_to_string(bench.path("m.rs")).unwrap();
    let mut changed = 0;
    for function in names.split(',') {
        let function = function.replace("(Tip)", "_of_Tip");
        let at = text.find(&format!("pub fn {function}(")).unwrap();
        let end = at + text[at..].find("\n    }\n").unwrap();
        let body = &text[at..end];
        let Some(sign) = body.rfind(" + ") else {
            continue;
        };
        changed += 1;
        let mut wrong = text.clone();
        wrong.replace_range(at + sign..at + sign + 3, " - ");
        fs::write(bench.path("wrong.rs"), wrong).unwrap();
        let (code, out, err) = bench.run(&["verify", "m.eom", "--file", "wrong.rs"]);
        assert_eq!(code, 1, "{function}: {out}{err}");
        assert!(out.contains(&function), "{out}");
    }
    assert!(changed >= 4, "{changed}");
}

#[test]
fn names_that_are_not_there_are_told_all_at_once() {
    let bench = Bench::new(&page().0);
    let (code, _, err) = bench.run(&[
        "derive",
        "m.eom",
        "--output",
        "jacobian(tip),pose(B3, Q),rotation(Tip)",
    ]);
    assert_eq!(code, 1);
    for told in [
        "there is no point `tip`",
        "did you mean `Tip`?",
        "there is no frame `B3`",
        "there is no point `Q`",
        "`Tip` is a point or a particle; name a frame",
    ] {
        assert!(err.contains(told), "{told}: {err}");
    }
    let (code, _, err) = bench.run(&["derive", "m.eom", "--output", "jacobian,mass_center(Tip)"]);
    assert_ne!(code, 0);
    assert!(
        err.contains("say of what `jacobian` is asked for: `jacobian(POINT)`"),
        "{err}"
    );
    assert!(
        err.contains("`mass_center` is written without parentheses"),
        "{err}"
    );
    let names = "operational_space_inertia(B2,Tip)";
    let (code, _, err) = bench.run(&["derive", "m.eom", "--output", names]);
    assert_eq!(code, 1);
    assert!(err.contains("E0589"), "{err}");
}

/// `pose(A_B, C)` and `pose(A, B_C)` are two quantities, and cannot be one function.
#[test]
fn two_quantities_are_not_one_function() {
    let model = "model two\ncoord a, b : rad\nframe A = rotate(N, a, N.z)\nframe A_B = rotate(A, b, A.z)\npoint C = O + 1 [m]*A.x\n\
                 point B_C = C + 1 [m]*A_B.x\nparticle P: mass 1 [kg] at C\nparticle Q: mass 1 [kg] at B_C\n";
    let bench = Bench::new(model);
    let asked = |names: &str| bench.run(&["derive", "m.eom", "--output", names, "-o", "m.rs"]);
    let (code, _, said) = asked("pose(A_B, C),pose(A, B_C)");
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("`pose_of_A_B_C`"), "{said}");
    assert!(!bench.path("m.rs").exists());
    // The same one twice is one.
    let (code, _, said) = asked("pose(A, B_C),pose( A,B_C )");
    assert_eq!(code, 0, "{said}");
}

/// A bead on a straight wire `y = 2 x`: along it moves `(1, 2)`, so that the force on x alone is `5 m x'' + 2 m g`, on y alone half of it, and the least of both
/// is along the wire. Friction along the wire counts as a load.
#[test]
fn inputs_move_a_bead_as_asked() {
    let model = "model bead
param m = 2 : kg > 0
param g = 9.81 : m/s^2
coord x, y : m
input fx, fy : N
point P = O + x*N.x + y*N.y
particle A: mass m at P
constraint wire: y = 2*x
gravity: -g*N.y
force on A: (fx - 3 [N])*N.x + fy*N.y
";
    let bench = Bench::new(model);
    let state =
        json!({"q": {"x": 0, "y": 0}, "qdot": {"x": 0, "y": 0}, "inputs": {"fx": 7, "fy": 1}});
    let names = "minimum_norm_forces,actuation(fx),actuation(fy),actuation(fx,fy)";
    // `eval` takes the rates of the actual motion: nothing is missing, and the inputs are as they are, or others that do the same.
    let out = bench.outputs(&state, names);
    let along = 7.0 + 2.0;
    close("norm", &out["minimum_norm_forces"], &[0.0, 0.0]);
    close("x", &out["actuation_of_fx"], &[7.0]);
    close("y", &out["actuation_of_fy"], &[1.0]);
    close(
        "both",
        &out["actuation_of_fx_fy"],
        &[along / 5.0, 2.0 * along / 5.0],
    );
    let all = "minimum_norm_forces,actuation(fx),actuation(fx,fy)";
    let (code, out, err) = bench.run(&["verify", "m.eom", "--output", all]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn what_inputs_cannot_do_is_told() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    let model = fs::read_to_string(models.join("acrobot.eom")).unwrap();
    let bench = Bench::new(&model);
    let told = |outputs: &str| {
        let (code, _, err) = bench.run(&["derive", "m.eom", "--output", outputs]);
        assert_eq!(code, 1, "{err}");
        err
    };
    let err = told("actuation(tau)");
    assert!(
        err.contains("E0598") && err.contains("a motion of `q1'` alone"),
        "{err}"
    );
    let err = told("actuation(tua),actuation(tau, tau)");
    assert!(
        err.contains("did you mean `tau`?") && err.contains("names an input twice"),
        "{err}"
    );
    // A loop is driven by its crank.
    let model = fs::read_to_string(models.join("slider_crank.eom")).unwrap();
    let input = model
        .lines()
        .find_map(|line| line.strip_prefix("input "))
        .unwrap();
    let input = input.split([' ', ':', ',']).next().unwrap();
    let bench = Bench::new(&model);
    let names = format!("minimum_norm_forces,actuation({input})");
    let (code, out, err) = bench.run(&["verify", "m.eom", "--method", "kane", "--output", &names]);
    assert_eq!(code, 0, "{out}{err}");
}
