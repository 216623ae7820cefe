//! What a text that is kept of a session does not say of it: asked before the session is compacted.

use vademecum_core::profile::{Lack, Topic};

use super::choose::Choice;
use super::files;
use super::prose::{announced, bare, committed, failures, in_sentences, matter, purpose};
use super::said::Said;
use super::{Part, clip};
use crate::digest::Digest;
use crate::rank::is_narration;
use crate::statement::{Source, Statement, flat};

/// So many things of one topic are looked for.
const LOOKED_FOR: usize = 4;

/// How many tokens an example has, and one that has a command and the message of its error.
const EXAMPLE: f32 = 30.0;
const FAILED: f32 = 45.0;

/// Things of one topic, the most needed first, each with whether it is said.
#[derive(Default)]
struct Things(Vec<(String, bool)>);

impl Things {
    fn add(&mut self, text: String, is_said: bool) {
        if self.0.len() < LOOKED_FOR && !text.is_empty() {
            self.0.push((text, is_said));
        }
    }

    /// The first that is not said, where more than half of them are not.
    fn lacking(self) -> Option<String> {
        let n_said = self.0.iter().filter(|(_, is_said)| *is_said).count();
        let is_lacking = 2 * n_said < self.0.len();
        self.0.into_iter().find(|(_, is_said)| is_lacking && !is_said).map(|(text, _)| text)
    }
}

impl Digest {
    /// The user's standing words that `kept` does not say, the newest last.
    #[must_use]
    pub fn rules_beside(&self, kept: &str) -> Vec<String> {
        let said = Said::of(kept);
        let standing = self.voices.standing.iter().map(|words| flat(words));
        standing.filter(|words| !says_rule(self, &said, words)).collect()
    }

    /// What the session has that `kept` does not say, each topic once; none without anything to say.
    ///
    /// Where nothing is kept each topic is one to ask for, even where no example of it stands out: whoever wrote with all six
    /// before them told more of what was decided and why.
    #[must_use]
    pub fn lacking(&self, kept: &str) -> Option<Vec<Lack>> {
        let said = Said::of(kept);
        let (none, keeps_none) = (Said::default(), kept.trim().is_empty());
        let choice = Choice::new(self, &none);
        let things = [
            (Topic::Now, now(self, &said)),
            (Topic::Why, stated(&choice, &said, Part::Decided)),
            (Topic::Failed, failed(self, &choice, &said)),
            (Topic::Rules, ruled(self, &said)),
            (Topic::Done, done(self, &choice, (kept, &said))),
            (Topic::Where, places(self, kept)),
        ];
        if things.iter().all(|(_, things)| things.0.is_empty()) {
            return None;
        }
        let lack = |(topic, things): (_, Things)| {
            let most = if topic == Topic::Failed { FAILED } else { EXAMPLE };
            let example = things.lacking().map(|it| clip::clip(&it, most)).unwrap_or_default();
            Some(Lack { topic, example }).filter(|lack| keeps_none || !lack.example.is_empty())
        };
        Some(things.into_iter().filter_map(lack).collect())
    }
}

/// What is open of the list, and what the agent said comes next.
fn now(digest: &Digest, said: &Said) -> Things {
    let mut things = Things::default();
    let next = digest.voices.says.back().and_then(|say| announced(say));
    // What it is about to look at is no step.
    let next = next.filter(|next| !is_narration(next));
    let ruled_out = digest.statements.ruled_out();
    let next = next.filter(|text| !ruled_out.has(text));
    let items = digest.work.open_items().map(|item| item.text.as_str());
    let items = items.filter(|text| !ruled_out.has_item(text, digest.work.listed_at));
    for text in next.into_iter().chain(items) {
        things.add(flat(text), said.says_text(text));
    }
    if things.0.is_empty() {
        // A word of assent tells no step, and a complaint is one only as what the user asked.
        let asked = purpose(digest).map(|ask| in_sentences(ask, EXAMPLE - 8.0, |_| true));
        let asked = asked.filter(|ask| ask.contains(char::is_alphanumeric));
        if let Some(asked) = asked {
            let is_said = said.says_text(&asked);
            things.add(format!("what the user asked: \"{asked}\""), is_said);
        }
    }
    things
}

/// The statements of a part that are worth most.
fn stated(choice: &Choice<'_>, said: &Said, part: Part) -> Things {
    let all = choice.statements;
    let is_of = |it: &Statement| it.source != Source::Asked && part == matter(all, it);
    let mut found: Vec<usize> = (0..all.all.len())
        .filter(|idx| 0.0 < choice.worths[*idx] && !choice.is_dull(*idx))
        .filter(|idx| is_of(choice.statement(*idx)) && !choice.is_over(choice.statement(*idx)))
        .collect();
    found.sort_by(|a, b| choice.worths[*b].total_cmp(&choice.worths[*a]));
    let mut things = Things::default();
    for idx in found {
        let it = choice.statement(idx);
        things.add(it.text.to_string(), said.says(&it.words));
    }
    things
}

