//! The functions that the language knows, by name.

use crate::model::system::Builtin;

/// Functions of scalars: name, meaning, number of arguments (`min` and `max` take more).
pub const SCALAR: [(&str, Builtin, usize); 18] = [
    ("sin", Builtin::Sin, 1),
    ("cos", Builtin::Cos, 1),
    ("tan", Builtin::Tan, 1),
    ("asin", Builtin::Asin, 1),
    ("acos", Builtin::Acos, 1),
    ("atan", Builtin::Atan, 1),
    ("atan2", Builtin::Atan2, 2),
    ("sinh", Builtin::Sinh, 1),
    ("cosh", Builtin::Cosh, 1),
    ("tanh", Builtin::Tanh, 1),
    ("sqrt", Builtin::Sqrt, 1),
    ("exp", Builtin::Exp, 1),
    ("ln", Builtin::Ln, 1),
    ("log", Builtin::Ln, 1),
    ("abs", Builtin::Abs, 1),
    ("sign", Builtin::Sign, 1),
    ("min", Builtin::Min, 2),
    ("max", Builtin::Max, 2),
];

/// Functions of vectors, points and frames.
pub const GEOMETRIC: [&str; 17] = [
    "dot",
    "cross",
    "norm",
    "mag",
    "vel",
    "acc",
    "angvel",
    "angacc",
    "dt",
    "com",
    "mass",
    "vel_at",
    "acc_at",
    "contact_sphere",
    "contact_disc",
    "contact_torus",
    "reaction",
];

/// What makes a frame; these stand after `frame B =` only.
pub const FRAMES: [&str; 7] = [
    "rotate",
    "rotate_body",
    "rotate_space",
    "matrix",
    "quaternion",
    "rodrigues",
    "mrp",
];

/// The scalar function of this name.
pub fn scalar(name: &str) -> Option<(Builtin, usize)> {
    let (_, builtin, arity) = SCALAR.iter().find(|row| row.0 == name)?;
    Some((*builtin, *arity))
}

/// The usual name of a scalar function.
pub fn name(builtin: Builtin) -> &'static str {
    let row = SCALAR.iter().find(|row| row.1 == builtin);
    row.map_or("", |row| row.0)
}

/// All names of functions, for suggestions.
pub fn all() -> impl Iterator<Item = &'static str> {
    let scalars = SCALAR.iter().map(|row| row.0);
    scalars.chain(GEOMETRIC).chain(FRAMES)
}
