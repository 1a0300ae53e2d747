//! Numbers of some 32 digits, each the sum of two doubles, and a run of a graph in them beside a run in doubles: the difference is the
//! rounding error of the latter.
//!
//! Sums and products are those of Dekker, "A floating-point technique for extending the available precision" (1971), with the error of a
//! product from a fused multiply-add. Sines and cosines are summed here, so that both runs are the same on all machines. Other
//! functions than roots are taken at the leading double: where they occur they are the same instruction in whatever is compared.

use std::collections::BTreeMap;
use std::ops;

use num_traits::ToPrimitive;

use super::interpret::{self, Host, Jet};
use super::{Binary, Graph, Op, Rational, Unary, Value, routine};

/// The unevaluated sum of two doubles, the second at most half a unit in the last place of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twofold {
    /// The sum, rounded.
    pub lead: f64,
    /// What rounding took off.
    pub rest: f64,
}

/// Terms of the series of sine and cosine: the last is below 1e-33 up to an eighth of a turn.
const TERMS: u32 = 15;

impl Twofold {
    /// A double.
    pub fn new(lead: f64) -> Self {
        Self { lead, rest: 0.0 }
    }

    /// Of two doubles, the first the larger.
    fn ordered(a: f64, b: f64) -> Self {
        let lead = a + b;
        let rest = b - (lead - a);
        Self { lead, rest }
    }

    fn sum(a: f64, b: f64) -> Self {
        let lead = a + b;
        let shift = lead - a;
        let rest = (a - (lead - shift)) + (b - shift);
        Self { lead, rest }
    }

    fn product(a: f64, b: f64) -> Self {
        let lead = a * b;
        let rest = a.mul_add(b, -lead);
        Self { lead, rest }
    }

    /// The nearest to a fraction.
    pub fn of(number: &Rational) -> Self {
        let lead = number.to_f64().unwrap_or(f64::NAN);
        // The difference of two fractions, not in lowest terms: it is rounded at once.
        let off = |lead: Rational| {
            let numerator = number.numer() * lead.denom() - lead.numer() * number.denom();
            Rational::new_raw(numerator, number.denom() * lead.denom()).to_f64()
        };
        let rest = Rational::from_float(lead).and_then(off);
        let rest = rest.unwrap_or(f64::NAN);
        Self { lead, rest }
    }

    /// `|x|`
    pub fn abs(self) -> Self {
        if self.lead < 0.0 { -self } else { self }
    }

    /// The nonnegative root, by one step of Newton's method from that of the leading double.
    pub fn sqrt(self) -> Self {
        let root = Self::new(self.lead.sqrt());
        if root.lead == 0.0 {
            return root;
        }
        root + (self - root * root) / (root + root)
    }

    /// Sine and cosine. Digits are lost to the reduction beyond some thousand turns.
    pub fn circle(self) -> (Self, Self) {
        // A quarter turn in three doubles.
        const QUARTER: [f64; 3] = [
            std::f64::consts::FRAC_PI_2,
            6.123_233_995_736_766e-17,
            -1.497_384_904_859_17e-33,
        ];
        let quarters = (self.lead / QUARTER[0]).round();
        let mut x = self;
        for part in QUARTER {
            x = x - Self::product(quarters, part);
        }
        let square = x * x;
        let (mut sine, mut cosine) = (x, Self::new(1.0));
        let (mut odd, mut even) = (x, Self::new(1.0));
        for k in 1..=TERMS {
            let k = f64::from(k);
            even = -(even * square) / Self::new((2.0 * k - 1.0) * 2.0 * k);
            odd = -(odd * square) / Self::new(2.0 * k * (2.0 * k + 1.0));
            cosine = cosine + even;
            sine = sine + odd;
        }
        match quarters.rem_euclid(4.0) {
            0.0 => (sine, cosine),
            1.0 => (cosine, -sine),
            2.0 => (-sine, -cosine),
            _ => (-cosine, sine),
        }
    }
}

impl ops::Add for Twofold {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        let (lead, rest) = (Self::sum(self.lead, b.lead), Self::sum(self.rest, b.rest));
        let lead = Self::ordered(lead.lead, lead.rest + rest.lead);
        Self::ordered(lead.lead, lead.rest + rest.rest)
    }
}

impl ops::Neg for Twofold {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            lead: -self.lead,
            rest: -self.rest,
        }
    }
}

impl ops::Sub for Twofold {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        self + -b
    }
}

impl ops::Mul for Twofold {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        let product = Self::product(self.lead, b.lead);
        let cross = self.lead * b.rest + self.rest * b.lead;
        Self::ordered(product.lead, product.rest + cross)
    }
}

