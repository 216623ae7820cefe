//! A store in PostgreSQL, as a person names one: used, copied there and back, and asked how it is.

use std::fs::File;
use std::path::Path;

use vademecum_postgres::{Address, Options, Postgres, later};

use super::scene::Scene;
use crate::home::VADE;

/// The server's address, as `cargo xtask test` gives it.
const VARIABLE: &str = "VADE_TEST_POSTGRES";

/// The address of a store that is dropped at the end.
pub(super) struct OnServer(String);

impl OnServer {
    /// A new store on the server; none, with a word why, where none is named. In CI that is an error.
    pub(super) fn new(name: &str) -> Option<Self> {
        #[expect(clippy::disallowed_methods, reason = "a test is told of its server by a variable")]
        let (url, is_ci) = (std::env::var(VARIABLE), std::env::var_os("CI").is_some());
        let Ok(url) = url else {
            assert!(!is_ci, "{VARIABLE} is not set: cargo xtask test starts a server");
            println!("skipped: {VARIABLE} names no server; cargo xtask test starts one");
            return None;
        };
        Some(Self(format!("{url}?schema=cli_{name}{}", std::process::id())))
    }
}

impl OnServer {
    fn place(&self) -> Address {
        Address::parse(&self.0, &|_| None).expect("an address")
    }

    /// The address without its password, and that.
    pub(super) fn without_password(&self) -> (String, String) {
        let (before, place) = self.0.split_once('@').expect("a user");
        let (before, password) = before.rsplit_once(':').expect("a password");
        (format!("{before}@{place}"), password.to_owned())
    }

    /// The address by which a role comes whose password is its name.
    fn address_of(&self, role: &str) -> String {
        let (_, place) = self.0.split_once('@').expect("a user");
        format!("postgres://{role}:{role}@{place}")
    }
}

impl Drop for OnServer {
    fn drop(&mut self) {
        later::drop_store(&Postgres::at(self.place(), Options::patient())).expect("a store");
    }
}

#[test]
fn a_store_on_a_server_is_used_and_copied_there_and_back() {
    let Some(server) = OnServer::new("copied") else { return };
    let address = server.0.as_str();
    let scene = Scene::whole();
    scene.vade(&["store", "copy", "one.db", address]).success();
    let same = scene.vade(&["store", "check", "one.db", address]).success();
    assert!(same.contains("hold the same"), "{same}");
    scene.vade(&["store", "copy", address, "two.db"]).success();
    scene.same("one.db", "two.db");
    scene.sound("two.db");

    let note = ["--store", address, "note", "add", "kept on a server", "-t", "x"];
    let said = scene.vade(&note).stdout;
    assert!(said.starts_with("added note_"), "{said}");
    let listed = scene.vade(&["--store", address, "note", "list"]).stdout;
    assert!(listed.contains("kept on a server"), "{listed}");
    let status = scene.vade(&["--store", address, "store", "status"]).success();
    let about: Vec<&str> =
        status.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(about, ["store", "connect", "engine", "read", "write", "waiting"], "{status}");
    assert_eq!(scene.vade(&["store", "check", "one.db", address]).code, Some(1));
}

/// `VADE_READONLY=1` of a job that has all rights: it reads, and the store is as it was.
#[test]
fn a_store_on_a_server_is_only_looked_at() {
    let Some(server) = OnServer::new("looked") else { return };
    let address = server.0.as_str();
    let mut scene = Scene::small();
    scene.vade(&["store", "copy", "one.db", address]).success();
    let before = scene.home.tree();
    scene.home.variables.push(("VADE_READONLY", "1"));
    for (words, part) in [
        (&["search", "fact", "--all"][..], "a small fact"),
        (&["session", "list", "--all"], "s-a-1"),
        (&["status"], "writes   none, VADE_READONLY is set"),
        (&["doctor"], "VADE_READONLY is set: nothing is written"),
        (&["store", "status"], "none now: store_status writes, and VADE_READONLY is set"),
    ] {
        let said = scene.vade(&[&["--store", address], words].concat());
        assert!(said.stdout.contains(part), "{words:?}: {said:?}");
    }
    for words in [
        &["note", "add", "new", "-t", "x"][..],
        &["forget", "session", "s-a-1", "--yes"],
        &["prune", "--older", "1d"],
        &["store", "copy", "one.db", address],
    ] {
        let said = scene.vade(&[&["--store", address], words].concat());
        let is_refused = said.stderr.contains("writes, and VADE_READONLY is set");
        assert!(said.code == Some(6) && is_refused, "{words:?}: {said:?}");
    }
    assert!(before == scene.home.tree(), "a byte has changed");
    scene.vade(&["store", "check", "one.db", address]).success();
}

