//! One run of the harness: what it is asked, and what came of it.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::request::{Purpose, Request, Speaker};
use super::script::Script;

/// A prompt, where it is said, and what the model does then.
pub(super) struct Ask<'a> {
    /// The user's words.
    pub(super) prompt: &'a str,
    /// The session that the run begins with.
    pub(super) from: From<'a>,
    /// What each speaker says.
    pub(super) scripts: Vec<(Speaker, Script)>,
    /// What is unlike every other run.
    pub(super) oddities: Oddities,
}

/// What a scenario may want otherwise than usual.
#[derive(Clone, Copy, Default)]
pub(super) struct Oddities {
    /// Tool calls may fail.
    pub(super) has_failing_tools: bool,
    /// The harness loads every schema at once, as it does where it has no tool search.
    pub(super) loads_all_tools: bool,
}

/// The session that a run begins with.
#[derive(Clone, Copy)]
pub(super) enum From<'a> {
    /// A new one.
    Start,
    /// An earlier one, which goes on.
    Resume(&'a str),
    /// A copy of an earlier one.
    Fork(&'a str),
    /// A copy of the project's newest one, which nobody names.
    ForkNewest,
}

impl<'a> Ask<'a> {
    /// Asks in a new session.
    #[must_use]
    pub(super) fn new(prompt: &'a str) -> Self {
        Self { prompt, from: From::Start, scripts: Vec::new(), oddities: Oddities::default() }
    }

    /// Asks in an earlier session.
    #[must_use]
    pub(super) fn resume(mut self, session: &'a str) -> Self {
        self.from = From::Resume(session);
        self
    }

    /// Asks in a copy of an earlier session.
    #[must_use]
    pub(super) fn fork(mut self, session: &'a str) -> Self {
        self.from = From::Fork(session);
        self
    }

    /// Asks in a copy of the project's newest session.
    #[must_use]
    pub(super) fn fork_newest(mut self) -> Self {
        self.from = From::ForkNewest;
        self
    }

    /// Sets what the agent does.
    #[must_use]
    pub(super) fn script(mut self, script: Script) -> Self {
        self.scripts.push((Speaker::Main, script));
        self
    }

    /// Sets what the sub-agent `name` does.
    #[must_use]
    pub(super) fn sub_agent(mut self, name: &str, script: Script) -> Self {
        self.scripts.push((Speaker::Agent(name.to_owned()), script));
        self
    }

    /// Lets tool calls fail.
    #[must_use]
    pub(super) fn with_failing_tools(mut self) -> Self {
        self.oddities.has_failing_tools = true;
        self
    }

    /// Switches the harness's tool search off.
    #[must_use]
    pub(super) fn load_all_tools(mut self) -> Self {
        self.oddities.loads_all_tools = true;
        self
    }

    /// The arguments of the harness for this.
    #[must_use]
    pub(super) fn arguments(&self) -> Vec<&'a str> {
        let mut arguments = vec!["-p", self.prompt, "--model", "claude-sonnet-5"];
        arguments.extend(["--output-format", "stream-json", "--verbose", "--include-hook-events"]);
        match self.from {
            From::Start => {}
            From::Resume(session) => arguments.extend(["--resume", session]),
            From::Fork(session) => arguments.extend(["--resume", session, "--fork-session"]),
            From::ForkNewest => arguments.extend(["--continue", "--fork-session"]),
        }
        arguments
    }
}

/// A run that ended well.
pub(super) struct Run {
    /// The session's id.
    pub(super) session: String,
    /// The requests that the model received in it.
    pub(super) requests: Vec<Request>,
    /// The hooks that ran.
    pub(super) hooks: Vec<Hook>,
    /// What hooks said to the person.
    pub(super) notices: Vec<String>,
}

/// One hook that the harness ran.
#[derive(Clone, Debug)]
pub(super) struct Hook {
    /// The event with its matcher value, such as `SessionStart:compact`.
    pub(super) name: String,
    /// How it ended.
    pub(super) exit_code: Option<i64>,
    /// What it complained about.
    pub(super) stderr: String,
}

impl Run {
    /// Reads the stream of events that the harness printed.
    pub(super) fn new(stdout: &str, requests: Vec<Request>) -> Result<Self> {
        let lines = stdout.lines().filter(|line| !line.is_empty());
        let events: Vec<Value> =
            lines.map(serde_json::from_str).collect::<serde_json::Result<_>>()?;
        let result = events
            .iter()
            .rfind(|event| event["type"] == "result")
            .context("the run has no result")?;
        let session =
            result["session_id"].as_str().context("the result names no session")?.to_owned();
        let hooks =
            events.iter().filter(|event| event["subtype"] == "hook_response").map(hook).collect();
        let notices = events.iter().filter(|event| event["subtype"] == "informational");
        let notices = notices.filter_map(|event| event["content"].as_str().map(str::to_owned));
        Ok(Self { session, requests, hooks, notices: notices.collect() })
    }

    /// Checks what holds for every run: no hook fails, and no tool does where none should.
    pub(super) fn check(&self, oddities: Oddities) -> Result<()> {
        for hook in &self.hooks {
            let Hook { name, exit_code, stderr } = hook;
            ensure!(*exit_code == Some(0), "the hook {name} ended with {exit_code:?}: {stderr}");
        }
        let failed = self.failed_calls();
        ensure!(oddities.has_failing_tools || failed.is_empty(), "tool calls failed: {failed:?}");
        Ok(())
    }

    /// What the model read of tool calls that failed.
    #[must_use]
    pub(super) fn failed_calls(&self) -> Vec<String> {
        self.requests.iter().flat_map(Request::failed_calls).collect()
    }

    /// The requests for the next reply of `speaker`, in order.
    #[must_use]
    pub(super) fn turns(&self, speaker: &Speaker) -> Vec<&Request> {
        self.of(speaker, Purpose::Turn).map(|(_, request)| request).collect()
    }

    /// The agent's own first request.
    pub(super) fn first(&self) -> Result<&Request> {
        self.turns(&Speaker::Main).first().copied().context("the agent asked the model nothing")
    }

    /// The agent's own last request.
    pub(super) fn last(&self) -> Result<&Request> {
        self.turns(&Speaker::Main).last().copied().context("the agent asked the model nothing")
    }

    /// The one request for a summary of `speaker`'s conversation, and the first turn after it.
    pub(super) fn compaction(&self, speaker: &Speaker) -> Result<(&Request, Option<&Request>)> {
        let summaries: Vec<_> = self.of(speaker, Purpose::Summary).collect();
        let [(place, summary)] = summaries[..] else {
            bail!("{speaker:?} was compacted {} times, not once", summaries.len());
        };
        let after = self.of(speaker, Purpose::Turn).find(|(idx, _)| place < *idx);
        Ok((summary, after.map(|(_, request)| request)))
    }

    fn of(&self, speaker: &Speaker, purpose: Purpose) -> impl Iterator<Item = (usize, &Request)> {
        let is_meant =
            move |request: &Request| request.speaker == *speaker && request.purpose == purpose;
        self.requests.iter().enumerate().filter(move |(_, request)| is_meant(request))
    }
}

fn hook(event: &Value) -> Hook {
    let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
    Hook { name: text("hook_name"), exit_code: event["exit_code"].as_i64(), stderr: text("stderr") }
}
