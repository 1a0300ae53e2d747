//! What a machine does at a state, from Gauss's principle: of all accelerations that the constraints allow, the true ones minimise
//! `1/2 integral of |a - F/m|^2 dm`. Positions are differentiated as series, forces by the power of small displacements, and the system
//! is solved in 57 digits. Nothing of it is shared with the library.

use super::expr::{Expr, name};
use super::linear::{
    Matrix, Solutions, inner, largest, solve, solve_above, solve_unscaled, times, transposed_times,
    zeros,
};
use super::machine::{Load, Machine, Place, Reaction, Statement, Turn};
use super::motion::{Bend, Instant, Mass, Model, Value};
use super::number::{Dual, Field, Real};
use super::series::{FULL, Series, Vector, dot, minus, norm};
use std::collections::BTreeMap;

/// A state in many digits.
#[derive(Clone, Debug)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates, in the order of the machine.
    pub q: Vec<Real>,
    /// Their rates.
    pub v: Vec<Real>,
    /// Inputs by name.
    pub inputs: BTreeMap<String, f64>,
}

/// Everything that a module may be asked for, by the oracle.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// q'' by coordinate.
    pub accelerations: Vec<f64>,
    /// q' by coordinate.
    pub rates: Vec<f64>,
    /// Multipliers by row, in order; of minimum norm.
    pub multipliers: Vec<(String, f64)>,
    /// Rates of declared speeds.
    pub speed_rates: BTreeMap<String, f64>,
    /// `A^T lambda`
    pub ideal: Vec<f64>,
    /// Generalized non-ideal forces as prescribed.
    pub prescribed: Vec<f64>,
    /// T
    pub kinetic: f64,
    /// V
    pub potential: f64,
    /// S; nothing if energies are given directly.
    pub gibbs: Option<f64>,
    /// Outputs and declared reactions by name.
    pub outputs: BTreeMap<String, Vec<f64>>,
    /// `A`, rows as in the model.
    pub rows: Vec<Vec<f64>>,
    /// `b`
    pub right: Vec<f64>,
    /// Right-hand side of the coordinates: applied forces less velocity terms, without what is prescribed as non-ideal.
    pub force: Vec<f64>,
    /// Mass matrix of the coordinates.
    pub mass: Vec<Vec<f64>>,
    /// The smallest pivot on the way, relative to the largest.
    pub smallest: f64,
    /// Rank of the rows.
    pub rank: usize,
}

/// Why there are no numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Nothing {
    /// The machine has no accelerations at this state, or more than one.
    Singular(&'static str),
    /// A constraint, an expression or a state that the oracle cannot follow.
    Failed(String),
}

impl From<String> for Nothing {
    fn from(message: String) -> Self {
        Nothing::Failed(message)
    }
}

/// A constraint row along a motion.
pub struct Row {
    /// Its name: of the constraint, with a component.
    pub name: String,
    /// The constraint and the component's number.
    pub key: (String, usize),
    /// `lhs - rhs` along the motion.
    pub series: Series<Real>,
}

impl Row {
    /// 0 for positions, 1 for velocities, 2 for accelerations.
    pub fn level(&self) -> usize {
        FULL - self.series.c.len()
    }

    /// What must vanish: affine in the accelerations.
    fn last(&self) -> Real {
        let factor = [1.0, 1.0, 2.0][self.series.c.len() - 1];
        match self.series.c.last() {
            Some(c) => c.mul(&Real::of(factor)),
            None => Real::zero(),
        }
    }
}

/// A machine with its oracle.
pub struct Oracle {
    /// The statements.
    pub model: Model,
    /// Declared reactions of definitions.
    bends: Vec<Declared>,
}

/// A reaction that holds a point or a frame in its place: it is found by letting that give way.
pub(super) struct Declared {
    name: String,
    of: String,
    along: Expr,
}

type Found<T> = Result<T, String>;

/// What changes with each acceleration, and what does not depend on any.
pub(super) struct Equations {
    /// Inertia: displacements by coordinates.
    pub(super) mass: Matrix,
    /// Applied forces less velocity terms, by displacement.
    pub(super) force: Vec<Real>,
    /// Prescribed non-ideal forces, by displacement.
    pub(super) nonideal: Vec<Real>,
    /// Loads by multiplier: displacements by rows.
    pub(super) friction: Matrix,
    /// Rows by displacements.
    pub(super) rows: Matrix,
    /// b
    pub(super) right: Vec<Real>,
    /// Which rows say that a quaternion has length 1: they belong to how a rotation is described, and hold nothing.
    pub(super) norms: Vec<bool>,
}

fn number_of(v: &Vector<Real>) -> [Real; 3] {
    [0, 1, 2].map(|i| v[i].now().clone())
}

fn second(v: &Vector<Real>) -> Option<[Real; 3]> {
    let two = Real::of(2.0);
    let entry = |i: usize| v[i].c.get(2).map(|c| c.mul(&two));
    Some([entry(0)?, entry(1)?, entry(2)?])
}

/// Directions of such lengths that each would have about the same inertia if coordinates did not act together: what is small in a matrix of
/// theirs is small because they nearly cancel, and not because of a unit. They are scaled by powers of two, which changes no digit.
fn equal_in_inertia(mass: &Matrix, directions: &[Vec<Real>]) -> Vec<Vec<Real>> {
    let own: Vec<f64> = (0..mass.len()).map(|i| mass[i][i].to_f64().abs()).collect();
    let most = own.iter().fold(0.0_f64, |m, x| m.max(*x));
    let scaled = |d: &Vec<Real>| {
        let squares = d.iter().zip(&own).map(|(x, m)| {
            let x = x.to_f64();
            // What has no inertia of its own moves along with something that has.
            m.max(1e-12 * most) * x * x
        });
        let total = squares.sum::<f64>().sqrt();
        if total <= 0.0 {
            return d.clone();
        }
        let factor = 2.0_f64.powi(-(total.log2().round() as i32));
        d.iter().map(|x| x.mul(&Real::of(factor))).collect()
    };
    directions.iter().map(scaled).collect()
}

