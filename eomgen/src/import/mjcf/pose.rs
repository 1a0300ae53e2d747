//! Places and orientations of MJCF: quaternions, Euler angles, axes. Knows attributes alone.

use super::super::decimal::Decimal;
use super::super::findings::Findings;
use super::super::robot::Triple;
use super::super::turn::{Angle, Axis, Turn};
use super::classes::Element;
use crate::diag::codes::import::{E0601, E0603};

/// What the compiler's settings say about angles.
#[derive(Clone, Debug)]
pub struct Angles {
    /// Whether they are in degrees.
    pub degrees: bool,
    /// The sequence of Euler angles.
    pub sequence: String,
    /// Whether decimals in radians stay as they are.
    pub exact: bool,
}

impl Angles {
    /// An angle as it is written.
    pub fn read(&self, value: &Decimal, findings: &mut Findings) -> Angle {
        if self.degrees {
            Angle::Degrees(value.clone())
        } else {
            Angle::radians(value, self.exact, findings)
        }
    }

    /// The orientation of an element.
    pub fn turn(&self, element: &Element, findings: &mut Findings) -> Turn {
        if element.text("quat").is_some() {
            let Some(parts) = element.exactly::<4>("quat", findings) else {
                return Turn::None;
            };
            if parts.iter().all(Decimal::is_zero) {
                self.nothing(element, "quat", findings);
            }
            return Turn::quaternion(parts.map(quiet));
        }
        if element.text("axisangle").is_some() {
            let Some([x, y, z, angle]) = element.exactly::<4>("axisangle", findings) else {
                return Turn::None;
            };
            let axis = [x, y, z];
            if axis.iter().all(Decimal::is_zero) {
                self.nothing(element, "axisangle", findings);
            }
            return Turn::about(self.read(&angle, findings), axis);
        }
        if element.text("euler").is_some() {
            return self.euler(element, findings);
        }
        if element.text("xyaxes").is_some() {
            let Some([a, b, c, d, e, f]) = element.exactly::<6>("xyaxes", findings) else {
                return Turn::None;
            };
            let (x, y) = (
                [a, b, c].map(|n| n.to_double()),
                [d, e, f].map(|n| n.to_double()),
            );
            let Some(rows) = by_axes(x, y) else {
                self.nothing(element, "xyaxes", findings);
                return Turn::None;
            };
            return Turn::matrix_of(&rows);
        }
        if element.text("zaxis").is_some() {
            let Some(axis) = element.exactly::<3>("zaxis", findings) else {
                return Turn::None;
            };
            let Some(turn) = to_axis(&axis.each_ref().map(Decimal::to_double)) else {
                self.nothing(element, "zaxis", findings);
                return Turn::None;
            };
            return turn;
        }
        Turn::None
    }

    fn nothing(&self, element: &Element, name: &str, findings: &mut Findings) {
        findings.error(
            E0601,
            format!("`{name}` has no direction"),
            element.place(name),
            "its length is 0",
            "write an orientation, or leave the attribute out",
        );
    }

    fn euler(&self, element: &Element, findings: &mut Findings) -> Turn {
        let Some(angles) = element.exactly::<3>("euler", findings) else {
            return Turn::None;
        };
        let axes: Option<Vec<Axis>> = self.sequence.chars().map(Axis::of_letter).collect();
        let small = self.sequence.chars().all(|c| c.is_ascii_lowercase());
        let large = self.sequence.chars().all(|c| c.is_ascii_uppercase());
        let (Some(axes), true) = (axes.filter(|axes| axes.len() == 3), small || large) else {
            findings.error(
                E0603,
                format!(
                    "the sequence `{}` of Euler angles is not read",
                    self.sequence
                ),
                element.place("euler"),
                "used here",
                "write `eulerseq` with three small letters, such as `xyz`, or three capitals",
            );
            return Turn::None;
        };
        let steps = axes
            .into_iter()
            .zip(&angles)
            .map(|(axis, angle)| (axis, self.read(angle, findings)))
            .collect();
        if small {
            Turn::body(steps)
        } else {
            Turn::space(steps)
        }
    }
}

/// Without what rounding left of zeros.
fn quiet(number: Decimal) -> Decimal {
    if number.to_double().abs() < 1e-12 {
        Decimal::zero()
    } else {
        number
    }
}

/// Rows of the matrix whose first two columns lie along two axes.
fn by_axes(x: [f64; 3], y: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let x = unit(x)?;
    let along: f64 = (0..3).map(|i| x[i] * y[i]).sum();
    let y = unit(std::array::from_fn(|i| y[i] - along * x[i]))?;
    let z = cross(x, y);
    Some(std::array::from_fn(|i| [x[i], y[i], z[i]]))
}

fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
    (length > 1e-14).then(|| v.map(|c| c / length))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

/// The smallest turn that takes the z-axis to a direction.
pub fn to_axis(direction: &[f64; 3]) -> Option<Turn> {
    let [x, y, z] = unit(*direction)?;
    if x.abs() < 1e-14 && y.abs() < 1e-14 {
        let half = Angle::Degrees(Decimal::whole(180));
        return Some(if z > 0.0 {
            Turn::None
        } else {
            Turn::body(vec![(Axis::X, half)])
        });
    }
    // The quaternion (1 + cos, sin) of the angle about z cross the direction.
    Some(Turn::of_parts([1.0 + z, -y, x, 0.0]))
}

/// Places as they are written.
pub fn place(element: &Element, name: &str, findings: &mut Findings) -> Triple {
    let found = element.exactly::<3>(name, findings);
    found.map_or_else(super::super::robot::origin, |triple| triple.map(quiet))
}
