//! The sub-agents that have started and not stopped: a row while they run, none after.

use rusqlite::{Connection, params};
use vademecum_core::sub_agent::{Running, SubAgent};
use vademecum_core::time::Time;
use vademecum_store::{StoreError, Whose};

use crate::error::Port;
use crate::names::{self, Names, SessionRow};

pub(crate) fn of(names: &Names<'_>, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError> {
    let (column, row) = match whose {
        Whose::Parent(key) => ("running.parent", names.find_session(key)?.map(|row| row.0)),
        Whose::Project(id) => ("session.project", names.find_project(id)?.map(|row| row.0)),
    };
    let Some(row) = row else { return Ok(Vec::new()) };
    let sql = format!(
        "SELECT session.harness, session.external, session.agent, running.parent,
                running.began_at, running.host_pid, running.kind, running.asked
         FROM running CROSS JOIN session ON session.id = running.session
         WHERE {column} = ?1 ORDER BY running.began_at, running.session"
    );
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let rows = query.query_map([row], |row| {
        let running = Running {
            began_at: Time(row.get(4)?),
            host_pid: row.get(5)?,
            kind: row.get(6)?,
            asked: row.get(7)?,
        };
        Ok((names::key(row, 0)?, SessionRow(row.get(3)?), row.get(2)?, running))
    });
    let mut all = Vec::new();
    for row in rows.port()?.collect::<rusqlite::Result<Vec<_>>>().port()? {
        let (session, parent, id, running) = row;
        let Some(parent) = names.key(parent)? else { continue };
        all.push(SubAgent { session, parent, id, running });
    }
    Ok(all)
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
