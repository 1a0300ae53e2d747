//! A module and a machine side by side in one arithmetic: states, and the text's numbers at them.

use super::ball::Ball;
use super::functions::{Functions, Jets};
use super::layout::Layout;
use super::machine::Machine;
use super::number::{Decimal, Modular, Number, Trouble};
use super::scene::{Mechanics, Scene};
use super::states::{Point, Sample};
use super::text::literal::Literal;
use super::text::run::Jet;
use super::text::tree::Module;
use super::truth::State;

/// Literals as balls around what is written.
pub(super) fn rounded_literals(module: &Module) -> Vec<Result<Ball<Decimal>, Trouble>> {
    let ball = |literal: &Literal| {
        Ok(Ball {
            center: Decimal::rational(&literal.value)?,
            radius: Decimal::rational(&literal.radius)?,
        })
    };
    module.literals.iter().map(ball).collect()
}

/// An arithmetic in which a machine is evaluated, and one in which the text is.
pub trait Arithmetic: Number + Sized {
    /// What the text is evaluated in.
    type Text: Number;

    /// A number of the machine among those of the text.
    fn lift(&self) -> Self::Text;

    /// A state that meets the constraints, with the motion there.
    ///
    /// # Errors
    /// Why none is found.
    fn point(machine: &Machine<'_>, seed: u64) -> Result<Point<Self>, Trouble>;

    /// A state that need not meet the constraints.
    fn any(machine: &Machine<'_>, seed: u64) -> State<Self>;

    /// A user's function at numbers of the text.
    ///
    /// # Errors
    /// What the arithmetic cannot do.
    fn call(
        functions: &Functions,
        function: usize,
        orders: &[u32],
        arguments: &[Self::Text],
    ) -> Result<Self::Text, Trouble>;

    /// How uncertain a number of the text is.
    fn uncertainty(number: &Self::Text) -> f64;

    /// Its magnitude; 1 where there is no such thing.
    fn size(number: &Self::Text) -> f64;
}

fn first<N>(points: Vec<Point<N>>) -> Result<Point<N>, Trouble> {
    let first = points.into_iter().next();
    first.ok_or_else(|| Trouble::Singular("no state meets the constraints".into()))
}

impl Arithmetic for Modular {
    type Text = Self;

    fn lift(&self) -> Self {
        *self
    }

    fn point(machine: &Machine<'_>, seed: u64) -> Result<Point<Self>, Trouble> {
        first(Sample::in_field(machine, 1, seed)?)
    }

    fn any(machine: &Machine<'_>, seed: u64) -> State<Self> {
        State::<Self>::random(machine.system, seed)
    }

    fn call(
        functions: &Functions,
        function: usize,
        orders: &[u32],
        arguments: &[Self],
    ) -> Result<Self, Trouble> {
        functions.jet(function, orders, arguments)
    }

    fn uncertainty(_: &Self) -> f64 {
        0.0
    }

    fn size(_: &Self) -> f64 {
        1.0
    }
}

impl Arithmetic for Decimal {
    type Text = Ball<Self>;

    fn lift(&self) -> Ball<Self> {
        Ball::exact(self.clone())
    }

    fn point(machine: &Machine<'_>, seed: u64) -> Result<Point<Self>, Trouble> {
        first(Sample::with_digits(machine, 1, seed)?)
    }

    fn any(machine: &Machine<'_>, seed: u64) -> State<Self> {
        State::<Self>::random(machine.system, seed)
    }

    fn call(
        functions: &Functions,
        function: usize,
        orders: &[u32],
        arguments: &[Ball<Self>],
    ) -> Result<Ball<Self>, Trouble> {
        let centers: Vec<Self> = arguments.iter().map(|a| a.center.clone()).collect();
        let center = functions.jet(function, orders, &centers)?;
        let mut radius = Self::int(0);
        for argument in arguments {
            radius = radius.add(&argument.radius);
        }
        // Sums of a few sines: a derivative of order k is below ten times 2^k.
        let order: u32 = orders.iter().sum();
        let slope = Self::int(20 << order.min(8));
        Ok(Ball {
            center,
            radius: radius.mul(&slope),
        })
    }

    fn uncertainty(number: &Ball<Self>) -> f64 {
        number.radius.to_f64()
    }

    fn size(number: &Ball<Self>) -> f64 {
        number.center.to_f64().abs()
    }
}

/// A consistent state and one off the constraints.
pub(super) type Scenes<N> = (Scene<N>, Option<Scene<N>>);

/// A module and a machine in one arithmetic.
pub(super) struct Bench<'a, N: Arithmetic> {
    pub(super) module: &'a Module,
    pub(super) layout: &'a Layout,
    pub(super) machine: &'a Machine<'a>,
    pub(super) literals: Vec<Result<N::Text, Trouble>>,
}

impl<'a, N: Arithmetic> Bench<'a, N>
where
    Machine<'a>: Mechanics<N>,
{
    pub(super) fn new(
        module: &'a Module,
        layout: &'a Layout,
        machine: &'a Machine<'a>,
        literals: Vec<Result<N::Text, Trouble>>,
    ) -> Self {
        Self {
            module,
            layout,
            machine,
            literals,
        }
    }

    /// A consistent state and one off the constraints.
    pub(super) fn scenes(&self, seed: u64) -> Result<Scenes<N::Text>, Trouble> {
        let point = N::point(self.machine, seed)?;
        let on = Scene::on(self.machine, self.layout, point)?;
        let off = match self.layout.rows.is_empty() {
            true => None,
            false => {
                let other = N::any(self.machine, seed ^ 0x5555);
                Scene::off(self.machine, self.layout, other).ok()
            }
        };
        Ok((
            on.map(&Arithmetic::lift),
            off.map(|off| off.map(&Arithmetic::lift)),
        ))
    }

    /// What a user's function returns.
    pub(super) fn jet(
        &self,
        function: usize,
        arguments: &[N::Text],
    ) -> Result<Jet<N::Text>, Trouble> {
        let order = self
            .module
            .user_functions
            .get(function)
            .map_or(0, |f| f.order);
        let n = arguments.len();
        let part = |places: &[usize]| {
            let mut orders = vec![0; n];
            for place in places {
                if let Some(order) = orders.get_mut(*place) {
                    *order += 1;
                }
            }
            N::call(&self.machine.functions, function, &orders, arguments)
        };
        let gradient = (0..n).filter(|_| order >= 1).map(|i| part(&[i]));
        let rows = (0..n).filter(|_| order >= 2);
        let hessian = rows.map(|i| (0..n).map(|j| part(&[i, j])).collect());
        Ok(Jet {
            value: part(&[])?,
            gradient: gradient.collect::<Result<_, _>>()?,
            hessian: hessian.collect::<Result<_, _>>()?,
        })
    }
}

impl Bench<'_, Decimal> {
    /// States of any kind, for what does not depend on mechanics: with entries of many sizes, and with zeros.
    pub(super) fn synthetic(&self, seed: u64) -> Vec<Scene<Ball<Decimal>>> {
        let of = |k: u64, size: (i64, i64), params: (i64, i64)| {
            let state = State::<Decimal>::random(self.machine.system, seed.wrapping_add(k));
            let scaled = |list: &[Decimal], (above, below): (i64, i64)| -> Vec<Decimal> {
                let factor = Decimal::int(above).div(&Decimal::int(below));
                let factor = factor.unwrap_or_else(|_| Decimal::int(1));
                list.iter().map(|x| x.mul(&factor)).collect()
            };
            let state = State {
                q: scaled(&state.q, size),
                rates: scaled(&state.rates, size),
                params: scaled(&state.params, params),
                ..state
            };
            let speeds = state.rates.iter().take(self.layout.independent.len());
            let x = state.q.iter().chain(speeds).map(Arithmetic::lift).collect();
            Scene::bare(state.map(&Arithmetic::lift), x)
        };
        vec![
            of(1, (1, 1), (1, 1)),
            of(2, (1, 1), (1, 1)),
            of(3, (1, 100), (1, 1)),
            of(4, (30, 1), (7, 1)),
            of(5, (3, 2), (1, 50)),
            of(6, (0, 1), (1, 1)),
            of(7, (0, 1), (0, 1)),
        ]
    }
}
