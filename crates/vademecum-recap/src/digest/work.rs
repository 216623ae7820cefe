//! What the agent did: calls in flight, failures, the list of what is to be done.

use std::collections::VecDeque;

use vademecum_core::turn::{Action, Answer, Call, Holds, Item, Outcome, Progress};

use super::commits::{self, By, Commits};
use super::errors::{errors, tells_an_error};
use super::halt::Halt;
use super::ledger::{FactId, Ledger, Moved, Voice};
use super::run::{Run, Shell};
use super::since::{End, Since};
use super::verdict::Passing;
use super::{ends, status, verdict};
use crate::command;
use crate::command::changes::{self, Fate, Gone};
use crate::fact::{self, Kind};

/// How many calls are remembered for their answers.
const IN_FLIGHT: usize = 64;

/// How many failures are kept.
const FAILURES: usize = 6;

/// How many bytes of one call are looked through from each end.
const CALL_END: usize = 24_000;

/// How the answer begins to a write that made its file.
const MADE: &str = "File created";

/// How much of a command is kept until it is answered.
const COMMAND: usize = 600;

/// For how many further calls a call may wait for its answer.
const RECENT: u32 = 8;

/// For how many further calls what runs on is taken to do so: where nobody asks, some harnesses never tell the end.
const HEARD: u32 = 16;

/// After so many calls a list is old, if something was changed since: agents tick off what they did when they think of it.
const LISTED: u32 = 25;

/// How many open or done items are kept.
const ITEMS: usize = 60;

/// A command that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) command: String,
    /// Of its commands those that check the work.
    checks: String,
    /// What ran, as far as a later run is compared with it.
    run: Option<Run>,
    /// The lines that tell what went wrong, best first.
    pub(crate) errors: Vec<String>,
    /// The call, counted from 1.
    pub(crate) step: u32,
    /// Whether it only looked: that nothing was found is no failure to take over.
    pub(crate) is_look: bool,
    /// Whether the same ran again, and nobody sees how it ended.
    pub(crate) is_unseen: bool,
}

impl Failure {
    /// Takes in what ran well: whether all that failed did now, in the same words, or each check of it in one that is
    /// at least as wide.
    fn mend(&mut self, ran: (&str, &str), run: Option<Run>) -> bool {
        let (Some(failed), Some(run)) = (self.run, run) else { return false };
        if failed == run || !failed.is_beside(run) {
            return failed == run;
        }
        if self.checks.is_empty() {
            return command::has_same_step(ran.0, &self.command);
        }
        self.checks = verdict::uncovered(ran, (&self.command, &self.checks));
        self.checks.is_empty()
    }

    /// Whether a line ran all of it again.
    fn ran_in(&self, line: &str, run: Option<Run>) -> bool {
        let both = self.run.zip(run);
        let is_beside = || both.is_some_and(|(failed, run)| failed.is_beside(run));
        self.run == run || is_beside() && command::has_all(line, &self.command)
    }

    /// Whether it was only tried: a command that checks nothing and changes nothing for good.
    fn is_trial(&self) -> bool {
        self.checks.is_empty() && !verdict::is_step(&self.command)
    }
}

/// A call whose answer may still come.
#[derive(Debug)]
struct Pending {
    id: String,
    step: u32,
    target: Option<FactId>,
    command: Option<String>,
    checks: String,
    /// What for a sub-agent was started, if that is what it does.
    agent: Option<String>,
    run: Option<Run>,
    /// The files that it changes, if that is what it does.
    edited: Vec<FactId>,
    /// The files that are gone if it works.
    gone: Vec<Gone>,
    is_look: bool,
    /// Whether it asks git what is not committed.
    asks_git: bool,
    /// How it went so far; none until it is answered.
    outcome: Option<Outcome>,
    /// How many calls there were when it was answered.
    heard: u32,
}

/// What the actions of one call came to.
#[derive(Debug, Default)]
struct Made {
    /// The file that its answer shows.
    target: Option<FactId>,
    command: Option<String>,
    /// The commands of its line that check the work.
    checks: String,
    agent: Option<String>,
    run: Option<Run>,
    edited: Vec<FactId>,
    gone: Vec<Gone>,
    asks_git: bool,
}

