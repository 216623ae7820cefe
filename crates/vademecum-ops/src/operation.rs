//! What an operation declares, and the form in which surfaces call any of them.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use vademecum_core::intake::Replaced;
use vademecum_store::Author;

use crate::call::Call;
use crate::error::OpError;
use crate::fields::SESSION;
use crate::ops::read_handoff::ReadHandoff;
use crate::voice::ARGUMENTS;
use crate::world::World;
use crate::{offer, schema};

/// What an operation does to what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing changes.
    Reads,
    /// Something is added or changed, and can be undone.
    Writes,
    /// Something is taken away or replaced.
    Destroys,
}

/// To which models an operation is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Models {
    /// In the default set, with its schema in every request.
    Always,
    /// In the default set; a harness may hide it behind a search.
    Default,
    /// Only when all tools are asked for.
    Extra,
    /// Only where a scratchpad is configured.
    Scratchpad,
    /// Never.
    Never,
}

/// Whose words an answer holds, and so how a model may read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// What the session itself wrote, byte for byte: who edits a page replaces what stands there.
    OfSession,
    /// The same, or, where the object has this field, what anyone wrote.
    OfSessionBut(&'static str),
    /// What anyone wrote: each text that is not innocent is guarded.
    OfAnyone,
    /// The same, guarded part by part by the operation itself; the field of the object that holds it.
    Guarded(&'static str),
}

/// How people call an operation at the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// The words, the noun first.
    pub words: &'static [&'static str],
    /// The fields that are given by place, in order.
    pub places: &'static [&'static str],
    /// The field that is read from standard input when `-` or nothing is given for it.
    pub stdin: Option<Stdin>,
}

/// A field that can be read from standard input, and what becomes of its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// A text, taken byte for byte.
    Text(&'static str),
    /// A statement, taken without the line break that `echo` ends with.
    Statement(&'static str),
}

impl Stdin {
    /// The name of the field.
    #[must_use]
    pub fn field(self) -> &'static str {
        match self {
            Self::Text(field) | Self::Statement(field) => field,
        }
    }
}

/// What is said of an operation, once for all surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// Other names that calls may use.
    pub aliases: &'static [&'static str],
    /// Its name for people, in a few words.
    pub title: &'static str,
    /// What a model reads of it.
    pub about: &'static str,
    /// What it does to what is kept.
    pub effect: Effect,
    /// Whether it works on one session, which `session` may name.
    pub of_session: bool,
    /// To which models it is offered.
    pub models: Models,
    /// Whether code in a sandbox may call it: it starts no program, and reads no file that a call names.
    pub code: bool,
    /// Whose words its answer holds; a recap hears none of them, whatever they are.
    pub answer: Answer,
    /// How people call it; none if they cannot.
    pub command: Option<Command>,
    /// Arguments that are legal, as JSON.
    pub example: &'static str,
}

impl Declaration {
    /// Whether it answers where nothing is to be written; what it keeps beside its answer is left out there.
    #[must_use]
    pub fn is_look(&self) -> bool {
        match self.effect {
            Effect::Reads => true,
            // It writes whom the session continues, and a file of what it left out.
            Effect::Writes => self.name == ReadHandoff::DECLARATION.name,
            Effect::Destroys => false,
        }
    }

    /// Refuses it where it writes and nothing is to be written; a dry run writes nothing.
    pub fn check_can_write(&self, world: &World, input: &impl Serialize) -> Result<(), OpError> {
        let is_dry = || serde_json::to_value(input).is_ok_and(|input| input["dry_run"] == true);
        if self.is_look() || (world.is_read_only() && is_dry()) {
            return Ok(());
        }
        world.check_can_write(self.name)
    }
}

/// One thing that vade does.
pub trait Operation {
    /// The arguments; the docs of its fields are the help.
    type Input: DeserializeOwned + Serialize + JsonSchema;
    /// The object that is answered.
    type Output: DeserializeOwned + Serialize + JsonSchema;

    /// What is said of it.
    const DECLARATION: Declaration;

    /// Does it.
    fn run(call: &Call<'_>, input: Self::Input) -> Result<Self::Output, OpError>;

    /// The answer as a model and a person read it.
    fn say(output: &Self::Output) -> String;
}

/// An answer: an object, and the text for a model or a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The object, as `--json` shows it.
    pub object: Value,
    /// The text.
    pub text: String,
}

/// An operation of any type.
#[derive(Clone, Copy)]
pub struct Op {
    /// What is said of it.
    pub declaration: &'static Declaration,
    run: fn(&Call<'_>, Value) -> Result<Reply, OpError>,
    input: fn() -> Value,
    output: fn() -> Value,
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Op").field(&self.declaration.name).finish()
    }
}

impl Op {
    /// The operation `O`, its types forgotten.
    #[must_use]
    pub const fn of<O: Operation>() -> Self {
        Self { declaration: &O::DECLARATION, run: run::<O>, input: input::<O>, output: output::<O> }
    }

    /// Does it with arguments given as a JSON object.
    pub fn run(&self, call: &Call<'_>, arguments: Value) -> Result<Reply, OpError> {
        (self.run)(call, arguments)
    }

    /// The JSON Schema of its arguments, in the few words a model needs.
    #[must_use]
    pub fn input_schema(&self) -> Value {
        let written = schema::written(self.declaration.name);
        written.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(self.input)
    }

    /// The same schema as JSON text, for a surface that only hands it on.
    #[must_use]
    pub fn input_schema_text(&self) -> Cow<'static, str> {
        let written = schema::written(self.declaration.name);
        written.map_or_else(|| (self.input)().to_string().into(), Cow::Borrowed)
    }

    /// Makes that schema from the type of the arguments.
    ///
    /// It costs a process that starts more than all else, so [`Op::input_schema`] reads what
    /// `cargo xtask generate` wrote, and makes only what is not written yet.
    #[must_use]
    pub fn made_input_schema(&self) -> Value {
        (self.input)()
    }

    /// The JSON Schema of its answer.
    #[must_use]
    pub fn output_schema(&self) -> Value {
        (self.output)()
    }
}

