//! Shows where a transcript says what its recap says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_harness::transcript::{Format, Report};
use vademecum_recap::{Place, Places, Said, Trace};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::ops::recap::Harness;
use crate::recaps::databases::{self, Transcript};
use crate::recaps::find::{self, Wanted};
use crate::recaps::{self, Read};

/// Shows where a transcript says what its recap says.
#[derive(Debug)]
pub struct Why;

/// What is looked for, and in which transcript.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A line of a recap, or some words of it.
    pub words: String,
    /// The file of a transcript, or opencode's database. Default: that of the session, else the project's latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Of a database: the session in it, by opencode's id. Default: the project's newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whose transcript it is, if its records do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Harness>,
    /// The transcript that comes with vade.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sample: bool,
}

/// The places, and the transcript that they stand in.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The file of the transcript.
    pub transcript: String,
    /// Whose it is.
    pub harness: String,
    /// The session in it, as its harness names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The newest places that say it, the newest first.
    pub places: Vec<Shown>,
    /// How many more there are.
    pub more: u64,
    /// Whether they hold only the longest part of what was looked for.
    pub is_part: bool,
}

/// One place.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// The line of the file, from 1; none of what is no file of lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Of a database the id of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Of a document the part of a message, counted from 1 over all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u64>,
    /// When, where the harness says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whose words it holds.
    pub said: Said,
    /// The words with what stands around them.
    pub passage: String,
}

impl Operation for Why {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "why",
        aliases: &[],
        title: "Show where a transcript says what its recap says",
        about: "Show where a transcript says what its recap says: line, time, whose words, and what stands around them. Default: the transcript that recap takes.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["why"], places: &["words"], stdin: None }),
        example: r#"{"words": "no mocks in the integration tests", "sample": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let begin = |options: &_| Trace::new(&input.words, options);
        if begin(&vademecum_recap::Options::default()).is_none() {
            return Err(OpError::usage("there is no word to look for")
                .hint("give a line of a recap, or some words of it"));
        }
        let push = |trace: &mut Option<Trace>, turn: &_| {
            if let Some(trace) = trace {
                trace.push(turn);
            }
        };
        if input.sample {
            let read = recaps::sample(begin, push)?;
            return told(call, None, read);
        }
        let wanted = Wanted {
            path: input.path.as_deref(),
            session_id: input.session_id.as_deref(),
            format: input.harness.map(Harness::format),
            files_only: false,
        };
        let (found, read) = find::read(call, wanted, begin, push)?;
        told(call, Some(&found), read)
    }

    fn say(output: &Output) -> String {
        let session = output.session.as_deref().unwrap_or("(without a name)");
        let mut lines = vec![format!("{}, {} session {session}", output.transcript, output.harness)];
        if output.is_part {
            lines.push("No place holds all of it; these hold its longest part.".to_owned());
        }
        for place in &output.places {
            lines.push(String::new());
            lines.push(place.title());
            let passage = place.passage.lines().map(str::trim_end).filter(|line| !line.is_empty());
            lines.extend(passage.map(|line| format!("    {line}")));
        }
        if 0 < output.more {
            lines.push(format!("\n{} earlier ones are not shown", output.more));
        }
        lines.join("\n")
    }
}

fn told(
    call: &Call<'_>,
    found: Option<&Transcript>,
    read: Read<Option<Trace>>,
) -> Result<Output, OpError> {
    let Read { digest, report, .. } = read;
    let places = digest.map(Trace::finish).unwrap_or_default();
    let transcript = match found {
        Some(found) => found.path().display().to_string(),
        None => "the sample that comes with vade".to_owned(),
    };
    if places.newest.is_empty() {
        return Err(OpError::missing(format!("nothing in {transcript} says that"))
            .hint("take fewer words as they stand in one sentence of the recap, or name its transcript with path"));
    }
    let (more, is_part) = (places.all - places.newest.len() as u64, places.is_part);
    let places = shown(call, found, &report, places)?;
    let harness = report.format.name().to_owned();
    Ok(Output { transcript, harness, session: report.session, places, more, is_part })
}

/// The places with where each of them stands in its transcript.
fn shown(
    call: &Call<'_>,
    found: Option<&Transcript>,
    report: &Report,
    places: Places,
) -> Result<Vec<Shown>, OpError> {
    let rows: Vec<u64> = places.newest.iter().map(|place| place.record).collect();
    let mut messages = match found {
        Some(Transcript::InDatabase(path, session)) => {
            databases::messages(&*call.world.databases, path, &session.id, &rows)?.into_iter()
        }
        Some(Transcript::File(_)) | None => Vec::new().into_iter(),
    };
    let is_of_lines = report.format != Format::Opencode;
    let shown = |Place { record, at, said, passage }: Place| {
        let (message, number) = (messages.next(), record + 1);
        let is_part = !is_of_lines && message.is_none();
        Shown {
            line: is_of_lines.then_some(number),
            part: is_part.then_some(number),
            message,
            at: at.map(vademecum_core::time::Time::to_rfc3339),
            said,
            passage,
        }
    };
    Ok(places.newest.into_iter().map(shown).collect())
}

impl Shown {
    /// Where it stands, when it was said, and whose words it holds.
    fn title(&self) -> String {
        let place = match self {
            Self { line: Some(line), .. } => format!("line {line}"),
            Self { message: Some(message), .. } => format!("message {message}"),
            Self { part, .. } => format!("part {}", part.unwrap_or_default()),
        };
        let at = self.at.as_ref().map_or_else(String::new, |at| format!(", {at}"));
        format!("{place}{at}, {}:", self.said.words())
    }
}
