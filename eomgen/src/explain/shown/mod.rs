//! What `show` presents beside the equations: kinematics, partial velocities, energies, generalized forces, and to whom each term of the
//! equations belongs. Expressions as mathematics, with names for what the derivation itself names.

mod attribution;
mod definitions;
mod energies;
mod kinematics;

pub use attribution::{Attribution, Source};
pub use kinematics::{FrameShown, Partial, PointShown};

use super::{Derivation, STATED, rows_in};
use crate::diag::Diagnostic;
use crate::form::{Context, Space};
use crate::notation::{Definition, Math};
use crate::sym::{Expr, Var};
use definitions::Definitions;

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
    /// Whether T or S is a sum over the bodies, in the vectors of the kinematics.
    pub by_bodies: bool,
    /// Generalized active forces by the speed to which they are conjugate: loads, gravity, potentials and dissipations.
    pub forces: Vec<(Math, Option<Math>)>,
    /// The same, load by load.
    pub shares: Vec<(Source, Vec<Option<Math>>)>,
    /// A by rows, and b.
    pub rows: Vec<(String, Vec<Option<Math>>, Option<Math>)>,
    /// Where expressions have names, the equations in terms of these; otherwise they stand in the documentation.
    pub equations: Vec<Math>,
    /// Each equation, term by term.
    pub attribution: Attribution,
    /// Names within the above that the derivation gives, in an order in which each uses earlier ones.
    pub definitions: Vec<Definition>,
    /// Definitions that are used but not listed.
    pub further: usize,
}

/// Entries of a table that are worked out at most.
const ENTRIES: usize = 600;

/// A page in progress.
struct Page<'d, 'a, 's> {
    derivation: &'d mut Derivation<'a, 's>,
    definitions: Definitions,
    e: Exposed,
}

impl<'s> Derivation<'_, 's> {
    /// Everything, as far as it has readable expressions.
    pub(super) fn shown(&mut self) -> Result<Exposed, Vec<Diagnostic>> {
        let mut page = Page {
            definitions: Definitions::new(self.reader.c.system),
            derivation: self,
            e: Exposed::default(),
        };
        page.sequenced();
        page.kinematics();
        page.rows();
        page.energies()?;
        page.forces()?;
        page.e.attribution = page.attributed()?;
        let alg = &page.derivation.reader.c.alg;
        (page.e.definitions, page.e.further) = page.definitions.list(alg);
        Ok(page.e)
    }
}

impl<'s> Page<'_, '_, 's> {
    fn c(&mut self) -> &mut Context<'s> {
        self.derivation.reader.c
    }

    /// An expression in its readable form; `None` if that is long.
    fn math(&mut self, e: &Expr) -> Option<Math> {
        let alg = &mut self.derivation.reader.c.alg;
        self.definitions.math(alg, e)
    }

    fn all<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) -> Vec<Option<Math>> {
        list.into_iter().map(|e| self.math(e)).collect()
    }

    /// The same for the side of an equation, however long.
    fn side(&mut self, e: &Expr) -> Math {
        let alg = &mut self.derivation.reader.c.alg;
        let side = self.definitions.math_within(alg, e, usize::MAX);
        side.unwrap_or_else(|| self.derivation.reader.math(e))
    }

    fn in_full(&mut self, e: &Expr) -> Option<Math> {
        let alg = &mut self.derivation.reader.c.alg;
        self.definitions.in_full(alg, e)
    }

    fn symbol(&self, v: Var) -> Math {
        self.definitions.symbol(&self.derivation.reader.c.alg, v)
    }

    fn speeds(&mut self) -> (Vec<Var>, Vec<Var>) {
        let motion = &self.c().kinematics(Space::SpeedRates).motion;
        (motion.speeds.clone(), motion.speed_dots.clone())
    }

    /// `M z' = f + A^T lambda` and `A q'' = b`, row by row, with the names of the definitions.
    fn sequenced(&mut self) {
        let e = &self.derivation.found.formulated.equations;
        let stated = self.derivation.found.stated;
        let c = self.c();
        let dots = c.kinematics(e.space).motion.speed_dots.clone();
        if c.alg.is_closed() || !stated || dots.len() > STATED {
            return;
        }
        let rows = e.mass.iter().zip(&e.forcing);
        let forces = self.constraint_forces(e.space, e.closure.is_some());
        for ((row, f), force) in rows.zip(forces) {
            self.equation(row, &dots, &(f + force));
        }
        if e.closure.is_some() {
            let dots = self.c().vars.rate_dots.clone();
            for r in self.c().constraints.rows.clone() {
                self.equation(&r.a, &dots, &r.b);
            }
        }
    }

    fn equation(&mut self, row: &[Expr], dots: &[Var], right: &Expr) {
        let mut terms = Vec::new();
        for (m, dot) in row.iter().zip(dots) {
            if !self.c().alg.is_zero(m) {
                terms.push(self.side(m).times(self.symbol(*dot)));
            }
        }
        let right = self.side(right);
        let equation = Math::equation(Math::sum(terms), right);
        self.e.equations.push(equation);
    }

    /// `A^T lambda` in the unknowns of a space.
    fn constraint_forces(&mut self, space: Space, rows: bool) -> Vec<Expr> {
        let c = &mut *self.derivation.reader.c;
        let n = c.kinematics(space).motion.speeds.len();
        if !rows {
            return vec![Expr::zero(); n];
        }
        let a = rows_in(c, space);
        let lambda = self.derivation.found.multipliers.of(c);
        let row = |i: usize| a.iter().zip(&lambda).map(|(row, l)| &row[i] * l).sum();
        (0..n).map(row).collect()
    }

    fn rows(&mut self) {
        let rows = self.c().constraints.rows.clone();
        if rows.len() * self.c().system.coords.len() > ENTRIES {
            return;
        }
        for r in rows {
            let a = self.all(&r.a);
            let b = self.math(&r.b);
            self.e.rows.push((r.name, a, b));
        }
    }

    fn forces(&mut self) -> Result<(), Vec<Diagnostic>> {
        let (speeds, _) = self.speeds();
        let shares = attribution::shares(self.c(), Space::SpeedRates)?;
        let entries = shares.len() * speeds.len();
        if entries > ENTRIES {
            self.e.unshown += entries;
            return Ok(());
        }
        for (i, v) in speeds.iter().enumerate() {
            let total = shares.iter().map(|s| s.1[i].clone()).sum();
            let force = (self.symbol(*v), self.math(&total));
            self.e.forces.push(force);
        }
        for (source, values) in shares {
            let values = self.all(&values);
            self.e.shares.push((source, values));
        }
        Ok(())
    }
}
