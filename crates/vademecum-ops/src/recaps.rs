//! Recaps of transcripts: read, made within a budget, and kept in the store for the next session.

pub mod find;
pub mod methods;

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};
use vademecum_core::intake::{Intake, IntakeError, Policy};
use vademecum_core::turn::Turn;
use vademecum_harness::transcript::{self, Format, Report, Span, TranscriptError};
use vademecum_recap::{Digest, Options, Part, Recap, Section, Stop};

use crate::error::OpError;

/// What a recap costs its reader when nothing else is said, in tokens.
pub const BUDGET: usize = 1000;

/// So much of a transcript tells in which folders its session works.
const FOLDERS: Span = Span::Ends { head: 64 * 1024, tail: 0 };

/// A transcript that was read.
#[derive(Debug)]
pub struct Read<D = Digest> {
    /// What a recap is made of.
    pub digest: D,
    /// What was read of it, and what not.
    pub report: Report,
}

/// Reads the transcript at `path`, as much of it as `span` says.
pub fn read(path: &Path, format: Option<Format>, span: Span) -> Result<Read, OpError> {
    read_with(path, format, span, Digest::new, Digest::push)
}

/// The same for another taker of turns.
pub fn read_with<D>(
    path: &Path,
    format: Option<Format>,
    span: Span,
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, OpError> {
    let failed = |error: TranscriptError| unreadable(path, &error);
    let file = File::open(path).map_err(|error| failed(TranscriptError::Io(error)))?;
    if file.metadata().is_ok_and(|meta| meta.is_dir()) {
        return Err(OpError::usage(format!("{} is a folder", path.display()))
            .hint("name the file of one transcript"));
    }
    let mut source = BufReader::with_capacity(256 * 1024, file);
    read_from(&mut source, format, span, begin, push).map_err(failed)
}

/// Reads a short transcript that comes with the program.
pub fn sample<D>(
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, OpError> {
    let mut source = Cursor::new(include_bytes!("recaps/sample.jsonl"));
    read_from(&mut source, None, Span::Whole, begin, push)
        .map_err(|error| OpError::broken(format!("the sample cannot be read: {error}")))
}

fn read_from<D>(
    source: &mut (impl BufRead + Seek),
    format: Option<Format>,
    span: Span,
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, TranscriptError> {
    let folders = transcript::read(format, FOLDERS, source, &mut |_| {})?;
    source.rewind()?;
    let mut digest = begin(&Options { roots: folders.cwds });
    let mut take = |turn| push(&mut digest, &turn);
    let report = transcript::read(Some(folders.format), span, source, &mut take)?;
    Ok(Read { digest, report })
}

fn unreadable(path: &Path, error: &TranscriptError) -> OpError {
    let path = path.display();
    match error {
        TranscriptError::Io(source) if source.kind() == std::io::ErrorKind::NotFound => {
            OpError::missing(format!("no transcript at the given path: {path}"))
                .hint("vade recap without a path finds the transcripts of this project")
        }
        TranscriptError::Io(source) => OpError::broken(format!("cannot read {path}: {source}")),
        TranscriptError::Unknown { .. } | TranscriptError::Database => {
            OpError::usage(format!("{path}: {error}"))
                .hint("vade reads transcripts of Claude Code, Codex, Copilot CLI and opencode, and logs of chat messages")
        }
    }
}

/// A recap as it is kept for the next session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// How long the transcript was when it was made, in bytes.
    pub size: u64,
    /// How much of it was read.
    pub read: u64,
    /// At most so many tokens the recap was to have.
    pub budget: usize,
    /// The recap.
    pub text: String,
    /// What did not fit, best first.
    pub rest: Vec<String>,
    /// How many facts there were.
    pub facts: usize,
    /// How many of them the text says.
    pub said: usize,
    /// How the session stopped.
    pub stop: Stopped,
    /// What the user asked for.
    pub goal: Option<String>,
    /// What the agent said it would do next.
    pub next: Option<String>,
    /// The command that fails.
    pub failing: Option<String>,
    /// What is still to be done.
    pub open: Vec<String>,
    /// The user's words that still hold.
    pub standing: Vec<String>,
}

/// How a session stopped, as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// The agent had the last word.
    Ended,
    /// The user stopped the agent.
    Interrupted,
    /// In the middle of the work.
    Broken,
    /// The user asked and nothing followed.
    Unanswered,
}

impl Stopped {
    /// The same, of a recap.
    #[must_use]
    pub fn of(stop: Stop) -> Self {
        match stop {
            Stop::Ended => Self::Ended,
            Stop::Interrupted => Self::Interrupted,
            Stop::Broken => Self::Broken,
            Stop::Unanswered => Self::Unanswered,
        }
    }

    /// What is said of it; none for a session that came to its end.
    #[must_use]
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::Ended => None,
            Self::Interrupted => Some("the user interrupted the agent"),
            Self::Broken => Some("it broke off in the middle of the work"),
            Self::Unanswered => Some("the last request was not answered"),
        }
    }
}

