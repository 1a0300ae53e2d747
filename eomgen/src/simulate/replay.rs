//! A motion that was computed before: its states with all columns made anew.

use super::record::{Record, Recorder, columns};
use super::text::Replay;
use crate::machine::{Machine, Mechanism};

/// The rows of states that were read back.
pub fn replay(machine: &Machine, params: Vec<f64>, read: &Replay) -> Record {
    let mut mechanism = Mechanism::new(machine, params);
    let mut recorder = Recorder::new(&mechanism);
    let mut record = Record {
        columns: columns(machine),
        events: read.events.clone(),
        ..Record::default()
    };
    for (t, x) in read.times.iter().zip(&read.states) {
        recorder.add(&mut mechanism, &mut record, *t, x);
    }
    record
}
