//! Quasi-velocities of all n directions, the constrained ones included (O'Reilly et al. 2.18, 6.10): `u = J q' + j`, `q' = H u + h0`.
//!
//! First come velocities that the constraints leave free, then one for each independent constraint row: the speed of which the row
//! says what it is, or else the row's velocity form itself, which is then 0. Knows nothing of the equations of motion.

use super::{Context, Table, linear};
use crate::diag;
use crate::elim::{self, Matrix, echelon};
use crate::facts::{Fact, Fixed};
use crate::mech::Fault;
use crate::mech::inverse;
use crate::mech::motion::at_rest;
use crate::sym::{Class, Derivation, Expr, Var};
use std::collections::BTreeMap;

/// A quasi-velocity that a constraint row fixes.
#[derive(Clone, Debug)]
pub struct Held {
    /// The row's name.
    pub row_name: String,
    /// What it is where the row holds: a function of q and t, most often 0.
    pub value: Expr,
}

/// n quasi-velocities and their inverse.
#[derive(Clone, Debug)]
pub struct QuasiVelocities {
    /// Their names.
    pub names: Vec<String>,
    /// Their symbols.
    pub symbols: Vec<Var>,
    /// How many are free; those after them are held, one by each of `held`.
    pub free: usize,
    /// The held ones.
    pub held: Vec<Held>,
    /// J, one row per quasi-velocity.
    pub jacobian: Matrix,
    /// j.
    pub drift: Vec<Expr>,
    /// H, one row per coordinate.
    pub inverse: Matrix,
    /// `h0 = -H j`
    pub rest: Vec<Expr>,
    /// Whether the free ones are a choice that other states may spoil.
    partial: bool,
}

impl QuasiVelocities {
    /// The speeds of the state, and one held quasi-velocity for each row that was used to eliminate others. Where rows remain to be
    /// imposed on the accelerations these are all speeds.
    pub fn of_state(c: &mut Context<'_>) -> diag::Result<Self> {
        let free = c.speeds.independent.clone();
        let rows = if c.speeds.reduced {
            c.constraints.independent.clone()
        } else {
            Vec::new()
        };
        Self::derive(c, &free, &rows)
    }

    /// The rates of the coordinates; no row is among them.
    pub fn of_rates(c: &mut Context<'_>) -> diag::Result<Self> {
        let n = c.vars.rates.len();
        let unit = |i| elim::unit(n, i);
        Ok(Self {
            names: linear::rates(c),
            symbols: c.vars.rates.clone(),
            free: n,
            held: Vec::new(),
            jacobian: (0..n).map(unit).collect(),
            drift: vec![Expr::zero(); n],
            inverse: (0..n).map(unit).collect(),
            rest: vec![Expr::zero(); n],
            partial: false,
        })
    }

    /// As many as leave one for every independent row, on a chart that is good at almost every state where none is good at all.
    pub fn complete(c: &mut Context<'_>) -> diag::Result<Self> {
        let rows = c.constraints.independent.clone();
        if c.speeds.reduced || rows.is_empty() {
            return Self::of_state(c);
        }
        let all: Vec<usize> = (0..c.speeds.speeds.len()).collect();
        let mut matrix = c.constraints.independent_matrix();
        for i in &all {
            let (row, _) = definition(c, *i);
            matrix.push(row);
        }
        let kept = echelon(&c.alg, &matrix, &all).rows;
        let free: Vec<usize> = kept
            .into_iter()
            .filter_map(|k| k.checked_sub(rows.len()))
            .collect();
        let mut found = Self::derive(c, &free, &rows)?;
        found.partial = true;
        Ok(found)
    }

