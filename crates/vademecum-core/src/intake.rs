//! The one way in for text from outside: its limit, our own words turned away, secrets replaced.
//!
//! Nothing else is changed: an accepted write reads back byte for byte, NUL and odd line breaks
//! included. What may be dangerous to show is the business of [`crate::frame`], when it is shown.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::error::Kind;
use crate::frame::Nonce;
use crate::openers;
use crate::secrets::{self, Found};

/// The door for one sort of text.
#[derive(Debug, Clone, Copy)]
pub struct Intake {
    max_bytes: usize,
    policy: Policy,
}

impl Intake {
    /// The most bytes of a notepad: 16 MiB less room for the message that carries it.
    pub const NOTEPAD_MAX: usize = 16 * 1024 * 1024 - 64 * 1024;

    /// A door that lets texts of at most `max_bytes` in.
    #[must_use]
    pub const fn new(max_bytes: usize, policy: Policy) -> Self {
        Self { max_bytes, policy }
    }

    /// Takes `text` in, or says why not; a refused text leaves no trace.
    pub fn take(&self, text: String) -> Result<Accepted, IntakeError> {
        if self.max_bytes < text.len() {
            return Err(IntakeError::Long { given: text.len(), allowed: self.max_bytes });
        }
        if let Some(at) = own_block(&text) {
            let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
            return Err(IntakeError::Own { line });
        }
        Ok(self.policy.apply(text))
    }
}

/// A text that may be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    text: String,
    replaced: Vec<Replaced>,
}

impl Accepted {
    /// The text as it will be kept.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was replaced in it, in order; the reply to the write shows it.
    #[must_use]
    pub fn replaced(&self) -> &[Replaced] {
        &self.replaced
    }

    /// The text itself, for keeping.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }
}

/// A secret that did not come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The kind of secret, as its rule names it.
    pub kind: &'static str,
    /// Where its stand-in begins in the accepted text, in bytes.
    pub at: usize,
    /// How many bytes were taken out.
    pub len: usize,
}

/// A text that is not let in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IntakeError {
    /// More bytes than this sort of text may have.
    #[error("a text takes at most {allowed} bytes, {given} given")]
    Long {
        /// How many were given.
        given: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// It repeats what was put into the context from here.
    #[error("line {line} belongs to a vade block of the context, which is kept already")]
    Own {
        /// The line with the opener or the receipt, from 1.
        line: usize,
    },
}

impl IntakeError {
    /// The kind, from which surfaces take their code.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Long { .. } | Self::Own { .. } => Kind::Usage,
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Long { .. } => "keep the findings and leave long output in a file",
            Self::Own { .. } => "write only what is new, without the lines that vade put there",
        }
    }
}

/// What becomes of secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Each is replaced by the name of its kind.
    #[default]
    Replace,
    /// A person wants every text kept as it is.
    Keep,
}

impl Policy {
    /// The text without secrets.
    #[must_use]
    pub fn clean(self, text: &str) -> Cow<'_, str> {
        match self.find(text) {
            found if found.is_empty() => Cow::Borrowed(text),
            found => Cow::Owned(replace(text, found).text),
        }
    }

    /// Takes the secrets out of `text` that reach into `changed`.
    ///
    /// An edit can make a secret whole of pieces that were none. What stood there before, a person let in.
    #[must_use]
    pub fn join(self, text: String, changed: &Range<usize>) -> Accepted {
        let start = text.floor_char_boundary(changed.start.saturating_sub(AROUND));
        let end = text.ceil_char_boundary(changed.end.saturating_add(AROUND).min(text.len()));
        let mut found = self.find(&text[start..end]);
        for Found { span, .. } in &mut found {
            *span = span.start + start..span.end + start;
        }
        found.retain(|it| it.span.start < changed.end && changed.start < it.span.end);
        if found.is_empty() {
            Accepted { text, replaced: Vec::new() }
        } else {
            replace(&text, found)
        }
    }

    fn apply(self, text: String) -> Accepted {
        match self.find(&text) {
            found if found.is_empty() => Accepted { text, replaced: Vec::new() },
            found => replace(&text, found),
        }
    }

    fn find(self, text: &str) -> Vec<Found> {
        match self {
            Self::Replace => secrets::find(text),
            Self::Keep => Vec::new(),
        }
    }
}

/// Takes the secrets out of the texts of one session.
///
/// What was known for a secret once is one wherever it stands again: the key that a command was given stands in the error
/// that follows, and nothing beside it says what it is.
#[derive(Debug, Clone, Default)]
pub struct Cleaner {
    policy: Policy,
    known: Vec<(String, &'static str)>,
}

impl Cleaner {
    /// So many secrets are remembered, the newest.
    const MOST: usize = 256;

    /// One that has seen no text yet.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self { policy, known: Vec::new() }
    }

