//! What we rely on in the algebra engine's public interface, each fact on its own: if an upgrade changes
//! one, this says which. All of it runs inside sessions.
#![cfg(feature = "derive")]
#![allow(missing_docs)]

use std::sync::Arc;

use eomgen::internals::host::with_session;
use symbolica::atom::{Atom, AtomCore, AtomView, Symbol};
use symbolica::coefficient::CoefficientView;
use symbolica::domains::RingOps;
use symbolica::domains::finite_field::{FiniteFieldCore, Zp64};
use symbolica::domains::integer::{Integer, Z};
use symbolica::domains::rational::{Q, Rational};
use symbolica::domains::rational_polynomial::RationalPolynomial;
use symbolica::poly::PolyVariable;
use symbolica::poly::factor::Factorize;
use symbolica::poly::polynomial::MultivariatePolynomial;

/// Pool symbols in index order, in a name space of ours.
fn pool(n: usize) -> Vec<Symbol> {
    (0..n)
        .map(|i| Symbol::parse(format!("x{i}"), "eomgen_test").unwrap())
        .collect()
}

fn vars(symbols: &[Symbol]) -> Arc<Vec<PolyVariable>> {
    Arc::new(symbols.iter().map(|&s| s.into()).collect())
}

/// A plain string with the name space taken off.
fn show(atom: &Atom) -> String {
    atom.to_plain_string().replace("eomgen_test::", "")
}

fn rational(text: &str) -> Rational {
    let (n, d) = text.split_once('/').unwrap_or((text, "1"));
    Rational::from((n.parse::<Integer>().unwrap(), d.parse::<Integer>().unwrap()))
}

/// Walks an atom into prefix notation: the shape of every reader of atoms.
fn walk(view: AtomView<'_>) -> String {
    match view {
        AtomView::Num(n) => match n.get_coeff_view() {
            CoefficientView::Natural(re_n, re_d, 0, _) => format!("{re_n}/{re_d}"),
            CoefficientView::Large(re, im) if im.is_zero() => {
                let re = re.to_rat();
                format!("{}/{}", re.numerator_ref(), re.denominator_ref())
            }
            _ => "not a rational".to_string(),
        },
        AtomView::Var(v) => v.get_symbol().get_stripped_name().to_string(),
        AtomView::Fun(f) => {
            let args: Vec<_> = f.iter().map(walk).collect();
            let head = f.get_symbol();
            let name = match head {
                _ if head == Symbol::SIN => "sin",
                _ if head == Symbol::COS => "cos",
                _ => head.get_stripped_name(),
            };
            format!("({name} {})", args.join(" "))
        }
        AtomView::Pow(p) => {
            let (base, exp) = p.get_base_exp();
            format!("(^ {} {})", walk(base), walk(exp))
        }
        AtomView::Mul(m) => {
            let args: Vec<_> = m.iter().map(walk).collect();
            format!("(* {})", args.join(" "))
        }
        AtomView::Add(a) => {
            let args: Vec<_> = a.iter().map(walk).collect();
            format!("(+ {})", args.join(" "))
        }
    }
}

#[test]
fn numbers_go_in_and_come_out_exactly() {
    let out = with_session(|| {
        let x = pool(1);
        let big = "-618970019642690137449562111/7";
        let atom = Atom::num(rational(big)) * Atom::var(x[0]) + Atom::num(rational("1/3"));
        walk(atom.as_view())
    });
    // Order of the two terms is the engine's.
    let out = out.unwrap();
    assert!(out.contains("-618970019642690137449562111/7"), "{out}");
    assert!(out.contains("1/3"), "{out}");
}

