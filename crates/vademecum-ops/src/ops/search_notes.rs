//! Searches the notes of the session, or all that its project keeps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::session::SessionKey;
use vademecum_core::note::{Note, Tags};
use vademecum_core::search::{Query, Tier, rank, rank_seed};
use vademecum_store::{Author, NoteFilter, View};

use crate::call::Call;
use crate::config::{Profile, SearchRule};
use crate::error::OpError;
use crate::finding::Wanted;
use crate::moments;
use crate::notes;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::ops::search::{self, FoundShape, Reach};
use crate::shapes::{NoteShape, lines};

/// Searches the notes of the session, or all that its project keeps.
#[derive(Debug)]
pub struct SearchNotes;

/// What is looked for.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Words, name, path, any part of it; no syntax
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// With all of these
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Default: true
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_scratched: Option<bool>,
    /// 0 for all. Default: 20
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// session (default), project: all its sessions have
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// What was found.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The notes, the best first; none of scope project.
    pub notes: Vec<NoteShape>,
    /// Of scope project: what was found, the best first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Vec<FoundShape>>,
    /// How many notes hold all of the query; with `more`, at least so many.
    pub matched: u64,
    /// How many of the notes shown hold a part of the query only.
    pub partly: u64,
    /// Whether there may be more matches than were counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Of scope project: what is said of what was not looked at.
    #[serde(skip)]
    pub unseen: &'static str,
    /// Whether who asked may search the project too.
    #[serde(skip)]
    pub has_scope: bool,
    /// How many notes the session has.
    #[serde(skip)]
    pub n_notes: u64,
}

impl Operation for SearchNotes {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "search_notes",
        aliases: &[],
        title: "Search the notes",
        about: "Find what this session noted, or its project keeps, by words, names, paths, tags (AND). Before redoing work.",
        effect: Effect::Reads,
        of_session: true,
        models: Models::Always,
        code: true,
        answer: Answer::OfSessionBut(FOUND),
        command: Some(Command { words: &["note", "search"], places: &["query"], stdin: None }),
        example: r#"{"query": "retry queue", "tags": ["bug"]}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        match input.scope.as_deref() {
            Some(_) if call.config.profile == Profile::Seed1 => {
                return Err(OpError::usage("search_notes takes no scope: it looks through this session's notes"));
            }
            None | Some("session") => {}
            Some("project") => return in_project(call, &input),
            Some(other) => {
                return Err(OpError::usage(format!("scope \"{other}\" is not known: use session or project")));
            }
        }
        // The published designs search a session alone.
        let has_scope = matches!(call.config.profile, Profile::Default | Profile::Seed4);
        let filter = NoteFilter {
            tags: Tags::filter(&input.tags)?,
            include_scratched: input.include_scratched.unwrap_or(true),
 ..NoteFilter::default() };
        let query = input.query.as_deref().unwrap_or("").trim();
        // As in a list, what is no number of notes is the default.
        let given = input.limit.and_then(|limit| usize::try_from(limit).ok());
        let limit = match given.unwrap_or(call.config.search_limit) {
            0 => usize::MAX,
            limit => limit,
        };
        call.look(|view| {
            let Some(session) = call.session(view)? else {
                return Ok(Output { has_scope, ..Output::default() });
            };
            let mut found = match call.config.search {
                _ if query.is_empty() => all(view, &session.key, &filter),
                SearchRule::Seed => by_seed(view, &session.key, query, &filter),
                SearchRule::Ranked => by_rank(view, &session.key, query, &filter, limit),
            }?;
            found.notes.truncate(limit);
            let partly = (found.notes.len() as u64).saturating_sub(found.matched);
            let notes = notes::listed(call, view, (&session.key, found.n_notes), &found.notes)?;
            Ok(Output { notes, matched: found.matched, partly, more: found.more, has_scope, n_notes: found.n_notes, ..Output::default() })
        })
    }

    fn say(output: &Output) -> String {
        if let Some(found) = &output.found {
            return search::say(found, (output.matched, output.partly), output.unseen);
        }
        let n = output.notes.len() as u64;
        let whole = n - output.partly;
        let more = if output.more { UNSEEN } else { "" };
        let head = match (whole, output.matched, output.partly) {
            (0, _, 0) if output.has_scope && !output.more => {
                let none = if output.n_notes == 0 { "no notes in this session" } else { "no notes match" };
                return format!("{none}{WIDER}");
            }
            (0, _, 0) => return format!("no notes match{more}"),
            (0, _, _) => format!("no note holds all of it; {} a part{more}", crate::shapes::hold(n)),
            (_, matched, 0) if whole == matched && !output.more => crate::shapes::count(whole),
            (_, matched, 0) => format!("{whole} of {matched}{} notes", if output.more { " or more" } else { "" }),
            (_, _, partly) => {
                format!("{}; {} a part{more}", crate::shapes::count(whole), crate::shapes::hold(partly))
            }
        };
        lines(&head, &output.notes)
    }
}

