//! One write inside its transaction: a repeat is answered, else the changes are made and journaled.

use vademecum_core::id::ProjectId;
use vademecum_core::plan::PlanName;
use vademecum_core::project::ProjectKey;
use vademecum_core::session::{SessionKey, Standing};
use vademecum_core::splice::Splice;
use vademecum_core::sub_agent::Running;
use vademecum_core::time::Time;
use vademecum_store::store::Decide;
use vademecum_store::{Change, Decision, Outcome, Scope, StoreError, View, Write};

use crate::error::{doubled, failed, missing};
use crate::journal::{self, Made, New, Place};
use crate::names::{family_digest, session_digest};
use crate::notes;
use crate::plans::{self, key_digest};
use crate::sessions::{self, as_json};
use crate::snapshot::Snapshot;
use crate::statement::Statement;
use crate::undo::{self, Kept, Raw};

/// Decides and makes the changes; what is left is to send them.
pub(crate) fn write(
    view: &Snapshot<'_>,
    write: &Write,
    decide: &mut Decide<'_>,
) -> Result<Outcome, StoreError> {
    let (mut place, made) = journal::prepare(view, write)?;
    if let Some(made) = made {
        return replay(view, write, made);
    }
    let (changes, reply, is_undone) = match decide(view)? {
        Decision::Refuse => return Ok(Outcome::Refused),
        Decision::Commit { changes, .. } | Decision::Copy { changes, .. } if changes.is_empty() => {
            return Ok(Outcome::Unchanged);
        }
        Decision::Commit { changes, reply } => (changes, reply, true),
        Decision::Copy { changes, reply } => (changes, reply, false),
    };
    let (undo, mut entries) = make(view, &mut place, &changes, is_undone)?;
    let body = Kept::new(&write.kept_arguments(), reply, &undo)?;
    entries.push(New::of(write, body));
    let seq = journal::append(view, &mut place, entries)?;
    Ok(Outcome::Done { seq })
}

/// What a write answered when it was made before.
fn replay(view: &Snapshot<'_>, write: &Write, (record, kept): Made) -> Result<Outcome, StoreError> {
    let id = write.id.as_str().to_owned();
    let Some(kept) = kept else { return Err(StoreError::Erased { id }) };
    let body = undo::read(view, record.seq, kept)?;
    if record.kind != write.kind || body.arguments != write.kept_arguments() {
        return Err(StoreError::Reused { id });
    }
    Ok(Outcome::Replayed { seq: record.seq, reply: body.reply })
}

/// Makes changes one after the other; what undoes them, the last one first, and entries that are copied.
fn make<'a>(
    view: &Snapshot<'_>,
    place: &mut Place,
    changes: &'a [Change],
    is_undone: bool,
) -> Result<(Vec<Raw>, Vec<New<'a>>), StoreError> {
    let (mut undo, mut copies) = (Vec::new(), Vec::<New<'a>>::new());
    for change in changes {
        let reverses = if is_undone { change.reverse(view as &dyn View)? } else { Vec::new() };
        for reverse in reverses.iter().rev() {
            undo.push(undo::keep(view, reverse)?);
        }
        match change {
            Change::CopyRecord(record) => {
                let copy = New::copy(view, place, record)?;
                if copies.iter().any(|other| other.is_same_write(&copy)) {
                    return Err(StoreError::Reused { id: record.write_id.as_str().to_owned() });
                }
                copies.push(copy);
            }
            change => apply(view, place, change)?,
        }
    }
    undo.reverse();
    Ok((undo, copies))
}

fn apply(view: &Snapshot<'_>, place: &mut Place, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddProject { .. }
        | Change::AddProjectKeys { .. }
        | Change::RenameProject { .. }
        | Change::JoinProject { .. }
        | Change::SetOff { .. } => to_project(view, place, change),
        Change::AddPlan { .. } | Change::SetPlan { .. } | Change::AddEntry { .. } => {
            to_plan(view, place, change)
        }
        Change::AddSession { .. } => begin(view, place, change),
        Change::SetParent { session, .. }
        | Change::SetSession { session, .. }
        | Change::SetHandoff { session, .. }
        | Change::SetRecap { session, .. }
        | Change::SetWorked { session, .. }
        | Change::SetRunning { session, .. }
        | Change::SetActivePlan { session, .. } => {
            to_session(view, view.session_number(session)?, change)
        }
        Change::Fork { session, .. }
        | Change::EditNotepad { session, .. }
        | Change::DropNotepad { session }
        | Change::AddNote { session, .. }
        | Change::SetNote { session, .. }
        | Change::DropNote { session, .. }
        | Change::DropNotes { session, .. } => {
            to_texts(view, view.session_number(session)?, change)
        }
        Change::CopyRecord(_) => Err(change.unmade()),
        Change::Unknown(unknown) => Err(StoreError::Unknown { word: unknown.word.to_string() }),
    }
}

