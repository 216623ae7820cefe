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
