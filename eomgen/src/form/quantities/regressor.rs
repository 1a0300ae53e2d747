//! The equations of motion as linear in parameters: a column of generalized forces for each inertial parameter of a body about a point and in axes that are
//! fixed in it, for each parameter of a stated kinetic energy, and for each parameter of loads (Gautier & Khalil 1990). Knows nothing of which columns are
//! independent.
//!
//! With a and alpha of the reference point and the body, `b = a - g` and `S = [alpha x] + [omega x]^2`, the parameters of a body have the wrench
//! `f = m b + S h`, `n = h x b + J alpha + omega x J omega`, which the partial velocities project on the speeds.

use super::{Quantities, speed_names};
use crate::catalogue;
use crate::diag::codes::quantities::{E0586, E0594};
use crate::diag::{self, Diagnostic};
use crate::facts::Fact;
use crate::form::recursive::Accelerations;
use crate::form::{Context, Space, Table};
use crate::mech::kinematics::Kinematics;
use crate::mech::mass::MassElement;
use crate::mech::vec3::{self, Mat3, Vec3};
use crate::model::system::{FrameId, PointId};
use crate::sym::{Class, Expr, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A parameter with its column.
#[derive(Clone, Debug)]
pub struct Column {
    /// `lower.Jzz`, or the name of the model's parameter.
    pub name: String,
    /// Its value by the model's parameters.
    pub value: Expr,
    /// An entry for each speed.
    pub entries: Vec<Expr>,
}

/// The inertial parameters with their columns.
#[derive(Clone, Debug)]
pub struct Regressor {
    /// In the order of the bodies, then those of stated kinetic energies.
    pub columns: Vec<Column>,
    /// Bodies, each with its reference point.
    pub about: Vec<(String, String)>,
    /// Symbols of the rates of the speeds.
    pub rates: Vec<Var>,
    /// On how many speeds the body of each column depends.
    pub depths: Vec<usize>,
    /// The inertia of stated kinetic energies that belongs to no column.
    rest: Vec<Expr>,
}

/// The parameters of loads with their columns.
#[derive(Clone, Debug)]
pub struct LoadRegressor {
    columns: Vec<Column>,
    /// What acts beside them, with the sign of an applied force.
    known: Vec<Expr>,
}

/// The parameters of a rigid body after its mass, in the order of their columns.
pub const OF_BODY: [&str; 10] = [
    "m", "mx", "my", "mz", "Jxx", "Jyy", "Jzz", "Jxy", "Jyz", "Jzx",
];

/// Where each entry of the inertia stands in the matrix.
const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

impl Quantities {
    /// One of the quantities of this file; `None` for any other name.
    pub(super) fn identification(
        &mut self,
        c: &mut Context<'_>,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        let Some(known) = catalogue::IDENTIFICATION.iter().find(|q| q.name == name) else {
            return Ok(None);
        };
        let name = known.name;
        Ok(Some(match name {
            "regressor" => {
                let regressor = self.regressor(c)?;
                let rows = speed_names(c);
                let table = matrix(name, rows, &regressor.columns);
                regressor.tell(table).taking(&regressor.rates)
            }
            "inertial_parameters" => {
                let regressor = self.regressor(c)?;
                let names = regressor.names();
                let values = regressor.columns.iter().map(|own| own.value.clone());
                let table = Table::vector(name, names, values.collect());
                regressor.tell(table)
            }
            "load_regressor" => {
                let loads = self.load_regressor(c)?;
                let rows = speed_names(c);
                let fact = Fact::Columns(names(&loads.columns));
                matrix(name, rows, &loads.columns).stating(fact)
            }
            "load_parameters" => {
                let loads = self.load_regressor(c)?;
                let names = names(&loads.columns);
                let values = loads.columns.iter().map(|own| own.value.clone());
                Table::vector(name, names.clone(), values.collect()).stating(Fact::Columns(names))
            }
            "known_forces" => {
                let regressor = self.regressor(c).map(Some).or_else(or_none)?;
                let loads = self.load_regressor(c).map(Some).or_else(or_none)?;
                let known = match (&loads, &regressor) {
                    (Some(loads), _) => loads.known.clone(),
                    (None, None) => applied(c)?,
                    (None, Some(own)) => {
                        let pairs = applied(c)?.into_iter().zip(&own.rest);
                        pairs.map(|(force, inertia)| force - inertia).collect()
                    }
                };
                let loads = loads.map_or_else(Vec::new, |loads| names(&loads.columns));
                let stated = regressor
                    .as_ref()
                    .map_or_else(Vec::new, Regressor::own_names);
                let about = regressor
                    .as_ref()
                    .map_or_else(Vec::new, |own| own.about.clone());
                let rates = regressor.map_or_else(Vec::new, |regressor| regressor.rates);
                let rows = speed_names(c);
                Table::vector(name, rows, known)
                    .stating(Fact::Identified(stated, loads))
                    .stating(Fact::ReferencePoints(about))
                    .taking(&rates)
            }
            // Those of the base take numbers.
            _ => return Ok(None),
        }))
    }

    /// The inertial parameters with their columns.
    pub fn regressor(&mut self, c: &mut Context<'_>) -> diag::Result<Regressor> {
        if let Some(known) = &self.regressor {
            return Ok(known.clone());
        }
        let regressor = Regressor::derive(c)?;
        self.regressor = Some(regressor.clone());
        Ok(regressor)
    }

    /// The parameters of loads with their columns.
    fn load_regressor(&mut self, c: &mut Context<'_>) -> diag::Result<LoadRegressor> {
        let inertial = match self.regressor(c) {
            Ok(own) => own.rest,
            Err(_) => vec![Expr::zero(); speed_names(c).len()],
        };
        let applied = applied(c)?;
        let pairs = inertial.iter().zip(&applied);
        let missing: Vec<Expr> = pairs.map(|(a, b)| a - b).collect();
        let mut besides = geometry(c);
        let in_rest = |p: &Var| inertial.iter().any(|e| c.alg.depends(e, &|v| v == *p));
        besides.extend(c.vars.params.iter().copied().filter(in_rest));
        let (columns, rest) = linear_in(c, &missing, &besides, "load_regressor");
        if columns.is_empty() {
            return Err(vec![without(
                c,
                "load_regressor",
                "no load is linear in a parameter",
            )]);
        }
        let known = rest.iter().map(|e| -e).collect();
        Ok(LoadRegressor { columns, known })
    }
}

