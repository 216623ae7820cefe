//! Where the person is and what is typed; a key changes it and says what is to be done, and does nothing itself.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use vademecum::core::note::Tags;

use super::keys::{self, Ask};
use super::pane::{List, Pane, Row, What};

/// So many rows are loaded at first: more than a screen has.
pub(super) const SLICE: usize = 100;

/// So many rows are loaded at most: who has more searches.
const MOST: usize = 1_600;

/// So near the last loaded row more are asked for.
const NEAR: usize = 10;

/// Rows of a screen that are no list: title, tabs or heads, a line of talk, the keys.
pub(super) const FRAME: usize = 5;

/// What a screen is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The sessions.
    Sessions,
    /// One session, by its full name and handle.
    Session { name: String, handle: String, tab: Tab },
    /// The entries of a plan.
    Plan(String),
    /// What was found.
    Search,
    /// A text with its title, which nothing changes.
    Reading(String),
}

/// What is shown of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Notepad,
    Notes,
    Plans,
    Timeline,
    Lost,
}

impl Tab {
    /// All of them, in the order of their numbers.
    pub(super) const ALL: [Self; 5] =
        [Self::Notepad, Self::Notes, Self::Plans, Self::Timeline, Self::Lost];

    /// Its word on the screen.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Notepad => "notepad",
            Self::Notes => "notes",
            Self::Plans => "plans",
            Self::Timeline => "timeline",
            Self::Lost => "lost",
        }
    }

    fn after(self, by: usize) -> Self {
        let at = Self::ALL.iter().position(|tab| *tab == self).unwrap_or(0);
        Self::ALL[(at + by) % Self::ALL.len()]
    }
}

/// One screen above another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) place: Place,
    pub(super) pane: Pane,
    /// So many rows are to be loaded.
    pub(super) limit: usize,
    /// Whether anything was written since it was loaded.
    is_stale: bool,
}

impl Layer {
    fn new(place: Place) -> Self {
        Self { place, pane: Pane::List(List::default()), limit: SLICE, is_stale: true }
    }
}

/// What is asked of the person before anything is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// Other tags for a note.
    Tags { session: String, id: String },
    /// Whether something is to be forgotten; asked a second time where it was said once.
    Forget { act: Act, label: String, is_second: bool },
}

/// Something that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    EditNotepad { session: String },
    EditNote { session: String, id: String },
    Scratch { session: String, id: String, is_scratched: bool },
    Tag { session: String, id: String, tags: Vec<String> },
    Promote { session: String, id: String },
    UndoNotepad { session: String },
    UndoNote { session: String, id: String },
    Dismiss { session: String },
    ForgetNote { session: String, id: String },
    ForgetSession { session: String },
}

/// What is to be done after a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing but drawing.
    Nothing,
    /// Load what the top screen shows.
    Load,
    /// Write something, then load.
    Act(Act),
    /// End.
    Quit,
}

/// Everything that a screen is drawn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    /// The name of the project.
    pub(super) project: String,
    /// Whether sessions of all projects are shown.
    pub(super) is_all: bool,
    /// The screens, the one that is seen last; never none.
    pub(super) layers: Vec<Layer>,
    /// What the last deed came to, and whether it failed.
    pub(super) said: Option<(String, bool)>,
    /// What is asked.
    pub(super) question: Option<Question>,
    /// The words to search for.
    pub(super) typed: String,
    /// The answer to a question, as far as it is typed.
    pub(super) answered: String,
    /// Whether words to search for are typed.
    pub(super) is_typing: bool,
    /// How many rows of a list a screen has.
    pub(super) height: usize,
}

impl State {
    pub(super) fn new(project: String) -> Self {
        Self {
            project,
            is_all: false,
            layers: vec![Layer::new(Place::Sessions)],
            said: None,
            question: None,
            typed: String::new(),
            answered: String::new(),
            is_typing: false,
            height: 19,
        }
    }

    /// Shows a session above the list of them.
    pub(super) fn open_session(&mut self, name: String, handle: String) {
        self.layers.push(Layer::new(Place::Session { name, handle, tab: Tab::Notepad }));
    }

    /// The screen that is seen.
    pub(super) fn top(&self) -> &Layer {
        self.layers.last().expect("there is always one")
    }

    pub(super) fn top_mut(&mut self) -> &mut Layer {
        self.layers.last_mut().expect("there is always one")
    }

    /// Takes in what was loaded for the top screen.
    pub(super) fn show(&mut self, pane: Pane) {
        let top = self.top_mut();
        top.pane = pane.staying(&top.pane);
        top.is_stale = false;
    }

    /// Notes that something was written: every screen is loaded again when it is seen next.
    pub(super) fn spoil(&mut self) {
        self.layers.iter_mut().for_each(|layer| layer.is_stale = true);
    }

    /// Says what is being loaded, where nothing of it is there yet.
    pub(super) fn begin_load(&mut self) {
        if let Pane::List(list) = &mut self.top_mut().pane
            && list.rows.is_empty()
        {
            "reading …".clone_into(&mut list.nothing);
        }
    }