/// What is said where the session has nothing: another one may have.
const WIDER: &str = "; scope project searches all sessions";

/// The field of the answer that has what others wrote.
const FOUND: &str = "found";

fn in_project(call: &Call<'_>, input: &Input) -> Result<Output, OpError> {
    let wanted = Wanted {
        tags: Tags::filter(&input.tags)?,
        without_scratched: input.include_scratched == Some(false),
        without_desk: call.caller.origin.author == Author::Agent,
        ..Wanted::default()
    };
    let limit = input.limit.and_then(|limit| usize::try_from(limit).ok());
    // Tags are found as words are.
    let tags = wanted.tags.join(" ");
    let query = input.query.as_deref().map(str::trim).filter(|it| !it.is_empty()).unwrap_or(&tags);
    // A session that is named must be there, as for its own notes.
    let own = call.look(|view| call.session(view))?;
    let reach = own.map_or(Reach::Here, |own| Reach::Of(own.project, own.key));
    let limit = Some(limit.unwrap_or(call.config.search_limit));
    let found = search::find(call, (query, &reach), &wanted, limit)?;
    let unseen = found.unseen();
    let search::Output { found, matched, partly, more, .. } = found;
    moments::asked(call);
    Ok(Output { found: Some(found), matched, partly, more, unseen, ..Output::default() })
}

/// What is said where an older note may hold all of the query and was not looked at.
const UNSEEN: &str = "; older ones were not all looked at: a whole, rarer word finds them";

struct Found {
    notes: Vec<Note>,
    /// How many notes the session has.
    n_notes: u64,
    matched: u64,
    more: bool,
}

fn all(view: &dyn View, session: &SessionKey, filter: &NoteFilter) -> Result<Found, OpError> {
    let notes = view.notes(session, filter, 0)?;
    let n_notes = view.counts(session)?.notes;
    Ok(Found { matched: notes.len() as u64, notes, n_notes, more: false })
}

/// The published rule: every note that holds the query, however many.
fn by_seed(view: &dyn View, session: &SessionKey, query: &str, filter: &NoteFilter) -> Result<Found, OpError> {
    let notes = view.notes(session, filter, 0)?;
    let notes: Vec<Note> = rank_seed(query, &notes).into_iter().map(|idx| notes[idx].clone()).collect();
    let n_notes = view.counts(session)?.notes;
    Ok(Found { matched: notes.len() as u64, notes, n_notes, more: false })
}

fn by_rank(
    view: &dyn View,
    session: &SessionKey,
    query: &str,
    filter: &NoteFilter,
    limit: usize,
) -> Result<Found, OpError> {
    let query = Query::parse(query);
    let found = view.candidates(session, &query, filter)?;
    let hits = rank(&query, &found.notes, &found.stats);
    let is_whole = |tier| match tier {
        Tier::Substring | Tier::AllTerms => true,
        Tier::SomeTerms => false,
    };
    let matched = hits.iter().filter(|hit| is_whole(hit.tier)).count() as u64;
    Ok(Found {
        notes: hits.iter().take(limit).map(|hit| found.notes[hit.idx].clone()).collect(),
        n_notes: found.stats.n_notes,
        matched,
        more: !found.is_complete,
    })
}
