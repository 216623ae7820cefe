//! Projects and sessions: unique by their keys, found by prefix, newest first.

use std::cmp::Reverse;

use vademecum_core::id::{MachineId, NoteId, ProjectId, Seq};
use vademecum_core::plan::PlanName;
use vademecum_core::project::ProjectKey;
use vademecum_core::session::{Began, Place, Session, Standing};
use vademecum_core::time::Time;

use super::scene::{START, begun, commit, folder, key, note, project, session, try_commit};
use crate::change::Change;
use crate::store::{Store, read};
use crate::view::{SessionCard, SessionFilter};
use crate::write::{Outcome, Scope};

pub(super) const CASES: &[super::Case] = &[
    ("a project is known by any of its keys", projects),
    ("a project is renamed, and joins another one with its sessions", joins),
    ("a session is known by its key", knows),
    ("every choice of conditions finds what all of them let through", filters),
    ("a path finds what it means on one machine, or on all that know it", machines),
    ("a session's line goes from parent to parent", line),
    ("a session's news are kept", news),
    ("a session key is used once", unique),
    ("one write makes project, session and note, in the scope of that session", all_at_once),
    ("what belongs to nobody is not written", nobody),
    ("vade is switched off and on", off),
];

fn projects(store: &dyn Store) {
    let (first, second) = (project(store, "/a"), project(store, "/b"));
    let add = Change::AddProjectKeys { project: first, keys: vec![folder("/c"), folder("/b")] };
    commit(store, Scope::Project(first), "keys", &[add]);
    for (paths, expected) in
        [(&["/x", "/c"][..], Some(first)), (&["/b", "/a"][..], Some(second)), (&["/x"][..], None)]
    {
        let keys: Vec<_> = paths.iter().map(|path| folder(path)).collect();
        let found = read(store, |view| view.project_by_keys(&keys)).expect("a read");
        assert_eq!(found.map(|project| project.id), expected);
    }
    let keys = read(store, |view| view.project_keys(first)).expect("a read");
    assert_eq!(keys, [folder("/a"), folder("/c")]);
}

fn machines(store: &dyn Store) {
    let (first, second) = (project(store, "/a"), project(store, "/b"));
    let on = |path: &str, machine: u8| ProjectKey {
        machine: Some(MachineId([machine; 16])),
        ..folder(path)
    };
    for (to, keys) in [(first, [on("/p", 2), on("/q", 3)]), (second, [on("/p", 1), on("/p", 2)])] {
        let add = Change::AddProjectKeys { project: to, keys: keys.to_vec() };
        commit(store, Scope::Project(to), "keys", &[add]);
    }
    for (key, expected) in [
        (on("/p", 1), Some(second)),
        (on("/p", 2), Some(first)),
        (on("/p", 3), None),
        (on("/q", 1), None),
        // Who asks for any machine's gets nothing where two of them mean two.
        (folder("/p"), None),
        (folder("/q"), Some(first)),
        (folder("/r"), None),
    ] {
        let found = read(store, |view| view.project_by_keys(std::slice::from_ref(&key)));
        assert_eq!(found.expect("a read").map(|project| project.id), expected, "{key:?}");
    }
    let keys = |of| read(store, |view| view.project_keys(of)).expect("a read");
    assert_eq!(keys(first), [folder("/a"), on("/p", 2), on("/q", 3)]);
    assert_eq!(keys(second), [folder("/b"), on("/p", 1)]);
}

fn joins(store: &dyn Store) {
    let (old, new) = (project(store, "/old"), project(store, "/new"));
    let (first, second) = (session(store, old, "s-1"), session(store, new, "s-2"));
    let rename = Change::RenameProject { project: old, name: "billing".to_owned() };
    commit(store, Scope::Project(old), "name", &[rename]);
    let join = Change::JoinProject { project: new, into: old };
    commit(store, Scope::Project(old), "join", &[join]);
    let found = read(store, |view| view.project_by_keys(&[folder("/new")])).expect("a read");
    let found = found.expect("a project");
    assert_eq!((found.id, found.name.as_str()), (old, "billing"));
    let keys = read(store, |view| view.project_keys(old)).expect("a read");
    assert_eq!(keys, [folder("/new"), folder("/old")]);
    let sessions = |project| {
        let filter = SessionFilter { project: Some(project), ..SessionFilter::default() };
        let found = read(store, |view| view.sessions(filter)).expect("a read");
        found.iter().map(|session| session.key.clone()).collect::<Vec<_>>()
    };
    assert_eq!((sessions(old), sessions(new)), (vec![second, first], Vec::new()));
}

