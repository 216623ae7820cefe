//! Who may do less than the owner, and what others left in the database: nothing is lost, shown or called empty by it.

use vademecum_postgres::{Address, Options, Postgres};
use vademecum_store::{Depth, Erase, NoteFilter, Scope, Store, StoreError, read};

use crate::scene::{Server, add_note, commit, pooler, server, texts, with_session};

/// A handle on the store that was made last, of a new role that has been granted this.
fn of_role(server: &Server, grants: &[&str]) -> (Postgres, String) {
    let schema = server.last();
    let role = format!("role_{schema}");
    let grants = grants.iter().map(|grant| format!("GRANT {grant} TO {role};"));
    let grants = grants.collect::<String>().replace("SCHEMA s", &format!("SCHEMA {schema}"));
    server.raw(&format!("CREATE ROLE {role} LOGIN PASSWORD 'x'; {grants}"));
    let place = server.url.rsplit_once('@').expect("a user").1;
    let url = format!("postgres://{role}:x@{place}?schema={schema}");
    let address = Address::parse(&url, &|_| None).expect("an address");
    (Postgres::at(address, Options::patient()), role)
}

fn drop_role(server: &Server, role: &str) {
    server.raw(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
}

#[test]
fn who_may_not_use_the_schema_is_told_so_and_not_that_it_is_empty() {
    let Some(server) = server() else { return };
    let (_store, session) = with_session(&server);
    let (closed, role) = of_role(&server, &["SELECT ON ALL TABLES IN SCHEMA s"]);
    let error =
        read(&closed, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect_err("closed");
    assert!(error.to_string().contains("this user may not use its schema"), "{error}");
    assert!(closed.health(Depth::Deep).is_err());
    drop_role(&server, &role);
}

#[test]
fn a_table_that_is_gone_is_damage_and_no_empty_store() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    server.raw(&format!("DROP TABLE {}.note", server.last()));
    let error = read(&store, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect_err("gone");
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    let health = store.health(Depth::Quick).expect("health");
    assert_eq!(health.faults, ["the table note is gone"]);
}

#[test]
fn who_does_not_own_the_tables_erases_nothing() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    let scope = || Scope::Session(session.clone());
    commit(&store, scope(), "n", &[add_note(&session, 1, "text")]).expect("a note");
    let grants = ["USAGE ON SCHEMA s", "ALL ON ALL TABLES IN SCHEMA s"];
    let (writer, role) = of_role(&server, &grants);
    commit(&writer, scope(), "m", &[add_note(&session, 2, "text")]).expect("a note");
    let refused = [
        writer.intend("forget").map(drop),
        writer.erase(&Erase::Sessions(vec![session.clone()]), None),
    ];
    for refused in refused {
        let error = refused.expect_err("not the owner");
        assert!(matches!(error, StoreError::NotOwner { .. }), "{error:?}");
    }
    let notes = read(&writer, |view| view.notes(&session, &NoteFilter::ALL, 0)).expect("a read");
    assert_eq!(notes.len(), 2);
    assert_eq!(store.health(Depth::Deep).expect("health").faults, [""; 0]);
    drop_role(&server, &role);
}

/// `ANALYZE` runs by itself, and what it samples outlives the rows.
#[test]
fn the_server_keeps_no_samples_of_what_was_written() {
    let Some(server) = server() else { return };
    let (store, session) = with_session(&server);
    for id in 1..=20 {
        let add = [add_note(&session, id, &format!("sampled-{id}"))];
        commit(&store, Scope::Session(session.clone()), &id.to_string(), &add).expect("a note");
    }
    let schema = server.last();
    let tables = format!("SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'");
    for table in texts(&server.raw(&tables)) {
        server.raw(&format!("ANALYZE {schema}.{table}"));
    }
    // As the server writes bytes: `sampled-`.
    let planted = "73616d706c65642d";
    let sampled = format!(
        "SELECT tablename || '.' || attname FROM pg_stats WHERE schemaname = '{schema}'
         AND concat(histogram_bounds::text, most_common_vals::text, most_common_elems::text) LIKE '%{planted}%'"
    );
    assert_eq!(texts(&server.raw(&sampled)), [""; 0]);
    let any = format!("SELECT attname FROM pg_stats WHERE schemaname = '{schema}'");
    assert_ne!(texts(&server.raw(&any)), [""; 0], "nothing was sampled at all");
}

/// A pooler gives whoever comes next a connection with what others left on it.
#[test]
fn a_temporary_table_of_somebody_else_is_not_taken_for_ours() {
    let Some(server) = pooler() else { return };
    let (store, session) = with_session(&server);
    let schema = server.last();
    server.raw(&format!("CREATE TEMP TABLE note (LIKE {schema}.note INCLUDING ALL)"));
    commit(&store, Scope::Session(session.clone()), "n", &[add_note(&session, 1, "text")])
        .expect("a note");
    assert_eq!(texts(&server.raw("SELECT count(*)::text FROM pg_temp.note")), ["0"]);
    assert_eq!(texts(&server.raw(&format!("SELECT count(*)::text FROM {schema}.note"))), ["1"]);
    server.raw("DROP TABLE pg_temp.note");
}
