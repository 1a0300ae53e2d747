//! Pivots that are proven not to vanish, and pivots that are not.

use eomgen::internals::ir::field::Points;
use eomgen::internals::ir::{Graph, Prepared, Prints, Slot, Unary, Value};
use eomgen::internals::solve::{
    EliminationContext, Ordering, Presumed, SolveError, SymmetricSystem, Unknown, UnknownKind,
    Variant, Verdict, best_of,
};
use std::cell::RefCell;

use super::evaluate::evaluate;

/// The angle of this number.
fn angle(g: &mut Graph, index: u32) -> Value {
    g.input(Slot { group: 0, index })
}

fn unknown(name: &str, kind: UnknownKind) -> Unknown {
    Unknown {
        name: name.into(),
        kind,
        depth: 0,
    }
}

/// A particle of mass 2 in a plane, held along a direction that turns: `2 x'' = c lambda + 3`, `2 y'' = s lambda + 5`, and the row
/// `c x'' + s y'' = 7`, or without its second term.
fn held(g: &mut Graph, both: bool) -> SymmetricSystem {
    let mut system = SymmetricSystem::new(vec![
        unknown("x", UnknownKind::Acceleration),
        unknown("y", UnknownKind::Acceleration),
        unknown("lambda", UnknownKind::Reaction),
    ]);
    let q = angle(g, 0);
    let (s, c) = (g.unary(Unary::Sin, q), g.unary(Unary::Cos, q));
    let [two, three, five, seven] = [2, 3, 5, 7].map(|n| g.integer(n));
    system.set(0, 0, two);
    system.set(1, 1, two);
    system.set(0, 2, c);
    if both {
        system.set(1, 2, s);
    }
    for (i, b) in [three, five, seven].into_iter().enumerate() {
        system.set_rhs(0, i, b);
    }
    system.definite = true;
    system.massive = Some(vec![true, true, false]);
    system
}

/// All orders on one system, which must be proven at every step; the values of its unknowns at an angle.
fn solve_certainly(
    g: &mut Graph,
    system: &SymmetricSystem,
    q: f64,
) -> Result<Vec<f64>, SolveError> {
    let (points, prints) = (Points::new(3), Prints::new(3));
    let prepared = Prepared::new(&[]);
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let context = EliminationContext {
        nonzero: &nonzero,
        prints: Some(&prints),
        prepared: Some(&prepared),
        never_zero: &|_, _| false,
        certain_only: true,
        by_time: false,
        presumed: None,
        growth: None,
    };
    let wanted: Vec<usize> = (0..system.len()).collect();
    let variant = Variant {
        system,
        wanted: &wanted,
        extra_roots: &[],
    };
    let orders = [Ordering::Natural];
    let keep = &mut |_: &Graph, _: usize, plan: &_| {
        let plan: &eomgen::internals::solve::Plan = plan;
        assert!(plan.pivots.iter().all(|pivot| pivot.certain));
        Verdict::Keep(String::new())
    };
    let (_, plan, _) = best_of(g, &[variant], &orders, &context, keep)?;
    Ok(evaluate(g, &plan.roots(&wanted), &[q]))
}

#[test]
fn a_direction_of_length_one_holds_at_every_angle() {
    // x = (3 - c l)/2, y = (5 - s l)/2 with c x + s y = 7: l = 3 c + 5 s - 14.
    for q in [0.0, 0.3, std::f64::consts::FRAC_PI_2, std::f64::consts::PI] {
        let mut g = Graph::new();
        let system = held(&mut g, true);
        let found = solve_certainly(&mut g, &system, q).unwrap();
        let (s, c) = q.sin_cos();
        let l = 3.0 * c + 5.0 * s - 14.0;
        let expected = [(3.0 - c * l) / 2.0, (5.0 - s * l) / 2.0, l];
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{found:?} {expected:?}");
        }
    }
}

#[test]
fn the_multiplier_of_such_a_row_costs_no_circle() {
    // 1/2 (c^2 + s^2) is seen to be a number: no operation is spent on it, and nothing is divided by.
    let mut g = Graph::new();
    let system = held(&mut g, true);
    let points = Points::new(3);
    let prints = Prints::new(3);
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let context = EliminationContext {
        prints: Some(&prints),
        ..EliminationContext::exact(&nonzero)
    };
    let variant = Variant {
        system: &system,
        wanted: &[2],
        extra_roots: &[],
    };
    let keep = &mut |_: &Graph, _: usize, _: &_| Verdict::Keep(String::new());
    let (_, plan, _) = best_of(&mut g, &[variant], &[Ordering::Natural], &context, keep).unwrap();
    assert_eq!(plan.cost.div, 0, "{}", plan.cost);
}

#[test]
fn what_a_plan_presumes_is_recorded() {
    // c x = 7 gives x where c does not vanish, and 2 x + c l = 3 the multiplier.
    let mut g = Graph::new();
    let system = held(&mut g, false);
    let q = angle(&mut g, 0);
    let c = g.unary(Unary::Cos, q);
    let points = Points::new(3);
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let relied = RefCell::default();
    let context = EliminationContext {
        certain_only: true,
        presumed: Some(Presumed {
            holds: &|_, v| v == c,
            relied: &relied,
        }),
        ..EliminationContext::exact(&nonzero)
    };
    let variant = Variant {
        system: &system,
        wanted: &[0, 1, 2],
        extra_roots: &[],
    };
    let keep = &mut |_: &Graph, _: usize, _: &_| Verdict::Keep(String::new());
    let orders = [Ordering::LeastCost];
    let (_, plan, _) = best_of(&mut g, &[variant], &orders, &context, keep).unwrap();
    assert_eq!(plan.presumed, [c]);
    let x = 7.0 / 0.3_f64.cos();
    let expected = [x, 2.5, (3.0 - 2.0 * x) / 0.3_f64.cos()];
    for (a, b) in evaluate(&g, &plan.roots(&[0, 1, 2]), &[0.3])
        .iter()
        .zip(expected)
    {
        assert!((a - b).abs() < 1e-12 * b.abs(), "{a} {b}");
    }
}

#[test]
fn a_row_that_vanishes_somewhere_is_not_trusted() {
    let mut g = Graph::new();
    let system = held(&mut g, false);
    let refused = solve_certainly(&mut g, &system, 0.3).unwrap_err();
    assert!(
        matches!(refused, SolveError::Uncertain { .. }),
        "{refused:?}"
    );
}
