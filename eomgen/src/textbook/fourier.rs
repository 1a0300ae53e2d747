//! Sums of sines and cosines of whole combinations of angles: a form in which equal things are equal, Pythagoras included.

use super::atoms::{Angle, Atoms, Kind};
use super::polynomial::{Monomial, Polynomial};
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Sine or cosine of an angle whose first number is positive; the cosine of nothing is 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Wave {
    pub sine: bool,
    pub angle: Angle,
}

/// A sum of waves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fourier(pub BTreeMap<Wave, BigRational>);

impl Hash for Fourier {
    /// By the waves alone: rational numbers are slow to hash.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.keys().for_each(|w| w.hash(state));
    }
}

/// `a + sign b`
fn combined(a: &Angle, b: &Angle, sign: i32) -> Angle {
    let mut sum: BTreeMap<u32, i32> = a.iter().copied().collect();
    for (base, k) in b {
        *sum.entry(*base).or_default() += sign * k;
    }
    sum.into_iter().filter(|(_, k)| *k != 0).collect()
}

/// The angle or its opposite, the first of its parts positive, and whether it is the opposite.
fn forward(angle: &Angle) -> (Angle, bool) {
    match angle.first() {
        Some((_, k)) if *k < 0 => (angle.iter().map(|(a, k)| (*a, -k)).collect(), true),
        _ => (angle.clone(), false),
    }
}

impl Fourier {
    pub(super) fn number(c: BigRational) -> Self {
        let mut f = Self::default();
        f.add(false, Vec::new(), c);
        f
    }

    /// Sine or cosine of a single angle.
    pub(super) fn wave(sine: bool, base: u32) -> Self {
        let mut f = Self::default();
        f.add(sine, vec![(base, 1)], BigRational::one());
        f
    }

    fn add(&mut self, sine: bool, mut angle: Angle, mut c: BigRational) {
        match angle.first() {
            None if sine => return,
            Some((_, k)) if *k < 0 => {
                angle.iter_mut().for_each(|(_, k)| *k = -*k);
                if sine {
                    c = -c;
                }
            }
            _ => {}
        }
        if c.is_zero() {
            return;
        }
        let place = self.0.entry(Wave { sine, angle });
        let sum = place.or_insert_with(BigRational::zero);
        *sum += c;
        if sum.is_zero() {
            self.0.retain(|_, c| !c.is_zero());
        }
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (w, c) in &other.0 {
            self.add(w.sine, w.angle.clone(), c.clone());
        }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let half = BigRational::new(1.into(), 2.into());
        let mut product = Self::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                if a.angle.is_empty() || b.angle.is_empty() {
                    // One of them is a number.
                    let wave = if a.angle.is_empty() { b } else { a };
                    product.add(wave.sine, wave.angle.clone(), x * y);
                    continue;
                }
                let h = x * y * &half;
                let (plus, minus) = (
                    combined(&a.angle, &b.angle, 1),
                    combined(&a.angle, &b.angle, -1),
                );
                match (a.sine, b.sine) {
                    (false, false) => {
                        product.add(false, minus, h.clone());
                        product.add(false, plus, h);
                    }
                    (true, true) => {
                        product.add(false, minus, h.clone());
                        product.add(false, plus, -h);
                    }
                    (true, false) => {
                        product.add(true, minus, h.clone());
                        product.add(true, plus, h);
                    }
                    (false, true) => {
                        product.add(true, plus, h.clone());
                        product.add(true, minus, -h);
                    }
                }
            }
        }
        product
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Base angles in it, ascending.
    fn angles(&self) -> Vec<u32> {
        let all = self.0.keys().flat_map(|w| w.angle.iter().map(|a| a.0));
        let mut list: Vec<u32> = all.collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    fn highest(&self) -> i32 {
        let all = self
            .0
            .keys()
            .flat_map(|w| w.angle.iter().map(|a| a.1.abs()));
        all.max().unwrap_or(0)
    }

    /// As sines and cosines of sums of angles.
    fn by_sums(&self, atoms: &mut Atoms) -> Polynomial {
        let mut p = Polynomial::default();
        for (wave, c) in &self.0 {
            let m = if wave.angle.is_empty() {
                Monomial::one()
            } else {
                let of = if wave.sine { Kind::Sine } else { Kind::Cosine };
                Monomial::power(atoms.circular(of(wave.angle.clone())), 1)
            };
            p.add(m, c.clone());
        }
        p
    }

    /// As products of sines and cosines of single angles; of each angle the squares of one of them stay.
    fn by_products(&self, atoms: &mut Atoms, keep_sine: &[(u32, bool)]) -> Polynomial {
        let mut p = Polynomial::default();
        let one = BigRational::one();
        for (wave, c) in &self.0 {
            let mut re = Polynomial::monomial(Monomial::one(), one.clone());
            let mut im = Polynomial::default();
            for (base, k) in &wave.angle {
                let single = vec![(*base, 1)];
                let cosine = Monomial::power(atoms.circular(Kind::Cosine(single.clone())), 1);
                let sine = Monomial::power(atoms.circular(Kind::Sine(single)), 1);
                let sign = if *k > 0 { one.clone() } else { -one.clone() };
                for _ in 0..k.abs() {
                    let (mut next_re, mut next_im) = (Polynomial::default(), Polynomial::default());
                    next_re.add_all(&re, &cosine, &one);
                    next_re.add_all(&im, &sine, &-&sign);
                    next_im.add_all(&re, &sine, &sign);
                    next_im.add_all(&im, &cosine, &one);
                    (re, im) = (next_re, next_im);
                }
            }
            let part = if wave.sine { im } else { re };
            p.add_all(&part, &Monomial::one(), c);
        }
        for (base, sine) in keep_sine {
            let single = vec![(*base, 1)];
            let (s, c) = (
                atoms.circular(Kind::Sine(single.clone())),
                atoms.circular(Kind::Cosine(single)),
            );
            let (stay, drop) = if *sine { (s, c) } else { (c, s) };
            while let Some(m) = p.0.keys().find(|m| m.exponent(drop) >= 2).cloned() {
                let Some(value) = p.0.remove(&m) else { break };
                let rest = m.over(&Monomial::power(drop, 2));
                let squared = rest.times(&Monomial::power(stay, 2));
                p.add(rest, value.clone());
                p.add(squared, -value);
            }
        }
        p
    }

    /// Angles of which products of sines and cosines are taken, the others in sums, so that there are as few terms as possible: rotations about
    /// one axis add up, those about different ones do not.
    fn mixed(&self, atoms: &mut Atoms) -> Polynomial {
        let mut found = Mixed::new(self);
        let mut left = self.angles();
        loop {
            let each = left.iter().map(|a| (*a, found.without(*a)));
            let Some((angle, next)) = each.min_by_key(|(_, next)| next.0.len()) else {
                break;
            };
            if next.0.len() >= found.0.len() {
                break;
            }
            found = next;
            left.retain(|a| *a != angle);
        }
        found.polynomial(atoms)
    }

    /// All spellings that are tried: by sums, by sums and products, and by products of all angles.
    pub(super) fn spellings(&self, atoms: &mut Atoms) -> Vec<Polynomial> {
        let mut list = vec![self.by_sums(atoms), self.mixed(atoms)];
        let angles = self.angles();
        if angles.len() <= MOST_ANGLES && self.highest() <= HIGHEST {
            for choice in 0..1u32 << angles.len() {
                let keep: Vec<(u32, bool)> = angles
                    .iter()
                    .enumerate()
                    .map(|(i, a)| (*a, choice >> i & 1 == 0))
                    .collect();
                let p = self.by_products(atoms, &keep);
                list.push(p);
            }
        }
        list
    }
}

