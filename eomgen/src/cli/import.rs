//! `eomgen import`

use std::path::{Path, PathBuf};

use super::args::{BaseName, ImportArgs};
use super::console::{Problem, colour, print, say};
use crate::diag;
use crate::files::{MOST_OF_TEXT, nonempty, read_named};
use crate::host::{is_file, write_atomic, write_new};
use crate::import::{Base, Beside, Imported, Lock, Refusal, Settings, import_beside};

/// Writes a robot as a model.
pub(super) fn run(args: &ImportArgs) -> Result<(), Problem> {
    let settings = settings(args)?;
    let source = read_named(&args.robot, MOST_OF_TEXT)?;
    let name = args.robot.file_name().map(|name| name.to_string_lossy());
    let name = name.unwrap_or_else(|| "standard input".into());
    let beside = Beside::new(|path| file_beside(&args.robot, path));
    let imported = import_beside(&name, &source.text, &settings, &beside);
    let files = beside.into_files();
    let mut sources = diag::Sources::new(&source.name, &source.text);
    for (name, text) in &files {
        sources.add(name, text);
    }
    let imported = imported.map_err(|refusal| refused(refusal, &source.name, &sources))?;
    if !imported.warnings.is_empty() {
        let warnings = &imported.warnings;
        say(&diag::render_sources(&sources, warnings, colour()));
    }
    match &args.out {
        None => print(&imported.text),
        Some(out) => write(out, &imported, args),
    }
}

fn settings(args: &ImportArgs) -> Result<Settings, Problem> {
    let locks: Result<Vec<Lock>, String> = args.lock.iter().map(|text| Lock::read(text)).collect();
    let stem = args.out.as_deref().and_then(Path::file_stem);
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
    Ok(Settings {
        base: args.base.map(|base| match base {
            BaseName::Fixed => Base::Fixed,
            BaseName::FreeQuaternion => Base::FreeQuaternion,
            BaseName::FreeEuler => Base::FreeEuler,
        }),
        locks: locks.map_err(Problem::Usage)?,
        decimals: args.decimals.map(usize::from),
        keep_angles: args.keep_angles,
        parts: stem.filter(|_| !args.one_file),
    })
}

/// A file that a description names, in its folder or below it.
fn file_beside(robot: &Path, path: &str) -> Result<String, String> {
    if robot == Path::new("-") {
        return Err("standard input has no folder".to_owned());
    }
    let folder = nonempty(robot.parent().unwrap_or(Path::new("")));
    let place = folder.join(path);
    let real = |path: &Path| path.canonicalize().map_err(|error| error.to_string());
    let (folder, place) = (real(folder)?, real(&place)?);
    if !place.starts_with(&folder) {
        return Err("it is outside the folder of the description".to_owned());
    }
    let read = read_named(&place, MOST_OF_TEXT);
    read.map(|file| file.text)
        .map_err(|error| error.to_string())
}

fn refused(refusal: Refusal, name: &str, sources: &diag::Sources) -> Problem {
    match refusal {
        Refusal::Description(diagnostics) => {
            say(&diag::render_sources(sources, &diagnostics, colour()));
            Problem::Said
        }
        Refusal::NoDescription => Problem::Failed(format!(
            "{name} is no description of a machine: it neither begins with `<`, as XML does, nor has a line `NEWTONIAN N`, as Autolev's files do"
        )),
        Refusal::TooLarge => Problem::Failed(format!(
            "{name} is larger than a model can be, which has 10 000 statements at most: import a part of it"
        )),
        Refusal::Settings(told) => Problem::Usage(told),
        Refusal::Bug(diagnostics, text) => {
            say(&diag::render(
                "the imported text",
                &text,
                &diagnostics,
                colour(),
            ));
            Problem::Failed(format!(
                "E0604: the text made of {name} is not a model, and nothing was written; please report this with the file"
            ))
        }
    }
}

/// Writes parts first, so that a model never stands without them.
fn write(out: &Path, imported: &Imported, args: &ImportArgs) -> Result<(), Problem> {
    let force = args.force;
    let mut files: Vec<(PathBuf, &str)> = imported
        .parts
        .iter()
        .map(|(name, text)| (out.with_file_name(name), text.as_str()))
        .collect();
    files.push((out.to_path_buf(), &imported.text));
    let real = |path: &Path| path.canonicalize().ok();
    let own = real(&args.robot);
    if let Some((path, _)) = files
        .iter()
        .find(|(path, _)| own.is_some() && real(path) == own)
    {
        return Err(Problem::Failed(format!(
            "{} is the description of the robot itself, which would be lost; choose another name",
            path.display()
        )));
    }
    let there = files.iter().find(|(path, _)| !force && is_file(path));
    if let Some((path, _)) = there {
        return Err(exists(path));
    }
    for (path, text) in &files {
        if force {
            write_atomic(path, text.as_bytes())?;
        } else if !write_new(path, text.as_bytes())? {
            return Err(exists(path));
        }
    }
    let names: Vec<String> = files
        .iter()
        .map(|(path, _)| path.display().to_string())
        .collect();
    let model = out.display();
    say(&format!(
        "wrote {}\nnext: eomgen check {model}\n      eomgen derive {model} -o {}\n",
        names.join(", "),
        out.with_extension("rs").display()
    ));
    Ok(())
}

fn exists(path: &Path) -> Problem {
    Problem::Failed(format!(
        "{} exists already, and may have been edited; choose another name, or add --force",
        path.display()
    ))
}
