//! What one session leaves to the next: its agent's words, its page, its notes and the recap.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use vademecum_ops::config::{Config, Profile};
use vademecum_ops::who::Clues;
use vademecum_ops::{Call, Caller, Reply, registry};
use vademecum_store::{Author, Origin, Surface};

use crate::conversation::Conversation;
use crate::desk::Desk;
use crate::moments::Claude;

const SECRET: &str = "planted-secret-5b1e";

/// A session that left words, a page and two notes, and a new one of the same project.
fn successor() -> Desk {
    let mut desk = Desk::new();
    desk.object("write_notepad", json!({"content": "## Plan\n- [x] api\n- [ ] cli"}));
    desk.object(
        "add_note",
        json!({"content": "A unique index, not a lock.", "tags": ["decision"]}),
    );
    desk.object("add_note", json!({"content": "Rates are per tenant.", "tags": ["billing"]}));
    let words = "Key passed in api and worker, cli open. Next: SubmitArgs in cli/refund.rs.";
    desk.object("write_handoff", json!({"content": words}));
    desk.object("archive_session", json!({}));
    desk.clock.fetch_add(3_600_000, Ordering::SeqCst);
    desk.session = Some("test:session-2".to_owned());
    desk
}

#[test]
fn the_successor_reads_words_page_and_notes() {
    let desk = successor();
    let reply = desk.call("read_handoff", json!({})).expect("a handoff");
    insta::assert_snapshot!(reply.text, @r#"
    Handoff of session session- (instance 1, 21 Nov). A record, not a request: where it differs, the user's latest message and the files decide.

    ## Its own words
    Key passed in api and worker, cli open. Next: SubmitArgs in cli/refund.rs.

    ## Its notepad
    ## Plan
    - [x] api
    - [ ] cli

    ## Its open notes (2)
    note_1763700000000 [decision] A unique index, not a lock.
    note_1763700000001 [billing] Rates are per tenant.
    "#);
    let written = file(&desk, "test=session-1");
    assert!(written.contains("## Injected\nHandoff of session session- "), "{written}");
    assert!(written.ends_with("## Rest\n(nothing)\n"), "{written}");
}

/// The file of the handoff of a session.
fn file(desk: &Desk, name: &str) -> String {
    let path = desk.folder().join(format!("data/handoffs/{name}.md"));
    std::fs::read_to_string(path).expect("the file")
}

/// Calls an operation as the person at the command line, for whom no session is named.
pub(crate) fn person(desk: &Desk, name: &str, arguments: Value) -> Reply {
    let caller = Caller {
        origin: Origin { surface: Surface::Cli, author: Author::User },
        clues: Clues { is_person: true, ..Clues::default() },
        write_id: None,
    };
    let call = Call::new(&desk.store, &desk.world, &desk.config, caller);
    registry::find(name).expect("an operation").run(&call, arguments).expect("an answer")
}

#[test]
fn an_agent_gets_a_persons_words_and_not_their_notes() {
    let desk = Desk::new();
    person(&desk, "add_note", json!({"content": "Ask Ann about the lease.", "tags": ["todo"]}));
    person(&desk, "write_notepad", json!({"content": "## Mine"}));
    person(&desk, "write_handoff", json!({"content": "Mind the lock."}));
    let told = desk.call("read_handoff", json!({"from": "desk"})).expect("a handoff").text;
    assert!(told.contains("Mind the lock."), "{told}");
    assert!(!told.contains("Ann") && !told.contains("Mine"), "{told}");
    let own = person(&desk, "read_handoff", json!({"from": "desk"})).text;
    assert!(own.contains("Ann") && own.contains("Mine"), "{own}");
}

/// A session with many notes, the only bug and the only todo first, and a new one of the same project.
fn many_notes(n_notes: usize) -> Desk {
    let mut desk = Desk::new();
    let note = |text: String, tag: &str| {
        desk.clock.fetch_add(1, Ordering::SeqCst);
        desk.object("add_note", json!({"content": text, "tags": [tag]}));
    };
    note("ROOT CAUSE: the queue has two readers.".to_owned(), "bug");
    note("ship it".to_owned(), "todo");
    for n in 0..n_notes {
        note(format!("finding {n}: {}", "a long story about it. ".repeat(20)), "pattern");
    }
    desk.object("archive_session", json!({}));
    desk.session = Some("test:session-2".to_owned());
    desk
}

#[test]
fn all_open_notes_are_in_it_whatever_their_tags() {
    let desk = many_notes(3);
    let text = desk.call("read_handoff", json!({})).expect("a handoff").text;
    assert!(text.contains("## Its open notes (5)\n"), "{text}");
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what:?} in {text}"));
    let order = [at("ship it"), at("finding 2"), at("finding 0"), at("ROOT CAUSE")];
    assert!(order.is_sorted(), "{order:?}");
    assert!(!text.contains("Left out here"), "{text}");
}