/// The commands that failed last, each with the line that says how, else what the agent said fails.
fn failed(digest: &Digest, choice: &Choice<'_>, said: &Said) -> Things {
    let mut things = Things::default();
    for failure in failures(digest) {
        let how = failure.errors.first().map(String::as_str).unwrap_or_default();
        let text = format!("`{}` → {how}", clip::clip(&bare(&failure.command), EXAMPLE / 2.0));
        things.add(text, said.says_text(how));
    }
    if things.0.is_empty() { stated(choice, said, Part::Failed) } else { things }
}

/// The user's standing words, the newest first.
fn ruled(digest: &Digest, said: &Said) -> Things {
    let mut things = Things::default();
    for words in digest.voices.standing.iter().rev() {
        things.add(format!("\"{}\"", flat(words)), says_rule(digest, said, words));
    }
    things
}

/// Whether a text says a rule: one that is newer than the page with all of its words, for the page may plan what it
/// rules out.
fn says_rule(digest: &Digest, said: &Said, words: &str) -> bool {
    let paged_at = digest.work.paged_at;
    let is_newer = 0 < paged_at && paged_at < digest.statements.asked_at(&flat(words));
    if is_newer { said.says_each(words) } else { said.says_text(words) }
}

/// The newest commits, else what the agent said is done.
fn done(digest: &Digest, choice: &Choice<'_>, (kept, said): (&str, &Said)) -> Things {
    let mut things = Things::default();
    for commit in digest.work.commits.newest() {
        let hash = commit.hash.get(..7);
        let is_said =
            hash.is_some_and(|it| kept.contains(it)) || said.says_line(Part::Done, &commit.subject);
        let told = committed(commit, EXAMPLE);
        things.add(
            told.trim_start_matches("Committed").trim_start_matches([' ', ':']).to_owned(),
            is_said,
        );
    }
    // What the page has as open and the list as done.
    for item in digest.work.done_items() {
        things.add(flat(&item.text), said.says_line(Part::Done, &item.text));
    }
    if things.0.is_empty() { stated(choice, said, Part::Done) } else { things }
}

/// The files that were changed last.
fn places(digest: &Digest, kept: &str) -> Things {
    let mut things = Things::default();
    for id in files::last_edited(digest).into_iter().take(files::FILES) {
        let path = &digest.ledger.entry(id).text;
        let name = path.rsplit('/').next().unwrap_or(path);
        things.add(path.to_string(), kept.contains(name));
    }
    things
}

#[cfg(test)]
mod tests {
    use vademecum_core::profile::Topic;
    use vademecum_core::turn::{Event, Turn};

    use crate::{Digest, Options};

    fn topics(said: &[&str], page: &str) -> Vec<Topic> {
        let mut digest = Digest::new(&Options::default());
        let turn = |event| Turn { record: 0, at: None, event };
        let asked = "make the tests of the queue pass on all systems".to_owned();
        digest.push(&turn(Event::Asked { text: asked, is_plan: false }));
        for text in said {
            digest.push(&turn(Event::Said { text: (*text).to_owned() }));
        }
        let lacks = digest.lacking(page).expect("something to say");
        lacks.into_iter().map(|lack| lack.topic).collect()
    }

    #[test]
    fn where_nothing_is_kept_each_topic_is_asked_for() {
        let decision =
            "Decision: we skip retry_dup_is_ok on Windows, because the runner has no fork.";
        let all = [Topic::Now, Topic::Why, Topic::Failed, Topic::Rules, Topic::Done, Topic::Where];
        for kept in ["", " \n"] {
            assert_eq!(topics(&[decision], kept), all);
        }
        assert!(topics(&[decision], "- [ ] skip it").len() < all.len());
    }

    #[test]
    fn what_was_decided_and_what_fails_is_lacking_whether_it_was_said_last_or_not() {
        let both = "The test retry_dup_is_ok still fails with a timeout. Decision: we skip retry_dup_is_ok on Windows.";
        let decision =
            "Decision: we skip retry_dup_is_ok on Windows, because the runner has no fork.";
        let page = "- [x] read retry.rs\n- [ ] write test retry_dup_is_ok";
        for (said, expected) in [
            (&[both][..], &[Topic::Why, Topic::Failed][..]),
            (&[both, "I will look at the runner."], &[Topic::Why, Topic::Failed]),
            (&[decision], &[Topic::Why]),
            (&[decision, "I will look at the runner."], &[Topic::Why]),
        ] {
            let found = topics(said, page);
            let named = |topic: &&Topic| found.contains(topic);
            assert_eq!(
                expected.iter().filter(named).count(),
                expected.len(),
                "{said:?}: {found:?}"
            );
            let kept = format!("{page}\n{}", said.join("\n"));
            let found = topics(said, &kept);
            let is_kept = |topic: &Topic| !found.contains(topic);
            assert!(expected.iter().all(is_kept), "{said:?}: {found:?}");
        }
    }
}
