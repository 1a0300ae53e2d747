/// Rows in the rates as rows in the speeds: the rates are sums of the speeds with factors, and of what they are without.
#[allow(clippy::needless_range_loop)]
fn by_speeds<const N: usize, const M: usize>(
    rows: &[[f64; N]; M],
    rates: impl Fn(&[f64; N]) -> [f64; N],
) -> [[f64; N]; M] {
    let still = rates(&[0.0; N]);
    let mut found = [[0.0; N]; M];
    for j in 0..N {
        let mut speeds = [0.0; N];
        speeds[j] = 1.0;
        let column = rates(&speeds);
        for i in 0..M {
            found[i][j] = (0..N).map(|k| rows[i][k] * (column[k] - still[k])).sum();
        }
    }
    found
}
