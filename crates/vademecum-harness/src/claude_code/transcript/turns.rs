//! Claude Code's transcripts as turns: of a session or of a sub-agent, the live branch only.

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::branch::{Branch, Link, Live, Sort};
use crate::transcript::{
    Block, Blocks, Facts, Flag, Known, Maybe, Out, Raw, Reader, Str, joined, parse,
    without_lone_surrogates,
};

/// Reads transcripts.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    branch: Branch,
    live: Option<Live>,
}

/// What the branch needs of a record.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Links<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    uuid: Str<'a>,
    #[serde(borrow)]
    parent_uuid: Str<'a>,
    #[serde(borrow)]
    logical_parent_uuid: Str<'a>,
    #[serde(borrow)]
    leaf_uuid: Str<'a>,
    is_sidechain: Flag,
    is_compact_summary: Flag,
    #[serde(borrow)]
    message: Maybe<Id<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Id<'a> {
    #[serde(borrow)]
    id: Str<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Record<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    subtype: Str<'a>,
    #[serde(borrow)]
    timestamp: Str<'a>,
    #[serde(borrow)]
    session_id: Str<'a>,
    #[serde(borrow)]
    version: Str<'a>,
    #[serde(borrow)]
    cwd: Str<'a>,
    is_sidechain: Flag,
    is_meta: Flag,
    is_compact_summary: Flag,
    is_api_error_message: Flag,
    #[serde(borrow)]
    content: Str<'a>,
    #[serde(borrow)]
    message: Maybe<Message<'a>>,
    #[serde(borrow)]
    attachment: Maybe<Attachment<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    model: Str<'a>,
    #[serde(borrow)]
    content: Blocks<'a>,
}

/// The content of a compaction as it stands.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Summary<'a> {
    #[serde(borrow)]
    message: Maybe<Id<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    #[serde(borrow)]
    prompt: Raw<'a>,
    #[serde(borrow)]
    command_mode: Str<'a>,
}

impl Reader for Turns {
    fn survey(&mut self, number: u64, line: &str) -> bool {
        if let Ok(links) = parse(line) {
            self.follow(number, &links);
        } else if let Some(fixed) = without_lone_surrogates(line)
            && let Ok(links) = parse(&fixed)
        {
            self.follow(number, &links);
        }
        true
    }

    fn record(&mut self, number: u64, line: &str, out: &mut Out<'_>) -> serde_json::Result<Known> {
        let record: Record<'_> = parse(line)?;
        if record.kind.said().is_none() {
            return Ok(Known::Foreign);
        }
        let branch = self.live.get_or_insert_with(|| std::mem::take(&mut self.branch).live());
        let is_main = branch.is_of_agent || !record.is_sidechain.0;
        // A compaction is one whichever branch its records are on.
        let is_compaction = record.is_compact_summary.0 || &*record.subtype == "compact_boundary";
        if !is_main || (!is_compaction && !branch.is_live(number)) {
            return Ok(Known::Dead);
        }
        if record.is_compact_summary.0 && &*record.kind == "user" {
            let summary: Summary<'_> = parse(line)?;
            record.tell_about(out);
            if let Some(message) = summary.message.0 {
                out.compacted(Some(&joined(message.content)));
            }
            return Ok(Known::Ours);
        }
        record.tell(out);
        Ok(Known::Ours)
    }
}

impl Turns {
    /// Which of the lines that were surveyed are live, up to the very last.
    pub(super) fn into_live(self) -> Live {
        self.branch.live_to_the_end()
    }

    fn follow(&mut self, number: u64, links: &Links<'_>) {
        if &*links.kind == "last-prompt" {
            self.branch.ends_with(&links.leaf_uuid);
        } else {
            self.branch.add(&links.link(number));
        }
    }
}

impl Links<'_> {
    fn link(&self, line: u64) -> Link<'_> {
        let message = self.message.0.as_ref();
        let content = message.and_then(|message| message.content).map_or("", RawValue::get);
        let sort = match &*self.kind {
            "assistant" => Sort::Model,
            "user" if self.is_compact_summary.0 => Sort::Other,
            "user" if has_result(content) => Sort::Result,
            "user" => Sort::Prompt,
            _ => Sort::Other,
        };
        let parent = self.parent_uuid.said().unwrap_or(&self.logical_parent_uuid);
        Link {
            line,
            uuid: &self.uuid,
            parent,
            message: message.map_or("", |message| &message.id),
            is_sidechain: self.is_sidechain.0,
            sort,
        }
    }
}

/// Whether a content is blocks and one of them may be an answer.
fn has_result(content: &str) -> bool {
    // A short look first: there is nearly always one block, its kind one of its first or last fields.
    const SIGN: &str = "\"tool_result\"";
    let head = &content[..content.floor_char_boundary(96)];
    let tail = &content[content.ceil_char_boundary(content.len().saturating_sub(96))..];
    let is_in = |text: &str| memmem::find(text.as_bytes(), SIGN.as_bytes()).is_some();
    content.starts_with('[') && (head.contains(SIGN) || tail.contains(SIGN) || is_in(content))
}

/// What Claude Code names the model of its own messages.
const SYNTHETIC: &str = "<synthetic>";

impl Record<'_> {
    /// Tells when it was written, and what it says of the session.
    fn tell_about(&self, out: &mut Out<'_>) {
        out.at(&self.timestamp);
        let model = self.message.0.as_ref().and_then(|message| message.model.said());
        out.facts(&Facts {
            session: self.session_id.said(),
            version: self.version.said(),
            model: model.filter(|model| *model != SYNTHETIC),
            cwd: self.cwd.said(),
        });
    }

    fn tell(&self, out: &mut Out<'_>) {
        self.tell_about(out);
        let blocks = self.message.0.as_ref().map_or(&[][..], |message| &message.content.0);
        match &*self.kind {
            "user" => self.tell_prompt(blocks, out),
            "assistant" if !self.is_api_error_message.0 && !self.is_synthetic() => {
                for block in blocks {
                    block.tell(out);
                }
            }
            "system" if &*self.subtype == "compact_boundary" => out.compacted(None),
            "attachment" => self.attachment.0.iter().for_each(|queued| queued.tell(out)),
            // Where the session ends first, what ended is never handed over.
            "queue-operation" => out.heard(&self.content),
            _ => {}
        }
    }

    /// Whether Claude Code wrote a message in the model's name, such as "No response requested."
    fn is_synthetic(&self) -> bool {
        self.message.0.as_ref().is_some_and(|message| &*message.model == SYNTHETIC)
    }

    fn tell_prompt(&self, blocks: &[Block<'_>], out: &mut Out<'_>) {
        for block in blocks {
            match &*block.kind {
                "tool_result" => block.tell_answer(out),
                "text" if !self.is_meta.0 => out.asked(&block.text),
                _ => {}
            }
        }
    }
}

impl Attachment<'_> {
    /// A prompt that the user wrote while the agent worked, or the end of what ran beside it.
    fn tell(&self, out: &mut Out<'_>) {
        match (&*self.kind, &*self.command_mode) {
            ("queued_command", "" | "prompt") => out.asked(&joined(self.prompt)),
            ("queued_command", "task-notification") => out.heard(&joined(self.prompt)),
            _ => {}
        }
    }
}
