//! Messages as they go out: the schemas of tools as the text that they are kept as.
//!
//! A client asks for the tools at each start. To parse their schemas into maps, write these and drop them
//! would cost a third of the time until it has its answer.

use rmcp::model::{
    CacheScope, Cursor, JsonRpcMessage, JsonRpcResponse, ListToolsResult, MetaObject, ResultType,
    ServerJsonRpcMessage, ServerResult, Tool, ToolAnnotations,
};
use serde::Serialize;
use serde_json::value::RawValue;
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
    let result = Listing::of(list)?;
    serde_json::to_vec(&JsonRpcResponse { jsonrpc: *jsonrpc, id: id.clone(), result })
}

/// What the protocol calls `ListToolsResult`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listing<'a> {
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
    tools: Vec<Described<'a>>,
}

/// What the protocol calls `Tool`, as far as [`super::offer`] fills it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    input_schema: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a ToolAnnotations>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a MetaObject>,
}

impl<'a> Listing<'a> {
    fn of(list: &'a ListToolsResult) -> serde_json::Result<Self> {
        Ok(Self {
            result_type: list.result_type.as_ref(),
            meta: list.meta.as_ref(),
            next_cursor: list.next_cursor.as_ref(),
            ttl_ms: list.ttl_ms,
            cache_scope: list.cache_scope,
            tools: list.tools.iter().map(Described::of).collect::<serde_json::Result<_>>()?,
        })
    }
}

impl<'a> Described<'a> {
    fn of(tool: &'a Tool) -> serde_json::Result<Self> {
        let written = registry::find(&tool.name).filter(|_| tool.input_schema.is_empty());
        let schema = match written {
            Some(op) => op.input_schema_text().into_owned(),
            None => serde_json::to_string(&tool.input_schema)?,
        };
        Ok(Self {
            name: &tool.name,
            title: tool.title.as_deref(),
            description: tool.description.as_deref(),
            input_schema: RawValue::from_string(schema)?,
            annotations: tool.annotations.as_ref(),
            meta: tool.meta.as_ref(),
        })
    }
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
