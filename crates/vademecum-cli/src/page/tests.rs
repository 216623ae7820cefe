//! A small project as a reader would find it: the page of which the documents have a picture.

use super::collect::{Book, Entry, Event, Inside, Note, PlanSheet, Sheet};
use super::html;
use super::safe::Wash;

/// `cargo xtask picture` makes the picture anew.
#[test]
fn picture() {
    let html = html::page(&book()).into_string() + "\n";
    insta::assert_binary_snapshot!("picture.html", html.into_bytes());
}

/// The same at every run: no clock, no id by chance.
fn book() -> Book {
    let wash = Wash::new();
    let first = sheet(
        &wash,
        ("4eaca901", "running", 3),
        (4, 3, 2),
        ("Tickets booked near midnight land on the wrong day.", inside(&wash)),
    );
    let older = [
        sheet(
            &wash,
            ("b1d0c2f7", "ended", 2),
            (2, 5, 1),
            ("Move the timetable to the new feed", maud::html! {}),
        ),
        sheet(&wash, ("186f7672", "killed", 1), (1, 2, 2), ("", maud::html! {})),
    ];
    Book {
        project: wash.text("ferry"),
        made_at: "2026-11-26T16:40:00Z".to_owned(),
        sessions: std::iter::once(first).chain(older).collect(),
        plans: vec![plan(&wash)],
    }
}

/// A session by its handle, state and instance, and by its revision, notes and open notes.
fn sheet(
    wash: &Wash,
    (handle, state, instance): (&str, &'static str, u32),
    (notepad_rev, notes, open): (u32, u64, u64),
    (about, inside): (&str, maud::Markup),
) -> Sheet {
    Sheet {
        handle: wash.text(handle),
        about: wash.text(about),
        harness: wash.text("claude-code"),
        state,
        is_agent: false,
        instance,
        started_at: format!("2026-11-2{}T09:12:00Z", instance + 3),
        notepad_rev,
        open,
        notes,
        compactions: u32::from(state == "running"),
        is_alone: false,
        inside: Some(inside),
    }
}

fn inside(wash: &Wash) -> maud::Markup {
    let event = |at: &str, kind, text: &str, arrival| Event {
        at: format!("2026-11-26T{at}:00Z"),
        kind,
        text: wash.text(text),
        arrival,
        body: None,
    };
    let note = |n: u32, content: &str, tags: &[&str], is_scratched| Note {
        id: wash.text(&format!("note_17957121403{n}")),
        content: wash.text(content),
        tags: tags.iter().map(|tag| wash.text(tag)).collect(),
        updated_at: "2026-11-26T09:31:00Z".to_owned(),
        is_scratched,
    };
    let page = "## Goal\nTickets booked near midnight land on the wrong day. Fix it; the CSV export keeps its columns.\n\n\
        ## Plan\n- [x] find where a ticket gets its day: `sailing_day` in booking/day.py\n- [ ] use the harbour's time zone there\n\
        - [ ] test: a ticket booked at 00:30 keeps its day";
    html::inside(&Inside {
        name: wash.text("claude-code:4eaca901-5c0e-4f63-9d1b-0a6b2f6b7a11"),
        seen_at: "2026-11-26T10:04:00Z".to_owned(),
        notepad: wash.text(page),
        recap: None,
        notes: vec![
            note(
                54,
                "Decided: the zone comes from the harbour (`ferry.harbour.zone`), not from the server.",
                &["decision", "booking"],
                false,
            ),
            note(
                55,
                "booking/reminder.py calls sailing_day too, so reminders went out a day early.",
                &["todo", "reminder"],
                false,
            ),
            note(56, "The export writes UTC on purpose.", &["csv"], true),
        ],
        events: vec![
            event("09:12", "began", "by start", None),
            event(
                "09:12",
                "prompt",
                "Tickets booked near midnight are given the wrong day. Leave the CSV export alone.",
                None,
            ),
            event("09:58", "warning", "before a compaction, at 62,500 tokens", None),
            event("10:02", "compaction", "by Claude Code, 68,000 tokens before it", None),
            event("10:02", "context", "notepad, 2 open notes, recap", Some("arrived whole")),
        ],
        gaps: Vec::new(),
    })
}

fn plan(wash: &Wash) -> PlanSheet {
    let entry = Entry {
        id: wash.text("entry_1795712140745"),
        category: wash.text("decision"),
        at: "2026-11-25T14:02:00Z".to_owned(),
        content: wash.text("Times are kept in UTC and shown in the harbour's zone."),
        more: vec![("why", wash.text("Servers run in UTC, harbours do not."))],
        tags: vec![wash.text("time")],
        is_in_force: true,
    };
    PlanSheet {
        name: wash.text("_project"),
        stage: wash.text("open"),
        created_at: "2026-11-24T09:12:00Z".to_owned(),
        entries: vec![entry],
    }
}