fn knows(store: &dyn Store) {
    let project = project(store, "/p");
    let id = session(store, project, "abc-1");
    let expected = Session {
        project,
        key: key("abc-1", None),
        parent: None,
        began: Began::Start,
        instance: 1,
        host_name: "host".to_owned(),
        started_at: START,
        seen_at: START,
        ended_at: None,
        place: Place::default(),
        standing: Standing::default(),
    };
    let other = session(store, project, "abc%2");
    let found = read(store, |view| view.session(&key("abc-1", None))).expect("a read");
    assert_eq!(found, Some(expected.clone()));
    for (prefix, ids) in [
        ("abc", vec![other.clone(), id.clone()]),
        ("abc-", vec![id]),
        ("abc%", vec![other]),
        ("x", vec![]),
    ] {
        let found = read(store, |view| view.sessions_by_prefix(project, prefix)).expect("a read");
        assert_eq!(found.iter().map(|session| session.key.clone()).collect::<Vec<_>>(), ids);
    }
    assert_eq!(read(store, |view| view.last_instance(project)).expect("a read"), 1);
}

/// Sessions of two projects and harnesses, begun at other times than their instances say; some ended, some sub-agents.
fn begun_sessions(store: &dyn Store) -> Vec<Session> {
    let projects = [project(store, "/p"), project(store, "/q")];
    for (n, external) in (0_u32..12).zip(["ab", "ac", "b"].into_iter().cycle()) {
        let project = projects[usize::from(n % 5 == 0)];
        let agent = (n % 3 == n % 2).then(|| n.to_string());
        let mut key = key(&format!("{external}{n}"), agent.as_deref());
        if n % 4 < 2 {
            "other".clone_into(&mut key.harness);
        }
        let Change::AddSession { parent, began, host_name, place, .. } = begun(project, &key)
        else {
            panic!("no session")
        };
        let (instance, at) = (n * 7 % 12, START.plus(i64::from(n * 5 % 12)));
        let add = Change::AddSession {
            project,
            key: key.clone(),
            parent,
            began,
            instance,
            host_name,
            place: place.clone(),
            at,
        };
        let ended_at = (n % 4 == 1).then_some(at);
        let (session, standing) = (key.clone(), Standing::default());
        let end = Change::SetSession { session, seen_at: at, ended_at, place, standing };
        commit(store, Scope::Session(key), "begin", &[add, end]);
    }
    read(store, |view| view.sessions(SessionFilter::ALL)).expect("a read")
}

fn filters(store: &dyn Store) {
    let all = begun_sessions(store);
    let mine = project(store, "/p");
    assert_eq!(all.len(), 12);
    let filter = |choice: u32| {
        let is_chosen = |bit: u32| choice >> bit & 1 == 1;
        SessionFilter {
            project: is_chosen(0).then_some(mine),
            prefix: is_chosen(1).then_some("a"),
            include_archived: is_chosen(2),
            include_agents: is_chosen(3),
            by_instance: is_chosen(4),
            limit: if is_chosen(5) { 2 } else { 0 },
            harness: is_chosen(6).then_some("other"),
        }
    };
    let look = read(store, |view| {
        for filter in (0..128).map(filter) {
            let through = all.iter().filter(|session| is_let_through(&filter, session)).cloned();
            let mut expected: Vec<Session> = through.collect();
            if filter.by_instance {
                expected.sort_by_key(|session| Reverse(session.instance));
            } else {
                expected.sort_by_key(|session| Reverse(session.started_at));
            }
            expected.truncate(if filter.limit == 0 { expected.len() } else { filter.limit });
            assert_eq!(view.sessions(filter)?, expected, "{filter:?}");
        }
        Ok(())
    });
    look.expect("a read");
}

fn is_let_through(filter: &SessionFilter<'_>, session: &Session) -> bool {
    filter.project.is_none_or(|project| session.project == project)
        && filter.prefix.is_none_or(|prefix| session.key.external.starts_with(prefix))
        && filter.harness.is_none_or(|harness| session.key.harness == harness)
        && (filter.include_archived || session.ended_at.is_none())
        && (filter.include_agents || session.key.agent.is_none())
}

fn line(store: &dyn Store) {
    let project = project(store, "/p");
    let ids = ["a", "b", "c"].map(|name| session(store, project, name));
    for pair in ids.windows(2) {
        let change = Change::SetParent { session: pair[1].clone(), parent: pair[0].clone() };
        commit(store, Scope::Session(pair[1].clone()), "parent", &[change]);
    }
    let parent = read(store, |view| view.session(&ids[1])).expect("a read").expect("b").parent;
    assert_eq!(parent.as_ref(), Some(&ids[0]));
    let seen = |name: &str, limit: usize| {
        let line = read(store, |view| view.line_of(&key(name, None), limit)).expect("a read");
        line.into_iter()
            .map(|(key, plan)| (key, plan.map(|plan| plan.to_string())))
            .collect::<Vec<_>>()
    };
    let plan = Change::AddPlan { project, name: PlanName::project(), is_tracked: false, at: START };
    let using = Change::SetActivePlan { session: ids[1].clone(), plan: Some(PlanName::project()) };
    commit(store, Scope::Project(project), "plan", &[plan, using]);
    let [a, b, c] = [
        (ids[0].clone(), None),
        (ids[1].clone(), Some("_project".to_owned())),
        (ids[2].clone(), None),
    ];
    assert_eq!(seen("c", 16), [c.clone(), b.clone(), a.clone()]);
    assert_eq!(seen("c", 2), [c, b]);
    assert_eq!(seen("a", 16), [a]);
    assert_eq!(seen("x", 16), []);
}

