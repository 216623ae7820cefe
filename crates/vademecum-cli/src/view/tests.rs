//! Screens as people see them, and what each key does.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::draw::draw;
use super::keys::{self, Ask};
use super::pane::{List, Pane, Row, What};
use super::state::{Act, Effect, Place, State, Tab, beside};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

const NAME: &str = "claude-code:752d4c1e-0000-4000-8000-000000000001";

fn press(state: &mut State, code: KeyCode) -> Effect {
    state.update(KeyEvent::new(code, KeyModifiers::NONE))
}

fn keys(state: &mut State, text: &str) -> Effect {
    text.chars().fold(Effect::Nothing, |_, c| press(state, KeyCode::Char(c)))
}

fn row(cells: &[&str], what: What) -> Row {
    Row { cells: cells.iter().map(|cell| (*cell).to_owned()).collect(), what }
}

fn list(heads: &[&str], rows: Vec<Row>) -> Pane {
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    Pane::List(List { heads, rows, nothing: "nothing is here".to_owned(), ..List::default() })
}

fn session(state: &str, handle: &str, about: &str) -> Row {
    let what = What::Session { name: format!("claude-code:{handle}"), handle: handle.to_owned() };
    row(&[state, "11-26 16:40", handle, "", "2/7", about], what)
}

fn sessions() -> State {
    let mut state = State::new("demo".to_owned());
    let heads = ["STATE", "ACTIVE", "SESSION", "PROJECT", "NOTES", "ABOUT"];
    let long = "Make refunds idempotent: the worker swallows E_DUP, and 漢字 are wide, so that the line ends elsewhere than its characters do; ".repeat(2);
    let mut rows = vec![
        session("running", "752d4c1e", &long),
        session("ended", "01a2075b-8c40", "Write the docs"),
        session("killed", "99999999", ""),
    ];
    rows.extend((0..60).map(|n| session("ended", &format!("older-{n:02}"), "an older one")));
    state.show(list(&heads, rows));
    state
}

fn note(is_scratched: bool) -> Row {
    let mark = if is_scratched { "scratched" } else { "" };
    let text = "Retry maps E_DUP to Ok since worker.rs:88.".to_owned();
    let what = What::Note {
        session: NAME.to_owned(),
        id: "note_1734604200000".to_owned(),
        text: text.clone(),
        tags: vec!["bug".to_owned(), "queue".to_owned()],
        is_scratched,
    };
    row(&[mark, "11-26 16:40", "bug, queue", &text], what)
}

fn on(tab: Tab, pane: Pane) -> State {
    let mut state = sessions();
    let place = Place::Session { name: NAME.to_owned(), handle: "752d4c1e".to_owned(), tab };
    state.open_session(NAME.to_owned(), "752d4c1e".to_owned());
    state.top_mut().place = place;
    state.show(pane);
    state
}

fn notes() -> State {
    on(Tab::Notes, list(&["", "CHANGED", "TAGS", "NOTE"], vec![note(false), note(true)]))
}

fn timeline() -> State {
    let text = |text: &str| What::Text { title: "prompt".to_owned(), text: text.to_owned() };
    let compaction = What::Compaction {
        title: "compaction".to_owned(),
        summary: "The user wants refunds.".to_owned(),
        back: "+ ## Session Notepad\n+ - [ ] find the cause".to_owned(),
    };
    let agent = What::Session { name: "752d4c1e/a1".to_owned(), handle: "752d4c1e/a1".to_owned() };
    let rows = vec![
        row(&["11-26 16:38", "began", "by start"], text("by start")),
        row(
            &["11-26 16:39", "prompt", "Make refunds idempotent."],
            text("Make refunds\nidempotent."),
        ),
        row(&["11-26 16:40", "compaction", "The user wants refunds."], compaction),
        row(
            &["11-26 16:41", "context", "SessionStart: arrived whole, 479 characters"],
            text("vade: …"),
        ),
        row(&["11-26 16:42", "sub-agent", "752d4c1e/a1: Explore: Find callers"], agent),
    ];
    on(Tab::Timeline, list(&["WHEN", "WHAT", ""], rows))
}

fn drawn(state: &mut State, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| draw(state, frame)).expect("drawn");
    let lines = terminal.backend().to_string();
    lines.lines().map(|line| line.trim_matches('"').trim_end().to_owned() + "\n").collect()
}

