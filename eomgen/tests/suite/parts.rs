//! The parts of the library (`eomgen/parts`), each in a small machine of the folder `parts`: accelerations and rates by hand, and the proof.
#![cfg(feature = "derive")]

use eomgen::options::{DeriveOptions, VerifyOptions};
use eomgen::{EvalInput, EvalOutput, Source};
use std::fs;
use std::path::{Path, PathBuf};

const G: f64 = 9.81;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/parts")
}

/// The machine of a part. What it uses comes from the program.
fn machine(name: &str) -> Source {
    let text = fs::read_to_string(folder().join(format!("{name}.eom"))).unwrap();
    Source::gather(&format!("{name}.eom"), &text, |path| {
        Err(format!("{path} is read"))
    })
}

type Named<'a> = &'a [(&'a str, f64)];

/// What is not given is 0.
#[derive(Clone, Copy, Default)]
struct At<'a> {
    params: Named<'a>,
    q: Named<'a>,
    rates: Named<'a>,
    speeds: Named<'a>,
    states: Named<'a>,
    inputs: Named<'a>,
}

struct Found(EvalOutput);

impl At<'_> {
    fn of(&self, name: &str) -> Found {
        let source = machine(name);
        let read = eomgen::internals::input::read_source(&source, &[]);
        let (system, _) = read.unwrap_or_else(|f| panic!("{name}: {f:?}"));
        let all = |names: Vec<String>, given: Named<'_>| {
            for (name, _) in given {
                assert!(
                    names.iter().any(|n| n == name),
                    "{name} is not among {names:?}"
                );
            }
            let value = |n: &String| given.iter().find(|(g, _)| g == n).map_or(0.0, |x| x.1);
            names
                .into_iter()
                .map(|n| (n.clone(), value(&n)))
                .collect::<indexmap::IndexMap<_, _>>()
        };
        let coords: Vec<String> = system.coords.iter().map(|c| c.meta.name.clone()).collect();
        let speeds = system.speeds.iter().map(|c| c.meta.name.clone()).collect();
        let states = system.states.iter().map(|c| c.meta.name.clone()).collect();
        let inputs = system.inputs.iter().map(|c| c.meta.name.clone()).collect();
        let by_speeds = !self.speeds.is_empty();
        let input = EvalInput {
            params: self
                .params
                .iter()
                .map(|(n, x)| ((*n).to_owned(), *x))
                .collect(),
            q: all(coords.clone(), self.q),
            qdot: (!by_speeds).then(|| all(coords, self.rates)),
            speeds: by_speeds.then(|| all(speeds, self.speeds)),
            states: all(states, self.states),
            inputs: all(inputs, self.inputs),
            ..EvalInput::default()
        };
        let found = eomgen::eval_source(&source, &DeriveOptions::default(), &input);
        let found = found.unwrap_or_else(|f| panic!("{name}: {f:?}"));
        assert_eq!(found.warnings, [""; 0], "{name}");
        Found(found)
    }
}

impl Found {
    /// Compares accelerations `q''`, rates of speeds and states `w'`, and outputs.
    fn gives(&self, expected: &[(&str, f64)]) {
        let found = &self.0;
        for (name, expected) in expected {
            let named = |list: &[(String, f64)], name: &str| {
                list.iter().find(|(n, _)| n == name).map(|x| x.1)
            };
            let output = || {
                let own = found.outputs.iter().find(|(n, _)| n == name);
                own.map(|(_, values)| values[0])
            };
            let value = if let Some(q) = name.strip_suffix("''") {
                named(&found.qddot, q)
            } else if let Some(w) = name.strip_suffix('\'') {
                named(&found.states_dot, w).or_else(|| named(&found.speeds_dot, w))
            } else {
                output()
            };
            let value = value.unwrap_or_else(|| panic!("no {name} in {found:?}"));
            let off = (value - expected).abs();
            assert!(
                off <= 1e-9 * (1.0 + expected.abs()),
                "{name} is {value}, not {expected}"
            );
        }
    }
}

