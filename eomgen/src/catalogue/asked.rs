//! Quantities as they are asked for: by a name, and by the point or the frame that they are of, `jacobian(P)`. Knows how they are spelled; which points a model
//! has is not known here.

use super::{Place, Quantity, all, output};

/// A quantity that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Which one.
    pub quantity: &'static Quantity,
    /// Of what: names of the model, as many as the quantity takes.
    pub places: Vec<String>,
}

/// Why a word asks for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misread {
    /// There is no quantity of that name.
    Unknown(String),
    /// The quantity takes something else in parentheses.
    Place(&'static Quantity),
}

impl Place {
    /// How a quantity of this kind is asked for.
    pub fn example(self, name: &str) -> String {
        match self {
            Self::Machine => name.to_owned(),
            Self::Point => format!("{name}(POINT)"),
            Self::Frame => format!("{name}(FRAME)"),
            Self::Pose => format!("{name}(FRAME, POINT)"),
            Self::Either => format!("{name}(POINT)"),
            Self::Inputs => format!("{name}(INPUT, ...)"),
        }
    }

    /// Whether so many names are right.
    fn takes(self, names: usize) -> bool {
        match self {
            Self::Machine => names == 0,
            Self::Point | Self::Frame => names == 1,
            // A rigid body is both.
            Self::Pose | Self::Either => names == 1 || names == 2,
            Self::Inputs => names > 0,
        }
    }
}

impl Asked {
    /// Reads `mass_center`, `jacobian(P)`, `pose(B, P)`.
    ///
    /// # Errors
    /// Why the word asks for nothing.
    pub fn read(word: &str) -> Result<Self, Misread> {
        let word = word.trim();
        let (name, places) = match word.split_once('(') {
            None => (word, Vec::new()),
            Some((name, rest)) => {
                let inside = rest.strip_suffix(')');
                let inside = inside.ok_or_else(|| Misread::Unknown(word.to_owned()))?;
                (name.trim_end(), split(inside))
            }
        };
        let quantity = output(name).ok_or_else(|| Misread::Unknown(name.to_owned()))?;
        let bracketed = word.contains('(');
        let is_right = quantity.of.takes(places.len())
            && bracketed != (quantity.of == Place::Machine)
            && places.iter().all(|place| !place.is_empty());
        if is_right {
            let places = places.into_iter().map(without_spaces).collect();
            Ok(Self { quantity, places })
        } else {
            Err(Misread::Place(quantity))
        }
    }

    /// As it is written: `jacobian(P)`.
    pub fn title(&self) -> String {
        titled(self.quantity.name, &self.places)
    }

    /// The name of the output: `jacobian_of_P`.
    pub fn output(&self) -> String {
        output_name(self.quantity.name, &self.places)
    }
}

/// What to write of a quantity that is asked for of too little or too much.
pub fn usage(quantity: &Quantity) -> String {
    let name = quantity.name;
    match quantity.of {
        Place::Machine => format!("`{name}` is written without parentheses"),
        place @ Place::Either => format!(
            "say of what `{name}` is asked for: `{}` or `{}`",
            place.example(name),
            Place::Pose.example(name)
        ),
        place => format!(
            "say of what `{name}` is asked for: `{}`",
            place.example(name)
        ),
    }
}

/// `jacobian(P)`
pub fn titled(name: &str, places: &[String]) -> String {
    if places.is_empty() {
        name.to_owned()
    } else {
        format!("{name}({})", places.join(","))
    }
}

/// `jacobian_of_P`
pub fn output_name(name: &str, places: &[String]) -> String {
    if places.is_empty() {
        name.to_owned()
    } else {
        format!("{name}{OF}{}", places.join("_"))
    }
}

/// What stands between the name of a quantity and what it is of, in the name of a function.
pub const OF: &str = "_of_";

/// The quantity that a function of this name computes, if it is of a point or a frame.
pub fn of_function(name: &str) -> Option<&'static Quantity> {
    let (quantity, _) = name.split_once(OF)?;
    all().find(|q| q.name == quantity && q.of != Place::Machine)
}

/// The words of a list between commas, those within parentheses and brackets left whole.
pub fn split(list: &str) -> Vec<&str> {
    let (mut words, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                words.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(list[start..].trim());
    words
}

/// A word without the spaces that somebody put into it.
pub fn without_spaces(word: &str) -> String {
    word.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        let asked = Asked::read(" jacobian( left.q[1, 2] )").unwrap();
        assert_eq!(asked.places, ["left.q[1,2]"]);
        assert_eq!(asked.title(), "jacobian(left.q[1,2])");
        assert_eq!(asked.output(), "jacobian_of_left.q[1,2]");
        let both = Asked::read("pose(B, P)").unwrap();
        assert_eq!(both.title(), "pose(B,P)");
        assert_eq!(of_function("pose_of_B_P").map(|q| q.name), Some("pose"));
        assert_eq!(of_function("mass_center"), None);
        assert_eq!(of_function("centre_of_mass"), None);
    }

    #[test]
    fn what_asks_for_nothing_is_told() {
        let said = |word: &str| match Asked::read(word) {
            Err(Misread::Place(quantity)) => usage(quantity),
            Err(Misread::Unknown(name)) => name,
            Ok(asked) => asked.title(),
        };
        assert_eq!(said("jacobain(P)"), "jacobain");
        assert_eq!(
            said("jacobian"),
            "say of what `jacobian` is asked for: `jacobian(POINT)`"
        );
        assert_eq!(said("jacobian(P, Q)"), said("jacobian"));
        assert_eq!(said("jacobian()"), said("jacobian"));
        assert_eq!(
            said("mass_center(P)"),
            "`mass_center` is written without parentheses"
        );
        assert_eq!(said("jacobian(P"), "jacobian(P");
    }

    #[test]
    fn lists_are_split_outside_of_parentheses() {
        assert_eq!(split("a, pose(B, P),c"), ["a", "pose(B, P)", "c"]);
        assert_eq!(split("a"), ["a"]);
    }
}
