//! Many modules as one program: the files, `rustc`, and which module a message is about.

use super::Settings;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SUPPORT: &str = include_str!("program/support.rs");
const LIBM: &str = include_str!("program/libm.rs");

/// A module with the text that calls it.
pub(super) struct Unit<'a> {
    pub id: usize,
    pub module: &'a str,
    pub driver: String,
}

/// A program, or none, and why modules are not in it.
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
    let wrong = |what: &str, e: std::io::Error| format!("{what}: {e}");
    fs::create_dir_all(&settings.folder).map_err(|e| wrong("the folder of the program", e))?;
    let mut compiled = Compiled {
        programs: Vec::new(),
        refused: BTreeMap::new(),
    };
    let write = |name: String, text: &str| {
        fs::write(settings.folder.join(&name), text).map_err(|e| wrong(&name, e))
    };
    write("support.rs".to_owned(), SUPPORT)?;
    write("libm_functions.rs".to_owned(), LIBM)?;
    for unit in units {
        write(format!("m{}.rs", unit.id), unit.module)?;
        write(format!("d{}.rs", unit.id), &unit.driver)?;
    }
    let ids: Vec<usize> = units.iter().map(|u| u.id).collect();
    for part in ids.chunks(settings.modules_in_a_program.max(1)) {
        attempt(part.to_vec(), settings, &mut compiled)?;
    }
    Ok(compiled)
}

/// Compiles these, without those that are refused; where a failure is nobody's, in halves.
fn attempt(
    mut ids: Vec<usize>,
    settings: &Settings,
    compiled: &mut Compiled,
) -> Result<(), String> {
    while !ids.is_empty() {
        let program = settings
            .folder
            .join(format!("program{}", compiled.programs.len()));
        let said = match rustc(&ids, &program, settings)? {
            None => {
                compiled.programs.push((program, ids));
                return Ok(());
            }
            Some(said) => said,
        };
        let messages = by_module(&said);
        let refused: Vec<usize> = ids
            .iter()
            .copied()
            .filter(|id| messages.contains_key(id))
            .collect();
        if refused.is_empty() {
            if let [id] = ids[..] {
                compiled.refused.insert(id, tail(&said));
                return Ok(());
            }
            let other = ids.split_off(ids.len() / 2);
            attempt(ids, settings, compiled)?;
            return attempt(other, settings, compiled);
        }
        for id in refused {
            let first: Vec<&str> = messages[&id]
                .iter()
                .take(MESSAGES)
                .map(String::as_str)
                .collect();
            compiled.refused.insert(id, first.join("\n"));
            ids.retain(|other| *other != id);
        }
    }
    Ok(())
}

/// Runs the compiler; what it says if it fails.
fn rustc(ids: &[usize], program: &Path, settings: &Settings) -> Result<Option<String>, String> {
    let mut root = String::from(
        "extern crate self as libm;\n#[allow(warnings)]\nmod libm_functions;\n#[allow(unused_imports)]\n\
         pub use libm_functions::*;\n#[allow(warnings)]\nmod support;\n",
    );
    for id in ids {
        let _ = writeln!(root, "mod m{id};\n#[allow(warnings)]\nmod d{id};");
    }
    let drivers: Vec<String> = ids.iter().map(|id| format!("d{id}::DRIVER")).collect();
    let _ = writeln!(
        root,
        "\nfn main() {{\n    support::main(&[{}]);\n}}",
        drivers.join(", ")
    );
    fs::write(settings.folder.join("main.rs"), root).map_err(|e| format!("main.rs: {e}"))?;
    let mut command = Command::new("rustc");
    command
        .args([
            "--edition",
            "2024",
            "--crate-name",
            "machines",
            "--error-format",
            "json",
        ])
        .args(["-C", "debuginfo=0"])
        .arg("-C")
        .arg(format!("opt-level={}", settings.optimization))
        .args(if settings.deny_warnings {
            ["-D", "warnings"]
        } else {
            ["-A", "warnings"]
        })
        .arg("-o")
        .arg(program)
        .arg("main.rs")
        .current_dir(&settings.folder)
        .stdin(Stdio::null());
    let output = command.output().map_err(|e| format!("rustc: {e}"))?;
    if output.status.success() {
        return Ok(None);
    }
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.trim().is_empty() {
        said = format!("rustc ended with {}", output.status);
    }
    Ok(Some(said))
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
        let spans = message["spans"].as_array().cloned().unwrap_or_default();
        let primary = spans.iter().filter(|s| s["is_primary"] == true);
        let mut files: Vec<&str> = primary.filter_map(|s| s["file_name"].as_str()).collect();
        files.dedup();
        for file in files {
            let Some((caller, id)) = module_of(file) else {
                continue;
            };
            let text = message["rendered"].as_str().unwrap_or_default();
            let note = if caller {
                "where the module is called: "
            } else {
                ""
            };
            found
                .entry(id)
                .or_default()
                .push(format!("{note}{}", text.trim_end()));
        }
    }
    // What is wrong in a module explains what is wrong where it is called.
    for messages in found.values_mut() {
        messages.sort_by_key(|m| m.starts_with("where"));
    }
    found
}

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