    fn derive(c: &mut Context<'_>, free: &[usize], rows: &[usize]) -> diag::Result<Self> {
        let speed = |c: &mut Context<'_>, i: usize| {
            let (row, rest) = definition(c, i);
            let speed = &c.speeds.speeds[i];
            (speed.name.clone(), speed.var, row, rest)
        };
        // Names, symbols, rows of J and entries of j.
        let mut all: Vec<(String, Var, Vec<Expr>, Expr)> = Vec::new();
        all.extend(free.iter().map(|i| speed(c, *i)));
        let others = (0..c.speeds.speeds.len()).filter(|i| !free.contains(i));
        let others: Vec<_> = others.map(|i| speed(c, i)).collect();
        let mut held = Vec::new();
        for r in rows {
            let row = c.constraints.rows[*r].clone();
            let own = others.iter().find(|(_, _, matrix, _)| {
                let mut entries = matrix.iter().zip(&row.a);
                entries.all(|(x, y)| c.alg.equal(x, y))
            });
            let value = match own {
                // The row reads `u3 = e`, e being what is left of u3 where the row's velocity form vanishes.
                Some(own) => {
                    all.push(own.clone());
                    let value = &own.3 - &row.velocity_bias;
                    c.alg.define(&format!("held_{}", row.name), value)
                }
                None => {
                    let symbol = c.alg.base(&row.name, Class::Speed, None);
                    let name = row.name.clone();
                    all.push((name, symbol, row.a.clone(), row.velocity_bias.clone()));
                    Expr::zero()
                }
            };
            held.push(Held {
                row_name: row.name,
                value,
            });
        }
        let jacobian: Matrix = all.iter().map(|(_, _, row, _)| row.clone()).collect();
        let drift: Vec<Expr> = all.iter().map(|(.., j)| j.clone()).collect();
        let (inverse, rest) = inverted(c, &jacobian, &drift)?;
        let (names, symbols) = all.into_iter().map(|(name, v, ..)| (name, v)).unzip();
        Ok(Self {
            names,
            symbols,
            free: free.len(),
            held,
            jacobian,
            drift,
            inverse,
            rest,
            partial: false,
        })
    }

    /// q' in terms of all quasi-velocities.
    pub fn rates(&self, c: &mut Context<'_>) -> Vec<Expr> {
        let u: Vec<Expr> = self.symbols.iter().map(|v| c.alg.var(*v)).collect();
        let mut list = Vec::with_capacity(self.rest.len());
        for ((row, rest), q) in self.inverse.iter().zip(&self.rest).zip(&c.system.coords) {
            let sum: Expr = row.iter().zip(&u).map(|(h, u)| h * u).sum();
            let name = format!("{}_dot", q.meta.name);
            list.push(c.alg.define(&name, sum + rest));
        }
        list
    }

    /// The held ones with their values.
    pub fn holding(&self) -> BTreeMap<Var, Expr> {
        let held = self.held.iter().map(|h| h.value.clone());
        self.symbols[self.free..]
            .iter()
            .copied()
            .zip(held)
            .collect()
    }

    /// The transposition coefficients `gamma^M_KN` by M, K, N, and `gamma^M_K0` by M, K: how far the quasi-velocities are from being
    /// rates of coordinates.
    pub fn transposition(&self, c: &mut Context<'_>) -> Transposition {
        let n = self.names.len();
        let coords = c.vars.coords.clone();
        let mut pairs = vec![vec![vec![Expr::zero(); n]; n]; n];
        let mut drift = vec![vec![Expr::zero(); n]; n];
        for m in 0..n {
            let row = self.jacobian[m].clone();
            // dJ_L/dq_P, and with it the antisymmetric dJ_L/dq_P - dJ_P/dq_L.
            let mut slopes: Matrix = vec![vec![Expr::zero(); n]; n];
            for (p, q) in coords.iter().enumerate() {
                let mut d = Derivation::partial(*q, &format!("_{}", c.alg.info(*q).name));
                for (l, e) in row.iter().enumerate() {
                    slopes[l][p] = c.alg.derivative(e, &mut d);
                }
            }
            let mut curl: Vec<(usize, usize, Expr)> = Vec::new();
            for l in 0..n {
                for p in l + 1..n {
                    let e = c.alg.define("curl", &slopes[l][p] - &slopes[p][l]);
                    if !e.is_literal_zero() {
                        curl.push((l, p, e));
                    }
                }
            }
            let h = &self.inverse;
            for k in 0..n {
                for v in k + 1..n {
                    let mut sum = Expr::zero();
                    for (l, p, e) in &curl {
                        sum = sum + e * (&h[*l][k] * &h[*p][v] - &h[*p][k] * &h[*l][v]);
                    }
                    let e = c.alg.define("gamma", sum);
                    pairs[m][v][k] = -&e;
                    pairs[m][k][v] = e;
                }
            }
            // In time: with q'_P = sum H_PN u_N + h0_P what is free of u.
            let time = c.vars.time;
            let mut by_coordinate: Vec<Expr> = Vec::with_capacity(n);
            for (l, q) in coords.iter().enumerate() {
                let slope = c.alg.partial(&row[l], time);
                by_coordinate.push(slope - c.alg.partial(&self.drift[m], *q));
            }
            for (l, p, e) in &curl {
                by_coordinate[*l] = &by_coordinate[*l] + e * &self.rest[*p];
                by_coordinate[*p] = &by_coordinate[*p] - e * &self.rest[*l];
            }
            for k in 0..n {
                let sum: Expr = by_coordinate
                    .iter()
                    .zip(h)
                    .map(|(e, row)| e * &row[k])
                    .sum();
                drift[m][k] = c.alg.define("gamma_0", sum);
            }
        }
        Transposition { pairs, drift }
    }

    /// J, j or H as a table; `None` for any other name.
    pub fn table(&self, c: &Context<'_>, name: &str) -> Option<Table> {
        let (names, rates) = (self.names.clone(), linear::rates(c));
        let table = match name {
            "quasi_velocity_matrix" => {
                let entries = self.jacobian.clone();
                Table::matrix("quasi_velocity_matrix", names, rates, entries)
            }
            "quasi_velocity_drift" => {
                Table::vector("quasi_velocity_drift", names, self.drift.clone())
            }
            "inverse_quasi_velocity_matrix" => {
                let entries = self.inverse.clone();
                Table::matrix("inverse_quasi_velocity_matrix", rates, names, entries)
            }
            _ => return None,
        };
        Some(self.tell(table))
    }

    /// The table with what there is to say of its quasi-velocities.
    pub fn tell(&self, table: Table) -> Table {
        table.noted(self.note()).stating(self.fact())
    }

    /// Which quasi-velocities these are, as data.
    fn fact(&self) -> Fact {
        let (free, rest) = self.names.split_at(self.free);
        let fixed = rest.iter().zip(&self.held).map(|(name, h)| {
            if *name == h.row_name {
                Fixed::Row(name.clone())
            } else {
                Fixed::Speed(name.clone())
            }
        });
        Fact::QuasiVelocities(free.to_vec(), fixed.collect())
    }

    /// Which quasi-velocities these are.
    pub fn note(&self) -> String {
        let free = self.names[..self.free].join(", ");
        if self.held.is_empty() {
            return format!("The quasi-velocities are {free}; no constraint row is among them.");
        }
        let held: Vec<String> = self.names[self.free..]
            .iter()
            .zip(&self.held)
            .map(|(name, h)| {
                if *name == h.row_name {
                    format!("{name} (what the constraint makes zero)")
                } else {
                    format!("{name} (fixed by {})", h.row_name)
                }
            })
            .collect();
        let chart = if self.partial {
            " They fail where they do not determine the rates."
        } else {
            ""
        };
        let free = if free.is_empty() {
            "none is free".to_string()
        } else {
            free
        };
        format!(
            "The quasi-velocities are {free}; then {}.{chart}",
            held.join(", ")
        )
    }
}

