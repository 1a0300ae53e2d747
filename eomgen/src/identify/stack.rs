//! The regressor at many states of one machine, as numbers: exactly in a field where states are free, in doubles where they have to meet constraints on
//! positions. Knows nothing of which columns depend on which.

use super::number::{Echelon, Number, echelon};
use crate::field::{Residue, pseudo_random};
use crate::form::solution;
use crate::form::{Context, Space};
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::{Function, Slot, Sphere, Value, field, on_spheres};
use crate::lower::Lowering;
use crate::manifold::{Closing, State};
use crate::mech::constraints::{Level, Row};
use crate::mech::mechanics::Mechanics;
use crate::sym::{Expr, Var};

/// Groups of inputs.
const TIME: u8 = 0;
const PARAMS: u8 = 1;
const COORDS: u8 = 2;
/// Inputs and states of first order.
const FREE: u8 = 3;
/// Rates of the speeds.
const DOTS: u8 = 4;
const SPEEDS: u8 = 5;
/// Rates of the coordinates.
const RATES: u8 = 6;

/// What is left of a row, relative to its size, that depends on others.
const DEPENDENT: f64 = 1e-8;
/// Further rows than there are columns.
const SURPLUS: usize = 4;
/// States that may fail for each that is needed.
const TRIES: usize = 6;
/// States that fail, one after the other from the beginning, before nothing more is expected.
const VAIN: u64 = 12;
/// Starts of searches for each state that is needed.
const STARTS: usize = 12;
/// Parameters that are drawn at most before a machine counts as one that moves with its own alone.
const DRAWS: u64 = 6;

/// What is evaluated.
pub(super) struct Stack<'a> {
    low: Lowering,
    /// Entries by rows of a state, then the atoms.
    roots: Vec<Value>,
    width: usize,
    height: usize,
    /// Constraint rows between the speeds.
    imposed: usize,
    spheres: Vec<Sphere>,
    closing: Option<Closing<'a>>,
}

/// Which parameters: a draw, one of them changed, functions of another kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Draw {
    /// Number of the draw.
    pub number: u64,
    /// The parameter that is another.
    pub changed: Option<usize>,
    /// Whether functions that the field lacks are others.
    pub functions: u64,
}

/// What the columns come to with some parameters.
pub(super) struct Found<N> {
    pub echelon: Echelon<N>,
    /// Values of the atoms.
    pub atoms: Vec<N>,
}

impl<'a> Stack<'a> {
    /// Of a matrix with the given rows, and of atoms; `rates` are symbols of rates of the speeds.
    pub fn new(
        c: &mut Context<'_>,
        mechanics: &'a Mechanics<'_>,
        rows: &[Vec<Expr>],
        atoms: &[Expr],
        rates: &[Var],
    ) -> Self {
        let own = rows.iter().flatten();
        let mut shown: Vec<Expr> = own.map(|e| c.in_speeds(e)).collect();
        let held = c.has_rows(Space::SpeedRates);
        let mut imposed = 0;
        if held {
            let (a, b) = solution::rows(c, Space::SpeedRates);
            imposed = a.len();
            shown.extend(a.into_iter().flatten());
            shown.extend(b);
        }
        shown.extend(atoms.iter().cloned());
        let closed = held || c.constraints.rows.iter().any(|row| restricts(c, row));
        let mut low = Lowering::new(c.system.functions.len());
        let spheres = bind(&mut low, c, rates, closed);
        let roots = low.lower_all(&c.alg, &shown);
        let closing =
            closed.then(|| Closing::of(&c.alg, &mechanics.values(), &mechanics.constraints));
        Self {
            low,
            roots,
            width: rows.first().map_or(0, Vec::len),
            height: rows.len(),
            imposed,
            spheres,
            closing,
        }
    }

    /// Whether numbers are exact.
    pub fn is_exact(&self) -> bool {
        self.closing.is_none()
    }

    /// What stands between the entries and the atoms.
    fn between(&self) -> usize {
        self.imposed * (self.height + 1)
    }

    fn states(&self) -> usize {
        // Rows between the speeds leave as many fewer equations.
        let left = self.height.saturating_sub(self.imposed).max(1);
        self.width.div_ceil(left) + SURPLUS
    }

