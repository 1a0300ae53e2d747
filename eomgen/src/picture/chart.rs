//! Points over a quantity, or in a plane, as SVG.

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

/// Points with a name.
pub struct Dots {
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// Whether a line joins them.
    pub joined: bool,
}

/// A pair of axes.
pub struct Axes {
    /// What the horizontal axis is.
    pub x: String,
    /// What the vertical axis is.
    pub y: String,
    /// Whether the horizontal axis is logarithmic.
    pub logarithmic: bool,
    /// What is drawn.
    pub dots: Vec<Dots>,
}

const WIDTH: u32 = 720;
const HEIGHT: u32 = 300;
const COLOUR: RGBColor = RGBColor(37, 99, 235);

/// Charts below each other.
///
/// # Errors
/// What the library for plots says.
pub fn chart(title: &str, list: &[Axes]) -> Result<String, String> {
    let mut text = String::new();
    {
        let count = list.len().max(1);
        let height = HEIGHT * count as u32 + 30;
        let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        let failed = |e: DrawingAreaErrorKind<_>| e.to_string();
        root.fill(&WHITE).map_err(failed)?;
        let area = root.titled(title, ("sans-serif", 17)).map_err(failed)?;
        for (axes, area) in list.iter().zip(area.split_evenly((count, 1))) {
            let x = bounds(axes, |p| p.0);
            let drawn = if axes.logarithmic {
                one(axes, &area, (x.0..x.1).log_scale())
            } else {
                let wide = 0.02 * (x.1 - x.0);
                one(axes, &area, x.0 - wide..x.1 + wide)
            };
            drawn.map_err(|e| e.to_string())?;
        }
        root.present().map_err(|e| e.to_string())?;
    }
    Ok(text.replacen("<svg ", "<!-- a linear model by eomgen -->\n<svg ", 1))
}

fn bounds(axes: &Axes, of: impl Fn(&(f64, f64)) -> f64) -> (f64, f64) {
    let points = axes.dots.iter().flat_map(|d| &d.points).map(of);
    let finite = points.filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
        (a.min(x), b.max(x))
    });
    if low < high {
        (low, high)
    } else if low.is_finite() {
        (low - 1.0, low + 1.0)
    } else {
        (0.0, 1.0)
    }
}

fn one<B: DrawingBackend, X>(
    axes: &Axes,
    area: &DrawingArea<B, plotters::coord::Shift>,
    x: X,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>>
where
    X: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let (low, high) = bounds(axes, |p| p.1);
    let wide = 0.05 * (high - low);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(72)
        .build_cartesian_2d(x, low - wide..high + wide)?;
    chart
        .configure_mesh()
        .x_desc(axes.x.as_str())
        .y_desc(axes.y.as_str())
        .light_line_style(WHITE)
        .draw()?;
    for dots in &axes.dots {
        let finite = |p: &&(f64, f64)| p.0.is_finite() && p.1.is_finite();
        let points = dots.points.iter().filter(finite).copied();
        if dots.joined {
            chart.draw_series(LineSeries::new(points, COLOUR.stroke_width(2)))?;
        } else {
            chart.draw_series(points.map(|p| Circle::new(p, 1, COLOUR.filled())))?;
        }
    }
    Ok(())
}
