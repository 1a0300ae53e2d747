//! Many starts, and which of the points that they lead to are different.

use std::f64::consts::PI;

use super::conditions::Conditions;
use super::point::{Point, Unfound, point};

/// Numbers that look random and are the same everywhere: SplitMix64 (Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    /// In -1..1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bits = (z ^ (z >> 31)) >> 11;
        bits as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Points that are nearer to each other than this are one.
const SAME: f64 = 1e-6;

/// Every operating point that is found from the start and from `starts - 1` others, each once, in the order in which they are found; and
/// why the first start led to none, if so.
///
/// # Errors
/// What was left at the start that came nearest, if no start led to a point.
pub fn search(
    conditions: &mut Conditions<'_>,
    starts: usize,
    seed: u64,
) -> Result<Vec<Point>, Unfound> {
    let mut random = Random(seed);
    let mut found: Vec<Point> = Vec::new();
    let mut nearest: Option<Unfound> = None;
    let moving = moving(conditions);
    for at in 0..starts.max(1) {
        let mut start = conditions.start.clone();
        if at > 0 {
            for k in &moving {
                let turns = is_angle(conditions, *k);
                let range = if turns { PI } else { start[*k].abs().max(1.0) };
                let middle = if turns { 0.0 } else { start[*k] };
                start[*k] = middle + range * random.next();
            }
        }
        match point(conditions, &start) {
            Ok(new) => {
                if !found.iter().any(|known| same(conditions, known, &new)) {
                    found.push(new);
                }
            }
            Err(error) => nearest = Some(nearer(nearest, error)),
        }
    }
    match nearest {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// Coordinates on which the conditions depend.
fn moving(conditions: &mut Conditions<'_>) -> Vec<usize> {
    let start = conditions.start.clone();
    let (rows, slopes) = conditions.linearized(&start);
    let columns = start.len();
    let n = conditions.machine().coords.len();
    let mut free = conditions.free();
    free.retain(|k| *k < n && (0..rows.len()).any(|i| slopes[i * columns + k] != 0.0));
    free
}

fn is_angle(conditions: &Conditions<'_>, k: usize) -> bool {
    let coords = &conditions.machine().coords;
    coords
        .get(k)
        .is_some_and(|c| c.unit.as_deref() == Some("rad"))
}

/// Whether two points are one, but for whole turns and for directions in which the conditions hold anyway.
fn same(conditions: &Conditions<'_>, known: &Point, new: &Point) -> bool {
    let pairs = known.unknowns.iter().zip(&new.unknowns).enumerate();
    let mut difference: Vec<f64> = pairs
        .map(|(k, (a, b))| {
            let difference = a - b;
            if is_angle(conditions, k) {
                difference - 2.0 * PI * (difference / (2.0 * PI)).round()
            } else {
                difference
            }
        })
        .collect();
    for direction in &known.directions {
        let along: f64 = direction.iter().zip(&difference).map(|(a, b)| a * b).sum();
        for (d, a) in difference.iter_mut().zip(direction) {
            *d -= along * a;
        }
    }
    let sizes = known.unknowns.iter();
    difference
        .iter()
        .zip(sizes)
        .all(|(d, x)| d.abs() <= SAME * x.abs().max(1.0))
}

fn nearer(known: Option<Unfound>, new: Unfound) -> Unfound {
    let size = |u: &Unfound| match u {
        Unfound::Nowhere(_) => f64::INFINITY,
        Unfound::Left { residual, .. } => residual.abs(),
    };
    match known {
        Some(known) if size(&known) <= size(&new) => known,
        _ => new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_fill_their_range() {
        let mut random = Random(1);
        let list: Vec<f64> = (0..1000).map(|_| random.next()).collect();
        assert!(list.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!(list.iter().sum::<f64>().abs() < 100.0);
        assert!(list.iter().any(|x| *x < -0.9) && list.iter().any(|x| *x > 0.9));
    }
}
