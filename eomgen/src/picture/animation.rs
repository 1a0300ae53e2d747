//! The machine in motion as one SVG that plays by itself, for books and web pages: shapes are outlines whose corners are animated, and the
//! path of one point stays. What it looks like before it plays, and where nothing is played, is its first moment with that path.

use std::fmt::Write as _;

use super::shape::Shape;
use crate::machine::Machine;
use crate::machine::scene::DrawnShape;
use crate::simulate::Record;

type Vec3 = [f64; 3];

/// Moments that are drawn; between them corners move on straight lines.
const MOMENTS: usize = 60;
/// Points of the path.
const PATH: usize = 400;
/// By how much the path of another body has to be larger than that of the last one to be shown in its place.
const MUCH_FARTHER: f64 = 3.0;
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 24.0;
const COLOURS: [&str; 8] = [
    "#2563eb", "#c2410c", "#0f8a5f", "#9333ea", "#b45309", "#0e7490", "#be185d", "#4d7c0f",
];

/// What is drawn.
pub struct Animation<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Its motion.
    pub record: &'a Record,
    /// Masses and inertias.
    pub inertias: &'a [f64],
    /// Sizes of what the model asks to be drawn.
    pub sizes: &'a [f64],
}

/// Points, axes of frames, and axes of cylinders at a moment.
struct Pose {
    points: Vec<Vec3>,
    frames: Vec<[Vec3; 3]>,
    axes: Vec<Vec3>,
}

/// Corners at a moment, seen from the front; an outline is drawn around them, or a line through them.
struct Figure {
    corners: Vec<Vec3>,
    outline: bool,
    style: String,
}

/// Where it is seen from.
struct View {
    right: Vec3,
    up: Vec3,
    middle: [f64; 2],
    scale: f64,
}

