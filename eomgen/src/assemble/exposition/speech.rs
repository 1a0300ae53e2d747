//! Expressions of the algebra as mathematics: definitions of the derivation keep their names, each name once.

use crate::model::System;
use crate::notation::{Definition, Math, Names, Style, Symbol};
use crate::sym::{Algebra, Expr, Meaning, Node, Var};
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::collections::{BTreeMap, BTreeSet};

/// Definitions are written out in expressions that have fewer symbols and numbers than this when that is done.
const WRITTEN_OUT: usize = 80;
/// Expressions without definitions are simplified up to this many.
const SIMPLIFIED: usize = 4000;
/// An expression is shown up to this many symbols, numbers and operations.
const LONGEST: usize = 400;
/// Definitions that are listed.
const LISTED: usize = 250;

/// What was said so far.
pub(super) struct Speech {
    names: Names,
    symbols: BTreeMap<Var, Symbol>,
    /// Letters and subscripts of definitions.
    taken: BTreeSet<(String, Vec<String>)>,
    /// Definitions that were mentioned, with what they stand for.
    mentioned: BTreeMap<Var, Expr>,
}

/// All names of a model that stand in expressions.
pub fn names(system: &System) -> Names {
    let metas = [
        system.params.iter().map(|p| &p.meta).collect::<Vec<_>>(),
        system.coords.iter().map(|c| &c.meta).collect(),
        system.inputs.iter().map(|i| &i.meta).collect(),
        system.functions.iter().map(|f| &f.meta).collect(),
        system.speeds.iter().map(|s| &s.meta).collect(),
        system.joints.iter().map(|j| &j.meta).collect(),
    ];
    Names::new(metas.iter().flatten().map(|m| m.name.as_str()))
}

impl Speech {
    pub(super) fn new(system: &System) -> Self {
        Self {
            names: names(system),
            symbols: BTreeMap::new(),
            taken: BTreeSet::new(),
            mentioned: BTreeMap::new(),
        }
    }

    /// An expression in its readable form; `None` if that is long.
    pub(super) fn say(&mut self, alg: &mut Algebra, e: &Expr) -> Option<Math> {
        self.say_within(alg, e, LONGEST)
    }

    /// The same, for what is long from a given number of symbols, numbers and operations on.
    pub(super) fn say_within(
        &mut self,
        alg: &mut Algebra,
        e: &Expr,
        longest: usize,
    ) -> Option<Math> {
        if alg.is_zero(e) {
            return Some(Math::integer(0));
        }
        let e = self.readable(alg, e);
        let node = alg.node(&e);
        if node.size() > longest {
            return None;
        }
        Some(self.node(alg, &node))
    }

    /// The same with all definitions written out and simplified, where that is no endless work.
    pub(super) fn say_in_full(&mut self, alg: &mut Algebra, e: &Expr) -> Option<Math> {
        if alg.inlined_size(e, SIMPLIFIED) >= SIMPLIFIED {
            return None;
        }
        let flat = alg.inline(e);
        let flat = alg.in_closed_form(|alg| alg.simplify(&flat));
        let open = alg.expanded(&flat);
        let short = if alg.node(&open).size() <= alg.node(&flat).size() {
            open
        } else {
            flat
        };
        let node = alg.node(&short);
        (node.size() <= LONGEST).then(|| self.node(alg, &node))
    }

    /// A symbol, or what its name reads as.
    pub(super) fn symbol(&mut self, alg: &Algebra, v: Var) -> Math {
        let name = &alg.info(v).name;
        let read = self.names.parse(name);
        read.unwrap_or_else(|_| Math::Symbol(Symbol::verbatim(name)))
    }

    /// Short definitions written out, products multiplied out where that is no longer.
    fn readable(&self, alg: &mut Algebra, e: &Expr) -> Expr {
        let limit = if alg.is_closed() {
            SIMPLIFIED
        } else {
            WRITTEN_OUT
        };
        if alg.inlined_size(e, limit) >= limit {
            return e.clone();
        }
        let flat = alg.inline(e);
        let flat = alg.simplify(&flat);
        let open = alg.expanded(&flat);
        if alg.node(&open).size() <= alg.node(&flat).size() {
            open
        } else {
            flat
        }
    }

