//! Sessions: found by their key, by a prefix, or newest first; their pages, words and recaps.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_postgres::Row;
use vademecum_core::id::{NoteId, ProjectId};
use vademecum_core::plan::PlanName;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;
use vademecum_core::time::Time;
use vademecum_store::{
    Counts, Handoff, KeptRecap, Notepad, SessionCard, SessionFilter, StoreError, Whose, Words,
};

use crate::error::{corrupt, failed};
use crate::names::{family_digest, key, plan_name, session_digest};
use crate::snapshot::{Listed, Snapshot};
use crate::statement::{Statement, Value, array, column, given, limit, number, some_text, text};

/// A session with the names of its project and its parent.
const SELECT: &str = "SELECT session.id, session.harness, session.external, session.agent,
    session.began, session.instance, session.host_name, session.started_at, session.seen_at,
    session.ended_at, session.place, session.standing, project.uid, parent.harness, parent.external,
    parent.agent
    FROM session JOIN project ON project.id = session.project
    LEFT JOIN session AS parent ON parent.id = session.parent";

fn session(row: &Row) -> Result<Session, StoreError> {
    let has_parent = column::<Option<&[u8]>>(row, 13)?.is_some();
    Ok(Session {
        project: ProjectId(array(row, 12)?),
        key: key(row, 1)?,
        parent: has_parent.then(|| key(row, 13)).transpose()?,
        began: text(row, 4)?.as_str().into(),
        instance: number(row, 5)?,
        host_name: text(row, 6)?,
        started_at: Time(column(row, 7)?),
        seen_at: Time(column(row, 8)?),
        ended_at: column::<Option<i64>>(row, 9)?.map(Time),
        place: json(row, 10)?,
        standing: json(row, 11)?,
    })
}

/// A column that holds JSON.
pub(crate) fn json<T: DeserializeOwned>(row: &Row, at: usize) -> Result<T, StoreError> {
    serde_json::from_slice(column(row, at)?).map_err(|error| corrupt(&error))
}

/// A column that may hold JSON.
pub(crate) fn some_json<T: DeserializeOwned>(
    row: &Row,
    at: usize,
) -> Result<Option<T>, StoreError> {
    let bytes = column::<Option<&[u8]>>(row, at)?;
    bytes.map(serde_json::from_slice).transpose().map_err(|error| corrupt(&error))
}

/// What is kept as JSON: a text of it may hold what no type of the server takes, and nothing looks into it there.
pub(crate) fn as_json(value: &impl Serialize) -> Result<Value, StoreError> {
    Ok(serde_json::to_vec(value).map_err(|error| failed(&error))?.into())
}

pub(crate) fn by_key(view: &Snapshot<'_>, key: &SessionKey) -> Result<Option<Session>, StoreError> {
    let Some(row) = view.ask_one(of_key(key))? else { return Ok(None) };
    view.met(key, column(&row, 0)?);
    session(&row).map(Some)
}

/// The statement that finds a session, and what is counted and noted of it: whoever finds one most often asks that too.
pub(crate) fn of_key(key: &SessionKey) -> Statement {
    Statement::card("SELECT * FROM session_by_digest($1)", vec![session_digest(key).into()])
}

/// Where in it that stands.
const CARD: usize = 16;

/// The sessions of a filter.
pub(crate) fn by(
    view: &Snapshot<'_>,
    filter: SessionFilter<'_>,
) -> Result<Vec<Session>, StoreError> {
    let rows = view.ask(listed(&filter))?;
    let sessions = rows.iter().map(session).collect::<Result<Vec<_>, _>>()?;
    let mut listed = Vec::new();
    for (row, session) in rows.iter().zip(&sessions).take(LISTED) {
        let id: i64 = column(row, 0)?;
        view.met(&session.key, id);
        listed.push(Listed([session_digest(&session.key).into(), id.into()]));
    }
    view.list(listed);
    Ok(sessions)
}

