//! Arithmetic modulo the prime 2^61 - 1 and the deterministic pseudo-random values at which
//! expressions are evaluated to decide zero. Knows nothing of expressions.

/// The prime: 2^61 - 1, congruent to 3 modulo 4.
pub const P: u64 = (1 << 61) - 1;

/// `a + b`.
pub fn add(a: u64, b: u64) -> u64 {
    let s = a + b;
    if s >= P { s - P } else { s }
}

/// `-a`.
pub fn neg(a: u64) -> u64 {
    if a == 0 { 0 } else { P - a }
}

/// `a * b`.
pub fn mul(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) % u128::from(P)) as u64
}

/// `a ^ n`.
pub fn pow(mut a: u64, mut n: u64) -> u64 {
    let mut r = 1;
    while n > 0 {
        if n & 1 == 1 {
            r = mul(r, a);
        }
        a = mul(a, a);
        n >>= 1;
    }
    r
}

/// `1 / a`; `None` for 0.
pub fn inv(a: u64) -> Option<u64> {
    (a != 0).then(|| pow(a, P - 2))
}

/// A square root if there is one.
pub fn sqrt(a: u64) -> Option<u64> {
    let r = pow(a, P.div_ceil(4));
    (mul(r, r) == a).then_some(r)
}

/// A pseudo-random element that depends on `seed` and `value` only (splitmix64, reduced).
pub fn prf(seed: u64, value: u64) -> u64 {
    let mut z = seed
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(value.wrapping_mul(0xD134_2543_DE82_EF95))
        .wrapping_add(0x2545_F491_4F6C_DD1D);
    for _ in 0..2 {
        z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
    }
    z % P
}

/// A rational point (sine, cosine) of the circle that depends on the angle's residue only, odd and even as they should be.
pub fn circle(angle: u64) -> (u64, u64) {
    if angle == 0 {
        return (0, 1);
    }
    let (a, flip) = if angle > P / 2 {
        (P - angle, true)
    } else {
        (angle, false)
    };
    let mut t = prf(0xC1, a);
    loop {
        let t2 = mul(t, t);
        if let Some(d) = inv(add(1, t2)) {
            let s = mul(mul(2, t), d);
            let c = mul(add(1, neg(t2)), d);
            return (if flip { neg(s) } else { s }, c);
        }
        t = add(t, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_laws_hold() {
        for k in 1..50 {
            let a = prf(1, k);
            assert_eq!(mul(a, inv(a).unwrap()), 1);
            assert_eq!(add(a, neg(a)), 0);
            let r = sqrt(mul(a, a)).unwrap();
            assert!(r == a || r == neg(a));
            let (s, c) = circle(a);
            assert_eq!(add(mul(s, s), mul(c, c)), 1);
            assert_eq!(circle(neg(a)), (neg(s), c));
        }
    }
}
