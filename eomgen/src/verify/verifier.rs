//! A module and a machine side by side in one arithmetic: states, and the text's numbers at them.

use std::collections::BTreeSet;

use super::ball::Ball;
use super::compare::{Comparison, Verdict};
use super::dynamics::State;
use super::functions::{Functions, Jets};
use super::layout::Layout;
use super::machine::Machine;
use super::number::{Decimal, EvalError, Modular, Number};
use super::states::{self, Point};
use super::test_point::{Mechanics, TestPoint};
use super::text::literal::Literal;
use super::text::run::{self, Calls, Jet};
use super::text::tree::{Function, Module, Step, StepId};

/// Literals as balls around what is written. Where some are rounded, so may be others that happen to be short: a product that is
/// next to a decimal is written as that decimal.
pub(super) fn rounded_literals(module: &Module) -> Vec<Result<Ball<Decimal>, EvalError>> {
    let rounded = module.literals.iter().any(|literal| !literal.is_exact());
    let ball = |literal: &Literal| {
        let radius = if rounded {
            literal.rounding()
        } else {
            literal.radius.clone()
        };
        Ok(Ball {
            center: Decimal::rational(&literal.value)?,
            radius: Decimal::rational(&radius)?,
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

    /// The middle of a number of the text.
    fn lower(number: &Self::Text) -> Self;

    /// A state that meets the constraints, with the motion there.
    ///
    /// # Errors
    /// Why none is found.
    fn point(machine: &Machine<'_>, seed: u64) -> Result<Point<Self>, EvalError>;

    /// A state farther away, where branches may go the other way; `None` where there are no branches, or nothing is known that
    /// far away.
    fn wide(machine: &Machine<'_>, seed: u64) -> Option<Point<Self>>;

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
    ) -> Result<Self::Text, EvalError>;

    /// How uncertain a number of the text is.
    fn uncertainty(number: &Self::Text) -> f64;

    /// Its magnitude; 1 where there is no such thing.
    fn size(number: &Self::Text) -> f64;
}

fn first<N>(points: Vec<Point<N>>) -> Result<Point<N>, EvalError> {
    let first = points.into_iter().next();
    first.ok_or_else(|| EvalError::Singular("no state meets the constraints".into()))
}

impl Arithmetic for Modular {
    type Text = Self;

    fn lift(&self) -> Self {
        *self
    }

    fn lower(number: &Self) -> Self {
        *number
    }

    fn point(machine: &Machine<'_>, seed: u64) -> Result<Point<Self>, EvalError> {
        first(states::in_field(machine, 1, seed)?)
    }

    fn wide(_: &Machine<'_>, _: u64) -> Option<Point<Self>> {
        None
    }

    fn any(machine: &Machine<'_>, seed: u64) -> State<Self> {
        State::<Self>::random(machine.system, seed)
    }

    fn call(
        functions: &Functions,
        function: usize,
        orders: &[u32],
        arguments: &[Self],
    ) -> Result<Self, EvalError> {
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

    fn lower(number: &Ball<Self>) -> Self {
        number.center.clone()
    }

    fn point(machine: &Machine<'_>, seed: u64) -> Result<Point<Self>, EvalError> {
        first(states::with_digits(machine, 1, seed)?)
    }

    fn wide(machine: &Machine<'_>, seed: u64) -> Option<Point<Self>> {
        // How far depends on the seed too: a contact may be deep or shallow.
        let spread = [1.0, 3.0, 12.0, 0.25][(seed % 4) as usize];
        let far = State::near(machine.system, seed, (0.125, spread));
        let mut state = State::<Self>::random(machine.system, seed);
        for (i, coord) in machine.system.coords.iter().enumerate() {
            if let (None, Some(q), Some(far)) = (coord.sign, state.q.get_mut(i), far.q.get(i)) {
                *q = far.clone();
            }
        }
        if !machine.rows.is_empty() {
            return first(states::with_digits(machine, 1, seed).ok()?).ok();
        }
        let dynamics = machine.dynamics(&state).ok()?;
        Some(Point { state, dynamics })
    }

    fn any(machine: &Machine<'_>, seed: u64) -> State<Self> {
        State::<Self>::random(machine.system, seed)
    }

    fn call(
        functions: &Functions,
        function: usize,
        orders: &[u32],
        arguments: &[Ball<Self>],
    ) -> Result<Ball<Self>, EvalError> {
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

/// How many states are tried for branches that no other one takes.
const FARTHER: u64 = 60;

/// A branch that is taken: function, step, whether the comparison holds.
type Branch = (usize, usize, bool);

fn is_branch(step: &Step) -> bool {
    matches!(step, Step::Select(..))
}

/// A consistent state and one off the constraints.
pub(super) type TestPoints<N> = (TestPoint<N>, Option<TestPoint<N>>);

/// A module and a machine in one arithmetic.
pub(super) struct Verifier<'a, N: Arithmetic> {
    pub(super) module: &'a Module,
    pub(super) layout: &'a Layout,
    pub(super) machine: &'a Machine<'a>,
    pub(super) literals: Vec<Result<N::Text, EvalError>>,
}

impl<'a, N: Arithmetic> Verifier<'a, N>
where
    Machine<'a>: Mechanics<N>,
{
    pub(super) fn new(
        module: &'a Module,
        layout: &'a Layout,
        machine: &'a Machine<'a>,
        literals: Vec<Result<N::Text, EvalError>>,
    ) -> Self {
        Self {
            module,
            layout,
            machine,
            literals,
        }
    }

    /// As many states as requested, and some more where branches would not all be taken.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn test_points(
        &self,
        states: usize,
        seed: u64,
        attempts: usize,
    ) -> Result<Vec<TestPoints<N::Text>>, EvalError> {
        let mut list = Vec::new();
        let mut last = None;
        for attempt in 1..=(states + attempts) as u64 {
            if list.len() == states {
                break;
            }
            match self.points(seed.wrapping_add(0x1_0000 * attempt)) {
                Ok(points) => list.push(points),
                Err(error @ EvalError::Singular(_)) => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = last.filter(|_| list.is_empty()) {
            return Err(error);
        }
        let branches = self.module.functions.iter().flat_map(|f| &f.steps);
        let branches = branches.filter(|step| is_branch(step)).count();
        if branches > 0 {
            let mut taken: BTreeSet<Branch> = BTreeSet::new();
            for points in &list {
                self.branches(points, &mut taken);
            }
            for attempt in 0..FARTHER {
                if taken.len() == 2 * branches {
                    break;
                }
                let seed = seed.wrapping_add(0x51_0000 + attempt);
                let Some(point) = N::wide(self.machine, seed) else {
                    break;
                };
                let Ok(points) = self.around(point, seed) else {
                    continue;
                };
                let before = taken.len();
                self.branches(&points, &mut taken);
                if taken.len() > before {
                    list.push(points);
                }
            }
        }
        Ok(list)
    }

    /// Records which way each branch of the text goes at a state.
    fn branches(&self, points: &TestPoints<N::Text>, taken: &mut BTreeSet<Branch>) {
        let calls = |function: usize, arguments: &[N::Text]| self.jet(function, arguments);
        let comparison = self.comparison(points, &calls);
        for (index, function) in self.module.functions.iter().enumerate() {
            let tests = function.steps.iter().filter_map(|step| match step {
                Step::Select(_, [a, b, _, _]) => Some([*a, *b]),
                _ => None,
            });
            let tests: Vec<StepId> = tests.flatten().collect();
            if tests.is_empty() {
                continue;
            }
            // What comes after the branches, routines above all, takes most of the time.
            let values = comparison.with_arguments(function, &points.0, |given| {
                run::run_for(function, given, tests)
            });
            for (place, step) in function.steps.iter().enumerate() {
                if let Step::Select(test, [a, b, _, _]) = step
                    && let (Ok(a), Ok(b)) = (run::number(&values, *a), run::number(&values, *b))
                    && let Ok(way) = run::holds(*test, a, b)
                {
                    taken.insert((index, place, way));
                }
            }
        }
    }

    /// The branches that no state takes: function and line.
    pub(super) fn untaken(&self, list: &[TestPoints<N::Text>]) -> Vec<(String, u32)> {
        let mut taken = BTreeSet::new();
        for points in list {
            self.branches(points, &mut taken);
        }
        let mut untaken = Vec::new();
        for (index, function) in self.module.functions.iter().enumerate() {
            let steps = function.steps.iter().enumerate();
            for (place, _) in steps.filter(|(_, step)| is_branch(step)) {
                let both = [true, false];
                if both
                    .iter()
                    .any(|way| !taken.contains(&(index, place, *way)))
                {
                    let line = function.lines.get(place).copied().unwrap_or(function.line);
                    untaken.push((function.name.clone(), line));
                }
            }
        }
        untaken
    }

    /// The module at a state.
    pub(super) fn comparison<'c>(
        &'c self,
        points: &'c TestPoints<N::Text>,
        calls: &'c Calls<'c, N::Text>,
    ) -> Comparison<'c, N::Text> {
        Comparison {
            module: self.module,
            layout: self.layout,
            on: &points.0,
            off: points.1.as_ref(),
            functions: calls,
            literals: &self.literals,
        }
    }

    /// A consistent state and one off the constraints.
    fn points(&self, seed: u64) -> Result<TestPoints<N::Text>, EvalError> {
        self.around(N::point(self.machine, seed)?, seed)
    }

    fn around(&self, point: Point<N>, seed: u64) -> Result<TestPoints<N::Text>, EvalError> {
        let on = TestPoint::on(self.machine, self.layout, point)?;
        let off = if self.layout.rows.is_empty() {
            None
        } else {
            let other = N::any(self.machine, seed ^ 0x5555);
            self.off(other).ok()
        };
        Ok((
            on.map(&Arithmetic::lift),
            off.map(|off| off.map(&Arithmetic::lift)),
        ))
    }

    /// A state off the constraints. Where speeds follow from others by the constraints, the module's own rates are taken: off the
    /// constraints on places there are several ways to continue them, and none is wrong.
    fn off(&self, mut state: State<N>) -> Result<TestPoint<N>, EvalError> {
        if !self.layout.is_reduced() {
            return TestPoint::off(self.machine, self.layout, state, None);
        }
        let module = self.module;
        let unchecked = module.function("rates_unchecked");
        let Some(rates) = unchecked.or_else(|| module.function("rates")) else {
            return Err(EvalError::Unsupported("the module has no `rates`".into()));
        };
        let speeds = state.rates.iter().take(self.layout.independent.len());
        let x: Vec<N> = state.q.iter().chain(speeds).cloned().collect();
        let lifted = x.iter().map(Arithmetic::lift).collect();
        let points = (TestPoint::bare(state.map(&Arithmetic::lift), lifted), None);
        let calls = |function: usize, arguments: &[N::Text]| self.jet(function, arguments);
        let values = self.comparison(&points, &calls).run(rates, &points.0);
        let found = run::outputs(rates, &values)?;
        state.rates = found.iter().map(N::lower).collect();
        TestPoint::off(self.machine, self.layout, state, Some(x))
    }

    /// A difference off the constraints counts for nothing where the quaternions there are not of the length that their constraint
    /// asks for, and the function gives what it should once they are: formulas are simplified by that length.
    pub(super) fn reconsidered(
        &self,
        points: &TestPoints<N::Text>,
        function: &Function,
        verdict: Verdict,
    ) -> Verdict {
        let (Verdict::Differs(_), Some(off)) = (&verdict, &points.1) else {
            return verdict;
        };
        let mut state = off.state.map(&N::lower);
        if !state.with_unit_quaternions(self.machine.system) {
            return verdict;
        }
        let Ok(off) = self.off(state) else {
            return verdict;
        };
        let points = (points.0.clone(), Some(off.map(&Arithmetic::lift)));
        let calls = |function: usize, arguments: &[N::Text]| self.jet(function, arguments);
        match self.comparison(&points, &calls).check(function) {
            Verdict::Agrees | Verdict::AgreesOnConstraints => Verdict::AgreesOnConstraints,
            _ => verdict,
        }
    }

    /// What a user's function returns.
    pub(super) fn jet(
        &self,
        function: usize,
        arguments: &[N::Text],
    ) -> Result<Jet<N::Text>, EvalError> {
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

impl Verifier<'_, Decimal> {
    /// States of any kind, for what does not depend on mechanics: with entries of many sizes, and with zeros.
    pub(super) fn synthetic(&self, seed: u64) -> Vec<TestPoint<Ball<Decimal>>> {
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
            TestPoint::bare(state.map(&Arithmetic::lift), x)
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
