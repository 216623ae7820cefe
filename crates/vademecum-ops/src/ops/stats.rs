//! Counts what the memory is worth in a project: what was read again, searched, taken back, told.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::{Category, Entry};
use vademecum_core::project::Project;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;
use vademecum_recap::past::Reread;
use vademecum_store::{EntryFilter, SessionFilter, View};

use super::search;
use crate::call::Call;
use crate::error::OpError;
use crate::moments;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::past::{Told, walk};
use crate::shapes::columns;
use crate::succession;

/// Counts what the memory is worth.
#[derive(Debug)]
pub struct Stats;

/// Of when.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Only sessions that went on since: a day, 2026-10-01, a month, 2026-10, or 12h, 7d, 8w ago
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// What was counted.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Sessions whose transcripts are there and that vade told something.
    pub with: Worked,
    /// Those that it told nothing.
    pub without: Worked,
    /// Transcripts that could not be read, or were too much to read.
    pub unread: u64,
    /// What the sessions keep.
    pub kept: Kept,
    /// What they were told.
    pub told: Sent,
}

/// How sessions worked, as their transcripts show; sub-agents with who started them.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Worked {
    /// Sessions.
    pub sessions: u64,
    /// What the user asked.
    pub requests: u64,
    /// What the agents called.
    pub calls: u64,
    /// Compactions.
    pub compactions: u64,
    /// Files that were read.
    pub reads: u64,
    /// Files that were read again behind a compaction, though nothing had changed them.
    pub again: u64,
    /// What came back of those, in tokens.
    pub again_tokens: u64,
    /// Searches of a memory.
    pub searches: u64,
    /// Those of them that found something.
    pub hits: u64,
}

/// What the sessions of the project keep.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// Sessions that vade knows, sub-agents too.
    pub sessions: u64,
    /// Those that have a page.
    pub pages: u64,
    /// Notes.
    pub notes: u64,
    /// Those that are not crossed out.
    pub open_notes: u64,
    /// Decisions of the project and its plans.
    pub decisions: u64,
    /// Those that the same session took back: it contradicted itself, and said so.
    pub taken_back: u64,
    /// Those that a later session took back.
    pub corrected: u64,
}

/// What sessions were told, as the list of contexts has it.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sent {
    /// Contexts.
    pub contexts: u64,
    /// What they cost, four characters a token.
    pub tokens: u64,
    /// Sessions that were offered what an earlier one left.
    pub offered: u64,
    /// Those of them that went on with it.
    pub taken_over: u64,
    /// What earlier sessions kept, told at prompts; counted when a session ends.
    pub at_prompts: u64,
    /// How much of that was used.
    pub used: u64,
}

impl Operation for Stats {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "stats",
        aliases: &[],
        title: "Count what the memory is worth here",
        about: "Count, from the transcripts and the store of this project: files read again after a compaction, searches that found something, decisions taken back, what was told and what it cost.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["stats"], places: &[], stdin: None }),
        example: r#"{"since": "8w"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        call.check_on()?;
        let since = input.since.as_deref().map(|since| search::since(call, since)).transpose()?;
        let mut output = Output::default();
        let sent = contexts(call, since);
        let project = call.look(|view| Ok(call.project(view)?))?;
        let sessions = match &project {
            Some(project) => call.look(|view| sessions(view, project, since))?,
            None => Vec::new(),
        };
        worked(call, since, &sent, &mut output)?;
        if let Some(project) = project {
            output.kept = call.look(|view| kept(view, &project, &sessions, since))?;
        }
        let recalled = moments::recall_use_of_sessions(&call.world.folders.data);
        output.told = call.look(|view| told(view, &sessions, &sent, &recalled))?;
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let Output { with, without, kept, told, unread } = output;
        let rows = Worked::rows().map(|(name, value)| {
            let (with, without) = (value(with), value(without));
            vec![name.to_owned(), with, without]
        });
        let mut lines = columns(&["IN TRANSCRIPTS", "TOLD BY VADE", "NOT TOLD"], rows.into_iter());
        if 0 < *unread {
            lines.push(format!("{unread} transcripts were not read"));
        }
        let rows = [
            ("sessions, sub-agents too", kept.sessions),
            ("pages", kept.pages),
            ("notes", kept.notes),
            ("notes that are open", kept.open_notes),
            ("decisions", kept.decisions),
            ("taken back by the same session", kept.taken_back),
            ("corrected by a later one", kept.corrected),
            ("contexts told", told.contexts),
            ("what they cost, in tokens", told.tokens),
            ("sessions offered earlier work", told.offered),
            ("that went on with it", told.taken_over),
            ("told at prompts", told.at_prompts),
            ("of these used", told.used),
        ];
        let rows = rows.map(|(name, n)| vec![name.to_owned(), n.to_string()]);
        lines.push(String::new());
        lines.extend(columns(&["KEPT AND TOLD", "HERE"], rows.into_iter()));
        lines.join("\n")
    }
}

