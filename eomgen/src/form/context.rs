//! A model's mechanics beside the algebra, and what formulations have in common: generalized forces, energies, the Gibbs function,
//! in the unknowns of a space. The algebra grows with every expression; the mechanics does not change.

use super::{Space, recursive};
use crate::diag;
use crate::elim::Matrix;
use crate::manifold;
use crate::mech::choice::Choice;
use crate::mech::kinematics::{Components, Kinematics};
use crate::mech::mass::MassElement;
use crate::mech::mechanics::Mechanics;
use crate::mech::mixed::Mixed;
use crate::mech::motion::Motion;
use crate::mech::rate::Rate;
use crate::mech::reactions;
use crate::mech::value::Values;
use crate::mech::vars::Vars;
use crate::mech::vec3::{self, Linear, Vec3};
use crate::model::System;
use crate::model::system::FrameId;
use crate::sym::{Algebra, Expr};
use std::ops::Deref;
use std::sync::Arc;

/// A model's mechanics, with the algebra in which its expressions are.
pub struct Context<'a> {
    /// The algebra.
    pub alg: Algebra,
    /// What mechanics makes of the model.
    pub mechanics: Arc<Mechanics<'a>>,
}

impl<'a> Deref for Context<'a> {
    type Target = Mechanics<'a>;

    fn deref(&self) -> &Mechanics<'a> {
        &self.mechanics
    }
}

/// Generalized forces: Q of gravity and loads, the non-ideal vector C, and Phi if loads depend on reactions.
pub type Forces = (Vec<Expr>, Vec<Expr>, Option<Matrix>);

impl<'a> Context<'a> {
    /// Derives everything that does not depend on the formulation.
    pub fn derive(
        mut alg: Algebra,
        system: &'a System,
        components: Components,
        choice: &Choice,
    ) -> diag::Result<Self> {
        let rank = manifold::settle_rank;
        let mechanics = Mechanics::derive(&mut alg, system, components, choice, rank)?;
        if let Some(error) = manifold::unfit_speeds(&alg, &mechanics) {
            return Err(vec![error]);
        }
        Ok(Self {
            alg,
            mechanics: Arc::new(mechanics),
        })
    }

    /// Kinematics in the unknowns of a space.
    pub fn kinematics(&self, space: Space) -> &Kinematics {
        in_space(&self.mechanics, space)
    }

    /// Splits the borrow: algebra, expression values and kinematics of a space.
    pub fn parts(
        &mut self,
        space: Space,
    ) -> (&mut Algebra, Values<'_>, &Kinematics, &[MassElement]) {
        let Self { alg, mechanics } = self;
        let k = in_space(mechanics, space);
        (alg, mechanics.values(), k, &mechanics.masses)
    }

    /// Gives a vector in q, q', t a name where that is worth it.
    pub fn define_vec(&mut self, v: Vec3, name: &str) -> Vec3 {
        let Self { alg, mechanics } = self;
        mechanics.by_rates.define_vec(alg, v, name)
    }

    /// The space in which equations are formed that would rather be formed in `space`: with loads that
    /// depend on reactions all constraint rows remain, and the unknowns are the accelerations.
    pub fn working_space(&self, space: Space) -> Space {
        if self.coupled {
            Space::Accelerations
        } else {
            space
        }
    }

    /// Whether constraint rows remain to be imposed on the unknowns of a space.
    pub fn has_rows(&self, space: Space) -> bool {
        !self.constraints.rows.is_empty()
            && (!self.speeds.reduced || matches!(space, Space::Accelerations | Space::Whole))
    }

