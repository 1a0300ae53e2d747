//! The explicit Gibbs-Appell equation as instructions: in one chart, or in the one of several whose determinant is the largest
//! at the state. The choice is made before anything is divided, so that there is one elimination, and one condition: that
//! not all determinants vanish.

use super::felt::Felt;
use super::route::Route;
use super::rows;
use crate::diag::Diagnostic;
use crate::elim;
use crate::explain::common_zero;
use crate::form::charts::{Chart, Charts, Origin};
use crate::form::{Equations, Space, explicit_gibbs_appell, regular};
use crate::ir::field::Points;
use crate::ir::{Binary, Comparison, Graph, Unary, Value};
use crate::program::posed::Posed;
use crate::program::report::undetermined;
use crate::program::rounding;
use crate::program::solved::Unknowns;
use crate::program::writer::Writer;
use crate::solve::{self, Ordering, SymmetricSystem, Unknown, UnknownKind};
use crate::sym::Expr;

/// Name of the output that says which chart is in use.
pub(in crate::program) const CHART_IN_USE: &str = "chart_in_use";

/// R, d, and which rows and columns of M and F belong to eliminated and independent accelerations: the place of each among the
/// charts in use.
struct Reduced {
    /// R by eliminated and independent acceleration.
    r: Vec<Vec<Value>>,
    d: Vec<Value>,
    chosen: Chosen,
}

/// Which chart is in use.
#[derive(Clone, Copy)]
enum Chosen {
    One,
    /// The number of the chart, from 0.
    ByIndex(Value),
}

/// q'' by the explicit Gibbs-Appell equation in the charts of the context.
pub(in crate::program) fn unknowns(
    posed: &Posed,
    w: &mut Writer<'_>,
    e: &Equations,
) -> Result<Unknowns, Vec<Diagnostic>> {
    let charts = match &posed.formulated.charts {
        Some(charts) if charts.origin != Origin::Pivoted => charts,
        _ => return Ok(rows::constrained(w, e, &e.forcing, true).0),
    };
    let reduced = match charts.list.as_slice() {
        [one] => one_chart(w, one),
        _ => several_charts(posed, w, charts),
    };
    match reduced {
        Some(reduced) => in_charts(posed, w, e, charts, &reduced),
        None => Err(undetermined(&mut w.c)),
    }
}

/// R and d of the only chart.
fn one_chart(w: &mut Writer<'_>, chart: &Chart) -> Option<Reduced> {
    let (r, d, _) = explicit_gibbs_appell::reduction(&mut w.c, chart)?;
    Some(Reduced {
        r: w.lower_rows(&r),
        d: w.lower_all(&d),
        chosen: Chosen::One,
    })
}

/// R and d of the chart with the largest determinant, by Cramer's rule.
fn several_charts(posed: &Posed, w: &mut Writer<'_>, charts: &Charts) -> Option<Reduced> {
    let (index, _) = chart_index(posed, w, charts)?;
    let a = w.c.constraints.independent_matrix();
    let b = w.c.constraints.independent_rhs();
    let rank = a.len();
    let free = a.first().map_or(0, Vec::len) - rank;
    // Numerators by chart: for each eliminated acceleration those of R, then that of d.
    let mut numerators: Vec<Vec<Vec<Value>>> = Vec::new();
    let mut determinants = Vec::new();
    for chart in &charts.list {
        let ae: Vec<Vec<Expr>> = a
            .iter()
            .map(|row| chart.eliminated.iter().map(|j| row[*j].clone()).collect())
            .collect();
        let mut by_row = Vec::with_capacity(rank);
        for x in 0..rank {
            let mut list = Vec::with_capacity(free + 1);
            for k in 0..=free {
                let mut replaced = ae.clone();
                for (i, row) in replaced.iter_mut().enumerate() {
                    row[x] = match chart.independent.get(k) {
                        Some(j) => a[i][*j].clone(),
                        None => b[i].clone(),
                    };
                }
                let n = elim::determinant(&mut w.c.alg, &replaced);
                list.push(w.lower(&n));
            }
            by_row.push(list);
        }
        numerators.push(by_row);
        let d = elim::determinant(&mut w.c.alg, &ae);
        determinants.push(w.lower(&d));
    }
    let divisor = pick(&mut w.low.graph, index, &determinants);
    w.low.graph.name(divisor, "chart_determinant");
    charts_condition(w, charts, divisor);
    let mut quotient = |x: usize, k: usize| {
        let g = &mut w.low.graph;
        let each: Vec<Value> = numerators.iter().map(|n| n[x][k]).collect();
        let top = pick(g, index, &each);
        g.div(top, divisor)
    };
    let r = (0..rank)
        .map(|x| (0..free).map(|k| quotient(x, k)).collect())
        .collect();
    let d = (0..rank).map(|x| quotient(x, free)).collect();
    Some(Reduced {
        r,
        d,
        chosen: Chosen::ByIndex(index),
    })
}

