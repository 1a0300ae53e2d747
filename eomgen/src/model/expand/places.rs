//! Points and frames that are written where a name is expected: `particle A: mass m at O + x*N.x`. Each becomes a declaration of its own with
//! a name that no model can declare, because it goes on behind a `.` that follows no part: `A.at`, `K.frame`, `P.force`.

use super::expander::{Expander, Pending};
use super::location::Location;
use super::resolve::Found;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{
    BodyClause, Constraint, Declared, Defined, Definition, DrawnShape, Expr, ExprKind, Ident, Item,
    ItemKind, LoadKind, Quantities, QuantityKind, Ref, Side, SpringEnds,
};
use crate::syntax::visit::{self, Piece};
use std::collections::BTreeSet;
use std::collections::btree_map::Entry;

/// A reference, the word for its purpose, and what is expected there.
type Slot<'a> = (&'a mut Ref, &'static str, Defined);

impl Expander<'_> {
    /// The declarations of what a statement has in place of names; the statement refers to them afterwards.
    pub(super) fn places(&mut self, item: &mut Item, here: &Location) -> Vec<Item> {
        let pieces = visit::pieces(item);
        let owner = pieces.into_iter().find_map(|piece| match piece {
            Piece::Name(name) => Some(name.text.clone()),
            _ => None,
        });
        if let ItemKind::Roll(roll) = &mut item.kind {
            self.ground(roll, here);
        }
        let mut frame = own_frame(item).cloned();
        let mut made = turning(item);
        for item in &mut made {
            self.rewrite(item, here);
        }
        for (reference, word, what) in slots(item) {
            let Some(mut value) = reference.made.take().map(|expr| *expr) else {
                continue;
            };
            let span = value.span;
            self.rewrite_expr(&mut value, here);
            let base = owner.clone().unwrap_or_else(|| base(&value));
            let name = Ident {
                text: self.made_name(&format!("{base}.{word}")),
                span,
            };
            made.extend(by_rate(&name, &mut value));
            if word == "frame" {
                frame = Some(name.clone().into());
            } else if let (Some(owner), Some(frame)) = (&owner, &frame) {
                self.in_own_frame(&mut value, owner, frame, here);
            }
            *reference = name.clone().into();
            made.push(definition(what, name, value, span));
        }
        made
    }

    /// Lets the centre of a body be placed along its own axes: `rod.y` is that of its frame, which needs no centre.
    fn in_own_frame(&mut self, value: &mut Expr, owner: &str, frame: &Ref, here: &Location) {
        if let ExprKind::Field(base, axis) = &mut value.kind
            && matches!(&base.kind, ExprKind::Name(name) if name == owner)
            && matches!(axis.text.as_str(), "x" | "y" | "z")
        {
            let told = self.diagnostics.len();
            let mut frame = frame.clone();
            self.rewrite_ref(&mut frame, here, false);
            self.diagnostics.truncate(told);
            base.kind = ExprKind::Name(frame.ident.text);
            return;
        }
        for child in visit::children_mut(value) {
            self.in_own_frame(child, owner, frame, here);
        }
    }

    /// Takes note of the coordinates whose motion is given, since reactions mention it.
    pub(super) fn motions(&mut self) {
        let motions = self.pending.iter().enumerate();
        let motions = motions.filter_map(|(at, pending)| match pending {
            Pending::Item(item, here) => match &item.kind {
                ItemKind::Motion { coord, .. } => Some((at, coord.clone(), here.clone())),
                _ => None,
            },
            Pending::Need(_) => None,
        });
        let mut again = BTreeSet::new();
        for (at, coord, here) in motions.collect::<Vec<_>>() {
            let told = self.diagnostics.len();
            let found = self.resolve(&coord, &here, false);
            // What is wrong with it is said when it is rewritten.
            self.diagnostics.truncate(told);
            let Found::Name { text, .. } = found else {
                continue;
            };
            match self.motions.entry(text) {
                Entry::Vacant(free) => {
                    free.insert(coord.span);
                }
                Entry::Occupied(first) => {
                    let title = format!("the motion of `{}` is given twice", first.key());
                    let error =
                        Diagnostic::error(codes::DUPLICATE, title, coord.span, "given again");
                    let error = error.label(*first.get(), "first given here");
                    self.diagnostics
                        .push(error.help("a coordinate moves in one way: leave one of them out"));
                    again.insert(at);
                }
            }
        }
        let mut at = 0..;
        self.pending
            .retain(|_| at.next().is_none_or(|at| !again.contains(&at)));
    }

    /// The name itself the first time; `P.force_2` the second.
    fn made_name(&mut self, name: &str) -> String {
        let count = self.made.entry(name.to_owned()).or_default();
        *count += 1;
        match *count {
            1 => name.to_owned(),
            n => format!("{name}_{n}"),
        }
    }
}

fn definition(what: Defined, name: Ident, value: Expr, span: Span) -> Item {
    let name = name.into();
    Item {
        kind: ItemKind::Define(Definition { what, name, value }),
        docs: String::new(),
        span,
    }
}

/// The angle of a frame that is given by its rate: `frame T = rotate(N, rate w, N.z)` declares the coordinate `T.angle` and the constraint
/// `T.rate: T.angle' = w`.
fn turning(item: &mut Item) -> Vec<Item> {
    match &mut item.kind {
        ItemKind::Define(Definition {
            what: Defined::Frame,
            name,
            value,
        }) => by_rate(&name.ident, value),
        _ => Vec::new(),
    }
}

