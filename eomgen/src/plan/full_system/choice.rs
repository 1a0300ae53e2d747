//! What can be chosen where the equations are written down: of each frame the components, where its inertia is put, whether its points are
//! turned, whether its accelerations are eliminated beforehand; of the whole whether the unknowns are what s' adds.

use super::axes::Axes;
use crate::solve::inertia::Share;
use std::fmt;

/// What is chosen for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) struct Frame {
    /// What is made to vanish by moving inertia; `None` where it stays as given.
    pub share: Option<Share>,
    pub axes: Axes,
    /// Whether points offset in the frame have unknowns in its components, too.
    pub twice: bool,
    /// Whether its accelerations are eliminated with their kinematic rows before anything else.
    pub condensed: bool,
}

/// What is chosen for each frame, and for the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is chosen where nothing else is.
    base: Frame,
    /// For every frame.
    pub(super) frames: Vec<Frame>,
    /// Whether the unknown accelerations are what s' adds to those at s' = 0.
    pub(super) shifted: bool,
    /// Whether constraint rows are in the accelerations of the points and frames on which their multipliers act, in place of the rates of all joints in between.
    pub(super) tied: bool,
    /// What is chosen for parts, by their names, in the order in which it was.
    parts: Vec<(String, Change)>,
}

/// Another choice for a part of the machine, in one respect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) enum Change {
    Axes(Axes),
    Share(Option<Share>),
    Twice(bool),
    Condensed,
}

impl Choice {
    /// The same for all frames.
    fn uniform(count: usize, base: Frame, shifted: bool) -> Self {
        Self {
            base,
            frames: vec![base; count],
            shifted,
            tied: false,
            parts: Vec::new(),
        }
    }

    /// All that are the same for so many frames, with rows in accelerations only where there are such. The usual ones come first.
    pub(super) fn all(count: usize, ties: bool) -> Vec<Self> {
        let mut all = Vec::new();
        let [first, axial, second] = [Share::First, Share::Axial, Share::Second].map(Some);
        for share in [first, None, axial, second] {
            for axes in [Axes::Own, Axes::Parallel, Axes::Inertial] {
                for shifted in [false, true] {
                    let base = Frame {
                        share,
                        axes,
                        twice: false,
                        condensed: false,
                    };
                    all.push(Self::uniform(count, base, shifted));
                }
            }
        }
        for share in [first, axial, second] {
            for shifted in [false, true] {
                let base = Frame {
                    share,
                    axes: Axes::Own,
                    twice: true,
                    condensed: false,
                };
                all.push(Self::uniform(count, base, shifted));
            }
        }
        let with_ties = |choice: Self| {
            let tied = (ties && choice.shifted).then(|| Self {
                tied: true,
                ..choice.clone()
            });
            [choice].into_iter().chain(tied)
        };
        all.into_iter().flat_map(with_ties).collect()
    }

    /// Whether it is worth a try on large machines. Of the others each was the best of some robot arm, by little, and of no chain.
    pub(super) fn is_usual(&self) -> bool {
        matches!(self.base.share, None | Some(Share::First))
            && (self.base.axes != Axes::Inertial || !self.shifted)
            && !self.base.twice
    }

    /// Whether parts are written in ways of their own.
    pub(in crate::plan) fn is_mixed(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The same with another choice for some frames; `None` if it is no other one.
    pub(in crate::plan) fn with(
        &self,
        name: &str,
        frames: &[usize],
        change: Change,
    ) -> Option<Self> {
        let mut other = self.clone();
        for f in frames {
            let frame = &mut other.frames[*f];
            match change {
                Change::Axes(axes) => frame.axes = axes,
                Change::Share(share) => frame.share = share,
                Change::Twice(twice) => frame.twice = twice,
                Change::Condensed => frame.condensed = true,
            }
        }
        other.parts.push((name.to_owned(), change));
        (other.frames != self.frames).then_some(other)
    }
}

impl Change {
    /// All of them, those that were most often of use first.
    pub const ALL: [Self; 10] = [
        Self::Axes(Axes::Inertial),
        Self::Axes(Axes::Own),
        Self::Axes(Axes::Parallel),
        Self::Share(None),
        Self::Share(Some(Share::First)),
        Self::Share(Some(Share::Axial)),
        Self::Share(Some(Share::Second)),
        Self::Condensed,
        Self::Twice(true),
        Self::Twice(false),
    ];
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Axes(axes) => write!(f, "in {axes}"),
            Self::Share(share) => write!(f, "with {}", place(*share)),
            Self::Twice(true) => f.write_str("with points turned"),
            Self::Twice(false) => f.write_str("without points turned"),
            Self::Condensed => f.write_str("in the rates of its joints"),
        }
    }
}

fn place(share: Option<Share>) -> &'static str {
    match share {
        None => "inertia as given",
        Some(Share::First) => "inertia moved",
        Some(Share::Second) => "inertia moved otherwise",
        Some(Share::Axial) => "inertia moved axially",
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turned = if self.base.twice {
            ", points turned"
        } else {
            ""
        };
        let from = if self.shifted { ", from s' = 0" } else { "" };
        let between = if self.tied {
            ", constraints between bodies"
        } else {
            ""
        };
        write!(
            f,
            "{}, {}{turned}{from}{between}",
            place(self.base.share),
            self.base.axes
        )?;
        for (name, change) in &self.parts {
            write!(f, ", {name} {change}")?;
        }
        Ok(())
    }
}
