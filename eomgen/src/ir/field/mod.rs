//! Evaluation modulo the prime 2^61 - 1: a test for identity that rounding cannot disturb.
//!
//! Two programs that compute the same rational function of their inputs agree at every point of the field; two that do not differ
//! almost everywhere. Functions that the field lacks become fixed pseudo-random maps that keep the laws folding and elimination use:
//!
//! - `sin`, `cos` and `tan` of one argument come from one rational point of the circle, mirrored for the opposite argument; quarter
//!   turns (up to [`TURNS`]) are exact. Sums of angles are not related to their parts.
//! - `sinh`, `cosh`, `tanh`, `exp` likewise from one point of the hyperbola.
//! - A residue has a sign: that of the small fraction it stands for, otherwise pseudo-random but odd. `abs`, `sign`, `min`, `max` and
//!   comparisons all use it; `sqrt` is the root with sign +, so that `sqrt(x^2)` is `|x|`. What has no root gets a pseudo-random one.
//! - Whole powers are powers; other functions and user functions' jets depend on the arguments' residues alone, with the parity of
//!   the real functions.
//! - Numerical routines are carried out exactly, or drawn from their operands: a routine makes a difference by rank, which at a point of the field,
//!   where roots may not be those of their radicands and constraints are not met, may be another than at any state of the machine. So what decides
//!   whether something vanishes ([`Points`]) takes nothing about a routine's results for granted.

mod linear;
mod points;
mod random;

pub use crate::field::Residue;
pub use points::{Point, Points};

use std::collections::BTreeMap;

use crate::function::{Elementary, FieldRule, Parity};
use random::{Prf, Tag};

use super::{Binary, Graph, Op, Part, RoutineKind, Slot, Unary, Value};
use crate::ir::schedule::schedule;

/// Quarter turns of the circle that are recognised, either way.
pub const TURNS: i64 = 256;

/// The values of `roots` at the point that `seed` stands for: every input, and every function the field lacks, is drawn from it. `None`
/// if something divides by zero there, or a routine has no result; take another seed.
pub fn evaluate(graph: &Graph, roots: &[Value], seed: u64) -> Option<Vec<Residue>> {
    let inputs = Prf::new(seed);
    evaluate_at(graph, roots, seed, |slot| {
        inputs.draw(Tag::Input, &[slot.group.into(), slot.index.into()])
    })
}

/// As [`evaluate`], with the inputs given.
pub fn evaluate_at(
    graph: &Graph,
    roots: &[Value],
    seed: u64,
    input: impl Fn(Slot) -> Residue,
) -> Option<Vec<Residue>> {
    let field = Field::new(seed);
    let mut values = vec![Residue::ZERO; graph.len()];
    let mut results = Results::new();
    for value in schedule(graph, roots) {
        let at = |v: Value| values[v.index()];
        values[value.index()] = field.step(graph, value, at, &mut results, &input)?;
    }
    Some(roots.iter().map(|root| values[root.index()]).collect())
}

/// What the numerical routines gave.
type Results = BTreeMap<Value, Vec<Residue>>;

fn routine(kind: RoutineKind, operands: &[Residue]) -> Option<Vec<Residue>> {
    if operands.len() != kind.operands() {
        return None;
    }
    match kind {
        RoutineKind::MinimumNorm { rows, cols } => {
            let (a, b) = operands.split_at(rows as usize * cols as usize);
            linear::minimum_norm(cols as usize, a, b)
        }
        RoutineKind::Constrained { n, m } => {
            let (n, m) = (n as usize, m as usize);
            let (mass, rest) = operands.split_at(n * n);
            let (force, rest) = rest.split_at(n);
            let (a, b) = rest.split_at(m * n);
            linear::constrained(n, mass, force, a, b)
        }
    }
}

/// One choice of pi and of the functions that the field lacks.
struct Field {
    prf: Prf,
    pi: Residue,
    /// Residue of each recognised multiple of a quarter turn, to that multiple modulo 4.
    quarters: BTreeMap<Residue, u8>,
    /// Choices, `min`, `max` and results of routines are drawn from all their operands in place of being made, so that what only one branch
    /// or one rank contains is seen at every point.
    open_choices: bool,
}

