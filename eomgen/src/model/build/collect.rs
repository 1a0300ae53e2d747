//! All declared names and what they are made of, before anything is resolved.

use crate::model::names::Thing;
use crate::model::order::Node;
use crate::model::resolve::{BodyFacts, Resolver, is_function_name};
use crate::model::system::{
    CoordId, FunctionId, InputId, JointId, LetId, ParamId, SpeedId, StateId,
};
use crate::model::units::{Dim, DimExpr, read_unit};
use crate::span::Span;
use crate::syntax::ast::{
    BodyClause, Defined, Definition, Expr, ExprKind, Ident, Item, ItemKind, LoadKind, Quantities,
    QuantityKind, Reaction, ReactionPair, Relation, Signature, SourceFile, UnitExpr,
};
use crate::syntax::visit::{self, Piece};

/// A parameter, coordinate or input as declared.
#[derive(Clone, Copy)]
pub struct Quantity<'a> {
    pub name: &'a Ident,
    pub shown: Option<&'a Ident>,
    pub value: Option<&'a Expr>,
    pub unit: Option<&'a UnitExpr>,
    pub assume: Option<&'a (Relation, Expr)>,
    pub item: &'a Item,
}

/// A function as declared.
#[derive(Clone, Copy)]
pub struct FunctionDecl<'a> {
    pub signature: &'a Signature,
    pub unit: Option<&'a UnitExpr>,
    pub item: &'a Item,
}

/// `let`, `frame`, `point`, `speed`: a name and its value.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    pub name: &'a Ident,
    pub value: &'a Expr,
    pub item: &'a Item,
}

/// A declaration that others may need, by its index within its kind.
#[derive(Clone, Copy)]
pub enum Needed {
    Frame(usize),
    Point(usize),
    Let(usize),
    Speed(usize),
    Function(usize),
    Body(usize),
    Constraint(usize),
    Group(usize),
}

/// The declarations by kind, each in order.
#[derive(Default)]
pub struct Declarations<'a> {
    pub params: Vec<Quantity<'a>>,
    pub coords: Vec<Quantity<'a>>,
    pub inputs: Vec<Quantity<'a>>,
    /// States of first order.
    pub states: Vec<Quantity<'a>>,
    pub functions: Vec<FunctionDecl<'a>>,
    pub lets: Vec<Named<'a>>,
    pub frames: Vec<Named<'a>>,
    pub points: Vec<Named<'a>>,
    pub speeds: Vec<Named<'a>>,
    pub bodies: Vec<&'a Item>,
    pub constraints: Vec<&'a Item>,
    pub groups: Vec<&'a Item>,
    /// What others may need: frames, points, then the rest, each with its symbol.
    pub needed: Vec<(Needed, usize)>,
    /// The name in the `model` line, or the first declaration.
    pub model_span: Span,
}

/// Fills the scope with the names of the file; reports those that are taken.
pub fn collect<'a>(file: &'a SourceFile, scope: &mut Resolver) -> Declarations<'a> {
    let mut all = Declarations::default();
    let name = file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Model(name) => Some(name.span),
        _ => None,
    });
    let first = file.items.first().map(|i| i.span);
    all.model_span = name.or(first).unwrap_or_default();
    for item in &file.items {
        match &item.kind {
            ItemKind::Quantities(quantities) => all.quantities(quantities, item, scope),
            ItemKind::Function { signatures, unit } => {
                all.functions(signatures, unit.as_ref(), item, scope);
            }
            ItemKind::Define(definition) => all.define(definition, item, scope),
            ItemKind::Particle { name, .. } | ItemKind::Body { name, .. } => {
                all.body(name, item, scope);
            }
            ItemKind::Group { name, .. } => {
                let i = all.groups.len();
                all.need(Needed::Group(i), name, Thing::Group(i), scope);
                all.groups.push(item);
                scope.groups.push(None);
            }
            ItemKind::Constraint(constraint) => {
                let i = all.constraints.len();
                let thing = Thing::Constraint(i);
                all.need(Needed::Constraint(i), &constraint.name, thing, scope);
                all.constraints.push(item);
                scope.constraints.push(None);
            }
            ItemKind::Reaction(Reaction { name, .. })
            | ItemKind::ReactionPair(ReactionPair { name, .. }) => {
                declare(scope, name, Thing::Joint(JointId(count(&scope.joints))));
                scope.joints.push(DimExpr::none());
            }
            ItemKind::Spring(spring) => {
                declare(scope, &spring.name, Thing::Spring(spring.damper));
            }
            ItemKind::Event(event) => {
                declare(scope, &event.name, Thing::Event);
            }
            ItemKind::Drawing(drawing) => {
                declare(scope, &drawing.name, Thing::Drawing);
            }
            _ => {}
        }
    }
    reaction_units(file, scope);
    // Frames first, then points: so their lists are parents first and otherwise as declared.
    all.needed.sort_by_key(|(needed, _)| match needed {
        Needed::Frame(_) => 0,
        Needed::Point(_) => 1,
        _ => 2,
    });
    all
}

