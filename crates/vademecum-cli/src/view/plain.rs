//! The same without a screen: numbered lines and a prompt, for screen readers and terminals that can no more.

use std::io::{self, BufRead, Write as _};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::pane::{List, Pane};
use super::state::{Effect, Place, Question, State};
use super::text::clean;
use super::{Memory, deed, load};

/// So many rows are told at once.
const ROWS: usize = 20;

/// Tells a screen, asks, and goes on until the person quits or nothing more is typed.
pub(super) fn run(memory: &Memory<'_>, mut state: State) -> io::Result<()> {
    load(memory, &mut state);
    let mut input = io::stdin().lock();
    loop {
        tell(&state)?;
        let mut typed = Vec::new();
        if input.read_until(b'\n', &mut typed)? == 0 {
            return Ok(());
        }
        let typed = String::from_utf8_lossy(&typed);
        // Others may have written while the person read.
        state.spoil();
        for effect in effects(&mut state, typed.trim()) {
            match effect {
                Effect::Quit => return Ok(()),
                Effect::Nothing => {}
                Effect::Load => load(memory, &mut state),
                Effect::Act(act) => {
                    let done = deed(memory, &act);
                    load(memory, &mut state);
                    state.say(&done.0, done.1);
                }
            }
        }
    }
}

/// What was typed as keys: a number opens its line, `/` searches, a letter is the key.
fn effects(state: &mut State, typed: &str) -> Vec<Effect> {
    if matches!(state.question, Some(Question::Tags { .. })) {
        typed.clone_into(&mut state.answered);
        return vec![state.update(key(KeyCode::Enter))];
    }
    if let Some(words) = typed.strip_prefix('/') {
        let begun = state.update(key(KeyCode::Char('/')));
        words.trim().clone_into(&mut state.typed);
        state.is_typing = false;
        return vec![begun, Effect::Load];
    }
    if let Ok(number) = typed.parse::<usize>() {
        return vec![choose(state, number)];
    }
    let mut letters = typed.chars();
    match (letters.next(), letters.as_str()) {
        (None, _) => vec![further(state)],
        (Some('t'), rest) if rest.parse::<u32>().is_ok() => {
            vec![state.update(key(KeyCode::Char(rest.chars().next().unwrap_or('1'))))]
        }
        (Some('b'), "") => vec![state.update(key(KeyCode::Esc))],
        (Some(letter), "") => vec![state.update(key(KeyCode::Char(letter)))],
        (Some(letter), number) => {
            let Ok(number) = number.trim().parse::<usize>() else {
                state.say("a number, a letter, or / and words", true);
                return Vec::new();
            };
            // The deed is about the line with this number.
            if go_to(state, number) {
                vec![state.update(key(KeyCode::Char(letter)))]
            } else {
                Vec::new()
            }
        }
    }
}

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

fn go_to(state: &mut State, number: usize) -> bool {
    let Pane::List(list) = &mut state.top_mut().pane else { return false };
    let is_there = (1..=list.rows.len()).contains(&number);
    if is_there {
        list.cursor = number - 1;
    } else {
        let most = list.rows.len();
        state.say(&format!("there is no line {number}: 1 to {most}"), true);
    }
    is_there
}

fn choose(state: &mut State, number: usize) -> Effect {
    if go_to(state, number) { state.update(key(KeyCode::Enter)) } else { Effect::Nothing }
}

/// An empty line tells the lines that follow.
fn further(state: &mut State) -> Effect {
    let Pane::List(list) = &mut state.top_mut().pane else { return Effect::Nothing };
    let next = list.top + ROWS;
    list.top = if next < list.rows.len() { next } else { 0 };
    Effect::Nothing
}

fn tell(state: &State) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "\n{}", clean(&title(state)))?;
    tell_pane(&mut out, state)?;
    if let Some((text, is_bad)) = &state.said {
        writeln!(out, "{}{text}", if *is_bad { "failed: " } else { "" })?;
    }
    match &state.question {
        Some(Question::Tags { .. }) => write!(out, "new tags, with commas: ")?,
        Some(Question::Forget { label, is_second: false, .. }) => {
            write!(out, "forget {label}? y or n: ")?;
        }
        Some(Question::Forget { .. }) => write!(out, "nothing brings it back. Sure? y or n: ")?,
        None => {
            write!(out, "number opens, t1 to t5 tab, /words search, b before, ? keys, q quit: ")?;
        }
    }
    out.flush()
}

fn title(state: &State) -> String {
    let of = if state.is_all { "all projects" } else { &state.project };
    let what = match &state.top().place {
        Place::Sessions => "sessions".to_owned(),
        Place::Session { handle, tab, .. } => format!("session {handle}, {}", tab.word()),
        Place::Plan(name) => format!("plan {name}"),
        Place::Search => format!("search: {}", state.typed),
        Place::Reading(title) => title.clone(),
    };
    format!("{of}, {what}")
}

fn tell_pane(out: &mut impl io::Write, state: &State) -> io::Result<()> {
    match &state.top().pane {
        Pane::List(list) if list.rows.is_empty() => writeln!(out, "{}", list.nothing),
        Pane::List(list) => tell_list(out, list),
        Pane::Page(page, _) => {
            writeln!(out, "{}", page.text)?;
            if state.top().place == Place::Reading("keys".to_owned()) {
                writeln!(out, "\nA key and the number of a line is about that line: s2")?;
            }
            Ok(())
        }
        Pane::Beside(both, _) => {
            both.iter().try_for_each(|(title, page)| writeln!(out, "{title}:\n{}", page.text))
        }
    }
}

fn tell_list(out: &mut impl io::Write, list: &List) -> io::Result<()> {
    for (idx, row) in list.rows.iter().enumerate().skip(list.top).take(ROWS) {
        let cells = row.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty());
        writeln!(out, "{}. {}", idx + 1, cells.collect::<Vec<_>>().join(", "))?;
    }
    if list.top + ROWS < list.rows.len() {
        writeln!(out, "(an empty line tells those behind {})", list.top + ROWS)?;
    }
    Ok(())
}