/// The name of a row, and what stands in it.
type Row = (&'static str, fn(&Worked) -> String);

impl Worked {
    fn rows() -> [Row; 9] {
        [
            ("sessions", |it| it.sessions.to_string()),
            ("requests", |it| it.requests.to_string()),
            ("calls", |it| it.calls.to_string()),
            ("compactions", |it| it.compactions.to_string()),
            ("files read", |it| it.reads.to_string()),
            ("read again after a compaction, unchanged", |it| part(it.again, it.reads)),
            ("what that cost, in tokens", |it| it.again_tokens.to_string()),
            ("searches of a memory", |it| it.searches.to_string()),
            ("that found something", |it| part(it.hits, it.searches)),
        ]
    }

    fn add(&mut self, counted: &Reread) {
        self.calls += u64::from(counted.calls);
        self.compactions += u64::from(counted.compactions);
        self.reads += u64::from(counted.reads);
        self.again += u64::from(counted.again);
        self.again_tokens += counted.again_tokens;
        self.searches += u64::from(counted.searches);
        self.hits += u64::from(counted.hits);
    }
}

fn part(part: u64, of: u64) -> String {
    let percent = (100 * part + of / 2).checked_div(of);
    percent.map_or_else(|| part.to_string(), |percent| format!("{part} ({percent} %)"))
}

/// The contexts that were sent since, by the full names of the sessions that had them.
fn contexts(call: &Call<'_>, since: Option<Time>) -> BTreeMap<String, Vec<moments::Sent>> {
    let mut by_session: BTreeMap<String, Vec<moments::Sent>> = BTreeMap::new();
    for sent in moments::sent(&call.world.folders.data) {
        if since.is_none() || since <= Time::parse(&sent.at) {
            by_session.entry(sent.session.clone()).or_default().push(sent);
        }
    }
    by_session
}

fn sessions(view: &dyn View, project: &Project, since: Option<Time>) -> Result<Vec<Session>, OpError> {
    let filter = SessionFilter { project: Some(project.id), ..SessionFilter::ALL };
    let mut sessions = view.sessions(filter)?;
    sessions.retain(|session| since <= Some(session.seen_at) && !succession::is_taken_in(session));
    Ok(sessions)
}

fn worked(
    call: &Call<'_>,
    since: Option<Time>,
    sent: &BTreeMap<String, Vec<moments::Sent>>,
    output: &mut Output,
) -> Result<(), OpError> {
    let walked = walk(call, "", |_| Reread::default(), Reread::push)?;
    output.unread = walked.unread as u64;
    let mut seen: BTreeSet<SessionKey> = BTreeSet::new();
    for told in walked.told {
        let is_of_sub_agent = told.is_of_sub_agent();
        let Told { key, at, digest, .. } = told;
        if at < since {
            continue;
        }
        let is_told = sent.contains_key(&key.to_string());
        let worked = if is_told { &mut output.with } else { &mut output.without };
        worked.sessions += u64::from(seen.insert(key));
        worked.add(&digest);
        // What a sub-agent is asked, no user asks.
        worked.requests += if is_of_sub_agent { 0 } else { u64::from(digest.requests) };
    }
    Ok(())
}

fn kept(
    view: &dyn View,
    project: &Project,
    sessions: &[Session],
    since: Option<Time>,
) -> Result<Kept, OpError> {
    let mut kept = Kept { sessions: sessions.len() as u64, ..Kept::default() };
    for session in sessions {
        let card = view.card(&session.key)?;
        kept.pages += u64::from(card.notepad_rev.is_some());
        kept.notes += card.counts.notes;
        kept.open_notes += card.counts.open;
    }
    let filter = EntryFilter {
        project: Some(project.id),
        category: Some(Category::Decision),
        by_id: true,
        ..EntryFilter::default()
    };
    let decisions = view.entries(filter, 0)?;
    let own: BTreeMap<_, &Entry> = decisions.iter().map(|entry| (entry.id, entry)).collect();
    for entry in decisions.iter().filter(|entry| since <= Some(entry.at) && entry.merged_from.is_none()) {
        kept.decisions += 1;
        let Some(before) = entry.said.supersedes.and_then(|id| own.get(&id)) else { continue };
        let is_same = entry.session.is_some() && entry.session == before.session;
        kept.taken_back += u64::from(is_same);
        kept.corrected += u64::from(!is_same);
    }
    Ok(kept)
}

fn told(
    view: &dyn View,
    sessions: &[Session],
    sent: &BTreeMap<String, Vec<moments::Sent>>,
    recalled: &BTreeMap<String, moments::RecallUse>,
) -> Result<Sent, OpError> {
    let mut told = Sent::default();
    for session in sessions {
        let name = session.key.to_string();
        if let Some(recalled) = recalled.get(&name) {
            told.at_prompts += recalled.told;
            told.used += recalled.used;
        }
        let Some(sent) = sent.get(&name) else { continue };
        told.contexts += sent.len() as u64;
        told.tokens += sent.iter().map(|sent| sent.units as u64).sum::<u64>().div_ceil(4);
        let offered = sent.iter().any(|sent| sent.offered.is_some());
        told.offered += u64::from(offered);
        told.taken_over += u64::from(offered && succession::taken_over(view, session)?.is_some());
    }
    Ok(told)
}
