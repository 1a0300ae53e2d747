//! The loop of a motion: steps, rows, events, drift, audit.

use std::cell::RefCell;

use super::audit::{Audit, Auditor};
use super::drift::Drift;
use super::events::Watch;
use super::record::{EventRow, Record, Recorder, columns};
use super::solver::{Equations, Method, Stepped};
use super::start::{self, Chosen};
use super::stiffness::Stiffness;
use super::{Settings, Solver, Stabilize};
use crate::assemble::{Consistent, Unassembled};
use crate::machine::{Fault, Machine, Mechanism};

/// What came of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Where it started.
    pub start: Consistent,
    /// Parameters, in the machine's order.
    pub params: Vec<f64>,
    /// Its rows.
    pub record: Record,
    /// What was found along it.
    pub audit: Audit,
    /// What ended it before its time: an event by its name.
    pub ended_by: Option<String>,
    /// Why it ended before its time; what was computed until then is kept.
    pub failure: Option<Fault>,
}

/// Is told how far a motion is, and says whether to go on.
pub type Progress<'a> = dyn FnMut(f64) -> bool + 'a;

/// Accepted steps between two looks at the stiffness.
const LOOK: usize = 20;
/// How many tolerances the state may leave the constraints by before it is moved back.
const LEEWAY: f64 = 1.0;

/// Runs a motion from a state that is made consistent first.
///
/// # Errors
/// There is no consistent state.
pub fn run(
    machine: &Machine,
    chosen: &Chosen,
    settings: &Settings,
    progress: &mut Progress<'_>,
) -> Result<Run, Unassembled> {
    let mut mechanism = Mechanism::new(machine, chosen.params.clone());
    let start = start::consistent(&mut mechanism, chosen)?;
    let x = start::array(machine, &start);
    let t = start.start.time;
    let mut recorder = Recorder::new(&mechanism);
    let mut record = Record {
        columns: columns(machine),
        ..Record::default()
    };
    recorder.add(&mut mechanism, &mut record, t, &x);
    let mut drift = Drift::new(&mechanism);
    let mut auditor = Auditor::new(&mut mechanism, t, &x);
    auditor.residuals(&mut mechanism, &mut drift, t, &x);
    let watch = Watch::new(&mut mechanism, t, &x);
    let mut motion = Motion {
        mechanism,
        recorder,
        record,
        drift,
        auditor,
        watch,
        settings,
        begun: t,
        rows: 1,
        ended_by: None,
    };
    let failure = motion.go(t, x, progress).err();
    Ok(Run {
        start,
        params: chosen.params.clone(),
        record: motion.record,
        audit: motion.auditor.finish(&motion.mechanism),
        ended_by: motion.ended_by,
        failure,
    })
}

struct Motion<'m, 's> {
    mechanism: Mechanism<'m>,
    recorder: Recorder<'m>,
    record: Record,
    drift: Drift<'m>,
    auditor: Auditor<'m>,
    watch: Option<Watch<'m>>,
    settings: &'s Settings,
    begun: f64,
    /// Rows at whole steps so far.
    rows: usize,
    ended_by: Option<String>,
}

impl Motion<'_, '_> {
    fn go(&mut self, t: f64, x: Vec<f64>, progress: &mut Progress<'_>) -> Result<(), Fault> {
        let machine = self.mechanism.machine;
        let mut rate = vec![0.0; x.len()];
        self.mechanism.derivative(t, &x, &mut rate)?;
        if let Some(event) = self.watch.as_ref().and_then(|w| w.past(&self.mechanism)) {
            let name = &machine.events[event].name;
            let what = format!("{name} holds at the start already");
            return Err(Fault { what, time: t });
        }
        if x.is_empty() {
            return Err(Fault {
                what: "the state is empty: nothing moves".into(),
                time: t,
            });
        }
        // The integrator has an evaluator of its own.
        let params = self.mechanism.params.clone();
        let own = RefCell::new((Mechanism::new(machine, params), Drift::new(&self.mechanism)));
        let evaluations = RefCell::new(0usize);
        let stabilize = self.settings.stabilize;
        let mut rate = |t: f64, x: &[f64], rate: &mut [f64]| {
            *evaluations.borrow_mut() += 1;
            let (mechanism, drift) = &mut *own.borrow_mut();
            mechanism.derivative(t, x, rate)?;
            if let Stabilize::Baumgarte(a, b) = stabilize {
                pull_back(mechanism, drift, (t, x), (a, b), rate);
            }
            Ok(())
        };
        let mut second = {
            let params = self.mechanism.params.clone();
            let mut mechanism = Mechanism::new(machine, params);
            move |t: f64, x: &[f64], rate: &mut [f64]| mechanism.derivative(t, x, rate)
        };
        let equations = Equations::new(&mut rate);
        let done = self.steps(&equations, &mut second, (t, x), progress);
        self.auditor.audit.evaluations = *evaluations.borrow();
        done
    }

