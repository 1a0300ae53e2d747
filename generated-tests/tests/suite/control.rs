//! The recipes of docs/control.md: an estimator, a regulator and a trajectory around the linear model of a module. The manual shows the text of this file.
#![cfg(feature = "generated")]

use nalgebra::{Cholesky, SMatrix, SVector, Vector4};

#[path = "../../src/variants/furuta_control.rs"]
mod furuta;
#[path = "../../src/variants/furuta_control_f32.rs"]
mod furuta_f32;

type M4 = SMatrix<f64, 4, 4>;

/// Arm and pendulum, from hanging, and their rates.
fn torque(tau1: f64) -> furuta::Inputs {
    furuta::Inputs { tau1, tau2: 0.0 }
}

/// An estimate and its covariance.
struct Estimate {
    x: Vector4<f64>,
    p: M4,
}

impl Estimate {
    /// Over a step with a constant torque: the state by the linear model along it, the covariance by the same matrix.
    fn predict(&mut self, model: &furuta::Model, tau: f64, dt: f64, noise: &M4) {
        let step = model.discretized(0.0, self.x.as_ref(), dt, &torque(tau));
        let f = M4::from_fn(|i, j| step[i][1 + j]);
        self.x += Vector4::from_fn(|i, _| step[i][0]);
        self.p = f * self.p * f.transpose() + noise;
    }

    /// By the two angles that encoders read; what is returned is the square of the surprise beside what was to be expected.
    fn correct(&mut self, read: SVector<f64, 2>, variance: f64) -> Option<f64> {
        let h = SMatrix::<f64, 2, 4>::identity();
        let s = h * self.p * h.transpose() + variance * SMatrix::<f64, 2, 2>::identity();
        let s = Cholesky::new(s)?;
        let surprise = read - h * self.x;
        let gain = self.p * h.transpose() * s.inverse();
        self.x += gain * surprise;
        // Joseph's form keeps it symmetric and positive.
        let left = M4::identity() - gain * h;
        self.p = left * self.p * left.transpose() + variance * gain * gain.transpose();
        Some(surprise.dot(&s.solve(&surprise)))
    }
}

/// One step of the classical Runge-Kutta method.
fn step(model: &furuta::Model, x: Vector4<f64>, tau: f64, dt: f64) -> Vector4<f64> {
    let rate = |x: Vector4<f64>| Vector4::from(model.derivative(0.0, x.as_ref(), &torque(tau)));
    let a = rate(x);
    let b = rate(x + 0.5 * dt * a);
    let c = rate(x + 0.5 * dt * b);
    let d = rate(x + dt * c);
    x + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
}

/// Numbers of mean 0 and variance 1, the same in each run: sums of twelve that are equally distributed.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            sum += (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        }
        sum
    }
}

/// Of a filter that knows how good it is, the squares of its surprises are 2 on average, as many as there are readings.
#[test]
fn the_estimator_finds_the_state_and_knows_how_well() {
    let model = furuta::Model::new(&furuta::Params::default());
    let (dt, deviation) = (1e-3, 2e-3);
    let mut noise = Noise(7);
    let mut x = Vector4::new(0.0, 1.2, 0.0, 0.0);
    let mut estimate = Estimate {
        x: Vector4::new(0.2, 0.9, 0.5, -0.5),
        p: M4::from_diagonal(&Vector4::new(0.1, 0.1, 1.0, 1.0)),
    };
    let none = M4::zeros();
    let (mut surprises, mut count) = (0.0, 0);
    for k in 0..4000 {
        let tau = 0.02 * (3e-3 * f64::from(k)).sin();
        x = step(&model, x, tau, dt);
        estimate.predict(&model, tau, dt, &none);
        let read = SVector::<f64, 2>::from_fn(|i, _| x[i] + deviation * noise.next());
        let surprise = estimate.correct(read, deviation * deviation).unwrap();
        if k >= 500 {
            surprises += surprise;
            count += 1;
        }
    }
    let mean = surprises / f64::from(count);
    // 3500 of them deviate by 2/sqrt(3500) = 0.034.
    assert!((mean - 2.0).abs() < 0.15, "{mean}");
    let off = x - estimate.x;
    assert!(off.fixed_rows::<2>(0).norm() < deviation, "{off}");
    assert!(off.fixed_rows::<2>(2).norm() < 10.0 * deviation, "{off}");
}

type M4f = SMatrix<f32, 4, 4>;

