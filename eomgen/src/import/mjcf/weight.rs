//! What the compiler's settings do to masses: a total that they are scaled to, and bounds, which are refused where they would change something.
//! Knows masses alone.

use roxmltree::Node;

use super::super::decimal::Decimal;
use super::super::robot::{Link, Mass};
use super::super::turn::{Matrix, product, turned};
use super::super::xml;
use super::{Reader, WRITTEN_OUT};
use crate::diag::codes::import::E0603;

/// Looks at all settings, and scales.
pub fn settle(reader: &mut Reader, root: Node) {
    for node in xml::children(root, "compiler") {
        let number = |name, reader: &mut Reader| {
            let found = xml::number(node, name, reader.findings);
            found.map(|number| number.to_double()).unwrap_or_default()
        };
        let least = number("boundmass", reader);
        let light = |body: &Body| body.mass < least;
        refuse(reader, node, "boundmass", least > 0.0, &light);
        let least = number("boundinertia", reader);
        let thin =
            |body: &Body| !body.positive(|_, entry, own| if own { entry - least } else { entry });
        refuse(reader, node, "boundinertia", least > 0.0, &thin);
        // No moment exceeds the sum of the others.
        let odd = |body: &Body| {
            !body.positive(|trace, entry, own| if own { trace / 2.0 - entry } else { -entry })
        };
        let balanced = node.attribute("balanceinertia") == Some("true");
        refuse(reader, node, "balanceinertia", balanced, &odd);
        let total = number("settotalmass", reader);
        if total > 0.0 {
            scale(reader, total);
        }
    }
}

/// A setting that would change a body.
fn refuse(reader: &mut Reader, node: Node, name: &str, set: bool, changes: &dyn Fn(&Body) -> bool) {
    if !set {
        return;
    }
    let found = reader
        .robot
        .links
        .iter()
        .skip(1)
        .find(|link| changes(&Body::of(link)));
    let Some(body) = found.map(|link| link.name.clone()) else {
        return;
    };
    reader.findings.error(
        E0603,
        format!("the setting `{name}` changes `{body}`, which is not read"),
        xml::value_place(node, name),
        "it changes masses or moments of inertia",
        format!("give the body an `inertial` within the bounds; {WRITTEN_OUT}"),
    );
}

/// Scales all masses so that they are a total.
fn scale(reader: &mut Reader, total: f64) {
    let masses = reader
        .robot
        .links
        .iter()
        .skip(1)
        .flat_map(|link| &link.masses);
    let sum: f64 = masses.map(|mass| mass.mass.to_double()).sum();
    if sum <= 0.0 {
        return;
    }
    let scaled = |number: &Decimal| Decimal::of_double(number.to_double() * total / sum);
    for mass in reader
        .robot
        .links
        .iter_mut()
        .skip(1)
        .flat_map(|link| &mut link.masses)
    {
        mass.mass = scaled(&mass.mass);
        mass.inertia = mass.inertia.each_ref().map(scaled);
    }
}

/// The whole of what a body weighs, about its mass centre.
struct Body {
    mass: f64,
    inertia: Matrix,
}

impl Body {
    fn of(link: &Link) -> Self {
        let mass = |of: &Mass| of.mass.to_double();
        let place = |of: &Mass| of.centre.each_ref().map(Decimal::to_double);
        let total: f64 = link.masses.iter().map(mass).sum();
        let mut centre = [0.0; 3];
        for of in &link.masses {
            let (m, at) = (mass(of), place(of));
            centre = std::array::from_fn(|i| centre[i] + m * at[i] / total.max(f64::MIN_POSITIVE));
        }
        let mut inertia = [[0.0; 3]; 3];
        for of in &link.masses {
            let [xx, yy, zz, xy, yz, zx] = of.inertia.each_ref().map(Decimal::to_double);
            let own = [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]];
            let turn = of.turn.matrix();
            let back: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| turn[j][i]));
            let seen = product(&product(&turn, &own), &back);
            let at = place(of);
            let r: [f64; 3] = std::array::from_fn(|i| at[i] - centre[i]);
            let square: f64 = r.iter().map(|x| x * x).sum();
            for i in 0..3 {
                for j in 0..3 {
                    let steiner = if i == j { square } else { 0.0 } - r[i] * r[j];
                    inertia[i][j] += seen[i][j] + mass(of) * steiner;
                }
            }
        }
        Self {
            mass: total,
            inertia,
        }
    }

    /// Whether a matrix made of the inertia, entry by entry from the trace, has no negative principal value, but for rounding.
    fn positive(&self, entry: impl Fn(f64, f64, bool) -> f64) -> bool {
        let trace: f64 = (0..3).map(|i| self.inertia[i][i]).sum();
        let m: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| entry(trace, self.inertia[i][j], i == j))
        });
        let little = 1e-9 * trace;
        let minor = |i: usize, j: usize| m[i][i] * m[j][j] - m[i][j] * m[j][i];
        let column = |k: usize| [m[0][k], m[1][k], m[2][k]];
        let [a, b] = [column(0), column(1)];
        let across = [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ];
        let whole = turned(&[across, [0.0; 3], [0.0; 3]], &column(2))[0];
        (0..3).all(|i| m[i][i] >= -little)
            && [(0, 1), (1, 2), (0, 2)]
                .iter()
                .all(|(i, j)| minor(*i, *j) >= -little * trace)
            && whole >= -little * trace * trace
    }
}
