//! Which system is eliminated for the accelerations, and in which order: the mass matrix, or the uncondensed equations, in independent speeds
//! or in all rates with the constraints as rows. Every plan is counted on the shared graph; what could fail somewhere or loses digits is
//! turned down.

use super::signs::Signs;
use super::{Presentation, Work, accuracy, group, uncondensed};
use crate::catalogue;
use crate::form::{Closure, Equations, Space, solution};
use crate::ir::field::Points;
use crate::ir::{Binary, Graph, Op, Prepared, Prints, RoutineKind, Slot, Unary, Value};
use crate::mech::constraints::Rank;
use crate::model::system::Sign;
use crate::solve::{
    self, Candidate, Effort, Growth, Means, Ordering, Plan, SymmetricSystem, Unknown, UnknownKind,
    Variant, Verdict,
};
use crate::sym::Expr;

/// Systems of more unknowns than this are stated in few ways, and eliminated in few orders.
pub(super) const LARGE: usize = 250;

/// Plans of more operations than this are measured for rounding errors only where they are the cheapest so far.
const SMALL: usize = 5_000;

/// Up to this many unknowns equations that are written out in full are not stated otherwise, unless asked for.
const SHORT: usize = 4;

/// Up to this many coordinates the bordered mass matrix is tried unasked.
const BORDERED: usize = 12;

/// Up to this many accelerations the routine that finds the rank is kept where constraint rows remain.
const ROUTINE: usize = 12;

/// Constraints that are rows of the uncondensed equations.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    /// Coefficients of s' and right-hand sides.
    pub list: &'a [(Vec<Value>, Value)],
    /// Whether they are eliminated last, and it is checked at run time that they do not depend on one another.
    pub checked: bool,
}

impl Rows<'_> {
    pub const NONE: Self = Self {
        list: &[],
        checked: false,
    };
}

/// A plan worked out, with the values of the unknowns that were asked for.
pub(super) struct Worked {
    pub unknowns: Vec<Value>,
    pub plan: Plan,
    /// Pivots that are not proven never to vanish, and how conditions call them.
    pub doubtful: Vec<(String, Value)>,
}