#[test]
fn every_part_has_a_machine_that_is_proven() {
    for (at, (file, text)) in eomgen::internals::library::all().iter().enumerate() {
        assert_eq!(
            eomgen::internals::syntax::format(text).unwrap(),
            *text,
            "{file}"
        );
        let name = file.strip_suffix(".eom").unwrap();
        let source = machine(name);
        let used = format!("<std>/{file}");
        assert!(source.parts.iter().any(|part| part.path == used), "{file}");
        // One in three in the short command.
        if at % 3 != 0 && !crate::is_thorough() {
            continue;
        }
        // One formulation each, in turn.
        let methods = [
            "kane",
            "lagrange",
            "gibbs-appell",
            "maggi",
            "udwadia-kalaba",
        ];
        let method = methods[at % methods.len()];
        let options = VerifyOptions {
            methods: vec![method.to_owned()],
            ..VerifyOptions::default()
        };
        let proof = eomgen::verify_source(&source, &options);
        let proof = proof.unwrap_or_else(|f| panic!("{name}: {f:?}"));
        assert_eq!(
            proof.standing(),
            eomgen::Standing::Verified,
            "{name} by {method}: {proof}"
        );
    }
    let machines = fs::read_dir(folder()).unwrap().count();
    assert_eq!(machines, eomgen::internals::library::all().len());
}

#[test]
fn joints_move_as_they_should() {
    At {
        q: &[("hinge.q", 0.4)],
        ..At::default()
    }
    .of("revolute")
    .gives(&[("hinge.q''", -G / 0.3 * 0.4_f64.sin())]);
    At::default()
        .of("prismatic")
        .gives(&[("slide.s''", -G / 2.0)]);
    At {
        inputs: &[("F", 3.0), ("tau", 2.0)],
        ..At::default()
    }
    .of("cylindrical")
    .gives(&[("rod.s''", 1.5), ("rod.q''", 4.0)]);
    let h = 0.1 / (2.0 * std::f64::consts::PI);
    At::default()
        .of("screw")
        .gives(&[("nut.q''", -2.0 * G * h / (0.5 + 2.0 * h * h))]);
    // T = (J cos^2 q2 + 3 J sin^2 q2) q1'^2/2 + 2 J q2'^2/2
    let (q2, r1, r2) = (0.7_f64, 1.2, -0.8);
    let inertia = q2.cos().powi(2) + 3.0 * q2.sin().powi(2);
    let slope = 4.0 * q2.sin() * q2.cos();
    At {
        q: &[("hooke.q2", q2)],
        rates: &[("hooke.q1", r1), ("hooke.q2", r2)],
        ..At::default()
    }
    .of("universal")
    .gives(&[
        ("hooke.q1''", -slope * r1 * r2 / inertia),
        ("hooke.q2''", slope * r1 * r1 / 4.0),
    ]);
    // Its mass centre, 1 m from the point, goes straight on.
    At {
        params: &[("m", 1.0), ("J", 2.0)],
        rates: &[("plate.q", 3.0)],
        ..At::default()
    }
    .of("planar")
    .gives(&[("plate.x''", 9.0), ("plate.y''", 0.0), ("plate.q''", 0.0)]);
}

#[test]
fn turning_bodies_obey_eulers_equations() {
    let (a, b, c) = (1.0, 2.0, 4.0);
    let params = [("A", a), ("B", b), ("C", c)];
    let (x, y, z) = (0.3, -0.5, 0.7);
    let euler = [
        (b - c) / a * y * z,
        (c - a) / b * z * x,
        (a - b) / c * x * y,
    ];
    At {
        params: &params,
        q: &[("joint.e0", 1.0)],
        speeds: &[("joint.wx", x), ("joint.wy", y), ("joint.wz", z)],
        ..At::default()
    }
    .of("ball")
    .gives(&[
        ("joint.wx'", euler[0]),
        ("joint.wy'", euler[1]),
        ("joint.wz'", euler[2]),
    ]);
    At {
        params: &params,
        q: &[("flight.e0", 1.0)],
        // e' = w/2 where the frame is that of the base.
        rates: &[
            ("flight.e1", x / 2.0),
            ("flight.e2", y / 2.0),
            ("flight.e3", z / 2.0),
            ("flight.x", 2.0),
        ],
        ..At::default()
    }
    .of("free")
    .gives(&[
        ("flight.wx'", euler[0]),
        ("flight.wy'", euler[1]),
        ("flight.wz'", euler[2]),
        ("flight.z''", -G),
        ("flight.x''", 0.0),
    ]);
    // At zero angles w = (roll', pitch', yaw') and w' = (roll'' - pitch' yaw', pitch'' + roll' yaw', yaw'' - roll' pitch').
    At {
        params: &params,
        rates: &[("joint.roll", x), ("joint.pitch", y), ("joint.yaw", z)],
        ..At::default()
    }
    .of("ball_euler")
    .gives(&[
        ("joint.roll''", euler[0] + y * z),
        ("joint.pitch''", euler[1] - x * z),
        ("joint.yaw''", euler[2] + x * y),
    ]);
}

