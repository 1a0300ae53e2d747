//! What each line of a generated module means, found out from its text alone: the module is parsed, one assignment is one line, and
//! every line is hashed by the value that it assigns, with everything it is computed from inlined, at a random point of the prime
//! field. Inputs are drawn by their names, so that the place of a parameter in a struct says nothing. Knows nothing of how the text
//! is made.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use eomgen::internals::verify::number::{Algebra, Elementary, Modular, Number};
use num_rational::BigRational;
use quote::ToTokens;
use syn::{Expr, Item, Pat, Stmt};

/// Whether a function is one of those that are the same in every module, which are not looked into: private, and nothing of the
/// model's among its arguments.
fn is_fixed(sig: &syn::Signature, vis: &syn::Visibility) -> bool {
    let arguments = sig.inputs.to_token_stream().to_string();
    let of_model = ["Params", "Model", "STATES"].iter();
    let of_model = of_model.filter(|name| arguments.contains(**name)).count() > 0;
    matches!(vis, syn::Visibility::Inherited) && !of_model
}

/// Whether an implementation is one of the model's own.
fn is_of_model(of: &syn::ItemImpl) -> bool {
    let on = of.self_ty.to_token_stream().to_string();
    of.trait_.is_none() && on.split(' ').next() == Some("Model")
}

/// Whether a method makes the model itself, and not by another one.
fn makes(method: &syn::ImplItemFn) -> bool {
    let last = method.block.stmts.last();
    method.sig.receiver().is_none() && matches!(last, Some(Stmt::Expr(Expr::Struct(_), None)))
}

fn methods(of: &syn::ItemImpl) -> impl Iterator<Item = &syn::ImplItemFn> {
    of.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(method) => Some(method),
        _ => None,
    })
}

/// Whether a line only lists what others compute, or calls them: there is no mathematics in its text.
fn is_list(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Lit(_) | Expr::Index(_) => true,
        Expr::Array(of) => of.elems.iter().all(is_list),
        Expr::Try(of) => is_list(&of.expr),
        Expr::Reference(of) => is_list(&of.expr),
        Expr::Call(of) => of.args.iter().all(is_list),
        Expr::MethodCall(of) => {
            of.receiver.to_token_stream().to_string() == "self" && of.args.iter().all(is_list)
        }
        _ => false,
    }
}

/// A line of a module.
#[derive(Clone, Debug)]
pub struct Line {
    /// The item that it belongs to.
    pub scope: String,
    /// What is written, without layout.
    pub text: String,
    /// What it means.
    pub meaning: u64,
    /// Whether it is one of a list of the parameters or inputs, which stand in the order of their declarations.
    pub listed: bool,
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A value that an expression has.
#[derive(Clone, Debug)]
enum Value {
    Number(Modular),
    /// Arrays, tuples, arrays of arrays.
    List(Vec<Value>),
    /// Structs.
    Fields(BTreeMap<String, Value>),
    /// What a routine or a user's function returns: its entries are told apart by where they stand.
    Opaque(u64),
}

impl Value {
    fn number(&self) -> Modular {
        match self {
            Self::Number(number) => *number,
            Self::Opaque(place) => Modular::random(7, *place),
            Self::List(entries) if entries.len() == 1 => entries[0].number(),
            other => panic!("no number: {other:?}"),
        }
    }

    fn hashed(&self) -> u64 {
        match self {
            Self::Number(number) => number.value().get(),
            Self::Opaque(place) => Modular::random(7, *place).value().get(),
            Self::List(entries) => hash(entries.iter().map(Self::hashed).collect::<Vec<_>>()),
            Self::Fields(fields) => {
                let fields = fields.iter().map(|(k, v)| (k.clone(), v.hashed()));
                hash(fields.collect::<Vec<_>>())
            }
        }
    }

    fn entry(&self, index: usize) -> Self {
        match self {
            Self::List(entries) => entries[index].clone(),
            Self::Opaque(place) => Self::Opaque(hash((place, index))),
            other => panic!("no list: {other:?}"),
        }
    }
}

/// A module that is being read.
struct Reader<'n> {
    methods: BTreeMap<String, syn::ImplItemFn>,
    constructor: Option<syn::ImplItemFn>,
    state: Vec<String>,
    params: Vec<String>,
    inputs: Vec<String>,
    /// What names of the old model are called in the new one.
    renamed: &'n BTreeMap<String, String>,
    lines: Vec<Line>,
    /// The model, once it is known.
    made: Option<Value>,
    /// Whether lines are written down: not inside of calls.
    scope: Option<String>,
}

