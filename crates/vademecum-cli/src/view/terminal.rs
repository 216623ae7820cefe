//! The terminal while a viewer has it, and as it was when the viewer is gone, whatever ends it.

use std::io::{self, Stdout, Write as _};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::stdio::dup2_stdin;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// What became of a wait for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waited {
    /// Something was typed.
    Typed,
    /// Nothing was, for as long as was waited, or a signal came.
    Nothing,
    /// The terminal is gone, and nothing will ever be typed.
    Gone,
}

/// Waits for a key; at the end of a terminal that is gone whoever reads keys would read for ever.
pub(super) fn wait(most: Duration) -> io::Result<Waited> {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let most = Timespec { tv_sec: 0, tv_nsec: i64::from(most.subsec_nanos()) };
    match poll(&mut fds, Some(&most)) {
        Ok(0) | Err(Errno::INTR) => Ok(Waited::Nothing),
        Ok(_) => {
            let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
            Ok(if fds[0].revents().intersects(gone) { Waited::Gone } else { Waited::Typed })
        }
        Err(error) => Err(error.into()),
    }
}

/// A terminal that is given back when this is dropped.
pub(super) struct Screen {
    /// What is drawn on; never dropped, as it would print to a terminal that is gone that it cannot show the cursor,
    /// and panic where that fails as well.
    pub(super) terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    is_ended: Arc<AtomicBool>,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn take() -> io::Result<Self> {
        let is_ended = Arc::new(AtomicBool::new(false));
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&is_ended))?;
        }
        restore_after_panic();
        end_with_terminal(Arc::clone(&is_ended))?;
        take()?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        // From here on what fails gives the terminal back.
        match terminal {
            Ok(terminal) => Ok(Self { terminal: ManuallyDrop::new(terminal), is_ended }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Whether a signal asked the program to end.
    pub(super) fn is_ended(&self) -> bool {
        self.is_ended.load(Ordering::SeqCst)
    }

    /// Lets another program have the terminal while `act` runs; what `act` gave, and whether the terminal came back.
    pub(super) fn lend<T>(&mut self, act: impl FnOnce() -> T) -> (T, io::Result<()>) {
        give_back();
        let done = act();
        (done, self.take_back())
    }

    fn take_back(&mut self) -> io::Result<()> {
        take()?;
        // All is drawn anew; `clear` would ask the terminal where its cursor is, and not every one answers.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }
}

/// Asks the program to end when its terminal is gone, whatever it does then.
///
/// A terminal that goes between a look at it and the reading of a key is read for ever, as crossterm 0.29 takes its end for
/// nothing typed. So it gets in its place a pipe into which nobody writes.
fn end_with_terminal(is_ended: Arc<AtomicBool>) -> io::Result<()> {
    let (silence, silent) = io::pipe()?;
    fcntl_setfl(&silence, OFlags::NONBLOCK)?;
    let watch = move || {
        // Without a wish for anything else poll tells only of a terminal that is gone.
        let is_there = || {
            let found = poll(&mut [PollFd::new(&io::stdin(), PollFlags::empty())], None);
            matches!(found, Err(Errno::INTR | Errno::AGAIN))
        };
        while is_there() {}
        is_ended.store(true, Ordering::SeqCst);
        // Without it who reads goes on as before: nothing better is left.
        dup2_stdin(&silence).ok();
        // A pipe that nobody can write into any more has an end, too.
        let _silent = silent;
        loop {
            thread::park();
        }
    };
    thread::Builder::new().name("terminal".to_owned()).spawn(watch).map(drop)
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    let entered = execute!(io::stdout(), EnterAlternateScreen);
    if entered.is_err() {
        give_back();
    }
    entered
}

/// Whatever of it fails, the rest is tried: a terminal in raw mode is of no use to anybody.
fn give_back() {
    let mut out = io::stdout();
    let left = execute!(out, LeaveAlternateScreen, Show);
    let cooked = disable_raw_mode();
    let flushed = out.flush();
    // Who has closed the terminal needs nothing back.
    drop((left, cooked, flushed));
}

/// A panic is told on the screen that the person sees afterwards.
fn restore_after_panic() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        give_back();
        before(info);
    }));
}
