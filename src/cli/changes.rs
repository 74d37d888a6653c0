//! `--set`, `--add` and `--unset`: three options whose order among each other counts.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::session::Override;

/// Changes of single fields, as typed from left to right.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes(pub(crate) Vec<Override>);

/// How an option is declared, and what it does.
struct Option {
    name: &'static str,
    value: &'static str,
    help: &'static str,
    change: fn(String) -> Override,
}

const OPTIONS: [Option; 3] = [
    Option {
        name: "set",
        value: "FIELD=VALUE",
        help: "Set a field, as in `--set optimizer.lr=3e-4`; the value is an expression, text stands in quotes",
        change: Override::Set,
    },
    Option { name: "add", value: "FIELD=VALUE", help: "Append to a list", change: Override::Add },
    Option { name: "unset", value: "FIELD", help: "Let a field go back to its default", change: Override::Unset },
];

impl Args for Changes {
    fn augment_args(command: Command) -> Command {
        OPTIONS.iter().fold(command, |command, option| {
            let arg = Arg::new(option.name).long(option.name).value_name(option.value).help(option.help);
            command.arg(arg.action(ArgAction::Append))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Changes::augment_args(command)
    }
}

impl FromArgMatches for Changes {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut found: Vec<(usize, Override)> = Vec::new();
        for option in &OPTIONS {
            let places = matches.indices_of(option.name).into_iter().flatten();
            let values = matches.get_many::<String>(option.name).into_iter().flatten();
            found.extend(places.zip(values).map(|(place, value)| (place, (option.change)(value.clone()))));
        }
        found.sort_by_key(|entry| entry.0);
        Ok(Changes(found.into_iter().map(|entry| entry.1).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Changes::from_arg_matches(matches)?;
        Ok(())
    }
}
