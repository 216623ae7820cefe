//! Says the best of a transcript within a budget.

use std::io::{BufRead, Seek};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::error::Kind;
use vademecum_core::session::Session;
use vademecum_core::tokens::estimate;
use vademecum_harness::transcript::{Format, Report, Span};
use vademecum_recap::{Recap as Told, Section, State};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::recaps::find::{self, Wanted};
use crate::recaps::methods::{self, CentralityBy, Maker, Method, NoveltyBy, Variant};
use crate::recaps::{self, Commands, Kept, Read, Stopped};

/// Says the best of a transcript within a budget.
#[derive(Debug)]
pub struct Recap;

/// Of which transcript, and how much.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The file of a transcript, or opencode's database. Default: that of the session, else the project's latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Of a database: the session in it, by opencode's id. Default: the project's newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// At most so many tokens. Default: 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// How it is written. Default: markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Form>,
    /// Whose transcript it is, if its records do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Harness>,
    /// How the best is chosen. Default: recap.method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Of method seed: how novelty is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub novelty: Option<NoveltyBy>,
    /// Of method seed: how centrality is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centrality: Option<CentralityBy>,
    /// Of method seed: what each consequential call adds to the weight. Default: 0.25.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// Of method seed: each factor of each chunk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
    /// A transcript that comes with vade, to see what a recap is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sample: bool,
}

/// How a recap is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// With where it comes from, how the session stopped and what is left out.
    Markdown,
    /// The recap alone, as a context has it.
    Text,
    /// The whole answer as JSON, with the state as one record.
    Json,
}

/// Whose transcript it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Harness {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Copilot CLI.
    Copilot,
    /// opencode: its database, or an export.
    Opencode,
    /// Chat messages, one a line.
    MessageLog,
}

impl Harness {
    pub(crate) fn format(self) -> Format {
        match self {
            Self::ClaudeCode => Format::ClaudeCode,
            Self::Codex => Format::Codex,
            Self::Copilot => Format::Copilot,
            Self::Opencode => Format::Opencode,
            Self::MessageLog => Format::MessageLog,
        }
    }
}

/// The recap, and what it is made of.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The recap as it was asked for.
    pub text: String,
    /// About what it costs its reader.
    pub tokens: usize,
    /// The file of the transcript.
    pub transcript: String,
    /// Whose it is.
    pub harness: String,
    /// The session in it, as its harness names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How the session stopped.
    pub stopped: Stopped,
    /// Where the session stands, as one record.
    #[serde(default)]
    pub state: State,
    /// How much of it was read and is said.
    pub coverage: Coverage,
    /// The recap in parts.
    pub sections: Vec<Shown>,
    /// What it does not say, best first: 200 lines at most.
    pub rest: Vec<String>,
    /// How many more lines of that there are.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub rest_more: usize,
    /// Each factor of each chunk, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<String>,
    /// Which command failed, why, and what stood in for it; or that the transcript is gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood_in: Vec<String>,
    /// How it is said.
    #[serde(skip)]
    pub form: Option<Form>,
}

/// How much of a transcript was read, and how much of that is said.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// How many turns were read.
    pub turns: u64,
    /// How many facts there were; of method tail lines, of method seed chunks.
    pub facts: usize,
    /// How many of them the recap says.
    pub said: usize,
    /// How many records were passed over because they are torn, foreign or too long.
    pub skipped: u64,
    /// How many bytes were read; 0 of a database, which does not tell.
    pub bytes_read: u64,
    /// How many bytes there are; 0 of a database.
    pub bytes: u64,
}

impl Coverage {
    /// Whether the transcript is empty.
    fn is_nothing(&self) -> bool {
        self.turns == 0 && self.skipped == 0
    }
}

/// One part of a recap.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// On what.
    pub part: String,
    /// Its lines.
    pub lines: Vec<String>,
}

