//! The sentences of a recap: where the session stands, why, what was found, what failed, what is done.

use super::choose::{Choice, MARK};
use super::clip::{clip, cost, flat, quote};
use super::list::{List, Rooms};
use super::passages::{ASKED_BEFORE, Age, Lines, Place, other, told};
use super::planned;
use super::said::Said;
use super::{Part, Section};
use crate::cues::{
    self, ANNOUNCING, COMING, DECISION, DEFECT, FAILURE, GUESS, Seen, has_any, is_result,
};
use crate::digest::{self, Digest, End, Failure, Put, before_pasted, low, sentences};
use crate::state::Committed;
use crate::statement::{self, Source, Statement, Statements, Step};

/// Which part the sentences take of the first tokens of the budget, and of those beyond: the files that were changed are few.
const SENTENCES: f32 = 0.92;
const BEYOND: f32 = 0.97;
const FIRST_TOKENS: f32 = 500.0;

/// Which parts of the budget what must be said may take.
const ASKED: f32 = 0.12;
const FIRST: f32 = 0.07;
const LAST: f32 = 0.30;
const LEAST: f32 = 0.18;
const BEFORE: f32 = 0.06;
const FAILING: f32 = 0.09;
const RUNNING: f32 = 0.06;
const BRANCH: f32 = 0.03;
const OPEN: f32 = 0.10;
const DONE: f32 = 0.10;
const RULES: f32 = 0.08;
const OVERRULED: f32 = 0.05;

/// What rules take at least, where there is so much room: they stand whole or not at all.
const RULE_ROOM: f32 = 40.0;

/// What the last request takes at least, where there is so much room, and how much of that the beginning of a long one.
const ASK_ROOM: f32 = 60.0;
const BEGINNING: f32 = 0.6;

/// What the first request is told in at least: less is no task.
const FIRST_ROOM: f32 = 20.0;

/// How many failures are told, and of how many calls.
const FAILURES: usize = 3;
const FAILED_AGO: u32 = 60;

/// What one of them takes at least, where there is so much room.
const FAILURE_ROOM: f32 = 40.0;

/// What stands before the question that the last request answers.
pub(super) const PUT: &str = "The agent asked: ";

/// The same of what was no question.
pub(super) const SAID: &str = "The agent had said: ";

/// How many tokens of an earlier request are told, and how many words make it worth telling.
const REQUEST: f32 = 45.0;
const WORDS: usize = 4;

/// The sentences that their part of `budget` and `more` tokens have room for.
pub(super) fn prose(
    digest: &Digest,
    choice: &mut Choice<'_>,
    budget: usize,
    more: usize,
) -> Vec<Section> {
    #[expect(clippy::cast_precision_loss, reason = "budgets are small")]
    let (budget, more) = (budget as f32, more as f32);
    choice.start_anew();
    let mut lines = Lines::default();
    let first = budget.min(FIRST_TOKENS);
    let mut room = first * SENTENCES + (budget - first) * BEYOND + more;
    let beside = choice.beside;
    let is_beside = |must: &Must| match must.place.0 {
        _ if must.is_kept => false,
        Part::Failed => beside.has_failure(&must.line),
        // What the user wants stands in no other words.
        Part::Now if must.line.starts_with("Asked ") => beside.has_text(&must.line),
        part => beside.says_line(part, &must.line),
    };
    for Must { place, line, .. } in
        musts(digest, budget, beside).into_iter().filter(|it| !is_beside(it))
    {
        choice.say(&line);
        room -= cost(&line) + MARK;
        lines.add(place, line);
    }
    let mut room = room.max(budget * LEAST);
    let told_already = lines.text_but_asked_before();
    room -= choose_last(choice, long_request(digest, budget), budget, room, &told_already);
    lines.drop_asked_before(choice);
    for line in asked_before(digest, budget, &lines.text(), choice) {
        choice.say(&line);
        room -= cost(&line) + MARK;
        lines.add(other(Part::Rules), line);
    }
    choice.take(room, |choice, idx| !choice.is_dull(idx));
    told(choice, &mut lines);
    lines.sections()
}

