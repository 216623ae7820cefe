//! Recaps of transcripts: read, made within a budget, and kept in the store for the next session.

#[cfg(feature = "seed")]
mod commands;
pub mod databases;
pub mod find;
pub mod methods;
#[cfg(feature = "seed")]
mod seed;
#[cfg(not(feature = "seed"))]
mod unbuilt;
pub(crate) mod wholes;
pub(crate) mod words;

use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};
use vademecum_core::intake::{Cleaner, Policy, is_own_block};
use vademecum_core::profile::Before;
use vademecum_core::session::Session;
use vademecum_core::tokens;
use vademecum_core::turn::{Event, Turn};
use vademecum_files::{FileError, Kind, open_named};
use vademecum_harness::transcript::{self, Format, Report, Span, TranscriptError};
use vademecum_recap::command;
use vademecum_recap::{Digest, Options, Part, Recap, Section, State, Stop};

use crate::call::Call;
use crate::error::OpError;
use crate::{gather, moments};
#[cfg(feature = "seed")]
pub(crate) use commands::Commands;
#[cfg(not(feature = "seed"))]
pub(crate) use unbuilt::Commands;

use methods::{Maker, Making, Method};
use wholes::Whole;

/// What a recap costs its reader when nothing else is said, in tokens.
pub const BUDGET: usize = 1000;

/// The budgets of the forms that contexts choose from, in tokens.
const FORMS: [usize; 3] = [BUDGET, 500, 250];

/// The same of forms for room that nothing else wants: where there is no page, or a short one, and no summary is known, all
/// that is left of the session is what the recap tells.
const LONGER: [usize; 2] = [2 * BUDGET, BUDGET + 500];

/// So many lines of what did not fit are kept and told.
const REST: usize = 200;

/// So much of a transcript tells in which folders its session works.
const FOLDERS: Span = Span::Ends { head: 64 * 1024, tail: 0 };

/// A transcript that was read.
#[derive(Debug)]
pub struct Read<D = Digest> {
    /// What a recap is made of.
    pub digest: D,
    /// What was read of it, and what not.
    pub report: Report,
    /// What is known for a secret of it.
    pub cleaner: Cleaner,
}

/// Reads the transcript at `path`, as much of it as `span` says.
pub fn read(
    path: &Path,
    format: Option<Format>,
    span: Span,
    policy: Policy,
) -> Result<Read, OpError> {
    read_with(path, format, (span, policy), Digest::new, Digest::push)
}

