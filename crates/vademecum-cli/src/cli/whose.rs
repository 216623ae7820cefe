//! Which session a person's command is about where its words name none: the agent's that is at work, else the desk.

use std::io::{self, BufRead, IsTerminal};

use serde_json::Value;
use vademecum::core::frame;
use vademecum::core::project::shown;
use vademecum::core::session::Session;
use vademecum::core::time::{Time, age};
use vademecum::ops::at_work::{self, AtWork};
use vademecum::ops::operation::Effect;
use vademecum::ops::recaps::find::of_session;
use vademecum::ops::{Call, Op, OpError};
use vademecum::port::StoreError;

use super::print;

/// Whose session is meant where nothing names one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The person's own.
    Desk,
    /// The agent's that is at work; of several the person chooses.
    Agent,
    /// The same, for what changes it: never another person's.
    Own,
    /// The agent's; of several, or only another person's, none.
    OnlyAgent,
    /// The agent's whose transcript is there; of several the person chooses.
    Transcript,
}

/// The session that was found, and how it is told to the person.
#[derive(Debug)]
pub(crate) struct Meant {
    /// Its full name.
    pub(crate) name: String,
    /// The line about it.
    pub(crate) line: String,
}

impl Whose {
    /// Whose session `op` is about.
    pub(crate) fn of(op: &Op, arguments: &Value) -> Self {
        let what = arguments.get("what").and_then(Value::as_str);
        let is_all = arguments.get("all").and_then(Value::as_bool) == Some(true);
        match op.declaration.effect {
            _ if is_all || !at_work::is_meant_by(op.declaration, what) => Self::Desk,
            Effect::Reads => Self::Agent,
            Effect::Writes | Effect::Destroys => Self::Own,
        }
    }

    /// Finds the session; none where it is the desk.
    pub(crate) fn find(self, call: &Call<'_>, as_json: bool) -> Result<Option<Meant>, OpError> {
        // While it is off nothing is shown of any: there is nothing to choose.
        let is_any = [Self::Agent, Self::Own].contains(&self);
        if self == Self::Desk || is_any && call.is_off()? {
            return Ok(None);
        }
        let Some((project, found)) = call.read(|view| self.look(call, view))? else {
            return Ok(None);
        };
        let meant = |session: &Session, state: &str| {
            let Session { key, .. } = session;
            let (handle, harness) = (session.handle(), &key.harness);
            let line = format!("{harness} session {handle} of {project}, {state}");
            let line = format!("{} (--desk for your own)", frame::line(&line, 200));
            Some(Meant { name: key.to_string(), line })
        };
        Ok(match found {
            AtWork::Nobody => None,
            AtWork::Anothers(_) if [Self::Own, Self::OnlyAgent].contains(&self) => None,
            AtWork::Anothers(session) => meant(&session, "of another person"),
            AtWork::Running(session) if session.host_name != call.world.host_name => {
                meant(&session, &format!("running on {}", session.host_name))
            }
            AtWork::Running(session) => meant(&session, "running"),
            AtWork::Last(session) => {
                let ago = age(call.now().since(session.seen_at));
                meant(&session, &format!("last active {ago} ago"))
            }
            AtWork::Several(sessions) => {
                match self.several(call, (&project, &sessions), as_json)? {
                    Some(session) => meant(session, "running"),
                    None => None,
                }
            }
        })
    }

    fn look(
        self,
        call: &Call<'_>,
        view: &dyn vademecum::port::View,
    ) -> Result<Option<(String, AtWork)>, StoreError> {
        let Some(project) = call.project(view)? else { return Ok(None) };
        let is_meant =
            |session: &Session| self != Self::Transcript || of_session(session).is_some();
        let found = at_work::find(view, call.world, project.id, &is_meant)?;
        Ok(Some((shown(&project.name), found)))
    }

    /// The one of several that the person chooses.
    fn several<'s>(
        self,
        call: &Call<'_>,
        (project, sessions): (&str, &'s [Session]),
        as_json: bool,
    ) -> Result<Option<&'s Session>, OpError> {
        // Where things stand is told of each.
        if self == Self::OnlyAgent {
            return Ok(None);
        }
        let rows = call.read(|view| {
            let row = |session| Ok((session, row(view, call.now(), session)?));
            sessions.iter().map(row).collect::<Result<Vec<_>, StoreError>>()
        })?;
        Self::choose(project, &rows, as_json)
    }

    /// Asks a person at a terminal which one is meant; anybody else is told the choices.
    fn choose<'s>(
        project: &str,
        rows: &[(&'s Session, String)],
        as_json: bool,
    ) -> Result<Option<&'s Session>, OpError> {
        let n = rows.len();
        if as_json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            let list = listed(rows, &|_| String::new());
            return Err(OpError::usage(format!("{n} sessions run in {project}:{list}"))
                .hint("--session names one of them, --desk is your own"));
        }
        let list = listed(rows, &|number| format!("{number}  "));
        let question =
            format!("{n} sessions run in {project}:{list}\n  0  your own desk\nWhich? [1] ");
        loop {
            let answer = answer(&question)?;
            match answer.parse::<usize>() {
                Ok(0) => return Ok(None),
                Ok(number) if number <= n => return Ok(Some(rows[number - 1].0)),
                Err(_) if answer.is_empty() => {
                    return Ok(rows.first().map(|(session, _)| *session));
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
}

/// The sessions, one a line, each behind its mark.
fn listed(rows: &[(&Session, String)], mark: &dyn Fn(usize) -> String) -> String {
    let lines = (1..).zip(rows).map(|(number, (_, row))| format!("\n  {}{row}", mark(number)));
    lines.collect::<Vec<_>>().concat()
}

/// What a person typed behind `question`.
fn answer(question: &str) -> Result<String, OpError> {
    let mut line = String::new();
    let asked = print::ask(question).and_then(|()| io::stdin().lock().read_line(&mut line));
    match asked {
        Ok(0) => {
            // The question has no line end of its own.
            print::say("");
            Err(OpError::usage("no session was chosen").hint("--session names one"))
        }
        Ok(_) => Ok(line.trim().to_owned()),
        Err(error) => Err(OpError::broken(format!("cannot ask: {error}"))),
    }
}

/// One session of several: its handle, harness, age, and what it does.
fn row(
    view: &dyn vademecum::port::View,
    now: Time,
    session: &Session,
) -> Result<String, StoreError> {
    let doing = at_work::doing(view, session)?;
    let (harness, ago) = (&session.key.harness, age(now.since(session.started_at)));
    let row = format!("{}  {harness}, began {ago} ago  {doing}", session.handle());
    Ok(frame::line(row.trim_end(), 100))
}