    /// Generalized active forces Q of gravity, loads, potentials and dissipations, and the non-ideal vector C, conjugate to
    /// the speeds of a space, and the coupling of loads with reactions.
    pub fn forces(&mut self, space: Space) -> diag::Result<Forces> {
        let gravity = self.gravity(space)?;
        let given = self.given_forces(space);
        let system = self.system;
        let coupled = self.coupled.then(|| self.constraints.clone());
        let (alg, values, k, masses) = self.parts(space);
        let mut q = values.generalized_forces(alg, k, &system.loads)?;
        for (q, g) in q.iter_mut().zip(given.iter().flatten()) {
            *q = &*q + g;
        }
        if let Some(g) = &gravity {
            for m in masses {
                let p = &k.points[m.center.index()];
                let g = k.components(alg, g, p.frame, "gravity");
                let g = k.define_vec(alg, g, &format!("gravity_{}", m.name));
                for (i, beta) in &k.moving(alg, m.center).coef {
                    q[*i] = &q[*i] + &m.mass * vec3::dot(beta, &g);
                }
            }
        }
        let coupling = coupled.map(|c| reactions::split(alg, values.vars, &c, &mut q));
        let c = values.generalized_forces(alg, k, &system.nonideal)?;
        let name = |alg: &Algebra, i: usize| alg.info(k.motion.speeds[i]).name.clone();
        let mut named = |what: &str, list: Vec<Expr>| -> Vec<Expr> {
            let numbered = list.into_iter().enumerate();
            numbered
                .map(|(i, e)| alg.define(&format!("{what}_{}", name(alg, i)), e))
                .collect()
        };
        Ok((named("force", q), named("nonideal", c), coupling))
    }

    /// The acceleration of free fall.
    pub fn gravity(&mut self, space: Space) -> diag::Result<Option<Mixed>> {
        let Some(g) = &self.system.gravity else {
            return Ok(None);
        };
        let (alg, values, k, _) = self.parts(space);
        match values.vector(alg, k, g) {
            Ok(m) => Ok(Some(m)),
            Err(f) => Err(vec![f.at(crate::span::Span::default())]),
        }
    }

    /// Kinetic energy in terms of the speeds of a space.
    pub fn kinetic_energy(&mut self, space: Space) -> Expr {
        let given = self.given_kinetic(space);
        let (alg, _, k, masses) = self.parts(space);
        let twice: Expr = masses.iter().map(|m| m.twice_kinetic(k)).sum();
        let sum = twice / Expr::int(2) + given.unwrap_or_else(Expr::zero);
        alg.define("kinetic_energy", sum)
    }

    /// Potential energy of uniform gravity, `-sum m g.r`, and of the potentials; `None` if the direction of gravity depends on the motion.
    pub fn potential_energy(&mut self) -> diag::Result<Option<Expr>> {
        let given = self.energies.as_ref().map(|e| e.potential.clone());
        let given = given.unwrap_or_else(Expr::zero);
        let Some(g) = self.gravity(Space::Accelerations)? else {
            return Ok(Some(self.alg.define("potential_energy", given)));
        };
        let moving = |vars: &Vars, v| {
            vars.coords.contains(&v)
                || vars.rates.contains(&v)
                || v == vars.time
                || vars.is_external(v)
        };
        let vars = self.vars.clone();
        let (alg, values, k, masses) = self.parts(Space::Accelerations);
        let g = k.components(alg, &g, FrameId(0), "gravity");
        if g.iter().any(|e| alg.depends(e, &|v| moving(&vars, v))) {
            return Ok(None);
        }
        let mut terms = vec![given];
        if alg.is_closed() {
            for m in masses {
                let position = &k.points[m.center.index()].position;
                let r: Vec3 = k.components(alg, position, FrameId(0), "r");
                terms.push(-(&m.mass * vec3::dot(&g, &r)));
            }
        } else {
            let heights = recursive::heights(alg, values.system, k, &g);
            terms.extend((masses.iter()).map(|m| -(&m.mass * &heights[m.center.index()])));
        }
        Ok(Some(
            alg.define("potential_energy", terms.into_iter().sum()),
        ))
    }

