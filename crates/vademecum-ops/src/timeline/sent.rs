//! The contexts that were sent, each with what the transcript shows of it.

use vademecum_core::profile::Profile;
use vademecum_core::session::Session;
use vademecum_core::time::Time;
use vademecum_harness::claude_code::transcript::contexts::State;
use vademecum_harness::delivered::Delivered;

use super::transcript::Found;
use super::{Arrival, Dated, Event, Kind};
use crate::call::Call;
use crate::moments::{Sent, sent};

/// A context of the last minute may not be in the transcript yet.
const PENDING_MS: i64 = 60_000;

/// A context stands in the transcript at most so long after it was sent, in milliseconds.
const ON_THE_WAY_MS: i64 = 120_000;

/// All contexts that are known: those of the list of receipts, and those of the transcript beside it.
pub(super) fn contexts(call: &Call<'_>, session: &Session, found: &Found) -> Vec<Dated> {
    let name = session.key.to_string();
    let mut sent = sent(&call.world.folders.data);
    sent.retain(|sent| sent.session == name);
    let mut became: Vec<Option<&Delivered>> = vec![None; sent.len()];
    let mut events = Vec::new();
    // What has a receipt takes its place first: what has none may be any of the others.
    let (signed, others): (Vec<&Delivered>, Vec<&Delivered>) =
        found.contexts.iter().partition(|it| it.context.receipt.is_some());
    for delivered in signed.into_iter().chain(others) {
        let is_it = |idx: &usize| became[*idx].is_none() && is_of(delivered, &sent[*idx]);
        // Equal contexts have equal receipts: each is the last one that was sent before it came.
        match (0..sent.len()).rev().find(is_it) {
            Some(idx) => became[idx] = Some(delivered),
            None => events.push(unlisted(session, delivered)),
        }
    }
    let told = sent.iter().zip(became).filter_map(|(sent, it)| told(call, found, sent, it));
    events.extend(told);
    events
}

/// Whether this is what became of a context that was sent.
fn is_of(delivered: &Delivered, sent: &Sent) -> bool {
    match &delivered.context.receipt {
        Some(receipt) => {
            *receipt == sent.receipt && age(delivered, sent).is_none_or(|age| -1_000 <= age)
        }
        None => is_what_became(delivered, sent),
    }
}

/// How long after it was sent it stood in the transcript, in milliseconds.
fn age(delivered: &Delivered, sent: &Sent) -> Option<i64> {
    Some(delivered.at?.since(Time::parse(&sent.at)?))
}

/// Whether a text without its receipt may be what a harness made of this context.
fn is_what_became(delivered: &Delivered, sent: &Sent) -> bool {
    let Delivered { context, text, .. } = delivered;
    let is_event = context.event.is_empty() || context.event == sent.event;
    is_event
        && !Profile::is_warning(text)
        && age(delivered, sent).is_some_and(|age| (-1_000..ON_THE_WAY_MS).contains(&age))
        && match context.state {
            State::Preview => true,
            // A short line that has no receipt by itself is another text.
            State::Changed => sent.units / 2 < text.len(),
            State::Whole | State::Sent => false,
        }
}

fn told(
    call: &Call<'_>,
    found: &Found,
    sent: &Sent,
    delivered: Option<&Delivered>,
) -> Option<Dated> {
    let at = Time::parse(&sent.at)?;
    let arrival = match delivered.map(|it| it.context.state) {
        Some(State::Whole) => Arrival::Whole,
        Some(State::Preview) => Arrival::Preview,
        Some(State::Changed | State::Sent) => Arrival::Changed,
        None if !found.tells_of(at) => Arrival::Unknown,
        None if call.now().since(at) < PENDING_MS => Arrival::Pending,
        None => Arrival::Missing,
    };
    let text = format!("{}: {}, {} characters", sent.event, arrival.words(), sent.units);
    Some((
        at,
        Event {
            moment: Some(sent.event.clone()),
            arrival: Some(arrival),
            receipt: Some(sent.receipt.clone()),
            body: delivered.map(|it| it.text.clone()),
            ..Event::new(at, Kind::Context, &text)
        },
    ))
}

/// A context that the list of receipts does not have: it has none, or its line went.
fn unlisted(session: &Session, delivered: &Delivered) -> Dated {
    let Delivered { at, context, text } = delivered;
    let at = at.unwrap_or(session.started_at);
    let arrival = match (context.state, &context.receipt) {
        (State::Whole, _) => Arrival::Whole,
        (State::Preview, _) => Arrival::Preview,
        (State::Changed | State::Sent, Some(_)) => Arrival::Changed,
        (State::Changed | State::Sent, None) => Arrival::Unproven,
    };
    let is_warning = context.receipt.is_none() && Profile::is_warning(text);
    let kind = if is_warning { Kind::Warning } else { Kind::Context };
    let moment = Some(context.event.clone()).filter(|event| !event.is_empty());
    let head = moment.as_ref().map_or_else(String::new, |event| format!("{event}: "));
    let line = format!("{head}{}, {} bytes", arrival.words(), text.len());
    let event = if is_warning { Event::new(at, kind, text) } else { Event::new(at, kind, &line) };
    (
        at,
        Event {
            moment,
            arrival: Some(arrival),
            receipt: context.receipt.clone(),
            body: Some(text.clone()),
            ..event
        },
    )
}
