//! The events of Copilot CLI as turns.

use std::collections::HashSet;

use serde::Deserialize;

use crate::transcript::{
    Arguments, Facts, Flag, Known, Maybe, Out, Raw, Reader, Str, joined, parse,
};

/// How many calls are remembered, which two events tell.
const CALLS_MAX: usize = 10_000;

/// Reads the events of a session.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// The calls that a message told and whose start is still to come.
    told: HashSet<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow)]
    timestamp: Str<'a>,
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow, rename = "agentId")]
    agent_id: Str<'a>,
    #[serde(borrow)]
    data: Maybe<Data<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Data<'a> {
    #[serde(borrow)]
    session_id: Str<'a>,
    #[serde(borrow)]
    copilot_version: Str<'a>,
    #[serde(borrow)]
    model: Str<'a>,
    #[serde(borrow)]
    selected_model: Str<'a>,
    #[serde(borrow)]
    new_model: Str<'a>,
    #[serde(borrow)]
    context: Maybe<Context<'a>>,
    #[serde(borrow)]
    parent_tool_call_id: Str<'a>,
    #[serde(borrow)]
    source: Str<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    reasoning_text: Str<'a>,
    #[serde(borrow)]
    tool_requests: Option<Vec<Maybe<Request<'a>>>>,
    #[serde(borrow)]
    tool_call_id: Str<'a>,
    #[serde(borrow)]
    tool_name: Str<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    success: Option<Flag>,
    #[serde(borrow)]
    result: Raw<'a>,
    #[serde(borrow)]
    error: Raw<'a>,
    #[serde(borrow)]
    summary_content: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Context<'a> {
    #[serde(borrow)]
    cwd: Str<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Request<'a> {
    #[serde(borrow)]
    tool_call_id: Str<'a>,
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
}

impl Reader for Turns {
    fn survey(&mut self, _: u64, _: &str) -> bool {
        false
    }

    fn record(&mut self, _: u64, line: &str, out: &mut Out<'_>) -> serde_json::Result<Known> {
        let record: Record<'_> = parse(line)?;
        let Some(data) = &record.data.0 else { return Ok(Known::Foreign) };
        out.at(&record.timestamp);
        if record.agent_id.said().is_some() || data.parent_tool_call_id.said().is_some() {
            return Ok(Known::Dead);
        }
        match &*record.kind {
            "user.message" => data.tell_prompt(out),
            "assistant.message" => self.tell_message(data, out),
            "tool.execution_start" if !self.told.remove(&*data.tool_call_id) => {
                let arguments = Arguments::of(data.arguments);
                out.called(&data.tool_call_id, &data.tool_name, &arguments);
            }
            "tool.execution_complete" => data.tell_answer(out),
            "abort" => out.interrupted(),
            "session.compaction_complete" if data.has_succeeded() => {
                out.compacted(data.summary_content.said());
            }
            "session.context_cleared" => out.compacted(None),
            kind if kind.starts_with("session.") => data.tell_facts(out),
            _ => {}
        }
        Ok(Known::Ours)
    }
}

impl Turns {
    fn tell_message(&mut self, data: &Data<'_>, out: &mut Out<'_>) {
        out.facts(&Facts { model: data.model.said(), ..Facts::default() });
        out.thought(&data.reasoning_text);
        out.said(&joined(data.content));
        let requests = data.tool_requests.iter().flatten().filter_map(|request| request.0.as_ref());
        for request in requests {
            let arguments = Arguments::of(request.arguments);
            out.called(&request.tool_call_id, &request.name, &arguments);
            if self.told.len() < CALLS_MAX {
                self.told.insert(request.tool_call_id.to_string());
            }
        }
    }
}

impl Data<'_> {
    fn has_succeeded(&self) -> bool {
        self.success != Some(Flag(false))
    }

    fn tell_facts(&self, out: &mut Out<'_>) {
        let models = [&self.new_model, &self.selected_model];
        out.facts(&Facts {
            session: self.session_id.said(),
            version: self.copilot_version.said(),
            model: models.into_iter().find_map(Str::said),
            cwd: self.context.0.as_ref().and_then(|context| context.cwd.said()),
        });
    }

    /// A message with a source is one that the harness wrote, unless that is the user.
    fn tell_prompt(&self, out: &mut Out<'_>) {
        if matches!(self.source.said(), None | Some("user")) {
            out.asked(&joined(self.content));
        }
    }

    fn tell_answer(&self, out: &mut Out<'_>) {
        let mut text = joined(self.result.or(self.error));
        // The exit code stands behind what was printed; other harnesses tell it first.
        if let Some((printed, end)) = text.rsplit_once('\n')
            && end.starts_with('<')
            && end.contains("exit code ")
        {
            text = format!("{end}\n{printed}");
        }
        out.answered(&self.tool_call_id, self.has_succeeded(), &text);
    }
}
