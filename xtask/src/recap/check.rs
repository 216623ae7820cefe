//! Holds what recaps say against their transcripts: `cargo xtask recap --check FOLDER`.
//!
//! Each transcript is cut at ten places. It must hold of every recap that no count is above its total, that nothing of our own is told as a
//! fact, that every command stands in the transcript with its quotes closed, that every sentence stands in
//! one message of who said it, and that no name is a piece of an escape or a word of the harness. How that is found out shares no code with the recap.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use vademecum_core::turn::{Action, Answer, Call, Event, Holds, Item, Outcome, Turn};
use vademecum_harness::transcript::TranscriptError;
use vademecum_recap::{Digest, Options, Part, Recap};

/// In so many parts of equal length a transcript is cut.
const CUTS: usize = 10;

/// The budgets of the recaps that are looked at, in tokens.
const BUDGETS: [usize; 2] = [250, 1_000];

/// What was looked at.
#[derive(Debug, Default)]
struct Counts {
    transcripts: usize,
    recaps: usize,
    commands: usize,
    sentences: usize,
    names: usize,
    /// Of the recaps of whole transcripts in the larger budget.
    whole: Whole,
}

/// How much of recaps says nothing.
#[derive(Debug, Default)]
struct Whole {
    commands: usize,
    /// Those that any agent would type.
    everyones: usize,
}

impl Whole {
    fn add(&mut self, recap: &Recap) {
        let commands = recap.sections.iter().filter(|it| it.part == Part::Commands);
        for line in commands.flat_map(|section| &section.lines) {
            self.commands += 1;
            self.everyones += usize::from(is_everyones(line));
        }
    }

    /// What is over its bound.
    fn over(&self) -> Option<String> {
        let Self { commands, everyones } = self;
        (commands * EVERYONES < everyones * 100).then(|| {
            format!("{everyones} of {commands} commands any agent would type: over {EVERYONES} %")
        })
    }
}

/// How many of a hundred commands may be everyone's.
const EVERYONES: usize = 5;

/// Whether any agent would type a command in any project.
fn is_everyones(command: &str) -> bool {
    let begins = |look: &str| {
        command.strip_prefix(look).is_some_and(|it| it.is_empty() || it.starts_with(' '))
    };
    LOOKS.split('|').any(begins) || BUILDS.split('|').any(|build| build == command)
}

/// How commands begin that only look or tidy, and those that build and test in every project.
const LOOKS: &str = "ls|cat|cd|grep|rg|find|head|tail|sed|awk|wc|echo|pwd|which|tree|mkdir|cp|mv|rm|\
    git status|git diff|git log|git show|git add|git branch|git stash|gh pr view";
const BUILDS: &str = "npm test|npm install|npm ci|npm run build|npm run test|cargo test|cargo build|\
    cargo check|cargo fmt|go test|go test ./...|go build|go build ./...|go mod tidy|make|make test|\
    pytest|bun test|bun run test|yarn test|pnpm test|mix test";

