//! One store into another: what is there afterwards, twice, after a kill, and where both had something.

mod killed;
mod merged;
#[cfg(feature = "postgres")]
mod rendered;
mod scene;
#[cfg(feature = "postgres")]
mod server;
mod status;

use vademecum::port::{Change, Scope, SessionFilter, Store};

use self::scene::{Scene, key, records};

#[test]
fn a_copy_holds_the_same_and_twice_is_once() {
    let scene = Scene::whole();
    let before = scene.bytes("one.db");
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert!(said.contains("3 projects") && said.contains("8 sessions"), "{said}");
    scene.same("one.db", "two.db");
    let count = scene.seq("two.db");
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert_eq!(said, "~/two.db has all of ~/one.db: nothing was copied\n");
    assert_eq!(scene.seq("two.db"), count);
    assert_eq!(scene.bytes("one.db"), before, "FROM changed");
    // A copy of a copy is one too, and what is sealed anew holds.
    scene.vade(&["store", "copy", "two.db", "three.db"]).success();
    scene.same("one.db", "three.db");
    scene.sound("two.db");
}

#[test]
fn what_was_copied_can_be_looked_back_on_and_undone() {
    let scene = Scene::whole();
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    let of = |store: &str, words: &[&str]| {
        let all = [words, &["--store", store, "--session", "claude-code:s-a-1"]].concat();
        scene.in_project("a", &all)
    };
    for words in [["notepad", "history"].as_slice(), &["note", "history", &scene.changed]] {
        let (one, two) = (of("one.db", words).success(), of("two.db", words).success());
        assert!(1 < one.lines().count(), "{one}");
        assert_eq!(one, two);
    }
    of("two.db", &["notepad", "restore", "1"]).success();
    assert_eq!(of("two.db", &["notepad", "show"]).success(), "first page");
    of("two.db", &["note", "restore", &scene.changed]).success();
    let said = of("two.db", &["note", "history", &scene.changed]).success();
    assert!(said.lines().next().is_some_and(|line| line.contains("restore_note")), "{said}");
    scene.sound("two.db");
}

#[test]
fn what_was_forgotten_is_not_in_the_copy_and_what_ran_has_ended() {
    let scene = Scene::whole();
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    assert!(!scene.holds("two.db", "to be forgotten"));
    scene.read("two.db", |view| {
        let all = view.sessions(SessionFilter::ALL)?;
        assert!(all.iter().all(|it| it.place.host_pid.is_none()), "{all:?}");
        let is_run = |it: &&vademecum::core::session::Session| it.key.harness != "desk";
        assert!(all.iter().filter(is_run).all(|it| it.ended_at.is_some()), "{all:?}");
        let running = view.running(vademecum::port::Whose::Parent(&key("s-a-1")))?;
        assert!(running.is_empty(), "{running:?}");
        Ok(())
    });
    // What it was told there counts as told: the last entry has another number here.
    let told = |store: &str| {
        let session = scene.read(store, |view| view.session(&key("s-b-1"))).expect("a session");
        let seq = session.standing.told;
        scene.read(store, |view| {
            Ok(view.with_body(seq, 0)?.expect("an entry").record.write_id.clone())
        })
    };
    assert_eq!(told("one.db"), told("two.db"));
}

#[test]
fn what_a_later_program_wrote_is_carried() {
    let scene = Scene::small();
    let scope = Scope::Unknown("team:7".into());
    let word = vademecum::core::project::KeyKind::from("vault");
    let project = scene.read("one.db", |view| Ok(view.projects(None)?[0].id));
    let keys = vec![vademecum::core::project::ProjectKey {
        kind: word,
        machine: None,
        value: b"x".to_vec(),
    }];
    scene.write("one.db", scope.clone(), "k", &[Change::AddProjectKeys { project, keys }]);
    let store = scene.open("one.db");
    let seq = store.wait(vademecum::core::id::Seq(0), std::time::Duration::ZERO).expect("a number");
    let later = r#"[{ "change":"weave_page","thread":[1, 2.50, 1e400],"b":"\u00e9" }]"#;
    vademecum_sqlite::later::put_undo(&scene.home.path("one.db"), seq, later).expect("a body");
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    scene.same("one.db", "two.db");
    let found = records(&scene, "two.db", &scope);
    let body = scene.read("two.db", |view| view.body(found[0].seq)).expect("a body");
    let raw = body.unknown().map(|unknown| unknown.raw.to_string());
    assert_eq!(raw.as_deref(), later.strip_prefix('[').and_then(|it| it.strip_suffix(']')));
}

