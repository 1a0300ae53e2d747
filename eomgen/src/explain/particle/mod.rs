//! The representative particle of a model (O'Reilly et al., sections 3-7): its bases, and of which of their vectors each formulation is
//! the projection. Of systems with rigid bodies what there is of it.

mod projections;

use super::Derivation;
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::form::{QuasiVelocities, Representative};
use crate::notation::{Line, Math};
use crate::sym::Expr;

/// One part of the explanation: a heading, sentences, and formulas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Its heading.
    pub title: String,
    /// Sentences.
    pub text: Vec<String>,
    /// Formulas.
    pub lines: Vec<Line>,
}

fn part(title: &str, text: &[&str], lines: Vec<Line>) -> Part {
    Part {
        title: title.into(),
        text: text.iter().map(|t| (*t).to_string()).collect(),
        lines,
    }
}

/// The title of the first of some diagnostics.
fn reason(list: &[Diagnostic]) -> &str {
    list.first().map_or("", |d| d.title.as_str())
}

impl Derivation<'_, '_> {
    pub(super) fn particle(&mut self) -> Result<Vec<Part>, Vec<Diagnostic>> {
        let quasi = self.found.quantities.quasi(self.reader.c)?;
        let particle = self.found.quantities.particle(self.reader.c);
        let mut parts = Vec::new();
        match &particle {
            Ok(p) => parts.extend(self.representative(p)),
            Err(why) => parts.push(part(
                "Representative particle",
                &[
                    &format!("No vectors are listed: {}.", reason(why)),
                    "The mass matrices, the forces and the projections below hold for rigid bodies as well: M q'' + h is the force of inertia on the directions of the coordinates, and H^T (M q'' + h) that on the directions of the quasi-velocities.",
                ],
                Vec::new(),
            )),
        }
        let particle = particle.ok();
        parts.push(self.metric(particle.is_some())?);
        if let Some(p) = &particle {
            parts.push(self.contravariant(p));
        }
        parts.push(self.velocities(&quasi));
        if let Some(p) = &particle {
            parts.extend(self.quasi_bases(p, &quasi)?);
        }
        parts.push(self.quasi_metric(&quasi, particle.is_some())?);
        parts.push(self.forces(&quasi, particle.as_ref())?);
        parts.extend(self.projections(&quasi, particle.is_some())?);
        Ok(parts)
    }

    fn coordinates(&self) -> Vec<String> {
        let coords = self.reader.c.system.coords.iter();
        coords.map(|c| c.meta.name.clone()).collect()
    }

    /// `left = e`
    fn entry(&mut self, left: &str, e: &Expr) -> Line {
        let right = self.reader.entry(e);
        Line::equation(Math::Text(left.into()), right)
    }

    fn representative(&mut self, p: &Representative) -> [Part; 2] {
        let mut lines = vec![self.entry("m", &p.mass)];
        for (label, e) in p.components.iter().zip(&p.position) {
            lines.push(self.entry(&format!("r[{label}]"), e));
        }
        let particle = part(
            "Representative particle",
            &[
                "All particles together are one particle of mass m at r = sum sqrt(m_a/m) (r_a . E_b) ebar_(3a+b-3), in a space with three directions for each of them; m is the total mass.",
                "Its equation of motion is m r'' = Phi + Phi_c, with the applied force Phi and the constraint force Phi_c.",
            ],
            lines,
        );
        let names = self.coordinates();
        let basis = part(
            "Covariant basis",
            &["a_K = dr/dq_K, along which r moves if q_K alone changes."],
            self.vectors("a_", &names, &p.components, &p.covariant),
        );
        [particle, basis]
    }

    fn metric(&mut self, particle: bool) -> Result<Part, Vec<Diagnostic>> {
        let c = &mut *self.reader.c;
        let table = self.found.quantities.table(c, "coordinate_mass_matrix")?;
        let entries = table.map_or(Vec::new(), |table| table.entries);
        let lines = self.symmetric("M", &self.coordinates(), &entries);
        let text = if particle {
            "M_IK = m a_I . a_K is the mass matrix; T = q'.M q'/2 where time moves nothing."
        } else {
            "M is the mass matrix of the coordinates; T = q'.M q'/2 where time moves nothing."
        };
        Ok(part("Metric", &[text], lines))
    }

    fn contravariant(&mut self, p: &Representative) -> Part {
        let title = "Contravariant basis";
        match self.found.quantities.contravariant(self.reader.c) {
            Ok(dual) => part(
                title,
                &["a^K = m sum_L (M^-1)_KL a_L, so that a^K . a_L is 1 for K = L and else 0."],
                self.vectors("a^", &self.coordinates(), &p.components, &dual),
            ),
            Err(why) => {
                let text = format!("There is none: {}.", reason(&why));
                part(title, &[&text], Vec::new())
            }
        }
    }

