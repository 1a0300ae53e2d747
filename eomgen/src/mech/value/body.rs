//! Masses, inertia tensors, momenta and energies of bodies.

use super::{Evaluator, Values};
use crate::diag;
use crate::mech::Fault;
use crate::mech::kinematics::Kinematics;
use crate::mech::mass::MassElement;
use crate::mech::mixed::Mixed;
use crate::mech::vec3::{self, Mat3};
use crate::model::system::{Body, Rigid, Scalar, Sign};
use crate::sym::{Algebra, Expr};

impl Values<'_> {
    /// All bodies.
    pub fn bodies(&self, alg: &mut Algebra, k: &Kinematics) -> diag::Result<Vec<MassElement>> {
        let (mut list, mut errors) = (Vec::new(), Vec::new());
        for b in &self.system.bodies {
            match self.with(alg, k).mass_element(b) {
                Ok(e) => list.push(e),
                Err(f) => errors.push(f.at(b.meta.span)),
            }
        }
        diag::unless_wrong(list, errors)
    }
}

impl Evaluator<'_, '_> {
    /// The body of that number.
    pub fn body(&mut self, body: usize) -> Result<MassElement, Fault> {
        let body = self.values.system.bodies.get(body);
        let body =
            body.ok_or_else(|| Fault::internal("a body is asked for that does not exist"))?;
        self.mass_element(body)
    }

    /// m v of the mass centre.
    pub fn momentum(&self, m: &MassElement) -> Result<Mixed, Fault> {
        let p = self.k.point(m.center)?;
        Ok(Mixed::single(
            p.frame,
            vec3::scale(&m.mass, &p.velocity_value),
        ))
    }

    /// I omega about the mass centre.
    pub fn spin(&self, m: &MassElement) -> Result<Mixed, Fault> {
        let Some((f, inertia)) = &m.rotation else {
            return Ok(Mixed::default());
        };
        let w = &self.k.frame(*f)?.omega_value;
        Ok(Mixed::single(*f, vec3::apply(inertia, w)))
    }

    pub(super) fn kinetic(&mut self, body: usize) -> Result<Expr, Fault> {
        let m = self.body(body)?;
        let half = m.twice_kinetic(self.k) / Expr::int(2);
        Ok(self.alg.define(&format!("kinetic_{}", m.name), half))
    }

    fn mass_element(&mut self, b: &Body) -> Result<MassElement, Fault> {
        let mass = self.constant(&b.mass, "mass")?;
        if self.alg.sign(&mass) == Some(Sign::Negative) {
            return Err(Fault::new(
                "E0114",
                &format!("the mass of `{}` is negative", b.meta.name),
                "the assumptions on its parameters make this negative",
                "for the effect of a counterweight use a `force`",
            ));
        }
        let rotation = match &b.rigid {
            None => None,
            Some(r) => Some((r.frame, self.central(b, r, &mass)?)),
        };
        Ok(MassElement {
            name: b.meta.name.clone(),
            mass,
            center: b.center,
            rotation,
        })
    }

    fn simplified(&mut self, e: Expr) -> Expr {
        if self.alg.is_closed() {
            self.alg.simplify(&e)
        } else {
            e
        }
    }

    fn constant(&mut self, s: &Scalar, what: &str) -> Result<Expr, Fault> {
        let e = self.scalar(s)?;
        let (vars, motion) = (self.values.vars, &self.k.motion);
        let moving = |v| {
            v == vars.time
                || vars.coords.contains(&v)
                || vars.is_external(v)
                || motion.speeds.contains(&v)
                || motion.speed_dots.contains(&v)
        };
        if self.alg.depends(&e, &moving) {
            return Err(Fault::new(
                "E0115",
                &format!("the {what} of a body must be constant"),
                &format!("the {what} depends on time, coordinates or inputs"),
                "use numbers and parameters; for a body that loses mass, state the `kinetic` energy `m(t)*dot(v, v)/2` and the thrust of the expelled mass as a `force`",
            ));
        }
        Ok(self.simplified(e))
    }

    /// The inertia tensor about the mass centre in the axes of the body's frame.
    fn central(&mut self, b: &Body, r: &Rigid, mass: &Expr) -> Result<Mat3, Fault> {
        let mut entries = Vec::with_capacity(6);
        for e in &r.inertia {
            entries.push(self.constant(e, "inertia")?);
        }
        let [xx, yy, zz, xy, yz, zx] = <[Expr; 6]>::try_from(entries)
            .map_err(|_| Fault::internal("expected six inertia entries"))?;
        let mut tensor: Mat3 = [
            [xx, xy.clone(), zx.clone()],
            [xy, yy, yz.clone()],
            [zx, yz, zz],
        ];
        if r.axes != r.frame {
            let columns: [vec3::Vec3; 3] = std::array::from_fn(|j| {
                let axis = vec3::unit(j);
                self.k.express(self.alg, &axis, r.axes, r.frame, "axes")
            });
            let rotation = vec3::transpose(&columns);
            for e in rotation.iter().flatten() {
                self.fixed(e, "the axes of the inertia do not rotate with the body")?;
            }
            let rotated = vec3::product(&rotation, &tensor);
            tensor = vec3::product(&rotated, &vec3::transpose(&rotation));
        }
        if r.about != b.center {
            let arm = self.k.arm(b.center, r.about)?;
            let c = self.k.components(self.alg, &arm, r.frame, "about");
            for e in &c {
                self.fixed(
                    e,
                    "the reference point of the inertia is not fixed in the body",
                )?;
            }
            tensor = shifted(&tensor, mass, &c);
        }
        Ok(tensor.map(|row| row.map(|e| self.simplified(e))))
    }

    fn fixed(&mut self, e: &Expr, label: &str) -> Result<(), Fault> {
        if self.is_fixed(e) {
            return Ok(());
        }
        Err(Fault::new(
            "E0306",
            "the inertia is not constant in the body",
            label,
            "state the inertia about a point, and in axes, fixed in the body",
        ))
    }

    /// Whether an expression in q and t never changes.
    pub fn is_fixed(&mut self, e: &Expr) -> bool {
        let vars = self.values.vars;
        std::iter::once(&vars.time).chain(&vars.coords).all(|v| {
            let d = self.alg.partial(e, *v);
            self.alg.is_zero(&d)
        })
    }
}

/// By the parallel-axis theorem from a point at `c` to the mass centre.
fn shifted(tensor: &Mat3, mass: &Expr, c: &vec3::Vec3) -> Mat3 {
    let square = vec3::dot(c, c);
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut shift = -(&c[i] * &c[j]);
            if i == j {
                shift = shift + &square;
            }
            &tensor[i][j] - mass * shift
        })
    })
}
