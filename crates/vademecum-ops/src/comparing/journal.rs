//! The journals of two stores, line by line.

use std::collections::BTreeSet;

use vademecum_core::id::Seq;
use vademecum_core::time::Time;
use vademecum_store::change::Unknown;
use vademecum_store::{Body, Change, JournalFilter, Record, Scope, StoreError, View};

use super::Pair;
use crate::copying::is_copied;

/// So many entries are read at once.
const SLICE: usize = 1000;

impl Pair<'_> {
    pub(super) fn journals(&mut self) -> Result<(), StoreError> {
        let (one, other) = (scopes(self.one)?, scopes(self.other)?);
        let named = |scope: &(String, Scope)| scope.0.clone();
        let texts = |all: &[(String, Scope)]| all.iter().map(named).collect::<BTreeSet<_>>();
        let what = |text: &String| format!("the journal of {text}");
        let both = self.both(what, &texts(&one), &texts(&other));
        for (text, scope) in one.iter().filter(|(text, _)| both.contains(text)) {
            self.line(text, scope)?;
        }
        Ok(())
    }

    fn line(&mut self, text: &str, scope: &Scope) -> Result<(), StoreError> {
        let mut lines = [self.one.records(scope, 0)?, self.other.records(scope, 0)?];
        for line in &mut lines {
            line.retain(is_copied);
            line.reverse();
        }
        let [one, other] = lines;
        if !one.iter().map(known).eq(other.iter().map(known)) {
            let (n, m) = (one.len(), other.len());
            self.found.differs(format!("the journal of {text} differs: {n} and {m} writes"));
            return Ok(());
        }
        for (a, b) in one.iter().zip(&other) {
            self.found.records += 1;
            let (body, twin) = (self.one.body(a.seq)?, self.other.body(b.seq)?);
            let what = format!("write {} of {text}", a.write_id);
            self.same(&what, &body.map(plain), &twin.map(plain));
        }
        Ok(())
    }
}

/// What is known of an entry anywhere.
fn known(record: &Record) -> (&str, &str, String, Time) {
    (&record.write_id, &record.kind, record.origin.word(), record.at)
}

/// A body in which what is gone is called so, whoever says it.
fn plain(body: Body) -> Body {
    let one = |change| match change {
        Change::Unknown(unknown) if unknown.names_what_is_gone() => {
            Change::Unknown(Unknown::gone(&unknown.word))
        }
        other => other,
    };
    Body { undo: body.undo.into_iter().map(one).collect(), ..body }
}

/// The scopes that have entries which are copied, in the order of their names.
fn scopes(view: &dyn View) -> Result<Vec<(String, Scope)>, StoreError> {
    let (mut found, mut after) = (std::collections::BTreeMap::new(), Seq(0));
    loop {
        let filter = JournalFilter {
            after: Some(after),
            oldest_first: true,
            limit: SLICE,
            ..JournalFilter::default()
        };
        let slice = view.records_by(&filter)?;
        let Some(last) = slice.last() else { return Ok(found.into_iter().collect()) };
        after = last.seq;
        for record in slice.into_iter().filter(is_copied) {
            found.entry(record.scope.to_string()).or_insert(record.scope);
        }
    }
}
