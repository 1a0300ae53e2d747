//! Many modules in one program: the numbers of the checked-in modules come back, modules that are wrong are named and harm no other,
//! and broken promises are noticed.
#![cfg(feature = "generated")]

use generated_tests::modules::Compiled;
use generated_tests::running::{
    Evaluated, Job, Kind, Polynomial, Ran, Sample, Settings, asked, run, unformatted,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The text of a checked-in module.
fn module(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    fs::read_to_string(root.join(path).with_extension("rs")).unwrap()
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("eomgen-running-{}-{name}", std::process::id()))
}

/// A module at three states, with everything that it asks for.
fn job(module: String) -> Job {
    let asked = asked(&module).unwrap();
    let number = |i: usize, k: usize| 0.2 + 0.11 * i as f64 + 0.07 * k as f64;
    let numbers = |names: &[String], k: usize| {
        let numbered = names.iter().enumerate();
        numbered
            .map(|(i, name)| (name.clone(), number(i, k)))
            .collect()
    };
    let sample = |k: usize| Sample {
        t: 0.3 * k as f64,
        state: numbers(&asked.state, k),
        inputs: numbers(&asked.inputs, k),
        ..Sample::default()
    };
    let polynomial = |(name, arguments): &(String, usize)| Polynomial {
        name: name.clone(),
        terms: (0..*arguments)
            .map(|i| (0.5 + i as f64, (0..=i as u32).collect()))
            .collect(),
    };
    Job {
        samples: (0..3).map(sample).collect(),
        functions: asked.functions.iter().map(polynomial).collect(),
        module,
    }
}

fn values(ran: &Ran) -> &Evaluated {
    match ran {
        Ran::Values(values) => values,
        other => panic!("{other:?}"),
    }
}

/// Changes one place of a text.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "no `{from}`");
    text.replacen(from, to, 1)
}

/// What was found wrong with a module that is evaluated, by kind and function.
fn found(ran: &Ran) -> Vec<(Kind, &str)> {
    let violations = values(ran).violations.iter();
    violations.map(|v| (v.kind, v.function.as_str())).collect()
}

