//! What a motion has to keep: energy against work, constraints, momenta, distance from singular states.

use serde::Serialize;

use super::Settings;
use super::drift::Drift;
use super::record::values;
use crate::ir::tape::Runner;
use crate::machine::Mechanism;

/// The largest or least of something, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Extreme {
    /// Of what.
    pub name: String,
    /// How much.
    pub value: f64,
    /// When.
    pub time: f64,
}

/// Energy against work.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Balanced {
    /// Change of the kinetic energy.
    pub kinetic: f64,
    /// Change of the potential energy, if there is one.
    pub potential: Option<f64>,
    /// Work of the forces, by kind.
    pub work: Vec<(String, f64)>,
    /// Change of the kinetic energy less all work, at its largest.
    pub defect: f64,
    /// What tolerances explain.
    pub explained: f64,
    /// Whether the defect is within that.
    pub holds: bool,
}

/// What was found along a motion.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Audit {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Evaluations of the accelerations.
    pub evaluations: usize,
    /// Steps of the implicit method among those accepted.
    pub implicit_steps: usize,
    /// States that were moved to the constraints.
    pub projected: usize,
    /// Energy against work; `None` where it is not compared.
    pub balance: Option<Balanced>,
    /// Why it is not compared.
    pub no_balance_because: Option<String>,
    /// The largest residual of each level: as stated, and as conditions on velocities.
    pub residuals: Vec<Extreme>,
    /// The largest change of each quantity that is constant.
    pub conserved: Vec<Extreme>,
    /// The least distance from each condition that can fail, 0 being singular, if it came below a hundredth.
    pub singular: Vec<Extreme>,
}

