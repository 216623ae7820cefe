//! Entries of plans, which are only ever added.

use rusqlite::{Connection, OptionalExtension, Row, params};
use vademecum_core::entry::{Category, Entry, Labels, Line, Matter, Said, Sameness, Text};
use vademecum_core::id::{EntryId, PlanId, ProjectId, SessionId};
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_store::{EntryFilter, StoreError};

use crate::error::{Port, unreadable};
use crate::plans;
use crate::sessions::limit;

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str = "+entry.id, +entry.at, +entry.content, +entry.task, +entry.pattern, +entry.tags, \
                       +entry.category, +entry.rationale, +entry.alternatives, +entry.severity, \
                       +entry.status, +entry.workaround, +entry.supersedes, +entry.merged_from, \
                       +entry.session";

/// Where the plan's name stands in a query of [`COLUMNS`] and it.
const PLAN: usize = 15;

/// Whether an issue is still there, and what is none.
const UNRESOLVED: &str = "entry.status IS NOT 'resolved'";

/// A correction of what was merged corrects the copy too.
///
/// Both are asked for alone: a list of both would be a table of its own for each row.
const UNCORRECTED: &str = "NOT EXISTS (SELECT 1 FROM entry AS later
     WHERE later.project = entry.project AND later.supersedes = entry.id)
    AND (entry.merged_from IS NULL OR NOT EXISTS (SELECT 1 FROM entry AS later
     WHERE later.project = entry.project AND later.supersedes = entry.merged_from))";

fn entry(row: &Row<'_>, plan: PlanName, category: Option<Category>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        id: EntryId(row.get(0)?),
        plan,
        at: Time(row.get(1)?),
        said: said(row, category)?,
        session: row.get::<_, Option<i64>>(14)?.map(SessionId),
        merged_from: row.get::<_, Option<i64>>(13)?.map(EntryId),
    })
}

fn entry_and_plan(row: &Row<'_>) -> rusqlite::Result<Entry> {
    entry(row, plans::name(row, PLAN)?, None)
}

fn said(row: &Row<'_>, category: Option<Category>) -> rusqlite::Result<Said> {
    let tags = column_text(row, 5)?.unwrap_or_default();
    let tags: Vec<&str> = tags.split(',').filter(|tag| !tag.is_empty()).collect();
    Ok(Said {
        content: text(row, 2)?.ok_or_else(|| unreadable(2, "an entry without content"))?,
        matter: matter(row, category)?,
        task: line(row, 3)?,
        pattern: line(row, 4)?,
        tags: Labels::kept(&tags).map_err(|error| unreadable(5, error))?,
        supersedes: row.get::<_, Option<i64>>(12)?.map(EntryId),
    })
}

/// What belongs to the category, which is read where it was not asked for.
fn matter(row: &Row<'_>, category: Option<Category>) -> rusqlite::Result<Matter> {
    let unknown = match category {
        Some(_) => "",
        None => column_text(row, 6)?.ok_or_else(|| unreadable(6, "an entry without category"))?,
    };
    Ok(match category.or_else(|| Category::parse(unknown)) {
        Some(Category::Issue) => Matter::Issue {
            severity: word(row, 9)?,
            status: word(row, 10)?.unwrap_or_default(),
            workaround: text(row, 11)?,
        },
        Some(Category::Decision) => {
            Matter::Decision { rationale: text(row, 7)?, alternatives: text(row, 8)? }
        }
        Some(Category::Learning) => Matter::Learning,
        None => Matter::Unknown {
            category: unknown.into(),
            severity: word(row, 9)?,
            status: word(row, 10)?,
            workaround: text(row, 11)?,
            rationale: text(row, 7)?,
            alternatives: text(row, 8)?,
        },
    })
}

/// The text of a column as SQLite has it, without a copy.
fn column_text<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<Option<&'a str>> {
    row.get_ref(column)?.as_str_or_null().map_err(|error| unreadable(column, error))
}

fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Text>> {
    let text = column_text(row, column)?.map(Text::new);
    text.transpose().map_err(|error| unreadable(column, error))
}

fn line(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Line>> {
    let line = column_text(row, column)?.map(Line::new);
    line.transpose().map_err(|error| unreadable(column, error))
}

fn word<T: for<'a> From<&'a str>>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
    Ok(column_text(row, column)?.map(T::from))
}

/// The conditions of a filter, whose values are the second and third of the query.
fn conditions(filter: EntryFilter, has_corrections: bool) -> String {
    let category = if filter.category.is_some() { "entry.category = ?2" } else { "?2 IS NULL" };
    let after = if filter.after.is_some() { "entry.id > ?3" } else { "?3 IS NULL" };
    let unresolved = if filter.in_force { UNRESOLVED } else { "TRUE" };
    let uncorrected = if filter.in_force && has_corrections { UNCORRECTED } else { "TRUE" };
    format!("entry.plan = ?1 AND {category} AND {after} AND {unresolved} AND {uncorrected}")
}

