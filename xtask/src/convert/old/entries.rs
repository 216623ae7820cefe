//! The entries of plans.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use rusqlite::Row;
use vademecum_core::entry::{Category, Entry, Labels, Line, Matter, Said, Text};
use vademecum_core::id::{EntryId, ProjectId};
use vademecum_core::time::Time;

use super::Old;

impl Old {
    /// The entries behind a row, in the order in which they were added, at most `limit`, each behind its row.
    pub(in super::super) fn entries(
        &self,
        after: i64,
        limit: usize,
    ) -> Result<Vec<(i64, ProjectId, Entry)>> {
        let sql = "SELECT row, id, at, plan, session, supersedes, merged_from, category, content,
                       task, pattern, tags, severity, status, workaround, rationale, alternatives
                   FROM entry WHERE ?1 < row ORDER BY row LIMIT ?2";
        let mut query = self.connection.prepare_cached(sql)?;
        let rows = query.query_and_then((after, i64::try_from(limit)?), |row| {
            let id = EntryId(row.get(1)?);
            self.entry(row, id).with_context(|| format!("{id} cannot be read"))
        })?;
        rows.collect()
    }

    fn entry(&self, row: &Row<'_>, id: EntryId) -> Result<(i64, ProjectId, Entry)> {
        let plan = self.plans.get(&row.get(3)?).context("its plan is not there")?;
        let session = row.get::<_, Option<i64>>(4)?.and_then(|row| self.sessions.get(&row));
        let entry = Entry {
            id,
            plan: plan.name.clone(),
            at: Time(row.get(2)?),
            said: said(row)?,
            session: session.cloned().map(Arc::new),
            merged_from: row.get::<_, Option<i64>>(6)?.map(EntryId),
            stood: None,
        };
        Ok((row.get(0)?, self.project_id(plan.project)?, entry))
    }
}

fn said(row: &Row<'_>) -> Result<Said> {
    let tags: String = row.get(11)?;
    let tags: Vec<&str> = tags.split(',').filter(|tag| !tag.is_empty()).collect();
    Ok(Said {
        content: text(row, 8)?.context("it says nothing")?,
        matter: matter(row)?,
        task: line(row, 9)?,
        pattern: line(row, 10)?,
        tags: Labels::kept(&tags)?,
        supersedes: row.get::<_, Option<i64>>(5)?.map(EntryId),
    })
}

/// What belongs to the category.
fn matter(row: &Row<'_>) -> Result<Matter> {
    let category: String = row.get(7)?;
    let (severity, status) = (word(row, 12)?, word(row, 13)?);
    let (workaround, rationale, alternatives) = (text(row, 14)?, text(row, 15)?, text(row, 16)?);
    Ok(match Category::parse(&category) {
        Some(Category::Issue) => {
            Matter::Issue { severity, status: status.unwrap_or_default(), workaround }
        }
        Some(Category::Decision) => Matter::Decision { rationale, alternatives },
        Some(Category::Learning) => Matter::Learning,
        None => {
            let status = word(row, 13)?;
            let category = category.into();
            Matter::Unknown { category, severity, status, workaround, rationale, alternatives }
        }
    })
}

fn text(row: &Row<'_>, column: usize) -> Result<Option<Text>> {
    let text = row.get::<_, Option<String>>(column)?;
    Ok(text.map(Text::new).transpose()?)
}

fn line(row: &Row<'_>, column: usize) -> Result<Option<Line>> {
    let text = row.get::<_, Option<String>>(column)?;
    Ok(text.map(|text| Line::new(&text)).transpose()?)
}

fn word<T: for<'a> From<&'a str>>(row: &Row<'_>, column: usize) -> Result<Option<T>> {
    let text = row.get::<_, Option<String>>(column)?;
    Ok(text.as_deref().map(T::from))
}
