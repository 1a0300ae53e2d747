//! From a syntax tree to a checked [`System`]: collects all names, resolves what others need in
//! the order of need, then everything else in the order of declaration.

mod axis;
mod bodies;
mod collect;
mod decimals;
mod drawings;
mod energies;
mod finish;
mod frames;
mod initial;
mod loads;
mod points;
mod quantities;
mod quaternions;
mod reactions;
mod relations;
mod states;
mod values;
mod weight;

use crate::diag::{Diagnostic, Severity};
use crate::model::codes;
use crate::model::deduplicate::deduplicated;
use crate::model::expand::{Surroundings, expand};
use crate::model::order;
use crate::model::resolve::Resolver;
use crate::model::system::{
    Assumption, Body, Constraint, Coord, Drawing, Energy, EnergyKind, Event, Frame, Function,
    Input, Joint, Load, Meta, Output, Param, Point, Sign, System, Vector,
};
use crate::model::turns;
use crate::model::units::DimExpr;
use crate::span::Span;
use crate::syntax::ast::{Defined, Definition, Ident, Item, ItemKind, Relation, SourceFile};
use crate::syntax::visit::{self, Piece};
use collect::Declarations;
use initial::Starts;
use states::Unfinished;
use weight::{Sort, Weights};

/// Resolves and checks a whole model with its parts. There is a [`System`] only if no message is an error; all
/// independent errors are reported at once, in the order of the text.
pub fn build_with(file: &SourceFile, around: Surroundings) -> (Option<System>, Vec<Diagnostic>) {
    let expanded = expand(file, around);
    let mut told = expanded.failed;
    told.extend(expanded.diagnostics.iter().flat_map(primary));
    let mut diagnostics = expanded.diagnostics;
    let mut system = None;
    if !expanded.incomplete {
        let unread = !expanded.file.unread.is_empty();
        let mut builder = Builder::new(&expanded.file);
        builder.resolve_needed();
        builder.resolve_rest(&expanded.file);
        builder.check_whole();
        let (built, found) = builder.finish(&expanded.file);
        // Of statements that could not be read nothing is known that would be missing elsewhere.
        let failed = unread || diagnostics.iter().any(is_error);
        system = built.filter(|_| !failed);
        // What a wrong reference stands for is unknown, which was told already; and what it would have
        // been may be what seems to be missing.
        let new = |d: &Diagnostic| {
            (is_error(d) || !failed) && !primary(d).is_some_and(|span| told.contains(&span))
        };
        diagnostics.extend(found.into_iter().filter(new));
    }
    diagnostics.sort_by_key(primary);
    let items: Vec<Span> = expanded.file.items.iter().map(|i| i.span).collect();
    let diagnostics = deduplicated(diagnostics, &items);
    let diagnostics = expanded.copies.explain(diagnostics);
    if let Some(system) = &mut system {
        system.copies = expanded.copies;
        turns::join(system);
    }
    (system, diagnostics)
}

fn primary(diagnostic: &Diagnostic) -> Option<Span> {
    diagnostic.labels.first().map(|label| label.span)
}

/// A system on its way.
#[derive(Default)]
struct Builder<'a> {
    scope: Resolver,
    declared: Declarations<'a>,
    params: Vec<Param>,
    coords: Vec<Coord>,
    states: Vec<Unfinished>,
    inputs: Vec<Input>,
    functions: Vec<Option<Function>>,
    frames: Vec<Frame>,
    bodies: Vec<Body>,
    gravity: Option<(Vector, Span)>,
    loads: Vec<Load>,
    nonideal: Vec<Load>,
    energies: Vec<Energy>,
    /// Constraints with their index in the order of declaration.
    constraints: Vec<(usize, Constraint, DimExpr)>,
    joints: Vec<Joint>,
    /// Constraints are resolved with what others need, since their reactions are mentioned.
    early: bool,
    privileged: Vec<(crate::model::system::Scalar, Span)>,
    assumptions: Vec<Assumption>,
    starts: Starts,
    outputs: Vec<(Output, DimExpr)>,
    events: Vec<Event>,
    drawings: Vec<Drawing>,
    /// Whether the orientation of each frame in its parent never changes.
    steady: Vec<bool>,
    /// How large named values are.
    weights: Weights,
}

