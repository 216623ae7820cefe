//! How well a project's search finds earlier work: `cargo xtask retrieval SESSIONS QUERIES…`.
//!
//! SESSIONS is a folder of transcripts, taken in as those of one project; QUERIES are lines of JSON, each with the query `q`,
//! its `kind`, the names of the files that answer it (`gold`, without `.jsonl`), and the one that it comes from (`later`), which is passed
//! over. Beside it stand BM25 over all words that user and agent said, with the same stems and stop words, and the newest first.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use vademecum_core::search::each_topic;
use vademecum_core::turn::Event;
use vademecum_harness::transcript::{Span, read};

use crate::locomo::{Ranks, answer};
use crate::step;

/// So many pieces of an answer are looked through for sessions.
const PIECES: &str = "60";

/// So many of the sessions found count.
const WITHIN: usize = 5;

/// The usual parameters of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// So often the queries are drawn anew for an interval.
const DRAWS: usize = 10_000;

#[derive(Deserialize)]
struct Asked {
    q: String,
    kind: String,
    gold: BTreeSet<String>,
    later: Option<String>,
}

/// A transcript, and how often user and agent said each word in it.
struct Session {
    name: String,
    counts: HashMap<String, f64>,
    length: f64,
    /// When it ended, as its records say.
    at: String,
}

/// Asks every query, and prints how often a session that answers it was among the first.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let [folder, queries @ ..] = words else {
        anyhow::bail!("usage: cargo xtask retrieval SESSIONS QUERIES…")
    };
    let mut asked: Vec<Asked> = Vec::new();
    for file in queries {
        let text = fs::read_to_string(file).with_context(|| file.clone())?;
        for line in text.lines() {
            asked.push(serde_json::from_str(line).with_context(|| line.to_owned())?);
        }
    }
    let vade = step::build_released_vade()?;
    let project = tempfile::tempdir()?;
    let folder = fs::canonicalize(folder)?;
    let folder = folder.to_str().context("a folder with a plain name")?;
    answer(&vade, project.path(), &["adopt", "transcripts", folder])?;
    let sessions = sessions(Path::new(folder))?;
    let names = names(&vade, project.path(), &sessions)?;
    let mut kinds: BTreeMap<&str, [Ranks; 3]> = BTreeMap::new();
    for one in &asked {
        let found = [
            ours(&vade, project.path(), &names, &one.q)?,
            bm25(&sessions, &one.q),
            newest(&sessions),
        ];
        for kind in [one.kind.as_str(), "all"] {
            for (ranks, found) in kinds.entry(kind).or_default().iter_mut().zip(&found) {
                ranks.0.push(one.rank(found));
            }
        }
    }
    for (kind, [ours, bm25, newest]) in &kinds {
        for (name, ranks) in [("vade search", ours), ("BM25", bm25), ("newest first", newest)] {
            ranks.print(&format!("{kind}, {name}"));
        }
        println!("{kind}, hit@{WITHIN} over BM25: {}", interval(ours, bm25));
    }
    Ok(())
}

impl Asked {
    /// The place of the first session that answers it, the one that it comes from not counted.
    fn rank(&self, found: &[String]) -> Option<usize> {
        let mut found = found.iter().filter(|name| self.later.as_ref() != Some(name));
        found.position(|name| self.gold.contains(name))
    }
}

fn sessions(folder: &Path) -> Result<Vec<Session>> {
    let files = fs::read_dir(folder)?.map(|file| Ok(file?.path()));
    let mut files: Vec<PathBuf> = files.collect::<Result<_>>()?;
    files.sort();
    files.iter().map(|file| session(file)).collect()
}

fn session(file: &Path) -> Result<Session> {
    let (mut counts, mut length, mut at) = (HashMap::new(), 0.0, String::new());
    read(None, Span::Whole, &mut BufReader::new(File::open(file)?), &mut |turn| {
        if let Some(time) = turn.at {
            at = time.to_rfc3339();
        }
        if let Event::Asked { text, .. } | Event::Said { text } = turn.event {
            each_topic(&text, |topic| {
                *counts.entry(topic.to_owned()).or_insert(0.0) += 1.0;
                length += 1.0;
            });
        }
    })?;
    let name = file.file_stem().context("a name")?.to_string_lossy().into_owned();
    Ok(Session { name, counts, length, at })
}

