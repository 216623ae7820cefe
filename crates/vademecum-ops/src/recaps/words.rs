//! What user and agent said in a session that is taken in: a recap leaves words out by which it is asked for later.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::Path;

use vademecum_core::intake::Policy;
use vademecum_core::turn::{Event, Turn};
use vademecum_harness::transcript::{Format, Span};

use super::methods::{Maker, Making};
use super::{Read, read_with};
use crate::error::OpError;

/// So many bytes of one session are kept, its last words first: each search looks through those of hundreds.
const MOST: usize = 32 * 1024;

/// So many characters of one text, its first: what is longer is pasted, or a report whose beginning says what it is.
const OF_ONE: usize = 4_000;

/// Reads a transcript whole, for its recap and for what was said in it.
pub(crate) fn read_with_words(
    making: &Making,
    path: &Path,
    format: Format,
    policy: Policy,
) -> Result<(Read<Maker>, Vec<String>), OpError> {
    let begin = |options: &_| (making.maker(options), Words::default());
    let push = |(maker, words): &mut (Maker, Words), turn: &Turn| {
        maker.push(turn);
        words.extend(said(turn));
    };
    let read = read_with(path, Some(format), (Span::Whole, policy), begin, push)?;
    let Read { digest: (digest, words), report, mut cleaner } = read;
    // What was seen to be a secret later is one wherever it stands.
    let mut clean = |text: String| match cleaner.clean(&text) {
        Cow::Owned(clean) => clean,
        Cow::Borrowed(_) => text,
    };
    let words = words.texts.into_iter().map(&mut clean).collect();
    Ok((Read { digest, report, cleaner }, words))
}

fn said(turn: &Turn) -> Option<String> {
    let (by, text) = match &turn.event {
        Event::Asked { text, .. } => ("user: ", text),
        Event::Said { text } => ("", text),
        _ => return None,
    };
    let text = text.trim();
    let end = text.char_indices().nth(OF_ONE).map_or(text.len(), |(at, _)| at);
    (!text.is_empty()).then(|| format!("{by}{}", &text[..end]))
}

/// The last of the texts that were said, as many as fit.
#[derive(Default)]
struct Words {
    texts: VecDeque<String>,
    len: usize,
}

impl Extend<String> for Words {
    fn extend<T: IntoIterator<Item = String>>(&mut self, texts: T) {
        for text in texts {
            self.len += text.len();
            self.texts.push_back(text);
            while MOST < self.len {
                self.len -= self.texts.pop_front().map_or(self.len, |text| text.len());
            }
        }
    }
}
