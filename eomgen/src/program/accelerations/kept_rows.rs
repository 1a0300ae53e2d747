//! Constraint rows that no choice of speeds solves everywhere: kept, and imposed by the full Newton-Euler system. A pivot
//! of theirs vanishes exactly where they depend on one another, which is checked at run time. Rows that depend on others at every state are left
//! out: they say nothing more. The norms of quaternions are no rows here but kinematics.

use super::left::{Back, Left};
use super::own::{self, Wanted};
use super::route::Route;
use super::rows;
use super::selection;
use super::statements::lowered_rows;
use super::still::{self, Standing};
use super::unknowns;
use crate::catalogue;
use crate::form::{Closure, Space, regular};
use crate::ir::{Slot, Value};
use crate::manifold::Places;
use crate::mech::still::Still;
use crate::plan::{Ordinary, Place, Skeleton, Ties, Worked, group};
use crate::program::conditions::bare;
use crate::program::posed::Posed;
use crate::program::solved::Unknowns;
use crate::program::writer::Writer;
use crate::solve::Plan;
use crate::sym::{Expr, Var};

/// The equations in the speeds of a space, with the rows that are left.
pub(in crate::program) struct KeptRows {
    pub space: Space,
    /// Why no plan without presumptions is looked for.
    pub untried: Option<&'static str>,
    /// Coefficients of the speeds' rates and right-hand sides.
    pub rows: Vec<(Vec<Value>, Value)>,
    /// What they are called.
    pub names: Vec<String>,
    /// What their multipliers are of the model's rows.
    pub back: Option<Back>,
    /// Of each whether one of its coefficients never vanishes.
    pub certain: Vec<bool>,
    /// M by rows and f as the formulation states them, if it does in this space.
    pub stated: Option<(Vec<Value>, Vec<Value>)>,
    pub skeleton: Skeleton,
    /// Inputs at states at which the constraints hold.
    pub places: Vec<Place>,
}

/// For a plan that serves as a rule.
pub(in crate::program) struct Usual {
    /// Inputs where the machine is as a rule.
    pub ordinary: Ordinary,
    /// Rows in axes of their own that say what all rows say wherever they are independent of one another.
    pub own: Option<Own>,
    /// The machine with coordinates that stand still wherever it is.
    pub standing: Option<Standing>,
}

/// Rows in axes of their own.
pub(in crate::program) struct Own {
    /// Coefficients of the speeds' rates and right-hand sides.
    pub rows: Vec<(Vec<Value>, Value)>,
    /// By what their multipliers act.
    pub ties: Ties,
}

/// A row in the rates of the speeds.
pub(in crate::program) struct NamedRow {
    pub name: String,
    pub coefficients: Vec<Value>,
    /// Whether one of the coefficients never vanishes.
    pub certain: bool,
}

impl KeptRows {
    /// The coefficients of the rows that might hold nothing.
    pub fn looked_at(&self) -> Vec<Value> {
        let rows = self.rows.iter().zip(&self.certain);
        let open = rows.filter(|(_, certain)| !**certain);
        open.flat_map(|((coefficients, _), _)| coefficients.iter().copied())
            .collect()
    }

    /// The rows without their right-hand sides.
    pub fn named(&self) -> Vec<NamedRow> {
        let each = self.names.iter().zip(&self.certain).zip(&self.rows);
        each.map(|((name, certain), (coefficients, _))| NamedRow {
            name: name.clone(),
            coefficients: coefficients.clone(),
            certain: *certain,
        })
        .collect()
    }
}

/// What is kept of the rows of the equations, or why the full Newton-Euler system is not tried with them; nothing where that is what was asked for.
pub(in crate::program) fn kept_rows(
    posed: &Posed,
    w: &mut Writer<'_>,
) -> Result<KeptRows, Option<&'static str>> {
    let e = posed.equations();
    let other = match e.closure {
        // Without rows there is nothing to keep but the angles' poles.
        None => !spins_without_rows(w),
        Some(closure) => matches!(closure, Closure::Explicit | Closure::GeneralizedInverse),
    };
    let asked = matches!(
        posed.aims.plan,
        catalogue::Plan::Auto | catalogue::Plan::NewtonEuler
    );
    if other || !asked || posed.formulated.balances.is_some() {
        return Err(None);
    }
    if e.coupling.is_some() || w.c.coupled {
        return Err(Some("loads depend on reactions"));
    }
    if !posed.formulated.cyclic.is_empty() {
        return Err(Some(
            "the equations are stated without the cyclic coordinates",
        ));
    }
    if !w.c.system.nonideal.is_empty() {
        return Err(Some("constraints are not ideal"));
    }
    let definite = space(posed, w);
    let untried = definite.is_none().then_some(SINGULAR);
    let space = match definite {
        Some(space) => space,
        // The rows may still determine everything, but by what pivots is not known beforehand.
        None if posed.aims.presumes && e.closure.is_some() => of_singular(posed, w),
        None => return Err(untried),
    };
    let (left, untried) = match selection::rows(w, space) {
        Some(left) => (left, untried),
        // At ordinary places it may be known which do.
        None if posed.aims.presumes => {
            let ordinary = around(w);
            let moving = &mut Still::default();
            let left = own::independent(w, space, &ordinary, (Wanted::Any, moving));
            (left.ok_or(VARYING)?, Some(VARYING))
        }
        None => return Err(Some(VARYING)),
    };
    let Left {
        names,
        a,
        b,
        acting,
        back,
    } = left;
    let rows = lowered_rows(w, &a, &b);
    let certain = a.iter();
    let certain = certain.map(|row| row.iter().any(|e| w.c.alg.is_nonzero(e)));
    let certain = certain.collect();
    let stated = (space == e.space).then(|| {
        let mass = w.lower_all(e.mass.iter().flatten());
        (mass, w.lower_all(&e.forcing))
    });
    let mut skeleton = Skeleton::new(&mut w.c, &mut w.low, space)
        .ok_or("gravity or loads cannot be written there")?;
    skeleton.definite = definite.is_some();
    let ties = Ties::new(&mut w.c, &mut w.low, space, &acting);
    let skeleton = skeleton.tied(&ties);
    Ok(KeptRows {
        space,
        untried,
        rows,
        names,
        back,
        certain,
        stated,
        skeleton,
        places: places(w),
    })
}

