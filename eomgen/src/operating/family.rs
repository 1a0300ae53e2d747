//! Operating points along a quantity: a curve that is followed by its arc length, so that it may turn back (E. L. Allgower, K. Georg,
//! *Introduction to Numerical Continuation Methods*, 2003, chapter 10).

use nalgebra::DMatrix;

use super::conditions::{Asked, Conditions, Quantity};
use super::point::{Point, Unfound, least_norm, null_space, point};
use crate::machine::{Machine, Start};

/// What changes, and how far.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// What changes.
    pub quantity: Quantity,
    /// The values at which points are wanted, in order.
    pub values: Vec<f64>,
}

/// A point of the family.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The value of what changes.
    pub value: f64,
    /// Whether the family turns back here.
    pub fold: bool,
    /// The point.
    pub point: Point,
}

/// Steps for each value that is wanted, after which the curve is given up.
const STEPS: usize = 60;
/// The shortest step, as a share of the range.
const SHORTEST: f64 = 1e-9;
const CORRECTIONS: usize = 10;

/// The curve: what is prescribed but for what changes.
struct Curve<'m> {
    machine: &'m Machine,
    params: Vec<f64>,
    start: Start,
    asked: Asked,
    quantity: Quantity,
    from: f64,
    range: f64,
    /// Places of the unknowns that are sought, among those of the conditions.
    free: Vec<usize>,
}

/// A place on the curve: the unknowns that are sought, then the share of the range.
type Place = Vec<f64>;

