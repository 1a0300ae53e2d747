//! What an editor shows of derived items: rust-analyzer on the example crate, asked in its own protocol. Ignored by default, because it
//! needs rust-analyzer (`rustup component add rust-analyzer`); without it the test says so and passes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::nested;
use serde_json::{Value, json};

/// A running rust-analyzer.
struct Editor {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: u64,
    ready: bool,
}

impl Editor {
    fn start() -> Option<Self> {
        let there = Command::new("rust-analyzer").arg("--version").output();
        if !there.is_ok_and(|output| output.status.success()) {
            return None;
        }
        let mut child = Command::new("rust-analyzer")
            .current_dir(nested::root().join("docs/example"))
            .env("CARGO_TARGET_DIR", nested::shared())
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Some(Self {
            to: child.stdin.take().unwrap(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
            asked: 0,
            ready: false,
        })
    }

    fn say(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.from.read_line(&mut line).unwrap() > 0,
                "rust-analyzer ended"
            );
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The next message, after the courtesies of the protocol.
    fn next(&mut self) -> Value {
        let message = self.hear();
        if message["method"] == "experimental/serverStatus" {
            self.ready = message["params"]["quiescent"] == true;
        }
        if let (Some(_), Some(id)) = (message.get("method"), message.get("id")) {
            self.say(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
        }
        message
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "needs rust-analyzer"]
fn derived_items_complete_explain_themselves_and_lead_to_the_attribute() {
    let _turn = nested::turn();
    let Some(mut editor) = Editor::start() else {
        eprintln!("not checked: there is no rust-analyzer on this machine");
        return;
    };
    let folder = nested::root().join("docs/example").canonicalize().unwrap();
    let file = folder.join("src/drive.rs");
    let uri = format!("file://{}", file.display());
    let probe =
        "fn probe() { crate::sleigh::accelerations; crate::checked::derivative; crate::sleigh::d }";
    let text = format!("{}\n{probe}\n", std::fs::read_to_string(&file).unwrap());
    let row = text.lines().count() - 1;
    editor.ask(
        "initialize",
        &json!({
            "processId": std::process::id(),
            "rootUri": format!("file://{}", folder.display()),
            "capabilities": { "experimental": { "serverStatusNotification": true } },
            "initializationOptions": { "checkOnSave": false, "cachePriming": { "enable": false } },
        }),
    );
    editor.tell("initialized", &json!({}));
    let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
    editor.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    while !editor.ready {
        editor.next();
    }
    let at = |word: &str| {
        let column = probe.find(word).unwrap() + word.len();
        json!({ "textDocument": { "uri": uri }, "position": { "line": row, "character": column } })
    };
    // Derived, and from the committed file.
    for (word, docs) in [
        ("::accelerations", "\nAccelerations q''.\n"),
        ("::derivative", "\nRate of the state, for an integrator"),
    ] {
        let hover = editor.ask("textDocument/hover", &at(word));
        let shown = hover["contents"]["value"].as_str().unwrap();
        assert!(shown.contains(docs), "{shown}");
        let places = editor.ask("textDocument/definition", &at(word)).to_string();
        assert!(places.contains("docs/example/src/lib.rs"), "{places}");
    }
    let found = editor.ask("textDocument/completion", &at("crate::sleigh::d"));
    let items = found.get("items").unwrap_or(&found).to_string();
    for name in ["accelerations", "derivative", "Params", "StateIndex"] {
        assert!(items.contains(&format!("\"{name}")), "{name}: {items}");
    }
}
