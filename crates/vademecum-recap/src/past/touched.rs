//! Who changed a file, for what request, and why.

use std::collections::VecDeque;

use vademecum_core::turn::{Action, Answer, Event, Turn};

use super::{Spot, Telling, reason, request};
use crate::Options;
use crate::digest::low;
use crate::statement::{flat, messages, sentence};

/// So many requests of one session are kept, the newest.
const MOST: usize = 12;

/// What was done to a file while one request was worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The first change.
    pub first: Spot,
    /// The last change.
    pub last: Spot,
    /// How many changes there were.
    pub changes: u32,
    /// The last one of another kind than an edit: `wrote`, `deleted`, `moved`.
    pub deed: Option<&'static str>,
    /// What the user had asked for.
    pub asked: Option<String>,
    /// The agent's sentence that names the file and says most of why.
    pub why: Option<String>,
    /// The subject of the commit that followed.
    pub commit: Option<String>,
    telling: Option<Telling>,
}

impl Touch {
    /// Takes a reason that tells as much as the one it has.
    fn hear(&mut self, said: Option<(Telling, String)>) {
        let said = said.filter(|(telling, _)| self.telling <= Some(*telling));
        if let Some((telling, why)) = said {
            (self.why, self.telling) = (Some(why), Some(telling));
        }
    }
}

/// What a session did to one file, or to what lies below one folder.
#[derive(Debug)]
pub struct Touched {
    roots: Vec<String>,
    wanted: String,
    /// The name of the file in small letters, by which sentences speak of it.
    name: String,
    asked: Option<String>,
    /// The best reason so far of the request that is worked on.
    why: Option<(Telling, String)>,
    touches: VecDeque<Touch>,
    /// Whether the newest touch is of the request that is worked on.
    is_current: bool,
    /// The calls that changed it and are not answered: what was refused changed nothing.
    open: Vec<String>,
    /// How often the file was read.
    pub reads: u32,
}

impl Touched {
    /// Looks for what is done to `path`, relative to the project's root, or any file of that name.
    #[must_use]
    pub fn new(path: &str, options: &Options) -> Self {
        let root = |root: &String| format!("{}/", root.trim_end_matches('/'));
        let roots: Vec<String> = options.roots.iter().map(root).collect();
        let path = file(path);
        let wanted = below(path, &roots).trim_start_matches("./").trim_end_matches('/').to_owned();
        let name = low(wanted.rsplit('/').next().unwrap_or_default());
        Self {
            roots,
            wanted,
            name,
            asked: None,
            why: None,
            touches: VecDeque::new(),
            is_current: false,
            open: Vec::new(),
            reads: 0,
        }
    }

    /// Takes the next turn in.
    pub fn push(&mut self, turn: &Turn) {
        match &turn.event {
            Event::Asked { text, .. } => {
                let before = self.asked.take();
                self.asked = request(text, before.as_deref()).or(before);
                self.why = None;
                self.is_current = false;
            }
            Event::Said { text } => self.said(text),
            Event::Called(call) => {
                call.actions.iter().for_each(|action| self.acted(turn, &call.id, action));
            }
            Event::Answered(answer) => self.answered(answer),
            _ => {}
        }
    }

    /// What was done, the newest first.
    #[must_use]
    pub fn finish(self) -> Vec<Touch> {
        self.touches.into_iter().rev().collect()
    }

    /// What only states a cause is of the file where it stands right before a change of it.
    fn said(&mut self, text: &str) {
        let name = self.name.as_str();
        let said = reason(text, &self.roots, |low| low.contains(name));
        let is_about = said.as_ref().is_some_and(|(telling, _)| Telling::States < *telling);
        match self.touches.back_mut().filter(|_| self.is_current && is_about) {
            Some(touch) => touch.hear(said),
            None if is_about
                || self.why.as_ref().is_none_or(|(known, _)| *known == Telling::States) =>
            {
                self.why = said;
            }
            None => {}
        }
    }

