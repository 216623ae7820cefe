//! Takes in the sessions of the project that harnesses ran before vade was there: their recaps, to be found.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use vademecum_core::id::ProjectId;
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_harness::transcript::{Format, Report, Span};
use vademecum_files::{Kind, Root, stat_named};
use vademecum_store::{Change, Scope};

use super::Output;
use crate::call::Call;
use crate::error::OpError;
use crate::newcomer::added;
use crate::recaps::methods::{Maker, Making};
use crate::recaps::{self, BUDGET, Kept, Read, find};
use crate::succession;

/// So many sessions are taken in at a time, the newest first; a repeat goes on with older ones.
const MOST: usize = 500;

/// What was written so lately is still being written.
const LATELY_MS: i64 = 10 * 60 * 1000;

/// Takes in the transcripts at `path`, else all of the project that lie on the machine.
pub(super) fn take(call: &Call<'_>, path: Option<&str>, output: &mut Output) -> Result<(), OpError> {
    call.check_on()?;
    let files = match path {
        Some(path) => named(&call.world.folders.work.join(path))?,
        None => lying(call, output),
    };
    let making = Making::of(&call.config.recap, || Ok::<_, OpError>(Vec::new()))?;
    let mut seen = BTreeSet::new();
    for (idx, (path, format)) in files.iter().enumerate() {
        if output.sessions == MOST {
            let left = files.len() - idx;
            output.skipped.push(format!("{left} older ones are left: a repeat takes in {MOST} more"));
            break;
        }
        let head = match recaps::identity(path, *format) {
            Ok(head) => head,
            Err(error) => {
                output.skipped.push(error.message);
                continue;
            }
        };
        let format = head.format;
        let Some(key) = key_of(path, head) else { continue };
        if !seen.insert(key.clone()) || call.look(|view| Ok(view.session(&key)?))?.is_some() {
            output.kept += 1;
            continue;
        }
        let read = match recaps::read_for(&making, path, Some(format), (Span::Whole, call.policy())) {
            Ok(read) => read,
            Err(error) => {
                output.skipped.push(error.message);
                continue;
            }
        };
        one(call, (key, path), &making, read, output)?;
    }
    Ok(())
}

/// The file, or what lies in the folder, that a person names; the one written last first.
fn named(path: &Path) -> Result<Vec<(PathBuf, Option<Format>)>, OpError> {
    if stat_named(path).is_some() {
        return Ok(vec![(path.to_owned(), None)]);
    }
    let mut files = Vec::new();
    let folder = Root::open(path)?.ok_or_else(|| {
        OpError::missing(format!("there is no file and no folder at {}", path.display()))
            .hint("without a path, adopt transcripts takes those of this project")
    })?;
    for entry in folder.entries()? {
        let path = path.join(entry.name);
        if entry.kind == Kind::File && path.extension().is_some_and(|it| it == "jsonl") {
            let written = stat_named(&path).map(|stat| (stat.seconds, stat.nanoseconds));
            files.push((Reverse(written), path));
        }
    }
    files.sort_unstable();
    Ok(files.into_iter().map(|(_, path)| (path, None)).collect())
}

/// What the harnesses keep of this project, but for what is written just now.
fn lying(call: &Call<'_>, output: &mut Output) -> Vec<(PathBuf, Option<Format>)> {
    let (mut files, mut n_written) = (Vec::new(), 0);
    for found in find::files(call.world, call.place()) {
        if found.modified.is_some_and(|at| call.now().since(at) < LATELY_MS) {
            n_written += 1;
        } else {
            files.push((found.path, Some(found.format)));
        }
    }
    if 0 < n_written {
        let left = format!("{n_written} written in the last 10 minutes: a session that runs is none that lay there before");
        output.skipped.push(left);
    }
    files
}

/// The session of a transcript; none of a sub-agent's.
///
/// Claude Code calls a file after its session, and records in it may be copies of another one's.
fn key_of(path: &Path, Report { format, session, .. }: Report) -> Option<SessionKey> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let external = match format {
        Format::ClaudeCode if stem.starts_with("agent-") => return None,
        Format::ClaudeCode => stem,
        Format::Codex | Format::Copilot | Format::Opencode | Format::MessageLog => {
            session.unwrap_or(stem)
        }
    };
    Some(SessionKey { harness: format.name().to_owned(), external, agent: None })
}

/// Makes one session known, which ended when its transcript did, with its recap.
///
/// It stands in no line of instances and never worked here: it is offered to nobody, and found.
fn one(
    call: &Call<'_>,
    (key, path): (SessionKey, &Path),
    making: &Making,
    read: Read<Maker>,
    output: &mut Output,
) -> Result<(), OpError> {
    let before = Before::of(call, key, path, &read.report);
    let kept = Kept::of(read, making.clone(), BUDGET);
    if kept.text.is_empty() {
        output.empty += 1;
        return Ok(());
    }
    output.sessions += 1;
    if output.dry_run {
        return Ok(());
    }
    call.write(Scope::Session(before.key.clone()), "adopt", &kept.size, |view| {
        let (project, add) = call.begin_project(view)?;
        let session = before.session(call, project);
        let (key, ended) = (session.key.clone(), before.ended);
        let recap = Change::SetRecap { session: key, body: kept.body(), at: ended };
        let changes = add.into_iter().chain([added(&session)]);
        let changes = changes.chain([succession::seen(session, ended, Some(ended)), recap]);
        Ok((changes.collect(), ()))
    })?;
    Ok(())
}

/// What a transcript tells of its session.
struct Before {
    key: SessionKey,
    place: Place,
    began: Time,
    ended: Time,
}

impl Before {
    /// No time of it is later than now, whatever its records say.
    fn of(call: &Call<'_>, key: SessionKey, path: &Path, report: &Report) -> Self {
        let now = call.now();
        let began = report.first_at.unwrap_or(now).min(now);
        let place = Place {
            model: report.model.clone(),
            cwd: report.cwds.first().map(|folder| folder.as_bytes().to_vec()),
            transcript: Some(path.as_os_str().as_bytes().to_vec()),
            host_pid: None,
        };
        Self { key, place, began, ended: report.last_at.unwrap_or(began).min(now).max(began) }
    }

    fn session(&self, call: &Call<'_>, project: ProjectId) -> Session {
        Session {
            project,
            key: self.key.clone(),
            parent: None,
            began: Began::Start,
            instance: 0,
            host_name: call.world.host_name.clone(),
            started_at: self.began,
            seen_at: self.ended,
            ended_at: Some(self.ended),
            place: self.place.clone(),
            standing: Standing::default(),
        }
    }
}
