//! The thin layer between the registry and the protocol library (`rmcp`): nothing else names the library's types.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use http::header::{ACCEPT, CONTENT_TYPE, HOST};
use http::{HeaderMap, HeaderName, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, ListToolsResult, MetaObject, PaginatedRequestParams, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool as Listed, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use serde::{Deserialize as _, Serialize};
use serde_json::{Value, json};

use super::answer::{Answer, SERVER_INFO};
use super::envelope::{Envelope, Era};
use super::refused::Refused;
use super::registry::{Denied, Output, Registry, Tool};
use super::trail::Scene;
use super::{challenge, instructions, plain};
use crate::audit::{Draft, Kind};
use crate::config::PublicUrl;

/// The headers the protocol library sees: those it checks against the body. The token is none of them.
const PASSED: [&str; 3] = ["mcp-protocol-version", "mcp-method", "mcp-name"];
/// Both forms of an answer. It insists on this list; clients that name less, or nothing, are served all the same.
const ACCEPTED: &str = "application/json, text/event-stream";
/// Where a refusal's reason is.
const REASON: &str = "duoduo/reason";
/// Where a client finds what to ask the owner for.
const AUTHENTICATE: &str = "mcp/www_authenticate";

/// Methods with parameters that are served. The library hands them over as unknown ones when the parameters have the wrong form.
const SERVED: [&str; 5] = ["initialize", "ping", "server/discover", "tools/list", "tools/call"];

/// Answers requests by the registry.
#[derive(Clone)]
pub(super) struct Adapter {
    handler: Arc<Handler>,
    service: StreamableHttpService<Shared, NeverSessionManager>,
}

/// What serves every request.
struct Handler {
    registry: Registry,
    config: ServerConfig,
    server: Value,
    public_url: PublicUrl,
    /// Milliseconds.
    tools_list_ttl: u64,
}

#[derive(Clone)]
struct Shared(Arc<Handler>);

impl Adapter {
    /// An adapter over these tools.
    pub(super) fn new(registry: Registry, public_url: PublicUrl, tools_list_ttl: u64) -> Adapter {
        let implementation = Implementation::new("quarterdeck", env!("CARGO_PKG_VERSION")).with_title("Quarterdeck");
        let server = json!({ "name": "quarterdeck", "title": "Quarterdeck", "version": env!("CARGO_PKG_VERSION") });
        let config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_instructions(instructions::text(&registry));
        let handler = Arc::new(Handler { registry, config, server, public_url, tools_list_ttl });
        let shared = Shared(Arc::clone(&handler));
        // The body is capped before.
        let http = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(usize::MAX);
        let service = StreamableHttpService::new(move || Ok(shared.clone()), Arc::default(), http);
        Adapter { handler, service }
    }

    /// The answer to a request, and its record when it called no tool.
    pub(super) async fn answer(
        &self,
        headers: &HeaderMap,
        mut envelope: Envelope,
        scene: Scene,
    ) -> Result<(Answer, Draft), Refused> {
        if let Some((name, given)) = plain::take(headers, &mut envelope, &self.handler.registry) {
            let result = self.handler.registry.call(&name, given, scene).await;
            let said = Said::new(&envelope.id, self.handler.answered(envelope.era, result));
            return Ok((Answer::written(StatusCode::OK, said.bytes()), Draft::ok(Kind::McpRequest).object(&envelope.method)));
        }
        let Envelope { era, method, id, message, .. } = envelope;
        let trail = scene.trail.clone();
        let request = forward(headers, Value::Object(message), scene);
        let (parts, body) = self.service.handle(request).await.into_parts();
        let bytes = body.collect().await.map(|whole| whole.to_bytes()).unwrap_or_default();
        if parts.status.is_success() && trail.is_of_a_tool() {
            return Ok((Answer::written(parts.status, bytes), Draft::ok(Kind::McpRequest).object(&method)));
        }
        let mut answer = match serde_json::from_slice(&bytes) {
            Ok(body) => Answer::of(parts.status, body),
            Err(_) if parts.status.is_success() && bytes.is_empty() => Answer::empty(parts.status),
            Err(_) if parts.status.is_server_error() => Answer::of(parts.status, internal_error(&id)),
            // The library could not make a message of the protocol out of it, and says so as text.
            Err(_) => return Err(Refused::Invalid { id, what: "this is not a message of the protocol" }),
        };
        answer.complete(era, &self.handler.server, &self.handler.registry);
        let draft = answer.draft(&method);
        Ok((answer, draft))
    }
}

/// An answer as the protocol writes it.
#[derive(Serialize)]
struct Said<'a> {
    jsonrpc: &'static str,
    id: &'a Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<CallToolResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorData>,
}

impl Said<'_> {
    fn new(id: &Option<Value>, answered: Result<CallToolResult, ErrorData>) -> Said<'_> {
        let (result, error) = match answered {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Said { jsonrpc: "2.0", id, result, error }
    }

    fn bytes(&self) -> Bytes {
        // What is in it was JSON before: it can be written.
        serde_json::to_vec(self).unwrap_or_default().into()
    }
}

