//! Where expressions pass through 0 within a step.

use crate::ir::tape::Runner;
use crate::machine::{Direction, Mechanism};

/// An event that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passage {
    pub event: usize,
    pub time: f64,
}

/// Looks for events.
pub(super) struct Watch<'m> {
    runner: Runner<'m>,
    /// The values at the end of the last step.
    last: Vec<f64>,
}

/// A step is looked at in so many pieces.
const PIECES: usize = 8;

impl<'m> Watch<'m> {
    /// From a state on; `None` if there are no events.
    pub fn new(mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> Option<Self> {
        let machine = mechanism.machine;
        if machine.events.is_empty() {
            return None;
        }
        let mut watch = Self {
            runner: mechanism.runner(&machine.event_values),
            last: Vec::new(),
        };
        watch.last = watch.values(mechanism, t, x);
        Some(watch)
    }

    fn values(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> Vec<f64> {
        let mut values = vec![f64::NAN; mechanism.machine.event_values.len()];
        let _ = mechanism.set_inputs(t, x);
        let _ = mechanism.run(&mut self.runner, (t, x, &[]), &mut values);
        values
    }

    /// Events that hold at the start: those that end the motion and are past their passage already.
    pub fn past(&self, mechanism: &Mechanism<'m>) -> Option<usize> {
        let events = mechanism.machine.events.iter().zip(&self.last).enumerate();
        let mut past = events.filter(|(_, (event, value))| {
            event.ends
                && match event.direction {
                    Direction::Rising => **value > 0.0,
                    Direction::Falling => **value < 0.0,
                    Direction::Both => false,
                }
        });
        past.next().map(|(i, _)| i)
    }

    /// The passages within the last step, in order of time. `within` is the state in it.
    pub fn passages(
        &mut self,
        mechanism: &mut Mechanism<'m>,
        (from, to): (f64, f64),
        within: &mut dyn FnMut(f64) -> Vec<f64>,
    ) -> Vec<Passage> {
        let mut found = Vec::new();
        let mut before = (from, std::mem::take(&mut self.last));
        for piece in 1..=PIECES {
            let t = if piece == PIECES {
                to
            } else {
                from + (to - from) * piece as f64 / PIECES as f64
            };
            let after = self.values(mechanism, t, &within(t));
            for event in 0..after.len() {
                let (a, b) = (before.1[event], after[event]);
                if passes(mechanism.machine.events[event].direction, a, b) {
                    let time = self.locate(mechanism, event, (before.0, a), (t, b), within);
                    found.push(Passage { event, time });
                }
            }
            before = (t, after);
        }
        self.last = before.1;
        found.sort_by(|a, b| a.time.total_cmp(&b.time));
        found
    }

    /// Regula falsi with halving (Illinois), to the last digits of the time.
    fn locate(
        &mut self,
        mechanism: &mut Mechanism<'m>,
        event: usize,
        (mut a, mut fa): (f64, f64),
        (mut b, mut fb): (f64, f64),
        within: &mut dyn FnMut(f64) -> Vec<f64>,
    ) -> f64 {
        for _ in 0..100 {
            if fb == 0.0 || (b - a).abs() <= 4.0 * f64::EPSILON * b.abs().max(1e-3) {
                break;
            }
            let mut t = b - fb * (b - a) / (fb - fa);
            if !(t > a.min(b) && t < a.max(b)) {
                t = 0.5 * (a + b);
            }
            let x = within(t);
            let f = self.values(mechanism, t, &x)[event];
            if f.signum() == fb.signum() {
                fa *= 0.5;
            } else {
                (a, fa) = (b, fb);
            }
            (b, fb) = (t, f);
        }
        b
    }
}

fn passes(direction: Direction, a: f64, b: f64) -> bool {
    let rising = a <= 0.0 && b > 0.0 && a != b;
    let falling = a >= 0.0 && b < 0.0 && a != b;
    match direction {
        Direction::Rising => rising,
        Direction::Falling => falling,
        Direction::Both => rising || falling,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_have_directions() {
        assert!(passes(Direction::Rising, -1.0, 1.0) && !passes(Direction::Falling, -1.0, 1.0));
        assert!(passes(Direction::Falling, 1.0, -1.0) && passes(Direction::Both, 1.0, -1.0));
        assert!(!passes(Direction::Both, 1.0, 2.0) && !passes(Direction::Both, f64::NAN, 1.0));
    }
}
