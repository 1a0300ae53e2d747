//! Defaults of MJCF: classes of attributes, each inheriting from the one around it. Knows elements and attributes alone.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::super::decimal::Decimal;
use super::super::findings::{Findings, span};
use super::super::xml;
use crate::diag::codes::import::{E0601, E0602};
use crate::span::Span;

/// Elements of motors, which share their defaults.
const MOTORS: [&str; 9] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
];
/// What of a motor is its law: it goes by the element that stated it last.
const LAW: [&str; 11] = [
    "gaintype",
    "biastype",
    "dyntype",
    "gainprm",
    "biasprm",
    "dynprm",
    "kp",
    "kv",
    "dampratio",
    "timeconst",
    "inheritrange",
];
/// Under which the element is kept that stated the law, among the attributes of a default.
const STATED: &str = "law";

/// In place of that element where several kinds state parts of it.
pub const MIXED: &str = "mixed";

/// Under which name the defaults of an element are kept.
fn kept(tag: &str) -> &str {
    match MOTORS.contains(&tag) {
        true => "actuator",
        false => tag,
    }
}

/// Attributes by name: value and place.
type Attributes<'a> = BTreeMap<&'a str, (&'a str, Span)>;

/// Defaults by class and element.
#[derive(Debug, Default)]
pub struct Classes<'a> {
    by_name: BTreeMap<&'a str, BTreeMap<&'a str, Attributes<'a>>>,
}

/// An element with what its class says of it.
#[derive(Clone, Debug)]
pub struct Element<'a, 'i> {
    /// The element.
    pub node: Node<'a, 'i>,
    attributes: Attributes<'a>,
}

impl<'a> Classes<'a> {
    /// Reads all of `default`.
    pub fn read(root: Node<'a, '_>) -> Self {
        let mut classes = Self::default();
        classes.by_name.insert("main", BTreeMap::new());
        for node in xml::children(root, "default") {
            // Several sections are one.
            let before = classes.by_name.get("main").cloned().unwrap_or_default();
            classes.class(node, "main", before);
        }
        classes
    }

    /// One class and those inside; nesting is bounded by that of the file.
    fn class(
        &mut self,
        node: Node<'a, '_>,
        otherwise: &'a str,
        mut inherited: BTreeMap<&'a str, Attributes<'a>>,
    ) {
        for element in xml::elements(node).filter(|e| !e.has_tag_name("default")) {
            let tag = element.tag_name().name();
            let own = inherited.entry(kept(tag)).or_default();
            if MOTORS.contains(&tag) {
                let before = own.get(STATED).map(|(stated, _)| *stated);
                // Of one law something would remain in the other.
                let damped = own.get("biasprm").is_some_and(|(text, _)| {
                    text.split_whitespace()
                        .skip(2)
                        .any(|word| word.parse() != Ok(0.0))
                });
                let mixed = match before {
                    None | Some("motor") => false,
                    Some("general") => tag == "position" && damped,
                    Some(before) => {
                        tag == "general" && before != tag || before == MIXED && tag != "motor"
                    }
                };
                if before.is_some_and(|stated| stated != tag) {
                    own.retain(|name, _| !LAW.contains(name));
                }
                let stated = if mixed { MIXED } else { tag };
                own.insert(STATED, (stated, xml::place(element)));
            }
            for attribute in element.attributes() {
                let place = span(attribute.range_value());
                own.insert(attribute.name(), (attribute.value(), place));
            }
        }
        let name = node.attribute("class").unwrap_or(otherwise);
        self.by_name.insert(name, inherited.clone());
        for inner in xml::children(node, "default") {
            self.class(inner, "", inherited.clone());
        }
    }

    /// An element with the defaults of its class, or of the class of the body around it.
    pub fn element<'i>(
        &self,
        node: Node<'a, 'i>,
        around: &'a str,
        findings: &mut Findings,
    ) -> Element<'a, 'i> {
        let class = node.attribute("class").unwrap_or(around);
        let found = self.by_name.get(class);
        if found.is_none() {
            findings.error(
                E0602,
                format!("there is no class `{class}`"),
                xml::value_place(node, "class"),
                "in `default`",
                format!("add `<default class=\"{class}\"> .. </default>`"),
            );
        }
        let tag = node.tag_name().name();
        let defaults = found.and_then(|class| class.get(kept(tag)));
        Element {
            node,
            attributes: defaults.cloned().unwrap_or_default(),
        }
    }
}

impl<'a> Element<'a, '_> {
    /// The element by which the law of a motor is stated, if it is a default.
    pub fn law_by(&self) -> Option<&'a str> {
        self.attributes.get(STATED).map(|(tag, _)| *tag)
    }

    /// An attribute of its own, or that of a default for elements of this name.
    pub fn of_law(&self, name: &str, tag: &str) -> Option<(&'a str, Span)> {
        match self.node.attribute(name) {
            Some(value) => Some((value, xml::value_place(self.node, name))),
            None if self.law_by() == Some(tag) => self.attributes.get(name).copied(),
            None => None,
        }
    }

    /// An attribute with its place.
    pub fn attribute(&self, name: &str) -> Option<(&'a str, Span)> {
        match self.node.attribute(name) {
            Some(value) => Some((value, xml::value_place(self.node, name))),
            None => self.attributes.get(name).copied(),
        }
    }

    /// The text of an attribute.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|(text, _)| text)
    }

    /// The place of an attribute, or of the element.
    pub fn place(&self, name: &str) -> Span {
        self.attribute(name)
            .map_or_else(|| xml::place(self.node), |(_, place)| place)
    }

    /// Numbers of an attribute.
    pub fn numbers(&self, name: &str, findings: &mut Findings) -> Option<Vec<Decimal>> {
        let (text, place) = self.attribute(name)?;
        xml::numbers_of(text, name, place, findings)
    }

    /// So many numbers of an attribute.
    pub fn exactly<const N: usize>(
        &self,
        name: &str,
        findings: &mut Findings,
    ) -> Option<[Decimal; N]> {
        let found = self.numbers(name, findings)?;
        match <[Decimal; N]>::try_from(found) {
            Ok(array) => Some(array),
            Err(found) => {
                findings.error(
                    E0601,
                    format!("`{name}` has {} numbers in place of {N}", found.len()),
                    self.place(name),
                    "here",
                    format!("write {N}, separated by spaces"),
                );
                None
            }
        }
    }

    /// One number, or what it is without being said.
    pub fn number(&self, name: &str, otherwise: Decimal, findings: &mut Findings) -> Decimal {
        let found = self.exactly::<1>(name, findings);
        found.map_or(otherwise, |[number]| number)
    }
}

impl<'a, 'i> Element<'a, 'i> {
    /// An element that has no defaults.
    pub fn plain(node: Node<'a, 'i>) -> Self {
        Self {
            node,
            attributes: Attributes::new(),
        }
    }
}
