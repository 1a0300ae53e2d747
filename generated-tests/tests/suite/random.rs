//! Machines that nobody wrote: drawn from a seed, evaluated beside an oracle that shares nothing with the library. The program
//! `random-machines` goes on where this stops, and compiles the modules too.

use generated_tests::random::expr::{Expr, axis, call, name, number, power, whole};
use generated_tests::random::machine::{Machine, Reaction, Statement, Turn};
use generated_tests::random::mistakes::spoiled;
use generated_tests::random::number::Real;
use generated_tests::random::oracle::{Expected, Oracle, State};
use generated_tests::random::record::{Judged, Record, Tally};
use generated_tests::random::report::reported;
use generated_tests::random::trial::{Case, Verdict};
use generated_tests::random::{draw, language};
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with the machines of these seeds, by `eval`.
fn wrong(seeds: impl Iterator<Item = u64>) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut agreed = 0;
    for seed in seeds {
        match Case::new(seed) {
            Ok(case) => {
                for verdict in case.evaluated() {
                    match verdict {
                        Verdict::Agree => agreed += 1,
                        Verdict::Wrong(text) => complaints.push(format!("seed {seed}: {text}")),
                        _ => {}
                    }
                }
            }
            Err(text) => complaints.push(format!("seed {seed}: the oracle cannot follow: {text}")),
        }
    }
    assert!(agreed > 0);
    complaints
}

/// Statements of a machine that is derived in no time: more than half of those that are drawn.
const SMALL: usize = 22;

/// The first seeds of small machines.
fn small() -> impl Iterator<Item = u64> {
    let small = |seed: &u64| draw::machine(*seed).statements.len() <= SMALL;
    (0..).filter(small)
}

