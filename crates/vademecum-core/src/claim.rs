//! Whether a message claims that something was kept for later, as an assistant says it.
//!
//! A claim that nothing stands behind is worse than none: who reads it relies on it. Few ways of saying it are known,
//! and what merely looks like one is let pass: a wrong reproach costs more than a missed one.

/// One of these stands in each message that makes such a claim, as bytes in whatever case it is written.
pub const HINTS: [&str; 16] = [
    "emor",
    "EMOR",
    " sessions",
    "onversations",
    "ememb",
    "otepad",
    "cratchpad",
    " note",
    "or future",
    "n future",
    "next session",
    "next time",
    "rom now on",
    "oing forward",
    "or later",
    " learning",
];

/// Whether a clause of the message says that its author noted, saved or will remember something beyond the
/// conversation: in a memory, a notepad, notes, or for later sessions. English only.
#[must_use]
pub fn claims_to_keep(message: &str) -> bool {
    let mut is_fenced = false;
    message.lines().any(|line| {
        let line = own_words(line);
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            is_fenced = !is_fenced;
            return false;
        }
        !is_fenced && !text.starts_with('>') && clauses(text).any(|clause| is_claim(&clause))
    })
}

/// A line without what stands in quotation marks, which somebody else says.
fn own_words(line: &str) -> String {
    let (mut own, mut is_quoted) = (String::with_capacity(line.len()), false);
    let n_straight = line.matches('"').count();
    for c in line.chars() {
        match c {
            '"' if n_straight.is_multiple_of(2) => is_quoted = !is_quoted,
            '“' => is_quoted = true,
            '”' => is_quoted = false,
            c if !is_quoted => own.push(c),
            _ => {}
        }
    }
    own
}

/// The words of each clause, in small letters without the marks around them; one that ends as a question is left out.
fn clauses(line: &str) -> impl Iterator<Item = Vec<String>> {
    let mut clauses: Vec<Vec<String>> = Vec::new();
    let mut clause = Vec::new();
    for word in line.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        if !bare.is_empty() {
            clause.push(bare.replace('’', "'").to_lowercase());
        }
        let end = word.trim_end_matches(['*', '_', '"', '`', ')']);
        let is_end = bare.is_empty() || end.ends_with(['.', '!', ';', ':', ',', '?']);
        if is_end && !clause.is_empty() {
            let ended = std::mem::take(&mut clause);
            clauses.extend((!end.ends_with('?')).then_some(ended));
        }
    }
    clauses.extend((!clause.is_empty()).then_some(clause));
    clauses.into_iter()
}

/// What may stand before what is said.
const FILLERS: [&str; 13] = [
    "and",
    "also",
    "so",
    "then",
    "ok",
    "okay",
    "done",
    "good",
    "great",
    "sure",
    "yes",
    "understood",
    "got",
];

/// What may stand between who did it and what was done.
const ADVERBS: [&str; 11] = [
    "have",
    "also",
    "now",
    "just",
    "already",
    "then",
    "additionally",
    "safely",
    "quickly",
    "went",
    "ahead",
];

/// What somebody did who kept something.
const KEPT: [&str; 18] = [
    "committed",
    "appended",
    "pinned",
    "saved",
    "noted",
    "recorded",
    "stored",
    "remembered",
    "added",
    "written",
    "wrote",
    "logged",
    "captured",
    "persisted",
    "kept",
    "put",
    "filed",
    "jotted",
];

/// Those of them that are said of data as well, where a bare "in memory" is the machine's.
const OF_DATA: [&str; 13] = [
    "captured",
    "recorded",
    "stored",
    "kept",
    "put",
    "added",
    "written",
    "wrote",
    "logged",
    "persisted",
    "committed",
    "appended",
    "pinned",
];