    /// The text without secrets.
    #[must_use]
    pub fn clean<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let mut found = self.policy.find(text);
        for Found { kind, span } in &found {
            let value = &text[span.clone()];
            let is_known = self.known.iter().any(|(known, _)| known == value);
            if !is_known && is_telling(value) {
                if self.known.len() == Self::MOST {
                    self.known.remove(0);
                }
                self.known.push((value.to_owned(), *kind));
            }
        }
        for (known, kind) in &self.known {
            let again = memmem::find_iter(text.as_bytes(), known);
            found.extend(again.map(|at| Found { kind, span: at..at + known.len() }));
        }
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let found = secrets::apart(found);
        Cow::Owned(replace(text, found).text)
    }
}

/// Whether a value is a secret wherever it stands: what is short, or a word, may be anything.
fn is_telling(value: &str) -> bool {
    // No word is so long, and few names.
    const PHRASE: usize = 20;
    (12..=512).contains(&value.len())
        && !value.contains(char::is_whitespace)
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && (PHRASE <= value.len() || value.bytes().any(|byte| byte.is_ascii_digit()))
}

/// How far around an edit a secret is looked for: the longest are private keys.
const AROUND: usize = 16 * 1024;

fn replace(text: &str, found: Vec<Found>) -> Accepted {
    let mut kept = String::with_capacity(text.len());
    let mut replaced = Vec::with_capacity(found.len());
    let mut end = 0;
    for Found { kind, span } in found {
        kept.push_str(&text[end..span.start]);
        replaced.push(Replaced { kind, at: kept.len(), len: span.len() });
        kept.push_str(&secrets::stand_in(kind));
        end = span.end;
    }
    kept.push_str(&text[end..]);
    Accepted { text: kept, replaced }
}

/// Whether `text` holds a block that vade put into a context, or a piece of one.
///
/// It does with a receipt (`[vade receipt 0123456789abcdef]`), with the first line of a context,
/// or with a delimiter of a guarded text. To speak *about* them, or to keep the header of the
/// notepad, is no block.
#[must_use]
pub fn is_own_block(text: &str) -> bool {
    own_block(text).is_some()
}

/// Whether a sign of ours is meant, by the text before it and the text from it on.
type Check = fn(&str, &str) -> bool;

/// The place of the first opener, delimiter or receipt of ours.
fn own_block(text: &str) -> Option<usize> {
    let signs: [(&str, Check); 4] = [
        (openers::RECEIPT, is_receipt),
        (openers::VOICE, is_opener),
        ("<vade-", is_delimiter),
        ("</vade-", is_delimiter),
    ];
    let places = signs.iter().filter_map(|(sign, is_ours)| {
        memmem::find_iter(text.as_bytes(), sign.as_bytes())
            .find(|&at| is_ours(&text[..at], &text[at..]))
    });
    places.min()
}

fn is_receipt(_: &str, text: &str) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let after = &text[openers::RECEIPT.len()..];
    after.as_bytes().get(..16).is_some_and(|digits| digits.iter().all(is_digit))
        && after[16..].starts_with(']')
}

/// Whether a line of quotation marks and blanks at most stands before it, and it opens a context.
fn is_opener(before: &str, text: &str) -> bool {
    // From its end on, since a line may hold the sign many times.
    let mut line = before.chars().rev().take_while(|c| *c != '\n');
    line.all(|c| c.is_whitespace() || matches!(c, '>' | '|' | '`' | '*'))
        && (openers::opens_context(text) || openers::is_hint(text))
}