#[track_caller]
fn check(name: &str, mut state: State) {
    for size in SIZES {
        let screen = drawn(&mut state, size);
        insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), screen);
    }
}

/// What a deed came to is told whole, over the last lines of the list.
#[test]
fn a_long_reply_is_shown() {
    let mut state = sessions();
    let reply = "forgot session 752d4c1e (11 writes emptied); What still says the same: 2 notes of session 0c70be50, entry_1763700000004; vade search finds them";
    state.say(reply, false);
    let screen = drawn(&mut state, (80, 12));
    let told: Vec<&str> = screen.lines().skip(9).collect();
    assert_eq!(
        told,
        [
            "forgot session 752d4c1e (11 writes emptied); What still says the same: 2 notes",
            "of session 0c70be50, entry_1763700000004; vade search finds them",
            "enter open  / search  a all  e edit  d dismiss  x forget  ? keys  q quit",
        ]
    );
    state.say(&"again and again ".repeat(40), false);
    assert!(drawn(&mut state, (80, 12)).lines().nth(10).is_some_and(|line| line.ends_with('…')));
}

#[test]
fn a_key_that_has_nothing_to_work_on_says_so() {
    for (mut state, key) in
        [(sessions(), "u"), (timeline(), "p"), (on(Tab::Plans, Pane::text(String::new())), "s")]
    {
        keys(&mut state, key);
        assert!(
            drawn(&mut state, (80, 12)).contains("nothing here for this key; ? shows the keys")
        );
    }
}

#[test]
fn screens_at_three_sizes() {
    check("sessions", sessions());
    let page = "# Plan\n- [x] find the cause\n- [ ] mend it\n\nThe worker swallows the error of a refund that was made twice, since the queue tells it of each refund as often as it is asked.";
    check("notepad", on(Tab::Notepad, Pane::text(page.to_owned())));
    check("notes", notes());
    check("timeline", timeline());
    let summary = "The user wants refunds to be idempotent. The agent edited refund.rs.".to_owned();
    let back = "(arrived whole)\n+ vade: session 752d4c1e\n+ - [ ] find the cause".to_owned();
    check("lost", on(Tab::Lost, beside(summary, back)));
    let mut help = sessions();
    keys(&mut help, "?");
    check("help", help);
    let mut search = sessions();
    keys(&mut search, "/E_DUP");
    search.show(list(&["WHAT", "WHEN", "SESSION", "PROJECT", ""], vec![note(false)]));
    check("search", search);
    let mut forget = notes();
    keys(&mut forget, "x");
    check("forget", forget);
    let mut empty = State::new("demo".to_owned());
    empty.show(list(&[], Vec::new()));
    empty.say("the store is busy", true);
    check("empty", empty);
}

#[test]
fn a_screen_of_any_size_is_drawn() {
    for width in [1, 2, 5, 20, 300] {
        for height in [1, 2, 3, 5, 120] {
            for mut state in [sessions(), notes(), timeline()] {
                drawn(&mut state, (width, height));
                press(&mut state, KeyCode::PageDown);
                drawn(&mut state, (width, height));
            }
        }
    }
}

#[test]
fn a_screen_has_no_colour_and_nothing_that_a_terminal_obeys() {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("a terminal");
    terminal.draw(|frame| draw(&mut notes(), frame)).expect("drawn");
    for cell in &terminal.backend().buffer().content {
        assert_eq!(
            (cell.fg, cell.bg),
            (ratatui::style::Color::Reset, ratatui::style::Color::Reset)
        );
        assert!(!cell.symbol().contains(char::is_control), "{:?}", cell.symbol());
    }
}

/// Where the person is after a key, what is to be done, and which row is chosen.
fn told(state: &State, effect: &Effect) -> String {
    let place = match &state.top().place {
        Place::Sessions => "sessions".to_owned(),
        Place::Session { handle, tab, .. } => format!("{handle} {}", tab.word()),
        Place::Plan(name) => format!("plan {name}"),
        Place::Search => format!("search {:?}", state.typed),
        Place::Reading(title) => format!("reading {title}"),
    };
    let at = match &state.top().pane {
        Pane::List(list) => format!(" row {}", list.cursor),
        Pane::Page(_, top) | Pane::Beside(_, top) => format!(" line {top}"),
    };
    let asked = if state.question.is_some() { " asked" } else { "" };
    let effect = match effect {
        Effect::Nothing => String::new(),
        Effect::Load => " loads".to_owned(),
        Effect::Quit => " quits".to_owned(),
        Effect::Act(act) => format!(" {act:?}").split(" {").next().unwrap_or_default().to_owned(),
    };
    format!("{place}{at}{asked}{effect}")
}

