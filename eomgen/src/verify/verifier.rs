//! A module and a machine side by side in one arithmetic: states, and the text's numbers at them.

use std::collections::BTreeSet;

use super::ball::Ball;
use super::dynamics::State;
use super::entries::given_array;
use super::layout::Layout;
use super::machine::Machine;
use super::number::{Algebra, Decimal, EvalError, Modular, Number};
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
            return Self::consistent(machine, seed).ok();
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

/// How many states are tried for branches that no other one takes.
const FARTHER: u64 = 60;

/// How often a state that says nothing is replaced.
const ATTEMPTS: usize = 12;

/// A branch that is taken: function, step, whether the comparison holds.
type Branch = (usize, usize, bool);

fn is_branch(step: &Step) -> bool {
    matches!(step, Step::Select(..))
}

/// A module and a machine in one arithmetic.
pub(super) struct Verifier<'a, N: Arithmetic> {
    pub(super) module: &'a Module,
    pub(super) layout: &'a Layout,
    pub(super) machine: &'a Machine<'a>,
    literals: Vec<Result<N::Text, EvalError>>,
}

impl<'a, N: Arithmetic> Verifier<'a, N> {
    pub(super) fn new(module: &'a Module, layout: &'a Layout, machine: &'a Machine<'a>) -> Self {
        Self {
            module,
            layout,
            machine,
            literals: N::literals(module),
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
            let solved = N::consistent(self.machine, seed);
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

    /// Adds states where branches go ways that they do not go at the others.
    fn add_distant(&self, list: &mut Vec<TestPoints<N>>, seed: u64) {
        let branches = self.module.functions.iter().flat_map(|f| &f.steps);
        let branches = branches.filter(|step| is_branch(step)).count();
        if branches == 0 {
            return;
        }
        let mut taken = self.taken(list);
        for attempt in 0..FARTHER {
            if taken.len() == 2 * branches {
                break;
            }
            let seed = seed.wrapping_add(0x51_0000 + attempt);
            let Some(solved) = N::distant(self.machine, seed) else {
                break;
            };
            let Ok(points) = self.around(solved, seed) else {
                continue;
            };
            let before = taken.len();
            taken.extend(self.taken(std::slice::from_ref(&points)));
            if taken.len() > before {
                list.push(points);
            }
        }
    }

    /// Which way the branches of the text go at some states.
    fn taken(&self, list: &[TestPoints<N>]) -> BTreeSet<Branch> {
        let mut taken = BTreeSet::new();
        for (index, function) in self.module.functions.iter().enumerate() {
            let tests = function.steps.iter().filter_map(|step| match step {
                Step::Select(_, [a, b, _, _]) => Some([*a, *b]),
                _ => None,
            });
            let tests: Vec<StepId> = tests.flatten().collect();
            if tests.is_empty() {
                continue;
            }
            for points in list {
                // What comes after the branches, routines above all, takes most of the time.
                let (state, x) = (&points.on.state, &points.on.x);
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

    /// The branches that no state takes: function and line.
    pub(super) fn untaken(&self, list: &[TestPoints<N>]) -> Vec<(String, u32)> {
        let taken = self.taken(list);
        let mut untaken = Vec::new();
        for (index, function) in self.module.functions.iter().enumerate() {
            for (place, step) in function.steps.iter().enumerate() {
                let is_taken = |way| taken.contains(&(index, place, way));
                if is_branch(step) && !(is_taken(true) && is_taken(false)) {
                    let line = function.lines.get(place).copied().unwrap_or(function.line);
                    untaken.push((function.name.clone(), line));
                }
            }
        }
        untaken
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

    /// A consistent state and one off the constraints.
    fn around(&self, on: SolvedState<N>, seed: u64) -> Result<TestPoints<N>, EvalError> {
        let on = TestPoint::on(self.machine, self.layout, on)?;
        let off = if self.layout.rows.is_empty() {
            None
        } else {
            self.off(N::any(self.machine, seed ^ 0x5555)).ok()
        };
        Ok(TestPoints { on, off })
    }

    /// A state off the constraints. Where speeds follow from others by the constraints, the module's own rates are taken: off the
    /// constraints on positions there are several ways to continue them, and none is wrong.
    fn off(&self, mut state: State<N>) -> Result<TestPoint<N>, EvalError> {
        if !self.layout.is_reduced() {
            return TestPoint::off(self.machine, self.layout, state, None);
        }
        let unchecked = self.module.function("rates_unchecked");
        let Some(rates) = unchecked.or_else(|| self.module.function("rates")) else {
            let why = "the module has no `rates`";
            return EvalError::unsupported(why);
        };
        let speeds = state.rates.iter().take(self.layout.independent.len());
        let x: Vec<N> = state.q.iter().chain(speeds).cloned().collect();
        let values = self.run(rates, &state, &x);
        let found = run::outputs(rates, &values)?;
        state.rates = found.iter().map(N::lower).collect();
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

impl Verifier<'_, Decimal> {
    /// States of any kind, with the module's array, for what does not depend on mechanics: with entries of many sizes, and with zeros.
    pub(super) fn synthetic(&self, seed: u64) -> Vec<(State<Decimal>, Vec<Decimal>)> {
        let of = |k: u64, size: (i64, i64), params: (i64, i64)| {
            let mut state = State::<Decimal>::random(self.machine.system, seed.wrapping_add(k));
            let scale = |list: &mut [Decimal], (above, below): (i64, i64)| {
                let factor = Decimal::int(above).div(&Decimal::int(below));
                let factor = factor.unwrap_or_else(|_| Decimal::int(1));
                list.iter_mut().for_each(|x| *x = x.mul(&factor));
            };
            scale(&mut state.q, size);
            scale(&mut state.rates, size);
            scale(&mut state.params, params);
            let speeds = state.rates.iter().take(self.layout.independent.len());
            let x = state.q.iter().chain(speeds).cloned().collect();
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
}