fn to_project(view: &Snapshot<'_>, place: &mut Place, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddProject { id, name, keys, at } => {
            if view.find_project(*id)?.is_some() {
                return Err(doubled(&format!("project {id}")));
            }
            let number = place.next_holder();
            let sql = "INSERT INTO project (id, uid, name, created_at) VALUES ($1, $2, $3, $4)";
            let values = vec![number.into(), id.0.into(), name.as_str().into(), at.0.into()];
            view.tell(Statement::new(sql, values));
            view.met_project(*id, number);
            place.is_new(number, &Scope::Project(*id));
            add_keys(view, number, keys);
        }
        Change::AddProjectKeys { project, keys } => {
            add_keys(view, view.project_number(*project)?, keys);
        }
        Change::RenameProject { project, name } => {
            let sql = "UPDATE project SET name = $2 WHERE id = $1";
            let values = vec![view.project_number(*project)?.into(), name.as_str().into()];
            view.tell(Statement::new(sql, values));
        }
        Change::JoinProject { project, into } => join(view, *project, *into)?,
        Change::SetOff { project: None, off_at } => {
            let sql = "INSERT INTO person (off_at) VALUES ($1)
                       ON CONFLICT (owner) DO UPDATE SET off_at = excluded.off_at";
            view.tell(Statement::new(sql, vec![off_at.map(|at| at.0).into()]));
        }
        Change::SetOff { project: Some(project), off_at } => {
            let sql = "UPDATE project SET off_at = $2 WHERE id = $1";
            let values = vec![view.project_number(*project)?.into(), off_at.map(|at| at.0).into()];
            view.tell(Statement::new(sql, values));
        }
        other => return Err(other.unmade()),
    }
    Ok(())
}

/// Makes a project known by further keys; those of another project stay there.
fn add_keys(view: &Snapshot<'_>, project: i64, keys: &[ProjectKey]) {
    for key in keys {
        let sql = "INSERT INTO project_key (digest, kind, value, machine, project)
                   VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT DO NOTHING";
        let (kind, value) = (key.kind.word().into(), key.value.as_slice().into());
        let machine = key.machine.as_ref().map_or(&[][..], |machine| &machine.0).into();
        let values = vec![key_digest(key).into(), kind, value, machine, project.into()];
        view.tell(Statement::new(sql, values));
    }
}

fn join(view: &Snapshot<'_>, project: ProjectId, into: ProjectId) -> Result<(), StoreError> {
    let (project, into) = (view.project_number(project)?, view.project_number(into)?);
    for sql in [
        "UPDATE project_key SET project = $2 WHERE project = $1",
        "UPDATE session SET project = $2 WHERE project = $1",
    ] {
        view.tell(Statement::new(sql, vec![project.into(), into.into()]));
    }
    Ok(())
}

fn to_plan(view: &Snapshot<'_>, place: &mut Place, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::AddPlan { project, name, is_tracked, at } => {
            add_plan(view, place, (*project, name), (*is_tracked, *at))?;
        }
        Change::SetPlan { project, name, completed_at, archived_at, is_tracked } => {
            let sql = "UPDATE plan SET completed_at = $3, archived_at = $4, is_tracked = $5
                       WHERE project = $1 AND name = $2";
            let values = vec![
                view.project_number(*project)?.into(),
                name.as_str().into(),
                completed_at.map(|at| at.0).into(),
                archived_at.map(|at| at.0).into(),
                (*is_tracked).into(),
            ];
            view.tell(Statement::new(sql, values));
        }
        Change::AddEntry { project, entry } => {
            plans::add_entry(view, view.project_number(*project)?, entry)?;
        }
        other => return Err(other.unmade()),
    }
    Ok(())
}

