//! The scalar constraints: which there are, at which level each is stated, and their derivatives.

use super::instant::Instant;
use super::{Machine, Wrt, vector};
use crate::model::system::ConstraintRelation;
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::number::{Algebra, Decimal, EvalError, Modular, Number};
use crate::verify::series::Series;

/// What a constraint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Positions: differentiated twice.
    Position,
    /// Velocities: differentiated once.
    Velocity,
    /// Accelerations, as it stands.
    Acceleration,
}

/// A scalar constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name of the constraint, with `.x` and so on for components.
    pub name: String,
    /// Which constraint of the model.
    pub constraint: usize,
    /// Which component; 0 for scalars.
    pub component: usize,
    /// What it is about.
    pub level: Level,
}

/// Random states that are tried to see what a constraint says.
const TRIES: u64 = 60;

/// As many of them have to have a value: what vanishes at all of them is identically zero.
const ENOUGH: usize = 3;

impl Machine<'_> {
    /// Looks at random states for what the constraints say.
    pub(super) fn find_rows(&self, seed: u64) -> Result<Vec<Row>, EvalError> {
        if self.system.constraints.is_empty() {
            return Ok(Vec::new());
        }
        match self.look(seed, State::<Modular>::random) {
            Err(_) => self.look(seed, State::<Decimal>::random),
            found => found,
        }
    }

    fn look<N: Number>(
        &self,
        seed: u64,
        draw: impl Fn(&crate::model::System, u64) -> State<N>,
    ) -> Result<Vec<Row>, EvalError> {
        let mut levels: Vec<[Option<Level>; 3]> = vec![[None; 3]; self.system.constraints.len()];
        let mut seen = 0;
        let mut last =
            EvalError::Singular("there is no state at which constraints have values".into());
        for attempt in 0..TRIES {
            let state = draw(self.system, seed.wrapping_add(attempt));
            match self.levels(&state) {
                Ok(found) => {
                    for (all, own) in levels.iter_mut().zip(found) {
                        for (a, o) in all.iter_mut().zip(own) {
                            *a = (*a).max(o);
                        }
                    }
                    seen += 1;
                    if seen == ENOUGH {
                        return Ok(self.named(&levels));
                    }
                }
                Err(EvalError::Unsupported(why)) => return Err(EvalError::Unsupported(why)),
                Err(other) => last = other,
            }
        }
        Err(last)
    }

    fn named(&self, levels: &[[Option<Level>; 3]]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (constraint, own) in levels.iter().enumerate() {
            let c = &self.system.constraints[constraint];
            for (component, level) in own.iter().enumerate() {
                let Some(level) = *level else {
                    continue;
                };
                let name = match &c.relation {
                    ConstraintRelation::Scalar { .. } => c.meta.name.clone(),
                    ConstraintRelation::Vector { .. } => {
                        format!("{}.{}", c.meta.name, ["x", "y", "z"][component])
                    }
                };
                rows.push(Row {
                    name,
                    constraint,
                    component,
                    level,
                });
            }
        }
        rows
    }

    fn levels<N: Number>(&self, state: &State<N>) -> Result<Vec<[Option<Level>; 3]>, EvalError> {
        let instant = self.dual_at(state, Wrt::Accelerations)?;
        let (zero, one) = (N::int(0), N::int(1));
        let moves =
            |e: Option<&Dual<N>>| e.is_some_and(|e| e.slope.iter().any(|s| !s.agrees(&zero, &one)));
        let mut levels = Vec::new();
        for c in 0..self.system.constraints.len() {
            let mut own = [None; 3];
            for (level, r) in own.iter_mut().zip(components(&instant, c)?) {
                *level = match (moves(r.0.first()), moves(r.0.get(1)), moves(r.0.get(2))) {
                    (true, _, _) => Some(Level::Acceleration),
                    (_, true, _) => Some(Level::Velocity),
                    (_, _, true) => Some(Level::Position),
                    _ => None,
                };
            }
            levels.push(own);
        }
        Ok(levels)
    }

    /// The rows up to a level, all differentiated by time until they are of that level.
    pub(super) fn rows_up_to<E: Number>(
        &self,
        at: &Instant<'_, E>,
        level: Level,
    ) -> Result<Vec<E>, EvalError> {
        let rows = self.rows_at(at, |own| {
            (own <= level).then_some(level as usize - own as usize)
        })?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// Each row differentiated as often as belongs to its level; `None` where that is not said.
    pub(super) fn rows_at<E: Number>(
        &self,
        at: &Instant<'_, E>,
        times: impl Fn(Level) -> Option<usize>,
    ) -> Result<Vec<Option<E>>, EvalError> {
        let mut list = Vec::new();
        let mut known: Option<(usize, Vec<Series<E>>)> = None;
        for row in &self.rows {
            if known.as_ref().is_none_or(|(c, _)| *c != row.constraint) {
                known = Some((row.constraint, components(at, row.constraint)?));
            }
            let own = known.as_ref().and_then(|(_, all)| all.get(row.component));
            let value = own.zip(times(row.level)).map(|(r, n)| r.derivative(n));
            list.push(value.transpose()?);
        }
        Ok(list)
    }
}

/// Left less right side of a constraint, one component after the other.
fn components<E: Number>(
    instant: &Instant<'_, E>,
    constraint: usize,
) -> Result<Vec<Series<E>>, EvalError> {
    Ok(match &instant.system.constraints[constraint].relation {
        ConstraintRelation::Scalar { lhs, rhs } => {
            vec![instant.scalar(lhs)?.sub(&instant.scalar(rhs)?)]
        }
        ConstraintRelation::Vector { lhs, rhs, frame } => {
            let gap = vector::sub(&instant.vector(lhs)?, &instant.vector(rhs)?);
            match frame.index() {
                0 => gap.to_vec(),
                _ => vector::own(&instant.frame(*frame)?.rotation, &gap).to_vec(),
            }
        }
    })
}