/// A quantity that need not be there.
fn or_none<T>(errors: Vec<Diagnostic>) -> diag::Result<Option<T>> {
    if errors.iter().all(|d| d.code == E0594) {
        Ok(None)
    } else {
        Err(errors)
    }
}

impl Regressor {
    fn derive(c: &mut Context<'_>) -> diag::Result<Self> {
        let dots = c.kinematics(Space::SpeedRates).motion.speed_dots.clone();
        let names: Vec<String> = dots.iter().map(|v| c.alg.info(*v).name.clone()).collect();
        let symbol = |name: &String| c.alg.base(name, Class::Acceleration, None);
        let rates: Vec<Var> = names.iter().map(symbol).collect();
        let values: Vec<Expr> = rates.iter().map(|v| c.alg.var(*v)).collect();
        let mut found = Self {
            columns: Vec::new(),
            about: Vec::new(),
            rates,
            depths: Vec::new(),
            rest: vec![Expr::zero(); dots.len()],
        };
        let gravity = c.gravity(Space::SpeedRates)?;
        let (alg, _, k, _) = c.parts(Space::SpeedRates);
        let gravity = gravity.map(|g| k.components(alg, &g, FrameId(0), "gravity"));
        let system = c.system;
        let (alg, _, k, _) = c.parts(Space::SpeedRates);
        let along = if alg.is_closed() {
            None
        } else {
            Some(Accelerations::new(alg, system, k, &values))
        };
        let motion = Along {
            rates: values,
            gravity,
            along,
        };
        for m in c.masses.clone() {
            found.body(c, &motion, &m);
        }
        found.stated(c, &motion.rates);
        if found.columns.is_empty() {
            return Err(vec![without(
                c,
                "regressor",
                "nothing in the model has inertia in a parameter",
            )]);
        }
        Ok(found)
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        names(&self.columns)
    }

    /// The names of those that are parameters of the model itself.
    fn own_names(&self) -> Vec<String> {
        let of_body = |name: &str| {
            let mut bodies = self.about.iter();
            bodies.any(|(body, _)| name.strip_prefix(body).is_some_and(|n| n.starts_with('.')))
        };
        let own = self.columns.iter().filter(|column| !of_body(&column.name));
        own.map(|column| column.name.clone()).collect()
    }

    /// With what the columns are of.
    pub fn tell(&self, table: Table) -> Table {
        table
            .stating(Fact::Columns(self.names()))
            .stating(Fact::ReferencePoints(self.about.clone()))
    }

