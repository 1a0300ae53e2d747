//! Frames inside bodies: what stands in them belongs to the body around, placed and turned by them. Knows places and orientations.

use roxmltree::Node;

use super::super::decimal::Decimal;
use super::super::robot::{Triple, origin};
use super::super::turn::{Turn, product, turned};
use super::super::xml::elements;
use super::classes::Element;
use super::{Reader, pose};

/// Where a frame is in its body.
#[derive(Clone, Debug)]
pub struct Around {
    at: Triple,
    turn: Turn,
}

impl Default for Around {
    fn default() -> Self {
        Self {
            at: origin(),
            turn: Turn::None,
        }
    }
}

impl Around {
    /// Of an element that says so.
    pub fn of(reader: &mut Reader, node: Node) -> Self {
        let own = Element::plain(node);
        Self {
            at: pose::place(&own, "pos", reader.findings),
            turn: reader.angles.turn(&own, reader.findings),
        }
    }

    /// A direction in the frame, seen from the body.
    pub fn direction(&self, vector: Triple) -> Triple {
        match &self.turn {
            Turn::None => vector,
            turn => {
                let seen = turned(&turn.matrix(), &vector.each_ref().map(Decimal::to_double));
                seen.map(|part| Decimal::of_double((part * 1e15).round() / 1e15))
            }
        }
    }

    /// A place in the frame, seen from the body.
    pub fn place(&self, at: Triple) -> Triple {
        let moved = self.direction(at);
        std::array::from_fn(|i| self.at[i].plus(&moved[i]))
    }

    /// An orientation in the frame, seen from the body.
    pub fn turn(&self, turn: Turn) -> Turn {
        match (&self.turn, turn) {
            (Turn::None, turn) => turn,
            (own, Turn::None) => own.clone(),
            (Turn::Body(own), Turn::Body(more)) => {
                Turn::body(own.iter().cloned().chain(more).collect())
            }
            (own, more) => Turn::matrix_of(&product(&own.matrix(), &more.matrix())),
        }
    }

    /// A frame in this one.
    pub fn then(&self, inner: Self) -> Self {
        Self {
            at: self.place(inner.at),
            turn: self.turn(inner.turn),
        }
    }

    /// As place and orientation.
    pub fn parts(self) -> (Triple, Turn) {
        (self.at, self.turn)
    }
}

/// Something of a body: the element, the class that holds there, and the frame around it.
pub struct Own<'a, 'i> {
    pub node: Node<'a, 'i>,
    pub class: &'a str,
    pub around: Around,
}

/// What belongs to a body, in the order of the file, also in frames; bodies inside are not among it.
pub fn own<'a, 'i>(
    reader: &mut Reader<'_, 'a>,
    body: Node<'a, 'i>,
    class: &'a str,
    around: &Around,
) -> Vec<Own<'a, 'i>> {
    let mut all = Vec::new();
    for node in elements(body) {
        match node.tag_name().name() {
            "geom" | "site" | "joint" | "freejoint" | "inertial" => all.push(Own {
                node,
                class,
                around: around.clone(),
            }),
            "frame" => {
                let inner = node.attribute("childclass").unwrap_or(class);
                let around = around.then(Around::of(reader, node));
                all.extend(own(reader, node, inner, &around));
            }
            _ => {}
        }
    }
    all
}