impl Operation for Recap {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "recap",
        aliases: &[],
        title: "Summarise a session from its transcript",
        about: "Say what a session did, decided and left open, from its transcript, within a token budget. Default: this session, else the project's latest.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Extra,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["recap"], places: &["path"], stdin: None }),
        example: r#"{"sample": true, "budget": 300}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let method = input.method.unwrap_or(call.config.recap.method);
        check(&input, method)?;
        let error = match read(call, &input, method) {
            Ok(read) => return told(call, &input, method, read),
            Err(error) => error,
        };
        let is_named = input.path.is_some() || input.session_id.is_some();
        let kept = if is_named || error.kind != Kind::Missing { None } else { find::kept(call)? };
        kept.map(|kept| stands_in(&input, kept)).ok_or(error)
    }

    fn say(output: &Output) -> String {
        match &output.explained {
            _ if output.form == Some(Form::Json) => {
                serde_json::to_string(output).expect("strings and numbers make JSON")
            }
            Some(table) => format!("{}\n\n{table}", output.text),
            None => output.text.clone(),
        }
    }
}

/// The recap of the transcript in `source`, which is called `name`.
pub fn of_source(
    call: &Call<'_>,
    input: &Input,
    name: &str,
    source: &mut (impl BufRead + Seek),
) -> Result<Output, OpError> {
    let method = input.method.unwrap_or(call.config.recap.method);
    check(input, method)?;
    let begin = |options: &_| Maker::new(method, options);
    let format = input.harness.map(Harness::format);
    let read = recaps::read_source((name, source), format, (Span::Whole, call.policy()), begin, Maker::push)?;
    told(call, input, method, (name.to_owned(), read))
}

fn told(
    call: &Call<'_>,
    input: &Input,
    method: Method,
    (name, Read { digest, report, .. }): (String, Read<Maker>),
) -> Result<Output, OpError> {
    check_known(input, &name, &report)?;
    let mut commands = Commands::of(call);
    let budget = input.budget.unwrap_or(recaps::BUDGET);
    let made = digest.recap(variant(call, input, method)?, Some(&mut commands), (budget, &[]));
    let mut recap = with_room(recaps::clean(made.recap), budget)?;
    let rest_more = recaps::cut(&mut recap.rest, method);
    let mut output = Output {
        tokens: vademecum_recap::tokens(&recap.text),
        transcript: name,
        harness: report.format.name().to_owned(),
        session: report.session.clone(),
        stopped: Stopped::of(recap.stop),
        state: recap.state,
        coverage: Coverage {
            turns: recap.coverage.turns,
            facts: recap.coverage.facts,
            said: recap.coverage.said,
            skipped: report.skipped.total(),
            bytes_read: report.coverage.read,
            bytes: report.coverage.size,
        },
        sections: recap.sections.iter().map(shown).collect(),
        rest: recap.rest,
        rest_more,
        explained: made.explained.filter(|_| input.explain),
        stood_in: commands.faults(),
        text: recap.text,
        form: input.format,
    };
    if is_markdown(input) && !output.coverage.is_nothing() {
        output.text = markdown(&output, from(&output, method));
    }
    Ok(output)
}

/// Refuses a transcript none of whose records the harness that is given writes.
fn check_known(input: &Input, name: &str, report: &Report) -> Result<(), OpError> {
    let is_nothing = report.turns == 0 && report.session.is_none() && 0 < report.coverage.size;
    let Some(harness) = input.harness.filter(|_| is_nothing) else { return Ok(()) };
    let given = serde_json::to_string(&harness).unwrap_or_default();
    Err(OpError::usage(format!("no record of {name} is known as one of harness {given}"))
        .hint("leave harness out: the records tell whose they are"))
}

/// The recap; refused where the budget has no room for even one line of it.
fn with_room(recap: Told, budget: usize) -> Result<Told, OpError> {
    if !recap.text.is_empty() || recap.rest.is_empty() {
        return Ok(recap);
    }
    Err(OpError::usage(format!("a recap of this takes more than {budget} tokens"))
        .hint("give it a larger budget, or none"))
}

fn from(output: &Output, method: Method) -> String {
    let (from, Coverage { turns, facts, said, .. }) = (&output.transcript, &output.coverage);
    // Of sentences alone nothing is counted.
    let counted = if *said == 0 { String::new() } else { format!(", {said} of {facts} {}", method.unit()) };
    format!("From {from}: {turns} turns{counted}.")
}

fn is_markdown(input: &Input) -> bool {
    input.format.is_none_or(|form| form == Form::Markdown)
}