impl Work<'_> {
    /// Factors the mass matrix, or the uncondensed system where that is cheaper, as accurate, and has
    /// no pivot that could vanish.
    pub(super) fn eliminate(&mut self, e: &Equations, forcing: &[Expr]) -> Option<Worked> {
        let system = self.reduced_system(e, forcing);
        let wanted: Vec<usize> = (0..e.mass.len()).collect();
        let points = Points::new(0);
        let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
        let orders = [Ordering::Natural, Ordering::MinimumDegree];
        let graph = &mut self.low.graph;
        let (plan, table) = solve::best(graph, &system, &wanted, &orders, &[], &nonzero).ok()?;
        let unknowns = plan.roots(&wanted);
        let reduced = Worked {
            unknowns,
            plan,
            doubtful: Vec::new(),
        };
        // The uncondensed system carries all loads: it cannot answer the problem without C.
        let main = forcing == self.equations.forcing.as_slice();
        if main {
            let named = table.into_iter().map(|row| Candidate {
                name: format!("mass matrix, {}", row.name),
                ..row
            });
            self.plans = named.collect();
        }
        // Nor does it know of coordinates that the equations are written without.
        let whole = main && self.c.cyclic.is_empty();
        let long = e.mass.len() > SHORT;
        let raw = self.presentation == Presentation::Staged || long || self.c.balances.is_some();
        let asked = self.plan == catalogue::Plan::NewtonEuler;
        let reduces = matches!(
            self.plan,
            catalogue::Plan::Reduced | catalogue::Plan::Bordered
        );
        if reduces || !(raw || asked) || !whole || !self.definite {
            return Some(reduced);
        }
        let reference = accuracy::Reference::new(&self.low.graph, &reduced.unknowns);
        let count = reduced.unknowns.len();
        let Some(found) = self.uncondensed(e.space, Rows::NONE, None, count, &reference) else {
            return Some(reduced);
        };
        let prepared = Prepared::new(&[group::PARAMS]);
        let cost = |v: &[Value]| prepared.count(&self.low.graph, v).1.total();
        let cheaper = cost(&found.unknowns) < cost(&reduced.unknowns);
        if asked || self.c.balances.is_some() || cheaper {
            self.plans.iter_mut().for_each(|row| {
                row.chosen = row.name == found.plan.name;
            });
            self.doubtful = found.doubtful.clone();
            return Some(found);
        }
        for row in &mut self.plans {
            row.chosen &= row.name.starts_with("mass matrix");
        }
        Some(reduced)
    }

    /// q'' from the uncondensed equations in all rates, the constraints as rows: where the equations are reduced to independent
    /// speeds but `found` takes more than `margin` times the operations of the unreduced ones.
    pub(super) fn cheaper_unreduced(
        &mut self,
        e: &Equations,
        found: &[Value],
        margin: f64,
    ) -> Option<Vec<Value>> {
        let free = self.c.constraints.independent.is_empty();
        let other = e.closure.is_some() || e.space != Space::Speeds || !self.c.speeds.reduced;
        let bound = self.c.coupled || self.c.balances.is_some() || !self.c.cyclic.is_empty();
        let asked = matches!(
            self.plan,
            catalogue::Plan::NewtonEuler | catalogue::Plan::Bordered
        );
        let reduces = self.plan == catalogue::Plan::Reduced;
        if free || other || bound || reduces || !self.definite {
            return None;
        }
        let matrix = self.c.constraints.independent_matrix();
        let rhs = self.c.constraints.independent_rhs();
        let rows: Vec<(Vec<Value>, Value)> = matrix
            .iter()
            .zip(&rhs)
            .map(|(row, b)| {
                let row = self.low.lower_all(&self.c.alg, row);
                (row, self.low.lower(&self.c.alg, b))
            })
            .collect();
        let bordered = self.bordered(&rows);
        let before = self.plans.len();
        let reference = accuracy::Reference::new(&self.low.graph, found);
        let rows = Rows {
            list: &rows,
            checked: false,
        };
        let worked = self.uncondensed(Space::Rates, rows, bordered, found.len(), &reference)?;
        let prepared = Prepared::new(&[group::PARAMS]);
        let cost = |v: &[Value]| prepared.count(&self.low.graph, v).1.total();
        // What may fail is no better than what was asked for and cannot.
        let there = self.plans[..before]
            .iter()
            .any(|row| row.chosen && !row.name.starts_with("mass matrix"));
        let doubtful = there && !worked.doubtful.is_empty();
        let dear = cost(&worked.unknowns) as f64 * margin >= cost(found) as f64;
        if doubtful || !asked && dear {
            for row in &mut self.plans[before..] {
                row.chosen = false;
            }
            return None;
        }
        for row in &mut self.plans {
            row.chosen = row.name == worked.plan.name;
        }
        self.doubtful = worked.doubtful;
        self.plan_note = worked.plan.name;
        Some(worked.unknowns)
    }

    /// The best plan for the uncondensed equations with these constraint rows, compared with so many values that are right.
    pub(super) fn uncondensed(
        &mut self,
        space: Space,
        rows: Rows<'_>,
        bordered: Option<SymmetricSystem>,
        expected: usize,
        reference: &accuracy::Reference,
    ) -> Option<Worked> {
        let prepared = Prepared::new(&[group::PARAMS]);
        let prints = Prints::new(0);
        let signs = Signs::new(self.positive_slots());
        let sure = |g: &Graph, v: Value| signs.never_zero(g, v);
        let positive = |g: &Graph, v: Value| signs.is_positive(g, v);
        let points = Points::new(0);
        let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
        let known = uncondensed::Known {
            prepared: &prepared,
            prints: &prints,
            positive: &positive,
            large: LARGE,
        };
        let wanted: Vec<usize> = (0..expected).collect();
        let statement = match (self.plan, rows.list) {
            (catalogue::Plan::Bordered, _) => None,
            (_, []) => Some(self.stated(space)?),
            _ => None,
        };
        let mut stated = match self.plan {
            _ if statement.is_some() => Vec::new(),
            catalogue::Plan::Bordered => Vec::new(),
            _ => uncondensed::build(&mut self.c, &mut self.low, &known, space, rows.list)?.0,
        };
        if rows.checked {
            stated
                .iter_mut()
                .for_each(|way| way.system.checked = rows.list.len());
        }
        if self.plan != catalogue::Plan::NewtonEuler {
            stated.extend(bordered.map(|system| uncondensed::Stated {
                name: "mass matrix bordered by the constraints".into(),
                shifted: false,
                paired: false,
                system,
            }));
        }
        let without_rows = statement.iter().flat_map(|s| &s.ways);
        let ways: Vec<&uncondensed::Stated> = without_rows.chain(&stated).collect();
        // With the rates the multipliers that are checked, which are the last unknowns.
        let asked: Vec<Vec<usize>> = ways
            .iter()
            .map(|way| {
                let multipliers = way.system.first_checked()..way.system.len();
                wanted.iter().copied().chain(multipliers).collect()
            })
            .collect();
        let variants: Vec<Variant<'_>> = ways
            .iter()
            .zip(&asked)
            .map(|(way, asked)| Variant {
                name: &way.name,
                system: &way.system,
                wanted: asked,
                extra_roots: &[],
            })
            .collect();
        let by_name = matches!(
            self.plan,
            catalogue::Plan::NewtonEuler | catalogue::Plan::Bordered
        );
        let graph = &mut self.low.graph;
        let digits = |g: &Graph, v: &[Value]| reference.digits_lost(g, v);
        let large = variants.iter().any(|v| v.system.len() > LARGE);
        let effort = if large { Effort::SMALL } else { Effort::USUAL };
        let among = self.among.as_deref();
        let among = among.map(|name| name.strip_prefix("q'' by ").unwrap_or(name));
        let mut tried = |insist: bool| {
            let mut judge = |g: &Graph, _: usize, p: &Plan| {
                let refused = match insist {
                    true => accuracy::may_vanish(p),
                    false => accuracy::leaves_open(p).then(|| "leaves unknowns open".into()),
                };
                match refused {
                    Some(why) => Verdict::Reject(why),
                    None => {
                        let [error, _] = reference.errors(g, &p.roots(&wanted));
                        Verdict::Keep(format!("error {error:.0e}"))
                    }
                }
            };
            let most = match insist {
                true => accuracy::MOST,
                false => f64::MAX,
            };
            let means = Means {
                nonzero: &nonzero,
                prints: Some(&prints),
                prepared: Some(&prepared),
                sure: &sure,
                insist,
                growth: Some(Growth {
                    digits: &digits,
                    most,
                    small: SMALL,
                }),
            };
            solve::search(graph, &variants, effort, among, &means, &mut judge)
        };
        let mut found = tried(true);
        // What was asked for is taken even where it may fail, and says where.
        if found.is_err() && by_name {
            found = tried(false);
        }
        let (number, mut plan, table) = found.ok()?;
        let system = variants[number].system;
        let doubtful = plan
            .pivots
            .iter()
            .filter(|p| !p.certain && p.checked.is_none());
        let doubtful = doubtful.filter_map(|pivot| {
            let names = pivot.unknowns.iter();
            let names: Vec<&str> = names.map(|i| system.unknowns[*i].name.as_str()).collect();
            Some((names.join(" and "), pivot.value?))
        });
        let doubtful: Vec<(String, Value)> = doubtful.collect();
        // With the constraints as rows q'' is counted, else what q'' is made of.
        let counted = match rows {
            Rows { list: [], .. } => "",
            Rows { checked: true, .. } => "with the constraints as rows, ",
            _ => "q'' by ",
        };
        self.plans.extend(table.into_iter().map(|row| Candidate {
            name: format!("{counted}{}", row.name),
            ..row
        }));
        plan.name = format!("{counted}{}", plan.name);
        let unknowns = plan.roots(&asked[number]);
        (unknowns.len() == asked[number].len()).then_some(Worked {
            unknowns,
            plan,
            doubtful,
        })
    }

    /// Conditions for the pivots of the accelerations' plan that are not proven never to vanish.
    pub(super) fn state_doubts(&mut self) {
        for (name, value) in std::mem::take(&mut self.doubtful) {
            // What the pivot is a difference of says when it is small.
            let operands = match *self.low.graph.op(value) {
                Op::Binary(Binary::Add | Binary::Sub, a, b) => Some([a, b]),
                _ => None,
            };
            let scale = operands.map(|operands| {
                let graph = &mut self.low.graph;
                let [a, b] = operands.map(|v| graph.unary(Unary::Abs, v));
                graph.add(a, b)
            });
            let text = format!("the pivot on {name} vanishes");
            let note = "in the elimination of the equations that were asked for";
            self.pivot_condition(value, scale, text, note);
        }
    }

    /// The rates and multipliers of equations that keep all constraint rows, where these are independent of one another in general and M is
    /// definite without them: an elimination that leaves the rows to the end, and fails exactly where the rows depend on one another. Of
    /// few unknowns the routine that finds the rank is kept, which fails nowhere.
    pub(super) fn with_checked_rows(
        &mut self,
        e: &Equations,
        forcing: &[Expr],
    ) -> Option<Vec<Value>> {
        let constraints = self.c.constraints.clone();
        let (n, m) = (e.mass.len(), constraints.rows.len());
        let independent = constraints.independent.len() == m
            && matches!(constraints.rank_where_they_hold, Rank::Same);
        let whole = self.presentation == Presentation::Staged
            && e.coupling.is_none()
            && e.closure
                .is_some_and(|closure| closure != Closure::Explicit)
            && self.c.balances.is_none()
            && self.c.cyclic.is_empty()
            && !self.c.coupled
            && self.c.system.nonideal.is_empty();
        let asked = matches!(
            self.plan,
            catalogue::Plan::Auto | catalogue::Plan::NewtonEuler
        );
        if !(independent && whole && asked && self.definite && n > ROUTINE) {
            return None;
        }
        let (matrix, rhs) = (constraints.matrix(), self.agreeing_rhs());
        let (matrix, rhs) = solution::in_space(&mut self.c, e.space, &matrix, &rhs);
        let mut rows: Vec<(Vec<Value>, Value)> = Vec::with_capacity(m);
        for (row, b) in matrix.iter().zip(&rhs) {
            let row = self.low.lower_all(&self.c.alg, row);
            rows.push((row, self.low.lower(&self.c.alg, b)));
        }
        let mut operands = self.low.lower_all(&self.c.alg, e.mass.iter().flatten());
        operands.extend(self.low.lower_all(&self.c.alg, forcing));
        operands.extend(rows.iter().flat_map(|row| &row.0));
        operands.extend(rows.iter().map(|row| row.1));
        let kind = RoutineKind::Constrained {
            n: n as u32,
            m: m as u32,
        };
        let graph = &mut self.low.graph;
        let routine = graph.routine(kind, &operands);
        let expected: Vec<Value> = (0..n).map(|i| graph.element(routine, i as u32)).collect();
        let reference = accuracy::Reference::new(graph, &expected);
        let rows = Rows {
            list: &rows,
            checked: true,
        };
        let mut found = self.uncondensed(e.space, rows, None, n, &reference)?;
        let mut row = 0;
        for pivot in &found.plan.pivots {
            let (Some(value), Some(scale)) = (pivot.value, pivot.checked) else {
                continue;
            };
            let name = &constraints.rows[row].name;
            let text = match row {
                0 => format!("constraint `{name}` holds no acceleration"),
                _ => format!("constraint `{name}` depends on those before it"),
            };
            row += 1;
            let note = "a pivot of A M^-1 A^T vanishes";
            self.pivot_condition(value, Some(scale), text, note);
        }
        self.doubtful = found.doubtful.clone();
        self.plan_note = found.plan.name;
        // `M z' + A^T x = f` gives the opposite of the multipliers.
        let opposite = found.unknowns.split_off(n);
        let graph = &mut self.low.graph;
        self.planned_multipliers = Some(opposite.into_iter().map(|x| graph.neg(x)).collect());
        Some(found.unknowns)
    }

    /// `M q'' - A^T lambda = F`, `A q'' = b` for a few coordinates.
    fn bordered(&mut self, rows: &[(Vec<Value>, Value)]) -> Option<SymmetricSystem> {
        if self.c.system.coords.len() > BORDERED && self.plan != catalogue::Plan::Bordered {
            return None;
        }
        let e = self.full_equations()?;
        let unknown = |name: String, kind| Unknown {
            name,
            kind,
            depth: 0,
        };
        let coords = self.c.system.coords.iter();
        let mut unknowns: Vec<Unknown> = coords
            .map(|q| unknown(format!("{}''", q.meta.name), UnknownKind::Rate))
            .collect();
        let n = unknowns.len();
        let lambdas = (0..rows.len()).map(|i| format!("lambda_{i}"));
        unknowns.extend(lambdas.map(|name| unknown(name, UnknownKind::Reaction)));
        let mut system = SymmetricSystem::new(unknowns);
        system.definite = true;
        for i in 0..n {
            for j in i..n {
                if !e.mass[i][j].is_literal_zero() {
                    let v = self.low.lower(&self.c.alg, &e.mass[i][j]);
                    system.set(i, j, v);
                }
            }
            let f = self.low.lower(&self.c.alg, &e.forcing[i]);
            system.set_rhs(0, i, f);
        }
        for (i, (row, rhs)) in rows.iter().enumerate() {
            for (k, value) in row.iter().enumerate() {
                if !self.low.graph.is_zero(*value) {
                    system.set(k, n + i, *value);
                }
            }
            system.set_rhs(0, n + i, *rhs);
        }
        Some(system)
    }

    /// Inputs of the program that are declared positive.
    pub(super) fn positive_slots(&self) -> Vec<Slot> {
        let params = self.c.system.params.iter().enumerate();
        params
            .filter(|(_, p)| p.sign == Some(Sign::Positive))
            .map(|(i, _)| Slot {
                group: group::PARAMS,
                index: i as u32,
            })
            .collect()
    }

    fn reduced_system(&mut self, e: &Equations, forcing: &[Expr]) -> SymmetricSystem {
        let motion = self.c.kinematics(e.space).motion.clone();
        let unknowns = motion
            .speed_dots
            .iter()
            .enumerate()
            .map(|(i, v)| Unknown {
                name: self.c.alg.info(*v).name.clone(),
                kind: UnknownKind::Rate,
                depth: i as u32,
            })
            .collect();
        let mut system = SymmetricSystem::new(unknowns);
        for i in 0..e.mass.len() {
            for j in i..e.mass.len() {
                if !e.mass[i][j].is_literal_zero() {
                    let v = self.low.lower(&self.c.alg, &e.mass[i][j]);
                    system.set(i, j, v);
                }
            }
            let f = self.low.lower(&self.c.alg, &forcing[i]);
            system.set_rhs(0, i, f);
        }
        system
    }
}