/// The lines of a module that state mathematics: default values, what `Model` holds, and every statement of every function.
/// Documentation and the items that the list of coordinates, speeds and inputs makes (structs, enums) are left to `declared`.
pub fn lines(text: &str, renamed: &BTreeMap<String, String>) -> Vec<Line> {
    let file = syn::parse_file(text).unwrap();
    let mut reader = Reader {
        methods: BTreeMap::new(),
        constructor: None,
        state: Vec::new(),
        params: Vec::new(),
        inputs: Vec::new(),
        renamed,
        lines: Vec::new(),
        made: None,
        scope: None,
    };
    let fields = |of: &syn::ItemStruct| -> Vec<String> {
        let fields = of.fields.iter();
        fields
            .map(|f| f.ident.as_ref().unwrap().to_string())
            .collect()
    };
    for item in &file.items {
        match item {
            Item::Struct(of) => match of.ident.to_string().as_str() {
                "State" => reader.state = fields(of),
                "Params" => reader.params = fields(of),
                "Inputs" => reader.inputs = fields(of),
                _ => {}
            },
            Item::Impl(of) if is_of_model(of) => {
                for method in methods(of) {
                    if makes(method) {
                        reader.constructor = Some(method.clone());
                    } else if method.sig.receiver().is_some() {
                        let name = method.sig.ident.to_string();
                        reader.methods.insert(name, method.clone());
                    }
                }
            }
            _ => {}
        }
    }
    for item in &file.items {
        reader.item(item);
    }
    reader.lines
}

fn of_docs(attribute: &syn::Attribute) -> Option<String> {
    match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => {
            Some(pair.value.to_token_stream().to_string())
        }
        _ => None,
    }
}