/// Every key once, on a list of sessions and on one of notes.
#[test]
fn each_key_does_what_the_help_says() {
    let mut said = String::new();
    for binding in keys::BINDINGS {
        let told = [sessions(), notes(), timeline()].map(|mut state| {
            drawn(&mut state, (80, 24));
            keys(&mut state, "jj");
            let effect = press(&mut state, binding.first());
            told(&state, &effect)
        });
        said = format!("{said}{:<14} {}\n", binding.shown, told.join(" | "));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn every_shown_key_has_a_binding_of_its_own() {
    for (idx, binding) in keys::BINDINGS.iter().enumerate() {
        let event = KeyEvent::new(binding.first(), KeyModifiers::NONE);
        let found = keys::ask(event).expect("a binding");
        assert_eq!(found, binding.ask, "{}", binding.shown);
        let others = keys::BINDINGS.iter().filter(|other| other.ask == binding.ask).count();
        assert_eq!(others, 1, "{idx}: {}", binding.does);
    }
    let control = KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL);
    assert_eq!(keys::ask(control), Some(Ask::PageDown));
}

#[test]
fn forgetting_is_asked_twice() {
    for (answers, expected) in [
        (
            "yy",
            Effect::Act(Act::ForgetNote {
                session: NAME.to_owned(),
                id: "note_1734604200000".to_owned(),
            }),
        ),
        ("yn", Effect::Nothing),
        ("n", Effect::Nothing),
        ("y", Effect::Nothing),
    ] {
        let mut state = notes();
        assert_eq!(keys(&mut state, "x"), Effect::Nothing);
        assert_eq!(keys(&mut state, answers), expected, "{answers}");
    }
    let mut state = sessions();
    keys(&mut state, "x");
    assert_eq!(
        keys(&mut state, "q"),
        Effect::Nothing,
        "a key that is no yes forgets nothing and does nothing else"
    );
}

#[test]
fn tags_are_typed_and_kept_by_enter() {
    let mut state = notes();
    keys(&mut state, "t");
    assert_eq!(state.answered, "bug, queue");
    keys(&mut state, ", q");
    let tags = ["bug", "queue", "q"].map(str::to_owned).to_vec();
    let (session, id) = (NAME.to_owned(), "note_1734604200000".to_owned());
    assert_eq!(press(&mut state, KeyCode::Enter), Effect::Act(Act::Tag { session, id, tags }));
}

#[test]
fn words_are_searched_for_as_they_are_typed_and_keys_are_keys_again_behind_enter() {
    let mut state = sessions();
    assert_eq!(keys(&mut state, "/q"), Effect::Load);
    assert_eq!((state.typed.as_str(), &state.top().place), ("q", &Place::Search));
    assert_eq!(press(&mut state, KeyCode::Backspace), Effect::Load);
    press(&mut state, KeyCode::Enter);
    assert_eq!(keys(&mut state, "q"), Effect::Quit);
}

#[test]
fn more_rows_are_asked_for_near_the_end_and_the_chosen_one_stays() {
    let mut state = sessions();
    let Pane::List(list) = &mut state.top_mut().pane else { unreachable!("a list") };
    list.has_more = true;
    assert_eq!(press(&mut state, KeyCode::Char('j')), Effect::Nothing);
    assert_eq!(press(&mut state, KeyCode::Char('G')), Effect::Load);
    assert_eq!(state.top().limit, 200);
    let before = state.clone();
    let Pane::List(list) = before.top().pane.clone() else { unreachable!("a list") };
    let rows = [vec![session("running", "newest", "")], list.rows.clone()].concat();
    state.show(Pane::List(List { rows, ..List::default() }));
    let Pane::List(now) = &state.top().pane else { unreachable!("a list") };
    assert_eq!(now.chosen(), list.chosen(), "a new session above moves nobody");
}