impl Made {
    fn goes(&mut self, path: &str, fate: Fate) {
        self.gone.push(Gone { path: path.to_owned(), fate });
    }
}

/// The work so far.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pending: VecDeque<Pending>,
    pub(crate) failures: VecDeque<Failure>,
    pub(crate) items: Vec<Item>,
    pub(crate) commits: Commits,
    /// What git stopped at.
    pub(crate) halt: Halt,
    pub(crate) n_calls: u32,
    /// The last call that ran something, not only to look, and ran it well.
    last_well: u32,
    /// The last call that changed a file.
    pub(crate) last_edit: u32,
    /// The last call that made a commit, and the last that told how the list stands.
    last_commit: u32,
    listed: u32,
    /// The turn of that call, and of the last that wrote the agent's own page; 0 if none did.
    pub(crate) listed_at: u32,
    pub(crate) paged_at: u32,
    pub(crate) passing: Passing,
    pub(crate) since: Since,
    shell: Shell,
}

impl Work {
    pub(crate) fn called(&mut self, call: &Call, ledger: &mut Ledger) {
        self.n_calls += 1;
        ledger.step += 1;
        let voice = voice(&call.actions);
        let mut made = Made::default();
        for action in &call.actions {
            self.acted(action, voice, ledger, &mut made);
            if let Action::Ran { command, .. } = action {
                let run = self.shell.run(command, &call.text, |folder| ledger.is_root(folder));
                made.run.get_or_insert(run);
                let is_root = |folder: &str| ledger.is_root(folder);
                made.asks_git = status::is_asked(command) && self.shell.is_at(is_root);
            }
        }
        if !made.command.as_deref().is_some_and(command::is_ours) {
            self.texts(call, voice, ledger);
        }
        if self.pending.len() == IN_FLIGHT {
            let is_over = |call: &Pending| call.outcome != Some(Outcome::Running);
            self.pending.remove(self.pending.iter().position(is_over).unwrap_or_default());
        }
        self.pending.push_back(Pending {
            id: call.id.clone(),
            step: self.n_calls,
            target: made.target,
            command: made.command,
            checks: made.checks,
            agent: made.agent,
            run: made.run,
            edited: made.edited,
            gone: made.gone,
            is_look: voice == Voice::Look,
            asks_git: made.asks_git,
            outcome: None,
            heard: 0,
        });
    }

    fn acted(&mut self, action: &Action, voice: Voice, ledger: &mut Ledger, made: &mut Made) {
        match action {
            Action::Read { path } => {
                let Some(id) = path_id(ledger, path, voice) else { return };
                ledger.was_read(id);
                made.target.get_or_insert(id);
            }
            Action::Edited { path } | Action::Wrote { path, .. } => {
                let Some(id) = path_id(ledger, path, voice) else { return };
                // What lies elsewhere is checked by nothing here.
                if ledger.entry(id).is_of_project() {
                    self.last_edit = self.n_calls;
                }
                ledger.written(id);
                made.edited.push(id);
            }
            Action::Ran { command, .. } => {
                Self::ran(command, voice, ledger, &mut made.checks);
                made.gone.extend(changes::gone(clip_to(command, CALL_END)));
                made.command.get_or_insert_with(|| kept(command));
            }
            Action::Deleted { path } => made.goes(path, Fate::Deleted),
            Action::Moved { path, to } => made.goes(path, Fate::Moved(to.clone())),
            Action::Planned { items, is_whole } => self.planned(items, *is_whole, ledger.turn),
            Action::Delegated { about, task, .. } => {
                let about = if about.is_empty() { task.lines().next() } else { Some(&**about) };
                made.agent = about.map(|about| clip_to(about, 200).to_owned());
            }
            Action::Listed { .. }
            | Action::Searched { .. }
            | Action::Remembered { .. }
            | Action::Revised { .. }
            | Action::Recalled { .. }
            | Action::Questioned { .. }
            | Action::Proposed { .. }
            | Action::Finished { .. }
            | Action::Looked
            | Action::Other { .. } => {}
        }
    }

    /// Notes the facts of a call's arguments.
    fn texts(&mut self, call: &Call, voice: Voice, ledger: &mut Ledger) {
        let (head, tail) = ends(&call.text, CALL_END);
        ledger.read(head, voice);
        ledger.read(tail, voice);
        self.page(call, ledger.turn);
    }

