//! Projects and what they are known by, and the switch for the whole store.

use rusqlite::{Connection, OptionalExtension, Row, params};
use vademecum_core::id::{MachineId, ProjectId};
use vademecum_core::project::{KeyKind, Project, ProjectKey};
use vademecum_core::time::Time;
use vademecum_store::StoreError;

use crate::error::Port;
use crate::names::{Names, ProjectRow, new_holder};

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str =
    "+project.id, +project.name, +project.off_at, +project.created_at, +project.uid";

fn project(names: &Names<'_>, row: &Row<'_>) -> rusqlite::Result<Project> {
    let project = Project {
        id: ProjectId(row.get(4)?),
        name: row.get(1)?,
        off_at: row.get::<_, Option<i64>>(2)?.map(Time),
        created_at: Time(row.get(3)?),
    };
    names.met_project(project.id, ProjectRow(row.get(0)?));
    Ok(project)
}

pub(crate) fn by_keys(
    names: &Names<'_>,
    keys: &[ProjectKey],
) -> Result<Option<Project>, StoreError> {
    for key in keys {
        let found = match key.machine {
            Some(machine) => on_machine(names, key, machine)?,
            None => on_all(names, key)?,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn on_machine(
    names: &Names<'_>,
    key: &ProjectKey,
    machine: MachineId,
) -> Result<Option<Project>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM project_key JOIN project ON project.id = project_key.project
         WHERE project_key.kind = ?1 AND project_key.value = ?2 AND machine = ?3"
    );
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let values = params![key.kind.word(), key.value, machine.0];
    query.query_row(values, |row| project(names, row)).optional().port()
}

/// The project that all machines know by it which do.
fn on_all(names: &Names<'_>, key: &ProjectKey) -> Result<Option<Project>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM project
         WHERE id = (SELECT min(project) FROM project_key WHERE kind = ?1 AND value = ?2
                     HAVING min(project) = max(project))"
    );
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let values = params![key.kind.word(), key.value];
    query.query_row(values, |row| project(names, row)).optional().port()
}

pub(crate) fn keys(connection: &Connection, id: ProjectRow) -> Result<Vec<ProjectKey>, StoreError> {
    let sql = "SELECT kind, value, machine FROM project_key WHERE project = ?1
               ORDER BY kind, value, machine";
    let mut query = connection.prepare_cached(sql).port()?;
    let key = |row: &Row<'_>| {
        let machine: Vec<u8> = row.get(2)?;
        Ok(ProjectKey {
            kind: KeyKind::from(row.get::<_, String>(0)?),
            machine: machine.try_into().ok().map(MachineId),
            value: row.get(1)?,
        })
    };
    query.query_map([id.0], key).port()?.collect::<rusqlite::Result<_>>().port()
}

pub(crate) fn all(names: &Names<'_>, id: Option<ProjectRow>) -> Result<Vec<Project>, StoreError> {
    let which = if id.is_some() { "project.id = ?1" } else { "?1 IS NULL" };
    let sql = format!(
        "SELECT {COLUMNS} FROM project
         WHERE {which} ORDER BY project.id"
    );
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let rows = query.query_map([id.map(|id| id.0)], |row| project(names, row)).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

pub(crate) fn add(
    connection: &Connection,
    id: ProjectId,
    name: &str,
    keys: &[ProjectKey],
    at: Time,
) -> Result<(), StoreError> {
    let row = new_holder(connection)?.0;
    let sql = "INSERT INTO project (id, uid, name, created_at) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, params![row, id.0, name, at.0]).port()?;
    add_keys(connection, ProjectRow(row), keys)
}

pub(crate) fn add_keys(
    connection: &Connection,
    id: ProjectRow,
    keys: &[ProjectKey],
) -> Result<(), StoreError> {
    let sql = "INSERT INTO project_key (kind, value, machine, project) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO NOTHING";
    let mut insert = connection.prepare_cached(sql).port()?;
    for key in keys {
        let machine = key.machine.as_ref().map_or(&[][..], |machine| &machine.0);
        insert.execute(params![key.kind.word(), key.value, machine, id.0]).port()?;
    }
    Ok(())
}

pub(crate) fn rename(
    connection: &Connection,
    id: ProjectRow,
    name: &str,
) -> Result<(), StoreError> {
    connection.execute("UPDATE project SET name = ?2 WHERE id = ?1", params![id.0, name]).port()?;
    Ok(())
}

pub(crate) fn join(
    connection: &Connection,
    id: ProjectRow,
    into: ProjectRow,
) -> Result<(), StoreError> {
    for sql in [
        "UPDATE project_key SET project = ?2 WHERE project = ?1",
        "UPDATE session SET project = ?2 WHERE project = ?1",
    ] {
        connection.execute(sql, params![id.0, into.0]).port()?;
    }
    Ok(())
}

pub(crate) fn set_off(
    connection: &Connection,
    id: Option<ProjectRow>,
    off_at: Option<Time>,
) -> Result<(), StoreError> {
    match (id, off_at) {
        (Some(id), off_at) => {
            let sql = "UPDATE project SET off_at = ?2 WHERE id = ?1";
            connection.execute(sql, params![id.0, off_at.map(|at| at.0)]).port()?;
        }
        (None, Some(at)) => {
            let sql = "INSERT INTO store (name, value) VALUES ('off_at', ?1)
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            connection.execute(sql, [at.0.to_string()]).port()?;
        }
        (None, None) => {
            connection.execute("DELETE FROM store WHERE name = 'off_at'", []).port()?;
        }
    }
    Ok(())
}
