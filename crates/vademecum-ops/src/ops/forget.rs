//! Forgets a note, an entry, a session or a project: no byte of it is left where vade keeps anything.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::error::Kind;
use vademecum_core::frame;
use vademecum_core::id::NoteId;
use vademecum_core::project::Project;
use vademecum_core::session::{Began, Session, SessionKey};
use vademecum_store::{Scope, SessionFilter, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::forgetting::{self, Intent};
use crate::mirror;
use crate::moments;
use crate::plans;
use crate::shapes::{counted, path_line};
use crate::succession;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation};
use crate::who;

/// Forgets a note, an entry, a session or a project.
#[derive(Debug)]
pub struct Forget;

/// What is forgotten.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// note, entry, session or project
    #[schemars(extend("enum" = ["note", "entry", "session", "project"]))]
    pub what: String,
    /// The id of the note or entry, or the session. Default: the session, the project of the call
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Say yes: it cannot be undone
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yes: bool,
}

/// What was forgotten.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// What it was.
    pub forgot: String,
    /// How many writes of the journal lost their content.
    pub writes: usize,
    /// How many copies of the store in `backups/` went along.
    #[serde(default)]
    pub copies: usize,
    /// The folders of plans whose files were removed, each with their number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What still says the same, with what ends it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
}

impl Operation for Forget {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "forget",
        aliases: &[],
        title: "Forget a note, an entry, a session or a project for good",
        about: "Erase a note, an entry, a session or a project so that no byte of it is left in database, log, index, backups, recaps, handoff files, spool; what others keep of it is named.",
        effect: Effect::Destroys,
        of_session: true,
        models: Models::Never,
        code: false,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["forget"], places: &["what", "id"], stdin: None }),
        example: r#"{"what": "note", "id": "note_1734604200000", "yes": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let what = What::of(&input.what)?;
        // Who is told to say yes has said of what.
        match what {
            What::Note => needed("note", input.id.as_deref()).map(drop)?,
            What::Entry => needed("entry", input.id.as_deref()).map(drop)?,
            What::Session | What::Project => {}
        }
        if !input.yes {
            let which = match what {
                What::Entry => "an entry".to_owned(),
                What::Session => held(call, input.id.as_deref())?,
                What::Note | What::Project => format!("a {}", input.what),
            };
            let files = if matches!(what, What::Project) { plan_files(call)? } else { Vec::new() };
            let files = listed(&files).map_or_else(String::new, |list| format!("; it removes the files of its plans too:{list}"));
            return Err(OpError::usage(format!("forgetting {which} cannot be undone{files}"))
                .hint("say yes to it: --yes"));
        }
        let data = &call.world.folders.data;
        let before = forgetting::copies(data)?;
        let mut output = forget(call, &what, input.id.as_deref())?;
        let after = forgetting::copies(data)?;
        output.copies = before.difference(&after).count();
        output.left.extend(forgetting::left_of_copies(data, &after));
        let is_shared = call.world.store.get().is_some_and(|store| store.person.is_some());
        if matches!(what, What::Project) && is_shared {
            output.left.push("what other persons wrote there, if it is shared, is theirs and stays".to_owned());
        }
        Ok(output)
    }

    fn say(output: &Output) -> String {
        let Output { forgot, writes, copies, files, left } = output;
        let copies = match copies {
            0 => String::new(),
            n => format!(", {} of the store in backups/ removed", counted(*n, "copy")),
        };
        let emptied = format!("({writes} writes emptied{copies})");
        let files = listed(files).map_or_else(String::new, |list| format!("\nremoved the files of its plans:{list}"));
        match listed(left) {
            None => format!("forgot {forgot}: no byte of it is left in vade's own files {emptied}; a copy that you made keeps it{files}"),
            Some(left) => format!("forgot {forgot} {emptied}. What still says the same:{left}{files}"),
        }
    }
}

/// Lines below one that introduces them; none where there are none.
fn listed(lines: &[String]) -> Option<String> {
    let list: Vec<String> = lines.iter().map(|line| format!("\n- {line}")).collect();
    (!list.is_empty()).then(|| list.concat())
}

/// The folders of plans that go with the project of the call, each with how many files it has.
fn plan_files(call: &Call<'_>) -> Result<Vec<String>, OpError> {
    let (secret, keys) = (call.store.secret()?, call.place().keys(None));
    let unread = |error| OpError::broken(format!("the files of plans could not be looked at: {error}"));
    let made = mirror::made(call, secret, &keys).map_err(unread)?;
    let said = |(folder, n_files): &(PathBuf, usize)| format!("{} ({})", path_line(folder), counted(*n_files, "file"));
    Ok(made.iter().map(said).collect())
}

