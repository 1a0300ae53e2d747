//! `use`: the file of a part, its arguments, and its statements under a prefix.

use super::expander::{Expander, PartFile};
use super::given::Given;
use super::location::Location;
use super::paths::{is_shipped, join};
use super::scope::{Scope, Sort, element};
use crate::diag::{Diagnostic, Origin, suggest};
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{
    Argument, Declared, Expr, ExprKind, Ident, Item, ItemKind, Name, QuantityKind, SourceFile,
};
use crate::syntax::{self, visit};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most parts inside each other.
const DEEPEST: usize = 16;

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
    pub(super) fn use_part(
        &mut self,
        path: &Ident,
        name: &Name,
        args: &[Argument],
        here: &Location,
    ) {
        if !self.room(1, 0, path.span, here) {
            return;
        }
        let Some((ident, key)) = self.declare(name, Sort::Part, here) else {
            return;
        };
        let local = element(&name.text, &key);
        let at = here.span(path.span.to(name.span));
        let Some((file, full)) = self.part_file(path, here) else {
            self.incomplete = true;
            return;
        };
        let inner = self.scopes.len();
        let mut scope = Scope::new(format!("{}.", ident.text), full, Some(here.scope));
        let origin = Origin::Use {
            name: ident.text,
            span: at,
        };
        let inside = Location::of_scope(inner, self.copies.add(here.copy, origin));
        let counts = self.arguments(&mut scope, &file.items, args, &local, here);
        self.scopes.push(scope);
        self.scopes[here.scope].parts.insert(local.clone(), inner);
        self.check_needs(&file.items, args, &local, at);
        self.constants(&file.items, &inside, &counts);
        self.walk(&file.items, &inside);
    }

    /// What the arguments give to the names of a part, noted in its scope; the values of its `const`s.
    fn arguments(
        &mut self,
        scope: &mut Scope,
        items: &[Item],
        args: &[Argument],
        local: &str,
        here: &Location,
    ) -> BTreeMap<String, i64> {
        let offers = offers(items);
        let mut counts = BTreeMap::new();
        for (i, arg) in args.iter().enumerate() {
            let name = &arg.name.text;
            let first = args[..i].iter().find(|other| other.name.text == *name);
            match self.offered(arg, first, local, &offers, here) {
                None => {}
                Some(Offer::Const) => {
                    let value = self.count(&arg.value, here);
                    counts.extend(value.map(|value| (name.clone(), value)));
                }
                Some(offer) => {
                    let given = self.given(arg, offer, local, here);
                    scope.given.extend(given.map(|given| (name.clone(), given)));
                }
            }
        }
        counts
    }

    /// What an argument gives; `None` if it may not, which is reported.
    fn given(
        &mut self,
        arg: &Argument,
        offer: Offer,
        local: &str,
        here: &Location,
    ) -> Option<Given> {
        let plain = offer != Offer::Need && self.is_plain(&arg.value, here);
        if offer == Offer::Coord && !plain {
            let name = &arg.name.text;
            let title = format!("the initial value of `{local}.{name}` is not a number");
            let error = Diagnostic::error(codes::ARGUMENT, title, arg.value.span, "not a number")
                .help("use `needs scalar` in the part for a value that the model passes");
            return self.refuse_at(here, error);
        }
        let mut value = plain.then(|| arg.value.clone());
        if let Some(value) = &mut value {
            self.rewrite_expr(value, here);
        }
        Some(Given {
            expr: arg.value.clone(),
            location: here.clone(),
            value,
            starts: offer == Offer::Coord,
        })
    }

    /// Whether an expression is made of numbers alone, as a default is.
    fn is_plain(&self, expr: &Expr, here: &Location) -> bool {
        match &expr.kind {
            ExprKind::Number { .. } => true,
            ExprKind::Name(name) => name == "pi" || self.counter(name, here).is_some(),
            ExprKind::Neg(inner) | ExprKind::Paren(inner) => self.is_plain(inner, here),
            ExprKind::Binary(_, a, b) => self.is_plain(a, here) && self.is_plain(b, here),
            ExprKind::List(items) => items.iter().all(|item| self.is_plain(item, here)),
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
        here: &Location,
    ) -> Option<Offer> {
        let name = &arg.name;
        if let Some(first) = first {
            let title = format!("`{}` is given twice", name.text);
            let error = Diagnostic::error(codes::ARGUMENT, title, name.span, "given again")
                .label(first.name.span, "first given here")
                .help("remove one of them");
            return self.refuse_at(here, error);
        }
        if let Some((offer, _)) = offers.get(&name.text) {
            return Some(*offer);
        }
        let title = format!("the part `{local}` has no argument `{}`", name.text);
        let error = Diagnostic::error(
            codes::ARGUMENT,
            title,
            name.span,
            "not an argument of the part",
        );
        let near = suggest::closest(&name.text, offers.keys().map(String::as_str));
        let all: Vec<String> = offers
            .keys()
            .take(12)
            .map(|name| format!("`{name}`"))
            .collect();
        let error = match (near, &all[..]) {
            (Some(near), _) => error.meant(near),
            (None, []) => error.help("the part takes no arguments"),
            (None, all) => error.help(format!("its arguments are: {}", all.join(", "))),
        };
        self.refuse_at(here, error)
    }

    /// Reports what is needed and not given.
    fn check_needs(&mut self, items: &[Item], args: &[Argument], local: &str, at: Span) {
        for item in items {
            let ItemKind::Needs { kind, names } = &item.kind else {
                continue;
            };
            for name in names {
                let Declared { name, value, .. } = name;
                if value.is_some() || args.iter().any(|arg| arg.name.text == name.text) {
                    continue;
                }
                let word = kind.text();
                let title = format!("the part `{local}` needs the {word} `{}`", name.text);
                let error = Diagnostic::error(codes::NEED, title, at, "not given here")
                    .label(name.span, "needed here")
                    .help(format!("add the argument `{} = ...`", name.text));
                self.report(error);
            }
        }
    }

    /// The tree of a part's file, read once, and its path.
    fn part_file(&mut self, path: &Ident, here: &Location) -> Option<(Rc<SourceFile>, String)> {
        let full = join(&self.scopes[here.scope].path, &path.text);
        let error = |code, title: String, label: &str| {
            here.message(Diagnostic::error(code, title, path.span, label))
        };
        if let Some(title) = self.circle(&full, here) {
            let error = error(codes::CIRCULAR_PARTS, title, "used here");
            return self.refuse(error.help("remove this `use`"));
        }
        let found = self.around.parts.iter().position(|part| part.path == full);
        let missing = || Err(format!("the part's file `{full}` is not there"));
        let text = found.map_or_else(missing, |index| match &self.around.parts[index].text {
            Ok(text) => Ok((index, text)),
            Err(why) => Err(format!("cannot read the part's file `{full}`: {why}")),
        });
        let (index, text) = match text {
            Ok(found) => found,
            Err(title) => {
                let error = error(codes::UNREADABLE_PART, title, "used here");
                let help = if is_shipped(&full) {
                    "`std/` names parts of the program; a folder of this name is written `./std/`"
                } else {
                    "paths are relative to the folder of the file that uses them"
                };
                return self.refuse(error.help(help));
            }
        };
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
            return self.refuse(error);
        }
        self.incomplete |= broken;
        Some((file, full))
    }

    /// What is wrong if a file is used inside itself, or too deep inside others.
    fn circle(&self, full: &str, here: &Location) -> Option<String> {
        let mut outer = Some(here.scope);
        let mut depth = 0;
        while let Some(index) = outer {
            let scope = &self.scopes[index];
            depth += 1;
            if join("", &scope.path) == full {
                return Some(format!("`{full}` uses itself"));
            }
            if depth > DEEPEST {
                return Some(format!("more than {DEEPEST} nested parts"));
            }
            outer = scope.outer;
        }
        None
    }

    fn read(&mut self, index: usize, text: &str) -> PartFile {
        let number = index as u32 + 1;
        if is_shipped(&self.around.parts[index].path) {
            self.copies.shipped(number);
        }
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
                ItemKind::Needs { names, .. } => {
                    names.iter().for_each(|d| add(Offer::Need, &d.name))
                }
                ItemKind::Const(names) => names.iter().for_each(|d| add(Offer::Const, &d.name)),
                ItemKind::Quantities(all) => {
                    let offer = match all.kind {
                        QuantityKind::Param => Offer::Param,
                        QuantityKind::Coord => Offer::Coord,
                        QuantityKind::Input | QuantityKind::State => continue,
                    };
                    all.names.iter().for_each(|d| add(offer, &d.name));
                }
                ItemKind::For { body, .. } => lists.push(body),
                _ => {}
            }
        }
    }
    all
}
