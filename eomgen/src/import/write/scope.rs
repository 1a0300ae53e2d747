//! What the links of a file are called in it, while it is written. Knows names alone.

use std::collections::BTreeMap;

use super::names::Names;

/// Names by link.
#[derive(Debug, Default)]
pub struct Scope {
    /// All names of the file.
    pub names: Names,
    /// Frame of each link.
    pub frames: BTreeMap<usize, String>,
    /// Origin of each link's frame.
    pub points: BTreeMap<usize, String>,
    /// Coordinates of each joint, by link and position.
    pub coordinates: BTreeMap<(usize, usize), Vec<String>>,
    /// The rate by which Coulomb friction is smoothed, where there is any.
    pub slip: Option<String>,
}

impl Scope {
    /// The frame of a link.
    pub fn frame(&self, link: usize) -> String {
        self.frames
            .get(&link)
            .cloned()
            .unwrap_or_else(|| "N".to_owned())
    }

    /// The origin of a link's frame.
    pub fn point(&self, link: usize) -> String {
        self.points
            .get(&link)
            .cloned()
            .unwrap_or_else(|| "O".to_owned())
    }

    /// The name of the rate by which Coulomb friction is smoothed.
    pub fn slip(&mut self) -> String {
        if let Some(name) = &self.slip {
            return name.clone();
        }
        let name = self.names.own("v_slip");
        self.slip = Some(name.clone());
        name
    }

    /// The one coordinate of a joint.
    pub fn coordinate(&self, joint: (usize, usize)) -> Option<&str> {
        match self.coordinates.get(&joint).map(Vec::as_slice) {
            Some([name]) => Some(name),
            _ => None,
        }
    }
}
