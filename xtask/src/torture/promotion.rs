//! The server is lost for good under load, and its standby takes its place.

use std::thread;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::Given;
use super::teams::{self, CLIENTS, Group};
use crate::needs;
use crate::postgres::Cluster;

/// So long is written before and after.
const LOAD: Duration = Duration::from_secs(5);

/// Runs it twice: with a standby that each commit waits for, and with one that follows as it can.
pub(super) fn run(given: &Given) -> Result<String> {
    let vade = &given.vade;
    let mut said = Vec::new();
    for (word, is_awaited) in [("synchronous", true), ("asynchronous", false)] {
        let started = needs::or_skip("PostgreSQL", Cluster::start()?)?;
        let Some(first) = started else { return Ok("skipped".to_owned()) };
        let second = first.standby(is_awaited)?;
        let place = format!(
            "127.0.0.1:{},127.0.0.1:{}/postgres?target_session_attrs=read-write",
            first.port(),
            second.port()
        );
        let group = |n, name| Group::new(vade, first.password(), &place, (n, name));
        let groups = [group(0, "one")?, group(1, "two")?];
        let (told, ()) = teams::write_all(&groups, |_| {
            thread::sleep(LOAD);
            first.crash()?;
            second.promote()?;
            thread::sleep(LOAD);
            Ok(())
        })?;
        let broken = teams::broken(&groups, vade, &told)?;
        let n_lost = broken.iter().filter(|line| line.starts_with("lost: ")).count();
        let is_kept = if is_awaited { broken.is_empty() } else { n_lost == broken.len() };
        ensure!(is_kept, "{word}: {} broken promises: {}", broken.len(), broken.join("; "));
        let (n_told, waits) = teams::sum(told);
        let n_clients = groups.len() * CLIENTS;
        said.push(format!(
            "{word}: {n_clients} clients, {n_told} acknowledged, {n_lost} lost, 0 doubled, 0 refused, {}",
            waits.say()
        ));
    }
    Ok(said.join("\n                              "))
}
