//! A pseudo-terminal with a program in it: what stands on its screen, and what a person types.

use std::cell::RefCell;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use pty_process::Size;
use pty_process::blocking::{self, Pty};
use vt100::{Callbacks, Parser, Screen};

const ROWS: NonZeroU16 = NonZeroU16::new(40).expect("not zero");
const COLUMNS: NonZeroU16 = NonZeroU16::new(120).expect("not zero");

/// What waits for the program gives up after this: a calm machine needs a second or two.
const PATIENCE: Duration = Duration::from_secs(90);

/// The keys that are no characters.
pub(super) mod key {
    pub(in super::super) const ENTER: &str = "\r";
    pub(in super::super) const CTRL_C: &str = "\x03";
}

/// A program in a terminal of its own.
pub(super) struct Terminal {
    child: RefCell<Child>,
    keyboard: Arc<Pty>,
    parser: Arc<Mutex<Parser<Answers>>>,
    /// The sign in front of the line that a person types into.
    prompt: char,
}

impl Terminal {
    /// Starts `command`, whose input line begins with `prompt`.
    pub(super) fn start(mut command: Command, prompt: char) -> Result<Self> {
        command.env("TERM", "xterm-256color");
        let (pty, program_end) = blocking::open()?;
        pty.resize(Size::new(ROWS.get(), COLUMNS.get()))?;
        let child = blocking::Command::from(command).spawn(program_end)?;

        let keyboard = Arc::new(pty);
        let parser = Parser::new_with_callbacks(ROWS, COLUMNS, 0, Answers::default());
        let parser = Arc::new(Mutex::new(parser));
        let (output, shared) = (Arc::clone(&keyboard), Arc::clone(&parser));
        thread::spawn(move || draw(&output, &shared));
        Ok(Self { child: RefCell::new(child), keyboard, parser, prompt })
    }

    /// The process of the program.
    #[must_use]
    pub(super) fn id(&self) -> u32 {
        self.child.borrow().id()
    }

    /// The text on the screen.
    #[must_use]
    pub(super) fn screen(&self) -> String {
        lock(&self.parser).screen().contents()
    }

    /// Whether `text` stands on the screen, however the program has broken its lines.
    #[must_use]
    pub(super) fn shows(&self, text: &str) -> bool {
        squeezed(&self.screen()).contains(&squeezed(text))
    }

    /// Whether the line that a person types into begins with `text`.
    #[must_use]
    pub(super) fn is_typed(&self, text: &str) -> bool {
        let screen = self.screen();
        let line = screen.rsplit_once(self.prompt).map(|(_, line)| squeezed(line));
        line.is_some_and(|line| line.starts_with(&squeezed(text)))
    }

    /// Presses keys.
    pub(super) fn press(&self, keys: &str) -> Result<()> {
        (&*self.keyboard).write_all(keys.as_bytes())?;
        Ok(())
    }

    /// Types a line, waits until it stands there, and only then presses Enter.
    ///
    /// A text and its Enter at once would be taken for a paste.
    pub(super) fn enter(&self, line: &str) -> Result<()> {
        self.press(line)?;
        self.until(&format!("{line:?} in the input line"), |it| it.is_typed(line))?;
        self.press(key::ENTER)
    }

    /// Waits until `is_so`, while the program runs.
    pub(super) fn until(&self, what: &str, is_so: impl Fn(&Self) -> bool) -> Result<()> {
        let begin = Instant::now();
        while !is_so(self) {
            if let Some(status) = self.child.borrow_mut().try_wait()? {
                bail!("it ended ({status}) before {what}; the screen:\n{}", self.screen());
            }
            if PATIENCE < begin.elapsed() {
                let seconds = PATIENCE.as_secs();
                bail!("no {what} after {seconds} s; the screen:\n{}", self.screen());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Waits for the end of the program, pressing `keys` while it goes on.
    pub(super) fn end(self, keys: &str) -> Result<()> {
        let begin = Instant::now();
        let mut pressed: Option<Instant> = None;
        while self.child.borrow_mut().try_wait()?.is_none() {
            // Programs ask for the same key again within a second or so.
            if pressed.is_none_or(|at| Duration::from_millis(300) < at.elapsed()) {
                self.press(keys)?;
                pressed = Some(Instant::now());
            }
            if PATIENCE < begin.elapsed() {
                bail!("it does not end; the screen:\n{}", self.screen());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for Terminal {
    /// Kills the program, which gets no chance to say so.
    fn drop(&mut self) {
        // One that has ended can neither be killed nor has to be.
        let child = self.child.get_mut();
        drop(child.kill());
        drop(child.wait());
    }
}

/// Draws what the program writes until it ends, and answers what it asks the terminal.
fn draw(mut pty: &Pty, parser: &Mutex<Parser<Answers>>) {
    let mut bytes = [0; 8192];
    // A terminal whose program has ended says so by an error.
    while let Ok(n @ 1..) = pty.read(&mut bytes) {
        let answers = {
            let mut parser = lock(parser);
            parser.process(&bytes[..n]);
            std::mem::take(&mut parser.callbacks_mut().0)
        };
        if pty.write_all(answers.as_bytes()).is_err() {
            break;
        }
    }
}

/// What the terminal says to the program's questions.
#[derive(Default)]
struct Answers(String);

impl Callbacks for Answers {
    fn unhandled_csi(
        &mut self,
        screen: &mut Screen,
        first: Option<u8>,
        _: Option<u8>,
        parameters: &[&[u16]],
        kind: char,
    ) {
        match (first, parameters, kind) {
            (None, [[6]], 'n') => {
                let (row, column) = screen.cursor_position();
                self.0.extend([
                    "\x1b[",
                    &(row + 1).to_string(),
                    ";",
                    &(column + 1).to_string(),
                    "R",
                ]);
            }
            (None, _, 'c') => self.0 += "\x1b[?62c",
            _ => {}
        }
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text without blanks: programs break lines where they like.
fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_typed_and_its_answer_is_read_from_the_screen() {
        let mut command = Command::new("sh");
        command.args(["-c", "printf '> '; read line; printf 'got %s\\n' \"$line\"; read end"]);
        let terminal = Terminal::start(command, '>').expect("a terminal");
        // What is typed before would be echoed in front of the prompt.
        terminal.until("the prompt", |it| it.shows(">")).expect("a prompt");
        terminal.enter("three carrots").expect("an input line");
        terminal.until("the answer", |it| it.shows("got three carrots")).expect("an answer");
        terminal.end(key::ENTER).expect("an end");
    }

    #[test]
    fn questions_to_the_terminal_are_answered() {
        let mut parser = Parser::new_with_callbacks(ROWS, COLUMNS, 0, Answers::default());
        parser.process(b"ab\x1b[6n\x1b[c\x1b[?u");
        assert_eq!(parser.callbacks().0, "\x1b[1;3R\x1b[?62c");
    }
}
