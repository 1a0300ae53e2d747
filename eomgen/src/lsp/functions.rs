//! The functions of the language as an editor explains them: arguments, one sentence, and what kind each argument is. Knows nothing of how
//! they are computed.

use crate::function::TABLE;

/// What an argument, or a place in a statement, asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Scalar,
    Vector,
    Point,
    Frame,
    /// A particle, body or group.
    Mass,
    /// A constraint or reaction.
    Constraint,
    Any,
}

use Wanted::{Any, Constraint, Frame, Mass, Point, Scalar, Vector};

/// A function as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) name: &'static str,
    /// With its arguments, those that may be left out in brackets: `vel(P[, B[, Q]])`.
    pub(super) text: String,
    /// The arguments as they stand in the text.
    pub(super) arguments: Vec<(String, Wanted)>,
    pub(super) docs: &'static str,
}

type Row = (
    &'static str,
    &'static [(&'static str, Wanted)],
    &'static str,
);

/// What is not in the table of elementary functions.
const OTHERS: &[Row] = &[
    (
        "dot",
        &[("a", Vector), ("b", Vector)],
        "The scalar product of two vectors.",
    ),
    (
        "cross",
        &[("a", Vector), ("b", Vector)],
        "The vector product of two vectors.",
    ),
    ("norm", &[("v", Vector)], "The length of a vector."),
    ("mag", &[("v", Vector)], "The length of a vector."),
    (
        "unit",
        &[("v", Vector)],
        "The vector of length 1 in the direction of `v`.",
    ),
    (
        "distance",
        &[("P", Point), ("Q", Point)],
        "The distance of two points; its rate is `distance(P, Q)'`.",
    ),
    (
        "vel",
        &[("P", Point), ("B?", Frame), ("Q?", Point)],
        "The velocity of a point in `N`, or as seen from `B`, where `Q` is at rest.",
    ),
    (
        "acc",
        &[("P", Point), ("B?", Frame), ("Q?", Point)],
        "The acceleration of a point in `N`, or as seen from `B`, where `Q` is at rest.",
    ),
    (
        "vel_at",
        &[("W", Frame), ("P", Point)],
        "The velocity in `N` of the material point of `W` that is at `P`.",
    ),
    (
        "acc_at",
        &[("W", Frame), ("P", Point)],
        "The acceleration in `N` of the material point of `W` that is at `P`.",
    ),
    (
        "com",
        &[("A", Mass), ("B, ...?", Mass)],
        "The combined mass centre.",
    ),
    (
        "mass",
        &[("A", Mass), ("B, ...?", Mass)],
        "The combined mass.",
    ),
    (
        "angvel",
        &[("B", Frame), ("A?", Frame)],
        "The angular velocity of the frame `B` in `N`, or in `A`.",
    ),
    (
        "angacc",
        &[("B", Frame), ("A?", Frame)],
        "The angular acceleration of the frame `B` in `N`, or in `A`.",
    ),
    (
        "dt",
        &[("v", Vector), ("B", Frame)],
        "The time derivative of a vector in the frame `B`.",
    ),
    (
        "kinetic",
        &[("A", Mass)],
        "The kinetic energy of a particle or body.",
    ),
    (
        "momentum",
        &[("A", Mass)],
        "The linear momentum of a particle or body.",
    ),
    (
        "angmom",
        &[("A", Mass), ("P?", Point)],
        "The angular momentum in `N` about the mass centre, or about `P`.",
    ),
    (
        "reaction",
        &[("c", Constraint), ("P?", Any)],
        "The force of a constraint or of one of its rows; with a point or frame, what it applies there.",
    ),
    (
        "contact_sphere",
        &[("C", Point), ("r", Scalar), ("n", Vector)],
        "The lowest point of a sphere on a plane with the normal `n`.",
    ),
    (
        "contact_disc",
        &[("C", Point), ("r", Scalar), ("a", Vector), ("n", Vector)],
        "The lowest point of a thin disc with the axis `a` on a plane with the normal `n`.",
    ),
    (
        "contact_torus",
        &[
            ("C", Point),
            ("R", Scalar),
            ("r", Scalar),
            ("a", Vector),
            ("n", Vector),
        ],
        "The lowest point of a torus with the axis `a` on a plane with the normal `n`.",
    ),
    (
        "hypot",
        &[("x", Scalar), ("y", Scalar)],
        "The square root of `x^2 + y^2`.",
    ),
    (
        "clamp",
        &[("x", Scalar), ("low", Scalar), ("high", Scalar)],
        "`x`, but not less than `low` and not more than `high`.",
    ),
    (
        "step",
        &[("x", Scalar)],
        "0 where `x` is negative, 1 elsewhere.",
    ),
    (
        "rotate",
        &[("A", Frame), ("angle", Scalar), ("axis", Vector)],
        "The frame that `A` becomes when it is turned about an axis.",
    ),
    (
        "rotate_body",
        &[
            ("A", Frame),
            ("axes", Any),
            ("a", Scalar),
            ("b", Scalar),
            ("c", Scalar),
        ],
        "Three rotations, each about an axis of the frame that the one before has made.",
    ),
    (
        "rotate_space",
        &[
            ("A", Frame),
            ("axes", Any),
            ("a", Scalar),
            ("b", Scalar),
            ("c", Scalar),
        ],
        "Three rotations about axes of `A`.",
    ),
    (
        "matrix",
        &[("A", Frame), ("rows", Any)],
        "The frame with these direction cosines in `A`.",
    ),
    (
        "quaternion",
        &[
            ("A", Frame),
            ("e0", Scalar),
            ("e1", Scalar),
            ("e2", Scalar),
            ("e3", Scalar),
        ],
        "The frame that a quaternion turns `A` into, scalar part first.",
    ),
    (
        "rodrigues",
        &[("A", Frame), ("r1", Scalar), ("r2", Scalar), ("r3", Scalar)],
        "The frame with these Rodrigues parameters in `A`.",
    ),
    (
        "mrp",
        &[("A", Frame), ("s1", Scalar), ("s2", Scalar), ("s3", Scalar)],
        "The frame with these modified Rodrigues parameters in `A`.",
    ),
    (
        "sum",
        &[("i in 1..n", Any), ("x", Any)],
        "The sum of `x` over a counted variable.",
    ),
];

