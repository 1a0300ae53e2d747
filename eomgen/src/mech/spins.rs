//! Quaternions of length 1 as kinematics. Where the speeds of the state keep a quaternion's rates, or the rate of its norm, the equations of motion have
//! inertia for three of four directions and a constraint row for the fourth. Written in the angular velocity in their place they need neither: the
//! row holds by `e' = 1/2 E^T omega`. So for the solution, though not for the state, the speeds are these. And where the rates of three angles leave a
//! body without inertia at a pole of theirs, its angular velocity does not: it takes their place too. Knows nothing of solutions.

use super::attitude::{Attitude, attitudes};
use super::constraints::{Constraints, Level};
use super::kinematics::{Components, Kinematics};
use super::motion::{Directions, Motion};
use super::speeds::SpeedSet;
use super::vars::Vars;
use super::vec3::{Linear, quaternion_columns};
use crate::diag;
use crate::model::System;
use crate::model::system::{Orientation, Scalar};
use crate::sym::{Algebra, Class, Expr, Var};
use std::collections::BTreeMap;

/// Kinematics in speeds of which none would change a quaternion's length, and in which bodies have inertia wherever their angles are.
pub struct Spins {
    /// The kinematics.
    pub kinematics: Kinematics,
    /// The angular velocities: their symbols, and what they are in q and q'.
    pub definitions: Vec<(Var, Expr)>,
    /// The coordinates of each quaternion, and the speeds that are the components of its angular velocity.
    pub quaternions: Vec<([usize; 4], [usize; 3])>,
    /// The coordinates of each attitude by three, whose rates follow from its angular velocity except at a pole.
    pub angles: Vec<[usize; 3]>,
    /// The rows that hold by themselves.
    pub rows: Vec<usize>,
    /// The rates of the state's speeds that are zero on every motion.
    pub idle: Vec<Var>,
    /// How many of the first speeds are speeds of the state.
    kept: usize,
}

/// A quaternion that a row keeps at length 1.
pub struct Unit<'s> {
    frame: &'s str,
    /// Its coordinates.
    pub coords: [usize; 4],
    /// The number of the row.
    pub row: usize,
}

impl Spins {
    /// The coordinates whose rates are speeds of the state and give way to angular velocities.
    pub fn replaced(&self) -> Vec<usize> {
        let all = self.quaternions.iter().filter(|q| q.1[0] >= self.kept);
        let angles = self.angles.iter().flatten().copied();
        all.flat_map(|q| q.0).chain(angles).collect()
    }

    /// The quaternion that a coordinate is a part of.
    pub fn of(&self, c: usize) -> Option<&([usize; 4], [usize; 3])> {
        self.quaternions.iter().find(|q| q.0.contains(&c))
    }

    /// `None` where no quaternion's norm is left to the equations of motion, and no attitude by angles.
    pub fn derive(
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        speeds: &SpeedSet,
        constraints: &Constraints,
        (by_rates, components): (&Kinematics, Components),
    ) -> Option<diag::Result<Self>> {
        if speeds.reduced {
            return None;
        }
        let mut change = Change::new(&speeds.motion);
        for unit in units(alg, system, vars, constraints) {
            change.take(alg, vars, speeds, &unit);
        }
        if !alg.is_closed() {
            for attitude in attitudes(alg, system, vars, by_rates, constraints) {
                change.turn(alg, vars, speeds, &attitude);
            }
        }
        if change.rows.is_empty() && change.angles.is_empty() {
            return None;
        }
        let motion = change.motion();
        let kept = motion.speeds.len() - change.definitions.len();
        let kinematics = Kinematics::derive(alg, system, vars, motion, components);
        Some(kinematics.map(|kinematics| Self {
            kinematics,
            definitions: change.definitions,
            quaternions: change.quaternions,
            angles: change.angles,
            rows: change.rows,
            idle: change.idle,
            kept,
        }))
    }
}

