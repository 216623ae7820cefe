//! Recalls what the project knows, and what its earlier sessions did about a file, an error or a program.

mod kept;
mod known;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::frame;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_recap::past::{Error, Mend, Mended, Run, Runs, Spot, Touch, Touched, file};

use super::search::{self, FoundShape};
use crate::call::Call;
use crate::error::OpError;
use crate::moments;
use crate::operation::{Answer, Declaration, Effect, Models, Operation};
use crate::past::{Told, Walked, walk};
use crate::plans::EntryShape;
use crate::shapes::counted;

/// Recalls what is known, and what earlier sessions did.
#[derive(Debug)]
pub struct Recall;

/// So much is told of each part, unless more is asked for.
const SHOWN: usize = 8;

/// What is asked.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// known: issues, decisions, learnings; file: who changed it, why; error: what ended it; program: how it is run here
    #[schemars(with = "String", extend("enum" = ["known", "file", "error", "program"]))]
    pub kind: Kind,
    /// Path or name; the error as printed; how the command begins, or nothing; for known a task
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// For known: a plan
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Of each part; 0 for all
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// What is asked about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What the project knows.
    #[default]
    Known,
    /// A file, or what lies below a folder.
    File,
    /// An error.
    Error,
    /// A program.
    Program,
}

/// What is known.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// What was asked about.
    pub kind: Kind,
    /// Its name.
    pub about: String,
    /// How many entries are in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_force: Option<String>,
    /// Of these as many as fit: issues, then decisions, then learnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<EntryShape>,
    /// How many of these have words of the task; they stand first.
    #[serde(skip)]
    pub n_found: usize,
    /// Whether there are older entries than were looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub older: bool,
    /// What is wrong with the files of plans, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Who changed the file, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// How often it was read in all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reads: u32,
    /// When the error stood, and what ended it, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mends: Vec<MendShape>,
    /// How the program was run, the most telling first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunShape>,
    /// How much more there is of these.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u32,
    /// What was noted, decided and left about it, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<FoundShape>,
    /// Whether none of these has all of what was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
    /// How many transcripts the harnesses keep of the project's sessions.
    pub transcripts: u32,
    /// How many of them could not be read, or were too much to read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread: u32,
}

/// What a session did to a file for one request.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Where it is told.
    #[serde(flatten)]
    pub place: Place,
    /// How often it was changed.
    pub times: u32,
    /// What was done beside edits: wrote, deleted, moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<String>,
    /// What the user had asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The agent's sentence that says most of why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The subject of the commit that followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// A time that an error stood, and what ended it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MendShape {
    /// Where it stood last.
    #[serde(flatten)]
    pub place: Place,
    /// The line, as it stood.
    pub error: String,
    /// What failed with it; none where the user told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How often it stood.
    pub times: u32,
    /// Whether the same command ran well afterwards.
    pub ended: bool,
    /// What was changed and run before it did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// How many steps there were before those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub earlier: u32,
    /// The agent's sentence that says most of why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The command that ran well, where it is not quite the one that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub well: Option<String>,
    /// The day on which it came back after that; none where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub came_back: Option<String>,
}

/// A form in which a program was run.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunShape {
    /// Where it was run last.
    #[serde(flatten)]
    pub place: Place,
    /// The command.
    pub command: String,
    /// How often.
    pub times: u32,
    /// How often it failed.
    pub failed: u32,
    /// Whether it went well the last time.
    pub ok: bool,
}

/// Where something is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The session.
    pub session: String,
    /// Whether a sub-agent of it did that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sub_agent: bool,
    /// When (RFC 3339); none where the harness does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The transcript.
    pub transcript: String,
    /// The line of it, from 1.
    pub line: u64,
    /// When that was where the person is.
    #[serde(skip)]
    pub when: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl Operation for Recall {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "recall",
        aliases: &[],
        title: "Recall what is known and was done",
        about: "Recall what this project knows, and what its sessions did about a file, an error, a program. Before redoing work or delegating.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfAnyone,
        command: None,
        example: r#"{"kind": "error", "about": "error[E0502]: cannot borrow `queue` as mutable"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.check_on()?;
        let about = input.about.as_deref().unwrap_or_default().trim();
        if about.is_empty() && matches!(input.kind, Kind::File | Kind::Error) {
            return Err(OpError::usage("about is missing: give the file or the error"));
        }
        if input.plan.is_some() && input.kind != Kind::Known {
            return Err(OpError::usage("plan is for what is known: leave it out, or use kind known"));
        }
        moments::asked(call);
        let mut output = Output::new(input.kind, about);
        match input.kind {
            Kind::Known => known::fill(call, about, &input, &mut output)?,
            Kind::File => changes(call, about, &mut output)?,
            Kind::Error => mends(call, about, &mut output)?,
            Kind::Program => runs(call, about, &mut output)?,
        }
        if input.kind != Kind::Known {
            output.cut(input.limit.unwrap_or(SHOWN));
        }
        if !about.is_empty() {
            kept::find(call, input.kind, about, &mut output)?;
        }
        if input.kind == Kind::Known {
            known::settle(&mut output, input.limit);
        }
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let mut lines = vec![output.head()];
        if output.kind == Kind::Known {
            lines.extend(known::lines(output));
            return lines.join("\n");
        }
        lines.extend(output.changes.iter().map(Change::line));
        lines.extend(output.mends.iter().flat_map(MendShape::lines));
        lines.extend(output.runs.iter().map(RunShape::line));
        if 0 < output.more {
            lines.push(format!("and {} more", output.more));
        }
        lines.extend(output.folders());
        lines.extend(output.kept_lines());
        lines.join("\n")
    }
}

