//! Regressors and base parameters: against the closed rule of Gautier and Khalil (1990) for arms, against ranks by singular values at random states, for
//! machines of every kind; that `verify` proves them and notices changed signs; the page's program.
#![cfg(feature = "cli")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use nalgebra::DMatrix;
use serde_json::{Value, json};

const ALL: &str = "regressor,inertial_parameters,known_forces,base_regressor,base_parameters";

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/identification.md");
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

fn fenced(page: &str, start: &str) -> String {
    let rest = page.split(start).nth(1).unwrap();
    rest.split("```").next().unwrap().to_owned()
}

fn of_models(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    fs::read_to_string(models.join(format!("{name}.eom"))).unwrap()
}

struct Bench(tempfile::TempDir);

impl Bench {
    fn new(model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("arm.eom"), model).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

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

    fn succeeds(&self, arguments: &[&str]) -> String {
        let (code, out, err) = self.run(arguments);
        assert_eq!(code, 0, "{arguments:?}: {out}{err}");
        out
    }

    fn parameters(&self) -> Value {
        serde_json::from_str(&self.succeeds(&["parameters", "arm.eom", "--json"])).unwrap()
    }

    fn sums(&self) -> Vec<String> {
        let base = self.parameters()["base"].clone();
        let sums = base.as_array().unwrap().iter();
        sums.map(|own| own["sum"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[test]
fn the_page_is_what_happens() {
    let page = page();
    let bench = Bench::new(&fenced(&page, "```eom\n"));
    let shown = fenced(&page, "$ eomgen parameters arm.eom\n");
    let out = bench.succeeds(&["parameters", "arm.eom"]);
    assert!(out.starts_with(&shown), "{out}\n{shown}");
    let names = [ALL, "load_regressor,load_parameters"].join(",");
    let module = bench.succeeds(&["derive", "arm.eom", "--output", &names]);
    for line in fenced(&page, "with the reference points:\n\n```text\n").lines() {
        assert!(module.contains(line), "{line}");
    }
    let derive = fenced(&page, "Derive with\n\n```text\n");
    let words: Vec<&str> = derive.split_whitespace().skip(1).collect();
    bench.succeeds(&words);
    fs::write(bench.path("main.rs"), fenced(&page, "```rust,arm\n")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    let compiled = command
        .args([
            "main.rs",
            "--edition",
            "2024",
            "-D",
            "warnings",
            "-o",
            "program",
        ])
        .current_dir(bench.0.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    let run = Command::new(bench.path("program")).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert_eq!(String::from_utf8_lossy(&run.stdout).lines().count(), 8);
}

/// A revolute joint in the parameters of Khalil and Kleinfinger: `alpha` and `d` along x of the link before, `r` along the axis.
#[derive(Clone, Copy)]
struct Joint {
    alpha: f64,
    d: f64,
    r: f64,
}

/// The parameters of a link about its joint, in its own axes: m, first moments, xx, yy, zz, xy, yz, zx.
type Link = [f64; 10];

/// An arm of revolute joints. Its first axis is vertical.
fn arm(joints: &[Joint]) -> String {
    let mut text = String::from("model arm\nparam g = 9.81 : m/s^2\n");
    for k in 1..=joints.len() {
        let _ = writeln!(text, "coord q{k} : rad");
        let joint = joints[k - 1];
        let _ = writeln!(
            text,
            "param al{k} = {} : rad\nparam d{k} = {}, r{k} = {} : m",
            joint.alpha, joint.d, joint.r
        );
        let (before, from) = if k == 1 {
            ("N".into(), "O".into())
        } else {
            (format!("B{}", k - 1), format!("P{}", k - 1))
        };
        let quarter = joint.alpha.abs() == std::f64::consts::FRAC_PI_2;
        let turned = if joint.alpha == 0.0 {
            before.clone()
        } else if quarter {
            // Exactly.
            let sign = if joint.alpha < 0.0 { "-" } else { "" };
            let _ = writeln!(
                text,
                "frame A{k} = rotate({before}, {sign}90 [deg], {before}.x)"
            );
            format!("A{k}")
        } else {
            let _ = writeln!(text, "frame A{k} = rotate({before}, al{k}, {before}.x)");
            format!("A{k}")
        };
        let _ = writeln!(text, "frame B{k} = rotate({turned}, q{k}, {turned}.z)");
        let mut place = from;
        if joint.d != 0.0 {
            let _ = write!(place, " + d{k}*{before}.x");
        }
        if joint.r != 0.0 {
            let _ = write!(place, " + r{k}*{turned}.z");
        }
        let _ = writeln!(text, "point P{k} = {place}");
        let _ = writeln!(text, "param m{k} = {} : kg > 0", 1.0 + 0.5 * k as f64);
        let _ = writeln!(
            text,
            "param x{k} = 0.1{k}, y{k} = -0.2{k}, z{k} = 0.3{k} : m"
        );
        for (i, name) in ["xx", "yy", "zz", "xy", "yz", "zx"].iter().enumerate() {
            let _ = writeln!(text, "param I{name}{k} = 0.{}{k} : kg*m^2", i + 1);
        }
        let _ = writeln!(
            text,
            "body L{k}: mass m{k}, frame B{k}, center P{k} + x{k}*B{k}.x + y{k}*B{k}.y + z{k}*B{k}.z, inertia [Ixx{k}, Iyy{k}, Izz{k}, Ixy{k}, Iyz{k}, Izx{k}]"
        );
    }
    text.push_str("gravity: -g*N.z\n");
    text
}

/// The links of [`arm`], by Steiner's theorem.
fn links(count: usize) -> Vec<Link> {
    (1..=count)
        .map(|k| {
            let m = 1.0 + 0.5 * k as f64;
            let digit = |lead: f64| lead + 0.01 * k as f64;
            let (x, y, z) = (digit(0.1), -digit(0.2), digit(0.3));
            let i = |n: usize| digit(0.1 * n as f64);
            [
                m,
                m * x,
                m * y,
                m * z,
                i(1) + m * (y * y + z * z),
                i(2) + m * (x * x + z * z),
                i(3) + m * (x * x + y * y),
                i(4) - m * x * y,
                i(5) - m * y * z,
                i(6) - m * z * x,
            ]
        })
        .collect()
}

/// Khalil & Dombre (2002), 9.4.2: of each revolute link YY, MZ and M are grouped with the others and with the link before.
fn grouped(joints: &[Joint], mut links: Vec<Link>) -> Vec<Link> {
    for j in (0..joints.len()).rev() {
        let [m, _, _, mz, _, yy, ..] = links[j];
        links[j][4] -= yy;
        for k in [0, 3, 5] {
            links[j][k] = 0.0;
        }
        if j == 0 {
            break;
        }
        let Joint { alpha, d, r } = joints[j];
        let (s, c) = alpha.sin_cos();
        let before = &mut links[j - 1];
        before[4] += yy + 2.0 * r * mz + r * r * m;
        before[7] += d * s * mz + d * r * s * m;
        before[9] += -d * c * mz - d * r * c * m;
        before[5] += c * c * yy + 2.0 * r * c * c * mz + (d * d + r * r * c * c) * m;
        before[8] += c * s * yy + 2.0 * r * c * s * mz + r * r * c * s * m;
        before[6] += s * s * yy + 2.0 * r * s * s * mz + (d * d + r * r * s * s) * m;
        before[1] += d * m;
        before[2] += -s * mz - r * s * m;
        before[3] += c * mz + r * c * m;
        before[0] += m;
    }
    links
}

const PARTS: [&str; 10] = [
    "m", "mx", "my", "mz", "Jxx", "Jyy", "Jzz", "Jxy", "Jyz", "Jzx",
];

/// Compares the base parameters of an arm with the rule; how many there are.
fn by_the_rule(joints: &[Joint]) -> usize {
    let bench = Bench::new(&arm(joints));
    let n = joints.len();
    let each = |x: f64| -> serde_json::Map<String, Value> {
        (1..=n)
            .map(|k| (format!("q{k}"), json!(x * k as f64)))
            .collect()
    };
    let state = json!({"q": each(0.3), "qdot": each(0.1)});
    fs::write(bench.path("s.json"), state.to_string()).unwrap();
    let out = bench.succeeds(&[
        "eval",
        "arm.eom",
        "--state",
        "s.json",
        "--output",
        "base_parameters",
    ]);
    let out: Value = serde_json::from_str(&out).unwrap();
    let found = out["outputs"]["base_parameters"]
        .as_array()
        .unwrap()
        .clone();
    let base = bench.parameters()["base"].clone();
    let names = base.as_array().unwrap();
    assert_eq!(names.len(), found.len());
    let rule = grouped(joints, links(n));
    for (name, found) in names.iter().zip(&found) {
        let name = name["name"].as_str().unwrap();
        let (link, part) = name[1..].split_once('.').unwrap();
        let place = PARTS.iter().position(|own| *own == part).unwrap();
        let wanted = rule[link.parse::<usize>().unwrap() - 1][place];
        let found = found.as_f64().unwrap();
        assert!(
            (found - wanted).abs() < 1e-12 * (1.0 + wanted.abs()),
            "{name}: {found} {wanted}"
        );
    }
    names.len()
}

/// Gautier & Khalil (1990) and Mayeda, Yoshida & Osuka (1990): 36 parameters of the six links of the PUMA 560.
#[test]
fn the_puma_has_the_parameters_of_the_literature() {
    let right = std::f64::consts::FRAC_PI_2;
    let joint = |alpha, d, r| Joint { alpha, d, r };
    let text = arm(&[
        joint(0.0, 0.0, 0.0),
        joint(-right, 0.0, 0.2435),
        joint(0.0, 0.4318, -0.0934),
        joint(right, -0.0203, 0.4331),
        joint(-right, 0.0, 0.0),
        joint(right, 0.0, 0.0),
    ]);
    let bench = Bench::new(&text);
    let report = bench.parameters();
    let names: Vec<&str> = report["base"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 36, "{names:?}");
    assert_eq!(report["exact"], json!(true));
    assert!(
        names.contains(&"L1.Jzz") && !names.iter().any(|n| n.starts_with("L1.") && *n != "L1.Jzz")
    );
    for k in 2..=6 {
        for part in ["mx", "my", "Jxx", "Jzz", "Jxy", "Jyz", "Jzx"] {
            assert!(
                names.contains(&format!("L{k}.{part}").as_str()),
                "L{k}.{part}: {names:?}"
            );
        }
    }
    // XX6R = XX6 - YY6, and so on.
    let sums = bench.sums();
    assert!(sums.contains(&"L6.Jxx - L6.Jyy".to_owned()), "{sums:?}");
    assert!(
        sums.contains(&"L5.Jxx - L5.Jyy + L6.Jyy".to_owned()),
        "{sums:?}"
    );
    assert!(sums.contains(&"L5.my - L6.mz".to_owned()), "{sums:?}");
}

/// Planar arms of two and three links, arms with twisted joints whose angles are parameters.
#[test]
fn arms_have_the_parameters_of_the_closed_rule() {
    let joint = |alpha, d, r| Joint { alpha, d, r };
    let first = joint(0.0, 0.0, 0.0);
    let right = std::f64::consts::FRAC_PI_2;
    let list = [first, joint(right, 0.4, 0.3), joint(-1.1, 0.5, 0.2)];
    assert_eq!(by_the_rule(&list), 15);
    assert_eq!(by_the_rule(&[first, joint(1.2, 0.0, 0.3)]), 8);
    let list = [
        first,
        joint(-right, 0.0, 0.2435),
        joint(0.0, 0.4318, -0.0934),
        joint(right, -0.0203, 0.4331),
    ];
    assert_eq!(by_the_rule(&list), 22);
}

#[test]
fn planar_arms_have_the_sums_of_textbooks() {
    let mut text = String::from("model arm\nparam g = 9.81 : m/s^2\n");
    for k in 1..=3 {
        let before = if k == 1 {
            "N".to_owned()
        } else {
            format!("B{}", k - 1)
        };
        let from = if k == 1 {
            "O".to_owned()
        } else {
            format!("P{}", k - 1)
        };
        let _ = writeln!(
            text,
            "coord q{k} : rad\nparam m{k} : kg > 0\nparam I{k} : kg*m^2 > 0\nparam l{k}, c{k} : m > 0\nframe B{k} = rotate({before}, q{k}, N.z)\npoint P{k} = {from} + l{k}*B{k}.x\nbody L{k}: mass m{k}, frame B{k}, center {from} + c{k}*B{k}.x, inertia [0, 0, I{k}]"
        );
    }
    text.push_str("gravity: -g*N.y\n");
    let bench = Bench::new(&text);
    assert_eq!(
        bench.sums(),
        [
            "L1.mx + l1*L2.m + l1*L3.m",
            "L1.my",
            "L1.Jzz + l1^2*L2.m + l1^2*L3.m",
            "L2.mx + l2*L3.m",
            "L2.my",
            "L2.Jzz + l2^2*L3.m",
            "L3.mx",
            "L3.my",
            "L3.Jzz",
        ]
    );
}

/// Singular values of the stacked regressor at random states have as many that are not 0.
#[test]
fn ranks_are_those_of_singular_values() {
    for (name, count) in [
        ("ur5", 36),
        ("panda7", 43),
        ("furuta", 8),
        ("quadrotor", 10),
    ] {
        let model = of_models(name);
        let options = eomgen::options::DeriveOptions {
            outputs: vec!["regressor".into()],
            ..Default::default()
        };
        let evaluator = eomgen::evaluator("m.eom", &model, &options).unwrap();
        let bench = Bench::new(&model);
        let report = bench.parameters();
        assert_eq!(report["base"].as_array().unwrap().len(), count, "{name}");
        let columns = report["parameters"].as_array().unwrap().len();
        let rank = rank(&evaluator, &model, columns);
        assert_eq!(rank, count, "{name}");
    }
}

fn rank(evaluator: &eomgen::Evaluator, model: &str, columns: usize) -> usize {
    let words = |key: &str| -> Vec<String> {
        let lines = model
            .lines()
            .filter_map(|line| line.trim().strip_prefix(key));
        let names = lines.flat_map(|line| line.split(':').next().unwrap_or("").split(','));
        let own = names.map(|word| word.split('=').next().unwrap_or("").trim().to_owned());
        own.filter(|word| !word.is_empty()).collect()
    };
    let (coords, inputs) = (words("coord "), words("input "));
    let mut seed = 7_u64;
    let mut number = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 40) as f64 / 8_388_608.0 - 1.0
    };
    let mut rows = Vec::new();
    let mut height = 0;
    while rows.len() < 2 * columns * columns {
        let mut each = |names: &[String]| -> serde_json::Map<String, Value> {
            names
                .iter()
                .map(|name| (name.clone(), json!(2.0 * number())))
                .collect()
        };
        let state = json!({"q": each(&coords), "qdot": each(&coords), "inputs": each(&inputs)});
        let input = eomgen::EvalInput::from_json(&state.to_string()).unwrap();
        let out: Value = serde_json::from_str(&evaluator.eval(&input).unwrap().to_json()).unwrap();
        for row in out["outputs"]["regressor"].as_array().unwrap() {
            rows.extend(row.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()));
            height += 1;
        }
    }
    let values = DMatrix::from_row_slice(height, columns, &rows).singular_values();
    let largest = values.max();
    let kept = values.iter().filter(|x| **x > 1e-9 * largest).count();
    let lost = values
        .iter()
        .filter(|x| **x > 1e-12 * largest && **x <= 1e-9 * largest);
    assert_eq!(lost.count(), 0, "no gap: {values}");
    kept
}

/// The four-bar linkage moves with any lengths, in one freedom.
#[test]
fn loops_have_base_parameters() {
    let bench = Bench::new(&of_models("four_bar"));
    let report = bench.parameters();
    assert_eq!(report["exact"], json!(false));
    let sums = bench.sums();
    // The mass and first moment of the last link, which turns about the ground, go to its moment of inertia and that of the coupler and crank.
    assert_eq!(sums.len(), 4, "{sums:?}");
    assert!(sums[0].contains("l2^2*link3.m"), "{sums:?}");
}

#[test]
fn they_are_proven_for_machines_of_every_kind() {
    let machines = [
        "e4_sleigh",
        "four_bar",
        "disc_quaternion",
        "rolling_disc",
        "slider_crank",
        "spherical_pendulum",
        "foucault",
        "energy_two_masses",
    ];
    let stride = if crate::is_thorough() { 1 } else { 2 };
    for name in machines.into_iter().step_by(stride) {
        let bench = Bench::new(&of_models(name));
        bench.succeeds(&["verify", "arm.eom", "--method", "kane", "--output", ALL]);
    }
    let bench = Bench::new(&fenced(&page(), "```eom\n"));
    let names = [ALL, "load_regressor,load_parameters"].join(",");
    bench.succeeds(&["verify", "arm.eom", "--output", &names]);
}

/// A sign that is changed in a generated function shows, there or in one that calls it.
#[test]
fn a_changed_sign_is_noticed() {
    let bench = Bench::new(&fenced(&page(), "```eom\n"));
    let mut changed = 0;
    for names in [ALL, "base_regressor,base_parameters", "inertial_parameters"] {
        bench.succeeds(&["derive", "arm.eom", "--output", names, "-o", "m.rs"]);
        let text = fs::read_to_string(bench.path("m.rs")).unwrap();
        for function in names.split(',').chain(["new"]) {
            let at = text.find(&format!("pub fn {function}(")).unwrap();
            let end = at + text[at..].find("\n    }\n").unwrap();
            let Some(sign) = text[at..end].rfind(" + ") else {
                continue;
            };
            changed += 1;
            let mut wrong = text.clone();
            wrong.replace_range(at + sign..at + sign + 3, " - ");
            fs::write(bench.path("wrong.rs"), wrong).unwrap();
            let (code, out, err) = bench.run(&["verify", "arm.eom", "--file", "wrong.rs"]);
            assert_eq!(code, 1, "{function}: {out}{err}");
            assert!(out.contains("    wrong      "), "{function}: {out}");
        }
    }
    assert!(changed >= 5, "{changed}");
}

#[test]
fn what_is_not_there_is_told() {
    let bench = Bench::new(
        "model m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass 1 [kg] at P\nforce on A: -2[N/m]*x*N.x\n",
    );
    let (code, _, err) = bench.run(&["derive", "arm.eom", "--output", "load_regressor"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("E0594") && err.contains("no load is linear in a parameter"),
        "{err}"
    );
    let bench = Bench::new(&of_models("energy_duffing"));
    let (code, _, err) = bench.run(&["parameters", "arm.eom"]);
    assert_eq!(code, 1);
    assert!(err.contains("E0594"), "{err}");
}