    /// The columns of a body.
    fn body(&mut self, c: &mut Context<'_>, motion: &Along, m: &MassElement) {
        let k = c.kinematics(Space::SpeedRates);
        let at = reference(c, k, m);
        let own = &c.system.points[at.index()].meta.name;
        let center = at == m.center || own.is_empty();
        let place = if center { m.name.clone() } else { own.clone() };
        self.about.push((m.name.clone(), place));
        let p = &k.points[at.index()];
        let frame = m.rotation.as_ref().map_or(p.frame, |(f, _)| *f);
        let b = motion.free_acceleration(c, at, frame, &m.name);
        let partials = moved(c, at, frame, &m.name);
        let turning = match &m.rotation {
            None => BTreeMap::new(),
            Some((f, _)) => {
                let (alg, _, k, _) = c.parts(Space::SpeedRates);
                k.turning(alg, *f).coef.clone()
            }
        };
        let before = self.columns.len();
        self.push(c, format!("{}.m", m.name), &m.mass, |j| {
            partials.get(&j).map(|v| vec3::dot(v, &b))
        });
        if let Some((f, inertia)) = &m.rotation {
            let (arm, about) = properties(c, m, at, *f, inertia);
            let (spin, torques) = motion.spin(c, *f, &m.name);
            for axis in 0..3 {
                let name = format!("{}.{}", m.name, OF_BODY[1 + axis]);
                let force: Vec3 = std::array::from_fn(|i| spin[i][axis].clone());
                let torque = vec3::cross(&vec3::unit(axis), &b);
                self.push(c, name, &(&m.mass * &arm[axis]), |j| {
                    let along = partials.get(&j).map(|v| vec3::dot(v, &force));
                    let about = turning.get(&j).map(|w| vec3::dot(w, &torque));
                    sum(along, about)
                });
            }
            for ((torque, (i, j)), part) in torques.iter().zip(PLACES).zip(&OF_BODY[4..]) {
                let name = format!("{}.{part}", m.name);
                self.push(c, name, &about[i][j], |s| {
                    turning.get(&s).map(|w| vec3::dot(w, torque))
                });
            }
        }
        let mut speeds: Vec<usize> = partials.keys().chain(turning.keys()).copied().collect();
        speeds.sort_unstable();
        speeds.dedup();
        let added = self.columns.len() - before;
        self.depths.extend(vec![speeds.len(); added]);
    }

    fn push(
        &mut self,
        c: &mut Context<'_>,
        name: String,
        value: &Expr,
        entry: impl Fn(usize) -> Option<Expr>,
    ) {
        let speeds = speed_names(c);
        let mut entries = Vec::with_capacity(speeds.len());
        for (j, speed) in speeds.iter().enumerate() {
            entries.push(match entry(j) {
                None => Expr::zero(),
                Some(e) => c.alg.define(&format!("regressor_{speed}_{name}"), e),
            });
        }
        let value = c.alg.define(&name, value.clone());
        self.columns.push(Column {
            name,
            value,
            entries,
        });
    }

    /// The columns of stated kinetic energies.
    fn stated(&mut self, c: &mut Context<'_>, rates: &[Expr]) {
        let Some(inertia) = c.given_inertia(Space::SpeedRates) else {
            return;
        };
        let rows = inertia.mass.iter().zip(&inertia.rest);
        let own: Vec<Expr> = rows
            .map(|(row, rest)| {
                let products = row.iter().zip(rates).map(|(m, u)| m * u);
                products.sum::<Expr>() + rest
            })
            .collect();
        let besides = geometry(c);
        let (columns, rest) = linear_in(c, &own, &besides, "regressor");
        self.depths.extend(vec![0; columns.len()]);
        self.columns.extend(columns);
        self.rest = rest;
    }
}

fn sum(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|own| own.name.clone()).collect()
}

/// Columns as a matrix.
pub fn matrix(name: &'static str, rows: Vec<String>, columns: &[Column]) -> Table {
    let row = |i: usize| columns.iter().map(|own| own.entries[i].clone()).collect();
    let entries = (0..rows.len()).map(row).collect();
    Table::matrix(name, rows, names(columns), entries)
}

/// A motion with given rates of the speeds.
struct Along {
    rates: Vec<Expr>,
    /// In N.
    gravity: Option<Vec3>,
    along: Option<Accelerations>,
}

