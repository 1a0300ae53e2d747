//! Constant orientations: sequences of turns, quaternions, and which angle a rounded decimal means. Knows numbers alone.
//!
//! Descriptions write right angles as decimals of any length. A decimal is read as a whole multiple of 5 degrees if it is that angle in
//! radians rounded or cut off to the digits it has: a multiple of 90 degrees from two digits behind the point on (1.57), any other from
//! four on (0.7854). Anything else stays the decimal that it is.

use super::decimal::Decimal;
use super::findings::Findings;

/// An axis of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::Y => 'y',
            Self::Z => 'z',
        }
    }

    /// From its letter, small or capital.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|axis| axis.letter() == letter.to_ascii_lowercase())
    }

    /// Its number.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A constant angle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Angle {
    /// In degrees.
    Degrees(Decimal),
    /// In radians.
    Radians(Decimal),
}

impl Angle {
    /// From radians as they are written; by the rule above unless `exact`.
    pub fn radians(value: &Decimal, exact: bool, findings: &mut Findings) -> Self {
        match meant(value).filter(|_| !exact) {
            Some(degrees) => {
                if degrees != 0 {
                    findings.angle(value.abs().text(), format!("{} deg", degrees.abs()));
                }
                Self::Degrees(Decimal::whole(degrees))
            }
            None => Self::Radians(value.clone()),
        }
    }

    /// Whether it is none.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Degrees(value) | Self::Radians(value) => value.is_zero(),
        }
    }

    /// Whether it has a minus sign.
    pub fn is_negative(&self) -> bool {
        match self {
            Self::Degrees(value) | Self::Radians(value) => value.is_negative(),
        }
    }

    /// The same without its sign.
    pub fn abs(&self) -> Self {
        match self {
            Self::Degrees(value) => Self::Degrees(value.abs()),
            Self::Radians(value) => Self::Radians(value.abs()),
        }
    }

    /// In radians, as a double.
    pub fn value(&self) -> f64 {
        match self {
            Self::Degrees(value) => value.to_double().to_radians(),
            Self::Radians(value) => value.to_double(),
        }
    }

    /// In the language.
    pub fn text(&self) -> String {
        match self {
            Self::Degrees(value) if value.is_zero() => "0".to_owned(),
            Self::Degrees(value) => value.with_unit("deg"),
            Self::Radians(value) => value.text(),
        }
    }
}

/// An angle in radians in the language, by the rule above.
pub fn readable(value: &Decimal) -> String {
    let angle = match meant(value) {
        Some(degrees) => Angle::Degrees(Decimal::whole(degrees)),
        None => Angle::Radians(value.clone()),
    };
    angle.text()
}

/// The multiple of 5 degrees that a decimal in radians means, if any.
fn meant(value: &Decimal) -> Option<i64> {
    let magnitude = value.abs().to_double();
    if magnitude > 100.0 {
        return None;
    }
    let steps = (magnitude / 5_f64.to_radians()).round();
    let degrees = steps as i64 * 5;
    let target = (degrees as f64).to_radians();
    let places = value.places();
    let few = if degrees % 90 == 0 { 2 } else { 4 };
    let close = if places > 14 {
        (magnitude - target).abs() <= 4.0 * f64::EPSILON * target
    } else {
        let scale = 10_u64.pow(places as u32) as f64;
        let written = (magnitude * scale).round();
        written == (target * scale).round() || written == (target * scale).floor()
    };
    let found = degrees == 0 && value.is_zero() || degrees != 0 && close && places >= few;
    let sign = if value.is_negative() { -1 } else { 1 };
    found.then_some(sign * degrees)
}

/// A constant orientation relative to a parent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The parent's own.
    None,
    /// One after the other about the parent's axes.
    Space(Vec<(Axis, Angle)>),
    /// One after the other about its own axes.
    Body(Vec<(Axis, Angle)>),
    /// By an angle about an axis of any length.
    About(Angle, [Decimal; 3]),
    /// By Rodrigues parameters: three numbers, each over the fourth.
    Rodrigues([Decimal; 3], Decimal),
}

/// A matrix of direction cosines, rows first.
pub type Matrix = [[f64; 3]; 3];

impl Turn {
    /// About the parent's axes, without the angles that are 0.
    pub fn space(steps: Vec<(Axis, Angle)>) -> Self {
        match kept(steps) {
            steps if steps.is_empty() => Self::None,
            steps if steps.len() == 1 => Self::Body(steps),
            steps => Self::Space(steps),
        }
    }

    /// About its own axes, without the angles that are 0.
    pub fn body(steps: Vec<(Axis, Angle)>) -> Self {
        match kept(steps) {
            steps if steps.is_empty() => Self::None,
            steps => Self::Body(steps),
        }
    }

