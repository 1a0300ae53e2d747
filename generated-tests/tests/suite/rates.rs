//! Rates from declared speeds: platforms and legs in rotated frames, whose velocities are computed here by hand at random and at special
//! poses. The rates fail exactly where the determinant of the kinematics vanishes, and elsewhere they and the accelerations are right.
#![cfg(feature = "pipeline")]

use eomgen::options::DeriveOptions;
use eomgen::{EvalInput, Source};
use generated_tests::memo;
use generated_tests::oracle::is_thorough;
use generated_tests::samples::Random;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;

type V = [f64; 3];
/// Columns are the axes.
type R = [V; 3];

const IDENTITY: R = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

fn add(a: V, b: V, factor: f64) -> V {
    [0, 1, 2].map(|i| a[i] + factor * b[i])
}

/// Turned about a unit vector (Rodrigues' formula).
fn turned(r: &R, axis: V, angle: f64) -> R {
    let (s, c) = angle.sin_cos();
    r.map(|v| {
        let along = dot(axis, v) * (1.0 - c);
        add(add(v.map(|x| x * c), cross(axis, v), s), axis, along)
    })
}

/// A rotation by several angles.
#[derive(Clone)]
struct Sequence {
    space: bool,
    axes: Vec<usize>,
}

impl Sequence {
    fn text(&self, parent: &str, angles: &str) -> String {
        let letters: String = self.axes.iter().map(|a| ["x", "y", "z"][*a]).collect();
        let how = if self.space { "space" } else { "body" };
        format!("rotate_{how}({parent}, {letters}, {angles})")
    }

    /// The frame, and the axis in space of each angle.
    fn place(&self, parent: &R, angles: &[f64]) -> (R, Vec<V>) {
        let mut r = *parent;
        let mut axes = vec![[0.0; 3]; angles.len()];
        // About axes of the parent: the last turn first, each then about an axis of its own.
        let order: Vec<usize> = if self.space {
            (0..angles.len()).rev().collect()
        } else {
            (0..angles.len()).collect()
        };
        for i in order {
            axes[i] = r[self.axes[i]];
            r = turned(&r, axes[i], angles[i]);
        }
        (r, axes)
    }
}

/// A platform with three coordinates of place and three angles, and a leg of two angles and a length that ends on it.
struct Machine {
    platform: Sequence,
    leg: Sequence,
    /// The leg's base is turned by a constant and a parameter about this axis.
    about: usize,
    degrees: i32,
    along: usize,
    on: usize,
    /// Whether the components of the velocity, and of the angular velocity, are those in the platform.
    moving: [bool; 2],
    /// The order of the speeds.
    order: Vec<usize>,
    declared: bool,
}

/// Numbers of one pose.
struct Pose {
    foot: V,
    turn: f64,
    reach: f64,
    angles: [f64; 5],
    length: f64,
}

const COORDINATES: [&str; 9] = ["x", "y", "z", "a1", "a2", "a3", "b1", "b2", "s"];

fn pick<T: Copy>(random: &mut Random, list: &[T]) -> T {
    let at = (random.number() + 1.0) / 2.0 * list.len() as f64;
    list[(at as usize).min(list.len() - 1)]
}

