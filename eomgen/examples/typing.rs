//! How long an editor waits: the end of a model of 500 lines is written letter by letter, and after each letter the server is asked what
//! editors ask, one after the other. Prints, for each kind of request, the median and the 99th percentile in milliseconds, the time from a
//! letter to the last answer and to the messages, and the memory used at most.
//!
//! `cargo run --release -p eomgen --no-default-features --features lsp --example typing`

use eomgen::language_server::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const URI: &str = "file:///nowhere/chain.eom";

/// A chain of links with springs, dampers and outputs, eleven lines each.
fn model() -> String {
    let mut text = String::from(
        "//! A chain of links.\nmodel chain\nparam g = 9.81 : m/s^2\nframe B0 = rotate(N, 0, N.z)\npoint J0 = O\n",
    );
    for i in 1..=45 {
        let h = i - 1;
        text.push_str(&format!(
            "\n// link {i}\nparam m{i} = 1 : kg > 0  /// mass of link {i}\nparam l{i} = 0.5, k{i} = 3\ncoord q{i} : rad\n\
             frame B{i} = rotate(B{h}, q{i}, B{h}.z)\npoint G{i} = J{h} + l{i}/2*B{i}.x\npoint J{i} = J{h} + l{i}*B{i}.x\n\
             body W{i}: frame B{i}, mass m{i}, center G{i}, inertia [0, m{i}*l{i}^2/12, m{i}*l{i}^2/12]\n\
             torque on B{i}, opposite on B{h}: -k{i}*sin(q{i})*B{i}.z\noutput height{i} = dot(G{i} - O, N.y)\n"
        ));
    }
    text.push_str("gravity: -g*N.y\n");
    text
}

/// The editor's end of a session.
struct Editor {
    connection: Connection,
    next: i32,
}

impl Editor {
    fn say(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        let _ = self.connection.sender.send(message.into());
    }

    fn ask(&mut self, method: &str, params: Value) -> Duration {
        let begin = Instant::now();
        self.next += 1;
        let id = RequestId::from(self.next);
        let message = Request::new(id.clone(), method.to_owned(), params);
        let _ = self.connection.sender.send(message.into());
        while let Ok(message) = self.connection.receiver.recv() {
            if matches!(message, Message::Response(response) if response.id == id) {
                break;
            }
        }
        begin.elapsed()
    }

    /// Until messages arrive, unless they stay what they were.
    fn messages(&self) -> Option<Duration> {
        let begin = Instant::now();
        let patience = Duration::from_millis(300);
        loop {
            match self.connection.receiver.recv_timeout(patience) {
                Ok(Message::Notification(_)) => return Some(begin.elapsed()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{what:36} median {:7.2} ms, 99th percentile {:7.2} ms",
        at(0.5),
        at(0.99)
    );
}

/// The most memory that this process has had, where the system tells.
fn memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.trim_start_matches("VmHWM:").trim().to_owned())
}

fn main() {
    let whole = model();
    let lines = whole.lines().count();
    let start = whole.find("// link 40").unwrap_or(0);
    let typed: Vec<char> = whole[start..].chars().collect();
    let (server, connection) = Connection::memory();
    let server = std::thread::spawn(move || serve(&server));
    let mut editor = Editor {
        connection,
        next: 0,
    };
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.say("initialized", json!({}));
    let document =
        json!({ "uri": URI, "languageId": "eom", "version": 0, "text": &whole[..start] });
    editor.say("textDocument/didOpen", json!({ "textDocument": document }));
    let mut line = whole[..start].matches('\n').count();
    let mut column = 0;
    let own = json!({ "uri": URI });
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for (version, letter) in typed.iter().enumerate() {
        let place = json!({ "line": line, "character": column });
        let change =
            json!({ "range": { "start": place, "end": place }, "text": letter.to_string() });
        let begin = Instant::now();
        editor.say(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": version + 1 }, "contentChanges": [change] }),
        );
        if *letter == '\n' {
            (line, column) = (line + 1, 0);
        } else {
            column += 1;
        }
        let place = json!({ "line": line, "character": column });
        let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": line + 1, "character": 0 } });
        let at = json!({ "textDocument": own, "position": place });
        let range = json!({ "textDocument": own, "range": all });
        let here = json!({ "textDocument": own, "range": { "start": place, "end": place }, "context": { "diagnostics": [] } });
        let file = json!({ "textDocument": own });
        // The first answer includes the reading of the changed text; the fix includes the check of the model.
        for (method, params) in [
            ("textDocument/completion", &at),
            ("textDocument/signatureHelp", &at),
            ("textDocument/documentHighlight", &at),
            ("textDocument/hover", &at),
            ("textDocument/definition", &at),
            ("textDocument/semanticTokens/full", &file),
            ("textDocument/inlayHint", &range),
            ("textDocument/foldingRange", &file),
            ("textDocument/documentSymbol", &file),
            ("textDocument/codeAction", &here),
        ] {
            let taken = editor.ask(method, params.clone());
            times.entry(method).or_default().push(taken);
        }
        times
            .entry("all of them, from the letter on")
            .or_default()
            .push(begin.elapsed());
        // Every tenth letter is followed by a pause, in which what else there is comes, and something is asked on the whole text.
        if version % 10 == 0 {
            let mut options = file.clone();
            options["options"] = json!({ "tabSize": 4, "insertSpaces": true });
            let mut named =
                json!({ "textDocument": own, "position": { "line": 2, "character": 6 } });
            named["context"] = json!({ "includeDeclaration": true });
            named["newName"] = "gravity_of_earth".into();
            for (method, params) in [
                ("textDocument/formatting", &options),
                ("textDocument/references", &named),
                ("textDocument/rename", &named),
            ] {
                let taken = editor.ask(method, params.clone());
                times.entry(method).or_default().push(taken);
            }
        }
    }
    // Without questions in between: from a letter to the messages, the pause among it.
    for version in 0..40 {
        let place = json!({ "line": 2, "character": 0 });
        let end = json!({ "line": 2, "character": version % 2 });
        let text = if version % 2 == 0 { "?" } else { "" };
        let change = json!({ "range": { "start": place, "end": end }, "text": text });
        editor.say(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": 10_000 + version }, "contentChanges": [change] }),
        );
        if let Some(taken) = editor.messages() {
            times
                .entry("from a letter to new messages")
                .or_default()
                .push(taken);
        }
    }
    println!("{lines} lines, {} letters", typed.len());
    for (what, times) in times {
        report(what, times);
    }
    if let Some(memory) = memory() {
        println!("memory at most {memory}");
    }
    editor.ask("shutdown", Value::Null);
    editor.say("exit", Value::Null);
    if !matches!(server.join(), Ok(Ok(()))) {
        std::process::exit(1);
    }
}
