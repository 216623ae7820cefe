//! Who calls: what the arguments, the metadata of a call and the environment say of its session.

use serde_json::{Map, Value};
use vademecum::core::id::WriteId;
use vademecum::core::session::SessionKey;
use vademecum::harness::codex;
use vademecum::harness::hook::Harness;
use vademecum::harness::hook::reply::caller_and_named;
use vademecum::ops::who::{Clues, HostProcess, full_key};
use vademecum::ops::{Caller, OpError, World};
use vademecum::port::{Author, Origin, Surface};

/// The argument by which a call names its session.
pub(super) const SESSION: &str = "session";

/// The session of a call, named by a client that knows vade.
const OWN_SESSION: &str = "dev.vademecum/session";

/// The write id of a call.
const OWN_WRITE: &str = "dev.vademecum/write";

/// Where Codex puts the ids of thread and session; inside a sub-agent the session is its parent's.
const CODEX: [(&[&str], &[&str]); 2] = [
    (&["threadId"], &["sessionId"]),
    (&["x-codex-turn-metadata", "thread_id"], &["x-codex-turn-metadata", "session_id"]),
];

/// Where other harnesses put their own id of the session, in the order in which they are believed.
const TOLD: [(&str, &str); 2] =
    [("ai.opencode/sessionID", "opencode"), ("antigravity.google/conversation_id", "antigravity")];

/// Where harnesses put what names one call of a session.
const CALL_IDS: [&str; 2] = ["claudecode/toolUseId", "callId"];

/// The variables by which Claude Code shows that it started a server.
const CLAUDE: [&str; 3] = ["CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "CLAUDECODE"];

/// What is known before any call: the environment, and the process that started this one.
#[derive(Debug, Clone, Default)]
pub(super) struct Host {
    environment: Option<String>,
    process: Option<HostProcess>,
    /// Whether calls come through hooks of ours, which say in `session` who calls.
    has_hooks: bool,
}

impl Host {
    /// What the environment of this process says.
    pub(super) fn of(world: &World) -> Self {
        let is_claude = is_child_of_claude(world);
        let claude = world.var("CLAUDE_CODE_SESSION_ID").filter(|_| is_claude);
        let claude = claude.map(|id| format!("claude-code:{id}"));
        let has_hooks = is_claude && CLAUDE.iter().any(|name| world.var(name).is_some());
        let environment = world.var("VADE_SESSION_ID").or(claude);
        // When it began is not asked: a server starts too often for that.
        let host_name = world.host_name.clone();
        let process = parent().map(|pid| HostProcess { pid, host_name, began: None });
        Self { environment, process, has_hooks }
    }
}

/// Whether Claude Code itself started this process: what runs below its shell inherits its
/// variables, an agent of another make included.
pub(super) fn is_child_of_claude(world: &World) -> bool {
    world.var("CLAUDE_CODE_CHILD_SESSION").is_none()
}

/// The process that started this one.
pub(super) fn parent() -> Option<u32> {
    let pid = rustix::process::getppid()?;
    u32::try_from(pid.as_raw_nonzero().get()).ok()
}

/// Who makes a call with this metadata, `session` being the argument.
pub(super) fn caller(
    host: &Host,
    meta: &Map<String, Value>,
    session: Option<String>,
) -> Result<Caller, OpError> {
    let origin = Origin { surface: Surface::Mcp, author: Author::Agent };
    Ok(Caller { origin, clues: clues(host, meta, session), write_id: write_id(meta)? })
}

fn clues(host: &Host, meta: &Map<String, Value>, session: Option<String>) -> Clues {
    let told = text(meta, &[OWN_SESSION]).or_else(|| told_by_harness(meta));
    let given = session.filter(|session| !session.trim().is_empty());
    let (hook, named) = match given.as_deref().and_then(by_hook) {
        Some((caller, named)) if host.has_hooks && told.is_none() => (Some(caller), named),
        Some(_) | None => (None, given),
    };
    Clues {
        named,
        told: told.or(hook),
        environment: host.environment.clone(),
        host: host.process.clone(),
        ..Clues::default()
    }
}

/// Who calls, and whom the model named, as our hook of Claude Code wrote them into the call.
fn by_hook(session: &str) -> Option<(String, Option<String>)> {
    let (caller, named) = caller_and_named(session)?;
    let SessionKey { harness, .. } = full_key(caller)?;
    let is_hook = harness == Harness::ClaudeCode.id();
    is_hook.then(|| (caller.to_owned(), named.map(str::to_owned)))
}

fn told_by_harness(meta: &Map<String, Value>) -> Option<String> {
    let codex = CODEX.iter().find_map(|(thread, session)| {
        codex::session_name(text(meta, session).as_deref(), text(meta, thread).as_deref())
    });
    codex.or_else(|| {
        TOLD.iter().find_map(|(key, harness)| Some(format!("{harness}:{}", text(meta, &[key])?)))
    })
}

/// The name of a write: given, else the harness's name of the call, which is unique in its session.
fn write_id(meta: &Map<String, Value>) -> Result<Option<WriteId>, OpError> {
    if let Some(given) = meta.get(OWN_WRITE) {
        let id = given.as_str().and_then(WriteId::new);
        return id.map(Some).ok_or_else(|| {
            let most = WriteId::MAX;
            OpError::usage(format!("{OWN_WRITE} takes 1 to {most} bytes of text, {given} given"))
        });
    }
    Ok(CALL_IDS.iter().find_map(|&key| WriteId::new(format!("{key}:{}", text(meta, &[key])?))))
}

/// The text at `path` in the metadata; none when it is empty or something else.
fn text(meta: &Map<String, Value>, path: &[&str]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let value = rest.iter().try_fold(meta.get(*first)?, |value, key| value.get(key))?;
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
