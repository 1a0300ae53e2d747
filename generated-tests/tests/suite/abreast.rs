//! Equal branches side by side: machines with limbs that differ in numbers, mirrored and not, whose modules compute them in loops. The compiled
//! modules against the evaluator, which computes one branch after the other from expressions that know nothing of loops.
#![cfg(feature = "pipeline")]

use eomgen::options::{DeriveOptions, Fix, Math, Scalar};
use eomgen::{EvalInput, Source, derive_source, evaluator_source};
use generated_tests::oracle::is_thorough;
use generated_tests::running::{Job, Ran, Sample, Settings, asked, run};
use std::fmt::Write;

/// A body with limbs.
#[derive(Clone, Copy)]
struct Machine {
    limbs: usize,
    /// Hinges of each.
    hinges: usize,
    /// Whether every other limb is the mirror image of the one before.
    mirrored: bool,
    /// Whether the body moves in space or stands.
    free: bool,
    /// Whether each limb is mounted at angles of its own.
    tilted: bool,
}

const MACHINES: [Machine; 6] = [
    Machine {
        limbs: 4,
        hinges: 3,
        mirrored: true,
        free: true,
        tilted: false,
    },
    Machine {
        limbs: 3,
        hinges: 5,
        mirrored: false,
        free: true,
        tilted: false,
    },
    Machine {
        limbs: 2,
        hinges: 7,
        mirrored: true,
        free: true,
        tilted: false,
    },
    Machine {
        limbs: 6,
        hinges: 2,
        mirrored: true,
        free: true,
        tilted: false,
    },
    Machine {
        limbs: 5,
        hinges: 2,
        mirrored: false,
        free: false,
        tilted: false,
    },
    Machine {
        limbs: 4,
        hinges: 3,
        mirrored: true,
        free: true,
        tilted: true,
    },
];

impl Machine {
    fn text(self) -> String {
        let (n, m) = (self.limbs, self.hinges);
        let list = |of: &dyn Fn(usize) -> f64| {
            let each = (0..n).map(|i| format!("{:.3}", of(i)));
            each.collect::<Vec<_>>().join(", ")
        };
        let side = |i: usize| {
            if self.mirrored && i % 2 == 1 {
                -1.0
            } else {
                1.0
            }
        };
        let mut text = format!(
            "model limbs\nparam a[1..{n}] = [{}] : m\nparam b[1..{n}] = [{}] : m\nparam g = 9.81 : m/s^2\n",
            list(&|i| 0.2 * (i / 2) as f64 - 0.3),
            list(&|i| 0.15 * side(i) + 0.01 * (i / 2) as f64),
        );
        if self.free {
            text += "coord x, y, z : m\ncoord yaw, pitch, roll : rad\nframe B = rotate_body(N, zyx, yaw, pitch, roll)\n\
                     point P = O + x*N.x + y*N.y + z*N.z\nassume cos(pitch) > 0\n";
        } else {
            text += "coord yaw : rad\nframe B = rotate(N, yaw, N.z)\npoint P = O\n";
        }
        text += "body trunk: frame B, mass 5.3 [kg], center P, inertia [0.2 [kg*m^2], 0.31 [kg*m^2], 0.4 [kg*m^2]]\n";
        if self.tilted {
            // Half of them are turned round.
            let turned = list(&|i| {
                if i >= n / 2 {
                    3.0
                } else {
                    0.02 * i as f64 + 0.1
                }
            });
            let rolled = list(&|i| side(i) * (0.7 + 0.001 * i as f64));
            let _ = writeln!(
                text,
                "param c[1..{n}] = [{turned}] : rad\nparam s[1..{n}] = [{rolled}] : rad"
            );
        }
        for k in 1..=m {
            let _ = writeln!(
                text,
                "param d{k}[1..{n}] = [{}] : m",
                list(&|i| side(i) * (0.02 + 0.01 * k as f64))
            );
            let _ = writeln!(
                text,
                "param q{k}_m[1..{n}] = [{}] : kg > 0",
                list(&|i| 1.1 + 0.1 * k as f64 + 0.05 * (i / 2) as f64)
            );
            let _ = writeln!(text, "coord q{k}[1..{n}] : rad\ninput tau{k}[1..{n}] : N*m");
        }
        let _ = writeln!(
            text,
            "for i in 1..{n} {{\n  point A0[i] = P + a[i]*B.x + b[i]*B.y"
        );
        let mount = if self.tilted { "M[i]" } else { "B" };
        if self.tilted {
            text += "  frame M[i] = rotate_body(B, zx, c[i], s[i])\n";
        }
        for k in 1..=m {
            let (before, axis) = match k {
                1 => (mount.to_owned(), "x"),
                _ => (format!("L{}[i]", k - 1), "y"),
            };
            let _ = writeln!(
                text,
                "  frame L{k}[i] = rotate({before}, q{k}[i], {before}.{axis})\n  point C{k}[i] = A{}[i] + d{k}[i]*L{k}[i].y - 0.1 [m]*L{k}[i].z\n\
                 \x20 body W{k}[i]: frame L{k}[i], mass q{k}_m[i], center C{k}[i], inertia [0.011 [kg*m^2], 0.012 [kg*m^2], 0.002 [kg*m^2]]\n\
                 \x20 point A{k}[i] = A{}[i] + d{k}[i]*L{k}[i].y - 0.22 [m]*L{k}[i].z\n  generalized q{k}[i]: tau{k}[i]",
                k - 1,
                k - 1,
            );
        }
        text += "}\ngravity: -g*N.z\n";
        text
    }
}