/// A line that is said in any case.
struct Must {
    place: Place,
    line: String,
    /// Whether it is told where the reader has a text that says the same.
    is_kept: bool,
}

/// What is said in any case, as far as there is room for it.
fn musts(digest: &Digest, budget: f32, beside: &Said) -> Vec<Must> {
    let (before, goal) = goal(digest, budget);
    let rules = rules(digest, beside, budget, &[&before[..], &goal].concat().join("\n"));
    // What the user ruled behind the page is not on it, whatever words they share.
    let (newer_rules, rules): (Vec<_>, Vec<_>) =
        rules.into_iter().partition(|line| line.starts_with(SINCE));
    let (came, runs) = done(digest, budget * DONE);
    let rooms = Rooms {
        doing: budget * RUNNING,
        open: budget * OPEN,
        done: budget * DONE - taken(&came) - taken(&runs),
        ticked: budget * DONE,
    };
    let list = List::new(digest, beside, &rooms);
    let running = running(digest, budget * RUNNING - taken(&list.doing));
    // The notepad's words on a check may be of an earlier run; a summary is of this one.
    let is_summed_up = beside.holding(digest.summary()).is_some();
    let parts = [
        ((Part::Now, Age::First), before, false),
        ((Part::Now, Age::Asked), goal, false),
        ((Part::Now, Age::Standing), last_steps(digest, budget * RUNNING), false),
        ((Part::Now, Age::Standing), tree(digest, budget), false),
        ((Part::Now, Age::Standing), list.news, true),
        ((Part::Now, Age::Standing), list.doing, list.is_newer),
        ((Part::Now, Age::Standing), running, false),
        (other(Part::Failed), failing(digest, budget), false),
        (other(Part::Next), list.open, list.is_newer),
        (other(Part::Next), listed(planned::untouched(digest).into_iter(), budget * OPEN), false),
        (other(Part::Done), came, false),
        (other(Part::Done), runs, !is_summed_up),
        (other(Part::Done), list.done, list.is_newer),
        (other(Part::Decided), overruled(digest, beside, budget * OVERRULED), true),
        (other(Part::Rules), newer_rules, true),
        (other(Part::Rules), rules, false),
    ];
    let lines = |(place, lines, is_kept): (Place, Vec<String>, bool)| {
        lines.into_iter().map(move |line| Must { place, line, is_kept })
    };
    parts.into_iter().flat_map(lines).collect()
}

/// What the last request may take.
fn ask_room(budget: f32) -> f32 {
    (budget * ASKED).max(ASK_ROOM).min(budget / 5.0)
}

/// The last request, if it is too long to be told whole.
fn long_request(digest: &Digest, budget: f32) -> Option<&String> {
    digest.voices.asks.back().filter(|ask| ask_room(budget) < cost(&flat(ask)))
}

/// Chooses sentences of a long request, then what was said last, within `room`; what they take.
fn choose_last(
    choice: &mut Choice<'_>,
    request: Option<&String>,
    budget: f32,
    room: f32,
    told: &str,
) -> f32 {
    let all = choice.statements;
    let mut spent = 0.0;
    if request.is_some() {
        let is_asked = |it: &Statement| it.source == Source::Asked && it.request == all.requests;
        let room = ask_room(budget) * (1.0 - BEGINNING);
        spent += room
            - choice
                .take(room, |choice, idx| is_asked(choice.statement(idx)) && !choice.is_dull(idx));
    }
    let last = (budget * LAST).min(room);
    spent + last - choice.take_last(last, told)
}

/// Whether a statement tells that something fails or is wrong, as things stood then.
pub(super) fn is_failing(it: &Statement) -> bool {
    let low = low(&it.text);
    let low = Seen::of(&low);
    !matches!(it.source, Source::Asked | Source::Change | Source::Reply | Source::Plan)
        && (low.has(&FAILURE) || low.has(&DEFECT))
        && !low.has(&GUESS)
        && !is_result(&low)
}

