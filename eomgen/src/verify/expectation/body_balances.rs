//! The momentum balances of bodies, row by row, from what holds every body in the second evaluation. The facts say along which axes the rows are taken, from
//! which of them motions follow, and along which reactions act; the rest follows.

use super::{Observation, Rule, plain};
use crate::facts::{BalanceRows, Fact};
use crate::verify::linear::{add, solve_square, sub, times, transposed};
use crate::verify::machine::{BodyBalances, Supports};
use crate::verify::number::{EvalError, Number};

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "balance_matrix" => |s| plain(Rows::read(s)?.matrix()?),
        "balance_rhs" => |s| plain(Rows::read(s)?.right()?),
        _ => return None,
    };
    Some(rule)
}

/// The rows of the module, and what they say.
struct Rows<'s, 'o, N> {
    s: &'s Observation<'o, N>,
    stated: BalanceRows,
    balances: &'s BodyBalances<N>,
    /// Directions from which the motion follows.
    independent: Vec<usize>,
    /// Directions along which generated reactions act.
    generated: Vec<usize>,
    /// Coordinates that move bodies, and those that do not.
    moving: Vec<usize>,
    massless: Vec<usize>,
    /// Partial velocities: directions by coordinates.
    partials: Vec<Vec<N>>,
}

fn wrong<T>(what: &str) -> Result<T, EvalError> {
    EvalError::unsupported(format!("`FACTS` does not state {what}"))
}

impl<'s, 'o, N: Number> Rows<'s, 'o, N> {
    fn read(s: &'s Observation<'o, N>) -> Result<Self, EvalError> {
        let stated = s.fact("what the rows are about", |fact| match fact {
            Fact::Balances(rows) => Some(rows.clone()),
            _ => None,
        })?;
        let Some(balances) = &s.point.body_balances else {
            return EvalError::unsupported("the balances of the bodies are not known");
        };
        if !balances.at_rest.are_directions(&stated.directions) {
            return wrong("all directions of the bodies in their order");
        }
        let places = |names: &[String], all: &[String]| -> Option<Vec<usize>> {
            let place = |name| all.iter().position(|other| other == name);
            names.iter().map(place).collect()
        };
        let generated = places(&stated.generated, &stated.directions);
        let declared = places(&stated.declared, &stated.directions);
        let massless = places(&stated.massless, &s.layout.coordinates);
        let (Some(generated), Some(declared), Some(massless)) = (generated, declared, massless)
        else {
            return wrong("known directions and coordinates");
        };
        let taken = |i: &usize| generated.contains(i) || declared.contains(i);
        let independent: Vec<usize> = (0..stated.directions.len()).filter(|i| !taken(i)).collect();
        let n = s.layout.coordinates.len();
        let moving: Vec<usize> = (0..n).filter(|k| !massless.contains(k)).collect();
        let pairs = s.point.pairs.len();
        let rises = |list: &[usize]| list.windows(2).all(|pair| pair[0] < pair[1]);
        if independent.len() != moving.len()
            || declared.len() != pairs
            || !rises(&generated)
            || !rises(&massless)
            || independent.len() + generated.len() + pairs != stated.directions.len()
        {
            return wrong("each direction once");
        }
        let mut rows = Self {
            s,
            balances,
            independent,
            generated,
            moving,
            massless,
            partials: Vec::new(),
            stated,
        };
        let columns = balances.partials.iter();
        let columns = columns.map(|column| rows.along(column));
        rows.partials = transposed(&columns.collect::<Result<Vec<_>, _>>()?);
        Ok(rows)
    }

    /// The components along all directions.
    fn along(&self, of: &Supports<N>) -> Result<Vec<N>, EvalError> {
        let words = self.stated.directions.iter();
        let all: Option<Vec<N>> = words.map(|word| of.component(word)).collect();
        match all {
            Some(all) => Ok(all),
            None => wrong("directions of bodies"),
        }
    }

    /// Forces on the bodies, and generalized forces that act on none: those as forces along the independent directions, and what is
    /// left of them for the coordinates without mass.
    fn rows(&self, along: &[N], forces: &[N]) -> Result<Vec<N>, EvalError> {
        let across: Vec<Vec<N>> = self.moving.iter().map(|k| self.across(*k)).collect();
        let right: Vec<N> = self.moving.iter().map(|k| forces[*k].clone()).collect();
        let x = solve_square(&across, &right)?;
        let mut list = along.to_vec();
        for (row, x) in self.independent.iter().zip(&x) {
            list[*row] = list[*row].add(x);
        }
        for k in &self.massless {
            let own = crate::verify::linear::dot(&self.across(*k), &x);
            list.push(forces[*k].sub(&own));
        }
        Ok(list)
    }

    /// The partial velocities of the independent directions by one rate.
    fn across(&self, coordinate: usize) -> Vec<N> {
        let rows = self.independent.iter();
        rows.map(|i| self.partials[*i][coordinate].clone())
            .collect()
    }

    /// Generalized forces that the bodies do not see: all, less those of what acts on bodies.
    fn on_none(&self, all: &[N], along: &[N]) -> Vec<N> {
        sub(all, &times(&transposed(&self.partials), along))
    }

    /// What acts at q'' = 0, less inertia.
    fn right(&self) -> Result<Vec<N>, EvalError> {
        let dynamics = &self.s.point.dynamics;
        let held = self.along(&self.balances.at_rest)?;
        let acting: Vec<N> = held.iter().map(N::neg).collect();
        let all = sub(&dynamics.applied, &dynamics.velocity_terms);
        let all = add(&all, &dynamics.nonideal);
        let mut list = self.rows(&acting, &self.on_none(&all, &acting))?;
        list.extend(dynamics.constraint_rhs.iter().cloned());
        Ok(list)
    }

    /// The coefficients of q'', and with the opposite sign of multipliers and reactions.
    fn matrix(&self) -> Result<Vec<N>, EvalError> {
        let dynamics = &self.s.point.dynamics;
        let n = self.s.layout.coordinates.len();
        let count = self.stated.directions.len() + self.massless.len();
        let mut columns: Vec<Vec<N>> = Vec::new();
        for unit in &self.balances.by_accelerations {
            let mut column = self.along(unit)?;
            column.resize(count, N::int(0));
            columns.push(column);
        }
        let minus = |list: Vec<N>| -> Vec<N> { list.iter().map(N::neg).collect() };
        for (r, unit) in self.balances.by_multipliers.iter().enumerate() {
            let acting = minus(self.along(unit)?);
            let coupled = |k: usize| dynamics.coupling.as_ref().map(|phi| phi[k][r].clone());
            let all = (0..n).map(|k| {
                let own = &dynamics.constraint_matrix[r][k];
                coupled(k).map_or_else(|| own.clone(), |phi| own.add(&phi))
            });
            let all: Vec<N> = all.collect();
            let rows = self.rows(&acting, &self.on_none(&all, &acting))?;
            columns.push(minus(rows));
        }
        for (_, unit) in &self.s.point.pairs {
            let mut column = self.along(unit)?;
            column.resize(count, N::int(0));
            columns.push(minus(column));
        }
        for row in &self.generated {
            let mut unit = vec![N::int(0); self.stated.directions.len()];
            unit[*row] = N::int(1);
            let forces = minus(self.partials[*row].clone());
            columns.push(minus(self.rows(&unit, &forces)?));
        }
        let width = columns.len();
        let mut entries: Vec<N> = transposed(&columns).into_iter().flatten().collect();
        for row in &dynamics.constraint_matrix {
            let mut row = row.clone();
            row.resize(width, N::int(0));
            entries.extend(row);
        }
        Ok(entries)
    }
}
