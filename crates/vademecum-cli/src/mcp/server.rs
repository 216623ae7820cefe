//! The server as the protocol sees it: each request finds its operation here, and nothing is decided.

use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, DiscoverResult,
    ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams,
    InitializeResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::watch as channel;
use vademecum::core::error::Kind;
use vademecum::core::frame::line;
use vademecum::ops::offer::{find, offered};
use vademecum::ops::{OpError, voice};

use crate::mcp::calls::Calls;
use crate::mcp::life::Pulse;
use crate::mcp::pages::{self, Page};
use crate::mcp::watch::{Reader, Watch};
use crate::mcp::{instructions, offer, reply, resume};

/// The server.
pub(super) struct Server {
    calls: Arc<Calls>,
    watch: Arc<Watch>,
    pulse: channel::Receiver<Pulse>,
}

/// The most characters of a name that is given back: a longer one is no name of ours.
const NAME_MAX: usize = 200;

type Context = RequestContext<RoleServer>;

impl Server {
    /// A server that calls operations by `calls`, until the client has closed its end.
    pub(super) fn new(calls: Arc<Calls>, pulse: channel::Receiver<Pulse>) -> Self {
        Self { watch: Arc::new(Watch::new(Arc::clone(&calls))), calls, pulse }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .build();
        let info = Implementation::new("vade", env!("CARGO_PKG_VERSION"))
            .with_title("vademecum: working memory of this session");
        // Asked for at every turn: what takes longer to say is put in where it is read.
        ServerConfig::new(capabilities).with_server_info(info)
    }

    async fn discover(&self, _context: Context) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        let text = instructions::under(&self.calls.world, &self.calls.config, None);
        result.instructions = Some(text).filter(|text| !text.is_empty());
        Ok(result)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        let client = Some(request.client_info.name.as_str());
        let text = instructions::under(&self.calls.world, &self.calls.config, client);
        result.instructions = Some(text).filter(|text| !text.is_empty());
        Ok(result)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let config = &self.calls.config;
        let is_look = self.calls.world.is_read_only();
        let offered = offered(config).filter(|op| !is_look || op.declaration.is_look());
        let tools = offered.map(|op| offer::tool_under(op, config)).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(op) = find(&request.name, &self.calls.config) else {
            let name = line(&request.name, NAME_MAX);
            let message = format!("no tool \"{name}\": tools/list names them");
            return Err(ErrorData::invalid_params(message, None));
        };
        let client = context.client_info().map(|client| client.name);
        let arguments = request.arguments.unwrap_or_default();
        let answer = self.calls.of_model(op, arguments, &context.meta).await;
        Ok(reply::result(answer, client.as_deref()).into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let caller = self.calls.caller(&context.meta, None).map_err(|error| refused(&error))?;
        let pages = self.calls.blocking(move |calls| Ok(pages::all(&calls.call(caller)?))).await;
        Ok(ListResourcesResult::with_all_items(pages.map_err(|error| refused(&error))?))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = pages::template(&self.calls.config).into_iter().collect();
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let page = self.page(&request.uri)?;
        let caller = self.calls.caller(&context.meta, page.session());
        let read = match caller {
            Ok(caller) => pages::read(&self.calls, caller).await,
            Err(error) => Err(error),
        };
        let text = read.map_err(|error| refused(&error))?;
        let contents = ResourceContents::text(text, request.uri).with_mime_type(pages::MARKDOWN);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        let reader = Reader::Peer(context.peer.clone());
        self.follow(&request.uri, reader, &context).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: Context,
    ) -> Result<(), ErrorData> {
        self.watch.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        let uris = requested.resource_subscriptions.iter().flatten();
        accepted.resource_subscriptions =
            Some(uris.filter(|uri| self.page(uri).is_ok()).cloned().collect());
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        for uri in context.accepted().resource_subscriptions.iter().flatten() {
            let reader = Reader::Listener(context.sink().clone());
            self.follow(uri, reader, context.request_context()).await?;
        }
        let mut pulse = self.pulse.clone();
        tokio::select! {
            () = context.cancelled() => {}
            _ = pulse.wait_for(|now| now.has_closed) => {}
        }
        self.watch.hang_up(context.sink().id());
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: Context,
    ) -> Result<CustomResult, ErrorData> {
        // A known method comes here when its params are of another shape.
        Err(match request.method.as_str() {
            known @ ("tools/call"
            | "resources/read"
            | "resources/subscribe"
            | "resources/unsubscribe"
            | "prompts/get"
            | "subscriptions/listen") => {
                let message = format!("the params of {known} are not as the protocol has them");
                ErrorData::invalid_params(message, None)
            }
            other => {
                let message = format!("no method \"{}\"", line(other, NAME_MAX));
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
            }
        })
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = resume::prompt(&self.calls.config).into_iter().collect();
        Ok(ListPromptsResult::with_all_items(prompts))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt = resume::prompt(&self.calls.config);
        if prompt.is_none_or(|prompt| prompt.name != request.name) {
            let name = line(&request.name, NAME_MAX);
            let message = format!("no prompt \"{name}\": prompts/list names them");
            return Err(ErrorData::invalid_params(message, None));
        }
        let arguments = request.arguments.unwrap_or_default();
        let message = resume::message(&self.calls, arguments, &context.meta).await;
        message.map(Into::into).map_err(|error| refused(&error))
    }
}

impl Server {
    /// The page that an address means, where models have pages.
    fn page(&self, uri: &str) -> Result<Page, ErrorData> {
        let page = Page::parse(uri).filter(|_| pages::name(&self.calls.config).is_some());
        page.ok_or_else(|| no_resource(uri))
    }

    async fn follow(&self, uri: &str, reader: Reader, context: &Context) -> Result<(), ErrorData> {
        let page = self.page(uri)?;
        let caller = self.calls.caller(&context.meta, page.session());
        let caller = caller.map_err(|error| refused(&error))?;
        self.watch.subscribe(uri.to_owned(), caller, reader).await.map_err(|error| refused(&error))
    }
}

fn no_resource(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(format!("no resource \"{}\"", line(uri, NAME_MAX)), None)
}

/// An operation's refusal of a request that has no result to say it in.
fn refused(error: &OpError) -> ErrorData {
    let code = match error.kind {
        Kind::Usage => ErrorCode::INVALID_PARAMS,
        Kind::Missing => ErrorCode::RESOURCE_NOT_FOUND,
        Kind::Conflict | Kind::Busy | Kind::Denied | Kind::Broken => ErrorCode::INTERNAL_ERROR,
    };
    ErrorData::new(code, voice::refusal(error), None)
}