#[test]
fn transmissions_pass_forces_on() {
    let inputs = &[("tau", 3.0)];
    let q = 3.0 / (1.0 + 2.0 * 0.25);
    At {
        inputs,
        ..At::default()
    }
    .of("gear_pair")
    .gives(&[
        ("a.q''", q),
        ("b.q''", -q / 2.0),
        ("gears.tooth_force", -2.0 * q / 2.0 / 0.2),
    ]);
    let q = 3.0 / (1.0 + 2.0 * 0.01);
    At {
        inputs,
        ..At::default()
    }
    .of("rack")
    .gives(&[
        ("a.q''", q),
        ("slide.s''", 0.1 * q),
        ("mesh.tooth_force", 2.0 * 0.1 * q),
    ]);
    let q = 3.0 / (1.0 + 2.0 * 0.25);
    At {
        inputs,
        ..At::default()
    }
    .of("belt")
    .gives(&[
        ("p''", q),
        ("q''", q / 2.0),
        ("belt.pull", 2.0 * q / 2.0 / 0.2),
    ]);
    let pull = 100.0 * (0.1 * 0.5 - 0.2 * 0.1) + 2.0 * (0.1 * 2.0 - 0.2 * 0.3);
    At {
        inputs,
        q: &[("p", 0.5), ("q", 0.1)],
        rates: &[("p", 2.0), ("q", 0.3)],
        ..At::default()
    }
    .of("elastic_belt")
    .gives(&[
        ("p''", 3.0 - 0.1 * pull),
        ("q''", 0.2 * pull / 2.0),
        ("belt.pull", pull),
    ]);
    // Atwood's machine, whose pulley has the inertia of 2 kg at its rim.
    let down = (1.0 - 2.0) * G / (1.0 + 2.0 + 2.0);
    At {
        q: &[("x1", 1.0), ("x2", 1.0)],
        ..At::default()
    }
    .of("pulley")
    .gives(&[
        ("x1''", down),
        ("x2''", -down),
        ("pulley.q''", down / 0.1),
        ("pulley.tension_left", G - down),
        ("pulley.tension_right", 2.0 * (G + down)),
    ]);
    // (J + m f'^2) q'' + m f' f'' q'^2 = tau
    let (q, w) = (0.6_f64, 2.0);
    let (slope, bend) = (0.05 * q.sin(), 0.05 * q.cos());
    let turn = (3.0 - 2.0 * slope * bend * w * w) / (1.0 + 2.0 * slope * slope);
    let lift = slope * turn + bend * w * w;
    At {
        inputs,
        q: &[("shaft.q", q), ("follower.s", 0.05 * (1.0 - q.cos()))],
        rates: &[("shaft.q", w), ("follower.s", slope * w)],
        ..At::default()
    }
    .of("cam")
    .gives(&[
        ("shaft.q''", turn),
        ("follower.s''", lift),
        ("cam.force", 2.0 * lift),
    ]);
}

