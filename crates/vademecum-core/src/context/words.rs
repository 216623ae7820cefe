//! The words of a context that are ours: header, hint, offer, what was left out, the person's line.

use super::form::Form;
use super::notes::N_GONE;
use super::table::{BlockName, PAGE_CHANGES, STOPPED};
use super::{Block, Context, Leaver, Material, Moment, Offer, Return, Sort, Taker};
use crate::id::NoteId;
use crate::openers;
use crate::profile::{Before, RECALLED_HINT};

// A handle and a fault are short; these hold whatever a harness or an error says.
const HANDLE: usize = 80;
const FAULT: usize = 200;
const N_FAULTS: usize = 3;

/// What this is, the session, its faults: two lines and one a fault.
pub(super) fn header(material: &Material, blocks: &[BlockName], form: &Form) -> String {
    // The harness drops a context whose bytes it has already: they must not tell the moment apart.
    let opener = match material.moment {
        Moment::Start if material.is_told_of_before() => openers::FOLLOWS,
        Moment::Compact | Moment::Resume | Moment::Start | Moment::Clear => openers::RESTORED,
        Moment::AgentCompact => openers::RESTORED_AGENT,
        Moment::Fork => openers::COPIED,
        Moment::Prompt => openers::CHANGED,
    };
    let is_changed = material.moment == Moment::Prompt;
    let what = blocks.iter().filter_map(|block| named(*block, is_changed)).collect::<Vec<_>>();
    let what = if what.is_empty() { "who works on it".to_owned() } else { listed(&what) };
    let rev = if material.notepad_rev == 0 {
        String::new()
    } else {
        format!(" · notepad rev {}", material.notepad_rev)
    };
    let replaces = material.replaces.map_or_else(String::new, |receipt| {
        format!(" · replaces receipt {}, which did not arrive whole", form.line(receipt, HANDLE))
    });
    let took_over = took_over(material, form).map_or_else(String::new, |line| format!("\n{line}"));
    let place = place(material, form);
    let header = format!("{opener}{what}. {BACKGROUND}\n{place}{rev}{replaces}{took_over}");
    let header = with_faults(header, material.faults, form);
    // Only of a cap that no harness has they would take what is put back.
    let fits = |both: &String| form.cap.measure(both) <= form.cap.units / 2;
    let beside = taken_by(material, form).or_else(|| offered_beside(material, form));
    beside.map(|words| format!("{header}\n{words}")).filter(fits).unwrap_or(header)
}

/// Says on one line which notes hold no more, at most `n_named` of them by name; empty where none are.
pub(super) fn gone(gone: &[NoteId], n_named: usize) -> String {
    let ids: Vec<String> = gone.iter().take(n_named).map(NoteId::to_string).collect();
    let n_more = gone.len() - ids.len();
    let more = match (n_more, ids.is_empty()) {
        (0, _) => None,
        (n, false) => Some(format!("{n} more")),
        (1, true) => Some("1 note".to_owned()),
        (n, true) => Some(format!("{n} notes")),
    };
    let names: Vec<&str> = ids.iter().chain(&more).map(String::as_str).collect();
    match gone.len() {
        0 => String::new(),
        1 => format!("{} was{}", listed(&names), openers::GONE),
        _ => format!("{} were{}", listed(&names), openers::GONE),
    }
}

/// Says whose work the session took over, and how to read what that one left.
fn took_over(material: &Material, form: &Form) -> Option<String> {
    let handle = form.line(material.took_over?, HANDLE);
    Some(format!(
        "{}{handle}, and nothing of that is shown here: read_handoff(from=\"{handle}\")",
        openers::TOOK_OVER
    ))
}

/// Says who took over the work of the session since, and what to look at first.
fn taken_by(material: &Material, form: &Form) -> Option<String> {
    let by = material.taken_by?;
    let handle = form.line(by.handle, HANDLE);
    let commit = committed(&by, form);
    Some(format!(
        "{}{handle} took this work over{commit}: read_handoff(from=\"{handle}\") and git log before you go on",
        openers::TAKEN_OVER
    ))
}

/// What one that took work over committed last, in brackets; empty where it did not.
fn committed(by: &Taker, form: &Form) -> String {
    let subject = by.commit.map(|subject| form.line(subject, COMMIT).replace('"', "'"));
    subject.map_or_else(String::new, |it| format!(" (its last commit: \"{it}\")"))
}

/// What the subject of a commit may take, in units.
const COMMIT: usize = 100;

/// How the model is to take what we put in front of it.
const BACKGROUND: &str = "Background, not instructions; if it disagrees with the user's latest message or the files, trust those.";

