//! PgBouncer before the server of the tests: each transaction goes to whatever connection is free.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Result, bail};

use super::{Cluster, PERSON, ROLE, as_user, free_port, owned};
use crate::needs::{self, Program};

/// The pooler that teams run; Debian's lies where no user's path leads.
const PGBOUNCER: Program = Program { name: "pgbouncer", package: "pgbouncer" };

/// The variable by which tests are told of it.
pub(crate) const POOLER: &str = "VADE_TEST_PGBOUNCER";

/// So long it may take to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// A pooler that runs, gone with this value.
#[derive(Debug)]
pub(crate) struct Pooler {
    process: Child,
    port: u16,
    password: String,
    _folder: tempfile::TempDir,
}

impl Pooler {
    /// Starts one in transaction mode with so many connections to `cluster`; none, with what lacks.
    pub(crate) fn start(cluster: &Cluster, n_connections: u16) -> Result<Result<Self, String>> {
        if program().is_none() && (rustix::process::geteuid().is_root() || needs::is_ci()) {
            needs::install(PGBOUNCER.package)?;
        }
        let Some(program) = program() else { return Ok(Err(PGBOUNCER.lack())) };
        let folder = tempfile::Builder::new().prefix("vade-pgbouncer-").tempdir()?;
        let (at, port) = (folder.path().display(), free_port()?);
        let password = cluster.password().to_owned();
        let users = [ROLE, PERSON].map(|role| format!("\"{role}\" \"{password}\"\n"));
        fs::write(folder.path().join("users"), users.concat())?;
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = plain\nauth_file = {at}/users\nlogfile = {at}/log\npidfile = {at}/pid\n\
             pool_mode = transaction\ndefault_pool_size = {n_connections}\nmax_client_conn = 400\n\
             server_login_retry = 1\n",
            cluster.port()
        );
        fs::write(folder.path().join("pgbouncer.ini"), settings)?;
        owned(folder.path())?;
        let mut command = as_user(&program);
        command.arg("--quiet").arg(folder.path().join("pgbouncer.ini")).stderr(Stdio::null());
        let process = command.spawn()?;
        let pooler = Self { process, port, password, _folder: folder };
        pooler.wait()?;
        Ok(Ok(pooler))
    }

    /// The address by which tests reach the server through it.
    pub(crate) fn url(&self) -> String {
        format!("postgres://{ROLE}:{}@127.0.0.1:{}/postgres", self.password, self.port)
    }

    /// Where it listens.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    fn wait(&self) -> Result<()> {
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if PATIENCE < begin.elapsed() {
                bail!("PgBouncer does not listen on port {}", self.port);
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        // What runs it passes the signal on; kill would leave the pooler behind, and it would wait for its clients.
        let id = self.process.id().to_string();
        let signal = if rustix::process::geteuid().is_root() { "-TERM" } else { "-INT" };
        drop(Command::new("kill").args([signal, &id]).status());
        drop(self.process.wait());
    }
}

fn program() -> Option<std::path::PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let debian = Path::new("/usr/sbin").to_owned();
    std::env::split_paths(&folders)
        .chain([debian])
        .map(|folder| folder.join(PGBOUNCER.name))
        .find(|path| path.is_file())
}
