//! Sessions: found by their key, by a prefix, or newest first.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use vademecum_core::id::{NoteId, PlanId, ProjectId, Seq, SessionId};
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_store::{Counts, SessionCard, SessionFilter, StoreError};

use crate::error::Port;

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str = "+id, +project, +harness, +external, +agent, +parent, +began, +instance, \
                       +machine, +started_at, +seen_at, +ended_at, +model, +cwd, +transcript, \
                       +host_pid, +compactions, +warned_at, +told_seq, +answer";

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        id: SessionId(row.get(0)?),
        project: ProjectId(row.get(1)?),
        key: SessionKey {
            harness: row.get(2)?,
            external: row.get(3)?,
            agent: Some(row.get::<_, String>(4)?).filter(|agent| !agent.is_empty()),
        },
        parent: row.get::<_, Option<i64>>(5)?.map(SessionId),
        began: row.get::<_, String>(6)?.as_str().into(),
        instance: row.get(7)?,
        machine: row.get(8)?,
        started_at: Time(row.get(9)?),
        seen_at: Time(row.get(10)?),
        ended_at: row.get::<_, Option<i64>>(11)?.map(Time),
        place: Place {
            model: row.get(12)?,
            cwd: row.get(13)?,
            transcript: row.get(14)?,
            host_pid: row.get(15)?,
        },
        standing: Standing {
            compactions: row.get(16)?,
            warned_at: row.get(17)?,
            told: Seq(row.get(18)?),
            answer: row.get(19)?,
        },
    })
}

fn collect(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Session>, StoreError> {
    let mut query = connection.prepare_cached(sql).port()?;
    let rows = query.query_map(values, session).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

pub(crate) fn by_key(
    connection: &Connection,
    key: &SessionKey,
) -> Result<Option<Session>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM session WHERE harness = ?1 AND external = ?2 AND agent = ?3"
    );
    let values = params![key.harness, key.external, key.agent.as_deref().unwrap_or("")];
    connection.prepare_cached(&sql).port()?.query_row(values, session).optional().port()
}

pub(crate) fn line_of(
    connection: &Connection,
    key: &SessionKey,
    limit: usize,
) -> Result<Vec<SessionId>, StoreError> {
    let step =
        |row: &Row<'_>| -> rusqlite::Result<(i64, Option<i64>)> { Ok((row.get(0)?, row.get(1)?)) };
    let sql = "SELECT +id, +parent FROM session
               WHERE harness = ?1 AND external = ?2 AND agent = ?3";
    let mut query = connection.prepare_cached(sql).port()?;
    let agent = key.agent.as_deref().unwrap_or_default();
    let mut next =
        query.query_row(params![key.harness, key.external, agent], step).optional().port()?;
    let mut line = Vec::new();
    while let Some((id, parent)) = next.filter(|_| line.len() < limit) {
        line.push(SessionId(id));
        next = match parent {
            Some(parent) => {
                let sql = "SELECT +id, +parent FROM session WHERE id = ?1";
                let mut query = connection.prepare_cached(sql).port()?;
                query.query_row([parent], step).optional().port()?
            }
            None => None,
        };
    }
    Ok(line)
}

/// The sessions of a filter. A condition that is not asked is not in the statement.
pub(crate) fn by(
    connection: &Connection,
    filter: SessionFilter<'_>,
) -> Result<Vec<Session>, StoreError> {
    let (id, project) = (filter.id.map(|id| id.0), filter.project.map(|id| id.0));
    let mut sql = format!("SELECT {COLUMNS} FROM session WHERE true");
    let mut values: Vec<&dyn ToSql> = Vec::new();
    for (condition, value) in [
        (" AND id = ?", id.as_ref().map(|it| it as &dyn ToSql)),
        (" AND project = ?", project.as_ref().map(|it| it as _)),
    ] {
        let Some(value) = value else { continue };
        sql.push_str(condition);
        values.push(value);
    }
    if let Some(prefix) = &filter.prefix {
        sql.push_str(" AND substr(external, 1, length(?)) = ?");
        values.extend([prefix as &dyn ToSql, prefix]);
    }
    if !filter.include_archived {
        sql.push_str(" AND ended_at IS NULL");
    }
    if !filter.include_agents {
        sql.push_str(" AND agent = ''");
    }
    let n_most = limit(filter.limit);
    if filter.id.is_none() {
        let by_instance = " ORDER BY instance DESC, id DESC LIMIT ?";
        let by_start = " ORDER BY started_at DESC, id DESC LIMIT ?";
        sql.push_str(if filter.by_instance { by_instance } else { by_start });
        values.push(&n_most);
    }
    collect(connection, &sql, values.as_slice())
}

/// What is counted and noted of a session, in one statement.
pub(crate) fn card(connection: &Connection, id: SessionId) -> Result<SessionCard, StoreError> {
    // A session has a page or borrows one. A store of before 1.5 knows of work its beginning alone.
    let sql = "SELECT n_notes, n_open, last_note,
                   coalesce((SELECT rev FROM notepad WHERE session = ?1),
                            (SELECT rev FROM borrowed WHERE session = ?1 AND page IS NOT NULL)),
                   (SELECT coalesce((SELECT at FROM worked WHERE session = ?1), began_at)
                    FROM work WHERE session = ?1),
                   (SELECT plan FROM active_plan WHERE session = ?1)
               FROM session WHERE id = ?1";
    let card = |row: &Row<'_>| {
        let (notes, open): (i64, i64) = (row.get(0)?, row.get(1)?);
        let last = row.get::<_, Option<i64>>(2)?.map(NoteId);
        Ok(SessionCard {
            counts: Counts { notes: notes.unsigned_abs(), open: open.unsigned_abs(), last },
            notepad_rev: row.get(3)?,
            worked_at: row.get::<_, Option<i64>>(4)?.map(Time),
            active_plan: row.get::<_, Option<i64>>(5)?.map(PlanId),
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
    pub(crate) project: ProjectId,
    pub(crate) key: &'a SessionKey,
    pub(crate) parent: Option<SessionId>,
    pub(crate) began: &'a Began,
    pub(crate) instance: u32,
    pub(crate) machine: &'a str,
    pub(crate) place: &'a Place,
    pub(crate) at: Time,
}

pub(crate) fn add(connection: &Connection, new: &New<'_>) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO session (project, harness, external, agent, parent, began, instance, machine,
                   model, cwd, transcript, host_pid, started_at, seen_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)";
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
        new.machine,
        place.model,
        place.cwd,
        place.transcript,
        place.host_pid,
        new.at.0,
    ];
    connection.execute(sql, values).port()?;
    Ok(())
}

/// What is noted of a session that is heard of again.
pub(crate) struct News<'a> {
    pub(crate) id: SessionId,
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
    id: SessionId,
    parent: SessionId,
) -> Result<(), StoreError> {
    let sql = "UPDATE session SET parent = ?2 WHERE id = ?1";
    connection.execute(sql, params![id.0, parent.0]).port()?;
    Ok(())
}
