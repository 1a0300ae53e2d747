//! The speeds as declared: each linear in the rates, independent of one another; and the rates that are speeds by
//! default, so that there is one for each coordinate. Knows nothing of constraints.

use super::kinematics::Kinematics;
use super::motion::at_rest;
use super::speed::Speed;
use super::value::Values;
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Echelon, Matrix, echelon};
use crate::field::Extended;
use crate::model::System;
use crate::model::system::{self, Scalar};
use crate::sym::{Algebra, Class, Expr};

/// All speeds with `u = J q' + j`.
#[derive(Clone)]
pub struct Declared {
    /// n speeds: declared, then default ones.
    pub speeds: Vec<Speed>,
    /// Rows of J; none for the rate of a coordinate, whose row is one of the unit matrix.
    pub rows: Vec<Option<Vec<Expr>>>,
    /// j.
    pub drift: Vec<Expr>,
}

impl Declared {
    /// Whether the speeds are the rates themselves.
    pub fn is_identity(&self) -> bool {
        let mut speeds = self.speeds.iter().enumerate();
        speeds.all(|(i, s)| s.coordinate == Some(i) && s.declared.is_none())
    }

    /// J, of so many of the first speeds as are there.
    pub fn jacobian(&self) -> Matrix {
        (0..self.speeds.len()).map(|i| self.row(i)).collect()
    }

    /// A row of J.
    pub fn row(&self, i: usize) -> Vec<Expr> {
        match &self.rows[i] {
            Some(row) => row.clone(),
            // A default speed is the rate of a coordinate.
            None => elim::unit(self.speeds.len(), self.speeds[i].coordinate.unwrap_or(i)),
        }
    }

    fn push(&mut self, speed: Speed, row: Option<Vec<Expr>>, drift: Expr) {
        self.speeds.push(speed);
        self.rows.push(row);
        self.drift.push(drift);
    }
}

