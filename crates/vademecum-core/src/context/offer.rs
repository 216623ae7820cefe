//! The offer to a new session: what those before it left open.

use super::form::Form;

/// What a session left open.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// Its short name.
    pub handle: &'a str,
    /// The day on which it worked last, as people write it.
    pub day: &'a str,
    /// Who left it, seen from the new session.
    pub by: Leaver,
    /// The session that took it over, and does not account for it.
    pub taken_by: Option<Taker<'a>>,
    /// What its agent wrote for the next one.
    pub handoff: Option<&'a str>,
    /// Whether it went on for long after those words: what they call open may be done.
    pub went_on: bool,
    /// The text of its notepad.
    pub notepad: &'a str,
    /// How many of its open notes carry the tag `todo`.
    pub n_todos: u64,
    /// The newest of them.
    pub todo: Option<&'a str>,
    /// Where its transcript ends; none where nothing is known of it.
    pub last: Option<Last<'a>>,
    /// Earlier sessions that left work open as well, the newest first.
    pub older: &'a [Older<'a>],
    /// How many more did that are not among those.
    pub more: usize,
}

/// The session that took another's work over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taker<'a> {
    /// Its short name.
    pub handle: &'a str,
    /// The subject of its last commit.
    pub commit: Option<&'a str>,
}

/// Who left work open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaver {
    /// The session that worked last.
    Previous,
    /// One before it: those since then left nothing open.
    Earlier,
    /// The person, who left word at the command line.
    Person,
    /// Whoever wrote a word there that was imported, or that is another person's.
    Another,
}

/// An earlier session with open work, in a few words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Older<'a> {
    /// Its short name.
    pub handle: &'a str,
    /// The day on which it worked last.
    pub day: &'a str,
    /// What it left open.
    pub what: &'a str,
}

/// Where a session's transcript ends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Last<'a> {
    /// What the user asked for first, where that tells what it is about and was not asked last.
    pub first: Option<&'a str>,
    /// What the user asked for that tells what it is about.
    pub goal: Option<&'a str>,
    /// What the user asked for last.
    pub asked: Option<&'a str>,
    /// What the agent said last.
    pub next: Option<&'a str>,
    /// The command that fails.
    pub failing: Option<&'a str>,
    /// The subject of its last commit.
    pub commit: Option<&'a str>,
    /// The files that it changed and nobody committed.
    pub uncommitted: &'a [String],
    /// What is still to be done of the agent's own list.
    pub open: &'a [String],
    /// Whether that list is newer than the notepad: where they differ, it holds.
    pub is_list_newer: bool,
    /// How it stopped short of its end; none where the agent had the last word.
    pub stop: Option<&'a str>,
}

// What a quoted line may take, in units.
const QUOTE: usize = 160;
/// What the words that an agent left for the next one may take: nothing else of an offer is worth as much.
const WORDS: usize = 320;
const SHORT: usize = 100;

/// One thing that is open, how many more there are of its kind, and how many todo notes beside them.
struct Item<'a> {
    text: &'a str,
    more: usize,
    todos: usize,
}

impl Item<'_> {
    /// Says what is open behind the first thing.
    fn rest(&self) -> String {
        let todos =
            if self.todos == 1 { "1 todo note" } else { &format!("{} todo notes", self.todos) };
        match (self.more, self.todos) {
            (0, 0) => String::new(),
            (more, 0) => format!(" and {more} more"),
            (0, _) => format!(" and {todos}"),
            (more, _) => format!(", {more} more and {todos}"),
        }
    }
}

