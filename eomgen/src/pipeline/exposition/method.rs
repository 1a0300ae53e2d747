//! What differs from one formulation to another: the equations, whose each term is, what was eliminated, where it fails, what it costs.

use super::writer::{Writer, table};
use super::{Block, Piece, Prose, Section, words};
use crate::explain::{Attribution, Exposed, Source};
use crate::model::System;
use crate::notation::{Line, Math};
use crate::pipeline::module::assumptions;
use crate::program::Assembled;

/// The first screen.
pub(super) fn equations(w: &mut Writer, name: &str, a: &Assembled) -> Section {
    let d = &a.documentation;
    // What is short without names of the derivation is shown without them.
    let exposed = d.exposed.as_ref().filter(|_| d.in_parts);
    let sequenced = exposed.map(|e| e.equations.clone());
    let sequenced = sequenced.unwrap_or_default();
    let mut blocks = match sequenced.is_empty() {
        false => {
            let sentence = "Names in these equations that are not in the model are defined under “Named expressions”.";
            vec![
                w.equations(sequenced.into_iter().map(Line::from).collect()),
                Block::Paragraph(words(sentence)),
            ]
        }
        true if !a.stated => vec![Block::Paragraph(words(
            "This mechanism has so many speeds that its equations are not formed as expressions: the generated module computes the accelerations from the momentum balances of all bodies. The rest of the derivation follows.",
        ))],
        true => w.lines(&d.equations),
    };
    if blocks.is_empty() {
        blocks.push(Block::Paragraph(words("There is nothing to move.")));
    }
    if !d.states.is_empty() {
        blocks.push(Block::Paragraph(words("The states of first order:")));
        blocks.extend(w.lines(&d.states));
    }
    section(
        "equations",
        name,
        &format!("Equations of motion ({name})"),
        blocks,
    )
}

fn section(id: &str, method: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section {
        id: format!("{id}-{method}"),
        title: title.into(),
        method: Some(method.into()),
        blocks,
    }
}

/// Everything behind the first screen and what the formulations share.
pub(super) fn sections(w: &mut Writer, system: &System, name: &str, a: &Assembled) -> Vec<Section> {
    let d = &a.documentation;
    let mut list = Vec::new();
    let mut add = |id: &str, title: &str, blocks: Vec<Block>| {
        if !blocks.is_empty() {
            list.push(section(id, name, &format!("{title} ({name})"), blocks));
        }
    };
    if let Some(e) = &d.exposed {
        add("terms", "Origin of each term", terms(w, &e.attribution));
    }
    add("accelerations", "Accelerations", w.lines(&d.accelerations));
    for q in d.quantities.iter().chain(&d.standard) {
        let about = format!(
            "{} {}. Source: {}.",
            q.symbol,
            q.docs.trim_end_matches('.'),
            q.source
        );
        let mut blocks = vec![Block::Paragraph(words(about.trim()))];
        if q.lines.is_empty() {
            blocks.push(Block::Paragraph(words(
                "Its entries are long; the generated module has them.",
            )))
        } else {
            blocks.extend(w.lines(&q.lines))
        }
        add(&q.name, &format!("`{}`", q.name), blocks);
    }
    let mut remarks: Vec<Prose> = d.remarks.iter().map(|r| w.prose(r)).collect();
    let assumed = assumptions(system);
    if !assumed.is_empty() {
        remarks.push(w.prose(&format!("Assumed: {}.", assumed.join(", "))));
    }
    add(
        "eliminated",
        "What was eliminated and assumed",
        if remarks.is_empty() {
            Vec::new()
        } else {
            vec![Block::List(remarks)]
        },
    );
    add("singular", "Where it fails", conditions(w, a));
    if let Some(e) = &d.exposed {
        add("named", "Named expressions", named(w, e));
    }
    add("operations", "Operations", vec![Block::Table(counts(a))]);
    list
}

fn conditions(w: &Writer, a: &Assembled) -> Vec<Block> {
    let mut blocks = Vec::new();
    if a.conditions.is_empty() {
        blocks.push(Block::Paragraph(words(
            "Singular nowhere under these assumptions.",
        )));
    } else {
        let row = |c: &crate::program::Condition| vec![w.formula(&c.text), w.prose(&c.note)];
        let rows = a.conditions.iter().map(row).collect();
        blocks.push(Block::Table(table(&["where", "what fails"], rows)));
    }
    if !a.cancelled.is_empty() {
        let sentence = words("Cancelled during the derivation, which therefore does not cover:");
        blocks.push(Block::Paragraph(sentence));
        blocks.push(Block::List(
            a.cancelled.iter().map(|c| w.formula(c)).collect(),
        ));
    }
    blocks
}

fn counts(a: &Assembled) -> super::Table {
    let rows = a.outputs.iter().map(|o| {
        let cost = a.graph.count(&o.body.outputs).to_string();
        let (total, parts) = cost.split_once(": ").unwrap_or((&cost, ""));
        let total = total.trim_end_matches(" operations");
        vec![
            vec![Piece::Code(o.name.clone())],
            words(total),
            words(parts),
        ]
    });
    table(&["output", "operations", "of these"], rows.collect())
}

/// The source of a term in words: `gravity on A`.
pub(super) fn called(s: &Source) -> Prose {
    let link = match s.kind {
        "inertia" | "velocity terms" => "of",
        "potential" | "dissipation" => "",
        _ => "on",
    };
    let mut text = [s.kind, link, &s.on]
        .into_iter()
        .filter(|t| !t.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if !s.docs.is_empty() {
        let docs = s.docs.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!(": {}", docs.trim_end_matches('.')));
    }
    words(&text)
}

fn terms(w: &mut Writer, a: &Attribution) -> Vec<Block> {
    let sentence = |text: &str| vec![Block::Paragraph(words(text))];
    let list = match a {
        Attribution::Unstated => return Vec::new(),
        Attribution::Combined => {
            return sentence(
                "The equations of this formulation are combinations of momentum balances along the speeds, so their terms have no single origin; “Generalized forces” shows the contribution of every load.",
            );
        }
        Attribution::Large(n) => {
            return sentence(&format!("Omitted: the equations have {n} nodes."));
        }
        Attribution::Exact(list) => list,
    };
    let mut blocks = sentence(
        "Each equation is the sum of the rows of its table, on the left-hand side. “Inertia” rows contain the accelerations, “velocity terms” the remaining inertia terms. The sum was compared with the equation exactly.",
    );
    for one in list {
        let mut rows: Vec<Vec<Prose>> = Vec::new();
        for (source, value) in &one.parts {
            rows.push(vec![called(source), w.cell(value.as_ref())]);
        }
        if !one.right.is_zero() {
            let label = words("= force of the constraints");
            rows.push(vec![label, w.cell(Some(&one.right))]);
        } else {
            rows.push(vec![words("= "), vec![Piece::Math(Math::integer(0))]]);
        }
        let columns = vec![
            vec![
                Piece::Words("equation of ".into()),
                Piece::Math(one.of.clone()),
            ],
            words("term"),
        ];
        blocks.extend(w.tabled(super::Table { columns, rows }));
    }
    blocks
}

fn named(w: &mut Writer, e: &Exposed) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !e.definitions.is_empty() {
        let lines = e
            .definitions
            .iter()
            .map(|d| Line::equation(Math::Symbol(d.name.clone()), d.value.clone()));
        blocks.push(w.equations(lines.collect()));
    }
    if e.further > 0 {
        blocks.push(Block::Paragraph(words(&format!(
            "Omitted: {} further expressions, which the generated module computes.",
            e.further
        ))));
    }
    blocks
}
