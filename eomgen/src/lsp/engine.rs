//! What takes the algebra engine, beside the answers: a process of its own that is given a model once whoever types has paused, and killed
//! when the text changes. What it says may be older than the text, and never holds an answer up. Knows nothing of models; the process is a
//! program with arguments, so that tests have one of their own.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// What is started: it reads a model on its standard input and writes a report in JSON, as `eomgen check - --json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engine {
    /// The program, and its arguments.
    pub program: PathBuf,
    /// Before the folders of parts.
    pub arguments: Vec<String>,
}

/// A model to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) path: String,
    pub(super) text: String,
    /// Where paths of parts begin.
    pub(super) folder: PathBuf,
    /// Where further parts may lie.
    pub(super) further: Vec<PathBuf>,
}

/// What was found of a model, as the process wrote it.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) path: String,
    pub(super) found: Value,
}

/// A process that runs, and who reads what it writes.
struct Running {
    path: String,
    child: Child,
    output: JoinHandle<String>,
}

/// What waits and what runs: one process at a time.
pub(super) struct Background {
    engine: Option<Engine>,
    waiting: BTreeMap<String, Job>,
    running: Option<Running>,
}

impl Background {
    pub(super) fn new(engine: Option<Engine>) -> Self {
        Self {
            engine,
            waiting: BTreeMap::new(),
            running: None,
        }
    }

    /// Whether anything is to be done when whoever types has paused.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some() || !self.waiting.is_empty()
    }

    /// Takes a model on; of two versions the later one counts.
    pub(super) fn add(&mut self, job: Job) {
        if self.engine.is_some() {
            self.waiting.insert(job.path.clone(), job);
        }
    }

    /// Forgets everything: a text has changed, and what runs works for nobody.
    pub(super) fn cancel(&mut self) {
        self.waiting.clear();
        if let Some(running) = self.running.take() {
            running.kill();
        }
    }

    /// Looks after the process; gives what it has found, if it has ended with a report.
    pub(super) fn step(&mut self) -> Option<Report> {
        if let Some(running) = &mut self.running {
            if !running.output.is_finished() {
                return None;
            }
            let running = self.running.take()?;
            let path = running.path.clone();
            let found = serde_json::from_str(&running.end()).ok()?;
            return Some(Report { path, found });
        }
        let (_, job) = self.waiting.pop_first()?;
        // A program that cannot be started says nothing, now and later.
        self.running = self.engine.as_ref()?.start(job).ok();
        None
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Engine {
    #[allow(
        clippy::disallowed_methods,
        reason = "what the process writes is read while it runs, or a full pipe would stop it"
    )]
    fn start(&self, job: Job) -> std::io::Result<Running> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        for folder in &job.further {
            command.arg("--include").arg(folder);
        }
        if job.folder.is_dir() {
            command.current_dir(&job.folder);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let text = job.text;
        let output = std::thread::spawn(move || {
            // A process that has gone does not want the model.
            let written = input.map(|mut input| input.write_all(text.as_bytes()));
            let mut said = String::new();
            if let (Some(mut output), Some(_)) = (output, written) {
                let _ = output.read_to_string(&mut said);
            }
            said
        });
        Ok(Running {
            path: job.path,
            child,
            output,
        })
    }
}

impl Running {
    fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// What it has written.
    fn end(mut self) -> String {
        let _ = self.child.wait();
        self.output.join().unwrap_or_default()
    }
}

/// What is shown of a model beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// `3 degrees of freedom, constraints of rank 5 in 6 rows`
    pub(super) freedom: String,
    /// The speeds that the others determine: `u`, `x'`, `left.q[2]'`.
    pub(super) dependent: Vec<String>,
}

impl Report {
    /// None if the model has errors.
    pub(super) fn facts(&self) -> Option<Facts> {
        let count = self.found.get("degrees_of_freedom")?.as_u64()?;
        let noun = if count == 1 { "degree" } else { "degrees" };
        let freedom = format!("{count} {noun} of freedom");
        let rows = self
            .list("constraints")
            .filter_map(|c| c.get("rows")?.as_array().map(Vec::len));
        let rows: usize = rows.sum();
        let rank = self.found.get("rank").and_then(Value::as_u64);
        let freedom = match rank {
            Some(rank) if rows > 0 && rank != rows as u64 => {
                format!("{freedom}, constraints of rank {rank} in {rows} rows")
            }
            Some(rank) if rows > 0 => format!("{freedom}, constraints of rank {rank}"),
            _ => freedom,
        };
        let determined = |speed: &&Value| speed.get("independent") == Some(&Value::Bool(false));
        let name = |speed: &Value| Some(speed.get("name")?.as_str()?.to_owned());
        let dependent = self.list("speeds").filter(determined).filter_map(name);
        Some(Facts {
            freedom,
            dependent: dependent.collect(),
        })
    }

    fn list(&self, member: &str) -> impl Iterator<Item = &Value> {
        let list = self.found.get(member).and_then(Value::as_array);
        list.into_iter().flatten()
    }
}
