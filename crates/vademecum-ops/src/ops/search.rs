//! Searches all that the project keeps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::entry::on_branch;
use vademecum_core::frame;
use vademecum_core::id::ProjectId;
use vademecum_core::note::Tags;
use vademecum_core::project::{self, Project};
use vademecum_core::search::Query;
use vademecum_core::session::SessionKey;
use vademecum_core::time::{Time, parse_age};
use vademecum_store::{Author, Document, StoreError, View};

use crate::branches;
use crate::call::Call;
use crate::error::OpError;
use crate::finding::{self, Found, Kind, Over, Piece, Wanted};
use crate::moments;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};

/// Searches all that the project keeps.
#[derive(Debug)]
pub struct Search;

/// So many are shown, unless more are asked for.
const SHOWN: usize = 10;

/// So many characters of a piece are shown on its line.
const SHORT: usize = 400;

/// What is looked for.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Words, a name, a path or any part of the text; nothing in it is syntax.
    pub query: String,
    /// Only these kinds: note, page, handoff, recap, decision, issue, learning
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// Only notes and entries with all of these tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Only what was written since: a day, 2026-10-01, a month, 2026-10, or 12h, 7d, 8w ago
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Only what was written until the end of a day, 2026-10-31, or of a month, 2026-10
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// At most so many, 0 for all. Default: 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// In all projects of this store
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// What was found.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The best of it, the best first.
    pub found: Vec<FoundShape>,
    /// How many there are that hold all of the query; with `more`, at least so many.
    pub matched: u64,
    /// How many of those shown hold a part of it only.
    pub partly: u64,
    /// Whether there may be more than were looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Whether that is because parts of words so short are not looked for.
    #[serde(skip)]
    pub is_short: bool,
}

impl Output {
    /// What is said of what was not looked at.
    pub(super) fn unseen(&self) -> &'static str {
        match (self.more, self.is_short) {
            (false, _) => "",
            (true, true) => INSIDE,
            (true, false) => UNSEEN,
        }
    }
}

/// A piece of what is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundShape {
    /// What it is of: note, page, handoff, recap, decision, issue or learning.
    pub kind: String,
    /// The piece: a note or an entry whole, of a longer text the paragraph below its heading.
    pub text: String,
    /// When that was last written (RFC 3339).
    pub at: String,
    /// The session that it is of, or that wrote it; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The name of the project that keeps it, where all are searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The id of a note or an entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The plan of an entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What a note or an entry is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Why it holds no longer: crossed out, resolved, or superseded by another entry; none while it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// The branch that an entry was recorded on, where another one is checked out into which it is not merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
    /// When that was where the person is: the day, of the last two days the minute too.
    #[serde(skip)]
    pub when: String,
    /// Whether it is of the session that asks.
    #[serde(skip)]
    pub is_own: bool,
}

impl FoundShape {
    fn of(call: &Call<'_>, view: &dyn View, piece: Piece) -> Result<Self, OpError> {
        let Piece { document, kind, text, over, elsewhere, .. } = piece;
        let session = document.session().map(|key| view.session(key)).transpose()?.flatten();
        let (id, plan) = match &document {
            Document::Note(_, note) => (Some(note.id.to_string()), None),
            Document::Entry(entry) => (Some(entry.id.to_string()), Some(entry.plan.to_string())),
            _ => (None, None),
        };
        Ok(Self {
            kind: kind.word().to_owned(),
            text,
            at: document.at().to_rfc3339(),
            when: when(call, document.at()),
            is_own: false,
            session: session.map(|session| session.handle()),
            project: None,
            id,
            plan,
            tags: document.tags().to_vec(),
            over: over.map(said_over),
            elsewhere: elsewhere.map(|branch| branch.as_str().to_owned()),
        })
    }

    /// The piece on one line: what it is, where it stands, its words.
    pub(super) fn line(&self) -> String {
        let Self { kind, text, when, session, project, id, tags, over, elsewhere, .. } = self;
        // The id of a note says what it is.
        let head = match id {
            Some(id) if kind == Kind::Note.word() => id.clone(),
            Some(id) => format!("{kind} {id}"),
            None => kind.clone(),
        };
        let session = match session {
            Some(_) if self.is_own => ", this session".to_owned(),
            Some(of) => format!(", session {of}"),
            None => String::new(),
        };
        let project = project.as_ref().map_or_else(String::new, |name| format!(", {}", project::shown(name)));
        let over = over.as_ref().map_or_else(String::new, |over| format!(", {over}"));
        let branch = elsewhere.as_deref().map(|it| format!(", {}", on_branch(it)));
        let branch = branch.unwrap_or_default();
        let tags: Vec<String> = tags.iter().map(|tag| frame::line(tag, SHORT)).collect();
        let tags = if tags.is_empty() { String::new() } else { format!("[{}] ", tags.join(", ")) };
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let text = frame::line_behind(&lines.collect::<Vec<_>>().join(" · "), SHORT);
        format!("{head} ({when}{project}{session}{branch}{over}): {tags}{text}")
    }
}