impl<'a> Builder<'a> {
    fn new(file: &'a SourceFile) -> Self {
        let mut scope = Resolver::new(!collect::names_units(file));
        scope.unread.clone_from(&file.unread);
        let declared = collect::collect(file, &mut scope);
        let mut builder = Builder {
            scope,
            declared,
            frames: vec![Frame {
                meta: predeclared("N", "The inertial frame."),
                orientation: None,
            }],
            early: reactions::mentions_reactions(file),
            steady: vec![true],
            ..Builder::default()
        };
        builder.scope.system_points = Some(vec![Point {
            meta: predeclared("O", "The origin of the inertial frame."),
            offset: None,
        }]);
        builder.declare_quantities();
        builder
    }

    /// Frames, points, `let`s, speeds, functions, centres and frames of bodies, each after its needs.
    fn resolve_needed(&mut self) {
        let nodes = self.declared.nodes();
        let order = order::sort(&self.scope.names, &nodes);
        self.scope.diagnostics.extend(order.diagnostics);
        for index in order.sorted {
            let needed = self.declared.needed[index].0;
            if !self.weigh(needed) {
                continue;
            }
            match needed {
                collect::Needed::Frame(i) => self.frame(i),
                collect::Needed::Point(i) => self.point(i),
                collect::Needed::Let(i) => self.named_value(i),
                collect::Needed::Speed(i) => self.speed(i),
                collect::Needed::Function(i) => self.function(i),
                collect::Needed::Body(i) => self.center_and_frame(i),
                collect::Needed::Constraint(i) if self.early => {
                    self.constraint(self.declared.constraints[i]);
                }
                collect::Needed::Constraint(_) => {}
                collect::Needed::Group(i) => self.group(i),
            }
        }
    }

    /// Whether a value is small enough to be computed with; said if not.
    fn weigh(&mut self, needed: collect::Needed) -> bool {
        let (named, sort) = match needed {
            collect::Needed::Frame(i) => (self.declared.frames[i], Sort::Geometry),
            collect::Needed::Point(i) => (self.declared.points[i], Sort::Geometry),
            collect::Needed::Let(i) => (self.declared.lets[i], Sort::Value),
            collect::Needed::Speed(i) => (self.declared.speeds[i], Sort::Value),
            _ => return true,
        };
        let found = self.weights.define(&named.name.text, named.value, sort);
        found.map_err(|wrong| self.scope.report(wrong)).is_ok()
    }

    /// The same of a statement that nothing else needs.
    fn is_light(&mut self, item: &Item) -> bool {
        let found = visit::pieces(item)
            .into_iter()
            .find_map(|piece| match piece {
                Piece::Expr(value) => self.weights.check(value).err(),
                _ => None,
            });
        match found {
            Some(wrong) => {
                self.scope.report(wrong);
                false
            }
            None => true,
        }
    }

    /// What nothing else needs, in the order of declaration.
    fn resolve_rest(&mut self, file: &'a SourceFile) {
        for item in &file.items {
            if let ItemKind::Initial(values) = &item.kind
                && self.is_light(item)
            {
                self.initial(values);
            }
        }
        self.defaults_and_signs();
        for item in &file.items {
            let is_done = self.is_named_value(item) || matches!(item.kind, ItemKind::Initial(_));
            if !is_done && !self.is_light(item) {
                continue;
            }
            match &item.kind {
                ItemKind::Particle { name, .. } => self.particle(name, item),
                ItemKind::Body { name, clauses } => self.rigid_body(name, clauses, item),
                ItemKind::Rate { state, value } => self.state_rate(state, value),
                ItemKind::Gravity(value) => self.gravity(value, item),
                ItemKind::Load(load) => self.load(load, item),
                ItemKind::Define(definition) => self.definition(definition, item),
                ItemKind::Spring(spring) => self.spring(spring, item),
                ItemKind::Constraint(_) if !self.early => self.constraint(item),
                ItemKind::Reaction(reaction) => self.joint(reaction, item),
                ItemKind::ReactionPair(pair) => self.pair(pair, item),
                ItemKind::Event(event) => self.event(event, item),
                ItemKind::Drawing(drawing) => self.drawing(drawing, item),
                ItemKind::Privileged(list) => self.privileged(list),
                ItemKind::Assume { lhs, relation, rhs } => {
                    self.assume(lhs, *relation, rhs, item.span);
                }
                _ => {}
            }
        }
    }

    /// Whether it was weighed with what others need.
    fn is_named_value(&self, item: &Item) -> bool {
        use Defined::{Frame, Let, Point, Speed};
        matches!(&item.kind, ItemKind::Define(d) if matches!(d.what, Frame | Let | Point | Speed))
    }

