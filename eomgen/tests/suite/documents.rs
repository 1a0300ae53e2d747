//! What the program says of derivations beside the module: lists, documents, quantities asked for by name.
#![cfg(feature = "cli")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The sleigh with its quasi-velocities named: O'Reilly et al., section 2.
const SLEIGH: &str = "\
model sleigh
param m1, m2 : kg > 0
param l : m > 0
coord x, y : m
coord theta : rad
frame B = rotate(N, theta, N.z)
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2
speed u1 = dot(vel(P1), B.x)
speed u2 = theta'
speed u3 = dot(vel(P2), B.y)
constraint blade: u3 = 0
";

/// A rigid body that turns about a fixed axis.
const WHEEL: &str = "\
model wheel
param J : kg*m^2 > 0
param m : kg > 0
coord q : rad
frame B = rotate(N, q, N.z)
body W: frame B, mass m, center O, inertia [J, J, J]
";

const STATE: &str = r#"{"params": {"m1": 1.5, "m2": 0.5, "l": 1}, "q": {"x": 0, "y": 0, "theta": 0},
    "qdot": {"x": 1, "y": -2, "theta": 2}}"#;

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("sleigh.eom"), SLEIGH).unwrap();
        fs::write(folder.path().join("wheel.eom"), WHEEL).unwrap();
        fs::write(folder.path().join("state.json"), STATE).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, line: &str) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_eomgen"))
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    fn good(&self, line: &str) -> String {
        let (code, out, err) = self.run(line);
        assert_eq!(code, 0, "{line}\n{err}");
        out
    }
}

/// Blanks taken together: columns are aligned by the longest entry.
fn squeezed(text: &str) -> Vec<String> {
    let line = |l: &str| l.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect()
}

fn has(text: &str, wanted: &[&str]) {
    let lines = squeezed(text);
    for line in wanted {
        let there = lines.iter().any(|l| l == line);
        assert!(there, "no line `{line}` in\n{text}");
    }
}

/// O'Reilly et al. 2.24-2.26 with `mu` by the third projection, and the bases of sections 3-7.
#[test]
fn the_geometry_of_the_sleigh_reads_like_its_paper() {
    let text = Bench::new().good("derive sleigh.eom --emit geometry");
    has(
        &text,
        &[
            "m = m1 + m2",
            "M[x, theta] = -m2*l*sin(theta)",
            "x' = cos(theta)*u1 + (l*u2 - u3)*sin(theta)",
            "N[u1, u1] = m1 + m2",
            "N[u2, u2] = m1*l^2",
            "N[u2, u3] = -m1*l",
            "m r'' . a_theta = -m2*l*sin(theta)*x'' + m2*l*cos(theta)*y'' + m2*l^2*theta'' = l*lambda[blade]",
            "m r'' . b_u1 = (m1 + m2)*u1' + m1*l*u2^2 = 0",
            "m r'' . b_u2 = m1*l^2*u2' - m1*l*u1*u2 = 0",
            "m r'' . b_u3 = -m1*l*u2' + (m1 + m2)*u1*u2 = lambda[blade]",
            "- Phi_c = lambda[blade] b^u3.",
        ],
    );
    // The blade acts on the second particle: b^3 has no part in the first.
    let parts = squeezed(&text);
    let dual: Vec<&String> = parts.iter().filter(|l| l.starts_with("b^u3[")).collect();
    assert_eq!(dual.len(), 2, "{dual:?}");
    assert!(dual.iter().all(|l| l.starts_with("b^u3[C.")));
}

#[test]
fn rigid_bodies_have_metric_and_forces_without_vectors() {
    let text = Bench::new().good("derive wheel.eom --emit geometry");
    has(&text, &["M[q, q] = J", "inertia on q = J*q'' = 0"]);
    assert!(text.contains("exist only for systems of"));
    assert!(!text.contains("a_q["));
}

#[test]
fn equations_come_with_what_was_asked_for() {
    let bench = Bench::new();
    let line = "derive sleigh.eom --method gibbs-appell --emit equations --output tangent_projector,gibbs_gradient,kinetic_energy";
    let text = bench.good(line);
    has(
        &text,
        &[
            "(m1 + m2)*u1' + m1*l*u2^2 = 0",
            "u2' = u1*u2/l",
            "y' = sin(theta)*u1 - l*cos(theta)*u2",
            "blade: l*theta' + cos(theta)*y' - sin(theta)*x' = 0",
            "tangent_projector (N)",
            "tangent_projector[theta, theta] = m2/(m1 + m2)",
            "- Source: Udwadia & Kalaba 2002, 43-46.",
            "kinetic_energy = ((m1 + m2)*u1^2 + m1*l^2*u2^2)/2",
            "gibbs_gradient[u2] = m1*l^2*u2' - m1*l*u1*u2",
        ],
    );
    // To a file, which then is fresh, until it is edited.
    let out = bench.path("sleigh.txt");
    bench.good(&format!("{line} -o sleigh.txt"));
    assert_eq!(fs::read_to_string(&out).unwrap(), text);
    bench.good(&format!("{line} -o sleigh.txt --check"));
    fs::write(&out, text.replace("u1*u2/l", "u1*u2*l")).unwrap();
    let (code, _, err) = bench.run(&format!("{line} -o sleigh.txt --check"));
    assert_eq!(code, 1);
    assert!(
        err.contains("sleigh.txt is not what would be written"),
        "{err}"
    );
}