/// The statement that finds the sessions of a filter.
fn listed(filter: &SessionFilter<'_>) -> Statement {
    if let SessionFilter { project: Some(project), prefix: None, harness: None, .. } = filter
        && !filter.by_instance
    {
        let SessionFilter { include_archived, include_agents, .. } = *filter;
        let most = limit(filter.limit);
        let values = vec![project.0.into(), include_archived.into(), include_agents.into(), most];
        return Statement::new("SELECT * FROM sessions_of_project($1, $2, $3, $4)", values);
    }
    let mut sql = format!("{SELECT} WHERE true");
    let mut values: Vec<Value> = Vec::new();
    if let Some(project) = filter.project {
        given(&mut sql, " AND project.uid = ?", &mut values, project.0);
    }
    if let Some(prefix) = filter.prefix {
        let condition = " AND substring(session.external FROM 1 FOR octet_length(?)) = ?";
        given(&mut sql, condition, &mut values, prefix);
    }
    if let Some(harness) = filter.harness {
        given(&mut sql, " AND session.harness = ?", &mut values, harness);
    }
    if !filter.include_archived {
        sql.push_str(" AND session.ended_at IS NULL");
    }
    if !filter.include_agents {
        sql.push_str(" AND session.agent = ''");
    }
    let order = if filter.by_instance {
        " ORDER BY session.instance DESC, session.id DESC LIMIT ?"
    } else {
        " ORDER BY session.started_at DESC, session.id DESC LIMIT ?"
    };
    given(&mut sql, order, &mut values, limit(filter.limit));
    Statement::new(sql, values)
}

/// A look at a page of so many bytes is taken at those of a whole list.
const GLANCE: i64 = 4096;

/// So many of a list are kept in mind: who goes through a longer one looks at few.
const LISTED: usize = 256;

/// A session and those that it stems from, with the plans that they were told to use.
pub(crate) fn line_of(
    view: &Snapshot<'_>,
    of: &SessionKey,
    n_most: usize,
) -> Result<Vec<(SessionKey, Option<PlanName>)>, StoreError> {
    let sql = "WITH RECURSIVE line AS (
                   SELECT session.*, 1::bigint AS n FROM session WHERE digest = $1
                   UNION ALL SELECT parent.*, n + 1 FROM line
                       JOIN session AS parent ON parent.id = line.parent WHERE n < $2)
               SELECT harness, external, agent, plan.name
               FROM line LEFT JOIN plan ON plan.id = line.active_plan ORDER BY n";
    let n_most = i64::try_from(n_most).unwrap_or(i64::MAX);
    if n_most == 0 {
        return Ok(Vec::new());
    }
    let rows = view.ask(Statement::new(sql, vec![session_digest(of).into(), n_most.into()]))?;
    let step = |row: &Row| {
        let has_plan = column::<Option<&[u8]>>(row, 3)?.is_some();
        Ok((key(row, 0)?, has_plan.then(|| plan_name(row, 3)).transpose()?))
    };
    rows.iter().map(step).collect()
}

/// What is counted and noted of a session, in one question.
pub(crate) fn card(view: &Snapshot<'_>, of: &SessionKey) -> Result<SessionCard, StoreError> {
    let Some(row) = view.ask_one_of(of_key(of))? else { return Ok(SessionCard::default()) };
    view.met(of, column(&row, 0)?);
    let last = column::<Option<i64>>(&row, CARD + 2)?.map(NoteId);
    let has_page = column::<Option<i64>>(&row, CARD + 3)?.is_some();
    let has_plan = column::<Option<&[u8]>>(&row, CARD + 5)?.is_some();
    Ok(SessionCard {
        counts: Counts { notes: number(&row, CARD)?, open: number(&row, CARD + 1)?, last },
        notepad_rev: has_page.then(|| number(&row, CARD + 3)).transpose()?,
        worked_at: column::<Option<i64>>(&row, CARD + 4)?.map(Time),
        active_plan: has_plan.then(|| plan_name(&row, CARD + 5)).transpose()?,
    })
}

