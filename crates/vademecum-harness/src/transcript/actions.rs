//! What a call does, by the name of its tool, whichever harness made it.

use vademecum_core::turn::Action;

use super::{Arguments, patch, plans, questions, script, shell};
use crate::claude_code::own_tool;

/// The fields in which harnesses put a path.
const PATHS: [&str; 10] = [
    "file_path",
    "path",
    "filePath",
    "notebook_path",
    "notebookPath",
    "absolute_path",
    "filename",
    "file",
    "target_file",
    "relative_workspace_path",
];

/// What the call of `tool` does, never nothing.
pub(super) fn actions(tool: &str, arguments: &Arguments<'_>) -> Vec<Action> {
    let done = match tool.strip_prefix("mcp__") {
        Some(_) => of_server(tool, arguments).into_iter().collect(),
        None => of_harness(tool, arguments),
    };
    if done.is_empty() { vec![other(arguments)] } else { done }
}

/// The fields by which our own tools name a session or a note, which tells nothing of the work.
const NAMING: [&str; 4] = ["session", "from", "id", "supersedes"];

/// Every string of a call's arguments, one a line; of our own tools without the names of what is kept.
pub(super) fn text(tool: &str, arguments: &Arguments<'_>) -> String {
    match own_tool(tool) {
        Some(_) => arguments.strings_but(&NAMING),
        None => arguments.strings(),
    }
}

/// Whether the answer of the call is no material: a memory tells it, ours whatever was asked of it.
///
/// What is kept comes back by itself; told again in a recap, it would grow with each of them.
pub(super) fn is_mute(tool: &str, actions: &[Action]) -> bool {
    own_tool(tool).is_some()
        || actions.iter().any(|action| match action {
            Action::Read { path } => path.ends_with("_handoff.md"),
            Action::Ran { command, .. } => shell::runs_vade(command),
            Action::Recalled { .. } => tool.starts_with("mcp__"),
            Action::Listed { .. }
            | Action::Edited { .. }
            | Action::Wrote { .. }
            | Action::Deleted { .. }
            | Action::Moved { .. }
            | Action::Revised { .. }
            | Action::Searched { .. }
            | Action::Planned { .. }
            | Action::Delegated { .. }
            | Action::Remembered { .. }
            | Action::Questioned { .. }
            | Action::Proposed { .. }
            | Action::Finished { .. }
            | Action::Looked
            | Action::Other { .. } => false,
        })
}

fn other(arguments: &Arguments<'_>) -> Action {
    Action::Other { arguments: arguments.compact() }
}

/// What a tool of an MCP server does: one that is a memory, ours or another's, or one for files.
fn of_server(tool: &str, arguments: &Arguments<'_>) -> Option<Action> {
    let (server, verb) = match own_tool(tool) {
        Some(own) => ("memory", own),
        None => tool.strip_prefix("mcp__")?.rsplit_once("__")?,
    };
    if own_tool(tool).is_some() && asks_harness(verb) {
        return Some(Action::Looked);
    }
    let is = |verbs: &[&str]| verbs.iter().any(|word| verb.contains(word));
    if !["mem", "knowledge", "notes"].iter().any(|word| server.contains(word)) {
        return of_files(verb, arguments);
    }
    if is(&["add", "save", "store", "write", "create", "remember", "append", "promote", "edit"]) {
        return Some(Action::Remembered { text: arguments.strings_but(&NAMING) });
    }
    if is(&["update", "delete", "remove", "forget", "scratch"]) {
        // How is no part of what is kept.
        let text = arguments.strings_but(&[&NAMING[..], &["operation"]].concat());
        return Some(Action::Revised { text });
    }
    let query = arguments.text(&["query", "q", "text", "about", "id", "ids"]).unwrap_or_default();
    let is_one = arguments.raw("id").is_some() && arguments.raw("query").is_none();
    let recalls = ["search", "get", "recall", "read", "query", "list", "find", "timeline", "recap"];
    if !is(&recalls) {
        return None;
    }
    // Ours without a query looks at what is kept, and recalls nothing in particular.
    let is_look = own_tool(tool).is_some() && query.trim().is_empty();
    Some(if is_look {
        Action::Looked
    } else {
        Action::Recalled { query: query.into_owned(), is_one }
    })
}

