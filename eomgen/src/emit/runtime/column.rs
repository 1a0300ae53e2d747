/// `W` entries of a column from `first` on. Behind its end stands its last entry again; one entry stands for all.
fn column<const W: usize>(all: &[f64], first: usize) -> [f64; W] {
    let Some(left) = all.get(first..).filter(|left| !left.is_empty()) else {
        return [all[0]; W];
    };
    match left.first_chunk() {
        Some(full) => *full,
        None => core::array::from_fn(|lane| left[lane.min(left.len() - 1)]),
    }
}

/// Writes lanes to a column from `first` on, as far as it reaches.
fn store<const W: usize>(column: &mut [f64], first: usize, values: &[f64; W]) {
    let left = &mut column[first..];
    match left.first_chunk_mut() {
        Some(full) => *full = *values,
        None => left.copy_from_slice(&values[..left.len()]),
    }
}