/// The number of the chart in use: the one with the largest determinant, its columns weighed by the inertias so that units do
/// not count; and whether they are, which takes inertias that never vanish.
pub(in crate::program) fn chart_index(
    posed: &Posed,
    w: &mut Writer<'_>,
    charts: &Charts,
) -> Option<(Value, bool)> {
    let full = posed.unreduced(&mut w.c)?;
    let diagonal: Vec<Expr> = (0..full.mass.len())
        .map(|i| full.mass[i][i].clone())
        .collect();
    let first = diagonal.first()?.clone();
    let alike = diagonal.iter().all(|m| w.c.alg.equal(m, &first));
    let weighed = !alike && diagonal.iter().all(|m| w.c.alg.is_nonzero(m));
    let mut best: Option<(Value, Value)> = None;
    for (number, chart) in charts.list.iter().enumerate() {
        let d = chart.determinant.clone()?;
        let d = w.lower(&d);
        let g = &mut w.low.graph;
        let size = if weighed {
            let mut size = g.mul(d, d);
            for i in &chart.independent {
                let m = w.lower(&diagonal[*i]);
                size = w.low.graph.mul(size, m);
            }
            size
        } else {
            g.unary(Unary::Abs, d)
        };
        let g = &mut w.low.graph;
        let number = g.integer(number as i64);
        best = Some(match best {
            None => (size, number),
            Some((most, at)) => {
                let at = g.select(Comparison::Greater, size, most, number, at);
                (g.binary(Binary::Max, size, most), at)
            }
        });
    }
    let (_, index) = best?;
    w.low.graph.name(index, "chart");
    Some((index, weighed))
}

/// All determinants vanish.
fn charts_condition(w: &mut Writer<'_>, charts: &Charts, divisor: Value) {
    if charts.covering {
        return;
    }
    let text = common_zero(&mut w.c, charts);
    let mut largest: Option<Value> = None;
    for chart in &charts.list {
        let mut closeness = w.low.graph.one();
        for f in &chart.open {
            let value = w.lower(f);
            let g = &mut w.low.graph;
            let size = g.unary(Unary::Abs, value);
            let scale = rounding::natural(g, value);
            let zero = g.zero();
            let ratio = g.div(size, scale);
            let relative = g.select(Comparison::Greater, scale, zero, ratio, zero);
            closeness = g.mul(closeness, relative);
        }
        largest = Some(match largest {
            None => closeness,
            Some(most) => w.low.graph.binary(Binary::Max, most, closeness),
        });
    }
    if let Some(value) = largest {
        let note = "no chart of the explicit Gibbs-Appell equation is good there";
        let one = w.low.graph.one();
        w.condition_for(value, vec![divisor], Some(one), text, note);
        // The divisor serves all branches of what is chosen by it.
        w.conditions.decided.push(value);
    }
}

