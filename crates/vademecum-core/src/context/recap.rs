//! The recap in a context: the longest form that there is room for, else its start, cut at a line.

use super::form::Form;
use super::table::{BlockName, Fitted, Part, RECAP, RECAP_BEFORE};

/// What a name may take of the title, in units.
const NAME: usize = 80;

/// A recap of the session so far, as it was made of the transcript.
#[derive(Debug, Clone, Copy)]
pub struct Recap<'a> {
    /// The same recap within several budgets, the longest first.
    pub texts: &'a [String],
    /// So many of these, the first, are for room that nothing else wants.
    pub n_longer: usize,
    /// Of how much of the transcript it is, in a few words; empty where all of it was read.
    pub coverage: &'a str,
    /// The session before, if it is the recap of that one.
    pub before: Option<Follows<'a>>,
    /// Whether it says nothing that the harness's summary says, which its reader has.
    pub is_beside_summary: bool,
    /// One line on the files that are as the session read them; empty where there are none.
    pub unchanged: &'a str,
}

/// The session before a new one, of which it is told.
#[derive(Debug, Clone, Copy)]
pub struct Follows<'a> {
    /// Its short name.
    pub handle: &'a str,
    /// Where all of it stands.
    pub whole: &'a str,
}

/// A recap before the room for it is known.
pub(super) struct Told {
    /// The forms, the longest first; none is blank.
    forms: Vec<String>,
    /// So many of them are asked of nobody: they take what is left.
    n_longer: usize,
    heading: String,
    /// Whether the shortest form may be cut: a guarded one must not be parted.
    is_plain: bool,
}

impl Told {
    /// Chooses how each form is shown; none where there is nothing to tell.
    pub(super) fn new(recap: &Recap, form: &Form) -> Option<Self> {
        let texts = || recap.texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        let n_longer = recap.n_longer.min(texts().count().saturating_sub(1));
        let whole = |text: &str| [text, recap.unchanged].join("\n").trim_end().to_owned();
        let forms = texts().map(|text| form.shown(&whole(text)).into_owned()).collect();
        let heading = match (recap.before, recap.coverage) {
            (Some(before), _) => {
                let handle = form.line(before.handle, NAME);
                format!("{RECAP_BEFORE} ({handle}; all of it: {})", form.line(before.whole, NAME))
            }
            (None, coverage) => {
                let lacks = if recap.is_beside_summary { "what the summary lacks" } else { "" };
                let what: Vec<&str> =
                    [coverage, lacks].into_iter().filter(|it| !it.is_empty()).collect();
                if what.is_empty() {
                    format!("{RECAP} so far")
                } else {
                    format!("{RECAP} so far ({})", what.join("; "))
                }
            }
        };
        let is_plain = form.is_innocent(&whole(texts().next_back()?));
        Some(Self { forms, n_longer, heading, is_plain })
    }

    /// The longest that takes room from others.
    fn longest(&self) -> &str {
        self.forms.get(self.n_longer).map_or("", String::as_str)
    }

    fn shortest(&self) -> &str {
        self.forms.last().map_or("", String::as_str)
    }

    /// The first lines of the shortest form, as many as fit.
    fn cut(&self, room: usize, form: &Form) -> (String, u64) {
        let mut left = room.saturating_sub(form.cap.measure(&self.heading));
        let fits = |line: &&str| {
            let rest = left.checked_sub(1 + form.cap.measure(line));
            rest.map(|rest| left = rest).is_some()
        };
        let lines = self.shortest().lines().take_while(|_| self.is_plain).take_while(fits);
        let mut lines: Vec<&str> = lines.collect();
        // A title without a line below it says nothing.
        while lines.last().is_some_and(|line| line.ends_with(':')) {
            lines.pop();
        }
        if lines.is_empty() {
            return (String::new(), 0);
        }
        (format!("{}\n{}", self.heading, lines.join("\n")), lines.len() as u64)
    }
}

impl Part for Told {
    fn name(&self) -> BlockName {
        BlockName::Recap
    }

    fn of(&self) -> u64 {
        self.longest().lines().count() as u64
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn want(&self, form: &Form) -> usize {
        form.cap.measure(&self.heading) + 1 + form.cap.measure(self.longest())
    }

    fn fit(&self, room: usize, form: &Form) -> Fitted {
        let whole =
            |text: &&String| form.cap.measure(&self.heading) + 1 + form.cap.measure(text) <= room;
        let (text, shown) = match self.forms.iter().find(whole) {
            Some(fitting) => {
                (format!("{}\n{fitting}", self.heading), fitting.lines().count() as u64)
            }
            None => self.cut(room, form),
        };
        let why = match shown {
            0 => format!("no room: it wants {} characters and gets {room}", self.want(form)),
            _ if self.want(form) <= room => "whole".to_owned(),
            _ => format!("shorter: it wants {} characters and gets {room}", self.want(form)),
        };
        Fitted { text, shown: shown.min(self.of()), why }
    }
}