    /// About an axis.
    pub fn about(angle: Angle, axis: [Decimal; 3]) -> Self {
        if angle.is_zero() {
            return Self::None;
        }
        match along(&axis) {
            Some((axis, negative)) => {
                let angle = match (negative, angle) {
                    (false, angle) => angle,
                    (true, Angle::Degrees(value)) => Angle::Degrees(-&value),
                    (true, Angle::Radians(value)) => Angle::Radians(-&value),
                };
                Self::Body(vec![(axis, angle)])
            }
            None => Self::About(angle, axis),
        }
    }

    /// From a quaternion of any length but 0, scalar first.
    pub fn quaternion([w, x, y, z]: [Decimal; 4]) -> Self {
        let vector = [x, y, z];
        if vector.iter().all(Decimal::is_zero) {
            return Self::None;
        }
        if w.is_zero() {
            return Self::about(Angle::Degrees(Decimal::whole(180)), vector);
        }
        if let Some((axis, _)) = along(&vector)
            && vector[axis.index()].abs() == w.abs()
        {
            let positive = vector[axis.index()].is_negative() == w.is_negative();
            let degrees = if positive { 90 } else { -90 };
            return Self::Body(vec![(axis, Angle::Degrees(Decimal::whole(degrees)))]);
        }
        let (vector, w) = if w.is_negative() {
            ([-&vector[0], -&vector[1], -&vector[2]], -&w)
        } else {
            (vector, w)
        };
        Self::Rodrigues(vector, w)
    }

    /// From a rotation in doubles: right angles exactly, anything else by parameters of 17 digits.
    pub fn matrix_of(rows: &Matrix) -> Self {
        Self::of_parts(parts_of(rows))
    }

    /// As a quaternion of length 1, scalar part first and not negative.
    pub fn parts(&self) -> [f64; 4] {
        let parts = parts_of(&self.matrix());
        let length = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
        let scale = if parts[0] < 0.0 { -length } else { length };
        parts.map(|part| {
            // To the digits that a sum of its squares needs.
            (part / scale * 1e15).round() / 1e15
        })
    }

    /// From the parts of a quaternion in doubles, scalar first: right angles exactly, anything else by parameters of 17 digits.
    pub fn of_parts(parts: [f64; 4]) -> Self {
        let largest = parts.iter().fold(0_f64, |most, part| most.max(part.abs()));
        let scale = if parts[0].abs() < 1e-12 * largest {
            largest
        } else {
            parts[0]
        };
        Self::quaternion(parts.map(|part| {
            let part = part / scale;
            let nearest = part.round();
            let exact = if (part - nearest).abs() < 1e-14 {
                nearest
            } else {
                part
            };
            Decimal::of_double(exact)
        }))
    }

    /// As direction cosines: columns are the new axes in the parent.
    pub fn matrix(&self) -> Matrix {
        match self {
            Self::None => IDENTITY,
            Self::Space(steps) => steps.iter().fold(IDENTITY, |sum, (axis, angle)| {
                product(&about(*axis, angle), &sum)
            }),
            Self::Body(steps) => steps.iter().fold(IDENTITY, |sum, (axis, angle)| {
                product(&sum, &about(*axis, angle))
            }),
            Self::About(angle, axis) => {
                let half = angle.value() / 2.0;
                let [x, y, z] = axis.each_ref().map(Decimal::to_double);
                let length = (x * x + y * y + z * z).sqrt();
                let (sine, cosine) = circle(half);
                let s = sine / length;
                of_quaternion([cosine, s * x, s * y, s * z])
            }
            Self::Rodrigues(vector, w) => {
                let [x, y, z] = vector.each_ref().map(Decimal::to_double);
                of_quaternion([w.to_double(), x, y, z])
            }
        }
    }
}

/// A quaternion that turns as a matrix does, of any length.
fn parts_of(rows: &Matrix) -> [f64; 4] {
    let trace = rows[0][0] + rows[1][1] + rows[2][2];
    let squares = [
        1.0 + trace,
        1.0 + 2.0 * rows[0][0] - trace,
        1.0 + 2.0 * rows[1][1] - trace,
        1.0 + 2.0 * rows[2][2] - trace,
    ];
    let best = (0..4).fold(
        0,
        |best, i| if squares[i] > squares[best] { i } else { best },
    );
    let (u, v, w) = (
        rows[2][1] - rows[1][2],
        rows[0][2] - rows[2][0],
        rows[1][0] - rows[0][1],
    );
    let (a, b, c) = (
        rows[0][1] + rows[1][0],
        rows[1][2] + rows[2][1],
        rows[2][0] + rows[0][2],
    );
    match best {
        0 => [squares[0], u, v, w],
        1 => [u, squares[1], a, c],
        2 => [v, a, squares[2], b],
        _ => [w, c, b, squares[3]],
    }
}

fn kept(steps: Vec<(Axis, Angle)>) -> Vec<(Axis, Angle)> {
    steps
        .into_iter()
        .filter(|(_, angle)| !angle.is_zero())
        .collect()
}

