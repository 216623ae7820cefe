//! What a store says of its own state.

use std::collections::BTreeMap;

use vademecum_core::hash::Key;
use vademecum_core::id::Seq;
use vademecum_store::chain::{self, Seal};
use vademecum_store::{Health, Record, StoreError};

use crate::erase::TABLES;
use crate::journal::{self, COLUMNS};
use crate::plans;
use crate::schema;
use crate::snapshot::Snapshot;
use crate::statement::{Statement, array, column, text};
use crate::undo::Kept;

/// What must give no row in a sound store, and what is wrong if it does.
///
/// Counts and tags are kept beside the notes so that lists are fast; here they are counted anew.
const DERIVED: [(&str, &str); 4] = [
    (
        "the number of notes of a session is not that of its rows",
        "SELECT 1 FROM session LEFT JOIN
             (SELECT session, count(*) AS notes, count(*) - count(scratched_at) AS open,
                  max(id) AS last, max(place) AS place FROM note GROUP BY session) AS had
             ON had.session = session.id
         WHERE n_notes <> coalesce(notes, 0) OR n_open <> coalesce(open, 0)
             OR last_id < last OR last_place < had.place LIMIT 1",
    ),
    (
        "the number of uses of a tag is not that of its notes",
        "WITH used AS (SELECT session, tag, count(*) AS n_notes,
                 count(*) FILTER (WHERE scratched_at IS NULL) AS n_open
             FROM note, unnest(tags) AS tag GROUP BY session, tag),
         counted AS (SELECT session, tag, n_notes, n_open FROM tag_count)
         (SELECT 1 FROM (SELECT * FROM counted EXCEPT SELECT * FROM used) AS a LIMIT 1) UNION ALL
         (SELECT 1 FROM (SELECT * FROM used EXCEPT SELECT * FROM counted) AS b LIMIT 1)",
    ),
    (
        "a project has an entry with an id beyond the last one",
        "SELECT 1 FROM entry JOIN project ON project.id = entry.project
         WHERE project.owner = session_user AND coalesce(last_entry, 0) < entry.id LIMIT 1",
    ),
    (
        "a session, a project or an entry is beyond the last number",
        "SELECT 1 FROM store WHERE last_holder < (SELECT coalesce(max(id), 0) FROM session)
             OR last_holder < (SELECT coalesce(max(id), 0) FROM project)
             OR last_seq < (SELECT coalesce(max(seq), 0) FROM journal)",
    ),
];

const ENDS_EARLY: &str = "the journal goes on behind where the store says that it ends";
const PASSES_OVER: &str = "this user is a superuser, or passes over row security: what others have is mixed in; use a role that is yours alone";

/// Lines of which all is seen: of a project that is gone everybody sees what they wrote themselves.
const WHOLE: &str = "WHERE NOT is_shared OR holder IN (SELECT id FROM shared_project)";

/// The tables of ours that are not there: somebody dropped them, or half a store was brought back.
fn gone(view: &Snapshot<'_>) -> Result<Vec<String>, StoreError> {
    let names = TABLES.map(|table| format!("('{table}')")).join(", ");
    let sql = format!(
        "SELECT name::bytea FROM (VALUES {names}) AS ours (name)
         WHERE to_regclass(name) IS NULL"
    );
    let rows = view.ask(Statement::new(sql, Vec::new()))?;
    rows.iter().map(|row| Ok(format!("the table {} is gone", text(row, 0)?))).collect()
}

pub(crate) fn check(view: &Snapshot<'_>, is_deep: bool) -> Result<Health, StoreError> {
    let sql = "SELECT key, version, has_bytes, last_seq,
                   current_setting('server_version')::bytea, current_setting('fsync')::bytea,
                   (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user)
               FROM store";
    let Some(row) = view.ask_one(Statement::new(sql, Vec::new()))? else {
        return Err(crate::error::corrupt(&"the store's own row is gone"));
    };
    let (key, version) = (Key(array(&row, 0)?), column::<i32>(&row, 1)?);
    let mut faults = gone(view)?;
    let mut of_others = Vec::new();
    if faults.is_empty() {
        let mut found = broken_lines(view, &key, Seq(column(&row, 3)?))?;
        if is_deep {
            found.extend(changed_bodies(view, &key)?);
            found.extend(unread(view)?);
        }
        (faults, of_others) = parted(view, found)?;
        if is_deep {
            faults.extend(wrong_counts(view)?);
        }
    }
    if column(&row, 2)? {
        faults.push(Health::BYTES_LEFT.to_owned());
    }
    if text(&row, 5)? == "off" {
        faults.push("fsync is off: a power cut takes what was acknowledged".to_owned());
    }
    let engine = format!("PostgreSQL {}", text(&row, 4)?);
    let schema = Some(schema::word(version));
    let notices = if column(&row, 6)? { vec![PASSES_OVER.to_owned()] } else { Vec::new() };
    Ok(Health { engine, schema, faults, of_others, notices })
}

