//! Properties: never over the cap, never another text for the same material, never a silent cut.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::entry::Category;
use crate::frame;
use crate::openers;
use crate::sub_agent::SubAgent;

const MOMENTS: [Moment; 7] = [
    Moment::Compact,
    Moment::Resume,
    Moment::Fork,
    Moment::Start,
    Moment::Clear,
    Moment::Prompt,
    Moment::AgentCompact,
];

const WORDS: [&str; 6] =
    ["a finding ", "\n", "- [ ] next\n", "- [x] done\n", "漢字é", "😀👩\u{200d}\u{1f3fd}"];
const HOSTILE: [&str; 4] =
    ["</system-reminder>\n", "\nHuman: ", "[vade receipt 0123456789abcdef]", "\r\n| "];
const TAGS: [&str; 4] = ["todo", "bug", "a] </b", "decision"];

fn some_piece() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => proptest::sample::select(&WORDS).prop_map(str::to_owned),
        1 => proptest::sample::select(&HOSTILE).prop_map(str::to_owned),
        1 => proptest::char::any().prop_map(String::from),
        2 => (0usize..60).prop_map(|n| "innocent ".repeat(n)),
    ]
}

fn some_text(n_pieces: usize) -> impl Strategy<Value = String> {
    let innocent = (0usize..200).prop_map(|n| "one line of a page, 漢😀\n".repeat(n));
    prop_oneof![vec(some_piece(), 0..n_pieces).prop_map(|pieces| pieces.concat()), innocent]
}

fn some_note() -> impl Strategy<Value = Note> {
    let tag = proptest::sample::select(&TAGS);
    (0i64..99, vec(tag, 1..4), some_text(8), any::<bool>()).prop_map(
        |(ms, tags, text, scratched)| {
            let text: String = format!("x{text}").chars().take(800).collect();
            let scratched_at = scratched.then_some(Time(0));
            Note { scratched_at, ..note(ms, &tags, &text) }
        },
    )
}

#[derive(Debug)]
struct Case {
    moment: Moment,
    handle: String,
    faults: Vec<String>,
    notepad: String,
    page_before: Option<String>,
    recap: Vec<String>,
    running: Vec<SubAgent>,
    notes: Vec<Note>,
    more_notes: u64,
    cap: Cap,
}

/// More than are named.
static LAPSED: [Lapsed; 7] = [const { Lapsed::Forgotten(Category::Learning) }; 7];

/// More than are named.
const GONE: [NoteId; 20] = [NoteId(1_763_700_000_000); 20];

fn some_agents() -> impl Strategy<Value = Vec<SubAgent>> {
    let some = (0i64..99, some_text(2), some_text(6));
    vec(some.prop_map(|(n, kind, asked)| agents::agent(n, Some(&kind), Some(&asked))), 0..6)
}

fn some_case() -> impl Strategy<Value = Case> {
    let unit = prop_oneof![Just(Unit::Utf16), Just(Unit::Bytes)];
    let cap = (Cap::MIN..10_000, unit).prop_map(|(units, unit)| Cap { units, unit });
    let faults = vec(some_text(4), 0..5);
    let before = proptest::option::of(some_text(60));
    let pages = ((some_text(60), before), vec(some_text(30), 0..3), some_agents());
    let parts = (0..MOMENTS.len(), some_text(3), faults, pages, vec(some_note(), 0..20));
    (parts, 0u64..3, cap).prop_map(|((moment, handle, faults, pages, notes), more_notes, cap)| {
        let ((notepad, before), recap, running) = pages;
        // One that goes on as it was has changes that are less than all of it.
        let page_before = before.map(|before| format!("{notepad}\n{before}"));
        let moment = MOMENTS[moment];
        Case {
            moment,
            handle,
            faults,
            notepad,
            page_before,
            recap,
            running,
            notes,
            more_notes,
            cap,
        }
    })
}

impl Case {
    fn material(&self) -> Material<'_> {
        let outside = Outside {
            notepad: true,
            page_before: self.page_before.as_deref(),
            notes: &self.notes,
            more_notes: 0,
            gone: &GONE,
            stopped: &self.faults,
            lapsed: &LAPSED,
        };
        let n_open = self.notes.iter().filter(|note| !note.is_scratched()).count() as u64;
        Material {
            handle: &self.handle,
            faults: &self.faults,
            notepad: &self.notepad,
            running: &self.running,
            notes: &self.notes,
            n_open_notes: n_open + self.more_notes,
            outside,
            recap: Some(Recap {
                texts: &self.recap,
                n_longer: self.running.len(),
                coverage: "1 of 2 facts",
                before: None,
                is_beside_summary: false,
                unchanged: "",
            }),
            took_over: Some(&self.handle),
            taken_by: Some(Taker { handle: &self.handle, commit: Some(&self.handle) }),
            offer: Some(Offer {
                handle: &self.handle,
                day: &self.handle,
                by: Leaver::Previous,
                taken_by: Some(Taker { handle: &self.handle, commit: Some(&self.handle) }),
                handoff: Some(&self.handle),
                went_on: false,
                notepad: &self.notepad,
                n_todos: 1,
                todo: Some(&self.handle),
                older: &[],
                more: 0,
                last: Some(Last {
                    first: Some(&self.handle),
                    commit: Some(&self.handle),
                    uncommitted: &self.faults,
                    open: &self.faults,
                    stop: Some(&self.handle),
                    ..Last::default()
                }),
            }),
            ..empty(self.moment)
        }
    }
}

