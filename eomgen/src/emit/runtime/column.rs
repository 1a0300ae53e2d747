/// Columns in blocks of `W`, without what is left; a single entry stands for all, as the block in `copies`.
#[inline(always)]
fn spread<'a, const W: usize, const N: usize>(
    columns: [&'a [f64]; N],
    copies: &'a [[f64; W]; N],
) -> [&'a [[f64; W]]; N] {
    core::array::from_fn(|k| match columns[k] {
        [_] => core::slice::from_ref(&copies[k]),
        all => all.as_chunks().0,
    })
}

/// The first entry of a column as a block.
#[inline(always)]
fn splat<const W: usize>(column: &[f64]) -> [f64; W] {
    [column.first().copied().unwrap_or(0.0); W]
}

/// What is left of a column from `first` on, its last entry again behind its end; a single entry stands for all.
fn padded<const W: usize>(column: &[f64], first: usize) -> [f64; W] {
    core::array::from_fn(|lane| column[(first + lane).min(column.len() - 1)])
}
