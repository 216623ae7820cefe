//! The least that reading a transcript can do: every line is parsed into types, and nothing is kept.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    r#type: String,
    uuid: Option<String>,
    parent_uuid: Option<String>,
    session_id: Option<String>,
    cwd: Option<String>,
    timestamp: Option<String>,
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Content,
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
    Text { text: String },
    ToolUse { id: String, name: String, input: Value },
    ToolResult { tool_use_id: String, content: Value },
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
    line.r#type.len() + n_named + n_said
}

fn block(block: &Block) -> usize {
    let size = |value: &Value| value.as_str().map_or(1, str::len);
    match block {
        Block::Text { text } => text.len(),
        Block::ToolUse { id, name, input } => id.len() + name.len() + size(input),
        Block::ToolResult { tool_use_id, content } => tool_use_id.len() + size(content),
    }
}
