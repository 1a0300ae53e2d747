//! The finished system: parts put together, inferred units written down.

use super::{Builder, meta};
use crate::model::resolve::Resolver;
use crate::model::system::{Constraint, Let, Meta, Output, Scalar, Speed, System};
use crate::model::units::{Dim, DimExpr};
use crate::syntax::ast::{ItemKind, SourceFile};

impl Builder<'_> {
    /// Puts the finished system together; `None` if a part is missing, which is reported by then.
    pub(super) fn system(mut self, file: &SourceFile) -> Option<System> {
        let name = file.items.iter().find_map(|item| match &item.kind {
            ItemKind::Model(name) => Some(name.text.clone()),
            _ => None,
        });
        let lets = self.lets()?;
        let speeds = self.speeds()?;
        self.infer_units();
        let states = self.finished_states()?;
        let functions = std::mem::take(&mut self.functions);
        let functions = functions.into_iter().collect::<Option<_>>()?;
        let constraints = self.named_constraints();
        let outputs = std::mem::take(&mut self.outputs);
        let outputs = outputs.into_iter().map(|(output, dim)| Output {
            meta: self.with_unit(output.meta, &dim),
            value: output.value,
        });
        let outputs = outputs.collect();
        Some(System {
            name: name.unwrap_or_else(|| "model".to_string()),
            docs: file.docs.clone(),
            params: self.params,
            coords: self.coords,
            states,
            inputs: self.inputs,
            functions,
            lets,
            frames: self.frames,
            points: self.scope.system_points.take().unwrap_or_default(),
            bodies: self.bodies,
            gravity: self.gravity.map(|(vector, _)| vector),
            loads: self.loads,
            nonideal: self.nonideal,
            energies: self.energies,
            speeds,
            constraints,
            joints: self.joints,
            privileged: self.privileged,
            assumptions: self.assumptions,
            outputs,
            events: self.events,
            drawings: self.drawings,
            fixed: vec![],
            copies: Default::default(),
        })
    }

    fn lets(&self) -> Option<Vec<Let>> {
        let lets = std::iter::zip(&self.declared.lets, &self.scope.lets);
        let lets = lets.map(|(decl, typed)| {
            let typed = typed.as_ref()?;
            let meta = self.with_unit(meta(decl.name, decl.item), &typed.dim);
            let value = typed.value.clone();
            Some(Let { meta, value })
        });
        lets.collect()
    }

    fn speeds(&self) -> Option<Vec<Speed>> {
        let speeds = std::iter::zip(&self.declared.speeds, &self.scope.speeds);
        let speeds = speeds.enumerate().map(|(i, (decl, typed))| {
            let typed = typed.as_ref()?;
            let mut meta = self.with_unit(meta(decl.name, decl.item), &typed.dim);
            // `theta'` is in rad/s rather than 1/s.
            if let Scalar::Rate(of) = &typed.value
                && let Scalar::Coord(id) = **of
                && self.coords[id.index()].meta.unit.as_deref() == Some("rad")
            {
                meta.unit = Some("rad/s".to_string());
            }
            let value = typed.value.clone();
            let initial = self.starts.of_speed(i);
            Some(Speed {
                meta,
                value,
                initial,
            })
        });
        speeds.collect()
    }

    /// Units that the model does not state, where they follow.
    fn infer_units(&mut self) {
        let functions = self
            .functions
            .iter_mut()
            .map(|f| f.as_mut().map(|f| &mut f.meta));
        let metas = (self.params.iter_mut().map(|p| Some(&mut p.meta)))
            .chain(self.coords.iter_mut().map(|c| Some(&mut c.meta)))
            .chain(self.states.iter_mut().map(|s| Some(&mut s.meta)))
            .chain(self.inputs.iter_mut().map(|i| Some(&mut i.meta)))
            .chain(functions);
        let scope = &self.scope;
        let dims = (scope.params.iter().chain(&scope.coords))
            .chain(&scope.states)
            .chain(&scope.inputs);
        for (meta, dim) in metas.zip(dims.chain(&scope.functions)) {
            if let Some(meta) = meta
                && meta.unit.is_none()
            {
                meta.unit = known_unit(scope, dim);
            }
        }
    }

    /// In the order of declaration, whatever the order of need was; then those of quaternions.
    fn named_constraints(&mut self) -> Vec<Constraint> {
        let mut constraints = std::mem::take(&mut self.constraints);
        if self.early {
            constraints.sort_by_key(|(index, ..)| *index);
        }
        let named = constraints
            .into_iter()
            .map(|(index, constraint, dim)| Constraint {
                reaction: self.mentioned(index),
                meta: self.with_unit(constraint.meta, &dim),
                relation: constraint.relation,
                implied: constraint.implied,
            });
        named.collect()
    }

    /// Whether the reaction of a constraint is mentioned.
    fn mentioned(&self, index: usize) -> bool {
        let facts = self.scope.constraints.get(index).and_then(Option::as_ref);
        facts.is_some_and(|f| f.mentioned)
    }

    fn with_unit(&self, meta: Meta, dim: &DimExpr) -> Meta {
        Meta {
            unit: known_unit(&self.scope, dim),
            ..meta
        }
    }
}

/// An inferred unit in base units; `None` if it is unknown or units do not fit together.
fn known_unit(scope: &Resolver, dim: &DimExpr) -> Option<String> {
    if scope.muted {
        return None;
    }
    scope.solver.known(dim).as_ref().map(Dim::base_text)
}
