//! Pseudo-random elements of the field.

use crate::field::Residue;

/// What an element is drawn for; different purposes are independent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Input,
    Pi,
    Sign,
    Circle,
    Hyperbola,
    Root,
    Asin,
    Acos,
    Atan,
    Ln,
    Atan2,
    Pow,
    Call,
    Jet,
    Asinh,
    Acosh,
    Atanh,
    Choice,
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
        let start = mix(self.seed ^ mix(tag as u64));
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
