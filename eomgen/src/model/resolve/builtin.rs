//! The functions that the language knows, by name.

use crate::function::TABLE;

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

/// All names of functions, for suggestions.
pub fn all() -> impl Iterator<Item = &'static str> {
    let scalars = TABLE.iter().flat_map(|row| row.words).copied();
    scalars.chain(COMPOSED).chain(GEOMETRIC).chain(FRAMES)
}