    fn method(&self, explicit: bool) -> Method {
        if explicit {
            Method::explicit(self.settings)
        } else {
            Method::implicit(self.settings)
        }
    }

    fn steps(
        &mut self,
        equations: &Equations<'_>,
        rate: &mut super::stiffness::Rate<'_>,
        (t, x): (f64, Vec<f64>),
        progress: &mut Progress<'_>,
    ) -> Result<(), Fault> {
        let end = t + self.settings.duration;
        let auto = self.settings.solver == Solver::Auto;
        let mut method = self.method(self.settings.solver != Solver::Implicit);
        let mut stiffness = Stiffness::default();
        self.begin(&mut method, equations, (t, end), &x, 0.0)?;
        let mut tried = 0;
        // The last step ends at the end, but for rounding.
        let is_before = |t: f64| end - t > 4.0 * f64::EPSILON * end.abs().max(t.abs());
        while is_before(method.t()) {
            if tried >= self.settings.most_steps {
                return Err(stopped(
                    method.t(),
                    format!("{tried} steps were not enough"),
                ));
            }
            tried += 1;
            let h = method.h();
            match method.step(equations, end) {
                Stepped::Rejected => {
                    self.auditor.audit.rejected += 1;
                    if method.h() < 1e-14 * method.t().abs().max(1e-3) {
                        return Err(stuck(equations, &method));
                    }
                    continue;
                }
                Stepped::Stiff if auto => {
                    let (t, x) = (method.t(), method.y().to_vec());
                    method = self.method(false);
                    self.begin(&mut method, equations, (t, end), &x, 0.0)?;
                    continue;
                }
                Stepped::Stiff => {
                    let what = "the motion is too stiff for the explicit method; use --solver implicit or auto";
                    return Err(stopped(method.t(), what.into()));
                }
                Stepped::Stuck => return Err(stuck(equations, &method)),
                Stepped::Accepted => {}
            }
            if !method.y().iter().all(|x| x.is_finite()) {
                return Err(stuck(equations, &method));
            }
            if self.accepted(&mut method) {
                return Ok(());
            }
            self.back_to_constraints(&mut method, equations, end)?;
            let steps = self.auditor.audit.steps;
            // At the end there is nothing that another method could begin with.
            if auto && steps.is_multiple_of(LOOK) && is_before(method.t()) {
                let (t, x) = (method.t(), method.y().to_vec());
                if stiffness.changes(rate, t, &x, h, method.is_explicit()) {
                    method = self.method(!method.is_explicit());
                    self.begin(&mut method, equations, (t, end), &x, h)?;
                }
            }
            if !progress((method.t() - self.begun) / self.settings.duration) {
                return Err(stopped(method.t(), "interrupted".into()));
            }
        }
        Ok(())
    }

    fn begin(
        &self,
        method: &mut Method,
        equations: &Equations<'_>,
        (t, end): (f64, f64),
        x: &[f64],
        h: f64,
    ) -> Result<(), Fault> {
        let h = h.min(end - t);
        if end - t > 0.0 && !method.begin(equations, (t, end), x, h) {
            let fault = equations.fault();
            return Err(fault.unwrap_or_else(|| stopped(t, "the integrator cannot begin".into())));
        }
        Ok(())
    }

