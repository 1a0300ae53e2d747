//! Pseudo-random elements of the field.

use crate::field::Residue;
use crate::function::Elementary;

/// What an element is drawn for; different purposes are independent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Input,
    Pi,
    Sign,
    Circle,
    Hyperbola,
    Root,
    Call,
    Jet,
    Choice,
    Routine,
    Function(Elementary),
}

impl Tag {
    fn code(self) -> u64 {
        match self {
            Self::Input => 0,
            Self::Pi => 1,
            Self::Sign => 2,
            Self::Circle => 3,
            Self::Hyperbola => 4,
            Self::Root => 5,
            Self::Call => 6,
            Self::Jet => 7,
            Self::Choice => 8,
            Self::Routine => 9,
            Self::Function(function) => 10 + function as u64,
        }
    }
}

/// A pseudo-random function into the field: SplitMix64's finaliser over the words. Not cryptographic; nobody attacks a derivation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prf {
    seed: u64,
}

impl Prf {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed: mix(seed) }
    }

    pub(super) fn draw(self, tag: Tag, key: &[u64]) -> Residue {
        let start = mix(self.seed ^ mix(tag.code()));
        let state = key
            .iter()
            .fold(start, |state, &word| mix(state ^ mix(word)));
        Residue::new(mix(state ^ key.len() as u64))
    }
}

fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
