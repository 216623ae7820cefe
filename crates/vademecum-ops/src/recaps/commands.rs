//! The embedder and the summariser that a person configured: commands of their own, which answer a line for a line.
//!
//! A command is started without a shell, in a process group of its own. It reads JSON lines and answers each with one;
//! when its time is over, or it answers what it should not, it is ended with all its children and asked no more.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::config;

/// The most bytes of an answer of the embedder.
const VECTORS: u64 = 64 << 20;

/// The most bytes of a summary: a chunk is not longer.
const SUMMARY: u64 = 16 << 10;

/// What the embedder is asked.
#[derive(Serialize)]
struct Embed<'a> {
    texts: &'a [&'a str],
}

/// What the embedder answers: a vector for each text, in order, all of one length.
#[derive(Deserialize)]
struct Embedded {
    vectors: Vec<Vec<f32>>,
}

/// What the summariser is asked.
#[derive(Serialize)]
struct Summarise<'a> {
    text: &'a str,
}

/// What the summariser answers.
#[derive(Deserialize)]
struct Summarised {
    summary: String,
}

/// The commands of one recap; each is started when it is first asked.
pub(crate) struct Commands {
    embedder: Asked,
    summariser: Asked,
}

impl Commands {
    /// Those that are configured, in the folder of the call.
    pub(crate) fn of(call: &Call<'_>) -> Self {
        let config::Recap { embed_cmd, summarize_cmd, cmd_seconds, .. } = &call.config.recap;
        let asked = |words: &[String], most, is_once| Asked {
            words: words.to_vec(),
            is_once,
            folder: call.world.folders.work.clone(),
            limit: Duration::from_secs(*cmd_seconds),
            most,
            state: State::Idle,
        };
        let is_asked = call.config.recap.asks_embedder();
        let embed_cmd = if is_asked { embed_cmd.as_slice() } else { &[] };
        let summariser = asked(summarize_cmd, SUMMARY, false);
        Self { embedder: asked(embed_cmd, VECTORS, true), summariser }
    }

    /// Whether there is an embedder.
    pub(crate) fn embeds(&self) -> bool {
        !self.embedder.words.is_empty()
    }

    /// Whether there is a summariser.
    pub(crate) fn summarises(&self) -> bool {
        !self.summariser.words.is_empty()
    }

    /// Both, each to be asked while the other is.
    pub(crate) fn both(&mut self) -> (&mut Asked, &mut Asked) {
        (&mut self.embedder, &mut self.summariser)
    }

    /// What failed and what stands in for it, for whoever reads the recap.
    pub(crate) fn faults(&self) -> Vec<String> {
        let of = |asked: &Asked, name: &str, instead: &str| match &asked.state {
            State::Down(why) => Some(format!("the {name} failed ({why}): {instead} stood in")),
            State::Idle | State::Up(_) => None,
        };
        let embedder = of(&self.embedder, "embedder", "TF-IDF");
        embedder.into_iter().chain(of(&self.summariser, "summariser", "extracts")).collect()
    }
}

/// A command, and whether it still answers.
pub(crate) struct Asked {
    words: Vec<String>,
    /// Whether it is asked a single line, behind which its standard input ends.
    is_once: bool,
    folder: std::path::PathBuf,
    limit: Duration,
    most: u64,
    state: State,
}

enum State {
    /// It was not asked yet.
    Idle,
    /// It runs.
    Up(Running),
    /// It failed, and why.
    Down(String),
}

impl Asked {
    /// A vector for each text; nothing if the command fails.
    pub(crate) fn embed(&mut self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        let check = |answer: &Embedded| {
            let length = answer.vectors.first().map_or(0, Vec::len);
            let is_even = answer.vectors.iter().all(|vector| vector.len() == length);
            let is_finite = answer.vectors.iter().flatten().all(|number| number.is_finite());
            match answer.vectors.len() {
                n if n != texts.len() => Err(format!("{n} vectors for {} texts", texts.len())),
                _ if length == 0 && !texts.is_empty() => Err("vectors without numbers".to_owned()),
                _ if !is_even => Err("vectors of different lengths".to_owned()),
                _ if !is_finite => Err("a number that is none".to_owned()),
                _ => Ok(()),
            }
        };
        self.ask(&Embed { texts }, check).map(|answer| answer.vectors)
    }

    /// The summary of one chunk; nothing if the command fails.
    pub(crate) fn summarise(&mut self, text: &str) -> Option<String> {
        let check = |answer: &Summarised| match answer.summary.trim() {
            "" => Err("an empty summary".to_owned()),
            _ => Ok(()),
        };
        self.ask(&Summarise { text }, check).map(|answer| answer.summary.trim().to_owned())
    }

