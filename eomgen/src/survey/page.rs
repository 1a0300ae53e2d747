//! The first page as plain data: names, units, short formulas as text. `None` stands for a formula
//! that is too long for a page.

use serde::{Serialize, Serializer};

/// A formula in which long parts may have names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// In the model's notation.
    pub text: String,
    /// What the names stand for that the model does not have.
    pub parts: Vec<Part>,
}

/// A part of a formula: an entry of a quantity that the module computes under this name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// `constraint_matrix[roll.x, alpha]`
    pub name: String,
    /// Its value, where that can be written on a page.
    pub value: Option<String>,
}

impl From<String> for Formula {
    fn from(text: String) -> Self {
        let parts = Vec::new();
        Self { text, parts }
    }
}

/// A coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// The model's name for it.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Its doc comment.
    pub docs: String,
}

/// A state of first order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateRate {
    /// The model's name for it.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Its doc comment.
    pub docs: String,
    /// Its rate.
    pub rate: String,
}

/// A speed: declared, or a rate that completes the set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// The model's name, or the rate (`x'`).
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Its doc comment.
    pub docs: String,
    /// Its definition by rates; `None` for a rate.
    pub definition: Option<String>,
    /// Whether it is one of the independent ones (or of the state, if none are eliminated).
    pub independent: bool,
}

/// By which rule the independent speeds were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// There are no constraints.
    Free,
    /// A `privileged` statement names them.
    Privileged,
    /// The declared speeds are as many as the degrees of freedom.
    Declared,
    /// Each row eliminates the first velocity whose coefficient is certainly nonzero.
    CertainlyNonzero,
    /// A constraint is nonlinear in the velocities: all stay in the state.
    Nonlinear,
    /// A constraint is stated for accelerations: all stay in the state.
    Accelerations,
    /// The rank of the constraints varies where they hold: all stay in the state.
    RankVaries,
    /// No choice is good at every state: all stay in the state.
    NoGoodChart,
}

impl Rule {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Privileged => "privileged",
            Self::Declared => "declared",
            Self::CertainlyNonzero => "certainly nonzero",
            Self::Nonlinear => "nonlinear",
            Self::Accelerations => "accelerations",
            Self::RankVaries => "rank varies",
            Self::NoGoodChart => "no good chart",
        }
    }

    /// The rule in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Free => "all are independent: there are no constraints",
            Self::Privileged => "the independent ones are those that `privileged` names",
            Self::Declared => {
                "the independent ones are the declared speeds, as many as degrees of freedom"
            }
            Self::CertainlyNonzero => {
                "each row eliminates the first velocity whose coefficient is certainly nonzero"
            }
            Self::Nonlinear => "all are in the state: a constraint is not linear in the velocities",
            Self::Accelerations => "all are in the state: a constraint is stated for accelerations",
            Self::RankVaries => {
                "all are in the state: the rank of the constraints varies over the states that satisfy them"
            }
            Self::NoGoodChart => {
                "all are in the state: no choice of independent ones is good at every state"
            }
        }
    }
}

/// Where the speeds fail.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Condition {
    /// `sin(theta) = 0`
    #[serde(rename = "where")]
    pub equation: String,
    /// What fails there.
    pub meaning: String,
}

/// A particle or a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Body {
    /// The model's name for it.
    pub name: String,
    /// Its doc comment.
    pub docs: String,
    /// Its mass.
    pub mass: String,
    /// The point where its mass centre is.
    pub center: String,
    /// The frame that rotates with it; `None` for a particle.
    pub frame: Option<String>,
    /// Ixx, Iyy, Izz, Ixy, Iyz, Izx about the mass centre, in its own frame; empty for a particle.
    pub inertia: Vec<String>,
}

/// A load.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Load {
    /// `gravity`, `force`, `torque`, `generalized`, or the same with `nonideal ` before it; `kinetic`, `potential`,
    /// `dissipation` for energies, those of springs and dampers included.
    pub kind: String,
    /// The point, frame or coordinate that it acts on; `all bodies` for gravity; the name of an energy.
    pub on: String,
    /// Its doc comment.
    pub docs: String,
    /// The statement; for gravity the vector.
    pub written: Option<String>,
    /// Whether it is another part of the statement before: the opposite, or the moment of a force on a body.
    pub continues: bool,
}

/// What a constraint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On positions, and free of time.
    Scleronomic,
    /// On positions, with time in it.
    Rheonomic,
    /// On velocities, and its integral restricts the configuration.
    Integrable,
    /// On velocities; some of its rows, or combinations with others, are integrable.
    PartlyIntegrable,
    /// On velocities, not integrable.
    Nonholonomic,
    /// On velocities; whether it is integrable could not be decided.
    Undecided,
    /// Nonlinear in the velocities.
    Nonlinear,
    /// On accelerations.
    Acceleration,
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Kind {
    /// The word in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Scleronomic => "holonomic, scleronomic",
            Self::Rheonomic => "holonomic, rheonomic",
            Self::Integrable => "integrable: holonomic in disguise",
            Self::PartlyIntegrable => "partly integrable",
            Self::Nonholonomic => "nonholonomic",
            Self::Undecided => "integrability not decided",
            Self::Nonlinear => "nonlinear in the velocities",
            Self::Acceleration => "on accelerations",
        }
    }
}

