//! A client of the official Rust SDK: discovery, authorization with PKCE, calls.

use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _, RoleClient};
use serde_json::Value;

/// Where the owner's browser is sent back to. Nothing needs to listen there: the address is handed over.
pub const REDIRECT: &str = "http://127.0.0.1:51730/callback";

/// The two protocol eras by name.
pub fn eras() -> [(&'static str, ClientLifecycleMode); 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [("legacy", ClientLifecycleMode::Initialize), ("modern", ClientLifecycleMode::Discover { preferred_versions })]
}

/// A client that has found out where to ask, and asks.
pub struct Asking {
    endpoint: String,
    oauth: OAuthState,
}

impl Asking {
    /// Discovery, and the authorization request of the built-in client.
    pub async fn begin(origin: &str) -> Asking {
        let client = format!("{origin}/clients/quarterdeck");
        Asking::begin_with(origin, AuthorizationRequest::new(REDIRECT).with_preregistered_client(client)).await
    }

    /// The same of another client.
    pub async fn begin_with(origin: &str, request: AuthorizationRequest) -> Asking {
        let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let endpoint = format!("{origin}/mcp");
        let mut oauth = OAuthState::new(&endpoint, None).await.unwrap();
        oauth.start_authorization(request).await.unwrap();
        Asking { endpoint, oauth }
    }

    /// The page the owner is to open.
    pub async fn page(&self) -> String {
        self.oauth.get_authorization_url().await.unwrap()
    }

    /// Exchanges the code in the address the owner's browser came back with, and connects.
    pub async fn finish(mut self, back: &str, era: ClientLifecycleMode) -> Sdk {
        assert!(back.starts_with(REDIRECT), "{back}");
        self.oauth.handle_callback_url(back).await.unwrap();
        let manager = self.oauth.into_authorization_manager().unwrap();
        let http = AuthClient::new(reqwest::Client::builder().no_proxy().build().unwrap(), manager);
        let config = StreamableHttpClientTransportConfig::with_uri(self.endpoint);
        Sdk(().serve_with_lifecycle(StreamableHttpClientTransport::with_client(http, config), era).await.unwrap())
    }
}

/// A connected client.
pub struct Sdk(RunningService<RoleClient, ()>);

impl Sdk {
    pub async fn tools(&self) -> Vec<String> {
        self.0.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name.into_owned()).collect()
    }

    pub async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.0.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())).await
    }

    /// The next call is answered 401.
    pub async fn is_out(&self) {
        let refused = format!("{:?}", self.call("GetContext", serde_json::json!({})).await.unwrap_err());
        assert!(refused.contains("401") || refused.contains("AuthRequired"), "{refused}");
    }
}
