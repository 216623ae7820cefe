//! Forgets a note, a session or a project: no byte of it is left in the store.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::id::{NoteId, Seq, SessionId};
use vademecum_core::session::Session;
use vademecum_store::{Change, Erase, Scope, SessionFilter, View};

use crate::call::Call;
use crate::error::OpError;
use crate::drafts;
use crate::mirror::Mirror;
use crate::moments;
use crate::operation::{Command, Declaration, Effect, Models, Operation};
use crate::who::{self, full_name};

/// Forgets a note, a session or a project.
#[derive(Debug)]
pub struct Forget;

/// What is forgotten.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// note, session or project
    #[schemars(extend("enum" = ["note", "session", "project"]))]
    pub what: String,
    /// The id of the note, or the session. Default: the session, the project of the call
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Say yes: it cannot be undone
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yes: bool,
}

/// What was forgotten.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// What it was.
    pub forgot: String,
    /// How many writes of the journal lost their content.
    pub writes: usize,
}

impl Operation for Forget {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "forget",
        aliases: &[],
        title: "Forget a note, a session or a project for good",
        about: "Erase a note, a session or a project so that no byte of it is left in database, log, index, backups, spool.",
        effect: Effect::Destroys,
        of_session: true,
        models: Models::Never,
        command: Some(Command { words: &["forget"], places: &["what", "id"], stdin: None }),
        example: r#"{"what": "note", "id": "note_1734604200000", "yes": true}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let what = match input.what.as_str() {
            "note" => What::Note,
            "session" => What::Session,
            "project" => What::Project,
            other => {
                return Err(OpError::usage(format!("cannot forget \"{other}\": use note, session or project")));
            }
        };
        if !input.yes {
            return Err(OpError::usage(format!("forgetting a {} cannot be undone", input.what))
                .hint("say yes to it: --yes"));
        }
        match what {
            What::Note => forget_note(call, input.id.as_deref()),
            What::Session => forget_session(call, input.id.as_deref()),
            What::Project => forget_project(call, input.id.as_deref()),
        }
    }

    fn say(output: &Output) -> String {
        format!("forgot {}: no byte of it is left in the store ({} writes emptied)", output.forgot, output.writes)
    }
}

enum What {
    Note,
    Session,
    Project,
}

fn forget_note(call: &Call<'_>, id: Option<&str>) -> Result<Output, OpError> {
    let text = id.ok_or_else(|| OpError::usage("forget note needs the id of the note, none given"))?;
    let id: NoteId = text.parse().map_err(|_| OpError::usage(format!("\"{text}\" is no note id")))?;
    let known = known_session(call)?;
    let session = known.id;
    let seqs = call.look(|view| touching(view, session, id))?;
    let is_there = call.read(|view| view.note(session, id))?.is_some();
    if seqs.is_empty() && !is_there {
        return Err(OpError::missing(format!("no note \"{text}\" in this session")));
    }
    let drop = vec![Change::DropNote { session, id }];
    let written = call.write(Scope::Session(session), "forget", &text, |_| {
        Ok((if is_there { drop.clone() } else { Vec::new() }, ()))
    })?;
    // The entry of the deletion itself holds the note, so that it could be undone.
    let seqs: Vec<Seq> = seqs.into_iter().chain(written.seq).collect();
    let writes = seqs.len();
    call.store.erase(&Erase::Bodies { seqs })?;
    drafts::forget_note(&call.world.folders.data, &known.key, id)
        .map_err(|error| beside(&error.into()))?;
    Ok(Output { forgot: text.to_owned(), writes })
}

/// The entries of a session whose bodies hold the note.
fn touching(view: &dyn View, session: SessionId, id: NoteId) -> Result<Vec<Seq>, OpError> {
    let mut seqs = Vec::new();
    let quoted = format!("\"{id}\"");
    for record in view.journal(Scope::Session(session), None, 0)? {
        let Some(body) = view.body(record.seq)? else {
            continue;
        };
        let in_undo = body.undo.iter().any(|change| match change {
            Change::AddNote { note, .. } | Change::SetNote { note, .. } => note.id == id,
            Change::DropNote { id: other, .. } => *other == id,
            _ => false,
        });
        if in_undo || body.reply.contains(&quoted) {
            seqs.push(record.seq);
        }
    }
    Ok(seqs)
}