#[test]
fn motors_drive_an_arm() {
    // m l^2 = 0.5 kg m^2, n^2 J = 0.25 kg m^2
    let (q, w) = (0.4_f64, 1.5);
    let weight = -2.0 * G * 0.5 * q.sin();
    let (n, b) = (50.0, 1e-3);
    let arm = At {
        q: &[("joint.q", q)],
        rates: &[("joint.q", w)],
        ..At::default()
    };
    let torque = n * 0.3 - n * n * b * w - 0.1 * (w / 1e-3_f64).tanh();
    At {
        inputs: &[("drive.tau", 0.3)],
        ..arm
    }
    .of("geared_motor")
    .gives(&[
        ("joint.q''", (weight + torque) / 0.75),
        ("drive.power", n * 0.3 * w),
    ]);
    let (k, r) = (0.05, 1.0);
    let torque = n * k * 2.0 - n * n * b * w;
    At {
        inputs: &[("drive.i", 2.0)],
        ..arm
    }
    .of("dc_motor_current")
    .gives(&[
        ("joint.q''", (weight + torque) / 0.75),
        ("drive.v", r * 2.0 + k * n * w),
    ]);
    At {
        inputs: &[("drive.v", 24.0)],
        states: &[("drive.i", 2.0)],
        ..arm
    }
    .of("dc_motor")
    .gives(&[
        ("joint.q''", (weight + torque) / 0.75),
        ("drive.i'", (24.0 - r * 2.0 - k * n * w) / 1e-3),
        ("drive.torque", n * k * 2.0),
    ]);
    let (theta, turning) = (0.45, 1.2);
    let torque = 300.0 * (theta - q) + (turning - w);
    At {
        q: &[("joint.q", q), ("drive.theta", theta)],
        rates: &[("joint.q", w), ("drive.theta", turning)],
        inputs: &[("drive.tau", 0.3)],
        ..At::default()
    }
    .of("series_elastic")
    .gives(&[
        ("joint.q''", (weight + torque) / 0.5),
        (
            "drive.theta''",
            (n * 0.3 - torque - n * n * b * turning) / 0.25,
        ),
        ("drive.torque", torque),
    ]);
    // Beyond a stop at 1 rad, from which it is pushed and never pulled.
    let stop = -100.0 * 0.2 - 2.0 * 1.5;
    let over = |q: f64, w: f64, torque: f64| {
        let weight = -2.0 * G * 0.5 * q.sin();
        At {
            q: &[("joint.q", q)],
            rates: &[("joint.q", w)],
            ..At::default()
        }
        .of("end_stops")
        .gives(&[
            ("joint.q''", (weight + torque) / 0.5),
            ("drive.torque", torque),
        ]);
    };
    over(1.2, 1.5, stop);
    over(-1.2, -1.5, -stop);
    over(1.2, -50.0, 0.0);
    over(0.5, 1.5, 0.0);
}

#[test]
fn other_actuators_push_and_pull() {
    let (a1, a2, p1, p2, v) = (2e-3, 1e-3, 4e6, 1e6, 0.1);
    let push = a1 * p1 - a2 * p2 - 50.0 * v;
    let leak = 1e-12 * (p1 - p2);
    At {
        q: &[("slide.s", 0.7)],
        rates: &[("slide.s", v)],
        states: &[("jack.p1", p1), ("jack.p2", p2)],
        inputs: &[("jack.Q1", 3e-4), ("jack.Q2", -1e-4)],
        ..At::default()
    }
    .of("hydraulic_cylinder")
    .gives(&[
        ("slide.s''", push / 100.0),
        ("jack.push", push),
        (
            "jack.p1'",
            1.5e9 * (3e-4 - a1 * v - leak) / (1e-4 + a1 * 0.2),
        ),
        (
            "jack.p2'",
            1.5e9 * (-1e-4 + a2 * v + leak) / (5e-4 - a2 * 0.2),
        ),
    ]);
    At {
        states: &[("port.F", 30.0)],
        inputs: &[("port.command", 50.0)],
        ..At::default()
    }
    .of("thruster")
    .gives(&[("hull.x''", 0.3), ("hull.q''", -0.3), ("port.F'", 200.0)]);
    // The first rotor is behind the centre and turns to the left.
    let thrust = |w: f64| 1e-5 * w * w;
    let (first, second) = (thrust(400.0), thrust(500.0));
    At {
        q: &[("body.e0", 1.0)],
        states: &[("rotor[1].w", 400.0), ("rotor[2].w", 500.0)],
        inputs: &[("rotor[1].command", 450.0), ("rotor[2].command", 450.0)],
        ..At::default()
    }
    .of("propeller")
    .gives(&[
        ("body.z''", first + second - G),
        ("body.wy'", 0.2 * (first - second) / 0.01),
        ("body.wz'", 0.01 * (first - second) / 0.02),
        ("rotor[1].w'", 1000.0),
        ("rotor[2].w'", -1000.0),
    ]);
}

