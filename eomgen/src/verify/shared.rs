//! Steps that the functions of a module have in common: a function, its variants and what is made of the same parts are read as lists of steps of
//! their own, most of which say the same. At one state each is evaluated once.

use rustc_hash::FxHashMap;

use super::text::run::Outcome;
use super::text::tree::{Function, Module, Step};

/// The steps of all functions, numbered so that equal ones have equal numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    by_function: FxHashMap<String, Vec<u32>>,
    count: usize,
}

impl Shared {
    pub(super) fn of(module: &Module) -> Self {
        let mut known: FxHashMap<Step, u32> = FxHashMap::default();
        let mut literals: FxHashMap<&str, u32> = FxHashMap::default();
        let mut by_function = FxHashMap::default();
        for function in &module.functions {
            // Arrays of its own have entries of its own.
            if !function.extra.is_empty() {
                continue;
            }
            let mut numbers: Vec<u32> = Vec::with_capacity(function.steps.len());
            for step in &function.steps {
                let mut step = step.clone();
                step.places(|place| {
                    *place = numbers.get(*place as usize).copied().unwrap_or(u32::MAX);
                });
                if let Step::Literal(index) = &mut step
                    && let Some(literal) = module.literals.get(*index as usize)
                {
                    *index = *literals.entry(&literal.text).or_insert(*index);
                }
                let next = known.len() as u32;
                numbers.push(*known.entry(step).or_insert(next));
            }
            by_function.insert(function.name.clone(), numbers);
        }
        Self {
            by_function,
            count: known.len(),
        }
    }

    /// The numbers of a function's steps.
    pub(super) fn numbers(&self, function: &Function) -> Option<&[u32]> {
        let numbers = self.by_function.get(&function.name)?;
        (numbers.len() == function.steps.len()).then_some(numbers)
    }
}

/// What came of the steps at the last few states.
#[derive(Debug)]
pub(super) struct Memory<N> {
    states: Vec<(usize, Vec<Option<Outcome<N>>>)>,
}

impl<N> Default for Memory<N> {
    fn default() -> Self {
        Self { states: Vec::new() }
    }
}

/// States that are remembered: a consistent one and the one beside it.
const REMEMBERED: usize = 2;

impl<N> Memory<N> {
    /// What is known at a state, to be read and added to.
    pub(super) fn at(&mut self, state: usize, shared: &Shared) -> &mut Vec<Option<Outcome<N>>> {
        let place = match self.states.iter().position(|(own, _)| *own == state) {
            Some(place) => place,
            None => {
                if self.states.len() >= REMEMBERED {
                    self.states.remove(0);
                }
                let mut list = Vec::new();
                list.resize_with(shared.count, || None);
                self.states.push((state, list));
                self.states.len() - 1
            }
        };
        &mut self.states[place].1
    }
}