impl Reader<'_> {
    fn line(&mut self, text: impl ToTokens, meaning: impl Hash) {
        if let Some(scope) = &self.scope {
            self.lines.push(Line {
                scope: scope.clone(),
                text: text.to_token_stream().to_string(),
                meaning: hash(meaning),
                listed: false,
            });
        }
    }

    /// Marks the last line as one of a list, if what it lists is a parameter.
    fn listed(&mut self, value: u64) {
        let names = self.params.iter();
        let known = names.map(|n| self.input("param", n).hashed());
        let listed = known.into_iter().any(|known| known == value);
        if let Some(line) = self.lines.last_mut() {
            line.listed |= listed && self.scope.as_ref() == Some(&line.scope);
        }
    }

    fn key(&self, name: &str) -> String {
        let name = self.renamed.get(name).map_or(name, String::as_str);
        name.to_owned()
    }

    /// An input by its name.
    fn input(&self, kind: &str, name: &str) -> Value {
        Value::Number(Modular::random(11, hash((kind, self.key(name)))))
    }

    fn given(&self, kind: &str, names: &[String]) -> Value {
        let fields = names.iter().map(|n| (n.clone(), self.input(kind, n)));
        Value::Fields(fields.collect())
    }

    /// The model.
    fn model(&mut self) -> Option<Value> {
        if self.made.is_some() {
            return self.made.clone();
        }
        let new = self.constructor.clone()?;
        let params = self.given("param", &self.params.clone());
        let argument = names_of(&new.sig).remove(0);
        let scope = self.scope.take();
        let value = self.block(&new.block.stmts, BTreeMap::from([(argument, params)]));
        self.scope = scope;
        self.made = Some(value.clone());
        Some(value)
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Impl(of) => {
                let on = of.self_ty.to_token_stream().to_string();
                match &of.trait_ {
                    Some((_, path, _)) if path.is_ident("Default") => self.defaults(of, &on),
                    None if is_of_model(of) => {
                        for method in methods(of) {
                            self.method(method);
                        }
                    }
                    _ => {}
                }
            }
            Item::Struct(of) if of.ident == "Model" => {
                let Some(Value::Fields(values)) = self.model() else {
                    panic!("Model without fields");
                };
                self.scope = Some("struct Model".into());
                for field in &of.fields {
                    let name = field.ident.as_ref().unwrap().to_string();
                    let meaning = values[&name].hashed();
                    let (ident, of) = (&field.ident, &field.ty);
                    self.line(quote::quote!(#ident: #of), ("field", meaning));
                    self.listed(meaning);
                }
                self.scope = None;
            }
            Item::Fn(of) if !is_fixed(&of.sig, &of.vis) => {
                self.function(
                    &format!("fn {}", of.sig.ident),
                    &of.sig,
                    &of.attrs,
                    &of.block,
                );
            }
            _ => {}
        }
    }

    fn method(&mut self, method: &syn::ImplItemFn) {
        if makes(method) {
            self.scope = Some("Model::new".into());
            let argument = names_of(&method.sig).remove(0);
            let params = self.given("param", &self.params.clone());
            self.block(&method.block.stmts, BTreeMap::from([(argument, params)]));
            self.scope = None;
        } else if method.sig.receiver().is_some() {
            let name = method.sig.ident.to_string();
            self.function(&name, &method.sig, &method.attrs, &method.block);
        }
    }

    fn function(
        &mut self,
        scope: &str,
        sig: &syn::Signature,
        attributes: &[syn::Attribute],
        block: &syn::Block,
    ) {
        self.scope = Some(scope.to_owned());
        // What a function takes and returns is the model's: the sizes of arrays. Attributes are not.
        self.line(sig, sig.to_token_stream().to_string());
        for attribute in attributes.iter().filter(|a| of_docs(a).is_none()) {
            self.line(attribute, "attribute");
        }
        let arguments = self.arguments(sig);
        self.block(&block.stmts, arguments);
        self.scope = None;
    }

    /// `Self { m: 1.0 }`
    fn defaults(&mut self, of: &syn::ItemImpl, on: &str) {
        let [syn::ImplItem::Fn(function)] = of.items.as_slice() else {
            return;
        };
        let [Stmt::Expr(Expr::Struct(values), None)] = function.block.stmts.as_slice() else {
            return;
        };
        self.scope = Some(format!("Default for {on}"));
        for field in &values.fields {
            let name = field.member.to_token_stream().to_string();
            let value = field.expr.to_token_stream().to_string();
            let key = self.key(&name);
            self.line(field, ("default", key, value));
            if let Some(line) = self.lines.last_mut() {
                line.listed = true;
            }
        }
        self.scope = None;
    }

    /// The arguments of a function of the module, by their types and names.
    fn arguments(&mut self, sig: &syn::Signature) -> BTreeMap<String, Value> {
        let mut found = BTreeMap::new();
        for argument in &sig.inputs {
            let syn::FnArg::Typed(typed) = argument else {
                let model = self.model().unwrap();
                found.insert("self".to_owned(), model);
                continue;
            };
            let name = typed.pat.to_token_stream().to_string();
            let of = typed.ty.to_token_stream().to_string().replace(' ', "");
            let value = match of.as_str() {
                "f64" => self.input("argument", &name),
                "&[f64;STATES]" => {
                    let entries = self.state.iter().map(|n| self.input("state", n));
                    Value::List(entries.collect())
                }
                "&Params" => self.given("param", &self.params.clone()),
                "&Inputs" => self.given("input", &self.inputs.clone()),
                "&Model" => self.model().unwrap(),
                _ => Value::Opaque(hash(name.clone())),
            };
            found.insert(name, value);
        }
        found
    }

    /// Runs through statements; the value of the last.
    fn block(&mut self, statements: &[Stmt], mut locals: BTreeMap<String, Value>) -> Value {
        let mut result = Value::List(Vec::new());
        for statement in statements {
            match statement {
                Stmt::Local(local) => {
                    let init = local.init.as_ref().unwrap();
                    let value = self.value(&init.expr, &locals);
                    // Which entry of the state a name stands for is the interface's affair; a line that says so is as good as
                    // its name and place.
                    let place = match &*init.expr {
                        Expr::Index(of) => of.index.to_token_stream().to_string(),
                        _ => String::new(),
                    };
                    let meaning = match &local.pat {
                        Pat::Slice(of) => hash(entries_of(of, &value)),
                        _ if is_list(&init.expr) && place.is_empty() => {
                            hash(statement.to_token_stream().to_string())
                        }
                        _ => value.hashed(),
                    };
                    self.line(statement, ("let", meaning, place));
                    bind(&local.pat, value, &mut locals);
                }
                Stmt::Expr(Expr::Assign(assign), _) => {
                    let value = self.value(&assign.right, &locals);
                    let target = assign.left.to_token_stream().to_string();
                    self.line(statement, (&target, value.hashed()));
                    set(&assign.left, value, &mut locals);
                }
                Stmt::Expr(Expr::Struct(of), None) => {
                    result = self.fields(of, &locals);
                }
                Stmt::Expr(expr, _) => {
                    result = self.value(expr, &locals);
                    let meaning = if is_list(expr) {
                        hash(statement.to_token_stream().to_string())
                    } else {
                        result.hashed()
                    };
                    self.line(statement, ("value", meaning));
                }
                other => panic!("statement {}", other.to_token_stream()),
            }
        }
        result
    }

    /// A struct, one line for each field.
    fn fields(&mut self, of: &syn::ExprStruct, locals: &BTreeMap<String, Value>) -> Value {
        let mut fields = BTreeMap::new();
        for field in &of.fields {
            let name = field.member.to_token_stream().to_string();
            let value = self.value(&field.expr, locals);
            let meaning = value.hashed();
            self.line(field, ("set", meaning));
            self.listed(meaning);
            fields.insert(name, value);
        }
        Value::Fields(fields)
    }

    fn value(&mut self, expr: &Expr, locals: &BTreeMap<String, Value>) -> Value {
        let text = || expr.to_token_stream().to_string();
        let number = |n: Modular| Value::Number(n);
        match expr {
            Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Float(float) => number(literal(float.base10_digits())),
                syn::Lit::Int(int) => number(Modular::int(int.base10_parse().unwrap())),
                _ => panic!("literal {}", text()),
            },
            Expr::Path(path) => match path.path.get_ident().map(ToString::to_string) {
                Some(name) if name == "PI" => number(Modular::pi()),
                Some(name) => match locals.get(&name) {
                    Some(value) => value.clone(),
                    None => panic!("nothing is called {name}"),
                },
                None if path.path.segments.last().is_some_and(|s| s.ident == "NAN") => {
                    Value::Opaque(hash("NAN"))
                }
                None => panic!("path {}", text()),
            },
            Expr::Paren(of) => self.value(&of.expr, locals),
            Expr::Try(of) => self.value(&of.expr, locals),
            Expr::Reference(of) => self.value(&of.expr, locals),
            Expr::Unary(of) => {
                let inner = self.value(&of.expr, locals);
                match of.op {
                    syn::UnOp::Neg(_) => number(inner.number().neg()),
                    _ => inner,
                }
            }
            Expr::Binary(of) => {
                let (a, b) = (self.value(&of.left, locals), self.value(&of.right, locals));
                let (a, b) = (a.number(), b.number());
                match of.op {
                    syn::BinOp::Add(_) => number(a.add(&b)),
                    syn::BinOp::Sub(_) => number(a.sub(&b)),
                    syn::BinOp::Mul(_) => number(a.mul(&b)),
                    syn::BinOp::Div(_) => number(a.div(&b).unwrap()),
                    _ => {
                        let op = of.op.to_token_stream().to_string();
                        Value::Opaque(hash((op, a.value().get(), b.value().get())))
                    }
                }
            }
            Expr::Field(of) => match self.value(&of.base, locals) {
                Value::Fields(fields) => fields[&of.member.to_token_stream().to_string()].clone(),
                Value::Opaque(place) => {
                    let member = of.member.to_token_stream().to_string();
                    Value::Opaque(hash((place, member)))
                }
                other => panic!("field of {other:?}"),
            },
            Expr::Index(of) => {
                let index = of.index.to_token_stream().to_string().parse().unwrap();
                self.value(&of.expr, locals).entry(index)
            }
            Expr::Array(of) => {
                let entries = of.elems.iter().map(|e| self.value(e, locals));
                Value::List(entries.collect())
            }
            Expr::Tuple(of) => {
                let entries = of.elems.iter().map(|e| self.value(e, locals));
                Value::List(entries.collect())
            }
            Expr::Repeat(of) => {
                let one = self.value(&of.expr, locals);
                let count: usize = of.len.to_token_stream().to_string().parse().unwrap();
                Value::List(vec![one; count])
            }
            Expr::If(of) => {
                let mut of = of;
                let mut parts = Vec::new();
                loop {
                    parts.push(self.value(&of.cond, locals).hashed());
                    parts.push(self.quiet(&of.then_branch.stmts, locals).hashed());
                    match &of.else_branch.as_ref().unwrap().1.as_ref() {
                        Expr::If(next) => of = next,
                        Expr::Block(last) => {
                            parts.push(self.quiet(&last.block.stmts, locals).hashed());
                            return Value::Opaque(hash(parts));
                        }
                        other => panic!("{}", other.to_token_stream()),
                    }
                }
            }
            Expr::MethodCall(of) => {
                // A user's functions are known by their names alone.
                let on = of.receiver.to_token_stream().to_string();
                let on = match on.as_str() {
                    "functions" => Value::Opaque(0),
                    _ => self.value(&of.receiver, locals),
                };
                let rest: Vec<Value> = of.args.iter().map(|a| self.value(a, locals)).collect();
                let own = self.methods.get(&of.method.to_string()).cloned();
                if let (Some(own), Value::Fields(_)) = (own, &on) {
                    let names = names_of(&own.sig).into_iter();
                    let inner = names.zip(std::iter::once(on).chain(rest)).collect();
                    return self.quiet(&own.block.stmts, &inner);
                }
                method(&of.method.to_string(), &on, &rest)
            }
            Expr::Call(of) => self.call(of, locals),
            _ => panic!("expression {}", text()),
        }
    }

    /// A block whose lines are part of another one.
    fn quiet(&mut self, statements: &[Stmt], locals: &BTreeMap<String, Value>) -> Value {
        let scope = self.scope.take();
        let value = self.block(statements, locals.clone());
        self.scope = scope;
        value
    }

    fn call(&mut self, of: &syn::ExprCall, locals: &BTreeMap<String, Value>) -> Value {
        let name = of.func.to_token_stream().to_string().replace(' ', "");
        let arguments: Vec<Value> = of.args.iter().map(|a| self.value(a, locals)).collect();
        match name.as_str() {
            "Ok" => arguments[0].clone(),
            "Model::new" => self.model().unwrap(),
            _ => {
                let arguments: Vec<u64> = arguments.iter().map(Value::hashed).collect();
                Value::Opaque(hash((name, arguments)))
            }
        }
    }
}

