//! Notepads as resources: this session's under a fixed name, any of the project's by its handle.

use std::sync::Arc;

use rmcp::model::{Resource, ResourceTemplate};
use vademecum::core::session::Session;
use vademecum::ops::who::full_name;
use vademecum::ops::{Call, Caller, OpError, registry};
use vademecum::port::SessionFilter;

use crate::mcp::calls::{Calls, nothing};

/// What a notepad is written in.
pub(super) const MARKDOWN: &str = "text/markdown";

/// The page of the session of the call.
const OWN: &str = "vade://notepad";

const TEMPLATE: &str = "vade://session/{+handle}/notepad";

/// How many sessions of the project are listed.
const LISTED: usize = 20;

/// The page that an address means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Page {
    /// The one of the session of the call.
    Own,
    /// The one of the session with this handle or full name.
    Of(String),
}

impl Page {
    /// Reads an address; none for any other resource.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        if uri == OWN {
            return Some(Self::Own);
        }
        let handle = uri.strip_prefix("vade://session/")?.strip_suffix("/notepad")?;
        (!handle.is_empty()).then(|| Self::Of(handle.to_owned()))
    }

    /// The session that it names.
    pub(super) fn session(self) -> Option<String> {
        match self {
            Self::Own => None,
            Self::Of(handle) => Some(handle),
        }
    }
}

/// All pages that are shown to choose from: the session's own, then those of the project.
///
/// Clients list at their start: a store that cannot be read is the matter of the first call.
pub(super) fn all(call: &Call<'_>) -> Vec<Resource> {
    let sessions = call.read(|view| {
        let Some(project) = call.project(view)? else {
            return Ok(Vec::new());
        };
        let filter = SessionFilter {
            project: Some(project.id),
            include_agents: true,
            limit: LISTED,
            ..SessionFilter::default()
        };
        view.sessions(filter)
    });
    let own = Resource::new(OWN, "notepad")
        .with_title("Notepad of this session")
        .with_mime_type(MARKDOWN);
    std::iter::once(own).chain(sessions.unwrap_or_default().iter().map(resource)).collect()
}

fn resource(session: &Session) -> Resource {
    let name = full_name(&session.key);
    Resource::new(format!("vade://session/{}/notepad", session.handle()), session.handle())
        .with_title(format!("Notepad of {name}"))
        .with_mime_type(MARKDOWN)
}

/// The form of the addresses.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(TEMPLATE, "notepad of a session")
        .with_title("Notepad of a session")
        .with_description("The page of the session with this handle.")
        .with_mime_type(MARKDOWN)
}

/// The text of the page that `caller` asks for.
pub(super) async fn read(calls: &Arc<Calls>, caller: Caller) -> Result<String, OpError> {
    let op = registry::find("read_notepad").expect("an operation of the foundation");
    let reply = calls.run(op, nothing(), caller).await?;
    Ok(reply.object["content"].as_str().unwrap_or_default().to_owned())
}
