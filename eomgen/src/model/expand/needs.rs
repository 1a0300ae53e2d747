//! What stands for the names that a part gets from outside.

use super::expander::{Expander, Pending};
use super::given::{Binding, Given, State};
use super::location::Location;
use super::resolve::Found;
use super::scope::{PREDECLARED, Sort, element};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::syntax::ast::{
    Declared, Defined, Definition, Expr, ExprKind, Item, ItemKind, Name, NeedKind, Ref,
};
use crate::syntax::{print, visit};

impl Expander<'_> {
    /// A `needs` statement.
    pub(super) fn needs(
        &mut self,
        kind: NeedKind,
        names: &[Declared],
        item: &Item,
        here: &Location,
    ) {
        if here.scope == 0 {
            let title = "a model needs nothing from outside";
            let error =
                Diagnostic::error(codes::MISPLACED, title, item.span, "allowed only in a part")
                    .help(
                        "declare what it names, or begin the file with `part` instead of `model`",
                    );
            self.report(error);
            return;
        }
        for Declared { name, value, .. } in names {
            let given = self.scopes[here.scope].given.get(&name.text).cloned();
            let given = given.or_else(|| Some(Given::default(value.as_ref()?, here)));
            for (element, position) in self.names(name, here) {
                match &given {
                    Some(given) => {
                        let binding = Binding::new(given, kind, position, &item.docs);
                        self.bind(&element, binding, here);
                    }
                    // Told where it is used; the name is known all the same.
                    None => {
                        self.declare(&element, Sort::Need(kind), here);
                    }
                }
            }
        }
    }

    /// Takes note of a name of a part for which something else stands.
    pub(super) fn bind(&mut self, name: &Name, mut binding: Binding, here: &Location) {
        let Some((ident, key)) = self.declare(name, Sort::Need(binding.kind), here) else {
            return;
        };
        let index = self.bindings.len();
        let local = element(&name.text, &key);
        self.scopes[here.scope].bound.insert(local, index);
        binding.name = ident;
        binding.key = key;
        self.bindings.push(binding);
        self.pending.push(Pending::Need(index));
    }

    /// The plain name that stands for a name of a part; `None` if there is none, which is reported.
    pub(super) fn need(&mut self, index: usize) -> Option<String> {
        match &self.bindings[index].state {
            State::Done(name) => return name.clone(),
            State::New => {}
            State::Open => {
                let binding = &self.bindings[index];
                let title = format!("what stands for `{}` depends on itself", binding.name.text);
                let error =
                    Diagnostic::error(codes::CIRCULAR_PARTS, title, binding.expr.span, "circular")
                        .help("give something that the model declares");
                return self.refuse(binding.location.message(error));
            }
        }
        self.bindings[index].state = State::Open;
        let result = self.stand_in(index);
        self.bindings[index].state = State::Done(result.clone());
        result
    }

    fn stand_in(&mut self, index: usize) -> Option<String> {
        let binding = self.bindings[index].clone();
        let here = &binding.location;
        let mut expr = self.for_element(&binding)?;
        visit::spans_of(&mut expr, &mut |span| span.copy = here.copy);
        if let Some(reference) = expr.is_reference().then(|| Ref::of(expr.clone())).flatten() {
            match self.resolve(&reference, here, false) {
                Found::Name { text, used, sort } if used == reference.path.len() => {
                    if !sort.fits(binding.kind) {
                        self.wrong_kind(&binding, &expr, sort.text());
                        return None;
                    }
                    return Some(text);
                }
                // `N.z` is more than a name.
                Found::Unknown
                    if !reference.path.is_empty()
                        && PREDECLARED.contains(&reference.ident.text.as_str()) => {}
                Found::Unknown => return self.predeclared(&binding, &expr),
                Found::Failed => return None,
                Found::Number(_) | Found::Name { .. } => {}
            }
        }
        self.rewrite_expr(&mut expr, here);
        let name = Name::from(binding.name.clone());
        let text = name.text.clone();
        let span = expr.span;
        let value = expr;
        let what = match binding.kind {
            NeedKind::Frame if matches!(value.kind, ExprKind::Call { .. }) => Defined::Frame,
            NeedKind::Frame => {
                self.wrong_kind(&binding, &value, "an expression");
                return None;
            }
            NeedKind::Point => Defined::Point,
            NeedKind::Scalar | NeedKind::Vector => Defined::Let,
        };
        let kind = ItemKind::Define(Definition { what, name, value });
        let docs = binding.docs;
        self.bindings[index].item = Some(Item { kind, docs, span });
        Some(text)
    }

    /// The part of what is given that is for one element of a family.
    fn for_element(&mut self, binding: &Binding) -> Option<Expr> {
        let expr = &binding.expr;
        match (&expr.kind, binding.position) {
            (ExprKind::List(items), Some(position)) => {
                let one = items.get(position).cloned();
                if one.is_none() {
                    let title = format!("no value is given for `{}`", binding.name.text);
                    let label = format!("{} values", items.len());
                    let error = Diagnostic::error(codes::VALUES, title, expr.span, label)
                        .help("give one value for each element");
                    self.report_at(&binding.location, error);
                }
                one
            }
            _ if !binding.key.is_empty() && self.is_family(expr, &binding.location) => {
                let mut expr = expr.clone();
                for index in &binding.key {
                    let span = expr.span;
                    let index = Box::new(Expr::whole_number(*index, span));
                    let kind = ExprKind::Index(Box::new(expr), index);
                    expr = Expr { kind, span };
                }
                Some(expr)
            }
            _ => Some(expr.clone()),
        }
    }

    fn predeclared(&mut self, binding: &Binding, expr: &Expr) -> Option<String> {
        let text = print::expression(expr);
        let fitting = match binding.kind {
            NeedKind::Point => &["O"][..],
            NeedKind::Frame => &["N"],
            NeedKind::Scalar => &["t", "pi"],
            NeedKind::Vector => &[],
        };
        if fitting.contains(&text.as_str()) {
            return Some(text);
        }
        if PREDECLARED.contains(&text.as_str()) {
            self.wrong_kind(binding, expr, "something else");
            return None;
        }
        let noun = binding.kind.text();
        let title = format!("unknown {noun} `{text}`");
        let error = Diagnostic::error(codes::UNKNOWN_NAME, title, expr.span, "not declared");
        self.refuse_at(&binding.location, error)
    }

    fn wrong_kind(&mut self, binding: &Binding, expr: &Expr, found: &str) {
        let wanted = match binding.kind {
            NeedKind::Point => "a point",
            NeedKind::Frame => "the name of a frame or body",
            NeedKind::Scalar => "a scalar",
            NeedKind::Vector => "a vector",
        };
        let (name, text) = (&binding.name.text, print::expression(expr));
        let title = format!("`{name}` needs {wanted}, and `{text}` is {found}");
        let error = Diagnostic::error(
            codes::ARGUMENT,
            title,
            expr.span,
            format!("this must be {wanted}"),
        )
        .label(binding.name.span, "needed here");
        self.report_at(&binding.location, error);
    }
}
