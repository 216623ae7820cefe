//! Keeps the renderings of the sessions of this server's harness: what their hooks would ask a store far away is asked
//! here beforehand, and again whenever something was written there.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use vademecum::core::id::Seq;
use vademecum::core::session::SessionKey;
use vademecum::core::time::Time;
use vademecum::harness::hook::Harness;
use vademecum::ops::lapses::InForce;
use vademecum::ops::moments::{self, Hook, Later, cap};
use vademecum::ops::renderings::{self, Wanted};
use vademecum::ops::{OpError, World, upkeep};
use vademecum::world;

use crate::hook::{Prepared, prepared};
use crate::mcp::caller;
use crate::mcp::calls::Calls;

/// So often it is looked whether hooks ask for a rendering, or left something to take in.
const LOOK: Duration = Duration::from_millis(200);

/// So long one look at the store waits for a write; a rendering that was not looked after for 10 seconds is no more
/// taken for the store.
const WAIT: Duration = Duration::from_secs(3);

/// How soon it is looked again at a store that does not answer.
const AGAIN: Duration = Duration::from_secs(2);

/// How soon what could not be taken in, or rendered, is tried again, in milliseconds.
const AGAIN_MS: i64 = 2_000;

/// So long a rendering is left as it is where nothing was written, in milliseconds: what others erased leaves no trace in
/// the journal.
const WHILE_MS: i64 = 60_000;

/// So long what waits is taken in at once, in milliseconds.
const TAKE_IN_MS: i64 = 2_000;

/// What keeps renderings until it is dropped.
pub(super) struct Keeper(Arc<Kept>);

/// What its threads share.
struct Kept {
    calls: Arc<Calls>,
    /// The processes of the harness that runs this server.
    hosts: Vec<u32>,
    state: Mutex<State>,
    moved: Condvar,
    is_over: AtomicBool,
}

/// What is known of the store.
#[derive(Default)]
struct State {
    /// Whether any session asks for it: nobody is asked on behalf of none.
    is_wanted: bool,
    /// The newest write, and when the store said so; none while it does not answer.
    newest: Option<(Seq, Time)>,
}

/// A rendering that was made.
struct Made {
    wanted: Wanted,
    /// The newest write before it was begun.
    newest: Seq,
    /// Whether there is one: what could not be rendered is tried again.
    is_there: bool,
    at: Time,
    looked: Time,
    /// What of its project was in force then.
    in_force: Option<InForce>,
}

impl Made {
    /// Whether it is made anew although nothing was written.
    fn is_due(&self, calls: &Calls) -> bool {
        let age = calls.world.now().since(self.at).abs();
        if self.is_there {
            WHILE_MS <= age || !renderings::is_kept(&calls.world, &self.wanted)
        } else {
            AGAIN_MS <= age
        }
    }
}

impl Kept {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// What is known of the store, once that is news or it is time to look at the folder.
    fn news(&self) -> Option<(Seq, Time)> {
        let state = self.state();
        let waited = self.moved.wait_timeout(state, LOOK);
        waited.unwrap_or_else(PoisonError::into_inner).0.newest
    }

    /// The sessions of this server's harness of which renderings are asked for.
    fn wanted(&self) -> Vec<Wanted> {
        let Some(store) = self.calls.world.store_name() else { return Vec::new() };
        let mut wanted = renderings::wanted(&self.calls.world.folders.data, store);
        wanted.retain(|it| it.host_pid.is_some_and(|host| self.hosts.contains(&host)));
        wanted
    }
}

impl Keeper {
    /// Begins to keep them, on threads of its own that end with the process. None of a store in a file, which hooks ask
    /// as fast, nor where nothing is to be written.
    pub(super) fn begin(calls: &Arc<Calls>) -> Option<Self> {
        let is_far = calls.address().is_some_and(|address| address.file().is_none());
        if !is_far || calls.world.is_read_only() {
            return None;
        }
        let above = |name: &&str| (calls.world.process_above)(name);
        let hosts = moments::PROCESSES.iter().filter_map(above).chain(caller::parent()).collect();
        let (calls, state, moved) = (Arc::clone(calls), Mutex::default(), Condvar::new());
        let kept = Arc::new(Kept { calls, hosts, state, moved, is_over: AtomicBool::new(false) });
        let threads = [follow as fn(&Kept), run as fn(&Kept)].map(|work| {
            let kept = Arc::clone(&kept);
            std::thread::Builder::new().spawn(move || work(&kept))
        });
        // Without threads hooks ask the store themselves.
        threads.iter().all(Result::is_ok).then_some(Self(kept))
    }
}

