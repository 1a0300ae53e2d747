//! Whether a plan may replace the factored mass matrix: no pivot that could vanish, no more than two digits lost.
//!
//! The rounding error of a plan at a state is the largest difference between its accelerations in doubles and those without rounding,
//! relative to the largest of these; of several states the worst counts. Without rounding means with twice the digits, computed
//! the way that is trusted. What a plan loses against that way is the logarithm of the quotient of the two errors.

use super::group;
use super::moving::{Entering, apart, blocks, by_column};
use crate::field::{MODULUS, pseudo_random};
use crate::ir::interpret::{Host, Jet};
use crate::ir::twofold::{self, Both, Twofold};
use crate::ir::{Graph, Slot, Sphere, Value, on_spheres};
use crate::solve::Plan;
use std::cell::RefCell;
use std::ops::{Div, Mul, Sub};

/// States at which plans are compared.
const STATES: u64 = 8;
/// The same for very large systems.
const FEW_STATES: u64 = 3;
/// Digits that a plan may lose.
pub(super) const MOST: f64 = 2.0;
/// An error with which a plan is accurate enough where there is no better one.
const ENOUGH: f64 = 1e-12;
/// Half a unit in the last place: what is better is as good as this.
const ROUNDING: f64 = f64::EPSILON / 2.0;
/// Results further apart than this, in numbers of twice the digits, are not the same.
const SAME: f64 = 1e-9;

/// Why a plan is turned down; with `certain_only` also where a pivot might vanish although the mass matrix is positive definite.
pub(super) fn refusal(plan: &Plan, certain_only: bool) -> Option<&'static str> {
    // Unknowns were set to 0, or the equations might contradict each other.
    if !plan.open.is_empty() || !plan.consistency.is_empty() {
        return Some("leaves unknowns open");
    }
    let uncertain = plan.pivots.iter().any(|p| !p.certain);
    (certain_only && uncertain).then_some("a pivot might vanish")
}

/// Some inputs with their numbers.
pub(crate) type Place = Vec<(Slot, f64)>;

/// What plans are compared with, at a few pseudo-random states.
pub(crate) struct Reference {
    /// Inputs at places where constraints hold, which the states take in turn; any numbers where there are none.
    places: Vec<Place>,
    /// The state, and the trusted values.
    states: Vec<(u64, Vec<Both>)>,
    /// The error of these.
    pub error: f64,
    /// The values that were asked about last, and their errors at each state: the same are asked about twice.
    last: RefCell<(Vec<Value>, Vec<[f64; 2]>)>,
}

impl Reference {
    /// What `trusted` come to. States where they are not finite are left out.
    pub fn new(graph: &Graph, trusted: &[Value]) -> Self {
        let run = twofold::Run::new(graph, trusted);
        Self::over(graph, (STATES, Vec::new()), |at| run.at(&at))
    }

    /// The solution of `M z' = f` at these states, M given by rows, with constraint rows: worked out in numbers, so that no plan has a part in it.
    pub fn of_equations(
        graph: &Graph,
        (mass, forcing): (&[Value], &[Value]),
        rows: &[(Vec<Value>, Value)],
        places: Vec<Place>,
    ) -> Self {
        let (held, sides) = flat(rows);
        let run = twofold::Run::new(graph, &[mass, forcing, &held, &sides].concat());
        Self::over(graph, (STATES, places), |at| {
            let found = run.at(&at)?;
            let (m, rest) = found.split_at(mass.len());
            let (f, rest) = rest.split_at(forcing.len());
            let (a, b) = rest.split_at(held.len());
            Some(accelerations(m, f, a, b))
        })
    }