impl Output {
    fn new(kind: Kind, about: &str) -> Self {
        Self { kind, about: frame::line(about, LINE), ..Self::default() }
    }

    fn walked<D>(&mut self, walked: &Walked<D>) {
        self.transcripts = u32::try_from(walked.all).unwrap_or(u32::MAX);
        self.unread = u32::try_from(walked.unread).unwrap_or(u32::MAX);
    }

    /// Leaves so much of each part; 0 is no limit.
    fn cut(&mut self, limit: usize) {
        let limit = if limit == 0 { usize::MAX } else { limit };
        let all = self.changes.len() + self.mends.len() + self.runs.len();
        self.changes.truncate(limit);
        self.mends.truncate(limit);
        self.runs.truncate(limit);
        let shown = self.changes.len() + self.mends.len() + self.runs.len();
        self.more = u32::try_from(all - shown).unwrap_or(u32::MAX);
    }

    /// What was found of what is kept, below what it is called.
    fn kept_lines(&self) -> Vec<String> {
        let how = if self.partly { ", with some of these words:" } else { " about it:" };
        let head = (!self.kept.is_empty()).then(|| format!("noted and decided{how}"));
        head.into_iter().chain(self.kept.iter().map(FoundShape::line)).collect()
    }

    /// Where the transcripts lie of which lines are told; none where none are.
    fn folders(&self) -> Option<String> {
        let places = self.changes.iter().map(|it| &it.place);
        let places = places.chain(self.mends.iter().map(|it| &it.place));
        let places = places.chain(self.runs.iter().map(|it| &it.place));
        // Those of sub-agents lie below their sessions'.
        let places = places.filter(|place| !place.sub_agent);
        let folders: BTreeSet<&str> =
            places.filter_map(|place| Some(place.transcript.rsplit_once('/')?.0)).collect();
        let folders: Vec<String> =
            folders.into_iter().map(|folder| frame::line(folder, LINE)).collect();
        (!folders.is_empty()).then(|| format!("lines of the transcripts in {}", folders.join(", ")))
    }

    fn head(&self) -> String {
        let Self { about, transcripts, unread, .. } = self;
        // What is looked for may end as the words before it do.
        let before = about.strip_suffix(':').unwrap_or(about);
        // Not every harness reads by a tool of its own.
        let reads = match self.reads {
            0 => String::new(),
            n => format!(", read {}", counted(n as usize, "time")),
        };
        let said = match self.kind {
            Kind::File if self.changes.is_empty() => format!("no session is known to have changed {about}{reads}"),
            Kind::File => format!("{before}: changed by these sessions{reads}"),
            Kind::Error if self.mends.is_empty() => format!("no session is known to have met {about}"),
            Kind::Error => format!("{before}: met by these sessions"),
            Kind::Program if self.runs.is_empty() && about.is_empty() => "no session is known to have run anything".to_owned(),
            Kind::Program if self.runs.is_empty() => format!("no session is known to have run {about}"),
            Kind::Program if about.is_empty() => "run most here".to_owned(),
            Kind::Program => format!("{before}: run here as"),
            Kind::Known => return known::head(self),
        };
        let unread = match unread {
            0 => String::new(),
            n => format!("; {n} not read"),
        };
        let transcripts = counted(*transcripts as usize, "transcript");
        format!("{said} ({transcripts} of this project{unread})")
    }
}

/// So many characters of another's text are told on a line.
const LINE: usize = 240;

