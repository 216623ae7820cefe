//! The hand of a later program and of a server's keeper, for tests: what this program cannot write.

use serde_json::value::RawValue;
use vademecum_core::id::Seq;
use vademecum_store::chain;
use vademecum_store::{Change, StoreError};

use crate::Postgres;
use crate::error::failed;
use crate::journal::{COLUMNS, Place, record};
use crate::pool;
use crate::snapshot::Snapshot;
use crate::statement::{Statement, array, column};
use crate::undo::{self, Kept};

/// Puts a list of changes, as JSON, in the place of what undoes an entry, and seals its line anew.
pub fn put_undo(store: &Postgres, seq: Seq, undo: &str) -> Result<(), StoreError> {
    let put = |view: &Snapshot<'_>| {
        let sql = "SELECT holder, arguments, reply, undo FROM journal WHERE seq = $1";
        let row = view.ask_one(Statement::new(sql, vec![seq.0.into()]))?;
        let row = row.ok_or_else(|| failed(&"no entry"))?;
        let mut body = Kept::of(&row, 1)?.ok_or_else(|| failed(&"no body"))?;
        let listed: Vec<Box<RawValue>> =
            serde_json::from_str(undo).map_err(|error| failed(&error))?;
        let kept = |raw: Box<RawValue>| match serde_json::from_str::<Change>(raw.get()) {
            Ok(known) => undo::keep(view, &known),
            Err(_) => Ok(raw),
        };
        let listed = listed.into_iter().map(kept).collect::<Result<Vec<_>, _>>()?;
        body.undo = serde_json::to_vec(&listed).map_err(|error| failed(&error))?;
        seal(view, column(&row, 0)?, seq, &body)
    };
    store.change(false, &mut |view, _| Ok((put(view)?, true)))
}

fn seal(view: &Snapshot<'_>, holder: i64, seq: Seq, body: &Kept) -> Result<(), StoreError> {
    let asked = vec![
        pool::own_card(),
        Statement::new("SELECT start FROM line WHERE holder = $1", vec![holder.into()]),
        Statement::new(
            format!("SELECT {COLUMNS} FROM journal WHERE holder = $1 ORDER BY seq"),
            vec![holder.into()],
        ),
    ];
    let rows = view.ask_all(&asked)?;
    let key = Place::of(&rows[0][0])?.key;
    let mut before = array(&rows[1][0], 0)?;
    for row in rows[2].iter() {
        let (_, mut record) = record(row)?;
        if record.seq == seq {
            record.body_hash = chain::body_hash(&key, &body.bytes());
            let sql = "UPDATE journal SET undo = $2, body_hash = $3 WHERE seq = $1";
            let values = vec![seq.0.into(), body.undo.clone().into(), record.body_hash.into()];
            view.tell(Statement::new(sql, values));
        }
        before = chain::entry_hash(&key, &before, &record);
        let sql = "UPDATE journal SET hash = $2 WHERE seq = $1";
        view.tell(Statement::new(sql, vec![record.seq.0.into(), before.into()]));
    }
    let sql = "UPDATE line SET head_hash = $2 WHERE holder = $1";
    view.tell(Statement::new(sql, vec![holder.into(), before.into()]));
    Ok(())
}

/// Makes a login role with its name as its password, which may use the store as its persons do.
pub fn add_role(store: &Postgres, role: &str) -> Result<(), StoreError> {
    store.change(false, &mut |_, _| Ok(((), true)))?;
    let schema = store.pool.schema();
    for sql in [
        format!("CREATE ROLE {role} LOGIN PASSWORD '{role}'"),
        format!("GRANT USAGE ON SCHEMA {schema} TO {role}"),
        format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}"),
    ] {
        store.one(&sql)?;
    }
    Ok(())
}

/// Takes such a role away.
pub fn drop_role(store: &Postgres, role: &str) -> Result<(), StoreError> {
    store.one(&format!("DROP OWNED BY {role}"))?;
    store.one(&format!("DROP ROLE {role}")).map(drop)
}

/// Takes the whole schema away, as only a server's keeper does.
pub fn drop_store(store: &Postgres) -> Result<(), StoreError> {
    let sql = format!("DROP SCHEMA IF EXISTS {} CASCADE", store.pool.schema());
    store.one(&sql).map(drop)
}