#[test]
fn a_muscle_follows_the_published_curves() {
    // De Groote et al. 2016, equations (2) to (4) and the curves of its supplement.
    let gauss =
        |l: f64, b: [f64; 4]| b[0] * (-0.5 * ((l - b[1]) / (b[2] + b[3] * l)).powi(2)).exp();
    let (q, w, a, e) = (0.2_f64, -1.5, 0.4, 0.9);
    let length = (0.05_f64.powi(2) + 0.09 + 0.03 * q.cos()).sqrt();
    let slope = -0.3 * 0.05 * q.sin() / length;
    let (l, v) = ((length - 0.25) / 0.1, slope * w / (0.1 * 10.0));
    let active = gauss(l, [0.814, 1.06, 0.162, 0.0633])
        + gauss(l, [0.433, 0.717, -0.0299, 0.2])
        + gauss(l, [0.1, 1.0, 0.354, 0.0]);
    let passive = ((4.0 * (l - 1.0) / 0.6).exp() - 1.0) / (4.0_f64.exp() - 1.0);
    let s = -8.149 * v - 0.374;
    let velocity = 0.886 - (318.0 / 1000.0) * s.asinh();
    let force = 800.0 * (a * active * velocity + passive + 0.1 * v);
    let f = 0.5 * (10.0 * (e - a)).tanh();
    let load = 0.5 + 1.5 * a;
    let rate = ((f + 0.5) / (0.015 * load) + load / 0.06 * (-f + 0.5)) * (e - a);
    At {
        q: &[("elbow.q", q)],
        rates: &[("elbow.q", w)],
        states: &[("biceps.a", a)],
        inputs: &[("biceps.e", e)],
        ..At::default()
    }
    .of("hill_muscle")
    .gives(&[
        ("biceps.force", force),
        ("biceps.a'", rate),
        ("elbow.q''", (-0.3 * G * q.sin() - force * slope) / 0.09),
    ]);
}

#[test]
fn wheels_and_edges_hold_the_side() {
    // A cart on two wheels, its mass centre d = 0.1 m before the axle.
    let (u, w, r, b, d) = (2.0, 0.5, 0.1, 0.3, 0.1);
    let ahead = (10.0 + 2.0 + 2.0 * 0.02 / (r * r), 10.0 * d * w * w);
    let turn = (
        1.0 + 10.0 * d * d + 2.0 * (b * b + 0.01) + 2.0 * 0.02 * b * b / (r * r),
        -10.0 * d * u * w,
    );
    At {
        rates: &[
            ("cart.x", u),
            ("cart.q", w),
            ("left.phi", (u - b * w) / r),
            ("right.phi", (u + b * w) / r),
        ],
        ..At::default()
    }
    .of("wheel")
    .gives(&[
        ("cart.x''", ahead.1 / ahead.0),
        ("cart.y''", u * w),
        ("cart.q''", turn.1 / turn.0),
    ]);
    // The swivel goes straight on where the wheel has no mass, and the castor swings in behind it.
    let (q, v) = (0.5_f64, 2.0);
    let swing = -v * q.sin() / 0.05;
    At {
        params: &[("front.m", 0.0), ("front.I", 0.0), ("front.J", 0.0)],
        q: &[("front.q", q)],
        rates: &[
            ("cart.x", v),
            ("front.q", swing),
            ("front.wheel.phi", v * q.cos() / 0.1),
        ],
        ..At::default()
    }
    .of("castor")
    .gives(&[
        ("cart.x''", 0.0),
        ("cart.q''", 0.0),
        ("front.q''", -v * q.cos() * swing / 0.05),
    ]);
    // Chaplygin's sleigh: u' = a w^2, w' = -m a u w/(I + m a^2), the mass centre a before the edge.
    let a = 0.3;
    let turn = -10.0 * a * u * w / (1.0 + 10.0 * a * a);
    At {
        rates: &[("sleigh.x", u), ("sleigh.y", a * w), ("sleigh.q", w)],
        ..At::default()
    }
    .of("knife_edge")
    .gives(&[
        ("sleigh.x''", 0.0),
        ("sleigh.y''", a * turn + u * w),
        ("sleigh.q''", turn),
        ("blade.force", 10.0 * (a * turn + u * w)),
    ]);
    At {
        q: &[("ball.e0", 1.0), ("ball.z", 0.1)],
        inputs: &[("F", 7.0)],
        ..At::default()
    }
    .of("roll")
    .gives(&[
        ("ball.x''", 5.0 * 7.0 / (7.0 * 2.0)),
        ("ball.z''", 0.0),
        ("rolling.pressure", 2.0 * G),
    ]);
}