/// The recap that was kept of a session, whose transcript is gone.
fn stands_in(input: &Input, (session, kept): (Session, Kept)) -> Output {
    let text = kept.texts(Some(input.budget.unwrap_or(recaps::BUDGET)))[0].clone();
    let transcript = session.place.transcript.as_deref().unwrap_or_default();
    let mut output = Output {
        tokens: estimate(&text),
        transcript: String::from_utf8_lossy(transcript).into_owned(),
        harness: session.key.harness,
        session: Some(session.key.external),
        stopped: kept.stop,
        state: kept.state,
        coverage: Coverage {
            turns: 0,
            facts: kept.facts,
            said: kept.said,
            skipped: 0,
            bytes_read: kept.read,
            bytes: kept.size,
        },
        sections: Vec::new(),
        rest: kept.rest,
        rest_more: kept.rest_more,
        explained: None,
        stood_in: vec!["its transcript is gone; this is the recap that was kept of it".to_owned()],
        text,
        form: input.format,
    };
    if is_markdown(input) {
        output.text = markdown(&output, format!("From {}.", output.transcript));
    }
    output
}

/// What method `seed` is asked for, and what is set where nothing is asked.
fn variant(call: &Call<'_>, input: &Input, method: Method) -> Result<Variant, OpError> {
    let set = &call.config.recap;
    Ok(Variant {
        novelty: input.novelty.or(NoveltyBy::of(set.novelty)),
        centrality: input.centrality,
        weighs: set.weighs,
        alpha: input.alpha.or(Some(set.alpha)),
        memories: if method == Method::Seed { memories(call)? } else { Vec::new() },
    })
}

/// Refuses what the sample or another method would take no notice of.
fn check(input: &Input, method: Method) -> Result<(), OpError> {
    if input.sample && input.session_id.is_some() {
        return Err(OpError::usage("session_id is for a database, and the sample is none")
            .hint("leave one of the two out"));
    }
    if method.built() != method {
        return Err(OpError::usage("method seed is no part of this build")
            .hint("leave method out, or build with the feature seed"));
    }
    let given = [
        ("novelty", input.novelty.is_some()),
        ("centrality", input.centrality.is_some()),
        ("alpha", input.alpha.is_some()),
        ("explain", input.explain),
    ];
    match given.iter().find(|(_, is_given)| *is_given && method != Method::Seed) {
        Some((name, _)) => Err(OpError::usage(format!("{name} is for method seed alone"))
            .hint("add method seed, or leave it out")),
        None if input.alpha.is_some_and(|alpha| !alpha.is_finite() || alpha < 0.0) => {
            Err(OpError::usage("alpha must be 0 or more").hint("the design uses 0.25"))
        }
        None => Ok(()),
    }
}

fn read(call: &Call<'_>, input: &Input, method: Method) -> Result<(String, Read<Maker>), OpError> {
    if input.sample {
        let read = recaps::sample(|options| Maker::new(method, options), Maker::push)?;
        return Ok(("the sample that comes with vade".to_owned(), read));
    }
    let wanted = Wanted {
        path: input.path.as_deref(),
        session_id: input.session_id.as_deref(),
        format: input.harness.map(Harness::format),
        files_only: false,
    };
    let begin = |options: &_| Maker::new(method, options);
    let (found, read) = find::read(call, wanted, begin, Maker::push)?;
    Ok((found.path().display().to_string(), read))
}

fn memories(call: &Call<'_>) -> Result<Vec<String>, OpError> {
    call.look(|view| match call.project(view)? {
        Some(project) => Ok(methods::memories(view, project.id, None)?),
        None => Ok(Vec::new()),
    })
}

fn shown(section: &Section) -> Shown {
    Shown { part: recaps::word(section.part).to_owned(), lines: section.lines.clone() }
}

fn markdown(output: &Output, from: String) -> String {
    let title = format!("# Recap of {} session {}", output.harness, session(output));
    let mut lines = vec![title, from];
    if 0 < output.coverage.skipped {
        lines.push(format!("{} records could not be read.", output.coverage.skipped));
    }
    lines.extend(output.stood_in.iter().map(|fault| format!("{fault}.")));
    if let Some(words) = output.stopped.words() {
        lines.push(format!("Its last turn was not finished: {words}."));
    }
    lines.push(String::new());
    lines.push(match output.text.as_str() {
        "" => "(nothing to tell)".to_owned(),
        text => text.to_owned(),
    });
    lines.join("\n")
}

fn session(output: &Output) -> &str {
    output.session.as_deref().unwrap_or("(without a name)")
}
