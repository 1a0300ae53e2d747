//! Everything that touches the machine: files, the session lock, child processes.
//!
//! Knows nothing of models or algebra. With `cli` (and the macro's front) the only module that does
//! input and output, reads clocks or starts threads; the core stays deterministic because of it.

#[cfg(any(feature = "derive", feature = "cli"))]
pub mod banner;
#[cfg(feature = "derive")]
pub mod cache;
pub mod cargo;
#[cfg(feature = "cli")]
pub mod child;
pub mod files;
#[cfg(feature = "cli")]
pub mod git;
#[cfg(feature = "derive")]
pub mod lock;
#[cfg(feature = "derive")]
pub mod queue;
#[cfg(feature = "derive")]
pub mod session;
#[cfg(any(feature = "derive", feature = "cli"))]
mod write;

pub use files::{
    FileError, ModelText, absolute, is_file, package_root, read_model, read_part, shown,
};
#[cfg(feature = "derive")]
pub use session::{SessionError, with_session, with_stack};
#[cfg(any(feature = "derive", feature = "cli"))]
pub use write::{create_parent, write_atomic, write_new};
