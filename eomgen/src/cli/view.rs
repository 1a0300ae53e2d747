//! `eomgen view`: the machine of a file, in a browser, for as long as the file is worked on.
//!
//! A server on the loopback address alone. The file is derived again when it has changed; parameters and values at the start are taken from
//! the page, for which nothing is derived again.

use std::time::Duration;

use tiny_http::{Header, Request, Response, Server};

use super::args::ViewArgs;
use super::console::{Problem, print, say};
use super::job::{Job, Work, source};
use super::simulate::{html, request_for, settings};
use super::worker;
use crate::machine::Machine;
use crate::pipeline::Source;
use crate::simulate::{self, GivenState, chosen};

/// How often the file is looked at.
const LOOK: Duration = Duration::from_millis(300);

/// What is shown.
struct Shown {
    source: Source,
    /// The machine, or the messages why there is none.
    machine: Result<Machine, String>,
    /// Counts derivations, for the page to notice them.
    version: u64,
}

/// Serves until it is interrupted.
pub(super) fn run(args: &ViewArgs) -> Result<(), Problem> {
    let address = format!("127.0.0.1:{}", args.port);
    let failed = |error: &dyn std::fmt::Display| {
        Problem::Failed(format!("cannot serve on {address}: {error}"))
    };
    let server = Server::http(&address).map_err(|error| failed(&error))?;
    let mut shown = Shown {
        source: source(&args.given.model, &args.given.include)?,
        machine: Err("not derived yet".to_owned()),
        version: 0,
    };
    derive(args, &mut shown);
    print(&format!("http://{}\n", server.server_addr()))?;
    let _watch = crate::host::interrupt::watch();
    while !crate::host::interrupt::requested() {
        match server.recv_timeout(LOOK) {
            Ok(Some(request)) => answer(args, &shown, request),
            Ok(None) => {}
            Err(error) => return Err(failed(&error)),
        }
        // A file that is gone for a moment is being saved.
        if let Ok(now) = source(&args.given.model, &args.given.include)
            && now != shown.source
        {
            shown.source = now;
            derive(args, &mut shown);
        }
    }
    Ok(())
}

fn derive(args: &ViewArgs, shown: &mut Shown) {
    shown.version += 1;
    let machine = || -> Result<Result<Machine, String>, Problem> {
        let state = args.given.state()?;
        let mut request = request_for(&args.given, &args.how, &state)?;
        request.scene = true;
        request.idle = true;
        let job = Job {
            model: shown.source.clone(),
            colour: false,
            work: Work::Motion {
                options: args.given.options.options()?,
                request,
            },
        };
        let reply = worker::run(&job)?;
        if !reply.ok {
            return Ok(Err(reply.messages));
        }
        Ok(serde_json::from_str(&reply.output).map_err(|e| e.to_string()))
    };
    shown.machine = machine().unwrap_or_else(|problem| Err(problem.text()));
    if let Err(messages) = &shown.machine {
        say(messages);
    }
}

fn answer(args: &ViewArgs, shown: &Shown, request: Request) {
    // A page of another origin that has this address by a name of its own gets nothing.
    let of_host = |h: &&Header| h.field.equiv("Host");
    let host = request
        .headers()
        .iter()
        .find(of_host)
        .map(|h| h.value.as_str().to_owned());
    let local = host.is_some_and(|h| h.starts_with("127.0.0.1:") || h.starts_with("localhost:"));
    let url = request.url().to_owned();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    let (code, kind, text) = match path {
        _ if !local => (
            403,
            "text/plain",
            "this page is for this machine".to_owned(),
        ),
        "/version" => (200, "text/plain", shown.version.to_string()),
        "/" => (200, "text/html", page(args, shown, query)),
        _ => (404, "text/plain", "there is nothing here".to_owned()),
    };
    let header = Header::from_bytes("Content-Type", format!("{kind}; charset=utf-8"));
    let mut response = Response::from_string(text).with_status_code(code);
    if let Ok(header) = header {
        response.add_header(header);
    }
    // Who has gone does not want it.
    let _ = request.respond(response);
}

fn page(args: &ViewArgs, shown: &Shown, query: &str) -> String {
    let made = match &shown.machine {
        Err(messages) => Err(messages.clone()),
        Ok(machine) => moving(args, machine, query, shown.version),
    };
    made.unwrap_or_else(|messages| {
        let text = messages.replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>{}</title><body><pre>{text}</pre><script>{}</script></body></html>",
            shown.source.name,
            crate::picture::reload(shown.version)
        )
    })
}

fn moving(args: &ViewArgs, machine: &Machine, query: &str, version: u64) -> Result<String, String> {
    let mut state = args.given.state().map_err(|p| p.text())?;
    for pair in query.split('&').filter(|p| !p.is_empty()) {
        take(&mut state, pair);
    }
    let chosen = chosen(machine, &state).map_err(|list| list.join("\n"))?;
    let settings = settings(&args.how).map_err(|p| p.text())?;
    let run = simulate::run(machine, &chosen, &settings, &mut |_| {
        !crate::host::interrupt::requested()
    });
    let run = run.map_err(|e| super::motion::unassembled(machine, &e).text())?;
    Ok(html(machine, &run, args.how.plot.as_deref(), version))
}

/// `p.l=2` or `q.theta=0.5`, as the page's sliders say it.
fn take(state: &mut GivenState, pair: &str) {
    let Some((name, value)) = pair.split_once('=') else {
        return;
    };
    let (Some((kind, name)), Ok(value)) = (
        decoded(name)
            .split_once('.')
            .map(|(k, n)| (k.to_owned(), n.to_owned())),
        decoded(value).parse::<f64>(),
    ) else {
        return;
    };
    match kind.as_str() {
        "p" => state.swept.push((name, value)),
        "q" => state.moved.push((name, value)),
        _ => {}
    }
}

/// `%27` and the like.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(b) = rest.next() {
        let digits = if b == b'%' {
            rest.next().zip(rest.next())
        } else {
            None
        };
        let code = digits
            .and_then(|(a, b)| u8::from_str_radix(&String::from_utf8_lossy(&[a, b]), 16).ok());
        bytes.push(code.unwrap_or(if b == b'+' { b' ' } else { b }));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