    /// What a definition is besides a name for a value.
    fn definition(&mut self, definition: &Definition, item: &Item) {
        let Definition { what, name, value } = definition;
        match what {
            Defined::Frame => self.norm_constraint(name, item),
            Defined::Output => self.output(name, value, item),
            Defined::Kinetic => self.energy(EnergyKind::Kinetic, name, item),
            Defined::Potential => self.energy(EnergyKind::Potential, name, item),
            Defined::Dissipation => self.energy(EnergyKind::Dissipation, name, item),
            Defined::Let | Defined::Point | Defined::Speed => {}
        }
    }

    /// What can be said only of the whole.
    fn check_whole(&mut self) {
        let span = self.declared.model_span;
        if self.declared.coords.is_empty() && self.scope.unread.is_empty() {
            self.scope.report(Diagnostic::error_with_help(
                codes::NO_COORDINATES,
                "the model has no coordinates",
                span,
                "nothing in it can move",
                "declare one, such as `coord theta : rad`",
            ));
        }
        let kinetic = |e: &Energy| e.kind == EnergyKind::Kinetic;
        if self.declared.bodies.is_empty() && !self.energies.iter().any(kinetic) {
            self.scope.report(
                Diagnostic::warning(
                    codes::NO_BODIES,
                    "the model has no particle and no body",
                    span,
                    "nothing in it has mass",
                )
                .help(
                    "declare one, such as `particle A: mass m at P`, or state a `kinetic` energy",
                ),
            );
        }
        self.check_states();
        self.check_origins();
        // What could not be resolved may have mentioned it.
        let failed = self.scope.diagnostics.iter().any(is_error);
        let unused: Vec<_> = std::iter::zip(&self.declared.coords, &self.scope.used)
            .filter(|(_, used)| !**used && !failed)
            .map(|(coord, _)| coord.name)
            .collect();
        for name in unused {
            self.scope.report(
                Diagnostic::warning(
                    codes::UNUSED_COORDINATE,
                    format!("the coordinate `{}` appears nowhere", name.text),
                    name.span,
                    "nothing depends on it",
                )
                .help("use it in a point or a frame, or remove it"),
            );
        }
    }

    fn finish(mut self, file: &SourceFile) -> (Option<System>, Vec<Diagnostic>) {
        self.initial_rates_of_speeds();
        let mut diagnostics = std::mem::take(&mut self.scope.diagnostics);
        diagnostics.sort_by_key(|d| d.labels.first().map(|l| l.span));
        let failed = diagnostics.iter().any(is_error);
        let system = if failed { None } else { self.system(file) };
        (system, diagnostics)
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// Data of `N` and `O`.
fn predeclared(name: &str, docs: &str) -> Meta {
    Meta {
        name: name.to_string(),
        shown: None,
        unit: None,
        docs: docs.to_string(),
        span: Span::default(),
    }
}

/// Data of a declaration whose unit is not yet known.
fn meta(name: &Ident, item: &Item) -> Meta {
    Meta {
        name: name.text.clone(),
        shown: None,
        unit: None,
        docs: docs_of(name, item),
        span: name.span,
    }
}

/// The documentation of a name: of `a; b; c` behind a declaration of three names each has its own.
fn docs_of(name: &Ident, item: &Item) -> String {
    let whole = || item.docs.clone();
    let ItemKind::Quantities(all) = &item.kind else {
        return whole();
    };
    let pieces: Vec<&str> = item.docs.split(';').map(str::trim).collect();
    let stem = |text: &str| text.split('[').next().unwrap_or(text).to_owned();
    // The elements of a family share theirs.
    let mut stems: Vec<String> = all.names.iter().map(|d| stem(&d.name.text)).collect();
    stems.dedup();
    let one_each = pieces.len() == stems.len() && pieces.len() > 1 && !item.docs.contains('\n');
    let at = stems.iter().position(|s| *s == stem(&name.text));
    match at.filter(|_| one_each) {
        Some(at) => pieces[at].to_owned(),
        None => whole(),
    }
}

/// The sign that a comparison with 0 states; `None` for `==`.
fn sign_of(relation: Relation) -> Option<Sign> {
    match relation {
        Relation::Less => Some(Sign::Negative),
        Relation::LessEqual => Some(Sign::NonPositive),
        Relation::Greater => Some(Sign::Positive),
        Relation::GreaterEqual => Some(Sign::NonNegative),
        Relation::NotEqual => Some(Sign::NonZero),
        Relation::Equal => None,
    }
}