fn forward(headers: &HeaderMap, message: Value, scene: Scene) -> Request<Body> {
    let mut request = Request::new(Body::from(Bytes::from(message.to_string())));
    *request.method_mut() = Method::POST;
    *request.headers_mut() = passed(headers);
    request.extensions_mut().insert(scene);
    request
}

/// The headers the library gets in place of `headers`.
pub(super) fn passed(headers: &HeaderMap) -> HeaderMap {
    let mut passed = HeaderMap::new();
    // The library insists on a host it knows; the gate has checked the real one.
    passed.insert(HOST, http::HeaderValue::from_static("localhost"));
    passed.insert(ACCEPT, http::HeaderValue::from_static(ACCEPTED));
    passed.insert(CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    for name in PASSED {
        for value in headers.get_all(name) {
            passed.append(HeaderName::from_static(name), value.clone());
        }
    }
    passed
}

/// Whether the library understands this as what a client can do; what it does not, it refuses.
pub(super) fn are_capabilities(said: &Value) -> bool {
    said.as_object().is_some_and(serde_json::Map::is_empty) || ClientCapabilities::deserialize(said).is_ok()
}

fn internal_error(id: &Option<Value>) -> Value {
    let error = json!({ "code": -32603, "message": "something went wrong here; try again" });
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

impl Handler {
    fn listed(&self, tool: &Tool) -> Listed {
        let annotations = serde_json::to_value(tool.annotations).and_then(serde_json::from_value::<ToolAnnotations>);
        let mut listed = Listed::new(tool.name, tool.description.clone(), tool.input_schema())
            .with_title(tool.title)
            .with_raw_output_schema(Arc::new(tool.output_schema.clone()));
        listed.annotations = annotations.ok();
        listed
    }

    fn answered(&self, era: Era, result: Result<Output, Denied>) -> Result<CallToolResult, ErrorData> {
        let mut answer = self.called(era, result)?;
        if era == Era::Legacy {
            // Only the modern era knows answers that are not complete.
            answer.result_type = None;
        }
        Ok(answer)
    }

    fn called(&self, era: Era, result: Result<Output, Denied>) -> Result<CallToolResult, ErrorData> {
        let mut meta = MetaObject::default();
        if era == Era::Modern {
            meta.insert(SERVER_INFO.to_owned(), self.server.clone());
        }
        let denied = match result {
            Ok(output) => {
                let mut answer = CallToolResult::success(vec![ContentBlock::text(output.text)]);
                answer.structured_content = Some(output.structured);
                answer.meta = Some(meta).filter(|meta| !meta.is_empty());
                return Ok(answer);
            }
            Err(denied) => denied,
        };
        meta.insert(REASON.to_owned(), json!(denied.reason()));
        match &denied {
            Denied::Unknown(_) | Denied::Arguments { .. } => {
                return Err(ErrorData::invalid_params(denied.to_string(), None));
            }
            // The endpoint answers 503 in place of this.
            Denied::Unavailable(_) => return Err(ErrorData::internal_error("the store could not be used", None)),
            Denied::Broken(_) => return Err(ErrorData::internal_error(denied.to_string(), None)),
            Denied::Scope { needed, .. } => {
                let challenge = challenge::insufficient_scope(&self.public_url, needed);
                meta.insert(AUTHENTICATE.to_owned(), json!([challenge]));
            }
            Denied::Refused(_) => {}
        }
        // No structured content: clients check it against the output schema even when the call failed.
        let mut answer = CallToolResult::error(vec![ContentBlock::text(denied.to_string())]);
        answer.meta = Some(meta);
        Ok(answer)
    }
}

/// What was handed through the library beside the message.
fn scene(context: &RequestContext<RoleServer>) -> Result<Scene, ErrorData> {
    let parts = context.extensions.get::<http::request::Parts>();
    parts
        .and_then(|parts| parts.extensions.get::<Scene>())
        .cloned()
        .ok_or_else(|| ErrorData::internal_error("the request came without its caller", None))
}

impl ServerHandler for Shared {
    fn get_info(&self) -> ServerConfig {
        self.0.config.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&[ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28])
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("there is no such cursor: the list is one page", None));
        }
        let scene = scene(&context)?;
        let tools = self.0.registry.visible(&scene.caller.scopes).map(|tool| self.0.listed(tool)).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(self.0.tools_list_ttl).with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let scene = scene(&context)?;
        let given = request.arguments.unwrap_or_default();
        let era = scene.era;
        Ok(self.0.answered(era, self.0.registry.call(&request.name, given, scene).await)?.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let shown = crate::text::shorten(&crate::text::safe(&request.method), 60);
        if !SERVED.contains(&request.method.as_str()) {
            let message = format!("there is no method “{shown}” here");
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None));
        }
        let named = request.params.as_ref().and_then(|params| params.get("name")).and_then(Value::as_str);
        let tool = named.and_then(|name| self.0.registry.find(name)).map(|tool| tool.name).unwrap_or(&shown);
        let message = format!("{tool}: the parameters do not have the form they must have. Nothing was done");
        Err(ErrorData::invalid_params(message, None))
    }
}
