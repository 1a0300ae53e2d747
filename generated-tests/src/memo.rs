//! What is derived once in a run, however many tests ask for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use eomgen::{
    Certificate, Derived, Evaluator, Failure, Source, derive_source, evaluator_source,
    options::{DeriveOptions, VerifyOptions},
    verify_source,
};

/// Results by what was asked. Two who ask for the same at once share one answer.
struct Memo<T>(Mutex<BTreeMap<String, Arc<OnceLock<T>>>>);

impl<T: Clone> Memo<T> {
    const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    fn get(&self, key: String, make: impl FnOnce() -> T) -> T {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = Arc::clone(known.entry(key).or_default());
        drop(known);
        place.get_or_init(make).clone()
    }
}

/// [`evaluator_source`], once for each model and options.
///
/// # Errors
/// What the library says.
pub fn evaluator(source: &Source, options: &DeriveOptions) -> Result<Arc<Evaluator>, Failure> {
    static KNOWN: Memo<Result<Arc<Evaluator>, Failure>> = Memo::new();
    KNOWN.get(format!("{source:?} {options:?}"), || {
        evaluator_source(source, options).map(Arc::new)
    })
}

/// [`derive_source`], once for each model and options.
///
/// # Errors
/// What the library says.
pub fn module(source: &Source, options: &DeriveOptions) -> Result<Derived, Failure> {
    static KNOWN: Memo<Result<Derived, Failure>> = Memo::new();
    KNOWN.get(format!("{source:?} {options:?}"), || {
        derive_source(source, options)
    })
}

/// [`verify_source`], once for each model and options.
///
/// # Errors
/// What the library says.
pub fn certificate(source: &Source, options: &VerifyOptions) -> Result<Arc<Certificate>, Failure> {
    static KNOWN: Memo<Result<Arc<Certificate>, Failure>> = Memo::new();
    KNOWN.get(format!("{source:?} {options:?}"), || {
        verify_source(source, options).map(Arc::new)
    })
}
