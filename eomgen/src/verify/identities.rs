//! What has to hold in every state, whatever the machine: each is evaluated from numbers, some of which come by other ways than the
//! balances of momentum. So they check the machine that others are checked against.

use super::dynamics::Dynamics;
use super::linear::{self, add, sub};
use super::machine::{Differentials, Machine};
use super::number::{EvalError, Number};
use super::states::SolvedState;
use crate::model::system::EnergyKind;

/// An identity in one state.
#[derive(Clone, Debug)]
pub struct Identity {
    /// What it says.
    pub name: &'static str,
    /// Whether it holds.
    pub holds: bool,
}

/// Identities and the size of the numbers that they compare.
struct Identities<N> {
    list: Vec<Identity>,
    /// What the terms of which both sides are made leave to rounding is measured by this.
    scale: N,
}

impl<N: Number> Identities<N> {
    fn equal(&mut self, name: &'static str, left: &[N], right: &[N]) {
        let mut pairs = left.iter().zip(right);
        let holds = left.len() == right.len() && pairs.all(|(l, r)| l.agrees(r, &self.scale));
        self.list.push(Identity { name, holds });
    }

    fn zero(&mut self, name: &'static str, left: &[N]) {
        self.equal(name, left, &vec![N::int(0); left.len()]);
    }
}

/// Coordinates up to which the mass matrix is differentiated.
const LARGEST: usize = 8;

/// All identities in a state.
///
/// # Errors
///
/// Something has no value in this state, or in this arithmetic.
pub fn identities<N: Number>(
    machine: &Machine<'_>,
    point: &SolvedState<N>,
) -> Result<Vec<Identity>, EvalError> {
    let (dynamics, a) = (&point.dynamics, &point.dynamics.constraint_matrix);
    let n = dynamics.accelerations.len();
    let mut all = Identities {
        list: Vec::new(),
        scale: scale(dynamics),
    };
    let a_q = linear::times(a, &dynamics.accelerations);
    all.equal("A q'' = b", &a_q, &dynamics.constraint_rhs);
    let residuals = [&dynamics.residuals[..], &dynamics.velocity_residuals].concat();
    all.zero(
        "constraints on positions and velocities are met",
        &residuals,
    );
    let motions = allowed(a, n)?;
    // The virtual powers of forces of constraints, and Gauss's principle.
    let power = |force: &[N]| linear::times(&motions, force);
    all.zero(
        "the virtual power of Qi is zero where A v = 0",
        &power(&dynamics.ideal_forces),
    );
    all.equal(
        "the virtual power of Qni is that of C where A v = 0",
        &power(&dynamics.nonideal_forces),
        &power(&dynamics.nonideal),
    );
    all.zero(
        "Gauss: v.(M q'' + h - Q - C) = 0 where A v = 0",
        &power(&gauss(dynamics)),
    );
    let transposed = linear::transposed(&dynamics.mass).concat();
    all.equal("M is symmetric", &dynamics.mass.concat(), &transposed);
    match is_positive(linear::congruent(&dynamics.mass, &motions), &all.scale) {
        Ok(holds) => all.list.push(Identity {
            name: "M is positive definite where A v = 0 (pivots)",
            holds,
        }),
        // A field has no positive numbers.
        Err(EvalError::Unsupported(_)) => {}
        Err(other) => return Err(other),
    }
    let d = machine.differentials(&point.state, &dynamics.accelerations)?;
    all.lagrange(machine, dynamics, &d);
    all.energy(point, &d);
    if n <= LARGEST {
        all.christoffel(machine, point)?;
    }
    Ok(all.list)
}

impl<N: Number> Identities<N> {
    /// Lagrange's equations and, where the kinetic energy is that of the bodies, Appell's.
    fn lagrange(&mut self, machine: &Machine<'_>, dynamics: &Dynamics<N>, d: &Differentials<N>) {
        let inertia = linear::times(&dynamics.mass, &dynamics.accelerations);
        let inertia = add(&inertia, &dynamics.velocity_terms);
        let sides = sub(&d.momentum_rates, &d.kinetic_slopes);
        self.equal("Lagrange: dp/dt - dT/dq = M q'' + h", &sides, &inertia);
        let mut given = machine.system.energies.iter();
        if !given.any(|e| e.kind == EnergyKind::Kinetic) {
            let name = "Gibbs-Appell: dS/dq'' = dp/dt - dT/dq";
            self.equal(name, &d.gibbs_slopes, &sides);
        }
    }

    /// `d/dt (q'.dL/dq' - L) = -dL/dt + q'.(Q + dV/dq + Qi + Qni)`, with the power of constraints that are not homogeneous in the
    /// velocities in `q'.Qi`.
    fn energy(&mut self, point: &SolvedState<N>, d: &Differentials<N>) {
        let (dynamics, rates) = (&point.dynamics, &point.state.rates);
        let Some(potential) = &d.potential_rate else {
            return;
        };
        let change = linear::dot(&dynamics.accelerations, &d.momenta)
            .add(&linear::dot(rates, &d.momentum_rates))
            .sub(&d.kinetic_rate)
            .add(potential);
        let mut force = add(&dynamics.applied, &d.potential_slopes);
        force = add(&force, &dynamics.ideal_forces);
        force = add(&force, &dynamics.nonideal_forces);
        if let Some(phi) = &dynamics.coupling {
            force = add(&force, &linear::times(phi, &dynamics.multipliers));
        }
        let right = linear::dot(rates, &force).sub(&d.lagrangian_slope);
        let name = "d/dt (q'.dL/dq' - L) = -dL/dt + q'.Q + q'.Qc";
        self.equal(name, &[change], &[right]);
    }

