/// Whether there is an entry for each state in all columns, or one for all in those that may have one.
#[inline(always)]
fn batch_lengths(
    expected: usize,
    t: &[f64],
    states: &[&[f64]],
    inputs: &[&[f64]],
    out: &[&mut [f64]],
) -> Result<(), BatchError> {
    let given = |column: &[f64]| column.len() == expected || column.len() == 1;
    let fit = given(t)
        && states.iter().all(|column| column.len() == expected)
        && inputs.iter().all(|column| given(column))
        && out.iter().all(|column| column.len() == expected);
    if fit {
        Ok(())
    } else {
        Err(wrong_length(expected, t, states, inputs, out))
    }
}

/// The first length that is wrong: of the inputs, of the times, of the states, of the results.
#[cold]
fn wrong_length(
    expected: usize,
    t: &[f64],
    states: &[&[f64]],
    inputs: &[&[f64]],
    out: &[&mut [f64]],
) -> BatchError {
    let given = inputs.iter().map(|column| column.len()).chain([t.len()]);
    let wrong = given.filter(|&found| found != 1 && found != expected);
    let own = states.iter().map(|column| column.len());
    let own = own.chain(out.iter().map(|column| column.len()));
    let found = wrong.chain(own.filter(|&found| found != expected)).next();
    BatchError::Length {
        expected,
        found: found.unwrap_or(expected),
    }
}
