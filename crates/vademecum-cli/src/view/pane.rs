//! What fills a screen: a list with a cursor, a text, or two texts beside each other.

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Row {
    /// What each column shows, on one line.
    pub(super) cells: Vec<String>,
    /// What stands behind it.
    pub(super) what: What,
}

/// What stands behind a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum What {
    /// A session, by its full name and its handle.
    Session { name: String, handle: String },
    /// A note of a session.
    Note { session: String, id: String, text: String, tags: Vec<String>, is_scratched: bool },
    /// A plan of the project.
    Plan(String),
    /// A text with its title.
    Text { title: String, text: String },
    /// A compaction: the summary, and what came back beside it.
    Compaction { title: String, summary: String, back: String },
    /// Nothing more than is seen.
    #[default]
    Nothing,
}

/// A list, of which as many rows are loaded as were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct List {
    /// What stands above the columns.
    pub(super) heads: Vec<String>,
    /// The rows that are loaded.
    pub(super) rows: Vec<Row>,
    /// Which of them is chosen.
    pub(super) cursor: usize,
    /// The first row on the screen.
    pub(super) top: usize,
    /// How many rows there are in all; none where that is not known.
    pub(super) total: Option<u64>,
    /// Whether there are more than are loaded.
    pub(super) has_more: bool,
    /// Whether who stands on the last row goes on to what comes behind it.
    pub(super) is_followed: bool,
    /// What is said where there is no row.
    pub(super) nothing: String,
}

impl List {
    /// The row that is chosen.
    pub(super) fn chosen(&self) -> Option<&Row> {
        self.rows.get(self.cursor)
    }

    /// Chooses another row, so many further; never beyond the ends.
    pub(super) fn go(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    /// Moves the window so that the chosen row is in it.
    pub(super) fn show(&mut self, height: usize) {
        let height = height.max(1);
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(height));
    }

    /// Stays where `before` was: at the same thing, else at the same place.
    fn stay(&mut self, before: &Self) {
        let is_same =
            |row: &Row| before.chosen().is_some_and(|chosen| row.what.is_same(&chosen.what));
        let last = self.rows.len().saturating_sub(1);
        let is_at_end = before.cursor + 1 == before.rows.len();
        let same = if self.is_followed && is_at_end {
            Some(last)
        } else {
            self.rows.iter().position(is_same)
        };
        self.cursor = same.unwrap_or(before.cursor).min(last);
        self.top = before.top;
    }
}

impl What {
    /// Whether both are the same thing, whatever it says by now.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Session { name, .. }, Self::Session { name: other, .. }) => name == other,
            (Self::Note { id, session, .. }, Self::Note { id: other, session: of, .. }) => {
                id == other && session == of
            }
            (Self::Nothing, _) => false,
            (one, other) => one == other,
        }
    }
}

/// A text that is scrolled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Page {
    /// The text, with nothing in it that a terminal would obey.
    pub(super) text: String,
    /// Its lines at the width of the screen.
    pub(super) lines: Vec<String>,
    width: usize,
}

impl Page {
    pub(super) fn new(text: String) -> Self {
        Self { text, lines: Vec::new(), width: 0 }
    }

    /// Breaks the lines for a screen of this width.
    pub(super) fn wrap(&mut self, width: usize) {
        if self.width != width {
            (self.lines, self.width) = (super::text::wrapped(&self.text, width), width);
        }
    }
}

/// What fills a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pane {
    /// A list.
    List(List),
    /// A text, and its first line on the screen.
    Page(Page, usize),
    /// Two texts with their titles, scrolled together.
    Beside([(String, Page); 2], usize),
}

impl Pane {
    pub(super) fn text(text: String) -> Self {
        Self::Page(Page::new(text), 0)
    }

    /// The same at the place where `before` was.
    pub(super) fn staying(mut self, before: &Self) -> Self {
        match (&mut self, before) {
            (Self::List(list), Self::List(before)) if !before.rows.is_empty() => list.stay(before),
            (Self::Page(_, top), Self::Page(_, before))
            | (Self::Beside(_, top), Self::Beside(_, before)) => *top = *before,
            _ => {}
        }
        self
    }

    /// Moves so many rows or lines; a text of which `height` lines are seen is seen to its end and no further.
    pub(super) fn go(&mut self, by: isize, height: usize) {
        match self {
            Self::List(list) => list.go(by),
            Self::Page(page, top) => {
                *top = top.saturating_add_signed(by).min(page.lines.len().saturating_sub(height));
            }
            Self::Beside(both, top) => {
                let most = both.iter().map(|(_, page)| page.lines.len()).max().unwrap_or(0);
                // Below each other each of the two has half of the screen, and a title.
                *top = top.saturating_add_signed(by).min(most.saturating_sub(height / 2 - 1));
            }
        }
    }
}