    /// `u = J q' + j` and its inverse.
    fn velocities(&mut self, quasi: &QuasiVelocities) -> Part {
        let alg = &self.reader.c.alg;
        let rates = self.reader.c.vars.rates.iter();
        let rates: Vec<Expr> = rates.map(|v| alg.var(*v)).collect();
        let speeds: Vec<Expr> = quasi.symbols.iter().map(|v| alg.var(*v)).collect();
        let affine = |matrix: &Matrix, by: &[Expr], rest: &[Expr]| -> Vec<Expr> {
            let rows = matrix.iter().zip(rest);
            let row = |(row, rest): (&Vec<Expr>, &Expr)| {
                let sum: Expr = row.iter().zip(by).map(|(e, v)| e * v).sum();
                sum + rest
            };
            rows.map(row).collect()
        };
        let forward = affine(&quasi.jacobian, &rates, &quasi.drift);
        let inverse = affine(&quasi.inverse, &speeds, &quasi.rest);
        let coordinates = self.coordinates();
        let names = quasi.names.iter().cloned();
        let names = names.chain(coordinates.iter().map(|name| format!("{name}'")));
        let pairs = names.zip(forward.iter().chain(&inverse));
        let lines = pairs.map(|(name, e)| self.entry(&name, e)).collect();
        part(
            "Quasi-velocities",
            &["u = J q' + j and q' = H u + h0.", &quasi.note()],
            lines,
        )
    }

    fn quasi_bases(
        &mut self,
        p: &Representative,
        quasi: &QuasiVelocities,
    ) -> Result<Vec<Part>, Vec<Diagnostic>> {
        let basis = self.found.quantities.quasi_basis(self.reader.c)?;
        let mut parts = vec![part(
            "Basis of the quasi-velocities",
            &["b_K = sum_L H_LK a_L, along which r moves if u_K alone is not 0."],
            self.vectors("b_", &quasi.names, &p.components, &basis),
        )];
        if let Ok(dual) = self.found.quantities.quasi_dual_basis(self.reader.c) {
            parts.push(part(
                "Its dual basis",
                &["b^K = sum_L J_KL a^L, so that b^K . b_L is 1 for K = L and else 0."],
                self.vectors("b^", &quasi.names, &p.components, &dual),
            ));
        }
        Ok(parts)
    }

    fn quasi_metric(
        &mut self,
        quasi: &QuasiVelocities,
        particle: bool,
    ) -> Result<Part, Vec<Diagnostic>> {
        let mass = self.found.quantities.quasi_mass(self.reader.c)?;
        let entries: Vec<Expr> = mass.into_iter().flatten().collect();
        let lines = self.symmetric("N", &quasi.names, &entries);
        let text = if particle {
            "N = H^T M H, N_IK = m b_I . b_K."
        } else {
            "N = H^T M H."
        };
        Ok(part("Metric of the quasi-velocities", &[text], lines))
    }

    fn forces(
        &mut self,
        quasi: &QuasiVelocities,
        particle: Option<&Representative>,
    ) -> Result<Part, Vec<Diagnostic>> {
        let mut lines = Vec::new();
        let mut text = vec![
            "Q_K are the applied forces on the coordinates, R_K = sum_L H_LK Q_L those on the quasi-velocities.",
        ];
        if let Some(p) = particle
            && let Ok((phi, further)) = self.found.quantities.applied_force(self.reader.c)
        {
            text.insert(
                0,
                "Phi has the components sqrt(m/m_a) F_a . E_b; Q_K = Phi . a_K and R_K = Phi . b_K.",
            );
            if further {
                text.push("Loads that do not act on a particle enter Phi by sum Q_K a^K.");
            }
            for (label, e) in p.components.iter().zip(&phi) {
                if !self.reader.c.alg.is_zero(e) {
                    lines.push(self.entry(&format!("Phi[{label}]"), e));
                }
            }
        }
        let c = &mut *self.reader.c;
        if let Some(q) = self.found.quantities.table(c, "applied_forces")? {
            for (label, e) in q.rows.iter().zip(&q.entries) {
                lines.push(self.entry(&format!("Q[{label}]"), e));
            }
        }
        let forces = self.found.quantities.quasi_forces(self.reader.c)?;
        for (label, e) in quasi.names.iter().zip(&forces) {
            lines.push(self.entry(&format!("R[{label}]"), e));
        }
        Ok(part("Force", &text, lines))
    }

    /// The components that are not zero of vectors that stand in columns.
    fn vectors(
        &mut self,
        prefix: &str,
        names: &[String],
        components: &[String],
        matrix: &Matrix,
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        for (k, name) in names.iter().enumerate() {
            let before = lines.len();
            for (row, component) in matrix.iter().zip(components) {
                if !self.reader.c.alg.is_zero(&row[k]) {
                    let left = format!("{prefix}{name}[{component}]");
                    lines.push(self.entry(&left, &row[k]));
                }
            }
            if lines.len() == before {
                lines.push(self.entry(&format!("{prefix}{name}"), &Expr::zero()));
            }
        }
        lines
    }

    /// The entries that are not zero on and above the diagonal.
    fn symmetric(&mut self, symbol: &str, names: &[String], entries: &[Expr]) -> Vec<Line> {
        let n = names.len();
        let mut lines = Vec::new();
        for (i, row) in names.iter().enumerate() {
            for (j, column) in names.iter().enumerate().skip(i) {
                if let Some(e) = entries.get(i * n + j)
                    && !self.reader.c.alg.is_zero(e)
                {
                    lines.push(self.entry(&format!("{symbol}[{row}, {column}]"), e));
                }
            }
        }
        lines
    }
}
