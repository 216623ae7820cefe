//! Sessions of opencode as turns: messages and their parts, wherever they are kept.

use serde::Deserialize;
use vademecum_core::time::Time;

use crate::transcript::{
    Arguments, Facts, Flag, Format, Known, Maybe, Out, Raw, Report, Str, decode, finish, joined,
    take_json,
};

/// One part of a message, as its database keeps both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// The message's id, which the JSON of a row lacks.
    pub message_id: &'a str,
    /// The message as JSON.
    pub message: &'a str,
    /// The part as JSON.
    pub part: &'a str,
}

/// Reads the rows of one session, which come in the order of their messages and parts.
pub struct Rows<'s> {
    session: Session,
    out: Out<'s>,
}

impl<'s> Rows<'s> {
    /// Begins with what the database says about the session itself, as JSON.
    pub fn new(session: &str, sink: &'s mut dyn FnMut(vademecum_core::turn::Turn)) -> Self {
        let mut rows = Self { session: Session::default(), out: Out::new(sink, Format::Opencode) };
        rows.session.begin(session, &mut rows.out);
        rows
    }

    /// Reads the next part.
    pub fn part(&mut self, row: Row<'_>) {
        let (message, part) = (decode(row.message.as_bytes()), decode(row.part.as_bytes()));
        self.session.take(row.message_id, &message.text, &part.text, &mut self.out);
    }

    /// Counts a part that is too long to be read.
    pub fn long(&mut self) {
        self.out.skip(|skipped| skipped.too_long += 1);
    }

    /// What was read.
    #[must_use]
    pub fn finish(self) -> Report {
        finish(self.out)
    }
}

/// What is known of a session while its parts are read.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// The first message that was undone.
    undone_from: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct About<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    version: Str<'a>,
    #[serde(borrow)]
    directory: Str<'a>,
    #[serde(borrow)]
    revert: Maybe<Revert<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Revert<'a> {
    #[serde(borrow, rename = "messageID")]
    message_id: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    role: Str<'a>,
    summary: Flag,
    #[serde(borrow, rename = "modelID")]
    model_id: Str<'a>,
    #[serde(borrow)]
    path: Maybe<Place<'a>>,
    time: Maybe<Times>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Place<'a> {
    #[serde(borrow)]
    cwd: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Times {
    created: Option<serde_json::Number>,
    start: Option<serde_json::Number>,
}

impl Times {
    fn at(&self) -> Option<Time> {
        self.start.as_ref().or(self.created.as_ref())?.as_i64().map(Time)
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    text: Str<'a>,
    synthetic: Flag,
    ignored: Flag,
    time: Maybe<Times>,
    #[serde(borrow)]
    tool: Str<'a>,
    #[serde(borrow, rename = "callID")]
    call_id: Str<'a>,
    #[serde(borrow)]
    state: Maybe<State<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct State<'a> {
    #[serde(borrow)]
    status: Str<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    output: Raw<'a>,
    #[serde(borrow)]
    error: Raw<'a>,
    time: Maybe<Times>,
}

impl Session {
    /// Keeps what a session says about itself in `json`.
    pub(crate) fn begin(&mut self, json: &str, out: &mut Out<'_>) {
        let Ok(Maybe(Some(about))) = serde_json::from_str::<Maybe<About<'_>>>(json) else { return };
        let revert = about.revert.0.as_ref();
        self.undone_from = revert.and_then(|it| it.message_id.said()).map(str::to_owned);
        out.facts(&Facts {
            session: about.id.said(),
            version: about.version.said(),
            cwd: about.directory.said(),
            model: None,
        });
    }

    /// Reads a part with its message, or counts what was wrong with them.
    pub(crate) fn take(&self, id: &str, message: &str, part: &str, out: &mut Out<'_>) {
        take_json(part, out, |part, out| {
            let message: Message<'_> = serde_json::from_str(message)?;
            let part: Part<'_> = serde_json::from_str(part)?;
            if message.role.said().is_none() || part.kind.said().is_none() {
                return Ok(Known::Foreign);
            }
            // Ids rise: whatever was said behind an undone message is undone too.
            let id = if id.is_empty() { &*message.id } else { id };
            if self.undone_from.as_deref().is_some_and(|from| !id.is_empty() && from <= id) {
                return Ok(Known::Dead);
            }
            part.tell(&message, out);
            Ok(Known::Ours)
        });
    }
}

impl Part<'_> {
    fn tell(&self, message: &Message<'_>, out: &mut Out<'_>) {
        let state_time = self.state.0.as_ref().and_then(|state| state.time.0.as_ref());
        let times = [state_time, self.time.0.as_ref(), message.time.0.as_ref()];
        out.at_time(times.into_iter().flatten().find_map(Times::at));
        out.facts(&Facts {
            model: message.model_id.said(),
            cwd: message.path.0.as_ref().and_then(|path| path.cwd.said()),
            ..Facts::default()
        });
        match (&*self.kind, &*message.role) {
            ("text", "user") if !self.synthetic.0 && !self.ignored.0 => out.asked(&self.text),
            ("text", "assistant") if message.summary.0 => out.compacted(Some(&self.text)),
            ("text", "assistant") => out.said(&self.text),
            ("reasoning", _) => out.thought(&self.text),
            ("compaction", _) => out.compacted(None),
            ("tool", _) => self.tell_call(out),
            _ => {}
        }
    }

    /// A call and its answer stand in one part.
    fn tell_call(&self, out: &mut Out<'_>) {
        let Some(state) = &self.state.0 else { return };
        out.called(&self.call_id, &self.tool, &Arguments::of(state.input));
        match &*state.status {
            "completed" => out.answered(&self.call_id, true, &joined(state.output)),
            "error" => out.answered(&self.call_id, false, &joined(state.error)),
            _ => {}
        }
    }
}
