//! Plots over time as SVG.

use plotters::prelude::*;

/// A curve.
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Times and values.
    pub points: Vec<(f64, f64)>,
}

/// Curves in one pair of axes.
pub struct Plot {
    /// The curves.
    pub curves: Vec<Curve>,
}

const WIDTH: u32 = 720;
const HEIGHT: u32 = 260;
const COLOURS: [RGBColor; 8] = [
    RGBColor(37, 99, 235),
    RGBColor(194, 65, 12),
    RGBColor(15, 138, 95),
    RGBColor(147, 51, 234),
    RGBColor(180, 83, 9),
    RGBColor(14, 116, 144),
    RGBColor(190, 24, 93),
    RGBColor(77, 124, 15),
];

/// Plots below each other.
///
/// # Errors
/// What the library for plots says.
pub fn plots(title: &str, list: &[Plot]) -> Result<String, String> {
    let mut text = String::new();
    {
        let height = HEIGHT * list.len().max(1) as u32 + 30;
        let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        let failed = |e: DrawingAreaErrorKind<_>| e.to_string();
        root.fill(&WHITE).map_err(failed)?;
        let area = root.titled(title, ("sans-serif", 17)).map_err(failed)?;
        for (plot, area) in list.iter().zip(area.split_evenly((list.len().max(1), 1))) {
            one(plot, &area).map_err(|e| e.to_string())?;
        }
        root.present().map_err(|e| e.to_string())?;
    }
    Ok(text.replacen("<svg ", "<!-- a motion by eomgen -->\n<svg ", 1))
}

fn one<B: DrawingBackend>(
    plot: &Plot,
    area: &DrawingArea<B, plotters::coord::Shift>,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let points = || plot.curves.iter().flat_map(|c| &c.points);
    let finite = points().filter(|p| p.1.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
        (low.min(p.1), high.max(p.1))
    });
    let (first, last) = points().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| {
        (a.min(p.0), b.max(p.0))
    });
    let (low, high) = widened(low, high);
    let (first, last) = if first < last {
        (first, last)
    } else {
        (0.0, 1.0)
    };
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(72)
        .build_cartesian_2d(first..last, low..high)?;
    let mut units: Vec<String> = plot.curves.iter().map(label).collect();
    units.dedup();
    chart
        .configure_mesh()
        .x_desc("t [s]")
        .y_desc(units.join(", "))
        .y_label_formatter(&|y| tick(*y, high - low))
        .light_line_style(WHITE)
        .draw()?;
    for (curve, colour) in plot.curves.iter().zip(COLOURS.iter().cycle()) {
        let points = curve.points.iter().copied().filter(|p| p.1.is_finite());
        let style = colour.stroke_width(2);
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(label(curve))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
    }
    if plot.curves.len() > 1 {
        let labels = chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.2))
            .draw();
        labels?;
    }
    Ok(())
}

fn label(curve: &Curve) -> String {
    match &curve.unit {
        Some(unit) => format!("{} [{unit}]", curve.name),
        None => curve.name.clone(),
    }
}

/// A range that holds the curves with some room.
fn widened(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let room = (0.05 * (high - low))
        .max(1e-9 * low.abs().max(high.abs()))
        .max(1e-12);
    (low - room, high + room)
}

const POWERS: [f64; 9] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/// As many digits as tell ten ticks apart.
fn tick(y: f64, range: f64) -> String {
    if !(1e-9..1e5).contains(&range) {
        return format!("{y:.2e}");
    }
    let digits = (0..9usize)
        .take_while(|d| range * POWERS[*d] < 20.0)
        .count();
    format!("{y:.digits$}")
}
