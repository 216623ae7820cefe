//! Takes in what waits in the spool: a session's own first, and no more than there is time for.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use vademecum_core::error::Kind;
use vademecum_core::session::SessionKey;
use vademecum_core::time::Time;
use vademecum_store::Store;

use super::capture;
use super::spool::{self, Batch, Line, Queued, Reach, Taking};
use super::standing::{self, Told, What};
use super::told_call;
use crate::call::Call;
use crate::config::Config;
use crate::error::OpError;
use crate::world::World;

/// What takes in, and until when it begins another file.
#[derive(Clone, Copy)]
pub(super) struct Drain<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) world: &'a World,
    pub(super) config: &'a Config,
    pub(super) until: Time,
}

/// What came of it.
#[derive(Default)]
pub(super) struct Drained {
    /// The first fault by which a moment was not answered, of which nothing can be taken in.
    first: Option<Queued>,
    /// Whether any file was taken.
    is_begun: bool,
    /// Why what the caller tells now has to wait too.
    pub(super) stuck: Option<OpError>,
}

/// Why a file stays where it is.
enum Stop {
    /// Somebody else takes it in, or it waits until vade is on again.
    Held,
    /// The time is over.
    Late,
    /// It is refused, as where its project is no longer shared. Others' may be taken.
    Refused(OpError),
    /// The store takes nothing now, of no session.
    Stuck(OpError),
}

/// Takes in what a command or a server finds waiting, in silence: what stays is taken in later.
pub fn take_in(store: &dyn Store, world: &World, config: &Config, until: Time) {
    let drain = Drain { store, world, config, until };
    drain.run(None, Reach::Everything);
}

impl<'a> Drain<'a> {
    /// Takes in one file at least, then more while there is time.
    pub(super) fn run(&self, own: Option<&SessionKey>, reach: Reach) -> Drained {
        let mut drained = Drained::default();
        for line in spool::lines(&self.world.folders.data, own, reach) {
            match self.run_line(&line, &mut drained).err() {
                Some(Stop::Held) if line.is_own => drained.stuck = Some(behind()),
                Some(Stop::Refused(error)) if line.is_own => drained.stuck = Some(error),
                // Another process takes in what is held just now.
                None | Some(Stop::Held | Stop::Refused(_)) => {}
                Some(Stop::Late) => {
                    // What was refused of its own holds up what it tells now, whoever was next.
                    drained.stuck = drained.stuck.or_else(|| line.is_own.then(behind));
                    break;
                }
                Some(Stop::Stuck(error)) => {
                    drained.stuck = Some(error);
                    break;
                }
            }
        }
        drained
    }

    /// Takes in the files of one session, one after the other.
    fn run_line(&self, line: &Line, drained: &mut Drained) -> Result<(), Stop> {
        let (data, store) = (&self.world.folders.data, self.world.store_name());
        for file in line.files.iter().filter(|file| spool::concerns(data, file, store)) {
            if drained.is_begun && self.until <= self.world.now() {
                return Err(Stop::Late);
            }
            match spool::take(&self.world.folders.data, file).map_err(|error| unusable(&error))? {
                Taking::Gone => {}
                Taking::Held => return Err(Stop::Held),
                Taking::Taken(batch) => {
                    drained.is_begun = true;
                    self.take(batch, drained)?;
                }
            }
        }
        Ok(())
    }

    fn take(&self, mut batch: Batch, drained: &mut Drained) -> Result<(), Stop> {
        // They wait aside for whoever opens that store, and hold up nobody here.
        let others = batch.part(self.world.store_name());
        let ended = match self.note(&batch.events) {
            Ok(true) => {
                drained.count(&batch.events);
                // A file that cannot be removed is taken in again, to no effect.
                batch.finish(&others)
            }
            Ok(false) => {
                batch.put_back().map_err(|error| unusable(&error))?;
                return Err(Stop::Held);
            }
            Err(error) if is_final(&error) => batch.set_aside(),
            // A part of it may have been taken in: the next one takes it as it is, and later events go to another file.
            Err(error) if error.kind == Kind::Denied => return Err(Stop::Refused(error)),
            Err(error) => return Err(Stop::Stuck(error)),
        };
        ended.map_err(|error| unusable(&error))
    }

    /// Notes the events of a file, which are of one session unless somebody else wrote it; whether nothing of them waits on.
    fn note(&self, events: &[Queued]) -> Result<bool, OpError> {
        let mut told: Vec<&Told> =
            events.iter().filter_map(|queued| queued.told.as_ref()).collect();
        if told.is_empty() {
            // A fault without an event is over when the store can be read.
            vademecum_store::read(self.store, |view| Ok(view.store()?.off_at))?;
            return Ok(true);
        }
        let mut is_done = true;
        while let Some(first) = told.first().copied() {
            let theirs: Vec<Told> =
                told.extract_if(.., |told| told.key == first.key).cloned().collect();
            let call = self.about(first);
            standing::note_late(&call, &theirs)?;
            is_done &= self.record(&call, &theirs)?;
        }
        Ok(is_done)
    }

    /// Records what was found, as the project of the session keeps its plans; whether none of it waits on.
    fn record(&self, call: &Call<'_>, all: &[Told]) -> Result<bool, OpError> {
        let mut is_done = true;
        for told in all {
            let What::Found(found) = &told.what else { continue };
            let place = capture::of_session(call.again(None), &told.key);
            let (folders, root) = (&self.world.folders, &place.place().root);
            let config = Config::load(folders, root).or_else(|_| Config::load_own(folders))?;
            let own = Drain { config: &config, ..*self };
            let told = told_call(own.store, own.world, own.config, &told.key);
            is_done &= capture::take_in(told.about(root), found)?;
        }
        Ok(is_done)
    }

    /// A call about the folder in which the session of `told` ran, which may be another project's.
    fn about(&self, told: &Told) -> Call<'a> {
        let call = told_call(self.store, self.world, self.config, &told.key);
        match &told.place.cwd {
            Some(cwd) => call.about(Path::new(OsStr::from_bytes(cwd))),
            None => call,
        }
    }
}

impl Drained {
    fn count(&mut self, events: &[Queued]) {
        let unanswered = events.iter().filter(|queued| queued.told.is_none()).cloned();
        self.first = self.first.take().into_iter().chain(unanswered).min_by_key(|queued| queued.at);
    }

    /// One sentence for the context if a moment was not answered; what was only late is no fault.
    pub(super) fn said(&self) -> Option<String> {
        let first = self.first.as_ref()?;
        Some(format!("memory was degraded since {}: {}", first.at.to_rfc3339(), first.fault))
    }
}

/// Whether the store will refuse the same events each time.
fn is_final(error: &OpError) -> bool {
    match error.kind {
        Kind::Usage | Kind::Missing | Kind::Conflict => true,
        Kind::Busy | Kind::Denied | Kind::Broken => false,
    }
}

/// Why an event waits behind earlier ones of its session.
pub(super) fn behind() -> OpError {
    OpError::conflict("what was queued before is taken in first").hint("nothing is lost")
}

fn unusable(error: &io::Error) -> Stop {
    Stop::Stuck(OpError::broken(format!("the spool cannot be read or written: {error}")))
}
