//! Which blocks a moment calls for, and how they are put together.

use super::agents::{Agents, Stopped};
use super::form::Form;
use super::knowledge::{Knowledge, Known};
use super::notes::Listing;
use super::page::{Stored, cut_inside};
use super::page_changes::PageChanges;
use super::recap::Told;
use super::table::{BlockName, Fitted, GAP, OPEN_NOTES, OUTSIDE_NOTES, Part, gap, settle};
use super::words::Missing;
use super::{Block, Context, Material, Moment, Sort, receipt, words};
use crate::note::Note;
use crate::profile::Layout;
use crate::scratchpad;

/// Drafts the context of a moment; the caller holds it against the cap.
pub(super) fn draft(material: &Material, form: &Form) -> Option<Context> {
    let material = &material.seen();
    let is_prompt = material.moment == Moment::Prompt;
    match material.profile.words().layout {
        Layout::Notepad if is_prompt && !material.outside.notepad => faults_alone(material, form),
        Layout::Notepad => Some(notepad_alone(material, form)),
        Layout::Scratchpad => scratchpad_alone(material, form),
        Layout::Framed(_) if is_prompt => changes(material, form),
        Layout::Framed(_) if material.is_unused() => {
            let is_new = matches!(material.moment, Moment::Start | Moment::Clear);
            let offer = if is_new { offer(material, form) } else { None };
            offer.or_else(|| hint(material, form))
        }
        Layout::Framed(_) => full(material, form),
    }
}

/// The one line of a session that keeps nothing yet, or its faults alone; behind it what the project knows.
fn hint(material: &Material, form: &Form) -> Option<Context> {
    let head = fixed(BlockName::Header, words::hint(material, form)?, "nothing is kept yet", form);
    Some(match known(material, &head, form) {
        Some(known) => sealed(Sort::Project, vec![head, known]),
        // What it says beside that is told once.
        None if !material.outside.gone.is_empty()
            || material.took_over.or(material.taken_by.map(|by| by.handle)).is_some() =>
        {
            sealed(Sort::Hint, vec![head])
        }
        None => unsealed(Sort::Hint, vec![head]),
    })
}

/// What is wrong with the memory, where nothing else is to be told.
fn faults_alone(material: &Material, form: &Form) -> Option<Context> {
    let text = words::faults_alone(material, form)?;
    Some(unsealed(Sort::Hint, vec![fixed(BlockName::Header, text, "nothing else is new", form)]))
}

/// What an offer and what the project knows cost together at most, in tokens.
const TOGETHER: usize = 450;

/// What the project knows, behind the one block of a new session; none where nothing is known.
fn known<'a>(material: &Material<'a>, head: &Block, form: &Form) -> Option<Block> {
    let within = |knowledge: Knowledge<'a>| {
        let max_tokens = knowledge.max_tokens.min(TOGETHER.saturating_sub(head.tokens()));
        Knowledge { max_tokens, ..knowledge }
    };
    let knowledge = material.knowledge.map(within);
    let known = Known::new(knowledge.as_ref(), material.outside.lapsed, form)?;
    let room = form.cap.units.saturating_sub(head.units + GAP + receipt::ROOM);
    Some(fit(&known, room, form)).filter(|block| !block.text.is_empty())
}

fn offer(material: &Material, form: &Form) -> Option<Context> {
    let text = words::offer(material.offer.as_ref()?, material, form)?;
    let why = "a session before left work open";
    let head = fixed(BlockName::Header, text, why, form);
    let known = known(material, &head, form);
    Some(sealed(Sort::Offer, std::iter::once(head).chain(known).collect()))
}

fn full(material: &Material, form: &Form) -> Option<Context> {
    let has_page = !material.is_page_empty() && !material.is_page_elsewhere();
    let page = has_page.then(|| stored(material, form));
    let recap = material.recap.as_ref().and_then(|recap| Told::new(recap, form));
    let agents = Agents::new(material.running, form);
    let gone = material.outside.gone;
    let notes = Listing::new(OPEN_NOTES, material.notes, material.n_open_notes, form).without(gone);
    let known = Known::new(material.knowledge.as_ref(), material.outside.lapsed, form);
    let page = page.as_ref().map(|page| page as &dyn Part);
    let recap = recap.as_ref().map(|recap| recap as &dyn Part);
    let agents = agents.as_ref().map(|agents| agents as &dyn Part);
    let known = known.as_ref().map(|known| known as &dyn Part);
    let notes = [&notes as &dyn Part];
    let parts: Vec<&dyn Part> =
        page.into_iter().chain(recap).chain(agents).chain(notes).chain(known).collect();
    if parts.len() == 1 && notes[0].of() == 0 && gone.is_empty() {
        return faults_alone(material, form);
    }
    Some(lay(Sort::Full, material, &parts, form))
}

