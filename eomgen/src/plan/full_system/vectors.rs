//! Triples of values and their arithmetic, equal values recognised.

use crate::ir::Value;
use crate::solve::Calc;

/// Components in some frame.
pub(super) type Vector = [Value; 3];
/// Rows of a 3 x 3 matrix.
pub(super) type Tensor = [Vector; 3];

/// Vector arithmetic on a graph.
pub(super) trait Vectors {
    fn nothing(&self) -> Vector;
    fn unit(&self) -> Tensor;
    fn is_nothing(&self, v: &Vector) -> bool;
    fn plus(&mut self, a: &Vector, b: &Vector) -> Vector;
    fn minus(&mut self, a: &Vector, b: &Vector) -> Vector;
    fn times(&mut self, k: Value, v: &Vector) -> Vector;
    fn dot(&mut self, a: &Vector, b: &Vector) -> Value;
    fn cross(&mut self, a: &Vector, b: &Vector) -> Vector;
    fn apply(&mut self, m: &Tensor, v: &Vector) -> Vector;
    fn product(&mut self, a: &Tensor, b: &Tensor) -> Tensor;
    /// `v~`, with `v~ u = v x u`.
    fn skew(&mut self, v: &Vector) -> Tensor;
    /// `m t m^T` of a symmetric tensor: six entries are worked out.
    fn turned(&mut self, m: &Tensor, t: &Tensor) -> Tensor;
}

pub(super) fn transpose(m: &Tensor) -> Tensor {
    std::array::from_fn(|r| std::array::from_fn(|c| m[c][r]))
}

impl Vectors for Calc<'_> {
    fn nothing(&self) -> Vector {
        [self.graph.zero(); 3]
    }

    fn unit(&self) -> Tensor {
        let (zero, one) = (self.graph.zero(), self.graph.one());
        std::array::from_fn(|r| std::array::from_fn(|c| if r == c { one } else { zero }))
    }

    fn is_nothing(&self, v: &Vector) -> bool {
        v.iter().all(|x| self.graph.is_zero(*x))
    }

    fn plus(&mut self, a: &Vector, b: &Vector) -> Vector {
        std::array::from_fn(|i| self.add(a[i], b[i]))
    }

    fn minus(&mut self, a: &Vector, b: &Vector) -> Vector {
        std::array::from_fn(|i| self.sub(a[i], b[i]))
    }

    fn times(&mut self, k: Value, v: &Vector) -> Vector {
        v.map(|x| self.mul(k, x))
    }

    fn dot(&mut self, a: &Vector, b: &Vector) -> Value {
        let mut sum = self.graph.zero();
        for (x, y) in a.iter().zip(b) {
            let term = self.mul(*x, *y);
            sum = self.add(sum, term);
        }
        sum
    }

    fn cross(&mut self, a: &Vector, b: &Vector) -> Vector {
        std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (one, other) = (self.mul(a[j], b[k]), self.mul(a[k], b[j]));
            self.sub(one, other)
        })
    }

    fn apply(&mut self, m: &Tensor, v: &Vector) -> Vector {
        std::array::from_fn(|i| self.dot(&m[i], v))
    }

    fn product(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        let columns = transpose(b);
        std::array::from_fn(|r| std::array::from_fn(|c| self.dot(&a[r], &columns[c])))
    }

    fn skew(&mut self, v: &Vector) -> Tensor {
        let zero = self.graph.zero();
        let n = v.map(|x| self.neg(x));
        [[zero, n[2], v[1]], [v[2], zero, n[0]], [n[1], v[0], zero]]
    }

    fn turned(&mut self, m: &Tensor, t: &Tensor) -> Tensor {
        let half = self.product(m, t);
        let mut out = *t;
        for r in 0..3 {
            for c in r..3 {
                out[r][c] = self.dot(&half[r], &m[c]);
                out[c][r] = out[r][c];
            }
        }
        out
    }
}
