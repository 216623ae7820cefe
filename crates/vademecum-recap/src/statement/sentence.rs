//! Messages as sentences, and sentences without what only takes room.

/// The shortest and the longest sentence that is kept, in bytes.
const SHORTEST: usize = 4;
pub(crate) const LONGEST: usize = 500;

/// From where on a sentence is parted at a dash or a semicolon.
pub(super) const PARTED: usize = 240;

/// Calls `found` with each sentence of a message outside of code, and whether it is a heading; one of more than
/// `parted` bytes in its parts.
pub(crate) fn each(text: &str, parted: usize, mut found: impl FnMut(&str, bool)) {
    let (mut is_code, mut ruled_out) = (false, None);
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        // `::git-stage{…}` is for the program that shows the message.
        let is_rule = !line.contains(char::is_alphanumeric) || line.starts_with("::");
        if is_code || is_rule {
            continue;
        }
        let is_heading = is_heading(line);
        if let Some(row) = line.strip_prefix('|') {
            let cells = row.split('|').map(str::trim).filter(|cell| !cell.is_empty());
            whole(&cells.collect::<Vec<_>>().join(": "), parted, |text| found(text, false));
            continue;
        }
        let bare = without_mark(line);
        if let (Some(lead), true) = (ruled_out, bare != line && !is_heading) {
            found(&format!("{lead} {bare}"), false);
            continue;
        }
        ruled_out = rules_out(bare, is_heading).then_some(bare);
        whole(bare, parted, |text| found(text, is_heading));
    }
}

/// Whether a line says that what is listed below it is not to be: an item alone would say the contrary.
fn rules_out(line: &str, is_heading: bool) -> bool {
    if !is_heading && !line.ends_with([':', '*']) || LEAD < line.len() {
        return false;
    }
    let low = line.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    RULED_OUT.iter().any(|end| low.ends_with(end))
}

/// How such a line ends, and how long it is at most.
const RULED_OUT: [&str; 10] = [
    "not",
    "n't",
    "never",
    "avoid",
    "non-goals",
    "non goals",
    "out of scope",
    "not in scope",
    "will not do",
    "rejected",
];
const LEAD: usize = 80;

/// Whether a line is the heading of what follows.
pub(crate) fn is_heading(line: &str) -> bool {
    let bold = line.strip_prefix("**").map(|rest| rest.trim_end_matches(':'));
    line.trim_start_matches('#').starts_with(' ') && line.starts_with('#')
        || bold.and_then(|it| it.strip_suffix("**")).is_some_and(|it| !it.contains("**"))
}

/// The line without the mark of a list, a heading or a quote.
pub(crate) fn without_mark(line: &str) -> &str {
    let mut rest = line;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = Some(&rest[digits..]).filter(|_| (1..=3).contains(&digits));
        let numbered =
            numbered.and_then(|it| it.strip_prefix(['.', ')'])).filter(|it| it.starts_with(' '));
        let listed = rest.strip_prefix(['-', '*', '+', '•']).filter(|it| it.starts_with(' '));
        let boxed = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| rest.strip_prefix(mark));
        let title = Some(rest.trim_start_matches('#')).filter(|it| it.starts_with(' ')); // `#42` is a name.
        let quoted = title.filter(|_| rest.starts_with('#')).or(rest.strip_prefix('>'));
        match numbered.or(listed).or(boxed).or(quoted) {
            Some(bare) => rest = bare.trim_start(),
            None => return rest,
        }
    }
}

/// Calls `found` with the sentences of a line.
fn whole(line: &str, most: usize, mut found: impl FnMut(&str)) {
    let (bytes, mut start) = (line.as_bytes(), 0);
    for (at, byte) in bytes.iter().enumerate() {
        let is_end = match byte {
            _ if is_glued(line, at + 1) => true,
            b'.' | b'!' | b'?' => {
                bytes.get(at + 1) == Some(&b' ') && !is_short_form(&line[start..at])
            }
            // The last bytes of marks of other scripts.
            0x82 | 0x81 | 0x9f => {
                ["。", "！", "？"].iter().any(|mark| bytes[..=at].ends_with(mark.as_bytes()))
            }
            _ => false,
        };
        if is_end {
            parted(&line[start..=at], most, &mut found);
            start = at + 1;
        }
    }
    parted(&line[start..], most, &mut found);
}

/// Whether the next sentence begins at `at` without a blank, as where two parts of a message were joined.
fn is_glued(line: &str, at: usize) -> bool {
    if !line.as_bytes().get(at).is_some_and(u8::is_ascii_uppercase) {
        return false;
    }
    // Within a word only what is no part of a name: `hasNext` is one.
    let openings = match line.as_bytes()[at - 1] {
        b'.' | b'!' | b'?' | b':' | b')' => GLUED,
        byte if byte.is_ascii_alphanumeric() => &GLUED[..4],
        _ => return false,
    };
    openings.iter().any(|opening| line[at..].starts_with(opening))
}

/// How sentences begin that stand so.
const GLUED: &[&str] =
    &["Let me ", "Let's ", "I'll ", "I'm ", "Now ", "I ", "The ", "This ", "Also ", "Next "];