    /// The same where M is not formed: from the forces `M z' - f` that are missing for given rates, at fewer states. M is the difference of those for
    /// one rate alone and of those for none.
    pub fn of_inverse_dynamics(
        graph: &Graph,
        missing: &[Value],
        rows: &[(Vec<Value>, Value)],
        places: Vec<Place>,
    ) -> Self {
        let (held, sides) = flat(rows);
        let run = twofold::Run::new(graph, &[missing, &held, &sides].concat());
        let n = missing.len();
        let entering = Entering::of(graph, run.live());
        let own: Vec<&[u32]> = missing.iter().map(|f| entering.at(run.place(*f))).collect();
        let rows_of = by_column(&own, n);
        let groups = apart(&rows_of, own.len());
        let blocks = blocks(&rows_of);
        Self::over(graph, (FEW_STATES, places), |at| {
            let before = run.whole(&Given { at, rates: &[] })?;
            let all = |of: &[Value]| of.iter().map(|v| before[run.place(*v)]).collect();
            let (still, a, b): (Vec<Both>, Vec<Both>, Vec<Both>) =
                (all(missing), all(&held), all(&sides));
            // Of each column the entries of its rows.
            let mut columns: Vec<Vec<Both>> = vec![Vec::new(); n];
            let mut values = before.clone();
            for group in &groups {
                let mut rates = vec![false; n];
                group.iter().for_each(|j| rates[*j] = true);
                let changed = entering.moved_by(&rates);
                run.again(&changed, &mut values, &Given { at, rates: &rates })?;
                for &j in group {
                    let entry = |i: &usize| values[run.place(missing[*i])].less(still[*i]);
                    columns[j] = rows_of[j].iter().map(entry).collect();
                }
                changed.iter().for_each(|at| values[*at] = before[*at]);
            }
            let mut found = vec![Both::ZERO; n];
            // With rows all hangs together.
            let whole = [(0..n).collect()];
            let blocks = if b.is_empty() {
                &blocks[..]
            } else {
                &whole[..]
            };
            for block in blocks {
                let mass = dense(block, &rows_of, &columns);
                let forces: Vec<Both> = block.iter().map(|i| Both::ZERO.less(still[*i])).collect();
                for (i, rate) in block.iter().zip(accelerations(&mass, &forces, &a, &b)) {
                    found[*i] = rate;
                }
            }
            Some(found)
        })
    }

    fn over(
        graph: &Graph,
        (count, places): (u64, Vec<Place>),
        found: impl Fn(Anywhere<'_>) -> Option<Vec<Both>>,
    ) -> Self {
        let finite = |both: &Both| both.rounded.is_finite() && both.precise.lead.is_finite();
        let mut states = Vec::new();
        let mut error: f64 = 0.0;
        for state in 0..count {
            let Some(found) = found(Anywhere::of(graph, &places, state)) else {
                continue;
            };
            if found.iter().all(finite) {
                let rounded: Vec<f64> = found.iter().map(|both| both.rounded).collect();
                error = error.max(off(&found, rounded.into_iter()));
                states.push((state, found));
            }
        }
        Self {
            places,
            states,
            error,
            last: RefCell::default(),
        }
    }

    /// The worst error of values that should be the same, as computed in doubles and with twice the digits; infinite where something is not
    /// finite, and where there is no state.
    pub fn errors(&self, graph: &Graph, found: &[Value]) -> [f64; 2] {
        worst(self.errors_by_state(graph, found).into_iter())
    }

    /// The same at each state.
    fn errors_by_state(&self, graph: &Graph, found: &[Value]) -> Vec<[f64; 2]> {
        let known = self.last.borrow();
        if !found.is_empty() && known.0 == found {
            return known.1.clone();
        }
        drop(known);
        let errors = self.measured(graph, found);
        *self.last.borrow_mut() = (found.to_vec(), errors.clone());
        errors
    }

    fn measured(&self, graph: &Graph, found: &[Value]) -> Vec<[f64; 2]> {
        let run = twofold::Run::new(graph, found);
        let at = |(state, trusted): &(u64, Vec<Both>)| {
            let Some(values) = run.at(&Anywhere::of(graph, &self.places, *state)) else {
                return [f64::INFINITY; 2];
            };
            [
                off(trusted, values.iter().map(|both| both.rounded)),
                off(trusted, values.iter().map(|both| both.precise.lead)),
            ]
        };
        self.states.iter().map(at).collect()
    }

    /// At which of the states a value is positive.
    pub fn positive(&self, graph: &Graph, value: Value) -> Vec<bool> {
        let run = twofold::Run::new(graph, &[value]);
        let states = self.states.iter();
        let found = states.map(|(state, _)| run.at(&Anywhere::of(graph, &self.places, *state)));
        found
            .map(|found| found.is_some_and(|found| found[0].rounded > 0.0))
            .collect()
    }

    /// The digits that a plan may lose and be accurate enough.
    pub fn digits_to_spare(&self) -> f64 {
        (ENOUGH / self.error.max(ROUNDING)).log10()
    }

    /// The digits that a plan with these values loses; infinite where they are not the same values.
    pub fn digits_lost(&self, graph: &Graph, found: &[Value]) -> f64 {
        self.digits(self.errors(graph, found))
    }

    /// The digits that it loses at three states of four, those at which it loses the fewest.
    pub fn digits_lost_usually(&self, graph: &Graph, found: &[Value]) -> f64 {
        let mut errors = self.errors_by_state(graph, found);
        errors.sort_by(|a, b| a[0].max(a[1]).total_cmp(&b[0].max(b[1])));
        errors.truncate(most_of(errors.len()));
        self.digits(worst(errors.into_iter()))
    }

    /// The digits that it loses at some of the states.
    pub fn digits_lost_at(&self, graph: &Graph, found: &[Value], some: &[bool]) -> f64 {
        let errors = self.errors_by_state(graph, found).into_iter().zip(some);
        let errors = errors.filter_map(|(error, counts)| counts.then_some(error));
        self.digits(worst(errors))
    }

    /// The digits that are lost with these errors.
    fn digits(&self, [rounded, precise]: [f64; 2]) -> f64 {
        if precise > SAME || !rounded.is_finite() {
            return f64::INFINITY;
        }
        (rounded.max(ROUNDING) / self.error.max(ROUNDING))
            .log10()
            .max(0.0)
    }
}

/// Three of four.
pub(super) fn most_of(count: usize) -> usize {
    count - count / 4
}

/// The worst of errors; infinite if there are none.
fn worst(errors: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    let worse = |before: [f64; 2], next: [f64; 2]| [0, 1].map(|i| before[i].max(next[i]));
    errors.reduce(worse).unwrap_or([f64::INFINITY; 2])
}

/// What values are made of at places; every other input is of ordinary size.
pub(super) fn hosts<'g>(
    graph: &'g Graph,
    places: impl Iterator<Item = &'g Place>,
) -> impl Iterator<Item = impl Host> {
    let at = |(state, place): (usize, &'g Place)| Anywhere {
        state: state as u64,
        spheres: graph.spheres(),
        given: place,
    };
    places.enumerate().map(at)
}

