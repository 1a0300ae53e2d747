//! Which system is eliminated for the accelerations, and in which order: the mass matrix, or the uncondensed equations, in independent speeds
//! or in all rates with the constraints as rows. Every plan is counted on the shared graph; what could fail somewhere or loses digits is
//! turned down.

use super::mixtures::{self, Mixer};
use super::signs::Signs;
use super::{Presentation, Work, accuracy, group, uncondensed};
use crate::catalogue;
use crate::form::{Closure, Equations, Space, solution};
use crate::ir::field::Points;
use crate::ir::{Binary, Graph, Op, Prepared, Prints, RoutineKind, Slot, Unary, Value};
use crate::mech::constraints::Rank;
use crate::model::system::Sign;
use crate::solve::{
    self, Candidate, Effort, Growth, Means, Ordering, Plan, SymmetricSystem, Variant, Verdict,
};
use crate::sym::Expr;

/// Systems of more unknowns than this are stated in few ways, and eliminated in few orders.
pub(super) const LARGE: usize = 250;

/// Plans of more operations than this are measured for rounding errors only where they are the cheapest so far.
const SMALL: usize = 5_000;

/// Up to this many unknowns equations that are written out in full are not stated otherwise, unless asked for.
const SHORT: usize = 4;

/// Up to this many accelerations the routine that finds the rank is kept where constraint rows remain.
const ROUTINE: usize = 12;

/// What stands before the names of plans for equations with constraints as rows: where they are checked, and where q'' is counted.
const COUNTED: [&str; 2] = ["with the constraints as rows, ", "q'' by "];

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
        let prepared = Prepared::new(&[group::PARAMS]);
        let by_time = self.prefer == catalogue::Prefer::Time;
        let means = Means {
            prepared: by_time.then_some(&prepared),
            by_time,
            ..Means::exact(&nonzero)
        };
        let variant = Variant {
            name: "",
            system: &system,
            wanted: &wanted,
            extra_roots: &[],
        };
        let keep = &mut |_: &Graph, _: usize, _: &Plan| Verdict::Keep(String::new());
        let (_, plan, table) = solve::best_of(graph, &[variant], &orders, &means, keep).ok()?;
        let unknowns = plan.roots(&wanted);
        let reduced = Worked {
            unknowns,
            plan,
            doubtful: Vec::new(),
        };
        // The uncondensed system carries all loads: it cannot answer the problem without C.
        let main = forcing == self.formulated.equations.forcing.as_slice();
        if main {
            let named = table.into_iter().map(|row| Candidate {
                name: format!("mass matrix, {}", row.name),
                ..row
            });
            self.plans = named.collect();
        }
        // Nor does it know of coordinates that the equations are written without.
        let whole = main && self.formulated.cyclic.is_empty();
        let long = e.mass.len() > SHORT;
        let raw =
            self.presentation == Presentation::Staged || long || self.formulated.balances.is_some();
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
        let cheaper = self.price(&found.unknowns) < self.price(&reduced.unknowns);
        if asked || self.formulated.balances.is_some() || cheaper {
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
        let bound = self.c.coupled
            || self.formulated.balances.is_some()
            || !self.formulated.cyclic.is_empty();
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
        // What may fail is no better than what was asked for and cannot.
        let there = self.plans[..before]
            .iter()
            .any(|row| row.chosen && !row.name.starts_with("mass matrix"));
        let doubtful = there && !worked.doubtful.is_empty();
        let dear = self.price(&worked.unknowns) as f64 * margin >= self.price(found) as f64;
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

    /// What plans are compared by, of what depends on more than parameters: operations, or estimated cycles.
    pub(super) fn price(&self, values: &[Value]) -> usize {
        let prepared = Prepared::new(&[group::PARAMS]);
        match self.prefer {
            catalogue::Prefer::Operations => prepared.count(&self.low.graph, values).1.total(),
            catalogue::Prefer::Time => prepared.time(&self.low.graph, values) as usize,
        }
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
        let (mut stated, own) = match self.plan {
            _ if statement.is_some() => (Vec::new(), None),
            catalogue::Plan::Bordered => (Vec::new(), None),
            _ => {
                let (ways, own) =
                    uncondensed::build(&mut self.c, &mut self.low, &known, space, rows.list)?;
                (ways, Some(own))
            }
        };
        let skeleton = statement.as_ref().map(|s| &s.skeleton).or(own.as_ref());
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
                choice: None,
                system,
            }));
        }
        let among = self.among.as_deref();
        let among = among.map(|name| {
            COUNTED
                .iter()
                .find_map(|c| name.strip_prefix(c))
                .unwrap_or(name)
        });
        let mixer = skeleton.map(|skeleton| Mixer {
            skeleton,
            known: &known,
            rows,
            expected,
        });
        let without_rows = statement.iter().flat_map(|s| &s.ways);
        let mut ways: Vec<&uncondensed::Stated> = without_rows.chain(&stated).collect();
        let graph = &mut self.low.graph;
        let named = mixer.as_ref().zip(among);
        let named = named.and_then(|(mixer, name)| mixer.named(graph, &ways, name));
        ways.extend(&named);
        let asked = ways
            .iter()
            .map(|way| mixtures::asked(&way.system, expected));
        let asked: Vec<Vec<usize>> = asked.collect();
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
        let digits = |g: &Graph, v: &[Value]| reference.digits_lost(g, v);
        let large = variants.iter().any(|v| v.system.len() > LARGE);
        let effort = if large { Effort::SMALL } else { Effort::USUAL };
        let by_time = self.prefer == catalogue::Prefer::Time;
        let mut tried = |insist: bool| {
            let mut judge = |g: &Graph, _: usize, p: &Plan| {
                let refused = if insist {
                    accuracy::may_vanish(p)
                } else {
                    accuracy::leaves_open(p).then(|| "leaves unknowns open".into())
                };
                match refused {
                    Some(why) => Verdict::Reject(why),
                    None => {
                        let [error, _] = reference.errors(g, &p.roots(&wanted));
                        Verdict::Keep(format!("error {error:.0e}"))
                    }
                }
            };
            let most = if insist { accuracy::MOST } else { f64::MAX };
            let means = Means {
                nonzero: &nonzero,
                prints: Some(&prints),
                prepared: Some(&prepared),
                sure: &sure,
                insist,
                by_time,
                growth: Some(Growth {
                    digits: &digits,
                    most,
                    small: SMALL,
                }),
            };
            let mut search =
                solve::search(graph, &variants, effort, among, &means, &mut judge).ok()?;
            let mixed = match &mixer {
                Some(mixer) if !large => {
                    mixer.refine(graph, &mut search, &ways, among, (&means, &mut judge))
                }
                _ => Vec::new(),
            };
            Some((search.verdict().ok()?, mixed))
        };
        let mut found = tried(true);
        // What was asked for is taken even where it may fail, and says where.
        if found.is_none() && by_name {
            found = tried(false);
        }
        let ((number, mut plan, table), mixed) = found?;
        let mut systems = ways.iter().copied().chain(&mixed).map(|way| &way.system);
        let system = systems.nth(number)?;
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
            Rows { checked: true, .. } => COUNTED[0],
            _ => COUNTED[1],
        };
        self.plans.extend(table.into_iter().map(|row| Candidate {
            name: format!("{counted}{}", row.name),
            ..row
        }));
        plan.name = format!("{counted}{}", plan.name);
        let wanted = mixtures::asked(system, expected);
        let unknowns = plan.roots(&wanted);
        (unknowns.len() == wanted.len()).then_some(Worked {
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
            && self.formulated.balances.is_none()
            && self.formulated.cyclic.is_empty()
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
}
