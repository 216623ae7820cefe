//! The arguments of an operation: from its fields to a parser, and from what was parsed to JSON.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::ArgValueCompleter;
use serde_json::{Map, Value};
use vademecum::ops::fields::{self, Field, FieldKind};
use vademecum::ops::{Op, OpError};

use super::complete;
use super::exit::Failure;
use super::stdin;
use super::text::Text;

/// Adds an argument for each field of `op`; whether one is missing is said when it is read.
pub(crate) fn add(command: Command, op: &Op) -> Command {
    fields::of(op)
        .iter()
        .fold(command, |command, field| command.arg(arg(op, field)).args(several(field)))
}

fn arg(op: &Op, field: &Field) -> Arg {
    let arg = Arg::new(field.name.clone()).help(help(field)).value_name(field.value_name());
    let arg = match completer(op, field) {
        Some(completer) => arg.add(completer),
        None => arg,
    };
    let is_needed = field.is_required && field.is_place && field.stdin.is_none();
    let is_switch = field.kind == FieldKind::Switch;
    let arg =
        if field.is_place { arg.required(is_needed && !is_switch) } else { named(arg, field) };
    match &field.kind {
        FieldKind::Integer => arg.value_parser(value_parser!(i64)).allow_negative_numbers(true),
        FieldKind::Switch if field.is_place => arg.value_parser(value_parser!(bool)),
        FieldKind::Switch => arg
            .value_parser(value_parser!(bool))
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_name("true|false")
            .hide_possible_values(true),
        FieldKind::Texts { .. } => text(arg, field, &[]).action(ArgAction::Append),
        FieldKind::Text | FieldKind::Number | FieldKind::Json => text(arg, field, &[]),
        FieldKind::Choice(choices) => {
            let is_said = choices.iter().all(|choice| field.help.contains(choice));
            text(arg, field, choices).hide_possible_values(is_said)
        }
    }
}

/// What a shell offers for the field: names that the store has now.
fn completer(op: &Op, field: &Field) -> Option<ArgValueCompleter> {
    let noun = op.declaration.command?.words[0];
    Some(match (noun, field.name.as_str()) {
        ("note" | "forget", "id") => ArgValueCompleter::new(complete::notes),
        ("session", "session") | ("handoff", "from") => ArgValueCompleter::new(complete::sessions),
        ("notepad", "rev" | "from" | "to") => ArgValueCompleter::new(complete::revisions),
        ("project", "project") => ArgValueCompleter::new(complete::projects),
        ("note", "tags") => ArgValueCompleter::new(complete::tags),
        (_, "plan") => ArgValueCompleter::new(complete::plans),
        _ => return None,
    })
}

/// What follows an option is its value, whatever it begins with; a place must not swallow an option.
fn text(arg: Arg, field: &Field, choices: &[String]) -> Arg {
    let arg = arg.value_parser(Text { choices: choices.to_vec() });
    if field.is_place { arg.allow_negative_numbers(true) } else { arg.allow_hyphen_values(true) }
}

fn named(arg: Arg, field: &Field) -> Arg {
    let (one, all) = (field.option(), field.plural_option());
    let has_alias = one != all && by_comma(field).is_none();
    let arg = match short(&one) {
        Some(short) => arg.long(one).short(short),
        None => arg.long(one),
    };
    if has_alias { arg.visible_alias(all) } else { arg }
}

/// One letter for the options that are typed every day.
fn short(option: &str) -> Option<char> {
    match option {
        "all" => Some('a'),
        "format" => Some('f'),
        "limit" => Some('n'),
        "tag" => Some('t'),
        "yes" => Some('y'),
        _ => None,
    }
}

/// The option that takes several values at once, beside the one that takes a single one.
fn several(field: &Field) -> Option<Arg> {
    let (id, option) = (by_comma(field)?, field.plural_option());
    let arg = Arg::new(id).value_name(option.to_uppercase()).long(option);
    let arg = arg.help("Several at once, separated by commas").action(ArgAction::Append);
    Some(text(arg, field, &[]).value_delimiter(','))
}

fn by_comma(field: &Field) -> Option<String> {
    let is_split = field.kind == FieldKind::Texts { by_comma: true } && !field.is_place;
    is_split.then(|| format!("{} by comma", field.name))
}