#[test]
fn contacts_that_slip() {
    let (u, v, w) = (20.0_f64, 1.0, 0.2);
    let ahead = (u * u + 0.01).sqrt();
    let front = -5e4 * (v + 1.2 * w) / ahead;
    let rear = -6e4 * (v - 1.4 * w) / ahead;
    At {
        rates: &[("car.x", u), ("car.y", v), ("car.q", w)],
        ..At::default()
    }
    .of("tyre")
    .gives(&[
        ("car.x''", 0.0),
        ("car.y''", (front + rear) / 1000.0),
        ("car.q''", (1.2 * front - 1.4 * rear) / 1500.0),
        ("front.side", front),
    ]);
    let ground = |z: f64, fall: f64| {
        let depth = (0.1 - z).max(0.0);
        let press = 1e5 * depth * depth.sqrt() * (1.0 + 1.5 * 0.1 * fall);
        let slip = 0.5_f64 + 0.1 * 3.0;
        let drag = -0.3 * press * slip / (slip * slip + 1e-6).sqrt();
        At {
            q: &[("disc.y", z)],
            rates: &[("disc.x", 0.5), ("disc.y", -fall), ("disc.q", 3.0)],
            ..At::default()
        }
        .of("hunt_crossley")
        .gives(&[
            ("disc.x''", drag / 2.0),
            ("disc.y''", press / 2.0 - G),
            ("disc.q''", 0.1 * drag / (0.4 * 2.0 * 0.01)),
            ("ground.pressure", press),
        ]);
    };
    ground(0.099, 0.2);
    ground(0.101, 0.2);
}

#[test]
fn springs_and_resistances() {
    let pull = 10.0 * 0.2 + 20.0 * 0.2_f64.powi(3) + 3.0;
    let at = At {
        q: &[("slide.s", 0.7)],
        rates: &[("slide.s", 3.0)],
        ..At::default()
    };
    at.of("cubic_spring")
        .gives(&[("slide.s''", -pull / 2.0), ("s.tension", pull)]);
    at.of("cable")
        .gives(&[("slide.s''", -5.0 / 2.0), ("s.tension", 5.0)]);
    At {
        q: &[("slide.s", 0.4)],
        ..at
    }
    .of("cable")
    .gives(&[("slide.s''", 0.0), ("s.tension", 0.0)]);
    At {
        rates: &[("slide.s", -3.0)],
        ..at
    }
    .of("cable")
    .gives(&[("slide.s''", 0.0)]);
    at.of("drag")
        .gives(&[("slide.s''", -1.2 * 0.1 / 2.0 * 9.0 / 2.0)]);
}

#[test]
fn springs_with_preloads_and_dampers_with_two_sides() {
    let slide = |v: f64| [("slide.s", v)];
    let at = At {
        q: &[("slide.s", 0.7)],
        ..At::default()
    };
    let out = slide(3.0);
    let out = At { rates: &out, ..at };
    out.of("spring_damper").gives(&[
        ("slide.s''", -(3.0 + 10.0 * 0.2 + 3.0) / 2.0),
        ("s.extension", 0.2),
        ("s.tension", 8.0),
    ]);
    out.of("shock_absorber")
        .gives(&[("slide.s''", -8.0 * 3.0 / 2.0), ("s.tension", 24.0)]);
    let gas = 100.0 * (0.5_f64 / 0.4).powf(1.3) - 2.0 * 3.0;
    out.of("gas_spring")
        .gives(&[("slide.s''", gas / 2.0), ("s.push", gas)]);
    let inwards = slide(-3.0);
    At {
        rates: &inwards,
        ..at
    }
    .of("shock_absorber")
    .gives(&[("slide.s''", 3.0 * 3.0 / 2.0), ("s.tension", -9.0)]);
    // Spring and damper bear the same force.
    At {
        states: &[("s.x", 0.05)],
        ..at
    }
    .of("maxwell")
    .gives(&[
        ("slide.s''", -10.0 * 0.15 / 2.0),
        ("s.x'", 10.0 * 0.15 / 4.0),
        ("s.tension", 1.5),
    ]);
    let torque = 3.0 + 20.0 * (0.3 - 0.1) + 0.5 * (1.5 - 0.5);
    At {
        q: &[("a.q", 0.2), ("b.q", 0.5)],
        rates: &[("a.q", 0.5), ("b.q", 1.5)],
        ..At::default()
    }
    .of("torsion_spring")
    .gives(&[
        ("a.q''", torque),
        ("b.q''", -torque / 2.0),
        ("shaft.torque", -torque),
    ]);
}

