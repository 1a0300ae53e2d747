//! What a file declares and mentions, as written: names with their places. Knows nothing of other files, and of what follows from the
//! statements.

use super::position::Text;
use crate::span::Span;
use crate::syntax::ast::{
    Defined, Expr, ExprKind, Item, ItemKind, LoadKind, Name, NameIndex, NeedKind, QuantityKind,
    Ref, Segment, SourceFile, UnitExpr,
};
use crate::syntax::marks::{Mark, marks};
use crate::syntax::visit::{self, Piece};
use crate::syntax::{self};
use std::collections::BTreeMap;

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Quantity(QuantityKind),
    Const,
    Function,
    Defined(Defined),
    Particle,
    Body,
    Group,
    Spring,
    Damper,
    Constraint,
    Reaction(LoadKind),
    Event,
    Drawing,
    /// A `use`.
    Part,
    Need(NeedKind),
    /// What a loop or a sum counts.
    Variable,
}

impl Kind {
    /// In a word or two.
    pub(super) fn text(self) -> &'static str {
        match self {
            Kind::Quantity(QuantityKind::Param) => "parameter",
            Kind::Quantity(QuantityKind::Coord) => "coordinate",
            Kind::Quantity(QuantityKind::State) => "state",
            Kind::Quantity(QuantityKind::Input) => "input",
            Kind::Const => "constant",
            Kind::Function => "function",
            Kind::Defined(Defined::Let) => "let",
            Kind::Defined(Defined::Frame) => "frame",
            Kind::Defined(Defined::Point) => "point",
            Kind::Defined(Defined::Speed) => "speed",
            Kind::Defined(Defined::Output) => "output",
            Kind::Defined(Defined::Kinetic) => "kinetic energy",
            Kind::Defined(Defined::Potential) => "potential energy",
            Kind::Defined(Defined::Dissipation) => "dissipation function",
            Kind::Particle => "particle",
            Kind::Body => "body",
            Kind::Group => "group",
            Kind::Spring => "spring",
            Kind::Damper => "damper",
            Kind::Constraint => "constraint",
            Kind::Reaction(_) => "reaction",
            Kind::Event => "event",
            Kind::Drawing => "drawing",
            Kind::Part => "part",
            Kind::Need(NeedKind::Point) => "needed point",
            Kind::Need(NeedKind::Frame) => "needed frame",
            Kind::Need(NeedKind::Scalar) => "needed scalar",
            Kind::Need(NeedKind::Vector) => "needed vector",
            Kind::Variable => "counted variable",
        }
    }

    /// Whether it has a place: points, and what has a mass centre.
    pub(super) fn is_place(self) -> bool {
        matches!(
            self,
            Kind::Defined(Defined::Point)
                | Kind::Need(NeedKind::Point)
                | Kind::Particle
                | Kind::Body
                | Kind::Group
        )
    }

    /// Whether it has directions: frames, and bodies.
    pub(super) fn is_frame(self) -> bool {
        matches!(
            self,
            Kind::Defined(Defined::Frame) | Kind::Need(NeedKind::Frame) | Kind::Body
        )
    }

    /// Whether it has mass.
    pub(super) fn is_mass(self) -> bool {
        matches!(self, Kind::Particle | Kind::Body | Kind::Group)
    }

    /// Whether expressions may contain it as a value.
    pub(super) fn is_value(self) -> bool {
        !self.is_mass()
            && !self.is_place()
            && !self.is_frame()
            && !matches!(
                self,
                Kind::Constraint
                    | Kind::Event
                    | Kind::Drawing
                    | Kind::Spring
                    | Kind::Damper
                    | Kind::Defined(Defined::Output)
            )
    }

    /// Whether a part takes it as an argument.
    pub(super) fn is_argument(self) -> bool {
        matches!(
            self,
            Kind::Need(_) | Kind::Const | Kind::Quantity(QuantityKind::Param | QuantityKind::Coord)
        )
    }
}

/// A declared name; a family may have several.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// The statement.
    pub(super) item: Span,
    pub(super) docs: String,
    /// Where a counted variable means something; elsewhere it is not known.
    pub(super) within: Option<Span>,
    /// The file of a part, as written.
    pub(super) path: Option<String>,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A name, declared or referred to.
    Name,
    /// The name of a function that is called.
    Call,
    /// A name of a unit.
    Unit,
    /// The path of a part, quotation marks not among it.
    Path,
}

