//! Entries of plans, which are only ever added.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use vademecum_core::entry::{
    Category, Commit, Entry, Labels, Line, Matter, Said, Sameness, Stood, Text,
};
use vademecum_core::id::EntryId;
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_store::{EntryFilter, StoreError};

use crate::error::{Port, unreadable};
use crate::names::{Names, ProjectRow, SessionRow};
use crate::sessions::limit;
use crate::{index, numbers, plans};

/// The sign in front of each spares SQLite five texts about a column that nobody asks for.
const COLUMNS: &str = "+entry.id, +entry.at, +entry.content, +entry.task, +entry.pattern, +entry.tags, \
                       +entry.category, +entry.rationale, +entry.alternatives, +entry.severity, \
                       +entry.status, +entry.workaround, +entry.supersedes, +entry.merged_from, \
                       +entry.session";

/// Branch and commit of an entry, behind [`COLUMNS`]: a subquery would open their table anew for each row.
const STOOD: &str = "+stood.branch, +stood.commit_name";

/// Where they are, joined so that an entry without them has none.
const STOOD_FROM: &str = "LEFT JOIN stood ON stood.entry = entry.number";

/// Where [`STOOD`] begins.
const STOOD_AT: usize = 15;

/// Where the plan's name stands behind both.
const PLAN: usize = 17;

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
        session: None,
        merged_from: row.get::<_, Option<i64>>(13)?.map(EntryId),
        stood: stood(row).map(Box::new),
    })
}

/// Where the work tree stood; what is damaged of it takes no entry away.
fn stood(row: &Row<'_>) -> Option<Stood> {
    let commit = column_text(row, STOOD_AT + 1).ok().flatten();
    let branch = line(row, STOOD_AT).ok().flatten();
    Stood::some(branch.filter(|it| !it.as_str().is_empty()), commit.and_then(Commit::new))
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
    Ok(column_text(row, column)?.map(Line::kept))
}

fn word<T: for<'a> From<&'a str>>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
    Ok(column_text(row, column)?.map(T::from))
}

/// The entries of a filter.
///
/// Whoever asks of one plan and one category learns both once and not from each row.
pub(crate) fn by(
    names: &Names<'_>,
    filter: EntryFilter<'_>,
    n_most: usize,
) -> Result<Vec<Entry>, StoreError> {
    let Some(asked) = Asked::of(names, &filter)? else { return Ok(Vec::new()) };
    let plan = filter.plan.filter(|_| asked.has_one_plan());
    let (columns, from) = match plan {
        Some(_) => ("", "entry"),
        None => (", +plan.name", "entry JOIN plan ON plan.id = entry.plan"),
    };
    let order = if filter.by_id { "entry.id DESC" } else { "entry.at DESC, entry.id DESC" };
    let (conditions, mut values) = asked.conditions(filter.in_force);
    let sql = format!(
        "SELECT {COLUMNS}, {STOOD}{columns} FROM {from} {STOOD_FROM} WHERE {conditions} ORDER BY {order} LIMIT ?"
    );
    let n_most = limit(n_most);
    values.push(&n_most);
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let rows = query.query_map(values.as_slice(), |row| {
        let name = plan.map_or_else(|| plans::name(row, PLAN), |name| Ok(name.clone()))?;
        let by = row.get::<_, Option<i64>>(14)?.map(SessionRow);
        Ok((entry(row, name, filter.category)?, by))
    });
    let attributed = |(entry, by): (Entry, Option<SessionRow>)| {
        let session = by.map(|row| names.shared_key(row)).transpose()?.flatten();
        Ok(Entry { session, ..entry })
    };
    let rows = rows.port()?.collect::<rusqlite::Result<Vec<_>>>().port()?;
    rows.into_iter().map(attributed).collect()
}

/// The last id that was given; it stands at the holder, so that an erased one is not given again.
pub(crate) fn last(
    connection: &Connection,
    project: ProjectRow,
) -> Result<Option<EntryId>, StoreError> {
    let sql = "SELECT last_id FROM holder WHERE id = ?1";
    let mut query = connection.prepare_cached(sql).port()?;
    let id: Option<Option<i64>> =
        query.query_row([project.0], |row| row.get(0)).optional().port()?;
    Ok(id.flatten().map(EntryId))
}

pub(crate) fn count(names: &Names<'_>, filter: EntryFilter<'_>) -> Result<u64, StoreError> {
    let Some(asked) = Asked::of(names, &filter)? else { return Ok(0) };
    let (conditions, values) = asked.conditions(filter.in_force);
    let sql = format!("SELECT count(*) FROM entry WHERE {conditions}");
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let n: i64 = query.query_row(values.as_slice(), |row| row.get(0)).port()?;
    Ok(n.unsigned_abs())
}