impl Machine {
    fn draw(random: &mut Random) -> Self {
        let three = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
            [0, 1, 0],
            [0, 2, 0],
            [1, 0, 1],
            [1, 2, 1],
            [2, 0, 2],
            [2, 1, 2],
        ];
        let two = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];
        let coin = |random: &mut Random| random.number() > 0.0;
        let mut order: Vec<usize> = (0..6).collect();
        for k in (1..6).rev() {
            order.swap(k, pick(random, &[0, 1, 2, 3, 4, 5][..=k]));
        }
        let platform = Sequence {
            space: coin(random),
            axes: pick(random, &three).to_vec(),
        };
        let leg = Sequence {
            space: coin(random),
            axes: pick(random, &two).to_vec(),
        };
        // Not the axis that the last turn leaves alone: one of the angles would move nothing.
        let idle = leg.axes[usize::from(!leg.space)];
        let along = (idle + pick(random, &[1, 2])) % 3;
        Self {
            platform,
            leg,
            about: pick(random, &[0, 1, 2]),
            degrees: pick(random, &[0, 30, 45, 90, 120, 180, -120]),
            along,
            on: pick(random, &[0, 1, 2]),
            moving: [coin(random), coin(random)],
            order,
            declared: true,
        }
    }

    fn text(&self) -> String {
        let axis = |i: usize| ["x", "y", "z"][i];
        let mut text = String::from(
            "model leg\nparam fx, fy, fz : m\nparam turn : rad\nparam reach : m > 0\ncoord x, y, z : m\n\
             coord a1, a2, a3, b1, b2 : rad\ncoord s = 0.9 : m > 0\n",
        );
        let parts = [
            format!("frame B = {}", self.platform.text("N", "a1, a2, a3")),
            format!("frame U = rotate(N, {} [deg] + turn, N.{})", self.degrees, axis(self.about)),
            format!("frame L = {}", self.leg.text("U", "b1, b2")),
            "point P = O + x*N.x + y*N.y + z*N.z".into(),
            "point F = O + fx*N.x + fy*N.y + fz*N.z".into(),
            format!("point E = F + s*L.{}", axis(self.along)),
            "body platform: frame B, mass 3 [kg], center P, inertia [0.2 [kg*m^2], 0.3 [kg*m^2], 0.4 [kg*m^2]]".into(),
            "body leg: frame L, mass 1 [kg], center E, inertia [0.1 [kg*m^2], 0.15 [kg*m^2], 0.12 [kg*m^2]]".into(),
            "gravity: -9.81 [m/s^2]*N.z".into(),
            format!("constraint ball: E = P + reach*B.{}", axis(self.on)),
        ];
        text.push_str(&parts.join("\n"));
        text.push('\n');
        for k in self.order.iter().filter(|_| self.declared) {
            let (what, moving) = [("vel(P)", self.moving[0]), ("angvel(B)", self.moving[1])][k / 3];
            let frame = if moving { "B" } else { "N" };
            writeln!(text, "speed u{k} = dot({what}, {frame}.{})", axis(k % 3)).unwrap();
        }
        text
    }

    /// The rows of the rates of the speeds, in the order of their numbers, and of the constraint; and the place of P.
    fn kinematics(&self, pose: &Pose) -> (Vec<[f64; 9]>, V) {
        let (b, turns) = self.platform.place(&IDENTITY, &pose.angles[..3]);
        let base = turned(
            &IDENTITY,
            IDENTITY[self.about],
            f64::from(self.degrees).to_radians() + pose.turn,
        );
        let (l, tilts) = self.leg.place(&base, &pose.angles[3..]);
        let mut rows = Vec::new();
        for (moving, of_place) in self.moving.iter().zip([true, false]) {
            let frame = if *moving { b } else { IDENTITY };
            for axis in frame {
                let mut row = [0.0; 9];
                for k in 0..3 {
                    row[if of_place { k } else { 3 + k }] = if of_place {
                        axis[k]
                    } else {
                        dot(axis, turns[k])
                    };
                }
                rows.push(row);
            }
        }
        let leg = l[self.along].map(|x| x * pose.length);
        let arm = b[self.on].map(|x| x * pose.reach);
        for i in 0..3 {
            let mut row = [0.0; 9];
            row[i] = -1.0;
            for k in 0..3 {
                row[3 + k] = -cross(turns[k], arm)[i];
            }
            for k in 0..2 {
                row[6 + k] = cross(tilts[k], leg)[i];
            }
            row[8] = l[self.along][i];
            rows.push(row);
        }
        (rows, add(add(pose.foot, leg, 1.0), arm, -1.0))
    }
}