impl Kept {
    /// The recap that `read` gives within `budget`, in the form that is kept.
    #[must_use]
    pub fn of(read: &Read, budget: usize) -> Self {
        let recap = clean(read.digest.recap(budget));
        let (coverage, offer) = (read.report.coverage, recap.offer);
        Self {
            size: coverage.size,
            read: coverage.read,
            budget,
            text: recap.text,
            rest: recap.rest,
            facts: recap.coverage.facts,
            said: recap.coverage.said,
            stop: Stopped::of(recap.stop),
            goal: offer.goal,
            next: offer.next,
            failing: offer.failing,
            open: offer.open,
            standing: offer.standing,
        }
    }

    /// Reads what was kept; none if it was kept by a later program in a form of its own.
    #[must_use]
    pub fn parse(body: &str) -> Option<Self> {
        serde_json::from_str(body).ok()
    }

    /// The form in which it is kept.
    #[must_use]
    pub fn body(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers make JSON")
    }

    /// How much of the session it tells, in a few words.
    #[must_use]
    pub fn coverage(&self) -> String {
        let part = match self.read.checked_mul(100).and_then(|read| read.checked_div(self.size)) {
            Some(percent) if self.read < self.size => format!(", of {percent} % of the transcript"),
            Some(_) | None => String::new(),
        };
        format!("{} of {} facts{part}", self.said, self.facts)
    }
}

/// The same recap without lines that would pose as ours: every text passes the intake.
#[must_use]
pub fn clean(recap: Recap) -> Recap {
    let passes = |text: &String| is_ours(text).is_none();
    let mut offer = recap.offer;
    for words in [&mut offer.goal, &mut offer.next, &mut offer.failing] {
        *words = words.take().filter(passes);
    }
    offer.open.retain(passes);
    offer.standing.retain(passes);
    let sections = recap.sections.into_iter().map(|section| Section {
        part: section.part,
        lines: section.lines.into_iter().filter(passes).collect(),
    });
    Recap {
        text: without_ours(recap.text),
        sections: sections.collect(),
        rest: recap.rest.into_iter().filter(passes).collect(),
        coverage: recap.coverage,
        stop: recap.stop,
        offer,
    }
}

fn without_ours(text: String) -> String {
    let mut text = text;
    while let Some(line) = is_ours(&text) {
        let kept = text.lines().enumerate().filter(|(at, _)| at + 1 != line);
        text = kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    }
    text
}

/// The line in which a text poses as one of our own blocks, from 1.
fn is_ours(text: &str) -> Option<usize> {
    match Intake::new(Intake::NOTEPAD_MAX, Policy::none()).take(text.to_owned()) {
        Err(IntakeError::Own { line }) => Some(line),
        Ok(_) | Err(IntakeError::Long { .. }) => None,
    }
}

/// The word for a section in JSON and its heading for readers.
#[must_use]
pub fn heading(part: Part) -> (&'static str, &'static str) {
    match part {
        Part::Goal => ("goal", "Asked for"),
        Part::Standing => ("standing", "The user said, still in force"),
        Part::State => ("state", "Where it stands"),
        Part::Failing => ("failing", "Failing"),
        Part::Open => ("open", "Open"),
        Part::Done => ("done", "Done"),
        Part::InFlight => ("in_flight", "In flight"),
        Part::Edited => ("edited", "Edited"),
        Part::Read => ("read", "Read"),
        Part::Commands => ("commands", "Commands"),
        Part::Names => ("names", "Names"),
    }
}
