//! What polynomials of a printed expression are made of: symbols, sines and cosines of whole combinations of angles, tangents, and sums
//! that something is divided by. Each has a number, in the order in which a reader expects symbols.

use super::atom::{Atom, Measure, Role};
use super::sum::Sum;
use crate::sym::{Algebra, Class, Expr, Kernel, Meaning, Var};
use num_traits::Signed;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// A whole combination of base angles: number of the angle and how often; angles ascending.
pub(super) type Angle = Vec<(u32, i32)>;

/// What an atom is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Symbol(Var),
    Sine(Angle),
    Cosine(Angle),
    Tangent(Angle),
    /// Only below a fraction bar.
    Sum(Rc<Sum>),
    /// What is 1 at every state, by its place among what is: it is not written.
    Unit(usize),
}

/// An angle of which sines and cosines are taken, with the symbols for these.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub angle: Expr,
    pub sine: Var,
    pub cosine: Var,
    size: usize,
}

struct Known {
    kind: Kind,
    /// Names and numbers in it.
    leaves: usize,
    role: Role,
    /// That by whose sign it may be divided by.
    sign_of: Option<Var>,
    sure: OnceCell<bool>,
    class: Class,
}

/// The atoms of expressions that are printed together.
pub(super) struct Atoms {
    bases: Vec<Base>,
    list: Vec<Known>,
    index: FxHashMap<Kind, Atom>,
}

impl Atoms {
    /// Those of expressions: their symbols in reading order.
    pub(super) fn new(alg: &Algebra, list: &[&Expr]) -> Self {
        let mut atoms = Self {
            bases: Vec::new(),
            list: Vec::new(),
            index: FxHashMap::default(),
        };
        let mut symbols = Vec::new();
        let mut variables: Vec<Var> = list.iter().flat_map(|e| alg.variables(e)).collect();
        variables.sort_unstable();
        variables.dedup();
        for v in variables {
            match circle(alg, v) {
                Some(base) => {
                    if atoms.bases.iter().all(|b| b.sine != base.sine) {
                        atoms.bases.push(base);
                    }
                }
                None => symbols.push(v),
            }
        }
        let key = |b: &Base| (alg.variables(&b.angle), b.size, b.sine);
        atoms.bases.sort_by_cached_key(key);
        symbols.sort_by_key(|v| alg.rank(*v));
        for v in symbols {
            atoms.symbol(alg, v);
        }
        atoms
    }

    pub(super) fn symbol(&mut self, alg: &Algebra, v: Var) -> Atom {
        let class = alg.info(v).class;
        let role = match class {
            Class::Acceleration => Role::Acceleration,
            Class::Speed => Role::Rate,
            Class::Input => Role::Load,
            Class::Multiplier => Role::Multiplier,
            _ => Role::Place,
        };
        let leaves = match &alg.info(v).meaning {
            Meaning::Kernel(_, args) => args.iter().map(|a| alg.size(a)).sum(),
            _ => 1,
        };
        self.put(Known {
            kind: Kind::Symbol(v),
            leaves,
            role,
            sign_of: Some(v),
            sure: OnceCell::new(),
            class,
        })
    }

    /// The sine or cosine of an angle, or its tangent. Only that of a single angle can be known not to vanish.
    pub(super) fn circular(&mut self, kind: Kind) -> Atom {
        let (angle, of_base): (&Angle, fn(&Base) -> Option<Var>) = match &kind {
            Kind::Sine(a) => (a, |b| Some(b.sine)),
            Kind::Cosine(a) => (a, |b| Some(b.cosine)),
            Kind::Tangent(a) => (a, |_| None),
            Kind::Symbol(_) | Kind::Sum(_) | Kind::Unit(_) => (&Vec::new(), |_| None),
        };
        let leaves = angle.iter().map(|(base, k)| {
            let size = self.bases[*base as usize].size;
            size + usize::from(k.abs() != 1)
        });
        let leaves = leaves.sum();
        let symbol = match angle.as_slice() {
            [(base, 1)] => of_base(&self.bases[*base as usize]),
            _ => None,
        };
        self.put(Known {
            kind,
            leaves,
            role: Role::Place,
            sign_of: symbol,
            sure: OnceCell::new(),
            class: Class::Kernel,
        })
    }