impl Along {
    /// `a - g` of a point, by components in a frame.
    fn free_acceleration(
        &self,
        c: &mut Context<'_>,
        at: PointId,
        frame: FrameId,
        body: &str,
    ) -> Vec3 {
        let (alg, _, k, _) = c.parts(Space::SpeedRates);
        let p = &k.points[at.index()];
        let a = match &self.along {
            Some(along) => along.points[at.index()].clone(),
            None => k.acceleration(alg, at, &self.rates),
        };
        let name = format!("free_acceleration_{body}");
        let mut a = k.express(alg, &a, p.frame, frame, &name);
        if let Some(g) = &self.gravity {
            let g = k.express(alg, g, FrameId(0), frame, &format!("gravity_{body}"));
            a = std::array::from_fn(|i| &a[i] - &g[i]);
        }
        k.define_vec(alg, a, &name)
    }

    /// `[alpha x] + [omega x]^2`, and `J alpha + omega x J omega` for each entry of J.
    fn spin(&self, c: &mut Context<'_>, f: FrameId, body: &str) -> (Mat3, Vec<Vec3>) {
        let (alg, _, k, _) = c.parts(Space::SpeedRates);
        let frame = &k.frames[f.index()];
        let alpha = match &self.along {
            Some(along) => along.frames[f.index()].clone(),
            None => k.angular_acceleration(alg, f, &self.rates),
        };
        let alpha = k.define_vec(alg, alpha, &format!("alpha_{body}"));
        let omega = frame.omega_value.clone();
        let columns: [Vec3; 3] = std::array::from_fn(|axis| {
            let e = vec3::unit(axis);
            let turned = vec3::cross(&omega, &vec3::cross(&omega, &e));
            let column = vec3::add(&vec3::cross(&alpha, &e), &turned);
            k.define_vec(alg, column, &format!("spin_{body}"))
        });
        let torques = PLACES.iter().map(|(i, j)| {
            let unit = |v: &Vec3| -> Vec3 {
                let mut out = vec3::zero();
                out[*i] = v[*j].clone();
                out[*j] = v[*i].clone();
                out
            };
            let torque = vec3::add(&unit(&alpha), &vec3::cross(&omega, &unit(&omega)));
            k.define_vec(alg, torque, &format!("torque_{body}"))
        });
        let torques = torques.collect();
        (vec3::transpose(&columns), torques)
    }
}

/// Partial velocities of a point, by components in a frame.
fn moved(c: &mut Context<'_>, at: PointId, frame: FrameId, body: &str) -> BTreeMap<usize, Vec3> {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let p = &k.points[at.index()];
    let mut all = BTreeMap::new();
    for (j, v) in &k.moving(alg, at).coef {
        let v = k.express(alg, v, p.frame, frame, &format!("partial_{body}"));
        all.insert(*j, v);
    }
    all
}

/// The place of the mass centre from the reference point, and the inertia about that.
fn properties(
    c: &mut Context<'_>,
    m: &MassElement,
    at: PointId,
    f: FrameId,
    inertia: &Mat3,
) -> (Vec3, Mat3) {
    if at == m.center {
        return (vec3::zero(), inertia.clone());
    }
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let (from, to) = (&k.points[at.index()], &k.points[m.center.index()]);
    let arm = to.position.clone().minus(&from.position);
    let arm = k.components(alg, &arm, f, "arm");
    let arm = arm.map(|e| alg.simplify(&e));
    let square = vec3::dot(&arm, &arm);
    let about = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut shift = -(&arm[i] * &arm[j]);
            if i == j {
                shift = shift + &square;
            }
            alg.simplify(&(&inertia[i][j] + &m.mass * shift))
        })
    });
    (arm, about)
}

/// The point of a body nearest to what carries it: the last that is fixed in the body, going back from its mass centre.
fn reference(c: &Context<'_>, k: &Kinematics, m: &MassElement) -> PointId {
    let Some((f, _)) = &m.rotation else {
        return m.center;
    };
    let mut bodies = c.system.bodies.iter().filter(|b| b.meta.name == m.name);
    let about = bodies.find_map(|b| b.rigid.as_ref()).map(|r| r.about);
    if let Some(about) = about.filter(|about| *about != m.center) {
        return about;
    }
    let mut at = m.center;
    loop {
        let p = &k.points[at.index()];
        let fixed = p.relative.is_zero() && p.offset.parts.keys().all(|g| rigid(k, *g, *f));
        match p.base {
            Some(base) if fixed => at = base,
            _ => return at,
        }
    }
}

