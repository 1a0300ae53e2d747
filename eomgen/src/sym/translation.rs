//! Expressions of one algebra in the symbols of another: of an older model in a newer one's, say. Kernels, functions and definitions are made
//! anew there, so that what is equal in meaning is the same symbol.

use super::{Algebra, Expr, Info, Meaning, Var};
use rustc_hash::FxHashMap;
use symbolica::atom::{Atom, AtomCore, AtomView, Symbol};

/// Base symbols and user functions of one algebra by those of another.
pub struct Translation<'a> {
    from: &'a Algebra,
    known: FxHashMap<Var, Expr>,
    /// Functions of the other algebra, by the number of one's own.
    functions: Vec<u32>,
}

impl<'a> Translation<'a> {
    /// Base symbols have the name that `rename` makes of theirs; those that the other algebra does not have become new ones there.
    pub fn new(from: &'a Algebra, into: &mut Algebra, rename: &dyn Fn(&str) -> String) -> Self {
        let mut there: FxHashMap<String, Var> = FxHashMap::default();
        for (i, info) in into.infos.iter().enumerate() {
            if info.meaning == Meaning::Base {
                there.entry(info.name.clone()).or_insert(Var(i as u32));
            }
        }
        let mut known = FxHashMap::default();
        for (i, info) in from.infos.iter().enumerate() {
            if info.meaning != Meaning::Base {
                continue;
            }
            let name = rename(&info.name);
            let v = match there.get(&name) {
                Some(v) => *v,
                None => into.base(&name, info.class, info.sign),
            };
            known.insert(Var(i as u32), into.var(v));
        }
        let mut functions = Vec::new();
        for (name, args) in &from.jet_names {
            let name = rename(name);
            let mut all = into.jet_names.iter();
            let at = all.position(|(own, list)| *own == name && list.len() == args.len());
            functions.push(at.unwrap_or(into.jet_names.len()) as u32);
            if at.is_none() {
                into.declare_function(&name, args);
            }
        }
        Self {
            from,
            known,
            functions,
        }
    }

    /// With another expression in place of a base symbol: a coordinate that is measured in another way.
    pub fn put(&mut self, v: Var, e: Expr) {
        self.known.insert(v, e);
    }

    /// The expression in the other algebra.
    pub fn expression(&mut self, e: &Expr, into: &mut Algebra) -> Expr {
        let mut map: FxHashMap<Symbol, Atom> = FxHashMap::default();
        for v in self.from.variables(e) {
            let image = self.symbol(v, into);
            map.insert(self.from.symbol_of(v), image.0);
        }
        Expr(e.0.replace_map(|view, _, out| {
            if let AtomView::Var(x) = view
                && let Some(a) = map.get(&x.get_symbol())
            {
                **out = a.clone();
            }
        }))
    }

    fn symbol(&mut self, v: Var, into: &mut Algebra) -> Expr {
        if let Some(e) = self.known.get(&v) {
            return e.clone();
        }
        let info: &'a Info = &self.from.infos[v.0 as usize];
        let image = match &info.meaning {
            // Every one is known from the beginning, but for those that came later.
            Meaning::Base => {
                let v = into.base(&info.name, info.class, info.sign);
                into.var(v)
            }
            Meaning::Pi => into.pi(),
            Meaning::Kernel(kernel, args) => {
                let args = self.list(args, into);
                into.apply(*kernel, args)
            }
            Meaning::Jet {
                function,
                partials,
                args,
            } => {
                let args = self.list(args, into);
                let number = self.functions.get(*function as usize);
                into.jet(number.copied().unwrap_or(*function), partials.clone(), args)
            }
            Meaning::Definition(e) => {
                let e = self.expression(e, into);
                into.name(&info.name, e)
            }
        };
        self.known.insert(v, image.clone());
        image
    }

    fn list(&mut self, args: &[Expr], into: &mut Algebra) -> Vec<Expr> {
        args.iter().map(|a| self.expression(a, into)).collect()
    }
}
