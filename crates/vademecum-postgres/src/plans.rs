//! Projects by their keys, plans, and their entries, which are only ever added.

use tokio_postgres::Row;
use vademecum_core::entry::{Category, Entry, Said, Stood};
use vademecum_core::id::{EntryId, MachineId, ProjectId};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{KeyKind, Project, ProjectKey};
use vademecum_core::time::Time;
use vademecum_store::{EntryFilter, StoreError};

use crate::error::missing;
use crate::names::{digest, plan_name};
use crate::sessions::{as_json, json, some_json};
use crate::snapshot::Snapshot;
use crate::statement::{Statement, Value, array, column, given, limit, number, text};

/// What stands in the database of one key.
pub(crate) fn key_digest(key: &ProjectKey) -> [u8; 16] {
    digest(&[key.kind.word().as_bytes(), &key.value])
}

fn project(row: &Row) -> Result<Project, StoreError> {
    Ok(Project {
        id: ProjectId(array(row, 1)?),
        name: text(row, 2)?,
        off_at: column::<Option<i64>>(row, 3)?.map(Time),
        created_at: Time(column(row, 4)?),
    })
}

/// The project that the first known of `keys` names.
pub(crate) fn by_keys(
    view: &Snapshot<'_>,
    keys: &[ProjectKey],
) -> Result<Option<Project>, StoreError> {
    let digests = keys.iter().map(|key| key_digest(key).to_vec()).collect();
    let machine =
        |key: &ProjectKey| key.machine.map_or_else(Vec::new, |machine| machine.0.to_vec());
    let machines = keys.iter().map(machine).collect();
    let sql = "SELECT * FROM project_by_keys($1, $2)";
    let values = vec![Value::List(digests), Value::List(machines)];
    let found = view.ask_one(Statement::card(sql, values))?;
    let Some(row) = found else { return Ok(None) };
    let project = project(&row)?;
    view.met_project(project.id, column(&row, 0)?);
    Ok(Some(project))
}

pub(crate) fn projects(
    view: &Snapshot<'_>,
    id: Option<ProjectId>,
) -> Result<Vec<Project>, StoreError> {
    let select = "SELECT id, uid, name, off_at, created_at FROM project";
    let statement = match id {
        Some(id) => Statement::card(format!("{select} WHERE uid = $1"), vec![id.0.into()]),
        None => Statement::new(format!("{select} ORDER BY id"), Vec::new()),
    };
    let rows = view.ask(statement)?;
    let met = |row: &Row| {
        let project = project(row)?;
        view.met_project(project.id, column(row, 0)?);
        Ok(project)
    };
    rows.iter().map(met).collect()
}

/// What a project is known by, in the order of kinds and values.
pub(crate) fn keys(view: &Snapshot<'_>, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError> {
    let sql = "SELECT kind, value, machine FROM project_key
               JOIN project ON project.id = project_key.project
               WHERE uid = $1 ORDER BY kind, value, machine";
    let key = |row: &Row| {
        let kind = KeyKind::from(text(row, 0)?.as_str());
        let machine: Vec<u8> = column(row, 2)?;
        let machine = machine.try_into().ok().map(MachineId);
        Ok(ProjectKey { kind, machine, value: column(row, 1)? })
    };
    view.ask(Statement::new(sql, vec![id.0.into()]))?.iter().map(key).collect()
}

pub(crate) fn plans(
    view: &Snapshot<'_>,
    project: ProjectId,
    name: Option<&PlanName>,
) -> Result<Vec<Plan>, StoreError> {
    let mut values = vec![project.0.into()];
    let mut which = "";
    if let Some(name) = name {
        values.push(name.as_str().into());
        which = " AND plan.name = $2";
    }
    let sql = format!(
        "SELECT plan.name, plan.created_at, completed_at, archived_at, is_tracked
         FROM plan JOIN project ON project.id = plan.project
         WHERE uid = $1{which} ORDER BY plan.name"
    );
    let plan = |row: &Row| {
        Ok(Plan {
            project,
            name: plan_name(row, 0)?,
            created_at: Time(column(row, 1)?),
            completed_at: column::<Option<i64>>(row, 2)?.map(Time),
            archived_at: column::<Option<i64>>(row, 3)?.map(Time),
            is_tracked: column(row, 4)?,
        })
    };
    view.ask(Statement::new(sql, values))?.iter().map(plan).collect()
}

/// The conditions of a filter and their values.
///
/// A correction of what was merged corrects the copy too.
fn conditions(filter: &EntryFilter<'_>) -> (String, Vec<Value>) {
    let asked: [(&str, Option<Value>); 6] = [
        (" AND project.uid = ?", filter.project.map(|id| id.0.into())),
        (" AND plan.name = ?", filter.plan.map(|name| name.as_str().into())),
        (" AND entry.id = ?", filter.id.map(|id| id.0.into())),
        (" AND entry.sameness = ?", filter.sameness.map(|it| it.as_str().into())),
        (" AND entry.category = ?", filter.category.map(|it| Category::word(it).into())),
        (" AND ? < entry.id", filter.after.map(|id| id.0.into())),
    ];
    let (mut sql, mut values) = ("true".to_owned(), Vec::new());
    for (condition, value) in asked {
        let Some(value) = value else { continue };
        given(&mut sql, condition, &mut values, value);
    }
    if filter.in_force {
        sql.push_str(
            " AND NOT entry.is_resolved AND NOT EXISTS (SELECT 1 FROM entry AS later
                  WHERE later.project = entry.project AND later.supersedes = entry.id)
              AND NOT EXISTS (SELECT 1 FROM entry AS later
                  WHERE later.project = entry.project AND later.supersedes = entry.merged_from)",
        );
    }
    (sql, values)
}

