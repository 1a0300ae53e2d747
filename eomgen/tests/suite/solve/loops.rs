//! Rows whose pivots are checked: where all that a row holds is gone, it is eliminated before the rest of the machine.

use eomgen::internals::ir::field::Points;
use eomgen::internals::ir::{Graph, Value};
use eomgen::internals::solve::{
    EliminationContext, Ordering, Plan, SymmetricSystem, Unknown, UnknownKind, Variant, Verdict,
    best_of,
};

use super::evaluate::evaluate;

const ORDERS: [Ordering; 4] = [
    Ordering::Natural,
    Ordering::MinimumDegree,
    Ordering::LeastCost,
    Ordering::outboard(1),
];

fn unknown(name: &str, kind: UnknownKind, depth: u32) -> Unknown {
    Unknown {
        name: name.into(),
        kind,
        depth,
    }
}

/// A system of numbers, of which the last unknowns are multipliers of rows that are checked.
fn system(
    g: &mut Graph,
    unknowns: Vec<Unknown>,
    entries: &[(usize, usize, i64)],
    (checked, massive): (usize, Option<Vec<bool>>),
) -> SymmetricSystem {
    let mut system = SymmetricSystem::new(unknowns);
    for (i, j, value) in entries {
        let value = g.integer(*value);
        system.set(*i, *j, value);
    }
    for i in 0..system.len() {
        let b = g.integer(i as i64 + 1);
        system.set_rhs(0, i, b);
    }
    system.definite = true;
    system.massive = massive;
    system.checked = checked;
    system
}

/// The plan in one order, all pivots proven but for the checked ones.
fn planned(g: &mut Graph, system: &SymmetricSystem, order: Ordering) -> (Plan, Vec<f64>) {
    let points = Points::new(3);
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let context = EliminationContext {
        certain_only: true,
        ..EliminationContext::exact(&nonzero)
    };
    let wanted: Vec<usize> = (0..system.len()).collect();
    let variant = Variant {
        system,
        wanted: &wanted,
        extra_roots: &[],
    };
    let keep = &mut |_: &Graph, _: usize, _: &Plan| Verdict::Keep(String::new());
    let (_, plan, _) = best_of(g, &[variant], &[order], &context, keep).unwrap();
    let values = evaluate(g, &plan.roots(&wanted), &[]);
    (plan, values)
}

/// What the equations leave when these values are put in.
fn worst_residual(entries: &[(usize, usize, i64)], x: &[f64]) -> f64 {
    let mut left: Vec<f64> = (0..x.len()).map(|i| i as f64 + 1.0).collect();
    for &(i, j, value) in entries {
        left[i] -= value as f64 * x[j];
        if i != j {
            left[j] -= value as f64 * x[i];
        }
    }
    left.iter().fold(0.0, |worst: f64, r| worst.max(r.abs()))
}

/// Where in the order of elimination an unknown is.
fn turn(plan: &Plan, unknown: usize) -> usize {
    let mut pivots = plan.pivots.iter();
    pivots.position(|p| p.unknowns.contains(&unknown)).unwrap()
}

#[test]
fn loops_on_a_cart_are_closed_before_the_cart() {
    // The cart, two rates of each of two loops, and a row for each loop.
    let rate = |name: &str, depth| unknown(name, UnknownKind::Rate, depth);
    let row = |name: &str| unknown(name, UnknownKind::Reaction, 0);
    let unknowns = vec![
        rate("cart", 0),
        rate("a", 1),
        rate("b", 1),
        rate("c", 1),
        rate("d", 1),
        row("first"),
        row("second"),
    ];
    let entries = [
        (0, 0, 9),
        (0, 1, 1),
        (0, 2, 2),
        (0, 3, -1),
        (0, 4, 1),
        (1, 1, 4),
        (1, 2, 1),
        (2, 2, 3),
        (3, 3, 5),
        (3, 4, -2),
        (4, 4, 4),
        (1, 5, 3),
        (2, 5, -1),
        (3, 6, 2),
        (4, 6, 7),
    ];
    for order in ORDERS {
        let mut g = Graph::new();
        let system = system(&mut g, unknowns.clone(), &entries, (2, None));
        let (plan, x) = planned(&mut g, &system, order);
        let residual = worst_residual(&entries, &x);
        assert!(residual < 1e-12, "{order}: {residual:e}");
        // In the natural order the cart comes first, and its rate is all that there is to wait for.
        if order == Ordering::outboard(1) {
            for row in [5, 6] {
                assert!(turn(&plan, row) < turn(&plan, 0), "{order}: {row}");
            }
        }
        for pivot in &plan.pivots {
            assert_eq!(pivot.checked.is_some(), pivot.unknowns[0] >= 5, "{order}");
        }
    }
}

#[test]
fn a_row_waits_for_the_body_that_its_rate_turns() {
    // A link on a body: the link's acceleration is the body's and the joint's rate, and a row holds this rate alone. When the rate is gone with the
    // joint's row, nothing with inertia is: the row's pivot would be zero.
    let unknowns = vec![
        unknown("body", UnknownKind::Acceleration, 0),
        unknown("link", UnknownKind::Acceleration, 1),
        unknown("rate", UnknownKind::Rate, 1),
        unknown("joint", UnknownKind::Reaction, 1),
        unknown("row", UnknownKind::Reaction, 0),
    ];
    let entries = [
        (0, 0, 2),
        (1, 1, 3),
        (0, 3, -1),
        (1, 3, 1),
        (2, 3, -1),
        (2, 4, 5),
    ];
    let massive = Some(vec![true, true, false, false, false]);
    for order in ORDERS {
        let mut g = Graph::new();
        let system = system(&mut g, unknowns.clone(), &entries, (1, massive.clone()));
        let (plan, x) = planned(&mut g, &system, order);
        let residual = worst_residual(&entries, &x);
        assert!(residual < 1e-12, "{order}: {residual:e}");
        assert!(turn(&plan, 1) < turn(&plan, 4), "{order}");
    }
    let mut g = Graph::new();
    let system = system(&mut g, unknowns, &entries, (1, massive));
    let (plan, _) = planned(&mut g, &system, Ordering::outboard(1));
    assert!(turn(&plan, 4) < turn(&plan, 0));
}

#[test]
fn what_a_checked_pivot_is_compared_with_knows_no_other_row() {
    // Two rows that hold the same two rates: the second is compared with `a M^-1 a^T`, as if it were the only one.
    let rate = |name: &str| unknown(name, UnknownKind::Rate, 1);
    let row = |name: &str| unknown(name, UnknownKind::Reaction, 0);
    let unknowns = vec![
        unknown("cart", UnknownKind::Rate, 0),
        rate("a"),
        rate("b"),
        row("first"),
        row("second"),
    ];
    let entries = [
        (0, 0, 9),
        (0, 1, 1),
        (0, 2, 2),
        (1, 1, 4),
        (2, 2, 2),
        (1, 3, 3),
        (2, 3, -1),
        (1, 4, 1),
        (2, 4, 6),
    ];
    let mut g = Graph::new();
    let system = system(&mut g, unknowns, &entries, (2, None));
    let (plan, _) = planned(&mut g, &system, Ordering::outboard(1));
    let second = &plan.pivots[turn(&plan, 4)];
    let (value, scale) = (second.value.unwrap(), second.checked.unwrap());
    let found = evaluate(&g, &[value, scale], &[]);
    // With the cart held: 1/4 + 36/2 = 18.25, less (3/4 - 6/2)^2 / (9/4 + 1/2).
    let expected = [-18.25 + 5.0625 / 2.75, -18.25];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}