/// The unit of a declared reaction is that of what it holds, or of what acts.
fn reaction_units(file: &SourceFile, scope: &mut Resolver) {
    let mut joints = 0..;
    for item in &file.items {
        let torque = match &item.kind {
            ItemKind::Reaction(reaction) => matches!(
                scope.names.get(&reaction.at.text).map(|s| s.thing),
                Some(Thing::Frame(_))
            ),
            ItemKind::ReactionPair(pair) => pair.kind == LoadKind::Torque,
            _ => continue,
        };
        if let Some(dim) = joints.next().and_then(|i: usize| scope.joints.get_mut(i)) {
            *dim = if torque { Dim::torque() } else { Dim::force() }.into();
        }
    }
}

impl<'a> Declarations<'a> {
    /// Notes a declaration that others may need.
    fn need(&mut self, needed: Needed, name: &Ident, thing: Thing, scope: &mut Resolver) {
        let symbol = declare(scope, name, thing);
        self.needed.push((needed, symbol));
    }

    fn quantities(&mut self, all: &'a Quantities, item: &'a Item, scope: &mut Resolver) {
        for declared in &all.names {
            let quantity = Quantity {
                name: &declared.name,
                shown: declared.shown.as_ref(),
                value: declared.value.as_ref(),
                unit: all.unit.as_ref(),
                assume: all.assume.as_ref(),
                item,
            };
            let (list, thing) = match all.kind {
                QuantityKind::Param => {
                    let id = ParamId(count(&self.params));
                    (&mut self.params, Thing::Param(id))
                }
                QuantityKind::Coord => {
                    let id = CoordId(count(&self.coords));
                    (&mut self.coords, Thing::Coord(id))
                }
                QuantityKind::State => {
                    let id = StateId(count(&self.states));
                    (&mut self.states, Thing::State(id))
                }
                QuantityKind::Input => {
                    let id = InputId(count(&self.inputs));
                    (&mut self.inputs, Thing::Input(id))
                }
            };
            declare(scope, quantity.name, thing);
            list.push(quantity);
        }
    }

    fn functions(
        &mut self,
        signatures: &'a [Signature],
        unit: Option<&'a UnitExpr>,
        item: &'a Item,
        scope: &mut Resolver,
    ) {
        for signature in signatures {
            let thing = Thing::Function(FunctionId(count(&self.functions)));
            let needed = Needed::Function(self.functions.len());
            self.need(needed, &signature.name, thing, scope);
            self.functions.push(FunctionDecl {
                signature,
                unit,
                item,
            });
            scope.function_args.push(None);
        }
    }

    fn define(&mut self, definition: &'a Definition, item: &'a Item, scope: &mut Resolver) {
        let Definition { what, name, value } = definition;
        let (list, needed, thing) = match what {
            Defined::Output => {
                declare(scope, name, Thing::Output);
                return;
            }
            Defined::Let | Defined::Kinetic | Defined::Potential | Defined::Dissipation => {
                scope.lets.push(None);
                let (i, id) = (self.lets.len(), LetId(count(&self.lets)));
                (&mut self.lets, Needed::Let(i), Thing::Let(id))
            }
            Defined::Speed => {
                scope.speeds.push(None);
                let (i, id) = (self.speeds.len(), SpeedId(count(&self.speeds)));
                (&mut self.speeds, Needed::Speed(i), Thing::Speed(id))
            }
            // `N` is the first.
            Defined::Frame => {
                scope.frames.push(None);
                let i = self.frames.len();
                (&mut self.frames, Needed::Frame(i), Thing::Frame(i + 1))
            }
            // `O` is the first.
            Defined::Point => {
                scope.points.push(None);
                let i = self.points.len();
                (&mut self.points, Needed::Point(i), Thing::Point(i + 1))
            }
        };
        list.push(Named { name, value, item });
        self.need(needed, name, thing, scope);
    }