/// The values of a filter, as SQLite takes them.
struct Asked<'a> {
    has_corrections: bool,
    numbers: [(&'static str, Option<i64>); 4],
    words: [(&'static str, Option<&'a str>); 3],
}

impl<'a> Asked<'a> {
    /// None where no entry can meet the filter: its project or plan is not there.
    ///
    /// Of one plan of one project it is asked first whether anything was ever corrected there.
    fn of(names: &Names<'_>, filter: &EntryFilter<'a>) -> Result<Option<Self>, StoreError> {
        let project = filter.project.map(|id| names.find_project(id)).transpose()?;
        if project == Some(None) {
            return Ok(None);
        }
        let project = project.flatten();
        let (plan, has_corrections) = match (project, filter.plan) {
            (Some(project), Some(name)) => match plans::find(names, project, name)? {
                Some(plan) => (Some(plan), plans::has_corrections(names, project)?),
                None => return Ok(None),
            },
            _ => (None, true),
        };
        let project = project.filter(|_| plan.is_none());
        Ok(Some(Self {
            has_corrections,
            numbers: [
                ("entry.plan = ?", plan.map(|row| row.0)),
                ("entry.project = ?", project.map(|row| row.0)),
                ("entry.id = ?", filter.id.map(|id| id.0)),
                ("? < entry.id", filter.after.map(|id| id.0)),
            ],
            words: [
                ("entry.category = ?", filter.category.map(Category::word)),
                ("entry.sameness = ?", filter.sameness.map(Sameness::as_str)),
                (
                    "entry.plan IN (SELECT id FROM plan WHERE name = ?)",
                    filter.plan.filter(|_| plan.is_none()).map(PlanName::as_str),
                ),
            ],
        }))
    }

    fn has_one_plan(&self) -> bool {
        self.numbers[0].1.is_some()
    }

    /// The conditions that are asked, so that each choice gets the index that fits it, and their values.
    fn conditions(&self, in_force: bool) -> (String, Vec<&dyn ToSql>) {
        let numbers = self.numbers.iter();
        let numbers = numbers.filter_map(|(sql, it)| Some((*sql, it.as_ref()? as &dyn ToSql)));
        let words = self.words.iter();
        let words = words.filter_map(|(sql, it)| Some((*sql, it.as_ref()? as &dyn ToSql)));
        let (mut all, values): (Vec<&str>, Vec<&dyn ToSql>) = numbers.chain(words).unzip();
        all.extend(in_force.then_some(UNRESOLVED));
        all.extend((in_force && self.has_corrections).then_some(UNCORRECTED));
        if all.is_empty() {
            all.push("true");
        }
        (all.join(" AND "), values)
    }
}

pub(crate) fn add(names: &Names<'_>, project: ProjectRow, entry: &Entry) -> Result<(), StoreError> {
    let sql = "INSERT INTO entry (project, plan, id, category, at, content, task, pattern, tags,
                   rationale, alternatives, severity, status, workaround, supersedes, merged_from,
                   session, sameness, number)
               SELECT ?1, plan.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18, ?19 FROM plan WHERE project = ?1 AND name = ?2";
    let Entry { id, plan, at, said, session, merged_from, stood } = entry;
    // It may be the first that corrects another.
    names.corrected.take();
    let (own, sameness) = (said.matter.own(), said.sameness());
    let session = session.as_deref().map(|key| names.session(key)).transpose()?;
    let number = place(names.connection, project, *id)?;
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
        session.map(|row| row.0),
        sameness.as_str(),
        number,
    ];
    match names.connection.execute(sql, values).port()? {
        1 => add_beside(names.connection, number, stood.as_deref()),
        _ => Err(StoreError::Engine { what: format!("there is no plan {plan} to add to") }),
    }
}

/// Keeps what lies beside the row of an entry: where the work tree stood, and its keys in the index.
fn add_beside(
    connection: &Connection,
    number: i64,
    stood: Option<&Stood>,
) -> Result<(), StoreError> {
    if let Some(Stood { branch, commit }) = stood {
        let sql = "INSERT INTO stood (entry, branch, commit_name) VALUES (?1, ?2, ?3)";
        let branch = branch.as_ref().map(Line::as_str);
        let commit = commit.as_ref().map(Commit::as_str);
        connection.execute(sql, params![number, branch, commit]).port()?;
    }
    index::renew(connection, number)
}

/// The number of the next entry of a project, which notes its id: none is given twice.
fn place(connection: &Connection, project: ProjectRow, id: EntryId) -> Result<i64, StoreError> {
    let sql =
        "UPDATE holder SET last_place = last_place + 1, last_id = max(coalesce(last_id, 0), ?2)
               WHERE id = ?1 RETURNING last_place";
    let mut placed = connection.prepare_cached(sql).port()?;
    let place = placed.query_row([project.0, id.0], |row| row.get(0)).port()?;
    numbers::entry(project, place)
}

/// The entry with this number.
pub(crate) fn by_number(names: &Names<'_>, number: i64) -> Result<Entry, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, {STOOD}, +plan.name FROM entry JOIN plan ON plan.id = entry.plan {STOOD_FROM} WHERE number = ?1"
    );
    let mut query = names.connection.prepare_cached(&sql).port()?;
    let read = |row: &Row<'_>| {
        let by = row.get::<_, Option<i64>>(14)?.map(SessionRow);
        Ok((entry(row, plans::name(row, PLAN)?, None)?, by))
    };
    let (entry, by) = query.query_row([number], read).port()?;
    let session = by.map(|row| names.shared_key(row)).transpose()?.flatten();
    Ok(Entry { session, ..entry })
}

/// What the entry with this number says.
pub(crate) fn said_by_number(
    connection: &Connection,
    number: i64,
) -> Result<Option<Said>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM entry WHERE number = ?1");
    let mut query = connection.prepare_cached(&sql).port()?;
    query.query_row([number], |row| said(row, None)).optional().port()
}
