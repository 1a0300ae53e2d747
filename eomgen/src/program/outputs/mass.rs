//! M and f.

use super::{Output, Shape};
use crate::facts::Fact;
use crate::form::{Context, Space};
use crate::plan::Reduced;
use crate::program::solved::Solved;
use crate::program::writer::Writer;

const MASS_MATRIX: &str = "mass_matrix";

/// M, unless it is [too large](Reduced), and f.
pub(super) fn outputs(solved: &Solved, w: &mut Writer<'_>, found: Reduced) -> Vec<Output> {
    let e = solved.posed.equations();
    let dots = w.c.kinematics(e.space).motion.speed_dots.iter();
    let names: Vec<String> = dots.map(|v| w.c.alg.info(*v).name.clone()).collect();
    let (l, unknowns) = (names.len(), names.join(", "));
    let rows = if e.closure.is_some() {
        ", without the constraint forces"
    } else {
        ""
    };
    let Reduced { mass, forcing } = found;
    let mut list = Vec::new();
    let belongs = if mass.len() == l * l {
        let docs = format!("Mass matrix M of `M z' = f` with z' = ({unknowns}){rows}.");
        let labels = (0..l * l).map(|k| format!("mass[{}][{}]", k / l, k % l));
        let labels = labels.collect();
        let output = Output::new(w, MASS_MATRIX, &docs, Shape::Matrix(l, l), labels, mass);
        list.push(output.with(Fact::Unknowns(names.clone())));
        format!("that belongs to `{MASS_MATRIX}`")
    } else {
        format!("of `M z' = f` with z' = ({unknowns})")
    };
    let prescribed = if w.c.system.nonideal.is_empty() {
        ""
    } else {
        ", including the prescribed vector C of the non-ideal constraints"
    };
    let docs = format!("Right-hand side f {belongs}{prescribed}.");
    let labels = names.iter().map(|n| format!("forcing of {n}")).collect();
    let output = Output::array(w, "forcing", &docs, labels, forcing);
    list.push(output.with(Fact::Unknowns(names)));
    list
}

/// What is said where M is not among the outputs.
pub(in crate::program) fn remark(c: &Context<'_>, space: Space, list: &[Output]) -> Option<String> {
    let l = c.kinematics(space).motion.speed_dots.len();
    let omitted = list.iter().all(|o| o.name != MASS_MATRIX);
    omitted.then(|| {
        format!("`{MASS_MATRIX}` with its {l} x {l} entries is omitted; `--output {MASS_MATRIX}` writes it.")
    })
}