/// A name at a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    pub(super) span: Span,
    pub(super) name: String,
    pub(super) role: Role,
    /// The parts through which it is reached: `left` for `foot` in `left.foot`.
    pub(super) through: Vec<String>,
}

/// A file as written.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: Text,
    pub(super) tree: SourceFile,
    pub(super) marks: Vec<Mark>,
    pub(super) declarations: Vec<Declaration>,
    /// Where the declarations of a name are among all: a word of the text costs a look-up, not a search.
    by_name: BTreeMap<String, Vec<usize>>,
    /// In the order of the text.
    pub(super) mentions: Vec<Mention>,
}

impl File {
    pub(super) fn new(path: &str, text: Text) -> Self {
        let tree = syntax::parse(text.as_str()).file;
        let mut reader = Reader::default();
        reader.items(&tree.items);
        reader.mentions.sort_by_key(|mention| mention.span);
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, declared) in reader.declarations.iter().enumerate() {
            by_name.entry(declared.name.clone()).or_default().push(at);
        }
        Self {
            by_name,
            path: path.to_owned(),
            marks: marks(text.as_str()),
            text,
            tree,
            declarations: reader.declarations,
            mentions: reader.mentions,
        }
    }

    /// Whether it is to be used by others.
    pub(super) fn is_part(&self) -> bool {
        let mut items = self.tree.items.iter();
        items.any(|item| matches!(item.kind, ItemKind::Part(_)))
    }

    /// The first declaration of a name, as it is known at a place.
    pub(super) fn declared(&self, name: &str, at: Option<Span>) -> Option<&Declaration> {
        let named = || self.named(name);
        let inside = |d: &&Declaration| match (d.within, at) {
            (Some(outer), Some(at)) => outer.start <= at.start && at.end <= outer.end,
            _ => false,
        };
        // The innermost loop counts.
        named()
            .rfind(inside)
            .or_else(|| named().find(|d| d.within.is_none()))
    }

    /// All declarations of a name, in the order of the text.
    pub(super) fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = &Declaration> {
        let places = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|at| self.declarations.get(*at))
    }

    /// The name at a byte, or just before it.
    pub(super) fn mention_at(&self, offset: usize) -> Option<&Mention> {
        let mut near = self.mentions.iter().filter(|mention| {
            mention.span.start as usize <= offset && offset <= mention.span.end as usize
        });
        // Of two that touch, the one that begins here.
        near.next_back()
    }

    /// The paths of the parts that it uses, as written.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.declarations.iter().filter_map(|d| d.path.as_deref())
    }
}

/// Collects names.
#[derive(Default)]
struct Reader {
    declarations: Vec<Declaration>,
    mentions: Vec<Mention>,
}