    fn node(&mut self, alg: &Algebra, n: &Node) -> Math {
        match n {
            Node::Number(r) => number(r),
            Node::Var(v) => self.var(alg, *v),
            Node::Sum(terms) => Math::sum(
                terms
                    .iter()
                    .map(|t| {
                        if t.is_negative() {
                            self.node(alg, &t.negated()).negated()
                        } else {
                            self.node(alg, t)
                        }
                    })
                    .collect(),
            ),
            Node::Product(c, factors) => {
                let (mut above, mut below) = (Vec::new(), Vec::new());
                let whole = |n: &num_bigint::BigInt| Math::Number(n.abs().to_string());
                if !c.numer().abs().is_one() {
                    above.push(whole(c.numer()));
                }
                if !c.denom().is_one() {
                    below.push(whole(c.denom()));
                }
                for (base, exponent) in factors.iter().filter(|f| !alg.is_unit_node(&f.0)) {
                    let base = self.node(alg, base);
                    let list = if *exponent > 0 {
                        &mut above
                    } else {
                        &mut below
                    };
                    let size = i64::from(exponent.unsigned_abs());
                    list.push(match size {
                        1 => base,
                        n => Math::Power(Box::new(base), Box::new(Math::integer(n))),
                    });
                }
                let above = Math::product(above);
                let all = if below.is_empty() {
                    above
                } else {
                    Math::Quotient(Box::new(above), Box::new(Math::product(below)))
                };
                if c.is_negative() { all.negated() } else { all }
            }
        }
    }

    fn var(&mut self, alg: &Algebra, v: Var) -> Math {
        if let Meaning::Definition(e) = &alg.info(v).meaning {
            let e = e.clone();
            self.mentioned.insert(v, e);
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
        let looks = |s: &Symbol| (s.letters.clone(), s.subscripts.clone());
        while self.taken.contains(&looks(&symbol)) || self.names.has_looks(&symbol) {
            count += 1;
            symbol = first.clone();
            symbol.name = format!("{name}_{count}");
            symbol.subscripts.push(count.to_string());
        }
        self.taken.insert(looks(&symbol));
        self.symbols.insert(v, symbol.clone());
        symbol
    }

    /// `M` for entries of the mass matrix and `f` for the forcing, where the model leaves these letters free.
    fn short(&self, name: &str) -> Symbol {
        for (prefix, letter) in [("mass_", "M"), ("forcing_", "f")] {
            if let Some(rest) = name.strip_prefix(prefix)
                && !self.names.has_letters(letter)
            {
                let subscripts: Vec<&str> = rest.split('_').collect();
                let symbol = Symbol::new(letter, Style::Italic, &subscripts);
                return Symbol {
                    name: name.into(),
                    ..symbol
                };
            }
        }
        self.names.symbol(name)
    }

    /// What was mentioned and what that mentions, earlier ones first; and how many more there are.
    pub(super) fn definitions(&mut self, alg: &mut Algebra) -> (Vec<Definition>, usize) {
        let mut done: BTreeMap<Var, Option<Math>> = BTreeMap::new();
        loop {
            let next = self.mentioned.iter().find(|(v, _)| !done.contains_key(v));
            let Some((v, e)) = next.map(|(v, e)| (*v, e.clone())) else {
                break;
            };
            if done.len() >= LISTED * 4 {
                return (Vec::new(), self.mentioned.len());
            }
            let node = alg.node(&e);
            let said = (node.size() <= LONGEST).then(|| self.node(alg, &node));
            done.insert(v, said);
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

fn number(r: &BigRational) -> Math {
    let above = Math::Number(r.numer().abs().to_string());
    let all = if r.denom().is_one() {
        above
    } else {
        Math::Quotient(
            Box::new(above),
            Box::new(Math::Number(r.denom().to_string())),
        )
    };
    if r.is_negative() { all.negated() } else { all }
}