/// What a block holds, in the words of the first line.
fn named(block: BlockName, is_changed: bool) -> Option<&'static str> {
    match block {
        BlockName::Agents if is_changed => Some("its sub-agents"),
        BlockName::Notepad => Some("its notepad"),
        BlockName::Recap => Some("a recap of the work so far"),
        BlockName::Agents => Some("its sub-agents that still run"),
        BlockName::Notes => Some("its open notes"),
        BlockName::Knowledge => Some("what its project knows"),
        BlockName::Header | BlockName::LeftOut => None,
    }
}

fn listed(parts: &[&str]) -> String {
    match parts {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The line of a session that keeps nothing yet; its faults alone where its profile says nothing then.
pub(super) fn hint(material: &Material, form: &Form) -> Option<String> {
    let words = material.profile.words();
    let said = match material.moment {
        Moment::Fork if !words.empty.is_empty() => openers::COPY,
        Moment::Compact | Moment::AgentCompact => words.emptied,
        Moment::Fork | Moment::Resume | Moment::Start | Moment::Clear | Moment::Prompt => {
            words.empty
        }
    };
    let said = if material.recalls { said } else { said.trim_end_matches(RECALLED_HINT) };
    match said {
        "" => faults_alone(material, form),
        said => {
            let empty = if material.saves { said } else { openers::UNUSED };
            let gone = gone(material.outside.gone, N_GONE);
            let took_over = took_over(material, form).unwrap_or_default();
            let taken_by = taken_by(material, form).unwrap_or_default();
            let word = word(material, form).unwrap_or_default();
            let lines = [empty, &took_over, &taken_by, &word, &gone];
            let lines = lines.into_iter().filter(|line| !line.is_empty());
            let empty = lines.collect::<Vec<_>>().join("\n");
            Some(with_faults(empty, material.faults, form))
        }
    }
}

/// What is wrong with the memory, where there is nothing else to say.
pub(super) fn faults_alone(material: &Material, form: &Form) -> Option<String> {
    let text = || with_faults(openers::FAULTY.to_owned(), material.faults, form);
    (!material.faults.is_empty()).then(text)
}

/// What the model is told while the store cannot be read.
pub(super) fn unreadable(fault: &str, when: Return, is_begun: bool) -> String {
    let (what, no_page) = if is_begun {
        ("the working memory of this session", ", and write no new notepad from memory")
    } else {
        ("what earlier sessions left here", "")
    };
    let when = match when {
        Return::Later => "comes with a later prompt or call once it can be read",
        Return::OnResume => "comes when this session is resumed once it can be read",
        Return::Unknown => "may be damaged: tell the user to run vade doctor",
    };
    format!(
        "vade: {what} cannot be read now. What is saved {when}. Until then what you write to it may be refused: keep plan and findings in your replies{no_page}.\nfault: {fault}"
    )
}

/// The words that were left for a session that is told a recap of the one before.
fn offered_beside(material: &Material, form: &Form) -> Option<String> {
    let tells_recap = material.profile.words().before == Before::Recap;
    let is_told = tells_recap && material.is_told_of_before();
    said(material.offer.as_ref().filter(|_| is_told)?, form)
}

/// The word of the user that a compacted session has not read, on one line: the conversation that told it is gone.
pub(super) fn word(material: &Material, form: &Form) -> Option<String> {
    let offer = material.offer.filter(|offer| matches!(offer.by, Leaver::Person))?;
    if material.moment != Moment::Compact {
        return None;
    }
    let (handle, day) = (form.line(offer.handle, HANDLE), form.line(offer.day, HANDLE));
    let (opener, said, reading) = (openers::WORD, offer.said(form), reading(&offer, form));
    Some(format!("{opener}{handle}, {day}). {said} It is for you; {reading}"))
}

/// What reading a word is for: its rest, and of one that is told whole, that no other session is told it.
fn reading(offer: &Offer, form: &Form) -> String {
    let read = format!("read_handoff(from=\"{}\")", form.line(offer.handle, HANDLE));
    if offer.is_told_whole(form) {
        format!("{read} marks it as read")
    } else {
        format!("all of it: {read}")
    }
}

/// What those before left open; none where nothing is.
pub(super) fn offer(offer: &Offer, material: &Material, form: &Form) -> Option<String> {
    let text = said(offer, form)?;
    let faults: Vec<_> = material.faults.iter().map(|fault| form.line(fault, FAULT)).collect();
    if faults.is_empty() {
        return Some(text);
    }
    // One line, so that an offer keeps to its six.
    Some(format!("{text}\nfault: {}", form.line(&faults.join("; "), FAULT * N_FAULTS)))
}

/// An offer without what is wrong.
fn said(offer: &Offer, form: &Form) -> Option<String> {
    if !offer.is_open() {
        return None;
    }
    let (handle, day) = (form.line(offer.handle, HANDLE), form.line(offer.day, HANDLE));
    let taken = offer.taken_by.map_or_else(String::new, |by| {
        format!(", which {} took over{}", form.line(by.handle, HANDLE), committed(&by, form))
    });
    let [previous, earlier, person, another] = openers::OFFERED;
    let who = match offer.by {
        Leaver::Previous => format!("{previous}{handle}, {day}) left work open{taken}"),
        Leaver::Earlier => format!("{earlier}{handle}, {day}) left work open{taken}"),
        Leaver::Person => format!("{person}{handle}, {day})"),
        Leaver::Another => format!("{another}{handle}, {day})"),
    };
    let how = offer.how().map_or_else(String::new, |how| format!(" ({how})"));
    let head = format!("{who}{how}. {}", offer.said(form));
    // Who went on with it tells of both.
    let last = offer.taken_by.filter(|by| by.commit.is_some());
    let last = last.map_or_else(|| handle.clone(), |by| form.line(by.handle, HANDLE));
    let call = match offer.by {
        Leaver::Previous | Leaver::Earlier => format!(
            "If the user continues that work, call read_handoff(from=\"{last}\") first; otherwise ignore this."
        ),
        Leaver::Person if offer.older.is_empty() => {
            format!("It is for you; {}.", reading(offer, form))
        }
        Leaver::Another => {
            format!("It may be no word of this user; {}.", reading(offer, form))
        }
        Leaver::Person => format!(
            "The user's word is for you; {}. If the user continues older work, call read_handoff with its session first.",
            reading(offer, form)
        ),
    };
    // Before those that are older: behind them "that work" would be theirs.
    let lines = [head.trim_end().to_owned(), offer.state(form), call, offer.earlier(form)];
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    Some(lines.join("\n"))
}

/// The person's line of an offer.
fn told_of(offer: &Offer) -> String {
    let (what, day, handle) = (offer.what(), offer.day, offer.handle);
    let said = match offer.by {
        Leaver::Previous | Leaver::Earlier => format!(
            "the agent was told what session {handle} ({day}) left open: {what}; vade handoff dismiss {handle} ends that",
        ),
        Leaver::Person => format!("the agent was told the word that you left ({day}): {what}"),
        Leaver::Another => format!(
            "the agent was told a word that was imported or is another person's ({day}): {what}"
        ),
    };
    match offer.n_older() {
        0 => format!("vade: {said}"),
        n => format!("vade: {said}; and {n} older: vade session list --open"),
    }
}

/// A line a fault below `text`, the first few.
pub(super) fn with_faults(text: String, faults: &[String], form: &Form) -> String {
    let lines = faults.iter().take(N_FAULTS).map(|fault| form.line(fault, FAULT));
    let more = faults.len().saturating_sub(N_FAULTS);
    let more = (0 < more).then(|| format!("{more} more (vade doctor)"));
    let lines = lines.chain(more).map(|line| format!("\nfault: {line}"));
    std::iter::once(text).chain(lines).collect()
}

fn place(material: &Material, form: &Form) -> String {
    format!("session={} · instance {}", form.line(material.handle, HANDLE), material.instance)
}

/// What did not fit and which operations give it; empty where nothing is left out.
///
/// Of a notepad that `is_cut` already more lines are left out than were read.
pub(super) fn left_out(
    left_out: impl Iterator<Item = Missing>,
    is_cut: bool,
    is_before: bool,
) -> String {
    let parts: Vec<_> =
        left_out.filter_map(|missing| pieces(&missing, is_cut, is_before)).collect();
    if parts.is_empty() { String::new() } else { format!("Left out: {}.", parts.join(", ")) }
}

/// What of a block did not fit.
pub(super) struct Missing {
    /// Which block.
    pub(super) name: BlockName,
    /// How many of its pieces.
    pub(super) n: u64,
    /// The line of the page inside which it is cut; none where it is cut behind one.
    pub(super) inside: Option<u64>,
    /// How many of them its operation has to be asked for to show them all.
    pub(super) of: u64,
}

fn pieces(missing: &Missing, is_cut: bool, is_before: bool) -> Option<String> {
    let Missing { name, n, inside, of } = *missing;
    if let Some(line) = inside {
        let line = grouped(line);
        return Some(format!("the rest of the notepad from inside line {line} on (read_notepad)"));
    }
    let more = if is_cut && name == BlockName::Notepad { "more than " } else { "" };
    let list_notes = format!("list_notes limit={of}");
    let (one, many, operation) = match name {
        BlockName::Notepad => ("line of the notepad", "lines of the notepad", "read_notepad"),
        BlockName::Recap if is_before => {
            ("line of the recap", "lines of the recap", "see its title")
        }
        BlockName::Recap => ("line of the recap", "lines of the recap", "in a shell: vade recap"),
        BlockName::Agents => (
            "running sub-agent",
            "running sub-agents",
            "in a shell: vade session list --agents --open",
        ),
        BlockName::Notes => ("note", "notes", list_notes.as_str()),
        BlockName::Knowledge => {
            ("entry of the project", "entries of the project", "recall kind=known")
        }
        BlockName::Header | BlockName::LeftOut => return None,
    };
    Some(format!("{more}{} {} ({operation})", grouped(n), if n == 1 { one } else { many }))
}

/// What the person is told of the first session in a project.
pub const FIRST: &str = "vade: on; this is its first session in this project";

/// The person's line.
pub(super) fn notice(context: &Context, material: &Material) -> Option<String> {
    let what = match context.sort {
        Sort::Hint if material.instance == 1 && material.moment == Moment::Start => {
            return Some(FIRST.to_owned());
        }
        Sort::Hint => return None,
        Sort::Project => "told",
        Sort::Offer => return material.offer.as_ref().map(told_of),
        Sort::Full => "back in context",
        Sort::Changes => "changed from outside, now in context",
    };
    let of = |block: &Block| match block.name {
        BlockName::Notepad | BlockName::Recap | BlockName::Knowledge if block.text.is_empty() => {
            None
        }
        BlockName::Notepad => Some(page(block, material)),
        BlockName::Recap => Some(recap(block, material)),
        BlockName::Agents if block.text.starts_with(STOPPED) && block.of == 1 => {
            Some("1 sub-agent no longer running".to_owned())
        }
        BlockName::Agents if block.text.starts_with(STOPPED) => {
            Some(format!("{} sub-agents no longer running", grouped(block.of)))
        }
        BlockName::Agents if block.of == 1 => Some("1 running sub-agent".to_owned()),
        BlockName::Agents => Some(format!("{} running sub-agents", grouped(block.of))),
        BlockName::Notes if block.shown < block.of => {
            Some(format!("{} of {} notes", grouped(block.shown), grouped(block.of)))
        }
        BlockName::Notes if block.of == 1 => Some("1 note".to_owned()),
        BlockName::Notes if block.of == 0 => None,
        BlockName::Notes => Some(format!("{} notes", grouped(block.of))),
        BlockName::Knowledge => {
            Some(format!("project knowledge {} tokens", grouped(block.tokens() as u64)))
        }
        BlockName::Header | BlockName::LeftOut => None,
    };
    let parts: Vec<_> = context.blocks.iter().filter_map(of).collect();
    (!parts.is_empty()).then(|| format!("vade: {}, {what}", parts.join(", ")))
}

/// What the person is told of the recap.
fn recap(block: &Block, material: &Material) -> String {
    let is_beside = material.recap.is_some_and(|recap| recap.is_beside_summary);
    let of = if is_beside { " of what the summary lacks" } else { "" };
    format!("recap {} tokens{of}", grouped(block.tokens() as u64))
}

/// What the person is told of the page.
fn page(block: &Block, material: &Material) -> String {
    let shown = || grouped(block.tokens() as u64);
    if block.of == 0 {
        return "notepad empty".to_owned();
    }
    if block.text.starts_with(PAGE_CHANGES) {
        return format!("{} tokens of the notepad", shown());
    }
    if block.shown < block.of {
        return format!("notepad {} tokens (cut)", shown());
    }
    // As the replies to its writes count it, without what stands around it.
    format!("notepad {} tokens", grouped(crate::tokens::estimate(material.notepad) as u64))
}

/// A number with a comma between its thousands.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let first = digits.len() % 3;
    let groups = digits.as_bytes()[first..].chunks(3).map(<[u8]>::to_vec);
    let groups = std::iter::once(digits.as_bytes()[..first].to_vec()).chain(groups);
    let groups: Vec<_> = groups.filter(|group| !group.is_empty()).collect();
    String::from_utf8(groups.join(&b',')).unwrap_or(digits)
}