fn names_of(sig: &syn::Signature) -> Vec<String> {
    let name = |argument: &syn::FnArg| match argument {
        syn::FnArg::Typed(typed) => typed.pat.to_token_stream().to_string(),
        syn::FnArg::Receiver(_) => "self".to_owned(),
    };
    sig.inputs.iter().map(name).collect()
}

fn literal(text: &str) -> Modular {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: num_bigint::BigInt = format!("{whole}{fraction}").parse().unwrap();
    let exponent: i32 = exponent.parse().unwrap();
    let ten = BigRational::from_integer(10.into());
    let value = BigRational::from_integer(digits) * ten.pow(exponent - fraction.len() as i32);
    Modular::rational(&value).unwrap()
}

/// A function of numbers: what the field has, else one that nothing is known of.
fn method(name: &str, on: &Value, rest: &[Value]) -> Value {
    let elementary = match name {
        "sin" => Some(Elementary::Sin),
        "cos" => Some(Elementary::Cos),
        "tan" => Some(Elementary::Tan),
        "sqrt" => Some(Elementary::Sqrt),
        "sin_cos" => {
            let pair = ["sin", "cos"].map(|f| method(f, on, &[]));
            return Value::List(pair.into());
        }
        _ => None,
    };
    let known = elementary.and_then(|f| Modular::elementary(f, &[on.number()]).ok());
    match known {
        Some(number) => Value::Number(number),
        None => {
            let rest: Vec<u64> = rest.iter().map(Value::hashed).collect();
            Value::Opaque(hash((name, on.hashed(), rest)))
        }
    }
}

