//! Commands that embed and summarise for a recap: such as work, fail, hang, flood or leave children behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::home::Home;

/// Answers what it is asked: the length of each text, and its first word.
const EMBED: &str = r#"#!/bin/sh
read -r line
n=$(printf '%s' "$line" | grep -o '","' | wc -l)
vectors='[1.5,0]'
while [ "$n" -gt 0 ]; do vectors="$vectors,[0,$n]"; n=$((n - 1)); done
printf '{"vectors":[%s]}\n' "$vectors"
"#;

const SUMMARISE: &str = r#"#!/bin/sh
n=0
while read -r line; do n=$((n + 1)); printf '{"summary":"told in short %s","more":1}\n' "$n"; done
"#;

/// A home with scripts, the configuration that names them, and a log of messages.
fn home(embed: &str, summarise: &str, more: &str) -> Home {
    let home = Home::new();
    let script = |name: &str, text: &str| {
        let path = home.path(name);
        fs::write(&path, text).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("permissions");
        format!("[{:?}]", path.to_str().expect("a path is text"))
    };
    let list =
        |name: &str, text: &str| if text.is_empty() { "[]".to_owned() } else { script(name, text) };
    let (embed, summarise) = (list("embed", embed), list("summarise", summarise));
    home.configure(&format!("[recap]\nembed_cmd = {embed}\nsummarize_cmd = {summarise}\n{more}"));
    let turns = ["make refunds idempotent", "map the error to ok", "now the ledger is closed"];
    let log = turns.iter().map(|said| {
        format!("{{\"role\":\"user\",\"content\":\"{said}\"}}\n{{\"role\":\"assistant\",\"content\":\"done: {said}\"}}\n")
    });
    fs::write(home.path("demo/log.jsonl"), log.collect::<String>()).expect("a file");
    home
}

/// The text of a recap by method `seed`, and what stood in.
fn recap(home: &Home) -> (String, String) {
    let said = home.vade(&["recap", "log.jsonl", "--method", "seed", "--format", "text", "--json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let object: Value = serde_json::from_str(&said.out).expect("JSON");
    let stood_in = object.get("stood_in").map(|lines| home.steady(&lines.to_string()));
    (object["text"].as_str().expect("a text").to_owned(), stood_in.unwrap_or_default())
}

#[track_caller]
fn check(embed: &str, summarise: &str, wanted: &str) {
    let home = home(embed, summarise, "cmd_seconds = 1");
    let (text, stood_in) = recap(&home);
    assert!(text.contains("refunds"), "what stands in tells the same: {text}");
    assert_eq!(stood_in, wanted);
}

#[test]
fn commands_that_work_are_asked() {
    let (text, stood_in) = recap(&home(EMBED, SUMMARISE, "cmd_seconds = 30"));
    assert_eq!(stood_in, "");
    assert!(text.starts_with("told in short 1"), "{text}");
}

/// A plain filter says what it has when its input ends.
#[test]
fn an_embedder_that_keeps_its_answer_until_the_end_is_asked() {
    let filter = "#!/bin/sh\nlines=$(cat)\nprintf '%s\\n' '{\"vectors\":[[1,0],[0,1],[1,1]]}'\n";
    check(filter, "", "");
    check(
        "",
        "#!/bin/sh\nlines=$(cat)\necho '{\"summary\":\"x\"}'\n",
        "[\"the summariser failed (not done after 1 s; does it flush each answer?): extracts stood in\"]",
    );
}

#[test]
fn none_is_asked_by_default() {
    check("", "", "");
}

#[test]
fn a_command_that_fails_says_why_and_something_stands_in() {
    let embedder = |why: &str| format!("[\"the embedder failed ({why}): TF-IDF stood in\"]");
    check("#!/bin/sh\nexit 3\n", "", &embedder("it ended without an answer"));
    check(
        "#!/nowhere/sh\n",
        "",
        &embedder("~/embed does not start: No such file or directory (os error 2)"),
    );
    check(
        "#!/bin/sh\nread -r line; echo '{\"vectors\":[[1]]}'\n",
        "",
        &embedder("1 vectors for 3 texts"),
    );
    check(
        "#!/bin/sh\nread -r line; echo '{\"vectors\":[[1],[1,2],[1]]}'\n",
        "",
        &embedder("vectors of different lengths"),
    );
    check(
        "",
        "#!/bin/sh\nread -r line; echo hello\n",
        "[\"the summariser failed (its answer cannot be read: expected value at line 1 column 1): extracts stood in\"]",
    );
    check(
        "",
        "#!/bin/sh\nread -r line; echo '{\"summary\":\" \"}'\n",
        "[\"the summariser failed (an empty summary): extracts stood in\"]",
    );
}

#[test]
fn a_command_that_hangs_is_killed_with_its_children() {
    // The child would write the file when its parent is gone.
    let hangs = "#!/bin/sh\n(sleep 3; touch outlived) &\nread -r line\nsleep 60\n";
    let home = home(hangs, "", "cmd_seconds = 1");
    let (_, stood_in) = recap(&home);
    assert_eq!(stood_in, "[\"the embedder failed (not done after 1 s): TF-IDF stood in\"]");
    // A killed process is there until it is given time to end; `sleep 60` would be seen by all looks.
    let is_over = (0..2_000).any(|_| processes_in(&home).is_empty());
    assert!(is_over, "what was started is left: {:?}", processes_in(&home));
    assert!(!home.path("demo/outlived").exists());
}

/// The processes whose folder is the project of `home`.
fn processes_in(home: &Home) -> Vec<String> {
    let folder = home.path("demo");
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    let all = all.flatten();
    let is_here =
        |path: &std::path::PathBuf| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder);
    let here = all.map(|entry| entry.path()).filter(is_here);
    here.map(|path| fs::read_to_string(path.join("cmdline")).unwrap_or_default()).collect()
}

#[test]
fn a_command_that_floods_is_cut_off() {
    check(
        "",
        "#!/bin/sh\nexec yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | tr -d '\\n'\n",
        "[\"the summariser failed (an answer has at most 16384 bytes, more given): extracts stood in\"]",
    );
}

#[test]
fn a_recap_for_readers_says_what_stood_in() {
    let home = home("#!/bin/sh\nexit 3\n", "", "");
    let said = home.vade(&["recap", "log.jsonl", "--method", "seed"]);
    let line = "the embedder failed (it ended without an answer): TF-IDF stood in.";
    assert!(said.out.contains(line), "{}", said.out);
}
