//! Bodies that roll: `roll W on plane, radius r` declares the point of contact `W.contact`, the constraint `W.touch`, that it is on the plane, and
//! the constraint `W.roll`, that the material of both sides has the same velocity there.

use super::expander::{Expander, Pending};
use super::location::Location;
use super::resolve::Found;
use super::scope::Sort;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{
    BinaryOp, Constraint, Defined, Definition, Expr, ExprKind, Ident, Item, ItemKind, NeedKind,
    Ref, Roll, RollWord,
};

impl Expander<'_> {
    /// Takes note of the names that rolling bodies give, and of what is up.
    pub(super) fn rolls(&mut self) {
        let mut rolling = Vec::new();
        for pending in &self.pending {
            let Pending::Item(item, here) = pending else {
                continue;
            };
            match &item.kind {
                ItemKind::Roll(roll) => rolling.push((roll.body.clone(), here.clone())),
                ItemKind::Gravity(fall) => self.up = up(fall),
                _ => {}
            }
        }
        for (body, here) in rolling {
            let told = self.diagnostics.len();
            let found = self.resolve(&body, &here, false);
            // What is wrong with it is said when it is rewritten.
            self.diagnostics.truncate(told);
            if let Found::Name { text, .. } = found {
                let names = self.contact_names(&text);
                self.derived.extend(names);
            }
        }
        self.rolled.clear();
    }

    /// The names of the next roll of a body: contact, touch, roll.
    fn contact_names(&mut self, body: &str) -> [String; 3] {
        let count = self.rolled.entry(body.to_owned()).or_default();
        *count += 1;
        let number = match *count {
            1 => String::new(),
            n => format!("_{n}"),
        };
        ["contact", "touch", "roll"].map(|word| format!("{body}.{word}{number}"))
    }

    /// What a roll stands for; its names are plain already.
    pub(super) fn rolling(&mut self, roll: Roll, docs: String) -> Vec<Item> {
        let span = roll.body.ident.span;
        let names = self.contact_names(&roll.body.text);
        if roll.broken {
            self.incomplete = true;
            return Vec::new();
        }
        let [contact, touch, rolls] = names.map(|text| Ident { text, span });
        let Some(plan) = self.plan(&roll, &contact) else {
            return Vec::new();
        };
        let of = |name: &str| expr(ExprKind::Name(name.to_owned()), span);
        let item = |kind| Item {
            kind,
            docs: String::new(),
            span,
        };
        let mut made = Vec::new();
        let contact = match plan.contact {
            Some(value) => {
                // What is wrong with the shape, and nothing else, shows at this point.
                let mut name = contact.clone();
                name.span = shape_of(&roll).unwrap_or(span);
                let name = name.into();
                let what = Defined::Point;
                made.push(item(ItemKind::Define(Definition { what, name, value })));
                of(&contact.text)
            }
            None => roll
                .at
                .as_ref()
                .map_or_else(|| of(&contact.text), Ref::expr),
        };
        let material = |of: Expr| call("vel_at", vec![of, contact.clone()]);
        let own = material(of(&roll.body.text));
        let other = material(of(&plan.ground));
        let (lhs, rhs, frame) = match plan.normal {
            None => (own, other, None),
            Some(normal) => {
                let touching = plan
                    .through
                    .map(|through| touching(touch, &contact, through, &normal));
                made.extend(touching.map(|touching| item(ItemKind::Constraint(touching))));
                let slip = binary(BinaryOp::Sub, own, other);
                let across = call("dot", vec![slip.clone(), normal.clone()]);
                let frame = axis_of(&normal);
                let unit = match frame {
                    Some(_) => normal,
                    None => call("unit", vec![normal]),
                };
                let away = binary(BinaryOp::Mul, across, unit);
                (binary(BinaryOp::Sub, slip, away), zero(span), frame)
            }
        };
        let kind = ItemKind::Constraint(equal(rolls, lhs, rhs, frame));
        made.push(Item { docs, kind, span });
        made
    }

    /// What is stated, and what follows where something is not.
    fn plan(&mut self, roll: &Roll, contact: &Ident) -> Option<Plan> {
        let span = contact.span;
        let stated = |word: RollWord| {
            let clause = roll.clauses.iter().find(|clause| clause.word == word);
            clause.map(|clause| clause.value.clone())
        };
        let ground = roll.ground.as_ref().map(|ground| ground.text.clone());
        let radius = stated(RollWord::Radius);
        if let (Some(_), Some(clause)) = (&roll.at, shape_of(roll)) {
            let title = "a point of contact that is given has no shape";
            let wrong = Diagnostic::error(codes::ROLL, title, clause, "not needed");
            return self.refuse(wrong.help("leave it out, or leave out `at ..`"));
        }
        if radius.is_none() && roll.at.is_none() {
            let body = &roll.body.text;
            let on = ground.as_deref().unwrap_or("plane");
            let title = format!("where `{body}` touches is not stated");
            let wrong = Diagnostic::error(codes::ROLL, title, span, "its shape is not known");
            return self.refuse(wrong.help(format!(
                "a ball or, in a plane, a wheel is `roll {body} on {on}, radius r`, a disc in space has `radius r, axis {body}.y`, and a given point of contact is `roll {body} on {on} at P`"
            )));
        }
        if roll.at.is_some() && ground.is_some() && stated(RollWord::Normal).is_none() {
            // Of two bodies at a point nothing but their velocities is known.
            return Some(Plan {
                ground: ground.unwrap_or_default(),
                contact: None,
                normal: None,
                through: None,
            });
        }
        let normal = stated(RollWord::Normal);
        let normal = normal.unwrap_or_else(|| self.upwards(ground.as_deref(), span));
        // A point where two bodies meet in any case lies in no plane of its own.
        let meeting = roll.at.is_some() && ground.is_some();
        let origin = || expr(ExprKind::Name("O".to_owned()), span);
        let through = stated(RollWord::Through).or_else(|| (!meeting).then(origin));
        let shape = radius.map(|radius| {
            let centre = expr(ExprKind::Name(roll.body.text.clone()), span);
            match (stated(RollWord::Axis), stated(RollWord::Tube)) {
                (None, _) => call("contact_sphere", vec![centre, radius, normal.clone()]),
                (Some(axis), None) => {
                    call("contact_disc", vec![centre, radius, axis, normal.clone()])
                }
                (Some(axis), Some(tube)) => call(
                    "contact_torus",
                    vec![centre, radius, tube, axis, normal.clone()],
                ),
            }
        });
        Some(Plan {
            ground: ground.unwrap_or_else(|| "N".to_owned()),
            contact: shape,
            normal: Some(normal),
            through,
        })
    }

    /// Away from what a body rolls on, unless that is stated.
    fn upwards(&self, ground: Option<&str>, span: Span) -> Expr {
        match (ground, &self.up) {
            (Some(ground), _) => axis(ground, "z", span),
            (None, None) => axis("N", "z", span),
            (None, Some((letter, against))) => {
                let up = axis("N", &letter.text, span);
                match against {
                    true => expr(ExprKind::Neg(Box::new(up)), span),
                    false => up,
                }
            }
        }
    }

    /// As what a name is declared.
    fn sort(&mut self, reference: &Ref, here: &Location) -> Option<Sort> {
        let told = self.diagnostics.len();
        let found = self.resolve(reference, here, false);
        self.diagnostics.truncate(told);
        match found {
            Found::Name { text, used, sort } if used == reference.path.len() => {
                (!text.is_empty()).then_some(sort)
            }
            _ => None,
        }
    }

    /// A body that rolls is a body, and what it rolls on a body or a frame; of what is neither the model says what is wrong, once.
    fn rolls_not(&mut self, reference: &Ref, here: &Location, may: &[Sort]) -> bool {
        let sort = match self.sort(reference, here) {
            None if matches!(reference.text.as_str(), "N") => Sort::Frame,
            None => Sort::Other,
            Some(sort) => sort,
        };
        let of_part = matches!(sort, Sort::Need(NeedKind::Frame));
        if of_part || may.contains(&sort) {
            return false;
        }
        let name = self.written(reference, here);
        let body = !may.contains(&Sort::Frame);
        let (what, help) = match body {
            true => ("body", "what rolls is declared as `body W: frame B, ..`"),
            false => (
                "body or frame",
                "write `plane` for the ground, or the name of a body or frame",
            ),
        };
        let title = match sort {
            Sort::Other => format!("there is no {what} `{name}`"),
            sort => format!("`{name}` is {}, not a {what}", sort.text()),
        };
        let span = reference.whole();
        let wrong = Diagnostic::error(codes::ROLL, title, span, format!("a {what} is needed"));
        self.report_at(here, wrong.help(help));
        self.failed.insert(span);
        true
    }

    /// What a body rolls on, before names are plain: what is called `plane` if there is something, and a body only with a point of its plane.
    pub(super) fn ground(&mut self, roll: &mut Roll, here: &Location) {
        let span = roll.body.whole();
        let mut wrong = self.rolls_not(&roll.body, here, &[Sort::Body]);
        let plane: Ref = Ident {
            text: "plane".to_owned(),
            span,
        }
        .into();
        let named = self.sort(&plane, here);
        if roll.ground.is_none() && matches!(named, Some(Sort::Body | Sort::Frame)) {
            roll.ground = Some(plane);
        }
        if let Some(ground) = &roll.ground {
            wrong |= self.rolls_not(ground, here, &[Sort::Body, Sort::Frame]);
        }
        roll.broken = wrong;
        let Some(ground) = roll.ground.clone().filter(|_| !wrong) else {
            return;
        };
        let placed = roll.at.is_some()
            || roll
                .clauses
                .iter()
                .any(|clause| clause.word == RollWord::Through);
        if self.sort(&ground, here) == Some(Sort::Body) && !placed {
            let text = &ground.text;
            let title = format!("where the plane of `{text}` is is not stated");
            let wrong = Diagnostic::error(codes::ROLL, title, ground.whole(), "a body");
            let wrong = wrong.help(format!(
                "add a point of it and, unless it is `{text}.z`, its normal: `normal {text}.y, through P`"
            ));
            self.report_at(here, wrong);
            roll.broken = true;
        }
    }
}

