//! Ctrl-C: a first one is noted, so that what was computed can be written; a second one ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Exit code of programs that an interrupt ends.
pub const INTERRUPTED: u8 = 130;

/// Notes interrupts from now on.
pub fn watch() {
    // Where a handler cannot be had, an interrupt ends the program as it always does. Who is started to ignore them goes on ignoring them.
    let _ = ctrlc::try_set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            process::exit(INTERRUPTED.into());
        }
    });
}

/// Whether there was an interrupt.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}
