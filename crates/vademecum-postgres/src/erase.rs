//! Erasing: rows and journal bodies in one transaction, then the pages that held them.

use vademecum_core::session::SessionKey;
use vademecum_store::{Erase, IntentId, Parts, Scope, StoreError};

use crate::names::digest;
use crate::snapshot::Snapshot;
use crate::statement::{Statement, Value, column};

/// What takes the body of an entry away.
const ERASE_BODY: &str = "UPDATE journal SET arguments = NULL, reply = NULL, undo = NULL";

/// The tables.
pub(crate) const TABLES: [&str; 19] = [
    "person",
    "intent",
    "line",
    "other_scope",
    "project",
    "member",
    "project_key",
    "session",
    "running",
    "notepad",
    "handoff",
    "recap",
    "note",
    "note_key",
    "tag_count",
    "plan",
    "entry",
    "journal",
    "store",
];

/// Keeps an intention; its number is never given again, so that nothing else is fulfilled by it.
pub(crate) fn intend(view: &Snapshot<'_>, what: &str) -> Result<IntentId, StoreError> {
    let sql = "INSERT INTO intent (id, what) SELECT last_intent + 1, $1 FROM store RETURNING id";
    let found = view.ask_one(Statement::new(sql, vec![what.into()]))?;
    let id = found.map_or(Ok(0), |row| crate::statement::number(&row, 0))?;
    Ok(IntentId(id))
}

/// The newest intention to do this, if there is one.
pub(crate) fn intended(view: &Snapshot<'_>, what: &str) -> Result<Option<IntentId>, StoreError> {
    let sql = "SELECT id FROM intent WHERE what = $1 ORDER BY id DESC LIMIT 1";
    let found = view.ask_one(Statement::new(sql, vec![what.into()]))?;
    found.map(|row| crate::statement::number(&row, 0).map(IntentId)).transpose()
}

/// Takes the rows away and notes that their bytes are left; whether any are.
pub(crate) fn drop_rows(
    view: &Snapshot<'_>,
    what: &Erase,
    fulfils: Option<IntentId>,
) -> Result<(), StoreError> {
    let mut is_late = false;
    if let Some(IntentId(id)) = fulfils {
        let sql = "DELETE FROM intent WHERE id = $1 RETURNING id";
        is_late = view.ask(Statement::new(sql, vec![i64::from(id).into()]))?.is_empty();
    }
    // A session that has such a name now was begun since; all else has a number of its own.
    if is_late && matches!(what, Erase::Sessions(_)) {
        return Ok(());
    }
    match what {
        Erase::Nothing => {}
        Erase::Parts(parts) => drop_parts(view, parts)?,
        Erase::Sessions(keys) => drop_sessions(view, &numbers(view, keys)?),
        Erase::Project(id) => {
            if let Some(project) = view.find_project(*id)? {
                let sql = "SELECT id FROM session WHERE project = $1";
                let rows = view.ask(Statement::new(sql, vec![project.into()]))?;
                let all = rows.iter().map(|row| column(row, 0)).collect::<Result<Vec<_>, _>>()?;
                drop_sessions(view, &all);
                drop_project(view, project);
            }
        }
    }
    if *what != Erase::Nothing || fulfils.is_some() {
        view.tell(Statement::new("UPDATE store SET has_bytes = true", Vec::new()));
    }
    Ok(())
}

fn drop_parts(view: &Snapshot<'_>, parts: &Parts) -> Result<(), StoreError> {
    let bodies = parts.bodies.iter().map(|seq| seq.0).collect();
    let sql = format!("{ERASE_BODY} WHERE seq = ANY ($1)");
    view.tell(Statement::new(sql, vec![Value::Ints(bodies)]));
    for key in &parts.recaps {
        let Some(session) = view.find_session(key)? else { continue };
        let sql = "DELETE FROM recap WHERE session = $1";
        view.tell(Statement::new(sql, vec![session.into()]));
    }
    for (project, id) in &parts.entries {
        let Some(project) = view.find_project(*project)? else { continue };
        let sql = "DELETE FROM entry WHERE project = $1 AND id = $2";
        view.tell(Statement::new(sql, vec![project.into(), id.0.into()]));
    }
    Ok(())
}

/// The sessions of these names, and the sub-agents that they started.
fn numbers(view: &Snapshot<'_>, keys: &[SessionKey]) -> Result<Vec<i64>, StoreError> {
    let digests = keys.iter().map(|key| crate::names::session_digest(key).to_vec()).collect();
    let sql = "WITH named AS (SELECT id FROM session WHERE digest = ANY ($1))
               SELECT id FROM named UNION
               SELECT id FROM session WHERE parent IN (SELECT id FROM named) AND began = 'spawn'";
    let rows = view.ask(Statement::new(sql, vec![Value::List(digests)]))?;
    rows.iter().map(|row| column(row, 0)).collect()
}

/// Takes sessions away; what is left of them is the journal without bodies.
fn drop_sessions(view: &Snapshot<'_>, gone: &[i64]) {
    if gone.is_empty() {
        return;
    }
    let bodies = format!("{ERASE_BODY} WHERE holder = ANY ($1)");
    for sql in [
        "DELETE FROM note WHERE session = ANY ($1)",
        "DELETE FROM note_key WHERE session = ANY ($1)",
        "DELETE FROM tag_count WHERE session = ANY ($1)",
        "DELETE FROM notepad WHERE session = ANY ($1)",
        "DELETE FROM handoff WHERE session = ANY ($1)",
        "DELETE FROM recap WHERE session = ANY ($1)",
        "DELETE FROM running WHERE session = ANY ($1) OR parent = ANY ($1)",
        "UPDATE entry SET session = NULL WHERE session = ANY ($1)",
        "UPDATE session SET parent = NULL WHERE parent = ANY ($1)",
        "DELETE FROM session WHERE id = ANY ($1)",
        &bodies,
    ] {
        view.tell(Statement::new(sql.to_owned(), vec![Value::Ints(gone.to_vec())]));
    }
}

/// The bodies of scope `store` hold the names and folders of projects: all of this person's go too.
///
/// Plans and entries go with who owns the project; of others only what is theirs.
fn drop_project(view: &Snapshot<'_>, project: i64) {
    const OWNED: &str = "IN (SELECT id FROM project WHERE id = $1 AND owner = session_user)";
    let of_store = digest(&[Scope::Store.to_string().as_bytes()]);
    let sql = format!(
        "{ERASE_BODY} WHERE holder {OWNED} OR holder IN (SELECT holder FROM other_scope WHERE digest = $2)"
    );
    view.tell(Statement::new(sql, vec![project.into(), of_store.into()]));
    for sql in [
        &format!(
            "UPDATE session SET active_plan = NULL
             WHERE active_plan IN (SELECT id FROM plan WHERE project {OWNED})"
        ),
        &format!("DELETE FROM entry WHERE project {OWNED}"),
        &format!("DELETE FROM plan WHERE project {OWNED}"),
        "DELETE FROM project_key WHERE project = $1",
        "SELECT drop_project($1)",
    ] {
        view.tell(Statement::new(sql.to_owned(), vec![project.into()]));
    }
}
