//! Sessions: found by their key, by a prefix, or newest first.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use vademecum_core::id::{NoteId, ProjectId, Seq};
use vademecum_core::plan::PlanName;
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_store::{Counts, SessionCard, SessionFilter, StoreError};

use crate::error::Port;
use crate::names::{self, Names, ProjectRow, SessionRow};
use crate::plans;

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str = "+id, +project, +harness, +external, +agent, +began, +instance, +host_name, \
                       +started_at, +seen_at, +ended_at, +model, +cwd, +transcript, +host_pid, \
                       +compactions, +warned_at, +told_seq, +answer, +parent";

/// A session whose project and parent have still to be named.
struct Found {
    row: SessionRow,
    project: ProjectRow,
    parent: Option<SessionRow>,
    session: Session,
}

impl Found {
    fn named(self, names: &Names<'_>) -> Result<Session, StoreError> {
        let project = names.id(self.project)?.unwrap_or(ProjectId::NONE);
        let parent = self.parent.map(|row| names.key(row)).transpose()?.flatten();
        Ok(Session { project, parent, ..self.session })
    }
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found {
        row: SessionRow(row.get(0)?),
        project: ProjectRow(row.get(1)?),
        parent: row.get::<_, Option<i64>>(19)?.map(SessionRow),
        session: session(row)?,
    })
}

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        project: ProjectId::NONE,
        key: names::key(row, 2)?,
        parent: None,
        began: row.get::<_, String>(5)?.as_str().into(),
        instance: row.get(6)?,
        host_name: row.get(7)?,
        started_at: Time(row.get(8)?),
        seen_at: Time(row.get(9)?),
        ended_at: row.get::<_, Option<i64>>(10)?.map(Time),
        place: Place {
            model: row.get(11)?,
            cwd: row.get(12)?,
            transcript: row.get(13)?,
            host_pid: row.get(14)?,
        },
        standing: Standing {
            compactions: row.get(15)?,
            warned_at: row.get(16)?,
            told: Seq(row.get(17)?),
            answer: row.get(18)?,
        },
    })
}

fn collect(
    names: &Names<'_>,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Session>, StoreError> {
    let mut query = names.connection.prepare_cached(sql).port()?;
    let rows = query.query_map(values, found).port()?;
    let all = rows.collect::<rusqlite::Result<Vec<Found>>>().port()?;
    all.into_iter().map(|found| found.named(names)).collect()
}

pub(crate) fn by_key(names: &Names<'_>, key: &SessionKey) -> Result<Option<Session>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM session WHERE harness = ?1 AND external = ?2 AND agent = ?3"
    );
    let agent = key.agent.as_deref().unwrap_or_default();
    let values = params![key.harness, key.external, agent];
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let found = query.query_row(values, found).optional().port()?;
    let Some(found) = found else {
        names.lost(key);
        return Ok(None);
    };
    names.met(key, found.row);
    found.named(names).map(Some)
}

pub(crate) fn line_of(
    names: &Names<'_>,
    key: &SessionKey,
    limit: usize,
) -> Result<Vec<(SessionKey, Option<PlanName>)>, StoreError> {
    let sql = "SELECT +parent, (SELECT name FROM plan WHERE plan.id = session.active_plan)
               FROM session WHERE id = ?1";
    let mut next = names.find_session(key)?;
    let mut line = Vec::new();
    while let Some(row) = next.filter(|_| line.len() < limit) {
        let mut query = names.connection.prepare_cached(sql).port()?;
        let step = |row: &Row<'_>| {
            let plan = row.get::<_, Option<String>>(1)?.map(|_| plans::name(row, 1)).transpose()?;
            Ok((row.get::<_, Option<i64>>(0)?.map(SessionRow), plan))
        };
        let Some((parent, plan)) = query.query_row([row.0], step).optional().port()? else { break };
        let Some(key) = names.key(row)? else { break };
        line.push((key, plan));
        next = parent;
    }
    Ok(line)
}

/// The sessions of a filter. A condition that is not asked is not in the statement.
pub(crate) fn by(
    names: &Names<'_>,
    project: Option<ProjectRow>,
    filter: SessionFilter<'_>,
) -> Result<Vec<Session>, StoreError> {
    let project = project.map(|row| row.0);
    let mut sql = format!("SELECT {COLUMNS} FROM session WHERE true");
    let mut values: Vec<&dyn ToSql> = Vec::new();
    if let Some(project) = &project {
        sql.push_str(" AND project = ?");
        values.push(project);
    }
    if let Some(prefix) = &filter.prefix {
        sql.push_str(" AND substr(external, 1, length(?)) = ?");
        values.extend([prefix as &dyn ToSql, prefix]);
    }
    if let Some(harness) = &filter.harness {
        sql.push_str(" AND harness = ?");
        values.push(harness);
    }
    if !filter.include_archived {
        sql.push_str(" AND ended_at IS NULL");
    }
    if !filter.include_agents {
        sql.push_str(" AND agent = ''");
    }
    let n_most = limit(filter.limit);
    let by_instance = " ORDER BY instance DESC, id DESC LIMIT ?";
    let by_start = " ORDER BY started_at DESC, id DESC LIMIT ?";
    sql.push_str(if filter.by_instance { by_instance } else { by_start });
    values.push(&n_most);
    collect(names, &sql, values.as_slice())
}