pub(crate) fn newest(
    connection: &Connection,
    plan: PlanId,
    filter: EntryFilter,
    n_most: usize,
) -> Result<Vec<Entry>, StoreError> {
    let Some((name, has_corrections)) = plans::name_by_id(connection, plan)? else {
        return Ok(Vec::new());
    };
    let sql = newest_first(filter, has_corrections);
    let (category, after) = (filter.category.map(Category::word), filter.after.map(|id| id.0));
    let mut query = connection.prepare_cached(&sql).port()?;
    let values = params![plan.0, category, after, limit(n_most)];
    let rows = query.query_map(values, |row| entry(row, name.clone(), filter.category)).port()?;
    rows.collect::<rusqlite::Result<_>>().port()
}

/// Every entry of a filter, the newest first, as many as the fourth value says.
fn newest_first(filter: EntryFilter, has_corrections: bool) -> String {
    let conditions = conditions(filter, has_corrections);
    format!(
        "SELECT {COLUMNS} FROM entry WHERE {conditions} ORDER BY entry.at DESC, entry.id DESC LIMIT ?4"
    )
}

/// The newest of each category that are in force, and whether there are more: one query asked three times.
pub(crate) fn newest_of_each(
    connection: &Connection,
    plan: PlanId,
    n_most: usize,
) -> Result<(Vec<Entry>, bool), StoreError> {
    let (mut entries, mut has_more) = (Vec::new(), false);
    let Some((name, has_corrections)) = plans::name_by_id(connection, plan)? else {
        return Ok((entries, has_more));
    };
    // The query is the same whatever the category is.
    let one = EntryFilter { category: Some(Category::Issue), in_force: true, after: None };
    let mut query = connection.prepare_cached(&newest_first(one, has_corrections)).port()?;
    for category in Category::ALL {
        let values = params![plan.0, category.word(), None::<i64>, limit(n_most + 1)];
        let mut rows = query.query(values).port()?;
        let n_before = entries.len();
        while let Some(row) = rows.next().port()? {
            if entries.len() == n_before + n_most {
                has_more = true;
                break;
            }
            entries.push(entry(row, name.clone(), Some(category)).port()?);
        }
    }
    Ok((entries, has_more))
}

pub(crate) fn count(
    connection: &Connection,
    plan: PlanId,
    filter: EntryFilter,
) -> Result<u64, StoreError> {
    let sql = format!("SELECT count(*) FROM entry WHERE {}", conditions(filter, true));
    let (category, after) = (filter.category.map(Category::word), filter.after.map(|id| id.0));
    let mut query = connection.prepare_cached(&sql).port()?;
    let n: i64 = query.query_row(params![plan.0, category, after], |row| row.get(0)).port()?;
    Ok(n.unsigned_abs())
}

pub(crate) fn by_id(
    connection: &Connection,
    project: ProjectId,
    id: EntryId,
) -> Result<Option<Entry>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, +plan.name FROM entry JOIN plan ON plan.id = entry.plan
         WHERE entry.project = ?1 AND entry.id = ?2"
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    query.query_row([project.0, id.0], entry_and_plan).optional().port()
}

pub(crate) fn same(
    connection: &Connection,
    plan: PlanId,
    sameness: &Sameness,
) -> Result<Option<(Entry, bool)>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, +plan.name, {UNRESOLVED} AND {UNCORRECTED} FROM entry JOIN plan ON plan.id = entry.plan
         WHERE entry.plan = ?1 AND entry.sameness = ?2 ORDER BY entry.id DESC LIMIT 1"
    );
    let mut query = connection.prepare_cached(&sql).port()?;
    let found = query.query_row(params![plan.0, sameness.as_str()], |row| {
        Ok((entry_and_plan(row)?, row.get::<_, bool>(PLAN + 1)?))
    });
    found.optional().port()
}

pub(crate) fn last(
    connection: &Connection,
    project: ProjectId,
) -> Result<Option<EntryId>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT max(id) FROM entry WHERE project = ?1").port()?;
    let id: Option<i64> = query.query_row([project.0], |row| row.get(0)).port()?;
    Ok(id.map(EntryId))
}

pub(crate) fn add(
    connection: &Connection,
    project: ProjectId,
    entry: &Entry,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO entry (project, plan, id, category, at, content, task, pattern, tags,
                   rationale, alternatives, severity, status, workaround, supersedes, merged_from,
                   session, sameness)
               SELECT ?1, plan.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18 FROM plan WHERE project = ?1 AND name = ?2";
    let Entry { id, plan, at, said, session, merged_from } = entry;
    let (own, sameness) = (said.matter.own(), said.sameness());
    let values = params![
        project.0,
        plan.as_str(),
        id.0,
        entry.word(),
        at.0,
        said.content.as_str(),
        said.task.as_ref().map(Line::as_str),
        said.pattern.as_ref().map(Line::as_str),
        said.tags.as_slice().join(","),
        own.rationale,
        own.alternatives,
        own.severity,
        own.status,
        own.workaround,
        said.supersedes.map(|id| id.0),
        merged_from.map(|id| id.0),
        session.map(|id| id.0),
        sameness.as_str(),
    ];
    match connection.execute(sql, values).port()? {
        1 => Ok(()),
        _ => Err(StoreError::Engine { what: format!("there is no plan {plan} to add to") }),
    }
}
