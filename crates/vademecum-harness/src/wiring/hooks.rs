//! Our hooks among those of a harness's JSON file; all others stay byte for byte.

use serde_json::{Map, Value, json};

use super::{Edit, SettingsError, keyed};
use crate::json_edit::Step;

/// An event that we hear of.
pub(crate) struct Hook {
    pub(crate) event: &'static str,
    /// Which cases of it; none is all.
    pub(crate) matcher: Option<&'static str>,
    /// Seconds.
    pub(crate) timeout: u32,
    /// What the person reads while it may take long.
    pub(crate) status: Option<&'static str>,
}

/// Our hooks in one harness.
pub(crate) struct Hooks {
    /// The events that we hear of.
    pub(crate) list: &'static [Hook],
    /// What starts the program at this path for an event: the keys of a handler that say so.
    pub(crate) start: fn(program: &str, event: &str) -> Map<String, Value>,
    /// The program that a handler under this event starts, if the handler is ours.
    pub(crate) program: fn(handler: &Value, event: &str) -> Option<String>,
}

/// Where a handler of ours stands under its event.
#[derive(Clone, Copy)]
struct Place {
    group: usize,
    handler: usize,
    /// Whether it is the only one of its group.
    is_alone: bool,
}

impl Hooks {
    /// Adds, updates and removes our handlers until they are the wanted ones, each once.
    pub(crate) fn wire(&self, edit: &mut Edit, program: &str) -> Result<(), SettingsError> {
        let before = edit.object(&["hooks"])?;
        let mut added = Map::new();
        for hook in self.list {
            let groups = edit.array(&["hooks", hook.event])?;
            let is_listed = groups.is_some();
            let groups = groups.unwrap_or_default();
            match self.places(&groups, hook.event).split_first() {
                Some((first, others)) => {
                    self.update(edit, hook, program, &groups, *first);
                    remove(edit, hook.event, others);
                }
                None if is_listed => {
                    edit.append(&["hooks", hook.event], &[(None, self.group(hook, program))]);
                    edit.changes.push(format!("add hook {}", hook.event));
                }
                None => {
                    added.insert(hook.event.to_owned(), json!([self.group(hook, program)]));
                    edit.changes.push(format!("add hook {}", hook.event));
                }
            }
        }
        if before.is_some() {
            edit.append(&["hooks"], &keyed(&added));
        } else {
            edit.added.insert("hooks".to_owned(), Value::Object(added));
        }
        self.unwire_others(edit, self.list)
    }

    /// Removes all our handlers.
    pub(crate) fn unwire(&self, edit: &mut Edit) -> Result<(), SettingsError> {
        self.unwire_others(edit, &[])
    }

    /// The programs that our handlers start, each once.
    pub(crate) fn programs(&self, edit: &Edit) -> Result<Vec<String>, SettingsError> {
        let mut programs = Vec::new();
        for (event, groups) in edit.object(&["hooks"])?.unwrap_or_default() {
            let Value::Array(groups) = groups else { continue };
            for at in self.places(&groups, &event) {
                programs.extend((self.program)(&groups[at.group]["hooks"][at.handler], &event));
            }
        }
        programs.sort();
        programs.dedup();
        Ok(programs)
    }

    /// Where our handlers stand: the event, its group, and its place in that, from 0.
    pub(crate) fn all_places(
        &self,
        edit: &Edit,
    ) -> Result<Vec<(String, usize, usize)>, SettingsError> {
        let mut all = Vec::new();
        for (event, groups) in edit.object(&["hooks"])?.unwrap_or_default() {
            let Value::Array(groups) = groups else { continue };
            let places = self.places(&groups, &event).into_iter();
            all.extend(places.map(|at| (event.clone(), at.group, at.handler)));
        }
        Ok(all)
    }

    fn handler(&self, hook: &Hook, program: &str) -> Value {
        let mut handler = json!({ "type": "command" });
        if let Some(object) = handler.as_object_mut() {
            object.extend((self.start)(program, hook.event));
            object.insert("timeout".to_owned(), hook.timeout.into());
        }
        if let Some(status) = hook.status {
            handler["statusMessage"] = status.into();
        }
        handler
    }

    fn group(&self, hook: &Hook, program: &str) -> Value {
        let mut group = Map::new();
        if let Some(matcher) = hook.matcher {
            group.insert("matcher".to_owned(), matcher.into());
        }
        group.insert("hooks".to_owned(), json!([self.handler(hook, program)]));
        Value::Object(group)
    }

    /// Removes our handlers under every event but those of `kept`.
    fn unwire_others(&self, edit: &mut Edit, kept: &[Hook]) -> Result<(), SettingsError> {
        for (event, groups) in edit.object(&["hooks"])?.unwrap_or_default() {
            if !kept.iter().any(|hook| hook.event == event)
                && let Value::Array(groups) = groups
            {
                remove(edit, &event, &self.places(&groups, &event));
            }
        }
        Ok(())
    }

    fn update(&self, edit: &mut Edit, hook: &Hook, program: &str, groups: &[Value], at: Place) {
        let (wanted, is_same, path) = if at.is_alone {
            let wanted = self.group(hook, program);
            let is_same = groups[at.group] == wanted;
            (wanted, is_same, vec![Step::Key("hooks"), Step::Key(hook.event), Step::Item(at.group)])
        } else {
            let wanted = self.handler(hook, program);
            let is_same = groups[at.group]["hooks"][at.handler] == wanted;
            (wanted, is_same, handler_path(hook.event, at).to_vec())
        };
        if !is_same {
            edit.replace(&path, &wanted);
            edit.changes.push(format!("update hook {}", hook.event));
        }
    }

    fn places(&self, groups: &[Value], event: &str) -> Vec<Place> {
        let handlers = |group: &Value| group["hooks"].as_array().cloned().unwrap_or_default();
        let groups = groups.iter().map(handlers).enumerate();
        let places = groups.flat_map(|(group, handlers)| {
            let is_alone = handlers.len() == 1;
            let ours = handlers
                .into_iter()
                .enumerate()
                .filter(|(_, handler)| (self.program)(handler, event).is_some());
            let places = ours.map(|(handler, _)| Place { group, handler, is_alone });
            places.collect::<Vec<_>>()
        });
        places.collect()
    }
}

/// Removes handlers, the last first so that the places of the others hold.
fn remove(edit: &mut Edit, event: &str, places: &[Place]) {
    for at in places.iter().rev() {
        let path = handler_path(event, *at);
        edit.remove(if at.is_alone { &path[..3] } else { &path });
        edit.changes.push(format!("remove hook {event}"));
    }
}

fn handler_path(event: &str, at: Place) -> [Step<'_>; 5] {
    let (hooks, event) = (Step::Key("hooks"), Step::Key(event));
    [hooks, event, Step::Item(at.group), Step::Key("hooks"), Step::Item(at.handler)]
}
