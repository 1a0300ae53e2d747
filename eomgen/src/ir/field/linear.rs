//! Exact linear algebra over the field: what the numerical routines mean.

use crate::field::Residue;

/// Solves a square system; `None` if it is singular.
fn solve(mut a: Vec<Vec<Residue>>, mut b: Vec<Residue>) -> Option<Vec<Residue>> {
    let n = b.len();
    for step in 0..n {
        let pivot = (step..n).find(|&row| a[row][step] != Residue::ZERO)?;
        a.swap(step, pivot);
        b.swap(step, pivot);
        let inverse = a[step][step].inverse()?;
        let chosen = a[step].clone();
        for row in (0..n).filter(|&row| row != step) {
            let factor = a[row][step] * inverse;
            for (x, &y) in a[row].iter_mut().zip(&chosen) {
                *x = *x - factor * y;
            }
            b[row] = b[row] - factor * b[step];
        }
    }
    (0..n).map(|i| Some(b[i] * a[i][i].inverse()?)).collect()
}

/// The rows that do not depend on those before them; `None` if one of the others contradicts them.
fn independent(cols: usize, a: &[Residue], b: &[Residue]) -> Option<Vec<usize>> {
    let mut reduced: Vec<(usize, Vec<Residue>)> = Vec::new();
    let mut chosen = Vec::new();
    for (index, &rhs) in b.iter().enumerate() {
        let mut row = a[index * cols..(index + 1) * cols].to_vec();
        row.push(rhs);
        for (lead, other) in &reduced {
            let factor = row[*lead];
            for (x, &y) in row.iter_mut().zip(other) {
                *x = *x - factor * y;
            }
        }
        match row.iter().position(|&x| x != Residue::ZERO) {
            None => {}
            Some(lead) if lead == cols => return None,
            Some(lead) => {
                let inverse = row[lead].inverse()?;
                reduced.push((lead, row.iter().map(|&x| x * inverse).collect()));
                chosen.push(index);
            }
        }
    }
    Some(chosen)
}

fn dot(a: &[Residue], b: &[Residue]) -> Residue {
    a.iter()
        .zip(b)
        .fold(Residue::ZERO, |sum, (&x, &y)| sum + x * y)
}

/// `x = A^T (A A^T)^-1 b` over the independent rows.
pub(super) fn minimum_norm(cols: usize, a: &[Residue], b: &[Residue]) -> Option<Vec<Residue>> {
    let chosen = independent(cols, a, b)?;
    let row = |i: usize| &a[i * cols..(i + 1) * cols];
    let gram = chosen
        .iter()
        .map(|&i| chosen.iter().map(|&j| dot(row(i), row(j))).collect())
        .collect();
    let y = solve(gram, chosen.iter().map(|&i| b[i]).collect())?;
    let entry = |j: usize| {
        let terms = chosen.iter().zip(&y).map(|(&i, &y)| row(i)[j] * y);
        terms.fold(Residue::ZERO, |sum, term| sum + term)
    };
    Some((0..cols).map(entry).collect())
}

/// The bordered system over the independent rows, then the multipliers of least norm over all of them.
pub(super) fn constrained(
    n: usize,
    mass: &[Residue],
    force: &[Residue],
    a: &[Residue],
    b: &[Residue],
) -> Option<Vec<Residue>> {
    let chosen = independent(n, a, b)?;
    let m = b.len();
    let mut bordered: Vec<Vec<Residue>> = Vec::new();
    for i in 0..n {
        let mut row = mass[i * n..(i + 1) * n].to_vec();
        row.extend(chosen.iter().map(|&k| -a[k * n + i]));
        bordered.push(row);
    }
    for &k in &chosen {
        let mut row = a[k * n..(k + 1) * n].to_vec();
        row.resize(n + chosen.len(), Residue::ZERO);
        bordered.push(row);
    }
    let mut rhs = force.to_vec();
    rhs.extend(chosen.iter().map(|&k| b[k]));
    let mut result = solve(bordered, rhs)?;
    result.truncate(n);
    let missing: Vec<Residue> = (0..n)
        .map(|i| dot(&mass[i * n..(i + 1) * n], &result) - force[i])
        .collect();
    let transposed: Vec<Residue> = (0..n)
        .flat_map(|col| (0..m).map(move |row| a[row * n + col]))
        .collect();
    result.extend(minimum_norm(m, &transposed, &missing)?);
    Some(result)
}
