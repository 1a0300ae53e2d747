//! A session with the language server: a text is opened and changed piece by piece, as the bytes say, with questions in between. After it, the
//! messages are those of a server that sees the last text only. The first line of the input that begins with `//// EDITS` ends the text.
#![no_main]

use eomgen::language_server::serve;
use libfuzzer_sys::fuzz_target;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

const MARK: &str = "//// EDITS";
const URI: &str = "file:///nowhere/fuzz.eom";
/// What is written, beside letters of the input.
const PIECES: [&str; 8] = ["\n", "𝜃", "(", "let a = x\n", "", "é", "\r\n", "\""];
const ASKED: [&str; 7] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/signatureHelp",
    "textDocument/documentHighlight",
    "textDocument/semanticTokens/full",
    "textDocument/formatting",
];

/// A place by lines and UTF-16 columns, and how an editor cuts its own text there.
fn place(units: &[u16], at: usize) -> Value {
    let newline = u16::from(b'\n');
    let return_ = u16::from(b'\r');
    let ends = |i: &usize| {
        units[*i] == newline || units[*i] == return_ && units.get(i + 1) != Some(&newline)
    };
    let breaks: Vec<usize> = (0..at).filter(ends).collect();
    let start = breaks.last().map_or(0, |last| last + 1);
    json!({ "line": breaks.len(), "character": at - start })
}

/// Whether a place lies within a letter or a line end.
fn cuts(units: &[u16], at: usize) -> bool {
    let here = units.get(at);
    here.is_some_and(|u| (0xDC00..0xE000).contains(u))
        || at > 0 && units[at - 1] == u16::from(b'\r') && here == Some(&u16::from(b'\n'))
}

/// Sends all, and returns the messages on models that come back.
fn session(all: Vec<Message>) -> Vec<Value> {
    let (server, editor) = Connection::memory();
    let server = std::thread::spawn(move || serve(&server));
    let ask = |id: i32, method: &str, params: Value| {
        Message::from(Request::new(RequestId::from(id), method.to_owned(), params))
    };
    let say = |method: &str, params: Value| {
        Message::from(Notification::new(method.to_owned(), params))
    };
    let begin = [ask(1, "initialize", json!({ "capabilities": {} })), say("initialized", json!({}))];
    for message in begin.into_iter().chain(all) {
        let _ = editor.sender.send(message);
    }
    // A fix is of the text as it is: it makes the server check the model.
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let fix = json!({ "textDocument": { "uri": URI }, "range": whole, "context": { "diagnostics": [] } });
    let _ = editor.sender.send(ask(2, "textDocument/codeAction", fix));
    let _ = editor.sender.send(ask(3, "shutdown", Value::Null));
    let _ = editor.sender.send(say("exit", Value::Null));
    let mut messages = Vec::new();
    for message in &editor.receiver {
        match message {
            Message::Notification(n) => messages = n.params["diagnostics"].as_array().cloned().unwrap_or_default(),
            Message::Response(response) => {
                let text = serde_json::to_string(&response).unwrap_or_default();
                assert!(!text.contains("failed at this request"), "{text}");
            }
            Message::Request(_) => {}
        }
    }
    assert_eq!(server.join().map_err(|_| "panic").unwrap(), Ok(()));
    messages
}

fn open(text: &str) -> Message {
    let document = json!({ "uri": URI, "languageId": "eom", "version": 0, "text": text });
    Notification::new("textDocument/didOpen".to_owned(), json!({ "textDocument": document })).into()
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    let (text, edits) = text.split_once(MARK).unwrap_or((&text, ""));
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let mut sent = vec![open(text)];
    for (version, edit) in edits.as_bytes().chunks_exact(4).take(40).enumerate() {
        let [a, b, length, what] = [edit[0], edit[1], edit[2], edit[3]].map(usize::from);
        let mut from = (a * 256 + b) % (units.len() + 1);
        let mut to = (from + length % 16).min(units.len());
        while cuts(&units, from) {
            from -= 1;
        }
        while cuts(&units, to) {
            to += 1;
        }
        let piece = PIECES.get(what / 8).copied().unwrap_or("x");
        let (start, end) = (place(&units, from), place(&units, to));
        let change = json!({ "range": { "start": start, "end": end }, "text": piece });
        sent.push(Notification::new(
            "textDocument/didChange".to_owned(),
            json!({ "textDocument": { "uri": URI, "version": version + 1 }, "contentChanges": [change] }),
        ).into());
        units.splice(from..to, piece.encode_utf16());
        if let Some(method) = ASKED.get(what % 8) {
            let id = RequestId::from(version as i32 + 10);
            let options = json!({ "tabSize": 4, "insertSpaces": true });
            let params = json!({ "textDocument": { "uri": URI }, "position": start, "options": options });
            sent.push(Request::new(id, (*method).to_owned(), params).into());
        }
    }
    let changed = session(sent);
    let last = String::from_utf16_lossy(&units);
    assert_eq!(changed, session(vec![open(&last)]));
});
