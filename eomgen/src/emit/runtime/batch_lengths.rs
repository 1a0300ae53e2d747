/// Whether there is an entry for each state in all columns, or one for all in those that may have one.
fn batch_lengths(
    expected: usize,
    t: &[f64],
    states: &[&[f64]],
    inputs: &[&[f64]],
    out: &[&mut [f64]],
) -> Result<(), BatchError> {
    let given = inputs.iter().map(|column| column.len()).chain([t.len()]);
    let wrong = given.filter(|&found| found != 1 && found != expected);
    let own = states.iter().map(|column| column.len());
    let own = own.chain(out.iter().map(|column| column.len()));
    match wrong.chain(own.filter(|&found| found != expected)).next() {
        Some(found) => Err(BatchError::Length { expected, found }),
        None => Ok(()),
    }
}
