//! The keys, once: what each does, by which they are read and which `?` shows.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    Open,
    Back,
    NextTab,
    PreviousTab,
    /// The tab with this number, from 0.
    Tab(usize),
    Search,
    AllProjects,
    Reload,
    Edit,
    Scratch,
    Tag,
    Promote,
    Undo,
    Dismiss,
    Forget,
    Help,
    Quit,
}

/// One line of the help: keys that do the same.
pub(super) struct Binding {
    keys: &'static [KeyCode],
    /// The same keys with Ctrl held.
    controlled: &'static [char],
    /// The keys as the help shows them.
    pub(super) shown: &'static str,
    /// What they ask for.
    pub(super) ask: Ask,
    /// What that does.
    pub(super) does: &'static str,
}

#[cfg(test)]
impl Binding {
    /// The first of its keys.
    pub(super) fn first(&self) -> KeyCode {
        self.keys[0]
    }
}

const fn binding(
    keys: &'static [KeyCode],
    shown: &'static str,
    ask: Ask,
    does: &'static str,
) -> Binding {
    Binding { keys, controlled: &[], shown, ask, does }
}

use KeyCode::{BackTab, Char, End, Enter, Esc, Home, Left, Right};

/// All keys, in the order in which the help shows them; those of lazygit and k9s where these have one.
pub(super) static BINDINGS: &[Binding] = &[
    binding(&[Char('j'), KeyCode::Down], "j ↓", Ask::Down, "down"),
    binding(&[Char('k'), KeyCode::Up], "k ↑", Ask::Up, "up"),
    Binding {
        controlled: &['d', 'f'],
        ..binding(&[KeyCode::PageDown, Char(' ')], "space PgDn ^d", Ask::PageDown, "a screen down")
    },
    Binding {
        controlled: &['u', 'b'],
        ..binding(&[KeyCode::PageUp], "PgUp ^u", Ask::PageUp, "a screen up")
    },
    binding(&[Char('g'), Home], "g Home", Ask::First, "to the first"),
    binding(&[Char('G'), End], "G End", Ask::Last, "to the last that is loaded"),
    binding(
        &[Enter, Char('l'), Right],
        "enter l →",
        Ask::Open,
        "open; of a compaction what it lost",
    ),
    binding(&[Esc, Char('h'), Left], "esc h ←", Ask::Back, "to the screen before"),
    binding(&[KeyCode::Tab], "tab", Ask::NextTab, "the next tab of a session"),
    binding(&[BackTab], "shift-tab", Ask::PreviousTab, "the tab before"),
    binding(&[Char('1')], "1", Ask::Tab(0), "its notepad"),
    binding(&[Char('2')], "2", Ask::Tab(1), "its notes"),
    binding(&[Char('3')], "3", Ask::Tab(2), "the plans of the project"),
    binding(&[Char('4')], "4", Ask::Tab(3), "its timeline"),
    binding(&[Char('5')], "5", Ask::Tab(4), "what its last compaction lost, and what came back"),
    binding(&[Char('/')], "/", Ask::Search, "search all of it, as you type"),
    binding(&[Char('a')], "a", Ask::AllProjects, "sessions of all projects, or of this one"),
    Binding { controlled: &['l'], ..binding(&[Char('r')], "r", Ask::Reload, "read again") },
    binding(&[Char('e')], "e", Ask::Edit, "edit the notepad, or a note, in $EDITOR"),
    binding(&[Char('s')], "s", Ask::Scratch, "cross a note out, or take that back"),
    binding(&[Char('t')], "t", Ask::Tag, "give a note other tags"),
    binding(&[Char('p')], "p", Ask::Promote, "copy a note to the project's plan"),
    binding(&[Char('u')], "u", Ask::Undo, "undo the last change of a note or the notepad"),
    binding(&[Char('d')], "d", Ask::Dismiss, "dismiss what a session left open"),
    binding(&[Char('x')], "x", Ask::Forget, "forget a note or a session for good; asks twice"),
    binding(&[Char('?')], "?", Ask::Help, "these keys"),
    Binding { controlled: &['c'], ..binding(&[Char('q')], "q ^c", Ask::Quit, "quit") },
];

/// What a key asks for where no text is typed; none for a key that does nothing.
pub(super) fn ask(key: KeyEvent) -> Option<Ask> {
    let is_controlled = key.modifiers.contains(KeyModifiers::CONTROL);
    let asks = |binding: &&Binding| match key.code {
        Char(c) if is_controlled => binding.controlled.contains(&c),
        code => binding.keys.contains(&code),
    };
    BINDINGS.iter().find(asks).map(|binding| binding.ask)
}

/// The help, one key a line.
pub(super) fn help() -> String {
    let lines = BINDINGS.iter().map(|it| format!("{:<14} {}", it.shown, it.does));
    lines.collect::<Vec<_>>().join("\n")
}
