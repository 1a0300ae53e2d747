//! What a name with indices and further names behind it stands for.

use super::expander::Expander;
use super::location::Location;
use super::scope::{Sort, element};
use crate::diag::{Diagnostic, suggest};
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{Expr, Ident, NeedKind, Ref, Segment};
use crate::syntax::print;

/// What was found.
pub enum Found {
    /// A counter.
    Number(i64),
    /// A plain name, how many segments of the path belong to it, and what it is.
    Name {
        /// The name.
        text: String,
        /// Segments of the path that are used up.
        used: usize,
        /// As what it is declared.
        sort: Sort,
    },
    /// Nothing that is declared here; the model knows more, or says so.
    Unknown,
    /// Something is wrong, and that is reported.
    Failed,
}

impl Expander<'_> {
    /// Resolves a reference; of a call only functions of the user are meant.
    pub(super) fn resolve(&mut self, reference: &Ref, here: &Location, called: bool) -> Found {
        let base = &reference.ident;
        if let Some(span) = reference.path.iter().find_map(|segment| match segment {
            Segment::Range(_, _, span) => Some(*span),
            Segment::Index(..) | Segment::Field(_) => None,
        }) {
            let title = "this needs one element, not a range";
            let error = Diagnostic::error(codes::RANGE, title, span, "a range")
                .help("write a loop, `for i in 1..n {`, with its variable as the index");
            self.report_at(here, error);
            return Found::Failed;
        }
        if !called && let Some(value) = self.counter(&base.text, here) {
            if reference.path.is_empty() {
                return Found::Number(value);
            }
            self.no_elements(&base.text, "a number", reference, here, None);
            return Found::Failed;
        }
        let mut scope = here.scope;
        let mut name = base;
        let mut used = 0;
        loop {
            let Some(entry) = self.scopes[scope].names.get(&name.text) else {
                if let Some((value, _)) = self.scopes[scope].consts.get(&name.text)
                    && used == reference.path.len()
                {
                    return Found::Number(*value);
                }
                return match used {
                    0 => self.undeclared(reference, here, called),
                    _ => self.not_in_part(name, scope, here),
                };
            };
            let sort = entry.sort;
            if called && used == 0 && !matches!(sort, Sort::Function | Sort::Part) {
                return self.undeclared(reference, here, called);
            }
            let Some(local) = self.local(reference, name, &mut used, scope, here) else {
                return Found::Failed;
            };
            if sort != Sort::Part {
                return self.declared_name(&local, used, sort, scope);
            }
            let Some(inner) = self.scopes[scope].parts.get(&local).copied() else {
                return Found::Failed;
            };
            let Some(Segment::Field(field)) = reference.path.get(used) else {
                self.part_alone(reference, &local, inner, here);
                return Found::Failed;
            };
            scope = inner;
            name = field;
            used += 1;
        }
    }

    /// A declared name of a scope with the indices behind it, as many as it has, which are used up; `None` if they are not those of an
    /// element, which is reported.
    fn local(
        &mut self,
        reference: &Ref,
        name: &Ident,
        used: &mut usize,
        scope: usize,
        here: &Location,
    ) -> Option<String> {
        let entry = self.scopes[scope].names.get(&name.text)?;
        let (sort, wanted, declared) = (entry.sort, entry.indices, entry.span);
        let mut key = Vec::new();
        while key.len() < wanted {
            let Some(Segment::Index(index, _)) = reference.path.get(*used) else {
                self.index_missing(reference, name, scope, here);
                return None;
            };
            key.push(self.index(index, here)?);
            *used += 1;
        }
        let local = element(&name.text, &key);
        if let Some(Segment::Index(..)) = reference.path.get(*used) {
            self.no_elements(&local, sort.text(), reference, here, Some(declared));
            return None;
        }
        if wanted > 0 && !self.has_element(name, &key, scope) {
            self.no_such_element(reference, name, &local, scope, here);
            return None;
        }
        Some(local)
    }

    /// The plain name of what a scope declares, or of what stands for it.
    fn declared_name(&mut self, local: &str, used: usize, sort: Sort, scope: usize) -> Found {
        let text = match self.scopes[scope].bound.get(local).copied() {
            Some(index) => self.need(index),
            // Not given, which is told where the part is used.
            None if matches!(sort, Sort::Need(_)) => None,
            None => Some(format!("{}{local}", self.scopes[scope].prefix)),
        };
        text.map_or(Found::Failed, |text| Found::Name { text, used, sort })
    }

    /// Whether an expression names a family as a whole.
    pub(super) fn is_family(&self, expr: &Expr, here: &Location) -> bool {
        if !expr.is_reference() {
            return false;
        }
        let Some(reference) = Ref::of(expr.clone()) else {
            return false;
        };
        let [] = reference.path[..] else {
            // Behind a dot: a name of a part.
            return self.is_family_of_part(&reference, here);
        };
        let entry = self.scopes[here.scope].names.get(&reference.ident.text);
        entry.is_some_and(|entry| entry.indices > 0)
    }

    fn is_family_of_part(&self, reference: &Ref, here: &Location) -> bool {
        let mut scope = here.scope;
        let mut name = &reference.ident;
        for segment in &reference.path {
            let Segment::Field(field) = segment else {
                return false;
            };
            let Some(inner) = self.scopes[scope].parts.get(&name.text) else {
                return false;
            };
            scope = *inner;
            name = field;
        }
        let entry = self.scopes[scope].names.get(&name.text);
        entry.is_some_and(|entry| entry.indices > 0)
    }

    fn has_element(&self, name: &Ident, key: &[i64], scope: usize) -> bool {
        let entry = self.scopes[scope].names.get(&name.text);
        entry.is_some_and(|entry| entry.elements.contains_key(key))
    }

    /// A name that its file does not declare.
    fn undeclared(&mut self, reference: &Ref, here: &Location, called: bool) -> Found {
        let name = &reference.ident.text;
        let mut outer = self.scopes[here.scope].outer;
        while let Some(index) = outer {
            let scope = &self.scopes[index];
            let entry = scope.names.get(name);
            outer = scope.outer;
            let Some(entry) = entry.filter(|entry| !called || entry.sort == Sort::Function) else {
                continue;
            };
            let title = format!("`{name}` is declared only outside this part");
            let error = Diagnostic::error(
                codes::OUTSIDE_NAME,
                title,
                reference.ident.span,
                "unknown in the part",
            )
            .label(entry.span, "declared here");
            let word = match entry.sort {
                Sort::Frame | Sort::Body | Sort::Need(NeedKind::Frame) => "frame",
                Sort::Point | Sort::Particle | Sort::Need(NeedKind::Point) => "point",
                _ => "scalar",
            };
            let error = error.help(format!(
                "state `needs {word} {name}` in the part, and pass it where the part is used"
            ));
            self.report_at(here, error);
            return Found::Failed;
        }
        Found::Unknown
    }

    fn not_in_part(&mut self, name: &Ident, scope: usize, here: &Location) -> Found {
        let inner = &self.scopes[scope];
        let part = inner.prefix.trim_end_matches('.');
        let title = format!("the part `{part}` declares no `{}`", name.text);
        let error = Diagnostic::error(codes::UNKNOWN_NAME, title, name.span, "not declared there");
        let few = if self.diagnostics.len() < 100 {
            usize::MAX
        } else {
            0
        };
        let names = inner.names.keys().map(String::as_str).take(few);
        let near = suggest::closest(&name.text, names);
        let error = match near {
            Some(near) => error
                .help(format!("did you mean `{part}.{near}`?"))
                .write(near),
            None => error,
        };
        self.report_at(here, error);
        Found::Failed
    }

    fn part_alone(&mut self, reference: &Ref, local: &str, inner: usize, here: &Location) {
        let some = self.scopes[inner].names.keys().next();
        let example = some.map_or("foot", String::as_str);
        let title = format!("`{local}` is a part and has no value");
        let label = "name something inside it";
        let error = Diagnostic::error(codes::WRONG_KIND, title, reference.whole(), label)
            .help(format!("for example `{local}.{example}`"));
        self.report_at(here, error);
    }

    fn index_missing(&mut self, reference: &Ref, name: &Ident, scope: usize, here: &Location) {
        let Some(entry) = self.scopes[scope].names.get(&name.text) else {
            return;
        };
        let title = match entry.indices {
            1 => format!("`{}` is a family: which element do you mean?", name.text),
            more => format!(
                "`{}` has {more} indices: which element do you mean?",
                name.text
            ),
        };
        let error = Diagnostic::error(
            codes::INDEX_MISSING,
            title,
            reference.whole(),
            "an index is missing",
        )
        .label(
            entry.span,
            format!("has the elements {}", entry.elements_text()),
        );
        let error = match entry.elements.keys().next() {
            Some(key) => error.help(format!("for example `{}`", element(&name.text, key))),
            None => error,
        };
        self.report_at(here, error);
    }

    fn no_elements(
        &mut self,
        name: &str,
        what: &str,
        reference: &Ref,
        here: &Location,
        declared: Option<Span>,
    ) {
        let title = format!("`{name}` is {what} and has no elements");
        let error = Diagnostic::error(
            codes::NO_FAMILY,
            title,
            reference.whole(),
            "one index too many",
        );
        let error = match declared {
            Some(span) => error.label(span, "declared here"),
            None => error,
        };
        self.report_at(here, error.help("remove the index: only families have indices, and units follow only numbers and declarations"));
    }

    fn no_such_element(
        &mut self,
        reference: &Ref,
        name: &Ident,
        local: &str,
        scope: usize,
        here: &Location,
    ) {
        let Some(entry) = self.scopes[scope].names.get(&name.text) else {
            return;
        };
        let title = format!("there is no `{local}`");
        let error = Diagnostic::error(
            codes::NO_ELEMENT,
            title,
            reference.whole(),
            "no such element",
        )
        .label(
            entry.span,
            format!("has the elements {}", entry.elements_text()),
        );
        let base = entry.sort == Sort::Point && local.ends_with("[0]");
        let error = error.help(if base {
            format!("define the start of the chain, such as `point {local} = O`")
        } else {
            "use an index that is declared, or declare this element".to_owned()
        });
        self.report_at(here, error);
    }

    /// A reference as it stands, its indices worked out where they can be.
    pub(super) fn written(&self, reference: &Ref, here: &Location) -> String {
        let mut text = reference.ident.text.clone();
        for segment in &reference.path {
            match segment {
                Segment::Field(field) => text.push_str(&format!(".{}", field.text)),
                Segment::Range(..) => text.push_str("[..]"),
                Segment::Index(index, _) => {
                    let value = self.quiet_count(index, here);
                    let index = value.map_or_else(|| print::expression(index), |v| v.to_string());
                    text.push_str(&format!("[{index}]"));
                }
            }
        }
        text
    }
}