    /// Says what a deed came to.
    pub(super) fn say(&mut self, text: &str, is_bad: bool) {
        self.said = Some((super::text::line(text), is_bad));
    }

    /// Changes by a key, and says what is to be done.
    pub(super) fn update(&mut self, key: KeyEvent) -> Effect {
        self.said = None;
        let is_stop =
            key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c');
        if is_stop {
            return Effect::Quit;
        }
        if self.question.is_some() {
            return self.answer(key);
        }
        if self.is_typing && self.types(key) {
            return Effect::Load;
        }
        if self.is_typing {
            return self.ends_typing(key);
        }
        keys::ask(key).map_or(Effect::Nothing, |ask| self.asked(ask))
    }

    /// Takes a character of the words to search for; false for a key that is none.
    fn types(&mut self, key: KeyEvent) -> bool {
        let is_controlled = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if is_controlled => self.typed.clear(),
            KeyCode::Char(c) if !is_controlled => self.typed.push(c),
            KeyCode::Backspace => drop(self.typed.pop()),
            _ => return false,
        }
        self.top_mut().limit = SLICE;
        true
    }

    fn ends_typing(&mut self, key: KeyEvent) -> Effect {
        match key.code {
            KeyCode::Esc => {
                self.is_typing = false;
                self.back()
            }
            KeyCode::Enter | KeyCode::Down | KeyCode::Tab => {
                self.is_typing = false;
                Effect::Nothing
            }
            _ => Effect::Nothing,
        }
    }

    fn asked(&mut self, ask: Ask) -> Effect {
        let screen = isize::try_from(self.height.max(2) - 1).unwrap_or(isize::MAX);
        match ask {
            Ask::Down => self.go(1),
            Ask::Up => self.go(-1),
            Ask::PageDown => self.go(screen),
            Ask::PageUp => self.go(-screen),
            Ask::First => self.go(isize::MIN),
            Ask::Last => self.go(isize::MAX),
            Ask::Open => self.open(),
            Ask::Back => self.back(),
            Ask::NextTab => self.turn(|tab| tab.after(1)),
            Ask::PreviousTab => self.turn(|tab| tab.after(Tab::ALL.len() - 1)),
            Ask::Tab(number) => self.turn(|_| Tab::ALL[number]),
            Ask::Search => self.search(),
            Ask::AllProjects => self.switch_all(),
            Ask::Reload => Effect::Load,
            Ask::Help => self.read("keys", Pane::text(keys::help())),
            Ask::Quit => Effect::Quit,
            Ask::Edit
            | Ask::Scratch
            | Ask::Tag
            | Ask::Promote
            | Ask::Undo
            | Ask::Dismiss
            | Ask::Forget => self.deed(ask),
        }
    }

    fn go(&mut self, by: isize) -> Effect {
        let seen = self.height + 1;
        let top = self.top_mut();
        top.pane.go(by, seen.max(4));
        let Pane::List(list) = &top.pane else { return Effect::Nothing };
        let is_near = list.rows.len() <= list.cursor + NEAR;
        if 0 < by && is_near && list.has_more && top.limit < MOST {
            top.limit *= 2;
            return Effect::Load;
        }
        Effect::Nothing
    }

    /// Puts a screen above the others.
    fn push(&mut self, place: Place) -> Effect {
        self.layers.push(Layer::new(place));
        Effect::Load
    }

    /// Shows a text that is there already.
    fn read(&mut self, title: &str, pane: Pane) -> Effect {
        let place = Place::Reading(title.to_owned());
        self.layers.push(Layer { pane, ..Layer::new(place) });
        Effect::Nothing
    }

    fn open(&mut self) -> Effect {
        let Some(what) = self.chosen().map(|row| row.what.clone()) else { return Effect::Nothing };
        match what {
            What::Session { name, handle } => {
                self.push(Place::Session { name, handle, tab: Tab::Notepad })
            }
            What::Plan(name) => self.push(Place::Plan(name)),
            What::Note { id, text, tags, .. } => {
                let text = format!("{text}\n\n[{}]", tags.join(", "));
                self.read(&id, Pane::text(text))
            }
            What::Text { title, text } => self.read(&title, Pane::text(text)),
            What::Compaction { title, summary, back } => {
                let pane = beside(summary, back);
                self.read(&title, pane)
            }
            What::Nothing => Effect::Nothing,
        }
    }

    fn back(&mut self) -> Effect {
        if 1 < self.layers.len() {
            self.layers.pop();
            return if self.top().is_stale { Effect::Load } else { Effect::Nothing };
        }
        Effect::Nothing
    }

    /// Shows another tab of the session; elsewhere the key does nothing.
    fn turn(&mut self, to: impl Fn(Tab) -> Tab) -> Effect {
        let top = self.top_mut();
        let Place::Session { name, handle, tab } = &top.place else { return Effect::Nothing };
        let (name, handle, tab) = (name.clone(), handle.clone(), to(*tab));
        *top = Layer::new(Place::Session { name, handle, tab });
        Effect::Load
    }

    fn search(&mut self) -> Effect {
        self.is_typing = true;
        if self.top().place == Place::Search {
            return Effect::Nothing;
        }
        self.typed.clear();
        self.push(Place::Search)
    }

    fn switch_all(&mut self) -> Effect {
        self.is_all = !self.is_all;
        self.spoil();
        let top = self.top_mut();
        let is_list = matches!(top.place, Place::Sessions | Place::Search);
        if is_list {
            top.limit = SLICE;
            return Effect::Load;
        }
        Effect::Nothing
    }

    /// The row that is chosen on the screen.
    fn chosen(&self) -> Option<&Row> {
        match &self.top().pane {
            Pane::List(list) => list.chosen(),
            Pane::Page(..) | Pane::Beside(..) => None,
        }
    }

    /// The session that the screen is about, or that is chosen on it.
    fn session(&self) -> Option<(String, String)> {
        if let Some(What::Session { name, handle }) = self.chosen().map(|row| &row.what) {
            return Some((name.clone(), handle.clone()));
        }
        match &self.top().place {
            Place::Session { name, handle, .. } => Some((name.clone(), handle.clone())),
            Place::Sessions | Place::Plan(_) | Place::Search | Place::Reading(_) => None,
        }
    }

    /// Begins what writes: at once, or with a question before it.
    fn deed(&mut self, ask: Ask) -> Effect {
        if let Some(What::Note { session, id, tags, is_scratched, text }) =
            self.chosen().map(|row| row.what.clone())
        {
            let is_scratched = !is_scratched;
            return match ask {
                Ask::Edit => Effect::Act(Act::EditNote { session, id }),
                Ask::Scratch => Effect::Act(Act::Scratch { session, id, is_scratched }),
                Ask::Promote => Effect::Act(Act::Promote { session, id }),
                Ask::Undo => Effect::Act(Act::UndoNote { session, id }),
                Ask::Tag => {
                    let own = tags.into_iter().filter(|tag| tag != Tags::UNTAGGED);
                    self.answered = own.collect::<Vec<_>>().join(", ");
                    self.question = Some(Question::Tags { session, id });
                    Effect::Nothing
                }
                Ask::Forget => {
                    let label = format!("note \"{}\"", super::text::fitted(&text, 30).trim_end());
                    self.forgets(Act::ForgetNote { session, id }, label)
                }
                _ => self.has_nothing(),
            };
        }
        let Some((session, handle)) = self.session() else { return self.has_nothing() };
        match ask {
            Ask::Edit => Effect::Act(Act::EditNotepad { session }),
            Ask::Undo if self.is_on(Tab::Notepad) => Effect::Act(Act::UndoNotepad { session }),
            Ask::Dismiss => Effect::Act(Act::Dismiss { session }),
            Ask::Forget => {
                let label = format!("session {handle} with its notepad and notes");
                self.forgets(Act::ForgetSession { session }, label)
            }
            _ => self.has_nothing(),
        }
    }

    /// Says that a key has nothing to work on.
    fn has_nothing(&mut self) -> Effect {
        self.say("nothing here for this key; ? shows the keys", false);
        Effect::Nothing
    }

    fn is_on(&self, wanted: Tab) -> bool {
        matches!(&self.top().place, Place::Session { tab, .. } if *tab == wanted)
    }

    fn forgets(&mut self, act: Act, label: String) -> Effect {
        self.question = Some(Question::Forget { act, label, is_second: false });
        Effect::Nothing
    }

    /// Takes the answer to a question; every other key than yes ends one.
    fn answer(&mut self, key: KeyEvent) -> Effect {
        match (self.question.take(), key.code) {
            (Some(Question::Tags { session, id }), code) => self.answer_tags(session, id, code),
            (Some(Question::Forget { act, label, is_second }), KeyCode::Char('y')) => {
                if is_second {
                    return Effect::Act(act);
                }
                self.question = Some(Question::Forget { act, label, is_second: true });
                Effect::Nothing
            }
            (Some(Question::Forget { .. }), _) => {
                self.say("nothing was forgotten", false);
                Effect::Nothing
            }
            (None, _) => Effect::Nothing,
        }
    }

    fn answer_tags(&mut self, session: String, id: String, code: KeyCode) -> Effect {
        match code {
            KeyCode::Esc => return Effect::Nothing,
            KeyCode::Enter => {
                let tags = self.answered.split([',', ' ']).filter(|tag| !tag.is_empty());
                let tags = tags.map(str::to_owned).collect();
                return Effect::Act(Act::Tag { session, id, tags });
            }
            KeyCode::Backspace => drop(self.answered.pop()),
            KeyCode::Char(c) => self.answered.push(c),
            _ => {}
        }
        self.question = Some(Question::Tags { session, id });
        Effect::Nothing
    }
}

/// The summary beside what came back.
pub(super) fn beside(summary: String, back: String) -> Pane {
    use super::pane::Page;
    let left = ("the harness's summary".to_owned(), Page::new(summary));
    let right = ("what came back beside it; + is not in the summary".to_owned(), Page::new(back));
    Pane::Beside([left, right], 0)
}
