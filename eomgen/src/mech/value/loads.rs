//! Generalized forces of loads.

use super::{Evaluator, Values};
use crate::diag;
use crate::mech::Fault;
use crate::mech::kinematics::Kinematics;
use crate::model::system::{Load, LoadKind, Site, Vector};
use crate::sym::{Algebra, Expr};

impl Values<'_> {
    /// Generalized active forces conjugate to the speeds of the motion, of a list of loads.
    pub fn generalized_forces(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        loads: &[Load],
    ) -> diag::Result<Vec<Expr>> {
        let mut q = vec![Expr::zero(); k.motion.speeds.len()];
        let mut errors = Vec::new();
        for load in loads {
            let done = self.with(alg, k).load(&load.kind, &mut q);
            errors.extend(done.err().map(|fault| fault.at(load.span)));
        }
        diag::unless_wrong(q, errors)
    }
}

impl Evaluator<'_, '_> {
    fn load(&mut self, load: &LoadKind, q: &mut [Expr]) -> Result<(), Fault> {
        match load {
            LoadKind::Force { point, vector } => {
                self.acting(Site::Point(*point), vector, "force", q)
            }
            LoadKind::Torque { frame, vector } => {
                self.acting(Site::Frame(*frame), vector, "torque", q)
            }
            LoadKind::Generalized { coord, value } => {
                let v = self.scalar(value)?;
                self.free_of_accelerations(&v)?;
                self.k.motion.rates[coord.index()].project(&v, q);
                Ok(())
            }
        }
    }

    fn acting(
        &mut self,
        site: Site,
        vector: &Vector,
        name: &str,
        q: &mut [Expr],
    ) -> Result<(), Fault> {
        let v = self.vector(vector)?;
        let (frame, partials) = self.k.partials(self.alg, site);
        let v = self.k.components(self.alg, &v, frame, name);
        v.iter().try_for_each(|e| self.free_of_accelerations(e))?;
        partials.project(&v, q);
        Ok(())
    }

    fn free_of_accelerations(&self, e: &Expr) -> Result<(), Fault> {
        let dots = &self.k.motion.speed_dots;
        if self.alg.depends(e, &|v| dots.contains(&v)) {
            return Err(Fault::new(
                "E0117",
                "a load depends on accelerations",
                "this load contains an acceleration",
                "loads may depend on positions, velocities, time and inputs; eomgen adds the inertia forces itself",
            ));
        }
        Ok(())
    }
}
