//! What has to hold in every state, whatever the machine: each is evaluated from numbers, some of which come by other ways than the
//! balances of momentum. So they check the machine that others are checked against.

use super::dynamics::Dynamics;
use super::linear::{self, add, sub};
use super::machine::{Differentials, Machine};
use super::number::{EvalError, Number};
use super::states::SolvedState;

/// Both sides of an identity in one state.
#[derive(Clone, Debug)]
pub struct Identity<N> {
    /// What it says.
    pub name: &'static str,
    /// Its left sides.
    pub left: Vec<N>,
    /// Its right sides.
    pub right: Vec<N>,
    /// Whether they agree.
    pub holds: bool,
}

impl<N: Number> Identity<N> {
    /// Compares both sides, up to what the terms of which they are made leave to rounding.
    fn new(name: &'static str, left: Vec<N>, right: Vec<N>, scale: &N) -> Self {
        let holds =
            left.len() == right.len() && left.iter().zip(&right).all(|(l, r)| l.agrees(r, scale));
        Self {
            name,
            left,
            right,
            holds,
        }
    }

    fn zero(name: &'static str, left: Vec<N>, scale: &N) -> Self {
        let right = vec![N::int(0); left.len()];
        Self::new(name, left, right, scale)
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
) -> Result<Vec<Identity<N>>, EvalError> {
    let dynamics = &point.dynamics;
    let n = dynamics.accelerations.len();
    let scale = scale(dynamics);
    let mut list = vec![
        Identity::new(
            "A q'' = b",
            linear::times(&dynamics.constraint_matrix, &dynamics.accelerations),
            dynamics.constraint_rhs.clone(),
            &scale,
        ),
        Identity::zero(
            "constraints on places and velocities are met",
            dynamics
                .residuals
                .iter()
                .chain(&dynamics.velocity_residuals)
                .cloned()
                .collect(),
            &scale,
        ),
    ];
    let motions = allowed(&dynamics.constraint_matrix, n)?;
    list.extend(virtual_powers(dynamics, &motions, &scale));
    list.push(symmetry(dynamics, &scale));
    match positive(dynamics, &motions, &scale) {
        Ok(identity) => list.push(identity),
        // A field has no positive numbers.
        Err(EvalError::Unsupported(_)) => {}
        Err(other) => return Err(other),
    }
    let d = machine.differentials(&point.state, &dynamics.accelerations)?;
    list.extend(lagrange(machine, dynamics, &d, &scale));
    if let Some(identity) = energy(point, &d, &scale) {
        list.push(identity);
    }
    if n <= LARGEST {
        list.extend(christoffel(machine, point, &scale)?);
    }
    Ok(list)
}

/// The virtual powers of forces of constraints, and Gauss's principle.
fn virtual_powers<N: Number>(
    dynamics: &Dynamics<N>,
    motions: &[Vec<N>],
    scale: &N,
) -> [Identity<N>; 3] {
    let power = |force: &[N]| -> Vec<N> { motions.iter().map(|v| linear::dot(v, force)).collect() };
    [
        Identity::zero(
            "the virtual power of Qi is zero where A v = 0",
            power(&dynamics.ideal_forces),
            scale,
        ),
        Identity::new(
            "the virtual power of Qni is that of C where A v = 0",
            power(&dynamics.nonideal_forces),
            power(&dynamics.nonideal),
            scale,
        ),
        Identity::zero(
            "Gauss: v.(M q'' + h - Q - C) = 0 where A v = 0",
            power(&gauss(dynamics)),
            scale,
        ),
    ]
}

/// Lagrange's equations and, where the kinetic energy is that of the bodies, Appell's.
fn lagrange<N: Number>(
    machine: &Machine<'_>,
    dynamics: &Dynamics<N>,
    d: &Differentials<N>,
    scale: &N,
) -> Vec<Identity<N>> {
    let inertia = add(
        &linear::times(&dynamics.mass, &dynamics.accelerations),
        &dynamics.velocity_terms,
    );
    let mut list = vec![Identity::new(
        "Lagrange: dp/dt - dT/dq = M q'' + h",
        sub(&d.momentum_rates, &d.kinetic_slopes),
        inertia,
        scale,
    )];
    let given = machine.system.energies.iter();
    let mut given = given.filter(|e| e.kind == crate::model::system::EnergyKind::Kinetic);
    if given.next().is_none() {
        list.push(Identity::new(
            "Gibbs-Appell: dS/dq'' = dp/dt - dT/dq",
            d.gibbs_slopes.clone(),
            sub(&d.momentum_rates, &d.kinetic_slopes),
            scale,
        ));
    }
    list
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

fn symmetry<N: Number>(dynamics: &Dynamics<N>, scale: &N) -> Identity<N> {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (i, row) in dynamics.mass.iter().enumerate() {
        for (j, entry) in row.iter().enumerate().take(i) {
            left.push(entry.clone());
            right.push(dynamics.mass[j][i].clone());
        }
    }
    Identity::new("M is symmetric", left, right, scale)
}

/// The pivots of M on the motions allowed, without interchanges: all are positive just where M is positive definite there.
fn positive<N: Number>(
    dynamics: &Dynamics<N>,
    motions: &[Vec<N>],
    scale: &N,
) -> Result<Identity<N>, EvalError> {
    let mut m = linear::congruent(&dynamics.mass, motions);
    let zero = N::int(0);
    let mut pivots = Vec::new();
    let mut holds = true;
    for k in 0..m.len() {
        let pivot = m[k][k].clone();
        pivots.push(pivot.clone());
        if !zero.is_less(&pivot)? || pivot.agrees(&zero, scale) {
            holds = false;
            break;
        }
        for i in k + 1..m.len() {
            let factor = m[i][k].div(&pivot)?;
            for j in k..m.len() {
                m[i][j] = m[i][j].sub(&factor.mul(&m[k][j]));
            }
        }
    }
    Ok(Identity {
        name: "M is positive definite where A v = 0 (pivots)",
        left: pivots,
        right: Vec::new(),
        holds,
    })
}

/// `d/dt (q'.dL/dq' - L) = -dL/dt + q'.(Q + dV/dq + Qi + Qni)`, with the power of constraints that are not homogeneous in the
/// velocities in `q'.Qi`.
fn energy<N: Number>(
    point: &SolvedState<N>,
    d: &Differentials<N>,
    scale: &N,
) -> Option<Identity<N>> {
    let dynamics = &point.dynamics;
    let rates = &point.state.rates;
    let potential = d.potential_rate.as_ref()?;
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
    Some(Identity::new(
        "d/dt (q'.dL/dq' - L) = -dL/dt + q'.Q + q'.Qc",
        vec![change],
        vec![right],
        scale,
    ))
}

/// With Christoffel's matrix C of M: `dM/dt - 2 C` is skew, and `C q'` is h where that is homogeneous in the velocities.
fn christoffel<N: Number>(
    machine: &Machine<'_>,
    point: &SolvedState<N>,
    scale: &N,
) -> Result<Vec<Identity<N>>, EvalError> {
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
    let mut list = vec![Identity::zero("dM/dt - 2 C is skew", skew, scale)];
    // Quadratic in the velocities: neither time nor terms linear in them.
    let mut faster = state.clone();
    for v in &mut faster.rates {
        *v = v.mul(&two);
    }
    // Where they have a value: at twice the speed there may be none.
    let quadratic = machine.velocity_terms(&faster).is_ok_and(|fast| {
        let mut both = fast.iter().zip(&dynamics.velocity_terms);
        both.all(|(f, h)| f.agrees(&h.mul(&N::int(4)), scale))
    });
    if quadratic {
        let left = linear::times(&twice, &state.rates);
        let right = dynamics
            .velocity_terms
            .iter()
            .map(|h| h.mul(&two))
            .collect();
        list.push(Identity::new("2 C q' = 2 h", left, right, scale));
    }
    Ok(list)
}
