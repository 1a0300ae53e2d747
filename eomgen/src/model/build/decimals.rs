//! Rotations that are written in decimals, and what they are taken for: quarter turns, and matrices that are orthonormal up to rounding.
//!
//! Robots' descriptions come from programs that print sixteen digits of an angle that is 1.570796326789 for want of a better arithmetic. Left as it
//! is, such an angle has a cosine of 6e-12, and every product with it stays in the equations.

use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Builder;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::resolve::{Typed, exact};
use crate::model::system::{Rational, Scalar};
use crate::span::Span;

/// How near to a quarter turn an angle is one, in rad.
const TURN: f64 = 1e-10;
/// How near to one it may have been meant as one.
const MEANT: f64 = 1e-4;
/// By how much the columns of a matrix may miss being orthonormal, in their scalar products.
const ORTHONORMAL: f64 = 1e-6;

/// A quarter turn, to 36 digits.
fn quarter() -> Rational {
    let digits = 1_570_796_326_794_896_619_231_321_691_639_751_442_i128;
    let scale = 10_i128.pow(36);
    Rational::new(digits.into(), scale.into())
}

/// The quarter turns that an angle is nearest to, unless that is none, and by how much it exceeds them.
fn nearest(angle: &Rational) -> Option<(i64, f64)> {
    let turns = (angle / quarter()).round();
    let count = turns.to_integer().to_i64()?;
    let beyond = (angle - turns * quarter()).to_f64()?;
    (count != 0 && beyond != 0.0).then_some((count, beyond))
}

/// So many quarter turns.
fn turns(count: i64) -> Scalar {
    let share = Rational::new(count.into(), 2.into());
    Scalar::Mul(Box::new(Scalar::Number(share)), Box::new(Scalar::Pi))
}

/// How many quarter turns are written.
fn written(count: i64) -> String {
    let sign = if count < 0 { "-" } else { "" };
    match (count.abs(), count.abs() % 2) {
        (2, _) => format!("{sign}pi"),
        (n, 0) => format!("{sign}{}*pi", n / 2),
        (1, _) => format!("{sign}pi/2"),
        (n, _) => format!("{sign}{n}*pi/2"),
    }
}

/// An angle, the constant terms of it replaced that are quarter turns, and what is said of them.
fn rounded(angle: Scalar, found: &mut Vec<(i64, f64)>) -> Scalar {
    if let Some(number) = exact(&angle) {
        let Some((count, beyond)) = nearest(&number) else {
            return angle;
        };
        if beyond.abs() <= MEANT {
            found.push((count, beyond));
        }
        return if beyond.abs() <= TURN {
            turns(count)
        } else {
            angle
        };
    }
    match angle {
        Scalar::Neg(a) => Scalar::Neg(Box::new(rounded(*a, found))),
        Scalar::Add(a, b) => {
            let a = rounded(*a, found);
            Scalar::Add(Box::new(a), Box::new(rounded(*b, found)))
        }
        Scalar::Sub(a, b) => {
            let a = rounded(*a, found);
            Scalar::Sub(Box::new(a), Box::new(rounded(*b, found)))
        }
        other => other,
    }
}

impl Builder<'_> {
    /// An angle of rotation: a constant within 1e-10 rad of a quarter turn, or of some, is taken for that, and said to be.
    pub(super) fn turned(&mut self, mut angle: Typed<Scalar>) -> Typed<Scalar> {
        let mut found = Vec::new();
        angle.value = rounded(angle.value, &mut found);
        for (count, beyond) in found {
            let exact = written(count);
            let off = format!("{:.1e} rad", beyond.abs());
            let note = if beyond.abs() <= TURN {
                let title = format!("an angle is taken for `{exact}`");
                let label = format!("this differs from it by {off}");
                Diagnostic::remark(codes::DECIMALS, title, angle.span, label)
                    .help(format!("write `{exact}`"))
            } else {
                let title = format!("an angle is almost `{exact}`");
                let label = format!("this differs from it by {off}, and is taken as it is");
                Diagnostic::remark(codes::DECIMALS, title, angle.span, label).help(format!(
                    "write `{exact}` if that is meant: the equations are shorter"
                ))
            };
            self.scope.report(note);
        }
        angle
    }

    /// A matrix of numbers (by rows) that is orthonormal up to rounding, as the rotation that is nearest to it.
    pub(super) fn nearest_rotation(
        &mut self,
        numbers: &[Rational],
        name: &str,
        span: Span,
    ) -> Option<Vec<Rational>> {
        let mut m = [[0.0; 3]; 3];
        for (at, number) in numbers.iter().enumerate() {
            m[at / 3][at % 3] = number.to_f64()?;
        }
        let gap = (0..9).map(|at| {
            let (i, j) = (at / 3, at % 3);
            let product: f64 = m.iter().map(|row| row[i] * row[j]).sum();
            (product - if i == j { 1.0 } else { 0.0 }).abs()
        });
        let gap = gap.fold(0.0, f64::max);
        if gap.is_nan() || gap > ORTHONORMAL || determinant(&m) < 0.0 {
            return None;
        }
        let rotation = of_quaternion(&quaternion(&orthonormal(m)))?;
        let moved = rotation.iter().zip(numbers);
        let moved = moved.filter_map(|(new, old)| (new - old).abs().to_f64());
        let moved = moved.fold(0.0, f64::max);
        let title = format!("the matrix of `{name}` is taken for the rotation nearest to it");
        let label = format!("entries change by up to {moved:.1e}");
        let note = Diagnostic::remark(codes::DECIMALS, title, span, label);
        self.scope.report(note.help(
            "the columns are orthonormal up to rounding; angles (`rotate_body`) or fractions (`3/5`) say exactly what is meant",
        ));
        Some(rotation)
    }
}

