//! Learns what each feature weighs from what agents needed after cuts of whole transcripts.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use vademecum_core::turn::{Event, Turn};
use vademecum_recap::rank::{STATEMENT_FEATURES, Weights};

use super::kept::{self, Cut};

/// Where transcripts are cut, in shares of their calls.
const CUTS: [f64; 3] = [0.35, 0.55, 0.75];

/// The fewest calls of a transcript that is learned from.
const CALLS: usize = 50;

struct Session {
    turns: Vec<Turn>,
    roots: Vec<String>,
}

/// Prints `weights.rs` as the transcripts in `folder` teach it.
pub(super) fn learn(folder: &Path) -> Result<()> {
    print!("{}", page(&weights(&files(folder)?)?));
    Ok(())
}

/// What these transcripts teach.
pub(super) fn weights(files: &[PathBuf]) -> Result<Weights> {
    let sessions = sessions(files)?;
    let mut statements = Vec::new();
    for session in &sessions {
        for at in cuts(&session.turns) {
            statements.push(Cut::new(&session.turns, at, &session.roots));
        }
    }
    ensure!(!statements.is_empty(), "no transcript of {CALLS} calls or more");
    eprintln!("{} sessions, {} cuts", sessions.len(), statements.len());
    Ok(Weights { statement: rounded(&kept::fit(&statements)) })
}

/// The weights as the file has them.
fn rounded<const N: usize>(weights: &[f64]) -> [f32; N] {
    #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
    std::array::from_fn(|idx| ((weights[idx] * 100.0).round() / 100.0) as f32)
}

/// The transcripts in a folder.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    Ok(files)
}

fn sessions(files: &[PathBuf]) -> Result<Vec<Session>> {
    let session = |file: &PathBuf| {
        let mut turns = Vec::new();
        let roots = super::turns(file, &mut |turn| turns.push(turn))?.cwds;
        Ok(Session { turns, roots })
    };
    files.iter().map(session).collect()
}

/// The turns at which a session is cut.
fn cuts(turns: &[Turn]) -> Vec<usize> {
    let is_call = |(_, turn): &(usize, &Turn)| matches!(turn.event, Event::Called(_));
    let calls: Vec<usize> = turns.iter().enumerate().filter(is_call).map(|(idx, _)| idx).collect();
    if calls.len() < CALLS {
        return Vec::new();
    }
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count"
    )]
    let at = |share: &f64| calls[(calls.len() as f64 * share) as usize];
    CUTS.iter().map(at).collect()
}

fn page(weights: &Weights) -> String {
    let title = "//! What each feature weighs, as `cargo xtask recap --learn FOLDER` found it.\n";
    let statements = table("statement", &STATEMENT_FEATURES, &weights.statement);
    format!(
        "{title}\nuse super::Weights;\n\n/// What was learned.\n\
         pub(super) const LEARNED: Weights = Weights {{\n{statements}}};\n"
    )
}

fn table(name: &str, features: &[&str], weights: &[f32]) -> String {
    let row = |(feature, weight): (&&str, &f32)| format!("        {weight:.2}, // {feature}\n");
    let rows: String = features.iter().zip(weights).map(row).collect::<Vec<_>>().concat();
    format!("    {name}: [\n{rows}    ],\n")
}
