//! Forces of constraint at points and between them, by displacing one mention at a time.

use super::{Instant, Oracle, Residual, State};
use crate::gauss::{Jet, Vec3};
use eomgen::internals::model::system::{EnergyKind, LoadKind, Site};

impl Oracle {
    /// Rows and states for a change of what expressions mention at the end of a motion.
    fn displaced<'a>(&'a self, end: &Instant<'a>, site: Site, axis: usize) -> Instant<'a> {
        let mut step = [Jet::constant(0.0); 3];
        step[axis] = Jet::new(0.0, 0.0, 1.0);
        Instant {
            oracle: self,
            t: end.t,
            q: end.q.clone(),
            inputs: end.inputs,
            reactions: end.reactions.clone(),
            joints: end.joints.clone(),
            released: None,
            moved: Some((site, step)),
            bound: Vec::new(),
        }
    }

    /// The force of a constraint at a point, or its torque on a frame: its multipliers times the change of its rows when nothing but
    /// the mention of that point or frame is displaced.
    pub fn reaction_on(
        &self,
        end: &Instant<'_>,
        constraint: usize,
        axis: Option<usize>,
        site: Site,
    ) -> Vec3 {
        let state = State {
            t: end.t.value,
            q: end.q.iter().map(|q| q.value).collect(),
            qd: end.q.iter().map(|q| q.rate).collect(),
            inputs: end.inputs.to_vec(),
        };
        let levels = self.levels(&state);
        let still = self.residuals(end);
        std::array::from_fn(|i| {
            let moved = self.residuals(&self.displaced(end, site, i));
            let mut sum = 0.0;
            for ((a, b), level) in still.iter().zip(moved).zip(&levels) {
                let (c, k) = a.source;
                if c != constraint || axis.is_some_and(|axis| axis != k) {
                    continue;
                }
                let pick = |r: &Residual| [r.value.second, r.value.rate, r.value.value][*level];
                sum += end.reactions[c][k] * (pick(&b) - pick(a));
            }
            Jet::constant(sum)
        })
    }

    /// A declared force between two points, by the balance of the particle or body centre at the first one: what its inertia along the line
    /// lacks when loads and stated constraints have done their part. Right where nothing else holds it along that line.
    pub(super) fn pair(&self, j: usize, end: &Instant<'_>) -> f64 {
        let joint = &self.system.joints[j];
        let Site::Point(at) = joint.site else {
            return f64::NAN;
        };
        let d = end.vector(&joint.direction).map(|c| c.value);
        let length = d.iter().map(|c| c * c).sum::<f64>().sqrt();
        let along = |v: &Vec3| (0..3).map(|i| v[i].value * d[i] / length).sum::<f64>();
        let gravity = self.gravity(end);
        let place = end.place(at);
        let mut sum = 0.0;
        for b in self.system.bodies.iter().filter(|b| b.center == at) {
            let m = end.scalar(&b.mass).value;
            let lacks = std::array::from_fn(|i| Jet::constant(m * (place[i].second - gravity[i])));
            sum += along(&lacks);
        }
        for load in self.system.loads.iter().chain(&self.system.nonideal) {
            if let LoadKind::Force { point, vector } = &load.kind
                && *point == at
            {
                sum -= along(&end.vector(vector));
            }
        }
        for c in 0..self.system.constraints.len() {
            sum -= along(&self.reaction_on(end, c, None, joint.site));
        }
        for e in &self.system.energies {
            let still = end.scalar(&e.value);
            let pull = std::array::from_fn(|i| {
                let moved = self.displaced(end, joint.site, i).scalar(&e.value);
                Jet::constant(match e.kind {
                    EnergyKind::Potential => still.second - moved.second,
                    EnergyKind::Dissipation => still.rate - moved.rate,
                    EnergyKind::Kinetic => f64::NAN,
                })
            });
            sum -= along(&pull);
        }
        sum
    }
}
