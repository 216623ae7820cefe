//! The words of a text as statements are compared by: stems, parts of names, without the commonest.

use std::hash::Hasher as _;
use std::sync::LazyLock;

use crate::cues::is_of_dense_script;
use crate::digest::{Quick, QuickMap, QuickSet};

/// A word: the hash of its stem.
pub(crate) type Word = u64;

/// Calls `found` with each word that tells something.
///
/// A name is told whole and in its parts; of scripts without blanks each two letters are a word.
pub(crate) fn each(text: &str, mut found: impl FnMut(Word)) {
    each_as(text, |word, _| found(word));
}

/// Calls `found` with each such word, and whether it is a name or a part of one.
pub(crate) fn each_as(text: &str, mut found: impl FnMut(Word, bool)) {
    let stops = &*STOPS;
    let mut rest = text;
    while !rest.is_empty() {
        let run = Run::first(rest);
        let mut behind = rest[run.text.len()..].chars();
        behind.next();
        rest = behind.as_str();
        if run.is_wide && run.text.chars().any(is_of_dense_script) {
            pairs(run.text, &mut |word| found(word, false));
            continue;
        }
        let mut found = |word| found(word, run.is_joined);
        word(run.text, stops, &mut found);
        if run.is_joined {
            parts(run.text, &mut |part| word(part, stops, &mut found));
        }
    }
}

/// Letters, digits and `_` without a gap.
struct Run<'a> {
    text: &'a str,
    /// Whether it may be several words.
    is_joined: bool,
    /// Whether characters beyond ASCII are among them.
    is_wide: bool,
}

impl<'a> Run<'a> {
    /// The one that a text begins with; empty if it begins with none.
    fn first(text: &'a str) -> Self {
        let (mut end, mut is_joined, mut is_wide) = (0, false, false);
        while let Some(&byte) = text.as_bytes().get(end) {
            end += match byte {
                b'a'..=b'z' | b'0'..=b'9' => 1,
                b'A'..=b'Z' | b'_' => {
                    is_joined |= 0 < end;
                    1
                }
                0x80.. => match text[end..].chars().next().filter(|c| c.is_alphanumeric()) {
                    Some(c) => {
                        is_wide = true;
                        c.len_utf8()
                    }
                    None => break,
                },
                _ => break,
            };
        }
        Self { text: &text[..end], is_joined, is_wide }
    }
}

fn pairs(run: &str, found: &mut impl FnMut(Word)) {
    let mut before = None;
    for (at, c) in run.char_indices() {
        if let Some(start) = before {
            found(hash(&run.as_bytes()[start..at + c.len_utf8()]));
        }
        before = Some(at);
    }
}

/// Calls `found` with what a name is made of: `parse`, `Line` of `parseLine`.
fn parts(name: &str, found: &mut impl FnMut(&str)) {
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let bytes = part.as_bytes();
        let mut start = 0;
        for at in 1..bytes.len() {
            let is_upper = bytes[at].is_ascii_uppercase();
            let ends_upper = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            let begins = is_upper && (!bytes[at - 1].is_ascii_uppercase() || ends_upper);
            if begins && part.is_char_boundary(at) {
                found(&part[start..at]);
                start = at;
            }
        }
        if 0 < start || part.len() < name.len() {
            found(&part[start..]);
        }
    }
}

/// The longest word that is looked at.
const LONGEST: usize = 64;

fn word(text: &str, stops: &Stops, found: &mut impl FnMut(Word)) {
    let bytes = text.as_bytes();
    match bytes {
        [] => return,
        [one] if !one.is_ascii_digit() => return,
        _ if LONGEST < bytes.len() => return,
        _ => {}
    }
    let mut buffer;
    let mut low = bytes;
    if bytes.iter().any(u8::is_ascii_uppercase) {
        buffer = [0_u8; LONGEST];
        buffer[..bytes.len()].copy_from_slice(bytes);
        buffer.make_ascii_lowercase();
        low = &buffer[..bytes.len()];
    }
    let stem = stem(low);
    let word = hash(stem);
    let whole = || if stem.len() == low.len() { word } else { hash(low) };
    if LONGEST_STOP < low.len() || !stops.has(whole()) {
        found(word);
    }
}

/// How much a word tells, from 0 to 1, by how common it is in sessions.
pub(crate) fn tells(word: Word) -> f32 {
    static TELLS: LazyLock<QuickMap<Word, f32>> = LazyLock::new(|| {
        let lists = [(EVERYWHERE, 0.25), (COMMON, 0.3), (FREQUENT, 0.4)];
        let told = |(list, tells)| hashes(list).map(move |stem| (stem, tells));
        lists.into_iter().flat_map(told).collect()
    });
    TELLS.get(&word).copied().unwrap_or(1.0)
}

