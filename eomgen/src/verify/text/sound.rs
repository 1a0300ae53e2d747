//! Whether a text is one that rustc takes without a warning, as far as names, types, lengths and the number of arguments go: every name is
//! declared before it is used, once, and what is used fits. What this reader does not know is left to rustc: it refuses nothing that is
//! right. Everything that is written is read so, for any kind of numbers and for many states too, each function by itself and once.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Expr, ImplItem, Item, Member, Pat, Signature, Stmt};

use super::Unreadable;
use super::declared::{Callable, Declared, Given, Type, allows, is_plain, parameters};
use super::lines;
use crate::emit::names::is_snake;

/// Reads a text's functions; `file` is the text parsed.
///
/// # Errors
/// The first thing that rustc would refuse or warn of.
pub fn check(text: &str, file: &syn::File) -> Result<(), Unreadable> {
    if let Some(line) = text.lines().position(|line| line.contains(is_hidden)) {
        let message = "a character that turns the direction of writing";
        return Err(Unreadable::new(line as u32 + 1, message));
    }
    let declared = Declared::of(&file.items).map_err(|message| Unreadable::new(1, message))?;
    for item in &file.items {
        let read = |written: Written<'_>| {
            let name = &written.sig.ident;
            let reading = Reading::new(&declared, &written);
            let read = reading.and_then(|reading| reading.run(&written));
            read.map_err(|message| {
                let places = lines::of(text);
                let line = places.iter().find(|(found, _)| name == found);
                let line = line.map_or(1, |(_, lines)| lines.head);
                Unreadable::new(line, format!("in `{name}`, {message}"))
            })
        };
        match item {
            Item::Fn(of) => read(Written {
                sig: &of.sig,
                attributes: [&of.attrs, &[]],
                block: &of.block,
                given: Given::new(),
                on: None,
            })?,
            Item::Impl(of) => {
                for method in &of.items {
                    let ImplItem::Fn(method) = method else {
                        continue;
                    };
                    read(Written {
                        sig: &method.sig,
                        attributes: [&of.attrs, &method.attrs],
                        block: &method.block,
                        given: parameters(&of.generics),
                        on: declared.type_of(&of.self_ty, &Given::new()).ok(),
                    })?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A function as it is written.
struct Written<'a> {
    sig: &'a Signature,
    /// Its own and those of the implementation that it belongs to.
    attributes: [&'a [syn::Attribute]; 2],
    block: &'a Block,
    /// The parameters of that implementation.
    given: Given,
    /// What it is for.
    on: Option<Type>,
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A variable.
struct Local {
    of: Type,
    may_change: bool,
    is_read: bool,
    is_changed: bool,
    /// Declared by a `let`, and no argument.
    is_own: bool,
}

/// A function that is being read.
struct Reading<'a> {
    declared: &'a Declared,
    given: Given,
    /// Blocks in blocks.
    scopes: Vec<BTreeMap<String, Local>>,
    returned: Type,
    /// Whether rustc is asked not to warn of names.
    unusual: bool,
}

type Read = Result<Type, String>;

impl<'a> Reading<'a> {
    fn new(declared: &'a Declared, function: &Written<'_>) -> Result<Self, String> {
        let mut given = function.given.clone();
        given.extend(parameters(&function.sig.generics));
        let callable = declared.callable(function.sig, &function.given)?;
        let allows = |lint| function.attributes.iter().any(|all| allows(all, lint));
        let mut reading = Self {
            declared,
            given,
            scopes: vec![BTreeMap::new()],
            returned: callable.returned,
            unusual: allows("non_snake_case"),
        };
        let mut types = callable.arguments.into_iter();
        for argument in &function.sig.inputs {
            let typed = match argument {
                syn::FnArg::Typed(typed) => typed,
                syn::FnArg::Receiver(receiver) => {
                    let may_change = receiver.mutability.is_some();
                    let of = function.on.clone().unwrap_or(Type::Unknown);
                    let of = match receiver.reference {
                        Some(_) => Type::Reference(Box::new(of), may_change),
                        None => of,
                    };
                    reading.declare("self".to_owned(), of, may_change, false)?;
                    continue;
                }
            };
            let of = types.next().unwrap_or(Type::Unknown);
            if let Pat::Ident(ident) = &*typed.pat {
                let name = ident.ident.to_string();
                reading.declare(name, of, ident.mutability.is_some(), false)?;
            }
        }
        Ok(reading)
    }

    fn run(mut self, function: &Written<'_>) -> Result<(), String> {
        let found = self.block(function.block)?;
        let fits = self.returned.takes(&found);
        if !fits && !ends_otherwise(function.block) {
            let returned = function.sig.output.to_token_stream();
            return Err(format!("the result is not `{returned}`"));
        }
        self.leave()
    }

    fn declare(
        &mut self,
        name: String,
        of: Type,
        may_change: bool,
        is_own: bool,
    ) -> Result<(), String> {
        if !self.unusual && !is_snake(&name) {
            return Err(format!("rustc warns of the name `{name}`"));
        }
        let local = Local {
            of,
            may_change,
            is_read: false,
            is_changed: false,
            is_own,
        };
        let Some(scope) = self.scopes.last_mut() else {
            return Ok(());
        };
        match scope.insert(name.clone(), local) {
            Some(before) => self.left(&name, &before),
            None => Ok(()),
        }
    }

    /// A variable that nothing can use any more.
    fn left(&self, name: &str, local: &Local) -> Result<(), String> {
        // A function need not read all that it is given.
        if !local.is_read && local.is_own && !name.starts_with('_') {
            return Err(format!("nothing reads `{name}`"));
        }
        if local.is_own && local.may_change && !local.is_changed {
            return Err(format!("nothing changes `{name}`"));
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), String> {
        let scope = self.scopes.pop().unwrap_or_default();
        scope
            .iter()
            .try_for_each(|(name, local)| self.left(name, local))
    }

    fn local(&mut self, name: &str) -> Option<&mut Local> {
        self.scopes
            .iter_mut()
            .rev()
            .find_map(|scope| scope.get_mut(name))
    }

    fn block(&mut self, block: &Block) -> Read {
        self.scopes.push(BTreeMap::new());
        let mut result = Type::Unit;
        for statement in &block.stmts {
            result = match statement {
                Stmt::Local(local) => {
                    self.binding(local)?;
                    Type::Unit
                }
                Stmt::Expr(expr, end) => {
                    let found = self.expr(expr)?;
                    if end.is_some() { Type::Unit } else { found }
                }
                Stmt::Item(item) => {
                    self.any(item.to_token_stream());
                    Type::Unit
                }
                other => self.unread(other),
            };
        }
        self.leave()?;
        Ok(result)
    }

    fn binding(&mut self, local: &syn::Local) -> Result<(), String> {
        let found = match &local.init {
            Some(init) => self.expr(&init.expr)?,
            None => Type::Unknown,
        };
        let (pattern, of) = match &local.pat {
            Pat::Type(typed) => {
                let of = self.declared.type_of(&typed.ty, &self.given)?;
                if !of.takes(&found) {
                    let stated = typed.ty.to_token_stream();
                    return Err(format!("what is bound is not `{stated}`"));
                }
                (&*typed.pat, of)
            }
            other => (other, found),
        };
        self.pattern(pattern, of)
    }

    fn pattern(&mut self, pattern: &Pat, of: Type) -> Result<(), String> {
        match (pattern, of) {
            (Pat::Ident(ident), of) if ident.subpat.is_none() => {
                let may_change = ident.mutability.is_some();
                self.declare(ident.ident.to_string(), of, may_change, true)
            }
            (Pat::Tuple(tuple), Type::Tuple(all)) => {
                if tuple.elems.len() != all.len() {
                    return Err(format!(
                        "{} values are bound to {} names",
                        all.len(),
                        tuple.elems.len()
                    ));
                }
                let mut pairs = tuple.elems.iter().zip(all);
                pairs.try_for_each(|(pattern, of)| self.pattern(pattern, of))
            }
            (Pat::Tuple(tuple), Type::Unknown) => {
                let mut all = tuple.elems.iter();
                all.try_for_each(|pattern| self.pattern(pattern, Type::Unknown))
            }
            (Pat::Tuple(_), _) => Err("one value is bound to several names".into()),
            (Pat::Reference(reference), of) => self.pattern(&reference.pat, of.target().clone()),
            (Pat::Type(typed), _) => {
                let of = self.declared.type_of(&typed.ty, &self.given)?;
                self.pattern(&typed.pat, of)
            }
            (Pat::Slice(all), of) => self.entries(all, &of),
            (Pat::Wild(_) | Pat::Rest(_), _) => Ok(()),
            (other, _) => {
                self.any(other.to_token_stream());
                Ok(())
            }
        }
    }

    /// The names of the entries of an array.
    fn entries(&mut self, all: &syn::PatSlice, of: &Type) -> Result<(), String> {
        let entry = match of.target() {
            Type::Array(entry, _) | Type::Slice(entry) => entry.as_ref().clone(),
            _ => Type::Unknown,
        };
        // What is left between the named ones, under a name or not.
        let rest = |p: &Pat| match p {
            Pat::Rest(_) => true,
            Pat::Ident(named) => {
                matches!(&named.subpat, Some((_, p)) if matches!(**p, Pat::Rest(_)))
            }
            _ => false,
        };
        let open = all.elems.iter().any(rest);
        let named = all.elems.len() - usize::from(open);
        if let Type::Array(_, Some(length)) = of.target()
            && (named > *length || !open && named < *length)
        {
            return Err(format!("{length} entries are bound to {named} names"));
        }
        let left = match of.target() {
            Type::Array(_, length) => length.map(|length| length - named),
            _ => None,
        };
        let mut all = all.elems.iter();
        all.try_for_each(|pattern| match pattern {
            Pat::Ident(ident) if ident.subpat.is_some() && rest(pattern) => {
                let of = Type::Array(Box::new(entry.clone()), left);
                self.declare(ident.ident.to_string(), of, false, true)
            }
            other => self.pattern(other, entry.clone()),
        })
    }

    /// A pattern or an item that is beyond this reader: whatever is named in it is known from here on.
    fn any(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => {
                    let local = Local {
                        of: Type::Unknown,
                        may_change: true,
                        is_read: true,
                        is_changed: true,
                        is_own: true,
                    };
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.entry(ident.to_string()).or_insert(local);
                    }
                }
                TokenTree::Group(group) => self.any(group.stream()),
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    /// What is beyond this reader: names in it count as used.
    fn unread(&mut self, what: &impl ToTokens) -> Type {
        self.mention(what.to_token_stream());
        Type::Unknown
    }

    fn mention(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => {
                    if let Some(local) = self.local(&ident.to_string()) {
                        local.is_read = true;
                        local.is_changed = true;
                    }
                }
                TokenTree::Group(group) => self.mention(group.stream()),
                // `{x}` in a format.
                TokenTree::Literal(text) => {
                    let text = text.to_string();
                    for local in text.split(['{', '}', ':']) {
                        if let Some(local) = self.local(local) {
                            local.is_read = true;
                        }
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn all<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) -> Result<Vec<Type>, String> {
        list.into_iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Read {
        match expr {
            Expr::Lit(lit) => Ok(literal(&lit.lit)),
            Expr::Path(path) => self.path(path),
            Expr::Paren(of) => self.expr(&of.expr),
            Expr::Group(of) => self.expr(&of.expr),
            Expr::Binary(of) => self.binary(of),
            Expr::Unary(of) => self.unary(of),
            Expr::Call(of) => self.call(of),
            Expr::MethodCall(of) => self.method(of),
            Expr::Field(of) => self.field(of),
            Expr::Index(of) => self.index(of),
            Expr::Array(of) => self.array(of),
            Expr::Repeat(of) => {
                let entry = self.expr(&of.expr)?;
                let length = self.declared.length(&of.len, &self.given)?;
                Ok(Type::Array(Box::new(entry), length))
            }
            Expr::Tuple(of) if of.elems.is_empty() => Ok(Type::Unit),
            Expr::Tuple(of) => Ok(Type::Tuple(self.all(&of.elems)?)),
            Expr::Reference(of) => {
                if of.mutability.is_some() {
                    self.change(&of.expr)?;
                }
                let target = self.expr(&of.expr)?;
                Ok(Type::Reference(Box::new(target), of.mutability.is_some()))
            }
            Expr::Try(of) => self.tried(of),
            Expr::If(of) => self.choice(of),
            Expr::Block(of) => self.block(&of.block),
            Expr::ForLoop(of) => self.repeated(of),
            Expr::Struct(of) => self.structure(of),
            Expr::Assign(of) => self.assign(of),
            Expr::Closure(of) => {
                self.scopes.push(BTreeMap::new());
                for pattern in &of.inputs {
                    self.pattern(pattern, Type::Unknown)?;
                }
                self.expr(&of.body)?;
                // Patterns of closures may hold more than this reader knows.
                self.scopes.pop();
                Ok(Type::Unknown)
            }
            Expr::Range(of) => {
                let ends = of.start.iter().chain(&of.end);
                self.all(ends.map(|end| &**end))?;
                Ok(Type::Unknown)
            }
            Expr::Cast(of) => self.expr(&of.expr).map(|_| Type::Unknown),
            other => Ok(self.unread(other)),
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Read {
        let segments: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        match segments.as_slice() {
            [name] => {
                if let Some(local) = self.local(name) {
                    local.is_read = true;
                    return Ok(local.of.clone());
                }
                if let Some(of) = self.given.get(name) {
                    return Ok(of.clone());
                }
                match self.declared.value(name) {
                    Some(of) => Ok(of),
                    None if matches!(name.as_str(), "None" | "Err") => Ok(Type::Unknown),
                    None => Err(format!("`{name}` is not known where it is used")),
                }
            }
            [first, ..] if self.declared.is_root(first) || self.given.contains_key(first) => {
                Ok(Type::Unknown)
            }
            _ => Err(format!("`{}` is not known", segments.join("::"))),
        }
    }

    fn binary(&mut self, of: &syn::ExprBinary) -> Read {
        use syn::BinOp::*;
        let changes = matches!(
            of.op,
            AddAssign(_)
                | SubAssign(_)
                | MulAssign(_)
                | DivAssign(_)
                | BitAndAssign(_)
                | BitOrAssign(_)
        );
        if changes {
            self.change(&of.left)?;
        }
        let (a, b) = (self.expr(&of.left)?, self.expr(&of.right)?);
        match of.op {
            And(_) | Or(_) => Ok(Type::Bool),
            // What is known of numbers of any type is the trait.
            Lt(_) | Le(_) | Gt(_) | Ge(_) if self.is_any(a.target()) => Err(unlike(of)),
            Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => {
                if a.target().takes(b.target()) {
                    Ok(Type::Bool)
                } else {
                    Err(unlike(of))
                }
            }
            Add(_) | Sub(_) | Mul(_) | Div(_) => {
                let (a, b) = (a.target().clone(), b.target().clone());
                let numbers = is_number(&a) && is_number(&b) && a.takes(&b);
                numbers.then(|| a.with(b)).ok_or_else(|| unlike(of))
            }
            _ if changes => Ok(Type::Unit),
            _ => Ok(Type::Unknown),
        }
    }

    /// Whether a type is a parameter of the function, which stands for any type of numbers.
    fn is_any(&self, of: &Type) -> bool {
        matches!(of, Type::Named(_)) && self.given.values().any(|given| given == of)
    }

    fn unary(&mut self, of: &syn::ExprUnary) -> Read {
        let operand = self.expr(&of.expr)?;
        match of.op {
            syn::UnOp::Deref(_) => Ok(operand.target().clone()),
            syn::UnOp::Neg(_) if !is_number(operand.target()) => {
                Err(format!("`{}` is no number", brief(&*of.expr)))
            }
            _ => Ok(operand),
        }
    }

    fn call(&mut self, of: &syn::ExprCall) -> Read {
        let arguments = self.all(&of.args)?;
        let Expr::Path(path) = &*of.func else {
            self.expr(&of.func)?;
            return Ok(Type::Unknown);
        };
        let segments: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        match segments.as_slice() {
            [name] if name == "Ok" => {
                let mut arguments = arguments.into_iter();
                let first = arguments.next().unwrap_or(Type::Unknown);
                Ok(Type::Result(Box::new(first)))
            }
            [name] if matches!(name.as_str(), "Err" | "Some") => Ok(Type::Unknown),
            [name] => {
                let local = self.local(name).map(|local| {
                    local.is_read = true;
                    local.of.clone()
                });
                let local = local.as_ref().map(Type::target);
                match (local, self.declared.functions.get(name)) {
                    // A closure, or a function by another name.
                    (Some(Type::Unknown | Type::Function), _) => Ok(Type::Unknown),
                    (None, Some(callable)) => passed(name, callable, &arguments),
                    _ => Err(format!("`{name}` is not a function")),
                }
            }
            [on, name] => self.associated(on, name, &arguments),
            [first, ..] if self.declared.is_root(first) => Ok(Type::Unknown),
            _ => Err(format!("`{}` is not known", segments.join("::"))),
        }
    }

    /// `libm::sin(x)`, `Model::new(p)`, `T::from_f64(1.0)`
    fn associated(&mut self, on: &str, name: &str, arguments: &[Type]) -> Read {
        if is_plain(on) || on == "libm" {
            let mut numbers = arguments.iter().map(Type::target);
            if !numbers.all(is_number) {
                return Err(format!("an argument of `{on}::{name}` is no number"));
            }
            return Ok(match on {
                "libm" if name.starts_with("sincos") => Type::Unknown,
                "libm" => {
                    let of = |a: Type, b: &Type| a.with(b.target().clone());
                    match arguments.iter().fold(Type::Unknown, of) {
                        Type::Literal => Type::Unknown,
                        of => of,
                    }
                }
                _ => Type::Unknown,
            });
        }
        let parameter = self.given.get(on).cloned();
        let owner = match &parameter {
            Some(Type::Named(_)) => "Scalar",
            _ => on,
        };
        let callable = self
            .declared
            .methods
            .get(owner)
            .and_then(|all| all.get(name));
        match callable {
            Some(callable) if !callable.has_self => {
                let found = passed(name, callable, arguments)?;
                // `Self` is what the trait is implemented for.
                Ok(parameter
                    .filter(|_| found == Type::Unknown)
                    .unwrap_or(found))
            }
            Some(_) => Ok(parameter.unwrap_or(Type::Unknown)),
            None if self.declared.is_root(on) => Ok(Type::Unknown),
            None => Err(format!("`{on}::{name}` is not known")),
        }
    }

    fn method(&mut self, of: &syn::ExprMethodCall) -> Read {
        let receiver = self.expr(&of.receiver)?;
        let arguments = self.all(&of.args)?;
        let name = of.method.to_string();
        if let Some(root) = root(&of.receiver)
            && let Some(local) = self.local(&root)
        {
            local.is_changed = true;
        }
        match receiver.target() {
            Type::Literal if matches!(&*of.receiver, Expr::Lit(_)) => {
                Err(format!("`{}` has no type", brief(&*of.receiver)))
            }
            // Its type follows from something else.
            Type::Literal => Ok(Type::Unknown),
            Type::Named(on) if matches!(on.as_str(), "Functions" | "Model") => {
                let callable = self.declared.methods.get(on).and_then(|all| all.get(&name));
                let callable =
                    callable.ok_or_else(|| format!("`{name}` is no function of `{on}`"))?;
                passed(&name, callable, &arguments)
            }
            number if is_number(number) && *number != Type::Unknown && *number != Type::Whole => {
                if !arguments.iter().all(|a| is_number(a.target())) {
                    return Err(format!("an argument of `{name}` is no number"));
                }
                let of_trait = match number {
                    Type::Named(on) if !is_plain(on) => self.declared.methods.get("Scalar"),
                    _ => None,
                };
                if of_trait.is_some_and(|all| !all.contains_key(&name)) {
                    return Err(format!("`Scalar` has no function `{name}`"));
                }
                Ok(match name.as_str() {
                    "sin_cos" => Type::Tuple(vec![number.clone(); 2]),
                    "abs" | "sqrt" | "sin" | "cos" | "max" | "min" | "powi" | "mul_add" => {
                        number.clone()
                    }
                    _ => Type::Unknown,
                })
            }
            Type::Function => Err(format!("`{}` is a function", brief(&*of.receiver))),
            _ => Ok(Type::Unknown),
        }
    }

    fn field(&mut self, of: &syn::ExprField) -> Read {
        let base = self.expr(&of.base)?;
        match (base.target(), &of.member) {
            (Type::Unknown, _) => Ok(Type::Unknown),
            (Type::Named(on), Member::Named(member)) => {
                let fields = self.declared.fields.get(on);
                let found = fields.and_then(|fields| fields.get(&member.to_string()));
                let found = found.ok_or_else(|| format!("`{on}` has no field `{member}`"))?;
                Ok(found.clone())
            }
            (Type::Tuple(all), Member::Unnamed(index)) => {
                let found = all.get(index.index as usize);
                found
                    .cloned()
                    .ok_or_else(|| format!("`{}` has too few entries", brief(&*of.base)))
            }
            _ => Err(format!("`{}` has no fields", brief(&*of.base))),
        }
    }

    fn index(&mut self, of: &syn::ExprIndex) -> Read {
        let base = self.expr(&of.expr)?;
        let index = self.expr(&of.index)?;
        let (entry, length) = match base.target() {
            Type::Unknown => return Ok(Type::Unknown),
            Type::Array(entry, length) => (entry, *length),
            Type::Slice(entry) => (entry, None),
            _ => return Err(format!("`{}` is no array", brief(&*of.expr))),
        };
        if matches!(&*of.index, Expr::Range(_)) {
            return Ok(Type::Slice(entry.clone()));
        }
        if !Type::Whole.takes(&index) {
            return Err(format!(
                "the index of `{}` is no whole number",
                brief(&*of.expr)
            ));
        }
        let place = super::frame::whole(&of.index);
        match (place, length) {
            (Some(place), Some(length)) if place >= length => {
                Err(format!("`{}` has no entry {place}", brief(&*of.expr)))
            }
            _ => Ok(entry.as_ref().clone()),
        }
    }

    fn array(&mut self, of: &syn::ExprArray) -> Read {
        let mut entry = Type::Unknown;
        for found in self.all(&of.elems)? {
            if !entry.takes(&found) {
                return Err("the entries of an array are not alike".into());
            }
            entry = entry.with(found);
        }
        Ok(Type::Array(Box::new(entry), Some(of.elems.len())))
    }

    fn tried(&mut self, of: &syn::ExprTry) -> Read {
        let fails = matches!(self.returned, Type::Result(_) | Type::Unknown);
        match self.expr(&of.expr)? {
            Type::Result(value) if fails => Ok(*value),
            Type::Unknown => Ok(Type::Unknown),
            _ => Err(format!("`{}` does not fail", brief(&*of.expr))),
        }
    }

    fn choice(&mut self, of: &syn::ExprIf) -> Read {
        if matches!(&*of.cond, Expr::Let(_)) {
            return Ok(self.unread(of));
        }
        let condition = self.expr(&of.cond)?;
        if !Type::Bool.takes(&condition) {
            return Err(format!("`{}` is no condition", brief(&*of.cond)));
        }
        let then = self.block(&of.then_branch)?;
        let Some((_, other)) = &of.else_branch else {
            return Ok(Type::Unit);
        };
        let other = self.expr(other)?;
        if then.takes(&other) {
            Ok(then.with(other))
        } else {
            Err("the branches of a choice are not alike".into())
        }
    }

    fn repeated(&mut self, of: &syn::ExprForLoop) -> Read {
        self.expr(&of.expr)?;
        let entry = match &*of.expr {
            Expr::Range(_) => Type::Whole,
            _ => Type::Unknown,
        };
        self.scopes.push(BTreeMap::new());
        self.pattern(&of.pat, entry)?;
        self.block(&of.body)?;
        self.leave()?;
        Ok(Type::Unit)
    }

    fn structure(&mut self, of: &syn::ExprStruct) -> Read {
        let mut found: BTreeMap<String, Type> = BTreeMap::new();
        for field in &of.fields {
            let value = self.expr(&field.expr)?;
            let name = field.member.to_token_stream().to_string();
            if found.insert(name.clone(), value).is_some() {
                return Err(format!("the field `{name}` is there twice"));
            }
        }
        if let Some(rest) = &of.rest {
            self.expr(rest)?;
        }
        let name = of.path.get_ident().map(ToString::to_string);
        let Some((name, fields)) =
            name.and_then(|name| Some((name.clone(), self.declared.fields.get(&name)?)))
        else {
            return Ok(Type::Unknown);
        };
        for (field, value) in &found {
            match fields.get(field) {
                Some(of) if of.takes(value) => {}
                _ => return Err(format!("the field `{field}` does not fit `{name}`")),
            }
        }
        match fields.keys().find(|field| !found.contains_key(*field)) {
            Some(missing) if of.rest.is_none() => {
                Err(format!("the field `{missing}` of `{name}` is not given"))
            }
            _ => Ok(Type::Named(name)),
        }
    }

    fn assign(&mut self, of: &syn::ExprAssign) -> Read {
        let value = self.expr(&of.right)?;
        if matches!(&*of.left, Expr::Tuple(_)) {
            return Ok(self.unread(&of.left)).map(|_| Type::Unit);
        }
        self.change(&of.left)?;
        // What is only written is not read.
        let name = root(&of.left);
        let before = name
            .as_ref()
            .and_then(|name| self.local(name))
            .map(|local| local.is_read);
        let place = self.expr(&of.left)?;
        if let (Some(name), Some(before)) = (name, before)
            && let Some(local) = self.local(&name)
        {
            // rustc counts the array whose entry is set as used.
            local.is_read = before || !matches!(&*of.left, Expr::Path(_));
        }
        if place.takes(&value) {
            Ok(Type::Unit)
        } else {
            Err(format!(
                "`{}` does not take what it is given",
                brief(&*of.left)
            ))
        }
    }

    /// A place that is about to change.
    fn change(&mut self, place: &Expr) -> Result<(), String> {
        let Some(name) = root(place) else {
            return Ok(());
        };
        let Some(local) = self.local(&name) else {
            return Err(format!("`{name}` is not known where it is changed"));
        };
        local.is_changed = true;
        let by_reference = matches!(local.of, Type::Reference(_, true) | Type::Unknown);
        if local.may_change || by_reference {
            Ok(())
        } else {
            Err(format!("`{name}` cannot be changed"))
        }
    }
}

/// Whether arguments are those that a function takes.
fn passed(name: &str, callable: &Callable, arguments: &[Type]) -> Read {
    let (asked, found) = (callable.arguments.len(), arguments.len());
    if asked != found {
        return Err(format!("`{name}` takes {asked} arguments, and not {found}"));
    }
    let pairs = callable.arguments.iter().zip(arguments);
    match pairs.clone().position(|(asked, found)| !asked.takes(found)) {
        Some(index) => Err(format!(
            "argument {} of `{name}` is of another type",
            index + 1
        )),
        None => Ok(callable.returned.clone()),
    }
}

fn literal(lit: &syn::Lit) -> Type {
    match lit {
        syn::Lit::Float(float) if !float.suffix().is_empty() => {
            Type::Named(float.suffix().to_owned())
        }
        syn::Lit::Float(_) => Type::Literal,
        syn::Lit::Int(int) if int.suffix().is_empty() => Type::Whole,
        syn::Lit::Int(int) if is_plain(int.suffix()) => Type::Named(int.suffix().to_owned()),
        syn::Lit::Bool(_) => Type::Bool,
        _ => Type::Unknown,
    }
}

fn is_number(of: &Type) -> bool {
    match of {
        Type::Unknown | Type::Whole | Type::Literal => true,
        Type::Named(name) => is_plain(name) || name == "T",
        _ => false,
    }
}

/// The variable that a place is part of.
fn root(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Index(of) => root(&of.expr),
        Expr::Field(of) => root(&of.base),
        Expr::Paren(of) => root(&of.expr),
        Expr::Unary(of) if matches!(of.op, syn::UnOp::Deref(_)) => root(&of.expr),
        _ => None,
    }
}

/// Whether a body leaves by something else than its last expression.
fn ends_otherwise(block: &Block) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(Expr::Return(_) | Expr::Loop(_), _)) | None => true,
        Some(Stmt::Expr(..) | Stmt::Local(_)) => false,
        Some(_) => true,
    }
}

fn unlike(of: &syn::ExprBinary) -> String {
    format!("the two sides of `{}` are not alike", brief(of))
}

fn brief(of: &impl ToTokens) -> String {
    let text = of.to_token_stream().to_string().replace(' ', "");
    text.chars().take(60).collect()
}

#[cfg(test)]
#[path = "sound_tests.rs"]
mod tests;
