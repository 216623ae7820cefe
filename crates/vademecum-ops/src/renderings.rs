//! Renderings: what hooks ask about a session whose store is far away, asked beforehand and kept in a file beside them.
//!
//! A session's MCP server keeps them, and looks at the store again whenever something is written there. A hook takes
//! one for the store as long as that was done a moment ago and nothing that this machine wrote is newer. What it does not
//! hold is asked of the store, so that no answer is made of half of it; where the store is away too an older one is
//! better than none, and is told with its time.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use vademecum_core::error::Kind;
use vademecum_core::hash::{self, Hash, Key};
use vademecum_core::id::Seq;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_files::{FileError, Root, draft_of};
use vademecum_store::store::{Decide, Look};
use vademecum_store::{
    Answering, Answers, Depth, Erase, Health, IntentId, Outcome, Store, StoreError, Write,
};

use crate::error::OpError;
use crate::moments;
use crate::world::World;

/// The folder of them in the data folder.
pub const FOLDER: &str = "renderings";

/// So long after its keeper has looked a rendering stands for the store, in milliseconds.
const CURRENT_MS: i64 = 10_000;

/// One of a session with a page of a quarter of a megabyte, its notes, and all that its project knows.
const MAX_BYTES: u64 = 16 << 20;

/// After so many seconds without a write one is swept.
const SWEPT_S: i64 = 24 * 60 * 60;

/// How long is waited for another process that writes or erases one.
const PATIENCE: Duration = Duration::from_secs(2);

/// A session that a hook had to ask the store about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The session.
    pub session: SessionKey,
    /// The folder in which its hooks run, in bytes.
    work: Vec<u8>,
    /// The process of its harness, whose MCP server is asked.
    pub host_pid: Option<u32>,
    /// What hooks call the store.
    store: String,
}

impl Wanted {
    /// The folder in which its hooks run.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.work.clone()))
    }
}

/// A rendering as it lies on the disk.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    session: String,
    store: String,
    /// When the store was asked.
    at: Time,
    /// The newest write that it tells of.
    seq: Seq,
    secret: Option<Hash>,
    answers: Answers,
}

/// The files about one session of one store, whatever their names hold.
struct Files {
    rendering: String,
    /// When its keeper has looked last and found it as it was.
    looked: String,
    wanted: String,
}

impl Files {
    fn of(session: &str, store: &str) -> Self {
        let name = hash::hex(&hash::plain(format!("{session}\n{store}").as_bytes()), 16);
        let [rendering, looked, wanted] =
            ["json", "looked", "wanted"].map(|end| format!("{name}.{end}"));
        Self { rendering, looked, wanted }
    }
}

/// The file that says which write this machine made last in a store.
fn moved_file(store: &str) -> String {
    format!("{}.moved", hash::hex(&hash::plain(store.as_bytes()), 16))
}

/// The file that counts how often something of a store was erased here: of any, for one store may have two addresses.
const ERASURES: &str = "all.erased";

fn folder(data: &Path) -> Option<Root> {
    Root::open_private(data).ok()??.below(FOLDER).ok()?
}

fn parsed<T: for<'de> Deserialize<'de>>(folder: &Root, file: &str) -> Option<T> {
    serde_json::from_slice(&folder.read(file, MAX_BYTES).ok()??).ok()
}

fn put(folder: &Root, file: &str, what: &impl Serialize) -> Result<(), FileError> {
    folder.replace(file, &serde_json::to_vec(what).unwrap_or_default())
}

/// Asks for a rendering of a session; without one its hooks ask the store.
pub(crate) fn want(world: &World, session: &SessionKey, host_pid: Option<u32>) {
    let Some(store) = world.store_name().filter(|_| !world.is_read_only()) else { return };
    let work = world.folders.work.as_os_str().as_bytes().to_vec();
    let wanted = Wanted { session: session.clone(), work, host_pid, store: store.clone() };
    let file = Files::of(&session.to_string(), store).wanted;
    let put = || -> Result<(), FileError> {
        let folder = Root::private(&world.folders.data)?.make_folder(FOLDER)?;
        if parsed::<Wanted>(&folder, &file).is_some_and(|known| known == wanted) {
            return Ok(());
        }
        put(&folder, &file, &wanted)
    };
    drop(put());
}