/// Products of more angles are not taken apart.
const MOST_ANGLES: usize = 3;
/// Multiples of an angle that are.
const HIGHEST: i32 = 4;

/// A sine or cosine of each of some angles, and whether it is the sine; times a wave over the others.
type Product = (Vec<(u32, bool)>, Wave);

/// Waves over some angles, with sines and cosines of others as factors.
struct Mixed(BTreeMap<Product, BigRational>);

impl Mixed {
    fn new(f: &Fourier) -> Self {
        let terms = f.0.iter();
        Self(
            terms
                .map(|(w, c)| ((Vec::new(), w.clone()), c.clone()))
                .collect(),
        )
    }

    /// With an angle's sine and cosine as factors, where only single ones of it occur.
    fn without(&self, angle: u32) -> Self {
        let mut next = BTreeMap::new();
        let mut add = |key: Product, c: BigRational| {
            let sum: &mut BigRational = next.entry(key).or_insert_with(BigRational::zero);
            *sum += c;
        };
        for ((factors, wave), c) in &self.0 {
            let times = wave.angle.iter().find(|a| a.0 == angle).map_or(0, |a| a.1);
            if times == 0 {
                add((factors.clone(), wave.clone()), c.clone());
                continue;
            }
            if times.abs() != 1 {
                return Self(self.0.clone());
            }
            let rest: Angle = wave
                .angle
                .iter()
                .filter(|a| a.0 != angle)
                .copied()
                .collect();
            // cos(r + a) = cos r cos a - sin r sin a and sin(r + a) = sin r cos a + cos r sin a, where r may begin with a minus sign.
            for sine in [false, true] {
                let mut c = c.clone();
                if sine && (times < 0) == wave.sine {
                    c = -c;
                }
                let of_rest = wave.sine != sine;
                let (rest, turned) = forward(&rest);
                if turned && of_rest {
                    c = -c;
                }
                if rest.is_empty() && of_rest {
                    continue;
                }
                let mut factors = factors.clone();
                factors.push((angle, sine));
                factors.sort_unstable();
                add(
                    (
                        factors,
                        Wave {
                            sine: of_rest,
                            angle: rest,
                        },
                    ),
                    c,
                );
            }
        }
        next.retain(|_, c| !c.is_zero());
        Self(next)
    }

    fn polynomial(&self, atoms: &mut Atoms) -> Polynomial {
        let mut p = Polynomial::default();
        for ((factors, wave), c) in &self.0 {
            let mut m = Monomial::one();
            let mut put = |sine: bool, angle: Angle| {
                let of = if sine { Kind::Sine } else { Kind::Cosine };
                m = m.times(&Monomial::power(atoms.circular(of(angle)), 1));
            };
            for (angle, sine) in factors {
                put(*sine, vec![(*angle, 1)]);
            }
            if !wave.angle.is_empty() {
                put(wave.sine, wave.angle.clone());
            }
            p.add(m, c.clone());
        }
        p
    }
}
