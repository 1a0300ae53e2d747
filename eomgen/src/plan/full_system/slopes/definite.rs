//! Equations with a mass matrix. `M = U D U^T` with a unit upper triangle `U`, found from the tips inward, which keeps apart what different branches
//! do; and `M^-1 = V^T D^-1 V` with `V = U^-1`. The pivots are positive, since the matrix is definite.

use super::ForceSlopes;
use crate::ir::Value;
use crate::solve::Calc;

/// How equations with a mass matrix are solved.
pub(super) enum Solution {
    /// One column after the other, from the factors.
    Factors(Factors),
    /// With the inverse, row by row, whose products do not wait for one another.
    Inverse(Vec<Value>),
}

impl Solution {
    /// For a symmetric matrix, row by row.
    pub fn new(calc: &mut Calc<'_>, mass: &[Value], n: usize, inverts: bool) -> Self {
        let factors = Factors::new(calc, mass, n);
        match inverts {
            true => Self::Inverse(factors.inverse(calc)),
            false => Self::Factors(factors),
        }
    }

    /// `M^-1 b`
    pub fn of(&self, calc: &mut Calc<'_>, b: &[Value]) -> Vec<Value> {
        let inverse = match self {
            Self::Factors(factors) => return factors.solve(calc, b),
            Self::Inverse(inverse) => inverse,
        };
        let row = |row: &[Value]| {
            let mut sum = calc.graph.zero();
            for (factor, x) in row.iter().zip(b) {
                let part = calc.mul(*factor, *x);
                sum = calc.add(sum, part);
            }
            sum
        };
        inverse.chunks(b.len().max(1)).map(row).collect()
    }

    /// `-M^-1 dr/dx`, row by row. Entries are not taken for equal ones: those of another way could be among these.
    pub fn opposite(&self, calc: &mut Calc<'_>, forces: &ForceSlopes) -> Vec<Value> {
        let columns = forces.halves.len();
        let mut entries = forces.entries.clone();
        let calc = &mut Calc {
            graph: calc.graph,
            equals: None,
        };
        let minus_two = calc.graph.integer(-2);
        for (k, is_half) in forces.halves.iter().enumerate() {
            let mut column: Vec<Value> = entries.iter().skip(k).step_by(columns).copied().collect();
            if !is_half {
                column = column.iter().map(|v| calc.neg(*v)).collect();
            }
            for (i, mut x) in self.of(calc, &column).into_iter().enumerate() {
                if *is_half {
                    x = calc.mul(minus_two, x);
                }
                entries[i * columns + k] = x;
            }
        }
        entries
    }
}

/// The factors of a mass matrix.
pub(super) struct Factors {
    n: usize,
    /// Above the diagonal, row by row, those of U.
    upper: Vec<Value>,
    /// Of the pivots.
    reciprocals: Vec<Value>,
}

impl Factors {
    /// Of a symmetric matrix, row by row.
    fn new(calc: &mut Calc<'_>, mass: &[Value], n: usize) -> Self {
        let one = calc.graph.one();
        let (mut upper, mut reciprocals) = (mass.to_vec(), vec![one; n]);
        for k in (0..n).rev() {
            reciprocals[k] = calc.div(one, upper[k * n + k]);
            for i in (0..k).rev() {
                let factor = calc.mul(upper[i * n + k], reciprocals[k]);
                let rows = match calc.graph.is_zero(factor) {
                    true => 0,
                    false => i + 1,
                };
                for j in 0..rows {
                    let part = calc.mul(factor, upper[j * n + k]);
                    upper[j * n + i] = calc.sub(upper[j * n + i], part);
                }
                upper[i * n + k] = factor;
            }
        }
        Self {
            n,
            upper,
            reciprocals,
        }
    }

    /// `M^-1 b`
    fn solve(&self, calc: &mut Calc<'_>, b: &[Value]) -> Vec<Value> {
        let n = self.n;
        let mut x = b.to_vec();
        for i in (0..n).rev() {
            for k in i + 1..n {
                let part = calc.mul(self.upper[i * n + k], x[k]);
                x[i] = calc.sub(x[i], part);
            }
        }
        for k in 0..n {
            x[k] = calc.mul(x[k], self.reciprocals[k]);
            for i in 0..k {
                let part = calc.mul(self.upper[i * n + k], x[i]);
                x[k] = calc.sub(x[k], part);
            }
        }
        x
    }

    /// `M^-1`, row by row.
    fn inverse(&self, calc: &mut Calc<'_>) -> Vec<Value> {
        let mut triangle = self.upper.clone();
        invert(calc, &mut triangle, self.n);
        weighted(calc, &triangle, &self.reciprocals, self.n)
    }
}

/// From the entries of `U` off the diagonal those of `-V`, in their place.
fn invert(calc: &mut Calc<'_>, triangle: &mut [Value], n: usize) {
    for j in 0..n {
        for i in 0..j {
            for k in i + 1..j {
                let part = calc.mul(triangle[i * n + k], triangle[k * n + j]);
                triangle[i * n + j] = calc.sub(triangle[i * n + j], part);
            }
        }
    }
}

/// `V^T D^-1 V`, given the entries of `-V` off the diagonal.
fn weighted(calc: &mut Calc<'_>, v: &[Value], reciprocals: &[Value], n: usize) -> Vec<Value> {
    let mut all = vec![calc.graph.zero(); n * n];
    for j in 0..n {
        for i in 0..=j {
            let mut sum = calc.graph.zero();
            for k in 0..i {
                let part = calc.mul(reciprocals[k], v[k * n + j]);
                let part = calc.mul(part, v[k * n + i]);
                sum = calc.add(sum, part);
            }
            sum = if i == j {
                calc.add(sum, reciprocals[i])
            } else {
                let own = calc.mul(reciprocals[i], v[i * n + j]);
                calc.sub(sum, own)
            };
            all[i * n + j] = sum;
            all[j * n + i] = sum;
        }
    }
    all
}
