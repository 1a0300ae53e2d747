//! Axes of rotation: constant components in the parent frame, of length 1.

use super::Builder;
use crate::diag::Diagnostic;
use crate::function::Elementary;
use crate::model::codes;
use crate::model::resolve::{Typed, exact, is_zero};
use crate::model::system::{Axis, FrameId, Orientation, Quantity, Rational, Scalar, Vector};
use crate::span::Span;
use num_traits::{Signed, Zero};

impl Builder<'_> {
    /// Constant components of an axis in the parent frame.
    pub(super) fn axis_components(
        &mut self,
        axis: &Typed<Vector>,
        parent: FrameId,
    ) -> Option<[Scalar; 3]> {
        let mut terms = [Vec::new(), Vec::new(), Vec::new()];
        let mut constant = true;
        let found = self.gather(&axis.value, None, false, parent, &mut terms, &mut constant);
        let parent_name = self.scope.frame_name(parent).to_string();
        let refuse = |title: &str| {
            Diagnostic::error(codes::FRAME, title, axis.span, "this is the axis").help(format!(
                "write the axis as `{parent_name}.z`, or as a sum of the basis vectors of `{parent_name}` with constant factors"
            ))
        };
        if let Err(foreign) = found {
            let title = match foreign {
                Some(frame) => format!(
                    "the axis is given in `{}`, not in the parent frame",
                    self.scope.frame_name(frame)
                ),
                None => "the axis is not a sum of basis vectors".to_string(),
            };
            return self.scope.refuse(refuse(&title));
        }
        if !constant {
            let title = format!("the axis is not fixed in `{parent_name}`");
            return self.scope.refuse(refuse(&title));
        }
        Some(terms.map(|terms| {
            let sum = terms.into_iter().reduce(|a, b| a + b);
            sum.unwrap_or_else(|| Scalar::whole(0))
        }))
    }

    /// Collects the terms of a vector by axes of `frame`. `Err`: it is not in that frame.
    fn gather(
        &self,
        vector: &Vector,
        scale: Option<&Scalar>,
        negative: bool,
        frame: FrameId,
        terms: &mut [Vec<Scalar>; 3],
        constant: &mut bool,
    ) -> Result<(), Option<FrameId>> {
        match vector {
            Vector::Zero => Ok(()),
            Vector::Basis(basis, axis) if *basis == frame => {
                let term = scale.cloned().unwrap_or_else(|| Scalar::whole(1));
                terms[*axis as usize].push(if negative { -term } else { term });
                Ok(())
            }
            Vector::Basis(other, axis) if self.shares_axis(*other, frame, *axis) => {
                let same = Vector::Basis(frame, *axis);
                self.gather(&same, scale, negative, frame, terms, constant)
            }
            Vector::Basis(other, _) => Err(Some(*other)),
            Vector::Let(id) => match self.scope.let_value(*id) {
                Some(Quantity::Vector(v)) => {
                    self.gather(v, scale, negative, frame, terms, constant)
                }
                _ => Err(None),
            },
            Vector::Neg(v) => self.gather(v, scale, !negative, frame, terms, constant),
            Vector::Add(a, b) | Vector::Sub(a, b) => {
                let second = negative != matches!(vector, Vector::Sub(..));
                self.gather(a, scale, negative, frame, terms, constant)?;
                self.gather(b, scale, second, frame, terms, constant)
            }
            Vector::Scale(s, v) => {
                *constant = *constant && self.is_constant(s);
                let product = match scale {
                    Some(scale) => Scalar::Mul(Box::new(scale.clone()), s.clone()),
                    None => (**s).clone(),
                };
                self.gather(v, Some(&product), negative, frame, terms, constant)
            }
            _ => Err(None),
        }
    }

    /// Whether two frames differ by rotations about this axis only, as all frames of a planar mechanism do.
    fn shares_axis(&self, one: FrameId, other: FrameId, axis: Axis) -> bool {
        let rotated_about = |frame: FrameId| {
            let mut chain = vec![frame];
            let mut at = frame;
            while let Some((parent, Orientation::Simple { axis: a, .. })) =
                &self.frames[at.index()].orientation
                && *a == axis
            {
                at = *parent;
                chain.push(at);
            }
            chain
        };
        let chain = rotated_about(one);
        rotated_about(other).iter().any(|f| chain.contains(f))
    }

    /// The axis that a frame shares with `N`, if it turns about that alone.
    pub(super) fn only_axis(&self, frame: FrameId) -> Option<Axis> {
        let inertial = FrameId(0);
        if self.anchor(frame) == inertial {
            return None;
        }
        [Axis::X, Axis::Y, Axis::Z]
            .into_iter()
            .find(|axis| self.shares_axis(frame, inertial, *axis))
    }

    /// A rotation by `angle` about the axis with these components.
    pub(super) fn rotation(
        &mut self,
        axis: [Scalar; 3],
        angle: Scalar,
        span: Span,
    ) -> Option<Orientation> {
        let numbers: Vec<Option<Rational>> = axis.iter().map(exact).collect();
        let Some(numbers) = numbers.into_iter().collect::<Option<Vec<_>>>() else {
            return Some(Orientation::AxisAngle {
                axis: normalized(axis),
                angle,
            });
        };
        let along: Vec<_> = std::iter::zip(Axis::ALL, &numbers)
            .filter(|(_, n)| !n.is_zero())
            .collect();
        match along[..] {
            [] => self.scope.refuse(Diagnostic::error(
                codes::FRAME,
                "the axis is the zero vector",
                span,
                "this has no direction",
            )),
            [(axis, number)] => Some(Orientation::Simple {
                axis,
                angle: if number.is_negative() { -angle } else { angle },
            }),
            _ => {
                let axis = [0, 1, 2].map(|i: usize| numbers[i].clone());
                Some(Orientation::AxisAngle {
                    axis: unit_vector(axis),
                    angle,
                })
            }
        }
    }

    /// Whether a scalar is made of numbers and parameters alone.
    pub(super) fn is_constant(&self, scalar: &Scalar) -> bool {
        match scalar {
            Scalar::Number(_) | Scalar::Pi | Scalar::Param(_) => true,
            Scalar::Time
            | Scalar::Coord(_)
            | Scalar::Speed(_)
            | Scalar::State(_)
            | Scalar::Input(_) => false,
            Scalar::Let(id) => {
                let known = self.scope.lets.get(id.index()).and_then(Option::as_ref);
                known.is_some_and(|l| l.content.is_constant())
            }
            Scalar::Function { args, .. } | Scalar::Call(_, args) => {
                args.iter().all(|a| self.is_constant(a))
            }
            Scalar::Neg(a) => self.is_constant(a),
            Scalar::Add(a, b)
            | Scalar::Sub(a, b)
            | Scalar::Mul(a, b)
            | Scalar::Div(a, b)
            | Scalar::Pow(a, b) => self.is_constant(a) && self.is_constant(b),
            Scalar::Rate(_)
            | Scalar::Dot(..)
            | Scalar::Norm(_)
            | Scalar::Reaction { .. }
            | Scalar::Joint(_)
            | Scalar::If { .. }
            | Scalar::Kinetic(_) => false,
        }
    }
}

/// Divided by its length; the length is left as a square root unless it is rational.
fn unit_vector(axis: [Rational; 3]) -> [Scalar; 3] {
    let square = axis.iter().fold(Rational::zero(), |sum, c| sum + c * c);
    let root = Rational::new(square.numer().sqrt(), square.denom().sqrt());
    let exact = &root * &root == square;
    axis.map(|c| {
        if exact && !c.is_zero() {
            Scalar::Number(c / &root)
        } else {
            over_root(Scalar::Number(c), Scalar::Number(square.clone()))
        }
    })
}

/// The same for components that are not all numbers.
fn normalized(axis: [Scalar; 3]) -> [Scalar; 3] {
    let squares = axis.iter().filter(|c| !is_zero(c));
    let Some(square) = squares.map(|c| c.clone().squared()).reduce(|a, b| a + b) else {
        return axis;
    };
    axis.map(|c| over_root(c, square.clone()))
}

/// `component / sqrt(square)`, or 0.
fn over_root(component: Scalar, square: Scalar) -> Scalar {
    if is_zero(&component) {
        return component;
    }
    component / Scalar::Call(Elementary::Sqrt, vec![square])
}