    /// The Gibbs function `S = 1/2 integral |a|^2 dm`, whole, in terms of the speeds' rates of a space
    /// (Wang & Pao 13, with the terms free of s' but those of a kinetic energy that is given as such).
    pub fn gibbs_function(&mut self, space: Space) -> Expr {
        let given = self.given_gibbs(space);
        let (alg, values, k, masses) = self.parts(space);
        let dots = k.motion.dot_values(alg);
        let mut sum = given.unwrap_or_else(Expr::zero);
        let along = if alg.is_closed() {
            None
        } else {
            Some(recursive::Accelerations::new(alg, values.system, k, &dots))
        };
        for m in masses {
            let a = match &along {
                Some(along) => along.points[m.center.index()].clone(),
                None => k.acceleration(alg, m.center, &dots),
            };
            let a = k.define_vec(alg, a, &format!("a_{}", m.name));
            sum = sum + &m.mass * vec3::dot(&a, &a) / Expr::int(2);
            if let Some((f, inertia)) = &m.rotation {
                let fm = &k.frames[f.index()];
                let alpha = match &along {
                    Some(along) => along.frames[f.index()].clone(),
                    None => k.angular_acceleration(alg, *f, &dots),
                };
                let alpha = k.define_vec(alg, alpha, &format!("alpha_{}", m.name));
                let w = &fm.omega_value;
                let l = vec3::apply(inertia, w);
                let l = k.define_vec(alg, l, &format!("spin_{}", m.name));
                sum = sum
                    + vec3::dot(&alpha, &vec3::apply(inertia, &alpha)) / Expr::int(2)
                    + vec3::dot(&alpha, &vec3::cross(w, &l))
                    + vec3::dot(w, w) * vec3::dot(w, &l) / Expr::int(2);
            }
        }
        alg.name("gibbs_function", sum)
    }

    /// q'' where the rates of the speeds of a space are 0.
    pub fn bias_in(&mut self, space: Space) -> Vec<Expr> {
        let rates = self.kinematics(space).motion.speeds == self.vars.rates;
        if space == Space::Accelerations || rates {
            return vec![Expr::zero(); self.vars.rates.len()];
        }
        let motion = self.kinematics(space).motion.clone();
        if space == Space::Whole {
            return self.bias_of_motion(&motion, space);
        }
        let mut list = self.acceleration_bias();
        let mechanics = self.mechanics.clone();
        if let Some(spins) = mechanics.spins.as_ref().filter(|_| space == Space::Spins) {
            let mut flow = motion.flow(&self.alg, &self.vars, false);
            for &c in spins.angles.iter().flatten() {
                let name = format!("{}_ddot_0", self.system.coords[c].meta.name);
                let d = self.alg.derivative(&motion.rate_values[c], &mut flow);
                list[c] = self.alg.define(&name, d);
            }
            for c in spins.replaced() {
                if let Some((coords, spin)) = spins.of(c) {
                    let square = square(&self.alg, &motion, *spin);
                    list[c] = bias_of_part(&self.alg, &mechanics.vars, c, &square);
                    debug_assert!(coords.contains(&c));
                }
            }
        }
        list
    }

    /// The second derivative of a coordinate in terms of the rates of the speeds of a space.
    pub fn acceleration_in(&mut self, space: Space, c: usize) -> Expr {
        let bias = self.bias_in(space);
        let motion = &self.kinematics(space).motion;
        let terms = motion.rates[c].coef.iter();
        let sum: Expr = terms
            .map(|(k, h)| h * self.alg.var(motion.speed_dots[*k]))
            .sum();
        sum + &bias[c]
    }

    /// q'' at s' = 0, in terms of q, s, t.
    pub fn acceleration_bias(&mut self) -> Vec<Expr> {
        let motion = self.speeds.motion.clone();
        self.bias_of_motion(&motion, Space::SpeedRates)
    }