/// The quaternions, each with the row of its norm.
pub fn units<'s>(
    alg: &Algebra,
    system: &'s System,
    vars: &Vars,
    constraints: &Constraints,
) -> Vec<Unit<'s>> {
    let mut list: Vec<Unit<'s>> = Vec::new();
    for coords in system.unit_quaternions() {
        let of = |orientation: &Orientation| match orientation {
            Orientation::Quaternion { parts, unit: true } => parts
                .iter()
                .zip(coords)
                .all(|(part, c)| matches!(part, Scalar::Coord(id) if id.index() == c)),
            _ => false,
        };
        let frame = system
            .frames
            .iter()
            .find(|f| f.orientation.as_ref().is_some_and(|o| of(&o.1)));
        let keeps_length = |row: &usize| {
            let row = &constraints.rows[*row];
            let mut entries = row.a.iter().enumerate();
            row.level == Level::Position
                && entries.all(|(c, entry)| {
                    let part = alg.var(vars.coords[c]);
                    let held = coords.contains(&c);
                    let expected = if held {
                        Expr::int(2) * part
                    } else {
                        Expr::zero()
                    };
                    alg.equal(entry, &expected)
                })
        };
        let row = constraints.independent.iter().copied().find(keeps_length);
        if let (Some(frame), Some(row)) = (frame, row) {
            list.push(Unit {
                frame: &frame.meta.name,
                coords,
                row,
            });
        }
    }
    list
}

/// The speeds of the state on their way to others.
struct Change<'m> {
    of: &'m Motion,
    /// The new place of each speed of the state, if it stays.
    places: Vec<Option<usize>>,
    speeds: Vec<(Var, Var)>,
    /// Rates of coordinates that are written in the new speeds.
    rates: BTreeMap<usize, Linear<Expr>>,
    /// Their values, the rates themselves.
    values: BTreeMap<usize, Expr>,
    definitions: Vec<(Var, Expr)>,
    quaternions: Vec<([usize; 4], [usize; 3])>,
    angles: Vec<[usize; 3]>,
    rows: Vec<usize>,
    idle: Vec<Var>,
}

impl<'m> Change<'m> {
    fn new(of: &'m Motion) -> Self {
        let speeds = of.speeds.iter().copied().zip(of.speed_dots.iter().copied());
        Self {
            of,
            places: (0..of.speeds.len()).map(Some).collect(),
            speeds: speeds.collect(),
            rates: BTreeMap::new(),
            values: BTreeMap::new(),
            definitions: Vec::new(),
            quaternions: Vec::new(),
            angles: Vec::new(),
            rows: Vec::new(),
            idle: Vec::new(),
        }
    }

    fn take(&mut self, alg: &mut Algebra, vars: &Vars, speeds: &SpeedSet, unit: &Unit<'_>) {
        let own = |c: usize| speeds.speeds.iter().position(|s| s.coordinate == Some(c));
        if let [Some(a), Some(b), Some(c), Some(d)] = unit.coords.map(own) {
            self.replace(alg, vars, unit, [a, b, c, d]);
            return;
        }
        let idle = speeds.speeds.iter().position(|s| s.row == Some(unit.row));
        if let Some(idle) = idle
            && let Some(spin) = self.of.spin_of(alg, vars, unit.coords)
        {
            self.places[idle] = None;
            self.idle.push(self.of.speed_dots[idle]);
            self.quaternions.push((unit.coords, spin));
            self.rows.push(unit.row);
        }
    }

    /// The angular velocity in the place of four rates, unless other rates depend on these.
    fn replace(&mut self, alg: &mut Algebra, vars: &Vars, unit: &Unit<'_>, rates: [usize; 4]) {
        if !self.give_way(&unit.coords, &rates) {
            return;
        }
        let e = unit.coords.map(|c| alg.var(vars.coords[c]));
        let e_dot = unit.coords.map(|c| alg.var(vars.rates[c]));
        let columns = quaternion_columns(&e);
        let square: Expr = e.iter().map(|e| e * e).sum();
        let sums = [0, 1, 2].map(|axis| {
            let terms = columns.iter().zip(&e_dot);
            let sum: Expr = terms.map(|(column, rate)| &column[axis] * rate).sum();
            Expr::int(2) * sum / &square
        });
        let first = self.spin(alg, unit.frame, sums);
        for ((c, column), rate) in unit.coords.iter().zip(&columns).zip(e_dot) {
            let half = column.iter().map(|x| x / Expr::int(2));
            self.rates.insert(*c, along(first, half));
            self.values.insert(*c, rate);
        }
        self.quaternions
            .push((unit.coords, [first, first + 1, first + 2]));
        self.rows.push(unit.row);
    }