fn difference(a: &[Real; 3], b: &[Real; 3]) -> [Real; 3] {
    [0, 1, 2].map(|i| a[i].sub(&b[i]))
}

impl Oracle {
    /// Reads a machine.
    pub fn new(machine: &Machine) -> Self {
        let model = Model::new(machine);
        let mut bends = Vec::new();
        for s in &model.statements {
            let Statement::Reaction { name, what } = s else {
                continue;
            };
            if let Reaction::Definition(of, along) = what {
                let of = match model.find(of) {
                    Some(Statement::Particle { at, .. }) => at.clone(),
                    Some(Statement::Body { frame, .. }) => frame.clone(),
                    _ => of.clone(),
                };
                bends.push(Declared {
                    name: name.clone(),
                    of,
                    along: along.clone(),
                });
            }
        }
        Self { model, bends }
    }

    pub(super) fn coordinates(&self) -> usize {
        self.model.coordinates.len()
    }

    /// An instant with these second derivatives, and perhaps a place that gives way with a unit of acceleration.
    pub(super) fn instant(
        &self,
        state: &State,
        accelerations: &[Real],
        bend: Option<&Declared>,
    ) -> Instant<'_, Real> {
        let half = Real::of(0.5);
        let series = |i: usize| Series {
            c: vec![
                state.q[i].clone(),
                state.v[i].clone(),
                accelerations[i].mul(&half),
            ],
        };
        let names = self.model.coordinates.iter().enumerate();
        let q = names.map(|(i, n)| (n.clone(), series(i))).collect();
        let mut t: Series<Real> = Series::number(state.t);
        t.c[1] = Real::of(1.0);
        let mut instant = Instant::new(&self.model, t, q);
        instant.inputs.clone_from(&state.inputs);
        instant.bend = bend.map(|b| Bend {
            of: b.of.clone(),
            along: b.along.clone(),
            by: Series {
                c: vec![Real::zero(), Real::zero(), Real::of(0.5)],
            },
        });
        instant
    }

    /// An instant at which one displacement has an infinitesimal part, of the given coefficients.
    fn varied(
        &self,
        state: &State,
        accelerations: &[Real],
        direction: usize,
        coefficients: [f64; 3],
    ) -> Instant<'_, Dual> {
        let plain = |r: &Real, part: f64| Dual {
            real: r.clone(),
            part: Real::of(part),
        };
        let half = Real::of(0.5);
        let n = self.coordinates();
        let series = |i: usize| {
            let c = if i == direction {
                coefficients
            } else {
                [0.0; 3]
            };
            Series {
                c: vec![
                    plain(&state.q[i], c[0]),
                    plain(&state.v[i], c[1]),
                    plain(&accelerations[i].mul(&half), c[2]),
                ],
            }
        };
        let names = self.model.coordinates.iter().enumerate();
        let q = names.map(|(i, n)| (n.clone(), series(i))).collect();
        let mut t: Series<Dual> = Series::number(state.t);
        t.c[1] = Dual::from_f64(1.0);
        let mut instant = Instant::new(&self.model, t, q);
        instant.inputs.clone_from(&state.inputs);
        if direction >= n {
            let Declared { of, along, .. } = &self.bends[direction - n];
            let zero = Real::zero();
            instant.bend = Some(Bend {
                of: of.clone(),
                along: along.clone(),
                by: Series {
                    c: coefficients.iter().map(|c| plain(&zero, *c)).collect(),
                },
            });
        }
        instant
    }

    /// The constraint rows along a motion, those of quaternions among them.
    pub(super) fn rows(&self, instant: &Instant<'_, Real>) -> Found<Vec<Row>> {
        let mut rows = Vec::new();
        for s in &self.model.statements {
            match s {
                Statement::Constraint {
                    name,
                    left,
                    right,
                    vector,
                    within,
                } => {
                    if *vector {
                        let sides = minus(&instant.vector(left)?, &instant.vector(right)?);
                        let axes = instant.frame(within.as_deref().unwrap_or("N"))?;
                        for (i, letter) in ["x", "y", "z"].iter().enumerate() {
                            rows.push(Row {
                                name: format!("{name}.{letter}"),
                                key: (name.clone(), i),
                                series: dot(&sides, &axes[i]),
                            });
                        }
                    } else {
                        rows.push(Row {
                            name: name.clone(),
                            key: (name.clone(), 0),
                            series: instant.scalar(left)?.sub(&instant.scalar(right)?),
                        });
                    }
                }
                Statement::Frame {
                    name,
                    turn: Turn::Quaternion(q),
                    ..
                } => {
                    let mut sum = Series::number(-1.0);
                    for e in q {
                        let e = instant.scalar(&Expr::Name(e.clone()))?;
                        sum = sum.add(&e.mul(&e));
                    }
                    rows.push(Row {
                        name: format!("{name}.norm"),
                        key: (format!("{name}.norm"), 0),
                        series: sum,
                    });
                }
                _ => {}
            }
        }
        Ok(rows)
    }

    /// Whether a state of this kind can violate a constraint on positions.
    pub fn has_positions(&self, state: &State) -> bool {
        let none = vec![Real::zero(); self.coordinates()];
        let rows = self.rows(&self.instant(state, &none, None));
        rows.is_ok_and(|rows| rows.iter().any(|row| row.level() == 0))
    }

    /// The nearest state that satisfies the constraints on positions and velocities, in many digits.
    pub fn consistent(&self, guess: &State) -> Found<Option<State>> {
        let n = self.coordinates();
        let mut state = guess.clone();
        let none = vec![Real::zero(); n];
        for round in 0..60 {
            let base = self.rows(&self.instant(&state, &none, None))?;
            let matrix = self.gradients(&state, &base)?;
            let select = |levels: &[usize], value: &dyn Fn(&Row) -> Real| {
                let mut chosen = (Vec::new(), Vec::new());
                for (row, line) in base.iter().zip(&matrix) {
                    if levels.contains(&row.level()) {
                        chosen.0.push(line.clone());
                        chosen.1.push(value(row).neg());
                    }
                }
                chosen
            };
            let (a, g) = select(&[0], &|r| r.series.c[0].clone());
            let (a1, g1) = select(&[0, 1], &|r| r.series.c[1 - r.level()].clone());
            let off = largest(g.iter().chain(&g1));
            if off < 1e-40 {
                return Ok(Some(state));
            }
            let step = nearest(&a, &g, n);
            let long = largest(&step);
            if !long.is_finite() {
                return Ok(None);
            }
            // A long step leads astray.
            let factor = if long > 0.5 { 0.5 / long } else { 1.0 };
            for i in 0..n {
                state.q[i] = state.q[i].add(&step[i].mul(&Real::of(factor)));
            }
            if long < 0.1 {
                let step = nearest(&a1, &g1, n);
                let long = largest(&step);
                if !long.is_finite() {
                    return Ok(None);
                }
                let factor = if long > 2.0 && round < 40 {
                    2.0 / long
                } else {
                    1.0
                };
                for i in 0..n {
                    state.v[i] = state.v[i].add(&step[i].mul(&Real::of(factor)));
                }
            }
        }
        Ok(None)
    }

    /// Whether the machine's assumptions hold at a state.
    ///
    /// # Errors
    /// Where one cannot be evaluated.
    pub fn assumed(&self, state: &State) -> Found<bool> {
        let none = vec![Real::zero(); self.coordinates()];
        self.instant(state, &none, None).assumed()
    }

    /// Rows by coordinates: what an acceleration adds to each.
    fn gradients(&self, state: &State, base: &[Row]) -> Found<Matrix> {
        let n = self.coordinates();
        let mut matrix = zeros(base.len(), n);
        for k in 0..n {
            let mut unit = vec![Real::zero(); n];
            unit[k] = Real::of(1.0);
            let moved = self.rows(&self.instant(state, &unit, None))?;
            for (r, row) in moved.iter().enumerate() {
                matrix[r][k] = row.last().sub(&base[r].last());
            }
        }
        Ok(matrix)
    }

    pub(super) fn equations(&self, state: &State) -> Found<Equations> {
        let n = self.coordinates();
        let none = vec![Real::zero(); n];
        let base = self.instant(state, &none, None);
        let directions: Vec<Instant<'_, Real>> = (0..n + self.bends.len())
            .map(|k| {
                if k < n {
                    let mut unit = none.clone();
                    unit[k] = Real::of(1.0);
                    self.instant(state, &unit, None)
                } else {
                    self.instant(state, &none, Some(&self.bends[k - n]))
                }
            })
            .collect();
        let rows = self.rows(&base)?;
        let count = directions.len();
        let mut out = Equations {
            mass: zeros(count, n),
            force: vec![Real::zero(); count],
            nonideal: vec![Real::zero(); count],
            friction: zeros(count, rows.len()),
            rows: zeros(rows.len(), count),
            norms: rows.iter().map(|r| r.name.ends_with(".norm")).collect(),
            right: rows.iter().map(|r| r.last().neg()).collect(),
        };
        for (k, instant) in directions.iter().enumerate() {
            for (r, row) in self.rows(instant)?.iter().enumerate() {
                out.rows[r][k] = row.last().sub(&rows[r].last());
            }
        }
        let keys: Vec<_> = rows.into_iter().map(|r| r.key).collect();
        self.add_masses(&base, &directions, &mut out)?;
        self.add_loads(&base, &directions, &keys, &mut out)?;
        self.add_energies(state, &mut out)?;
        Ok(out)
    }

    fn add_masses(
        &self,
        base: &Instant<'_, Real>,
        directions: &[Instant<'_, Real>],
        out: &mut Equations,
    ) -> Found<()> {
        let n = self.coordinates();
        let gravity = match self.gravity() {
            Some(e) => number_of(&base.vector(e)?),
            None => [0, 1, 2].map(|_| Real::zero()),
        };
        for s in &self.model.statements {
            let (Statement::Particle { name, .. } | Statement::Body { name, .. }) = s else {
                continue;
            };
            let still: Mass<Real> = base.mass(name)?;
            let mass = still.mass.now().clone();
            let here = second(&still.center).ok_or("a centre without acceleration")?;
            let axes_here = still.spread.as_ref().map(|(axes, _)| axes.clone());
            let mut partials = Vec::new();
            let mut turns = Vec::new();
            for d in directions {
                let moved = d.mass(name)?;
                let there = second(&moved.center).ok_or("a centre without acceleration")?;
                partials.push(difference(&there, &here));
                if let (Some((axes, _)), Some(axes_here)) = (&moved.spread, &axes_here) {
                    let mut turn = Vec::new();
                    for (a, b) in axes.iter().zip(axes_here) {
                        let (a, b) = (second(a), second(b));
                        let both = a.zip(b).ok_or("an axis without acceleration")?;
                        turn.push(difference(&both.0, &both.1));
                    }
                    turns.push(turn);
                }
            }
            for k in 0..directions.len() {
                for j in 0..n {
                    let part = mass.mul(&inner(&partials[k], &partials[j]));
                    out.mass[k][j] = out.mass[k][j].add(&part);
                }
                let free: Vec<Real> = (0..3).map(|i| gravity[i].sub(&here[i])).collect();
                let part = mass.mul(&inner(&partials[k], &free));
                out.force[k] = out.force[k].add(&part);
            }
            let Some((axes, spread)) = &still.spread else {
                continue;
            };
            for (k, turn) in turns.iter().enumerate() {
                for a in 0..3 {
                    for b in 0..3 {
                        for j in 0..n {
                            let part = spread[a][b].mul(&inner(&turn[a], &turns[j][b]));
                            out.mass[k][j] = out.mass[k][j].add(&part);
                        }
                        let bend = second(&axes[b]).ok_or("an axis without acceleration")?;
                        let part = spread[a][b].mul(&inner(&turn[a], &bend));
                        out.force[k] = out.force[k].sub(&part);
                    }
                }
            }
        }
        Ok(())
    }

    fn gravity(&self) -> Option<&Expr> {
        self.model.statements.iter().find_map(|s| match s {
            Statement::Gravity(e) => Some(e),
            _ => None,
        })
    }

    /// How far a point goes with each displacement.
    pub(super) fn paths(
        base: &Instant<'_, Real>,
        directions: &[Instant<'_, Real>],
        point: &str,
    ) -> Found<Vec<[Real; 3]>> {
        let short = || format!("{point} has no acceleration");
        let here = second(&base.point(point)?).ok_or_else(short)?;
        let mut paths = Vec::new();
        for d in directions {
            let there = second(&d.point(point)?).ok_or_else(short)?;
            paths.push(difference(&there, &here));
        }
        Ok(paths)
    }

    /// How far the material point of a body goes that is where another point is.
    fn material_paths(
        &self,
        base: &Instant<'_, Real>,
        directions: &[Instant<'_, Real>],
        body: &str,
        point: &str,
    ) -> Found<Vec<[Real; 3]>> {
        let Some(Statement::Body { frame, center, .. }) = self.model.find(body) else {
            return Err(format!("{body} is no body"));
        };
        let arm = difference(
            &number_of(&base.point(point)?),
            &number_of(&base.point(center)?),
        );
        let mut paths = Self::paths(base, directions, center)?;
        let turns = Self::turns(base, directions, frame)?;
        for (path, turn) in paths.iter_mut().zip(&turns) {
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let part = turn[j].mul(&arm[k]).sub(&turn[k].mul(&arm[j]));
                path[i] = path[i].add(&part);
            }
        }
        Ok(paths)
    }

    /// How far a frame turns with each displacement: half the sum of e x de.
    pub(super) fn turns(
        base: &Instant<'_, Real>,
        directions: &[Instant<'_, Real>],
        frame: &str,
    ) -> Found<Vec<[Real; 3]>> {
        let axes = base.frame(frame)?;
        let half = Real::of(0.5);
        let mut turns = Vec::new();
        for d in directions {
            let moved = d.frame(frame)?;
            let mut sum = [0, 1, 2].map(|_| Real::zero());
            for (e, f) in axes.iter().zip(&moved) {
                let both = second(f).zip(second(e));
                let (f, g) = both.ok_or("an axis without acceleration")?;
                let change = difference(&f, &g);
                let e = number_of(e);
                for i in 0..3 {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let part = e[j].mul(&change[k]).sub(&e[k].mul(&change[j]));
                    sum[i] = sum[i].add(&half.mul(&part));
                }
            }
            turns.push(sum);
        }
        Ok(turns)
    }

    fn add_loads(
        &self,
        base: &Instant<'_, Real>,
        directions: &[Instant<'_, Real>],
        keys: &[(String, usize)],
        out: &mut Equations,
    ) -> Found<()> {
        for s in &self.model.statements {
            match s {
                Statement::Load {
                    kind,
                    nonideal,
                    on,
                    opposite,
                    value,
                } => {
                    let sides = [(Some(on), 1.0), (opposite.as_ref(), -1.0)];
                    for (on, sign) in sides.into_iter().filter_map(|(on, s)| Some((on?, s))) {
                        let paths = match kind {
                            Load::Force => Some(Self::paths(base, directions, on)?),
                            Load::ForceAt(point) => {
                                Some(self.material_paths(base, directions, on, point)?)
                            }
                            Load::Torque => Some(Self::turns(base, directions, on)?),
                            Load::Generalized => None,
                        };
                        self.add_load(base, keys, on, sign, paths, value, *nonideal, out)?;
                    }
                }
                Statement::Spring {
                    place, properties, ..
                } => {
                    self.add_spring(base, directions, place, properties, out)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "what a load consists of")]
    fn add_load(
        &self,
        base: &Instant<'_, Real>,
        keys: &[(String, usize)],
        on: &str,
        sign: f64,
        paths: Option<Vec<[Real; 3]>>,
        value: &Expr,
        nonideal: bool,
        out: &mut Equations,
    ) -> Found<()> {
        let sign = Real::of(sign);
        let powers = |value: &Expr, at: &Instant<'_, Real>| -> Found<Vec<Real>> {
            match &paths {
                Some(paths) => {
                    let load = number_of(&at.vector(value)?);
                    Ok(paths.iter().map(|p| inner(p, &load).mul(&sign)).collect())
                }
                None => {
                    let place = self.model.coordinates.iter().position(|c| c == on);
                    let place = place.ok_or("a generalized force on no coordinate")?;
                    let mut list = vec![Real::zero(); out.force.len()];
                    list[place] = at.scalar(value)?.now().mul(&sign);
                    Ok(list)
                }
            }
        };
        let still = powers(value, base)?;
        let mut mentions = false;
        value.names(&mut |n| mentions |= n == "reaction");
        if mentions {
            for (r, key) in keys.iter().enumerate() {
                let mut with = self.copy_of(base);
                with.multipliers.insert(key.clone(), Real::of(1.0));
                for (k, p) in powers(value, &with)?.iter().enumerate() {
                    let change = p.sub(&still[k]);
                    out.friction[k][r] = out.friction[k][r].add(&change);
                }
            }
        }
        let target = if nonideal {
            &mut out.nonideal
        } else {
            &mut out.force
        };
        for (t, p) in target.iter_mut().zip(&still) {
            *t = t.add(p);
        }
        Ok(())
    }

    /// The same instant without what has been worked out.
    fn copy_of(&self, of: &Instant<'_, Real>) -> Instant<'_, Real> {
        let mut copy = Instant::new(&self.model, of.t.clone(), of.q.clone());
        copy.inputs.clone_from(&of.inputs);
        copy.multipliers.clone_from(&of.multipliers);
        copy.reactions.clone_from(&of.reactions);
        copy
    }

    /// The stretch of a spring: the distance of its ends, or the scalar that it acts on.
    fn stretch<F: Field>(place: &Place, at: &Instant<'_, F>) -> Found<Series<F>> {
        Ok(match place {
            Place::Between(a, b) => norm(&minus(&at.point(b)?, &at.point(a)?)),
            Place::On(e) => at.scalar(e)?,
        })
    }

    /// A spring acts against the growth of its stretch.
    fn add_spring(
        &self,
        base: &Instant<'_, Real>,
        directions: &[Instant<'_, Real>],
        place: &Place,
        properties: &[(&'static str, Expr)],
        out: &mut Equations,
    ) -> Found<()> {
        let get = |word: &str| properties.iter().find(|(w, _)| *w == word).map(|(_, e)| e);
        let stretch = Self::stretch(place, base)?;
        let mut tension = Real::zero();
        if let Some(k) = get("stiffness") {
            let k = base.scalar(k)?.now().clone();
            let rest = match get("length").or_else(|| get("rest")) {
                Some(e) => base.scalar(e)?.now().clone(),
                None => Real::zero(),
            };
            tension = tension.add(&k.mul(&stretch.now().sub(&rest)));
        }
        if let Some(c) = get("damping") {
            let rate = stretch.rate().ok_or("a stretch without a rate")?;
            tension = tension.add(&base.scalar(c)?.now().mul(rate.now()));
        }
        if let Some(e) = get("tension") {
            tension = tension.add(base.scalar(e)?.now());
        }
        let two = Real::of(2.0);
        for (k, d) in directions.iter().enumerate() {
            let there = Self::stretch(place, d)?;
            let growth = there.c[2].sub(&stretch.c[2]).mul(&two);
            out.force[k] = out.force[k].sub(&tension.mul(&growth));
        }
        Ok(())
    }

    /// Energies given directly, by variation.
    fn add_energies(&self, state: &State, out: &mut Equations) -> Found<()> {
        let n = self.coordinates();
        for s in &self.model.statements {
            let Statement::Energy {
                keyword,
                name: energy,
                ..
            } = s
            else {
                continue;
            };
            let e = name(energy);
            let none = vec![Real::zero(); n];
            for k in 0..out.force.len() {
                match *keyword {
                    "potential" => {
                        let v = self.varied(state, &none, k, [1.0, 0.0, 0.0]);
                        let slope = v.scalar(&e)?.now().part.clone();
                        out.force[k] = out.force[k].sub(&slope);
                    }
                    "dissipation" => {
                        let v = self.varied(state, &none, k, [0.0, 1.0, 0.0]);
                        let slope = v.scalar(&e)?.now().part.clone();
                        out.force[k] = out.force[k].sub(&slope);
                    }
                    _ => {
                        let still = self.lagrange(state, &none, k, &e)?;
                        for j in 0..n {
                            let mut unit = none.clone();
                            unit[j] = Real::of(1.0);
                            let moved = self.lagrange(state, &unit, k, &e)?;
                            out.mass[k][j] = out.mass[k][j].add(&moved.sub(&still));
                        }
                        out.force[k] = out.force[k].sub(&still);
                    }
                }
            }
        }
        Ok(())
    }

    /// `d/dt(dT/dq') - dT/dq`: the rate of the variation by `t` is `d/dt(dT/dq') + dT/dq`, the variation by 1 is `dT/dq`.
    fn lagrange(&self, state: &State, accelerations: &[Real], k: usize, e: &Expr) -> Found<Real> {
        let growing = self.varied(state, accelerations, k, [0.0, 1.0, 0.0]);
        let growing = growing.scalar(e)?;
        let growing = growing.c.get(1).ok_or("a kinetic energy without a rate")?;
        let shifted = self.varied(state, accelerations, k, [1.0, 0.0, 0.0]);
        let shifted = shifted.scalar(e)?.now().part.clone();
        Ok(growing.part.sub(&shifted).sub(&shifted))
    }

    /// Solves for the accelerations at a state.
    ///
    /// # Errors
    /// Where there are none, or more than one, or the oracle cannot follow.
    pub fn solve(&self, state: &State) -> Result<Expected, Nothing> {
        let n = self.coordinates();
        let eq = self.equations(state)?;
        let own: Matrix = eq.rows.iter().map(|r| r[..n].to_vec()).collect();
        let linear = solve(&own, &eq.right, n);
        if linear.contradiction > 1e-20 {
            return Err(Nothing::Singular("constraints contradict one another"));
        }
        let driven: Vec<Real> = (0..n).map(|k| eq.force[k].add(&eq.nonideal[k])).collect();
        let frictional = largest(eq.friction.iter().flatten()) > 0.0;
        let mut smallest = linear.smallest;
        let (accelerations, multipliers) = if frictional {
            self.with_friction(&eq, &driven, &linear, &mut smallest)?
        } else {
            let q = Self::least(&eq, &driven, &linear, n, &mut smallest)?;
            let lambda = Self::shortest(&eq, &driven, &own, &q, n);
            (q, lambda)
        };
        let mut expected = self.results(state, &eq, &accelerations, &multipliers)?;
        expected.smallest = smallest;
        expected.rank = linear.rank;
        Ok(expected)
    }

    /// The least constraint over the solutions of the rows.
    fn least(
        eq: &Equations,
        driven: &[Real],
        linear: &Solutions,
        n: usize,
        smallest: &mut f64,
    ) -> Result<Vec<Real>, Nothing> {
        let mass: Matrix = eq.mass[..n].to_vec();
        let offset = times(&mass, &linear.particular);
        let rest: Vec<Real> = (0..n).map(|i| driven[i].sub(&offset[i])).collect();
        let allowed = equal_in_inertia(&mass, &linear.null);
        let columns: Vec<Vec<Real>> = allowed.iter().map(|d| times(&mass, d)).collect();
        let row = |d: &Vec<Real>| columns.iter().map(|c| inner(d, c)).collect();
        let reduced: Matrix = allowed.iter().map(row).collect();
        let right: Vec<Real> = allowed.iter().map(|d| inner(d, &rest)).collect();
        let free = solve_unscaled(&reduced, &right, allowed.len());
        if free.rank < allowed.len() {
            return Err(Nothing::Singular("a motion without inertia"));
        }
        // Of directions of equal size: one in which inertias cancel has none, even if it is the only one.
        *smallest = smallest.min(free.smallest * free.first.min(1.0));
        let mut q = linear.particular.clone();
        for (d, y) in allowed.iter().zip(&free.particular) {
            for (q, d) in q.iter_mut().zip(d) {
                *q = q.add(&d.mul(y));
            }
        }
        Ok(q)
    }

    /// The shortest multipliers of `A^T lambda = M q'' - F`: they lie in the range of A. Those of the lengths of quaternions are whatever is then
    /// left along these, and don't count.
    fn shortest(eq: &Equations, driven: &[Real], own: &Matrix, q: &[Real], n: usize) -> Vec<Real> {
        let inertia = times(&eq.mass[..n].to_vec(), q);
        let needed: Vec<Real> = (0..n).map(|i| inertia[i].sub(&driven[i])).collect();
        let norms = (0..own.len()).filter(|r| eq.norms[*r]);
        let norms: Vec<&Vec<Real>> = norms.map(|r| &own[r]).collect();
        // Quaternions have no coordinate in common, so that their rows are orthogonal.
        let along = |x: &[Real], norm: &Vec<Real>| inner(norm, x).div(&inner(norm, norm));
        let across = |x: &Vec<Real>| {
            let mut x = x.clone();
            for norm in &norms {
                let share = along(&x, norm);
                let parts = x.iter().zip(*norm);
                x = parts.map(|(x, n)| x.sub(&share.mul(n))).collect();
            }
            x
        };
        let rows: Matrix = (0..own.len())
            .map(|r| {
                if eq.norms[r] {
                    zeros(1, n).remove(0)
                } else {
                    across(&own[r])
                }
            })
            .collect();
        let mut gram = zeros(n, n);
        for row in &rows {
            for i in 0..n {
                for j in 0..n {
                    gram[i][j] = gram[i][j].add(&row[i].mul(&row[j]));
                }
            }
        }
        let z = solve(&gram, &across(&needed), n).particular;
        let mut lambda = times(&rows, &z);
        let held = transposed_times(own, &lambda, n);
        let left: Vec<Real> = (0..n).map(|i| needed[i].sub(&held[i])).collect();
        for r in (0..own.len()).filter(|r| eq.norms[*r]) {
            lambda[r] = along(&left, &own[r]);
        }
        lambda
    }

    fn with_friction(
        &self,
        eq: &Equations,
        driven: &[Real],
        linear: &Solutions,
        smallest: &mut f64,
    ) -> Result<(Vec<Real>, Vec<Real>), Nothing> {
        let n = self.coordinates();
        let m = eq.right.len();
        // Rows that say nothing have a multiplier of zero.
        let says = |r: usize| largest(&eq.rows[r][..n]) > 1e-40;
        let kept: Vec<usize> = (0..m).filter(|r| says(*r)).collect();
        if kept.len() != linear.rank {
            return Err(Nothing::Singular("friction with dependent rows"));
        }
        let size = n + kept.len();
        let mut whole = zeros(size, size);
        let mut right = vec![Real::zero(); size];
        for i in 0..n {
            whole[i][..n].clone_from_slice(&eq.mass[i]);
            for (c, r) in kept.iter().enumerate() {
                whole[i][n + c] = eq.rows[*r][i].add(&eq.friction[i][*r]).neg();
                whole[n + c][i] = eq.rows[*r][i].clone();
            }
            right[i] = driven[i].clone();
        }
        for (c, r) in kept.iter().enumerate() {
            right[n + c] = eq.right[*r].clone();
        }
        let solved = solve(&whole, &right, size);
        if solved.rank < size {
            return Err(Nothing::Singular("friction leaves no unique accelerations"));
        }
        *smallest = smallest.min(solved.smallest);
        let mut lambda = vec![Real::zero(); m];
        for (c, r) in kept.iter().enumerate() {
            lambda[*r] = solved.particular[n + c].clone();
        }
        Ok((solved.particular[..n].to_vec(), lambda))
    }

    fn results(
        &self,
        state: &State,
        eq: &Equations,
        q: &[Real],
        lambda: &[Real],
    ) -> Result<Expected, Nothing> {
        let n = self.coordinates();
        let mut instant = self.instant(state, q, None);
        let rows = self.rows(&instant)?;
        for (row, value) in rows.iter().zip(lambda) {
            instant.multipliers.insert(row.key.clone(), value.clone());
        }
        let inertia = times(&eq.mass, q);
        let ideal = transposed_times(&eq.rows, lambda, inertia.len());
        let friction = times(&eq.friction, lambda);
        for (i, declared) in self.bends.iter().enumerate() {
            let k = n + i;
            let others = eq.force[k]
                .add(&eq.nonideal[k])
                .add(&ideal[k])
                .add(&friction[k]);
            let value = inertia[k].sub(&others);
            instant.reactions.insert(declared.name.clone(), value);
        }
        let doubles = |list: &[Real]| list.iter().map(Real::to_f64).collect::<Vec<_>>();
        let mut out = Expected {
            accelerations: doubles(q),
            rates: doubles(&state.v),
            force: doubles(&eq.force[..n]),
            multipliers: rows
                .iter()
                .zip(lambda)
                .map(|(r, l)| (r.name.clone(), l.to_f64()))
                .collect(),
            ideal: doubles(&ideal[..n]),
            prescribed: doubles(&eq.nonideal[..n]),
            rows: eq.rows.iter().map(|r| doubles(&r[..n])).collect(),
            right: doubles(&eq.right),
            mass: eq.mass[..n].iter().map(|r| doubles(r)).collect(),
            gibbs: Some(0.0),
            ..Expected::default()
        };
        self.add_values(&instant, &mut out)?;
        Ok(out)
    }

    fn add_values(&self, instant: &Instant<'_, Real>, out: &mut Expected) -> Found<()> {
        let gravity = self.gravity().map(|e| instant.vector(e)).transpose()?;
        for s in &self.model.statements {
            match s {
                Statement::Particle { name: of, .. } | Statement::Body { name: of, .. } => {
                    out.kinetic += instant.kinetic(of)?.now().to_f64();
                    let mass = instant.mass(of)?;
                    if let Some(g) = &gravity {
                        let down = dot(g, &mass.center).mul(&mass.mass);
                        out.potential -= down.now().to_f64();
                    }
                    if let Some(gibbs) = &mut out.gibbs {
                        *gibbs += half_square(&mass)?;
                    }
                }
                Statement::Energy {
                    keyword, name: of, ..
                } => {
                    let value = instant.scalar(&name(of))?.now().to_f64();
                    match *keyword {
                        "kinetic" => {
                            out.kinetic += value;
                            out.gibbs = None;
                        }
                        "potential" => out.potential += value,
                        _ => {}
                    }
                }
                Statement::Spring {
                    place, properties, ..
                } => {
                    let get = |w: &str| properties.iter().find(|(p, _)| *p == w).map(|(_, e)| e);
                    if let Some(k) = get("stiffness") {
                        let k = instant.scalar(k)?.now().to_f64();
                        let rest = get("length").or_else(|| get("rest"));
                        let rest = match rest {
                            Some(e) => instant.scalar(e)?.now().to_f64(),
                            None => 0.0,
                        };
                        let stretch = Self::stretch(place, instant)?.now().to_f64() - rest;
                        out.potential += 0.5 * k * stretch * stretch;
                    }
                }
                Statement::Speed { name: of, value } => {
                    let rate = instant.scalar(value)?.rate();
                    let rate = rate.ok_or("a speed without a rate")?;
                    out.speed_rates.insert(of.clone(), rate.now().to_f64());
                }
                Statement::Output { name: of, value } => {
                    let numbers = match instant.value(value)? {
                        Value::Scalar(s) => vec![s.now().to_f64()],
                        Value::Vector(v) => v.iter().map(|c| c.now().to_f64()).collect(),
                    };
                    out.outputs.insert(of.clone(), numbers);
                }
                Statement::Reaction { name: of, .. } => {
                    if let Some(r) = instant.reactions.get(of) {
                        out.outputs.insert(of.clone(), vec![r.to_f64()]);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The values of speeds at a state: declared ones by name, rates as `x'`.
    pub fn speeds(&self, state: &State) -> Found<Vec<(String, f64)>> {
        let none = vec![Real::zero(); self.coordinates()];
        let instant = self.instant(state, &none, None);
        let mut list = Vec::new();
        for (name, v) in self.model.coordinates.iter().zip(&state.v) {
            list.push((format!("{name}'"), v.to_f64()));
        }
        // Rows may complete the speeds of a state.
        for row in self.rows(&instant)? {
            if let Some(rate) = row.series.rate() {
                list.push((format!("{}'", row.name), rate.now().to_f64()));
            }
        }
        for s in &self.model.statements {
            if let Statement::Speed { name, value } = s {
                list.push((name.clone(), instant.scalar(value)?.now().to_f64()));
            }
        }
        Ok(list)
    }

    /// How well these speeds and the rows determine the rates: the smallest pivot of their matrix relative to the largest, 0 if they do
    /// not.
    ///
    /// # Errors
    /// Where a speed cannot be evaluated.
    pub fn determines(&self, state: &State, speeds: &[String]) -> Found<f64> {
        let n = self.coordinates();
        let (matrix, right, _) = self.speed_rows(state, speeds)?;
        let solved = solve(&matrix, &right, n);
        Ok(if solved.rank < n {
            0.0
        } else {
            solved.smallest
        })
    }

    /// Whether something is turned by a quaternion.
    pub fn has_quaternions(&self) -> bool {
        self.model.statements.iter().any(|s| {
            let turn = match s {
                Statement::Frame { turn, .. } => turn,
                _ => return false,
            };
            matches!(turn, Turn::Quaternion(_))
        })
    }

    /// Takes from a row what the rows of quaternions' lengths are of it: they hold beside any other.
    pub fn leave_out_norms(&self, state: &State, row: &mut [f64]) {
        for s in &self.model.statements {
            let Statement::Frame {
                turn: Turn::Quaternion(q),
                ..
            } = s
            else {
                continue;
            };
            let places = q.iter().filter_map(|e| {
                let own = |name: &String| name == e;
                self.model.coordinates.iter().position(own)
            });
            let places: Vec<usize> = places.collect();
            let at = |i: &usize| state.q[*i].to_f64();
            let along: f64 = places.iter().map(|i| at(i) * row[*i]).sum();
            let square: f64 = places.iter().map(|i| at(i) * at(i)).sum();
            for i in &places {
                row[*i] -= along / square * at(i);
            }
        }
    }

    /// The same machine without some of its statements.
    pub(super) fn without(&self, dropped: impl Fn(&Statement) -> bool) -> Self {
        Self {
            model: self.model.without(dropped),
            bends: Vec::new(),
        }
    }

    /// Rows and speeds by accelerations, with what makes the rows hold and the speeds constant; and how many rows there are.
    pub(super) fn speed_rows(
        &self,
        state: &State,
        speeds: &[String],
    ) -> Found<(Matrix, Vec<Real>, usize)> {
        let n = self.coordinates();
        let none = vec![Real::zero(); n];
        let base = self.instant(state, &none, None);
        let rows = self.rows(&base)?;
        let mut matrix = self.gradients(state, &rows)?;
        let mut right: Vec<Real> = rows.iter().map(|r| r.last().neg()).collect();
        let own = |name: &String| {
            let of = name.strip_suffix('\'')?;
            rows.iter().position(|row| row.name == of)
        };
        let of_rows: Vec<Option<usize>> = speeds.iter().map(own).collect();
        let expressions: Vec<Expr> = speeds.iter().map(|s| speed(s)).collect();
        let rate_of = |at: &Instant<'_, Real>, e: &Expr| -> Found<Real> {
            let rate = at.scalar(e)?.rate().ok_or("a speed without a rate")?;
            Ok(rate.now().clone())
        };
        let mut still = Vec::new();
        for (e, row) in expressions.iter().zip(&of_rows) {
            still.push(match row {
                Some(row) => rows[*row].last(),
                None => rate_of(&base, e)?,
            });
        }
        let mut lines = zeros(speeds.len(), n);
        for k in 0..n {
            let mut unit = none.clone();
            unit[k] = Real::of(1.0);
            let moved = self.instant(state, &unit, None);
            for (i, e) in expressions.iter().enumerate() {
                lines[i][k] = match of_rows[i] {
                    Some(row) => matrix[row][k].clone(),
                    None => rate_of(&moved, e)?.sub(&still[i]),
                };
            }
        }
        matrix.extend(lines);
        right.extend(still.iter().map(Real::neg));
        Ok((matrix, right, rows.len()))
    }
}

/// A speed of the state as an expression: a name, or a rate `x'`.
fn speed(text: &str) -> Expr {
    match text.strip_suffix('\'') {
        Some(coordinate) => super::expr::rate(name(coordinate)),
        None => name(text),
    }
}

/// `1/2 integral of |a|^2 dm`.
fn half_square(mass: &Mass<Real>) -> Found<f64> {
    let a = second(&mass.center).ok_or("a centre without acceleration")?;
    let mut sum = mass.mass.now().mul(&inner(&a, &a)).to_f64();
    if let Some((axes, spread)) = &mass.spread {
        for i in 0..3 {
            for j in 0..3 {
                let (a, b) = (second(&axes[i]), second(&axes[j]));
                let (a, b) = a.zip(b).ok_or("an axis without acceleration")?;
                sum += spread[i][j].mul(&inner(&a, &b)).to_f64();
            }
        }
    }
    Ok(0.5 * sum)
}

/// The shortest solution of `a x = g`, to Newton's needs.
fn nearest(a: &Matrix, g: &[Real], n: usize) -> Vec<Real> {
    let mut gram = zeros(a.len(), a.len());
    for (i, x) in a.iter().enumerate() {
        for (j, y) in a.iter().enumerate() {
            gram[i][j] = inner(x, y);
        }
    }
    // Dependent rows are dependent only where they hold; a step needs no more than the clear directions.
    let z = solve_above(&gram, g, a.len(), 1e-14).particular;
    transposed_times(a, &z, n)
}
