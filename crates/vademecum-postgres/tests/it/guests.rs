//! An invitation needs no consent: what stands in the project of who invited is nobody else's fault, and in nobody's way.

use vademecum_core::id::ProjectId;
use vademecum_postgres::{Options, Postgres};
use vademecum_store::{Depth, EntryFilter, Health, JournalFilter, Store, read};

use crate::rights::{PERSON, Role, begin, begin_plan};
use crate::scene::{PROJECT, key, server};

/// Rows that no program of ours can read or has written, of one who shares a project.
const BROKEN: [&str; 5] = [
    "INSERT INTO entry (project, id, plan, category, at, is_resolved, sameness, said)
     SELECT project, id + 1, plan, category, at, false, 'x', '{not json' FROM entry ORDER BY id LIMIT 1",
    "INSERT INTO entry (project, id, plan, category, at, is_resolved, sameness, said, stood)
     SELECT project, id + 2, plan, category, at, false, 'y', said, decode('ff', 'hex') FROM entry ORDER BY id LIMIT 1",
    "INSERT INTO journal SELECT last_seq + 1, entry.project, false, 1, 'k', 's', 'a', decode(repeat('ac', 32), 'hex'), 'w1', decode(repeat('ac', 16), 'hex'), decode(repeat('ac', 16), 'hex'), '{', '{', '{', true FROM store, entry WHERE entry.id = 1",
    "INSERT INTO journal SELECT last_seq + 1, entry.project, false, 1, 'k', 's', 'a', decode(repeat('ac', 32), 'hex'), 'w2', decode(repeat('ac', 16), 'hex'), decode(repeat('ad', 16), 'hex'), '', 'ok', '[1]', true FROM store, entry WHERE entry.id = 1",
    "UPDATE line SET head = seq, head_hash = hash FROM journal WHERE journal.holder = line.holder AND write_id = 'w1' AND line.is_shared",
];

/// How many entries and records a person reads, bodies too.
fn seen(store: &Postgres) -> (usize, usize) {
    read(store, |view| {
        let all = JournalFilter { bodies: 1_000_000, ..JournalFilter::default() };
        Ok((view.entries(EntryFilter::default(), 0)?.len(), view.journal(&all)?.len()))
    })
    .expect("what can be read")
}

#[test]
fn what_is_broken_in_a_project_of_somebody_else_stops_nothing() {
    let Some(server) = server() else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    keeper.intend("make it").expect("a store");
    let [ann, mal] = ["ann", "mal"].map(|name| Role::new(&server, name, &PERSON));
    let (anns, mals) = (ann.store(), mal.store());
    begin(&anns, PROJECT);
    begin_plan(&anns, PROJECT, &key("s"), "the word of ann");
    let theirs = ProjectId([2; 16]);
    begin(&mals, theirs);
    begin_plan(&mals, theirs, &key("s"), "the word of mal");
    let before = seen(&anns);
    for sql in BROKEN {
        mal.raw(sql).expect(sql);
    }
    mals.invite(theirs, &ann.name).expect("invited");
    let (n_entries, n_records) = seen(&anns);
    // What can be read of it is, and a body that cannot is told as one that is gone.
    assert_eq!((n_entries, n_records), (before.0 + 1, before.1 + 3));
    let Health { faults, of_others, .. } = anns.health(Depth::Deep).expect("health");
    assert_eq!(faults, [""; 0]);
    let about = format!("in the project p of {}", mal.name);
    assert!(of_others.iter().all(|it| it.starts_with(&about)), "{of_others:?}");
    let told = of_others.iter().filter_map(|it| it.split_once(": ")).map(|(_, what)| what);
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "journal entry 7 was changed by another program",
            "the body of journal entry 7 was changed",
            "the body of journal entry 8 was changed",
            "2 entries cannot be read",
        ]
    );
    // To its owner it is damage.
    assert_ne!(mals.health(Depth::Deep).expect("health").faults, [""; 0]);
    assert!(read(&mals, |view| view.entries(EntryFilter::default(), 0)).is_err());
}
