//! T, V and S: written out where they are short, else body by body in the vectors of the kinematics.

use super::Page;
use super::kinematics::of;
use crate::diag::Diagnostic;
use crate::form::Space;
use crate::mech::mass::MassElement;
use crate::notation::{Math, Style, Symbol};
use crate::sym::Expr;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Bodies of which sums are written.
const BODIES: usize = 40;

impl Page<'_, '_, '_> {
    pub(super) fn energies(&mut self) -> Result<(), Vec<Diagnostic>> {
        let kinetic = self.c().kinetic_energy(Space::SpeedRates);
        self.e.kinetic = self.in_full(&kinetic);
        if let Some(v) = self.c().potential_energy()? {
            let written = self.in_full(&v);
            self.e.potential = Some(written.unwrap_or_else(|| self.side(&v)));
        }
        if self.derivation.found.stated {
            let gibbs = self.c().gibbs_function(Space::SpeedRates);
            // Terms without accelerations say nothing; they are the whole at z' = 0.
            let (_, dots) = self.speeds();
            let still: BTreeMap<_, Expr> = dots.iter().map(|d| (*d, Expr::zero())).collect();
            let alg = &mut self.c().alg;
            let rest = alg.restrict(&gibbs, &still, &mut FxHashMap::default());
            self.e.gibbs = self.in_full(&(gibbs - rest));
        }
        let masses = self.c().masses.clone();
        if masses.len() <= BODIES {
            if self.e.kinetic.is_none() {
                self.e.kinetic = Some(self.by_bodies(&masses, kinetic_energy));
                self.e.by_bodies = true;
            }
            if self.e.gibbs.is_none() {
                self.e.gibbs = Some(self.by_bodies(&masses, gibbs_function));
                self.e.by_bodies = true;
            }
        }
        Ok(())
    }

    fn by_bodies(&mut self, masses: &[MassElement], of_body: fn(&Body) -> Vec<Math>) -> Math {
        let mut terms = Vec::new();
        for mass in masses {
            let body = self.body(mass);
            terms.extend(of_body(&body));
        }
        Math::sum(terms)
    }

    fn body(&mut self, m: &MassElement) -> Body {
        let system = self.c().system;
        let center = system.points[m.center.index()].meta.name.clone();
        let mass = self.side(&m.mass);
        let rotation = m.rotation.as_ref().map(|(frame, tensor)| Rotation {
            frame: system.frames[frame.index()].meta.name.clone(),
            tensor: std::array::from_fn(|i| std::array::from_fn(|j| self.side(&tensor[i][j]))),
        });
        Body {
            center,
            mass,
            rotation,
        }
    }
}

/// What T and S need of a body.
struct Body {
    center: String,
    mass: Math,
    rotation: Option<Rotation>,
}

struct Rotation {
    frame: String,
    /// About the mass centre.
    tensor: [[Math; 3]; 3],
}

impl Rotation {
    /// Component of the body's angular velocity (`ω`) or acceleration (`α`) along one of its own axes.
    fn component(&self, letter: &str, axis: usize) -> Math {
        let axis = ["x", "y", "z"][axis];
        Math::Symbol(Symbol {
            name: format!("{letter}_{}_{axis}", self.frame),
            ..Symbol::new(letter, Style::Italic, &[&self.frame, axis])
        })
    }

    /// A coefficient times the product of two components.
    fn product(&self, coefficient: Math, letter: &str, i: usize, j: usize) -> Math {
        let mut factors = match coefficient {
            Math::Product(factors) => factors,
            other => vec![other],
        };
        if i == j {
            factors.push(squared(self.component(letter, i)));
        } else {
            factors.extend([i, j].map(|axis| self.component(letter, axis)));
        }
        Math::Product(factors)
    }

    /// `1/2 v . I . v`
    fn half_square(&self, letter: &str) -> Vec<Math> {
        let mut terms = Vec::new();
        for i in 0..3 {
            for j in i..3 {
                let entry = self.tensor[i][j].clone();
                if entry.is_zero() {
                    continue;
                }
                let (entry, minus) = unsigned(entry);
                let term = self.product(entry, letter, i, j);
                let term = if i == j { halved(term) } else { term };
                terms.push(if minus { term.negated() } else { term });
            }
        }
        terms
    }

    /// `alpha . (omega x I . omega)`
    fn turning(&self) -> Vec<Math> {
        let mut terms = Vec::new();
        for axis in 0..3 {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            // By products of components: entries that belong to one are added.
            let mut sums: BTreeMap<(usize, usize), Vec<Math>> = BTreeMap::new();
            for k in 0..3 {
                for (row, other, minus) in [(j, i, false), (i, j, true)] {
                    let entry = self.tensor[row][k].clone();
                    if !entry.is_zero() {
                        let entry = if minus { entry.negated() } else { entry };
                        let pair = (other.min(k), other.max(k));
                        sums.entry(pair).or_default().push(entry);
                    }
                }
            }
            let gyroscopic = sums.into_iter().filter_map(|((i, j), mut entries)| {
                entries.sort_by_key(|e| matches!(e, Math::Negative(_)));
                let equal = entries.len() == 2 && entries[0] == entries[1].clone().negated();
                let (sum, minus) = unsigned(Math::sum(entries));
                let term = self.product(sum, "ω", i, j);
                (!equal).then(|| if minus { term.negated() } else { term })
            });
            let gyroscopic: Vec<Math> = gyroscopic.collect();
            if !gyroscopic.is_empty() {
                let alpha = self.component("α", axis);
                terms.push(match Math::sum(gyroscopic) {
                    Math::Product(mut factors) => {
                        factors.push(alpha);
                        Math::Product(factors)
                    }
                    other => Math::Product(vec![other, alpha]),
                });
            }
        }
        terms
    }
}

/// Without its sign, and whether that was a minus.
fn unsigned(m: Math) -> (Math, bool) {
    match m {
        Math::Negative(inner) => (*inner, true),
        other => (other, false),
    }
}

fn kinetic_energy(b: &Body) -> Vec<Math> {
    let velocity = Math::Symbol(of("v", &b.center));
    let mut terms = vec![halved(b.mass.clone().times(squared(velocity)))];
    if let Some(r) = &b.rotation {
        terms.extend(r.half_square("ω"));
    }
    terms
}

fn gibbs_function(b: &Body) -> Vec<Math> {
    let acceleration = Math::Symbol(of("a", &b.center));
    let mut terms = vec![halved(b.mass.clone().times(squared(acceleration)))];
    if let Some(r) = &b.rotation {
        terms.extend(r.half_square("α"));
        terms.extend(r.turning());
    }
    terms
}

fn squared(m: Math) -> Math {
    Math::Power(Box::new(m), Box::new(Math::integer(2)))
}

fn halved(m: Math) -> Math {
    Math::Quotient(Box::new(m), Box::new(Math::integer(2)))
}