impl Reader {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        if let ItemKind::For {
            variable,
            from,
            to,
            body,
        } = &item.kind
        {
            self.variable(&variable.text, variable.span, item.span, block(item, body));
            self.expr(from);
            self.expr(to);
            return self.items(body);
        }
        if let ItemKind::Use { path, name, args } = &item.kind {
            self.mention(path.span, &path.text, Role::Path, Vec::new());
            for arg in args {
                let through = vec![name.text.clone()];
                self.mention(arg.name.span, &arg.name.text, Role::Name, through);
            }
        }
        let kind = kind(&item.kind);
        for piece in visit::pieces(item) {
            match piece {
                Piece::Name(name) => self.name(name, kind, item),
                Piece::Reference(reference) => self.reference(reference, Role::Name),
                Piece::Expr(expr) => {
                    self.expr(expr);
                }
                Piece::Unit(unit) => self.unit(unit),
                Piece::Word(_) | Piece::Place(_) => {}
            }
        }
    }

    fn mention(&mut self, span: Span, name: &str, role: Role, through: Vec<String>) {
        self.mentions.push(Mention {
            span,
            name: name.to_owned(),
            role,
            through,
        });
    }

    fn variable(&mut self, name: &str, span: Span, item: Span, within: Span) {
        self.mention(span, name, Role::Name, Vec::new());
        self.declarations.push(Declaration {
            name: name.to_owned(),
            kind: Kind::Variable,
            span,
            item,
            docs: String::new(),
            within: Some(within),
            path: None,
        });
    }

    fn name(&mut self, name: &Name, kind: Option<Kind>, item: &Item) {
        self.mention(name.span, &name.text, Role::Name, Vec::new());
        for index in &name.indices {
            match index {
                NameIndex::At(at) => {
                    self.expr(at);
                }
                NameIndex::Range(from, to) => {
                    self.expr(from);
                    self.expr(to);
                }
            }
        }
        let path = match &item.kind {
            ItemKind::Use { path, .. } => Some(path.text.clone()),
            _ => None,
        };
        if let Some(kind) = kind {
            self.declarations.push(Declaration {
                name: name.text.clone(),
                kind,
                span: name.span,
                item: item.span,
                docs: item.docs.clone(),
                within: None,
                path,
            });
        }
    }

    fn reference(&mut self, reference: &Ref, role: Role) {
        self.mention(reference.span, &reference.text, role, Vec::new());
        let mut through = vec![reference.text.clone()];
        for segment in &reference.path {
            match segment {
                Segment::Index(index, _) => {
                    self.expr(index);
                }
                Segment::Range(from, to, _) => {
                    self.expr(from);
                    self.expr(to);
                }
                Segment::Field(field) => {
                    self.mention(field.span, &field.text, role, through.clone());
                    through.push(field.text.clone());
                }
            }
        }
    }

    fn unit(&mut self, unit: &UnitExpr) {
        for (name, ..) in &unit.factors {
            self.mention(name.span, &name.text, Role::Unit, Vec::new());
        }
    }

    /// The names of which an expression is made, if it is a reference.
    fn expr(&mut self, expr: &Expr) -> Option<Vec<String>> {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.mention(expr.span, name, Role::Name, Vec::new());
                return Some(vec![name.clone()]);
            }
            ExprKind::Field(inner, field) => {
                let mut through = self.expr(inner).unwrap_or_default();
                self.mention(field.span, &field.text, Role::Name, through.clone());
                through.push(field.text.clone());
                return Some(through);
            }
            ExprKind::Index(inner, index) => {
                self.expr(index);
                return self.expr(inner);
            }
            ExprKind::Number {
                unit: Some(unit), ..
            } => self.unit(unit),
            ExprKind::Call(function, args) => {
                self.reference(function, Role::Call);
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Sum(sum) => {
                let variable = &sum.variable;
                self.variable(&variable.text, variable.span, expr.span, expr.span);
                for child in visit::children(expr) {
                    self.expr(child);
                }
            }
            _ => {
                for child in visit::children(expr) {
                    self.expr(child);
                }
            }
        }
        None
    }
}

/// From the head of a loop to the end of what it holds.
fn block(item: &Item, body: &[Item]) -> Span {
    let last = body.last().map_or(item.span, |last| match &last.kind {
        ItemKind::For { body, .. } => block(last, body),
        _ => last.span,
    });
    item.span.to(last)
}

/// What the names of a statement are declared as.
fn kind(item: &ItemKind) -> Option<Kind> {
    Some(match item {
        ItemKind::Const(_) => Kind::Const,
        ItemKind::Use { .. } => Kind::Part,
        ItemKind::Needs { kind, .. } => Kind::Need(*kind),
        ItemKind::Quantities(all) => Kind::Quantity(all.kind),
        ItemKind::Function { .. } => Kind::Function,
        ItemKind::Define(definition) => Kind::Defined(definition.what),
        ItemKind::Speeds { .. } => Kind::Defined(Defined::Speed),
        ItemKind::Particle { .. } => Kind::Particle,
        ItemKind::Body { .. } => Kind::Body,
        ItemKind::Group { .. } => Kind::Group,
        ItemKind::Spring(spring) if spring.damper => Kind::Damper,
        ItemKind::Spring(_) => Kind::Spring,
        ItemKind::Constraint(_) => Kind::Constraint,
        ItemKind::Reaction(_) => Kind::Reaction(LoadKind::Force),
        ItemKind::ReactionPair(pair) => Kind::Reaction(pair.kind),
        ItemKind::Event(_) => Kind::Event,
        ItemKind::Drawing(_) => Kind::Drawing,
        ItemKind::Model(_)
        | ItemKind::Part(_)
        | ItemKind::For { .. }
        | ItemKind::Gravity(_)
        | ItemKind::Load(_)
        | ItemKind::Motion { .. }
        | ItemKind::Roll(_)
        | ItemKind::Rate { .. }
        | ItemKind::Privileged(_)
        | ItemKind::Initial(_)
        | ItemKind::Assume { .. } => return None,
    })
}
