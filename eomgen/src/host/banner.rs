//! Keeps the algebra engine's greeting off standard output, which is for generated code.
//!
//! The one module with an `unsafe` line: setting an environment variable is unsafe because another
//! thread could be reading the environment through C at the same moment. The command line does not
//! need it (it sets the variable on the child process that derives); a library caller does, because
//! the engine offers no other way to be quiet.
#![allow(unsafe_code)]

use std::sync::Once;

/// The variable the engine looks for before its first use.
pub const VARIABLE: &str = "SYMBOLICA_HIDE_BANNER";

/// Sets [`VARIABLE`] for this process unless it is set already. Called by
/// [`with_session`](super::with_session) while it holds the process-wide gate and before the session's thread starts.
pub(super) fn hide() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if std::env::var_os(VARIABLE).is_some() {
            return;
        }
        // SAFETY: runs once per process, under the session gate, before any thread of ours exists.
        // Rust code reads the environment under the standard library's own lock; only a foreign
        // thread that calls C's getenv at this very moment could observe the change half done.
        unsafe { std::env::set_var(VARIABLE, "1") };
    });
}
