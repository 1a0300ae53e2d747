//! Small systems against textbook elimination, by rows, without symmetry, on exact numbers; singular systems; zeros that hide.

use eomgen::internals::ir::field::Points;
use eomgen::internals::ir::{Binary, Graph, Op, Rational, Slot, Unary, Value};
use eomgen::internals::solve::{
    EliminationContext, Ordering, SolveError, SymmetricSystem, Unknown, UnknownKind, Variant,
    Verdict, best, best_of, eliminate,
};
use num_traits::Zero;

use super::evaluate::evaluate;

fn number(n: i64) -> Rational {
    Rational::from_integer(n.into())
}

fn unknowns(kinds: &[UnknownKind]) -> Vec<Unknown> {
    let named = kinds.iter().enumerate();
    named
        .map(|(i, &kind)| Unknown {
            name: format!("x{i}"),
            kind,
            depth: 0,
        })
        .collect()
}

/// Small whole numbers, zero half the time (a linear congruence).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }
    fn entry(&mut self) -> i64 {
        [0, 0, 0, 0, 1, -1, 2, -3][self.next(8) as usize]
    }
}

type Rows = Vec<Vec<Rational>>;

/// Reduced row echelon form of `[A | b ...]` over the first `n` columns, and its pivot columns.
fn echelon(mut rows: Rows, n: usize) -> (Rows, Vec<usize>) {
    let mut pivots = Vec::new();
    for column in 0..n {
        let lead = pivots.len();
        let Some(found) = (lead..rows.len()).find(|&r| !rows[r][column].is_zero()) else {
            continue;
        };
        rows.swap(lead, found);
        let scale = rows[lead][column].recip();
        rows[lead].iter_mut().for_each(|x| *x *= &scale);
        let chosen = rows[lead].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != lead && !row[column].is_zero() {
                let factor = row[column].clone();
                row.iter_mut()
                    .zip(&chosen)
                    .for_each(|(x, y)| *x -= &factor * y);
            }
        }
        pivots.push(column);
    }
    (rows, pivots)
}

/// The unknowns that the equations determine, with their values for each right-hand side: those whose row of the echelon form is a unit row.
fn determined(a: &Rows, b: &[Vec<Rational>]) -> Vec<Option<Vec<Rational>>> {
    let n = a.len();
    let augmented = (0..n).map(|r| {
        let sides = b.iter().map(|side| side[r].clone());
        a[r].iter().cloned().chain(sides).collect()
    });
    let (rows, pivots) = echelon(augmented.collect(), n);
    let mut found = vec![None; n];
    for (row, &pivot) in rows.iter().zip(&pivots) {
        if (0..n).all(|c| c == pivot || row[c].is_zero()) {
            found[pivot] = Some(row[n..].to_vec());
        }
    }
    found
}

/// A system of numbers.
fn stated(
    graph: &mut Graph,
    a: &Rows,
    b: &[Vec<Rational>],
    kinds: &[UnknownKind],
) -> SymmetricSystem {
    let mut system = SymmetricSystem::new(unknowns(kinds));
    for i in 0..a.len() {
        for j in i..a.len() {
            // Zeros are stated or not, at random.
            if !a[i][j].is_zero() || (i + j) % 2 == 0 {
                let value = graph.rational(&a[i][j]);
                system.set(i, j, value);
            }
        }
    }
    for (k, side) in b.iter().enumerate() {
        for (i, x) in side.iter().enumerate() {
            let value = graph.rational(x);
            system.set_rhs(k, i, value);
        }
    }
    system
}

fn constants_only(_: &Graph, value: Value) -> bool {
    panic!("{value} is a number, and numbers are not asked about")
}

