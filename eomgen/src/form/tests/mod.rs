//! The worked examples of the manual's pages on formulations, equation by equation: the derived expressions against those on the
//! page, written in the model's language, equal by normal form.

mod appell_reduced;
mod boltzmann_hamel;
mod jourdain;
mod maggi;
mod partials;

use super::{Context, Formulated, Formulation, Options, Route, Space, Table, find};
use crate::diag::Diagnostic;
use crate::host::with_session;
use crate::mech::choice::Choice;
use crate::mech::kinematics::Components;
use crate::model::expand::Surroundings;
use crate::model::{System, build_with, parse_scalar};
use crate::sym::{Algebra, Expr};
use crate::syntax;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The sleigh of the pages with quasi-velocities u1 and u2, and what is added.
fn sleigh(more: &str) -> String {
    format!(
        "model sleigh
param m1, m2 : kg > 0
param l : m > 0
param e0 : m/s
param w : rad/s
param k : kg/s
coord x, y : m
coord theta : rad
frame B = rotate(N, theta, N.z)
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2
speed u1 = dot(vel(P1), B.x)
speed u2 = theta'
{more}"
    )
}

/// The sleigh with the third quasi-velocity named.
fn sleigh_with_slip(constraint: &str) -> String {
    sleigh(&format!(
        "speed u3 = dot(vel(P2), B.y)\nconstraint blade: {constraint}"
    ))
}

const BLADE: &str = "constraint blade: dot(vel(P2), B.y) = 0";

/// Two wheels on an axle in the plane (Wang & Pao 57-67).
const WHEELS: &str = "model wheels
param M, m_rim : kg > 0
param a, l : m > 0
param g : m/s^2
param alpha : rad
coord x1, y1 : m
coord psi1 : rad
coord x2, y2 : m
coord psi2 : rad
coord phi : rad
frame H = rotate(N, phi, N.z)
frame W1 = rotate(H, psi1, H.y)
frame W2 = rotate(H, psi2, H.y)
point C1 = O + x1*N.x + y1*N.y + a*N.z
point C2 = O + x2*N.x + y2*N.y + a*N.z
body wheel1: frame W1, mass M, center C1, inertia [m_rim*a^2/2, m_rim*a^2, m_rim*a^2/2]
body wheel2: frame W2, mass M, center C2, inertia [m_rim*a^2/2, m_rim*a^2, m_rim*a^2/2]
gravity: g*sin(alpha)*N.x - g*cos(alpha)*N.z
constraint roll1_x: x1' = a*psi1'*cos(phi)
constraint roll1_y: y1' = a*psi1'*sin(phi)
constraint roll2_x: x2' = a*psi2'*cos(phi)
constraint roll2_y: y2' = a*psi2'*sin(phi)
constraint axle: a*psi2' - a*psi1' + l*phi' = 0
privileged psi1', phi'
";

/// A model under a formulation.
struct Page<'a> {
    c: Context<'a>,
    formulation: &'static dyn Formulation,
    formulated: Formulated,
}

/// Derives a model and works the page.
fn page(text: &str, method: &'static str, work: impl FnOnce(&mut Page<'_>) + Send + 'static) {
    page_by(text, method, Route::default(), work);
}

fn page_by(
    text: &str,
    method: &'static str,
    route: Route,
    work: impl FnOnce(&mut Page<'_>) + Send + 'static,
) {
    let text = text.to_owned();
    let done = with_session(move || {
        let system = system(&text);
        let mut c = context(&system);
        let mut options = Options::default();
        options.variant.route = route;
        let formulation = find(method).unwrap();
        assert!(formulation.refusal(&mut c, &options).is_none());
        let formulated = formulation.formulate(&mut c, &options).unwrap();
        work(&mut Page {
            c,
            formulation,
            formulated,
        });
    });
    done.unwrap();
}

/// What a formulation says of a model that it refuses.
fn refused(text: &str, method: &'static str) -> Diagnostic {
    let text = text.to_owned();
    let found = with_session(move || {
        let system = system(&text);
        let options = Options::default();
        find(method)
            .unwrap()
            .refusal(&mut context(&system), &options)
    });
    found.unwrap().unwrap()
}

fn system(text: &str) -> System {
    let parsed = syntax::parse(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let (system, found) = build_with(&parsed.file, Surroundings::default());
    system.unwrap_or_else(|| panic!("{found:?}"))
}

fn context(system: &System) -> Context<'_> {
    let alg = Algebra::new(None);
    Context::derive(alg, system, Components::Local, &Choice::default()).unwrap()
}

impl Page<'_> {
    /// An expression of the page, in the unknowns of a space.
    fn read(&mut self, space: Space, text: &str) -> Expr {
        let scalar = parse_scalar(self.c.system, text).unwrap();
        let (alg, values, k, _) = self.c.parts(space);
        values.scalar(alg, k, &scalar).unwrap()
    }

    /// An expression in q, q', q'' in terms of the state's speeds and their rates.
    fn in_speeds(&mut self, e: &Expr) -> Expr {
        let e = self.c.in_speeds(e);
        let mut map = BTreeMap::new();
        for (v, q) in self
            .c
            .vars
            .rate_dots
            .clone()
            .iter()
            .zip(&self.c.system.coords)
        {
            let value = self.read(Space::SpeedRates, &format!("{}''", q.meta.name));
            map.insert(*v, value);
        }
        self.c.alg.restrict(&e, &map, &mut FxHashMap::default())
    }

    /// An expression is what the page says, in the unknowns of a space.
    fn is(&mut self, space: Space, found: &Expr, text: &str) {
        let wanted = self.read(space, text);
        let found = match space {
            Space::Accelerations => found.clone(),
            Space::SpeedRates | Space::Spins | Space::Whole => self.in_speeds(found),
        };
        let gap = self.c.alg.simplify(&(&found - &wanted));
        let [found, wanted] = [&found, &wanted].map(|e| self.c.alg.text(e));
        assert!(gap.is_literal_zero(), "{found} is not {wanted}");
    }

    /// Left sides of `M z' - f = 0`, row by row.
    fn left_sides(&self) -> Vec<Expr> {
        let e = &self.formulated.equations;
        let dots = self.c.kinematics(e.space).motion.speed_dots.clone();
        let row = |(row, f): (&Vec<Expr>, &Expr)| {
            let terms = row.iter().zip(&dots);
            terms.map(|(m, v)| m * self.c.alg.var(*v)).sum::<Expr>() - f
        };
        e.mass.iter().zip(&e.forcing).map(row).collect()
    }

    /// The equations of motion are these.
    fn equations_are(&mut self, texts: &[&str]) {
        let left = self.left_sides();
        assert_eq!(left.len(), texts.len());
        for (e, text) in left.iter().zip(texts) {
            self.is(self.formulated.equations.space, e, text);
        }
    }

    fn table(&mut self, name: &str) -> Table {
        let found = self.formulation.table(&mut self.c, &self.formulated, name);
        found.unwrap().unwrap()
    }

    /// A quantity has these entries, row by row, in the unknowns of a space.
    fn table_is(&mut self, space: Space, name: &str, texts: &[&[&str]]) {
        let table = self.table(name);
        let flat: Vec<&str> = texts.iter().flat_map(|row| row.iter().copied()).collect();
        assert_eq!(table.rows.len(), texts.len(), "{name}");
        assert_eq!(table.entries.len(), flat.len(), "{name}");
        for (e, text) in table.entries.iter().zip(flat) {
            self.is(space, e, text);
        }
    }
}