/// What a statement is about, whether it was said last or not.
pub(super) fn matter(all: &Statements, it: &Statement) -> Part {
    let low = low(&it.text);
    let low = Seen::of(&low);
    let requests = all.requests - it.request;
    let is_fresh = all.is_fresh(it) && !is_result(&low);
    let step = all.step(it);
    match it.source {
        Source::Change => Part::Done,
        Source::Asked if requests == 0 => Part::Now,
        Source::Asked => Part::Rules,
        Source::Reply => Part::Decided,
        _ if step == Some(Step::Open) => Part::Next,
        _ if it.source == Source::Plan || step == Some(Step::Begun) => Part::Decided,
        _ if is_fresh && requests <= 1 && is_near(all, it) && is_coming(&it.text) => Part::Next,
        _ if is_fresh && low.has(&FAILURE) && !low.has(&GUESS) => Part::Failed,
        _ if low.has(&DECISION) => Part::Decided,
        Source::Said if is_result(&low) => Part::Done,
        _ => Part::Found,
    }
}

/// Whether hardly anything was said since.
fn is_near(all: &Statements, it: &Statement) -> bool {
    all.messages < it.message + NEAR
}

/// Whether a sentence begins with what is still to come.
fn is_coming(text: &str) -> bool {
    has_any(&low(&text[..text.floor_char_boundary(OPENING)]), &COMING)
}

/// How much of a sentence tells that.
const OPENING: usize = 60;

/// For so many messages what is pending is taken to be.
const NEAR: u32 = 6;

/// What was asked first, then what was asked before where the last does not tell what it is about, then what was asked
/// last: the whole, or its beginning where it is long.
fn goal(digest: &Digest, budget: f32) -> (Vec<String>, Vec<String>) {
    let Some(last) = digest.voices.asks.back() else { return Default::default() };
    let room = ask_room(budget);
    let price = cost(&flat(last));
    let first = first_ask(digest).filter(|_| FIRST_ROOM <= budget * FIRST);
    let before = purpose(digest).filter(|ask| *ask != last && price + 20.0 <= room);
    let before = before.filter(|ask| Some(*ask) != first);
    // Its rules stand among those of all requests, but for the words that say what it is about.
    let opening = first.and_then(|ask| sentences(ask).next()).map(flat);
    let is_task = |sentence: &String| {
        Some(sentence) == opening.as_ref() || !digest.voices.standing.contains(sentence)
    };
    let told = |title: &str, ask: Option<&String>, room: f32, is_left: &dyn Fn(&String) -> bool| {
        let text = in_sentences(ask?, room, is_left);
        (!text.is_empty()).then(|| format!("{title}: \"{text}\""))
    };
    let first = told("Asked first", first, budget * FIRST, &is_task);
    let before = told(ASKED_BEFORE, before, room - price, &|_| true);
    // What was done for the requests before would be read as done for it.
    let is_begun = !digest.is_asked() || digest.voices.asks.len() < 2 || !is_order(last);
    let title = if is_begun { ASKED_LAST } else { NOT_BEGUN };
    // Of a long one further sentences are chosen by what they matter.
    let last = if price <= room {
        quoted(last, room).map(|text| format!("{title}: {text}"))
    } else {
        told(title, Some(last), room * BEGINNING, &|_| true)
    };
    let question = digest.voices.put.as_ref().filter(|_| last.is_some());
    let question = question.map(|Put { question, option, .. }| {
        let both = [question, option].map(|text| clip(text, room / QUESTION));
        let both: Vec<String> = both.into_iter().filter(|it| !it.is_empty()).collect();
        let put = if question.ends_with(['?', '？']) { PUT } else { SAID };
        format!("{put}{}", both.join(" → "))
    });
    (first.into_iter().chain(before).collect(), question.into_iter().chain(last).collect())
}

/// Whether a request tells to do something.
fn is_order(ask: &str) -> bool {
    WORDS <= cues::count(ask) && !ask.starts_with('/') && sentences(ask).any(cues::is_imperative)
}

