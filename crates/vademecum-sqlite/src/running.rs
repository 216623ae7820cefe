//! The sub-agents that have started and not stopped: a row while they run, none after.

use rusqlite::{Connection, params};
use vademecum_core::session::SessionKey;
use vademecum_core::sub_agent::{Running, SubAgent};
use vademecum_core::time::Time;
use vademecum_store::{StoreError, Whose};

use crate::error::Port;
use crate::names::{self, Names, SessionRow};

pub(crate) fn of(names: &Names<'_>, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError> {
    let asked = match whose {
        Whose::Parent(key) => names.find_session(key)?.map(|row| row.0),
        Whose::Project(id) => names.find_project(id)?.map(|row| row.0),
    };
    let Some(asked) = asked else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for row in every(names.connection)? {
        let of = match whose {
            Whose::Parent(_) => row.parent.0,
            Whose::Project(_) => row.project,
        };
        if of != asked {
            continue;
        }
        let Some(parent) = names.key(row.parent)? else { continue };
        let id = row.session.agent.clone().unwrap_or_default();
        all.push(SubAgent { session: row.session, parent, id, running: row.running });
    }
    Ok(all)
}

/// Who runs, with the numbers it is asked by.
struct Row {
    session: SessionKey,
    parent: SessionRow,
    project: i64,
    running: Running,
}

/// All of them, oldest first: they are few, and a start, which asks twice, has one plain statement made once.
fn every(connection: &Connection) -> Result<Vec<Row>, StoreError> {
    let sql = "SELECT harness, external, agent, project, running.parent, began_at,
                   running.host_pid, kind, asked, running.session
               FROM running CROSS JOIN session ON session.id = running.session";
    let mut query = connection.prepare_cached(sql).port()?;
    let rows = query.query_map([], |row| {
        let running = Running {
            began_at: Time(row.get(5)?),
            host_pid: row.get(6)?,
            kind: row.get(7)?,
            asked: row.get(8)?,
        };
        let session = names::key(row, 0)?;
        let (project, parent) = (row.get(3)?, SessionRow(row.get(4)?));
        Ok((SessionRow(row.get(9)?), Row { session, parent, project, running }))
    });
    let mut rows = rows.port()?.collect::<rusqlite::Result<Vec<_>>>().port()?;
    rows.sort_by_key(|(session, row)| (row.running.began_at, *session));
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

pub(crate) fn set(
    connection: &Connection,
    session: SessionRow,
    running: Option<&Running>,
) -> Result<(), StoreError> {
    let Some(Running { began_at, host_pid, kind, asked }) = running else {
        connection.execute("DELETE FROM running WHERE session = ?1", [session.0]).port()?;
        return Ok(());
    };
    let sql = "INSERT OR REPLACE INTO running (session, parent, began_at, host_pid, kind, asked)
               SELECT id, parent, ?2, ?3, ?4, ?5 FROM session WHERE id = ?1 AND parent IS NOT NULL";
    connection.execute(sql, params![session.0, began_at.0, host_pid, kind, asked]).port()?;
    Ok(())
}