/// An equation between velocities.
fn equal(name: Ident, lhs: Expr, rhs: Expr, frame: Option<Ref>) -> Constraint {
    Constraint {
        name: name.into(),
        lhs,
        rhs,
        frame,
        implied: false,
    }
}

/// That a point is on the plane.
fn touching(name: Ident, contact: &Expr, through: Expr, normal: &Expr) -> Constraint {
    let reach = binary(BinaryOp::Sub, contact.clone(), through);
    Constraint {
        rhs: zero(name.span),
        name: name.into(),
        lhs: call("dot", vec![reach, normal.clone()]),
        frame: None,
        implied: true,
    }
}

/// What is known of a contact.
struct Plan {
    ground: String,
    /// The point of contact, unless it is given by its name.
    contact: Option<Expr>,
    /// `None` where the velocities of both sides are equated in all directions.
    normal: Option<Expr>,
    /// A point of the plane, unless both sides meet there in any case.
    through: Option<Expr>,
}

/// A clause about the shape.
fn shape_of(roll: &Roll) -> Option<Span> {
    let shape = [RollWord::Radius, RollWord::Axis, RollWord::Tube];
    let clause = roll
        .clauses
        .iter()
        .find(|clause| shape.contains(&clause.word));
    clause.map(|clause| clause.span)
}