#[test]
fn bushings_act_in_six_directions_and_on_both_bodies() {
    let params = [("M", 5.0), ("m", 2.0), ("A", 1.0), ("B", 1.0), ("C", 1.0)];
    // Displaced and moving without a rotation: e' = w/2.
    At {
        params: &params,
        q: &[
            ("flight.e0", 1.0),
            ("rail.s", 0.02),
            ("flight.x", 0.05),
            ("flight.y", 0.01),
            ("flight.z", -0.02),
        ],
        rates: &[
            ("rail.s", 0.1),
            ("flight.x", 0.3),
            ("flight.y", -0.2),
            ("flight.z", 0.4),
            ("flight.e1", 0.5),
            ("flight.e2", -0.25),
            ("flight.e3", 0.35),
        ],
        ..At::default()
    }
    .of("bushing")
    .gives(&[
        ("rail.s''", (100.0 * 0.03 + 0.2) / 5.0),
        ("flight.x''", -(100.0 * 0.03 + 0.2) / 2.0),
        ("flight.y''", -(200.0 * 0.01 - 2.0 * 0.2) / 2.0),
        ("flight.z''", -(-300.0 * 0.02 + 3.0 * 0.4) / 2.0),
        ("flight.wx'", -0.1),
        ("flight.wy'", 0.2 * 0.5),
        ("flight.wz'", -0.3 * 0.7),
        ("mount.force_z", 300.0 * 0.02 - 3.0 * 0.4),
        ("mount.torque_y", 0.2 * 0.5),
    ]);
    // Turned about one axis after the other: of the energy h sin^2/2 the torque is -h sin cos.
    let angle = 0.2_f64;
    let torque = |h: f64| -h * angle.sin() * angle.cos();
    for (e, w, h) in [("e1", "wx", 10.0), ("e2", "wy", 20.0), ("e3", "wz", 30.0)] {
        let (e, w) = (format!("flight.{e}"), format!("flight.{w}'"));
        At {
            params: &params,
            q: &[
                ("flight.e0", (angle / 2.0).cos()),
                (&e, (angle / 2.0).sin()),
            ],
            ..At::default()
        }
        .of("bushing")
        .gives(&[(&w, torque(h)), ("flight.x''", 0.0), ("rail.s''", 0.0)]);
    }
}

#[test]
fn tyres_slip_in_both_directions() {
    let (u, v, w, spin) = (20.0_f64, 1.0, 0.2, 70.0);
    let over = (u * u + 0.01).sqrt();
    let (drive, side) = (2e3 * (0.3 * spin - u) / over, -1e3 * v / over);
    At {
        rates: &[
            ("cart.x", u),
            ("cart.y", v),
            ("cart.q", w),
            ("tyre.phi", spin),
        ],
        inputs: &[("tau", 40.0)],
        ..At::default()
    }
    .of("rolling_tyre")
    .gives(&[
        ("cart.x''", drive / 100.0),
        ("cart.y''", side / 100.0),
        ("cart.q''", 0.0),
        ("tyre.phi''", (40.0 - 0.3 * drive) / 0.5),
        ("tyre.drive", drive),
        ("tyre.side", side),
    ]);
}