/// Values at each of these places, in doubles and with twice the digits; every other input is of ordinary size. Empty where something has no value.
pub(crate) fn both_at(graph: &Graph, values: &[Value], places: &[Place]) -> Vec<Vec<Both>> {
    let run = twofold::Run::new(graph, values);
    let at = |(state, place): (usize, &Place)| {
        let found = run.at(&Anywhere {
            state: 2 * state as u64,
            spheres: graph.spheres(),
            given: place,
        });
        found.unwrap_or_default()
    };
    places.iter().enumerate().map(at).collect()
}

/// How far values in doubles are from those with twice the digits, relative to the largest.
pub(crate) fn error(found: &[Both]) -> f64 {
    off(found, found.iter().map(|both| both.rounded))
}

/// The largest difference, relative to the largest of the values.
fn off(trusted: &[Both], found: impl Iterator<Item = f64>) -> f64 {
    let size = trusted
        .iter()
        .fold(0.0_f64, |m, both| m.max(both.precise.lead.abs()));
    let mut worst: f64 = 0.0;
    for (both, x) in trusted.iter().zip(found) {
        let difference = Twofold::new(x) - both.precise;
        let error = match difference.lead {
            0.0 => 0.0,
            difference => difference.abs() / size,
        };
        worst = if error.is_nan() {
            f64::INFINITY
        } else {
            worst.max(error)
        };
    }
    worst
}

/// Coefficients of rows one after another, and right-hand sides.
fn flat(rows: &[(Vec<Value>, Value)]) -> (Vec<Value>, Vec<Value>) {
    let coefficients = rows.iter().flat_map(|row| row.0.iter().copied());
    (
        coefficients.collect(),
        rows.iter().map(|row| row.1).collect(),
    )
}

/// [`constrained`] in doubles and with twice the digits.
fn accelerations(m: &[Both], f: &[Both], a: &[Both], b: &[Both]) -> Vec<Both> {
    let numbers = |of: &[Both]| of.iter().map(|both| both.rounded).collect();
    let twice = |of: &[Both]| of.iter().map(|both| both.precise).collect();
    let rounded: Vec<f64> = constrained(numbers(m), numbers(f), numbers(a), numbers(b));
    let precise: Vec<Twofold> = constrained(twice(m), twice(f), twice(a), twice(b));
    let both = rounded.into_iter().zip(precise);
    both.map(|(rounded, precise)| Both { rounded, precise })
        .collect()
}

