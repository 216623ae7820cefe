//! Takes in the sessions of the project that harnesses ran before vade was there: their recaps, to be found.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use vademecum_core::frame;
use vademecum_core::id::ProjectId;
use vademecum_core::session::{Began, Place, Session, SessionKey, Standing};
use vademecum_core::time::Time;
use vademecum_harness::transcript::discover::Found;
use vademecum_harness::transcript::{Format, Report};
use vademecum_files::{Kind, Root, stat_named};
use vademecum_store::{Change, Scope, View};

use super::Output;
use crate::call::Call;
use crate::error::OpError;
use crate::newcomer::added;
use crate::past::{elsewhere, is_forgotten, key_of};
use crate::recaps::methods::{Maker, Making};
use crate::recaps::words::read_with_words;
use crate::recaps::{self, BUDGET, Kept, Read, find};
use crate::roots::Roots;
use crate::succession;

/// So many sessions are taken in at a time, the newest first; a repeat goes on with older ones.
const MOST: usize = 500;

/// Why one is left out has so many characters at most.
const SHORT: usize = 300;

/// What was written so lately is still being written.
const LATELY_MS: i64 = 10 * 60 * 1000;

/// Takes in the transcripts at `path`, else all of the project that lie on the machine.
pub(super) fn take(call: &Call<'_>, path: Option<&str>, output: &mut Output) -> Result<(), OpError> {
    call.check_on()?;
    let roots = Roots::of(call)?;
    let files = match path {
        Some(path) => named(&call.world.folders.work.join(path))?,
        None => lying(call, &roots, output),
    };
    let is_one = path.is_some_and(|path| stat_named(&call.world.folders.work.join(path)).is_some());
    let mut passed = Passed { is_named: path.is_some(), is_one, ..Passed::new(roots) };
    for (idx, (file, format)) in files.iter().enumerate() {
        if output.sessions == MOST {
            let left = files.len() - idx;
            output.skipped.push(format!("{left} older ones are left: a repeat takes in {MOST} more"));
            break;
        }
        let head = or_skipped(recaps::identity(file, *format), output);
        let Some(head) = head else { continue };
        let format = head.format;
        let Some(key) = passed.by(call, file, head, output)? else { continue };
        let making = match call.look(|view| Ok(view.session(&key)?))? {
            Some(known) => recaps::making(call, &known)?,
            None => Making::of(&call.config.recap, || Ok::<_, OpError>(Vec::new()))?,
        };
        let read = read_with_words(&making, file, format, call.policy());
        let Some(read) = or_skipped(read, output) else { continue };
        one(call, (key, file), making, read, output)?;
    }
    passed.tell(output);
    match output.skipped.as_slice() {
        // What is named and cannot be taken in is an error.
        [why] if is_one && output.sessions + output.kept + output.empty == 0 => {
            Err(OpError::usage(why.clone()))
        }
        _ => Ok(()),
    }
}

/// The transcripts of the project that would be taken in now: what is known already is none of them.
pub fn due(call: &Call<'_>) -> Result<Vec<Found>, OpError> {
    let roots = Roots::of(call)?;
    let files = find::files(call.world, &roots).into_iter();
    let (mut passed, mut ignored) = (Passed::new(roots), Output::default());
    let mut due = Vec::new();
    for found in files.filter(|found| !is_written(call, found)) {
        let Ok(head) = recaps::identity(&found.path, Some(found.format)) else { continue };
        // What tells of no work is passed by each time.
        let is_empty = head.turns == 0 && head.coverage.is_whole();
        if !is_empty && passed.by(call, &found.path, head, &mut ignored)?.is_some() {
            due.push(found);
        }
    }
    Ok(due)
}

/// What is passed by.
struct Passed {
    /// Where the project lies and lay.
    roots: Roots,
    /// Whether a person named what is to be taken in, and whether it is one file.
    is_named: bool,
    is_one: bool,
    seen: BTreeSet<SessionKey>,
    /// How many are of other projects, by their folders.
    others: BTreeMap<PathBuf, usize>,
    n_forgotten: usize,
}

impl Passed {
    fn new(roots: Roots) -> Self {
        let (seen, others) = (BTreeSet::new(), BTreeMap::new());
        Self { roots, is_named: false, is_one: false, seen, others, n_forgotten: 0 }
    }

