//! `eomgen diff`

use std::path::Path;

use super::args::DiffArgs;
use super::console::{Problem, colour, print, say};
use super::include::Include;
use super::job::{Job, Work, model};
use super::worker;
use crate::host::{git, is_file, read_text};
use crate::pipeline::{Source, module_difference};

/// Where the two texts are.
struct Pair {
    old: Place,
    new: Place,
    /// Called by git, which takes any exit code but 0 for a failure.
    by_git: bool,
}

/// Where a text is.
enum Place {
    /// A file, and the name to show for it.
    File { path: String, shown: String },
    /// `REV:path`
    Object(String),
    /// Not there on this side.
    Nowhere,
}

/// Prints the difference; the exit code says whether there is one.
pub(super) fn run(args: &DiffArgs) -> Result<(), Problem> {
    let found = pair(args).and_then(|pair| Ok((compared(args, &pair)?, pair.by_git)));
    match found {
        Ok((_, true)) | Ok((0, _)) => Ok(()),
        Ok((code, false)) => Err(Problem::Exit(code)),
        Err(problem @ (Problem::Usage(_) | Problem::Interrupted)) => Err(problem),
        // 1 is an answer.
        Err(problem) => {
            problem.report();
            Err(Problem::Exit(2))
        }
    }
}

/// What the arguments name.
fn pair(args: &DiffArgs) -> Result<Pair, Problem> {
    let files: Vec<&str> = args.files.iter().map(String::as_str).collect();
    let (old, new) = match (&args.git, files.as_slice()) {
        (Some(revision), [path]) => {
            let old = Place::Object(git::object(revision, Path::new(path)));
            (old, Place::of(path))
        }
        (None, [old, new]) => (Place::of(old), Place::of(new)),
        // path old-file old-hex old-mode new-file new-hex new-mode, and where it was renamed to what, with what git says of that.
        (None, [path, old, _, _, new, _, _, rest @ ..]) => {
            let new_path = rest.first().unwrap_or(path);
            let place = |file: &str, shown: &str| match file {
                "/dev/null" => Place::Nowhere,
                file => Place::File {
                    path: file.to_owned(),
                    shown: shown.to_owned(),
                },
            };
            let (old, new) = (place(old, path), place(new, new_path));
            return Ok(Pair {
                old,
                new,
                by_git: true,
            });
        }
        (Some(_), _) => {
            let message = "--git takes one model and compares its revision with the working tree";
            return Err(Problem::Usage(message.into()));
        }
        _ => {
            let message = "give two files to compare, or one with --git REV";
            return Err(Problem::Usage(message.into()));
        }
    };
    Ok(Pair {
        old,
        new,
        by_git: false,
    })
}

impl Place {
    /// A file, or an object of git's where no such file is.
    fn of(text: &str) -> Self {
        let is_drive = text.len() > 2 && text.as_bytes().get(1) == Some(&b':');
        if text.contains(':') && !is_drive && !is_file(Path::new(text)) {
            Self::Object(text.to_owned())
        } else {
            Self::File {
                path: text.to_owned(),
                shown: text.to_owned(),
            }
        }
    }

    /// The name to show.
    fn shown(&self) -> &str {
        match self {
            Self::File { shown, .. } => shown,
            Self::Object(object) => object,
            Self::Nowhere => "/dev/null",
        }
    }

    fn text(&self) -> Result<String, Problem> {
        match self {
            Self::File { path, shown } if shown.ends_with(".rs") => {
                Ok(read_text(Path::new(path))?.text)
            }
            // Git hands over a copy, whose name is its own.
            Self::File { path, .. } => Ok(model(Path::new(path))?.text),
            Self::Object(object) => git::show(object)
                .map_err(|said| Problem::Failed(format!("cannot read {object}: {said}"))),
            Self::Nowhere => Ok(String::new()),
        }
    }

    /// A model with its parts: those of the same revision, or next to the file.
    fn source(&self, include: &Include) -> Result<Source, Problem> {
        let text = self.text()?;
        Ok(match self {
            Self::Object(object) => {
                let (revision, path) = object.split_once(':').unwrap_or(("", object));
                let mut source =
                    Source::gather(path, &text, |part| git::show(&format!("{revision}:{part}")));
                source.name = object.clone();
                source
            }
            // Git hands over a copy elsewhere; the parts are where the model is.
            _ => {
                let parts = include.parts(self.shown());
                Source::gather(self.shown(), &text, |path| parts.read(path))
            }
        })
    }
}

/// Prints the difference; the exit code that belongs to it.
fn compared(args: &DiffArgs, pair: &Pair) -> Result<u8, Problem> {
    let (old, new) = (&pair.old, &pair.new);
    if pair.by_git {
        print(&format!("eomgen diff {} {}\n", old.shown(), new.shown()))?;
        for (place, what) in [(old, "is new"), (new, "is gone")] {
            if matches!(place, Place::Nowhere) {
                let other = if what == "is new" { new } else { old };
                print(&format!("{} {what}\n", other.shown()))?;
                return Ok(1);
            }
        }
    }
    let is_module = |place: &Place| place.shown().ends_with(".rs");
    match (is_module(old), is_module(new)) {
        (true, true) => {
            let found =
                module_difference(&old.text()?, &new.text()?).map_err(|(is_new, why)| {
                    let place = if is_new { new } else { old };
                    Problem::Failed(format!("{}: {why}", place.shown()))
                })?;
            print(&if args.json {
                found.to_json()
            } else {
                found.to_string()
            })?;
            return Ok(u8::from(!found.is_none()));
        }
        (false, false) => {}
        _ => {
            let message = "to compare a model with a generated module use `eomgen verify`";
            return Err(Problem::Usage(message.into()));
        }
    }
    let job = Job {
        model: new.source(&args.include)?,
        colour: colour(),
        work: Work::Difference {
            old: old.source(&args.include)?,
            options: args.options.options()?,
            measured: args.measured.clone(),
            full: args.full,
            json: args.json,
        },
    };
    let reply = worker::run(&job)?;
    say(&reply.messages);
    if !reply.ok {
        return Err(Problem::Said);
    }
    print(&reply.output)?;
    Ok(reply.exit)
}