impl Offer<'_> {
    /// The words alone, beside a recap that tells the rest.
    pub(super) fn words_alone(self) -> Self {
        Self { notepad: "", n_todos: 0, todo: None, last: None, ..self }
    }

    /// Whether it left anything open: what came to its end is no offer.
    #[must_use]
    pub fn is_open(&self) -> bool {
        // Words that are older than the work behind them tell of nothing open, where that can be read.
        let is_word = self.handoff.is_some() && !(self.went_on && self.last.is_some());
        let stands = || self.last.is_some_and(|last| last.failing.is_some() || last.stop.is_some());
        let page = || Outline::of(self.notepad);
        is_word || stands() || self.item().is_some() || self.heading(&page()).is_some()
    }

    /// What is open in a few words, for a list; empty where nothing is.
    #[must_use]
    pub fn what(&self) -> String {
        let more = |item: Item<'_>| format!("{}{}", quoted(item.text), item.rest());
        let last = self.last.unwrap_or_default();
        let page = Outline::of(self.notepad);
        let words = self.handoff.map(|words| quoted(first_sentence(words)));
        let failing = || last.failing.map(|command| format!("failing: `{}`", one_line(command)));
        self.item()
            .map(more)
            .or(words)
            .or_else(failing)
            .or_else(|| last.stop.map(str::to_owned))
            .or_else(|| self.heading(&page).map(quoted))
            .unwrap_or_default()
    }

    /// How it stopped, where that was not its end.
    pub(super) fn how(&self) -> Option<&str> {
        self.last?.stop
    }

    /// The words: the agent's own for the next one first, else its last; and what it was asked.
    pub(super) fn said(&self, form: &Form) -> String {
        let last = self.last.unwrap_or_default();
        let words = match self.by {
            Leaver::Person | Leaver::Another => "It says",
            Leaver::Previous | Leaver::Earlier => "It left word",
        };
        let said = self.handoff.map(|text| outer_sentences(text, form));
        let words = said.map(|said| (words, said));
        let next = last.next.filter(|_| words.is_none());
        let next = next.map(|next| ("Last reply", form.line(next, QUOTE)));
        let quote = |(what, text): (&str, String)| {
            let stop = if text.ends_with(ENDS) { "" } else { "." };
            format!("{what}: \"{}\"{stop}", within(&text))
        };
        let parts = [words.map(quote), self.asked(form), next.map(quote)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Whether the words that were left are told as they are, with nothing left out.
    pub(super) fn is_told_whole(&self, form: &Form) -> bool {
        let is_whole = |words: &str| within(&outer_sentences(words, form)) == words.trim();
        self.handoff.is_some_and(is_whole)
    }

    /// What it was asked last, behind what it was asked first, else behind what it was about where the last is too
    /// short to tell.
    fn asked(&self, form: &Form) -> Option<String> {
        let last = self.last?;
        let newest = last.asked.or(last.goal)?;
        let is_short = newest.split_whitespace().count() < TELLING;
        let about = last.goal.filter(|goal| is_short && *goal != newest);
        let about = last.first.filter(|first| *first != newest).or(about);
        let about = about.map(|goal| format!("\"{}\", then ", within(&form.line(goal, QUOTE))));
        let stop = if newest.ends_with(ENDS) { "" } else { "." };
        let newest = within(&form.line(newest, QUOTE));
        Some(format!("It was asked: {}\"{newest}\"{stop}", about.unwrap_or_default()))
    }

    /// What fails, what it committed last and what is open.
    pub(super) fn state(&self, form: &Form) -> String {
        // What stood when another took the work over may have been mended by that one.
        let last = self.last.filter(|_| self.taken_by.is_none());
        let failing = last.and_then(|last| last.failing);
        let failing =
            failing.map(|command| format!("Failing then: `{}`.", form.line(command, SHORT)));
        let commit = last.and_then(|last| last.commit);
        let commit = commit
            .map(|subject| format!("Last commit: \"{}\".", within(&form.line(subject, SHORT))));
        let left = last.and_then(|last| uncommitted(last.uncommitted, form));
        let parts = failing.into_iter().chain(commit).chain(left).chain(self.open(form));
        let parts: Vec<_> = parts.collect();
        parts.join(" ")
    }

    /// The earlier ones, in one line; empty where there are none.
    pub(super) fn earlier(&self, form: &Form) -> String {
        let line = |older: &Older| {
            let handle = form.line(older.handle, SHORT);
            format!("{handle} ({}): {}", older.day, form.line(older.what, SHORT))
        };
        let lines: Vec<_> = self.older.iter().map(line).collect();
        match (self.n_older(), self.more) {
            (0, _) => String::new(),
            (n, 0) => format!("And {n} older: {}", lines.join("; ")),
            (n, more) => format!("And {n} older: {}; and {more} more", lines.join("; ")),
        }
    }

    /// How many earlier sessions left work open as well.
    pub(super) fn n_older(&self) -> usize {
        self.older.len() + self.more
    }

    /// What its notepad, its own list or its todo notes say is open; none where nothing is.
    fn open(&self, form: &Form) -> Option<String> {
        let page = Outline::of(self.notepad);
        let quote = |text: &str| format!("\"{}\"", within(&form.line(text, SHORT)));
        let is_stale = self.last.is_some_and(|last| last.is_list_newer && last.open.is_empty());
        let whose = if is_stale && page.first_open.is_some() {
            "Open by its notepad, which is older than its to-do list, all of it done"
        } else {
            "Open"
        };
        let item = self.item().map(|item| format!("{whose}: {}{}.", quote(item.text), item.rest()));
        let heading = || {
            self.heading(&page).map(|text| format!("Last heading of its notepad: {}.", quote(text)))
        };
        item.or_else(heading)
    }

    /// The first thing that is open, by its page, else its own list, else its todo notes.
    ///
    /// The agent's own list often says the same as its page: one of them is enough, the newer one.
    fn item(&self) -> Option<Item<'_>> {
        let page = Outline::of(self.notepad);
        let todos = usize::try_from(self.n_todos).unwrap_or(usize::MAX);
        let listed = self.last.map_or(&[][..], |last| last.open);
        let step = |text, n: usize| Item { text, more: n - 1, todos };
        let planned = || Some(step(listed.first()?, listed.len()));
        let noted = page.first_open.map(|text| step(text, page.n_open));
        let is_newer = self.last.is_some_and(|last| last.is_list_newer);
        let first = if is_newer { planned().or(noted) } else { noted.or_else(planned) };
        let todo = |text| Item { text, more: todos.saturating_sub(1), todos: 0 };
        first.or_else(|| self.todo.map(todo))
    }

    /// The last heading of a page without checklists, where nothing tells of an end.
    fn heading<'p>(&self, page: &Outline<'p>) -> Option<&'p str> {
        let is_finished = 0 < page.n_done || self.last.is_some_and(|last| last.stop.is_none());
        page.last_heading.filter(|_| page.n_open == 0 && (!is_finished || 0 < self.n_todos))
    }
}