fn said_over(over: Over) -> String {
    match over {
        Over::Scratched => "crossed out".to_owned(),
        Over::Resolved => "resolved".to_owned(),
        Over::Superseded(Some(by)) => format!("superseded by {by}"),
        Over::Superseded(None) => "superseded".to_owned(),
    }
}

impl Operation for Search {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "search_project",
        aliases: &[],
        title: "Search all that the project keeps",
        about: "Find in all sessions of this project what was noted, decided, planned or left: notes, pages, handoffs, recaps, decisions, issues, learnings.",
        effect: Effect::Reads,
        of_session: false,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["search"], places: &["query"], stdin: None }),
        example: r#"{"query": "retry queue", "kinds": ["decision", "note"], "since": "8w"}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let reach = if input.all { Reach::All } else { Reach::Here };
        let found = find(call, (&input.query, &reach), &wanted(call, &input)?, input.limit)?;
        moments::asked(call);
        Ok(found)
    }

    fn say(output: &Output) -> String {
        say(&output.found, (output.matched, output.partly), output.unseen())
    }
}

/// In which projects is searched.
#[derive(Debug)]
pub(super) enum Reach {
    /// In that of the call.
    Here,
    /// In that of the session that asks: one server may serve sessions of several.
    Of(ProjectId, SessionKey),
    /// In all of the store.
    All,
}

/// The best of what projects keep; 0 is no limit.
pub(super) fn find(
    call: &Call<'_>,
    (query, reach): (&str, &Reach),
    wanted: &Wanted,
    limit: Option<usize>,
) -> Result<Output, OpError> {
    let text = query.trim();
    let query = self::query(text)?;
    let limit = Some(limit.unwrap_or(SHOWN)).filter(|limit| *limit != 0).unwrap_or(usize::MAX);
    call.look(|view| {
        call.check_on_in(view, call.project(view)?.as_ref())?;
        let mut projects = match reach {
            Reach::Here => call.project(view)?.into_iter().collect(),
            Reach::Of(project, _) => view.project(*project)?.into_iter().collect(),
            Reach::All => view.projects(None)?,
        };
        projects.retain(|project| project.off_at.is_none());
        let ids: Vec<_> = projects.iter().map(|project| project.id).collect();
        let mut found = finding::find(view, &ids, (text, &query), wanted)?;
        put_behind(call, view, &mut found)?;
        let matched = found.pieces.iter().filter(|piece| piece.is_whole).count() as u64;
        found.pieces.truncate(limit);
        let shown = shown(call, view, (reach, &projects), found.pieces)?;
        let partly = (shown.len() as u64).saturating_sub(matched);
        let is_short = query.literal.as_ref().is_some_and(|literal| literal.grams.is_empty());
        Ok(Output { found: shown, matched, partly, more: found.has_more, is_short })
    })
}

fn shown(
    call: &Call<'_>,
    view: &dyn View,
    (reach, projects): (&Reach, &[Project]),
    pieces: Vec<Piece>,
) -> Result<Vec<FoundShape>, OpError> {
    view.expect(&|view| {
        let sessions = pieces.iter().filter_map(|piece| piece.document.session());
        sessions.for_each(|key| drop(view.session(key)));
    });
    let shape = |piece: Piece| {
        let of = projects.iter().find(|project| project.id == piece.project);
        let project = of.filter(|_| matches!(reach, Reach::All)).map(|of| of.name.clone());
        let is_own = matches!(reach, Reach::Of(_, own) if piece.document.session() == Some(own));
        Ok(FoundShape { project, is_own, ..FoundShape::of(call, view, piece)? })
    };
    pieces.into_iter().map(shape).collect()
}

/// Puts entries of another branch behind the others.
fn put_behind(call: &Call<'_>, view: &dyn View, found: &mut Found) -> Result<(), StoreError> {
    let Some(here) = call.project(view)? else { return Ok(()) };
    let entry = |piece: &Piece| match &piece.document {
        Document::Entry(entry) if piece.project == here.id => Some(entry.clone()),
        _ => None,
    };
    let entries: Vec<_> = found.pieces.iter().filter_map(entry).collect();
    let elsewhere = branches::elsewhere(call, view, here.id, entries.iter().map(|it| &**it))?;
    found.put_behind(here.id, &elsewhere);
    Ok(())
}