#[test]
fn numbers_agree_with_textbook_elimination() {
    let kinds = [
        UnknownKind::Rate,
        UnknownKind::Acceleration,
        UnknownKind::Reaction,
    ];
    let (mut regular, mut partly, mut random) = (0, 0, Numbers(1));
    for trial in 0..400 {
        let n = 1 + trial % 6;
        let mut a = vec![vec![number(0); n]; n];
        for i in 0..n {
            for j in i..n {
                a[i][j] = number(random.entry());
                a[j][i] = a[i][j].clone();
            }
        }
        // Right-hand sides in the range of A, so that dependent rows do not contradict each other.
        let mut side = || {
            let x: Vec<Rational> = (0..n).map(|_| number(random.entry())).collect();
            a.iter()
                .map(|row| row.iter().zip(&x).map(|(p, q)| p * q).sum())
                .collect()
        };
        let b: Vec<Vec<Rational>> = vec![side(), side()];
        let kinds: Vec<UnknownKind> = (0..n).map(|i| kinds[(i + trial) % 3]).collect();
        let truth = determined(&a, &b);
        let known: Vec<usize> = (0..n).filter(|&i| truth[i].is_some()).collect();
        regular += usize::from(known.len() == n);
        partly += usize::from(known.len() < n && !known.is_empty());
        for ordering in Ordering::ALL {
            let mut graph = Graph::new();
            let system = stated(&mut graph, &a, &b, &kinds);
            let plan = eliminate(&mut graph, &system, &known, ordering, &constants_only).unwrap();
            assert!(plan.consistency.is_empty(), "{a:?}, {ordering}");
            for (k, side) in plan.solution.iter().enumerate() {
                for &i in &known {
                    let got = graph.as_rational(side[i].unwrap()).unwrap();
                    assert_eq!(got, &truth[i].as_ref().unwrap()[k], "{a:?}, {ordering}");
                }
            }
            for lost in (0..n).filter(|i| !known.contains(i)) {
                let error = eliminate(&mut graph, &system, &[lost], ordering, &constants_only);
                let Err(SolveError::Undetermined { unknowns, names }) = error else {
                    panic!("{a:?}, {ordering}: unknown {lost} is not determined");
                };
                assert!(unknowns.contains(&lost));
                assert!(
                    unknowns.iter().all(|i| truth[*i].is_none()),
                    "{a:?}, {unknowns:?}"
                );
                assert_eq!(
                    names,
                    unknowns.iter().map(|i| format!("x{i}")).collect::<Vec<_>>()
                );
            }
        }
    }
    assert!(
        regular > 100 && partly > 30,
        "{regular} regular, {partly} partly determined"
    );
}

/// All values of a graph in rational numbers; `None` where something divides by zero, which only dead instructions may.
fn exact_values(graph: &Graph, inputs: &[Rational]) -> Vec<Option<Rational>> {
    let mut values: Vec<Option<Rational>> = Vec::new();
    for value in graph.values() {
        let at = |v: &Value| values[v.index()].clone();
        let both = |a: &Value, b: &Value| at(a).zip(at(b));
        let computed = match graph.op(value) {
            Op::Constant(c) => Some(c.as_ref().clone()),
            Op::Input(slot) => Some(inputs[slot.index as usize].clone()),
            Op::Unary(Unary::Neg, a) => at(a).map(|a| -a),
            Op::Binary(Binary::Add, a, b) => both(a, b).map(|(a, b)| a + b),
            Op::Binary(Binary::Sub, a, b) => both(a, b).map(|(a, b)| a - b),
            Op::Binary(Binary::Mul, a, b) => both(a, b).map(|(a, b)| a * b),
            Op::Binary(Binary::Div, a, b) => {
                both(a, b).filter(|(_, b)| !b.is_zero()).map(|(a, b)| a / b)
            }
            op => panic!("the tests do not build {op:?}"),
        };
        values.push(computed);
    }
    values
}

