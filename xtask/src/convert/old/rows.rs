//! Projects, sessions and what one session keeps; what it borrows is read as the copy that it stood for.

use anyhow::{Context as _, Result};
use rusqlite::{OptionalExtension as _, Row, params};
use vademecum_core::id::{NoteId, ProjectId, Seq};
use vademecum_core::note::{Content, Note, Tags};
use vademecum_core::plan::Plan;
use vademecum_core::project::{KeyKind, Project, ProjectKey};
use vademecum_core::session::{Place, Session, SessionKey, Standing};
use vademecum_core::sub_agent::{Running, SubAgent};
use vademecum_core::time::Time;
use vademecum_store::{Handoff, KeptRecap, Notepad};

use super::{Old, OldSession};

impl Old {
    /// When vade was switched off for the whole store; none while it is on.
    pub(in super::super) fn off_at(&self) -> Result<Option<Time>> {
        let sql = "SELECT value FROM store WHERE name = 'off_at'";
        let value: Option<String> =
            self.connection.query_row(sql, [], |row| row.get(0)).optional()?;
        Ok(value.and_then(|value| value.parse().ok()).map(Time))
    }

    /// The projects with what they are known by, the first seen first.
    pub(in super::super) fn projects(&self) -> Result<Vec<(Project, Vec<ProjectKey>)>> {
        let sql = "SELECT id, name, off_at, created_at FROM project ORDER BY id";
        let mut query = self.connection.prepare(sql)?;
        let rows = query.query_map([], |row| {
            let off_at = row.get::<_, Option<i64>>(2)?.map(Time);
            let (name, created_at) = (row.get(1)?, Time(row.get(3)?));
            Ok((row.get(0)?, Project { id: ProjectId::NONE, name, off_at, created_at }))
        })?;
        let rows = rows.collect::<rusqlite::Result<Vec<(i64, Project)>>>()?;
        let named = |(row, project)| {
            Ok((Project { id: self.project_id(row)?, ..project }, self.project_keys(row)?))
        };
        rows.into_iter().map(named).collect()
    }