/// What was found, a line each; of all that match so many hold all of the query, and a part of it.
pub(super) fn say(found: &[FoundShape], (matched, partly): (u64, u64), unseen: &str) -> String {
    let whole = found.len() as u64 - partly;
    let head = match (whole, partly) {
        (0, 0) => return format!("nothing that the project keeps matches{unseen}"),
        (0, n) => format!("nothing holds all of it; {n} a part{unseen}"),
        (_, 0) if whole == matched => format!("{whole} found{unseen}"),
        (_, 0) => format!("{whole} of {matched} found{unseen}"),
        (_, n) => format!("{whole} found; {} a part{unseen}", crate::shapes::hold(n)),
    };
    let lines = found.iter().map(FoundShape::line);
    std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
}

/// What is said where something older may hold all of the query and was not looked at.
const UNSEEN: &str = "; older ones were not all looked at: a whole, rarer word or a tag finds them";

/// What is said where no index knows the query as a part of a word.
const INSIDE: &str = "; inside longer words it is found by three characters or more";

fn query(text: &str) -> Result<Query, OpError> {
    if text.is_empty() {
        return Err(OpError::usage("there is nothing to search for: give words, a name or a path"));
    }
    let query = Query::parse(text);
    if query.literal.is_none() {
        let (n, most) = (text.len(), Query::MAX_LEN);
        return Err(OpError::usage(format!("the query has {n} bytes, {most} are allowed")));
    }
    Ok(query)
}

fn wanted(call: &Call<'_>, input: &Input) -> Result<Wanted, OpError> {
    let kind = |word: &str| {
        let one = word.strip_suffix('s').unwrap_or(word);
        Kind::parse(one).ok_or_else(|| {
            let known = Kind::ALL.map(Kind::word).join(", ");
            OpError::usage(format!("kind \"{word}\" is not known: use {known}"))
        })
    };
    let kinds = input.kinds.iter().flat_map(|kinds| kinds.split(','));
    let kinds = kinds.map(str::trim).filter(|word| !word.is_empty());
    Ok(Wanted {
        kinds: kinds.map(kind).collect::<Result<_, _>>()?,
        tags: Tags::filter(&input.tags)?,
        since: input.since.as_deref().map(|since| self::since(call, since)).transpose()?,
        until: input.until.as_deref().map(|until| self::until(call, until)).transpose()?,
        without_scratched: false,
        without_desk: call.caller.origin.author == Author::Agent,
    })
}

/// A time as the clock shows it where the person is, `1`; from what that clock shows, `-1`.
fn local(call: &Call<'_>, at: Time, way: i64) -> Time {
    at.plus(way * i64::from((call.world.east)(at)) * 1000)
}

pub(super) fn when(call: &Call<'_>, at: Time) -> String {
    const LATELY_MS: i64 = 2 * 24 * 60 * 60 * 1000;
    let here = local(call, at, 1);
    let minute = here.to_rfc3339();
    match minute.get(11..16) {
        Some(minute) if call.now().since(at) < LATELY_MS => format!("{} {minute}", here.day()),
        _ => here.day(),
    }
}

/// The first moment of a day or a month, as a clock shows it.
fn beginning(text: &str) -> Option<Time> {
    Time::parse(&format!("{text}T00:00:00Z")).or_else(|| Time::parse(&format!("{text}-01T00:00:00Z")))
}

/// The moment that a person means by a day, a month, a time or an age.
pub fn since(call: &Call<'_>, text: &str) -> Result<Time, OpError> {
    let day = || beginning(text).map(|at| local(call, at, -1));
    let ago = || parse_age(text).map(|ms| call.now().plus(-ms));
    Time::parse(text).or_else(day).or_else(ago).ok_or_else(|| {
        OpError::usage(format!(
            "since takes a day such as 2026-10-01, a month such as 2026-10, or an age such as 12h, 7d or 8w; \"{text}\" given"
        ))
    })
}

/// The moment behind a day or a month, or a time.
fn until(call: &Call<'_>, text: &str) -> Result<Time, OpError> {
    const DAY_MS: i64 = 86_400_000;
    let is_month = text.len() == "2026-10".len();
    // Some day of the next month, whose first one is meant.
    let next_month = |at: Time| beginning(&at.plus(31 * DAY_MS).day()[..7]);
    let behind = |at: Time| if is_month { next_month(at) } else { Some(at.plus(DAY_MS)) };
    let behind = || behind(beginning(text)?).map(|at| local(call, at, -1));
    Time::parse(text).or_else(behind).ok_or_else(|| {
        OpError::usage(format!(
            "until takes a day such as 2026-10-31 or a month such as 2026-10; \"{text}\" given"
        ))
    })
}
