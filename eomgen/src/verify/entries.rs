//! Arrays of numbers that are compared: what an array argument is filled with, and how large entries are together.

use super::number::Number;

/// The entries of an array that a function takes beside the state: numbers none of which is 0 or another one's opposite.
pub(super) fn given_array<N: Number>(length: usize) -> Vec<N> {
    let entry = |i: usize| {
        let i = i as i64;
        N::int(if i % 2 == 0 { 3 + 4 * i } else { -5 - 3 * i })
    };
    (0..length).map(entry).collect()
}

/// The size of what is compared; meaningless, and not looked at, in a field.
pub(super) fn scale<N: Number>(values: &[N]) -> N {
    let sizes = values.iter().map(N::size);
    sizes.fold(N::int(1), |sum, x| sum.add(&x))
}
