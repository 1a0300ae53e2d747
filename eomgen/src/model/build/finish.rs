//! The finished system: parts put together, inferred units written down.

use super::{Builder, meta};
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
        let mut lets = Vec::new();
        for (i, decl) in self.declared.lets.iter().enumerate() {
            let typed = self.scope.lets.get(i)?.as_ref()?;
            let meta = self.with_unit(meta(decl.name, decl.item), &typed.dim);
            lets.push(Let {
                meta,
                value: typed.value.clone(),
            });
        }
        let mut speeds = Vec::new();
        for (i, decl) in self.declared.speeds.iter().enumerate() {
            let typed = self.scope.speeds.get(i)?.as_ref()?;
            let mut meta = self.with_unit(meta(decl.name, decl.item), &typed.dim);
            // `theta'` is in rad/s rather than 1/s.
            if let Scalar::Rate(of) = &typed.value
                && let Scalar::Coord(id) = **of
                && self.coords[id.index()].meta.unit.as_deref() == Some("rad")
            {
                meta.unit = Some("rad/s".to_string());
            }
            speeds.push(Speed {
                meta,
                value: typed.value.clone(),
            });
        }
        for i in 0..self.params.len() {
            let unit = self.known_unit(&self.scope.params[i]);
            let meta = &mut self.params[i].meta;
            meta.unit = meta.unit.take().or(unit);
        }
        for i in 0..self.coords.len() {
            let unit = self.known_unit(&self.scope.coords[i]);
            let meta = &mut self.coords[i].meta;
            meta.unit = meta.unit.take().or(unit);
        }
        for i in 0..self.inputs.len() {
            let unit = self.known_unit(&self.scope.inputs[i]);
            let meta = &mut self.inputs[i].meta;
            meta.unit = meta.unit.take().or(unit);
        }
        let mut functions = Vec::new();
        for (i, function) in std::mem::take(&mut self.functions).into_iter().enumerate() {
            let mut function = function?;
            let unit = self.known_unit(&self.scope.functions[i]);
            function.meta.unit = function.meta.unit.or(unit);
            functions.push(function);
        }
        let mut constraints = std::mem::take(&mut self.constraints);
        // In the order of declaration, whatever the order of need was; then those of quaternions.
        if self.early {
            constraints.sort_by_key(|(place, ..)| *place);
        }
        let constraints = constraints
            .into_iter()
            .map(|(place, constraint, dim)| Constraint {
                reaction: self.mentioned(place),
                meta: self.with_unit(constraint.meta, &dim),
                relation: constraint.relation,
            });
        let constraints = constraints.collect();
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
            inputs: self.inputs,
            functions,
            lets,
            frames: self.frames,
            points: self.scope.placed.take().unwrap_or_default(),
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
            fixed: vec![],
            copies: Default::default(),
        })
    }

    /// Whether the reaction of a constraint is mentioned.
    fn mentioned(&self, place: usize) -> bool {
        let facts = self.scope.constraints.get(place).and_then(Option::as_ref);
        facts.is_some_and(|f| f.mentioned)
    }

    fn with_unit(&self, meta: Meta, dim: &DimExpr) -> Meta {
        Meta {
            unit: self.known_unit(dim),
            ..meta
        }
    }

    /// An inferred unit in base units; `None` if it is unknown or units do not fit together.
    fn known_unit(&self, dim: &DimExpr) -> Option<String> {
        if self.scope.muted {
            return None;
        }
        self.scope.solver.known(dim).as_ref().map(Dim::base_text)
    }
}