/// A number for the `i`-th entry of a state.
fn number(i: usize, k: usize) -> f64 {
    let x = (i * 37 + k * 61 + 11) % 97;
    x as f64 / 97.0 - 0.47
}

fn tried(machine: Machine, options: &DeriveOptions, tolerance: f64, name: &str) {
    let source = Source::new("limbs.eom", &machine.text());
    let module = derive_source(&source, options).unwrap().code;
    // Filled up to a multiple of four.
    let looped = format!("for k in 0..{} {{", machine.limbs.next_multiple_of(4));
    assert!(module.contains(&looped), "{name}: no loop over limbs");
    let asked = asked(&module).unwrap();
    let named = |names: &[String], k: usize, from: usize| -> Vec<(String, f64)> {
        let names = names.iter().enumerate();
        names
            .map(|(i, n)| (n.clone(), number(i + from, k)))
            .collect()
    };
    let samples: Vec<Sample> = (0..3)
        .map(|k| Sample {
            state: named(&asked.state, k, 0),
            inputs: named(&asked.inputs, k, 200),
            ..Sample::default()
        })
        .collect();
    let job = Job {
        samples: samples.clone(),
        functions: Vec::new(),
        module,
    };
    let folder = std::env::temp_dir().join(format!("eomgen-abreast-{}-{name}", std::process::id()));
    let settings = Settings {
        // A model without parameters is made by `new()`, which a lint wants to be `default()` too.
        lint: !options.fix.all,
        ..Settings::new(&folder)
    };
    let ran = run(&[job], &settings).unwrap();
    let Ran::Values(found) = &ran[0] else {
        panic!("{name}: {ran:?}")
    };
    assert_eq!(found.violations, [], "{name}");
    let evaluator = evaluator_source(&source, &DeriveOptions::default()).unwrap();
    for (k, sample) in samples.iter().enumerate() {
        let rates = sample
            .state
            .iter()
            .filter_map(|(n, x)| Some((n.strip_suffix('\'')?.to_owned(), *x)));
        // Fields of Rust for names with an index.
        let inputs = sample.inputs.iter().map(|(n, x)| {
            let (name, index) = n.split_once('_').unwrap();
            (format!("{name}[{index}]"), *x)
        });
        let input = EvalInput {
            q: sample
                .state
                .iter()
                .filter(|(n, _)| !n.ends_with('\''))
                .cloned()
                .collect(),
            qdot: Some(rates.collect()),
            inputs: inputs.collect(),
            ..EvalInput::default()
        };
        let expected = evaluator.eval(&input).unwrap().qddot;
        let value = found.value(k, "accelerations").unwrap();
        let numbers = value.outcome.as_ref().unwrap();
        let size = expected
            .iter()
            .fold(1.0_f64, |most, (_, x)| most.max(x.abs()));
        for (name_of, number) in found.names.coordinates.iter().zip(numbers) {
            let (_, wanted) = expected.iter().find(|(n, _)| n == name_of).unwrap();
            let off = (number - wanted).abs() / size;
            assert!(
                off < tolerance,
                "{name}, {name_of}: {number} in place of {wanted}"
            );
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn limbs_move_as_one_after_the_other() {
    // Some of them, unless there is time.
    let stride = if is_thorough() { 1 } else { 3 };
    for (at, machine) in MACHINES.into_iter().enumerate().step_by(stride) {
        tried(
            machine,
            &DeriveOptions::default(),
            1e-11,
            &format!("machine-{at}"),
        );
    }
}

#[test]
fn in_single_precision() {
    let options = DeriveOptions {
        scalar: Scalar::F32,
        ..DeriveOptions::default()
    };
    tried(MACHINES[4], &options, 2e-3, "single");
}

#[test]
#[ignore = "a minute of compiling"]
fn with_every_option() {
    let options = |change: &dyn Fn(&mut DeriveOptions)| {
        let mut options = DeriveOptions::default();
        change(&mut options);
        options
    };
    let all = [
        ("fma", 1e-11, options(&|o| o.fma = true)),
        ("std", 1e-11, options(&|o| o.math = Math::Std)),
        ("batch", 1e-11, options(&|o| o.batch = true)),
        (
            "fixed",
            1e-11,
            options(&|o| {
                o.fix = Fix {
                    all: true,
                    values: Vec::new(),
                }
            }),
        ),
    ];
    for (name, tolerance, options) in all {
        tried(MACHINES[4], &options, tolerance, name);
    }
}
