//! Ctrl-C: while somebody watches, a first one is noted, so that what was computed can be written; a second one, and any that nobody watches
//! for, ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WATCHERS: AtomicUsize = AtomicUsize::new(0);

/// Exit code of programs that an interrupt ends.
pub const INTERRUPTED: u8 = 130;

/// Somebody who asks for interrupts, until it is dropped.
#[derive(Debug)]
pub struct Watch(());

/// Notes interrupts as long as the result lives.
#[must_use]
pub fn watch() -> Watch {
    WATCHERS.fetch_add(1, Ordering::SeqCst);
    // Where a handler cannot be had, an interrupt ends the program as it always does. Who is started to ignore them goes on ignoring them.
    let _ = ctrlc::try_set_handler(|| {
        let is_watched = WATCHERS.load(Ordering::SeqCst) > 0;
        if REQUESTED.swap(true, Ordering::SeqCst) || !is_watched {
            process::exit(INTERRUPTED.into());
        }
    });
    Watch(())
}

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether there was an interrupt.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}
