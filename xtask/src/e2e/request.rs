//! One request that the mock model received, and what a scenario asks of it.

use serde_json::Value;

/// Who speaks in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Speaker {
    /// The agent that the user talks to.
    Main,
    /// A sub-agent, by the name in its marker.
    Agent(String),
}

/// What the harness wants with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The next reply of a conversation.
    Turn,
    /// The summary of a conversation that is being compacted.
    Summary,
    /// Something beside the conversation, such as a title.
    Side,
}

/// The body of one request to the messages API.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Whose conversation it belongs to.
    pub(super) speaker: Speaker,
    /// What it is for.
    pub(super) purpose: Purpose,
    /// The body as it came.
    pub(super) body: Value,
}

/// What the harness says in front of the text that a hook gave.
const HOOK_CONTEXT: &str = " hook additional context: ";
const MARKER: (&str, &str) = ("[sub-agent ", "]");
const REMINDER: (&str, &str) = ("<system-reminder>\n", "\n</system-reminder>");

impl Request {
    /// Reads who asks, and for what, out of a body.
    #[must_use]
    pub(super) fn new(body: Value) -> Self {
        let mut request = Self { speaker: Speaker::Main, purpose: Purpose::Turn, body };
        request.speaker = request.find_speaker();
        request.purpose = request.find_purpose();
        request
    }

    /// The texts of all messages in order, tool results included, calls left out.
    #[must_use]
    pub(super) fn texts(&self) -> Vec<&str> {
        self.messages().iter().flat_map(|message| texts_of(&message["content"])).collect()
    }

    /// The texts that hooks of `event` put into this request, as the model reads them.
    ///
    /// An event of a tool is named without the tool (`PostToolUse`).
    #[must_use]
    pub(super) fn contexts(&self, event: &str) -> Vec<&str> {
        self.reminders().into_iter().filter_map(|reminder| context_of(reminder, event)).collect()
    }

    /// The instructions that the MCP server `name` gave, if the model has them.
    #[must_use]
    pub(super) fn instructions(&self, name: &str) -> Option<&str> {
        let title = format!("\n## {name}\n");
        let reminder = self
            .reminders()
            .into_iter()
            .find(|text| text.starts_with("# MCP Server Instructions"))?;
        let (_, rest) = reminder.split_once(&title)?;
        Some(rest.split("\n\n## ").next().unwrap_or(rest).trim_end())
    }

    /// The tools of the server `name` whose schemas are loaded, as JSON.
    #[must_use]
    pub(super) fn loaded_tools(&self, name: &str) -> Vec<&Value> {
        let prefix = format!("mcp__{name}__");
        let tools = self.body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        tools
            .iter()
            .filter(|tool| tool["name"].as_str().is_some_and(|name| name.starts_with(&prefix)))
            .collect()
    }

    /// The lines that name tools of the server `name` that are not loaded.
    #[must_use]
    pub(super) fn listed_tools(&self, name: &str) -> Vec<&str> {
        let prefix = format!("mcp__{name}__");
        let is_list = |text: &&str| text.starts_with("The following deferred tools");
        let lists = self.reminders().into_iter().filter(is_list);
        lists.flat_map(str::lines).filter(|line| line.starts_with(&prefix)).collect()
    }

    /// The text of the last tool result whose call went to `tool`.
    #[must_use]
    pub(super) fn result_of(&self, tool: &str) -> Option<String> {
        let calls: Vec<&Value> =
            self.blocks("tool_use").filter(|block| block["name"] == tool).collect();
        let answers =
            |result: &&Value| calls.iter().any(|call| call["id"] == result["tool_use_id"]);
        let result = self.blocks("tool_result").filter(answers).last()?;
        Some(texts_of(&result["content"]).concat())
    }

    /// The texts of the tool results that are errors.
    #[must_use]
    pub(super) fn failed_calls(&self) -> Vec<String> {
        let failed = self.blocks("tool_result").filter(|result| result["is_error"] == true);
        failed.map(|result| texts_of(&result["content"]).concat()).collect()
    }

    /// The last message's last text of the user, such as the summariser's prompt.
    #[must_use]
    pub(super) fn last_prompt(&self) -> Option<&str> {
        let last = self.messages().iter().rfind(|message| message["role"] == "user")?;
        texts_of(&last["content"]).last().copied()
    }

    fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn blocks(&self, kind: &str) -> impl Iterator<Item = &Value> {
        let contents = self.messages().iter().filter_map(|message| message["content"].as_array());
        contents.flatten().filter(move |block| block["type"] == kind)
    }