    /// Asks once; a command that fails is ended, and asked no more.
    fn ask<A: serde::de::DeserializeOwned>(
        &mut self,
        question: &impl Serialize,
        check: impl Fn(&A) -> Result<(), String>,
    ) -> Option<A> {
        if let State::Idle = self.state {
            self.state = match Running::start(self) {
                Ok(running) => State::Up(running),
                Err(why) => State::Down(why),
            };
        }
        let State::Up(running) = &mut self.state else { return None };
        let answered = running.ask(question).and_then(|line| {
            let answer = serde_json::from_slice(&line);
            let answer = answer.map_err(|error| format!("its answer cannot be read: {error}"))?;
            check(&answer).map(|()| answer)
        });
        match answered {
            Ok(answer) => Some(answer),
            Err(why) => {
                self.state = State::Down(why);
                None
            }
        }
    }
}

/// A command that runs, and the thread that talks with it: this one never waits longer than it may.
struct Running {
    child: Child,
    ask: Sender<Vec<u8>>,
    answers: Receiver<Result<Vec<u8>, String>>,
    begun: Instant,
    is_once: bool,
    limit: Duration,
}

impl Running {
    #[expect(
        clippy::disallowed_methods,
        reason = "the person configured this command; its time is limited"
    )]
    fn start(of: &Asked) -> Result<Self, String> {
        let Asked { words, folder, is_once, limit, most, .. } = of;
        let (is_once, limit, most) = (*is_once, *limit, *most);
        let (program, rest) = words.split_first().ok_or("no command is configured")?;
        let mut command = Command::new(program);
        command.args(rest).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child =
            command.spawn().map_err(|error| format!("{program} does not start: {error}"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (to, from) = pipes.expect("both pipes were asked for");
        let (ask, asked) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        std::thread::spawn(move || talk((to, from), is_once, most, &asked, &answer));
        Ok(Self { child, ask, answers, begun: Instant::now(), is_once, limit })
    }

    fn ask(&mut self, question: &impl Serialize) -> Result<Vec<u8>, String> {
        let mut line = serde_json::to_vec(question).map_err(|error| error.to_string())?;
        line.push(b'\n');
        // If the thread has ended, it has said why.
        drop(self.ask.send(line));
        let left = self.limit.saturating_sub(self.begun.elapsed());
        match self.answers.recv_timeout(left) {
            Ok(answered) => answered,
            Err(RecvTimeoutError::Timeout) => {
                // What a program keeps in its buffer does not come while another line may.
                let why = if self.is_once { "" } else { "; does it flush each answer?" };
                Err(format!("not done after {} s{why}", self.limit.as_secs()))
            }
            Err(RecvTimeoutError::Disconnected) => Err("it answers no more".to_owned()),
        }
    }
}

impl Drop for Running {
    /// Nothing that was started stays behind; what has ended already cannot be killed, and need not be.
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            kill_process_group(group, Signal::KILL).ok();
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Writes each line that is to be asked and reads one for it, until one of the ends is gone.
///
/// Behind a single one its input ends, so that a plain filter ends too and says what it kept back.
fn talk(
    (to, from): (ChildStdin, ChildStdout),
    is_once: bool,
    most: u64,
    asked: &Receiver<Vec<u8>>,
    answer: &Sender<Result<Vec<u8>, String>>,
) {
    let (mut to, mut from) = (Some(to), BufReader::new(from));
    while let Ok(line) = asked.recv() {
        let asked = to.as_mut().ok_or_else(|| "it is asked once".to_owned());
        let asked = asked.and_then(|to| tell(to, &line));
        if is_once {
            to = None;
        }
        let answered = asked.and_then(|()| answer_of(&mut from, most));
        let is_over = answered.is_err();
        if answer.send(answered).is_err() || is_over {
            return;
        }
    }
}

fn tell(to: &mut ChildStdin, line: &[u8]) -> Result<(), String> {
    // One that has ended reads nothing more, and its end is seen below.
    match to.write_all(line) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("it cannot be asked: {error}"))
        }
        Err(_) | Ok(()) => Ok(()),
    }
}

fn answer_of(from: &mut BufReader<ChildStdout>, most: u64) -> Result<Vec<u8>, String> {
    let mut answer = Vec::new();
    let read = from.by_ref().take(most + 1).read_until(b'\n', &mut answer);
    read.map_err(|error| format!("its answer cannot be read: {error}"))?;
    match answer.last() {
        None => Err("it ended without an answer".to_owned()),
        Some(_) if most < answer.len() as u64 => {
            Err(format!("an answer has at most {most} bytes, more given"))
        }
        Some(_) => Ok(answer),
    }
}