fn news(store: &dyn Store) {
    let project = project(store, "/p");
    let id = session(store, project, "s");
    let place = Place {
        model: Some("model".to_owned()),
        cwd: Some(b"/with\xff bytes".to_vec()),
        transcript: Some(b"/t.jsonl".to_vec()),
        host_pid: Some(7),
    };
    let answer = Some("msg_1".to_owned());
    let standing = Standing { compactions: 2, warned_at: Some(1), told: Seq(9), answer };
    let change = Change::SetSession {
        session: id.clone(),
        seen_at: Time(START.0 + 5),
        ended_at: Some(Time(START.0 + 6)),
        place: place.clone(),
        standing: standing.clone(),
    };
    commit(store, Scope::Session(id.clone()), "news", &[change]);
    let found = read(store, |view| view.session(&id)).expect("a read").expect("a session");
    assert_eq!(
        (found.place, found.standing, found.ended_at),
        (place, standing, Some(Time(START.0 + 6)))
    );
    for (include_archived, n) in [(false, 0), (true, 1)] {
        let filter =
            SessionFilter { project: Some(project), include_archived, ..SessionFilter::default() };
        assert_eq!(read(store, |view| view.sessions(filter)).expect("a read").len(), n);
    }
}

fn unique(store: &dyn Store) {
    let project = project(store, "/p");
    session(store, project, "s");
    let again = begun(project, &key("s", None));
    assert!(try_commit(store, Scope::Project(project), "again", &[again]).is_err());
}

fn all_at_once(store: &dyn Store) {
    let (id, key) = (ProjectId([9; 16]), key("s", None));
    let all = [
        Change::AddProject { id, name: "p".to_owned(), keys: vec![folder("/p")], at: START },
        begun(id, &key),
        Change::AddNote { session: key.clone(), note: note(1, "text", &["a"]) },
    ];
    let scope = Scope::Session(key.clone());
    let Outcome::Done { seq } = commit(store, scope.clone(), "w", &all) else { panic!("not done") };
    let again = commit(store, scope.clone(), "w", &all);
    assert_eq!(again, Outcome::Replayed { seq, reply: "\"w\"".to_owned() });
    let seen = read(store, |view| {
        let project = view.project_by_keys(&[folder("/p")])?.map(|project| project.id);
        Ok((project, view.counts(&key)?.notes, view.last_seq(&scope)?, view.body(seq)?))
    });
    let (project, n_notes, last, body) = seen.expect("a read");
    assert_eq!((project, n_notes, last), (Some(id), 1, seq));
    let undo = body.expect("a body").undo;
    assert_eq!(undo, [Change::DropNote { session: key.clone(), id: NoteId(1) }]);
    commit(store, scope, "undo", &undo);
    assert_eq!(read(store, |view| view.counts(&key)).expect("a read").notes, 0);
}

fn nobody(store: &dyn Store) {
    let (mine, nowhere) = (project(store, "/p"), ProjectId([3; 16]));
    let nobody = key("nobody", None);
    let add = |id| Change::AddProject { id, name: "q".to_owned(), keys: Vec::new(), at: START };
    let note = Change::AddNote { session: nobody.clone(), note: note(1, "text", &["a"]) };
    for (name, scope, changes) in [
        ("no session to write for", Scope::Session(nobody.clone()), vec![add(nowhere)]),
        ("no session of a note", Scope::Project(mine), vec![add(nowhere), note]),
        ("no project of a session", Scope::Project(mine), vec![begun(nowhere, &nobody)]),
        ("no project to write for", Scope::Project(nowhere), vec![begun(mine, &nobody)]),
        ("a project that is there", Scope::Store, vec![add(mine)]),
    ] {
        let done = try_commit(store, scope, name, &changes);
        assert!(done.is_err(), "{name}: {done:?}");
    }
    let left = read(store, |view| Ok((view.projects(None)?.len(), view.session(&nobody)?)));
    assert_eq!(left.expect("a read"), (1, None));
    assert_eq!(read(store, |view| view.card(&nobody)).expect("a read"), SessionCard::default());
}

fn off(store: &dyn Store) {
    let id = project(store, "/p");
    for (project, off_at) in
        [(None, Some(START)), (Some(id), Some(START)), (None, None), (Some(id), None)]
    {
        let name = format!("{project:?} {off_at:?}");
        commit(store, Scope::Store, &name, &[Change::SetOff { project, off_at }]);
        let found = read(store, |view| match project {
            None => Ok(view.store()?.off_at),
            Some(id) => Ok(view.project(id)?.and_then(|project| project.off_at)),
        });
        assert_eq!(found.expect("a read"), off_at);
    }
}