fn help(field: &Field) -> String {
    let text = field.help.trim_end_matches('.');
    if field.stdin.is_some() { format!("{text}; - reads standard input") } else { text.to_owned() }
}

/// Reads what was given as the JSON object that the operation takes.
pub(crate) fn read(op: &Op, matches: &ArgMatches) -> Result<Value, Failure> {
    let fields = fields::of(op);
    let has_options = fields.iter().any(|field| !field.is_place && is_given(field, matches));
    let mut object = Map::new();
    for field in &fields {
        if let Some(value) = value(field, matches, has_options)? {
            object.insert(field.name.clone(), value);
        } else if field.is_required {
            object.extend(stand_in(op, field)?.map(|value| (field.name.clone(), value)));
        }
    }
    Ok(Value::Object(object))
}

fn is_given(field: &Field, matches: &ArgMatches) -> bool {
    let is_typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    is_typed(&field.name) || by_comma(field).is_some_and(|id| is_typed(&id))
}

/// The values of a list in the order in which they were typed.
fn texts(field: &Field, matches: &ArgMatches) -> Value {
    let ids = [Some(field.name.clone()), by_comma(field)].into_iter().flatten();
    let typed = |id: String| {
        let places = matches.indices_of(&id).into_iter().flatten().collect::<Vec<_>>();
        let texts = matches.get_many::<String>(&id).into_iter().flatten().cloned();
        places.into_iter().zip(texts).collect::<Vec<_>>()
    };
    let mut texts: Vec<(usize, String)> = ids.flat_map(typed).collect();
    texts.sort_by_key(|(place, _)| *place);
    texts.into_iter().map(|(_, text)| text).collect()
}

fn value(field: &Field, matches: &ArgMatches, has_options: bool) -> Result<Option<Value>, Failure> {
    let name = field.name.as_str();
    if !is_given(field, matches) {
        // What is optional is not waited for when options say already what is to be done.
        let wanted = field.stdin.filter(|_| field.is_required || !has_options);
        let wanted = wanted.filter(|_| !stdin::is_terminal());
        let text = wanted.map(stdin::read_as).transpose()?.unwrap_or_default();
        return Ok((!text.is_empty()).then_some(Value::String(text)));
    }
    let text = || matches.get_one::<String>(name).cloned().unwrap_or_default();
    if let Some(stdin) = field.stdin.filter(|_| text() == "-") {
        return Ok(Some(stdin::read_as(stdin)?.into()));
    }
    Ok(match &field.kind {
        FieldKind::Text | FieldKind::Choice(_) => Some(text().into()),
        FieldKind::Integer => matches.get_one::<i64>(name).map(|number| (*number).into()),
        FieldKind::Switch => matches.get_one::<bool>(name).map(|yes| (*yes).into()),
        FieldKind::Texts { .. } => Some(texts(field, matches)),
        FieldKind::Number => Some(number(field, &text())?.into()),
        FieldKind::Json => Some(json(field, &text())?),
    })
}

fn number(field: &Field, text: &str) -> Result<serde_json::Number, OpError> {
    serde_json::from_str(text).map_err(|_| {
        OpError::usage(format!("--{} takes a number, \"{text}\" given", field.option()))
    })
}

fn json(field: &Field, text: &str) -> Result<Value, OpError> {
    serde_json::from_str(text)
        .map_err(|error| OpError::usage(format!("--{} takes JSON: {error}", field.option())))
}

/// What stands for a required field that was not given, where the operation itself says what it needs.
fn stand_in(op: &Op, field: &Field) -> Result<Option<Value>, OpError> {
    match field.kind {
        FieldKind::Texts { .. } => Ok(Some(Value::Array(Vec::new()))),
        // A switch that is named by its place alone is switched on: vade note scratch ID.
        FieldKind::Switch => Ok(field.is_place.then_some(Value::Bool(true))),
        FieldKind::Text
        | FieldKind::Choice(_)
        | FieldKind::Integer
        | FieldKind::Number
        | FieldKind::Json => {
            let words = op.declaration.command.map_or(&[][..], |command| command.words).join(" ");
            let name =
                if field.is_place { field.value_name() } else { format!("--{}", field.option()) };
            Err(OpError::usage(format!("{words} needs {name}, none given"))
                .hint(format!("vade {words} --help")))
        }
    }
}