/// Transposition (Hamel) coefficients.
#[derive(Clone, Debug)]
pub struct Transposition {
    /// `gamma^M_KN` at `[M][K][N]`.
    pub pairs: Vec<Matrix>,
    /// `gamma^M_K0` at `[M][K]`.
    pub drift: Matrix,
}

/// H and `h0 = -H j`.
fn inverted(
    c: &mut Context<'_>,
    jacobian: &Matrix,
    drift: &[Expr],
) -> diag::Result<(Matrix, Vec<Expr>)> {
    let mut rhs = elim::identity(drift.len());
    for (row, j) in rhs.iter_mut().zip(drift) {
        row.push(-j);
    }
    let Some(found) = inverse::solve(&mut c.alg, jacobian, &rhs) else {
        let fault = Fault::internal("quasi-velocities that do not determine the rates");
        return Err(vec![fault.at(crate::span::Span::default())]);
    };
    let mut inverse = found.x;
    let rest = inverse
        .iter_mut()
        .map(|row| row.pop().unwrap_or_else(Expr::zero))
        .collect();
    Ok((inverse, rest))
}

/// A speed's row of J and entry of j.
fn definition(c: &mut Context<'_>, i: usize) -> (Vec<Expr>, Expr) {
    let e = c.speeds.speeds[i].definition.clone();
    let vars = c.vars.clone();
    let mut row = Vec::with_capacity(vars.rates.len());
    for r in &vars.rates {
        let p = c.alg.partial(&e, *r);
        row.push(c.alg.define("j", p));
    }
    let rest = at_rest(&mut c.alg, &vars, &e, "j0");
    (row, rest)
}
