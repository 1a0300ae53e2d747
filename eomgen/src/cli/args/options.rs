//! The options of a derivation as arguments, out of the [table](crate::catalogue::options) of all of them.

use std::marker::PhantomData;

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::catalogue::asked::split;
use crate::catalogue::options::{About, DeriveOption, OPTIONS, Takes};
use crate::cli::console::Problem;
use crate::pipeline::DeriveOptions;

/// Which options a command has.
pub(in crate::cli) trait Choice: std::fmt::Debug {
    /// Whether this is one of them.
    fn has(option: &DeriveOption) -> bool;
}

/// All.
#[derive(Debug)]
pub(in crate::cli) struct All;

/// All but those about the code that is written.
#[derive(Debug)]
pub(in crate::cli) struct WithoutCode;

/// Those about the model and its equations.
#[derive(Debug)]
pub(in crate::cli) struct WithoutMethod;

/// Those that matter to a motion: which functions a module has is not one of them.
#[derive(Debug)]
pub(in crate::cli) struct OfMotion;

impl Choice for OfMotion {
    fn has(option: &DeriveOption) -> bool {
        option.about != About::Code && !["output", "only", "jacobian"].contains(&option.name)
    }
}

/// Those about the model.
#[derive(Debug)]
pub(in crate::cli) struct OfModel;

impl Choice for All {
    fn has(_: &DeriveOption) -> bool {
        true
    }
}

impl Choice for WithoutCode {
    fn has(option: &DeriveOption) -> bool {
        option.about != About::Code
    }
}

impl Choice for WithoutMethod {
    fn has(option: &DeriveOption) -> bool {
        matches!(option.about, About::Model | About::Equations)
    }
}

impl Choice for OfModel {
    fn has(option: &DeriveOption) -> bool {
        option.about == About::Model
    }
}

/// What options say, in the order of the table.
#[derive(Debug)]
pub(in crate::cli) struct OptionArgs<C> {
    said: Vec<(&'static str, String)>,
    choice: PhantomData<C>,
}

impl<C: Choice> OptionArgs<C> {
    /// The library's options.
    pub(in crate::cli) fn options(&self) -> Result<DeriveOptions, Problem> {
        let mut options = DeriveOptions::default();
        for (name, value) in &self.said {
            options.take(name, value).map_err(Problem::Usage)?;
        }
        Ok(options)
    }

    fn table() -> impl Iterator<Item = &'static DeriveOption> {
        OPTIONS.iter().filter(|option| C::has(option))
    }
}

impl<C: Choice> Args for OptionArgs<C> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::table().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: Choice> FromArgMatches for OptionArgs<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut said = Vec::new();
        for option in Self::table() {
            let name = option.name;
            match option.takes {
                Takes::Flag if matches.get_flag(name) => said.push((name, "true".to_owned())),
                Takes::Flag => {}
                Takes::Quantities => {
                    let values = matches.get_many::<String>(name).into_iter().flatten();
                    let words = values.flat_map(|value| split(value));
                    said.extend(words.map(|word| (name, word.to_owned())));
                }
                _ => {
                    let values = matches.get_many::<String>(name).into_iter().flatten();
                    said.extend(values.map(|value| (name, value.clone())));
                }
            }
        }
        let choice = PhantomData;
        Ok(Self { said, choice })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn argument(option: &'static DeriveOption) -> Arg {
    let name = option.name;
    let argument = Arg::new(name).long(name).help(option.help);
    if option.takes == Takes::Flag {
        return argument.action(ArgAction::SetTrue);
    }
    let argument = argument.value_name(placeholder(option.takes));
    let argument = match option.words() {
        Some(words) => argument.value_parser(PossibleValuesParser::new(words)),
        None => argument.value_parser(checked(name)),
    };
    match option.takes {
        Takes::Word(_, default) => argument.default_value(default),
        Takes::Functions => argument.action(ArgAction::Append).value_delimiter(','),
        _ if option.repeats() => argument.action(ArgAction::Append),
        _ => argument,
    }
}

/// The value as it stands, if it can be one.
fn checked(name: &'static str) -> ValueParser {
    let check = move |text: &str| -> Result<String, String> {
        DeriveOptions::default().take(name, text)?;
        Ok(text.to_owned())
    };
    ValueParser::from(check)
}

fn placeholder(takes: Takes) -> &'static str {
    match takes {
        Takes::Rates => "RATE",
        Takes::Derivatives => "OUTPUT:GROUP,...",
        Takes::Constants => "NAME=VALUE",
        Takes::Parameters => "NAME=VALUE|all",
        Takes::Method | Takes::Word(..) | Takes::Quantities | Takes::Functions | Takes::Flag => {
            "NAME"
        }
    }
}

/// The names of all formulations, and `all`.
pub(super) fn method_names_or_all() -> PossibleValuesParser {
    let names = crate::pipeline::methods()
        .into_iter()
        .map(|method| method.name);
    PossibleValuesParser::new(std::iter::once("all").chain(names))
}