/// The declared speeds, checked, and the default ones, with `u = J q' + j`.
pub fn declared(alg: &mut Algebra, values: &Values<'_>, k: &Kinematics) -> diag::Result<Declared> {
    let system = values.system;
    let mut all = Declared {
        speeds: Vec::new(),
        rows: Vec::new(),
        drift: Vec::new(),
    };
    let mut errors = Vec::new();
    for (d, s) in system.speeds.iter().enumerate() {
        let stated = values.scalar(alg, k, &s.value);
        let speed = stated
            .map_err(|f| f.at(s.meta.span))
            .and_then(|e| linear(alg, values, (d, s), e));
        match speed {
            Ok((speed, row, drift)) => all.push(speed, Some(row), drift),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let order: Vec<usize> = (0..system.coords.len()).collect();
    let rank = echelon(alg, &all.jacobian(), &order);
    if rank.rank() < all.speeds.len() {
        return Err(dependent(alg, system, &all, &rank));
    }
    for i in default_rates(system, rank, &order) {
        let (var, dot) = (values.vars.rates[i], values.vars.rate_dots[i]);
        let speed = Speed {
            name: alg.info(var).name.clone(),
            var,
            dot,
            definition: alg.var(var),
            declared: None,
            coordinate: Some(i),
            row: None,
        };
        all.push(speed, None, Expr::zero());
    }
    Ok(all)
}

/// A declared speed with its row of J and j, if it is linear in the rates.
fn linear(
    alg: &mut Algebra,
    values: &Values<'_>,
    (number, stated): (usize, &system::Speed),
    e: Expr,
) -> Result<(Speed, Vec<Expr>, Expr), Diagnostic> {
    let (vars, meta) = (values.vars, &stated.meta);
    let definition = alg.define(&meta.name, e);
    let mut row = Vec::with_capacity(vars.rates.len());
    let mut linear = true;
    for r in &vars.rates {
        let p = alg.partial(&definition, *r);
        if p.is_literal_zero() {
            row.push(p);
            continue;
        }
        let p = alg.define("j", p);
        linear &= !alg.depends(&p, &|v| vars.rates.contains(&v));
        row.push(p);
    }
    let foreign = alg.depends(&definition, &|v| {
        vars.rate_dots.contains(&v) || vars.is_external(v)
    });
    if !linear || foreign || row.iter().all(|e| alg.is_zero(e)) {
        let label = if foreign {
            "this depends on accelerations or inputs"
        } else if linear {
            "no rate appears here"
        } else {
            "this is not linear in the rates"
        };
        let title = format!("speed `{}` is not a generalized speed", meta.name);
        let error = Diagnostic::error("E0307", title, meta.span, label);
        return Err(error.help("a speed is a combination of rates with coefficients that depend on coordinates and time, such as `dot(vel(P), B.x)` or `theta'`"));
    }
    let drift = at_rest(alg, vars, &definition, "j0");
    let own = alg.as_var(&definition);
    let speed = Speed {
        name: meta.name.clone(),
        coordinate: vars.rates.iter().position(|r| own == Some(*r)),
        var: alg.base(&meta.name, Class::Speed, None),
        dot: alg.base(&format!("{}'", meta.name), Class::Acceleration, None),
        definition,
        declared: Some(number),
        row: None,
    };
    Ok((speed, row, drift))
}

/// What is wrong with speeds that depend on one another.
fn dependent(
    alg: &mut Algebra,
    system: &System,
    all: &Declared,
    rank: &Echelon,
) -> Vec<Diagnostic> {
    let n = system.coords.len();
    let free = missing(alg, system, &all.jacobian());
    let mut errors = Vec::new();
    for i in (0..all.speeds.len()).filter(|i| !rank.rows.contains(i)) {
        let name = &all.speeds[i].name;
        let why = match combination(alg, all, rank, i) {
            _ if i >= n => format!("{n} coordinates allow only {n} speeds"),
            Some(text) => format!("its rates enter as in {text}"),
            None => "it is a combination of the others".to_string(),
        };
        let wrong = Diagnostic::error(
            "E0308",
            format!("speed `{name}` is not independent of the others"),
            system.speeds[i].meta.span,
            why,
        );
        let rates: Vec<String> = free.iter().map(|c| format!("`{c}'`")).collect();
        errors.push(match free.first() {
            None => wrong.help("remove it"),
            Some(first) => wrong
                .note(format!("the speeds do not determine {}", rates.join(", ")))
                .help(format!(
                    "remove it, or define it by an independent combination, such as `speed {name} = {first}'`"
                )),
        });
    }
    errors
}

/// The default speeds: rates, privileged ones first, then in the order of the coordinates; a rate joins if the set stays independent.
fn default_rates(system: &System, mut rank: Echelon, order: &[usize]) -> Vec<usize> {
    let n = order.len();
    if rank.rank() == 0 {
        return order.to_vec();
    }
    let privileged = system.privileged.iter().filter_map(|(s, _)| match s {
        Scalar::Rate(inner) => match **inner {
            Scalar::Coord(c) => Some(c.index()),
            _ => None,
        },
        _ => None,
    });
    let mut chosen: Vec<usize> = Vec::new();
    for i in privileged.chain(0..n) {
        if rank.rank() == n || chosen.contains(&i) {
            continue;
        }
        let mut unit = vec![Extended::ZERO; n];
        unit[i] = Extended::ONE;
        if rank.grow(rank.rank(), unit, order) {
            chosen.push(i);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The coordinates whose rates the speeds do not determine.
fn missing(alg: &Algebra, system: &System, jacobian: &Matrix) -> Vec<String> {
    let n = system.coords.len();
    let order: Vec<usize> = (0..n).collect();
    let rank = echelon(alg, jacobian, &order).rank();
    let free = (0..n).filter(|c| {
        let mut trial = jacobian.clone();
        trial.push(elim::unit(n, *c));
        echelon(alg, &trial, &order).rank() > rank
    });
    free.map(|c| system.coords[c].meta.name.clone()).collect()
}

/// Longest combination that is written out.
const READABLE: usize = 120;

/// A dependent speed in terms of the independent ones before it: `2*u1 - cos(q)*u2`, or their names if that is long.
fn combination(alg: &mut Algebra, all: &Declared, rank: &Echelon, i: usize) -> Option<String> {
    let (speeds, jacobian) = (&all.speeds, all.jacobian());
    let r = rank.rows.iter().take_while(|j| **j < i).count();
    let columns = &rank.columns[..r];
    let transposed: Matrix = columns
        .iter()
        .map(|c| (0..r).map(|j| jacobian[rank.rows[j]][*c].clone()).collect())
        .collect();
    let right: Matrix = columns
        .iter()
        .map(|c| vec![jacobian[i][*c].clone()])
        .collect();
    let solved = elim::solve(alg, &transposed, &right)?;
    let mut sum = Expr::zero();
    let mut names = Vec::new();
    for (j, x) in solved.x.iter().enumerate() {
        let speed = &speeds[rank.rows[j]];
        if !alg.is_zero(&x[0]) {
            names.push(format!("`{}`", speed.name));
            sum = sum + &x[0] * alg.var(speed.var);
        }
    }
    if alg.inlined_size(&sum, 2000) < 2000 {
        let flat = alg.inline(&sum);
        let text = alg.text(&flat);
        if text.len() <= READABLE {
            return Some(format!("`{text}`"));
        }
    }
    Some(format!("a combination of {}", names.join(", ")))
}