fn cofactor(m: &[[f64; 3]; 3], i: usize, j: usize) -> f64 {
    let (a, b) = ((i + 1) % 3, (i + 2) % 3);
    let (c, d) = ((j + 1) % 3, (j + 2) % 3);
    m[a][c] * m[b][d] - m[a][d] * m[b][c]
}

fn determinant(m: &[[f64; 3]; 3]) -> f64 {
    (0..3).map(|j| m[0][j] * cofactor(m, 0, j)).sum()
}

/// The orthogonal matrix nearest to one: its factor in the polar decomposition, by Newton's iteration (N. J. Higham 1986).
fn orthonormal(mut m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    // From 1e-6 two steps reach rounding errors.
    for _ in 0..3 {
        let by = determinant(&m);
        let mut next = m;
        for (i, row) in next.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = (m[i][j] + cofactor(&m, i, j) / by) / 2.0;
            }
        }
        m = next;
    }
    m
}

/// The quaternion of a rotation, scalar part first, of any length: the column of the largest diagonal entry of its dyad (S. W. Shepperd 1978).
fn quaternion(m: &[[f64; 3]; 3]) -> [f64; 4] {
    let trace = m[0][0] + m[1][1] + m[2][2];
    let axis = |i: usize| m[(i + 2) % 3][(i + 1) % 3] - m[(i + 1) % 3][(i + 2) % 3];
    let mut best = (1.0 + trace, [1.0 + trace, axis(0), axis(1), axis(2)]);
    for i in 0..3 {
        let square = 1.0 - trace + 2.0 * m[i][i];
        if square > best.0 {
            let mut q = [axis(i), 0.0, 0.0, 0.0];
            for j in 0..3 {
                q[1 + j] = if i == j { square } else { m[i][j] + m[j][i] };
            }
            best = (square, q);
        }
    }
    let [w, x, y, z] = best.1;
    let largest = best.1.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
    [w, x, y, z].map(|q| q / largest)
}

/// The exact rotation of a quaternion of any length, its components rounded to fifteen decimals.
fn of_quaternion(q: &[f64; 4]) -> Option<Vec<Rational>> {
    let scale = 1e15_f64;
    let whole = |q: &f64| {
        let digits = (q * scale).round().to_i64()?;
        Some(Rational::new(digits.into(), (scale as i64).into()))
    };
    let q: Vec<Rational> = q.iter().map(whole).collect::<Option<_>>()?;
    let [w, x, y, z] = q.as_slice() else {
        return None;
    };
    let square = w * w + x * x + y * y + z * z;
    if square.is_zero() {
        return None;
    }
    let two = Rational::one() + Rational::one();
    let entries = [
        w * w + x * x - y * y - z * z,
        &two * (x * y - w * z),
        &two * (x * z + w * y),
        &two * (x * y + w * z),
        w * w - x * x + y * y - z * z,
        &two * (y * z - w * x),
        &two * (x * z - w * y),
        &two * (y * z + w * x),
        w * w - x * x - y * y + z * z,
    ];
    Some(entries.into_iter().map(|entry| entry / &square).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rotations of all kinds, printed with seven decimals.
    #[test]
    fn matrices_of_decimals_become_rotations() {
        for k in 0..81_i32 {
            // Quaternions with every component in turn large, small and zero.
            let part = |place: u32| {
                f64::from(k / 3_i32.pow(place) % 3 - 1) * (1.0 + 0.37 * f64::from(place))
            };
            let q = [part(0) + 0.01, part(1), part(2), part(3)];
            let wanted = of_quaternion(&q).unwrap();
            let mut decimals = [[0.0; 3]; 3];
            for (at, entry) in wanted.iter().enumerate() {
                decimals[at / 3][at % 3] = (entry.to_f64().unwrap() * 1e7).round() / 1e7;
            }
            let found = of_quaternion(&quaternion(&orthonormal(decimals))).unwrap();
            for i in 0..3 {
                for j in 0..3 {
                    let off = (&found[3 * i + j] - &wanted[3 * i + j]).to_f64().unwrap();
                    assert!(off.abs() < 2e-7, "{k}: {off}");
                    let product = (0..3).fold(Rational::zero(), |sum, row| {
                        sum + &found[3 * row + i] * &found[3 * row + j]
                    });
                    let unit = Rational::from_integer(i64::from(i == j).into());
                    assert_eq!(product, unit, "columns {i} and {j} of {k}");
                }
            }
        }
    }

    #[test]
    fn quarter_turns_are_told_from_other_angles() {
        let near = |text: &str| {
            let digits: String = text.chars().filter(|c| *c != '.').collect();
            let decimals = text.len() - 1 - text.find('.').unwrap();
            let number = Rational::new(
                digits.parse().unwrap(),
                num_bigint::BigInt::from(10).pow(decimals as u32),
            );
            nearest(&number)
        };
        let (count, beyond) = near("-1.5707963267892424").unwrap();
        assert_eq!(count, -1);
        assert!((beyond - 5.654e-12).abs() < 1e-15, "{beyond}");
        assert_eq!(near("3.1416").unwrap().0, 2);
        assert_eq!(near("0.5"), None);
        assert_eq!(near("9.424777960769380").unwrap().0, 6);
    }
}