/// So long what waits in the spool is taken in before anything is forgotten.
const WAITS_MS: i64 = 10_000;

enum What {
    Note,
    Entry,
    Session,
    Project,
}

impl What {
    fn of(word: &str) -> Result<Self, OpError> {
        Ok(match word {
            "note" => Self::Note,
            "entry" => Self::Entry,
            "session" => Self::Session,
            "project" => Self::Project,
            other => {
                let message = format!("cannot forget \"{other}\": use note, entry, session or project");
                let kind = other.split_once('_').map(|(kind, _)| kind).filter(|kind| ["note", "entry"].contains(kind));
                let meant = |kind| format!("did you mean vade forget {kind} {}?", frame::line(other, 40));
                return Err(OpError { hint: kind.map(meant), ..OpError::usage(message) });
            }
        })
    }
}

fn forget(call: &Call<'_>, what: &What, id: Option<&str>) -> Result<Output, OpError> {
    // What waits in the spool is told of too, and must not come back behind it.
    moments::take_in(call.store, call.world, call.config, call.now().plus(WAITS_MS));
    // What an earlier call began may be what is meant now: then it is not missing, it is done.
    let has_ended = forgetting::finish(call)?;
    let forgot = match what {
        What::Note => forget_note(call, id),
        What::Entry => forget_entry(call, id),
        What::Session => forget_session(call, id),
        What::Project => forget_project(call, id),
    };
    match forgot {
        Err(error) if error.kind == Kind::Missing && has_ended => {
            Ok(Output { forgot: "what an earlier call had begun".to_owned(), ..Output::default() })
        }
        forgot => forgot,
    }
}

fn needed<'a>(what: &str, id: Option<&'a str>) -> Result<&'a str, OpError> {
    id.ok_or_else(|| OpError::usage(format!("forget {what} needs the id of the {what}, none given")))
}

fn forget_note(call: &Call<'_>, id: Option<&str>) -> Result<Output, OpError> {
    let text = needed("note", id)?;
    let note: NoteId = text.parse().map_err(|_| OpError::usage(format!("\"{text}\" is no note id")))?;
    let known = known_session(call)?;
    let session = known.key.clone();
    if !call.read(|view| forgetting::knows_note(view, &session, note))? {
        return Err(OpError::missing(format!("no note \"{text}\" in this session")));
    }
    let left = call.read(|view| forgetting::left_of_note(view, &known, note))?;
    let writes = forgetting::forget(call, Intent::Note { session, note })?;
    Ok(Output { forgot: text.to_owned(), writes, left, ..Output::default() })
}

fn forget_entry(call: &Call<'_>, id: Option<&str>) -> Result<Output, OpError> {
    let text = needed("entry", id)?;
    let entry = plans::entry_id(text)?;
    let known = known_project(call)?;
    // What a hook left unread in a file may say the same, and would come back from there.
    // While vade is off nothing is taken in; lines that say the same go all the same.
    if !call.is_off()? {
        plans::take_in(call, &known);
    }
    let project = known.id;
    if call.read(|view| view.entry(project, entry))?.is_none() {
        return Err(plans::no_entry(call, entry));
    }
    let told = |id| moments::told_of_entry(&call.world.folders.data, id);
    let left = call.read(|view| forgetting::left_of_entry(view, (project, entry), told))?;
    let writes = forgetting::forget(call, Intent::Entry { project, entry })?;
    Ok(Output { forgot: text.to_owned(), writes, left, ..Output::default() })
}

fn known_session(call: &Call<'_>) -> Result<Session, OpError> {
    let session = call.look(|view| call.session(view))?;
    session.ok_or_else(|| OpError::missing("nothing is kept for this session"))
}

fn known_project(call: &Call<'_>) -> Result<Project, OpError> {
    let project = call.read(|view| call.project(view))?;
    project.ok_or_else(|| OpError::missing("nothing is kept for this project"))
}

fn forget_session(call: &Call<'_>, name: Option<&str>) -> Result<Output, OpError> {
    let id = meant(call, name)?;
    let writes = call.look(|view| Ok(view.records(&Scope::Session(id.clone()), 0)?.len()))?;
    let left = call.read(|view| {
        let sessions = with_agents(view, &id)?;
        let mut left = forgetting::left_of_sessions(view, &sessions)?;
        let first = sessions.first().filter(|session| session.key.harness != SessionKey::DESK);
        let running = first.filter(|session| succession::is_running(call.world, session));
        left.extend(running.map(|session| {
            let name = session.key.to_string();
            format!("session {name} still runs: its conversation is not told, and holds what it was shown")
        }));
        Ok(left)
    })?;
    let forgot = id.to_string();
    erase_sessions(call, vec![id])?;
    Ok(Output { forgot, writes, left, ..Output::default() })
}

