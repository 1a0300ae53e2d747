//! What the things of a file are called in the model. Knows names alone.

use std::collections::BTreeSet;

use super::super::write::names::Names;
use super::classes::Class;
use super::facts::{Facts, Turn};
use super::phrase::Called;
use super::placing::{Placing, Where};
use super::tree::{Expr, Kind};

/// The name of a thing that shares the name space with scalars: where it is taken, with a capital letter.
fn thing(names: &mut Names, spelled: &str) -> String {
    if names.is_free(spelled) {
        return names.own(spelled);
    }
    let mut letters = spelled.chars();
    let capital: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect();
    if !names.is_free(&capital) {
        return names.given(spelled);
    }
    names.renamed.push((spelled.to_owned(), capital.clone()));
    names.own(&capital)
}

/// The body whose mass centre a point is.
fn centre<'a>(facts: &'a Facts, name: &'a str) -> Option<&'a str> {
    name.strip_suffix('o').filter(|body| is_body(facts, body))
}

/// Whether a frame is a body with a mass or an inertia.
pub fn is_body(facts: &Facts, name: &str) -> bool {
    facts.frames.get(name).is_some_and(|frame| frame.heavy)
        && (facts.masses.contains_key(name) || facts.inertias.contains_key(name))
}

/// A thing that a statement of the model declares.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Frame(String),
    Point(String),
    /// A body that is stated with its frame.
    Body(String),
}

/// What is made of what, while some bodies are written apart from their frames.
struct Graph<'a> {
    facts: &'a Facts,
    placing: &'a Placing,
    apart: BTreeSet<String>,
}

impl Graph<'_> {
    fn frame(&self, name: &str) -> Node {
        if is_body(self.facts, name) && !self.apart.contains(name) {
            Node::Body(name.to_owned())
        } else {
            Node::Frame(name.to_owned())
        }
    }

    fn point(&self, name: &str) -> Node {
        match centre(self.facts, name).filter(|body| !self.apart.contains(*body)) {
            Some(body) => Node::Body(body.to_owned()),
            None => Node::Point(name.to_owned()),
        }
    }

    /// The frames in a vector, also through names of vectors.
    fn axes(&self, vector: &Expr, depth: usize, all: &mut Vec<Node>) {
        if let Kind::Vector(name) = &vector.kind {
            match (self.facts.axis(name), self.facts.vectors.get(name)) {
                (Some((frame, _)), _) => all.push(self.frame(&frame)),
                (None, Some(value)) if depth < 20 => self.axes(value, depth + 1, all),
                _ => {}
            }
            if let Some((from, to)) = self.facts.two_points_of(name, "p_") {
                all.extend([self.point(&from), self.point(&to)]);
            }
        }
        for part in vector.parts() {
            self.axes(part, depth, all);
        }
    }

    fn turned(&self, name: &str, all: &mut Vec<Node>) {
        let Some(frame) = self.placing.frame(name) else {
            return;
        };
        all.push(self.frame(&frame.parent));
        if let Turn::About(axis, _) = &frame.turn {
            self.axes(axis, 0, all);
        }
    }

    fn placed(&self, name: &str, all: &mut Vec<Node>) {
        if let Some(Where::From(from, vector, _)) =
            self.placing.point(name).map(|point| &point.place)
        {
            all.push(self.point(from));
            self.axes(vector, 0, all);
        }
    }

    fn needs(&self, node: &Node) -> Vec<Node> {
        let mut all = Vec::new();
        match node {
            Node::Frame(name) => self.turned(name, &mut all),
            Node::Point(name) => self.placed(name, &mut all),
            Node::Body(name) => {
                self.turned(name, &mut all);
                self.placed(&format!("{name}o"), &mut all);
                // Its own axes are known where its centre is stated.
                all.retain(|other| other != node);
            }
        }
        all
    }

    fn is_circular(&self, body: &str) -> bool {
        let start = Node::Body(body.to_owned());
        let mut seen = BTreeSet::new();
        let mut open = self.needs(&start);
        while let Some(node) = open.pop() {
            if node == start {
                return true;
            }
            if seen.insert(node.clone()) {
                open.extend(self.needs(&node));
            }
        }
        false
    }
}

/// Bodies that are written apart from their frames: those whose mass centre hangs on something that is placed by their axes.
fn apart(facts: &Facts, placing: &Placing) -> BTreeSet<String> {
    let mut graph = Graph {
        facts,
        placing,
        apart: BTreeSet::new(),
    };
    for name in facts.frame_order.iter().filter(|name| is_body(facts, name)) {
        if graph.is_circular(name) {
            graph.apart.insert(name.clone());
        }
    }
    graph.apart
}

/// All of them, each once; those that had to change are in the table of `names`.
pub fn names(
    facts: &Facts,
    placing: &Placing,
    classes: &std::collections::BTreeMap<String, Class>,
    names: &mut Names,
) -> Called {
    let mut called = Called::default();
    let apart = apart(facts, placing);
    for scalar in &facts.scalars {
        if matches!(classes.get(&scalar.name), Some(Class::Unused | Class::Zero)) {
            continue;
        }
        called
            .scalars
            .insert(scalar.name.clone(), names.given(&scalar.spelled));
    }
    for (name, primes) in &facts.value_order {
        let imposed = facts.dependents.iter().any(|(row, _)| row == name);
        if *primes == 0 && !imposed && !called.scalars.contains_key(name) {
            called.scalars.insert(name.clone(), names.given(name));
        }
    }
    for name in &facts.frame_order {
        let spelled = facts
            .frames
            .get(name)
            .map_or(name.as_str(), |frame| &frame.spelled);
        let given = if *name == facts.newtonian {
            "N".to_owned()
        } else {
            thing(names, spelled)
        };
        if apart.contains(name) {
            called
                .bodies
                .insert(name.clone(), names.own(&format!("body_{given}")));
        }
        called.frames.insert(name.clone(), given);
    }
    // Each follows the one that it is placed by; those that are nowhere come last.
    let placed = placing.points.iter().map(|point| &point.name);
    let rest = facts
        .point_order
        .iter()
        .filter(|name| placing.point(name).is_none());
    for name in placed.chain(rest) {
        let spelled = facts
            .points
            .get(name)
            .map_or(name.as_str(), |point| &point.spelled);
        let given = match placing.point(name).map(|point| &point.place) {
            Some(Where::Origin) => "O".to_owned(),
            Some(Where::From(from, vector, _))
                if vector.kind == Kind::Vector("0".to_owned())
                    && !facts.masses.contains_key(name) =>
            {
                // The same point under another name.
                match called.points.get(from) {
                    Some(other) => other.clone(),
                    None => thing(names, spelled),
                }
            }
            Some(Where::From(..))
                if centre(facts, name).is_some_and(|body| !called.bodies.contains_key(body)) =>
            {
                centre(facts, name)
                    .and_then(|body| called.frames.get(body))
                    .cloned()
                    .unwrap_or_default()
            }
            _ => thing(names, spelled),
        };
        called.points.insert(name.clone(), given);
    }
    for name in facts.vectors.keys() {
        called.vectors.insert(name.clone(), names.own(name));
    }
    called
}
