//! The routines by exact elimination, and the bounds of rounded constants.

use super::routines::constrained;
use crate::verify::linear::{minimum_norm, solve};
use crate::verify::number::{Algebra, EvalError, Modular};

fn of(list: &[i64]) -> Vec<Modular> {
    list.iter().map(|x| Modular::int(*x)).collect()
}

fn matrix<const N: usize>(rows: &[[i64; N]]) -> Vec<Vec<Modular>> {
    rows.iter().map(|row| of(row)).collect()
}

/// By hand: x + 2 y = 5 has the shortest solution (1, 2), stated once or twice.
#[test]
fn the_shortest_solution_is_found_for_any_rank() {
    let once = minimum_norm(&matrix(&[[1, 2]]), &of(&[5]), 2);
    assert_eq!(once, Ok(of(&[1, 2])));
    let twice = minimum_norm(&matrix(&[[1, 2], [3, 6], [0, 0]]), &of(&[5, 15, 0]), 2);
    assert_eq!(twice, Ok(of(&[1, 2])));
    let contradiction = minimum_norm(&matrix(&[[1, 2], [3, 6]]), &of(&[5, 14]), 2);
    assert!(matches!(contradiction, Err(EvalError::Singular(_))));
}

/// The same row twice with rounding errors of zero on the right, as at a state that meets the constraints, is no contradiction; with
/// different numbers it is one.
#[test]
fn rounding_errors_of_zero_do_not_contradict() {
    use crate::verify::number::{Decimal, Number};
    let one = Decimal::int(1);
    let twice = vec![vec![one.clone()], vec![one.clone()]];
    let small = (0..7).fold(one.clone(), |x, _| {
        x.div(&Decimal::int(10_000_000_000)).unwrap()
    });
    let noise = [small.clone(), small.neg()];
    let x = minimum_norm(&twice, &noise, 1).unwrap();
    assert!(x[0].agrees(&Decimal::int(0), &one));
    let contradiction = minimum_norm(&twice, &[one.clone(), one.neg()], 1);
    assert!(matches!(contradiction, Err(EvalError::Singular(_))));
}

/// A fall held by two equal rows: M = 2, F = (3, -4), q1'' = 0 stated once and twice as large. The force -3 is shared as
/// (-3/5, -6/5).
#[test]
fn accelerations_and_least_multipliers() {
    let (mass, rows) = (matrix(&[[2, 0], [0, 2]]), matrix(&[[1, 0], [2, 0]]));
    let (q, lambda) = constrained(&mass, &of(&[3, -4]), &rows, &of(&[0, 0])).unwrap();
    assert_eq!(q, of(&[0, -2]));
    let five = Modular::int(5);
    let times: Vec<Modular> = lambda.iter().map(|l| l.mul(&five)).collect();
    assert_eq!(times, of(&[-3, -6]));
    let massless = constrained(
        &matrix(&[[2, 0], [0, 0]]),
        &of(&[3, -4]),
        &rows,
        &of(&[0, 0]),
    );
    assert!(matches!(massless, Err(EvalError::Singular(_))));
    let impossible = constrained(&mass, &of(&[3, -4]), &rows, &of(&[1, 0]));
    assert!(matches!(impossible, Err(EvalError::Singular(_))));
}

#[test]
fn a_solution_tells_its_rank() {
    let solution = solve(&matrix(&[[0, 1], [0, 2]]), &of(&[3, 6]), None).unwrap();
    assert_eq!((solution.x, solution.pivots), (of(&[0, 3]), vec![1]));
    assert!(solution.consistent);
}

/// A constant of 17 digits leaves results uncertain by as much as it is itself; a difference beyond that shows.
#[test]
fn results_of_rounded_constants_are_known_within_bounds() {
    use super::literal::{Literal, Precision};
    use crate::verify::ball::Ball;
    use crate::verify::number::{Decimal, Elementary, Number};
    let literal = Literal::read("0.38832616019393215", Precision::Double).unwrap();
    assert!(!literal.is_exact());
    let ball = Ball {
        center: Decimal::rational(&literal.value).unwrap(),
        radius: Decimal::rational(&literal.radius).unwrap(),
    };
    let one = Ball::<Decimal>::int(1);
    let results = [
        ball.mul(&ball),
        one.div(&ball).unwrap(),
        Ball::elementary(Elementary::Sin, std::slice::from_ref(&ball)).unwrap(),
        Ball::elementary(Elementary::Sqrt, std::slice::from_ref(&ball)).unwrap(),
        Ball::elementary(Elementary::Exp, std::slice::from_ref(&ball)).unwrap(),
    ];
    for x in results {
        let near = |by: f64| Ball::exact(x.center.add(&x.radius.mul(&Decimal::from_f64(by))));
        assert!(
            x.radius.to_f64() > 1e-18 && x.radius.to_f64() < 1e-15,
            "{x:?}"
        );
        assert!(x.agrees(&near(0.9), &one) && x.agrees(&near(-0.9), &one));
        assert!(!x.agrees(&near(1.1), &one) && !x.agrees(&near(-1.1), &one));
        // Nobody can tell which of the two is less.
        assert!(x.is_less(&near(0.5)).is_err() && x.is_less(&near(1.5)).is_ok());
    }
}