/// The same for another taker of turns.
pub fn read_with<D>(
    path: &Path,
    format: Option<Format>,
    (span, policy): (Span, Policy),
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, OpError> {
    read_knowing(path, format, (span, Cleaner::new(policy)), begin, push)
}

/// The same, where it is known from other transcripts what a secret is.
pub fn read_knowing<D>(
    path: &Path,
    format: Option<Format>,
    how: (Span, Cleaner),
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, OpError> {
    let failed = |error: TranscriptError| unreadable(path, &error);
    let file = open_named(path).map_err(|error| match error {
        FileError::Kind { found: Kind::Folder, .. } => {
            OpError::usage(error.to_string()).hint("name the file of one transcript")
        }
        FileError::Kind { .. } => OpError::usage(error.to_string())
            .hint("a transcript is read twice: write it to a file and name that"),
        error => failed(TranscriptError::Io(error.into())),
    })?;
    let mut source = BufReader::with_capacity(256 * 1024, file);
    read_from(&mut source, format, how, begin, push).map_err(failed)
}

/// Reads the transcript in a source that is called by a name.
pub fn read_source<D>(
    (name, source): (&str, &mut (impl BufRead + Seek)),
    format: Option<Format>,
    (span, policy): (Span, Policy),
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, OpError> {
    let read = read_from(source, format, (span, Cleaner::new(policy)), begin, push);
    read.map_err(|error| unreadable(Path::new(name), &error))
}

/// Reads a short transcript that comes with the program.
pub fn sample<D>(
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, OpError> {
    let mut source = Cursor::new(include_bytes!("recaps/sample.jsonl"));
    read_from(&mut source, None, (Span::Whole, Cleaner::new(Policy::Replace)), begin, push)
        .map_err(|error| OpError::broken(format!("the sample cannot be read: {error}")))
}

/// What the transcript at `path` tells of its session: its beginning, or all of it where a long one names no folder.
pub(crate) fn identity(path: &Path, format: Option<Format>) -> Result<Report, OpError> {
    let read = |span| read_with(path, format, (span, Policy::Replace), |_| (), |(), _| {});
    let head = read(FOLDERS)?.report;
    if head.cwds.is_empty() { Ok(read(Span::Whole)?.report) } else { Ok(head) }
}

/// So much of both ends of a transcript tells whether its agent answered.
const ENDS: Span = Span::Ends { head: 64 * 1024, tail: 64 * 1024 };

/// Whether the agent said or did anything, as far as the ends of the transcript at `path` tell.
pub(crate) fn is_answered(path: &Path, format: Option<Format>) -> bool {
    let push = |is_answered: &mut bool, turn: &Turn| {
        *is_answered |= matches!(turn.event, Event::Said { .. } | Event::Called(_));
    };
    let read = read_with(path, format, (ENDS, Policy::Replace), |_| false, push);
    read.is_ok_and(|read| read.digest)
}

fn read_from<D>(
    source: &mut (impl BufRead + Seek),
    format: Option<Format>,
    (span, mut cleaner): (Span, Cleaner),
    begin: impl FnOnce(&Options) -> D,
    push: impl Fn(&mut D, &Turn),
) -> Result<Read<D>, TranscriptError> {
    // An empty file tells nothing of how it is written, and needs no reader of its own.
    let is_empty = source.fill_buf()?.is_empty();
    let format = if is_empty { Some(Format::MessageLog) } else { format };
    let folders = transcript::read(format, FOLDERS, source, &mut |_| {})?;
    source.rewind()?;
    let mut digest = begin(&Options { roots: folders.cwds });
    let mut take = |mut turn: Turn| {
        turn.clean(&mut cleaner);
        push(&mut digest, &turn);
    };
    let report = transcript::read(Some(folders.format), span, source, &mut take)?;
    Ok(Read { digest, report, cleaner })
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
    /// The best of what did not fit, best first.
    pub rest: Vec<String>,
    /// How many more lines of it there were: only the transcript has them.
    #[serde(default)]
    pub rest_more: usize,
    /// How many facts there were.
    pub facts: usize,
    /// How many of them the text says.
    pub said: usize,
    /// How the session stopped.
    pub stop: Stopped,
    /// Where the session stood.
    #[serde(flatten)]
    pub state: State,
    /// What contexts choose from, the longest first: the user's standing words, then the recap.
    #[serde(default)]
    pub forms: Vec<String>,
    /// Whether they leave out what the harness's summary says.
    #[serde(default)]
    pub is_beside_summary: bool,
    /// How many calls of it came after the page was written; 0 without a page.
    #[serde(default)]
    pub newer: u32,
    /// The method by which it was made; facts are what that method counts.
    #[serde(default)]
    pub method: Method,
    /// The last files that were read whole, and what they held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wholes: Vec<Whole>,
    /// What user and agent said, oldest first, of a session that was taken in: no context tells it, search finds it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
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
    pub fn of(read: Read<Maker>, making: Making, budget: usize) -> Self {
        let method = making.method;
        let mut kept = Self::made(read, making, (budget, false));
        kept.rest_more = cut(&mut kept.rest, method);
        kept
    }

    /// The same with all that did not fit, and without what the reader has beside it.
    ///
    /// A long session has thousands of such lines.
    #[must_use]
    pub fn whole(read: Read<Maker>, making: Making, budget: usize) -> Self {
        Self::made(read, making, (budget, true))
    }

    /// A recap that is kept tells all, whatever will be beside it: only its forms go into contexts.
    fn made(read: Read<Maker>, making: Making, (budget, is_beside): (usize, bool)) -> Self {
        let Read { digest: mut maker, report, .. } = read;
        let Making { method, variant, beside, .. } = making;
        let newer = maker.newer();
        let wholes = maker.take_wholes();
        let is_beside_summary = method == Method::Best && maker.digest().summary().is_some();
        let (recap, mut forms) = match method {
            Method::Best => {
                let told = if is_beside { beside.as_str() } else { "" };
                let recap = clean(maker.digest().recap_beside(budget, told));
                let forms = forms(maker.digest(), &beside);
                (recap, forms)
            }
            Method::Tail | Method::Seed => {
                let made = maker.recap(variant, None, (budget, &FORMS));
                (clean(made.recap), made.forms.into_iter().map(without_ours).collect())
            }
        };
        forms.dedup();
        let coverage = report.coverage;
        Self {
            rest_more: 0,
            size: coverage.size,
            read: coverage.read,
            budget,
            text: recap.text,
            rest: recap.rest,
            facts: recap.coverage.facts,
            said: recap.coverage.said,
            stop: Stopped::of(recap.stop),
            state: recap.state,
            forms,
            is_beside_summary,
            newer,
            method,
            wholes,
            words: Vec::new(),
        }
    }

    /// The forms that a context may show, the longest first; only the shortest may be over `most`.
    #[must_use]
    pub fn texts(&self, most: Option<usize>) -> &[String] {
        let forms =
            if self.forms.is_empty() { std::slice::from_ref(&self.text) } else { &self.forms };
        let fits = |form: &String| most.is_none_or(|most| tokens::estimate(form) <= most);
        let first = forms.iter().position(fits).unwrap_or(forms.len() - 1);
        &forms[first..]
    }

    /// Reads what was kept; none if it was kept by a later program in a form of its own.
    #[must_use]
    pub fn parse(body: &str) -> Option<Self> {
        serde_json::from_str(body).ok()
    }

    /// How much of the transcript a kept recap tells, without reading the rest of it.
    #[must_use]
    pub fn size_in(body: &str) -> Option<u64> {
        #[derive(Deserialize)]
        struct Size {
            size: u64,
        }
        serde_json::from_str::<Size>(body).ok().map(|it| it.size)
    }

    /// The form in which it is kept.
    #[must_use]
    pub fn body(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers make JSON")
    }

    /// At which part of a transcript of `size` bytes it was made, in a few words, where that goes on behind it and it
    /// tells no more than `most` percent.
    #[must_use]
    pub fn made_at(&self, size: u64, most: u64) -> Option<String> {
        let percent = self.size.checked_mul(100)?.checked_div(size).filter(|_| self.size < size)?;
        (percent <= most)
            .then(|| format!("made at {percent} % of the transcript; what follows there is newer"))
    }

    /// The text of a session that has ended: nothing of it runs any more.
    #[must_use]
    pub fn text_once_ended(&self) -> String {
        let runs = [
            ("- Running: ", "- Was running when it ended: "),
            ("- Sub-agent: ", "- Sub-agent that had not reported when it ended: "),
        ];
        let line = |line: &str| {
            let then = runs.iter().find_map(|(now, then)| Some((then, line.strip_prefix(now)?)));
            then.map_or_else(|| line.to_owned(), |(then, rest)| format!("{then}{rest}"))
        };
        self.text.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Of how much of the transcript it is, and how much of it the page cannot tell, in a few words;
    /// empty where that is nothing to say.
    #[must_use]
    pub fn part(&self) -> String {
        let part = match self.read.checked_mul(100).and_then(|read| read.checked_div(self.size)) {
            Some(percent) if self.read < self.size => format!("of {percent} % of the transcript"),
            Some(_) | None => String::new(),
        };
        let newer = match self.newer {
            0 => String::new(),
            1 => "1 call newer than the notepad".to_owned(),
            n => format!("{n} calls newer than the notepad"),
        };
        let both = [part, newer].into_iter().filter(|it| !it.is_empty());
        both.collect::<Vec<_>>().join(", ")
    }
}

/// How the recap of `session` is made that is kept.
pub fn making(call: &Call<'_>, session: &Session) -> Result<Making, OpError> {
    let memories =
        || call.look(|view| Ok(methods::memories(view, session.project, Some(&session.key))?));
    let root = call.place().root.clone();
    let making = Making { root, ..Making::of(&call.config.recap, memories)? };
    // A recap that the next session starts with has nothing of the page beside it.
    if making.method != Method::Best || call.config.profile.words().before == Before::Recap {
        return Ok(making);
    }
    let form =
        (&moments::cap_of(&session.key), &gather::nonce(call.store, call.world, &session.key));
    let (beside, page) = call.look(|view| {
        let page = view.page(&session.key, 1)?.filter(|page| !page.text.is_empty());
        let beside = gather::comes_back(view, call.config, session, form)?;
        Ok((beside, page.map(|page| page.updated_at)))
    })?;
    Ok(Making { beside, page, ..making })
}

/// Reads the transcript at `path` for the method by which recaps are kept.
pub fn read_for(
    making: &Making,
    path: &Path,
    format: Option<Format>,
    (span, policy): (Span, Policy),
) -> Result<Read<Maker>, OpError> {
    let begin = |options: &Options| making.maker(options).noting_wholes(&making.root);
    read_with(path, format, (span, policy), begin, Maker::push)
}

/// The recap within each of the budgets that contexts have, without what stands beside it there:
/// what is put back, and the harness's summary.
fn forms(digest: &Digest, beside: &str) -> Vec<String> {
    let summary = digest.summary();
    let beside = [beside, summary.unwrap_or_default()].join("\n");
    let form = |budget| without_ours(Recap::text_of(&cleaned(digest.sections(budget, &beside))));
    let longer = if summary.is_none() { &LONGER[..] } else { &[] };
    longer.iter().chain(&FORMS).map(|budget| form(*budget)).collect()
}

/// What a summary of the session loses first, within `budget` tokens: what failed, what the user ruled, what is done.
///
/// Empty where it is none of them: names alone are no help to a summariser, nor what it has `beside`.
#[must_use]
pub fn exact(digest: &Digest, budget: usize, beside: &str) -> String {
    let mut sections = cleaned(digest.sections(2 * budget, beside));
    let is_meant = |section: &Section| matches!(section.part, Part::Failed | Part::Done);
    sections.retain(|section| is_meant(section) && !section.lines.is_empty());
    for section in &mut sections {
        section.lines.truncate(EXACT_LINES);
    }
    // The newest rules, whether the last request or an earlier one says them.
    let mut rules = not_ours(digest.rules_beside(beside));
    rules.drain(..rules.len().saturating_sub(EXACT_LINES));
    if !rules.is_empty() {
        let lines = rules.into_iter().map(|rule| format!("\"{rule}\"")).collect();
        sections.push(Section { part: Part::Rules, lines });
        sections.sort_by_key(|section| section.part);
    }
    while budget < tokens::estimate(&Recap::text_of(&sections)) {
        let Some(last) = sections.last_mut() else { break };
        last.lines.pop();
        if last.lines.is_empty() {
            sections.pop();
        }
    }
    Recap::text_of(&sections)
}

/// So many lines tell what failed, and as many each what was ruled and what is done.
const EXACT_LINES: usize = 3;

/// Cuts what a recap does not say to the best of it; says how many lines went.
pub(crate) fn cut(rest: &mut Vec<String>, method: Method) -> usize {
    if method != Method::Best {
        // Chunks are few and short, and their design has all of them in its file.
        return 0;
    }
    let n_more = rest.len().saturating_sub(REST);
    rest.truncate(REST);
    n_more
}

/// The same recap without lines that would pose as ours: every text passes the intake.
#[must_use]
pub fn clean(recap: Recap) -> Recap {
    let mut state = recap.state;
    state.retain(|text| !is_own_block(text));
    Recap {
        text: without_ours(recap.text),
        sections: cleaned(recap.sections),
        rest: not_ours(recap.rest),
        coverage: recap.coverage,
        stop: recap.stop,
        state,
    }
}

fn cleaned(sections: Vec<Section>) -> Vec<Section> {
    let clean = |Section { part, lines }| Section { part, lines: not_ours(lines) };
    sections.into_iter().map(clean).collect()
}

/// The lines that do not pose as ours; thousands are looked through at once.
fn not_ours(mut lines: Vec<String>) -> Vec<String> {
    if is_own_block(&lines.join("\n")) {
        lines.retain(|line| !is_own_block(line));
    }
    lines
}

fn without_ours(text: String) -> String {
    if !is_own_block(&text) {
        return text;
    }
    text.lines().filter(|line| !is_own_block(line)).collect::<Vec<_>>().join("\n")
}

/// The word for a section in JSON.
#[must_use]
pub fn word(part: Part) -> &'static str {
    match part {
        Part::Now => "now",
        Part::Next => "next",
        Part::Decided => "decided",
        Part::Found => "found",
        Part::Failed => "failed",
        Part::Rules => "rules",
        Part::Done => "done",
        Part::Edited => "edited",
        Part::Read => "read",
        Part::Commands => "commands",
    }
}

/// Whether a line is worth asking for by itself: no single word, and no command that every agent types.
pub(crate) fn tells(line: &str) -> bool {
    let is_command = line.starts_with("git ") || command::is_everyones(line);
    line.contains([' ', '/']) && !is_command
}