/// The rows and columns of a block of a matrix that is given by columns, as far as they have entries.
fn dense(block: &[usize], rows_of: &[Vec<usize>], columns: &[Vec<Both>]) -> Vec<Both> {
    let n = block.len();
    let mut matrix = vec![Both::ZERO; n * n];
    for (at, &j) in block.iter().enumerate() {
        for (i, entry) in rows_of[j].iter().zip(&columns[j]) {
            if let Ok(row) = block.binary_search(i) {
                matrix[row * n + at] = *entry;
            }
        }
    }
    matrix
}

/// z' of `M z' + A^T x = f`, `A z' = b`, by elimination with the largest of each column for its pivot; not finite where that is singular.
fn constrained<T>(m: Vec<T>, f: Vec<T>, a: Vec<T>, b: Vec<T>) -> Vec<T>
where
    T: Number,
{
    let (n, r) = (f.len(), b.len());
    if r == 0 {
        return solved(m, f);
    }
    let size = n + r;
    let mut whole = vec![T::zero(); size * size];
    for i in 0..n {
        whole[i * size..i * size + n].copy_from_slice(&m[i * n..(i + 1) * n]);
        for k in 0..r {
            whole[i * size + n + k] = a[k * n + i];
            whole[(n + k) * size + i] = a[k * n + i];
        }
    }
    let mut sides = f;
    sides.extend(b);
    // Rows in units of their own: each is divided by its largest entry.
    for i in 0..size {
        let row = &whole[i * size..(i + 1) * size];
        let largest = row
            .iter()
            .copied()
            .max_by(|x, y| x.size().total_cmp(&y.size()));
        if let Some(scale) = largest.filter(|x| x.size() > 0.0) {
            let row = &mut whole[i * size..(i + 1) * size];
            row.iter_mut().for_each(|x| *x = *x / scale);
            sides[i] = sides[i] / scale;
        }
    }
    for k in 0..size {
        let at = |i: &usize| whole[i * size + k].size();
        let pivot = (k..size).max_by(|i, j| at(i).total_cmp(&at(j)));
        if let Some(pivot) = pivot.filter(|p| *p != k) {
            for j in 0..size {
                whole.swap(k * size + j, pivot * size + j);
            }
            sides.swap(k, pivot);
        }
        eliminate_below(&mut whole, &mut sides, k);
    }
    let mut x = substituted(&whole, sides);
    x.truncate(n);
    x
}

/// A number of either kind.
trait Number: Copy + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    fn zero() -> Self;
    fn size(&self) -> f64;
}

impl Number for f64 {
    fn zero() -> Self {
        0.0
    }
    fn size(&self) -> f64 {
        self.abs()
    }
}

impl Number for Twofold {
    fn zero() -> Self {
        Self::new(0.0)
    }
    fn size(&self) -> f64 {
        self.lead.abs()
    }
}

/// `M^-1 f` by elimination; not finite where M is singular.
fn solved<T>(mut m: Vec<T>, mut f: Vec<T>) -> Vec<T>
where
    T: Number,
{
    for k in 0..f.len() {
        eliminate_below(&mut m, &mut f, k);
    }
    substituted(&m, f)
}

fn eliminate_below<T: Number>(m: &mut [T], f: &mut [T], k: usize) {
    let n = f.len();
    for i in k + 1..n {
        if m[i * n + k].size() == 0.0 {
            continue;
        }
        let factor = m[i * n + k] / m[k * n + k];
        for j in k + 1..n {
            m[i * n + j] = m[i * n + j] - factor * m[k * n + j];
        }
        f[i] = f[i] - factor * f[k];
    }
}

/// The solution of a triangular system.
fn substituted<T: Number>(m: &[T], mut f: Vec<T>) -> Vec<T> {
    let n = f.len();
    for i in (0..n).rev() {
        for j in i + 1..n {
            f[i] = f[i] - m[i * n + j] * f[j];
        }
        f[i] = f[i] / m[i * n + i];
    }
    f
}