/// The first of the files that it did not commit, and how many more there are: what others did since is not known.
fn uncommitted(files: &[String], form: &Form) -> Option<String> {
    let first = form.line(files.first()?, SHORT);
    Some(match files.len() - 1 {
        0 => format!("It did not commit {first}."),
        n => format!("It did not commit {first} and {n} more."),
    })
}

/// With what a sentence ends that needs no full stop behind it.
const ENDS: [char; 7] = ['.', '!', '?', '…', '。', '！', '？'];

/// How many words a request has that tells what it is about.
const TELLING: usize = 10;

/// A text as it stands between quotation marks: none of its own ends what is quoted.
fn within(text: &str) -> String {
    text.replace('"', "'")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", within(&one_line(text)))
}

fn one_line(text: &str) -> String {
    crate::frame::line(text, SHORT)
}

/// The first sentence of a text below its headings.
fn first_sentence(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line =
        lines().find(|line| heading(line).is_none()).or_else(|| lines().next()).unwrap_or("");
    let line = line.trim_start_matches(['-', '*', '>', ' ']);
    sentence_ends(line).next().map_or(line, |end| &line[..end])
}

/// The words of a text below its headings: all of them, else the first sentence and as many of the last as have room, for
/// the last one says what is next; else the first alone, as much of it as has.
fn outer_sentences(text: &str, form: &Form) -> String {
    let flat = flat(text);
    let fits = |text: &str| form.cap.measure(text) <= WORDS;
    if fits(&flat) {
        return form.line(&flat, WORDS);
    }
    let first = &flat[..sentence_ends(&flat).next().unwrap_or(flat.len())];
    let ended = |end: usize| format!("{first} …{}", &flat[end..]);
    let shortened = sentence_ends(&flat).skip(1).map(ended).find(|text| fits(text));
    let more = if first.len() < flat.len() { " …" } else { "" };
    form.line(&shortened.unwrap_or_else(|| format!("{first}{more}")), WORDS)
}

/// The lines of a text but its headings as one, items parted by semicolons.
fn flat(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut flat = String::new();
    for line in lines().filter(|line| heading(line).is_none()) {
        let is_end = flat.ends_with(['.', '!', '?', ':', ';', ',']);
        let gap = match item(line) {
            _ if flat.is_empty() => "",
            Some(_) if !is_end => "; ",
            Some(_) | None => " ",
        };
        flat.push_str(gap);
        flat.push_str(item(line).unwrap_or(line).trim_start_matches(['>', ' ']));
    }
    if flat.is_empty() { lines().next().unwrap_or("").to_owned() } else { flat }
}

/// Where sentences end that another word follows.
fn sentence_ends(line: &str) -> impl Iterator<Item = usize> {
    let ends = line.match_indices(['.', '!', '?']).map(|(at, mark)| at + mark.len());
    ends.filter(|end| line[*end..].starts_with(' '))
}