/// The sessions of a store of which renderings are asked for.
#[must_use]
pub fn wanted(data: &Path, store: &str) -> Vec<Wanted> {
    let Some(folder) = folder(data) else { return Vec::new() };
    let entries = folder.entries().unwrap_or_default().into_iter();
    let names = entries.filter_map(|entry| entry.name.into_string().ok());
    let wanted = names.filter(|name| name.ends_with(".wanted"));
    let wanted = wanted.filter_map(|name| parsed::<Wanted>(&folder, &name));
    wanted.filter(|wanted| wanted.store == store).collect()
}

/// Makes the rendering of the session of `hook`, from its store; up to which write it tells. None of a session that is
/// not known, or not asked for any more.
pub fn render(hook: &moments::Hook<'_>, wanted: &Wanted) -> Result<Option<Seq>, OpError> {
    let data = &hook.world.folders.data;
    let Some(folder) = folder(data) else { return Ok(None) };
    let files = Files::of(&wanted.session.to_string(), &wanted.store);
    let erasures = || parsed::<u64>(&folder, ERASURES).unwrap_or_default();
    let (at, before) = (hook.world.now(), erasures());
    let secret = hook.store.secret()?.map(|key| key.0);
    let rehearsed = moments::rehearse(hook, &wanted.session)?;
    // The store is not waited for under the lock: a hook that ends its session would wait with it.
    let _lock = folder.lock(PATIENCE).map_err(|error| unusable(&error))?;
    let Some((seq, answers)) = rehearsed else {
        // It was forgotten, maybe on another machine.
        folder.remove_file(&files.rendering).map_err(|error| unusable(&error))?;
        return Ok(None);
    };
    // Another process of its harness may have asked meanwhile, for the server below it.
    let is_wanted = parsed::<Wanted>(&folder, &files.wanted).as_ref() == Some(wanted);
    if !is_wanted || before != erasures() {
        return Ok(None);
    }
    // What nobody writes for a day is swept.
    put(&folder, &files.wanted, wanted).map_err(|error| unusable(&error))?;
    restored(&folder, &wanted.store, (seq, at));
    let (session, store) = (wanted.session.to_string(), wanted.store.clone());
    let kept = Kept { session, store, at, seq, secret, answers };
    put(&folder, &files.rendering, &kept).map_err(|error| unusable(&error))?;
    Ok(Some(seq))
}

/// Lets go of what this machine wrote last to a store that did not have it when it was asked `at`, long after: it was
/// restored, or made anew.
fn restored(folder: &Root, store: &str, (seq, at): (Seq, Time)) {
    let file = moved_file(store);
    let is_newer = parsed::<Seq>(folder, &file).is_some_and(|moved| seq < moved);
    let is_before = |seconds: i64| (seconds + WRITTEN_S) * 1_000 < at.0;
    if is_newer && folder.stat(&file).is_ok_and(|stat| stat.is_some_and(|it| is_before(it.seconds)))
    {
        drop(folder.remove_file(&file));
    }
}

/// So many seconds after a write each look at a store sees it.
const WRITTEN_S: i64 = 5;

/// Whether the rendering of a session is there: who erases something takes all away.
#[must_use]
pub fn is_kept(world: &World, wanted: &Wanted) -> bool {
    let files = Files::of(&wanted.session.to_string(), &wanted.store);
    let stat = |folder: Root| folder.stat(&files.rendering).ok().flatten();
    folder(&world.folders.data).and_then(stat).is_some()
}

/// Notes that the store was looked at then, and was as the rendering tells.
pub fn looked(world: &World, wanted: &Wanted, at: Time) {
    let files = Files::of(&wanted.session.to_string(), &wanted.store);
    let Some(folder) = folder(&world.folders.data) else { return };
    drop(put(&folder, &files.looked, &at));
}

/// Notes that this machine wrote to a store: a rendering from before that is no more taken for it.
pub fn moved(data: &Path, store: &str, seq: Seq) {
    let Some(folder) = folder(data) else { return };
    let file = moved_file(store);
    // Of two that write at once the later one may come first.
    let newest = parsed::<Seq>(&folder, &file).map_or(seq, |other| other.max(seq));
    if put(&folder, &file, &newest).is_err() {
        drop(erased(data));
    }
}