/// The SVG.
pub fn animation(of: &Animation<'_>) -> String {
    let rows = of.record.places.len();
    let picks = |count: usize| -> Vec<usize> {
        let last = rows.saturating_sub(1);
        let count = count.min(rows.max(1));
        let at = |i: usize| (i * last) / count.saturating_sub(1).max(1);
        (0..count).map(at).collect()
    };
    let poses: Vec<Pose> = picks(MOMENTS).into_iter().map(|i| of.pose(i)).collect();
    let moments: Vec<Vec<Figure>> = poses.iter().map(|pose| of.figures(pose)).collect();
    let along: Vec<Pose> = picks(PATH).into_iter().map(|i| of.pose(i)).collect();
    let followed = of.followed(&along);
    let path: Vec<Vec3> = along.iter().map(|pose| pose.points[followed]).collect();
    let up = of.up();
    let view = View::of(&moments, &path, up);
    let time = |row: &Vec<f64>| row[0];
    let (first, last) = (
        of.record.rows.first().map(time),
        of.record.rows.last().map(time),
    );
    let seconds = (last.unwrap_or(1.0) - first.unwrap_or(0.0)).max(0.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n",
        super::page::escaped(&of.machine.name)
    );
    let seen: Vec<[f64; 2]> = path.iter().map(|p| view.project(*p)).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#e11d48\" stroke-width=\"1\" stroke-opacity=\"0.45\"/>",
        text(&seen)
    );
    let count = moments.first().map_or(0, Vec::len);
    for i in 0..count {
        let figures: Vec<&Figure> = moments.iter().filter_map(|all| all.get(i)).collect();
        view.write(&figures, seconds, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

impl Animation<'_> {
    fn pose(&self, row: usize) -> Pose {
        let scene = &self.machine.scene;
        let empty = Vec::new();
        let places = self.record.places.get(row).unwrap_or(&empty);
        let triples: Vec<Vec3> = places.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        let points = scene.points.len().max(1);
        let frames = scene.frames.len().max(1);
        let at = |i: usize| triples.get(i).copied().unwrap_or([f64::NAN; 3]);
        let mut pose = Pose {
            points: vec![[0.0; 3]],
            frames: vec![[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]],
            axes: Vec::new(),
        };
        pose.points.extend((0..points - 1).map(at));
        for i in 0..frames - 1 {
            let first = points - 1 + 3 * i;
            pose.frames.push([at(first), at(first + 1), at(first + 2)]);
        }
        let rest = points - 1 + 3 * (frames - 1);
        pose.axes.extend((rest..triples.len()).map(at));
        pose
    }

    /// The point whose path is shown: the mass centre of the last body, or of the one that goes farthest where that is much farther.
    fn followed(&self, along: &[Pose]) -> usize {
        let scene = &self.machine.scene;
        let extent = |point: usize| {
            let of_axis = |axis: usize| {
                let places = along.iter().map(|pose| pose.points[point][axis]);
                let (low, high) = places.fold((f64::MAX, f64::MIN), |(low, high), x| {
                    (low.min(x), high.max(x))
                });
                high - low
            };
            let sizes = [0, 1, 2].map(of_axis);
            sizes.iter().map(|size| size * size).sum::<f64>().sqrt()
        };
        let Some(last) = scene.bodies.last().map(|body| body.center) else {
            return scene.points.len().saturating_sub(1);
        };
        let centers = scene.bodies.iter().map(|body| body.center);
        let farthest = centers.max_by(|a, b| extent(*a).total_cmp(&extent(*b)));
        let farther = |point: &usize| extent(*point) > MUCH_FARTHER * extent(last);
        farthest.filter(farther).unwrap_or(last)
    }

    fn up(&self) -> Option<Vec3> {
        let rest = self.inertias.get(10 * self.machine.scene.bodies.len()..)?;
        let up: Vec3 = rest.try_into().ok()?;
        Some(unit(up))
    }

    /// What is drawn at a moment, the same list at each.
    fn figures(&self, pose: &Pose) -> Vec<Figure> {
        let scene = &self.machine.scene;
        let mut all = Vec::new();
        let line = |corners: Vec<Vec3>, colour: &str, width: f64| Figure {
            corners,
            outline: false,
            style: format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
            ),
        };
        for l in &scene.lines {
            let (colour, width) = match l.frame {
                Some(_) => ("#64748b", 3.0),
                None => ("#cbd5e1", 1.5),
            };
            let corners = vec![pose.points[l.from], pose.points[l.to]];
            all.push(line(corners, colour, width));
        }
        let solid = |corners: Vec<Vec3>, colour: &str| Figure {
            corners,
            outline: true,
            style: format!(
                "fill=\"{colour}\" fill-opacity=\"0.3\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-linejoin=\"round\""
            ),
        };
        let mut sizes = self.sizes.iter().copied();
        for drawn in &scene.drawings {
            let colour = drawn.color.as_deref().unwrap_or("#64748b");
            let size: Vec<f64> = sizes.by_ref().take(drawn.shape.sizes()).collect();
            match &drawn.shape {
                DrawnShape::Line { through } => {
                    let corners = through.iter().map(|i| pose.points[*i]).collect();
                    all.push(line(corners, colour, 3.0));
                }
                DrawnShape::Box { center, frame } => {
                    let corners = brick(pose.points[*center], &pose.frames[*frame], &size);
                    all.push(solid(corners, colour));
                }
                DrawnShape::Sphere { center } => {
                    all.push(solid(globe(pose.points[*center], size[0]), colour));
                }
                DrawnShape::Cylinder { center, axis } => {
                    let axis = pose.axes.get(*axis).copied().unwrap_or([0.0, 0.0, 1.0]);
                    let corners = drum(pose.points[*center], unit(axis), size[0], size[1]);
                    all.push(solid(corners, colour));
                }
            }
        }
        let numbers = self.inertias.chunks(10);
        for (i, (body, numbers)) in scene.bodies.iter().zip(numbers).enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let center = pose.points[body.center];
            let axes = body.frame.map(|f| pose.frames[f]);
            match (Shape::of(numbers), axes) {
                (Shape::Box { size }, Some(axes)) => {
                    all.push(solid(brick(center, &axes, &size), colour));
                }
                (Shape::Cylinder { size, along }, Some(axes)) => {
                    let corners = drum(center, axes[along], size[0], size[1]);
                    all.push(solid(corners, colour));
                    let rim = add(center, axes[(along + 1) % 3], size[0]);
                    all.push(line(vec![center, rim], colour, 1.5));
                }
                (Shape::Ball { size: [r] }, Some(axes)) => {
                    all.push(Figure {
                        corners: vec![center, add(center, axes[0], r)],
                        ..line(Vec::new(), colour, 1.5)
                    });
                    all.push(dot_of(center, colour, 5.0));
                }
                _ => all.push(dot_of(center, colour, 9.0)),
            }
        }
        all
    }
}