impl Place {
    fn of(
        call: &Call<'_>,
        (key, path, sub_agent): (&SessionKey, &Path, bool),
        spot: Spot,
    ) -> Result<Self, OpError> {
        let session = call.look(|view| Ok(view.session(key)?))?;
        Ok(Self {
            session: session.map_or_else(|| short(key), |session| session.handle()),
            sub_agent,
            at: spot.at.map(Time::to_rfc3339),
            transcript: path.display().to_string(),
            line: spot.record + 1,
            when: spot.at.map_or_else(|| "at a time not told".to_owned(), |at| search::when(call, at)),
        })
    }

    /// Where it is, for a person or a model.
    fn head(&self) -> String {
        let by = if self.sub_agent { " (sub-agent)" } else { "" };
        format!("{}, session {}{by}, line {}", self.when, self.session, self.line)
    }
}

impl Change {
    fn of(place: Place, touch: Touch) -> Self {
        let Touch { changes: times, deed, asked, why, commit, .. } = touch;
        Self { place, times, deed: deed.map(str::to_owned), asked, why, commit }
    }

    fn line(&self) -> String {
        let changes = counted(self.times as usize, "change");
        let deed = self.deed.as_ref().map_or_else(String::new, |deed| format!(" ({deed})"));
        let mut parts = vec![format!("{}: {changes}{deed}", self.place.head())];
        let mut add = |name: &str, text: &Option<String>| {
            parts.extend(text.as_ref().map(|text| format!("{name}: {}", frame::line(text, LINE))));
        };
        add("asked", &self.asked);
        add("why", &self.why);
        add("commit", &self.commit);
        parts.join(" · ")
    }
}

impl MendShape {
    fn of(place: Place, mend: Mend) -> Self {
        let Mend { line: error, command, times, ended, steps, earlier, why, well, .. } = mend;
        let earlier = u32::try_from(earlier).unwrap_or(u32::MAX);
        Self { place, error, command, times, ended: ended.is_some(), steps, earlier, why, well, came_back: None }
    }

    fn lines(&self) -> Vec<String> {
        let times = if self.times == 1 { String::new() } else { format!(" ({} times)", self.times) };
        let met = match &self.command {
            Some(command) => format!("in {}", frame::line(command, LINE)),
            None => "told by the user".to_owned(),
        };
        let mut lines = vec![format!("{}{times}: {met}", self.place.head())];
        lines.push(format!("  {}", frame::line(&self.error, LINE)));
        let earlier = (0 < self.earlier).then(|| format!("({})", counted(self.earlier as usize, "step")));
        let steps = self.steps.iter().map(|step| frame::line(step, LINE));
        let steps: Vec<String> = earlier.into_iter().chain(steps).collect();
        let steps = if steps.is_empty() { "nothing that is seen here".to_owned() } else { steps.join(" → ") };
        let well = self.well.as_ref().map(|well| format!("; then {} ran well", frame::line(well, LINE)));
        let well = well.unwrap_or_default();
        lines.push(match (&self.command, self.ended, &self.came_back) {
            (_, true, None) => format!("  ended by: {steps}{well}; it did not come back"),
            (_, true, Some(day)) => format!("  ended by: {steps}{well}; it came back on {day}"),
            (Some(_), false, _) => format!("  not seen to end; done since: {steps}"),
            (None, false, _) => format!("  done then: {steps}"),
        });
        lines.extend(self.why.as_ref().map(|why| format!("  why: {}", frame::line(why, LINE))));
        lines
    }
}

impl RunShape {
    fn line(&self) -> String {
        let (times, failed) = (counted(self.times as usize, "time"), self.failed);
        let failed = match (failed, self.ok) {
            (0, _) => String::new(),
            (n, true) => format!(", {n} failed"),
            (n, false) => format!(", {n} failed, the last too"),
        };
        let command = frame::line(&self.command, LINE);
        format!("{command} ({times}{failed}; last {})", self.place.head())
    }
}

/// A session that vade does not know, by the beginning of its harness's id.
fn short(key: &SessionKey) -> String {
    key.external[..key.external.floor_char_boundary(8)].to_owned()
}

/// The path that is meant: one that begins with `.` or `..` is of where the caller works.
fn meant(call: &Call<'_>, path: &str) -> PathBuf {
    let is_from_here = matches!(Path::new(path).components().next(), Some(Component::CurDir | Component::ParentDir));
    if is_from_here { straight(&call.world.folders.work.join(path)) } else { straight(Path::new(path)) }
}

/// A path without steps that lead back, which are told by their names alone.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if straight.pop() => {}
            Component::CurDir => {}
            part => straight.push(part),
        }
    }
    straight
}

