//! Whether a plan may replace the factored mass matrix: no pivot that could vanish, no digits lost.

use crate::field::{MODULUS, pseudo_random};
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::{Function, Graph, Slot, Value};
use crate::solve::{Plan, Verdict};

/// States at which plans are compared.
const STATES: u64 = 3;
/// Largest relative difference from the factored mass matrix.
const TOLERATED: f64 = 1e-10;

/// Why a pivot of the plan might vanish although the mass matrix is positive definite; `None` if none can.
pub(super) fn may_vanish(plan: &Plan) -> Option<String> {
    if !plan.open.is_empty() || !plan.consistency.is_empty() {
        return Some("leaves unknowns open".into());
    }
    let uncertain = plan.pivots.iter().any(|p| !p.certain);
    uncertain.then(|| "a pivot might vanish".into())
}

/// The values that plans are compared with, at a few pseudo-random states.
pub(super) struct Reference(Vec<Option<Vec<f64>>>);

impl Reference {
    /// What `expected` come to.
    pub fn new(graph: &Graph, expected: &[Value]) -> Self {
        Self((0..STATES).map(|seed| run(graph, expected, seed)).collect())
    }

    /// The solution of `M z' = f` at these states, M given by rows: worked out in numbers, so that no plan has a part in it.
    pub fn of_equations(graph: &Graph, mass: &[Value], forcing: &[Value]) -> Self {
        let solved = (0..STATES).map(|seed| {
            let all = run(graph, &[mass, forcing].concat(), seed)?;
            let (mass, forcing) = all.split_at(mass.len());
            solved(mass.to_vec(), forcing.to_vec())
        });
        Self(solved.collect())
    }

    /// The largest difference, relative to the largest of the values; infinite where something is not finite.
    pub fn error(&self, graph: &Graph, found: &[Value]) -> f64 {
        let mut worst: f64 = 0.0;
        for (seed, expected) in (0..STATES).zip(&self.0) {
            let (Some(a), Some(b)) = (run(graph, found, seed), expected) else {
                return f64::INFINITY;
            };
            let size = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (x, y) in a.iter().zip(b) {
                let error = (x - y).abs() / size;
                worst = if error.is_nan() {
                    f64::INFINITY
                } else {
                    worst.max(error)
                };
            }
        }
        worst
    }
}

/// `M^-1 f` by Cholesky's factorization; `None` where M is not positive definite.
fn solved(mut m: Vec<f64>, mut f: Vec<f64>) -> Option<Vec<f64>> {
    let n = f.len();
    for j in 0..n {
        for k in 0..j {
            let factor = m[j * n + k];
            for i in j..n {
                m[i * n + j] -= m[i * n + k] * factor;
            }
        }
        let pivot = m[j * n + j];
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        let root = pivot.sqrt();
        for i in j..n {
            m[i * n + j] /= root;
        }
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|k| m[i * n + k] * f[k]).sum();
        f[i] = (f[i] - known) / m[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| m[k * n + i] * f[k]).sum();
        f[i] = (f[i] - known) / m[i * n + i];
    }
    Some(f)
}

/// Whether a plan of this error may be chosen.
pub(super) fn verdict(error: f64) -> Verdict {
    if error <= TOLERATED {
        Verdict::Keep(format!("error {error:.0e}"))
    } else {
        Verdict::Reject(format!("loses digits: error {error:.0e}"))
    }
}

fn run(graph: &Graph, outputs: &[Value], seed: u64) -> Option<Vec<f64>> {
    let function = Function {
        name: String::new(),
        outputs: outputs.to_vec(),
        checks: Vec::new(),
    };
    Evaluator::on(graph, &function).run(&Anywhere { seed }).ok()
}

/// A state: numbers between 1/2 and 3/2, the same at every run.
struct Anywhere {
    seed: u64,
}

impl Anywhere {
    fn number(&self, key: u64) -> f64 {
        let r = pseudo_random(self.seed + 1, key);
        0.5 + r.get() as f64 / MODULUS as f64
    }
}

impl Host for Anywhere {
    fn slot(&self, slot: Slot) -> f64 {
        self.number(u64::from(slot.group) << 32 | u64::from(slot.index))
    }

    fn call(&self, function: u32, args: &[f64]) -> Jet {
        let n = args.len();
        let base = (1 << 40) + u64::from(function) * 1000;
        Jet {
            value: self.number(base),
            gradient: (0..n).map(|i| self.number(base + 1 + i as u64)).collect(),
            hessian: (0..n * n)
                .map(|i| self.number(base + 100 + i as u64))
                .collect(),
        }
    }
}
