//! The codes of the model's diagnostics; their pages are in [`crate::diag::codes`].

/// A name that is not declared.
pub const UNKNOWN_NAME: &str = "E0101";
/// A name declared twice.
pub const DUPLICATE: &str = "E0102";
/// `N`, `O`, `t` or `pi` declared again, or a built-in function.
pub const PREDECLARED: &str = "E0103";
/// One sort of thing where another is wanted.
pub const WRONG_KIND: &str = "E0104";
/// A scalar and a vector added, and other operations between things that do not go together.
pub const MIXED: &str = "E0105";
/// Declarations that need each other.
pub const CYCLE: &str = "E0106";
/// A function called with the wrong number of arguments.
pub const ARGUMENTS: &str = "E0107";
/// A prime on something that has no rate of its own.
pub const PRIME: &str = "E0108";
/// A number that cannot be read, or a division by zero.
pub const NUMBER: &str = "E0109";
/// A declaration that is no frame, or a wrong axis or sequence.
pub const FRAME: &str = "E0110";
/// A matrix that is no rotation.
pub const NOT_A_ROTATION: &str = "E0111";
/// A position that depends on rates or inputs.
pub const POSITION: &str = "E0112";
/// A body with clauses missing or said twice.
pub const BODY: &str = "E0113";
/// Inertia that no body can have.
pub const IMPOSSIBLE_INERTIA: &str = "E0114";
/// A mass or inertia that changes, or refers to a frame that is not fixed in the body.
pub const NOT_CONSTANT: &str = "E0115";
/// Gravity stated twice, or depending on the motion.
pub const GRAVITY: &str = "E0116";
/// A load on something that cannot bear it, or one that depends on accelerations.
pub const LOAD: &str = "E0117";
/// A definition that is no speed.
pub const SPEED: &str = "E0118";
/// A constraint that constrains nothing.
pub const EMPTY_CONSTRAINT: &str = "E0119";
/// A constraint on accelerations or inputs.
pub const CONSTRAINT: &str = "E0120";
/// A privileged velocity that is none.
pub const PRIVILEGED: &str = "E0121";
/// An assumption that cannot be used.
pub const ASSUME: &str = "E0122";
/// A default that is no number, or against the assumptions.
pub const DEFAULT: &str = "E0123";
/// A model without coordinates.
pub const NO_COORDINATES: &str = "E0124";
/// An expression that is too deep.
pub const TOO_DEEP: &str = "E0126";
/// A coordinate that nothing mentions (warning).
pub const UNUSED_COORDINATE: &str = "E0150";
/// Principal inertias against the triangle inequality (warning).
pub const UNLIKELY_INERTIA: &str = "E0151";
/// A model without mass (warning).
pub const NO_BODIES: &str = "E0152";
/// A point that is not evidently fixed in its body (warning).
pub const LOOSE_POINT: &str = "E0153";

/// Two sides with different units.
pub const UNIT_CLASH: &str = "E0201";
/// A quantity whose unit is settled by what it is (a force, a mass) given in another.
pub const UNIT_EXPECTED: &str = "E0202";
/// An argument that has to be dimensionless.
pub const UNIT_ARGUMENT: &str = "E0203";
/// An exponent on something with a unit that is not a plain rational number.
pub const UNIT_EXPONENT: &str = "E0204";
/// A unit that does not exist.
pub const UNKNOWN_UNIT: &str = "E0205";
/// A declaration in a unit that is not of SI size.
pub const UNIT_NOT_SI: &str = "E0206";