/// Takes all renderings away, as a store has erased something: those of others are made anew as soon as they are asked
/// for.
pub fn erased(data: &Path) -> Result<(), FileError> {
    let Some(folder) = folder(data) else { return Ok(()) };
    let _lock = folder.lock(PATIENCE)?;
    let erasures: u64 = parsed(&folder, ERASURES).unwrap_or_default();
    let counted = put(&folder, ERASURES, &(erasures + 1));
    for entry in folder.entries()? {
        let name = entry.name.to_str();
        // Whoever is killed leaves a draft.
        let of = name.and_then(draft_of).or(name);
        if of.is_some_and(|of| of.strip_suffix(".json").is_some()) {
            folder.remove_file(&entry.name)?;
        }
    }
    counted
}

/// Takes the renderings of these sessions away, as nobody keeps them any more.
pub fn end(world: &World, sessions: &[SessionKey]) {
    let names: Vec<String> = sessions.iter().map(SessionKey::to_string).collect();
    // What stays is swept.
    drop(forget(world, &names));
}

/// Takes away what nobody has written for a day: who kept it was killed.
pub fn sweep(world: &World) {
    let Some(folder) = folder(&world.folders.data) else { return };
    let now = world.now().0 / 1_000;
    for entry in folder.entries().unwrap_or_default() {
        let stat = folder.stat(&entry.name).ok().flatten();
        if stat.is_some_and(|stat| stat.seconds + SWEPT_S < now) {
            drop(folder.remove_file(&entry.name));
        }
    }
}

/// Takes the renderings of these sessions away; what is asked for of them too.
pub(crate) fn forget(world: &World, sessions: &[String]) -> Result<(), FileError> {
    let Some(data) = Root::open_private(&world.folders.data)? else { return Ok(()) };
    let (Some(folder), Some(store)) = (data.below(FOLDER)?, world.store_name()) else {
        return Ok(());
    };
    let lock = folder.lock(PATIENCE)?;
    let files = sessions.iter().map(|session| Files::of(session, store));
    let gone: Vec<String> = files.flat_map(|it| [it.rendering, it.looked, it.wanted]).collect();
    for entry in folder.entries()? {
        let name = entry.name.to_str();
        // Whoever is killed leaves a draft.
        let of = name.and_then(draft_of).or(name);
        if of.is_some_and(|of| gone.iter().any(|file| file == of)) {
            folder.remove_file(&entry.name)?;
        }
    }
    drop(lock);
    Ok(())
}

/// What is said of what is told although the store does not answer.
pub(crate) fn as_of(at: Time) -> String {
    format!("the server of the store does not answer: this is as of {}", at.to_rfc3339())
}

fn unusable(error: &FileError) -> OpError {
    OpError::broken(format!("renderings cannot be written: {error}"))
}

/// A store far away, with what was asked of it beforehand for one session.
pub struct Rendered<'a> {
    store: &'a dyn Store,
    kept: Option<Kept>,
    /// Whether the rendering stands for the store.
    is_current: AtomicBool,
    /// Whether this process wrote there.
    has_written: AtomicBool,
    /// Whether something was told that may be older than the store.
    is_old: AtomicBool,
    /// The server that did not answer this process, and what was reported: there is no time to wait for it again.
    away: Mutex<Option<(String, String)>>,
}

impl std::fmt::Debug for Rendered<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rendered").field(&self.is_current()).finish()
    }
}

impl<'a> Rendered<'a> {
    /// `store`, which `world` names, with the rendering of a session, if there is one.
    #[must_use]
    pub fn of(store: &'a dyn Store, world: &World, session: &SessionKey) -> Self {
        let found = world.store_name().and_then(|name| found(world, session, name));
        let (kept, is_current) = found.map_or((None, false), |(kept, is)| (Some(kept), is));
        Self {
            store,
            kept,
            is_current: is_current.into(),
            has_written: AtomicBool::new(false),
            is_old: AtomicBool::new(false),
            away: Mutex::default(),
        }
    }

