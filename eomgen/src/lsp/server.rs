//! The loop of the server: messages in their order, one at a time; answers, and messages on models once nothing else waits. A request that
//! fails, even by a panic, ends neither the server nor the editor's session.

use super::engine::{Background, Engine};
use super::place::path;
use super::position::Text;
use super::publish::Published;
use super::requests::{Answer, Wrong, answer};
use super::requests::{Client, capabilities};
use super::rust;
use super::world::World;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Exit, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{CodeActionRequest, InlayHintRefreshRequest, Request as _, Shutdown};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, NumberOrString, PublishDiagnosticsParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

/// Serves standard input and output until the editor says that it leaves.
///
/// # Errors
/// What is wrong with the connection, or that the editor left without a word.
pub fn run(engine: Option<Engine>) -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let outcome = serve_with(&connection, engine);
    drop(connection);
    threads.join().map_err(|error| error.to_string())?;
    outcome
}

/// Serves a connection without the algebra engine.
///
/// # Errors
/// As [`run`].
pub fn serve(connection: &Connection) -> Result<(), String> {
    serve_with(connection, None)
}

/// Serves a connection, with a process beside it for what needs the algebra engine.
///
/// # Errors
/// As [`run`].
pub fn serve_with(connection: &Connection, engine: Option<Engine>) -> Result<(), String> {
    let (id, params) = connection
        .initialize_start()
        .map_err(|error| error.to_string())?;
    // An editor that says something else than the protocol gets what every editor gets.
    let params: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let client = Client::of(&params);
    let result = json!({
        "capabilities": capabilities(&client),
        "serverInfo": { "name": "eomgen", "version": env!("CARGO_PKG_VERSION") },
    });
    connection
        .initialize_finish(id, result)
        .map_err(|error| error.to_string())?;
    let mut server = Server {
        connection,
        client,
        world: World::default(),
        published: Published::default(),
        background: Background::new(engine),
        changed: BTreeSet::new(),
        queue: VecDeque::new(),
        leaving: false,
        asked: 0,
    };
    server.world.folders = folders(&params);
    server.serve()
}

#[allow(deprecated, reason = "older editors name one folder only")]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let named = params.workspace_folders.iter().flatten();
    let mut uris: Vec<_> = named.map(|folder| folder.uri.clone()).collect();
    if uris.is_empty() {
        uris.extend(params.root_uri.clone());
    }
    uris.iter().map(|uri| PathBuf::from(path(uri))).collect()
}

/// How long nothing may come before a changed model is checked.
const PAUSE: Duration = Duration::from_millis(40);

/// How long nothing may come before the engine is asked, and how often it is looked after.
const REST: Duration = Duration::from_millis(300);

/// The editor is gone.
struct Disconnected;

struct Server<'a> {
    connection: &'a Connection,
    client: Client,
    world: World,
    published: Published,
    background: Background,
    /// Files that have changed since messages were sent.
    changed: BTreeSet<String>,
    /// What has arrived and waits.
    queue: VecDeque<Message>,
    /// Whether the editor has said that nothing comes any more but its `exit`.
    leaving: bool,
    /// How often the editor was asked for something.
    asked: u64,
}