/// The gain `K` of `u = -K (x - x0)` with the least sum of `x' Q x + r u^2` for a sampled model, by structure-preserving doubling (E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, C.-S. Wang, Int. J. Control 77 (2004) 767-788).
fn regulator(a: &M4f, b: &SVector<f32, 4>, q: &M4f, r: f32) -> Option<SVector<f32, 4>> {
    let (mut f, mut g, mut h) = (*a, b * b.transpose() / r, *q);
    for _ in 0..30 {
        let w = (M4f::identity() + g * h).try_inverse()?;
        let next = h + f.transpose() * h * w * f;
        g += f * w * g * f.transpose();
        f = f * w * f;
        let change = (next - h).norm();
        h = 0.5 * (next + next.transpose());
        if change <= 1e-5 * h.norm() {
            break;
        }
    }
    let weighed = h * b;
    Some((a.transpose() * weighed) / (r + b.dot(&weighed)))
}

/// The regulator of an operating point, with all that it needs at hand: nothing is allocated, neither here nor in its steps.
struct Regulator {
    around: SVector<f32, 4>,
    gain: SVector<f32, 4>,
}

impl Regulator {
    fn at(model: &furuta_f32::Model, around: [f32; 4], dt: f32) -> Option<Self> {
        let still = furuta_f32::Inputs {
            tau1: 0.0,
            tau2: 0.0,
        };
        let step = model.discretized(0.0, &around, dt, &still);
        let a = M4f::from_fn(|i, j| step[i][1 + j]);
        let b = SVector::<f32, 4>::from_fn(|i, _| step[i][5]);
        let q = M4f::from_diagonal(&SVector::<f32, 4>::new(1.0, 1.0, 0.1, 0.1));
        Some(Self {
            around: around.into(),
            gain: regulator(&a, &b, &q, 100.0)?,
        })
    }

    /// The torque of the next millisecond.
    fn torque(&self, x: &[f32; 4]) -> f32 {
        let off = SVector::from(*x) - self.around;
        (-self.gain.dot(&off)).clamp(-1.0, 1.0)
    }
}

/// Upright again from 10 degrees beside, in a simulation with all digits, with less cost than the gains beside it lead to.
#[test]
fn the_regulator_holds_the_pendulum_upright() {
    let dt = 1e-3_f32;
    let model = furuta_f32::Model::new(&furuta_f32::Params::default());
    let upright = [0.0, std::f32::consts::PI, 0.0, 0.0];
    let regulator = Regulator::at(&model, upright, dt).unwrap();
    let plant = furuta::Model::new(&furuta::Params::default());
    let start = Vector4::new(0.0, std::f64::consts::PI + 0.17, 0.0, 0.0);
    let mut x = start;
    for _ in 0..10_000 {
        let tau = regulator.torque(&x.data.0[0].map(|x| x as f32));
        x = step(&plant, x, f64::from(tau), f64::from(dt));
    }
    let off = x - Vector4::new(0.0, std::f64::consts::PI, 0.0, 0.0);
    assert!(off.norm() < 2e-2, "{off}");
    // The linear model's cost, which the gain makes least.
    let sampled = plant.discretized(0.0, &upright.map(f64::from), f64::from(dt), &torque(0.0));
    let cost = |gain: Vector4<f64>| {
        let mut x = Vector4::new(0.1, 0.1, 0.0, 0.0);
        let mut sum = 0.0;
        for _ in 0..20_000 {
            let u = -gain.dot(&x);
            sum += x[0] * x[0] + x[1] * x[1] + 0.1 * (x[2] * x[2] + x[3] * x[3]) + 100.0 * u * u;
            x = Vector4::from_fn(|i, _| {
                let own: f64 = (0..4).map(|j| sampled[i][1 + j] * x[j]).sum();
                own + sampled[i][5] * u
            });
        }
        sum
    };
    let gain = regulator.gain.map(f64::from);
    let least = cost(gain);
    for i in 0..4 {
        for factor in [0.9, 1.1] {
            let mut other = gain;
            other[i] *= factor;
            assert!(cost(other) > least, "{i} {factor}");
        }
    }
}

/// Knots of a trajectory, and how long a torque lasts.
const KNOTS: usize = 150;
const STEP: f64 = 0.01;

/// A trajectory with the torques that make it.
struct Trajectory {
    x: [Vector4<f64>; KNOTS + 1],
    tau: [f64; KNOTS],
}

/// Upright at the end, with small torques.
fn cost(of: &Trajectory) -> f64 {
    let torques: f64 = of.tau.iter().map(|tau| tau * tau).sum();
    let off = of.x[KNOTS] - goal();
    STEP * torques + 5.0 * off.norm_squared()
}

fn goal() -> Vector4<f64> {
    Vector4::new(0.0, std::f64::consts::PI, 0.0, 0.0)
}