    /// A stack of rows, and the atoms, from states that are tried one after the other.
    fn collect<N: Number>(
        &self,
        order: &[usize],
        tries: usize,
        mut state: impl FnMut(u64) -> Option<Vec<N>>,
    ) -> Option<Found<N>> {
        let (wanted, mut rows, mut atoms) = (self.states(), Vec::new(), Vec::new());
        let (entries, between) = (self.width * self.height, self.between());
        for attempt in 0..tries as u64 {
            let failing = rows.is_empty() && attempt >= VAIN;
            if rows.len() == wanted * self.height || failing {
                break;
            }
            if let Some(values) = state(attempt) {
                let (own, rest) = values.split_at(entries);
                rows.extend(own.chunks(self.width.max(1)).map(<[N]>::to_vec));
                atoms = rest[between..].to_vec();
            }
        }
        (rows.len() == wanted * self.height).then(|| Found {
            echelon: echelon(rows, order),
            atoms,
        })
    }

    /// The columns in the field.
    pub fn exact(&self, order: &[usize], draw: Draw) -> Option<Found<Residue>> {
        self.collect(order, TRIES * self.states(), |state| {
            let of = |seed: u64, slot: Slot| {
                pseudo_random(seed, u64::from(slot.group) << 32 | u64::from(slot.index))
            };
            let drawn = |slot: Slot| {
                if slot.group != PARAMS {
                    return of(7000 + state, slot);
                }
                let other = draw.changed == Some(slot.index as usize);
                of(6000 + 2 * draw.number + u64::from(other), slot)
            };
            let input = |slot| {
                let found = on_spheres(&self.spheres, slot, drawn, Residue::inverse);
                found.unwrap_or(Residue::ONE)
            };
            field::evaluate_at(&self.low.graph, &self.roots, 90 + draw.functions, input)
        })
    }

    /// The columns in floating point, at states that meet the constraints. With parameters drawn at random, or with those that the model gives.
    pub fn rounded(&self, order: &[usize], draw: Draw, drawn: bool) -> Option<Found<f64>> {
        let closing = self.closing.as_ref()?;
        let mut params = closing.parameters(draw.number, drawn);
        if let Some(p) = draw.changed.and_then(|i| params.get_mut(i)) {
            *p *= 1.17;
        }
        let function = Function {
            name: "stack".into(),
            outputs: self.roots.clone(),
            checks: Vec::new(),
        };
        let mut evaluator = Evaluator::on(&self.low.graph, &function);
        let found = self.collect(order, STARTS * self.states(), |number| {
            let state = closing.state(number, &params)?;
            let mut host = At {
                rates: (0..self.height as u64)
                    .map(|i| drawn_number(number, i))
                    .collect(),
                number,
                state,
            };
            let mut values = evaluator.run(&host).ok()?;
            if self.imposed > 0 {
                let rows = self.rows_between(&values);
                host.meet(&rows, self.rhs(&values));
                values = evaluator.run(&host).ok()?;
                self.project(&mut values, &rows);
            }
            values.iter().all(|x| x.is_finite()).then_some(values)
        })?;
        Some(found)
    }

    /// The constraint rows between the speeds, each of length 1 and at right angles to the others, and what was divided by.
    fn rows_between(&self, values: &[f64]) -> Vec<(Vec<f64>, usize)> {
        let from = self.width * self.height;
        let mut kept: Vec<(Vec<f64>, usize)> = Vec::new();
        for (index, row) in values[from..]
            .chunks(self.height)
            .take(self.imposed)
            .enumerate()
        {
            let mut row = row.to_vec();
            let size = length(&row);
            // Twice is enough.
            for _ in 0..2 {
                for (own, _) in &kept {
                    let along = dot(&row, own);
                    row.iter_mut().zip(own).for_each(|(x, y)| *x -= along * y);
                }
            }
            let left = length(&row);
            if left > DEPENDENT * size {
                row.iter_mut().for_each(|x| *x /= left);
                kept.push((row, index));
            }
        }
        kept
    }

