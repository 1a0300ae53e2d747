//! All declared names and what they are made of, before anything is resolved.

use crate::model::names::Thing;
use crate::model::order::Node;
use crate::model::resolve::{Placed, Resolver, is_function_name};
use crate::model::system::{CoordId, FunctionId, InputId, JointId, LetId, ParamId, SpeedId};
use crate::model::units::{Dim, DimExpr, read_unit};
use crate::span::Span;
use crate::syntax::ast::{
    BodyClause, Expr, ExprKind, Ident, Item, ItemKind, LoadKind, Relation, Signature, SourceFile,
    SpringPlace, UnitExpr,
};

/// A parameter, coordinate or input as declared.
#[derive(Clone, Copy)]
pub struct Quantity<'a> {
    pub name: &'a Ident,
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

/// A declaration that others may need, by its place among its kind.
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
    pub functions: Vec<FunctionDecl<'a>>,
    pub lets: Vec<Named<'a>>,
    pub frames: Vec<Named<'a>>,
    pub points: Vec<Named<'a>>,
    pub speeds: Vec<Named<'a>>,
    pub bodies: Vec<&'a Item>,
    pub constraints: Vec<&'a Item>,
    pub groups: Vec<&'a Item>,
    /// What others may need: frames, points, then the rest, each with its symbol.
    pub needed: Vec<Needed>,
    symbols: Vec<usize>,
    /// The name in the `model` line, or the first declaration.
    pub model_span: Span,
}

/// Fills the scope with the names of the file; reports those that are taken.
pub fn collect<'a>(file: &'a SourceFile, scope: &mut Resolver) -> Declarations<'a> {
    let mut all = Declarations::default();
    let mut others = Vec::new();
    let mut joints = Vec::new();
    all.model_span = file.items.first().map(|i| i.span).unwrap_or_default();
    let mut named = false;
    for item in &file.items {
        match &item.kind {
            ItemKind::Model(name) if !named => {
                all.model_span = name.span;
                named = true;
            }
            ItemKind::Param {
                names,
                unit,
                assume,
            } => {
                for quantity in quantities(names, unit, assume, item) {
                    let id = ParamId(count(&all.params));
                    declare(scope, quantity.name, Thing::Param(id));
                    all.params.push(quantity);
                }
            }
            ItemKind::Coord {
                names,
                unit,
                assume,
            } => {
                for quantity in quantities(names, unit, assume, item) {
                    let id = CoordId(count(&all.coords));
                    declare(scope, quantity.name, Thing::Coord(id));
                    all.coords.push(quantity);
                }
            }
            ItemKind::Input { names, unit } => {
                for quantity in quantities(names, unit, &None, item) {
                    let id = InputId(count(&all.inputs));
                    declare(scope, quantity.name, Thing::Input(id));
                    all.inputs.push(quantity);
                }
            }
            ItemKind::Function { signatures, unit } => {
                for signature in signatures {
                    let i = all.functions.len();
                    let id = FunctionId(count(&all.functions));
                    let symbol = declare(scope, &signature.name, Thing::Function(id));
                    all.functions.push(FunctionDecl {
                        signature,
                        unit: unit.as_ref(),
                        item,
                    });
                    scope.function_args.push(None);
                    others.push((Needed::Function(i), symbol));
                }
            }
            ItemKind::Let { name, value } | ItemKind::Energy { name, value, .. } => {
                let i = all.lets.len();
                let symbol = declare(scope, name, Thing::Let(LetId(count(&all.lets))));
                all.lets.push(Named { name, value, item });
                scope.lets.push(None);
                others.push((Needed::Let(i), symbol));
            }
            ItemKind::Speed { name, value } => {
                let i = all.speeds.len();
                let symbol = declare(scope, name, Thing::Speed(SpeedId(count(&all.speeds))));
                all.speeds.push(Named { name, value, item });
                scope.speeds.push(None);
                others.push((Needed::Speed(i), symbol));
            }
            ItemKind::Frame { name, value } => {
                // `N` is the first.
                let symbol = declare(scope, name, Thing::Frame(all.frames.len() + 1));
                all.frames.push(Named { name, value, item });
                scope.frames.push(None);
                all.symbols.push(symbol);
                all.needed.push(Needed::Frame(all.frames.len() - 1));
            }
            ItemKind::Point { name, value } => {
                // `O` is the first.
                let symbol = declare(scope, name, Thing::Point(all.points.len() + 1));
                all.points.push(Named { name, value, item });
                scope.points.push(None);
                others.push((Needed::Point(all.points.len() - 1), symbol));
            }
            ItemKind::Particle { name, .. } | ItemKind::Body { name, .. } => {
                let i = all.bodies.len();
                let rigid = matches!(item.kind, ItemKind::Body { .. });
                let symbol = declare(scope, name, Thing::Body(i, rigid));
                all.bodies.push(item);
                scope.bodies.push(Placed {
                    rigid,
                    ..Placed::default()
                });
                scope.masses.push(None);
                others.push((Needed::Body(i), symbol));
            }
            ItemKind::Group { name, .. } => {
                let i = all.groups.len();
                let symbol = declare(scope, name, Thing::Group(i));
                all.groups.push(item);
                scope.groups.push(None);
                others.push((Needed::Group(i), symbol));
            }
            ItemKind::Constraint { name, .. } => {
                let i = all.constraints.len();
                let symbol = declare(scope, name, Thing::Constraint(i));
                all.constraints.push(item);
                scope.constraints.push(None);
                others.push((Needed::Constraint(i), symbol));
            }
            ItemKind::Reaction { name, at, .. } => {
                declare(scope, name, Thing::Joint(JointId(count(&scope.joints))));
                joints.push((scope.joints.len(), at));
                scope.joints.push(DimExpr::none());
            }
            ItemKind::ReactionPair { kind, name, .. } => {
                declare(scope, name, Thing::Joint(JointId(count(&scope.joints))));
                scope.joints.push(match kind {
                    LoadKind::Torque => Dim::torque().into(),
                    LoadKind::Force | LoadKind::Generalized => Dim::force().into(),
                });
            }
            ItemKind::Spring { damper, name, .. } => {
                declare(scope, name, Thing::Spring(*damper));
            }
            ItemKind::Output { name, .. } => {
                declare(scope, name, Thing::Output);
            }
            _ => {}
        }
    }
    // The unit of a declared reaction is that of what it holds.
    for (i, at) in joints {
        let turns = matches!(
            scope.names.get(&at.text).map(|s| s.thing),
            Some(Thing::Frame(_))
        );
        scope.joints[i] = if turns { Dim::torque() } else { Dim::force() }.into();
    }
    // Frames first, then points: so their lists are parents first and otherwise as declared.
    others.sort_by_key(|(needed, _)| !matches!(needed, Needed::Point(_)));
    for (needed, symbol) in others {
        all.needed.push(needed);
        all.symbols.push(symbol);
    }
    all
}

fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

fn quantities<'a>(
    names: &'a [crate::syntax::ast::Declared],
    unit: &'a Option<UnitExpr>,
    assume: &'a Option<(Relation, Expr)>,
    item: &'a Item,
) -> impl Iterator<Item = Quantity<'a>> {
    names.iter().map(move |declared| Quantity {
        name: &declared.name,
        value: declared.value.as_ref(),
        unit: unit.as_ref(),
        assume: assume.as_ref(),
        item,
    })
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
        let with = |exprs: Vec<&'a Expr>| (exprs, Vec::new());
        std::iter::zip(&self.needed, &self.symbols)
            .map(|(needed, symbol)| {
                let (exprs, names) = match *needed {
                    Needed::Frame(i) => with(vec![self.frames[i].value]),
                    Needed::Point(i) => with(vec![self.points[i].value]),
                    Needed::Let(i) => with(vec![self.lets[i].value]),
                    Needed::Speed(i) => with(vec![self.speeds[i].value]),
                    Needed::Function(i) => {
                        let args = &self.functions[i].signature.args;
                        (Vec::new(), args.iter().map(|a| a.text.as_str()).collect())
                    }
                    Needed::Body(i) => (masses(self.bodies[i]), places(self.bodies[i])),
                    Needed::Constraint(i) => sides(self.constraints[i]),
                    Needed::Group(i) => (Vec::new(), members(self.groups[i])),
                };
                Node {
                    symbol: *symbol,
                    exprs,
                    names,
                }
            })
            .collect()
    }
}

/// The sides of a constraint and the frame of its components.
fn sides(item: &Item) -> (Vec<&Expr>, Vec<&str>) {
    match &item.kind {
        ItemKind::Constraint {
            lhs, rhs, frame, ..
        } => (
            vec![lhs, rhs],
            frame.iter().map(|f| f.text.as_str()).collect(),
        ),
        _ => (Vec::new(), Vec::new()),
    }
}