impl ops::Div for Twofold {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let mut left = self;
        let mut quotient = Self::new(0.0);
        for _ in 0..3 {
            let part = left.lead / b.lead;
            left = left - b * Self::new(part);
            quotient = quotient + Self::new(part);
        }
        quotient
    }
}

/// A value in doubles, and with twice the digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Both {
    /// As the generated code computes it.
    pub rounded: f64,
    /// What it would be without rounding, nearly.
    pub precise: Twofold,
}

impl Both {
    const PI: Self = Self {
        rounded: std::f64::consts::PI,
        precise: Twofold {
            lead: std::f64::consts::PI,
            rest: 1.224_646_799_147_353_2e-16,
        },
    };

    /// 0.
    pub const ZERO: Self = Self {
        rounded: 0.0,
        precise: Twofold {
            lead: 0.0,
            rest: 0.0,
        },
    };

    fn same(number: f64) -> Self {
        Self::new(number, Twofold::new(number))
    }

    /// The difference, each kind by itself.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self::new(self.rounded - other.rounded, self.precise - other.precise)
    }

    fn new(rounded: f64, precise: Twofold) -> Self {
        Self { rounded, precise }
    }
}

/// What some outputs need of a graph, found once and run at many states: a graph in which many plans were tried holds many times what
/// one of them needs.
pub struct Run<'g> {
    graph: &'g Graph,
    outputs: Vec<Value>,
    live: Vec<Value>,
    /// Places in the list of what is live, by value.
    places: Vec<u32>,
    /// The constants among them, in order: to round an exact number takes longer than an operation.
    constants: Vec<Both>,
}

impl<'g> Run<'g> {
    /// What these outputs need.
    pub fn new(graph: &'g Graph, outputs: &[Value]) -> Self {
        let live = graph.live(outputs);
        let mut places = vec![0; live.last().map_or(0, |last| last.index() + 1)];
        for (place, value) in live.iter().enumerate() {
            places[value.index()] = place as u32;
        }
        let constants = live.iter().filter_map(|value| graph.as_rational(*value));
        let rounded = |number: &Rational| {
            let precise = Twofold::of(number);
            Both::new(precise.lead, precise)
        };
        Self {
            graph,
            outputs: outputs.to_vec(),
            constants: constants.map(rounded).collect(),
            live,
            places,
        }
    }

    /// The outputs at a state; `None` if a numerical routine fails.
    pub fn at(&self, host: &impl Host) -> Option<Vec<Both>> {
        let values = self.whole(host)?;
        let outputs = self.outputs.iter();
        Some(outputs.map(|v| values[self.place(*v)]).collect())
    }

    /// What the outputs need, in order.
    pub fn live(&self) -> &[Value] {
        &self.live
    }

    /// Where a value stands among them.
    pub fn place(&self, value: Value) -> usize {
        self.places[value.index()] as usize
    }

    /// All of them at a state; `None` if a numerical routine fails.
    pub fn whole(&self, host: &impl Host) -> Option<Vec<Both>> {
        let mut values: Vec<Both> = Vec::with_capacity(self.live.len());
        let mut called = Called::default();
        let mut constants = self.constants.iter().copied();
        for &value in &self.live {
            let number = match self.graph.op(value) {
                Op::Constant(_) => constants.next()?,
                _ => self.step(value, &values, &mut called, host)?,
            };
            values.push(number);
        }
        Some(values)
    }

    /// Works out again what stands in these places, in order: all that depends on an input that is another one now.
    pub fn again(&self, places: &[usize], values: &mut [Both], host: &impl Host) -> Option<()> {
        let mut called = Called::default();
        for &place in places {
            values[place] = self.step(self.live[place], values, &mut called, host)?;
        }
        Some(())
    }

    /// The value of an instruction that is no constant, from those before it.
    fn step(
        &self,
        value: Value,
        values: &[Both],
        called: &mut Called,
        host: &impl Host,
    ) -> Option<Both> {
        let at = |v: &Value| values[self.place(*v)];
        Some(match self.graph.op(value) {
            Op::Constant(_) => return None,
            Op::Pi => Both::PI,
            Op::Input(slot) => Both::same(host.slot(*slot)),
            Op::Unary(op, a) => unary(*op, at(a)),
            Op::Binary(op, a, b) => binary(*op, at(a), at(b)),
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => {
                // One branch for both, or they could not be compared.
                let holds = test.holds(&at(left).rounded, &at(right).rounded);
                at(if holds { then } else { other })
            }
            Op::Call { function, args } => {
                let found = doubles(args, at).map(|args| host.call(*function, &args));
                called.jets.insert(value, found);
                Both::same(f64::NAN)
            }
            Op::Jet { call, part } => {
                let jets = called.jets.get(call)?;
                let [rounded, precise] = jets.each_ref().map(|jet| jet.part(*part));
                Both::new(rounded, Twofold::new(precise))
            }
            Op::Routine { kind, operands } => {
                let [rounded, precise] = doubles(operands, at).map(|x| routine::run(*kind, &x));
                called.results.insert(value, [rounded.ok()?, precise.ok()?]);
                Both::same(f64::NAN)
            }
            Op::Element { routine, index } => {
                let [rounded, precise] = called.results.get(routine)?;
                let index = *index as usize;
                Both::new(*rounded.get(index)?, Twofold::new(*precise.get(index)?))
            }
        })
    }
}

