//! A store of schema 1.x, read by names: its row numbers end here.

mod entries;
mod followed;
mod records;
mod rows;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use rusqlite::{Connection, OptionalExtension as _};
use vademecum_core::hash::{Key, plain};
use vademecum_core::id::ProjectId;
use vademecum_core::plan::PlanName;
use vademecum_core::session::{Session, SessionKey};
use vademecum_core::time::Time;

use self::followed::Renamed;

/// An old store, and what its rows are called.
pub(super) struct Old {
    connection: Connection,
    version: String,
    key: Option<Key>,
    /// The last entry that nothing can be checked of but its order: its key was lost, or a repair accepted it.
    lost: i64,
    projects: BTreeMap<i64, ProjectId>,
    sessions: BTreeMap<i64, SessionKey>,
    plans: BTreeMap<i64, PlanOf>,
    followed: Renamed,
}

/// A plan by the row of its project and its name.
struct PlanOf {
    project: i64,
    name: PlanName,
}

/// A session, and what was noted of it in tables of their own.
#[derive(Debug, Clone)]
pub(super) struct OldSession {
    pub(super) row: i64,
    pub(super) session: Session,
    pub(super) worked_at: Option<Time>,
    pub(super) active_plan: Option<PlanName>,
}

impl Old {
    /// Learns what the rows of a store are called.
    pub(super) fn new(connection: Connection, version: String, key: Option<Key>) -> Result<Self> {
        let (projects, sessions) = (BTreeMap::new(), BTreeMap::new());
        let (plans, followed) = (BTreeMap::new(), BTreeMap::new());
        let sql = "SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM store
                   WHERE name IN ('rekeyed', 'accepted')";
        let newest = "SELECT coalesce(max(seq), 0) FROM journal";
        let lost = if key.is_some() { sql } else { newest };
        let lost = connection.query_row(lost, [], |row| row.get(0))?;
        let mut old = Self { connection, version, key, lost, projects, sessions, plans, followed };
        old.projects = old.read_projects().context("the projects cannot be read")?;
        old.sessions = old.read_sessions().context("the sessions cannot be read")?;
        old.plans = old.read_plans().context("the plans cannot be read")?;
        old.followed = old.followed()?;
        Ok(old)
    }

    /// The version of its schema, as major.minor.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// The key of its chain; none if that was lost.
    pub(super) fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// The last entry that is held by its order alone; 0 if there is none.
    pub(super) fn lost(&self) -> i64 {
        self.lost
    }

    fn read_projects(&self) -> Result<BTreeMap<i64, ProjectId>> {
        let mut query = self.connection.prepare("SELECT id FROM project")?;
        let rows =
            query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
        rows.into_iter().map(|row| Ok((row, self.project_id(row)?))).collect()
    }

    fn read_sessions(&self) -> Result<BTreeMap<i64, SessionKey>> {
        let sql = "SELECT id, harness, external, agent FROM session";
        let mut query = self.connection.prepare(sql)?;
        let rows = query.query_map([], |row| {
            let agent = Some(row.get::<_, String>(3)?).filter(|agent| !agent.is_empty());
            Ok((row.get(0)?, SessionKey { harness: row.get(1)?, external: row.get(2)?, agent }))
        })?;
        let rows = rows.collect::<rusqlite::Result<Vec<(i64, SessionKey)>>>()?;
        rows.into_iter().map(|(row, key)| Ok((row, self.named(key)?))).collect()
    }

    fn read_plans(&self) -> Result<BTreeMap<i64, PlanOf>> {
        let mut query = self.connection.prepare("SELECT id, project, name FROM plan")?;
        let rows =
            query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
        let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        let plan = |(row, project, name): (i64, i64, String)| {
            Ok((row, PlanOf { project, name: PlanName::parse(&name)? }))
        };
        rows.into_iter().map(plan).collect()
    }

    /// The name of a session that is there.
    fn key_of(&self, row: i64) -> Result<&SessionKey> {
        self.sessions.get(&row).with_context(|| format!("session {row} is not there"))
    }

    /// The name of a session; a desk was called after the row of its project before 1.6.
    fn named(&self, key: SessionKey) -> Result<SessionKey> {
        let desk = Some(&key.external).filter(|_| key.harness == SessionKey::DESK);
        match desk.and_then(|external| written_row(external)) {
            Some(row) => Ok(SessionKey { external: self.project_id(row)?.to_string(), ..key }),
            None => Ok(key),
        }
    }

    /// The id of a project by its row, whether that is there or not.
    ///
    /// One of before 1.6 has none. It gets one of the store's oldest seal, which no other store has: so it is the same
    /// in each conversion of this store, and the two are known as one when they meet.
    fn project_id(&self, row: i64) -> Result<ProjectId> {
        let sql = "SELECT id FROM project_id WHERE project = ?1";
        let noted: Option<String> =
            self.connection.query_row(sql, [row], |row| row.get(0)).optional()?;
        if let Some(noted) = noted {
            return Ok(ProjectId::try_from(noted)?);
        }
        let sql = "SELECT hash FROM journal ORDER BY seq LIMIT 1";
        let seal: Option<Vec<u8>> =
            self.connection.query_row(sql, [], |row| row.get(0)).optional()?;
        let seal =
            seal.context("projects without a journal cannot be told from those of others")?;
        let hash = plain(&[b"project", seal.as_slice(), &row.to_le_bytes()].concat());
        Ok(ProjectId(*hash.first_chunk().context("a hash has 32 bytes")?))
    }
}

/// The row that a text names as the old engine wrote one.
fn written_row(text: &str) -> Option<i64> {
    text.parse().ok().filter(|row: &i64| 0 < *row && row.to_string() == text)
}

/// The bytes that hexadecimal digits write; none if they write none.
pub(super) fn bytes(digits: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.as_bytes().chunks(2).map(byte).collect()
}
