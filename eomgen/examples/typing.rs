//! How long an editor waits: a model of 500 lines is written letter by letter, and after each letter the server is asked what may be
//! written next, what the words mean, and what is wrong. Prints medians and 99th percentiles in milliseconds, and the memory used at most.
//!
//! `cargo run --release -p eomgen --no-default-features --features lsp --example typing`

use eomgen::language_server::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
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

    fn ask(&mut self, method: &str, params: Value) {
        self.next += 1;
        let id = RequestId::from(self.next);
        let message = Request::new(id.clone(), method.to_owned(), params);
        let _ = self.connection.sender.send(message.into());
        while let Ok(message) = self.connection.receiver.recv() {
            if matches!(message, Message::Response(response) if response.id == id) {
                return;
            }
        }
    }
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{what:42} median {:7.2} ms, 99th percentile {:7.2} ms",
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
    let [mut proposals, mut colours, mut messages] = [const { Vec::new() }; 3];
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
        editor.ask(
            "textDocument/completion",
            json!({ "textDocument": own, "position": place }),
        );
        proposals.push(begin.elapsed());
        let all = json!({ "start": place, "end": place });
        let begin = Instant::now();
        let asked = json!({ "textDocument": own, "range": all, "context": { "diagnostics": [] } });
        editor.ask("textDocument/codeAction", asked);
        messages.push(begin.elapsed());
        let begin = Instant::now();
        editor.ask(
            "textDocument/semanticTokens/full",
            json!({ "textDocument": own }),
        );
        colours.push(begin.elapsed());
    }
    println!("{lines} lines, {} letters", typed.len());
    report("from a letter to the proposals", proposals);
    report("from then to the messages on the whole model", messages);
    report("from then to the meaning of all words", colours);
    if let Some(memory) = memory() {
        println!("memory at most {memory}");
    }
    editor.ask("shutdown", Value::Null);
    editor.say("exit", Value::Null);
    if !matches!(server.join(), Ok(Ok(()))) {
        std::process::exit(1);
    }
}