    /// Notes when the agent wrote its own page last.
    fn page(&mut self, call: &Call, turn: u32) {
        if let Some("write_notepad" | "update_notepad") = call.tool.rsplit("__").next() {
            self.paged_at = turn;
        }
    }

    fn ran(line: &str, voice: Voice, ledger: &mut Ledger, checks: &mut String) {
        command::simple(clip_to(line, CALL_END), |command| {
            ledger.note(Kind::Command, command, voice);
            let check = verdict::unwrapped(command);
            if verdict::is_check(check) {
                checks.push_str(if checks.is_empty() { "" } else { " && " });
                checks.push_str(check);
            }
            ledger.read(command, voice);
        });
    }

    fn planned(&mut self, items: &[Item], is_whole: bool, turn: u32) {
        (self.listed, self.listed_at) = (self.n_calls, turn);
        if is_whole {
            self.items = items.iter().take(ITEMS).cloned().collect();
            return;
        }
        for item in items {
            self.changed(item);
        }
    }

    /// Takes in that one item was made or changed.
    fn changed(&mut self, item: &Item) {
        let by_id = self.items.iter().position(|known| !item.id.is_empty() && known.id == item.id);
        let known = by_id.or_else(|| self.items.iter().position(|known| is_same(known, item)));
        match known {
            Some(idx) => {
                let known = &mut self.items[idx];
                known.state = item.state;
                if !item.id.is_empty() {
                    known.id.clone_from(&item.id);
                }
                if !item.text.is_empty() {
                    known.text.clone_from(&item.text);
                }
            }
            None if item.text.is_empty() => {}
            None => {
                if self.items.len() == ITEMS {
                    let is_closed = |item: &Item| !is_open(item);
                    self.items.remove(self.items.iter().position(is_closed).unwrap_or_default());
                }
                self.items.push(item.clone());
            }
        }
    }

    /// Follows the facts to where they went.
    pub(crate) fn moved(&mut self, moved: &Moved) {
        for call in &mut self.pending {
            call.target = call.target.and_then(|id| moved[id as usize]);
            call.edited = call.edited.iter().filter_map(|id| moved[*id as usize]).collect();
        }
    }

    pub(crate) fn answered(&mut self, answer: &Answer, ledger: &mut Ledger) {
        if let Holds::Items { items } = &answer.holds {
            self.planned(items, true, ledger.turn);
        }
        let Some(call) = self.pending.iter_mut().rev().find(|call| call.id == answer.call) else {
            return;
        };
        // What went on in the background comes to its end only now.
        let step = if call.outcome == Some(Outcome::Running) { self.n_calls } else { call.step };
        (call.outcome, call.heard) = (Some(answer.outcome), self.n_calls);
        if answer.outcome == Outcome::Running {
            return;
        }
        call.gone.drain(..).filter(|_| answer.is_ok()).for_each(|gone| went(gone, ledger));
        let Some(command) = call.command.take() else {
            for id in call.edited.drain(..) {
                edited(id, answer, ledger, &mut self.since);
            }
            if let Some(target) = call.target {
                ledger.entry_read(target, answer.is_ok() || !is_absence(&answer.text));
            }
            return;
        };
        if answer.outcome == Outcome::Refused {
            command::simple(&command, |one| ledger.was_refused(one));
        }
        let checks = std::mem::take(&mut call.checks);
        let (run, is_look, errors) = (call.run, call.is_look, Vec::new());
        let is_unseen = false;
        let asks_git = call.asks_git && answer.is_ok();
        let told = asks_git.then(|| status::uncommitted(&command, &answer.text)).flatten();
        let failure = Failure { command, checks, run, errors, step, is_look, is_unseen };
        self.ended(answer, ledger, failure);
        // Git knows better than who counts what was changed and committed here.
        if let Some(files) = told {
            ledger.left_to_commit(&files);
        }
    }

