//! A PostgreSQL server for the tests: a cluster of its own, run by a user other than root, gone with the run.

mod pooler;

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use crate::needs::{self, Program};
use crate::step;

pub(crate) use pooler::{POOLER, Pooler};

/// The variable by which tests are told of the server.
pub(crate) const VARIABLE: &str = "VADE_TEST_POSTGRES";

/// Where Debian keeps the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";

const INITDB: Program = Program { name: "initdb", package: "postgresql" };

/// A folder in memory: what tests ask is not what a power cut leaves, and the server syncs all the same.
const MEMORY: &str = "/dev/shm";

/// The user that root becomes, for the server refuses root.
const USER: &str = "postgres";

/// The role that all tests are on the server.
pub(crate) const ROLE: &str = "vade";

/// A role with no more rights than a person's: for it the policies of a store hold, which pass over [`ROLE`].
pub(crate) const PERSON: &str = "person";

/// A server that runs.
#[derive(Debug)]
pub(crate) struct Cluster {
    programs: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    password: String,
}

impl Cluster {
    /// Starts a server; none, with what it lacks, where there is none and nothing may be installed.
    ///
    /// Root installs Debian's package; whoever else lacks it is told so, which in CI is an error.
    pub(crate) fn start() -> Result<Result<Self, String>> {
        let found = match programs() {
            Some(found) => Some(found),
            None if rustix::process::geteuid().is_root() || needs::is_ci() => {
                install()?;
                programs()
            }
            None => None,
        };
        let Some(programs) = found else { return Ok(Err(INITDB.lack())) };
        let password = format!("{:032x}", u128::from_ne_bytes(random()?));
        let cluster = Self::in_place(programs, password)?;
        cluster.make()?;
        cluster.begin()?;
        cluster.ask(&format!(
            "CREATE ROLE {PERSON} LOGIN PASSWORD '{}'; GRANT CREATE ON DATABASE postgres TO {PERSON}",
            cluster.password
        ))?;
        Ok(Ok(cluster))
    }

    fn in_place(programs: PathBuf, password: String) -> Result<Self> {
        let base = if Path::new(MEMORY).is_dir() { MEMORY.into() } else { std::env::temp_dir() };
        let folder = tempfile::Builder::new().prefix("vade-postgres-").tempdir_in(base)?;
        owned(folder.path())?;
        Ok(Self { programs, folder, port: free_port()?, password })
    }

    /// A second server that follows this one; if it is awaited, a commit is acknowledged once both have it.
    pub(crate) fn standby(&self, is_awaited: bool) -> Result<Self> {
        let standby = Self::in_place(self.programs.clone(), self.password.clone())?;
        let mut copy = self.program("pg_basebackup");
        copy.args(["--host=127.0.0.1", "--write-recovery-conf", "--checkpoint=fast", "--username"]);
        copy.arg(ROLE).arg("--port").arg(self.port.to_string()).arg("--pgdata").arg(standby.data());
        step::output(copy.env("PGPASSWORD", &self.password)).context("cannot make a standby")?;
        standby.begin()?;
        if is_awaited {
            let settings = self.data().join("postgresql.auto.conf");
            let mut settings = fs::OpenOptions::new().append(true).open(settings)?;
            settings.write_all(b"synchronous_standby_names = '*'\n")?;
            let mut reload = self.program("pg_ctl");
            step::run(reload.args(["reload", "--silent", "--pgdata"]).arg(self.data()))?;
        }
        // Each process of the server takes a setting up when it comes to it.
        let expected = if is_awaited { "sync" } else { "async" };
        for _ in 0..100 {
            if self.ask("SELECT sync_state FROM pg_stat_replication")? == expected {
                return Ok(standby);
            }
            thread::sleep(Duration::from_millis(100));
        }
        bail!("the standby is not {expected} after 10 seconds")
    }

    /// The one value that a question has.
    pub(crate) fn ask(&self, sql: &str) -> Result<String> {
        let mut psql = self.program("psql");
        psql.args(["--host=127.0.0.1", "--tuples-only", "--no-align", "--dbname=postgres"]);
        psql.args(["--username", ROLE, "--command", sql, "--port"]).arg(self.port.to_string());
        Ok(step::output(psql.env("PGPASSWORD", &self.password))?.trim().to_owned())
    }

