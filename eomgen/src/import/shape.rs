//! What drawings can show: which shapes have a size, and which of the language's colours comes nearest. Knows numbers alone.

use super::robot::Form;

/// The language's colours, about as a page shows them.
const COLOURS: [(&str, [f64; 3]); 12] = [
    ("black", [0.1, 0.1, 0.1]),
    ("gray", [0.55, 0.55, 0.55]),
    ("white", [0.97, 0.97, 0.97]),
    ("red", [0.85, 0.15, 0.15]),
    ("orange", [0.95, 0.55, 0.1]),
    ("yellow", [0.95, 0.85, 0.15]),
    ("green", [0.15, 0.65, 0.2]),
    ("teal", [0.1, 0.6, 0.6]),
    ("blue", [0.15, 0.3, 0.85]),
    ("purple", [0.5, 0.2, 0.7]),
    ("pink", [0.95, 0.55, 0.75]),
    ("brown", [0.5, 0.3, 0.15]),
];

/// The colour nearest to red, green and blue from 0 to 1.
pub fn colour(rgb: [f64; 3]) -> &'static str {
    let distance = |other: &[f64; 3]| -> f64 {
        (0..3)
            .map(|i| (rgb[i] - other[i]) * (rgb[i] - other[i]))
            .sum()
    };
    let mut best = ("gray", f64::INFINITY);
    for (name, value) in &COLOURS {
        let found = distance(value);
        if found < best.1 {
            best = (name, found);
        }
    }
    best.0
}

/// Whether there is anything to see.
pub fn visible(form: &Form) -> bool {
    let positive = |number: &super::decimal::Decimal| !number.is_zero() && !number.is_negative();
    match form {
        Form::Box(sides) => sides.iter().all(positive),
        Form::Cylinder(radius, height) => positive(radius) && positive(height),
        Form::Sphere(radius) => positive(radius),
    }
}
