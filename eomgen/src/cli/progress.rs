//! How far a motion is, on a terminal, for runs that take more than a second; and whether it was interrupted.

use super::console::say;

/// A line that is written over.
pub(super) struct Progress {
    shown: bool,
    steps: usize,
    last: u32,
    #[cfg_attr(
        not(test),
        expect(
            clippy::disallowed_types,
            reason = "how long a person has been waiting"
        )
    )]
    begun: std::time::Instant,
}

impl Progress {
    #[cfg_attr(
        not(test),
        expect(
            clippy::disallowed_methods,
            clippy::disallowed_types,
            reason = "how long a person has been waiting"
        )
    )]
    pub(super) fn new(shown: bool) -> Self {
        crate::host::interrupt::watch();
        Self {
            shown,
            steps: 0,
            last: 0,
            begun: std::time::Instant::now(),
        }
    }

    /// Is told how much is done; says whether to go on.
    pub(super) fn at(&mut self, part: f64) -> bool {
        self.steps += 1;
        if self.shown && self.steps.is_multiple_of(256) && self.begun.elapsed().as_secs() >= 1 {
            let percent = (100.0 * part) as u32;
            if percent != self.last {
                self.last = percent;
                let done = (percent / 4) as usize;
                let (bar, rest) = ("#".repeat(done), "-".repeat(25usize.saturating_sub(done)));
                say(&format!("\r[{bar}{rest}] {percent:3} %"));
            }
        }
        !crate::host::interrupt::requested()
    }

    /// Clears the line.
    pub(super) fn end(&self) {
        if self.last > 0 {
            say("\r\x1b[K");
        }
    }
}