    /// Takes in how a command ended: well, or as the failure that is given but for its errors.
    fn ended(&mut self, answer: &Answer, ledger: &mut Ledger, failure: Failure) {
        // What the user or a rule did not let run, or stopped, has not failed.
        if matches!(answer.outcome, Outcome::Refused | Outcome::Stopped) {
            return;
        }
        let Failure { command, checks, run, is_look, step, .. } = &failure;
        self.changed_by_git((command, *is_look), answer, ledger);
        let hides_its_code = verdict::hides_its_code(command);
        if answer.is_ok() && (*is_look || !hides_its_code || !verdict::is_failure(&answer.text)) {
            if !is_look {
                self.last_well = *step;
                self.passing.ran(command, checks, (*step, ledger.turn), &answer.text);
                self.passing.took_effect(command, checks);
            }
            // Behind a pipe the code is another's: that it ran well has to be said.
            if !hides_its_code || verdict::is_success(checks, &answer.text) {
                self.failures.retain_mut(|failure| !failure.mend((command, checks), *run));
                command::simple(command, |one| ledger.came(one, true));
                self.did(&failure, End::Well, answer);
            } else {
                self.did(&failure, End::Came, answer);
                for failure in &mut self.failures {
                    failure.is_unseen |= failure.ran_in(command, *run);
                }
            }
            return;
        }
        self.passing.ran_again(checks);
        self.since.failed(command);
        // Of several commands nobody knows which one failed.
        if let [one] = &*command::all(command) {
            ledger.came(one, false);
        }
        let errors = errors(command, &answer.text);
        // A line that only shows something and names no error has shown it.
        if errors.iter().any(|line| tells_an_error(line)) || command::works(command) {
            self.failed(Failure { errors, ..failure });
        }
    }

    fn did(&mut self, ran: &Failure, end: End, answer: &Answer) {
        if !command::is_ours(&ran.command) {
            self.since.ran(&ran.command, end, &answer.text, ran.is_look);
        }
    }

    /// Takes in what git answered; what was only tried in another repository is not done.
    fn changed_by_git(
        &mut self,
        (command, is_look): (&str, bool),
        answer: &Answer,
        ledger: &mut Ledger,
    ) {
        if !command.contains("git") {
            return;
        }
        if !is_look && (!commits::is_scratch(command) || ledger.is_scratch()) {
            // Of several commands in a line those before the one that failed were carried out.
            for settled in self.commits.ran(command, &answer.text, answer.is_ok()) {
                if settled.by == By::Commit {
                    self.last_commit = self.n_calls;
                }
                ledger.settled(&settled);
            }
        }
        if command.contains("git ") {
            if !commits::is_scratch(command) || ledger.is_scratch() {
                self.halt.ran(command, &answer.text, answer.is_ok());
            }
            self.commits.heard(&answer.text);
        }
    }

    fn failed(&mut self, failure: Failure) {
        if self.failures.len() == FAILURES {
            self.failures.pop_front();
        }
        self.failures.push_back(failure);
    }

    /// Whether a failure was of something only tried, and the agent went on without it.
    pub(crate) fn is_past(&self, failure: &Failure) -> bool {
        failure.is_trial() && failure.step < self.last_well
    }

    /// The command that failed last, if nothing ran well since: what is still to be mended.
    pub(crate) fn failing(&self) -> Option<&Failure> {
        let last = self.failures.iter().rev().find(|failure| !failure.is_look)?;
        Some(last).filter(|last| self.last_well <= last.step)
    }

    /// The commands that are not at their end: they run on, or were begun last and never answered.
    pub(crate) fn in_flight(&self) -> impl Iterator<Item = &str> {
        let is_near = |call: &&Pending| call.outcome.is_none() || self.n_calls < call.heard + HEARD;
        self.open_calls().filter(is_near).filter_map(|call| call.command.as_deref())
    }

    /// The sub-agents that have not reported, by what they were started for.
    pub(crate) fn agents(&self) -> impl Iterator<Item = &str> {
        self.open_calls().filter_map(|call| call.agent.as_deref())
    }

    fn open_calls(&self) -> impl Iterator<Item = &Pending> {
        self.pending.iter().filter(|call| match call.outcome {
            None => self.n_calls < call.step + RECENT,
            Some(outcome) => outcome == Outcome::Running,
        })
    }

    /// What is done and is not to be done once more, the last of the list first.
    pub(crate) fn done_items(&self) -> impl Iterator<Item = &Item> {
        let is_again = |item: &Item| self.open_items().any(|open| open.text == item.text);
        let is_done = move |item: &&Item| item.state == Progress::Done && !is_again(item);
        self.items.iter().rev().filter(is_done)
    }

