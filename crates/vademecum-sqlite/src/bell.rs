//! Wakes who waits for a write of another process, by what the kernel tells of the lock file.
//!
//! A writer closes that file once its commit can be seen: neither before, as it writes the log, nor only if
//! it ends well. Where the kernel tells nothing it is looked again and again.

use std::time::Duration;

use crate::deadline;
use crate::files::Files;

/// How often it is looked where the kernel tells nothing.
const LOOK: Duration = Duration::from_millis(80);

/// How long it is not heard after it has rung: who rings all the time costs little.
const DEAF: Duration = Duration::from_millis(10);

/// What rings when somebody may have written.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    #[cfg(target_os = "linux")]
    watch: Option<kernel::Watch>,
    has_rung: bool,
}

impl Bell {
    /// Takes back what has rung: it rings again for what is written from now on.
    pub(crate) fn set(&mut self, files: &Files) {
        #[cfg(target_os = "linux")]
        {
            let watch = self.watch.take();
            self.watch = kernel::Watch::set(watch, files).ok();
        }
        #[cfg(not(target_os = "linux"))]
        let Files { .. } = files;
    }

    /// Waits until it rings, or until `limit` is over; what is left of it then.
    pub(crate) fn wait(&mut self, limit: Duration) -> Duration {
        deadline::start(limit);
        if self.has_rung {
            deadline::pause(DEAF);
        }
        #[cfg(target_os = "linux")]
        {
            self.has_rung = self.watch.as_ref().is_some_and(|watch| watch.wait().is_ok());
        }
        if !self.has_rung {
            deadline::pause(LOOK);
        }
        deadline::left()
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    //! What Linux tells of files.

    use std::path::{Path, PathBuf};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fd::OwnedFd;
    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
    use rustix::io::{Errno, Result};

    use super::{Files, deadline};

    /// What brings another lock file, or another database, under the same name.
    const REPLACED: WatchFlags = WatchFlags::CREATE
        .union(WatchFlags::DELETE)
        .union(WatchFlags::MOVE)
        .union(WatchFlags::DELETE_SELF)
        .union(WatchFlags::MOVE_SELF);

    /// What is watched; it is kept, since the kernel takes milliseconds to close it.
    #[derive(Debug)]
    pub(super) struct Watch {
        events: OwnedFd,
        folder: PathBuf,
    }

    impl Watch {
        /// Watches the lock file and its folder; where that is not there yet, the nearest above it.
        pub(super) fn set(before: Option<Self>, files: &Files) -> Result<Self> {
            let folder = files.gate.parent().unwrap_or(Path::new("."));
            let mut watch = before;
            let watch = loop {
                let there = nearest(folder);
                match watch.take() {
                    Some(watch) if watch.folder == there => break watch,
                    Some(_) | None => watch = Some(Self::of(there)?),
                }
            };
            watch.forget()?;
            match inotify::add_watch(&watch.events, &files.gate, WatchFlags::CLOSE_WRITE) {
                Ok(_) | Err(Errno::NOENT) => Ok(watch),
                Err(error) => Err(error),
            }
        }

        fn of(folder: &Path) -> Result<Self> {
            let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
            inotify::add_watch(&events, folder, REPLACED)?;
            Ok(Self { events, folder: folder.to_owned() })
        }

        /// Takes out what was told until now; a folder of the same name is watched anew.
        fn forget(&self) -> Result<()> {
            let mut told = [0; 4096];
            loop {
                match rustix::io::read(&self.events, &mut told) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) => break,
                    Err(error) => return Err(error),
                }
            }
            inotify::add_watch(&self.events, &self.folder, REPLACED).map(drop)
        }

        /// Waits for something until the deadline of this thread.
        pub(super) fn wait(&self) -> Result<()> {
            let limit = Timespec::try_from(deadline::left()).ok();
            match poll(&mut [PollFd::new(&self.events, PollFlags::IN)], limit.as_ref()) {
                Ok(_) | Err(Errno::INTR) => Ok(()),
                Err(error) => Err(error),
            }
        }
    }

    /// The folder, or the nearest above it that is there.
    fn nearest(folder: &Path) -> &Path {
        folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"))
    }
}
