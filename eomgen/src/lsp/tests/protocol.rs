//! The server in memory, as an editor meets it: message by message.

use super::super::{Engine, serve_with};
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
        Self::start_with(None, json!({}))
    }

    fn start_with(engine: Option<Engine>, capabilities: Value) -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || serve_with(&server, engine));
        let mut editor = Self {
            connection,
            server: Some(server),
            next: 0,
        };
        let options = json!({ "capabilities": capabilities, "initializationOptions": { "commands": ["eomgen.show"] } });
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

    /// Another text in place of the whole.
    fn replace(&self, text: &str) {
        let document = json!({ "uri": URI, "version": 2 });
        let change = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.say("textDocument/didChange", change);
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

/// Whether the server has seen the `exit` before it comes to the `shutdown` or not.
#[test]
fn an_editor_may_leave_without_waiting_for_an_answer() {
    for _ in 0..20 {
        let mut editor = Editor::start();
        editor.open(GOOD);
        let begin = std::time::Instant::now();
        let hover = editor.send("textDocument/hover", at(2, 6));
        let shutdown = editor.send("shutdown", Value::Null);
        let late = editor.send("textDocument/hover", at(2, 6));
        editor.say("exit", Value::Null);
        assert!(editor.answer(&hover).unwrap().is_object());
        assert_eq!(editor.answer(&shutdown), Ok(Value::Null));
        assert_eq!(editor.answer(&late).unwrap_err().0, -32600);
        assert_eq!(editor.server.take().unwrap().join().unwrap(), Ok(()));
        let taken = begin.elapsed();
        assert!(taken < Duration::from_secs(10), "{taken:?}");
    }
}

/// A program that does what a line of the shell does, in place of the engine.
#[cfg(unix)]
fn fake(line: &str) -> Engine {
    Engine {
        program: "sh".into(),
        arguments: vec!["-c".to_owned(), line.to_owned()],
    }
}

#[cfg(unix)]
#[test]
fn what_the_engine_says_comes_later() {
    // The fake finds the byte of `particle` in what it is given: it has the editor's text.
    let report = r#"at=$(cat | grep -b -o particle | cut -d: -f1)
        printf '{"degrees_of_freedom": 2, "rank": 2, "constraints": [{"rows": [{}, {}]}, {"rows": [{}]}], "speeds": [{"name": "x'\''", "independent": false}, {"name": "xs'\''", "independent": false}, {"name": "z'\''", "independent": true}], "diagnostics": [{"severity": "warning", "code": "E0302", "title": "rank", "labels":
        [{"file": "-", "start": {"byte": %d}, "end": {"byte": %d}, "text": "here"}], "notes": [], "help": "look"}]}' $at $((at + 8))"#;
    let refreshes = json!({ "workspace": { "inlayHint": { "refreshSupport": true } } });
    let mut editor = Editor::start_with(Some(fake(report)), refreshes);
    editor.open(GOOD);
    assert_eq!(editor.messages(), [Value::Null; 0]);
    let messages = editor.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["message"], "rank: here\nhelp: look");
    let start = json!({ "line": 4, "character": 0 });
    assert_eq!(messages[0]["range"]["start"], start);
    let next = editor.hear();
    assert!(matches!(&next, Message::Request(r) if r.method == "workspace/inlayHint/refresh"));
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let hints = json!({ "textDocument": { "uri": URI }, "range": range });
    let told = editor.ask("textDocument/inlayHint", hints).unwrap();
    let freedom = "2 degrees of freedom, constraints of rank 2 in 3 rows";
    assert_eq!(told[0]["label"], freedom);
    assert_eq!(told[0]["position"], json!({ "line": 0, "character": 7 }));
    // At the coordinate x, whose rate the others determine; `xs` is another name.
    let range =
        json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 3, "character": 0 } });
    let hints = json!({ "textDocument": { "uri": URI }, "range": range });
    let told = editor.ask("textDocument/inlayHint", hints).unwrap();
    assert_eq!(told.as_array().map(Vec::len), Some(1), "{told}");
    assert_eq!(told[0]["label"], "x' dependent");
    assert_eq!(told[0]["position"], json!({ "line": 2, "character": 7 }));
    // A mistake is the front end's matter: the engine is not asked, and its message goes.
    editor.replace(&format!("{GOOD}oops\n"));
    let messages = editor.messages();
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["code"], "E0003");
    editor.leave();
}