/// Whose memory or notes it is.
const OWN: [&str; 21] = [
    "my",
    "our",
    "project",
    "project's",
    "session",
    "session's",
    "long-term",
    "longterm",
    "persistent",
    "shared",
    "vade",
    "permanent",
    "agent",
    "team",
    "cross-session",
    "auto",
    "working",
    "own",
    "personal",
    "user",
    "your",
];

/// Whose of them it is where a machine has one of that name as well: shared memory, user memory.
const OF_MACHINES: [&str; 8] =
    ["shared", "session", "session's", "user", "agent", "working", "persistent", "own"];

/// What a note or a record may be put into that is part of the work itself.
const WORK: [&str; 24] = [
    "readme",
    "changelog",
    "docs",
    "documentation",
    "comment",
    "comments",
    "code",
    "pr",
    "commit",
    "header",
    "module",
    "section",
    "guide",
    "release",
    "database",
    "table",
    "file",
    "ticket",
    "issue",
    "description",
    "doc",
    "test",
    "migration",
    "todo",
];

fn is_claim(clause: &[String]) -> bool {
    let words: Vec<&str> = clause.iter().map(String::as_str).collect();
    let mut lead = words.iter().take_while(|word| FILLERS.contains(word)).count();
    // "Got it", and not a thing that did something.
    lead += usize::from(words[..lead].last() == Some(&"got") && words.get(lead) == Some(&"it"));
    let said = &words[lead..];
    let (is_own, rest) = match said {
        ["i", "will" | "shall", rest @ ..] | ["i'll", rest @ ..] => return is_promise(rest),
        ["i've" | "i", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let n_adverbs = rest.iter().take_while(|word| is_own && ADVERBS.contains(word)).count();
    match &rest[n_adverbs..] {
        ["made" | "left" | "wrote" | "written" | "taken" | "added", "a", "note", about @ ..] => {
            is_own && is_note(about)
        }
        ["made" | "left" | "taken", "note", about @ ..] => is_own && is_note(about),
        [
            "created" | "saved" | "added" | "wrote" | "left" | "stored",
            "a" | "an" | "two" | "three",
            rest @ ..,
        ] if is_own && is_memory(rest) => true,
        // Whoever only took notice of a decision would say what of it.
        ["updated", "my", "memory" | "memories" | "notepad", ..]
        | ["noted", "the" | "this" | "that" | "your", "decision" | "rule" | "preference"] => is_own,
        ["updated" | "rewrote" | "rewritten", whose @ ..] if is_own && is_notepad(whose) => true,
        [
            "recorded" | "added" | "saved" | "stored" | "filed",
            "a" | "the",
            "learning",
            rest @ ..,
        ] if is_own => is_note(rest),
        [verb, kept @ ..] if KEPT.contains(verb) => {
            is_kept(verb, kept) || is_in_notes(kept, is_own)
        }
        _ => is_passive(said),
    }
}

/// Whether these words begin with the page of a session, whose there is none else: "the session notepad".
fn is_notepad(words: &[&str]) -> bool {
    let n_own = words.iter().take_while(|word| OWN.contains(word) || **word == "the").count();
    let rest = &words[n_own..];
    let next = rest.get(1).copied();
    0 < n_own
        && rest.first() == Some(&"notepad")
        && matches!(next, None | Some("page" | "with" | "so" | "and" | "to" | "for" | "as" | "now"))
}

/// Whether these words call a memory, as a thing that is kept: "a memory called", "a short memory entry".
fn is_memory(words: &[&str]) -> bool {
    let n_like =
        words.iter().take_while(|word| ["short", "new", "small", "brief"].contains(word)).count();
    match &words[n_like..] {
        ["memory" | "memories"] => true,
        ["memory", next, ..] => ["entry", "note", "about", "called"].contains(next),
        _ => false,
    }
}

/// Whether these words say from when on somebody remembers.
fn is_promise(words: &[&str]) -> bool {
    let n_adverbs = words.iter().take_while(|word| ["also", "now"].contains(word)).count();
    words.get(n_adverbs) == Some(&"remember") && is_for_later(&words[n_adverbs..])
}

/// Whether a note is of a thing and not a part of the work.
fn is_note(about: &[&str]) -> bool {
    let is_about = matches!(
        about.first(),
        None | Some(&("of" | "that" | "about" | "for" | "to" | "in" | "so"))
    );
    is_about && !is_work(about)
}

fn is_work(words: &[&str]) -> bool {
    words.iter().any(|word| WORK.contains(word) || is_path(word))
}

/// Whether it names a file that is no memory.
fn is_path(word: &str) -> bool {
    let is_memory =
        ["memory", "notes", "claude.md", "agents.md"].iter().any(|name| word.contains(name));
    let extension = word.rsplit_once('.').map_or("", |(_, extension)| extension);
    !is_memory && (word.contains('/') || (1..=5).contains(&extension.len()))
}

/// Whether what was kept was kept in a place for it, or for later.
fn is_kept(verb: &str, kept: &[&str]) -> bool {
    let place = place(kept);
    let is_place = place.is_some_and(|(_, noun, is_own)| match noun {
        "notes" => is_own,
        "memory" | "memories" => is_own || !OF_DATA.contains(&verb) || is_for_later(kept),
        _ => true,
    });
    let is_later =
        !["added", "put", "wrote", "written", "logged", "kept", "committed", "appended", "pinned"]
            .contains(&verb)
            && is_for_later(kept);
    // What it is for may well be the work, where the place is nobody else's.
    let what = match place {
        Some((at, _, true)) => &kept[..at],
        _ => kept,
    };
    !is_work(what) && (is_place || is_later)
}

/// Whether these words end as what stands in a note, or are no more than where it stands: "in the notes".
fn is_in_notes(kept: &[&str], is_own: bool) -> bool {
    match kept {
        ["in" | "to", "the", "notes"] => true,
        [what @ .., "in" | "as", "a", "note"] => is_own && !is_work(what),
        _ => false,
    }
}

/// Where the words say into what memory or notes something is put, which, and whether they say whose.
fn place<'a>(words: &[&'a str]) -> Option<(usize, &'a str, bool)> {
    let mut at = (0..words.len()).filter(|&at| ["in", "to", "into", "on"].contains(&words[at]));
    at.find_map(|at| {
        let own = &words[at + 1..];
        let n_own = own.iter().take_while(|word| OWN.contains(word) || **word == "the").count();
        let noun = *own.get(n_own)?;
        let is_place = ["memory", "memories", "notepad", "scratchpad", "notes"].contains(&noun);
        let is_memory = matches!(noun, "memory" | "memories");
        let says_whose =
            |word: &&str| OWN.contains(word) && !(is_memory && OF_MACHINES.contains(word));
        let is_own = own[..n_own].iter().any(says_whose);
        // What follows must not make another thing of it, such as a memory limit.
        let next = own.get(n_own + 1).copied();
        let is_whole = matches!(
            next,
            None | Some(
                "for"
                    | "so"
                    | "and"
                    | "as"
                    | "under"
                    | "with"
                    | "too"
                    | "now"
                    | "that"
                    | "file"
                    | "before"
                    | "if"
                    | "in"
                    | "to"
            )
        );
        (is_place && is_whole).then_some((at, noun, is_own))
    })
}

