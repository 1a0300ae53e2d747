//! Closeness of vectors, as the tests understand it.

/// Relative tolerance of accelerations against reference numbers.
pub const TOLERANCE: f64 = 1e-9;

/// Largest difference relative to `max(1, largest |wanted|)`; infinite where the lengths differ or a number is not finite.
pub fn error(found: &[f64], wanted: &[f64]) -> f64 {
    if found.len() != wanted.len() {
        return f64::INFINITY;
    }
    let scale = wanted.iter().fold(1.0, |s: f64, w| s.max(w.abs()));
    let mut worst = 0.0_f64;
    for (f, w) in found.iter().zip(wanted) {
        let difference = (f - w).abs() / scale;
        if !difference.is_finite() {
            return f64::INFINITY;
        }
        worst = worst.max(difference);
    }
    worst
}

/// `Err` with both vectors unless they agree to [`TOLERANCE`].
///
/// # Errors
/// Where they do not agree.
pub fn close(what: &str, found: &[f64], wanted: &[f64]) -> Result<(), String> {
    let error = error(found, wanted);
    if error <= TOLERANCE {
        Ok(())
    } else {
        Err(format!(
            "{what}: {found:?} is not {wanted:?} (relative error {error:.1e})"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{close, error};

    #[test]
    fn scale_is_at_least_one() {
        assert_eq!(error(&[0.5], &[0.25]), 0.25);
        assert_eq!(error(&[10.0, 0.0], &[8.0, 0.0]), 0.25);
    }

    #[test]
    fn missing_and_unreal_numbers_never_agree() {
        assert!(close("length", &[1.0], &[1.0, 0.0]).is_err());
        assert!(close("nan", &[f64::NAN], &[1.0]).is_err());
        assert!(close("infinity", &[f64::INFINITY], &[1.0]).is_err());
    }
}