    fn bias_of_motion(&mut self, motion: &Motion, space: Space) -> Vec<Expr> {
        let mut flow = motion.flow(&self.alg, &self.vars, false);
        let names = self.system.coord_names("_ddot_0");
        let mut list = Vec::with_capacity(names.len());
        for (rate, name) in motion.rate_values.iter().zip(names) {
            let d = self.alg.derivative(rate, &mut flow);
            list.push(self.alg.define(&name, d));
        }
        self.bias_of_quaternions(motion, &mut list);
        self.bias_of_places(space, &mut list);
        list
    }

    /// Of coordinates that place a point whose velocity is given in other axes the bias is a vector product, turned.
    fn bias_of_places(&mut self, space: Space, list: &mut [Expr]) {
        let mechanics = self.mechanics.clone();
        let (vars, k) = (&mechanics.vars, in_space(&mechanics, space));
        let alg = &mut self.alg;
        for (f, place) in k.points.iter().flat_map(|p| &p.offset.parts) {
            let coords = place.each_ref().map(|e| {
                let own = alg.as_var(e)?;
                vars.coords.iter().position(|q| *q == own)
            });
            if coords.iter().all(Option::is_none) {
                continue;
            }
            let each = place.each_ref().map(|e| k.motion.rate_of(alg, vars, e));
            let own = Rate::own(alg, vars, k, *f, Linear::components(each));
            let Some(rate) = own.in_axes_of_speeds(alg, vars, k) else {
                continue;
            };
            let second = k.define_vec(alg, rate.second, "turned_rate");
            let second = k.express(alg, &second, rate.axes, *f, "turned_rate");
            for (c, e) in coords.into_iter().zip(second) {
                if let Some(c) = c
                    && alg.equal(&list[c], &e)
                {
                    list[c] = e;
                }
            }
        }
    }

    /// In angular velocities the rates of a quaternion are `1/2 E^T omega`, and at constant omega their derivatives are `-1/4 |omega|^2 e`.
    fn bias_of_quaternions(&mut self, motion: &Motion, list: &mut [Expr]) {
        let alg = &self.alg;
        for coords in self.mechanics.system.unit_quaternions() {
            let Some(spin) = motion.spin_of(alg, &self.mechanics.vars, coords) else {
                continue;
            };
            let square = square(alg, motion, spin);
            for c in coords {
                let short = bias_of_part(alg, &self.mechanics.vars, c, &square);
                if alg.equal(&list[c], &short) {
                    list[c] = short;
                }
            }
        }
    }

    /// An expression in q, q', t with the rates written in the state's speeds.
    pub fn in_speeds(&mut self, e: &Expr) -> Expr {
        if self.by_speeds.is_none() {
            return e.clone();
        }
        let Self { alg, mechanics } = self;
        let motion = &mechanics.speeds.motion;
        motion.express(alg, &mechanics.vars, e, "in_speeds")
    }
}

/// The square of an angular velocity that is made of these speeds.
fn square(alg: &Algebra, motion: &Motion, spin: [usize; 3]) -> Expr {
    let each = spin.iter().map(|k| alg.var(motion.speeds[*k]).powi(2));
    each.sum()
}

/// `-1/4 |omega|^2 e`
fn bias_of_part(alg: &Algebra, vars: &Vars, c: usize, square: &Expr) -> Expr {
    -(alg.var(vars.coords[c]) * square) / Expr::int(4)
}

/// Kinematics in the unknowns of a space.
fn in_space<'m>(mechanics: &'m Mechanics<'_>, space: Space) -> &'m Kinematics {
    let by_speeds = mechanics.by_speeds.as_ref().unwrap_or(&mechanics.by_rates);
    let spins = mechanics.spins.as_ref().map(|spins| &spins.kinematics);
    let whole = mechanics.whole.as_ref().map(|whole| &whole.kinematics);
    match space {
        Space::Accelerations => &mechanics.by_rates,
        Space::SpeedRates => by_speeds,
        Space::Spins => spins.unwrap_or(by_speeds),
        Space::Whole => whole.unwrap_or(&mechanics.by_rates),
    }
}
