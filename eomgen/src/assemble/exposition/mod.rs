//! What a reader of the derivation is shown beside the equations: kinematics, partial velocities, energies, generalized forces, and to whom
//! each term of the equations belongs. Expressions as mathematics, with names for what the derivation itself names. Knows nothing of formats.

mod attribution;
mod kinematics;
mod speech;

pub use attribution::{Attributed, Attribution, Source};
pub use kinematics::{FrameShown, Partial, PointShown};

use super::deferred::STATED;
use super::{Presentation, Work};
use crate::diag::Diagnostic;
use crate::form::Space;
use crate::notation::{Definition, Math};
use crate::sym::{Expr, Var};
use rustc_hash::FxHashMap;
use speech::Speech;
pub use speech::names;
use std::collections::BTreeMap;

/// What is shown of one derivation. `None` stands for an expression that is too long for a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exposed {
    /// Frames that the model names, without the inertial one.
    pub frames: Vec<FrameShown>,
    /// Points, without the origin.
    pub points: Vec<PointShown>,
    /// Partial velocities of points and frames.
    pub partials: Vec<Partial>,
    /// Kinematic tables that were left out because the model is large: how many entries they have.
    pub unshown: usize,
    /// T in the state's speeds.
    pub kinetic: Option<Math>,
    /// V; `None` also where gravity has none.
    pub potential: Option<Math>,
    /// S, Gibbs's function, up to terms without accelerations.
    pub gibbs: Option<Math>,
    /// Generalized active forces by the speed to which they are conjugate: loads, gravity, potentials and dissipations.
    pub forces: Vec<(Math, Option<Math>)>,
    /// The same, load by load.
    pub shares: Vec<(Source, Vec<Option<Math>>)>,
    /// A by rows, and b.
    pub rows: Vec<(String, Vec<Option<Math>>, Option<Math>)>,
    /// Of staged derivations the equations in terms of the definitions; otherwise they stand in the documentation.
    pub equations: Vec<Math>,
    /// Each equation, term by term.
    pub attribution: Attribution,
    /// Names within the above that the derivation gives, in an order in which each uses earlier ones.
    pub definitions: Vec<Definition>,
    /// Definitions that are used but not listed.
    pub further: usize,
}

/// Longest equation that is shown in full, in characters of the model's notation.
pub(super) const LINE: usize = 3000;
/// Entries of a table that are worked out at most.
const ENTRIES: usize = 600;

impl Work<'_> {
    /// Everything, as far as it has readable expressions.
    pub(super) fn exposed(&mut self) -> Result<Exposed, Vec<Diagnostic>> {
        let mut speech = Speech::new(self.c.system);
        let mut e = Exposed::default();
        self.show_staged(&mut speech, &mut e);
        self.show_kinematics(&mut speech, &mut e);
        self.show_rows(&mut speech, &mut e);
        self.show_energies(&mut speech, &mut e)?;
        self.show_forces(&mut speech, &mut e)?;
        e.attribution = self.attributed(&mut speech)?;
        (e.definitions, e.further) = speech.definitions(&mut self.c.alg);
        Ok(e)
    }

    /// `M z' = f + A^T lambda` and `A q'' = b`, row by row, with the names of the definitions.
    fn show_staged(&mut self, speech: &mut Speech, e: &mut Exposed) {
        let dots = self
            .c
            .kinematics(self.formulated.equations.space)
            .motion
            .speed_dots
            .clone();
        if self.presentation == Presentation::Closed || self.unstated || dots.len() > STATED {
            return;
        }
        let equations = self.formulated.equations.clone();
        let pulls = self.constraint_pulls(equations.space, equations.closure.is_some());
        let rows = equations.mass.iter().zip(&equations.forcing);
        let mut list: Vec<(Vec<Expr>, Vec<Var>, Expr)> = rows
            .zip(pulls)
            .map(|((row, f), pull)| (row.clone(), dots.clone(), f + pull))
            .collect();
        if equations.closure.is_some() {
            let dots = self.c.vars.rate_dots.clone();
            let rows = self.c.constraints.rows.iter();
            list.extend(rows.map(|r| (r.a.clone(), dots.clone(), r.b.clone())));
        }
        for (row, dots, right) in list {
            let mut terms = Vec::new();
            for (m, dot) in row.iter().zip(&dots) {
                let said = if self.c.alg.is_zero(m) {
                    continue;
                } else {
                    speech.say_within(&mut self.c.alg, m, LINE)
                };
                let dot = speech.symbol(&self.c.alg, *dot);
                let (minus, size) = match said {
                    Some(Math::Negative(inner)) => (true, *inner),
                    Some(other) => (false, other),
                    None => (false, Math::Text("(long)".into())),
                };
                let term = match size {
                    Math::Number(one) if one == "1" => dot,
                    Math::Product(mut factors) => {
                        factors.push(dot);
                        Math::Product(factors)
                    }
                    other => Math::Product(vec![other, dot]),
                };
                terms.push(if minus { term.negated() } else { term });
            }
            let right = speech.say_within(&mut self.c.alg, &right, LINE);
            let right = right.unwrap_or_else(|| Math::Text("(long)".into()));
            e.equations.push(Math::equation(Math::sum(terms), right));
        }
    }

    fn show_rows(&mut self, speech: &mut Speech, e: &mut Exposed) {
        let rows = self.c.constraints.rows.clone();
        if rows.len() * self.c.system.coords.len() > ENTRIES {
            return;
        }
        for r in rows {
            let a = r.a.iter().map(|a| speech.say(&mut self.c.alg, a)).collect();
            let b = speech.say(&mut self.c.alg, &r.b);
            e.rows.push((r.name, a, b));
        }
    }

    fn show_energies(
        &mut self,
        speech: &mut Speech,
        e: &mut Exposed,
    ) -> Result<(), Vec<Diagnostic>> {
        let kinetic = self.c.kinetic_energy(Space::Speeds);
        e.kinetic = speech.say_in_full(&mut self.c.alg, &kinetic);
        if let Some(v) = self.c.potential_energy()? {
            e.potential = speech.say_in_full(&mut self.c.alg, &v);
        }
        if !self.unstated {
            let gibbs = self.c.gibbs_function(Space::Speeds);
            // Terms without accelerations say nothing; they are the whole at z' = 0.
            let dots = &self.c.kinematics(Space::Speeds).motion.speed_dots;
            let still: BTreeMap<Var, Expr> = dots.iter().map(|d| (*d, Expr::zero())).collect();
            let rest = self
                .c
                .alg
                .restrict(&gibbs, &still, &mut FxHashMap::default());
            let gibbs = gibbs - rest;
            e.gibbs = speech.say_in_full(&mut self.c.alg, &gibbs);
        }
        Ok(())
    }

    fn show_forces(&mut self, speech: &mut Speech, e: &mut Exposed) -> Result<(), Vec<Diagnostic>> {
        let speeds = self.c.kinematics(Space::Speeds).motion.speeds.clone();
        let shares = self.shares(Space::Speeds)?;
        let n = speeds.len();
        if shares.len() * n > ENTRIES {
            e.unshown += shares.len() * n;
            return Ok(());
        }
        for (i, v) in speeds.iter().enumerate() {
            let total = shares.iter().map(|s| s.1[i].clone()).sum();
            let name = speech.symbol(&self.c.alg, *v);
            e.forces.push((name, speech.say(&mut self.c.alg, &total)));
        }
        for (source, values) in shares {
            let said = values
                .iter()
                .map(|v| speech.say(&mut self.c.alg, v))
                .collect();
            e.shares.push((source, said));
        }
        Ok(())
    }
}
