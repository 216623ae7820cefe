//! Keeps what the agent wants the next session to know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vademecum_core::frame;
use vademecum_core::profile::Before;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::age;
use vademecum_core::tokens::estimate;
use vademecum_harness::hook::Harness;
use vademecum_store::{Change, Handoff, StoreError, View};

use crate::call::Call;
use crate::error::OpError;
use crate::operation::{Answer, Command, Declaration, Effect, Models, Operation, Stdin};
use crate::succession::{self, Worker};

/// Keeps what the agent wants the next session to know.
#[derive(Debug)]
pub struct WriteHandoff;

/// The words.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// State, next step, what not to redo; "" takes it back
    pub content: String,
}

/// Where they are kept.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The session whose handoff it is.
    pub session: String,
    /// About what it costs its reader; 0 if it was taken back.
    pub tokens: usize,
    /// Whether there was nothing to take back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_none: bool,
    /// Whether it is the person's own word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub desk: bool,
    /// The session whose handoff it is a part of: that of a sub-agent is one of its parent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// Who reads it, and when; empty if it was taken back.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub standing: String,
    /// The person's word that no session had read, which these replace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Replaced>,
}

/// A word that was not read yet and no session will be told any more.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replaced {
    /// When it was written (RFC 3339).
    pub at: String,
    /// How long ago that is, in words.
    pub age: String,
    /// How it began.
    pub began: String,
}

/// So much of a word that is replaced is quoted, in characters: enough to know it by.
const BEGAN: usize = 80;

impl Operation for WriteHandoff {
    type Input = Input;
    type Output = Output;

    const DECLARATION: Declaration = Declaration {
        name: "write_handoff",
        aliases: &[],
        title: "Write the handoff",
        about: "Before stopping unfinished: tell the next session state, next step, what not to redo. Replaces the last one.",
        effect: Effect::Writes,
        of_session: true,
        models: Models::Default,
        code: true,
        answer: Answer::OfAnyone,
        command: Some(Command { words: &["handoff", "write"], places: &["content"], stdin: Some(Stdin::Text("content")) }),
        example: r#"{"content": "Key passed in api and worker, cli open. Next: SubmitArgs in cli/refund.rs."}"#,
    };

    fn run(call: &Call<'_>, input: Input) -> Result<Output, OpError> {
        let text = call.accept(&input.content)?;
        let (session, _) = call.open_session()?;
        let written = call.write_once(&session.key, Self::DECLARATION.name, &input, |view| {
            let (key, at) = (&session.key, call.now());
            let parent = session.key.parent().map(|parent| view.session(&parent)).transpose()?.flatten();
            let before = view.handoff(key)?;
            let replaced = replaced(call, view, (&session, before.as_ref()), &text)?;
            let old = before.map(|handoff| handoff.text);
            let new = Some(text.clone()).filter(|text| !text.trim().is_empty());
            let output = Output {
                session: session.handle(),
                was_none: old.is_none() && new.is_none(),
                tokens: new.as_deref().map_or(0, estimate),
                desk: session.key.harness == SessionKey::DESK,
                part_of: parent.as_ref().map(Session::handle),
                standing: new.as_ref().map(|_| standing(call, &session, parent.as_ref())).unwrap_or_default(),
                replaced,
            };
            // The same words again are meant anew: for what they were taken from before, they are not.
            let is_new = old != new || new.is_some();
            let set = Change::SetHandoff { session: key.clone(), text: new, at };
            let mut changes: Vec<Change> = is_new.then_some(set).into_iter().collect();
            let workers = [key.clone()].into_iter().chain(parent.map(|parent| parent.key));
            changes.extend(workers.map(|session| Change::SetWorked { session, at }));
            Ok((changes, output))
        })?;
        Ok(written.value)
    }

    fn say(output: &Output) -> String {
        if output.tokens == 0 {
            let who = succession::called(&output.session);
            return if output.was_none {
                format!("{who} left no handoff: nothing to take back")
            } else {
                format!("handoff of {who} taken back")
            };
        }
        let replaced = output.replaced.as_ref().map_or_else(String::new, |Replaced { age, began, .. }| {
            format!(
                "\nit replaces the word written {age} ago, which no session has read: \"{began}\"\n\
                 to see that one again: vade session timeline desk --whole"
            )
        });
        format!("handoff kept: {} tokens ({}){replaced}", output.tokens, output.standing)
    }
}

/// The word of a person that goes unread where `text` takes its place; none where nothing new does.
fn replaced(
    call: &Call<'_>,
    view: &dyn View,
    (session, before): (&Session, Option<&Handoff>),
    text: &str,
) -> Result<Option<Replaced>, StoreError> {
    let is_new = |before: &&Handoff| before.text != text && !text.trim().is_empty();
    let Some(before) = before.filter(is_new) else { return Ok(None) };
    let desk = Worker { session: session.clone(), at: before.updated_at };
    if !desk.is_person() || desk.is_read(view)? || desk.is_put_away(view)? {
        return Ok(None);
    }
    Ok(Some(Replaced {
        at: before.updated_at.to_rfc3339(),
        age: age(call.now().since(before.updated_at)),
        began: frame::line(&before.text, BEGAN).replace('"', "'"),
    }))
}

/// Who reads the words, and when: the next session that somebody attends, unless they are gone or told to nobody by then.
fn standing(call: &Call<'_>, session: &Session, parent: Option<&Session>) -> String {
    let (config, automatic) = (call.config, call.config.automatic());
    let is_desk = session.key.harness == SessionKey::DESK;
    // Only a harness says that a session ends.
    if !automatic.keeps && Harness::of(&session.key.harness).is_some() {
        return "until this session ends, which erases it: notepad.on_session_end is \"purge\"".to_owned();
    }
    let name = session.handle();
    let by_itself = format!("read_handoff(from=\"{name}\")");
    if let Some(parent) = parent {
        let parent = parent.handle();
        return format!("a part of that of session {parent}, which started you; by itself: {by_itself}");
    }
    let is_told = automatic.restores && config.profile.words().before != Before::Nothing;
    if !is_told {
        return format!("told to nobody by itself: {by_itself} gives it");
    }
    let (beside, again) = match config.recap.enabled {
        _ if is_desk => ("", ""),
        true => (", with notepad, notes and recap", "; write it again if the work goes on for long"),
        false => (", with notepad and notes", "; write it again if the work goes on for long"),
    };
    format!("offered to the next interactive session of this project{beside}, after /clear too{again}")
}