fn run<O: Operation>(call: &Call<'_>, arguments: Value) -> Result<Reply, OpError> {
    let name = O::DECLARATION.name;
    let input = O::Input::deserialize(&arguments).map_err(|error| {
        let said = plainly(&error, || culprit::<O>(arguments, &error));
        OpError::usage(format!("{name}: {said}")).hint(usage::<O>())
    })?;
    let can_run = O::DECLARATION.check_can_write(call.world, &input);
    let ran =
        can_run.and_then(|()| check_on(call, &O::DECLARATION)).and_then(|()| O::run(call, input));
    let reply = ran.and_then(|output| reply::<O>(call, &output));
    offer::published_reply(call, name, reply)
}

/// The reply to a call of `O` that gave `output`, and that tells what was replaced in its texts.
pub fn reply<O: Operation>(call: &Call<'_>, output: &O::Output) -> Result<Reply, OpError> {
    let name = O::DECLARATION.name;
    let object = serde_json::to_value(output)
        .map_err(|error| OpError::broken(format!("{name}: the answer is no JSON: {error}")))?;
    Ok(told(Reply { text: O::say(output), object }, &call.replaced()))
}

/// Refuses what may not be done while vade is off; who looks for the session is refused on that way.
///
/// A person may look on and take along what is kept, and anyone may ask how the switch stands.
fn check_on(call: &Call<'_>, declaration: &Declaration) -> Result<(), OpError> {
    let name = declaration.name;
    let looks_for_session =
        declaration.of_session && !matches!(name, "adopt" | "export" | "recap" | "why");
    let is_of_switch = matches!(name, "switch_on" | "switch_off" | "status");
    let is_look = declaration.effect == Effect::Reads && call.caller.origin.author == Author::User;
    if looks_for_session || is_of_switch || is_look { Ok(()) } else { call.check_on() }
}

/// The reply that also tells what was replaced in the texts of the call.
fn told(mut reply: Reply, replaced: &[Replaced]) -> Reply {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for Replaced { kind, .. } in replaced {
        match counts.iter_mut().find(|(known, _)| known == kind) {
            Some((_, n)) => *n += 1,
            None => counts.push((kind, 1)),
        }
    }
    if counts.is_empty() {
        return reply;
    }
    let words: Vec<String> = counts.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let words = words.join(", ");
    reply.text.push_str("\nreplaced before anything was kept: ");
    reply.text.push_str(&words);
    reply.text.push_str(" (only a person can keep them, with --allow-secret)");
    if let Value::Object(object) = &mut reply.object {
        let counts = counts.iter().map(|(kind, n)| json!({ "kind": kind, "count": n }));
        object.insert(schema::REPLACED.to_owned(), counts.collect());
    }
    reply
}

/// The argument that cannot be read, which the error does not name: without it there is none, or another one.
fn culprit<O: Operation>(arguments: Value, error: &serde_json::Error) -> Option<String> {
    let Value::Object(all) = arguments else { return None };
    let is_it = |name: &&String| {
        let rest = all.iter().filter(|(other, _)| other != name);
        let rest: Value = rest.map(|(name, value)| (name.clone(), value.clone())).collect();
        let other = O::Input::deserialize(rest).err();
        other.is_none_or(|other| other.to_string() != error.to_string())
    };
    all.keys().find(is_it).cloned()
}

/// What is wrong with the arguments, without the words of the language that reads them.
fn plainly(error: &serde_json::Error, culprit: impl FnOnce() -> Option<String>) -> String {
    let text = error.to_string();
    let parts = ["invalid type: ", "invalid value: "]
        .into_iter()
        .find_map(|opening| text.strip_prefix(opening)?.rsplit_once(", expected "));
    let Some((given, wanted)) = parts else { return text };
    let wanted = wanted_as(wanted);
    let value = given.split_once('`').and_then(|(_, rest)| rest.strip_suffix('`'));
    let given = match (given, value) {
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "an object".to_owned(),
        (_, Some(value)) => value.to_owned(),
        (given, None) => given.strip_prefix("string ").unwrap_or(given).to_owned(),
    };
    match culprit() {
        Some(name) => format!("{name} takes {wanted}, {given} given"),
        None => format!("{wanted} is wanted, {given} given"),
    }
}

/// What is wanted, without the words of the language that reads it.
pub(crate) fn wanted_as(word: &str) -> &str {
    match word {
        "a sequence" => "a list",
        "a string" => "a text",
        "a boolean" => "true or false",
        "u32" | "u64" | "usize" => "a whole number from 0",
        "i64" => "a whole number",
        "f64" => "a number",
        other => other,
    }
}

/// What the call takes, for the hint of a usage error.
fn usage<O: Operation>() -> String {
    let example = O::DECLARATION.example;
    if example != "{}" {
        return format!("{ARGUMENTS}{example}");
    }
    // One that needs none shows which it may have.
    let schema = input::<O>();
    let names = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
    let parts: Vec<String> =
        names.filter(|name| *name != SESSION).map(|name| format!("\"{name}\": …")).collect();
    format!("{ARGUMENTS}{{{}}}", parts.join(", "))
}

fn input<O: Operation>() -> Value {
    schema::input(schemars::schema_for!(O::Input), &O::DECLARATION)
}

fn output<O: Operation>() -> Value {
    schema::output(schemars::schema_for!(O::Output), &O::DECLARATION)
}