static STOPS: LazyLock<Stops> = LazyLock::new(|| {
    let mut stops = Stops { all: hashes(STOP).collect(), near: [0; 16] };
    for word in hashes(STOP) {
        let (at, bit) = Stops::place(word);
        stops.near[at] |= bit;
    }
    stops
});

/// What tells nothing by itself.
struct Stops {
    all: QuickSet<Word>,
    /// The last ten bits of each: nearly all other words are told from them by these alone.
    near: [u64; 16],
}

impl Stops {
    fn has(&self, word: Word) -> bool {
        let (at, bit) = Self::place(word);
        self.near[at] & bit != 0 && self.all.contains(&word)
    }

    fn place(word: Word) -> (usize, u64) {
        ((word >> 6 & 15) as usize, 1 << (word & 63))
    }
}

fn hashes(list: &'static str) -> impl Iterator<Item = Word> {
    list.split(' ').map(|word| hash(word.as_bytes()))
}

/// A word without an ending of its grammar.
fn stem(word: &[u8]) -> &[u8] {
    let len = word.len();
    let end = match word {
        [.., b'i', b'n', b'g'] | [.., b'i', b'e', b's' | b'd'] if 6 < len => 3,
        [.., b'e', b's' | b'd'] | [.., b'l', b'y'] if 5 < len => 2,
        [.., b's'] if 4 < len => 1,
        [_, _, before, b's'] if *before != b's' => 1,
        _ => 0,
    };
    &word[..len - end]
}

fn hash(word: &[u8]) -> Word {
    let mut hasher = Quick::default();
    hasher.write(word);
    hasher.finish()
}

/// What tells nothing by itself.
const STOP: &str = "\
    a about after all also am an and any are as at be been before being both but by can could did \
    do does done each either for from had has have having he her here how i if in into is it its \
    may might more most must my no nor not of off on only or our out over per same she should so \
    some such than that the their them then there these they this those to under up us via was we \
    were what when where which while who whom whose why will with would you your";

/// How long the longest of them is.
const LONGEST_STOP: usize = 6;

/// Stems that stand in more than six of ten sessions of coding agents.
const EVERYWHERE: &str = "\
    0 1 2 3 4 actual add already because behavior branch build call case chang change check clean \
    cli code command commit context creat create current direct doesn don error exact exist expect \
    fail file first fix follow found full generat get git github id implement implementation \
    includ instead json just keep let like line lint list ll look main make manual match name need \
    new now one open other output pass path re read remain repo result return run runn see set \
    show since specific start state still summary task test through two type understand updat \
    update use user verify whether without work";

/// Stems that stand in four to six of ten sessions.
const COMMON: &str = "\
    5 6 7 8 accept action active again against agent another api appear apply around auto \
    available avoid back base based block ci clear comment complete config confirm contain content \
    continue correct count data default detail diff different doc edit empty entire even exit \
    explicit failure false field final find format function go good handl handle head helper hook \
    http import inside issu issue key last level load local log logic longer mean message metadata \
    miss mode modify move multiple next non old once option order origin own pars part pattern \
    place plan plus point pr project prompt pull push rather real reference relevant remov remove \
    report repository request requir review right root second separate session single skip source \
    src statu stay step string structure support sure take target text think three time tool track \
    transcript unit used validation verification version want workflow worktree write yet";

/// Stems that stand in one to four of ten sessions.
const FREQUENT: &str = "\
    10 12 15 20 30 answer approach architecture assertion author best better between body break \
    bug cach captur capture careful catch cause checkout close codebase come compare compil \
    concern consistent core cover coverage creation decision defin definition delet delete depend \
    dependency design directory display document documentation duplicate earlier early edge else \
    end enough entry every execution extract fall fallback feature fetch filter finish flag focus \
    fresh handler happen hash help history identify important index initial inline input install \
    instruction integration internal item itself know later latest link live location map mark \
    maybe merge method model never normal note number ok optional original parse partial patch \
    phase preserv problem proces proper question quick ready record refactor registry relat remote \
    replace require reset resolv resolve response safe save say scope script search section setup \
    short side simple small snippet stale stop store struct style suggest suite switch system tell \
    temporary thing though thread title token top touch trace treat tree trigger true try until \
    url usage useful valid wait warn warning way well";

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Word> {
        let mut found = Vec::new();
        each(text, |word| found.push(word));
        found
    }

    #[test]
    fn no_word_that_tells_nothing_is_longer_than_looked_for() {
        assert_eq!(STOP.split(' ').map(str::len).max(), Some(LONGEST_STOP));
    }

    #[test]
    fn words_meet_whatever_their_form() {
        assert_eq!(of("parsing the tokens"), of("parsed Token"));
        assert_eq!(of("parse_line")[1..], of("parse line"));
        assert_eq!(of("RefundKey")[1..], of("refund key"));
        assert_eq!(of("HTTPServer")[1..], of("http server"));
        assert_eq!(of("修复测试").len(), 3);
    }
}