/// Whether two frames do not move in each other.
fn rigid(k: &Kinematics, a: FrameId, b: FrameId) -> bool {
    let carrier = |mut f: FrameId| {
        while let Some(parent) = k.frames[f.index()].parent {
            if !k.frames[f.index()].relative.is_zero() {
                break;
            }
            f = parent;
        }
        f
    };
    carrier(a) == carrier(b)
}

/// Generalized forces of loads, potentials and non-ideal constraints, without the weight.
fn applied(c: &mut Context<'_>) -> diag::Result<Vec<Expr>> {
    if c.coupled {
        let title = "the loads of this model depend on reactions, which the motion alone does not determine";
        let error = Diagnostic::error(E0586, title, c.system.whole(), "of this model");
        return Err(vec![error.help("omit the output")]);
    }
    let given = c.given_forces(Space::SpeedRates);
    let system = c.system;
    let (alg, values, k, _) = c.parts(Space::SpeedRates);
    let mut q = values.generalized_forces(alg, k, &system.loads)?;
    let nonideal = values.generalized_forces(alg, k, &system.nonideal)?;
    for (q, own) in q.iter_mut().zip(given.iter().flatten()) {
        *q = &*q + own;
    }
    for (q, own) in q.iter_mut().zip(&nonideal) {
        *q = &*q + own;
    }
    Ok(q)
}

/// Parameters on which places or speeds depend: what they multiply is not known where they are not.
fn geometry(c: &mut Context<'_>) -> Vec<Var> {
    let Context { alg, mechanics } = c;
    let k = mechanics.by_speeds.as_ref().unwrap_or(&mechanics.by_rates);
    let mut shown: Vec<&Expr> = Vec::new();
    for m in &mechanics.masses {
        let p = &k.points[m.center.index()];
        shown.extend(k.moving(alg, m.center).coef.values().flatten());
        shown.extend(&p.acceleration_bias);
    }
    for rate in &k.motion.rates {
        shown.extend(rate.coef.values());
    }
    for row in &mechanics.constraints.rows {
        shown.extend(&row.a);
    }
    let params = mechanics.vars.params.iter().copied();
    params
        .filter(|p| shown.iter().any(|e| alg.depends(e, &|v| v == *p)))
        .collect()
}

/// Splits rows that are linear in some parameters: those with their columns, each parameter in the order of the model that is linear beside those before it,
/// and what is left.
fn linear_in(
    c: &mut Context<'_>,
    rows: &[Expr],
    besides: &[Var],
    name: &str,
) -> (Vec<Column>, Vec<Expr>) {
    let mut columns: Vec<(Var, Column)> = Vec::new();
    for p in c.vars.params.clone() {
        if besides.contains(&p) || !rows.iter().any(|e| c.alg.depends(e, &|v| v == p)) {
            continue;
        }
        let slopes: Vec<Expr> = rows.iter().map(|e| c.alg.partial(e, p)).collect();
        let chosen = columns.iter().map(|(own, _)| *own).chain([p]);
        let alone = chosen.collect::<Vec<_>>().into_iter().all(|own| {
            slopes.iter().all(|e| {
                let again = c.alg.partial(e, own);
                c.alg.is_zero(&again)
            })
        });
        let label = c.alg.info(p).name.clone();
        let mut entries = Vec::with_capacity(slopes.len());
        for e in slopes {
            entries.push(c.alg.define(&format!("{name}_{label}"), e));
        }
        if alone && entries.iter().any(|e| !e.is_literal_zero()) {
            let value = c.alg.var(p);
            let column = Column {
                name: label,
                value,
                entries,
            };
            columns.push((p, column));
        }
    }
    let zero: BTreeMap<Var, Expr> = columns.iter().map(|(p, _)| (*p, Expr::zero())).collect();
    let mut memo = FxHashMap::default();
    let mut rest = Vec::with_capacity(rows.len());
    for e in rows {
        let left = c.alg.restrict(e, &zero, &mut memo);
        rest.push(c.alg.define(&format!("{name}_rest"), left));
    }
    (
        columns.into_iter().map(|(_, column)| column).collect(),
        rest,
    )
}

fn without(c: &Context<'_>, name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        E0594,
        format!("there is no `{name}`: {why}"),
        c.system.whole(),
        "no parameter is a factor of a term of its own",
    )
    .help("omit it, or give the model parameters in the place of numbers")
}
