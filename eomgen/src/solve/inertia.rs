//! Inertia that a joint cannot feel, moved to the parent body.
//!
//! A revolute joint holds an axis in both bodies. Whether the mass that sits on this axis, and inertia that is the same all about it, turn
//! with the child or with the parent makes no difference to the kinetic energy, nor to the potential of gravity. So, for a joint axis
//! `a` through the origin of the child's frame, the mass `m`, the first moment along the axis `h_a = (a.h) a`, and `mu (1 - a a^T)`
//! for any `mu` go to the parent. `mu` is chosen so that one transverse moment of inertia of the child vanishes.
//!
//! Accelerations stay what they were; most entries of the equations become zero. **Reactions change**: where they are asked for,
//! the untouched system answers. Loads are not moved: they are stated on the bodies as they are.

use crate::ir::Rational;

/// Numbers to compute with: expressions of parameters, or exact ones in tests.
pub trait Arithmetic {
    /// A number.
    type Number: Clone;
    /// An exact constant.
    fn constant(&mut self, value: &Rational) -> Self::Number;
    /// `a + b`
    fn add(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a - b`
    fn sub(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a * b`
    fn mul(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
}

/// Three components.
pub type Vector<N> = [N; 3];
/// Three rows of three.
pub type Tensor<N> = [[N; 3]; 3];

/// What connects a body to its parent. Axes are numbers, of any length but zero, in the child's frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Joint {
    /// Turns about an axis through the origin of the child's frame.
    Revolute(Vector<Rational>),
    /// Does not move at all.
    Fixed,
    /// Anything else; nothing is moved across it.
    Other,
}

/// What is made to vanish by moving inertia that is the same all about a revolute joint's axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// The moment of inertia about the transverse axis that follows the joint's longest component after next.
    First,
    /// That about the next one.
    Second,
    /// The second moment of the mass along the axis, half of what the transverse moments of inertia have more than the axial one.
    Axial,
}

/// A body's inertia in its own frame, about the origin of that frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertia<N> {
    /// Mass.
    pub mass: N,
    /// Mass times the position of the centre of mass.
    pub first_moment: Vector<N>,
    /// Inertia tensor about the origin of the frame.
    pub second_moment: Tensor<N>,
}

/// What a joint cannot feel of an inertia, in the child's frame about its origin; `None` if an axis has no direction.
pub fn unfelt<A: Arithmetic>(
    arithmetic: &mut A,
    joint: &Joint,
    share: Share,
    of: &Inertia<A::Number>,
) -> Option<Inertia<A::Number>> {
    Mover(arithmetic).unfelt(joint, share, of)
}

/// `a - b`, both in the same frame about the same point.
pub fn difference<A: Arithmetic>(
    arithmetic: &mut A,
    a: &Inertia<A::Number>,
    b: &Inertia<A::Number>,
) -> Inertia<A::Number> {
    Mover(arithmetic).difference(a, b)
}

/// An inertia in components of another frame, which `rotation` leads to, and about another point, from which `position` leads to the
/// one it is given about.
pub fn seen_from<A: Arithmetic>(
    arithmetic: &mut A,
    rotation: &Tensor<A::Number>,
    position: &Vector<A::Number>,
    of: &Inertia<A::Number>,
) -> Inertia<A::Number> {
    Mover(arithmetic).moved(rotation, position, of)
}

struct Mover<'a, A: Arithmetic>(&'a mut A);

