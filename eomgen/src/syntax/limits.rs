//! What a model file may be at most, and the words that are not free as names.

/// Largest file read, in bytes.
pub const MAX_BYTES: usize = 2 << 20;
/// Most levels of an expression's tree; a sum of n terms has n levels.
pub const MAX_DEPTH: u32 = 256;
/// Most nested blocks.
pub const MAX_BLOCKS: usize = 16;
/// Most messages reported by one run of `parse`; a note says how many more there are.
pub const MAX_DIAGNOSTICS: usize = 50;
/// Longest name, in bytes.
pub const MAX_NAME: usize = 200;
/// Longest number, in characters.
pub const MAX_NUMBER: usize = 100;
/// Words that cannot be names. All other keywords can.
pub const RESERVED: &[&str] = &["if", "then", "else", "and", "or", "not"];
