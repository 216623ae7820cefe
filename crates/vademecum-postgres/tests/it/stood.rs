//! Where the work tree stood is in a column that 1.1 added: a schema of 1.0 is read, and brought on by a write.

use vademecum_core::entry::{Category, Commit, Entry, Line, Said, Stood, Text};
use vademecum_core::id::EntryId;
use vademecum_core::plan::PlanName;
use vademecum_core::time::Time;
use vademecum_postgres::Postgres;
use vademecum_store::{Change, Depth, EntryFilter, Scope, Store, read};

use crate::scene::{PROJECT, commit, server, with_session};

fn entry(id: i64, stood: Option<Stood>) -> Entry {
    let said = Said::bare(Category::Learning, Text::new(format!("text {id}")).expect("a text"));
    let plan = PlanName::new("a").expect("a name");
    Entry { stood: stood.map(Box::new), ..Entry::new(EntryId(id), plan, Time(id), said) }
}

fn add(store: &Postgres, entry: &Entry) {
    let change = Change::AddEntry { project: PROJECT, entry: entry.clone() };
    commit(store, Scope::Project(PROJECT), &entry.id.to_string(), &[change]).expect("an entry");
}

#[test]
fn an_older_schema_is_read_as_it_is_and_brought_on_by_a_write() {
    let Some(server) = server() else { return };
    let (store, _) = with_session(&server);
    let (name, is_tracked) = (PlanName::new("a").expect("a name"), false);
    let plan = Change::AddPlan { project: PROJECT, name, is_tracked, at: Time(1) };
    commit(&store, Scope::Project(PROJECT), "plan", &[plan]).expect("a plan");
    let old = [entry(2, None), entry(1, None)];
    for entry in old.iter().rev() {
        add(&store, entry);
    }
    let schema = server.last();
    server.raw(&format!(
        "ALTER TABLE {schema}.entry DROP COLUMN stood; UPDATE {schema}.store SET version = 1000"
    ));

    let entries = |store: &Postgres| {
        read(store, |view| view.entries(EntryFilter::default(), 0)).expect("a read")
    };
    let version = |store: &Postgres| store.health(Depth::Deep).expect("health").schema;
    let again = server.again();
    assert_eq!(entries(&again), old);
    assert_eq!(version(&again).as_deref(), Some("1.0"));
    let branch = Line::new("feature/two words").ok();
    let new = entry(3, Stood::some(branch, Commit::new(&"0a".repeat(20))));
    add(&again, &new);
    let all = [new, old[0].clone(), old[1].clone()];
    for store in [again, server.again()] {
        assert_eq!(entries(&store), all);
        assert_eq!(version(&store).as_deref(), Some("1.3"));
    }
}