fn changes(material: &Material, form: &Form) -> Option<Context> {
    let outside = &material.outside;
    let known = Known::new(material.knowledge.as_ref(), outside.lapsed, form);
    let changes_none = outside.gone.is_empty()
        && outside.stopped.is_empty()
        && outside.notes.iter().all(Note::is_scratched);
    if !outside.notepad && changes_none && known.is_none() && material.taken_by.is_none() {
        return faults_alone(material, form);
    }
    let page = outside.notepad.then(|| stored(material, form));
    let n_open = outside.notes.iter().filter(|note| !note.is_scratched()).count() as u64;
    let notes = Listing::new(OUTSIDE_NOTES, outside.notes, n_open + outside.more_notes, form)
        .and_gone(outside.gone);
    let readable = page.as_ref().filter(|page| page.is_complete()).zip(outside.page_before);
    let changed =
        readable.and_then(|(page, before)| PageChanges::new(before, material.notepad, page, form));
    let page = page.as_ref().map(|page| page as &dyn Part);
    let page = changed.as_ref().map(|changed| changed as &dyn Part).or(page);
    let known = known.as_ref().map(|known| known as &dyn Part);
    let stopped = Stopped::new(outside.stopped);
    let stopped = stopped.as_ref().map(|stopped| stopped as &dyn Part);
    let notes = [&notes as &dyn Part];
    let parts: Vec<&dyn Part> = page.into_iter().chain(stopped).chain(notes).chain(known).collect();
    Some(lay(Sort::Changes, material, &parts, form))
}

/// The published block and nothing else; a fault is said below it.
fn notepad_alone(material: &Material, form: &Form) -> Context {
    let sort = if material.is_page_empty() { Sort::Hint } else { Sort::Full };
    let page = Stored::alone(material.notepad, material.notepad_more, form);
    let faults = words::with_faults(String::new(), material.faults, form);
    let room = form.cap.units.saturating_sub(form.cap.measure(&faults));

    let mut context = unsealed(sort, vec![fit(&page, room, form)]);
    context.text.push_str(&faults);
    context
}

/// The published block inside a turn; elsewhere the next user message brings it.
fn scratchpad_alone(material: &Material, form: &Form) -> Option<Context> {
    let faults = words::with_faults(String::new(), material.faults, form);
    let units = form.cap.units.saturating_sub(form.cap.measure(&faults));
    let budget = material.scratchpad.filter(|_| material.moment.is_inside_turn());
    let block = budget.and_then(|budget| {
        let cap = super::Cap { units, ..form.cap };
        scratchpad::fitted(material.notepad, material.notepad_more, budget, &cap, form.nonce)
    });
    let Some(block) = block else { return faults_alone(material, form) };
    let why = "as the design has it";
    let mut context = unsealed(Sort::Full, vec![fixed(BlockName::Notepad, block, why, form)]);
    context.text.push_str(&faults);
    Some(context)
}

fn stored<'a>(material: &Material<'a>, form: &Form) -> Stored<'a> {
    Stored::new(material.notepad, material.notepad_more, form)
}

