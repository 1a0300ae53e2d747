//! What holds expressions, out of reach between visits to the algebra engine: only one caller of a user at a time may use it, and planning
//! takes far longer than everything that needs it.

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

/// A stage of a derivation, which holds expressions, and what writes the next one.
pub(super) struct Parked<'e, 'a, S> {
    engine: &'e dyn Engine,
    stage: S,
    writer: Writer<'a>,
}

impl<'e, 'a, S: Send> Parked<'e, 'a, S> {
    /// Begins in a visit; `None` where nothing is begun.
    pub fn new(
        engine: &'e dyn Engine,
        begin: impl FnOnce() -> Result<Option<(S, Writer<'a>)>, Vec<Diagnostic>> + Send,
    ) -> Result<Option<Self>, Stop> {
        let begun = visit(engine, begin)??;
        Ok(begun.map(|(stage, writer)| Self {
            engine,
            stage,
            writer,
        }))
    }

    /// Works with expressions.
    pub fn visit<R: Send>(
        &mut self,
        work: impl FnOnce(&S, &mut Writer<'a>) -> R + Send,
    ) -> Result<R, Stop> {
        let (stage, writer) = (&mut self.stage, &mut self.writer);
        visit(self.engine, move || work(stage, writer))
    }

    /// Goes on to the next stage.
    pub fn next<T: Send>(
        self,
        work: impl FnOnce(S, &mut Writer<'a>) -> Result<T, Vec<Diagnostic>> + Send,
    ) -> Result<Parked<'e, 'a, T>, Stop> {
        let Self {
            engine,
            stage,
            mut writer,
        } = self;
        let stage = visit(engine, || work(stage, &mut writer))??;
        Ok(Parked {
            engine,
            stage,
            writer,
        })
    }

    /// Does the last thing.
    pub fn leave<R: Send>(self, work: impl FnOnce(S, Writer<'a>) -> R + Send) -> Result<R, Stop> {
        visit(self.engine, || work(self.stage, self.writer))
    }

    /// What can be seen of the stage without a look into its expressions.
    pub fn stage(&self) -> &S {
        &self.stage
    }

    /// The instructions, for which nobody needs the engine.
    pub fn graph(&mut self) -> &mut Graph {
        &mut self.writer.low.graph
    }

    /// The stage as [`Self::stage`] shows it, and the instructions.
    pub fn stage_and_graph(&mut self) -> (&S, &mut Graph) {
        (&self.stage, &mut self.writer.low.graph)
    }
}

fn visit<R: Send>(engine: &dyn Engine, work: impl FnOnce() -> R + Send) -> Result<R, Stop> {
    let (mut work, mut result) = (Some(work), None);
    let mut visit = || result = work.take().map(|work| work());
    engine.visit(&mut visit).map_err(Stop::Engine)?;
    let missing = || Bug::new("a visit to the engine did nothing");
    Ok(result.ok_or_else(missing)?)
}