fn by_rate(frame: &Ident, value: &mut Expr) -> Vec<Item> {
    let ExprKind::Call(_, args) = &mut value.kind else {
        return Vec::new();
    };
    let Some(angle) = args.get_mut(1) else {
        return Vec::new();
    };
    let span = angle.span;
    let named = |word: &str| Ident {
        text: format!("{}.{word}", frame.text),
        span,
    };
    let coord = named("angle");
    let name = Expr {
        kind: ExprKind::Name(coord.text.clone()),
        span,
    };
    if !matches!(angle.kind, ExprKind::Rate(_)) {
        return Vec::new();
    }
    let ExprKind::Rate(rate) = std::mem::replace(&mut angle.kind, name.kind.clone()) else {
        return Vec::new();
    };
    let item = |kind| Item {
        kind,
        docs: String::new(),
        span,
    };
    let declared = Declared {
        name: coord.into(),
        shown: None,
        value: None,
    };
    let quantities = Quantities {
        kind: QuantityKind::Coord,
        names: vec![declared],
        unit: None,
        assume: None,
    };
    let constraint = Constraint {
        name: named("rate").into(),
        lhs: Expr {
            kind: ExprKind::Prime(Box::new(name)),
            span,
        },
        rhs: *rate,
        frame: None,
        implied: false,
    };
    vec![
        item(ItemKind::Quantities(quantities)),
        item(ItemKind::Constraint(constraint)),
    ]
}

/// The frame that a body names.
fn own_frame(item: &Item) -> Option<&Ref> {
    let ItemKind::Body { clauses, .. } = &item.kind else {
        return None;
    };
    clauses.iter().find_map(|clause| match clause {
        BodyClause::Frame(frame) if frame.made.is_none() => Some(frame),
        _ => None,
    })
}

/// The first name in an expression.
fn base(value: &Expr) -> String {
    let mut at = value;
    loop {
        match &at.kind {
            ExprKind::Name(name) => return name.clone(),
            ExprKind::Call(_, args) => match args.first() {
                Some(first) => at = first,
                None => return "O".to_owned(),
            },
            _ => match visit::children(at).first() {
                Some(first) => at = first,
                None => return "O".to_owned(),
            },
        }
    }
}

/// Where a statement names points and frames.
fn slots(item: &mut Item) -> Vec<Slot<'_>> {
    use Defined::{Frame, Point};
    let mut all = Vec::new();
    match &mut item.kind {
        ItemKind::Particle { at, .. } => all.push((at, "at", Point)),
        ItemKind::Body { clauses, .. } => {
            for clause in clauses {
                match clause {
                    BodyClause::Frame(frame) => all.push((frame, "frame", Frame)),
                    BodyClause::Center(center) => all.push((center, "center", Point)),
                    BodyClause::Mass(_) => {}
                    BodyClause::Inertia { about, frame, .. } => {
                        all.extend(about.iter_mut().map(|about| (about, "about", Point)));
                        all.extend(frame.iter_mut().map(|frame| (frame, "axes", Frame)));
                    }
                }
            }
        }
        ItemKind::Load(load) => {
            for side in std::iter::once(&mut load.on).chain(&mut load.opposite) {
                all.extend(sides(side, load.kind));
            }
        }
        ItemKind::ReactionPair(pair) => {
            for side in std::iter::once(&mut pair.on).chain(&mut pair.opposite) {
                all.extend(sides(side, pair.kind));
            }
        }
        ItemKind::Spring(spring) => {
            if let SpringEnds::Between(from, to) = &mut spring.ends {
                all.extend([(from, "from", Point), (to, "to", Point)]);
            }
        }
        ItemKind::Roll(roll) => {
            all.extend(roll.at.iter_mut().map(|at| (at, "contact", Point)));
        }
        ItemKind::Constraint(constraint) => {
            let frame = constraint.frame.iter_mut();
            all.extend(frame.map(|frame| (frame, "axes", Frame)));
        }
        ItemKind::Drawing(drawing) => match &mut drawing.shape {
            DrawnShape::Box { at, frame, .. } => {
                all.extend([(at, "at", Point), (frame, "axes", Frame)]);
            }
            DrawnShape::Cylinder { at, .. } | DrawnShape::Sphere { at, .. } => {
                all.push((at, "at", Point));
            }
            DrawnShape::Line(points) => {
                all.extend(points.iter_mut().map(|point| (point, "through", Point)));
            }
        },
        _ => {}
    }
    // The centre may stand along the axes of the frame.
    all.sort_by_key(|(_, word, _)| *word != "frame");
    all
}

/// On what a force or torque acts, and where.
fn sides(side: &mut Side, kind: LoadKind) -> Vec<Slot<'_>> {
    let (word, what) = match kind {
        LoadKind::Torque => ("torque", Defined::Frame),
        LoadKind::Force | LoadKind::Generalized => ("force", Defined::Point),
    };
    let mut all = vec![(&mut side.on, word, what)];
    all.extend(side.at.iter_mut().map(|at| (at, "force", Defined::Point)));
    all
}

/// A motion that is given, as the constraint that it is: `motion q = f(t)` is `q = f(t)` by the name `q.motion`.
pub(super) fn driven(item: Item) -> Item {
    let ItemKind::Motion { coord, value } = item.kind else {
        return item;
    };
    let lhs = coord.expr();
    let name = Ident {
        text: format!("{}.motion", coord.text),
        span: coord.span,
    };
    let constraint = Constraint {
        name: name.into(),
        lhs,
        rhs: value,
        frame: None,
        implied: false,
    };
    Item {
        kind: ItemKind::Constraint(constraint),
        ..item
    }
}
