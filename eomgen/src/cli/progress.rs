//! What a person who waits at a terminal sees: what a derivation is at, how far a motion is; and whether Ctrl-C was pressed.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::console::{overwrites, say};
use crate::host::child::{Follower, MESSAGE_PREFIX};
use crate::host::interrupt::{self, Watch};

/// How long one waits before something is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time since something began.
struct Clock(
    #[cfg_attr(
        not(test),
        expect(
            clippy::disallowed_types,
            reason = "how long a person has been waiting"
        )
    )]
    std::time::Instant,
);

impl Clock {
    #[cfg_attr(
        not(test),
        expect(
            clippy::disallowed_methods,
            clippy::disallowed_types,
            reason = "how long a person has been waiting"
        )
    )]
    fn start() -> Self {
        Self(std::time::Instant::now())
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A line on a derivation: its model, what it is at, for how long.
pub(super) struct Waiting {
    _watch: Watch,
    shown: bool,
    begun: Clock,
    model: String,
    stage: String,
    bar: Option<ProgressBar>,
}

impl Waiting {
    /// Waits for a derivation of this model; Ctrl-C is noted until it is dropped.
    pub(super) fn new(model: &str) -> Self {
        Self {
            _watch: interrupt::watch(),
            shown: overwrites(),
            begun: Clock::start(),
            model: model.to_owned(),
            stage: String::new(),
            bar: None,
        }
    }

    /// Whether anybody sees it.
    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    /// Clears the line.
    pub(super) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn text(&self) -> String {
        match self.stage.as_str() {
            "" => self.model.clone(),
            stage => format!("{}: {stage}", self.model),
        }
    }

    fn show(&mut self) {
        let style = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}");
        let bar = ProgressBar::new_spinner().with_elapsed(self.begun.elapsed());
        // The template is a fixed one.
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(self.text());
        self.bar = Some(bar);
    }
}

impl Follower for Waiting {
    fn message(&mut self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(line)),
            None => say(line),
        }
        // There is nothing to be seen of a derivation that waits for another one.
        self.stage = line
            .trim_start_matches(MESSAGE_PREFIX)
            .trim_end()
            .to_owned();
    }

    fn stage(&mut self, stage: &str) {
        self.stage = stage.to_owned();
        if let Some(bar) = &self.bar {
            bar.set_message(self.text());
        }
    }

    fn goes_on(&mut self) -> bool {
        match &self.bar {
            Some(bar) => bar.tick(),
            None if self.shown && self.begun.elapsed() >= PATIENCE => self.show(),
            None => {}
        }
        !interrupt::requested()
    }
}

/// A bar that says how far a motion is.
pub(super) struct Progress {
    _watch: Watch,
    shown: bool,
    steps: usize,
    begun: Clock,
    bar: Option<ProgressBar>,
}

/// Steps between two looks at the time.
const STEPS: usize = 256;
/// What a motion is divided into.
const PARTS: u64 = 1000;

impl Progress {
    /// A motion begins; Ctrl-C is noted until it is dropped.
    pub(super) fn new(shown: bool) -> Self {
        Self {
            _watch: interrupt::watch(),
            shown: shown && overwrites(),
            steps: 0,
            begun: Clock::start(),
            bar: None,
        }
    }

    /// Is told how much is done; says whether to go on.
    pub(super) fn at(&mut self, part: f64) -> bool {
        self.steps += 1;
        if self.shown && self.steps.is_multiple_of(STEPS) && self.begun.elapsed() >= PATIENCE {
            let bar = self.bar.get_or_insert_with(|| {
                let style = ProgressStyle::with_template("[{bar:40}] {percent:>3} %  {elapsed}");
                let bar = ProgressBar::new(PARTS).with_elapsed(self.begun.elapsed());
                bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position((part * PARTS as f64) as u64);
        }
        !interrupt::requested()
    }

    /// Clears the line.
    pub(super) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