/// How the last request is told, and one after which nothing was done or said.
const ASKED_LAST: &str = "Asked last";
const NOT_BEGUN: &str = "Asked last, not begun yet";

/// Which part of the last request's room the question has that it answers, and the option: one in so many.
const QUESTION: f32 = 2.5;

/// How many words a request has that tells what it is about.
const TELLING: usize = 10;

/// The first request, where it tells what it is about and the last does not say it again.
pub(crate) fn first_ask(digest: &Digest) -> Option<&String> {
    let last = digest.voices.asks.back()?;
    let tells = |ask: &&String| !last.starts_with(*ask) && TELLING <= cues::count(ask);
    digest.voices.first_ask.as_ref().filter(tells)
}

/// The last request that tells what it is about, and not only how things are done here, else the first.
pub(crate) fn purpose(digest: &Digest) -> Option<&String> {
    let is_task = |sentence: &String| !digest.voices.standing.contains(sentence);
    let says_task = |ask: &&String| {
        let sentences = sentences(ask).map(flat).filter(is_task);
        TELLING <= sentences.map(|it| cues::count(&it)).sum()
    };
    let tells = |ask: &&String| TELLING <= cues::count(ask);
    let asks = || digest.voices.asks.iter().rev();
    asks().find(says_task).or_else(|| asks().find(tells)).or(digest.voices.first_ask.as_ref())
}

/// What is said of the user's words that are newer than the page.
const SINCE: &str = "Since the notepad was written: ";

/// What stands beside the recap as a step, and the user ruled out since.
fn overruled(digest: &Digest, beside: &Said, room: f32) -> Vec<String> {
    let ruled_out = digest.statements.ruled_out();
    let paged_at = digest.work.paged_at;
    if paged_at == 0 || ruled_out.is_empty() {
        return Vec::new();
    }
    let steps = beside.steps().filter(|step| ruled_out.refuses_item(step, paged_at));
    listed(
        steps.map(|step| format!("Ruled out since the notepad was written: {}", flat(step))),
        room,
    )
}

/// The commands and sub-agents that run on.
fn running(digest: &Digest, room: f32) -> Vec<String> {
    let running =
        digest.work.in_flight().map(|call| format!("Running: `{}`", clip(&bare(call), 60.0)));
    let agents = digest.work.agents().map(|agent| format!("Sub-agent: {}", clip(agent, 30.0)));
    listed(running.chain(agents), room)
}

/// What the agent did behind the last words of both.
fn last_steps(digest: &Digest, room: f32) -> Vec<String> {
    let each = room.max(STEPS_ROOM) / 3.0;
    let step = |step: &digest::Step| match step {
        digest::Step::Edited(file) => format!("edited {file}"),
        digest::Step::Ran { line, end, said } => {
            let how = match end {
                End::Well => " ran well",
                End::Came => " ran",
            };
            let said = if said.is_empty() { String::new() } else { format!(" → \"{said}\"") };
            format!("`{}`{how}{said}", clip(&bare(line), each))
        }
    };
    let told: Vec<String> = digest.work.since.0.iter().map(step).collect();
    let line = format!("{LAST_STEPS}{}", told.join("; "));
    Some(line).filter(|_| !told.is_empty()).into_iter().collect()
}

/// What is said of that, and what it takes at least.
const LAST_STEPS: &str = "Last steps: ";
const STEPS_ROOM: f32 = 45.0;

/// The newest commits and pull requests; and the checks that ran well.
fn done(digest: &Digest, room: f32) -> (Vec<String>, Vec<String>) {
    let commits = digest.work.commits.newest().take(3).map(|it| committed(it, 30.0));
    let passing = &digest.work.passing;
    let pulls = passing.pulls.iter().rev().take(2).map(|link| format!("Pull request: {link}"));
    let runs = passing.runs.iter().rev().take(2).map(|it| {
        let edited = if it.step < digest.work.last_edit { ", before the last edits" } else { "" };
        let line = if it.line.is_empty() {
            String::new()
        } else {
            format!(" → {}", clip(&it.line, 30.0))
        };
        format!("`{}` passed{edited}{line}", clip(&it.command, 30.0))
    });
    let came = listed(commits.chain(pulls), room);
    // Whether the checks pass now is worth as much as a commit.
    let runs = listed(runs, (room - taken(&came)).max(room / 2.0));
    (came, runs)
}

