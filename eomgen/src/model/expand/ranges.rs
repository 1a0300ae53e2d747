//! Declarations for a whole range: `param m[1..n] = 1.0`, and values that a `use` gives.

use super::expander::Expander;
use super::given::Binding;
use super::location::Location;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::syntax::ast::{
    Declared, Expr, ExprKind, Item, ItemKind, Name, NameIndex, NeedKind, QuantityKind, Ref,
    Relation, Segment, Signature,
};

/// What is declared for a range, with the position of each element in it.
type Elements<T> = Vec<(T, Option<usize>)>;

impl Expander<'_> {
    /// Writes the ranges of a statement out. False if nothing is left of it.
    pub(super) fn spread(&mut self, item: &mut Item, here: &Location) -> bool {
        match &mut item.kind {
            ItemKind::Quantities(quantities) => {
                let docs = item.docs.clone();
                let all = self.declared(std::mem::take(&mut quantities.names), here);
                for (declared, position) in all {
                    // For a state or an input nothing of the model around can stand.
                    let replaced = match quantities.kind {
                        QuantityKind::Input | QuantityKind::State => None,
                        _ => self.replaced(&declared, position, &docs, here),
                    };
                    match replaced {
                        Some(name) => self.assumed(name, &quantities.assume, here),
                        None => quantities.names.push(declared),
                    }
                }
                !quantities.names.is_empty()
            }
            ItemKind::Function { signatures, .. } => {
                for signature in std::mem::take(signatures) {
                    for (name, _) in self.names(&signature.name, here) {
                        let args = signature.args.clone();
                        signatures.push(Signature { name, args });
                    }
                }
                !signatures.is_empty()
            }
            ItemKind::Group { members, .. } => {
                for member in std::mem::take(members) {
                    members.extend(self.members(member, here));
                }
                true
            }
            _ => true,
        }
    }

    /// The elements that a member of a group stands for: `A[1..n]`.
    fn members(&mut self, member: Ref, here: &Location) -> Vec<Ref> {
        let ranged = |segment: &Segment| matches!(segment, Segment::Range(..));
        let Some(at) = member.path.iter().position(ranged) else {
            return vec![member];
        };
        let Some(Segment::Range(from, to, span)) = member.path.get(at) else {
            return vec![member];
        };
        let Some((first, last)) = self.range(from, to, here) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for index in first..=last {
            let mut one = member.clone();
            one.path[at] = Segment::Index(Expr::whole_number(index, *span), *span);
            all.extend(self.members(one, here));
        }
        all
    }

    /// The elements of a declared name.
    pub(super) fn names(&mut self, name: &Name, here: &Location) -> Elements<Name> {
        let mut done = vec![(name.clone(), None)];
        for at in 0..name.indices.len() {
            let mut next = Vec::new();
            for (name, _) in done {
                let Some(NameIndex::Range(from, to)) = name.indices.get(at) else {
                    next.push((name, None));
                    continue;
                };
                let span = from.span.to(to.span);
                let Some((first, last)) = self.range(from, to, here) else {
                    continue;
                };
                for (position, index) in (first..=last).enumerate() {
                    let mut one = name.clone();
                    one.indices[at] = NameIndex::At(Expr::whole_number(index, span));
                    next.push((one, Some(position)));
                }
            }
            done = next;
        }
        done
    }

    /// The elements of declared names, each with its value.
    fn declared(&mut self, names: Vec<Declared>, here: &Location) -> Elements<Declared> {
        let mut all = Vec::new();
        for declared in names {
            let given = self.scopes[here.scope].given.get(&declared.name.text);
            let value = match given.and_then(|given| given.value.clone()) {
                Some(value) => Some(value),
                None => declared.value,
            };
            let elements = self.names(&declared.name, here);
            let ranged = elements.iter().any(|(_, position)| position.is_some());
            let list = match value.as_ref().map(|value| &value.kind) {
                Some(ExprKind::List(items)) if ranged => Some(items.clone()),
                _ => None,
            };
            if let (Some(list), Some(value)) = (&list, &value)
                && list.len() != elements.len()
            {
                let (name, values) = (&declared.name.text, list.len());
                let wanted = elements.len();
                let title = format!("`{name}` has {wanted} elements and {values} values");
                let label = format!("{wanted} values are needed");
                let error = Diagnostic::error(codes::VALUES, title, value.span, label)
                    .help("give one value per element, or one without brackets for all");
                self.report_at(here, error);
            }
            for (at, (name, position)) in elements.into_iter().enumerate() {
                let value = match &list {
                    Some(list) => list.get(at).cloned(),
                    None => value.clone(),
                };
                let shown = declared.shown.clone();
                all.push((Declared { name, shown, value }, position));
            }
        }
        all
    }

    /// Takes note of a parameter that something of the surrounding model replaces. Yields its name.
    fn replaced(
        &mut self,
        declared: &Declared,
        position: Option<usize>,
        docs: &str,
        here: &Location,
    ) -> Option<Name> {
        let given = self.scopes[here.scope].given.get(&declared.name.text)?;
        if given.value.is_some() {
            return None;
        }
        let binding = Binding::new(given, NeedKind::Scalar, position, docs);
        self.bind(&declared.name, binding, here);
        Some(declared.name.clone())
    }

    /// What the part assumes of a parameter holds for what replaces it.
    fn assumed(&mut self, name: Name, assume: &Option<(Relation, Expr)>, here: &Location) {
        let Some((relation, rhs)) = assume else {
            return;
        };
        let span = name.span;
        let mut lhs = Expr {
            kind: ExprKind::Name(name.ident.text),
            span,
        };
        for index in name.indices {
            let NameIndex::At(index) = index else {
                return;
            };
            lhs = Expr {
                kind: ExprKind::Index(Box::new(lhs), Box::new(index)),
                span,
            };
        }
        let item = Item {
            kind: ItemKind::Assume {
                lhs,
                relation: *relation,
                rhs: rhs.clone(),
            },
            docs: String::new(),
            span,
        };
        self.walk(&[item], here);
    }
}
