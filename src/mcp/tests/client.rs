//! The official client over a real socket, in both eras.

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use super::{Deck, experience};
use crate::access::{Principal, Scope};

/// The address of a socket the deck is served on until the test ends.
async fn serve(deck: &Deck) -> String {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = deck.router.clone();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/mcp")
}

fn transport(address: &str, token: &str) -> StreamableHttpClientTransport<reqwest::Client> {
    let _installed_before = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let config = StreamableHttpClientTransportConfig::with_uri(address.to_owned()).auth_header(token.to_owned());
    StreamableHttpClientTransport::with_client(reqwest::Client::new(), config)
}

async fn the_client_does_everything(lifecycle: ClientLifecycleMode, version: ProtocolVersion) {
    let deck = Deck::new().await;
    let address = serve(&deck).await;
    let client = ().serve_with_lifecycle(transport(&address, &deck.token), lifecycle).await.unwrap();
    let peer = client.peer_info().unwrap();
    assert_eq!(peer.protocol_version, version);
    assert_eq!(peer.server_info.as_ref().map(|server| server.name.as_str()), Some("quarterdeck"));
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["GetContext", "ReadEvents", "ReadMemory", "RecordExperience"]);
    let call = async |tool: &'static str, arguments: Value| {
        let arguments = arguments.as_object().unwrap().clone();
        let result = client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap();
        assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
        result.content[0].as_text().unwrap().text.clone()
    };
    assert!(call("GetContext", json!({})).await.contains("“dots”"));
    assert!(call("ReadMemory", json!({ "path": "CLAUDE.md" })).await.starts_with("# Board"));
    assert!(call("RecordExperience", experience()).await.starts_with("Recorded as evt_"));
    assert!(call("ReadEvents", json!({ "interval": "1h" })).await.contains("dots:c1: hello → answered → done"));
    deck.access.revoke(&Principal::System, "dots", None).await.unwrap().unwrap();
    let refused = client.call_tool(CallToolRequestParams::new("GetContext")).await;
    assert!(refused.is_err(), "{refused:?}");
}

#[tokio::test]
async fn the_official_client_works_without_a_handshake() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions };
    the_client_does_everything(lifecycle, ProtocolVersion::V_2026_07_28).await;
}

#[tokio::test]
async fn the_official_client_finds_the_newest_version_by_itself() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let lifecycle = ClientLifecycleMode::Auto { preferred_versions, legacy_version: None };
    the_client_does_everything(lifecycle, ProtocolVersion::V_2026_07_28).await;
}

#[tokio::test]
async fn the_official_client_works_with_a_handshake() {
    the_client_does_everything(ClientLifecycleMode::Initialize, ProtocolVersion::V_2025_11_25).await;
}

/// A198
#[tokio::test]
async fn the_official_client_reads_every_refusal() {
    let deck = Deck::without(&[Scope::ExperienceWrite]).await;
    let address = serve(&deck).await;
    std::fs::remove_file(deck.fixture.dir.path().join("memory/CLAUDE.md")).unwrap();
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    for lifecycle in [ClientLifecycleMode::Discover { preferred_versions }, ClientLifecycleMode::Initialize] {
        let client = ().serve_with_lifecycle(transport(&address, &deck.token), lifecycle).await.unwrap();
        for (tool, arguments, reason) in [
            ("GetContext", json!({}), "no_board"),
            ("ReadMemory", json!({ "path": "../audit.key" }), "daemon_error"),
            ("ReadMemory", json!({ "path": "topics/none.md" }), "daemon_error"),
            ("ReadEvents", json!({ "date": "yesterday" }), "daemon_error"),
            ("RecordExperience", experience(), "insufficient_scope"),
        ] {
            let arguments = arguments.as_object().unwrap().clone();
            let result = client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap();
            let meta = serde_json::to_value(result.meta).unwrap();
            assert_eq!((result.is_error, meta["duoduo/reason"].as_str()), (Some(true), Some(reason)), "{tool}");
            let text = result.content[0].as_text().unwrap().text.clone();
            assert!(text.len() > 20 && !text.ends_with(".."), "{tool}: {text}");
        }
    }
}
