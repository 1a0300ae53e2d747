//! What the model declares as outputs.

use super::{Output, Shape};
use crate::diag::Diagnostic;
use crate::facts::Fact;
use crate::form::Space;
use crate::mech::Fault;
use crate::model::system::{self, FrameId, Quantity};
use crate::program::writer::Writer;
use crate::sym::Expr;

pub(super) fn outputs(w: &mut Writer<'_>) -> Result<Vec<Output>, Vec<Diagnostic>> {
    let (mut list, mut errors) = (Vec::new(), Vec::new());
    for o in &w.c.system.outputs {
        match entries(w, o) {
            Ok((shape, exprs)) => list.push(output(w, o, shape, exprs)),
            Err(fault) => errors.push(fault.at(o.meta.span)),
        }
    }
    if errors.is_empty() {
        Ok(list)
    } else {
        Err(errors)
    }
}

fn entries(w: &mut Writer<'_>, o: &system::Output) -> Result<(Shape, Vec<Expr>), Fault> {
    let (alg, values, k, _) = w.c.parts(Space::Accelerations);
    match &o.value {
        Quantity::Scalar(s) => Ok((Shape::Scalar, vec![values.scalar(alg, k, s)?])),
        Quantity::Vector(v) => {
            let v = values.vector(alg, k, v)?;
            let components = k.components(alg, &v, FrameId(0), &o.meta.name);
            Ok((Shape::Array(3), components.to_vec()))
        }
    }
}

fn output(w: &mut Writer<'_>, o: &system::Output, shape: Shape, exprs: Vec<Expr>) -> Output {
    let name = &o.meta.name;
    let named = exprs.into_iter().map(|e| w.c.alg.define(name, e));
    let exprs: Vec<Expr> = named.collect();
    let values = w.lower_all(&exprs);
    let docs = if o.meta.docs.is_empty() {
        format!("Output `{name}` of the model.")
    } else {
        o.meta.docs.clone()
    };
    let docs = with_unit(&docs, o.meta.unit.as_deref());
    let labels = vec![name.clone(); values.len()];
    Output::new(w, &format!("output_{name}"), &docs, shape, labels, values)
        .with(Fact::Output(name.clone()))
}

/// A text with a unit in parentheses at its end, before the full stop.
fn with_unit(docs: &str, unit: Option<&str>) -> String {
    let unit = match unit {
        None | Some("") => return docs.to_string(),
        Some("1") => "dimensionless".to_string(),
        Some(unit) => format!("`{unit}`"),
    };
    match docs.trim_end().strip_suffix('.') {
        Some(docs) => format!("{docs} ({unit})."),
        None => format!("{} ({unit})", docs.trim_end()),
    }
}
