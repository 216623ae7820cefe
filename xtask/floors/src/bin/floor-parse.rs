//! The least that reading a transcript can do: every line is parsed into types, and nothing is kept.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    r#type: Option<String>,
    uuid: Option<String>,
    parent_uuid: Option<String>,
    session_id: Option<String>,
    cwd: Option<String>,
    timestamp: Option<String>,
    message: Option<Message>,
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Content,
}

/// What a line of Codex holds.
#[derive(Deserialize)]
struct Payload {
    r#type: Option<String>,
    role: Option<String>,
    name: Option<String>,
    call_id: Option<String>,
    arguments: Option<Value>,
    message: Option<Value>,
    content: Option<Value>,
    output: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    Thinking {
        thinking: String,
    },
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    ToolResult {
        tool_use_id: String,
        content: Value,
    },
    #[serde(other)]
    Other,
}

/// `floor-parse TRANSCRIPT` prints how many lines and bytes of text the transcript has.
fn main() -> anyhow::Result<()> {
    let Some(path) = std::env::args().nth(1) else {
        anyhow::bail!("usage: floor-parse TRANSCRIPT")
    };
    let mut source = BufReader::with_capacity(256 * 1024, File::open(path)?);
    let (mut line, mut n_lines, mut n_bytes) = (Vec::new(), 0, 0);
    while source.read_until(b'\n', &mut line)? != 0 {
        n_lines += 1;
        n_bytes += bytes(&serde_json::from_slice(&line)?);
        line.clear();
    }
    println!("{n_lines} {n_bytes}");
    Ok(())
}

fn bytes(line: &Line) -> usize {
    let names = [&line.uuid, &line.parent_uuid, &line.session_id, &line.cwd, &line.timestamp];
    let n_named: usize = names.into_iter().flatten().map(String::len).sum();
    let n_said = line.message.as_ref().map_or(0, |message| {
        message.role.len()
            + match &message.content {
                Content::Text(text) => text.len(),
                Content::Blocks(blocks) => blocks.iter().map(block).sum(),
            }
    });
    n_named
        + n_said
        + line.r#type.as_ref().map_or(0, String::len)
        + line.payload.as_ref().map_or(0, payload)
}

fn payload(payload: &Payload) -> usize {
    let Payload { r#type, role, name, call_id, arguments, message, content, output } = payload;
    let texts = [r#type, role, name, call_id];
    let values = [arguments, message, content, output];
    texts.into_iter().flatten().map(String::len).sum::<usize>()
        + values.into_iter().flatten().map(size).sum::<usize>()
}

fn size(value: &Value) -> usize {
    value.as_str().map_or(1, str::len)
}

fn block(block: &Block) -> usize {
    match block {
        Block::Text { text } => text.len(),
        Block::Thinking { thinking } => thinking.len(),
        Block::ToolUse { id, name, input } => id.len() + name.len() + size(input),
        Block::ToolResult { tool_use_id, content } => tool_use_id.len() + size(content),
        Block::Other => 0,
    }
}