    /// The session of a transcript that is to be taken in; none of one that is passed by.
    fn by(
        &mut self,
        call: &Call<'_>,
        file: &Path,
        head: Report,
        output: &mut Output,
    ) -> Result<Option<SessionKey>, OpError> {
        if let Some(root) = elsewhere(&self.roots, &head, self.is_named) {
            *self.others.entry(root).or_insert(0) += 1;
            return Ok(None);
        }
        let Some(Some(key)) = or_skipped(key_of(file, head), output) else { return Ok(None) };
        let size = stat_named(file).map_or(0, |stat| stat.size);
        if !self.seen.insert(key.clone()) || !call.look(|view| is_due(call, view, &key, size))? {
            output.kept += 1;
            return Ok(None);
        }
        let is_forgotten = !self.is_one && call.look(|view| Ok(is_forgotten(view, &key)?))?;
        self.n_forgotten += usize::from(is_forgotten);
        Ok((!is_forgotten).then_some(key))
    }

    /// Says what was passed by.
    ///
    /// Names of folders may be alike: of another project's that nobody named nothing is to be said.
    fn tell(self, output: &mut Output) {
        output.skipped.extend(self.others.iter().filter(|_| self.is_named).map(|(root, n)| {
            let root = frame::line(&root.display().to_string(), SHORT);
            format!("{n} of another project: vade adopt transcripts in {root} takes them in there")
        }));
        let n = self.n_forgotten;
        let forgotten = format!("{n} forgotten here: its file by name takes one in again");
        output.skipped.extend((0 < n).then_some(forgotten));
    }
}

/// Whether a transcript of so many bytes tells of a session that is not known, or more than the recap of one that is.
///
/// One that runs is told of by its hooks, and one of another project belongs there.
fn is_due(call: &Call<'_>, view: &dyn View, key: &SessionKey, size: u64) -> Result<bool, OpError> {
    let Some(session) = view.session(key)? else { return Ok(true) };
    let is_here = call.project(view)?.is_some_and(|project| project.id == session.project);
    let told = view.recap(key)?.and_then(|kept| Kept::size_in(&kept.body));
    let is_told = told.is_some_and(|told| size <= told);
    Ok(is_here && !is_told && !succession::is_running(call.world, &session))
}

/// What was read; of a file that cannot be, and holds up no other one, it is told why.
fn or_skipped<T>(read: Result<T, OpError>, output: &mut Output) -> Option<T> {
    read.map_err(|error| output.skipped.push(frame::line(&error.message, SHORT))).ok()
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

/// Whether a transcript may still be written.
fn is_written(call: &Call<'_>, found: &Found) -> bool {
    found.modified.is_some_and(|at| call.now().since(at) < LATELY_MS)
}

/// What the harnesses keep of this project, but for what is written just now.
fn lying(call: &Call<'_>, roots: &Roots, output: &mut Output) -> Vec<(PathBuf, Option<Format>)> {
    let (mut files, mut n_written) = (Vec::new(), 0);
    let lying = find::files(call.world, roots);
    // What is taken in stays known.
    output.skipped.extend(find::deleted_soon(call.world, &lying).filter(|_| output.dry_run));
    for found in lying {
        if is_written(call, &found) {
            n_written += 1;
        } else {
            files.push((found.path, Some(found.format)));
        }
    }
    if 0 < n_written {
        let left = format!("{n_written} written in the last 10 minutes: they may still be written; try again later");
        output.skipped.push(left);
    }
    files
}

/// Makes one session known, which ended when its transcript did, with its recap; one that is known gets the recap alone.
///
/// It stands in no line of instances and never worked here: it is offered to nobody, and found.
fn one(
    call: &Call<'_>,
    (key, path): (SessionKey, &Path),
    making: Making,
    (read, words): (Read<Maker>, Vec<String>),
    output: &mut Output,
) -> Result<(), OpError> {
    let before = Before::of(call, key, path, &read.report);
    let kept = Kept { words, ..Kept::of(read, making, BUDGET) };
    if kept.text.is_empty() {
        output.empty += 1;
        return Ok(());
    }
    if output.dry_run {
        output.sessions += 1;
        return Ok(());
    }
    let written = call.write(Scope::Session(before.key.clone()), "adopt", &kept.size, |view| {
        // Another command may take the same in.
        if !is_due(call, view, &before.key, kept.size)? {
            return Ok((Vec::new(), false));
        }
        let (project, add) = call.begin_project(view)?;
        let known = view.session(&before.key)?;
        let begins = known.is_none();
        let session = known.unwrap_or_else(|| before.session(call, project));
        let ends = (begins || succession::is_taken_in(&session)).then(|| before.ends(session.clone()));
        let recap = Change::SetRecap { session: session.key.clone(), body: kept.body(), at: before.ended };
        let changes = add.into_iter().chain(begins.then(|| added(&session)));
        Ok((changes.chain(ends).chain([recap]).collect(), true))
    })?;
    output.sessions += usize::from(written.value);
    output.kept += usize::from(!written.value);
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

    /// It was not heard of when it ended: by that one is known that was only taken in.
    fn ends(&self, session: Session) -> Change {
        succession::seen(session, self.began.min(self.ended.plus(-1)), Some(self.ended))
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
