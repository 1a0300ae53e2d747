//! What can be chosen about an import. Knows nothing of files.

use super::decimal::Decimal;
use super::robot::Held;
use super::turn::Angle;

/// How the root of the tree is fastened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// It is the ground.
    #[default]
    Fixed,
    /// It moves, its attitude a quaternion.
    FreeQuaternion,
    /// It moves, its attitude three angles: yaw, pitch and roll.
    FreeEuler,
}

/// The choices.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How the root is fastened; `None` as the file says, or else fixed.
    pub base: Option<Base>,
    /// Joints that do not move.
    pub locks: Vec<Lock>,
    /// Significant digits that numbers keep; all of them without.
    pub decimals: Option<usize>,
    /// Whether angles stay the decimals that they are.
    pub keep_angles: bool,
    /// What names of files begin with that hold parts; without it limbs that are equal but for numbers stay written out.
    pub parts: Option<String>,
}

/// Joints by a pattern, and where they are held.
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    /// The pattern as it was given.
    pub pattern: String,
    value: Decimal,
    degrees: bool,
}

impl Lock {
    /// From `pattern=value`, such as `finger.*=0` or `wheel_*=30 [deg]`.
    pub fn read(text: &str) -> Result<Self, String> {
        let told = "write --lock 'PATTERN=VALUE', such as 'finger*=0' or 'elbow=30 [deg]'";
        let (pattern, value) = text
            .rsplit_once('=')
            .ok_or_else(|| format!("`{text}` has no `=`: {told}"))?;
        let (pattern, value) = (pattern.trim(), value.trim());
        if pattern.is_empty() {
            return Err(format!("`{text}` has no pattern before the `=`: {told}"));
        }
        let (number, degrees) = match value.strip_suffix("[deg]") {
            Some(number) => (number.trim(), true),
            None => (value, false),
        };
        let value = Decimal::read(number)
            .map_err(|why| format!("`{value}` in `{text}` is {}: {told}", why.said()))?;
        Ok(Self {
            pattern: pattern.to_owned(),
            value,
            degrees,
        })
    }

    /// Whether it means a joint of this name.
    pub fn matches(&self, name: &str) -> bool {
        let pattern: Vec<char> = self.pattern.replace(".*", "*").chars().collect();
        let name: Vec<char> = name.chars().collect();
        glob(&pattern, &name)
    }

    /// The value for a joint that turns, or one that slides.
    pub fn held(&self, turns: bool) -> Held {
        let value = self.value.clone();
        match (turns, self.degrees) {
            (true, true) => Held::Angle(Angle::Degrees(value)),
            (true, false) => Held::Angle(Angle::Radians(value)),
            (false, _) => Held::Distance(value),
        }
    }

    /// Whether the value is an angle in degrees.
    pub fn in_degrees(&self) -> bool {
        self.degrees
    }
}

/// `*` stands for any characters, `?` for one.
fn glob(pattern: &[char], name: &[char]) -> bool {
    // The last star, and how much of the name it has taken.
    let mut star: Option<(usize, usize)> = None;
    let (mut p, mut n) = (0, 0);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_names() {
        for (pattern, name, expected) in [
            ("finger*", "finger_1", true),
            ("finger.*", "finger_1", true),
            ("*finger", "left_finger", true),
            ("*_f*_1", "left_finger_1", true),
            ("f?nger", "finger", true),
            ("finger", "finger_1", false),
            ("*_2", "finger_1", false),
            ("", "x", false),
            ("*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            let lock = Lock::read(&format!("{pattern}=0"));
            let found = lock.is_ok_and(|lock| lock.matches(name));
            assert_eq!(found, expected, "{pattern} {name}");
        }
    }

    #[test]
    fn values_are_numbers() {
        let lock = Lock::read("a=30 [deg]").unwrap();
        assert_eq!(
            lock.held(true),
            Held::Angle(Angle::Degrees(Decimal::whole(30)))
        );
        for bad in ["a", "=1", "a=", "a=x", "a=nan"] {
            let said = Lock::read(bad).unwrap_err();
            assert!(said.contains("--lock"), "{said}");
        }
    }
}