fn is_delimiter(_: &str, text: &str) -> bool {
    let after = text.strip_prefix("</vade-").or_else(|| text.strip_prefix("<vade-"));
    after.is_some_and(|after| {
        after.get(..8).is_some_and(|digits| Nonce::parse(digits).is_some())
            && after[8..].starts_with([' ', '>'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTEPAD: Intake = Intake::new(Intake::NOTEPAD_MAX, Policy::Replace);

    #[test]
    fn everything_else_comes_in_byte_for_byte() {
        for text in
            ["", "\0", "a\r\nb\rc\u{2028}d", "\u{feff}\u{202e}\u{1b}[31m", "</system-reminder>"]
        {
            let accepted = NOTEPAD.take(text.to_owned());
            let expected = Accepted { text: text.to_owned(), replaced: Vec::new() };
            assert_eq!(accepted, Ok(expected));
        }
    }

    #[test]
    fn long_texts_are_refused_not_cut() {
        let intake = Intake::new(8, Policy::Replace);
        assert!(intake.take("é".repeat(4)).is_ok());
        let error = intake.take("é".repeat(5)).expect_err("10 bytes");
        assert_eq!(error, IntakeError::Long { given: 10, allowed: 8 });
        assert_eq!(error.to_string(), "a text takes at most 8 bytes, 10 given");
        assert_eq!(error.kind(), Kind::Usage);
    }

    #[track_caller]
    fn check_own(text: &str, line: usize) {
        assert_eq!(NOTEPAD.take(text.to_owned()), Err(IntakeError::Own { line }), "{text:?}");
        assert!(is_own_block(text));
    }

    #[test]
    fn our_own_blocks_are_turned_away() {
        check_own("[vade receipt 0123456789abcdef]", 1);
        check_own("my plan\n> [vade receipt 0123456789abcdef] x", 2);
        check_own("vade: restored for this session: its notepad. Background", 1);
        check_own("a\n\n> vade: restored for this sub-agent: its notepad.", 3);
        check_own("vade: copied from the session that this one was forked from: its notepad", 1);
        check_own("a\n<vade-3f9a1c02 lines=1 escaped=0>\n| x\n</vade-3f9a1c02>", 2);
        check_own("| x\n</vade-3f9a1c02>", 2);
        check_own("[vade receipt <hash>]\n[vade receipt 0123456789abcdef]", 2);
        let error = IntakeError::Own { line: 2 };
        insta::assert_snapshot!(format!("{error}\n{}", error.hint()), @r"
        line 2 belongs to a vade block of the context, which is kept already
        write only what is new, without the lines that vade put there
        ");
    }

    #[test]
    fn words_about_them_are_let_in() {
        for text in [
            "## Session Notepad\n- plan",
            "the context ends in [vade receipt <16 hex>]",
            "[vade receipt 0123456789ABCDEF]",
            "[vade receipt 0123456789abcdef0]",
            "[vade receipt 0123456789abcdé",
            "it opens with \"vade: restored for this session: \"",
            "vade: restored for this session is a good name",
            "<vade-nonce lines=1>, <vade-3f9a1c02x>, </vade-3f9a1c0é>, <vade->",
        ] {
            assert!(!is_own_block(text), "{text:?}");
            assert_eq!(NOTEPAD.take(text.to_owned()).map(Accepted::into_text), Ok(text.to_owned()));
        }
    }

    #[track_caller]
    fn check_replaced(text: &str, kept: &str, replaced: &[Replaced]) {
        let expected = Accepted { text: kept.to_owned(), replaced: replaced.to_vec() };
        assert_eq!(NOTEPAD.take(text.to_owned()), Ok(expected));
        assert_eq!(NOTEPAD.take(kept.to_owned()).map(Accepted::into_text), Ok(kept.to_owned()));
        let kept = Intake::new(Intake::NOTEPAD_MAX, Policy::Keep).take(text.to_owned());
        assert_eq!(kept.map(Accepted::into_text), Ok(text.to_owned()));
    }

    #[test]
    fn secrets_are_replaced_and_named() {
        check_replaced("no secret", "no secret", &[]);
        check_replaced(
            "é password='hunter22', <Private>my\n</PRIVATE>",
            "é password='[secret replaced: password]', [private]",
            &[
                Replaced { kind: "password", at: 13, len: 8 },
                Replaced { kind: "private", at: 43, len: 22 },
            ],
        );
        check_replaced(
            "a <private>never closed",
            "a [private]",
            &[Replaced { kind: "private", at: 2, len: 21 }],
        );
    }

    #[test]
    fn what_was_a_secret_once_is_one_wherever_it_stands_again() {
        let mut cleaner = Cleaner::new(Policy::Replace);
        for (text, kept) in [
            ("Invalid key jq4i9ZpR7w2LmXc8", "Invalid key jq4i9ZpR7w2LmXc8"),
            (
                "export API_SECRET='jq4i9ZpR7w2LmXc8' password='hunter22'",
                "export API_SECRET='[secret replaced: generic-secret]' password='[secret replaced: password]'",
            ),
            (
                "SECRET_KEY='Zk3vT9qLw8xN2bYr' is wrong: Zk3vT9qLw8xN2bYr",
                "SECRET_KEY='[secret replaced: generic-secret]' is wrong: [secret replaced: generic-secret]",
            ),
            (
                "Invalid key jq4i9ZpR7w2LmXc8, and jq4i9ZpR7w2LmXc8 again",
                "Invalid key [secret replaced: generic-secret], and [secret replaced: generic-secret] again",
            ),
            (
                "curl -H 'Authorization: Bearer correct-horse-battery-staple' url",
                "curl -H 'Authorization: Bearer [secret replaced: authorization-header]' url",
            ),
            (
                "denied: correct-horse-battery-staple",
                "denied: [secret replaced: authorization-header]",
            ),
            // What is short may be anything.
            ("the word hunter22", "the word hunter22"),
        ] {
            assert_eq!(cleaner.clean(text), kept);
        }
        let mut keeper = Cleaner::new(Policy::Keep);
        let text = "API_SECRET='jq4i9ZpR7w2LmXc8'";
        assert_eq!((keeper.clean(text), keeper.clean(text)), (text.into(), text.into()));
    }

    #[test]
    fn what_an_edit_joins_is_found_and_what_stood_there_is_left() {
        let text = "let in: password='hunter22'\nnew: password='hunter33'\n";
        let joined = Policy::Replace.join(text.to_owned(), &(40..45));
        let kept = "let in: password='hunter22'\nnew: password='[secret replaced: password]'\n";
        assert_eq!(joined.text(), kept);
        assert_eq!(Policy::Replace.join(text.to_owned(), &(28..32)).text(), text);
        assert_eq!(Policy::Keep.join(text.to_owned(), &(40..45)).text(), text);
    }
}
