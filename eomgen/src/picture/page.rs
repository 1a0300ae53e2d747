//! One file that shows a motion in a browser: the machine in three dimensions, plots beside it, the audit and the equations.

use serde_json::{Value, json};

use super::shape::Shape;
use crate::machine::Machine;
use crate::simulate::Record;

const TEMPLATE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
/// Sliders for parameters and values at the start.
const LIVE: &str = include_str!("live.js");

/// Rows beyond this many are thinned out: a page is to be looked at.
const MOST_ROWS: usize = 2000;

/// What is on a page.
pub struct Page<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Its motion.
    pub record: &'a Record,
    /// Its parameters.
    pub params: &'a [f64],
    /// Masses and inertias, as the machine's scene gives them.
    pub inertias: &'a [f64],
    /// The sizes of what the model asks to be drawn.
    pub sizes: &'a [f64],
    /// The audit in words.
    pub audit: &'a str,
    /// A page with the equations, if there is one.
    pub equations: Option<&'a str>,
    /// Columns that are plotted together, first.
    pub plots: &'a [Vec<usize>],
    /// Which derivation it shows, where a server makes another one when the model changes.
    pub version: Option<u64>,
}

/// The page as HTML.
pub fn page(page: &Page<'_>) -> String {
    let machine = page.machine;
    let equations = page.equations.map_or(String::new(), |text| {
        format!(
            "<details><summary>Equations</summary><iframe title=\"Equations\" loading=\"lazy\" srcdoc=\"{}\"></iframe></details>",
            escaped(text)
        )
    });
    // `</script>` within a text would end the script.
    let data = data(page).to_string().replace("</", "<\\/");
    let title = escaped(&machine.name);
    let docs = escaped(machine.docs.lines().next().unwrap_or_default());
    let script = match page.version {
        None => SCRIPT.to_owned(),
        Some(version) => format!("{SCRIPT}{LIVE}{}", reload(version)),
    };
    // The data last: nothing in it is looked at again.
    TEMPLATE
        .replace("@TITLE@", &title)
        .replace("@DOCS@", &docs)
        .replace("@AUDIT@", &escaped(page.audit))
        .replace("@SCRIPT@", &script)
        .replace("@EQUATIONS@", &equations)
        .replace("@DATA@", &data)
}

/// What makes a page load again when the server has derived another version.
pub fn reload(version: u64) -> String {
    format!(
        "setInterval(() => fetch('/version').then(r => r.text()).then(v => {{ if (v !== '{version}') location.reload(); }}).catch(() => {{}}), 600);"
    )
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Six digits are what eyes and screens resolve.
fn short(x: f64) -> Value {
    if !x.is_finite() {
        return Value::Null;
    }
    let text = format!("{x:.6e}");
    text.parse::<f64>().map_or(Value::Null, |x| json!(x))
}

fn thinned(rows: &[Vec<f64>]) -> Vec<Vec<Value>> {
    let stride = rows.len().div_ceil(MOST_ROWS).max(1);
    let last = rows.len().saturating_sub(1);
    let kept = rows
        .iter()
        .enumerate()
        .filter(|(i, _)| i % stride == 0 || *i == last);
    kept.map(|(_, row)| row.iter().map(|x| short(*x)).collect())
        .collect()
}

/// Parameters, and coordinates and speeds at the start, with their values.
fn sliders(page: &Page<'_>) -> Vec<Value> {
    let machine = page.machine;
    let params = machine.params.iter().map(|p| ("p", &p.named));
    let state = machine.state().map(|s| ("q", s));
    let start = page
        .record
        .rows
        .first()
        .map_or(&[][..], |row| row.as_slice());
    let values = page.params.iter().chain(start.get(1..).unwrap_or_default());
    let all = params.chain(state).zip(values);
    all.map(|((kind, named), value)| {
        json!({ "kind": kind, "name": named.name, "unit": named.unit, "value": value })
    })
    .collect()
}

fn data(page: &Page<'_>) -> Value {
    let (machine, record) = (page.machine, page.record);
    let scene = &machine.scene;
    let columns = record.columns.iter();
    let columns = columns.map(|c| json!({ "name": c.name, "unit": c.unit, "kind": c.kind.word() }));
    let numbers = page.inertias.chunks(10);
    let bodies = scene.bodies.iter().zip(numbers).map(|(body, numbers)| {
        let shape = match body.frame {
            Some(_) => Shape::of(numbers),
            None => Shape::Point,
        };
        let mut value = json!(shape);
        value["radius"] = json!(shape.radius());
        value["name"] = json!(body.name);
        value["center"] = json!(body.center);
        value["frame"] = json!(body.frame);
        value
    });
    let up = page
        .inertias
        .get(10 * scene.bodies.len()..)
        .filter(|up| up.len() == 3);
    let mut sizes = page.sizes.iter();
    let drawings = scene.drawings.iter().map(|drawn| {
        let mut value = json!(drawn.shape);
        let count = drawn.shape.sizes();
        value["size"] = sizes.by_ref().take(count).map(|x| short(*x)).collect();
        value["name"] = json!(drawn.name);
        value["color"] = json!(drawn.color);
        value
    });
    let drawings: Vec<Value> = drawings.collect();
    json!({
        "columns": columns.collect::<Vec<_>>(),
        "rows": thinned(&record.rows),
        "places": thinned(&record.places),
        "plots": page.plots,
        "sliders": sliders(page),
        "scene": {
            "points": scene.points,
            "frames": scene.frames,
            "lines": scene.lines,
            "bodies": bodies.collect::<Vec<_>>(),
            "drawings": drawings,
            "up": up,
        },
    })
}