    /// Each reminder that the harness added to the conversation, without its tags.
    fn reminders(&self) -> Vec<&str> {
        let inside = |text| parts_between(text, REMINDER.0, REMINDER.1);
        self.texts().into_iter().flat_map(inside).collect()
    }

    /// The marker stands in a sub-agent's first message, and in its summary after a compaction.
    fn find_speaker(&self) -> Speaker {
        let first = self.messages().iter().find(|message| message["role"] == "user");
        let texts = first.map(|message| texts_of(&message["content"])).unwrap_or_default();
        let name = texts
            .into_iter()
            .find_map(|text| parts_between(text, MARKER.0, MARKER.1).first().copied());
        name.map_or(Speaker::Main, |name| Speaker::Agent(name.to_owned()))
    }

    fn find_purpose(&self) -> Purpose {
        let prompt = self.last_prompt().unwrap_or_default();
        if prompt.starts_with("CRITICAL: Respond with TEXT ONLY") && prompt.contains("<summary>") {
            return Purpose::Summary;
        }
        let has_tools = self.body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
        if has_tools { Purpose::Turn } else { Purpose::Side }
    }
}

/// The texts of a message's or a tool result's content, which is a string or a list of blocks.
fn texts_of(content: &Value) -> Vec<&str> {
    if let Some(text) = content.as_str() {
        return vec![text];
    }
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = blocks.iter().flat_map(|block| match block["type"].as_str() {
        Some("text") => block["text"].as_str().into_iter().collect(),
        Some("tool_result") => texts_of(&block["content"]),
        _ => Vec::new(),
    });
    texts.collect()
}

/// The part of a reminder behind "`event` hook additional context: ", with or without a tool's name.
fn context_of<'a>(reminder: &'a str, event: &str) -> Option<&'a str> {
    let rest = reminder.strip_prefix(event)?;
    let (matcher, context) = rest.split_once(HOOK_CONTEXT)?;
    let is_named_so =
        matcher.is_empty() || (matcher.starts_with(':') && !matcher.contains(char::is_whitespace));
    is_named_so.then_some(context)
}

fn parts_between<'a>(text: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    text.split(begin)
        .skip(1)
        .filter_map(|rest| rest.split_once(end))
        .map(|(part, _)| part)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(first: &str, last: &Value) -> Request {
        Request::new(json!({
            "tools": [{ "name": "mcp__vade__add_note" }, { "name": "Read" }],
            "messages": [{ "role": "user", "content": first }, { "role": "user", "content": last }],
        }))
    }

    #[track_caller]
    fn check(first: &str, last: &str, speaker: &Speaker, purpose: Purpose) {
        let request = request(first, &json!([{ "type": "text", "text": last }]));
        assert_eq!((&request.speaker, request.purpose), (speaker, purpose));
    }

    #[test]
    fn knows_who_asks_and_for_what() {
        let summary = "CRITICAL: Respond with TEXT ONLY. … a <summary> block";
        check("go on", "go on", &Speaker::Main, Purpose::Turn);
        check("go on", summary, &Speaker::Main, Purpose::Summary);
        let scout = Speaker::Agent("scout".to_owned());
        check("[sub-agent scout] look", "look", &scout, Purpose::Turn);
        check("[sub-agent scout] look", summary, &scout, Purpose::Summary);
    }

    #[test]
    fn takes_hook_contexts_apart() {
        let text = "<system-reminder>\nSessionStart hook additional context: two\nlines\n</system-reminder>\n\n\
                    <system-reminder>\nPostToolUse:Read hook additional context: one\n</system-reminder>";
        let request = request(text, &json!("go on"));
        assert_eq!(request.contexts("SessionStart"), ["two\nlines"]);
        assert_eq!(request.contexts("PostToolUse"), ["one"]);
        assert_eq!(request.contexts("PostToolBatch"), Vec::<&str>::new());
    }

    #[test]
    fn finds_the_result_of_a_call() {
        let call = json!({ "type": "tool_use", "id": "t1", "name": "Read", "input": {} });
        let text = json!([{ "type": "text", "text": "fn main" }]);
        let result = json!({ "type": "tool_result", "tool_use_id": "t1", "content": text });
        let request = request("go on", &json!([call, result]));
        assert_eq!(request.result_of("Read").as_deref(), Some("fn main"));
        assert_eq!(request.result_of("Edit"), None);
    }
}
