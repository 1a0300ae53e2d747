/// What remains of a row, relative to what it was, at which it depends on the others.
const RANK: f64 = 1e-12;
/// The same, up to which results would be uncertain by more than a millionth.
const CERTAIN: f64 = 1e-9;
/// A row relative to the largest, at which it is nothing but rounding errors.
const NOTHING: f64 = 1e-15;
/// Relative residual of a dependent row above which the rows contradict each other. States of a simulation are off
/// their constraints by the integrator's error, and dependent rows contradict each other by as much.
const CONSISTENT: f64 = 1e-4;
/// Residual relative to the largest row, below which no row contradicts the others.
const NOISE: f64 = 1e-8;

fn total<T: Scalar>(numbers: impl Iterator<Item = T>) -> T {
    numbers
        .reduce(|sum, x| sum + x)
        .unwrap_or(T::from_f64(-0.0))
}

fn dot<T: Scalar>(a: &[T], b: &[T]) -> T {
    total(a.iter().zip(b).map(|(&x, &y)| x * y))
}

fn largest_bound<T: Scalar>(a: &[T]) -> f64 {
    a.iter().fold(0.0, |m: f64, x| m.max(x.bound()))
}

fn norm<T: Scalar>(a: &[T]) -> T {
    // Scaled, so that squares neither overflow nor vanish.
    let largest = largest_bound(a);
    let scale = T::from_f64(if largest == 0.0 { 1.0 } else { largest });
    let sum = total(a.iter().map(|&x| (x / scale) * (x / scale)));
    scale * sum.sqrt()
}

/// Position of the largest size; the first of several.
fn first_largest(sizes: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (position, size) in sizes {
        if best.is_none_or(|(_, largest)| size > largest) {
            best = Some((position, size));
        }
    }
    best.map(|(position, _)| position)
}

/// An equation `row . x = rhs` on its way through an elimination.
#[derive(Clone, Copy)]
struct Equation<T, const N: usize> {
    row: [T; N],
    /// The sizes of the entries and of all that was taken from them.
    sizes: [f64; N],
    rhs: T,
    /// The size of `rhs` and of all that was taken from it: what its rounding error is measured by.
    size: f64,
    /// The size of the row at the start.
    start: f64,
    /// Whether it is still to be used.
    open: bool,
}

impl<T: Scalar, const N: usize> Equation<T, N> {
    fn new(row: [T; N], rhs: T, start: f64) -> Self {
        let size = rhs.bound();
        let open = true;
        let sizes = row.map(|x| x.bound());
        Self {
            row,
            sizes,
            rhs,
            size,
            start,
            open,
        }
    }

    /// Takes `factor` times another equation from it.
    fn subtract(&mut self, factor: T, other: &Self) {
        for (x, y) in self.row.iter_mut().zip(&other.row) {
            *x = *x - factor * *y;
        }
        for (x, y) in self.sizes.iter_mut().zip(&other.sizes) {
            *x += factor.bound() * y;
        }
        self.rhs = self.rhs - factor * other.rhs;
        self.size += factor.bound() * other.size;
    }

    fn divide(&mut self, by: T) {
        for x in &mut self.row {
            *x = *x / by;
        }
        for x in &mut self.sizes {
            *x /= by.magnitude();
        }
        self.rhs = self.rhs / by;
        self.size /= by.magnitude();
    }

    /// Whether so little remains of it that it depends on the rows used before.
    fn is_spent(&self, remaining: f64, largest: f64) -> bool {
        remaining <= RANK * self.start || remaining <= NOTHING * largest
    }

    /// What remains relative to what it was, where that is too little for certain results.
    fn uncertain(&self, remaining: f64) -> Option<f64> {
        (remaining <= CERTAIN * self.start).then(|| remaining / self.start)
    }

    fn contradicts(&self, largest: f64) -> bool {
        self.rhs.bound() > CONSISTENT * self.size && self.rhs.bound() > NOISE * largest
    }
}
