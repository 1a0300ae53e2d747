//! The integrator's crate behind one type: an explicit and an implicit method, one step at a time, with dense output.

use std::cell::RefCell;

use differential_equations::error::Error;
use differential_equations::interpolate::Interpolation;
use differential_equations::methods::{
    Adaptive, DiagonallyImplicitRungeKutta, ExplicitRungeKutta, Ordinary,
};
use differential_equations::ode::{ODE, OrdinaryNumericalMethod};
use differential_equations::status::Status;

use super::Settings;
use super::numbers::Numbers;
use super::stiffness::Rate;
use crate::machine::Fault;

type Explicit = ExplicitRungeKutta<Ordinary, Adaptive, f64, Numbers, 9, 16, 21>;
type Implicit = DiagonallyImplicitRungeKutta<Ordinary, Adaptive, f64, Numbers, 5, 7, 7>;

/// A rate of the state; what failed last is kept.
pub(super) struct Equations<'a> {
    rate: RefCell<&'a mut Rate<'a>>,
    fault: RefCell<Option<Fault>>,
}

impl<'a> Equations<'a> {
    pub fn new(rate: &'a mut Rate<'a>) -> Self {
        Self {
            rate: RefCell::new(rate),
            fault: RefCell::new(None),
        }
    }

    /// What failed since it was asked last.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.borrow_mut().take()
    }
}

impl ODE<f64, Numbers> for Equations<'_> {
    fn diff(&self, t: f64, y: &Numbers, rate: &mut Numbers) {
        let done = (self.rate.borrow_mut())(t, &y.0, &mut rate.0);
        if let Err(fault) = done {
            // A step to where there are no numbers is rejected, and tried again with half its length.
            rate.0.fill(f64::NAN);
            *self.fault.borrow_mut() = Some(fault);
        }
    }
}

/// One of the methods.
// There is one of it for a whole motion.
#[allow(clippy::large_enum_variant)]
pub(super) enum Method {
    Explicit(Explicit),
    Implicit(Implicit),
}

macro_rules! of_both {
    ($self:expr, $method:ident => $value:expr) => {
        match $self {
            Method::Explicit($method) => $value,
            Method::Implicit($method) => $value,
        }
    };
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stepped {
    Accepted,
    Rejected,
    /// The method finds the equations too stiff for it.
    Stiff,
    /// The steps became too short.
    Stuck,
}

impl Method {
    pub fn explicit(settings: &Settings) -> Self {
        let method = ExplicitRungeKutta::rkv988e();
        let method = method.rtol(settings.rtol).atol(settings.atol);
        let method = method.max_steps(usize::MAX).max_rejects(usize::MAX);
        Self::Explicit(method)
    }

    pub fn implicit(settings: &Settings) -> Self {
        let method = DiagonallyImplicitRungeKutta::kvaerno745();
        let method = method.rtol(settings.rtol).atol(settings.atol);
        let method = method.max_steps(usize::MAX).max_rejects(usize::MAX);
        Self::Implicit(method)
    }

    pub fn is_explicit(&self) -> bool {
        matches!(self, Self::Explicit(_))
    }

    /// Begins at a state, with a step of length `h` or, if that is 0, one that it chooses. `false` if that is not possible.
    pub fn begin(
        &mut self,
        equations: &Equations<'_>,
        (t, end): (f64, f64),
        y: &[f64],
        h: f64,
    ) -> bool {
        let y = Numbers(y.to_vec());
        of_both!(self, m => {
            m.h0 = h;
            m.init(equations, t, end, &y).is_ok()
        })
    }

    /// One step, at most to `end`.
    pub fn step(&mut self, equations: &Equations<'_>, end: f64) -> Stepped {
        let (t, h) = (self.t(), self.h());
        if t + h > end {
            of_both!(self, m => m.set_h(end - t));
        }
        let done = of_both!(self, m => m.step(equations));
        match done {
            Err(Error::Stiffness { .. }) => Stepped::Stiff,
            Err(_) => Stepped::Stuck,
            Ok(_) => {
                let rejected = of_both!(self, m => matches!(m.status(), Status::RejectedStep));
                if rejected {
                    Stepped::Rejected
                } else {
                    Stepped::Accepted
                }
            }
        }
    }

    pub fn t(&self) -> f64 {
        of_both!(self, m => m.t())
    }

    pub fn t_before(&self) -> f64 {
        of_both!(self, m => m.t_prev())
    }

    /// The length of the next step.
    pub fn h(&self) -> f64 {
        of_both!(self, m => m.h())
    }

    pub fn y(&self) -> &[f64] {
        of_both!(self, m => &m.y().0)
    }

    /// The state within the last step.
    pub fn within(&mut self, t: f64) -> Vec<f64> {
        let t = t.clamp(self.t_before(), self.t());
        let found = of_both!(self, m => m.interpolate(t));
        match found {
            Ok(y) => y.0,
            Err(_) => self.y().to_vec(),
        }
    }
}
