//! The equations written down for one choice of components and of where the inertia is.

use super::super::facts::ValueFacts;
use super::axes::{Axes, Turner};
use super::choice::Choice;
use super::inertias::Inertias;
use super::places::{Needed, Places, massive};
use super::skeleton::{Offset, Skeleton, Tie};
use super::vectors::{Tensor, Vector, Vectors};
use crate::ir::{Graph, Rational, Value};
use crate::solve::{self, Calc, EliminationContext, SymmetricSystem};
use std::collections::BTreeMap;

mod points;

/// The equations; the first unknowns are s'. `None` where a part cannot be condensed.
///
/// Shifted, the unknown accelerations are what s' adds to those at s' = 0, which are worked out along the tree: the kinematic rows
/// then have no right-hand side that elimination would have to carry through every inertia. Points turned twice have unknowns in the
/// components of the frame in which they are offset, too.
pub(super) fn system(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    inertias: &Inertias,
    choice: &Choice,
    rows: &[(Vec<Value>, Value)],
    facts: &ValueFacts,
) -> Option<SymmetricSystem> {
    let axes: Vec<Axes> = choice.frames.iter().map(|f| f.axes).collect();
    let twice: Vec<bool> = choice.frames.iter().map(|f| f.twice).collect();
    let turner = Turner::new(calc, s, &axes);
    let ties = s.ties(choice.tied);
    let needed = Needed::new(s, inertias, ties);
    let places = Places::new(s, &needed, inertias, &turner, (rows.len(), ties), &twice);
    let system = SymmetricSystem::new(places.unknowns.clone());
    let mut b = Builder {
        calc,
        s,
        turner,
        places,
        omega: vec![None; s.frames.len()],
        squares: BTreeMap::new(),
        shifted: choice.shifted,
        tied: choice.tied,
        alpha: vec![None; s.frames.len()],
        acceleration: vec![None; s.points.len()],
        system,
    };
    b.speeds();
    for (p, mass) in &inertias.masses {
        b.mass(*p, *mass);
    }
    for ((f, p), (h, tensor)) in &inertias.moments {
        b.moments((*f, *p), h, tensor);
    }
    for f in &needed.frames {
        b.frame_rows(*f);
    }
    for p in &needed.points {
        b.point_rows(*p);
    }
    b.loads();
    b.constraints(rows);
    b.system.massive = massive(b.calc.graph, s, inertias, &b.places, facts);
    let pairs = b.places.pairs(s, |f| choice.frames[f].condensed);
    if pairs.is_empty() {
        Some(b.system)
    } else {
        condensed(b.calc, &b.system, &pairs, facts)
    }
}

/// What is left without the accelerations of parts of the machine, each eliminated with its kinematic row: there the equations are balances of
/// whole branches in the rates of their joints. `None` where a row's coefficient is no number.
fn condensed(
    calc: &mut Calc<'_>,
    system: &SymmetricSystem,
    pairs: &[(usize, usize)],
    facts: &ValueFacts,
) -> Option<SymmetricSystem> {
    let nonzero = |g: &Graph, v: Value| facts.points.nonzero(g, v);
    let means = EliminationContext {
        prints: Some(&facts.prints),
        ..EliminationContext::exact(&nonzero)
    };
    solve::condense(calc.graph, system, pairs, &means).ok()
}

struct Builder<'b, 'g, 's> {
    calc: &'b mut Calc<'g>,
    s: &'s Skeleton,
    turner: Turner<'s>,
    places: Places,
    /// Angular velocities in the components of the frames' equations.
    omega: Vec<Option<Vector>>,
    /// `omega~ omega~`, if shifted with `alpha~` at s' = 0, in components of a frame.
    squares: BTreeMap<(usize, usize), Tensor>,
    shifted: bool,
    /// Whether constraint rows are in accelerations.
    tied: bool,
    /// Accelerations at s' = 0, of points less that of free fall.
    alpha: Vec<Option<Vector>>,
    acceleration: Vec<Option<Vector>>,
    system: SymmetricSystem,
}