    /// A sum below a fraction bar.
    pub(super) fn divisor(&mut self, sum: Rc<Sum>) -> Atom {
        let leaves = sum.leaves();
        self.put(Known {
            kind: Kind::Sum(sum),
            leaves,
            role: Role::Place,
            sign_of: None,
            sure: OnceCell::new(),
            class: Class::Coordinate,
        })
    }

    /// What is 1 at every state.
    pub(super) fn unit(&mut self, place: usize) -> Atom {
        self.put(Known {
            kind: Kind::Unit(place),
            leaves: 0,
            role: Role::Place,
            sign_of: None,
            sure: OnceCell::from(true),
            class: Class::Parameter,
        })
    }

    fn put(&mut self, known: Known) -> Atom {
        if let Some(atom) = self.index.get(&known.kind) {
            return *atom;
        }
        let atom = Atom(self.list.len() as u32);
        self.index.insert(known.kind.clone(), atom);
        self.list.push(known);
        atom
    }

    fn known(&self, atom: Atom) -> &Known {
        &self.list[atom.0 as usize]
    }

    pub(super) fn kind(&self, atom: Atom) -> &Kind {
        &self.known(atom).kind
    }

    pub(super) fn class(&self, atom: Atom) -> Class {
        self.known(atom).class
    }

    /// Whether it never vanishes, by what the model assumes.
    pub(super) fn is_sure(&self, alg: &Algebra, atom: Atom) -> bool {
        let known = self.known(atom);
        *known.sure.get_or_init(|| {
            let sign = known.sign_of.and_then(|v| alg.sign(&alg.var(v)));
            sign.is_some_and(|s| s.is_strict())
        })
    }

    /// What is asked of symbols when forms are compared, where there is nothing else than symbols.
    pub(super) fn measures(&self, alg: &Algebra) -> Option<Vec<(usize, Role, Class, bool)>> {
        // Sines and cosines get their numbers later.
        if !self.bases.is_empty() {
            return None;
        }
        let numbers = (0..self.list.len()).map(|at| Atom(at as u32));
        let each = numbers.map(|atom| {
            let known = self.known(atom);
            let symbol = matches!(known.kind, Kind::Symbol(_));
            let sure = self.is_sure(alg, atom);
            symbol.then_some((known.leaves, known.role, known.class, sure))
        });
        each.collect()
    }

    pub(super) fn is_sum(&self, atom: Atom) -> bool {
        matches!(self.kind(atom), Kind::Sum(_))
    }

    pub(super) fn is_unit(&self, atom: Atom) -> bool {
        matches!(self.kind(atom), Kind::Unit(_))
    }

    pub(super) fn is_circular(&self, atom: Atom) -> bool {
        matches!(
            self.kind(atom),
            Kind::Sine(_) | Kind::Cosine(_) | Kind::Tangent(_)
        )
    }

    /// By which the factors behind a term's numbers, constants and places are sorted.
    pub(super) fn order(&self, atom: Atom) -> (Class, &[(u32, i32)], bool, Atom) {
        let (angle, cosine): (&[(u32, i32)], bool) = match self.kind(atom) {
            Kind::Sine(angle) | Kind::Tangent(angle) => (angle, false),
            Kind::Cosine(angle) => (angle, true),
            Kind::Symbol(_) | Kind::Sum(_) | Kind::Unit(_) => (&[], false),
        };
        (self.class(atom), angle, cosine, atom)
    }

    pub(super) fn bases(&self) -> &[Base] {
        &self.bases
    }

    /// The base angle whose sine or cosine a symbol is, and whether it is the sine.
    pub(super) fn base_of(&self, v: Var) -> Option<(u32, bool)> {
        let at = self
            .bases
            .iter()
            .position(|b| b.sine == v || b.cosine == v)?;
        Some((at as u32, self.bases[at].sine == v))
    }
}

impl Measure for Atoms {
    fn leaves(&self, atom: Atom) -> usize {
        self.known(atom).leaves
    }

    fn role(&self, atom: Atom) -> Role {
        self.known(atom).role
    }
}

/// The angle whose sine or cosine a symbol is.
fn circle(alg: &Algebra, v: Var) -> Option<Base> {
    let (sine, cosine) = alg.circle_with(v)?;
    let Meaning::Kernel(Kernel::Sin, args) = &alg.info(sine).meaning else {
        return None;
    };
    let angle = args.first()?.clone();
    let number = alg.node(&angle).coefficient().abs();
    let whole = number.is_integer();
    Some(Base {
        size: alg.size(&angle) + usize::from(!whole),
        angle,
        sine,
        cosine,
    })
}