/// The frame of a normal that is one of its axes.
fn axis_of(normal: &Expr) -> Option<Ref> {
    match &normal.kind {
        ExprKind::Neg(inner) | ExprKind::Paren(inner) => axis_of(inner),
        ExprKind::Field(base, axis) if matches!(axis.text.as_str(), "x" | "y" | "z") => {
            match &base.kind {
                ExprKind::Name(text) => {
                    let text = text.clone();
                    let span = base.span;
                    Some(Ident { text, span }.into())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Away from where things fall, if gravity is along an axis of the ground: with its letter, whether up is against it.
fn up(fall: &Expr) -> Option<(Ident, bool)> {
    match &fall.kind {
        ExprKind::Neg(inner) => up(inner).map(|(axis, against)| (axis, !against)),
        ExprKind::Paren(inner) => up(inner),
        ExprKind::Field(base, axis) => {
            let ground = matches!(&base.kind, ExprKind::Name(name) if name == "N");
            (ground && matches!(axis.text.as_str(), "x" | "y" | "z")).then(|| (axis.clone(), true))
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            let (axis, against) = up(right).or_else(|| up(left))?;
            let other = if up(right).is_some() { left } else { right };
            let negative = matches!(&other.kind, ExprKind::Neg(_));
            Some((axis, against != negative))
        }
        ExprKind::Binary(BinaryOp::Div, left, _) => up(left),
        ExprKind::Components(items, frame) if frame.text == "N" => {
            let is_zero =
                |item: &Expr| matches!(&item.kind, ExprKind::Number { text, .. } if text == "0");
            let mut there = items.iter().enumerate().filter(|(_, item)| !is_zero(item));
            let (at, value) = there.next()?;
            let letter = ["x", "y", "z"].get(at).filter(|_| there.next().is_none())?;
            let negative = matches!(&value.kind, ExprKind::Neg(_))
                || matches!(&value.kind, ExprKind::Binary(BinaryOp::Mul, left, _) if matches!(left.kind, ExprKind::Neg(_)));
            let axis = Ident {
                text: (*letter).to_owned(),
                span: value.span,
            };
            Some((axis, !negative))
        }
        _ => None,
    }
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

fn zero(span: Span) -> Expr {
    Expr::whole_number(0, span)
}

fn axis(frame: &str, letter: &str, span: Span) -> Expr {
    let base = Box::new(expr(ExprKind::Name(frame.to_owned()), span));
    let text = letter.to_owned();
    expr(ExprKind::Field(base, Ident { text, span }), span)
}

fn call(function: &str, args: Vec<Expr>) -> Expr {
    let span = args.first().map(|arg| arg.span).unwrap_or_default();
    let text = function.to_owned();
    expr(ExprKind::Call(Ident { text, span }.into(), args), span)
}

fn binary(sign: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    expr(
        ExprKind::Binary(sign, Box::new(left), Box::new(right)),
        span,
    )
}
