//! The representative particle of a model as an explanatory text (O'Reilly et al., sections 3-7): its bases, and of which of
//! their vectors each formulation is the projection.

use super::Work;
use super::sections::aligned;
use super::text::{join, product};
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::form::{Quantities, QuasiVelocities, Space};
use crate::sym::{Expr, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// One part of the text: a heading, sentences, and formulas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Its heading.
    pub title: String,
    /// Sentences.
    pub text: Vec<String>,
    /// Formulas.
    pub lines: Vec<String>,
}

fn part(title: &str, text: &[&str], lines: Vec<String>) -> Part {
    Part {
        title: title.into(),
        text: text.iter().map(|t| (*t).to_string()).collect(),
        lines,
    }
}

impl Work<'_> {
    /// The text; of systems with rigid bodies what there is of it.
    pub(super) fn geometry(&mut self) -> Result<Vec<Part>, Vec<Diagnostic>> {
        let mut quantities = std::mem::take(&mut self.quantities);
        let quasi = quantities.quasi(&mut self.c)?;
        let coords: Vec<String> = self
            .c
            .system
            .coords
            .iter()
            .map(|c| c.meta.name.clone())
            .collect();
        let mut parts = Vec::new();
        let particles = match quantities.particle(&mut self.c) {
            Ok(p) => Some(p),
            Err(why) => {
                let why = why.first().map_or(String::new(), |d| d.title.clone());
                parts.push(Part {
                    title: "Representative particle".into(),
                    text: vec![
                        format!("No vectors are listed: {why}."),
                        "The mass matrices, the forces and the projections below hold for rigid bodies as well: M q'' + h is the force of inertia on the directions of the coordinates, and H^T (M q'' + h) that on the directions of the quasi-velocities.".into(),
                    ],
                    lines: Vec::new(),
                });
                None
            }
        };
        if let Some(p) = &particles {
            let mut lines = vec![("m".to_string(), self.shown(&p.mass))];
            for (label, e) in p.components.iter().zip(&p.position) {
                lines.push((format!("r[{label}]"), self.shown(e)));
            }
            parts.push(part(
                "Representative particle",
                &[
                    "All particles together are one particle of mass m at r = sum sqrt(m_a/m) (r_a . E_b) ebar_(3a+b-3), in a space with three directions for each of them; m is the total mass.",
                    "Its equation of motion is m r'' = Phi + Phi_c, with the applied force Phi and the constraint force Phi_c.",
                ],
                aligned(&lines),
            ));
            let lines = self.vectors("a_", &coords, &p.components, &p.covariant);
            parts.push(part(
                "Covariant basis",
                &["a_K = dr/dq_K, along which r moves if q_K alone changes."],
                lines,
            ));
        }
        let mass = match quantities.table(&mut self.c, "coordinate_mass_matrix")? {
            Some(table) => self.symmetric("M", &coords, &table.entries),
            None => Vec::new(),
        };
        let metric = match particles {
            Some(_) => {
                "M_IK = m a_I . a_K is the mass matrix; T = q'.M q'/2 where time moves nothing."
            }
            None => {
                "M is the mass matrix of the coordinates; T = q'.M q'/2 where time moves nothing."
            }
        };
        parts.push(part("Metric", &[metric], mass));
        if let Some(p) = &particles {
            match quantities.contravariant(&mut self.c) {
                Ok(dual) => {
                    let lines = self.vectors("a^", &coords, &p.components, &dual);
                    parts.push(part(
                        "Contravariant basis",
                        &["a^K = m sum_L (M^-1)_KL a_L, so that a^K . a_L is 1 for K = L and else 0."],
                        lines,
                    ));
                }
                Err(why) => {
                    let why = why.first().map_or("", |d| d.title.as_str());
                    let text = format!("There is none: {why}.");
                    parts.push(part("Contravariant basis", &[&text], Vec::new()));
                }
            }
        }
        parts.push(self.velocities(&quasi));
        if let Some(p) = &particles {
            let basis = quantities.quasi_basis(&mut self.c)?;
            let lines = self.vectors("b_", &quasi.names, &p.components, &basis);
            parts.push(part(
                "Basis of the quasi-velocities",
                &["b_K = sum_L H_LK a_L, along which r moves if u_K alone is not 0."],
                lines,
            ));
            if let Ok(dual) = quantities.quasi_dual_basis(&mut self.c) {
                let lines = self.vectors("b^", &quasi.names, &p.components, &dual);
                parts.push(part(
                    "Its dual basis",
                    &["b^K = sum_L J_KL a^L, so that b^K . b_L is 1 for K = L and else 0."],
                    lines,
                ));
            }
        }
        let n = quantities.quasi_mass(&mut self.c)?;
        let entries: Vec<Expr> = n.into_iter().flatten().collect();
        let lines = self.symmetric("N", &quasi.names, &entries);
        let text = match particles {
            Some(_) => "N = H^T M H, N_IK = m b_I . b_K.",
            None => "N = H^T M H.",
        };
        parts.push(part("Metric of the quasi-velocities", &[text], lines));
        parts.push(self.forces_part(&mut quantities, &quasi, particles.is_some())?);
        parts.extend(self.projections(&mut quantities, &quasi, particles.is_some())?);
        self.quantities = quantities;
        Ok(parts)
    }

    /// An expression in full, unless it is long.
    fn shown(&mut self, e: &Expr) -> String {
        self.in_full(e).unwrap_or_else(|| "(long)".to_string())
    }

    /// What is linear in accelerations, collected by them.
    fn collected(&mut self, e: &Expr, dots: &[Var]) -> String {
        let mut parts = Vec::new();
        for dot in dots {
            let coefficient = self.c.alg.partial(e, *dot);
            if !self.c.alg.is_zero(&coefficient) {
                if self.in_full(&coefficient).is_none() {
                    return "(long)".into();
                }
                parts.push(product(self, &coefficient, *dot));
            }
        }
        let still: BTreeMap<Var, Expr> = dots.iter().map(|d| (*d, Expr::zero())).collect();
        let rest = self.c.alg.restrict(e, &still, &mut FxHashMap::default());
        if !self.c.alg.is_zero(&rest) {
            let rest = self.c.alg.normal(&rest);
            let rest = self.c.alg.expanded(&rest);
            parts.push(self.shown(&rest));
        }
        if parts.is_empty() {
            "0".into()
        } else {
            join(&parts)
        }
    }

    /// The components that are not zero of vectors that stand in columns.
    fn vectors(
        &mut self,
        prefix: &str,
        names: &[String],
        components: &[String],
        matrix: &Matrix,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        for (k, name) in names.iter().enumerate() {
            let before = lines.len();
            for (row, component) in matrix.iter().zip(components) {
                if !self.c.alg.is_zero(&row[k]) {
                    let left = format!("{prefix}{name}[{component}]");
                    lines.push((left, self.shown(&row[k])));
                }
            }
            if lines.len() == before {
                lines.push((format!("{prefix}{name}"), "0".into()));
            }
        }
        aligned(&lines)
    }

    /// The entries that are not zero on and above the diagonal.
    fn symmetric(&mut self, symbol: &str, names: &[String], entries: &[Expr]) -> Vec<String> {
        let n = names.len();
        let mut lines = Vec::new();
        for i in 0..n {
            for j in i..n {
                if let Some(e) = entries.get(i * n + j)
                    && !self.c.alg.is_zero(e)
                {
                    let left = format!("{symbol}[{}, {}]", names[i], names[j]);
                    lines.push((left, self.shown(e)));
                }
            }
        }
        aligned(&lines)
    }

    /// `u = J q' + j` and its inverse.
    fn velocities(&mut self, quasi: &QuasiVelocities) -> Part {
        let rates: Vec<Expr> = self
            .c
            .vars
            .rates
            .iter()
            .map(|v| self.c.alg.var(*v))
            .collect();
        let mut lines = Vec::new();
        for ((name, row), rest) in quasi.names.iter().zip(&quasi.jacobian).zip(&quasi.drift) {
            let sum: Expr = row.iter().zip(&rates).map(|(j, q)| j * q).sum();
            lines.push((name.clone(), self.shown(&(sum + rest))));
        }
        let u: Vec<Expr> = quasi.symbols.iter().map(|v| self.c.alg.var(*v)).collect();
        let coords = self.c.system.coords.iter();
        let coords: Vec<String> = coords.map(|c| c.meta.name.clone()).collect();
        for ((name, row), rest) in coords.iter().zip(&quasi.inverse).zip(&quasi.rest) {
            let sum: Expr = row.iter().zip(&u).map(|(h, u)| h * u).sum();
            lines.push((format!("{name}'"), self.shown(&(sum + rest))));
        }
        part(
            "Quasi-velocities",
            &["u = J q' + j and q' = H u + h0.", &quasi.note()],
            aligned(&lines),
        )
    }

    fn forces_part(
        &mut self,
        quantities: &mut Quantities,
        quasi: &QuasiVelocities,
        particles: bool,
    ) -> Result<Part, Vec<Diagnostic>> {
        let mut lines = Vec::new();
        let mut text = vec!["Q_K are the applied forces on the coordinates, R_K = sum_L H_LK Q_L those on the quasi-velocities.".to_string()];
        if particles && let Ok((phi, further)) = quantities.applied_force(&mut self.c) {
            text.insert(
                0,
                "Phi has the components sqrt(m/m_a) F_a . E_b; Q_K = Phi . a_K and R_K = Phi . b_K."
                    .into(),
            );
            if further {
                text.push("Loads that do not act on a particle enter Phi by sum Q_K a^K.".into());
            }
            let p = quantities.particle(&mut self.c)?;
            for (label, e) in p.components.iter().zip(&phi) {
                if !self.c.alg.is_zero(e) {
                    lines.push((format!("Phi[{label}]"), self.shown(e)));
                }
            }
        }
        if let Some(q) = quantities.table(&mut self.c, "applied_forces")? {
            for (label, e) in q.rows.iter().zip(&q.entries) {
                lines.push((format!("Q[{label}]"), self.shown(e)));
            }
        }
        let r = quantities.quasi_forces(&mut self.c)?;
        for (label, e) in quasi.names.iter().zip(&r) {
            lines.push((format!("R[{label}]"), self.shown(e)));
        }
        Ok(Part {
            title: "Force".into(),
            text,
            lines: aligned(&lines),
        })
    }

    /// Which projection each formulation is.
    fn projections(
        &mut self,
        quantities: &mut Quantities,
        quasi: &QuasiVelocities,
        particles: bool,
    ) -> Result<Vec<Part>, Vec<Diagnostic>> {
        let (a, b) = if particles {
            ("m r'' . a_", "m r'' . b_")
        } else {
            ("inertia on ", "inertia on ")
        };
        let coords = self.c.system.coords.iter();
        let coords: Vec<String> = coords.map(|c| c.meta.name.clone()).collect();
        let inertia = quantities.inertia(&mut self.c)?;
        let applied = match quantities.table(&mut self.c, "applied_forces")? {
            Some(table) => table.entries,
            None => Vec::new(),
        };
        let c_vector = match quantities.table(&mut self.c, "nonideal_vector")? {
            Some(table) => table.entries,
            None => Vec::new(),
        };
        let lambda = self.multiplier_symbols();
        let rows = self.c.constraints.matrix();
        let force: Vec<Expr> = (0..coords.len())
            .map(|k| {
                let terms = rows.iter().zip(&lambda);
                let reaction: Expr = terms.map(|(row, l)| &row[k] * l).sum();
                &applied[k] + &c_vector[k] + reaction
            })
            .collect();
        let accelerations = self.c.vars.rate_dots.clone();
        let dots = self.c.kinematics(Space::Speeds).motion.speed_dots.clone();
        let mut lines = Vec::new();
        for ((name, left), right) in coords.iter().zip(&inertia).zip(&force) {
            let left = self.collected(left, &accelerations);
            let text = format!("{left} = {}", self.shown(right));
            lines.push((format!("{a}{name}"), text));
        }
        let lagrange = part(
            "Lagrange: the projection on a_K",
            &[
                "(m r'' - Phi - Phi_c) . a_K = 0 for every coordinate, with lambda unknown in Phi_c = sum lambda_r A_rK a^K.",
            ],
            aligned(&lines),
        );
        // On b_K: by H, in the state's speeds and their rates.
        let mut free = Vec::new();
        let mut held = Vec::new();
        for (k, name) in quasi.names.iter().enumerate() {
            let project = |list: &[Expr]| -> Expr {
                let terms = quasi.inverse.iter().zip(list);
                terms.map(|(h, e)| &h[k] * e).sum()
            };
            let (left, right) = (project(&inertia), project(&force));
            let (left, right) = (self.in_state(&left), self.in_state(&right));
            let left = self.collected(&left, &dots);
            let text = format!("{left} = {}", self.shown(&right));
            if k < quasi.free {
                free.push((format!("{b}{name}"), text))
            } else {
                held.push((format!("{b}{name}"), text))
            }
        }
        let mut parts = vec![lagrange];
        let normal = match (rows.is_empty(), quasi.held.is_empty()) {
            (true, _) => {
                "(m r'' - Phi) . b_K = 0 for every quasi-velocity; nothing constrains the motion, and Phi_c is 0."
            }
            (false, false) => {
                "(m r'' - Phi - Phi_c) . b_K = 0 for every quasi-velocity that the constraints leave free. Phi_c has no component there: it is normal to what the constraints allow."
            }
            (false, true) => {
                "(m r'' - Phi - Phi_c) . b_K = 0 for every quasi-velocity. No row is among them, so that Phi_c has components on them all; the combinations that lie in the null space of A are free of it."
            }
        };
        if !free.is_empty() {
            parts.push(part(
                "Maggi, Kane, Gibbs-Appell, Boltzmann-Hamel: the projection on b_K",
                &[
                    normal,
                    "The four differ in how the left side is found: from Lagrange's operator by E, from partial velocities, as dS/du'_K, and from T in quasi-velocities.",
                ],
                aligned(&free),
            ));
        }
        if !held.is_empty() {
            let names = quasi.names[quasi.free..].iter().zip(&quasi.held);
            let terms: Vec<String> = names
                .map(|(name, held)| format!("lambda[{}] b^{name}", held.row_name))
                .collect();
            let more = if rows.len() > quasi.held.len() {
                ", and what the rows that depend on these add to the multipliers"
            } else {
                ""
            };
            let text = format!("Phi_c = {}{more}.", terms.join(" + "));
            parts.push(part(
                "Constraint force: the projection on the other b_K",
                &[
                    &text,
                    "The same projection on a quasi-velocity that a constraint fixes gives the multiplier of its row.",
                ],
                aligned(&held),
            ));
        }
        Ok(parts)
    }
}
