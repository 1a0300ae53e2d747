//! The deterministic pseudo-random points of the [prime field](crate::field) at which expressions are evaluated to decide zero.
//! Knows nothing of expressions.

use crate::field::Residue;

/// A pseudo-random element that depends on `seed` and `value` only (splitmix64, reduced).
pub fn prf(seed: u64, value: u64) -> Residue {
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
    Residue::new(z)
}

/// A rational point (sine, cosine) of the circle that depends on the angle's residue only, odd and even as they should be.
pub fn circle(angle: Residue) -> (Residue, Residue) {
    if angle == Residue::ZERO {
        return (Residue::ZERO, Residue::ONE);
    }
    let (negative, least) = angle.mirror();
    let mut t = prf(0xC1, least.get());
    loop {
        // -1 has no square root modulo this prime: the first turn of the loop ends it.
        if let Some(d) = (Residue::ONE + t * t).inverse() {
            let s = (t + t) * d;
            let c = (Residue::ONE - t * t) * d;
            return (if negative { -s } else { s }, c);
        }
        t = t + Residue::ONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_are_points_of_the_circle() {
        assert_eq!(circle(Residue::ZERO), (Residue::ZERO, Residue::ONE));
        for k in 1..50 {
            let a = prf(1, k);
            let (s, c) = circle(a);
            assert_eq!(s * s + c * c, Residue::ONE);
            assert_eq!(circle(-a), (-s, c));
            assert_ne!(circle(a + Residue::ONE), (s, c));
        }
    }
}
