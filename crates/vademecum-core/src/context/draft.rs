//! Which blocks a moment calls for, and how they are put together.

use super::agents::Agents;
use super::form::Form;
use super::notes::Listing;
use super::page::Stored;
use super::recap::Told;
use super::table::{BlockName, Fitted, OPEN_NOTES, OUTSIDE_NOTES, Part, settle};
use super::{Block, Context, Material, Moment, Sort, receipt, words};
use crate::note::Note;
use crate::notepad::{self, Wording};

// An empty line parts the blocks.
const GAP: usize = 2;

/// Drafts the context of a moment; the caller holds it against the cap.
pub(super) fn draft(material: &Material, form: &Form) -> Option<Context> {
    match (material.wording, material.moment) {
        (_, Moment::Prompt) => changes(material, form),
        (Wording::Seed0, _) => Some(seed0(material, form)),
        (Wording::Factual, Moment::Start | Moment::Clear) if material.is_unused() => {
            Some(offer(material, form).unwrap_or_else(|| hint(material, form)))
        }
        (Wording::Factual, _) if material.is_unused() => Some(hint(material, form)),
        (Wording::Factual, _) => Some(full(material, form)),
    }
}

fn hint(material: &Material, form: &Form) -> Context {
    let text = words::hint(material, form);
    unsealed(Sort::Hint, vec![fixed(BlockName::Header, text, "nothing is kept yet", form)])
}

fn offer(material: &Material, form: &Form) -> Option<Context> {
    let text = words::offer(material.offer.as_ref()?, material, form)?;
    let why = "the session before left something open";
    Some(sealed(Sort::Offer, vec![fixed(BlockName::Header, text, why, form)]))
}

fn full(material: &Material, form: &Form) -> Context {
    let page = (!is_empty(material)).then(|| stored(material, form));
    let recap = material.recap.as_ref().and_then(|recap| Told::new(recap, form));
    let agents = Agents::new(material.running, form);
    let notes = Listing::new(OPEN_NOTES, material.notes, material.n_open_notes, form);
    let page = page.as_ref().map(|page| page as &dyn Part);
    let recap = recap.as_ref().map(|recap| recap as &dyn Part);
    let agents = agents.as_ref().map(|agents| agents as &dyn Part);
    let parts: Vec<&dyn Part> =
        page.into_iter().chain(recap).chain(agents).chain([&notes as &dyn Part]).collect();
    lay(Sort::Full, material, &parts, form)
}

fn changes(material: &Material, form: &Form) -> Option<Context> {
    let outside = &material.outside;
    if !outside.notepad && outside.gone.is_empty() && outside.notes.iter().all(Note::is_scratched) {
        return (!material.faults.is_empty()).then(|| faults(material, form));
    }
    if material.wording == Wording::Seed0 {
        return outside.notepad.then(|| seed0(material, form));
    }
    let page = outside.notepad.then(|| stored(material, form));
    let n_open = outside.notes.iter().filter(|note| !note.is_scratched()).count() as u64;
    let notes = Listing::new(OUTSIDE_NOTES, outside.notes, n_open + outside.more_notes, form)
        .and_gone(outside.gone);
    let page = page.as_ref().map(|page| page as &dyn Part);
    let parts: Vec<&dyn Part> = page.into_iter().chain([&notes as &dyn Part]).collect();
    Some(lay(Sort::Changes, material, &parts, form))
}

/// What is wrong with the memory, where nothing else is to be told.
fn faults(material: &Material, form: &Form) -> Context {
    let text = words::faults(material, form);
    unsealed(Sort::Hint, vec![fixed(BlockName::Header, text, "nothing else is new", form)])
}

/// The seed's block and nothing else; a fault is said below it.
fn seed0(material: &Material, form: &Form) -> Context {
    let faults = words::with_faults(String::new(), material.faults, form);
    let room = form.cap.units.saturating_sub(form.cap.measure(&faults));
    let page = stored(material, form);

    let sort = if is_empty(material) { Sort::Hint } else { Sort::Full };
    let mut context = unsealed(sort, vec![fit(&page, room, form)]);
    context.text.push_str(&faults);
    context
}

fn stored<'a>(material: &Material<'a>, form: &Form) -> Stored<'a> {
    Stored::new(material.notepad, material.notepad_more, form)
}

fn is_empty(material: &Material) -> bool {
    material.notepad_more == 0 && notepad::is_empty(material.notepad)
}

/// Puts the header, the parts in the order of the table, and what is left out together.
fn lay(sort: Sort, material: &Material, parts: &[&dyn Part], form: &Form) -> Context {
    let header = fixed(BlockName::Header, words::header(material, form), "always whole", form);
    let room = form.cap.units.saturating_sub(header.units + receipt::ROOM);

    let mut blocks = vec![header];
    let is_cut = 0 < material.notepad_more;
    blocks.extend(fit_all(parts, room, is_cut, form));
    let tail = words::left_out(blocks.iter().filter_map(Block::left_out), is_cut);
    let why = if tail.is_empty() { "nothing is left out" } else { "always whole" };
    blocks.push(fixed(BlockName::LeftOut, tail, why, form));
    sealed(sort, blocks)
}

/// Fits the parts into the room; what one leaves of its own goes on to the next.
fn fit_all(parts: &[&dyn Part], room: usize, is_cut: bool, form: &Form) -> Vec<Block> {
    let wants: Vec<_> = parts.iter().map(|part| (part.name(), gap(part.want(form)))).collect();
    let wanted: usize = wants.iter().map(|(_, want)| want).sum();
    let all_fit = wanted <= room && parts.iter().all(|part| part.is_complete());
    let tail = if all_fit { 0 } else { gap(longest_tail(parts, is_cut, form)) };

    let mut spare = 0;
    let mut blocks = Vec::with_capacity(parts.len());
    for (part, grant) in parts.iter().zip(settle(room.saturating_sub(tail), &wants)) {
        let room = grant + spare;
        let block = fit(*part, room.saturating_sub(GAP), form);
        spare = room.saturating_sub(gap(block.units));
        blocks.push(block);
    }
    blocks
}

/// The most that the left-out line can take: all of each part, and in the plural.
fn longest_tail(parts: &[&dyn Part], is_cut: bool, form: &Form) -> usize {
    let all = parts.iter().map(|part| (part.name(), part.of().max(2)));
    form.cap.measure(&words::left_out(all, is_cut))
}

fn gap(units: usize) -> usize {
    if units == 0 { 0 } else { GAP + units }
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
    Context { sort, text, receipt: None, blocks }
}

fn sealed(sort: Sort, blocks: Vec<Block>) -> Context {
    let mut context = unsealed(sort, blocks);
    context.text.push('\n');
    let receipt = receipt::receipt(&context.text);
    context.text.push_str(&receipt::line(&receipt));
    Context { receipt: Some(receipt), ..context }
}
