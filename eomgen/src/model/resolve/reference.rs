//! Points and frames by name, and names that stand for nothing or for something else.

use super::{Resolver, Typed, Value, strip};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::names::{Symbol, Thing};
use crate::model::system::{FrameId, PointId};
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind};

impl Resolver {
    /// Reports a name that is not declared or stands for something else than wanted: `["a point", "point"]`.
    pub fn misnamed<T>(
        &mut self,
        name: &str,
        span: Span,
        [wanted, noun]: [&str; 2],
        accept: impl Fn(Thing) -> bool,
    ) -> Option<T> {
        match self.names.get(name).map(|s| s.thing) {
            Some(found) => self.wrong_name(name, span, found, wanted, accept),
            None => self.unknown_name(name, span, noun, accept),
        }
    }

    /// Reports a name that is not declared, with the nearest of the wanted sort.
    fn unknown_name<T>(
        &mut self,
        name: &str,
        span: Span,
        noun: &str,
        wanted: impl Fn(Thing) -> bool,
    ) -> Option<T> {
        // A message on its declaration is out.
        if self.unread.iter().any(|word| word == name) {
            return None;
        }
        let unknown = Diagnostic::error(
            codes::UNKNOWN_NAME,
            format!("unknown {noun} `{name}`"),
            span,
            "not declared",
        );
        let known = self.names.few(&wanted);
        // A letter in the other case is as often a different thing as a slip.
        let sort = |t: Thing| {
            noun != "name"
                || name.chars().count() > 1
                || !matches!(
                    t,
                    Thing::Point(_) | Thing::Frame(_) | Thing::Body(..) | Thing::Group(_)
                )
        };
        let near = self.names.nearest(name, |t| wanted(t) && sort(t));
        if near.is_none() && noun == "name" {
            let help = self.how_to_declare(name);
            return self.refuse(unknown.help(help));
        }
        self.refuse(match near {
            Some(Symbol {
                name,
                span: declared,
                thing,
            }) => {
                let help = unknown
                    .help(format!("did you mean {} `{name}`?", the(*thing)))
                    .write(name);
                match declared {
                    Some(span) => help.label(*span, format!("`{name}` is declared here")),
                    None => help,
                }
            }
            None => match known {
                Some(known) => unknown.note(format!("allowed here: {known}")),
                None => unknown,
            },
        })
    }

    /// What to write instead of a name that is not declared and near to no other.
    fn how_to_declare(&self, name: &str) -> String {
        let moving = |base: &str| {
            let thing = self.names.get(base).map(|s| s.thing);
            matches!(
                thing,
                Some(Thing::Coord(_) | Thing::Speed(_) | Thing::Let(_))
            )
        };
        if name.contains(['·', '×']) {
            return "a product is written with `*`".to_string();
        }
        if let Some(rate) = rate_of(name, moving) {
            return format!("the rate is written `{rate}`");
        }
        if matches!(name, "x" | "y" | "z") {
            return format!(
                "declare it with `coord` or `param`; the basis vector of `N` is `N.{name}`"
            );
        }
        format!(
            "declare it: `param {name}` for a constant, `coord {name}` for a coordinate, `let {name} = ...` for an expression"
        )
    }

    /// A point by name; a particle or body stands for its mass centre.
    pub fn point_ref(&mut self, expr: &Expr) -> Option<PointId> {
        let ExprKind::Name(name) = &strip(expr).kind else {
            let found = self.expr(expr)?;
            if matches!(found.value, Value::Point(..)) {
                return self.point_of(&found);
            }
            return self.refuse(unnamed("point", &found));
        };
        self.point_named(name, expr.span)
    }

    /// A point by name; a particle or body stands for its mass centre.
    pub fn point_named(&mut self, name: &str, span: Span) -> Option<PointId> {
        let wanted = |t| matches!(t, Thing::Point(_) | Thing::Body(..) | Thing::Group(_));
        match self.names.get(name).map(|s| s.thing) {
            Some(Thing::Point(i)) => *self.points.get(i)?,
            Some(Thing::Body(i, _)) => self.bodies.get(i)?.center,
            Some(Thing::Group(i)) => {
                let bodies = self.groups.get(i)?.clone()?;
                let center = self.mass_center(&bodies, span)?;
                self.point_of(&center)
            }
            _ => self.misnamed(name, span, ["a point", "point"], wanted),
        }
    }

