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

/// What functions of other languages are here; `()` stands for the arguments as they were written.
const FOREIGN: [(&[&str], &str); 36] = [
    (
        &["der", "diff", "ddt", "deriv", "derivative", "Dt", "D"],
        "the rate of `x` is written `x'`, the derivative of a vector `dt(v, N)`",
    ),
    (&["fabs", "Abs"], "the absolute value is `abs()`"),
    (&["arctan2"], "did you mean `atan2`?"),
    (&["arctan"], "did you mean `atan`?"),
    (&["arcsin"], "did you mean `asin`?"),
    (&["arccos"], "did you mean `acos`?"),
    (&["arcsinh", "arsinh"], "did you mean `asinh`?"),
    (&["arccosh", "arcosh"], "did you mean `acosh`?"),
    (&["arctanh", "artanh"], "did you mean `atanh`?"),
    (&["heaviside", "Heaviside"], "did you mean `step`?"),
    (&["saturate"], "did you mean `clamp`?"),
    (
        &["normalize", "normalise", "unit_vector", "unitvec", "hat"],
        "did you mean `unit`?",
    ),
    (&["dist", "distance_between"], "did you mean `distance`?"),
    (&["sgn", "signum"], "did you mean `sign`?"),
    (&["Pow"], "powers are written `x^2`"),
    (
        &["length", "magnitude", "len"],
        "the length of a vector is `norm()`",
    ),
    (
        &[
            "omega",
            "ang_vel_in",
            "w",
            "angular_velocity",
            "ang_vel",
            "angvel_in",
        ],
        "the angular velocity of a frame is `angvel()`",
    ),
    (
        &["alpha", "ang_acc_in", "angular_acceleration", "ang_acc"],
        "the angular acceleration of a frame is `angacc()`",
    ),
    (
        &["velocity", "v", "speed", "veloc", "get_vel", "vel_of"],
        "the velocity of a point is `vel()`, and its magnitude `norm(vel())`",
    ),
    (
        &["acceleration", "a", "accel", "get_acc", "acc_of"],
        "the acceleration of a point is `acc()`",
    ),
    (
        &[
            "v2pt_theory",
            "a2pt_theory",
            "v1pt_theory",
            "a1pt_theory",
            "set_vel",
            "set_acc",
        ],
        "velocities follow from positions: write `vel(P)` and `acc(P)`",
    ),
    (
        &[
            "lambda",
            "Lambda",
            "multiplier",
            "lagrange_multiplier",
            "constraint_force",
            "reaction_force",
            "force",
        ],
        "the force of a constraint is `reaction()`",
    ),
    (
        &["position", "pos", "pos_from", "get_pos", "r"],
        "the vector from `O` to a point `P` is `P - O`",
    ),
    (
        &["kinetic_energy", "KE", "ekin"],
        "the kinetic energy of a body is `kinetic()`",
    ),
    (
        &["linear_momentum"],
        "the momentum of a body is `momentum()`",
    ),
    (
        &["angular_momentum"],
        "the angular momentum of a body is `angmom()`",
    ),
    (
        &[
            "center_of_mass",
            "centre_of_mass",
            "mass_center",
            "mass_centre",
            "cm",
            "cog",
        ],
        "the common mass centre is `com()`",
    ),
    (
        &["inner", "scalar_product", "dot_product", "vdot"],
        "the scalar product is `dot()`",
    ),
    (
        &["vector_product", "cross_product", "vcross"],
        "the vector product is `cross()`",
    ),
    (&["tg"], "the tangent is `tan()`"),
    (&["maximum", "fmax", "Max"], "the largest is `max()`"),
    (&["minimum", "fmin", "Min"], "the smallest is `min()`"),
    (&["root"], "the square root is `sqrt()`"),
    (
        &["locatenew", "locate_new"],
        "a point is another point plus a vector: `point P = O + x*N.x`",
    ),
    (
        &["integrate", "int", "integral"],
        "integrals are not available: declare a `coord` and state its rate with `constraint`",
    ),
    (
        &["vector", "Vector", "vec"],
        "write a vector as `x*N.x + y*N.y + z*N.z`",
    ),
];

/// What rotations of other languages are here.
const FOREIGN_FRAMES: [(&[&str], &str); 6] = [
    (
        &[
            "rot",
            "rotation",
            "simprot",
            "orient_axis",
            "rotx",
            "roty",
            "rotz",
            "rotate_axis",
            "orientnew",
            "orient",
        ],
        "rotate",
    ),
    (
        &[
            "euler",
            "orient_body",
            "orient_body_fixed",
            "body",
            "rotate_euler",
            "bodyfixed",
        ],
        "rotate_body",
    ),
    (
        &[
            "space",
            "orient_space",
            "orient_space_fixed",
            "rotate_fixed",
            "rpy",
        ],
        "rotate_space",
    ),
    (&["dcm", "dircos", "rotmat", "orient_explicit"], "matrix"),
    (&["quat", "orient_quaternion"], "quaternion"),
    (&["gibbs", "crp"], "rodrigues"),
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

/// What to write instead of a function of another language that was called with these arguments.
pub fn foreign(name: &str, args: &str) -> Option<String> {
    if let Some((_, formula)) = FORMULAS.iter().find(|(other, _)| *other == name) {
        return Some(format!("it is not built in: write `{formula}`"));
    }
    let (_, help) = FOREIGN.iter().find(|(names, _)| names.contains(&name))?;
    Some(help.replace("()", &format!("({args})")))
}

/// The rotation that another language calls so.
pub fn foreign_frame(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = |(names, _): &&(&[&str], &str)| names.contains(&name.as_str());
    FOREIGN_FRAMES.iter().find(known).map(|(_, ours)| *ours)
}
