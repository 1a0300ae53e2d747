//! Expressions as mathematics in which definitions of the derivation keep their names, each name once; and the list of what is named.

use crate::explain::mathematics::{OF_PAGE, Writer};
use crate::model::System;
use crate::notation::{Definition, Math, Style, Symbol};
use crate::sym::{Algebra, Expr, Meaning, Node, Var};
use crate::textbook::{Effort, Printed};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Definitions are written out in expressions that have fewer symbols and numbers than this when that is done.
const WRITTEN_OUT: usize = 80;
/// Expressions without definitions are simplified up to this many.
const SIMPLIFIED: usize = 4000;
/// An expression is shown up to this many symbols, numbers and operations.
const LONGEST: usize = 1000;
/// What a definition is worth.
const OF_DEFINITION: Effort = Effort {
    terms: 60,
    steps: 100,
    work: usize::MAX,
};
/// Definitions that are listed.
const LISTED: usize = 250;

/// The definitions that were mentioned so far, and how each is written.
pub(super) struct Definitions {
    writer: Writer,
    /// For what has a name of its own.
    brief: Writer,
    symbols: BTreeMap<Var, Symbol>,
    /// Letters and subscripts of definitions.
    taken: BTreeSet<(String, String)>,
    /// What the mentioned ones stand for.
    mentioned: BTreeMap<Var, Expr>,
}

impl Definitions {
    pub(super) fn new(system: &System) -> Self {
        Self {
            writer: Writer::new(system, OF_PAGE),
            brief: Writer::new(system, OF_DEFINITION),
            symbols: BTreeMap::new(),
            taken: BTreeSet::new(),
            mentioned: BTreeMap::new(),
        }
    }

    /// An expression in its readable form; `None` if that is long.
    pub(super) fn math(&mut self, alg: &mut Algebra, e: &Expr) -> Option<Math> {
        self.math_within(alg, e, LONGEST)
    }

    /// The same, for what is long from a given number of symbols, numbers and operations on.
    pub(super) fn math_within(
        &mut self,
        alg: &mut Algebra,
        e: &Expr,
        longest: usize,
    ) -> Option<Math> {
        if alg.is_zero(e) {
            return Some(Math::integer(0));
        }
        let e = readable(alg, e);
        self.node_within(alg, &e, longest)
    }

    /// The same with all definitions written out and simplified, where that is no endless work.
    pub(super) fn in_full(&mut self, alg: &mut Algebra, e: &Expr) -> Option<Math> {
        if alg.inlined_size(e, SIMPLIFIED) >= SIMPLIFIED {
            return None;
        }
        let flat = alg.inline(e);
        let flat = alg.in_closed_form(|alg| alg.simplify(&flat));
        let short = shorter(alg, flat);
        self.node_within(alg, &short, LONGEST)
    }

    /// A symbol of the model.
    pub(super) fn symbol(&self, alg: &Algebra, v: Var) -> Math {
        self.writer.symbol(alg, v)
    }

    fn node_within(&mut self, alg: &Algebra, e: &Expr, longest: usize) -> Option<Math> {
        let printed = self.writer.in_print(alg, e);
        self.written(alg, e, printed, longest)
    }

    fn written(
        &mut self,
        alg: &Algebra,
        e: &Expr,
        printed: Option<Rc<Printed>>,
        longest: usize,
    ) -> Option<Math> {
        if let Some(printed) = printed {
            return (printed.leaves() <= longest)
                .then(|| printed.math(alg, &mut |v| self.mention(alg, v)));
        }
        let node = alg.node(e);
        (node.size() <= longest).then(|| self.node(alg, &node))
    }

    fn node(&mut self, alg: &Algebra, node: &Node) -> Math {
        alg.math(node, &mut |v| self.mention(alg, v))
    }

    fn mention(&mut self, alg: &Algebra, v: Var) -> Math {
        if let Meaning::Definition(e) = &alg.info(v).meaning {
            self.mentioned.insert(v, e.clone());
            return Math::Symbol(self.definition(alg, v));
        }
        self.symbol(alg, v)
    }

    /// The name of a definition, told apart from others of that name by a number.
    fn definition(&mut self, alg: &Algebra, v: Var) -> Symbol {
        if let Some(known) = self.symbols.get(&v) {
            return known.clone();
        }
        let name = &alg.info(v).name;
        let first = self.short(name);
        let mut symbol = first.clone();
        let mut count = 1;
        while self.taken.contains(&symbol.looks()) || self.writer.names.has_looks(&symbol) {
            count += 1;
            symbol = first.clone();
            symbol.name = format!("{name}_{count}");
            symbol.subscripts.push(count.to_string());
        }
        self.taken.insert(symbol.looks());
        self.symbols.insert(v, symbol.clone());
        symbol
    }

    /// `M` for entries of the mass matrix and `f` for the forcing, where the model leaves these letters free.
    fn short(&self, name: &str) -> Symbol {
        for (prefix, letter) in [("mass_", "M"), ("forcing_", "f")] {
            if let Some(rest) = name.strip_prefix(prefix)
                && !self.writer.names.has_letters(letter)
            {
                let subscripts: Vec<&str> = rest.split('_').collect();
                return Symbol {
                    name: name.into(),
                    ..Symbol::new(letter, Style::Italic, &subscripts)
                };
            }
        }
        self.writer.names.symbol(name)
    }

    /// What was mentioned and what that mentions, earlier ones first; and how many more there are.
    pub(super) fn list(&mut self, alg: &Algebra) -> (Vec<Definition>, usize) {
        let mut done: BTreeMap<Var, Option<Math>> = BTreeMap::new();
        loop {
            let next = self.mentioned.iter().find(|(v, _)| !done.contains_key(v));
            let Some((v, e)) = next.map(|(v, e)| (*v, e.clone())) else {
                break;
            };
            if done.len() >= LISTED * 4 {
                return (Vec::new(), self.mentioned.len());
            }
            let printed = self.brief.in_print(alg, &e);
            done.insert(v, self.written(alg, &e, printed, LONGEST));
        }
        if done.len() > LISTED {
            return (Vec::new(), done.len());
        }
        let further = done.values().filter(|m| m.is_none()).count();
        let list = done.into_iter().filter_map(|(v, value)| {
            Some(Definition {
                name: self.symbols.get(&v)?.clone(),
                value: value?,
            })
        });
        (list.collect(), further)
    }
}

/// Short definitions written out, products multiplied out where that is no longer.
fn readable(alg: &mut Algebra, e: &Expr) -> Expr {
    let limit = if alg.is_closed() {
        SIMPLIFIED
    } else {
        WRITTEN_OUT
    };
    match alg.written_out(e, limit) {
        Some(flat) => shorter(alg, flat),
        None => e.clone(),
    }
}

/// Multiplied out, unless that is longer.
fn shorter(alg: &Algebra, e: Expr) -> Expr {
    let open = alg.expanded(&e);
    if alg.node(&open).size() <= alg.node(&e).size() {
        open
    } else {
        e
    }
}
