//! What a prompt told and its model has not: the prompt was taken back, or the user went back to before it.

use vademecum_core::id::Seq;
use vademecum_core::session::Session;
use vademecum_harness::hook::Event;
use vademecum_harness::received::{unanswered, went_back};
use vademecum_store::{StoreError, View};

use super::{Hook, log, resume};
use crate::gather::{self, News, Since};

/// What the model of a session was given and does not have.
#[derive(Debug, Default)]
pub(super) struct Unheard {
    /// From where on it lacks what was written.
    lacks: Lacks,
    /// Whether it was warned at a prompt that was taken back.
    pub(super) is_warning: bool,
}

/// From where on a model lacks what was written.
#[derive(Debug, Default)]
enum Lacks {
    /// What others wrote since it was last told.
    #[default]
    New,
    /// What they wrote behind this: a prompt that told of it was taken back.
    Behind(Seq),
    /// What does not stand on the branch that the user went back to.
    OnBranch(Since),
}

/// What the record of the session tells of it, when a prompt comes.
///
/// Of a prompt that stands on another branch the record tells once that prompt is in it.
pub(super) fn at_prompt(hook: &Hook<'_>, event: &Event<'_>, session: &Session) -> Unheard {
    let Some(path) = &event.transcript_path else { return Unheard::default() };
    let unanswered = unanswered(event.harness, path).unwrap_or_default();
    let receipts: Vec<&str> = unanswered.iter().filter_map(|it| it.receipt.as_deref()).collect();
    // Of what a prompt carries a warning alone has no receipt.
    let is_warning = receipts.len() < unanswered.len();
    let has_gone_back = went_back(event.harness, path).unwrap_or_default();
    let left = has_gone_back
        .then(|| resume::left_behind(hook, session, (event.harness, path), &receipts))
        .flatten();
    let lacks = match left {
        Some(since) => Lacks::OnBranch(since),
        None => behind(hook, session, &receipts).map_or(Lacks::New, Lacks::Behind),
    };
    Unheard { lacks, is_warning }
}

/// Behind which write the last contexts of a session begin, if they have these receipts.
fn behind(hook: &Hook<'_>, session: &Session, receipts: &[&str]) -> Option<Seq> {
    if receipts.is_empty() {
        return None;
    }
    let name = session.key.to_string();
    let sent = log::sent(&hook.world.folders.data);
    let of_session = sent.iter().rev().filter(|sent| sent.session == name);
    let last = of_session.take_while(|sent| receipts.contains(&sent.receipt.as_str()));
    last.map(|sent| sent.from).min()
}

impl Unheard {
    /// What is to be told at the prompt.
    pub(super) fn news(&self, view: &dyn View, session: &Session) -> Result<News, StoreError> {
        match &self.lacks {
            Lacks::New => gather::news(view, session, session.standing.told),
            Lacks::Behind(told) => gather::news(view, session, *told),
            Lacks::OnBranch(since) => gather::news_since(view, session, since),
        }
    }

    /// Behind which write that begins.
    pub(super) fn from(&self, session: &Session) -> Seq {
        match &self.lacks {
            Lacks::New => session.standing.told,
            Lacks::Behind(told) => *told,
            Lacks::OnBranch(since) => since.upto,
        }
    }

    /// Whether that is all that the conversation lacks, the model's own writes too.
    pub(super) fn is_full(&self) -> bool {
        matches!(self.lacks, Lacks::OnBranch(_))
    }
}