/// A person is a login role, on each of their machines: what is theirs nobody else is shown, and who was invited shares a project.
#[test]
fn persons_share_what_they_were_invited_to() {
    let Some(server) = OnServer::new("persons") else { return };
    let keeper = Postgres::at(server.place(), Options::patient());
    let roles = ["ann", "ben"].map(|name| format!("{name}_{}", std::process::id()));
    for role in &roles {
        later::add_role(&keeper, role).expect("a role");
    }
    let [ann, ben] = &roles;
    let machines = [Scene::small(), Scene::small(), Scene::small()];
    let run = |machine: usize, role: &String, words: &[&str]| {
        let address = server.address_of(role);
        machines[machine].in_project("a", &[&["--store", &address], words].concat())
    };
    let at = |machine: usize, role: &String, words: &[&str]| {
        let said = run(machine, role, words);
        assert_eq!(said.code, Some(0), "{said:?}");
        said.stdout
    };
    at(0, ann, &["notepad", "write", "# The first's page"]);
    at(0, ann, &["note", "add", "the first's note", "-t", "x"]);
    at(0, ann, &["learning", "add", "the harbour is nine fathoms deep"]);
    let everything = |machine, role| {
        let export = at(machine, role, &["export", "--all", "--json"]);
        let found = at(machine, role, &["search", "first fathoms", "--all"]);
        let listed =
            at(machine, role, &["session", "list"]) + &at(machine, role, &["project", "list"]);
        export + &found + &listed + &at(machine, role, &["handoff", "show"])
    };
    // Uninvited, the second has a project of their own, whatever its name.
    at(1, ben, &["notepad", "write", "# The second's page"]);
    at(1, ben, &["handoff", "write", "the second's word"]);
    assert!(!everything(1, ben).contains("first"));
    let refused = run(1, ben, &["project", "invite", ben]);
    assert!(refused.stdout.starts_with("nothing to do: a is ben_"), "{refused:?}");

    let invited = at(0, ann, &["project", "invite", ben]);
    assert_eq!(
        invited,
        format!(
            "a is {ann}'s; invited: {ben}\nhint: there, in a folder of it: vade project join a\n"
        )
    );
    assert_eq!(at(0, ann, &["project", "invite"]), format!("a is {ann}'s; invited: {ben}\n"));
    let told = "was shared with you and is joined in no folder of yours: if this is one of it, run vade project join ";
    let status = at(1, ben, &["status"]);
    assert!(status.contains(told), "{status}");
    let listed = at(1, ben, &["project", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let id = listed["projects"].as_array().expect("projects").iter().find(|it| it["sessions"] == 0);
    let id = id.expect("the first's")["id"].as_str().expect("an id").to_owned();
    at(1, ben, &["project", "join", &id[..8], "--yes"]);
    assert!(!at(1, ben, &["status"]).contains(told));
    let seen = everything(1, ben);
    assert!(seen.contains("nine fathoms") && !seen.contains("first's"), "{seen}");
    at(1, ben, &["learning", "add", "and six at low water"]);
    assert!(at(0, ann, &["search", "water"]).contains("six at low water"));
    assert!(!everything(0, ann).contains("second's"));

    // The first, on another machine.
    at(2, ann, &["project", "join", "a"]);
    assert!(at(2, ann, &["notepad", "show", "--desk"]).contains("The first's page"));
    let nobody = run(0, ann, &["project", "invite", "nobody_of_that_name"]).failure();
    assert!(nobody.starts_with("3: vade: the server has no role"), "{nobody}");
    at(0, ann, &["project", "uninvite", ben]);
    let left = everything(1, ben);
    assert!(!left.contains("nine fathoms") && left.contains("The second's page"), "{left}");
    let again = run(1, ben, &["project", "invite", ben]);
    assert_ne!(again.code, Some(0), "{again:?}");
    for role in &roles {
        later::drop_role(&keeper, role).expect("a role");
    }
}

#[test]
fn no_password_is_shown() {
    let scene = Scene::small();
    let address = "postgres://me:hunter2@127.0.0.1:1/x?password=hunter2";
    for words in
        [&["status"][..], &["store", "status"], &["doctor"], &["note", "add", "x", "-t", "x"]]
    {
        let said = scene.vade(&[&["--store", address], words].concat());
        assert_ne!(said.code, Some(0), "{words:?}");
        assert!(!said.stdout.contains("hunter2") && !said.stderr.contains("hunter2"), "{words:?}");
    }
    let said = scene.vade(&["--store", address, "note", "list"]).failure();
    assert!(said.starts_with("5: vade: the store at 127.0.0.1:1/x cannot be reached: "), "{said}");
    insta::assert_snapshot!(scene.vade(&["--store", address, "backup", "b.db"]).failure(), @"
    2: vade: this works on a store in a file, not on postgres://me@127.0.0.1:1/x
      hint: name a file with --store, or use the tools of PostgreSQL, such as pg_dump
    ");
}

#[test]
fn a_hook_says_that_the_server_cannot_be_reached() {
    let scene = Scene::small();
    let event = r#"{"session_id": "s-a-1", "cwd": "CWD", "hook_event_name": "SessionStart", "source": "compact"}"#;
    let folder = scene.home.path("a");
    scene.home.write("event", event.replace("CWD", &folder.to_string_lossy()));
    let mut hook = scene.home.command(Path::new(VADE));
    hook.args(["hook", "claude-code", "SessionStart"]).current_dir(folder);
    hook.env("VADE_STORE", "postgres://me@127.0.0.1:1/x");
    hook.stdin(File::open(scene.home.path("event")).expect("a file"));
    let said = scene.home.said(&hook.output().expect("a run"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let what = "the server of the store cannot be reached; once it answers, ";
    let told = format!("fault: {what}memory comes back and what waits is taken in");
    assert!(said.stdout.contains(&told), "{}", said.stdout);
    assert_eq!(said.stderr.trim(), format!("vade: {what}what waits is taken in"));
}