    fn acted(&mut self, turn: &Turn, id: &str, action: &Action) {
        let (path, deed) = match action {
            Action::Edited { path } => (path, None),
            Action::Wrote { path, .. } => (path, Some("wrote")),
            Action::Deleted { path } => (path, Some("deleted")),
            Action::Moved { path, to } if self.is_it(path) || self.is_it(to) => {
                return self.changed(turn, id, Some("moved"));
            }
            Action::Read { path } => {
                self.reads += u32::from(self.is_it(path));
                return;
            }
            Action::Ran { command, .. } => return self.ran(command),
            _ => return,
        };
        if self.is_it(path) {
            self.changed(turn, id, deed);
        }
    }

    fn answered(&mut self, answer: &Answer) {
        let Some(at) = self.open.iter().position(|id| *id == answer.call) else { return };
        self.open.swap_remove(at);
        let touch = self.touches.back_mut().filter(|_| !answer.is_ok());
        if let Some(touch) = touch {
            touch.changes -= 1;
            if touch.changes == 0 {
                self.touches.pop_back();
                self.is_current = false;
            }
        }
    }

    /// A commit tells of what was changed before it and by no other.
    fn ran(&mut self, command: &str) {
        let is_here = command.contains("commit") && !self.is_elsewhere(command);
        let Some(subject) = messages::subject(command).filter(|_| is_here) else { return };
        let subject = flat(&subject);
        if let Some(touch) = self.touches.back_mut().filter(|touch| touch.commit.is_none()) {
            touch.commit = Some(sentence::cut(subject, super::SHORT));
        }
    }

    /// Whether a line makes a repository, or goes into a folder outside of the project.
    fn is_elsewhere(&self, line: &str) -> bool {
        let goes = |to: &str| {
            let to = format!("{}/", to.trim_matches(['"', '\'']).trim_end_matches('/'));
            to.starts_with('/') && !self.roots.iter().any(|root| to.starts_with(root.as_str()))
        };
        let folders = line.split("cd ").skip(1).filter_map(|rest| rest.split_whitespace().next());
        line.contains("git init") || (!self.roots.is_empty() && folders.into_iter().any(goes))
    }

    fn changed(&mut self, turn: &Turn, id: &str, deed: Option<&'static str>) {
        self.open.push(id.to_owned());
        if let Some(touch) = self.touches.back_mut().filter(|_| self.is_current) {
            touch.last = Spot::of(turn);
            touch.changes += 1;
            touch.deed = deed.or(touch.deed);
            // What is changed again was not all in the commit before.
            touch.commit = None;
            touch.hear(self.why.take());
            return;
        }
        if self.touches.len() == MOST {
            self.touches.pop_front();
        }
        let (telling, why) = self.why.take().unzip();
        self.touches.push_back(Touch {
            first: Spot::of(turn),
            last: Spot::of(turn),
            changes: 1,
            deed,
            asked: self.asked.clone(),
            why,
            commit: None,
            telling,
        });
        self.is_current = true;
    }

    fn is_it(&self, path: &str) -> bool {
        let path = below(path, &self.roots).trim_start_matches("./");
        let wanted = self.wanted.as_str();
        if wanted.is_empty() {
            return !path.starts_with(['/', '.']);
        }
        let ends = path.strip_suffix(wanted).is_some_and(|it| it.is_empty() || it.ends_with('/'));
        ends || path.strip_prefix(wanted).is_some_and(|it| it.starts_with('/'))
    }
}

/// The file that a path with lines behind it names: of `retry.rs:14` and `retry.rs:3-9` the file.
#[must_use]
pub fn file(path: &str) -> &str {
    let bare = path.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '-'));
    if path[bare.len()..].starts_with(':') { bare } else { path }
}

/// A path relative to the folder that the session works in.
fn below<'a>(path: &'a str, roots: &[String]) -> &'a str {
    roots.iter().find_map(|root| path.strip_prefix(root.as_str())).unwrap_or(path)
}
