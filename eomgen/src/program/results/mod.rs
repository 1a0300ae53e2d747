//! The results of a derivation as expressions, entry by entry: held against what a source prints, and against those of another model.

mod claims;
mod contrast;
mod entries;

pub use claims::{Agreement, Claim, Obstacle, Verdict, compare, listing};
pub use contrast::{Contrast, Contrasts, PARTS, Renaming, Unstated, contrast};
pub(super) use entries::Entries;