/// Checks every transcript in `folder`; each thing that does not hold is a line.
pub(super) fn check(folder: &Path) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.is_file());
    files.sort();
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    for file in &files {
        let mut turns = Vec::new();
        let read = super::turns(file, &mut |turn| turns.push(turn));
        let roots = match read {
            Ok(report) => report.cwds,
            // A file that is no transcript has no recap.
            Err(error) if error.is::<TranscriptError>() => continue,
            Err(error) => return Err(error),
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        for (cut, what) in wrongs(&turns, &roots, &mut counts) {
            wrong.push(format!("{name} at turn {cut}: {what}"));
        }
    }
    wrong.extend(counts.whole.over());
    let Counts { transcripts, recaps, commands, sentences, names, whole } = counts;
    let Whole { commands: told, everyones } = whole;
    println!("whole transcripts: {told} commands, {everyones} of them everyone's");
    println!(
        "{transcripts} transcripts, {recaps} recaps, {commands} commands, {sentences} lines of sentences, {names} names: {} wrong",
        wrong.len()
    );
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// What does not hold of the recaps of a transcript, each with the turn that it was cut at.
fn wrongs(turns: &[Turn], roots: &[String], counts: &mut Counts) -> Vec<(usize, String)> {
    counts.transcripts += 1;
    let mut digest = Digest::new(&Options { roots: roots.to_vec() });
    let (mut at, mut wrong) = (0, Vec::new());
    for part in 1..=CUTS {
        let cut = turns.len() * part / CUTS;
        turns[at..cut].iter().for_each(|turn| digest.push(turn));
        at = cut;
        let seen = Seen::of(&turns[..cut]);
        for budget in BUDGETS {
            counts.recaps += 1;
            let recap = digest.recap(budget);
            if part == CUTS && budget == BUDGETS[1] {
                counts.whole.add(&recap);
            }
            let found = seen.wrongs(&recap, counts);
            wrong.extend(found.into_iter().map(|what| (cut, what)));
        }
    }
    wrong.dedup();
    wrong
}

/// What stands in a transcript up to a cut.
#[derive(Default)]
struct Seen<'a> {
    texts: Vec<&'a str>,
    /// What the user wrote.
    asked: Vec<&'a str>,
    /// Items of lists, each by itself; the replies to the questions of one call or of a message.
    listed: Vec<&'a str>,
    replies: Vec<String>,
    /// Each command line in its order, and whether it ran well; none while nothing is known of it.
    runs: Vec<(&'a str, Option<bool>)>,
}

impl<'a> Seen<'a> {
    fn of(turns: &'a [Turn]) -> Self {
        let (mut seen, mut calls, mut said) = (Self::default(), Vec::new(), "");
        for turn in turns {
            match &turn.event {
                Event::Asked { text, .. } => {
                    // What follows a question may be its reply.
                    seen.replies.push(format!("{said} {text}"));
                    seen.texts.push(text);
                    seen.asked.push(text);
                }
                Event::Said { text } => {
                    seen.texts.push(text);
                    said = text;
                }
                Event::Thought { text } => seen.texts.push(text),
                Event::Called(call) => seen.called(call, &mut calls),
                Event::Answered(answer) => seen.answered(answer, &calls),
                Event::Interrupted | Event::Compacted { .. } => {}
            }
        }
        seen
    }

    fn called(&mut self, call: &'a Call, calls: &mut Vec<(&'a str, usize)>) {
        self.texts.push(&call.text);
        for action in &call.actions {
            match action {
                Action::Ran { command, .. } => {
                    self.texts.push(command);
                    calls.push((&call.id, self.runs.len()));
                    self.runs.push((command, None));
                }
                Action::Proposed { plan: text } | Action::Finished { summary: text } => {
                    self.texts.push(text);
                }
                Action::Planned { items, .. } => self.items(items),
                Action::Delegated { about, task, .. } => self.listed.extend([&**about, task]),
                _ => {}
            }
        }
    }

    fn answered(&mut self, answer: &'a Answer, calls: &[(&str, usize)]) {
        self.texts.push(&answer.text);
        for (_, run) in calls.iter().rev().take(64).filter(|(id, _)| *id == answer.call) {
            self.runs[*run].1 = (answer.outcome != Outcome::Running).then_some(answer.is_ok());
        }
        match &answer.holds {
            Holds::Items { items } => self.items(items),
            Holds::Replies { replies } => {
                let said = replies.iter().flat_map(|it| [&*it.question, " ", &it.answer, "\n"]);
                self.replies.push(said.collect());
            }
            Holds::Output | Holds::Report => {}
        }
    }

    fn items(&mut self, items: &'a [Item]) {
        self.listed.extend(items.iter().map(|item| item.text.as_str()));
    }

    fn wrongs(&self, recap: &Recap, counts: &mut Counts) -> Vec<String> {
        let mut wrong = Vec::new();
        let coverage = recap.coverage;
        if coverage.facts < coverage.said {
            wrong.push(format!("{} of {} facts", coverage.said, coverage.facts));
        }
        for section in &recap.sections {
            for line in &section.lines {
                self.line(section.part, line, counts, &mut wrong);
            }
        }
        wrong
    }

    fn line(&self, part: Part, line: &str, counts: &mut Counts, wrong: &mut Vec<String>) {
        match part {
            Part::Failed if line.starts_with(TRIED) => {
                self.failed(&line[TRIED.len()..], counts, wrong);
            }
            Part::Failed | Part::Done if line.starts_with('`') => self.failed(line, counts, wrong),
            Part::Now if line.starts_with(RUNNING) => match told_command(&line[RUNNING.len()..]) {
                Some(command) => self.command(command, counts, wrong),
                None => wrong.push(format!("no command: {line}")),
            },
            Part::Now if line.starts_with(STEPS) => {
                // One whose line has such a mark is looked at nowhere.
                for step in line[STEPS.len()..].split("; ") {
                    if let Some(command) = told_command(step) {
                        self.command(command, counts, wrong);
                    } else if let Some(file) = step.strip_prefix("edited ") {
                        self.names(file, counts, wrong);
                    }
                }
            }
            Part::Commands => {
                self.command(line, counts, wrong);
                if !is_closed(line) {
                    wrong.push(format!("a quote or a bracket is open: {line}"));
                }
                self.ours(line, wrong);
            }
            Part::Edited | Part::Read => {
                self.ours(line, wrong);
                self.names(line, counts, wrong);
            }
            Part::Now
            | Part::Next
            | Part::Decided
            | Part::Found
            | Part::Failed
            | Part::Rules
            | Part::Done => self.told(part, line, counts, wrong),
        }
    }

    fn failed(&self, line: &str, counts: &mut Counts, wrong: &mut Vec<String>) {
        let Some(command) = told_command(line) else {
            return wrong.push(format!("no command: {line}"));
        };
        self.command(command, counts, wrong);
    }

    /// A sentence stands where its first words say that it does.
    fn told(&self, part: Part, line: &str, counts: &mut Counts, wrong: &mut Vec<String>) {
        counts.sentences += 1;
        // A cut is said by a mark behind a whole word.
        let is_torn = |(at, _): (usize, &str)| line[..at].ends_with(char::is_alphanumeric);
        if line.match_indices('…').any(is_torn) && !self.texts.iter().any(|text| text.contains('…'))
        {
            wrong.push(format!("cut within a word: {line}"));
        }
        let behind = |labels: &[&str]| labels.iter().find_map(|label| line.strip_prefix(label));
        let quote = behind(ASKED).or(Some(line).filter(|_| part == Part::Rules));
        let item = || behind(&["Doing: ", "Sub-agent: "]).unwrap_or(line);
        let list = behind(&[
            "On a to-do list older than the last changes: ",
            "Doing, by a to-do list older than the last changes: ",
            "By the to-do list: ",
        ]);
        let files = behind(&["Named in the plan and not changed yet: "]);
        let is_list = list
            .is_some_and(|list| list.split("; ").all(|item| stand(item, &self.listed)))
            || files.is_some_and(|files| files.split(", ").all(|file| stand(file, &self.texts)));
        let text = behind(LABELS);
        let stands = match quote {
            Some(quote) => is_quoted(quote, &self.asked),
            None => {
                is_list
                    || line.ends_with(" of the to-do list")
                    || text.unwrap_or(line).split(" → ").all(|part| stand(part, &self.texts))
                    || stand(item(), &self.listed)
                    || stand(line, &self.replies)
                    || commit(line).is_some_and(|told| stand(&told, &self.texts))
            }
        };
        if !stands {
            wrong.push(format!("nobody said so: {line}"));
        }
    }

    /// Every word of a command stands in one line that was run, in this order.
    fn command(&self, command: &str, counts: &mut Counts, wrong: &mut Vec<String>) {
        counts.commands += 1;
        let is_told = |word: &&str| !word.contains('…') && *word != "&&";
        let words: Vec<&str> = command.split_whitespace().filter(is_told).collect();
        let has_all = |line: &str| {
            let mut left = line.split_whitespace().flat_map(|word| [word, bare(word)]);
            words.iter().all(|word| left.any(|other| other == *word || other == bare(word)))
        };
        if !self.runs.iter().any(|(line, _)| has_all(line)) {
            wrong.push(format!("no such command: {command}"));
        }
    }

    /// Nothing of our own is told as a fact.
    fn ours(&self, line: &str, wrong: &mut Vec<String>) {
        for sign in ["[vade ", "## Session", "<wisdom>", "</wisdom>", "session=", "Session Notepad"]
        {
            if line.contains(sign) {
                wrong.push(format!("a block of ours: {line}"));
            }
        }
        if words(line).any(|word| is_own_id(word) || self.is_handle(word)) {
            wrong.push(format!("an id of ours: {line}"));
        }
    }

    /// No name is a piece of something else, or a word of the harness.
    fn names(&self, line: &str, counts: &mut Counts, wrong: &mut Vec<String>) {
        // What became of a file is said in our words.
        let line = line.replace(" (deleted)", "").replace(" (moved to", "");
        let titles = ["Not committed: ", "Committed: "];
        let line = titles.iter().find_map(|title| line.strip_prefix(title)).unwrap_or(&line);
        for word in words(line) {
            if FOREIGN.contains(&word) {
                wrong.push(format!("a word of the harness: {line}"));
            }
            let is_name = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if is_name && 4 < word.len() {
                counts.names += 1;
                if !self.texts.iter().any(|text| stands_whole(text, word)) {
                    wrong.push(format!("a piece of a word: {word} in {line}"));
                }
            }
        }
    }

    /// Whether a word is the handle of a session, as our texts name one.
    fn is_handle(&self, word: &str) -> bool {
        let is_hex = word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let told = [format!("session={word}"), format!("from={word}")];
        let names = |text: &&str| told.iter().any(|told| text.contains(told.as_str()));
        is_hex && self.texts.iter().any(|text| text.contains("vade") && names(text))
    }
}

