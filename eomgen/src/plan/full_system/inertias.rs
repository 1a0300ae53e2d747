//! Where the inertia of the bodies is put: at their mass centres as given, or as near to the base as the joints allow.
//!
//! The rule of [`inertia`](crate::solve::inertia) is applied frame by frame, the most distal first: a mass at a point that is fixed in a frame
//! becomes inertia of that frame about the point from which it is offset; what the frame's joint cannot feel of it goes to the
//! parent frame about the same point. Mass itself belongs to points, not to frames, so it needs no rule of its own. Accelerations stay what
//! they were, reactions do not.

use super::skeleton::Skeleton;
use super::vectors::{Tensor, Vector, Vectors};
use crate::ir::{Rational, Value};
use crate::solve::Calc;
use crate::solve::inertia::{self, Arithmetic, Inertia, Joint, Share};
use std::collections::BTreeMap;

impl Arithmetic for Calc<'_> {
    type Number = Value;
    fn constant(&mut self, value: &Rational) -> Value {
        self.graph.rational(value)
    }
    fn add(&mut self, a: &Value, b: &Value) -> Value {
        Calc::add(self, *a, *b)
    }
    fn sub(&mut self, a: &Value, b: &Value) -> Value {
        Calc::sub(self, *a, *b)
    }
    fn mul(&mut self, a: &Value, b: &Value) -> Value {
        Calc::mul(self, *a, *b)
    }
}

/// Masses and inertia of frames.
pub(super) struct Inertias {
    /// By point.
    pub masses: BTreeMap<usize, Value>,
    /// First and second moment by frame and point: in the frame's components, about the point, which is fixed in the frame.
    pub moments: BTreeMap<(usize, usize), (Vector, Tensor)>,
    /// Whether inertia was moved.
    pub moved: bool,
}

impl Inertias {
    /// At the mass centres.
    fn given(calc: &mut Calc<'_>, s: &Skeleton) -> Self {
        let mut all = Self {
            masses: BTreeMap::new(),
            moments: BTreeMap::new(),
            moved: false,
        };
        for m in &s.masses {
            all.add_mass(calc, m.center, m.mass);
            if let Some((f, tensor)) = &m.rotation {
                let none = calc.nothing();
                all.add_moments(calc, (*f, m.center), (none, *tensor));
            }
        }
        all
    }

    /// Of frames with a share about the origins of joints, without what the joints cannot feel; of the others as given, and as it comes from
    /// frames further out.
    pub fn moved(calc: &mut Calc<'_>, s: &Skeleton, shares: &[Option<Share>]) -> Self {
        let mut all = Self::given(calc, s);
        all.moved = shares.iter().any(Option::is_some);
        if !all.moved {
            return all;
        }
        for f in (0..s.frames.len()).rev() {
            let Some(share) = shares[f].filter(|_| s.frames[f].moves) else {
                continue;
            };
            // Bases come before the points that are offset from them.
            for p in (0..s.points.len()).rev() {
                all.reduce(calc, s, f, p);
            }
            let places: Vec<usize> = all
                .moments
                .keys()
                .filter(|k| k.0 == f)
                .map(|k| k.1)
                .collect();
            for p in places {
                all.pass_on(calc, s, share, (f, p));
            }
        }
        all.masses.retain(|_, m| !calc.graph.is_zero(*m));
        all.moments.retain(|_, (h, i)| {
            !h.iter()
                .chain(i.iter().flatten())
                .all(|v| calc.graph.is_zero(*v))
        });
        all
    }

    fn add_mass(&mut self, calc: &mut Calc<'_>, p: usize, mass: Value) {
        let old = self.masses.get(&p).copied();
        let sum = old.map_or(mass, |old| Calc::add(calc, old, mass));
        self.masses.insert(p, sum);
    }

    fn add_moments(
        &mut self,
        calc: &mut Calc<'_>,
        at: (usize, usize),
        (h, tensor): (Vector, Tensor),
    ) {
        let new = match self.moments.get(&at) {
            None => (h, tensor),
            Some((h0, tensor0)) => (
                calc.plus(h0, &h),
                std::array::from_fn(|i| calc.plus(&tensor0[i], &tensor[i])),
            ),
        };
        self.moments.insert(at, new);
    }

    /// What is at a point that is fixed in the frame moves to the point's base.
    fn reduce(&mut self, calc: &mut Calc<'_>, s: &Skeleton, f: usize, p: usize) {
        let point = &s.points[p];
        let ([offset], Some(base)) = (&point.offsets[..], point.base) else {
            return;
        };
        if offset.frame != f || !offset.fixed {
            return;
        }
        let mass = self.masses.remove(&p);
        let moments = self.moments.remove(&(f, p));
        if mass.is_none() && moments.is_none() {
            return;
        }
        let of = together(calc, mass, moments);
        let unit = calc.unit();
        let seen = inertia::seen_from(calc, &unit, &offset.place, &of);
        self.add_mass(calc, base, seen.mass);
        self.add_moments(calc, (f, base), (seen.first_moment, seen.second_moment));
    }

    /// What the frame's joint cannot feel goes to the parent frame.
    fn pass_on(&mut self, calc: &mut Calc<'_>, s: &Skeleton, share: Share, (f, p): (usize, usize)) {
        let frame = &s.frames[f];
        let (Some(parent), Some(moments)) = (frame.parent, self.moments.remove(&(f, p))) else {
            return;
        };
        // A parent that turns as time prescribes feels what it is given, and has no balance of its own.
        if !s.frames[parent].moves && !s.frames[parent].still {
            self.moments.insert((f, p), moments);
            return;
        }
        let of = together(calc, None, Some(moments));
        let rotation = match frame.joint {
            Joint::Fixed => frame.rotation,
            // The axis has the same components in both frames, and what is moved is the same at all angles.
            _ => calc.unit(),
        };
        let Some(moved) = inertia::unfelt(calc, &frame.joint, share, &of) else {
            self.moments.insert((f, p), moments);
            return;
        };
        let rest = inertia::difference(calc, &of, &moved);
        self.moments
            .insert((f, p), (rest.first_moment, rest.second_moment));
        let none = calc.nothing();
        let seen = inertia::seen_from(calc, &rotation, &none, &moved);
        // The ground feels nothing.
        if s.frames[parent].moves {
            self.add_moments(calc, (parent, p), (seen.first_moment, seen.second_moment));
        }
    }
}

fn together(
    calc: &mut Calc<'_>,
    mass: Option<Value>,
    moments: Option<(Vector, Tensor)>,
) -> Inertia<Value> {
    let none = calc.nothing();
    let (first_moment, second_moment) = moments.unwrap_or((none, [none; 3]));
    Inertia {
        mass: mass.unwrap_or(calc.graph.zero()),
        first_moment,
        second_moment,
    }
}
