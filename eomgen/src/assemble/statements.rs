//! The systems in the rates alone: the mass matrix by itself, and bordered by the constraints.

use super::Work;
use crate::catalogue;
use crate::form::Equations;
use crate::ir::Value;
use crate::solve::{SymmetricSystem, Unknown, UnknownKind};
use crate::sym::Expr;

/// Up to this many coordinates the bordered mass matrix is tried unasked.
const BORDERED: usize = 12;

impl Work<'_> {
    /// `M q'' - A^T lambda = F`, `A q'' = b` for a few coordinates.
    pub(super) fn bordered(&mut self, rows: &[(Vec<Value>, Value)]) -> Option<SymmetricSystem> {
        if self.c.system.coords.len() > BORDERED && self.aims.plan != catalogue::Plan::Bordered {
            return None;
        }
        let e = self.full_equations()?;
        let unknown = |name: String, kind| Unknown {
            name,
            kind,
            depth: 0,
        };
        let coords = self.c.system.coords.iter();
        let mut unknowns: Vec<Unknown> = coords
            .map(|q| unknown(format!("{}''", q.meta.name), UnknownKind::Rate))
            .collect();
        let n = unknowns.len();
        let lambdas = (0..rows.len()).map(|i| format!("lambda_{i}"));
        unknowns.extend(lambdas.map(|name| unknown(name, UnknownKind::Reaction)));
        let mut system = SymmetricSystem::new(unknowns);
        system.definite = true;
        for i in 0..n {
            for j in i..n {
                if !e.mass[i][j].is_literal_zero() {
                    let v = self.low.lower(&self.c.alg, &e.mass[i][j]);
                    system.set(i, j, v);
                }
            }
            let f = self.low.lower(&self.c.alg, &e.forcing[i]);
            system.set_rhs(0, i, f);
        }
        for (i, (row, rhs)) in rows.iter().enumerate() {
            for (k, value) in row.iter().enumerate() {
                if !self.low.graph.is_zero(*value) {
                    system.set(k, n + i, *value);
                }
            }
            system.set_rhs(0, n + i, *rhs);
        }
        Some(system)
    }

    /// `M s' = f`, as the formulation states it.
    pub(super) fn reduced_system(&mut self, e: &Equations, forcing: &[Expr]) -> SymmetricSystem {
        let motion = self.c.kinematics(e.space).motion.clone();
        let unknowns = motion
            .speed_dots
            .iter()
            .enumerate()
            .map(|(i, v)| Unknown {
                name: self.c.alg.info(*v).name.clone(),
                kind: UnknownKind::Rate,
                depth: i as u32,
            })
            .collect();
        let mut system = SymmetricSystem::new(unknowns);
        for i in 0..e.mass.len() {
            for j in i..e.mass.len() {
                if !e.mass[i][j].is_literal_zero() {
                    let v = self.low.lower(&self.c.alg, &e.mass[i][j]);
                    system.set(i, j, v);
                }
            }
            let f = self.low.lower(&self.c.alg, &forcing[i]);
            system.set_rhs(0, i, f);
        }
        system
    }
}