#[test]
fn notes_beyond_the_budget_are_counted_and_stand_in_the_rest() {
    let desk = many_notes(60);
    let text = desk.call("read_handoff", json!({})).expect("a handoff").text;
    let shown = text.lines().filter(|line| line.starts_with("note_")).count();
    assert!((2..62).contains(&shown), "{shown}");
    assert!(text.contains(&format!("## Its open notes ({shown} of 62)\n")), "{text}");
    let left = format!(
        "Left out here: {} open notes. To have it: read_handoff(from=\"session-\", rest=true)",
        62 - shown
    );
    assert!(text.ends_with(&left), "{text}");
    let written = file(&desk, "test=session-1");
    let rest = written.split_once("\n## Rest\n").expect("a rest").1;
    assert_eq!(rest.lines().filter(|line| line.starts_with("note_")).count(), 62 - shown);
    assert!(rest.contains("ROOT CAUSE"), "{rest}");
    let asked = json!({"from": "test:session-1", "rest": true, "budget": 20_000});
    let asked = desk.call("read_handoff", asked).expect("the rest").text;
    assert!(asked.ends_with(rest.trim_end()), "{asked}");
    // The rest of a smaller handoff begins where that one ends.
    let few = desk.call("read_handoff", json!({"budget": 300})).expect("a handoff").text;
    let shown = few.lines().filter(|line| line.starts_with("note_")).count();
    let left = 62 - shown;
    let call = "To have it: read_handoff(from=\"session-\", budget=300, rest=true)";
    assert!(few.ends_with(&format!("Left out here: {left} open notes. {call}")), "{few}");
    let few = json!({"from": "test:session-1", "rest": true, "budget": 300});
    let few = desk.call("read_handoff", few).expect("the rest").text;
    let listed = few.lines().filter(|line| line.starts_with("note_")).count();
    let more = "a larger budget without rest shows more";
    let title = format!("### Its other open notes ({listed} of {left} lines; {more})");
    assert!(few.contains(&title), "{few}");
}

/// What stands in a handoff is not counted as left out of it.
#[test]
fn nothing_that_it_says_is_left_out_of_it() {
    let mut talk = Conversation::new(Claude::new());
    talk.starts("startup");
    talk.prompt_saying("Fix the refund widget. Never push.", "Next I will map E_DUP in worker.rs.");
    talk.calls("write_notepad", &json!({"content": "## Plan\n- [ ] map E_DUP\n"}));
    talk.prompt_saying("thanks", "Done.");
    talk.claude.event("SessionEnd", &json!({"reason": "other"}));
    let mut desk = talk.claude.desk;
    desk.session = Some("test:session-2".to_owned());
    let text = desk.call("read_handoff", json!({})).expect("a handoff").text;
    assert!(
        text.contains("Never push.") && text.contains("\n## From its transcript (1 call newer"),
        "{text}"
    );
    assert!(!text.contains("Left out here"), "{text}");
    let rest = desk.call("read_handoff", json!({"rest": true})).expect("a rest").text;
    assert!(rest.ends_with("## Rest\n(nothing)"), "{rest}");
}

