//! Nobody is told what is another's: projects, sessions, sub-agents, a person's own desk, and branches are kept apart.
//!
//! All texts of a play have the same words and a mark of their own, so that whatever is asked would find all of them; each
//! answer is looked through for marks that do not belong there. A play has a fresh store and is told by its number alone;
//! `VADE_ISOLATION` says how many answers are to be looked through, on all processors.

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use vademecum_ops::Config;
use vademecum_ops::config::Recall;

use crate::chance::Chance;
use crate::desk::Desk;
use crate::moments::Claude;

/// So many answers are looked through where nobody says how many.
const ANSWERS: u64 = 500;

/// So much is done in a play.
const STEPS: u64 = 80;

/// The last lies within the first: a repository in a repository.
const PROJECTS: [&str; 3] = ["one", "two", "one/vendor/three"];

const BRANCHES: [&str; 3] = ["main", "topic/a", "topic/b"];

/// The sessions of each project, and one's sub-agent.
const SESSIONS: [(&str, Option<&str>); 3] =
    [("1111", None), ("2222", None), ("1111", Some("a41f"))];

/// What a mark was written into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Of its session alone.
    Page,
    /// Of its session alone.
    Note,
    /// For whoever comes next in the project.
    Handoff,
    /// Of the project.
    Entry,
    /// Of the person alone.
    Desk,
}

/// Who wrote a mark, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    kind: Kind,
    project: usize,
    session: usize,
    branch: usize,
}

struct Play {
    desk: Desk,
    root: PathBuf,
    chance: Chance,
    marks: Vec<Mark>,
    /// What is checked out in each project.
    branches: [usize; PROJECTS.len()],
    answers: u64,
}

impl Play {
    fn new(n: u64) -> Self {
        let mut desk = Desk::with(Config { recall: Recall::Auto, ..Config::default() });
        // Without git as a program every branch that is there counts as unmerged.
        desk.world.env = Box::new(|_| None);
        let root = desk.world.folders.work.clone();
        for project in PROJECTS {
            let heads = root.join(project).join(".git/refs/heads/topic");
            fs::create_dir_all(&heads).expect("a folder");
            fs::create_dir_all(root.join(project).join(".git/objects")).expect("a folder");
            for (at, branch) in BRANCHES.iter().enumerate() {
                let commit = format!("{}\n", at.to_string().repeat(40));
                fs::write(root.join(project).join(".git/refs/heads").join(branch), commit)
                    .expect("a ref");
            }
        }
        let mut play = Self {
            desk,
            root,
            chance: Chance::of(n),
            marks: Vec::new(),
            branches: [0; 3],
            answers: 0,
        };
        (0..PROJECTS.len()).for_each(|project| play.checks_out(project, 0));
        play
    }

    fn pick(&mut self, n: usize) -> usize {
        usize::try_from(self.chance.below(n as u64)).expect("a small number")
    }

    fn checks_out(&mut self, project: usize, branch: usize) {
        let head = format!("ref: refs/heads/{}\n", BRANCHES[branch]);
        fs::write(self.root.join(PROJECTS[project]).join(".git/HEAD"), head).expect("a file");
        self.branches[project] = branch;
    }

    fn goes(&mut self, project: usize, session: usize) {
        self.desk.world.folders.work = self.root.join(PROJECTS[project]);
        (self.desk.session, self.desk.named) = (Some(key(project, session)), None);
    }

    fn step(&mut self) {
        let (project, session) = (self.pick(PROJECTS.len()), self.pick(SESSIONS.len()));
        self.goes(project, session);
        match self.pick(12) {
            0 => {
                let branch = self.pick(BRANCHES.len());
                self.checks_out(project, branch);
            }
            1..5 => self.writes(project, session),
            _ => self.asks(project, session),
        }
    }

