//! The functions that the language knows, by name.

use crate::model::system::Builtin;

/// Functions of scalars: name, meaning, number of arguments (`min` and `max` take more).
pub const SCALAR: [(&str, Builtin, usize); 21] = [
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
    ("asinh", Builtin::Asinh, 1),
    ("acosh", Builtin::Acosh, 1),
    ("atanh", Builtin::Atanh, 1),
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
pub const GEOMETRIC: [&str; 22] = [
    "dot",
    "cross",
    "norm",
    "mag",
    "unit",
    "distance",
    "vel",
    "acc",
    "angvel",
    "angacc",
    "dt",
    "kinetic",
    "momentum",
    "angmom",
    "com",
    "mass",
    "vel_at",
    "acc_at",
    "contact_sphere",
    "contact_disc",
    "contact_torus",
    "reaction",
];

/// Functions of scalars that are made of others.
pub const COMPOSED: [&str; 3] = ["hypot", "clamp", "step"];

/// What functions are called elsewhere, and how they are written here.
pub const FOREIGN: [(&str, &str); 26] = [
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arcsinh", "asinh"),
    ("arsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arcosh", "acosh"),
    ("arctanh", "atanh"),
    ("artanh", "atanh"),
    ("Abs", "abs"),
    ("fabs", "abs"),
    ("sgn", "sign"),
    ("signum", "sign"),
    ("heaviside", "step"),
    ("Heaviside", "step"),
    ("saturate", "clamp"),
    ("length", "norm"),
    ("magnitude", "norm"),
    ("normalize", "unit"),
    ("dist", "distance"),
    ("ddt", "dt"),
    ("der", "dt"),
    ("diff", "dt"),
    ("velocity", "vel"),
    ("acceleration", "acc"),
];

/// What functions that the language does not have are made of.
pub const FORMULAS: [(&str, &str); 14] = [
    ("log10", "ln(x)/ln(10)"),
    ("log2", "ln(x)/ln(2)"),
    ("pow", "x^n"),
    ("sec", "1/cos(x)"),
    ("csc", "1/sin(x)"),
    ("cosec", "1/sin(x)"),
    ("cot", "1/tan(x)"),
    ("sech", "1/cosh(x)"),
    ("coth", "1/tanh(x)"),
    ("cbrt", "x^(1/3)"),
    ("square", "x^2"),
    ("piecewise", "if x < 0 then a else b"),
    ("Piecewise", "if x < 0 then a else b"),
    ("sinc", "if abs(x) < 1e-4 then 1 - x^2/6 else sin(x)/x"),
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
    scalars.chain(COMPOSED).chain(GEOMETRIC).chain(FRAMES)
}