fn known_session(call: &Call<'_>) -> Result<Session, OpError> {
    let session = call.look(|view| call.session(view))?;
    session.ok_or_else(|| OpError::missing("nothing is kept for this session"))
}

fn forget_session(call: &Call<'_>, name: Option<&str>) -> Result<Output, OpError> {
    let id = match name {
        Some(name) => named_session(call, name)?.id,
        None => known_session(call)?.id,
    };
    let writes = call.look(|view| Ok(view.journal(Scope::Session(id), None, 0)?.len()))?;
    let names = erase_session(call, id)?;
    Ok(Output { forgot: names.first().cloned().unwrap_or_default(), writes })
}

/// Erases a session and its sub-agents, in the store and beside it; their full names, its own first.
pub(crate) fn erase_session(call: &Call<'_>, id: SessionId) -> Result<Vec<String>, OpError> {
    let names: Vec<String> = call.look(|view| {
        let Some(session) = view.session_by_id(id)? else {
            return Ok(Vec::new());
        };
        let mut all = view.sessions_by_prefix(session.project, &session.key.external)?;
        all.retain(|other| other.parent == Some(id));
        Ok([&session].into_iter().chain(&all).map(|one| full_name(&one.key)).collect())
    })?;
    call.store.erase(&Erase::Sessions(vec![id]))?;
    forget_files(call, &names)?;
    Ok(names)
}

fn named_session(call: &Call<'_>, name: &str) -> Result<Session, OpError> {
    call.look(|view| {
        let missing = || OpError::missing("nothing is kept for this project");
        let project = call.project(view)?.ok_or_else(missing)?;
        who::named(view, &project, &call.desk(Some(&project)), name)
    })
}

fn forget_project(call: &Call<'_>, name: Option<&str>) -> Result<Output, OpError> {
    let found = call.read(|view| {
        let Some(project) = call.project(view)? else {
            return Ok(None);
        };
        let filter = SessionFilter {
            project: Some(project.id),
            include_archived: true,
            include_agents: true,
            limit: 0,
        };
        let sessions = view.sessions(filter)?;
        let mut writes = 0;
        for session in &sessions {
            writes += view.journal(Scope::Session(session.id), None, 0)?.len();
        }
        Ok(Some((project, sessions, writes)))
    })?;
    let Some((project, sessions, writes)) = found else {
        return Err(OpError::missing("nothing is kept for this project"));
    };
    // Only the project of the call is erased; a name says that another may be meant.
    if let Some(name) = name.filter(|name| *name != project.name) {
        let meant = format!("this is project \"{}\", \"{name}\" given: nothing was forgotten", project.name);
        return Err(OpError::usage(meant).hint("call it in that project's folder, or with --project FOLDER"));
    }
    // The files hold what the store does: without them first, a failure can be repeated.
    Mirror::of(call, &project).forget().map_err(|error| {
        OpError::broken(format!("the files of the plans could not be removed, nothing was forgotten: {error}"))
            .hint("remove the folder of the plans by hand and call again")
    })?;
    call.store.erase(&Erase::Project(project.id))?;
    let names: Vec<String> = sessions.iter().map(|session| full_name(&session.key)).collect();
    forget_files(call, &names)?;
    Ok(Output { forgot: format!("project {}", project.name), writes })
}

/// Takes the sessions out of the files beside the database.
fn forget_files(call: &Call<'_>, names: &[String]) -> Result<(), OpError> {
    moments::forget(call, names).map_err(|error| beside(&error))
}

/// What could not be erased beside the database.
fn beside(error: &std::io::Error) -> OpError {
    OpError::broken(format!("the store is clean, a file beside it is not: {error}"))
        .hint("remove what is left in the data folder by hand: drafts, handoffs, receipts.jsonl, spool.jsonl")
}
