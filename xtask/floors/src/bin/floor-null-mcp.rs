//! The least a server can do: the Model Context Protocol on stdio with one tool and no store.

use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServiceExt};
use serde_json::{Map, json};

struct Null;

impl ServerHandler for Null {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = Map::from_iter([("type".to_owned(), json!("object"))]);
        let tool = Tool::new("nothing", "Does nothing", Arc::new(schema));
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }
}

fn main() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        Null.serve(rmcp::transport::stdio()).await?.waiting().await?;
        Ok(())
    })
}