/// All functions.
pub(super) fn all() -> impl Iterator<Item = Signature> {
    let scalars = TABLE.iter().flat_map(|row| {
        row.words.iter().map(move |word| {
            let names: &[&str] = match row.arguments {
                1 => &["x"],
                _ if row.name == "atan2" => &["y", "x"],
                _ => &["x", "y"],
            };
            let arguments = names.iter().map(|name| ((*name).to_owned(), Scalar));
            signature(word, arguments.collect(), row.docs)
        })
    });
    let others = OTHERS.iter().map(|(name, arguments, docs)| {
        let arguments = arguments
            .iter()
            .map(|(a, wanted)| ((*a).to_owned(), *wanted));
        signature(name, arguments.collect(), docs)
    });
    scalars.chain(others)
}

/// One function by name.
pub(super) fn find(name: &str) -> Option<Signature> {
    all().find(|signature| signature.name == name)
}

/// The text: what ends with `?` may be left out.
fn signature(
    name: &'static str,
    arguments: Vec<(String, Wanted)>,
    docs: &'static str,
) -> Signature {
    let mut text = format!("{name}(");
    let mut open = 0;
    for (at, (argument, _)) in arguments.iter().enumerate() {
        let optional = argument.ends_with('?');
        if optional {
            text.push('[');
            open += 1;
        }
        if at > 0 {
            text.push_str(", ");
        }
        text.push_str(argument.trim_end_matches('?'));
    }
    text.extend(std::iter::repeat_n(']', open));
    text.push(')');
    let plain = |(a, wanted): (String, Wanted)| (a.trim_end_matches('?').to_owned(), wanted);
    Signature {
        name,
        text,
        arguments: arguments.into_iter().map(plain).collect(),
        docs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_the_language_is_explained() {
        for name in crate::model::functions() {
            let found = find(name).unwrap_or_else(|| panic!("{name}"));
            assert!(
                !found.docs.is_empty() && !found.arguments.is_empty(),
                "{name}"
            );
        }
        assert_eq!(find("vel").unwrap().text, "vel(P[, B[, Q]])");
        assert_eq!(find("com").unwrap().text, "com(A[, B, ...])");
        assert_eq!(find("sin").unwrap().text, "sin(x)");
    }
}
