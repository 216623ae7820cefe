//! The page of HTML that `vade view` writes: what is in it, and what it is never written over.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::Value;

use crate::home::Home;

/// What would run wherever a text is taken for markup.
const CANARY: &str = "</script><img src=x onerror=canary()>\"'";

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

const OTHER: &str = "claude-code:752d4c1e-0000-4000-8000-000000000001";

fn kept() -> Home {
    let home = Home::with_program();
    let page = format!("## Plan\n- [ ] {CANARY} \u{1b}[2J {SECRET}\n");
    // Who lets a secret into the store still passes no page on that has it.
    home.vade(&["notepad", "write", &page, "--allow-secret"]);
    assert!(home.vade(&["notepad", "show"]).stdout.contains(SECRET));
    home.vade(&["note", "add", &format!("Leeks {CANARY}"), "--tag", "<b>leek"]);
    home.vade(&["note", "add", "Of another session.", "--session", OTHER]);
    home.vade(&["decision", "add", "Use WAL", "--rationale", CANARY]);
    home
}

#[track_caller]
fn page(home: &Home, words: &[&str]) -> String {
    home.vade(&[&["view", "--html", "page.html"], words].concat()).success();
    home.read("page.html").expect("a page")
}

#[test]
fn a_page_has_sessions_notes_timelines_and_plans_as_text() {
    let html = page(&kept(), &[]);
    for part in [
        "- [ ] &lt;/script&gt;&lt;img src=x onerror=canary()&gt;&quot;'",
        r"\u{1b}[2J",
        "Leeks &lt;/script&gt;",
        "&lt;b&gt;leek",
        "Of another session.",
        "Use WAL",
        "<dt>why</dt><dd dir=\"auto\">&lt;/script&gt;&lt;img",
        "<h4>What happened</h4>",
    ] {
        assert!(html.contains(part), "{part:?} is not in {html}");
    }
    for part in ["<img", "canary()>", SECRET, "\u{1b}", "http://", "https://"] {
        assert!(!html.contains(part), "{part:?} is in {html}");
    }
    assert_eq!(html.matches("<script").count(), 1);
}

/// Half of a secret is not known for one, and what stands beside it may stand behind it on the page.
#[test]
fn a_secret_is_taken_out_before_a_text_is_cut_and_wherever_it_stands() {
    let home = Home::with_program();
    let long = "w".repeat(125);
    for words in [
        &["notepad", "write", &format!("- [ ] {long} {SECRET}")][..],
        &["handoff", "write", &format!("{long}{} {SECRET} end", "w".repeat(50))],
        &["note", "add", "older: password: Qz7Wx9Ec3Rv5Tb1N"],
        &["note", "add", "newer bare Qz7Wx9Ec3Rv5Tb1N here"],
    ] {
        home.vade(&[words, &["--allow-secret"]].concat());
    }
    let html = page(&home, &[]);
    assert!(html.contains("newer bare [secret replaced"), "{html}");
    for part in ["Qz7Wx9Ec3Rv5Tb1N", &SECRET[..12]] {
        assert!(!html.contains(part), "{part} is in {html}");
    }
}

#[test]
fn a_page_is_of_one_session_or_of_what_is_newer() {
    let home = kept();
    let one = page(&home, &["--session", OTHER]);
    assert!(one.contains("Of another session.") && !one.contains("Leeks"), "{one}");
    assert!(!one.contains("Use WAL"), "{one}");
    let none = page(&home, &["--since", "2999-01-01"]);
    assert!(none.contains("No sessions here.") && !none.contains("Leeks"), "{none}");
    let since = home.vade(&["view", "--html", "page.html", "--since", "soon"]).failure();
    assert!(since.starts_with("2: vade: since takes a day such as 2026-10-01"), "{since}");
    let missing = home.vade(&["view", "--html", "page.html", "--session", "nobody"]).failure();
    assert!(missing.contains("no session"), "{missing}");
}

#[test]
fn a_page_is_written_over_nothing_but_a_page() {
    let home = kept();
    let view = |file: &str, words: &[&str]| home.vade(&[&["view", "--html", file], words].concat());
    page(&home, &[]);
    let mode = fs::metadata(home.path("page.html")).expect("a page").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // A page of ours gives way to the next one.
    assert!(page(&home, &[]).contains("Leeks"));

    home.write("mine.html", "<html>mine</html>");
    let refused = view("mine.html", &[]).failure();
    let there = "there already, and vade did not write it\n  hint: name another file, or replace it with --force\n";
    assert!(refused.ends_with(there), "{refused}");
    assert_eq!(home.read("mine.html").as_deref(), Some("<html>mine</html>"));
    view("mine.html", &["--force"]).success();
    assert!(home.read("mine.html").expect("a page").contains("Leeks"));

    // A link may lead to anything: it is never followed, and never replaced.
    home.write("target.txt", "stays");
    symlink("target.txt", home.path("link.html")).expect("a link");
    symlink("page.html", home.path("ours.html")).expect("a link");
    for link in ["link.html", "ours.html"] {
        for words in [&[][..], &["--force"]] {
            view(link, words).failure();
        }
    }
    assert_eq!(home.read("target.txt").as_deref(), Some("stays"));
    assert!(view("no/such/page.html", &[]).failure().contains("no folder"));
    fs::create_dir(home.path("folder")).expect("a folder");
    view("folder", &["--force"]).failure();
    fs::set_permissions(home.path("folder"), Permissions::from_mode(0o500)).expect("a mode");
}

#[test]
fn a_file_may_have_any_name_that_the_system_takes() {
    let home = kept();
    for command in [&["view", "--html"][..], &["export", "--output"]] {
        let name = OsStr::from_bytes(b"odd\xff\n.html");
        let ran = home.command(&home.program()).args(command).arg(name).output().expect("a run");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        fs::remove_file(home.path.join(name)).expect("a file");
    }
    home.vade(&["view", "--html", "-"]).failure();
}

#[test]
fn what_a_page_holds_is_said_as_json() {
    let home = kept();
    let said = home.vade(&["view", "--html", "page.html", "--json"]).success();
    let said: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((&said["sessions"], &said["whole"]), (&2.into(), &2.into()));
    let bytes = fs::metadata(home.path("page.html")).expect("a page").len();
    assert_eq!(said["bytes"], bytes);
}
