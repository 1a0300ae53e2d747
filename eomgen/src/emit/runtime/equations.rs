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

fn square_root(x: f64) -> f64 {
    x.sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn largest_magnitude(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn norm(a: &[f64]) -> f64 {
    // Scaled, so that squares neither overflow nor vanish.
    let largest = largest_magnitude(a);
    if largest == 0.0 {
        return 0.0;
    }
    let sum: f64 = a.iter().map(|x| (x / largest) * (x / largest)).sum();
    largest * square_root(sum)
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
struct Equation<const N: usize> {
    row: [f64; N],
    /// The sizes of the entries and of all that was taken from them.
    sizes: [f64; N],
    rhs: f64,
    /// The size of `rhs` and of all that was taken from it: what its rounding error is measured by.
    size: f64,
    /// The size of the row at the start.
    start: f64,
    /// Whether it is still to be used.
    open: bool,
}

impl<const N: usize> Equation<N> {
    fn new(row: [f64; N], rhs: f64, start: f64) -> Self {
        let size = rhs.abs();
        let open = true;
        let sizes = row.map(f64::abs);
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
    fn subtract(&mut self, factor: f64, other: &Self) {
        for (x, y) in self.row.iter_mut().zip(&other.row) {
            *x -= factor * y;
        }
        for (x, y) in self.sizes.iter_mut().zip(&other.sizes) {
            *x += factor.abs() * y;
        }
        self.rhs -= factor * other.rhs;
        self.size += factor.abs() * other.size;
    }

    fn divide(&mut self, by: f64) {
        for x in &mut self.row {
            *x /= by;
        }
        for x in &mut self.sizes {
            *x /= by.abs();
        }
        self.rhs /= by;
        self.size /= by.abs();
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
        self.rhs.abs() > CONSISTENT * self.size && self.rhs.abs() > NOISE * largest
    }
}