    /// The angular velocity in the place of three rates, if these are speeds and no other rates depend on them.
    fn turn(&mut self, alg: &mut Algebra, vars: &Vars, speeds: &SpeedSet, of: &Attitude<'_>) {
        let own = |c: usize| speeds.speeds.iter().position(|s| s.coordinate == Some(c));
        let [Some(a), Some(b), Some(c)] = of.coords.map(own) else {
            return;
        };
        if !self.give_way(&of.coords, &[a, b, c]) {
            return;
        }
        let dots = of.coords.map(|c| alg.var(vars.rates[c]));
        let sums = [0, 1, 2].map(|axis| {
            let terms = of.columns.iter().zip(&dots);
            terms.map(|(column, rate)| &column[axis] * rate).sum()
        });
        let first = self.spin(alg, of.frame, sums);
        for (c, row) in of.coords.iter().zip(&of.rates) {
            let name = &alg.info(vars.rates[*c]).name.replace('\'', "_dot");
            let row: Vec<Expr> = row
                .iter()
                .map(|e| alg.define(&format!("{name}_w"), e.clone()))
                .collect();
            let omega = self.speeds[first..].iter().map(|(var, _)| alg.var(*var));
            let value = row.iter().zip(omega).map(|(e, w)| e * w).sum();
            self.values.insert(*c, alg.define(name, value));
            self.rates.insert(*c, along(first, row.into_iter()));
        }
        self.angles.push(of.coords);
    }

    /// Takes speeds of the state out, which are the rates of these coordinates; false where rates of others depend on them.
    fn give_way(&mut self, coords: &[usize], rates: &[usize]) -> bool {
        let depends = |(c, rate): (usize, &Linear<Expr>)| {
            !coords.contains(&c) && rates.iter().any(|s| rate.coef.contains_key(s))
        };
        if self.of.rates.iter().enumerate().any(depends) {
            return false;
        }
        for place in rates {
            self.places[*place] = None;
        }
        true
    }

    /// The components of an angular velocity as speeds, whose definitions are these; the number of the first.
    fn spin(&mut self, alg: &mut Algebra, frame: &str, definitions: [Expr; 3]) -> usize {
        let first = self.speeds.len();
        for (axis, definition) in ["x", "y", "z"].into_iter().zip(definitions) {
            let name = format!("w_{frame}.{axis}");
            let var = alg.base(&name, Class::Speed, None);
            let dot = alg.base(&format!("{name}'"), Class::Acceleration, None);
            self.definitions.push((var, definition));
            self.speeds.push((var, dot));
        }
        first
    }

    /// The speeds that are left, and the new ones behind them.
    fn motion(&mut self) -> Motion {
        let old = self.of.speeds.len();
        let mut new: Vec<Option<usize>> = Vec::new();
        let mut speeds: Vec<(Var, Var)> = Vec::new();
        for (i, pair) in self.speeds.iter().enumerate() {
            let stays = i >= old || self.places[i].is_some();
            new.push(stays.then_some(speeds.len()));
            if stays {
                speeds.push(*pair);
            }
        }
        let moved = |rate: &Linear<Expr>| Linear {
            coef: rate
                .coef
                .iter()
                .filter_map(|(k, x)| Some((new[*k]?, x.clone())))
                .collect(),
            bias: rate.bias.clone(),
        };
        let each = self.of.rates.iter().enumerate();
        let rates = each.map(|(c, rate)| moved(self.rates.get(&c).unwrap_or(rate)));
        let values = self.of.rate_values.iter().enumerate();
        let values = values.map(|(c, value)| self.values.get(&c).unwrap_or(value).clone());
        let motion = Motion {
            speeds: speeds.iter().map(|pair| pair.0).collect(),
            speed_dots: speeds.iter().map(|pair| pair.1).collect(),
            rates: rates.collect(),
            rate_values: values.collect(),
            declared: self.of.declared.clone(),
            directions: Directions::default(),
        };
        for (_, spin) in &mut self.quaternions {
            *spin = spin.map(|k| new[k].unwrap_or(k));
        }
        motion
    }
}

/// A rate that is linear in three speeds from this one.
fn along(first: usize, coefficients: impl Iterator<Item = Expr>) -> Linear<Expr> {
    let coef = coefficients.enumerate().map(|(axis, x)| (first + axis, x));
    Linear {
        coef: coef.filter(|(_, x)| !x.is_literal_zero()).collect(),
        bias: Expr::zero(),
    }
}
