//! The table of statements: a keyword, an example for the help line, and the function that reads what follows the
//! keyword. To add a statement, add its line here and its function in a file of its own or in [`super::items`].

use super::ast::ItemKind;
use super::cursor::{Cursor, Parse};
use super::drawings;
use super::items as read;
use super::rolling;
use super::springs;
use crate::diag::suggest;

/// One kind of statement.
pub(super) struct Statement {
    pub(super) keyword: &'static str,
    pub(super) example: &'static str,
    pub(super) read: fn(&mut Cursor) -> Parse<ItemKind>,
}

const fn row(
    keyword: &'static str,
    example: &'static str,
    read: fn(&mut Cursor) -> Parse<ItemKind>,
) -> Statement {
    Statement {
        keyword,
        example,
        read,
    }
}

/// All statements, in the order in which a model usually has them.
pub(super) const STATEMENTS: &[Statement] = &[
    row("model", "model pendulum", read::model),
    row("param", "param m1 = 1.3, m2 : kg > 0", read::param),
    row("coord", "coord x = 0.1, y : m", read::coord),
    row("state", "state i = 0.2 : A", read::state),
    row("rate", "rate i = (v - R*i)/L", read::rate),
    row("input", "input F, G : N", read::input),
    row(
        "function",
        "function Fx(x, y, z), g(x, t) : N/kg",
        read::function,
    ),
    row("let", "let r = sqrt(x^2 + y^2)", read::let_),
    row("frame", "frame B = rotate(N, theta, N.z)", read::frame),
    row("point", "point P = O + x*N.x", read::point),
    row("particle", "particle A: mass m at P", read::particle),
    row(
        "body",
        "body W: frame B, mass m, center C, inertia [Ixx, Iyy, Izz]",
        read::body,
    ),
    row("group", "group S: A, B, C", read::group),
    row("gravity", "gravity: -g*N.z", read::gravity),
    row("force", "force on P: -k*x*N.x", read::force),
    row("torque", "torque on B: tau*N.z", read::torque),
    row("generalized", "generalized x: -k*x", read::generalized),
    row("nonideal", "nonideal on P: -c*vel(P)", read::nonideal),
    row("kinetic", "kinetic T = m*(x'^2 + y'^2)/2", read::kinetic),
    row("potential", "potential V = m*g*y", read::potential),
    row("dissipation", "dissipation D = c*x'^2/2", read::dissipation),
    row(
        "spring",
        "spring s: from P to Q, stiffness k, length l, damping c",
        springs::spring,
    ),
    row(
        "damper",
        "damper d: from P to Q, damping c",
        springs::damper,
    ),
    row("speed", "speed u1 = dot(vel(P), B.x)", read::speed),
    row("motion", "motion q = A*sin(w*t)", read::motion),
    row("roll", "roll W on plane, radius r", rolling::roll),
    row(
        "constraint",
        "constraint blade: dot(vel(P), B.y) = 0",
        read::constraint,
    ),
    row("reaction", "reaction T at P: B.x", read::reaction),
    row("privileged", "privileged psi1', phi'", read::privileged),
    row("assume", "assume x' != 0", read::assume),
    row("initial", "initial q = 0.3, q' = 2", read::initial),
    row("output", "output height = dot(P - O, N.z)", read::output),
    row("event", "event top: theta' falling", drawings::event),
    row(
        "drawing",
        "drawing hull: box [a, b, c] at G in B, color orange",
        drawings::drawing,
    ),
    row("part", "part leg", read::part),
    row("needs", "needs point hip", read::needs),
    row("const", "const n = 5", read::const_),
    row("for", "for i in 1..n {", read::for_),
    row(
        "use",
        "use \"leg.eom\" as left(hip = P, l = 0.4 [m])",
        read::use_,
    ),
];

/// `i' = (v - R*i)/L`: a rate without its keyword.
pub(super) const PRIMED: Statement = row("", "i' = (v - R*i)/L", read::primed);

/// What people write who come from elsewhere.
const SYNONYMS: &[(&str, &str)] = &[
    ("constant", "param"),
    ("variable", "coord"),
    ("dof", "coord"),
    ("define", "let"),
    ("def", "let"),
    ("var", "let"),
    ("moment", "torque"),
    ("load", "force"),
    ("lagrangian", "kinetic"),
    ("energy", "potential"),
    ("rayleigh", "dissipation"),
    ("dashpot", "damper"),
    ("equation", "constraint"),
    ("joint", "constraint"),
    ("rigid", "body"),
    ("print", "output"),
    ("draw", "drawing"),
    ("shape", "drawing"),
];

/// What stands for whole statements elsewhere, and how it is said here.
const HINTS: &[(&[&str], &str)] = &[
    (
        &["friction", "coulomb", "drag"],
        "friction is a force: `force on P: -mu*reaction(c)*tanh(v/v0)*N.x` with the reaction of the contact, or viscous `force on P: -c*vel(P)`",
    ),
    (
        &["motor", "actuator", "drive"],
        "a motor is a load: `input tau : N*m` and `torque on B, opposite on A: tau*A.z`",
    ),
    (
        &["contact", "rolling", "rolls", "wheel"],
        "a body that rolls on a plane is `roll W on plane, radius r`; with a given point of contact `roll W on V at P`",
    ),
    (
        &[
            "revolute",
            "hinge",
            "pin",
            "prismatic",
            "slider",
            "ball",
            "universal",
        ],
        "a joint is stated by what it leaves free: `coord q : rad`, `frame B = rotate(A, q, A.z)` and a common point; one that closes a loop is `constraint closed: P = Q`",
    ),
    (
        &["gear", "belt", "rope", "rod", "cable", "weld"],
        "what ties two motions is a constraint: `constraint gear: r1*p' = -r2*q'`, `constraint rod: distance(P, Q) = l`",
    ),
    (
        &["mass", "inertia"],
        "masses belong to particles and bodies: `particle A: mass m at P`",
    ),
    (
        &["velocity", "vel", "acceleration"],
        "velocities follow from positions; they are written `vel(P)` in expressions and prescribed by `constraint c: vel(P) = v*N.x`",
    ),
    (
        &["init", "start"],
        "initial values follow coordinates, as in `coord x = 0.1 : m`, or have a statement: `initial x = 0.1, x' = 2 [m/s]`",
    ),
    (
        &["unit", "units"],
        "units follow declarations and numbers: `param m : kg`, `9.81 [m/s^2]`",
    ),
    (
        &["vector"],
        "vectors are named with `let`: `let r = x*N.x + y*N.y`",
    ),
];

/// How a word is said here that no statement begins with.
pub(super) fn hint(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let found = HINTS
        .iter()
        .find(|(words, _)| words.contains(&word.as_str()))?;
    Some(found.1)
}

/// The keyword that was probably meant by an unknown word.
pub(super) fn meant(word: &str) -> Option<&'static Statement> {
    let keywords = STATEMENTS.iter().map(|statement| statement.keyword);
    let longer = |keyword: &&str| keyword.len() > 4 && word.starts_with(*keyword);
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == word);
    // Of three letters nearly every short word is a slip.
    let long = keywords
        .clone()
        .filter(|keyword| keyword.len() > 3 || *keyword == "let");
    let keyword = suggest::closest(word, long)
        .or_else(|| synonym.map(|(_, keyword)| *keyword))
        .or_else(|| keywords.clone().find(longer))?;
    find(keyword)
}

/// The statement that begins with this word.
pub(super) fn find(word: &str) -> Option<&'static Statement> {
    STATEMENTS
        .iter()
        .find(|statement| statement.keyword == word)
}