/// The names of the point and frame that place a body.
fn places(item: &Item) -> Vec<&str> {
    match &item.kind {
        ItemKind::Particle { at, .. } => vec![at.text.as_str()],
        ItemKind::Body { clauses, .. } => clauses
            .iter()
            .filter_map(|clause| match clause {
                BodyClause::Frame(name) | BodyClause::Center(name) => Some(name.text.as_str()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The mass of a body.
fn masses(item: &Item) -> Vec<&Expr> {
    match &item.kind {
        ItemKind::Particle { mass, .. } => vec![mass],
        ItemKind::Body { clauses, .. } => clauses
            .iter()
            .filter_map(|clause| match clause {
                BodyClause::Mass(mass) => Some(mass),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The names of what a group is made of.
fn members(item: &Item) -> Vec<&str> {
    match &item.kind {
        ItemKind::Group { members, .. } => members.iter().map(|m| m.text.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Whether the model names any unit that is not an angle's. If not, its numbers may be taken in
/// any consistent units.
pub fn names_units(file: &SourceFile) -> bool {
    let telling = |unit: &UnitExpr| read_unit(unit).map_or(true, |unit| !unit.dim.is_none());
    file.items.iter().any(|item| {
        let (unit, exprs) = parts(item);
        unit.is_some_and(telling)
            || exprs.into_iter().any(|expr| {
                let mut found = false;
                visit(expr, &mut |e| {
                    if let ExprKind::Number {
                        unit: Some(unit), ..
                    } = &e.kind
                    {
                        found = found || telling(unit);
                    }
                });
                found
            })
    })
}

/// Whether a number in the expression carries a unit.
pub fn has_unit(expr: &Expr) -> bool {
    let mut found = false;
    visit(expr, &mut |e| {
        found = found || matches!(e.kind, ExprKind::Number { unit: Some(_), .. });
    });
    found
}

/// The unit and the expressions of a declaration.
pub(super) fn parts(item: &Item) -> (Option<&UnitExpr>, Vec<&Expr>) {
    match &item.kind {
        ItemKind::Param {
            names,
            unit,
            assume,
        }
        | ItemKind::Coord {
            names,
            unit,
            assume,
        } => {
            let values = names.iter().filter_map(|n| n.value.as_ref());
            let bound = assume.iter().map(|(_, bound)| bound);
            (unit.as_ref(), values.chain(bound).collect())
        }
        ItemKind::Input { unit, .. } | ItemKind::Function { unit, .. } => {
            (unit.as_ref(), Vec::new())
        }
        ItemKind::Let { value, .. }
        | ItemKind::Frame { value, .. }
        | ItemKind::Point { value, .. }
        | ItemKind::Gravity(value)
        | ItemKind::Load { value, .. }
        | ItemKind::Energy { value, .. }
        | ItemKind::Speed { value, .. }
        | ItemKind::Output { value, .. }
        | ItemKind::Reaction {
            direction: value, ..
        }
        | ItemKind::ReactionPair { along: value, .. } => (None, vec![value]),
        ItemKind::Particle { mass, .. } => (None, vec![mass]),
        ItemKind::Body { clauses, .. } => {
            let mut exprs = Vec::new();
            for clause in clauses {
                match clause {
                    BodyClause::Mass(mass) => exprs.push(mass),
                    BodyClause::Inertia { entries, .. } => exprs.extend(entries),
                    BodyClause::Frame(_) | BodyClause::Center(_) => {}
                }
            }
            (None, exprs)
        }
        ItemKind::Constraint { lhs, rhs, .. } | ItemKind::Assume { lhs, rhs, .. } => {
            (None, vec![lhs, rhs])
        }
        ItemKind::Spring { place, clauses, .. } => {
            let on = match place {
                SpringPlace::On(expr) => Some(expr),
                SpringPlace::Between(..) => None,
            };
            let values = clauses.iter().map(|clause| &clause.value);
            (None, on.into_iter().chain(values).collect())
        }
        ItemKind::Privileged(list) => (None, list.iter().collect()),
        ItemKind::Model(_)
        | ItemKind::Part(_)
        | ItemKind::Const(_)
        | ItemKind::For { .. }
        | ItemKind::Use { .. }
        | ItemKind::Needs { .. }
        | ItemKind::Group { .. } => (None, Vec::new()),
    }
}

/// Calls `see` with the expression and all its parts.
pub(super) fn visit<'a>(expr: &'a Expr, see: &mut impl FnMut(&'a Expr)) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        see(expr);
        match &expr.kind {
            ExprKind::Field(inner, _)
            | ExprKind::Prime(inner)
            | ExprKind::Neg(inner)
            | ExprKind::Not(inner)
            | ExprKind::Paren(inner) => stack.push(inner),
            ExprKind::Call(_, list) | ExprKind::List(list) => stack.extend(list),
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::Logic(_, left, right) => stack.extend([&**left, &**right]),
            ExprKind::If {
                condition,
                then,
                other,
            } => stack.extend([&**condition, &**then, &**other]),
            ExprKind::Index(base, index) => stack.extend([&**base, &**index]),
            ExprKind::Sum(sum) => stack.extend([&sum.from, &sum.to, &sum.body]),
            ExprKind::Number { .. } | ExprKind::Name(_) | ExprKind::Error => {}
        }
    }
}