/// Nodes and weights of Gauss and Legendre on an interval from 0 to 1: exact up to degree 9.
const NODES: [(f64, f64); 5] = [
    (0.046_910_077_030_668, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_6, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

/// How much of the tolerances' sum a balance may use.
const MARGIN: f64 = 5.0;

/// Follows a motion.
pub(super) struct Auditor<'m> {
    kinetic: Runner<'m>,
    potential: Option<Runner<'m>>,
    mass: Option<Runner<'m>>,
    rates: Runner<'m>,
    forces: Vec<Runner<'m>>,
    closeness: Option<Runner<'m>>,
    start: (f64, Option<f64>),
    work: Vec<f64>,
    momenta: Vec<f64>,
    least: Vec<(f64, f64)>,
    allowed: f64,
    largest_energy: f64,
    pub audit: Audit,
}

impl<'m> Auditor<'m> {
    /// From a state on.
    pub fn new(mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> Self {
        let machine = mechanism.machine;
        let balance = &machine.balance;
        let forces = balance.forces.iter().map(|f| mechanism.runner(&f.1));
        let mut auditor = Self {
            kinetic: mechanism.runner(&balance.kinetic),
            potential: balance.potential.as_ref().map(|v| mechanism.runner(v)),
            mass: balance.mass.as_ref().map(|m| mechanism.runner(m)),
            rates: mechanism.runner(&machine.rates),
            forces: forces.collect(),
            closeness: machine.closeness.as_ref().map(|c| mechanism.runner(c)),
            start: (0.0, None),
            work: vec![0.0; balance.forces.len()],
            momenta: Vec::new(),
            least: vec![(f64::INFINITY, t); machine.closeness_of.len()],
            allowed: 0.0,
            largest_energy: 0.0,
            audit: Audit::default(),
        };
        auditor.start = auditor.energies(mechanism, t, x);
        auditor.audit.no_balance_because = auditor.why_not(mechanism, t, x);
        if auditor.audit.no_balance_because.is_none() {
            auditor.audit.balance = Some(Balanced::default());
            auditor.momenta = auditor.momenta(mechanism, t, x);
            let conserved = balance.conserved.iter().map(|c| Extreme {
                name: c.name.clone(),
                value: 0.0,
                time: t,
            });
            auditor.audit.conserved = conserved.collect();
        }
        auditor.close(mechanism, t, x);
        auditor
    }

    fn energies(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> (f64, Option<f64>) {
        let kinetic = values(mechanism, &mut self.kinetic, 1, t, x)[0];
        let potential = self.potential.as_mut();
        (kinetic, potential.map(|v| values(mechanism, v, 1, t, x)[0]))
    }

    fn rates(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> Vec<f64> {
        let n = mechanism.machine.coords.len();
        values(mechanism, &mut self.rates, n, t, x)
    }

    /// Where the kinetic energy is not a form of the rates that is free of time, its change is not the work of the forces.
    fn why_not(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> Option<String> {
        let n = mechanism.machine.coords.len();
        let Some(mut mass) = self.mass.take() else {
            return Some("the forces are not known one by one".into());
        };
        let here = values(mechanism, &mut mass, n * n, t, x);
        let later = values(mechanism, &mut mass, n * n, t + 0.618, x);
        let rates = self.rates(mechanism, t, x);
        let twice: f64 = dot(&times(&here, &rates), &rates);
        // The same at other speeds, since all may be 0.
        let mut moving = x.to_vec();
        moving[n..]
            .iter_mut()
            .enumerate()
            .for_each(|(i, u)| *u += 1.0 + 0.1 * i as f64);
        let (other, _) = self.energies(mechanism, t, &moving);
        let fast = self.rates(mechanism, t, &moving);
        let expected = 0.5 * dot(&times(&here, &fast), &fast);
        self.mass = Some(mass);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 1e-300;
        if here.iter().zip(&later).any(|(a, b)| !close(*a, *b)) {
            return Some("the kinetic energy depends on time".into());
        }
        let (kinetic, _) = self.start;
        if !close(kinetic, 0.5 * twice) || !close(other, expected) {
            return Some(
                "the machine is driven in its kinematics, by forces that are not known".into(),
            );
        }
        None
    }

    fn momenta(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> Vec<f64> {
        let conserved = &mechanism.machine.balance.conserved;
        if conserved.is_empty() {
            return Vec::new();
        }
        let n = mechanism.machine.coords.len();
        let rates = self.rates(mechanism, t, x);
        let Some(mass) = &mut self.mass else {
            return Vec::new();
        };
        let all = times(&values(mechanism, mass, n * n, t, x), &rates);
        conserved.iter().map(|c| all[c.coordinate]).collect()
    }

    /// Takes note of a step, before the state is moved to the constraints. `within` is the state in it.
    pub fn step(
        &mut self,
        mechanism: &mut Mechanism<'m>,
        settings: &Settings,
        (from, to): (f64, f64),
        within: &mut dyn FnMut(f64) -> Vec<f64>,
    ) {
        self.audit.steps += 1;
        let x = within(to);
        self.close(mechanism, to, &x);
        if self.audit.balance.is_none() {
            return;
        }
        let h = to - from;
        for (node, weight) in NODES {
            let t = from + node * h;
            let x = within(t);
            let _ = mechanism.set_inputs(t, &x);
            let rates = self.rates(mechanism, t, &x);
            let all = self.work.iter_mut().zip(&mut self.forces);
            // The loads come first.
            let skipped = usize::from(mechanism.machine.balance.conservative);
            for (work, forces) in all.skip(skipped) {
                let f = values(mechanism, forces, rates.len(), t, &x);
                *work += h * weight * dot(&f, &rates);
            }
        }
        let _ = mechanism.set_inputs(to, &x);
        self.compare(mechanism, settings, to, &x);
    }

    /// Energy against work, and momenta, at the end of a step.
    fn compare(&mut self, mechanism: &mut Mechanism<'m>, settings: &Settings, t: f64, x: &[f64]) {
        let (kinetic, potential) = self.energies(mechanism, t, x);
        let size = kinetic.abs() + potential.map_or(0.0, f64::abs);
        self.largest_energy = self.largest_energy.max(size);
        // What the tolerance of one step can change of the energies, entry by entry.
        let mut moved = x.to_vec();
        for i in 0..x.len() {
            moved[i] = x[i] + settings.atol + settings.rtol * x[i].abs();
            let (k, v) = self.energies(mechanism, t, &moved);
            moved[i] = x[i];
            self.allowed += (k - kinetic).abs();
            self.allowed += v.zip(potential).map_or(0.0, |(v, p)| (v - p).abs());
        }
        let p0 = self.start.1;
        if mechanism.machine.balance.conservative
            && let (Some(work), Some(v), Some(p)) = (self.work.first_mut(), potential, p0)
        {
            *work = p - v;
        }
        let work: f64 = self.work.iter().sum();
        let defect = kinetic - self.start.0 - work;
        if let Some(balance) = &mut self.audit.balance {
            if defect.abs() >= balance.defect.abs() || defect.is_nan() {
                balance.defect = defect;
            }
            balance.kinetic = kinetic - self.start.0;
            balance.potential = potential.zip(p0).map(|(v, p)| v - p);
        }
        let momenta = self.momenta(mechanism, t, x);
        let before = momenta.iter().zip(&self.momenta);
        for (extreme, (now, start)) in self.audit.conserved.iter_mut().zip(before) {
            let change = (now - start).abs();
            if change > extreme.value || change.is_nan() {
                (extreme.value, extreme.time) = (change, t);
            }
        }
    }

    /// Distance from singular states.
    fn close(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) {
        if let Some(closeness) = &mut self.closeness {
            let found = values(mechanism, closeness, self.least.len(), t, x);
            for (least, c) in self.least.iter_mut().zip(found) {
                if c < least.0 {
                    *least = (c, t);
                }
            }
        }
    }

    /// Takes note of the residuals of a state that is kept.
    pub fn residuals(
        &mut self,
        mechanism: &mut Mechanism<'m>,
        drift: &mut Drift<'m>,
        t: f64,
        x: &[f64],
    ) {
        let rows = mechanism.machine.rows.len();
        let found = drift.residuals(mechanism, t, x);
        for (level, list) in found.chunks(rows.max(1)).enumerate() {
            for (row, value) in mechanism.machine.rows.iter().zip(list) {
                let name = if level == 0 {
                    row.name.clone()
                } else {
                    format!("rate of {}", row.name)
                };
                let value = value.abs();
                match self.audit.residuals.get_mut(level) {
                    None => self.audit.residuals.push(Extreme {
                        name,
                        value,
                        time: t,
                    }),
                    Some(known) if value > known.value => {
                        *known = Extreme {
                            name,
                            value,
                            time: t,
                        };
                    }
                    Some(_) => {}
                }
            }
        }
    }

    /// The audit of a motion that has ended.
    pub fn finish(mut self, mechanism: &Mechanism<'m>) -> Audit {
        let machine = mechanism.machine;
        let rounding = 1e-14 * self.largest_energy * (self.audit.steps as f64).sqrt();
        if let Some(balance) = &mut self.audit.balance {
            let kinds = machine.balance.forces.iter().map(|f| f.0.clone());
            balance.work = kinds.zip(self.work.iter().copied()).collect();
            balance.explained = MARGIN * self.allowed + rounding;
            // NaN is no balance.
            balance.holds = balance.defect.abs() <= balance.explained;
        }
        for (name, (value, time)) in machine.closeness_of.iter().zip(&self.least) {
            if *value < 0.01 {
                self.audit.singular.push(Extreme {
                    name: name.clone(),
                    value: *value,
                    time: *time,
                });
            }
        }
        self.audit
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A square matrix times a vector.
fn times(matrix: &[f64], v: &[f64]) -> Vec<f64> {
    matrix
        .chunks(v.len().max(1))
        .map(|row| dot(row, v))
        .collect()
}
