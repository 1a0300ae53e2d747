//! `eomgen prepare`: the attributes of a package that name a committed file, and those files written or checked.
//!
//! Knows packages, their module trees and attributes in them; nothing of how code is derived, and it writes nothing itself.

mod attributes;
mod folder;
mod modules;
mod packages;
mod place;
mod plan;

pub use modules::{Walk, walk};
pub use packages::packages;
pub use plan::{Committed, Plan, plan};
