/// A linear model `x' = f + A dx + B du`, rows of `f`, A and B side by side, over a time step: what the state has changed by, and how that
/// changes with the state before it and with inputs that are constant meanwhile. With `E = exp(A dt) - 1` and `L` all of it,
/// `L(2 dt) = 2 L(dt) + E(dt) L(dt)`; of a step short enough a series of 14 terms has all digits.
fn sampled<const ROWS: usize, const COLUMNS: usize, const ENTRIES: usize>(
    model: &[[f64; COLUMNS]; ROWS],
    dt: f64,
) -> [[f64; COLUMNS]; ENTRIES] {
    let mut size: f64 = 0.0;
    for row in model.iter().take(ENTRIES) {
        let own: f64 = row.iter().skip(1).take(ENTRIES).map(|x| x.abs()).sum();
        size = size.max(own * dt.abs());
    }
    let (mut step, mut doublings) = (dt, 0);
    while size > 0.5 && doublings < 1000 {
        size *= 0.5;
        step *= 0.5;
        doublings += 1;
    }
    let mut term = [[0.0; COLUMNS]; ENTRIES];
    for (row, own) in term.iter_mut().zip(model) {
        for (x, y) in row.iter_mut().zip(own) {
            *x = step * y;
        }
    }
    let first = term;
    let mut whole = term;
    for k in 2_u8..15 {
        term = times(&first, &term);
        for (sum, row) in whole.iter_mut().zip(&mut term) {
            for (sum, x) in sum.iter_mut().zip(row) {
                *x /= f64::from(k);
                *sum += *x;
            }
        }
    }
    for _ in 0..doublings {
        let more = times(&whole, &whole);
        for (sum, row) in whole.iter_mut().zip(&more) {
            for (sum, x) in sum.iter_mut().zip(row) {
                *sum = 2.0 * *sum + x;
            }
        }
    }
    for (i, row) in whole.iter_mut().enumerate() {
        row[1 + i] += 1.0;
    }
    whole
}

/// The columns of the state in `by`, times `of`.
fn times<const COLUMNS: usize, const ENTRIES: usize>(
    by: &[[f64; COLUMNS]; ENTRIES],
    of: &[[f64; COLUMNS]; ENTRIES],
) -> [[f64; COLUMNS]; ENTRIES] {
    let mut product = [[0.0; COLUMNS]; ENTRIES];
    for (row, by) in product.iter_mut().zip(by) {
        for (factor, other) in by.iter().skip(1).zip(of) {
            for (sum, x) in row.iter_mut().zip(other) {
                *sum += factor * x;
            }
        }
    }
    product
}
