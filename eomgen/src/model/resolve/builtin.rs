//! The functions that the language knows, by name, and what those of other languages are here.

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

/// What functions of other languages are here, in words.
const FOREIGN: [(&[&str], &str); 21] = [
    (
        &["der", "diff", "ddt", "deriv", "derivative", "Dt", "D"],
        "the rate of `x` is written `x'`, the derivative of a vector `dt(v, N)`",
    ),
    (&["fabs", "Abs"], "the absolute value is `abs(x)`"),
    (&["arctan2"], "did you mean `atan2`?"),
    (&["arctan"], "did you mean `atan`?"),
    (&["arcsin"], "did you mean `asin`?"),
    (&["arccos"], "did you mean `acos`?"),
    (&["arcsinh", "arsinh"], "did you mean `asinh`?"),
    (&["arccosh", "arcosh"], "did you mean `acosh`?"),
    (&["arctanh", "artanh"], "did you mean `atanh`?"),
    (&["heaviside", "Heaviside"], "did you mean `step`?"),
    (&["saturate"], "did you mean `clamp`?"),
    (&["normalize"], "did you mean `unit`?"),
    (&["dist"], "did you mean `distance`?"),
    (&["sgn", "signum"], "did you mean `sign`?"),
    (&["Pow"], "powers are written `x^2`"),
    (
        &["length", "magnitude"],
        "the length of a vector is `norm(v)`",
    ),
    (
        &["omega", "ang_vel_in", "w"],
        "the angular velocity of a frame is `angvel(B)`",
    ),
    (
        &["alpha", "ang_acc_in"],
        "the angular acceleration of a frame is `angacc(B)`",
    ),
    (&["velocity", "v"], "the velocity of a point is `vel(P)`"),
    (
        &["acceleration", "a"],
        "the acceleration of a point is `acc(P)`",
    ),
    (
        &["vector", "Vector"],
        "write a vector as `x*N.x + y*N.y + z*N.z`",
    ),
];

/// What functions that the language does not have are made of.
const FORMULAS: [(&str, &str); 14] = [
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

/// What to write instead of a function of another language.
pub fn foreign(name: &str) -> Option<String> {
    if let Some((_, formula)) = FORMULAS.iter().find(|(other, _)| *other == name) {
        return Some(format!("it is not built in: write `{formula}`"));
    }
    let (_, help) = FOREIGN.iter().find(|(names, _)| names.contains(&name))?;
    Some((*help).to_owned())
}