/// The words of a line of facts, without what parts them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ':' | ';' | ',' | '(' | ')');
    line.split(is_end).filter(|word| !word.is_empty())
}

/// Whether a line of quotes says what the user wrote, word for word and mark for mark.
fn is_quoted(line: &str, asked: &[&str]) -> bool {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let asked: Vec<String> = asked.iter().map(|text| flat(text)).collect();
    let is_said = |piece: &str| asked.iter().any(|text| text.contains(piece));
    let line = line.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(line);
    // A picture belongs to the request before it.
    let mut pieces = line.split("\" \"").flat_map(|it| it.split(['…', '[']));
    pieces.all(|piece| is_said(piece.trim_matches([' ', ']'])))
}

/// Whether all words that are told stand in one of the texts, in this order.
fn stand<T: AsRef<str>>(told: &str, texts: &[T]) -> bool {
    // Of scripts without blanks a run of letters may be cut anywhere.
    let is_same =
        |other: &str, word: &str| other == word || (!word.is_ascii() && other.contains(word));
    texts.iter().any(|text| {
        let mut left = letters(text.as_ref());
        letters(told).all(|word| left.any(|other| is_same(other, word)))
    })
}

/// The hash and subject of a line on a commit, as git prints them.
fn commit(line: &str) -> Option<String> {
    let (head, subject) = line.strip_prefix("Committed")?.split_once(": ")?;
    let is_hash = |word: &&str| word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = head.split([' ', ',']).nth(1).filter(is_hash).unwrap_or_default();
    Some(format!("{hash} {subject}"))
}

