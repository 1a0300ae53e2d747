//! Forces at points, torques on frames and generalized forces, side by side. Knows nothing of bodies and of how a force is transmitted.

use super::kinematics::Kinematics;
use super::mixed::Mixed;
use super::{Fault, vec3};
use crate::model::system::{Carrier, FrameId, PointId, Site};
use crate::sym::{Algebra, Expr};
use std::collections::BTreeMap;

/// Forces at points, torques on frames, and generalized forces on coordinates that are named as such.
#[derive(Clone, Debug, Default)]
pub struct Wrench {
    /// Forces by point.
    pub forces: BTreeMap<PointId, Mixed>,
    /// Torques by frame.
    pub torques: BTreeMap<FrameId, Mixed>,
    /// Generalized forces by coordinate.
    pub generalized: BTreeMap<usize, Expr>,
}

impl Wrench {
    /// Adds a force at a point.
    pub fn push_force(&mut self, p: PointId, force: &Mixed) {
        self.forces.entry(p).or_default().add(force);
    }

    /// Adds a torque on a frame.
    pub fn push_torque(&mut self, f: FrameId, torque: &Mixed) {
        self.torques.entry(f).or_default().add(torque);
    }

    /// Adds a force at a point or a torque on a frame.
    pub fn push(&mut self, site: Site, v: &Mixed) {
        match site {
            Site::Point(p) => self.push_force(p, v),
            Site::Frame(f) => self.push_torque(f, v),
        }
    }

    /// Adds a force at a point or a torque on a frame, or, where it is said on which body a force acts, the same force at the body's centre
    /// with its moment about this as a torque.
    pub fn push_on(
        &mut self,
        alg: &mut Algebra,
        k: &Kinematics,
        (site, carrier): (Site, Option<Carrier>),
        v: &Mixed,
    ) -> Result<(), Fault> {
        let (Site::Point(at), Some(Carrier { frame, center })) = (site, carrier) else {
            self.push(site, v);
            return Ok(());
        };
        let arm = k.arm(center, at)?;
        let arm = k.components(alg, &arm, frame, "arm");
        let force = k.components(alg, v, frame, "part");
        self.push_force(center, v);
        self.push_torque(frame, &Mixed::single(frame, vec3::cross(&arm, &force)));
        Ok(())
    }

    /// The forces, then the torques, with where they act.
    pub fn acting(&self) -> impl Iterator<Item = (Site, &Mixed)> {
        let forces = self.forces.iter().map(|(p, v)| (Site::Point(*p), v));
        let torques = self.torques.iter().map(|(f, v)| (Site::Frame(*f), v));
        forces.chain(torques)
    }

    /// Adds another one.
    pub fn add(&mut self, other: &Wrench) {
        for (site, v) in other.acting() {
            self.push(site, v);
        }
        for (c, g) in &other.generalized {
            self.push_generalized(*c, g);
        }
    }

    /// Adds a generalized force on a coordinate.
    pub fn push_generalized(&mut self, c: usize, value: &Expr) {
        let sum = self.generalized.entry(c).or_insert_with(Expr::zero);
        *sum = &*sum + value;
    }

    /// What acts on a site.
    pub fn on(&self, site: Site) -> Option<&Mixed> {
        match site {
            Site::Point(p) => self.forces.get(&p),
            Site::Frame(f) => self.torques.get(&f),
        }
    }

    /// Leaves out what is identically zero.
    pub fn prune(&mut self, alg: &Algebra) {
        let zero = |m: &Mixed| m.parts.values().flatten().all(|e| alg.is_zero(e));
        self.forces.retain(|_, m| !zero(m));
        self.torques.retain(|_, m| !zero(m));
        self.generalized.retain(|_, e| !alg.is_zero(e));
    }

    /// Generalized forces conjugate to the speeds of the kinematics, those on named coordinates included.
    pub fn generalized_forces(&self, alg: &mut Algebra, k: &Kinematics) -> Vec<Expr> {
        let mut q = vec![Expr::zero(); k.motion.speeds.len()];
        for (site, v) in self.acting() {
            let (frame, partials) = k.partials(alg, site);
            partials.project(&k.components(alg, v, frame, "part"), &mut q);
        }
        for (c, value) in &self.generalized {
            k.motion.rates[*c].project(value, &mut q);
        }
        q
    }
}
