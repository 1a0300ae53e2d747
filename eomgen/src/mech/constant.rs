//! Constants that are written in terms of coordinates: what does not depend on these has the same value at every place, and is short at a place of
//! rational sines and cosines. Knows nothing of constraints.

use crate::sym::{Algebra, Expr, Kernel, Meaning, Var};
use num_traits::{Signed, ToPrimitive};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The expression without the coordinates, where it does not depend on any; `None` where it does, or where no short form is found.
pub(crate) fn free_of(alg: &mut Algebra, e: &Expr, space: &[Var]) -> Option<Expr> {
    for x in space {
        let d = alg.partial(e, *x);
        if !alg.is_zero(&d) {
            return None;
        }
    }
    let mut with: BTreeMap<Var, Expr> = BTreeMap::new();
    for (k, x) in (0..).zip(space) {
        with.insert(*x, Expr::int(6 * k + 17) / Expr::int(2 * k + 5));
    }
    for v in below(alg, e) {
        if with.contains_key(&v) {
            continue;
        }
        match alg.info(v).meaning.clone() {
            // Each in terms of those before it, which have their values.
            Meaning::Definition(d) => {
                let value = alg.restrict(&d, &with, &mut FxHashMap::default());
                let value = alg.written_out(&value, SIZE)?;
                with.insert(v, value);
            }
            Meaning::Kernel(_, args) | Meaning::Jet { args, .. }
                if args
                    .iter()
                    .all(|a| !alg.depends(a, &|v| space.contains(&v))) => {}
            Meaning::Kernel(Kernel::Sin, args) => {
                with.insert(v, sine_and_cosine(alg, args.first()?, space)?.0);
            }
            Meaning::Kernel(Kernel::Cos, args) => {
                with.insert(v, sine_and_cosine(alg, args.first()?, space)?.1);
            }
            Meaning::Kernel(..) | Meaning::Jet { .. } => return None,
            _ => {}
        }
    }
    let value = alg.restrict(e, &with, &mut FxHashMap::default());
    alg.written_out(&value, SIZE)
}

/// Largest expression that is written out.
const SIZE: usize = 2000;

/// Sine and cosine of a sum of multiples of coordinates, of which each has a rational sine and cosine; `None` for other angles.
fn sine_and_cosine(alg: &mut Algebra, angle: &Expr, space: &[Var]) -> Option<(Expr, Expr)> {
    let (mut s, mut c) = (Expr::zero(), Expr::one());
    let mut rest = angle.clone();
    for (k, x) in (0..).zip(space) {
        let d = alg.partial(angle, *x);
        let times = alg.as_number(&d)?;
        if !times.is_integer() {
            return None;
        }
        rest = rest - d * alg.var(*x);
        let (own, along) = circle(k);
        let own = if times.is_negative() { -own } else { own };
        for _ in 0..times.abs().to_u32().filter(|n| *n <= MOST)? {
            (s, c) = (&s * &along + &c * &own, &c * &along - &s * &own);
        }
    }
    alg.is_zero(&rest).then_some((s, c))
}

/// Multiples of an angle that are added up at most.
const MOST: u32 = 16;

/// A rational sine and cosine, others for every number.
fn circle(k: i64) -> (Expr, Expr) {
    let (p, q) = (2 * k + 7, 3 * k + 19);
    let square = p * p + q * q;
    let part = |n: i64| Expr::int(n) / Expr::int(square);
    (part(2 * p * q), part(q * q - p * p))
}

/// All symbols that an expression is made of, each after those that it is made of.
fn below(alg: &Algebra, e: &Expr) -> BTreeSet<Var> {
    let (mut found, mut open) = (BTreeSet::new(), alg.variables(e));
    while let Some(v) = open.pop() {
        if found.insert(v)
            && let Meaning::Definition(d) = &alg.info(v).meaning
        {
            open.extend(alg.variables(d));
        }
    }
    found
}
