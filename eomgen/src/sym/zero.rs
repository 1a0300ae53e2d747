//! Whether expressions are zero: their values at random points of a finite field in which square roots exist.

use super::{Algebra, Expr, Meaning, Var, circle, expr};
use crate::field::{Extended, Residue, pseudo_random};
use crate::function::{Elementary, FieldRule};
use std::cell::RefCell;
use symbolica::atom::{AtomCore, AtomView};

/// How many field points decide a zero: a wrong decision needs two independent events of probability ~degree / 2^61.
pub(super) const POINTS: usize = 2;

/// The values of an expression at these points, or those of its negative: the same for both.
pub(super) type Key = [Extended; POINTS];

/// The key of an expression of these values, and whether it is that of its negative.
pub(super) fn key(points: [Option<Extended>; POINTS]) -> Option<(bool, Key)> {
    let [Some(first), Some(second)] = points else {
        return None;
    };
    let (negative, first) = first.mirror();
    let second = if negative { -second } else { second };
    Some((negative, [first, second]))
}

/// How many more are asked where there are square roots: those of a square are the quantity itself at half of the points, and its
/// negative at the others, so that `sqrt(x^2) - x` vanishes at every other point.
const FURTHER: usize = 30;

/// Values at all of the further points; none where something is divided by zero.
type Row = [Option<Extended>; FURTHER];

/// Values of the symbols at further points, in the order of the pool, as far as they were needed.
#[derive(Default)]
pub(super) struct Further(RefCell<Vec<Row>>);

/// The value of an expression by those of its symbols.
fn evaluate(v: AtomView<'_>, of: &dyn Fn(AtomView<'_>) -> Option<Extended>) -> Option<Extended> {
    Some(match v {
        AtomView::Num(_) => number(v)?,
        AtomView::Var(_) => of(v)?,
        AtomView::Add(a) => {
            let mut s = Extended::ZERO;
            for t in a.iter() {
                s = s + evaluate(t, of)?;
            }
            s
        }
        AtomView::Mul(m) => {
            let mut s = Extended::ONE;
            for t in m.iter() {
                s = s * evaluate(t, of)?;
            }
            s
        }
        AtomView::Pow(p) => {
            let (b, e) = p.get_base_exp();
            let e = expr::small_integer(e)?;
            let b = evaluate(b, of)?;
            let r = b.pow(e.unsigned_abs());
            if e < 0 { r.inverse()? } else { r }
        }
        AtomView::Fun(_) => return None,
    })
}

/// A number. Nearly all are small integers, which need no fraction.
fn number(v: AtomView<'_>) -> Option<Extended> {
    match expr::small_integer(v) {
        Some(integer) => Some(Residue::from_integer(integer).into()),
        None => Extended::from_rational(&expr::to_rational(v)?),
    }
}

impl Algebra {
    fn var_of_view(&self, v: AtomView<'_>) -> Option<Var> {
        match v {
            AtomView::Var(x) => self.lookup(x.get_symbol()),
            _ => None,
        }
    }

    /// The value at a test point.
    pub(super) fn at(&self, e: &Expr, point: usize) -> Option<Extended> {
        evaluate(e.0.as_atom_view(), &|v| {
            self.info(self.var_of_view(v)?).points[point]
        })
    }

    /// Whether an expression stays what it is at both points where an angle is turned on, of which these are sine and cosine: what it is made of
    /// beside them stays.
    pub(super) fn stays_turned(&self, e: &Expr, (s, c): (Var, Var)) -> bool {
        let turned_at = |point: usize| {
            let [own_s, own_c] = [s, c].map(|v| self.info(v).points[point]);
            let fifth = Residue::new(5).inverse()?;
            let [three, four] = [3, 4].map(|n| Extended::from(Residue::new(n) * fifth));
            let (own_s, own_c) = (own_s?, own_c?);
            let turned = (own_s * four + own_c * three, own_c * four - own_s * three);
            evaluate(e.0.as_atom_view(), &|v| match self.var_of_view(v)? {
                v if v == s => Some(turned.0),
                v if v == c => Some(turned.1),
                v => self.info(v).points[point],
            })
        };
        (0..2).all(|point| {
            let own = self.at(e, point);
            own.is_some() && own == turned_at(point)
        })
    }