/// What a tool changes whose name says it: a file.
fn of_files(verb: &str, arguments: &Arguments<'_>) -> Option<Action> {
    match files(verb, arguments)? {
        change if change.changes_state() => Some(change),
        _ => None,
    }
}

fn of_harness(tool: &str, arguments: &Arguments<'_>) -> Vec<Action> {
    let name = tool.rsplit('.').next().unwrap_or(tool).to_ascii_lowercase();
    match name.as_str() {
        "bash" | "shell" | "local_shell" | "local_shell_call" | "exec_command" | "run_command"
        | "run_shell_command" | "run_terminal_cmd" | "execute" | "powershell" | "terminal" => {
            ran(arguments)
        }
        "exec" | "apply_patch" | "applypatch" | "patch" => scripted(arguments),
        _ => one(&name, arguments).map_or_else(|| unknown(&name, arguments), |done| vec![done]),
    }
}

fn one(name: &str, arguments: &Arguments<'_>) -> Option<Action> {
    files(name, arguments).or_else(|| talk(name, arguments))
}

/// What tools for files and searches do.
fn files(name: &str, arguments: &Arguments<'_>) -> Option<Action> {
    let path = || arguments.text(&PATHS).map(std::borrow::Cow::into_owned);
    match name {
        "read" | "view" | "read_file" | "notebookread" | "view_image" | "open_file" | "cat" => {
            Some(Action::Read { path: path()? })
        }
        "edit" | "multiedit" | "notebookedit" | "str_replace" | "search_replace" | "replace"
        | "edit_file" | "insert" => Some(Action::Edited { path: path()? }),
        "write" | "create" | "write_file" | "create_file" => wrote(arguments),
        "str_replace_editor" | "str_replace_based_edit_tool" | "memory" => editor(arguments),
        "delete" | "delete_file" | "remove_file" | "remove" | "unlink" => {
            Some(Action::Deleted { path: path()? })
        }
        "move" | "move_file" | "rename" | "rename_file" => moved(arguments),
        "ls" | "list" | "list_dir" | "list_directory" | "list_files" => {
            Some(Action::Listed { path: path().unwrap_or_else(|| ".".to_owned()) })
        }
        "grep" | "glob" | "rg" | "search" | "find" | "codesearch" | "search_files"
        | "websearch" | "web_search" | "web_search_call" | "google_web_search" | "webfetch"
        | "web_fetch" | "fetch" | "fetch_url" | "lsp" => searched(arguments),
        _ => None,
    }
}

/// What tools for plans, people and agents do.
fn talk(name: &str, arguments: &Arguments<'_>) -> Option<Action> {
    let text = |names: &[&str]| arguments.text(names).map(std::borrow::Cow::into_owned);
    match name {
        "todowrite" | "todo_write" | "update_plan" | "update_todo" | "todo" | "write_todos" => {
            plans::whole(arguments)
        }
        "taskcreate" => plans::created(arguments),
        "taskupdate" => plans::updated(arguments),
        "sql" => plans::queried(&arguments.text(&["query"])?),
        "task" | "agent" | "spawn_agent" | "delegate" | "subagent" => Some(Action::Delegated {
            to: text(&["subagent_type", "agent_type", "agent", "name"]).unwrap_or_default(),
            about: text(&["description", "task_name", "name"]).unwrap_or_default(),
            task: text(&["prompt", "message", "task", "description"])?,
        }),
        "askuserquestion" | "ask_user" | "ask" | "question" | "request_user_input" => {
            questions::asked(arguments)
        }
        "exitplanmode" | "exit_plan_mode" => {
            Some(Action::Proposed { plan: text(&["plan", "summary"])? })
        }
        _ => kept(name, arguments),
    }
}

/// What tools for memories, for the end and for the harness itself do.
fn kept(name: &str, arguments: &Arguments<'_>) -> Option<Action> {
    let text = |names: &[&str]| arguments.text(names).map(std::borrow::Cow::into_owned);
    match name {
        "done" | "finish" | "task_complete" | "attempt_completion" => Some(Action::Finished {
            summary: text(&["summary", "result", "message", "text"]).unwrap_or_default(),
        }),
        "remember" => Some(Action::Remembered {
            text: text(&["text", "content", "note", "memory", "value"])?,
        }),
        "recall" => Some(Action::Recalled {
            query: text(&["query", "q", "id", "text"]).unwrap_or_default(),
            is_one: arguments.raw("id").is_some(),
        }),
        "write_stdin" => text(&["chars"]).is_none().then_some(Action::Looked),
        _ => asks_harness(name).then_some(Action::Looked),
    }
}

