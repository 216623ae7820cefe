//! Hooks of a store on a server, beside the MCP server of their session: they read what that one asked beforehand.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::server::OnServer;
use crate::home::VADE;
use crate::hook::claude::{Claude, Hooked, SESSION};
use crate::mcp::client::Client;

/// So often it is looked whether the server of a session has looked.
const TRIES: u32 = 1_000;

/// A session on a server, whose harness is this process.
struct Scene {
    claude: Claude,
    password: &'static str,
}

impl Scene {
    fn new(server: &OnServer) -> Self {
        let (address, password) = server.without_password();
        let mut claude = Claude::new();
        claude.host_pid = Some(std::process::id());
        claude.home.variables = vec![("VADE_STORE", address.leak())];
        let mut scene = Self { claude, password: password.leak() };
        scene.lets_in(true);
        scene
    }

    fn mcp(&self) -> Client {
        let mut command = self.claude.home.command(Path::new(VADE));
        command.arg("mcp").env("VADE_SESSION_ID", format!("claude-code:{SESSION}"));
        let mut client = Client::of(command);
        client.initialize("claude-code");
        client
    }

    /// Lets processes from now on come to the server, or not: then what they know they know from a file.
    fn lets_in(&mut self, is_let: bool) {
        self.claude.home.variables.truncate(1);
        let password = if is_let { self.password } else { "wrong" };
        self.claude.home.variables.push(("PGPASSWORD", password));
    }

    /// What a start tells once the server answers in time, as a busy machine may not.
    fn starts(&self, source: &str) -> String {
        let mut tries = (0..TRIES / 20).map(|_| self.claude.starts(source));
        tries.find(|hooked| hooked.stderr.is_empty()).expect("an answer in time").context
    }

    /// Waits until what is rendered holds a text, or not.
    fn wait_for(&self, text: &str, is_there: bool) {
        let mut tries = 0..TRIES;
        while self.holds(text) != is_there {
            assert!(tries.next().is_some(), "{text}: {is_there} is waited for");
            pause();
        }
    }

    /// What a prompt is told that cannot come to the server, once what is rendered stands for that.
    fn prompt_apart(&mut self) -> String {
        let mut tries = 0..TRIES / 20;
        loop {
            let prompt = json!({ "prompt": "go on" });
            let hooked = self.apart(|claude| claude.hook("UserPromptSubmit", &prompt));
            if hooked.stderr.is_empty() {
                return hooked.context;
            }
            assert!(tries.next().is_some(), "{hooked:?}");
            // A server that refuses is slow where it is asked too often.
            (0..20).for_each(|_| pause());
        }
    }

    /// What a hook tells that cannot come to the server.
    fn apart(&mut self, hook: impl Fn(&Claude) -> Hooked) -> Hooked {
        self.lets_in(false);
        let hooked = hook(&self.claude);
        self.lets_in(true);
        hooked
    }

    /// How often the session was compacted, as what is rendered tells.
    fn n_compactions(&self) -> u32 {
        let at = (0..50).rev().find(|n| self.holds(&format!("\"compactions\":{n},")));
        at.expect("a session")
    }

    fn holds(&self, text: &str) -> bool {
        let Ok(files) = std::fs::read_dir(self.claude.data().join("renderings")) else {
            return false;
        };
        let mut files = files.map(|file| std::fs::read_to_string(file.expect("a file").path()));
        files.any(|file| file.is_ok_and(|file| file.contains(text)))
    }
}

#[expect(clippy::disallowed_methods, reason = "another process is waited for, and the tries end")]
fn pause() {
    std::thread::sleep(Duration::from_millis(20));
}

#[test]
fn hooks_read_what_the_server_of_their_session_asked_beforehand() {
    let Some(server) = OnServer::new("rendered") else { return };
    let mut scene = Scene::new(&server);
    let mut mcp = scene.mcp();
    scene.starts("startup");
    scene.wait_for("\"answers\"", true);
    assert_eq!(scene.prompt_apart(), "");
    // What its own model wrote is there at once, wherever it is read.
    mcp.call("write_notepad", json!({ "content": "# Now\nship it" }));
    assert!(scene.starts("compact").contains("ship it"));
    // What others wrote is told apart from the server, and once.
    scene.claude.vade(&["note", "add", "the runner is slow", "-t", "ci"]);
    scene.wait_for("the runner is slow", true);
    let told = scene.prompt_apart();
    assert!(told.contains("the runner is slow"), "{told}");
    assert_eq!(scene.prompt_apart(), "");
    // A compaction is too, and is counted once the server of the session has taken it in.
    let counted = format!("\"compactions\":{},", scene.n_compactions() + 1);
    let compacted = scene.apart(|claude| claude.starts("compact"));
    assert!(compacted.stderr.is_empty() && compacted.context.contains("ship it"), "{compacted:?}");
    scene.wait_for(&counted, true);
    assert_eq!(scene.prompt_apart(), "");
    // What is forgotten stands in no file.
    let notes = scene.claude.vade(&["note", "list", "--json"]);
    let id = notes.split('"').find(|word| word.starts_with("note_")).expect("a note");
    scene.claude.vade(&["forget", "note", id, "--yes"]);
    assert!(!scene.holds("the runner is slow"));
    scene.wait_for("ship it", true);
    // Nor in one that nobody keeps any more.
    mcp.close();
    mcp.wait();
    assert!(!scene.holds("ship it"));
}