/// What is counted and noted of a session, in one statement.
pub(crate) fn card(connection: &Connection, id: SessionRow) -> Result<SessionCard, StoreError> {
    let sql = "SELECT n_notes, n_open, last_id,
                   (SELECT rev FROM notepad WHERE session = ?1),
                   worked_at, (SELECT name FROM plan WHERE plan.id = session.active_plan)
               FROM session JOIN holder USING (id) WHERE session.id = ?1";
    let card = |row: &Row<'_>| {
        let (notes, open): (i64, i64) = (row.get(0)?, row.get(1)?);
        let last = row.get::<_, Option<i64>>(2)?.map(NoteId);
        let active = row.get::<_, Option<String>>(5)?.map(|_| plans::name(row, 5));
        Ok(SessionCard {
            counts: Counts { notes: notes.unsigned_abs(), open: open.unsigned_abs(), last },
            notepad_rev: row.get(3)?,
            worked_at: row.get::<_, Option<i64>>(4)?.map(Time),
            active_plan: active.transpose()?,
        })
    };
    let found = connection.prepare_cached(sql).port()?.query_row([id.0], card).optional().port()?;
    Ok(found.unwrap_or_default())
}

/// A limit as SQLite wants it: negative for none.
pub(crate) fn limit(limit: usize) -> i64 {
    if limit == 0 { -1 } else { i64::try_from(limit).unwrap_or(i64::MAX) }
}

/// A session as it is when it becomes known.
pub(crate) struct New<'a> {
    pub(crate) project: ProjectRow,
    pub(crate) key: &'a SessionKey,
    pub(crate) parent: Option<SessionRow>,
    pub(crate) began: &'a Began,
    pub(crate) instance: u32,
    pub(crate) host_name: &'a str,
    pub(crate) place: &'a Place,
    pub(crate) at: Time,
}

pub(crate) fn add(connection: &Connection, new: &New<'_>) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO session (id, project, harness, external, agent, parent, began, instance, host_name,
                   model, cwd, transcript, host_pid, started_at, seen_at, search)
               SELECT ?14, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, search
               FROM project WHERE id = ?1";
    let agent = new.key.agent.as_deref().unwrap_or("");
    let parent = new.parent.map(|id| id.0);
    let place = new.place;
    let values = params![
        new.project.0,
        new.key.harness,
        new.key.external,
        agent,
        parent,
        new.began.word(),
        new.instance,
        new.host_name,
        place.model,
        place.cwd,
        place.transcript,
        place.host_pid,
        new.at.0,
        names::new_holder(connection)?.0,
    ];
    connection.execute(sql, values).port()?;
    Ok(())
}

/// What is noted of a session that is heard of again.
pub(crate) struct News<'a> {
    pub(crate) id: SessionRow,
    pub(crate) seen_at: Time,
    pub(crate) ended_at: Option<Time>,
    pub(crate) place: &'a Place,
    pub(crate) standing: &'a Standing,
}

pub(crate) fn set(connection: &Connection, news: &News<'_>) -> Result<(), StoreError> {
    let sql =
        "UPDATE session SET seen_at = ?2, ended_at = ?3, model = ?4, cwd = ?5, transcript = ?6,
                   host_pid = ?7, compactions = ?8, warned_at = ?9, told_seq = ?10,
                   answer = ?11
               WHERE id = ?1";
    let values = params![
        news.id.0,
        news.seen_at.0,
        news.ended_at.map(|at| at.0),
        news.place.model,
        news.place.cwd,
        news.place.transcript,
        news.place.host_pid,
        news.standing.compactions,
        news.standing.warned_at,
        news.standing.told.0,
        news.standing.answer,
    ];
    connection.execute(sql, values).port()?;
    Ok(())
}

pub(crate) fn set_parent(
    connection: &Connection,
    id: SessionRow,
    parent: SessionRow,
) -> Result<(), StoreError> {
    let sql = "UPDATE session SET parent = ?2 WHERE id = ?1";
    connection.execute(sql, params![id.0, parent.0]).port()?;
    Ok(())
}