#[test]
fn arithmetic_and_powers() {
    let out = with_session(|| {
        let x = pool(3);
        let [a, b, c] = [x[0], x[1], x[2]].map(Atom::var);
        let sum = Atom::add_many([&a, &b, &c]);
        let product = Atom::mul_many([&a, &b, &c]);
        let quotient = &a / &b;
        let root = a.pow(rational("1/2"));
        let even_root = a.pow(2).sqrt();
        [
            show(&(&(&a + &b) - &(&b * &a) - -&c)),
            show(&sum),
            show(&product),
            walk(quotient.as_view()),
            walk(root.as_view()),
            walk(even_root.as_view()),
            walk(a.sin().as_view()),
        ]
    })
    .unwrap();
    assert_eq!(out[1], "x0+x1+x2");
    assert_eq!(out[2], "x0*x1*x2");
    assert_eq!(out[3], "(* x0 (^ x1 -1/1))");
    assert_eq!(out[4], "(^ x0 1/2)");
    // The square root of a square is not the number: no assumption is made of the sign.
    assert_ne!(out[5], "x0");
    assert_eq!(out[6], "(sin x0)");
}

#[test]
fn derivatives_expansion_and_normal_forms() {
    with_session(|| {
        let x = pool(2);
        let [a, b] = [x[0], x[1]].map(Atom::var);
        let f = a.sin() * b.pow(3);
        assert_eq!(f.derivative(x[0]), a.cos() * b.pow(3));
        assert_eq!(f.derivative(x[1]), a.sin() * b.pow(2) * 3);
        let square = (&a + &b).pow(2);
        assert_eq!(square.expand(), a.pow(2) + &a * &b * 2 + b.pow(2));
        assert_eq!(square.expand().factor(), square);
        let ratio = (a.pow(2) - b.pow(2)) / (&a - &b);
        assert_eq!(ratio.cancel(), &a + &b);
        let sum = Atom::num(1) / &a + Atom::num(1) / &b;
        assert_eq!(sum.together(), (&a + &b) / (&a * &b));
        assert_eq!(sum.together().apart(x[0]), sum);
        let loose = &a + &a * &b + a.pow(2);
        assert_eq!(loose.collect::<i16>(a.clone()), &a * (&b + 1) + a.pow(2));
        assert_eq!(
            loose
                .coefficient_list::<i16>(std::slice::from_ref(&a))
                .len(),
            2
        );
    })
    .unwrap();
}

#[test]
fn polynomials_over_the_rationals_in_a_given_order() {
    with_session(|| {
        let x = pool(3);
        let [a, b, c] = [x[0], x[1], x[2]].map(Atom::var);
        let order = vars(&x);
        let e = (&a + &b * 2).pow(2) * &c / 3;
        let p: MultivariatePolynomial<_, u16> = e.try_to_polynomial(&Q, &order).unwrap();
        assert_eq!(p.get_vars_ref(), order.as_slice());
        let mut terms: Vec<(Vec<u16>, String)> = p
            .into_iter()
            .map(|t| (t.exponents.to_vec(), t.coefficient.to_string()))
            .collect();
        terms.sort();
        let expect = [
            (vec![0, 2, 1], "4/3"),
            (vec![1, 1, 1], "4/3"),
            (vec![2, 0, 1], "1/3"),
        ];
        assert_eq!(terms, expect.map(|(e, c)| (e, c.to_string())));
        assert_eq!(p.to_expression(), e.expand());
        // Built from scratch.
        let mut q = MultivariatePolynomial::<_, u16>::new(&Q, None, order.clone());
        q.append_monomial(rational("1/3"), &[2, 0, 1]);
        q.append_monomial(rational("4/3"), &[1, 1, 1]);
        q.append_monomial(rational("4/3"), &[0, 2, 1]);
        assert_eq!(p, q);
        // A function or a foreign power becomes a further variable, after the given ones.
        let s: MultivariatePolynomial<_, u16> =
            (a.sin() * &b).try_to_polynomial(&Q, &order).unwrap();
        assert_eq!(s.nvars(), 4);
        assert_eq!(s.get_vars_ref()[3].to_atom(), a.sin());
        // A denominator in a variable does too, so that callers can refuse it.
        let d: Result<MultivariatePolynomial<_, u16>, _> = (&b / &a).try_to_polynomial(&Q, &order);
        assert!(d.is_err() || d.unwrap().nvars() == 4);
    })
    .unwrap();
}