    fn writes(&mut self, project: usize, session: usize) {
        let kinds = [
            Kind::Page,
            Kind::Note,
            Kind::Note,
            Kind::Entry,
            Kind::Entry,
            Kind::Handoff,
            Kind::Desk,
        ];
        let kind = kinds[self.pick(kinds.len())];
        let text =
            format!("retry the queue of src/deploy.rs behind the cache: mark{}x", self.marks.len());
        let branch = self.branches[project];
        let content = json!({ "content": text });
        let written = match kind {
            Kind::Page => self.desk.call("write_notepad", content),
            Kind::Note => {
                self.desk.call("add_note", json!({ "content": text, "tags": ["decision"] }))
            }
            Kind::Handoff => self.desk.call("write_handoff", content),
            Kind::Entry => {
                let name = ["add_decision", "add_issue", "add_learning"][self.pick(3)];
                self.desk.call(name, content)
            }
            Kind::Desk => {
                (self.desk.session, self.desk.named) = (None, Some("desk".to_owned()));
                let name = ["write_notepad", "add_note"][self.pick(2)];
                let content = json!({ "content": text, "tags": ["rule"] });
                let page = json!({ "content": text });
                self.desk.person(name, if name == "add_note" { content } else { page })
            }
        };
        written.expect("an acknowledged write");
        self.marks.push(Mark { kind, project, session, branch });
    }

    fn asks(&mut self, project: usize, session: usize) {
        self.answers += 1;
        let query = ["retry queue", "src/deploy.rs", "mark", "cache behind deploy"][self.pick(4)];
        let ours = [Kind::Page, Kind::Note];
        match self.pick(9) {
            0 => self.own("read_notepad", json!({}), (project, session)),
            1 => self.own("list_notes", json!({ "limit": 0 }), (project, session)),
            2 => {
                let asked = json!({ "query": query, "limit": 0 });
                self.own("search_notes", asked, (project, session));
            }
            3 | 4 => {
                let asked = json!({ "query": query, "scope": "project", "limit": 0 });
                let object = self.desk.object("search_notes", asked);
                for found in object["found"].as_array().into_iter().flatten() {
                    for mark in self.marks_in(&found["text"].to_string()) {
                        Self::is_let(&mark, project, "search");
                        let from = handle(mark.project, mark.session);
                        let is_own = !ours.contains(&mark.kind) || found["session"] == json!(from);
                        assert!(is_own, "{mark:?} is told as another session's: {found}");
                        self.is_labelled(&mark, project, &found["elsewhere"], false);
                    }
                }
            }
            5 => {
                let object = self.desk.object("recall", json!({ "kind": "known", "limit": 0 }));
                for found in object["known"].as_array().into_iter().flatten() {
                    for mark in self.marks_in(&found["content"].to_string()) {
                        assert_eq!(mark.kind, Kind::Entry, "{found}");
                        Self::is_let(&mark, project, "recall");
                        self.is_labelled(&mark, project, &found["elsewhere"], false);
                    }
                }
            }
            6 => {
                let told = self.desk.call("read_handoff", json!({})).map(|reply| reply.text);
                for mark in self.marks_in(&told.unwrap_or_default()) {
                    Self::is_let(&mark, project, "read_handoff");
                }
            }
            _ => self.begins(project, session, query),
        }
    }

    /// What a session is told of its own is of nobody else.
    fn own(&self, name: &str, arguments: Value, (project, session): (usize, usize)) {
        let Ok(reply) = self.desk.call(name, arguments) else { return };
        for mark in self.marks_in(&reply.text) {
            let own = (mark.project, mark.session) == (project, session);
            assert!(
                own && mark.kind != Kind::Desk,
                "{name} of {project}.{session}: {mark:?}\n{}",
                reply.text
            );
        }
    }

    /// A hook's contexts: entries with their branch, pages and notes of the session alone.
    fn begins(&mut self, project: usize, session: usize, query: &str) {
        let source = ["startup", "resume", "compact"][self.pick(3)];
        let is_prompt = self.pick(2) == 0;
        if SESSIONS[session].1.is_some() {
            return;
        }
        let id: &'static str = IDS[project][session];
        let spare = Desk::new();
        let claude = Claude { desk: std::mem::replace(&mut self.desk, spare), session: id };
        let told = if is_prompt {
            let prompt = format!("Please look at the {query} in src/deploy.rs again");
            claude.context("UserPromptSubmit", &json!({ "prompt": prompt }))
        } else {
            claude.starts(source)
        };
        self.desk = claude.desk;
        for line in told.lines() {
            for mark in self.marks_in(line) {
                Self::is_let(&mark, project, source);
                let is_of_another = (mark.project, mark.session) != (project, session);
                // What an earlier session left is offered, and says from whom it is.
                let is_told = is_of_another && matches!(mark.kind, Kind::Page | Kind::Note);
                let is_offered = source == "startup"
                    || told.contains("left work open")
                    || line.contains("note_");
                assert!(
                    !is_told || is_offered,
                    "{source} of {project}.{session}: {mark:?}\n{told}"
                );
                let branch = BRANCHES.iter().find(|name| line.contains(&format!("branch {name}")));
                self.is_labelled(&mark, project, &json!(branch), true);
            }
        }
    }

