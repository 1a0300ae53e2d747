//! `eomgen completions` and `eomgen man`: what a shell and `man` want to know of the program, made from its arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::{Cli, ManArgs};
use super::console::{Problem, print, say};
use super::output::may_replace;
use crate::host::write_atomic;

/// The program's commands, without the internal ones.
fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

/// The script that completes arguments in a shell.
pub(super) fn completions(shell: Shell) -> Result<(), Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "eomgen", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// The manual: the page of one command on standard output, or all pages as files.
pub(super) fn manual(args: &ManArgs) -> Result<(), Problem> {
    let program = command();
    let Some(folder) = &args.out else {
        let page = match &args.command {
            None => Some(&program),
            Some(name) => visible(&program).find(|c| c.get_name() == name),
        };
        return match page {
            Some(page) => print(&page_of(page)?),
            None => Err(Problem::Usage(format!(
                "there is no command '{}'",
                args.command.as_deref().unwrap_or_default()
            ))),
        };
    };
    for page in std::iter::once(&program).chain(visible(&program)) {
        let path = folder.join(format!("{}.1", name_of(page)));
        may_replace(&path, args.force)?;
        write_atomic(&path, page_of(page)?.as_bytes())?;
        say(&format!("wrote {}\n", path.display()));
    }
    Ok(())
}

fn visible(program: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    program
        .get_subcommands()
        .filter(|c| !c.is_hide_set() && c.get_name() != "help")
}

/// `eomgen`, `eomgen-derive`
fn name_of(command: &clap::Command) -> String {
    match command.get_bin_name() {
        Some(name) => name.replace(' ', "-"),
        None => command.get_name().to_owned(),
    }
}

fn page_of(command: &clap::Command) -> Result<String, Problem> {
    let name = name_of(command);
    let page = clap_mangen::Man::new(command.clone()).title(&name);
    let mut text = Vec::new();
    page.render(&mut text)
        .map_err(|error| Problem::Failed(format!("cannot write the page: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