    /// A frame by name; a rigid body stands for its frame.
    pub fn frame_ref(&mut self, expr: &Expr) -> Option<FrameId> {
        let ExprKind::Name(name) = &strip(expr).kind else {
            let found = self.expr(expr)?;
            return self.refuse(unnamed("frame", &found));
        };
        self.frame_named(name, expr.span)
    }

    /// A frame by name; a rigid body stands for its frame.
    pub fn frame_named(&mut self, name: &str, span: Span) -> Option<FrameId> {
        if let Some((own, parent)) = &self.own_frame
            && own == name
        {
            return Some(*parent);
        }
        let wanted = |t| matches!(t, Thing::Frame(_));
        match self.names.get(name).map(|s| s.thing) {
            Some(Thing::Frame(i)) => *self.frames.get(i)?,
            Some(Thing::Body(i, rigid)) => {
                if !rigid {
                    self.report(Diagnostic::error(
                        codes::WRONG_KIND,
                        format!("`{name}` is a particle and has no frame"),
                        span,
                        "this must be a frame or rigid body",
                    ));
                }
                self.bodies.get(i)?.frame
            }
            _ => self.misnamed(name, span, ["a frame", "frame"], wanted),
        }
    }

    /// Reports a name that stands for something else than wanted.
    fn wrong_name<T>(
        &mut self,
        name: &str,
        span: Span,
        found: Thing,
        wanted: &str,
        accept: impl Fn(Thing) -> bool,
    ) -> Option<T> {
        let wrong = Diagnostic::error(
            codes::WRONG_KIND,
            format!("`{name}` is {}, not {wanted}", found.text()),
            span,
            format!("this must be {wanted}"),
        );
        let near = self.names.nearest(name, accept).map(|s| s.name.clone());
        self.refuse(match (near, wanted) {
            (Some(near), _) => wrong.meant(&near),
            (None, "a point") if matches!(found, Thing::Frame(_)) => wrong.help(format!(
                "a frame has an angular velocity, `angvel({name})`"
            )),
            (None, "a frame") if matches!(found, Thing::Point(_) | Thing::Body(..)) => wrong.help(format!(
                "a point has a velocity, `vel({name})`; its velocity relative to another point is a difference"
            )),
            (None, "a coordinate") if matches!(found, Thing::Point(_) | Thing::Body(..)) => {
                wrong.help(format!("a force at a point is `force on {name}: v`"))
            }
            (None, _) => wrong,
        })
    }
}

fn unnamed(wanted: &str, found: &Typed) -> Diagnostic {
    Diagnostic::error(
        codes::WRONG_KIND,
        format!("this must be the name of a {wanted}"),
        found.span,
        format!("this is {}, not a name", found.value.text()),
    )
}

/// "the parameter"
fn the(thing: Thing) -> String {
    let text = thing.text();
    if matches!(thing, Thing::Pi) {
        return "the number".to_string();
    }
    match text.strip_prefix("a ").or_else(|| text.strip_prefix("an ")) {
        Some(noun) => format!("the {noun}"),
        None => text.to_string(),
    }
}

/// The rate of a coordinate or the like, as other languages name it: `xdot`, `x_dot`, `xd`, `dx`, `der_x`.
fn rate_of(name: &str, known: impl Fn(&str) -> bool) -> Option<String> {
    let twice = [("_ddot", ""), ("ddot", ""), ("_dd", ""), ("dd", "")];
    let once = [("_dot", ""), ("dot", ""), ("_d", ""), ("d", ""), ("_p", "")];
    let ends = |list: &[(&str, &str)]| {
        let bases = list.iter().filter_map(|(end, _)| name.strip_suffix(end));
        bases.filter(|b| known(b)).map(str::to_string).next()
    };
    let starts = ["d_", "d", "der_"]
        .iter()
        .filter_map(|s| name.strip_prefix(s));
    if let Some(base) = ends(&twice) {
        return Some(format!("{base}''"));
    }
    let base = ends(&once).or_else(|| starts.filter(|b| known(b)).map(str::to_string).next())?;
    Some(format!("{base}'"))
}
