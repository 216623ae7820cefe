//! A recap for which there is no time.

use vademecum_harness::hook::{Event, Harness};
use vademecum_ops::moments::{Hook, answer};

use super::*;
use crate::moments::{context_of, hook};

/// Where there is no time for a new recap the one before is told, and how old it is.
#[test]
fn a_compaction_says_at_what_part_its_recap_was_made() {
    let claude = claude();
    works(&claude, &refund());
    let made = "## Recap of this session so far (made at ";
    assert!(!claude.starts("compact").contains(made));
    let hurried = |claude: &Claude| {
        let desk = &claude.desk;
        let event = claude.payload("SessionStart", &json!({"source": "compact"}));
        let event = Event::parse(Harness::ClaudeCode, "SessionStart", event.as_bytes());
        let hook = hook((&desk.store, None), &desk.world, &desk.config, Harness::ClaudeCode);
        let hook = Hook { recap_until: desk.world.now(), ..hook };
        context_of(&answer(&hook, &event.expect("an event")))
    };
    let more = (0..40).fold(finished(), |more, _| more.says("I read the webhook next, all of it."));
    more.tell(&claude);
    let context = hurried(&claude);
    let behind = context.split_once(made).map(|(_, behind)| behind).expect("a heading");
    assert!(behind.contains(" % of the transcript; what follows there is newer)\n"), "{context}");
    assert!(!claude.starts("compact").contains(made));
}

/// One that was killed while another worked on is told at the first start after it.
#[test]
fn a_killed_session_that_did_not_work_last_is_told_at_once() {
    let mut claude = claude();
    works(&claude, &refund());
    next(&mut claude, OTHER);
    claude.desk.session = Some(format!("claude-code:{OTHER}"));
    claude.desk.clock.fetch_add(60_000, std::sync::atomic::Ordering::SeqCst);
    claude.desk.object("add_note", json!({"content": "Look at the queue.", "tags": ["todo"]}));
    claude
        .desk
        .clock
        .fetch_add(vademecum_ops::who::LIVE_MS + 1, std::sync::atomic::Ordering::SeqCst);
    let offer = next(&mut claude, THIRD);
    assert!(offer.contains("Look at the queue"), "{offer}");
    assert!(offer.contains("killed in the middle of the work"), "{offer}");
}
