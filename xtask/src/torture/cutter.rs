//! A line to a server that is cut around a commit: before the server has it, or before its answer arrives.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use anyhow::Result;

/// One commit of so many loses its line.
const EACH: u64 = 40;

/// The command by which a commit is known on the line, to its end: READ COMMITTED is none.
const COMMIT: &[u8] = b"COMMIT\0";

/// A port whose lines are cut; it listens until the process ends.
pub(super) struct Cutter {
    pub(super) port: u16,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    commits: AtomicU64,
    cuts: AtomicU64,
    /// Whether nothing is carried any more, and nobody is told.
    is_silent: AtomicBool,
}

impl Cutter {
    /// Carries what arrives to `target` on this machine.
    pub(super) fn before(target: u16) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let counts = Arc::<Counts>::default();
        let shared = Arc::clone(&counts);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let counts = Arc::clone(&shared);
                // A server that is away refuses; whoever called is refused too.
                let Ok(server) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                thread::spawn(move || carry(&client, &server, &counts));
            }
        });
        Ok(Self { port, counts })
    }

    /// From now on every line takes what is sent and carries none of it.
    pub(super) fn fall_silent(&self) {
        self.counts.is_silent.store(true, Ordering::Relaxed);
    }

    /// How many lines were cut.
    pub(super) fn n_cuts(&self) -> u64 {
        self.counts.cuts.load(Ordering::Relaxed)
    }
}

/// Carries bytes both ways until one side ends or the line is cut.
fn carry(client: &TcpStream, server: &TcpStream, counts: &Counts) {
    let is_silent = || counts.is_silent.load(Ordering::Relaxed);
    thread::scope(|scope| {
        scope.spawn(|| pass(server, client, is_silent, |_| Some(true)));
        pass(client, server, is_silent, |bytes| {
            if !bytes.windows(COMMIT.len()).any(|word| word == COMMIT) {
                return Some(true);
            }
            let n = counts.commits.fetch_add(1, Ordering::Relaxed);
            if !(n + 1).is_multiple_of(EACH) {
                return Some(true);
            }
            let n = counts.cuts.fetch_add(1, Ordering::Relaxed);
            // In turn: the server never has it, or has it and cannot say so.
            n.is_multiple_of(2).then_some(false)
        });
    });
}

/// Passes bytes on; `may` says whether the line goes on behind them, and none that they are not passed on either.
fn pass(
    mut from: &TcpStream,
    mut to: &TcpStream,
    is_silent: impl Fn() -> bool,
    may: impl Fn(&[u8]) -> Option<bool>,
) {
    let mut buffer = vec![0; 65_536];
    while let Ok(n) = from.read(&mut buffer) {
        if n == 0 {
            break;
        }
        if is_silent() {
            continue;
        }
        let goes_on = may(&buffer[..n]);
        // Nothing of an answer arrives any more.
        if goes_on == Some(false) {
            from.shutdown(Shutdown::Both).ok();
        }
        if goes_on.is_none() || to.write_all(&buffer[..n]).is_err() || goes_on == Some(false) {
            break;
        }
    }
    for stream in [from, to] {
        stream.shutdown(Shutdown::Write).ok();
        stream.shutdown(Shutdown::Read).ok();
    }
}