/// A state: parameters between 1/2 and 3/2; all else too at every other state, and between -2 and 2 at those between; unit quaternions of length 1.
/// The same at every run.
#[derive(Clone, Copy)]
struct Anywhere<'g> {
    state: u64,
    spheres: &'g [Sphere],
    /// What is given there.
    given: &'g [(Slot, f64)],
}

impl<'g> Anywhere<'g> {
    fn of(graph: &'g Graph, places: &'g [Place], state: u64) -> Self {
        let place = places.iter().cycle().nth(state as usize);
        Self {
            state,
            spheres: graph.spheres(),
            given: place.map_or(&[], Vec::as_slice),
        }
    }

    fn number(&self, key: u64) -> f64 {
        let r = pseudo_random(self.state + 1, key);
        r.get() as f64 / MODULUS as f64
    }
}

impl Host for Anywhere<'_> {
    fn slot(&self, slot: Slot) -> f64 {
        if let Some((_, number)) = self.given.iter().find(|(own, _)| *own == slot) {
            return *number;
        }
        let drawn = |slot: Slot| {
            let number = self.number(u64::from(slot.group) << 32 | u64::from(slot.index));
            if slot.group == group::PARAMS || self.state.is_multiple_of(2) {
                0.5 + number
            } else {
                4.0 * number - 2.0
            }
        };
        on_spheres(self.spheres, slot, drawn, |x| Some(1.0 / x)).unwrap_or(drawn(slot))
    }

    fn call(&self, function: u32, args: &[f64]) -> Jet {
        let n = args.len();
        let base = (1 << 40) + u64::from(function) * 1000;
        let number = |key: u64| 0.5 + self.number(base + key);
        Jet {
            value: number(0),
            gradient: (0..n).map(|i| number(1 + i as u64)).collect(),
            hessian: (0..n * n).map(|i| number(100 + i as u64)).collect(),
        }
    }
}

/// The same state, with all given rates 0 but these, which are 1.
struct Given<'g> {
    at: Anywhere<'g>,
    rates: &'g [bool],
}

impl Host for Given<'_> {
    fn slot(&self, slot: Slot) -> f64 {
        if slot.group == group::GIVEN {
            let moves = self.rates.get(slot.index as usize) == Some(&true);
            f64::from(u8::from(moves))
        } else {
            self.at.slot(slot)
        }
    }

    fn call(&self, function: u32, args: &[f64]) -> Jet {
        self.at.call(function, args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `M z' = f` with entries that depend on the state, of which the last is tied to no other: both ways to the trusted values agree to all digits but the last ones.
    #[test]
    fn inverse_dynamics_says_what_the_equations_say() {
        let mut graph = Graph::new();
        let input = |graph: &mut Graph, group, index| graph.input(Slot { group, index });
        let [a, b, c] = [0, 1, 2].map(|i| input(&mut graph, group::STATE, i));
        let zero = graph.zero();
        let (a2, b2) = (graph.mul(a, a), graph.mul(b, b));
        let five = graph.rational(&crate::ir::Rational::from_integer(5.into()));
        let (first, last) = (graph.add(a2, five), graph.add(b2, five));
        let mass = [first, c, zero, c, last, zero, zero, zero, first];
        let forcing = [graph.mul(a, b), graph.sub(c, a), b];
        let mut missing = Vec::new();
        for (row, f) in mass.chunks(3).zip(forcing) {
            let mut sum = graph.neg(f);
            for (i, entry) in row.iter().enumerate() {
                let rate = input(&mut graph, group::GIVEN, i as u32);
                let term = graph.mul(*entry, rate);
                sum = graph.add(sum, term);
            }
            missing.push(sum);
        }
        let stated = Reference::of_equations(&graph, (&mass, &forcing), &[], Vec::new());
        let asked = Reference::of_inverse_dynamics(&graph, &missing, &[], Vec::new());
        assert_eq!(asked.states.len(), FEW_STATES as usize);
        for (one, other) in stated.states.iter().zip(&asked.states) {
            assert_eq!(one.0, other.0);
            for (x, y) in one.1.iter().zip(&other.1) {
                let off = (x.precise - y.precise).lead;
                assert!(off.abs() < 1e-27, "{off:e}");
                assert!((x.rounded - y.rounded).abs() < 1e-13);
            }
        }
    }
}