/// The page of a session, to the end of a character if it is longer than `most` bytes.
pub(crate) fn page(
    view: &Snapshot<'_>,
    of: &SessionKey,
    most: usize,
) -> Result<Option<Notepad>, StoreError> {
    let sql = "SELECT rev, updated_at, octet_length(text)::bigint,
                   substring(text FROM 1 FOR $2::bigint::integer)
               FROM notepad JOIN session ON session.id = notepad.session WHERE session.digest = $1";
    let most = i64::from(i32::try_from(most).unwrap_or(i32::MAX));
    let statement = Statement::new(sql, vec![session_digest(of).into(), most.into()]);
    // Whole pages of others are much to read for who may want this one.
    let found = if most <= GLANCE { view.ask_one_of(statement)? } else { view.ask_one(statement)? };
    let Some(row) = found else { return Ok(None) };
    let (rev, updated_at, length) = (number(&row, 0)?, Time(column(&row, 1)?), number(&row, 2)?);
    let text = whole_characters(column(&row, 3)?)?;
    let more = u64::saturating_sub(length, text.len() as u64);
    Ok(Some(Notepad { rev, text, more, updated_at }))
}

/// The bytes up to the last character that is whole.
fn whole_characters(bytes: &[u8]) -> Result<String, StoreError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) if error.error_len().is_none() => {
            let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
            crate::statement::utf8(whole.to_vec())
        }
        Err(error) => Err(corrupt(&error)),
    }
}

/// What was written for the next session, the newest first.
pub(crate) fn handoffs(
    view: &Snapshot<'_>,
    words: Words<'_>,
) -> Result<Vec<(String, Handoff)>, StoreError> {
    let select = "SELECT agent, updated_at, text FROM session
                  JOIN handoff ON handoff.session = session.id";
    let statement = match words {
        Words::Of(key) => {
            Statement::new(format!("{select} WHERE digest = $1"), vec![session_digest(key).into()])
        }
        Words::OfAgents(key) => Statement::new(
            format!("{select} WHERE family = $1 AND agent <> '' ORDER BY updated_at DESC, id DESC"),
            vec![family_digest(key).into()],
        ),
    };
    let handoff = |row: &Row| {
        let agent = if matches!(words, Words::Of(_)) { String::new() } else { text(row, 0)? };
        Ok((agent, Handoff { text: text(row, 2)?, updated_at: Time(column(row, 1)?) }))
    };
    let rows = match words {
        Words::Of(_) => view.ask_of(statement)?,
        Words::OfAgents(_) => view.ask(statement)?,
    };
    rows.iter().map(handoff).collect()
}

pub(crate) fn recap(view: &Snapshot<'_>, of: &SessionKey) -> Result<Option<KeptRecap>, StoreError> {
    let sql = "SELECT at, body FROM recap JOIN session ON session.id = recap.session
               WHERE digest = $1";
    let found = view.ask_one(Statement::new(sql, vec![session_digest(of).into()]))?;
    found.map(|row| Ok(KeptRecap { body: text(&row, 1)?, at: Time(column(&row, 0)?) })).transpose()
}

/// The sub-agents that run, the first started first; those that began at once as they became known.
pub(crate) fn running(view: &Snapshot<'_>, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError> {
    let select = "SELECT session.harness, session.external, session.agent, parent.harness,
                      parent.external, parent.agent, about
                  FROM running JOIN session ON session.id = running.session
                  JOIN session AS parent ON parent.id = running.parent";
    let order = "ORDER BY running.began_at, session.id";
    let statement = match whose {
        Whose::Parent(key) => Statement::new(
            format!("{select} WHERE parent.digest = $1 {order}"),
            vec![session_digest(key).into()],
        ),
        Whose::Project(id) => Statement::new(
            format!(
                "{select} JOIN project ON project.id = session.project
                 WHERE project.uid = $1 {order}"
            ),
            vec![id.0.into()],
        ),
    };
    let agent = |row: &Row| {
        let id = some_text(row, 2)?.unwrap_or_default();
        Ok(SubAgent { session: key(row, 0)?, parent: key(row, 3)?, id, running: json(row, 6)? })
    };
    view.ask(statement)?.iter().map(agent).collect()
}
