//! `eomgen new`

use std::path::Path;

use super::args::NewArgs;
use super::console::{Problem, print, say};
use crate::host::{leads_out, write_new};
use crate::syntax;

/// A model that derives, with a comment on everything in it. `NAME` stands for the model's name.
const TEMPLATE: &str = include_str!("new/template.eom");

/// Writes a small working model.
pub(super) fn run(args: &NewArgs) -> Result<(), Problem> {
    let (path, stem) = place(&args.name)?;
    let text = TEMPLATE.replace("NAME", &stem);
    if args.stdout {
        return print(&text);
    }
    if leads_out(Path::new(&path)) {
        return Err(Problem::Failed(format!(
            "{path} lies outside of this folder: a link leads there; name the folder itself"
        )));
    }
    if !write_new(Path::new(&path), text.as_bytes())? {
        return Err(Problem::Failed(format!(
            "{path} exists already; choose another name, or remove it first"
        )));
    }
    say(&format!(
        "wrote {path}\n\
         next: eomgen check {path}\n\
         \x20     eomgen derive {path} -o {stem}.rs\n"
    ));
    Ok(())
}

/// The file to write and the model's name: `dir/crane` and `dir/crane.eom` both stand for `dir/crane.eom` with the model `crane`.
fn place(name: &str) -> Result<(String, String), Problem> {
    let (folder, file) = match name.rfind(['/', '\\']) {
        Some(at) => name.split_at(at + 1),
        None => ("", name),
    };
    let stem = file.strip_suffix(".eom").unwrap_or(file);
    // The language itself says what can be a name.
    let line = format!("model {stem}\n");
    if !syntax::format(&line).is_ok_and(|same| same == line) {
        return Err(Problem::Usage(format!(
            "'{stem}' cannot be the name of a model: a letter, then letters, digits and `_`"
        )));
    }
    Ok((format!("{folder}{stem}.eom"), stem.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_for_their_model() {
        let found = |name: &str| place(name).map_err(|_| ());
        let one = |path: &str, stem: &str| Ok((path.to_owned(), stem.to_owned()));
        assert_eq!(found("crane"), one("crane.eom", "crane"));
        assert_eq!(found("crane.eom"), one("crane.eom", "crane"));
        assert_eq!(found("a/b.c/crane"), one("a/b.c/crane.eom", "crane"));
        for bad in ["", "a b", "1st", "dir/", "a-b", "a.b"] {
            assert_eq!(found(bad), Err(()), "{bad}");
        }
    }

    #[test]
    fn the_template_is_formatted() {
        let text = TEMPLATE.replace("NAME", "crane");
        assert_eq!(syntax::format(&text).as_deref(), Ok(text.as_str()));
    }
}
