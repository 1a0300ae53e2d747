//! What holds expressions, out of reach between visits to the algebra engine: only one caller of a user at a time may use it, and planning
//! takes far longer than everything that needs it.

use super::posed::Posed;
use super::writer::Writer;
use crate::bug::Bug;
use crate::diag::Diagnostic;
use crate::ir::Graph;

/// Who lets visitors in, one at a time.
pub trait Engine {
    /// Does the work, in which expressions may be used.
    ///
    /// # Errors
    /// Why the work was not done.
    fn visit(&self, work: &mut (dyn FnMut() + Send)) -> Result<(), String>;
}

/// Why there is no result.
pub enum Stop {
    /// Something is wrong with the model.
    Model(Vec<Diagnostic>),
    /// The engine could not be had.
    Engine(String),
}

impl From<Vec<Diagnostic>> for Stop {
    fn from(list: Vec<Diagnostic>) -> Self {
        Self::Model(list)
    }
}

impl From<Bug> for Stop {
    fn from(bug: Bug) -> Self {
        Self::Model(vec![bug.into()])
    }
}

/// A derivation in progress, which holds expressions.
pub(super) struct Parked<'e, 'a> {
    engine: &'e dyn Engine,
    content: Derivation<'a>,
}

/// Equations, and what writes their solution.
pub(super) struct Derivation<'a> {
    pub posed: Posed,
    pub writer: Writer<'a>,
}

impl<'e, 'a> Parked<'e, 'a> {
    /// Begins in a visit; `None` where nothing is begun.
    pub fn new(
        engine: &'e dyn Engine,
        begin: impl FnOnce() -> Result<Option<Derivation<'a>>, Vec<Diagnostic>> + Send,
    ) -> Result<Option<Self>, Stop> {
        let content = visit(engine, begin)??;
        Ok(content.map(|content| Self { engine, content }))
    }

    /// Works with expressions.
    pub fn visit<R: Send>(
        &mut self,
        work: impl FnOnce(&Posed, &mut Writer<'a>) -> R + Send,
    ) -> Result<R, Stop> {
        let content = &mut self.content;
        visit(self.engine, move || {
            work(&content.posed, &mut content.writer)
        })
    }

    /// States equations that were left unstated so far.
    pub fn with_equations(&mut self) -> Result<(), Stop> {
        if self.content.posed.stated {
            return Ok(());
        }
        let content = &mut self.content;
        Ok(visit(self.engine, move || {
            let posed = content.posed.clone();
            content.posed = posed.with_equations(&mut content.writer.c)?;
            Ok::<(), Vec<Diagnostic>>(())
        })??)
    }

    /// Does the last thing with them.
    pub fn leave<R: Send>(self, work: impl FnOnce(Derivation<'a>) -> R + Send) -> Result<R, Stop> {
        let content = self.content;
        visit(self.engine, || work(content))
    }

    /// What is known of the equations without looking into them.
    pub fn posed(&self) -> &Posed {
        &self.content.posed
    }

    /// The instructions, for which nobody needs the engine.
    pub fn graph(&mut self) -> &mut Graph {
        &mut self.content.writer.low.graph
    }
}

fn visit<R: Send>(engine: &dyn Engine, work: impl FnOnce() -> R + Send) -> Result<R, Stop> {
    let (mut work, mut result) = (Some(work), None);
    engine
        .visit(&mut || result = work.take().map(|work| work()))
        .map_err(Stop::Engine)?;
    let missing = || Bug::new("a visit to the engine did nothing");
    Ok(result.ok_or_else(missing)?)
}
