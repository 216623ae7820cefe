//! The notepad in a context whose model has an earlier revision of it: the lines that changed.

use super::form::Form;
use super::page::Stored;
use super::table::{BlockName, Fitted, PAGE_CHANGES, Part};
use crate::diff::unified;

/// One equal line around a change says where it stands; the model has the others.
const AROUND: usize = 1;

/// Stands behind the changes, so that a heading among them begins nothing else.
const END: &str = "[vade: the rest of the notepad is as it was; read_notepad shows it whole]";

/// What changed of the notepad, and the whole of it where there is no room for that.
pub(super) struct PageChanges<'s, 'a> {
    page: &'s Stored<'a>,
    text: String,
    want: usize,
}

impl<'s, 'a> PageChanges<'s, 'a> {
    /// The changes from `before` to the page `now`; none where they save less than a third of it.
    ///
    /// Whoever reads two thirds of a page as changes has put it together anew: the page itself is clearer.
    pub(super) fn new(
        before: &str,
        now: &'a str,
        page: &'s Stored<'a>,
        form: &Form,
    ) -> Option<Self> {
        let lines = unified(before, now, AROUND);
        let is_plain = [before, now, &lines].iter().all(|text| form.is_innocent(text));
        let lines = lines.trim_end();
        let shown = if is_plain { lines.to_owned() } else { form.guarded(lines) };
        let text = format!("{PAGE_CHANGES}\n{shown}\n{END}");
        let want = form.cap.measure(&text);
        (want <= page.want(form) / 3 * 2).then_some(Self { page, text, want })
    }
}

impl Part for PageChanges<'_, '_> {
    fn name(&self) -> BlockName {
        BlockName::Notepad
    }

    fn of(&self) -> u64 {
        self.page.of()
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn want(&self, _: &Form) -> usize {
        self.want
    }

    fn fit(&self, room: usize, form: &Form) -> Fitted {
        if room < self.want {
            return self.page.fit(room, form);
        }
        let why = "what changed: the rest is in the conversation".to_owned();
        Fitted { text: self.text.clone(), shown: self.of(), why }
    }
}