/// How the work tree stands: what git stopped at, and the branch, where no commit is told of it.
fn tree(digest: &Digest, budget: f32) -> Vec<String> {
    let work = &digest.work;
    let newest = work.commits.newest().next();
    let branch = work.commits.branch.iter();
    let branch = branch.filter(|branch| newest.is_none_or(|it| it.branch != **branch));
    let branch = listed(branch.map(|branch| format!("On the branch {branch}")), budget * BRANCH);
    let halt = listed(work.halt.line().into_iter(), budget * OPEN);
    halt.into_iter().chain(branch).collect()
}

/// A commit as far as git told of it, its subject cut to `most` tokens.
pub(super) fn committed(commit: &Committed, most: f32) -> String {
    let part = |before: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("{before}{text}") }
    };
    let (hash, branch) = (part(" ", &commit.hash), part(" on ", &commit.branch));
    let pushed = if commit.pushed { ", pushed" } else { "" };
    format!("Committed{hash}{branch}{pushed}: {}", clip(&commit.subject, most))
}

/// The user's standing words, the newest last; nothing that `told` says already.
fn rules(digest: &Digest, beside: &Said, budget: f32, told: &str) -> Vec<String> {
    let paged_at = if beside.all.is_empty() { 0 } else { digest.work.paged_at };
    let newest = digest.voices.standing.iter().rev().map(|words| flat(words));
    let newest = newest.filter(|words| !is_told(told, words)).map(|words| {
        let is_newer = 0 < paged_at && paged_at < digest.statements.asked_at(&words);
        format!("{}\"{words}\"", if is_newer { SINCE } else { "" })
    });
    let mut lines = listed(newest, (budget * RULES).max(RULE_ROOM).min(budget / 6.0));
    lines.reverse();
    lines
}

pub(super) fn is_told(told: &str, words: &str) -> bool {
    told.contains(words.trim_end_matches([' ', '…']))
}

/// What the user asked for before the last request, the newest last, where neither `told` nor what is chosen says it.
fn asked_before(digest: &Digest, budget: f32, told: &str, choice: &Choice<'_>) -> Vec<String> {
    let is_left = |sentence: &String| !is_told(told, sentence) && !choice.has_said(sentence);
    let before = digest.voices.asks.iter().rev().skip(1);
    let before = before.filter(|ask| WORDS <= cues::count(ask) && !only_asks(ask));
    let before = before.map(|ask| {
        in_sentences(ask, REQUEST.min((budget * BEFORE - 2.0 * MARK).max(REQUEST / 2.0)), is_left)
    });
    let before = before.filter(|ask| !ask.is_empty()).map(|ask| format!("\"{ask}\""));
    let before = before.filter(|line| !choice.beside.says_line(Part::Rules, line));
    let mut asks = listed(before, budget * BEFORE);
    asks.reverse();
    asks
}

/// Whether each sentence of a message asks for an answer alone.
fn only_asks(ask: &str) -> bool {
    let mut only_asks = true;
    statement::sentences(ask, |text, _, _| {
        only_asks &= cues::is_asking(text);
        true
    });
    only_asks
}

/// What the user says in a message before what they pasted into it, in sentences that `most` tokens
/// have room for, as far as they are left to tell.
pub(super) fn in_sentences(ask: &str, most: f32, is_left: impl Fn(&String) -> bool) -> String {
    let own = before_pasted(ask);
    let (mut told, mut is_full, mut is_cut) = (String::new(), false, false);
    statement::sentences(&own, |text, _, follows| {
        let text = flat(text);
        is_cut = is_full || !is_left(&text);
        if is_cut {
            return false;
        }
        let before = if told.is_empty() { "" } else { follows.join(&told) };
        let longer = format!("{told}{before}{text}");
        is_full = most < cost(&longer);
        is_cut = is_full;
        match is_full {
            false => told = longer,
            true if told.is_empty() => told = quote(&text, most),
            true => {}
        }
        !is_full
    });
    let is_marked = told.is_empty() || told.ends_with('…') || !is_cut;
    told + if is_marked { "" } else { " …" }
}