impl Server<'_> {
    fn serve(&mut self) -> Result<(), String> {
        loop {
            self.queue.extend(self.connection.receiver.try_iter());
            let message = match self.queue.pop_front() {
                Some(message) => message,
                None => match self.wait() {
                    Ok(Some(message)) => message,
                    Ok(None) => {
                        self.paused();
                        continue;
                    }
                    Err(Disconnected) => {
                        return Err("the editor has closed the connection".to_owned());
                    }
                },
            };
            match message {
                Message::Request(request) if request.method == Shutdown::METHOD => {
                    self.shut_down(request.id);
                }
                Message::Request(request) => self.request(request),
                Message::Notification(notification) if notification.method == Exit::METHOD => {
                    return if self.leaving {
                        Ok(())
                    } else {
                        Err("the editor left without shutting the server down".to_owned())
                    };
                }
                Message::Notification(notification) => self.guarded(notification),
                Message::Response(_) => {}
            }
        }
    }

    /// Stops all work. The crate's own way waits for the `exit` at the connection, and it may be in the queue already.
    fn shut_down(&mut self, id: RequestId) {
        self.leaving = true;
        self.changed.clear();
        self.background.cancel();
        self.send(Response::new_ok(id, Value::Null));
    }

    /// What is done in a pause: first models are checked, then the engine is asked.
    fn paused(&mut self) {
        if !self.changed.is_empty() {
            return self.publish();
        }
        let Some(report) = self.background.step() else {
            return;
        };
        let (world, published) = (&mut self.world, &mut self.published);
        let found = catch_unwind(AssertUnwindSafe(|| published.report(world, report)));
        let (news, hints) = found.unwrap_or_default();
        self.tell(news);
        if hints && self.client.refreshes {
            self.asked += 1;
            let id = RequestId::from(format!("eomgen-{}", self.asked));
            let method = InlayHintRefreshRequest::METHOD.to_owned();
            self.send(Request::new(id, method, Value::Null));
        }
    }

    /// The next message; none if something is to be done and whoever types has paused. What an editor asks right behind a change is so
    /// answered before the check.
    fn wait(&self) -> Result<Option<Message>, Disconnected> {
        let receiver = &self.connection.receiver;
        let patience = match (self.changed.is_empty(), self.background.is_busy()) {
            (false, _) => PAUSE,
            (true, true) => REST,
            (true, false) => return receiver.recv().map(Some).map_err(|_| Disconnected),
        };
        match receiver.recv_timeout(patience) {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.is_timeout() => Ok(None),
            Err(_) => Err(Disconnected),
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // Where nobody listens any more, the next turn of the loop ends.
        let _ = self.connection.sender.send(message.into());
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        if self.leaving {
            let (code, why) = (ErrorCode::InvalidRequest as i32, "the server is shut down");
            return self.send(Response::new_err(id, code, why.to_owned()));
        }
        if self.is_cancelled(&id) {
            let code = ErrorCode::RequestCanceled as i32;
            return self.send(Response::new_err(id, code, "cancelled".to_owned()));
        }
        if request.method == CodeActionRequest::METHOD {
            self.publish();
        }
        // What a request may leave half done is a cache: files are set before, and whole.
        let (world, client) = (&mut self.world, &self.client);
        let told = catch_unwind(AssertUnwindSafe(|| answer(world, client, request)));
        let told: Answer = told.unwrap_or_else(|_| {
            let why = "eomgen failed at this request; it goes on".to_owned();
            Err(Wrong(ErrorCode::InternalError, why))
        });
        self.send(match told {
            Ok(value) => Response::new_ok(id, value),
            Err(Wrong(code, why)) => Response::new_err(id, code as i32, why),
        });
    }

    /// Whether the editor has taken a request back that still waits.
    fn is_cancelled(&mut self, id: &RequestId) -> bool {
        self.queue.extend(self.connection.receiver.try_iter());
        self.queue.iter().any(|message| match message {
            Message::Notification(n) if n.method == "$/cancelRequest" => {
                let taken: Option<CancelParams> = serde_json::from_value(n.params.clone()).ok();
                taken.is_some_and(|taken| match taken.id {
                    NumberOrString::Number(n) => RequestId::from(n) == *id,
                    NumberOrString::String(s) => RequestId::from(s) == *id,
                })
            }
            _ => false,
        })
    }

    fn guarded(&mut self, notification: Notification) {
        if self.leaving {
            return;
        }
        // A text that makes a reader fail is kept out; the one before stays.
        let _ = catch_unwind(AssertUnwindSafe(|| self.notified(notification)));
    }

    /// Takes note of what the editor says; what cannot be read is left alone, since there is nobody to answer.
    fn notified(&mut self, notification: Notification) {
        let params = notification.params;
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(p) = read::<DidOpenTextDocumentParams>(params) {
                    let path = path(&p.text_document.uri);
                    self.set(&path, Text::new(p.text_document.text));
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(p) = read::<DidChangeTextDocumentParams>(params) {
                    let path = path(&p.text_document.uri);
                    let before = self.world.opened(&path).map(|file| file.text.clone());
                    let rust = self.world.rust.get(&path).cloned();
                    let mut text = before.or(rust).unwrap_or_default();
                    for change in &p.content_changes {
                        text = text.changed(change);
                    }
                    self.set(&path, text);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(p) = read::<DidCloseTextDocumentParams>(params) {
                    let path = path(&p.text_document.uri);
                    self.world.close(&path);
                    self.changed.insert(path);
                }
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.world.forget_disk();
                self.changed.extend(self.world.open_paths());
            }
            _ => {}
        }
    }

    fn set(&mut self, path: &str, text: Text) {
        self.background.cancel();
        if rust::is_rust(path) {
            self.world.rust.insert(path.to_owned(), text);
        } else {
            self.world.set(path, text);
        }
        self.changed.insert(path.to_owned());
    }

    /// Sends what has changed of the messages on models.
    fn publish(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        if changed.is_empty() {
            return;
        }
        let (world, published) = (&mut self.world, &mut self.published);
        let found = catch_unwind(AssertUnwindSafe(|| published.refresh(world, &changed)));
        self.tell(found.unwrap_or_default());
        for path in &changed {
            if let Some(text) = self.world.rust.get(path).cloned() {
                for job in rust::jobs(&mut self.world, path, &text) {
                    self.background.add(job);
                }
                continue;
            }
            for model in self.world.models_of(path) {
                if let Some(job) = self.world.job(&model) {
                    self.background.add(job);
                }
            }
        }
    }

    fn tell(&self, news: Vec<PublishDiagnosticsParams>) {
        for params in news {
            self.send(Notification::new(
                PublishDiagnostics::METHOD.to_owned(),
                params,
            ));
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
