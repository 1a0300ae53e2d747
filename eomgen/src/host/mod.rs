//! What touches the machine beside the reading of [files](crate::files): the session lock, the cache, child processes, files that are written.
//!
//! Knows nothing of models or algebra. With `cli` (and the macro's front) the only module that does
//! input and output, reads clocks or starts threads; the core stays deterministic because of it.

pub mod banner;
pub mod cache;
pub mod cargo;
pub mod child;
pub mod git;
#[cfg(feature = "cli")]
pub mod interrupt;
pub mod lock;
pub mod own;
mod permit;
mod place;
pub mod queue;
pub mod session;
mod several;
mod whole;
mod write;

pub use crate::files::{
    FileError, ModelText, Parts, absolute, is_called_model, is_file, read_code, read_model, shown,
};
pub use place::{beginning, leads_out, read_text};
pub use session::{SessionError, with_session, with_stack};
pub use several::in_order;
pub use write::{create_parent, write_atomic, write_new};
