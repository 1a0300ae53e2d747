//! What completes declared speeds where every choice of rates fails at some states, and rows are imposed on the accelerations: the rates of constrained
//! expressions. The three components of a body's angular velocity leave one of the four rates of its quaternion open, and with none of these rates do they
//! determine the others where its coordinate is zero; with the rate of the norm they do everywhere. Such a rate is zero on every motion.

use super::constraints::{Constraints, Level};
use super::declared::Declared;
use super::inverse::{self, Inverse};
use super::speed::Speed;
use crate::elim;
use crate::sym::{Algebra, Class};

/// How many replacements are tried.
const TRIALS: usize = 24;

/// `q' = H u + h0` of n speeds, the columns of H and then h0; `None` if they do not determine the rates anywhere.
pub fn invert(alg: &mut Algebra, all: &Declared) -> Option<Inverse> {
    let mut rhs = elim::identity(all.speeds.len());
    for (row, d) in rhs.iter_mut().zip(&all.drift) {
        row.push(-d);
    }
    inverse::solve(alg, &all.jacobian(), &rhs)
}

/// Puts the rates of constrained expressions in the place of default rates, as long as that leaves fewer conditions.
pub fn by_rows(
    alg: &mut Algebra,
    constraints: &Constraints,
    all: Declared,
    inverse: Inverse,
) -> (Declared, Inverse) {
    let (mut all, mut inverse) = (all, inverse);
    let mut left = TRIALS;
    'again: while !inverse.conditions.is_empty() {
        for (at, row) in replacements(alg, constraints, &all, &inverse) {
            if left == 0 {
                break 'again;
            }
            left -= 1;
            let trial = with_row(alg, constraints, &all, at, row);
            if let Some(found) = invert(alg, &trial)
                && found.conditions.len() < inverse.conditions.len()
            {
                (all, inverse) = (trial, found);
                continue 'again;
            }
        }
        break;
    }
    (all, inverse)
}

/// Default rates, by their places, each with a row that restricts it and that is not a speed yet.
fn replacements(
    alg: &Algebra,
    constraints: &Constraints,
    all: &Declared,
    inverse: &Inverse,
) -> Vec<(usize, usize)> {
    let matters = |a: &[_], divided: &[usize]| {
        divided.is_empty() || divided.iter().any(|i| !alg.is_zero(&a[*i]))
    };
    let taken = |row: usize| all.speeds.iter().any(|s| s.row == Some(row));
    let rows = constraints.independent.iter().copied().filter(|r| {
        let row = &constraints.rows[*r];
        let mut conditions = inverse.conditions.iter();
        row.level == Level::Position
            && row.linear
            && !taken(*r)
            && conditions.any(|(_, divided)| matters(&row.a, divided))
    });
    let rows: Vec<usize> = rows.collect();
    let default = |speed: &Speed| speed.coordinate.filter(|_| speed.declared.is_none());
    let places = all.speeds.iter().map(default).enumerate();
    let places = places.filter_map(|(at, coordinate)| Some((at, coordinate?)));
    places
        .flat_map(|(at, c)| rows.iter().map(move |r| (at, c, *r)))
        .filter(|(_, c, r)| !alg.is_zero(&constraints.rows[*r].a[*c]))
        .map(|(at, _, r)| (at, r))
        .collect()
}

/// The speeds with the rate of a row's residual in one place.
fn with_row(
    alg: &mut Algebra,
    constraints: &Constraints,
    all: &Declared,
    at: usize,
    number: usize,
) -> Declared {
    let row = &constraints.rows[number];
    let name = format!("{}'", row.name);
    let speed = Speed {
        var: alg.base(&name, Class::Speed, None),
        dot: alg.base(&format!("{name}'"), Class::Acceleration, None),
        name,
        definition: row.velocity.clone(),
        declared: None,
        coordinate: None,
        row: Some(number),
    };
    let mut speeds = all.speeds.clone();
    let mut rows = all.rows.clone();
    let mut drift = all.drift.clone();
    speeds[at] = speed;
    rows[at] = Some(row.a.clone());
    drift[at].clone_from(&row.velocity_bias);
    Declared {
        speeds,
        rows,
        drift,
    }
}
