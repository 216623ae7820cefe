//! How well a project's search finds the session of an answer: `cargo xtask locomo FILE`, the dialogues of `LoCoMo` as JSON.
//!
//! Each session is taken in as a transcript of Claude Code, in the order of its dialogue, each question is asked word for word,
//! and a hit is a session that holds evidence. The data is other people's (Maharana et al., ACL 2024) and no part of this
//! repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::step;

/// The weight of the whole beside a piece was chosen on so many of the dialogues.
const CHOSEN_ON: usize = 2;

/// So many pieces of an answer are looked through for sessions.
const PIECES: &str = "60";

#[derive(Deserialize)]
struct Dialogue {
    #[serde(rename = "conversation")]
    said: Map<String, Value>,
    qa: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
}

/// At which rank the first session with evidence came, for each question; none where none did.
#[derive(Default)]
pub(crate) struct Ranks(pub(crate) Vec<Option<usize>>);

impl Ranks {
    #[expect(clippy::cast_precision_loss, reason = "some thousand questions")]
    /// How often it came within the first few, in one line.
    pub(crate) fn print(&self, name: &str) {
        let n = self.0.len().max(1) as f64;
        let within =
            |most: usize| self.0.iter().flatten().filter(|rank| **rank < most).count() as f64 / n;
        let reciprocal: f64 = self.0.iter().flatten().map(|rank| 1.0 / (rank + 1) as f64).sum();
        let [one, five, ten] = [1, 5, 10].map(within);
        println!(
            "{name}: {} questions, hit@1 {one:.3}, hit@5 {five:.3}, hit@10 {ten:.3}, MRR {:.3}",
            self.0.len(),
            reciprocal / n
        );
    }
}

/// Takes the sessions in, asks every question, and prints how often the right session was found.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let [file] = words else { anyhow::bail!("usage: cargo xtask locomo FILE") };
    let dialogues: Vec<Dialogue> =
        serde_json::from_slice(&fs::read(file).with_context(|| file.clone())?)?;
    let vade = step::build_released_vade()?;
    let folder = tempfile::tempdir()?;
    let (mut chosen_on, mut others) = (Ranks::default(), Ranks::default());
    for (idx, dialogue) in dialogues.iter().enumerate() {
        let project = folder.path().join(format!("dialogue-{idx}"));
        let ranks = if idx < CHOSEN_ON { &mut chosen_on } else { &mut others };
        dialogue.ask(&vade, &project, ranks)?;
    }
    chosen_on.print("the dialogues that the weight was chosen on");
    others.print("the others");
    chosen_on.0.append(&mut others.0);
    chosen_on.print("all");
    Ok(())
}

impl Dialogue {
    fn ask(&self, vade: &Path, project: &Path, ranks: &mut Ranks) -> Result<()> {
        let transcripts = project.join("transcripts");
        fs::create_dir_all(&transcripts)?;
        for n in 1.. {
            let Some(turns) = self.said.get(&format!("session_{n}")) else { break };
            let began = self.said.get(&format!("session_{n}_date_time")).and_then(Value::as_str);
            let began = began.and_then(day).with_context(|| format!("when session {n} was"))?;
            let turns = turns.as_array().context("a list of turns")?;
            let lines = self.transcript(project, (n, &began), turns);
            fs::write(transcripts.join(format!("{}.jsonl", name(n))), lines)?;
        }
        answer(vade, project, &["adopt", "transcripts", "transcripts"])?;
        for Question { question, evidence } in &self.qa {
            let gold: BTreeSet<String> = evidence.iter().flat_map(|it| sessions(it)).collect();
            if gold.is_empty() {
                continue;
            }
            let said = answer(vade, project, &["search", "--limit", PIECES, "--", question])?;
            let mut found: Vec<&str> = Vec::new();
            for piece in said["found"].as_array().into_iter().flatten() {
                let session = piece["session"].as_str().unwrap_or_default();
                if !found.contains(&session) {
                    found.push(session);
                }
            }
            ranks.0.push(found.iter().position(|session| gold.contains(*session)));
        }
        Ok(())
    }

    /// One session as Claude Code records one: the first speaker is the user.
    fn transcript(&self, project: &Path, (n, day): (usize, &str), turns: &[Value]) -> String {
        let mut lines = String::new();
        for (idx, turn) in turns.iter().enumerate() {
            let part = |name: &str| turn[name].as_str().unwrap_or_default();
            let mut text = format!("{}: {}", part("speaker"), part("text"));
            if !part("blip_caption").is_empty() {
                text = format!("{text} [shares a picture: {}]", part("blip_caption"));
            }
            let is_user = turn["speaker"] == self.said["speaker_a"];
            let role = if is_user { "user" } else { "assistant" };
            let content =
                if is_user { json!(text) } else { json!([{"type": "text", "text": text}]) };
            let line = json!({
                "type": role, "uuid": format!("u{idx}"), "parentUuid": idx.checked_sub(1).map(|it| format!("u{it}")),
                "timestamp": format!("{day}T08:{:02}:{:02}.000Z", idx / 60 % 60, idx % 60),
                "cwd": project, "sessionId": name(n), "message": {"role": role, "content": content},
            });
            lines = format!("{lines}{line}\n");
        }
        lines
    }
}

/// The day that is written as `1:56 pm on 8 May, 2023`.
fn day(began: &str) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, date) = began.split_once(" on ")?;
    let (day, rest) = date.split_once(' ')?;
    let (month, year) = rest.split_once(", ")?;
    let month = 1 + MONTHS.iter().position(|name| month.starts_with(name))?;
    Some(format!("{year}-{month:02}-{:02}", day.parse::<u8>().ok()?))
}

/// What a session is called: its whole handle.
fn name(n: usize) -> String {
    format!("s{n:03}")
}

/// The sessions that a piece of evidence names, as `D3:11` does the third.
fn sessions(evidence: &str) -> impl Iterator<Item = String> {
    let parts = evidence.split('D').skip(1).filter_map(|part| part.split_once(':'));
    parts.filter_map(|(number, _)| number.parse().ok()).map(name)
}

/// What a command says in a project of its own, as JSON.
pub(crate) fn answer(vade: &Path, project: &Path, words: &[&str]) -> Result<Value> {
    let mut command = Command::new(vade);
    command.arg("--json").args(words).current_dir(project);
    // A store for each: sessions of two dialogues have the same names.
    command.env("HOME", project).env("XDG_DATA_HOME", project.join("data"));
    Ok(serde_json::from_str(&step::output(&mut command)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read() {
        assert_eq!(day("1:56 pm on 8 May, 2023").as_deref(), Some("2023-05-08"));
        assert_eq!(day("yesterday"), None);
    }

    #[test]
    fn evidence_names_its_sessions() {
        for (evidence, found) in
            [("D3:11", vec!["s003"]), ("D1:2; D12:4", vec!["s001", "s012"]), ("", vec![])]
        {
            assert_eq!(sessions(evidence).collect::<Vec<_>>(), found);
        }
    }
}
