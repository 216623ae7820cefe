//! Compares two stores by what they hold: a copy of a store holds the same as the store.
//!
//! What a machine or a store has of its own does not count: numbers, seals, processes, whether a session runs there,
//! how far its model was told, and what copying wrote by itself.

mod journal;
mod texts;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use vademecum_core::entry::Entry;
use vademecum_core::id::{EntryId, ProjectId, Seq};
use vademecum_core::plan::Plan;
use vademecum_core::project::{Project, shown};
use vademecum_core::session::{Place, Session, SessionKey, Standing};
use vademecum_store::{EntryFilter, SessionFilter, StoreError, View};

use crate::copying::Side;
use crate::error::OpError;

/// So many differences are named; the others are counted.
const NAMED: usize = 50;

/// How two stores differ.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// How many differences there are.
    pub count: u64,
    /// The first of them, one sentence each.
    pub differences: Vec<String>,
    /// How many projects both have.
    pub projects: u64,
    /// How many sessions both have.
    pub sessions: u64,
    /// How many notes were compared.
    pub notes: u64,
    /// How many entries of plans were compared.
    pub entries: u64,
    /// How many writes of the journal were compared.
    pub records: u64,
}

impl Comparison {
    /// Whether both hold the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.count == 0
    }

    fn differs(&mut self, what: String) {
        self.count += 1;
        if self.differences.len() < NAMED {
            self.differences.push(what);
        }
    }
}

/// Compares what two stores hold, each as it is at one moment.
pub fn compare(first: Side<'_>, second: Side<'_>) -> Result<Comparison, OpError> {
    let mut found = None;
    let looked = first.store.read(&mut |one| {
        let looked = second.store.read(&mut |other| {
            let names = (first.name, second.name);
            let mut pair = Pair { one, other, names, found: Comparison::default() };
            pair.compare()?;
            found = Some(Ok(pair.found));
            Ok(())
        });
        if let Err(error) = looked {
            found = Some(Err(second.named(error)));
        }
        Ok(())
    });
    looked.map_err(|error| first.named(error))?;
    found.unwrap_or_else(|| Err(first.named(OpError::broken("the engine gave no snapshot"))))
}

/// Two snapshots, and what was found.
struct Pair<'a> {
    one: &'a dyn View,
    other: &'a dyn View,
    names: (&'a str, &'a str),
    found: Comparison,
}

impl Pair<'_> {
    fn compare(&mut self) -> Result<(), StoreError> {
        let is_off = |view: &dyn View| Ok::<_, StoreError>(view.store()?.off_at);
        self.same("the switch for all", &is_off(self.one)?, &is_off(self.other)?);
        for id in self.projects()? {
            self.plans(id)?;
            self.entries(id)?;
        }
        for key in self.sessions()? {
            self.found.sessions += 1;
            self.texts(&key)?;
        }
        self.journals()
    }

    /// Says that something differs, if it does.
    fn same<T: PartialEq>(&mut self, what: &str, one: &T, other: &T) {
        if one != other {
            self.found.differs(format!("{what} differs"));
        }
    }

    /// Names what only one of the two has; what both have.
    fn both<K: Ord + Clone>(
        &mut self,
        what: impl Fn(&K) -> String,
        one: &BTreeSet<K>,
        other: &BTreeSet<K>,
    ) -> Vec<K> {
        let (first, second) = self.names;
        for (from, others, name) in [(one, other, first), (other, one, second)] {
            for key in from.difference(others) {
                self.found.differs(format!("{} is only in {name}", what(key)));
            }
        }
        one.intersection(other).cloned().collect()
    }

    fn projects(&mut self) -> Result<Vec<ProjectId>, StoreError> {
        let all = |view: &dyn View| -> Result<BTreeMap<ProjectId, Project>, StoreError> {
            Ok(view.projects(None)?.into_iter().map(|project| (project.id, project)).collect())
        };
        let (one, other) = (all(self.one)?, all(self.other)?);
        let named = |id: &ProjectId| {
            let project = one.get(id).or(other.get(id));
            format!(
                "project {} ({id})",
                project.map_or_else(String::new, |project| shown(&project.name))
            )
        };
        let ids =
            self.both(named, &one.keys().copied().collect(), &other.keys().copied().collect());
        for id in &ids {
            self.found.projects += 1;
            self.same(&named(id), &one[id], &other[id]);
            let keys = (self.one.project_keys(*id)?, self.other.project_keys(*id)?);
            self.same(&format!("what {} is known by", named(id)), &keys.0, &keys.1);
        }
        Ok(ids)
    }

    fn plans(&mut self, project: ProjectId) -> Result<(), StoreError> {
        let all = |view: &dyn View| -> Result<BTreeMap<String, Plan>, StoreError> {
            let plans = view.plans(project, None)?.into_iter();
            Ok(plans.map(|plan| (plan.name.to_string(), plan)).collect())
        };
        let (one, other) = (all(self.one)?, all(self.other)?);
        let named = |name: &String| format!("plan {name} of project {project}");
        for name in
            self.both(named, &one.keys().cloned().collect(), &other.keys().cloned().collect())
        {
            self.same(&named(&name), &one[&name], &other[&name]);
        }
        Ok(())
    }

    fn entries(&mut self, project: ProjectId) -> Result<(), StoreError> {
        let filter = EntryFilter { project: Some(project), by_id: true, ..EntryFilter::default() };
        let all = |view: &dyn View| -> Result<BTreeMap<EntryId, Entry>, StoreError> {
            Ok(view.entries(filter, 0)?.into_iter().map(|entry| (entry.id, entry)).collect())
        };
        let (one, other) = (all(self.one)?, all(self.other)?);
        let named = |id: &EntryId| format!("{id} of project {project}");
        for id in self.both(named, &one.keys().copied().collect(), &other.keys().copied().collect())
        {
            self.found.entries += 1;
            self.same(&named(&id), &one[&id], &other[&id]);
        }
        Ok(())
    }

    fn sessions(&mut self) -> Result<Vec<SessionKey>, StoreError> {
        let all = |view: &dyn View| -> Result<BTreeMap<SessionKey, Session>, StoreError> {
            let sessions = view.sessions(SessionFilter::ALL)?.into_iter();
            Ok(sessions.map(|session| (session.key.clone(), session)).collect())
        };
        let (one, other) = (all(self.one)?, all(self.other)?);
        let named = |key: &SessionKey| format!("session {key}");
        let keys =
            self.both(named, &one.keys().cloned().collect(), &other.keys().cloned().collect());
        for key in &keys {
            let (mut a, mut b) = (known(&one[key]), known(&other[key]));
            // One that ran where it comes from has ended where it was copied to.
            if a.ended_at.is_none() || b.ended_at.is_none() {
                (a.ended_at, b.ended_at) = (None, None);
            }
            self.same(&named(key), &a, &b);
        }
        Ok(keys)
    }
}

/// What is known of a session anywhere.
fn known(session: &Session) -> Session {
    Session {
        place: Place { host_pid: None, ..session.place.clone() },
        standing: Standing { told: Seq(0), ..session.standing.clone() },
        ..session.clone()
    }
}