/// Whether a tool only asks about the harness itself: its processes, tasks, tools and modes.
fn asks_harness(name: &str) -> bool {
    const TOOLS: [&str; 24] = [
        "read_bash",
        "stop_bash",
        "list_bash",
        "bashoutput",
        "killshell",
        "killbash",
        "taskoutput",
        "taskstop",
        "tasklist",
        "taskget",
        "todoread",
        "wait",
        "status",
        "toolsearch",
        "tool_search",
        "tool_search_call",
        "report_intent",
        "enterplanmode",
        "list_mcp_resources",
        "list_mcp_resource_templates",
        "get_goal",
        "wait_agent",
        "close_agent",
        "resume_agent",
    ];
    TOOLS.contains(&name)
}

fn ran(arguments: &Arguments<'_>) -> Vec<Action> {
    let command = shell::command(arguments)
        .or_else(|| arguments.whole_text().map(str::to_owned))
        .filter(|command| !command.trim().is_empty());
    command.map(|command| shell::actions(&command)).unwrap_or_default()
}

/// What a patch or a script does, in whichever field it stands.
fn scripted(arguments: &Arguments<'_>) -> Vec<Action> {
    let field = arguments.text(&["input", "patch", "patchText", "code", "script"]);
    let Some(text) = field.as_deref().or(arguments.whole_text()) else { return ran(arguments) };
    let patched =
        if text.trim_start().starts_with(patch::BEGIN) { patch::actions(text) } else { Vec::new() };
    if patched.is_empty() { script::actions(text) } else { patched }
}

/// What a tool of another name does: its command or its patch tells.
fn unknown(name: &str, arguments: &Arguments<'_>) -> Vec<Action> {
    let is_ours = |name: &str| ["skill", "slashcommand", "write_bash"].contains(&name);
    let patched = match arguments.text(&["input", "patch"]) {
        Some(text) if text.contains(patch::BEGIN) => patch::actions(&text),
        Some(_) | None => Vec::new(),
    };
    if !patched.is_empty() || is_ours(name) || arguments.whole_text().is_some() {
        return patched;
    }
    ran(arguments)
}

fn wrote(arguments: &Arguments<'_>) -> Option<Action> {
    let path = arguments.text(&PATHS)?.into_owned();
    let text = arguments.text(&["content", "file_text", "contents", "text"]).unwrap_or_default();
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    Some(Action::Wrote { path, lines })
}

/// What the editor and the memory of the model's maker do, by their command.
fn editor(arguments: &Arguments<'_>) -> Option<Action> {
    let path = || arguments.text(&["path", "new_path"]).map(std::borrow::Cow::into_owned);
    match arguments.text(&["command"])?.as_ref() {
        "view" => Some(Action::Read { path: path()? }),
        "create" => wrote(arguments),
        "str_replace" | "insert" | "undo_edit" => Some(Action::Edited { path: path()? }),
        "delete" => Some(Action::Deleted { path: path()? }),
        "rename" => moved(arguments),
        _ => None,
    }
}

fn moved(arguments: &Arguments<'_>) -> Option<Action> {
    let text = |names: &[&str]| arguments.text(names).map(std::borrow::Cow::into_owned);
    let path = text(&["old_path", "source", "source_path", "from", "oldPath", "path"])?;
    let to = text(&["new_path", "destination", "destination_path", "to", "newPath", "new_name"])?;
    Some(Action::Moved { path, to })
}

fn searched(arguments: &Arguments<'_>) -> Option<Action> {
    let what = arguments.text(&["pattern", "query", "q", "regex", "url", "symbol"]);
    let place = arguments.text(&["path", "glob", "include", "filePath"]);
    let parts: Vec<_> = what.into_iter().chain(place).collect();
    (!parts.is_empty()).then(|| Action::Searched { query: parts.join(" ") })
}

#[cfg(test)]
mod tests;