/// Whether all that M is singular for are angles, in whose place angular velocities stand.
fn spins_without_rows(w: &mut Writer<'_>) -> bool {
    let mechanics = w.mechanics();
    let angles = mechanics.spins.as_ref().is_some_and(|s| s.rows.is_empty());
    angles && !w.c.speeds.reduced && regular::stands_still_in(&mut w.c, Space::Spins)
}

/// States at which the constraints hold, for the rounding errors of plans: elsewhere rows may nearly depend on one another that do not there.
fn places(w: &mut Writer<'_>) -> Vec<Place> {
    let mechanics = w.mechanics();
    let alg = &w.c.alg;
    let found = Places::find(alg, &mechanics.values(), &mechanics.constraints);
    inputs(w, &found)
}

/// Where the machine is as a rule.
fn around(w: &Writer<'_>) -> Places {
    let mechanics = w.mechanics();
    Places::ordinary(&w.c.alg, &mechanics.values(), &mechanics.constraints)
}

/// What is known of where the machine is as a rule: around the place at which it is to begin with. Where no coordinate is given a value nothing is known of that one.
pub(in crate::program) fn usual(w: &mut Writer<'_>, space: Space) -> Usual {
    let mechanics = w.mechanics();
    let around = around(w);
    let (values, constraints) = (mechanics.values(), &mechanics.constraints);
    let stated = w.c.system.coords.iter().any(|c| c.initial.is_some());
    let home = stated.then(|| Places::initial(&w.c.alg, &values, constraints));
    let ordinary = Ordinary {
        around: inputs(w, &around),
        home: home.as_ref().and_then(|home| inputs(w, home).pop()),
    };
    let own = own::independent(w, space, &around, (Wanted::Turned, &mut Still::default()));
    let all: Vec<&Places> = [&around].into_iter().chain(&home).collect();
    let standing = still::standing(w, space, &all);
    Usual {
        ordinary,
        own: own.map(|own| {
            let rows = lowered_rows(w, &own.a, &own.b);
            let ties = Ties::new(&mut w.c, &mut w.low, space, &own.acting);
            Own { rows, ties }
        }),
        standing,
    }
}

/// The inputs of a function of the state at each of the places.
fn inputs(w: &Writer<'_>, places: &Places) -> Vec<Place> {
    let known = w.inputs_of_a_state();
    let list: Vec<&Expr> = known.iter().map(|(_, e)| e).collect();
    let states = places.values(&w.c.alg, &w.mechanics().values(), &list);
    let finite = { states.into_iter() }.filter(|state| state.iter().all(|x| x.is_finite()));
    let slots: Vec<Slot> = known.iter().map(|(slot, _)| *slot).collect();
    // Before the coordinates, those, and the speeds.
    let first = { slots.iter() }
        .take_while(|slot| slot.group != group::STATE)
        .count();
    let n = w.c.system.coords.len();
    let exact = finite.map(|mut state| {
        let speeds = still::zeros(state.split_off(first + n));
        let coords = still::zeros(state.split_off(first));
        [state, coords, speeds].concat()
    });
    exact
        .map(|state| slots.iter().copied().zip(state).collect())
        .collect()
}

const VARYING: &str = "at some states other rows than at most depend on one another";
const SINGULAR: &str = "without the constraints the mass matrix may be singular";

/// In whose rates they are where M may be singular in any.
fn of_singular(posed: &Posed, w: &Writer<'_>) -> Space {
    let mechanics = w.mechanics();
    let spins = mechanics.spins.as_ref().filter(|_| !w.c.speeds.reduced);
    let norms = spins.is_some_and(|spins| !spins.rows.is_empty());
    if norms { Space::Spins } else { posed.space() }
}

