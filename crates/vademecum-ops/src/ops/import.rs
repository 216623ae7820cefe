//! Takes sessions in that an export wrote; what is there already is left as it is.

pub(crate) mod plans;
mod reading;
mod taking;

use std::io::{self, Read};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::frame;
use vademecum_core::id::ProjectId;

use self::taking::{Checker, Taker};
use crate::call::Call;
use crate::error::OpError;
use crate::shapes::counted;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::ops::export::project_name;

/// Takes sessions in.
#[derive(Debug)]
pub struct Import;

/// What is taken in.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The JSON that export wrote, where it is in no file
    pub content: String,
    /// Only say what would be taken in
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// What was taken in.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// How many sessions were looked at.
    pub sessions: usize,
    /// How many pages were taken in.
    pub notepads: usize,
    /// How many notes were taken in.
    pub notes: usize,
    /// How many handoffs were taken in.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub handoffs: usize,
    /// How many recaps of sessions that are known from their transcripts alone were taken in.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub recaps: usize,
    /// How many entries of plans were taken in.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub entries: usize,
    /// What was there already and left as it is.
    pub kept: usize,
    /// So much of that says something else there: what the package says of it was left out.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub differing: usize,
    /// The projects that it was exported from and goes to, where their names differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// The projects but this one that sessions belong to already: what is new of them went there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
    /// Whether nothing was taken in because only a report was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// From which project to which an export goes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// The name of the one that it was exported from.
    pub from: String,
    /// The name of the one that it goes to.
    pub to: String,
}

impl Moved {
    fn say(&self, dry_run: bool) -> String {
        let [from, to] = [&self.from, &self.to].map(|name| frame::line(name, NAME_MAX));
        let goes = if dry_run { "would go" } else { "went" };
        format!("\nthe export is of project {from}: what no project has yet {goes} into {to}")
    }
}

/// The most characters of a name that stands in a file.
const NAME_MAX: usize = 100;

/// Another project, and how many of the sessions belong to it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Elsewhere {
    /// Its id.
    pub project: String,
    /// Its name.
    pub name: String,
    /// How many sessions belong to it.
    pub sessions: usize,
}

impl Elsewhere {
    fn say(&self, dry_run: bool) -> String {
        let Self { project, name, sessions } = self;
        let goes = if dry_run { "is new of them would go" } else { "was new of them went" };
        let are = if *sessions == 1 { "is" } else { "are" };
        let short = &project[..ProjectId::SHORT];
        format!("\n{} {are} of project {name} ({short}): what {goes} there", counted(*sessions, "session"))
    }
}

impl Operation for Import {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "import",
        aliases: &[],
        title: "Take sessions in that export wrote",
        about: "Take sessions in that export wrote as JSON or lines of JSON. What is there already stays; a repeat changes nothing.",
        effect: Effect::Writes,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["import"], places: &[], stdin: None }),
        example: r#"{"content": "{\"vademecum\": 1, \"project\": \"demo\", \"sessions\": []}", "dry_run": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        from(call, input.dry_run, || Ok(input.content.as_bytes()))
    }

    fn say(output: &Output) -> String {
        let Output { sessions, notepads, notes, handoffs, recaps, entries, kept, differing, moved, elsewhere, dry_run } = output;
        let verb = if *dry_run { "would take in" } else { "took in" };
        let some = |n: usize, one| if n == 0 { String::new() } else { format!(", {}", counted(n, one)) };
        let [handoffs, recaps, entries] =
            [(*handoffs, "handoff"), (*recaps, "recap"), (*entries, "plan entry")].map(|(n, one)| some(n, one));
        let differing = match differing {
            0 => String::new(),
            n => format!("; {n} of these differ from the file and stay as they are here"),
        };
        let moved = moved.as_ref().map_or_else(String::new, |it| it.say(*dry_run));
        let elsewhere: String = elsewhere.iter().map(|it| it.say(*dry_run)).collect();
        let [notepads, notes, sessions] =
            [(*notepads, "notepad"), (*notes, "note"), (*sessions, "session")].map(|(n, one)| counted(n, one));
        format!("{verb} {notepads} and {notes} of {sessions}{handoffs}{recaps}{entries}; already there: {kept}{differing}{moved}{elsewhere}")
    }
}

/// Takes in what `open` gives to read, which is read twice: nothing is taken in before all is legal.
///
/// However much it is, a piece of it is in memory at a time, but for the plans.
pub fn from<R: Read>(
    call: &Call<'_>,
    dry_run: bool,
    mut open: impl FnMut() -> io::Result<R>,
) -> Result<Output, OpError> {
    let mut open = || {
        open().map_err(|error| OpError::broken(format!("the import cannot be read: {error}")))
    };
    let mut checker = Checker::new(call);
    let from = reading::read(&mut open()?, &mut |piece| checker.check(&piece))?;
    let to = call.look(|view| project_name(call, view))?;
    // What was replaced is told of what is taken in, and not a second time.
    drop(call.replaced());
    let mut taker = Taker::new(call, dry_run);
    reading::read(&mut open()?, &mut |piece| taker.take(piece))?;
    let output = taker.end()?;
    let elsewhere: usize = output.elsewhere.iter().map(|it| it.sessions).sum();
    let is_here = elsewhere < output.sessions || 0 < output.entries;
    let moved = (is_here && !from.is_empty() && from != to).then_some(Moved { from, to });
    Ok(Output { moved, ..output })
}
