//! Whether the motion is determined at all, and whether loads and outputs have values.

use crate::diag::Diagnostic;
use crate::elim::{Matrix, echelon, has_full_rank};
use crate::field::Extended;
use crate::form::regular::is_determined_by_bodies;
use crate::form::{Context, Space};
use crate::mech::vec3::{self, Vec3};
use crate::model::system::{Joint, Quantity};
use crate::sym::Expr;

/// Refuses models in which neither mass nor constraint determines a coordinate.
pub fn check_determined(c: &mut Context<'_>) -> Result<(), Vec<Diagnostic>> {
    let n = c.system.coords.len();
    if c.by_rates.waits && is_determined_by_bodies(c) {
        return Ok(());
    }
    let mut rows = velocity_rows(c);
    rows.extend(c.constraints.rows.iter().map(|row| sparse(&row.a)));
    if has_full_rank(&c.alg, &rows, n) {
        return Ok(());
    }
    // Which coordinate a message names follows from the order of the rows and columns, whatever is found to be determined by itself.
    let whole = |row: &Sparse| {
        let mut whole = vec![Expr::zero(); n];
        row.iter().for_each(|(i, e)| whole[*i] = e.clone());
        whole
    };
    let rows: Matrix = rows.iter().map(whole).collect();
    let order: Vec<usize> = (0..n).collect();
    let e = echelon(&c.alg, &rows, &order);
    if e.rank() == n {
        return Ok(());
    }
    Err(moving_nothing(c, &e.null_space()))
}

/// What is wrong with motions that move no mass and meet no constraint.
fn moving_nothing(c: &mut Context<'_>, motions: &[Vec<Extended>]) -> Vec<Diagnostic> {
    let n = c.system.coords.len();
    let mut errors = Vec::new();
    for v in motions {
        let involved: Vec<usize> = (0..n).filter(|i| v[*i] != Extended::ZERO).collect();
        let first = &c.system.coords[involved[0]].meta;
        let names: Vec<String> = involved
            .iter()
            .map(|i| format!("`{}`", c.system.coords[*i].meta.name))
            .collect();
        let moved = moved_by(c, &involved);
        let (title, label, help) = if involved.len() == 1 {
            (
                format!(
                    "nothing determines `{}`: it has neither mass nor constraint",
                    first.name
                ),
                if moved.is_empty() {
                    "it moves no point and no frame".to_string()
                } else {
                    format!("it moves {}, but nothing that has mass", moved.join(", "))
                },
                "give what it moves a mass or an inertia, add a constraint, or remove the coordinate",
            )
        } else {
            (
                format!("nothing determines {} separately", names.join(" and ")),
                format!(
                    "{} moves no mass and meets no constraint",
                    together(c, &involved, v)
                ),
                "remove one of them, or add a mass that they move differently or a constraint between them",
            )
        };
        let mut d = Diagnostic::error("E0320", title, first.span, label).help(help);
        for i in involved.iter().skip(1) {
            d = d.label(c.system.coords[*i].meta.span, "");
        }
        errors.push(d);
    }
    errors
}

/// The points and frames that some coordinates move, as a list for a sentence; not more than four.
fn moved_by(c: &mut Context<'_>, coords: &[usize]) -> Vec<String> {
    let system = c.system;
    let (_, _, k, _) = c.parts(Space::Accelerations);
    let points = k.points.iter().zip(&system.points);
    let points = points.filter(|(p, _)| coords.iter().any(|i| p.moved_by.speeds.contains(i)));
    let frames = k.frames.iter().zip(&system.frames);
    let frames = frames.filter(|(f, _)| coords.iter().any(|i| f.turned_by.speeds.contains(i)));
    let points = points.map(|(_, p)| ("point", &p.meta.name));
    let frames = frames.map(|(_, f)| ("frame", &f.meta.name));
    let named = points.chain(frames).filter(|(_, name)| !name.contains('#'));
    let mut list: Vec<String> = named
        .map(|(kind, name)| format!("{kind} `{name}`"))
        .collect();
    if list.len() > 4 {
        let more = list.len() - 3;
        list.truncate(3);
        list.push(format!("{more} more"));
    }
    list
}

/// A direction of motion in words: "`z' = -w'`" if it is the same everywhere and simple.
fn together(c: &Context<'_>, involved: &[usize], direction: &[Extended]) -> String {
    let name = |i: usize| format!("{}'", c.system.coords[i].meta.name);
    if let [a, b] = involved {
        if direction[*a] == direction[*b] {
            return format!("changing both alike, {} = {},", name(*a), name(*b));
        }
        if direction[*a] == -direction[*b] {
            return format!("changing them oppositely, {} = -{},", name(*a), name(*b));
        }
    }
    "a way of changing them together".to_string()
}

