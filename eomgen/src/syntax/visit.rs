//! The pieces of statements and expressions, one after the other, to be read or changed. Knows nothing of what they mean.

use super::ast::{
    BodyClause, Declared, Definition, DrawnShape, Event, Expr, ExprKind, Ident, InitialValue, Item,
    ItemKind, Name, NameIndex, Ref, Roll, Segment, SpringEnds, UnitExpr,
};
use crate::span::Span;

/// Declares a type of pieces and the functions that take statements and expressions apart, for reading or for changing.
macro_rules! pieces {
    ($Piece:ident, $pieces:ident, $add:ident, $children:ident, $($mutable:tt)?) => {
        #[allow(dead_code, reason = "words and places are read where they are changed only")]
        /// A piece of a statement. What is inside expressions, indices and references is their own business.
        pub enum $Piece<'a> {
            /// A name that is declared.
            Name(&'a $($mutable)? Name),
            /// A reference that stands outside expressions.
            Reference(&'a $($mutable)? Ref),
            /// A whole expression.
            Expr(&'a $($mutable)? Expr),
            /// The unit of a declaration.
            Unit(&'a $($mutable)? UnitExpr),
            /// Any other word of the model's own.
            Word(&'a $($mutable)? Ident),
            /// The place of a statement or clause.
            Place(&'a $($mutable)? Span),
        }

        impl<'a> $Piece<'a> {
            fn of_roll(roll: &'a $($mutable)? Roll, all: &mut Vec<Self>) {
                use $Piece::{Expr, Place, Reference};
                all.push(Reference(&$($mutable)? roll.body));
                all.extend((&$($mutable)? roll.ground).into_iter().chain(&$($mutable)? roll.at).map(Reference));
                for clause in &$($mutable)? roll.clauses {
                    all.extend([Place(&$($mutable)? clause.span), Expr(&$($mutable)? clause.value)]);
                }
            }

            fn of_shape(shape: &'a $($mutable)? DrawnShape, all: &mut Vec<Self>) {
                use $Piece::{Expr, Reference};
                match shape {
                    DrawnShape::Box { sizes, at, frame } => {
                        all.extend(sizes.into_iter().map(Expr).chain([Reference(at), Reference(frame)]));
                    }
                    DrawnShape::Cylinder { sizes, at, along } => {
                        all.extend(sizes.into_iter().map(Expr).chain([Reference(at), Expr(along)]));
                    }
                    DrawnShape::Sphere { sizes, at } => {
                        all.extend(sizes.into_iter().map(Expr).chain([Reference(at)]));
                    }
                    DrawnShape::Line(points) => all.extend(points.into_iter().map(Reference)),
                }
            }
        }

        /// The pieces of a statement in the order of its text.
        pub fn $pieces(item: &$($mutable)? Item) -> Vec<$Piece<'_>> {
            let mut all = Vec::new();
            $add(item, &mut all);
            all
        }

        fn $add<'a>(item: &'a $($mutable)? Item, all: &mut Vec<$Piece<'a>>) {
            use $Piece::{Expr, Name, Place, Reference, Unit, Word};
            all.push(Place(&$($mutable)? item.span));
            match &$($mutable)? item.kind {
                ItemKind::Model(name) | ItemKind::Part(name) => all.push(Word(name)),
                ItemKind::Const(names) => {
                    for Declared { name, value, .. } in names {
                        all.push(Name(name));
                        all.extend(value.into_iter().map(Expr));
                    }
                }
                ItemKind::For { variable, from, to, body } => {
                    all.extend([Word(variable), Expr(from), Expr(to)]);
                    for inner in body {
                        $add(inner, all);
                    }
                }
                ItemKind::Use { path, name, args } => {
                    all.extend([Word(path), Name(name)]);
                    for arg in args {
                        all.extend([Word(&$($mutable)? arg.name), Expr(&$($mutable)? arg.value)]);
                    }
                }
                ItemKind::Needs { names, .. } => {
                    for Declared { name, value, .. } in names {
                        all.push(Name(name));
                        all.extend(value.into_iter().map(Expr));
                    }
                }
                ItemKind::Quantities(quantities) => {
                    for Declared { name, shown, value } in &$($mutable)? quantities.names {
                        all.push(Name(name));
                        all.extend(shown.into_iter().map(Word));
                        all.extend(value.into_iter().map(Expr));
                    }
                    all.extend((&$($mutable)? quantities.unit).into_iter().map(Unit));
                    let assumed = (&$($mutable)? quantities.assume).into_iter();
                    all.extend(assumed.map(|(_, bound)| Expr(bound)));
                }
                ItemKind::Function { signatures, unit } => {
                    for signature in signatures {
                        all.push(Name(&$($mutable)? signature.name));
                        all.extend((&$($mutable)? signature.args).into_iter().map(Reference));
                    }
                    all.extend(unit.into_iter().map(Unit));
                }
                ItemKind::Define(Definition { name, value, .. }) => all.extend([Name(name), Expr(value)]),
                ItemKind::Speeds { names, value, frame } => {
                    all.extend(names.into_iter().map(Name).chain([Expr(value), Reference(frame)]));
                }
                ItemKind::Motion { coord, value } => all.extend([Reference(coord), Expr(value)]),
                ItemKind::Roll(roll) => $Piece::of_roll(roll, all),
                ItemKind::Rate { state, value } => all.extend([Reference(state), Expr(value)]),
                ItemKind::Particle { name, mass, at } => all.extend([Name(name), Expr(mass), Reference(at)]),
                ItemKind::Body { name, clauses } => {
                    all.push(Name(name));
                    for clause in clauses {
                        match clause {
                            BodyClause::Frame(name) | BodyClause::Center(name) => all.push(Reference(name)),
                            BodyClause::Mass(mass) => all.push(Expr(mass)),
                            BodyClause::Inertia { entries, about, frame, span, .. } => {
                                all.extend(std::iter::once(Place(span)).chain(entries.into_iter().map(Expr)));
                                all.extend(about.into_iter().chain(frame).map(Reference));
                            }
                        }
                    }
                }
                ItemKind::Group { name, members } => {
                    all.push(Name(name));
                    all.extend(members.into_iter().map(Reference));
                }
                ItemKind::Gravity(value) => all.push(Expr(value)),
                ItemKind::Load(load) => {
                    let opposite = &$($mutable)? load.opposite;
                    for side in std::iter::once(&$($mutable)? load.on).chain(opposite) {
                        all.push(Reference(&$($mutable)? side.on));
                        all.extend((&$($mutable)? side.at).into_iter().map(Reference));
                    }
                    all.push(Expr(&$($mutable)? load.value));
                }
                ItemKind::Spring(spring) => {
                    all.push(Name(&$($mutable)? spring.name));
                    match &$($mutable)? spring.ends {
                        SpringEnds::Between(from, to) => all.extend([Reference(from), Reference(to)]),
                        SpringEnds::On(expr) => all.push(Expr(expr)),
                    }
                    for clause in &$($mutable)? spring.clauses {
                        all.extend([Place(&$($mutable)? clause.span), Expr(&$($mutable)? clause.value)]);
                    }
                }
                ItemKind::Constraint(constraint) => {
                    all.extend([Name(&$($mutable)? constraint.name), Expr(&$($mutable)? constraint.lhs), Expr(&$($mutable)? constraint.rhs)]);
                    all.extend((&$($mutable)? constraint.frame).into_iter().map(Reference));
                }
                ItemKind::Reaction(reaction) => all.extend([
                    Name(&$($mutable)? reaction.name),
                    Reference(&$($mutable)? reaction.at),
                    Expr(&$($mutable)? reaction.direction),
                ]),
                ItemKind::ReactionPair(pair) => {
                    all.extend([Name(&$($mutable)? pair.name), Reference(&$($mutable)? pair.on.on)]);
                    all.extend((&$($mutable)? pair.on.at).into_iter().map(Reference));
                    all.push(Expr(&$($mutable)? pair.along));
                    if let Some(side) = &$($mutable)? pair.opposite {
                        all.push(Reference(&$($mutable)? side.on));
                        all.extend((&$($mutable)? side.at).into_iter().map(Reference));
                    }
                }
                ItemKind::Event(Event { name, value, .. }) => all.extend([Name(name), Expr(value)]),
                ItemKind::Drawing(drawing) => {
                    all.push(Name(&$($mutable)? drawing.name));
                    $Piece::of_shape(&$($mutable)? drawing.shape, all);
                    all.extend((&$($mutable)? drawing.color).into_iter().map(Word));
                }
                ItemKind::Privileged(list) => all.extend(list.into_iter().map(Expr)),
                ItemKind::Assume { lhs, rhs, .. } => all.extend([Expr(lhs), Expr(rhs)]),
                ItemKind::Initial(values) => all.extend(values.into_iter().flat_map(|InitialValue { of, value }| [Expr(of), Expr(value)])),
            }
        }

        /// The parts of an expression one level down; indices and ranges are among them.
        pub fn $children(expr: &$($mutable)? Expr) -> Vec<&$($mutable)? Expr> {
            match &$($mutable)? expr.kind {
                ExprKind::Field(inner, _)
                | ExprKind::Prime(inner)
                | ExprKind::Rate(inner)
                | ExprKind::Neg(inner)
                | ExprKind::Not(inner)
                | ExprKind::Paren(inner) => vec![inner],
                ExprKind::Call(function, args) => {
                    let mut all = Vec::new();
                    for segment in &$($mutable)? function.path {
                        match segment {
                            Segment::Index(index, _) => all.push(index),
                            Segment::Range(from, to, _) => all.extend([from, to]),
                            Segment::Field(_) => {}
                        }
                    }
                    all.extend(args);
                    all
                }
                ExprKind::List(items) => items.into_iter().collect(),
                ExprKind::Components(items, frame) => {
                    let mut all: Vec<_> = items.into_iter().collect();
                    for segment in &$($mutable)? frame.path {
                        match segment {
                            Segment::Index(index, _) => all.push(index),
                            Segment::Range(from, to, _) => all.extend([from, to]),
                            Segment::Field(_) => {}
                        }
                    }
                    all
                }
                ExprKind::Index(one, other)
                | ExprKind::Binary(_, one, other)
                | ExprKind::Compare(_, one, other)
                | ExprKind::Logic(_, one, other) => vec![one, other],
                ExprKind::If { condition, then, other } => vec![condition, then, other],
                ExprKind::Sum(sum) => vec![&$($mutable)? sum.from, &$($mutable)? sum.to, &$($mutable)? sum.body],
                ExprKind::Number { .. } | ExprKind::Name(_) | ExprKind::Error => Vec::new(),
            }
        }
    };
}

pieces!(Piece, pieces, add_pieces, children,);
pieces!(PieceMut, pieces_mut, add_pieces_mut, children_mut, mut);

/// The unit and the expressions of a statement.
pub fn unit_and_exprs(item: &Item) -> (Option<&UnitExpr>, Vec<&Expr>) {
    let (mut unit, mut exprs) = (None, Vec::new());
    for piece in pieces(item) {
        match piece {
            Piece::Unit(found) => unit = Some(found),
            Piece::Expr(expr) => exprs.push(expr),
            _ => {}
        }
    }
    (unit, exprs)
}

/// Whether this holds of an expression or of anything in it.
pub fn any(expr: &Expr, holds: &impl Fn(&Expr) -> bool) -> bool {
    // A stack of our own: a sum of thousands of terms is as many levels deep.
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if holds(expr) {
            return true;
        }
        stack.extend(children(expr));
    }
    false
}

/// The number of pieces in a statement.
pub fn count(item: &Item) -> u64 {
    let mut total = 0;
    // What visits places changes them; a statement is read far more often than it is counted.
    spans(&mut item.clone(), &mut |_| total += 1);
    total
}

/// The number of pieces in an expression.
pub fn count_expr(expr: &Expr) -> u64 {
    let mut total = 0;
    spans_of(&mut expr.clone(), &mut |_| total += 1);
    total
}

/// Calls `change` with the place of every piece of a statement.
pub fn spans(item: &mut Item, change: &mut impl FnMut(&mut Span)) {
    for piece in pieces_mut(item) {
        match piece {
            PieceMut::Name(name) => {
                change(&mut name.ident.span);
                for index in &mut name.indices {
                    match index {
                        NameIndex::At(expr) => spans_of(expr, change),
                        NameIndex::Range(from, to) => {
                            spans_of(from, change);
                            spans_of(to, change);
                        }
                    }
                }
            }
            PieceMut::Reference(reference) => {
                own_spans(reference, change);
                if let Some(made) = &mut reference.made {
                    spans_of(made, change);
                }
                for segment in &mut reference.path {
                    match segment {
                        Segment::Index(index, _) => spans_of(index, change),
                        Segment::Range(from, to, _) => {
                            spans_of(from, change);
                            spans_of(to, change);
                        }
                        Segment::Field(_) => {}
                    }
                }
            }
            PieceMut::Expr(expr) => spans_of(expr, change),
            PieceMut::Unit(unit) => unit_spans(unit, change),
            PieceMut::Word(word) => change(&mut word.span),
            PieceMut::Place(span) => change(span),
        }
    }
}

/// Calls `change` with the place of every piece of an expression.
pub fn spans_of(expr: &mut Expr, change: &mut impl FnMut(&mut Span)) {
    change(&mut expr.span);
    match &mut expr.kind {
        ExprKind::Number {
            unit: Some(unit), ..
        } => unit_spans(unit, change),
        ExprKind::Field(_, field) => change(&mut field.span),
        ExprKind::Call(function, _) | ExprKind::Components(_, function) => {
            own_spans(function, change);
        }
        ExprKind::Sum(sum) => change(&mut sum.variable.span),
        _ => {}
    }
    for child in children_mut(expr) {
        spans_of(child, change);
    }
}

fn unit_spans(unit: &mut UnitExpr, change: &mut impl FnMut(&mut Span)) {
    change(&mut unit.span);
    for (name, ..) in &mut unit.factors {
        change(&mut name.span);
    }
}

/// The places of a reference without those inside its indices.
fn own_spans(reference: &mut Ref, change: &mut impl FnMut(&mut Span)) {
    change(&mut reference.ident.span);
    for segment in &mut reference.path {
        match segment {
            Segment::Index(_, span) | Segment::Range(_, _, span) => change(span),
            Segment::Field(field) => change(&mut field.span),
        }
    }
}
