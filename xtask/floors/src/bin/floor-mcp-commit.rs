//! The least a server that keeps something can do: one tool over the Model Context Protocol that commits one row.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServiceExt};
use rusqlite::Connection;
use serde_json::{Map, json};

struct OneRow(Mutex<Connection>);

impl ServerHandler for OneRow {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = Map::from_iter([("type".to_owned(), json!("object"))]);
        let tool = Tool::new("add_note", "Commits one row", Arc::new(schema));
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let content = request.arguments.as_ref().and_then(|given| given.get("content")?.as_str());
        let connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = connection
            .prepare_cached("INSERT INTO line (content) VALUES (?1)")
            .and_then(|mut insert| insert.execute([content]));
        let id = match kept {
            Ok(_) => connection.last_insert_rowid(),
            Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
        };
        let said = ContentBlock::text(format!("added {id}"));
        Ok(CallToolResult::success(vec![said]).into())
    }
}

/// `floor-mcp-commit PATH`: each call of its tool is on disk before it is answered.
fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).context("usage: floor-mcp-commit PATH")?;
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE IF NOT EXISTS line (row INTEGER PRIMARY KEY, content TEXT) STRICT;",
    )?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = OneRow(Mutex::new(connection));
        server.serve(rmcp::transport::stdio()).await?.waiting().await?;
        Ok(())
    })
}
