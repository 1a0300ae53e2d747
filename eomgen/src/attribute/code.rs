//! The code that the attribute stands for: derived, or read from the committed file.

use std::path::{Path, PathBuf};

use proc_macro2::{Ident, Span, TokenStream};

use super::arguments::{Arguments, Given, Model};
use super::message::Message;
use super::text::tokens;
use crate::files;
use crate::header::Stale;
use crate::request::{Answer, Refusal, Request};

/// What goes into the module.
#[derive(Default)]
pub(super) struct Code {
    /// Attributes of the module, and items.
    pub tokens: TokenStream,
    /// What is wrong.
    pub errors: Vec<Message>,
    /// What is worth knowing.
    pub warnings: Vec<Message>,
    /// The files that all this depends on, missing ones among them.
    pub files: Vec<PathBuf>,
}

impl Code {
    /// Nothing but an error.
    pub fn refused(error: Message) -> Self {
        Self {
            errors: vec![error],
            ..Self::default()
        }
    }

    /// What the attribute of the module `name` asks for, in the crate with the folder `root`.
    pub fn of(arguments: &Arguments, name: &Ident, root: &Path) -> Self {
        let at = arguments.model.given().span;
        let mut code = match arguments.request(root) {
            Err(error) => Self::refused(Message::new(at, error.to_string())),
            Ok(request) => {
                let made = match &arguments.generated {
                    Some(file) => committed(&request, file, root),
                    None => match request.answer_if_able() {
                        Some(answer) => derived(answer, at),
                        None => Self::refused(without_engine(&request, name, root)),
                    },
                };
                Self {
                    files: request.files(),
                    ..made
                }
            }
        };
        if let (Model::File(path), true) = (&arguments.model, code.files.is_empty()) {
            code.files.push(root.join(&path.value));
        }
        let committed = arguments.generated.iter();
        code.files
            .extend(committed.map(|file| root.join(&file.value)));
        code
    }
}

fn derived(answer: Result<Answer, Refusal>, at: Span) -> Code {
    let messages = |list: Vec<String>| -> Vec<Message> {
        let one = |text| Message::new(at, text);
        list.into_iter().map(one).collect()
    };
    match answer {
        Err(refusal) => Code {
            errors: messages(refusal.messages),
            warnings: messages(refusal.warnings),
            ..Code::default()
        },
        Ok(answer) => match tokens(&answer.code) {
            Err(error) => Code::refused(Message::new(
                at,
                format!("internal error: the derived code is not Rust: {error}"),
            )),
            Ok(tokens) => Code {
                tokens,
                warnings: messages(answer.warnings),
                ..Code::default()
            },
        },
    }
}

/// The file's items, if it is what would be derived now. What is stale is used all the same, so that the error is the only one.
fn committed(request: &Request, file: &Given, root: &Path) -> Code {
    let path = files::shown(&root.join(&file.value)).display().to_string();
    let text = match files::read_code(Path::new(&path)) {
        Ok(text) => text,
        Err(reason) => {
            let remedy = remedy(request, &file.value, root);
            let text = format!("cannot use {path}: {reason}\n{remedy}");
            return Code::refused(Message::new(file.span, text));
        }
    };
    let stale = request.check_fresh(&text).err();
    let error = stale.map(|reason| match reason {
        // Never suggest overwriting a file that eomgen did not write.
        Stale::NoHeader => Message::new(
            file.span,
            format!("{path} was not written by eomgen: it has no header\nname another file, or move this one away"),
        ),
        reason => {
            let remedy = remedy(request, &file.value, root);
            Message::new(file.span, format!("{path} is stale: {reason}\n{remedy}"))
        }
    });
    let sound = error.is_none() || syn::parse_file(&text).is_ok();
    let tokens = tokens(&text).ok().filter(|_| sound);
    Code {
        tokens: tokens.unwrap_or_default(),
        errors: error.into_iter().collect(),
        ..Code::default()
    }
}

/// What writes the file.
fn remedy(request: &Request, file: &str, root: &Path) -> String {
    let command = request.command(file);
    let command = command.as_deref().unwrap_or("eomgen prepare");
    let folder = files::shown(root);
    if folder.as_os_str().is_empty() {
        format!("to write it, run: {command}")
    } else {
        format!("to write it, run in {}: {command}", folder.display())
    }
}

fn without_engine(request: &Request, name: &Ident, root: &Path) -> Message {
    let file = format!("src/{}.rs", syn::ext::IdentExt::unraw(name));
    let remedy = remedy(request, &file, root);
    let text = format!(
        "this build of eomgen-macros cannot derive: its feature `derive` is off\nEither enable the feature, or name a committed file, \
         as in `generated = \"{file}\"`; {remedy}"
    );
    Message::new(Span::call_site(), text)
}
