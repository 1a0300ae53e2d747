//! Inputs that are the parts of a unit quaternion: whoever draws numbers for a graph's inputs draws points of the sphere for these, as for sines and
//! cosines points of the circle. What is equal, or zero, or the same by two ways is so there and need not be elsewhere.

use super::Slot;
use std::ops::{Add, Mul, Sub};

/// Four inputs whose squares add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sphere {
    /// The parts.
    pub parts: [Slot; 4],
    /// Their rates, if these are inputs too: perpendicular to the parts.
    pub rates: Option<[Slot; 4]>,
}

/// The number of an input on the spheres that it belongs to, from numbers drawn for any input. `None` where the one that is drawn has no reciprocal
/// that it needs.
pub fn on_spheres<T>(
    spheres: &[Sphere],
    slot: Slot,
    drawn: impl Fn(Slot) -> T,
    inverse: impl Fn(T) -> Option<T>,
) -> Option<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let place = |slots: &[Slot; 4]| slots.iter().position(|own| *own == slot);
    for sphere in spheres {
        if let Some(at) = place(&sphere.parts) {
            return Some(point(&sphere.parts.map(&drawn), &inverse)?[at]);
        }
        if let Some(rates) = &sphere.rates
            && let Some(at) = place(rates)
        {
            let e = point(&sphere.parts.map(&drawn), &inverse)?;
            let rates = rates.map(&drawn);
            let growth = dot(&e, &rates);
            return Some(rates[at] - growth * e[at]);
        }
    }
    Some(drawn(slot))
}

/// `p p/|p|^2`, p being any quaternion: of length 1 without a root.
fn point<T>(p: &[T; 4], inverse: &impl Fn(T) -> Option<T>) -> Option<[T; 4]>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let scale = inverse(dot(p, p))?;
    let [a, x, y, z] = *p;
    let twice = a + a;
    let list = [
        a * a - (x * x + y * y + z * z),
        twice * x,
        twice * y,
        twice * z,
    ];
    Some(list.map(|part| part * scale))
}

fn dot<T>(a: &[T; 4], b: &[T; 4]) -> T
where
    T: Copy + Add<Output = T> + Mul<Output = T>,
{
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_of_length_one_and_rates_perpendicular() {
        let slot = |index| Slot { group: 1, index };
        let sphere = Sphere {
            parts: [0, 1, 2, 3].map(slot),
            rates: Some([7, 6, 5, 4].map(slot)),
        };
        let drawn = |slot: Slot| 0.7 - 0.3 * f64::from(slot.index);
        let at = |index| {
            let inverse = |x: f64| (x != 0.0).then(|| 1.0 / x);
            on_spheres(&[sphere], slot(index), drawn, inverse).unwrap()
        };
        let square: f64 = [0, 1, 2, 3].map(at).iter().map(|e| e * e).sum();
        assert!((square - 1.0).abs() < 1e-15);
        let growth: f64 = [(0, 7), (1, 6), (2, 5), (3, 4)]
            .iter()
            .map(|(e, rate)| at(*e) * at(*rate))
            .sum();
        assert!(growth.abs() < 1e-15);
        assert!((at(7) - drawn(slot(7))).abs() > 1e-3);
        assert_eq!(at(9), drawn(slot(9)));
    }
}