/// Puts the header, the parts in the order of the table, and what is left out together.
fn lay(sort: Sort, material: &Material, parts: &[&dyn Part], form: &Form) -> Context {
    let is_there = |part: &&&dyn Part| part.name() != BlockName::Notes || 0 < part.of();
    let names: Vec<BlockName> = parts.iter().filter(is_there).map(|part| part.name()).collect();
    let header = words::header(material, &names, form);
    let header = fixed(BlockName::Header, header, "always whole", form);
    let room = form.cap.units.saturating_sub(header.units + receipt::ROOM);

    let mut blocks = vec![header];
    let is_cut = 0 < material.notepad_more;
    let is_before = material.is_told_of_before();
    let n_open = material.n_open_notes;
    blocks.extend(fit_all(parts, room, (is_cut, is_before, n_open), form));
    // What the project knows counts itself.
    let counts_itself =
        |block: &&Block| block.name == BlockName::Knowledge && !block.text.is_empty();
    let is_all = blocks.iter().all(|block| missing(block, n_open).is_none());
    let uncounted = blocks.iter().filter(|block| !counts_itself(block));
    let missing = uncounted.filter_map(|block| missing(block, n_open));
    let tail = words::left_out(missing, is_cut, is_before);
    let why = match tail.as_str() {
        "" if is_all => "nothing is left out",
        "" => "counted above",
        _ => "always whole",
    };
    blocks.push(fixed(BlockName::LeftOut, tail, why, form));
    sealed(sort, blocks)
}

/// Fits the parts into the room; what one leaves of its own goes on to the next.
fn fit_all(
    parts: &[&dyn Part],
    room: usize,
    counted: (bool, bool, u64),
    form: &Form,
) -> Vec<Block> {
    let wants: Vec<_> = parts.iter().map(|part| (part.name(), gap(part.want(form)))).collect();
    let wanted: usize = wants.iter().map(|(_, want)| want).sum();
    let all_fit = wanted <= room && parts.iter().all(|part| part.is_complete());
    let tail = if all_fit { 0 } else { gap(longest_tail(parts, counted, form)) };

    let room = room.saturating_sub(tail);
    let grants = settle(room, &wants);
    let unwanted = room.saturating_sub(grants.iter().sum());
    let mut spare = 0;
    let mut blocks = Vec::with_capacity(parts.len());
    for (part, grant) in parts.iter().zip(grants) {
        let more = if part.name() == BlockName::Recap { unwanted } else { 0 };
        let room = grant + more + spare;
        let block = fit(*part, room.saturating_sub(GAP), form);
        spare = room.saturating_sub(gap(block.units));
        blocks.push(block);
    }
    blocks
}

/// The most that the left-out line can take: all of each part, and in the plural.
fn longest_tail(
    parts: &[&dyn Part],
    (is_cut, is_before, n_open): (bool, bool, u64),
    form: &Form,
) -> usize {
    let all = parts.iter().map(|part| {
        let (name, n) = (part.name(), part.of().max(2));
        Missing { name, n, inside: (name == BlockName::Notepad).then_some(n), of: n.max(n_open) }
    });
    form.cap.measure(&words::left_out(all, is_cut, is_before))
}

/// What of a block did not fit; a page may be cut inside a line, as its marker says.
fn missing(block: &Block, n_open: u64) -> Option<Missing> {
    let (name, n) = block.left_out()?;
    let marker = block.text.lines().next_back().unwrap_or_default();
    let inside = if name == BlockName::Notepad { cut_inside(marker) } else { None };
    Some(Missing { name, n, inside, of: block.of.max(n_open) })
}

fn fit(part: &dyn Part, room: usize, form: &Form) -> Block {
    let Fitted { text, shown, why } = part.fit(room, form);
    Block { shown, of: part.of(), ..block(part.name(), text, why, form) }
}

fn fixed(name: BlockName, text: String, why: &str, form: &Form) -> Block {
    block(name, text, why.to_owned(), form)
}

fn block(name: BlockName, text: String, why: String, form: &Form) -> Block {
    let units = form.cap.measure(&text);
    Block { name, text, units, shown: 1, of: 1, why }
}

fn unsealed(sort: Sort, blocks: Vec<Block>) -> Context {
    let texts = blocks.iter().map(|block| block.text.as_str()).filter(|text| !text.is_empty());
    let text = texts.collect::<Vec<_>>().join("\n\n");
    Context { sort, text, receipt: None, blocks, notice: None }
}

fn sealed(sort: Sort, blocks: Vec<Block>) -> Context {
    let mut context = unsealed(sort, blocks);
    context.text.push('\n');
    let receipt = receipt::receipt(&context.text);
    context.text.push_str(&receipt::line(&receipt));
    Context { receipt: Some(receipt), ..context }
}