/// Refuses loads and outputs that have no value at any state.
pub fn check_values(c: &mut Context<'_>) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for list in [&c.system.loads, &c.system.nonideal] {
        let (alg, values, k, _) = c.parts(Space::Accelerations);
        errors.extend(
            values
                .generalized_forces(alg, k, list)
                .err()
                .into_iter()
                .flatten(),
        );
    }
    if errors.is_empty() {
        // What gravity adds up to takes the partial velocities of all bodies.
        let faults = if c.by_rates.waits {
            c.gravity(Space::Accelerations).err()
        } else {
            c.forces(Space::Accelerations).err()
        };
        errors.extend(faults.into_iter().flatten());
    }
    for s in &c.system.states {
        let (alg, values, k, _) = c.parts(Space::Accelerations);
        let value = values.scalar(alg, k, &s.rate);
        errors.extend(value.err().map(|fault| fault.at(s.meta.span)));
    }
    for o in &c.system.outputs {
        let (alg, values, k, _) = c.parts(Space::Accelerations);
        let value = match &o.value {
            Quantity::Scalar(s) => values.scalar(alg, k, s).map(drop),
            Quantity::Vector(v) => values.vector(alg, k, v).map(drop),
        };
        errors.extend(value.err().map(|fault| fault.at(o.meta.span)));
    }
    if errors.is_empty() && c.system.joints.iter().any(Joint::is_pair) {
        errors.extend(c.balances().err().unwrap_or_default());
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// The entries of a row that are not 0, with their columns: of thousands of coordinates a mass moves with few.
type Sparse = Vec<(usize, Expr)>;

fn sparse(row: &[Expr]) -> Sparse {
    let entries = row.iter().cloned().enumerate();
    entries.filter(|(_, e)| !e.is_literal_zero()).collect()
}

/// One row per velocity component of every mass: M v = 0 means that all of them vanish (masses positive).
fn velocity_rows(c: &mut Context<'_>) -> Vec<Sparse> {
    let given = c.energies.as_ref().and_then(|e| e.kinetic.as_ref());
    let mut rows: Vec<Sparse> =
        given.map_or_else(Vec::new, |t| t.mass.iter().map(|row| sparse(row)).collect());
    let (alg, _, k, masses) = c.parts(Space::Accelerations);
    for m in masses {
        if !alg.is_zero(&m.mass) {
            let partials = k.moving(alg, m.center).coef.iter();
            for axis in 0..3 {
                let entry = |(i, v): (&usize, &Vec3)| (*i, v[axis].clone());
                rows.push(partials.clone().map(entry).collect());
            }
        }
        if let Some((f, inertia)) = &m.rotation {
            let partials = k.turning(alg, *f).coef.iter();
            for row in inertia {
                let entry = |(i, v): (&usize, &Vec3)| (*i, vec3::dot(row, v));
                rows.push(partials.clone().map(entry).collect());
            }
        }
    }
    rows
}

/// All that can be found wrong without forming equations.
pub fn check(c: &mut Context<'_>) -> Result<(), Vec<Diagnostic>> {
    let mut errors = check_determined(c).err().unwrap_or_default();
    if errors.is_empty() && !crate::form::regular::is_semidefinite(c) {
        errors.extend(check_inertia(c).err().unwrap_or_default());
    }
    errors.extend(check_values(c).err().unwrap_or_default());
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// The error of last resort for a mass matrix that is singular at every state.
pub fn undetermined(c: &mut Context<'_>) -> Vec<Diagnostic> {
    let found = check_inertia(c).err().unwrap_or_default();
    if !found.is_empty() {
        return found;
    }
    let span = c
        .system
        .coords
        .first()
        .map_or_else(crate::span::Span::default, |x| x.meta.span);
    vec![
        Diagnostic::error(
            "E0320",
            "the equations do not determine the accelerations",
            span,
            "the mass matrix is singular at every state",
        )
        .help("give every coordinate a mass that it moves, or a constraint that holds it"),
    ]
}

/// Refuses models whose masses cancel one another: the kinetic energy does not feel a direction that no constraint
/// holds, although masses move in it.
fn check_inertia(c: &mut Context<'_>) -> Result<(), Vec<Diagnostic>> {
    let n = c.system.coords.len();
    let kinetic = c.kinetic_energy(Space::Accelerations);
    let rates = c.vars.rates.clone();
    let mut rows: Matrix = Vec::with_capacity(n);
    for r in &rates {
        let momentum = c.alg.partial(&kinetic, *r);
        rows.push(rates.iter().map(|s| c.alg.partial(&momentum, *s)).collect());
    }
    rows.extend(c.constraints.matrix());
    let order: Vec<usize> = (0..n).collect();
    let e = echelon(&c.alg, &rows, &order);
    let mut errors = Vec::new();
    for v in &e.null_space() {
        let involved: Vec<usize> = (0..n).filter(|i| v[*i] != Extended::ZERO).collect();
        let Some(first) = involved.first() else {
            continue;
        };
        let names: Vec<String> = involved
            .iter()
            .map(|i| format!("`{}`", c.system.coords[*i].meta.name))
            .collect();
        errors.push(
            Diagnostic::error(
                "E0320",
                format!(
                    "the masses that {} moves cancel one another",
                    names.join(" with ")
                ),
                c.system.coords[*first].meta.span,
                "the kinetic energy does not depend on this rate",
            )
            .help("check the signs of the masses and moments of inertia"),
        );
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}