const ENTRIES: &str = "FROM entry JOIN project ON project.id = entry.project
    JOIN plan ON plan.id = entry.plan";

pub(crate) fn entries(
    view: &Snapshot<'_>,
    filter: &EntryFilter<'_>,
    n_most: usize,
) -> Result<Vec<Entry>, StoreError> {
    let (conditions, mut values) = conditions(filter);
    values.push(limit(n_most));
    let order = if filter.by_id { "entry.id DESC" } else { "entry.at DESC, entry.id DESC" };
    let sql = format!(
        "SELECT entry.id, plan.name, entry.at, said, merged_from, session, stood, entry.project
         {ENTRIES} WHERE {conditions} ORDER BY {order}, entry.project LIMIT ${}",
        values.len()
    );
    let rows = view.ask(Statement::new(sql, values))?;
    let by = rows.iter().map(|row| column(row, 5)).collect::<Result<Vec<Option<i64>>, _>>()?;
    view.learn_keys(&by.iter().flatten().copied().collect::<Vec<_>>())?;
    let entry = |(row, by): (&Row, Option<i64>)| {
        let read = || {
            Ok(Entry {
                id: EntryId(column(row, 0)?),
                plan: plan_name(row, 1)?,
                at: Time(column(row, 2)?),
                said: json(row, 3)?,
                session: by.map(|number| view.key_of(number)).transpose()?.flatten(),
                merged_from: column::<Option<i64>>(row, 4)?.map(EntryId),
                stood: some_json(row, 6)?.map(Box::new),
            })
        };
        view.unless_anothers(column(row, 7)?, read())
    };
    rows.iter().zip(by).filter_map(|it| entry(it).transpose()).collect()
}

/// How many entries of projects of others cannot be read, with the numbers of the projects.
pub(crate) fn unread(view: &Snapshot<'_>) -> Result<Vec<(i64, usize)>, StoreError> {
    let sql = "SELECT project, said, stood FROM entry
               WHERE project IN (SELECT id FROM project WHERE owner <> session_user)";
    let mut unread = std::collections::BTreeMap::<i64, usize>::new();
    for row in view.ask(Statement::new(sql, Vec::new()))?.iter() {
        let is_read = json::<Said>(row, 1).is_ok() && some_json::<Stood>(row, 2).is_ok();
        if !is_read {
            *unread.entry(column(row, 0)?).or_default() += 1;
        }
    }
    Ok(unread.into_iter().collect())
}

pub(crate) fn count(view: &Snapshot<'_>, filter: &EntryFilter<'_>) -> Result<u64, StoreError> {
    let (conditions, values) = conditions(filter);
    let sql = format!("SELECT count(*) {ENTRIES} WHERE {conditions}");
    view.ask_one(Statement::new(sql, values))?.map_or(Ok(0), |row| number(&row, 0))
}

pub(crate) fn last_entry(
    view: &Snapshot<'_>,
    project: ProjectId,
) -> Result<Option<EntryId>, StoreError> {
    let sql = "SELECT last_entry FROM project WHERE uid = $1";
    let found = view.ask_one(Statement::new(sql, vec![project.0.into()]))?;
    let last: Option<Option<i64>> = found.map(|row| column(&row, 0)).transpose()?;
    Ok(last.flatten().map(EntryId))
}

/// Adds an entry to a plan, whose id nobody has in the project.
pub(crate) fn add_entry(
    view: &Snapshot<'_>,
    project: i64,
    entry: &Entry,
) -> Result<(), StoreError> {
    let session = entry.session.as_deref().map(|key| view.session_number(key)).transpose()?;
    let sql = "SELECT id, EXISTS (SELECT 1 FROM entry WHERE project = $1 AND id = $3)
               FROM plan WHERE project = $1 AND name = $2";
    let name = entry.plan.as_str();
    let asked = vec![project.into(), name.into(), entry.id.0.into()];
    let found = view.ask_one(Statement::new(sql, asked))?;
    let Some(row) = found else { return Err(missing(&format!("plan {name}"))) };
    if column(&row, 1)? {
        return Err(crate::error::doubled(&entry.id));
    }
    let sql = "INSERT INTO entry (project, id, plan, category, at, is_resolved, supersedes,
                   merged_from, session, sameness, said, stood)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    let is_resolved = entry.said.matter.own().status == Some("resolved");
    view.tell(Statement::new(
        sql,
        vec![
            project.into(),
            entry.id.0.into(),
            column::<i64>(&row, 0)?.into(),
            entry.word().into(),
            entry.at.0.into(),
            is_resolved.into(),
            entry.said.supersedes.map(|id| id.0).into(),
            entry.merged_from.map(|id| id.0).into(),
            session.into(),
            entry.said.sameness().as_str().into(),
            as_json(&entry.said)?,
            entry.stood.as_deref().map_or(Ok(Value::Bytes(None)), as_json)?,
        ],
    ));
    let sql = "UPDATE project SET last_entry = greatest(last_entry, $2) WHERE id = $1";
    view.tell(Statement::new(sql, vec![project.into(), entry.id.0.into()]));
    Ok(())
}