fn determinant(mut m: Vec<[f64; 9]>) -> f64 {
    let mut product = 1.0;
    for k in 0..m.len() {
        let best = (k..m.len())
            .max_by(|i, j| m[*i][k].abs().total_cmp(&m[*j][k].abs()))
            .unwrap();
        m.swap(k, best);
        product *= m[k][k];
        if m[k][k] == 0.0 {
            return 0.0;
        }
        for i in k + 1..m.len() {
            let factor = m[i][k] / m[k][k];
            for j in k..9 {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    product
}

fn input(pose: &Pose, place: V, rates: &[f64; 9]) -> EvalInput {
    let named = |names: &[&str], values: &[f64]| {
        names
            .iter()
            .map(|n| (*n).to_owned())
            .zip(values.iter().copied())
            .collect()
    };
    let mut q = place.to_vec();
    q.extend(pose.angles);
    q.push(pose.length);
    let [fx, fy, fz] = pose.foot;
    EvalInput {
        params: named(
            &["fx", "fy", "fz", "turn", "reach"],
            &[fx, fy, fz, pose.turn, pose.reach],
        ),
        q: named(&COORDINATES, &q),
        qdot: Some(named(&COORDINATES, rates)),
        ..EvalInput::default()
    }
}

/// Poses at and beside those at which angles are zero or right.
fn poses(random: &mut Random, count: usize) -> Vec<Pose> {
    let angle = |random: &mut Random, special: bool| match special {
        true => pick(random, &[0.0, 0.0, FRAC_PI_2, -FRAC_PI_2, 2.0 * FRAC_PI_2]),
        false => 1.4 * random.number(),
    };
    let mut list = Vec::new();
    for k in 0..count {
        let draw = |random: &mut Random| {
            let special = k > 1 && random.number() > -0.5;
            if k == 0 { 0.0 } else { angle(random, special) }
        };
        list.push(Pose {
            foot: [0, 1, 2].map(|_| random.number()),
            turn: if k % 3 == 2 { 0.0 } else { random.number() },
            reach: 0.3,
            angles: [0; 5].map(|_| draw(random)),
            length: 0.9 + 0.2 * random.number(),
        });
    }
    list
}

/// How many poses were regular, and how many singular.
fn compare(random: &mut Random, count: usize) -> (usize, usize) {
    let mut machine = Machine::draw(random);
    let text = machine.text();
    let source = Source::new("leg.eom", &text);
    let by_speeds = memo::evaluator(&source, &DeriveOptions::default()).unwrap();
    machine.declared = false;
    let plain = Source::new("leg.eom", &machine.text());
    let options = DeriveOptions {
        method: Some("lagrange".into()),
        ..DeriveOptions::default()
    };
    let by_rates = memo::evaluator(&plain, &options).unwrap();
    let (mut regular, mut singular) = (0, 0);
    for pose in poses(random, count) {
        let (rows, place) = machine.kinematics(&pose);
        // Any rates of the angles and of the length are those of some motion of P.
        let mut rates = [0.0; 9];
        rates[3..].copy_from_slice(&random.take(6));
        for i in 0..3 {
            rates[i] = (3..9).map(|k| rows[6 + i][k] * rates[k]).sum();
        }
        let at = format!(
            "{:?} {:?} at {:?}, {}\n{text}",
            machine.moving, machine.order, pose.angles, pose.turn
        );
        let given = input(&pose, place, &rates);
        let found = by_speeds.functions(&given).unwrap();
        let of = |name: &str| &found.iter().find(|f| f.0 == name).expect(name).1;
        let d = determinant(rows).abs();
        if d < 1e-12 {
            assert!(of("rates").is_err(), "singular, but there are rates: {at}");
            singular += 1;
            continue;
        }
        if d < 1e-3 {
            continue;
        }
        regular += 1;
        let back = of("rates")
            .as_ref()
            .unwrap_or_else(|e| panic!("regular ({d}), but {e:?}: {at}"));
        for (x, y) in back.iter().zip(&rates) {
            assert!((x - y).abs() < 1e-10, "{back:?} for {rates:?}: {at}");
        }
        let accelerations = by_speeds
            .eval(&given)
            .unwrap_or_else(|e| panic!("regular, but {e:?}: {at}"))
            .qddot;
        if let Ok(other) = by_rates.eval(&given) {
            for ((_, x), (_, y)) in accelerations.iter().zip(&other.qddot) {
                assert!(
                    (x - y).abs() < 1e-7 * (1.0 + y.abs()),
                    "{accelerations:?}, {other:?}: {at}"
                );
            }
        }
    }
    (regular, singular)
}

#[test]
fn rates_fail_exactly_where_the_kinematics_are_singular() {
    let mut random = Random::default();
    let (mut regular, mut singular) = (0, 0);
    for _ in 0..if is_thorough() { 60 } else { 3 } {
        let (r, s) = compare(&mut random, 20);
        (regular, singular) = (regular + r, singular + s);
    }
    assert!(
        regular > 15 && singular > 2,
        "{regular} regular poses, {singular} singular ones"
    );
}

/// n four-bars in a row, each driven by the one before it.
fn bars(n: usize) -> String {
    let mut text = String::from(
        "model bars\nparam l1 = 0.1, l2 = 0.3, l3 = 0.25, d = 0.35\ngravity: -9.81*N.y\n",
    );
    for i in 0..n {
        let frames = ["A", "B", "C"]
            .map(|f| format!("frame {f}{i} = rotate(N, {}{i}, N.z)\n", f.to_lowercase()));
        write!(
            text,
            "coord a{i}, b{i}, c{i}\n{}point G{i} = O + {i}*d*N.x\npoint H{i} = G{i} + d*N.x\npoint P{i} = G{i} + l1*A{i}.x\n\
             point Q{i} = P{i} + l2*B{i}.x\nbody crank{i}: frame A{i}, mass 1, center P{i}, inertia [0.01, 0.01, 0.01]\n\
             body coupler{i}: frame B{i}, mass 1, center Q{i}, inertia [0.01, 0.01, 0.01]\n\
             constraint x{i}: dot(Q{i} - H{i} - l3*C{i}.x, N.x) = 0\nconstraint y{i}: dot(Q{i} - H{i} - l3*C{i}.x, N.y) = 0\n",
            frames.concat()
        )
        .unwrap();
        if i > 0 {
            writeln!(text, "constraint gear{i}: a{i} = c{}", i - 1).unwrap();
        }
    }
    text + "privileged a0'\n"
}

#[test]
fn one_crank_drives_many_four_bars() {
    for n in if is_thorough() {
        vec![2, 3, 6, 10, 12, 16]
    } else {
        vec![10]
    } {
        let evaluator = memo::evaluator(
            &Source::new("bars.eom", &bars(n)),
            &DeriveOptions::default(),
        );
        let conditions = evaluator.unwrap().conditions();
        // The coupler in line with the rocker, once for each.
        let lines = conditions
            .iter()
            .filter(|c| c.starts_with("sin(b") || c.starts_with("-sin(b"));
        assert_eq!(lines.count(), n, "{conditions:?}");
    }
}