/// Whether the words say that it is for a later time or session.
fn is_for_later(words: &[&str]) -> bool {
    let text = words.join(" ");
    let phrases = [
        "for next time",
        "for future",
        "for the next session",
        "for later sessions",
        "from now on",
        "going forward",
        "across sessions",
        "next session",
        "in future",
        "for the next time",
        "for later conversations",
        "for new sessions",
        "future sessions",
        "future conversations",
        "later sessions",
        "new conversations",
    ];
    phrases.iter().any(|phrase| text.contains(phrase)) || text.ends_with("for later")
}

/// Whether a thing is said to stand in a memory by now.
fn is_passive(words: &[&str]) -> bool {
    let is_said = |pair: &[&str]| {
        let is = ["is", "are", "been", "now", "it's", "that's"].contains(&pair[0]);
        is && ["saved", "noted", "recorded", "stored", "kept", "persisted", "captured"]
            .contains(&pair[1])
    };
    let Some(at) = words.windows(2).position(is_said) else { return false };
    let is_denied = words[..=at].iter().any(|word| {
        ["not", "no", "nothing", "if", "when", "once", "will", "where", "user", "users", "which"]
            .contains(word)
            || word.ends_with("n't")
    });
    let rest = &words[at + 2..];
    !is_denied
        && !is_work(words)
        && place(rest).is_some_and(|(_, noun, is_own)| is_own || noun == "notepad")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, is_claim: bool) {
        assert_eq!(claims_to_keep(message), is_claim, "{message}");
    }

    #[test]
    fn what_an_assistant_says_it_kept_is_a_claim() {
        for message in [
            "Done. I've saved this to memory.",
            "Good to know, noted in my memory: staging is on port 8443.",
            "I've made a note of that for the next session.",
            "I've made a note.",
            "I have also recorded the decision in the session notepad.",
            "Understood. I'll remember that from now on.",
            "**Saved to memory** so that it survives the compaction.",
            "The staging port is now stored in my notes.",
            "- fixed the test\n- saved the cause for future sessions",
            "I've updated my memory with the new address.",
            "I added a short memory entry about the templates.",
            "Added a rule to my memory, so that every fix goes through a PR.",
            "I have recorded the following for later conversations:",
            "I've saved this for new sessions.",
            "SAVED TO MEMORY.",
            "I updated the notepad.",
            "I've also rewritten the session notepad with what is left.",
            "I recorded a learning about the flaky port.",
            "I've added a learning.",
            "I have saved the decision in a note.",
            "I noted the decision.",
            "Kept in the notes.",
        ] {
            check(message, true);
            // Whoever looks for the hints alone misses none.
            assert!(HINTS.iter().any(|hint| message.contains(hint)), "{message}");
        }
    }

    #[test]
    fn what_only_sounds_like_it_is_none() {
        for message in [
            "",
            "Noted, I'll use pnpm.",
            "I saved 30 % of memory.",
            "The results are stored in memory instead of on disk.",
            "I've added a note to the README for future readers.",
            "I've written the release notes to docs/notes-1.2.md.",
            "Want me to save this to memory?",
            "I have not saved anything to memory.",
            "I can save this to memory for the next session.",
            "Should I have saved it in my notes?",
            "> I've saved this to memory.",
            "```\nI've saved this to memory.\n```",
            "The app has saved the user's notes.",
            "Remember to run the migration next time.",
            "Marta says: \"I've noted this in the team memory.\"",
            "| Memory saved | 30 MB |",
            "**Memory saved**: 40 %",
            "I updated the memory limits.",
            "I've added a memory of 4 GB to the container.",
            "Added the cache to memory so that reads skip the disk.",
            "Logged the heap profile to memory.",
            "I've kept the old flag for future use.",
            "I've kept it simple going forward.",
            "The token is stored in shared memory.",
            "Stored the index in shared memory.",
            "Data is persisted in session memory so that both tabs see it.",
            "The loader was slow. It saved every row in memory.",
            "Then it recorded every event in memory and flushed.",
            "Recorded the samples in memory before the flush.",
            "Captured the heap snapshot in memory for the test.",
            "I updated the notepad component.",
            "I've added a learning rate schedule.",
            "Updated the notepad example.",
            "I've added a learning to the README.",
            "I noted the decision of the team to drop Redis.",
            "The port was saved in a note by the user.",
            "I saved the release text in a file as a note.",
            "The warning is kept in the notes of the release.",
        ] {
            check(message, false);
        }
    }
}