#[test]
fn a_store_is_not_copied_onto_itself_nor_from_nowhere() {
    let scene = Scene::small();
    std::fs::hard_link(scene.home.path("one.db"), scene.home.path("twin.db")).expect("a link");
    let refused = |from, to| scene.vade(&["store", "copy", from, to]).failure();
    insta::assert_snapshot!(refused("one.db", "twin.db"), @r"
    2: vade: ~/one.db and ~/twin.db are one store
      hint: name another file to copy into; vade backup FILE makes a copy in one file
    ");
    std::fs::remove_file(scene.home.path("twin.db")).expect("a file");
    insta::assert_snapshot!(refused("one.db", "x/../one.db"), @r"
    2: vade: ~/one.db and ~/x/../one.db are one store
      hint: name another file to copy into; vade backup FILE makes a copy in one file
    ");
    insta::assert_snapshot!(refused("none.db", "two.db"), @r"
    3: vade: no store at ~/none.db
      hint: a store is named as sqlite:PATH or by the path of its file; vade status shows yours
    ");
    insta::assert_snapshot!(refused("one.db", "memory:"), @r"
    2: vade: store address memory: is gone with the process that made it
      hint: name a file: sqlite:PATH or a path, ./memory: for one of that name
    ");
    insta::assert_snapshot!(refused("one.db", "mysql://x/y"), @r#"2: vade: store address "mysql://…" is not known: use sqlite:PATH"#);
    insta::assert_snapshot!(scene.vade(&["store", "check", "one.db", "two.db"]).failure(), @r"
    3: vade: no store at ~/two.db
      hint: a store is named as sqlite:PATH or by the path of its file; vade status shows yours
    ");
    assert!(!scene.home.path("x").exists() && !scene.home.path("two.db").exists());
}

#[test]
fn what_is_no_store_gets_nothing_beside_it() {
    let scene = Scene::small();
    let path = |name: &str| scene.home.path(name);
    std::os::unix::fs::symlink("nowhere.db", path("astray.db")).expect("a link");
    std::os::unix::fs::symlink("one.db", path("link.db")).expect("a link");
    std::fs::create_dir(path("folder.db")).expect("a folder");
    std::fs::write(path("text.db"), "no store").expect("a file");
    let names = || {
        let all = std::fs::read_dir(&scene.home.path).expect("a folder").flatten();
        // A store that is read has an index of its log beside it.
        let all = all
            .map(|entry| entry.file_name())
            .filter(|name| !name.as_encoded_bytes().starts_with(b"one."));
        all.collect::<std::collections::BTreeSet<_>>()
    };
    let before = names();
    let refused = |words: [&str; 3]| scene.vade(&[&["store"], &words[..]].concat()).failure();
    insta::assert_snapshot!(refused(["copy", "one.db", "astray.db"]), @r"
    2: vade: ~/astray.db is a link: a store is named by its own path
      hint: name the file that it leads to
    ");
    insta::assert_snapshot!(refused(["copy", "link.db", "two.db"]), @r"
    2: vade: ~/link.db is a link: a store is named by its own path
      hint: name the file that it leads to
    ");
    insta::assert_snapshot!(refused(["check", "one.db", "link.db"]), @r"
    2: vade: ~/link.db is a link: a store is named by its own path
      hint: name the file that it leads to
    ");
    insta::assert_snapshot!(refused(["copy", "one.db", "folder.db"]), @r"
    2: vade: ~/folder.db is no file, and a store is one
      hint: name the file itself, such as vade.db in that folder
    ");
    insta::assert_snapshot!(refused(["copy", "one.db", "text.db"]), @r"
    7: vade: ~/text.db: the file is no vademecum store
      hint: vade doctor names the file, and what mends it
    ");
    insta::assert_snapshot!(refused(["copy", "text.db", "two.db"]), @r"
    7: vade: ~/text.db: the file is no vademecum store
      hint: vade doctor names the file, and what mends it
    ");
    assert_eq!(names(), before);
}

#[test]
fn what_was_forgotten_in_either_is_left_out_or_stays_as_it_is_said() {
    let scene = Scene::small();
    let gone = scene.add("s-a-1", "planted-secret of one");
    let other = scene.add("s-a-1", "planted-word of two");
    scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    scene.of("a", "s-a-1", &["forget", "note", &gone, "--yes"]);
    scene.of_store("two.db", "a", "s-a-1", &["forget", "note", &other, "--yes"]);
    let said = scene.vade(&["store", "copy", "one.db", "two.db"]).success();
    let said = said.replace(&other, "NOTE");
    insta::assert_snapshot!(said, @r"
    copied ~/one.db into ~/two.db: 2 journal writes
    - NOTE of session claude-code:s-a-1 was forgotten there: it is left out
    ");
    assert!(!scene.holds("two.db", "planted-word"));
    // An older copy has what was forgotten since, until it is forgotten there too; a copy back leaves it there.
    assert!(scene.holds("two.db", "planted-secret"));
    scene.vade(&["store", "copy", "two.db", "one.db"]).success();
    assert!(!scene.holds("one.db", "planted-secret"));
    // What was copied from the one that forgot it takes it from nobody else.
    scene.vade(&["store", "copy", "one.db", "three.db"]).success();
    scene.vade(&["store", "copy", "two.db", "three.db"]).success();
    assert!(!scene.holds("three.db", "planted-secret"));
    scene.same("one.db", "three.db");
}

#[test]
fn what_is_being_forgotten_is_ended_before_it_is_copied() {
    let scene = Scene::small();
    scene.open("one.db").intend("{}").expect("an intention");
    insta::assert_snapshot!(scene.vade(&["store", "copy", "one.db", "two.db"]).failure(), @r"
    4: vade: ~/one.db: 1 thing begun to be forgotten there, and not gone yet
      hint: run: vade status --store ~/one.db, which ends it, and copy then
    ");
}
