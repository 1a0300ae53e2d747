//! Linear models as text: for reading, as Markdown, as arrays of NumPy.

use nalgebra::{Complex, DMatrix};

use super::modes::Mode;
use super::reduction::Linear;

/// A number for reading.
pub fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let size = x.abs();
    if (1e-4..1e7).contains(&size) {
        let text = format!("{x:.9}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{x:.9e}")
}

/// An eigenvalue for reading.
pub fn complex(x: Complex<f64>) -> String {
    if x.im == 0.0 {
        return number(x.re);
    }
    let sign = if x.im < 0.0 { '-' } else { '+' };
    format!("{} {sign} {}i", number(x.re), number(x.im.abs()))
}

/// Columns side by side.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| {
        let cells = rows.iter().filter_map(|row| row.get(k));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// A matrix with the names of its rows and columns.
fn matrix(name: &str, m: &DMatrix<f64>, rows: &[String], columns: &[String]) -> Vec<Vec<String>> {
    let mut list = vec![vec![name.to_owned()]];
    list[0].extend(columns.iter().cloned());
    for (i, row) in rows.iter().enumerate() {
        let mut line = vec![row.clone()];
        line.extend((0..m.ncols()).map(|j| number(m[(i, j)])));
        list.push(line);
    }
    list
}

/// The matrices that there are.
fn matrices(linear: &Linear) -> Vec<Vec<Vec<String>>> {
    let rates = linear.states.iter().map(|s| match s.ends_with('\'') {
        true => format!("({s})'"),
        false => format!("{s}'"),
    });
    let rates: Vec<String> = rates.collect();
    let all = [
        ("A", &linear.a, &rates, &linear.states),
        ("B", &linear.b, &rates, &linear.inputs),
        ("C", &linear.c, &linear.outputs, &linear.states),
        ("D", &linear.d, &linear.outputs, &linear.inputs),
    ];
    all.into_iter()
        .filter(|(_, m, ..)| !m.is_empty())
        .map(|(name, m, rows, columns)| matrix(name, m, rows, columns))
        .collect()
}

/// The modes as a table.
fn modes(linear: &Linear, modes: &[Mode]) -> Vec<Vec<String>> {
    let mut header = vec!["eigenvalue [1/s]", "damping", "frequency [rad/s]"];
    let (inputs, outputs) = (!linear.inputs.is_empty(), !linear.outputs.is_empty());
    if inputs {
        header.push("controllable");
    }
    if outputs {
        header.push("observable");
    }
    header.push("who takes part");
    let mut list = vec![header.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    let word = |x: Option<bool>| if x == Some(true) { "yes" } else { "no" }.to_owned();
    for mode in modes {
        let mut row = vec![
            complex(mode.value),
            mode.damping().map_or(String::new(), |d| format!("{d:.6}")),
            number(mode.frequency()),
        ];
        if inputs {
            row.push(word(mode.controllable));
        }
        if outputs {
            row.push(word(mode.observable));
        }
        let parts = mode.parts.iter();
        let parts = parts.map(|(i, x)| format!("{} {:.0}%", linear.states[*i], 100.0 * x));
        row.push(parts.collect::<Vec<_>>().join(", "));
        list.push(row);
    }
    list
}

/// What is not in the matrices.
fn remarks(linear: &Linear) -> Vec<String> {
    let mut list = Vec::new();
    if !linear.dependent.is_empty() {
        list.push(format!(
            "The constraints determine {}.",
            linear.dependent.join(", ")
        ));
    }
    if !linear.integrals.is_empty() {
        let names = linear.integrals.iter().map(|i| linear.states[*i].clone());
        let names: Vec<String> = names.collect();
        list.push(format!(
            "Nothing else depends on {}: an eigenvalue 0 each.",
            names.join(", ")
        ));
    }
    list
}

/// For reading.
pub fn plain(linear: &Linear, found: &[Mode]) -> String {
    let mut parts: Vec<String> = matrices(linear).iter().map(|m| table(m)).collect();
    parts.push(table(&modes(linear, found)));
    let remarks = remarks(linear);
    if !remarks.is_empty() {
        parts.push(remarks.join("\n") + "\n");
    }
    parts.join("\n")
}

/// As tables of Markdown.
pub fn markdown(name: &str, linear: &Linear, found: &[Mode]) -> String {
    let mut parts = vec![format!("# Linear model of {name}\n")];
    let cell = |text: &String| text.replace('|', "\\|");
    let lines = |rows: &[Vec<String>]| {
        let mut out = String::new();
        for (at, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(cell).collect();
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
            if at == 0 {
                out.push_str(&format!("|{}\n", "---|".repeat(row.len())));
            }
        }
        out
    };
    parts.extend(matrices(linear).iter().map(|m| lines(m)));
    parts.push(lines(&modes(linear, found)));
    parts.extend(remarks(linear).into_iter().map(|r| r + "\n"));
    parts.join("\n")
}

/// As a Python text.
pub fn numpy(name: &str, linear: &Linear) -> String {
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|n| format!("{n:?}")).collect();
        names.join(", ")
    };
    let mut out = format!(
        "# Linear model of {name}\nimport numpy as np\n\nstates = [{}]\ninputs = [{}]\noutputs = [{}]\n",
        list(&linear.states),
        list(&linear.inputs),
        list(&linear.outputs)
    );
    for (name, m) in [
        ("A", &linear.a),
        ("B", &linear.b),
        ("C", &linear.c),
        ("D", &linear.d),
    ] {
        if m.is_empty() {
            out.push_str(&format!(
                "{name} = np.zeros(({}, {}))\n",
                m.nrows(),
                m.ncols()
            ));
            continue;
        }
        let rows = m.row_iter().map(|row| {
            let numbers: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
            format!("    [{}],\n", numbers.join(", "))
        });
        out.push_str(&format!(
            "{name} = np.array([\n{}])\n",
            rows.collect::<String>()
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(1.5), "1.5");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(1e-9), "1.000000000e-9");
        assert_eq!(complex(Complex::new(-1.0, -2.0)), "-1 - 2i");
    }
}