impl Drop for Keeper {
    /// Takes what it kept away: nobody looks after it from now on.
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::SeqCst);
        let ours: Vec<SessionKey> = self.0.wanted().into_iter().map(|it| it.session).collect();
        renderings::end(&self.0.calls.world, &ours);
    }
}

/// Follows what is written to the store, as long as anybody asks for a rendering.
fn follow(kept: &Kept) {
    let mut newest = Seq::default();
    while !kept.is_over() {
        if !kept.state().is_wanted {
            std::thread::park_timeout(LOOK);
            continue;
        }
        let waited = kept.calls.store().ok().and_then(|store| store.wait(newest, WAIT).ok());
        kept.state().newest = waited.map(|newest| (newest, kept.calls.world.now()));
        kept.moved.notify_all();
        match waited {
            Some(seq) => newest = seq,
            None => std::thread::park_timeout(AGAIN),
        }
    }
}

fn run(kept: &Kept) {
    let calls = &*kept.calls;
    let mut made: HashMap<SessionKey, Made> = HashMap::new();
    let mut tried = None::<Time>;
    renderings::sweep(&calls.world);
    while !kept.is_over() {
        let wanted = kept.wanted();
        kept.state().is_wanted = !wanted.is_empty();
        made.retain(|key, _| wanted.iter().any(|wanted| wanted.session == *key));
        let news = kept.news();
        let now = calls.world.now();
        if !wanted.is_empty() && tried.is_none_or(|at| AGAIN_MS <= now.since(at).abs()) {
            tried = take_in(calls).then_some(now);
        }
        let Some((newest, looked)) = news else { continue };
        for wanted in wanted {
            keep(calls, &mut made, wanted, (newest, looked));
        }
    }
}

/// Takes in what hooks left for the store; whether anything is left still.
fn take_in(calls: &Calls) -> bool {
    if !upkeep::is_spooled(&calls.world) {
        return false;
    }
    if let Ok(store) = calls.store() {
        let until = calls.world.now().plus(TAKE_IN_MS);
        moments::take_in(store, &calls.world, &calls.config, until);
    }
    upkeep::is_spooled(&calls.world)
}

/// Makes the rendering of a session, unless it is as the store is; then that is noted.
fn keep(
    calls: &Calls,
    made: &mut HashMap<SessionKey, Made>,
    wanted: Wanted,
    (newest, looked): (Seq, Time),
) {
    if let Some(known) = made.get_mut(&wanted.session)
        && (known.newest, &known.wanted) == (newest, &wanted)
        && !known.is_due(calls)
    {
        if known.is_there && known.looked < looked {
            known.looked = looked;
            renderings::looked(&calls.world, &wanted, looked);
        }
        return;
    }
    let at = calls.world.now();
    let key = wanted.session.clone();
    let mut in_force = made.remove(&key).and_then(|made| made.in_force);
    let is_there = render(calls, &wanted, &mut in_force).is_ok_and(|seq| seq.is_some());
    made.insert(key, Made { wanted, newest, is_there, at, looked: at, in_force });
}

/// Asks as the hooks of the session will: in their folder, with their configuration. What is not in force any more is
/// noted with the session before.
fn render(
    calls: &Calls,
    wanted: &Wanted,
    in_force: &mut Option<InForce>,
) -> Result<Option<Seq>, OpError> {
    let world: World = world::real(Some(wanted.work()));
    let Prepared { config, address, .. } = prepared(&world)?;
    if Some(&address) != calls.address() {
        return Ok(None);
    }
    address.tell(&world);
    let harness = Harness::of(&wanted.session.harness);
    let hook = Hook {
        store: calls.store()?,
        rendered: None,
        world: &world,
        config: &config,
        config_fault: None,
        cap: cap(harness.unwrap_or(Harness::ClaudeCode)),
        recap_until: world.now(),
        drain_until: world.now(),
        later: Later::default(),
    };
    *in_force = moments::follow(&hook, &wanted.session, in_force.as_ref())?;
    renderings::render(&hook, wanted)
}