/// The runs of letters and digits of a text.
fn letters(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// What stands before a command that runs on.
const RUNNING: &str = "Running: ";
const TRIED: &str = "Tried: ";

/// What stands before what was done last.
const STEPS: &str = "Last steps: ";

/// What stands before words of the user.
const ASKED: &[&str] =
    &["Asked first: ", "Asked before: ", "Asked last: ", "Asked last, not begun yet: ", "User: "];

/// What stands before sentences that the agent said.
const LABELS: &[&str] = &[
    "Change: ",
    "Posted: ",
    "Plan: ",
    "Began: ",
    "The agent asked: ",
    "The agent had said: ",
    "On the branch ",
    "Pull request: ",
    "Before tests passed: ",
    "Before the last edits: ",
];

/// Words that harnesses put into every session, and no project.
const FOREIGN: &[&str] =
    &["in_progress", "files_with_matches", "tool_use_error", "run_in_background", "output_mode"];

/// The command between the first two back-ticks of a line.
fn told_command(line: &str) -> Option<&str> {
    let line = line.strip_prefix('`')?;
    let ends = ["` →", "` passed", "` ran", "` (files were", "` (run again"];
    let end = ends.iter().find_map(|end| line.find(end));
    let end = end.or_else(|| line.len().checked_sub(1).filter(|_| line.ends_with('`')))?;
    Some(&line[..end])
}

fn is_own_id(word: &str) -> bool {
    let digits = word.strip_prefix("note_").or_else(|| word.strip_prefix("entry_"));
    digits.is_some_and(|it| 10 <= it.len() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A word without what joins commands.
fn bare(word: &str) -> &str {
    word.trim_matches(['(', ')', '{', '}', '&', ';', '|'])
}

/// Whether every quote and every substitution of a command is closed.
fn is_closed(command: &str) -> bool {
    let (mut quote, mut escaped, mut deep, mut last) = (None, false, 0_usize, ' ');
    for c in command.chars() {
        match (quote, c) {
            _ if std::mem::take(&mut escaped) => {}
            (None | Some('"'), '\\') => escaped = true,
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None | Some('"'), '(') if last == '$' => deep += 1,
            (None | Some('"'), ')') => deep = deep.saturating_sub(1),
            _ => {}
        }
        last = c;
    }
    quote.is_none() && deep == 0
}

/// Whether `word` stands in `text` between characters of no word, and is no rest of an escape.
fn stands_whole(text: &str, word: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_alphanumeric();
    text.match_indices(word).any(|(at, _)| {
        let before = &text[..at];
        let is_escape = before.ends_with('\\') && word.starts_with(['n', 't', 'r']);
        let starts = !before.ends_with(is_of_word) || is_behind_escape(before);
        starts && !is_escape && !text[at + word.len()..].starts_with(is_of_word)
    })
}

/// Whether a text ends with an escape like `\n`.
fn is_behind_escape(text: &str) -> bool {
    ["\\n", "\\t", "\\r", "\\b"].iter().any(|escape| text.ends_with(escape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_our_own_transcripts_become_holds() {
        let fixtures = crate::step::root().join("crates/vademecum-harness/tests/fixtures");
        for harness in ["claude_code", "codex", "copilot", "message_log"] {
            check(&fixtures.join(harness)).expect(harness);
        }
    }

    #[test]
    fn what_is_wrong_is_seen() {
        let run = |command: &str| Action::Ran { command: command.to_owned(), is_look: false };
        let turn = |event| Turn { record: 0, at: None, event };
        let call = |id: &str, command: &str| {
            let (id, text) = (id.to_owned(), command.to_owned());
            let actions = vec![run(command)];
            turn(Event::Called(Call { id, tool: "Bash".to_owned(), actions, text }))
        };
        let answer = |id: &str, is_ok| {
            let (call, text) =
                (id.to_owned(), "see session=186f7672 of vade, x\\nDate y".to_owned());
            let outcome = if is_ok { Outcome::Done } else { Outcome::Failed };
            let holds = Holds::Output;
            turn(Event::Answered(Answer { call, outcome, text, holds }))
        };
        let ask = "Make `lint` pass.\nNever touch src/a.rs, please.".to_owned();
        let turns = [
            turn(Event::Asked { text: ask, is_plan: false }),
            turn(Event::Said { text: "The *lint* fails because of the key.".to_owned() }),
            call("1", "make test 2>&1 | tail -3"),
            answer("1", false),
            call("2", "make lint"),
            answer("2", true),
        ];
        let seen = Seen::of(&turns);
        let mut counts = Counts::default();
        let mut wrong = |part, line: &str| {
            let mut wrong = Vec::new();
            seen.line(part, line, &mut counts, &mut wrong);
            wrong.len()
        };
        for (part, line, n) in [
            (Part::Failed, "`make test | tail -3` → x", 0),
            (Part::Failed, "`make test", 1),
            (Part::Failed, "The lint fails … of the key.", 0),
            (Part::Failed, "The lint fails on the key.", 1),
            (Part::Now, "Running: `make lint`", 0),
            (Part::Now, "Running: `make all`", 1),
            (Part::Now, "Asked last: \"Make `lint` pass. Never …\"", 0),
            (Part::Now, "Asked last: \"Make lint pass. Never …\"", 1),
            (Part::Now, "Asked last: \"The lint fails\"", 1),
            (Part::Next, "Make all tests pass", 1),
            (Part::Done, "`make lint` passed, before the last edits", 0),
            (Part::Done, "`make all` passed", 1),
            (Part::Decided, "The lint fails because of the key. → Yes", 1),
            (Part::Rules, "\"Never touch src/a.rs\"", 0),
            (Part::Rules, "\"Never touch a.rs\"", 1),
            (Part::Rules, "\"Always touch a.rs\"", 1),
            (Part::Done, "Committed 1a2b3c4 on key: x", 1),
            (Part::Commands, "make lint", 0),
            (Part::Commands, "make all", 1),
            (Part::Edited, "186f7672", 1),
            (Part::Edited, "note_1763700000000", 2),
            (Part::Edited, "nDate", 1),
            (Part::Edited, "in_progress", 2),
            (Part::Edited, "src/a.rs: [vade receipt", 2),
        ] {
            assert_eq!(wrong(part, line), n, "{line}");
        }
        assert!(
            is_closed(r#"git commit -m "it's $(date)""#) && !is_closed("git commit -m \"$(cat")
        );
    }
}
