//! Equations in the coordinates, `M q'' = F`, projected on the columns of E in `q' = E e + e0`:
//! `E^T M E e' = E^T (F - M q''|(e'=0))`. Where e are the rates there is nothing to do. Knows nothing of where M and F come from.

use super::{Context, Space};
use crate::elim::Matrix;
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
    let bias = c.acceleration_bias();
    let (n, l) = (forcing.len(), motion.speeds.len());
    let names: Vec<String> = motion
        .speeds
        .iter()
        .map(|v| c.alg.info(*v).name.clone())
        .collect();
    // M E, one row per coordinate, and what acts on the coordinates at e' = 0.
    let mut half: Matrix = vec![vec![Expr::zero(); l]; n];
    let mut f = vec![Expr::zero(); l];
    let mut own = vec![Expr::zero(); l];
    for i in 0..n {
        let coordinate = c.system.coords[i].meta.name.clone();
        let mut left = c.in_speeds(&forcing[i]);
        for j in 0..n {
            let m = c.in_speeds(&mass[i][j]);
            if m.is_literal_zero() {
                continue;
            }
            left = left - &m * &bias[j];
            for (s, e) in &motion.rates[j].coef {
                half[i][*s] = &half[i][*s] + &m * e;
            }
        }
        let left = c.alg.define(&format!("force_left_{coordinate}"), left);
        let given = c.in_speeds(&nonideal[i]);
        for e in &mut half[i] {
            let whole = std::mem::replace(e, Expr::zero());
            *e = c.alg.define(&format!("inertia_{coordinate}"), whole);
        }
        for (s, e) in &motion.rates[i].coef {
            f[*s] = &f[*s] + e * &left;
            own[*s] = &own[*s] + e * &given;
        }
    }
    let mut projected: Matrix = vec![vec![Expr::zero(); l]; l];
    for (i, row) in half.iter().enumerate() {
        for (s, e) in &motion.rates[i].coef {
            for r in *s..l {
                projected[*s][r] = &projected[*s][r] + e * &row[r];
            }
        }
    }
    for s in 0..l {
        for r in s..l {
            let whole = std::mem::replace(&mut projected[s][r], Expr::zero());
            let e = c
                .alg
                .define(&format!("mass_{}_{}", names[s], names[r]), whole);
            projected[r][s] = e.clone();
            projected[s][r] = e;
        }
    }
    let mut named = |what: &str, list: Vec<Expr>| -> Vec<Expr> {
        list.into_iter()
            .zip(&names)
            .map(|(e, name)| c.alg.define(&format!("{what}_{name}"), e))
            .collect()
    };
    Projected {
        mass: projected,
        forcing: named("forcing", f),
        nonideal: named("nonideal", own),
    }
}