impl Field {
    fn new(seed: u64) -> Self {
        let prf = Prf::new(seed);
        let pi = prf.draw(Tag::Pi, &[]);
        let quarter = pi * Residue::HALF;
        let quarters = (-TURNS..=TURNS)
            .map(|k| (Residue::from_integer(k) * quarter, k.rem_euclid(4) as u8))
            .collect();
        Self {
            prf,
            pi,
            quarters,
            open_choices: false,
        }
    }

    /// The same with choices left open.
    fn with_open_choices(self) -> Self {
        Self {
            open_choices: true,
            ..self
        }
    }

    /// The value of one instruction, `at` giving those of its operands.
    fn step(
        &self,
        graph: &Graph,
        value: Value,
        at: impl Fn(Value) -> Residue,
        results: &mut Results,
        input: impl Fn(Slot) -> Residue,
    ) -> Option<Residue> {
        Some(match graph.op(value) {
            Op::Constant(c) => Residue::from_rational(c)?,
            Op::Pi => self.pi,
            Op::Input(slot) => input(*slot),
            Op::Unary(op, a) => self.unary(*op, at(*a))?,
            Op::Binary(op, a, b) => self.binary(*op, at(*a), at(*b))?,
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } if self.open_choices => {
                let (then, other) = (at(*then), at(*other));
                if then == other {
                    then
                } else {
                    let key = [*test as u64, at(*left).get(), at(*right).get()];
                    let key = [key[0], key[1], key[2], then.get(), other.get()];
                    self.prf.draw(Tag::Choice, &key)
                }
            }
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => {
                let difference = self.sign(at(*left) - at(*right));
                at(if test.holds(&difference, &0) {
                    *then
                } else {
                    *other
                })
            }
            // Stands for the whole jet: its entries are drawn from it.
            Op::Call { function, args } => {
                let mut key = vec![u64::from(*function)];
                key.extend(args.iter().map(|&arg| at(arg).get()));
                self.prf.draw(Tag::Call, &key)
            }
            Op::Jet { call, part } => self.jet(at(*call), *part),
            Op::Routine { kind, operands } => {
                let operands: Vec<Residue> = operands.iter().map(|&a| at(a)).collect();
                let found = if self.open_choices {
                    self.drawn(*kind, &operands)
                } else {
                    routine(*kind, &operands)?
                };
                results.insert(value, found);
                Residue::ZERO
            }
            Op::Element { routine, index } => *results.get(routine)?.get(*index as usize)?,
        })
    }

    /// Results of a routine that are the same for the same operands, and nothing else.
    fn drawn(&self, kind: RoutineKind, operands: &[Residue]) -> Vec<Residue> {
        let (which, height, width) = match kind {
            RoutineKind::MinimumNorm { rows, cols } => (0, rows, cols),
            RoutineKind::Constrained { n, m } => (1, n, m),
        };
        let mut key = vec![0, which, height.into(), width.into()];
        key.extend(operands.iter().map(|a| a.get()));
        let result = |index: usize| {
            key[0] = index as u64;
            self.prf.draw(Tag::Routine, &key)
        };
        (0..kind.results()).map(result).collect()
    }

    /// -1, 0 or 1; odd, and right for small fractions.
    fn sign(&self, a: Residue) -> i8 {
        if a == Residue::ZERO {
            return 0;
        }
        if let Some((numerator, _)) = a.fraction() {
            return if numerator > 0 { 1 } else { -1 };
        }
        let (mirrored, least) = a.mirror();
        let random = self.prf.draw(Tag::Sign, &[least.get()]).get() & 1 == 1;
        if random == mirrored { 1 } else { -1 }
    }

    fn signed(&self, a: Residue) -> Residue {
        Residue::from_integer(self.sign(a).into())
    }

    /// A pseudo-random odd function; 0 at 0.
    fn odd(&self, tag: Tag, a: Residue) -> Residue {
        let (mirrored, least) = a.mirror();
        if least == Residue::ZERO {
            return least;
        }
        let image = self.prf.draw(tag, &[least.get()]);
        if mirrored { -image } else { image }
    }

    /// (sine, cosine).
    fn circle(&self, a: Residue) -> Option<(Residue, Residue)> {
        if let Some(&quarter) = self.quarters.get(&a) {
            let sine = [0, 1, 0, -1].map(Residue::from_integer);
            let quarter = usize::from(quarter);
            return Some((sine[quarter % 4], sine[(quarter + 1) % 4]));
        }
        let t = self.odd(Tag::Circle, a);
        let scale = (Residue::ONE + t * t).inverse()?;
        Some(((t + t) * scale, (Residue::ONE - t * t) * scale))
    }

    /// (hyperbolic sine, hyperbolic cosine).
    fn hyperbola(&self, a: Residue) -> Option<(Residue, Residue)> {
        let t = self.odd(Tag::Hyperbola, a);
        let scale = (Residue::ONE - t * t).inverse()?;
        Some(((t + t) * scale, (Residue::ONE + t * t) * scale))
    }

    fn sqrt(&self, a: Residue) -> Residue {
        let random = || self.prf.draw(Tag::Root, &[a.get()]);
        let root = a.root().unwrap_or_else(random);
        root * self.signed(root)
    }

    fn unary(&self, op: Unary, a: Residue) -> Option<Residue> {
        let Unary::Of(function) = op else {
            return Some(-a);
        };
        Some(match function.row().in_field {
            FieldRule::Sine => self.circle(a)?.0,
            FieldRule::Cosine => self.circle(a)?.1,
            FieldRule::Tangent => {
                let (s, c) = self.circle(a)?;
                s * c.inverse()?
            }
            FieldRule::HyperbolicSine => self.hyperbola(a)?.0,
            FieldRule::HyperbolicCosine => self.hyperbola(a)?.1,
            FieldRule::HyperbolicTangent => {
                let (s, c) = self.hyperbola(a)?;
                s * c.inverse()?
            }
            FieldRule::Exponential => {
                let (s, c) = self.hyperbola(a)?;
                s + c
            }
            FieldRule::Root => self.sqrt(a),
            FieldRule::Magnitude => a * self.signed(a),
            FieldRule::Sign => self.signed(a),
            FieldRule::Lesser | FieldRule::Greater | FieldRule::Power => return None,
            FieldRule::Opaque => self.opaque(function, a),
        })
    }

    /// A function of one number that the field has nothing like.
    fn opaque(&self, function: Elementary, a: Residue) -> Residue {
        let row = function.row();
        let exact = row.exact.iter().zip([Residue::ZERO, Residue::ONE]);
        for (value, at) in exact {
            if let Some(value) = value.filter(|_| a == at) {
                return Residue::from_integer(value.into());
            }
        }
        match row.parity {
            Parity::Odd => self.odd(Tag::Function(function), a),
            Parity::Even => self
                .prf
                .draw(Tag::Function(function), &[a.mirror().1.get()]),
            Parity::None => self.prf.draw(Tag::Function(function), &[a.get()]),
        }
    }

    fn binary(&self, op: Binary, a: Residue, b: Residue) -> Option<Residue> {
        Some(match op {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a * b.inverse()?,
            Binary::Pow => return self.pow(a, b),
            Binary::Of(function @ (Elementary::Min | Elementary::Max))
                if self.open_choices && a != b =>
            {
                let key = [a.get().min(b.get()), a.get().max(b.get())];
                self.prf.draw(Tag::Function(function), &key)
            }
            Binary::Min if self.sign(a - b) < 0 => a,
            Binary::Max if self.sign(a - b) > 0 => a,
            Binary::Min | Binary::Max => b,
            Binary::Of(function) => {
                let key = [a.get(), b.get()];
                self.prf.draw(Tag::Function(function), &key)
            }
        })
    }

    fn pow(&self, a: Residue, b: Residue) -> Option<Residue> {
        let (power, exponent) = match b.fraction() {
            Some((n, 1)) => (a.pow(n.unsigned_abs()), n),
            Some((n @ (1 | -1), 2)) => (self.sqrt(a), n),
            _ if a == Residue::ONE => (a, 1),
            _ => (
                self.prf
                    .draw(Tag::Function(Elementary::Pow), &[a.get(), b.get()]),
                1,
            ),
        };
        if exponent < 0 {
            return power.inverse();
        }
        Some(power)
    }

    fn jet(&self, call: Residue, part: Part) -> Residue {
        let key = match part {
            Part::Value => [0, 0, 0],
            Part::Gradient(i) => [1, i.into(), 0],
            Part::Hessian(i, j) => [2, i.into(), j.into()],
        };
        let key = [call.get(), key[0], key[1], key[2]];
        self.prf.draw(Tag::Jet, &key)
    }
}

#[cfg(test)]
mod tests;
