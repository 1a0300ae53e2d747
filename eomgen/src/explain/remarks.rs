//! Sentences about what was eliminated, chosen and left open.

use super::mathematics::readable;
use super::{Derivation, STATED};
use crate::form::charts::{Chart, Charts, Origin};
use crate::form::{Context, multipliers};
use crate::sym::Expr;

impl Derivation<'_, '_> {
    pub(super) fn remarks(&mut self) -> Vec<String> {
        let mut list: Vec<String> = self.on_speeds().into_iter().collect();
        if !self.found.stated {
            list.push(format!(
                "Of more than {STATED} speeds, the accelerations come from the balances of momentum of every body, whatever method is asked for; `mass_matrix` and `forcing` are what the method states, found from the same balances."
            ));
        }
        list.extend(self.on_dependent_rows());
        let remarks = self.found.formulated.remarks.iter();
        list.extend(remarks.chain(self.found.remarks).cloned());
        list.extend(self.on_charts());
        list.extend(self.on_coupling());
        list.push(format!("Accelerations: {}.", self.found.plan));
        let spent = self.reader.c.alg.spent();
        if spent > 0 {
            list.push(format!(
                "{spent} expressions were left unsimplified because the budget of terms was spent."
            ));
        }
        list
    }

    /// Which speeds are in the state.
    fn on_speeds(&self) -> Option<String> {
        let c = &self.reader.c;
        let set = &c.speeds;
        let list = |of: &[usize]| quoted(of.iter().map(|i| set.speeds[*i].name.as_str()));
        if set.reduced {
            let rest = if set.independent.is_empty() {
                "nothing is left free".to_string()
            } else {
                format!("independent speeds: {}", list(&set.independent))
            };
            let dependent = list(&set.dependent);
            return Some(format!(
                "Eliminated with the constraints: {dependent}; {rest}."
            ));
        }
        (!c.constraints.rows.is_empty()).then(|| {
            "All speeds belong to the state; the constraints are imposed on the accelerations."
                .into()
        })
    }

    /// Rows that follow from others.
    fn on_dependent_rows(&mut self) -> Option<String> {
        let constraints = &self.reader.c.constraints;
        let all = constraints.rows.iter().enumerate();
        let dependent = all.filter(|(i, _)| !constraints.independent.contains(i));
        let names = quoted(dependent.map(|(_, row)| row.name.as_str()));
        if names.is_empty() {
            return None;
        }
        let family = if self.found.method == "lagrange" {
            self.multiplier_family()
        } else {
            String::new()
        };
        Some(format!(
            "Constraint rows that depend on earlier ones: {names}; multipliers are those of minimum norm{family}."
        ))
    }

    /// By what multipliers may differ: `; with any multiple of (2, -1) added to (lambda[c1], lambda[c2]) the force is the same`.
    fn multiplier_family(&mut self) -> String {
        let c = &mut *self.reader.c;
        let Some((_, vectors)) = multipliers::family(c) else {
            return String::new();
        };
        let mut directions = Vec::with_capacity(vectors.len());
        for v in &vectors {
            let entries: Vec<String> = v.iter().map(|e| shown(c, e)).collect();
            directions.push(format!("`({})`", entries.join(", ")));
        }
        let rows = c.constraints.rows.iter();
        let names: Vec<String> = rows.map(|r| format!("lambda[{}]", r.name)).collect();
        let text = format!(
            "; the force is the same with any multiple of {} added to `({})`",
            directions.join(" or "),
            names.join(", ")
        );
        if text.len() <= self.longest {
            text
        } else {
            "; `multiplier_family` has the directions in which they may be changed".into()
        }
    }

    /// Which accelerations are eliminated.
    fn on_charts(&mut self) -> Option<String> {
        let charts = self.found.formulated.charts.as_ref()?;
        let c = &mut *self.reader.c;
        let coords = &c.system.coords;
        let name = |chart: &Chart| {
            let names = chart.eliminated.iter();
            let names = names.map(|i| format!("{}''", coords[*i].meta.name));
            quoted(names)
        };
        let first = charts.list.first().map(name).unwrap_or_default();
        Some(match charts.origin {
            Origin::Pivoted => "Chart: which accelerations are eliminated is found at every state, by complete pivoting.".into(),
            Origin::Certain => format!("Chart: {first} eliminated, which is possible wherever the constraint rows are independent."),
            Origin::Given => {
                let open = charts.list.first().map_or(&[][..], |k| &k.open);
                let fails: Vec<String> = open.iter().map(|f| format!("`{} = 0`", shown(c, f))).collect();
                if fails.is_empty() { format!("Chart: {first} eliminated, as asked for.") } else { format!("Chart: {first} eliminated, as asked for; it fails where {}.", fails.join(" or ")) }
            }
            Origin::Switched if charts.list.len() == 1 => {
                let zero = common_zero(c, charts);
                format!("Chart: {first} eliminated; it fails where `{zero}`, and so do all others.")
            }
            Origin::Switched => {
                let all: Vec<String> = charts.list.iter().map(name).collect();
                let fails = if charts.covering { "not all of them vanish at any state".into() } else { format!("all of them vanish where `{}`", common_zero(c, charts)) };
                format!(
                    "Charts: {} eliminated, at every state the one whose determinant is the largest; {fails}. Equations and quantities of a chart are those of the first.",
                    all.join(" or ")
                )
            }
        })
    }

    /// How the loads by reactions enter.
    fn on_coupling(&self) -> Option<String> {
        if self.found.coupled.is_empty() {
            return None;
        }
        let rows = &self.reader.c.constraints.rows;
        let names = quoted(self.found.coupled.iter().map(|j| rows[*j].name.as_str()));
        let how = if self.found.accelerations.is_some() {
            "solved together in closed form"
        } else {
            "solved together at run time"
        };
        Some(format!(
            "Loads depend on the reactions of {names}: accelerations and reactions are {how}."
        ))
    }
}

/// `x' = y' = z' = 0`: where no choice of dependent accelerations is possible.
pub fn common_zero(c: &mut Context<'_>, charts: &Charts) -> String {
    let mut sides = Vec::with_capacity(charts.list.len());
    for chart in &charts.list {
        let product = chart.open.iter().cloned().reduce(|a, b| a * b);
        sides.push(shown(c, &product.unwrap_or_else(Expr::one)));
    }
    format!("{} = 0", sides.join(" = "))
}

fn shown(c: &mut Context<'_>, e: &Expr) -> String {
    let e = readable(&mut c.alg, e);
    c.alg.text(&e)
}

/// Names in back quotes.
fn quoted(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    let names: Vec<String> = names.map(|n| format!("`{}`", n.as_ref())).collect();
    names.join(", ")
}