/// What is wrong, and with whose journal or entries; nobody's if it is with the store.
type Found = (Option<i64>, String);

/// What is wrong here, and what is wrong in projects of others: it is theirs to mend.
fn parted(
    view: &Snapshot<'_>,
    found: Vec<Found>,
) -> Result<(Vec<String>, Vec<String>), StoreError> {
    let (mut faults, mut of_others) = (Vec::new(), Vec::new());
    for (holder, what) in found {
        match holder.map(|holder| view.of_another(holder)).transpose()?.flatten() {
            Some(project) => of_others.push(format!("in {project}: {what}")),
            None => faults.push(what),
        }
    }
    Ok((faults, of_others))
}

/// One line for each project of somebody else with entries that are left out.
fn unread(view: &Snapshot<'_>) -> Result<Vec<Found>, StoreError> {
    let told = |(project, n)| {
        let entries = if n == 1 { "entry" } else { "entries" };
        (Some(project), format!("{n} {entries} cannot be read"))
    };
    Ok(plans::unread(view)?.into_iter().map(told).collect())
}

/// One line for each scope whose chain does not hold from its start to its end.
fn broken_lines(view: &Snapshot<'_>, key: &Key, last: Seq) -> Result<Vec<Found>, StoreError> {
    let asked = [
        format!("SELECT holder, start, head, head_hash FROM line {WHOLE}"),
        format!("SELECT {COLUMNS} FROM journal {WHOLE} ORDER BY seq"),
    ];
    let asked = asked.map(|sql| Statement::new(sql, Vec::new()));
    let mut rows = view.ask_all(&asked)?.into_iter();
    let (heads, entries) = (rows.next().unwrap_or_default(), rows.next().unwrap_or_default());
    let mut lines = BTreeMap::<i64, Vec<Record>>::new();
    let mut newest = Seq(0);
    for row in entries.iter() {
        let (holder, record) = journal::record(row)?;
        newest = record.seq;
        lines.entry(holder).or_default().push(record);
    }
    let mut faults = Vec::new();
    for row in heads.iter() {
        let holder = column(row, 0)?;
        let line = lines.remove(&holder).unwrap_or_default();
        let (start, head, hash): (Seal, _, Seal) =
            (array(row, 1)?, Seq(column(row, 2)?), array(row, 3)?);
        if let Some(bad) = chain::first_bad(key, Seq(0), start, &line) {
            let what = format!("journal entry {} was changed by another program", bad.seq.0);
            faults.push((Some(holder), what));
        } else if line.last().map(|record| (record.seq, record.hash)) != Some((head, hash)) {
            let Seq(end) = head;
            let what = format!("what follows up to journal entry {end} was taken away");
            faults.push((Some(holder), what));
        }
    }
    for (holder, record) in lines.iter().flat_map(|(it, all)| all.iter().map(move |of| (it, of))) {
        let what = format!("journal entry {} is of no scope that is known", record.seq.0);
        faults.push((Some(*holder), what));
    }
    // What others wrote is not seen.
    if last < newest {
        faults.push((None, ENDS_EARLY.to_owned()));
    }
    Ok(faults)
}

/// One line for each body that is not the one its entry was made with.
fn changed_bodies(view: &Snapshot<'_>, key: &Key) -> Result<Vec<Found>, StoreError> {
    let sql = "SELECT seq, body_hash, holder, arguments, reply, undo FROM journal
               WHERE coalesce(arguments, reply, undo) IS NOT NULL ORDER BY seq";
    let mut faults = Vec::new();
    for row in view.ask(Statement::new(sql, Vec::new()))?.iter() {
        let (seq, hash): (i64, Seal) = (column(row, 0)?, array(row, 1)?);
        let is_its_own =
            Kept::of(row, 3)?.is_some_and(|kept| chain::body_hash(key, &kept.bytes()) == hash);
        if !is_its_own {
            let what = format!("the body of journal entry {seq} was changed");
            faults.push((Some(column(row, 2)?), what));
        }
    }
    Ok(faults)
}

fn wrong_counts(view: &Snapshot<'_>) -> Result<Vec<String>, StoreError> {
    let asked = DERIVED.map(|(_, sql)| Statement::new(sql, Vec::new()));
    let found = view.ask_all(&asked)?.into_iter().zip(DERIVED);
    Ok(found.filter(|(rows, _)| !rows.is_empty()).map(|(_, (what, _))| what.to_owned()).collect())
}