    /// Whether the list was told before a commit, or long before the last change: what is open on it may be done.
    pub(crate) fn is_list_old(&self) -> bool {
        let is_long_ago = self.listed + LISTED < self.n_calls && self.listed < self.last_edit;
        self.listed < self.last_commit || is_long_ago
    }

    /// Whether there is a list, and it was told behind the last change of the agent's own page.
    pub(crate) fn is_list_newer(&self) -> bool {
        0 < self.paged_at && self.paged_at < self.listed_at && !self.items.is_empty()
    }

    /// Whether there is a list, and all of it is done.
    pub(crate) fn is_list_done(&self) -> bool {
        !self.items.is_empty() && self.open_items().next().is_none()
    }

    pub(crate) fn open_items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| is_open(item))
    }
}

/// Whether an answer says that there is no such file.
fn is_absence(text: &str) -> bool {
    ["does not exist", "not found", "No such file", "ENOENT"].iter().any(|it| text.contains(it))
}

fn is_open(item: &Item) -> bool {
    matches!(item.state, Progress::Pending | Progress::Active)
}

/// Whether a change is about a known item by its words: as long as nobody told the id of the one
/// that is known. What is planned in the words of another that has an id is new.
fn is_same(known: &Item, change: &Item) -> bool {
    let is_new = change.id.is_empty() && change.state == Progress::Pending;
    let is_free = known.id.is_empty() || (change.id.is_empty() && !is_new);
    is_free && !change.text.is_empty() && known.text == change.text
}

fn path_id(ledger: &mut Ledger, path: &str, voice: Voice) -> Option<FactId> {
    let short = fact::named(ledger.short(path));
    (!short.is_empty() && short.len() < fact::PATH_MAX)
        .then(|| ledger.note(Kind::Path, &short, voice))
}

/// Tells of a file that is gone: one of the project's, or one that was written here.
fn went(gone: Gone, ledger: &mut Ledger) {
    let short = fact::named(ledger.short(&gone.path)).into_owned();
    let known = ledger.find(&short).filter(|id| ledger.is_path(*id));
    let is_written = known.is_some_and(|id| 0 < ledger.entry(id).writes);
    let is_here = !short.starts_with(['/', '~']) && !short.starts_with("../");
    if !(is_written || is_here && fact::is_path(&short)) {
        return;
    }
    let Some(id) = known.or_else(|| path_id(ledger, &short, Voice::Run)) else { return };
    match gone.fate {
        Fate::Deleted => ledger.went(id, "deleted".to_owned()),
        Fate::Moved(to) => {
            let to = fact::named(ledger.short(&to)).into_owned();
            if fact::is_path(&to)
                && !to.ends_with('/')
                && let Some(to) = path_id(ledger, &to, Voice::Run)
            {
                ledger.written(to);
            }
            ledger.went(id, format!("moved to {to}"));
        }
    }
}

fn voice(actions: &[Action]) -> Voice {
    let is_edit = |action: &Action| {
        matches!(
            action,
            Action::Edited { .. }
                | Action::Wrote { .. }
                | Action::Deleted { .. }
                | Action::Moved { .. }
        )
    };
    if actions.iter().any(is_edit) {
        Voice::Edit
    } else if actions.iter().any(|it| matches!(it, Action::Ran { is_look: false, .. })) {
        Voice::Run
    } else {
        Voice::Look
    }
}

/// Takes in how an edit of a file went: one that was refused has changed nothing.
fn edited(id: FactId, answer: &Answer, ledger: &mut Ledger, since: &mut Since) {
    if !answer.is_ok() {
        return ledger.unwritten(id);
    }
    since.edited(&ledger.entry(id).text);
    if answer.text.starts_with(MADE) {
        ledger.made(id);
    }
}

/// What is kept of a command until it is answered.
fn kept(command: &str) -> String {
    clip_to(&command::without_documents(command, COMMAND), COMMAND).to_owned()
}

/// The first `most` bytes of a text, whole characters.
pub(crate) fn clip_to(text: &str, most: usize) -> &str {
    if text.len() <= most { text } else { &text[..text.floor_char_boundary(most)] }
}
