//! How the rates q' follow from a set of speeds s: `q' = H s + h0`. Knows nothing of frames or bodies.

use super::vars::Vars;
use super::vec3::{self, Linear};
use crate::sym::{Algebra, Derivation, Expr, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A parametrisation of the velocities.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The speeds s.
    pub speeds: Vec<Var>,
    /// Their rates s'.
    pub speed_dots: Vec<Var>,
    /// q' in terms of q, s, t, one per coordinate.
    pub rates: Vec<Linear<Expr>>,
    /// q' written out (possibly named).
    pub rate_values: Vec<Expr>,
    /// Declared speeds that are not among `speeds`, in terms of q, s, t: index into `System::speeds`.
    pub declared: BTreeMap<usize, Expr>,
    /// The direction of time.
    pub directions: Directions,
}

/// The rates of all symbols that change with time, without the accelerations and with them, and the speeds as expressions: made once, since of large
/// machines they are many.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    rates: [OnceLock<Arc<BTreeMap<Var, Expr>>>; 2],
    speeds: OnceLock<Arc<[Expr]>>,
}

impl Motion {
    /// s = q'.
    pub fn rates(alg: &Algebra, vars: &Vars) -> Self {
        let rates: Vec<Linear<Expr>> = (0..vars.rates.len())
            .map(|i| Linear {
                coef: BTreeMap::from([(i, Expr::one())]),
                bias: Expr::zero(),
            })
            .collect();
        Self {
            speeds: vars.rates.clone(),
            speed_dots: vars.rate_dots.clone(),
            rates,
            rate_values: vars.rates.iter().map(|v| alg.var(*v)).collect(),
            declared: BTreeMap::new(),
            directions: Directions::default(),
        }
    }

    /// The names of the speeds.
    pub fn names(&self, alg: &Algebra) -> Vec<String> {
        let names = self.speeds.iter().map(|v| &alg.info(*v).name);
        names.cloned().collect()
    }

    /// The speeds as expressions.
    pub fn speed_values(&self, alg: &Algebra) -> Arc<[Expr]> {
        let values = || self.speeds.iter().map(|v| alg.var(*v)).collect();
        self.directions.speeds.get_or_init(values).clone()
    }

    /// Their rates as expressions.
    pub fn dot_values(&self, alg: &Algebra) -> Vec<Expr> {
        self.speed_dots.iter().map(|v| alg.var(*v)).collect()
    }

    /// The direction of the total time derivative; with `accelerations` the s' are symbols, without they are 0.
    pub fn flow(&self, alg: &Algebra, vars: &Vars, accelerations: bool) -> Derivation {
        let known = &self.directions.rates[usize::from(accelerations)];
        let seeds = known.get_or_init(|| Arc::new(self.seeds(alg, vars, accelerations)));
        Derivation::along(seeds.clone(), "_dot")
    }

    fn seeds(&self, alg: &Algebra, vars: &Vars, accelerations: bool) -> BTreeMap<Var, Expr> {
        let mut seeds: BTreeMap<Var, Expr> = BTreeMap::new();
        for (q, r) in vars.coords.iter().zip(&self.rate_values) {
            seeds.insert(*q, r.clone());
        }
        seeds.insert(vars.time, Expr::one());
        if accelerations {
            for (s, d) in self.speeds.iter().zip(&self.speed_dots) {
                seeds.insert(*s, alg.var(*d));
            }
        }
        seeds
    }

    /// The three speeds that are the components of an angular velocity omega, where the rates of a quaternion of these coordinates are
    /// `1/2 E^T omega`, whatever they may hold beside.
    pub fn spin_of(&self, alg: &Algebra, vars: &Vars, coords: [usize; 4]) -> Option<[usize; 3]> {
        let columns = vec3::quaternion_columns(&coords.map(|c| alg.var(vars.coords[c])));
        let turns = |k: &usize, axis: usize| {
            coords.iter().zip(&columns).all(|(c, column)| {
                let h = self.rates[*c].coef.get(k);
                let twice = h.map_or_else(Expr::zero, |h| Expr::int(2) * h);
                alg.equal(&twice, &column[axis])
            })
        };
        let held = || coords.iter().flat_map(|c| self.rates[*c].coef.keys());
        let found = [0, 1, 2].map(|axis| held().find(|k| turns(k, axis)).copied());
        match found {
            [Some(x), Some(y), Some(z)] => Some([x, y, z]),
            _ => None,
        }
    }

    /// A function of q, q', t in terms of the speeds.
    pub fn express(&self, alg: &mut Algebra, vars: &Vars, e: &Expr, name: &str) -> Expr {
        let values = self.rate_values.iter().cloned();
        let map: BTreeMap<Var, Expr> = vars.rates.iter().copied().zip(values).collect();
        let replaced = alg.restrict(e, &map, &mut FxHashMap::default());
        alg.define(name, replaced)
    }

    /// d/dt of a function of q and t, as linear in the speeds.
    pub fn rate_of(&self, alg: &mut Algebra, vars: &Vars, e: &Expr) -> Linear<Expr> {
        let mut coef: BTreeMap<usize, Expr> = BTreeMap::new();
        let mut bias = alg.partial(e, vars.time);
        for (i, q) in vars.coordinates_among(&alg.bases(e)) {
            let g = alg.partial(e, q);
            if g.is_literal_zero() {
                continue;
            }
            for (k, h) in &self.rates[i].coef {
                let term = &g * h;
                let new = coef.get(k).map_or_else(|| term.clone(), |old| old + &term);
                coef.insert(*k, new);
            }
            bias = bias + &g * &self.rates[i].bias;
        }
        Linear { coef, bias }
    }
}

/// A function of q, q', t at q' = 0. Subtracting the terms with q' instead would leave the rates in
/// the expression wherever nothing is multiplied out.
pub fn at_rest(alg: &mut Algebra, vars: &Vars, e: &Expr, name: &str) -> Expr {
    let zero: BTreeMap<Var, Expr> = vars.rates.iter().map(|r| (*r, Expr::zero())).collect();
    let still = alg.restrict(e, &zero, &mut FxHashMap::default());
    alg.define(name, still)
}