fn quoted(text: &str, room: f32) -> Option<String> {
    Some(quote(text, room)).filter(|text| !text.is_empty()).map(|text| format!("\"{text}\""))
}

/// The commands that failed last, with the lines that say how: what was tried and given up, too.
fn failing(digest: &Digest, budget: f32) -> Vec<String> {
    let room = (budget * FAILING).max(FAILURE_ROOM).min(budget / 6.0);
    let failures = failures(digest);
    #[expect(clippy::cast_precision_loss, reason = "three at most")]
    let each = (room / failures.len() as f32).max(FAILURE_ROOM).min(room) - MARK;
    let line = |failure: &Failure| {
        let mark = match failure {
            past if digest.work.is_past(past) => "Tried: ",
            _ => "",
        };
        let behind = match failure {
            again if again.is_unseen => UNSEEN,
            stale if stale.step < digest.work.last_edit => NOT_AGAIN,
            _ => "",
        };
        failed(failure, each).map(|line| format!("{mark}{line}{behind}"))
    };
    listed(failures.into_iter().filter_map(line), room)
}

/// What is said of a failure behind which files were changed.
pub(super) const NOT_AGAIN: &str = " (files were changed since; not run again)";

/// What is said of one that was run again where its end is not told.
pub(super) const UNSEEN: &str = " (run again since; how that ended is not seen)";

/// The failures that are told, the newest first.
pub(crate) fn failures(digest: &Digest) -> Vec<&Failure> {
    let mut failures: Vec<&Failure> = Vec::new();
    for failure in digest.work.failures.iter().rev() {
        let is_old = failure.step + FAILED_AGO < digest.work.n_calls;
        let says_how = !failure.errors.is_empty() || failures.is_empty();
        let is_same = |told: &&Failure| {
            told.command == failure.command || says_how && told.errors == failure.errors
        };
        let again = failures.iter().any(is_same);
        // A look that found nothing is nothing to mend.
        if !failure.is_look && !is_old && says_how && !again && failures.len() < FAILURES {
            failures.push(failure);
        }
    }
    failures
}

fn failed(failure: &Failure, room: f32) -> Option<String> {
    let errors: Vec<&str> = failure.errors.iter().take(2).map(String::as_str).collect();
    let command = clip(&bare(&failure.command), room * 0.4);
    let errors = clip(&errors.join(" | "), room - cost(&command) - 3.0);
    let how = if errors.is_empty() { "" } else { " → " };
    Some(format!("`{command}`{how}{errors}")).filter(|_| !command.is_empty())
}

/// A command line without what only leads to it, and without where its errors go.
pub(super) fn bare(line: &str) -> String {
    let mut line = line.trim_start();
    while ["cd ", "echo ", "export ", "sleep ", "set "].iter().any(|lead| line.starts_with(lead)) {
        let end = line.find([';', '\n']).into_iter().chain(line.find("&&")).min();
        let Some(end) = end else { break };
        line = line[end..].trim_start_matches([';', '&']).trim_start();
    }
    line.replace(" 2>&1", "")
}

/// What lines take.
pub(super) fn taken(lines: &[String]) -> f32 {
    lines.iter().map(|line| cost(line) + MARK).sum()
}

/// The lines that there is room for, skipping what is too long.
pub(super) fn listed(lines: impl Iterator<Item = String>, mut room: f32) -> Vec<String> {
    let mut fitting = Vec::new();
    for line in lines {
        let price = cost(&line) + MARK;
        if price <= room {
            room -= price;
            fitting.push(line);
        }
    }
    fitting
}

/// The last sentence of a message that says what comes next.
pub(crate) fn announced(say: &str) -> Option<&str> {
    sentences(say).filter(|sentence| has_any(&low(sentence), &ANNOUNCING)).last()
}
