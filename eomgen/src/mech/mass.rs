//! Mass properties: each body's mass, place, and inertia tensor about its mass centre in its own frame.

use super::Fault;
use super::kinematics::Kinematics;
use super::value::Values;
use super::vec3::{self, Mat3};
use crate::diag::Diagnostic;
use crate::model::system::{Body, FrameId, PointId, Rigid, Sign};
use crate::sym::{Algebra, Expr};

/// A particle or rigid body as the formulations see it.
#[derive(Clone, Debug)]
pub struct MassElement {
    /// The model's name.
    pub name: String,
    /// Mass.
    pub mass: Expr,
    /// Mass centre.
    pub center: PointId,
    /// Body frame and inertia tensor about the mass centre in it; `None` for a particle.
    pub rotation: Option<(FrameId, Mat3)>,
}

/// All bodies.
pub fn elements(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
) -> Result<Vec<MassElement>, Vec<Diagnostic>> {
    let mut list = Vec::new();
    let mut errors = Vec::new();
    for b in &values.system.bodies {
        match element(alg, values, k, b) {
            Ok(e) => list.push(e),
            Err(f) => errors.push(f.at(b.meta.span)),
        }
    }
    if errors.is_empty() {
        Ok(list)
    } else {
        Err(errors)
    }
}

/// One body.
pub fn element(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    b: &Body,
) -> Result<MassElement, Fault> {
    let mass = constant(alg, values, k, &b.mass, "mass")?;
    if alg.sign(&mass) == Some(Sign::Negative) {
        return Err(Fault::new(
            "E0114",
            &format!("the mass of `{}` is negative", b.meta.name),
            "the assumptions on its parameters make this negative",
            "for the effect of a counterweight use a `force`",
        ));
    }
    let rotation = match &b.rigid {
        None => None,
        Some(r) => Some((r.frame, central(alg, values, k, b, r, &mass)?)),
    };
    Ok(MassElement {
        name: b.meta.name.clone(),
        mass,
        center: b.center,
        rotation,
    })
}

fn constant(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    s: &crate::model::system::Scalar,
    what: &str,
) -> Result<Expr, Fault> {
    let e = values.scalar(alg, k, s)?;
    let vars = values.vars;
    let moving = |v| {
        v == vars.time
            || vars.coords.contains(&v)
            || vars.inputs.contains(&v)
            || k.motion.speeds.contains(&v)
            || k.motion.speed_dots.contains(&v)
    };
    if alg.depends(&e, &moving) {
        return Err(Fault::new(
            "E0115",
            &format!("the {what} of a body must be constant"),
            &format!("the {what} depends on time, coordinates or inputs"),
            "use numbers and parameters; for a body that loses mass, state the `kinetic` energy `m(t)*dot(v, v)/2` and the thrust of the expelled mass as a `force`",
        ));
    }
    Ok(if alg.is_closed() { alg.simplify(&e) } else { e })
}

fn central(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    b: &Body,
    r: &Rigid,
    mass: &Expr,
) -> Result<Mat3, Fault> {
    let mut entries = Vec::with_capacity(6);
    for e in &r.inertia {
        entries.push(constant(alg, values, k, e, "inertia")?);
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
            let mut e = vec3::zero();
            e[j] = Expr::one();
            k.express(alg, &e, r.axes, r.frame, "axes")
        });
        let turn = vec3::transpose(&columns);
        for e in turn.iter().flatten() {
            fixed(
                alg,
                values,
                e,
                "the axes of the inertia do not rotate with the body",
            )?;
        }
        tensor = vec3::product(&vec3::product(&turn, &tensor), &vec3::transpose(&turn));
    }
    if r.about != b.center {
        let mut d = k.points[r.about.index()].position.clone();
        d.add(&k.points[b.center.index()].position.scaled(&Expr::int(-1)));
        let c = values.components(alg, k, &d, r.frame, "about");
        for e in &c {
            fixed(
                alg,
                values,
                e,
                "the reference point of the inertia is not fixed in the body",
            )?;
        }
        let square = vec3::dot(&c, &c);
        for i in 0..3 {
            for j in 0..3 {
                let mut shift = -(&c[i] * &c[j]);
                if i == j {
                    shift = shift + &square;
                }
                tensor[i][j] = &tensor[i][j] - mass * shift;
            }
        }
    }
    Ok(tensor.map(|row| row.map(|e| if alg.is_closed() { alg.simplify(&e) } else { e })))
}

fn fixed(alg: &mut Algebra, values: &Values<'_>, e: &Expr, label: &str) -> Result<(), Fault> {
    let by_time = alg.partial(e, values.vars.time);
    let mut still = alg.is_zero(&by_time);
    for q in &values.vars.coords {
        let d = alg.partial(e, *q);
        still &= alg.is_zero(&d);
    }
    if still {
        Ok(())
    } else {
        Err(Fault::new(
            "E0306",
            "the inertia is not constant in the body",
            label,
            "state the inertia about a point, and in axes, fixed in the body",
        ))
    }
}
