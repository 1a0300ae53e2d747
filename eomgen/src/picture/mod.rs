//! Motions to look at: plots as SVG, and a page that shows the machine move.
//!
//! It knows machines and their motions and nothing of how either came about.

mod animation;
mod chart;
mod page;
mod plot;
mod shape;
mod sheet;

pub use animation::{Animation, animation};
pub use chart::{Axes, Dots, chart};
pub use page::{Page, page, reload};
pub use plot::{Curve, Plot, plots};
pub use sheet::sheet;