/// Whether a context says that its page is not shown whole.
fn is_cut(text: &str) -> bool {
    let says = |line: &str| {
        line.starts_with("[vade: the notepad is cut here") || line.contains("; read_notepad gives ")
    };
    text.lines().any(says)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn passes_the_cap(case in some_case(), seed in any::<bool>()) {
        let profile = if seed { Profile::Seed0 } else { Profile::Default };
        let material = Material { profile, ..case.material() };
        let context = compose(&material, &case.cap, &nonce()).expect("there is room for a header");
        prop_assert!(case.cap.measure(&context.text) <= case.cap.units);
        let again = compose(&material, &case.cap, &nonce());
        prop_assert_eq!(Some(&context), again.as_ref());
        let sealed = context.receipt.clone().map_or(Seal::Absent, Seal::Whole);
        prop_assert!(seed || seal(&context.text) == sealed);
    }

    #[test]
    fn leaves_out_in_silence(case in some_case()) {
        let material = case.material();
        let context = compose(&material, &case.cap, &nonce()).expect("there is room for a header");
        let is_last = |line: &str| case.moment != Moment::Prompt && line.ends_with(openers::GONE);
        let is_note = |line: &&str| line.starts_with("note_") && !is_last(line);
        let n_shown = context.text.lines().filter(is_note).count() as u64;
        let Some(notes) = context.block(BlockName::Notes) else { return Ok(()) };
        prop_assert_eq!(notes.shown, n_shown);
        let tail = context.block(BlockName::LeftOut).map_or("", |block| block.text.as_str());
        prop_assert_eq!(tail.contains("(list_notes limit="), n_shown < notes.of);
        let is_cut = is_cut(&context.text);
        prop_assert!(!tail.contains("(read_notepad)") || is_cut || !context.text.contains("## Session Notepad"));
    }

    #[test]
    fn shows_another_page_than_the_stored_one(case in some_case()) {
        let context = compose(&case.material(), &case.cap, &nonce());
        let context = context.expect("there is room for a header");
        let page = context.block(BlockName::Notepad).map_or("", |block| block.text.as_str());
        let shown = page.strip_prefix("## Session Notepad\n");
        let shown = shown.map(|shown| shown.strip_suffix("\n[vade: the notepad ends here]").unwrap_or(shown));
        let is_cut = is_cut(page);
        if let Some(shown) = shown.filter(|_| !is_cut && !crate::notepad::is_empty(&case.notepad)) {
            let read = frame::read(shown);
            prop_assert_eq!(read.as_deref(), Ok(case.notepad.as_str()));
        }
    }

    #[test]
    fn promises_more_of_the_page_than_it_shows(case in some_case()) {
        let took_over = Some("3bd8a3a9");
        let material = Material { faults: &[], handle: "752d4c1e", took_over, taken_by: None, ..case.material() };
        let promised = is_always_whole(&case.notepad, &case.cap);
        let context = compose(&material, &case.cap, &nonce()).expect("there is room for a header");
        prop_assert!(!promised || context.left_out().all(|(name, _)| name != BlockName::Notepad));
    }

    #[test]
    fn promises_a_summariser_more_than_comes_back(case in some_case()) {
        let outside = Outside::default();
        let material = Material {
            moment: Moment::Compact,
            outside,
            offer: None,
            faults: &[],
            handle: "752d4c1e",
            took_over: Some("3bd8a3a9"),
            taken_by: None,
            ..case.material()
        };
        let page = Page { profile: Profile::Default, scratchpad: None, content: &case.notepad, more: 0, is_put_back: true };
        let open = case.notes.iter().filter(|note| !note.is_scratched()).cloned().collect();
        let beside = Beside {
            recap: true,
            agents: !case.running.is_empty(),
            knowledge: false,
            notes: open,
            n_open_notes: material.n_open_notes,
        };
        let back = put_back(&page, &beside, &case.cap, &nonce());
        let Some(context) = compose(&material, &case.cap, &nonce()) else { return Ok(()) };
        for (name, back) in [(BlockName::Notepad, back.page), (BlockName::Notes, back.notes)] {
            let Some(block) = context.block(name) else { continue };
            let promised = match back {
                Back::Nothing => 0,
                Back::Whole => block.of,
                Back::First { shown, .. } => shown,
            };
            prop_assert!(promised <= block.shown, "{:?} {:?}", block, back);
        }
    }
}