/// Entries that are expressions, units and zeros; the pivots that are left where nothing better is.
#[test]
fn expressions_agree_with_textbook_elimination() {
    let (mut random, mut divided) = (Numbers(7), 0);
    for trial in 0..200 {
        let n = 2 + trial % 5;
        let mut graph = Graph::new();
        let kinds: Vec<UnknownKind> = (0..n)
            .map(|i| {
                if i % 2 == 0 {
                    UnknownKind::Acceleration
                } else {
                    UnknownKind::Reaction
                }
            })
            .collect();
        let mut system = SymmetricSystem::new(unknowns(&kinds));
        let (mut inputs, mut a) = (Vec::new(), vec![vec![number(0); n]; n]);
        let mut fresh = |graph: &mut Graph, random: &mut Numbers| {
            let index = inputs.len() as u32;
            // Large, so that a pivot vanishes at the point only if it vanishes everywhere.
            let whole = 1000 + random.next(1_000_000) as i64;
            inputs.push(number(whole));
            (graph.input(Slot { group: 0, index }), number(whole))
        };
        for i in 0..n {
            for j in i..n {
                let (value, exact) = match random.next(6) {
                    0 => (graph.one(), number(1)),
                    1 => (graph.integer(-1), number(-1)),
                    2 | 3 => fresh(&mut graph, &mut random),
                    _ => continue,
                };
                system.set(i, j, value);
                a[i][j] = exact.clone();
                a[j][i] = exact;
            }
        }
        let sides: Vec<(Value, Rational)> =
            (0..n).map(|_| fresh(&mut graph, &mut random)).collect();
        for (i, side) in sides.iter().enumerate() {
            system.set_rhs(0, i, side.0);
        }
        let b = vec![sides.iter().map(|side| side.1.clone()).collect()];
        let truth = determined(&a, &b);
        if truth.iter().any(Option::is_none) {
            continue;
        }
        let all: Vec<usize> = (0..n).collect();
        for ordering in Ordering::ALL {
            let points = Points::new(1);
            let nonzero = |graph: &Graph, value| points.nonzero(graph, value);
            let plan = eliminate(&mut graph, &system, &all, ordering, &nonzero).unwrap();
            divided += plan
                .pivots
                .iter()
                .filter(|p| p.unknowns.len() == 2 && p.value.is_some())
                .count();
            let values = exact_values(&graph, &inputs);
            for (root, exact) in plan.roots(&all).iter().zip(&truth) {
                let exact = &exact.as_ref().unwrap()[0];
                assert_eq!(
                    values[root.index()].as_ref(),
                    Some(exact),
                    "{a:?} {ordering}"
                );
            }
        }
    }
    assert!(divided > 0, "no pivot of last resort was tried");
}

/// `[h 1; 1 2]` with `h = sin^2 + cos^2 - 1`, which is zero but does not look so.
#[test]
fn a_hidden_zero_is_no_pivot() {
    let mut graph = Graph::new();
    let q = graph.input(Slot { group: 0, index: 0 });
    let (s, c) = (graph.unary(Unary::Sin, q), graph.unary(Unary::Cos, q));
    let (s2, c2, one) = (graph.mul(s, s), graph.mul(c, c), graph.one());
    let hidden = graph.add(s2, c2);
    let hidden = graph.sub(hidden, one);
    let two = graph.integer(2);
    let mut system = SymmetricSystem::new(unknowns(&[UnknownKind::Rate, UnknownKind::Rate]));
    system.set(0, 0, hidden);
    system.set(0, 1, one);
    system.set(1, 1, two);
    system.set_rhs(0, 0, q);
    system.set_rhs(0, 1, one);
    let points = Points::new(1);
    let nonzero = |graph: &Graph, value| points.nonzero(graph, value);
    for ordering in Ordering::ALL {
        let plan = eliminate(&mut graph, &system, &[0, 1], ordering, &nonzero).unwrap();
        assert!(plan.pivots.iter().all(|pivot| pivot.value != Some(hidden)));
        // x1 = q and x0 = 1 - 2 q.
        assert_eq!(evaluate(&graph, &plan.roots(&[0, 1]), &[0.25]), [0.5, 0.25]);
    }
}

