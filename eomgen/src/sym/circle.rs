//! Where the sine and cosine of an angle lie at a test point of the [prime field](crate::field).

use crate::field::{Residue, pseudo_random};

/// A rational point (sine, cosine) of the circle that depends on the angle's residue only, odd and even as they should be.
pub fn circle(angle: Residue) -> (Residue, Residue) {
    if angle == Residue::ZERO {
        return (Residue::ZERO, Residue::ONE);
    }
    let (negative, least) = angle.mirror();
    let mut t = pseudo_random(0xC1, least.get());
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
            let a = pseudo_random(1, k);
            let (s, c) = circle(a);
            assert_eq!(s * s + c * c, Residue::ONE);
            assert_eq!(circle(-a), (-s, c));
            assert_ne!(circle(a + Residue::ONE), (s, c));
        }
    }
}
