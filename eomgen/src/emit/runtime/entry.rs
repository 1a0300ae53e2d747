/// The entry of one state in a column that may have one entry for all.
fn entry(column: &[f64], index: usize) -> f64 {
    match column {
        [only] => *only,
        all => all[index],
    }
}
