//! Energies that a model states, by their values along motions and differences of these: no expression is differentiated.

use super::{Oracle, State};
use crate::gauss::Jet;
use eomgen::internals::model::system::EnergyKind;
use nalgebra::{DMatrix, DVector};

/// What stated energies come to at a state.
pub(super) struct Stated {
    /// T.
    pub kinetic: f64,
    /// V.
    pub potential: f64,
    /// Second derivatives of T by the rates.
    pub mass: DMatrix<f64>,
    /// `d/dt(dT/dq') - dT/dq` without acceleration.
    pub rest: DVector<f64>,
    /// All generalized forces: `-dV/dq - dD/dq'` less `rest`.
    pub force: DVector<f64>,
}

/// Step of the differences; their error is of the order of its sixth power.
const STEP: f64 = 1e-2;

/// The derivatives of n functions at 0 by differences of the sixth order.
fn slopes(n: usize, f: impl Fn(f64) -> DVector<f64>) -> DVector<f64> {
    let mut sum = DVector::zeros(n);
    for (k, weight) in [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)] {
        sum += (f(k * STEP) - f(-k * STEP)) * weight;
    }
    sum / (60.0 * STEP)
}

impl Oracle {
    /// The sum of the energies of a kind at a state, as a jet along the motion with these accelerations.
    fn sum_of(&self, kind: EnergyKind, s: &State, qdd: &[f64]) -> Jet {
        let at = self.instant(s, qdd);
        let energies = self.system.energies.iter().filter(|e| e.kind == kind);
        energies.fold(Jet::constant(0.0), |sum, e| sum + at.scalar(&e.value))
    }

    /// Its derivatives by the rates: by how much its own rate changes with the accelerations.
    fn by_rates(&self, kind: EnergyKind, s: &State) -> DVector<f64> {
        let n = s.q.len();
        let still = self.sum_of(kind, s, &vec![0.0; n]).rate;
        DVector::from_fn(n, |i, _| {
            let mut qdd = vec![0.0; n];
            qdd[i] = 1.0;
            self.sum_of(kind, s, &qdd).rate - still
        })
    }

    /// Derivatives of a potential by the coordinates: by how much its rate changes with the rates.
    fn by_coordinates(&self, s: &State) -> DVector<f64> {
        let n = s.q.len();
        let mut moved = s.clone();
        moved.qd = vec![0.0; n];
        let mut rate = |i: Option<usize>| {
            moved.qd.fill(0.0);
            if let Some(i) = i {
                moved.qd[i] = 1.0;
            }
            self.sum_of(EnergyKind::Potential, &moved, &vec![0.0; n])
                .rate
        };
        let still = rate(None);
        DVector::from_fn(n, |i, _| rate(Some(i)) - still)
    }

    pub(super) fn energies(&self, s: &State) -> Stated {
        let n = s.q.len();
        let none = vec![0.0; n];
        let kinetic = EnergyKind::Kinetic;
        let some = self.system.energies.iter().any(|e| e.kind == kinetic);
        let mut mass = DMatrix::zeros(n, n);
        let mut rest = DVector::zeros(n);
        if some {
            for j in 0..n {
                let column = slopes(n, |h| {
                    let mut moved = s.clone();
                    moved.qd[j] += h;
                    self.by_rates(kinetic, &moved)
                });
                mass.set_column(j, &column);
                rest[j] = -slopes(1, |h| {
                    let mut moved = s.clone();
                    moved.q[j] += h;
                    DVector::from_element(1, self.sum_of(kinetic, &moved, &none).value)
                })[0];
            }
            rest += slopes(n, |h| {
                let mut moved = s.clone();
                moved.t += h;
                for (q, v) in moved.q.iter_mut().zip(&s.qd) {
                    *q += h * v;
                }
                self.by_rates(kinetic, &moved)
            });
        }
        Stated {
            kinetic: self.sum_of(kinetic, s, &none).value,
            potential: self.sum_of(EnergyKind::Potential, s, &none).value,
            force: -self.by_coordinates(s) - self.by_rates(EnergyKind::Dissipation, s) - &rest,
            mass,
            rest,
        }
    }
}