/// What a page shows of its state: checklists and headings outside code.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outline<'a> {
    n_open: usize,
    n_done: usize,
    first_open: Option<&'a str>,
    last_heading: Option<&'a str>,
}

impl<'a> Outline<'a> {
    fn of(page: &'a str) -> Self {
        let mut outline = Self::default();
        let mut in_code = false;
        for line in page.lines().map(str::trim) {
            if is_fence(line) {
                in_code = !in_code;
            } else if !in_code {
                outline.read(line);
            }
        }
        outline
    }

    fn read(&mut self, line: &'a str) {
        if let Some(item) = item(line) {
            if let Some(text) = item.strip_prefix("[ ]") {
                self.n_open += 1;
                self.first_open = self.first_open.or(Some(text.trim()));
            } else if item.starts_with("[x]") || item.starts_with("[X]") {
                self.n_done += 1;
            }
        } else if let Some(heading) = heading(line) {
            self.last_heading = Some(heading);
        }
    }
}

/// Whether a line begins or ends a block of code.
pub(super) fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// The text of a list item, behind its bullet or number.
pub(super) fn item(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        line[digits..].strip_prefix(['.', ')']).filter(|_| 0 < digits)
    });
    rest.filter(|rest| rest.starts_with(' ')).map(str::trim_start)
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::cap::{Cap, Unit};
    use crate::frame::Nonce;

    #[test]
    fn reads_checklists_and_headings() {
        let page = "# Goal\n- [x] one\n  * [ ] two\n3. [ ] three\n+ [X] four\n-[ ] no item\n## Findings ##\n#tag\n```\n- [ ] code\n# code\n```\n";
        let outline = Outline {
            n_open: 2,
            n_done: 2,
            first_open: Some("two"),
            last_heading: Some("Findings ##"),
        };
        assert_eq!(Outline::of(page), outline);
        assert_eq!(Outline::of(""), Outline::default());
    }

    #[test]
    fn quotes_the_sentences_that_have_room() {
        let long = format!("The parser reads {}.", "all of it ".repeat(30).trim_end());
        let nonce = Nonce::parse("00000000").expect("a mark");
        let form = Form { cap: Cap { units: usize::MAX, unit: Unit::Utf16 }, nonce: &nonce };
        for (text, said) in [
            ("", ""),
            ("one", "one"),
            (
                "# State\n\n- Parser v1.2 works. Next: docs.\nmore",
                "Parser v1.2 works. Next: docs. more",
            ),
            ("# State\n1. parser\n2. docs", "parser; docs"),
            ("# State", "# State"),
            (&format!("{long} And more."), &format!("{long} …")),
            (&format!("A. {long} {long}"), "A. …"),
            (&format!("A is done. {long} C too. Next: D."), "A is done. … C too. Next: D."),
        ] {
            assert_eq!(outer_sentences(text, &form), said);
        }
    }

    #[test]
    fn nothing_that_is_quoted_ends_its_quotation() {
        let said = "parser done\". The user asks: call it, \"now";
        let last = Last { asked: Some(said), failing: Some("x"), ..Last::default() };
        let offer = Offer {
            handle: "a1",
            day: "22 Nov",
            by: Leaver::Previous,
            taken_by: None,
            handoff: Some(said),
            went_on: false,
            notepad: "- [ ] say \"x\"",
            n_todos: 0,
            todo: None,
            last: Some(last),
            older: &[],
            more: 0,
        };
        let nonce = Nonce::parse("00000000").expect("a mark");
        let form = Form { cap: Cap { units: usize::MAX, unit: Unit::Utf16 }, nonce: &nonce };
        let inner = "parser done'. The user asks: call it, 'now";
        assert_eq!(
            offer.said(&form),
            format!("It left word: \"{inner}\". It was asked: \"{inner}\".")
        );
        assert_eq!(offer.state(&form), "Failing then: `x`. Open: \"say 'x'\".");
        assert_eq!(offer.what(), "\"say 'x'\"");
    }

    #[test]
    fn quotes_the_first_sentence() {
        for (text, sentence) in [
            ("", ""),
            ("one", "one"),
            ("# State\n\n- Parser v1.2 works. Next: docs.\nmore", "Parser v1.2 works."),
            ("# State", "# State"),
        ] {
            assert_eq!(first_sentence(text), sentence);
        }
    }
}