/// The equation with the rows and columns of the chart in use.
fn in_charts(
    posed: &Posed,
    w: &mut Writer<'_>,
    e: &Equations,
    charts: &Charts,
    reduced: &Reduced,
) -> Result<Unknowns, Vec<Diagnostic>> {
    let n = e.mass.len();
    // Accelerations by positions: eliminated ones, then independent ones.
    let order = |k: &Chart| k.eliminated.iter().chain(&k.independent).copied().collect();
    let orders: Vec<Vec<usize>> = charts.list.iter().map(order).collect();
    let (m, f) = in_order(w, e, &orders, reduced.chosen);
    let (rank, free) = (reduced.d.len(), n - reduced.d.len());
    let mut system = SymmetricSystem::new(independent_unknowns(w, charts, free));
    let g = &mut w.low.graph;
    reduced.eliminate(g, &m, &f, &mut system);
    let diagonal: Vec<Value> = (rank..n).map(|k| m[k][k]).collect();
    let (independent, order) = independent_accelerations(posed, w, &system, &diagonal, charts)?;
    let route = Route::Explicit {
        unknowns: free,
        order,
    };
    let g = &mut w.low.graph;
    let (r, d) = (&reduced.r, &reduced.d);
    let mut found: Vec<Value> = (0..rank)
        .map(|x| {
            let known = sum(g, (0..free).map(|k| (r[x][k], independent[k])));
            g.sub(d[x], known)
        })
        .collect();
    found.extend(independent);
    let accelerations = (0..n).map(|j| {
        let at = |order: &Vec<usize>| order.iter().position(|x| *x == j).map(|k| found[k]);
        let each: Vec<Value> = orders.iter().filter_map(at).collect();
        reduced.chosen.of(g, &each)
    });
    Ok(Unknowns::by(route, accelerations.collect()))
}

/// M and F in the order of the chart in use.
fn in_order(
    w: &mut Writer<'_>,
    e: &Equations,
    orders: &[Vec<usize>],
    chosen: Chosen,
) -> (Vec<Vec<Value>>, Vec<Value>) {
    let n = e.mass.len();
    let mass = w.lower_rows(&e.mass);
    let force = w.lower_all(&e.forcing);
    let g = &mut w.low.graph;
    let mut m = vec![vec![g.zero(); n]; n];
    for i in 0..n {
        for j in i..n {
            let each: Vec<Value> = orders.iter().map(|o| mass[o[i]][o[j]]).collect();
            m[i][j] = chosen.of(g, &each);
            m[j][i] = m[i][j];
        }
    }
    let f = (0..n).map(|i| {
        let each: Vec<Value> = orders.iter().map(|o| force[o[i]]).collect();
        chosen.of(g, &each)
    });
    (m, f.collect())
}

/// The independent accelerations, which may be others in other charts.
fn independent_unknowns(w: &mut Writer<'_>, charts: &Charts, count: usize) -> Vec<Unknown> {
    let name = |k: usize| {
        let each = charts.list.iter().map(|chart| chart.independent[k]);
        let mut names: Vec<String> = each
            .map(|i| format!("{}''", w.c.system.coords[i].meta.name))
            .collect();
        if names.iter().all(|name| *name == names[0]) {
            names.truncate(1);
        }
        names.join(" or ")
    };
    let unknown = |k| Unknown {
        name: name(k),
        kind: UnknownKind::Rate,
        depth: k as u32,
    };
    (0..count).map(unknown).collect()
}

