//! Hooks of a store on a server that is far away, against the same hooks on a store of this machine.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::figure::{Bound, Figure};
use super::instructions::note;
use super::stores::Size;
use super::talk::Talk;
use super::wall::{pairs, timed};
use super::world::{World, finish};
use crate::postgres::{Cluster, PERSON};
use crate::step;

/// The distances, in milliseconds each way.
const DISTANCES: [(&str, u64); 3] = [
    ("prompt hook, server at 0 ms", 0),
    ("prompt hook, server at 20 ms", 20),
    ("prompt hook, server at 80 ms", 80),
];

/// For so long it is waited until the session's server has asked what hooks ask.
const RENDERED: Duration = Duration::from_mins(1);

/// The hook at a prompt with 20 notes and a notepad of 6 KB: it reads what the session's server asked beforehand.
pub(super) fn prompt(world: &World) -> Result<Vec<Figure>> {
    let cluster = match Cluster::start()? {
        Ok(cluster) => cluster,
        Err(lack) => bail!("no server to be far from: {lack}"),
    };
    let program = step::build_released_vade()?;
    let mut figures = Vec::new();
    for (idx, (name, milliseconds)) in DISTANCES.into_iter().enumerate() {
        let line = Line::to(cluster.port())?;
        let far = Far { world, program: &program, idx, line: &line, cluster: &cluster };
        figures.push(far.prompt(name, milliseconds)?);
    }
    Ok(figures)
}

/// A session of this machine on a store behind a line.
struct Far<'a> {
    world: &'a World<'a>,
    program: &'a Path,
    idx: usize,
    line: &'a Line,
    cluster: &'a Cluster,
}

impl Far<'_> {
    /// The start of the session is near: one that is far is too late, and is not what is measured.
    fn prompt(&self, name: &'static str, milliseconds: u64) -> Result<Figure> {
        let start = json!({"source": "startup"});
        self.hook("SessionStart", &start)?;
        let mut talk = Talk::start(self.vade().arg("mcp"))?;
        talk.call("write_notepad", &json!({ "content": "- [ ] step\n".repeat(500) }))?;
        for idx in 0..20 {
            talk.call("add_note", &note(idx))?;
        }
        self.wait()?;
        self.line.delay.store(milliseconds, Ordering::SeqCst);
        let event = json!({"prompt": "go on"});
        let pairs = pairs(
            || timed(|| self.hook("UserPromptSubmit", &event)),
            || {
                let mut command = self.world.command("vade", Size::Full)?;
                self.world.event(&mut command, "UserPromptSubmit", &event)?;
                timed(|| finish(&mut command))
            },
        )?;
        talk.end()?;
        Ok(pairs.figure(name, "the same on SQLite")?.within(Bound::Ratio(2.0)))
    }

    /// Waits until the last note stands in what is rendered.
    fn wait(&self) -> Result<()> {
        let folder = self.world.path(&self.data()).join("vademecum/renderings");
        let begin = Instant::now();
        let last = note(19)["content"].to_string();
        while begin.elapsed() < RENDERED {
            let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
            if texts.into_iter().any(|text| text.contains(last.trim_matches('"'))) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        bail!("nothing is rendered in {}", folder.display())
    }

    fn hook(&self, name: &str, more: &Value) -> Result<()> {
        let mut command = self.vade();
        self.world.event(&mut command, name, more)?;
        let (_, said) = finish(&mut command)?;
        if !said.is_empty() {
            bail!("the hook says: {said}");
        }
        Ok(())
    }

    fn vade(&self) -> Command {
        let address = format!("postgres://{PERSON}@127.0.0.1:{}/postgres", self.line.port);
        let mut command = self.world.settled(Command::new(self.program), Size::Full);
        command
            .env("XDG_DATA_HOME", self.world.path(&self.data()))
            .env("VADE_STORE", address)
            .env("PGPASSWORD", self.cluster.password())
            // What is rendered is found by the process of the harness.
            .env("CLAUDE_PID", std::process::id().to_string());
        command
    }

    fn data(&self) -> String {
        format!("far-{}", self.idx)
    }
}

/// A line to a port of this machine on which each byte is under way for so many milliseconds, in either direction.
struct Line {
    port: u16,
    delay: Arc<AtomicU64>,
}

impl Line {
    fn to(port: u16) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let line = Self { port: listener.local_addr()?.port(), delay: Arc::default() };
        let delay = Arc::clone(&line.delay);
        // It ends with the process that measures.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                drop(joined(client, port, &delay));
            }
        });
        Ok(line)
    }
}

fn joined(client: TcpStream, port: u16, delay: &Arc<AtomicU64>) -> Result<()> {
    let server = TcpStream::connect(("127.0.0.1", port)).context("the server")?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
    }
    for (from, to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
        let (sender, receiver) = channel();
        let delay = Arc::clone(delay);
        thread::spawn(move || read(from, &sender, &delay));
        thread::spawn(move || write(to, &receiver));
    }
    Ok(())
}

fn read(mut from: TcpStream, to: &Sender<(Instant, Vec<u8>)>, delay: &AtomicU64) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        let due = Instant::now() + Duration::from_millis(delay.load(Ordering::SeqCst));
        if to.send((due, bytes[..n].to_vec())).is_err() {
            return;
        }
    }
}

fn write(mut to: TcpStream, from: &Receiver<(Instant, Vec<u8>)>) {
    for (due, bytes) in from {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            return;
        }
    }
    drop(to.shutdown(Shutdown::Write));
}