    fn project_keys(&self, row: i64) -> Result<Vec<ProjectKey>> {
        let sql = "SELECT kind, value FROM project_key WHERE project = ?1 ORDER BY kind, value";
        let mut query = self.connection.prepare_cached(sql)?;
        let rows = query.query_map([row], |row| {
            // Which machine it was nobody knows; so any of them finds the folder.
            let (kind, machine) = (KeyKind::from(row.get::<_, String>(0)?), None);
            Ok(ProjectKey { kind, machine, value: row.get(1)? })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The plans, the first begun first.
    pub(in super::super) fn plans(&self) -> Result<Vec<Plan>> {
        let sql = "SELECT id, created_at, completed_at, archived_at, is_tracked
                   FROM plan ORDER BY id";
        let mut query = self.connection.prepare(sql)?;
        let rows = query.query_map([], |row| {
            let time =
                |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(Time));
            Ok((row.get(0)?, Time(row.get(1)?), time(2)?, time(3)?, row.get(4)?))
        })?;
        let rows = rows.collect::<rusqlite::Result<Vec<(i64, Time, _, _, bool)>>>()?;
        let plan = |(row, created_at, completed_at, archived_at, is_tracked)| {
            let of = self.plans.get(&row).context("a plan has no name")?;
            let (project, name) = (self.project_id(of.project)?, of.name.clone());
            Ok(Plan { project, name, created_at, completed_at, archived_at, is_tracked })
        };
        rows.into_iter().map(plan).collect()
    }

    /// The sessions, the first known first.
    pub(in super::super) fn sessions(&self) -> Result<Vec<OldSession>> {
        // A store of before 1.5 knows of work its beginning alone.
        let sql = "SELECT id, project, parent, began, instance, machine, started_at, seen_at,
                       ended_at, model, cwd, transcript, host_pid, compactions, warned_at, told_seq,
                       answer,
                       (SELECT coalesce((SELECT at FROM worked WHERE session = session.id), began_at)
                        FROM work WHERE session = session.id),
                       (SELECT plan.id FROM active_plan JOIN plan ON plan.id = active_plan.plan
                        WHERE active_plan.session = session.id
                            AND plan.project = session.project)
                   FROM session ORDER BY id";
        let mut query = self.connection.prepare(sql)?;
        let rows = query.query_map([], found)?.collect::<rusqlite::Result<Vec<_>>>()?;
        rows.into_iter().map(|found| self.session(found)).collect()
    }

    fn session(&self, found: Found) -> Result<OldSession> {
        let Found { row, project, parent, active_plan, worked_at, session } = found;
        let project = self.projects.get(&project).context("a session has no project")?;
        let parent = parent.and_then(|row| self.sessions.get(&row)).cloned();
        let plan = active_plan.and_then(|row| self.plans.get(&row));
        let active_plan = plan.map(|plan| plan.name.clone());
        let key = self.key_of(row)?.clone();
        let session = Session { project: *project, key, parent, ..session };
        Ok(OldSession { row, session, worked_at, active_plan })
    }

    /// The session whose rows hold what one has of a kind.
    fn holder(&self, row: i64, column: &str) -> Result<i64> {
        let sql = format!("SELECT {column} FROM borrowed WHERE session = ?1");
        let mut query = self.connection.prepare_cached(&sql)?;
        let found: Option<Option<i64>> = query.query_row([row], |row| row.get(0)).optional()?;
        Ok(found.flatten().unwrap_or(row))
    }

    /// The page of a session; none until the first write.
    pub(in super::super) fn page(&self, row: i64) -> Result<Option<Notepad>> {
        let sql = "SELECT coalesce(borrowed.rev, notepad.rev),
                       coalesce(borrowed.updated_at, notepad.updated_at), notepad.text
                   FROM notepad LEFT JOIN borrowed
                       ON borrowed.session = ?1 AND borrowed.page = notepad.session
                   WHERE notepad.session = ?2";
        let mut query = self.connection.prepare_cached(sql)?;
        let page = |row: &Row<'_>| {
            let (rev, updated_at) = (row.get(0)?, Time(row.get(1)?));
            Ok(Notepad { rev, text: row.get(2)?, more: 0, updated_at })
        };
        Ok(query.query_row([row, self.holder(row, "page")?], page).optional()?)
    }

    /// The notes of a session behind `after` in the order of lists, the newest last, at most `limit`.
    pub(in super::super) fn notes(
        &self,
        row: i64,
        after: Option<(Time, NoteId)>,
        limit: usize,
    ) -> Result<Vec<Note>> {
        let sql = "SELECT id, content, tags, created_at, updated_at, scratched_at FROM note
                   WHERE session = ?1 AND (?2, ?3) < (updated_at, id)
                   ORDER BY updated_at, id LIMIT ?4";
        let mut query = self.connection.prepare_cached(sql)?;
        let (Time(at), NoteId(id)) = after.unwrap_or((Time(i64::MIN), NoteId(i64::MIN)));
        let values = params![self.holder(row, "notes")?, at, id, i64::try_from(limit)?];
        let rows = query.query_and_then(values, note)?;
        rows.collect()
    }

    /// The newest notes of a session, at most `limit`, the newest first.
    pub(in super::super) fn newest_notes(&self, row: i64, limit: usize) -> Result<Vec<Note>> {
        let sql = "SELECT id, content, tags, created_at, updated_at, scratched_at FROM note
                   WHERE session = ?1 ORDER BY updated_at DESC, id DESC LIMIT ?2";
        let mut query = self.connection.prepare_cached(sql)?;
        let values = params![self.holder(row, "notes")?, i64::try_from(limit)?];
        query.query_and_then(values, note)?.collect()
    }

    /// The newest id that a session ever gave to a note, deleted ones included.
    pub(in super::super) fn last_note(&self, row: i64) -> Result<Option<NoteId>> {
        let sql = "SELECT last_note FROM session WHERE id = ?1";
        let last: Option<i64> =
            self.connection.prepare_cached(sql)?.query_row([row], |row| row.get(0))?;
        Ok(last.map(NoteId))
    }

    /// What the agent of a session wrote for the next.
    pub(in super::super) fn handoff(&self, row: i64) -> Result<Option<Handoff>> {
        let sql = "SELECT text, updated_at FROM handoff WHERE session = ?1";
        let handoff =
            |row: &Row<'_>| Ok(Handoff { text: row.get(0)?, updated_at: Time(row.get(1)?) });
        Ok(self.connection.prepare_cached(sql)?.query_row([row], handoff).optional()?)
    }

    /// The last recap that was made of a session.
    pub(in super::super) fn recap(&self, row: i64) -> Result<Option<KeptRecap>> {
        let sql = "SELECT body, at FROM recap WHERE session = ?1";
        let recap = |row: &Row<'_>| Ok(KeptRecap { body: row.get(0)?, at: Time(row.get(1)?) });
        Ok(self.connection.prepare_cached(sql)?.query_row([row], recap).optional()?)
    }

    /// The sub-agents that have started and not stopped, the first started first.
    pub(in super::super) fn running(&self) -> Result<Vec<SubAgent>> {
        let sql = "SELECT session, parent, began_at, host_pid, kind, asked FROM running
                   ORDER BY began_at, session";
        let mut query = self.connection.prepare(sql)?;
        let rows = query.query_map([], |row| {
            let (began_at, host_pid) = (Time(row.get(2)?), row.get(3)?);
            let running = Running { began_at, host_pid, kind: row.get(4)?, asked: row.get(5)? };
            Ok((row.get(0)?, row.get(1)?, running))
        })?;
        let rows = rows.collect::<rusqlite::Result<Vec<(i64, i64, Running)>>>()?;
        let mut all = Vec::new();
        for (session, parent, running) in rows {
            let Some(parent) = self.sessions.get(&parent).cloned() else { continue };
            let session = self.key_of(session)?.clone();
            let id = session.agent.clone().unwrap_or_default();
            all.push(SubAgent { session, parent, id, running });
        }
        Ok(all)
    }
}

/// A session whose project, name and parent have still to be told.
struct Found {
    row: i64,
    project: i64,
    parent: Option<i64>,
    active_plan: Option<i64>,
    worked_at: Option<Time>,
    session: Session,
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    let time = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(Time));
    let key = SessionKey { harness: String::new(), external: String::new(), agent: None };
    let session = Session {
        project: ProjectId::NONE,
        key,
        parent: None,
        began: row.get::<_, String>(3)?.as_str().into(),
        instance: row.get(4)?,
        host_name: row.get(5)?,
        started_at: Time(row.get(6)?),
        seen_at: Time(row.get(7)?),
        ended_at: time(8)?,
        place: Place {
            model: row.get(9)?,
            cwd: row.get(10)?,
            transcript: row.get(11)?,
            host_pid: row.get(12)?,
        },
        standing: Standing {
            compactions: row.get(13)?,
            warned_at: row.get(14)?,
            told: Seq(row.get(15)?),
            answer: row.get(16)?,
        },
    };
    Ok(Found {
        row: row.get(0)?,
        project: row.get(1)?,
        parent: row.get(2)?,
        active_plan: row.get(18)?,
        worked_at: time(17)?,
        session,
    })
}

fn note(row: &Row<'_>) -> Result<Note> {
    let id = NoteId(row.get(0)?);
    let tags: String = row.get(2)?;
    let tags: Vec<&str> = tags.split(',').collect();
    let what = || format!("{id} cannot be read");
    Ok(Note {
        id,
        content: Content::new(row.get::<_, String>(1)?).with_context(what)?,
        tags: Tags::kept(&tags).with_context(what)?,
        created_at: Time(row.get(3)?),
        updated_at: Time(row.get(4)?),
        scratched_at: row.get::<_, Option<i64>>(5)?.map(Time),
    })
}
