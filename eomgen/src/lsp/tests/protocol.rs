//! The server in memory, as an editor meets it: message by message.

use super::super::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::thread::JoinHandle;
use std::time::Duration;

const URI: &str = "file:///none/m.eom";

/// The editor's end.
struct Editor {
    connection: Connection,
    server: Option<JoinHandle<Result<(), String>>>,
    next: i32,
}

impl Editor {
    fn start() -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || serve(&server));
        let mut editor = Self {
            connection,
            server: Some(server),
            next: 0,
        };
        let options =
            json!({ "capabilities": {}, "initializationOptions": { "commands": ["eomgen.show"] } });
        let told = editor.ask("initialize", options).unwrap();
        assert_eq!(told["serverInfo"]["name"], "eomgen");
        assert_eq!(told["capabilities"]["hoverProvider"], true);
        editor.say("initialized", json!({}));
        editor
    }

    fn say(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection.sender.send(message.into()).unwrap();
    }

    fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let message = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(message.into()).unwrap();
        id
    }

    fn hear(&self) -> Message {
        let patience = Duration::from_secs(60);
        self.connection.receiver.recv_timeout(patience).unwrap()
    }

    /// The answer to a request, or the number and text of its error.
    fn answer(&self, id: &RequestId) -> Result<Value, (i32, String)> {
        loop {
            if let Message::Response(response) = self.hear()
                && response.id == *id
            {
                return response.into_result();
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.send(method, params);
        self.answer(&id)
    }

    fn open(&self, text: &str) {
        let document = json!({ "uri": URI, "languageId": "eom", "version": 1, "text": text });
        self.say("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn messages(&self) -> Vec<Value> {
        loop {
            if let Message::Notification(n) = self.hear()
                && n.method == "textDocument/publishDiagnostics"
            {
                return n.params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    fn leave(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.say("exit", Value::Null);
        assert_eq!(self.server.take().unwrap().join().unwrap(), Ok(()));
    }
}

trait IntoResult {
    fn into_result(self) -> Result<Value, (i32, String)>;
}

impl IntoResult for lsp_server::Response {
    fn into_result(self) -> Result<Value, (i32, String)> {
        let value = serde_json::to_value(&self).unwrap();
        match value.get("error") {
            Some(error) => {
                let code = error["code"].as_i64().unwrap() as i32;
                Err((code, error["message"].as_str().unwrap().to_owned()))
            }
            None => Ok(value.get("result").cloned().unwrap_or(Value::Null)),
        }
    }
}

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

const GOOD: &str =
    "model m\nparam m : kg\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n";

#[test]
fn a_session_from_beginning_to_end() {
    let mut editor = Editor::start();
    editor.open(GOOD);
    assert_eq!(editor.messages(), [Value::Null; 0]);
    // A letter outside the basic plane before the mistake: columns are counted in halves of it.
    let change = json!({
        "textDocument": { "uri": URI, "version": 2 },
        "contentChanges": [
            { "range": { "start": { "line": 4, "character": 0 }, "end": { "line": 4, "character": 0 } }, "text": "let 𝜃 = x + P\n" },
        ],
    });
    editor.say("textDocument/didChange", change);
    let messages = editor.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["range"]["start"]["line"], 4);
    assert_eq!(messages[0]["range"]["start"]["character"], 9);
    assert_eq!(messages[0]["range"]["end"]["character"], 10);
    let told = editor.ask("textDocument/hover", at(2, 6)).unwrap();
    let text = told["contents"]["value"].as_str().unwrap();
    assert!(text.contains("coordinate; in `m`"), "{text}");
    let lens = editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(lens.unwrap()[0]["command"]["command"], "eomgen.show");
    let mut new = at(3, 6);
    new["newName"] = "Q".into();
    let edit = editor.ask("textDocument/rename", new.clone()).unwrap();
    assert_eq!(
        edit["documentChanges"][0]["edits"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    new["newName"] = "x".into();
    let (code, why) = editor.ask("textDocument/rename", new).unwrap_err();
    assert!(code == -32803 && why.contains("taken"), "{code} {why}");
    editor.say(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(editor.messages(), [Value::Null; 0]);
    editor.leave();
}

#[test]
fn what_is_wrong_with_a_request_ends_neither_it_nor_the_server() {
    let mut editor = Editor::start();
    editor.open(GOOD);
    let code = |told: Result<Value, (i32, String)>| told.unwrap_err().0;
    assert_eq!(
        code(editor.ask("textDocument/hover", json!({ "no": 1 }))),
        -32602
    );
    assert_eq!(
        code(editor.ask("textDocument/nothing", Value::Null)),
        -32601
    );
    // A failure inside says so, and what comes after is answered.
    assert_eq!(code(editor.ask("eomgen/panic", Value::Null)), -32603);
    editor.say("textDocument/didChange", json!({ "no": 1 }));
    editor.say("nothing/known", Value::Null);
    let nowhere = json!({ "textDocument": { "uri": "file:///none/other.eom" }, "position": { "line": 1, "character": 1 } });
    assert_eq!(editor.ask("textDocument/hover", nowhere), Ok(Value::Null));
    let far = at(99, 99);
    assert_eq!(editor.ask("textDocument/hover", far), Ok(Value::Null));
    assert!(
        editor
            .ask("textDocument/hover", at(3, 6))
            .unwrap()
            .is_object()
    );
    editor.leave();
}

#[test]
fn a_request_that_is_taken_back_is_not_answered() {
    let mut editor = Editor::start();
    // Long enough to read for what follows to arrive before it is done.
    let long = format!("{GOOD}{}", "let a = x\n".repeat(20_000));
    editor.open(&long);
    let hover = editor.send("textDocument/hover", at(2, 6));
    editor.say("$/cancelRequest", json!({ "id": 2 }));
    let (code, _) = editor.answer(&hover).unwrap_err();
    assert_eq!(code, -32800);
    assert!(
        editor
            .ask("textDocument/hover", at(2, 6))
            .unwrap()
            .is_object()
    );
    editor.leave();
}

#[test]
fn an_editor_that_just_leaves_is_noticed() {
    let mut editor = Editor::start();
    editor.say("exit", Value::Null);
    let end = editor.server.take().unwrap().join().unwrap();
    assert!(end.is_err());
    let mut editor = Editor::start();
    let server = editor.server.take().unwrap();
    drop(editor);
    assert!(server.join().unwrap().is_err());
}