/// One scalar equation of a constraint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The constraint's name, with `.x` and so on for rows of a vector constraint.
    pub name: String,
    /// The equation, with 0 on its right.
    pub equation: String,
    /// Names in it that the model does not have.
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Whether it is one of the independent rows.
    pub independent: bool,
    /// For a dependent one: the independent rows that it is a combination of, with their factors (`None`: long).
    #[serde(serialize_with = "shares")]
    pub combination: Vec<(String, Option<String>)>,
    /// Whether it is integrable: by itself, with the others, not, or unknown; `None` for configuration-level rows and nonlinear ones.
    pub integrable: Option<Integrable>,
}

/// What an independent row contributes to one that depends on it, in JSON.
#[derive(Serialize)]
struct Share<'a> {
    row: &'a str,
    factor: Option<&'a str>,
}

fn shares<S: Serializer>(
    combination: &[(String, Option<String>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(combination.iter().map(|(row, factor)| Share {
        row,
        factor: factor.as_deref(),
    }))
}

/// Whether a velocity row can be integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrable {
    /// By itself.
    Alone,
    /// Where the other constraints hold.
    WithOthers,
    /// It cannot.
    No,
    /// Not decided.
    Unknown,
}

impl Serialize for Integrable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Integrable {
    /// The word in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::WithOthers => "with others",
            Self::No => "no",
            Self::Unknown => "not decided",
        }
    }

    /// Where nothing is hidden in all rows together, what was not decided is not integrable.
    pub(super) fn settled(self) -> Self {
        match self {
            Self::Unknown => Self::No,
            other => other,
        }
    }

    /// Where something may be, what is not integrable by itself is not decided.
    pub(super) fn doubted(self) -> Self {
        match self {
            Self::No => Self::Unknown,
            other => other,
        }
    }
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constraint {
    /// The model's name for it.
    pub name: String,
    /// Its doc comment.
    pub docs: String,
    /// The statement.
    pub written: Option<String>,
    /// What it is.
    pub kind: Kind,
    /// `position`, `velocity` or `acceleration`.
    pub level: &'static str,
    /// `linear`, `affine` (linear with a term free of velocities) or `nonlinear` in the velocities.
    pub form: &'static str,
    /// Whether time stands in it.
    pub rheonomic: bool,
    /// By how much it raises the rank of the constraints declared before it.
    pub rank: usize,
    /// Its rows, without those that read 0 = 0.
    pub rows: Vec<Row>,
}

/// A combination of velocity rows that is integrable although they are not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Combination {
    /// The rows that take part.
    pub rows: Vec<String>,
    /// What follows from them: `phi' - a*psi1'/l = 0`; `None` where that is long.
    pub relation: Option<String>,
    /// What it integrates to: `phi - a*psi1/l`.
    pub integral: Option<String>,
}

/// A coordinate that the kinetic energy and the loads at rest do not contain.
#[derive(Clone, Debug, PartialEq)]
pub struct Cyclic {
    /// The coordinate.
    pub name: String,
    /// Its momentum.
    pub momentum: Formula,
    /// Why the momentum is not conserved; `None` if it is.
    pub because: Option<String>,
}

/// Something that keeps its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conserved {
    /// `energy`, `Jacobi integral`, `momentum` or `constraint`.
    pub kind: &'static str,
    /// `T + V`, `p_theta`.
    pub name: String,
    /// Its value in terms of coordinates and rates.
    pub formula: Option<String>,
}

/// Everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The model's name.
    pub model: String,
    /// The model's doc comment.
    pub docs: String,
    /// In order of declaration.
    pub coordinates: Vec<Coordinate>,
    /// Declared ones first, then those that complete the set.
    pub speeds: Vec<Speed>,
    /// States of first order.
    pub states: Vec<StateRate>,
    /// How the independent ones were chosen.
    pub rule: Rule,
    /// The rates of the coordinates by the state's speeds, where they are not these speeds themselves: coordinate, expression.
    pub inverse: Vec<(String, Option<String>)>,
    /// Where the speeds fail.
    pub conditions: Vec<Condition>,
    /// In order of declaration.
    pub bodies: Vec<Body>,
    /// The mass of all of them.
    pub total_mass: Option<String>,
    /// Gravity first, then in order of declaration.
    pub loads: Vec<Load>,
    /// In order of declaration.
    pub constraints: Vec<Constraint>,
    /// Integrable combinations of rows that are not integrable by themselves.
    pub combinations: Vec<Combination>,
    /// Rank of all constraints together.
    pub rank: usize,
    /// Whether the rank is lower at some states that satisfy the constraints, or with the default parameters.
    pub rank_varies: bool,
    /// Degrees of freedom of the motion: coordinates less the rank of all constraints.
    pub degrees_of_freedom: usize,
    /// Degrees of freedom in configuration: coordinates less what restricts the configuration; `None` if that could not be decided.
    pub configuration_degrees_of_freedom: Option<usize>,
    /// Coordinates that the kinetic energy and the loads do not contain.
    pub cyclic: Vec<Cyclic>,
    /// What evidently keeps its value.
    pub conserved: Vec<Conserved>,
    /// Why neither energy nor Jacobi integral is among them; `None` if one is.
    pub energy: Option<String>,
}