/// `z'^2 = x'^2 + y'^2`, stated twice (the second time doubled): accelerations are determined, multipliers are not.
#[test]
fn redundant_constraints_leave_multipliers_open() {
    let mut graph = Graph::new();
    let input = |graph: &mut Graph, index| graph.input(Slot { group: 0, index });
    let rates: Vec<Value> = (0..3).map(|i| input(&mut graph, i)).collect();
    let forces: Vec<Value> = (3..6).map(|i| input(&mut graph, i)).collect();
    let kinds = [
        [UnknownKind::Rate; 3].as_slice(),
        &[UnknownKind::Reaction; 2],
    ]
    .concat();
    let mut system = SymmetricSystem::new(unknowns(&kinds));
    let mass = graph.integer(5);
    for i in 0..3 {
        system.set(i, i, mass);
        let entry = if i == 2 {
            graph.neg(rates[i])
        } else {
            rates[i]
        };
        let two = graph.integer(2);
        let double = graph.mul(two, entry);
        system.set(i, 3, entry);
        system.set(i, 4, double);
        system.set_rhs(0, i, forces[i]);
    }
    let zero = graph.zero();
    system.set_rhs(0, 4, zero);
    let points = Points::new(1);
    let nonzero = |graph: &Graph, value| points.nonzero(graph, value);
    let numbers = [1.0, 2.0, 3.0, 7.0, -1.0, 4.0];
    for ordering in Ordering::ALL {
        let plan = eliminate(&mut graph, &system, &[0, 1, 2], ordering, &nonzero).unwrap();
        assert_eq!(plan.open.len(), 1);
        assert!(plan.consistency.is_empty());
        // q'' = a - A^T (A a)/(A A^T), A = (1, 2, -3), a = (7, -1, 4)/5: A a = -7/5, A A^T = 14.
        let expected = [1.4 + 0.1, -0.2 + 0.2, 0.8 - 0.3];
        let got = evaluate(&graph, &plan.roots(&[0, 1, 2]), &numbers);
        for (x, y) in got.iter().zip(expected) {
            assert!((x - y).abs() < 1e-12, "{got:?}, {ordering}");
        }
        let error = eliminate(&mut graph, &system, &[3], ordering, &nonzero).unwrap_err();
        assert_eq!(
            error.to_string(),
            "nothing in the equations determines x3, x4"
        );
    }
    // Constraints that contradict each other: what must vanish is handed over.
    let one = graph.one();
    system.set_rhs(0, 4, one);
    let plan = eliminate(
        &mut graph,
        &system,
        &[0, 1, 2],
        Ordering::LeastCost,
        &nonzero,
    )
    .unwrap();
    assert_eq!(plan.consistency.len(), 1);
}

/// A 2x2 pivot divides by nothing, and what nobody asked for is not worked out.
#[test]
fn only_what_is_wanted_is_computed() {
    let mut graph = Graph::new();
    let inputs: Vec<Value> = (0..6)
        .map(|index| graph.input(Slot { group: 0, index }))
        .collect();
    // Body acceleration a, driven: a = b. Its reaction is m a - f. Beside it, an independent 1x1 system.
    let kinds = [
        UnknownKind::Acceleration,
        UnknownKind::Reaction,
        UnknownKind::Rate,
    ];
    let mut system = SymmetricSystem::new(unknowns(&kinds));
    let minus_one = graph.integer(-1);
    system.set(0, 0, inputs[0]);
    system.set(0, 1, minus_one);
    system.set(2, 2, inputs[1]);
    for (row, &value) in inputs[2..5].iter().enumerate() {
        system.set_rhs(0, row, value);
    }
    let points = Points::new(1);
    let nonzero = |graph: &Graph, value| points.nonzero(graph, value);
    let plan = eliminate(&mut graph, &system, &[0], Ordering::LeastCost, &nonzero).unwrap();
    assert_eq!(plan.solution[0][1..], [None, None]);
    assert_eq!(plan.pivots.len(), 1);
    assert_eq!(
        (plan.pivots[0].unknowns.as_slice(), plan.pivots[0].value),
        (&[0, 1][..], None)
    );
    assert_eq!(plan.cost.total(), 1);
    let plan = eliminate(&mut graph, &system, &[1, 2], Ordering::LeastCost, &nonzero).unwrap();
    // -a = b and m a - r = f at m = 3, f = 5, b = 7; 2 x = 11.
    let got = evaluate(
        &graph,
        &plan.roots(&[1, 2]),
        &[3.0, 2.0, 5.0, 7.0, 11.0, 0.0],
    );
    assert_eq!(got, [-26.0, 5.5]);
}

