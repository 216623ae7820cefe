//! Four groups of clients on one PostgreSQL server that crashes and comes back every five seconds.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use serde_json::json;

use super::client::{Answer, Server};
use super::cutter::Cutter;
use super::teams::{self, CLIENTS, Group};
use super::{Extent, Given, shim};
use crate::postgres::{Cluster, Pooler};
use crate::{needs, step};

/// So often the server crashes.
const EVERY: Duration = Duration::from_secs(5);

/// What a call may take before it says that nothing was saved.
const LIMIT: Duration = Duration::from_secs(12);

/// The connections behind the pooler.
const POOLED: u16 = 4;

/// What is asked to be kept while there is no server.
pub(super) const REFUSED: &str = "while it was away";

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let vade = step::build_vade_for_teams()?;
    let started = needs::or_skip("PostgreSQL", Cluster::start()?)?;
    let Some(cluster) = started else { return Ok("skipped".to_owned()) };
    let started = needs::or_skip("PgBouncer", Pooler::start(&cluster, POOLED)?)?;
    let Some(pooler) = started else { return Ok("skipped".to_owned()) };
    let (cutter, shim) = (Cutter::before(cluster.port())?, shim::build("clock")?);
    let group = |n, name, port| {
        let place = format!("127.0.0.1:{port}/postgres");
        Group::new(&vade, cluster.password(), &place, (n, name))
    };
    let groups = [
        group(0, "direct", cluster.port())?,
        group(1, "another year", cluster.port())?.off_by(-20, &shim),
        group(2, "cut lines", cutter.port)?,
        group(3, "pooled", pooler.port())?.off_by(1, &shim),
    ];
    let (n_crashes, n_writes) = match given.extent {
        Extent::Quick => (3, 1_000),
        Extent::Full => (10, 16_000),
    };
    let (told, (n_crashes, longest)) = teams::write_all(&groups, |n_done| {
        crash(&cluster, n_crashes, || n_writes <= n_done.load(Ordering::Relaxed))
    })?;
    let refused = while_it_is_away(&groups, &cluster)?;
    let broken = teams::broken(&groups, &vade, &told)?;
    ensure!(broken.is_empty(), "{} broken promises: {}", broken.len(), broken.join("; "));
    let (n_told, waits) = teams::sum(told);
    Ok(format!(
        "{} clients in {} groups, {n_crashes} crashes (away for {:.1} s at most), {} lines cut around a commit: \
         {n_told} acknowledged, 0 lost, 0 doubled, 0 refused, {}; once it stayed away, refused within {:.1} s",
        groups.len() * CLIENTS,
        groups.len(),
        longest.as_secs_f64(),
        cutter.n_cuts(),
        waits.say(),
        refused.as_secs_f64()
    ))
}

/// Crashes the server until it was done so often and all is written; how often, and its longest absence.
fn crash(cluster: &Cluster, most: u32, is_enough: impl Fn() -> bool) -> Result<(u32, Duration)> {
    let (mut n, mut longest) = (0, Duration::ZERO);
    while n < most || !is_enough() {
        thread::sleep(EVERY);
        let begin = Instant::now();
        cluster.crash()?;
        cluster.begin()?;
        longest = longest.max(begin.elapsed());
        n += 1;
    }
    // The last outage is lived through too.
    thread::sleep(EVERY);
    Ok((n, longest))
}

/// With the server away, calls say in time that nothing was saved; the longest that one took.
fn while_it_is_away(groups: &[Group], cluster: &Cluster) -> Result<Duration> {
    let mut servers = Vec::new();
    for group in groups {
        let mut server = group.home.serve(&group.sessions[0])?;
        server.wire.object("list_notes", &json!({"limit": 1}))?;
        servers.push((group.name, server));
    }
    cluster.crash()?;
    let refused = thread::scope(|scope| {
        let call = |(name, server)| scope.spawn(move || refusal(name, server));
        let calls: Vec<_> = servers.into_iter().map(call).collect();
        let ended = calls.into_iter().map(|call| call.join().expect("no caller panics"));
        ended.collect::<Result<Vec<_>>>()
    });
    cluster.begin()?;
    let longest = refused?.into_iter().max().unwrap_or_default();
    ensure!(longest <= LIMIT, "a refusal took {:.1} s", longest.as_secs_f64());
    Ok(longest)
}

/// How long a call took to be refused.
fn refusal(name: &str, mut server: Server) -> Result<Duration> {
    let begin = Instant::now();
    match server.wire.call("add_note", &json!({"content": REFUSED, "tags": ["finding"]}))? {
        Answer::Refused(_) => Ok(begin.elapsed()),
        Answer::Done(answer) => bail!("{name}: saved without a server: {answer}"),
    }
}
