//! Likely tags of a note that came without any: what its own words say.

use super::{TagCount, Tags};

/// The most tags that are suggested: more than three of them would be guesses.
const MOST: usize = 3;

const NONE: &str = Tags::UNTAGGED;

/// Tags for what a note is, what it is about, how much it matters and how it stands, in the order in
/// which they are looked for, each with the words that suggest it beside its own.
const SIGNS: &[(&str, &[&str])] = &[
    (
        "decision",
        &["decided", "decide", "chose", "chosen", "instead of", "rather than", "trade off"],
    ),
    (
        "bug",
        &["bugs", "root cause", "fails", "failing", "failed", "crash", "crashes", "panics", "race"],
    ),
    ("todo", &["to do", "still need", "still needs", "remaining", "not yet", "next step"]),
    ("dependency", &["depends on", "dependencies", "requires", "triggers", "order matters"]),
    ("pattern", &["patterns", "convention", "conventions"]),
    ("location", &["located", "lives in", "defined in"]),
    (
        "auth",
        &["login", "token", "tokens", "jwt", "oauth", "password", "permission", "permissions"],
    ),
    ("api", &["endpoint", "endpoints", "route", "routes", "http"]),
    (
        "database",
        &["db", "sql", "sqlite", "postgres", "migration", "migrations", "schema", "table"],
    ),
    ("ui", &["button", "css", "component", "components", "frontend"]),
    ("config", &["configuration", "setting", "settings", "env"]),
    ("test", &["tests", "testing", "pytest", "vitest", "fixture", "fixtures", "mock", "mocks"]),
    ("critical", &["security", "data loss", "urgent"]),
    ("important", &[]),
    ("minor", &["cosmetic", "typo"]),
    ("blocked", &["waiting for", "waits for"]),
    ("pending", &[]),
    ("active", &["in progress"]),
];

impl Tags {
    /// Suggests one to three tags for `content`: those in `used` that it names, then those its words are signs of.
    ///
    /// Where nothing suggests one it is `untagged`, so that such notes can be found.
    #[must_use]
    pub fn suggest(content: &str, used: &[TagCount]) -> Self {
        let text = words(content);
        let has = |word: &str| {
            let word = words(word);
            1 < word.len() && text.contains(&word)
        };
        let own = used.iter().map(|used| used.tag.as_str()).filter(|tag| *tag != NONE && has(tag));
        let known = SIGNS.iter().filter(|(tag, signs)| has(tag) || signs.iter().any(|it| has(it)));
        let mut tags: Vec<String> = Vec::with_capacity(MOST);
        for tag in own.chain(known.map(|(tag, _)| *tag)) {
            if tags.len() < MOST && !tags.iter().any(|it| it == tag) {
                tags.push(tag.to_owned());
            }
        }
        if tags.is_empty() {
            tags.push(NONE.to_owned());
        }
        Self(tags)
    }
}

/// The words of a text in lower case with one blank around each, so that only whole ones are found.
fn words(text: &str) -> String {
    let mut words = " ".to_owned();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.extend(word.chars().flat_map(char::to_lowercase));
        words.push(' ');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, used: &[&str], tags: &[&str]) {
        let used = used.iter().map(|tag| TagCount { tag: (*tag).to_owned(), count: 1 });
        let used: Vec<TagCount> = used.collect();
        assert_eq!(Tags::suggest(content, &used).as_slice(), tags, "{content}");
    }

    #[test]
    fn the_words_of_a_note_suggest_its_tags() {
        check("ROOT CAUSE: the queue loops on E_DUP", &["queue", "ledger"], &["queue", "bug"]);
        check("Decided for JWT rather than sessions", &[], &["decision", "auth"]);
        check("Migration step 2 is not yet in the tests", &[], &["todo", "database", "test"]);
        check(
            "It was the root-cause, see latest.rs",
            &["root-cause", "test"],
            &["root-cause", "bug"],
        );
        check("ÜBER uns", &["über"], &["über"]);
        check("hm", &["untagged"], &["untagged"]);
        check("-- ", &["-", "x"], &["untagged"]);
    }
}
