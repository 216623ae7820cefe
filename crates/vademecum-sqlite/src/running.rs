//! The sub-agents that have started and not stopped: a row while they run, none after.

use rusqlite::{Connection, Row, params};
use vademecum_core::id::SessionId;
use vademecum_core::sub_agent::{Running, SubAgent};
use vademecum_core::time::Time;
use vademecum_store::{StoreError, Whose};

use crate::error::Port;

pub(crate) fn of(connection: &Connection, whose: Whose) -> Result<Vec<SubAgent>, StoreError> {
    let (column, id) = match whose {
        Whose::Parent(id) => ("running.parent", id.0),
        Whose::Project(id) => ("session.project", id.0),
    };
    let sql = format!(
        "SELECT running.session, running.parent, session.agent, running.began_at,
                running.host_pid, running.kind, running.asked
         FROM running CROSS JOIN session ON session.id = running.session
         WHERE {column} = ?1 ORDER BY running.began_at, running.session"
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let rows = query.query_map([id], sub_agent).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

fn sub_agent(row: &Row<'_>) -> rusqlite::Result<SubAgent> {
    Ok(SubAgent {
        session: SessionId(row.get(0)?),
        parent: SessionId(row.get(1)?),
        id: row.get(2)?,
        running: Running {
            began_at: Time(row.get(3)?),
            host_pid: row.get(4)?,
            kind: row.get(5)?,
            asked: row.get(6)?,
        },
    })
}

pub(crate) fn set(
    connection: &Connection,
    session: SessionId,
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