/// Solves for the independent accelerations, the better of two orders; pivots that may vanish are conditions.
fn independent_accelerations(
    posed: &Posed,
    w: &mut Writer<'_>,
    system: &SymmetricSystem,
    diagonal: &[Value],
    charts: &Charts,
) -> Result<(Vec<Value>, Option<Ordering>), Vec<Diagnostic>> {
    if system.is_empty() {
        return Ok((Vec::new(), None));
    }
    let wanted: Vec<usize> = (0..system.len()).collect();
    let points = Points::new(0);
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let orders = [Ordering::Natural, Ordering::MinimumDegree];
    let found = solve::best(&mut w.low.graph, system, &wanted, &orders, &[], &nonzero);
    let found = found.ok().map(|(plan, _)| (plan.roots(&wanted), plan));
    let Some((values, plan)) = found.filter(|found| found.0.len() == wanted.len()) else {
        return Err(undetermined(&mut w.c));
    };
    if !posed.definite && !regular::is_positive_on_constraints(&mut w.c) {
        let mut each: Vec<Felt> = (charts.list.iter())
            .map(|_| Felt::of_motions(w, Space::Accelerations))
            .collect();
        for p in &plan.pivots {
            let mut certain = true;
            for (felt, chart) in each.iter_mut().zip(&charts.list) {
                let own: Vec<usize> = p.unknowns.iter().map(|k| chart.independent[*k]).collect();
                certain &= felt.next(w, &own);
            }
            let Some(value) = p.value.filter(|_| !certain) else {
                continue;
            };
            let names = p.unknowns.iter().map(|i| system.unknowns[*i].name.as_str());
            let names: Vec<&str> = names.collect();
            let entry = p.unknowns.first().map(|i| diagonal[*i]);
            let scale = entry.map(|v| rounding::of_diagonal(&mut w.low.graph, v));
            let text = format!("the inertia felt by {} vanishes", names.join(", "));
            let note = "a pivot of the explicit Gibbs-Appell matrix";
            w.pivot_condition(value, scale, text, note);
        }
    }
    Ok((values, Some(plan.order)))
}

impl Reduced {
    /// What the eliminated accelerations leave: `W = R^T Mee - Mie`, then `K = Mii + W R - R^T Mei` and `Fi - R^T Fe + W d`.
    fn eliminate(
        &self,
        g: &mut Graph,
        m: &[Vec<Value>],
        f: &[Value],
        system: &mut SymmetricSystem,
    ) {
        let (r, d) = (&self.r, &self.d);
        let (rank, free) = (d.len(), system.len());
        for k in 0..free {
            let w: Vec<Value> = (0..rank)
                .map(|x| {
                    let through = sum(g, (0..rank).map(|y| (r[y][k], m[y][x])));
                    g.sub(through, m[rank + k][x])
                })
                .collect();
            for l in k..free {
                let inner = sum(g, (0..rank).map(|x| (w[x], r[x][l])));
                let outer = sum(g, (0..rank).map(|x| (r[x][k], m[x][rank + l])));
                let entry = g.add(m[rank + k][rank + l], inner);
                let entry = g.sub(entry, outer);
                if !g.is_zero(entry) {
                    system.set(k, l, entry);
                }
            }
            let carried = sum(g, (0..rank).map(|x| (r[x][k], f[x])));
            let moved = sum(g, (0..rank).map(|x| (w[x], d[x])));
            let rhs = g.sub(f[rank + k], carried);
            let rhs = g.add(rhs, moved);
            system.set_rhs(0, k, rhs);
        }
    }
}

impl Chosen {
    /// Of a value for each chart that of the one in use.
    fn of(self, g: &mut Graph, each: &[Value]) -> Value {
        match self {
            Self::One => each[0],
            Self::ByIndex(index) => pick(g, index, each),
        }
    }
}

/// The entry of a list with that number.
fn pick(g: &mut Graph, index: Value, list: &[Value]) -> Value {
    let Some((last, before)) = list.split_last() else {
        g.witness().note("there is no chart to choose from");
        return g.zero();
    };
    let mut value = *last;
    for (k, v) in before.iter().enumerate().rev() {
        let k = g.integer(k as i64);
        value = g.select(Comparison::LessEqual, index, k, *v, value);
    }
    value
}

/// A sum of products.
fn sum(g: &mut Graph, terms: impl Iterator<Item = (Value, Value)>) -> Value {
    let mut total = g.zero();
    for (a, b) in terms {
        let t = g.mul(a, b);
        total = g.add(total, t);
    }
    total
}