#[test]
fn the_module_says_what_was_asked_for() {
    let code = Bench::new()
        .good("derive sleigh.eom --method maggi --output maggi_matrix,coordinate_mass_matrix");
    has(
        &code,
        &[
            "//! # `maggi_matrix`",
            "//! maggi_matrix[x', u2] = l*sin(theta)",
            "//! coordinate_mass_matrix[theta, theta] = m2*l^2",
        ],
    );
    assert!(code.contains("pub fn maggi_matrix("));
    let columns: Vec<usize> = code
        .lines()
        .filter(|l| l.starts_with("//! coordinate_mass_matrix["))
        .map(|l| l.find(" = ").unwrap())
        .collect();
    assert_eq!(columns.len(), 7);
    assert!(columns.iter().all(|c| *c == columns[0]), "{columns:?}");
}

#[test]
fn evaluation_gives_what_was_asked_for() {
    let line = "eval sleigh.eom --state state.json --output constraint_gram_matrix,applied_forces,multipliers,nonideal_constraint_forces";
    let text = Bench::new().good(line);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let found = &json["outputs"];
    // G = 1/m2; mu = m2 u1 u2 = 0.5*1*2.
    assert_eq!(found["constraint_gram_matrix"][0][0], 2.0);
    assert_eq!(found["applied_forces"], serde_json::json!([0.0, 0.0, 0.0]));
    assert_eq!(found["multipliers"][0], 1.0);
    assert!(found["nonideal_constraint_forces"].is_null());
}

#[test]
fn names_that_are_no_outputs_are_explained() {
    let bench = Bench::new();
    let told = |output: &str, wanted: &str| {
        let (code, out, err) = bench.run(&format!("derive sleigh.eom --output {output}"));
        assert_eq!((code, out.as_str()), (1, ""));
        assert!(err.contains(wanted), "{err}");
    };
    told("tangent_projectr", "did you mean 'tangent_projector'?");
    told("sleigh.rs", "to write to a file use `-o sleigh.rs`");
    told("maggi_matrix", "belongs to maggi, not to kane");
    let (code, _, err) = bench.run("derive wheel.eom --output constraint_gram_matrix");
    assert_eq!(code, 1);
    assert!(err.contains("E0580"), "{err}");
}

#[test]
fn the_lists_are_complete() {
    let bench = Bench::new();
    let text = bench.good("methods");
    let json: serde_json::Value = serde_json::from_str(&bench.good("methods --json")).unwrap();
    let names = |list: &str| -> Vec<String> {
        let list = json[list].as_array().unwrap().iter();
        list.map(|m| m["name"].as_str().unwrap().to_string())
            .collect()
    };
    let methods = names("methods");
    for method in &methods {
        assert!(text.lines().any(|l| l == method), "{method}");
    }
    for output in json["outputs"].as_array().unwrap() {
        let name = output["name"].as_str().unwrap();
        let written = output["written"].as_str().unwrap();
        assert!(written.starts_with(name), "{written}");
        let head = format!("{written} ({})", output["symbol"].as_str().unwrap());
        assert!(text.lines().any(|l| *l == head), "{head}");
        assert!(!output["meaning"].as_str().unwrap().is_empty());
        let of = output["methods"].as_array().unwrap();
        assert!(!of.is_empty() && of.len() <= methods.len());
    }
    assert!(names("outputs").contains(&"tangent_projector".to_string()));
    assert!(names("outputs").contains(&"mass_matrix".to_string()));
}

/// With every quantity that the sleigh has, the module is Rust without a warning.
#[test]
fn modules_with_all_quantities_compile() {
    let bench = Bench::new();
    let json: serde_json::Value = serde_json::from_str(&bench.good("methods --json")).unwrap();
    let of_maggi = serde_json::Value::from("maggi");
    let names: Vec<String> = json["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|o| o["methods"].as_array().unwrap().contains(&of_maggi))
        .filter_map(|o| o["written"].as_str())
        // Particles do not turn, and the sleigh's speeds cannot slip; it has neither inputs nor loads.
        .filter(|name| {
            let lacking = [
                "partial_angular_velocities",
                "assemble",
                "actuation",
                "load_",
            ];
            !lacking.iter().any(|of| name.starts_with(of))
        })
        .map(|name| name.replace("FRAME", "B").replace("POINT", "P1"))
        .collect();
    assert!(names.len() > 40, "{names:?}");
    assert!(names.contains(&"pose(B, P1)".to_string()), "{names:?}");
    bench.good(&format!(
        "derive sleigh.eom --method maggi --output {} -o all.rs",
        names.join(",").replace(", ", ",")
    ));
    let code = fs::read_to_string(bench.path("all.rs")).unwrap();
    for name in names {
        let places = name.replace('(', "_of_").replace(", ", "_");
        let name = places.trim_end_matches(')');
        // What the model lacks of what modules have: non-ideal constraints, and divisors that may vanish.
        if !matches!(name, "nonideal_constraint_forces" | "closeness") {
            assert!(code.contains(&format!("pub fn {name}(")), "{name}");
        }
    }
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["all.rs", "--edition", "2024", "--crate-type", "lib"])
        .args(["--emit", "metadata", "-D", "warnings"])
        .current_dir(bench.0.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
}

/// What is asked for does not change how the rest is written: the rolling disc stays written out with its projectors.
#[test]
fn presentation_does_not_depend_on_what_is_asked_for() {
    let bench = Bench::new();
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../generated-tests/models/disc.eom"
    );
    // What is prepared is shared by all functions, and its names with it: the counts tell.
    let accelerations = |more: &str| {
        let text = bench.good(&format!("derive {model} {more}"));
        let said = text.lines().filter(|line| {
            line.starts_with("//! - `accelerations`: ") || line.starts_with("//! - Accelerations: ")
        });
        let said: Vec<String> = said.map(str::to_owned).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        said
    };
    let plain = accelerations("");
    let asked = accelerations("--output tangent_projector,normal_projector,gibbs_gradient");
    assert_eq!(plain, asked);
}