    /// Makes a standby the server.
    pub(crate) fn promote(&self) -> Result<()> {
        let mut promote = self.program("pg_ctl");
        step::run(promote.args(["promote", "--wait", "--silent", "--pgdata"]).arg(self.data()))
    }

    /// The address by which tests reach it.
    pub(crate) fn url(&self) -> String {
        format!("postgres://{ROLE}:{}@127.0.0.1:{}/postgres", self.password, self.port)
    }

    /// Where it listens.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The password of [`ROLE`] and [`PERSON`].
    pub(crate) fn password(&self) -> &str {
        &self.password
    }

    /// Ends it as a crash does: nothing is tidied up, and connections are gone without a word.
    pub(crate) fn crash(&self) -> Result<()> {
        let mut stop = self.program("pg_ctl");
        step::run(
            stop.args(["stop", "--silent", "--mode", "immediate", "--pgdata"]).arg(self.data()),
        )
    }

    fn make(&self) -> Result<()> {
        let folder = self.folder.path();
        let secret = folder.join("password");
        fs::write(&secret, &self.password)?;
        owned(folder)?;
        let data = self.data();
        // A password is asked for, so that tests see what becomes of a wrong one.
        let how = ["--username", ROLE, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
        let mut initdb = self.program("initdb");
        initdb.args(how).arg("--pgdata").arg(&data).arg("--pwfile").arg(&secret);
        step::output(&mut initdb).context("cannot make a cluster of PostgreSQL").map(drop)
    }

    /// Starts it, and waits until it answers.
    pub(crate) fn begin(&self) -> Result<()> {
        let folder = self.folder.path();
        let settings = format!(
            "-p {} -k '{}' -c listen_addresses=127.0.0.1 -c max_connections=200 -c autovacuum_naptime=5s",
            self.port,
            folder.display()
        );
        let mut start = self.program("pg_ctl");
        start.arg("start").arg("--wait").arg("--silent").arg("--pgdata").arg(self.data());
        start.arg("--log").arg(folder.join("log")).arg("--options").arg(settings);
        let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
        step::run(&mut start).with_context(|| format!("PostgreSQL does not start: {}", log()))
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of its programs, run by a user that it accepts.
    fn program(&self, name: &str) -> Command {
        as_user(&self.programs.join(name))
    }
}

/// A port that is free now: whoever takes it meanwhile makes the start fail, and nothing else.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Gives a folder to the user that servers run as.
fn owned(folder: &Path) -> Result<()> {
    if rustix::process::geteuid().is_root() {
        step::run(Command::new("chown").args(["-R", USER]).arg(folder))?;
    }
    Ok(())
}

/// A program, run by a user that servers accept.
fn as_user(program: &Path) -> Command {
    let mut command = if rustix::process::geteuid().is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", USER, "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    // A folder that every user may be in.
    command.current_dir("/");
    command
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // One that was crashed for good has ended already.
        let is_running = self.data().join("postmaster.pid").exists();
        if is_running && let Err(error) = self.crash() {
            eprintln!("the server of the tests still runs: {error}");
        }
    }
}

/// The folder of the newest programs: Debian's, else what is on the path.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let number = |entry: &fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
    let newest = versions.filter_map(|entry| Some((number(&entry)?, entry.path().join("bin"))));
    let newest = newest.filter(|(_, bin)| bin.join(INITDB.name).is_file()).max();
    let on_path = || {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&folders).find(|folder| folder.join(INITDB.name).is_file())
    };
    newest.map(|(_, bin)| bin).or_else(on_path)
}

fn install() -> Result<()> {
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("{}", INITDB.lack());
    }
    needs::install(INITDB.package)?;
    ensure!(
        programs().is_some(),
        "{} was installed and brought no {}",
        INITDB.package,
        INITDB.name
    );
    Ok(())
}

fn random() -> Result<[u8; 16]> {
    let mut bytes = [0; 16];
    let n = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    ensure!(n == bytes.len(), "no random bytes");
    Ok(bytes)
}