/// Begins a plan whose name differs from others by more than case: a file system may take two such folders for one.
fn add_plan(
    view: &Snapshot<'_>,
    place: &mut Place,
    (project, name): (ProjectId, &PlanName),
    (is_tracked, at): (bool, Time),
) -> Result<(), StoreError> {
    let project = view.project_number(project)?;
    let folded = name.as_str().to_ascii_lowercase();
    let sql = "SELECT 1 FROM plan WHERE project = $1 AND folded = $2";
    let asked = Statement::new(sql, vec![project.into(), folded.as_str().into()]);
    if view.ask_one(asked)?.is_some() {
        return Err(doubled(&format!("plan {name}")));
    }
    place.plan += 1;
    let sql = "INSERT INTO plan (id, project, name, folded, created_at, is_tracked)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let (name, folded) = (name.as_str().into(), folded.as_str().into());
    let values =
        vec![place.plan.into(), project.into(), name, folded, at.0.into(), is_tracked.into()];
    view.tell(Statement::new(sql, values));
    Ok(())
}

fn begin(view: &Snapshot<'_>, place: &mut Place, change: &Change) -> Result<(), StoreError> {
    let Change::AddSession { project, key, parent, began, instance, host_name, place: told, at } =
        change
    else {
        return Err(change.unmade());
    };
    if view.find_session(key)?.is_some() {
        return Err(doubled(&format!("session {key}")));
    }
    let parent = parent.as_ref().map(|parent| view.session_number(parent)).transpose()?;
    let project = view.project_number(*project)?;
    let number = place.next_holder();
    let sql = "INSERT INTO session (id, digest, family, project, harness, external, agent, parent,
                   began, instance, host_name, started_at, seen_at, place, standing)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14)";
    let values = vec![
        number.into(),
        session_digest(key).into(),
        family_digest(key).into(),
        project.into(),
        key.harness.as_str().into(),
        key.external.as_str().into(),
        key.agent.as_deref().unwrap_or_default().into(),
        parent.into(),
        began.word().into(),
        i64::from(*instance).into(),
        host_name.as_str().into(),
        at.0.into(),
        as_json(told)?,
        as_json(&Standing::default())?,
    ];
    view.tell(Statement::new(sql, values));
    view.met(key, number);
    place.is_new(number, &Scope::Session(key.clone()));
    Ok(())
}

fn to_session(view: &Snapshot<'_>, number: i64, change: &Change) -> Result<(), StoreError> {
    let (sql, values) = match change {
        Change::SetParent { parent, .. } => {
            let parent = view.session_number(parent)?;
            ("UPDATE session SET parent = $2 WHERE id = $1", vec![parent.into()])
        }
        Change::SetSession { seen_at, ended_at, place, standing, .. } => (
            "UPDATE session SET seen_at = $2, ended_at = $3, place = $4, standing = $5 WHERE id = $1",
            vec![
                seen_at.0.into(),
                ended_at.map(|at| at.0).into(),
                as_json(place)?,
                as_json(standing)?,
            ],
        ),
        Change::SetHandoff { .. } | Change::SetRecap { .. } => {
            return set_words(view, number, change);
        }
        Change::SetWorked { at, .. } => (
            "UPDATE session SET worked_at = greatest(worked_at, $2) WHERE id = $1",
            vec![at.0.into()],
        ),
        Change::SetRunning { running, .. } => return set_running(view, number, running.as_ref()),
        Change::SetActivePlan { plan, .. } => {
            let plan = plan.as_ref().map(|name| active_plan(view, number, name));
            ("UPDATE session SET active_plan = $2 WHERE id = $1", vec![plan.transpose()?.into()])
        }
        other => return Err(other.unmade()),
    };
    let all = std::iter::once(number.into()).chain(values).collect();
    view.tell(Statement::new(sql, all));
    Ok(())
}

