//! A PostgreSQL server for the tests: a cluster of its own, run by a user other than root, gone with the run.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::needs::{self, Program};
use crate::step;

/// The variable by which tests are told of the server.
pub(crate) const VARIABLE: &str = "VADE_TEST_POSTGRES";

/// Where Debian keeps the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";

const INITDB: Program = Program { name: "initdb", package: "postgresql" };

/// A folder in memory: what tests ask is not what a power cut leaves, and the server syncs all the same.
const MEMORY: &str = "/dev/shm";

/// The user that root becomes, for the server refuses root.
const USER: &str = "postgres";

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
        let base = if Path::new(MEMORY).is_dir() { MEMORY.into() } else { std::env::temp_dir() };
        let folder = tempfile::Builder::new().prefix("vade-postgres-").tempdir_in(base)?;
        // A port that is free now: whoever takes it meanwhile makes the start fail, and nothing else.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let password = format!("{:032x}", u128::from_ne_bytes(random()?));
        let cluster = Self { programs, folder, port, password };
        cluster.make()?;
        Ok(Ok(cluster))
    }

    /// The address by which tests reach it.
    pub(crate) fn url(&self) -> String {
        format!("postgres://vade:{}@127.0.0.1:{}/postgres", self.password, self.port)
    }

    fn make(&self) -> Result<()> {
        let folder = self.folder.path();
        let secret = folder.join("password");
        fs::write(&secret, &self.password)?;
        if rustix::process::geteuid().is_root() {
            step::run(Command::new("chown").args(["-R", USER]).arg(folder))?;
        }
        let data = self.data();
        // A password is asked for, so that tests see what becomes of a wrong one.
        let how = ["--username=vade", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
        let mut initdb = self.program("initdb");
        initdb.args(how).arg("--pgdata").arg(&data).arg("--pwfile").arg(&secret);
        step::output(&mut initdb).context("cannot make a cluster of PostgreSQL")?;
        let settings = format!(
            "-p {} -k '{}' -c listen_addresses=127.0.0.1 -c max_connections=200 -c autovacuum_naptime=5s",
            self.port,
            folder.display()
        );
        let mut start = self.program("pg_ctl");
        start.arg("start").arg("--wait").arg("--silent").arg("--pgdata").arg(&data);
        start.arg("--log").arg(folder.join("log")).arg("--options").arg(settings);
        let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
        step::run(&mut start).with_context(|| format!("PostgreSQL does not start: {}", log()))
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of its programs, run by a user that it accepts.
    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", USER, "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        // A folder that every user may be in.
        command.current_dir("/");
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["stop", "--silent", "--mode", "immediate", "--pgdata"]).arg(self.data());
        if let Err(error) = step::run(&mut stop) {
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
