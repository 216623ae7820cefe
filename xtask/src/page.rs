//! The page of `vade view --html` in a real Chromium: held to axe-core, to a hostile store, and to its size.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::needs::Program;
use crate::step;
use crate::tidy::pictures;
use crate::tools::AXE;

pub(crate) const CHROMIUM: Program = Program { name: "chromium", package: "chromium" };
pub(crate) const NODE: Program = Program { name: "node", package: "nodejs" };

/// What would run, or break out, wherever a text is taken for markup.
const CANARY: &str = "</script></style></title><script>canary=1</script><img src=x onerror=canary=1>\"'><svg onload=canary=1>\
     <a href=javascript:canary=1>x</a><!-- <![CDATA[ \u{2028} &lt;b&gt; \u{1b}[2J \u{202e}";

/// The same where only one short line may stand.
const SHORT: &str = "<img src=x onerror=canary=1>";

/// A phone opens a page of so many sessions.
const N_SESSIONS: u32 = 1_000;
const BYTES_MAX: u64 = 3_000_000;

/// The rule that takes minutes where very many sessions stand; the colours of few are theirs.
const SLOW: &str = "color-contrast";

/// A token that no store should have taken, and that no page may show.
const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// Runs the check; a word names a picture to take.
pub(crate) fn run(words: &[String]) -> Result<()> {
    [CHROMIUM, NODE, crate::needs::NPM].iter().try_for_each(Program::provide)?;
    let picture = words.first().map(PathBuf::from);
    let axe = AXE.program(&step::target())?;

    let few = Scene::new(12)?;
    let said = few.opened(&few.all()?, (&axe, ""), picture.as_deref())?;
    check(&said, 12)?;
    let said = few.opened(&few.one()?, (&axe, ""), None)?;
    check_one(&said)?;

    let many = Scene::new(N_SESSIONS)?;
    let page = many.all()?;
    let said = many.opened(&page, (&axe, SLOW), None)?;
    check(&said, N_SESSIONS)?;
    let bytes = fs::metadata(&page)?.len();
    ensure!(bytes <= BYTES_MAX, "{bytes} bytes for {N_SESSIONS} sessions");
    println!("page: {bytes} bytes for {N_SESSIONS} sessions, open after {} ms", said["load_ms"]);
    Ok(())
}

/// Makes the picture of the documents from the page that its crate's test has seen written.
pub(crate) fn picture(_: &[String]) -> Result<()> {
    [CHROMIUM, NODE, crate::needs::NPM].iter().try_for_each(Program::provide)?;
    let root = step::root();
    let html = root.join(pictures::HTML);
    let png = root.join(pictures::PNG);
    let axe = AXE.program(&step::target())?;
    check_all(&opened(&html, "leeks", (&axe, ""), Some(&png))?)?;
    let hash = pictures::made_from(&fs::read_to_string(&html)?);
    fs::write(root.join(pictures::MADE_FROM), format!("{hash}\n"))?;
    eprintln!("wrote {}", pictures::PNG);
    Ok(())
}

/// The stage of the tests.
pub(crate) fn stage() -> Result<()> {
    run(&[])
}

/// A home with a hostile store in it.
struct Scene {
    home: TempDir,
    vade: PathBuf,
    n_sessions: u32,
}

impl Scene {
    /// A home with so many sessions, each with the canary in all that it keeps, and one that hooks tell of.
    fn new(n_sessions: u32) -> Result<Self> {
        let home = tempfile::Builder::new().prefix("vade-page-").tempdir()?;
        fs::create_dir_all(home.path().join("project/.git"))?;
        fs::write(home.path().join("project/.git/HEAD"), "ref: refs/heads/main\n")?;
        let scene = Self { home, vade: step::build_vade()?, n_sessions };
        let package = scene.path("package.json");
        fs::write(&package, package_of(n_sessions).to_string())?;
        step::output(scene.command().arg("import").arg(&package))?;
        scene.hear("SessionStart", &json!({ "source": "startup", "model": CANARY }))?;
        scene.hear("UserPromptSubmit", &json!({ "prompt": CANARY }))?;
        Ok(scene)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = step::command(&self.vade);
        command.env_clear().env("HOME", self.home.path()).env("PATH", "/usr/bin:/bin");
        command.current_dir(self.path("project"));
        command
    }

    /// The page of the project.
    fn all(&self) -> Result<PathBuf> {
        let page = self.path("all.html");
        step::output(self.command().args(["view", "--html"]).arg(&page))?;
        check_text(&fs::read_to_string(&page)?)?;
        Ok(page)
    }

    /// The page of one session that has a transcript.
    fn one(&self) -> Result<PathBuf> {
        let page = self.path("one.html");
        let session = format!("claude-code:{SESSION}");
        let view = ["view", "--session", &session, "--html"];
        step::output(self.command().args(view).arg(&page))?;
        check_text(&fs::read_to_string(&page)?)?;
        Ok(page)
    }

