//! Lines that one event alone tells, beside whatever else it brings or lacks.

use vademecum_core::context::Cap;
use vademecum_harness::hook::Event;
use vademecum_harness::hook::reply::Reply;

use super::answer::Answered;
use super::failing::unanswered;
use super::{Hook, start};

/// The answer, or what is said of its failure behind these lines, which never come again.
pub(super) fn all_told(
    (hook, event): (&Hook<'_>, &Event<'_>),
    lines: Vec<String>,
    answered: Answered,
) -> Answered {
    match answered {
        Err(error) if !lines.is_empty() => {
            start::queue(hook, None, &error);
            let reply = unanswered(hook, event, &error);
            Ok((Reply { context: before(&hook.cap, lines, reply.context), ..reply }, Some(error)))
        }
        answered => answered,
    }
}

/// Lines before a context that may have taken all the room; those that find none are left out.
pub(super) fn before(cap: &Cap, lines: Vec<String>, context: Option<String>) -> Option<String> {
    let mut left = cap.units.saturating_sub(context.as_deref().map_or(0, |it| cap.measure(it)));
    let mut told = lines;
    told.retain(|line| match left.checked_sub(cap.measure(line) + 1) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    told.extend(context);
    (!told.is_empty()).then(|| told.join("\n"))
}

#[cfg(test)]
mod tests {
    use vademecum_core::context::Unit;

    use super::*;

    #[test]
    fn a_line_stands_before_a_context_only_where_both_fit() {
        let cap = Cap { units: 10, unit: Unit::Bytes };
        let lines = || vec!["long line".to_owned(), "one".to_owned()];
        let told = |context: Option<&str>| before(&cap, lines(), context.map(str::to_owned));
        assert_eq!(told(None).as_deref(), Some("long line"));
        assert_eq!(told(Some("123456")).as_deref(), Some("one\n123456"));
        assert_eq!(told(Some("1234567")).as_deref(), Some("1234567"));
        assert_eq!(before(&cap, Vec::new(), None), None);
    }
}
