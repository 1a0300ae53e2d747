//! The block triangular form of a square pattern: its determinant is the product of those of the diagonal blocks, and each block is solved
//! once those before it are. Knows nothing of values.

/// The diagonal blocks, rows and columns ascending, each after those whose unknowns its rows hold too; `None` if the pattern is
/// structurally singular. `filled[i]` are the columns of row i.
pub(super) fn blocks(filled: &[Vec<usize>]) -> Option<Vec<(Vec<usize>, Vec<usize>)>> {
    let row_of = matching(filled)?;
    let n = filled.len();
    let mut column_of = vec![0; n];
    for (column, row) in row_of.iter().enumerate() {
        column_of[*row] = column;
    }
    let needs = |row: usize| filled[row].iter().map(|column| row_of[*column]);
    let next: Vec<Vec<usize>> = (0..n).map(|row| needs(row).collect()).collect();
    let blocks = strong_components(&next).into_iter().map(|mut rows| {
        rows.sort_unstable();
        let mut columns: Vec<usize> = rows.iter().map(|row| column_of[*row]).collect();
        columns.sort_unstable();
        (rows, columns)
    });
    Some(blocks.collect())
}

/// A row for every column, each in one that it fills.
fn matching(filled: &[Vec<usize>]) -> Option<Vec<usize>> {
    let n = filled.len();
    let mut row_of: Vec<Option<usize>> = vec![None; n];
    for start in 0..n {
        // Breadth first: the columns reached, each with the row it was reached from.
        let mut from: Vec<Option<usize>> = vec![None; n];
        let mut queue = vec![start];
        let mut at = 0;
        let mut end = None;
        while end.is_none() {
            let row = *queue.get(at)?;
            at += 1;
            for &column in &filled[row] {
                if from[column].is_some() {
                    continue;
                }
                from[column] = Some(row);
                match row_of[column] {
                    Some(taken) => queue.push(taken),
                    None => {
                        end = Some(column);
                        break;
                    }
                }
            }
        }
        let mut free = end;
        while let Some(column) = free {
            let row = from[column]?;
            free = row_of.iter().position(|r| *r == Some(row));
            row_of[column] = Some(row);
            if row == start {
                break;
            }
        }
    }
    row_of.into_iter().collect()
}

/// Strongly connected components, each after those that it leads to (Tarjan, without recursion).
fn strong_components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const OPEN: usize = usize::MAX;
    let n = next.len();
    let (mut number, mut low) = (vec![OPEN; n], vec![OPEN; n]);
    let mut done = vec![false; n];
    let (mut stack, mut components, mut count) = (Vec::new(), Vec::new(), 0);
    for start in 0..n {
        if number[start] != OPEN {
            continue;
        }
        let mut calls = vec![(start, 0)];
        while let Some((v, edge)) = calls.pop() {
            if edge == 0 {
                (number[v], low[v]) = (count, count);
                count += 1;
                stack.push(v);
            }
            if let Some(&w) = next[v].get(edge) {
                calls.push((v, edge + 1));
                if number[w] == OPEN {
                    calls.push((w, 0));
                } else if !done[w] {
                    low[v] = low[v].min(number[w]);
                }
                continue;
            }
            if let Some((caller, _)) = calls.last() {
                low[*caller] = low[*caller].min(low[v]);
            }
            if low[v] == number[v] {
                let from = stack.iter().rposition(|w| *w == v).unwrap_or(0);
                let component = stack.split_off(from);
                component.iter().for_each(|w| done[*w] = true);
                components.push(component);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn a_triangle_falls_into_its_diagonal() {
        // Row 0 needs all, row 2 only the first unknown.
        let found = blocks(&[vec![0, 1, 2], vec![0, 1], vec![0]]);
        let expected = [(2, 0), (1, 1), (0, 2)].map(|(i, j)| (vec![i], vec![j]));
        assert_eq!(found, Some(expected.to_vec()));
    }

    #[test]
    fn a_cycle_is_one_block_and_comes_after_what_it_needs() {
        let found = blocks(&[vec![0, 1], vec![1, 2], vec![0, 2, 3], vec![3]]);
        let cycle = vec![0, 1, 2];
        assert_eq!(
            found,
            Some(vec![(vec![3], vec![3]), (cycle.clone(), cycle)])
        );
    }

    #[test]
    fn two_rows_in_one_column_are_singular() {
        assert_eq!(blocks(&[vec![1], vec![1]]), None);
    }
}
