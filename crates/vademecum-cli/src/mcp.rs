//! Offers the operations to models: the Model Context Protocol on stdin and stdout.

mod caller;
mod calls;
mod installed;
mod instructions;
mod keeper;
mod life;
mod listing;
mod nameless;
mod offer;
mod pages;
mod reply;
mod resume;
mod server;
mod watch;
mod wire;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rustix::process::Pid;

use crate::cli::print;
use crate::mcp::calls::{Calls, PROGRAMS};
use crate::mcp::keeper::Keeper;
use crate::mcp::server::Server;
use crate::mcp::wire::Wire;

/// The most operations that run at once beside programs, one of them a write; more wait in line.
const THREADS: usize = 3;

const HELP: &str = "\
Serve models over the Model Context Protocol, on stdin and stdout

Usage: vade mcp [--store ADDRESS]

A harness starts this; there is nothing to type. `vade install` registers it.
";

/// Serves until the client is gone.
pub(crate) fn run(words: &[OsString]) -> ExitCode {
    let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
    let store = match words.as_slice() {
        [] => None,
        [flag, address] if *flag == "--store" => Some(*address),
        [flag] if *flag == "--help" || *flag == "-h" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            print::say(&format!("vade mcp takes --store ADDRESS only\n{}", HELP.trim_end()));
            return ExitCode::from(2);
        }
    };
    match serve(store) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print::say(&format!("vade mcp: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn serve(store: Option<&OsStr>) -> anyhow::Result<()> {
    let parent = rustix::process::getppid();
    let stdout = wire::take_stdout().context("stdout cannot be taken")?;
    let calls = Arc::new(Calls::new(store));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(THREADS + PROGRAMS)
        .build()
        .context("the runtime cannot start")?;
    let served = runtime.block_on(converse(calls, stdout, parent));
    // A call that still waits for another process must not keep this one alive.
    runtime.shutdown_background();
    served
}

/// Answers until the client has closed its end or has died.
async fn converse(
    calls: Arc<Calls>,
    stdout: std::fs::File,
    parent: Option<Pid>,
) -> anyhow::Result<()> {
    let _keeper = Keeper::begin(&calls);
    let (wire, pulse) = Wire::open(stdout, parent);
    let server = Server::new(calls, pulse.clone());
    tokio::select! {
        answered = answer(server, wire) => answered,
        () = life::client_left(pulse) => Ok(()),
    }
}

async fn answer(server: Server, wire: Wire) -> anyhow::Result<()> {
    match server.serve(wire).await {
        Ok(running) => {
            running.waiting().await.context("the service ended early")?;
            Ok(())
        }
        // A client may look at the server and leave.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => bail!("the handshake failed: {error}"),
    }
}
