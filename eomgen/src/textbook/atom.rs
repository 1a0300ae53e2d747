//! What polynomials are made of, by number; and what is asked of each when expressions are measured.

/// A number of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Atom(pub u32);

/// In which part of an equation a term belongs that has such an atom; of several atoms the first of these decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Role {
    Multiplier,
    Acceleration,
    Rate,
    Load,
    Place,
}

impl Role {
    /// Whether products of such factors are what an equation's terms are told apart by.
    pub(super) fn is_apart(self) -> bool {
        matches!(self, Self::Acceleration | Self::Rate | Self::Multiplier)
    }

    /// Whether it is solved for.
    pub(super) fn is_unknown(self) -> bool {
        matches!(self, Self::Acceleration | Self::Multiplier)
    }

    /// Where its terms stand.
    pub(super) fn place(self) -> u8 {
        match self {
            Self::Acceleration => 0,
            Self::Rate => 1,
            Self::Place => 2,
            Self::Load => 3,
            Self::Multiplier => 4,
        }
    }
}

/// What is asked of atoms when expressions are measured.
pub(super) trait Measure {
    /// Names and numbers in it.
    fn leaves(&self, atom: Atom) -> usize;

    /// Where its terms belong.
    fn role(&self, atom: Atom) -> Role;
}
