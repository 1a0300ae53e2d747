//! What holds expressions, out of reach between visits to the algebra engine: only one caller of a user at a time may use it, and planning
//! takes far longer than everything that needs it.

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

/// What is made of instructions besides expressions.
pub(super) trait Instructions {
    fn graph(&mut self) -> &mut Graph;
}

/// Something that holds expressions.
pub(super) struct Parked<'e, T> {
    engine: &'e dyn Engine,
    content: T,
}

impl<'e, T: Send> Parked<'e, T> {
    /// Makes it in a visit; `None` where it is not made.
    pub fn new<E: Send>(
        engine: &'e dyn Engine,
        work: impl FnOnce() -> Result<Option<T>, E> + Send,
    ) -> Result<Option<Self>, Stop>
    where
        Stop: From<E>,
    {
        let content = visit(engine, work)??;
        Ok(content.map(|content| Self { engine, content }))
    }

    /// Does something with it.
    pub fn visit<R: Send>(&mut self, work: impl FnOnce(&mut T) -> R + Send) -> Result<R, Stop> {
        let content = &mut self.content;
        visit(self.engine, || work(content))
    }

    /// Does the last thing with it.
    pub fn leave<R: Send>(self, work: impl FnOnce(T) -> R + Send) -> Result<R, Stop> {
        let content = self.content;
        visit(self.engine, || work(content))
    }
}

impl<T: Instructions> Parked<'_, T> {
    /// Its instructions, for which nobody needs the engine.
    pub fn graph(&mut self) -> &mut Graph {
        self.content.graph()
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
