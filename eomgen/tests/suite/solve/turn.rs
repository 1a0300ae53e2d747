//! Unknowns that are others turned about an angle.

use eomgen::internals::ir::field::Points;
use eomgen::internals::ir::{Graph, Prints, Rational, Slot, Unary, Value};
use eomgen::internals::solve::{
    EliminationContext, Ordering, Plan, SymmetricSystem, Unknown, UnknownKind, Variant, Verdict,
    best_of, residual,
};

use super::evaluate::evaluate;

fn unknown(name: &str, kind: UnknownKind) -> Unknown {
    Unknown {
        name: name.into(),
        kind,
        depth: 0,
    }
}

/// A block of x and y, with a third unknown Z on both, that X and Y feel through the rows `r (x - C X - S Y) = 1`, `y - m (C Y - S X) = 2`.
fn turned(g: &mut Graph, row: i64, mirrored: bool) -> SymmetricSystem {
    let (rate, acceleration, reaction) = (
        UnknownKind::Rate,
        UnknownKind::Acceleration,
        UnknownKind::Reaction,
    );
    let mut system = SymmetricSystem::new(vec![
        unknown("X", rate),
        unknown("Y", rate),
        unknown("Z", rate),
        unknown("x", acceleration),
        unknown("y", acceleration),
        unknown("p", reaction),
        unknown("q", reaction),
    ]);
    let angle = g.input(Slot { group: 0, index: 0 });
    let (s, c) = (g.unary(Unary::Sin, angle), g.unary(Unary::Cos, angle));
    let inputs = [1, 2, 3, 4, 5].map(|index| g.input(Slot { group: 0, index }));
    let [a, b, d, e, f] = inputs;
    let [seven, eleven, two, factor] = [7, 11, 2, row].map(|n| g.integer(n));
    for (i, j, value) in [(0, 0, seven), (1, 1, eleven), (2, 2, two)] {
        system.set(i, j, value);
    }
    for (i, j, value) in [(3, 3, a), (3, 4, b), (4, 4, d), (2, 3, e), (2, 4, f)] {
        system.set(i, j, value);
    }
    let sign = g.integer(if mirrored { -1 } else { 1 });
    let entry = |g: &mut Graph, factors: [Value; 2]| g.mul(factors[0], factors[1]);
    let minus = g.integer(-1);
    let (back_c, back_s) = (entry(g, [minus, c]), entry(g, [minus, s]));
    for (j, value) in [(3, g.one()), (0, back_c), (1, back_s)] {
        let value = entry(g, [factor, value]);
        system.set(j, 5, value);
    }
    for (j, value) in [(0, s), (1, back_c)] {
        let value = entry(g, [sign, value]);
        system.set(j, 6, value);
    }
    system.set(4, 6, g.one());
    for i in 0..7 {
        let number = Rational::new((i as i64 + 1).into(), 2.into());
        let value = g.rational(&number);
        system.set_rhs(0, i, value);
    }
    system
}

/// The operations of the plan of least cost for the first unknowns, and the worst residual at three angles where all are asked for.
fn solved(row: i64, mirrored: bool, count: usize) -> (usize, f64) {
    let mut g = Graph::new();
    let system = turned(&mut g, row, mirrored);
    let (points, prints) = (Points::new(5), Prints::new(5));
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let context = EliminationContext {
        prints: Some(&prints),
        ..EliminationContext::exact(&nonzero)
    };
    let wanted: Vec<usize> = (0..count).collect();
    let variant = Variant {
        system: &system,
        wanted: &wanted,
        extra_roots: &[],
    };
    let keep = &mut |_: &Graph, _: usize, _: &Plan| Verdict::Keep(String::new());
    let (_, plan, _) = best_of(&mut g, &[variant], &[Ordering::LeastCost], &context, keep).unwrap();
    let mut worst: f64 = 0.0;
    for angle in [0.3, 2.1, -1.0] {
        let inputs = [angle, 1.7, 0.4, 2.3, 0.6, -0.8];
        let mut at = |g: &Graph, values: &[Value]| evaluate(g, values, &inputs);
        worst = worst.max(residual(&g, &system, &plan, &mut at));
    }
    (plan.cost.total(), worst)
}

#[test]
fn a_turn_is_right_and_costs_less_than_one_unknown_after_the_other() {
    for mirrored in [false, true] {
        // The same with a row doubled is no turn as it stands.
        for row in [1, 2] {
            let (_, off) = solved(row, mirrored, 7);
            assert!(off < 1e-14, "{off:e}");
        }
        let [turn, other] = [1, 2].map(|row| solved(row, mirrored, 3).0);
        println!("{turn} against {other}");
        assert!(turn + 5 <= other, "{turn} against {other}");
    }
}