impl<'m> Curve<'m> {
    fn conditions(&self, value: f64) -> Conditions<'m> {
        let mut asked = self.asked.clone();
        asked
            .held
            .retain(|(quantity, _)| *quantity != self.quantity);
        asked.held.push((self.quantity, value));
        Conditions::new(self.machine, self.params.clone(), &self.start, asked)
    }

    fn value(&self, place: &[f64]) -> f64 {
        self.from + self.range * place.last().copied().unwrap_or(0.0)
    }

    /// All unknowns at a place.
    fn unknowns(&self, conditions: &Conditions<'_>, base: &[f64], place: &[f64]) -> Vec<f64> {
        let mut all = base.to_vec();
        for k in 0..all.len() {
            if !conditions.free().contains(&k) {
                all[k] = conditions.start[k];
            }
        }
        for (k, at) in self.free.iter().enumerate() {
            all[*at] = place[k];
        }
        all
    }

    /// The functions and their derivatives by what is sought and by the share.
    fn linearized(&self, base: &[f64], place: &[f64]) -> (Vec<f64>, DMatrix<f64>) {
        let mut conditions = self.conditions(self.value(place));
        let unknowns = self.unknowns(&conditions, base, place);
        let (residuals, slopes) = conditions.linearized(&unknowns);
        let columns = unknowns.len();
        let step = 6e-6;
        let beside = |share: f64| {
            let mut place = place.to_vec();
            if let Some(last) = place.last_mut() {
                *last += share;
            }
            let mut conditions = self.conditions(self.value(&place));
            let unknowns = self.unknowns(&conditions, base, &place);
            let found = conditions.residuals(&unknowns);
            found.unwrap_or_else(|_| vec![f64::NAN; residuals.len()])
        };
        let (after, before) = (beside(step), beside(-step));
        let count = self.free.len();
        let matrix = DMatrix::from_fn(residuals.len(), count + 1, |i, k| match k == count {
            true => (after[i] - before[i]) / (2.0 * step),
            false => slopes[i * columns + self.free[k]],
        });
        (residuals, matrix)
    }

    /// The direction of the curve, with positive share along `before`.
    fn tangent(&self, matrix: &DMatrix<f64>, before: &[f64], weights: &[f64]) -> Option<Place> {
        let mut scaled = matrix.clone();
        for (k, weight) in weights.iter().enumerate() {
            scaled.column_mut(k).scale_mut(1.0 / weight);
        }
        let mut directions = null_space(&scaled);
        let mut direction = match directions.len() {
            0 => return None,
            1 => directions.remove(0),
            // Where curves meet: the one that goes on.
            _ => {
                let along = |d: &Vec<f64>| dot(d, before).abs();
                directions
                    .into_iter()
                    .max_by(|a, b| along(a).total_cmp(&along(b)))?
            }
        };
        if dot(&direction, before) < 0.0 {
            direction.iter_mut().for_each(|x| *x = -*x);
        }
        Some(direction)
    }

    /// Back to the curve in the plane across `direction`; with how many steps.
    fn corrected(
        &self,
        base: &[f64],
        guess: &[f64],
        direction: &[f64],
        weights: &[f64],
    ) -> Option<(Place, usize)> {
        let mut place = guess.to_vec();
        for count in 1..=CORRECTIONS {
            let (mut residuals, matrix) = self.linearized(base, &place);
            let rows = matrix.nrows();
            let mut all = matrix.insert_row(rows, 0.0);
            let mut off = 0.0;
            for k in 0..place.len() {
                all[(rows, k)] = direction[k];
                off += direction[k] * weights[k] * (place[k] - guess[k]);
                for i in 0..rows {
                    all[(i, k)] /= weights[k];
                }
            }
            residuals.push(off);
            let step = least_norm(&all, &residuals)?;
            for (k, x) in place.iter_mut().enumerate() {
                *x -= step[k] / weights[k];
            }
            let length = dot(&step, &step).sqrt();
            if length < 1e-10 {
                return Some((place, count));
            }
        }
        None
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The family through a point, from the first value that is wanted to the last, through folds; and where it ends before its time, why.
///
/// # Errors
/// Where there is no point at the first value.
pub fn family(
    machine: &Machine,
    params: &[f64],
    start: &Start,
    asked: &Asked,
    along: &Along,
) -> Result<(Vec<Member>, Option<String>), Unfound> {
    let values = &along.values;
    let (from, to) = (values[0], values[values.len() - 1]);
    let mut curve = Curve {
        machine,
        params: params.to_vec(),
        start: start.clone(),
        asked: asked.clone(),
        quantity: along.quantity,
        from,
        range: if to == from { 1.0 } else { to - from },
        free: Vec::new(),
    };
    let mut conditions = curve.conditions(from);
    let begin = conditions.start.clone();
    let first = point(&mut conditions, &begin)?;
    curve.free = determined(&conditions, &first);
    let mut members = vec![Member {
        value: from,
        fold: false,
        point: first,
    }];
    let ended = follow(&curve, values, &mut members);
    Ok((members, ended))
}

/// The free unknowns but for as many as may take any value.
fn determined(conditions: &Conditions<'_>, point: &Point) -> Vec<usize> {
    let mut free = conditions.free();
    let mut directions = point.directions.clone();
    while let Some(direction) = directions.pop() {
        let at = free
            .iter()
            .copied()
            .max_by(|a, b| direction[*a].abs().total_cmp(&direction[*b].abs()));
        let Some(at) = at else { break };
        free.retain(|k| *k != at);
        for other in &mut directions {
            let factor = other[at] / direction[at];
            for (x, d) in other.iter_mut().zip(&direction) {
                *x -= factor * d;
            }
        }
    }
    free
}

fn follow(curve: &Curve<'_>, values: &[f64], members: &mut Vec<Member>) -> Option<String> {
    let base = members[0].point.unknowns.clone();
    let mut place: Place = curve.free.iter().map(|k| base[*k]).collect();
    place.push(0.0);
    let mut before = vec![0.0; place.len()];
    before[place.len() - 1] = 1.0;
    let share = |x: f64| (x - curve.from) / curve.range;
    let targets: Vec<f64> = values.iter().map(|x| share(*x)).collect();
    let longest = 2.0 / targets.len().max(2) as f64;
    let mut step = longest;
    for _ in 0..STEPS * targets.len() {
        let mut weights: Vec<f64> = place.iter().map(|x| 1.0 / x.abs().max(1.0)).collect();
        if let Some(last) = weights.last_mut() {
            *last = 1.0;
        }
        let (_, matrix) = curve.linearized(&base, &place);
        let Some(direction) = curve.tangent(&matrix, &before, &weights) else {
            return Some("the equations have no solution beside this point".to_owned());
        };
        let guess = |step: f64| -> Place {
            let moved = place.iter().zip(&direction).zip(&weights);
            moved.map(|((x, d), w)| x + step * d / w).collect()
        };
        let found = curve.corrected(&base, &guess(step), &direction, &weights);
        let Some((next, count)) = found else {
            step /= 2.0;
            if step < SHORTEST {
                return Some("no step along the family is short enough".to_owned());
            }
            continue;
        };
        let after = {
            let (_, matrix) = curve.linearized(&base, &next);
            curve.tangent(&matrix, &direction, &weights)
        };
        let last = place.len() - 1;
        crossings(curve, &base, &targets, (&place, &next), members);
        if after.is_some_and(|after| after[last] * direction[last] < 0.0) {
            let turn = turning(curve, &base, &guess, step, (&direction, &weights));
            members.extend(turn.and_then(|place| member(curve, &base, &place, true)));
        }
        if next[last] > 1.0 || next[last] < 0.0 {
            return None;
        }
        before = direction;
        place = next;
        if count <= 3 {
            step = (1.5 * step).min(longest);
        }
    }
    Some("the family goes on for too many steps".to_owned())
}

/// Points at the values that lie between two places.
fn crossings(
    curve: &Curve<'_>,
    base: &[f64],
    targets: &[f64],
    (from, to): (&[f64], &[f64]),
    members: &mut Vec<Member>,
) {
    let last = from.len() - 1;
    let (a, b) = (from[last], to[last]);
    let within = |t: &&f64| (a < **t && **t <= b) || (b <= **t && **t < a);
    let mut between: Vec<f64> = targets.iter().filter(within).copied().collect();
    if b < a {
        between.reverse();
    }
    for target in between {
        let part = (target - a) / (b - a);
        let place: Place = from
            .iter()
            .zip(to)
            .map(|(x, y)| x + part * (y - x))
            .collect();
        members.extend(member(curve, base, &place, false));
    }
}

/// The point beside a place, at its value.
fn member(curve: &Curve<'_>, base: &[f64], place: &[f64], fold: bool) -> Option<Member> {
    let value = curve.value(place);
    let mut conditions = curve.conditions(value);
    let unknowns = curve.unknowns(&conditions, base, place);
    let point = if fold {
        super::point::at(&mut conditions, &unknowns)
    } else {
        point(&mut conditions, &unknowns).ok()?
    };
    Some(Member { value, fold, point })
}

/// Where the curve turns back between the place and the step from it.
fn turning(
    curve: &Curve<'_>,
    base: &[f64],
    guess: &dyn Fn(f64) -> Place,
    step: f64,
    (direction, weights): (&[f64], &[f64]),
) -> Option<Place> {
    let last = weights.len() - 1;
    let (mut low, mut high) = (0.0, step);
    let mut found = None;
    for _ in 0..36 {
        let middle = 0.5 * (low + high);
        let (place, _) = curve.corrected(base, &guess(middle), direction, weights)?;
        let (_, matrix) = curve.linearized(base, &place);
        let tangent = curve.tangent(&matrix, direction, weights)?;
        if tangent[last] * direction[last] < 0.0 {
            high = middle;
        } else {
            low = middle;
        }
        found = Some(place);
    }
    found
}