    fn is_let(mark: &Mark, project: usize, by: &str) {
        assert_eq!(mark.project, project, "{by} of project {project} told {mark:?}");
        assert_ne!(mark.kind, Kind::Desk, "{by} told what is on the person's own desk");
    }

    /// An entry of another branch says so, and no other one does.
    fn is_labelled(&self, mark: &Mark, project: usize, label: &Value, of_hook: bool) {
        let here = self.branches[project];
        let is_elsewhere =
            mark.kind == Kind::Entry && mark.branch != here && !(of_hook && mark.branch == 0);
        let expected = if is_elsewhere { json!(BRANCHES[mark.branch]) } else { Value::Null };
        assert_eq!(*label, expected, "{mark:?} where {} is checked out", BRANCHES[here]);
    }

    fn marks_in(&self, text: &str) -> Vec<Mark> {
        let numbers = text.split("mark").skip(1).filter_map(|rest| rest.split_once('x'));
        let numbers = numbers.filter_map(|(number, _)| number.parse::<usize>().ok());
        numbers.map(|number| self.marks[number].clone()).collect()
    }
}

const IDS: [[&str; 2]; 3] = [
    ["00001111-0000-4000-8000-000000000000", "00002222-0000-4000-8000-000000000000"],
    ["10001111-0000-4000-8000-000000000000", "10002222-0000-4000-8000-000000000000"],
    ["20001111-0000-4000-8000-000000000000", "20002222-0000-4000-8000-000000000000"],
];

fn key(project: usize, session: usize) -> String {
    let (name, agent) = SESSIONS[session];
    let agent = agent.map(|agent| format!("/{agent}")).unwrap_or_default();
    format!("claude-code:{project}000{name}-0000-4000-8000-000000000000{agent}")
}

/// The name by which a session is told.
fn handle(project: usize, session: usize) -> String {
    let (name, agent) = SESSIONS[session];
    let agent = agent.map(|agent| format!("/{agent}")).unwrap_or_default();
    format!("{project}000{name}{agent}")
}

fn play(n: u64) -> u64 {
    let mut play = Play::new(n);
    (0..STEPS).for_each(|_| play.step());
    play.answers
}

#[expect(clippy::disallowed_methods, reason = "how much is asked is no part of a play")]
fn wanted() -> u64 {
    std::env::var("VADE_ISOLATION").ok().and_then(|n| n.parse().ok()).unwrap_or(ANSWERS)
}

#[test]
fn nobody_is_told_what_is_anothers() {
    let wanted = wanted();
    let (next, done, failed) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(None));
    let work = || {
        while done.load(Ordering::SeqCst) < wanted && failed.lock().expect("no panic").is_none() {
            let n = next.fetch_add(1, Ordering::SeqCst);
            match std::panic::catch_unwind(|| play(n)) {
                Ok(answers) => drop(done.fetch_add(answers, Ordering::SeqCst)),
                Err(_) => *failed.lock().expect("no panic") = Some(n),
            }
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| (0..n_threads).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().expect("no panic");
    assert_eq!(failed, None, "the play of this number told what is another's");
    println!("{} answers looked through", done.into_inner());
}

/// Where the marks are looked for is where they would be.
#[test]
#[should_panic(expected = "told Mark")]
fn a_mark_of_another_project_would_be_seen() {
    let mut play = Play::new(1);
    play.goes(0, 0);
    play.writes(0, 0);
    let mark = &play.marks[0];
    Play::is_let(mark, 1, "a test");
}