/// Runs torques, with corrections for where the state is, through the equations as they are.
fn run(
    model: &furuta::Model,
    old: &Trajectory,
    change: &[(f64, Vector4<f64>); KNOTS],
    share: f64,
) -> Trajectory {
    let (mut x, mut tau) = (old.x, old.tau);
    for k in 0..KNOTS {
        let (open, gain) = change[k];
        tau[k] += share * open + gain.dot(&(x[k] - old.x[k]));
        // Steps within a knot, so that the trajectory is that of the machine.
        x[k + 1] = (0..4).fold(x[k], |x, _| step(model, x, tau[k], STEP / 4.0));
    }
    Trajectory { x, tau }
}

/// What the state after each knot is by the state and the torque before it. The linear models of all knots are taken in one batch; over the short time of a knot
/// the series of the exponential needs three terms.
fn models(model: &furuta::Model, of: &Trajectory) -> [(M4, Vector4<f64>); KNOTS] {
    let columns: [[f64; KNOTS]; 4] =
        std::array::from_fn(|entry| std::array::from_fn(|k| of.x[k][entry]));
    let states = columns.each_ref().map(|column| &column[..]);
    // f, the derivatives by four entries of the state, and those by both torques; row by row.
    let mut found = [[0.0; KNOTS]; 4 * 7];
    let mut out = found.each_mut().map(|column| &mut column[..]);
    furuta::linearization_reduced_batch(model, &[0.0], &states, &[&of.tau[..], &[0.0]], &mut out)
        .expect("columns of one length");
    std::array::from_fn(|k| {
        let a = M4::from_fn(|i, j| STEP * found[7 * i + 1 + j][k]);
        let b = Vector4::from_fn(|i, _| STEP * found[7 * i + 5][k]);
        let one = M4::identity();
        let sum = one + a / 2.0 + a * a / 6.0;
        (one + a * sum, sum * b)
    })
}

/// The changes of the torques that are best for the linear models along a trajectory, backward from its end.
fn changes(model: &furuta::Model, of: &Trajectory) -> [(f64, Vector4<f64>); KNOTS] {
    let models = models(model, of);
    let mut value = (10.0 * (of.x[KNOTS] - goal()), 10.0 * M4::identity());
    let mut list = [(0.0, Vector4::zeros()); KNOTS];
    for k in (0..KNOTS).rev() {
        let (a, b) = models[k];
        let (slope, bend) = value;
        let by_u = 2.0 * STEP * of.tau[k] + b.dot(&slope);
        let by_uu = 2.0 * STEP + b.dot(&(bend * b));
        let by_ux = a.transpose() * (bend * b);
        let (open, gain) = (-by_u / by_uu, -by_ux / by_uu);
        list[k] = (open, gain);
        let next = a.transpose() * bend * a + gain * by_ux.transpose();
        value = (
            a.transpose() * slope + by_u * gain,
            0.5 * (next + next.transpose()),
        );
    }
    list
}

/// iLQR: shares of the change are tried until the cost falls.
fn improved(model: &furuta::Model, mut best: Trajectory) -> Trajectory {
    for _ in 0..60 {
        let change = changes(model, &best);
        let shares = (0..12).map(|n| 0.5_f64.powi(n));
        let better = shares
            .map(|share| run(model, &best, &change, share))
            .find(|other| cost(other) < (1.0 - 1e-7) * cost(&best));
        match better {
            Some(other) => best = other,
            None => break,
        }
    }
    best
}

/// The pendulum is swung up; at an optimum no torque is worth changing, as differences of the cost say.
#[test]
fn a_trajectory_swings_the_pendulum_up() {
    let model = furuta::Model::new(&furuta::Params::default());
    let none = [(0.0, Vector4::zeros()); KNOTS];
    let start = Trajectory {
        x: [Vector4::zeros(); KNOTS + 1],
        tau: std::array::from_fn(|k| 0.02 * (0.1 * k as f64).sin()),
    };
    let start = run(&model, &start, &none, 1.0);
    let found = improved(&model, start);
    let off = found.x[KNOTS] - goal();
    assert!(off.norm() < 0.1, "{off}");
    let slope = |k: usize| {
        let moved = |by: f64| {
            let mut other = none;
            other[k].0 = by;
            cost(&run(&model, &found, &other, 1.0))
        };
        (moved(1e-4) - moved(-1e-4)) / 2e-4
    };
    for k in [0, 40, 90, KNOTS - 1] {
        assert!(slope(k).abs() < 0.05, "{k}: {}", slope(k));
    }
}

/// The manual's code is this file's.
#[test]
fn the_manual_shows_what_is_compiled_here() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let here = words(include_str!("control.rs"));
    let manual = include_str!("../../../docs/control.md").replace("\r\n", "\n");
    let blocks: Vec<&str> = manual.split("```rust,ignore\n").skip(1).collect();
    assert!(blocks.len() >= 3, "{}", blocks.len());
    for block in blocks {
        let block = block.split("```").next().unwrap();
        assert!(here.contains(&words(block)), "{block}");
    }
}