    /// The value of a symbol at a point, where `at` gives those of the expressions in its meaning.
    pub(super) fn value(
        &self,
        v: Var,
        meaning: &Meaning,
        point: usize,
        at: &dyn Fn(&Expr) -> Option<Extended>,
    ) -> Option<Extended> {
        let all = |args: &[Expr]| args.iter().map(at).collect::<Option<Vec<Extended>>>();
        Some(match meaning {
            Meaning::Base => pseudo_random(1 + point as u64, u64::from(v.0)).into(),
            Meaning::Pi => pseudo_random(77, point as u64).into(),
            Meaning::Definition(e) => at(e)?,
            Meaning::Kernel(k, args) => match (k.row().in_field, all(args)?.as_slice()) {
                (FieldRule::Sine, [a]) => circle::circle(*a).0,
                (FieldRule::Cosine, [a]) => circle::circle(*a).1,
                (FieldRule::Root, [a]) => a.root().unwrap_or_else(|| a.mix(300).into()),
                (_, values) => values
                    .iter()
                    .fold(Residue::new(200 + *k as u64), |h, v| v.mix(h.get()))
                    .into(),
            },
            Meaning::Jet {
                function,
                partials,
                args,
            } => {
                let partials = partials
                    .iter()
                    .fold(7, |h, p| pseudo_random(h, u64::from(*p) + 1).get());
                let start = pseudo_random(1000 + u64::from(*function), partials);
                all(args)?.iter().fold(start, |h, a| a.mix(h.get())).into()
            }
        })
    }

    /// Whether there is a square root in what a symbol means.
    pub(super) fn has_roots(&self, meaning: &Meaning) -> bool {
        match meaning {
            Meaning::Base | Meaning::Pi => false,
            Meaning::Definition(e) => self.is_rooted(e),
            Meaning::Kernel(k, args) => {
                *k == Elementary::Sqrt || args.iter().any(|a| self.is_rooted(a))
            }
            Meaning::Jet { args, .. } => args.iter().any(|a| self.is_rooted(a)),
        }
    }

    /// Whether what a symbol means is a polynomial in base symbols, sines and cosines of such, written as one: it has no poles.
    pub(super) fn is_entire(&self, meaning: &Meaning) -> bool {
        let polynomial = |e: &Expr| {
            !expr::divides(e.0.as_atom_view())
                && self.variables(e).iter().all(|v| self.info(*v).entire)
        };
        match meaning {
            Meaning::Base | Meaning::Pi => true,
            Meaning::Definition(e) => polynomial(e),
            Meaning::Kernel(k, args) => {
                matches!(k.row().in_field, FieldRule::Sine | FieldRule::Cosine)
                    && args.iter().all(polynomial)
            }
            Meaning::Jet { .. } => false,
        }
    }

    /// The symbol without poles that the expression is identically, or the negative of it. Expressions with roots are not looked up: the test points
    /// do not tell for which sign of a root an equation holds.
    pub(super) fn known_as(&self, e: &Expr) -> Option<Expr> {
        if self.is_rooted(e) {
            return None;
        }
        let (negative, key) = key(std::array::from_fn(|i| self.at(e, i)))?;
        let v = *self.of_value.get(&key)?;
        // A symbol that is written with what cancels in it is not that of an expression without it.
        let own = self.bases(e);
        let further = self
            .info(v)
            .bases
            .iter()
            .any(|b| own.binary_search(b).is_err());
        if further {
            return None;
        }
        let known = self.var(v);
        let same = self.info(v).points[0]?.mirror().0 == negative;
        Some(if same { known } else { -known })
    }

    pub(super) fn is_rooted(&self, e: &Expr) -> bool {
        self.variables(e).iter().any(|v| self.info(*v).rooted)
    }

    /// The values at the further points. An expression is read once for all of them: reading it takes longer than computing.
    fn at_further(&self, e: &Expr) -> Row {
        let mut known = self.further.0.borrow_mut();
        for k in known.len()..self.infos.len() {
            let v = Var(k as u32);
            let meaning = &self.info(v).meaning;
            let within: &[Expr] = match meaning {
                Meaning::Base | Meaning::Pi => &[],
                Meaning::Definition(e) => std::slice::from_ref(e),
                Meaning::Kernel(_, args) | Meaning::Jet { args, .. } => args,
            };
            let rows: Vec<Row> = within
                .iter()
                .map(|e| self.row(e.0.as_atom_view(), &known))
                .collect();
            let at = |e: &Expr, point: usize| {
                let place = within.iter().position(|known| std::ptr::eq(known, e))?;
                rows.get(place)?[point]
            };
            let value = |point| self.value(v, meaning, POINTS + point, &|e| at(e, point));
            known.push(std::array::from_fn(value));
        }
        self.row(e.0.as_atom_view(), &known)
    }