/// Which session is to go, and what it holds.
fn held(call: &Call<'_>, name: Option<&str>) -> Result<String, OpError> {
    let key = meant(call, name)?;
    let (page, notes) = call.look(|view| {
        let page = view.notepad(&key)?.filter(|page| !page.text.is_empty());
        Ok((page, view.counts(&key)?.notes))
    })?;
    let page = page.map(|_| "a page".to_owned());
    let notes = (0 < notes).then(|| counted(usize::try_from(notes).unwrap_or(usize::MAX), "note"));
    let holds: Vec<String> = page.into_iter().chain(notes).collect();
    let whose = if key.harness == SessionKey::DESK { "your own desk, " } else { "" };
    let holds = if holds.is_empty() { "no page, no notes".to_owned() } else { holds.join(", ") };
    Ok(format!("session {key} ({whose}{holds})"))
}

/// The session that is to go; of one that the store does not know yet the spool may have events.
fn meant(call: &Call<'_>, name: Option<&str>) -> Result<SessionKey, OpError> {
    let known = match name {
        Some(name) => named_session(call, name),
        None => known_session(call),
    };
    let missing = match known {
        Err(error) if error.kind == Kind::Missing => error,
        known => return Ok(known?.key),
    };
    let own = || call.look(|view| Ok(call.who(view)?.key.to_string()));
    let name = name.map_or_else(own, |name| Ok(name.to_owned()))?;
    forgetting::awaited_by_name(call, &name)?.ok_or(missing)
}

/// Erases sessions and their sub-agents, in the store and beside it.
pub(crate) fn erase_sessions(call: &Call<'_>, ids: Vec<SessionKey>) -> Result<(), OpError> {
    let names = call.read(|view| {
        let mut names: Vec<String> = ids.iter().map(ToString::to_string).collect();
        for id in &ids {
            let agents = with_agents(view, id)?.into_iter().filter(|session| session.key != *id);
            names.extend(agents.map(|session| session.key.to_string()));
        }
        Ok(names)
    })?;
    forgetting::forget(call, Intent::Sessions { ids, names }).map(drop)
}

/// A session and its sub-agents; nothing where it is not known.
fn with_agents(view: &dyn View, id: &SessionKey) -> Result<Vec<Session>, StoreError> {
    let Some(session) = view.session(id)? else { return Ok(Vec::new()) };
    let mut agents = view.sessions_by_prefix(session.project, &session.key.external)?;
    agents.retain(|other| other.parent.as_ref() == Some(id) && other.began == Began::Spawn);
    Ok([session].into_iter().chain(agents).collect())
}

fn named_session(call: &Call<'_>, name: &str) -> Result<Session, OpError> {
    let project = known_project(call)?;
    call.look(|view| who::named(view, &project, call.desk(Some(&project)), name))
}

fn forget_project(call: &Call<'_>, name: Option<&str>) -> Result<Output, OpError> {
    // Before the store is read: what is taken in meanwhile is found there.
    let awaited = forgetting::awaited_here(call)?;
    let project = match known_project(call) {
        Err(error) if error.kind == Kind::Missing && !awaited.is_empty() => None,
        known => Some(known?),
    };
    let own = project.as_ref().map_or_else(|| call.place().name(), |project| project.name.clone());
    // Only the project of the call is erased; a name says that another may be meant.
    if let Some(name) = name.filter(|name| *name != own) {
        let meant = format!("this is project \"{own}\", \"{name}\" given: nothing was forgotten");
        return Err(OpError::usage(meant).hint("call it in that project's folder, or with --project FOLDER"));
    }
    let forgot = format!("project {own}");
    let Some(project) = project else {
        erase_sessions(call, awaited)?;
        return Ok(Output { forgot, ..Output::default() });
    };
    let (mut names, writes) = call.read(|view| {
        let filter = SessionFilter { project: Some(project.id), ..SessionFilter::ALL };
        let (mut names, mut writes) = (Vec::new(), 0);
        for session in view.sessions(filter)? {
            names.push(session.key.to_string());
            writes += view.records(&Scope::Session(session.key.clone()), 0)?.len();
        }
        Ok((names, writes))
    })?;
    names.extend(awaited.iter().map(ToString::to_string));
    names.sort();
    names.dedup();
    // What cannot be looked at cannot be removed either, and it is said then.
    let files = plan_files(call).unwrap_or_default();
    let keys = call.place().keys(None);
    forgetting::forget(call, Intent::Project { project: project.id, keys, names })?;
    Ok(Output { forgot, writes, files, ..Output::default() })
}
