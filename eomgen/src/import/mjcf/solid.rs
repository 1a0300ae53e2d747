//! The shapes of a body of MJCF: what they weigh and what they look like. Knows elements and attributes.

use super::super::decimal::Decimal;
use super::super::robot::{Form, Mass, Shape, Triple};
use super::super::shape::{colour, visible};
use super::super::turn::Turn;
use super::super::xml::place;
use super::classes::Element;
use super::geom::Solid;
use super::{Reader, WRITTEN_OUT, pose};
use crate::diag::codes::import::{E0601, E0603};

/// Density where nothing is said, in kg/m^3.
const WATER: f64 = 1000.0;

/// A shape with its place.
struct Placed {
    solid: Solid,
    at: Triple,
    turn: Turn,
}

/// The shape of an element, if it is one of those that have formulas.
fn placed(reader: &mut Reader, element: &Element) -> Option<Placed> {
    let kind = element.text("type").unwrap_or("sphere");
    let needed = match kind {
        "sphere" => 1,
        "capsule" | "cylinder" => 2,
        "ellipsoid" | "box" => 3,
        _ => return None,
    };
    let size = element.numbers("size", reader.findings)?;
    let size: Vec<f64> = size.iter().map(Decimal::to_double).collect();
    let ends = element.exactly::<6>("fromto", reader.findings);
    let needed = needed - usize::from(ends.is_some() && needed > 1);
    if size.len() < needed || size[..needed].iter().any(|value| *value <= 0.0) {
        reader.findings.error(
            E0601,
            format!("a {kind} needs {needed} positive sizes"),
            element.place("size"),
            "here",
            "write them as numbers greater than 0",
        );
        return None;
    }
    let (at, turn, half) = match ends {
        Some(ends) => between(ends)?,
        None => (
            pose::place(element, "pos", reader.findings),
            reader.angles.turn(element, reader.findings),
            None,
        ),
    };
    let size = |at: usize| size.get(at).copied().unwrap_or_default();
    let last = |at: usize| half.unwrap_or_else(|| size(at));
    let solid = match kind {
        "sphere" => Solid::Sphere(size(0)),
        "capsule" => Solid::Capsule(size(0), last(1)),
        "cylinder" => Solid::Cylinder(size(0), last(1)),
        "ellipsoid" => Solid::Ellipsoid([size(0), size(1), last(2)]),
        _ => Solid::Box([size(0), size(1), last(2)]),
    };
    Some(Placed { solid, at, turn })
}

/// A shape that reaches from one point to another: its middle, its axes, half its length.
fn between(ends: [Decimal; 6]) -> Option<(Triple, Turn, Option<f64>)> {
    let half = Decimal::read("0.5").ok()?;
    let [a, b, c, d, e, f] = ends;
    let (from, to) = ([a, b, c], [d, e, f]);
    let middle: Triple = std::array::from_fn(|i| from[i].plus(&to[i]).times(&half));
    let along: [f64; 3] = std::array::from_fn(|i| to[i].plus(&-&from[i]).to_double());
    let length = along.iter().map(|c| c * c).sum::<f64>().sqrt();
    Some((middle, pose::to_axis(&along)?, Some(length / 2.0)))
}

/// What a shape weighs.
pub fn mass(reader: &mut Reader, element: &Element, body: &str) -> Option<Mass> {
    let kind = element.text("type").unwrap_or("sphere");
    let given = element
        .exactly::<1>("mass", reader.findings)
        .map(|[mass]| mass);
    if given.as_ref().is_some_and(Decimal::is_zero) || ["plane", "hfield"].contains(&kind) {
        return None;
    }
    let standard = Decimal::of_double(WATER);
    let density = element.number("density", standard, reader.findings);
    if given.is_none() && density.is_zero() {
        return None;
    }
    if given.as_ref().unwrap_or(&density).is_negative() {
        let which = if given.is_some() { "mass" } else { "density" };
        reader.findings.error(
            E0601,
            format!("a negative {which}"),
            element.place(which),
            "here",
            "it is 0 or more",
        );
        return None;
    }
    if element.text("shellinertia") == Some("true")
        || element.text("fluidshape") == Some("ellipsoid")
    {
        reader.refuse(
            element.node,
            "of a shell, or in a fluid",
            "give the body an `inertial`",
        );
        return None;
    }
    let Some(placed) = placed(reader, element) else {
        if !["sphere", "capsule", "cylinder", "ellipsoid", "box"].contains(&kind) {
            reader.findings.error(
                E0603,
                format!("the mass of `{body}` is that of a {kind}, which is not read"),
                place(element.node),
                "this shape has a mass",
                format!("give the body an `inertial`; {WRITTEN_OUT}"),
            );
        }
        return None;
    };
    let mass =
        given.unwrap_or_else(|| Decimal::of_double(density.to_double() * placed.solid.volume()));
    let moments = placed
        .solid
        .moments()
        .map(|m| Decimal::of_double(m * mass.to_double()));
    let [xx, yy, zz] = moments;
    let zero = Decimal::zero;
    Some(Mass {
        mass,
        centre: placed.at,
        turn: placed.turn,
        inertia: [xx, yy, zz, zero(), zero(), zero()],
    })
}

/// What a shape looks like.
pub fn shape(reader: &mut Reader, element: &Element, body: &str) -> Option<Shape> {
    let kind = element.text("type").unwrap_or("sphere");
    let placed = match kind {
        "sphere" | "capsule" | "cylinder" | "box" => placed(reader, element)?,
        "mesh" => {
            reader
                .findings
                .left_out("meshes", body, place(element.node));
            return None;
        }
        other => {
            let what = format!("visual shapes of the kind `{other}`");
            reader.findings.left_out(what, body, place(element.node));
            return None;
        }
    };
    let twice = |value: f64| Decimal::of_double(2.0 * value).rounded(12);
    let form = match placed.solid {
        Solid::Box(half) => Form::Box(half.map(twice)),
        Solid::Capsule(r, h) | Solid::Cylinder(r, h) => {
            Form::Cylinder(Decimal::of_double(r), twice(h))
        }
        Solid::Sphere(r) => Form::Sphere(Decimal::of_double(r)),
        Solid::Ellipsoid(_) => return None,
    };
    let rgba = element.numbers("rgba", reader.findings);
    let colour = rgba
        .filter(|rgba| rgba.len() >= 3)
        .map(|rgba| colour(std::array::from_fn(|i| rgba[i].to_double())));
    visible(&form).then_some(Shape {
        at: placed.at,
        turn: placed.turn,
        form,
        colour,
    })
}