#[test]
fn cables_over_pulleys_wrap_on() {
    // Beyond half a turn, where a cable around a cylinder would have left it.
    let r = 0.05_f64;
    let blocked = 2.0 * (r / 0.2).acos();
    for q in [0.3_f64, 1.2, -2.0] {
        let wrapped = std::f64::consts::PI - q - blocked;
        let length = 2.0 * (0.04 - r * r).sqrt() + r * wrapped;
        let tension = 100.0 * (length - 0.3) - r * 1.5;
        let (pull, tension) = if length > 0.3 {
            (tension * r / 0.09, tension)
        } else {
            (0.0, 0.0)
        };
        At {
            q: &[("elbow.q", q)],
            rates: &[("elbow.q", 1.5)],
            ..At::default()
        }
        .of("wrap_pulley")
        .gives(&[
            ("rope.path", length),
            ("rope.contact_angle", wrapped),
            ("rope.tension", tension),
            ("elbow.q''", pull),
        ]);
    }
}

#[test]
fn cables_lie_against_what_is_in_their_way() {
    let (r, w) = (0.05_f64, 1.5);
    let free = (0.04_f64 - r * r).sqrt();
    let blocked = 2.0 * (r / 0.2).acos();
    let q = 0.3_f64;
    // Around a cylinder, its ends 0.02 m apart along the axis: straight where it is unrolled.
    let around = 2.0 * free + r * (std::f64::consts::PI - q - blocked);
    let length = around.hypot(0.02);
    let slope = -r * around / length;
    let tension = 100.0 * (length - 0.3) + slope * w;
    let at = At {
        q: &[("elbow.q", q)],
        rates: &[("elbow.q", w)],
        ..At::default()
    };
    at.of("wrap_cylinder").gives(&[
        ("cable.path", length),
        ("cable.tension", tension),
        ("cable.contact_angle", std::f64::consts::PI - q - blocked),
        ("elbow.q''", -tension * slope / 0.09),
    ]);
    // And straight past it.
    let q = 1.2_f64;
    let straight = ((0.2 * q.cos() + 0.2).powi(2) + (0.2 * q.sin()).powi(2) + 0.0004).sqrt();
    let slope = -0.04 * q.sin() / straight;
    let tension = 100.0 * (straight - 0.3) + slope * w;
    let at = At {
        q: &[("elbow.q", q)],
        ..at
    };
    at.of("wrap_cylinder").gives(&[
        ("cable.path", straight),
        ("cable.contact_angle", 0.0),
        ("elbow.q''", -tension * slope / 0.09),
    ]);
    // Around a sphere, in the plane of its centre and the ends.
    let q = 0.2_f64;
    let far = 0.2_f64.hypot(0.02);
    let blocked = (r / 0.2).acos() + (r / far).acos();
    let angle = std::f64::consts::PI - 0.1_f64.atan() - q - blocked;
    let length = free + (far * far - r * r).sqrt() + r * angle;
    let tension = 100.0 * (length - 0.3) - r * w;
    let at = At {
        q: &[("elbow.q", q)],
        ..at
    };
    at.of("wrap_sphere").gives(&[
        ("cable.path", length),
        ("cable.contact_angle", angle),
        ("elbow.q''", tension * r / 0.09),
    ]);
}

#[test]
fn what_is_wrong_with_a_part_is_told_at_its_use() {
    let told = |line: &str| {
        let text = format!(
            "model m\nparam l = 1 : m\n{line}\nparticle A: mass 1 [kg] at O + l*joint.frame.x\n"
        );
        let source = Source::gather("m.eom", &text, |_| Err("missing".into()));
        match eomgen::internals::input::read_source(&source, &[]) {
            Err(eomgen::Failure::Diagnostics(found)) => {
                eomgen::diagnostics::render_sources(&source.sources(), &found, false)
            }
            other => panic!("{other:?}"),
        }
    };
    let said = told("use \"std/revolute.eom\" as joint(base = N, at = O, axis = 2*l)");
    assert!(said.contains(" --> m.eom:3:5"), "{said}");
    assert!(
        said.contains("used here as `joint`") && said.contains("<std>/revolute.eom:"),
        "{said}"
    );
    let said = told("use \"std/revolut.eom\" as joint(base = N, at = O)");
    assert!(said.contains("did you mean `std/revolute.eom`?"), "{said}");
    let said = told("use \"std/revolute.eom\" as joint(base = N)");
    assert!(said.contains("needs the point `at`"), "{said}");
}
