//! One state of a store in memory, as the port asks for it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use vademecum_core::entry::{Category, Entry};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::note::{Note, TagCount};
use vademecum_core::plan::{Plan, PlanName};
use vademecum_core::project::{KeyKind, Project, ProjectKey};
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::sub_agent::SubAgent;

use super::journal;
use super::notes::most;
use super::state::{KeptEntry, KeptProject, KeptSession, KnownBy, SessionNumber, State};
use crate::candidates::hits_among;
use crate::document::Document;
use crate::error::StoreError;
use crate::journal::JournalEntry;
use crate::store::Unfinished;
use crate::view::{
    Corpus, EntryFilter, Handoff, Hits, JournalFilter, KeptRecap, KeySet, NoteFilter, Notepad,
    SessionCard, SessionFilter, StoreCard, View, Whose, Words,
};

impl View for State {
    fn store(&self) -> Result<StoreCard, StoreError> {
        let intents = self.intents.iter().map(|(id, what)| (*id, what.clone())).collect();
        let unfinished = Unfinished { intents, has_bytes: false, has_forks: false };
        Ok(StoreCard { off_at: self.off_at, unfinished })
    }

    fn project_by_keys(&self, keys: &[ProjectKey]) -> Result<Option<Project>, StoreError> {
        let number = |ProjectKey { kind, machine, value }: &ProjectKey| {
            let (kind, keys) = (kind.word().to_owned(), &self.names.keys);
            if machine.is_some() {
                return keys.get(&(kind, value.clone(), *machine));
            }
            let from = keys.range((kind.clone(), value.clone(), None)..);
            let mut all =
                from.take_while(|(it, _)| it.0 == kind && it.1 == *value).map(|(_, of)| of);
            let first = all.next()?;
            all.all(|of| of == first).then_some(first)
        };
        let found = keys.iter().find_map(number).and_then(|number| self.projects.get(number));
        Ok(found.map(|kept| kept.about.clone()))
    }

    fn projects(&self, id: Option<ProjectId>) -> Result<Vec<Project>, StoreError> {
        let projects = self.projects.values().map(|kept| &kept.about);
        Ok(projects.filter(|project| id.is_none_or(|id| project.id == id)).cloned().collect())
    }