/// A point as a line without length, whose round end is a disc.
fn dot_of(center: Vec3, colour: &str, width: f64) -> Figure {
    Figure {
        corners: vec![center, center],
        outline: false,
        style: format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\""
        ),
    }
}

fn add(a: Vec3, b: Vec3, s: f64) -> Vec3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn unit(a: Vec3) -> Vec3 {
    let length = dot(a, a).sqrt();
    if length > 0.0 {
        a.map(|x| x / length)
    } else {
        [0.0, 0.0, 1.0]
    }
}

/// Any direction at right angles to another one.
fn beside(n: Vec3) -> Vec3 {
    let other = if n[0].abs() < 0.9 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    unit(cross(n, other))
}

fn brick(center: Vec3, axes: &[Vec3; 3], size: &[f64]) -> Vec<Vec3> {
    let corner = |k: usize| {
        (0..3).fold(center, |at, j| {
            let side = if k >> j & 1 == 0 { -0.5 } else { 0.5 };
            add(at, axes[j], side * size[j])
        })
    };
    (0..8).map(corner).collect()
}

#[allow(
    clippy::disallowed_methods,
    reason = "a picture, rounded to a tenth of a unit"
)]
fn drum(center: Vec3, axis: Vec3, radius: f64, height: f64) -> Vec<Vec3> {
    let (a, count) = (beside(axis), 16);
    let b = cross(axis, a);
    let rim = |i: usize| {
        let angle = std::f64::consts::TAU * (i % count) as f64 / count as f64;
        let side = if i < count { -0.5 } else { 0.5 };
        let at = add(center, axis, side * height);
        add(add(at, a, radius * angle.cos()), b, radius * angle.sin())
    };
    (0..2 * count).map(rim).collect()
}

/// Points all over a sphere, close enough for its outline to be round: circles of latitude from pole to pole.
#[expect(
    clippy::disallowed_methods,
    reason = "a picture, rounded to a tenth of a unit"
)]
fn globe(center: Vec3, radius: f64) -> Vec<Vec3> {
    let (circles, count) = (9, 16);
    let point = |i: usize| {
        let up = std::f64::consts::PI * ((i / count) as f64 / (circles - 1) as f64 - 0.5);
        let around = std::f64::consts::TAU * (i % count) as f64 / count as f64;
        let across = radius * up.cos();
        let level = add(center, [0.0, 0.0, 1.0], radius * up.sin());
        add(level, [around.cos(), around.sin(), 0.0], across)
    };
    (0..circles * count).map(point).collect()
}

