//! `use`: the file of a part, its arguments, and its statements under a prefix.

use super::count::at_copy;
use super::paths::join;
use super::scope::{Scope, Sort, element};
use super::{Expander, PartFile, Place};
use crate::diag::{Diagnostic, Origin, suggest};
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{Argument, Expr, ExprKind, Ident, Item, ItemKind, Name};
use crate::syntax::{self, visit};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most parts inside each other.
const DEEPEST: usize = 16;

/// What a `use` gives for one name of the part.
#[derive(Clone)]
pub struct Given {
    /// As written.
    pub expr: Expr,
    /// Where it is read.
    pub place: Place,
    /// The value, if it is made of numbers alone; it takes the place of a default.
    pub value: Option<Expr>,
}

/// What can be given to a part.
#[derive(Clone, Copy, PartialEq)]
enum Offer {
    Need,
    Param,
    Coord,
    Const,
}

impl Expander<'_> {
    /// `use "leg.eom" as left(hip = P)`
    pub(super) fn use_part(&mut self, path: &Ident, name: &Name, args: &[Argument], place: &Place) {
        if !self.room(1, 0, path.span, place) {
            return;
        }
        let Some((ident, key)) = self.declare(name, Sort::Part, place) else {
            return;
        };
        let local = element(&name.text, &key);
        let at = Span {
            copy: place.copy,
            ..path.span.to(name.span)
        };
        let Some((file, full)) = self.part_file(path, place) else {
            self.incomplete = true;
            return;
        };
        let inner = self.scopes.len();
        let mut scope = Scope::new(format!("{}.", ident.text), full, Some(place.scope));
        let origin = Origin::Use {
            name: ident.text.clone(),
            span: at,
        };
        let copy = self.copies.add(place.copy, origin);
        let inside = Place {
            scope: inner,
            turns: Rc::new(Vec::new()),
            copy,
        };
        let offers = offers(&file.items);
        let mut counts = BTreeMap::new();
        for (i, arg) in args.iter().enumerate() {
            let first = args
                .iter()
                .take(i)
                .find(|other| other.name.text == arg.name.text);
            let Some(offer) = self.offered(arg, first, &local, &offers, place) else {
                continue;
            };
            if offer == Offer::Const {
                if let Some(value) = self.count(&arg.value, place) {
                    counts.insert(arg.name.text.clone(), value);
                }
                continue;
            }
            let mut value = (offer != Offer::Need && self.is_plain(&arg.value, place))
                .then(|| arg.value.clone());
            if let Some(value) = &mut value {
                self.rewrite_expr(value, place);
            }
            if offer == Offer::Coord && value.is_none() {
                let title = format!(
                    "the initial value of `{local}.{}` is not a number",
                    arg.name.text
                );
                let error =
                    Diagnostic::error(codes::ARGUMENT, title, arg.value.span, "not a number")
                        .help("use `needs scalar` in the part for a value that the model passes");
                self.report(at_copy(error, place.copy));
                continue;
            }
            let given = Given {
                expr: arg.value.clone(),
                place: place.clone(),
                value,
            };
            scope.given.insert(arg.name.text.clone(), given);
        }
        self.scopes.push(scope);
        self.scopes[place.scope].parts.insert(local.clone(), inner);
        self.check_needs(&file.items, args, &local, at);
        self.constants(&file.items, &inside, &counts);
        self.walk(&file.items, &inside);
    }

    /// Whether an expression is made of numbers alone, as a default is.
    fn is_plain(&self, expr: &Expr, place: &Place) -> bool {
        match &expr.kind {
            ExprKind::Number { .. } => true,
            ExprKind::Name(name) => name == "pi" || self.counter(name, place).is_some(),
            ExprKind::Neg(inner) | ExprKind::Paren(inner) => self.is_plain(inner, place),
            ExprKind::Binary(_, a, b) => self.is_plain(a, place) && self.is_plain(b, place),
            ExprKind::List(items) => items.iter().all(|item| self.is_plain(item, place)),
            _ => false,
        }
    }

    /// What an argument gives, if it may.
    fn offered(
        &mut self,
        arg: &Argument,
        first: Option<&Argument>,
        local: &str,
        offers: &BTreeMap<String, (Offer, Span)>,
        place: &Place,
    ) -> Option<Offer> {
        let name = &arg.name;
        if let Some(first) = first {
            let title = format!("`{}` is given twice", name.text);
            let error = Diagnostic::error(codes::ARGUMENT, title, name.span, "given again")
                .label(first.name.span, "first given here")
                .help("remove one of them");
            self.report(at_copy(error, place.copy));
            return None;
        }
        if let Some((offer, _)) = offers.get(&name.text) {
            return Some(*offer);
        }
        let title = format!(
            "the part `{local}` has no argument `{}`",
            name.text
        );
        let error = Diagnostic::error(codes::ARGUMENT, title, name.span, "not an argument of the part");
        let near = suggest::closest(&name.text, offers.keys().map(String::as_str));
        let all: Vec<String> = offers
            .keys()
            .take(12)
            .map(|name| format!("`{name}`"))
            .collect();
        let error = match (near, &all[..]) {
            (Some(near), _) => error.help(format!("did you mean `{near}`?")),
            (None, []) => error.help("the part takes no arguments"),
            (None, all) => error.help(format!("its arguments are: {}", all.join(", "))),
        };
        self.report(at_copy(error, place.copy));
        None
    }

    /// Reports what is needed and not given.
    fn check_needs(&mut self, items: &[Item], args: &[Argument], local: &str, at: Span) {
        for item in items {
            let ItemKind::Needs { kind, names } = &item.kind else {
                continue;
            };
            for name in names {
                if args.iter().any(|arg| arg.name.text == name.text) {
                    continue;
                }
                let word = syntax::print::need(*kind);
                let title = format!("the part `{local}` needs the {word} `{}`", name.text);
                let error = Diagnostic::error(codes::NEED, title, at, "not given here")
                    .label(name.span, "needed here")
                    .help(format!("add the argument `{} = ...`", name.text));
                self.report(error);
            }
        }
    }

    /// The tree of a part's file, read once, and its path.
    fn part_file(
        &mut self,
        path: &Ident,
        place: &Place,
    ) -> Option<(Rc<syntax::ast::SourceFile>, String)> {
        let full = join(&self.scopes[place.scope].path, &path.text);
        let error = |code, title: String, label: &str| {
            at_copy(Diagnostic::error(code, title, path.span, label), place.copy)
        };
        let mut outer = Some(place.scope);
        let mut depth = 0;
        while let Some(index) = outer {
            let scope = &self.scopes[index];
            depth += 1;
            let circle = normal(&scope.path) == full;
            outer = scope.outer;
            if circle || depth > DEEPEST {
                let title = if circle {
                    format!("`{full}` uses itself")
                } else {
                    format!("more than {DEEPEST} nested parts")
                };
                let error = error(codes::CIRCULAR_PARTS, title, "used here");
                self.report(error.help("remove this `use`"));
                return None;
            }
        }
        let found = self.around.parts.iter().position(|part| part.path == full);
        let text = match found.map(|index| (index, &self.around.parts[index].text)) {
            Some((index, Ok(text))) => (index, text),
            Some((_, Err(reason))) => {
                let title = format!("cannot read the part's file `{full}`: {reason}");
                let error = error(codes::UNREADABLE_PART, title, "used here");
                self.report(
                    error.help("paths are relative to the folder of the file that uses them"),
                );
                return None;
            }
            None => {
                let title = format!("the part's file `{full}` is not there");
                let error = error(codes::UNREADABLE_PART, title, "used here");
                self.report(
                    error.help("paths are relative to the folder of the file that uses them"),
                );
                return None;
            }
        };
        let (index, text) = text;
        if !self.files.contains_key(&index) {
            let part = self.read(index, text);
            self.files.insert(index, part);
        }
        let part = self.files.get(&index)?;
        let (file, broken) = (Rc::clone(&part.file), part.broken);
        let model = file.items.iter().find_map(|item| match &item.kind {
            ItemKind::Model(name) => Some(name.span),
            _ => None,
        });
        if let Some(span) = model {
            let title = format!("`{full}` describes a complete model, not a part");
            let error = error(codes::NO_PART, title, "this must be a part")
                .label(span, "this is a model")
                .help("begin that file with `part` instead of `model`");
            self.report(error);
            return None;
        }
        self.incomplete |= broken;
        Some((file, full))
    }

    fn read(&mut self, index: usize, text: &str) -> PartFile {
        let number = index as u32 + 1;
        let parsed = syntax::parse(text);
        let broken = parsed.has_errors();
        let mut file = parsed.file;
        for item in &mut file.items {
            visit::spans(item, &mut |span| span.file = number);
        }
        for mut diagnostic in parsed.diagnostics {
            for label in &mut diagnostic.labels {
                label.span.file = number;
            }
            self.report(diagnostic);
        }
        PartFile {
            file: Rc::new(file),
            broken,
        }
    }
}

fn normal(path: &str) -> String {
    join("", path)
}

/// The names that can be given to a part.
fn offers(items: &[Item]) -> BTreeMap<String, (Offer, Span)> {
    let mut all = BTreeMap::new();
    let mut lists = vec![items];
    while let Some(items) = lists.pop() {
        for item in items {
            let mut add = |offer, name: &Name| {
                all.insert(name.text.clone(), (offer, name.span));
            };
            match &item.kind {
                ItemKind::Needs { names, .. } => names.iter().for_each(|n| add(Offer::Need, n)),
                ItemKind::Const(names) => names.iter().for_each(|d| add(Offer::Const, &d.name)),
                ItemKind::Param { names, .. } => {
                    names.iter().for_each(|d| add(Offer::Param, &d.name));
                }
                ItemKind::Coord { names, .. } => {
                    names.iter().for_each(|d| add(Offer::Coord, &d.name));
                }
                ItemKind::For { body, .. } => lists.push(body),
                _ => {}
            }
        }
    }
    all
}
