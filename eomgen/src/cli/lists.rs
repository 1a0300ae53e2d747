//! The commands that need no model.

use super::console::{Problem, print};
use crate::diag::codes;
use crate::input::{self, MethodInfo, QuantityEntry};
use serde_json::{Value, json};

/// Columns of the page's running text.
const WIDE: usize = 100;

/// `eomgen methods`
pub(super) fn methods(json: bool) -> Result<(), Problem> {
    let (methods, quantities) = (input::methods(), input::quantities());
    if json {
        return print(&format!("{:#}\n", as_json(&methods, &quantities)));
    }
    let mut page = String::new();
    for method in &methods {
        let mut line = |label: &str, text: &str| page.push_str(&filled(label, text));
        line(method.name, "");
        line("    ", method.equation);
        line("    needs: ", method.requirements);
        line("    gives: ", method.result);
        if !method.outputs.is_empty() {
            line("    outputs: ", &method.outputs.join(", "));
        }
        page.push('\n');
    }
    let all = methods.len();
    let general = |q: &QuantityEntry| q.methods.len() == all;
    type Chosen<'a> = &'a dyn Fn(&QuantityEntry) -> bool;
    let groups: [(&str, Chosen<'_>); 4] = [
        (
            "Outputs in every module, if they exist for the model; `--only NAME,...` keeps some of them",
            &|q| q.by_default,
        ),
        (
            "Outputs that need no further derivation, added with `--output NAME,...`, or all of them with `--output standard`",
            &|q| q.standard && !q.by_default,
        ),
        (
            "Outputs for every formulation, added with `--output`",
            &|q| !q.standard && general(q),
        ),
        (
            "Outputs of individual formulations, also added with `--output`",
            &|q| !q.standard && !general(q),
        ),
    ];
    for (title, chosen) in groups {
        page.push_str(&format!("{title}\n\n"));
        for q in quantities.iter().filter(|q| chosen(q)) {
            page.push_str(&format!(
                "{} ({})\n",
                q.about.of.example(q.about.name),
                q.about.symbol
            ));
            page.push_str(&filled("    ", q.about.docs));
            if !general(q) {
                page.push_str(&filled("    of: ", &q.methods.join(", ")));
            }
            if q.citation != "-" {
                page.push_str(&filled("    source: ", &q.citation));
            }
        }
        page.push('\n');
    }
    print(&format!("{}\n", page.trim_end()))
}

fn as_json(methods: &[MethodInfo], quantities: &[QuantityEntry]) -> Value {
    let methods: Vec<Value> = methods
        .iter()
        .map(|m| {
            json!({
                "name": m.name,
                "equation": m.equation,
                "requirements": m.requirements,
                "result": m.result,
                "outputs": m.outputs,
            })
        })
        .collect();
    let outputs: Vec<Value> = quantities
        .iter()
        .map(|q| {
            json!({
                "name": q.about.name,
                "written": q.about.of.example(q.about.name),
                "symbol": q.about.symbol,
                "meaning": q.about.docs,
                "source": q.citation,
                "default": q.by_default,
                "standard": q.standard,
                "methods": q.methods,
            })
        })
        .collect();
    json!({ "methods": methods, "outputs": outputs })
}

/// A labelled line, its continuation below the text.
fn filled(label: &str, text: &str) -> String {
    let indent = " ".repeat(label.chars().count());
    let mut out = String::new();
    let mut line = label.to_string();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDE {
            out.push_str(line.trim_end());
            out.push('\n');
            line.clone_from(&indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

/// `eomgen explain CODE`
pub(super) fn explain(code: &str) -> Result<(), Problem> {
    match codes::find(&code.to_uppercase()) {
        Some(entry) => print(&format!("{}\n", entry.explanation().trim_end())),
        None => Err(Problem::Usage(format!(
            "there is no diagnostic with the code '{code}'; codes look like E0001"
        ))),
    }
}