#[test]
fn the_table_is_decided_by_cost_then_order_then_review() {
    let mut graph = Graph::new();
    let x = graph.input(Slot { group: 0, index: 0 });
    let squared = graph.mul(x, x);
    let mut cheap = SymmetricSystem::new(unknowns(&[UnknownKind::Rate]));
    cheap.set(0, 0, x);
    cheap.set_rhs(0, 0, squared);
    let mut costly = cheap.clone();
    let cubed = graph.mul(squared, x);
    costly.set(0, 0, squared);
    costly.set_rhs(0, 0, cubed);
    let variant = |system, extra_roots| Variant {
        system,
        wanted: &[0],
        extra_roots,
    };
    let variants = [variant(&costly, &[]), variant(&cheap, &[])];
    let nonzero = |_: &Graph, _| true;
    let orders = [Ordering::LeastCost, Ordering::Natural];
    let keep = |_: &Graph, _, _: &_| Verdict::Keep("fine".into());
    let (chosen, plan, table) = best_of(
        &mut graph,
        &variants,
        &orders,
        &EliminationContext::exact(&nonzero),
        &mut { keep },
    )
    .unwrap();
    let rows = |table: &[eomgen::internals::solve::Candidate]| -> Vec<String> {
        table
            .iter()
            .map(|r| {
                format!(
                    "{}, {} {} {} {}",
                    ["costly", "cheap"][r.variant],
                    r.order,
                    r.cost.unwrap().total(),
                    r.chosen,
                    r.note
                )
            })
            .collect()
    };
    assert_eq!((chosen, plan.cost.total()), (1, 2));
    let expected = [
        "costly, least cost 3 false fine",
        "costly, natural order 3 false ",
        "cheap, least cost 2 true fine",
        "cheap, natural order 2 false ",
    ];
    assert_eq!(rows(&table), expected);
    // What is computed anyway counts once, and makes the other as cheap; then the first is kept.
    let anyway = [cubed];
    let shared = [variant(&costly, &anyway), variant(&cheap, &anyway)];
    let (chosen, ..) = best_of(
        &mut graph,
        &shared,
        &orders,
        &EliminationContext::exact(&nonzero),
        &mut { keep },
    )
    .unwrap();
    assert_eq!(chosen, 0);
    let mut review = |_: &Graph, variant, _: &_| match variant {
        1 => Verdict::Reject("loses digits".into()),
        _ => Verdict::Keep(String::new()),
    };
    let (chosen, ..) = best_of(
        &mut graph,
        &variants,
        &orders,
        &EliminationContext::exact(&nonzero),
        &mut review,
    )
    .unwrap();
    assert_eq!(chosen, 0);
    let mut never = |_: &Graph, _, _: &_| Verdict::Reject("no".into());
    let error = best_of(
        &mut graph,
        &variants,
        &orders,
        &EliminationContext::exact(&nonzero),
        &mut never,
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("system 0, natural order: no"),
        "{error}"
    );
    let error = best(&mut graph, &cheap, &[0], &[], &[], &nonzero).unwrap_err();
    assert_eq!(error, SolveError::NoCandidates);
}

/// An order that fills everything is given up where another does not; where nothing else is left it may take its time.
#[test]
fn hopeless_orders_are_given_up() {
    // An arrow: eliminating the hub first fills the whole matrix.
    let n = 400;
    let mut graph = Graph::new();
    let mut system = SymmetricSystem::new(unknowns(&vec![UnknownKind::Rate; n]));
    system.unknowns[1..]
        .iter_mut()
        .for_each(|spoke| spoke.depth = 1);
    for i in 0..n as u32 {
        let (d, e, b) = (
            graph.input(Slot {
                group: 0,
                index: 3 * i,
            }),
            graph.input(Slot {
                group: 0,
                index: 3 * i + 1,
            }),
            graph.input(Slot {
                group: 0,
                index: 3 * i + 2,
            }),
        );
        system.set(i as usize, i as usize, d);
        if i > 0 {
            system.set(0, i as usize, e);
        }
        system.set_rhs(0, i as usize, b);
    }
    let nonzero = |_: &Graph, _| true;
    let orders = [Ordering::Natural, Ordering::MinimumDegree];
    let (plan, table) = best(&mut graph, &system, &[0], &orders, &[], &nonzero).unwrap();
    assert_eq!(plan.order, Ordering::MinimumDegree);
    assert_eq!(table[0].cost, None);
    // Per spoke: e/d, its products with e and b, and two differences; then the division.
    assert_eq!(plan.cost.total(), 5 * (n - 1) + 1);

    let n = 60;
    system = SymmetricSystem::new(unknowns(&vec![UnknownKind::Rate; n]));
    for i in 0..n {
        for j in i..n {
            let index = (i * n + j) as u32;
            let entry = graph.input(Slot { group: 1, index });
            system.set(i, j, entry);
        }
    }
    let (plan, _) = best(
        &mut graph,
        &system,
        &[0],
        &[Ordering::Natural],
        &[],
        &nonzero,
    )
    .unwrap();
    assert_eq!(plan.pivots.len(), n);
}