    fn project_keys(&self, id: ProjectId) -> Result<Vec<ProjectKey>, StoreError> {
        let Some(number) = self.find_project(id) else { return Ok(Vec::new()) };
        let keys = self.names.keys.iter().filter(|(_, of)| **of == number);
        let key = |(kind, value, machine): &KnownBy| ProjectKey {
            kind: KeyKind::from(kind.as_str()),
            machine: *machine,
            value: value.clone(),
        };
        Ok(keys.map(|(known, _)| key(known)).collect())
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>, StoreError> {
        Ok(self.find_kept(key).map(|kept| self.named(kept)))
    }

    fn line_of(
        &self,
        key: &SessionKey,
        limit: usize,
    ) -> Result<Vec<(SessionKey, Option<PlanName>)>, StoreError> {
        let parent = |kept: &&Arc<KeptSession>| self.sessions.get(&kept.parent?);
        let line = std::iter::successors(self.find_kept(key), parent).take(limit);
        Ok(line.map(|kept| (kept.about.key.clone(), self.active_plan(kept))).collect())
    }

    fn sessions(&self, filter: SessionFilter<'_>) -> Result<Vec<Session>, StoreError> {
        let project = filter.project.map(|id| self.find_project(id));
        let lets_through = |kept: &KeptSession| {
            let Session { key, .. } = &kept.about;
            project.is_none_or(|project| project == Some(kept.project))
                && filter.prefix.is_none_or(|prefix| key.external.starts_with(prefix))
                && filter.harness.is_none_or(|harness| key.harness == harness)
                && (filter.include_archived || !kept.about.is_archived())
                && (filter.include_agents || key.agent.is_none())
        };
        let mut found: Vec<(&SessionNumber, &Arc<KeptSession>)> =
            self.sessions.iter().filter(|(_, kept)| lets_through(kept)).collect();
        if filter.by_instance {
            found.sort_by_key(|(number, kept)| Reverse((kept.about.instance, **number)));
        } else {
            found.sort_by_key(|(number, kept)| Reverse((kept.about.started_at, **number)));
        }
        let found = found.into_iter().take(most(filter.limit));
        Ok(found.map(|(_, kept)| self.named(kept)).collect())
    }

    fn card(&self, session: &SessionKey) -> Result<SessionCard, StoreError> {
        let Some(kept) = self.find_kept(session) else { return Ok(SessionCard::default()) };
        Ok(SessionCard {
            counts: kept.notes.counts(),
            notepad_rev: kept.page.as_ref().map(|page| page.rev),
            worked_at: kept.worked_at,
            active_plan: self.active_plan(kept),
        })
    }

    fn page(&self, session: &SessionKey, most: usize) -> Result<Option<Notepad>, StoreError> {
        let page = self.find_kept(session).and_then(|kept| kept.page.as_ref());
        Ok(page.map(|page| {
            let (text, rest) = page.text.split_at(page.text.floor_char_boundary(most));
            let (rev, updated_at) = (page.rev, page.updated_at);
            Notepad { rev, text: text.to_owned(), more: rest.len() as u64, updated_at }
        }))
    }

    fn notes(
        &self,
        session: &SessionKey,
        filter: &NoteFilter,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        Ok(self.find_kept(session).map(|kept| kept.notes.by(filter, limit)).unwrap_or_default())
    }

    fn tag_counts(
        &self,
        session: &SessionKey,
        tag: Option<&str>,
        include_scratched: bool,
    ) -> Result<Vec<TagCount>, StoreError> {
        let kept = self.find_kept(session);
        Ok(kept.map(|kept| kept.notes.tag_counts(tag, include_scratched)).unwrap_or_default())
    }

    fn hits(
        &self,
        corpus: Corpus<'_>,
        sets: &[KeySet<'_>],
        filter: &NoteFilter,
    ) -> Result<Vec<Hits>, StoreError> {
        let documents: Vec<Document> = match corpus {
            Corpus::Notes(key) => self.find_kept(key).map(|kept| notes(kept)).unwrap_or_default(),
            Corpus::Sessions(id) | Corpus::ProjectNotes(id) => {
                let project = self.find_project(id);
                let of_it = self.sessions.values().rev().filter(|it| Some(it.project) == project);
                match corpus {
                    Corpus::ProjectNotes(_) => of_it.flat_map(|kept| notes(kept)).collect(),
                    _ => of_it.flat_map(documents).collect(),
                }
            }
            Corpus::Entries(id) => {
                let kept = self.find_project(id).and_then(|number| self.projects.get(&number));
                let mut all: Vec<&Arc<KeptEntry>> =
                    kept.into_iter().flat_map(|kept| kept.entries.values()).collect();
                all.sort_unstable_by_key(|kept| Reverse(kept.place));
                all.into_iter()
                    .map(|kept| Document::Entry(Box::new(self.attributed(kept))))
                    .collect()
            }
        };
        Ok(hits_among(&documents, sets, filter))
    }

    fn plans(&self, project: ProjectId, name: Option<&PlanName>) -> Result<Vec<Plan>, StoreError> {
        let kept = self.find_project(project).and_then(|number| self.projects.get(&number));
        let plans = kept.into_iter().flat_map(|kept| kept.plans.values()).map(|(_, plan)| plan);
        Ok(plans.filter(|plan| name.is_none_or(|name| plan.name == *name)).cloned().collect())
    }

    fn entries(&self, filter: EntryFilter<'_>, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let mut found = self.entries_by(&filter);
        if filter.by_id {
            found.sort_by_key(|kept| Reverse(kept.entry.id));
        } else {
            found.sort_by_key(|kept| Reverse((kept.entry.at, kept.entry.id)));
        }
        Ok(found.into_iter().take(most(limit)).map(|kept| self.attributed(kept)).collect())
    }

    fn last_entry(&self, project: ProjectId) -> Result<Option<EntryId>, StoreError> {
        let kept = self.find_project(project).and_then(|number| self.projects.get(&number));
        Ok(kept.and_then(|kept| kept.last_entry))
    }

    fn entry_count(&self, filter: EntryFilter<'_>) -> Result<u64, StoreError> {
        Ok(self.entries_by(&filter).len() as u64)
    }

    fn handoffs(&self, words: Words<'_>) -> Result<Vec<(String, Handoff)>, StoreError> {
        match words {
            Words::Of(key) => {
                let handoff = self.find_kept(key).and_then(|kept| kept.handoff.clone());
                Ok(handoff.map(|handoff| (String::new(), handoff)).into_iter().collect())
            }
            Words::OfAgents(parent) => {
                let of_parent = |key: &SessionKey| {
                    (&key.harness, &key.external) == (&parent.harness, &parent.external)
                };
                let agents = self.sessions.iter().filter(|(_, kept)| of_parent(&kept.about.key));
                let mut found: Vec<(SessionNumber, String, Handoff)> = agents
                    .filter_map(|(number, kept)| {
                        Some((*number, kept.about.key.agent.clone()?, kept.handoff.clone()?))
                    })
                    .collect();
                found.sort_by_key(|(number, _, words)| Reverse((words.updated_at, *number)));
                Ok(found.into_iter().map(|(_, agent, words)| (agent, words)).collect())
            }
        }
    }

    fn recap(&self, session: &SessionKey) -> Result<Option<KeptRecap>, StoreError> {
        Ok(self.find_kept(session).and_then(|kept| kept.recap.clone()))
    }

    fn running(&self, whose: Whose<'_>) -> Result<Vec<SubAgent>, StoreError> {
        let (parent, project) = match whose {
            Whose::Parent(key) => (Some(self.find_session(key)), None),
            Whose::Project(id) => (None, Some(self.find_project(id))),
        };
        let agent = |kept: &Arc<KeptSession>| {
            let (of, running) = kept.running.as_ref()?;
            let is_asked = parent.is_none_or(|parent| parent == Some(*of))
                && project.is_none_or(|project| project == Some(kept.project));
            Some(SubAgent {
                session: kept.about.key.clone(),
                parent: self.session_key(*of).filter(|_| is_asked)?.clone(),
                id: kept.about.key.agent.clone().unwrap_or_default(),
                running: running.clone(),
            })
        };
        let mut found: Vec<SubAgent> = self.sessions.values().filter_map(agent).collect();
        // Those that began at once stay in the order in which they became known.
        found.sort_by_key(|agent| agent.running.began_at);
        Ok(found)
    }

    fn journal(&self, filter: &JournalFilter<'_>) -> Result<Vec<JournalEntry>, StoreError> {
        journal::by(self, filter)
    }
}

/// The notes of a session, the last added first.
fn notes(kept: &KeptSession) -> Vec<Document> {
    let key = Arc::new(kept.about.key.clone());
    let notes = kept.notes.last_added_first();
    notes.into_iter().map(|note| Document::Note(Arc::clone(&key), note.clone())).collect()
}

/// All that a session keeps, in the order of its corpus.
fn documents(kept: &Arc<KeptSession>) -> Vec<Document> {
    let key = Arc::new(kept.about.key.clone());
    let recap = kept.recap.iter().map(|it| Document::Recap(Arc::clone(&key), it.clone()));
    let words = kept.handoff.iter().map(|it| Document::Words(Arc::clone(&key), it.clone()));
    let page = kept.page.iter().map(|it| Document::Page(Arc::clone(&key), (**it).clone()));
    recap.chain(words).chain(page).chain(notes(kept)).collect()
}

impl State {
    /// An entry with the session that said it.
    fn attributed(&self, kept: &KeptEntry) -> Entry {
        let session = kept.session.and_then(|number| self.session_key(number));
        Entry { session: session.cloned().map(Arc::new), ..kept.entry.clone() }
    }

    /// A session with the names of its project and its parent.
    fn named(&self, kept: &KeptSession) -> Session {
        let parent = kept.parent.and_then(|parent| self.session_key(parent)).cloned();
        let project = self.project_id(kept.project).unwrap_or(ProjectId::NONE);
        Session { project, parent, ..kept.about.clone() }
    }

    fn active_plan(&self, kept: &KeptSession) -> Option<PlanName> {
        kept.active_plan.and_then(|plan| self.plan_name(plan)).cloned()
    }

    /// The entries of a filter, in no order.
    fn entries_by(&self, filter: &EntryFilter<'_>) -> Vec<&KeptEntry> {
        let asked = |kept: &&Arc<KeptProject>| filter.project.is_none_or(|id| kept.about.id == id);
        self.projects
            .values()
            .filter(asked)
            .flat_map(|project| in_project(project, filter))
            .collect()
    }
}

/// The entries of one project that a filter lets through.
///
/// A correction of what was merged corrects the copy too.
fn in_project<'a>(
    project: &'a KeptProject,
    filter: &EntryFilter<'_>,
) -> impl Iterator<Item = &'a KeptEntry> {
    let all = || project.entries.values().map(Arc::as_ref);
    let superseded: BTreeSet<EntryId> =
        all().filter_map(|kept| kept.entry.said.supersedes).collect();
    let is_in_force = move |entry: &Entry| {
        let is_corrected = |id: EntryId| superseded.contains(&id);
        entry.said.matter.own().status != Some("resolved")
            && !is_corrected(entry.id)
            && !entry.merged_from.is_some_and(is_corrected)
    };
    let filter = *filter;
    all().filter(move |KeptEntry { entry, .. }| {
        filter.plan.is_none_or(|plan| entry.plan == *plan)
            && filter.id.is_none_or(|id| entry.id == id)
            && filter.sameness.is_none_or(|sameness| entry.said.sameness() == *sameness)
            && filter.category.map(Category::word).is_none_or(|word| entry.word() == word)
            && filter.after.is_none_or(|after| after < entry.id)
            && (!filter.in_force || is_in_force(entry))
    })
}