#[cfg(target_os = "linux")]
#[test]
fn the_engine_is_killed_when_the_text_changes_and_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("number");
    let line = format!("echo $$ > '{}'; exec sleep 600", note.display());
    let mut editor = Editor::start_with(Some(fake(&line)), json!({}));
    editor.open(GOOD);
    let wait = |what: &dyn Fn() -> bool| {
        for _ in 0..600 {
            if what() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    };
    let number = || {
        let text = std::fs::read_to_string(&note).unwrap_or_default();
        text.trim().to_owned()
    };
    assert!(wait(&|| !number().is_empty()), "it does not run");
    let first = number();
    let there = |number: &str| std::path::Path::new("/proc").join(number).exists();
    assert!(there(&first));
    // Answered while it runs.
    let told = editor.ask("textDocument/hover", at(2, 6)).unwrap();
    assert!(told.is_object() && there(&first));
    editor.replace(&format!("{GOOD}\n"));
    assert!(wait(&|| !there(&first)), "it still runs");
    // The later text has its turn, and what looks at it does not outlive the server.
    let other = || !number().is_empty() && number() != first;
    assert!(wait(&other), "the later text is not looked at");
    let second = number();
    editor.leave();
    assert!(wait(&|| !there(&second)), "it outlives the server");
}

#[cfg(unix)]
#[test]
fn an_engine_that_cannot_run_or_talks_nonsense_is_none() {
    let nowhere = Engine {
        program: "/nowhere/at/all".into(),
        arguments: Vec::new(),
    };
    for engine in [nowhere, fake("echo nonsense"), fake("exit 1")] {
        let mut editor = Editor::start_with(Some(engine), json!({}));
        editor.open(GOOD);
        assert_eq!(editor.messages(), [Value::Null; 0]);
        std::thread::sleep(Duration::from_millis(900));
        let told = editor.ask("textDocument/hover", at(2, 6)).unwrap();
        assert!(told.is_object());
        editor.leave();
    }
}

#[test]
fn a_file_beyond_all_limits_is_a_message() {
    let mut editor = Editor::start();
    // One byte more than a model may have.
    let huge = format!("{GOOD}{}", " ".repeat((2 << 20) + 1 - GOOD.len()));
    editor.open(&huge);
    let messages = editor.messages();
    assert_eq!(messages[0]["code"], "E0010", "{messages:?}");
    assert!(editor.ask("textDocument/hover", at(2, 6)).is_ok());
    editor.replace(GOOD);
    assert_eq!(editor.messages(), [Value::Null; 0]);
    editor.leave();
}

#[test]
fn columns_count_halves_in_every_answer() {
    let mut editor = Editor::start();
    // A name behind two letters of two halves each.
    editor.open("model m\nparam 𝜃, 𝜙, k : kg\nlet a = 𝜃*𝜙*k\n");
    editor.messages();
    let place = |line: u32, character: u32| json!({ "line": line, "character": character });
    let told = editor.ask("textDocument/definition", at(2, 14)).unwrap();
    assert_eq!(told[0]["range"]["start"], place(1, 14));
    let told = editor.ask("textDocument/documentHighlight", at(1, 14));
    let told = told.unwrap();
    let found: Vec<&Value> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["range"]["start"])
        .collect();
    assert_eq!(found, [&place(1, 14), &place(2, 14)]);
    // One letter is two columns long.
    let told = editor.ask("textDocument/hover", at(1, 6)).unwrap();
    assert_eq!(told["range"]["end"], place(1, 8));
    editor.leave();
}

#[cfg(unix)]
#[test]
fn models_in_rust_files_have_messages_and_a_hover() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    std::fs::write(at.join("Cargo.toml"), "[package]\n").unwrap();
    std::fs::write(at.join("ball.eom"), GOOD).unwrap();
    let uri = format!("file://{}/lib.rs", at.display());
    let engine = fake("printf '{\"degrees_of_freedom\": 1, \"diagnostics\": []}'");
    let mut editor = Editor::start_with(Some(engine), json!({}));
    // Letters of two halves before the attribute; the mistake is in the second line of the model.
    let text = "// 𝜃\n#[eomgen_macros::derive_eom(\"ball.eom\")]\npub mod ball {}\n\n/* 𝜃 */ #[derive_eom(text = r#\"model m\nparm k : kg\"#)]\nmod inline {}\n";
    let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
    editor.say("textDocument/didOpen", json!({ "textDocument": document }));
    let messages = editor.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["code"], "E0003");
    assert_eq!(
        messages[0]["range"]["start"],
        json!({ "line": 5, "character": 0 })
    );
    assert_eq!(
        messages[0]["range"]["end"],
        json!({ "line": 5, "character": 4 })
    );
    let here =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 30 } });
    let mut said = String::new();
    for _ in 0..100 {
        let told = editor.ask("textDocument/hover", here.clone()).unwrap();
        said = told["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        if said.contains("degree") {
            break;
        }
        std::thread::sleep(Duration::from_millis(400));
    }
    assert!(said.starts_with("model `m`, in [ball.eom]("), "{said}");
    assert!(
        said.contains("1 degree of freedom") && said.contains("module `ball`"),
        "{said}"
    );
    // Elsewhere in the file the server has nothing to say.
    let outside =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 5 } });
    assert_eq!(
        editor.ask("textDocument/hover", outside.clone()),
        Ok(Value::Null)
    );
    assert_eq!(
        editor.ask("textDocument/completion", outside),
        Ok(Value::Null)
    );
    editor.leave();
}