/// Whether a point ends no sentence: `e.g.`, `vs.`, a number of a list.
pub(crate) fn is_short_form(text: &str) -> bool {
    let word = text.rsplit(' ').next().unwrap_or_default();
    matches!(word, "e.g" | "i.e" | "vs" | "etc" | "cf" | "approx")
        || (!word.is_empty() && word.len() < 3 && word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Calls `found` with a sentence, or with what stands between the dashes and semicolons of a long one.
fn parted(sentence: &str, most: usize, found: &mut impl FnMut(&str)) {
    let mut rest = sentence.trim();
    while most < rest.len() {
        let fits = |at: usize, mark: &str| {
            rest.as_bytes()[at..].starts_with(mark.as_bytes()) && at + mark.len() + 30 <= rest.len()
        };
        let cut = (50..rest.len())
            .find_map(|at| PARTS.iter().find(|mark| fits(at, mark)).map(|mark| (at, *mark)));
        let Some((at, mark)) = cut else { break };
        kept(&rest[..at + usize::from(mark == "; ")], found);
        rest = rest[at + mark.len()..].trim_start();
    }
    kept(rest, found);
}

/// What parts long sentences.
const PARTS: [&str; 4] = ["; ", " — ", " – ", " - "];

fn kept(text: &str, found: &mut impl FnMut(&str)) {
    if SHORTEST <= text.len() {
        found(text);
    }
}

/// The sentence on one line without marks of emphasis and code, without targets of links, with
/// paths below `roots` relative to them, and cut at a word where it is long.
pub(crate) fn short(text: &str, roots: &[String]) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr3(b'`', b'*', b'[', rest.as_bytes()) {
        short.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((name, behind)) = link(rest) {
            short.push_str(name);
            rest = behind;
            continue;
        }
        let mark = rest.as_bytes()[0];
        let n = rest.bytes().take_while(|byte| *byte == mark).count();
        if mark == b'[' || (mark == b'*' && n < 2) {
            short.push_str(&rest[..n]);
        }
        rest = &rest[n..];
    }
    short.push_str(rest);
    for root in roots {
        // Most sentences hold no path at all.
        if short.contains('/') && short.contains(root.as_str()) {
            short = short.replace(root.as_str(), "");
        }
    }
    cut(flat(without_lead(&short)), LONGEST)
}

/// The text, cut at a word where it is longer than `most` bytes.
pub(crate) fn cut(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(most)];
    format!("{} …", cut.rfind(' ').map_or(cut, |at| &cut[..at]))
}

/// The text with single blanks and no line ends.
pub(crate) fn flat(text: &str) -> String {
    let is_odd = |pair: &[u8]| pair[0] < b' ' || !pair[0].is_ascii() || pair == b"  ";
    let text = text.trim();
    if !text.as_bytes().windows(2).any(is_odd) {
        return text.to_owned();
    }
    let mut flat = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !flat.is_empty() {
            flat.push(' ');
        }
        flat.push_str(word);
    }
    flat
}

/// The name of a Markdown link at the start of `text`, and what follows the link.
fn link(text: &str) -> Option<(&str, &str)> {
    let (name, target) = text.strip_prefix('[')?.split_once("](")?;
    let (_, behind) =
        target.split_once(')').filter(|_| !name.contains('\n') && !name.contains('['))?;
    Some((name, behind))
}

/// Words that open a sentence and say nothing, and those that do so only where they stand alone.
const LEADS: &[&str] =
    &["now", "so", "okay", "ok", "yes", "also", "and", "but", "then", "hmm", "wait"];
const PRAISE: &[&str] = &["good", "great", "perfect", "excellent", "right", "well"];

/// The sentence without the words before it that say nothing.
fn without_lead(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some((word, behind)) = rest.split_once(' ') {
        let bare = word.trim_end_matches([',', '.', '!', ':']);
        let is = |leads: &[&str]| leads.iter().any(|lead| lead.eq_ignore_ascii_case(bare));
        // `Good. The key …` says nothing of the key, `Good keys …` does, and `Now that …` opens a clause.
        if behind.len() < 20
            || behind.starts_with("that ")
            || !(is(LEADS) || bare != word && is(PRAISE))
        {
            break;
        }
        rest = behind.trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        each(text, PARTED, |text, _| found.push(short(text, &["/home/dev/shop/".to_owned()])));
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_stand_by_themselves() {
        check(
            "Good. Now the **key** is parsed in `src/key.rs`, e.g. by parse_key. It works!\n\n## Done\n- [x] see [the page](https://a.b/c)\n```\ncode\n```\n| file | what |\n|---|---|\n| /home/dev/shop/a.rs | the key |",
            &[
                "Good.",
                "the key is parsed in src/key.rs, e.g. by parse_key.",
                "It works!",
                "Done",
                "see the page",
                "file: what",
                "a.rs: the key",
            ],
        );
        check("修复了。继续", &["修复了。", "继续"]);
        check(
            "It passes the ID.Let me read it whole.",
            &["It passes the ID.", "Let me read it whole."],
        );
        check(
            "Now that the key is parsed, it is stored.",
            &["Now that the key is parsed, it is stored."],
        );
        check("::git-stage{cwd=\"/home/dev\"}", &[]);
    }

    #[test]
    fn long_ones_are_parted_where_they_may_be() {
        let one = "the key of the refund is parsed first — the key of the order after it.";
        check(one, &[one]);
        let one = "the first half of this sentence ".repeat(5) + "is about the key";
        let other = "the second half of this sentence is about ".repeat(2) + "the order";
        check(&format!("{one} — {other}."), &[&one, &format!("{other}.")]);
        let long = "word ".repeat(200);
        let mut cut = Vec::new();
        each(&long, PARTED, |text, _| cut.push(short(text, &[])));
        assert!(cut[0].ends_with("word …") && cut[0].len() < 510, "{cut:?}");
    }
}
