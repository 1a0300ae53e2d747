//! Many modules as one program: the files, the compiler, and which module a message is about.

use super::Settings;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const SUPPORT: &str = include_str!("program/support.rs");
const LIBM: &str = include_str!("program/libm.rs");
const LIBM_WITHOUT_STD: &str = include_str!("program/libm_core.rs");

/// A module with the text that calls it.
pub(super) struct Unit<'a> {
    pub id: usize,
    pub module: &'a str,
    pub driver: String,
}

/// Programs, and why modules are in none.
#[derive(Default)]
pub(super) struct Compiled {
    /// The programs and the modules in each.
    pub programs: Vec<(PathBuf, Vec<usize>)>,
    /// By module: the compiler's first messages.
    pub refused: BTreeMap<usize, String>,
}

/// How many messages about a module are kept.
const MESSAGES: usize = 3;

/// Compiles modules into as few programs as can be.
pub(super) fn compile(units: &[Unit<'_>], settings: &Settings) -> Result<Compiled, String> {
    fs::create_dir_all(&settings.folder)
        .map_err(|e| format!("{}: {e}", settings.folder.display()))?;
    let write = |name: &str, text: &str| {
        fs::write(settings.folder.join(name), text).map_err(|e| format!("{name}: {e}"))
    };
    write("support.rs", SUPPORT)?;
    write("libm_functions.rs", LIBM)?;
    write("libm_core.rs", LIBM_WITHOUT_STD)?;
    for Unit { id, module, driver } in units {
        write(&format!("m{id}.rs"), module)?;
        write(&format!("d{id}.rs"), driver)?;
    }
    let mut compiled = Compiled::default();
    let mut stages = vec![(Stage::Program, units.iter().map(|u| u.id).collect())];
    let bare = units.iter().filter(|u| u.module.contains("libm::"));
    stages.push((Stage::WithoutStd, bare.map(|u| u.id).collect()));
    if settings.lint {
        stages.push((Stage::Lint, units.iter().map(|u| u.id).collect()));
    }
    for (stage, ids) in stages {
        let ids: Vec<usize> = ids;
        let left = ids
            .into_iter()
            .filter(|id| !compiled.refused.contains_key(id));
        let left: Vec<usize> = left.collect();
        for part in parts(&left, units, settings) {
            sift(part, stage, settings, &mut compiled)?;
        }
    }
    let refused = &compiled.refused;
    for (_, ids) in &mut compiled.programs {
        ids.retain(|id| !refused.contains_key(id));
    }
    Ok(compiled)
}

/// How much text is compiled together, in bytes: the compiler takes half a gigabyte for that.
const TOGETHER: usize = 3_000_000;

/// Parts of a list of modules that are compiled together.
fn parts(ids: &[usize], units: &[Unit<'_>], settings: &Settings) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut size = 0;
    for unit in units.iter().filter(|u| ids.contains(&u.id)) {
        let length = unit.module.len();
        let fits = |part: &&mut Vec<usize>| {
            part.len() < settings.modules_in_a_program && size + length <= TOGETHER
        };
        match parts.last_mut().filter(fits) {
            Some(part) => part.push(unit.id),
            None => {
                parts.push(vec![unit.id]);
                size = 0;
            }
        }
        size += length;
    }
    parts
}

/// What the compiler says of a module that cannot be read; `None` if it accepts it.
pub(super) fn alone(module: &str, settings: &Settings) -> Option<String> {
    fs::create_dir_all(&settings.folder).ok()?;
    fs::write(settings.folder.join("alone.rs"), module).ok()?;
    let output = Command::new(super::tool("rustc"))
        .args(["--edition", "2024", "--crate-type", "lib"])
        .args(["--emit", "metadata", "alone.rs"])
        .current_dir(&settings.folder)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then_some(said)
}

/// What is made of modules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// A program that calls them.
    Program,
    /// A library without `std`.
    WithoutStd,
    /// Remarks of clippy.
    Lint,
}

/// Compiles these, without those that are refused; where a failure is nobody's, in halves.
fn sift(
    mut ids: Vec<usize>,
    stage: Stage,
    settings: &Settings,
    compiled: &mut Compiled,
) -> Result<(), String> {
    while !ids.is_empty() {
        let Some(said) = make(&ids, stage, settings, compiled)? else {
            return Ok(());
        };
        let messages = by_module(&said);
        let named = |id: &usize| messages.contains_key(id);
        let (accused, innocent): (Vec<usize>, Vec<usize>) = ids.iter().partition(|id| named(id));
        if accused.is_empty() {
            if let [id] = ids[..] {
                compiled.refused.insert(id, tail(&said));
                return Ok(());
            }
            let other = ids.split_off(ids.len() / 2);
            sift(ids, stage, settings, compiled)?;
            ids = other;
            continue;
        }
        for id in accused {
            // A few lints compare the names of a whole crate: what counts is a crate of its own.
            if ids.len() > 1 && make(&[id], stage, settings, compiled)?.is_none() {
                continue;
            }
            let first: Vec<&str> = messages[&id]
                .iter()
                .take(MESSAGES)
                .map(String::as_str)
                .collect();
            compiled.refused.insert(id, first.join("\n"));
        }
        ids = innocent;
    }
    Ok(())
}

/// Compiles these modules; what the compiler says if it fails.
fn make(
    ids: &[usize],
    stage: Stage,
    settings: &Settings,
    compiled: &mut Compiled,
) -> Result<Option<String>, String> {
    let lints: &[&str] = match (stage, settings.deny_warnings) {
        (Stage::Lint, _) => &["-D", "warnings", "-D", "clippy::all"],
        (_, true) => &["-D", "warnings"],
        (_, false) => &["-A", "warnings"],
    };
    let tool = if stage == Stage::Lint {
        "clippy-driver"
    } else {
        "rustc"
    };
    let program = format!("program{}", compiled.programs.len());
    let mut command = Command::new(super::tool(tool));
    command
        .args(["--edition", "2024", "--crate-name", "machines"])
        .args(["--error-format", "json"])
        .args(lints)
        // The clippy.toml of this project is about the generator, not about what it writes.
        .env("CLIPPY_CONF_DIR", ".");
    match stage {
        Stage::Program => command
            .args(["-C", "debuginfo=0", "-C", "codegen-units=1", "-C"])
            .arg(format!("opt-level={}", settings.optimization))
            .args(["-o", &program]),
        _ => command.args(["--crate-type", "lib", "--emit", "metadata"]),
    };
    let root = root(ids, stage);
    fs::write(settings.folder.join("root.rs"), root).map_err(|e| format!("root.rs: {e}"))?;
    command.arg("root.rs").current_dir(&settings.folder);
    let said = settings.folder.join("compiler");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(File::create(&said).map_err(|e| format!("{}: {e}", said.display()))?);
    let status = wait(&mut command, settings.compiler_patience)?;
    if status.is_some_and(|status| status.success()) {
        if stage == Stage::Program {
            let path = settings.folder.join(program);
            compiled.programs.push((path, ids.to_vec()));
        }
        return Ok(None);
    }
    let said = fs::read(&said).map_err(|e| format!("what {tool} says: {e}"))?;
    let mut said = String::from_utf8_lossy(&said).into_owned();
    if said.trim().is_empty() {
        said = match status {
            Some(status) => format!("{tool} ended with {status}"),
            None => format!(
                "{tool} did not end in {} seconds",
                settings.compiler_patience.as_secs()
            ),
        };
    }
    Ok(Some(said))
}

/// The text of the crate's root.
fn root(ids: &[usize], stage: Stage) -> String {
    let mut text = String::new();
    if stage == Stage::WithoutStd {
        text.push_str("#![no_std]\n");
    }
    let libm = match stage {
        Stage::WithoutStd => "libm_core",
        _ => "libm_functions",
    };
    // Paths that begin with the name of a crate, `libm`, lead here.
    let _ = writeln!(
        text,
        "extern crate self as libm;\n#[allow(warnings, clippy::all)]\nmod {libm};\n\
         #[allow(unused_imports)]\npub use {libm}::*;"
    );
    if stage != Stage::Program {
        for id in ids {
            let _ = writeln!(text, "pub mod m{id};");
        }
        return text;
    }
    text.push_str("#[allow(warnings)]\nmod support;\n");
    for id in ids {
        let _ = writeln!(text, "mod m{id};\n#[allow(warnings)]\nmod d{id};");
    }
    let drivers: Vec<String> = ids.iter().map(|id| format!("d{id}::DRIVER")).collect();
    let drivers = drivers.join(", ");
    let _ = writeln!(text, "fn main() {{\n    support::main(&[{drivers}]);\n}}");
    text
}

/// How a program ended; `None` if it had to be stopped.
pub(super) fn wait(
    command: &mut Command,
    patience: Duration,
) -> Result<Option<ExitStatus>, String> {
    let spawned = command.spawn();
    let mut child = spawned.map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("waiting: {e}"))? {
            return Ok(Some(status));
        }
        if start.elapsed() > patience {
            child.kill().map_err(|e| format!("stopping: {e}"))?;
            child.wait().map_err(|e| format!("waiting: {e}"))?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The errors in JSON, by the module whose file, or whose caller's file, they point at.
fn by_module(said: &str) -> BTreeMap<usize, Vec<String>> {
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for line in said.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        if message["level"] != "error" {
            continue;
        }
        let spans = message["spans"].as_array().into_iter().flatten();
        let primary = spans.filter(|s| s["is_primary"] == true);
        let mut files: Vec<&str> = primary.filter_map(|s| s["file_name"].as_str()).collect();
        files.dedup();
        let text = message["rendered"].as_str().unwrap_or_default().trim_end();
        for (caller, id) in files.into_iter().filter_map(module_of) {
            let place = if caller { CALLER } else { "" };
            found.entry(id).or_default().push(format!("{place}{text}"));
        }
    }
    // What is wrong in a module explains what is wrong where it is called.
    for messages in found.values_mut() {
        messages.sort_by_key(|m| m.starts_with(CALLER));
    }
    found
}

/// What precedes a message about the text that calls a module.
const CALLER: &str = "where the module is called: ";

/// The module that a file belongs to, and whether it is the caller's text.
fn module_of(file: &str) -> Option<(bool, usize)> {
    let name = Path::new(file).file_name()?.to_str()?;
    let stem = name.strip_suffix(".rs")?;
    let caller = stem.starts_with('d');
    let number = stem.strip_prefix(if caller { 'd' } else { 'm' })?;
    Some((caller, number.parse().ok()?))
}

/// The end of what the compiler said where no message points anywhere.
fn tail(said: &str) -> String {
    let rendered = said.lines().map(|line| {
        let message = serde_json::from_str::<serde_json::Value>(line).ok();
        let text = message.and_then(|m| m["rendered"].as_str().map(str::to_owned));
        text.unwrap_or_else(|| line.to_owned())
    });
    let all: Vec<String> = rendered.collect();
    let start = all.len().saturating_sub(20);
    all[start..].join("\n")
}
