//! What the memory brings into a window beside the page, by the composers that hooks use.

use vademecum_core::context::{Cap, Unit};
use vademecum_core::session::SessionKey;
use vademecum_core::sub_agent::{Running, SubAgent, asked};
use vademecum_core::time::Time;
use vademecum_core::wisdom::Task;
use vademecum_ops::moments::sub_agent;
use vademecum_ops::who::full_key;
use vademecum_ops::{OpError, host};

use super::Controller;
use super::record::Child;

/// The most that is put back after a compaction, in UTF-16 units: what a harness lets through.
const MOST: usize = 9_000;

impl Controller<'_> {
    /// What the session keeps beside its page: open notes, and the children that still run.
    pub(super) fn put_back(&self) -> Result<String, OpError> {
        let half = usize::try_from(self.options.window / 2).unwrap_or(usize::MAX);
        let cap = Cap { units: half.clamp(Cap::MIN, MOST), unit: Unit::Utf16 };
        let context = host::put_back(&self.session.as_call(), self.running_agents()?, &cap)?;
        Ok(context.map(|context| context.text).unwrap_or_default())
    }

    /// What the project knows, for a session that begins; empty where it knows nothing.
    pub(super) fn known(&self) -> Result<String, OpError> {
        if !self.session.config().profile.words().tells_wisdom {
            return Ok(String::new());
        }
        let Some(key) = full_key(self.session.name()) else { return Ok(String::new()) };
        let known = sub_agent::known(&self.session.as_call(), &key)?;
        Ok(known.unwrap_or_default())
    }

    /// The children that still run, as a context tells of sub-agents.
    fn running_agents(&self) -> Result<Vec<SubAgent>, OpError> {
        let running = self.running()?;
        let children = self.turns.children.iter().filter(|child| running.contains(&child.id));
        let Some(parent) = full_key(self.session.name()) else { return Ok(Vec::new()) };
        let agent = |child: &Child| {
            let asked = asked(None, &child.task);
            let running = Running { began_at: Time(0), host_pid: None, kind: None, asked };
            let (parent, id) = (parent.clone(), child.id.clone());
            let session = SessionKey { agent: Some(id.clone()), ..parent.clone() };
            SubAgent { session, parent, id, running }
        };
        Ok(children.map(agent).collect())
    }

    /// The task of a child, with what its siblings learned before it and where to record behind it.
    pub(super) fn briefed(&self, task: String) -> Result<String, OpError> {
        if !self.session.config().profile.words().tells_wisdom {
            return Ok(task);
        }
        let parent = self.turns.parent.as_deref().and_then(full_key);
        let Some(parent) = parent else { return Ok(task) };
        let about = Task { text: task.clone(), files: Vec::new(), agent_type: None };
        let briefing = sub_agent::of_call(&self.session.as_call(), &parent, &about)?;
        Ok(briefing.and_then(|briefing| briefing.prompt(&task)).unwrap_or(task))
    }
}
