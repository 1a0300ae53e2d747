//! Equations in the coordinates, `M q'' = F`, projected on the columns of E in `q' = E e + e0`:
//! `E^T M E e' = E^T (F - M q''|(e'=0))`. Where e are the rates there is nothing to do. Knows nothing of where M and F come from.

use super::{Context, Space};
use crate::elim::{self, Matrix};
use crate::sym::Expr;

/// `M e' = f`, with the part of f that comes from the non-ideal vector C.
pub struct Projected {
    /// `E^T M E`
    pub mass: Matrix,
    /// f, with C.
    pub forcing: Vec<Expr>,
    /// `E^T C`
    pub nonideal: Vec<Expr>,
}

/// Projects equations in coordinates and rates on the directions of the state's speeds.
pub fn onto_speeds(
    c: &mut Context<'_>,
    mass: Matrix,
    forcing: Vec<Expr>,
    nonideal: Vec<Expr>,
) -> Projected {
    let motion = c.kinematics(Space::SpeedRates).motion.clone();
    if motion.speeds == c.vars.rates {
        return Projected {
            mass,
            forcing,
            nonideal,
        };
    }
    let names = motion.names(&c.alg);
    let entry = |s: usize, r: usize| format!("mass_{}_{}", names[s], names[r]);
    let less: Combine = |force, inertia| force - inertia;
    let (mass, f) = congruence(c, &mass, (&forcing, "force_left", less), &entry);
    let mut own = vec![Expr::zero(); motion.speeds.len()];
    for (rate, e) in motion.rates.iter().zip(&nonideal) {
        rate.project(&c.in_speeds(e), &mut own);
    }
    let mut named = |what: &str, list: Vec<Expr>| -> Vec<Expr> {
        list.into_iter()
            .zip(&names)
            .map(|(e, name)| c.alg.define(&format!("{what}_{name}"), e))
            .collect()
    };
    Projected {
        mass,
        forcing: named("forcing", f),
        nonideal: named("nonideal", own),
    }
}

/// How a row without accelerations and `M q''` at `e' = 0` are combined.
pub(super) type Combine = fn(Expr, Expr) -> Expr;

/// `E^T M E`, its entries named by `entry`, and `E^T` times the combination of rows without accelerations with `M q''` at `e' = 0`.
pub(super) fn congruence(
    c: &mut Context<'_>,
    mass: &Matrix,
    (rest, name, combine): (&[Expr], &str, Combine),
    entry: &dyn Fn(usize, usize) -> String,
) -> (Matrix, Vec<Expr>) {
    let bias = c.acceleration_bias();
    let motion = c.speeds.motion.clone();
    let l = motion.speeds.len();
    let mut projected: Matrix = vec![vec![Expr::zero(); l]; l];
    let mut sums = vec![Expr::zero(); l];
    for (i, row) in mass.iter().enumerate() {
        let coordinate = c.system.coords[i].meta.name.clone();
        let mut own = c.in_speeds(&rest[i]);
        // Row i of M E.
        let mut half = vec![Expr::zero(); l];
        for (j, m) in row.iter().enumerate() {
            let m = c.in_speeds(m);
            if !m.is_literal_zero() {
                own = combine(own, &m * &bias[j]);
                motion.rates[j].project(&m, &mut half);
            }
        }
        let own = c.alg.define(&format!("{name}_{coordinate}"), own);
        motion.rates[i].project(&own, &mut sums);
        let half = half.into_iter();
        let half: Vec<Expr> = half
            .map(|e| c.alg.define(&format!("inertia_{coordinate}"), e))
            .collect();
        for (s, e) in &motion.rates[i].coef {
            for r in *s..l {
                projected[*s][r] = &projected[*s][r] + e * &half[r];
            }
        }
    }
    let mass = elim::symmetric(l, |s, r| {
        c.alg.define(&entry(s, r), projected[s][r].clone())
    });
    (mass, sums)
}