/// The entries that a pattern names, and where they stand.
fn entries_of(pattern: &syn::PatSlice, value: &Value) -> Vec<(usize, u64)> {
    let parts = pattern.elems.iter().enumerate();
    let named = parts.filter(|(_, part)| matches!(part, Pat::Ident(_)));
    named
        .map(|(index, _)| (index, value.entry(index).hashed()))
        .collect()
}

fn bind(pattern: &Pat, value: Value, locals: &mut BTreeMap<String, Value>) {
    match pattern {
        Pat::Ident(name) => {
            locals.insert(name.ident.to_string(), value);
        }
        Pat::Type(of) => bind(&of.pat, value, locals),
        Pat::Wild(_) | Pat::Rest(_) => {}
        Pat::Slice(of) => {
            for (index, part) in of.elems.iter().enumerate() {
                if matches!(part, Pat::Ident(_)) {
                    bind(part, value.entry(index), locals);
                }
            }
        }
        Pat::Tuple(of) => {
            for (index, part) in of.elems.iter().enumerate() {
                bind(part, value.entry(index), locals);
            }
        }
        other => panic!("pattern {}", other.to_token_stream()),
    }
}

/// Sets an entry of an array, or of an array of arrays.
fn set(target: &Expr, value: Value, locals: &mut BTreeMap<String, Value>) {
    let mut path = Vec::new();
    let mut at = target;
    while let Expr::Index(of) = at {
        let index: usize = of.index.to_token_stream().to_string().parse().unwrap();
        path.push(index);
        at = &of.expr;
    }
    let mut place = locals.get_mut(&at.to_token_stream().to_string()).unwrap();
    for index in path.into_iter().rev() {
        let Value::List(entries) = place else {
            panic!("no list: {}", target.to_token_stream());
        };
        place = &mut entries[index];
    }
    *place = value;
}