    /// With Christoffel's matrix C of M: `dM/dt - 2 C` is skew, and `C q'` is h where that is homogeneous in the velocities.
    fn christoffel(
        &mut self,
        machine: &Machine<'_>,
        point: &SolvedState<N>,
    ) -> Result<(), EvalError> {
        let (state, dynamics) = (&point.state, &point.dynamics);
        let n = state.q.len();
        let slopes = machine.mass_slopes(state)?;
        let two = N::int(2);
        let sum = |of: &dyn Fn(usize) -> N| -> N {
            (0..n).fold(N::int(0), |s, k| s.add(&of(k).mul(&state.rates[k])))
        };
        let mut twice = vec![Vec::with_capacity(n); n];
        let mut skew = Vec::new();
        for i in 0..n {
            for j in 0..n {
                twice[i].push(sum(&|k| {
                    slopes[k][i][j].add(&slopes[j][i][k]).sub(&slopes[i][j][k])
                }));
            }
        }
        for i in 0..n {
            for j in 0..=i {
                let rate = sum(&|k| slopes[k][i][j].add(&slopes[k][j][i]));
                skew.push(rate.sub(&twice[i][j]).sub(&twice[j][i]));
            }
        }
        self.zero("dM/dt - 2 C is skew", &skew);
        // Quadratic in the velocities: neither time nor terms linear in them.
        let mut faster = state.clone();
        faster.rates = linear::scaled(&state.rates, &two);
        // Where they have a value: at twice the speed there may be none.
        let h = &dynamics.velocity_terms;
        let quadratic = machine.velocity_terms(&faster).is_ok_and(|fast| {
            let mut both = fast.iter().zip(h);
            both.all(|(f, h)| f.agrees(&h.mul(&N::int(4)), &self.scale))
        });
        if quadratic {
            let left = linear::times(&twice, &state.rates);
            self.equal("2 C q' = 2 h", &left, &linear::scaled(h, &two));
        }
        Ok(())
    }
}

/// Whether all pivots of a symmetric matrix, without interchanges, are positive: just where it is positive definite.
fn is_positive<N: Number>(mut m: Vec<Vec<N>>, scale: &N) -> Result<bool, EvalError> {
    let zero = N::int(0);
    for k in 0..m.len() {
        let pivot = m[k][k].clone();
        if !zero.is_less(&pivot)? || pivot.agrees(&zero, scale) {
            return Ok(false);
        }
        for i in k + 1..m.len() {
            let factor = m[i][k].div(&pivot)?;
            m[i] = sub(&m[i], &linear::scaled(&m[k], &factor));
        }
    }
    Ok(true)
}

/// The largest number of a state: what rounding errors are relative to.
pub fn scale<N: Number>(dynamics: &Dynamics<N>) -> N {
    let lists = [
        &dynamics.accelerations,
        &dynamics.applied,
        &dynamics.velocity_terms,
        &dynamics.constraint_rhs,
        &dynamics.ideal_forces,
    ];
    let all = lists
        .into_iter()
        .flatten()
        .chain(dynamics.mass.iter().flatten());
    all.max_by_key(|x| x.magnitude())
        .filter(|x| x.magnitude() > N::int(1).magnitude())
        .cloned()
        .unwrap_or_else(|| N::int(1))
}

/// A basis of the motions that the constraints allow, `A v = 0`.
pub fn allowed<N: Number>(a: &[Vec<N>], n: usize) -> Result<Vec<Vec<N>>, EvalError> {
    let units = linear::identity(n);
    if a.is_empty() {
        return Ok(units);
    }
    let zero = vec![N::int(0); a.len()];
    let pivots = linear::solve(a, &zero, None)?.pivots;
    let free = units.iter().enumerate();
    let free = free.filter(|(k, _)| !pivots.contains(k));
    free.map(|(_, unit)| Ok(linear::solve(a, &zero, Some(unit))?.checked()?.x))
        .collect()
}

/// `M q'' + h - Q - C`, less what loads take from reactions.
fn gauss<N: Number>(dynamics: &Dynamics<N>) -> Vec<N> {
    let mut rest = linear::times(&dynamics.mass, &dynamics.accelerations);
    rest = add(&rest, &dynamics.velocity_terms);
    rest = sub(&rest, &dynamics.applied);
    rest = sub(&rest, &dynamics.nonideal);
    match &dynamics.coupling {
        Some(phi) => sub(&rest, &linear::times(phi, &dynamics.multipliers)),
        None => rest,
    }
}