impl<A: Arithmetic> Mover<'_, A> {
    fn zero(&mut self) -> A::Number {
        self.0.constant(&Rational::from_integer(0.into()))
    }

    fn none(&mut self) -> Inertia<A::Number> {
        let zero = self.zero();
        Inertia {
            mass: zero.clone(),
            first_moment: std::array::from_fn(|_| zero.clone()),
            second_moment: std::array::from_fn(|_| std::array::from_fn(|_| zero.clone())),
        }
    }

    /// What the joint cannot feel, in the child's frame; `None` if an axis has no direction.
    fn unfelt(
        &mut self,
        joint: &Joint,
        share: Share,
        of: &Inertia<A::Number>,
    ) -> Option<Inertia<A::Number>> {
        let none = self.none();
        Some(match joint {
            Joint::Revolute(axis) => self.about_axis(axis, share, of)?,
            Joint::Fixed => of.clone(),
            Joint::Other => none,
        })
    }

    fn about_axis(
        &mut self,
        axis: &Vector<Rational>,
        share: Share,
        of: &Inertia<A::Number>,
    ) -> Option<Inertia<A::Number>> {
        let zero = Rational::from_integer(0.into());
        let square: Rational = axis.iter().map(|a| a * a).sum();
        let longest = (0..3).max_by_key(|&k| (&axis[k] * &axis[k], std::cmp::Reverse(k)))?;
        if square == zero {
            return None;
        }
        // 1 - a a^T for the unit axis, without a root.
        let across: Tensor<Rational> = std::array::from_fn(|r| {
            std::array::from_fn(|c| {
                let along = &axis[r] * &axis[c] / &square;
                Rational::from_integer(i32::from(r == c).into()) - along
            })
        });
        let moment = match share {
            Share::First | Share::Second => {
                let transverse = (longest + if share == Share::First { 2 } else { 1 }) % 3;
                let factor = across[transverse][transverse].recip();
                let factor = self.0.constant(&factor);
                self.0
                    .mul(&factor, &of.second_moment[transverse][transverse])
            }
            // 1/2 tr(I) - a.I a
            Share::Axial => {
                let half = Rational::new(1.into(), 2.into());
                let mut sum = self.zero();
                for r in 0..3 {
                    for c in 0..3 {
                        let along = &axis[r] * &axis[c] / &square;
                        let factor = if r == c { &half - along } else { -along };
                        let factor = self.0.constant(&factor);
                        let term = self.0.mul(&factor, &of.second_moment[r][c]);
                        sum = self.0.add(&sum, &term);
                    }
                }
                sum
            }
        };
        let along: Tensor<A::Number> = std::array::from_fn(|r| {
            std::array::from_fn(|c| self.0.constant(&(&axis[r] * &axis[c] / &square)))
        });
        Some(Inertia {
            mass: of.mass.clone(),
            first_moment: self.apply(&along, &of.first_moment),
            second_moment: std::array::from_fn(|r| {
                std::array::from_fn(|c| {
                    let factor = self.0.constant(&across[r][c]);
                    self.0.mul(&factor, &moment)
                })
            }),
        })
    }

    fn turned(
        &mut self,
        rotation: &Tensor<A::Number>,
        tensor: &Tensor<A::Number>,
    ) -> Tensor<A::Number> {
        let turned = self.product(rotation, tensor);
        self.product(&turned, &transpose(rotation))
    }

    fn moved(
        &mut self,
        rotation: &Tensor<A::Number>,
        p: &Vector<A::Number>,
        of: &Inertia<A::Number>,
    ) -> Inertia<A::Number> {
        let turned = self.turned(rotation, &of.second_moment);
        let m = &of.mass;
        let h = self.apply(rotation, &of.first_moment);
        let mp = p.each_ref().map(|x| self.0.mul(m, x));
        // I - m p~ p~ - p~ h~ - h~ p~ with v~ u~ = u v^T - (u.v) 1; half of m p goes with each of the mixed products.
        let shifted: Vector<A::Number> = std::array::from_fn(|k| self.0.add(&h[k], &mp[k]));
        let mixed = self.minus_skew_skew(p, &shifted);
        let mixed_back = self.minus_skew_skew(&h, p);
        let shift: Tensor<A::Number> = self.entrywise(&mixed, &mixed_back, A::add);
        Inertia {
            mass: m.clone(),
            first_moment: shifted,
            second_moment: self.entrywise(&turned, &shift, A::add),
        }
    }

    /// `-v~ u~ = (u.v) 1 - u v^T`
    fn minus_skew_skew(
        &mut self,
        v: &Vector<A::Number>,
        u: &Vector<A::Number>,
    ) -> Tensor<A::Number> {
        let zero = self.zero();
        let dot = self.dot(u, v);
        std::array::from_fn(|r| {
            std::array::from_fn(|c| {
                let outer = self.0.mul(&u[r], &v[c]);
                self.0.sub(if r == c { &dot } else { &zero }, &outer)
            })
        })
    }

    fn difference(&mut self, a: &Inertia<A::Number>, b: &Inertia<A::Number>) -> Inertia<A::Number> {
        self.combine(a, b, A::sub)
    }

    fn combine(
        &mut self,
        a: &Inertia<A::Number>,
        b: &Inertia<A::Number>,
        op: fn(&mut A, &A::Number, &A::Number) -> A::Number,
    ) -> Inertia<A::Number> {
        Inertia {
            mass: op(self.0, &a.mass, &b.mass),
            first_moment: std::array::from_fn(|k| {
                op(self.0, &a.first_moment[k], &b.first_moment[k])
            }),
            second_moment: self.entrywise(&a.second_moment, &b.second_moment, op),
        }
    }

    fn entrywise(
        &mut self,
        a: &Tensor<A::Number>,
        b: &Tensor<A::Number>,
        op: fn(&mut A, &A::Number, &A::Number) -> A::Number,
    ) -> Tensor<A::Number> {
        std::array::from_fn(|r| std::array::from_fn(|c| op(self.0, &a[r][c], &b[r][c])))
    }

    fn dot(&mut self, u: &Vector<A::Number>, v: &Vector<A::Number>) -> A::Number {
        let zero = self.zero();
        u.iter().zip(v).fold(zero, |sum, (x, y)| {
            let product = self.0.mul(x, y);
            self.0.add(&sum, &product)
        })
    }

    fn apply(&mut self, m: &Tensor<A::Number>, v: &Vector<A::Number>) -> Vector<A::Number> {
        m.each_ref().map(|row| self.dot(row, v))
    }

    fn product(&mut self, a: &Tensor<A::Number>, b: &Tensor<A::Number>) -> Tensor<A::Number> {
        let columns = transpose(b);
        a.each_ref()
            .map(|row| columns.each_ref().map(|column| self.dot(row, column)))
    }
}

fn transpose<N: Clone>(m: &Tensor<N>) -> Tensor<N> {
    std::array::from_fn(|r| std::array::from_fn(|c| m[c][r].clone()))
}