#[test]
fn a_hundred_random_machines_move_as_the_oracle_says() {
    let complaints = wrong(small().take(100));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
#[ignore = "minutes: cargo test --workspace -- --include-ignored random"]
fn random_machines_of_any_size_move_as_the_oracle_says() {
    let complaints = wrong(0..200);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Degrees of freedom, ranks, rows, dependencies, rates, integrals and conserved quantities as `check` states them.
#[test]
fn what_check_says_of_random_machines_is_true() {
    let mut agreed = 0;
    for seed in small().step_by(10).take(10) {
        let case = Case::new(seed).unwrap();
        match reported(&case) {
            Verdict::Agree => agreed += 1,
            Verdict::Wrong(text) => panic!("seed {seed}: {text}"),
            _ => {}
        }
    }
    assert!(agreed > 5);
}

/// Texts with a mistake are models or have messages that point into them.
#[test]
fn mistakes_in_random_machines_are_told() {
    let mut met = BTreeSet::new();
    for seed in 0..12 {
        let verdict = spoiled(&draw::machine(seed), seed, &mut met);
        assert_eq!(verdict, Verdict::Agree, "seed {seed}");
    }
    // Syntax, names, types and statements.
    for area in ["E000", "E010", "E011", "E04"] {
        assert!(
            met.iter().any(|code| code.starts_with(area)),
            "{area}: {met:?}"
        );
    }
}

/// Logs say what was found; a machine counts once, and a line that was not written to its end does not.
#[test]
fn logs_are_added_up() {
    let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect();
    let record = Record {
        seed: 7,
        method: "kane".into(),
        features: vec!["tree".into()],
        words: words(&["coord", "sin"]),
        codes: words(&["N0314"]),
        verdicts: vec![
            Judged::new("module", &Verdict::Agree),
            Judged::new("derive", &Verdict::Refused("E0309".into())),
            Judged::new("check", &Verdict::Wrong("\"1\"\nin place of 2".into())),
        ],
        seconds: 0.25,
        mebibytes: 12.5,
    };
    let line = record.line();
    assert!(!line.contains('\n'));
    assert_eq!(Record::read(&line), Some(record.clone()));
    assert_eq!(Record::read(&line[..line.len() - 9]), None);
    let mut tally = Tally::default();
    tally.add(&record);
    tally.add(&record);
    assert_eq!(tally.seeds.len(), 1);
    assert_eq!(tally.checks["derive"]["refused E0309"], 1);
    assert_eq!(tally.features["tree"]["wrong"], 1);
    assert_eq!(tally.wrong.len(), 1);
    assert_eq!(tally.slowest, (0.25, 7));
}

/// The vocabulary is that of the manual, and most of it stands in a hundred machines.
#[test]
fn machines_use_the_language() {
    let vocabulary = language::vocabulary();
    for word in [
        "constraint",
        "opposite",
        "'",
        "<=",
        "contact_torus",
        "mrp",
        "atan2",
    ] {
        assert!(vocabulary.contains(word), "{word}");
    }
    assert!(!vocabulary.contains("expr"));
    let found = language::used("point P = O + x'*N.x", &vocabulary);
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, ["'", "*", "+", ".", "=", "point"]);
    let mut words = BTreeSet::new();
    for seed in 0..200 {
        words.extend(language::used(&draw::machine(seed).text(), &vocabulary));
    }
    // Not drawn are drawings, the other forms of `roll`, and what only parts and lists need.
    assert!(
        100 * words.len() > 75 * vocabulary.len(),
        "{} of {}: {words:?}",
        words.len(),
        vocabulary.len()
    );
}

fn param(name: &str, value: &str) -> Statement {
    Statement::Param {
        name: name.into(),
        value: value.into(),
        unit: String::new(),
        sign: None,
    }
}

fn coord(name: &str) -> Statement {
    Statement::Coord {
        name: name.into(),
        unit: "rad".into(),
        sign: None,
    }
}

fn turn(frame: &str, angle: Expr, about: Expr) -> Statement {
    Statement::Frame {
        name: frame.into(),
        parent: "N".into(),
        turn: Turn::About(angle, about),
    }
}

fn point(of: &str, place: Expr) -> Statement {
    Statement::Point {
        name: of.into(),
        place,
    }
}

fn solved(statements: Vec<Statement>, q: &[f64], v: &[f64]) -> Expected {
    let machine = Machine {
        statements,
        ..Machine::default()
    };
    let exact = |list: &[f64]| list.iter().map(|x| Real::of(*x)).collect();
    let state = State {
        t: 0.0,
        q: exact(q),
        v: exact(v),
        inputs: BTreeMap::new(),
    };
    let oracle = Oracle::new(&machine);
    let state = oracle.consistent(&state).unwrap().unwrap();
    oracle.solve(&state).unwrap()
}

fn near(found: f64, wanted: f64) {
    assert!(
        (found - wanted).abs() < 1e-13 * wanted.abs().max(1.0),
        "{found} in place of {wanted}"
    );
}

/// A pendulum of length 0.8 m under 9.81 m/s^2, its angle measured from the vertical: th'' = -g/l sin(th), and the rod pulls with
/// m (l th'^2 + g cos(th)).
#[test]
fn the_oracle_knows_a_pendulum() {
    let statements = vec![
        param("m", "1.3"),
        param("l", "0.8"),
        param("g", "9.81"),
        coord("th"),
        turn("B", name("th"), axis("N", 'z')),
        point("P", name("O") - name("l") * axis("B", 'y')),
        Statement::Particle {
            name: "A".into(),
            mass: name("m"),
            at: "P".into(),
        },
        Statement::Gravity(-name("g") * axis("N", 'y')),
        Statement::Reaction {
            name: "T".into(),
            what: Reaction::Definition("P".into(), axis("B", 'y')),
        },
    ];
    let found = solved(statements, &[0.7], &[1.1]);
    near(found.accelerations[0], -9.81 / 0.8 * 0.7_f64.sin());
    let tension = 1.3 * (0.8 * 1.1 * 1.1 + 9.81 * 0.7_f64.cos());
    near(found.outputs["T"][0], tension);
    near(found.kinetic, 0.5 * 1.3 * (0.8 * 1.1_f64).powi(2));
}

/// The same as a particle on a rod: the multiplier of the distance is minus the tension. Twice the row makes each half as large, the second
/// one by its factor: (1, 2)/5 of the whole.
#[test]
fn the_oracle_shares_a_force_among_dependent_rows() {
    let row = |of: &str, left: Expr, right: Expr| Statement::Constraint {
        name: of.into(),
        left,
        right,
        vector: false,
        within: None,
    };
    let length = || call("distance", [name("O"), name("P")]);
    let statements = vec![
        param("m", "1.3"),
        param("l", "0.8"),
        param("g", "9.81"),
        coord("x"),
        coord("y"),
        point(
            "P",
            name("O") + name("x") * axis("N", 'x') + name("y") * axis("N", 'y'),
        ),
        Statement::Particle {
            name: "A".into(),
            mass: name("m"),
            at: "P".into(),
        },
        Statement::Gravity(-name("g") * axis("N", 'y')),
        row("rod", length(), name("l")),
        row("again", whole(2) * length(), whole(2) * name("l")),
        Statement::Output {
            name: "at_bob".into(),
            value: call("reaction", [name("rod"), name("P")]),
        },
        Statement::Output {
            name: "again_at_bob".into(),
            value: call("reaction", [name("again"), name("P")]),
        },
    ];
    let (s, c) = 0.7_f64.sin_cos();
    let found = solved(
        statements,
        &[0.8 * s, -0.8 * c],
        &[0.8 * 1.1 * c, 0.8 * 1.1 * s],
    );
    let tension = 1.3 * (0.8 * 1.1 * 1.1 + 9.81 * c);
    near(found.multipliers[0].1, -tension / 5.0);
    near(found.multipliers[1].1, -2.0 * tension / 5.0);
    // At the bob both together pull with the tension.
    let pull = [0, 1].map(|i| found.outputs["at_bob"][i] + found.outputs["again_at_bob"][i]);
    near(pull[0], -tension * s);
    near(pull[1], tension * c);
}

/// A solid ball rolls down an incline with 5/7 g sin(alpha), whatever its orientation.
#[test]
fn the_oracle_rolls_a_ball_down_an_incline() {
    let two_fifths = whole(2) * name("m") * power(name("r"), "2") / whole(5);
    let statements = vec![
        param("m", "0.6"),
        param("r", "0.2"),
        param("g", "9.81"),
        param("alpha", "0.3"),
        coord("x"),
        coord("y"),
        coord("e0"),
        coord("e1"),
        coord("e2"),
        coord("e3"),
        turn("T", name("alpha"), axis("N", 'y')),
        Statement::Frame {
            name: "B".into(),
            parent: "N".into(),
            turn: Turn::Quaternion(["e0", "e1", "e2", "e3"].map(str::to_owned)),
        },
        point(
            "C",
            name("O")
                + name("x") * axis("T", 'x')
                + name("y") * axis("T", 'y')
                + name("r") * axis("T", 'z'),
        ),
        Statement::Body {
            name: "ball".into(),
            frame: "B".into(),
            mass: name("m"),
            center: "C".into(),
            inertia: vec![two_fifths],
            about: None,
            within: None,
        },
        Statement::Gravity(-name("g") * axis("N", 'z')),
        point(
            "P",
            call("contact_sphere", [name("C"), name("r"), axis("T", 'z')]),
        ),
        Statement::Constraint {
            name: "roll".into(),
            left: call("vel_at", [name("ball"), name("P")]),
            right: number("0"),
            vector: true,
            within: None,
        },
    ];
    let found = solved(
        statements,
        &[0.1, 0.2, 0.5, 0.5, 0.5, 0.5],
        &[0.4, -0.3, 0.1, 0.2, 0.3, -0.6],
    );
    near(found.accelerations[0], 5.0 / 7.0 * 9.81 * 0.3_f64.sin());
    near(found.accelerations[1], 0.0);
}