/// What was written for the next session, and what was made of this one.
fn set_words(view: &Snapshot<'_>, number: i64, change: &Change) -> Result<(), StoreError> {
    let (sql, values) = match change {
        Change::SetHandoff { text: Some(text), at, .. } => (
            "INSERT INTO handoff (session, text, updated_at) VALUES ($1, $2, $3)
             ON CONFLICT (session) DO UPDATE
             SET text = excluded.text, updated_at = excluded.updated_at",
            vec![text.as_str().into(), at.0.into()],
        ),
        Change::SetHandoff { text: None, .. } => {
            ("DELETE FROM handoff WHERE session = $1", Vec::new())
        }
        Change::SetRecap { body, at, .. } => (
            "INSERT INTO recap (session, body, at) VALUES ($1, $2, $3)
             ON CONFLICT (session) DO UPDATE SET body = excluded.body, at = excluded.at",
            vec![body.as_str().into(), at.0.into()],
        ),
        other => return Err(other.unmade()),
    };
    let all = std::iter::once(number.into()).chain(values).collect();
    view.tell(Statement::new(sql, all));
    Ok(())
}

fn active_plan(view: &Snapshot<'_>, number: i64, name: &PlanName) -> Result<i64, StoreError> {
    view.find_plan(number, name)?.ok_or_else(|| missing(&format!("plan {name}")))
}

/// A session without a parent is no sub-agent: nothing is noted of it.
fn set_running(
    view: &Snapshot<'_>,
    number: i64,
    running: Option<&Running>,
) -> Result<(), StoreError> {
    let statement = match running {
        None => Statement::new("DELETE FROM running WHERE session = $1", vec![number.into()]),
        Some(running) => Statement::new(
            "INSERT INTO running (session, parent, began_at, about)
             SELECT session.id, parent.id, $2, $3
             FROM session JOIN session AS parent ON parent.id = session.parent
             WHERE session.id = $1
             ON CONFLICT (session) DO UPDATE SET parent = excluded.parent,
                 began_at = excluded.began_at, about = excluded.about",
            vec![number.into(), running.began_at.0.into(), as_json(running)?],
        ),
    };
    view.tell(statement);
    Ok(())
}

fn to_texts(view: &Snapshot<'_>, number: i64, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::Fork { session, from, page, notes, at, .. } => {
            let from = view.session_number(from)?;
            if *page {
                copy_page(view, number, from, *at);
            }
            if *notes {
                notes::fork(view, (session, number), from)?;
            }
        }
        Change::EditNotepad { session, splice, rev, at } => {
            edit(view, (session, number), splice, (*rev, *at))?;
        }
        Change::DropNotepad { .. } => {
            let sql = "DELETE FROM notepad WHERE session = $1";
            view.tell(Statement::new(sql, vec![number.into()]));
        }
        Change::AddNote { session, note } => notes::add(view, (session, number), note)?,
        Change::SetNote { session, note } => notes::set(view, (session, number), note)?,
        Change::DropNote { id, .. } => notes::drop_those(view, number, [id.0; 2]),
        Change::DropNotes { upto, .. } => notes::drop_those(view, number, [i64::MIN, upto.0]),
        other => return Err(other.unmade()),
    }
    Ok(())
}

fn copy_page(view: &Snapshot<'_>, number: i64, from: i64, at: Time) {
    let sql = "INSERT INTO notepad (session, rev, updated_at, text)
               SELECT $1, 1, $3, text FROM notepad WHERE session = $2 ON CONFLICT DO NOTHING";
    view.tell(Statement::new(sql, vec![number.into(), from.into(), at.0.into()]));
}

fn edit(
    view: &Snapshot<'_>,
    (session, number): (&SessionKey, i64),
    splice: &Splice,
    (rev, at): (u32, Time),
) -> Result<(), StoreError> {
    let old = sessions::page(view, session, usize::MAX)?;
    let old = old.as_ref().map_or("", |page| page.text.as_str());
    let text = splice.apply(old).map_err(|error| failed(&error))?;
    let sql = "INSERT INTO notepad (session, rev, updated_at, text) VALUES ($1, $2, $3, $4)
               ON CONFLICT (session) DO UPDATE
               SET rev = excluded.rev, updated_at = excluded.updated_at, text = excluded.text";
    let values = vec![number.into(), i64::from(rev).into(), at.0.into(), text.as_str().into()];
    view.tell(Statement::new(sql, values));
    Ok(())
}
