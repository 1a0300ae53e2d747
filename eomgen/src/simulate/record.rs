//! The rows of a motion: what is in which column, and in which unit.

use crate::ir::tape::Runner;
use crate::machine::{Machine, Mechanism, Named};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Time.
    Time,
    /// A coordinate.
    Coordinate,
    /// A speed of the state.
    Speed,
    /// A state of first order.
    State,
    /// An input.
    Input,
    /// What was asked for.
    Expression,
    /// An output of the model.
    Output,
    /// An energy, or work.
    Energy,
    /// The largest residual.
    Residual,
}

impl Kind {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Coordinate => "coordinate",
            Self::Speed => "speed",
            Self::State => "state",
            Self::Input => "input",
            Self::Expression => "expression",
            Self::Output => "output",
            Self::Energy => "energy",
            Self::Residual => "residual",
        }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// What it holds.
    pub kind: Kind,
}

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Its name.
    pub name: String,
    /// When.
    pub time: f64,
    /// The row of that moment.
    pub row: usize,
}

/// The rows of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// What the columns hold.
    pub columns: Vec<Column>,
    /// One list of numbers for each moment.
    pub rows: Vec<Vec<f64>>,
    /// Events.
    pub events: Vec<EventRow>,
    /// Positions and axes of the drawing for each row, if it is drawn.
    pub places: Vec<Vec<f64>>,
}

impl Record {
    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == name)
    }
}

fn column(named: &Named, kind: Kind) -> Column {
    Column {
        name: named.name.clone(),
        unit: named.unit.clone(),
        kind,
    }
}

/// The columns of a machine.
pub(super) fn columns(machine: &Machine) -> Vec<Column> {
    let time = Named {
        name: "t".into(),
        unit: Some("s".into()),
        docs: String::new(),
    };
    let mut list = vec![column(&time, Kind::Time)];
    list.extend(machine.coords.iter().map(|c| column(c, Kind::Coordinate)));
    let speeds = machine.independent.iter().map(|i| &machine.speeds[*i]);
    list.extend(speeds.map(|s| column(s, Kind::Speed)));
    list.extend(machine.states.iter().map(|s| column(s, Kind::State)));
    list.extend(machine.inputs.iter().map(|i| column(&i.named, Kind::Input)));
    list.extend(machine.watched.iter().map(|w| Column {
        name: w.text.clone(),
        unit: w.unit.clone(),
        kind: Kind::Expression,
    }));
    for (named, count) in &machine.outputs {
        let single = column(named, Kind::Output);
        if *count == 1 {
            list.push(single);
            continue;
        }
        for i in 0..*count {
            let axis = ["x", "y", "z"].get(i).copied().unwrap_or("");
            list.push(Column {
                name: format!("{}.{axis}", named.name),
                ..single.clone()
            });
        }
    }
    let energy = |name: &str| Column {
        name: name.into(),
        unit: Some("J".into()),
        kind: Kind::Energy,
    };
    list.push(energy("kinetic_energy"));
    if machine.balance.potential.is_some() {
        list.push(energy("potential_energy"));
        list.push(energy("energy"));
    }
    if !machine.rows.is_empty() {
        list.push(Column {
            name: "largest_residual".into(),
            unit: None,
            kind: Kind::Residual,
        });
    }
    list
}

/// Makes rows.
pub(super) struct Recorder<'m> {
    kinetic: Runner<'m>,
    potential: Option<Runner<'m>>,
    watch: Runner<'m>,
    residuals: Runner<'m>,
    places: Option<Runner<'m>>,
}

impl<'m> Recorder<'m> {
    pub fn new(mechanism: &Mechanism<'m>) -> Self {
        let machine = mechanism.machine;
        let potential = machine.balance.potential.as_ref();
        let drawn = !machine.scene.points.is_empty();
        Self {
            kinetic: mechanism.runner(&machine.balance.kinetic),
            potential: potential.map(|v| mechanism.runner(v)),
            watch: mechanism.runner(&machine.watch),
            residuals: mechanism.runner(&machine.residuals),
            places: drawn.then(|| mechanism.runner(&machine.scene.places)),
        }
    }

    /// Adds the row of a moment.
    pub fn add(&mut self, mechanism: &mut Mechanism<'m>, record: &mut Record, t: f64, x: &[f64]) {
        let machine = mechanism.machine;
        let _ = mechanism.set_inputs(t, x);
        let mut row = vec![t];
        row.extend_from_slice(x);
        row.extend_from_slice(mechanism.inputs());
        row.extend(values(
            mechanism,
            &mut self.watch,
            machine.watch.len(),
            t,
            x,
        ));
        let kinetic = values(mechanism, &mut self.kinetic, 1, t, x)[0];
        row.push(kinetic);
        if let Some(potential) = &mut self.potential {
            let potential = values(mechanism, potential, 1, t, x)[0];
            row.extend([potential, kinetic + potential]);
        }
        if !machine.rows.is_empty() {
            let residuals = values(
                mechanism,
                &mut self.residuals,
                machine.residuals.len(),
                t,
                x,
            );
            row.push(residuals.iter().fold(0.0, |m: f64, r| m.max(r.abs())));
        }
        record.rows.push(row);
        if let Some(places) = &mut self.places {
            let count = machine.scene.places.len();
            record.places.push(values(mechanism, places, count, t, x));
        }
    }
}

/// NaN where there is no value.
pub(super) fn values<'m>(
    mechanism: &mut Mechanism<'m>,
    runner: &mut Runner<'m>,
    count: usize,
    t: f64,
    x: &[f64],
) -> Vec<f64> {
    let mut values = vec![f64::NAN; count];
    let done = mechanism.run(runner, (t, x, &[]), &mut values);
    if done.is_err() {
        values.fill(f64::NAN);
    }
    values
}