    fn body(&mut self, name: &Ident, item: &'a Item, scope: &mut Resolver) {
        let i = self.bodies.len();
        let rigid = matches!(item.kind, ItemKind::Body { .. });
        self.need(Needed::Body(i), name, Thing::Body(i, rigid), scope);
        self.bodies.push(item);
        scope.bodies.push(BodyFacts::default());
        scope.masses.push(None);
    }
}

fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

fn declare(scope: &mut Resolver, name: &Ident, thing: Thing) -> usize {
    let (symbol, mut clash) = scope.names.declare(name, thing);
    if clash.is_none() && matches!(thing, Thing::Function(_)) && is_function_name(&name.text) {
        clash = Some(scope.names.builtin_clash(name));
    }
    scope.diagnostics.extend(clash);
    symbol
}

impl<'a> Declarations<'a> {
    /// What others may need, with what it depends on itself.
    pub fn nodes(&self) -> Vec<Node<'a>> {
        let nodes = self.needed.iter().map(|(needed, symbol)| {
            let (exprs, names) = match *needed {
                Needed::Frame(i) => (vec![self.frames[i].value], Vec::new()),
                Needed::Point(i) => (vec![self.points[i].value], Vec::new()),
                Needed::Let(i) => (vec![self.lets[i].value], Vec::new()),
                Needed::Speed(i) => (vec![self.speeds[i].value], Vec::new()),
                Needed::Function(i) => {
                    let args = &self.functions[i].signature.args;
                    (Vec::new(), args.iter().map(|a| a.text.as_str()).collect())
                }
                Needed::Body(i) => body_parts(self.bodies[i]),
                Needed::Constraint(i) => parts(self.constraints[i]),
                Needed::Group(i) => parts(self.groups[i]),
            };
            Node {
                symbol: *symbol,
                exprs,
                names,
            }
        });
        nodes.collect()
    }
}

/// The expressions of a statement, and the names outside of them that it mentions.
fn parts(item: &Item) -> (Vec<&Expr>, Vec<&str>) {
    let (mut exprs, mut names) = (Vec::new(), Vec::new());
    for piece in visit::pieces(item) {
        match piece {
            Piece::Expr(expr) => exprs.push(expr),
            Piece::Reference(reference) => names.push(reference.text.as_str()),
            _ => {}
        }
    }
    (exprs, names)
}

/// The mass of a body, and the names of the point and frame that place it: its inertia nobody asks for.
fn body_parts(item: &Item) -> (Vec<&Expr>, Vec<&str>) {
    let ItemKind::Body { clauses, .. } = &item.kind else {
        return parts(item);
    };
    let (mut masses, mut names) = (Vec::new(), Vec::new());
    for clause in clauses {
        match clause {
            BodyClause::Mass(mass) => masses.push(mass),
            BodyClause::Frame(name) | BodyClause::Center(name) => names.push(name.text.as_str()),
            BodyClause::Inertia { .. } => {}
        }
    }
    (masses, names)
}

/// Whether the model names any unit that is not an angle's. If not, its numbers may be taken in
/// any consistent units.
pub fn names_units(file: &SourceFile) -> bool {
    let telling = |unit: &UnitExpr| read_unit(unit).map_or(true, |unit| !unit.dim.is_none());
    let number = |expr: &Expr| matches!(&expr.kind, ExprKind::Number { unit: Some(unit), .. } if telling(unit));
    file.items.iter().any(|item| {
        let (unit, exprs) = visit::unit_and_exprs(item);
        unit.is_some_and(telling) || exprs.into_iter().any(|expr| visit::any(expr, &number))
    })
}

/// Whether a number in the expression has a unit.
pub fn has_unit(expr: &Expr) -> bool {
    let number = |e: &Expr| matches!(e.kind, ExprKind::Number { unit: Some(_), .. });
    visit::any(expr, &number)
}
