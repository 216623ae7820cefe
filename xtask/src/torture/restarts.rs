//! Four groups of clients on one PostgreSQL server that crashes and comes back every five seconds.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use serde_json::json;

use super::client::{Answer, Server};
use super::cutter::Cutter;
use super::teams::{self, CLIENTS, Group, LIMIT, Progress};
use super::{Extent, Given, shim};
use crate::needs;
use crate::postgres::{Cluster, Pooler};

/// So often the server crashes.
const EVERY: Duration = Duration::from_secs(5);

/// An outage that is shorter is waited for.
const PATIENCE: Duration = Duration::from_secs(8);

/// The connections behind the pooler.
const POOLED: u16 = 4;

/// What is asked to be kept while there is no server.
pub(super) const REFUSED: &str = "while it was away";

/// Runs it.
pub(super) fn run(given: &Given) -> Result<String> {
    let vade = &given.vade;
    let started = needs::or_skip("PostgreSQL", Cluster::start()?)?;
    let Some(cluster) = started else { return Ok("skipped".to_owned()) };
    let started = needs::or_skip("PgBouncer", Pooler::start(&cluster, POOLED)?)?;
    let Some(pooler) = started else { return Ok("skipped".to_owned()) };
    let (cutter, shim) = (Cutter::before(cluster.port())?, shim::build("clock")?);
    let group = |n, name, port| {
        let place = format!("127.0.0.1:{port}/postgres");
        Group::new(vade, cluster.password(), &place, (n, name))
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
    let (told, (n_crashes, longest)) =
        teams::write_all(&groups, |progress| crash(&cluster, n_crashes, n_writes, progress))?;
    // Both kinds: before the server has it, and behind its answer.
    ensure!(2 <= cutter.n_cuts(), "only {} lines were cut around a commit", cutter.n_cuts());
    let refused = while_it_is_away(&groups, (&cluster, &cutter))?;
    let broken = teams::broken(&groups, vade, &told)?;
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
fn crash(
    cluster: &Cluster,
    n_crashes: u32,
    n_writes: usize,
    progress: &Progress,
) -> Result<(u32, Duration)> {
    let (mut n, mut longest) = (0, Duration::ZERO);
    while !progress.is_over() && (n < n_crashes || progress.n_done() < n_writes) {
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
///
/// Once its lines are silent, of the group behind the cutter; once it has crashed and stays away, of all.
fn while_it_is_away(groups: &[Group], (cluster, cutter): (&Cluster, &Cutter)) -> Result<Duration> {
    let [direct, other, cut, pooled] = groups else { bail!("four groups") };
    let begun = begun(&[cut])?;
    cutter.fall_silent();
    let silent = refusals(begun)?;
    let begun = self::begun(&[direct, other, pooled])?;
    cluster.crash()?;
    let away = refusals(begun);
    cluster.begin()?;
    Ok(silent.max(away?))
}

/// A server of each group that has reached the store.
fn begun(groups: &[&Group]) -> Result<Vec<(&'static str, Server)>> {
    let begun = |group: &&Group| {
        let mut server = group.home.serve(&group.sessions[0])?;
        server.wire.object("list_notes", &json!({"limit": 1}))?;
        Ok((group.name, server))
    };
    groups.iter().map(begun).collect()
}

/// How long these took to be refused, at once.
fn refusals(servers: Vec<(&'static str, Server)>) -> Result<Duration> {
    let refused = thread::scope(|scope| {
        let call = |(name, server)| scope.spawn(move || refusal(name, server));
        let calls: Vec<_> = servers.into_iter().map(call).collect();
        let ended = calls.into_iter().map(|call| call.join().expect("no caller panics"));
        ended.collect::<Result<Vec<_>>>()
    })?;
    Ok(refused.into_iter().max().unwrap_or_default())
}

/// How long a call took to be refused, for the reason that there is and in time.
fn refusal(name: &str, mut server: Server) -> Result<Duration> {
    let begin = Instant::now();
    match server.wire.call("add_note", &json!({"content": REFUSED, "tags": ["finding"]}))? {
        Answer::Refused(error) => {
            let said = error["message"].as_str().unwrap_or_default();
            ensure!(
                said.contains("cannot be reached"),
                "{name}: refused for another reason: {error}"
            );
        }
        Answer::Done(answer) => bail!("{name}: saved without a server: {answer}"),
    }
    let took = begin.elapsed();
    let is_in_time = (PATIENCE..=LIMIT).contains(&took);
    ensure!(is_in_time, "{name}: a refusal took {:.1} s", took.as_secs_f64());
    Ok(took)
}