#[test]
fn division_greatest_common_divisors_and_factors() {
    with_session(|| {
        let x = pool(2);
        let [a, b] = [x[0], x[1]].map(Atom::var);
        let order = vars(&x);
        let poly = |e: &Atom| -> MultivariatePolynomial<_, u16> {
            e.try_to_polynomial(&Z, &order).unwrap()
        };
        let f = poly(&((&a + &b).pow(2) * (&a - &b * 3)).expand());
        let g = poly(&((&a + &b) * (&a + 1)).expand());
        let common = poly(&(&a + &b));
        assert_eq!(f.gcd(&g), common);
        assert_eq!(f.try_div(&common), Some(&common * &poly(&(&a - &b * 3))));
        assert_eq!(f.try_div(&poly(&(&a + 1))), None);
        let (q, r) = f.quot_rem(&g, false);
        assert_eq!(&(&q * &g) + &r, f);
        let mut factors: Vec<_> = f
            .factor()
            .into_iter()
            .map(|(p, n)| (show(&p.to_expression()), n))
            .collect();
        factors.sort();
        assert_eq!(factors.len(), 2);
        assert!(factors.contains(&("x0+x1".to_string(), 2)), "{factors:?}");
        assert_eq!(f.square_free_factorization().len(), 2);
    })
    .unwrap();
}

#[test]
fn rational_functions_are_in_lowest_terms() {
    with_session(|| {
        let x = pool(2);
        let [a, b] = [x[0], x[1]].map(Atom::var);
        let order = vars(&x);
        let e = (a.pow(2) - b.pow(2)) / (&a * 2 - &b * 2) + Atom::num(1) / &b;
        let r: RationalPolynomial<_, u16> = e.try_to_rational_polynomial(&Q, &Z, &order).unwrap();
        // (x0 + x1)/2 + 1/x1 = (x0 x1 + x1^2 + 2)/(2 x1)
        assert_eq!(r.numerator.to_expression(), &a * &b + b.pow(2) + 2);
        assert_eq!(r.denominator.to_expression(), &b * 2);
        let one: RationalPolynomial<_, u16> = Atom::num(1)
            .try_to_rational_polynomial(&Q, &Z, &order)
            .unwrap();
        let back = &(&r + &one) - &one;
        assert_eq!(back, r);
        let inverse = &one / &r;
        assert_eq!(&(&inverse * &r), &one);
    })
    .unwrap();
}

#[test]
fn evaluation_in_a_prime_field() {
    with_session(|| {
        let x = pool(2);
        let [a, b] = [x[0], x[1]].map(Atom::var);
        let field = Zp64::new(1_000_003);
        let e = (&a + &b).pow(2) / &b - Atom::num(rational("1/3"));
        let mut point = std::collections::HashMap::new();
        point.insert(a.clone(), field.to_element(5));
        point.insert(b.clone(), field.to_element(7));
        let value = e.evaluate_in_ring(&point, &field).unwrap();
        // 144/7 - 1/3 = 425/21
        let expect = field.mul(
            &field.to_element(425),
            &symbolica::domains::Field::inv(&field, &field.to_element(21)),
        );
        assert_eq!(value, expect);
    })
    .unwrap();
}

#[test]
fn substitution_and_functions_of_our_own() {
    with_session(|| {
        let x = pool(3);
        let [a, b] = [x[0], x[1]].map(Atom::var);
        let e = a.sin().pow(2) + &a;
        let replaced = e.replace(a.clone()).with(&b + 1);
        assert_eq!(replaced, (&b + 1).sin().pow(2) + &b + 1);
        let f = Symbol::parse("f0", "eomgen_test").unwrap();
        let call = f.call((&a * &b, b.clone()));
        // d/dx0 f(x0 x1, x1) = x1 f_1(x0 x1, x1)
        let slope = Symbol::DERIVATIVE.call((1, 0, Atom::var(f), &a * &b, b.clone()));
        assert_eq!(call.derivative(x[0]), &b * slope);
    })
    .unwrap();
}
