//! Everything that touches the machine: files, the session lock, child processes.
//!
//! Knows nothing of models or algebra. With `cli` (and the macro's front) the only module that does
//! input and output, reads clocks or starts threads; the core stays deterministic because of it.

pub mod banner;
#[cfg(feature = "derive")]
pub mod cache;
pub mod cargo;
pub mod child;
pub mod files;
pub mod lock;
pub mod session;

pub use files::{
    FileError, ModelText, absolute, create_parent, is_file, package_root, read_model, read_part,
    shown, write_atomic,
};
pub use session::{SessionError, with_session};
