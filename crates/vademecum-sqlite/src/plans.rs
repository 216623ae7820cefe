//! Plans of a project, and which one a session works on.

use rusqlite::{Connection, OptionalExtension, Row, params};
use vademecum_core::id::ProjectId;
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::time::Time;
use vademecum_store::StoreError;

use crate::error::{Port, unreadable};
use crate::names::{Names, PlanRow, ProjectRow, SessionRow};

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str =
    "+plan.name, +plan.created_at, +plan.completed_at, +plan.archived_at, +plan.is_tracked";

fn plan(row: &Row<'_>, project: ProjectId) -> rusqlite::Result<Plan> {
    Ok(Plan {
        project,
        name: name(row, 0)?,
        created_at: Time(row.get(1)?),
        completed_at: row.get::<_, Option<i64>>(2)?.map(Time),
        archived_at: row.get::<_, Option<i64>>(3)?.map(Time),
        is_tracked: row.get(4)?,
    })
}

/// The name of a plan in a column.
pub(crate) fn name(row: &Row<'_>, column: usize) -> rusqlite::Result<PlanName> {
    let name = row.get_ref(column)?.as_str().map_err(|error| unreadable(column, error))?;
    PlanName::parse(name).map_err(|error| unreadable(column, error))
}

/// The name of a plan; none if its row is gone.
pub(crate) fn name_by_row(
    connection: &Connection,
    plan: i64,
) -> Result<Option<PlanName>, StoreError> {
    let mut query = connection.prepare_cached("SELECT name FROM plan WHERE id = ?1").port()?;
    query.query_row([plan], |row| name(row, 0)).optional().port()
}

/// The row of a plan; a list of the project's plans has met them all.
pub(crate) fn find(
    names: &Names<'_>,
    project: ProjectRow,
    name: &PlanName,
) -> Result<Option<PlanRow>, StoreError> {
    if let Some(row) = names.known_plan(project, name) {
        return Ok(Some(row));
    }
    let sql = "SELECT id FROM plan WHERE project = ?1 AND name = ?2";
    let mut query = names.connection.prepare_cached(sql).port()?;
    let values = params![project.0, name.as_str()];
    let found = query.query_row(values, |row| row.get(0).map(PlanRow)).optional().port()?;
    if let Some(row) = found {
        names.met_plan(project, name, row);
    }
    Ok(found)
}

/// Whether anything was ever corrected in a project.
pub(crate) fn has_corrections(names: &Names<'_>, project: ProjectRow) -> Result<bool, StoreError> {
    if let Some((of, is_so)) = *names.corrected.borrow()
        && of == project
    {
        return Ok(is_so);
    }
    let sql = "SELECT 1 FROM entry WHERE project = ?1 AND supersedes IS NOT NULL";
    let is_so = names.connection.prepare_cached(sql).port()?.exists([project.0]).port()?;
    *names.corrected.borrow_mut() = Some((project, is_so));
    Ok(is_so)
}

pub(crate) fn of_project(
    names: &Names<'_>,
    id: ProjectId,
    name: Option<&PlanName>,
) -> Result<Vec<Plan>, StoreError> {
    let Some(project) = names.find_project(id)? else { return Ok(Vec::new()) };
    let which = if name.is_some() { "name = ?2" } else { "?2 IS NULL" };
    let sql = format!(
        "SELECT {COLUMNS}, +plan.id FROM plan WHERE project = ?1 AND {which} ORDER BY plan.name"
    );
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let values = params![project.0, name.map(PlanName::as_str)];
    let rows = query.query_map(values, |row| Ok((plan(row, id)?, PlanRow(row.get(5)?)))).port()?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>().port()?;
    for (plan, row) in &rows {
        names.met_plan(project, &plan.name, *row);
    }
    Ok(rows.into_iter().map(|(plan, _)| plan).collect())
}

pub(crate) fn add(
    connection: &Connection,
    project: ProjectRow,
    name: &PlanName,
    is_tracked: bool,
    at: Time,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO plan (project, name, is_tracked, created_at) VALUES (?1, ?2, ?3, ?4)";
    connection.execute(sql, params![project.0, name.as_str(), is_tracked, at.0]).port()?;
    Ok(())
}

/// Where a plan stands.
pub(crate) struct Standing {
    pub(crate) completed_at: Option<Time>,
    pub(crate) archived_at: Option<Time>,
    pub(crate) is_tracked: bool,
}

pub(crate) fn set(
    connection: &Connection,
    project: ProjectRow,
    name: &PlanName,
    standing: &Standing,
) -> Result<(), StoreError> {
    let sql = "UPDATE plan SET completed_at = ?3, archived_at = ?4, is_tracked = ?5
               WHERE project = ?1 AND name = ?2";
    let (completed, archived) = (standing.completed_at, standing.archived_at);
    let values = params![
        project.0,
        name.as_str(),
        completed.map(|at| at.0),
        archived.map(|at| at.0),
        standing.is_tracked
    ];
    connection.execute(sql, values).port()?;
    Ok(())
}

pub(crate) fn set_active(
    connection: &Connection,
    session: SessionRow,
    plan: Option<PlanRow>,
) -> Result<(), StoreError> {
    let sql = "UPDATE session SET active_plan = ?2 WHERE id = ?1";
    connection.execute(sql, params![session.0, plan.map(|plan| plan.0)]).port()?;
    Ok(())
}
