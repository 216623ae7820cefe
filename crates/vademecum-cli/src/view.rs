//! The viewer: what the sessions of a project keep, live, on a terminal.
//!
//! A state is changed by keys and drawn; operations alone read and write. Hooks and servers never come here.

mod acts;
mod draw;
mod keys;
mod memory;
mod pane;
mod plain;
mod state;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::Context;
use crossterm::event::{self, Event, KeyEventKind};
use vademecum::Patience;
use vademecum::ops::OpError;
use vademecum::world;

use memory::Memory;
use state::{Act, Effect, Place, State};
use terminal::{Screen, Waited};

use crate::cli::exit::Failure;
use crate::cli::globals::Globals;
use crate::cli::setup::Setup;

/// So often it is looked whether others wrote.
const LOOK: Duration = Duration::from_millis(250);

/// Whether a person sits before it: both ends of the program are a terminal.
pub(crate) fn is_seen() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows what is kept until the person quits.
pub(crate) fn run(setup: &Setup, globals: &Globals, is_plain: bool) -> Result<(), Failure> {
    let is_plain = is_plain || world::var("TERM").is_some_and(|term| term == "dumb");
    if !is_seen() && !is_plain {
        return Err(OpError::usage("the viewer needs a terminal")
            .hint("vade view --plain reads lines and writes lines; vade --help lists the commands")
            .into());
    }
    let config = setup.config()?;
    let address = setup.store_address(config, globals)?;
    address.tell(&setup.world);
    let store = vademecum::open(&address, &setup.world, Patience::Command);
    let mut memory = Memory::new(setup, globals, config, &store);
    let mut state = State::new(memory.project()?);
    if let Some(name) = &globals.session {
        let (name, handle) = (name.clone(), memory::handle_of(name));
        state.open_session(name, handle);
    }
    let shown = if is_plain { plain::run(&memory, state) } else { on_screen(&mut memory, state) };
    Ok(shown.context("the terminal cannot be used")?)
}

fn on_screen(memory: &mut Memory<'_>, mut state: State) -> io::Result<()> {
    let mut screen = Screen::take()?;
    memory.has_changed();
    load(memory, &mut state);
    while !screen.is_ended() {
        screen.terminal.draw(|frame| draw::draw(&mut state, frame))?;
        match next(memory, &mut state)? {
            Effect::Nothing => {}
            Effect::Load => {
                // The key is answered at once, what it asks for when it is read.
                state.begin_load();
                screen.terminal.draw(|frame| draw::draw(&mut state, frame))?;
                load(memory, &mut state);
            }
            Effect::Act(act) => act_on(&mut screen, memory, &mut state, &act)?,
            Effect::Quit => return Ok(()),
        }
    }
    Ok(())
}

/// What the next key asks for; without one, whether others wrote.
fn next(memory: &mut Memory<'_>, state: &mut State) -> io::Result<Effect> {
    // Keys that were read together with the last one wait in no terminal.
    let waited = match terminal::wait(Duration::ZERO)? {
        Waited::Nothing if !event::poll(Duration::ZERO)? => terminal::wait(LOOK)?,
        Waited::Nothing => Waited::Typed,
        waited => waited,
    };
    match waited {
        Waited::Gone => Ok(Effect::Quit),
        Waited::Nothing => Ok(follow(memory, state)),
        Waited::Typed if event::poll(Duration::ZERO)? => Ok(match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => state.update(key),
            _ => Effect::Nothing,
        }),
        Waited::Typed => Ok(Effect::Nothing),
    }
}

/// Loads again what others wrote since.
fn follow(memory: &mut Memory<'_>, state: &mut State) -> Effect {
    if !memory.has_changed() && !memory.has_grown(&state.top().place) {
        return Effect::Nothing;
    }
    state.spoil();
    match state.top().place {
        Place::Reading(_) => Effect::Nothing,
        Place::Sessions | Place::Session { .. } | Place::Plan(_) | Place::Search => Effect::Load,
    }
}

fn act_on(
    screen: &mut Screen,
    memory: &mut Memory<'_>,
    state: &mut State,
    act: &Act,
) -> io::Result<()> {
    let ((text, is_bad), back) =
        if act.is_edit() { screen.lend(|| deed(memory, act)) } else { (deed(memory, act), Ok(())) };
    // What became of an edit is told also where nothing can be drawn any more.
    back.map_err(|error| io::Error::new(error.kind(), format!("{text} ({error})")))?;
    // What it wrote itself is shown now and is no news.
    memory.has_changed();
    state.spoil();
    load(memory, state);
    state.say(&text, is_bad);
    Ok(())
}

/// Does it; what came of it, and whether that is a failure.
fn deed(memory: &Memory<'_>, act: &Act) -> (String, bool) {
    match acts::perform(memory, act) {
        Ok(text) => (text.trim_end().replace('\n', "; "), false),
        Err(failure) => (said(failure), true),
    }
}

/// Loads what the top screen shows; what cannot be had is said, and what was there stays.
fn load(memory: &Memory<'_>, state: &mut State) {
    match memory.load(state) {
        Ok(pane) => state.show(pane),
        Err(error) => state.say(&said(Failure::Op(error)), true),
    }
}

fn said(failure: Failure) -> String {
    match failure {
        Failure::Op(error) => match error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message,
        },
        Failure::Unexpected(error) => format!("{error:#}"),
        Failure::Found(reply) | Failure::Differs(reply) => reply.text,
    }
}
