//! `replicate`: what stands several times, each copy turned and moved against the one before it, with a number at the end of its names.
//! Knows texts and places, no bodies.

use std::collections::BTreeSet;
use std::ops::Range;

use roxmltree::{Document, Node};

use super::super::decimal::Decimal;
use super::super::findings::{Findings, span};
use super::super::turn::{IDENTITY, Matrix, Turn, product, turned};
use super::super::xml;
use super::classes::Element;
use super::compose::{Composed, inside};
use super::pose::Angles;
use crate::diag::codes::import::{E0601, E0603};

/// Most copies of one.
const MOST_COPIES: usize = 2000;
/// Most bytes of a text that is written out.
const MOST_BYTES: usize = 1 << 26;
/// Attributes that name something of the tree.
const NAMING: [&str; 10] = [
    "joint",
    "joint1",
    "joint2",
    "body",
    "body1",
    "body2",
    "site",
    "site1",
    "site2",
    "jointinparent",
];

/// Writes everything out that is replicated, the innermost first.
pub fn written_out(
    mut composed: Composed,
    exact: bool,
    findings: &mut Findings,
) -> Option<Composed> {
    loop {
        let text = composed.text().to_owned();
        let document = match xml::read(&text) {
            Ok(document) => document,
            Err(error) => {
                findings.wrong.push(error);
                return None;
            }
        };
        let is = |node: &Node| node.has_tag_name("replicate");
        let innermost = document
            .descendants()
            .find(|node| is(node) && !node.descendants().any(|below| below != *node && is(&below)));
        let Some(node) = innermost else {
            return Some(composed);
        };
        let angles = super::angles(document.root_element(), exact, findings);
        let Some(copies) = Copies::read(node, &angles, findings) else {
            composed.told(findings);
            return None;
        };
        let next = copies.write(&composed, &document, node);
        if next.text().len() > MOST_BYTES {
            let title = "the copies are too large a text";
            let help = "no model can hold as many bodies";
            findings.error(E0603, title, xml::place(node), "replicated here", help);
            composed.told(findings);
            return None;
        }
        composed = next;
    }
}

/// The copies of one.
struct Copies {
    frames: Vec<String>,
    suffixes: Vec<String>,
    names: BTreeSet<String>,
}

impl Copies {
    fn read(node: Node, angles: &Angles, findings: &mut Findings) -> Option<Self> {
        let count = xml::required(node, "count", findings)?;
        let count: usize = match count.trim().parse() {
            Ok(count) if (1..=MOST_COPIES).contains(&count) => count,
            _ => {
                findings.error(
                    E0601,
                    format!("`{count}` is no number of copies"),
                    xml::value_place(node, "count"),
                    "here",
                    format!("write a whole number from 1 to {MOST_COPIES}"),
                );
                return None;
            }
        };
        let sep = node.attribute("sep").unwrap_or("");
        let digits = count.to_string().len();
        let named = node
            .descendants()
            .filter_map(|below| below.attribute("name"));
        Some(Self {
            frames: frames(node, count, angles, findings)?,
            suffixes: (0..count).map(|i| format!("{sep}{i:0digits$}")).collect(),
            names: named.map(str::to_owned).collect(),
        })
    }

    /// The text with the copies, and with copies of what names what is copied.
    fn write(&self, from: &Composed, document: &Document, node: Node) -> Composed {
        let mut to = Composed::default();
        let own = node.range();
        let mut places: Vec<(Range<usize>, Option<Node>)> = vec![(own.clone(), None)];
        for section in document.root_element().children() {
            let names = ["actuator", "equality", "tendon", "sensor", "contact"];
            if names.iter().any(|name| section.has_tag_name(*name)) {
                let naming = section.children().filter(|child| self.named_by(*child));
                places.extend(naming.map(|child| (child.range(), Some(child))));
            }
        }
        places.sort_by_key(|(range, _)| range.start);
        let mut at = 0;
        for (range, naming) in places {
            to.copy(from, at..range.start);
            at = range.end;
            for (frame, suffix) in self.frames.iter().zip(&self.suffixes) {
                match naming {
                    Some(element) => self.copy(&mut to, from, element, range.clone(), suffix),
                    None => {
                        let place = from.place(span(own.clone()));
                        to.put(frame, place);
                        self.copy(&mut to, from, node, inside(node), suffix);
                        to.put("</frame>", place);
                    }
                }
            }
        }
        to.copy(from, at..from.text().len());
        to
    }

    /// Whether an element, or something in it, names what is copied.
    fn named_by(&self, node: Node) -> bool {
        node.descendants().any(|below| {
            let names = |attribute: &&str| {
                below
                    .attribute(*attribute)
                    .is_some_and(|value| self.names.contains(value))
            };
            NAMING.iter().any(names)
        })
    }

    /// A range of the text in which names end with a suffix.
    fn copy(
        &self,
        to: &mut Composed,
        from: &Composed,
        node: Node,
        range: Range<usize>,
        suffix: &str,
    ) {
        let mut at = range.start;
        for below in node.descendants().filter(Node::is_element) {
            let mut ends: Vec<usize> = Vec::new();
            for attribute in below.attributes() {
                let value = attribute.range_value();
                let own = attribute.name() == "name";
                let refers =
                    NAMING.contains(&attribute.name()) && self.names.contains(attribute.value());
                if (own || refers) && value.start >= range.start && value.end <= range.end {
                    ends.push(value.end);
                }
            }
            ends.sort_unstable();
            for end in ends {
                to.copy(from, at..end);
                to.put(suffix, from.place(span(end.saturating_sub(1)..end)));
                at = end;
            }
        }
        to.copy(from, at..range.end);
    }
}

/// The opening tags of frames that place the copies: each is moved and turned against the one before it.
fn frames(
    node: Node,
    count: usize,
    angles: &Angles,
    findings: &mut Findings,
) -> Option<Vec<String>> {
    let element = Element::plain(node);
    let offset = super::pose::place(&element, "offset", findings);
    let turn = angles.turn(&element, findings);
    let euler = element.numbers("euler", findings).unwrap_or_default();
    let single = euler.iter().filter(|angle| !angle.is_zero()).count() <= 1;
    let step = offset.each_ref().map(Decimal::to_double);
    let matrix = turn.matrix();
    let (mut sum, mut place): (Matrix, [f64; 3]) = (IDENTITY, [0.0; 3]);
    let text = |numbers: &[Decimal]| {
        let all: Vec<String> = numbers.iter().map(Decimal::text).collect();
        all.join(" ")
    };
    let mut all = Vec::with_capacity(count);
    for i in 0..count {
        let times = Decimal::whole(i as i64);
        let at = match &turn {
            // Exactly as it is written.
            Turn::None => offset.each_ref().map(|part| part.times(&times)),
            _ => place.map(|part| Decimal::of_double((part * 1e15).round() / 1e15)),
        };
        let mut tag = format!("<frame pos=\"{}\"", text(&at));
        if turn != Turn::None && single {
            let angles: Vec<Decimal> = euler.iter().map(|angle| angle.times(&times)).collect();
            tag += &format!(" euler=\"{}\"", text(&angles));
        } else if turn != Turn::None {
            let parts = Turn::matrix_of(&sum).parts().map(Decimal::of_double);
            tag += &format!(" quat=\"{}\"", text(&parts));
        }
        all.push(tag + ">");
        let moved = turned(&sum, &step);
        place = std::array::from_fn(|k| place[k] + moved[k]);
        sum = product(&sum, &matrix);
    }
    findings.wrong.is_empty().then_some(all)
}
