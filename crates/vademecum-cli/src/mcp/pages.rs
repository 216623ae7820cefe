//! Notepads as resources: this session's under a fixed name, that of a child of it by its handle.

use std::sync::Arc;

use rmcp::model::{Resource, ResourceTemplate};
use vademecum::core::session::Session;
use vademecum::ops::who::family;
use vademecum::ops::{Call, Caller, Config, OpError, registry};

use crate::mcp::calls::{Calls, nothing};

/// What a notepad is written in.
pub(super) const MARKDOWN: &str = "text/markdown";

/// The page of the session of the call.
const OWN: &str = "vade://notepad";

const TEMPLATE: &str = "vade://session/{+handle}/notepad";

/// How many of them are listed: a client shows a list, and sub-agents come by the hundred.
const LISTED: usize = 20;

/// The page that an address means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Page {
    /// The one of the session of the call.
    Own,
    /// The one of the session with this handle or full name, if it is the caller's or its child's.
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

/// What models call a page under `config`; none where they have none.
pub(super) fn name(config: &Config) -> Option<&'static str> {
    config.profile.words().page()
}

/// All pages that the caller may read: its session's own, then its children's.
///
/// Clients list at their start: a store that cannot be read is the matter of the first call.
pub(super) fn all(call: &Call<'_>) -> Vec<Resource> {
    let Some(name) = name(call.config) else { return Vec::new() };
    let sessions = call.look(|view| {
        let project = call.project(view)?;
        let desk = call.desk(project.as_ref());
        family(view, project.as_ref(), desk, &call.caller.clues)
    });
    let page = Resource::new(OWN, name)
        .with_title(format!("{} of this session", title(name)))
        .with_mime_type(MARKDOWN);
    let sessions = sessions.unwrap_or_default();
    let of_children = sessions.iter().take(LISTED).map(|session| resource(session, name));
    std::iter::once(page).chain(of_children).collect()
}

fn resource(session: &Session, name: &str) -> Resource {
    let of = session.key.to_string();
    Resource::new(format!("vade://session/{}/notepad", session.handle()), session.handle())
        .with_title(format!("{} of {of}", title(name)))
        .with_mime_type(MARKDOWN)
}

/// The form of the addresses, where there are pages.
pub(super) fn template(config: &Config) -> Option<ResourceTemplate> {
    let name = name(config)?;
    let template = ResourceTemplate::new(TEMPLATE, format!("{name} of a session"))
        .with_title(format!("{} of a session", title(name)))
        .with_description("The page of this session or of a child of it, by its handle.")
        .with_mime_type(MARKDOWN);
    Some(template)
}

/// The name as a title begins with it.
fn title(name: &str) -> String {
    let first = name.chars().next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(name.chars().skip(1)).collect()
}

/// The text of the page that `caller` asks for.
pub(super) async fn read(calls: &Arc<Calls>, caller: Caller) -> Result<String, OpError> {
    let op = registry::find("read_notepad").expect("an operation of the foundation");
    let reply = calls.run(op, nothing(), caller).await?;
    Ok(reply.object["content"].as_str().unwrap_or_default().to_owned())
}