/// The names of the sessions that were taken in, by their handles: that of the file has the beginning of the session's id.
fn names(vade: &Path, project: &Path, sessions: &[Session]) -> Result<HashMap<String, String>> {
    let listed = answer(vade, project, &["session", "list", "--all", "--limit", "0"])?;
    let listed = listed["sessions"].as_array().context("a list of sessions")?.iter();
    let named = listed.filter_map(|session| {
        let (handle, id) = (session["session"].as_str()?, session["name"].as_str()?);
        let of =
            |one: &&Session| one.name.split_once('_').is_some_and(|(_, begin)| id.contains(begin));
        Some((handle.to_owned(), sessions.iter().find(of)?.name.clone()))
    });
    Ok(named.collect())
}

fn ours(
    vade: &Path,
    project: &Path,
    names: &HashMap<String, String>,
    query: &str,
) -> Result<Vec<String>> {
    let said = answer(vade, project, &["search", "--limit", PIECES, "--", query])?;
    let mut found = Vec::new();
    for piece in said["found"].as_array().into_iter().flatten() {
        let name = piece["session"].as_str().and_then(|handle| names.get(handle));
        found.extend(name.filter(|name| !found.contains(*name)).cloned());
    }
    Ok(found)
}

#[expect(clippy::cast_precision_loss, reason = "some sessions")]
fn bm25(sessions: &[Session], query: &str) -> Vec<String> {
    let n = sessions.len() as f64;
    let mean = sessions.iter().map(|it| it.length).sum::<f64>() / n;
    let mut scores = vec![0.0; sessions.len()];
    each_topic(query, |topic| {
        let with = sessions.iter().filter(|it| it.counts.contains_key(topic)).count() as f64;
        let rarity = (1.0 + (n - with + 0.5) / (with + 0.5)).ln();
        for (score, it) in scores.iter_mut().zip(sessions) {
            let count = it.counts.get(topic).copied().unwrap_or(0.0);
            *score += rarity * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * it.length / mean));
        }
    });
    let mut ranked: Vec<(f64, &Session)> = scores.into_iter().zip(sessions).collect();
    ranked.retain(|(score, _)| 0.0 < *score);
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    ranked.into_iter().map(|(_, it)| it.name.clone()).collect()
}

fn newest(sessions: &[Session]) -> Vec<String> {
    let mut sorted: Vec<&Session> = sessions.iter().collect();
    sorted.sort_by(|a, b| b.at.cmp(&a.at));
    sorted.into_iter().map(|it| it.name.clone()).collect()
}

/// By how much more often the one than the other has a hit within the first few, with the interval of 95 % over queries.
#[expect(clippy::cast_precision_loss, reason = "some hundred queries")]
fn interval(one: &Ranks, other: &Ranks) -> String {
    let hit = |rank: &Option<usize>| f64::from(u8::from(rank.is_some_and(|rank| rank < WITHIN)));
    let pairs = one.0.iter().zip(&other.0);
    let differences: Vec<f64> = pairs.map(|(one, other)| hit(one) - hit(other)).collect();
    let mean = |all: &mut dyn Iterator<Item = f64>| all.sum::<f64>() / differences.len() as f64;
    let mut seed: u64 = 1;
    let mut draws: Vec<f64> = (0..DRAWS)
        .map(|_| {
            mean(&mut (0..differences.len()).map(|_| {
                // A generator is enough whose upper bits are well mixed (Knuth, MMIX).
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                differences[usize::try_from(seed >> 33).unwrap_or_default() % differences.len()]
            }))
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    let all = mean(&mut differences.iter().copied());
    format!("{all:+.3} [{:+.3}, {:+.3}]", draws[DRAWS / 40], draws[DRAWS - DRAWS / 40])
}