/// What functions of the user and numerical routines gave.
#[derive(Default)]
struct Called {
    jets: BTreeMap<Value, [Jet; 2]>,
    results: BTreeMap<Value, [Vec<f64>; 2]>,
}

/// Operands of what is computed in doubles only.
fn doubles(operands: &[Value], at: impl Fn(&Value) -> Both) -> [Vec<f64>; 2] {
    [
        operands.iter().map(|a| at(a).rounded).collect(),
        operands.iter().map(|a| at(a).precise.lead).collect(),
    ]
}

fn unary(op: Unary, a: Both) -> Both {
    let (x, precise) = (a.precise, Twofold::new(a.rounded));
    let both = |precise: Twofold, rounded: f64| Both::new(rounded, precise);
    match op {
        Unary::Neg => both(-x, -a.rounded),
        Unary::Abs => both(x.abs(), a.rounded.abs()),
        Unary::Sqrt => both(x.sqrt(), a.rounded.sqrt()),
        Unary::Sin => both(x.circle().0, precise.circle().0.lead),
        Unary::Cos => both(x.circle().1, precise.circle().1.lead),
        Unary::Tan => {
            let [of_x, of_rounded] = [x, precise].map(|x| {
                let (s, c) = x.circle();
                s / c
            });
            both(of_x, of_rounded.lead)
        }
        _ => {
            let at = |x: f64| interpret::unary(op, x);
            both(Twofold::new(at(x.lead)), at(a.rounded))
        }
    }
}

fn binary(op: Binary, a: Both, b: Both) -> Both {
    let (x, y) = (a.precise, b.precise);
    let precise = match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
        Binary::Min if y.lead < x.lead => y,
        Binary::Max if y.lead > x.lead => y,
        Binary::Min | Binary::Max => x,
        Binary::Of(_) => Twofold::new(interpret::binary(op, x.lead, y.lead)),
    };
    Both {
        rounded: interpret::binary(op, a.rounded, b.rounded),
        precise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn third() -> Twofold {
        Twofold::new(1.0) / Twofold::new(3.0)
    }

    #[test]
    fn twice_the_digits() {
        let one = third() * Twofold::new(3.0) - Twofold::new(1.0);
        assert!(one.lead.abs() < 1e-31, "{one:?}");
        assert!(third().rest != 0.0);
        let two = Twofold::new(2.0);
        let zero = two.sqrt() * two.sqrt() - two;
        assert!(zero.lead.abs() < 1e-31, "{zero:?}");
        let fraction = Twofold::of(&Rational::new(1.into(), 3.into())) - third();
        assert!(fraction.lead.abs() < 1e-32, "{fraction:?}");
    }

    /// Abramowitz and Stegun, table 4.6: sin 1 = 0.84147 09848 07896 50665 25023..., cos 1 = 0.54030 23058 68139 71740 09366...
    #[test]
    fn sine_and_cosine() {
        let (s, c) = Twofold::new(1.0).circle();
        assert_eq!([s.lead, c.lead], [1.0_f64.sin(), 1.0_f64.cos()]);
        let digits = |x: i64, y: i64, z: i64| {
            let n = |k: i64| Rational::from_integer(k.into());
            let e = n(10_000_000_000);
            Twofold::of(&(((n(z) / &e + n(y)) / &e + n(x)) / &e))
        };
        let off = s - digits(8_414_709_848, 789_650_665, 2_502_300_000);
        assert!(off.lead.abs() < 1e-24, "{off:?}");
        let off = c - digits(5_403_023_058, 6_813_971_740, 936_600_000);
        assert!(off.lead.abs() < 1e-24, "{off:?}");
        for x in [-9.0, -2.5, 0.1, 3.0, 100.0] {
            let (s, c) = Twofold::new(x).circle();
            let unit = s * s + c * c - Twofold::new(1.0);
            assert!(unit.lead.abs() < 1e-31, "{x}: {unit:?}");
            assert!((s.lead - x.sin()).abs() < 1e-15 && (c.lead - x.cos()).abs() < 1e-15);
        }
    }
}