impl View {
    /// From the front of what moves in a plane, else from above at an angle; everything fits.
    fn of(moments: &[Vec<Figure>], path: &[Vec3], up: Option<Vec3>) -> Self {
        let figures = moments.iter().flatten();
        let corners = figures.flat_map(|f| f.corners.iter()).chain(path);
        let corners: Vec<Vec3> = corners
            .copied()
            .filter(|p| p.iter().all(|x| x.is_finite()))
            .collect();
        let range = |along: Vec3| {
            let values = corners.iter().map(|p| dot(*p, along));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            })
        };
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let extents = axes.map(|axis| {
            let (low, high) = range(axis);
            high - low
        });
        let largest = extents.iter().fold(0.0, |m: f64, x| m.max(*x));
        let flat = (0..3).find(|j| extents[*j] <= 1e-6 * largest);
        let up = up.unwrap_or(match flat {
            Some(2) => [0.0, 1.0, 0.0],
            _ => [0.0, 0.0, 1.0],
        });
        let back = match flat.map(|j| axes[j]) {
            Some(normal) if dot(normal, up).abs() < 0.1 => {
                let toward = if normal[1] > 0.5 { -1.0 } else { 1.0 };
                normal.map(|x| toward * x)
            }
            _ => {
                let side = beside(up);
                let level = add(side.map(|x| 0.5 * x), cross(side, up), 0.87);
                unit(add(level, up, 0.45))
            }
        };
        let right = unit(cross(up, back));
        let up = cross(back, right);
        let ((left, far), (low, high)) = (range(right), range(up));
        let wide = (far - left).max(1e-9);
        let tall = (high - low).max(1e-9);
        Self {
            right,
            up,
            middle: [(left + far) / 2.0, (low + high) / 2.0],
            scale: ((WIDTH - 2.0 * MARGIN) / wide).min((HEIGHT - 2.0 * MARGIN) / tall),
        }
    }

    fn project(&self, p: Vec3) -> [f64; 2] {
        [
            WIDTH / 2.0 + self.scale * (dot(p, self.right) - self.middle[0]),
            HEIGHT / 2.0 - self.scale * (dot(p, self.up) - self.middle[1]),
        ]
    }

    /// A figure in all moments.
    fn write(&self, figures: &[&Figure], seconds: f64, out: &mut String) {
        let Some(first) = figures.first() else {
            return;
        };
        let seen = |figure: &&Figure| -> Vec<[f64; 2]> {
            let points: Vec<[f64; 2]> = figure.corners.iter().map(|p| self.project(*p)).collect();
            if figure.outline { hull(points) } else { points }
        };
        let mut all: Vec<Vec<[f64; 2]>> = figures.iter().map(seen).collect();
        // What has no place for a moment stays where it was.
        for i in 0..all.len() {
            let known = all[i].iter().flatten().all(|x| x.is_finite());
            if !known {
                all[i] = if i > 0 {
                    all[i - 1].clone()
                } else {
                    Vec::new()
                };
            }
        }
        // As many corners at all times: the last one stands for those that are missing.
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        for points in &mut all {
            let last = points.last().copied().unwrap_or([0.0; 2]);
            points.resize(most, last);
        }
        let texts: Vec<String> = all.iter().map(|points| text(points)).collect();
        let element = if first.outline { "polygon" } else { "polyline" };
        let (start, style) = (texts.first().map_or("", String::as_str), &first.style);
        let still = texts.iter().all(|text| text == start);
        if still {
            let _ = writeln!(out, "<{element} points=\"{start}\" {style}/>");
            return;
        }
        let _ = writeln!(
            out,
            "<{element} points=\"{start}\" {style}><animate attributeName=\"points\" dur=\"{seconds:.3}s\" repeatCount=\"indefinite\" values=\"{}\"/></{element}>",
            texts.join(";")
        );
    }
}

fn text(points: &[[f64; 2]]) -> String {
    let points = points
        .iter()
        .filter(|p| p[0].is_finite() && p[1].is_finite());
    let points: Vec<String> = points.map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect();
    points.join(" ")
}

/// The convex outline, by Andrew's monotone chain.
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    if !points.iter().flatten().all(|x| x.is_finite()) {
        return points;
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| {
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while let [.., a, b] = chain.as_slice()
                && turn(*a, *b, p) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_leaves_out_what_is_inside() {
        let square = [[0.0, 0.0], [1.0, 1.0], [0.5, 0.4], [1.0, 0.0], [0.0, 1.0]];
        let expected = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(hull(square.to_vec()), expected);
    }

    #[test]
    fn corners_of_shapes_are_where_geometry_has_them() {
        let axes = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let corners = brick([1.0, 2.0, 3.0], &axes, &[2.0, 4.0, 6.0]);
        assert_eq!(corners[0], [3.0, 1.0, 0.0]);
        assert_eq!(corners[7], [-1.0, 3.0, 6.0]);
        for p in drum([0.0; 3], [0.0, 0.0, 1.0], 2.0, 3.0) {
            assert!((p[0].hypot(p[1]) - 2.0).abs() < 1e-12 && p[2].abs() == 1.5);
        }
    }

    /// All corners are on the sphere, and whatever side one looks from, some come within four hundredths of its edge.
    #[test]
    fn a_sphere_is_round_from_every_side() {
        let (center, radius) = ([1.0, -2.0, 0.5], 3.0);
        let arms: Vec<Vec3> = globe(center, radius)
            .iter()
            .map(|c| add(*c, center, -1.0))
            .collect();
        for arm in &arms {
            assert!((dot(*arm, *arm).sqrt() - radius).abs() < 1e-12);
        }
        for k in 0..400 {
            // Directions all over, by the golden angle.
            let z = (f64::from(k) + 0.5) / 200.0 - 1.0;
            let (sin, cos) = (2.399_963_f64 * f64::from(k)).sin_cos();
            let across = (1.0 - z * z).sqrt();
            let way = [across * cos, across * sin, z];
            let reach = arms.iter().map(|a| dot(*a, way)).fold(0.0, f64::max);
            assert!(reach > 0.96 * radius, "{way:?}: {reach}");
        }
    }
}
