//! The forces that constraints apply at points, and the torques on frames: a row's multiplier times the change of the row where the
//! point, or the frame, alone moves.

use super::instant::{ConstraintForce, Instant};
use super::vector::Vec3;
use super::{Level, Machine, half};
use crate::model::system::{FrameId, PointId, Site};
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::number::{Algebra, EvalError, Number};
use crate::verify::series::Series;
use std::array::from_fn;

impl Machine<'_> {
    /// What each row applies everywhere, if the model mentions reactions.
    pub(super) fn constraint_forces<N: Number>(
        &self,
        state: &State<N>,
        accelerations: &[N],
        multipliers: &[N],
    ) -> Result<Vec<ConstraintForce<N>>, EvalError> {
        if !self.system.constraints.iter().any(|c| c.reaction) {
            return Ok(Vec::new());
        }
        let points = (0..self.system.points.len()).map(|p| Site::Point(PointId(p as u32)));
        let frames = (0..self.system.frames.len()).map(|f| Site::Frame(FrameId(f as u32)));
        let sites: Vec<Site> = points.chain(frames).collect();
        let count = 3 * sites.len();
        let mut motion = self
            .motion(state, Some(accelerations))
            .map(|x| Dual::fixed(x.clone()));
        let shift = |(k, site): (usize, &Site)| {
            let distance = from_fn(|i| {
                let own = Dual::variable(N::int(0), 3 * k + i, count);
                Series(vec![Dual::int(0), Dual::int(0), half(&own)])
            });
            (*site, distance)
        };
        motion.shifts = sites.iter().enumerate().map(shift).collect();
        let rows = self.rows_up_to(&self.instant(motion)?, Level::Acceleration)?;
        let all = self.rows.iter().zip(rows).zip(multipliers);
        Ok(all
            .map(|((row, r), l)| ConstraintForce {
                constraint: row.constraint,
                component: row.component,
                sites: (0..sites.len())
                    .map(|k| from_fn(|i| l.mul(&r.along(3 * k + i))))
                    .collect(),
            })
            .collect())
    }
}

impl<E: Number> Instant<'_, E> {
    /// What a constraint, or one component of it, applies at a site.
    pub(super) fn constraint_force(
        &self,
        constraint: usize,
        component: Option<usize>,
        site: Site,
    ) -> Result<Vec3<E>, EvalError> {
        if self.motion.constraint_forces.is_empty() {
            return EvalError::unsupported("a reaction that is not known here");
        }
        let place = match site {
            Site::Point(p) => p.index(),
            Site::Frame(f) => self.system.points.len() + f.index(),
        };
        let mut sum: [E; 3] = from_fn(|_| E::int(0));
        for pull in &self.motion.constraint_forces {
            if pull.constraint == constraint && component.is_none_or(|c| c == pull.component) {
                let own = pull.sites.get(place);
                sum = from_fn(|i| own.map_or_else(|| sum[i].clone(), |v| sum[i].add(&v[i])));
            }
        }
        Ok(sum.map(|x| Series(vec![x])))
    }
}
