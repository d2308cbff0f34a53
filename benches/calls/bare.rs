//! The baselines: servers that answer the same bytes with nothing behind them. They run in processes of their own.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::routing::post;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Serves until it is killed, having said on which port. `result` is the file with what a tool answers.
pub fn serve(kind: &str, result: &str) {
    let result: Value = serde_json::from_slice(&std::fs::read(Path::new(result)).unwrap()).unwrap();
    let router = match kind {
        "axum" => axum_alone(&result),
        "rmcp" => rmcp_alone(result),
        other => panic!("no server is called {other}"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listening = TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("{}", listening.local_addr().unwrap());
        axum::serve(listening, router).await.unwrap();
    });
}

fn axum_alone(result: &Value) -> Router {
    let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string();
    let answer: &'static str = Box::leak(answer.into_boxed_str());
    Router::new()
        .route("/mcp", post(move |_body: axum::body::Bytes| async move { ([("content-type", "application/json")], answer) }))
}

#[derive(Clone)]
struct Tool(Arc<CallToolResult>);

impl ServerHandler for Tool {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&[ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28])
    }

    async fn call_tool(&self, _: CallToolRequestParams, _: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::clone(&self.0).into())
    }
}

fn rmcp_alone(result: Value) -> Router {
    let tool = Tool(Arc::new(serde_json::from_value(result).unwrap()));
    let http = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service = StreamableHttpService::new(move || Ok(tool.clone()), Arc::<NeverSessionManager>::default(), http);
    Router::new().nest_service("/mcp", service)
}