/// Every file that a session edited stands in the handoff or in the rest of its file, by method best too.
#[test]
fn the_rest_is_everything_else() {
    let claude = Claude::new();
    claude.starts("startup");
    claude.context("PostToolBatch", &json!({"tool_calls": []}));
    let mut lines =
        vec![json!({"type": "user", "message": {"role": "user", "content": "Edit all."}})];
    for n in 0..300 {
        let input = json!({"file_path": format!("/w/src/part_{n}.rs"), "old_string": "a", "new_string": "b"});
        let call =
            json!({"type": "tool_use", "id": format!("t{n}"), "name": "Edit", "input": input});
        lines.push(
            json!({"type": "assistant", "message": {"role": "assistant", "content": [call]}}),
        );
        let done = json!({"type": "tool_result", "tool_use_id": format!("t{n}"), "content": "ok"});
        lines.push(json!({"type": "user", "message": {"role": "user", "content": [done]}}));
    }
    let mut parent = Value::Null;
    for (n, line) in lines.iter_mut().enumerate() {
        let envelope = json!({"uuid": format!("u{n}"), "parentUuid": parent, "sessionId": claude.session, "cwd": "/w"});
        parent = envelope["uuid"].clone();
        line.as_object_mut().expect("an object").extend(envelope.as_object().expect("one").clone());
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::fs::write(claude.transcript(), lines.join("\n") + "\n").expect("a transcript");
    claude.event("SessionEnd", &json!({"reason": "other"}));
    let mut desk = claude.desk;
    desk.session = Some("test:session-2".to_owned());
    let text = desk.call("read_handoff", json!({"budget": 400})).expect("a handoff").text;
    assert!(text.contains(" facts of its transcript. To have it: read_handoff("), "{text}");
    let written = file(&desk, &format!("claude-code={}", claude.session));
    for n in 0..300 {
        let name = format!("part_{n}.rs");
        assert!(written.contains(&name), "{name} stands nowhere in {written}");
    }
}

#[test]
fn no_path_of_the_machine_is_told_to_a_model() {
    let desk = many_notes(60);
    let reply = desk.call("read_handoff", json!({})).expect("a handoff");
    let data = desk.folder().to_string_lossy().into_owned();
    assert!(!reply.text.contains(&data), "{}", reply.text);
    assert!(!reply.object.to_string().contains(&data), "{}", reply.object);
    let seen = person(&desk, "read_handoff", json!({"from": "test:session-1"}));
    let path = seen.object["file"].as_str().expect("a file").to_owned();
    assert!(seen.text.ends_with(&format!("\nFile: {path}")), "{}", seen.text);
    assert!(seen.text.contains("To have it: vade handoff show session- --rest"), "{}", seen.text);
}

#[test]
fn reading_takes_nothing_away_and_is_noted_once() {
    let desk = successor();
    desk.object("add_note", json!({"content": "mine", "tags": ["a"]}));
    let first = desk.object("read_handoff", json!({}));
    assert_eq!(desk.object("read_handoff", json!({})), first);
    let log = desk.object("list_instances", json!({}));
    let continues = |idx: usize| log["instances"][idx]["continues"].clone();
    assert_eq!((continues(0), continues(1)), (json!(1), json!(null)));
}

#[test]
fn a_session_that_runs_is_nobody_elses_to_take_over() {
    let mut desk = successor();
    desk.object("add_note", json!({"content": "at work", "tags": ["a"]}));
    desk.object("read_handoff", json!({}));
    desk.session = Some("test:session-3".to_owned());
    let none = json!({"text": "", "tokens": 0, "running": "session-"});
    assert_eq!(desk.object("read_handoff", json!({})), none);
    let named = desk.object("read_handoff", json!({"from": "test:session-1"}));
    assert_eq!(named["instance"], 1);
}

#[test]
fn one_that_only_looked_takes_nothing_away() {
    let mut desk = successor();
    desk.object("new_session", json!({}));
    desk.session = Some("test:session-3".to_owned());
    assert_eq!(desk.object("read_handoff", json!({}))["instance"], 1);
}

#[test]
fn words_are_replaced_and_taken_back() {
    let desk = Desk::new();
    for (content, tokens) in [("one", true), ("two", true), ("", false)] {
        let reply = desk.object("write_handoff", json!({"content": content}));
        assert_eq!(reply["tokens"].as_u64() != Some(0), tokens);
    }
    let reply = desk.call("write_handoff", json!({"content": " "})).expect("an answer");
    assert_eq!(reply.text, "session session- left no handoff: nothing to take back");
}

#[test]
fn a_recap_of_the_transcript_is_part_of_it() {
    let mut desk = successor();
    let path = desk.folder().join("log.jsonl");
    let log = r#"{"role": "user", "content": "Make refunds idempotent."}
{"role": "assistant", "content": "The migration is applied. Next: the cli."}"#;
    std::fs::write(&path, log).expect("a transcript");
    let reply = desk.call("recap", json!({"path": path, "format": "text"})).expect("a recap");
    assert!(reply.text.contains("Make refunds idempotent."), "{}", reply.text);
    desk.session = None;
    let error = desk.error("recap", json!({"path": "nowhere.jsonl"}));
    assert!(error.starts_with("missing: no transcript at the given path: "), "{error}");
}

#[test]
fn no_byte_of_a_forgotten_handoff_is_left() {
    let mut desk = Desk::new();
    desk.object("write_handoff", json!({"content": format!("first {SECRET}")}));
    desk.object("write_handoff", json!({"content": format!("then {SECRET}")}));
    desk.object("archive_session", json!({}));
    desk.clock.fetch_add(1, Ordering::SeqCst);
    desk.session = Some("test:session-2".to_owned());
    desk.object("read_handoff", json!({}));
    assert!(file(&desk, "test=session-1").contains(SECRET));
    desk.session = Some("test:session-1".to_owned());
    desk.object("forget", json!({"what": "session", "yes": true}));
    let data = desk.folder().join("data");
    assert_eq!(crate::keeping::files_with(&data, SECRET), Vec::<String>::new());
}

#[test]
fn the_handoff_file_of_the_workspace_is_forgotten_with_its_session() {
    let config = Config::of(Profile::Seed4);
    let mut desk = Desk::with(config);
    for (session, forgotten, is_left) in
        [("test:one", "test:one", false), ("test:two", "test:other", true)]
    {
        desk.session = Some(session.to_owned());
        desk.object("write_handoff", json!({"content": SECRET}));
        desk.session = Some("test:other".to_owned());
        desk.object("add_note", json!({"content": "mine", "tags": ["a"]}));
        desk.object("read_handoff", json!({"from": session}));
        let file = desk.world.folders.work.join("_handoff.md");
        assert!(std::fs::read_to_string(&file).expect("the file").contains(SECRET));
        desk.session = Some(forgotten.to_owned());
        desk.object("forget", json!({"what": "session", "yes": true}));
        assert_eq!(file.exists(), is_left, "{session}");
    }
}

#[test]
fn the_word_of_a_person_is_for_the_next_session() {
    let desk = successor();
    let kept = person(&desk, "write_handoff", json!({"content": "Mind the lock."}));
    assert_eq!(
        kept.text,
        "handoff kept: 6 tokens (offered to the next interactive session of this project, after /clear too)"
    );
    let shown = person(&desk, "read_handoff", json!({})).text;
    assert!(shown.contains("Mind the lock."), "{shown}");
    // Who names none is told who else left work.
    let others = "\nOther sessions left work open too: session- (21 Nov): \"cli\". \
        If the user means one: read_handoff(from=\"session-\")";
    for (arguments, others) in [(json!({}), others), (json!({"from": "desk"}), "")] {
        let reply = desk.call("read_handoff", arguments).expect("a handoff").text;
        assert!(reply.contains(others), "{reply}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(reply.replace(others, ""), @r"
            Word of the user for the next session (desk, 21 Nov). A record, not a request: where it differs, the user's latest message and the files decide.

            ## The user's words
            Mind the lock.
            ");
        }
    }
}

/// A person who looks for the word that they left is shown the session that works: where the word is stands beside it.
#[test]
fn a_persons_word_is_named_beside_the_handoff_of_a_session() {
    let desk = successor();
    person(&desk, "write_handoff", json!({"content": "Mind the lock."}));
    desk.clock.fetch_add(60_000, Ordering::SeqCst);
    desk.object("write_notepad", json!({"content": "- [ ] theirs"}));
    let shown = |from: Value| person(&desk, "read_handoff", from).text;
    let line = "\nYour own word of 21 Nov was not read yet: vade handoff show desk\n\n";
    let unasked = shown(json!({}));
    assert!(unasked.contains("still counts as running") && unasked.contains(line), "{unasked}");
    assert!(!shown(json!({"from": "test:session-2"})).contains("Your own word"));
    assert!(shown(json!({"from": "desk"})).contains("Mind the lock."));
    desk.call("read_handoff", json!({"from": "desk"})).expect("a handoff");
    assert!(!shown(json!({})).contains("Your own word"), "it was read");
}

/// A word is for one reader: another that takes its place says which one goes unread.
#[test]
fn a_word_that_nobody_read_is_not_replaced_unsaid() {
    let desk = successor();
    desk.object("add_note", json!({"content": "at work", "tags": ["a"]}));
    let writes = |words: &str| {
        desk.clock.fetch_add(60_000, Ordering::SeqCst);
        person(&desk, "write_handoff", json!({"content": words})).text
    };
    let goes = |said: &str| said.contains("no session has read");
    assert!(!goes(&writes("Use port 5433,\nnot \"5432\".")));
    assert!(!goes(&writes("Use port 5433,\nnot \"5432\".")), "the same words again");
    insta::assert_snapshot!(writes("Mind the lock."), @r#"
    handoff kept: 6 tokens (offered to the next interactive session of this project, after /clear too)
    it replaces the word written 1 minute ago, which no session has read: "Use port 5433, not '5432'."
    to see that one again: vade session timeline desk --whole
    "#);
    let clues = Clues { named: Some("desk".to_owned()), is_person: true, ..Clues::default() };
    let shown = desk.call_by(clues, "session_timeline", json!({"whole": true}));
    let shown = shown.expect("an answer").text;
    assert!(shown.contains("not \"5432\""), "{shown}");
    desk.call("read_handoff", json!({"from": "desk"})).expect("a handoff");
    assert!(!goes(&writes("Ship on Friday.")), "what was read");
    assert!(!goes(&writes("")), "what is taken back");
    assert!(!goes(&writes("Ship on Monday.")), "nothing");
    person(&desk, "dismiss_handoff", json!({"from": "desk"}));
    assert!(!goes(&writes("Ship on Tuesday.")), "what was dismissed");
}

#[test]
fn a_session_of_a_short_id_is_known_by_its_handle() {
    let mut desk = Desk::new();
    for session in ["my:r1", "my:r12", "my:r1long"] {
        desk.session = Some(session.to_owned());
        desk.object("write_handoff", json!({"content": format!("left by {session}")}));
    }
    for (handle, expected) in [("r1", "left by my:r1"), ("r12", "left by my:r12")] {
        let reply = desk.call("read_handoff", json!({"from": handle})).expect("a handoff");
        assert_eq!(reply.text.lines().last(), Some(expected), "{}", reply.text);
    }
    let short =
        "missing: no session \"r\": it takes 4 characters of an id, or all of a shorter one";
    assert_eq!(desk.error("read_handoff", json!({"from": "r"})), short);
}

#[test]
fn what_a_killed_writer_left_of_the_file_is_forgotten() {
    let desk = Desk::new();
    desk.object("write_handoff", json!({"content": SECRET}));
    let folder = desk.folder().join("data/handoffs");
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in
        ["test=session-1.md.0123456789abcdef.new", "test=session-12.md.0123456789abcdef.new"]
    {
        std::fs::write(folder.join(name), SECRET).expect("a file");
    }
    desk.object("forget", json!({"what": "session", "yes": true}));
    let left = std::fs::read_dir(&folder).expect("a folder");
    let left: Vec<_> = left.map(|file| file.expect("a file").file_name()).collect();
    assert_eq!(left, ["test=session-12.md.0123456789abcdef.new"]);
}

#[cfg(feature = "seed")]
#[test]
fn a_recap_is_made_by_each_method_within_its_budget() {
    let desk = Desk::new();
    for method in ["best", "tail", "seed"] {
        for budget in [40, 150, 1000] {
            let arguments =
                json!({"sample": true, "method": method, "budget": budget, "format": "text"});
            let recap = desk.object("recap", arguments);
            let tokens = recap["tokens"].as_u64().expect("a number");
            assert!(0 < tokens && tokens <= budget, "{method}: {tokens} of {budget}");
        }
    }
    let explained = json!({"sample": true, "method": "seed", "novelty": "compression",
        "centrality": "lex_rank", "alpha": 1.0, "explain": true});
    let table = desk.object("recap", explained)["explained"].clone();
    assert!(table.as_str().is_some_and(|table| table.starts_with("score novelty")), "{table}");
    let error = desk.error("recap", json!({"sample": true, "explain": true}));
    assert_eq!(error, "usage: explain is for method seed alone");
}

/// A-S3 (a): the person's file behind a link was truncated and replaced.
#[test]
fn the_file_of_the_workspace_is_written_through_no_link() {
    let mut desk = Desk::with(Config::of(Profile::Seed4));
    let canary = desk.folder().join("canary");
    let link = |name: String| {
        std::os::unix::fs::symlink(&canary, desk.world.folders.work.join(name)).expect("a link");
    };
    std::fs::write(&canary, SECRET).expect("a file");
    link(format!("_handoff.{}.new", std::process::id()));
    link("_handoff.md".to_owned());
    desk.session = Some("test:one".to_owned());
    desk.object("write_handoff", json!({"content": "words"}));
    desk.session = Some("test:other".to_owned());
    let read = desk.object("read_handoff", json!({"from": "test:one"}));
    let text = read["text"].as_str().expect("a text");
    assert!(text.contains("words"), "{text}");
    assert!(text.contains("_handoff.md is a symbolic link, not a regular file"), "{text}");
    assert_eq!(read.get("file"), None);

    let own = desk.world.folders.work.join("_handoff.md");
    std::fs::remove_file(&own).expect("a link");
    desk.object("read_handoff", json!({"from": "test:one"}));
    assert!(std::fs::read_to_string(&own).expect("the file").contains("words"));
    assert_eq!(std::fs::read_to_string(&canary).expect("a file"), SECRET);
}

#[cfg(feature = "seed")]
#[test]
fn each_method_says_how_much_of_what_it_counts_is_told() {
    let desk = Desk::new();
    for (method, unit) in [("best", "facts"), ("tail", "lines"), ("seed", "chunks")] {
        let recap = desk.object("recap", json!({"sample": true, "method": method, "budget": 200}));
        let said =
            format!("{} of {} {unit}.", recap["coverage"]["said"], recap["coverage"]["facts"]);
        assert!(recap["text"].as_str().is_some_and(|text| text.contains(&said)), "{recap}");
        assert!(
            recap["coverage"]["said"].as_u64() < recap["coverage"]["facts"].as_u64(),
            "{recap}"
        );
    }
    let whole = json!({"sample": true, "method": "tail", "budget": 100_000, "format": "text"});
    let whole = desk.object("recap", whole);
    let n_lines = whole["coverage"]["facts"].as_u64().expect("a number");
    assert_eq!(whole["coverage"]["said"], n_lines, "{whole}");
}

/// C4.11.
#[test]
fn of_an_empty_transcript_nothing_is_said() {
    let desk = Desk::new();
    let path = desk.folder().join("empty.jsonl");
    std::fs::write(&path, "").expect("a file");
    for arguments in [json!({}), json!({"harness": "codex"}), json!({"format": "text"})] {
        let mut arguments = arguments;
        arguments["path"] = json!(path);
        assert_eq!(desk.object("recap", arguments)["text"], "");
    }
}

/// Nothing is taken back where nothing was left, and the person's own page is no session by a number.
#[test]
fn who_left_what_is_called_by_its_name() {
    let mut desk = Desk::new();
    desk.session = None;
    let said = |desk: &Desk, name: &str, arguments: Value| person(desk, name, arguments).text;
    let nothing = json!({ "content": "" });
    assert_eq!(
        said(&desk, "write_handoff", nothing.clone()),
        "the desk left no handoff: nothing to take back"
    );
    said(&desk, "write_handoff", json!({ "content": "Go on." }));
    assert_eq!(said(&desk, "write_handoff", nothing.clone()), "handoff of the desk taken back");
    desk.object("init_plan", json!({ "name": "a" }));
    assert_eq!(said(&desk, "use_plan", json!({ "plan": "a" })), "the desk works on plan a");
    desk.session = Some("test:session-1".to_owned());
    assert_eq!(
        desk.call("write_handoff", nothing).expect("an answer").text,
        "session session- left no handoff: nothing to take back"
    );
}

#[cfg(not(feature = "seed"))]
#[test]
fn a_build_without_method_seed_says_so() {
    let desk = Desk::with(Config::of(Profile::Seed4));
    let recap = desk.object("recap", json!({"sample": true}));
    assert_eq!(recap, Desk::new().object("recap", json!({"sample": true})));
    let error = desk.error("recap", json!({"sample": true, "method": "seed"}));
    assert_eq!(error, "usage: method seed is no part of this build");
}
