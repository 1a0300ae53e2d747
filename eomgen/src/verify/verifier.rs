//! A module and a machine side by side in one arithmetic: states, and the text's numbers at them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::ball::Ball;
use super::dynamics::State;
use super::entries::given_array;
use super::layout::Layout;
use super::machine::Machine;
use super::number::{Algebra, Decimal, EvalError, Modular, Number};
use super::shared::{Memory, Shared};
use super::solutions::Solutions;
use super::states::{self, SolvedState};
use super::test_point::{TestPoint, TestPoints};
use super::text::literal::Literal;
use super::text::run::{self, Given, Jet, Outcome};
use super::text::tree::{Function, Module, Step, StepId};

/// An arithmetic in which a machine is evaluated, and one in which the text is.
pub trait Arithmetic: Number {
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
    fn consistent(machine: &Machine<'_>, seed: u64) -> Result<SolvedState<Self>, EvalError>;

    /// A state farther away, where branches may go the other way; `None` where there are no branches, or nothing is known that
    /// far away.
    fn distant(machine: &Machine<'_>, seed: u64) -> Option<SolvedState<Self>>;

    /// A state that need not meet the constraints.
    fn any(machine: &Machine<'_>, seed: u64) -> State<Self>;

    /// States of any kind, with the module's array, for what does not depend on mechanics: with entries of many sizes, and with zeros; none
    /// where there is no order.
    fn synthetic(
        machine: &Machine<'_>,
        layout: &Layout,
        seed: u64,
    ) -> Vec<(State<Self>, Vec<Self>)>;

    /// The literals of the text.
    fn literals(module: &Module) -> Vec<Result<Self::Text, EvalError>>;

    /// How uncertain a number of the text is, and how large; 0 and 1 where there is no such thing.
    fn uncertainty(number: &Self::Text) -> (f64, f64);
}

fn first<N>(states: Vec<SolvedState<N>>) -> Result<SolvedState<N>, EvalError> {
    let first = states.into_iter().next();
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

    fn consistent(machine: &Machine<'_>, seed: u64) -> Result<SolvedState<Self>, EvalError> {
        first(states::in_field(machine, 1, seed)?)
    }

    fn distant(_: &Machine<'_>, _: u64) -> Option<SolvedState<Self>> {
        None
    }

    fn any(machine: &Machine<'_>, seed: u64) -> State<Self> {
        State::<Self>::random(machine.system, seed)
    }

    fn synthetic(_: &Machine<'_>, _: &Layout, _: u64) -> Vec<(State<Self>, Vec<Self>)> {
        Vec::new()
    }

    fn literals(module: &Module) -> Vec<Result<Self, EvalError>> {
        run::literals(module)
    }

    fn uncertainty(_: &Self) -> (f64, f64) {
        (0.0, 1.0)
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

    fn consistent(machine: &Machine<'_>, seed: u64) -> Result<SolvedState<Self>, EvalError> {
        first(states::with_digits(machine, 1, seed)?)
    }

    fn distant(machine: &Machine<'_>, seed: u64) -> Option<SolvedState<Self>> {
        if !machine.rows.is_empty() {
            let far = states::far(machine, seed).ok();
            return far.or_else(|| Self::consistent(machine, seed).ok());
        }
        // How far depends on the seed too: a contact may be deep or shallow.
        let spread = [1.0, 3.0, 12.0, 0.25][(seed % 4) as usize];
        let far = State::near(machine.system, seed, (0.125, spread));
        let mut state = State::<Self>::random(machine.system, seed);
        let coords = machine.system.coords.iter().zip(far.q);
        for (q, (coord, far)) in state.q.iter_mut().zip(coords) {
            if coord.sign.is_none() {
                *q = far;
            }
        }
        let dynamics = machine.dynamics(&state).ok()?;
        Some(SolvedState { state, dynamics })
    }

    fn any(machine: &Machine<'_>, seed: u64) -> State<Self> {
        State::<Self>::random(machine.system, seed)
    }

    fn synthetic(
        machine: &Machine<'_>,
        layout: &Layout,
        seed: u64,
    ) -> Vec<(State<Self>, Vec<Self>)> {
        let of = |k: u64, size: (i64, i64), params: (i64, i64)| {
            let mut state = State::<Self>::random(machine.system, seed.wrapping_add(k));
            let scale = |list: &mut [Self], (above, below): (i64, i64)| {
                let factor = Self::int(above).div(&Self::int(below));
                let factor = factor.unwrap_or_else(|_| Self::int(1));
                list.iter_mut().for_each(|x| *x = x.mul(&factor));
            };
            scale(&mut state.q, size);
            scale(&mut state.rates, size);
            scale(&mut state.params, params);
            let speeds = state.rates.iter().take(layout.independent.len());
            let x = state.q.iter().chain(speeds).chain(&state.states);
            let x = x.cloned().collect();
            (state, x)
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

    /// Balls around what is written. Where some literals are rounded, so may be others that happen to be short: a product that is
    /// next to a decimal is written as that decimal.
    fn literals(module: &Module) -> Vec<Result<Ball<Self>, EvalError>> {
        let rounded = module.literals.iter().any(|literal| !literal.is_exact());
        let ball = |literal: &Literal| {
            let radius = if rounded {
                literal.rounding()
            } else {
                literal.radius.clone()
            };
            Ok(Ball {
                center: Self::rational(&literal.value)?,
                radius: Self::rational(&radius)?,
            })
        };
        module.literals.iter().map(ball).collect()
    }

    fn uncertainty(number: &Ball<Self>) -> (f64, f64) {
        (number.radius.to_f64(), number.center.to_f64().abs())
    }
}

/// How often a state that says nothing is replaced.
const ATTEMPTS: usize = 12;

/// A branch that is taken: function, step, whether the comparison holds.
pub(super) type Branch = (usize, usize, bool);

/// The consistent states.
pub(super) fn on<N>(list: &[TestPoints<N>]) -> Vec<(&State<N>, &[N])> {
    let each = list.iter().map(|points| &points.on);
    each.map(|on| (&on.state, on.x.as_slice())).collect()
}

pub(super) fn is_branch(step: &Step) -> bool {
    matches!(step, Step::Select(..))
}

/// A module and a machine in one arithmetic.
pub(super) struct Verifier<'a, N: Arithmetic> {
    pub(super) module: &'a Module,
    pub(super) layout: &'a Layout,
    pub(super) machine: &'a Machine<'a>,
    pub(super) solutions: &'a Solutions<N>,
    literals: Vec<Result<N::Text, EvalError>>,
    shared: Shared,
    memory: RefCell<Memory<N::Text>>,
    /// States that were numbered.
    numbered: Cell<usize>,
}

impl<'a, N: Arithmetic> Verifier<'a, N> {
    pub(super) fn new(
        module: &'a Module,
        layout: &'a Layout,
        (machine, solutions): (&'a Machine<'a>, &'a Solutions<N>),
    ) -> Self {
        Self {
            module,
            layout,
            machine,
            solutions,
            literals: N::literals(module),
            shared: Shared::of(module),
            memory: RefCell::default(),
            numbered: Cell::new(0),
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
    ) -> Result<Vec<TestPoints<N>>, EvalError> {
        let mut list = Vec::new();
        let mut last = None;
        for attempt in 1..=(states + ATTEMPTS) as u64 {
            if list.len() == states {
                break;
            }
            let seed = seed.wrapping_add(0x1_0000 * attempt);
            let solved = self
                .solutions
                .consistent(seed, || N::consistent(self.machine, seed));
            match solved.and_then(|solved| self.around(solved, seed)) {
                Ok(points) => list.push(points),
                Err(error @ EvalError::Singular(_)) => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = last.filter(|_| list.is_empty()) {
            return Err(error);
        }
        self.add_distant(&mut list, seed);
        Ok(list)
    }

    /// Which way the branches of the text go at some states.
    pub(super) fn taken(
        &self,
        list: &[(&State<N>, &[N])],
        counts: impl Fn(&Function) -> bool,
    ) -> BTreeSet<Branch> {
        let mut taken = BTreeSet::new();
        for (index, function) in self.module.functions.iter().enumerate() {
            let tests = function.steps.iter().filter_map(|step| match step {
                Step::Select(_, [a, b, _, _]) => Some([*a, *b]),
                _ => None,
            });
            let tests: Vec<StepId> = tests.flatten().collect();
            if tests.is_empty() || !counts(function) {
                continue;
            }
            for (state, x) in list {
                // What comes after the branches, routines above all, takes most of the time.
                let values = self.given(&function.extra, state, x, |given| {
                    run::run_for(function, given, tests.iter().copied())
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
        taken
    }

    /// Hands out the arguments of a function, with arrays of its own, at a state.
    pub(super) fn given<T>(
        &self,
        extra: &[(String, usize)],
        state: &State<N>,
        x: &[N],
        of: impl FnOnce(&Given<'_, N::Text>) -> T,
    ) -> T {
        let extra = extra.iter().map(|(_, length)| given_array(*length));
        let extra: Vec<Vec<N::Text>> = extra.collect();
        let functions = |f: usize, arguments: &[N::Text]| self.jet(f, arguments);
        let state = state.map(&N::lift);
        let x: Vec<N::Text> = x.iter().map(N::lift).collect();
        of(&Given {
            t: &state.t,
            state: &x,
            extra: &extra,
            params: &state.params,
            inputs: &state.inputs,
            functions: &functions,
            literals: &self.literals,
        })
    }

    /// Evaluates all steps of a function at a state.
    pub(super) fn run(
        &self,
        function: &Function,
        state: &State<N>,
        x: &[N],
    ) -> Vec<Outcome<N::Text>> {
        self.given(&function.extra, state, x, |given| run::run(function, given))
    }

    /// Evaluates all steps of a function at a state, but for those that another function has been evaluated for.
    pub(super) fn run_at(
        &self,
        function: &Function,
        point: &TestPoint<N>,
    ) -> Vec<Outcome<N::Text>> {
        let (state, x) = (&point.state, &point.x);
        let numbers = self.shared.numbers(function);
        // Not a copy in which something was changed.
        let is_own = self
            .module
            .functions
            .iter()
            .any(|f| std::ptr::eq(f, function));
        let Some(numbers) = numbers.filter(|_| is_own && point.number > 0) else {
            return self.run(function, state, x);
        };
        let mut memory = self.memory.borrow_mut();
        let known = memory.at(point.number, &self.shared);
        self.given(&function.extra, state, x, |given| {
            let mut values: Vec<Outcome<N::Text>> = Vec::with_capacity(numbers.len());
            for (step, number) in function.steps.iter().zip(numbers) {
                let found = known
                    .get(*number as usize)
                    .and_then(Option::as_ref)
                    .cloned();
                let value = found.unwrap_or_else(|| {
                    let value = run::evaluate(step, &values, given);
                    if let Some(place) = known.get_mut(*number as usize) {
                        *place = Some(value.clone());
                    }
                    value
                });
                values.push(value);
            }
            values
        })
    }

    /// A number for a state.
    pub(super) fn number(&self, point: &mut TestPoint<N>) {
        self.numbered.set(self.numbered.get() + 1);
        point.number = self.numbered.get();
    }

    /// A consistent state and one off the constraints.
    pub(super) fn around(&self, on: SolvedState<N>, seed: u64) -> Result<TestPoints<N>, EvalError> {
        let mut on = TestPoint::on(self.machine, self.layout, on)?;
        if self.layout.has_supports {
            on = on.with_supports(self.machine, self.layout, seed)?;
        }
        if self.layout.has_coriolis {
            on = on.with_coriolis(self.machine, self.layout)?;
        }
        let mut off = if self.layout.rows.is_empty() {
            None
        } else {
            self.off(N::any(self.machine, seed ^ 0x5555)).ok()
        };
        self.number(&mut on);
        if let Some(off) = &mut off {
            self.number(off);
        }
        Ok(TestPoints { on, off })
    }

    /// A state off the constraints. Where speeds follow from others by the constraints, the module's own rates are taken: off the
    /// constraints on positions there are several ways to continue them, and none is wrong.
    fn off(&self, mut state: State<N>) -> Result<TestPoint<N>, EvalError> {
        if !self.layout.is_reduced() {
            return TestPoint::off(self.machine, self.layout, state, None);
        }
        let derivative = || self.module.function("derivative");
        let Some(rates) = self.module.function("rates").or_else(derivative) else {
            let why = "the module has neither `rates` nor `derivative`";
            return EvalError::unsupported(why);
        };
        let speeds = state.rates.iter().take(self.layout.independent.len());
        let x = state.q.iter().chain(speeds).chain(&state.states);
        let x: Vec<N> = x.cloned().collect();
        let values = self.run(rates, &state, &x);
        let found = run::outputs(rates, &values)?;
        // The derivative of the state begins with them.
        let rates = found.iter().take(self.layout.coordinates.len());
        state.rates = rates.map(N::lower).collect();
        TestPoint::off(self.machine, self.layout, state, Some(x))
    }

    /// The points with quaternions off the constraints of the length that their constraint asks for; `None` if there are none.
    pub(super) fn with_unit_quaternions(&self, points: &TestPoints<N>) -> Option<TestPoints<N>> {
        let mut state = points.off.as_ref()?.state.clone();
        if !state.with_unit_quaternions(self.machine.system) {
            return None;
        }
        Some(TestPoints {
            on: points.on.clone(),
            off: Some(self.off(state).ok()?),
        })
    }

    /// What a user's function returns.
    fn jet(&self, function: usize, arguments: &[N::Text]) -> Result<Jet<N::Text>, EvalError> {
        let user = self.module.user_functions.get(function);
        let function = self.machine.functions.function(function, arguments.len());
        Jet::of(&function, user.map_or(0, |f| f.order), arguments)
    }
}