    /// Rows, events and audit of a step; whether an event ends the motion.
    fn accepted(&mut self, method: &mut Method) -> bool {
        let (from, mut to) = (method.t_before(), method.t());
        let explicit = method.is_explicit();
        self.auditor.audit.implicit_steps += usize::from(!explicit);
        let mut within = |t: f64| method.within(t);
        let mut passages = Vec::new();
        if let Some(watch) = &mut self.watch {
            passages = watch.passages(&mut self.mechanism, (from, to), &mut within);
        }
        let events = &self.mechanism.machine.events;
        let ending = passages.iter().position(|p| events[p.event].ends);
        if let Some(ending) = ending {
            passages.truncate(ending + 1);
            to = passages[ending].time;
        }
        self.rows_until(to, &mut within, &passages);
        self.auditor
            .step(&mut self.mechanism, self.settings, (from, to), &mut within);
        if let Some(ending) = ending {
            self.ended_by = Some(events[passages[ending].event].name.clone());
        }
        ending.is_some()
    }

    /// The rows of a step, events among them.
    fn rows_until(
        &mut self,
        to: f64,
        within: &mut dyn FnMut(f64) -> Vec<f64>,
        passages: &[super::events::Passage],
    ) {
        let mut passages = passages.iter().peekable();
        loop {
            let next = self.begun + self.rows as f64 * self.settings.step;
            // The last row is at the end, whatever rounding makes of it.
            let late = next > to + 1e-9 * self.settings.step;
            let until = if late { to } else { next.min(to) };
            while let Some(passage) = passages.next_if(|p| p.time <= until) {
                self.row(passage.time, within);
                self.record.events.push(EventRow {
                    name: self.mechanism.machine.events[passage.event].name.clone(),
                    time: passage.time,
                    row: self.record.rows.len() - 1,
                });
            }
            if late {
                break;
            }
            self.row(until, within);
            self.rows += 1;
        }
    }

    fn row(&mut self, t: f64, within: &mut dyn FnMut(f64) -> Vec<f64>) {
        let mut x = within(t);
        if self.settings.stabilize == Stabilize::Projection {
            let allowed = self.allowed(&x);
            self.drift.project(&mut self.mechanism, t, &mut x, allowed);
        }
        let (mechanism, record) = (&mut self.mechanism, &mut self.record);
        self.recorder.add(mechanism, record, t, &x);
    }

    fn allowed(&self, x: &[f64]) -> f64 {
        let size = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        LEEWAY * (self.settings.atol + self.settings.rtol * size.min(1.0))
    }

    fn back_to_constraints(
        &mut self,
        method: &mut Method,
        equations: &Equations<'_>,
        end: f64,
    ) -> Result<(), Fault> {
        let t = method.t();
        let mut x = method.y().to_vec();
        if self.settings.stabilize == Stabilize::Projection {
            let allowed = self.allowed(&x);
            if self.drift.project(&mut self.mechanism, t, &mut x, allowed) {
                self.auditor.audit.projected += 1;
                let h = method.h();
                self.begin(method, equations, (t, end), &x, h)?;
            }
        }
        let (mechanism, drift) = (&mut self.mechanism, &mut self.drift);
        self.auditor.residuals(mechanism, drift, t, &x);
        Ok(())
    }
}

fn stopped(time: f64, what: String) -> Fault {
    Fault { what, time }
}

fn stuck(equations: &Equations<'_>, method: &Method) -> Fault {
    let fault = equations.fault();
    fault.unwrap_or_else(|| {
        let what = "the integrator's steps became too short".into();
        stopped(method.t(), what)
    })
}

/// Adds to a rate what pulls positions and velocities back to the constraints.
fn pull_back<'m>(
    mechanism: &mut Mechanism<'m>,
    drift: &mut Drift<'m>,
    (t, x): (f64, &[f64]),
    (a, b): (f64, f64),
    rate: &mut [f64],
) {
    let Some(nearer) = drift.step(mechanism, t, x) else {
        return;
    };
    let n = mechanism.machine.coords.len();
    for i in 0..x.len() {
        let by = if i < n { a } else { b };
        rate[i] += by * (nearer[i] - x[i]);
    }
}
