//! Messages as they go out: the schemas of tools as the text that they are kept as.
//!
//! A client asks for the tools at each start. To parse their schemas into maps, write these and drop them
//! would cost a third of the time until it has its answer.

use rmcp::model::{
    CacheScope, Cursor, JsonRpcMessage, JsonRpcResponse, ListToolsResult, MetaObject, ResultType,
    ServerJsonRpcMessage, ServerResult, Tool, ToolAnnotations,
};
use serde::Serialize;
use vademecum::ops::registry;

/// Writes a message; each tool of a list gets the schema of its operation.
pub(super) fn to_vec(message: &ServerJsonRpcMessage) -> serde_json::Result<Vec<u8>> {
    let JsonRpcMessage::Response(JsonRpcResponse {
        jsonrpc,
        id,
        result: ServerResult::ListToolsResult(list),
    }) = message
    else {
        return serde_json::to_vec(message);
    };
    let result = Head::of(list);
    let answer = JsonRpcResponse { jsonrpc: *jsonrpc, id: id.clone(), result };
    let mut line = serde_json::to_vec(&answer)?;
    // The list is the last member of the last one.
    line.truncate(line.len() - CLOSED.len());
    for tool in &list.tools {
        put(tool, &mut line)?;
        line.push(b',');
    }
    line.pop_if(|last| *last == b',');
    line.extend_from_slice(CLOSED);
    Ok(line)
}

/// How an answer ends whose list is empty.
const CLOSED: &[u8] = b"]}}";

/// What the protocol calls `ListToolsResult`, without the tools.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'a ResultType>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a MetaObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<&'a Cursor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<CacheScope>,
    tools: [(); 0],
}

impl<'a> Head<'a> {
    fn of(list: &'a ListToolsResult) -> Self {
        Self {
            result_type: list.result_type.as_ref(),
            meta: list.meta.as_ref(),
            next_cursor: list.next_cursor.as_ref(),
            ttl_ms: list.ttl_ms,
            cache_scope: list.cache_scope,
            tools: [],
        }
    }
}

/// What the protocol calls `Tool`, as far as [`super::offer`] fills it: what stands before the schema.
#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
}

/// What stands behind it.
#[derive(Serialize)]
struct Marked<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a ToolAnnotations>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a MetaObject>,
}

/// Writes a tool behind `line`.
fn put(tool: &Tool, line: &mut Vec<u8>) -> serde_json::Result<()> {
    let Tool { name, annotations, meta, .. } = tool;
    let (title, description) = (tool.title.as_deref(), tool.description.as_deref());
    serde_json::to_writer(&mut *line, &Named { name, title, description })?;
    line.pop();
    line.extend_from_slice(b",\"inputSchema\":");
    match registry::find(name).filter(|_| tool.input_schema.is_empty()) {
        Some(op) => line.extend_from_slice(op.input_schema_text().as_bytes()),
        None => serde_json::to_writer(&mut *line, &tool.input_schema)?,
    }
    let end = line.len();
    let (annotations, meta) = (annotations.as_ref(), meta.as_ref());
    serde_json::to_writer(&mut *line, &Marked { annotations, meta })?;
    match line.get_mut(end..) {
        Some([_, b'}']) => drop(line.remove(end)),
        Some([open, ..]) => *open = b',',
        Some([]) | None => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rmcp::model::{JsonRpcVersion2_0, RequestId};
    use serde_json::Value;

    use super::*;
    use crate::mcp::offer;

    fn answer(tools: Vec<Tool>) -> ServerJsonRpcMessage {
        let result = ListToolsResult::with_all_items(tools).with_ttl_ms(60_000);
        JsonRpcMessage::Response(JsonRpcResponse {
            jsonrpc: JsonRpcVersion2_0,
            id: RequestId::Number(7),
            result: ServerResult::ListToolsResult(result),
        })
    }

    #[test]
    fn the_list_is_written_as_the_protocols_own_types_would_write_it() {
        let bare: Vec<Tool> = registry::ALL.iter().map(offer::tool).collect();
        let mut whole = bare.clone();
        for (tool, op) in whole.iter_mut().zip(registry::ALL) {
            let Value::Object(schema) = op.input_schema() else { panic!("{}", tool.name) };
            tool.input_schema = Arc::new(schema);
        }
        let written = to_vec(&answer(bare)).expect("a message");
        let wanted = serde_json::to_vec(&answer(whole)).expect("a message");
        assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&wanted));
    }
}