    /// Whether the rendering stands for the store: what a hook has to note can be taken in by who keeps it.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.is_current.load(Ordering::SeqCst)
    }

    /// From when that is which was told and may be older than the store.
    #[must_use]
    pub fn as_of(&self) -> Option<Time> {
        let kept = self.kept.as_ref()?;
        self.is_old.load(Ordering::SeqCst).then_some(kept.at)
    }

    /// Notes that the store has, or may have, what the rendering does not tell.
    fn is_behind(&self) {
        self.is_current.store(false, Ordering::SeqCst);
        self.has_written.store(true, Ordering::SeqCst);
    }

    /// That the store is away, as it was for this process before.
    fn away(&self) -> Option<StoreError> {
        let (place, what) = self.away.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        Some(StoreError::Unreachable { place, what })
    }

    fn failed(&self, error: &StoreError) {
        if let StoreError::Unreachable { place, what } = error {
            let mut away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
            *away = Some((place.clone(), what.clone()));
        }
    }

    /// Looks at the rendering; none where not all that was asked is in it.
    fn recall(&self, look: &mut Look<'_>) -> Option<Result<(), StoreError>> {
        let answering = Answering::of(&self.kept.as_ref()?.answers);
        let looked = look(&answering);
        (!answering.lacks()).then_some(looked)
    }

    /// The rendering where the store is away, unless this process wrote there what it does not tell.
    fn recall_instead(
        &self,
        error: &StoreError,
        look: &mut Look<'_>,
    ) -> Option<Result<(), StoreError>> {
        if error.kind() != Kind::Busy || self.has_written.load(Ordering::SeqCst) {
            return None;
        }
        let recalled = self.recall(look)?;
        self.is_old.store(true, Ordering::SeqCst);
        Some(recalled)
    }
}

/// The rendering of a session, and whether it stands for the store.
fn found(world: &World, session: &SessionKey, store: &str) -> Option<(Kept, bool)> {
    let data = &world.folders.data;
    let folder = folder(data)?;
    let name = session.to_string();
    let files = Files::of(&name, store);
    let kept: Kept = parsed(&folder, &files.rendering)?;
    if (kept.session.as_str(), kept.store.as_str()) != (name.as_str(), store) {
        return None;
    }
    let looked = parsed::<Time>(&folder, &files.looked).map_or(kept.at, |at| at.max(kept.at));
    let moved = parsed::<Seq>(&folder, &moved_file(store)).unwrap_or_default();
    let is_current = world.now().since(looked).abs() < CURRENT_MS
        && moved <= kept.seq
        && !moments::waits(data, session);
    Some((kept, is_current))
}

impl Store for Rendered<'_> {
    fn read(&self, look: &mut Look<'_>) -> Result<(), StoreError> {
        if self.is_current()
            && let Some(recalled) = self.recall(look)
        {
            return recalled;
        }
        let error = match self.away() {
            Some(error) => error,
            None => match self.store.read(look) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            },
        };
        self.failed(&error);
        self.recall_instead(&error, look).unwrap_or(Err(error))
    }

    fn write(&self, write: &Write, decide: &mut Decide<'_>) -> Result<Outcome, StoreError> {
        if let Some(error) = self.away() {
            return Err(error);
        }
        let written = self.store.write(write, decide);
        if let Ok(Outcome::Done { .. } | Outcome::Replayed { .. })
        | Err(StoreError::Unsettled { .. }) = &written
        {
            self.is_behind();
        }
        written.inspect_err(|error| self.failed(error))
    }

    fn wait(&self, after: Seq, timeout: Duration) -> Result<Seq, StoreError> {
        self.store.wait(after, timeout)
    }

    fn intend(&self, what: &str) -> Result<IntentId, StoreError> {
        self.is_behind();
        self.store.intend(what)
    }

    fn erase(&self, what: &Erase, fulfils: Option<IntentId>) -> Result<(), StoreError> {
        self.is_behind();
        self.store.erase(what, fulfils)
    }

    fn shrink(&self) -> Result<(u64, u64), StoreError> {
        self.store.shrink()
    }

    fn secret(&self) -> Result<Option<Key>, StoreError> {
        let kept = || self.kept.as_ref()?.secret.map(Key);
        if (self.is_current() || self.away().is_some())
            && let Some(key) = kept()
        {
            return Ok(Some(key));
        }
        match self.store.secret() {
            Err(error) if error.kind() == Kind::Busy => {
                self.failed(&error);
                kept().map(Some).ok_or(error)
            }
            answered => answered,
        }
    }

    /// Where something was told that may be older, that is worth saying at a start.
    fn health(&self, depth: Depth) -> Result<Health, StoreError> {
        let mut health = self.store.health(depth)?;
        let old = self.as_of().filter(|_| depth == Depth::Unsaid);
        health.faults.extend(old.map(as_of));
        Ok(health)
    }
}