/// The axis that a vector lies along, and whether it points the other way.
pub fn along(vector: &[Decimal; 3]) -> Option<(Axis, bool)> {
    let mut found = Axis::ALL
        .into_iter()
        .filter(|axis| !vector[axis.index()].is_zero());
    let axis = found.next()?;
    found
        .next()
        .is_none()
        .then(|| (axis, vector[axis.index()].is_negative()))
}

/// No turn.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// One turn after another.
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// A vector turned.
pub fn turned(a: &Matrix, v: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|k| a[i][k] * v[k]).sum())
}

fn about(axis: Axis, angle: &Angle) -> Matrix {
    let half = angle.value() / 2.0;
    let (sine, cosine) = circle(half);
    let mut parts = [cosine, 0.0, 0.0, 0.0];
    parts[1 + axis.index()] = sine;
    of_quaternion(parts)
}

/// Sine and cosine.
#[cfg_attr(
    not(test),
    expect(
        clippy::disallowed_methods,
        reason = "what comes of it is rounded to fewer digits before it is written"
    )
)]
fn circle(angle: f64) -> (f64, f64) {
    (angle.sin(), angle.cos())
}

/// Of a quaternion of any length.
pub fn of_quaternion([w, x, y, z]: [f64; 4]) -> Matrix {
    let n = w * w + x * x + y * y + z * z;
    let two = 2.0 / n;
    [
        [
            1.0 - two * (y * y + z * z),
            two * (x * y - w * z),
            two * (x * z + w * y),
        ],
        [
            two * (x * y + w * z),
            1.0 - two * (x * x + z * z),
            two * (y * z - w * x),
        ],
        [
            two * (x * z - w * y),
            two * (y * z + w * x),
            1.0 - two * (x * x + y * y),
        ],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Decimal {
        Decimal::read(text).unwrap()
    }

    #[test]
    fn decimals_mean_the_angle_that_they_round_to() {
        for (written, degrees) in [
            ("1.5707963267948966", 90),
            ("-1.57079632679", -90),
            ("1.5708", 90),
            ("1.5707", 90),
            ("1.571", 90),
            ("1.57", 90),
            ("3.14", 180),
            ("3.1416", 180),
            ("-4.71238898038", -270),
            ("0.7854", 45),
            ("0.698132", 40),
            ("1.0471975511965976", 60),
            ("0", 0),
        ] {
            assert_eq!(meant(&of(written)), Some(degrees), "{written}");
        }
        for other in [
            "1.58",
            "1.6",
            "2",
            "0.79",
            "0.785",
            "1.5709",
            "0.3",
            "1.06465",
            "1e-9",
            "1.57079632680001",
        ] {
            assert_eq!(meant(&of(other)), None, "{other}");
        }
    }

    #[test]
    fn quaternions_of_right_angles_are_right_angles() {
        let turn = |parts: [&str; 4]| Turn::quaternion(parts.map(of));
        let quarter =
            |axis, degrees| Turn::Body(vec![(axis, Angle::Degrees(Decimal::whole(degrees)))]);
        assert_eq!(turn(["1", "0", "0", "0"]), Turn::None);
        assert_eq!(
            turn(["0.707107", "0", "0", "-0.707107"]),
            quarter(Axis::Z, -90)
        );
        assert_eq!(turn(["-0.7", "0.7", "0", "0"]), quarter(Axis::X, -90));
        assert_eq!(turn(["0", "0", "-2", "0"]), quarter(Axis::Y, -180));
    }

    #[test]
    fn all_forms_are_the_same_rotation() {
        // Rz(0.3) Ry(-0.2) Rx(0.5), entries from the product written out by hand.
        let steps = |order: [usize; 3]| {
            let all = [
                (Axis::X, Angle::Radians(of("0.5"))),
                (Axis::Y, Angle::Radians(of("-0.2"))),
                (Axis::Z, Angle::Radians(of("0.3"))),
            ];
            order.map(|i| all[i].clone()).to_vec()
        };
        let space = Turn::space(steps([0, 1, 2])).matrix();
        let body = Turn::body(steps([2, 1, 0])).matrix();
        let again = Turn::matrix_of(&space).matrix();
        let (c, s) = (f64::cos, f64::sin);
        let by_hand = [
            [
                c(0.3) * c(0.2),
                -s(0.3) * c(0.5) + c(0.3) * -s(0.2) * s(0.5),
            ],
            [s(0.3) * c(0.2), c(0.3) * c(0.5) + s(0.3) * -s(0.2) * s(0.5)],
            [s(0.2), c(0.2) * s(0.5)],
        ];
        for i in 0..3 {
            for j in 0..3 {
                assert!((space[i][j] - body[i][j]).abs() < 1e-15);
                assert!((space[i][j] - again[i][j]).abs() < 1e-15);
            }
            for j in 0..2 {
                assert!((space[i][j] - by_hand[i][j]).abs() < 1e-15, "{i} {j}");
            }
        }
    }
}