    /// What [`evaluate`] gives at all of the further points.
    fn row(&self, v: AtomView<'_>, known: &[Row]) -> Row {
        let fold = |row: &mut Row, t: AtomView<'_>, op: fn(Extended, Extended) -> Extended| {
            let mut each = |other: &dyn Fn(usize) -> Option<Extended>| {
                for (i, x) in row.iter_mut().enumerate() {
                    *x = x.zip(other(i)).map(|(a, b)| op(a, b));
                }
            };
            match t {
                AtomView::Num(_) => {
                    let number = number(t);
                    each(&|_| number);
                }
                _ => {
                    let other = self.row(t, known);
                    each(&|i| other[i]);
                }
            }
        };
        match v {
            AtomView::Num(_) => [number(v); FURTHER],
            AtomView::Var(_) => match self.var_of_view(v) {
                Some(var) => known[var.0 as usize],
                None => [None; FURTHER],
            },
            AtomView::Add(a) => {
                let mut row = [Some(Extended::ZERO); FURTHER];
                for t in a.iter() {
                    fold(&mut row, t, |a, b| a + b);
                }
                row
            }
            AtomView::Mul(m) => {
                let mut row = [Some(Extended::ONE); FURTHER];
                for t in m.iter() {
                    fold(&mut row, t, |a, b| a * b);
                }
                row
            }
            AtomView::Pow(p) => {
                let (b, e) = p.get_base_exp();
                let Some(e) = expr::small_integer(e) else {
                    return [None; FURTHER];
                };
                self.row(b, known).map(|b| {
                    let power = b?.pow(e.unsigned_abs());
                    if e < 0 { power.inverse() } else { Some(power) }
                })
            }
            AtomView::Fun(_) => [None; FURTHER],
        }
    }

    /// Whether the expression vanishes identically, decided at random points of the field.
    /// Of roots within roots half do not exist there and are independent symbols, so that a zero which
    /// needs their squares may be missed; a nonzero is never taken for zero.
    pub fn is_zero(&self, e: &Expr) -> bool {
        if e.is_literal_zero() {
            return true;
        }
        self.is_everywhere(e, Extended::ZERO)
    }

    /// Whether the expression is identically that number, decided as [`Self::is_zero`] decides.
    pub(super) fn is_integer(&self, e: &Expr, number: i64) -> bool {
        self.is_everywhere(e, Residue::from_integer(number).into())
    }

    fn is_everywhere(&self, e: &Expr, value: Extended) -> bool {
        let value = Some(value);
        (0..POINTS).all(|i| self.at(e, i) == value)
            && (!self.is_rooted(e) || self.at_further(e).iter().all(|x| *x == value))
    }

    /// Whether the square roots among some symbols are certainly independent: no product of some of what is under them is a square. Then
    /// they can be continued to any signs of theirs, and what is not zero with one choice of signs is not zero with any other.
    pub fn are_independent_roots(&self, roots: &[Var]) -> bool {
        // For each root the points at which it leaves the prime field: products add these, and those of squares never do.
        let mut rows: Vec<u64> = Vec::new();
        for root in roots {
            let mut row = 0;
            for (at, value) in self.at_further(&self.var(*root)).iter().enumerate() {
                match value.and_then(Extended::is_foreign_root) {
                    Some(foreign) => row |= u64::from(foreign) << at,
                    None => return false,
                }
            }
            for known in &rows {
                row = row.min(row ^ known);
            }
            if row == 0 {
                return false;
            }
            rows.push(row);
        }
        true
    }

    /// Whether two expressions are identically equal.
    pub fn equal(&self, a: &Expr, b: &Expr) -> bool {
        a == b || self.is_zero(&(a - b))
    }

    /// The test-point value, for rank decisions.
    pub fn sample(&self, e: &Expr) -> Option<Extended> {
        self.at(e, 0)
    }

    /// The same where it proves that what vanishes there is 0: of expressions with roots one value proves nothing.
    pub fn certain_sample(&self, e: &Expr) -> Option<Extended> {
        self.at(e, 0).filter(|_| !self.is_rooted(e))
    }
}