impl Builder<'_, '_, '_> {
    fn add(&mut self, i: usize, j: usize, value: Value) {
        if self.calc.graph.is_zero(value) {
            return;
        }
        let sum = match self.system.get(i, j) {
            Some(old) => self.calc.add(old, value),
            None => value,
        };
        self.system.set(i, j, sum);
    }

    fn subtract(&mut self, i: usize, j: usize, value: Value) {
        let value = self.calc.neg(value);
        self.add(i, j, value);
    }

    fn add_rhs(&mut self, i: usize, value: Value) {
        let zero = self.calc.graph.zero();
        let old = self.system.rhs.first().map_or(zero, |side| side[i]);
        let sum = self.calc.add(old, value);
        self.system.set_rhs(0, i, sum);
    }

    fn add_rhs_vector(&mut self, at: usize, v: &Vector) {
        for (i, x) in v.iter().enumerate() {
            self.add_rhs(at + i, *x);
        }
    }

    fn subtract_rhs_vector(&mut self, at: usize, v: &Vector) {
        for (i, x) in v.iter().enumerate() {
            let x = self.calc.neg(*x);
            self.add_rhs(at + i, x);
        }
    }

    fn speeds(&mut self) {
        for (k, force) in self.s.generalized.iter().enumerate() {
            self.add_rhs(k, *force);
        }
        for (i, j, value) in &self.s.inertia {
            self.add(*i, *j, *value);
        }
    }

    /// The angular velocity of a frame in the components of its equations.
    fn omega(&mut self, f: usize) -> Vector {
        if let Some(known) = self.omega[f] {
            return known;
        }
        let (to, frame) = (self.turner.of(f), &self.s.frames[f]);
        let carried = self.carried(f);
        let own = self.turner.turn(self.calc, &frame.spin_value, f, to);
        let omega = self.calc.plus(&carried, &own);
        self.omega[f] = Some(omega);
        omega
    }

    /// The angular velocity of a frame's parent in the components of the frame's equations.
    fn carried(&mut self, f: usize) -> Vector {
        match self.s.frames[f].parent {
            None => self.calc.nothing(),
            Some(p) => {
                let omega = self.omega(p);
                let (from, to) = (self.turner.of(p), self.turner.of(f));
                self.turner.turn(self.calc, &omega, from, to)
            }
        }
    }

    /// The angular acceleration of a frame at s' = 0 in the components of its equations.
    fn alpha(&mut self, f: usize) -> Vector {
        if let Some(known) = self.alpha[f] {
            return known;
        }
        let (to, frame) = (self.turner.of(f), &self.s.frames[f]);
        let alpha = match frame.parent {
            Some(parent) if frame.moves => {
                let above = self.alpha(parent);
                let from = self.turner.of(parent);
                let above = self.turner.turn(self.calc, &above, from, to);
                let bias = self.frame_bias(f);
                self.calc.plus(&above, &bias)
            }
            _ => self.turner.turn(self.calc, &frame.prescribed, f, to),
        };
        self.alpha[f] = Some(alpha);
        alpha
    }

    /// What a frame's angular acceleration at s' = 0 has that its parent's has not.
    fn frame_bias(&mut self, f: usize) -> Vector {
        let (to, frame) = (self.turner.of(f), &self.s.frames[f]);
        let carried = self.carried(f);
        let own = self.turner.turn(self.calc, &frame.spin_value, f, to);
        let bias = self.calc.cross(&carried, &own);
        let own = self.turner.turn(self.calc, &frame.spin_rate, f, to);
        self.calc.plus(&bias, &own)
    }

    /// The acceleration of a point at s' = 0, less that of free fall, in the components of its equations.
    fn acceleration(&mut self, p: usize) -> Vector {
        if let Some(known) = self.acceleration[p] {
            return known;
        }
        let (point, to) = (&self.s.points[p], self.places.of_points[p]);
        let mut sum = match point.base {
            Some(base) if point.moves => {
                let before = self.acceleration(base);
                let from = self.places.of_points[base];
                self.turner.turn(self.calc, &before, from, to)
            }
            _ => self.known(p, to),
        };
        if point.moves {
            for offset in &point.offsets {
                let bias = self.offset_bias(offset, to);
                sum = self.calc.plus(&sum, &bias);
            }
        }
        self.acceleration[p] = Some(sum);
        sum
    }

    /// What an offset adds to a point's acceleration at s' = 0: if not shifted, without what the frame's angular acceleration does.
    fn offset_bias(&mut self, offset: &Offset, to: usize) -> Vector {
        let f = offset.frame;
        let axes = self.turner.of(f);
        let seen = offset.rate_axes;
        let mut bias = self.turner.turn(self.calc, &offset.second, seen, axes);
        let rate = self.turner.turn(self.calc, &offset.rate_value, seen, axes);
        if !self.calc.is_nothing(&rate) {
            let omega = self.omega(f);
            let two = self.calc.graph.integer(2);
            let twice = self.calc.times(two, &rate);
            let coriolis = self.calc.cross(&omega, &twice);
            bias = self.calc.plus(&bias, &coriolis);
        }
        let r = self.turner.turn(self.calc, &offset.place, f, axes);
        let inward = self.centripetal(f, axes, &r);
        bias = self.calc.plus(&bias, &inward);
        if !self.shifted && !self.places.frames.contains_key(&f) {
            let alpha = self.s.frames[f].prescribed;
            let alpha = self.turner.turn(self.calc, &alpha, f, axes);
            let turned = self.calc.cross(&alpha, &r);
            bias = self.calc.plus(&bias, &turned);
        }
        self.turner.turn(self.calc, &bias, axes, to)
    }

    /// `omega~ omega~` of a frame in components of `to`, if shifted with `alpha~`.
    fn square(&mut self, f: usize, to: usize) -> Tensor {
        if let Some(known) = self.squares.get(&(f, to)) {
            return *known;
        }
        let omega = self.omega(f);
        let w = self.turner.turn(self.calc, &omega, self.turner.of(f), to);
        let mut square = [self.calc.nothing(); 3];
        let own = w.map(|x| self.calc.mul(x, x));
        for i in 0..3 {
            for j in i + 1..3 {
                square[i][j] = self.calc.mul(w[i], w[j]);
                square[j][i] = square[i][j];
            }
            let sum = self.calc.add(own[(i + 1) % 3], own[(i + 2) % 3]);
            square[i][i] = self.calc.neg(sum);
        }
        if self.shifted {
            let alpha = self.alpha(f);
            let alpha = self.turner.turn(self.calc, &alpha, self.turner.of(f), to);
            let skew = self.calc.skew(&alpha);
            for (row, turned) in square.iter_mut().zip(&skew) {
                *row = self.calc.plus(row, turned);
            }
        }
        self.squares.insert((f, to), square);
        square
    }

    /// `omega x (omega x r)`, if shifted with `alpha x r`.
    fn centripetal(&mut self, f: usize, to: usize, r: &Vector) -> Vector {
        if self.calc.is_nothing(r) {
            return *r;
        }
        let square = self.square(f, to);
        self.calc.apply(&square, r)
    }

    fn mass(&mut self, p: usize, mass: Value) {
        if let Some(place) = self.places.points.get(&p).copied() {
            for i in 0..3 {
                self.add(place.own + i, place.own + i, mass);
            }
            if self.shifted && !self.calc.graph.is_zero(mass) {
                let before = self.acceleration(p);
                let push = self.calc.times(mass, &before);
                self.subtract_rhs_vector(place.own, &push);
            }
        }
    }

    fn moments(&mut self, (f, p): (usize, usize), h: &Vector, tensor: &Tensor) {
        let axes = self.turner.of(f);
        let turn = self.turner.matrix(self.calc, f, axes);
        let h = self.calc.apply(&turn, h);
        let tensor = if axes == f {
            *tensor
        } else {
            self.calc.turned(&turn, tensor)
        };
        let point = self.places.points.get(&p).copied();
        let to = self.places.of_points[p];
        if let Some(point) = point {
            let push = self.centripetal(f, axes, &h);
            let push = self.turner.turn(self.calc, &push, axes, to);
            self.subtract_rhs_vector(point.own, &push);
        }
        let Some(frame) = self.places.frames.get(&f).copied() else {
            return;
        };
        let torque = self.gyration(f, axes, &tensor);
        self.subtract_rhs_vector(frame.own, &torque);
        for i in 0..3 {
            for j in i..3 {
                self.add(frame.own + i, frame.own + j, tensor[i][j]);
            }
        }
        // h x a, the acceleration of the point in its own components.
        let skew = self.calc.skew(&h);
        let back = self.turner.matrix(self.calc, to, axes);
        let coupling = self.calc.product(&skew, &back);
        if let Some(point) = point {
            for i in 0..3 {
                for j in 0..3 {
                    self.add(frame.own + i, point.own + j, coupling[i][j]);
                }
            }
        }
        if point.is_none() || self.shifted {
            let before = self.acceleration(p);
            let before = self.turner.turn(self.calc, &before, to, axes);
            let torque = self.calc.cross(&h, &before);
            self.subtract_rhs_vector(frame.own, &torque);
        }
    }

    /// `omega x I omega`, if shifted with `I alpha` at s' = 0.
    ///
    /// Shifted, with `P = 1/2 tr(I) - I`, the second moments of the mass, and `U = alpha~ + omega~ omega~`, the torque is that of
    /// the accelerations `U r` of all places r, twice the skew part of `U P`: it shares U with the forces.
    fn gyration(&mut self, f: usize, axes: usize, tensor: &Tensor) -> Vector {
        if !self.shifted {
            let omega = self.omega(f);
            let spin = self.calc.apply(tensor, &omega);
            return self.calc.cross(&omega, &spin);
        }
        let half = Rational::new(1.into(), 2.into());
        let half = self.calc.graph.rational(&half);
        let trace = self.calc.add(tensor[0][0], tensor[1][1]);
        let trace = self.calc.add(trace, tensor[2][2]);
        let trace = self.calc.mul(half, trace);
        let moments: Tensor = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                if i == j {
                    self.calc.sub(trace, tensor[i][i])
                } else {
                    self.calc.neg(tensor[i][j])
                }
            })
        });
        let u = self.square(f, axes);
        std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            // What the off-diagonal moment of j and k takes of the diagonal of U goes together.
            let difference = self.calc.sub(u[k][k], u[j][j]);
            let mut sum = self.calc.mul(difference, moments[j][k]);
            for (a, b) in [((k, i), (i, j)), ((k, j), (j, j))] {
                let term = self.calc.mul(u[a.0][a.1], moments[b.0][b.1]);
                sum = self.calc.add(sum, term);
            }
            for (a, b) in [((j, i), (i, k)), ((j, k), (k, k))] {
                let term = self.calc.mul(u[a.0][a.1], moments[b.0][b.1]);
                sum = self.calc.sub(sum, term);
            }
            sum
        })
    }

    /// The acceleration of a point that does not depend on the speeds, less that of free fall.
    fn known(&mut self, p: usize, to: usize) -> Vector {
        let prescribed = self
            .turner
            .turn(self.calc, &self.s.points[p].prescribed, 0, to);
        let falling = self.turner.sum(self.calc, &self.s.falling, to);
        self.calc.minus(&prescribed, &falling)
    }

    fn frame_rows(&mut self, f: usize) {
        let (frame, place) = (&self.s.frames[f], self.places.frames[&f]);
        let to = self.turner.of(f);
        let one = self.calc.graph.one();
        for i in 0..3 {
            self.add(place.row + i, place.own + i, one);
        }
        for (k, axis) in &frame.spin {
            let axis = self.turner.turn(self.calc, axis, f, to);
            for (i, x) in axis.iter().enumerate() {
                self.subtract(place.row + i, *k, *x);
            }
        }
        if !self.shifted {
            let bias = self.frame_bias(f);
            self.add_rhs_vector(place.row, &bias);
        }
        let Some(parent) = frame.parent else { return };
        match self.places.frames.get(&parent).copied() {
            Some(above) => {
                let from = self.turner.of(parent);
                let r = self.turner.matrix(self.calc, from, to);
                for i in 0..3 {
                    for j in 0..3 {
                        self.subtract(place.row + i, above.own + j, r[i][j]);
                    }
                }
            }
            None if !self.shifted => {
                let alpha = self.s.frames[parent].prescribed;
                let alpha = self.turner.turn(self.calc, &alpha, parent, to);
                self.add_rhs_vector(place.row, &alpha);
            }
            None => {}
        }
    }

    fn constraints(&mut self, rows: &[(Vec<Value>, Value)]) {
        for (i, (row, rhs)) in rows.iter().enumerate() {
            let at = self.places.constraints + i;
            if let Some(tie) = self.s.ties(self.tied).get(i).and_then(Option::as_ref) {
                self.tied(at, tie);
                let rhs = if tie.whole { self.against(tie) } else { *rhs };
                self.add_rhs(at, rhs);
                continue;
            }
            for (k, value) in row.iter().enumerate() {
                self.add(at, k, *value);
            }
            self.add_rhs(at, *rhs);
        }
    }

    /// A row in the accelerations of what its multiplier acts on.
    fn tied(&mut self, at: usize, tie: &Tie) {
        for (p, force) in &tie.forces {
            if let Some(place) = self.places.points.get(p).copied() {
                let to = self.places.of_points[*p];
                let force = self.turner.sum(self.calc, force, to);
                for (i, e) in force.iter().enumerate() {
                    self.add(at, place.own + i, *e);
                }
            }
        }
        for (f, torque) in &tie.torques {
            if let Some(place) = self.places.frames.get(f).copied() {
                let to = self.turner.of(*f);
                let torque = self.turner.sum(self.calc, torque, to);
                for (i, e) in torque.iter().enumerate() {
                    self.add(at, place.own + i, *e);
                }
            }
        }
    }

    /// What the accelerations at s' = 0 leave to those that s' adds, along forces and torques.
    fn against(&mut self, tie: &Tie) -> Value {
        let mut sum = self.calc.graph.zero();
        // All forces together: free fall, which the accelerations of points are without.
        let mut all: BTreeMap<usize, Vector> = BTreeMap::new();
        for (p, force) in &tie.forces {
            let to = self.places.of_points[*p];
            let own = self.acceleration(*p);
            let along = self.turner.sum(self.calc, force, to);
            sum = self.less(sum, &along, &own);
            for (f, part) in force {
                let nothing = self.calc.nothing();
                let before = all.remove(f).unwrap_or(nothing);
                all.insert(*f, self.calc.plus(&before, part));
            }
        }
        for (f, force) in all {
            if !self.calc.is_nothing(&force) {
                let falling = self.turner.sum(self.calc, &self.s.falling, f);
                sum = self.less(sum, &force, &falling);
            }
        }
        for (f, torque) in &tie.torques {
            let to = self.turner.of(*f);
            let own = self.alpha(*f);
            let along = self.turner.sum(self.calc, torque, to);
            sum = self.less(sum, &along, &own);
        }
        sum
    }

    /// A sum less a scalar product.
    fn less(&mut self, mut sum: Value, a: &Vector, b: &Vector) -> Value {
        for (x, y) in a.iter().zip(b) {
            let product = self.calc.mul(*x, *y);
            sum = self.calc.sub(sum, product);
        }
        sum
    }

    fn loads(&mut self) {
        for (p, force) in &self.s.forces {
            if let Some(place) = self.places.points.get(p).copied() {
                let to = self.places.of_points[*p];
                let force = self.turner.sum(self.calc, force, to);
                self.add_rhs_vector(place.own, &force);
            }
        }
        for (f, torque) in &self.s.torques {
            if let Some(place) = self.places.frames.get(f).copied() {
                let to = self.turner.of(*f);
                let torque = self.turner.sum(self.calc, torque, to);
                self.add_rhs_vector(place.own, &torque);
            }
        }
    }
}
