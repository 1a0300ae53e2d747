//! Energies that the model gives as such: of T the inertia by Lagrange's operator (O'Reilly et al. 2.12),
//!
//! `d/dt(dT/dq') - dT/dq = M_T q'' + h_T`,  `M_T = d2T/dq'dq'`,
//!
//! of V and of Rayleigh's D the generalized forces `-dV/dq` and `-dD/dq'`, all in the coordinates and their rates. Knows nothing of
//! how a formulation adds them to what bodies and loads contribute.

use super::definite::{blocks, minors_positive, small};
use super::kinematics::Kinematics;
use super::value::Values;
use super::vars::Vars;
use crate::diag;
use crate::elim::Matrix;
use crate::model::System;
use crate::model::system::EnergyKind;
use crate::sym::{Algebra, Derivation, Expr, Summed, Var};

/// What the energies of a model come to, in q, q', t.
#[derive(Clone, Debug)]
pub struct Energies {
    /// The sum of all T; `None` if none is given.
    pub kinetic: Option<Kinetic>,
    /// The sum of all V.
    pub potential: Expr,
    /// Generalized forces of V and D.
    pub forces: Vec<Expr>,
}

/// The kinetic energy that is given as such.
#[derive(Clone, Debug)]
pub struct Kinetic {
    /// T.
    pub value: Expr,
    /// `d2T/dq'dq'`
    pub mass: Matrix,
    /// `d/dt(dT/dq') - dT/dq` at q'' = 0.
    pub rest: Vec<Expr>,
}

impl Energies {
    /// Differentiates the energies; `None` if the model gives none.
    pub fn derive(
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        k: &Kinematics,
    ) -> diag::Result<Option<Self>> {
        if system.energies.is_empty() {
            return Ok(None);
        }
        let values = Values { system, vars };
        let n = vars.coords.len();
        let (mut kinetic, mut potential, mut dissipation) = (Vec::new(), Vec::new(), Vec::new());
        let mut errors = Vec::new();
        for e in &system.energies {
            match values.scalar(alg, k, &e.value) {
                Err(fault) => errors.push(fault.at(e.span)),
                Ok(value) => {
                    let terms = match e.kind {
                        EnergyKind::Kinetic => &mut kinetic,
                        EnergyKind::Potential => &mut potential,
                        EnergyKind::Dissipation => &mut dissipation,
                    };
                    terms.push(value);
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let sum = |terms: Vec<Expr>| terms.into_iter().sum::<Expr>();
        let (kinetic, potential, dissipation) = (sum(kinetic), sum(potential), sum(dissipation));
        let by_coordinates = Summed::new(alg, potential.clone());
        let by_rates = Summed::new(alg, dissipation);
        let mut forces = Vec::with_capacity(n);
        for i in 0..n {
            let name = alg.info(vars.coords[i]).name.clone();
            let elastic = by_coordinates.partial(alg, vars.coords[i]);
            let elastic = alg.define(&format!("potential_{name}"), elastic);
            let viscous = by_rates.partial(alg, vars.rates[i]);
            let viscous = alg.define(&format!("dissipation_{name}"), viscous);
            forces.push(-(elastic + viscous));
        }
        let given = |e: &crate::model::system::Energy| e.kind == EnergyKind::Kinetic;
        let kinetic = system
            .energies
            .iter()
            .any(given)
            .then(|| Kinetic::of(alg, vars, k, kinetic));
        Ok(Some(Self {
            kinetic,
            potential,
            forces,
        }))
    }
}

/// What becomes of a row of Lagrange's operator: of its number, its coordinate's name, `dp/dt|(q''=0)` and `dT/dq`.
pub type OperatorRow<'r> = dyn FnMut(&mut Algebra, usize, &str, Expr, Expr) -> Expr + 'r;

/// Lagrange's operator `d/dt(dT/dq') - dT/dq = M q'' + dp/dt|(q''=0) - dT/dq`, `p = dT/dq'`: M, its entries named after `mass`, and
/// what `row` makes of the rest.
pub fn lagrange_operator(
    alg: &mut Algebra,
    vars: &Vars,
    k: &Kinematics,
    (value, mass): (&Expr, &str),
    row: &mut OperatorRow<'_>,
) -> (Matrix, Vec<Expr>) {
    let name = |alg: &Algebra, v: &Var| alg.info(*v).name.clone();
    let names: Vec<String> = vars.coords.iter().map(|q| name(alg, q)).collect();
    let mut by_rate: Vec<Derivation> = vars
        .rates
        .iter()
        .map(|r| Derivation::partial(*r, &format!("_{}", name(alg, r))))
        .collect();
    let mut flow = k.motion.flow(alg, vars, false);
    let n = names.len();
    let mut matrix: Matrix = vec![vec![Expr::zero(); n]; n];
    let mut rest = Vec::with_capacity(n);
    for i in 0..n {
        let p = alg.derivative(value, &mut by_rate[i]);
        let p = alg.define(&format!("momentum_{}", names[i]), p);
        for j in i..n {
            let e = alg.derivative(&p, &mut by_rate[j]);
            let e = alg.define(&format!("{mass}_{}_{}", names[i], names[j]), e);
            matrix[i][j] = e.clone();
            matrix[j][i] = e;
        }
        let change = alg.derivative(&p, &mut flow);
        let slope = alg.partial(value, vars.coords[i]);
        rest.push(row(alg, i, &names[i], change, slope));
    }
    (matrix, rest)
}

impl Kinetic {
    fn of(alg: &mut Algebra, vars: &Vars, k: &Kinematics, value: Expr) -> Self {
        let named = (&value, "inertia");
        let (mass, rest) =
            lagrange_operator(alg, vars, k, named, &mut |alg, _, q, change, slope| {
                alg.define(&format!("velocity_terms_{q}"), change - slope)
            });
        Self { value, mass, rest }
    }

    /// Whether `M_T` is certainly positive semidefinite: blocks of coordinates that it does not couple are zero or have
    /// positive leading minors. The coordinates of the latter, whose rates vanish where `q' M_T q'` does.
    pub fn certain(&self, alg: &mut Algebra) -> Option<Vec<usize>> {
        let mut settled = Vec::new();
        for block in blocks(&self.mass) {
            if let [i] = block.as_slice() {
                let e = small(alg, &self.mass[*i][*i]);
                if alg.is_zero(&e) {
                    continue;
                }
                if !alg.is_nonnegative(&e) {
                    return None;
                }
                if alg.is_nonzero(&e) {
                    settled.push(*i);
                }
            } else if minors_positive(alg, &self.mass, &block) {
                settled.extend(block);
            } else {
                return None;
            }
        }
        Some(settled)
    }
}