    /// Tells a hook of an event in a session with a hostile transcript.
    fn hear(&self, event: &str, more: &Value) -> Result<()> {
        let transcript = self.path("transcript.jsonl");
        let line = json!({
            "type": "user", "uuid": "u1", "sessionId": SESSION, "timestamp": "2026-11-26T12:00:00Z",
            "message": { "role": "user", "content": format!("{CANARY} {SECRET}") },
        });
        fs::write(&transcript, format!("{line}\n"))?;
        let mut told = json!({ "session_id": SESSION, "transcript_path": transcript,
            "cwd": self.path("project"), "hook_event_name": event });
        told.as_object_mut()
            .context("an object")?
            .extend(more.as_object().cloned().unwrap_or_default());
        let stdin = self.path("event.json");
        fs::write(&stdin, told.to_string())?;
        let mut hook = self.command();
        hook.args(["hook", "claude-code", event]).env("VADE_DEADLINE_MS", "20000");
        step::output(hook.stdin(Stdio::from(fs::File::open(stdin)?)))?;
        Ok(())
    }

    fn opened(&self, page: &Path, axe: (&Path, &str), picture: Option<&Path>) -> Result<Value> {
        // The last but one is among those that are shown whole.
        opened(page, &format!("leeks MAY-{}-LEDGER", self.n_sessions - 2), axe, picture)
    }
}

/// What Chromium says of a page, with a search for `words` in it, and axe-core but for some rules.
fn opened(
    page: &Path,
    words: &str,
    (axe, without): (&Path, &str),
    picture: Option<&Path>,
) -> Result<Value> {
    let script = step::root().join("xtask/src/page/check.mjs");
    let profile = tempfile::tempdir()?;
    let mut check = step::command("timeout");
    check.args(["180", NODE.name]).arg(script).arg(CHROMIUM.name).arg(profile.path());
    check.arg(page).arg(words).arg(axe).arg(without).args(picture);
    let said = step::output(&mut check).context("Chromium could not be asked")?;
    serde_json::from_str(&said).context("the check said no JSON")
}

const SESSION: &str = "752d4c1e-0000-4000-8000-00000000c0de";

/// An export with the canary wherever a text may stand.
fn package_of(n_sessions: u32) -> Value {
    let at = "2026-05-01T10:00:00Z";
    let note = |n: u32, k: u32| {
        json!({ "id": format!("note_{}", 1_746_093_600_000_u64 + u64::from(k)),
            "content": format!("Leeks MAY-{n}-ledger are counted twice, {k}. {CANARY}"), "tags": [SHORT, "leek"],
            "created_at": at, "updated_at": at, "scratched": k == 2 })
    };
    let session = |n: u32| {
        let page = format!("## Plan\n- [x] sum the ledger {n}\n- [ ] ask about leeks {CANARY}\n");
        json!({ "name": format!("claude-code:752d4c1e-0000-4000-8000-{n:012}"), "started_at": at,
            "notepad": page, "notes": (0..3).map(|k| note(n, k)).collect::<Vec<_>>() })
    };
    let entry = |n: u64, category: &str, more: &Value| {
        let mut entry = json!({ "id": format!("entry_{}", 1_746_093_600_000 + n), "plan": "_project",
            "category": category, "at": at, "content": format!("{category} {n} {CANARY}") });
        if let (Some(entry), Some(more)) = (entry.as_object_mut(), more.as_object()) {
            entry.extend(more.clone());
        }
        entry
    };
    let entries = [
        entry(1, "learning", &json!({ "pattern": SHORT, "task": SHORT, "tags": [SHORT] })),
        entry(2, "decision", &json!({ "rationale": CANARY, "alternatives": CANARY })),
        entry(3, "issue", &json!({ "severity": "high", "status": "open" })),
    ];
    json!({ "vademecum": 1, "project": "page", "plans": [{ "name": "_project", "created_at": at, "entries": entries }],
        "sessions": (0..n_sessions).map(session).collect::<Vec<_>>() })
}

/// What holds of the bytes, whatever a browser makes of them.
fn check_text(html: &str) -> Result<()> {
    // The canary's own brackets are escaped, so only our markup is counted.
    for (tag, wanted) in [("<script", 1), ("</script", 1), ("<style", 1), ("<img", 0), ("<svg", 0)]
    {
        let found = html.matches(tag).count();
        ensure!(found == wanted, "{tag} stands {found} times");
    }
    ensure!(!html.contains(SECRET), "a secret went out");
    let unseen = html.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
    ensure!(unseen.is_none(), "the page has {unseen:?}");
    Ok(())
}

/// What holds of each page.
fn check_all(said: &Value) -> Result<()> {
    for (what, wanted) in [
        ("axe", json!([])),
        ("wide", json!([])),
        ("requests", json!([])),
        ("faults", json!([])),
        ("canary", json!("silent")),
        ("first_stop", json!("skip")),
        ("opened_by_key", json!(true)),
        ("closed_on_paper", json!(0)),
        ("closed_again", json!(true)),
    ] {
        ensure!(said[what] == wanted, "{what}: {}, wanted {wanted}", said[what]);
    }
    Ok(())
}

/// What holds of the page of a project with so many sessions and the one that hooks told of.
fn check(said: &Value, n_sessions: u32) -> Result<()> {
    check_all(said)?;
    let wanted = u64::from(n_sessions) + 1;
    ensure!(said["items"].as_u64().is_some_and(|n| wanted <= n), "{} items", said["items"]);
    ensure!(said["found"] == 1, "a search for one session shows {}", said["found"]);
    Ok(())
}

fn check_one(said: &Value) -> Result<()> {
    check_all(said)?;
    ensure!(said["items"] == 1, "a page about one session shows {} items", said["items"]);
    Ok(())
}