/// In whose rates the equations are solved: those of the formulation, unless these leave the norms of quaternions as rows; M is definite there.
fn space(posed: &Posed, w: &mut Writer<'_>) -> Option<Space> {
    let own = posed.space();
    let mechanics = w.mechanics();
    let spins = mechanics.spins.as_ref().filter(|_| !w.c.speeds.reduced);
    // A quaternion's norm would be a row; angles need the angular velocity only where their rates leave M singular.
    if spins.is_some_and(|spins| !spins.rows.is_empty() || !posed.definite) {
        return regular::stands_still_in(&mut w.c, Space::Spins).then_some(Space::Spins);
    }
    if posed.definite {
        return Some(own);
    }
    // Independent speeds of the state, in which no row is left.
    let reduced = w.c.speeds.reduced && regular::is_positive_on_constraints(&mut w.c);
    reduced.then_some(Space::SpeedRates)
}

/// The unknowns of the equations and q'' from the rates in the space of the solution, and the conditions on its rows.
pub(in crate::program) fn solved(
    posed: &Posed,
    w: &mut Writer<'_>,
    (space, rows, back): (Space, &[NamedRow], Option<&Back>),
    mut worked: Worked,
) -> (Vec<Value>, Unknowns) {
    check_rows(w, rows, &worked.plan);
    let count = w.c.kinematics(space).motion.speeds.len();
    // `M z' + A^T x = f` gives the opposite of the multipliers.
    let opposite = worked.unknowns.split_off(count);
    let multipliers: Vec<Value> = opposite.into_iter().map(|x| w.low.graph.neg(x)).collect();
    let multipliers = back.map(|back| back.multipliers(w, &multipliers));
    let accelerations = accelerations(w, space, &worked.unknowns);
    let values = if posed.space() == space {
        worked.unknowns
    } else {
        let dots = w.c.kinematics(posed.space()).motion.speed_dots.clone();
        w.values_of(dots)
    };
    let found = Unknowns {
        multipliers,
        ..Unknowns::by(Route::Plan(worked.id), values)
    };
    (accelerations, found)
}

/// Conditions on the pivots of the rows. The first pivot of a row, `a M^-1 a^T`, is a sum of squares, which is small beside none of its terms:
/// whether the row holds anything is told from its coefficients.
fn check_rows(w: &mut Writer<'_>, rows: &[NamedRow], plan: &Plan) {
    let unknowns = plan.solution.first().map_or(0, Vec::len);
    let first = unknowns.saturating_sub(rows.len());
    for pivot in &plan.pivots {
        let (Some(value), Some(scale), [unknown]) =
            (pivot.value, pivot.checked, pivot.unknowns.as_slice())
        else {
            continue;
        };
        let row = &rows[unknown - first];
        let name = &row.name;
        let size = (!row.certain).then(|| rows::largest(w, &row.coefficients));
        if let Some((size, natural)) = size.flatten() {
            let text = format!("constraint `{name}` holds no acceleration");
            let divisors = vec![value, bare(&w.low.graph, value)];
            let note = "all its coefficients vanish there";
            w.condition_for(size, divisors, Some(natural), text, note);
        }
        if value != scale {
            let text = format!("constraint `{name}` depends on the others");
            let note = "a pivot of A M^-1 A^T vanishes";
            w.pivot_condition(value, Some(scale), text, note);
        }
    }
}

/// q'' from the rates in a space; the symbols of both, and of the state's speeds, have their values afterwards.
pub(super) fn accelerations(w: &mut Writer<'_>, space: Space, z: &[Value]) -> Vec<Value> {
    let mechanics = w.mechanics();
    let dots = w.c.kinematics(space).motion.speed_dots.clone();
    let spins = mechanics.spins.as_ref().filter(|_| space == Space::Spins);
    let values: Vec<Value> = match spins {
        None => z.to_vec(),
        Some(spins) => {
            for (dot, value) in dots.iter().zip(z) {
                w.bind_value(*dot, *value);
            }
            let zero = w.low.graph.zero();
            spins.idle.iter().for_each(|dot| w.bind_value(*dot, zero));
            for c in spins.replaced() {
                let value = w.c.acceleration_in(Space::Spins, c);
                let value = w.lower(&value);
                w.bind_value(mechanics.vars.rate_dots[c], value);
            }
            let own: Vec<Var> = w.c.kinematics(Space::SpeedRates).motion.speed_dots.clone();
            w.values_of(own)
        }
    };
    let of = if space == Space::Accelerations {
        space
    } else {
        Space::SpeedRates
    };
    let list = unknowns::accelerations_in(w, of, &values);
    for (dot, value) in
        w.c.kinematics(of)
            .motion
            .speed_dots
            .clone()
            .iter()
            .zip(&values)
    {
        w.bind_value(*dot, *value);
    }
    for (dot, value) in mechanics.vars.rate_dots.iter().zip(&list) {
        w.bind_value(*dot, *value);
    }
    list
}