#[test]
fn modules_give_what_they_give_elsewhere() {
    let names = ["bead_on_hoop", "sleigh_ref", "scotch_yoke"];
    let mut jobs: Vec<Job> = names
        .iter()
        .map(|name| job(module(&format!("generated/{name}"))))
        .collect();
    let variants = [
        "crane_batch",
        "crane_generic",
        "crane_f32_batch",
        "e2_appell_rheonomic_batch",
        "e2_appell_rheonomic_generic",
        "energy_hunt_crossley_generic",
        "pend_abs_1_fixed",
    ];
    jobs.extend(
        variants
            .iter()
            .map(|name| job(module(&format!("variants/{name}")))),
    );
    let folder = folder("elsewhere");
    let settings = Settings {
        probes: false,
        ..Settings::new(&folder)
    };
    let ran = run(&jobs, &settings).unwrap();
    for (name, (job, ran)) in names.iter().zip(jobs.iter().zip(&ran)) {
        let compiled = Compiled::named(name).unwrap();
        for (sample, given) in values(ran).samples.iter().zip(&job.samples) {
            let x: Vec<f64> = given.state.iter().map(|(_, x)| *x).collect();
            let inputs: Vec<f64> = given.inputs.iter().map(|(_, x)| *x).collect();
            let mut callable = compiled.functions();
            callable.retain(|f| sample.iter().any(|v| v.function == *f));
            assert_eq!(callable.len(), compiled.functions().len());
            for function in callable {
                let value = sample.iter().find(|v| v.function == function).unwrap();
                let wanted = compiled.call(function, given.t, &x, &inputs);
                assert_eq!(
                    value.outcome.clone().ok(),
                    wanted.ok(),
                    "{name}, {function}"
                );
            }
        }
    }
    for (name, ran) in names.iter().chain(&variants).zip(&ran) {
        assert_eq!(values(ran).samples.len(), 3, "{name}");
        assert_eq!(values(ran).violations, [], "{name}");
    }
    // One model for three types of numbers.
    let of = |ran: &Ran| {
        values(ran)
            .value(1, "accelerations")
            .unwrap()
            .outcome
            .clone()
            .unwrap()
    };
    assert_eq!(of(&ran[3]), of(&ran[4]));
    for (a, b) in of(&ran[3]).iter().zip(of(&ran[5])) {
        assert!((a - b).abs() < 1e-4 * a.abs(), "{a} {b}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_module_that_is_wrong_harms_no_other() {
    let bead = module("generated/bead_on_hoop");
    let crane = module("variants/crane_batch");
    let first = "pub fn accelerations(";
    let bodies = |text: &str| changed(&bead, "        let [", text);
    let texts = [
        bead.clone(),
        // Not Rust; not in scope; of the wrong type; a warning.
        changed(&bead, first, "pub fn accelerations)("),
        bodies("let nothing = unheard_of; let ["),
        bodies("let x: usize = 1.0; let ["),
        bodies("let mut not_changed = 1.0; let _ = not_changed; let ["),
        // The program goes on after these.
        bodies("assert!(t > 0.1); let ["),
        bodies("if t > 0.1 { std::process::abort() } let ["),
        crane.clone(),
    ];
    let like = |text: &String| Job {
        module: text.clone(),
        ..job(if *text == crane {
            crane.clone()
        } else {
            bead.clone()
        })
    };
    let mut jobs: Vec<Job> = texts.iter().map(like).collect();
    jobs.push(Job {
        samples: vec![Sample::default()],
        ..job(bead.clone())
    });
    let folder = folder("wrong");
    let ran = run(&jobs, &Settings::new(&folder)).unwrap();
    assert_eq!(values(&ran[0]).samples.len(), 3);
    let refused = |ran: &Ran, what: &str| match ran {
        Ran::Refused(why) => assert!(why.contains(what), "{why}"),
        other => panic!("{other:?}"),
    };
    refused(&ran[1], "delimiter");
    refused(&ran[2], "unheard_of");
    refused(&ran[3], "mismatched types");
    refused(&ran[4], "not_changed");
    let crashed = |ran: &Ran, what: &str| match ran {
        Ran::Crashed(why) => assert!(why.contains(what), "{why}"),
        other => panic!("{other:?}"),
    };
    crashed(&ran[5], "t > 0.1");
    crashed(&ran[6], "signal");
    assert_eq!(values(&ran[7]).samples.len(), 3);
    assert!(matches!(&ran[8], Ran::Unusable(why) if why.contains("of the state")));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn broken_promises_are_noticed() {
    let disc = module("generated/disc");
    let (head, tail) = disc.split_once("pub fn accelerations(").unwrap();
    let tail = changed(
        tail,
        "= *state;",
        "= *state; let psi_dot = if CHECKED { psi_dot } else { psi_dot * 1.0000000001 };",
    );
    let tail = changed(
        &tail,
        "Model::new(p).derivative(t, state, inputs)",
        "let mut state = *state; state[5] *= 1.0001; Model::new(p).derivative(t, &state, inputs)",
    );
    let text = format!("{head}pub fn accelerations({tail}");
    let (head, tail) = module("variants/disc_batch")
        .split_once("fn accelerations_block<")
        .map(|(head, tail)| (head.to_owned(), tail.to_owned()))
        .unwrap();
    let batch = format!(
        "{head}fn accelerations_block<{}",
        changed(&tail, "state[3][lane]", "state[3][lane] * 1.0001")
    );
    let jobs = [job(text), job(batch), job(module("generated/e1_appell"))];
    let folder = folder("promises");
    let ran = run(&jobs, &Settings::new(&folder)).unwrap();
    let variants = |kind: Kind, ran: &Ran| -> Vec<String> {
        let all = found(ran).into_iter().filter(|(k, _)| *k == kind);
        all.map(|(_, function)| function.to_owned()).collect()
    };
    let wanted = ["accelerations(unchecked)", "derivative(free)"];
    let noticed = variants(Kind::Variant, &ran[0]);
    assert!(
        wanted.iter().all(|w| noticed.iter().any(|n| n == w)),
        "{noticed:?}"
    );
    let wanted = ["accelerations_batch", "accelerations_lanes"];
    let noticed = variants(Kind::Batch, &ran[1]);
    assert!(
        wanted.iter().all(|w| noticed.iter().any(|n| n == w)),
        "{noticed:?}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn remarks_of_clippy_and_the_want_of_std() {
    let spring = module("variants/energy_hunt_crossley_generic");
    let texts = [
        spring.clone(),
        changed(
            &spring,
            "        libm::sqrt(self)",
            "        f64::sinh(self)",
        ),
        changed(&spring, "        number\n", "        return number;\n"),
    ];
    let folder = folder("lint");
    let settings = Settings {
        lint: true,
        ..Settings::new(&folder)
    };
    let like = |text: &String| Job {
        module: text.clone(),
        ..job(spring.clone())
    };
    let jobs: Vec<Job> = texts.iter().map(like).collect();
    let ran = run(&jobs, &settings).unwrap();
    assert_eq!(values(&ran[0]).samples.len(), 3);
    let wanted = ["sinh", "return"];
    for (ran, wanted) in ran[1..].iter().zip(wanted) {
        assert!(
            matches!(ran, Ran::Refused(why) if why.contains(wanted)),
            "{ran:?}"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn layout_is_checked_for_all_at_once() {
    let bead = module("generated/bead_on_hoop");
    let untidy = changed(&bead, "pub fn accelerations(", "pub  fn accelerations(");
    let folder = folder("layout");
    assert_eq!(unformatted(&[&bead, &untidy, &bead], &folder).unwrap(), [1]);
    assert_eq!(unformatted(&[&bead], &folder).unwrap(), [] as [usize; 0]);
    fs::remove_dir_all(folder).unwrap();
}