fn changes(call: &Call<'_>, about: &str, output: &mut Output) -> Result<(), OpError> {
    let about = meant(call, file(about));
    let path = about.strip_prefix(&call.place().root).unwrap_or(&about).to_string_lossy();
    let path = path.as_ref();
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let walked = walk(call, word_of(name), |options| Touched::new(path, options), Touched::push)?;
    output.walked(&walked);
    for told in walked.told {
        let is_by_sub_agent = told.is_of_sub_agent();
        let Told { key, path, digest, .. } = told;
        output.reads += digest.reads;
        for touch in digest.finish() {
            let place = Place::of(call, (&key, &path, is_by_sub_agent), touch.last)?;
            output.changes.push(Change::of(place, touch));
        }
    }
    newest_first(&mut output.changes, |change| &change.place);
    Ok(())
}

fn mends(call: &Call<'_>, about: &str, output: &mut Output) -> Result<(), OpError> {
    let error = Error::new(about).ok_or_else(|| {
        OpError::usage(format!("\"{}\" names no error: give a line of it as it was printed", frame::line(about, LINE)))
    })?;
    let begin = |options: &_| Mended::new(Some(error.clone()), options);
    let walked = walk(call, error.word(), begin, Mended::push)?;
    output.walked(&walked);
    for told in walked.told {
        let is_by_sub_agent = told.is_of_sub_agent();
        let Told { key, path, digest, .. } = told;
        for mend in digest.finish() {
            let place = Place::of(call, (&key, &path, is_by_sub_agent), mend.last)?;
            output.mends.push(MendShape::of(place, mend));
        }
    }
    newest_first(&mut output.mends, |mend| &mend.place);
    // Another error of the same word is no return of this one.
    let met: Vec<_> = output.mends.iter().map(|mend| (Error::new(&mend.error), mend.place.day())).collect();
    for (at, mend) in output.mends.iter_mut().enumerate().filter(|(_, mend)| mend.ended) {
        let later = met[..at].iter().rev().find(|(error, _)| *error == met[at].0);
        mend.came_back = later.and_then(|(_, day)| day.clone());
    }
    Ok(())
}

fn runs(call: &Call<'_>, about: &str, output: &mut Output) -> Result<(), OpError> {
    let word = about.split_whitespace().next().unwrap_or_default();
    runs_of(call, word, || Runs::new(about), output)?;
    // Who knows no program may know a word of how it is called.
    if output.runs.is_empty() && !about.is_empty() {
        runs_of(call, word, || Runs::anywhere(about), output)?;
    }
    // What ran well the last time, then what was run most, then last; without a question what was run most.
    output.runs.sort_by(|a, b| {
        let by = |run: &RunShape| (run.ok || about.is_empty(), run.times, run.place.at.clone());
        by(b).cmp(&by(a))
    });
    Ok(())
}

fn runs_of(
    call: &Call<'_>,
    word: &str,
    begin: impl Fn() -> Runs,
    output: &mut Output,
) -> Result<(), OpError> {
    let walked = walk(call, word_of(word), |_| begin(), Runs::push)?;
    output.walked(&walked);
    for told in walked.told {
        let is_by_sub_agent = told.is_of_sub_agent();
        let Told { key, path, digest, .. } = told;
        for run in digest.finish() {
            let place = Place::of(call, (&key, &path, is_by_sub_agent), run.last)?;
            add_run(&mut output.runs, run, place);
        }
    }
    Ok(())
}

/// Adds up what several sessions ran; the newest told how it went.
fn add_run(runs: &mut Vec<RunShape>, run: Run, place: Place) {
    let Run { command, times, failed, is_ok: ok, .. } = run;
    match runs.iter_mut().find(|known| known.command == command) {
        Some(known) => {
            known.times += times;
            known.failed += failed;
            if known.place.at < place.at {
                (known.place, known.ok) = (place, ok);
            }
        }
        None => runs.push(RunShape { place, command, times, failed, ok }),
    }
}

fn newest_first<T>(told: &mut [T], place: impl Fn(&T) -> &Place) {
    told.sort_by(|a, b| place(b).at.cmp(&place(a).at));
}

impl Place {
    fn day(&self) -> Option<String> {
        Some(self.at.as_ref()?.get(..10)?.to_owned())
    }
}

/// The part of a name that stands in a transcript as it is: no sign that JSON writes otherwise.
fn word_of(name: &str) -> &str {
    let is_other = |c: char| !c.is_ascii() || c.is_ascii_control() || matches!(c, '"' | '\\' | '/');
    name.split(is_other).max_by_key(|part| part.len()).unwrap_or_default()
}