    /// Rows with their right-hand sides.
    fn rhs<'v>(&self, values: &'v [f64]) -> Vec<(&'v [f64], f64)> {
        let from = self.width * self.height;
        let rows = values[from..].chunks(self.height).take(self.imposed);
        let rhs = &values[from + self.imposed * self.height..];
        rows.zip(rhs.iter().copied()).collect()
    }

    /// Takes what constraint forces may add out of the rows of a state.
    fn project(&self, values: &mut [f64], rows: &[(Vec<f64>, usize)]) {
        for column in 0..self.width {
            for (row, _) in rows {
                let along: f64 = (0..self.height)
                    .map(|i| row[i] * values[i * self.width + column])
                    .sum();
                for i in 0..self.height {
                    values[i * self.width + column] -= along * row[i];
                }
            }
        }
    }

    /// Whether the machine can be closed with other parameters than its own.
    pub fn is_free(&self, order: &[usize]) -> bool {
        let draw = |number| Draw {
            number,
            ..Draw::default()
        };
        (0..DRAWS).any(|number| self.rounded(order, draw(number), true).is_some())
    }
}

/// Whether a row keeps the machine from places: all that are stated on positions but the lengths of quaternions, which are met by themselves.
fn restricts(c: &Context<'_>, row: &Row) -> bool {
    let one = Expr::one();
    let length = [&row.residual + &one, &one - &row.residual];
    row.level == Level::Position && !length.iter().any(|e| c.alg.is_unit(e))
}

/// Makes everything that expressions in the speeds depend on an input; quaternions of length 1. Where states have to meet constraints the speeds follow from
/// the rates of the coordinates.
fn bind(low: &mut Lowering, c: &Context<'_>, rates: &[Var], closed: bool) -> Vec<Sphere> {
    let vars = &c.vars;
    let external = [vars.inputs.as_slice(), &vars.states].concat();
    let speeds = &c.kinematics(Space::SpeedRates).motion.speeds;
    let free: &[Var] = if closed { &[] } else { speeds };
    let groups: [(u8, &[Var]); 7] = [
        (TIME, &[vars.time]),
        (PARAMS, &vars.params),
        (COORDS, &vars.coords),
        (FREE, &external),
        (DOTS, rates),
        (SPEEDS, free),
        (RATES, &vars.rates),
    ];
    for (group, list) in groups {
        for (index, v) in list.iter().enumerate() {
            if !low.is_bound(*v) {
                let value = low.graph.input(slot(group, index));
                low.bind(*v, value);
            }
        }
    }
    for speed in &c.speeds.speeds {
        if !low.is_bound(speed.var) {
            let value = low.lower(&c.alg, &speed.definition);
            low.bind(speed.var, value);
        }
    }
    let quaternions = c.system.unit_quaternions().into_iter();
    let parts = quaternions.map(|coords| Sphere {
        parts: coords.map(|q| slot(COORDS, q)),
        rates: None,
    });
    parts.collect()
}

fn slot(group: u8, index: usize) -> Slot {
    Slot {
        group,
        index: index as u32,
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn length(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}

/// A number between -1 and 1.
fn drawn_number(seed: u64, index: u64) -> f64 {
    let drawn = pseudo_random(8000 + seed, index).get();
    (drawn >> 20 & 0xffff) as f64 / 32768.0 - 1.0
}

/// A state that meets the constraints, with rates of the speeds.
struct At {
    number: u64,
    state: State,
    rates: Vec<f64>,
}

impl At {
    /// Changes the rates of the speeds so that the rows hold.
    fn meet(&mut self, basis: &[(Vec<f64>, usize)], rows: Vec<(&[f64], f64)>) {
        // Along each direction of the basis by the row that it came from: those before it are met.
        for (direction, index) in basis {
            let Some((row, b)) = rows.get(*index) else {
                continue;
            };
            let change = (b - dot(row, &self.rates)) / dot(row, direction);
            let pairs = self.rates.iter_mut().zip(direction);
            pairs.for_each(|(x, d)| *x += change * d);
        }
    }
}

impl Host for At {
    fn slot(&self, slot: Slot) -> f64 {
        let list = match slot.group {
            TIME => return self.state.time,
            PARAMS => &self.state.params,
            COORDS => &self.state.coords,
            RATES => &self.state.rates,
            DOTS => &self.rates,
            _ => return drawn_number(self.number, 1000 + u64::from(slot.index)),
        };
        list.get(slot.index as usize).copied().unwrap_or(f64::NAN)
    }

    fn call(&self, function: u32, args: &[f64]) -> Jet {
        self.state.call(function, args)
    }
}
